// SPDX-License-Identifier: Apache-2.0
#include "compare.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#ifdef __FAST_MATH__
#error "The comparison needs IEEE arithmetic: fast-math folds its NaN tests to false."
#endif

typedef struct element_error {
    bool accepted;
    double error; // NaN never leaves this file: an error without a size is infinity
    double bound;
    uint64_t differing_bits;
} element_error;

static uint64_t element_bits(const void *values, size_t index, size_t size)
{
    uint64_t bits = 0;
    const unsigned char *bytes = (const unsigned char *)values + index * size;
    for (size_t i = 0; i < size; ++i) {
        bits |= (uint64_t)bytes[i] << (8 * i);
    }
    return bits;
}

static bool is_real(nc_dtype dtype)
{
    return dtype == NC_F32 || dtype == NC_F64;
}

static bool bits_are_nan(nc_dtype dtype, uint64_t bits)
{
    if (dtype == NC_F32) {
        return (bits & 0x7fffffffu) > 0x7f800000u;
    }
    return dtype == NC_F64 && (bits & 0x7fffffffffffffffu) > 0x7ff0000000000000u;
}

static double bits_to_double(nc_dtype dtype, uint64_t bits)
{
    if (dtype == NC_F32) {
        float value;
        uint32_t low = (uint32_t)bits;
        memcpy(&value, &low, sizeof value);
        return (double)value;
    }
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

// Maps the bits to an integer that sorts as the values do, so that neighbours differ by one.
static uint64_t order_key(nc_dtype dtype, uint64_t bits)
{
    const uint64_t sign = dtype == NC_F32 ? 0x80000000u : 0x8000000000000000u;
    return (bits & sign) != 0 ? sign - (bits & (sign - 1)) : sign + bits;
}

// Cases that no size of error describes: NaN, infinities, zeros of different sign. True when decided.
static bool decide_special(double actual, double expected, element_error *out)
{
    if (isfinite(actual) && isfinite(expected) && !(actual == 0.0 && expected == 0.0)) {
        return false;
    }
    bool equal = actual == expected && signbit(actual) == signbit(expected);
    out->accepted = equal;
    out->error = equal ? 0.0 : (double)INFINITY;
    return true;
}

static element_error error_in_bits(const cupel_comparison_request *request, size_t index)
{
    size_t size = nc_dtype_size(request->dtype);
    uint64_t difference = element_bits(request->actual, index, size) ^ element_bits(request->expected, index, size);
    uint64_t count = 0;
    for (; difference != 0; difference &= difference - 1) {
        ++count;
    }
    return (element_error){.accepted = count == 0, .error = (double)count, .bound = 0.0, .differing_bits = count};
}

static element_error error_in_ulp(const cupel_comparison_request *request, size_t index)
{
    size_t size = nc_dtype_size(request->dtype);
    uint64_t actual = element_bits(request->actual, index, size);
    uint64_t expected = element_bits(request->expected, index, size);
    element_error out = {.accepted = false, .error = 0.0, .bound = request->ulp, .differing_bits = 0};
    if (decide_special(bits_to_double(request->dtype, actual), bits_to_double(request->dtype, expected), &out)) {
        return out;
    }
    uint64_t a = order_key(request->dtype, actual);
    uint64_t e = order_key(request->dtype, expected);
    out.error = (double)(a > e ? a - e : e - a);
    out.accepted = out.error <= out.bound;
    return out;
}

static element_error error_in_bound(const cupel_comparison_request *request, size_t index)
{
    double actual = bits_to_double(request->dtype, element_bits(request->actual, index, nc_dtype_size(request->dtype)));
    double expected = ((const double *)request->expected)[index];
    element_error out = {.accepted = false, .error = 0.0, .bound = request->bounds[index], .differing_bits = 0};
    if (!decide_special(actual, expected, &out)) {
        out.error = fabs(actual - expected);
        out.accepted = out.error <= out.bound;
    }
    return out;
}

// What each unit needs of a request, beyond what all need. Empty text: nothing is wrong.
static void refuse_unit(const cupel_comparison_request *request, cupel_comparison *result)
{
    if (request->unit == CUPEL_UNIT_ULP && !(request->ulp >= 0.0 && request->ulp <= CUPEL_ULP_CAP)) {
        snprintf(result->refusal, sizeof result->refusal, "the tolerance of %g ulp is not between 0 and 2^20", request->ulp);
    }
    if (request->unit != CUPEL_UNIT_BITS && !is_real(request->dtype)) {
        snprintf(result->refusal, sizeof result->refusal, "integers are compared by bits, not within a tolerance");
    }
    if (request->unit != CUPEL_UNIT_BOUND || result->refusal[0] != '\0') {
        return;
    }
    if (request->bounds == NULL) {
        snprintf(result->refusal, sizeof result->refusal, "there are no bounds");
        return;
    }
    for (size_t i = 0; i < request->count; ++i) {
        if (!(request->bounds[i] >= 0.0 && isfinite(request->bounds[i]))) {
            snprintf(result->refusal, sizeof result->refusal, "the bound of element %zu is %g: it must be finite and not negative",
                     i, request->bounds[i]);
            return;
        }
    }
}

static bool expected_is_nan(const cupel_comparison_request *request, size_t index)
{
    if (request->unit == CUPEL_UNIT_BOUND) {
        return isnan(((const double *)request->expected)[index]);
    }
    size_t size = nc_dtype_size(request->dtype);
    return bits_are_nan(request->dtype, element_bits(request->expected, index, size));
}

static void refuse_undeclared_nan(const cupel_comparison_request *request, cupel_comparison *result)
{
    for (size_t i = 0; i < request->count; ++i) {
        bool declared = request->nan_at != NULL && request->nan_at[i] == 1 && request->unit == CUPEL_UNIT_BITS;
        if (expected_is_nan(request, i) && !declared) {
            snprintf(result->refusal, sizeof result->refusal, "element %zu expects a NaN that the case does not declare", i);
            return;
        }
    }
}

static void refuse_request(const cupel_comparison_request *request, cupel_comparison *result)
{
    size_t size = nc_dtype_size(request->dtype);
    size_t expected_size = request->unit == CUPEL_UNIT_BOUND ? sizeof(double) : size;
    if (size == 0) {
        snprintf(result->refusal, sizeof result->refusal, "dtype %d is unknown", (int)request->dtype);
    } else if (request->count == 0) {
        snprintf(result->refusal, sizeof result->refusal, "zero elements would be compared");
    } else if (request->actual == NULL || request->expected == NULL) {
        snprintf(result->refusal, sizeof result->refusal, "the %s values are null",
                 request->actual == NULL ? "actual" : "expected");
    } else if (cupel_ranges_overlap(request->actual, request->count * size, request->expected, request->count * expected_size)) {
        snprintf(result->refusal, sizeof result->refusal, "the expected values overlap the actual ones in memory");
    } else {
        refuse_unit(request, result);
        if (result->refusal[0] == '\0') {
            refuse_undeclared_nan(request, result);
        }
    }
}

bool cupel_compare(const cupel_comparison_request *request, cupel_comparison *result)
{
    static element_error (*const error_of[])(const cupel_comparison_request *, size_t) = {
        [CUPEL_UNIT_BITS] = error_in_bits, [CUPEL_UNIT_ULP] = error_in_ulp, [CUPEL_UNIT_BOUND] = error_in_bound};
    memset(result, 0, sizeof *result);
    result->unit = request->unit;
    refuse_request(request, result);
    if (result->refusal[0] != '\0') {
        return false;
    }
    for (size_t i = 0; i < request->count; ++i) {
        element_error element = error_of[request->unit](request, i);
        double ratio = element.accepted && !(element.error > 0.0) ? 0.0
                       : element.bound > 0.0                      ? element.error / element.bound
                                                                  : (double)INFINITY;
        if (i == 0 || ratio > result->worst_ratio || (ratio == result->worst_ratio && element.error > result->worst_error)) {
            result->worst_ratio = ratio;
            result->worst_error = element.error;
            result->worst_bound = element.bound;
            result->worst_index = i;
        }
        if (!element.accepted) {
            result->first_failure = result->failures == 0 ? i : result->first_failure;
            ++result->failures;
        }
        result->differing_bits += element.differing_bits;
        ++result->values;
    }
    return result->failures == 0 && result->values == request->count;
}

void cupel_element_text(nc_dtype dtype, const void *values, size_t index, char *text, size_t size)
{
    uint64_t bits = element_bits(values, index, nc_dtype_size(dtype));
    switch (dtype) {
    case NC_F32:
    case NC_F64:
        if (bits_are_nan(dtype, bits)) {
            snprintf(text, size, "nan(%" PRIx64 ")", bits);
        } else {
            snprintf(text, size, "%a (%.17g)", bits_to_double(dtype, bits), bits_to_double(dtype, bits));
        }
        break;
    case NC_I64:
        snprintf(text, size, "%" PRId64, ((const int64_t *)values)[index]);
        break;
    case NC_I32:
        snprintf(text, size, "%" PRId32, ((const int32_t *)values)[index]);
        break;
    default:
        snprintf(text, size, "%" PRIu64 " (0x%" PRIx64 ")", bits, bits);
        break;
    }
}

bool cupel_ranges_overlap(const void *a, size_t a_bytes, const void *b, size_t b_bytes)
{
    uintptr_t a_begin = (uintptr_t)a;
    uintptr_t b_begin = (uintptr_t)b;
    return a_bytes > 0 && b_bytes > 0 && a_begin < b_begin + b_bytes && b_begin < a_begin + a_bytes;
}

const char *cupel_unit_name(cupel_unit unit)
{
    static const char *const names[] = {[CUPEL_UNIT_BITS] = "bits", [CUPEL_UNIT_ULP] = "ulp", [CUPEL_UNIT_BOUND] = "bound"};
    return names[unit];
}
