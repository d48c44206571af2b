// SPDX-License-Identifier: Apache-2.0
// Answers: a row of inputs computed through nc.h on any device. `cupel golden` uses the CPU reference; the suites of every backend
// compare the same rows with the committed corpora. Only the public API is used here.
#ifndef GOLDEN_ANSWERS_H
#define GOLDEN_ANSWERS_H

#include "../golden.h"
#include "nc.h"

// Computes the outputs of `row`, whatever its operation. A call that fails is GOLDEN_DIFFERS with the core's own sentence.
golden_status golden_answer_row(nc_device *device, const golden_row *row, golden_answer *answer, golden_error *error);

// One answerer for each line of golden/operations: golden_answer_<module>_<name>. It adds outputs to an empty answer.
typedef golden_status golden_answerer(nc_device *device, const golden_row *row, golden_answer *answer, golden_error *error);
#define GOLDEN_OPERATION(module, name, dtypes) golden_answerer golden_answer_##module##_##name;
#include "../operations/operations.def"

// ---- Help for answerers --------------------------------------------------------------------------------------------------

// GOLDEN_OK for NC_OK; else GOLDEN_DIFFERS, naming the row, the call and nc_last_error().
golden_status golden_nc(nc_status status, const char *call, const golden_row *row, golden_error *error);
nc_dtype golden_nc_dtype(golden_dtype dtype);
// A device array of `host`'s dtype and elements; `shape` has `rank` extents whose product is host->count.
golden_status golden_upload(nc_device *device, const golden_row *row, const golden_array *host, int32_t rank, const int64_t *shape,
                            nc_array **array, golden_error *error);
// A device array filled with a poison pattern that no answer has, so that an element never written shows.
golden_status golden_create(nc_device *device, const golden_row *row, golden_dtype dtype, int32_t rank, const int64_t *shape,
                            nc_array **array, golden_error *error);
// Downloads all elements and adds them as numbered outputs; refuses an array of another dtype.
golden_status golden_download(const golden_row *row, const nc_array *array, golden_dtype dtype, golden_answer *answer,
                              golden_error *error);
// Downloads all elements into a host array of `dtype` (release with golden_array_free).
golden_status golden_fetch(const golden_row *row, const nc_array *array, golden_dtype dtype, golden_array *host,
                           golden_error *error);

// ---- Comparison with a committed corpus: what a suite's case does --------------------------------------------------------------

typedef struct golden_comparison {
    size_t rows;      // rows of inputs answered
    size_t values;    // outputs compared
    uint64_t bytes;   // of the answers compared; of a bulk row all, since its hash is compared
    size_t differing; // outputs whose text differs
    uint64_t bits;    // differing bits in all
    char first[512];  // the first difference: id, expected, got
} golden_comparison;

// Answers every row of `operation` ("linalg.sum") and dtype on `device` and compares bytes with the committed corpus under
// `directory` (the golden folder). GOLDEN_OK when all agree and at least one value was compared.
golden_status golden_compare(nc_device *device, const char *directory, const char *operation, golden_dtype dtype,
                             golden_comparison *comparison, golden_error *error);

#endif
