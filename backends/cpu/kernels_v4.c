// SPDX-License-Identifier: Apache-2.0
// Kernels for x86-64-v4: AVX-512.
#define CPU_VARIANT cpu_variant_v4
#define CPU_VARIANT_NAME "x86-64-v4"
#include "kernels.h"
