// SPDX-License-Identifier: Apache-2.0
// The helpers of both real types (nc_canon_f64, nc_scale_f32, ...) for bodies that name a precision outright.
#ifndef NC_REAL_HELPERS_H
#define NC_REAL_HELPERS_H

#include "dialect.h"

#include "real_f32.h"

#include "real_f64.h"

#include "real_undef.h"

#endif
