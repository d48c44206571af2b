// SPDX-License-Identifier: Apache-2.0
// Group kernels and the host side that OpenCL and CUDA share (reduce.c, gemm.c).
#ifndef NC_DEVICE_GROUPS_H
#define NC_DEVICE_GROUPS_H

#include "../../src/core/backend.h"
#include "../../src/core/sum_order.h"
#include "geometry.h"

typedef enum be_group_kernel {
#define BE_GROUP_KERNEL(name) BE_GROUP_##name##_f32, BE_GROUP_##name##_f64,
#include "group.def"
    BE_GROUP_KERNEL_COUNT
} be_group_kernel;
#define BE_GROUP_TYPED(name, dtype) ((dtype) == NC_F32 ? BE_GROUP_##name##_f32 : BE_GROUP_##name##_f64)

// Runs `groups` (> 0) work groups of NC_SUM_LANES lanes, in stream order. Each backend defines it in launch.
nc_status be_group_launch(be_device *device, be_group_kernel kernel, uint64_t groups, const be_arg *args, int32_t count);

// Single-source kernels that a group kernel of the same arguments replaces where it is faster: one group for each item. True with
// the kernel in *twin.
int be_twin_find(be_kernel kernel, const be_arg *args, be_group_kernel *twin);

// Memory for chunk results, kept by the device between calls and grown on demand.
typedef struct be_scratch {
    be_buffer *buffer;
    size_t bytes;
} be_scratch;
be_scratch *be_device_scratch(be_device *device);
// Compute units, for choosing how much work one group takes; never changes a bit.
uint32_t be_device_units(const be_device *device);

#endif
