/*
 * onion.h - traces boxes through maps that onionc compiled (.onion files).
 *
 * A map is loaded in place: it borrows the bytes of its file, checks them once, and after that answers,
 * for a chosen hull (an axis-aligned box that the map was compiled for), where the box first meets the
 * map, and whether a point is solid for it. C99, or any C++.
 *
 *   - No call allocates, aborts, prints, or has state of its own. A loaded map is never written to, so
 *     any number of threads may ask it at the same time without a lock.
 *   - Every call that can fail returns an onion_status. NULL pointers, numbers out of range, maps that
 *     are not loaded and files of any content give a status. A call that fails writes no answer.
 *   - Points that are not finite, or beyond 2^30 units, are no errors: they are solid.
 *   - Pointers to points, names and answers need no alignment. An answer may be written over an argument
 *     of the same call (start may be trace->end_pos); an array of answers may not overlap one of
 *     arguments. An array of none may be NULL.
 *   - Coordinates are the map's units; a point is the origin of the hull's box. Touching is free: solid
 *     is open. Queries are in the model's own space: subtract the position of a model that has moved.
 *   - Members named reserved are 0 today, and will be used.
 *
 *     static onion_map map;
 *     uint32_t stand;
 *     const float mins[3] = {-16, -16, -24}, maxs[3] = {16, 16, 32};
 *     if (onion_load(&map, bytes, size) == ONION_OK &&
 *         onion_require_hull(&map, "stand", mins, maxs, &stand) == ONION_OK) {
 *         onion_trace_result trace;
 *         onion_trace(&map, ONION_WORLD, stand, start, end, &trace);
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

    /* A pointer is NULL, or that of the map is not aligned. */
    ONION_ERROR_POINTER = 1,
    /* onion_load was not called for the map, or failed. */
    ONION_ERROR_NOT_LOADED = 2,
    /* A size or count is larger than memory can be. */
    ONION_ERROR_COUNT = 3,
    /* The map has no model of this number. */
    ONION_ERROR_MODEL = 4,
    /* The map has no hull of this number or name: add a --hull to the compile. */
    ONION_ERROR_HULL = 5,
    /* The map's hull of this name has another box: make game and compile agree. */
    ONION_ERROR_BOX = 6,
    /* The map has no leaf of this number. */
    ONION_ERROR_LEAF = 7,

    /* Why onion_load refuses a file. This is some other file. */
    ONION_ERROR_FILE_MAGIC = 32,
    /* It ends too early. */
    ONION_ERROR_FILE_TRUNCATED = 33,
    /* A layout that this library does not know. */
    ONION_ERROR_FILE_VERSION = 34,
    /* Its header says another length. */
    ONION_ERROR_FILE_LENGTH = 35,
    /* The bytes are not those that were written. */
    ONION_ERROR_FILE_CHECKSUM = 36,
    /* A chunk is missing, out of order or of another record size. */
    ONION_ERROR_FILE_CHUNK = 37,
    /* A record breaks a rule of the format, although the checksum is right. */
    ONION_ERROR_FILE_RECORD = 38,
    /* Anything else that the compiler does not write. */
    ONION_ERROR_FILE_OTHER = 39,

    /* No status: makes the type as large as an int. */
    ONION_STATUS_SIZE = 0x7fffffff
} onion_status;

/* A status in words, in English, without a period; "unknown status" for other numbers. Never NULL. */
const char *onion_status_string(onion_status status);

/* ---- Version and loading ------------------------------------------------------------------------- */

/* Version of this header: major, minor and patch, a byte each. */
#define ONION_VERSION 0x000100u

/* Version of the library that is linked: ONION_VERSION of its header. */
uint32_t onion_version(void);

/* A loaded map, in memory of the caller's. It holds pointers into the file's bytes, and may be copied. */
typedef struct onion_map {
    uint64_t opaque[64];
} onion_map;

/* Checks a whole file (at any address) and loads it: one look at every byte. The bytes must stay where
 * they are, unchanged, for as long as the map or a copy of it is used; there is nothing to free. If the
 * call fails, so do all calls with the map (ONION_ERROR_NOT_LOADED), as with one that is all zero. */
onion_status onion_load(onion_map *map, const void *bytes, size_t size);

/* Version of the layout of the map's file. */
onion_status onion_file_version(const onion_map *map, uint32_t *version);

/* ---- Hulls --------------------------------------------------------------------------------------- */

/* Bytes that a hull's name takes at most, with the zero byte at its end. */
#define ONION_HULL_NAME_SIZE 33

typedef struct onion_hull_info {
    char name[ONION_HULL_NAME_SIZE]; /* UTF-8, with a zero byte at its end */
    uint8_t filled;                  /* 1 if what the hull cannot reach in the world is solid, or 0 */
    uint8_t reserved[2];
    float mins[3];                   /* lower corner of the box relative to its origin, in units */
    float maxs[3];                   /* upper corner */
    uint32_t contents;               /* what blocks the hull, as bits of the map's contents */
} onion_hull_info;

/* Number of hulls, 1 to 64; they are numbered from 0. */
onion_status onion_hull_count(const onion_map *map, uint32_t *count);

onion_status onion_get_hull_info(const onion_map *map, uint32_t hull, onion_hull_info *info);

/* The number of the hull of this name. */
onion_status onion_find_hull(const onion_map *map, const char *name, uint32_t *hull);

/* The same, if the hull has exactly this box: call it once after loading, so that a game and a map that
 * disagree are found at once. */
onion_status onion_require_hull(const onion_map *map, const char *name, const float mins[3],
                                const float maxs[3], uint32_t *hull);

/* ---- Models -------------------------------------------------------------------------------------- */

/* The model that is the world; others are inline models such as doors. */
#define ONION_WORLD 0u

/* The entity of a model that no entity shows. */
#define ONION_NO_ENTITY 0xffffffffu

typedef struct onion_model_info {
    float origin[3]; /* where the map's entity puts the model, in units */
    float mins[3];   /* box around the model's brushes, in its own space; zero if there are none */
    float maxs[3];
    uint32_t entity; /* number of the entity that shows the model, or ONION_NO_ENTITY */
} onion_model_info;

/* Number of models, at least 1. */
onion_status onion_model_count(const onion_map *map, uint32_t *count);

onion_status onion_get_model_info(const onion_map *map, uint32_t model, onion_model_info *info);

/* ---- Traces -------------------------------------------------------------------------------------- */

/* Distance that onion_trace keeps from the plane that is hit, in units. */
#define ONION_DEFAULT_SKIN 0.03125

typedef struct onion_trace_result {
    double fraction;      /* part of the segment that the hull can move, 0 to 1; 1 if nothing was hit */
    double hit_fraction;  /* part before it enters solid, without back-off; 1 if it never does */
    double dist;          /* distance of the plane from the origin along its normal, in units, or 0 */
    float end_pos[3];     /* where the hull can move to; not solid, if the start is not */
    float normal[3];      /* unit normal of the plane that was hit, against the motion, or 0 */
    uint8_t start_solid;  /* 1 if the start is solid: the trace goes on to the next solid it enters */
    uint8_t all_solid;    /* 1 if all of the segment is solid, or not finite: fraction is 0 */
    uint8_t hit;          /* 1 if a plane was hit: that of normal and dist */
    uint8_t reserved[13];
} onion_trace_result;

/* The same in double precision. */
typedef struct onion_trace_result_double {
    double fraction;
    double hit_fraction;
    double dist;
    double end_pos[3];
    double normal[3];
    uint8_t start_solid;
    uint8_t all_solid;
    uint8_t hit;
    uint8_t reserved[13];
} onion_trace_result_double;

/* Moves a hull from start towards end, keeping ONION_DEFAULT_SKIN from what it hits. */
onion_status onion_trace(const onion_map *map, uint32_t model, uint32_t hull, const float start[3],
                         const float end[3], onion_trace_result *trace);

/* Keeps skin units from what it hits; a skin that is negative or not a number counts as 0. */
onion_status onion_trace_with_skin(const onion_map *map, uint32_t model, uint32_t hull,
                                   const float start[3], const float end[3], double skin,
                                   onion_trace_result *trace);

/* onion_trace_with_skin in double precision. */
onion_status onion_trace_double(const onion_map *map, uint32_t model, uint32_t hull,
                                const double start[3], const double end[3], double skin,
                                onion_trace_result_double *trace);

/* onion_trace for several hulls along one segment, quicker than one by one: traces[i] is that of
 * hulls[i]. A hull may be named twice. If any is not there, no answer is written. */
onion_status onion_trace_hulls(const onion_map *map, uint32_t model, const uint32_t *hulls, size_t count,
                               const float start[3], const float end[3], onion_trace_result *traces);

/* Many segments: x, y and z of segment i are at starts[3 * i] and ends[3 * i]. */
onion_status onion_trace_batch(const onion_map *map, uint32_t model, uint32_t hull, const float *starts,
                               const float *ends, size_t count, double skin,
                               onion_trace_result *traces);

onion_status onion_trace_batch_double(const onion_map *map, uint32_t model, uint32_t hull,
                                      const double *starts, const double *ends, size_t count,
                                      double skin, onion_trace_result_double *traces);

/* ---- Points -------------------------------------------------------------------------------------- */

/* The leaf of a point that has none. */
#define ONION_NO_LEAF 0xffffffffu

/* Whether the hull's box, with its origin at point, has its inside in solid: 1 or 0. */
onion_status onion_is_solid(const onion_map *map, uint32_t model, uint32_t hull, const float point[3],
                            uint8_t *solid);

onion_status onion_is_solid_double(const onion_map *map, uint32_t model, uint32_t hull,
                                   const double point[3], uint8_t *solid);

/* Many points, quicker than one by one: x, y and z of point i are at points[3 * i]. */
onion_status onion_is_solid_batch(const onion_map *map, uint32_t model, uint32_t hull,
                                  const float *points, size_t count, uint8_t *solid);

/* The same for all hulls at once: bit h is set if hull h is solid there. */
onion_status onion_solidity(const onion_map *map, uint32_t model, const float point[3],
                            uint64_t *solidity);

onion_status onion_solidity_double(const onion_map *map, uint32_t model, const double point[3],
                                   uint64_t *solidity);

onion_status onion_solidity_batch(const onion_map *map, uint32_t model, const float *points,
                                  size_t count, uint64_t *solidity);

/* The leaf that holds a point, the same for all hulls (of the first group, if the map has several); on a
 * splitting plane, the one in front. ONION_NO_LEAF if the point is not finite or beyond 2^30 units. */
onion_status onion_leaf_at(const onion_map *map, uint32_t model, const float point[3], uint32_t *leaf);

/* Solidity of a leaf, for the hulls of its group. */
onion_status onion_leaf_solidity(const onion_map *map, uint32_t leaf, uint64_t *solidity);

/* ---- Transitions --------------------------------------------------------------------------------- */

typedef enum onion_transition_kind {
    ONION_EMPTY = 0,       /* the whole segment is empty */
    ONION_SOLID = 1,       /* the whole segment is solid, or not finite */
    ONION_ENTER_SOLID = 2, /* it starts in empty and enters solid */
    ONION_LEAVE_SOLID = 3, /* it starts in solid and leaves it */

    /* No kind: makes the type as large as an int. */
    ONION_TRANSITION_KIND_SIZE = 0x7fffffff
} onion_transition_kind;

/* The first change of solidity along a segment. Where there is none, fraction is 1, leaves are
 * ONION_NO_LEAF and the other numbers are 0. */
typedef struct onion_transition {
    double fraction;            /* part of the segment before the crossing, 0 to 1 */
    double dist;                /* distance of the plane from the origin along its normal, in units */
    double point[3];            /* where the segment crosses */
    double normal[3];           /* unit normal of the plane that is crossed, against the motion */
    onion_transition_kind kind;
    uint32_t from_leaf;         /* the leaf before the crossing, or ONION_NO_LEAF */
    uint32_t to_leaf;           /* the leaf after it */
    uint8_t has_plane;          /* 1 if normal and dist tell a plane, or 0 */
    uint8_t reserved[3];
} onion_transition;

/* Exact, without back-off. */
onion_status onion_find_first_transition(const onion_map *map, uint32_t model, uint32_t hull,
                                         const float start[3], const float end[3],
                                         onion_transition *transition);

onion_status onion_find_first_transition_double(const onion_map *map, uint32_t model, uint32_t hull,
                                                const double start[3], const double end[3],
                                                onion_transition *transition);

#ifdef __cplusplus
}
#endif

#endif
