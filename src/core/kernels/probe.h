// SPDX-License-Identifier: Apache-2.0
// The operations that nc_device_probe asks a device for, one row of answers for each triple of operands. The operands come from
// memory, so that no compiler can work an answer out. Body: include once per real type.
#include "probe_columns.h"

NC_KERNEL5(NC_N(probe), NC_GLOBAL const NC_REAL *, a, NC_GLOBAL const NC_REAL *, b, NC_GLOBAL const NC_REAL *, c,
           NC_GLOBAL NC_REAL *, answers, nc_u64, count)
{
    NC_FOR_ITEMS(i, count)
    {
        NC_REAL sum_of_product = a[i] * b[i] + c[i]; // two roundings: this is what contraction would change
        NC_REAL fused = NC_FMA(a[i], b[i], c[i]);
        NC_REAL quotient = a[i] / b[i];
        NC_REAL root = NC_SQRT(a[i]);
        NC_REAL product = a[i] * b[i];
        NC_REAL sum = a[i] + b[i];
        answers[NC_PROBE_OPERATIONS * i + NC_PROBE_SUM_OF_PRODUCT] = NC_CANON(sum_of_product);
        answers[NC_PROBE_OPERATIONS * i + NC_PROBE_FMA] = NC_CANON(fused);
        answers[NC_PROBE_OPERATIONS * i + NC_PROBE_QUOTIENT] = NC_CANON(quotient);
        answers[NC_PROBE_OPERATIONS * i + NC_PROBE_SQUARE_ROOT] = NC_CANON(root);
        answers[NC_PROBE_OPERATIONS * i + NC_PROBE_PRODUCT] = NC_CANON(product);
        answers[NC_PROBE_OPERATIONS * i + NC_PROBE_SUM] = NC_CANON(sum);
    }
}
