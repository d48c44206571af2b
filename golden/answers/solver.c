// SPDX-License-Identifier: Apache-2.0
// Answers of the module solver: one trajectory of a network.
#include "networks.h"

#include <stdlib.h>
#include <string.h>

// The arrays of one row.
typedef struct run_call {
    nc_model *model;
    nc_model_info info;
    nc_solver_options options;
    golden_array times;
    nc_array *state, *parameters, *seed, *out, *report;
} run_call;

static golden_status load(nc_device *device, const golden_row *row, const char *key, int64_t count, nc_array **array,
                          golden_error *error)
{
    golden_array host;
    golden_status status = golden_row_array(row, key, row->dtype, &host, error);
    if (status == GOLDEN_OK && host.count != (size_t)count) {
        status = golden_fail(error, GOLDEN_REFUSED, "row %s: %s must have %lld elements.", row->id, key, (long long)count);
    }
    status = status == GOLDEN_OK ? golden_upload(device, row, &host, 1, &count, array, error) : status;
    golden_array_free(&host);
    return status;
}

static golden_status read_options(const golden_row *row, nc_solver_options *options, golden_error *error)
{
    const char *name = "dopri5";
    NC_STRUCT_INIT(options);
    options->allow_negative = 1;
    const struct {
        const char *key;
        double *value;
    } reals[] = {{"newton_tolerance", &options->newton_tolerance},
                 {"relative", &options->relative_tolerance},
                 {"absolute", &options->absolute_tolerance},
                 {"first_step", &options->first_step}};
    golden_status status = GOLDEN_OK;
    for (size_t i = 0; status == GOLDEN_OK && i < sizeof reals / sizeof reals[0]; ++i) {
        if (golden_row_has(row, reals[i].key)) {
            status = golden_row_real(row, reals[i].key, reals[i].value, error);
        }
    }
    if (status == GOLDEN_OK && golden_row_has(row, "method")) {
        status = golden_row_string(row, "method", &name, error);
    }
    for (int32_t method = 1; method <= NC_METHOD_IMEX_ARK3; ++method) {
        options->method = strcmp(nc_method_name((nc_method)method), name) == 0 ? method : options->method;
    }
    return status == GOLDEN_OK && options->method == 0
               ? golden_fail(error, GOLDEN_REFUSED, "row %s: there is no method \"%s\".", row->id, name)
               : status;
}

static golden_status call_begin(nc_device *device, const golden_row *row, run_call *call, golden_error *error)
{
    const int64_t columns = NC_REPORT_COLUMNS;
    golden_status status = golden_network_model(device, row, &call->model, error);
    NC_STRUCT_INIT(&call->info);
    status = status == GOLDEN_OK ? golden_nc(nc_model_info_get(call->model, &call->info), "nc_model_info_get", row, error) : status;
    status = status == GOLDEN_OK ? read_options(row, &call->options, error) : status;
    status = status == GOLDEN_OK ? golden_row_array(row, "times", GOLDEN_F64, &call->times, error) : status;
    status = status == GOLDEN_OK ? load(device, row, "y", call->info.states, &call->state, error) : status;
    status = status == GOLDEN_OK ? load(device, row, "p", call->info.parameters, &call->parameters, error) : status;
    status = status == GOLDEN_OK ? golden_create(device, row, row->dtype, 1, &call->info.states, &call->out, error) : status;
    return status == GOLDEN_OK ? golden_create(device, row, GOLDEN_I32, 1, &columns, &call->report, error) : status;
}

static void call_end(run_call *call)
{
    nc_array *arrays[] = {call->state, call->parameters, call->seed, call->out, call->report};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; ++i) {
        (void)nc_array_release(arrays[i]);
    }
    golden_array_free(&call->times);
    (void)nc_model_release(call->model);
}

static const double *times_of(const run_call *call)
{
    return (const double *)(const void *)call->times.bytes;
}

// The report's entry `column`; refuses a trajectory that failed.
static golden_status report_entry(const golden_row *row, const run_call *call, nc_report_column column, golden_value *value,
                                  golden_error *error)
{
    golden_array host;
    golden_status status = golden_fetch(row, call->report, GOLDEN_I32, &host, error);
    if (status == GOLDEN_OK) {
        int32_t state = (int32_t)golden_array_at(&host, NC_REPORT_STATUS).bits;
        *value = golden_array_at(&host, (size_t)column);
        if (state != NC_TRAJECTORY_OK) {
            status = golden_fail(error, GOLDEN_DIFFERS, "row %s: the trajectory ends with %s.", row->id,
                                 nc_trajectory_status_name((nc_trajectory_status)state));
        }
        golden_array_free(&host);
    }
    return status;
}

static golden_status add_entry(const golden_row *row, const run_call *call, nc_report_column column, golden_answer *answer,
                               golden_error *error)
{
    golden_value value;
    golden_status status = report_entry(row, call, column, &value, error);
    return status == GOLDEN_OK ? golden_answer_add(answer, NULL, value, error) : status;
}

golden_status golden_answer_solver_run(nc_device *device, const golden_row *row, golden_answer *answer, golden_error *error)
{
    run_call call = {.model = NULL};
    golden_status status = call_begin(device, row, &call, error);
    if (status == GOLDEN_OK) {
        status = golden_nc(nc_solver_run(call.model, &call.options, times_of(&call), (int64_t)call.times.count, call.state,
                                         call.parameters, NULL, call.out, call.report),
                           "nc_solver_run", row, error);
    }
    status = status == GOLDEN_OK ? golden_download(row, call.out, row->dtype, answer, error) : status;
    status = status == GOLDEN_OK ? add_entry(row, &call, NC_REPORT_NEWTON, answer, error) : status;
    call_end(&call);
    return status;
}

// A committed row says how many times it records, so that another count is a wrong answer and not another list of ids.
static golden_status check_records(const golden_row *row, int64_t recorded, golden_error *error)
{
    int64_t records = recorded;
    golden_status status = golden_row_has(row, "records") ? golden_row_integer(row, "records", &records, error) : GOLDEN_OK;
    return status == GOLDEN_OK && records != recorded
               ? golden_fail(error, GOLDEN_DIFFERS, "row %s: the run records %lld times, not %lld.", row->id, (long long)recorded,
                             (long long)records)
               : status;
}

golden_status golden_answer_solver_adaptive(nc_device *device, const golden_row *row, golden_answer *answer, golden_error *error)
{
    run_call call = {.model = NULL};
    nc_step_list steps;
    const int64_t capacity = 512;
    golden_value recorded = {GOLDEN_I32, 0};
    golden_array host = {.count = 0};
    golden_status status = call_begin(device, row, &call, error);
    NC_STRUCT_INIT(&steps);
    call.options.stepping = NC_STEPPING_ADAPTIVE;
    status = status == GOLDEN_OK ? golden_create(device, row, row->dtype, 1, &capacity, &steps.times, error) : status;
    if (status == GOLDEN_OK) {
        status = golden_nc(nc_solver_run(call.model, &call.options, times_of(&call), (int64_t)call.times.count, call.state,
                                         call.parameters, &steps, call.out, call.report),
                           "nc_solver_run", row, error);
    }
    status = status == GOLDEN_OK ? golden_download(row, call.out, row->dtype, answer, error) : status;
    status = status == GOLDEN_OK ? add_entry(row, &call, NC_REPORT_ACCEPTED, answer, error) : status;
    status = status == GOLDEN_OK ? add_entry(row, &call, NC_REPORT_REJECTED, answer, error) : status;
    status = status == GOLDEN_OK ? report_entry(row, &call, NC_REPORT_RECORDED, &recorded, error) : status;
    status = status == GOLDEN_OK ? check_records(row, (int64_t)recorded.bits, error) : status;
    status = status == GOLDEN_OK ? golden_fetch(row, steps.times, row->dtype, &host, error) : status;
    for (size_t i = 0; status == GOLDEN_OK && i < (size_t)recorded.bits; ++i) {
        status = golden_answer_add(answer, NULL, golden_array_at(&host, i), error);
    }
    golden_array_free(&host);
    (void)nc_array_release(steps.times);
    call_end(&call);
    return status;
}

golden_status golden_answer_solver_gradient(nc_device *device, const golden_row *row, golden_answer *answer, golden_error *error)
{
    run_call call = {.model = NULL};
    nc_array *by_parameters = NULL;
    golden_value steps;
    golden_status status = call_begin(device, row, &call, error);
    status = status == GOLDEN_OK ? load(device, row, "seed", call.info.states, &call.seed, error) : status;
    status = status == GOLDEN_OK ? golden_create(device, row, row->dtype, 1, &call.info.parameters, &by_parameters, error) : status;
    if (status == GOLDEN_OK) {
        status = golden_nc(nc_solver_gradient(call.model, &call.options, times_of(&call), (int64_t)call.times.count, call.state,
                                              call.parameters, call.seed, call.out, by_parameters, call.report),
                           "nc_solver_gradient", row, error);
    }
    status = status == GOLDEN_OK ? report_entry(row, &call, NC_REPORT_ACCEPTED, &steps, error) : status; // or says what failed
    status = status == GOLDEN_OK ? golden_download(row, call.out, row->dtype, answer, error) : status;
    status = status == GOLDEN_OK ? golden_download(row, by_parameters, row->dtype, answer, error) : status;
    (void)nc_array_release(by_parameters);
    call_end(&call);
    return status;
}
