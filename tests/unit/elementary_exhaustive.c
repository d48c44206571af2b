// SPDX-License-Identifier: Apache-2.0
// elementary-exhaustive [STEP [NAME...]]: every float32 argument (or every STEP-th) of every function (or of those named) against
// the float64 function at the same argument, which the sweep holds to MPFR within 2^-51: the error is measured to 2^-27 ulp. Prints
// the largest in ulp, and relative in u = 2^-24 where the truth is a normal number, and exits 1 when a bound of elementary.def is
// passed. Step 1 takes minutes for each function.
#include "elementary.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static float of_bits(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

// The error in ulp and, unless the truth is not a normal number, relative in u.
static double error_ulp(float got, double truth, double *relative)
{
    *relative = 0.0;
    if (isnan(truth) || isnan(got)) {
        return isnan(truth) && isnan(got) ? 0.0 : HUGE_VAL;
    }
    if (isinf(got)) {
        return (double)got == truth || fabs(truth) >= 0x1.ffffffp+127 ? 0.0 : HUGE_VAL;
    }
    int exponent;
    (void)frexp(truth, &exponent);
    exponent = exponent - 1 < -126 ? -126 : exponent - 1;
    double error = fabs((double)got - truth);
    if (fabs(truth) >= 0x1p-126) {
        *relative = error / fabs(truth) * 0x1p24;
    }
    return error * ldexp(1.0, 23 - exponent);
}

typedef struct largest {
    double error, at;
} largest;

static void largest_take(largest *worst, double error, double at)
{
    if (!(error <= worst->error)) {
        worst->error = error;
        worst->at = at;
    }
}

static int measure(const elementary_function *f, uint64_t step)
{
    largest ulp = {0}, relative = {0};
    uint64_t count = 0;
    for (uint64_t bits = 0; bits <= UINT32_MAX; bits += step) {
        float x = of_bits((uint32_t)bits);
        if (!((double)x >= f->low && (double)x <= f->high)) {
            continue;
        }
        double part, error = error_ulp(f->f32(x), f->f64((double)x), &part);
        ++count;
        largest_take(&ulp, error, (double)x);
        largest_take(&relative, part, (double)x);
    }
    printf("%-18s %.4f ulp at %a (bound %g), %.4f u at %a (bound %g), %llu arguments\n", f->name, ulp.error, ulp.at, f->bound_f32,
           relative.error, relative.at, f->relative, (unsigned long long)count);
    (void)fflush(stdout);
    return !(ulp.error <= f->bound_f32 && relative.error <= f->relative && count > 0);
}

int main(int argc, char **argv)
{
    int failed = 0, known = 0;
    unsigned long step = argc > 1 ? strtoul(argv[1], NULL, 10) : 1;
    for (size_t i = 0; step > 0 && i < elementary_count; ++i) {
        int wanted = argc < 3;
        for (int a = 2; a < argc; ++a) {
            wanted |= strcmp(argv[a], elementary_functions[i].name) == 0;
        }
        known += wanted;
        failed |= wanted && measure(&elementary_functions[i], step);
    }
    if (known == 0 || (argc > 2 && known != argc - 2)) {
        fprintf(stderr, "usage: elementary-exhaustive [STEP [NAME...]]: names are those of tests/unit/elementary.def\n");
        return 64;
    }
    return failed;
}
