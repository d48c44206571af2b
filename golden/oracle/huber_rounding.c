// SPDX-License-Identifier: Apache-2.0
// Every rounding of the documented gradient (docs/huber.md, Bounds), each along the vector that it moves N grad Q by.
#include "huber_reach.h"

#include <math.h>

static const double unit = 0x1p-53;

static double element(const golden_array *array, int64_t i)
{
    mpfr_t value;
    mpfr_init2(value, 64);
    oracle_load(value, golden_array_at(array, (size_t)i));
    double number = mpfr_get_d(value, MPFR_RNDN);
    mpfr_clear(value);
    return number;
}

static double weight_of(const huber_row *row, int64_t i)
{
    return row->w.count == 0 ? 1.0 : element(&row->w, i);
}

static void design_row(const huber_row *row, int64_t q, int64_t i, double *x)
{
    for (int64_t j = 0; j < q; ++j) {
        x[j] = j == row->p ? 1.0 : element(&row->x, i * row->p + j);
    }
}

// Half a unit of a b, 0 where binary64 holds the product.
static double product_rounding(double a, double b)
{
    return fma(a, b, -(a * b)) == 0.0 ? 0.0 : oracle_huber_half_unit(a * b);
}

// A compensated sum (Ogita, Rump, Oishi 2005, Dot2) of n products: half a unit, and (n u)^2 of the sum of magnitudes.
static double compensated_rounding(double sum, double magnitudes, int64_t n)
{
    double relative = (double)n * unit;
    return oracle_huber_half_unit(sum) + relative * relative * magnitudes;
}

// Of a residual r = y - x beta.
static double residual_rounding(const huber_row *row, int64_t q, int64_t i, double r, const double *x, mpfr_t *beta)
{
    double magnitudes = fabs(element(&row->y, i));
    for (int64_t j = 0; j < q; ++j) {
        magnitudes += fabs(x[j] * mpfr_get_d(beta[j], MPFR_RNDN));
    }
    return compensated_rounding(r, magnitudes, q + 1);
}

// The residuals within tau and the products with their weights; the compensated sums of their columns.
void oracle_huber_reach_score(huber_reach *reach, huber_state *s, const huber_row *row)
{
    double x[Q_MAX], sums[Q_MAX] = {0.0}, magnitudes[Q_MAX] = {0.0};
    for (int64_t i = row->batch * row->rows; i < (row->batch + 1) * row->rows; ++i) {
        double w = weight_of(row, i);
        oracle_huber_residual(s, row, i, s->next);
        double r = mpfr_get_d(s->r, MPFR_RNDN), score = r, wrong = 0.0;
        design_row(row, reach->q, i, x);
        if (oracle_huber_side(s) > 0) {
            score = copysign(row->tau, r);
        } else {
            wrong = w * residual_rounding(row, reach->q, i, r, x, s->next);
        }
        // Whether w r rounds is known for a weight of 0 or a power of two only: r has all its bits.
        bool scales = w == 0.0 || ldexp(0.5, ilogb(w) + 1) == w;
        wrong += score == r && !scales ? oracle_huber_half_unit(w * r) : product_rounding(w, score) * (scales ? 0.0 : 1.0);
        oracle_huber_reach_add(reach, x, wrong, false);
        for (int64_t j = 0; j < reach->q; ++j) {
            sums[j] += x[j] * w * score;
            magnitudes[j] += fabs(x[j] * w * score);
        }
    }
    for (int64_t j = 0; j < reach->q; ++j) {
        oracle_huber_reach_add_at(reach, j, compensated_rounding(sums[j], magnitudes[j], row->rows));
    }
}

// ---- The state's information
// -------------------------------------------------------------------------------------------------

// kappa of a residual, and how wrong rounding may make it: the residual, tau - |r|, the quotient by 2 h with at most five roundings
// of h, and the sum. Beyond 2 h from tau, rounding cannot unclamp it.
static double curvature(double r, double residual_wrong, double tau, double band, double *wrong)
{
    double quotient = (tau - fabs(r)) / (2.0 * band), kappa = 0.5 + quotient;
    *wrong = 0.0;
    if (fabs(quotient) <= 1.0) {
        *wrong = (residual_wrong + oracle_huber_half_unit(tau - fabs(r))) / (2.0 * band) + 6.0 * unit * fabs(quotient) +
                 oracle_huber_half_unit(kappa);
    }
    return kappa < 0.0 ? 0.0 : kappa > 1.0 ? 1.0 : kappa;
}

// The rounding of (w kappa) x_k: it moves row and column k of the information from the diagonal on, times x.
static void weighted_rounding(huber_reach *reach, double weight, bool known, const double *x)
{
    const double *moved = reach->moved;
    for (int64_t k = 0; k < reach->q; ++k) {
        double along[Q_MAX] = {0.0};
        for (int64_t l = k; l < reach->q; ++l) {
            along[k] += x[l] * moved[l];
            along[l] += l > k ? x[l] * moved[k] : 0.0;
        }
        double wrong = known ? product_rounding(weight, x[k]) : oracle_huber_half_unit(weight * x[k]);
        oracle_huber_reach_add(reach, along, wrong, true);
    }
}

// The rounding of entry (k, l) and its mirror.
static void entry_rounding(huber_reach *reach, int64_t k, int64_t l, double wrong)
{
    double along[Q_MAX] = {0.0};
    along[k] = reach->moved[l];
    along[l] = reach->moved[k];
    oracle_huber_reach_add(reach, along, wrong, true);
}

// One earlier batch: kappa where it is on its slope, weights, and the chains of the sums; `total` is the information with it.
static void batch_rounding(huber_reach *reach, huber_state *s, const huber_row *row, int64_t batch, double *total)
{
    const int64_t q = reach->q;
    huber_matrix chain = {0}, wrong = {0};
    double x[Q_MAX], band = 0.0;
    for (int64_t j = 0; j < q; ++j) {
        oracle_load(s->gradient[j], row->answer->outputs[batch * q + j].value);
    }
    oracle_huber_scalars(s, row, batch);
    band = mpfr_get_d(s->band, MPFR_RNDN);
    for (int64_t i = batch * row->rows; i < (batch + 1) * row->rows; ++i) {
        oracle_huber_residual(s, row, i, s->gradient);
        double r = mpfr_get_d(s->r, MPFR_RNDN), w = weight_of(row, i), pull = 0.0, kappa_wrong = 0.0;
        design_row(row, q, i, x);
        double kappa = curvature(r, residual_rounding(row, q, i, r, x, s->gradient), row->tau, band, &kappa_wrong);
        double weighted = w * kappa;
        bool known = kappa_wrong == 0.0; // kappa is 0 or 1
        for (int64_t j = 0; j < q; ++j) {
            pull += x[j] * reach->moved[j];
        }
        oracle_huber_reach_add(reach, x, fabs(pull) * (w * kappa_wrong + (known ? 0.0 : oracle_huber_half_unit(weighted))), true);
        weighted_rounding(reach, weighted, known, x);
        for (int64_t k = 0; k < q * q; ++k) {
            chain[k] += weighted * x[k / q] * x[k % q];
            wrong[k] += oracle_huber_half_unit(chain[k]);
        }
    }
    for (int64_t k = 0; k < q * q; ++k) {
        total[k] += chain[k];
        if (k / q <= k % q) {
            entry_rounding(reach, k / q, k % q, wrong[k] + (batch > 0 ? oracle_huber_half_unit(total[k]) : 0.0));
        }
    }
}

void oracle_huber_reach_pull(huber_reach *reach, huber_state *s, const huber_row *row)
{
    const int64_t q = reach->q;
    huber_matrix total = {0};
    if (row->batch == 0) {
        return; // no state: no information, and coefficients of zero
    }
    for (int64_t batch = 0; batch < row->batch; ++batch) {
        batch_rounding(reach, s, row, batch, total);
    }
    oracle_huber_scalars(s, row, row->batch);
    for (int64_t l = 0; l < q; ++l) { // beta - beta0
        double along[Q_MAX];
        for (int64_t k = 0; k < q; ++k) {
            along[k] = reach->information[k * q + l];
        }
        oracle_huber_reach_add(reach, along, oracle_huber_half_unit(reach->moved[l]), false);
    }
    for (int64_t k = 0; k < q; ++k) {
        double chain = 0.0, wrong = 0.0;
        for (int64_t l = 0; l < q; ++l) {
            chain += reach->information[k * q + l] * reach->moved[l];
            wrong += oracle_huber_half_unit(chain);
        }
        oracle_huber_reach_add_at(reach, k, wrong);
    }
}
