/*
 * Calls every function of onion.h with arguments that it must refuse: `bad_calls FILE.onion`. Prints on the
 * error stream each call with a wrong answer, and exits with 1 if there was one.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "onion.h"

static int n_wrong;

#define CHECK(condition)                                                          \
    do {                                                                          \
        if (!(condition)) {                                                       \
            fprintf(stderr, "line %d is wrong: %s\n", __LINE__, #condition);      \
            n_wrong++;                                                            \
        }                                                                         \
    } while (0)

/* A call with a NULL for one of its pointers is refused. The others are such calls with a NULL for each of some
   pointers in turn. */
#define NULLS(call) CHECK((call) == ONION_ERROR_POINTER)
#define NULLS_2(function, a, b)                                                   \
    NULLS(function(NULL, b));                                                     \
    NULLS(function(a, NULL))
#define NULLS_AT(function, a, number, b)                                          \
    NULLS(function(NULL, number, b));                                             \
    NULLS(function(a, number, NULL))
#define NULLS_3(function, a, b, c)                                                \
    NULLS(function(NULL, b, c));                                                  \
    NULLS(function(a, NULL, c));                                                  \
    NULLS(function(a, b, NULL))
#define NULLS_OF_HULL(function, a, out)                                           \
    NULLS(function(NULL, stand, a, out));                                         \
    NULLS(function(world, stand, NULL, out));                                     \
    NULLS(function(world, stand, a, NULL))
#define NULLS_OF_SEGMENT(function, at, out)                                       \
    NULLS(function(NULL, stand, at, at, out));                                    \
    NULLS(function(world, stand, NULL, at, out));                                 \
    NULLS(function(world, stand, at, NULL, out));                                 \
    NULLS(function(world, stand, at, at, NULL))
#define NULLS_OF_BATCH(function, at, out)                                         \
    NULLS(function(NULL, stand, at, at, 1, out));                                 \
    NULLS(function(world, stand, NULL, at, 1, out));                              \
    NULLS(function(world, stand, at, NULL, 1, out));                              \
    NULLS(function(world, stand, at, at, 1, NULL))
#define NULLS_OF_CHANGES(function, at)                                            \
    NULLS(function(NULL, stand, at, at, &changes, 1, &out.count));               \
    NULLS(function(world, stand, NULL, at, &changes, 1, &out.count));            \
    NULLS(function(world, stand, at, NULL, &changes, 1, &out.count));            \
    NULLS(function(world, stand, at, at, NULL, 1, &out.count));                   \
    NULLS(function(world, stand, at, at, &out.transition, 1, NULL))

static const float at_float[3] = {0, 0, 0};
static const double at_double[3] = {0, 0, 0};
static onion_model the_world;
static const onion_model *const world = &the_world;
static onion_hull stand;
static onion_transition changes;
static const onion_trace_result no_trace;
static const onion_trace_result_double no_trace_double;

/* The place for answers; a refused call may not write to it. */
static union {
    unsigned char bytes[1024];
    uint8_t u8;
    uint32_t u32;
    uint64_t u64;
    onion_hull hull_id;
    onion_model chosen;
    onion_hull_info hull;
    onion_model_info model;
    onion_trace_result trace;
    onion_trace_result_double trace_double;
    onion_transition transition;
    onion_hit_result hit;
    onion_fit_result fit;
    onion_floor floor;
    double corners[2][3];
    onion_agent_class agent_class;
    onion_link link;
    onion_path_costs costs;
    onion_path_point points[2];
    onion_path_result path;
    onion_path_follower follower;
    onion_progress progress;
    onion_linked_trace_result linked;
    onion_linked_trace_result_double linked_double;
    float place[3];
    double place_double[3];
    size_t count;
    double fraction;
    char name[ONION_SURFACE_NAME_SIZE];
    const char *text;
} out;

/* The world's model with another number. */
static const onion_model *model_at(uint32_t index)
{
    static onion_model other;
    other = the_world;
    other.index = index;
    return &other;
}

static void nulls(const onion_map *map)
{
    NULLS_2(onion_file_version, map, &out.u32);
    NULLS_2(onion_hull_count, map, &out.u32);
    NULLS_2(onion_model_count, map, &out.u32);
    NULLS_2(onion_surface_count, map, &out.u32);
    NULLS_2(onion_entity_count, map, &out.u32);
    NULLS_2(onion_world, map, &out.chosen);
    NULLS_2(onion_get_model_info, world, &out.model);
    NULLS_AT(onion_get_hull_info, map, 0, &out.hull);
    NULLS_AT(onion_get_model, map, 0, &out.chosen);
    NULLS_AT(onion_leaf_solidity, map, 0, &out.u64);
    NULLS_AT(onion_get_surface_name, map, 0, out.name);
    NULLS_3(onion_find_hull, map, "stand", &out.hull_id);
    NULLS_3(onion_solidity, world, at_float, &out.u64);
    NULLS_3(onion_solidity_double, world, at_double, &out.u64);
    NULLS_3(onion_leaf_at, world, at_float, &out.u32);
    NULLS_3(onion_contents_at, world, at_float, &out.u32);
    NULLS_3(onion_contents_at_double, world, at_double, &out.u32);
    NULLS_3(onion_hulls_that_fit, world, at_float, &out.u64);
    NULLS_3(onion_hulls_that_fit_double, world, at_double, &out.u64);
    NULLS_OF_HULL(onion_is_solid, at_float, &out.u8);
    NULLS_OF_HULL(onion_is_solid_double, at_double, &out.u8);
    NULLS_OF_HULL(onion_hit, &no_trace, &out.hit);
    NULLS_OF_HULL(onion_hit_double, &no_trace_double, &out.hit);
    NULLS_OF_SEGMENT(onion_trace, at_float, &out.trace);
    NULLS_OF_SEGMENT(onion_trace_double, at_double, &out.trace_double);
    NULLS_OF_SEGMENT(onion_find_first_transition, at_float, &out.transition);
    NULLS_OF_SEGMENT(onion_find_first_transition_double, at_double, &out.transition);
    NULLS_OF_BATCH(onion_trace_batch, at_float, &out.trace);
    NULLS_OF_BATCH(onion_trace_batch_double, at_double, &out.trace_double);
    NULLS_OF_CHANGES(onion_transitions, at_float);
    NULLS_OF_CHANGES(onion_transitions_double, at_double);
    NULLS(onion_is_solid_batch(NULL, stand, at_float, 1, &out.u8));
    NULLS(onion_is_solid_batch(world, stand, NULL, 1, &out.u8));
    NULLS(onion_is_solid_batch(world, stand, at_float, 1, NULL));
    NULLS(onion_solidity_batch(NULL, at_float, 1, &out.u64));
    NULLS(onion_solidity_batch(world, NULL, 1, &out.u64));
    NULLS(onion_solidity_batch(world, at_float, 1, NULL));
    NULLS(onion_require_hull(NULL, "stand", at_float, at_float, &out.hull_id));
    NULLS(onion_require_hull(map, NULL, at_float, at_float, &out.hull_id));
    NULLS(onion_require_hull(map, "stand", NULL, at_float, &out.hull_id));
    NULLS(onion_require_hull(map, "stand", at_float, NULL, &out.hull_id));
    NULLS(onion_require_hull(map, "stand", at_float, at_float, NULL));
    NULLS(onion_entity_value(NULL, 0, "classname", &out.text));
    NULLS(onion_entity_value(map, 0, NULL, &out.text));
    NULLS(onion_entity_value(map, 0, "classname", NULL));
    NULLS(onion_entity_pair(NULL, 0, 0, &out.text, &out.text));
    NULLS(onion_entity_pair(map, 0, 0, NULL, &out.text));
    NULLS(onion_entity_pair(map, 0, 0, &out.text, NULL));
    NULLS(onion_switched_position(NULL, stand, stand, at_float, &out.fit));
    NULLS(onion_switched_position(world, stand, stand, NULL, &out.fit));
    NULLS(onion_switched_position(world, stand, stand, at_float, NULL));
    NULLS(onion_nearest_fit(NULL, stand, at_float, 1, &out.fit));
    NULLS(onion_nearest_fit(world, stand, NULL, 1, &out.fit));
    NULLS(onion_nearest_fit(world, stand, at_float, 1, NULL));
}

static void bad_numbers(const onion_map *map)
{
    static const uint32_t bad[] = {3, 255, 256, 65536, 0xffffffff};
    const size_t huge = (size_t)-1;
    size_t at;
    for (at = 0; at < sizeof bad / sizeof *bad; at++) {
        const uint32_t number = bad[at];
        /* A hull of this map except for the number; and a hull of no map. */
        const onion_hull wrong = stand ^ number;
        CHECK(onion_get_hull_info(map, number, &out.hull) == ONION_ERROR_HULL);
        CHECK(onion_trace(world, wrong, at_float, at_float, &out.trace) == ONION_ERROR_HULL);
        CHECK(onion_is_solid(world, wrong, at_float, &out.u8) == ONION_ERROR_HULL);
        CHECK(onion_is_solid_batch(world, wrong, at_float, 1, &out.u8) == ONION_ERROR_HULL);
        CHECK(onion_get_model(map, number, &out.chosen) == ONION_ERROR_MODEL);
        CHECK(onion_trace(world, number, at_float, at_float, &out.trace) == ONION_ERROR_HULL);
        CHECK(onion_get_model_info(model_at(number), &out.model) == ONION_ERROR_MODEL);
        CHECK(onion_trace(model_at(number), stand, at_float, at_float, &out.trace) == ONION_ERROR_MODEL);
        CHECK(onion_solidity(model_at(number), at_float, &out.u64) == ONION_ERROR_MODEL);
        CHECK(onion_leaf_at(model_at(number), at_float, &out.u32) == ONION_ERROR_MODEL);
        CHECK(onion_hit(world, wrong, &no_trace, &out.hit) == ONION_ERROR_HULL);
        CHECK(onion_hit(model_at(number), stand, &no_trace, &out.hit) == ONION_ERROR_MODEL);
        CHECK(onion_switched_position(world, stand, wrong, at_float, &out.fit) == ONION_ERROR_HULL);
        CHECK(onion_switched_position(world, wrong, stand, at_float, &out.fit) == ONION_ERROR_HULL);
        CHECK(onion_nearest_fit(model_at(number), stand, at_float, 1, &out.fit) == ONION_ERROR_MODEL);
        CHECK(onion_hulls_that_fit(model_at(number), at_float, &out.u64) == ONION_ERROR_MODEL);
        CHECK(onion_contents_at(model_at(number), at_float, &out.u32) == ONION_ERROR_MODEL);
        CHECK(onion_transitions(world, wrong, at_float, at_float, NULL, 0, &out.count)
              == ONION_ERROR_HULL);
    }
    CHECK(onion_get_surface_name(map, 0x7fffffff, out.name) == ONION_ERROR_SURFACE);
    CHECK(onion_get_surface_name(map, 0xffffffff, out.name) == ONION_ERROR_SURFACE);
    CHECK(onion_entity_value(map, 0x7fffffff, "classname", &out.text) == ONION_ERROR_ENTITY);
    CHECK(onion_entity_pair(map, 0xffffffff, 0, &out.text, &out.text) == ONION_ERROR_ENTITY);
    /* The file of this test holds no brushes. */
    CHECK(onion_contents_at(world, at_float, &out.u32) == ONION_ERROR_NO_BRUSHES);
    CHECK(onion_contents_at_double(world, at_double, &out.u32) == ONION_ERROR_NO_BRUSHES);
    CHECK(onion_transitions(world, stand, at_float, at_float, &out.transition, huge / 80 * 2, &out.count)
          == ONION_ERROR_COUNT);
    CHECK(onion_leaf_solidity(map, 0x7fffffff, &out.u64) == ONION_ERROR_LEAF);
    CHECK(onion_leaf_solidity(map, ONION_NO_LEAF, &out.u64) == ONION_ERROR_LEAF);
    CHECK(onion_trace_batch(world, stand, at_float, at_float, huge, &out.trace) == ONION_ERROR_COUNT);
    CHECK(onion_trace_batch_double(world, stand, at_double, at_double, huge / 32, &out.trace_double)
          == ONION_ERROR_COUNT);
    CHECK(onion_is_solid_batch(world, stand, at_float, huge / 16, &out.u8) == ONION_ERROR_COUNT);
    CHECK(onion_solidity_batch(world, at_float, huge / 2, &out.u64) == ONION_ERROR_COUNT);

    CHECK(onion_find_hull(map, "", &out.hull_id) == ONION_ERROR_HULL);
    CHECK(onion_find_hull(map, "stan", &out.hull_id) == ONION_ERROR_HULL);
    CHECK(onion_find_hull(map, "stand ", &out.hull_id) == ONION_ERROR_HULL);
    CHECK(onion_find_hull(map, "\xff\xfe", &out.hull_id) == ONION_ERROR_HULL);
    /* The third hull's name has the largest possible number of bytes. */
    CHECK(onion_find_hull(map, "a-name-that-has-thirty-two-byteS", &out.hull_id) == ONION_ERROR_HULL);
    CHECK(onion_find_hull(map, "a-name-that-has-thirty-two-byte", &out.hull_id) == ONION_ERROR_HULL);
    CHECK(onion_find_hull(map, "a-name-that-has-thirty-two-bytes-", &out.hull_id) == ONION_ERROR_HULL);
    CHECK(onion_find_hull(map, "a-name-that-has-thirty-two-bytes-and-more", &out.hull_id) == ONION_ERROR_HULL);
    CHECK(onion_require_hull(map, "stand", at_float, at_float, &out.hull_id) == ONION_ERROR_BOX);
}

/* A map that is not loaded refuses every kind of call. */
static void not_loaded(const onion_map *map)
{
    CHECK(onion_file_version(map, &out.u32) == ONION_ERROR_NOT_LOADED);
    CHECK(onion_hull_count(map, &out.u32) == ONION_ERROR_NOT_LOADED);
    CHECK(onion_find_hull(map, "stand", &out.hull_id) == ONION_ERROR_NOT_LOADED);
    CHECK(onion_get_model(map, 0, &out.chosen) == ONION_ERROR_NOT_LOADED);
    CHECK(onion_get_model_info(world, &out.model) == ONION_ERROR_NOT_LOADED);
    CHECK(onion_trace(world, stand, at_float, at_float, &out.trace) == ONION_ERROR_NOT_LOADED);
    CHECK(onion_trace_batch(world, stand, NULL, NULL, 0, NULL) == ONION_ERROR_NOT_LOADED);
    CHECK(onion_solidity(world, at_float, &out.u64) == ONION_ERROR_NOT_LOADED);
    CHECK(onion_surface_count(map, &out.u32) == ONION_ERROR_NOT_LOADED);
    CHECK(onion_get_surface_name(map, 0, out.name) == ONION_ERROR_NOT_LOADED);
    CHECK(onion_entity_count(map, &out.u32) == ONION_ERROR_NOT_LOADED);
    CHECK(onion_entity_value(map, 0, "classname", &out.text) == ONION_ERROR_NOT_LOADED);
    CHECK(onion_entity_pair(map, 0, 0, &out.text, &out.text) == ONION_ERROR_NOT_LOADED);
    CHECK(onion_hit(world, stand, &no_trace, &out.hit) == ONION_ERROR_NOT_LOADED);
    CHECK(onion_contents_at(world, at_float, &out.u32) == ONION_ERROR_NOT_LOADED);
    CHECK(onion_hulls_that_fit(world, at_float, &out.u64) == ONION_ERROR_NOT_LOADED);
    CHECK(onion_switched_position(world, stand, stand, at_float, &out.fit) == ONION_ERROR_NOT_LOADED);
    CHECK(onion_transitions(world, stand, at_float, at_float, NULL, 0, &out.count)
          == ONION_ERROR_NOT_LOADED);
    CHECK(onion_find_first_transition(world, stand, at_float, at_float, &out.transition)
          == ONION_ERROR_NOT_LOADED);
}

/* A map at an address where no map can be. */
static void unaligned(const onion_map *map)
{
    static onion_map twice[2];
    unsigned char *there = (unsigned char *)twice + 4;
    const onion_map *shifted = (const onion_map *)(const void *)there;
    onion_model on_shifted = the_world;
    memcpy(there, map, sizeof *map);
    on_shifted.map = shifted;
    CHECK(onion_hull_count(shifted, &out.u32) == ONION_ERROR_POINTER);
    CHECK(onion_trace(&on_shifted, stand, at_float, at_float, &out.trace) == ONION_ERROR_POINTER);
    CHECK(onion_load((onion_map *)(void *)there, "", 0) == ONION_ERROR_POINTER);
}

/* Allowed calls: answers that overlap arguments, points and answers at odd addresses, a file at any address, a copy
   of the map. */
static void what_is_allowed(const onion_map *map, const unsigned char *file, size_t size)
{
    const float start[3] = {0, 0, 24}, end[3] = {4096, 100, 30};
    onion_trace_result expected, over;
    static onion_trace_result aligned[2];
    unsigned char *odd = (unsigned char *)aligned + 1;
    onion_hull_info info;
    onion_map other;
    onion_model in_other;
    onion_hull hull;
    size_t shift;
    CHECK(onion_trace(world, stand, start, end, &expected) == ONION_OK);
    CHECK(expected.hit == 1);

    memcpy(over.end_pos, start, sizeof start);
    CHECK(onion_trace(world, stand, over.end_pos, end, &over) == ONION_OK);
    CHECK(memcmp(&over, &expected, sizeof over) == 0);

    memcpy(odd, start, sizeof start);
    CHECK(onion_trace(world, stand, (const float *)(const void *)(odd), end,
                      (onion_trace_result *)(void *)(odd)) == ONION_OK);
    CHECK(memcmp(odd, &expected, sizeof expected) == 0);

    CHECK(onion_find_hull(map, "a-name-that-has-thirty-two-bytes", &hull) == ONION_OK);
    CHECK(onion_get_hull_info(map, 2, &info) == ONION_OK && info.hull == hull);
    CHECK(strcmp(info.name, "a-name-that-has-thirty-two-bytes") == 0);

    for (shift = 0; shift < 8; shift++) {
        unsigned char *shifted = malloc(size + shift);
        onion_map loaded;
        if (shifted == NULL)
            exit(1);
        memcpy(shifted + shift, file, size);
        CHECK(onion_load(&loaded, shifted + shift, size) == ONION_OK);
        other = loaded;
        CHECK(onion_world(&other, &in_other) == ONION_OK);
        memset(&loaded, 0, sizeof loaded);
        memset(&over, 0, sizeof over);
        CHECK(onion_trace(&in_other, stand, start, end, &over) == ONION_OK);
        CHECK(memcmp(&over, &expected, sizeof over) == 0);
        free(shifted);
    }
}

/* Linked worlds with NULLs, too many portals, and portals that are not as they should be. */
static void bad_portals(const onion_map *map)
{
    static const onion_linked_portal right = {{100, 0, 64}, {64, 64}, 2, 0};
    static onion_linked_portal many[ONION_MAX_LINKED_PORTALS + 1];
    const double zero = 0.0;
    onion_linked_portal wrong[7];
    onion_linked_world linked = {{NULL, NULL, 0, ONION_DEFAULT_MARGIN}, NULL, 0};
    onion_walk_settings settings;
    onion_agent agent, before;
    size_t at;
    CHECK(onion_default_walk_settings(&settings) == ONION_OK);
    CHECK(onion_agent_init(stand, at_float, &agent) == ONION_OK);
    before = agent;
    CHECK(onion_linked_trace(&linked, stand, at_float, at_float, &out.linked) == ONION_ERROR_POINTER);
    linked.scene.map = map;
    NULLS(onion_linked_portals(NULL, NULL, 0, &out.count));
    NULLS(onion_linked_portals(map, NULL, 1, &out.count));
    NULLS(onion_linked_portals(map, NULL, 0, NULL));
    NULLS(onion_linked_trace(NULL, stand, at_float, at_float, &out.linked));
    NULLS(onion_linked_trace(&linked, stand, NULL, at_float, &out.linked));
    NULLS(onion_linked_trace(&linked, stand, at_float, NULL, &out.linked));
    NULLS(onion_linked_trace(&linked, stand, at_float, at_float, NULL));
    NULLS(onion_linked_trace_double(&linked, stand, NULL, at_double, &out.linked_double));
    NULLS(onion_linked_place(NULL, at_float, at_float, out.place, &out.u8));
    NULLS(onion_linked_place(&linked, NULL, at_float, out.place, &out.u8));
    NULLS(onion_linked_place(&linked, at_float, NULL, out.place, &out.u8));
    NULLS(onion_linked_place(&linked, at_float, at_float, NULL, &out.u8));
    NULLS(onion_linked_place(&linked, at_float, at_float, out.place, NULL));
    NULLS(onion_linked_place_double(&linked, at_double, at_double, out.place_double, NULL));
    NULLS(onion_linked_agent_walk(NULL, &settings, at_float, 1, &agent, &out.u8));
    NULLS(onion_linked_agent_walk(&linked, NULL, at_float, 1, &agent, &out.u8));
    NULLS(onion_linked_agent_walk(&linked, &settings, NULL, 1, &agent, &out.u8));
    NULLS(onion_linked_agent_walk(&linked, &settings, at_float, 1, NULL, &out.u8));
    NULLS(onion_linked_agent_walk(&linked, &settings, at_float, 1, &agent, NULL));
    NULLS(onion_linked_agent_swim(&linked, &settings, NULL, 1, &agent, &out.u8));
    CHECK(onion_linked_trace(&linked, stand ^ 255, at_float, at_float, &out.linked) == ONION_ERROR_HULL);

    linked.n_portals = 1;
    CHECK(onion_linked_trace(&linked, stand, at_float, at_float, &out.linked) == ONION_ERROR_POINTER);
    for (at = 0; at < sizeof wrong / sizeof *wrong; at++)
        wrong[at] = right;
    wrong[0].center[1] = zero / zero;
    wrong[1].center[2] = 1 / zero;
    wrong[2].half_size[0] = zero / zero;
    wrong[3].half_size[1] = -1 / zero;
    wrong[4].facing = 4;
    wrong[5].facing = 256;
    wrong[6].partner = 1;
    for (at = 0; at < sizeof wrong / sizeof *wrong; at++) {
        linked.portals = &wrong[at];
        CHECK(onion_linked_trace(&linked, stand, at_float, at_float, &out.linked) == ONION_ERROR_PORTAL);
        CHECK(onion_linked_place(&linked, at_float, at_float, out.place, &out.u8) == ONION_ERROR_PORTAL);
        CHECK(onion_linked_agent_walk(&linked, &settings, at_float, 1, &agent, &out.u8) == ONION_ERROR_PORTAL);
        CHECK(onion_linked_agent_swim(&linked, &settings, at_float, 1, &agent, &out.u8) == ONION_ERROR_PORTAL);
    }
    for (at = 0; at < sizeof many / sizeof *many; at++)
        many[at] = right;
    linked.portals = many;
    linked.n_portals = sizeof many / sizeof *many;
    CHECK(onion_linked_trace(&linked, stand, at_float, at_float, &out.linked) == ONION_ERROR_COUNT);
    linked.n_portals = (size_t)-1;
    CHECK(onion_linked_trace(&linked, stand, at_float, at_float, &out.linked) == ONION_ERROR_COUNT);
    CHECK(memcmp(&agent, &before, sizeof agent) == 0);
    for (at = 0; at < sizeof out.bytes; at++)
        CHECK(out.bytes[at] == 0xaa);
    for (linked.n_portals = 0; linked.n_portals <= ONION_MAX_LINKED_PORTALS; linked.n_portals++) {
        onion_linked_trace_result trace;
        CHECK(onion_linked_trace(&linked, stand, at_float, at_float, &trace) == ONION_OK);
    }
}

/* Calls about floors, with NULLs and without floors in the file. */
static void no_floors(const onion_map *map)
{
    uint32_t number = 0xaaaaaaaa;
    NULLS(onion_floors(NULL, stand, &number, &out.u32));
    NULLS(onion_floors(map, stand, NULL, &out.u32));
    NULLS(onion_floors(map, stand, &number, NULL));
    NULLS_AT(onion_get_floor, map, 0, &out.floor);
    NULLS(onion_floor_corners(NULL, 0, out.corners, 2, &out.count));
    NULLS(onion_floor_corners(map, 0, NULL, 2, &out.count));
    NULLS(onion_floor_corners(map, 0, out.corners, 2, NULL));
    NULLS(onion_floor_at(NULL, stand, at_float, 8, &number, out.place));
    NULLS(onion_floor_at(map, stand, NULL, 8, &number, out.place));
    NULLS(onion_floor_at(map, stand, at_float, 8, NULL, out.place));
    NULLS(onion_floor_at(map, stand, at_float, 8, &number, NULL));
    NULLS(onion_floor_at_double(map, stand, NULL, 8, &number, out.place_double));
    NULLS(onion_floor_at_double(map, stand, at_double, 8, NULL, out.place_double));
    NULLS(onion_nearest_floor(NULL, stand, at_float, 8, &number, out.place));
    NULLS(onion_nearest_floor(map, stand, NULL, 8, &number, out.place));
    NULLS(onion_nearest_floor(map, stand, at_float, 8, NULL, out.place));
    NULLS(onion_nearest_floor(map, stand, at_float, 8, &number, NULL));
    NULLS(onion_nearest_floor_double(map, stand, NULL, 8, &number, out.place_double));
    NULLS(onion_random_place(NULL, stand, at_float, &number, out.place));
    NULLS(onion_random_place(map, stand, NULL, &number, out.place));
    NULLS(onion_random_place(map, stand, at_float, NULL, out.place));
    NULLS(onion_random_place(map, stand, at_float, &number, NULL));
    NULLS(onion_random_place_double(map, stand, NULL, &number, out.place_double));
    CHECK(onion_floor_corners(map, 0, out.corners, (size_t)-1, &out.count) == ONION_ERROR_COUNT);
    CHECK(onion_floors(map, stand, &number, &out.u32) == ONION_ERROR_NO_FLOORS);
    CHECK(onion_get_floor(map, 0, &out.floor) == ONION_ERROR_NO_FLOORS);
    CHECK(onion_floor_corners(map, 0, out.corners, 2, &out.count) == ONION_ERROR_NO_FLOORS);
    CHECK(onion_floor_at(map, stand, at_float, 8, &number, out.place) == ONION_ERROR_NO_FLOORS);
    CHECK(onion_floor_at_double(map, stand, at_double, 8, &number, out.place_double) == ONION_ERROR_NO_FLOORS);
    CHECK(onion_nearest_floor(map, stand, at_float, 8, &number, out.place) == ONION_ERROR_NO_FLOORS);
    CHECK(onion_random_place(map, stand, at_float, &number, out.place) == ONION_ERROR_NO_FLOORS);
    CHECK(number == 0xaaaaaaaa);
}

/* Calls about classes of agents, links and paths, with NULLs and without links in the file. */
static void no_links(const onion_map *map)
{
    static onion_path_scratch scratch[2];
    onion_path_scratch *odd = (onion_path_scratch *)(void *)((unsigned char *)scratch + 4);
    onion_path_costs costs;
    uint32_t number = 0xaaaaaaaa;
    CHECK(onion_default_path_costs(&costs) == ONION_OK);
    NULLS(onion_default_path_costs(NULL));
    NULLS(onion_path_follower_init(NULL));
    NULLS_2(onion_agent_class_count, map, &out.u32);
    NULLS_AT(onion_get_agent_class, map, 0, &out.agent_class);
    NULLS_AT(onion_agent_class_of, map, stand, &out.u32);
    NULLS_2(onion_link_count, map, &out.u32);
    NULLS_AT(onion_get_link, map, 0, &out.link);
    NULLS(onion_links_from(NULL, 0, &number, &out.u32));
    NULLS(onion_links_from(map, 0, NULL, &out.u32));
    NULLS(onion_links_from(map, 0, &number, NULL));
    NULLS_AT(onion_path_scratch_count, map, 2, &out.count);
    NULLS(onion_path(NULL, stand, at_float, at_float, &costs, scratch, 2, out.points, 2, &out.path));
    NULLS(onion_path(map, stand, NULL, at_float, &costs, scratch, 2, out.points, 2, &out.path));
    NULLS(onion_path(map, stand, at_float, NULL, &costs, scratch, 2, out.points, 2, &out.path));
    NULLS(onion_path(map, stand, at_float, at_float, NULL, scratch, 2, out.points, 2, &out.path));
    NULLS(onion_path(map, stand, at_float, at_float, &costs, scratch, 2, NULL, 2, &out.path));
    NULLS(onion_path(map, stand, at_float, at_float, &costs, scratch, 2, out.points, 2, NULL));
    NULLS(onion_path_double(map, stand, at_double, NULL, &costs, scratch, 2, out.points, 2, &out.path));
    NULLS(onion_reachable_floors(NULL, stand, at_float, scratch, 2, &number, 1, &out.count));
    NULLS(onion_reachable_floors(map, stand, NULL, scratch, 2, &number, 1, &out.count));
    NULLS(onion_reachable_floors(map, stand, at_float, scratch, 2, NULL, 1, &out.count));
    NULLS(onion_reachable_floors(map, stand, at_float, scratch, 2, &number, 1, NULL));
    NULLS(onion_reachable_floors_double(map, stand, NULL, scratch, 2, &number, 1, &out.count));
    NULLS(onion_can_reach(NULL, stand, at_float, at_float, scratch, 2, &out.u8));
    NULLS(onion_can_reach(map, stand, NULL, at_float, scratch, 2, &out.u8));
    NULLS(onion_can_reach(map, stand, at_float, NULL, scratch, 2, &out.u8));
    NULLS(onion_can_reach(map, stand, at_float, at_float, scratch, 2, NULL));
    NULLS(onion_can_reach_double(map, stand, at_double, NULL, scratch, 2, &out.u8));
    CHECK(onion_reachable_floors(map, stand, at_float, scratch, 2, &number, (size_t)-1, &out.count)
          == ONION_ERROR_COUNT);
    CHECK(onion_reachable_floors(map, stand, at_float, scratch, 2, &number, 1, &out.count) == ONION_ERROR_NO_LINKS);
    CHECK(onion_can_reach(map, stand, at_float, at_float, scratch, 2, &out.u8) == ONION_ERROR_NO_LINKS);
    CHECK(onion_path(map, stand, at_float, at_float, &costs, scratch, 2, out.points, (size_t)-1, &out.path)
          == ONION_ERROR_COUNT);
    CHECK(onion_agent_class_count(map, &out.u32) == ONION_ERROR_NO_LINKS);
    CHECK(onion_get_agent_class(map, 0, &out.agent_class) == ONION_ERROR_NO_LINKS);
    CHECK(onion_agent_class_of(map, stand, &out.u32) == ONION_ERROR_NO_LINKS);
    CHECK(onion_link_count(map, &out.u32) == ONION_ERROR_NO_LINKS);
    CHECK(onion_get_link(map, 0, &out.link) == ONION_ERROR_NO_LINKS);
    CHECK(onion_links_from(map, 0, &number, &out.u32) == ONION_ERROR_NO_LINKS);
    CHECK(onion_path_scratch_count(map, 2, &out.count) == ONION_ERROR_NO_LINKS);
    CHECK(onion_path(map, stand, at_float, at_float, &costs, odd, 1, out.points, 2, &out.path) == ONION_ERROR_NO_LINKS);
    CHECK(number == 0xaaaaaaaa);
}

/* Walkers with NULLs and with points of no path, and paths that have none. */
static void bad_walkers(const onion_map *map)
{
    onion_path_point points[2] = {{{0, 0, 0}, 0, 0, 0}, {{0, 0, 0}, 0, 0, 10}};
    onion_agent_class class = {0, 320, 45, 256, 160, 160, {18, 0.7f, 800, 1, 16}, "walker", {0}};
    onion_scene scene = {NULL, NULL, 0, ONION_DEFAULT_MARGIN};
    onion_path_follower follower, before;
    onion_agent agent;
    onion_progress progress;
    scene.map = map;
    points[0].hull = points[1].hull = stand;
    CHECK(onion_agent_init(stand, at_float, &agent) == ONION_OK);
    CHECK(onion_path_follower_init(&follower) == ONION_OK);
    CHECK(follower.next == 0 && follower.waited == 0 && follower.has_jumped == 0 && follower.nearest > 1e300);
    before = follower;
    NULLS(onion_agent_follow(NULL, &class, points, 2, 1, &agent, &follower, &out.progress));
    NULLS(onion_agent_follow(world, NULL, points, 2, 1, &agent, &follower, &out.progress));
    NULLS(onion_agent_follow(world, &class, NULL, 2, 1, &agent, &follower, &out.progress));
    NULLS(onion_agent_follow(world, &class, points, 2, 1, NULL, &follower, &out.progress));
    NULLS(onion_agent_follow(world, &class, points, 2, 1, &agent, NULL, &out.progress));
    NULLS(onion_agent_follow(world, &class, points, 2, 1, &agent, &follower, NULL));
    NULLS(onion_scene_agent_follow(NULL, &class, points, 2, 1, &agent, &follower, &out.progress));
    NULLS(onion_scene_agent_follow(&scene, NULL, points, 2, 1, &agent, &follower, &out.progress));
    CHECK(onion_agent_follow(world, &class, points, (size_t)-1, 1, &agent, &follower, &out.progress)
          == ONION_ERROR_COUNT);
    CHECK(onion_agent_follow(world, &class, points + 1, 1, 1, &agent, &follower, &out.progress)
          == ONION_ERROR_PATH_POINT);
    points[0].hull ^= 255;
    CHECK(onion_agent_follow(world, &class, points, 1, 1, &agent, &follower, &out.progress) == ONION_ERROR_HULL);
    CHECK(onion_scene_agent_follow(&scene, &class, points, 1, 1, &agent, &follower, &out.progress) == ONION_ERROR_HULL);
    agent.stance ^= 255;
    CHECK(onion_agent_follow(world, &class, NULL, 0, 1, &agent, &follower, &out.progress) == ONION_ERROR_HULL);
    agent.stance ^= 255;
    CHECK(memcmp(&follower, &before, sizeof follower) == 0);
    CHECK(onion_agent_follow(world, &class, NULL, 0, 1, &agent, &follower, &progress) == ONION_OK);
    CHECK(progress == ONION_ARRIVED);
    follower.next = 0xffffffffu;
    CHECK(onion_scene_agent_follow(&scene, &class, points, 2, 1, &agent, &follower, &progress) == ONION_OK);
    CHECK(progress == ONION_ARRIVED);
}

/* Traces that no call has made: each call gives an answer or an error, whatever the trace contains. */
static void odd_traces(void)
{
    const float start[3] = {0, 0, 24}, end[3] = {4096, 100, 30};
    const double zero = 0.0;
    const double odd[] = {0.0 / zero, 1.0 / zero, -1.0 / zero, 1e300, -1.0, 0.0};
    onion_trace_result trace, other;
    onion_hit_result hit, over;
    size_t at;
    CHECK(onion_trace(world, stand, start, end, &trace) == ONION_OK);
    CHECK(trace.hit == 1 && trace.plane != ONION_NO_PLANE);
    CHECK(onion_hit(world, stand, &trace, &hit) == ONION_OK);
    CHECK(hit.found == 1);

    /* The answer overwrites the trace. */
    {
        union {
            onion_trace_result trace;
            onion_hit_result hit;
        } both;
        both.trace = trace;
        CHECK(onion_hit(world, stand, &both.trace, &both.hit) == ONION_OK);
        CHECK(memcmp(&both.hit, &hit, sizeof hit) == 0);
    }

    other = trace;
    other.hit = 0;
    CHECK(onion_hit(world, stand, &other, &over) == ONION_OK);
    CHECK(over.found == 0 && over.entity == ONION_NO_ENTITY);
    other = trace;
    other.plane = ONION_NO_PLANE;
    CHECK(onion_hit(world, stand, &other, &over) == ONION_OK);
    CHECK(over.found == 0);
    /* Any byte except 0 is a 1. */
    other = trace;
    other.hit = 255;
    other.all_solid = 77;
    CHECK(onion_hit(world, stand, &other, &over) == ONION_OK);
    CHECK(memcmp(&over, &hit, sizeof hit) == 0);
    for (at = 0; at < sizeof odd / sizeof *odd; at++) {
        other = trace;
        other.hit_fraction = odd[at];
        CHECK(onion_hit(world, stand, &other, &over) == ONION_OK);
        other.normal[0] = (float)odd[at];
        other.normal[1] = (float)odd[at];
        CHECK(onion_hit(world, stand, &other, &over) == ONION_OK);
    }
    memset(&other, 0xff, sizeof other);
    CHECK(onion_hit(world, stand, &other, &over) == ONION_OK);
    CHECK(over.found == 0);
}

static void bad_files(onion_map *map, unsigned char *file, size_t size)
{
    size_t length;
    CHECK(onion_load(NULL, file, size) == ONION_ERROR_POINTER);
    CHECK(onion_load(map, NULL, size) == ONION_ERROR_POINTER);
    not_loaded(map);
    CHECK(onion_load(map, NULL, 0) == ONION_ERROR_POINTER);
    CHECK(onion_load(map, file, (size_t)-1) == ONION_ERROR_COUNT);
    not_loaded(map);
    for (length = 0; length < size; length += length < 100 ? 1 : 97) {
        /* In memory of its own, so that a tool detects a read beyond its end. */
        unsigned char *cut = malloc(length + 1);
        onion_status status;
        if (cut == NULL)
            exit(1);
        memcpy(cut, file, length);
        status = onion_load(map, cut, length);
        CHECK(status == (length < 8 ? ONION_ERROR_FILE_MAGIC
                         : length < 40 ? ONION_ERROR_FILE_TRUNCATED
                                       : ONION_ERROR_FILE_LENGTH));
        not_loaded(map);
        free(cut);
    }
    file[8] ^= 0x40;
    CHECK(onion_load(map, file, size) == ONION_ERROR_FILE_VERSION);
    file[8] ^= 0x40;
    file[size - 1] ^= 1;
    CHECK(onion_load(map, file, size) == ONION_ERROR_FILE_CHECKSUM);
    not_loaded(map);
    file[size - 1] ^= 1;
    CHECK(onion_load(map, file, size) == ONION_OK);
}

static void words(void)
{
    static const int numbers[] = {-2147483647, -1, 28, 31, 40, 0x7fffffff};
    size_t at;
    int status;
    for (status = 0; status < 40; status++) {
        const char *text = onion_status_string((onion_status)status);
        const int is_known = status < 28 || status >= 32;
        CHECK((strcmp(text, "unknown status") != 0) == is_known);
        CHECK(strlen(text) > 3);
    }
    for (at = 0; at < sizeof numbers / sizeof *numbers; at++)
        CHECK(strcmp(onion_status_string((onion_status)numbers[at]), "unknown status") == 0);
}

int main(int n_arguments, char **arguments)
{
    static unsigned char file[1 << 20];
    FILE *stream = n_arguments == 2 ? fopen(arguments[1], "rb") : NULL;
    size_t size, at;
    onion_map map;
    if (stream == NULL)
        return 1;
    size = fread(file, 1, sizeof file, stream);
    fclose(stream);

    memset(&map, 0, sizeof map);
    the_world.map = &map;
    the_world.margin = ONION_DEFAULT_MARGIN;
    memset(out.bytes, 0xaa, sizeof out.bytes);
    not_loaded(&map);
    bad_files(&map, file, size);
    CHECK(onion_find_hull(&map, "stand", &stand) == ONION_OK);
    nulls(&map);
    bad_numbers(&map);
    bad_portals(&map);
    no_floors(&map);
    no_links(&map);
    bad_walkers(&map);
    unaligned(&map);
    for (at = 0; at < sizeof out.bytes; at++)
        CHECK(out.bytes[at] == 0xaa);
    what_is_allowed(&map, file, size);
    odd_traces();
    words();
    return n_wrong != 0;
}
