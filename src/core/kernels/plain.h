// SPDX-License-Identifier: Apache-2.0
// Every dtype-free kernel and helper of the core. A new module adds its line here or in typed.h, and its list to kernels.def.
#ifndef NC_KERNELS_PLAIN_H
#define NC_KERNELS_PLAIN_H

#include "../dialect/real_helpers.h"
#include "array_plain.h"
#include "gram_plain.h"
#include "huber_plain.h"
#include "probe_plain.h"
#include "rng_plain.h"

#endif
