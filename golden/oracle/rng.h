// SPDX-License-Identifier: Apache-2.0
// What the truths of the module rng share.
#ifndef ORACLE_RNG_H
#define ORACLE_RNG_H

#include "oracle.h"

// Arguments of every draw: seed, stream, first index, count.
typedef struct oracle_draw {
    uint64_t seed, stream, first;
    int64_t count;
} oracle_draw;

golden_status oracle_draw_read(const golden_row *row, const golden_answer *answer, oracle_draw *draw, golden_error *error);
// The binary64 uniform of an index, exactly: (k + 1/2) 2^-52 with the 52 bits of words 2i and 2i + 1.
void oracle_uniform_f64(mpfr_t result, const oracle_draw *draw, uint64_t index);
// The standard normal quantile of an exact uniform inside (0, 1), to all bits of z but the last few.
golden_status oracle_normal_quantile(mpfr_t z, const mpfr_t uniform, golden_error *error);

#endif
