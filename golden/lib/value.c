// SPDX-License-Identifier: Apache-2.0
// dtypes, arrays of elements, and distances between values.
#include "../golden.h"

#include <stdlib.h>
#include <string.h>

typedef struct dtype_row {
    golden_dtype dtype;
    const char *name;
    size_t size;
    bool real;
} dtype_row;

static const dtype_row dtypes[] = {
    {GOLDEN_F32, "f32", 4, true},  {GOLDEN_F64, "f64", 8, true}, {GOLDEN_I64, "i64", 8, false},
    {GOLDEN_U32, "u32", 4, false}, {GOLDEN_U8, "u8", 1, false},  {GOLDEN_I32, "i32", 4, false},
};

static const dtype_row *dtype_find(golden_dtype dtype)
{
    for (size_t i = 0; i < sizeof dtypes / sizeof dtypes[0]; ++i) {
        if (dtypes[i].dtype == dtype) {
            return &dtypes[i];
        }
    }
    return NULL;
}

const char *golden_dtype_name(golden_dtype dtype)
{
    const dtype_row *row = dtype_find(dtype);
    return row ? row->name : "unknown";
}

bool golden_dtype_of_name(const char *name, golden_dtype *dtype)
{
    for (size_t i = 0; i < sizeof dtypes / sizeof dtypes[0]; ++i) {
        if (strcmp(dtypes[i].name, name) == 0) {
            *dtype = dtypes[i].dtype;
            return true;
        }
    }
    return false;
}

size_t golden_dtype_size(golden_dtype dtype)
{
    const dtype_row *row = dtype_find(dtype);
    return row ? row->size : 0;
}

bool golden_dtype_is_real(golden_dtype dtype)
{
    const dtype_row *row = dtype_find(dtype);
    return row != NULL && row->real;
}

double golden_double_of_bits(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

uint64_t golden_bits_of_double(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

golden_status golden_array_alloc(golden_dtype dtype, size_t count, golden_array *array, golden_error *error)
{
    size_t size = golden_dtype_size(dtype);
    *array = (golden_array){.dtype = dtype, .count = count};
    array->bytes = count <= (SIZE_MAX - 1) / size ? calloc(count + 1, size) : NULL;
    if (array->bytes == NULL) {
        array->count = 0;
        return golden_fail(error, GOLDEN_REFUSED, "out of memory for %zu elements of %s.", count, golden_dtype_name(dtype));
    }
    return GOLDEN_OK;
}

void golden_array_free(golden_array *array)
{
    free(array->bytes);
    *array = (golden_array){0};
}

golden_value golden_array_at(const golden_array *array, size_t index)
{
    size_t size = golden_dtype_size(array->dtype);
    const unsigned char *at = array->bytes + index * size;
    uint64_t bits = 0;
    for (size_t i = size; i-- > 0;) {
        bits = bits << 8 | at[i];
    }
    if (array->dtype == GOLDEN_I32 && (bits & 0x80000000u)) {
        bits |= 0xffffffff00000000u;
    }
    return (golden_value){array->dtype, bits};
}

void golden_array_set(golden_array *array, size_t index, golden_value value)
{
    size_t size = golden_dtype_size(array->dtype);
    unsigned char *at = array->bytes + index * size;
    for (size_t i = 0; i < size; ++i) {
        at[i] = (unsigned char)(value.bits >> (8 * i) & 0xffu);
    }
}

bool golden_is_nan(golden_value value)
{
    if (value.dtype == GOLDEN_F32) {
        return (value.bits & 0x7fffffffu) > 0x7f800000u;
    }
    return value.dtype == GOLDEN_F64 && (value.bits & 0x7fffffffffffffffu) > 0x7ff0000000000000u;
}

// An unsigned number that sorts as the values do.
static uint64_t order_key(golden_value value)
{
    if (value.dtype == GOLDEN_F32) {
        uint32_t bits = (uint32_t)value.bits;
        return bits & 0x80000000u ? (uint32_t)~bits : bits | 0x80000000u;
    }
    if (value.dtype == GOLDEN_F64) {
        return value.bits & 0x8000000000000000u ? ~value.bits : value.bits | 0x8000000000000000u;
    }
    return value.bits ^ 0x8000000000000000u;
}

uint64_t golden_ulp_distance(golden_value a, golden_value b)
{
    if (a.dtype != b.dtype || golden_is_nan(a) || golden_is_nan(b)) {
        return a.dtype == b.dtype && a.bits == b.bits ? 0 : UINT64_MAX;
    }
    uint64_t left = order_key(a), right = order_key(b);
    return left > right ? left - right : right - left;
}
