// SPDX-License-Identifier: Apache-2.0
// The core's elementary functions in both precisions, compiled here from their bodies, and their truth in MPFR.
#ifndef UNIT_ELEMENTARY_H
#define UNIT_ELEMENTARY_H

#include <mpfr.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct elementary_function {
    const char *name;
    float (*f32)(float x);
    double (*f64)(double x);
    void (*truth)(mpfr_t result, const mpfr_t x); // at result's precision, whatever cancels
    double bound_f32, bound_f64;                  // ulp
    double relative;                              // units u, of normal results
    double low, high;                             // of float64; float32 clips them to its own range
} elementary_function;

extern const elementary_function elementary_functions[];
extern const size_t elementary_count;

// |got - truth| in units of the last place of binary32 (mantissa 23, least exponent -126) or binary64 (52, -1022) at the truth.
// An infinity is right where the truth rounds to it.
double elementary_error(double got, const mpfr_t truth, int mantissa_bits, long least_exponent);

#endif
