/*
 * Replays a script of the conformance kit, whose readme defines the calls, and prints an answer for each line:
 *
 *     kit FILE.onion SCRIPT double|single
 *
 * Agents have single precision in both cases, so calls about them in double precision are not answered.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "onion.h"

#define MOST 32

static onion_map map;
static int is_double, in_scene;
static uint32_t place;
static double margin = ONION_DEFAULT_MARGIN;
static onion_walk_settings settings;
static onion_mover movers[ONION_MAX_MOVERS];
static onion_scene scene = {&map, movers, 0, ONION_DEFAULT_MARGIN};
static onion_agent agent;

static void must(onion_status status)
{
    if (status != ONION_OK) {
        fprintf(stderr, "status %d\n", (int)status);
        exit(1);
    }
}

static void number(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    if (x != x)
        printf("nan ");
    else
        printf("%08lx%08lx ", (unsigned long)(bits >> 32), (unsigned long)(bits & 0xffffffffu));
}

static void numbers(const double *x, int count)
{
    while (count-- > 0)
        number(*x++);
}

static void floats(const float *x, int count)
{
    while (count-- > 0)
        number(*x++);
}

static void entity(uint32_t entity)
{
    if (entity == ONION_NO_ENTITY)
        printf("- ");
    else
        printf("%u ", (unsigned)entity);
}

static onion_hull hull_named(const char *name)
{
    onion_hull hull;
    must(onion_find_hull(&map, name, &hull));
    return hull;
}

static onion_model model_of(const char *word)
{
    onion_model model;
    must(onion_get_model(&map, (uint32_t)atoi(word), &model));
    model.margin = margin;
    return model;
}

static void hulls(void)
{
    uint32_t count, i;
    must(onion_hull_count(&map, &count));
    for (i = 0; i < count; i++) {
        onion_hull_info hull;
        must(onion_get_hull_info(&map, i, &hull));
        printf("%s%s ", i > 0 ? "; " : "", hull.name);
        floats(hull.mins, 3);
        floats(hull.maxs, 3);
        printf("%u %d ", (unsigned)hull.contents, hull.filled);
    }
}

static void models(void)
{
    uint32_t count, i;
    must(onion_model_count(&map, &count));
    for (i = 0; i < count; i++) {
        onion_model model;
        onion_model_info info;
        must(onion_get_model(&map, i, &model));
        must(onion_get_model_info(&model, &info));
        printf("%s", i > 0 ? "; " : "");
        floats(info.mins, 3);
        floats(info.maxs, 3);
        floats(info.origin, 3);
        entity(info.entity);
    }
}

static void entities(void)
{
    uint32_t count, i, k;
    if (onion_entity_count(&map, &count) == ONION_ERROR_NO_ENTITIES) {
        printf("- ");
        return;
    }
    for (i = 0; i < count; i++) {
        printf("%s", i > 0 ? "; " : "");
        for (k = 0;; k++) {
            const char *key, *value, *same;
            must(onion_entity_pair(&map, i, k, &key, &value));
            if (key == NULL)
                break;
            must(onion_entity_value(&map, i, key, &same));
            printf("\"%s\" \"%s\" ", key, same);
        }
    }
}

static void find(const char *name, const double *n)
{
    float mins[3], maxs[3];
    onion_hull hull, same;
    uint32_t number = 0;
    onion_hull_info info;
    int i;
    for (i = 0; i < 3; i++)
        mins[i] = (float)n[i], maxs[i] = (float)n[i + 3];
    if (onion_find_hull(&map, name, &hull) != ONION_OK) {
        printf("- ");
    } else {
        while (onion_get_hull_info(&map, number, &info) == ONION_OK && info.hull != hull)
            number++;
        printf("%u ", (unsigned)number);
    }
    printf("%d ", onion_require_hull(&map, name, mins, maxs, &same) == ONION_OK);
}

/* The interface does not report the plane of a side. */
static void hit(const onion_hit_result *hit)
{
    if (!hit->found) {
        printf("- ");
        return;
    }
    printf("%s %u %u %d %u %u ", hit->source_kind == ONION_SOURCE_PATCH ? "patch" : "brush", (unsigned)hit->source,
           (unsigned)hit->side, hit->is_bevel, (unsigned)hit->contents, (unsigned)hit->model);
    entity(hit->entity);
    printf("%u %u %u ? ? ? ? ", (unsigned)hit->surface, (unsigned)hit->surface_flags, (unsigned)hit->surface_contents);
}

static void trace(const onion_model *model, onion_hull hull, const double *n, const float *f)
{
    onion_hit_result met;
    onion_trace_result single;
    onion_trace_result_double t;
    onion_status status;
    int i;
    if (is_double) {
        must(onion_trace_double(model, hull, n, n + 3, &t));
        status = onion_hit_double(model, hull, &t, &met);
    } else {
        must(onion_trace(model, hull, f, f + 3, &single));
        status = onion_hit(model, hull, &single, &met);
        t.fraction = single.fraction, t.hit_fraction = single.hit_fraction, t.dist = single.dist;
        for (i = 0; i < 3; i++)
            t.end_pos[i] = single.end_pos[i], t.normal[i] = single.normal[i];
        t.plane = single.plane, t.start_solid = single.start_solid, t.all_solid = single.all_solid, t.hit = single.hit;
    }
    if (status == ONION_ERROR_NO_HIT_DATA)
        met.found = 0;
    else
        must(status);
    number(t.fraction);
    number(t.hit_fraction);
    numbers(t.end_pos, 3);
    printf("%d %d ", t.start_solid, t.all_solid);
    if (t.hit) {
        numbers(t.normal, 3);
        number(t.dist);
        printf("%u ", (unsigned)t.plane);
    } else {
        printf("- ");
    }
    hit(&met);
}

static void solid(const onion_model *model, const double *n, const float *f)
{
    uint64_t bits;
    uint32_t count, i;
    must(is_double ? onion_solidity_double(model, n, &bits) : onion_solidity(model, f, &bits));
    printf("%lx ", (unsigned long)bits);
    must(onion_hull_count(&map, &count));
    for (i = 0; i < count; i++) {
        onion_hull_info hull;
        uint8_t answer;
        must(onion_get_hull_info(&map, i, &hull));
        must(is_double ? onion_is_solid_double(model, hull.hull, n, &answer)
                       : onion_is_solid(model, hull.hull, f, &answer));
        printf("%d ", answer);
    }
}

static void rest(void)
{
    size_t count, all, i;
    must(onion_movers_at_rest(&map, movers, ONION_MAX_MOVERS, &count));
    must(onion_movers_at_rest(&map, NULL, 0, &all));
    if (all != count)
        exit(1);
    scene.n_movers = count;
    for (i = 0; i < count; i++) {
        if (memcmp(&movers[i].from, &movers[i].to, sizeof(onion_pose)) != 0)
            exit(1);
        printf("%s%u ", i > 0 ? "; " : "", (unsigned)movers[i].model);
        numbers(movers[i].from.origin, 3);
    }
}

static void sweep(onion_hull hull, const double *n, const float *f)
{
    onion_shape_trace_result single;
    onion_shape_trace_result_double t;
    int i;
    if (is_double) {
        must(onion_scene_trace_double(&scene, hull, n, n + 3, &t));
    } else {
        must(onion_scene_trace(&scene, hull, f, f + 3, &single));
        t.fraction = single.fraction, t.hit_fraction = single.hit_fraction, t.met = single.met;
        for (i = 0; i < 3; i++)
            t.end_pos[i] = single.end_pos[i], t.normal[i] = single.normal[i];
        t.mover = single.mover, t.start_solid = single.start_solid, t.all_solid = single.all_solid, t.hit = single.hit;
    }
    number(t.fraction);
    number(t.hit_fraction);
    numbers(t.end_pos, 3);
    printf("%d %d ", t.start_solid, t.all_solid);
    if (t.hit)
        numbers(t.normal, 3);
    else
        printf("- ");
    if (t.mover == ONION_NO_MOVER)
        printf("- ");
    else
        printf("%u ", (unsigned)t.mover);
    hit(&t.met);
}

static void held(onion_hull hull, const double *n, const float *f)
{
    uint8_t answer;
    must(is_double ? onion_scene_is_solid_double(&scene, hull, n, n[3], &answer)
                   : onion_scene_is_solid(&scene, hull, f, n[3], &answer));
    printf("%d ", answer);
}

static void normal_of(const onion_ground *ground)
{
    if (ground->found)
        floats(ground->normal, 3);
    else
        printf("- ");
}

static void footing_of(const onion_ground *ground)
{
    if (!ground->found)
        printf("- ");
    else if (!ground->has_surface)
        printf("%u - ", (unsigned)ground->object);
    else
        printf("%u %u %u %u %u ", (unsigned)ground->object, (unsigned)ground->brush, (unsigned)ground->contents,
               (unsigned)ground->surface, (unsigned)ground->surface_flags);
}

/* Calls of agents. */
static void move(const char *call, char **words, const double *n, const float *f)
{
    static const char *level_names[] = {"0", "1", "2", "3"};
    const char *said = "-";
    char both[32];
    uint8_t answer = 0;
    onion_ride ride;
    onion_model model;
    onion_hull_info hull;
    uint32_t i = 0;
    must(onion_get_model(&map, place, &model));
    model.margin = margin;
    if (strcmp(call, "agent") == 0)
        must(onion_agent_init(hull_named(words[0]), f + 1, &agent));
    else if (strcmp(call, "walk") == 0 && in_scene)
        must(onion_scene_agent_walk(&scene, &settings, f, f[2], &agent));
    else if (strcmp(call, "walk") == 0)
        must(onion_agent_walk(&model, &settings, f, f[2], &agent));
    else if (strcmp(call, "swim") == 0 && in_scene)
        must(onion_scene_agent_swim(&scene, &settings, f, f[3], &agent));
    else if (strcmp(call, "swim") == 0)
        must(onion_agent_swim(&model, &settings, f, f[3], &agent));
    else if (strcmp(call, "water") == 0) {
        onion_water_level level;
        if (in_scene)
            must(onion_scene_agent_water_level(&scene, (uint32_t)n[0], &agent, &level));
        else
            must(onion_agent_water_level(&model, (uint32_t)n[0], &agent, &level));
        said = level_names[level];
    } else if (strcmp(call, "ride") == 0) {
        must(onion_scene_agent_ride(&scene, &settings, f[0], &agent, &ride));
        said = both;
        sprintf(both, ride.crushed_by == ONION_NO_MOVER ? "- " : "%u ", (unsigned)ride.crushed_by);
        sprintf(both + strlen(both), ride.pushed_by == ONION_NO_MOVER ? "-" : "%u", (unsigned)ride.pushed_by);
    } else if (strcmp(call, "push") == 0)
        memcpy(agent.velocity, f, sizeof agent.velocity);
    else if (strcmp(call, "lift") == 0)
        agent.ground.found = 0;
    else if (strcmp(call, "jump") == 0)
        must(onion_agent_jump(f[0], &agent, &answer)), said = answer ? "1" : "0";
    else if (strcmp(call, "stance") == 0 && in_scene)
        must(onion_scene_agent_switch_stance(&scene, hull_named(words[0]), &agent, &answer)), said = answer ? "1" : "0";
    else if (strcmp(call, "stance") == 0)
        must(onion_agent_switch_stance(&model, hull_named(words[0]), &agent, &answer)), said = answer ? "1" : "0";
    else
        exit(1);
    do
        must(onion_get_hull_info(&map, i++, &hull));
    while (hull.hull != agent.stance);
    printf("%s ", hull.name);
    floats(agent.position, 3);
    floats(agent.velocity, 3);
    normal_of(&agent.ground);
    normal_of(&agent.met);
    printf("%s ", said);
    footing_of(&agent.ground);
    footing_of(&agent.met);
}

static void run(const char *call, char **words, int n_words)
{
    double n[MOST] = {0};
    float f[MOST] = {0};
    int i;
    for (i = 0; i < n_words; i++)
        n[i] = strtod(words[i], NULL), f[i] = (float)n[i];
    scene.margin = margin;
    if (strcmp(call, "hulls") == 0) {
        hulls();
    } else if (strcmp(call, "models") == 0) {
        models();
    } else if (strcmp(call, "entities") == 0) {
        entities();
    } else if (strcmp(call, "find") == 0) {
        find(words[0], n + 1);
    } else if (strcmp(call, "trace") == 0) {
        const onion_model model = model_of(words[0]);
        trace(&model, hull_named(words[1]), n + 2, f + 2);
    } else if (strcmp(call, "solid") == 0) {
        const onion_model model = model_of(words[0]);
        solid(&model, n + 1, f + 1);
    } else if (strcmp(call, "rest") == 0) {
        rest();
    } else if (strcmp(call, "sweep") == 0) {
        sweep(hull_named(words[0]), n + 1, f + 1);
    } else if (strcmp(call, "held") == 0) {
        held(hull_named(words[0]), n + 1, f + 1);
    } else if (strcmp(call, "margin") == 0 || strcmp(call, "clear") == 0 || strcmp(call, "mover") == 0 ||
               strcmp(call, "world") == 0 || strcmp(call, "settings") == 0) {
        onion_mover *mover = &movers[scene.n_movers];
        if (strcmp(call, "margin") == 0) {
            margin = n[0];
        } else if (call[0] == 'c') {
            scene.n_movers = 0;
        } else if (call[0] == 'w') {
            in_scene = n_words == 0;
            place = (uint32_t)n[0];
        } else if (call[0] == 's') {
            memcpy(&settings, f, sizeof settings);
        } else {
            mover->model = (uint32_t)n[0];
            memcpy(&mover->from, n + 1, sizeof mover->from);
            memcpy(&mover->to, n + 8, sizeof mover->to);
            scene.n_movers++;
        }
        printf("ok ");
    } else if (is_double) {
        printf("? ");
    } else {
        move(call, words, n, f);
    }
    printf("\n");
}

int main(int argc, char **argv)
{
    static unsigned char bytes[1 << 24];
    static char line[4096];
    FILE *file = argc == 4 ? fopen(argv[1], "rb") : NULL;
    size_t size = file != NULL ? fread(bytes, 1, sizeof bytes, file) : 0;
    FILE *script = argc == 4 ? fopen(argv[2], "r") : NULL;
    if (script == NULL)
        return 1;
    is_double = strcmp(argv[3], "double") == 0;
    must(onion_load(&map, bytes, size));
    must(onion_default_walk_settings(&settings));
    while (fgets(line, sizeof line, script) != NULL) {
        char *words[MOST] = {NULL}, *word = strtok(line, " \n");
        int count = 0;
        while (word != NULL && count < MOST) {
            words[count++] = word;
            word = strtok(NULL, " \n");
        }
        run(words[0], words + 1, count - 1);
    }
    return 0;
}
