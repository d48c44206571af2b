// SPDX-License-Identifier: Apache-2.0
// Names and sizes of statuses and dtypes, and what this library is.
#include "host.h"

#define STATUS(name) [name] = #name
static const char *const status_names[] = {
    STATUS(NC_OK),
    STATUS(NC_INVALID_ARGUMENT),
    STATUS(NC_NULL_ARGUMENT),
    STATUS(NC_SHAPE_MISMATCH),
    STATUS(NC_MIXED_DTYPE),
    STATUS(NC_WRONG_DEVICE),
    STATUS(NC_OVERLAP),
    STATUS(NC_OUT_OF_RANGE),
    STATUS(NC_EMPTY),
    STATUS(NC_ABI_MISMATCH),
    STATUS(NC_OUT_OF_MEMORY),
    STATUS(NC_DEVICE_NOT_FOUND),
    STATUS(NC_DEVICE_ERROR),
    STATUS(NC_UNSUPPORTED),
    STATUS(NC_NUMERICAL_ERROR),
    STATUS(NC_RANK_DEFICIENT),
    STATUS(NC_ILL_CONDITIONED),
    STATUS(NC_NOT_CONVERGED),
};
_Static_assert(sizeof status_names / sizeof status_names[0] == NC_STATUS_COUNT, "every status has a name");

static const struct {
    const char *name;
    size_t size;
} dtypes[] = {
    [NC_F32] = {"f32", 4}, [NC_F64] = {"f64", 8}, [NC_I64] = {"i64", 8},
    [NC_U32] = {"u32", 4}, [NC_U8] = {"u8", 1},   [NC_I32] = {"i32", 4},
};
#define DTYPE_COUNT (sizeof dtypes / sizeof dtypes[0])

const char *nc_status_name(nc_status status)
{
    size_t index = (size_t)status;
    return index < NC_STATUS_COUNT ? status_names[index] : "unknown";
}

const char *nc_dtype_name(nc_dtype dtype)
{
    size_t index = (size_t)dtype;
    return index < DTYPE_COUNT && dtypes[index].name != NULL ? dtypes[index].name : "unknown";
}

size_t nc_dtype_size(nc_dtype dtype)
{
    size_t index = (size_t)dtype;
    return index < DTYPE_COUNT ? dtypes[index].size : 0;
}

const char *nc_backend(void)
{
    return be_name();
}

uint32_t nc_abi_version(void)
{
    return NC_ABI_VERSION;
}

const char *nc_version(void)
{
    return CUPEL_VERSION;
}
