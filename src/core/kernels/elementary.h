// SPDX-License-Identifier: Apache-2.0
// Elementary functions of the core, from + - * / fma and integers only: the same bytes wherever they are compiled. Body: include
// once per real type; including it again for the same type adds nothing, so every body that needs a function includes this.
//
// Method, error analysis and measured errors: docs/elementary.md. The worst errors that the tests hold, in ulp of the truth:
//                     f32 (every argument)   f64 (sweep)        zero and branch points
//   nc_log            see docs/elementary.md, which the test tests/unit/elementary holds
//
// Files: pair (double-word arithmetic, polynomials), log (log, log1p, log1pmx, d0), exp (exp, expm1).

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
