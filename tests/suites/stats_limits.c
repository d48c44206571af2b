// SPDX-License-Identifier: Apache-2.0
// Limits and borders: parameters at their boundaries, values off support, invalid parameters and values, counts that no float
// holds, draws that cannot be made. Every row states the exact answer.
#include "stats.h"

#include <math.h>

#define INFINITE ((double)INFINITY)
#define NOT_A_NUMBER ((double)NAN)

// One element. `expected` is within 1 ulp where it is not a whole number, infinite or NaN.
typedef struct density_row {
    int code; // nc_family, or nc_prior for a prior
    double p[NC_STATS_MAX_PARAMETERS];
    int parameters;
    double x;
    int64_t count, trials; // for counts
    double expected;
    nc_element_status status;
} density_row;

#define REAL(code, a, b, x, value, status)                                                                                         \
    {                                                                                                                              \
        code, {a, b, 0.0}, 2, x, 0, 0, value, NC_ELEMENT_##status                                                                  \
    }
#define RATE(rate, y, value, status)                                                                                               \
    {                                                                                                                              \
        NC_POISSON, {rate, 0.0, 0.0}, 1, 0.0, y, 0, value, NC_ELEMENT_##status                                                     \
    }
#define MEAN(mu, phi, y, value, status)                                                                                            \
    {                                                                                                                              \
        NC_NEGATIVE_BINOMIAL, {mu, phi, 0.0}, 2, 0.0, y, 0, value, NC_ELEMENT_##status                                             \
    }
#define TRIALS(code, p, n, y, value, status)                                                                                       \
    {                                                                                                                              \
        code, {p, 0.0, 0.0}, 1, 0.0, y, n, value, NC_ELEMENT_##status                                                              \
    }
#define STUDENT(nu, mu, sigma, x, value, status)                                                                                   \
    {                                                                                                                              \
        NC_STUDENT_T, {nu, mu, sigma}, 3, x, 0, 0, value, NC_ELEMENT_##status                                                      \
    }

static const density_row observations[] = {
    REAL(NC_NORMAL, 0.0, 1.0, INFINITE, -INFINITE, OFF_SUPPORT),
    REAL(NC_NORMAL, 0.0, 1.0, NOT_A_NUMBER, NOT_A_NUMBER, INVALID_VALUE),
    REAL(NC_NORMAL, 0.0, 0.0, 1.0, NOT_A_NUMBER, INVALID_PARAMETER),
    REAL(NC_NORMAL, 0.0, -1.0, 1.0, NOT_A_NUMBER, INVALID_PARAMETER),
    REAL(NC_NORMAL, NOT_A_NUMBER, 1.0, 1.0, NOT_A_NUMBER, INVALID_PARAMETER),
    REAL(NC_NORMAL, 0.0, INFINITE, 1.0, NOT_A_NUMBER, INVALID_PARAMETER),
    REAL(NC_LOGNORMAL, 0.0, 1.0, 0.0, -INFINITE, OFF_SUPPORT),
    REAL(NC_LOGNORMAL, 0.0, 1.0, -1.0, -INFINITE, OFF_SUPPORT),
    REAL(NC_LOGNORMAL, 0.0, 0.0, 1.0, NOT_A_NUMBER, INVALID_PARAMETER),
    REAL(NC_GAMMA, 1.0, 3.0, 0.0, 0x1.193ea7aad030bp+0, OK),
    REAL(NC_GAMMA, 1.0, 1.0, 0.0, 0.0, OK),
    REAL(NC_GAMMA, 0.5, 1.0, 0.0, INFINITE, OK),
    REAL(NC_GAMMA, 1.5, 1.0, 0.0, -INFINITE, OK),
    REAL(NC_GAMMA, 1.5, 1.0, -1.0, -INFINITE, OFF_SUPPORT),
    REAL(NC_GAMMA, 0.0, 1.0, 1.0, NOT_A_NUMBER, INVALID_PARAMETER),
    REAL(NC_GAMMA, 1.0, 0.0, 1.0, NOT_A_NUMBER, INVALID_PARAMETER),
    STUDENT(1.0, 0.0, 1.0, -INFINITE, -INFINITE, OFF_SUPPORT),
    STUDENT(0.0, 0.0, 1.0, 1.0, NOT_A_NUMBER, INVALID_PARAMETER),
    STUDENT(INFINITE, 0.0, 1.0, 1.0, NOT_A_NUMBER, INVALID_PARAMETER),
    RATE(0.0, 0, 0.0, OK),
    RATE(0.0, 1, -INFINITE, OFF_SUPPORT),
    RATE(3.0, 0, -3.0, OK),
    RATE(3.0, -1, -INFINITE, OFF_SUPPORT),
    RATE(-1.0, 1, NOT_A_NUMBER, INVALID_PARAMETER),
    RATE(INFINITE, 1, NOT_A_NUMBER, INVALID_PARAMETER),
    RATE(NOT_A_NUMBER, 1, NOT_A_NUMBER, INVALID_PARAMETER),
    // counts beyond 2^31 and 2^53: -log(2 pi y)/2 - 1/(12 y) at the mean
    RATE(0x1p40, (int64_t)1 << 40, -0x1.d9052db3f1481p+3, OK),
    RATE(0x1p60, (int64_t)1 << 60, -0x1.5b69e5d4dbc46p+4, OK),
    MEAN(0.0, 1.0, 0, 0.0, OK),
    MEAN(0.0, 1.0, 1, -INFINITE, OFF_SUPPORT),
    MEAN(1.0, 0.0, 1, NOT_A_NUMBER, INVALID_PARAMETER),
    MEAN(1.0, INFINITE, 1, NOT_A_NUMBER, INVALID_PARAMETER),
    MEAN(-1.0, 1.0, 1, NOT_A_NUMBER, INVALID_PARAMETER),
    TRIALS(NC_BINOMIAL, 0.0, 5, 0, 0.0, OK),
    TRIALS(NC_BINOMIAL, 1.0, 5, 5, 0.0, OK),
    TRIALS(NC_BINOMIAL, 0.0, 5, 1, -INFINITE, OFF_SUPPORT),
    TRIALS(NC_BINOMIAL, 1.0, 5, 4, -INFINITE, OFF_SUPPORT),
    TRIALS(NC_BINOMIAL, 0.5, 5, 6, -INFINITE, OFF_SUPPORT),
    TRIALS(NC_BINOMIAL, 0.5, 0, 0, 0.0, OK),
    TRIALS(NC_BINOMIAL, 0.5, -1, 0, NOT_A_NUMBER, INVALID_PARAMETER),
    TRIALS(NC_BINOMIAL, -0.5, 5, 1, NOT_A_NUMBER, INVALID_PARAMETER),
    TRIALS(NC_BINOMIAL, 1.5, 5, 1, NOT_A_NUMBER, INVALID_PARAMETER),
    TRIALS(NC_BINOMIAL_LOGIT, NOT_A_NUMBER, 5, 1, NOT_A_NUMBER, INVALID_PARAMETER),
    TRIALS(NC_BINOMIAL_LOGIT, 1000.0, 5, 5, 0.0, OK),
    TRIALS(NC_BINOMIAL_LOGIT, 1000.0, 5, 0, -5000.0, OK),
};

static const density_row priors[] = {
    REAL(NC_PRIOR_BETA, 1.0, 1.0, 0.0, 0.0, OK),
    REAL(NC_PRIOR_BETA, 1.0, 1.0, 1.0, 0.0, OK),
    REAL(NC_PRIOR_BETA, 2.0, 2.0, 0.0, -INFINITE, OK),
    REAL(NC_PRIOR_BETA, 0.5, 0.5, 0.0, INFINITE, OK),
    REAL(NC_PRIOR_BETA, 1.0, 3.0, 0.0, 0x1.193ea7aad030bp+0, OK),
    REAL(NC_PRIOR_BETA, 0.2, 2e-5, 1.0, INFINITE, OK),
    REAL(NC_PRIOR_BETA, 1.125, 1.125, -0.0, -INFINITE, OK),
    REAL(NC_PRIOR_BETA, 1.0, 1.0, -0x1p-126, -INFINITE, OFF_SUPPORT),
    REAL(NC_PRIOR_BETA, 1.0, 1.0, 1.5, -INFINITE, OFF_SUPPORT),
    REAL(NC_PRIOR_BETA, 1.0, 1.0, NOT_A_NUMBER, NOT_A_NUMBER, INVALID_VALUE),
    REAL(NC_PRIOR_BETA, 0.0, 1.0, 0.5, NOT_A_NUMBER, INVALID_PARAMETER),
    REAL(NC_PRIOR_GAMMA, 1.0, 3.0, 0.0, 0x1.193ea7aad030bp+0, OK),
    REAL(NC_PRIOR_GAMMA, 0.5, 3.0, 0.0, INFINITE, OK),
    REAL(NC_PRIOR_NORMAL, 0.0, 0.0, 0.0, NOT_A_NUMBER, INVALID_PARAMETER),
    REAL(NC_PRIOR_LOGNORMAL, 0.0, 1.0, 0.0, -INFINITE, OFF_SUPPORT),
    {NC_PRIOR_HALF_NORMAL, {1.0, 0.0, 0.0}, 1, -1.0, 0, 0, -INFINITE, NC_ELEMENT_OFF_SUPPORT},
    {NC_PRIOR_HALF_NORMAL, {1.0, 0.0, 0.0}, 1, 0.0, 0, 0, -0x1.ce6bb25aa1316p-3, NC_ELEMENT_OK}, // log(2/pi)/2
    {NC_PRIOR_HALF_NORMAL, {0.0, 0.0, 0.0}, 1, 1.0, 0, 0, NOT_A_NUMBER, NC_ELEMENT_INVALID_PARAMETER},
};

// What only float64 can say: float32 rounds -1e-300 to -0, which is on the support.
static const density_row priors_of_doubles[] = {
    REAL(NC_PRIOR_BETA, 1.1, 1.1, -0.0, -INFINITE, OK),
    REAL(NC_PRIOR_BETA, 1.0, 1.0, -1e-300, -INFINITE, OFF_SUPPORT),
};

static void expect_row(cupel_context *context, nc_dtype dtype, const density_row *row, bool is_prior)
{
    static const uint8_t nan_at = 1;
    const nc_array *parameters[NC_STATS_MAX_PARAMETERS] = {NULL};
    nc_array *status = cupel_output_vector(context, NC_I32, 1), *out = cupel_output_vector(context, dtype, 1);
    for (int k = 0; k < row->parameters; ++k) {
        parameters[k] = stats_scalar(context, dtype, row->p[k]);
    }
    bool is_count = !is_prior && row->code >= NC_POISSON;
    const nc_array *value = is_count ? stats_count(context, row->count) : stats_scalar(context, dtype, row->x);
    if (is_prior) {
        cupel_require_ok(context, nc_prior_log_density((nc_prior)row->code, value, parameters, status, out));
    } else {
        nc_observation observation;
        NC_STRUCT_INIT(&observation);
        observation.family = row->code;
        observation.value = value;
        observation.trials = row->code >= NC_BINOMIAL ? stats_count(context, row->trials) : NULL;
        for (int k = 0; k < NC_STATS_MAX_PARAMETERS; ++k) {
            observation.parameters[k] = parameters[k];
        }
        cupel_require_ok(context, nc_observation_log_density(&observation, status, out));
    }
    stats_expect_statuses(context, status, 1, row->status);
    const void *expected = cupel_reals(context, dtype, &row->expected, 1);
    if (isnan(row->expected)) {
        cupel_expect_bits_nan(context, out, expected, 1, &nan_at);
    } else if (isinf(row->expected) || row->expected == floor(row->expected)) {
        cupel_expect_bits(context, out, expected, 1);
    } else {
        cupel_expect_within_ulp(context, out, expected, 1, 1.5,
                                "half an ulp of the expected number's rounding and one of the sum of its two terms");
    }
}

static void borders_of_densities(cupel_context *context)
{
    for (size_t i = 0; i < sizeof observations / sizeof *observations; ++i) {
        expect_row(context, cupel_dtype(context), &observations[i], false);
    }
    for (size_t i = 0; i < sizeof priors / sizeof *priors; ++i) {
        expect_row(context, cupel_dtype(context), &priors[i], true);
    }
    for (size_t i = 0; cupel_dtype(context) == NC_F64 && i < sizeof priors_of_doubles / sizeof *priors_of_doubles; ++i) {
        expect_row(context, NC_F64, &priors_of_doubles[i], true);
    }
}

// Draws with batched parameters, some of which are no parameters: those elements say so, the others are what they are alone.
static void batched_draws(cupel_context *context)
{
    enum { ELEMENTS = 6 };
    static const double means[ELEMENTS] = {3.0, -1.0, 20.0, 0x1p53, NOT_A_NUMBER, 0.0};
    static const int32_t statuses[ELEMENTS] = {NC_ELEMENT_OK,          NC_ELEMENT_INVALID_PARAMETER, NC_ELEMENT_OK,
                                               NC_ELEMENT_UNSUPPORTED, NC_ELEMENT_INVALID_PARAMETER, NC_ELEMENT_OK};
    nc_dtype dtype = cupel_dtype(context);
    int64_t expected[ELEMENTS];
    nc_draws draws;
    NC_STRUCT_INIT(&draws);
    draws.family = NC_POISSON;
    draws.seed = STATS_SEED;
    for (size_t i = 0; i < ELEMENTS; ++i) {
        nc_array *alone = cupel_output_vector(context, NC_I64, 1), *status = cupel_output_vector(context, NC_I32, 1);
        draws.first = 100 + i;
        draws.parameters[0] = stats_scalar(context, dtype, means[i]);
        cupel_require_ok(context, nc_observation_sample(&draws, status, alone));
        stats_expect_statuses(context, status, 1, (nc_element_status)statuses[i]);
        expected[i] = (int64_t)stats_datum(NC_I64, cupel_download(context, alone), 0);
        cupel_expect_true(context, (expected[i] == -1) == (statuses[i] != NC_ELEMENT_OK));
    }
    cupel_expect_true(context, expected[5] == 0); // a mean of 0 has one outcome
    nc_array *out = cupel_output_vector(context, NC_I64, ELEMENTS), *status = cupel_output_vector(context, NC_I32, ELEMENTS);
    draws.first = 100;
    draws.parameters[0] = cupel_input_vector(context, dtype, ELEMENTS, cupel_reals(context, dtype, means, ELEMENTS));
    cupel_require_ok(context, nc_observation_sample(&draws, status, out));
    cupel_expect_bits(context, out, expected, ELEMENTS);
    cupel_expect_bits(context, status, statuses, ELEMENTS);
}

// Data in a reversed window of a wider matrix, one parameter a row, one parameter for all, results in another window: the bytes of
// the same call on contiguous arrays.
static void views_and_broadcasts(cupel_context *context)
{
    enum { ROWS = 3, COLUMNS = 5, ELEMENTS = ROWS * COLUMNS };
    static const int64_t shape[] = {ROWS, COLUMNS}, window[] = {-7, 1}, a_row[] = {1, 0}, everywhere[] = {0, 0}, wide[] = {1, 4};
    nc_dtype dtype = cupel_dtype(context);
    double y[ELEMENTS], mu[ELEMENTS], sigma[ELEMENTS];
    for (size_t i = 0; i < ELEMENTS; ++i) {
        y[i] = 0.375 * (double)i - 2.0;
        mu[i] = 0.5 * (double)(i / COLUMNS);
        sigma[i] = 1.25;
    }
    const void *values = cupel_reals(context, dtype, y, ELEMENTS), *means = cupel_reals(context, dtype, mu, ELEMENTS);
    const void *deviations = cupel_reals(context, dtype, sigma, ELEMENTS);
    nc_observation dense, views;
    NC_STRUCT_INIT(&dense);
    dense.family = NC_NORMAL;
    views = dense;
    dense.value = cupel_input(context, dtype, 2, shape, values);
    dense.parameters[0] = cupel_input(context, dtype, 2, shape, means);
    dense.parameters[1] = cupel_input(context, dtype, 2, shape, deviations);
    views.value = cupel_input_strided(context, dtype, 2, shape, window, values);
    views.parameters[0] = cupel_input_strided(context, dtype, 2, shape, a_row, means);
    views.parameters[1] = cupel_input_strided(context, dtype, 2, shape, everywhere, deviations);
    nc_array *status = cupel_output(context, NC_I32, 2, shape), *same = cupel_output_strided(context, NC_I32, 2, shape, wide);
    nc_array *contiguous[] = {cupel_output(context, dtype, 2, shape), cupel_output(context, dtype, 2, shape), NULL};
    nc_array *strided[] = {cupel_output_strided(context, dtype, 2, shape, wide),
                           cupel_output_strided(context, dtype, 2, shape, window), NULL};
    cupel_require_ok(context, nc_observation_gradient(&dense, status, contiguous));
    cupel_require_ok(context, nc_observation_gradient(&views, same, strided));
    stats_expect_statuses(context, status, ELEMENTS, NC_ELEMENT_OK);
    stats_expect_statuses(context, same, ELEMENTS, NC_ELEMENT_OK);
    for (size_t k = 0; k < 2; ++k) {
        cupel_expect_bits(context, strided[k], cupel_download(context, contiguous[k]), ELEMENTS);
    }
    views.parameters[1] = stats_scalar(context, dtype, 1.25); // one element stands for all
    nc_array *log_density = cupel_output(context, dtype, 2, shape), *again = cupel_output_strided(context, dtype, 2, shape, wide);
    cupel_require_ok(context, nc_observation_log_density(&dense, status, log_density));
    cupel_require_ok(context, nc_observation_log_density(&views, same, again));
    cupel_expect_bits(context, again, cupel_download(context, log_density), ELEMENTS);
}

static const cupel_case cases[] = {
    CUPEL_CASE_REALS("stats.limits.views-and-broadcasts", views_and_broadcasts),
    CUPEL_CASE_REALS("stats.limits.densities", borders_of_densities),
    CUPEL_CASE_REALS("stats.limits.batched-draws", batched_draws),
};
const cupel_table stats_limits_table = CUPEL_TABLE(cases);
