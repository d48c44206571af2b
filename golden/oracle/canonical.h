// SPDX-License-Identifier: Apache-2.0
// The documented order of sums and product chains (docs/sums.md), replayed with one rounding for each operation. It gives the very
// bits of the answer and, from the roundings that lost something, the row's own error bound.
#ifndef ORACLE_CANONICAL_H
#define ORACLE_CANONICAL_H

#include "oracle.h"

// A rounded intermediate and what the roundings before it may have lost.
typedef struct oracle_partial {
    mpfr_t rounded; // a value of the dtype
    mpfr_t lost;    // sum of the units in the last place of all roundings that were not exact
} oracle_partial;

// Exact scratch numbers wide enough for every sum of two values or of a value and a product of the dtype.
typedef struct oracle_scratch {
    golden_dtype dtype;
    mpfr_t factor, term, sum, ulp;
} oracle_scratch;

// Bits that hold every finite sum of up to 2^40 values, or products of two or three values, of the dtype exactly.
mpfr_prec_t oracle_exact_bits(golden_dtype dtype);

void oracle_scratch_init(oracle_scratch *scratch, golden_dtype dtype);
void oracle_scratch_clear(oracle_scratch *scratch);
void oracle_partial_init(oracle_partial *partial, golden_dtype dtype);
void oracle_partial_clear(oracle_partial *partial);
void oracle_partial_set(oracle_partial *partial, golden_value value);

// partial = round(value), where `value` is exact and carries what `partial->lost` says; adds one ulp of value when not exact.
void oracle_partial_round(oracle_partial *partial, const mpfr_t value, oracle_scratch *scratch);
// left = round(left + right)
void oracle_partial_add(oracle_partial *left, const oracle_partial *right, oracle_scratch *scratch);
// chain = round(a * b + chain)
void oracle_partial_fma(oracle_partial *chain, golden_value a, golden_value b, oracle_scratch *scratch);

// The canonical sum of x (y null) or dot product of x and y.
golden_status oracle_canonical(const golden_array *x, const golden_array *y, oracle_partial *result, golden_error *error);

#endif
