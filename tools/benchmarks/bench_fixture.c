// SPDX-License-Identifier: Apache-2.0
// Measurements of the hierarchical network: three compartments over four groups and three stages, with a local rate of each group,
// recovery rates and a transport of the stages. One evaluation is one right-hand side of all 36 states of one trajectory.
#include "bench_device.h"

#define GROUPS 4
#define STAGES 3
#define STATES (3 * GROUPS * STAGES)
#define PARAMETERS (1 + GROUPS + STAGES + STAGES * STAGES)
#define TRAJECTORIES 65536
#define STEPS 16

static void add_flow(nc_network *network, const char *name, nc_law law, int32_t source, int32_t target, int32_t rate,
                     int32_t reactant, int32_t transport_axis)
{
    nc_flow flow;
    int32_t number = NC_NONE;
    NC_STRUCT_INIT(&flow);
    flow.name = name;
    flow.law = (int32_t)law;
    flow.source = source;
    flow.target = target;
    flow.rate = rate;
    flow.reactant_count = 1;
    flow.reactants[0] = reactant;
    flow.transport_axis = transport_axis;
    bench_require(nc_network_add_flow(network, &flow, &number));
}

static nc_model *hierarchical(nc_device *device)
{
    nc_network *network = NULL;
    nc_model *model = NULL;
    int32_t group, stage, a, b, c, gain, rate, recovery, transport, load, drive;
    bench_require(nc_network_create(&network));
    bench_require(nc_network_add_axis(network, "group", GROUPS, NULL, &group));
    bench_require(nc_network_add_axis(network, "stage", STAGES, NULL, &stage));
    const int32_t both[] = {group, stage}, square[] = {stage, stage};
    bench_require(nc_network_add_compartment(network, "A", 2, both, &a));
    bench_require(nc_network_add_compartment(network, "B", 2, both, &b));
    bench_require(nc_network_add_compartment(network, "C", 2, both, &c));
    bench_require(nc_network_add_parameter(network, "gain", 0, NULL, &gain));
    bench_require(nc_network_add_parameter(network, "rate", 1, &group, &rate));
    bench_require(nc_network_add_parameter(network, "recovery", 1, &stage, &recovery));
    bench_require(nc_network_add_parameter(network, "transport", 2, square, &transport));
    bench_require(nc_network_add_reduction(network, "load", b, NC_REDUCTION_SUM, 1, &stage, &load));
    const int32_t factors[] = {gain, rate, load}, orders[] = {1, 1, 1};
    bench_require(nc_network_add_product(network, "drive", 3, factors, orders, &drive));
    add_flow(network, "infection", NC_LAW_LINEAR, a, b, drive, a, NC_NONE);
    add_flow(network, "recover", NC_LAW_LINEAR, b, c, recovery, b, NC_NONE);
    add_flow(network, "return", NC_LAW_LINEAR, c, a, rate, c, NC_NONE);
    add_flow(network, "movement", NC_LAW_TRANSPORT, NC_NONE, b, transport, b, stage);
    bench_require(nc_model_compile(device, network, &model));
    bench_require(nc_network_release(network));
    return model;
}

typedef struct ensemble {
    nc_model *model;
    nc_solver_options options;
    double times[STEPS + 1];
    nc_array *time, *state, *parameters, *out, *report;
} ensemble;

static nc_status run_rates(const void *context)
{
    const ensemble *e = context;
    return nc_model_rhs(e->model, e->time, e->state, e->parameters, e->out);
}

static nc_status run_trajectories(const void *context)
{
    const ensemble *e = context;
    return nc_solver_run(e->model, &e->options, e->times, STEPS + 1, e->state, e->parameters, NULL, e->out, e->report);
}

void bench_fixture(nc_device *device, nc_dtype dtype)
{
    static const char rates[] = "rhs 3x4x3 65536", trajectories[] = "rk4 3x4x3 65536 x 16";
    const int64_t report_shape[] = {TRAJECTORIES, NC_REPORT_COLUMNS};
    ensemble e = {.model = hierarchical(device)};
    bench_require(nc_array_create(device, dtype, 0, NULL, &e.time));
    bench_require(nc_rng_uniform(1, 11, 0, e.time));
    e.state = bench_uniforms(device, dtype, 2, TRAJECTORIES, STATES, 12);
    e.parameters = bench_uniforms(device, dtype, 2, TRAJECTORIES, PARAMETERS, 13);
    e.out = bench_uniforms(device, dtype, 2, TRAJECTORIES, STATES, 14);
    bench_require(nc_array_create(device, NC_I32, 2, report_shape, &e.report));
    NC_STRUCT_INIT(&e.options);
    e.options.method = NC_METHOD_RK4;
    e.options.allow_negative = 1; // transport rates of any sign do not end a trajectory early
    for (int step = 0; step <= STEPS; ++step) {
        e.times[step] = step / 64.0;
    }
    if (bench_wanted(rates)) {
        bench_measure(rates, nc_dtype_name(dtype), run_rates, &e, 1e3 * TRAJECTORIES, "Mevaluations/s");
    }
    bench_memories(device, trajectories, dtype, run_trajectories, &e, 1e3 * TRAJECTORIES * STEPS * 4.0, "Mevaluations/s");
    nc_array *arrays[] = {e.time, e.state, e.parameters, e.out, e.report};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; ++i) {
        bench_require(nc_array_release(arrays[i]));
    }
    bench_require(nc_model_release(e.model));
}
