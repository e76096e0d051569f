/*
 * Makes the shape queries of a script, and prints the bytes of each answer after its status:
 *
 *     shapes FILE.onion SCRIPT
 *
 * A line is a word and numbers. Each query is made in both precisions. Then come calls of shapes, scenes and agents
 * that must be refused.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "onion.h"

#define MOST 64

static onion_map map;
static onion_model world;
static onion_walk_settings settings;
static onion_shape shape;
static onion_mover movers[ONION_MAX_MOVERS + 1];
static onion_scene scene = {&map, movers, 0, ONION_DEFAULT_MARGIN};
static onion_agent agent;

static void print(onion_status status, const void *answer, size_t size)
{
    const unsigned char *at = answer;
    size_t i;
    printf("%d ", (int)status);
    for (i = 0; i < size; i++)
        printf("%02x", at[i]);
    printf("\n");
}

static void run(const char *word, const double *n)
{
    onion_shape_trace_result trace;
    onion_shape_trace_result_double exact;
    float f[MOST];
    uint8_t solid = 0xaa;
    size_t i;
    memset(&trace, 0xaa, sizeof trace);
    memset(&exact, 0xaa, sizeof exact);
    for (i = 0; i < MOST; i++)
        f[i] = (float)n[i];
    if (strcmp(word, "shape") == 0) {
        shape.kind = (uint32_t)n[0];
        memcpy(shape.a, n + 1, sizeof shape.a);
        memcpy(shape.b, n + 4, sizeof shape.b);
        memcpy(shape.axes, n + 7, sizeof shape.axes);
        shape.radius = n[16];
        shape.n_sides = 16;
    } else if (strcmp(word, "trace") == 0) {
        const uint32_t contents = (uint32_t)n[0];
        print(onion_trace_shape(&world, &shape, contents, f + 1, f + 4, &trace), &trace, sizeof trace);
        print(onion_trace_shape_double(&world, &shape, contents, n + 1, n + 4, &exact), &exact, sizeof exact);
    } else if (strcmp(word, "fits") == 0) {
        print(onion_shape_is_solid(&world, &shape, (uint32_t)n[0], f + 1, &solid), &solid, 1);
        print(onion_shape_is_solid_double(&world, &shape, (uint32_t)n[0], n + 1, &solid), &solid, 1);
    } else {
        exit(1);
    }
}

/* Makes calls that must be refused, and must write nothing. */
static int refuses(void)
{
    const float p[3] = {0, 0, 0}, wish[2] = {1, 0};
    onion_hull stand;
    onion_agent first, other;
    onion_shape odd = {ONION_SHAPE_BOX, 0, {1, 0, 0}, {0, 0, 0}, {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}, 0};
    onion_shape_trace_result trace, before;
    onion_scene strange = scene;
    uint8_t answer = 7;
    size_t count = 7;
    int good = 1;
    if (onion_find_hull(&map, "stand", &stand) != ONION_OK || onion_agent_init(stand, p, &agent) != ONION_OK)
        return 0;
    first = other = agent;
    other.stance ^= 1ull << 40;
    memset(&trace, 0x55, sizeof trace);
    before = trace;
    good &= onion_trace_shape(&world, NULL, 1, p, p, &trace) == ONION_ERROR_POINTER;
    good &= onion_trace_shape(&world, &odd, 1, p, NULL, &trace) == ONION_ERROR_POINTER;
    good &= onion_trace_shape(&world, &odd, 1, p, p, NULL) == ONION_ERROR_POINTER;
    good &= onion_trace_shape(&world, &odd, 1, p, p, &trace) == ONION_ERROR_SHAPE;
    odd.kind = 3;
    good &= onion_shape_is_solid(&world, &odd, 1, p, &answer) == ONION_ERROR_SHAPE;
    good &= onion_scene_trace(NULL, stand, p, p, &trace) == ONION_ERROR_POINTER;
    good &= onion_scene_trace(&scene, stand ^ 1ull << 40, p, p, &trace) == ONION_ERROR_HULL;
    strange.map = NULL;
    good &= onion_scene_is_solid(&strange, stand, p, 0, &answer) == ONION_ERROR_POINTER;
    strange.map = &map;
    strange.movers = NULL;
    strange.n_movers = 1;
    good &= onion_scene_is_solid(&strange, stand, p, 0, &answer) == ONION_ERROR_POINTER;
    strange.movers = movers;
    strange.n_movers = ONION_MAX_MOVERS + 1;
    good &= onion_scene_trace(&strange, stand, p, p, &trace) == ONION_ERROR_COUNT;
    strange.n_movers = 1;
    memset(&movers[0], 0, sizeof movers[0]);
    movers[0].from.rotation[3] = movers[0].to.rotation[3] = 1;
    good &= onion_scene_trace(&strange, stand, p, p, &trace) == ONION_ERROR_MODEL;
    memset(&movers[0], 0, sizeof movers[0]);
    movers[0].model = 1;
    good &= onion_scene_agent_walk(&strange, &settings, p, 1, &agent) == ONION_ERROR_POSE;
    good &= onion_movers_at_rest(&map, NULL, 1, &count) == ONION_ERROR_POINTER;
    good &= onion_movers_at_rest(&map, NULL, 0, NULL) == ONION_ERROR_POINTER;
    good &= onion_default_walk_settings(NULL) == ONION_ERROR_POINTER;
    good &= onion_agent_init(stand, NULL, &agent) == ONION_ERROR_POINTER;
    good &= onion_agent_init(stand, p, NULL) == ONION_ERROR_POINTER;
    good &= onion_agent_walk(NULL, &settings, wish, 1, &agent) == ONION_ERROR_POINTER;
    good &= onion_agent_walk(&world, NULL, wish, 1, &agent) == ONION_ERROR_POINTER;
    good &= onion_agent_walk(&world, &settings, NULL, 1, &agent) == ONION_ERROR_POINTER;
    good &= onion_agent_walk(&world, &settings, wish, 1, NULL) == ONION_ERROR_POINTER;
    good &= onion_agent_walk(&world, &settings, wish, 1, &other) == ONION_ERROR_HULL;
    good &= onion_agent_jump(1, NULL, &answer) == ONION_ERROR_POINTER;
    good &= onion_agent_jump(1, &agent, NULL) == ONION_ERROR_POINTER;
    good &= onion_agent_switch_stance(&world, other.stance, &agent, &answer) == ONION_ERROR_HULL;
    good &= onion_agent_switch_stance(&world, stand, &other, &answer) == ONION_ERROR_HULL;
    good &= onion_agent_switch_stance(&world, stand, &agent, NULL) == ONION_ERROR_POINTER;
    good &= memcmp(&first, &agent, sizeof agent) == 0;
    return good && answer == 7 && count == 7 && memcmp(&before, &trace, sizeof trace) == 0;
}

int main(int argc, char **argv)
{
    static unsigned char bytes[1 << 24];
    static char line[4096];
    FILE *file = argc == 3 ? fopen(argv[1], "rb") : NULL;
    size_t size = file != NULL ? fread(bytes, 1, sizeof bytes, file) : 0;
    FILE *script = argc == 3 ? fopen(argv[2], "r") : NULL;
    if (script == NULL || onion_load(&map, bytes, size) != ONION_OK || onion_world(&map, &world) != ONION_OK ||
        onion_default_walk_settings(&settings) != ONION_OK)
        return 1;
    while (fgets(line, sizeof line, script) != NULL) {
        double numbers[MOST] = {0};
        char word[16];
        int at = 0, used = 0, i;
        if (sscanf(line, "%15s%n", word, &at) != 1)
            return 1;
        for (i = 0; i < MOST && sscanf(line + at, "%lf%n", &numbers[i], &used) == 1; i++)
            at += used;
        run(word, numbers);
    }
    return refuses() ? 0 : 1;
}
