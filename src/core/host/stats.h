// SPDX-License-Identifier: Apache-2.0
// One elementwise call of the module stats: operands are bound to slots, checked against the output, and launched on one axis list.
#ifndef NC_HOST_STATS_H
#define NC_HOST_STATS_H

#include "../kernels/stats_args.h"
#include "host.h"

typedef struct nc_stats_call {
    const nc_array *reference; // gives shape, device and real dtype
    const nc_array *operand[NC_STATS_OPERANDS];
    const char *name[NC_STATS_OPERANDS];
    uint32_t flags;
} nc_stats_call;

// Begins a call whose first output is `output` (f32 or f64; i64 for count samplers, with `real` the dtype of its parameters).
nc_status nc_stats_begin(nc_stats_call *call, const nc_array *output, const char *name);
// Binds an input: its dtype, the output's device, and the output's shape or one element.
nc_status nc_stats_bind_input(nc_stats_call *call, int slot, const nc_array *array, const char *name, nc_dtype dtype);
// Binds an output: dtype, device and shape are the reference's. All inputs and earlier outputs must be bound: overlap is refused.
nc_status nc_stats_bind_output(nc_stats_call *call, int slot, nc_array *array, const char *name, nc_dtype dtype);
// Checks that parameters[0 .. needed-1] are given, the others null, and binds them.
nc_status nc_stats_bind_parameters(nc_stats_call *call, const nc_array *const *parameters, const char *const *names, int32_t needed,
                                   const char *family, nc_dtype dtype);
// What the host knows of a family or prior.
typedef struct nc_density {
    const char *name;
    int32_t parameters;
    int32_t counts; // values are i64
    int32_t trials;
    const char *parameter[NC_STATS_MAX_PARAMETERS];
    be_kernel kernel_f32, kernel_f64;               // log density and gradient
    be_kernel sample_kernel_f32, sample_kernel_f64; // families only
} nc_density;
// The family's line; NC_INVALID_ARGUMENT for any other number.
nc_status nc_stats_family(int32_t family, const nc_density **density);

// The axis list of the bound operands; free slots have stride 0.
nc_stats_operands nc_stats_layout(const nc_stats_call *call);
// The buffer in a slot, or that of `substitute` when the slot is free.
be_buffer *nc_stats_buffer(const nc_stats_call *call, int slot, int substitute);

#endif
