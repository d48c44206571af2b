// SPDX-License-Identifier: Apache-2.0
// Dense linear systems. Body: include once per real type. Every entry is one fma chain in ascending index, so a blocked or
// parallel schedule that keeps the chains gives the same bytes.
#include "solve_args.h"

#include "solve_cholesky.h"
#include "solve_lu.h"
#include "solve_minimum_norm.h"
