// SPDX-License-Identifier: Apache-2.0
// One case for each prior and dtype: log density and gradient on a grid of values and parameters against the textbook formulas in
// long double on the host.
#include "stats.h"

#include <math.h>

enum { VALUES = 192, SETS = 4, POINTS = VALUES * SETS, OUTPUTS = 4 };

typedef struct prior_truth {
    long double output[OUTPUTS]; // log density, d x, d parameters
    double terms[OUTPUTS];       // sums of the magnitudes that the formulas add
} prior_truth;

typedef struct prior_case {
    nc_prior prior;
    int parameters;
    bool is_proportion; // x inside (0, 1)
    bool is_signed;
    double sets[SETS][2]; // float32 numbers
    prior_truth (*truth)(double x, const double p[2]);
} prior_case;

#define HALF_LOG_2PI 0.918938533204672741780329736405617640L

static prior_truth normal(double at, const double p[2])
{
    long double x = (long double)at, s = (long double)p[1], z = (x - (long double)p[0]) / s;
    double log_s = fabs(log(p[1])), size = (double)fabsl(z) / p[1], square = (double)(z * z);
    return (prior_truth){{-0.5L * z * z - logl(s) - HALF_LOG_2PI, -z / s, z / s, (z * z - 1.0L) / s},
                         {square + log_s + 1.0, size, size, (square + 1.0) / p[1]}};
}

static prior_truth half_normal(double at, const double p[2])
{
    long double s = (long double)p[0], z = (long double)at / s;
    double log_s = fabs(log(p[0])), square = (double)(z * z);
    return (prior_truth){{-0.5L * z * z - logl(s) - HALF_LOG_2PI + logl(2.0L), -z / s, (z * z - 1.0L) / s},
                         {square + log_s + 1.0, (double)z / p[0], (square + 1.0) / p[0]}};
}

static prior_truth lognormal(double at, const double p[2])
{
    long double x = (long double)at, s = (long double)p[1], log_x = logl(x), z = (log_x - (long double)p[0]) / s;
    double size = ((double)fabsl(log_x) + fabs(p[0])) / p[1], log_s = fabs(log(p[1]));
    return (prior_truth){{-0.5L * z * z - logl(s) - HALF_LOG_2PI - log_x, -(1.0L + z / s) / x, z / s, (z * z - 1.0L) / s},
                         {(double)fabsl(z) * size + log_s + 1.0 + (double)fabsl(log_x), (1.0 + size / p[1]) / at, size / p[1],
                          ((double)fabsl(z) * size + 1.0) / p[1]}};
}

static prior_truth gamma_(double at, const double p[2])
{
    long double x = (long double)at, a = (long double)p[0], b = (long double)p[1], log_bx = logl(b * x), psi = reference_digamma(a);
    long double value = a * logl(b) + (a - 1.0L) * logl(x) - b * x - lgammal(a);
    double stable = (double)(fabsl(value) + fabsl(a - b * x) + 2.0L * (fabsl(logl(b)) + logl(6.3L * (1.0L + a)))) +
                    (p[0] < 2.0 ? (double)fabsl((a - 1.0L) * log_bx) + at * p[1] : 0.0);
    return (prior_truth){{value, (a - 1.0L) / x - b, log_bx - psi, a / b - x},
                         {stable, fabs(p[0] - 1.0) / at + p[1], (double)(fabsl(log_bx) + fabsl(psi)), p[0] / p[1] + at}};
}

static prior_truth beta(double at, const double p[2])
{
    long double x = (long double)at, a = (long double)p[0], b = (long double)p[1], n = a + b;
    long double log_x = logl(x), log_y = log1pl(-x),
                value = lgammal(n) - lgammal(a) - lgammal(b) + (a - 1.0L) * log_x + (b - 1.0L) * log_y;
    long double sum = reference_digamma(n), psi_a = reference_digamma(a), psi_b = reference_digamma(b);
    double stable = (double)(fabsl(value) + 2.0L * logl(6.3L * (1.0L + n)) + fabsl(a - 1.0L - (n - 2.0L) * x)) +
                    (p[0] < 2.0 || p[1] < 2.0 ? (double)(fabsl((a - 1.0L) * log_x) + fabsl((b - 1.0L) * log_y)) : 0.0);
    return (prior_truth){{value, (a - 1.0L) / x - (b - 1.0L) / (1.0L - x), log_x - psi_a + sum, log_y - psi_b + sum},
                         {stable, fabs(p[0] - 1.0) / at + fabs(p[1] - 1.0) / (1.0 - at),
                          (double)(fabsl(log_x) + fabsl(psi_a) + fabsl(sum)), (double)(fabsl(log_y) + fabsl(psi_b) + fabsl(sum))}};
}

static const prior_case priors[] = {
    {NC_PRIOR_NORMAL, 2, false, true, {{0.0, 1.0}, {-3.5, 0.25}, {2.0, 8.0}, {0.125, 3.0}}, normal},
    {NC_PRIOR_HALF_NORMAL, 1, false, false, {{1.0}, {0.25}, {8.0}, {3.0}}, half_normal},
    {NC_PRIOR_LOGNORMAL, 2, false, false, {{0.0, 1.0}, {-1.5, 0.25}, {2.0, 4.0}, {0.125, 3.0}}, lognormal},
    {NC_PRIOR_GAMMA, 2, false, false, {{1.0, 1.0}, {0.25, 2.0}, {2.5, 0.5}, {12.0, 3.0}}, gamma_},
    {NC_PRIOR_BETA, 2, true, false, {{1.0, 1.0}, {0.5, 0.5}, {2.5, 4.0}, {20.0, 3.0}}, beta},
};

// Every value under every set of parameters: what the calls read, and what they should give.
typedef struct prior_grid {
    double x[POINTS], p[2][POINTS], expected[OUTPUTS][POINTS], bounds[OUTPUTS][POINTS];
} prior_grid;

static prior_grid *grid_of(cupel_context *context, const prior_case *prior, nc_dtype dtype)
{
    prior_grid *grid = cupel_alloc(context, sizeof *grid);
    for (size_t i = 0; i < POINTS; ++i) {
        const double *p = prior->sets[i % SETS];
        double step = (double)(i / SETS) + 1.0;
        grid->x[i] = prior->is_proportion ? step / 256.0 : prior->is_signed ? (step - 96.5) / 8.0 : step / 8.0;
        prior_truth truth = prior->truth(grid->x[i], p);
        for (int k = 0; k < prior->parameters; ++k) {
            grid->p[k][i] = p[k];
        }
        for (int k = 0; k < OUTPUTS; ++k) {
            grid->expected[k][i] = (double)truth.output[k];
            grid->bounds[k][i] = stats_unit(dtype) * REFERENCE_ROUNDINGS * truth.terms[k];
        }
    }
    return grid;
}

static void density_and_gradient(cupel_context *context)
{
    static const char derivation[] =
        "16 u sum |t|: 3.2 u of an elementary function and 8 roundings for each term, the rest for sums";
    const prior_case *prior = cupel_data(context);
    nc_dtype dtype = cupel_dtype(context);
    prior_grid *grid = grid_of(context, prior, dtype);
    const nc_array *x = cupel_input_vector(context, dtype, POINTS, cupel_reals(context, dtype, grid->x, POINTS));
    const nc_array *parameters[NC_STATS_MAX_PARAMETERS] = {NULL};
    nc_array *gradients[NC_STATS_MAX_PARAMETERS] = {NULL};
    nc_array *status = cupel_output_vector(context, NC_I32, POINTS), *again = cupel_output_vector(context, NC_I32, POINTS);
    nc_array *log_density = cupel_output_vector(context, dtype, POINTS);
    for (int k = 0; k < prior->parameters; ++k) {
        parameters[k] = cupel_input_vector(context, dtype, POINTS, cupel_reals(context, dtype, grid->p[k], POINTS));
    }
    for (int k = 0; k <= prior->parameters; ++k) {
        gradients[k] = cupel_output_vector(context, dtype, POINTS);
    }
    cupel_require_ok(context, nc_prior_log_density(prior->prior, x, parameters, status, log_density));
    cupel_require_ok(context, nc_prior_gradient(prior->prior, x, parameters, again, gradients));
    stats_expect_statuses(context, status, POINTS, NC_ELEMENT_OK);
    stats_expect_statuses(context, again, POINTS, NC_ELEMENT_OK);
    cupel_expect_within_bound(context, log_density, grid->expected[0], grid->bounds[0], POINTS, derivation);
    cupel_claim(context, "density", "passed");
    for (int k = 0; k <= prior->parameters; ++k) {
        cupel_expect_within_bound(context, gradients[k], grid->expected[k + 1], grid->bounds[k + 1], POINTS, derivation);
    }
    cupel_claim(context, "gradient", "passed");
}

static const cupel_case cases[] = {
    CUPEL_CASE_REALS_DATA("stats.prior.normal", density_and_gradient, &priors[0]),
    CUPEL_CASE_REALS_DATA("stats.prior.half-normal", density_and_gradient, &priors[1]),
    CUPEL_CASE_REALS_DATA("stats.prior.lognormal", density_and_gradient, &priors[2]),
    CUPEL_CASE_REALS_DATA("stats.prior.gamma", density_and_gradient, &priors[3]),
    CUPEL_CASE_REALS_DATA("stats.prior.beta", density_and_gradient, &priors[4]),
};
const cupel_table stats_prior_table = CUPEL_TABLE(cases);
