// The Secret Service through libsecret, which is loaded at run time, and the system calls of the kernel's keyrings.
//
// This file declares what the Swift target Keyrings calls. Headers of GLib and libsecret are not needed to build it.
#ifndef CKEYRINGS_H
#define CKEYRINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// MARK: Libraries

// Loads libsecret and the libraries of GLib, and finds their functions. Later calls do it again, without effect.
//
// Returns NULL if they are loaded, otherwise the name of the file that is missing or lacks a function.
const char *ck_load(const char *libsecret);

// MARK: Outcomes

// The outcome of a call, and the library's own number for it.
typedef struct {
    int32_t kind;
    int32_t code;
} ck_outcome;

enum {
    ck_ok = 0,
    // The deadline passed, or the call was cancelled at it.
    ck_timed_out = 1,
    // The bus is not there, or it has gone.
    ck_no_bus = 2,
    // No program owns the service's name, or the program has gone.
    ck_no_service = 3,
    ck_denied = 4,
    ck_locked = 5,
    // The object of the call does not exist.
    ck_no_object = 6,
    // The service does not know this session: it was restarted.
    ck_no_session = 7,
    ck_unsupported = 8,
    ck_full = 9,
    // The reply has another type than the specification says, or is larger than allowed.
    ck_malformed = 10,
    // The user closed the prompt.
    ck_dismissed = 11,
    // Deleting or creating needs a prompt.
    ck_needs_prompt = 12,
    ck_other = 13
};

// MARK: Deadlines

// The deadline of the calls of one operation. It can be cancelled from another thread.
typedef struct ck_limit ck_limit;

// Creates a deadline that passes after this time. ck_load must have succeeded.
ck_limit *ck_limit_new(int64_t milliseconds);
void ck_limit_cancel(ck_limit *limit);
void ck_limit_free(ck_limit *limit);

// MARK: Results

// Strings of a reply: paths of objects, or names and values in turn.
typedef struct ck_strings ck_strings;
size_t ck_strings_count(const ck_strings *strings);
// Returns NULL past the end.
const char *ck_strings_at(const ck_strings *strings, size_t index);
void ck_strings_free(ck_strings *strings);

// A secret, in memory of libsecret that is not swapped if the system allows it.
typedef struct ck_value ck_value;
const void *ck_value_bytes(const ck_value *value, size_t *count);
// Wipes the secret.
void ck_value_free(ck_value *value);

// MARK: Secret Service

// A connection to a bus, and an encrypted session with the service. One thread uses it at a time.
typedef struct ck_session ck_session;

// Connects to the bus of this address, starts the service if the bus can, and opens a session.
ck_outcome ck_open(const char *address, const ck_limit *limit, ck_session **session);
void ck_close(ck_session *session);

// Tells whether the process with which the session was opened still owns the service's name.
ck_outcome ck_is_current(ck_session *session, const ck_limit *limit, bool *is_current);
// Gives the path of a collection with an alias: one string, or none.
ck_outcome ck_collection(ck_session *session, const ck_limit *limit, const char *alias, ck_strings **path);
ck_outcome ck_is_locked(ck_session *session, const ck_limit *limit, const char *collection, bool *is_locked);
// Unlocks a collection. The user is asked within the second deadline.
ck_outcome ck_unlock(ck_session *session, const ck_limit *limit, const ck_limit *prompt, const char *collection);
// Finds the items that have these attributes: names and values in turn.
ck_outcome ck_search(
    ck_session *session, const ck_limit *limit, const char *const *attributes, size_t count, size_t most,
    ck_strings **unlocked, ck_strings **locked);
ck_outcome ck_attributes(
    ck_session *session, const ck_limit *limit, const char *item, size_t most, ck_strings **attributes);
// Gives the time of the last change, in seconds since 1970.
ck_outcome ck_modified(ck_session *session, const ck_limit *limit, const char *item, uint64_t *seconds);
ck_outcome ck_get(ck_session *session, const ck_limit *limit, const char *item, size_t most, ck_value **value);
ck_outcome ck_set(ck_session *session, const ck_limit *limit, const char *item, const void *bytes, size_t count);
// Creates an item, or replaces the one that has these attributes. A service that asks the user does so within the second
// deadline; without one the outcome is ck_needs_prompt.
ck_outcome ck_create(
    ck_session *session, const ck_limit *limit, const ck_limit *prompt, const char *collection, const char *label,
    const char *const *attributes, size_t attribute_count, const void *bytes, size_t count);
// Deletes an item. The second deadline is as for ck_create.
ck_outcome ck_delete(ck_session *session, const ck_limit *limit, const ck_limit *prompt, const char *item);

// MARK: Kernel keyrings

// Each function returns the result of the system call, or the negated errno.

// The special number of the user's keyring.
enum { ck_user_keyring = -4 };

// Adds a key, or replaces the payload of the key with this description.
int64_t ck_key_add(const char *type, const char *description, const void *payload, size_t count, int32_t keyring);
int64_t ck_key_search(int32_t keyring, const char *type, const char *description);
int64_t ck_key_read(int32_t key, void *payload, size_t count);
int64_t ck_key_describe(int32_t key, char *text, size_t count);
int64_t ck_key_unlink(int32_t key, int32_t keyring);
int64_t ck_key_set_permissions(int32_t key, uint32_t permissions);
int64_t ck_key_set_timeout(int32_t key, uint32_t seconds);

#endif
