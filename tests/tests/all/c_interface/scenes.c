/*
 * Asks about shapes and scenes as a script tells, and prints the bytes of each answer behind its status:
 *
 *     scenes FILE.onion SCRIPT
 *
 * A line is a word and numbers; what needs a hull has its name before the numbers. Each question is asked in both
 * precisions.
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
static onion_scene scene = {&map, movers, 0, ONION_DEFAULT_SKIN};
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

static onion_hull hull_named(const char *name)
{
    onion_hull hull;
    if (onion_find_hull(&map, name, &hull) != ONION_OK)
        exit(1);
    return hull;
}

static onion_pose pose_of(const double *n)
{
    onion_pose pose;
    memcpy(pose.origin, n, sizeof pose.origin);
    memcpy(pose.rotation, n + 3, sizeof pose.rotation);
    return pose;
}

static void run(const char *word, const char *name, const double *n)
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
    } else if (strcmp(word, "trace") == 0) {
        const uint32_t contents = (uint32_t)n[0];
        print(onion_trace_shape(&world, &shape, contents, f + 1, f + 4, &trace), &trace, sizeof trace);
        print(onion_trace_shape_double(&world, &shape, contents, n + 1, n + 4, &exact), &exact, sizeof exact);
    } else if (strcmp(word, "fits") == 0) {
        print(onion_shape_is_solid(&world, &shape, (uint32_t)n[0], f + 1, &solid), &solid, 1);
        print(onion_shape_is_solid_double(&world, &shape, (uint32_t)n[0], n + 1, &solid), &solid, 1);
    } else if (strcmp(word, "rest") == 0) {
        size_t count = 0;
        print(onion_movers_at_rest(&map, movers, (size_t)n[0], &count), movers, (size_t)n[0] * sizeof *movers);
        scene.n_movers = count;
    } else if (strcmp(word, "clear") == 0) {
        scene.n_movers = 0;
    } else if (strcmp(word, "mover") == 0) {
        onion_mover *mover = &movers[scene.n_movers++];
        mover->model = (uint32_t)n[0];
        mover->from = pose_of(n + 1);
        mover->to = pose_of(n + 8);
    } else if (strcmp(word, "sweep") == 0) {
        print(onion_scene_trace(&scene, hull_named(name), f, f + 3, &trace), &trace, sizeof trace);
        print(onion_scene_trace_double(&scene, hull_named(name), n, n + 3, &exact), &exact, sizeof exact);
    } else if (strcmp(word, "held") == 0) {
        print(onion_scene_is_solid(&scene, hull_named(name), f, n[3], &solid), &solid, 1);
        print(onion_scene_is_solid_double(&scene, hull_named(name), n, n[3], &solid), &solid, 1);
    } else if (strcmp(word, "start") == 0) {
        print(onion_agent_init(hull_named(name), f, &agent), &agent, sizeof agent);
    } else if (strcmp(word, "walk") == 0) {
        print(onion_scene_agent_walk(&scene, &settings, f, f[2], &agent), &agent, sizeof agent);
    } else if (strcmp(word, "stance") == 0) {
        print(onion_scene_agent_switch_stance(&scene, hull_named(name), &agent, &solid), &agent, sizeof agent);
        print(ONION_OK, &solid, 1);
    } else {
        exit(1);
    }
}

/* Calls that must be refused, and must write nothing. */
static int refuses(void)
{
    const onion_hull stand = agent.stance;
    const float p[3] = {0, 0, 0};
    onion_shape odd = {ONION_SHAPE_BOX, 0, {1, 0, 0}, {0, 0, 0}, {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}, 0};
    onion_shape_trace_result trace, before;
    onion_scene strange = scene;
    uint8_t answer = 7;
    size_t count = 7;
    int good = 1;
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
        char word[16], name[33];
        int at = 0, used = 0, i;
        if (sscanf(line, "%15s %32s%n", word, name, &at) != 2)
            return 1;
        for (i = 0; i < MOST && sscanf(line + at, "%lf%n", &numbers[i], &used) == 1; i++)
            at += used;
        run(word, name, numbers);
    }
    return refuses() ? 0 : 1;
}
