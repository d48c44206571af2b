// SPDX-License-Identifier: Apache-2.0
// Measurements of solvers over an ensemble that fills a GPU.
#include "bench_device.h"
#include "host/host.h"

#include <stdio.h>

#define TRAJECTORIES (1 << 17)
#define STATES 4
#define PARAMETERS 3
#define STEPS_MAX 100

typedef struct ensemble {
    nc_model *model;
    nc_solver_options options;
    int64_t steps;
    double times[STEPS_MAX + 1];
    nc_array *state, *parameters, *seed, *out, *report, *state_gradient, *parameters_gradient;
} ensemble;

static nc_status run_trajectories(const void *context)
{
    const ensemble *e = context;
    return nc_solver_run(e->model, &e->options, e->times, e->steps + 1, e->state, e->parameters, NULL, e->out, e->report);
}

static nc_status run_gradient(const void *context)
{
    const ensemble *e = context;
    return nc_solver_gradient(e->model, &e->options, e->times, e->steps + 1, e->state, e->parameters, e->seed, e->state_gradient,
                              e->parameters_gradient, e->report);
}

static const struct row {
    const char *name; // with the number of steps, or of points that an adaptive run ends on
    nc_status (*run)(const void *);
    nc_method method;
    int32_t stepping;
    int64_t steps;
    double end;
} rows[] = {
    {"seir rk4 2^17 x 100", run_trajectories, NC_METHOD_RK4, NC_STEPPING_GRID, 100, 25.0},
    {"seir dopri5-adaptive 2^17 x 10", run_trajectories, NC_METHOD_DOPRI5, NC_STEPPING_ADAPTIVE, 10, 25.0},
    {"seir implicit-euler 2^17 x 50", run_trajectories, NC_METHOD_IMPLICIT_EULER, NC_STEPPING_GRID, 50, 25.0},
    {"seir imex-ark3 2^17 x 50", run_trajectories, NC_METHOD_IMEX_ARK3, NC_STEPPING_GRID, 50, 25.0},
    {"seir rk4-gradient 2^17 x 50", run_gradient, NC_METHOD_RK4, NC_STEPPING_GRID, 50, 25.0},
};

// Susceptible, exposed, infectious, removed.
static nc_model *epidemic(nc_device *device)
{
    static const double ones[STATES] = {1.0, 1.0, 1.0, 1.0};
    static const char *const states[STATES] = {"s", "e", "i", "r"}, *const parameters[PARAMETERS] = {"beta", "sigma", "gamma"};
    nc_network *network = NULL;
    nc_model *model = NULL;
    int32_t cells[STATES], rates[PARAMETERS], n = NC_NONE;
    bench_require(nc_network_create(&network));
    for (int cell = 0; cell < STATES; ++cell) {
        bench_require(nc_network_add_compartment(network, states[cell], 0, NULL, &cells[cell]));
    }
    for (int p = 0; p < PARAMETERS; ++p) {
        bench_require(nc_network_add_parameter(network, parameters[p], 0, NULL, &rates[p]));
    }
    bench_require(nc_network_add_combination(network, "n", STATES, cells, ones, &n));
    bench_add_flow(network, "infection", cells[0], cells[1], rates[0], cells[0], cells[2], n);
    bench_add_flow(network, "onset", cells[1], cells[2], rates[1], cells[1], NC_NONE, NC_NONE);
    bench_add_flow(network, "recovery", cells[2], cells[3], rates[2], cells[2], NC_NONE, NC_NONE);
    bench_require(nc_model_compile(device, network, &model));
    bench_require(nc_network_release(network));
    return model;
}

void bench_solver(nc_device *device, nc_dtype dtype)
{
    ensemble e = {.model = epidemic(device)};
    e.state = bench_uniforms(device, dtype, 2, TRAJECTORIES, STATES, 21);
    e.parameters = bench_uniforms(device, dtype, 2, TRAJECTORIES, PARAMETERS, 22);
    e.seed = bench_uniforms(device, dtype, 2, TRAJECTORIES, STATES, 23);
    e.out = bench_uniforms(device, dtype, 2, TRAJECTORIES, STATES, 24);
    e.state_gradient = bench_uniforms(device, dtype, 2, TRAJECTORIES, STATES, 25);
    e.parameters_gradient = bench_uniforms(device, dtype, 2, TRAJECTORIES, PARAMETERS, 26);
    e.report = bench_array(device, NC_I32, 2, TRAJECTORIES, NC_REPORT_COLUMNS);
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; ++r) {
        NC_STRUCT_INIT(&e.options);
        e.options.method = (int32_t)rows[r].method;
        e.options.stepping = rows[r].stepping;
        e.steps = rows[r].steps;
        for (int64_t step = 0; step <= e.steps; ++step) {
            e.times[step] = rows[r].end * (double)step / (double)e.steps;
        }
        bench_memories(device, rows[r].name, dtype, rows[r].run, &e, (double)TRAJECTORIES * (double)e.steps, "Gsteps/s");
    }
    nc_array *arrays[] = {e.state, e.parameters, e.seed, e.out, e.report, e.state_gradient, e.parameters_gradient};
    for (size_t a = 0; a < sizeof arrays / sizeof arrays[0]; ++a) {
        bench_require(nc_array_release(arrays[a]));
    }
    bench_require(nc_model_release(e.model));
}

void bench_memories(nc_device *device, const char *name, nc_dtype dtype, nc_status (*run)(const void *context), const void *context,
                    double work, const char *unit)
{
    static const be_kernel kernel = BE_KERNEL_solver_run_f64;
    const uint64_t usual = be_near_bytes(device->backend, kernel);
    char full_name[96];
    const struct {
        const char *suffix;
        uint64_t bytes;
    } memories[] = {{"", usual}, {" near", UINT64_MAX}, {" far", 0}};
    for (size_t m = 0; m < (bench_selects() ? sizeof memories / sizeof memories[0] : 1); ++m) {
        (void)snprintf(full_name, sizeof full_name, "%s%s", name, memories[m].suffix);
        be_near_limit(device->backend, memories[m].bytes);
        if (bench_wanted(full_name) && (m == 0 || usual > 0)) {
            bench_measure(full_name, nc_dtype_name(dtype), run, context, work, unit);
        }
    }
    be_near_limit(device->backend, usual);
}
