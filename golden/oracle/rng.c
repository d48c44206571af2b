// SPDX-License-Identifier: Apache-2.0
// Truth of the module rng: words from the oracle's own Philox, uniforms as exact numbers, normals as exact quantiles.
#include "oracle.h"
#include "philox.h"

#include <stdlib.h>

// Arguments of every draw: seed, stream, first index, count.
typedef struct draw_row {
    uint64_t seed, stream, first;
    int64_t count;
} draw_row;

static golden_status draw_read(const golden_row *row, const golden_answer *answer, draw_row *draw, golden_error *error)
{
    golden_status status = golden_row_unsigned(row, "seed", &draw->seed, error);
    status = status == GOLDEN_OK ? golden_row_unsigned(row, "stream", &draw->stream, error) : status;
    status = status == GOLDEN_OK ? golden_row_unsigned(row, "first", &draw->first, error) : status;
    status = status == GOLDEN_OK ? golden_row_integer(row, "count", &draw->count, error) : status;
    if (status == GOLDEN_OK && draw->count < 0) {
        status = golden_fail(error, GOLDEN_REFUSED, "row %s: count must not be negative.", row->id);
    }
    return status == GOLDEN_OK ? oracle_expect(row, answer, (size_t)draw->count, NULL, error) : status;
}

static uint64_t word_at(const draw_row *draw, uint64_t index)
{
    return oracle_word(draw->seed, draw->stream, index);
}

golden_status oracle_rng_words(const golden_row *row, const golden_answer *answer, oracle_truths *truths, golden_error *error)
{
    draw_row draw;
    golden_status status = draw_read(row, answer, &draw, error);
    for (int64_t i = 0; status == GOLDEN_OK && i < draw.count; ++i) {
        oracle_set_integer(truths, (size_t)i, (int64_t)word_at(&draw, draw.first + (uint64_t)i));
    }
    return status;
}

// (k + 1/2) 2^-bits, where k has `bits` bits
static void uniform_exact(mpfr_t result, uint64_t k, long bits)
{
    mpfr_set_uj_2exp(result, 2 * k + 1, -bits - 1, MPFR_RNDN);
}

// The binary64 uniform of index i: 52 bits from words 2i and 2i + 1.
static void uniform_f64(mpfr_t result, const draw_row *draw, uint64_t index)
{
    uint64_t high = word_at(draw, 2 * index), low = word_at(draw, 2 * index + 1);
    uniform_exact(result, high << 20 | low >> 12, 52);
}

golden_status oracle_rng_uniform(const golden_row *row, const golden_answer *answer, oracle_truths *truths, golden_error *error)
{
    draw_row draw;
    golden_status status = draw_read(row, answer, &draw, error);
    mpfr_t uniform;
    mpfr_init2(uniform, 64);
    for (int64_t i = 0; status == GOLDEN_OK && i < draw.count; ++i) {
        uint64_t index = draw.first + (uint64_t)i;
        if (row->dtype == GOLDEN_F64) {
            uniform_f64(uniform, &draw, index);
        } else {
            uniform_exact(uniform, word_at(&draw, index) >> 9, 23);
        }
        oracle_set_exact(truths, (size_t)i, uniform);
    }
    mpfr_clear(uniform);
    return status;
}

// cuRAND (curand_uniform.h, CUDA 13.0): float: (float)w * 2^-32 + 2^-33, so w is rounded to 24 bits first;
// curand_uniform2_double: (w0 ^ w1 << 21) * 2^-53 + 2^-54. The last addition is the one rounding left to judge.
golden_status oracle_rng_uniform_curand(const golden_row *row, const golden_answer *answer, oracle_truths *truths,
                                        golden_error *error)
{
    draw_row draw;
    golden_status status = draw_read(row, answer, &draw, error);
    mpfr_t uniform, single, half;
    mpfr_inits2(64, uniform, half, (mpfr_ptr)0);
    mpfr_init2(single, 24);
    for (int64_t i = 0; status == GOLDEN_OK && i < draw.count; ++i) {
        uint64_t index = draw.first + (uint64_t)i;
        if (row->dtype == GOLDEN_F64) {
            uniform_exact(uniform, word_at(&draw, 2 * index) ^ word_at(&draw, 2 * index + 1) << 21, 53);
        } else {
            mpfr_set_uj(single, word_at(&draw, index), MPFR_RNDN);
            mpfr_mul_2si(uniform, single, -32, MPFR_RNDN);
            mpfr_set_ui_2exp(half, 1, -33, MPFR_RNDN);
            mpfr_add(uniform, uniform, half, MPFR_RNDN);
        }
        oracle_set_exact(truths, (size_t)i, uniform);
    }
    mpfr_clears(uniform, single, half, (mpfr_ptr)0);
    return status;
}

// x > 0 with erfc(x / sqrt 2) / 2 = p, by Newton's method on the exact derivative, the normal density. Every step doubles the
// correct digits, so the last steps run at full precision on a start that is nearly settled.
static golden_status upper_quantile(mpfr_t x, mpfr_prec_t precision, const void *context, golden_error *error)
{
    const mpfr_t *p = (const mpfr_t *)context;
    mpfr_t tail, density, step, root2;
    mpfr_inits2(precision, tail, density, step, root2, (mpfr_ptr)0);
    mpfr_sqrt_ui(root2, 2, MPFR_RNDN);
    mpfr_mul_2ui(step, *p, 1, MPFR_RNDN);
    mpfr_log(step, step, MPFR_RNDN);
    mpfr_mul_si(step, step, -2, MPFR_RNDN);
    mpfr_sqrt(x, step, MPFR_RNDN); // P(Z > x) <= exp(-x^2/2) / 2: the start lies at or above the root
    bool done = false;
    for (int i = 0; i < 200 && !done; ++i) {
        mpfr_div(tail, x, root2, MPFR_RNDN);
        mpfr_sqr(density, tail, MPFR_RNDN);
        mpfr_neg(density, density, MPFR_RNDN);
        mpfr_exp(density, density, MPFR_RNDN);
        mpfr_const_pi(step, MPFR_RNDN);
        mpfr_mul_2ui(step, step, 1, MPFR_RNDN);
        mpfr_sqrt(step, step, MPFR_RNDN);
        mpfr_div(density, density, step, MPFR_RNDN);
        mpfr_erfc(tail, tail, MPFR_RNDN);
        mpfr_div_2ui(tail, tail, 1, MPFR_RNDN);
        mpfr_sub(tail, tail, *p, MPFR_RNDN);
        mpfr_div(step, tail, density, MPFR_RNDN);
        mpfr_add(x, x, step, MPFR_RNDN);
        // a step below half the digits leaves an error below all of them
        done = mpfr_zero_p(step) || mpfr_get_exp(step) < mpfr_get_exp(x) - precision / 2 - 8;
    }
    mpfr_clears(tail, density, step, root2, (mpfr_ptr)0);
    return done ? GOLDEN_OK : golden_fail(error, GOLDEN_REFUSED, "the normal quantile did not settle.");
}

// z = sign * (1/2 - p) * P: scale is the error that half an ulp of P carries into z before the last rounding. For binary32 the
// binary64 normal is rounded once more, so its own ulp is part of the scale.
static golden_status normal_set(oracle_truths *truths, size_t output, golden_dtype dtype, const mpfr_t uniform, golden_error *error)
{
    mpfr_t p, z, half, factor, ulp;
    mpfr_inits2(128, p, half, ulp, (mpfr_ptr)0);
    mpfr_inits2(ORACLE_BITS, z, factor, (mpfr_ptr)0);
    bool lower = mpfr_cmp_d(uniform, 0.5) < 0;
    mpfr_set(p, uniform, MPFR_RNDN);
    if (!lower) {
        mpfr_ui_sub(p, 1, uniform, MPFR_RNDN);
    }
    golden_status status = oracle_settle(upper_quantile, &p, z, error);
    if (status == GOLDEN_OK) {
        mpfr_d_sub(half, 0.5, p, MPFR_RNDN);
        mpfr_div(factor, z, half, MPFR_RNDN);
        oracle_ulp(ulp, factor, GOLDEN_F64);
        mpfr_mul(half, half, ulp, MPFR_RNDD);
        if (dtype == GOLDEN_F32) {
            oracle_ulp(ulp, z, GOLDEN_F64);
            mpfr_add(half, half, ulp, MPFR_RNDD);
        }
        if (lower) {
            mpfr_neg(z, z, MPFR_RNDN);
        }
        oracle_set_settled(truths, output, z);
        oracle_set_scale(truths, output, half);
    }
    mpfr_clears(p, z, half, factor, ulp, (mpfr_ptr)0);
    return status;
}

golden_status oracle_rng_normal(const golden_row *row, const golden_answer *answer, oracle_truths *truths, golden_error *error)
{
    draw_row draw;
    golden_status status = draw_read(row, answer, &draw, error);
    bool *wanted = calloc(answer->count + 1, sizeof *wanted);
    if (status == GOLDEN_OK && wanted == NULL) {
        status = golden_fail(error, GOLDEN_REFUSED, "row %s: out of memory.", row->id);
    }
    if (status == GOLDEN_OK && golden_row_is_bulk(row)) {
        status = golden_row_samples(row, answer, wanted, error);
    }
    mpfr_t uniform;
    mpfr_init2(uniform, 64);
    for (int64_t i = 0; status == GOLDEN_OK && i < draw.count; ++i) {
        if (!golden_row_is_bulk(row) || wanted[i]) {
            uniform_f64(uniform, &draw, draw.first + (uint64_t)i);
            status = normal_set(truths, (size_t)i, row->dtype, uniform, error);
        }
    }
    mpfr_clear(uniform);
    free(wanted);
    return status;
}
