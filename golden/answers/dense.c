// SPDX-License-Identifier: Apache-2.0
// Answers of the module dense: Gram matrices and linear systems.
#include "answers.h"

// The argument `key` as a device array of the given shape.
static golden_status operand_load(nc_device *device, const golden_row *row, const char *key, int32_t rank, const int64_t *shape,
                                  nc_array **array, golden_error *error)
{
    golden_array host;
    int64_t count = 1;
    golden_status status = golden_row_array(row, key, row->dtype, &host, error);
    for (int32_t axis = 0; axis < rank; ++axis) {
        count *= shape[axis];
    }
    if (status == GOLDEN_OK && (count < 0 || host.count != (size_t)count)) {
        status = golden_fail(error, GOLDEN_REFUSED, "row %s: %s must have %lld elements.", row->id, key, (long long)count);
    }
    status = status == GOLDEN_OK ? golden_upload(device, row, &host, rank, shape, array, error) : status;
    golden_array_free(&host);
    return status;
}

golden_status golden_answer_dense_gram(nc_device *device, const golden_row *row, golden_answer *answer, golden_error *error)
{
    nc_array *x = NULL, *w = NULL, *out = NULL;
    int64_t rows = 0, columns = 0;
    golden_status status = golden_row_integer(row, "rows", &rows, error);
    status = status == GOLDEN_OK ? golden_row_integer(row, "columns", &columns, error) : status;
    int64_t shape[2] = {rows, columns}, square[2] = {columns, columns};
    status = status == GOLDEN_OK ? operand_load(device, row, "x", 2, shape, &x, error) : status;
    status = status == GOLDEN_OK ? operand_load(device, row, "w", 1, shape, &w, error) : status;
    status = status == GOLDEN_OK ? golden_create(device, row, row->dtype, 2, square, &out, error) : status;
    status = status == GOLDEN_OK ? golden_nc(nc_gram(x, w, out), "nc_gram", row, error) : status;
    status = status == GOLDEN_OK ? golden_download(row, out, row->dtype, answer, error) : status;
    nc_array_release(out);
    nc_array_release(w);
    nc_array_release(x);
    return status;
}

// One system on the device: A (which its factor replaces), b (which x replaces), pivots, status.
typedef struct dense_system {
    nc_array *a, *x, *pivots, *status;
} dense_system;

static golden_status system_load(nc_device *device, const golden_row *row, dense_system *system, golden_error *error)
{
    golden_array matrix = {0};
    int64_t n = 0;
    golden_status status = golden_row_integer(row, "n", &n, error);
    int64_t shape[2] = {n, n}, one[1] = {1};
    status = status == GOLDEN_OK ? golden_row_matrix(row, n, &matrix, error) : status;
    if (status == GOLDEN_OK && (n < 1 || matrix.count != (size_t)(n * n))) {
        status = golden_fail(error, GOLDEN_REFUSED, "row %s: a must have n x n elements.", row->id);
    }
    status = status == GOLDEN_OK ? golden_upload(device, row, &matrix, 2, shape, &system->a, error) : status;
    status = status == GOLDEN_OK ? operand_load(device, row, "b", 1, shape, &system->x, error) : status;
    status = status == GOLDEN_OK ? golden_create(device, row, GOLDEN_I32, 1, shape, &system->pivots, error) : status;
    status = status == GOLDEN_OK ? golden_create(device, row, GOLDEN_I32, 1, one, &system->status, error) : status;
    golden_array_free(&matrix);
    return status;
}

static void system_release(dense_system *system)
{
    nc_array_release(system->status);
    nc_array_release(system->pivots);
    nc_array_release(system->x);
    nc_array_release(system->a);
}

// A factorisation that did not succeed has no solution to record.
static golden_status system_check(const golden_row *row, const dense_system *system, golden_error *error)
{
    golden_array host = {0};
    golden_status status = golden_fetch(row, system->status, GOLDEN_I32, &host, error);
    if (status == GOLDEN_OK && golden_array_at(&host, 0).bits != NC_OK) {
        status = golden_fail(error, GOLDEN_DIFFERS, "row %s: the factorisation ended as %s.", row->id,
                             nc_status_name((nc_status)golden_array_at(&host, 0).bits));
    }
    golden_array_free(&host);
    return status;
}

golden_status golden_answer_dense_cholesky(nc_device *device, const golden_row *row, golden_answer *answer, golden_error *error)
{
    dense_system system = {0};
    golden_status status = system_load(device, row, &system, error);
    status = status == GOLDEN_OK ? golden_nc(nc_cholesky(system.a, system.a, system.status), "nc_cholesky", row, error) : status;
    status = status == GOLDEN_OK ? system_check(row, &system, error) : status;
    status =
        status == GOLDEN_OK ? golden_nc(nc_cholesky_solve(system.a, system.x, system.x), "nc_cholesky_solve", row, error) : status;
    status = status == GOLDEN_OK ? golden_download(row, system.x, row->dtype, answer, error) : status;
    system_release(&system);
    return status;
}

golden_status golden_answer_dense_lu(nc_device *device, const golden_row *row, golden_answer *answer, golden_error *error)
{
    dense_system system = {0};
    golden_status status = system_load(device, row, &system, error);
    status = status == GOLDEN_OK ? golden_nc(nc_lu(system.a, system.a, system.pivots, system.status), "nc_lu", row, error) : status;
    status = status == GOLDEN_OK ? system_check(row, &system, error) : status;
    status = status == GOLDEN_OK ? golden_nc(nc_lu_solve(system.a, system.pivots, system.x, system.x), "nc_lu_solve", row, error)
                                 : status;
    status = status == GOLDEN_OK ? golden_download(row, system.x, row->dtype, answer, error) : status;
    system_release(&system);
    return status;
}

// The solution, then full_rank: 1 or 0.
golden_status golden_answer_dense_minimum_norm(nc_device *device, const golden_row *row, golden_answer *answer, golden_error *error)
{
    dense_system system = {0};
    golden_array host = {0};
    golden_status status = system_load(device, row, &system, error);
    if (status == GOLDEN_OK) {
        nc_status called = nc_minimum_norm_solve(system.a, system.x, system.x, system.status);
        status = golden_nc(called, "nc_minimum_norm_solve", row, error);
    }
    status = status == GOLDEN_OK ? golden_fetch(row, system.status, GOLDEN_I32, &host, error) : status;
    status = status == GOLDEN_OK ? golden_download(row, system.x, row->dtype, answer, error) : status;
    if (status == GOLDEN_OK) {
        uint64_t ended = golden_array_at(&host, 0).bits;
        status = ended == NC_OK || ended == NC_RANK_DEFICIENT
                     ? golden_answer_add(answer, "full_rank", (golden_value){GOLDEN_I32, ended == NC_OK}, error)
                     : golden_nc((nc_status)ended, "the system's status", row, error);
    }
    golden_array_free(&host);
    system_release(&system);
    return status;
}
