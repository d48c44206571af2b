// SPDX-License-Identifier: Apache-2.0
// What kernels of the module stats and their host side share: operands, request flags, element statuses, censoring kinds.
#ifndef NC_KERNELS_STATS_ARGS_H
#define NC_KERNELS_STATS_ARGS_H

#include "../dialect/dialect.h"

// The operands of one call on one axis list: the output's shape, whose axes every operand walks with strides of its own (0 where
// it is broadcast). Slot 4 is the third parameter of real families and the number of trials of the binomial. Below 1024 bytes
// with the pointers, the least that an OpenCL device must take as kernel arguments.
#define NC_STATS_VALUE 0
#define NC_STATS_UPPER 1
#define NC_STATS_PARAMETER 2 // three of them
#define NC_STATS_TRIALS 4
#define NC_STATS_MASK 5
#define NC_STATS_CENSORING 6
#define NC_STATS_STATUS 7
#define NC_STATS_RESULT 8 // three of them
#define NC_STATS_OPERANDS 11
typedef struct nc_stats_operands {
    nc_i64 extent[NC_MAX_RANK];
    nc_i64 offset[NC_STATS_OPERANDS];
    nc_i64 stride[NC_STATS_OPERANDS][NC_MAX_RANK];
} nc_stats_operands;
NC_ASSERT_SIZE(nc_stats_operands, 856);

// Positions of one element in every operand.
typedef struct nc_stats_places {
    nc_i64 at[NC_STATS_OPERANDS];
} nc_stats_places;

NC_FN nc_stats_places nc_stats_locate(nc_stats_operands operands, nc_u64 index)
{
    nc_stats_places places;
    NC_UNROLL
    for (nc_i32 k = 0; k < NC_STATS_OPERANDS; ++k) {
        places.at[k] = operands.offset[k];
    }
    for (nc_i32 axis = NC_MAX_RANK - 1; axis >= 0 && index != 0u; --axis) {
        nc_u64 extent = (nc_u64)operands.extent[axis];
        nc_u64 outer = index < extent ? 0u : index / extent;
        nc_i64 inner = (nc_i64)(index - outer * extent);
        NC_UNROLL
        for (nc_i32 k = 0; k < NC_STATS_OPERANDS; ++k) {
            places.at[k] += inner * operands.stride[k][axis];
        }
        index = outer;
    }
    return places;
}

// What a call wants and which optional operands it has.
#define NC_STATS_WANT_GRADIENT 1u // the gradient instead of the log density
#define NC_STATS_HAS_MASK 2u
#define NC_STATS_HAS_CENSORING 4u
#define NC_STATS_HAS_UPPER 8u
#define NC_STATS_SKIP_RESULT 16u // << k: result k is not wanted

// Element statuses; nc_element_status of nc_stats.h.
#define NC_STATS_OK 0
#define NC_STATS_OFF_SUPPORT 1
#define NC_STATS_INVALID_PARAMETER 2
#define NC_STATS_INVALID_VALUE 3
#define NC_STATS_UNSUPPORTED 4
#define NC_STATS_EXHAUSTED 5

// How a datum is censored; nc_censoring of nc_stats.h.
#define NC_STATS_OBSERVED 0
#define NC_STATS_LEFT 1
#define NC_STATS_RIGHT 2
#define NC_STATS_INTERVAL 3

#endif
