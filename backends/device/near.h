// SPDX-License-Identifier: Apache-2.0
// Near kernels: single-source kernels compiled a second time, with a tile's working memory on the chip.
#ifndef NC_DEVICE_NEAR_H
#define NC_DEVICE_NEAR_H

#include "../../src/core/backend.h"

typedef enum be_near_kernel {
#define BE_NEAR_KERNEL(name) BE_NEAR_##name##_f32, BE_NEAR_##name##_f64,
#include "near.def"
    BE_NEAR_KERNEL_COUNT
} be_near_kernel;

// Whether the kernel has a near form, with its number in *near.
int be_near_find(be_kernel kernel, be_near_kernel *near);

// Whether a launch asks for near memory. The last argument says how much.
static inline int be_near_wanted(const be_arg *args, int32_t count)
{
    return count > 0 && args[count - 1].buffer == NULL && args[count - 1].value == NULL;
}

#endif
