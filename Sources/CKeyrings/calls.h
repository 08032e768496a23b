// What the parts of the Secret Service's calls share.
#ifndef CKEYRINGS_CALLS_H
#define CKEYRINGS_CALLS_H

#include "CKeyrings.h"
#include "libraries.h"

#include <stdlib.h>
#include <string.h>

#define L ck_libraries

#define SERVICE_NAME "org.freedesktop.secrets"
#define SERVICE_PATH "/org/freedesktop/secrets"
#define SERVICE_INTERFACE "org.freedesktop.Secret.Service"
#define COLLECTION_INTERFACE "org.freedesktop.Secret.Collection"
#define ITEM_INTERFACE "org.freedesktop.Secret.Item"
#define PROMPT_INTERFACE "org.freedesktop.Secret.Prompt"
#define PROPERTIES_INTERFACE "org.freedesktop.DBus.Properties"
#define BUS_NAME "org.freedesktop.DBus"
#define BUS_PATH "/org/freedesktop/DBus"

// Flags and numbers of GIO and libsecret.
enum { authenticate_as_client = 1, message_bus = 8 };
enum { no_properties = 1, no_signals = 2, no_auto_start = 4 };
enum { call_without_auto_start = 1 };
enum { open_session = 1 << 1 };
enum { io_not_found = 1, io_invalid_argument = 13, io_permission_denied = 14, io_closed = 18, io_cancelled = 19,
    io_timed_out = 24, io_invalid_data = 35, io_connection_refused = 39, io_broken_pipe = 44 };

struct ck_limit {
    int64_t deadline;
    GCancellable *cancellable;
};

struct ck_session {
    GDBusConnection *connection;
    SecretService *service;
    // The unique name of the process that owns the service's name.
    char *owner;
};

static inline ck_outcome ck_outcome_of(int kind) { return (ck_outcome){kind, 0}; }

// results.c

// Returns the time that is left, at least 1 ms.
int ck_remaining(const ck_limit *limit);
bool ck_is_over(const ck_limit *limit);
// Takes the error.
ck_outcome ck_failure(GError *error);
ck_strings *ck_strings_of(size_t count);
// Copies a string to the end. The count of ck_strings_of is not checked again.
void ck_append(ck_strings *strings, const char *text);
// Overwrites a secret and releases it.
void ck_wipe(SecretValue *value);

// calls.c

// Calls a method, and gives a reply of the expected type. Takes floating arguments.
ck_outcome ck_call(
    GDBusConnection *connection, const char *name, const char *path, const char *interface, const char *method,
    GVariant *arguments, const char *type, const ck_limit *limit, GVariant **reply);
ck_outcome ck_call_bus(
    GDBusConnection *connection, const char *method, GVariant *arguments, const char *type, const ck_limit *limit,
    GVariant **reply);
ck_outcome ck_call_service(
    ck_session *session, const char *path, const char *interface, const char *method, GVariant *arguments,
    const char *type, const ck_limit *limit, GVariant **reply);
ck_outcome ck_property(
    ck_session *session, const char *path, const char *interface, const char *name, const char *type,
    const ck_limit *limit, GVariant **value);
// Copies a string or path out of a tuple.
char *ck_child_string(GVariant *tuple, size_t index);
// Tells whether a path is an object's: the root stands for none.
bool ck_is_path(const char *path);
// Takes a reply, shows the prompt whose path it has at a place, if it has one, and waits for the user's answer. Without a limit
// the user must not be asked.
ck_outcome ck_prompted(ck_session *session, const ck_limit *limit, GVariant *reply, size_t index);
// Copies the strings of an array; NULL if there are too many.
ck_strings *ck_child_strings(GVariant *tuple, size_t index, size_t most);

#endif
