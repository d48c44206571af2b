// SPDX-License-Identifier: Apache-2.0
// Truth of normals: the quantile of the standard normal distribution at the exact uniform, by inversion of erfc.
#include "rng.h"

#include <stdlib.h>

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

golden_status oracle_normal_quantile(mpfr_t z, const mpfr_t uniform, golden_error *error)
{
    mpfr_t p;
    mpfr_init2(p, 128);
    bool lower = mpfr_cmp_d(uniform, 0.5) < 0;
    mpfr_set(p, uniform, MPFR_RNDN);
    if (!lower) {
        mpfr_ui_sub(p, 1, uniform, MPFR_RNDN);
    }
    golden_status status = upper_quantile(z, mpfr_get_prec(z), &p, error);
    mpfr_setsign(z, z, lower, MPFR_RNDN);
    mpfr_clear(p);
    return status;
}

// p = min(u, 1 - u) is exact, so the quantile's sign is known and its tail is never cancelled.
static golden_status normal_set(oracle_truths *truths, size_t output, const mpfr_t uniform, golden_error *error)
{
    mpfr_t p, z;
    mpfr_inits2(128, p, z, (mpfr_ptr)0);
    bool lower = mpfr_cmp_d(uniform, 0.5) < 0;
    mpfr_set(p, uniform, MPFR_RNDN);
    if (!lower) {
        mpfr_ui_sub(p, 1, uniform, MPFR_RNDN);
    }
    golden_status status = oracle_settle(upper_quantile, &p, z, error);
    if (status == GOLDEN_OK) {
        mpfr_setsign(z, z, lower, MPFR_RNDN);
        oracle_set_settled(truths, output, z);
    }
    mpfr_clears(p, z, (mpfr_ptr)0);
    return status;
}

golden_status oracle_rng_normal(const golden_row *row, const golden_answer *answer, oracle_truths *truths, golden_error *error)
{
    oracle_draw draw;
    golden_status status = oracle_draw_read(row, answer, &draw, error);
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
            oracle_uniform_f64(uniform, &draw, draw.first + (uint64_t)i);
            status = normal_set(truths, (size_t)i, uniform, error);
        }
    }
    mpfr_clear(uniform);
    free(wanted);
    return status;
}
