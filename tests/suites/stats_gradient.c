// SPDX-License-Identifier: Apache-2.0
// Masked and censored terms of every family with their gradients: what is masked is exactly 0 whatever lies there, what is censored
// follows the distribution function, and a gradient without closed form says so.
#include "reference_score.h"
#include "stats.h"

#include <math.h>
#include <string.h>

enum { KINDS = 4, POINTS = 24 };

typedef struct censored_family {
    stats_distribution distribution;
    double values[4], width; // data, and upper - value of intervals
} censored_family;

static const censored_family families[] = {
    {{NC_NORMAL, 2, {REFERENCE_NORMAL, {1.0, 2.0, 0.0}, 0.0}}, {-1.0, 0.5, 2.0, 4.0}, 1.5},
    {{NC_LOGNORMAL, 2, {REFERENCE_LOGNORMAL, {0.25, 0.5, 0.0}, 0.0}}, {0.625, 1.125, 1.5, 2.5}, 0.5},
    {{NC_STUDENT_T, 3, {REFERENCE_STUDENT_T, {5.0, 1.0, 2.0}, 0.0}}, {-2.0, 0.5, 2.0, 5.0}, 1.5},
    {{NC_GAMMA, 2, {REFERENCE_GAMMA, {2.5, 1.5, 0.0}, 0.0}}, {0.5, 1.25, 2.0, 3.5}, 0.75},
    {{NC_POISSON, 1, {REFERENCE_POISSON, {12.5, 0.0, 0.0}, 0.0}}, {7.0, 11.0, 13.0, 18.0}, 4.0},
    {{NC_NEGATIVE_BINOMIAL, 2, {REFERENCE_NEGATIVE_BINOMIAL, {8.0, 3.0, 0.0}, 0.0}}, {2.0, 6.0, 9.0, 15.0}, 4.0},
    {{NC_BINOMIAL, 1, {REFERENCE_BINOMIAL, {0.375, 0.0, 0.0}, 40.0}}, {9.0, 13.0, 16.0, 20.0}, 3.0},
};

static double value_at(const censored_family *family, size_t i)
{
    return family->values[i / KINDS % 4];
}

static bool is_masked(size_t i)
{
    return i % 3 == 1;
}

// log F(value), log S(value), log(F(upper) - F(value)), and derivatives; the size is what the bounds are relative to.
typedef struct term_truth {
    double value, gradient[NC_STATS_MAX_PARAMETERS], size[NC_STATS_MAX_PARAMETERS];
    bool has_gradient[NC_STATS_MAX_PARAMETERS];
} term_truth;

static term_truth truth_of(const censored_family *family, size_t i)
{
    const reference_distribution *d = &family->distribution.reference;
    size_t kind = i % KINDS;
    double low = value_at(family, i), high = low + family->width;
    long double at_low = reference_cdf(d, low), at_high = reference_cdf(d, high);
    long double probability = kind == NC_LEFT ? at_low : kind == NC_RIGHT ? 1.0L - at_low : at_high - at_low;
    term_truth truth = {.value = (double)(kind == NC_OBSERVED ? reference_log_density(d, low) : logl(probability))};
    for (int k = 0; k < family->distribution.parameters; ++k) {
        long double low_slope = 0.0L, high_slope = 0.0L;
        if (kind == NC_OBSERVED) {
            truth.gradient[k] = (double)reference_score(d, low, k);
            truth.size[k] = 1.0 + fabs(truth.gradient[k]);
            truth.has_gradient[k] = true;
            continue;
        }
        truth.has_gradient[k] = reference_cdf_slope(d, low, k, &low_slope) && reference_cdf_slope(d, high, k, &high_slope);
        high_slope = kind == NC_INTERVAL ? high_slope : 0.0L;
        truth.gradient[k] = (double)((kind == NC_LEFT ? low_slope : high_slope - low_slope) / probability);
        truth.size[k] = (double)((fabsl(low_slope) + fabsl(high_slope)) / probability);
    }
    return truth;
}

typedef struct term_call {
    nc_array *log_density, *status, *gradient_status, *gradients[NC_STATS_MAX_PARAMETERS];
} term_call;

static const nc_array *data_array(cupel_context *context, const censored_family *family, nc_dtype dtype, double shift, bool spoiled)
{
    nc_dtype datum = stats_datum_dtype(&family->distribution, dtype);
    double reals[POINTS];
    int64_t counts[POINTS];
    for (size_t i = 0; i < POINTS; ++i) {
        double value = value_at(family, i) + shift;
        reals[i] = spoiled && is_masked(i) ? (double)NAN : value;
        counts[i] = spoiled && is_masked(i) ? INT64_MIN : (int64_t)value;
    }
    const void *values = datum == NC_I64 ? (const void *)counts : cupel_reals(context, datum, reals, POINTS);
    return cupel_input_vector(context, datum, POINTS, values);
}

// All kinds of terms; `spoiled`: with a mask, and NaN, the least count or an unknown censoring wherever it masks.
static term_call evaluate(cupel_context *context, const censored_family *family, nc_dtype dtype, bool spoiled)
{
    uint8_t mask[POINTS], censoring[POINTS];
    double parameter[POINTS];
    nc_observation observation = stats_observation_of(context, &family->distribution, dtype, NULL);
    observation.value = data_array(context, family, dtype, 0.0, spoiled);
    observation.upper = data_array(context, family, dtype, family->width, spoiled);
    for (size_t i = 0; i < POINTS; ++i) {
        mask[i] = is_masked(i) ? 1 : 0;
        censoring[i] = (uint8_t)(spoiled && is_masked(i) ? 250 : i % KINDS);
    }
    observation.mask = spoiled ? cupel_input_vector(context, NC_U8, POINTS, mask) : NULL;
    observation.censoring = cupel_input_vector(context, NC_U8, POINTS, censoring);
    term_call call = {.log_density = cupel_output_vector(context, dtype, POINTS),
                      .status = cupel_output_vector(context, NC_I32, POINTS),
                      .gradient_status = cupel_output_vector(context, NC_I32, POINTS)};
    for (int k = 0; k < family->distribution.parameters; ++k) {
        for (size_t i = 0; i < POINTS; ++i) {
            parameter[i] = spoiled && is_masked(i) ? (double)NAN : family->distribution.reference.p[k];
        }
        observation.parameters[k] = cupel_input_vector(context, dtype, POINTS, cupel_reals(context, dtype, parameter, POINTS));
        call.gradients[k] = cupel_output_vector(context, dtype, POINTS);
    }
    cupel_require_ok(context, nc_observation_log_density(&observation, call.status, call.log_density));
    cupel_require_ok(context, nc_observation_gradient(&observation, call.gradient_status, call.gradients));
    return call;
}

// The masked call has the plain one's bits, and +0 where the mask is.
static void expect_masked(cupel_context *context, nc_dtype dtype, const nc_array *plain, const nc_array *masked)
{
    size_t size = nc_dtype_size(dtype);
    unsigned char *expected = cupel_alloc(context, POINTS * size);
    uint8_t nan_at[POINTS] = {0};
    memcpy(expected, cupel_download(context, plain), POINTS * size);
    for (size_t i = 0; i < POINTS; ++i) {
        if (is_masked(i)) {
            memset(expected + i * size, 0, size);
        } else if (dtype != NC_I32 && isnan(cupel_get_real(dtype, expected, i))) {
            nan_at[i] = 1;
        }
    }
    cupel_expect_bits_nan(context, masked, expected, POINTS, nan_at);
}

static void expect_near(cupel_context *context, double got, double expected, double bound, size_t i, const char *what)
{
    bool near = fabs(got - expected) <= bound;
    if (!near) {
        cupel_fail(context, "element %zu: %s is %a, expected %a within %a", i, what, got, expected, bound);
    }
    cupel_expect_true(context, near);
}

// Bounds: a probability is e^(log prefix) times an integral of order 1. The prefix sums terms below 12 in all at 16 roundings each,
// the integral adds at most 64 more, so 256 u of the whole; a gradient is a quotient of these.
static void expect_truth(cupel_context *context, const censored_family *family, nc_dtype dtype, const term_call *call)
{
    const void *values = cupel_download(context, call->log_density), *gradients[NC_STATS_MAX_PARAMETERS] = {NULL};
    double u = 256.0 * stats_unit(dtype);
    int32_t statuses[POINTS];
    for (int k = 0; k < family->distribution.parameters; ++k) {
        gradients[k] = cupel_download(context, call->gradients[k]);
    }
    for (size_t i = 0; i < POINTS; ++i) {
        term_truth truth = truth_of(family, i);
        statuses[i] = NC_ELEMENT_OK;
        expect_near(context, cupel_get_real(dtype, values, i), truth.value, u * (1.0 + fabs(truth.value)), i, "the log density");
        for (int k = 0; k < family->distribution.parameters; ++k) {
            double got = cupel_get_real(dtype, gradients[k], i);
            if (truth.has_gradient[k]) {
                expect_near(context, got, truth.gradient[k], u * truth.size[k], i, "the gradient");
            } else {
                cupel_expect_true(context, isnan(got));
                statuses[i] = NC_ELEMENT_UNSUPPORTED;
            }
        }
    }
    stats_expect_statuses(context, call->status, POINTS, NC_ELEMENT_OK);
    cupel_expect_bits(context, call->gradient_status, statuses, POINTS);
}

static void masked_and_censored(cupel_context *context)
{
    nc_dtype dtype = cupel_dtype(context);
    for (size_t f = 0; f < sizeof families / sizeof *families; ++f) {
        term_call plain = evaluate(context, &families[f], dtype, false), masked = evaluate(context, &families[f], dtype, true);
        expect_truth(context, &families[f], dtype, &plain);
        expect_masked(context, dtype, plain.log_density, masked.log_density);
        expect_masked(context, NC_I32, plain.status, masked.status);
        expect_masked(context, NC_I32, plain.gradient_status, masked.gradient_status);
        for (int k = 0; k < families[f].distribution.parameters; ++k) {
            expect_masked(context, dtype, plain.gradients[k], masked.gradients[k]);
        }
    }
    cupel_claim(context, "gradient", "passed");
}

// The hazard of the normal distribution at 40 standard deviations, where density and survival both underflow, and its log survival
// (values from MPFR), where log(1 - F) would be -inf.
static void far_tail(cupel_context *context)
{
    static const double hazard = 40.024968847207263723, log_survival = -804.6084420137538;
    static const uint8_t right = NC_RIGHT, left = NC_LEFT;
    nc_dtype dtype = cupel_dtype(context);
    double u = stats_unit(dtype);
    for (int side = 0; side < 2; ++side) {
        nc_observation observation;
        double sign = side == 0 ? 1.0 : -1.0, expected[3] = {log_survival, sign * hazard, 40.0 * hazard};
        nc_array *status = cupel_output_vector(context, NC_I32, 1), *value = cupel_output_vector(context, dtype, 1);
        nc_array *gradients[NC_STATS_MAX_PARAMETERS] = {cupel_output_vector(context, dtype, 1),
                                                        cupel_output_vector(context, dtype, 1), NULL};
        NC_STRUCT_INIT(&observation);
        observation.family = NC_NORMAL;
        observation.value = stats_scalar(context, dtype, sign * 40.0);
        observation.parameters[0] = stats_scalar(context, dtype, 0.0);
        observation.parameters[1] = stats_scalar(context, dtype, 1.0);
        observation.censoring = cupel_input_vector(context, NC_U8, 1, side == 0 ? &right : &left);
        cupel_require_ok(context, nc_observation_log_density(&observation, status, value));
        cupel_require_ok(context, nc_observation_gradient(&observation, status, gradients));
        const nc_array *results[3] = {value, gradients[0], gradients[1]};
        for (int k = 0; k < 3; ++k) {
            double bound = 8.0 * u * fabs(expected[k]);
            cupel_expect_within_bound(context, results[k], &expected[k], &bound, 1,
                                      "8 u: z, its square, erfcx (2.6 u), a logarithm (1.1 u) and the last sum");
        }
        stats_expect_statuses(context, status, 1, NC_ELEMENT_OK);
    }
}

static const cupel_case cases[] = {
    CUPEL_CASE_REALS("stats.gradient.masked-censored", masked_and_censored),
    CUPEL_CASE_REALS("stats.gradient.far-tail", far_tail),
};
const cupel_table stats_gradient_table = CUPEL_TABLE(cases);
