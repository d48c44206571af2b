// SPDX-License-Identifier: Apache-2.0
// The order of sums over rows (Gram matrices, column sums): the one place for its numbers. docs/sums.md states it in full.
//
// A chunk of NC_ROW_CHUNK rows is one float64 chain in ascending row order from +0: fma for Gram matrices, compensated for column
// sums. Chunk results are summed by the canonical
// rule over lanes: lane l adds chunks l, l + NC_ROW_LANES, ... of one group of NC_ROW_GROUP chunks in ascending order, a binary
// tree folds the lanes, and the groups' results are folded by the same tree.
#ifndef NC_ROW_ORDER_H
#define NC_ROW_ORDER_H

#define NC_ROW_CHUNK 512
#define NC_ROW_LANES 256
#define NC_ROW_GROUP 4096

#endif
