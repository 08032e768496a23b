#if !defined(__x86_64__) && !defined(__i386__) && !defined(__aarch64__)

#include "CSHA256.h"

#include <stdlib.h>

bool csha256_is_available(void) { return false; }

void csha256_compress(uint32_t state[8], const uint8_t *blocks, size_t count) { abort(); }

void csha256_compress_each(const uint32_t state[8], const uint8_t *blocks, size_t count, uint8_t *hashes) { abort(); }

#endif
