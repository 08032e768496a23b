#define _GNU_SOURCE
#include "calls.h"

// Calls a method, and gives a reply of the expected type. Takes floating arguments.
ck_outcome ck_call(
    GDBusConnection *connection, const char *name, const char *path, const char *interface, const char *method,
    GVariant *arguments, const char *type, const ck_limit *limit, GVariant **reply) {
    *reply = NULL;
    if (arguments) L.g_variant_ref_sink(arguments);
    ck_outcome result = ck_outcome_of(ck_timed_out);
    if (!ck_is_over(limit)) {
        GError *error = NULL;
        *reply = L.g_dbus_connection_call_sync(
            connection, name, path, interface, method, arguments, type, call_without_auto_start, ck_remaining(limit),
            limit->cancellable, &error);
        result = *reply ? ck_outcome_of(ck_ok) : ck_failure(error);
    }
    if (arguments) L.g_variant_unref(arguments);
    return result;
}

ck_outcome ck_call_bus(
    GDBusConnection *connection, const char *method, GVariant *arguments, const char *type, const ck_limit *limit,
    GVariant **reply) {
    return ck_call(connection, BUS_NAME, BUS_PATH, BUS_NAME, method, arguments, type, limit, reply);
}

ck_outcome ck_call_service(
    ck_session *session, const char *path, const char *interface, const char *method, GVariant *arguments,
    const char *type, const ck_limit *limit, GVariant **reply) {
    if (!L.g_variant_is_object_path(path)) {
        if (arguments) L.g_variant_unref(L.g_variant_ref_sink(arguments));
        *reply = NULL;
        return ck_outcome_of(ck_malformed);
    }
    return ck_call(session->connection, session->owner, path, interface, method, arguments, type, limit, reply);
}

ck_outcome ck_property(
    ck_session *session, const char *path, const char *interface, const char *name, const char *type,
    const ck_limit *limit, GVariant **value) {
    GVariant *reply;
    *value = NULL;
    ck_outcome result = ck_call_service(
        session, path, PROPERTIES_INTERFACE, "Get", L.g_variant_new("(ss)", interface, name), "(v)", limit, &reply);
    if (!reply) return result;
    GVariant *boxed = L.g_variant_get_child_value(reply, 0);
    GVariant *found = L.g_variant_get_variant(boxed);
    L.g_variant_unref(boxed);
    L.g_variant_unref(reply);
    if (!L.g_variant_is_of_type(found, type)) {
        L.g_variant_unref(found);
        return ck_outcome_of(ck_malformed);
    }
    *value = found;
    return result;
}

// Copies a string or path out of a tuple.
char *ck_child_string(GVariant *tuple, size_t index) {
    GVariant *child = L.g_variant_get_child_value(tuple, index);
    char *copy = strdup(L.g_variant_get_string(child, NULL));
    L.g_variant_unref(child);
    if (!copy) abort();
    return copy;
}

bool ck_is_path(const char *path) { return strcmp(path, "/") != 0; }

// Copies the strings of an array; NULL if there are too many.
ck_strings *ck_child_strings(GVariant *tuple, size_t index, size_t most) {
    GVariant *array = L.g_variant_get_child_value(tuple, index);
    size_t count = L.g_variant_n_children(array);
    ck_strings *strings = NULL;
    if (count <= most) {
        strings = ck_strings_of(count);
        for (size_t i = 0; i < count; i++) {
            GVariant *child = L.g_variant_get_child_value(array, i);
            ck_append(strings, L.g_variant_get_string(child, NULL));
            L.g_variant_unref(child);
        }
    }
    L.g_variant_unref(array);
    return strings;
}
