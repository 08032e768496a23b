// The compression function of SHA-256 (FIPS 180-4, 6.2.2) by the processor's own instructions: SHA-NI of x86, SHA2 of
// ARMv8. No branch and no memory address depends on the hashed bytes.
#ifndef CSHA256_H
#define CSHA256_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Returns whether this processor has the instructions. Without them the functions below must not be called.
bool csha256_is_available(void);

/// Compresses `count` blocks of 64 bytes into a state.
void csha256_compress(uint32_t state[8], const uint8_t *blocks, size_t count);

/// Compresses each of `count` blocks of 64 bytes into a copy of one state, and writes the resulting hashes: 32 bytes
/// each, big-endian. Two blocks are processed at a time, since one alone would leave the processor waiting for its own
/// results.
void csha256_compress_each(const uint32_t state[8], const uint8_t *blocks, size_t count, uint8_t *hashes);

#endif
