// SPDX-License-Identifier: Apache-2.0
// One arithmetic for two purposes, so that a model's loops are written once. At a precision, an engine computes as if exactly:
// truth. As a replay (precision 0), it rounds every operation to the dtype where the documents say the core does, and carries the
// running bound of tracked.h: the very bits of the answer, and the row's own error bound.
#ifndef ORACLE_ENGINE_H
#define ORACLE_ENGINE_H

#include "tracked.h"

typedef oracle_tracked oracle_number;

typedef struct oracle_engine {
    golden_dtype dtype;
    mpfr_prec_t precision; // 0: replay
    oracle_tracker tracker;
    bool estimated; // replay: a value whose bits are not documented took part (an exponential); its bound stands
    mpfr_t work;
} oracle_engine;

void oracle_engine_init(oracle_engine *engine, golden_dtype dtype, mpfr_prec_t precision);
void oracle_engine_clear(oracle_engine *engine);
bool oracle_engine_replays(const oracle_engine *engine);
// The precision of scratch numbers that hold inputs exactly.
enum { ORACLE_INPUT_BITS = 2200 };

// `count` zeros. Release with oracle_tracked_free. Null when memory is short.
oracle_number *oracle_numbers(const oracle_engine *engine, size_t count);

// z = an input: as it is, rounded to the dtype in a replay.
void oracle_give(oracle_engine *engine, oracle_number *z, const mpfr_t exact);
void oracle_give_value(oracle_engine *engine, oracle_number *z, golden_value value);
void oracle_give_double(oracle_engine *engine, oracle_number *z, double value);
void oracle_give_fraction(oracle_engine *engine, oracle_number *z, long numerator, long denominator);
// z = (a + b sqrt(2)) / c
void oracle_give_surd(oracle_engine *engine, oracle_number *z, long a, long b, long c);

// z may be any operand.
void oracle_fma(oracle_engine *engine, oracle_number *z, const oracle_number *a, const oracle_number *b, const oracle_number *c);
void oracle_multiply(oracle_engine *engine, oracle_number *z, const oracle_number *a, const oracle_number *b);
void oracle_add(oracle_engine *engine, oracle_number *z, const oracle_number *a, const oracle_number *b);
void oracle_subtract(oracle_engine *engine, oracle_number *z, const oracle_number *a, const oracle_number *b);
void oracle_divide(oracle_engine *engine, oracle_number *z, const oracle_number *a, const oracle_number *b);
void oracle_root(oracle_engine *engine, oracle_number *z, const oracle_number *a);
void oracle_negate(oracle_number *z, const oracle_number *a);
void oracle_absolute(oracle_number *z, const oracle_number *a);
void oracle_copy(oracle_number *z, const oracle_number *a);
void oracle_maximum(oracle_number *z, const oracle_number *a, const oracle_number *b);
// exp within one ulp in a replay, which is then estimated; z's bound covers it.
void oracle_exponential(oracle_engine *engine, oracle_number *z, const oracle_number *a);

// A decision a <= b of a replay, or of exact numbers. `*clear` becomes false when a replay's bounds, 2^10 times, reach across it.
bool oracle_decide(const oracle_number *a, const oracle_number *b, bool *clear);

// Computes `count` results with an engine. It is called with a replay first, which may record decisions in the context, then with
// exact engines, which follow them.
typedef golden_status oracle_evaluation(oracle_engine *engine, void *context, oracle_number *results, golden_error *error);
// The truths of outputs first .. first + count - 1: exact results, settled as oracle_settle does it, with bits and bounds of a
// replay.
golden_status oracle_conclude(oracle_evaluation *evaluate, void *context, golden_dtype dtype, size_t first, size_t count,
                              oracle_truths *truths, golden_error *error);

#endif
