// SPDX-License-Identifier: Apache-2.0
// All kernels of the core for one instruction set. kernels_<set>.c defines CPU_VARIANT and CPU_VARIANT_NAME and includes this.
// The order of the includes matters: blank lines keep it.
#include "cpu.h"

#include "../../src/core/sum_order.h"

#include "../../src/core/kernels/plain.h"

#include "../../src/core/dialect/real_f32.h"

#include "../../src/core/kernels/typed.h"

#include "vector.h"

#include "gemm_body.h"
#include "reduce_body.h"

#include "../../src/core/dialect/real_f64.h"

#include "../../src/core/kernels/typed.h"

#include "vector.h"

#include "gemm_body.h"
#include "reduce_body.h"

#include "../../src/core/dialect/real_undef.h"

static const nc_thunk kernels[BE_KERNEL_COUNT] = {
#define NC_KERNEL_TYPED(module, name) [BE_KERNEL_##name##_f32] = name##_f32_thunk, [BE_KERNEL_##name##_f64] = name##_f64_thunk,
#define NC_KERNEL_PLAIN(module, name) [BE_KERNEL_##name] = name##_thunk,
#include "../../src/core/kernels/kernels.def"
};

#include "gram_chunk.h"

const cpu_variant CPU_VARIANT = {
    .name = CPU_VARIANT_NAME,
    .kernels = kernels,
    .gram_chunk = CPU_GRAM_CHUNK,
    .folds = {[BE_SUM] = {fold_sum_f32, fold_sum_f64},
              [BE_DOT] = {fold_dot_f32, fold_dot_f64},
              [BE_MINIMUM] = {fold_minimum_f32, fold_minimum_f64},
              [BE_MAXIMUM] = {fold_maximum_f32, fold_maximum_f64}},
    .gemm = {gemm_f32, gemm_f64},
};
