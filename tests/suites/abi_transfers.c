// SPDX-License-Identifier: Apache-2.0
// Upload, download and fill: bits as they are, strided arrays element by element, sizes checked.
#include "abi.h"
#include "values.h"

static const nc_dtype dtypes[] = {NC_F32, NC_F64, NC_I64, NC_U32, NC_U8, NC_I32};

// Bits of every kind of number: quiet and signalling NaNs with payloads, infinities, subnormals, -0, and any integer.
static unsigned char *every_kind_of_bits(cupel_context *context, nc_dtype dtype, size_t count)
{
    static const uint64_t f64[] = {0x7ff8000000000001, 0xfff8deadbeef1234, 0x7ff0000000000001, 0xfff4000000000000,
                                   0x7ff0000000000000, 0x8000000000000000, 0x0000000000000001, 0x800fffffffffffff};
    static const uint32_t f32[] = {0x7fc00001, 0xffc12345, 0x7f800001, 0xffa00000, 0x7f800000, 0x80000000, 0x00000001, 0x807fffff};
    size_t size = nc_dtype_size(dtype);
    unsigned char *bits = cupel_alloc(context, count * size);
    for (size_t i = 0; i < count; ++i) {
        uint64_t any = value_bits(dtype, i) >> (dtype == NC_U8 ? 57 : 0); // bytes below 128: one above may be the harness's pattern
        const void *element = dtype == NC_F64 && i < 8   ? (const void *)&f64[i]
                              : dtype == NC_F32 && i < 8 ? (const void *)&f32[i]
                                                         : &any;
        memcpy(bits + i * size, element, size);
    }
    return bits;
}

// Where the bits are a NaN.
static uint8_t *nan_places(cupel_context *context, nc_dtype dtype, const void *values, size_t count)
{
    uint8_t *nan_at = cupel_alloc(context, count);
    for (size_t i = 0; (dtype == NC_F32 || dtype == NC_F64) && i < count; ++i) {
        if (isnan(cupel_get_real(dtype, values, i))) {
            nan_at[i] = 1;
        }
    }
    return nan_at;
}

static void bits_survive(cupel_context *context)
{
    enum { COUNT = 1000 };
    const int64_t count = COUNT;
    const int64_t one = 1;
    for (size_t d = 0; d < sizeof dtypes / sizeof *dtypes; ++d) {
        nc_dtype dtype = dtypes[d];
        const unsigned char *bits = every_kind_of_bits(context, dtype, COUNT);
        const uint8_t *nan_at = nan_places(context, dtype, bits, COUNT);
        nc_array *sent = cupel_output(context, dtype, 1, &count);
        nc_array *copied = cupel_output(context, dtype, 1, &count);
        cupel_require_ok(context, nc_array_upload(sent, bits, COUNT * nc_dtype_size(dtype)));
        cupel_require_ok(context, nc_array_copy(sent, copied));
        cupel_expect_bits_nan(context, sent, bits, COUNT, nan_at);
        cupel_expect_bits_nan(context, copied, bits, COUNT, nan_at);
        for (size_t i = 0; i < 8; ++i) {
            nc_array *filled = cupel_output(context, dtype, 1, &one);
            cupel_require_ok(context, nc_array_fill(filled, bits + i * nc_dtype_size(dtype), nc_dtype_size(dtype)));
            cupel_expect_bits_nan(context, filled, bits + i * nc_dtype_size(dtype), 1, nan_at + i);
        }
    }
}

// A strided array is written and read element by element; the rest stays.
static void strided_transfers(cupel_context *context)
{
    const int64_t shape[] = {7, 5, 3};
    static const int64_t strides[][3] = {{15, 3, 1}, {1, 7, 35}, {-40, 8, 2}, {3, -30, 1}};
    enum { COUNT = 105 };
    for (size_t d = 0; d < sizeof dtypes / sizeof *dtypes; ++d) {
        nc_dtype dtype = dtypes[d];
        size_t size = nc_dtype_size(dtype);
        const unsigned char *bits = every_kind_of_bits(context, dtype, COUNT);
        const uint8_t *nan_at = nan_places(context, dtype, bits, COUNT);
        unsigned char *back = cupel_alloc(context, COUNT * size);
        for (size_t s = 0; s < sizeof strides / sizeof *strides; ++s) {
            nc_array *array = cupel_output_strided(context, dtype, 3, shape, strides[s]);
            cupel_expect_status(context, nc_array_upload(array, bits, COUNT * size), NC_OK);
            cupel_expect_bits_nan(context, array, bits, COUNT, nan_at); // gathered from the whole storage
            cupel_expect_status(context, nc_array_download(array, back, COUNT * size), NC_OK);
            cupel_expect_true(context, memcmp(back, bits, COUNT * size) == 0);
        }
    }
}

static void strided_fill(cupel_context *context)
{
    const int64_t shape[] = {9, 4};
    const int64_t strides[] = {5, -60};
    for (size_t d = 0; d < sizeof dtypes / sizeof *dtypes; ++d) {
        nc_dtype dtype = dtypes[d];
        size_t size = nc_dtype_size(dtype);
        unsigned char *expected = cupel_alloc(context, 36 * size);
        uint64_t element = dtype == NC_U8 ? 1 : 42;
        for (size_t i = 0; i < 36; ++i) {
            memcpy(expected + i * size, &element, size);
        }
        nc_array *array = cupel_output_strided(context, dtype, 2, shape, strides);
        cupel_expect_status(context, nc_array_fill(array, &element, size), NC_OK);
        cupel_expect_bits(context, array, expected, 36);
    }
}

// Values near the limits of a byte count, alignment and order: each length of bytes up to 70.
static void every_short_length(cupel_context *context)
{
    for (int64_t count = 1; count <= 70; ++count) {
        const unsigned char *bits = every_kind_of_bits(context, NC_U8, (size_t)count);
        nc_array *array = cupel_output_vector(context, NC_U8, count);
        unsigned char *flags = cupel_alloc(context, (size_t)count);
        for (int64_t i = 0; i < count; ++i) {
            flags[i] = bits[i] & 1;
        }
        cupel_require_ok(context, nc_array_upload(array, flags, (size_t)count));
        cupel_expect_bits(context, array, flags, (size_t)count);
    }
}

static void wrong_arguments(cupel_context *context)
{
    const int64_t shape[] = {4};
    const int64_t none[] = {0};
    double host[5] = {1.0, 2.0, 3.0, 4.0, 5.0};
    const double kept[5] = {1.0, 2.0, 3.0, 4.0, 5.0};
    nc_array_info info;
    nc_array *repeated = NULL;
    nc_array *array = cupel_output(context, NC_F64, 1, shape);
    NC_STRUCT_INIT(&info);
    cupel_require_ok(context, nc_array_info_get(array, &info));
    cupel_require_ok(context, nc_array_view(array, info.offset, 1, shape, none, &repeated));
    uint64_t before = cupel_kernels(context);
    cupel_expect_status(context, nc_array_upload(NULL, host, 32), NC_NULL_ARGUMENT);
    cupel_expect_status(context, nc_array_upload(array, NULL, 32), NC_NULL_ARGUMENT);
    cupel_expect_status(context, nc_array_upload(array, host, 31), NC_SHAPE_MISMATCH);
    cupel_expect_status(context, nc_array_upload(array, host, 40), NC_SHAPE_MISMATCH);
    cupel_expect_status(context, nc_array_upload(array, host, 0), NC_SHAPE_MISMATCH);
    cupel_expect_status(context, nc_array_upload(repeated, host, 32), NC_OVERLAP);
    cupel_expect_status(context, nc_array_download(NULL, host, 32), NC_NULL_ARGUMENT);
    cupel_expect_status(context, nc_array_download(array, NULL, 32), NC_NULL_ARGUMENT);
    cupel_expect_status(context, nc_array_download(array, host, 24), NC_SHAPE_MISMATCH);
    cupel_expect_status(context, nc_array_fill(NULL, host, 8), NC_NULL_ARGUMENT);
    cupel_expect_status(context, nc_array_fill(array, NULL, 8), NC_NULL_ARGUMENT);
    cupel_expect_status(context, nc_array_fill(array, host, 4), NC_SHAPE_MISMATCH);
    cupel_expect_u64(context, cupel_kernels(context) - before, 0);
    cupel_expect_untouched(context, array);
    cupel_expect_same(context, NC_F64, host, kept, 5);
    cupel_require_ok(context, nc_array_release(repeated));
}

static void nothing_to_transfer(cupel_context *context)
{
    const int64_t shape[] = {3, 0};
    nc_array *array = cupel_output(context, NC_F64, 2, shape);
    const double one = 1.0;
    cupel_expect_status(context, nc_array_upload(array, NULL, 0), NC_OK);
    cupel_expect_status(context, nc_array_download(array, NULL, 0), NC_OK);
    cupel_expect_status(context, nc_array_fill(array, &one, sizeof one), NC_OK);
}

static const cupel_case cases[] = {
    CUPEL_CASE("abi.transfer.bits-survive", bits_survive),       CUPEL_CASE("abi.transfer.strided", strided_transfers),
    CUPEL_CASE("abi.transfer.strided-fill", strided_fill),       CUPEL_CASE("abi.transfer.every-short-length", every_short_length),
    CUPEL_CASE("abi.transfer.wrong-arguments", wrong_arguments), CUPEL_CASE("abi.transfer.nothing", nothing_to_transfer),
};
const cupel_table abi_transfers_table = CUPEL_TABLE(cases);
