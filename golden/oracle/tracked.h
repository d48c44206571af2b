// SPDX-License-Identifier: Apache-2.0
// Numbers that remember how wrong they may be: a rounded value with a running bound of its distance from what exact arithmetic on
// the same inputs would have given (Wilkinson's running error analysis, no term dropped). An algorithm replayed with them gives
// the very bits of the answer and the row's own error bound.
#ifndef ORACLE_TRACKED_H
#define ORACLE_TRACKED_H

#include "oracle.h"

typedef struct oracle_tracked {
    mpfr_t value; // a value of the dtype
    mpfr_t bound; // >= |value - exact|, rounded up
} oracle_tracked;

typedef struct oracle_tracker {
    golden_dtype dtype;
    mpfr_t exact, work, error, factor;
} oracle_tracker;

void oracle_tracker_init(oracle_tracker *tracker, golden_dtype dtype);
void oracle_tracker_clear(oracle_tracker *tracker);
// Numbers are plain arrays of `count`; null when memory is short. Release with oracle_tracked_free.
oracle_tracked *oracle_tracked_new(size_t count, golden_dtype dtype);
void oracle_tracked_free(oracle_tracked *numbers, size_t count);

// An input: no error.
void oracle_tracked_load(oracle_tracked *number, golden_value value);
void oracle_tracked_zero(oracle_tracked *number);
// z = round(c - a b); z may be c.
void oracle_tracked_fms(oracle_tracker *tracker, oracle_tracked *z, const oracle_tracked *a, const oracle_tracked *b,
                        const oracle_tracked *c);
// z = round(a b + c), round(a b), round(a + b), round(a - b); z may be any operand.
void oracle_tracked_fma(oracle_tracker *tracker, oracle_tracked *z, const oracle_tracked *a, const oracle_tracked *b,
                        const oracle_tracked *c);
void oracle_tracked_multiply(oracle_tracker *tracker, oracle_tracked *z, const oracle_tracked *a, const oracle_tracked *b);
void oracle_tracked_add(oracle_tracker *tracker, oracle_tracked *z, const oracle_tracked *a, const oracle_tracked *b);
void oracle_tracked_subtract(oracle_tracker *tracker, oracle_tracked *z, const oracle_tracked *a, const oracle_tracked *b);
// z = round(exact), an input that the dtype may not hold.
void oracle_tracked_round(oracle_tracker *tracker, oracle_tracked *z, const mpfr_t exact);
// z = round(a / b), z may be a; b's bound must be below |b|, else the bound is infinite.
void oracle_tracked_divide(oracle_tracker *tracker, oracle_tracked *z, const oracle_tracked *a, const oracle_tracked *b);
// z = round(sqrt(a)), a > 0; z may be a.
void oracle_tracked_root(oracle_tracker *tracker, oracle_tracked *z, const oracle_tracked *a);
// Largest first; ties to the first.
int oracle_tracked_compare_magnitude(const oracle_tracked *a, const oracle_tracked *b);
void oracle_tracked_swap(oracle_tracked *a, oracle_tracked *b);

#endif
