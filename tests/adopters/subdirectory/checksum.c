// SPDX-License-Identifier: Apache-2.0
#include "checksum.h"

uint32_t checksum_adler32(const unsigned char *bytes, size_t count)
{
    uint32_t low = 1, high = 0;
    for (size_t i = 0; i < count; ++i) {
        low = (low + bytes[i]) % CHECKSUM_MODULUS;
        high = (high + low) % CHECKSUM_MODULUS;
    }
    return high << 16 | low;
}
