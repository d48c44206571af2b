// SPDX-License-Identifier: Apache-2.0
// example-epidemic: describes the network of docs/models.md, runs an ensemble of it, and prints the figure
// docs/models-epidemic.svg.
#include "chart.h"
#include "nc.h"

#include <stdlib.h>

enum { CHILDREN, ADULTS, GROUPS, STATES = 4 * GROUPS, PARAMETERS = 3, TRAJECTORIES = 41, DAYS = 160, POINTS = 2 * DAYS + 1 };

static void require(nc_status status)
{
    if (status != NC_OK) {
        fprintf(stderr, "example-epidemic: %s: %s\n", nc_status_name(status), nc_last_error());
        exit(1);
    }
}

static void add_flow(nc_network *network, const char *name, int32_t source, int32_t target, int32_t rate, int32_t reactant)
{
    nc_flow flow;
    int32_t number = NC_NONE;
    NC_STRUCT_INIT(&flow);
    flow.name = name;
    flow.law = NC_LAW_LINEAR; // flux = rate * reactant
    flow.source = source;
    flow.target = target;
    flow.rate = rate;
    flow.reactant_count = 1;
    flow.reactants[0] = reactant;
    require(nc_network_add_flow(network, &flow, &number));
}

static nc_model *describe(nc_device *device)
{
    nc_network *network = NULL;
    nc_model *model = NULL;
    require(nc_network_create(&network));

    // Two age groups. Every compartment has one cell for each.
    int32_t group, s, e, i, r;
    require(nc_network_add_axis(network, "group", GROUPS, NULL, &group));
    require(nc_network_add_compartment(network, "S", 1, &group, &s));
    require(nc_network_add_compartment(network, "E", 1, &group, &e));
    require(nc_network_add_compartment(network, "I", 1, &group, &i));
    require(nc_network_add_compartment(network, "R", 1, &group, &r));

    // Parameters may differ between trajectories; constants may not. A matrix along an axis has that axis twice.
    static const double contacts[GROUPS * GROUPS] = {9.0, 3.0, 1.0, 7.0}; // a day, of one person of the row's group
    const int32_t square[] = {group, group};
    int32_t infectivity, onset, recovery, contact;
    require(nc_network_add_parameter(network, "infectivity", 0, NULL, &infectivity));
    require(nc_network_add_parameter(network, "onset", 0, NULL, &onset));
    require(nc_network_add_parameter(network, "recovery", 0, NULL, &recovery));
    require(nc_network_add_constant(network, "contacts", 2, square, contacts, GROUPS * GROUPS, &contact));

    // Holidays: contacts fall to 60 % within two days and come back. Piecewise linear in time.
    static const double days[] = {46.0, 48.0, 68.0, 70.0}, levels[] = {1.0, 0.6, 0.6, 1.0};
    int32_t holidays;
    require(nc_network_add_forcing(network, "holidays", 4, days, levels, &holidays));

    // Aliases: N = S + E + I + R, prevalence = I / N, exposure[g] = sum over h of contacts[g, h] prevalence[h].
    const int32_t everyone[] = {s, e, i, r}, orders[] = {1, -1};
    const double ones[] = {1.0, 1.0, 1.0, 1.0};
    int32_t n, prevalence, exposure, force;
    require(nc_network_add_combination(network, "N", 4, everyone, ones, &n));
    const int32_t ratio[] = {i, n};
    require(nc_network_add_product(network, "prevalence", 2, ratio, orders, &prevalence));
    require(nc_network_add_transport(network, "exposure", contact, prevalence, group, &exposure));
    const int32_t factors[] = {infectivity, holidays, exposure}, first[] = {1, 1, 1};
    require(nc_network_add_product(network, "force", 3, factors, first, &force));

    // Flows: dS = -force S, dE = force S - onset E, dI = onset E - recovery I, dR = recovery I.
    add_flow(network, "infection", s, e, force, s);
    add_flow(network, "falling ill", e, i, onset, e);
    add_flow(network, "recovering", i, r, recovery, i);
    require(nc_network_add_observable(network, prevalence));

    require(nc_model_compile(device, network, &model));
    require(nc_network_release(network));
    return model;
}

static nc_array *matrix(nc_device *device, nc_dtype dtype, int64_t rows, int64_t columns)
{
    const int64_t shape[] = {rows, columns};
    nc_array *array = NULL;
    require(nc_array_create(device, dtype, 2, shape, &array));
    return array;
}

// One row of parameters for each trajectory: infectivity from 80 % to 120 %, incubation of 3 days, illness of 5.
static nc_array *parameter_sets(nc_device *device)
{
    double sets[TRAJECTORIES][PARAMETERS];
    for (int b = 0; b < TRAJECTORIES; ++b) {
        sets[b][0] = 0.0375 * (0.8 + 0.4 * b / (TRAJECTORIES - 1));
        sets[b][1] = 1.0 / 3.0;
        sets[b][2] = 1.0 / 5.0;
    }
    nc_array *array = matrix(device, NC_F64, TRAJECTORIES, PARAMETERS);
    require(nc_array_upload(array, sets, sizeof sets));
    return array;
}

// The same start for all: two in a thousand children are ill.
static nc_array *states(nc_device *device)
{
    double start[TRAJECTORIES][STATES] = {{0.0}};
    for (int b = 0; b < TRAJECTORIES; ++b) {
        start[b][0 * GROUPS + CHILDREN] = 19960.0;
        start[b][0 * GROUPS + ADULTS] = 60000.0;
        start[b][2 * GROUPS + CHILDREN] = 40.0;
    }
    nc_array *array = matrix(device, NC_F64, TRAJECTORIES, STATES);
    require(nc_array_upload(array, start, sizeof start));
    return array;
}

// history[trajectory][point][state], every half day.
static void run(nc_device *device, double *times, double (*history)[POINTS][STATES])
{
    const int64_t shape[] = {TRAJECTORIES, POINTS, STATES};
    static int32_t reports[TRAJECTORIES][NC_REPORT_COLUMNS];
    nc_model *model = describe(device);
    nc_array *state = states(device), *parameters = parameter_sets(device), *out = NULL;
    nc_array *report = matrix(device, NC_I32, TRAJECTORIES, NC_REPORT_COLUMNS);
    require(nc_array_create(device, NC_F64, 3, shape, &out));

    nc_solver_options options;
    int64_t count = 0;
    NC_STRUCT_INIT(&options);
    options.method = NC_METHOD_RK4;
    options.history = 1;
    require(nc_time_grid(0.0, DAYS, 0.5, times, POINTS, &count));
    require(nc_solver_run(model, &options, times, count, state, parameters, NULL, out, report));

    require(nc_array_download(report, reports, sizeof reports));
    for (int b = 0; b < TRAJECTORIES; ++b) { // one that fails does not stop the others: the report says which, where and why
        if (reports[b][NC_REPORT_STATUS] != NC_TRAJECTORY_OK) {
            fprintf(stderr, "example-epidemic: trajectory %d: %s at step %d\n", b,
                    nc_trajectory_status_name((nc_trajectory_status)reports[b][NC_REPORT_STATUS]), reports[b][NC_REPORT_STEP]);
            exit(1);
        }
    }
    require(nc_array_download(out, history, sizeof(double) * TRAJECTORIES * POINTS * STATES));
    nc_array *arrays[] = {state, parameters, out, report};
    for (size_t a = 0; a < sizeof arrays / sizeof arrays[0]; ++a) {
        require(nc_array_release(arrays[a]));
    }
    require(nc_model_release(model));
}

// Ill people of each thousand of the group.
static double prevalence(const double *state, int group)
{
    double everyone = state[group] + state[GROUPS + group] + state[2 * GROUPS + group] + state[3 * GROUPS + group];
    return 1000.0 * state[2 * GROUPS + group] / everyone;
}

// The middle trajectory of each group as a line over the band of all.
static void plot(const double *times, double (*history)[POINTS][STATES])
{
    static const char *const names[GROUPS] = {"children", "adults"}, *const colours[GROUPS] = {"#d55e00", "#0072b2"};
    static double low[GROUPS][POINTS], high[GROUPS][POINTS], middle[GROUPS][POINTS];
    chart c = {stdout,
               "Two age groups: infectivity as assumed (lines), 20 % more and less (bands)",
               {"time in days", DAYS, 20.0},
               {"infectious, per thousand of the group", 140.0, 20.0}};
    chart_begin(&c);
    chart_span(&c, 46.0, 70.0, "holidays");
    for (int g = 0; g < GROUPS; ++g) {
        for (int k = 0; k < POINTS; ++k) {
            low[g][k] = high[g][k] = middle[g][k] = prevalence(history[TRAJECTORIES / 2][k], g);
            for (int b = 0; b < TRAJECTORIES; ++b) {
                double value = prevalence(history[b][k], g);
                low[g][k] = value < low[g][k] ? value : low[g][k];
                high[g][k] = value > high[g][k] ? value : high[g][k];
            }
        }
        chart_band(&c, times, low[g], high[g], POINTS, colours[g]);
    }
    for (int g = 0; g < GROUPS; ++g) {
        chart_line(&c, times, middle[g], POINTS, colours[g]);
        chart_legend(&c, g, names[g], colours[g]);
    }
    chart_end(&c);
}

int main(void)
{
    static double times[POINTS], history[TRAJECTORIES][POINTS][STATES];
    nc_device *device = NULL;
    require(nc_device_open("0", &device));
    run(device, times, history);
    require(nc_device_close(device));
    plot(times, history);
    return fflush(stdout) == 0 ? 0 : 1;
}
