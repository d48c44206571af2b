// SPDX-License-Identifier: Apache-2.0
// Elementary functions of the core, from + - * / fma and integers only: the same bytes wherever they are compiled. Body: include
// once per real type; including it again for the same type adds nothing, so every body that needs a function includes this.
//
// Method and error analysis: docs/elementary.md. Bounds in ulp of the truth, derived operation by operation and held by a sweep
// against MPFR, and the largest errors found: of all float32 arguments, of the sweep in float64.
//                     bound f32, f64   found f32, f64
//   log                0.57  0.57   0.552  0.512
//   log1p              0.63  0.63   0.576  0.527
//   log1pmx            1.52  1.52   1.108  0.813
//   d0                 1.22  1.22   0.974  0.817
//   exp                0.83  0.83   0.758  0.740
//   expm1              1.15  1.15   1.081  0.970
//   expm1mx            1.80  1.80   1.154  0.995
//   erfc               1.16  1.12   0.995  0.776
//   erfcx              1.06  1.03   0.986  0.789
//   stirling           1.19  1.19   1.157  1.027
//   digamma_remainder  1.12  1.37   1.075  0.802
//   lgamma1p           0.94  0.94   0.890  0.632
//   softplus           1.51  1.51   1.493  1.180
//   sigmoid            0.83  0.83   0.758  0.740
//
// Files: pair (double-word arithmetic, polynomials), log (log, log1p, log1pmx, d0), exp (exp, expm1), erf, gamma, link.

#if defined(NC_REAL_IS_F32) && !defined(NC_ELEMENTARY_F32)
#define NC_ELEMENTARY_F32
#define NC_ELEMENTARY_BODY
#include "elementary_tables_f32.h"
#endif
#if defined(NC_REAL_IS_F64) && !defined(NC_ELEMENTARY_F64)
#define NC_ELEMENTARY_F64
#define NC_ELEMENTARY_BODY
#include "elementary_tables_f64.h"
#endif

#ifdef NC_ELEMENTARY_BODY
#undef NC_ELEMENTARY_BODY
#include "elementary_pair.h"

#include "elementary_exp.h"
#include "elementary_log.h"

#include "elementary_erf.h"
#include "elementary_gamma.h"
#include "elementary_link.h"
#endif
