// SPDX-License-Identifier: Apache-2.0
// Cupel's numerical core: the same operations, in the same bytes, on every backend. This is the one header a user includes.
//
// One library is one backend (nc_backend() names it). Conventions that hold for every function:
//  - The status is the return value and the result is the last parameter. On any status but NC_OK nothing was written, unless
//    the function's own comment says otherwise. nc_last_error() then names the argument, the value and the next step.
//  - Inputs are never written. Results stay on the device until nc_array_download.
//  - Nothing falls back to the host or to another device. Handles of another device are refused (NC_WRONG_DEVICE).
//  - Arrays of one call share one real dtype; mixed dtypes are refused (NC_MIXED_DTYPE), never converted.
//  - Public structs begin with abi_version and struct_size: set them with NC_STRUCT_INIT before the call.
//  - Scalars passed as double are rounded once to the arrays' dtype.
//  - A device handle and what was made from it belong to one thread at a time; different device handles are independent.
#ifndef NC_H
#define NC_H

#include "nc_base.h"

#include "nc_array.h"
#include "nc_device.h"
#include "nc_huber.h"
#include "nc_linalg.h"
#include "nc_model.h"
#include "nc_rng.h"
#include "nc_solver.h"
#include "nc_stats.h"

#endif
