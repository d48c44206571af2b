// SPDX-License-Identifier: Apache-2.0
// The row's own error bound: what rounding leaves in the gradient at the minimum and what the last step can leave, through the
// inverse Hessian (docs/huber.md, Bounds).
#include "huber_reach.h"

#include <math.h>
#include <string.h>

static const double unit = 0x1p-53, inflation = 1.0 + 0x1p-20;

// What both solvers' last steps are judged by.
typedef struct last_step {
    double near;            // a step no longer than this is the last one
    double rounding[Q_MAX]; // of each coefficient: half a unit
    bool active[Q_MAX];     // not zero
} last_step;

static last_step last_step_of(huber_state *s, const huber_row *row)
{
    last_step last = {0};
    double beta[Q_MAX];
    for (int64_t j = 0; j < s->q; ++j) {
        beta[j] = mpfr_get_d(s->next[j], MPFR_RNDA);
        oracle_ulp(s->t, s->next[j], row->dtype);
        last.active[j] = beta[j] != 0.0;
        last.rounding[j] = last.active[j] ? 0.5 * mpfr_get_d(s->t, MPFR_RNDU) : 0.0;
    }
    last.near = row->tolerance * (fmin(1.0, row->tau) + oracle_huber_norm(beta, s->q));
    return last;
}

// N times the magnitudes in the objective at the minimum: the losses, the quadratic form and the sign term.
static double objective_size(const huber_reach *reach, huber_state *s, const huber_row *row)
{
    double size = 0.0, signs = 0.0;
    for (int64_t i = row->batch * row->rows; i < (row->batch + 1) * row->rows; ++i) {
        oracle_huber_residual(s, row, i, s->next);
        double a = fabs(mpfr_get_d(s->r, MPFR_RNDN));
        oracle_huber_weight(s->t, row, i);
        size += mpfr_get_d(s->t, MPFR_RNDN) * (a <= row->tau ? 0.5 * a * a : row->tau * (a - 0.5 * row->tau));
    }
    for (int64_t k = 0; k < reach->q * reach->q; ++k) {
        size += 0.5 * reach->moved[k / reach->q] * reach->information[k] * reach->moved[k % reach->q];
    }
    for (int64_t j = 0; j < row->p; ++j) {
        signs += mpfr_sgn(s->start[j]) * reach->moved[j];
    }
    return size + fabs(signs) * mpfr_get_d(s->before, MPFR_RNDN) * mpfr_get_d(s->previous_lambda, MPFR_RNDN);
}

// ---- Newton
// ---------------------------------------------------------------------------------------------------------------------------

// |H^-1 (K - H)| and |H^-1 K| of row j: what a last step d and the rounding of the coefficients leave.
static void newton_row(const huber_reach *reach, int64_t j, double *near, double *kept)
{
    const int64_t q = reach->q;
    for (int64_t l = 0; l < q; ++l) {
        near[l] = 0.0;
        for (int64_t k = 0; k < q; ++k) {
            near[l] += reach->inverse[j * q + k] * reach->excess[k * q + l];
        }
        kept[l] = fabs((j == l ? 1.0 : 0.0) + near[l]);
    }
}

// With the last step d the error is H^-1 (K rounding - noise - (K - H) d). Either d is near. Or the steps have stopped shrinking:
// the error is what rounding sustains, s, and a rest whose step y shrinks to g y, g < 1, in as many steps as are compared; it is
// seen to do so unless y (1 - g) <= 4 |s|. Or, where the objective judges what rounding moves (a fit without residuals), the full
// step was refused as no better: e' H e <= rounding' H rounding + 4 noise of the objective.
static void newton_bounds(const huber_reach *reach, huber_state *s, const huber_row *row, const last_step *last, double *bound)
{
    const int64_t q = reach->q;
    double sustained[Q_MAX], rough = 0.0, late = reach->late_turn, noise = 0x1p-47 * objective_size(reach, s, row);
    for (int64_t j = 0; j < q; ++j) {
        sustained[j] = reach->sustained[j];
        for (int64_t l = 0; l < q; ++l) {
            sustained[j] += reach->turn_sum[j * q + l] * last->rounding[l];
            rough += fabs(reach->hessian[j * q + l]) * last->rounding[j] * last->rounding[l];
        }
    }
    double rest = 4.0 * oracle_huber_norm(sustained, q) * late / (1.0 - late);
    for (int64_t j = 0; j < q; ++j) {
        double near[Q_MAX], kept[Q_MAX], once = reach->once[j];
        newton_row(reach, j, near, kept);
        for (int64_t l = 0; l < q; ++l) {
            once += kept[l] * last->rounding[l];
        }
        bound[j] = fmax(once + oracle_huber_norm(near, q) * last->near, sustained[j] + oracle_huber_norm(near, q) * rest);
        if (!(rough < noise)) {
            bound[j] = fmax(bound[j], reach->once[j] + sqrt(reach->inverse[j * q + j] * (rough + 4.0 * noise)));
        }
    }
}

// ---- L1
// -------------------------------------------------------------------------------------------------------------------------------

enum { SQUARINGS = 6, TURNS_MAX = 1 << 16 };

// Not below the largest eigenvalue of a symmetric matrix, nor above it by more than q^(1/128): of its power, the Frobenius norm.
static double largest_eigenvalue(int64_t q, const double *matrix)
{
    huber_matrix power, square;
    double logarithm = 0.0;
    memcpy(power, matrix, sizeof(double) * (size_t)(q * q));
    for (int k = 0; k <= SQUARINGS; ++k) {
        double length = oracle_huber_norm(power, q * q);
        if (!(length > 0.0)) {
            return 0.0;
        }
        logarithm += ldexp(log(length), -k);
        for (int64_t i = 0; i < q * q; ++i) {
            square[i] = 0.0;
            for (int64_t l = 0; l < q; ++l) {
                square[i] += power[i / q * q + l] / length * (power[l * q + i % q] / length);
            }
        }
        memcpy(power, square, sizeof power);
    }
    return exp(logarithm);
}

// The proximal steps of a batch, phi and the objective in units of N.
typedef struct l1_course {
    double trace, largest; // of the curvature with every row within tau: phi of the last steps, and the largest eigenvalue
    double phi_judged;     // no phi is larger while the objective judges the steps
    double noise;          // of two objectives
    double stalled;        // no step is longer when the steps have stopped shrinking
} l1_course;

// 1 + the sum over i of the norm of (H / phi) (1 - H / phi)^i: what roundings, one in each step, sustain in a step. `least` and
// `largest` bound the eigenvalues of H / phi.
static double step_gain(double least, double largest)
{
    double gain = 1.0, term = 1.0;
    for (int i = 0; term > 0x1p-20 && i < TURNS_MAX; ++i) {
        double at = fmin(fmax(1.0 / (i + 1.0), least), largest); // x (1 - x)^i is largest at x = 1 / (i + 1)
        term = at * pow(1.0 - at, i);
        gain += term;
    }
    return gain + pow(1.0 - least, TURNS_MAX);
}

// The length of a step that has stopped shrinking, at phi = trace: y + r, r what rounding sustains, y the part that shrinks to
// c = 1 - least / trace or less in each step. In m steps, m at least LATE_TURN, it is seen to shrink unless y (1 - c^m) <= 2 r; and
// m steps later it is c^m y. And y began where the objective stopped judging, phi d^2 <= 6 noise and d' H d <= 10 noise, so with
// y <= sqrt(12 noise largest) / trace.
static double stalled_step(const huber_reach *reach, const last_step *last, const l1_course *course)
{
    double wrong[Q_MAX], least = 1.0 / (course->trace * largest_eigenvalue(reach->q, reach->inverse));
    if (reach->q == 1 && least > 1.0 - 0x1p-30) {
        return 0.0; // phi is the curvature itself: after one step, the next is less than half a unit, and none
    }
    for (int64_t k = 0; k < reach->q; ++k) {
        wrong[k] = last->rounding[k] + reach->noise[k] / course->trace;
    }
    double rounding = oracle_huber_norm(wrong, reach->q), late = pow(1.0 - fmin(least, 1.0), LATE_TURN);
    double sustained = rounding * step_gain(fmin(least, 1.0), fmin(1.0, course->largest / course->trace));
    double begun = sqrt(6.0 * course->noise * course->phi_judged) / course->trace + rounding * course->phi_judged / course->trace;
    return late * fmin(begun, 2.0 * sustained / (1.0 - late)) + sustained;
}

static l1_course course_of(const huber_reach *reach, huber_state *s, const huber_row *row, const last_step *last)
{
    l1_course course = {0};
    huber_matrix curvature;
    for (int64_t k = 0; k < s->q * s->q; ++k) {
        mpfr_set(s->hessian[k], s->information[k], MPFR_RNDN);
    }
    mpfr_set_inf(s->tau, 1);
    oracle_huber_add_curvature(s, row, row->batch, s->next, false, s->hessian);
    oracle_load_double(s->tau, row->tau);
    for (int64_t k = 0; k < s->q * s->q; ++k) {
        curvature[k] = mpfr_get_d(s->hessian[k], MPFR_RNDN);
        course.trace += k / s->q == k % s->q ? curvature[k] : 0.0;
    }
    course.largest = largest_eigenvalue(s->q, curvature);
    course.phi_judged = fmax(mpfr_get_d(s->total, MPFR_RNDN), 2.0 * course.largest);
    course.noise = 0x1p-47 * objective_size(reach, s, row);
    course.stalled = stalled_step(reach, last, &course);
    return course;
}

// What the penalty and the threshold round in coefficient k, in units of N grad Q: lambda is off by at most 5 u, the pull of the
// previous lambda by 7 u; the difference, the quotient by N and the sum with that pull; and of z = beta - g / phi and of |z| -
// lambda / phi three terms, times phi. Weights that are not whole numbers add their sum's roundings to both.
static double penalty_rounding(huber_state *s, const huber_row *row, int64_t k, double phi)
{
    double total = mpfr_get_d(s->total, MPFR_RNDN), lambda = mpfr_get_d(s->lambda, MPFR_RNDN) * total;
    double previous = mpfr_get_d(s->previous_lambda, MPFR_RNDN) * mpfr_get_d(s->before, MPFR_RNDN) * mpfr_sgn(s->start[k]);
    double beta = mpfr_get_d(s->next[k], MPFR_RNDN), slope = -copysign(lambda, beta), shrink = lambda / phi, sums = 0.0;
    for (size_t i = 0; i < row->w.count && sums == 0.0; ++i) {
        oracle_load(s->t, golden_array_at(&row->w, i));
        sums = mpfr_integer_p(s->t) ? 0.0 : (double)row->w.count;
    }
    double wrong = unit * ((5.0 + sums) * lambda + (7.0 + 2.0 * sums) * fabs(previous));
    wrong += oracle_huber_half_unit(slope + previous) + unit * fabs(slope + previous) + (previous != 0.0 ? unit * lambda : 0.0);
    return wrong + phi * (2.0 * oracle_huber_half_unit(shrink) + oracle_huber_half_unit(fabs(beta) + shrink));
}

// With a last step d at phi, the error of the coefficients that are not zero is (1 - phi H^-1) d + H^-1 (phi rounding - noise), and
// that of a coefficient which the step makes zero gives H^-1 H d. bound[j] becomes no less than that.
static void l1_step_bounds(const huber_reach *reach, huber_state *s, const huber_row *row, const last_step *last, double phi,
                           double step, double *bound)
{
    const int64_t q = reach->q;
    double wrong[Q_MAX];
    for (int64_t k = 0; k < q; ++k) {
        wrong[k] = phi * last->rounding[k];
        if (last->active[k] && k < row->p && !mpfr_zero_p(s->lambda)) {
            double shrink = mpfr_get_d(s->lambda, MPFR_RNDN) * mpfr_get_d(s->total, MPFR_RNDN) / phi;
            bool exact = row->dtype == GOLDEN_F64 && oracle_huber_half_unit(shrink) >= last->rounding[k];
            wrong[k] = exact ? 0.0 : wrong[k]; // |z| - lambda / phi lies on a grid that holds it
            wrong[k] += penalty_rounding(s, row, k, phi);
        }
    }
    for (int64_t j = 0; j < q; ++j) {
        double near[Q_MAX], sum = reach->once[j];
        for (int64_t l = 0; l < q; ++l) {
            near[l] = phi * reach->inverse[j * q + l] - (j == l ? 1.0 : 0.0);
            for (int64_t k = 0; !last->active[l] && k < q; ++k) {
                near[l] += reach->inverse[j * q + k] * reach->hessian[k * q + l];
            }
            sum += fabs(reach->inverse[j * q + l]) * wrong[l];
        }
        sum += fmax(oracle_huber_norm(near, q), 1.0) * step; // 1: of any smaller phi
        bound[j] = last->active[j] ? fmax(bound[j], sum) : 0.0;
    }
}

// Either the last step was taken where the objective judged it, if it judges steps as short as that, or at phi = trace.
static void l1_bounds(const huber_reach *reach, huber_state *s, const huber_row *row, const last_step *last, double *bound)
{
    l1_course course = course_of(reach, s, row, last);
    bool judged = !(0.5 * course.phi_judged * last->near * last->near < 0.9 * course.noise);
    for (int64_t j = 0; j < reach->q; ++j) {
        bound[j] = 0.0;
    }
    l1_step_bounds(reach, s, row, last, course.trace, fmax(last->near, course.stalled), bound);
    if (judged) {
        l1_step_bounds(reach, s, row, last, course.phi_judged, last->near, bound);
    }
}

golden_status oracle_huber_bounds(const huber_row *row, mpfr_t *result, golden_error *error)
{
    huber_state *s = oracle_huber_new(row, 512);
    huber_reach reach;
    double bound[Q_MAX];
    if (s == NULL) {
        return golden_fail(error, GOLDEN_REFUSED, "out of memory for a batch.");
    }
    golden_status status = oracle_huber_minimise(s, row, error);
    status = status == GOLDEN_OK ? oracle_huber_reach_init(&reach, s, row, error) : status;
    if (status == GOLDEN_OK) {
        last_step last = last_step_of(s, row);
        oracle_huber_reach_score(&reach, s, row);
        oracle_huber_reach_pull(&reach, s, row);
        if (row->l1) {
            l1_bounds(&reach, s, row, &last, bound);
        } else {
            newton_bounds(&reach, s, row, &last, bound);
        }
    }
    for (int64_t j = 0; status == GOLDEN_OK && j < s->q; ++j) {
        mpfr_set_d(result[j], bound[j] * inflation, MPFR_RNDU);
    }
    oracle_huber_free(s);
    return status;
}
