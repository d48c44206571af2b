// SPDX-License-Identifier: Apache-2.0
// Philox4x32-10, written from the paper (Salmon, Moraes, Dror, Shaw, SC'11, doi:10.1145/2063384.2063405, section 3.3 and table 2).
#ifndef ORACLE_PHILOX_H
#define ORACLE_PHILOX_H

#include <stdint.h>

// One block: counter words c[0..3], key words k[0..1].
void oracle_philox(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4]);
// Word `index` of (seed, stream): word index mod 4 of the block with counter {index / 4, stream}, least words first.
uint32_t oracle_word(uint64_t seed, uint64_t stream, uint64_t index);

#endif
