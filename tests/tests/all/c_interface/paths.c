/*
 * Prints classes of agents, links and paths, and moves agents along the paths, with the bits of all numbers: the lines
 * of standard input and output are those of paths.rs.
 */
#include "bits.h"

/* More than the points of any path of the maps. */
#define CAPACITY 256

/* More than the floors of any map. */
#define MOST_FLOORS 65536

static onion_map map;
static onion_model world;
static onion_scene scene;
static onion_path_scratch *scratch;
static size_t n_all;
static onion_path_point points[CAPACITY];
static size_t n_points;
static uint32_t floors[MOST_FLOORS];

static void check(int holds, const char *what)
{
    if (!holds) {
        fprintf(stderr, "wrong: %s\n", what);
        exit(1);
    }
}

static void print_hull(onion_hull hull)
{
    printf("%lx %lx ", (unsigned long)(hull >> 32), (unsigned long)(hull & 0xffffffffu));
}

static void print_classes(void)
{
    uint32_t n_classes, number;
    onion_agent_class class;
    must(onion_agent_class_count(&map, &n_classes));
    for (number = 0; number < n_classes; number++) {
        must(onion_get_agent_class(&map, number, &class));
        print_hull(class.hulls);
        bits(&class.speed, 1);
        bits(&class.jump, 1);
        bits(&class.drop, 1);
        bits(&class.swim, 1);
        bits(&class.climb, 1);
        float_bits(&class.settings.step_height, 1);
        float_bits(&class.settings.min_ground_z, 1);
        float_bits(&class.settings.gravity, 1);
        float_bits(&class.settings.air_control, 1);
        float_bits(&class.settings.max_unstick, 1);
        printf("%s\n", class.name);
        check(class.reserved[0] == 0 && class.reserved[2] == 0, "reserved members of a class");
    }
    check(onion_get_agent_class(&map, n_classes, &class) == ONION_ERROR_AGENT_CLASS, "a class beyond the last");
}

static void print_class_of(const char *name)
{
    onion_hull hull;
    uint32_t number;
    must(onion_find_hull(&map, name, &hull));
    must(onion_agent_class_of(&map, hull, &number));
    printf("%ld\n", number == ONION_NO_AGENT_CLASS ? -1L : (long)number);
    check(onion_agent_class_of(&map, hull ^ 0xff00, &number) == ONION_ERROR_HULL, "the class of another hull");
}

static void print_links(void)
{
    uint32_t n_links, number, floor = 0, first, count, n_seen = 0;
    onion_link link;
    onion_status status;
    must(onion_link_count(&map, &n_links));
    for (number = 0; number < n_links; number++) {
        must(onion_get_link(&map, number, &link));
        bits(link.right, 2);
        bits(link.left, 2);
        bits(link.across, 2);
        printf("%lu %lu %lu ", (unsigned long)link.from, (unsigned long)link.to, (unsigned long)link.kind);
        printf("%d %d %d %d\n", link.turns[0], link.turns[1], link.only_to_goal, link.upright);
    }
    check(onion_get_link(&map, n_links, &link) == ONION_ERROR_LINK, "a link beyond the last");
    for (; (status = onion_links_from(&map, floor, &first, &count)) == ONION_OK; floor++) {
        check(count == 0 || first == n_seen, "links are in the order of floors");
        for (number = first; number < first + count; number++) {
            must(onion_get_link(&map, number, &link));
            check(link.from == floor, "links leave their floor");
        }
        n_seen += count;
    }
    check(status == ONION_ERROR_FLOOR && n_seen == n_links, "each link leaves a floor");
}

static void print_path(onion_status status, const onion_path_result *path)
{
    size_t at;
    n_points = 0;
    printf("%d ", (int)status);
    if (status == ONION_OK) {
        n_points = path->n_points;
        check(path->reserved == 0, "reserved members of a path");
        bits(&path->length, 1);
        bits(&path->cost, 1);
    }
    for (at = 0; at < n_points; at++) {
        bits(points[at].position, 3);
        print_hull(points[at].hull);
        printf("%lu %lu ", (unsigned long)points[at].floor, (unsigned long)points[at].kind);
    }
    printf("\n");
}

static void print_reached(onion_status status, size_t count)
{
    size_t at;
    printf("%d ", (int)status);
    check(count <= MOST_FLOORS, "the number of floors");
    for (at = 0; status == ONION_OK && at < count; at++)
        printf("%lu ", (unsigned long)floors[at]);
    printf("\n");
}

static void print_reaches(onion_status status, uint8_t reaches)
{
    printf("%d %d\n", (int)status, status == ONION_OK ? reaches : 0);
}

/* Finds the floors that are reached and a path, in both precisions. The numbers are the start, the goal, the costs, the
 * capacity, and the number of scratch values, or -1 for all. */
static void find_path(const char *name, const double n[13])
{
    const float start[3] = {(float)n[0], (float)n[1], (float)n[2]};
    const float goal[3] = {(float)n[3], (float)n[4], (float)n[5]};
    const size_t capacity = (size_t)n[11], n_scratch = n[12] < 0 ? n_all : (size_t)n[12];
    onion_path_costs costs;
    onion_path_result path;
    onion_status status;
    onion_hull hull;
    size_t count = 0;
    uint8_t reaches = 0;
    must(onion_find_hull(&map, name, &hull));
    must(onion_default_path_costs(&costs));
    check(costs.crouched == 2 && costs.switch_stance == 0 && costs.drop == 64 && costs.jump == 128
              && costs.climb == 128, "default costs");
    costs.crouched = n[6];
    costs.switch_stance = n[7];
    costs.drop = n[8];
    costs.jump = n[9];
    costs.climb = n[10];
    check(capacity <= CAPACITY, "the capacity");
    status = onion_reachable_floors(&map, hull, start, scratch, n_scratch, floors, MOST_FLOORS, &count);
    print_reached(status, count);
    status = onion_can_reach(&map, hull, start, goal, scratch, n_scratch, &reaches);
    print_reaches(status, reaches);
    status = onion_reachable_floors_double(&map, hull, n, scratch, n_scratch, floors, MOST_FLOORS, &count);
    print_reached(status, count);
    status = onion_can_reach_double(&map, hull, n, n + 3, scratch, n_scratch, &reaches);
    print_reaches(status, reaches);
    status = onion_path(&map, hull, start, goal, &costs, scratch, n_scratch, points, capacity, &path);
    print_path(status, &path);
    status = onion_path_double(&map, hull, n, n + 3, &costs, scratch, n_scratch, points, capacity, &path);
    print_path(status, &path);
}

/* Moves an agent along the last path, for at most this number of ticks; in a scene without movers, or in the world. */
/* Takes an agent along that waits for it at a point of its path, as take_along does in Rust. */
static void take_along(onion_agent *agent, const onion_path_follower *follower)
{
    const onion_path_point *next;
    int axis;
    if (follower->next >= n_points || follower->has_jumped || !agent->ground.found)
        return;
    next = &points[follower->next];
    if (next->kind != ONION_LINK_TELEPORT && next->kind != ONION_LINK_JUMP_PAD && next->kind != ONION_LINK_LIFT)
        return;
    agent->ground.found = 0;
    for (axis = 0; axis < 3; axis++)
        if (next->kind == ONION_LINK_JUMP_PAD)
            agent->velocity[axis] = axis == 2 ? 600.0f : 0.0f;
        else
            agent->position[axis] = (float)(next->position[axis] + (axis == 2 ? 1.0 : 0.0));
}

static void follow(float dt, int n_ticks, int in_scene)
{
    onion_agent agent;
    onion_agent_class class;
    onion_path_follower follower;
    onion_progress progress = ONION_FOLLOWING;
    uint32_t number;
    float start[3];
    int axis;
    check(n_points > 0, "a path to follow");
    for (axis = 0; axis < 3; axis++)
        start[axis] = (float)points[0].position[axis];
    must(onion_agent_class_of(&map, points[0].hull, &number));
    must(onion_get_agent_class(&map, number, &class));
    must(onion_agent_init(points[0].hull, start, &agent));
    must(onion_path_follower_init(&follower));
    while (n_ticks-- > 0 && progress == ONION_FOLLOWING) {
        must(in_scene ? onion_scene_agent_follow(&scene, &class, points, n_points, dt, &agent, &follower, &progress)
                      : onion_agent_follow(&world, &class, points, n_points, dt, &agent, &follower, &progress));
        take_along(&agent, &follower);
        float_bits(agent.position, 3);
        float_bits(agent.velocity, 3);
        bits(&follower.nearest, 1);
        bits(&follower.waited, 1);
        print_hull(agent.stance);
        printf("%lu %d ", (unsigned long)follower.next, follower.has_jumped);
        printf("%d %d\n", (int)progress, agent.ground.found);
    }
}

int main(void)
{
    char line[4096], word[64], name[64];
    load(&map);
    must(onion_world(&map, &world));
    scene.map = &map;
    scene.margin = ONION_DEFAULT_MARGIN;
    must(onion_path_scratch_count(&map, CAPACITY, &n_all));
    scratch = malloc(n_all * sizeof *scratch);
    if (scratch == NULL)
        return 1;
    /* Any content will do. */
    memset(scratch, 0xa5, n_all * sizeof *scratch);
    while (fgets(line, sizeof line, stdin) != NULL) {
        double n[13] = {0};
        sscanf(line, "%63s %63s %lf %lf %lf %lf %lf %lf %lf %lf %lf %lf %lf %lf %lf", word, name, &n[0], &n[1],
               &n[2], &n[3], &n[4], &n[5], &n[6], &n[7], &n[8], &n[9], &n[10], &n[11], &n[12]);
        if (strcmp(word, "classes") == 0)
            print_classes();
        else if (strcmp(word, "class_of") == 0)
            print_class_of(name);
        else if (strcmp(word, "links") == 0)
            print_links();
        else if (strcmp(word, "path") == 0)
            find_path(name, n);
        else
            follow((float)n[0], (int)n[1], strcmp(name, "scene") == 0);
    }
    free(scratch);
    return 0;
}
