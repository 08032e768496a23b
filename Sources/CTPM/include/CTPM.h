#pragma once

// The functions of tpm2-tss, found at run time: a program that uses them starts on a machine without the libraries.
// Only the declarations come from the headers of tpm2-tss; nothing is linked.

// Defines __GLIBC__ with that C library. A program that is linked statically with another one loads nothing at run time.
#include <limits.h>

#if defined(__linux__) && defined(__GLIBC__)

#include <tss2/tss2_esys.h>
#include <tss2/tss2_mu.h>
#include <tss2/tss2_rc.h>
#include <tss2/tss2_tctildr.h>

// The functions of each library. LOAD is called with the name of each.
#define CTPM_ESYS(LOAD)                                                                                                \
    LOAD(Esys_Initialize)                                                                                              \
    LOAD(Esys_Finalize)                                                                                                \
    LOAD(Esys_Free)                                                                                                    \
    LOAD(Esys_StartAuthSession)                                                                                        \
    LOAD(Esys_TRSess_SetAttributes)                                                                                    \
    LOAD(Esys_FlushContext)                                                                                            \
    LOAD(Esys_CreatePrimary)                                                                                           \
    LOAD(Esys_Create)                                                                                                  \
    LOAD(Esys_Load)                                                                                                    \
    LOAD(Esys_Unseal)                                                                                                  \
    LOAD(Esys_Sign)                                                                                                    \
    LOAD(Esys_Certify)                                                                                                 \
    LOAD(Esys_PolicyPCR)                                                                                               \
    LOAD(Esys_PolicyAuthValue)                                                                                         \
    LOAD(Esys_PolicyCommandCode)                                                                                       \
    LOAD(Esys_PolicyGetDigest)                                                                                         \
    LOAD(Esys_GetCapability)                                                                                           \
    LOAD(Esys_Shutdown)                                                                                                \
    LOAD(Esys_NV_DefineSpace)                                                                                          \
    LOAD(Esys_NV_UndefineSpace)                                                                                        \
    LOAD(Esys_NV_Increment)                                                                                            \
    LOAD(Esys_NV_Read)                                                                                                 \
    LOAD(Esys_NV_ReadPublic)                                                                                           \
    LOAD(Esys_TR_FromTPMPublic)                                                                                        \
    LOAD(Esys_TR_GetName)                                                                                              \
    LOAD(Esys_TR_SetAuth)                                                                                              \
    LOAD(Esys_TR_Close)
#define CTPM_TCTILDR(LOAD)                                                                                             \
    LOAD(Tss2_TctiLdr_Initialize)                                                                                      \
    LOAD(Tss2_TctiLdr_Finalize)
#define CTPM_MU(LOAD)                                                                                                  \
    LOAD(Tss2_MU_TPM2B_PUBLIC_Marshal)                                                                                 \
    LOAD(Tss2_MU_TPM2B_PUBLIC_Unmarshal)                                                                               \
    LOAD(Tss2_MU_TPM2B_PRIVATE_Marshal)                                                                                \
    LOAD(Tss2_MU_TPM2B_PRIVATE_Unmarshal)                                                                              \
    LOAD(Tss2_MU_TPM2B_SENSITIVE_CREATE_Unmarshal)                                                                     \
    LOAD(Tss2_MU_TPM2B_NV_PUBLIC_Marshal)                                                                              \
    LOAD(Tss2_MU_TPM2B_NV_PUBLIC_Unmarshal)                                                                            \
    LOAD(Tss2_MU_TPML_PCR_SELECTION_Unmarshal)                                                                         \
    LOAD(Tss2_MU_TPMT_SYM_DEF_Unmarshal)                                                                               \
    LOAD(Tss2_MU_TPMT_SIG_SCHEME_Unmarshal)                                                                            \
    LOAD(Tss2_MU_TPMT_TK_HASHCHECK_Unmarshal)                                                                          \
    LOAD(Tss2_MU_TPMT_SIGNATURE_Marshal)                                                                               \
    LOAD(Tss2_MU_TPMS_CAPABILITY_DATA_Marshal)

// The functions under their own names.
struct ctpm_functions {
#define CTPM_FIELD(name) __typeof__(name) *_Nonnull name;
    CTPM_ESYS(CTPM_FIELD) CTPM_TCTILDR(CTPM_FIELD) CTPM_MU(CTPM_FIELD)
#undef CTPM_FIELD
};

// Loads the three libraries for the rest of the process. Returns the functions; if a library or one of its functions is
// missing, NULL, and *missing is then the library's name as it was passed.
//
// It silences the log of tpm2-tss, which otherwise goes to the standard error output, unless TSS2_LOG is set. Call it
// from one thread at a time.
const struct ctpm_functions *_Nullable ctpm_load(
    const char *_Nonnull esys, const char *_Nonnull tctildr, const char *_Nonnull mu,
    const char *_Nullable *_Nonnull missing);

// Returns whether a library can be loaded. It stays loaded.
int ctpm_can_load(const char *_Nonnull library);

#endif
