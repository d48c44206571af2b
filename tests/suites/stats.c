// SPDX-License-Identifier: Apache-2.0
// Densities, gradients and draws: seven observation families and five priors.
#include "stats.h"

#include <string.h>

const stats_distribution stats_distributions[STATS_FAMILIES] = {
    {NC_NORMAL, 2, {REFERENCE_NORMAL, {1.0, 2.0, 0.0}, 0.0}},
    {NC_LOGNORMAL, 2, {REFERENCE_LOGNORMAL, {0.25, 0.5, 0.0}, 0.0}},
    {NC_STUDENT_T, 3, {REFERENCE_STUDENT_T, {5.0, 1.0, 2.0}, 0.0}},
    {NC_GAMMA, 2, {REFERENCE_GAMMA, {2.5, 1.5, 0.0}, 0.0}},
    {NC_POISSON, 1, {REFERENCE_POISSON, {12.5, 0.0, 0.0}, 0.0}},
    {NC_NEGATIVE_BINOMIAL, 2, {REFERENCE_NEGATIVE_BINOMIAL, {8.0, 3.0, 0.0}, 0.0}},
    {NC_BINOMIAL, 1, {REFERENCE_BINOMIAL, {0.375, 0.0, 0.0}, 40.0}},
};

nc_array *stats_scalar(cupel_context *context, nc_dtype dtype, double value)
{
    return cupel_input_vector(context, dtype, 1, cupel_reals(context, dtype, &value, 1));
}

nc_array *stats_count(cupel_context *context, int64_t value)
{
    return cupel_input_vector(context, NC_I64, 1, &value);
}

nc_dtype stats_datum_dtype(const stats_distribution *distribution, nc_dtype dtype)
{
    return reference_is_count(&distribution->reference) ? NC_I64 : dtype;
}

nc_draws stats_draws_of(cupel_context *context, const stats_distribution *distribution, nc_dtype dtype, uint64_t first)
{
    nc_draws draws;
    NC_STRUCT_INIT(&draws);
    draws.family = (int32_t)distribution->family;
    draws.stream = STATS_STREAM;
    draws.seed = STATS_SEED;
    draws.first = first;
    for (int k = 0; k < distribution->parameters; ++k) {
        draws.parameters[k] = stats_scalar(context, dtype, distribution->reference.p[k]);
    }
    if (distribution->family == NC_BINOMIAL) {
        draws.trials = stats_count(context, (int64_t)distribution->reference.trials);
    }
    return draws;
}

nc_observation stats_observation_of(cupel_context *context, const stats_distribution *distribution, nc_dtype dtype,
                                    const nc_array *value)
{
    nc_draws draws = stats_draws_of(context, distribution, dtype, 0);
    nc_observation observation;
    NC_STRUCT_INIT(&observation);
    observation.family = draws.family;
    observation.value = value;
    observation.trials = draws.trials;
    for (int k = 0; k < NC_STATS_MAX_PARAMETERS; ++k) {
        observation.parameters[k] = draws.parameters[k];
    }
    return observation;
}

double stats_datum(nc_dtype datum_dtype, const void *data, size_t index)
{
    if (datum_dtype != NC_I64) {
        return cupel_get_real(datum_dtype, data, index);
    }
    int64_t count = 0;
    memcpy(&count, (const char *)data + index * sizeof count, sizeof count);
    return (double)count;
}

void stats_expect_statuses(cupel_context *context, const nc_array *status, size_t count, nc_element_status expected)
{
    int32_t *all = cupel_alloc(context, count * sizeof *all);
    for (size_t i = 0; i < count; ++i) {
        all[i] = (int32_t)expected;
    }
    cupel_expect_bits(context, status, all, count);
}

double stats_unit(nc_dtype dtype)
{
    return dtype == NC_F32 ? 0x1p-24 : 0x1p-53;
}

static const cupel_table *const tables[] = {&stats_extreme_table,   &stats_family_table, &stats_golden_table, &stats_gradient_table,
                                            &stats_isolation_table, &stats_limits_table, &stats_prior_table};

const cupel_suite cupel_this_suite = CUPEL_SUITE("stats", tables);
