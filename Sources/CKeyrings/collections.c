#define _GNU_SOURCE
#include "calls.h"

ck_outcome ck_collection(ck_session *session, const ck_limit *limit, const char *alias, ck_strings **path) {
    GVariant *reply;
    *path = NULL;
    ck_outcome result = ck_call_service(
        session, SERVICE_PATH, SERVICE_INTERFACE, "ReadAlias", L.g_variant_new("(s)", alias), "(o)", limit, &reply);
    if (!reply) return result;
    *path = ck_strings_of(1);
    char *found = ck_child_string(reply, 0);
    if (ck_is_path(found)) ck_append(*path, found);
    free(found);
    L.g_variant_unref(reply);
    return result;
}

ck_outcome ck_is_locked(ck_session *session, const ck_limit *limit, const char *collection, bool *is_locked) {
    GVariant *value;
    ck_outcome result = ck_property(session, collection, COLLECTION_INTERFACE, "Locked", "b", limit, &value);
    if (!value) return result;
    *is_locked = L.g_variant_get_boolean(value);
    L.g_variant_unref(value);
    return result;
}

// The state of a prompt. Only the thread that waits for it touches it.
struct prompt {
    bool is_completed;
    bool is_dismissed;
    bool is_malformed;
    bool is_gone;
};

static void completed(
    GDBusConnection *connection, const char *sender, const char *path, const char *interface, const char *signal,
    GVariant *parameters, void *data) {
    (void)connection, (void)sender, (void)path, (void)interface, (void)signal;
    struct prompt *prompt = data;
    prompt->is_completed = true;
    if (!L.g_variant_is_of_type(parameters, "(bv)")) {
        prompt->is_malformed = true;
        return;
    }
    GVariant *dismissed = L.g_variant_get_child_value(parameters, 0);
    prompt->is_dismissed = L.g_variant_get_boolean(dismissed);
    L.g_variant_unref(dismissed);
}

static void owner_changed(
    GDBusConnection *connection, const char *sender, const char *path, const char *interface, const char *signal,
    GVariant *parameters, void *data) {
    (void)connection, (void)sender, (void)path, (void)interface, (void)signal, (void)parameters;
    ((struct prompt *)data)->is_gone = true;
}

static int wake(void *data) {
    (void)data;
    return 1;
}

// Waits for the end of a prompt, in a main context of its own, into which the signals are delivered.
static ck_outcome wait_for_prompt(
    ck_session *session, const ck_limit *limit, GMainContext *context, struct prompt *prompt) {
    GSource *timer = L.g_timeout_source_new(50);
    L.g_source_set_callback(timer, wake, NULL, NULL);
    L.g_source_attach(timer, context);
    ck_outcome result = ck_outcome_of(ck_ok);
    while (!prompt->is_completed && result.kind == ck_ok) {
        L.g_main_context_iteration(context, 1);
        if (prompt->is_completed) break;
        if (prompt->is_gone) result = ck_outcome_of(ck_no_service);
        else if (L.g_dbus_connection_is_closed(session->connection)) result = ck_outcome_of(ck_no_bus);
        else if (ck_is_over(limit)) result = ck_outcome_of(ck_timed_out);
    }
    L.g_source_destroy(timer);
    L.g_source_unref(timer);
    if (result.kind != ck_ok) return result;
    if (prompt->is_malformed) return ck_outcome_of(ck_malformed);
    return ck_outcome_of(prompt->is_dismissed ? ck_dismissed : ck_ok);
}

// Closes a prompt that was not answered. Its result does not matter: the prompt's outcome is already known.
static void dismiss(ck_session *session, const char *path) {
    ck_limit *limit = ck_limit_new(100);
    GVariant *reply;
    (void)ck_call_service(session, path, PROMPT_INTERFACE, "Dismiss", NULL, "()", limit, &reply);
    if (reply) L.g_variant_unref(reply);
    ck_limit_free(limit);
}

static ck_outcome show_prompt(ck_session *session, const ck_limit *limit, const char *path) {
    struct prompt prompt = {0};
    GMainContext *context = L.g_main_context_new();
    L.g_main_context_push_thread_default(context);
    unsigned signals[] = {
        L.g_dbus_connection_signal_subscribe(
            session->connection, session->owner, PROMPT_INTERFACE, "Completed", path, NULL, 0, completed,
            &prompt, NULL),
        L.g_dbus_connection_signal_subscribe(
            session->connection, BUS_NAME, BUS_NAME, "NameOwnerChanged", BUS_PATH, session->owner, 0, owner_changed,
            &prompt, NULL),
    };
    GVariant *reply;
    ck_outcome result =
        ck_call_service(session, path, PROMPT_INTERFACE, "Prompt", L.g_variant_new("(s)", ""), "()", limit, &reply);
    if (reply) L.g_variant_unref(reply);
    if (result.kind == ck_ok) result = wait_for_prompt(session, limit, context, &prompt);
    if (result.kind == ck_timed_out) dismiss(session, path);
    for (int i = 0; i < 2; i++) L.g_dbus_connection_signal_unsubscribe(session->connection, signals[i]);
    L.g_main_context_pop_thread_default(context);
    L.g_main_context_unref(context);
    return result;
}

ck_outcome ck_prompted(ck_session *session, const ck_limit *limit, GVariant *reply, size_t index) {
    char *path = ck_child_string(reply, index);
    L.g_variant_unref(reply);
    ck_outcome result = ck_outcome_of(ck_ok);
    if (ck_is_path(path)) result = limit ? show_prompt(session, limit, path) : ck_outcome_of(ck_needs_prompt);
    free(path);
    return result;
}

ck_outcome ck_unlock(ck_session *session, const ck_limit *limit, const ck_limit *prompt, const char *collection) {
    GVariant *reply;
    if (!L.g_variant_is_object_path(collection)) return ck_outcome_of(ck_malformed);
    GVariant *path = L.g_variant_new_object_path(collection);
    GVariant *paths = L.g_variant_new_array("o", &path, 1);
    ck_outcome result = ck_call_service(
        session, SERVICE_PATH, SERVICE_INTERFACE, "Unlock", L.g_variant_new("(@ao)", paths), "(aoo)", limit, &reply);
    if (!reply) return result;
    return ck_prompted(session, prompt, reply, 1);
}
