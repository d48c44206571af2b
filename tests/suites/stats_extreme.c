// SPDX-License-Identifier: Apache-2.0
// Valid parameters from the whole exponent range, largest, least normal and subnormal numbers among them, with data near and far,
// in every family, prior and kind of censoring. The status is the one right one: off the support is a term of probability 0, or
// one whose logarithm overflows (stats_extreme_rate.h), and is -inf with gradient 0; every other value is finite, and within a few
// logarithms of the rate, which are its leading digits where it is large. The digits of ordinary size are the golden rows'.
#include "stats_extreme_rate.h"
#include "values.h"

#include <float.h>
#include <math.h>

enum { ELEMENTS = 1024, KINDS = 4, REAL_PRIORS = 5, COUNTED = ELEMENTS * (8 + REAL_PRIORS) };
// At least so many values are known to their leading digits, and so many terms lie off the support.
enum { LEADING = 1000, OFF = 200 };

// A stream of numbers for one array.
typedef struct extreme_stream {
    nc_dtype dtype;
    uint64_t seed, next;
} extreme_stream;

static uint64_t stream_bits(extreme_stream *stream)
{
    return value_bits(stream->seed, stream->next++);
}

static double largest(nc_dtype dtype)
{
    return dtype == NC_F32 ? (double)FLT_MAX : DBL_MAX;
}
static double rounded(nc_dtype dtype, double x)
{
    double limit = largest(dtype), number = dtype == NC_F32 && fabs(x) <= limit ? (double)(float)x : x;
    return number > limit ? limit : number < -limit ? -limit : number;
}

// Positive: ordinary, anywhere in the exponent range, at its ends.
static double positive(extreme_stream *stream)
{
    bool single = stream->dtype == NC_F32;
    int least = single ? -149 : -1074, most = single ? 127 : 1023;
    double significand = 1.0 + ldexp((double)(stream_bits(stream) >> 12), -52);
    uint64_t draw = stream_bits(stream) % 8, size = stream_bits(stream);
    int exponent = draw < 3    ? (int)(size % 17) - 8
                   : draw == 3 ? least + (int)(size % 30)
                   : draw == 4 ? most - (int)(size % 4)
                               : least + (int)(size % (uint64_t)(most - least));
    double x = rounded(stream->dtype, ldexp(draw == 4 && size % 3 == 0 ? 2.0 : significand, exponent));
    return x > 0.0 ? x : ldexp(1.0, least);
}
static double either_sign(extreme_stream *stream)
{
    double x = positive(stream);
    uint64_t draw = stream_bits(stream) % 16;
    return draw == 0 ? 0.0 : draw % 2 == 0 ? x : -x;
}
static double probability(extreme_stream *stream)
{
    double x = positive(stream), p = rounded(stream->dtype, x > 1.0 ? 1.0 / x : x);
    return stream_bits(stream) % 2 == 0 ? p : rounded(stream->dtype, 1.0 - p);
}
static int64_t count_any(extreme_stream *stream)
{
    uint64_t bits = stream_bits(stream);
    return (int64_t)(bits >> (1 + stream_bits(stream) % 62));
}
// Near the mean, or anywhere.
static int64_t count_near(extreme_stream *stream, double mean, int64_t most)
{
    double x = mean * (1.0 + ldexp(1.0, -(int)(stream_bits(stream) % 40)));
    int64_t any = count_any(stream), near = x < 9e18 ? (int64_t)x : any;
    int64_t count = stream_bits(stream) % 2 == 0 ? any : near;
    return count <= most ? count : most;
}

typedef struct extreme_data {
    double y[ELEMENTS], upper[ELEMENTS], p[NC_STATS_MAX_PARAMETERS][ELEMENTS];
    int64_t count[ELEMENTS], upper_count[ELEMENTS], trials[ELEMENTS];
    uint8_t kind[ELEMENTS];
} extreme_data;

// Parameters whose sum overflows are invalid by definition.
static double within(nc_dtype dtype, double x)
{
    return x > 0.25 * largest(dtype) ? 0.25 * x : x;
}

static void draw_real(extreme_stream *s, extreme_data *d, size_t i, bool is_positive, int mu)
{
    double spread = mu >= 0 ? d->p[mu + 1][i] : d->p[0][i] / d->p[1][i];
    d->y[i] = is_positive ? positive(s) : either_sign(s);
    if (stream_bits(s) % 2 == 0) {
        double near = mu >= 0 && !is_positive ? d->p[mu][i] + spread * either_sign(s) : spread * positive(s);
        d->y[i] = near > 0.0 || !is_positive ? rounded(s->dtype, near) : d->y[i];
    }
    d->y[i] = isfinite(d->y[i]) ? d->y[i] : 1.0;
    double gap = stream_bits(s) % 3 == 0 ? fabs(d->y[i]) * ldexp(1.0, -(int)(stream_bits(s) % 60)) : positive(s);
    d->upper[i] = rounded(s->dtype, d->y[i] + gap);
    if (stream_bits(s) % 16 == 0) {
        d->upper[i] = (double)INFINITY;
    }
}

static void draw_observation(extreme_stream *s, nc_family family, extreme_data *d, size_t i)
{
    d->kind[i] = (uint8_t)(stream_bits(s) % KINDS);
    switch (family) {
    case NC_STUDENT_T:
        d->p[0][i] = positive(s);
        d->p[1][i] = either_sign(s);
        d->p[2][i] = positive(s);
        draw_real(s, d, i, false, 1);
        break;
    case NC_NORMAL:
    case NC_LOGNORMAL:
        d->p[0][i] = either_sign(s);
        d->p[1][i] = positive(s);
        draw_real(s, d, i, family == NC_LOGNORMAL, 0);
        break;
    case NC_GAMMA:
        d->p[0][i] = positive(s);
        d->p[1][i] = positive(s);
        draw_real(s, d, i, true, -1);
        break;
    case NC_POISSON:
    case NC_NEGATIVE_BINOMIAL:
        d->p[0][i] = within(s->dtype, positive(s));
        d->p[1][i] = within(s->dtype, positive(s));
        d->count[i] = count_near(s, d->p[0][i], INT64_MAX);
        break;
    default:
        d->trials[i] = count_any(s);
        d->p[0][i] = family == NC_BINOMIAL ? probability(s) : either_sign(s);
        double mean = (double)d->trials[i] * (family == NC_BINOMIAL ? d->p[0][i] : 1.0 / (1.0 + exp(-d->p[0][i])));
        d->count[i] = count_near(s, mean, d->trials[i]);
        break;
    }
    int64_t length = stream_bits(s) % 2 == 0 ? count_any(s) : (int64_t)(stream_bits(s) % 80);
    d->upper_count[i] = d->count[i] > INT64_MAX - length ? INT64_MAX : d->count[i] + length;
}

// ---- What is right
// ---------------------------------------------------------------------------------------------------------------------

typedef struct extreme_truth {
    bool is_off, either;   // `either`: so near to overflow that both are right
    bool is_leading;       // the value's leading digits are known
    double least, largest; // of the value
} extreme_truth;

typedef struct extreme_counts {
    size_t checked, gradients, leading, off;
} extreme_counts;

static const extreme_truth nothing = {true, false, false, -(double)INFINITY, -(double)INFINITY};
static const extreme_truth certain = {false, false, false, 0.0, 0.0};

// From the rate of a term; -inf where all of the middle belongs to it.
static extreme_truth truth_of(nc_dtype dtype, extreme_rate rate, bool is_probability)
{
    // The rate is within size (1 - doubt) and size (1 + doubt): a doubt of many times a small size does not make it overflow.
    double most = dtype == NC_F32 ? 128.0 : 1024.0, beyond = 0.01 + 2.0 * rate.doubt,
           short_of = 0.01 + 2.0 * log2(1.0 + rate.doubt), size = exp2(fmin(rate.log2_rate, 1023.9999));
    double slack = size * (0x1p-10 + rate.doubt) + extreme_logarithms(dtype);
    if (rate.log2_rate > most + beyond) { // a density that is 0 is a value
        extreme_truth truth = {is_probability, false, false, -(double)INFINITY, -(double)INFINITY};
        return truth;
    }
    extreme_truth truth = {false, rate.log2_rate > most - short_of, size > 0x1p20 && rate.doubt < 0.01, -size - slack,
                           slack - size};
    truth.least = truth.either ? -(double)INFINITY : truth.least;
    truth.largest = is_probability && truth.largest > 0.0 ? 0.0 : truth.largest;
    return truth;
}

// A term that is P(Y <= y), P(Y > y) or P(low < Y <= high) has the rate of its bound nearest to the middle.
static extreme_truth truth_censored(nc_dtype dtype, uint8_t kind, extreme_rate low, extreme_rate high)
{
    extreme_rate none = {-(double)INFINITY, 0.0, 0}, nearest = low;
    if (kind == NC_INTERVAL) {
        nearest = low.side < 0 && high.side > 0 ? none : low.side < 0 ? high : low;
    } else if ((kind == NC_LEFT) == (low.side > 0)) {
        nearest = none;
    }
    return truth_of(dtype, nearest, true);
}

// What the density of a gamma or a beta distribution tends to at the end that a shape belongs to.
static extreme_truth density_at_end(nc_dtype dtype, double shape)
{
    double infinite = (double)INFINITY, few = extreme_logarithms(dtype), value = shape < 1.0 ? infinite : -infinite;
    extreme_truth end = {false, false, false, value, value}, flat = {false, false, false, -few, few};
    return shape == 1.0 ? flat : end;
}

static extreme_truth truth_real(nc_dtype dtype, nc_family family, const extreme_data *d, size_t i)
{
    double p[] = {d->p[0][i], d->p[1][i], d->p[2][i]}, infinite = (double)INFINITY;
    bool at_end = d->y[i] == 0.0 && (family == NC_LOGNORMAL || family == NC_GAMMA);
    extreme_rate low = {infinite, 0.0, -1}, high = {infinite, 0.0, 1};
    if (at_end && d->kind[i] == NC_OBSERVED) {
        return family == NC_LOGNORMAL ? nothing : density_at_end(dtype, p[0]);
    }
    if (!at_end) {
        low = extreme_rate_real(family, p, d->y[i]);
    }
    if (d->kind[i] == NC_OBSERVED) {
        return truth_of(dtype, low, false);
    }
    if (d->kind[i] == NC_INTERVAL && !(d->upper[i] > d->y[i])) {
        return nothing;
    }
    if (d->kind[i] == NC_INTERVAL && isfinite(d->upper[i])) {
        high = extreme_rate_real(family, p, d->upper[i]);
    }
    return truth_censored(dtype, d->kind[i], low, high);
}

// All of the probability at `at`.
static extreme_truth truth_at_one(const extreme_data *d, size_t i, int64_t at)
{
    int64_t y = d->count[i];
    bool inside = d->kind[i] == NC_OBSERVED ? y == at
                  : d->kind[i] == NC_LEFT   ? at <= y
                  : d->kind[i] == NC_RIGHT  ? at > y
                                            : at > y && at <= d->upper_count[i];
    return inside ? certain : nothing;
}

static extreme_truth truth_count(nc_dtype dtype, nc_family family, const extreme_data *d, size_t i)
{
    double p[] = {d->p[0][i], d->p[1][i], 0.0};
    int64_t y = d->count[i], upper = d->upper_count[i], trials = d->trials[i];
    uint8_t kind = d->kind[i];
    bool is_binomial = family >= NC_BINOMIAL;
    extreme_rate high = {(double)INFINITY, 0.0, 1};
    if (is_binomial && (trials == 0 || (family == NC_BINOMIAL && (p[0] == 0.0 || p[0] == 1.0)))) {
        return truth_at_one(d, i, family == NC_BINOMIAL && p[0] == 0.0 ? 0 : trials);
    }
    if (kind == NC_INTERVAL && upper == y) {
        return nothing;
    }
    if (is_binomial && kind != NC_OBSERVED && y >= trials) {
        return kind == NC_LEFT ? certain : nothing;
    }
    if (kind == NC_INTERVAL && !(is_binomial && upper >= trials)) {
        high = extreme_rate_count(family, p, upper, trials);
    }
    int64_t first = (kind == NC_RIGHT || kind == NC_INTERVAL) && y < INT64_MAX ? y + 1 : y; // the first count of the term
    extreme_rate low = extreme_rate_count(family, p, first, trials);
    if (kind != NC_OBSERVED) {
        return truth_censored(dtype, kind, low, high);
    }
    extreme_truth truth = truth_of(dtype, low, false);
    truth.largest = truth.largest > 0.0 ? 0.0 : truth.largest;
    return truth;
}

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

// 0 off the support, where a parameter is at a border its one-sided limit; no NaN under OK.
static void check_gradient(cupel_context *context, int32_t status, double value, extreme_truth truth, bool at_border,
                           extreme_counts *counts)
{
    bool is_off = status == NC_ELEMENT_OFF_SUPPORT;
    cupel_expect_true(context, is_off || status == NC_ELEMENT_OK);
    cupel_expect_true(context, truth.either || is_off == truth.is_off);
    cupel_expect_true(context, !isnan(value) && (!is_off || at_border || value == 0.0));
    ++counts->gradients;
}

static bool has_no_closed_form(nc_family family, int parameter, uint8_t kind)
{
    return kind != NC_OBSERVED && ((family == NC_STUDENT_T && parameter == 0) || (family == NC_GAMMA && parameter == 0) ||
                                   (family == NC_NEGATIVE_BINOMIAL && parameter == 1));
}

static const int32_t *statuses_of(cupel_context *context, const nc_array *status)
{
    return (const int32_t *)cupel_download(context, status);
}

static void check_family(cupel_context *context, nc_family family, int parameters, extreme_counts *counts)
{
    nc_dtype dtype = cupel_dtype(context);
    extreme_data *d = cupel_alloc(context, sizeof *d);
    extreme_stream stream = {dtype, 0xe87u + (uint64_t)family, 0};
    bool is_count = family >= NC_POISSON;
    for (size_t i = 0; i < ELEMENTS; ++i) {
        draw_observation(&stream, family, d, i);
    }
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
        truths[i] = is_count ? truth_count(dtype, family, d, i) : truth_real(dtype, family, d, i);
        check_value(context, statuses[i], cupel_get_real(dtype, values, i), truths[i], counts);
    }
    for (int k = 0; k < parameters; ++k) { // one at a time, so that a parameter without closed form speaks for itself alone
        nc_array *one[NC_STATS_MAX_PARAMETERS] = {NULL};
        one[k] = cupel_output_vector(context, dtype, ELEMENTS);
        cupel_require_ok(context, nc_observation_gradient(&observation, status, one));
        statuses = statuses_of(context, status);
        values = cupel_download(context, one[k]);
        for (size_t i = 0; i < ELEMENTS; ++i) {
            double value = cupel_get_real(dtype, values, i);
            if (has_no_closed_form(family, k, d->kind[i]) && statuses[i] != NC_ELEMENT_OFF_SUPPORT) {
                cupel_expect_true(context, statuses[i] == NC_ELEMENT_UNSUPPORTED && isnan(value));
                cupel_expect_true(context, truths[i].either || !truths[i].is_off);
                ++counts->gradients;
            } else {
                check_gradient(context, statuses[i], value, truths[i], is_count && (d->p[0][i] == 0.0 || d->p[0][i] == 1.0),
                               counts);
            }
        }
    }
    cupel_expect_u64(context, counts->gradients - before, (uint64_t)parameters * ELEMENTS);
}

// Priors: all draws lie on the support.
static extreme_truth truth_prior(nc_dtype dtype, nc_prior prior, const extreme_data *d, size_t i)
{
    double p[] = {d->p[0][i], d->p[1][i], 0.0}, x = d->y[i];
    if (prior == NC_PRIOR_HALF_NORMAL) {
        double of_zero[] = {0.0, p[0], 0.0};
        return truth_of(dtype, extreme_rate_real(NC_NORMAL, of_zero, x), false);
    }
    if (prior == NC_PRIOR_BETA && (x == 0.0 || x == 1.0)) {
        return density_at_end(dtype, x == 0.0 ? p[0] : p[1]);
    }
    if (x == 0.0 && prior == NC_PRIOR_LOGNORMAL) {
        return nothing;
    }
    if (x == 0.0 && prior == NC_PRIOR_GAMMA) {
        return density_at_end(dtype, p[0]);
    }
    nc_family family = prior == NC_PRIOR_NORMAL ? NC_NORMAL : prior == NC_PRIOR_LOGNORMAL ? NC_LOGNORMAL : NC_GAMMA;
    return truth_of(dtype, prior == NC_PRIOR_BETA ? extreme_rate_beta(p[0], p[1], x) : extreme_rate_real(family, p, x), false);
}

static void check_prior(cupel_context *context, nc_prior prior, int parameters, extreme_counts *counts)
{
    nc_dtype dtype = cupel_dtype(context);
    extreme_data *d = cupel_alloc(context, sizeof *d);
    extreme_stream stream = {dtype, 0x9121u + (uint64_t)prior, 0};
    for (size_t i = 0; i < ELEMENTS; ++i) {
        bool on_the_line = prior == NC_PRIOR_NORMAL || prior == NC_PRIOR_LOGNORMAL;
        d->p[0][i] = on_the_line ? either_sign(&stream) : within(dtype, positive(&stream));
        d->p[1][i] = within(dtype, positive(&stream));
        draw_real(&stream, d, i, prior != NC_PRIOR_NORMAL, on_the_line ? 0 : -1);
        d->y[i] = prior == NC_PRIOR_BETA ? probability(&stream) : d->y[i];
    }
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
        for (size_t i = 0; i < ELEMENTS; ++i) {
            extreme_truth truth = truth_prior(dtype, prior, d, i);
            double value = cupel_get_real(dtype, values, i);
            if (k < 0) {
                check_value(context, statuses[i], value, truth, counts);
            } else {
                check_gradient(context, statuses[i], value, truth, false, counts);
            }
        }
        if (k < 0) {
            cupel_require_ok(context, nc_prior_gradient(prior, x, p, status, gradients));
        }
    }
    cupel_expect_u64(context, counts->gradients - before, ((uint64_t)parameters + 1) * ELEMENTS);
}

static void extreme_parameters(cupel_context *context)
{
    static const int of_family[] = {2, 2, 3, 2, 1, 2, 1, 1}, of_prior[REAL_PRIORS] = {2, 1, 2, 2, 2};
    extreme_counts counts = {0, 0, 0, 0};
    for (int family = NC_NORMAL; family <= NC_BINOMIAL_LOGIT; ++family) {
        check_family(context, (nc_family)family, of_family[family - NC_NORMAL], &counts);
    }
    for (int prior = NC_PRIOR_NORMAL; prior <= NC_PRIOR_BETA; ++prior) {
        check_prior(context, (nc_prior)prior, of_prior[prior - NC_PRIOR_NORMAL], &counts);
    }
    cupel_expect_u64(context, counts.checked, COUNTED);
    cupel_expect_true(context, counts.leading >= LEADING && counts.off >= OFF);
}

static const cupel_case cases[] = {
    CUPEL_CASE_REALS("stats.extreme.no-nan-under-ok", extreme_parameters),
};
const cupel_table stats_extreme_table = CUPEL_TABLE(cases);
