// SPDX-License-Identifier: Apache-2.0
// Every function's bound as one signature. Body: after elementary_bounded_special.h.
#define ELEMENTARY(name, bound32, bound64, relative, low, high)                                                                    \
    static derived NC_N(derived_##name)(double x)                                                                                  \
    {                                                                                                                              \
        NC_N(bounded) result = NC_N(bounded_##name)((NC_REAL)x);                                                                   \
        derived value = {(double)result.value, result.error};                                                                      \
        return value;                                                                                                              \
    }
#include "elementary.def"
