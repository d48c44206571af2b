// SPDX-License-Identifier: Apache-2.0
// Reductions, integrals, selections, pins and transports over axes.
#include "model.h"

#include <math.h>
#include <string.h>

static void expect_observables(cupel_context *context, nc_model *model, const double *state, int64_t states, const double *expected,
                               size_t count)
{
    nc_dtype dtype = cupel_dtype(context);
    nc_array *out = cupel_output_vector(context, dtype, (int64_t)count);
    cupel_require_ok(context,
                     nc_model_observables(model, fixture_scalar(context, 0.0), fixture_vector(context, state, states), NULL, out));
    cupel_expect_bits(context, out, cupel_reals(context, dtype, expected, count), count);
}

static void publish(sketch s, int32_t quantity)
{
    cupel_require_ok(s.context, nc_network_add_observable(s.network, quantity));
}

// Coordinates 0, 1, 3 have the weights 1/2, 3/2, 1; on the closed interval [1, 3] they are those of the two nodes alone.
static void trapezoid_weights(cupel_context *context)
{
    static const double coordinates[] = {0.0, 1.0, 3.0}, state[] = {1.0, 10.0, 100.0},
                        expected[] = {115.5, 110.0, 5.5, 115.5, 37.0};
    sketch s = sketch_begin(context);
    int32_t age = sketch_axis(s, "age", 3, coordinates), x = sketch_compartment(s, "x", 1, &age);
    int32_t upper = NC_NONE, lower = NC_NONE, all = NC_NONE;
    publish(s, sketch_reduction(s, "whole", x, NC_REDUCTION_TRAPEZOID, 1, &age));
    cupel_require_ok(context, nc_network_add_integral(s.network, "upper", x, age, 1.0, 3.0, &upper));
    cupel_require_ok(context, nc_network_add_integral(s.network, "lower", x, age, -5.0, 1.0, &lower));
    cupel_require_ok(context, nc_network_add_integral(s.network, "all", x, age, 0.0, 3.0, &all));
    publish(s, upper);
    publish(s, lower);
    publish(s, all);
    publish(s, sketch_reduction(s, "mean", x, NC_REDUCTION_MEAN, 1, &age));
    nc_model *model = sketch_compile(s);
    expect_observables(context, model, state, 3, expected, 5);
    sketch_release(context, model);
}

// f(a, b) = (2 + 3a)(1 - b) + 5 is linear in each coordinate, so the nested trapezoid on nonuniform grids is its integral, exactly:
// the integral over [0,4] x [1,3] is (8 + 24) * (2 - 4) + 5 * 8 = -24. Both orders of nesting agree.
static void bilinear_is_exact(cupel_context *context)
{
    static const double a[] = {0.0, 0.5, 1.0, 4.0}, b[] = {1.0, 1.25, 3.0};
    double state[12];
    const double expected[] = {-24.0, -24.0};
    for (int i = 0; i < 4; ++i) {
        for (int j = 0; j < 3; ++j) {
            state[i * 3 + j] = (2.0 + 3.0 * a[i]) * (1.0 - b[j]) + 5.0;
        }
    }
    sketch s = sketch_begin(context);
    const int32_t axes[] = {sketch_axis(s, "a", 4, a), sketch_axis(s, "b", 3, b)}, turned[] = {axes[1], axes[0]};
    int32_t x = sketch_compartment(s, "x", 2, axes);
    publish(s, sketch_reduction(s, "outer a", x, NC_REDUCTION_TRAPEZOID, 2, axes));
    publish(s, sketch_reduction(s, "outer b", x, NC_REDUCTION_TRAPEZOID, 2, turned));
    nc_model *model = sketch_compile(s);
    expect_observables(context, model, state, 12, expected, 2);
    sketch_release(context, model);
}

// x over (g, s): sums along each axis, along both, a mean, a slice, and an alias that equals the direct sum.
static void sums_and_slices(cupel_context *context)
{
    double state[6];
    const double expected[] = {6.0, 60.0, 11.0, 22.0, 33.0, 66.0, 11.0, 10.0, 20.0, 30.0, 3.0, 30.0};
    for (int i = 0; i < 3; ++i) {
        state[i] = i + 1.0;
        state[3 + i] = 10.0 * (i + 1.0);
    }
    sketch s = sketch_begin(context);
    const int32_t axes[] = {sketch_axis(s, "g", 2, NULL), sketch_axis(s, "s", 3, NULL)};
    int32_t x = sketch_compartment(s, "x", 2, axes), slice = NC_NONE, column = NC_NONE;
    publish(s, sketch_reduction(s, "over s", x, NC_REDUCTION_SUM, 1, &axes[1]));
    publish(s, sketch_reduction(s, "over g", x, NC_REDUCTION_SUM, 1, &axes[0]));
    publish(s, sketch_reduction(s, "over both", x, NC_REDUCTION_SUM, 2, axes));
    publish(s, sketch_reduction(s, "mean", x, NC_REDUCTION_MEAN, 2, axes));
    cupel_require_ok(context, nc_network_add_selection(s.network, "g = 1", x, axes[0], 1, &slice));
    cupel_require_ok(context, nc_network_add_selection(s.network, "s = 2", x, axes[1], 2, &column));
    publish(s, slice);
    publish(s, column);
    nc_model *model = sketch_compile(s);
    expect_observables(context, model, state, 6, expected, 12);
    sketch_release(context, model);
}

// A transport along the middle axis of (g, s, a), and a product of quantities whose axes come in other orders: out[a, g] = u[g]
// v[a].
static void axes_in_any_order(cupel_context *context)
{
    enum { G = 2, S = 3, A = 2 };
    static const double matrix[S][S] = {{1.0, 2.0, 3.0}, {0.0, -1.0, 0.5}, {4.0, 0.0, 1.0}}, u[G] = {3.0, 5.0}, v[A] = {7.0, 11.0};
    double state[G * S * A], expected[G * S * A + A * G];
    for (int i = 0; i < G * S * A; ++i) {
        state[i] = 1.0 + (i * i) % 13;
    }
    for (int g = 0; g < G; ++g) {
        for (int to = 0; to < S; ++to) {
            for (int a = 0; a < A; ++a) {
                double sum = 0.0;
                for (int from = 0; from < S; ++from) {
                    sum += matrix[to][from] * state[(g * S + from) * A + a];
                }
                expected[(g * S + to) * A + a] = sum;
                expected[G * S * A + a * G + g] = u[g] * v[a];
            }
        }
    }
    sketch s = sketch_begin(context);
    const int32_t axes[] = {sketch_axis(s, "g", G, NULL), sketch_axis(s, "s", S, NULL), sketch_axis(s, "a", A, NULL)};
    const int32_t square[] = {axes[1], axes[1]};
    int32_t x = sketch_compartment(s, "x", 3, axes), t = sketch_constant(s, "T", 2, square, &matrix[0][0], S * S), moved = NC_NONE;
    int32_t left = sketch_constant(s, "u", 1, &axes[0], u, G), right = sketch_constant(s, "v", 1, &axes[2], v, A),
            product = NC_NONE;
    const int32_t factors[] = {right, left}, orders[] = {1, 1};
    cupel_require_ok(context, nc_network_add_transport(s.network, "moved", t, x, axes[1], &moved));
    cupel_require_ok(context, nc_network_add_product(s.network, "outer", 2, factors, orders, &product));
    publish(s, moved);
    publish(s, product);
    nc_model *model = sketch_compile(s);
    expect_observables(context, model, state, G * S * A, expected, G * S * A + A * G);
    sketch_release(context, model);
}

// A long sum has the chain's order: 2^24 (2^53) first, then ones that a chain loses and another order would keep.
static void order_of_sums(cupel_context *context)
{
    enum { COUNT = 65 };
    double state[COUNT], large = cupel_dtype(context) == NC_F32 ? 0x1p+24 : 0x1p+53;
    for (int i = 0; i < COUNT; ++i) {
        state[i] = i == 0 ? large : 1.0;
    }
    sketch s = sketch_begin(context);
    int32_t axis = sketch_axis(s, "cell", COUNT, NULL), x = sketch_compartment(s, "x", 1, &axis);
    publish(s, sketch_reduction(s, "sum", x, NC_REDUCTION_SUM, 1, &axis));
    nc_model *model = sketch_compile(s);
    expect_observables(context, model, state, COUNT, &large, 1); // each 1 is lost: half an ulp, to even
    sketch_release(context, model);
}

// Of a pinned axis one node takes part, whichever it is: an inflow of 1/2 at age 2, and a quarter of what stands at age 1 leaves
// that node for y.
static void pinned_nodes(cupel_context *context)
{
    static const double coordinates[] = {0.0, 1.0, 3.0}, state[] = {2.0, 8.0, 16.0, 1.0}, parameters[] = {0.5, 0.25},
                        expected[] = {0.0, -2.0, 0.5, 2.0};
    nc_dtype dtype = cupel_dtype(context);
    sketch s = sketch_begin(context);
    int32_t age = sketch_axis(s, "age", 3, coordinates), slice = NC_NONE;
    int32_t x = sketch_compartment(s, "x", 1, &age), y = sketch_compartment(s, "y", 0, NULL);
    int32_t inflow = sketch_parameter(s, "inflow", 0, NULL), leaving = sketch_parameter(s, "leaving", 0, NULL);
    cupel_require_ok(context, nc_network_add_selection(s.network, "age 1", x, age, 1, &slice));
    nc_flow enters = sketch_flow("enters", NC_LAW_CONSTANT, NC_NONE, x, inflow, NC_NONE);
    nc_flow leaves = sketch_flow("leaves", NC_LAW_LINEAR, x, y, leaving, slice);
    enters.target_pin_axis = age;
    enters.target_pin_node = 2;
    leaves.source_pin_axis = age;
    leaves.source_pin_node = 1;
    sketch_add(s, enters);
    sketch_add(s, leaves);
    nc_model *model = sketch_compile(s);
    nc_array *rates = cupel_output_vector(context, dtype, 4);
    cupel_require_ok(context, nc_model_rhs(model, fixture_scalar(context, 0.0), fixture_vector(context, state, 4),
                                           fixture_vector(context, parameters, 2), rates));
    cupel_expect_bits(context, rates, cupel_reals(context, dtype, expected, 4), 4);
    sketch_release(context, model);
}

static const cupel_case cases[] = {
    CUPEL_CASE_REALS("model.reduction.trapezoid-weights", trapezoid_weights),
    CUPEL_CASE_REALS("model.reduction.bilinear-is-exact", bilinear_is_exact),
    CUPEL_CASE_REALS("model.reduction.sums-and-slices", sums_and_slices),
    CUPEL_CASE_REALS("model.reduction.axes-in-any-order", axes_in_any_order),
    CUPEL_CASE_REALS("model.reduction.order-of-sums", order_of_sums),
    CUPEL_CASE_REALS("model.reduction.pinned-nodes", pinned_nodes),
};

const cupel_table model_reduction_table = CUPEL_TABLE(cases);
