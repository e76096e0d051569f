/*
 * Calls every function of onion.h and prints its status and the bytes of its answer:
 *
 *     calls FILE.onion SEGMENTS
 *
 * SEGMENTS is a file of doubles, six for each segment. The test that runs this program has the expected output.
 * Every answer is 0xAA in all bytes before the call, which shows the bytes that a call leaves unchanged. If the
 * linker can redirect the library's allocations here (-Wl,--wrap=...), a call that makes one ends the program.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "onion.h"

static int in_call;

#ifdef WRAPPED
/* All functions that Rust's allocator calls, under the names that the linker gives them. */
void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
int __real_posix_memalign(void **pointer, size_t alignment, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
int __wrap_posix_memalign(void **pointer, size_t alignment, size_t size);

static void refuse(void)
{
    if (in_call) {
        fputs("a call allocates\n", stderr);
        exit(1);
    }
}

void *__wrap_malloc(size_t size)
{
    refuse();
    return __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    refuse();
    return __real_calloc(count, size);
}

void *__wrap_realloc(void *old, size_t size)
{
    refuse();
    return __real_realloc(old, size);
}

int __wrap_posix_memalign(void **pointer, size_t alignment, size_t size)
{
    refuse();
    return __real_posix_memalign(pointer, alignment, size);
}
#endif

static unsigned char *read_file(const char *path, size_t *size)
{
    static unsigned char nothing[1];
    FILE *stream = fopen(path, "rb");
    unsigned char *bytes = nothing;
    if (stream == NULL || fseek(stream, 0, SEEK_END) != 0)
        exit(1);
    *size = (size_t)ftell(stream);
    rewind(stream);
    if (*size > 0)
        bytes = malloc(*size);
    if (bytes == NULL || fread(bytes, 1, *size, stream) != *size)
        exit(1);
    fclose(stream);
    return bytes;
}

static void show(const char *call, int status, const void *answer, size_t size)
{
    const unsigned char *bytes = answer;
    size_t at;
    printf("%s %d ", call, status);
    for (at = 0; at < size; at++)
        printf("%02x", bytes[at]);
    putchar('\n');
}

/* Calls a function with these arguments and a place for its answer, and prints status and answer. */
#define CALL(function, answer, ...)                                    \
    do {                                                               \
        int status;                                                    \
        memset(answer, 0xaa, sizeof answer);                           \
        in_call = 1;                                                   \
        status = (int)function(__VA_ARGS__, answer);                   \
        in_call = 0;                                                   \
        show(#function, status, answer, sizeof answer);                \
    } while (0)

static uint32_t u32[1];
static uint64_t u64[1];
static uint8_t u8[1];

/* Returns a hull by its index in the file, or a hull of no map if the file has no such hull. */
static onion_hull hull_at(const onion_map *map, uint32_t index)
{
    onion_hull_info info;
    const int was_in_call = in_call;
    int is_there;
    in_call = 0;
    is_there = onion_get_hull_info(map, index, &info) == ONION_OK;
    in_call = was_in_call;
    return is_there ? info.hull : (onion_hull)index;
}

/* Prints the text that a call returned; nothing for a call that failed, or returned NULL. */
static void show_text(const char *call, int status, const char *text)
{
    const int is_there = status == 0 && text != NULL;
    show(call, status, is_there ? text : "", is_there ? strlen(text) : 0);
}

/* Prints the keys and values of an entity, and their end. */
static void call_about_entity(const onion_map *map, uint32_t entity)
{
    const char *key, *value;
    uint32_t at = 0;
    do {
        int status;
        in_call = 1;
        status = (int)onion_entity_pair(map, entity, at++, &key, &value);
        in_call = 0;
        show_text("onion_entity_pair", status, key);
        show_text("onion_entity_pair", status, value);
        if (status != 0 || key == NULL)
            return;
        in_call = 1;
        status = (int)onion_entity_value(map, entity, key, &value);
        in_call = 0;
        show_text("onion_entity_value", status, value);
        in_call = 1;
        status = (int)onion_entity_value(map, entity, key + 1, &value);
        in_call = 0;
        show_text("onion_entity_value", status, value);
    } while (1);
}

static void call_about_map(const onion_map *map)
{
    onion_hull_info hull[1];
    onion_model_info model[1];
    onion_model chosen[1];
    char name[ONION_SURFACE_NAME_SIZE];
    uint32_t n_hulls, n_models, n_surfaces, n_entities, at;
    CALL(onion_file_version, u32, map);
    CALL(onion_hull_count, u32, map);
    n_hulls = u32[0];
    CALL(onion_model_count, u32, map);
    n_models = u32[0];
    for (at = 0; at <= n_hulls; at++) {
        CALL(onion_get_hull_info, hull, map, at);
        if (at == n_hulls)
            break;
        CALL(onion_find_hull, u64, map, hull->name);
        CALL(onion_require_hull, u64, map, hull->name, hull->mins, hull->maxs);
        hull->maxs[2] += 1.0f;
        CALL(onion_require_hull, u64, map, hull->name, hull->mins, hull->maxs);
    }
    CALL(onion_find_hull, u64, map, "nobody");
    CALL(onion_require_hull, u64, map, "nobody", hull->mins, hull->maxs);
    for (at = 0; at <= n_models; at++)
    {
        int status;
        memset(chosen, 0xaa, sizeof chosen);
        in_call = 1;
        status = (int)onion_get_model(map, at, chosen);
        in_call = 0;
        show("onion_get_model", status, &chosen->margin, sizeof chosen->margin);
        chosen->map = map;
        chosen->index = at;
        CALL(onion_get_model_info, model, chosen);
    }
    for (uint32_t leaf = 0; leaf < 8; leaf++)
        CALL(onion_leaf_solidity, u64, map, leaf);
    CALL(onion_leaf_solidity, u64, map, ONION_NO_LEAF);
    CALL(onion_surface_count, u32, map);
    n_surfaces = u32[0];
    for (at = 0; at <= n_surfaces; at++)
        CALL(onion_get_surface_name, name, map, at);
    CALL(onion_entity_count, u32, map);
    n_entities = u32[0] == 0xaaaaaaaa ? 0 : u32[0];
    for (at = 0; at <= n_entities; at++)
        call_about_entity(map, at);
}

/* Calls with one segment, for a hull that may not be there; the arrays for transitions are too small for some. */
static void call_one_by_one(const onion_model *model, onion_hull hull, const double *exact, const float *narrow)
{
    enum { CAPACITY = 2 };
    onion_trace_result trace[1];
    onion_trace_result_double trace_double[1];
    onion_hit_result hit[1];
    onion_fit_result fit[1];
    onion_transition transition[1], transitions[CAPACITY];
    size_t count[1];
    CALL(onion_trace, trace, model, hull, narrow, narrow + 3);
    CALL(onion_hit, hit, model, hull, trace);
    CALL(onion_is_solid, u8, model, hull, narrow);
    CALL(onion_solidity, u64, model, narrow);
    CALL(onion_find_first_transition, transition, model, hull, narrow, narrow + 3);
    CALL(onion_contents_at, u32, model, narrow);
    CALL(onion_hulls_that_fit, u64, model, narrow);
    memset(transitions, 0xaa, sizeof transitions);
    CALL(onion_transitions, count, model, hull, narrow, narrow + 3, transitions, CAPACITY);
    show("transitions", 0, transitions, sizeof transitions);

    CALL(onion_trace_double, trace_double, model, hull, exact, exact + 3);
    CALL(onion_hit_double, hit, model, hull, trace_double);
    CALL(onion_is_solid_double, u8, model, hull, exact);
    CALL(onion_solidity_double, u64, model, exact);
    CALL(onion_find_first_transition_double, transition, model, hull, exact, exact + 3);
    CALL(onion_contents_at_double, u32, model, exact);
    CALL(onion_hulls_that_fit_double, u64, model, exact);
    memset(transitions, 0xaa, sizeof transitions);
    CALL(onion_transitions_double, count, model, hull, exact, exact + 3, transitions, CAPACITY);
    show("transitions", 0, transitions, sizeof transitions);

    CALL(onion_leaf_at, u32, model, narrow);
    CALL(onion_switched_position, fit, model, hull, hull_at(model->map, 0), narrow);
    CALL(onion_switched_position, fit, model, hull_at(model->map, 0), hull, narrow);
    CALL(onion_nearest_fit, fit, model, hull, narrow, 8.0f);
    CALL(onion_transitions_double, count, model, hull, exact, exact + 3, NULL, 0);
}

/* Calls with all segments at once. */
static void call_with_all(const onion_model *model, onion_hull hull, const double *exact,
                          const float *narrow, size_t count)
{
    enum { MOST = 600 };
    static onion_trace_result traces[MOST];
    static onion_trace_result_double traces_double[MOST];
    static uint8_t solid[MOST];
    static uint64_t solidity[MOST];
    /* Each segment starts at the end of the one before: the arrays overlap, which is allowed for arguments. */
    const double *exact_ends = count > 0 ? exact + 3 : NULL;
    const float *narrow_ends = count > 0 ? narrow + 3 : NULL;
    if (count > MOST)
        exit(1);
    CALL(onion_trace_batch, traces, model, hull, narrow, narrow_ends, count);
    CALL(onion_trace_batch_double, traces_double, model, hull, exact, exact_ends, count);
    CALL(onion_is_solid_batch, solid, model, hull, narrow, count);
    CALL(onion_solidity_batch, solidity, model, narrow, count);
}

int main(int n_arguments, char **arguments)
{
    size_t size, n_numbers, at;
    double margin[1] = {ONION_DEFAULT_MARGIN};
    onion_map map;
    onion_status loaded;
    onion_model asked;
    uint32_t n_hulls, n_models, hull, model;
    unsigned char *bytes;
    double *exact;
    float *narrow;
    if (n_arguments != 3)
        return 1;
    bytes = read_file(arguments[1], &size);
    exact = (double *)(void *)read_file(arguments[2], &n_numbers);
    n_numbers /= sizeof *exact;
    narrow = malloc(n_numbers * sizeof *narrow);
    if (narrow == NULL)
        return 1;
    for (at = 0; at < n_numbers; at++)
        narrow[at] = (float)exact[at];

    u32[0] = onion_version();
    show("onion_version", u32[0] == ONION_VERSION, u32, sizeof u32);
    show("ONION_DEFAULT_MARGIN", 0, margin, sizeof margin);
    in_call = 1;
    loaded = onion_load(&map, bytes, size);
    in_call = 0;
    show(onion_status_string(ONION_OK), loaded, NULL, 0);
    call_about_map(&map);
    if (onion_hull_count(&map, &n_hulls) != ONION_OK || onion_model_count(&map, &n_models) != ONION_OK)
        return 1;
    if (onion_world(&map, &asked) != ONION_OK)
        return 1;
    asked.margin = 0.25;
    for (model = 0; model <= n_models; model++) {
        asked.index = model;
        for (hull = 0; hull <= n_hulls; hull++) {
            for (at = 0; at < n_numbers; at += 6)
                call_one_by_one(&asked, hull_at(&map, hull), exact + at, narrow + at);
            call_with_all(&asked, hull_at(&map, hull), exact, narrow, n_numbers / 3 - 1);
            call_with_all(&asked, hull_at(&map, hull), exact, narrow, 256);
            call_with_all(&asked, hull_at(&map, hull), NULL, NULL, 0);
        }
    }
    free(narrow);
    free(exact);
    free(bytes);
    return 0;
}
