/*
 * Calls the functions of onion.h on damaged files, under AddressSanitizer and UndefinedBehaviorSanitizer, which end
 * the program at a fault. Files are in memory of exactly their size, and so are the places that calls write to, at
 * odd addresses where onion.h allows them. `run` in this folder builds and runs it: calls SECONDS SEED FILE...
 */
#include <onion.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static uint64_t state;

/* Returns random bits, by SplitMix64. */
static uint64_t bits(void)
{
    uint64_t z = state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static size_t below(size_t limit)
{
    return limit ? (size_t)(bits() % limit) : 0;
}

static uint64_t word(const uint8_t *bytes, size_t count)
{
    uint64_t number = 0;
    for (size_t i = count; i-- > 0;)
        number = number << 8 | bytes[i];
    return number;
}

static uint64_t step(uint64_t lane, uint64_t number)
{
    return ((lane << 23 | lane >> 41) ^ number) * 0x9e3779b97f4a7c15u;
}

/* Computes the checksum of format-spec/FORMAT.md, and stores it in its place. */
static void sign(uint8_t *file, size_t size)
{
    uint64_t lanes[4] = {1, 2, 3, 4}, sum = 0;
    if (size < 40)
        return;
    memset(file + 24, 0, 8);
    for (size_t at = 0; at < size; at += 32) {
        uint8_t block[32] = {0};
        memcpy(block, file + at, size - at < 32 ? size - at : 32);
        for (size_t lane = 0; lane < 4; lane++)
            lanes[lane] = step(lanes[lane], word(block + 8 * lane, 8));
    }
    for (size_t lane = 0; lane < 4; lane++)
        sum = step(sum, lanes[lane]);
    sum = step(sum, size);
    for (size_t i = 0; i < 8; i++)
        file[24 + i] = (uint8_t)(sum >> 8 * i);
}

/* Changes some words of a file, and then usually corrects its checksum. */
static void damage(uint8_t *file, size_t size)
{
    static const uint32_t edges[] = {0, 1, 2, 0x3fffffff, 0x40000000, 0x7fffffff, 0x80000000, 0xffffffff, 0x7fc00000, 0x7f800000};
    size_t changes = below(4);
    for (size_t i = 0; i < changes && size >= 48; i++) {
        size_t at = 40 + below((size - 44) / 4) * 4;
        uint32_t number = (uint32_t)word(file + at, 4);
        switch (below(4)) {
        case 0: number += 1; break;
        case 1: number -= 1; break;
        case 2: number ^= 1u << below(32); break;
        default: number = edges[below(sizeof edges / sizeof *edges)];
        }
        for (size_t byte = 0; byte < 4; byte++)
            file[at + byte] = (uint8_t)(number >> 8 * byte);
    }
    if (below(16))
        sign(file, size);
}

static double number(void)
{
    static const double odd[] = {0.0, -0.0, 24.0, -64.0, 1073741824.0, 1073741825.0, 1e300, 1e-320};
    volatile double zero = 0.0;
    switch (below(16)) {
    case 0: return odd[below(sizeof odd / sizeof *odd)];
    case 1: return below(2) ? 1.0 / zero : zero / zero;
    case 2: case 3: case 4: return 8.0 * (double)below(80) - 320.0;
    default: return (double)(bits() >> 11) / 9007199254740992.0 * 700.0 - 350.0;
    }
}

/* Allocates memory for an answer of this size, at an odd address, with nothing after it. */
static void *place(void **memory, size_t size)
{
    free(*memory);
    *memory = malloc(size + 1);
    if (*memory == NULL)
        exit(2);
    return (uint8_t *)*memory + 1;
}

static unsigned long long calls;

#define CALL(call) (calls++, (void)(call))

static void about_places(const onion_map *map, const onion_model *model, onion_hull hull)
{
    void *memory = NULL;
    float p[3], q[3], many[12], low[3] = {-40, -40, -40}, high[3] = {40, 40, 40};
    double wide[3], wide_end[3];
    for (size_t i = 0; i < 3; i++) {
        wide[i] = number(), wide_end[i] = number();
        p[i] = wide[i] > 1e30 || wide[i] < -1e30 ? 0.0f : (float)wide[i];
        q[i] = wide_end[i] > 1e30 || wide_end[i] < -1e30 ? 7.0f : (float)wide_end[i];
    }
    for (size_t i = 0; i < 12; i++)
        many[i] = p[i % 3] + (float)i;
    onion_trace_result trace;
    onion_trace_result_double wide_trace;
    memset(&trace, 0xa5, sizeof trace);
    memset(&wide_trace, 0xa5, sizeof wide_trace);
    CALL(onion_trace(model, hull, p, q, &trace));
    CALL(onion_trace_double(model, hull, wide, wide_end, &wide_trace));
    CALL(onion_trace(model, hull, p, q, place(&memory, sizeof trace)));
    CALL(onion_trace_batch(model, hull, many, many + 6, 2, place(&memory, 2 * sizeof trace)));
    CALL(onion_trace_batch_double(model, hull, wide, wide_end, 1, place(&memory, sizeof wide_trace)));
    CALL(onion_hit(model, hull, &trace, place(&memory, sizeof(onion_hit_result))));
    CALL(onion_hit_double(model, hull, &wide_trace, place(&memory, sizeof(onion_hit_result))));
    CALL(onion_is_solid(model, hull, p, place(&memory, 1)));
    CALL(onion_is_solid_double(model, hull, wide, place(&memory, 1)));
    CALL(onion_is_solid_batch(model, hull, many, 4, place(&memory, 4)));
    CALL(onion_solidity(model, p, place(&memory, 8)));
    CALL(onion_solidity_double(model, wide, place(&memory, 8)));
    CALL(onion_solidity_batch(model, many, 4, place(&memory, 32)));
    uint32_t leaf = (uint32_t)below(64);
    CALL(onion_leaf_at(model, p, &leaf));
    CALL(onion_leaf_solidity(map, leaf, place(&memory, 8)));
    CALL(onion_contents_at(model, p, place(&memory, 4)));
    CALL(onion_contents_at_double(model, wide, place(&memory, 4)));
    CALL(onion_hulls_that_fit(model, p, place(&memory, 8)));
    CALL(onion_hulls_that_fit_double(model, wide, place(&memory, 8)));
    CALL(onion_switched_position(model, hull, hull, p, place(&memory, sizeof(onion_fit_result))));
    CALL(onion_nearest_fit(model, hull, p, 16.0f, place(&memory, sizeof(onion_fit_result))));
    CALL(onion_find_first_transition(model, hull, p, q, place(&memory, sizeof(onion_transition))));
    CALL(onion_find_first_transition_double(model, hull, wide, wide_end, place(&memory, sizeof(onion_transition))));
    size_t count = 0;
    CALL(onion_transitions(model, hull, p, q, place(&memory, 3 * sizeof(onion_transition)), 3, &count));
    CALL(onion_transitions_double(model, hull, wide, wide_end, place(&memory, sizeof(onion_transition)), 1, &count));
    onion_walk_settings settings;
    onion_agent agent;
    CALL(onion_default_walk_settings(&settings));
    CALL(onion_agent_init(hull, p, &agent));
    for (size_t tick = 0; tick < 3; tick++) {
        uint8_t done = 0;
        CALL(onion_agent_walk(model, &settings, q, 0.05f, &agent));
        CALL(onion_agent_jump(270.0f, &agent, &done));
        CALL(onion_agent_switch_stance(model, hull, &agent, &done));
    }
    free(memory);
}

/* Makes coordinates of shapes and poses: mostly small, sometimes not numbers. */
static void numbers(double *places, size_t count, double scale)
{
    for (size_t i = 0; i < count; i++)
        places[i] = below(64) ? number() / 350.0 * scale : number();
}

/* Makes a shape, now and then one of an invalid kind or with invalid axes. */
static void make_shape(onion_shape *shape)
{
    memset(shape, 0xa5, sizeof *shape);
    shape->kind = (uint32_t)(below(32) ? below(3) : below(5));
    numbers(shape->a, 3, 40.0);
    numbers(shape->b, 3, 40.0);
    numbers(&shape->radius, 1, 30.0);
    for (size_t i = 0; i < 3; i++) {
        if (shape->kind == ONION_SHAPE_BOX && shape->a[i] > shape->b[i]) {
            double least = shape->b[i];
            shape->b[i] = shape->a[i], shape->a[i] = least;
        }
        for (size_t k = 0; k < 3; k++)
            shape->axes[i][k] = below(256) ? (i == k ? 1.0 : 0.0) : number();
    }
    if (shape->radius < 0.0 && below(16))
        shape->radius = -shape->radius;
}

static void about_shapes(const onion_model *model)
{
    void *memory = NULL;
    onion_shape shape;
    uint32_t contents = below(4) ? 0xffffffffu : (uint32_t)bits();
    float p[3], q[3];
    double wide[3], wide_end[3];
    numbers(wide, 3, 350.0);
    numbers(wide_end, 3, 350.0);
    for (size_t i = 0; i < 3; i++)
        p[i] = (float)(8.0 * (double)below(80) - 320.0), q[i] = p[i] + (float)(8.0 * (double)below(20)) - 80.0f;
    make_shape(&shape);
    CALL(onion_trace_shape(model, &shape, contents, p, q, place(&memory, sizeof(onion_shape_trace_result))));
    CALL(onion_trace_shape_double(model, &shape, contents, wide, wide_end, place(&memory, sizeof(onion_shape_trace_result_double))));
    CALL(onion_shape_is_solid(model, &shape, contents, p, place(&memory, 1)));
    CALL(onion_shape_is_solid_double(model, &shape, contents, wide, place(&memory, 1)));
    free(memory);
}

/* Makes movers at rest, some of which move, turn, have no model, or have no rotation. */
static size_t make_movers(const onion_map *map, onion_mover *movers, size_t capacity)
{
    size_t count = 0;
    CALL(onion_movers_at_rest(map, movers, capacity, &count));
    if (count > capacity)
        count = capacity;
    for (size_t i = 0; i < count; i++) {
        if (below(2))
            numbers(movers[i].to.origin, 3, 100.0);
        if (below(2))
            numbers(movers[i].to.rotation, 4, 1.0);
        if (below(4) == 0)
            movers[i].from = movers[i].to;
        if (below(64) == 0)
            movers[i].model = (uint32_t)below(4);
    }
    return count;
}

static void about_scene(const onion_map *map, onion_hull hull)
{
    void *memory = NULL;
    size_t capacity = below(4);
    onion_mover *movers = malloc(capacity ? capacity * sizeof *movers : 1);
    onion_scene scene = {map, NULL, 0, ONION_DEFAULT_MARGIN};
    float p[3], q[3];
    double wide[3], wide_end[3];
    uint8_t done = 0;
    onion_walk_settings settings;
    onion_agent agent;
    if (movers == NULL)
        exit(2);
    scene.n_movers = make_movers(map, movers, capacity);
    scene.movers = scene.n_movers ? movers : NULL;
    if (below(64) == 0)
        scene.margin = number();
    numbers(wide, 3, 350.0);
    numbers(wide_end, 3, 350.0);
    for (size_t i = 0; i < 3; i++)
        p[i] = (float)(8.0 * (double)below(80) - 320.0), q[i] = p[i] + (float)(8.0 * (double)below(20)) - 80.0f;
    CALL(onion_scene_trace(&scene, hull, p, q, place(&memory, sizeof(onion_shape_trace_result))));
    CALL(onion_scene_trace_double(&scene, hull, wide, wide_end, place(&memory, sizeof(onion_shape_trace_result_double))));
    CALL(onion_scene_is_solid(&scene, hull, p, number(), place(&memory, 1)));
    CALL(onion_scene_is_solid_double(&scene, hull, wide, 0.5, place(&memory, 1)));
    CALL(onion_default_walk_settings(&settings));
    CALL(onion_agent_init(hull, p, &agent));
    for (size_t i = 0; i < scene.n_movers; i++)
        movers[i].to = movers[i].from;
    for (size_t tick = 0; tick < 3; tick++) {
        CALL(onion_scene_agent_walk(&scene, &settings, q, 0.05f, &agent));
        CALL(onion_scene_agent_switch_stance(&scene, hull, &agent, &done));
    }
    free(memory);
    free(movers);
}

static void about_file(const onion_map *map)
{
    uint32_t count = 0, models = 0, entities = 0;
    char name[ONION_SURFACE_NAME_SIZE];
    onion_hull_info hull;
    onion_model model;
    onion_model_info info;
    const char *key, *value;
    CALL(onion_hull_count(map, &count));
    CALL(onion_model_count(map, &models));
    CALL(onion_entity_count(map, &entities));
    memset(&hull, 0, sizeof hull);
    CALL(onion_get_hull_info(map, (uint32_t)below(count + 1u), &hull));
    CALL(onion_find_hull(map, hull.name, &hull.hull));
    CALL(onion_require_hull(map, hull.name, hull.mins, hull.maxs, &hull.hull));
    CALL(onion_file_version(map, &count));
    CALL(onion_surface_count(map, &count));
    if (onion_get_model(map, (uint32_t)below(models + 1u), &model) != ONION_OK)
        CALL(onion_world(map, &model));
    CALL(onion_get_model_info(&model, &info));
    CALL(onion_get_surface_name(map, (uint32_t)below(8), name));
    for (uint32_t entity = 0; entity <= entities && entity < 8; entity++) {
        CALL(onion_entity_value(map, entity, "classname", &value));
        for (uint32_t pair = 0; pair < 3; pair++)
            if (onion_entity_pair(map, entity, pair, &key, &value) == ONION_OK && key != NULL)
                calls += strlen(key) > 100000;
    }
    for (size_t i = 0; i < 4; i++) {
        about_places(map, &model, hull.hull);
        about_shapes(&model);
        about_scene(map, hull.hull);
    }
}

int main(int argc, char **argv)
{
    if (argc < 4)
        return 2;
    time_t end = time(NULL) + atol(argv[1]);
    unsigned long long loads = 0, loaded = 0;
    state = strtoull(argv[2], NULL, 10);
    while (loads % 64 || time(NULL) < end) {
        FILE *stream = fopen(argv[3 + below((size_t)argc - 3)], "rb");
        if (stream == NULL)
            return 2;
        fseek(stream, 0, SEEK_END);
        size_t size = (size_t)ftell(stream);
        rewind(stream);
        for (size_t i = 0; i < 64; i++, loads++) {
            /* Sometimes truncated. */
            size_t cut = below(32) ? size : below(size);
            uint8_t *file = malloc(cut ? cut : 1);
            onion_map *map = malloc(sizeof *map);
            rewind(stream);
            if (file == NULL || map == NULL || fread(file, 1, cut, stream) != cut)
                return 2;
            damage(file, cut);
            if (onion_load(map, file, cut) == ONION_OK) {
                loaded++;
                about_file(map);
            }
            free(map);
            free(file);
        }
        fclose(stream);
    }
    printf("%llu files, %llu of them loaded, %llu calls: no fault\n", loads, loaded, calls);
    return 0;
}
