// SPDX-License-Identifier: Apache-2.0
// How an adaptive step changes after an error norm, in float64 for both precisions: clamp(0.9 error^(-1/5), 0.2, 5), the standard
// controller of a method of order five with a fourth-order companion (Hairer, Norsett, Wanner, Solving Ordinary Differential
// Equations I, II.4). The power is exp(log) from the core's own functions. Leaves the real type as it found it.
#ifndef NC_STEP_FACTOR_H
#define NC_STEP_FACTOR_H

#ifdef NC_REAL_IS_F32
#define NC_STEP_FACTOR_FROM_F32
#endif

#include "../dialect/real_f64.h"

#include "elementary.h"

NC_FN nc_f64 nc_step_factor(nc_f64 error)
{
    nc_f64 factor = NC_C64(0.9) * nc_exp_f64(NC_C64(-0.2) * nc_log_f64(error));
    if (!nc_is_finite_f64(error)) {
        return NC_C64(0.2);
    }
    if (error == NC_C64(0.0) || factor > NC_C64(5.0)) {
        return NC_C64(5.0);
    }
    return factor < NC_C64(0.2) ? NC_C64(0.2) : factor;
}

#ifdef NC_STEP_FACTOR_FROM_F32
#undef NC_STEP_FACTOR_FROM_F32
#include "../dialect/real_f32.h"
#endif

#endif
