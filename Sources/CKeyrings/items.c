#define _GNU_SOURCE
#include "calls.h"

// Makes a dictionary of names and values in turn. Returns a floating value.
static GVariant *dictionary(const char *const *strings, size_t count) {
    GVariant *entries[16];
    size_t number = 0;
    for (size_t i = 0; i + 1 < count && number < 16; i += 2) {
        entries[number++] =
            L.g_variant_new_dict_entry(L.g_variant_new_string(strings[i]), L.g_variant_new_string(strings[i + 1]));
    }
    return L.g_variant_new_array("{ss}", entries, number);
}

ck_outcome ck_search(
    ck_session *session, const ck_limit *limit, const char *const *attributes, size_t count, size_t most,
    ck_strings **unlocked, ck_strings **locked) {
    GVariant *reply;
    *unlocked = *locked = NULL;
    ck_outcome result = ck_call_service(
        session, SERVICE_PATH, SERVICE_INTERFACE, "SearchItems",
        L.g_variant_new("(@a{ss})", dictionary(attributes, count)), "(aoao)", limit, &reply);
    if (!reply) return result;
    *unlocked = ck_child_strings(reply, 0, most);
    *locked = ck_child_strings(reply, 1, most);
    L.g_variant_unref(reply);
    if (*unlocked && *locked) return result;
    ck_strings_free(*unlocked);
    ck_strings_free(*locked);
    *unlocked = *locked = NULL;
    return ck_outcome_of(ck_malformed);
}

ck_outcome ck_attributes(
    ck_session *session, const ck_limit *limit, const char *item, size_t most, ck_strings **attributes) {
    GVariant *value;
    *attributes = NULL;
    ck_outcome result = ck_property(session, item, ITEM_INTERFACE, "Attributes", "a{ss}", limit, &value);
    if (!value) return result;
    size_t count = L.g_variant_n_children(value);
    if (count <= most) {
        *attributes = ck_strings_of(count * 2);
        for (size_t i = 0; i < count; i++) {
            GVariant *entry = L.g_variant_get_child_value(value, i);
            for (size_t part = 0; part < 2; part++) {
                char *text = ck_child_string(entry, part);
                ck_append(*attributes, text);
                free(text);
            }
            L.g_variant_unref(entry);
        }
    } else {
        result = ck_outcome_of(ck_malformed);
    }
    L.g_variant_unref(value);
    return result;
}

ck_outcome ck_modified(ck_session *session, const ck_limit *limit, const char *item, uint64_t *seconds) {
    GVariant *value;
    ck_outcome result = ck_property(session, item, ITEM_INTERFACE, "Modified", "t", limit, &value);
    if (!value) return result;
    *seconds = L.g_variant_get_uint64(value);
    L.g_variant_unref(value);
    return result;
}

ck_outcome ck_get(ck_session *session, const ck_limit *limit, const char *item, size_t most, ck_value **value) {
    GVariant *reply;
    *value = NULL;
    const char *path = L.secret_service_get_session_dbus_path(session->service);
    ck_outcome result = ck_call_service(
        session, item, ITEM_INTERFACE, "GetSecret", L.g_variant_new("(o)", path), "((oayays))", limit, &reply);
    if (!reply) return result;
    // The reply has the encrypted secret, its parameters, and texts: the limit leaves room for them.
    if (L.g_variant_get_size(reply) > most + 4096) {
        L.g_variant_unref(reply);
        return ck_outcome_of(ck_malformed);
    }
    GVariant *secret = L.g_variant_get_child_value(reply, 0);
    *value = (ck_value *)L.secret_service_decode_dbus_secret(session->service, secret);
    L.g_variant_unref(secret);
    L.g_variant_unref(reply);
    return *value ? result : ck_outcome_of(ck_malformed);
}

// Encrypts a secret for the session, and wipes libsecret's copy.
static GVariant *encrypted(ck_session *session, const void *bytes, size_t count) {
    SecretValue *value = L.secret_value_new(bytes, (intptr_t)count, "text/plain");
    GVariant *secret = L.secret_service_encode_dbus_secret(session->service, value);
    ck_wipe(value);
    return secret ? L.g_variant_take_ref(secret) : NULL;
}

ck_outcome ck_set(ck_session *session, const ck_limit *limit, const char *item, const void *bytes, size_t count) {
    GVariant *secret = encrypted(session, bytes, count);
    if (!secret) return ck_outcome_of(ck_no_session);
    GVariant *reply;
    ck_outcome result = ck_call_service(
        session, item, ITEM_INTERFACE, "SetSecret", L.g_variant_new("(@(oayays))", secret), "()", limit, &reply);
    if (reply) L.g_variant_unref(reply);
    L.g_variant_unref(secret);
    return result;
}

ck_outcome ck_create(
    ck_session *session, const ck_limit *limit, const ck_limit *prompt, const char *collection, const char *label,
    const char *const *attributes, size_t attribute_count, const void *bytes, size_t count) {
    GVariant *secret = encrypted(session, bytes, count);
    if (!secret) return ck_outcome_of(ck_no_session);
    GVariant *properties[] = {
        L.g_variant_new_dict_entry(
            L.g_variant_new_string("org.freedesktop.Secret.Item.Label"),
            L.g_variant_new_variant(L.g_variant_new_string(label))),
        L.g_variant_new_dict_entry(
            L.g_variant_new_string("org.freedesktop.Secret.Item.Attributes"),
            L.g_variant_new_variant(dictionary(attributes, attribute_count))),
    };
    GVariant *reply;
    ck_outcome result = ck_call_service(
        session, collection, COLLECTION_INTERFACE, "CreateItem",
        L.g_variant_new("(@a{sv}@(oayays)b)", L.g_variant_new_array("{sv}", properties, 2), secret, 1), "(oo)", limit,
        &reply);
    L.g_variant_unref(secret);
    if (!reply) return result;
    return ck_prompted(session, prompt, reply, 1);
}

ck_outcome ck_delete(ck_session *session, const ck_limit *limit, const ck_limit *prompt, const char *item) {
    GVariant *reply;
    ck_outcome result = ck_call_service(session, item, ITEM_INTERFACE, "Delete", NULL, "(o)", limit, &reply);
    if (!reply) return result;
    return ck_prompted(session, prompt, reply, 0);
}
