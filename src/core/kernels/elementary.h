// SPDX-License-Identifier: Apache-2.0
// Elementary functions of the core, from + - * / fma and integers only: the same bytes wherever they are compiled. Body: include
// once per real type; including it again for the same type adds nothing, so every body that needs a function includes this.
//
// Method and error analysis: docs/elementary.md. The derived bounds of the error, which tests/unit/elementary.def repeats and a
// sweep against MPFR holds, and the largest errors found, in ulp of the truth (f32, f64):
//   log      0.57  0.56 0.52     exp      0.83  0.75 0.74     erfc      1.00  0.96 0.78     lgamma1p           1.70  1.61 1.27
//   log1p    0.57  0.57 0.53     expm1    1.10  1.07 0.97     erfcx     1.45  1.40 0.99     digamma remainder  1.30  1.24 0.81
//   log1pmx  1.08  1.06 0.82     expm1mx  2.20  1.94 1.28     stirling  1.65  1.61 1.03     softplus           1.70  1.42 1.18
//   d0       1.00  0.90 0.82     sigmoid  0.83  0.75 0.74
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
