// SPDX-License-Identifier: Apache-2.0
// A model's state as bytes that every backend restores (docs/huber.md has the table). Everything is little-endian; the last
// eight bytes are the CRC-64 of ECMA-182 (reflected, as xz uses it) over all bytes before them.
#include "huber.h"
#include <stdlib.h>

#include <string.h>

static const unsigned char nc_checkpoint_magic[8] = {'N', 'C', 'H', 'U', 'B', 'E', 'R', 0};
#define NC_CHECKPOINT_VERSION 1u
#define NC_CHECKPOINT_HEADER 72u
#define NC_CHECKPOINT_CRC 8u
#define NC_CRC64_POLYNOMIAL 0xc96c5795d7870f42ull

static uint64_t nc_crc64(const unsigned char *bytes, size_t size)
{
    uint64_t crc = ~0ull;
    for (size_t i = 0; i < size; ++i) {
        crc ^= bytes[i];
        for (int bit = 0; bit < 8; ++bit) {
            crc = (crc >> 1) ^ ((crc & 1u) ? NC_CRC64_POLYNOMIAL : 0u);
        }
    }
    return ~crc;
}

static void nc_put(unsigned char **at, uint64_t value, int bytes)
{
    for (int i = 0; i < bytes; ++i) {
        *(*at)++ = (unsigned char)(value >> (8 * i) & 0xffu);
    }
}

static uint64_t nc_take(const unsigned char **at, int bytes)
{
    uint64_t value = 0;
    for (int i = 0; i < bytes; ++i) {
        value |= (uint64_t) * (*at)++ << (8 * i);
    }
    return value;
}

static size_t nc_checkpoint_size(nc_dtype dtype, int64_t q)
{
    size_t n = (size_t)q;
    return NC_CHECKPOINT_HEADER + n * nc_dtype_size(dtype) + n * n * sizeof(double) + NC_CHECKPOINT_CRC;
}

// Little-endian order of `count` elements of `width` bytes, in place; nothing to do on a little-endian host.
static void nc_swap_to_little_endian(unsigned char *bytes, size_t count, size_t width)
{
    const uint16_t probe = 1;
    if (*(const unsigned char *)&probe == 1) {
        return;
    }
    for (size_t i = 0; i < count; ++i) {
        for (size_t b = 0; b < width / 2; ++b) {
            unsigned char kept = bytes[i * width + b];
            bytes[i * width + b] = bytes[i * width + width - 1 - b];
            bytes[i * width + width - 1 - b] = kept;
        }
    }
}

static void nc_checkpoint_header(const nc_huber *model, unsigned char *at)
{
    memcpy(at, nc_checkpoint_magic, sizeof nc_checkpoint_magic);
    at += sizeof nc_checkpoint_magic;
    nc_put(&at, NC_CHECKPOINT_VERSION, 4);
    nc_put(&at, NC_CHECKPOINT_HEADER, 4);
    nc_put(&at, (uint64_t)model->dtype, 4);
    nc_put(&at, (uint64_t)model->fit_intercept, 4);
    nc_put(&at, (uint64_t)model->features, 8);
    nc_put(&at, (uint64_t)model->rows_seen, 8);
    nc_put(&at, (uint64_t)model->batches, 8);
    nc_put(&at, nc_bits_of_f64(model->weight), 8);
    nc_put(&at, nc_bits_of_f64(model->lambda), 8);
    nc_put(&at, 0, 8);
}

nc_status nc_huber_export(const nc_huber *model, void *bytes, size_t capacity, size_t *size)
{
    NC_TRY(nc_check_pointer(model, "model"));
    NC_TRY(nc_check_pointer(size, "size"));
    size_t q = (size_t)model->coefficients;
    size_t width = nc_dtype_size(model->dtype);
    size_t needed = nc_checkpoint_size(model->dtype, model->coefficients);
    if (bytes == NULL) {
        *size = needed;
        return NC_OK;
    }
    if (capacity < needed) {
        return be_fail(NC_OUT_OF_RANGE, "capacity is %zu; this state needs %zu bytes (call with bytes = null to learn it)",
                       capacity, needed);
    }
    unsigned char *staged = malloc(needed);
    if (staged == NULL) {
        return be_fail(NC_OUT_OF_MEMORY, "no host memory for a checkpoint of %zu bytes", needed);
    }
    unsigned char *beta = staged + NC_CHECKPOINT_HEADER;
    unsigned char *information = beta + q * width;
    unsigned char *end = information + q * q * sizeof(double);
    nc_checkpoint_header(model, staged);
    nc_status status = be_buffer_download(model->device->backend, model->beta, 0, beta, q * width);
    if (status == NC_OK) {
        status = be_buffer_download(model->device->backend, model->information, 0, information, q * q * sizeof(double));
    }
    if (status == NC_OK) {
        nc_swap_to_little_endian(beta, q, width);
        nc_swap_to_little_endian(information, q * q, sizeof(double));
        nc_put(&end, nc_crc64(staged, needed - NC_CHECKPOINT_CRC), 8);
        memcpy(bytes, staged, needed);
        *size = needed;
    }
    free(staged);
    return status;
}

typedef struct nc_checkpoint {
    nc_huber_options options;
    int64_t rows_seen, batches;
    double weight, lambda;
} nc_checkpoint;

static nc_status nc_checkpoint_damage(const char *what)
{
    return be_fail(NC_INVALID_ARGUMENT, "the checkpoint is damaged or foreign: %s; restore an undamaged export", what);
}

// Reads and judges everything but the arrays' values.
static nc_status nc_checkpoint_parse(const unsigned char *bytes, size_t size, nc_checkpoint *parsed)
{
    const unsigned char *at = bytes + sizeof nc_checkpoint_magic;
    if (size < NC_CHECKPOINT_HEADER + NC_CHECKPOINT_CRC) {
        return nc_checkpoint_damage("it is shorter than a header");
    }
    if (memcmp(bytes, nc_checkpoint_magic, sizeof nc_checkpoint_magic) != 0) {
        return nc_checkpoint_damage("it does not begin with NCHUBER");
    }
    if (nc_take(&at, 4) != NC_CHECKPOINT_VERSION || nc_take(&at, 4) != NC_CHECKPOINT_HEADER) {
        return nc_checkpoint_damage("its format version or header size is not this library's");
    }
    const unsigned char *stored = bytes + size - NC_CHECKPOINT_CRC;
    if (nc_take(&stored, 8) != nc_crc64(bytes, size - NC_CHECKPOINT_CRC)) {
        return nc_checkpoint_damage("its checksum does not match its bytes");
    }
    NC_STRUCT_INIT(&parsed->options);
    parsed->options.dtype = (int32_t)nc_take(&at, 4);
    parsed->options.fit_intercept = (int32_t)nc_take(&at, 4);
    parsed->options.features = (int64_t)nc_take(&at, 8);
    parsed->rows_seen = (int64_t)nc_take(&at, 8);
    parsed->batches = (int64_t)nc_take(&at, 8);
    parsed->weight = nc_f64_of_bits(nc_take(&at, 8));
    parsed->lambda = nc_f64_of_bits(nc_take(&at, 8));
    if (nc_take(&at, 8) != 0) {
        return nc_checkpoint_damage("its reserved word is not zero");
    }
    NC_TRY(nc_huber_check_options(&parsed->options));
    if (size != nc_checkpoint_size((nc_dtype)parsed->options.dtype, parsed->options.features + parsed->options.fit_intercept)) {
        return nc_checkpoint_damage("its size does not fit its feature count");
    }
    int empty = parsed->rows_seen == 0;
    int sound = parsed->rows_seen >= 0 && parsed->batches >= 0 && nc_is_finite_f64(parsed->weight) &&
                nc_is_finite_f64(parsed->lambda) && parsed->weight >= 0.0 && parsed->lambda >= 0.0 &&
                (empty || parsed->weight > 0.0);
    return sound ? NC_OK : nc_checkpoint_damage("a counter, the weight or lambda is negative or not finite");
}

static nc_status nc_checkpoint_check_values(nc_dtype dtype, const unsigned char *beta, size_t q, const unsigned char *information)
{
    for (size_t j = 0; j < q; ++j) {
        const unsigned char *at = beta + j * nc_dtype_size(dtype);
        int finite = dtype == NC_F32 ? nc_is_finite_f32(nc_f32_of_bits((nc_u32)nc_take(&at, 4)))
                                     : nc_is_finite_f64(nc_f64_of_bits(nc_take(&at, 8)));
        if (!finite) {
            return nc_checkpoint_damage("a coefficient is not finite");
        }
    }
    for (size_t i = 0; i < q * q; ++i) {
        const unsigned char *at = information + i * sizeof(double);
        if (!nc_is_finite_f64(nc_f64_of_bits(nc_take(&at, 8)))) {
            return nc_checkpoint_damage("an entry of the information is not finite");
        }
    }
    return NC_OK;
}

// Uploads the arrays through a copy in this host's byte order.
static nc_status nc_checkpoint_upload(const nc_huber *model, const unsigned char *bytes, size_t size)
{
    size_t q = (size_t)model->coefficients;
    size_t width = nc_dtype_size(model->dtype);
    unsigned char *copy = malloc(size);
    if (copy == NULL) {
        return be_fail(NC_OUT_OF_MEMORY, "no host memory for a checkpoint of %zu bytes", size);
    }
    memcpy(copy, bytes, size);
    unsigned char *beta = copy + NC_CHECKPOINT_HEADER;
    unsigned char *information = beta + q * width;
    nc_swap_to_little_endian(beta, q, width);
    nc_swap_to_little_endian(information, q * q, sizeof(double));
    nc_status status = be_buffer_upload(model->device->backend, model->beta, 0, beta, q * width);
    if (status == NC_OK) {
        status = be_buffer_upload(model->device->backend, model->information, 0, information, q * q * sizeof(double));
    }
    if (status == NC_OK) {
        status = be_device_sync(model->device->backend); // the copy lives no longer than this call
    }
    free(copy);
    return status;
}

nc_status nc_huber_restore(nc_device *device, const void *bytes, size_t size, nc_huber **model)
{
    nc_checkpoint parsed;
    nc_huber *made = NULL;
    NC_TRY(nc_check_pointer(device, "device"));
    NC_TRY(nc_check_pointer(bytes, "bytes"));
    NC_TRY(nc_check_pointer(model, "model"));
    NC_TRY(nc_checkpoint_parse(bytes, size, &parsed));
    nc_dtype dtype = (nc_dtype)parsed.options.dtype;
    size_t q = (size_t)(parsed.options.features + parsed.options.fit_intercept);
    const unsigned char *beta = (const unsigned char *)bytes + NC_CHECKPOINT_HEADER;
    NC_TRY(nc_checkpoint_check_values(dtype, beta, q, beta + q * nc_dtype_size(dtype)));
    NC_TRY(nc_huber_create(device, &parsed.options, &made));
    made->rows_seen = parsed.rows_seen;
    made->batches = parsed.batches;
    made->weight = parsed.weight;
    made->lambda = parsed.lambda;
    nc_status status = nc_checkpoint_upload(made, bytes, size);
    if (status != NC_OK) {
        (void)nc_huber_release(made);
        return status;
    }
    *model = made;
    return NC_OK;
}
