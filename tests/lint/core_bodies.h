// SPDX-License-Identifier: Apache-2.0
// Every body of the core in one translation unit.
#include "../../src/core/kernels/plain.h"

#include "../../src/core/dialect/real_f32.h"
#include "../../src/core/kernels/typed.h"

#include "../../src/core/dialect/real_f64.h"
#include "../../src/core/kernels/typed.h"
