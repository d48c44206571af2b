// SPDX-License-Identifier: Apache-2.0
// Which kernels have a near form.
#include "near.h"

static const struct {
    int exists;
    be_near_kernel near;
} near_table[BE_KERNEL_COUNT] = {
#define BE_NEAR_KERNEL(name)                                                                                                       \
    [BE_KERNEL_##name##_f32] = {1, BE_NEAR_##name##_f32}, [BE_KERNEL_##name##_f64] = {1, BE_NEAR_##name##_f64},
#include "near.def"
};

int be_near_find(be_kernel kernel, be_near_kernel *near)
{
    *near = near_table[kernel].near;
    return near_table[kernel].exists;
}
