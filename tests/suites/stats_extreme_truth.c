// SPDX-License-Identifier: Apache-2.0
#include "stats_extreme_truth.h"
#include "stats_extreme_rate.h"

#include <math.h>

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

extreme_truth extreme_truth_observation(nc_dtype dtype, nc_family family, const extreme_data *d, size_t i)
{
    return family >= NC_POISSON ? truth_count(dtype, family, d, i) : truth_real(dtype, family, d, i);
}

extreme_truth extreme_truth_prior(nc_dtype dtype, nc_prior prior, const extreme_data *d, size_t i)
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
