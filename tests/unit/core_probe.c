// SPDX-License-Identifier: Apache-2.0
// The probes' rows against MPFR, row by row, and the probes on the CPU.
#include "core_device.h"

#include <mpfr.h>
#include <string.h>

typedef enum asked_operation { SUM_OF_PRODUCT, FMA, QUOTIENT, SQUARE_ROOT, PRODUCT, SUM, OPERATION_COUNT } asked_operation;

typedef struct row {
    asked_operation operation;
    uint64_t a, b, c, answer;
} row;

#define PROBE_ROW(operation, a, b, c, answer) {operation, a, b, c, answer},
static const row rows_f32[] = {
#include "../../src/core/host/probe_f32.def"
};
static const row rows_f64[] = {
#include "../../src/core/host/probe_f64.def"
};

typedef struct format {
    mpfr_prec_t precision;
    mpfr_exp_t least, greatest; // exponents of the least subnormal and of the largest number, as MPFR counts them
    int is_f32;
} format;
static const format f32 = {24, -148, 128, 1};
static const format f64 = {53, -1073, 1024, 0};

static double value(const format *form, uint64_t bits)
{
    float narrow;
    double wide;
    uint32_t low = (uint32_t)bits;
    memcpy(&narrow, &low, sizeof narrow);
    memcpy(&wide, &bits, sizeof wide);
    return form->is_f32 ? (double)narrow : wide;
}

static uint64_t bits_of(const format *form, mpfr_t x)
{
    uint64_t bits = 0;
    if (form->is_f32) {
        float narrow = mpfr_get_flt(x, MPFR_RNDN);
        memcpy(&bits, &narrow, sizeof narrow);
    } else {
        double wide = mpfr_get_d(x, MPFR_RNDN);
        memcpy(&bits, &wide, sizeof wide);
    }
    return bits;
}

// Rounded once, to the format with its subnormals.
static uint64_t answer_of(const format *form, const row *asked)
{
    mpfr_t a, b, c, r;
    int inexact = 0;
    mpfr_set_emin(form->least);
    mpfr_set_emax(form->greatest);
    mpfr_inits2(form->precision, a, b, c, r, (mpfr_ptr)0);
    mpfr_set_d(a, value(form, asked->a), MPFR_RNDN);
    mpfr_set_d(b, value(form, asked->b), MPFR_RNDN);
    mpfr_set_d(c, value(form, asked->c), MPFR_RNDN);
    switch (asked->operation) {
    case SUM_OF_PRODUCT:
        inexact = mpfr_mul(r, a, b, MPFR_RNDN);
        mpfr_subnormalize(r, inexact, MPFR_RNDN);
        inexact = mpfr_add(r, r, c, MPFR_RNDN);
        break;
    case FMA:
        inexact = mpfr_fma(r, a, b, c, MPFR_RNDN);
        break;
    case QUOTIENT:
        inexact = mpfr_div(r, a, b, MPFR_RNDN);
        break;
    case SQUARE_ROOT:
        inexact = mpfr_sqrt(r, a, MPFR_RNDN);
        break;
    case PRODUCT:
        inexact = mpfr_mul(r, a, b, MPFR_RNDN);
        break;
    default:
        inexact = mpfr_add(r, a, b, MPFR_RNDN);
        break;
    }
    mpfr_subnormalize(r, inexact, MPFR_RNDN);
    uint64_t bits = bits_of(form, r);
    mpfr_clears(a, b, c, r, (mpfr_ptr)0);
    return bits;
}

static void check_rows(const format *form, const row *rows, size_t count)
{
    int asked[OPERATION_COUNT] = {0};
    for (size_t i = 0; i < count; ++i) {
        if (answer_of(form, &rows[i]) != rows[i].answer) {
            fail_msg("row %zu of %s: MPFR says %llx", i, form->is_f32 ? "float32" : "float64",
                     (unsigned long long)answer_of(form, &rows[i]));
        }
        ++asked[rows[i].operation];
    }
    for (int operation = 0; operation < OPERATION_COUNT; ++operation) {
        assert_true(asked[operation] >= 4);
    }
}

static void every_row_is_the_rounded_exact_value(void **state)
{
    (void)state;
    check_rows(&f32, rows_f32, sizeof rows_f32 / sizeof *rows_f32);
    check_rows(&f64, rows_f64, sizeof rows_f64 / sizeof *rows_f64);
}

// Rows of SUM_OF_PRODUCT would be answered differently by one rounding, else they prove nothing about contraction.
static void contraction_would_show(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows_f64 / sizeof *rows_f64; ++i) {
        if (rows_f64[i].operation == SUM_OF_PRODUCT) {
            row fused = rows_f64[i];
            fused.operation = FMA;
            assert_true(answer_of(&f64, &fused) != rows_f64[i].answer);
        }
    }
}

static void every_probe_holds_on_the_cpu(void **state)
{
    nc_device *device = open_cpu();
    nc_device_probes probes;
    (void)state;
    NC_STRUCT_INIT(&probes);
    assert_int_equal(nc_device_probe(device, &probes), NC_OK);
    assert_int_equal(probes.fp64, 1);
    assert_int_equal(probes.fma_exact, 1);
    assert_int_equal(probes.subnormals_kept, 1);
    assert_int_equal(probes.contraction_off, 1);
    assert_int_equal(probes.division_rounded, 1);
    assert_int_equal(probes.sqrt_rounded, 1);
    assert_int_equal(probes.mulhi_u64, 1);
    close_device(device);
}

static void refuses_what_it_cannot_use(void **state)
{
    nc_device *device = open_cpu();
    nc_device_probes probes;
    (void)state;
    NC_STRUCT_INIT(&probes);
    assert_int_equal(nc_device_probe(NULL, &probes), NC_NULL_ARGUMENT);
    assert_int_equal(nc_device_probe(device, NULL), NC_NULL_ARGUMENT);
    probes.struct_size -= 4;
    assert_int_equal(nc_device_probe(device, &probes), NC_ABI_MISMATCH);
    close_device(device);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_row_is_the_rounded_exact_value),
    cmocka_unit_test(contraction_would_show),
    cmocka_unit_test(every_probe_holds_on_the_cpu),
    cmocka_unit_test(refuses_what_it_cannot_use),
};

UNIT_MAIN(tests)
