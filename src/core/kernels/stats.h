// SPDX-License-Identifier: Apache-2.0
// Densities, gradients and samplers of the module stats. Body: include once per real type. docs/statistics.md has the
// parametrisations, limits and choices; the head of each file has its formulas.

// Count deviations are formed in float64 for both precisions, so the float32 bodies need the float64 functions too.
#ifdef NC_REAL_IS_F32
#include "../dialect/real_f64.h"
#include "elementary.h"

#include "../dialect/real_f32.h"
#endif
#include "elementary.h"

#include "stats_args.h"
#include "stats_wide.h"

#include "stats_term.h"

#include "stats_binomial.h"
#include "stats_gamma.h"
#include "stats_negative_binomial.h"
#include "stats_normal.h"
#include "stats_poisson.h"

#include "stats_beta.h"
#include "stats_student.h"

#include "stats_tail.h"

#include "stats_censored_count.h"
#include "stats_censored_gamma.h"
#include "stats_censored_normal.h"
#include "stats_censored_student.h"

#include "stats_kernels.h"
