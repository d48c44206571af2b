// SPDX-License-Identifier: Apache-2.0
#include "tracked.h"

#include <stdlib.h>

void oracle_tracker_init(oracle_tracker *tracker, golden_dtype dtype)
{
    mpfr_prec_t wide = 3 * (oracle_format_of(dtype)->largest - oracle_format_of(dtype)->least + oracle_format_of(dtype)->precision);
    tracker->dtype = dtype;
    mpfr_init2(tracker->exact, wide + 64); // holds any c - a b exactly; quotients and roots to more than enough
    mpfr_init2(tracker->work, 2 * oracle_format_of(dtype)->precision);
    mpfr_inits2(64, tracker->error, tracker->factor, (mpfr_ptr)0);
}

void oracle_tracker_clear(oracle_tracker *tracker)
{
    mpfr_clears(tracker->exact, tracker->work, tracker->error, tracker->factor, (mpfr_ptr)0);
}

oracle_tracked *oracle_tracked_new(size_t count, golden_dtype dtype)
{
    oracle_tracked *numbers = calloc(count > 0 ? count : 1, sizeof *numbers);
    for (size_t i = 0; numbers != NULL && i < count; ++i) {
        mpfr_init2(numbers[i].value, oracle_format_of(dtype)->precision);
        mpfr_init2(numbers[i].bound, 64);
        oracle_tracked_zero(&numbers[i]);
    }
    return numbers;
}

void oracle_tracked_free(oracle_tracked *numbers, size_t count)
{
    for (size_t i = 0; numbers != NULL && i < count; ++i) {
        mpfr_clears(numbers[i].value, numbers[i].bound, (mpfr_ptr)0);
    }
    free(numbers);
}

void oracle_tracked_load(oracle_tracked *number, golden_value value)
{
    oracle_load(number->value, value);
    mpfr_set_zero(number->bound, 1);
}

void oracle_tracked_zero(oracle_tracked *number)
{
    mpfr_set_zero(number->value, 1);
    mpfr_set_zero(number->bound, 1);
}

// z = round(tracker->exact), whose bound so far is tracker->error; half a unit more when that was not exact.
static void finish(oracle_tracker *tracker, oracle_tracked *z)
{
    if (!oracle_round_to(z->value, tracker->exact, tracker->dtype)) {
        oracle_ulp(tracker->factor, tracker->exact, tracker->dtype);
        mpfr_div_2ui(tracker->factor, tracker->factor, 1, MPFR_RNDU);
        mpfr_add(tracker->error, tracker->error, tracker->factor, MPFR_RNDU);
    }
    mpfr_set(z->bound, tracker->error, MPFR_RNDU);
}

// tracker->error += |a| b, upwards
static void add_scaled(oracle_tracker *tracker, const mpfr_t a, const mpfr_t b)
{
    mpfr_abs(tracker->factor, a, MPFR_RNDU);
    mpfr_mul(tracker->factor, tracker->factor, b, MPFR_RNDU);
    mpfr_add(tracker->error, tracker->error, tracker->factor, MPFR_RNDU);
}

// tracker->work = a b, exactly; tracker->error += what the operands' bounds make of it
static void product(oracle_tracker *tracker, const oracle_tracked *a, const oracle_tracked *b)
{
    add_scaled(tracker, a->value, b->bound);
    add_scaled(tracker, b->value, a->bound);
    add_scaled(tracker, a->bound, b->bound);
    mpfr_mul(tracker->work, a->value, b->value, MPFR_RNDN); // exact in twice the precision
}

void oracle_tracked_fms(oracle_tracker *tracker, oracle_tracked *z, const oracle_tracked *a, const oracle_tracked *b,
                        const oracle_tracked *c)
{
    mpfr_set(tracker->error, c->bound, MPFR_RNDU);
    product(tracker, a, b);
    mpfr_sub(tracker->exact, c->value, tracker->work, MPFR_RNDN);
    finish(tracker, z);
}

void oracle_tracked_fma(oracle_tracker *tracker, oracle_tracked *z, const oracle_tracked *a, const oracle_tracked *b,
                        const oracle_tracked *c)
{
    mpfr_set(tracker->error, c->bound, MPFR_RNDU);
    product(tracker, a, b);
    mpfr_add(tracker->exact, tracker->work, c->value, MPFR_RNDN);
    finish(tracker, z);
}

void oracle_tracked_multiply(oracle_tracker *tracker, oracle_tracked *z, const oracle_tracked *a, const oracle_tracked *b)
{
    mpfr_set_zero(tracker->error, 1);
    product(tracker, a, b);
    mpfr_set(tracker->exact, tracker->work, MPFR_RNDN);
    finish(tracker, z);
}

void oracle_tracked_add(oracle_tracker *tracker, oracle_tracked *z, const oracle_tracked *a, const oracle_tracked *b)
{
    mpfr_add(tracker->error, a->bound, b->bound, MPFR_RNDU);
    mpfr_add(tracker->exact, a->value, b->value, MPFR_RNDN);
    finish(tracker, z);
}

void oracle_tracked_subtract(oracle_tracker *tracker, oracle_tracked *z, const oracle_tracked *a, const oracle_tracked *b)
{
    mpfr_add(tracker->error, a->bound, b->bound, MPFR_RNDU);
    mpfr_sub(tracker->exact, a->value, b->value, MPFR_RNDN);
    finish(tracker, z);
}

void oracle_tracked_round(oracle_tracker *tracker, oracle_tracked *z, const mpfr_t exact)
{
    mpfr_set_zero(tracker->error, 1);
    mpfr_set(tracker->exact, exact, MPFR_RNDN);
    finish(tracker, z);
}

void oracle_tracked_divide(oracle_tracker *tracker, oracle_tracked *z, const oracle_tracked *a, const oracle_tracked *b)
{
    mpfr_div(tracker->exact, a->value, b->value, MPFR_RNDN);
    // |a/b - (a+da)/(b+db)| <= (|da| + |a/b| |db|) / (|b| - |db|)
    mpfr_set(tracker->error, a->bound, MPFR_RNDU);
    add_scaled(tracker, tracker->exact, b->bound);
    mpfr_abs(tracker->factor, b->value, MPFR_RNDD);
    mpfr_sub(tracker->factor, tracker->factor, b->bound, MPFR_RNDD);
    if (mpfr_sgn(tracker->factor) > 0) {
        mpfr_div(tracker->error, tracker->error, tracker->factor, MPFR_RNDU);
    } else if (!mpfr_zero_p(b->bound) || !mpfr_zero_p(a->bound)) {
        mpfr_set_inf(tracker->error, 1);
    }
    finish(tracker, z);
}

void oracle_tracked_root(oracle_tracker *tracker, oracle_tracked *z, const oracle_tracked *a)
{
    // |sqrt(a) - sqrt(a+da)| <= |da| / sqrt(a)
    mpfr_sqrt(tracker->exact, a->value, MPFR_RNDN);
    mpfr_sqrt(tracker->factor, a->value, MPFR_RNDD);
    mpfr_div(tracker->error, a->bound, tracker->factor, MPFR_RNDU);
    finish(tracker, z);
}

int oracle_tracked_compare_magnitude(const oracle_tracked *a, const oracle_tracked *b)
{
    return mpfr_cmpabs(a->value, b->value);
}

void oracle_tracked_swap(oracle_tracked *a, oracle_tracked *b)
{
    mpfr_swap(a->value, b->value);
    mpfr_swap(a->bound, b->bound);
}
