// SPDX-License-Identifier: Apache-2.0
// Orders of all thirteen methods against closed forms: halving the step must divide the error by 2^(order - 0.1) at least, on two
// problems each, at three step sizes in a row. The reference is never the method itself: a method that converges to a wrong limit
// has order 0 here.
#include "solver.h"

#include <math.h>

static const struct {
    int32_t method;
    double order;
} orders[] = {
    {NC_METHOD_EULER, 1.0},          {NC_METHOD_HEUN, 2.0},        {NC_METHOD_RK4, 4.0},          {NC_METHOD_DOPRI5, 5.0},
    {NC_METHOD_IMPLICIT_EULER, 1.0}, {NC_METHOD_TRAPEZOIDAL, 2.0}, {NC_METHOD_BDF2, 2.0},         {NC_METHOD_ROS2, 2.0},
    {NC_METHOD_SDIRK2, 2.0},         {NC_METHOD_IMEX_EULER, 1.0},  {NC_METHOD_IMEX_HEUN_TR, 2.0}, {NC_METHOD_IMEX_TRBDF2, 2.0},
    {NC_METHOD_IMEX_ARK3, 3.0},
};

#define HALVINGS 4

// The largest error at t1 for n, 2n, 4n, 8n steps.
typedef struct problem {
    nc_model *model;
    double t0, t1;
    int64_t states, parameter_count;
    double state[2], parameters[2], solution[2];
} problem;

static void expect_order(cupel_context *context, const problem *p, int32_t method, double order, int64_t steps)
{
    nc_solver_options options = options_of(method);
    double before = 0.0;
    options.newton_tolerance = 0x1p-48;
    for (int halving = 0; halving < HALVINGS; ++halving) {
        double final[2], error = 0.0;
        run_uniform(context, p->model, &options, p->t0, p->t1, steps << halving, p->state, p->states, p->parameters,
                    p->parameter_count, final);
        for (int64_t i = 0; i < p->states; ++i) {
            error = fmax(error, fabs(final[i] - p->solution[i]));
        }
        if (halving > 0) {
            double measured = log2(before / error);
            if (!(measured >= order - 0.1)) {
                cupel_fail(context, "%s: order %.3f from error %g to %g at %lld steps; at least %.1f is needed",
                           nc_method_name((nc_method)method), measured, before, error, (long long)(steps << halving), order - 0.1);
            }
            cupel_expect_true(context, measured >= order - 0.1);
        }
        before = error;
    }
}

static problem riccati(cupel_context *context)
{
    problem p = {.model = model_riccati(context), .t0 = 0.25, .t1 = 1.5, .states = 1, .state = {1.5}};
    p.solution[0] = 1.0 / (1.0 / p.state[0] + p.t1 * p.t1 - p.t0 * p.t0);
    return p;
}

static problem logistic(cupel_context *context, int32_t implicit)
{
    problem p = {.model = model_logistic(context, implicit), .t0 = 0.0, .t1 = 2.0, .states = 1, .parameter_count = 2};
    double r = 1.5, c = 0.75, start = 0.25;
    p.state[0] = start;
    p.parameters[0] = r;
    p.parameters[1] = c;
    p.solution[0] = r / (c + (r / start - c) * exp(-r * p.t1));
    return p;
}

static problem forced_pair(cupel_context *context, int32_t implicit)
{
    problem p = {.model = model_forced_pair(context, implicit), .t0 = 0.0, .t1 = 1.0, .states = 2, .state = {3.0, 0.5}};
    forced_pair_solution(p.t1, p.state, p.solution);
    return p;
}

static void order(cupel_context *context)
{
    const int32_t *index = cupel_data(context);
    int32_t method = orders[*index].method;
    problem first = method_is_imex(method) ? logistic(context, 1) : riccati(context);
    problem second = forced_pair(context, method_is_imex(method));
    int64_t steps = orders[*index].order > 3.0 ? 10 : 40;
    expect_order(context, &first, method, orders[*index].order, steps);
    expect_order(context, &second, method, orders[*index].order, steps);
    cupel_expect_status(context, nc_model_release(first.model), NC_OK);
    cupel_expect_status(context, nc_model_release(second.model), NC_OK);
}

static const int32_t numbers[METHODS] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
#define ORDER_CASE(name, index)                                                                                                    \
    {                                                                                                                              \
        "solver.order." name ".f64", order, NC_F64, &numbers[index]                                                                \
    }

static const cupel_case cases[METHODS] = {
    ORDER_CASE("euler", 0),          ORDER_CASE("heun", 1),        ORDER_CASE("rk4", 2),           ORDER_CASE("dopri5", 3),
    ORDER_CASE("implicit-euler", 4), ORDER_CASE("trapezoidal", 5), ORDER_CASE("bdf2", 6),          ORDER_CASE("ros2", 7),
    ORDER_CASE("sdirk2", 8),         ORDER_CASE("imex-euler", 9),  ORDER_CASE("imex-heun-tr", 10), ORDER_CASE("imex-trbdf2", 11),
    ORDER_CASE("imex-ark3", 12),
};

const cupel_table solver_order_table = CUPEL_TABLE(cases);
