// SPDX-License-Identifier: Apache-2.0
// CUDA errors in words.
#include "cuda.h"

nc_status cuda_fail(cudaError_t error, const char *call, const char *context)
{
    (void)cudaGetLastError(); // the runtime would report it once more at the next launch
    return be_fail(error == cudaErrorMemoryAllocation ? NC_OUT_OF_MEMORY : NC_DEVICE_ERROR, "%s: %s (%d), %s%s%s", call,
                   cudaGetErrorName(error), (int)error, cudaGetErrorString(error), context[0] != '\0' ? ": " : "", context);
}
