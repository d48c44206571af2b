// SPDX-License-Identifier: Apache-2.0
// The canonical order of sums (docs/sums.md) in numbers. Every backend includes this; changing a number changes bytes.
#ifndef NC_SUM_ORDER_H
#define NC_SUM_ORDER_H

#define NC_SUM_LANES 256  // lane l of a chunk adds its elements l, l + 256, ... in ascending order
#define NC_SUM_CHUNK 4096 // elements of a chunk; the chunks' results are summed by the same rule

#endif
