// SPDX-License-Identifier: Apache-2.0
// What the kernels of the renewable Huber regression take by value, and the scalars they return.
#ifndef NC_KERNELS_HUBER_ARGS_H
#define NC_KERNELS_HUBER_ARGS_H

#include "../dialect/dialect.h"

// Most step candidates evaluated in one pass. Further ones are tried in further passes and the first acceptable one in order is
// taken, so the number changes no answer: a backend picks what fills its chip.
#define NC_HUBER_CANDIDATES_MAX 4

typedef struct nc_huber_rows {
    nc_layout x, y, weights; // x: axes 0 (row) and 1 (column)
    nc_i64 rows;
    nc_i64 columns;      // of the caller's x: p or q
    nc_i64 coefficients; // q
    nc_i64 has_weights;
} nc_huber_rows;
NC_ASSERT_SIZE(nc_huber_rows, 440);

typedef struct nc_huber_pass {
    nc_i64 rows;
    nc_i64 coefficients; // q
    nc_i64 candidates;
} nc_huber_pass;
NC_ASSERT_SIZE(nc_huber_pass, 24);

typedef struct nc_huber_loss {
    nc_f64 tau;
    nc_f64 bandwidth;
} nc_huber_loss;
NC_ASSERT_SIZE(nc_huber_loss, 16);

typedef struct nc_huber_scale {
    nc_f64 total_weight; // N
    nc_f64 sign_weight;  // c = (W / N) lambda0, 0 unless the L1 sign term applies
    nc_f64 threshold;    // lambda
    nc_f64 step;         // t or phi of candidate 0
    nc_i64 coefficients; // q
    nc_i64 penalised;    // p: coefficients from here on carry no penalty
    nc_i64 candidates;
} nc_huber_scale;
NC_ASSERT_SIZE(nc_huber_scale, 56);

// Scalars of one candidate, in this order.
#define NC_HUBER_OBJECTIVE 0 // Q
#define NC_HUBER_STEP2 1     // |D|^2, D = candidate - current
#define NC_HUBER_BETA2 2     // |candidate|^2
#define NC_HUBER_SLOPE 3     // g'D
#define NC_HUBER_ABS 4       // sum of penalised |candidate_j|
#define NC_HUBER_SIZE 5      // the terms of Q, without cancellation between them
#define NC_HUBER_SCALARS 6

#endif
