// SPDX-License-Identifier: Apache-2.0
// Certified data: least squares (a tau beyond every residual) against NIST's values, and the Huber M-estimate of the stack-loss
// data against the published one.
#include "huber.h"
#include "huber_strd_data.h"

#include <math.h>

enum { ROWS_MAX = 82, FEATURES_MAX = 10 };

typedef struct certified_set {
    const double *rows; // y, x...
    int64_t count, width;
    int64_t degree; // > 0: powers of the one x
    const double *certified;
    double digits; // at least as many correct decimal digits in every coefficient
    nc_status status;
} certified_set;

static const double ones[6] = {1, 1, 1, 1, 1, 1};
static const double wampler2_certified[6] = {1, 0.1, 0.01, 0.001, 0.0001, 0.00001};

// Digits: what float64 holds of the answer once residuals and gradient are compensated, less one. Filip's coefficients cannot be
// had from a float64 information matrix; the status must say so.
static const certified_set longley = {&longley_rows[0][0], 16, 7, 0, longley_certified, 13, NC_OK};
static const certified_set wampler1 = {&wampler1_rows[0][0], 21, 2, 5, ones, 14, NC_OK};
static const certified_set wampler2 = {&wampler2_rows[0][0], 21, 2, 5, wampler2_certified, 12, NC_OK};
static const certified_set wampler3 = {&wampler3_rows[0][0], 21, 2, 5, ones, 12, NC_OK};
static const certified_set wampler4 = {&wampler4_rows[0][0], 21, 2, 5, ones, 10, NC_OK};
static const certified_set wampler5 = {&wampler5_rows[0][0], 21, 2, 5, ones, 8, NC_OK};
static const certified_set filip = {&filip_rows[0][0], 82, 2, 10, filip_certified, 0, NC_ILL_CONDITIONED};

static int64_t expand(const certified_set *set, double *x, double *y)
{
    int64_t features = set->degree > 0 ? set->degree : set->width - 1;
    for (int64_t i = 0; i < set->count; ++i) {
        const double *row = set->rows + i * set->width;
        double power = 1.0;
        y[i] = row[0];
        for (int64_t j = 0; j < features; ++j) {
            power *= row[1];
            x[i * features + j] = set->degree > 0 ? power : row[1 + j];
        }
    }
    return features;
}

static double digits_of(double value, double certified)
{
    double error = fabs(value - certified) / fabs(certified);
    return error > 0.0 ? -log10(error) : 17.0;
}

static void least_squares(cupel_context *context)
{
    const certified_set *set = cupel_data(context);
    double x[ROWS_MAX * FEATURES_MAX], y[ROWS_MAX];
    int64_t features = expand(set, x, y);
    nc_huber_config config = huber_config(1e12, 0.0, 1e-15);
    nc_huber_diagnostics diagnostics = huber_diagnostics();
    nc_huber *model = huber_open(context, NC_F64, 1, features);
    cupel_expect_status(context, huber_take(context, model, &config, x, y, NULL, set->count, features, &diagnostics), set->status);
    const double *beta = huber_beta(context, model);
    for (int64_t j = 0; j <= features; ++j) {
        double got = j < features ? beta[j] : beta[features];
        double want = set->certified[j < features ? j + 1 : 0];
        cupel_expect_true(context, isfinite(got));
        cupel_expect_true(context, digits_of(got, want) >= set->digits || set->status != NC_OK);
    }
    huber_close(context, model);
}

// R's MASS::rlm gives -41.0265, 0.8294, 0.9261, -0.1278 for this tau (1.345 times its scale estimate).
static void stackloss(cupel_context *context)
{
    static const double published[4] = {0.8294, 0.9261, -0.1278, -41.0265};
    double x[21 * 3], y[21];
    for (int i = 0; i < 21; ++i) {
        y[i] = stackloss_rows[i][0];
        for (int j = 0; j < 3; ++j) {
            x[i * 3 + j] = stackloss_rows[i][1 + j];
        }
    }
    nc_huber_config config = huber_config(3.28245776686033, 0.0, 1e-12);
    nc_huber_diagnostics diagnostics = huber_diagnostics();
    nc_huber *model = huber_open(context, cupel_dtype(context), 1, 3);
    cupel_expect_status(context, huber_take(context, model, &config, x, y, NULL, 21, 3, &diagnostics), NC_OK);
    const double *beta = huber_beta(context, model);
    for (int j = 0; j < 4; ++j) {
        cupel_expect_true(context, fabs(beta[j] - published[j]) <= 0.5e-4);
    }
    // The estimating equation holds: sum psi(r) x_j = 0 within the rounding of its terms.
    double unit = cupel_dtype(context) == NC_F32 ? 0x1p-24 : 0x1p-53;
    for (int j = 0; j < 4; ++j) {
        double sum = 0.0, size = 0.0;
        for (int i = 0; i < 21; ++i) {
            double fitted = beta[3], terms = fabs(y[i]) + fabs(beta[3]);
            for (int k = 0; k < 3; ++k) {
                fitted += beta[k] * x[i * 3 + k];
                terms += fabs(beta[k] * x[i * 3 + k]);
            }
            double r = y[i] - fitted, value = j < 3 ? x[i * 3 + j] : 1.0;
            sum += value * (fabs(r) <= config.tau ? r : copysign(config.tau, r));
            size += fabs(value) * terms;
        }
        // beta is rounded to the dtype: each fitted value moves by up to a unit roundoff of its terms.
        cupel_expect_true(context, fabs(sum) <= 2.0 * unit * size);
    }
    huber_close(context, model);
}

static const cupel_case cases[] = {
    {"huber.certified.filip", least_squares, NC_F64, &filip},       {"huber.certified.longley", least_squares, NC_F64, &longley},
    {"huber.certified.wampler1", least_squares, NC_F64, &wampler1}, {"huber.certified.wampler2", least_squares, NC_F64, &wampler2},
    {"huber.certified.wampler3", least_squares, NC_F64, &wampler3}, {"huber.certified.wampler4", least_squares, NC_F64, &wampler4},
    {"huber.certified.wampler5", least_squares, NC_F64, &wampler5}, CUPEL_CASE_REALS("huber.certified.stackloss", stackloss),
};

const cupel_table huber_certified_table = CUPEL_TABLE(cases);
