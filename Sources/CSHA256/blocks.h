// The functions of CSHA256.h, built from `halves`, `load`, `store`, `rounds` and `write` of the processor's file.

WITH_INSTRUCTIONS void csha256_compress(uint32_t state[8], const uint8_t *blocks, size_t count) {
    halves h = load(state);
    for (size_t k = 0; k < count; k++) {
        const uint8_t *block = blocks + 64 * k;
        rounds(&h, &block, 1);
    }
    store(h, state);
}

WITH_INSTRUCTIONS void csha256_compress_each(
    const uint32_t state[8], const uint8_t *blocks, size_t count, uint8_t *hashes) {
    const halves start = load(state);
    size_t k = 0;
    for (; k + 2 <= count; k += 2) {
        halves pair[2] = {start, start};
        const uint8_t *two[2] = {blocks + 64 * k, blocks + 64 * (k + 1)};
        rounds(pair, two, 2);
        write(pair[0], hashes + 32 * k);
        write(pair[1], hashes + 32 * (k + 1));
    }
    if (k < count) {
        halves h = start;
        const uint8_t *block = blocks + 64 * k;
        rounds(&h, &block, 1);
        write(h, hashes + 32 * k);
    }
}
