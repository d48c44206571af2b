// SPDX-License-Identifier: Apache-2.0
#include "answers.h"

#include <stdlib.h>
#include <string.h>

static golden_answerer *const answerers[] = {
#define GOLDEN_OPERATION(module, name, dtypes) golden_answer_##module##_##name,
#include "../operations/operations.def"
};

golden_status golden_nc(nc_status status, const char *call, const golden_row *row, golden_error *error)
{
    if (status == NC_OK) {
        return GOLDEN_OK;
    }
    return golden_fail(error, GOLDEN_DIFFERS, "row %s: %s returned %s: %.600s", row->id, call, nc_status_name(status),
                       nc_last_error());
}

typedef struct dtype_pair {
    golden_dtype golden;
    nc_dtype core;
} dtype_pair;

nc_dtype golden_nc_dtype(golden_dtype dtype)
{
    static const dtype_pair pairs[] = {{GOLDEN_F32, NC_F32}, {GOLDEN_F64, NC_F64}, {GOLDEN_I64, NC_I64},
                                       {GOLDEN_U32, NC_U32}, {GOLDEN_U8, NC_U8},   {GOLDEN_I32, NC_I32}};
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; ++i) {
        if (pairs[i].golden == dtype) {
            return pairs[i].core;
        }
    }
    return (nc_dtype)0; // no dtype: the core refuses it
}

golden_status golden_create(nc_device *device, const golden_row *row, golden_dtype dtype, int32_t rank, const int64_t *shape,
                            nc_array **array, golden_error *error)
{
    static const unsigned char poison[8] = {0x5a, 0xa5, 0x5a, 0xa5, 0x5a, 0xa5, 0x5a, 0xa5};
    golden_status status =
        golden_nc(nc_array_create(device, golden_nc_dtype(dtype), rank, shape, array), "nc_array_create", row, error);
    if (status == GOLDEN_OK) {
        status = golden_nc(nc_array_fill(*array, poison, golden_dtype_size(dtype)), "nc_array_fill", row, error);
    }
    return status;
}

golden_status golden_upload(nc_device *device, const golden_row *row, const golden_array *host, int32_t rank, const int64_t *shape,
                            nc_array **array, golden_error *error)
{
    nc_dtype dtype = golden_nc_dtype(host->dtype);
    golden_status status = golden_nc(nc_array_create(device, dtype, rank, shape, array), "nc_array_create", row, error);
    if (status == GOLDEN_OK) {
        size_t bytes = host->count * golden_dtype_size(host->dtype);
        status = golden_nc(nc_array_upload(*array, host->bytes, bytes), "nc_array_upload", row, error);
    }
    return status;
}

golden_status golden_fetch(const golden_row *row, const nc_array *array, golden_dtype dtype, golden_array *host,
                           golden_error *error)
{
    nc_array_info info;
    NC_STRUCT_INIT(&info);
    *host = (golden_array){.dtype = dtype};
    golden_status status = golden_nc(nc_array_info_get(array, &info), "nc_array_info_get", row, error);
    if (status == GOLDEN_OK && info.dtype != (int32_t)golden_nc_dtype(dtype)) {
        status = golden_fail(error, GOLDEN_DIFFERS, "row %s: the result is %s, not %s.", row->id,
                             nc_dtype_name((nc_dtype)info.dtype), golden_dtype_name(dtype));
    }
    status = status == GOLDEN_OK ? golden_array_alloc(dtype, (size_t)info.count, host, error) : status;
    if (status == GOLDEN_OK) {
        size_t bytes = host->count * golden_dtype_size(dtype);
        status = golden_nc(nc_array_download(array, host->bytes, bytes), "nc_array_download", row, error);
    }
    if (status != GOLDEN_OK) {
        golden_array_free(host);
    }
    return status;
}

golden_status golden_download(const golden_row *row, const nc_array *array, golden_dtype dtype, golden_answer *answer,
                              golden_error *error)
{
    golden_array host;
    golden_status status = golden_fetch(row, array, dtype, &host, error);
    status = status == GOLDEN_OK ? golden_answer_add_array(answer, &host, error) : status;
    golden_array_free(&host);
    return status;
}

golden_status golden_answer_row(nc_device *device, const golden_row *row, golden_answer *answer, golden_error *error)
{
    *answer = (golden_answer){0};
    const golden_operation *operation = golden_operation_find(row->operation);
    golden_status status = operation ? answerers[golden_operation_index(operation)](device, row, answer, error)
                                     : golden_fail(error, GOLDEN_REFUSED, "row %s: unknown operation %s.", row->id, row->operation);
    for (size_t i = 0; status == GOLDEN_OK && i < answer->count; ++i) {
        golden_value value = answer->outputs[i].value;
        uint64_t canonical = value.dtype == GOLDEN_F32 ? 0x7fc00000u : 0x7ff8000000000000u;
        if (golden_is_nan(value) && value.bits != canonical) { // text cannot tell NaNs apart, so their form is held here
            status = golden_fail(error, GOLDEN_DIFFERS, "row %s: output %zu is a NaN with bits %llx; NaN has one form, %llx.",
                                 row->id, i, (unsigned long long)value.bits, (unsigned long long)canonical);
        }
    }
    if (status != GOLDEN_OK) {
        golden_answer_free(answer);
    }
    return status;
}
