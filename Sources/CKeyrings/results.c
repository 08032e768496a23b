#define _GNU_SOURCE
#include "calls.h"

#include <time.h>

// MARK: Deadlines

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

ck_limit *ck_limit_new(int64_t milliseconds) {
    ck_limit *limit = malloc(sizeof *limit);
    if (!limit) abort();
    limit->deadline = now() + milliseconds;
    limit->cancellable = L.g_cancellable_new();
    return limit;
}

void ck_limit_cancel(ck_limit *limit) { L.g_cancellable_cancel(limit->cancellable); }

void ck_limit_free(ck_limit *limit) {
    L.g_object_unref(limit->cancellable);
    free(limit);
}

// Returns the time that is left, at least 1 ms: GIO reads 0 as an error, and -1 as 25 seconds.
int ck_remaining(const ck_limit *limit) {
    int64_t left = limit->deadline - now();
    if (left < 1) return 1;
    return left > 1000000000 ? 1000000000 : (int)left;
}

bool ck_is_over(const ck_limit *limit) {
    return now() >= limit->deadline || L.g_cancellable_is_cancelled(limit->cancellable);
}

// MARK: Errors

struct remote_error {
    const char *name;
    int kind;
};

static const struct remote_error remote_errors[] = {
    {"org.freedesktop.Secret.Error.IsLocked", ck_locked},
    {"org.freedesktop.Secret.Error.NoSession", ck_no_session},
    {"org.freedesktop.Secret.Error.NoSuchObject", ck_no_object},
    {"org.freedesktop.DBus.Error.UnknownObject", ck_no_object},
    {"org.freedesktop.DBus.Error.UnknownMethod", ck_unsupported},
    {"org.freedesktop.DBus.Error.UnknownInterface", ck_unsupported},
    {"org.freedesktop.DBus.Error.UnknownProperty", ck_unsupported},
    {"org.freedesktop.DBus.Error.NotSupported", ck_unsupported},
    {"org.freedesktop.DBus.Error.ServiceUnknown", ck_no_service},
    {"org.freedesktop.DBus.Error.NameHasNoOwner", ck_no_service},
    {"org.freedesktop.DBus.Error.NoReply", ck_no_service},
    {"org.freedesktop.DBus.Error.Disconnected", ck_no_bus},
    {"org.freedesktop.DBus.Error.Timeout", ck_timed_out},
    {"org.freedesktop.DBus.Error.TimedOut", ck_timed_out},
    {"org.freedesktop.DBus.Error.AccessDenied", ck_denied},
    {"org.freedesktop.DBus.Error.AuthFailed", ck_denied},
    {"org.freedesktop.DBus.Error.LimitsExceeded", ck_full},
    {"org.freedesktop.DBus.Error.NoMemory", ck_full},
};

static int kind_of_remote_error(const char *name) {
    static const char spawning[] = "org.freedesktop.DBus.Error.Spawn.";
    for (size_t i = 0; i < sizeof remote_errors / sizeof *remote_errors; i++) {
        if (!strcmp(name, remote_errors[i].name)) return remote_errors[i].kind;
    }
    return strncmp(name, spawning, sizeof spawning - 1) ? ck_other : ck_no_service;
}

static int kind_of_local_error(const GError *error) {
    if (error->domain != L.g_io_error_quark()) return ck_other;
    switch (error->code) {
        case io_timed_out: case io_cancelled: return ck_timed_out;
        case io_not_found: case io_closed: case io_connection_refused: case io_broken_pipe: return ck_no_bus;
        case io_permission_denied: return ck_denied;
        // A reply of another type than the expected one.
        case io_invalid_argument: case io_invalid_data: return ck_malformed;
        default: return ck_other;
    }
}

// Takes the error.
ck_outcome ck_failure(GError *error) {
    if (!error) return ck_outcome_of(ck_other);
    char *name = L.g_dbus_error_get_remote_error(error);
    ck_outcome result = {name ? kind_of_remote_error(name) : kind_of_local_error(error), error->code};
    L.g_free(name);
    L.g_error_free(error);
    return result;
}

// MARK: Results

struct ck_strings {
    size_t count;
    char *strings[];
};

ck_strings *ck_strings_of(size_t count) {
    ck_strings *strings = calloc(1, sizeof *strings + count * sizeof(char *));
    if (!strings) abort();
    return strings;
}

void ck_append(ck_strings *strings, const char *text) {
    char *copy = strdup(text);
    if (!copy) abort();
    strings->strings[strings->count++] = copy;
}

size_t ck_strings_count(const ck_strings *strings) { return strings->count; }

const char *ck_strings_at(const ck_strings *strings, size_t index) {
    return index < strings->count ? strings->strings[index] : NULL;
}

void ck_strings_free(ck_strings *strings) {
    if (!strings) return;
    for (size_t i = 0; i < strings->count; i++) free(strings->strings[i]);
    free(strings);
}

const void *ck_value_bytes(const ck_value *value, size_t *count) {
    return L.secret_value_get((SecretValue *)value, count);
}

// Overwrites a secret of libsecret and releases it.
//
// libsecret wipes its own memory that is not swapped. When the system allows no more of that (RLIMIT_MEMLOCK), it uses
// ordinary memory, and frees it as it is. No one else has a reference to the value.
void ck_wipe(SecretValue *value) {
    size_t count = 0;
    volatile char *bytes = (volatile char *)(uintptr_t)L.secret_value_get(value, &count);
    for (size_t i = 0; bytes && i < count; i++) bytes[i] = 0;
    L.secret_value_unref(value);
}

void ck_value_free(ck_value *value) {
    if (value) ck_wipe((SecretValue *)value);
}
