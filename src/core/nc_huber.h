// SPDX-License-Identifier: Apache-2.0
// Renewable Huber regression: one robust linear model kept up to date over a stream of batches, without keeping the data.
//
// Source: R. Jiang, L. Liang, K. Yu, "Renewable Huber estimation method for streaming datasets", Electronic Journal of
// Statistics 18(1), 674-705, 2024, doi:10.1214/24-EJS2223. docs/huber.md has the formulas with the symbols used here.
//
// p features, q = p + 1 coefficients with an intercept (always the last, never penalised), else q = p. X is row-major n x p, or
// n x q when the caller appended the column of ones: both widths give the same bytes. Weights are frequencies: weight 0 is a row
// that is not there, an integer weight is that many copies.
//
// Arithmetic: X, y, coefficients and predictions have the model's dtype; a prediction is one fma chain in column order. Residuals
// and gradients are float64 sums with compensation. Everything that sums over rows (objective, gradient, information) and the
// q-sized algebra is float64 in canonical order, for float32 models too, so iteration counts are equal on every backend.
//
// An update is transactional. It returns
//   NC_OK                 converged on a full-rank system; the new state is committed
//   NC_NOT_CONVERGED, NC_RANK_DEFICIENT, NC_ILL_CONDITIONED   committed too, and the answer needs the caller's eye
//   anything else         refused or failed: every byte of the state is what it was
#ifndef NC_HUBER_H
#define NC_HUBER_H

#include "nc_array.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct nc_huber nc_huber;

typedef enum nc_huber_penalty {
    NC_HUBER_PENALTY_NONE = 0, // damped Newton
    NC_HUBER_PENALTY_L1 = 1    // local adaptive majorise-minimisation, proximal steps
} nc_huber_penalty;

// How the last Newton step was solved.
typedef enum nc_huber_solve {
    NC_HUBER_SOLVE_NONE = 0,        // no linear system (L1)
    NC_HUBER_SOLVE_CHOLESKY = 1,    // symmetric information
    NC_HUBER_SOLVE_LU = 2,          // partial pivoting: a restored information that is not symmetric
    NC_HUBER_SOLVE_MINIMUM_NORM = 3 // one-sided Jacobi, after a pivot ratio below q eps
} nc_huber_solve;

typedef struct nc_huber_options {
    uint32_t abi_version;
    uint32_t struct_size;
    int32_t dtype;         // NC_F32 or NC_F64
    int32_t fit_intercept; // 0 or 1
    int64_t features;      // p >= 1
} nc_huber_options;

// Settings of one update. nc_huber_config_init sets the defaults given here.
typedef struct nc_huber_config {
    uint32_t abi_version;
    uint32_t struct_size;
    double tau;             // 1.345; finite, > 0; residuals beyond it count linearly
    double bandwidth_scale; // 1; finite, > 0
    double lambda_scale;    // 1; finite, >= 0
    double tolerance;       // 1e-6; finite, > 0: stop at |step| <= tolerance (min(1, tau) + |beta|), or when the objective has
                            // reached the floor that its rounding sets
    double ridge;           // 1e-8; finite, >= 0: added to the diagonal of the Newton system only
    int64_t max_iterations; // 100; >= 1
    int32_t penalty;        // NC_HUBER_PENALTY_NONE
    int32_t reserved;       // 0
} nc_huber_config;

typedef struct nc_huber_diagnostics {
    uint32_t abi_version;
    uint32_t struct_size;
    int64_t iterations;
    int64_t rejected_candidates; // step sizes tried and not taken, all iterations
    int64_t bad_row;             // lowest row with a non-finite value or a negative weight when NC_NUMERICAL_ERROR; else -1
    int32_t converged;           // 0 or 1
    int32_t solve;               // nc_huber_solve of the last step
    double objective;            // surrogate at the accepted coefficients, with the penalty for L1
    double lambda;               // 0 without penalty
    double bandwidth;            // h
    double batch_weight;         // m
    double pivot_ratio;          // smallest over largest pivot of the last Newton system; 1 for L1
} nc_huber_diagnostics;

// What a state holds. Coefficients and information are read with nc_huber_coefficients and nc_huber_information.
typedef struct nc_huber_info {
    uint32_t abi_version;
    uint32_t struct_size;
    int32_t dtype;
    int32_t fit_intercept;
    int64_t features;     // p
    int64_t coefficients; // q
    int64_t rows_seen;
    int64_t batches;
    double weight; // W, the sum of all weights
    double lambda; // of the last update
} nc_huber_info;

NC_API void nc_huber_config_init(nc_huber_config *config);

// An empty model: coefficients and information zero. Release with nc_huber_release (null is NC_OK).
NC_API nc_status nc_huber_create(nc_device *device, const nc_huber_options *options, nc_huber **model);
NC_API nc_status nc_huber_release(nc_huber *model);
NC_API nc_status nc_huber_info_get(const nc_huber *model, nc_huber_info *info);

// Takes in one batch that lies on the device: x [n, p] or [n, q], y [n], weights [n] or null (all 1), of the model's dtype, any
// strides, n >= 1, at least one positive weight. A row with a non-finite value or a negative weight refuses the whole batch
// (NC_NUMERICAL_ERROR, diagnostics->bad_row). diagnostics is written whenever the arguments were valid.
NC_API nc_status nc_huber_update(nc_huber *model, const nc_huber_config *config, const nc_array *x, const nc_array *y,
                                 const nc_array *weights, nc_huber_diagnostics *diagnostics);
// The same for host memory: x is row-major with `row_stride` elements between rows (>= columns); columns is p or q.
NC_API nc_status nc_huber_update_host(nc_huber *model, const nc_huber_config *config, const void *x, int64_t rows, int64_t columns,
                                      int64_t row_stride, const void *y, const void *weights, nc_huber_diagnostics *diagnostics);

// out[i] = x[i,:] beta (+ intercept). Reads device input in place: nothing is uploaded. x [n, p] or [n, q], out [n].
NC_API nc_status nc_huber_predict(const nc_huber *model, const nc_array *x, nc_array *out);
// Coefficients into out [q] of the model's dtype; information into out [q, q] float64.
NC_API nc_status nc_huber_coefficients(const nc_huber *model, nc_array *out);
NC_API nc_status nc_huber_information(const nc_huber *model, nc_array *out);

// The state as a checkpoint file's bytes: little-endian header, payload, CRC-64 (docs/huber.md has the layout). Call with
// bytes = null to learn the size. Every backend restores the same bytes to the same state; damage is refused
// (NC_INVALID_ARGUMENT naming what is wrong) and nothing is created.
NC_API nc_status nc_huber_export(const nc_huber *model, void *bytes, size_t capacity, size_t *size);
NC_API nc_status nc_huber_restore(nc_device *device, const void *bytes, size_t size, nc_huber **model);

#ifdef __cplusplus
}
#endif
#endif
