#define _GNU_SOURCE
#include "calls.h"

#include <pthread.h>

static ck_outcome owner_of_service(GDBusConnection *connection, const ck_limit *limit, char **owner) {
    GVariant *reply;
    ck_outcome result =
        ck_call_bus(connection, "GetNameOwner", L.g_variant_new("(s)", SERVICE_NAME), "(s)", limit, &reply);
    if (!reply) return result;
    *owner = ck_child_string(reply, 0);
    L.g_variant_unref(reply);
    return result;
}

// Starts the service. The bus answers with an error if it does not know how.
static ck_outcome activate(GDBusConnection *connection, const ck_limit *limit) {
    GVariant *reply;
    ck_outcome result = ck_call_bus(
        connection, "StartServiceByName", L.g_variant_new("(su)", SERVICE_NAME, (uint32_t)0), "(u)", limit, &reply);
    if (reply) L.g_variant_unref(reply);
    return result;
}

static ck_outcome find_service(GDBusConnection *connection, const ck_limit *limit, char **owner) {
    ck_outcome result = owner_of_service(connection, limit, owner);
    if (result.kind != ck_no_service) return result;
    result = activate(connection, limit);
    return result.kind == ck_ok ? owner_of_service(connection, limit, owner) : result;
}

static ck_outcome connect(const char *address, const ck_limit *limit, GDBusConnection **connection) {
    GError *error = NULL;
    *connection = NULL;
    if (ck_is_over(limit)) return ck_outcome_of(ck_timed_out);
    *connection = L.g_dbus_connection_new_for_address_sync(
        address, authenticate_as_client | message_bus, NULL, limit->cancellable, &error);
    if (*connection) return ck_outcome_of(ck_ok);
    ck_outcome result = ck_failure(error);
    if (result.kind == ck_timed_out || result.kind == ck_denied) return result;
    return (ck_outcome){ck_no_bus, result.code};
}

// The type of libsecret's object, on a connection of ours.
//
// The constructor of libsecret sets the session bus that GLib finds, which must not happen: a derived type
// sets the connection's own bus type again while the object is being constructed. GLib does not free the name that
// libsecret set before: 24 bytes for each session.
static pthread_once_t type_is_registered = PTHREAD_ONCE_INIT;
static size_t derived_type;
static GObjectClass *parent_class;
static _Thread_local const char *constructed_owner;

static void *construct(size_t type, unsigned count, void *properties) {
    void *object = parent_class->constructor(type, count, properties);
    L.g_object_set(
        object, "g-bus-type", 0, "g-name", constructed_owner, "g-flags", no_properties | no_signals | no_auto_start,
        NULL);
    return object;
}

static void set_up_class(void *class, void *data) {
    (void)data;
    ((GObjectClass *)class)->constructor = construct;
    parent_class = L.g_type_class_peek(L.secret_service_get_type());
}

static void register_type(void) {
    size_t parent = L.secret_service_get_type();
    GTypeQuery query = {0};
    L.g_type_query(parent, &query);
    derived_type = L.g_type_register_static_simple(
        parent, "FuekiSecretService", query.class_size, set_up_class, query.instance_size, NULL, 0);
}

// Opens a session: libsecret agrees on a key with the service, so that secrets are encrypted on the bus.
static ck_outcome open_service(ck_session *session, const ck_limit *limit) {
    GError *error = NULL;
    if (ck_is_over(limit)) return ck_outcome_of(ck_timed_out);
    pthread_once(&type_is_registered, register_type);
    constructed_owner = session->owner;
    session->service = L.g_initable_new(
        derived_type, limit->cancellable, &error, "g-connection", session->connection, "g-default-timeout",
        ck_remaining(limit), "flags", open_session, NULL);
    constructed_owner = NULL;
    if (!session->service) return ck_failure(error);
    // libsecret falls back to a session without encryption if the service has no other: that is refused.
    const char *algorithm = L.secret_service_get_session_algorithms(session->service);
    const char *path = L.secret_service_get_session_dbus_path(session->service);
    if (!path) return ck_outcome_of(ck_malformed);
    if (!algorithm || !strcmp(algorithm, "plain")) return ck_outcome_of(ck_unsupported);
    return ck_outcome_of(ck_ok);
}

ck_outcome ck_open(const char *address, const ck_limit *limit, ck_session **session) {
    *session = NULL;
    ck_session *opened = calloc(1, sizeof *opened);
    if (!opened) abort();
    ck_outcome result = connect(address, limit, &opened->connection);
    if (result.kind == ck_ok) result = find_service(opened->connection, limit, &opened->owner);
    if (result.kind == ck_ok) result = open_service(opened, limit);
    if (result.kind == ck_ok) {
        *session = opened;
    } else {
        ck_close(opened);
    }
    return result;
}

void ck_close(ck_session *session) {
    if (!session) return;
    if (session->service) L.g_object_unref(session->service);
    if (session->connection) L.g_object_unref(session->connection);
    free(session->owner);
    free(session);
}

ck_outcome ck_is_current(ck_session *session, const ck_limit *limit, bool *is_current) {
    char *owner = NULL;
    *is_current = false;
    ck_outcome result = owner_of_service(session->connection, limit, &owner);
    if (result.kind == ck_ok) *is_current = !strcmp(owner, session->owner);
    free(owner);
    return result;
}
