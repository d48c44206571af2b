// SPDX-License-Identifier: Apache-2.0
// The verdict's own Philox4x32-10 (Salmon, Moraes, Dror, Shaw, SC'11, doi:10.1145/2063384.2063405, section 4.2), so that the
// answer of a device is not judged by the code that it ran.
#include "records.h"

#include "text.h"

#include <string.h>

static uint64_t hex_u64(const char *digits)
{
    uint64_t value = 0;
    for (size_t i = 0; i < 16; ++i) {
        unsigned char c = (unsigned char)digits[i];
        value = 16 * value + (c <= '9' ? c - (unsigned)'0' : c - (unsigned)'a' + 10u);
    }
    return value;
}

bool cupel_nonce_split(const char *nonce, uint64_t *seed, uint64_t *stream)
{
    if (!cupel_text_is_hex(nonce, CUPEL_NONCE_DIGITS)) {
        return false;
    }
    *seed = hex_u64(nonce);
    *stream = hex_u64(nonce + 16);
    return true;
}

static void philox_block(uint64_t block, uint64_t stream, uint64_t seed, uint32_t words[4])
{
    const uint64_t multiplier_even = 0xD2511F53u;
    const uint64_t multiplier_odd = 0xCD9E8D57u;
    const uint32_t weyl_low = 0x9E3779B9u;
    const uint32_t weyl_high = 0xBB67AE85u;
    uint32_t counter[4] = {(uint32_t)block, (uint32_t)(block >> 32), (uint32_t)stream, (uint32_t)(stream >> 32)};
    uint32_t key_low = (uint32_t)seed;
    uint32_t key_high = (uint32_t)(seed >> 32);
    for (int round = 0; round < 10; ++round) {
        uint64_t even = multiplier_even * counter[0];
        uint64_t odd = multiplier_odd * counter[2];
        uint32_t next[4] = {(uint32_t)(odd >> 32) ^ counter[1] ^ key_low, (uint32_t)odd,
                            (uint32_t)(even >> 32) ^ counter[3] ^ key_high, (uint32_t)even};
        memcpy(counter, next, sizeof counter);
        key_low += weyl_low;
        key_high += weyl_high;
    }
    memcpy(words, counter, sizeof counter);
}

void cupel_nonce_words(uint64_t seed, uint64_t stream, uint32_t words[CUPEL_NONCE_WORDS])
{
    for (uint64_t block = 0; block < CUPEL_NONCE_WORDS / 4; ++block) {
        philox_block(block, stream, seed, words + 4 * block);
    }
}

bool cupel_nonce_answer(const char *nonce, char answer[8 * CUPEL_NONCE_WORDS + 1])
{
    uint64_t seed = 0;
    uint64_t stream = 0;
    uint32_t words[CUPEL_NONCE_WORDS];
    if (!cupel_nonce_split(nonce, &seed, &stream)) {
        return false;
    }
    cupel_nonce_words(seed, stream, words);
    for (size_t i = 0; i < CUPEL_NONCE_WORDS; ++i) {
        snprintf(answer + 8 * i, 9, "%08lx", (unsigned long)words[i]);
    }
    return true;
}
