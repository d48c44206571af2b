// SPDX-License-Identifier: Apache-2.0
// Philox4x32 written from the paper (Salmon, Moraes, Dror, Shaw, SC'11, doi:10.1145/2063384.2063405), apart from the core.
#ifndef SUITE_REFERENCE_PHILOX_H
#define SUITE_REFERENCE_PHILOX_H

#include <stdint.h>

static inline void reference_philox(uint32_t words[4], const uint32_t counter[4], const uint32_t key[2], int rounds)
{
    uint32_t c[4] = {counter[0], counter[1], counter[2], counter[3]};
    for (int round = 0; round < rounds; ++round) {
        uint32_t k0 = key[0] + (uint32_t)round * 0x9E3779B9u;
        uint32_t k1 = key[1] + (uint32_t)round * 0xBB67AE85u;
        uint64_t p0 = (uint64_t)0xD2511F53u * c[0];
        uint64_t p1 = (uint64_t)0xCD9E8D57u * c[2];
        uint32_t next[4] = {(uint32_t)(p1 >> 32) ^ c[1] ^ k0, (uint32_t)p1, (uint32_t)(p0 >> 32) ^ c[3] ^ k1, (uint32_t)p0};
        for (int i = 0; i < 4; ++i) {
            c[i] = next[i];
        }
    }
    for (int i = 0; i < 4; ++i) {
        words[i] = c[i];
    }
}

// Word `index` of (seed, stream) as nc_rng.h addresses it.
static inline uint32_t reference_word(uint64_t seed, uint64_t stream, uint64_t index)
{
    const uint64_t block = index / 4;
    const uint32_t counter[4] = {(uint32_t)block, (uint32_t)(block >> 32), (uint32_t)stream, (uint32_t)(stream >> 32)};
    const uint32_t key[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)};
    uint32_t words[4];
    reference_philox(words, counter, key, 10);
    return words[index % 4];
}

#endif
