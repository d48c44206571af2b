// SPDX-License-Identifier: Apache-2.0
#include "judge.h"
#include "../lib/number.h"

#include <stdio.h>
#include <string.h>

// A truth nearer to a rounding midpoint than 2^-MIDPOINT_BITS ulp (and not on it, exactly) is no row: which neighbour is the
// nearest would hang on bits that the truth column does not show.
enum { MIDPOINT_BITS = 100 };

void oracle_format_wide(const mpfr_t value, char *text)
{
    golden_hex hex = {.kind = GOLDEN_HEX_ZERO, .negative = mpfr_signbit(value) != 0};
    if (mpfr_nan_p(value)) {
        hex = (golden_hex){.kind = GOLDEN_HEX_NAN};
    } else if (mpfr_inf_p(value)) {
        hex.kind = GOLDEN_HEX_INF;
    } else if (mpfr_regular_p(value)) {
        mpfr_t rest;
        mpfr_init2(rest, ORACLE_BITS);
        mpfr_abs(rest, value, MPFR_RNDN);
        hex.kind = GOLDEN_HEX_FINITE;
        hex.exponent = mpfr_get_exp(rest) - 1;
        mpfr_mul_2si(rest, rest, -hex.exponent, MPFR_RNDN);
        mpfr_sub_ui(rest, rest, 1, MPFR_RNDN);
        while (!mpfr_zero_p(rest)) {
            mpfr_mul_2si(rest, rest, 4, MPFR_RNDN);
            unsigned long digit = mpfr_get_ui(rest, MPFR_RNDZ);
            hex.digit[hex.digits++] = (unsigned char)digit;
            mpfr_sub_ui(rest, rest, digit, MPFR_RNDN);
        }
        mpfr_clear(rest);
    }
    golden_hex_format(&hex, text);
}

// 53 bits in the range of normal binary64 numbers, rounded and at the range's low end clamped in the direction asked for. At the
// high end both are clamped down: a bound may only shrink, and an error of that size is that of a wrong answer, which is shown, not
// kept.
static void format_measure(const mpfr_t value, mpfr_rnd_t direction, char *text)
{
    const oracle_format *format = oracle_format_of(GOLDEN_F64);
    mpfr_t narrow;
    mpfr_init2(narrow, 53);
    mpfr_set(narrow, value, direction);
    if (mpfr_inf_p(narrow) || (mpfr_regular_p(narrow) && mpfr_get_exp(narrow) - 1 > format->largest)) {
        mpfr_set_ui_2exp(narrow, 1, format->largest, MPFR_RNDN);
    } else if (mpfr_regular_p(narrow) && mpfr_get_exp(narrow) - 1 < format->least) {
        if (direction == MPFR_RNDU) {
            mpfr_set_ui_2exp(narrow, 1, format->least, MPFR_RNDN);
        } else {
            mpfr_set_zero(narrow, 1);
        }
    }
    oracle_format_wide(narrow, text);
    mpfr_clear(narrow);
}

// Is the truth too near to a midpoint between two neighbours of the dtype?
static bool near_midpoint(const oracle_truth *truth, const mpfr_t ulp, golden_dtype dtype)
{
    if (!mpfr_regular_p(truth->value) || mpfr_get_exp(truth->value) - 1 > oracle_format_of(dtype)->largest) {
        return false;
    }
    mpfr_t steps, whole;
    mpfr_inits2(mpfr_get_prec(truth->value) + 64, steps, whole, (mpfr_ptr)0);
    mpfr_div(steps, truth->value, ulp, MPFR_RNDN); // exact: ulp is a power of two
    mpfr_mul_2ui(steps, steps, 1, MPFR_RNDN);      // a midpoint is an odd whole number now
    mpfr_rint(whole, steps, MPFR_RNDN);
    mpfr_sub(steps, steps, whole, MPFR_RNDN);
    mpfr_div_2ui(whole, whole, 1, MPFR_RNDN);
    bool odd = !mpfr_integer_p(whole), on_it = mpfr_zero_p(steps);
    bool near = odd && (on_it ? !truth->exact : mpfr_get_exp(steps) <= 1 - MIDPOINT_BITS);
    mpfr_clears(steps, whole, (mpfr_ptr)0);
    return near;
}

// |answer - truth| / ulp, rounded up. An overflowed answer is right (error 0) when the nearest value of the dtype is infinite.
static void measure_error(mpfr_t result, golden_value answer, const oracle_truth *truth, const mpfr_t ulp)
{
    mpfr_t got;
    mpfr_init2(got, 64);
    oracle_load(got, answer);
    if (mpfr_nan_p(got) || mpfr_nan_p(truth->value)) {
        if (mpfr_nan_p(got) && mpfr_nan_p(truth->value)) {
            mpfr_set_zero(result, 1);
        } else {
            mpfr_set_inf(result, 1);
        }
    } else if (mpfr_inf_p(got) || mpfr_inf_p(truth->value)) {
        golden_value nearest = oracle_round(truth->value, answer.dtype);
        if (nearest.bits == answer.bits) {
            mpfr_set_zero(result, 1);
        } else {
            mpfr_set_inf(result, 1);
        }
    } else {
        mpfr_sub(result, got, truth->value, MPFR_RNDA);
        mpfr_abs(result, result, MPFR_RNDU);
        mpfr_div(result, result, ulp, MPFR_RNDU);
    }
    mpfr_clear(got);
}

static void measure_bound(mpfr_t result, const oracle_truth *truth, const golden_bound *bound, const mpfr_t ulp)
{
    mpfr_t number;
    mpfr_init2(number, 64);
    oracle_load_double(number, bound->number);
    mpfr_set(result, number, MPFR_RNDD);
    if (bound->rule == GOLDEN_RULE_SCALED || bound->rule == GOLDEN_RULE_ROUNDED) {
        mpfr_mul(result, result, truth->scale, MPFR_RNDD);
        mpfr_div(result, result, ulp, MPFR_RNDD);
    }
    if (bound->rule == GOLDEN_RULE_ROUNDED) {
        mpfr_add_d(result, result, 0.5, MPFR_RNDD);
    }
    mpfr_clear(number);
}

static golden_status judge_integer(const char *id, golden_value answer, const oracle_truth *truth, oracle_judgement *judgement,
                                   golden_error *error)
{
    golden_format((golden_value){GOLDEN_I64, (uint64_t)truth->integer}, judgement->truth);
    strcpy(judgement->bound, "0x0p+0");
    strcpy(judgement->error, "0x0p+0");
    if (golden_dtype_is_real(answer.dtype) || (int64_t)answer.bits != truth->integer) {
        char got[GOLDEN_TOKEN_BYTES];
        golden_format(answer, got);
        strcpy(judgement->error, "0x1p+0");
        return golden_fail(error, GOLDEN_DIFFERS, "row %s: answer %s, truth %s.", id, got, judgement->truth);
    }
    return GOLDEN_OK;
}

golden_status oracle_judge(const char *id, golden_value answer, const oracle_truth *truth, const golden_bound *bound,
                           oracle_judgement *judgement, golden_error *error)
{
    if (truth->is_integer) {
        return judge_integer(id, answer, truth, judgement, error);
    }
    if (!golden_dtype_is_real(answer.dtype)) {
        return golden_fail(error, GOLDEN_DIFFERS, "row %s: the answer is an integer; the truth is real.", id);
    }
    golden_status status = GOLDEN_OK;
    mpfr_t ulp, wrong, allowed;
    mpfr_inits2(64, ulp, wrong, allowed, (mpfr_ptr)0);
    oracle_ulp(ulp, truth->value, answer.dtype);
    measure_error(wrong, answer, truth, ulp);
    measure_bound(allowed, truth, bound, ulp);
    oracle_format_wide(truth->value, judgement->truth);
    format_measure(wrong, MPFR_RNDU, judgement->error);
    format_measure(allowed, MPFR_RNDD, judgement->bound);
    char got[GOLDEN_TOKEN_BYTES], required[GOLDEN_TOKEN_BYTES];
    golden_format(answer, got);
    if (near_midpoint(truth, ulp, answer.dtype)) {
        status = golden_fail(error, GOLDEN_REFUSED,
                             "row %s: the truth %s lies within 2^-%d ulp of a rounding midpoint; choose other inputs.", id,
                             judgement->truth, MIDPOINT_BITS);
    } else if (!(mpfr_lessequal_p(wrong, allowed))) {
        status =
            golden_fail(error, GOLDEN_DIFFERS, "row %s: answer %s, truth %s: error %s ulp exceeds the bound %s (%s %s).", id, got,
                        judgement->truth, judgement->error, judgement->bound, golden_rule_name(bound->rule), bound->derivation);
    } else if (truth->has_required && truth->required.bits != answer.bits) {
        golden_format(truth->required, required);
        status =
            golden_fail(error, GOLDEN_DIFFERS, "row %s: answer %s; the documented order of roundings gives %s.", id, got, required);
    } else if (!truth->has_required && mpfr_zero_p(truth->value) && truth->exact &&
               (oracle_round(truth->value, answer.dtype).bits != answer.bits) && strcmp(judgement->error, "0x0p+0") == 0) {
        status =
            golden_fail(error, GOLDEN_DIFFERS, "row %s: answer %s, truth %s: the sign of zero differs.", id, got, judgement->truth);
    }
    mpfr_clears(ulp, wrong, allowed, (mpfr_ptr)0);
    return status;
}
