// SPDX-License-Identifier: Apache-2.0
// The insides of a renewable Huber model and the steps that its host files share. docs/huber.md has the symbols.
#ifndef NC_HOST_HUBER_H
#define NC_HOST_HUBER_H

#include "../dialect/real_helpers.h"
#include "../kernels/huber_args.h"
#include "gram.h"
#include "host.h"

// Largest p: q^2 float64 values of the information must stay addressable and affordable.
#define NC_HUBER_FEATURES_MAX 16384

// Work arrays on the device. They grow with the largest batch and are reused. "dtype" is the model's, others are float64.
typedef enum nc_huber_work {
    NC_HUBER_DESIGN,           // rows x q, dtype
    NC_HUBER_RESPONSE,         // rows, dtype
    NC_HUBER_FREQUENCY,        // rows
    NC_HUBER_BAD,              // rows
    NC_HUBER_RESIDUALS,        // candidates x rows
    NC_HUBER_TERMS,            // candidates x rows
    NC_HUBER_SCORES,           // rows
    NC_HUBER_CURVATURES,       // rows
    NC_HUBER_TRIED,            // candidates x q, dtype
    NC_HUBER_NOW,              // q, dtype: the coefficients of this iteration
    NC_HUBER_GRAM,             // q x q
    NC_HUBER_SYSTEM,           // q x q
    NC_HUBER_COLUMN_SUMS,      // q
    NC_HUBER_GRADIENT,         // q
    NC_HUBER_DIRECTION,        // q
    NC_HUBER_PARTIAL,          // candidates x q
    NC_HUBER_LOSSES,           // candidates
    NC_HUBER_SCALARS_OUT,      // candidates x NC_HUBER_SCALARS
    NC_HUBER_SCALES,           // q
    NC_HUBER_FACTOR,           // q x q
    NC_HUBER_PIVOTS,           // q, int32 in the space of float64
    NC_HUBER_STATUS,           // 1, the same
    NC_HUBER_RATIO,            // 1
    NC_HUBER_TURNS,            // q x q, the minimum-norm solver's
    NC_HUBER_TURNS_VECTOR,     // q, the same
    NC_HUBER_FLAGS,            // q
    NC_HUBER_NEXT_INFORMATION, // q x q: the state to commit
    NC_HUBER_WORK_COUNT
} nc_huber_work;

struct nc_huber {
    nc_device *device;
    nc_dtype dtype;
    int32_t fit_intercept;
    int64_t features;     // p
    int64_t coefficients; // q
    int64_t rows_seen;
    int64_t batches;
    double weight;          // W
    double lambda;          // of the previous update
    be_buffer *beta;        // q, dtype
    be_buffer *information; // q x q, float64
    int64_t row_capacity;
    int64_t candidates; // evaluated in one pass
    be_buffer *work[NC_HUBER_WORK_COUNT];
};

// Steps whose decrease the objective cannot resolve.
typedef struct nc_huber_floor {
    int64_t steps;
    double least2;  // of |step|^2, the first half of the steps (up to the last power of two)
    double latest2; // of |step|^2 since then
} nc_huber_floor;

// One update in progress: the batch's scalars, the objective at NC_HUBER_NOW and what the diagnostics will say.
typedef struct nc_huber_step {
    nc_huber *model;
    nc_huber_config config;
    int64_t rows;
    double total_weight; // N = W + m
    double sign_weight;  // c
    double threshold;    // lambda
    nc_huber_loss loss;
    double objective;     // Q at NC_HUBER_NOW
    double size;          // its terms without cancellation
    nc_huber_floor floor; // of the steps since the objective stopped resolving their decrease
    nc_huber_diagnostics diagnostics;
    nc_status outcome; // NC_OK, or the status of a system that was solved but not to be trusted
} nc_huber_step;

// Scalars of the candidates of one pass, indexed as huber_args.h says.
typedef double nc_huber_scalars[NC_HUBER_SCALARS];

nc_status nc_huber_check_options(const nc_huber_options *options);
nc_status nc_huber_work_reserve(nc_huber *model, int64_t rows);
void nc_huber_work_release(nc_huber *model);

nc_huber_scale nc_huber_scale_of(const nc_huber_step *step, double first, int64_t candidates);
// Evaluates the candidates in NC_HUBER_TRIED: residuals, losses and scalars.
nc_status nc_huber_evaluate(nc_huber_step *step, int64_t candidates, nc_huber_scalars *scalars);
// Makes candidate `index` the current coefficients, with its residuals.
nc_status nc_huber_accept(nc_huber_step *step, int64_t index);
// Evaluates the current coefficients again, after candidates that were all refused left their residuals.
nc_status nc_huber_return(nc_huber_step *step);
// w psi(r) and w kappa(r) of the current residuals into NC_HUBER_SCORES and NC_HUBER_CURVATURES.
nc_status nc_huber_scores_at(nc_huber_step *step);
// Scores, curvatures and the gradient at the current coefficients.
nc_status nc_huber_gradient_at(nc_huber_step *step);
// X' diag(weights) X into NC_HUBER_GRAM, for one of the work arrays of a value a row; _at: for the curvatures.
nc_status nc_huber_gram_of(nc_huber_step *step, nc_huber_work weights);
nc_status nc_huber_gram_at(nc_huber_step *step);
// A descent direction into NC_HUBER_DIRECTION from the gradient and curvatures; notes rank trouble in step->outcome.
nc_status nc_huber_direction_solve(nc_huber_step *step);
// The same from the curvatures psi(r) / r of the touching quadratic.
nc_status nc_huber_direction_majorised(nc_huber_step *step);
// What rounding makes of equal objectives.
double nc_huber_objective_noise(const nc_huber_step *step);
// |step| <= tolerance (min(1, tau) + |beta|).
int nc_huber_is_close(const nc_huber_step *step, const double *scalars);
// Whether steps that the objective cannot judge (`unjudged` tells whether this one is such) have stopped shrinking.
int nc_huber_has_stalled(nc_huber_step *step, int unjudged, double step2);
// Close, or the objective cannot resolve the decrease any more and the steps have stopped shrinking. `before` is the objective
// before the step.
int nc_huber_newton_is_done(nc_huber_step *step, double before, const double *scalars);

// Checks of a model's operands: x [n, p or q], and a vector of `extent`.
nc_status nc_huber_check_design(const nc_huber *model, const nc_array *x, const char *name);
nc_status nc_huber_check_vector(const nc_huber *model, const nc_array *array, const char *name, int64_t extent, const char *why);
// Where a batch's arrays lie; weights may be null.
nc_huber_rows nc_huber_rows_of(const nc_huber *model, const nc_array *x, const nc_array *y, const nc_array *weights);

nc_status nc_huber_newton(nc_huber_step *step);
nc_status nc_huber_proximal(nc_huber_step *step);

#endif
