// SPDX-License-Identifier: Apache-2.0
// Valid parameters from the whole exponent range, largest, least normal and subnormal numbers among them, with data near and far,
// in every family, prior and kind of censoring. The status is the one right one: off the support is a term of probability 0, or
// one whose logarithm overflows (stats_extreme_rate.h), and is -inf with gradient 0; every other value is finite, and within a few
// logarithms of the rate, which are its leading digits where it is large. Gradients that are elementary (stats_extreme_score.h)
// have the leading digits of theirs. The digits of ordinary size are the golden rows'.
#include "stats_extreme_score.h"
#include "stats_extreme_truth.h"

#include <math.h>

enum { ELEMENTS = EXTREME_ELEMENTS, REAL_PRIORS = 5, COUNTED = ELEMENTS * (8 + REAL_PRIORS) };
// At least so many values are known to their leading digits, and so many terms lie off the support.
enum { LEADING = 1000, OFF = 200 };
// At least so many elementary gradients of each parameter are compared: half of a family's terms that are observed, which a quarter
// are, and half of a prior's.
enum { COMPARED_OBSERVATIONS = ELEMENTS / 8, COMPARED_PRIORS = ELEMENTS / 2 };
// And of counts, so many that are P(Y <= 0) or P(Y > 0).
enum { COMPARED_ONE_SIDED = 16 };

typedef struct extreme_counts {
    size_t checked, gradients, leading, off;
    size_t compared, cancelled, unknown, off_gradients; // what became of the gradients
} extreme_counts;

static void check_value(cupel_context *context, int32_t status, double value, extreme_truth truth, extreme_counts *counts)
{
    bool is_off = status == NC_ELEMENT_OFF_SUPPORT;
    cupel_expect_true(context, is_off || status == NC_ELEMENT_OK);
    cupel_expect_true(context, truth.either || is_off == truth.is_off);
    cupel_expect_true(context, is_off ? value == -(double)INFINITY : value >= truth.least && value <= truth.largest);
    counts->leading += truth.is_leading && !is_off;
    counts->off += is_off;
    ++counts->checked;
}

// 0 off the support, where a parameter is at a border its one-sided limit; elsewhere the score, which is no NaN.
static void check_gradient(cupel_context *context, int32_t status, double value, extreme_truth truth, bool at_border,
                           extreme_score score, extreme_counts *counts)
{
    bool is_off = status == NC_ELEMENT_OFF_SUPPORT;
    cupel_expect_true(context, is_off || status == NC_ELEMENT_OK);
    cupel_expect_true(context, truth.either || is_off == truth.is_off);
    cupel_expect_true(context, !isnan(value) && (!is_off || at_border || value == 0.0));
    ++counts->gradients;
    if (is_off || !score.is_known) {
        counts->off_gradients += is_off;
        counts->unknown += !is_off;
        return;
    }
    extreme_agreement agreement = extreme_score_compare(cupel_dtype(context), score, value);
    cupel_expect_true(context, agreement != EXTREME_DIFFERS);
    counts->cancelled += agreement == EXTREME_CANCELS;
    counts->compared += agreement != EXTREME_CANCELS;
}

// The score is a digamma function, and that of a censored term has no closed form.
static bool is_a_shape(nc_family family, int parameter)
{
    return (family == NC_STUDENT_T && parameter == 0) || (family == NC_GAMMA && parameter == 0) ||
           (family == NC_NEGATIVE_BINOMIAL && parameter == 1);
}

static const int32_t *statuses_of(cupel_context *context, const nc_array *status)
{
    return (const int32_t *)cupel_download(context, status);
}

// One parameter at a time, so that one without closed form speaks for itself alone.
static void check_parameter(cupel_context *context, const nc_observation *observation, int k, const extreme_data *d,
                            const extreme_truth *truths, extreme_counts *counts)
{
    nc_dtype dtype = cupel_dtype(context);
    nc_family family = (nc_family)observation->family;
    bool is_count = family >= NC_POISSON, is_shape = is_a_shape(family, k);
    nc_array *one[NC_STATS_MAX_PARAMETERS] = {NULL}, *status = cupel_output_vector(context, NC_I32, ELEMENTS);
    one[k] = cupel_output_vector(context, dtype, ELEMENTS);
    cupel_require_ok(context, nc_observation_gradient(observation, status, one));
    const int32_t *statuses = statuses_of(context, status);
    const void *values = cupel_download(context, one[k]);
    size_t before = counts->compared, observed = 0;
    for (size_t i = 0; i < ELEMENTS; ++i) {
        double value = cupel_get_real(dtype, values, i);
        size_t compared = counts->compared;
        if (is_shape && d->kind[i] != NC_OBSERVED && statuses[i] != NC_ELEMENT_OFF_SUPPORT) { // no closed form
            cupel_expect_true(context, statuses[i] == NC_ELEMENT_UNSUPPORTED && isnan(value));
            cupel_expect_true(context, truths[i].either || !truths[i].is_off);
            ++counts->gradients;
            ++counts->unknown;
        } else {
            check_gradient(context, statuses[i], value, truths[i], is_count && (d->p[0][i] == 0.0 || d->p[0][i] == 1.0),
                           extreme_score_observation(family, d, i, k), counts);
        }
        observed += d->kind[i] == NC_OBSERVED ? counts->compared - compared : 0;
    }
    size_t one_sided = counts->compared - before - observed;
    cupel_expect_true(context, is_shape ? observed == 0 : observed >= COMPARED_OBSERVATIONS);
    cupel_expect_true(context, is_count && !is_shape ? one_sided >= COMPARED_ONE_SIDED : one_sided == 0);
}

static void check_family(cupel_context *context, nc_family family, int parameters, extreme_counts *counts)
{
    nc_dtype dtype = cupel_dtype(context);
    extreme_data *d = cupel_alloc(context, sizeof *d);
    bool is_count = family >= NC_POISSON;
    extreme_draw_observations(dtype, family, d);
    nc_observation observation;
    NC_STRUCT_INIT(&observation);
    observation.family = (int32_t)family;
    observation.value = is_count ? cupel_input_vector(context, NC_I64, ELEMENTS, d->count)
                                 : cupel_input_vector(context, dtype, ELEMENTS, cupel_reals(context, dtype, d->y, ELEMENTS));
    observation.upper = is_count ? cupel_input_vector(context, NC_I64, ELEMENTS, d->upper_count)
                                 : cupel_input_vector(context, dtype, ELEMENTS, cupel_reals(context, dtype, d->upper, ELEMENTS));
    observation.trials = family >= NC_BINOMIAL ? cupel_input_vector(context, NC_I64, ELEMENTS, d->trials) : NULL;
    observation.censoring = cupel_input_vector(context, NC_U8, ELEMENTS, d->kind);
    for (int k = 0; k < parameters; ++k) {
        observation.parameters[k] = cupel_input_vector(context, dtype, ELEMENTS, cupel_reals(context, dtype, d->p[k], ELEMENTS));
    }
    nc_array *status = cupel_output_vector(context, NC_I32, ELEMENTS), *out = cupel_output_vector(context, dtype, ELEMENTS);
    cupel_require_ok(context, nc_observation_log_density(&observation, status, out));
    const int32_t *statuses = statuses_of(context, status);
    const void *values = cupel_download(context, out);
    size_t before = counts->gradients;
    extreme_truth *truths = cupel_alloc(context, ELEMENTS * sizeof *truths);
    for (size_t i = 0; i < ELEMENTS; ++i) {
        truths[i] = extreme_truth_observation(dtype, family, d, i);
        check_value(context, statuses[i], cupel_get_real(dtype, values, i), truths[i], counts);
    }
    for (int k = 0; k < parameters; ++k) {
        check_parameter(context, &observation, k, d, truths, counts);
    }
    cupel_expect_u64(context, counts->gradients - before, (uint64_t)parameters * ELEMENTS);
}

static void check_prior(cupel_context *context, nc_prior prior, int parameters, extreme_counts *counts)
{
    nc_dtype dtype = cupel_dtype(context);
    extreme_data *d = cupel_alloc(context, sizeof *d);
    extreme_draw_priors(dtype, prior, d);
    const nc_array *p[NC_STATS_MAX_PARAMETERS] = {NULL};
    for (int k = 0; k < parameters; ++k) {
        p[k] = cupel_input_vector(context, dtype, ELEMENTS, cupel_reals(context, dtype, d->p[k], ELEMENTS));
    }
    const nc_array *x = cupel_input_vector(context, dtype, ELEMENTS, cupel_reals(context, dtype, d->y, ELEMENTS));
    nc_array *status = cupel_output_vector(context, NC_I32, ELEMENTS), *out = cupel_output_vector(context, dtype, ELEMENTS);
    nc_array *gradients[NC_STATS_MAX_PARAMETERS] = {NULL};
    for (int k = 0; k <= parameters; ++k) {
        gradients[k] = cupel_output_vector(context, dtype, ELEMENTS);
    }
    cupel_require_ok(context, nc_prior_log_density(prior, x, p, status, out));
    size_t before = counts->gradients;
    for (int k = -1; k <= parameters; ++k) {
        const void *values = cupel_download(context, k < 0 ? out : gradients[k]);
        const int32_t *statuses = statuses_of(context, status);
        size_t compared = counts->compared;
        for (size_t i = 0; i < ELEMENTS; ++i) {
            extreme_truth truth = extreme_truth_prior(dtype, prior, d, i);
            double value = cupel_get_real(dtype, values, i);
            if (k < 0) {
                check_value(context, statuses[i], value, truth, counts);
            } else {
                check_gradient(context, statuses[i], value, truth, false, extreme_score_prior(prior, d, i, k), counts);
            }
        }
        bool is_shape = k > 0 && (prior == NC_PRIOR_BETA || (prior == NC_PRIOR_GAMMA && k == 1));
        cupel_expect_true(context,
                          k < 0 || is_shape ? counts->compared == compared : counts->compared - compared >= COMPARED_PRIORS);
        if (k < 0) {
            cupel_require_ok(context, nc_prior_gradient(prior, x, p, status, gradients));
        }
    }
    cupel_expect_u64(context, counts->gradients - before, ((uint64_t)parameters + 1) * ELEMENTS);
}

static void extreme_parameters(cupel_context *context)
{
    static const int of_family[] = {2, 2, 3, 2, 1, 2, 1, 1}, of_prior[REAL_PRIORS] = {2, 1, 2, 2, 2};
    extreme_counts counts = {0, 0, 0, 0, 0, 0, 0, 0};
    for (int family = NC_NORMAL; family <= NC_BINOMIAL_LOGIT; ++family) {
        check_family(context, (nc_family)family, of_family[family - NC_NORMAL], &counts);
    }
    for (int prior = NC_PRIOR_NORMAL; prior <= NC_PRIOR_BETA; ++prior) {
        check_prior(context, (nc_prior)prior, of_prior[prior - NC_PRIOR_NORMAL], &counts);
    }
    cupel_expect_u64(context, counts.checked, COUNTED);
    cupel_expect_u64(context, counts.compared + counts.cancelled + counts.unknown + counts.off_gradients, counts.gradients);
    cupel_expect_true(context, counts.leading >= LEADING && counts.off >= OFF);
}

static const cupel_case cases[] = {
    CUPEL_CASE_REALS("stats.extreme.no-nan-under-ok", extreme_parameters),
};
const cupel_table stats_extreme_table = CUPEL_TABLE(cases);
