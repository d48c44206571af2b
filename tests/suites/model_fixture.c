// SPDX-License-Identifier: Apache-2.0
// The hierarchical fixture: its network, its values, and its reference by explicit loops.
#include "model.h"

#include <math.h>
#include <string.h>

#define G FIXTURE_GROUPS
#define S FIXTURE_STAGES
#define CELL(g, s) ((g)*S + (s))

static void add_transport(cupel_context *context, nc_network *network, const fixture *f)
{
    sketch s = {context, network};
    nc_flow flow = sketch_flow("movement", NC_LAW_TRANSPORT, NC_NONE, f->b, f->move, f->b);
    flow.transport_axis = f->stage;
    (void)sketch_add(s, flow);
}

static void describe(cupel_context *context, nc_network *network, fixture *f)
{
    sketch s = {context, network};
    cupel_require_ok(context, nc_network_add_axis(network, "group", G, NULL, &f->group));
    cupel_require_ok(context, nc_network_add_axis(network, "stage", S, NULL, &f->stage));
    const int32_t both[] = {f->group, f->stage}, square[] = {f->stage, f->stage};
    cupel_require_ok(context, nc_network_add_compartment(network, "A", 2, both, &f->a));
    cupel_require_ok(context, nc_network_add_compartment(network, "B", 2, both, &f->b));
    cupel_require_ok(context, nc_network_add_compartment(network, "C", 2, both, &f->c));
    cupel_require_ok(context, nc_network_add_parameter(network, "gain", 0, NULL, &f->gain));
    cupel_require_ok(context, nc_network_add_parameter(network, "rate", 1, &f->group, &f->rate));
    cupel_require_ok(context, nc_network_add_parameter(network, "recovery", 1, &f->stage, &f->recovery));
    cupel_require_ok(context, nc_network_add_parameter(network, "transport", 2, square, &f->move));
    cupel_require_ok(context, nc_network_add_reduction(network, "load", f->b, NC_REDUCTION_SUM, 1, &f->stage, &f->load));
    int32_t pressure = f->load, drive = 0, all = 0;
    if (f->coupled) {
        cupel_require_ok(context,
                         nc_network_add_reduction(network, "mean_load", f->load, NC_REDUCTION_MEAN, 1, &f->group, &pressure));
    }
    const int32_t factors[] = {f->gain, f->rate, pressure}, orders[] = {1, 1, 1}, terms[] = {f->a, f->b, f->c};
    const double ones[] = {1.0, 1.0, 1.0};
    cupel_require_ok(context, nc_network_add_product(network, "drive", 3, factors, orders, &drive));
    (void)sketch_add(s, sketch_flow("infection", NC_LAW_LINEAR, f->a, f->b, drive, f->a));
    (void)sketch_add(s, sketch_flow("recover", NC_LAW_LINEAR, f->b, f->c, f->recovery, f->b));
    (void)sketch_add(s, sketch_flow("return", NC_LAW_LINEAR, f->c, f->a, f->rate, f->c));
    add_transport(context, network, f);
    cupel_require_ok(context, nc_network_add_combination(network, "everyone", 3, terms, ones, &all));
    cupel_require_ok(context, nc_network_add_reduction(network, "total", all, NC_REDUCTION_SUM, 2, both, &f->total));
    cupel_require_ok(context, nc_network_add_observable(network, f->load));
    cupel_require_ok(context, nc_network_add_observable(network, f->total));
}

fixture fixture_create(cupel_context *context, int coupled)
{
    fixture f = {.coupled = coupled};
    nc_network *network = NULL;
    cupel_require_ok(context, nc_network_create(&network));
    describe(context, network, &f);
    cupel_require_ok(context, nc_model_compile(cupel_device(context), network, &f.model));
    cupel_require_ok(context, nc_network_release(network)); // the model keeps a copy
    return f;
}

void fixture_release(cupel_context *context, fixture *f)
{
    cupel_expect_status(context, nc_model_release(f->model), NC_OK);
    f->model = NULL;
}

void fixture_state(int64_t trajectory, double *state)
{
    for (int64_t i = 0; i < FIXTURE_STATES; ++i) {
        state[i] = 1.0 + (double)((7 * i + 5 * trajectory) % 41) / 8.0 + (double)i / 64.0;
    }
}

void fixture_parameters(int64_t trajectory, double *parameters)
{
    static const double transport[S][S] = {{-0.375, 0.125, 0.25}, {0.25, -0.5, 0.0625}, {0.125, 0.375, -0.3125}};
    parameters[FIXTURE_GAIN] = 0.0625 + (double)(trajectory % 5) / 128.0;
    for (int64_t g = 0; g < G; ++g) {
        parameters[FIXTURE_RATE + g] = 0.25 + (double)g / 16.0 + (double)(trajectory % 3) / 256.0;
    }
    for (int64_t s = 0; s < S; ++s) {
        parameters[FIXTURE_RECOVERY + s] = 0.5 + (double)s / 8.0;
    }
    memcpy(parameters + FIXTURE_MOVE, transport, sizeof transport);
}

// pressure[g], its tangent, and the same with absolute terms.
static void pressure_loops(int coupled, const double *b, double *pressure)
{
    double mean = 0.0;
    for (int g = 0; g < G; ++g) {
        pressure[g] = 0.0;
        for (int s = 0; s < S; ++s) {
            pressure[g] += b[CELL(g, s)];
        }
        mean += pressure[g] / G;
    }
    for (int g = 0; g < G && coupled; ++g) {
        pressure[g] = mean;
    }
}

static void add_terms(int g, int s, double f1, double f2, double f3, double move, double *rhs)
{
    rhs[CELL(g, s)] += f3 - f1;
    rhs[FIXTURE_CELLS + CELL(g, s)] += f1 - f2 + move;
    rhs[2 * FIXTURE_CELLS + CELL(g, s)] += f2 - f3;
}

static void add_magnitudes(int g, int s, double f1, double f2, double f3, double move, double *magnitude)
{
    magnitude[CELL(g, s)] += fabs(f3) + fabs(f1);
    magnitude[FIXTURE_CELLS + CELL(g, s)] += fabs(f1) + fabs(f2) + fabs(move);
    magnitude[2 * FIXTURE_CELLS + CELL(g, s)] += fabs(f2) + fabs(f3);
}

void fixture_rhs(int coupled, const double *state, const double *parameters, double *rhs, double *magnitude)
{
    const double *a = state, *b = state + FIXTURE_CELLS, *c = state + 2 * FIXTURE_CELLS;
    const double *rate = parameters + FIXTURE_RATE, *recovery = parameters + FIXTURE_RECOVERY, *t = parameters + FIXTURE_MOVE;
    double pressure[G];
    pressure_loops(coupled, b, pressure);
    memset(rhs, 0, FIXTURE_STATES * sizeof *rhs);
    memset(magnitude, 0, FIXTURE_STATES * sizeof *magnitude);
    for (int g = 0; g < G; ++g) {
        for (int s = 0; s < S; ++s) {
            double move = 0.0, move_magnitude = 0.0;
            for (int from = 0; from < S; ++from) {
                move += t[s * S + from] * b[CELL(g, from)];
                move_magnitude += fabs(t[s * S + from] * b[CELL(g, from)]);
            }
            double f1 = parameters[FIXTURE_GAIN] * rate[g] * pressure[g] * a[CELL(g, s)];
            double f2 = recovery[s] * b[CELL(g, s)], f3 = rate[g] * c[CELL(g, s)];
            add_terms(g, s, f1, f2, f3, move, rhs);
            add_magnitudes(g, s, f1, f2, f3, move_magnitude, magnitude);
        }
    }
}

void fixture_tangent(int coupled, const double *state, const double *parameters, const double *state_tangent,
                     const double *parameters_tangent, double *product, double *magnitude)
{
    const double *a = state, *b = state + FIXTURE_CELLS, *c = state + 2 * FIXTURE_CELLS;
    const double *da = state_tangent, *db = state_tangent + FIXTURE_CELLS, *dc = state_tangent + 2 * FIXTURE_CELLS;
    const double *p = parameters, *dp = parameters_tangent;
    double pressure[G], dpressure[G], absolute[FIXTURE_CELLS], apressure[G];
    for (int i = 0; i < FIXTURE_CELLS; ++i) {
        absolute[i] = fabs(db[i]);
    }
    pressure_loops(coupled, b, pressure);
    pressure_loops(coupled, db, dpressure);
    pressure_loops(coupled, absolute, apressure);
    memset(product, 0, FIXTURE_STATES * sizeof *product);
    memset(magnitude, 0, FIXTURE_STATES * sizeof *magnitude);
    for (int g = 0; g < G; ++g) {
        double k = p[FIXTURE_GAIN], dk = dp[FIXTURE_GAIN], r = p[FIXTURE_RATE + g], dr = dp[FIXTURE_RATE + g];
        for (int s = 0; s < S; ++s) {
            int i = CELL(g, s);
            double rho = p[FIXTURE_RECOVERY + s], drho = dp[FIXTURE_RECOVERY + s];
            double move = 0.0, move_magnitude = 0.0;
            for (int from = 0; from < S; ++from) {
                int j = FIXTURE_MOVE + s * S + from;
                move += dp[j] * b[CELL(g, from)] + p[j] * db[CELL(g, from)];
                move_magnitude += fabs(dp[j] * b[CELL(g, from)]) + fabs(p[j] * db[CELL(g, from)]);
            }
            double df1 = dk * r * pressure[g] * a[i] + k * dr * pressure[g] * a[i] + k * r * dpressure[g] * a[i] +
                         k * r * pressure[g] * da[i];
            double m1 = fabs(dk * r * pressure[g] * a[i]) + fabs(k * dr * pressure[g] * a[i]) + k * r * apressure[g] * a[i] +
                        fabs(k * r * pressure[g] * da[i]);
            add_terms(g, s, df1, drho * b[i] + rho * db[i], dr * c[i] + r * dc[i], move, product);
            add_magnitudes(g, s, m1, fabs(drho * b[i]) + fabs(rho * db[i]), fabs(dr * c[i]) + fabs(r * dc[i]), move_magnitude,
                           magnitude);
        }
    }
}

void fixture_observables(const double *state, double *observables, double *magnitude)
{
    memset(observables, 0, FIXTURE_OBSERVABLES * sizeof *observables);
    memset(magnitude, 0, FIXTURE_OBSERVABLES * sizeof *magnitude);
    for (int i = 0; i < FIXTURE_STATES; ++i) {
        observables[G] += state[i];
        magnitude[G] += fabs(state[i]);
    }
    for (int i = 0; i < FIXTURE_CELLS; ++i) {
        observables[i / S] += state[FIXTURE_CELLS + i];
        magnitude[i / S] += fabs(state[FIXTURE_CELLS + i]);
    }
}

double fixture_bound(nc_dtype dtype, int roundings, double magnitude)
{
    double unit = dtype == NC_F32 ? 0x1p-24 : 0x1p-53;
    return 1.01 * roundings * (unit + 0x1p-53) * magnitude;
}

nc_array *fixture_scalar(cupel_context *context, double value)
{
    return cupel_input(context, cupel_dtype(context), 0, NULL, cupel_reals(context, cupel_dtype(context), &value, 1));
}

nc_array *fixture_vector(cupel_context *context, const double *values, int64_t count)
{
    nc_dtype dtype = cupel_dtype(context);
    return cupel_input_vector(context, dtype, count, cupel_reals(context, dtype, values, (size_t)count));
}

static nc_array *batch_of(cupel_context *context, int64_t batch, int64_t cells, void (*values)(int64_t trajectory, double *out))
{
    nc_dtype dtype = cupel_dtype(context);
    const int64_t shape[] = {batch, cells};
    double *all = cupel_alloc(context, (size_t)(batch * cells) * sizeof *all);
    for (int64_t i = 0; i < batch; ++i) {
        values(i, all + i * cells);
    }
    return cupel_input(context, dtype, 2, shape, cupel_reals(context, dtype, all, (size_t)(batch * cells)));
}

nc_array *fixture_states(cupel_context *context, int64_t batch)
{
    return batch_of(context, batch, FIXTURE_STATES, fixture_state);
}

nc_array *fixture_parameter_sets(cupel_context *context, int64_t batch)
{
    return batch_of(context, batch, FIXTURE_PARAMETERS, fixture_parameters);
}
