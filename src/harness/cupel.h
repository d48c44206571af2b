// SPDX-License-Identifier: Apache-2.0
// The harness: what a suite includes besides nc.h. A suite is a table of cases; the harness owns main, the device, the buffers,
// the comparison and the ledger. docs/adding-a-case.md shows one from the first line to the manifest.
//
// A case passes only if it compared at least one value, every expectation held, every output was written, every guard band and
// every input is as it was, the device reports no error, and nothing leaked. Expectations record and go on; cupel_require_*
// leave the case. All memory and arrays that these functions return belong to the case and are released after it.
#ifndef CUPEL_H
#define CUPEL_H

#include "nc.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- Case tables --------------------------------------------------------------------------------------------------------------

typedef struct cupel_context cupel_context;

typedef struct cupel_case {
    const char *id; // [a-z0-9._-], at most 100; the first component is the suite's name
    void (*run)(cupel_context *context);
    nc_dtype dtype;   // for cases that exist once for each precision
    const void *data; // the case's own parameters
} cupel_case;

#define CUPEL_CASE(id, run)                                                                                                        \
    {                                                                                                                              \
        (id), (run), (nc_dtype)0, NULL                                                                                             \
    }
// The same function in float32 ("<id>.f32") and float64 ("<id>.f64").
#define CUPEL_CASE_REALS(id, run)                                                                                                  \
    {id ".f32", (run), NC_F32, NULL},                                                                                              \
    {                                                                                                                              \
        id ".f64", (run), NC_F64, NULL                                                                                             \
    }
#define CUPEL_CASE_REALS_DATA(id, run, data)                                                                                       \
    {id ".f32", (run), NC_F32, (data)},                                                                                            \
    {                                                                                                                              \
        id ".f64", (run), NC_F64, (data)                                                                                           \
    }

typedef struct cupel_table {
    const cupel_case *cases;
    size_t count;
} cupel_table;

#define CUPEL_TABLE(cases)                                                                                                         \
    {                                                                                                                              \
        (cases), sizeof(cases) / sizeof *(cases)                                                                                   \
    }

typedef struct cupel_suite {
    const char *name;
    const cupel_table *const *tables; // each file of a suite has one
    size_t count;
} cupel_suite;

// Every suite defines this one object: const cupel_suite cupel_this_suite = CUPEL_SUITE("rng", tables);
extern const cupel_suite cupel_this_suite;
#define CUPEL_SUITE(name, tables)                                                                                                  \
    {                                                                                                                              \
        (name), (tables), sizeof(tables) / sizeof *(tables)                                                                        \
    }

// ---- The running case ---------------------------------------------------------------------------------------------------------

nc_device *cupel_device(const cupel_context *context);
const char *cupel_case_id(const cupel_context *context);
nc_dtype cupel_dtype(const cupel_context *context);
const void *cupel_data(const cupel_context *context);
// What the case itself (not the harness) has launched, moved and had compiled so far.
uint64_t cupel_kernels(cupel_context *context);
uint64_t cupel_bytes_uploaded(cupel_context *context);
uint64_t cupel_bytes_downloaded(cupel_context *context);
uint64_t cupel_programs(cupel_context *context);

// Zeroed host memory until the end of the case. Never null; 0 bytes give a unique address.
void *cupel_alloc(cupel_context *context, size_t bytes);
// Element `index` of host values of a real dtype; a double is rounded once.
void cupel_set_real(nc_dtype dtype, void *values, size_t index, double value);
double cupel_get_real(nc_dtype dtype, const void *values, size_t index);
// `count` reals made from doubles.
void *cupel_reals(cupel_context *context, nc_dtype dtype, const double *values, size_t count);

// ---- Device arrays ------------------------------------------------------------------------------------------------------------
// Each lies inside a larger allocation that was filled, on the device, with a pattern of this case's own; so are the guard bands
// around it and the gaps between strided elements. After the case every guard and gap must still hold the pattern, an input must
// hold its bytes, and no element of an output may still hold the pattern. Host values are contiguous, in C order.

// Read by the operation, never written.
nc_array *cupel_input(cupel_context *context, nc_dtype dtype, int32_t rank, const int64_t *shape, const void *values);
nc_array *cupel_input_vector(cupel_context *context, nc_dtype dtype, int64_t count, const void *values);
// Written by the operation, every element.
nc_array *cupel_output(cupel_context *context, nc_dtype dtype, int32_t rank, const int64_t *shape);
nc_array *cupel_output_vector(cupel_context *context, nc_dtype dtype, int64_t count);
// Has a value and may be written.
nc_array *cupel_update(cupel_context *context, nc_dtype dtype, int32_t rank, const int64_t *shape, const void *values);
// The same with strides in elements; they may be negative, and 0 for an input.
nc_array *cupel_input_strided(cupel_context *context, nc_dtype dtype, int32_t rank, const int64_t *shape, const int64_t *strides,
                              const void *values);
nc_array *cupel_output_strided(cupel_context *context, nc_dtype dtype, int32_t rank, const int64_t *shape, const int64_t *strides);
nc_array *cupel_update_strided(cupel_context *context, nc_dtype dtype, int32_t rank, const int64_t *shape, const int64_t *strides,
                               const void *values);
// A host copy of any array, in C order, after the residency of the storage was checked.
const void *cupel_download(cupel_context *context, const nc_array *array);

// ---- Expectations -------------------------------------------------------------------------------------------------------------

typedef struct cupel_place {
    const char *file;
    int line;
    const char *text;
} cupel_place;
#ifdef __cplusplus
#define CUPEL_HERE(text) (cupel_place{__FILE__, __LINE__, (text)})
#else
#define CUPEL_HERE(text) ((cupel_place){__FILE__, __LINE__, (text)})
#endif

// Every element has exactly these bits. `count` must be the array's element count, and not 0. A NaN may be expected only where
// `nan_at` says 1 (null: nowhere), and is compared by its bits as well.
#define cupel_expect_bits(context, array, expected, count)                                                                         \
    cupel_check_bits((context), CUPEL_HERE(#array), (array), (expected), (count), NULL)
#define cupel_expect_bits_nan(context, array, expected, count, nan_at)                                                             \
    cupel_check_bits((context), CUPEL_HERE(#array), (array), (expected), (count), (nan_at))
// Every element is finite where expected is, and within `ulp` units in the last place of it (0 <= ulp <= 2^20, stated by
// `derivation`). An infinity matches itself alone; zeros must agree in sign.
#define cupel_expect_within_ulp(context, array, expected, count, ulp, derivation)                                                  \
    cupel_check_within_ulp((context), CUPEL_HERE(#array), (array), (expected), (count), (ulp), (derivation))
// The same with an absolute bound of its own for each element; expected values are doubles whatever the array's dtype.
#define cupel_expect_within_bound(context, array, expected, bounds, count, derivation)                                             \
    cupel_check_within_bound((context), CUPEL_HERE(#array), (array), (expected), (bounds), (count), (derivation))
// Host values against host values, by bits. `actual` and `expected` must not overlap.
#define cupel_expect_same(context, dtype, actual, expected, count)                                                                 \
    cupel_check_same((context), CUPEL_HERE(#actual), (dtype), (actual), (expected), (count))
#define cupel_expect_status(context, call, expected) cupel_check_status((context), CUPEL_HERE(#call), (call), (expected))
#define cupel_expect_true(context, condition) cupel_check_true((context), CUPEL_HERE(#condition), (condition))
#define cupel_expect_u64(context, actual, expected) cupel_check_u64((context), CUPEL_HERE(#actual), (actual), (expected))
#define cupel_expect_text(context, actual, expected) cupel_check_text((context), CUPEL_HERE(#actual), (actual), (expected))
// Values that other code compared by their bits: how many, of how many bytes, how many differ and in how many bits, and what the
// first one was.
#define cupel_expect_counted(context, what, values, bytes, differing, bits, first)                                                 \
    cupel_check_counted((context), CUPEL_HERE(what), (values), (bytes), (differing), (bits), (first))
// No element of an output was written (for calls that were refused).
#define cupel_expect_untouched(context, array) cupel_check_untouched((context), CUPEL_HERE(#array), (array))
// The call is NC_OK, or the case ends here.
#define cupel_require_ok(context, call) cupel_require_status((context), CUPEL_HERE(#call), (call))

void cupel_check_bits(cupel_context *context, cupel_place place, const nc_array *array, const void *expected, size_t count,
                      const uint8_t *nan_at);
void cupel_check_within_ulp(cupel_context *context, cupel_place place, const nc_array *array, const void *expected, size_t count,
                            double ulp, const char *derivation);
void cupel_check_within_bound(cupel_context *context, cupel_place place, const nc_array *array, const double *expected,
                              const double *bounds, size_t count, const char *derivation);
void cupel_check_same(cupel_context *context, cupel_place place, nc_dtype dtype, const void *actual, const void *expected,
                      size_t count);
void cupel_check_status(cupel_context *context, cupel_place place, nc_status actual, nc_status expected);
void cupel_check_true(cupel_context *context, cupel_place place, bool condition);
void cupel_check_u64(cupel_context *context, cupel_place place, uint64_t actual, uint64_t expected);
void cupel_check_text(cupel_context *context, cupel_place place, const char *actual, const char *expected);
void cupel_check_counted(cupel_context *context, cupel_place place, uint64_t values, uint64_t bytes, uint64_t differing,
                         uint64_t bits, const char *first);
void cupel_check_untouched(cupel_context *context, cupel_place place, const nc_array *array);
void cupel_require_status(cupel_context *context, cupel_place place, nc_status status);

// States an outcome by name for the ledger, beside the case's own: field and outcome are words of [a-z0-9_], each field once. A
// case that fails has claimed nothing. The manifest says which fields a case must claim (docs/formats.md).
void cupel_claim(cupel_context *context, const char *field, const char *outcome);
// Fails the case with a sentence of its own; cupel_stop also leaves it.
void cupel_fail(cupel_context *context, const char *format, ...) __attribute__((format(printf, 2, 3)));
void cupel_stop(cupel_context *context, const char *format, ...) __attribute__((format(printf, 2, 3), noreturn));

#ifdef __cplusplus
}
#endif
#endif
