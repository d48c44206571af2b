// SPDX-License-Identifier: Apache-2.0
// The library under test: how far x is from solving A x = b.
#ifndef RESIDUAL_H
#define RESIDUAL_H

#include "nc.h"

// residual[m,1] = b[m,1] - A[m,n] x[n,1] and square[] = its squared length, in the arrays' dtype and on their device.
nc_status residual_compute(const nc_array *a, const nc_array *x, const nc_array *b, nc_array *residual, nc_array *square);

#endif
