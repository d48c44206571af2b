// SPDX-License-Identifier: Apache-2.0
// The ten contract cases: five claims about compiled models, each in float32 and float64.
#include "model.h"

#include <math.h>
#include <string.h>

#define BATCH 37 // more than one tile, and not a whole number of tiles

// The results of a batch against the loops, cell by cell.
static void expect_rhs(cupel_context *context, const fixture *f, const nc_array *rhs, int64_t batch)
{
    size_t count = (size_t)batch * FIXTURE_STATES;
    double *expected = cupel_alloc(context, count * sizeof *expected), *bounds = cupel_alloc(context, count * sizeof *bounds);
    for (int64_t i = 0; i < batch; ++i) {
        double state[FIXTURE_STATES], parameters[FIXTURE_PARAMETERS];
        fixture_state(i, state);
        fixture_parameters(i, parameters);
        fixture_rhs(f->coupled, state, parameters, expected + i * FIXTURE_STATES, bounds + i * FIXTURE_STATES);
    }
    for (size_t i = 0; i < count; ++i) {
        bounds[i] = fixture_bound(cupel_dtype(context), FIXTURE_ROUNDINGS, bounds[i]);
    }
    cupel_expect_within_bound(context, rhs, expected, bounds, count, FIXTURE_DERIVATION);
}

// The flat layout that nc_model.h promises: compartments in order, each in C order of (group, stage).
static void expect_layout(cupel_context *context, const fixture *f)
{
    const int32_t compartments[] = {f->a, f->b, f->c};
    for (int i = 0; i < 3; ++i) {
        nc_quantity_info info;
        NC_STRUCT_INIT(&info);
        cupel_require_ok(context, nc_model_quantity_get(f->model, compartments[i], &info));
        cupel_expect_u64(context, (uint64_t)info.offset, (uint64_t)(i * FIXTURE_CELLS));
        cupel_expect_true(context, info.rank == 2 && info.shape[0] == FIXTURE_GROUPS && info.shape[1] == FIXTURE_STAGES);
    }
}

// The structured call and the flat call give the same bytes, and a view of the flat array is the structured array.
static void expect_structured(cupel_context *context, const fixture *f, const nc_array *time, const nc_array *parameters,
                              const nc_array *rhs, int64_t batch)
{
    nc_dtype dtype = cupel_dtype(context);
    const int64_t shape[] = {batch, FIXTURE_GROUPS, FIXTURE_STAGES};
    size_t cells = (size_t)batch * FIXTURE_CELLS, size = nc_dtype_size(dtype);
    const unsigned char *flat = cupel_download(context, rhs);
    const nc_array *parts[3];
    nc_array *results[3];
    for (int part = 0; part < 3; ++part) {
        double *values = cupel_alloc(context, cells * sizeof *values);
        for (int64_t i = 0; i < batch; ++i) {
            double state[FIXTURE_STATES];
            fixture_state(i, state);
            memcpy(values + i * FIXTURE_CELLS, state + part * FIXTURE_CELLS, FIXTURE_CELLS * sizeof *values);
        }
        parts[part] = cupel_input(context, dtype, 3, shape, cupel_reals(context, dtype, values, cells));
        results[part] = cupel_output(context, dtype, 3, shape);
    }
    cupel_require_ok(context, nc_model_rhs_structured(f->model, time, parts, parameters, results, 3));
    for (size_t part = 0; part < 3; ++part) {
        unsigned char *expected = cupel_alloc(context, cells * size);
        for (size_t i = 0; i < (size_t)batch; ++i) {
            memcpy(expected + i * FIXTURE_CELLS * size, flat + (i * FIXTURE_STATES + part * FIXTURE_CELLS) * size,
                   FIXTURE_CELLS * size);
        }
        cupel_expect_bits(context, results[part], expected, cells);
    }
}

static nc_array *run_fixture(cupel_context *context, const fixture *f, const nc_array *time, const nc_array *parameters)
{
    const int64_t shape[] = {BATCH, FIXTURE_STATES};
    nc_array *rhs = cupel_output(context, cupel_dtype(context), 2, shape);
    cupel_require_ok(context, nc_model_rhs(f->model, time, fixture_states(context, BATCH), parameters, rhs));
    expect_rhs(context, f, rhs, BATCH);
    expect_structured(context, f, time, parameters, rhs, BATCH);
    return rhs;
}

// One group's model on views of the whole arrays gives the whole model's bytes for that group.
static void expect_block(cupel_context *context, const fixture *f, const nc_array *time, const nc_array *rhs, int64_t group)
{
    nc_dtype dtype = cupel_dtype(context);
    size_t size = nc_dtype_size(dtype);
    nc_model *block = NULL;
    cupel_require_ok(context, nc_model_block(f->model, f->group, group, &block));
    double states[BATCH * 3 * FIXTURE_STAGES], parameters[BATCH * FIXTURE_PARAMETERS];
    unsigned char *expected = cupel_alloc(context, sizeof states);
    const unsigned char *whole = cupel_download(context, rhs);
    const int64_t shape[] = {BATCH, 3 * FIXTURE_STAGES}, parameter_shape[] = {BATCH, FIXTURE_PARAMETERS - FIXTURE_GROUPS + 1};
    size_t next = 0, next_parameter = 0;
    for (int64_t i = 0; i < BATCH; ++i) {
        double state[FIXTURE_STATES], all[FIXTURE_PARAMETERS];
        fixture_state(i, state);
        fixture_parameters(i, all);
        for (int64_t k = 0; k < FIXTURE_STATES; ++k) {
            if (k / FIXTURE_STAGES % FIXTURE_GROUPS == group) {
                memcpy(expected + next * size, whole + (size_t)(i * FIXTURE_STATES + k) * size, size);
                states[next++] = state[k];
            }
        }
        for (int64_t k = 0; k < FIXTURE_PARAMETERS; ++k) {
            int is_local = k >= FIXTURE_RATE && k < FIXTURE_RECOVERY; // sliced; the others are shared
            if (!is_local || k - FIXTURE_RATE == group) {
                parameters[next_parameter++] = all[k];
            }
        }
    }
    nc_array *state = cupel_input(context, dtype, 2, shape, cupel_reals(context, dtype, states, next));
    nc_array *local = cupel_input(context, dtype, 2, parameter_shape, cupel_reals(context, dtype, parameters, next_parameter));
    nc_array *out = cupel_output(context, dtype, 2, shape);
    cupel_require_ok(context, nc_model_rhs(block, time, state, local, out));
    cupel_expect_bits(context, out, expected, next);
    cupel_expect_status(context, nc_model_release(block), NC_OK);
}

static void hierarchical_independent(cupel_context *context)
{
    fixture f = fixture_create(context, 0);
    nc_array *time = fixture_scalar(context, 0.5);
    nc_array *rhs = run_fixture(context, &f, time, fixture_parameter_sets(context, BATCH));
    expect_layout(context, &f);
    for (int64_t group = 0; group < FIXTURE_GROUPS; ++group) {
        expect_block(context, &f, time, rhs, group);
    }
    fixture_release(context, &f);
}

static void hierarchical_coupled(cupel_context *context)
{
    fixture f = fixture_create(context, 1), independent = fixture_create(context, 0);
    nc_array *time = fixture_scalar(context, 0.5), *parameters = fixture_parameter_sets(context, BATCH);
    nc_array *rhs = run_fixture(context, &f, time, parameters);
    const int64_t shape[] = {BATCH, FIXTURE_STATES};
    nc_array *other = cupel_output(context, cupel_dtype(context), 2, shape);
    cupel_require_ok(context, nc_model_rhs(independent.model, time, fixture_states(context, BATCH), parameters, other));
    size_t bytes = BATCH * FIXTURE_STATES * nc_dtype_size(cupel_dtype(context));
    cupel_expect_true(context, memcmp(cupel_download(context, rhs), cupel_download(context, other), bytes) != 0);
    nc_model *block = NULL;
    cupel_expect_status(context, nc_model_block(f.model, f.group, 1, &block), NC_UNSUPPORTED);
    cupel_expect_true(context, block == NULL);
    cupel_expect_true(context, strstr(nc_last_error(), "axis group") != NULL && strstr(nc_last_error(), "equation of B") != NULL &&
                                   strstr(nc_last_error(), "mean_load") != NULL);
    fixture_release(context, &f);
    fixture_release(context, &independent);
}

// A state whose trajectories lie backwards and whose cells lie three apart, and results with gaps, give the contiguous bytes.
static void strided_same_layout(cupel_context *context)
{
    nc_dtype dtype = cupel_dtype(context);
    fixture f = fixture_create(context, 0);
    const int64_t shape[] = {BATCH, FIXTURE_STATES}, backwards[] = {-3 * FIXTURE_STATES, 3}, columns[] = {1, BATCH + 2};
    double *values = cupel_alloc(context, (size_t)BATCH * FIXTURE_STATES * sizeof *values);
    for (int64_t i = 0; i < BATCH; ++i) {
        fixture_state(i, values + i * FIXTURE_STATES);
    }
    nc_array *time = fixture_scalar(context, 0.5), *parameters = fixture_parameter_sets(context, BATCH);
    nc_array *plain = cupel_output(context, dtype, 2, shape), *strided = cupel_output_strided(context, dtype, 2, shape, columns);
    nc_array *state = cupel_input_strided(context, dtype, 2, shape, backwards,
                                          cupel_reals(context, dtype, values, (size_t)BATCH * FIXTURE_STATES));
    cupel_require_ok(context, nc_model_rhs(f.model, time, fixture_states(context, BATCH), parameters, plain));
    cupel_require_ok(context, nc_model_rhs(f.model, time, state, parameters, strided));
    cupel_expect_bits(context, strided, cupel_download(context, plain), (size_t)BATCH * FIXTURE_STATES);
    expect_rhs(context, &f, strided, BATCH);
    // One state without a trajectory axis is the same again.
    double single[FIXTURE_STATES], parameter[FIXTURE_PARAMETERS];
    fixture_state(0, single);
    fixture_parameters(0, parameter);
    nc_array *one = cupel_output_vector(context, dtype, FIXTURE_STATES);
    cupel_require_ok(context, nc_model_rhs(f.model, time, fixture_vector(context, single, FIXTURE_STATES),
                                           fixture_vector(context, parameter, FIXTURE_PARAMETERS), one));
    cupel_expect_bits(context, one, cupel_download(context, plain), FIXTURE_STATES);
    fixture_release(context, &f);
}

// dx/dt = c + a * t for three cells: constants that no dtype holds exactly, and the time itself.
static void constants_and_scalar_time(cupel_context *context)
{
    nc_dtype dtype = cupel_dtype(context);
    const double constants[] = {0.1, -1.0 / 3.0, 1e-3}, slope = 0.7, times[] = {0.0, 0.3, 11.0};
    nc_network *network = NULL;
    nc_model *model = NULL;
    int32_t axis = 0, x = 0, c = 0, a = 0, t = 0, ramp = 0, flow_number = 0;
    nc_flow flow;
    cupel_require_ok(context, nc_network_create(&network));
    cupel_require_ok(context, nc_network_add_axis(network, "cell", 3, NULL, &axis));
    cupel_require_ok(context, nc_network_add_compartment(network, "x", 1, &axis, &x));
    cupel_require_ok(context, nc_network_add_constant(network, "c", 1, &axis, constants, 3, &c));
    cupel_require_ok(context, nc_network_add_constant(network, "a", 0, NULL, &slope, 1, &a));
    cupel_require_ok(context, nc_network_add_time(network, "t", &t));
    const int32_t factors[] = {a, t}, orders[] = {1, 1};
    cupel_require_ok(context, nc_network_add_product(network, "ramp", 2, factors, orders, &ramp));
    const int32_t rates[] = {c, ramp};
    static const char *const names[] = {"steady", "ramped"};
    for (int i = 0; i < 2; ++i) {
        NC_STRUCT_INIT(&flow);
        flow.name = names[i];
        flow.law = NC_LAW_CONSTANT;
        flow.target = x;
        flow.rate = rates[i];
        cupel_require_ok(context, nc_network_add_flow(network, &flow, &flow_number));
    }
    cupel_require_ok(context, nc_model_compile(cupel_device(context), network, &model));
    cupel_require_ok(context, nc_network_release(network));
    const double zero[3] = {0.0, 0.0, 0.0};
    for (int i = 0; i < 3; ++i) {
        // The very bits: c rounded once, then fma(1, a * t, c) in the state's precision.
        double expected[3];
        for (int k = 0; k < 3; ++k) {
            if (dtype == NC_F32) {
                float product = (float)slope * (float)times[i];
                expected[k] = (double)((float)constants[k] + product);
            } else {
                double product = slope * times[i];
                expected[k] = constants[k] + product;
            }
        }
        nc_array *out = cupel_output_vector(context, dtype, 3);
        cupel_require_ok(context,
                         nc_model_rhs(model, fixture_scalar(context, times[i]), fixture_vector(context, zero, 3), NULL, out));
        cupel_expect_bits(context, out, cupel_reals(context, dtype, expected, 3), 3);
    }
    cupel_expect_status(context, nc_model_release(model), NC_OK);
}

// The loops' exact derivative, and that it is the loops' central difference: (f(x + e v) - f(x - e v)) / 2e is exact for a
// function of degree two but for rounding, and the fixture's degree is at most three in e with the parameters held.
static void expect_tangent(cupel_context *context, const fixture *f, const nc_array *product, const double *state,
                           const double *parameters, const double *state_tangent, const double *parameters_tangent)
{
    double expected[FIXTURE_STATES], bounds[FIXTURE_STATES], plus[FIXTURE_STATES], minus[FIXTURE_STATES], high[FIXTURE_STATES];
    double low[FIXTURE_STATES], magnitude[FIXTURE_STATES], zero[FIXTURE_PARAMETERS] = {0.0}, held[FIXTURE_STATES];
    const double step = 0x1p-20;
    fixture_tangent(f->coupled, state, parameters, state_tangent, parameters_tangent, expected, bounds);
    for (int i = 0; i < FIXTURE_STATES; ++i) {
        bounds[i] = fixture_bound(cupel_dtype(context), FIXTURE_TANGENT_ROUNDINGS, bounds[i]);
        plus[i] = state[i] + step * state_tangent[i];
        minus[i] = state[i] - step * state_tangent[i];
    }
    cupel_expect_within_bound(context, product, expected, bounds, FIXTURE_STATES, FIXTURE_DERIVATION);
    fixture_rhs(f->coupled, plus, parameters, high, magnitude);
    fixture_rhs(f->coupled, minus, parameters, low, magnitude);
    fixture_tangent(f->coupled, state, parameters, state_tangent, zero, held, bounds);
    for (int i = 0; i < FIXTURE_STATES; ++i) {
        double difference = (high[i] - low[i]) / (2.0 * step);
        double bound = fixture_bound(NC_F64, FIXTURE_ROUNDINGS, magnitude[i]) / step;
        cupel_expect_true(context, fabs(difference - held[i]) <= bound);
    }
}

static void expect_identity(cupel_context *context, const fixture *f, const double *state, const double *parameters,
                            const double *state_tangent, const double *parameters_tangent)
{
    nc_dtype dtype = cupel_dtype(context);
    double weights[FIXTURE_STATES], magnitude[FIXTURE_STATES], product[FIXTURE_STATES], left = 0.0, right = 0.0, scale = 0.0;
    for (int i = 0; i < FIXTURE_STATES; ++i) {
        weights[i] = (double)((11 * i) % 13) / 8.0 - 0.75;
    }
    nc_array *time = fixture_scalar(context, 0.25), *y = fixture_vector(context, state, FIXTURE_STATES);
    nc_array *p = fixture_vector(context, parameters, FIXTURE_PARAMETERS), *w = fixture_vector(context, weights, FIXTURE_STATES);
    nc_array *v = fixture_vector(context, state_tangent, FIXTURE_STATES);
    nc_array *q = fixture_vector(context, parameters_tangent, FIXTURE_PARAMETERS);
    nc_array *jv = cupel_output_vector(context, dtype, FIXTURE_STATES), *gy = cupel_output_vector(context, dtype, FIXTURE_STATES);
    nc_array *gp = cupel_output_vector(context, dtype, FIXTURE_PARAMETERS);
    cupel_require_ok(context, nc_model_jvp(f->model, NC_FUNCTION_RHS, time, y, p, NULL, v, q, jv));
    cupel_require_ok(context, nc_model_vjp(f->model, NC_FUNCTION_RHS, time, y, p, w, NULL, gy, gp));
    expect_tangent(context, f, jv, state, parameters, state_tangent, parameters_tangent);
    const void *jv_values = cupel_download(context, jv), *gy_values = cupel_download(context, gy);
    const void *gp_values = cupel_download(context, gp);
    fixture_tangent(f->coupled, state, parameters, state_tangent, parameters_tangent, product, magnitude);
    for (size_t i = 0; i < FIXTURE_STATES; ++i) {
        left += weights[i] * cupel_get_real(dtype, jv_values, i);
        right += state_tangent[i] * cupel_get_real(dtype, gy_values, i);
        scale += fabs(weights[i]) * magnitude[i];
    }
    for (size_t i = 0; i < FIXTURE_PARAMETERS; ++i) {
        right += parameters_tangent[i] * cupel_get_real(dtype, gp_values, i);
    }
    // Both sides are the same sum of products of at most scale; each was rounded at most so many times on its way.
    double bound = 2.0 * fixture_bound(dtype, FIXTURE_TANGENT_ROUNDINGS + FIXTURE_STATES + FIXTURE_PARAMETERS, scale);
    cupel_expect_true(context, fabs(left - right) <= bound);
    cupel_expect_true(context, left != 0.0);
}

static void expect_layout_errors(cupel_context *context, const fixture *f)
{
    nc_dtype dtype = cupel_dtype(context), other = dtype == NC_F32 ? NC_F64 : NC_F32;
    const int64_t shape[] = {2, FIXTURE_STATES}, long_shape[] = {2, FIXTURE_STATES + 1}, three[] = {3, FIXTURE_PARAMETERS};
    double *many = cupel_alloc(context, 3 * FIXTURE_STATES * sizeof *many);
    nc_array *time = fixture_scalar(context, 0.0), *state = fixture_states(context, 2), *p = fixture_parameter_sets(context, 2);
    nc_array *out = cupel_output(context, dtype, 2, shape), *too_long = cupel_output(context, dtype, 2, long_shape);
    nc_array *narrow = cupel_output(context, other, 2, shape), *flat = cupel_output_vector(context, dtype, 2 * FIXTURE_STATES);
    nc_array *short_state = fixture_vector(context, many, FIXTURE_STATES - 1);
    nc_array *other_time = cupel_input(context, other, 0, NULL, many), *three_times = fixture_vector(context, many, 3);
    nc_array *short_parameters = fixture_vector(context, many, FIXTURE_PARAMETERS - 1);
    nc_array *three_sets = cupel_input(context, dtype, 2, three, many);
    nc_array *still = cupel_input_strided(context, dtype, 2, shape, (const int64_t[]){0, 1}, many);
    cupel_expect_status(context, nc_model_rhs(f->model, time, short_state, p, out), NC_SHAPE_MISMATCH);
    cupel_expect_status(context, nc_model_rhs(f->model, time, state, short_parameters, out), NC_SHAPE_MISMATCH);
    cupel_expect_status(context, nc_model_rhs(f->model, time, state, three_sets, out), NC_SHAPE_MISMATCH);
    cupel_expect_status(context, nc_model_rhs(f->model, three_times, state, p, out), NC_SHAPE_MISMATCH);
    cupel_expect_status(context, nc_model_rhs(f->model, time, state, p, too_long), NC_SHAPE_MISMATCH);
    cupel_expect_status(context, nc_model_rhs(f->model, time, state, p, flat), NC_SHAPE_MISMATCH);
    cupel_expect_status(context, nc_model_rhs(f->model, time, state, NULL, out), NC_NULL_ARGUMENT);
    cupel_expect_status(context, nc_model_rhs(f->model, other_time, state, p, out), NC_MIXED_DTYPE);
    cupel_expect_status(context, nc_model_rhs(f->model, time, state, p, narrow), NC_MIXED_DTYPE);
    cupel_expect_status(context, nc_model_rhs(f->model, time, state, p, still), NC_OVERLAP);
    cupel_expect_status(context, nc_model_rhs(f->model, time, state, p, state), NC_OVERLAP);
    cupel_expect_untouched(context, out);
    cupel_expect_untouched(context, too_long);
    cupel_expect_untouched(context, narrow);
    cupel_expect_untouched(context, flat);
}

static void derivatives_and_layout_errors(cupel_context *context)
{
    double state[FIXTURE_STATES], parameters[FIXTURE_PARAMETERS], state_tangent[FIXTURE_STATES];
    double parameters_tangent[FIXTURE_PARAMETERS];
    fixture_state(3, state);
    fixture_parameters(3, parameters);
    for (int i = 0; i < FIXTURE_STATES; ++i) {
        state_tangent[i] = (double)((5 * i) % 17) / 8.0 - 1.0;
    }
    for (int i = 0; i < FIXTURE_PARAMETERS; ++i) {
        parameters_tangent[i] = (double)((3 * i) % 7) / 16.0 - 0.125;
    }
    for (int coupled = 0; coupled < 2; ++coupled) {
        fixture f = fixture_create(context, coupled);
        expect_identity(context, &f, state, parameters, state_tangent, parameters_tangent);
        if (coupled == 0) {
            expect_layout_errors(context, &f);
        }
        fixture_release(context, &f);
    }
}

static const cupel_case cases[] = {
    CUPEL_CASE_REALS("model.contract.hierarchical-independent", hierarchical_independent),
    CUPEL_CASE_REALS("model.contract.hierarchical-coupled", hierarchical_coupled),
    CUPEL_CASE_REALS("model.contract.strided-same-layout", strided_same_layout),
    CUPEL_CASE_REALS("model.contract.constants-and-scalar-time", constants_and_scalar_time),
    CUPEL_CASE_REALS("model.contract.derivatives-and-layout-errors", derivatives_and_layout_errors),
};

const cupel_table model_contract_table = CUPEL_TABLE(cases);
