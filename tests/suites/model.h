// SPDX-License-Identifier: Apache-2.0
// The parts of the suite model, and the network that most of them use.
#ifndef SUITE_MODEL_H
#define SUITE_MODEL_H

#include "cupel.h"

extern const cupel_table model_contract_table;
extern const cupel_table model_derivative_table;
extern const cupel_table model_laws_table;
extern const cupel_table model_reduction_table;
extern const cupel_table model_golden_table;
extern const cupel_table model_groups_table;
extern const cupel_table model_reaction_table;
extern const cupel_table model_refusal_table;

// --- Describing small networks. Every call is required to succeed.
typedef struct sketch {
    cupel_context *context;
    nc_network *network;
} sketch;

sketch sketch_begin(cupel_context *context);
nc_model *sketch_compile(sketch s); // releases the network
int32_t sketch_axis(sketch s, const char *name, int64_t extent, const double *coordinates);
int32_t sketch_compartment(sketch s, const char *name, int32_t rank, const int32_t *axes);
int32_t sketch_parameter(sketch s, const char *name, int32_t rank, const int32_t *axes);
int32_t sketch_constant(sketch s, const char *name, int32_t rank, const int32_t *axes, const double *values, int64_t count);
int32_t sketch_reduction(sketch s, const char *name, int32_t source, nc_reduction reduction, int32_t rank, const int32_t *axes);
nc_flow sketch_flow(const char *name, nc_law law, int32_t source, int32_t target, int32_t rate, int32_t reactant);
int32_t sketch_add(sketch s, nc_flow flow);
void sketch_release(cupel_context *context, nc_model *model);

// The hierarchical fixture: compartments A, B, C over (group, stage), closed. A local rate r[group], a global gain k, recovery
// rates rho[stage] and a stage transport T[stage, stage] whose columns sum to zero.
//   load[g] = sum_s B[g,s]        drive[g] = k r[g] load[g], or with k r[g] mean_h load[h] when coupled
//   F1 = drive[g] A[g,s]          F2 = rho[s] B[g,s]          F3 = r[g] C[g,s]          move[g,s] = sum_s' T[s,s'] B[g,s']
//   dA = F3 - F1                  dB = F1 - F2 + move         dC = F2 - F3
#define FIXTURE_GROUPS 4
#define FIXTURE_STAGES 3
#define FIXTURE_CELLS (FIXTURE_GROUPS * FIXTURE_STAGES)
#define FIXTURE_STATES (3 * FIXTURE_CELLS)
#define FIXTURE_PARAMETERS (1 + FIXTURE_GROUPS + FIXTURE_STAGES + FIXTURE_STAGES * FIXTURE_STAGES)
#define FIXTURE_OBSERVABLES (FIXTURE_GROUPS + 1)

typedef struct fixture {
    nc_model *model;
    int32_t group, stage;               // axes
    int32_t a, b, c;                    // compartments
    int32_t gain, rate, recovery, move; // parameters k, r, rho, T in this order
    int32_t load, total;                // observables: load[g], then sum over all cells of A + B + C
    int coupled;
} fixture;

fixture fixture_create(cupel_context *context, int coupled);
void fixture_release(cupel_context *context, fixture *f);

// Where the parameters stand in the flat array.
#define FIXTURE_GAIN 0
#define FIXTURE_RATE 1
#define FIXTURE_RECOVERY (FIXTURE_RATE + FIXTURE_GROUPS)
#define FIXTURE_MOVE (FIXTURE_RECOVERY + FIXTURE_STAGES)

// Values of state and parameters of one trajectory: positive, different everywhere, representable in float32.
void fixture_state(int64_t trajectory, double *state);
void fixture_parameters(int64_t trajectory, double *parameters);

// The reference: explicit loops over cells. `magnitude` gets the sum of the absolute terms of each result, for error bounds.
void fixture_rhs(int coupled, const double *state, const double *parameters, double *rhs, double *magnitude);
void fixture_observables(const double *state, double *observables, double *magnitude);
// Exact derivatives of the loops along (state_tangent, parameters_tangent).
void fixture_tangent(int coupled, const double *state, const double *parameters, const double *state_tangent,
                     const double *parameters_tangent, double *product, double *magnitude);

// Rounding error of one result: `roundings` operations in a row at most, on terms whose absolute values sum to `magnitude`, in the
// device's precision and once more in the reference's float64 (Higham, Accuracy and Stability, 3.1: gamma_n <= 1.01 n u).
double fixture_bound(nc_dtype dtype, int roundings, double magnitude);
// Roundings that lead to one cell of the fixture: a sum over stages, one over groups, the products and the equation's sum.
#define FIXTURE_ROUNDINGS (FIXTURE_STAGES + FIXTURE_GROUPS + 8)
// A tangent has two terms where a product has one, and each product's tangent two factors more.
#define FIXTURE_TANGENT_ROUNDINGS (4 * FIXTURE_ROUNDINGS)
#define FIXTURE_DERIVATION "gamma_n times the sum of absolute terms, n = roundings in a row; the reference's own error added"

// Arrays of the running case.
nc_array *fixture_scalar(cupel_context *context, double value);
nc_array *fixture_vector(cupel_context *context, const double *values, int64_t count);
// `batch` trajectories of fixture states and parameters.
nc_array *fixture_states(cupel_context *context, int64_t batch);
nc_array *fixture_parameter_sets(cupel_context *context, int64_t batch);

#endif
