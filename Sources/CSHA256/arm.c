#if defined(__aarch64__)

#include "CSHA256.h"
#include "constants.h"

#include <arm_neon.h>

#if defined(__linux__)
#include <sys/auxv.h>
#endif

#define WITH_INSTRUCTIONS __attribute__((target("sha2")))

bool csha256_is_available(void) {
#if defined(__APPLE__)
    return true;  // All of Apple's 64-bit processors have them.
#elif defined(__linux__)
    const unsigned long sha2 = 1UL << 6;  // HWCAP_SHA2
    return (getauxval(AT_HWCAP) & sha2) != 0;
#else
    return false;
#endif
}

typedef struct {
    uint32x4_t abcd, efgh;
} halves;

WITH_INSTRUCTIONS static inline uint32x4_t big_endian(const uint8_t *bytes) {
    return vreinterpretq_u32_u8(vrev32q_u8(vld1q_u8(bytes)));
}

// Compresses one block into each of `lanes` states.
WITH_INSTRUCTIONS __attribute__((always_inline)) static inline void rounds(
    halves *state, const uint8_t *const *blocks, int lanes) {
    uint32x4_t words[2][4];
    halves before[2];
    for (int lane = 0; lane < lanes; lane++) {
        before[lane] = state[lane];
        for (int k = 0; k < 4; k++) words[lane][k] = big_endian(blocks[lane] + 16 * k);
    }
#pragma clang loop unroll(full)
    for (int four = 0; four < 16; four++) {
        uint32x4_t constants = vld1q_u32(csha256_constants + 4 * four);
        for (int lane = 0; lane < lanes; lane++) {
            uint32x4_t *w = words[lane];
            if (four >= 4) {
                // Words 4·four … 4·four + 3 of the schedule replace the words sixteen places before.
                uint32x4_t next = vsha256su0q_u32(w[four % 4], w[(four + 1) % 4]);
                w[four % 4] = vsha256su1q_u32(next, w[(four + 2) % 4], w[(four + 3) % 4]);
            }
            uint32x4_t sum = vaddq_u32(w[four % 4], constants);
            uint32x4_t abcd = state[lane].abcd;
            state[lane].abcd = vsha256hq_u32(abcd, state[lane].efgh, sum);
            state[lane].efgh = vsha256h2q_u32(state[lane].efgh, abcd, sum);
        }
    }
    for (int lane = 0; lane < lanes; lane++) {
        state[lane].abcd = vaddq_u32(state[lane].abcd, before[lane].abcd);
        state[lane].efgh = vaddq_u32(state[lane].efgh, before[lane].efgh);
    }
}

WITH_INSTRUCTIONS static inline halves load(const uint32_t state[8]) {
    return (halves){vld1q_u32(state), vld1q_u32(state + 4)};
}

WITH_INSTRUCTIONS static inline void store(halves h, uint32_t state[8]) {
    vst1q_u32(state, h.abcd);
    vst1q_u32(state + 4, h.efgh);
}

WITH_INSTRUCTIONS static inline void write(halves h, uint8_t *hash) {
    vst1q_u8(hash, vrev32q_u8(vreinterpretq_u8_u32(h.abcd)));
    vst1q_u8(hash + 16, vrev32q_u8(vreinterpretq_u8_u32(h.efgh)));
}

#include "blocks.h"

#endif
