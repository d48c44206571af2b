// SPDX-License-Identifier: Apache-2.0
// Every array of every call on a model, a solver and a regression in every wrong form: on another handle, of another dtype, with
// another rank, number of rows or columns, folded onto itself, and as another array of the call. Each is refused for that, by its
// name, and nothing is written.
#include "core_device.h"

#include <stdio.h>

enum {
    BATCH = 3,
    NODES = 2,
    STATES = 4,
    PARAMETERS = 1,
    REACTIONS = 2,
    OBSERVABLES = 2,
    POINTS = 3,
    CAPACITY = 9,
    ROWS = 5,
    FEATURES = 2,
    COEFFICIENTS = 3,
    ARRAYS = 8,
    MOST_BYTES = 512,
    POISON = 0x3c
};

typedef struct calls {
    nc_device *device, *second;
    nc_network *network;
    nc_model *model;
    nc_huber *huber;
    nc_huber_config config;
    nc_solver_options options;
} calls;

typedef nc_status call_on(const calls *c, nc_array *const *a);

static nc_status rhs(const calls *c, nc_array *const *a)
{
    return nc_model_rhs(c->model, a[0], a[1], a[2], a[3]);
}
static nc_status observables(const calls *c, nc_array *const *a)
{
    return nc_model_observables(c->model, a[0], a[1], a[2], a[3]);
}
static nc_status fluxes(const calls *c, nc_array *const *a)
{
    return nc_model_fluxes(c->model, a[0], a[1], a[2], a[3]);
}
static nc_status jacobian(const calls *c, nc_array *const *a)
{
    return nc_model_jacobian(c->model, NC_FUNCTION_RHS, a[0], a[1], a[2], a[3]);
}
static nc_status jvp(const calls *c, nc_array *const *a)
{
    return nc_model_jvp(c->model, NC_FUNCTION_RHS, a[0], a[1], a[2], a[3], a[4], a[5], a[6]);
}
static nc_status vjp(const calls *c, nc_array *const *a)
{
    return nc_model_vjp(c->model, NC_FUNCTION_RHS, a[0], a[1], a[2], a[3], a[4], a[5], a[6]);
}
static nc_status structured(const calls *c, nc_array *const *a)
{
    const nc_array *state[] = {a[1], a[2]};
    nc_array *results[] = {a[4], a[5]};
    return nc_model_rhs_structured(c->model, a[0], state, a[3], results, 2);
}
static nc_status run(const calls *c, nc_array *const *a)
{
    static const double times[POINTS] = {0.0, 0.5, 1.0};
    return nc_solver_run(c->model, &c->options, times, POINTS, a[0], a[1], NULL, a[2], a[3]);
}
static nc_status run_listed(const calls *c, nc_array *const *a, nc_stepping stepping)
{
    static const double times[POINTS] = {0.0, 0.5, 1.0};
    nc_solver_options options = c->options;
    nc_step_list steps;
    NC_STRUCT_INIT(&steps);
    options.method = NC_METHOD_DOPRI5;
    options.stepping = (int32_t)stepping;
    steps.times = a[4];
    steps.lengths = a[5];
    return nc_solver_run(c->model, &options, times, POINTS, a[0], a[1], &steps, a[2], a[3]);
}
static nc_status record(const calls *c, nc_array *const *a)
{
    return run_listed(c, a, NC_STEPPING_ADAPTIVE);
}
static nc_status replay(const calls *c, nc_array *const *a)
{
    return run_listed(c, a, NC_STEPPING_REPLAY);
}
static nc_status gradient(const calls *c, nc_array *const *a)
{
    static const double times[POINTS] = {0.0, 0.5, 1.0};
    return nc_solver_gradient(c->model, &c->options, times, POINTS, a[0], a[1], a[2], a[3], a[4], a[5]);
}
static nc_status update(const calls *c, nc_array *const *a)
{
    nc_huber_diagnostics diagnostics;
    NC_STRUCT_INIT(&diagnostics);
    return nc_huber_update(c->huber, &c->config, a[0], a[1], a[2], &diagnostics);
}
static nc_status predict(const calls *c, nc_array *const *a)
{
    return nc_huber_predict(c->huber, a[0], a[1]);
}
static nc_status coefficients(const calls *c, nc_array *const *a)
{
    return nc_huber_coefficients(c->huber, a[0]);
}
static nc_status information(const calls *c, nc_array *const *a)
{
    return nc_huber_information(c->huber, a[0]);
}

// One array of a call: the name in the sentence, its form, and whether the call writes it. `free_columns`: any number of columns
// will do.
typedef struct form {
    const char *name;
    int32_t rank;
    int64_t rows, columns, depth;
    int is_output, is_report, free_columns;
} form;

#define TIME                                                                                                                       \
    {                                                                                                                              \
        "time", 1, BATCH, 1, 1, 0, 0, 0                                                                                            \
    }
#define MATRIX(name, columns, is_output)                                                                                           \
    {                                                                                                                              \
        name, 2, BATCH, columns, 1, is_output, 0, 0                                                                                \
    }
#define STATE MATRIX("state", STATES, 0)
#define SHARED MATRIX("parameters", PARAMETERS, 0)
#define REPORT                                                                                                                     \
    {                                                                                                                              \
        "report", 2, BATCH, NC_REPORT_COLUMNS, 1, 1, 1, 0                                                                          \
    }
static const struct {
    const char *name;
    call_on *call;
    form forms[ARRAYS];
} table[] = {
    {"rhs", rhs, {TIME, STATE, SHARED, MATRIX("rhs", STATES, 1)}},
    {"observables", observables, {TIME, STATE, SHARED, MATRIX("observables", OBSERVABLES, 1)}},
    {"fluxes", fluxes, {TIME, STATE, SHARED, MATRIX("fluxes", REACTIONS, 1)}},
    {"jacobian", jacobian, {TIME, STATE, SHARED, {"jacobian", 3, BATCH, STATES, STATES, 1, 0, 0}}},
    {"jvp",
     jvp,
     {TIME,
      STATE,
      SHARED,
      {"time_tangent", 1, BATCH, 1, 1, 0, 0, 0},
      MATRIX("state_tangent", STATES, 0),
      MATRIX("parameters_tangent", PARAMETERS, 0),
      MATRIX("product", STATES, 1)}},
    {"vjp",
     vjp,
     {TIME,
      STATE,
      SHARED,
      MATRIX("weights", STATES, 0),
      {"time_gradient", 1, BATCH, 1, 1, 1, 0, 0},
      MATRIX("state_gradient", STATES, 1),
      MATRIX("parameters_gradient", PARAMETERS, 1)}},
    {"rhs_structured",
     structured,
     {TIME, MATRIX("state", NODES, 0), MATRIX("state", NODES, 0), SHARED, MATRIX("rhs", NODES, 1), MATRIX("rhs", NODES, 1)}},
    {"run", run, {STATE, SHARED, MATRIX("out", STATES, 1), REPORT}},
    {"record", record, {STATE, SHARED, MATRIX("out", STATES, 1), REPORT, {"steps.times", 2, BATCH, CAPACITY, 1, 1, 0, 1}}},
    {"replay",
     replay,
     {STATE,
      SHARED,
      MATRIX("out", STATES, 1),
      REPORT,
      {"steps.times", 2, BATCH, CAPACITY, 1, 0, 0, 1},
      {"steps.lengths", 1, BATCH, 1, 1, 0, 1, 0}}},
    {"gradient",
     gradient,
     {STATE, SHARED, MATRIX("seed", STATES, 0), MATRIX("state_gradient", STATES, 1), MATRIX("parameters_gradient", PARAMETERS, 1),
      REPORT}},
    {"update", update, {{"x", 2, ROWS, FEATURES, 1, 0, 0, 0}, {"y", 1, ROWS, 1, 1, 0, 0, 0}, {"weights", 1, ROWS, 1, 1, 0, 0, 0}}},
    {"predict", predict, {{"x", 2, ROWS, FEATURES, 1, 0, 0, 0}, {"out", 1, ROWS, 1, 1, 1, 0, 0}}},
    {"coefficients", coefficients, {{"out", 1, COEFFICIENTS, 1, 1, 1, 0, 0}}},
    {"information", information, {{"out", 2, COEFFICIENTS, COEFFICIENTS, 1, 1, 0, 0}}},
};
enum { CALLS = sizeof table / sizeof table[0] };

static nc_array *made(nc_device *device, nc_dtype dtype, int32_t rank, int64_t rows, int64_t columns, int64_t depth)
{
    const int64_t shape[] = {rows, columns, depth};
    unsigned char poison[8];
    memset(poison, POISON, sizeof poison);
    nc_array *array = create(device, dtype, rank, shape);
    assert_int_equal(nc_array_fill(array, poison, nc_dtype_size(dtype)), NC_OK);
    return array;
}

static nc_dtype dtype_of(const form *right)
{
    return right->is_report ? NC_I32 : NC_F64;
}

static size_t untouched(nc_array *const *arrays)
{
    size_t bytes = 0;
    for (size_t i = 0; i < ARRAYS && arrays[i] != NULL; ++i) {
        unsigned char now[MOST_BYTES], poison[MOST_BYTES];
        nc_array_info info;
        NC_STRUCT_INIT(&info);
        memset(poison, POISON, sizeof poison);
        assert_int_equal(nc_array_info_get(arrays[i], &info), NC_OK);
        assert_true(info.storage_bytes <= sizeof now);
        download(arrays[i], now, info.storage_bytes);
        assert_memory_equal(now, poison, info.storage_bytes);
        bytes += info.storage_bytes;
    }
    return bytes;
}

// Calls with array `at` replaced by `wrong`, which it releases.
static void expect_wrong(const calls *c, size_t row, nc_array **arrays, size_t at, nc_array *wrong, nc_status status,
                         const char *what)
{
    const char *name = table[row].forms[at].name;
    char place[96];
    snprintf(place, sizeof place, "%s: %s %s", table[row].name, name, what);
    nc_array *right = arrays[at];
    arrays[at] = wrong;
    expect_refusal(place, table[row].call(c, arrays), status, name, "");
    arrays[at] = right;
    assert_true(untouched(arrays) > 0);
}

static void try_forms(const calls *c, size_t row, nc_array **arrays, size_t at)
{
    const form *f = &table[row].forms[at];
    const nc_dtype dtype = dtype_of(f);
    const int64_t shape[] = {f->rows, f->columns, f->depth}, folds[] = {0, 0, 0};
    const struct {
        const char *what;
        nc_device *device;
        nc_dtype dtype;
        int32_t rank;
        int64_t rows, columns;
        nc_status status;
        int applies;
    } forms[] = {
        {"on another handle", c->second, dtype, f->rank, f->rows, f->columns, NC_WRONG_DEVICE, 1},
        {"of another real or integer dtype", c->device, f->is_report ? NC_U32 : NC_F32, f->rank, f->rows, f->columns,
         NC_MIXED_DTYPE, 1},
        {"of i64", c->device, NC_I64, f->rank, f->rows, f->columns, NC_MIXED_DTYPE, 1},
        {"of another rank", c->device, dtype, f->rank == 1 ? 2 : f->rank + 1, f->rows, f->columns, NC_SHAPE_MISMATCH, f->rank < 3},
        {"with another row", c->device, dtype, f->rank, f->rows + 1, f->columns, NC_SHAPE_MISMATCH, 1},
        {"with more columns", c->device, dtype, f->rank, f->rows, f->columns + 2, NC_SHAPE_MISMATCH,
         f->rank > 1 && !f->free_columns},
    };
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; ++i) {
        if (forms[i].applies) {
            nc_array *wrong = made(forms[i].device, forms[i].dtype, forms[i].rank, forms[i].rows, forms[i].columns, f->depth);
            expect_wrong(c, row, arrays, at, wrong, forms[i].status, forms[i].what);
            release(wrong);
        }
    }
    if (f->is_output) {
        nc_array *folded = view(arrays[at], 0, f->rank, shape, folds);
        expect_wrong(c, row, arrays, at, folded, NC_OVERLAP, "folded onto one element");
        release(folded);
    }
    for (size_t other = 0; f->is_output && other < ARRAYS && arrays[other] != NULL; ++other) {
        const form *o = &table[row].forms[other];
        if (other != at && o->is_report == f->is_report && o->rank == f->rank && o->rows == f->rows && o->columns == f->columns) {
            expect_wrong(c, row, arrays, at, arrays[other], NC_OVERLAP, o->name);
        }
    }
}

static void calls_open(calls *c)
{
    nc_flow flow;
    nc_huber_options options;
    int32_t nodes, x, y, k, number;
    c->device = open_cpu();
    c->second = open_cpu();
    assert_int_equal(nc_network_create(&c->network), NC_OK);
    assert_int_equal(nc_network_add_axis(c->network, "nodes", NODES, NULL, &nodes), NC_OK);
    assert_int_equal(nc_network_add_compartment(c->network, "x", 1, &nodes, &x), NC_OK);
    assert_int_equal(nc_network_add_compartment(c->network, "y", 1, &nodes, &y), NC_OK);
    assert_int_equal(nc_network_add_parameter(c->network, "k", 0, NULL, &k), NC_OK);
    NC_STRUCT_INIT(&flow);
    flow.name = "out";
    flow.law = NC_LAW_LINEAR;
    flow.source = x;
    flow.rate = k;
    flow.reactant_count = 1;
    flow.reactants[0] = x;
    assert_int_equal(nc_network_add_flow(c->network, &flow, &number), NC_OK);
    assert_int_equal(nc_network_add_observable(c->network, x), NC_OK);
    assert_int_equal(nc_model_compile(c->device, c->network, &c->model), NC_OK);
    NC_STRUCT_INIT(&c->options);
    c->options.method = NC_METHOD_RK4;
    NC_STRUCT_INIT(&options);
    options.dtype = NC_F64;
    options.fit_intercept = 1;
    options.features = FEATURES;
    assert_int_equal(nc_huber_create(c->device, &options, &c->huber), NC_OK);
    nc_huber_config_init(&c->config);
    c->config.penalty = NC_HUBER_PENALTY_L1; // poison has no full rank, which only Newton minds
}

static void every_array_in_every_wrong_form(void **state)
{
    calls c = {0};
    size_t tried = 0;
    (void)state;
    calls_open(&c);
    for (size_t row = 0; row < CALLS; ++row) {
        nc_array *arrays[ARRAYS] = {NULL};
        size_t count = 0;
        for (; count < ARRAYS && table[row].forms[count].name != NULL; ++count) {
            const form *f = &table[row].forms[count];
            arrays[count] = made(c.device, dtype_of(f), f->rank, f->rows, f->columns, f->depth);
        }
        for (size_t at = 0; at < count; ++at) {
            try_forms(&c, row, arrays, at);
            ++tried;
        }
        assert_int_equal(table[row].call(&c, arrays), NC_OK); // refused for nothing else
        release_all(arrays, count);
    }
    assert_int_equal(tried, 64);
    assert_int_equal(nc_huber_release(c.huber), NC_OK);
    assert_int_equal(nc_model_release(c.model), NC_OK);
    assert_int_equal(nc_network_release(c.network), NC_OK);
    close_device(c.device);
    close_device(c.second);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_array_in_every_wrong_form),
};

UNIT_MAIN(tests)
