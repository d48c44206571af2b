// SPDX-License-Identifier: Apache-2.0
// Near memory changes no byte: every method, adaptive steps, a replay and gradients, once with the tiles' working memory in a
// buffer and once on the chip. Any OpenCL or CUDA device; a CPU's local memory serves as well, so it is held without a GPU.
#include "core_device.h"

#include "host/model.h"

#include <stdlib.h>

#define TRAJECTORIES 70 // two tiles and a part of one
#define STATES 4
#define PARAMETERS 3
#define POINTS 6
#define CAPACITY 64
#define NEAR_BYTES (48u << 10)

static nc_device *device;
static unsigned long compared;

static void add_flow(nc_network *network, const char *name, int32_t source, int32_t target, int32_t rate, int32_t implicit,
                     int32_t second, int32_t population, int32_t forcing)
{
    nc_flow flow;
    int32_t number = NC_NONE;
    NC_STRUCT_INIT(&flow);
    flow.name = name;
    flow.law = second == NC_NONE ? NC_LAW_LINEAR : NC_LAW_MASS_ACTION;
    flow.source = source;
    flow.target = target;
    flow.rate = rate;
    flow.implicit = implicit;
    flow.reactant_count = second == NC_NONE ? 1 : 2;
    flow.reactants[0] = source;
    flow.reactants[1] = second;
    flow.population = population;
    flow.forcing = forcing;
    assert_int_equal(nc_network_add_flow(network, &flow, &number), NC_OK);
}

// Susceptible, exposed, infectious, removed, with every operation that a plan has.
static nc_model *epidemic(void)
{
    static const double ones[] = {1.0, 1.0, 1.0, 1.0}, fixed = 0.75, knots[] = {0.0, 0.4, 2.0}, season[] = {1.0, 1.5, 0.5};
    nc_network *network = NULL;
    nc_model *model = NULL;
    int32_t cells[STATES], beta, gamma, loss, rate, n, forcing, waning;
    assert_int_equal(nc_network_create(&network), NC_OK);
    for (int cell = 0; cell < STATES; ++cell) {
        const char name[] = {"seir"[cell], '\0'};
        assert_int_equal(nc_network_add_compartment(network, name, 0, NULL, &cells[cell]), NC_OK);
    }
    assert_int_equal(nc_network_add_parameter(network, "beta", 0, NULL, &beta), NC_OK);
    assert_int_equal(nc_network_add_parameter(network, "gamma", 0, NULL, &gamma), NC_OK);
    assert_int_equal(nc_network_add_parameter(network, "loss", 0, NULL, &loss), NC_OK);
    assert_int_equal(nc_network_add_constant(network, "rate", 0, NULL, &fixed, 1, &rate), NC_OK);
    assert_int_equal(nc_network_add_combination(network, "n", STATES, cells, ones, &n), NC_OK);
    assert_int_equal(nc_network_add_forcing(network, "season", 3, knots, season, &forcing), NC_OK);
    assert_int_equal(nc_network_add_exponential(network, "waning", loss, &waning), NC_OK);
    add_flow(network, "infection", cells[0], cells[1], beta, 0, cells[2], n, forcing);
    add_flow(network, "onset", cells[1], cells[2], rate, 1, NC_NONE, NC_NONE, NC_NONE);
    add_flow(network, "recovery", cells[2], cells[3], gamma, 0, NC_NONE, NC_NONE, NC_NONE);
    add_flow(network, "waning-flow", cells[3], cells[0], waning, 0, NC_NONE, NC_NONE, NC_NONE);
    assert_int_equal(nc_model_compile(device, network, &model), NC_OK);
    assert_int_equal(nc_network_release(network), NC_OK);
    return model;
}

// What a run or a gradient takes and gives.
typedef struct arrays {
    nc_array *state, *parameters, *seed, *out, *report, *times, *lengths, *state_gradient, *parameters_gradient;
} arrays;

static nc_array *uniforms(nc_dtype dtype, int64_t columns, uint64_t stream)
{
    const int64_t shape[] = {TRAJECTORIES, columns};
    nc_array *array = create(device, dtype, 2, shape);
    assert_int_equal(nc_rng_uniform(5, stream, 0, array), NC_OK);
    return array;
}

static arrays arrays_make(nc_dtype dtype)
{
    const int64_t history[] = {TRAJECTORIES, POINTS, STATES}, report[] = {TRAJECTORIES, NC_REPORT_COLUMNS};
    arrays a = {
        .state = uniforms(dtype, STATES, 1), .parameters = uniforms(dtype, PARAMETERS, 2), .seed = uniforms(dtype, STATES, 3)};
    // One trajectory has failed before it begins: the others go on and its results are NaN.
    const float narrow = -1.0f;
    const double wide = -1.0;
    nc_array *failed = view(a.state, 33 * STATES, 0, NULL, NULL);
    assert_int_equal(nc_array_fill(failed, dtype == NC_F32 ? (const void *)&narrow : (const void *)&wide, nc_dtype_size(dtype)),
                     NC_OK);
    release(failed);
    a.out = create(device, dtype, 3, history);
    a.report = create(device, NC_I32, 2, report);
    a.times = uniforms(dtype, CAPACITY, 4);
    a.lengths = create_vector(device, NC_I32, TRAJECTORIES);
    a.state_gradient = uniforms(dtype, STATES, 5);
    a.parameters_gradient = uniforms(dtype, PARAMETERS, 6);
    return a;
}

static void arrays_release(const arrays *a)
{
    nc_array *const all[] = {a->state,          a->parameters,         a->seed, a->out, a->report, a->times, a->lengths,
                             a->state_gradient, a->parameters_gradient};
    release_all(all, sizeof all / sizeof all[0]);
}

#define RESULT_BYTES (1u << 19)
typedef struct result {
    size_t used;
    unsigned char bytes[RESULT_BYTES];
} result;

static void result_add(result *r, const nc_array *array)
{
    size_t bytes = (size_t)array->count * nc_dtype_size(array->dtype);
    assert_true(r->used + bytes <= RESULT_BYTES);
    download(array, r->bytes + r->used, bytes);
    r->used += bytes;
}

static const double grid[POINTS] = {0.0, 0.25, 0.25, 0.5, 1.0, 1.25};

// Every run of one dtype into `r`. Of the adaptive run's list the replay takes the lengths that the report says.
static void run_all(nc_model *model, const arrays *a, result *r)
{
    nc_solver_options options;
    nc_step_list list;
    int32_t report[TRAJECTORIES][NC_REPORT_COLUMNS], lengths[TRAJECTORIES];
    NC_STRUCT_INIT(&options);
    NC_STRUCT_INIT(&list);
    options.history = 1;
    for (int32_t method = NC_METHOD_EULER; method <= NC_METHOD_IMEX_ARK3; ++method) {
        options.method = method;
        assert_int_equal(nc_solver_run(model, &options, grid, POINTS, a->state, a->parameters, NULL, a->out, a->report), NC_OK);
        result_add(r, a->out);
        result_add(r, a->report);
    }
    list.times = a->times;
    list.lengths = a->lengths;
    options.method = NC_METHOD_DOPRI5;
    options.stepping = NC_STEPPING_ADAPTIVE;
    assert_int_equal(nc_solver_run(model, &options, grid, POINTS, a->state, a->parameters, &list, a->out, a->report), NC_OK);
    result_add(r, a->out);
    result_add(r, a->report);
    result_add(r, a->times);
    download(a->report, report, sizeof report);
    for (int t = 0; t < TRAJECTORIES; ++t) {
        lengths[t] = report[t][NC_REPORT_RECORDED];
    }
    assert_int_equal(report[33][NC_REPORT_STATUS], NC_TRAJECTORY_NEGATIVE_STATE);
    assert_int_equal(report[34][NC_REPORT_STATUS], NC_TRAJECTORY_OK);
    assert_int_equal(nc_array_upload(a->lengths, lengths, sizeof lengths), NC_OK);
    options.stepping = NC_STEPPING_REPLAY;
    assert_int_equal(nc_solver_run(model, &options, grid, POINTS, a->state, a->parameters, &list, a->out, a->report), NC_OK);
    result_add(r, a->out);
}

static void gradients_all(nc_model *model, const arrays *a, result *r)
{
    nc_solver_options options;
    NC_STRUCT_INIT(&options);
    for (int32_t method = NC_METHOD_EULER; method <= NC_METHOD_DOPRI5; ++method) {
        options.method = method;
        assert_int_equal(nc_solver_gradient(model, &options, grid, POINTS, a->state, a->parameters, a->seed, a->state_gradient,
                                            a->parameters_gradient, a->report),
                         NC_OK);
        result_add(r, a->state_gradient);
        result_add(r, a->parameters_gradient);
        result_add(r, a->report);
    }
}

// What is announced is what the model keeps, with the grid's bytes.
static void announced_is_kept(nc_dtype dtype, uint64_t bytes)
{
    nc_solver_options options;
    uint64_t announced = 0;
    NC_STRUCT_INIT(&options);
    be_near_limit(device->backend, bytes);
    arrays a = arrays_make(dtype);
    for (int32_t method = NC_METHOD_EULER; method <= NC_METHOD_IMEX_ARK3; ++method) {
        nc_model *model = epidemic();
        options.method = method;
        options.history = 1;
        assert_int_equal(nc_solver_workspace(model, &options, dtype, TRAJECTORIES, POINTS, &announced), NC_OK);
        assert_int_equal(nc_solver_run(model, &options, grid, POINTS, a.state, a.parameters, NULL, a.out, a.report), NC_OK);
        assert_int_equal(announced, model->workspace.bytes + POINTS * nc_dtype_size(dtype));
        assert_int_equal(model->workspace.bytes == 0, bytes > 0);
        assert_int_equal(model->tape.bytes, 0);
        assert_int_equal(nc_model_release(model), NC_OK);
    }
    arrays_release(&a);
}

static void what_is_announced_is_kept(void **state)
{
    (void)state;
    announced_is_kept(NC_F32, 0);
    announced_is_kept(NC_F64, 0);
    announced_is_kept(NC_F32, NEAR_BYTES);
    announced_is_kept(NC_F64, NEAR_BYTES);
}

// All results with at most `bytes` of near memory. Says how much working memory the model keeps in a buffer.
static result *results_of(nc_dtype dtype, uint64_t bytes, uint64_t *workspace)
{
    result *r = calloc(1, sizeof *r);
    assert_non_null(r);
    be_near_limit(device->backend, bytes);
    nc_model *model = epidemic();
    arrays a = arrays_make(dtype);
    run_all(model, &a, r);
    gradients_all(model, &a, r);
    *workspace = model->workspace.bytes;
    arrays_release(&a);
    assert_int_equal(nc_model_release(model), NC_OK);
    return r;
}

static void same_bytes(nc_dtype dtype)
{
    uint64_t far_workspace = 0, near_workspace = 0, mixed_workspace = 0;
    result *far = results_of(dtype, 0, &far_workspace);
    result *near = results_of(dtype, NEAR_BYTES, &near_workspace);
    // Small methods near, large ones in a buffer: a limit between them.
    result *mixed = results_of(dtype, 60 * NC_TILE * nc_dtype_size(dtype), &mixed_workspace);
    assert_true(far_workspace > 0);
    assert_int_equal(near_workspace, 0);
    assert_int_equal(mixed_workspace, far_workspace);
    assert_true(far->used > 13 * TRAJECTORIES * POINTS * STATES * nc_dtype_size(dtype));
    assert_int_equal(far->used, near->used);
    assert_memory_equal(far->bytes, near->bytes, far->used);
    assert_memory_equal(far->bytes, mixed->bytes, far->used);
    compared += far->used;
    free(far);
    free(near);
    free(mixed);
}

static void near_memory_changes_no_byte(void **state)
{
    (void)state;
    same_bytes(NC_F32);
    same_bytes(NC_F64);
    assert_true(compared > 0);
}

// The limit is what the hardware has at most, and kernels without a near form have none.
static void a_limit_never_exceeds_the_hardware(void **state)
{
    (void)state;
    be_near_limit(device->backend, 0);
    assert_int_equal(be_near_bytes(device->backend, BE_KERNEL_solver_run_f64), 0);
    be_near_limit(device->backend, NEAR_BYTES);
    assert_int_equal(be_near_bytes(device->backend, BE_KERNEL_solver_run_f64), NEAR_BYTES);
    assert_int_equal(be_near_bytes(device->backend, BE_KERNEL_solver_gradient_f32), NEAR_BYTES);
    assert_int_equal(be_near_bytes(device->backend, BE_KERNEL_axpy_f32), 0);
    be_near_limit(device->backend, UINT64_MAX);
    uint64_t most = be_near_bytes(device->backend, BE_KERNEL_solver_run_f64);
    assert_true(most >= NEAR_BYTES && most < (uint64_t)1 << 30);
}

// One device for all tests: what it has compiled, it has compiled for all.
static int setup(void **state)
{
    (void)state;
    nc_status status = device == NULL ? nc_device_open("0", &device) : NC_OK;
    if (status != NC_OK) {
        print_error("%s\n", nc_last_error());
    }
    return status != NC_OK;
}

static int teardown(void **state)
{
    (void)state;
    return nc_device_close(device) != NC_OK;
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup(near_memory_changes_no_byte, setup),
    cmocka_unit_test_setup(what_is_announced_is_kept, setup),
    cmocka_unit_test_setup_teardown(a_limit_never_exceeds_the_hardware, setup, teardown),
};

UNIT_MAIN(tests)
