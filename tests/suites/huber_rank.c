// SPDX-License-Identifier: Apache-2.0
// Designs and units that break careless solvers: each has a right answer or a status that is not NC_OK.
#include "huber.h"

#include <math.h>
#include <string.h>

// A constant column beside the intercept and a proportional pair: no silent huge coefficients.
static void collinear(cupel_context *context)
{
    static const double x[18] = {7, 0, 0, 7, 1, 2, 7, 2, 4, 7, 3, 6, 7, 4, 8, 7, 5, 10}, y[6] = {1, 4, 7, 10, 13, 16};
    static const double ridges[2] = {0.0, 1e-8};
    for (int r = 0; r < 2; ++r) {
        nc_huber_config config = huber_config(1.345, ridges[r], 1e-6);
        nc_huber_diagnostics diagnostics = huber_diagnostics();
        nc_huber *model = huber_open(context, cupel_dtype(context), 1, 3);
        cupel_expect_status(context, huber_take(context, model, &config, x, y, NULL, 6, 3, &diagnostics), NC_RANK_DEFICIENT);
        cupel_expect_u64(context, (uint64_t)diagnostics.solve, NC_HUBER_SOLVE_MINIMUM_NORM);
        const double *beta = huber_beta(context, model);
        // Minimum norm on y = 1 + 3 t: 7 a + b = 1 splits as (7, 1) / 50, u + 2 v = 3 as (1, 2) 3/5.
        static const double expected[4] = {0.14, 0.6, 1.2, 0.02};
        double unit = cupel_dtype(context) == NC_F32 ? 0x1p-24 : 0x1p-53;
        for (int j = 0; j < 4; ++j) {
            cupel_expect_true(context, fabs(beta[j] - expected[j]) <= 64.0 * unit);
        }
        huber_close(context, model);
    }
}

static void fewer_rows_than_coefficients(cupel_context *context)
{
    static const double x[6] = {1, 0, 2, 0, 1, 1}, y[2] = {3, 4};
    nc_huber_config config = huber_config(10.0, 0.0, 1e-9);
    nc_huber_diagnostics diagnostics = huber_diagnostics();
    nc_huber *model = huber_open(context, cupel_dtype(context), 1, 3);
    cupel_expect_status(context, huber_take(context, model, &config, x, y, NULL, 2, 3, &diagnostics), NC_RANK_DEFICIENT);
    const double *beta = huber_beta(context, model);
    double unit = cupel_dtype(context) == NC_F32 ? 0x1p-24 : 0x1p-53;
    for (int i = 0; i < 2; ++i) {
        double fitted = beta[3];
        for (int j = 0; j < 3; ++j) {
            fitted += beta[j] * x[i * 3 + j];
        }
        cupel_expect_true(context, fabs(fitted - y[i]) <= 64.0 * unit * 8.0);
    }
    huber_close(context, model);
}

// A millisecond clock as a feature, with the slope 0.002.
static void timestamp_feature(cupel_context *context)
{
    double x[8], y[8];
    for (int i = 0; i < 8; ++i) {
        x[i] = 1700000000000.0 + 1000.0 * i;
        y[i] = 5.0 + 2.0 * i;
    }
    nc_huber_config config = huber_config(1.345, 1e-8, 1e-6);
    nc_huber_diagnostics diagnostics = huber_diagnostics();
    nc_huber *model = huber_open(context, NC_F64, 1, 1);
    // A column of 1.7e12 beside ones: the pivot is below rounding, the answer of least norm is not the slope, and the update says
    // so.
    cupel_expect_status(context, huber_take(context, model, &config, x, y, NULL, 8, 1, &diagnostics), NC_ILL_CONDITIONED);
    const double *beta = huber_beta(context, model);
    cupel_expect_u64(context, (uint64_t)diagnostics.solve, NC_HUBER_SOLVE_MINIMUM_NORM);
    cupel_expect_true(context, isfinite(beta[0]) && isfinite(beta[1]));
    huber_close(context, model);
}

static void perfect_fit(cupel_context *context)
{
    double x[9], y[9];
    for (int i = 0; i < 9; ++i) {
        x[i] = 10.0 * i;
        y[i] = i - 12.0;
    }
    nc_huber_config config = huber_config(1.345, 0.0, 1e-12);
    nc_huber_diagnostics diagnostics = huber_diagnostics();
    nc_huber *model = huber_open(context, cupel_dtype(context), 1, 1);
    cupel_expect_status(context, huber_take(context, model, &config, x, y, NULL, 9, 1, &diagnostics), NC_OK);
    const double *beta = huber_beta(context, model);
    double bound = cupel_dtype(context) == NC_F32 ? 0x1p-20 : 1e-12;
    cupel_expect_true(context, fabs(beta[0] - 0.1) <= bound && fabs(beta[1] + 12.0) <= bound);
    cupel_expect_true(context, diagnostics.objective >= 0.0 && diagnostics.objective <= bound);
    huber_close(context, model);
}

// A location in units of 1e-5 with outliers, tau to match: scaling y and tau scales the answer.
static void tiny_and_huge_units(cupel_context *context)
{
    static const double y[11] = {1.011e-05,  1.012e-05, 1.0115e-05, 1.0122e-05, 1.0118e-05, 1.0121e-05,
                                 1.0119e-05, 7.2e-05,   7.9e-05,    1.6e-05,    2.1e-05};
    static const double scales[4] = {1.0, 1e5, 1e-12, 1e12};
    double x[11], scaled[11], first = 0.0;
    for (int s = 0; s < 4; ++s) {
        for (int i = 0; i < 11; ++i) {
            x[i] = 1.0;
            scaled[i] = scales[s] * y[i];
        }
        nc_huber_config config = huber_config(1.345e-7 * scales[s], 0.0, 1e-13);
        nc_huber_diagnostics diagnostics = huber_diagnostics();
        nc_huber *model = huber_open(context, NC_F64, 0, 1);
        cupel_expect_status(context, huber_take(context, model, &config, x, scaled, NULL, 11, 1, &diagnostics), NC_OK);
        const double *beta = huber_beta(context, model);
        first = s == 0 ? beta[0] : first;
        // The estimating equation: seven values near, four beyond tau above.
        cupel_expect_true(context, beta[0] > 1.01e-5 * scales[s] && beta[0] < 1.03e-5 * scales[s]);
        cupel_expect_true(context, fabs(beta[0] / scales[s] / first - 1.0) <= 1e-10);
        huber_close(context, model);
    }
}

// One outlier of 1000 among 60 rows moves the answer by less than its bounded influence.
static void outlier_has_bounded_influence(cupel_context *context)
{
    double x[60], y[60];
    for (int i = 0; i < 60; ++i) {
        x[i] = huber_value(11, i, 0);
        y[i] = 1.5 * x[i] - 0.5 + 0.0625 * huber_value(11, i, 1);
    }
    y[17] += 1000.0;
    nc_huber_config config = huber_config(0.25, 0.0, 1e-9);
    nc_huber_diagnostics diagnostics = huber_diagnostics();
    nc_huber *model = huber_open(context, cupel_dtype(context), 1, 1);
    cupel_expect_status(context, huber_take(context, model, &config, x, y, NULL, 60, 1, &diagnostics), NC_OK);
    const double *beta = huber_beta(context, model);
    cupel_expect_true(context, fabs(beta[0] - 1.5) <= 0.03 && fabs(beta[1] + 0.5) <= 0.03);
    huber_close(context, model);
}

// h may exceed tau / 2, and tau caps it.
static void bandwidth(cupel_context *context)
{
    double x[16], y[16];
    for (int i = 0; i < 16; ++i) {
        x[i] = huber_value(3, i, 0);
        y[i] = x[i];
    }
    for (int s = 0; s < 2; ++s) {
        nc_huber_config config = huber_config(1.0, 0.0, 1e-9);
        nc_huber_diagnostics diagnostics = huber_diagnostics();
        nc_huber *model = huber_open(context, NC_F64, 1, 1);
        config.bandwidth_scale = s == 0 ? 2.0 : 1000.0;
        cupel_expect_status(context, huber_take(context, model, &config, x, y, NULL, 16, 1, &diagnostics), NC_OK);
        // 2 / (sqrt(16) ln 2) = 0.7213475204444817; three roundings.
        double expected = s == 0 ? 0.7213475204444817 : 1.0;
        cupel_expect_true(context, fabs(diagnostics.bandwidth - expected) <= 4.0 * 0x1p-53);
        huber_close(context, model);
    }
}

// Rows that say nothing, more of them than a recursion with forgetting survives (6737 in float64), change no coefficient; what
// comes after them is still learnt.
static void zero_rows(cupel_context *context)
{
    enum { BATCH = 1000, BATCHES = 7 };
    double x[16], y[8], after_x[2] = {1.0, 2.0}, after_y[1] = {0.0}, before[2];
    double *zeros = cupel_alloc(context, 2 * BATCH * sizeof *zeros);
    for (int i = 0; i < 8; ++i) {
        x[2 * i] = huber_value(5, i, 0);
        x[2 * i + 1] = huber_value(5, i, 1);
        y[i] = 0.5 * x[2 * i] - 0.25 * x[2 * i + 1] + 0.125 * huber_value(5, i, 2);
    }
    nc_huber_config config = huber_config(1.345, 0.0, 1e-9);
    nc_huber_diagnostics diagnostics = huber_diagnostics();
    nc_huber *model = huber_open(context, cupel_dtype(context), 0, 2);
    cupel_expect_status(context, huber_take(context, model, &config, x, y, NULL, 8, 2, &diagnostics), NC_OK);
    memcpy(before, huber_beta(context, model), sizeof before);
    for (int b = 0; b < BATCHES; ++b) {
        cupel_expect_status(context, huber_take(context, model, &config, zeros, zeros, NULL, BATCH, 2, &diagnostics), NC_OK);
    }
    cupel_expect_same(context, NC_F64, huber_beta(context, model), before, 2);
    cupel_expect_status(context, huber_take(context, model, &config, after_x, after_y, NULL, 1, 2, &diagnostics), NC_OK);
    const double *beta = huber_beta(context, model);
    cupel_expect_true(context, isfinite(beta[0]) && isfinite(beta[1]));
    // Nearer to its plane than before, by no more than all the way: eight rows stand against it.
    double was = before[0] + 2.0 * before[1], is = beta[0] + 2.0 * beta[1];
    cupel_expect_true(context, was != 0.0 && is / was < 1.0 && is / was > 0.0);
    huber_close(context, model);
}

static const cupel_case cases[] = {
    CUPEL_CASE_REALS("huber.rank.collinear", collinear),
    CUPEL_CASE_REALS("huber.rank.fewer-rows-than-coefficients", fewer_rows_than_coefficients),
    CUPEL_CASE("huber.rank.timestamp-feature", timestamp_feature),
    CUPEL_CASE_REALS("huber.rank.perfect-fit", perfect_fit),
    CUPEL_CASE("huber.rank.tiny-and-huge-units", tiny_and_huge_units),
    CUPEL_CASE_REALS("huber.rank.outlier-has-bounded-influence", outlier_has_bounded_influence),
    CUPEL_CASE("huber.rank.bandwidth", bandwidth),
    CUPEL_CASE_REALS("huber.rank.zero-rows", zero_rows),
};

const cupel_table huber_rank_table = CUPEL_TABLE(cases);
