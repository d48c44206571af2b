// SPDX-License-Identifier: Apache-2.0
// Kernels for the instruction set that every processor of the architecture has.
#define CPU_VARIANT cpu_variant_base
#define CPU_VARIANT_NAME "base"
#include "kernels.h"
