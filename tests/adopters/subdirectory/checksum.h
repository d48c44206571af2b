// SPDX-License-Identifier: Apache-2.0
// The library under test: Adler-32 (RFC 1950, section 8.2).
#ifndef CHECKSUM_H
#define CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

uint32_t checksum_adler32(const unsigned char *bytes, size_t count);

#ifdef __cplusplus
}
#endif
#endif
