/*
 * Walks an agent through the world of a map as a script tells, and prints the bytes of the agent after each line:
 *
 *     movement FILE.onion SCRIPT
 *
 * Lines: "start STANCE X Y Z", "walk X Y DT", "jump SPEED", "stance NAME". Behind the bytes is what the call says.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "onion.h"

static onion_map map;
static onion_model world;
static onion_walk_settings settings;
static onion_agent agent;

static onion_hull hull_named(const char *name)
{
    onion_hull hull;
    if (onion_find_hull(&map, name, &hull) != ONION_OK)
        exit(1);
    return hull;
}

static onion_status run(const char *line, uint8_t *answer)
{
    char name[33];
    float v[3];
    if (sscanf(line, "start %32s %f %f %f", name, &v[0], &v[1], &v[2]) == 4)
        return onion_agent_init(hull_named(name), v, &agent);
    if (sscanf(line, "walk %f %f %f", &v[0], &v[1], &v[2]) == 3)
        return onion_agent_walk(&world, &settings, v, v[2], &agent);
    if (sscanf(line, "jump %f", &v[0]) == 1)
        return onion_agent_jump(v[0], &agent, answer);
    if (sscanf(line, "stance %32s", name) == 1)
        return onion_agent_switch_stance(&world, hull_named(name), &agent, answer);
    exit(1);
}

/* Calls that must be refused, and must leave the agent as it is. */
static int refuses(void)
{
    const onion_agent before = agent;
    onion_agent strange = agent;
    const float wish[2] = {1, 0}, place[3] = {0, 0, 0};
    uint8_t answer = 7;
    int good = 1;
    strange.stance ^= 1ull << 40;
    good &= onion_default_walk_settings(NULL) == ONION_ERROR_POINTER;
    good &= onion_agent_init(agent.stance, NULL, &agent) == ONION_ERROR_POINTER;
    good &= onion_agent_init(agent.stance, place, NULL) == ONION_ERROR_POINTER;
    good &= onion_agent_walk(NULL, &settings, wish, 1, &agent) == ONION_ERROR_POINTER;
    good &= onion_agent_walk(&world, NULL, wish, 1, &agent) == ONION_ERROR_POINTER;
    good &= onion_agent_walk(&world, &settings, NULL, 1, &agent) == ONION_ERROR_POINTER;
    good &= onion_agent_walk(&world, &settings, wish, 1, NULL) == ONION_ERROR_POINTER;
    good &= onion_agent_walk(&world, &settings, wish, 1, &strange) == ONION_ERROR_HULL;
    good &= onion_agent_jump(1, NULL, &answer) == ONION_ERROR_POINTER;
    good &= onion_agent_jump(1, &agent, NULL) == ONION_ERROR_POINTER;
    good &= onion_agent_switch_stance(&world, strange.stance, &agent, &answer) == ONION_ERROR_HULL;
    good &= onion_agent_switch_stance(&world, agent.stance, &strange, &answer) == ONION_ERROR_HULL;
    good &= onion_agent_switch_stance(&world, agent.stance, &agent, NULL) == ONION_ERROR_POINTER;
    return good && answer == 7 && memcmp(&before, &agent, sizeof agent) == 0;
}

int main(int argc, char **argv)
{
    static unsigned char bytes[1 << 24];
    char line[256];
    FILE *file = argc == 3 ? fopen(argv[1], "rb") : NULL;
    size_t size = file != NULL ? fread(bytes, 1, sizeof bytes, file) : 0;
    FILE *script = argc == 3 ? fopen(argv[2], "r") : NULL;
    if (script == NULL || onion_load(&map, bytes, size) != ONION_OK || onion_world(&map, &world) != ONION_OK ||
        onion_default_walk_settings(&settings) != ONION_OK)
        return 1;
    while (fgets(line, sizeof line, script) != NULL) {
        uint8_t answer = 0;
        const unsigned char *at = (const unsigned char *)&agent;
        const onion_status status = run(line, &answer);
        size_t i;
        for (i = 0; i < sizeof agent; i++)
            printf("%02x", at[i]);
        printf(" %d %d\n", (int)status, (int)answer);
    }
    return refuses() ? 0 : 1;
}
