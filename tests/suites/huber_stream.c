// SPDX-License-Identifier: Apache-2.0
// Streams of batches: weights as frequencies, the L1 penalty's closed form, the intercept, convergence, counters.
#include "huber.h"

#include <math.h>
#include <string.h>

enum { ROWS_MAX = 128, P_MAX = 8 };

typedef struct data_set {
    double x[ROWS_MAX * P_MAX], y[ROWS_MAX], weights[ROWS_MAX];
} data_set;

static data_set *make_data(cupel_context *context, uint64_t key, int64_t rows, int64_t p)
{
    data_set *made = cupel_alloc(context, sizeof *made);
    for (int64_t i = 0; i < rows; ++i) {
        made->y[i] = 3.0 + huber_value(key, i, 99) * 0.25;
        for (int64_t j = 0; j < p; ++j) {
            made->x[i * p + j] = huber_value(key, i, j);
            made->y[i] += (j == 0 ? 2.0 : j == 5 ? -1.25 : 0.0) * made->x[i * p + j];
        }
        made->weights[i] = (double)(i % 4);
    }
    return made;
}

static double unit_of(cupel_context *context)
{
    return cupel_dtype(context) == NC_F32 ? 0x1p-24 : 0x1p-53;
}

// Integer weights are copies, and rows of weight 0 are not there. Sums run over other rows, so equality is to rounding: the
// optimum is flat to a few unit roundoffs of the data.
static void weights_are_frequencies(cupel_context *context)
{
    data_set *data = make_data(context, 21, 40, 3), *copies = cupel_alloc(context, sizeof *copies);
    int64_t count = 0;
    for (int64_t i = 0; i < 40; ++i) {
        for (int c = 0; c < (int)data->weights[i]; ++c, ++count) {
            memcpy(&copies->x[count * 3], &data->x[i * 3], 3 * sizeof(double));
            copies->y[count] = data->y[i];
        }
    }
    nc_huber_config config = huber_config(0.5, 0.0, 1e-10);
    nc_huber_diagnostics weighted = huber_diagnostics(), repeated = huber_diagnostics();
    nc_huber *a = huber_open(context, cupel_dtype(context), 1, 3), *b = huber_open(context, cupel_dtype(context), 1, 3);
    cupel_expect_status(context, huber_take(context, a, &config, data->x, data->y, data->weights, 40, 3, &weighted), NC_OK);
    cupel_expect_status(context, huber_take(context, b, &config, copies->x, copies->y, NULL, count, 3, &repeated), NC_OK);
    cupel_expect_true(context, weighted.batch_weight == repeated.batch_weight && weighted.bandwidth == repeated.bandwidth);
    const double *left = huber_beta(context, a), *right = huber_beta(context, b);
    for (int j = 0; j < 4; ++j) {
        cupel_expect_true(context, fabs(left[j] - right[j]) <= 64.0 * unit_of(context) * (1.0 + fabs(left[j])));
    }
    huber_close(context, b);
    huber_close(context, a);
}

// On a +-1 orthogonal design with a large tau the L1 answer is the soft threshold of least squares at lambda.
static void soft_threshold(cupel_context *context)
{
    enum { N = 8, P = 4 };
    static const double truth[P] = {2.0, -1.0, 0.25, -0.125};
    double x[N * P], y[N];
    for (int i = 0; i < N; ++i) {
        static const int masks[P] = {1, 2, 4, 7}; // distinct characters of the group {0,1}^3
        y[i] = 0.0;
        for (int j = 0; j < P; ++j) {
            x[i * P + j] = __builtin_parity((unsigned)(i & masks[j])) ? -1.0 : 1.0;
            y[i] += truth[j] * x[i * P + j];
        }
    }
    nc_huber_config config = huber_config(100.0, 0.0, cupel_dtype(context) == NC_F32 ? 1e-6 : 1e-12);
    nc_huber_diagnostics diagnostics = huber_diagnostics();
    nc_huber *model = huber_open(context, cupel_dtype(context), 0, P);
    config.penalty = NC_HUBER_PENALTY_L1;
    config.lambda_scale = 0.005;
    config.max_iterations = 1000;
    cupel_expect_status(context, huber_take(context, model, &config, x, y, NULL, N, P, &diagnostics), NC_OK);
    // lambda = 0.005 * 100 sqrt(ln 4 / 8) = 0.2081393885645988
    double lambda = 0.5 * sqrt(log(4.0) / 8.0);
    cupel_expect_true(context, fabs(diagnostics.lambda - lambda) <= 4.0 * 0x1p-53 * lambda);
    const double *beta = huber_beta(context, model);
    for (int j = 0; j < P; ++j) {
        double kept = fabs(truth[j]) - lambda;
        double expected = kept > 0.0 ? copysign(kept, truth[j]) : 0.0;
        cupel_expect_true(context, fabs(beta[j] - expected) <= 1e-6);
        cupel_expect_true(context, expected != 0.0 || (beta[j] == 0.0 && !signbit(beta[j])));
    }
    huber_close(context, model);
}

// However large lambda is, the intercept is the M-estimate of location.
static void intercept_is_never_penalised(cupel_context *context)
{
    data_set *data = make_data(context, 22, 64, 3);
    nc_huber_config config = huber_config(1.345, 0.0, cupel_dtype(context) == NC_F32 ? 1e-6 : 1e-9);
    nc_huber_diagnostics diagnostics = huber_diagnostics();
    nc_huber *model = huber_open(context, cupel_dtype(context), 1, 3);
    config.penalty = NC_HUBER_PENALTY_L1;
    config.lambda_scale = 1e6;
    config.max_iterations = 2000;
    cupel_expect_status(context, huber_take(context, model, &config, data->x, data->y, NULL, 64, 3, &diagnostics), NC_OK);
    const double *beta = huber_beta(context, model);
    double sum = 0.0;
    for (int j = 0; j < 3; ++j) {
        cupel_expect_true(context, beta[j] == 0.0);
    }
    for (int i = 0; i < 64; ++i) {
        double r = data->y[i] - beta[3];
        sum += fabs(r) <= config.tau ? r : copysign(config.tau, r);
    }
    cupel_expect_true(context, fabs(beta[3]) > 1.0 && fabs(sum) / 64.0 <= 4e-6);
    huber_close(context, model);
}

// A sparse truth over two batches; counters and the sum of weights; lambda shrinks with the weight seen.
static void sparse_stream(cupel_context *context)
{
    nc_huber *model = huber_open(context, cupel_dtype(context), 1, P_MAX);
    nc_huber_config config = huber_config(1.345, 1e-8, 1e-6);
    nc_huber_info info;
    double lambda = (double)INFINITY;
    config.penalty = NC_HUBER_PENALTY_L1;
    config.max_iterations = 2000;
    for (uint64_t b = 0; b < 2; ++b) {
        data_set *data = make_data(context, 30 + b, 100, P_MAX);
        nc_huber_diagnostics diagnostics = huber_diagnostics();
        cupel_expect_status(context, huber_take(context, model, &config, data->x, data->y, NULL, 100, P_MAX, &diagnostics), NC_OK);
        cupel_expect_true(context, diagnostics.converged == 1 && diagnostics.lambda < lambda);
        lambda = diagnostics.lambda;
    }
    NC_STRUCT_INIT(&info);
    cupel_require_ok(context, nc_huber_info_get(model, &info));
    cupel_expect_u64(context, (uint64_t)info.rows_seen, 200);
    cupel_expect_u64(context, (uint64_t)info.batches, 2);
    cupel_expect_true(context, info.weight == 200.0 && info.lambda == lambda);
    const double *beta = huber_beta(context, model);
    for (int j = 0; j < P_MAX; ++j) {
        double truth = j == 0 ? 2.0 : j == 5 ? -1.25 : 0.0;
        // Shrinkage by up to lambda over the columns' mean square (4/3), plus the noise's share.
        cupel_expect_true(context, fabs(beta[j] - truth) <= 0.3);
    }
    huber_close(context, model);
}

// One iteration is not enough here: the update says so and commits what it has.
static void no_convergence_is_said_and_committed(cupel_context *context)
{
    data_set *data = make_data(context, 23, 64, 3);
    nc_huber_config config = huber_config(0.05, 0.0, 1e-14);
    nc_huber_diagnostics diagnostics = huber_diagnostics();
    nc_huber_info info;
    nc_huber *model = huber_open(context, cupel_dtype(context), 1, 3);
    config.max_iterations = 1;
    cupel_expect_status(context, huber_take(context, model, &config, data->x, data->y, NULL, 64, 3, &diagnostics),
                        NC_NOT_CONVERGED);
    cupel_expect_true(context, diagnostics.converged == 0 && diagnostics.iterations == 1);
    NC_STRUCT_INIT(&info);
    cupel_require_ok(context, nc_huber_info_get(model, &info));
    cupel_expect_u64(context, (uint64_t)info.batches, 1);
    cupel_expect_true(context, huber_beta(context, model)[3] != 0.0);
    huber_close(context, model);
}

// With tau beyond every residual, batches one after the other give the least squares of all rows at once: J carries it all.
static void batches_add_up_to_least_squares(cupel_context *context)
{
    data_set *data = make_data(context, 24, 96, 4);
    nc_huber_config config = huber_config(1e6, 0.0, 1e-12);
    nc_huber_diagnostics diagnostics = huber_diagnostics();
    nc_huber *stream = huber_open(context, cupel_dtype(context), 1, 4), *once = huber_open(context, cupel_dtype(context), 1, 4);
    for (int64_t b = 0; b < 3; ++b) {
        cupel_expect_status(context,
                            huber_take(context, stream, &config, data->x + b * 32 * 4, data->y + b * 32, NULL, 32, 4, &diagnostics),
                            NC_OK);
    }
    cupel_expect_status(context, huber_take(context, once, &config, data->x, data->y, NULL, 96, 4, &diagnostics), NC_OK);
    const double *left = huber_beta(context, stream), *right = huber_beta(context, once);
    for (int j = 0; j < 5; ++j) {
        cupel_expect_true(context, fabs(left[j] - right[j]) <= 64.0 * unit_of(context) * (1.0 + fabs(right[j])));
    }
    huber_close(context, once);
    huber_close(context, stream);
}

static const cupel_case cases[] = {
    CUPEL_CASE_REALS("huber.stream.batches-add-up-to-least-squares", batches_add_up_to_least_squares),
    CUPEL_CASE_REALS("huber.stream.intercept-is-never-penalised", intercept_is_never_penalised),
    CUPEL_CASE_REALS("huber.stream.no-convergence-is-said-and-committed", no_convergence_is_said_and_committed),
    CUPEL_CASE_REALS("huber.stream.soft-threshold", soft_threshold),
    CUPEL_CASE_REALS("huber.stream.sparse-stream", sparse_stream),
    CUPEL_CASE_REALS("huber.stream.weights-are-frequencies", weights_are_frequencies),
};

const cupel_table huber_stream_table = CUPEL_TABLE(cases);
