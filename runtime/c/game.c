/*
 * The sample game of the Rust crate (runtime/examples/game.rs) in C, with the same output:
 *
 *     onionc sample-maps/game.map --hull stand:16x56 --hull crouch:16x32 --hull bullet:point --brushes
 *     runtime/c/build/game sample-maps/game.onion
 *
 * Type keys and a number of ticks, of which a second has 60, such as "d 60": a and d walk west and east, w jumps,
 * swims or climbs up, s crouches or dives, f shoots. game.rs has an input that wins.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "onion.h"

static const float TICK = 1.0f / 60.0f;
/* Speeds in units per second, and how far the door and the lift rise, in units. */
static const float RUN = 320, SWIM = 160, JUMP = 270, MOVER_SPEED = 96, DOOR_RISE = 100, LIFT_RISE = 176;
static const uint32_t LIQUIDS = ONION_CONTENTS_WATER | ONION_CONTENTS_SLIME | ONION_CONTENTS_LAVA;

enum { N_MOVERS = 2 };

static onion_map map;
static onion_model world;
static onion_mover movers[N_MOVERS]; /* models 1 and 2: the door and the lift */
static onion_scene scene = {&map, movers, N_MOVERS, ONION_DEFAULT_MARGIN};
static onion_hull stances[2], bullet;
static onion_shape body; /* the box of the standing player */
static onion_walk_settings settings;
static onion_agent player;
static int has_won;

static void must(onion_status status)
{
    if (status != ONION_OK) {
        fprintf(stderr, "game: error: %s\n", onion_status_string(status));
        exit(1);
    }
}

/* Reads a file whole; its bytes stay where they are as long as the game runs. */
static void load(const char *path)
{
    static unsigned char bytes[1 << 20];
    FILE *file = fopen(path, "rb");
    size_t size = file != NULL ? fread(bytes, 1, sizeof bytes, file) : 0;
    if (file != NULL)
        fclose(file);
    must(onion_load(&map, bytes, size));
}

static void begin(const char *path)
{
    static const float start[3] = {-448, 0, 24}, mins[3] = {-16, -16, -24}, maxs[3] = {16, 16, 32};
    size_t count;
    int axis;
    load(path);
    must(onion_world(&map, &world));
    must(onion_require_hull(&map, "stand", mins, maxs, &stances[0]));
    must(onion_find_hull(&map, "crouch", &stances[1]));
    must(onion_find_hull(&map, "bullet", &bullet));
    must(onion_movers_at_rest(&map, movers, N_MOVERS, &count));
    must(onion_default_walk_settings(&settings));
    must(onion_agent_init(stances[0], start, &player));
    body.kind = ONION_SHAPE_BOX;
    for (axis = 0; axis < 3; axis++)
        body.a[axis] = mins[axis], body.b[axis] = maxs[axis];
}

/* Sets the ways of door and lift in the next tick: they rise while the player is near, and sink otherwise. */
static void move_movers(void)
{
    const int rises[N_MOVERS] = {fabsf(player.position[0] - 136) < 96, player.ground.object == 2};
    const float tops[N_MOVERS] = {DOOR_RISE, LIFT_RISE};
    int i;
    for (i = 0; i < N_MOVERS; i++) {
        const float z = (float)movers[i].to.origin[2] + (rises[i] ? MOVER_SPEED : -MOVER_SPEED) * TICK;
        movers[i].from = movers[i].to;
        movers[i].to.origin[2] = z < 0 ? 0 : z > tops[i] ? tops[i] : z;
    }
}

static void shoot(void)
{
    const float *at = player.position;
    const float start[3] = {at[0], at[1], at[2] + 26}, end[3] = {at[0] + 2048, at[1], at[2] + 26};
    onion_shape_trace_result shot;
    char name[ONION_SURFACE_NAME_SIZE];
    must(onion_scene_trace(&scene, bullet, start, end, &shot));
    if (!shot.hit)
        return;
    must(onion_get_surface_name(&map, shot.met.surface, name));
    has_won |= strstr(name, "target") != NULL;
}

/* Plays one tick with the keys that are held. */
static void tick(const char *keys)
{
    const float east = (float)((strchr(keys, 'd') != NULL) - (strchr(keys, 'a') != NULL));
    const float up = (float)((strchr(keys, 'w') != NULL) - (strchr(keys, 's') != NULL));
    const float walk[2] = {east * RUN, 0}, swim[3] = {east * SWIM, 0, up * SWIM};
    onion_ride ride;
    onion_water_level level;
    uint8_t is_on_ladder, answer;
    int swims;
    move_movers();
    /* First the movers carry and push the player, then the player moves. */
    must(onion_scene_agent_ride(&scene, &settings, TICK, &player, &ride));
    if (ride.crushed_by != ONION_NO_MOVER) /* There is no room: the mover waits for this tick. */
        movers[ride.crushed_by].to = movers[ride.crushed_by].from;
    must(onion_scene_agent_water_level(&scene, LIQUIDS, &player, &level));
    must(onion_shape_is_solid(&world, &body, ONION_CONTENTS_LADDER, player.position, &is_on_ladder));
    swims = level >= ONION_WATER_WAIST || is_on_ladder;
    must(onion_scene_agent_switch_stance(&scene, stances[up < 0 && !swims], &player, &answer));
    if (swims) {
        must(onion_scene_agent_swim(&scene, &settings, swim, TICK, &player));
    } else {
        if (up > 0)
            must(onion_agent_jump(JUMP, &player, &answer));
        must(onion_scene_agent_walk(&scene, &settings, walk, TICK, &player));
    }
    if (strchr(keys, 'f') != NULL)
        shoot();
}

static char symbol(const float at[3])
{
    uint32_t of_map, all;
    int i;
    if (fabsf(at[0] - player.position[0]) <= 8 && fabsf(at[2] - player.position[2]) <= 16)
        return '@';
    must(onion_contents_at(&world, at, &of_map));
    for (all = of_map, i = 0; i < N_MOVERS; i++) {
        const double *origin = movers[i].to.origin;
        const double point[3] = {at[0] - origin[0], at[1] - origin[1], at[2] - origin[2]};
        onion_model model;
        uint32_t contents;
        must(onion_get_model(&map, movers[i].model, &model));
        must(onion_contents_at_double(&model, point, &contents));
        all |= contents;
    }
    if (all & ONION_CONTENTS_SOLID)
        return of_map & ONION_CONTENTS_SOLID ? '#' : '=';
    return all & ONION_CONTENTS_LADDER ? 'H' : all & ONION_CONTENTS_WATER ? '~' : ' ';
}

/* Draws the middle of the map from the side. */
static void draw(void)
{
    int row, column;
    for (row = 33; row >= 0; row--) {
        for (column = 0; column < 80; column++) {
            /* The ladder is only 4 units wide: from 396 to 400. */
            const float at[3] = {(float)column * 16 - 498, 0, (float)row * 16 - 136};
            putchar(symbol(at));
        }
        putchar('\n');
    }
}

int main(int count, char **arguments)
{
    char line[256];
    if (count != 2) {
        fputs("usage: game MAP.onion\n", stderr);
        return 2;
    }
    begin(arguments[1]);
    puts("@ you, # wall, = door or lift, H ladder, ~ water");
    while (!has_won && fgets(line, sizeof line, stdin) != NULL) {
        char keys[256] = "";
        int n_ticks = 1;
        line[strcspn(line, "\r\n")] = '\0';
        sscanf(line, "%255s %d", keys, &n_ticks);
        while (n_ticks-- > 0)
            tick(keys);
        draw();
        printf("%s: at %.1f %.1f %.1f\n", line, player.position[0], player.position[1], player.position[2]);
    }
    if (has_won)
        puts("You hit the target.");
    return 0;
}
