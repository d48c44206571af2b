// SPDX-License-Identifier: Apache-2.0
// Truth of the module rng: words from the oracle's own Philox, uniforms as exact numbers.
#include "rng.h"
#include "philox.h"

golden_status oracle_draw_read(const golden_row *row, const golden_answer *answer, oracle_draw *draw, golden_error *error)
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

static uint64_t word_at(const oracle_draw *draw, uint64_t index)
{
    return oracle_word(draw->seed, draw->stream, index);
}

golden_status oracle_rng_words(const golden_row *row, const golden_answer *answer, oracle_truths *truths, golden_error *error)
{
    oracle_draw draw;
    golden_status status = oracle_draw_read(row, answer, &draw, error);
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

void oracle_uniform_f64(mpfr_t result, const oracle_draw *draw, uint64_t index)
{
    uint64_t high = word_at(draw, 2 * index), low = word_at(draw, 2 * index + 1);
    uniform_exact(result, high << 20 | low >> 12, 52);
}

golden_status oracle_rng_uniform(const golden_row *row, const golden_answer *answer, oracle_truths *truths, golden_error *error)
{
    oracle_draw draw;
    golden_status status = oracle_draw_read(row, answer, &draw, error);
    mpfr_t uniform;
    mpfr_init2(uniform, 64);
    for (int64_t i = 0; status == GOLDEN_OK && i < draw.count; ++i) {
        uint64_t index = draw.first + (uint64_t)i;
        if (row->dtype == GOLDEN_F64) {
            oracle_uniform_f64(uniform, &draw, index);
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
    oracle_draw draw;
    golden_status status = oracle_draw_read(row, answer, &draw, error);
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
