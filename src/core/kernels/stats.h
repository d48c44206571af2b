// SPDX-License-Identifier: Apache-2.0
// Densities, gradients and samplers of the module stats. Body: include once per real type. docs/statistics.md has the
// parametrisations, limits and choices; the head of each file has its formulas.

#include "stats_args.h"

// Count deviations and samplers are float64 for both precisions, so the float32 bodies need the float64 ones before them.
#ifdef NC_REAL_IS_F32
#include "../dialect/real_f64.h"
#include "stats_densities.h"

#include "../dialect/real_f32.h"
#endif
#include "stats_densities.h"

#include "stats_draw.h"

#include "stats_tail.h"

#include "stats_tails_count.h"

#include "stats_count_walk.h"

#include "stats_interval_count.h"

#include "stats_censored_count.h"
#include "stats_censored_gamma.h"
#include "stats_censored_normal.h"
#include "stats_censored_student.h"

#include "stats_kernels.h"
#include "stats_sample.h"
