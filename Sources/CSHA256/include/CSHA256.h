// The compression function of SHA-256 (FIPS 180-4, 6.2.2) by the processor's own instructions: SHA-NI of x86, SHA2 of ARMv8.
// Neither a branch nor an address depends on what is hashed.
#ifndef CSHA256_H
#define CSHA256_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Whether this processor has the instructions. The functions below must not be called if not.
bool csha256_is_available(void);

/// Takes `count` blocks of 64 bytes into a state.
void csha256_compress(uint32_t state[8], const uint8_t *blocks, size_t count);

/// Takes each of `count` blocks of 64 bytes into a copy of one state, and writes what comes out: 32 bytes each, big-endian.
/// Two blocks are worked on at a time, since one alone leaves the processor waiting for itself.
void csha256_compress_each(const uint32_t state[8], const uint8_t *blocks, size_t count, uint8_t *hashes);

#endif
