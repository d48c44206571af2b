// SPDX-License-Identifier: Apache-2.0
// Small models with known solutions, and runs of one trajectory.
#include "solver.h"

#include <math.h>

// A network being described.
typedef struct description {
    cupel_context *context;
    nc_network *network;
} description;

static description begin(cupel_context *context)
{
    description d = {.context = context};
    cupel_require_ok(context, nc_network_create(&d.network));
    return d;
}

static nc_model *end(description d)
{
    nc_model *model = NULL;
    cupel_require_ok(d.context, nc_model_compile(cupel_device(d.context), d.network, &model));
    cupel_require_ok(d.context, nc_network_release(d.network));
    return model;
}

static int32_t compartment(description d, const char *name, int32_t rank, const int32_t *axes)
{
    int32_t quantity = 0;
    cupel_require_ok(d.context, nc_network_add_compartment(d.network, name, rank, axes, &quantity));
    return quantity;
}

static int32_t parameter(description d, const char *name)
{
    int32_t quantity = 0;
    cupel_require_ok(d.context, nc_network_add_parameter(d.network, name, 0, NULL, &quantity));
    return quantity;
}

static int32_t constant(description d, const char *name, double value)
{
    int32_t quantity = 0;
    cupel_require_ok(d.context, nc_network_add_constant(d.network, name, 0, NULL, &value, 1, &quantity));
    return quantity;
}

// rate * reactant^order from source to target; order 0 is a constant flow.
static nc_flow flow_of(const char *name, int32_t source, int32_t target, int32_t rate, int32_t reactant, int32_t order)
{
    nc_flow flow;
    NC_STRUCT_INIT(&flow);
    flow.name = name;
    flow.law = order == 0 ? NC_LAW_CONSTANT : order == 1 ? NC_LAW_LINEAR : NC_LAW_MASS_ACTION;
    flow.source = source;
    flow.target = target;
    flow.rate = rate;
    flow.reactant_count = order == 0 ? 0 : 1;
    flow.reactants[0] = reactant;
    flow.orders[0] = order;
    return flow;
}

static void add(description d, nc_flow flow)
{
    int32_t number = 0;
    cupel_require_ok(d.context, nc_network_add_flow(d.network, &flow, &number));
}

nc_model *model_decay(cupel_context *context, int32_t implicit)
{
    description d = begin(context);
    int32_t x = compartment(d, "x", 0, NULL), k = parameter(d, "k");
    nc_flow loss = flow_of("loss", x, NC_NONE, k, x, 1);
    loss.implicit = implicit;
    add(d, loss);
    return end(d);
}

nc_model *model_riccati(cupel_context *context)
{
    description d = begin(context);
    int32_t x = compartment(d, "x", 0, NULL), two = constant(d, "two", 2.0), time = 0;
    cupel_require_ok(context, nc_network_add_time(d.network, "time", &time));
    nc_flow loss = flow_of("loss", x, NC_NONE, two, x, 2);
    loss.forcing = time;
    add(d, loss);
    return end(d);
}

nc_model *model_logistic(cupel_context *context, int32_t implicit)
{
    description d = begin(context);
    int32_t x = compartment(d, "x", 0, NULL), r = parameter(d, "r"), c = parameter(d, "c");
    nc_flow growth = flow_of("growth", NC_NONE, x, r, x, 1);
    growth.implicit = implicit;
    add(d, growth);
    add(d, flow_of("crowding", x, NC_NONE, c, x, 2));
    return end(d);
}

nc_model *model_forced_pair(cupel_context *context, int32_t implicit)
{
    description d = begin(context);
    int32_t x1 = compartment(d, "x1", 0, NULL), x2 = compartment(d, "x2", 0, NULL), one = constant(d, "one", 1.0), time = 0;
    cupel_require_ok(context, nc_network_add_time(d.network, "time", &time));
    nc_flow forward = flow_of("forward", x1, x2, one, x1, 1), loss = flow_of("loss2", x2, NC_NONE, one, x2, 1);
    forward.implicit = loss.implicit = implicit;
    add(d, forward);
    add(d, loss);
    add(d, flow_of("back", x2, x1, one, x2, 1));
    add(d, flow_of("loss1", x1, NC_NONE, one, x1, 1));
    add(d, flow_of("supply", NC_NONE, x1, time, NC_NONE, 0));
    return end(d);
}

// u = x1 + x2, v = x1 - x2: u' = -u + t, v' = -3 v + t.
void forced_pair_solution(double t, const double *start, double *x)
{
    double u = (t - 1.0) + (start[0] + start[1] + 1.0) * exp(-t);
    double v = t / 3.0 - 1.0 / 9.0 + (start[0] - start[1] + 1.0 / 9.0) * exp(-3.0 * t);
    x[0] = (u + v) / 2.0;
    x[1] = (u - v) / 2.0;
}

nc_model *model_sir(cupel_context *context, int64_t groups)
{
    description d = begin(context);
    int32_t group = 0, everyone = 0;
    cupel_require_ok(context, nc_network_add_axis(d.network, "group", groups, NULL, &group));
    int32_t s = compartment(d, "S", 1, &group), i = compartment(d, "I", 1, &group), r = compartment(d, "R", 1, &group);
    int32_t beta = parameter(d, "beta"), gamma = parameter(d, "gamma");
    const int32_t terms[] = {s, i, r};
    const double ones[] = {1.0, 1.0, 1.0};
    cupel_require_ok(context, nc_network_add_combination(d.network, "N", 3, terms, ones, &everyone));
    nc_flow infection = flow_of("infection", s, i, beta, s, 2);
    infection.reactant_count = 2;
    infection.reactants[1] = i;
    infection.orders[0] = infection.orders[1] = 1;
    infection.population = everyone;
    add(d, infection);
    add(d, flow_of("recovery", i, r, gamma, i, 1));
    return end(d);
}

nc_array *vector_of(cupel_context *context, const double *values, int64_t count)
{
    nc_dtype dtype = cupel_dtype(context);
    return cupel_input_vector(context, dtype, count, cupel_reals(context, dtype, values, (size_t)count));
}

nc_array *report_of(cupel_context *context, int64_t batch)
{
    const int64_t shape[] = {batch, NC_REPORT_COLUMNS};
    return batch == 0 ? cupel_output_vector(context, NC_I32, NC_REPORT_COLUMNS) : cupel_output(context, NC_I32, 2, shape);
}

void expect_report(cupel_context *context, const nc_array *report, int64_t trajectory, nc_report_column column, int32_t value)
{
    const int32_t *rows = cupel_download(context, report);
    int32_t found = rows[trajectory * NC_REPORT_COLUMNS + (int64_t)column];
    if (found != value) {
        cupel_fail(context, "report of trajectory %d, column %d is %d; expected %d", (int)trajectory, (int)column, (int)found,
                   (int)value);
    }
    cupel_expect_true(context, found == value);
}

nc_solver_options options_of(int32_t method)
{
    nc_solver_options options;
    NC_STRUCT_INIT(&options);
    options.method = method;
    return options;
}

void run_uniform(cupel_context *context, nc_model *model, const nc_solver_options *options, double t0, double t1, int64_t steps,
                 const double *state, int64_t states, const double *parameters, int64_t parameter_count, double *final)
{
    nc_dtype dtype = cupel_dtype(context);
    double *times = cupel_alloc(context, (size_t)(steps + 1) * sizeof *times);
    for (int64_t i = 0; i <= steps; ++i) {
        times[i] = t0 + (t1 - t0) * (double)i / (double)steps;
    }
    nc_array *out = cupel_output_vector(context, dtype, states), *report = report_of(context, 0);
    nc_array *set = parameter_count == 0 ? NULL : vector_of(context, parameters, parameter_count);
    cupel_require_ok(context,
                     nc_solver_run(model, options, times, steps + 1, vector_of(context, state, states), set, NULL, out, report));
    expect_report(context, report, 0, NC_REPORT_STATUS, NC_TRAJECTORY_OK);
    expect_report(context, report, 0, NC_REPORT_ACCEPTED, (int32_t)steps);
    const void *values = cupel_download(context, out);
    for (int64_t i = 0; i < states; ++i) {
        final[i] = cupel_get_real(dtype, values, (size_t)i);
    }
}
