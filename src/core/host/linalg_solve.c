// SPDX-License-Identifier: Apache-2.0
// Dense systems: validation, copies into place, and one launch over the batch.
#include "host.h"

#include "../kernels/solve_args.h"

// What one call works on; absent operands are null.
typedef struct nc_solve_call {
    const nc_array *a; // [n,n] or [m,n,n]: decides n and m
    const char *a_name;
    nc_array *factor;
    nc_array *pivots;
    const nc_array *b;
    nc_array *x;
    nc_array *status;
} nc_solve_call;

static nc_status nc_solve_check_matrix(const nc_array *a, const char *name)
{
    NC_TRY(nc_check_real(a, name));
    if (a->rank != 2 && a->rank != 3) {
        return be_fail(NC_SHAPE_MISMATCH, "%s has rank %d; it must be a matrix [n,n] or a batch [m,n,n]", name, (int)a->rank);
    }
    return nc_check_extent(a, name, a->rank - 1, a->shape[a->rank - 2], "its rows: the matrix must be square");
}

// `array` belongs to a's device, has `dtype`, and one axis a matrix for each of the batch, then `vector` more of extent n.
static nc_status nc_solve_check_operand(const nc_solve_call *call, const nc_array *array, const char *name, nc_dtype dtype,
                                        int32_t vector)
{
    int32_t batch = call->a->rank - 2;
    NC_TRY(nc_check_array(array, name));
    NC_TRY(nc_check_same_device(array, name, call->a, call->a_name));
    if (dtype == call->a->dtype) {
        NC_TRY(nc_check_same_dtype(array, name, call->a, call->a_name));
    } else {
        NC_TRY(nc_check_dtype(array, name, dtype));
    }
    if (batch == 0 && vector == 0) {
        return nc_check_count(array, name, 1);
    }
    NC_TRY(nc_check_rank(array, name, batch + vector));
    if (batch == 1) {
        NC_TRY(nc_check_extent(array, name, 0, call->a->shape[0], "the matrices of the batch"));
    }
    return vector == 0 ? NC_OK : nc_check_extent(array, name, batch, call->a->shape[call->a->rank - 1], "the order of the matrix");
}

// An output may be the very view of the input it replaces, and nothing else of any input.
static nc_status nc_solve_check_output(const nc_array *output, const char *name, const nc_array *input, const char *input_name)
{
    NC_TRY(nc_check_output(output, name));
    if (input == NULL || nc_array_is_same_view(output, input)) {
        return NC_OK;
    }
    return nc_check_apart(output, name, input, input_name);
}

static nc_status nc_solve_check(const nc_solve_call *call)
{
    NC_TRY(nc_solve_check_matrix(call->a, call->a_name));
    if (call->factor != NULL) {
        NC_TRY(nc_check_array(call->factor, "factor"));
        NC_TRY(nc_check_same_device(call->factor, "factor", call->a, call->a_name));
        NC_TRY(nc_check_same_dtype(call->factor, "factor", call->a, call->a_name));
        NC_TRY(nc_check_same_shape(call->factor, "factor", call->a, call->a_name));
        NC_TRY(nc_solve_check_output(call->factor, "factor", call->a, call->a_name));
    }
    if (call->pivots != NULL) {
        NC_TRY(nc_solve_check_operand(call, call->pivots, "pivots", NC_I32, 1));
    }
    if (call->x != NULL) {
        NC_TRY(nc_solve_check_operand(call, call->b, "b", call->a->dtype, 1));
        NC_TRY(nc_solve_check_operand(call, call->x, "x", call->a->dtype, 1));
        NC_TRY(nc_solve_check_output(call->x, "x", call->b, "b"));
        NC_TRY(nc_check_apart(call->x, "x", call->a, call->a_name));
    }
    if (call->status != NULL) {
        NC_TRY(nc_solve_check_operand(call, call->status, "status", NC_I32, 0));
        NC_TRY(nc_check_output(call->status, "status"));
        NC_TRY(call->pivots != NULL ? nc_check_apart(call->status, "status", call->pivots, "pivots") : NC_OK);
    }
    return NC_OK;
}

static nc_place nc_place_of(const nc_array *array, int32_t vector)
{
    nc_place place = {.offset = array->offset};
    int32_t axis = array->rank - vector;
    if (axis >= 1 && array->rank > vector) {
        place.batch = array->strides[0];
    }
    place.row = vector >= 1 ? array->strides[axis] : 0;
    place.column = vector >= 2 ? array->strides[axis + 1] : 0;
    return place;
}

static nc_systems nc_systems_of(const nc_solve_call *call, const nc_array *matrix)
{
    nc_systems systems = {.matrix = nc_place_of(matrix, 2),
                          .n = call->a->shape[call->a->rank - 1],
                          .count = call->a->rank == 3 ? call->a->shape[0] : 1};
    if (call->x != NULL) {
        systems.vector = nc_place_of(call->x, 1);
    }
    if (call->pivots != NULL) {
        systems.pivots = nc_place_of(call->pivots, 1);
    }
    if (call->status != NULL) {
        systems.status = nc_place_of(call->status, 0);
    }
    return systems;
}

static nc_status nc_solve_copy(const nc_array *from, nc_array *to)
{
    return nc_array_is_same_view(from, to) ? NC_OK : nc_array_copy(from, to);
}

nc_status nc_cholesky(const nc_array *a, nc_array *factor, nc_array *status)
{
    nc_solve_call call = {.a = a, .a_name = "a", .factor = factor, .status = status};
    NC_TRY(nc_check_pointer(factor, "factor"));
    NC_TRY(nc_check_pointer(status, "status"));
    NC_TRY(nc_solve_check(&call));
    if (status->count == 0) {
        return NC_OK;
    }
    NC_TRY(nc_solve_copy(a, factor));
    nc_systems systems = nc_systems_of(&call, factor);
    be_arg args[] = {BE_BUFFER(factor->storage->buffer), BE_VALUE(systems), BE_BUFFER(status->storage->buffer)};
    return be_launch(a->storage->device->backend, BE_KERNEL_TYPED(cholesky_factor, a->dtype), (uint64_t)systems.count, args, 3);
}

nc_status nc_cholesky_solve(const nc_array *factor, const nc_array *b, nc_array *x)
{
    nc_solve_call call = {.a = factor, .a_name = "factor", .b = b, .x = x};
    NC_TRY(nc_check_pointer(x, "x"));
    NC_TRY(nc_solve_check(&call));
    if (x->count == 0) {
        return NC_OK;
    }
    NC_TRY(nc_solve_copy(b, x));
    nc_systems systems = nc_systems_of(&call, factor);
    be_arg args[] = {BE_BUFFER(factor->storage->buffer), BE_VALUE(systems), BE_BUFFER(x->storage->buffer)};
    return be_launch(x->storage->device->backend, BE_KERNEL_TYPED(cholesky_solve, x->dtype), (uint64_t)systems.count, args, 3);
}

nc_status nc_lu(const nc_array *a, nc_array *factor, nc_array *pivots, nc_array *status)
{
    nc_solve_call call = {.a = a, .a_name = "a", .factor = factor, .pivots = pivots, .status = status};
    NC_TRY(nc_check_pointer(factor, "factor"));
    NC_TRY(nc_check_pointer(pivots, "pivots"));
    NC_TRY(nc_check_pointer(status, "status"));
    NC_TRY(nc_solve_check(&call));
    NC_TRY(nc_check_output(pivots, "pivots"));
    if (status->count == 0) {
        return NC_OK;
    }
    NC_TRY(nc_solve_copy(a, factor));
    nc_systems systems = nc_systems_of(&call, factor);
    be_arg args[] = {BE_BUFFER(factor->storage->buffer), BE_VALUE(systems), BE_BUFFER(pivots->storage->buffer),
                     BE_BUFFER(status->storage->buffer)};
    return be_launch(a->storage->device->backend, BE_KERNEL_TYPED(lu_factor, a->dtype), (uint64_t)systems.count, args, 4);
}

nc_status nc_lu_solve(const nc_array *factor, const nc_array *pivots, const nc_array *b, nc_array *x)
{
    nc_solve_call call = {.a = factor, .a_name = "factor", .pivots = (nc_array *)pivots, .b = b, .x = x};
    NC_TRY(nc_check_pointer(pivots, "pivots"));
    NC_TRY(nc_check_pointer(x, "x"));
    NC_TRY(nc_solve_check(&call));
    if (x->count == 0) {
        return NC_OK;
    }
    NC_TRY(nc_solve_copy(b, x));
    nc_systems systems = nc_systems_of(&call, factor);
    be_arg args[] = {BE_BUFFER(factor->storage->buffer), BE_VALUE(systems), BE_BUFFER(pivots->storage->buffer),
                     BE_BUFFER(x->storage->buffer)};
    return be_launch(x->storage->device->backend, BE_KERNEL_TYPED(lu_solve, x->dtype), (uint64_t)systems.count, args, 4);
}

// Contiguous work space on a's device, of a's dtype.
static nc_status nc_solve_work(const nc_array *a, int64_t count, be_buffer **buffer)
{
    return be_buffer_alloc(a->storage->device->backend, (size_t)count * nc_dtype_size(a->dtype), buffer);
}

nc_status nc_minimum_norm_solve(const nc_array *a, const nc_array *b, nc_array *x, nc_array *status)
{
    nc_solve_call call = {.a = a, .a_name = "a", .b = b, .x = x, .status = status};
    nc_array *u = NULL;
    be_buffer *v = NULL;
    be_buffer *work = NULL;
    NC_TRY(nc_check_pointer(x, "x"));
    NC_TRY(nc_check_pointer(status, "status"));
    NC_TRY(nc_solve_check(&call));
    if (status->count == 0) {
        return NC_OK;
    }
    if (x->count == 0) {
        int32_t ok = NC_OK;
        return nc_array_fill(status, &ok, sizeof ok);
    }
    nc_device *device = a->storage->device;
    nc_systems systems = nc_systems_of(&call, a);
    nc_status result = nc_array_create(device, a->dtype, a->rank, a->shape, &u);
    if (result == NC_OK) {
        result = nc_array_copy(a, u);
    }
    if (result == NC_OK) {
        result = nc_solve_work(a, a->count, &v);
    }
    if (result == NC_OK) {
        result = nc_solve_work(a, systems.count * systems.n, &work);
    }
    if (result == NC_OK) {
        result = nc_solve_copy(b, x);
    }
    if (result == NC_OK) {
        be_arg args[] = {
            BE_BUFFER(u->storage->buffer),     BE_BUFFER(v), BE_BUFFER(work), BE_VALUE(systems), BE_BUFFER(x->storage->buffer),
            BE_BUFFER(status->storage->buffer)};
        result = be_launch(device->backend, BE_KERNEL_TYPED(minimum_norm, a->dtype), (uint64_t)systems.count, args, 6);
    }
    if (work != NULL) {
        be_buffer_free(device->backend, work);
    }
    if (v != NULL) {
        be_buffer_free(device->backend, v);
    }
    (void)nc_array_release(u);
    return result;
}
