#define _GNU_SOURCE
#include "CKeyrings.h"

#include <errno.h>

#ifdef __linux__
#include <sys/syscall.h>
#include <unistd.h>

// The commands of keyctl(2), as the kernel's interface numbers them.
enum { keyctl_setperm = 5, keyctl_describe = 6, keyctl_unlink = 9, keyctl_search = 10, keyctl_read = 11,
    keyctl_set_timeout = 15 };

static int64_t result(long value) { return value < 0 ? -(int64_t)errno : (int64_t)value; }

int64_t ck_key_add(const char *type, const char *description, const void *payload, size_t count, int32_t keyring) {
    return result(syscall(SYS_add_key, type, description, payload, count, (long)keyring));
}

int64_t ck_key_search(int32_t keyring, const char *type, const char *description) {
    return result(syscall(SYS_keyctl, (long)keyctl_search, (long)keyring, type, description, 0L));
}

int64_t ck_key_read(int32_t key, void *payload, size_t count) {
    return result(syscall(SYS_keyctl, (long)keyctl_read, (long)key, payload, count, 0L));
}

int64_t ck_key_describe(int32_t key, char *text, size_t count) {
    return result(syscall(SYS_keyctl, (long)keyctl_describe, (long)key, text, count, 0L));
}

int64_t ck_key_unlink(int32_t key, int32_t keyring) {
    return result(syscall(SYS_keyctl, (long)keyctl_unlink, (long)key, (long)keyring, 0L, 0L));
}

int64_t ck_key_set_permissions(int32_t key, uint32_t permissions) {
    return result(syscall(SYS_keyctl, (long)keyctl_setperm, (long)key, (unsigned long)permissions, 0L, 0L));
}

int64_t ck_key_set_timeout(int32_t key, uint32_t seconds) {
    return result(syscall(SYS_keyctl, (long)keyctl_set_timeout, (long)key, (unsigned long)seconds, 0L, 0L));
}

#else

int64_t ck_key_add(const char *type, const char *description, const void *payload, size_t count, int32_t keyring) {
    (void)type, (void)description, (void)payload, (void)count, (void)keyring;
    return -ENOSYS;
}

int64_t ck_key_search(int32_t keyring, const char *type, const char *description) {
    (void)keyring, (void)type, (void)description;
    return -ENOSYS;
}

int64_t ck_key_read(int32_t key, void *payload, size_t count) {
    (void)key, (void)payload, (void)count;
    return -ENOSYS;
}

int64_t ck_key_describe(int32_t key, char *text, size_t count) {
    (void)key, (void)text, (void)count;
    return -ENOSYS;
}

int64_t ck_key_unlink(int32_t key, int32_t keyring) {
    (void)key, (void)keyring;
    return -ENOSYS;
}

int64_t ck_key_set_permissions(int32_t key, uint32_t permissions) {
    (void)key, (void)permissions;
    return -ENOSYS;
}

int64_t ck_key_set_timeout(int32_t key, uint32_t seconds) {
    (void)key, (void)seconds;
    return -ENOSYS;
}

#endif
