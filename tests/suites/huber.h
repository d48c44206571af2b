// SPDX-License-Identifier: Apache-2.0
// The parts of the suite huber, and what its cases share.
#ifndef SUITE_HUBER_H
#define SUITE_HUBER_H

#include "cupel.h"

extern const cupel_table huber_certified_table;
extern const cupel_table huber_golden_table;
extern const cupel_table huber_stream_table;
extern const cupel_table huber_state_table;
extern const cupel_table huber_named_table;
extern const cupel_table huber_rank_table;
extern const cupel_table huber_restored_table;
extern const cupel_table huber_search_table;

// A model that the case releases with huber_close.
nc_huber *huber_open(cupel_context *context, nc_dtype dtype, int32_t fit_intercept, int64_t features);
void huber_close(cupel_context *context, nc_huber *model);
nc_huber_config huber_config(double tau, double ridge, double tolerance);
nc_huber_diagnostics huber_diagnostics(void);

// An update from doubles (rounded once to the model's dtype) through arrays of the device; weights may be null.
nc_status huber_take(cupel_context *context, nc_huber *model, const nc_huber_config *config, const double *x, const double *y,
                     const double *weights, int64_t rows, int64_t columns, nc_huber_diagnostics *diagnostics);
// Coefficients of the model as doubles, intercept last.
const double *huber_beta(cupel_context *context, const nc_huber *model);
// The exported state; *size receives its bytes.
const void *huber_bytes(cupel_context *context, const nc_huber *model, size_t *size);

// The checkpoint's header (docs/huber.md), for cases that write states no stream leads to.
enum {
    HUBER_ROWS_AT = 32,
    HUBER_BATCHES_AT = 40,
    HUBER_WEIGHT_AT = 48,
    HUBER_LAMBDA_AT = 56,
    HUBER_ZERO_AT = 64,
    HUBER_HEADER_BYTES = 72
};
uint64_t huber_bits(double value);
// Little-endian bytes.
void huber_put(unsigned char *at, uint64_t bits, size_t width);
// Makes the checksum at the end fit the bytes before.
void huber_seal(unsigned char *bytes, size_t size);

// Reproducible values of no special structure: entry (row, column) of stream `key`, a multiple of 2^-20 in [-2, 2).
double huber_value(uint64_t key, int64_t row, int64_t column);

#endif
