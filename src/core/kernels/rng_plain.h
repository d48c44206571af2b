// SPDX-License-Identifier: Apache-2.0
// Random words.
#ifndef NC_KERNELS_RNG_PLAIN_H
#define NC_KERNELS_RNG_PLAIN_H

#include "rng_fill.h"

NC_KERNEL6(rng_words, nc_u64, seed, nc_u64, stream, nc_u64, first, NC_GLOBAL nc_u32 *, out, nc_layout, out_layout, nc_u64, count)
NC_RNG_FILL(nc_u32, 4, NC_RNG_WORD)

#endif
