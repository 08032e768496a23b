// Own declarations of the used functions of GLib, GObject, GIO and libsecret. Their binary interfaces are stable: the
// version in a library's name (2.0, 1) changes with them.
#ifndef CKEYRINGS_LIBRARIES_H
#define CKEYRINGS_LIBRARIES_H

#include <stddef.h>
#include <stdint.h>

typedef struct GVariant GVariant;
typedef struct GMainContext GMainContext;
typedef struct GSource GSource;
typedef struct GCancellable GCancellable;
typedef struct GDBusConnection GDBusConnection;
typedef struct SecretService SecretService;
typedef struct SecretValue SecretValue;
typedef struct {
    uint32_t domain;
    int code;
    char *message;
} GError;

typedef struct {
    size_t type;
    const char *name;
    unsigned class_size;
    unsigned instance_size;
} GTypeQuery;

// The beginning of GObjectClass, which every class of objects begins with.
typedef struct {
    size_t type;
    void *construct_properties;
    void *(*constructor)(size_t type, unsigned count, void *properties);
} GObjectClass;

typedef void (*signal_handler)(
    GDBusConnection *connection, const char *sender, const char *path, const char *interface, const char *signal,
    GVariant *parameters, void *data);

// The type of a value is its signature as text.
#define FUNCTIONS_OF_GLIB(F) \
    F(void, g_error_free, (GError *)) \
    F(void, g_free, (void *)) \
    F(uint32_t, g_quark_from_static_string, (const char *)) \
    F(GVariant *, g_variant_new, (const char *, ...)) \
    F(void, g_variant_get, (GVariant *, const char *, ...)) \
    F(GVariant *, g_variant_new_string, (const char *)) \
    F(GVariant *, g_variant_new_variant, (GVariant *)) \
    F(GVariant *, g_variant_new_dict_entry, (GVariant *, GVariant *)) \
    F(GVariant *, g_variant_new_object_path, (const char *)) \
    F(GVariant *, g_variant_new_array, (const char *, GVariant *const *, size_t)) \
    F(GVariant *, g_variant_ref_sink, (GVariant *)) \
    F(GVariant *, g_variant_take_ref, (GVariant *)) \
    F(void, g_variant_unref, (GVariant *)) \
    F(size_t, g_variant_n_children, (GVariant *)) \
    F(size_t, g_variant_get_size, (GVariant *)) \
    F(GVariant *, g_variant_get_child_value, (GVariant *, size_t)) \
    F(GVariant *, g_variant_get_variant, (GVariant *)) \
    F(const char *, g_variant_get_string, (GVariant *, size_t *)) \
    F(int, g_variant_get_boolean, (GVariant *)) \
    F(uint64_t, g_variant_get_uint64, (GVariant *)) \
    F(int, g_variant_is_of_type, (GVariant *, const char *)) \
    F(int, g_variant_is_object_path, (const char *)) \
    F(GMainContext *, g_main_context_new, (void)) \
    F(void, g_main_context_unref, (GMainContext *)) \
    F(void, g_main_context_push_thread_default, (GMainContext *)) \
    F(void, g_main_context_pop_thread_default, (GMainContext *)) \
    F(int, g_main_context_iteration, (GMainContext *, int)) \
    F(GSource *, g_timeout_source_new, (unsigned)) \
    F(void, g_source_set_callback, (GSource *, int (*)(void *), void *, void (*)(void *))) \
    F(unsigned, g_source_attach, (GSource *, GMainContext *)) \
    F(void, g_source_destroy, (GSource *)) \
    F(void, g_source_unref, (GSource *))

#define FUNCTIONS_OF_GOBJECT(F) \
    F(void, g_object_unref, (void *)) \
    F(void, g_object_set, (void *, const char *, ...)) \
    F(void *, g_type_class_peek, (size_t)) \
    F(void, g_type_query, (size_t, GTypeQuery *)) \
    F(size_t, g_type_register_static_simple, \
        (size_t, const char *, unsigned, void (*)(void *, void *), unsigned, void (*)(void *, void *), int))

#define FUNCTIONS_OF_GIO(F) \
    F(GCancellable *, g_cancellable_new, (void)) \
    F(void, g_cancellable_cancel, (GCancellable *)) \
    F(int, g_cancellable_is_cancelled, (GCancellable *)) \
    F(void *, g_initable_new, (size_t, GCancellable *, GError **, const char *, ...)) \
    F(uint32_t, g_io_error_quark, (void)) \
    F(char *, g_dbus_error_get_remote_error, (const GError *)) \
    F(GDBusConnection *, g_dbus_connection_new_for_address_sync, \
        (const char *, int, void *, GCancellable *, GError **)) \
    F(int, g_dbus_connection_is_closed, (GDBusConnection *)) \
    F(GVariant *, g_dbus_connection_call_sync, \
        (GDBusConnection *, const char *, const char *, const char *, const char *, GVariant *, const char *, int, \
            int, GCancellable *, GError **)) \
    F(unsigned, g_dbus_connection_signal_subscribe, \
        (GDBusConnection *, const char *, const char *, const char *, const char *, const char *, int, \
            signal_handler, void *, void (*)(void *))) \
    F(void, g_dbus_connection_signal_unsubscribe, (GDBusConnection *, unsigned))

#define FUNCTIONS_OF_LIBSECRET(F) \
    F(size_t, secret_service_get_type, (void)) \
    F(const char *, secret_service_get_session_algorithms, (SecretService *)) \
    F(const char *, secret_service_get_session_dbus_path, (SecretService *)) \
    F(GVariant *, secret_service_encode_dbus_secret, (SecretService *, SecretValue *)) \
    F(SecretValue *, secret_service_decode_dbus_secret, (SecretService *, GVariant *)) \
    F(SecretValue *, secret_value_new, (const char *, intptr_t, const char *)) \
    F(const char *, secret_value_get, (SecretValue *, size_t *)) \
    F(void, secret_value_unref, (void *))

#define FIELD(result, name, parameters) result(*name) parameters;

struct libraries {
    FUNCTIONS_OF_GLIB(FIELD)
    FUNCTIONS_OF_GOBJECT(FIELD)
    FUNCTIONS_OF_GIO(FIELD)
    FUNCTIONS_OF_LIBSECRET(FIELD)
};

#undef FIELD

// The functions; valid after ck_load has succeeded.
extern struct libraries ck_libraries;

#endif
