#include "CTPM.h"

#if defined(__linux__) && defined(__GLIBC__)

#include <dlfcn.h>
#include <stdlib.h>

static void *open_library(const char *name) { return dlopen(name, RTLD_NOW | RTLD_LOCAL); }

const struct ctpm_functions *ctpm_load(
    const char *esys, const char *tctildr, const char *mu, const char **missing) {
    // Each part of tpm2-tss reads the variable at its first message.
    setenv("TSS2_LOG", "all+none", 0);

    struct ctpm_functions *functions = calloc(1, sizeof *functions);
    if (functions == NULL) abort();
    void *library;

#define LOAD(name)                                                                                                     \
    if ((functions->name = (__typeof__(name) *)dlsym(library, #name)) == NULL) goto fail;

    *missing = mu;
    if ((library = open_library(mu)) == NULL) goto fail;
    CTPM_MU(LOAD)
    *missing = tctildr;
    if ((library = open_library(tctildr)) == NULL) goto fail;
    CTPM_TCTILDR(LOAD)
    *missing = esys;
    if ((library = open_library(esys)) == NULL) goto fail;
    CTPM_ESYS(LOAD)

    *missing = NULL;
    return functions;

fail:
    // The libraries that were found stay loaded, which harms nothing.
    free(functions);
    return NULL;
}

int ctpm_can_load(const char *library) { return open_library(library) != NULL; }

#else

// The target has one file at least on every system.
typedef int ctpm_no_functions;

#endif
