// SPDX-License-Identifier: Apache-2.0
#include "huber_reach.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { TERMS_MAX = 4096 };
static const double term_least = 0x1p-60;

double oracle_huber_half_unit(double value)
{
    int exponent = 0;
    double magnitude = fabs(value) * (1.0 + 0x1p-30);
    if (!(magnitude >= DBL_MIN)) {
        return magnitude > 0.0 ? 0x1p-1074 : 0.0;
    }
    (void)frexp(magnitude, &exponent);
    return ldexp(1.0, exponent - DBL_MANT_DIG - 1);
}

double oracle_huber_norm(const double *numbers, int64_t count)
{
    double square = 0.0;
    for (int64_t j = 0; j < count; ++j) {
        square += numbers[j] * numbers[j];
    }
    return sqrt(square);
}

// The inverse of N times the Hessian, column by column.
static bool inverse(huber_state *s, const huber_row *row, bool smoothed, huber_matrix result)
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

// H, and K - H, which is zero where no residual is on kappa's slope; true if it is not.
static bool matrices(huber_state *s, const huber_row *row, huber_matrix hessian, huber_matrix excess)
{
    mpfr_t kept[Q_MAX * Q_MAX];
    bool smooths = false;
    oracle_huber_hessian(s, row, s->next, true);
    for (int64_t k = 0; k < s->q * s->q; ++k) {
        mpfr_init2(kept[k], s->precision);
        mpfr_set(kept[k], s->hessian[k], MPFR_RNDN);
    }
    oracle_huber_hessian(s, row, s->next, false);
    for (int64_t k = 0; k < s->q * s->q; ++k) {
        mpfr_sub(kept[k], kept[k], s->hessian[k], MPFR_RNDN);
        hessian[k] = mpfr_get_d(s->hessian[k], MPFR_RNDN);
        excess[k] = mpfr_get_d(kept[k], MPFR_RNDN);
        smooths = smooths || excess[k] != 0.0;
        mpfr_clear(kept[k]);
    }
    return smooths;
}

static void product(int64_t q, const double *left, const double *right, double *result)
{
    for (int64_t k = 0; k < q * q; ++k) {
        result[k] = 0.0;
        for (int64_t l = 0; l < q; ++l) {
            result[k] += left[k / q * q + l] * right[l * q + k % q];
        }
    }
}

static void apply(int64_t q, const double *matrix, const double *vector, double *result)
{
    for (int64_t j = 0; j < q; ++j) {
        result[j] = 0.0;
        for (int64_t l = 0; l < q; ++l) {
            result[j] += matrix[j * q + l] * vector[l];
        }
    }
}

// The sum of |M^i| over i = 0, 1, ... and how many terms it took; false when it does not end.
static bool turns_sum(huber_reach *reach)
{
    const int64_t q = reach->q;
    huber_matrix power = {0}, next;
    double largest = 1.0;
    for (int64_t k = 0; k < q * q; ++k) {
        power[k] = reach->turn_sum[k] = k / q == k % q ? 1.0 : 0.0;
    }
    for (reach->terms = 1; largest > term_least && reach->terms < TERMS_MAX; ++reach->terms) {
        product(q, power, reach->turn, next);
        largest = 0.0;
        for (int64_t k = 0; k < q * q; ++k) {
            power[k] = next[k];
            reach->turn_sum[k] += fabs(next[k]);
            largest = fabs(next[k]) > largest ? fabs(next[k]) : largest;
        }
        reach->late_turn = reach->terms >= LATE_TURN ? fmax(reach->late_turn, oracle_huber_norm(next, q * q)) : 0.0;
    }
    return largest <= term_least && reach->late_turn < 1.0;
}

golden_status oracle_huber_reach_init(huber_reach *reach, huber_state *s, const huber_row *row, golden_error *error)
{
    memset(reach, 0, sizeof *reach);
    reach->q = s->q;
    for (int64_t j = 0; j < s->q; ++j) {
        mpfr_sub(s->t, s->next[j], s->start[j], MPFR_RNDN);
        reach->moved[j] = mpfr_get_d(s->t, MPFR_RNDN);
    }
    for (int64_t k = 0; k < s->q * s->q; ++k) {
        reach->information[k] = mpfr_get_d(s->information[k], MPFR_RNDN);
    }
    bool smooths = matrices(s, row, reach->hessian, reach->excess);
    if (!inverse(s, row, false, reach->inverse) || (!row->l1 && !inverse(s, row, true, reach->system_inverse))) {
        return golden_fail(error, GOLDEN_REFUSED, "the Newton system at the minimum is not positive definite.");
    }
    if (!row->l1 && smooths) {
        product(s->q, reach->system_inverse, reach->excess, reach->turn);
    }
    if (!turns_sum(reach)) {
        return golden_fail(error, GOLDEN_REFUSED, "Newton steps smoothed by the bandwidth hardly contract; choose another row.");
    }
    return GOLDEN_OK;
}

void oracle_huber_reach_add(huber_reach *reach, const double *along, double size, bool constant)
{
    double moved[Q_MAX], next[Q_MAX];
    if (!(size > 0.0)) {
        return;
    }
    apply(reach->q, reach->inverse, along, moved);
    for (int64_t j = 0; j < reach->q; ++j) {
        reach->once[j] += fabs(moved[j]) * size;
        reach->sustained[j] += constant ? fabs(moved[j]) * size : 0.0;
        reach->noise[j] += fabs(along[j]) * size;
    }
    if (constant) {
        return;
    }
    apply(reach->q, reach->system_inverse, along, moved);
    for (int term = 0; term < reach->terms; ++term) {
        for (int64_t j = 0; j < reach->q; ++j) {
            reach->sustained[j] += fabs(moved[j]) * size;
        }
        apply(reach->q, reach->turn, moved, next);
        memcpy(moved, next, sizeof moved);
    }
}

void oracle_huber_reach_add_at(huber_reach *reach, int64_t coordinate, double size)
{
    double along[Q_MAX] = {0.0};
    along[coordinate] = 1.0;
    oracle_huber_reach_add(reach, along, size, false);
}
