// SPDX-License-Identifier: Apache-2.0
// Between bits and MPFR numbers: exact loads, one rounding, units in the last place. The formats are IEEE 754-2019, table 3.5.
#include "oracle.h"

static const oracle_format format_f32 = {24, -126, 127};
static const oracle_format format_f64 = {53, -1022, 1023};

const oracle_format *oracle_format_of(golden_dtype dtype)
{
    return dtype == GOLDEN_F32 ? &format_f32 : &format_f64;
}

void oracle_load(mpfr_t result, golden_value value)
{
    if (!golden_dtype_is_real(value.dtype)) {
        mpfr_set_sj(result, (int64_t)value.bits, MPFR_RNDN);
        return;
    }
    const oracle_format *format = oracle_format_of(value.dtype);
    int mantissa = (int)format->precision - 1;
    uint64_t sign = value.dtype == GOLDEN_F32 ? 0x80000000u : 0x8000000000000000u;
    uint64_t magnitude = value.bits & (sign - 1), fraction = magnitude & (((uint64_t)1 << mantissa) - 1);
    mpfr_exp_t biased = (mpfr_exp_t)(magnitude >> mantissa);
    if (biased == format->largest - format->least + 2) {
        if (fraction != 0) {
            mpfr_set_nan(result);
        } else {
            mpfr_set_inf(result, value.bits & sign ? -1 : 1);
        }
        return;
    }
    if (biased != 0) {
        fraction |= (uint64_t)1 << mantissa;
        --biased;
    }
    mpfr_set_uj_2exp(result, fraction, format->least - mantissa + biased, MPFR_RNDN);
    mpfr_setsign(result, result, (value.bits & sign) != 0, MPFR_RNDN);
}

void oracle_load_double(mpfr_t result, double value)
{
    oracle_load(result, (golden_value){GOLDEN_F64, golden_bits_of_double(value)});
}

// Exponent e of 2^e <= |value| < 2^(e+1), not below the least normal's.
static mpfr_exp_t exponent_of(const mpfr_t value, const oracle_format *format)
{
    mpfr_exp_t exponent = mpfr_regular_p(value) ? mpfr_get_exp(value) - 1 : format->least;
    return exponent < format->least ? format->least : exponent;
}

void oracle_ulp(mpfr_t result, const mpfr_t value, golden_dtype dtype)
{
    const oracle_format *format = oracle_format_of(dtype);
    mpfr_set_ui_2exp(result, 1, exponent_of(value, format) - format->precision + 1, MPFR_RNDN);
}

bool oracle_round_to(mpfr_t result, const mpfr_t value, golden_dtype dtype)
{
    const oracle_format *format = oracle_format_of(dtype);
    if (!mpfr_regular_p(value)) {
        mpfr_set(result, value, MPFR_RNDN);
        return true;
    }
    int inexact;
    if (mpfr_get_exp(value) - 1 >= format->least) {
        inexact = mpfr_set(result, value, MPFR_RNDN); // result has the format's precision
        if (mpfr_get_exp(result) - 1 > format->largest) {
            mpfr_set_inf(result, mpfr_signbit(value) ? -1 : 1);
            inexact = 1;
        }
        return inexact == 0;
    }
    // Subnormal: a whole number of least units, ties to even; the sign stays when it becomes zero.
    mpfr_t units;
    mpfr_exp_t unit = format->least - format->precision + 1;
    mpfr_init2(units, mpfr_get_prec(value));
    mpfr_mul_2si(units, value, -unit, MPFR_RNDN);
    inexact = mpfr_rint(units, units, MPFR_RNDN);
    mpfr_mul_2si(units, units, unit, MPFR_RNDN);
    mpfr_set(result, units, MPFR_RNDN);
    mpfr_clear(units);
    return inexact == 0 || mpfr_equal_p(result, value);
}

golden_value oracle_value_of(const mpfr_t rounded, golden_dtype dtype)
{
    const oracle_format *format = oracle_format_of(dtype);
    int mantissa = (int)format->precision - 1;
    golden_value value = {dtype, 0};
    uint64_t sign = mpfr_signbit(rounded) ? (dtype == GOLDEN_F32 ? 0x80000000u : 0x8000000000000000u) : 0;
    uint64_t infinity = (uint64_t)(format->largest - format->least + 2) << mantissa;
    if (mpfr_nan_p(rounded)) {
        value.bits = infinity | (uint64_t)1 << (mantissa - 1);
    } else if (mpfr_inf_p(rounded)) {
        value.bits = sign | infinity;
    } else if (mpfr_zero_p(rounded)) {
        value.bits = sign;
    } else {
        mpfr_exp_t exponent = exponent_of(rounded, format);
        mpfr_t units;
        mpfr_init2(units, 64);
        mpfr_mul_2si(units, rounded, mantissa - exponent, MPFR_RNDN);
        mpfr_abs(units, units, MPFR_RNDN);
        uint64_t whole = (uint64_t)mpfr_get_uj(units, MPFR_RNDN);
        mpfr_clear(units);
        bool normal = whole >> mantissa != 0;
        uint64_t biased = normal ? (uint64_t)(exponent - format->least + 1) : 0;
        value.bits = sign | biased << mantissa | (whole & (((uint64_t)1 << mantissa) - 1));
    }
    return value;
}

golden_value oracle_round(const mpfr_t value, golden_dtype dtype)
{
    mpfr_t rounded;
    mpfr_init2(rounded, oracle_format_of(dtype)->precision);
    oracle_round_to(rounded, value, dtype);
    golden_value result = oracle_value_of(rounded, dtype);
    mpfr_clear(rounded);
    return result;
}
