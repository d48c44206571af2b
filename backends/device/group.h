// SPDX-License-Identifier: Apache-2.0
// Work groups: what the kernels of this folder need beyond the core dialect. For CUDA C++ and OpenCL C; the CPU has kernels of its
// own (backends/cpu), which return the same bytes.
#ifndef NC_DEVICE_GROUP_H
#define NC_DEVICE_GROUP_H

#include "../../src/core/dialect/dialect.h"
#include "../../src/core/sum_order.h"

// Every group kernel runs with this many lanes in one dimension: the lanes of the canonical sum.
#define NC_GROUP_LANES NC_SUM_LANES

// NC_BARRIER orders local memory among the lanes of a group, NC_BARRIER_ALL global memory too.
// A group kernel is NC_GROUP_KERNEL(name)(parameters) { ... }. NC_LOCAL_ARRAY stands in its outermost block only.
#if defined(__CUDACC__)
#define NC_GROUP_KERNEL(name) static __global__ void __launch_bounds__(NC_GROUP_LANES) name
#define NC_LOCAL_ARRAY(type, name, count) __shared__ __align__(16) type name[count]
#define NC_BARRIER() __syncthreads()
#define NC_BARRIER_ALL() __syncthreads()
#define NC_GROUP_INDEX ((nc_u64)blockIdx.x)
#define NC_LANE_INDEX ((nc_u32)threadIdx.x)
#else
#define NC_GROUP_KERNEL(name) __kernel __attribute__((reqd_work_group_size(NC_GROUP_LANES, 1, 1))) void name
#define NC_LOCAL_ARRAY(type, name, count) __local type name[count] __attribute__((aligned(16)))
#define NC_BARRIER() barrier(CLK_LOCAL_MEM_FENCE)
#define NC_BARRIER_ALL() barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
#define NC_GROUP_INDEX ((nc_u64)get_group_id(0))
#define NC_LANE_INDEX ((nc_u32)get_local_id(0))
#endif

#endif
