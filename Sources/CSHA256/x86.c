#if defined(__x86_64__) || defined(__i386__)

#include "CSHA256.h"
#include "constants.h"

#include <cpuid.h>
#include <immintrin.h>

#define WITH_INSTRUCTIONS __attribute__((target("sha,ssse3,sse4.1")))

bool csha256_is_available(void) {
    unsigned eax, ebx, ecx, edx;
    if (!__get_cpuid(1, &eax, &ebx, &ecx, &edx)) return false;
    bool has_shuffles = (ecx & bit_SSSE3) && (ecx & bit_SSE4_1);
    if (!__get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx)) return false;
    return has_shuffles && (ebx & bit_SHA);
}

// A state in the form of the instructions: a, b, e, f in one register, c, d, g, h in the other, each from the highest
// word down.
typedef struct {
    __m128i abef, cdgh;
} halves;

WITH_INSTRUCTIONS static inline halves load(const uint32_t state[8]) {
    __m128i abcd = _mm_loadu_si128((const __m128i *)state);
    __m128i efgh = _mm_loadu_si128((const __m128i *)(state + 4));
    abcd = _mm_shuffle_epi32(abcd, 0xb1);
    efgh = _mm_shuffle_epi32(efgh, 0xb1);
    return (halves){_mm_unpacklo_epi64(efgh, abcd), _mm_unpackhi_epi64(efgh, abcd)};
}

WITH_INSTRUCTIONS static inline void ordered(halves from, __m128i *abcd, __m128i *efgh) {
    *abcd = _mm_shuffle_epi32(_mm_unpackhi_epi64(from.abef, from.cdgh), 0xb1);
    *efgh = _mm_shuffle_epi32(_mm_unpacklo_epi64(from.abef, from.cdgh), 0xb1);
}

// Reverses the order of bytes in each of four words.
WITH_INSTRUCTIONS static inline __m128i swapped(__m128i words) {
    return _mm_shuffle_epi8(words, _mm_set_epi64x(0x0c0d0e0f08090a0bLL, 0x0405060700010203LL));
}

// Compresses one block into each of `lanes` states.
WITH_INSTRUCTIONS __attribute__((always_inline)) static inline void rounds(
    halves *state, const uint8_t *const *blocks, int lanes) {
    __m128i words[2][4];
    halves before[2];
    for (int lane = 0; lane < lanes; lane++) {
        before[lane] = state[lane];
        for (int k = 0; k < 4; k++) {
            words[lane][k] = swapped(_mm_loadu_si128((const __m128i *)(blocks[lane] + 16 * k)));
        }
    }
#pragma clang loop unroll(full)
    for (int four = 0; four < 16; four++) {
        __m128i constants = _mm_loadu_si128((const __m128i *)(csha256_constants + 4 * four));
        for (int lane = 0; lane < lanes; lane++) {
            __m128i *w = words[lane];
            if (four >= 4) {
                // Words 4·four … 4·four + 3 of the schedule replace the words sixteen places before.
                __m128i next = _mm_sha256msg1_epu32(w[four % 4], w[(four + 1) % 4]);
                next = _mm_add_epi32(next, _mm_alignr_epi8(w[(four + 3) % 4], w[(four + 2) % 4], 4));
                w[four % 4] = _mm_sha256msg2_epu32(next, w[(four + 3) % 4]);
            }
            __m128i sum = _mm_add_epi32(w[four % 4], constants);
            state[lane].cdgh = _mm_sha256rnds2_epu32(state[lane].cdgh, state[lane].abef, sum);
            state[lane].abef =
                _mm_sha256rnds2_epu32(state[lane].abef, state[lane].cdgh, _mm_shuffle_epi32(sum, 0x0e));
        }
    }
    for (int lane = 0; lane < lanes; lane++) {
        state[lane].abef = _mm_add_epi32(state[lane].abef, before[lane].abef);
        state[lane].cdgh = _mm_add_epi32(state[lane].cdgh, before[lane].cdgh);
    }
}

WITH_INSTRUCTIONS static inline void store(halves h, uint32_t state[8]) {
    __m128i abcd, efgh;
    ordered(h, &abcd, &efgh);
    _mm_storeu_si128((__m128i *)state, abcd);
    _mm_storeu_si128((__m128i *)(state + 4), efgh);
}

WITH_INSTRUCTIONS static inline void write(halves h, uint8_t *hash) {
    __m128i abcd, efgh;
    ordered(h, &abcd, &efgh);
    _mm_storeu_si128((__m128i *)hash, swapped(abcd));
    _mm_storeu_si128((__m128i *)(hash + 16), swapped(efgh));
}

#include "blocks.h"

#endif
