// SPDX-License-Identifier: Apache-2.0
// Streams in the shapes of the method's published regression corpora: two sets of four, with weights that cycle through zero and
// fractions, outliers, sparse truths, a singular design. After every batch the state's counters and scalars are the documented
// formulas, the coefficients satisfy the conditions of the minimum, computed here with plain loops, and the number of iterations is
// the one that every engine needs.
#include "huber.h"

#include <math.h>
#include <string.h>

enum { BATCHES_MAX = 3, P_MAX = 8, Q_MAX = P_MAX + 1, ROWS_MAX = 64, CYCLE_MAX = 6 };

typedef struct named_stream {
    int64_t rows[BATCHES_MAX]; // 0 ends the stream
    int64_t p;
    int32_t intercept;
    int32_t penalty;
    double tau, lambda_scale, tolerance;
    int64_t max_iterations;
    double truth[Q_MAX]; // intercept last
    double cycle[CYCLE_MAX];
    int cycle_length; // 0: no weights
    int outlier_every;
    int64_t iterations[2][BATCHES_MAX]; // float32, float64
} named_stream;

#define L1 NC_HUBER_PENALTY_L1
#define NONE NC_HUBER_PENALTY_NONE
static const named_stream weighted_unpenalised = {
    {29, 35}, 4, 1, NONE, 1.2, 1.0, 1e-10, 200, {1.5, -2.0, 0.5, 0.0, 0.75}, {0.0, 0.5, 1.0, 2.0}, 4, 17, {{8, 3}, {8, 4}}};
static const named_stream l1_stream = {
    {31, 49}, 6, 1, L1, 1.345, 0.55, 1e-8, 4000, {2.0, 0.0, -1.0, 0.0, 0.0, 0.5, 1.0}, {0}, 0, 19, {{23, 13}, {21, 14}}};
static const named_stream outliers_no_intercept = {{48}, 3, 0, NONE, 1.1, 1.0, 1e-6, 150, {1.0, -0.5, 2.0}, {0}, 0, 7, {{6}, {6}}};
static const named_stream weighted_three_batch_l1 = {{25, 33, 32},
                                                     5,
                                                     1,
                                                     L1,
                                                     1.345,
                                                     0.6,
                                                     1e-6,
                                                     2000,
                                                     {1.0, 0.0, -1.5, 0.0, 0.5, -2.0},
                                                     {1.0, 0.0, 2.5, 0.5, 1.0, 3.0},
                                                     6,
                                                     13,
                                                     {{48, 13, 13}, {48, 13, 13}}};
static const named_stream multi_batch_l1_no_intercept = {
    {40, 56}, 4, 0, L1, 1.345, 0.8, 1e-6, 2000, {0.0, 1.25, 0.0, -0.75}, {0}, 0, 0, {{12, 11}, {12, 11}}};
static const named_stream sparse_l1_intercept = {
    {35, 35}, 8, 1, L1, 1.345, 1.5, 1e-6, 2000, {2.0, 0, 0, 0, 0, -1.25, 0, 0, 3.0}, {0}, 0, 0, {{12, 11}, {12, 11}}};
static const named_stream l1_zero_lambda = {
    {20, 20, 20}, 3, 1, L1, 1.345, 0.0, 1e-6, 2000, {0.5, -1.0, 1.5, 0.25}, {0}, 0, 0, {{19, 11, 11}, {19, 11, 11}}};
#undef L1
#undef NONE

// One batch, rounded to the dtype as the model sees it, and what the state held before it.
typedef struct named_batch {
    int64_t rows, q;
    double x[ROWS_MAX * Q_MAX], y[ROWS_MAX], w[ROWS_MAX];
    double start[Q_MAX], information[Q_MAX * Q_MAX], weight, lambda;
} named_batch;

static double rounded(nc_dtype dtype, double value)
{
    return dtype == NC_F32 ? (double)(float)value : value;
}

static void batch_make(cupel_context *context, const named_stream *stream, int b, named_batch *batch)
{
    nc_dtype dtype = cupel_dtype(context);
    batch->rows = stream->rows[b];
    for (int64_t i = 0; i < batch->rows; ++i) {
        double y = 0.25 * huber_value(50 + (uint64_t)b, i, 99);
        for (int64_t j = 0; j < batch->q; ++j) {
            batch->x[i * batch->q + j] = j == stream->p ? 1.0 : rounded(dtype, huber_value(50 + (uint64_t)b, i, j));
            y += stream->truth[j] * batch->x[i * batch->q + j];
        }
        y += stream->outlier_every > 0 && i % stream->outlier_every == 5 ? 40.0 : 0.0;
        batch->y[i] = rounded(dtype, y);
        batch->w[i] = stream->cycle_length > 0 ? stream->cycle[i % stream->cycle_length] : 1.0;
    }
}

static double residual(const named_batch *batch, const double *beta, int64_t i)
{
    double r = batch->y[i];
    for (int64_t j = 0; j < batch->q; ++j) {
        r -= batch->x[i * batch->q + j] * beta[j];
    }
    return r;
}

// The conditions of the minimum of N times the penalised surrogate; the last step may leave 4 trace(X'WX + J) times its length.
static void minimum_expect(cupel_context *context, const named_stream *stream, const named_batch *batch, const double *beta,
                           const nc_huber_diagnostics *said)
{
    const double total = batch->weight + said->batch_weight, unit = cupel_dtype(context) == NC_F32 ? 0x1p-22 : 0x1p-50;
    double trace = 0.0, length = 0.0;
    for (int64_t j = 0; j < batch->q; ++j) {
        trace += batch->information[j * batch->q + j];
        length += beta[j] * beta[j];
        for (int64_t i = 0; i < batch->rows; ++i) {
            trace += batch->w[i] * batch->x[i * batch->q + j] * batch->x[i * batch->q + j];
        }
    }
    const double slack = 4.0 * trace * (stream->tolerance + unit) * (1.0 + sqrt(length));
    for (int64_t j = 0; j < batch->q; ++j) {
        const double sign = batch->start[j] > 0.0 ? 1.0 : batch->start[j] < 0.0 ? -1.0 : 0.0;
        double gradient = j < stream->p ? -batch->weight * batch->lambda * sign : 0.0;
        for (int64_t l = 0; l < batch->q; ++l) {
            gradient += batch->information[j * batch->q + l] * (beta[l] - batch->start[l]);
        }
        for (int64_t i = 0; i < batch->rows; ++i) {
            const double r = residual(batch, beta, i);
            gradient -= batch->w[i] * fmax(-stream->tau, fmin(stream->tau, r)) * batch->x[i * batch->q + j];
        }
        const double threshold = j < stream->p ? total * said->lambda : 0.0;
        const double wrong = beta[j] == 0.0 ? fmax(0.0, fabs(gradient) - threshold) : fabs(gradient + copysign(threshold, beta[j]));
        cupel_expect_true(context, wrong <= slack);
    }
}

// J + X' diag(w kappa) X, W + m, lambda and coefficients: the state that the next batch begins with.
static void state_follow(named_batch *batch, const named_stream *stream, const double *beta, const nc_huber_diagnostics *said)
{
    for (int64_t i = 0; i < batch->rows; ++i) {
        const double slope = 0.5 + (stream->tau - fabs(residual(batch, beta, i))) / (2.0 * said->bandwidth);
        const double kappa = fmax(0.0, fmin(1.0, slope));
        for (int64_t k = 0; k < batch->q * batch->q; ++k) {
            batch->information[k] +=
                batch->w[i] * kappa * batch->x[i * batch->q + k / batch->q] * batch->x[i * batch->q + k % batch->q];
        }
    }
    batch->weight += said->batch_weight;
    batch->lambda = said->lambda;
    memcpy(batch->start, beta, (size_t)batch->q * sizeof *beta);
}

static void scalars_expect(cupel_context *context, const named_stream *stream, const named_batch *batch,
                           const nc_huber_diagnostics *said)
{
    const double log_p = log(fmax(2.0, (double)stream->p)), total = batch->weight + said->batch_weight;
    const double band = fmin(1.0 / (sqrt(total) * log_p), stream->tau);
    const double lambda = stream->penalty == NC_HUBER_PENALTY_L1 ? stream->lambda_scale * stream->tau * sqrt(log_p / total) : 0.0;
    double sum = 0.0;
    for (int64_t i = 0; i < batch->rows; ++i) {
        sum += batch->w[i];
    }
    cupel_expect_true(context, said->batch_weight == sum);
    cupel_expect_true(context, fabs(said->bandwidth - band) <= 8.0 * 0x1p-53 * band);
    cupel_expect_true(context, fabs(said->lambda - lambda) <= 8.0 * 0x1p-53 * lambda);
}

static void named(cupel_context *context)
{
    const named_stream *stream = cupel_data(context);
    named_batch *batch = cupel_alloc(context, sizeof *batch);
    memset(batch, 0, sizeof *batch);
    batch->q = stream->p + stream->intercept;
    nc_huber *model = huber_open(context, cupel_dtype(context), stream->intercept, stream->p);
    nc_huber_config config = huber_config(stream->tau, 1e-8, stream->tolerance);
    config.penalty = stream->penalty;
    config.lambda_scale = stream->lambda_scale;
    config.max_iterations = stream->max_iterations;
    int64_t rows_seen = 0;
    for (int b = 0; b < BATCHES_MAX && stream->rows[b] > 0; ++b) {
        nc_huber_info info;
        NC_STRUCT_INIT(&info);
        nc_huber_diagnostics said = huber_diagnostics();
        batch_make(context, stream, b, batch);
        const double *weights = stream->cycle_length > 0 ? batch->w : NULL;
        cupel_expect_status(context, huber_take(context, model, &config, batch->x, batch->y, weights, batch->rows, batch->q, &said),
                            NC_OK);
        cupel_expect_u64(context, (uint64_t)said.iterations, (uint64_t)stream->iterations[cupel_dtype(context) == NC_F64][b]);
        scalars_expect(context, stream, batch, &said);
        const double *beta = huber_beta(context, model);
        minimum_expect(context, stream, batch, beta, &said);
        state_follow(batch, stream, beta, &said);
        rows_seen += batch->rows;
        cupel_require_ok(context, nc_huber_info_get(model, &info));
        cupel_expect_true(context, info.weight == batch->weight && info.lambda == said.lambda);
        cupel_expect_true(context, info.rows_seen == rows_seen && info.batches == b + 1);
    }
    huber_close(context, model);
}

// Columns b and 2b, a column of ones and an intercept: the minimum norm of an exact line splits as (1, 2) and (1, 1).
static void rank_deficient(cupel_context *context)
{
    static const double expected[4] = {0.35, 0.7, 0.2, 0.2};
    double x[24 * 3], y[24];
    for (int i = 0; i < 24; ++i) {
        x[3 * i] = huber_value(61, i, 0);
        x[3 * i + 1] = 2.0 * x[3 * i];
        x[3 * i + 2] = 1.0;
        y[i] = 1.75 * x[3 * i] + 0.4;
    }
    nc_huber_config config = huber_config(100.0, 0.0, 1e-11);
    nc_huber_diagnostics said = huber_diagnostics();
    config.max_iterations = 40;
    nc_huber *model = huber_open(context, cupel_dtype(context), 1, 3);
    cupel_expect_status(context, huber_take(context, model, &config, x, y, NULL, 24, 3, &said), NC_RANK_DEFICIENT);
    const double *beta = huber_beta(context, model), unit = cupel_dtype(context) == NC_F32 ? 0x1p-24 : 0x1p-53;
    for (int j = 0; j < 4; ++j) {
        cupel_expect_true(context, fabs(beta[j] - expected[j]) <= 64.0 * unit);
    }
    huber_close(context, model);
}

#define NAMED(id, stream)                                                                                                          \
    {"huber.named." id ".f32", named, NC_F32, &(stream)},                                                                          \
    {                                                                                                                              \
        "huber.named." id ".f64", named, NC_F64, &(stream)                                                                         \
    }
static const cupel_case cases[] = {
    NAMED("l1-stream", l1_stream),
    NAMED("l1-zero-lambda", l1_zero_lambda),
    NAMED("multi-batch-l1-no-intercept", multi_batch_l1_no_intercept),
    NAMED("outliers-no-intercept", outliers_no_intercept),
    CUPEL_CASE_REALS("huber.named.rank-deficient", rank_deficient),
    NAMED("sparse-l1-intercept", sparse_l1_intercept),
    NAMED("weighted-three-batch-l1", weighted_three_batch_l1),
    NAMED("weighted-unpenalised", weighted_unpenalised),
};

const cupel_table huber_named_table = CUPEL_TABLE(cases);
