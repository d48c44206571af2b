// SPDX-License-Identifier: Apache-2.0
// The bodies as CUDA C++. The kernels' addresses keep each of them in the output.
#include "core_bodies.h"

#define NC_KERNEL_TYPED(module, name) (const void *)name##_f32, (const void *)name##_f64,
#define NC_KERNEL_PLAIN(module, name) (const void *)name,
extern const void *const core_bodies[] = {
#include "../../src/core/kernels/kernels.def"
};
