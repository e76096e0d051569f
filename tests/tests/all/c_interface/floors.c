/*
 * Prints floors, those under positions, the nearest ones and random places, with the bits of all numbers: the lines of
 * standard input and output are those of floors_bits.rs.
 */
#include "bits.h"

/* More than the corners of any floor of the maps. */
#define MOST_CORNERS 256

static onion_map map;

static void check(int holds, const char *what)
{
    if (!holds) {
        fprintf(stderr, "wrong: %s\n", what);
        exit(1);
    }
}

static void print_floor(uint32_t number)
{
    static double corners[MOST_CORNERS][3], some[3][3];
    onion_floor floor;
    size_t count, some_count;
    must(onion_get_floor(&map, number, &floor));
    must(onion_floor_corners(&map, number, corners, MOST_CORNERS, &count));
    check(count == floor.n_corners && count <= MOST_CORNERS && floor.reserved == 0, "the number of corners");
    must(onion_floor_corners(&map, number, some, 2, &some_count));
    check(some_count == count && some[2][2] == 0.0, "a call writes no more corners than asked for");
    check(memcmp(some, corners, sizeof corners[0] * 2) == 0, "the first corners");
    must(onion_floor_corners(&map, number, NULL, 0, &some_count));
    check(some_count == count, "the number of corners without a place for them");
    bits(floor.normal, 3);
    bits(&floor.dist, 1);
    bits(corners[0], 3 * (int)count);
    printf("%lu\n", (unsigned long)number);
}

static void print_number(uint32_t number)
{
    printf("%ld\n", number == ONION_NO_FLOOR ? -1L : (long)number);
}

/* The numbers are a position, a reach, and three random numbers. */
static void print_places(onion_hull hull, const double n[7])
{
    const float near[3] = {(float)n[0], (float)n[1], (float)n[2]};
    const float random[3] = {(float)n[4], (float)n[5], (float)n[6]};
    float point[3];
    double exact[3];
    uint32_t number;
    must(onion_floor_at(&map, hull, near, n[3], &number, point));
    float_bits(point, 3);
    print_number(number);
    must(onion_nearest_floor(&map, hull, near, n[3], &number, point));
    float_bits(point, 3);
    print_number(number);
    must(onion_random_place(&map, hull, random, &number, point));
    float_bits(point, 3);
    print_number(number);
    must(onion_floor_at_double(&map, hull, n, n[3], &number, exact));
    bits(exact, 3);
    print_number(number);
    must(onion_nearest_floor_double(&map, hull, n, n[3], &number, exact));
    bits(exact, 3);
    print_number(number);
    must(onion_random_place_double(&map, hull, n + 4, &number, exact));
    bits(exact, 3);
    print_number(number);
}

/* Calls with hulls and numbers that the map does not have. */
static void refused(onion_hull hull, uint32_t n_floors)
{
    const double position[3] = {0, 0, 0};
    double point[3] = {7, 7, 7};
    onion_floor floor;
    size_t count = 7;
    uint32_t first = 7, number = 7;
    const onion_hull other = hull ^ 0xff00;
    check(onion_floors(&map, other, &first, &number) == ONION_ERROR_HULL, "floors of another hull");
    check(onion_floor_at_double(&map, other, position, 8, &number, point) == ONION_ERROR_HULL, "a floor of another hull");
    check(onion_nearest_floor_double(&map, other, position, 8, &number, point) == ONION_ERROR_HULL, "a nearest floor");
    check(onion_random_place_double(&map, other, position, &number, point) == ONION_ERROR_HULL, "a random place");
    check(onion_get_floor(&map, n_floors, &floor) == ONION_ERROR_FLOOR, "a floor beyond the last");
    check(onion_get_floor(&map, ONION_NO_FLOOR, &floor) == ONION_ERROR_FLOOR, "no floor");
    check(onion_floor_corners(&map, n_floors, NULL, 0, &count) == ONION_ERROR_FLOOR, "corners beyond the last");
    check(first == 7 && number == 7 && count == 7 && point[0] == 7, "a refused call writes nothing");
}

int main(void)
{
    char line[4096], name[64];
    uint32_t n_floors = 0;
    onion_hull hull;
    load(&map);
    while (fgets(line, sizeof line, stdin) != NULL) {
        double n[7];
        const int count = sscanf(line, "%63s %lf %lf %lf %lf %lf %lf %lf", name, &n[0], &n[1], &n[2], &n[3], &n[4],
                                 &n[5], &n[6]);
        uint32_t first, own, at;
        must(onion_find_hull(&map, name, &hull));
        if (count == 8) {
            print_places(hull, n);
            continue;
        }
        must(onion_floors(&map, hull, &first, &own));
        check(own == 0 || first == n_floors, "floors are in the order of hulls");
        for (at = 0; at < own; at++)
            print_floor(first + at);
        n_floors += own;
    }
    refused(hull, n_floors);
    return 0;
}
