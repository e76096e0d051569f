/*
 * Traces a file of segments through a compiled map:
 *
 *     example FILE.onion --hull NAME --batch SEGMENTS.csv [--model N] [--margin S]
 *
 * The first line of SEGMENTS.csv is sx,sy,sz,ex,ey,ez; each other line is a segment. The output is byte for byte that
 * of `onionc trace` for the same arguments. Exit codes are those of onionc: 0 done, 2 command line not understood, 3
 * a file cannot be read, 4 a file is damaged or not what it should be, 5 the answers cannot be written.
 */
#include <ctype.h>
#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "onion.h"

static const char HEADER[] = "sx,sy,sz,ex,ey,ez";

enum { USAGE = 2, CANNOT_READ = 3, BAD_INPUT = 4, CANNOT_WRITE = 5 };

static void fail(int code, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs("example: error: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    exit(code);
}

/* ---- Files --------------------------------------------------------------------------------------- */

typedef struct text {
    char *bytes; /* with a zero byte after the last */
    size_t size;
} text;

static text read_file(const char *path)
{
    text file = {NULL, 0};
    size_t capacity = 1 << 16;
    FILE *stream = fopen(path, "rb");
    if (stream == NULL)
        fail(CANNOT_READ, "%s: %s", path, strerror(errno));
    do {
        char *larger;
        capacity *= 2;
        larger = realloc(file.bytes, capacity);
        if (larger == NULL)
            fail(CANNOT_READ, "%s: not enough memory", path);
        file.bytes = larger;
        file.size += fread(file.bytes + file.size, 1, capacity - 1 - file.size, stream);
    } while (file.size == capacity - 1);
    if (ferror(stream))
        fail(CANNOT_READ, "%s: %s", path, strerror(errno));
    fclose(stream);
    file.bytes[file.size] = '\0';
    return file;
}

/* ---- Numbers, as Rust reads and prints them ------------------------------------------------------ */

static const char *skip_digits(const char *at)
{
    while (isdigit((unsigned char)*at))
        at++;
    return at;
}

/* Whether the text from at to end is this word, in any case. */
static int is_word(const char *at, const char *end, const char *word)
{
    while (at < end && *word != '\0' && tolower((unsigned char)*at) == *word) {
        at++;
        word++;
    }
    return at == end && *word == '\0';
}

static const char *skip_sign(const char *at)
{
    return *at == '+' || *at == '-' ? at + 1 : at;
}

/* Returns the end of the digits of a number, with or without a point, or NULL if there are none. */
static const char *skip_decimal(const char *at, const char *end)
{
    const char *digits = at;
    size_t n_digits;
    at = skip_digits(at);
    n_digits = (size_t)(at - digits);
    if (at < end && *at == '.') {
        digits = at + 1;
        at = skip_digits(digits);
        n_digits += (size_t)(at - digits);
    }
    return n_digits > 0 ? at : NULL;
}

/* Returns the end of the exponent that may be there, or NULL if it has no digits. */
static const char *skip_exponent(const char *at, const char *end)
{
    const char *digits;
    if (at == end || (*at != 'e' && *at != 'E'))
        return at;
    digits = skip_sign(at + 1);
    at = skip_digits(digits);
    return at > digits ? at : NULL;
}

/* Reads a number that fills the text from at to end, except for blanks. The text after end must be readable, and not
 * continue the number. Unlike strtod, it rejects hexadecimal numbers. */
static int parse_number(const char *at, const char *end, double *number)
{
    const char *sign;
    while (at < end && isspace((unsigned char)*at))
        at++;
    while (at < end && isspace((unsigned char)end[-1]))
        end--;
    sign = at;
    at = skip_sign(at);
    if (is_word(at, end, "inf") || is_word(at, end, "infinity")) {
        *number = *sign == '-' ? -INFINITY : INFINITY;
        return 1;
    }
    if (is_word(at, end, "nan")) {
        *number = NAN;
        return 1;
    }
    at = skip_decimal(at, end);
    if (at != NULL)
        at = skip_exponent(at, end);
    if (at != end)
        return 0;
    *number = strtod(sign, NULL);
    return 1;
}

/* A positive number: decimal digits with a point after the first, times a power of ten. */
typedef struct decimal {
    char digits[DBL_DIG + 4];
    int exponent;
} decimal;

/* Returns the nearest decimal with this number of digits. */
static decimal rounded(double number, int n_digits)
{
    decimal result;
    char printed[32]; /* d.ddde-xxx */
    snprintf(printed, sizeof printed, "%.*e", n_digits - 1, number);
    result.digits[0] = printed[0];
    memcpy(result.digits + 1, printed + 2, (size_t)n_digits - 1);
    result.digits[n_digits] = '\0';
    result.exponent = atoi(strchr(printed, 'e') + 1);
    return result;
}

/* Returns the next larger decimal with the same number of digits. */
static decimal next(decimal number)
{
    size_t at = strlen(number.digits);
    while (at > 0 && number.digits[at - 1] == '9')
        number.digits[--at] = '0';
    if (at > 0) {
        number.digits[at - 1]++;
    } else {
        number.digits[0] = '1';
        number.exponent++;
    }
    return number;
}

static double value(const decimal *number)
{
    char printed[40];
    snprintf(printed, sizeof printed, "%c.%se%d", number->digits[0], number->digits + 1, number->exponent);
    return strtod(printed, NULL);
}

/* Returns the number of binary digits after the point; the decimal fraction, if any, has the same number of digits.
 * */
static int fraction_bits(double number)
{
    int exponent, n_bits = 0;
    double mantissa = frexp(number, &exponent);
    while (mantissa != floor(mantissa)) {
        mantissa *= 2.0;
        n_bits++;
    }
    return n_bits - exponent;
}

/* Returns the shortest decimal that reads back as the same number; of several, the nearest; of two equally near ones,
 * the larger. */
static decimal shortest(double number)
{
    /* Any decimal of DBL_DIG digits survives a round trip through a normal number, so a shorter one is found there.
     * */
    int n_digits = number < DBL_MIN ? 1 : DBL_DIG;
    decimal found = rounded(number, n_digits);
    size_t end;
    while (value(&found) != number) {
        /* Below a power of two, doubles are closer together than above: the nearest decimal may be below and too far,
         * and the next one above near enough. */
        found = next(found);
        if (value(&found) == number)
            break;
        found = rounded(number, ++n_digits);
    }
    if (found.exponent + 1 + fraction_bits(number) == n_digits + 1) {
        /* The next digit of the number is a final 5: it is halfway between two decimals. */
        found = rounded(number, n_digits + 1);
        found.digits[n_digits] = '\0';
        found = next(found);
    }
    for (end = strlen(found.digits); end > 1 && found.digits[end - 1] == '0'; end--)
        found.digits[end - 1] = '\0';
    return found;
}

static void print_zeros(int count)
{
    while (count-- > 0)
        putchar('0');
}

/* Prints the shortest decimal, never with an exponent. */
static void print_number(double number)
{
    decimal shown;
    int n_digits, n_whole;
    if (number != number) {
        fputs("NaN", stdout);
        return;
    }
    if (number < 0.0 || (number == 0.0 && 1.0 / number < 0.0)) {
        putchar('-');
        number = -number;
    }
    if (number == 0.0 || number > DBL_MAX) {
        fputs(number == 0.0 ? "0" : "inf", stdout);
        return;
    }
    shown = shortest(number);
    n_digits = (int)strlen(shown.digits);
    n_whole = shown.exponent + 1;
    if (n_whole <= 0) {
        fputs("0.", stdout);
        print_zeros(-n_whole);
        fputs(shown.digits, stdout);
    } else if (n_whole < n_digits) {
        printf("%.*s.%s", n_whole, shown.digits, shown.digits + n_whole);
    } else {
        fputs(shown.digits, stdout);
        print_zeros(n_whole - n_digits);
    }
}

/* ---- The command --------------------------------------------------------------------------------- */

typedef struct options {
    const char *file;
    const char *hull;
    const char *batch;
    unsigned long model;
    double margin;
} options;

static void set_option(options *parsed, const char *name, const char *given)
{
    if (strcmp(name, "--hull") == 0) {
        parsed->hull = given;
    } else if (strcmp(name, "--batch") == 0) {
        parsed->batch = given;
    } else if (strcmp(name, "--model") == 0) {
        char *end;
        errno = 0;
        parsed->model = strtoul(given, &end, 10);
        if (!isdigit((unsigned char)*given) || *end != '\0' || errno != 0)
            fail(USAGE, "--model %s: write a number", given);
    } else if (strcmp(name, "--margin") == 0) {
        if (!parse_number(given, given + strlen(given), &parsed->margin))
            fail(USAGE, "--margin %s: write a number", given);
    } else {
        fail(USAGE, "there is no option %s", name);
    }
}

static options parse_options(int n_arguments, char **arguments)
{
    options parsed = {NULL, NULL, NULL, 0, ONION_DEFAULT_MARGIN};
    int at;
    for (at = 1; at < n_arguments; at++) {
        const char *name = arguments[at];
        if (strncmp(name, "--", 2) == 0) {
            if (at + 1 == n_arguments)
                fail(USAGE, "%s needs a value", name);
            set_option(&parsed, name, arguments[++at]);
        } else {
            if (parsed.file != NULL)
                fail(USAGE, "one file is enough: %s", name);
            parsed.file = name;
        }
    }
    if (parsed.file == NULL || parsed.hull == NULL || parsed.batch == NULL)
        fail(USAGE, "usage: example FILE.onion --hull NAME --batch SEGMENTS.csv [--model N] [--margin S]");
    return parsed;
}

static onion_model require_model(const onion_map *map, unsigned long index)
{
    onion_model model;
    uint32_t n_models = 0;
    onion_model_count(map, &n_models);
    if (index >= n_models || onion_get_model(map, (uint32_t)index, &model) != ONION_OK)
        fail(USAGE, "--model %lu: the file has models 0 to %lu", index, (unsigned long)n_models - 1);
    return model;
}

static onion_hull require_hull(const onion_map *map, const char *name)
{
    onion_hull hull = 0;
    uint32_t index;
    onion_hull_info info;
    if (onion_find_hull(map, name, &hull) == ONION_OK)
        return hull;
    fprintf(stderr, "example: error: --hull %s: the file has", name);
    for (index = 0; onion_get_hull_info(map, index, &info) == ONION_OK; index++)
        fprintf(stderr, "%s %s", index > 0 ? "," : "", info.name);
    fputc('\n', stderr);
    exit(USAGE);
}

/* Reads six numbers separated by commas. */
static int parse_segment(const char *at, const char *end, double segment[6])
{
    int n_numbers;
    for (n_numbers = 0; n_numbers < 6; n_numbers++) {
        const char *comma = memchr(at, ',', (size_t)(end - at));
        const char *number_end = comma != NULL ? comma : end;
        if ((comma == NULL) != (n_numbers == 5) || !parse_number(at, number_end, &segment[n_numbers]))
            return 0;
        at = number_end + 1;
    }
    return 1;
}

static void print_trace(const onion_trace_result_double *trace)
{
    double numbers[9];
    int at;
    numbers[0] = trace->fraction;
    numbers[1] = trace->hit_fraction;
    memcpy(numbers + 2, trace->end_pos, sizeof trace->end_pos);
    memcpy(numbers + 5, trace->normal, sizeof trace->normal);
    numbers[8] = trace->dist;
    for (at = 0; at < 9; at++) {
        print_number(numbers[at]);
        putchar(',');
    }
    printf("%d,%d\n", trace->start_solid, trace->all_solid);
}

static int is_blank(const char *at, const char *end)
{
    while (at < end && isspace((unsigned char)*at))
        at++;
    return at == end;
}

/* Returns the end of the line that starts at a place. */
static const char *line_end(const char *at, const char *end)
{
    const char *found = memchr(at, '\n', (size_t)(end - at));
    return found != NULL ? found : end;
}

/* Whether a line names the columns of a segment. */
static int is_header(const char *at, const char *end)
{
    const size_t length = strlen(HEADER);
    return (size_t)(end - at) >= length && memcmp(at, HEADER, length) == 0 && is_blank(at + length, end);
}

/* Reads the lines below the first, skipping empty ones: six numbers a segment. Returns the number of segments. */
static size_t read_segments(const char *path, double **segments)
{
    const text csv = read_file(path);
    const char *end = csv.bytes + csv.size;
    const char *at = csv.bytes;
    unsigned long line = 1;
    size_t n_segments = 0, n_lines = 1;
    for (at = line_end(at, end); at < end; at = line_end(at + 1, end))
        n_lines++;
    *segments = malloc(n_lines * 6 * sizeof **segments);
    if (*segments == NULL)
        fail(CANNOT_READ, "%s: not enough memory", path);
    at = line_end(csv.bytes, end);
    if (!is_header(csv.bytes, at))
        fail(BAD_INPUT, "%s: line 1 is not %s", path, HEADER);
    while (at < end) {
        const char *start = at + 1;
        at = line_end(start, end);
        line++;
        if (is_blank(start, at))
            continue;
        if (!parse_segment(start, at, *segments + 6 * n_segments))
            fail(BAD_INPUT, "%s: line %lu is not 6 numbers: \"%.*s\"", path, line, (int)(at - start), start);
        n_segments++;
    }
    free(csv.bytes);
    return n_segments;
}

int main(int n_arguments, char **arguments)
{
    const options given = parse_options(n_arguments, arguments);
    const text file = read_file(given.file);
    onion_map map;
    const onion_status loaded = onion_load(&map, file.bytes, file.size);
    onion_model model;
    onion_hull hull;
    double *segments;
    size_t n_segments, at;
    if (loaded != ONION_OK)
        fail(BAD_INPUT, "%s: %s", given.file, onion_status_string(loaded));
    hull = require_hull(&map, given.hull);
    model = require_model(&map, given.model);
    model.margin = given.margin;
    n_segments = read_segments(given.batch, &segments);

    puts("fraction,hit_fraction,end_x,end_y,end_z,normal_x,normal_y,normal_z,dist,start_solid,all_solid");
    for (at = 0; at < n_segments; at++) {
        const double *start = segments + 6 * at, *end = start + 3;
        onion_trace_result_double trace;
        const onion_status status = onion_trace_double(&model, hull, start, end, &trace);
        if (status != ONION_OK)
            fail(BAD_INPUT, "%s: %s", given.file, onion_status_string(status));
        print_trace(&trace);
    }
    if (fflush(stdout) != 0 || ferror(stdout))
        fail(CANNOT_WRITE, "the answers cannot be written: %s", strerror(errno));
    free(segments);
    free(file.bytes);
    return 0;
}
