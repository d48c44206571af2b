// SPDX-License-Identifier: Apache-2.0
// Probes: operations whose answers are known to the last bit, run on the device and compared as integers. The host computes no
// floating-point value here, so it cannot share a fault with the device.
#include "host.h"

#include "../kernels/probe_columns.h"

#include <string.h>

typedef struct probe_row {
    uint32_t operation; // a column of the kernel's answers
    uint64_t a, b, c, answer;
} probe_row;

#define PROBE_ROW(operation, a, b, c, answer) {NC_PROBE_##operation, a, b, c, answer},
static const probe_row rows_f32[] = {
#include "probe_f32.def"
};
static const probe_row rows_f64[] = {
#include "probe_f64.def"
};
#undef PROBE_ROW

static const struct {
    uint64_t a, b, answer;
} rows_mulhi[] = {
    {0xffffffffffffffff, 0xffffffffffffffff, 0xfffffffffffffffe}, {0x0000000100000000, 0x0000000100000000, 0x0000000000000001},
    {0x00000000ffffffff, 0x00000000ffffffff, 0x0000000000000000}, {0x0000000000000001, 0xffffffffffffffff, 0x0000000000000000},
    {0x8000000000000000, 0x0000000000000002, 0x0000000000000001}, {0x4164d8399f767c45, 0x5bc8fbbcbde5c099, 0x17722ff37f452072},
    {0xb0c11fdecb91ce37, 0xd76d4330f1446bea, 0x94bda26304f67721}, {0xa6eb8c9ebd69fe29, 0x87b0b125ec1d7da0, 0x58796c99f93e9208},
    {0xd7210dff076ce2ef, 0xc6a5387777330bdb, 0xa6ee6894e4b68eed},
};

#define ROWS(table) (sizeof(table) / sizeof *(table))
enum { MAX_ROWS = 64, OPERANDS = 3 };
_Static_assert(ROWS(rows_f32) <= MAX_ROWS && ROWS(rows_f64) <= MAX_ROWS && ROWS(rows_mulhi) <= MAX_ROWS,
               "a table fits its buffers");

// Runs `kernel` over `count` items with the operand columns in `operands` and brings `answer_bytes` of answers back.
static nc_status run_kernel(be_device *device, be_kernel kernel, uint64_t count, int32_t columns, const void *const *operands,
                            size_t column_bytes, void *answers, size_t answer_bytes)
{
    be_buffer *buffers[OPERANDS + 1] = {NULL};
    be_arg args[OPERANDS + 2];
    nc_status status = NC_OK;
    for (int32_t i = 0; i <= columns && status == NC_OK; ++i) {
        size_t bytes = i < columns ? column_bytes : answer_bytes;
        status = be_buffer_alloc(device, bytes, &buffers[i]);
        if (status == NC_OK) {
            args[i] = BE_BUFFER(buffers[i]);
            // Answers start from bits that no row expects, so that a kernel that never ran shows.
            status = be_buffer_upload(device, buffers[i], 0, i < columns ? operands[i] : answers, bytes);
        }
    }
    if (status == NC_OK) {
        args[columns + 1] = BE_VALUE(count);
        status = be_launch(device, kernel, count, args, columns + 2);
    }
    if (status == NC_OK) {
        status = be_device_sync(device);
    }
    if (status == NC_OK) {
        status = be_buffer_download(device, buffers[columns], 0, answers, answer_bytes);
    }
    for (int32_t i = 0; i <= columns; ++i) {
        if (buffers[i] != NULL) {
            be_buffer_free(device, buffers[i]);
        }
    }
    return status;
}

static void put_element(void *values, size_t index, size_t size, uint64_t bits)
{
    uint32_t low = (uint32_t)bits;
    memcpy((unsigned char *)values + index * size, size == sizeof low ? (const void *)&low : (const void *)&bits, size);
}

static uint64_t get_element(const void *values, size_t index, size_t size)
{
    uint32_t low;
    uint64_t bits;
    memcpy(size == sizeof low ? (void *)&low : (void *)&bits, (const unsigned char *)values + index * size, size);
    return size == sizeof low ? low : bits;
}

// The probe that a wrong answer to `operation` makes false. Sums and products are asked of subnormal numbers.
static int32_t *probe_of(nc_device_probes *probes, uint32_t operation)
{
    switch (operation) {
    case NC_PROBE_SUM_OF_PRODUCT:
        return &probes->contraction_off;
    case NC_PROBE_FMA:
        return &probes->fma_exact;
    case NC_PROBE_QUOTIENT:
        return &probes->division_rounded;
    case NC_PROBE_SQUARE_ROOT:
        return &probes->sqrt_rounded;
    default:
        return &probes->subnormals_kept;
    }
}

static nc_status probe_real(be_device *device, nc_dtype dtype, const probe_row *rows, size_t count, nc_device_probes *probes)
{
    uint64_t columns[OPERANDS][MAX_ROWS];
    uint64_t answers[NC_PROBE_OPERATIONS * MAX_ROWS];
    const void *operands[OPERANDS] = {columns[0], columns[1], columns[2]};
    size_t size = nc_dtype_size(dtype);
    memset(answers, 0xa5, sizeof answers);
    for (size_t i = 0; i < count; ++i) {
        put_element(columns[0], i, size, rows[i].a);
        put_element(columns[1], i, size, rows[i].b);
        put_element(columns[2], i, size, rows[i].c);
    }
    NC_TRY(run_kernel(device, BE_KERNEL_TYPED(probe, dtype), count, OPERANDS, operands, count * size, answers,
                      NC_PROBE_OPERATIONS * count * size));
    for (size_t i = 0; i < count; ++i) {
        if (get_element(answers, NC_PROBE_OPERATIONS * i + rows[i].operation, size) != rows[i].answer) {
            *probe_of(probes, rows[i].operation) = 0;
        }
    }
    return NC_OK;
}

static nc_status probe_mulhi(be_device *device, nc_device_probes *probes)
{
    uint64_t columns[2][MAX_ROWS];
    uint64_t answers[MAX_ROWS];
    const void *operands[2] = {columns[0], columns[1]};
    size_t bytes = ROWS(rows_mulhi) * sizeof *answers;
    memset(answers, 0xa5, sizeof answers);
    for (size_t i = 0; i < ROWS(rows_mulhi); ++i) {
        columns[0][i] = rows_mulhi[i].a;
        columns[1][i] = rows_mulhi[i].b;
    }
    NC_TRY(run_kernel(device, BE_KERNEL_probe_mulhi, ROWS(rows_mulhi), 2, operands, bytes, answers, bytes));
    for (size_t i = 0; i < ROWS(rows_mulhi); ++i) {
        if (answers[i] != rows_mulhi[i].answer) {
            probes->mulhi_u64 = 0;
        }
    }
    return NC_OK;
}

nc_status nc_device_probe(nc_device *device, nc_device_probes *probes)
{
    NC_TRY(nc_check_pointer(device, "device"));
    NC_TRY(nc_check_abi(probes, sizeof *probes, "probes"));
    nc_device_probes found;
    NC_STRUCT_INIT(&found);
    found.fp64 = device->info.has_f64 == 1;
    found.fma_exact = found.subnormals_kept = found.contraction_off = found.division_rounded = found.sqrt_rounded = 1;
    found.mulhi_u64 = 1;
    NC_TRY(probe_real(device->backend, NC_F32, rows_f32, ROWS(rows_f32), &found));
    if (found.fp64) {
        NC_TRY(probe_real(device->backend, NC_F64, rows_f64, ROWS(rows_f64), &found));
    }
    NC_TRY(probe_mulhi(device->backend, &found));
    *probes = found;
    return NC_OK;
}
