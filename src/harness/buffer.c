// SPDX-License-Identifier: Apache-2.0
// Guarded and poisoned device arrays.
//
// Storage is guard | span of the payload | guard. Everything is filled on the device with the case's pattern first; the payload is
// a view. The pattern is a signalling NaN (reals), a negative number (I64, I32) or above 1 (U8), so no operation of the core
// returns it; a U32 word equals it with probability 2^-32, which the fixed pattern makes reproducible rather than flaky.
#include "context.h"

#include <stdlib.h>
#include <string.h>

#define GUARD_ELEMENTS 128

typedef enum buffer_role { ROLE_INPUT, ROLE_OUTPUT, ROLE_UPDATE } buffer_role;

typedef struct host_copy {
    struct host_copy *next;
    const unsigned char *bytes;
    size_t size;
} host_copy;

struct cupel_buffer {
    cupel_buffer *next;
    nc_array *base;
    nc_array *view;
    buffer_role role;
    nc_dtype dtype;
    size_t element_size;
    int32_t rank;
    int64_t shape[NC_ARRAY_MAX_RANK];
    int64_t strides[NC_ARRAY_MAX_RANK];
    int64_t first;        // element of the base where the payload's element 0 lies
    int64_t count;        // logical elements
    int64_t total;        // elements of the base
    unsigned char *image; // inputs: the whole base as it must stay; case memory
    bool expect_untouched;
    host_copy *copies; // what the case has downloaded from it
};

static void poison_element(const cupel_context *context, nc_dtype dtype, unsigned char element[8])
{
    uint64_t hash = 14695981039346656037u; // FNV-1a of the case id
    for (const char *c = context->current->id; *c != '\0'; ++c) {
        hash = (hash ^ (unsigned char)*c) * 1099511628211u;
    }
    uint64_t bits = hash;
    if (dtype == NC_F64) {
        bits = 0xfff0000000000001u | (hash & 0x0007fffffffffffeu);
    } else if (dtype == NC_F32) {
        bits = 0xff800001u | ((hash >> 7) & 0x003ffffeu);
    } else if (dtype == NC_I64) {
        bits = hash | 0x8000000000000000u;
    } else if (dtype == NC_I32) {
        bits = hash | 0x80000000u;
    } else if (dtype == NC_U8) {
        bits = hash | 0x80u;
    }
    for (size_t i = 0; i < 8; ++i) {
        element[i] = (unsigned char)(bits >> (8 * i));
    }
}

// Position in the base of logical element `index` (C order).
static size_t element_position(const cupel_buffer *buffer, int64_t index)
{
    int64_t position = buffer->first;
    for (int32_t axis = buffer->rank - 1; axis >= 0 && index != 0; --axis) {
        position += index % buffer->shape[axis] * buffer->strides[axis];
        index /= buffer->shape[axis];
    }
    return (size_t)position;
}

static void lay_out(cupel_context *context, cupel_buffer *buffer, const int64_t *shape, const int64_t *strides)
{
    int64_t lowest = 0;
    int64_t highest = 0;
    int64_t contiguous = 1;
    buffer->count = 1;
    for (int32_t axis = buffer->rank - 1; axis >= 0; --axis) {
        if (shape[axis] < 0) {
            cupel_stop(context, "an array of the case has extent %lld", (long long)shape[axis]);
        }
        buffer->shape[axis] = shape[axis];
        buffer->strides[axis] = strides == NULL ? contiguous : strides[axis];
        contiguous *= shape[axis];
        buffer->count *= shape[axis];
    }
    for (int32_t axis = 0; axis < buffer->rank && buffer->count > 0; ++axis) {
        int64_t reach = (buffer->shape[axis] - 1) * buffer->strides[axis];
        lowest += reach < 0 ? reach : 0;
        highest += reach > 0 ? reach : 0;
    }
    buffer->first = GUARD_ELEMENTS - lowest;
    buffer->total = 2 * GUARD_ELEMENTS + highest - lowest + (buffer->count > 0 ? 1 : 0);
}

static void fill_and_view(cupel_context *context, cupel_buffer *buffer)
{
    unsigned char poison[8];
    poison_element(context, buffer->dtype, poison);
    cupel_require_ok(context, nc_array_create(context->device, buffer->dtype, 1, &buffer->total, &buffer->base));
    cupel_require_ok(context, nc_array_fill(buffer->base, poison, buffer->element_size));
    cupel_require_ok(context,
                     nc_array_view(buffer->base, buffer->first, buffer->rank, buffer->shape, buffer->strides, &buffer->view));
}

static void put_values(cupel_context *context, cupel_buffer *buffer, const void *values)
{
    size_t size = buffer->element_size;
    size_t bytes = (size_t)buffer->total * size;
    unsigned char poison[8];
    unsigned char *image = cupel_alloc(context, bytes);
    unsigned char *stored = cupel_alloc(context, bytes);
    poison_element(context, buffer->dtype, poison);
    for (size_t i = 0; i < (size_t)buffer->total; ++i) {
        memcpy(image + i * size, poison, size);
    }
    for (int64_t i = 0; i < buffer->count; ++i) {
        memcpy(image + element_position(buffer, i) * size, (const unsigned char *)values + (size_t)i * size, size);
    }
    cupel_require_ok(context, nc_array_upload(buffer->base, image, bytes));
    cupel_require_ok(context, nc_array_download(buffer->base, stored, bytes));
    if (memcmp(image, stored, bytes) != 0) {
        cupel_stop(context, "an input of %lld elements did not arrive on the device as it was sent", (long long)buffer->count);
    }
    buffer->image = image;
}

static nc_array *make_buffer(cupel_context *context, buffer_role role, nc_dtype dtype, int32_t rank, const int64_t *shape,
                             const int64_t *strides, const void *values)
{
    cupel_end_if_forked(context);
    if (nc_dtype_size(dtype) == 0 || rank < 0 || rank > NC_ARRAY_MAX_RANK) {
        cupel_stop(context, "the case asks for an array of dtype %d and rank %d", (int)dtype, (int)rank);
    }
    cupel_buffer *buffer = cupel_alloc(context, sizeof *buffer);
    buffer->role = role;
    buffer->dtype = dtype;
    buffer->element_size = nc_dtype_size(dtype);
    buffer->rank = rank;
    lay_out(context, buffer, shape, strides);
    if (role != ROLE_OUTPUT && values == NULL && buffer->count > 0) {
        cupel_stop(context, "an input of %lld elements has no values", (long long)buffer->count);
    }
    nc_device_counters mark;
    cupel_own_work_begin(context, &mark);
    buffer->next = context->buffers;
    context->buffers = buffer;
    fill_and_view(context, buffer);
    if (role != ROLE_OUTPUT) {
        put_values(context, buffer, values);
    }
    cupel_own_work_end(context, &mark);
    return buffer->view;
}

nc_array *cupel_input(cupel_context *context, nc_dtype dtype, int32_t rank, const int64_t *shape, const void *values)
{
    return make_buffer(context, ROLE_INPUT, dtype, rank, shape, NULL, values);
}

nc_array *cupel_input_vector(cupel_context *context, nc_dtype dtype, int64_t count, const void *values)
{
    return make_buffer(context, ROLE_INPUT, dtype, 1, &count, NULL, values);
}

nc_array *cupel_output(cupel_context *context, nc_dtype dtype, int32_t rank, const int64_t *shape)
{
    return make_buffer(context, ROLE_OUTPUT, dtype, rank, shape, NULL, NULL);
}

nc_array *cupel_output_vector(cupel_context *context, nc_dtype dtype, int64_t count)
{
    return make_buffer(context, ROLE_OUTPUT, dtype, 1, &count, NULL, NULL);
}

nc_array *cupel_update(cupel_context *context, nc_dtype dtype, int32_t rank, const int64_t *shape, const void *values)
{
    return make_buffer(context, ROLE_UPDATE, dtype, rank, shape, NULL, values);
}

nc_array *cupel_input_strided(cupel_context *context, nc_dtype dtype, int32_t rank, const int64_t *shape, const int64_t *strides,
                              const void *values)
{
    return make_buffer(context, ROLE_INPUT, dtype, rank, shape, strides, values);
}

nc_array *cupel_output_strided(cupel_context *context, nc_dtype dtype, int32_t rank, const int64_t *shape, const int64_t *strides)
{
    return make_buffer(context, ROLE_OUTPUT, dtype, rank, shape, strides, NULL);
}

nc_array *cupel_update_strided(cupel_context *context, nc_dtype dtype, int32_t rank, const int64_t *shape, const int64_t *strides,
                               const void *values)
{
    return make_buffer(context, ROLE_UPDATE, dtype, rank, shape, strides, values);
}

cupel_buffer *cupel_buffer_find(cupel_context *context, const nc_array *array)
{
    for (cupel_buffer *buffer = context->buffers; buffer != NULL; buffer = buffer->next) {
        if (buffer->view == array) {
            return buffer;
        }
    }
    return NULL;
}

void cupel_buffer_expect_untouched(cupel_buffer *buffer)
{
    buffer->expect_untouched = true;
}

static bool residency_get(cupel_context *context, const nc_array *array, nc_residency *residency)
{
    NC_STRUCT_INIT(residency);
    if (nc_array_residency(array, residency) != NC_OK) {
        cupel_record_failure(context, "the residency of an array cannot be asked: %s", nc_last_error());
        return false;
    }
    if (residency->is_device_memory != 1 || residency->device_index != context->device_info.index) {
        cupel_record_failure(context, "an array lies in %.31s of device %d, not in memory of device %d", residency->kind,
                             (int)residency->device_index, (int)context->device_info.index);
        return false;
    }
    return true;
}

// The whole base, guards included, as it is on the device now. Null after a recorded failure.
static unsigned char *download_base(cupel_context *context, const cupel_buffer *buffer)
{
    nc_residency residency;
    size_t bytes = (size_t)buffer->total * buffer->element_size;
    if (!residency_get(context, buffer->view, &residency)) {
        return NULL;
    }
    unsigned char *base = malloc(bytes);
    nc_status status = base == NULL ? NC_OUT_OF_MEMORY : nc_array_download(buffer->base, base, bytes);
    if (status != NC_OK) {
        cupel_record_failure(context, "a download of %zu bytes is %s: %s", bytes, nc_status_name(status), nc_last_error());
        free(base);
        return NULL;
    }
    return base;
}

static const void *gather(cupel_context *context, cupel_buffer *buffer, const unsigned char *base)
{
    size_t size = buffer->element_size;
    unsigned char *values = cupel_alloc(context, (size_t)buffer->count * size);
    for (int64_t i = 0; i < buffer->count; ++i) {
        memcpy(values + (size_t)i * size, base + element_position(buffer, i) * size, size);
    }
    host_copy *copy = cupel_alloc(context, sizeof *copy);
    *copy = (host_copy){.next = buffer->copies, .bytes = values, .size = (size_t)buffer->count * size};
    buffer->copies = copy;
    return values;
}

static const void *download_foreign(cupel_context *context, const nc_array *array)
{
    nc_array_info info;
    nc_residency residency;
    NC_STRUCT_INIT(&info);
    cupel_require_ok(context, nc_array_info_get(array, &info));
    size_t bytes = (size_t)info.count * nc_dtype_size((nc_dtype)info.dtype);
    void *values = cupel_alloc(context, bytes);
    if (!residency_get(context, array, &residency)) {
        cupel_leave(context);
    }
    cupel_require_ok(context, nc_array_download(array, values, bytes));
    return values;
}

const void *cupel_download(cupel_context *context, const nc_array *array)
{
    nc_device_counters mark;
    cupel_buffer *buffer = cupel_buffer_find(context, array);
    cupel_own_work_begin(context, &mark);
    const void *values = NULL;
    if (buffer == NULL) {
        values = download_foreign(context, array);
    } else {
        unsigned char *base = download_base(context, buffer);
        if (base == NULL) {
            cupel_leave(context);
        }
        values = gather(context, buffer, base);
        free(base);
    }
    cupel_own_work_end(context, &mark);
    return values;
}

bool cupel_is_own_content(cupel_context *context, const nc_array *array, const void *values, size_t bytes)
{
    const cupel_buffer *buffer = cupel_buffer_find(context, array);
    nc_residency residency;
    NC_STRUCT_INIT(&residency);
    // Only host memory can hold expected values; for OpenCL the address is a handle, which is no address of the content.
    if (nc_array_residency(array, &residency) == NC_OK && strcmp(residency.kind, "host") == 0) {
        nc_array_info info;
        NC_STRUCT_INIT(&info);
        if (nc_array_info_get(array, &info) == NC_OK &&
            cupel_ranges_overlap((const void *)(uintptr_t)residency.address, info.storage_bytes, values, bytes)) {
            return true;
        }
    }
    for (const host_copy *copy = buffer == NULL ? NULL : buffer->copies; copy != NULL; copy = copy->next) {
        if (cupel_ranges_overlap(copy->bytes, copy->size, values, bytes)) {
            return true;
        }
    }
    return false;
}

static void verify_gaps(cupel_context *context, const cupel_buffer *buffer, const unsigned char *base, const unsigned char *payload,
                        const unsigned char *poison)
{
    size_t size = buffer->element_size;
    for (int64_t i = 0; i < buffer->total; ++i) {
        if (payload[i] == 0 && memcmp(base + (size_t)i * size, poison, size) != 0) {
            cupel_record_failure(context, "a guard was overwritten: element %lld from the start of an array of %lld (dtype %s)",
                                 (long long)(i - buffer->first), (long long)buffer->count, nc_dtype_name(buffer->dtype));
            return;
        }
    }
}

static void verify_payload(cupel_context *context, const cupel_buffer *buffer, const unsigned char *base,
                           const unsigned char *poison)
{
    size_t size = buffer->element_size;
    for (int64_t i = 0; i < buffer->count; ++i) {
        size_t at = element_position(buffer, i) * size;
        bool poisoned = memcmp(base + at, poison, size) == 0;
        if (buffer->expect_untouched && !poisoned) {
            cupel_record_failure(context, "a refused call wrote element %lld of its output", (long long)i);
            return;
        }
        if (buffer->role == ROLE_OUTPUT && !buffer->expect_untouched && poisoned) {
            cupel_record_failure(context, "element %lld of an output of %lld was never written", (long long)i,
                                 (long long)buffer->count);
            return;
        }
        if (buffer->role == ROLE_INPUT && memcmp(base + at, buffer->image + at, size) != 0) {
            cupel_record_failure(context, "element %lld of an input of %lld was overwritten", (long long)i,
                                 (long long)buffer->count);
            return;
        }
    }
}

static void verify_buffer(cupel_context *context, const cupel_buffer *buffer)
{
    unsigned char poison[8];
    unsigned char *base = download_base(context, buffer);
    unsigned char *payload = calloc((size_t)buffer->total, 1);
    if (base != NULL && payload != NULL) {
        poison_element(context, buffer->dtype, poison);
        for (int64_t i = 0; i < buffer->count; ++i) {
            payload[element_position(buffer, i)] = 1;
        }
        verify_gaps(context, buffer, base, payload, poison);
        verify_payload(context, buffer, base, poison);
    } else if (base != NULL) {
        cupel_record_failure(context, "the host has no memory to verify an array of %lld elements", (long long)buffer->count);
    }
    free(payload);
    free(base);
}

void cupel_buffers_verify(cupel_context *context)
{
    for (const cupel_buffer *buffer = context->buffers; buffer != NULL; buffer = buffer->next) {
        if (buffer->view != NULL) {
            verify_buffer(context, buffer);
        }
    }
}

void cupel_buffers_release(cupel_context *context)
{
    for (cupel_buffer *buffer = context->buffers; buffer != NULL; buffer = buffer->next) {
        if (nc_array_release(buffer->view) != NC_OK || nc_array_release(buffer->base) != NC_OK) {
            cupel_record_failure(context, "an array of the case cannot be released: %s", nc_last_error());
        }
    }
    context->buffers = NULL;
}
