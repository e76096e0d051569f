/*
 * Moves agents through linked portals, and prints the bits of where they and traces get: the lines of standard input
 * and output are those of linked_bits.rs.
 */
#include "bits.h"

/* How far a trace goes after each tick, in seconds at the wished velocity. */
#define FAR 2.0

static onion_linked_portal portals[ONION_MAX_LINKED_PORTALS];
static onion_linked_world world;

static void trace_in_single(onion_hull hull, const float start[3], const double by[3])
{
    onion_linked_trace_result trace;
    float end[3], place[3];
    uint8_t quarters;
    int axis;
    for (axis = 0; axis < 3; axis++)
        end[axis] = (float)(start[axis] + by[axis] * FAR);
    must(onion_linked_trace(&world, hull, start, end, &trace));
    must(onion_linked_place(&world, start, trace.end_pos, place, &quarters));
    bits(&trace.fraction, 1);
    float_bits(trace.end_pos, 3);
    float_bits(place, 3);
    float_bits(trace.normal, 3);
    printf("%d %d\n", quarters, trace.hit);
}

static void trace_in_double(onion_hull hull, const float start[3], const double by[3])
{
    onion_linked_trace_result_double trace;
    double from[3], end[3], place[3];
    uint8_t quarters;
    int axis;
    for (axis = 0; axis < 3; axis++) {
        from[axis] = start[axis];
        end[axis] = from[axis] + by[axis] * FAR;
    }
    must(onion_linked_trace_double(&world, hull, from, end, &trace));
    must(onion_linked_place_double(&world, from, trace.end_pos, place, &quarters));
    bits(&trace.fraction, 1);
    bits(trace.end_pos, 3);
    bits(place, 3);
    bits(trace.normal, 3);
    printf("%d %d\n", quarters, trace.hit);
}

int main(void)
{
    static onion_map map;
    char line[4096];
    onion_hull stand;
    onion_agent agent;
    onion_walk_settings settings;
    double dt = 0;
    load(&map);
    world.scene.map = &map;
    world.scene.margin = ONION_DEFAULT_MARGIN;
    world.portals = portals;
    must(onion_linked_portals(&map, portals, ONION_MAX_LINKED_PORTALS, &world.n_portals));
    must(onion_find_hull(&map, "stand", &stand));
    must(onion_default_walk_settings(&settings));
    while (fgets(line, sizeof line, stdin) != NULL) {
        double n[4] = {0, 0, 0, 0};
        const int count = sscanf(line, "%lf %lf %lf %lf", &n[0], &n[1], &n[2], &n[3]);
        const float first[3] = {(float)n[0], (float)n[1], (float)n[2]};
        uint8_t quarters;
        if (count == 4) {
            must(onion_agent_init(stand, first, &agent));
            dt = n[3];
            continue;
        }
        if (count == 2)
            must(onion_linked_agent_walk(&world, &settings, first, (float)dt, &agent, &quarters));
        else
            must(onion_linked_agent_swim(&world, &settings, first, (float)dt, &agent, &quarters));
        float_bits(agent.position, 3);
        float_bits(agent.velocity, 3);
        printf("%d %d\n", quarters, agent.ground.found);
        trace_in_single(stand, agent.position, n);
        trace_in_double(stand, agent.position, n);
    }
    return 0;
}
