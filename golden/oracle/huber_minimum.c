// SPDX-License-Identifier: Apache-2.0
// The minimiser of a batch's surrogate and the proof that it is one.
#include "huber.h"

static bool is_active(const huber_state *s, const huber_row *row, int64_t j)
{
    return !row->l1 || j >= row->p || !mpfr_zero_p(s->beta[j]);
}

// N grad Q at `beta`, with the L1 penalty's sign terms.
static void gradient(huber_state *s, const huber_row *row, mpfr_t *beta)
{
    for (int64_t j = 0; j < s->q; ++j) {
        mpfr_set_zero(s->gradient[j], 1);
    }
    for (int64_t i = row->batch * row->rows; i < (row->batch + 1) * row->rows; ++i) {
        oracle_huber_residual(s, row, i, beta);
        if (oracle_huber_side(s) > 0) {
            mpfr_copysign(s->r, s->tau, s->r, MPFR_RNDN);
        }
        oracle_huber_weight(s->t, row, i);
        mpfr_mul(s->r, s->r, s->t, MPFR_RNDN);
        for (int64_t j = 0; j < s->q; ++j) {
            oracle_huber_design(s->t, row, i, j);
            mpfr_mul(s->t, s->t, s->r, MPFR_RNDN);
            mpfr_sub(s->gradient[j], s->gradient[j], s->t, MPFR_RNDN);
        }
    }
    for (int64_t j = 0; j < s->q; ++j) {
        for (int64_t l = 0; l < s->q; ++l) {
            mpfr_sub(s->t, beta[l], s->start[l], MPFR_RNDN);
            mpfr_mul(s->t, s->t, s->information[j * s->q + l], MPFR_RNDN);
            mpfr_add(s->gradient[j], s->gradient[j], s->t, MPFR_RNDN);
        }
        if (row->l1 && j < row->p) {
            mpfr_mul_si(s->t, s->previous_lambda, mpfr_sgn(s->start[j]), MPFR_RNDN); // N c s = W lambda0 s
            mpfr_mul(s->t, s->t, s->before, MPFR_RNDN);
            mpfr_sub(s->gradient[j], s->gradient[j], s->t, MPFR_RNDN);
            mpfr_mul_si(s->t, s->lambda, mpfr_sgn(s->beta[j]), MPFR_RNDN);
            mpfr_mul(s->t, s->t, s->total, MPFR_RNDN);
            mpfr_add(s->gradient[j], s->gradient[j], s->t, MPFR_RNDN);
        }
    }
}

// Solves (hessian over active coefficients) d = right in place; inactive components become 0. false: singular.
bool oracle_huber_solve(huber_state *s, const huber_row *row, mpfr_t *square, mpfr_t *right)
{
    for (int64_t j = 0; j < s->q; ++j) {
        if (!is_active(s, row, j)) {
            mpfr_set_zero(right[j], 1);
            for (int64_t l = 0; l < s->q; ++l) {
                mpfr_set_zero(square[j * s->q + l], 1);
                mpfr_set_zero(square[l * s->q + j], 1);
            }
            mpfr_set_ui(square[j * s->q + j], 1, MPFR_RNDN);
        }
    }
    for (int64_t k = 0; k < s->q; ++k) { // symmetric positive definite or refused: no pivoting
        if (mpfr_sgn(square[k * s->q + k]) <= 0) {
            return false;
        }
        for (int64_t i = 0; i < s->q; ++i) {
            if (i == k) {
                continue;
            }
            mpfr_div(s->u, square[i * s->q + k], square[k * s->q + k], MPFR_RNDN);
            for (int64_t j = k; j < s->q; ++j) {
                mpfr_mul(s->t, s->u, square[k * s->q + j], MPFR_RNDN);
                mpfr_sub(square[i * s->q + j], square[i * s->q + j], s->t, MPFR_RNDN);
            }
            mpfr_mul(s->t, s->u, right[k], MPFR_RNDN);
            mpfr_sub(right[i], right[i], s->t, MPFR_RNDN);
        }
    }
    for (int64_t k = 0; k < s->q; ++k) {
        mpfr_div(right[k], right[k], square[k * s->q + k], MPFR_RNDN);
    }
    return true;
}

void oracle_huber_hessian(huber_state *s, const huber_row *row, mpfr_t *beta, bool smoothed)
{
    for (int64_t k = 0; k < s->q * s->q; ++k) {
        mpfr_set(s->hessian[k], s->information[k], MPFR_RNDN);
    }
    oracle_huber_add_curvature(s, row, row->batch, beta, smoothed, s->hessian);
}

// The minimiser into s->next: exact Newton steps on the piecewise quadratic from the answer, until the sets repeat.
static golden_status newton(huber_state *s, const huber_row *row, golden_error *error)
{
    for (int64_t j = 0; j < s->q; ++j) {
        mpfr_set(s->next[j], s->beta[j], MPFR_RNDN);
    }
    for (int step = 0; step < 8; ++step) {
        gradient(s, row, s->next);
        oracle_huber_hessian(s, row, s->next, false);
        if (!oracle_huber_solve(s, row, s->hessian, s->gradient)) {
            return golden_fail(error, GOLDEN_REFUSED,
                               "the Hessian at the answer is not positive definite: the minimiser is not unique.");
        }
        for (int64_t j = 0; j < s->q; ++j) {
            mpfr_sub(s->next[j], s->next[j], s->gradient[j], MPFR_RNDN);
        }
    }
    return GOLDEN_OK;
}

// A residual nearer to tau than 2^-CORNER_BITS tau is no row: rounding would decide on which side of the corner it lies.
enum { CORNER_BITS = 30 };

// The minimiser's optimality: gradient zero on active coefficients, at most N lambda on the others, signs kept; and no residual at
// the corner.
static golden_status verify(huber_state *s, const huber_row *row, golden_error *error)
{
    gradient(s, row, s->next);
    for (int64_t j = 0; j < s->q; ++j) {
        mpfr_abs(s->t, s->gradient[j], MPFR_RNDN);
        if (is_active(s, row, j)) {
            bool zero = mpfr_zero_p(s->t) || mpfr_get_exp(s->t) < mpfr_get_exp(s->total) + 64 - s->precision / 2;
            bool kept = !row->l1 || j >= row->p || mpfr_sgn(s->next[j]) == mpfr_sgn(s->beta[j]);
            if (!zero || !kept) {
                return golden_fail(error, GOLDEN_DIFFERS, "row: coefficient %lld is not at the minimum for its sign.",
                                   (long long)j);
            }
        } else {
            mpfr_mul(s->u, s->lambda, s->total, MPFR_RNDN);
            if (mpfr_cmp(s->t, s->u) >= 0) {
                return golden_fail(error, GOLDEN_DIFFERS, "row: coefficient %lld is zero in the answer and not at the minimum.",
                                   (long long)j);
            }
        }
    }
    for (int64_t i = row->batch * row->rows; i < (row->batch + 1) * row->rows; ++i) {
        oracle_huber_residual(s, row, i, s->next);
        mpfr_abs(s->t, s->r, MPFR_RNDN);
        mpfr_sub(s->t, s->t, s->tau, MPFR_RNDN);
        mpfr_div_2ui(s->u, s->tau, CORNER_BITS, MPFR_RNDN);
        if (mpfr_cmpabs(s->t, s->u) <= 0) {
            return golden_fail(error, GOLDEN_REFUSED, "residual %lld lies at the corner tau; choose another row.", (long long)i);
        }
    }
    return GOLDEN_OK;
}

golden_status oracle_huber_minimise(huber_state *s, const huber_row *row, golden_error *error)
{
    golden_status status = newton(s, row, error);
    return status == GOLDEN_OK ? verify(s, row, error) : status;
}
