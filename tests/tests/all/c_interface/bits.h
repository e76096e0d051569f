/*
 * What programs share that print the bits of answers: a map from a path, checks, and numbers as the bits of doubles.
 */
#ifndef BITS_H
#define BITS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "onion.h"

static void must(onion_status status)
{
    if (status != ONION_OK) {
        fprintf(stderr, "%s\n", onion_status_string(status));
        exit(1);
    }
}

static void bits(const double *numbers, int count)
{
    while (count-- > 0) {
        uint64_t own;
        memcpy(&own, numbers++, sizeof own);
        if (own >> 32 != 0)
            printf("%lx%08lx ", (unsigned long)(own >> 32), (unsigned long)(own & 0xffffffffu));
        else
            printf("%lx ", (unsigned long)own);
    }
}

static void float_bits(const float *numbers, int count)
{
    while (count-- > 0) {
        const double wide = *numbers++;
        bits(&wide, 1);
    }
}

/* Loads the map whose path is the next line of standard input. */
static void load(onion_map *map)
{
    static unsigned char bytes[1 << 26];
    char path[4096];
    FILE *file = NULL;
    size_t size;
    if (fgets(path, sizeof path, stdin) != NULL) {
        path[strcspn(path, "\n")] = 0;
        file = fopen(path, "rb");
    }
    if (file == NULL)
        exit(1);
    size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    must(onion_load(map, bytes, size));
}

#endif
