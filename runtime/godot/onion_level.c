/*
 * A GDExtension for Godot 4.3 and later: the class OnionLevel loads a map that onionc compiled, and answers where a
 * box of the map stops, whether it fits, how a walking agent moves, and how it gets to a place. Godot's y is up; here
 * it becomes the map's z.
 *
 * Only libonion and the header of Godot's own interface are used. The methods are in one table below: each takes and
 * returns plain values, and two functions pass them on to Godot, checked (for scripts) and unchecked (for typed
 * calls).
 */
#include <stdlib.h>
#include <string.h>

#include "gdextension_interface.h"
#include "onion.h"

#define MAX_ARGUMENTS 3
#define MAX_NAME 64
#define MAX_POINTS 256 /* of a path */
/* PROPERTY_USAGE_DEFAULT of Godot. */
#define USAGE_DEFAULT 6u
/* The hash of PackedByteArray.size() in extension_api.json, the same in all of Godot 4. */
#define SIZE_HASH 3173160232

/* ---- Godot's interface -------------------------------------------------------------------------- */

static struct {
    GDExtensionInterfacePrintError print_error;
    GDExtensionInterfaceStringNameNewWithLatin1Chars new_name;
    GDExtensionInterfaceStringNewWithUtf8Chars new_string;
    GDExtensionInterfaceStringToUtf8Chars to_utf8;
    GDExtensionInterfacePackedByteArrayOperatorIndexConst byte_at;
    GDExtensionInterfaceVariantGetType variant_type;
    GDExtensionInterfaceGetVariantFromTypeConstructor from_type;
    GDExtensionInterfaceGetVariantToTypeConstructor to_type;
    GDExtensionInterfaceVariantGetPtrDestructor destructor;
    GDExtensionInterfaceVariantGetPtrBuiltinMethod builtin_method;
    GDExtensionInterfaceClassdbConstructObject construct;
    GDExtensionInterfaceObjectSetInstance set_instance;
    GDExtensionInterfaceClassdbRegisterExtensionClass3 register_class;
    GDExtensionInterfaceClassdbRegisterExtensionClassMethod register_method;
    GDExtensionInterfaceClassdbUnregisterExtensionClass unregister_class;
} godot;

static GDExtensionClassLibraryPtr library;
static GDExtensionPtrBuiltInMethod size_of_bytes;

/* A StringName or a String is one pointer. They live as long as the extension. */
typedef struct name {
    void *opaque;
} name;

static name class_name, parent_name, no_name, no_string;

static name make_name(const char *text)
{
    name made = {NULL};
    godot.new_name(&made, text, 0);
    return made;
}

static void complain(const char *what, const char *why)
{
    char text[256] = "OnionLevel: ";
    strncat(text, what, 100);
    strncat(text, why, 100);
    godot.print_error(text, "OnionLevel", "onion_level.c", 0, 0);
}

/* ---- The level ----------------------------------------------------------------------------------- */

typedef struct level {
    unsigned char *bytes;
    onion_map map;
    onion_model world;
    onion_agent agent;
    float units; /* of the map for one of Godot's */
    onion_path_scratch *scratch;
    size_t n_scratch;
    onion_agent_class agent_class;
    onion_path_point points[MAX_POINTS];
    size_t n_points; /* 0 if the agent follows no path */
    onion_path_follower follower;
} level;

/* An argument or a return value, in Godot's memory layout for typed calls. */
typedef union value {
    GDExtensionBool is;
    double number;
    float vector[3]; /* of builds with single precision, as Godot's own are */
    void *opaque[2];
} value;

static void to_map(const level *self, const float from[3], float to[3])
{
    to[0] = from[0] * self->units;
    to[1] = -from[2] * self->units;
    to[2] = from[1] * self->units;
}

static void to_godot(const level *self, const float from[3], float to[3])
{
    to[0] = from[0] / self->units;
    to[1] = from[2] / self->units;
    to[2] = -from[1] / self->units;
}

/* Returns the hull that a String names. */
static int find_hull(const level *self, const void *string, onion_hull *hull)
{
    char text[MAX_NAME] = {0};
    onion_status status = ONION_ERROR_HULL;
    if (godot.to_utf8(string, text, MAX_NAME - 1) < MAX_NAME)
        status = onion_find_hull(&self->map, text, hull);
    if (status != ONION_OK)
        complain(text, status == ONION_ERROR_HULL ? ": no such hull" : ": no level is loaded");
    return status == ONION_OK;
}

static void free_map(level *self)
{
    free(self->bytes);
    free(self->scratch);
    self->scratch = NULL;
    self->n_points = 0;
}

/* load(bytes: PackedByteArray) -> bool */
static void level_load(level *self, const void *const *arguments, value *result)
{
    int64_t size = 0;
    onion_status status = ONION_ERROR_FILE_TRUNCATED;
    size_of_bytes((GDExtensionTypePtr)arguments[0], NULL, &size, 0);
    free_map(self);
    memset(&self->map, 0, sizeof self->map);
    self->bytes = size > 0 ? malloc((size_t)size) : NULL;
    if (self->bytes != NULL) {
        memcpy(self->bytes, godot.byte_at(arguments[0], 0), (size_t)size);
        status = onion_load(&self->map, self->bytes, (size_t)size);
    }
    if (status == ONION_OK)
        status = onion_world(&self->map, &self->world);
    if (status != ONION_OK)
        complain("load: ", onion_status_string(status));
    result->is = status == ONION_OK;
}

/* set_scale(units: float): sets the number of map units per Godot unit; 32 by default. */
static void level_set_scale(level *self, const void *const *arguments, value *result)
{
    float units = (float)*(const double *)arguments[0];
    (void)result;
    if (units > 0)
        self->units = units;
}

/* is_solid(hull: String, at: Vector3) -> bool; also true if there is no such hull. */
static void level_is_solid(level *self, const void *const *arguments, value *result)
{
    onion_hull hull;
    float at[3];
    uint8_t solid = 1;
    to_map(self, arguments[1], at);
    if (find_hull(self, arguments[0], &hull))
        onion_is_solid(&self->world, hull, at, &solid);
    result->is = solid;
}

/* trace(hull: String, from: Vector3, to: Vector3) -> Vector3: the end of the hull's move. */
static void level_trace(level *self, const void *const *arguments, value *result)
{
    onion_hull hull;
    float from[3], to[3];
    onion_trace_result trace;
    memcpy(result->vector, arguments[1], sizeof result->vector);
    to_map(self, arguments[1], from);
    to_map(self, arguments[2], to);
    if (find_hull(self, arguments[0], &hull) &&
        onion_trace(&self->world, hull, from, to, &trace) == ONION_OK)
        to_godot(self, trace.end_pos, result->vector);
}

/* spawn(hull: String, at: Vector3) -> bool: puts the agent there. */
static void level_spawn(level *self, const void *const *arguments, value *result)
{
    onion_hull hull;
    float at[3];
    to_map(self, arguments[1], at);
    self->n_points = 0;
    result->is = find_hull(self, arguments[0], &hull) && onion_agent_init(hull, at, &self->agent) == ONION_OK;
}

/* walk(wish: Vector3, seconds: float) -> Vector3: moves the agent for a tick and returns its place. */
static void level_walk(level *self, const void *const *arguments, value *result)
{
    onion_walk_settings settings;
    float wish[3];
    to_map(self, arguments[0], wish);
    onion_default_walk_settings(&settings);
    onion_agent_walk(&self->world, &settings, wish, (float)*(const double *)arguments[1], &self->agent);
    to_godot(self, self->agent.position, result->vector);
}

/* jump(speed: float) -> bool: whether the agent stood on ground. */
static void level_jump(level *self, const void *const *arguments, value *result)
{
    uint8_t jumped = 0;
    onion_agent_jump((float)*(const double *)arguments[0] * self->units, &self->agent, &jumped);
    result->is = jumped;
}

/* go_to(goal: Vector3) -> bool: finds a path for the agent, which it follows from now on. */
static void level_go_to(level *self, const void *const *arguments, value *result)
{
    uint32_t number;
    float goal[3];
    onion_path_costs costs;
    onion_path_result path = {0};
    onion_status status = onion_agent_class_of(&self->map, self->agent.stance, &number);
    to_map(self, arguments[0], goal);
    onion_default_path_costs(&costs);
    if (status == ONION_OK && number == ONION_NO_AGENT_CLASS)
        status = ONION_ERROR_NO_AGENT;
    if (status == ONION_OK)
        status = onion_get_agent_class(&self->map, number, &self->agent_class);
    if (status == ONION_OK && self->scratch == NULL) {
        status = onion_path_scratch_count(&self->map, MAX_POINTS, &self->n_scratch);
        self->scratch = status == ONION_OK ? calloc(self->n_scratch, sizeof *self->scratch) : NULL;
    }
    /* If there is no memory, the search says that it needs more. */
    if (status == ONION_OK)
        status = onion_path(&self->map, self->agent.stance, self->agent.position, goal, &costs, self->scratch,
                            self->scratch != NULL ? self->n_scratch : 0, self->points, MAX_POINTS, &path);
    onion_path_follower_init(&self->follower);
    self->n_points = status == ONION_OK ? path.n_points : 0;
    result->is = status == ONION_OK;
    if (status != ONION_OK && status != ONION_ERROR_NO_WAY)
        complain("go_to: ", onion_status_string(status));
}

/* follow(seconds: float) -> Vector3: moves the agent along its path for a tick and returns its place. */
static void level_follow(level *self, const void *const *arguments, value *result)
{
    onion_progress progress;
    if (self->n_points != 0 &&
        (onion_agent_follow(&self->world, &self->agent_class, self->points, self->n_points,
                            (float)*(const double *)arguments[0], &self->agent, &self->follower,
                            &progress) != ONION_OK ||
         progress != ONION_FOLLOWING))
        self->n_points = 0;
    to_godot(self, self->agent.position, result->vector);
}

/* is_following() -> bool: whether the agent is on its way: it has not arrived, and nothing stops it. */
static void level_is_following(level *self, const void *const *arguments, value *result)
{
    (void)arguments;
    result->is = self->n_points != 0;
}

/* ---- The table of methods, and calls from Godot -------------------------------------------------- */

enum { NIL = GDEXTENSION_VARIANT_TYPE_NIL, BOOL = GDEXTENSION_VARIANT_TYPE_BOOL, FLOAT = GDEXTENSION_VARIANT_TYPE_FLOAT,
       STRING = GDEXTENSION_VARIANT_TYPE_STRING, VECTOR3 = GDEXTENSION_VARIANT_TYPE_VECTOR3,
       BYTES = GDEXTENSION_VARIANT_TYPE_PACKED_BYTE_ARRAY };

typedef struct method {
    const char *name;
    void (*call)(level *self, const void *const *arguments, value *result);
    int result;
    unsigned count;
    int types[MAX_ARGUMENTS];
    const char *names[MAX_ARGUMENTS];
} method;

static const method METHODS[] = {
    {"load", level_load, BOOL, 1, {BYTES}, {"bytes"}},
    {"set_scale", level_set_scale, NIL, 1, {FLOAT}, {"units"}},
    {"is_solid", level_is_solid, BOOL, 2, {STRING, VECTOR3}, {"hull", "at"}},
    {"trace", level_trace, VECTOR3, 3, {STRING, VECTOR3, VECTOR3}, {"hull", "from", "to"}},
    {"spawn", level_spawn, BOOL, 2, {STRING, VECTOR3}, {"hull", "at"}},
    {"walk", level_walk, VECTOR3, 2, {VECTOR3, FLOAT}, {"wish", "seconds"}},
    {"jump", level_jump, BOOL, 1, {FLOAT}, {"speed"}},
    {"go_to", level_go_to, BOOL, 1, {VECTOR3}, {"goal"}},
    {"follow", level_follow, VECTOR3, 1, {FLOAT}, {"seconds"}},
    {"is_following", level_is_following, BOOL, 0, {NIL}, {NULL}},
};

/* Handles a typed call: the arguments are as the table says. */
static void call_typed(void *data, GDExtensionClassInstancePtr self, const GDExtensionConstTypePtr *arguments,
                       GDExtensionTypePtr result)
{
    const method *called = data;
    value answer;
    memset(&answer, 0, sizeof answer);
    called->call(self, arguments, &answer);
    if (called->result == BOOL)
        memcpy(result, &answer.is, sizeof answer.is);
    else if (called->result == VECTOR3)
        memcpy(result, answer.vector, sizeof answer.vector);
}

/* Handles a call with variants, as scripts make it. An integer is converted to a float. */
static void call_variants(void *data, GDExtensionClassInstancePtr self, const GDExtensionConstVariantPtr *arguments,
                          GDExtensionInt count, GDExtensionVariantPtr result, GDExtensionCallError *error)
{
    const method *called = data;
    value values[MAX_ARGUMENTS], answer;
    const void *pointers[MAX_ARGUMENTS];
    unsigned number;
    error->error = GDEXTENSION_CALL_OK;
    error->expected = (int32_t)called->count;
    if (count != (GDExtensionInt)called->count) {
        error->error = count < (GDExtensionInt)called->count ? GDEXTENSION_CALL_ERROR_TOO_FEW_ARGUMENTS
                                                             : GDEXTENSION_CALL_ERROR_TOO_MANY_ARGUMENTS;
        return;
    }
    for (number = 0; number < called->count; number++) {
        int type = (int)godot.variant_type(arguments[number]);
        if (type != called->types[number] && !(type == GDEXTENSION_VARIANT_TYPE_INT && called->types[number] == FLOAT)) {
            error->error = GDEXTENSION_CALL_ERROR_INVALID_ARGUMENT;
            error->argument = (int32_t)number;
            error->expected = called->types[number];
            return;
        }
    }
    for (number = 0; number < called->count; number++) {
        GDExtensionVariantType type = (GDExtensionVariantType)called->types[number];
        godot.to_type(type)(&values[number], (GDExtensionVariantPtr)arguments[number]);
        pointers[number] = &values[number];
    }
    memset(&answer, 0, sizeof answer);
    called->call(self, pointers, &answer);
    for (number = 0; number < called->count; number++) {
        GDExtensionVariantType type = (GDExtensionVariantType)called->types[number];
        if (called->types[number] == STRING || called->types[number] == BYTES)
            godot.destructor(type)(&values[number]);
    }
    if (called->result != NIL)
        godot.from_type((GDExtensionVariantType)called->result)(result, &answer);
}

static GDExtensionPropertyInfo property(int type, name *named)
{
    GDExtensionPropertyInfo info = {(GDExtensionVariantType)type, named, &no_name, 0, &no_string, USAGE_DEFAULT};
    return info;
}

static void register_method(const method *made)
{
    name own = make_name(made->name), names[MAX_ARGUMENTS];
    GDExtensionPropertyInfo arguments[MAX_ARGUMENTS], result = property(made->result, &no_name);
    GDExtensionClassMethodArgumentMetadata metadata[MAX_ARGUMENTS] = {GDEXTENSION_METHOD_ARGUMENT_METADATA_NONE};
    GDExtensionClassMethodInfo info = {0};
    unsigned number;
    for (number = 0; number < made->count; number++) {
        names[number] = make_name(made->names[number]);
        arguments[number] = property(made->types[number], &names[number]);
    }
    info.name = &own;
    info.method_userdata = (void *)made;
    info.call_func = call_variants;
    info.ptrcall_func = call_typed;
    info.method_flags = GDEXTENSION_METHOD_FLAGS_DEFAULT;
    info.has_return_value = made->result != NIL;
    info.return_value_info = &result;
    info.argument_count = made->count;
    info.arguments_info = arguments;
    info.arguments_metadata = metadata;
    godot.register_method(library, &class_name, &info);
}

/* ---- The class and the extension ----------------------------------------------------------------- */

static GDExtensionObjectPtr create_level(void *data)
{
    GDExtensionObjectPtr object = godot.construct(&parent_name);
    level *self = calloc(1, sizeof *self);
    (void)data;
    if (self != NULL) {
        self->units = 32;
        godot.set_instance(object, &class_name, self);
    }
    return object;
}

static void free_level(void *data, GDExtensionClassInstancePtr instance)
{
    level *self = instance;
    (void)data;
    if (self != NULL)
        free_map(self);
    free(self);
}

static void initialize(void *data, GDExtensionInitializationLevel at)
{
    GDExtensionClassCreationInfo3 info = {0};
    name size;
    size_t number;
    (void)data;
    if (at != GDEXTENSION_INITIALIZATION_SCENE)
        return;
    class_name = make_name("OnionLevel");
    parent_name = make_name("RefCounted");
    no_name = make_name("");
    godot.new_string(&no_string, "");
    size = make_name("size");
    size_of_bytes = godot.builtin_method(GDEXTENSION_VARIANT_TYPE_PACKED_BYTE_ARRAY, &size, SIZE_HASH);
    info.is_exposed = 1;
    info.create_instance_func = create_level;
    info.free_instance_func = free_level;
    godot.register_class(library, &class_name, &parent_name, &info);
    for (number = 0; number < sizeof METHODS / sizeof *METHODS; number++)
        register_method(&METHODS[number]);
}

static void deinitialize(void *data, GDExtensionInitializationLevel at)
{
    (void)data;
    if (at == GDEXTENSION_INITIALIZATION_SCENE)
        godot.unregister_class(library, &class_name);
}

#define ASK(type, member, call) (godot.member = (type)(void (*)(void))ask(call)) != NULL

/* The entry point, which onion.gdextension names. Fails if Godot lacks a call. */
GDExtensionBool onion_level_init(GDExtensionInterfaceGetProcAddress ask, GDExtensionClassLibraryPtr own,
                                 GDExtensionInitialization *init)
{
    library = own;
    init->minimum_initialization_level = GDEXTENSION_INITIALIZATION_SCENE;
    init->userdata = NULL;
    init->initialize = initialize;
    init->deinitialize = deinitialize;
    return ASK(GDExtensionInterfacePrintError, print_error, "print_error") &&
           ASK(GDExtensionInterfaceStringNameNewWithLatin1Chars, new_name, "string_name_new_with_latin1_chars") &&
           ASK(GDExtensionInterfaceStringNewWithUtf8Chars, new_string, "string_new_with_utf8_chars") &&
           ASK(GDExtensionInterfaceStringToUtf8Chars, to_utf8, "string_to_utf8_chars") &&
           ASK(GDExtensionInterfacePackedByteArrayOperatorIndexConst, byte_at,
               "packed_byte_array_operator_index_const") &&
           ASK(GDExtensionInterfaceVariantGetType, variant_type, "variant_get_type") &&
           ASK(GDExtensionInterfaceGetVariantFromTypeConstructor, from_type, "get_variant_from_type_constructor") &&
           ASK(GDExtensionInterfaceGetVariantToTypeConstructor, to_type, "get_variant_to_type_constructor") &&
           ASK(GDExtensionInterfaceVariantGetPtrDestructor, destructor, "variant_get_ptr_destructor") &&
           ASK(GDExtensionInterfaceVariantGetPtrBuiltinMethod, builtin_method, "variant_get_ptr_builtin_method") &&
           ASK(GDExtensionInterfaceClassdbConstructObject, construct, "classdb_construct_object") &&
           ASK(GDExtensionInterfaceObjectSetInstance, set_instance, "object_set_instance") &&
           ASK(GDExtensionInterfaceClassdbRegisterExtensionClass3, register_class,
               "classdb_register_extension_class3") &&
           ASK(GDExtensionInterfaceClassdbRegisterExtensionClassMethod, register_method,
               "classdb_register_extension_class_method") &&
           ASK(GDExtensionInterfaceClassdbUnregisterExtensionClass, unregister_class,
               "classdb_unregister_extension_class");
}
