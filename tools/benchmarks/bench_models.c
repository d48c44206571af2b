// SPDX-License-Identifier: Apache-2.0
// Measurements of densities, trajectories and the streaming regression.
#include "bench_device.h"

#include <stdio.h>

// ---- Densities ------------------------------------------------------------------------------------------------------------------

typedef struct density {
    nc_observation observation;
    nc_array *status, *out;
} density;

static nc_status run_density(const void *context)
{
    const density *d = context;
    return nc_observation_log_density(&d->observation, d->status, d->out);
}

static void bench_densities(nc_device *device, nc_dtype dtype)
{
    static const struct {
        const char *name;
        nc_family family;
        int parameters;
    } families[] = {
        {"normal density 2^24", NC_NORMAL, 2}, {"student density 2^24", NC_STUDENT_T, 3}, {"gamma density 2^24", NC_GAMMA, 2}};
    const int64_t count = 1 << 24;
    nc_array *value = bench_uniforms(device, dtype, 1, count, 0, 3), *status = bench_array(device, NC_I32, 1, count, 0);
    nc_array *out = bench_array(device, dtype, 1, count, 0), *parameters[NC_STATS_MAX_PARAMETERS];
    for (uint64_t p = 0; p < NC_STATS_MAX_PARAMETERS; ++p) {
        parameters[p] = bench_uniforms(device, dtype, 1, count, 0, 4 + p);
    }
    for (size_t f = 0; f < sizeof families / sizeof families[0]; ++f) {
        if (!bench_wanted(families[f].name)) {
            continue;
        }
        density d = {.status = status, .out = out};
        NC_STRUCT_INIT(&d.observation);
        d.observation.family = (int32_t)families[f].family;
        d.observation.value = value;
        for (int p = 0; p < families[f].parameters; ++p) {
            d.observation.parameters[p] = parameters[p];
        }
        bench_measure(families[f].name, nc_dtype_name(dtype), run_density, &d, (double)count, "Gelements/s");
    }
    nc_array *arrays[] = {value, status, out, parameters[0], parameters[1], parameters[2]};
    for (size_t a = 0; a < sizeof arrays / sizeof arrays[0]; ++a) {
        bench_require(nc_array_release(arrays[a]));
    }
}

// ---- Trajectories ---------------------------------------------------------------------------------------------------------------

#define TRAJECTORIES 100000
#define STEPS 100

typedef struct ensemble {
    nc_model *model;
    nc_solver_options options;
    double times[STEPS + 1];
    nc_array *state, *parameters, *out, *report;
} ensemble;

static nc_status run_ensemble(const void *context)
{
    const ensemble *e = context;
    return nc_solver_run(e->model, &e->options, e->times, STEPS + 1, e->state, e->parameters, NULL, e->out, e->report);
}

// Susceptible, infectious, removed.
static nc_model *epidemic(nc_device *device)
{
    nc_network *network = NULL;
    nc_model *model = NULL;
    int32_t s = 0, i = 0, r = 0, beta = 0, gamma = 0, n = 0;
    const double ones[] = {1.0, 1.0, 1.0};
    bench_require(nc_network_create(&network));
    bench_require(nc_network_add_compartment(network, "s", 0, NULL, &s));
    bench_require(nc_network_add_compartment(network, "i", 0, NULL, &i));
    bench_require(nc_network_add_compartment(network, "r", 0, NULL, &r));
    bench_require(nc_network_add_parameter(network, "beta", 0, NULL, &beta));
    bench_require(nc_network_add_parameter(network, "gamma", 0, NULL, &gamma));
    const int32_t terms[] = {s, i, r};
    bench_require(nc_network_add_combination(network, "n", 3, terms, ones, &n));
    bench_add_flow(network, "infection", s, i, beta, s, i, n);
    bench_add_flow(network, "recovery", i, r, gamma, i, NC_NONE, NC_NONE);
    bench_require(nc_model_compile(device, network, &model));
    bench_require(nc_network_release(network));
    return model;
}

static void bench_ensembles(nc_device *device, nc_dtype dtype)
{
    static const nc_method methods[] = {NC_METHOD_RK4, NC_METHOD_DOPRI5, NC_METHOD_IMPLICIT_EULER};
    ensemble e = {.model = epidemic(device)};
    char name[64];
    e.state = bench_uniforms(device, dtype, 2, TRAJECTORIES, 3, 7);
    e.parameters = bench_uniforms(device, dtype, 2, TRAJECTORIES, 2, 8);
    e.out = bench_array(device, dtype, 2, TRAJECTORIES, 3);
    e.report = bench_array(device, NC_I32, 2, TRAJECTORIES, NC_REPORT_COLUMNS);
    for (int step = 0; step <= STEPS; ++step) {
        e.times[step] = 0.1 * step;
    }
    for (size_t m = 0; m < sizeof methods / sizeof methods[0]; ++m) {
        NC_STRUCT_INIT(&e.options);
        e.options.method = (int32_t)methods[m];
        (void)snprintf(name, sizeof name, "%s %d x %d", nc_method_name(methods[m]), TRAJECTORIES, STEPS);
        if (bench_wanted(name)) {
            bench_measure(name, nc_dtype_name(dtype), run_ensemble, &e, (double)TRAJECTORIES * STEPS, "Gsteps/s");
        }
    }
    nc_array *arrays[] = {e.state, e.parameters, e.out, e.report};
    for (size_t a = 0; a < sizeof arrays / sizeof arrays[0]; ++a) {
        bench_require(nc_array_release(arrays[a]));
    }
    bench_require(nc_model_release(e.model));
}

// ---- Streaming regression -------------------------------------------------------------------------------------------------------

typedef struct regression {
    nc_device *device;
    nc_huber_options options;
    nc_huber_config config;
    nc_array *x, *y;
} regression;

static nc_status run_regression(const void *context)
{
    const regression *g = context;
    nc_huber *model = NULL;
    nc_huber_diagnostics diagnostics;
    NC_STRUCT_INIT(&diagnostics);
    nc_status status = nc_huber_create(g->device, &g->options, &model);
    if (status == NC_OK) {
        status = nc_huber_update(model, &g->config, g->x, g->y, NULL, &diagnostics);
        (void)nc_huber_release(model);
    }
    return status;
}

static void bench_regressions(nc_device *device, nc_dtype dtype)
{
    static const struct {
        const char *name;
        int64_t rows, columns;
        nc_huber_penalty penalty;
    } shapes[] = {{"huber 32768x90", 32768, 90, NC_HUBER_PENALTY_NONE},
                  {"huber-l1 32768x90", 32768, 90, NC_HUBER_PENALTY_L1},
                  {"huber 4096x256", 4096, 256, NC_HUBER_PENALTY_NONE}};
    for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; ++s) {
        if (!bench_wanted(shapes[s].name)) {
            continue;
        }
        regression g = {.device = device};
        NC_STRUCT_INIT(&g.options);
        g.options.dtype = (int32_t)dtype;
        g.options.features = shapes[s].columns;
        nc_huber_config_init(&g.config);
        g.config.penalty = (int32_t)shapes[s].penalty;
        g.x = bench_array(device, dtype, 2, shapes[s].rows, shapes[s].columns);
        g.y = bench_array(device, dtype, 1, shapes[s].rows, 0);
        bench_require(nc_rng_normal(1, 9, 0, g.x));
        bench_require(nc_rng_normal(1, 10, 0, g.y));
        bench_measure(shapes[s].name, nc_dtype_name(dtype), run_regression, &g, (double)shapes[s].rows, "Grows/s");
        bench_require(nc_array_release(g.x));
        bench_require(nc_array_release(g.y));
    }
}

void bench_models(nc_device *device, nc_dtype dtype)
{
    bench_densities(device, dtype);
    bench_ensembles(device, dtype);
    bench_regressions(device, dtype);
}
