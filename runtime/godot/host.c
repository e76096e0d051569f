/*
 * The parts of Godot that the extension needs, for its test: strings, arrays of bytes, variants of a few types, and a
 * class that registers methods. The test loads a map, and checks that the extension gives the answers of libonion.
 */
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gdextension_interface.h"
#include "onion.h"

#define MAX_METHODS 16
#define LARGEST (1 << 24)

typedef struct bytes { unsigned char *data; int64_t size; } bytes;
typedef struct variant { int type; union { double number; float vector[3]; void *pointer; bytes *bytes; uint8_t is; } as; } variant;
typedef struct registered { char name[32]; void *data; GDExtensionClassMethodCall call; GDExtensionClassMethodPtrCall typed; } registered;

static registered methods[MAX_METHODS];
static size_t n_methods;
static GDExtensionClassCreationInfo3 class_info;
static void *instance;
static int complaints, failures;

static void check(int is, const char *what)
{
    printf("%s %s\n", is ? "ok  " : "FAIL", what);
    failures += !is;
}

/* ---- Godot's side -------------------------------------------------------------------------------- */

static void print_error(const char *text, const char *function, const char *file, int32_t line, GDExtensionBool notify)
{
    (void)function; (void)file; (void)line; (void)notify;
    printf("     %s\n", text);
    complaints++;
}

static void new_string(void *made, const char *text)
{
    char *copy = malloc(strlen(text) + 1);
    *(char **)made = strcpy(copy, text);
}

static void new_name(void *made, const char *text, GDExtensionBool is_static) { (void)is_static; new_string(made, text); }

static GDExtensionInt to_utf8(const void *string, char *text, GDExtensionInt most)
{
    const char *own = *(char *const *)string;
    size_t size = strlen(own);
    memcpy(text, own, size < (size_t)most ? size : (size_t)most);
    return (GDExtensionInt)size;
}

static const uint8_t *byte_at(const void *array, GDExtensionInt at) { return (*(bytes *const *)array)->data + at; }
static void size_of(void *array, const void *const *arguments, void *result, int count)
{
    (void)arguments; (void)count;
    memcpy(result, &(*(bytes **)array)->size, sizeof(int64_t));
}

static GDExtensionPtrBuiltInMethod builtin_method(GDExtensionVariantType type, const void *name, GDExtensionInt hash)
{
    (void)hash;
    return type == GDEXTENSION_VARIANT_TYPE_PACKED_BYTE_ARRAY && !strcmp(*(char *const *)name, "size") ? size_of : NULL;
}

static GDExtensionVariantType variant_type(const void *made) { return (GDExtensionVariantType)((const variant *)made)->type; }

static size_t size_in(int type)
{
    return type == GDEXTENSION_VARIANT_TYPE_BOOL ? 1 : type == GDEXTENSION_VARIANT_TYPE_VECTOR3 ? 12 : 8;
}

static void take(int type, void *made, void *given)
{
    if (type == GDEXTENSION_VARIANT_TYPE_STRING)
        new_string(made, ((variant *)given)->as.pointer);
    else
        memcpy(made, &((variant *)given)->as, size_in(type));
}

static void give(int type, void *made, void *given)
{
    ((variant *)made)->type = type;
    memcpy(&((variant *)made)->as, given, size_in(type));
}

#define CONVERT(name, kind) \
    static void take_##name(void *made, void *given) { take(kind, made, given); } \
    static void give_##name(void *made, void *given) { give(kind, made, given); }
CONVERT(bool, GDEXTENSION_VARIANT_TYPE_BOOL)
CONVERT(number, GDEXTENSION_VARIANT_TYPE_FLOAT)
CONVERT(string, GDEXTENSION_VARIANT_TYPE_STRING)
CONVERT(vector, GDEXTENSION_VARIANT_TYPE_VECTOR3)
CONVERT(bytes, GDEXTENSION_VARIANT_TYPE_PACKED_BYTE_ARRAY)

static GDExtensionTypeFromVariantConstructorFunc to_type(GDExtensionVariantType type)
{
    switch (type) {
    case GDEXTENSION_VARIANT_TYPE_FLOAT: return take_number;
    case GDEXTENSION_VARIANT_TYPE_STRING: return take_string;
    case GDEXTENSION_VARIANT_TYPE_VECTOR3: return take_vector;
    case GDEXTENSION_VARIANT_TYPE_PACKED_BYTE_ARRAY: return take_bytes;
    default: return take_bool;
    }
}

static GDExtensionVariantFromTypeConstructorFunc from_type(GDExtensionVariantType type)
{
    (void)give_number; (void)give_string; (void)give_bytes;
    return type == GDEXTENSION_VARIANT_TYPE_VECTOR3 ? give_vector : give_bool;
}

static void destroy_string(void *own) { free(*(char **)own); }
static void destroy_nothing(void *own) { (void)own; }
static GDExtensionPtrDestructor destructor(GDExtensionVariantType type)
{
    return type == GDEXTENSION_VARIANT_TYPE_STRING ? destroy_string : destroy_nothing;
}

static void *construct(const void *name) { return strcmp(*(char *const *)name, "RefCounted") ? NULL : &instance; }
static void set_instance(void *object, const void *name, void *own) { (void)object; (void)name; instance = own; }
static void unregister_class(void *library, const void *name) { (void)library; (void)name; }

static void register_class(void *library, const void *name, const void *parent, const GDExtensionClassCreationInfo3 *info)
{
    (void)library; (void)parent;
    check(!strcmp(*(char *const *)name, "OnionLevel"), "the class is registered");
    class_info = *info;
}

static void register_method(void *library, const void *name, const GDExtensionClassMethodInfo *info)
{
    registered *made = &methods[n_methods++];
    (void)library; (void)name;
    strncpy(made->name, *(char **)info->name, sizeof made->name - 1);
    made->data = info->method_userdata;
    made->call = info->call_func;
    made->typed = info->ptrcall_func;
}

#define OFFER(text, function) if (!strcmp(name, text)) return (GDExtensionInterfaceFunctionPtr)(void (*)(void))function
static GDExtensionInterfaceFunctionPtr ask(const char *name)
{
    OFFER("print_error", print_error);
    OFFER("string_name_new_with_latin1_chars", new_name);
    OFFER("string_new_with_utf8_chars", new_string);
    OFFER("string_to_utf8_chars", to_utf8);
    OFFER("packed_byte_array_operator_index_const", byte_at);
    OFFER("variant_get_type", variant_type);
    OFFER("get_variant_from_type_constructor", from_type);
    OFFER("get_variant_to_type_constructor", to_type);
    OFFER("variant_get_ptr_destructor", destructor);
    OFFER("variant_get_ptr_builtin_method", builtin_method);
    OFFER("classdb_construct_object", construct);
    OFFER("object_set_instance", set_instance);
    OFFER("classdb_register_extension_class3", register_class);
    OFFER("classdb_register_extension_class_method", register_method);
    OFFER("classdb_unregister_extension_class", unregister_class);
    return NULL;
}

/* ---- The test ------------------------------------------------------------------------------------ */

static GDExtensionCallErrorType call(const char *name, variant *result, variant *arguments, int count)
{
    const void *pointers[4];
    GDExtensionCallError error = {GDEXTENSION_CALL_ERROR_INVALID_METHOD, 0, 0};
    size_t number;
    int at;
    for (at = 0; at < count; at++)
        pointers[at] = &arguments[at];
    for (number = 0; number < n_methods; number++)
        if (!strcmp(methods[number].name, name))
            methods[number].call(methods[number].data, instance, pointers, count, result, &error);
    return error.error;
}

static variant text(const char *own) { variant made = {GDEXTENSION_VARIANT_TYPE_STRING, {0}}; made.as.pointer = (void *)own; return made; }
static variant number_of(double own) { variant made = {GDEXTENSION_VARIANT_TYPE_FLOAT, {0}}; made.as.number = own; return made; }
static variant vector(float x, float y, float z)
{
    variant made = {GDEXTENSION_VARIANT_TYPE_VECTOR3, {0}};
    made.as.vector[0] = x; made.as.vector[1] = y; made.as.vector[2] = z;
    return made;
}

static void compare(const onion_map *map, onion_hull stand)
{
    /* 24 above the floor of the map, toward its x and its y, in units and in meters of 32 units. */
    const float start[3] = {0, -640, 24.5f}, end[3] = {4096, 512, 24.5f};
    const float wish[2] = {320, 0};
    variant arguments[3], result;
    onion_model world;
    onion_trace_result trace;
    onion_agent agent;
    onion_walk_settings settings;
    int tick, alike = 1;
    onion_world(map, &world);
    onion_trace(&world, stand, start, end, &trace);
    arguments[0] = text("stand");
    arguments[1] = vector(start[0] / 32, start[2] / 32, -start[1] / 32);
    arguments[2] = vector(end[0] / 32, end[2] / 32, -end[1] / 32);
    check(call("trace", &result, arguments, 3) == GDEXTENSION_CALL_OK, "trace is called");
    check(trace.fraction < 1 && result.as.vector[0] == trace.end_pos[0] / 32 && result.as.vector[1] == trace.end_pos[2] / 32 &&
              result.as.vector[2] == -trace.end_pos[1] / 32, "it ends where libonion's trace ends");
    check(call("is_solid", &result, arguments, 2) == GDEXTENSION_CALL_OK && !result.as.is, "the start is free");
    check(call("spawn", &result, arguments, 2) == GDEXTENSION_CALL_OK && result.as.is, "an agent is put there");
    onion_agent_init(stand, start, &agent);
    onion_default_walk_settings(&settings);
    for (tick = 0; tick < 240; tick++) {
        variant walk[2];
        walk[0] = vector(10, 0, 0);
        walk[1] = number_of(1.0 / 60);
        call("walk", &result, walk, 2);
        onion_agent_walk(&world, &settings, wish, (float)(1.0 / 60), &agent);
        alike &= result.as.vector[0] == agent.position[0] / 32 && result.as.vector[1] == agent.position[2] / 32 &&
                 result.as.vector[2] == -agent.position[1] / 32;
        if (tick == 100) {
            uint8_t jumped;
            walk[0] = number_of(8);
            call("jump", &result, walk, 1);
            onion_agent_jump(256, &agent, &jumped);
            alike &= jumped && result.as.is;
        }
    }
    check(alike && agent.position[0] > 300, "it walks and jumps as libonion's agent does");
}

/* From the courtyard's south side to its north side, around what is between. */
static void compare_paths(const onion_map *map, onion_hull stand)
{
    const float start[3] = {0, -640, 24.5f}, goal[3] = {0, 512, 24.5f}, outside[3] = {0, 0, 4096};
    static onion_path_scratch scratch[1 << 14];
    static onion_path_point points[256];
    variant arguments[2], result;
    onion_model world;
    onion_agent agent;
    onion_agent_class agent_class;
    onion_path_costs costs;
    onion_path_result path;
    onion_path_follower follower;
    onion_progress progress = ONION_FOLLOWING;
    uint32_t number;
    int tick, alike = 1, told = complaints;
    onion_world(map, &world);
    onion_default_path_costs(&costs);
    check(onion_agent_class_of(map, stand, &number) == ONION_OK &&
              onion_get_agent_class(map, number, &agent_class) == ONION_OK &&
              onion_path(map, stand, start, goal, &costs, scratch, 1 << 14, points, 256, &path) == ONION_OK,
          "libonion finds a path");
    arguments[0] = text("stand");
    arguments[1] = vector(start[0] / 32, start[2] / 32, -start[1] / 32);
    call("spawn", &result, arguments, 2);
    check(call("is_following", &result, arguments, 0) == GDEXTENSION_CALL_OK && !result.as.is, "the agent follows no path yet");
    arguments[0] = vector(outside[0] / 32, outside[2] / 32, -outside[1] / 32);
    check(call("go_to", &result, arguments, 1) == GDEXTENSION_CALL_OK && !result.as.is && complaints == told + 1,
          "a goal in the air is told");
    arguments[0] = vector(goal[0] / 32, goal[2] / 32, -goal[1] / 32);
    check(call("go_to", &result, arguments, 1) == GDEXTENSION_CALL_OK && result.as.is, "a path is found");
    onion_agent_init(stand, start, &agent);
    onion_path_follower_init(&follower);
    for (tick = 0; tick < 1200 && progress == ONION_FOLLOWING; tick++) {
        arguments[0] = number_of(1.0 / 60);
        call("follow", &result, arguments, 1);
        onion_agent_follow(&world, &agent_class, points, path.n_points, (float)(1.0 / 60), &agent, &follower, &progress);
        alike &= result.as.vector[0] == agent.position[0] / 32 && result.as.vector[1] == agent.position[2] / 32 &&
                 result.as.vector[2] == -agent.position[1] / 32;
    }
    call("is_following", &result, arguments, 0);
    check(alike && progress == ONION_ARRIVED && !result.as.is, "it arrives where libonion's agent does");
}

int main(int count, char **words)
{
    static unsigned char file_bytes[LARGEST];
    const float mins[3] = {-16, -16, -24}, maxs[3] = {16, 16, 32};
    FILE *file = count == 3 ? fopen(words[2], "rb") : NULL;
    bytes own = {file_bytes, 0};
    void *library = count == 3 ? dlopen(words[1], RTLD_NOW) : NULL;
    GDExtensionInitializationFunction begin = NULL;
    GDExtensionInitialization init = {0};
    variant arguments[3], result;
    onion_map map;
    onion_hull stand;
    if (file == NULL || library == NULL) {
        fprintf(stderr, "usage: host LIBRARY MAP.onion\n");
        return 2;
    }
    own.size = (int64_t)fread(file_bytes, 1, LARGEST, file);
    *(void **)&begin = dlsym(library, "onion_level_init");
    check(begin != NULL && begin(ask, &library, &init), "the extension begins");
    init.initialize(init.userdata, GDEXTENSION_INITIALIZATION_SCENE);
    check(n_methods == 10, "ten methods are registered");
    class_info.create_instance_func(class_info.class_userdata);
    arguments[0].type = GDEXTENSION_VARIANT_TYPE_PACKED_BYTE_ARRAY;
    arguments[0].as.bytes = &own;
    arguments[1] = arguments[2] = text("stand");
    check(call("is_solid", &result, &arguments[0], 2) == GDEXTENSION_CALL_ERROR_INVALID_ARGUMENT, "wrong types are told");
    check(call("load", &result, arguments, 2) == GDEXTENSION_CALL_ERROR_TOO_MANY_ARGUMENTS, "too many arguments are told");
    own.size--;
    check(call("load", &result, arguments, 1) == GDEXTENSION_CALL_OK && !result.as.is && complaints == 1, "a cut file is refused");
    own.size++;
    check(call("load", &result, arguments, 1) == GDEXTENSION_CALL_OK && result.as.is, "the map is loaded");
    arguments[0] = text("giant");
    arguments[1] = vector(0, 0, 0);
    check(call("is_solid", &result, arguments, 2) == GDEXTENSION_CALL_OK && result.as.is && complaints == 2, "a hull it lacks is told");
    check(onion_load(&map, file_bytes, (size_t)own.size) == ONION_OK &&
              onion_require_hull(&map, "stand", mins, maxs, &stand) == ONION_OK, "libonion loads it too");
    compare(&map, stand);
    compare_paths(&map, stand);
    class_info.free_instance_func(class_info.class_userdata, instance);
    init.deinitialize(init.userdata, GDEXTENSION_INITIALIZATION_SCENE);
    return failures != 0;
}
