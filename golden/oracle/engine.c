// SPDX-License-Identifier: Apache-2.0
#include "engine.h"

#include <stdlib.h>

void oracle_engine_init(oracle_engine *engine, golden_dtype dtype, mpfr_prec_t precision)
{
    engine->dtype = dtype;
    engine->precision = precision;
    engine->estimated = false;
    oracle_tracker_init(&engine->tracker, dtype);
    mpfr_init2(engine->work, precision > ORACLE_INPUT_BITS ? precision : ORACLE_INPUT_BITS);
}

void oracle_engine_clear(oracle_engine *engine)
{
    oracle_tracker_clear(&engine->tracker);
    mpfr_clear(engine->work);
}

bool oracle_engine_replays(const oracle_engine *engine)
{
    return engine->precision == 0;
}

oracle_number *oracle_numbers(const oracle_engine *engine, size_t count)
{
    if (oracle_engine_replays(engine)) {
        return oracle_tracked_new(count, engine->dtype);
    }
    oracle_number *numbers = calloc(count > 0 ? count : 1, sizeof *numbers);
    for (size_t i = 0; numbers != NULL && i < count; ++i) {
        mpfr_init2(numbers[i].value, engine->precision);
        mpfr_init2(numbers[i].bound, 64);
        oracle_tracked_zero(&numbers[i]);
    }
    return numbers;
}

void oracle_give(oracle_engine *engine, oracle_number *z, const mpfr_t exact)
{
    if (oracle_engine_replays(engine)) {
        oracle_tracked_round(&engine->tracker, z, exact);
    } else {
        mpfr_set(z->value, exact, MPFR_RNDN);
    }
}

void oracle_give_value(oracle_engine *engine, oracle_number *z, golden_value value)
{
    oracle_load(engine->work, value);
    oracle_give(engine, z, engine->work);
}

void oracle_give_double(oracle_engine *engine, oracle_number *z, double value)
{
    oracle_load_double(engine->work, value);
    oracle_give(engine, z, engine->work);
}

void oracle_give_fraction(oracle_engine *engine, oracle_number *z, long numerator, long denominator)
{
    mpfr_set_si(engine->work, numerator, MPFR_RNDN);
    mpfr_div_si(engine->work, engine->work, denominator, MPFR_RNDN);
    oracle_give(engine, z, engine->work);
}

void oracle_give_surd(oracle_engine *engine, oracle_number *z, long a, long b, long c)
{
    mpfr_sqrt_ui(engine->work, 2, MPFR_RNDN);
    mpfr_mul_si(engine->work, engine->work, b, MPFR_RNDN);
    mpfr_add_si(engine->work, engine->work, a, MPFR_RNDN);
    mpfr_div_si(engine->work, engine->work, c, MPFR_RNDN);
    oracle_give(engine, z, engine->work);
}

void oracle_fma(oracle_engine *engine, oracle_number *z, const oracle_number *a, const oracle_number *b, const oracle_number *c)
{
    if (oracle_engine_replays(engine)) {
        oracle_tracked_fma(&engine->tracker, z, a, b, c);
    } else {
        mpfr_fma(z->value, a->value, b->value, c->value, MPFR_RNDN);
    }
}

void oracle_multiply(oracle_engine *engine, oracle_number *z, const oracle_number *a, const oracle_number *b)
{
    if (oracle_engine_replays(engine)) {
        oracle_tracked_multiply(&engine->tracker, z, a, b);
    } else {
        mpfr_mul(z->value, a->value, b->value, MPFR_RNDN);
    }
}

void oracle_add(oracle_engine *engine, oracle_number *z, const oracle_number *a, const oracle_number *b)
{
    if (oracle_engine_replays(engine)) {
        oracle_tracked_add(&engine->tracker, z, a, b);
    } else {
        mpfr_add(z->value, a->value, b->value, MPFR_RNDN);
    }
}

void oracle_subtract(oracle_engine *engine, oracle_number *z, const oracle_number *a, const oracle_number *b)
{
    if (oracle_engine_replays(engine)) {
        oracle_tracked_subtract(&engine->tracker, z, a, b);
    } else {
        mpfr_sub(z->value, a->value, b->value, MPFR_RNDN);
    }
}

void oracle_divide(oracle_engine *engine, oracle_number *z, const oracle_number *a, const oracle_number *b)
{
    if (oracle_engine_replays(engine)) {
        oracle_tracked_divide(&engine->tracker, z, a, b);
    } else {
        mpfr_div(z->value, a->value, b->value, MPFR_RNDN);
    }
}

void oracle_root(oracle_engine *engine, oracle_number *z, const oracle_number *a)
{
    if (oracle_engine_replays(engine)) {
        oracle_tracked_root(&engine->tracker, z, a);
    } else {
        mpfr_sqrt(z->value, a->value, MPFR_RNDN);
    }
}

void oracle_negate(oracle_number *z, const oracle_number *a)
{
    mpfr_neg(z->value, a->value, MPFR_RNDN);
    mpfr_set(z->bound, a->bound, MPFR_RNDU);
}

void oracle_absolute(oracle_number *z, const oracle_number *a)
{
    mpfr_abs(z->value, a->value, MPFR_RNDN);
    mpfr_set(z->bound, a->bound, MPFR_RNDU);
}

void oracle_copy(oracle_number *z, const oracle_number *a)
{
    mpfr_set(z->value, a->value, MPFR_RNDN);
    mpfr_set(z->bound, a->bound, MPFR_RNDU);
}

// |max(a, b) - max(a', b')| <= max(|a - a'|, |b - b'|)
void oracle_maximum(oracle_number *z, const oracle_number *a, const oracle_number *b)
{
    const oracle_number *larger = mpfr_cmp(a->value, b->value) >= 0 ? a : b;
    mpfr_max(z->bound, a->bound, b->bound, MPFR_RNDU);
    mpfr_set(z->value, larger->value, MPFR_RNDN);
}

// |exp(a) - exp(a')| <= exp(a) (e^bound - 1) <= 2 exp(a) bound while bound <= 1
void oracle_exponential(oracle_engine *engine, oracle_number *z, const oracle_number *a)
{
    if (!oracle_engine_replays(engine)) {
        mpfr_exp(z->value, a->value, MPFR_RNDN);
        return;
    }
    engine->estimated = true;
    mpfr_exp(engine->work, a->value, MPFR_RNDN);
    oracle_ulp(engine->tracker.factor, engine->work, engine->dtype);
    mpfr_abs(engine->tracker.error, engine->work, MPFR_RNDU);
    mpfr_mul(engine->tracker.error, engine->tracker.error, a->bound, MPFR_RNDU);
    mpfr_mul_2ui(engine->tracker.error, engine->tracker.error, 1, MPFR_RNDU);
    mpfr_add(engine->tracker.error, engine->tracker.error, engine->tracker.factor, MPFR_RNDU); // one ulp: the core's own bound
    mpfr_add(z->bound, engine->tracker.error, engine->tracker.factor, MPFR_RNDU); // and the distance of its value from this one
    (void)oracle_round_to(z->value, engine->work, engine->dtype);
}

bool oracle_decide(const oracle_number *a, const oracle_number *b, bool *clear)
{
    mpfr_t gap, reach;
    mpfr_inits2(64, gap, reach, (mpfr_ptr)0);
    mpfr_sub(gap, a->value, b->value, MPFR_RNDN);
    mpfr_abs(gap, gap, MPFR_RNDN);
    mpfr_add(reach, a->bound, b->bound, MPFR_RNDU);
    mpfr_mul_2ui(reach, reach, 10, MPFR_RNDU);
    *clear = *clear && !mpfr_lessequal_p(gap, reach);
    bool result = mpfr_lessequal_p(a->value, b->value) != 0;
    mpfr_clears(gap, reach, (mpfr_ptr)0);
    return result;
}

enum { SETTLE_FIRST = 256, SETTLE_LAST = 8192, SETTLE_GUARD = 32 };

typedef enum settled { APART, CLOSE, EQUAL } settled;

// Equal numbers at two precisions are exact: nothing was lost at either.
static settled compare(const mpfr_t a, const mpfr_t b)
{
    if (!mpfr_regular_p(a) || !mpfr_regular_p(b)) {
        bool same = (mpfr_nan_p(a) && mpfr_nan_p(b)) || (mpfr_equal_p(a, b) && mpfr_signbit(a) == mpfr_signbit(b));
        return same ? EQUAL : APART;
    }
    mpfr_t difference;
    mpfr_init2(difference, 64);
    mpfr_sub(difference, a, b, MPFR_RNDN);
    bool equal = mpfr_zero_p(difference) != 0;
    bool close = !equal && mpfr_get_exp(difference) <= mpfr_get_exp(a) - (ORACLE_BITS + SETTLE_GUARD);
    mpfr_clear(difference);
    return equal ? EQUAL : close ? CLOSE : APART;
}

static golden_status evaluate_at(oracle_evaluation *evaluate, void *context, golden_dtype dtype, mpfr_prec_t precision,
                                 size_t count, oracle_number **results, bool *estimated, golden_error *error)
{
    oracle_engine engine;
    oracle_engine_init(&engine, dtype, precision);
    *results = oracle_numbers(&engine, count);
    golden_status status = *results != NULL ? evaluate(&engine, context, *results, error)
                                            : golden_fail(error, GOLDEN_REFUSED, "out of memory for %zu results.", count);
    *estimated = engine.estimated;
    oracle_engine_clear(&engine);
    return status;
}

// low gets results that high confirms; `agreed` says how each pair does.
static golden_status settle_all(oracle_evaluation *evaluate, void *context, golden_dtype dtype, size_t count, oracle_number **high,
                                bool *exact, golden_error *error)
{
    golden_status status = GOLDEN_OK;
    bool done = false, ignored = false;
    for (mpfr_prec_t precision = SETTLE_FIRST; status == GOLDEN_OK && !done && precision <= SETTLE_LAST; precision *= 2) {
        oracle_number *low = NULL;
        oracle_tracked_free(*high, *high != NULL ? count : 0);
        *high = NULL;
        status = evaluate_at(evaluate, context, dtype, precision, count, &low, &ignored, error);
        if (status == GOLDEN_OK) {
            status = evaluate_at(evaluate, context, dtype, precision + precision / 2, count, high, &ignored, error);
        }
        done = status == GOLDEN_OK;
        for (size_t i = 0; status == GOLDEN_OK && i < count; ++i) {
            settled agreed = compare(low[i].value, (*high)[i].value);
            exact[i] = agreed == EQUAL;
            // A zero may be a cancellation that both miss: it must stay at more bits.
            done = done && agreed != APART && !(mpfr_zero_p((*high)[i].value) && precision == SETTLE_FIRST);
        }
        oracle_tracked_free(low, low != NULL ? count : 0);
    }
    if (status == GOLDEN_OK && !done) {
        status = golden_fail(error, GOLDEN_REFUSED, "two precisions of up to %d bits do not agree: this is no row.", SETTLE_LAST);
    }
    return status;
}

golden_status oracle_conclude(oracle_evaluation *evaluate, void *context, golden_dtype dtype, size_t first, size_t count,
                              oracle_truths *truths, golden_error *error)
{
    oracle_number *replayed = NULL, *exact = NULL;
    bool estimated = false, *is_exact = calloc(count > 0 ? count : 1, sizeof *is_exact);
    golden_status status =
        is_exact != NULL ? GOLDEN_OK : golden_fail(error, GOLDEN_REFUSED, "out of memory for %zu results.", count);
    if (status == GOLDEN_OK) {
        status = evaluate_at(evaluate, context, dtype, 0, count, &replayed, &estimated, error);
    }
    if (status == GOLDEN_OK) {
        status = settle_all(evaluate, context, dtype, count, &exact, is_exact, error);
    }
    for (size_t i = 0; status == GOLDEN_OK && i < count; ++i) {
        if (is_exact[i]) {
            oracle_set_exact(truths, first + i, exact[i].value);
        } else {
            oracle_set_settled(truths, first + i, exact[i].value);
        }
        oracle_set_scale(truths, first + i, replayed[i].bound);
        if (!estimated) {
            oracle_require(truths, first + i, oracle_value_of(replayed[i].value, dtype));
        }
    }
    oracle_tracked_free(replayed, replayed != NULL ? count : 0);
    oracle_tracked_free(exact, exact != NULL ? count : 0);
    free(is_exact);
    return status;
}
