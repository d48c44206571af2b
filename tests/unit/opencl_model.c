// SPDX-License-Identifier: Apache-2.0
// No program is built after a model was compiled: not for another dtype, not for derivatives, not for the solver. Needs any OpenCL
// device.
#include "unit.h"

#include "nc.h"

static nc_device *device;

static uint64_t programs_built(void)
{
    nc_device_counters counters;
    NC_STRUCT_INIT(&counters);
    assert_int_equal(nc_device_counters_get(device, &counters), NC_OK);
    return counters.programs_built;
}

static nc_array *filled(nc_dtype dtype, int32_t rank, int64_t count, double value)
{
    float narrow = (float)value;
    nc_array *array = NULL;
    assert_int_equal(nc_array_create(device, dtype, rank, &count, &array), NC_OK);
    if (dtype != NC_I32) {
        const void *element = dtype == NC_F32 ? (const void *)&narrow : (const void *)&value;
        assert_int_equal(nc_array_fill(array, element, nc_dtype_size(dtype)), NC_OK);
    }
    return array;
}

// dx/dt = -rate x.
static nc_model *decay(void)
{
    nc_network *network = NULL;
    nc_model *model = NULL;
    nc_flow flow;
    int32_t number = 0;
    NC_STRUCT_INIT(&flow);
    assert_int_equal(nc_network_create(&network), NC_OK);
    assert_int_equal(nc_network_add_compartment(network, "x", 0, NULL, &flow.source), NC_OK);
    assert_int_equal(nc_network_add_parameter(network, "rate", 0, NULL, &flow.rate), NC_OK);
    flow.name = "decay";
    flow.law = NC_LAW_LINEAR;
    flow.reactant_count = 1;
    flow.reactants[0] = flow.source;
    assert_int_equal(nc_network_add_flow(network, &flow, &number), NC_OK);
    assert_int_equal(nc_model_compile(device, network, &model), NC_OK);
    assert_int_equal(nc_network_release(network), NC_OK);
    return model;
}

static void use_model(nc_model *model, nc_dtype dtype)
{
    static const double times[] = {0.0, 0.5, 1.0};
    const int64_t square[] = {1, 1};
    nc_array *time = filled(dtype, 0, 1, 0.0), *state = filled(dtype, 1, 1, 2.0), *rate = filled(dtype, 1, 1, 0.25);
    nc_array *out = filled(dtype, 1, 1, 0.0), *report = filled(NC_I32, 1, NC_REPORT_COLUMNS, 0.0), *jacobian = NULL;
    nc_solver_options options;
    NC_STRUCT_INIT(&options);
    options.method = NC_METHOD_RK4;
    assert_int_equal(nc_array_create(device, dtype, 2, square, &jacobian), NC_OK);
    assert_int_equal(nc_model_rhs(model, time, state, rate, out), NC_OK);
    assert_int_equal(nc_model_jacobian(model, NC_FUNCTION_RHS, time, state, rate, jacobian), NC_OK);
    assert_int_equal(nc_solver_run(model, &options, times, 3, state, rate, NULL, out, report), NC_OK);
    assert_int_equal(nc_device_sync(device), NC_OK);
    nc_array *arrays[] = {time, state, rate, out, report, jacobian};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; ++i) {
        assert_int_equal(nc_array_release(arrays[i]), NC_OK);
    }
}

static void no_program_is_built_after_a_model_was_compiled(void **state)
{
    (void)state;
    assert_int_equal(nc_device_open("0", &device), NC_OK);
    // Filling arrays has a program of its own, which is not the model's.
    nc_array *warm[] = {filled(NC_F32, 1, 1, 0.0), filled(NC_F64, 1, 1, 0.0)};
    uint64_t before = programs_built();
    nc_model *model = decay();
    uint64_t compiled = programs_built();
    assert_true(compiled > before);
    use_model(model, NC_F64);
    use_model(model, NC_F32);
    assert_int_equal(programs_built(), compiled);
    assert_int_equal(nc_model_release(model), NC_OK);
    assert_int_equal(nc_array_release(warm[0]), NC_OK);
    assert_int_equal(nc_array_release(warm[1]), NC_OK);
    assert_int_equal(nc_device_close(device), NC_OK);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(no_program_is_built_after_a_model_was_compiled),
};

UNIT_MAIN(tests)
