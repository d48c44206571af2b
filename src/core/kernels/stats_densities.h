// SPDX-License-Identifier: Apache-2.0
// Densities and gradients of observed data. Body: include once per real type, float64 first; again adds nothing.

#include "elementary.h"

#if defined(NC_REAL_IS_F32) && !defined(NC_STATS_DENSITIES_F32)
#define NC_STATS_DENSITIES_F32
#define NC_STATS_DENSITIES_BODY
#endif
#if defined(NC_REAL_IS_F64) && !defined(NC_STATS_DENSITIES_F64)
#define NC_STATS_DENSITIES_F64
#define NC_STATS_DENSITIES_BODY
#endif

#ifdef NC_STATS_DENSITIES_BODY
#undef NC_STATS_DENSITIES_BODY
#include "stats_wide.h"

#include "stats_term.h"

#include "stats_binomial.h"
#include "stats_gamma.h"
#include "stats_negative_binomial.h"
#include "stats_normal.h"
#include "stats_poisson.h"

#include "stats_beta.h"
#include "stats_student.h"
#endif
