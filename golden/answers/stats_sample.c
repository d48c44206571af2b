// SPDX-License-Identifier: Apache-2.0
// Answers of the module stats: addressed draws. Outputs: the draws in order; every element status must be OK.
#include "answers.h"

typedef struct sample_arrays {
    nc_array *trials, *parameters[NC_STATS_MAX_PARAMETERS], *status, *out;
} sample_arrays;

static void arrays_release(sample_arrays *arrays)
{
    nc_array_release(arrays->trials);
    for (int k = 0; k < NC_STATS_MAX_PARAMETERS; ++k) {
        nc_array_release(arrays->parameters[k]);
    }
    nc_array_release(arrays->status);
    nc_array_release(arrays->out);
}

static golden_status argument(nc_device *device, const golden_row *row, const char *key, golden_dtype dtype, nc_array **array,
                              golden_error *error)
{
    const char *text = "";
    unsigned char bytes[8];
    golden_value value;
    golden_status status = golden_row_string(row, key, &text, error);
    if (status == GOLDEN_OK && !golden_parse(text, dtype, &value)) {
        return golden_fail(error, GOLDEN_REFUSED, "row %s: %s=%s is no %s.", row->id, key, text, golden_dtype_name(dtype));
    }
    for (size_t i = 0; status == GOLDEN_OK && i < sizeof bytes; ++i) {
        bytes[i] = (unsigned char)(value.bits >> (8 * i) & 0xffu);
    }
    golden_array host = {.dtype = dtype, .count = 1, .bytes = bytes};
    return status == GOLDEN_OK ? golden_upload(device, row, &host, 0, NULL, array, error) : status;
}

static golden_status statuses_are_ok(const golden_row *row, const nc_array *array, golden_error *error)
{
    golden_array host;
    golden_status status = golden_fetch(row, array, GOLDEN_I32, &host, error);
    for (size_t i = 0; status == GOLDEN_OK && i < host.count; ++i) {
        if (golden_array_at(&host, i).bits != (uint64_t)NC_ELEMENT_OK) {
            status = golden_fail(error, GOLDEN_DIFFERS, "row %s: element %zu has status %lld.", row->id, i,
                                 (long long)golden_array_at(&host, i).bits);
        }
    }
    golden_array_free(&host);
    return status;
}

static golden_status answer_sample(nc_device *device, const golden_row *row, nc_family family, golden_answer *answer,
                                   golden_error *error)
{
    static const char *const keys[] = {"p0", "p1", "p2"};
    bool is_count = family >= NC_POISSON;
    golden_dtype result = is_count ? GOLDEN_I64 : row->dtype;
    sample_arrays arrays = {0};
    nc_draws draws;
    uint64_t stream = 0;
    int64_t count = 0;
    NC_STRUCT_INIT(&draws);
    draws.family = (int32_t)family;
    golden_status status = golden_row_unsigned(row, "seed", &draws.seed, error);
    status = status == GOLDEN_OK ? golden_row_unsigned(row, "stream", &stream, error) : status;
    status = status == GOLDEN_OK ? golden_row_unsigned(row, "first", &draws.first, error) : status;
    status = status == GOLDEN_OK ? golden_row_integer(row, "count", &count, error) : status;
    draws.stream = (uint32_t)stream;
    for (int k = 0; k < NC_STATS_MAX_PARAMETERS; ++k) {
        if (status == GOLDEN_OK && golden_row_has(row, keys[k])) {
            status = argument(device, row, keys[k], row->dtype, &arrays.parameters[k], error);
            draws.parameters[k] = arrays.parameters[k];
        }
    }
    if (status == GOLDEN_OK && golden_row_has(row, "trials")) {
        status = argument(device, row, "trials", GOLDEN_I64, &arrays.trials, error);
        draws.trials = arrays.trials;
    }
    status = status == GOLDEN_OK ? golden_create(device, row, GOLDEN_I32, 1, &count, &arrays.status, error) : status;
    status = status == GOLDEN_OK ? golden_create(device, row, result, 1, &count, &arrays.out, error) : status;
    if (status == GOLDEN_OK) {
        status = golden_nc(nc_observation_sample(&draws, arrays.status, arrays.out), "nc_observation_sample", row, error);
    }
    status = status == GOLDEN_OK ? statuses_are_ok(row, arrays.status, error) : status;
    status = status == GOLDEN_OK ? golden_download(row, arrays.out, result, answer, error) : status;
    arrays_release(&arrays);
    return status;
}

#define SAMPLE(name, family)                                                                                                       \
    golden_status golden_answer_stats_sample_##name(nc_device *device, const golden_row *row, golden_answer *answer,               \
                                                    golden_error *error)                                                           \
    {                                                                                                                              \
        return answer_sample(device, row, family, answer, error);                                                                  \
    }
SAMPLE(normal, NC_NORMAL)
SAMPLE(lognormal, NC_LOGNORMAL)
SAMPLE(student_t, NC_STUDENT_T)
SAMPLE(gamma, NC_GAMMA)
SAMPLE(poisson, NC_POISSON)
SAMPLE(negative_binomial, NC_NEGATIVE_BINOMIAL)
SAMPLE(binomial, NC_BINOMIAL)
SAMPLE(binomial_logit, NC_BINOMIAL_LOGIT)
