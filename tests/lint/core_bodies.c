// SPDX-License-Identifier: Apache-2.0
// The bodies as strict C11. The thunks' table keeps every kernel used.
#include "core_bodies.h"

#define NC_KERNEL_TYPED(module, name) name##_f32_thunk, name##_f64_thunk,
#define NC_KERNEL_PLAIN(module, name) name##_thunk,
const nc_thunk core_bodies[] = {
#include "../../src/core/kernels/kernels.def"
};
