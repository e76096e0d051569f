/*
 * onion.h - traces boxes through maps that onionc compiled (.onion files).
 *
 * A map is loaded in place: it borrows the bytes of its file and checks them once. After that it answers, for a
 * chosen hull (an axis-aligned box that the map was compiled for), where the box first meets the map and what it hits
 * there, whether a point is solid, and where the box has room. C99, or any C++.
 *
 *   - No call allocates, aborts, prints, or has state of its own. A loaded map is never written to, so
 *     any number of threads may query it at the same time without a lock.
 *   - Every call that can fail returns an onion_status. NULL pointers, numbers out of range, maps that
 *     are not loaded and files of any content return a status. A call that fails writes no answer.
 *   - Points that are not finite, or beyond 2^30 units, are not errors: they are solid.
 *   - Pointers to points, names and answers need no alignment. An answer may overwrite an argument of
 *     the same call (start may be trace->end_pos); an array of answers may not overlap an array of
 *     arguments. An empty array may be NULL.
 *   - Coordinates are in the map's units; a point is the origin of the hull's box. Touching is free:
 *     solid is open. Queries are in the model's own space: subtract the position of a model that has moved.
 *   - Members named reserved are 0 today and are kept for later use.
 *
 *     static onion_map map;
 *     onion_model world;
 *     onion_hull stand;
 *     const float mins[3] = {-16, -16, -24}, maxs[3] = {16, 16, 32};
 *     if (onion_load(&map, bytes, size) == ONION_OK &&
 *         onion_require_hull(&map, "stand", mins, maxs, &stand) == ONION_OK &&
 *         onion_world(&map, &world) == ONION_OK) {
 *         onion_trace_result trace;
 *         onion_trace(&world, stand, start, end, &trace);
 *     }
 */
#ifndef ONION_H
#define ONION_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Status -------------------------------------------------------------------------------------- */

typedef enum onion_status {
    ONION_OK = 0,

    /* A pointer is NULL, or the pointer to the map is not aligned. */
    ONION_ERROR_POINTER = 1,
    /* onion_load was not called for the map, or failed. */
    ONION_ERROR_NOT_LOADED = 2,
    /* A size or count is larger than memory can be. */
    ONION_ERROR_COUNT = 3,
    /* The map has no model with this number. */
    ONION_ERROR_MODEL = 4,
    /* The map has no hull with this number, name or kind: add a --hull to the compile. Or the hull belongs to another
     * map: find the hull again after you reload a map. */
    ONION_ERROR_HULL = 5,
    /* The map's hull of this name has another box: make game and compile agree. */
    ONION_ERROR_BOX = 6,
    /* The map has no leaf with this number. */
    ONION_ERROR_LEAF = 7,
    /* The file does not hold the brushes: add --brushes to the compile. */
    ONION_ERROR_NO_BRUSHES = 8,
    /* The map has no surface with this number. */
    ONION_ERROR_SURFACE = 9,
    /* The file has no hit data: compile the map without --no-surfaces. */
    ONION_ERROR_NO_HIT_DATA = 10,
    /* The map has no entity with this number. */
    ONION_ERROR_ENTITY = 11,
    /* The file does not hold the entities: compile the map without --no-entities. */
    ONION_ERROR_NO_ENTITIES = 12,
    /* A shape is not finite, inside out, larger than 65536 units, has axes that are not unit vectors at right angles,
     * or is of no known kind. */
    ONION_ERROR_SHAPE = 13,
    /* A pose of a mover is not finite, or its rotation is zero. */
    ONION_ERROR_POSE = 14,
    /* A linked portal is not finite, faces in none of the four directions, or has no partner. */
    ONION_ERROR_PORTAL = 15,
    /* The map has no floor with this number. */
    ONION_ERROR_FLOOR = 16,
    /* The file does not hold the floors: add --floors to the compile. */
    ONION_ERROR_NO_FLOORS = 17,
    /* The map has no class of agents with this number. */
    ONION_ERROR_AGENT_CLASS = 18,
    /* The map has no link with this number. */
    ONION_ERROR_LINK = 19,
    /* The file does not hold links between floors and classes of agents: add --floors to the compile. */
    ONION_ERROR_NO_LINKS = 20,
    /* The hull is no stance of a class of agents, so there are no links for it: add it to an --agent of the compile. */
    ONION_ERROR_NO_AGENT = 21,
    /* The start of a path is not on a floor where the agent can stand, nor at most a step above one. */
    ONION_ERROR_NO_START = 22,
    /* The goal of a path is not on such a floor. */
    ONION_ERROR_NO_GOAL = 23,
    /* No links lead from the start to the goal. */
    ONION_ERROR_NO_WAY = 24,
    /* The search needs more scratch memory: onion_path_scratch_count says how much is enough for most searches. */
    ONION_ERROR_PATH_SCRATCH = 25,
    /* The path has more points than there is room for: give a larger capacity. */
    ONION_ERROR_PATH_POINTS = 26,
    /* A point of a path is of no known kind: pass the points that onion_path wrote. */
    ONION_ERROR_PATH_POINT = 27,

    /* The reasons why onion_load rejects a file, from here on. The file is not an onion map. */
    ONION_ERROR_FILE_MAGIC = 32,
    /* The file ends too early. */
    ONION_ERROR_FILE_TRUNCATED = 33,
    /* The file has a layout that this library does not know. */
    ONION_ERROR_FILE_VERSION = 34,
    /* The file's header states another length. */
    ONION_ERROR_FILE_LENGTH = 35,
    /* The checksum does not match: the bytes were changed after they were written. */
    ONION_ERROR_FILE_CHECKSUM = 36,
    /* A chunk is missing, out of order or of another record size. */
    ONION_ERROR_FILE_CHUNK = 37,
    /* A record breaks a rule of the format, although the checksum is right. */
    ONION_ERROR_FILE_RECORD = 38,
    /* The file is invalid in another way. */
    ONION_ERROR_FILE_OTHER = 39,

    /* Not a status: makes the type as large as an int. */
    ONION_STATUS_SIZE = 0x7fffffff
} onion_status;

/* Returns the text of a status, in English, without a period; "unknown status" for other numbers. Never NULL. */
const char *onion_status_string(onion_status status);

/* ---- Contents ------------------------------------------------------------------------------------ */

/* Contents of brushes, and what blocks hulls: bits, the same in every file whatever game its map is of. */
#define ONION_CONTENTS_SOLID 0x1u               /* blocks everything */
#define ONION_CONTENTS_WINDOW 0x2u              /* a window, which is solid too */
#define ONION_CONTENTS_CLIPHULL1 0x4u           /* blocks only one hull, as a clip texture of Half-Life does */
#define ONION_CONTENTS_LAVA 0x8u                /* lava */
#define ONION_CONTENTS_SLIME 0x10u              /* slime */
#define ONION_CONTENTS_WATER 0x20u              /* water */
#define ONION_CONTENTS_FOG 0x40u                /* fog, and the mist of Quake II */
#define ONION_CONTENTS_LADDER 0x400u            /* a ladder */
#define ONION_CONTENTS_SKY 0x800u               /* the sky, in games that distinguish it */
#define ONION_CONTENTS_CURRENT 0x1000u          /* a liquid that flows */
#define ONION_CONTENTS_SHOTCLIP 0x2000u         /* blocks shots only */
#define ONION_CONTENTS_AREAPORTAL 0x8000u       /* separates areas that doors shut off from each other */
#define ONION_CONTENTS_PLAYERCLIP 0x10000u      /* blocks players only */
#define ONION_CONTENTS_MONSTERCLIP 0x20000u     /* blocks monsters only */
#define ONION_CONTENTS_TELEPORTER 0x40000u      /* a teleporter */
#define ONION_CONTENTS_JUMPPAD 0x80000u         /* a jump pad, for bots */
#define ONION_CONTENTS_CLUSTERPORTAL 0x100000u  /* divides the areas of bots */
#define ONION_CONTENTS_DONOTENTER 0x200000u     /* where bots do not go */
#define ONION_CONTENTS_BOTCLIP 0x400000u        /* blocks bots only */
#define ONION_CONTENTS_MOVER 0x800000u          /* a mover, for bots */
#define ONION_CONTENTS_ORIGIN 0x1000000u        /* marks the origin of an entity */
#define ONION_CONTENTS_CLIPHULL2 0x2000000u     /* like cliphull1, for another hull */
#define ONION_CONTENTS_CLIPHULL3 0x4000000u     /* like cliphull1, for another hull */
#define ONION_CONTENTS_DETAIL 0x8000000u        /* detail, which was left out when the map was divided for drawing */
#define ONION_CONTENTS_TRANSLUCENT 0x20000000u  /* can be seen through */
#define ONION_CONTENTS_TRIGGER 0x40000000u      /* sets something off when touched */
#define ONION_CONTENTS_NODROP 0x80000000u       /* items that fall in are lost */

/* ---- Version and loading ------------------------------------------------------------------------- */

/* Version of this header: major, minor and patch, one byte each. */
#define ONION_VERSION 0x000100u

/* Returns the version of the linked library: the ONION_VERSION of its header. */
uint32_t onion_version(void);

/* A loaded map, in the caller's memory. It holds pointers into the file's bytes, and may be copied. */
typedef struct onion_map {
    uint64_t opaque[80];
} onion_map;

/* Checks a whole file (at any address) and loads it, reading every byte once. The bytes must stay in place,
 * unchanged, as long as the map or a copy of it is used; there is nothing to free. If the call fails, all calls with
 * the map return ONION_ERROR_NOT_LOADED, as they do for a map that is all zero. */
onion_status onion_load(onion_map *map, const void *bytes, size_t size);

/* Gets the version of the layout of the map's file. */
onion_status onion_file_version(const onion_map *map, uint32_t *version);

/* ---- Hulls --------------------------------------------------------------------------------------- */

/* Size of a hull's name in bytes, with the terminator. */
#define ONION_HULL_NAME_SIZE 33

/* A hull of one map. It is bound to its file: calls with a hull of another file, even of the same map compiled with
 * other options, return ONION_ERROR_HULL. */
typedef uint64_t onion_hull;

typedef struct onion_hull_info {
    onion_hull hull;
    char name[ONION_HULL_NAME_SIZE]; /* UTF-8, with a zero byte at its end */
    uint8_t filled;                  /* 1 if space in the world that the hull cannot reach is solid, or 0 */
    uint8_t reserved[2];
    float mins[3];                   /* lower corner of the box relative to its origin, in units */
    float maxs[3];                   /* upper corner */
    uint32_t contents;               /* contents that block the hull: ONION_CONTENTS_... */
} onion_hull_info;

/* Gets the number of hulls, 1 to 64. Hull h of the file is bit h of a solidity. */
onion_status onion_hull_count(const onion_map *map, uint32_t *count);

/* Gets a hull, by its index in the file. */
onion_status onion_get_hull_info(const onion_map *map, uint32_t index, onion_hull_info *info);

/* Finds the hull of this name. */
onion_status onion_find_hull(const onion_map *map, const char *name, onion_hull *hull);

/* Finds the hull of this name, if it has exactly this box. Call it once after loading, so that any disagreement
 * between game and map is found at once. */
onion_status onion_require_hull(const onion_map *map, const char *name, const float mins[3],
                                const float maxs[3], onion_hull *hull);

/* ---- Models -------------------------------------------------------------------------------------- */

/* Default distance that traces keep from the plane they hit, in units. */
#define ONION_DEFAULT_MARGIN 0.03125

/* A model of a map: the world, or an inline model such as a door. Made by onion_world and onion_get_model; it holds a
 * pointer to the map, and may be copied. */
typedef struct onion_model {
    const onion_map *map;
    double margin;       /* distance that traces keep from the plane they hit, in units: ONION_DEFAULT_MARGIN unless
                        * you set another; one that is negative or not a number counts as 0 */
    uint32_t index;    /* number of the model; 0 is the world */
    uint32_t reserved;
} onion_model;

/* Gets the world, model 0. */
onion_status onion_world(const onion_map *map, onion_model *model);

/* Gets a model, by its number in the map. */
onion_status onion_get_model(const onion_map *map, uint32_t index, onion_model *model);

/* The entity of a model that no entity shows. */
#define ONION_NO_ENTITY 0xffffffffu

typedef struct onion_model_info {
    float origin[3]; /* the place where the map's entity puts the model, in units */
    float mins[3];   /* box around the model's brushes, in its own space; zero if there are none */
    float maxs[3];
    uint32_t entity; /* number of the entity that shows the model, or ONION_NO_ENTITY */
} onion_model_info;

/* Gets the number of models, at least 1. */
onion_status onion_model_count(const onion_map *map, uint32_t *count);

onion_status onion_get_model_info(const onion_model *model, onion_model_info *info);

/* ---- Entities ------------------------------------------------------------------------------------ */

/* Gets the number of the map's entities, such as starts, lights and doors. Returns ONION_ERROR_NO_ENTITIES if the
 * file does not hold them. onion_model_info has the number of the entity that shows a model. */
onion_status onion_entity_count(const onion_map *map, uint32_t *count);

/* Gets the value of an entity's key, or NULL if it has no such key: a zero-terminated UTF-8 string in the file's own
 * bytes. */
onion_status onion_entity_value(const onion_map *map, uint32_t entity, const char *key,
                                const char **value);

/* Gets an entity's key at this index, in the map's order, and its value; NULL for both after the last one. */
onion_status onion_entity_pair(const onion_map *map, uint32_t entity, uint32_t index,
                               const char **key, const char **value);

/* ---- Traces -------------------------------------------------------------------------------------- */

/* The plane of a trace that hit none. */
#define ONION_NO_PLANE 0xffffffffu

typedef struct onion_trace_result {
    double fraction;      /* part of the segment that the hull can move, 0 to 1; 1 if nothing was hit */
    double hit_fraction;  /* part before it enters solid, without back-off; 1 if it never does */
    double dist;          /* distance of the plane from the origin along its normal, in units, or 0 */
    float start[3];       /* the start of the trace */
    float end[3];         /* the intended end of the trace */
    float end_pos[3];     /* the end of the hull's move; not solid if the start is not */
    float normal[3];      /* unit normal of the plane that was hit, facing the motion, or 0 */
    uint32_t plane;       /* number of the plane in the file, or ONION_NO_PLANE */
    uint8_t start_solid;  /* 1 if the start is solid: the trace goes on to the next solid it enters */
    uint8_t all_solid;    /* 1 if all of the segment is solid, or not finite: fraction is 0 */
    uint8_t hit;          /* 1 if a plane was hit: that of normal, dist and plane */
    uint8_t reserved[9];
} onion_trace_result;

/* The same in double precision. */
typedef struct onion_trace_result_double {
    double fraction;
    double hit_fraction;
    double dist;
    double start[3];
    double end[3];
    double end_pos[3];
    double normal[3];
    uint32_t plane;
    uint8_t start_solid;
    uint8_t all_solid;
    uint8_t hit;
    uint8_t reserved[9];
} onion_trace_result_double;

/* Moves a hull from start towards end, and stops it the model's margin in front of what it hits. */
onion_status onion_trace(const onion_model *model, onion_hull hull, const float start[3],
                         const float end[3], onion_trace_result *trace);

/* onion_trace in double precision. */
onion_status onion_trace_double(const onion_model *model, onion_hull hull, const double start[3],
                                const double end[3], onion_trace_result_double *trace);

/* Many segments: x, y and z of segment i are at starts[3 * i] and ends[3 * i]. */
onion_status onion_trace_batch(const onion_model *model, onion_hull hull, const float *starts,
                               const float *ends, size_t count,
                               onion_trace_result *traces);

onion_status onion_trace_batch_double(const onion_model *model, onion_hull hull,
                                      const double *starts, const double *ends, size_t count, onion_trace_result_double *traces);

/* ---- Surfaces ------------------------------------------------------------------------------------ */

/* Size of a surface's name in bytes, with the terminator. */
#define ONION_SURFACE_NAME_SIZE 65

/* Gets the number of surfaces, which are the textures or shaders of the sides of brushes. 0 if the file has neither
 * surfaces nor brushes. */
onion_status onion_surface_count(const onion_map *map, uint32_t *count);

/* Gets the name of a surface: bytes as in the map, which need not be UTF-8, padded with zero bytes. */
onion_status onion_get_surface_name(const onion_map *map, uint32_t surface,
                                    char name[ONION_SURFACE_NAME_SIZE]);

/* ---- Hits ---------------------------------------------------------------------------------------- */

/* The source of a brush in the map. */
typedef enum onion_source_kind {
    ONION_SOURCE_BRUSH = 0, /* a brush */
    ONION_SOURCE_PATCH = 1, /* a patch, which consists of pieces */

    /* Not a kind: makes the type as large as an int. */
    ONION_SOURCE_KIND_SIZE = 0x7fffffff
} onion_source_kind;

/* The brush and side that a trace hit. If found is 0, entity is ONION_NO_ENTITY and the other members are 0. */
typedef struct onion_hit_result {
    uint32_t brush;                /* number of the brush, or piece of a patch, in the file */
    uint32_t contents;             /* contents of the brush: ONION_CONTENTS_... */
    onion_source_kind source_kind;
    uint32_t source;               /* number in the map: of the brush, or of the patch's surface */
    uint32_t side;                 /* number of the side in its brush in the map; 0 for patches */
    uint32_t surface;              /* number of the side's surface, 0 to onion_surface_count - 1 */
    uint32_t surface_flags;        /* as in the map */
    uint32_t surface_contents;     /* as in the map; hulls are blocked by the contents of the brush instead */
    uint32_t model;                /* number of the brush's model */
    uint32_t entity;               /* number of the entity that shows the model, or ONION_NO_ENTITY */
    uint8_t found;                 /* 1, or 0 if nothing was hit */
    uint8_t is_bevel;              /* 1 if the hull was stopped at an edge or a corner: side is near it */
    uint8_t reserved[6];
} onion_hit_result;

/* Finds the brush and side that a trace hit, given the model and the hull of the trace. If faces coincide, it is the
 * face of the lowest-numbered brush. Returns ONION_ERROR_NO_HIT_DATA if the file has no hit data. */
onion_status onion_hit(const onion_model *model, onion_hull hull, const onion_trace_result *trace,
                       onion_hit_result *hit);

onion_status onion_hit_double(const onion_model *model, onion_hull hull,
                              const onion_trace_result_double *trace, onion_hit_result *hit);

/* ---- Points -------------------------------------------------------------------------------------- */

/* The leaf of a point that is in none. */
#define ONION_NO_LEAF 0xffffffffu

/* Tests whether the interior of the hull's box, with its origin at point, overlaps solid: 1 or 0. */
onion_status onion_is_solid(const onion_model *model, onion_hull hull, const float point[3],
                            uint8_t *solid);

onion_status onion_is_solid_double(const onion_model *model, onion_hull hull,
                                   const double point[3], uint8_t *solid);

/* Tests many points in one call: x, y and z of point i are at points[3 * i]. */
onion_status onion_is_solid_batch(const onion_model *model, onion_hull hull,
                                  const float *points, size_t count, uint8_t *solid);

/* Tests a point for all hulls at once: bit h is set if hull h is solid there. */
onion_status onion_solidity(const onion_model *model, const float point[3],
                            uint64_t *solidity);

onion_status onion_solidity_double(const onion_model *model, const double point[3],
                                   uint64_t *solidity);

onion_status onion_solidity_batch(const onion_model *model, const float *points,
                                  size_t count, uint64_t *solidity);

/* Finds the leaf that contains a point, the same for all hulls (of the first group, if the map has several); on a
 * splitting plane, the leaf in front. ONION_NO_LEAF if the point is not finite or is beyond 2^30 units. */
onion_status onion_leaf_at(const onion_model *model, const float point[3], uint32_t *leaf);

/* Gets the solidity of a leaf, for the hulls of its group. */
onion_status onion_leaf_solidity(const onion_map *map, uint32_t leaf, uint64_t *solidity);

/* ---- Contents ------------------------------------------------------------------------------------ */

/* The contents at a point that is not finite or is beyond 2^30 units: solid, whatever the mask. */
#define ONION_ALL_CONTENTS 0xffffffffu

/* Gets the contents at a point, without any hull: the union of the contents (ONION_CONTENTS_...) of
 * all brushes that contain it, or 0. Returns ONION_ERROR_NO_BRUSHES if the file holds no brushes. */
onion_status onion_contents_at(const onion_model *model, const float point[3],
                               uint32_t *contents);

onion_status onion_contents_at_double(const onion_model *model, const double point[3],
                                      uint32_t *contents);

/* ---- Room ---------------------------------------------------------------------------------------- */

/* A place where a hull has room. If found is 0, point is zero. */
typedef struct onion_fit_result {
    float point[3];
    uint8_t found;       /* 1 if there is such a place, or 0 */
    uint8_t reserved[3];
} onion_fit_result;

/* Gets the hulls that have room at a point: bit h is set if hull h is not solid there. */
onion_status onion_hulls_that_fit(const onion_model *model, const float point[3],
                                  uint64_t *hulls);

onion_status onion_hulls_that_fit_double(const onion_model *model, const double point[3],
                                         uint64_t *hulls);

/* Finds the origin of an agent at point after it changes from one hull to another, for example stands up; not found
 * if the other hull has no room there. Its feet (the lowest points of the boxes) stay where they are. */
onion_status onion_switched_position(const onion_model *model, onion_hull from, onion_hull to,
                              const float point[3], onion_fit_result *fit);

/* Finds the nearest place to a point where the hull has room, at most radius units away: the point itself, if the
 * hull has room there, otherwise a place less than a few hundredths of a unit farther than the nearest. A search
 * examines at most 16384 leaves, then returns the best place so far: keep the radius to the distance that an agent
 * may be moved. */
onion_status onion_nearest_fit(const onion_model *model, onion_hull hull, const float point[3],
                               float radius, onion_fit_result *fit);

/* ---- Floors -------------------------------------------------------------------------------------- */

/* A floor: a convex polygon on which the origin of a hull is when it stands in the world. An agent that stands on it
 * has its origin at most the margin of a trace above it. Calls about floors return ONION_ERROR_NO_FLOORS if the file
 * was compiled without --floors. */
typedef struct onion_floor {
    double normal[3];   /* unit normal of its plane, which points up */
    double dist;        /* distance of the plane from the origin along the normal, in units */
    uint32_t n_corners; /* at least 3 */
    uint32_t reserved;
} onion_floor;

/* Not the number of a floor: there is none. */
#define ONION_NO_FLOOR 0xffffffffu

/* Gets the numbers of the floors of a hull: count numbers from first on. A hull without extent has no floors. */
onion_status onion_floors(const onion_map *map, onion_hull hull, uint32_t *first, uint32_t *count);

/* Gets a floor by its number. */
onion_status onion_get_floor(const onion_map *map, uint32_t number, onion_floor *floor);

/* Gets the corners of a floor, counterclockwise as seen from above. The first capacity of them are written to corners,
 * which may be NULL if capacity is 0; count is the number of all of them. */
onion_status onion_floor_corners(const onion_map *map, uint32_t number, double (*corners)[3],
                                 size_t capacity, size_t *count);

/* Gets the floor of a hull under a position of its origin, at most reach units below it, and the point of the floor
 * there. The highest floor counts, then the one with the lowest number. If there is none, or the position is not
 * finite, number is ONION_NO_FLOOR and point 0. In usual maps it takes time that grows with the logarithm of the
 * number of the hull's floors. */
onion_status onion_floor_at(const onion_map *map, onion_hull hull, const float position[3], double reach,
                            uint32_t *number, float point[3]);

onion_status onion_floor_at_double(const onion_map *map, onion_hull hull, const double position[3],
                                   double reach, uint32_t *number, double point[3]);

/* Gets the floor of a hull that is nearest to a position of its origin, at most max_distance units away, and its
 * nearest point. Of equally near floors, the one with the lowest number counts. If there is none, or the position is
 * not finite, number is ONION_NO_FLOOR and point 0. It is as fast as onion_floor_at. */
onion_status onion_nearest_floor(const onion_map *map, onion_hull hull, const float position[3],
                                 double max_distance, uint32_t *number, float point[3]);

onion_status onion_nearest_floor_double(const onion_map *map, onion_hull hull, const double position[3],
                                        double max_distance, uint32_t *number, double point[3]);

/* Gets a random place of a hull: a floor and its point, as likely everywhere on the hull's floors as seen from
 * above. random is three uniform random numbers from 0 to 1, such as rand() / (float)RAND_MAX; equal numbers give
 * equal places. If the hull has no floors, or a number is not from 0 to 1, number is ONION_NO_FLOOR and point 0. It
 * looks at all floors of the hull. */
onion_status onion_random_place(const onion_map *map, onion_hull hull, const float random[3],
                                uint32_t *number, float point[3]);

onion_status onion_random_place_double(const onion_map *map, onion_hull hull, const double random[3],
                                       uint32_t *number, double point[3]);

/* ---- Movement ------------------------------------------------------------------------------------ */

/* The parameters of walking. Set them with onion_default_walk_settings, then change the members that differ. */
typedef struct onion_walk_settings {
    float step_height;  /* of the highest step that is walked up or down without falling, in units */
    float min_ground_z; /* least upward part of the unit normal of a surface to stand on, 0 to 1 */
    float gravity;      /* in units per second squared */
    float air_control;  /* how quickly a velocity in the air becomes the wished one, in parts per second */
    float max_unstick;  /* the farthest that an agent in solid is moved to get out of it, in units; at most 128 */
} onion_walk_settings;

/* Sets the defaults, which are Quake III's where it has them. */
onion_status onion_default_walk_settings(onion_walk_settings *settings);

/* A surface to stand on, or an obstacle. If found is 0, all members are 0. */
typedef struct onion_ground {
    float normal[3];        /* unit normal, facing the motion */
    float velocity[3];      /* of the ground at the agent, in units per second, as onion_scene_agent_ride found it */
    uint32_t object;        /* in a model, the model's number; in a scene, the mover's index plus 1, or 0 for the map */
    uint32_t brush;         /* as in onion_hit_result, and 0 if has_surface is */
    uint32_t contents;      /* contents of the brush: ONION_CONTENTS_... */
    uint32_t surface;
    uint32_t surface_flags;
    uint8_t found;          /* 1, or 0 if there is no surface */
    uint8_t has_surface;    /* 1 if the four members above are known: for ground, in a file with hit data */
    uint8_t reserved[2];
} onion_ground;

/* A walking agent. If it is not in solid, it is not in solid after any call. A game may change any member; a game
 * that throws an agent up sets ground.found to 0. */
typedef struct onion_agent {
    onion_hull stance;   /* the hull that moves */
    float position[3];   /* origin of its box, in units */
    float velocity[3];   /* in units per second: on the ground relative to the ground, otherwise to the world */
    onion_ground ground; /* the ground that it stands on; not found in the air */
    onion_ground met;    /* the first surface that was in the way of the last onion_agent_walk */
} onion_agent;

/* Makes an agent at rest in the air. If there is ground below it, it stands after the first tick. */
onion_status onion_agent_init(onion_hull stance, const float position[3], onion_agent *agent);

/* Moves the agent for one tick of dt seconds. wish_velocity is the horizontal velocity that the agent should have,
 * in units per second: it takes effect at once on the ground, gradually in the air. The agent slides along walls,
 * walks up and down steps, stays on the ground as long as the ground drops by no more than a step, and falls in the
 * air. An agent in solid is first put at a free place nearby. Nothing moves if a number is not finite or dt is not
 * above 0. */
onion_status onion_agent_walk(const onion_model *model, const onion_walk_settings *settings,
                              const float wish_velocity[2], float dt, onion_agent *agent);

/* Moves the agent for one tick of dt seconds in any direction, without gravity: in water, on a ladder, or flying.
 * wish_velocity takes effect at once. The agent slides along walls, and stands on ground that it sinks to. */
onion_status onion_agent_swim(const onion_model *model, const onion_walk_settings *settings,
                              const float wish_velocity[3], float dt, onion_agent *agent);

/* The depth of an agent in a liquid. */
typedef enum onion_water_level {
    ONION_WATER_DRY = 0,   /* its feet are dry */
    ONION_WATER_FEET = 1,  /* its feet are in the liquid: it walks */
    ONION_WATER_WAIST = 2, /* it is in the liquid to the waist: it swims */
    ONION_WATER_EYES = 3,  /* its eyes are under the surface */

    /* Not a level: makes the type as large as an int. */
    ONION_WATER_LEVEL_SIZE = 0x7fffffff
} onion_water_level;

/* Gets how deep an agent is in liquids of these contents, such as ONION_CONTENTS_WATER | ONION_CONTENTS_SLIME. It is dry
 * if the file holds no brushes. */
onion_status onion_agent_water_level(const onion_model *model, uint32_t liquids, const onion_agent *agent,
                                     onion_water_level *level);

/* Makes the agent leave the ground with this vertical speed, in units per second, from the next tick on, and adds the
 * velocity of the ground; jumped is 1 if the agent stood on ground to jump from, otherwise 0. */
onion_status onion_agent_jump(float speed, onion_agent *agent, uint8_t *jumped);

/* Switches to another hull, such as the one for crouching, if its box fits where the agent is; its feet stay where
 * they are. switched is 1 if the agent has that hull now, otherwise 0. */
onion_status onion_agent_switch_stance(const onion_model *model, onion_hull to, onion_agent *agent,
                                       uint8_t *switched);

/* ---- Shapes -------------------------------------------------------------------------------------- */

typedef enum onion_shape_kind {
    ONION_SHAPE_BOX = 0,        /* from the corner a to the corner b; all zero is a point */
    ONION_SHAPE_CAPSULE = 1,    /* all points within radius of the segment from a to b; a ball if a is b */
    ONION_SHAPE_TURNED_BOX = 2, /* with its middle at a and half its size b along three axes of its own */
    ONION_SHAPE_CYLINDER = 3,   /* upright, around its middle a, with half its height b[2]: a prism of n_sides */

    /* Not a kind: makes the type as large as an int. */
    ONION_SHAPE_KIND_SIZE = 0x7fffffff
} onion_shape_kind;

/* A shape of any size, in units relative to the point that is traced. Members that its kind does not use are not
 * read. */
typedef struct onion_shape {
    uint32_t kind;    /* one of onion_shape_kind */
    uint32_t n_sides; /* 8, 16 or 32 */
    double a[3];
    double b[3];
    double axes[3][3]; /* unit vectors at right angles, within 1/1024 */
    double radius;
} onion_shape;

/* The mover of a trace that hit none: it hit the world, a model that was traced by itself, or nothing. */
#define ONION_NO_MOVER 0xffffffffu

typedef struct onion_shape_trace_result {
    double fraction;       /* part of the segment that can be moved, 0 to 1; 1 if nothing was hit */
    double hit_fraction;   /* part before solid is entered, without back-off; 1 if it never is */
    float end_pos[3];      /* the end of the move; not solid if the start is not */
    float normal[3];       /* unit normal of what was hit, facing the motion, or 0 */
    onion_hit_result met;  /* the brush and side that were hit; not found in a file without hit data */
    uint32_t mover;        /* index in the scene of the mover that was hit, or ONION_NO_MOVER */
    uint8_t start_solid;   /* 1 if the start is solid: the trace goes on to the next solid it enters */
    uint8_t all_solid;     /* 1 if all of the segment is solid, or not finite: fraction is 0 */
    uint8_t hit;           /* 1 if something was hit, and normal is set */
    uint8_t reserved;
} onion_shape_trace_result;

/* The same in double precision. */
typedef struct onion_shape_trace_result_double {
    double fraction;
    double hit_fraction;
    double end_pos[3];
    double normal[3];
    onion_hit_result met;
    uint32_t mover;
    uint8_t start_solid;
    uint8_t all_solid;
    uint8_t hit;
    uint8_t reserved;
} onion_shape_trace_result_double;

/* Moves a shape among the brushes that have any of the contents. Brushes are tested one by one, and space that
 * filling made solid does not stop the shape. This takes longer than onion_trace, growing with the number of brushes
 * near the way. Returns ONION_ERROR_NO_BRUSHES if the file holds no brushes, ONION_ERROR_SHAPE if the shape is
 * invalid. */
onion_status onion_trace_shape(const onion_model *model, const onion_shape *shape, uint32_t contents,
                               const float start[3], const float end[3],
                               onion_shape_trace_result *trace);

onion_status onion_trace_shape_double(const onion_model *model, const onion_shape *shape,
                                      uint32_t contents, const double start[3], const double end[3],
                                      onion_shape_trace_result_double *trace);

/* Tests whether the interior of a shape at a point overlaps a brush that has any of the contents: 1 or 0. */
onion_status onion_shape_is_solid(const onion_model *model, const onion_shape *shape, uint32_t contents,
                                  const float point[3], uint8_t *solid);

onion_status onion_shape_is_solid_double(const onion_model *model, const onion_shape *shape,
                                         uint32_t contents, const double point[3], uint8_t *solid);

/* ---- Scenes -------------------------------------------------------------------------------------- */

/* The position and rotation of a model. */
typedef struct onion_pose {
    double origin[3];   /* of the model, in the world, in units */
    double rotation[4]; /* a quaternion x, y, z, w of any length: 0, 0, 0, 1 is not turned; about a unit axis by an
                         * angle it is the axis times the sine of half the angle, and the cosine of that half */
} onion_pose;

/* A model that moves at a constant velocity from one pose to another during a tick, and turns about one axis at a
 * constant rate, the shorter way. A model that is turned needs the brushes in the file (ONION_ERROR_NO_BRUSHES). */
typedef struct onion_mover {
    onion_pose from; /* at the beginning of the tick, moment 0 */
    onion_pose to;   /* at its end, moment 1 */
    uint32_t model;  /* number of the model, not 0 */
    uint32_t reserved;
} onion_mover;

/* Maximum number of movers in a scene. A call takes 64 KB of its stack for them, or 8 KB if there are at most 64. */
#define ONION_MAX_MOVERS 512

/* The world of a map with some of its models at their current poses. Fill it in; it holds pointers, and may be
 * copied. */
typedef struct onion_scene {
    const onion_map *map;
    const onion_mover *movers; /* may be NULL if there are none */
    size_t n_movers;           /* at most ONION_MAX_MOVERS, or calls return ONION_ERROR_COUNT */
    double margin;               /* distance that traces keep from what they hit: ONION_DEFAULT_MARGIN */
} onion_scene;

/* Gets all models except the world, such as doors and lifts, at rest where the map has them, model 1 first. The first
 * capacity of them are written to movers, which may be NULL if capacity is 0; count is the number of all of them. */
onion_status onion_movers_at_rest(const onion_map *map, onion_mover *movers, size_t capacity,
                                  size_t *count);

/* Moves a hull while the movers move. end_pos is the place where the hull is stopped, with the movers at their poses
 * of that moment (fraction of their ways). A solid or mover that it starts in does not stop it, unless it holds the
 * hull all the way. */
onion_status onion_scene_trace(const onion_scene *scene, onion_hull hull, const float start[3],
                               const float end[3], onion_shape_trace_result *trace);

onion_status onion_scene_trace_double(const onion_scene *scene, onion_hull hull, const double start[3],
                                      const double end[3], onion_shape_trace_result_double *trace);

/* Tests whether a hull is inside anything at a moment of the movers' ways, 0 to 1: 1 or 0. */
onion_status onion_scene_is_solid(const onion_scene *scene, onion_hull hull, const float point[3],
                                  double moment, uint8_t *solid);

onion_status onion_scene_is_solid_double(const onion_scene *scene, onion_hull hull,
                                         const double point[3], double moment, uint8_t *solid);

/* What the movers of a scene did to an agent in a tick: indices in the scene, or ONION_NO_MOVER. */
typedef struct onion_ride {
    uint32_t crushed_by; /* the mover that would end the tick inside the agent, which has no room to give way */
    uint32_t pushed_by;  /* the last mover that was in the agent's way or had the agent in its way */
} onion_ride;

/* Moves the agent with the movers of a scene, from the beginning of a tick of dt seconds to its end, before it walks.
 * The mover that it stands on carries it; a mover that meets it pushes it. It is not in solid afterwards, with the
 * movers where their ways end, unless it was before, or is crushed. An agent that is crushed has not moved: stop the
 * mover (copy from to to) and repeat the call, or let it go on. An agent keeps the velocity of a mover that it jumps or
 * walks off. Movers keep their indices from tick to tick. Nothing moves if a number is not finite or dt is not above
 * 0. */
onion_status onion_scene_agent_ride(const onion_scene *scene, const onion_walk_settings *settings,
                                    float dt, onion_agent *agent, onion_ride *ride);

/* Runs onion_agent_walk in a scene, with all movers where their ways end. */
onion_status onion_scene_agent_walk(const onion_scene *scene, const onion_walk_settings *settings,
                                    const float wish_velocity[2], float dt, onion_agent *agent);

/* Runs onion_agent_swim in a scene, with all movers where their ways end. */
onion_status onion_scene_agent_swim(const onion_scene *scene, const onion_walk_settings *settings,
                                    const float wish_velocity[3], float dt, onion_agent *agent);

/* Runs onion_agent_water_level in a scene. */
onion_status onion_scene_agent_water_level(const onion_scene *scene, uint32_t liquids, const onion_agent *agent,
                                           onion_water_level *level);

/* Runs onion_agent_switch_stance in a scene. */
onion_status onion_scene_agent_switch_stance(const onion_scene *scene, onion_hull to,
                                             onion_agent *agent, uint8_t *switched);

/* ---- Links --------------------------------------------------------------------------------------- */

/* Calls about classes of agents, links and paths return ONION_ERROR_NO_LINKS if the file was compiled without --floors.
 *
 * A class of agents: the hulls that are the stances of one agent, such as for standing and for crouching, and how it
 * moves. It is an --agent of the compile, or the hulls of equal width and contents. */
typedef struct onion_agent_class {
    uint64_t hulls;                  /* bit h is set if hull h is one of its stances */
    double speed;                    /* horizontal speed at which it runs, in units per second */
    double jump;                     /* height that it can jump, in units; 0 if it does not jump */
    double drop;                     /* greatest height that it may fall, in units */
    double swim;                     /* speed at which it swims, in units per second; 0 if it does not swim */
    double climb;                    /* speed at which it climbs ladders, likewise */
    onion_walk_settings settings;    /* how it walks */
    char name[ONION_HULL_NAME_SIZE]; /* UTF-8, with a zero byte at its end */
    uint8_t reserved[3];
} onion_agent_class;

/* Not the number of a class of agents: there is none. */
#define ONION_NO_AGENT_CLASS 0xffffffffu

/* Gets the number of classes of agents. */
onion_status onion_agent_class_count(const onion_map *map, uint32_t *count);

/* Gets a class of agents by its number, from 0 on. */
onion_status onion_get_agent_class(const onion_map *map, uint32_t number, onion_agent_class *agent_class);

/* Gets the number of the class of agents that a hull is a stance of, at most one, or ONION_NO_AGENT_CLASS. */
onion_status onion_agent_class_of(const onion_map *map, onion_hull hull, uint32_t *number);

/* How an agent takes a link. */
typedef enum onion_link_kind {
    ONION_LINK_WALK = 0,     /* it walks on, up or down a step if there is one */
    ONION_LINK_CROUCH = 1,   /* it changes to a lower stance, and walks on */
    ONION_LINK_STAND = 2,    /* it walks on, and changes to a taller stance */
    ONION_LINK_DROP = 3,     /* it runs over an edge, and falls */
    ONION_LINK_JUMP = 4,     /* it jumps */
    ONION_LINK_SWIM = 5,     /* it swims up, and jumps out of the water */
    ONION_LINK_CLIMB = 6,    /* it climbs up or down a ladder */
    ONION_LINK_TELEPORT = 7, /* the game puts it elsewhere */
    ONION_LINK_JUMP_PAD = 8, /* the game throws it into the air */
    ONION_LINK_LIFT = 9,     /* a lift takes it up */

    /* Not a kind: makes the type as large as an int. */
    ONION_LINK_KIND_SIZE = 0x7fffffff
} onion_link_kind;

/* A one-way link between two floors of one class of agents, as the compiler drove an agent across it. Agents leave a
 * floor anywhere on a line; where the game takes them along, the floor is in a teleporter, on a jump pad or under a lift,
 * and the line is one place of it. Places are x and y, in units. */
typedef struct onion_link {
    double right[2];  /* the right end of the line, as seen by an agent that leaves */
    double left[2];   /* its left end */
    double across[2]; /* way from a place on the line to the agent's place on the other floor; 0 if it walks */
    uint32_t from;    /* number of the floor that it leaves */
    uint32_t to;      /* number of the floor that it leads to */
    uint32_t kind;    /* one of onion_link_kind */
    uint8_t turns[2]; /* 1 if shortest paths may turn at the right end and at the left end, or 0 */
    uint8_t only_to_goal; /* 1 if paths take it only to a goal on that floor, too narrow to walk along, or 0 */
    uint8_t upright;      /* 1 if a taller stance can cross it as well, so that path searches may skip it, or 0 */
} onion_link;

/* Gets the number of links. */
onion_status onion_link_count(const onion_map *map, uint32_t *count);

/* Gets a link by its number, from 0 on. */
onion_status onion_get_link(const onion_map *map, uint32_t number, onion_link *link);

/* Gets the numbers of the links that leave a floor: count numbers from first on. */
onion_status onion_links_from(const onion_map *map, uint32_t floor, uint32_t *first, uint32_t *count);

/* ---- Paths --------------------------------------------------------------------------------------- */

/* What parts of a path cost, beside 1 for each unit of the way as seen from above. Set it with
 * onion_default_path_costs, then change the members that differ. */
typedef struct onion_path_costs {
    double crouched;      /* cost of a unit of the way in other stances than the tallest, at least 1 */
    double switch_stance; /* cost of a change of stance, 0 or more, as all that follow */
    double drop;          /* cost of a drop */
    double jump;          /* cost of a jump */
    double climb;         /* cost of swimming up, of climbing a ladder, or of riding a lift */
} onion_path_costs;

/* Sets costs with which an agent takes detours of a few steps to avoid a drop, a jump, a climb or a lift, and at most
 * twice the way to avoid crouching. */
onion_status onion_default_path_costs(onion_path_costs *costs);

/* A place where a path begins, turns, crosses from one floor to another in a way that is not walking, or ends. */
typedef struct onion_path_point {
    double position[3]; /* origin of the hull on the floor, in units */
    onion_hull hull;    /* the stance in which an agent arrives there */
    uint32_t floor;     /* number of the floor */
    uint32_t kind;      /* how it gets there from the point before: one of onion_link_kind */
} onion_path_point;

typedef struct onion_path_result {
    double length;     /* length of the path as seen from above, in units */
    double cost;       /* about the length, which the clearance from corners makes a little greater, and what the
                        * costs add */
    uint32_t n_points; /* number of its points, at least 2 */
    uint32_t reserved;
} onion_path_result;

/* A part of the caller's memory for searches, one search at a time. Set it to zero once, before the first search that
 * uses it; later searches take it as it is. */
typedef struct onion_path_scratch {
    uint64_t opaque[16];
} onion_path_scratch;

/* Gets the number of onion_path_scratch that is enough for most searches in this map, for a path of at most capacity
 * points. If onion_path returns ONION_ERROR_PATH_SCRATCH, try again with twice as many. */
onion_status onion_path_scratch_count(const onion_map *map, size_t capacity, size_t *count);

/* Finds the way of least cost for an agent from one position to another. Both are origins of hull, on a floor or at
 * most a step above it. The agent may change its stance on the way: the first point has the tallest one that has room
 * at the start. points has room for capacity of them; the first is the start on its floor, the last is the goal on
 * its floor, and there is one wherever the way turns or crosses a link that is not walking. scratch has n_scratch
 * members; it is aligned as its type is, and no argument or answer overlaps it.
 *
 * Of ways that only walk, no other is shorter as seen from above by more than rounding; where links take the agent
 * across, it leaves a floor in the direction of the goal, and another place may be better. Returns
 * ONION_ERROR_NO_AGENT, ONION_ERROR_NO_START, ONION_ERROR_NO_GOAL or ONION_ERROR_NO_WAY if there is no path,
 * ONION_ERROR_PATH_SCRATCH or ONION_ERROR_PATH_POINTS if there is too little memory. */
onion_status onion_path(const onion_map *map, onion_hull hull, const float start[3], const float goal[3],
                        const onion_path_costs *costs, onion_path_scratch *scratch, size_t n_scratch,
                        onion_path_point *points, size_t capacity, onion_path_result *path);

onion_status onion_path_double(const onion_map *map, onion_hull hull, const double start[3],
                               const double goal[3], const onion_path_costs *costs,
                               onion_path_scratch *scratch, size_t n_scratch, onion_path_point *points,
                               size_t capacity, onion_path_result *path);

/* Gets the numbers of the floors that an agent gets to from a position, the floor it is on first, then by the number
 * of links on the way. They are those of all its stances. The first capacity of them are written to floors, which
 * may be NULL if capacity is 0; count is the number of all of them. The position is the origin of hull, and scratch
 * is that of a path without points. Returns ONION_ERROR_NO_AGENT, ONION_ERROR_NO_START or ONION_ERROR_PATH_SCRATCH. */
onion_status onion_reachable_floors(const onion_map *map, onion_hull hull, const float start[3],
                                    onion_path_scratch *scratch, size_t n_scratch, uint32_t *floors,
                                    size_t capacity, size_t *count);

onion_status onion_reachable_floors_double(const onion_map *map, onion_hull hull, const double start[3],
                                           onion_path_scratch *scratch, size_t n_scratch, uint32_t *floors,
                                           size_t capacity, size_t *count);

/* Tests whether an agent gets from one position to another, 1 or 0: whether onion_path finds a way, which takes
 * longer. Both are origins of hull. Returns ONION_ERROR_NO_AGENT, ONION_ERROR_NO_START, ONION_ERROR_NO_GOAL or
 * ONION_ERROR_PATH_SCRATCH. */
onion_status onion_can_reach(const onion_map *map, onion_hull hull, const float start[3],
                             const float goal[3], onion_path_scratch *scratch, size_t n_scratch,
                             uint8_t *reaches);

onion_status onion_can_reach_double(const onion_map *map, onion_hull hull, const double start[3],
                                    const double goal[3], onion_path_scratch *scratch, size_t n_scratch,
                                    uint8_t *reaches);

/* A walker on a path: what an agent has beside its onion_agent while it follows one. It refers to the points by number,
 * so a game keeps them with it. Set it with onion_path_follower_init for each new path. */
typedef struct onion_path_follower {
    double nearest;     /* least distance from the next point so far, as seen from above; infinite at first */
    double waited;      /* how long it has not come nearer, in seconds */
    uint32_t next;      /* number of the point that it walks to */
    uint8_t has_jumped; /* 1 if it has jumped on its way to that point, or 0 */
    uint8_t reserved[3];
} onion_path_follower;

/* Sets a walker at the start of a path. */
onion_status onion_path_follower_init(onion_path_follower *follower);

/* What a walker did in a tick. */
typedef enum onion_progress {
    ONION_FOLLOWING = 0, /* it goes on */
    ONION_ARRIVED = 1,   /* it stands at the last point */
    ONION_STUCK = 2,     /* it has not come nearer to the next point for two seconds: something that moves is in its
                          * way, or it left the path; or it has waited beside a lift for 32 seconds; find another path
                          * from where it is */

    /* Not a progress: makes the type as large as an int. */
    ONION_PROGRESS_SIZE = 0x7fffffff
} onion_progress;

/* Moves the agent along a path for one tick of dt seconds, in place of onion_agent_walk: at the speed of its class,
 * slower where it has to, and never past a point. It walks in straight lines from point to point, slows down where it
 * drops over an edge, jumps where a link says so, and changes its stance. At the last point it stands. points has
 * n_points members, as onion_path wrote them; of a path of no points, the agent is at the end. The agent's met stays
 * as it is. */
onion_status onion_agent_follow(const onion_model *model, const onion_agent_class *agent_class,
                                const onion_path_point *points, size_t n_points, float dt,
                                onion_agent *agent, onion_path_follower *follower, onion_progress *progress);

/* Runs onion_agent_follow in a scene, with all movers where their ways end. The path does not know of movers: one that
 * is in the way stops the agent. */
onion_status onion_scene_agent_follow(const onion_scene *scene, const onion_agent_class *agent_class,
                                      const onion_path_point *points, size_t n_points, float dt,
                                      onion_agent *agent, onion_path_follower *follower,
                                      onion_progress *progress);

/* ---- Linked portals ------------------------------------------------------------------------------ */

/* An opening that leads to its partner: a rectangle that stands upright. What passes is the origin of a hull, so around
 * both openings there has to be room for its box. */
typedef struct onion_linked_portal {
    double center[3];    /* the middle of the opening, in units */
    double half_size[2]; /* half of its width and height */
    uint32_t facing;     /* the direction that it faces, in quarter turns counterclockwise from the x axis, 0 to 3 */
    uint32_t partner;    /* index of its partner in the list */
} onion_linked_portal;

/* Maximum number of linked portals in a map or a linked world. A call takes 14 KB of its stack for them, or less if
 * there are at most 8. */
#define ONION_MAX_LINKED_PORTALS 256

/* Gets the linked portals that the map's entities of the class info_linked_portal declare. The first capacity of them
 * are written to portals, which may be NULL if capacity is 0; count is the number of all of them. Returns
 * ONION_ERROR_PORTAL if an entity's keys are not as they should be; the compiler's warning says which and why. */
onion_status onion_linked_portals(const onion_map *map, onion_linked_portal *portals, size_t capacity,
                                  size_t *count);

/* A scene in which linked portals lead to each other. What lies behind an opening is where it would be if its partner
 * were there: points and directions in a call are those of the space around the place where the call begins. Fill it
 * in; it holds pointers, and may be copied. */
typedef struct onion_linked_world {
    onion_scene scene;                  /* n_movers may be 0 */
    const onion_linked_portal *portals; /* may be NULL if there are none */
    size_t n_portals;                   /* at most ONION_MAX_LINKED_PORTALS, or calls return ONION_ERROR_COUNT */
} onion_linked_world;

typedef struct onion_linked_trace_result {
    double fraction;     /* part of the segment that the hull can move, 0 to 1; 1 if nothing was hit */
    float end_pos[3];    /* the end of the move, in the space around the start */
    float normal[3];     /* unit normal of what was hit, facing the motion, in that space, or 0 */
    uint32_t object;     /* the mover's index plus 1, or 0 for the map */
    uint8_t hit;         /* 1 if something was hit, and normal is set */
    uint8_t reserved[3];
} onion_linked_trace_result;

/* The same in double precision. */
typedef struct onion_linked_trace_result_double {
    double fraction;
    double end_pos[3];
    double normal[3];
    uint32_t object;
    uint8_t hit;
    uint8_t reserved[3];
} onion_linked_trace_result_double;

/* Moves a hull through portals, with all movers where their ways end. After 64 portals, the next one ends the trace. */
onion_status onion_linked_trace(const onion_linked_world *world, onion_hull hull, const float start[3],
                                const float end[3], onion_linked_trace_result *trace);

onion_status onion_linked_trace_double(const onion_linked_world *world, onion_hull hull,
                                       const double start[3], const double end[3],
                                       onion_linked_trace_result_double *trace);

/* Gets the real place of a point as seen from eye, such as the start and the end of a trace, and the quarter turns from
 * directions around eye to those at that place, 0 to 3. */
onion_status onion_linked_place(const onion_linked_world *world, const float eye[3], const float point[3],
                                float place[3], uint8_t *quarters);

onion_status onion_linked_place_double(const onion_linked_world *world, const double eye[3],
                                       const double point[3], double place[3], uint8_t *quarters);

/* Runs onion_agent_walk through portals, with all movers where their ways end, and puts the agent where it really is.
 * The game turns the agent's view by quarters quarter turns counterclockwise, 0 to 3. The agent's met is in the space
 * where the tick began. An agent that would arrive in solid, because there is too little room around an opening, goes
 * back to where the tick began, at rest. */
onion_status onion_linked_agent_walk(const onion_linked_world *world, const onion_walk_settings *settings,
                                     const float wish_velocity[2], float dt, onion_agent *agent,
                                     uint8_t *quarters);

/* Runs onion_agent_swim in the same way. */
onion_status onion_linked_agent_swim(const onion_linked_world *world, const onion_walk_settings *settings,
                                     const float wish_velocity[3], float dt, onion_agent *agent,
                                     uint8_t *quarters);

/* ---- Transitions --------------------------------------------------------------------------------- */

typedef enum onion_transition_kind {
    ONION_EMPTY = 0,       /* the whole segment is empty */
    ONION_SOLID = 1,       /* the whole segment is solid, or not finite */
    ONION_ENTER_SOLID = 2, /* it passes from empty to solid */
    ONION_LEAVE_SOLID = 3, /* it passes from solid to empty */

    /* Not a kind: makes the type as large as an int. */
    ONION_TRANSITION_KIND_SIZE = 0x7fffffff
} onion_transition_kind;

/* A change of solidity along a segment, or the solidity of the whole segment. In the latter case, fraction is 1,
 * leaves are ONION_NO_LEAF and the other numbers are 0. */
typedef struct onion_transition {
    double fraction;            /* part of the segment before the crossing, 0 to 1 */
    double dist;                /* distance of the plane from the origin along its normal, in units */
    double point[3];            /* the point of the crossing */
    double normal[3];           /* unit normal of the plane that is crossed, facing the motion */
    onion_transition_kind kind;
    uint32_t from_leaf;         /* the leaf before the crossing, or ONION_NO_LEAF */
    uint32_t to_leaf;           /* the leaf after it */
    uint8_t has_plane;          /* 1 if normal and dist are set, or 0 */
    uint8_t reserved[3];
} onion_transition;

/* Finds the first change of solidity along a segment. Exact, without back-off. */
onion_status onion_find_first_transition(const onion_model *model, onion_hull hull,
                                         const float start[3], const float end[3],
                                         onion_transition *transition);

onion_status onion_find_first_transition_double(const onion_model *model, onion_hull hull,
                                                const double start[3], const double end[3],
                                                onion_transition *transition);

/* Finds all changes, in order; if there are none, writes one answer with the solidity of the whole segment. The first
 * capacity of them are written to transitions, which may be NULL if capacity is 0; count is the number of all of
 * them, which may be larger. */
onion_status onion_transitions(const onion_model *model, onion_hull hull, const float start[3],
                               const float end[3], onion_transition *transitions, size_t capacity,
                               size_t *count);

onion_status onion_transitions_double(const onion_model *model, onion_hull hull,
                                      const double start[3], const double end[3],
                                      onion_transition *transitions, size_t capacity, size_t *count);

#ifdef __cplusplus
}
#endif

#endif
