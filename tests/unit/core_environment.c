// SPDX-License-Identifier: Apache-2.0
// The caller's floating-point environment neither reaches the core nor is changed by it: rounding mode, flushing of subnormals
// and exception flags.
#include "core_device.h"

#include <fenv.h>
#include <string.h>

#if defined(__x86_64__)
#include <xmmintrin.h>
#define FLUSH_SUBNORMALS 0x8040u // FTZ and DAZ
#endif

enum { COUNT = 300 };

static double x[COUNT], y[COUNT];
static float x32[COUNT];

// Once, in the default environment.
static void fill_inputs(void)
{
    for (int i = 0; i < COUNT; ++i) {
        x[i] = i % 7 == 0 ? 0x1.8p-1060 * (i + 1) : 1.0 / (i + 3);
        y[i] = i % 5 == 0 ? -0x1p-1050 : 0x1p-30 * (i + 1);
        x32[i] = i % 7 == 0 ? 0x1.8p-140f * (float)(i + 1) : 1.0f / (float)(i + 3);
    }
}

// Results of every kind of operation, from inputs that round and that are subnormal.
typedef struct answers {
    double axpy[COUNT], sum, dot, gemm[4], least, normal[COUNT];
    float axpy_f32[COUNT], uniform_f32[COUNT];
} answers;

static void compute(nc_device *device, answers *a)
{
    const int64_t square[2] = {2, 2}, flat[2] = {2, 1};
    nc_array *dx = create_filled(device, NC_F64, COUNT, x), *dy = create_filled(device, NC_F64, COUNT, y);
    nc_array *dx32 = create_filled(device, NC_F32, COUNT, x32), *out32 = create_vector(device, NC_F32, COUNT);
    nc_array *out = create_vector(device, NC_F64, COUNT), *one = create_vector(device, NC_F64, 1);
    nc_array *m = view(dx, 1, 2, square, flat), *c = create(device, NC_F64, 2, square);
    assert_int_equal(nc_axpy(0.1, dx, dy, out), NC_OK);
    download(out, a->axpy, sizeof a->axpy);
    assert_int_equal(nc_axpy(0.1, dx32, dx32, out32), NC_OK); // alpha itself rounds
    download(out32, a->axpy_f32, sizeof a->axpy_f32);
    assert_int_equal(nc_sum(dx, one), NC_OK);
    download(one, &a->sum, sizeof a->sum);
    assert_int_equal(nc_dot(dx, dy, one), NC_OK);
    download(one, &a->dot, sizeof a->dot);
    assert_int_equal(nc_minimum(dx, one), NC_OK);
    download(one, &a->least, sizeof a->least);
    assert_int_equal(nc_gemm(1.0 / 3.0, m, m, 0.0, c), NC_OK);
    download(c, a->gemm, sizeof a->gemm);
    assert_int_equal(nc_rng_normal(1, 2, 3, out), NC_OK);
    download(out, a->normal, sizeof a->normal);
    assert_int_equal(nc_rng_uniform_curand(1, 2, 3, out32), NC_OK);
    download(out32, a->uniform_f32, sizeof a->uniform_f32);
    nc_array *all[] = {dx, dy, dx32, out32, out, one, m, c};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; ++i) {
        release(all[i]);
    }
}

static void the_callers_environment_does_not_matter(void **state)
{
    static const int modes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    static answers expected, got;
    (void)state;
    nc_device *device = open_cpu();
    fill_inputs();
    compute(device, &expected);
    assert_true(expected.axpy[0] != 0.0 && expected.least != 0.0); // subnormals are there
    for (size_t m = 0; m < sizeof modes / sizeof modes[0]; ++m) {
        memset(&got, 0xff, sizeof got);
        assert_int_equal(fesetround(modes[m]), 0);
        feclearexcept(FE_ALL_EXCEPT);
        compute(device, &got);
        int mode = fegetround();
        assert_int_equal(fesetround(FE_TONEAREST), 0);
        assert_int_equal(mode, modes[m]);
        assert_memory_equal(&expected, &got, sizeof got);
    }
    close_device(device);
}

static void exception_flags_are_the_callers(void **state)
{
    (void)state;
    nc_device *device = open_cpu();
    const double inputs[2] = {1.0, 1e300};
    double result;
    nc_array *in = create_filled(device, NC_F64, 2, inputs), *out = create_vector(device, NC_F64, 1);
    feclearexcept(FE_ALL_EXCEPT);
    assert_int_equal(nc_dot(in, in, out), NC_OK); // overflows and is inexact
    download(out, &result, sizeof result);
    assert_int_equal(fetestexcept(FE_ALL_EXCEPT), 0);
    assert_true(result > 0x1.fffffffffffffp1023); // infinite
    feraiseexcept(FE_DIVBYZERO);
    assert_int_equal(nc_sum(in, out), NC_OK);
    assert_int_equal(fetestexcept(FE_ALL_EXCEPT), FE_DIVBYZERO);
    feclearexcept(FE_ALL_EXCEPT);
    release(in), release(out);
    close_device(device);
}

#if defined(__x86_64__)
static void flushing_of_subnormals_does_not_matter(void **state)
{
    (void)state;
    nc_device *device = open_cpu();
    unsigned int saved = _mm_getcsr();
    _mm_setcsr(saved | FLUSH_SUBNORMALS);
    // Inputs and results are bits: this function's own arithmetic would flush.
    nc_array *in = create_vector(device, NC_F64, 1), *out = create_vector(device, NC_F64, 1);
    uint64_t least = 1, sum = 0;
    assert_int_equal(nc_array_upload(in, &least, sizeof least), NC_OK);
    assert_int_equal(nc_sum(in, out), NC_OK);
    download(out, &sum, sizeof sum);
    assert_int_equal(sum, 1);
    assert_int_equal(nc_axpy(2.0, in, in, out), NC_OK);
    download(out, &sum, sizeof sum);
    assert_int_equal(sum, 3);
    unsigned int after = _mm_getcsr();
    _mm_setcsr(saved);
    assert_int_equal(after & FLUSH_SUBNORMALS, FLUSH_SUBNORMALS);
    release(in), release(out);
    close_device(device);
}
#endif

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_callers_environment_does_not_matter),
    cmocka_unit_test(exception_flags_are_the_callers),
#if defined(__x86_64__)
    cmocka_unit_test(flushing_of_subnormals_does_not_matter),
#endif
};

UNIT_MAIN(tests)
