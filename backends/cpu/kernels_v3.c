// SPDX-License-Identifier: Apache-2.0
// Kernels for x86-64-v3: AVX2 and FMA.
#define CPU_VARIANT cpu_variant_v3
#define CPU_VARIANT_NAME "x86-64-v3"
#include "kernels.h"
