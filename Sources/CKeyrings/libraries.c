#define _GNU_SOURCE
#include "libraries.h"
#include "CKeyrings.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>

struct libraries ck_libraries;
static bool is_loaded;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

// GLib registers types that refer to its code: once loaded, it stays.
static void *library(const char *name) { return dlopen(name, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE); }

#define FIND(result, name, parameters) \
    { \
        void *found = dlsym(handle, #name); \
        if (!found) return false; \
        *(void **)&functions->name = found; \
    }

static bool find_glib(void *handle, struct libraries *functions) {
    FUNCTIONS_OF_GLIB(FIND)
    return true;
}

static bool find_gobject(void *handle, struct libraries *functions) {
    FUNCTIONS_OF_GOBJECT(FIND)
    return true;
}

static bool find_gio(void *handle, struct libraries *functions) {
    FUNCTIONS_OF_GIO(FIND)
    return true;
}

static bool find_libsecret(void *handle, struct libraries *functions) {
    FUNCTIONS_OF_LIBSECRET(FIND)
    return true;
}

static const char *load(const char *libsecret) {
    const char *const names[] = {libsecret, "libglib-2.0.so.0", "libgobject-2.0.so.0", "libgio-2.0.so.0"};
    bool (*const find[])(void *, struct libraries *) = {find_libsecret, find_glib, find_gobject, find_gio};
    struct libraries functions;
    for (int i = 0; i < 4; i++) {
        void *handle = library(names[i]);
        if (!handle || !find[i](handle, &functions)) return names[i];
    }
    // Other threads may be using the table: it is written once.
    if (!is_loaded) ck_libraries = functions;
    is_loaded = true;
    return NULL;
}

const char *ck_load(const char *libsecret) {
    pthread_mutex_lock(&mutex);
    const char *missing = load(libsecret);
    pthread_mutex_unlock(&mutex);
    return missing;
}
