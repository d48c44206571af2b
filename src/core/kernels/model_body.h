// SPDX-License-Identifier: Apache-2.0
// The interpreter of a model's programs and its moves to and from arrays. Body: include once per real type; including it again for
// the same type adds nothing, so the model's and the solver's kernels both include it.
#if defined(NC_REAL_IS_F32) && !defined(NC_MODEL_BODY_F32)
#define NC_MODEL_BODY_F32
#define NC_MODEL_BODY
#endif
#if defined(NC_REAL_IS_F64) && !defined(NC_MODEL_BODY_F64)
#define NC_MODEL_BODY_F64
#define NC_MODEL_BODY
#endif

#ifdef NC_MODEL_BODY
#undef NC_MODEL_BODY
#include "model_program.h"
#include "model_tile.h"
#endif
