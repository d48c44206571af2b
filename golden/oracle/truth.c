// SPDX-License-Identifier: Apache-2.0
// Setting truths, and truth that is settled at two precisions.
#include "oracle.h"

#include <string.h>

static oracle_truth *truth_live(oracle_truths *truths, size_t output)
{
    oracle_truth *truth = &truths->at[output];
    if (!truth->live) {
        mpfr_init2(truth->value, ORACLE_BITS);
        mpfr_init2(truth->scale, 64);
        mpfr_set_zero(truth->scale, 1);
        truth->live = true;
    }
    return truth;
}

void oracle_set_exact(oracle_truths *truths, size_t output, const mpfr_t value)
{
    oracle_truth *truth = truth_live(truths, output);
    mpfr_set_prec(truth->value, mpfr_get_prec(value));
    mpfr_set(truth->value, value, MPFR_RNDN);
    truth->known = true;
    truth->exact = true;
}

void oracle_set_settled(oracle_truths *truths, size_t output, const mpfr_t value)
{
    oracle_set_exact(truths, output, value);
    truths->at[output].exact = !mpfr_regular_p(value);
}

void oracle_set_integer(oracle_truths *truths, size_t output, int64_t value)
{
    oracle_truth *truth = &truths->at[output];
    truth->integer = value;
    truth->is_integer = true;
    truth->exact = true;
    truth->known = true;
}

void oracle_set_scale(oracle_truths *truths, size_t output, const mpfr_t scale)
{
    oracle_truth *truth = truth_live(truths, output);
    mpfr_abs(truth->scale, scale, MPFR_RNDD);
}

void oracle_require(oracle_truths *truths, size_t output, golden_value value)
{
    truths->at[output].required = value;
    truths->at[output].has_required = true;
}

golden_status oracle_expect(const golden_row *row, const golden_answer *answer, size_t count, const char *const *labels,
                            golden_error *error)
{
    if (answer->count != count) {
        return golden_fail(error, GOLDEN_DIFFERS, "row %s: the answer has %zu outputs; %s gives %zu.", row->id, answer->count,
                           row->operation, count);
    }
    for (size_t i = 0; i < count; ++i) {
        const char *wanted = labels ? labels[i] : "";
        if (strcmp(answer->outputs[i].label, wanted) != 0) {
            return golden_fail(error, GOLDEN_DIFFERS, "row %s: output %zu of the answer is \"%s\", not \"%s\".", row->id, i,
                               answer->outputs[i].label, wanted);
        }
    }
    return GOLDEN_OK;
}

enum { SETTLE_FIRST = 256, SETTLE_LAST = 16384, SETTLE_GUARD = 32 };

// Do a and b agree to ORACLE_BITS + SETTLE_GUARD bits? The guard keeps the truth column's last digit settled too.
static bool agree(const mpfr_t a, const mpfr_t b)
{
    if (!mpfr_regular_p(a) || !mpfr_regular_p(b)) {
        return (mpfr_nan_p(a) && mpfr_nan_p(b)) || (mpfr_equal_p(a, b) && mpfr_signbit(a) == mpfr_signbit(b));
    }
    mpfr_t difference;
    mpfr_init2(difference, 64);
    mpfr_sub(difference, a, b, MPFR_RNDN);
    bool close = mpfr_zero_p(difference) || mpfr_get_exp(difference) <= mpfr_get_exp(a) - (ORACLE_BITS + SETTLE_GUARD);
    mpfr_clear(difference);
    return close;
}

// A zero at two precisions may be a cancellation that both miss: it counts only if it stays zero at the highest one.
static golden_status zero_confirm(oracle_formula *formula, const void *context, mpfr_t high, bool *settled, golden_error *error)
{
    mpfr_set_prec(high, SETTLE_LAST);
    golden_status status = formula(high, SETTLE_LAST, context, error);
    *settled = status == GOLDEN_OK && mpfr_zero_p(high);
    return status;
}

golden_status oracle_settle(oracle_formula *formula, const void *context, mpfr_t truth, golden_error *error)
{
    mpfr_t low, high;
    mpfr_inits2(SETTLE_FIRST, low, high, (mpfr_ptr)0);
    golden_status status = formula(low, SETTLE_FIRST, context, error);
    bool settled = false;
    for (mpfr_prec_t precision = SETTLE_FIRST; status == GOLDEN_OK && !settled && precision < SETTLE_LAST; precision *= 2) {
        mpfr_set_prec(high, precision + precision / 2);
        status = formula(high, precision + precision / 2, context, error);
        settled = status == GOLDEN_OK && agree(low, high);
        if (settled && mpfr_zero_p(high)) {
            status = zero_confirm(formula, context, high, &settled, error);
        }
        if (status == GOLDEN_OK && !settled) {
            mpfr_set_prec(low, 2 * precision);
            status = formula(low, 2 * precision, context, error);
        }
    }
    if (status == GOLDEN_OK && !settled) {
        status = golden_fail(error, GOLDEN_REFUSED, "two precisions of up to %d bits do not agree: this is no row.", SETTLE_LAST);
    }
    if (status == GOLDEN_OK) {
        mpfr_set_prec(truth, mpfr_get_prec(high));
        mpfr_set(truth, high, MPFR_RNDN);
    }
    mpfr_clears(low, high, (mpfr_ptr)0);
    return status;
}
