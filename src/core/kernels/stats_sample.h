// SPDX-License-Identifier: Apache-2.0
// The sampling kernels. Body: included by stats.h. Parameters widen exactly, draws are float64, a real one is rounded once.

#define NC_SAMPLE_KERNEL(kernel_name, family_id, THIRD, RESULT, DRAW, draw_call, store)                                            \
    NC_KERNEL11(NC_N(kernel_name), nc_stats_operands, operands, nc_u64, count, nc_u64, seed, nc_u64, first_index, nc_u32, stream,  \
                NC_GLOBAL const nc_f64 *, normal_table, NC_GLOBAL const NC_REAL *, first, NC_GLOBAL const NC_REAL *, second,       \
                NC_GLOBAL const THIRD *, third, NC_GLOBAL nc_i32 *, status, NC_GLOBAL RESULT *, result)                            \
    {                                                                                                                              \
        NC_FOR_ITEMS(i, count)                                                                                                     \
        {                                                                                                                          \
            nc_stats_places at = nc_stats_locate(operands, i);                                                                     \
            nc_draw_address address;                                                                                               \
            address.seed = seed;                                                                                                   \
            address.index = first_index + i;                                                                                       \
            address.stream = stream;                                                                                               \
            address.family = family_id;                                                                                            \
            address.normal_table = normal_table;                                                                                   \
            (void)second;                                                                                                          \
            (void)third;                                                                                                           \
            DRAW draw = draw_call;                                                                                                 \
            status[at.at[NC_STATS_STATUS]] = draw.status;                                                                          \
            result[at.at[NC_STATS_RESULT]] = store;                                                                                \
        }                                                                                                                          \
    }
// Parameters of the element; the last two only where the family has them.
#define NC_SAMPLE_P0 (nc_f64) first[at.at[NC_STATS_PARAMETER]]
#define NC_SAMPLE_P1 (nc_f64) second[at.at[NC_STATS_PARAMETER + 1]]
#define NC_SAMPLE_P2 (nc_f64) third[at.at[NC_STATS_PARAMETER + 2]]
#define NC_SAMPLE_TRIALS third[at.at[NC_STATS_TRIALS]]
#define NC_SAMPLE_REAL(kernel_name, family_id, draw_call)                                                                          \
    NC_SAMPLE_KERNEL(kernel_name, family_id, NC_REAL, NC_REAL, nc_draw_real, draw_call, NC_CANON((NC_REAL)draw.value))
#define NC_SAMPLE_COUNT(kernel_name, family_id, draw_call)                                                                         \
    NC_SAMPLE_KERNEL(kernel_name, family_id, nc_i64, nc_i64, nc_draw_count, draw_call, draw.value)

NC_SAMPLE_REAL(stats_sample_normal, 1u, nc_draw_family_normal(address, NC_SAMPLE_P0, NC_SAMPLE_P1))
NC_SAMPLE_REAL(stats_sample_lognormal, 2u, nc_draw_family_lognormal(address, NC_SAMPLE_P0, NC_SAMPLE_P1))
NC_SAMPLE_REAL(stats_sample_student, 3u, nc_draw_family_student(address, NC_SAMPLE_P0, NC_SAMPLE_P1, NC_SAMPLE_P2))
NC_SAMPLE_REAL(stats_sample_gamma, 4u, nc_draw_family_gamma(address, NC_SAMPLE_P0, NC_SAMPLE_P1))
NC_SAMPLE_COUNT(stats_sample_poisson, 5u, nc_draw_family_poisson(address, NC_SAMPLE_P0))
NC_SAMPLE_COUNT(stats_sample_negative_binomial, 6u, nc_draw_family_negative_binomial(address, NC_SAMPLE_P0, NC_SAMPLE_P1))
NC_SAMPLE_COUNT(stats_sample_binomial, 7u, nc_draw_family_binomial(address, NC_SAMPLE_P0, NC_SAMPLE_TRIALS))
NC_SAMPLE_COUNT(stats_sample_binomial_logit, 8u, nc_draw_family_binomial_logit(address, NC_SAMPLE_P0, NC_SAMPLE_TRIALS))

#undef NC_SAMPLE_KERNEL
#undef NC_SAMPLE_P0
#undef NC_SAMPLE_P1
#undef NC_SAMPLE_P2
#undef NC_SAMPLE_TRIALS
#undef NC_SAMPLE_REAL
#undef NC_SAMPLE_COUNT
