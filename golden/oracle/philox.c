// SPDX-License-Identifier: Apache-2.0
#include "philox.h"

void oracle_philox(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4])
{
    uint32_t left0 = counter[0], right0 = counter[1], left1 = counter[2], right1 = counter[3];
    uint32_t key0 = key[0], key1 = key[1];
    for (int round = 0; round < 10; ++round) {
        uint64_t product0 = (uint64_t)left0 * UINT32_C(0xD2511F53); // M of table 2
        uint64_t product1 = (uint64_t)left1 * UINT32_C(0xCD9E8D57);
        left0 = (uint32_t)(product1 >> 32) ^ right0 ^ key0;
        right0 = (uint32_t)product1;
        left1 = (uint32_t)(product0 >> 32) ^ right1 ^ key1;
        right1 = (uint32_t)product0;
        key0 += UINT32_C(0x9E3779B9); // golden ratio: the Weyl sequence of the key
        key1 += UINT32_C(0xBB67AE85); // square root of 3, less 1
    }
    out[0] = left0;
    out[1] = right0;
    out[2] = left1;
    out[3] = right1;
}

uint32_t oracle_word(uint64_t seed, uint64_t stream, uint64_t index)
{
    uint64_t block = index / 4;
    uint32_t counter[4] = {(uint32_t)block, (uint32_t)(block >> 32), (uint32_t)stream, (uint32_t)(stream >> 32)};
    uint32_t key[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)}, out[4];
    oracle_philox(counter, key, out);
    return out[index % 4];
}
