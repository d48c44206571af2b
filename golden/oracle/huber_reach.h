// SPDX-License-Identifier: Apache-2.0
// How far a rounding in N grad Q moves the coefficients. In binary64: these are bounds, and the end inflates them by more than
// their own rounding.
#ifndef ORACLE_HUBER_REACH_H
#define ORACLE_HUBER_REACH_H

#include "huber.h"

typedef double huber_matrix[Q_MAX * Q_MAX]; // q x q, row-major

// Steps have stopped shrinking when none of 4, 8, ... is shorter than the shortest of as many before.
enum { LATE_TURN = 4 };

// H: N times the Hessian at the minimum (1 within tau, 0 beyond); K: Newton's system, with kappa. Only coefficients that are not
// zero take part: rows and columns of the others are zero in the inverses.
typedef struct huber_reach {
    int64_t q;
    double moved[Q_MAX]; // the minimiser less the coefficients before the batch
    huber_matrix hessian, information, inverse;
    // Newton steps: the error obeys e' = M e + K^-1 noise + rounding, M = K^-1 (K - H).
    huber_matrix excess, system_inverse, turn, turn_sum; // K - H, K^-1, M, the sum of |M^i| over i = 0, 1, ...
    int terms;                                           // of that sum; 1 where K = H
    double late_turn;                                    // the largest norm of M^i from i = LATE_TURN on
    // Of every rounding added so far: |H^-1| of it, and what a new one in each step sustains.
    double once[Q_MAX], sustained[Q_MAX];
    double noise[Q_MAX]; // their sizes in N grad Q itself
} huber_reach;

// From s->next, the minimiser. Refused where Newton steps hardly contract.
golden_status oracle_huber_reach_init(huber_reach *reach, huber_state *state, const huber_row *row, golden_error *error);
// A rounding of at most `size` along a vector of N grad Q. `constant`: the same in every step, as those of the state are.
void oracle_huber_reach_add(huber_reach *reach, const double *along, double size, bool constant);
// The same along one coordinate.
void oracle_huber_reach_add_at(huber_reach *reach, int64_t coordinate, double size);

// Every rounding of the documented gradient at the minimum (docs/huber.md, Bounds): of the batch's rows, and of the pull of the
// state with its information.
void oracle_huber_reach_score(huber_reach *reach, huber_state *state, const huber_row *row);
void oracle_huber_reach_pull(huber_reach *reach, huber_state *state, const huber_row *row);

double oracle_huber_norm(const double *numbers, int64_t count);
// Half a unit in the last place of binary64 at the value, or at one nearly as large.
double oracle_huber_half_unit(double value);

#endif
