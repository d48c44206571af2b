// SPDX-License-Identifier: Apache-2.0
// The row's own error bound: what rounding leaves in the gradient at the minimum, through the inverse Hessian.
#include "huber.h"

// What the last proximal step can leave in the gradient of coefficient k, times N; result in s->u. It ended either where the
// objective could judge it, within the tolerance and at a phi of at most max(1, 2 trace H), or where it could not, at phi = trace
// H: then the step was within the tolerance or one that rounding alone kept alive, a unit of the coefficient. Its own rounding is
// half a unit more and, with a threshold, three halves of a float64 unit of z, which exceeds the coefficient by lambda / phi (g /
// phi, z and lambda / phi are rounded). Rounding keeps no step of a single coefficient alive: the step is a monotone map of it.
static mpfr_ptr last_step(huber_state *s, const huber_row *row, const mpfr_t trace, int64_t k)
{
    mpfr_set_zero(s->r, 1);
    for (int64_t j = 0; j < s->q; ++j) {
        mpfr_sqr(s->t, s->next[j], MPFR_RNDN);
        mpfr_add(s->r, s->r, s->t, MPFR_RNDN);
    }
    mpfr_sqrt(s->r, s->r, MPFR_RNDN);
    mpfr_add_ui(s->r, s->r, 1, MPFR_RNDN);
    oracle_load_double(s->t, row->tolerance);
    mpfr_mul(s->r, s->r, s->t, MPFR_RNDN);
    mpfr_mul(s->t, s->lambda, s->total, MPFR_RNDN);
    mpfr_div(s->t, s->t, trace, MPFR_RNDN);
    mpfr_abs(s->u, s->next[k], MPFR_RNDN);
    mpfr_add(s->t, s->t, s->u, MPFR_RNDN);
    oracle_ulp(s->u, s->t, GOLDEN_F64);
    mpfr_mul_d(s->u, s->u, mpfr_zero_p(s->lambda) ? 0.0 : 1.5, MPFR_RNDN);
    oracle_ulp(s->t, s->next[k], row->dtype);
    mpfr_mul_d(s->t, s->t, s->q == 1 ? 0.5 : 1.5, MPFR_RNDN);
    mpfr_add(s->u, s->u, s->t, MPFR_RNDN);
    mpfr_add(s->u, s->u, s->r, MPFR_RNDN);
    mpfr_mul(s->u, s->u, trace, MPFR_RNDN);
    mpfr_mul_2ui(s->t, trace, 1, MPFR_RNDN);
    mpfr_max(s->t, s->t, s->total, MPFR_RNDN);
    mpfr_mul(s->r, s->r, s->t, MPFR_RNDN);
    mpfr_max(s->u, s->u, s->r, MPFR_RNDN);
    return s->u;
}

// The rounding that a float64 gradient at the minimum carries, in units of N grad Q, for each coefficient (docs/huber.md):
// residual, score and product of each row, and the pull of the state's information in chains of q, itself rounded where kappa is on
// its slope; for L1 also the last step.
static void scales(huber_state *s, const huber_row *row, mpfr_t *bound)
{
    mpfr_t sum, trace;
    mpfr_inits2(s->precision, sum, trace, (mpfr_ptr)0);
    for (int64_t k = 0; k < s->q * s->q; ++k) {
        mpfr_set(s->hessian[k], s->information[k], MPFR_RNDN);
    }
    mpfr_set(sum, s->tau, MPFR_RNDN); // every row within tau: the trace bound does not ask which are
    mpfr_set_inf(s->tau, 1);
    oracle_huber_add_curvature(s, row, row->batch, s->next, false, s->hessian);
    mpfr_set(s->tau, sum, MPFR_RNDN);
    mpfr_set_zero(trace, 1);
    for (int64_t j = 0; j < s->q; ++j) {
        mpfr_add(trace, trace, s->hessian[j * s->q + j], MPFR_RNDN);
    }
    for (int64_t k = 0; k < s->q; ++k) {
        mpfr_set_zero(sum, 1);
        for (int64_t i = row->batch * row->rows; i < (row->batch + 1) * row->rows; ++i) {
            oracle_huber_residual(s, row, i, s->next);
            mpfr_set(s->u, s->r, MPFR_RNDN);
            if (oracle_huber_side(s) > 0) {
                mpfr_set(s->u, s->tau, MPFR_RNDN);
            }
            oracle_huber_weight(s->t, row, i);
            mpfr_mul(s->u, s->u, s->t, MPFR_RNDN);
            oracle_huber_design(s->t, row, i, k);
            mpfr_mul(s->u, s->u, s->t, MPFR_RNDN);
            mpfr_abs(s->u, s->u, MPFR_RNDN);
            mpfr_mul_ui(s->u, s->u, 3, MPFR_RNDN);
            mpfr_add(sum, sum, s->u, MPFR_RNDN);
        }
        for (int64_t l = 0; l < s->q; ++l) {
            mpfr_sub(s->u, s->next[l], s->start[l], MPFR_RNDN);
            mpfr_abs(s->u, s->u, MPFR_RNDN);
            mpfr_abs(s->t, s->information[k * s->q + l], MPFR_RNDN);
            mpfr_mul_ui(s->t, s->t, (unsigned long)(s->q + row->rows + 4), MPFR_RNDN);
            mpfr_add(s->t, s->t, s->slack[k * s->q + l], MPFR_RNDN);
            mpfr_mul(s->u, s->u, s->t, MPFR_RNDN);
            mpfr_add(sum, sum, s->u, MPFR_RNDN);
        }
        mpfr_div_2ui(sum, sum, 53, MPFR_RNDN);
        if (row->l1) {
            mpfr_add(sum, sum, last_step(s, row, trace, k), MPFR_RNDN);
        }
        mpfr_set(bound[k], sum, MPFR_RNDU);
    }
    mpfr_clears(sum, trace, (mpfr_ptr)0);
}

// |H^-1| times the gradient's rounding; without the penalty what Newton steps add to it.
golden_status oracle_huber_bounds(const huber_row *row, mpfr_t *result, golden_error *error)
{
    huber_state *s = oracle_huber_new(row, 512);
    mpfr_t noise[Q_MAX];
    if (s == NULL) {
        return golden_fail(error, GOLDEN_REFUSED, "out of memory for a batch.");
    }
    golden_status status = oracle_huber_minimise(s, row, error);
    for (int64_t j = 0; j < Q_MAX; ++j) {
        mpfr_init2(noise[j], s->precision);
    }
    if (status == GOLDEN_OK) {
        scales(s, row, noise);
    }
    for (int64_t j = 0; j < s->q; ++j) {
        mpfr_set_zero(result[j], 1);
    }
    if (status == GOLDEN_OK && !row->l1) {
        status = oracle_huber_newton_left(s, row, noise, result, error);
    }
    for (int64_t k = 0; status == GOLDEN_OK && row->l1 && k < s->q; ++k) { // column k of the inverse, times the noise in gradient k
        for (int64_t j = 0; j < s->q; ++j) {
            mpfr_set_ui(s->gradient[j], j == k, MPFR_RNDN);
        }
        oracle_huber_hessian(s, row, s->next, false);
        (void)oracle_huber_solve(s, row, s->hessian, s->gradient);
        for (int64_t j = 0; j < s->q; ++j) {
            mpfr_mul(s->t, s->gradient[j], noise[k], MPFR_RNDN);
            mpfr_abs(s->t, s->t, MPFR_RNDN);
            mpfr_add(result[j], result[j], s->t, MPFR_RNDN);
        }
    }
    for (int64_t j = 0; j < Q_MAX; ++j) {
        mpfr_clear(noise[j]);
    }
    oracle_huber_free(s);
    return status;
}
