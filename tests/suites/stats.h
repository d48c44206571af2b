// SPDX-License-Identifier: Apache-2.0
// The parts of the suite stats, and the distributions that its cases share.
#ifndef SUITE_STATS_H
#define SUITE_STATS_H

#include "cupel.h"

#include "reference_distribution.h"

enum { STATS_DRAWS = 8192 };
#define STATS_SEED 0x9b1f3a6c25d84e07u
#define STATS_STREAM 21u

// One observation family with the parameters that its cases use. Each parameter is a float32 number, so that both dtypes are asked
// for the same distribution.
typedef struct stats_distribution {
    nc_family family;
    int parameters;
    reference_distribution reference;
} stats_distribution;

enum { STATS_FAMILIES = 7 };
extern const stats_distribution stats_distributions[STATS_FAMILIES];

// An input of one element, which a call broadcasts.
nc_array *stats_scalar(cupel_context *context, nc_dtype dtype, double value);
nc_array *stats_count(cupel_context *context, int64_t value);
// The dtype of a datum or draw of the family: i64 for counts.
nc_dtype stats_datum_dtype(const stats_distribution *distribution, nc_dtype dtype);
// Structs for calls with the distribution's parameters.
nc_draws stats_draws_of(cupel_context *context, const stats_distribution *distribution, nc_dtype dtype, uint64_t first);
nc_observation stats_observation_of(cupel_context *context, const stats_distribution *distribution, nc_dtype dtype,
                                    const nc_array *value);
// Element `index` of downloaded data as a real.
double stats_datum(nc_dtype datum_dtype, const void *data, size_t index);
// The statuses are all `expected`.
void stats_expect_statuses(cupel_context *context, const nc_array *status, size_t count, nc_element_status expected);
// 2^-24 or 2^-53.
double stats_unit(nc_dtype dtype);

extern const cupel_table stats_extreme_table;
extern const cupel_table stats_family_table;
extern const cupel_table stats_golden_table;
extern const cupel_table stats_gradient_table;
extern const cupel_table stats_isolation_table;
extern const cupel_table stats_limits_table;
extern const cupel_table stats_prior_table;

#endif
