// SPDX-License-Identifier: Apache-2.0
// The one place where a caller's double becomes a kernel's scalar.
#include "environment.h"
#include "host.h"

// Not inlined: the rounding must happen between enter and leave.
__attribute__((noinline)) static float round_to_f32(double value)
{
    return (float)value;
}

nc_scalar nc_scalar_round(nc_dtype dtype, double value)
{
    nc_scalar scalar;
    if (dtype == NC_F32) {
        nc_environment saved = nc_environment_enter();
        scalar.value.f32 = round_to_f32(value);
        nc_environment_leave(saved);
        scalar.size = sizeof scalar.value.f32;
    } else {
        scalar.value.f64 = value;
        scalar.size = sizeof scalar.value.f64;
    }
    return scalar;
}
