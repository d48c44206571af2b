// SPDX-License-Identifier: Apache-2.0
// Comparison of values, apart from devices and cases. It accepts in one form only: an element passes when its error is shown to
// be within its bound, so a NaN anywhere fails by itself.
#ifndef CUPEL_COMPARE_H
#define CUPEL_COMPARE_H

#include "nc_base.h"

#include <stdbool.h>

typedef enum cupel_unit { CUPEL_UNIT_BITS, CUPEL_UNIT_ULP, CUPEL_UNIT_BOUND } cupel_unit;

// The greatest tolerance that may be stated in ulp: beyond it float32 keeps three significant bits and a comparison means nothing.
#define CUPEL_ULP_CAP 0x1p20

typedef struct cupel_comparison_request {
    nc_dtype dtype;
    cupel_unit unit;
    const void *actual;    // dtype
    const void *expected;  // dtype; doubles for CUPEL_UNIT_BOUND
    size_t count;          // elements; 0 is refused
    const uint8_t *nan_at; // 1 where a NaN may be expected; null: nowhere
    double ulp;            // CUPEL_UNIT_ULP
    const double *bounds;  // CUPEL_UNIT_BOUND, one for each element, finite and not negative
} cupel_comparison_request;

typedef struct cupel_comparison {
    uint64_t values; // compared
    uint64_t failures;
    uint64_t differing_bits; // CUPEL_UNIT_BITS
    cupel_unit unit;
    double worst_error; // in the unit; infinity when an error has no size
    double worst_bound;
    double worst_ratio; // error / bound; infinity for any error over a bound of 0
    size_t worst_index;
    size_t first_failure;
    char refusal[160]; // "" or why nothing was compared; then the comparison failed
} cupel_comparison;

// True when everything was compared and every element passed.
bool cupel_compare(const cupel_comparison_request *request, cupel_comparison *result);
// An element as text: exact hexadecimal for reals, decimal for integers, with the bits of a NaN.
void cupel_element_text(nc_dtype dtype, const void *values, size_t index, char *text, size_t size);
bool cupel_ranges_overlap(const void *a, size_t a_bytes, const void *b, size_t b_bytes);

const char *cupel_unit_name(cupel_unit unit);

#endif
