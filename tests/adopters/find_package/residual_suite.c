// SPDX-License-Identifier: Apache-2.0
#include "cupel.h"
#include "residual.h"

// Small integers: every step is exact, so the answer is known without any arithmetic of the library.
static void known_system(cupel_context *context)
{
    const double a[] = {1, 2, 3, 4, 5, 6};
    const double x[] = {1, -1};
    const double b[] = {1, 1, 1};
    const double residual[] = {2, 2, 2};
    const double square[] = {12};
    const int64_t a_shape[] = {3, 2}, x_shape[] = {2, 1}, b_shape[] = {3, 1};
    nc_dtype dtype = cupel_dtype(context);
    nc_array *out = cupel_output(context, dtype, 2, b_shape);
    nc_array *length = cupel_output(context, dtype, 0, NULL);
    cupel_require_ok(context,
                     residual_compute(cupel_input(context, dtype, 2, a_shape, cupel_reals(context, dtype, a, 6)),
                                      cupel_input(context, dtype, 2, x_shape, cupel_reals(context, dtype, x, 2)),
                                      cupel_input(context, dtype, 2, b_shape, cupel_reals(context, dtype, b, 3)), out, length));
    cupel_expect_bits(context, out, cupel_reals(context, dtype, residual, 3), 3);
    cupel_expect_bits(context, length, cupel_reals(context, dtype, square, 1), 1);
}

static void wrong_shape_is_refused(cupel_context *context)
{
    const double zeros[3] = {0};
    nc_dtype dtype = cupel_dtype(context);
    const int64_t a_shape[] = {1, 3}, x_shape[] = {2, 1}, b_shape[] = {1, 1};
    nc_array *a = cupel_input(context, dtype, 2, a_shape, cupel_reals(context, dtype, zeros, 3));
    nc_array *x = cupel_input(context, dtype, 2, x_shape, cupel_reals(context, dtype, zeros, 2));
    nc_array *b = cupel_input(context, dtype, 2, b_shape, cupel_reals(context, dtype, zeros, 1));
    nc_array *residual = cupel_update(context, dtype, 2, b_shape, zeros);
    nc_array *square = cupel_output(context, dtype, 0, NULL);
    cupel_expect_status(context, residual_compute(a, x, b, residual, square), NC_SHAPE_MISMATCH);
    cupel_expect_untouched(context, square);
}

static const cupel_case cases[] = {
    CUPEL_CASE_REALS("residual.known-system", known_system),
    CUPEL_CASE_REALS("residual.wrong-shape-is-refused", wrong_shape_is_refused),
};
static const cupel_table table = CUPEL_TABLE(cases);
static const cupel_table *const tables[] = {&table};

const cupel_suite cupel_this_suite = CUPEL_SUITE("residual", tables);
