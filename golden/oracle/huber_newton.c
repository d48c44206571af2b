// SPDX-License-Identifier: Apache-2.0
// The error that damped Newton steps end with. With H the Hessian (1 within tau, 0 beyond) and K the system's matrix (kappa,
// smoothed by the bandwidth), the error of the coefficients obeys e' = M e + K^-1 noise + rounding, M = K^-1 (K - H). So the error
// that rounding sustains is at most S (|K^-1| noise + half a unit), S the sum of |M^i|, i = 0, 1, ...; and a last step d, within
// the tolerance or of the one unit that rounding keeps alive, leaves |H^-1 (K - H)| |d| more. K = H where no residual is on kappa's
// slope: S is the identity and the rest is zero.
#include "huber.h"

#include <math.h>

// Entries in binary64: they are bounds, and the sum is inflated by more than its own rounding.
typedef double newton_matrix[Q_MAX * Q_MAX];

enum { TERMS_MAX = 4096 };
static const double term_least = 0x1p-60, inflation = 1.0 + 0x1p-20;

// The inverse of N times the Hessian, column by column.
static bool inverse(huber_state *s, const huber_row *row, bool smoothed, newton_matrix result)
{
    bool regular = true;
    for (int64_t k = 0; regular && k < s->q; ++k) {
        for (int64_t j = 0; j < s->q; ++j) {
            mpfr_set_ui(s->gradient[j], j == k, MPFR_RNDN);
        }
        oracle_huber_hessian(s, row, s->next, smoothed);
        regular = oracle_huber_solve(s, row, s->hessian, s->gradient);
        for (int64_t j = 0; j < s->q; ++j) {
            result[j * s->q + k] = mpfr_get_d(s->gradient[j], MPFR_RNDN);
        }
    }
    return regular;
}

// K - H: zero where no residual is on the slope.
static void smoothing(huber_state *s, const huber_row *row, newton_matrix result)
{
    mpfr_t kept[Q_MAX * Q_MAX];
    oracle_huber_hessian(s, row, s->next, true);
    for (int64_t k = 0; k < s->q * s->q; ++k) {
        mpfr_init2(kept[k], s->precision);
        mpfr_set(kept[k], s->hessian[k], MPFR_RNDN);
    }
    oracle_huber_hessian(s, row, s->next, false);
    for (int64_t k = 0; k < s->q * s->q; ++k) {
        mpfr_sub(kept[k], kept[k], s->hessian[k], MPFR_RNDN);
        result[k] = mpfr_get_d(kept[k], MPFR_RNDN);
        mpfr_clear(kept[k]);
    }
}

static void product(int64_t q, newton_matrix left, newton_matrix right, newton_matrix result)
{
    for (int64_t k = 0; k < q * q; ++k) {
        result[k] = 0.0;
        for (int64_t l = 0; l < q; ++l) {
            result[k] += left[k / q * q + l] * right[l * q + k % q];
        }
    }
}

// The sum of |M^i| over i = 0, 1, ...; false when it does not end.
static bool powers_sum(int64_t q, newton_matrix m, newton_matrix sum)
{
    newton_matrix power = {0}, next;
    double largest = 1.0;
    for (int64_t k = 0; k < q * q; ++k) {
        power[k] = sum[k] = k / q == k % q ? 1.0 : 0.0;
    }
    for (int term = 0; largest > term_least && term < TERMS_MAX; ++term) {
        product(q, power, m, next);
        largest = 0.0;
        for (int64_t k = 0; k < q * q; ++k) {
            power[k] = next[k];
            sum[k] += fabs(next[k]);
            largest = fabs(next[k]) > largest ? fabs(next[k]) : largest;
        }
    }
    return largest <= term_least;
}

golden_status oracle_huber_newton_left(huber_state *s, const huber_row *row, mpfr_t *noise, mpfr_t *result, golden_error *error)
{
    newton_matrix smoothed = {0}, exact = {0}, excess = {0}, m, left, sum;
    double unit[Q_MAX], rounding[Q_MAX], length = 0.0;
    const int64_t q = s->q;
    if (!inverse(s, row, true, smoothed) || !inverse(s, row, false, exact)) {
        return golden_fail(error, GOLDEN_REFUSED, "the Newton system at the minimum is not positive definite.");
    }
    smoothing(s, row, excess);
    product(q, smoothed, excess, m);
    product(q, exact, excess, left);
    if (!powers_sum(q, m, sum)) {
        return golden_fail(error, GOLDEN_REFUSED, "Newton steps smoothed by the bandwidth hardly contract; choose another row.");
    }
    for (int64_t j = 0; j < q; ++j) {
        oracle_ulp(s->t, s->next[j], row->dtype);
        unit[j] = mpfr_get_d(s->t, MPFR_RNDU);
        rounding[j] = 0.5 * unit[j];
        for (int64_t k = 0; k < q; ++k) {
            rounding[j] += fabs(smoothed[j * q + k]) * mpfr_get_d(noise[k], MPFR_RNDU);
        }
        length += fabs(mpfr_get_d(s->next[j], MPFR_RNDA)); // not below the Euclidean length
    }
    for (int64_t j = 0; j < q; ++j) {
        double bound = 0.0;
        for (int64_t l = 0; l < q; ++l) {
            bound += sum[j * q + l] * rounding[l] + fabs(left[j * q + l]) * (row->tolerance * (1.0 + length) + unit[l]);
        }
        mpfr_set_d(result[j], bound * inflation, MPFR_RNDU);
    }
    return GOLDEN_OK;
}
