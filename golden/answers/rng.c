// SPDX-License-Identifier: Apache-2.0
// Answers of the module rng.
#include "answers.h"

typedef nc_status generator(uint64_t seed, uint64_t stream, uint64_t first, nc_array *out);

static golden_status draw(nc_device *device, const golden_row *row, generator *call, const char *name, golden_answer *answer,
                          golden_error *error)
{
    uint64_t seed = 0, stream = 0, first = 0;
    int64_t count = 0;
    nc_array *out = NULL;
    golden_status status = golden_row_unsigned(row, "seed", &seed, error);
    status = status == GOLDEN_OK ? golden_row_unsigned(row, "stream", &stream, error) : status;
    status = status == GOLDEN_OK ? golden_row_unsigned(row, "first", &first, error) : status;
    status = status == GOLDEN_OK ? golden_row_integer(row, "count", &count, error) : status;
    status = status == GOLDEN_OK ? golden_create(device, row, row->dtype, 1, &count, &out, error) : status;
    status = status == GOLDEN_OK ? golden_nc(call(seed, stream, first, out), name, row, error) : status;
    status = status == GOLDEN_OK ? golden_download(row, out, row->dtype, answer, error) : status;
    nc_array_release(out);
    return status;
}

golden_status golden_answer_rng_words(nc_device *device, const golden_row *row, golden_answer *answer, golden_error *error)
{
    return draw(device, row, nc_rng_words, "nc_rng_words", answer, error);
}

golden_status golden_answer_rng_uniform(nc_device *device, const golden_row *row, golden_answer *answer, golden_error *error)
{
    return draw(device, row, nc_rng_uniform, "nc_rng_uniform", answer, error);
}

golden_status golden_answer_rng_uniform_curand(nc_device *device, const golden_row *row, golden_answer *answer, golden_error *error)
{
    return draw(device, row, nc_rng_uniform_curand, "nc_rng_uniform_curand", answer, error);
}
golden_status golden_answer_rng_normal(nc_device *device, const golden_row *row, golden_answer *answer, golden_error *error)
{
    return draw(device, row, nc_rng_normal, "nc_rng_normal", answer, error);
}
