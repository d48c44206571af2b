// SPDX-License-Identifier: Apache-2.0
// The Huber loss, its score and the smoothed score's derivative, in float64.
#ifndef NC_KERNELS_HUBER_LOSS_H
#define NC_KERNELS_HUBER_LOSS_H

#include "../dialect/real_helpers.h"
#include "huber_args.h"

// rho(r) = r^2/2 for |r| <= tau, else tau |r| - tau^2/2.
NC_FN nc_f64 nc_huber_rho(nc_f64 r, nc_f64 tau)
{
    nc_f64 a = NC_FABS_F64(r);
    return a <= tau ? NC_C64(0.5) * r * r : tau * (a - NC_C64(0.5) * tau);
}
// psi(r) = r clamped to [-tau, tau].
NC_FN nc_f64 nc_huber_psi(nc_f64 r, nc_f64 tau)
{
    return NC_FABS_F64(r) <= tau ? r : NC_COPYSIGN_F64(tau, r);
}
// kappa(r) = clamp(1/2 + (tau - |r|) / (2h), 0, 1): the derivative of the score smoothed over the bandwidth h.
NC_FN nc_f64 nc_huber_kappa(nc_f64 r, nc_f64 tau, nc_f64 bandwidth)
{
    nc_f64 k = NC_C64(0.5) + (tau - NC_FABS_F64(r)) / (NC_C64(2.0) * bandwidth);
    k = k < NC_C64(0.0) ? NC_C64(0.0) : k;
    return k > NC_C64(1.0) ? NC_C64(1.0) : k;
}

#endif
