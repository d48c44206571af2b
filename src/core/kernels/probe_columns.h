// SPDX-License-Identifier: Apache-2.0
// Where each operation's answer stands in the probe kernel's output.
#ifndef NC_KERNELS_PROBE_COLUMNS_H
#define NC_KERNELS_PROBE_COLUMNS_H

#define NC_PROBE_SUM_OF_PRODUCT 0u
#define NC_PROBE_FMA 1u
#define NC_PROBE_QUOTIENT 2u
#define NC_PROBE_SQUARE_ROOT 3u
#define NC_PROBE_PRODUCT 4u
#define NC_PROBE_SUM 5u
#define NC_PROBE_OPERATIONS 6u

#endif
