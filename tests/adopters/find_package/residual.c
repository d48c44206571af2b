// SPDX-License-Identifier: Apache-2.0
#include "residual.h"

#ifdef RESIDUAL_FAULT
#define SIGN 1.0
#else
#define SIGN (-1.0)
#endif

nc_status residual_compute(const nc_array *a, const nc_array *x, const nc_array *b, nc_array *residual, nc_array *square)
{
    nc_status status = nc_array_copy(b, residual);
    if (status == NC_OK) {
        status = nc_gemm(SIGN, a, x, 1.0, residual);
    }
    return status == NC_OK ? nc_dot(residual, residual, square) : status;
}
