// SPDX-License-Identifier: Apache-2.0
// Answers of the module linalg.
#include "answers.h"

// The operands of one row on the device.
typedef struct linalg_arrays {
    golden_array x, y;
    nc_array *device_x, *device_y, *out;
} linalg_arrays;

static void arrays_release(linalg_arrays *arrays)
{
    nc_array_release(arrays->device_x);
    nc_array_release(arrays->device_y);
    nc_array_release(arrays->out);
    golden_array_free(&arrays->x);
    golden_array_free(&arrays->y);
}

static golden_status operand_load(nc_device *device, const golden_row *row, const char *key, golden_array *host, nc_array **array,
                                  golden_error *error)
{
    golden_status status = golden_row_array(row, key, row->dtype, host, error);
    int64_t shape[1] = {(int64_t)host->count};
    return status == GOLDEN_OK ? golden_upload(device, row, host, 1, shape, array, error) : status;
}

golden_status golden_answer_linalg_axpy(nc_device *device, const golden_row *row, golden_answer *answer, golden_error *error)
{
    linalg_arrays arrays = {0};
    double alpha = 0.0;
    golden_status status = golden_row_real(row, "alpha", &alpha, error);
    status = status == GOLDEN_OK ? operand_load(device, row, "x", &arrays.x, &arrays.device_x, error) : status;
    status = status == GOLDEN_OK ? operand_load(device, row, "y", &arrays.y, &arrays.device_y, error) : status;
    int64_t shape[1] = {(int64_t)arrays.y.count};
    status = status == GOLDEN_OK ? golden_create(device, row, row->dtype, 1, shape, &arrays.out, error) : status;
    if (status == GOLDEN_OK) {
        status = golden_nc(nc_axpy(alpha, arrays.device_x, arrays.device_y, arrays.out), "nc_axpy", row, error);
    }
    status = status == GOLDEN_OK ? golden_download(row, arrays.out, row->dtype, answer, error) : status;
    arrays_release(&arrays);
    return status;
}

// Operations that take one array to one element.
typedef nc_status reduction(const nc_array *x, nc_array *out);

static golden_status reduce(nc_device *device, const golden_row *row, reduction *call, const char *name, golden_answer *answer,
                            golden_error *error)
{
    linalg_arrays arrays = {0};
    golden_status status = operand_load(device, row, "x", &arrays.x, &arrays.device_x, error);
    status = status == GOLDEN_OK ? golden_create(device, row, row->dtype, 0, NULL, &arrays.out, error) : status;
    status = status == GOLDEN_OK ? golden_nc(call(arrays.device_x, arrays.out), name, row, error) : status;
    status = status == GOLDEN_OK ? golden_download(row, arrays.out, row->dtype, answer, error) : status;
    arrays_release(&arrays);
    return status;
}

golden_status golden_answer_linalg_sum(nc_device *device, const golden_row *row, golden_answer *answer, golden_error *error)
{
    return reduce(device, row, nc_sum, "nc_sum", answer, error);
}

golden_status golden_answer_linalg_minimum(nc_device *device, const golden_row *row, golden_answer *answer, golden_error *error)
{
    return reduce(device, row, nc_minimum, "nc_minimum", answer, error);
}

golden_status golden_answer_linalg_maximum(nc_device *device, const golden_row *row, golden_answer *answer, golden_error *error)
{
    return reduce(device, row, nc_maximum, "nc_maximum", answer, error);
}

golden_status golden_answer_linalg_dot(nc_device *device, const golden_row *row, golden_answer *answer, golden_error *error)
{
    linalg_arrays arrays = {0};
    golden_status status = operand_load(device, row, "x", &arrays.x, &arrays.device_x, error);
    status = status == GOLDEN_OK ? operand_load(device, row, "y", &arrays.y, &arrays.device_y, error) : status;
    status = status == GOLDEN_OK ? golden_create(device, row, row->dtype, 0, NULL, &arrays.out, error) : status;
    status = status == GOLDEN_OK ? golden_nc(nc_dot(arrays.device_x, arrays.device_y, arrays.out), "nc_dot", row, error) : status;
    status = status == GOLDEN_OK ? golden_download(row, arrays.out, row->dtype, answer, error) : status;
    arrays_release(&arrays);
    return status;
}

golden_status golden_answer_linalg_block_maximum(nc_device *device, const golden_row *row, golden_answer *answer,
                                                 golden_error *error)
{
    linalg_arrays arrays = {0};
    int64_t block = 0;
    golden_status status = golden_row_integer(row, "block", &block, error);
    status = status == GOLDEN_OK ? operand_load(device, row, "x", &arrays.x, &arrays.device_x, error) : status;
    if (status == GOLDEN_OK && block < 1) {
        status = golden_fail(error, GOLDEN_REFUSED, "row %s: block must be at least 1.", row->id);
    }
    int64_t step = block < 1 ? 1 : block, count = (int64_t)arrays.x.count, shape[1] = {count / step + (count % step != 0)};
    status = status == GOLDEN_OK ? golden_create(device, row, row->dtype, 1, shape, &arrays.out, error) : status;
    status = status == GOLDEN_OK ? golden_nc(nc_block_maximum(arrays.device_x, block, arrays.out), "nc_block_maximum", row, error)
                                 : status;
    status = status == GOLDEN_OK ? golden_download(row, arrays.out, row->dtype, answer, error) : status;
    arrays_release(&arrays);
    return status;
}

// One matrix argument; `rows` and `columns` must fit its elements.
static golden_status matrix_load(nc_device *device, const golden_row *row, const char *key, int64_t rows, int64_t columns,
                                 nc_array **matrix, golden_error *error)
{
    golden_array host;
    int64_t shape[2] = {rows, columns};
    golden_status status = golden_row_array(row, key, row->dtype, &host, error);
    if (status == GOLDEN_OK && (rows < 0 || columns < 0 || host.count != (size_t)(rows * columns))) {
        status = golden_fail(error, GOLDEN_REFUSED, "row %s: %s must have %lld x %lld elements.", row->id, key, (long long)rows,
                             (long long)columns);
    }
    status = status == GOLDEN_OK ? golden_upload(device, row, &host, 2, shape, matrix, error) : status;
    golden_array_free(&host);
    return status;
}

golden_status golden_answer_linalg_gemm(nc_device *device, const golden_row *row, golden_answer *answer, golden_error *error)
{
    nc_array *a = NULL, *b = NULL, *c = NULL;
    int64_t m = 0, n = 0, k = 0;
    double alpha = 0.0, beta = 0.0;
    golden_status status = golden_row_integer(row, "m", &m, error);
    status = status == GOLDEN_OK ? golden_row_integer(row, "n", &n, error) : status;
    status = status == GOLDEN_OK ? golden_row_integer(row, "k", &k, error) : status;
    status = status == GOLDEN_OK ? golden_row_real(row, "alpha", &alpha, error) : status;
    status = status == GOLDEN_OK ? golden_row_real(row, "beta", &beta, error) : status;
    status = status == GOLDEN_OK ? matrix_load(device, row, "a", m, k, &a, error) : status;
    status = status == GOLDEN_OK ? matrix_load(device, row, "b", k, n, &b, error) : status;
    status = status == GOLDEN_OK ? matrix_load(device, row, "c", m, n, &c, error) : status;
    status = status == GOLDEN_OK ? golden_nc(nc_gemm(alpha, a, b, beta, c), "nc_gemm", row, error) : status;
    status = status == GOLDEN_OK ? golden_download(row, c, row->dtype, answer, error) : status;
    nc_array_release(a);
    nc_array_release(b);
    nc_array_release(c);
    return status;
}
