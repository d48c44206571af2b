// SPDX-License-Identifier: Apache-2.0
// Answers of the module model: values and derivatives of a network at one point.
#include "networks.h"

#include <string.h>

// The arrays of one row on the device.
typedef struct model_call {
    nc_model *model;
    nc_model_info info;
    nc_model_function function;
    int64_t outputs;
    nc_array *time, *y, *p, *vt, *vy, *vp, *w;
} model_call;

// The argument `key` as a device array of `count` elements (a scalar for -1); absent and optional: null.
static golden_status load(nc_device *device, const golden_row *row, const char *key, bool optional, int64_t count, nc_array **array,
                          golden_error *error)
{
    golden_array host;
    if (optional && !golden_row_has(row, key)) {
        return GOLDEN_OK;
    }
    golden_status status = golden_row_array(row, key, row->dtype, &host, error);
    if (status != GOLDEN_OK) {
        return status;
    }
    if (host.count != (size_t)(count < 0 ? 1 : count)) {
        status = golden_fail(error, GOLDEN_REFUSED, "row %s: %s must have %lld elements.", row->id, key, (long long)count);
    }
    status = status == GOLDEN_OK ? golden_upload(device, row, &host, count < 0 ? 0 : 1, &count, array, error) : status;
    golden_array_free(&host);
    return status;
}

static golden_status call_begin(nc_device *device, const golden_row *row, model_call *call, golden_error *error)
{
    const char *of = "rhs";
    golden_status status = golden_network_model(device, row, &call->model, error);
    NC_STRUCT_INIT(&call->info);
    status = status == GOLDEN_OK ? golden_nc(nc_model_info_get(call->model, &call->info), "nc_model_info_get", row, error) : status;
    status = status == GOLDEN_OK ? load(device, row, "t", false, -1, &call->time, error) : status;
    status = status == GOLDEN_OK ? load(device, row, "y", false, call->info.states, &call->y, error) : status;
    status = status == GOLDEN_OK ? load(device, row, "p", false, call->info.parameters, &call->p, error) : status;
    status = status == GOLDEN_OK ? load(device, row, "vt", true, -1, &call->vt, error) : status;
    status = status == GOLDEN_OK ? load(device, row, "vy", true, call->info.states, &call->vy, error) : status;
    status = status == GOLDEN_OK ? load(device, row, "vp", true, call->info.parameters, &call->vp, error) : status;
    if (status == GOLDEN_OK && golden_row_has(row, "of")) {
        status = golden_row_string(row, "of", &of, error);
    }
    call->function = strcmp(of, "observables") == 0 ? NC_FUNCTION_OBSERVABLES : NC_FUNCTION_RHS;
    call->outputs = call->function == NC_FUNCTION_RHS ? call->info.states : call->info.observables;
    return status == GOLDEN_OK ? load(device, row, "w", true, call->outputs, &call->w, error) : status;
}

static void call_end(model_call *call)
{
    nc_array *arrays[] = {call->time, call->y, call->p, call->vt, call->vy, call->vp, call->w};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; ++i) {
        (void)nc_array_release(arrays[i]);
    }
    (void)nc_model_release(call->model);
}

typedef enum wanted { VALUES, FLUXES, JACOBIAN, JVP } wanted;

static nc_status compute(model_call *call, wanted what, nc_array *out)
{
    switch (what) {
    case VALUES:
        return call->function == NC_FUNCTION_RHS ? nc_model_rhs(call->model, call->time, call->y, call->p, out)
                                                 : nc_model_observables(call->model, call->time, call->y, call->p, out);
    case FLUXES:
        return nc_model_fluxes(call->model, call->time, call->y, call->p, out);
    case JACOBIAN:
        return nc_model_jacobian(call->model, call->function, call->time, call->y, call->p, out);
    default:
        return nc_model_jvp(call->model, call->function, call->time, call->y, call->p, call->vt, call->vy, call->vp, out);
    }
}

static golden_status answer_one(nc_device *device, const golden_row *row, wanted what, golden_answer *answer, golden_error *error)
{
    model_call call = {.model = NULL};
    nc_array *out = NULL;
    golden_status status = call_begin(device, row, &call, error);
    const int64_t shape[2] = {what == FLUXES ? call.info.reactions : call.outputs, call.info.states};
    status = status == GOLDEN_OK ? golden_create(device, row, row->dtype, what == JACOBIAN ? 2 : 1, shape, &out, error) : status;
    status = status == GOLDEN_OK ? golden_nc(compute(&call, what, out), "nc_model_", row, error) : status;
    status = status == GOLDEN_OK ? golden_download(row, out, row->dtype, answer, error) : status;
    (void)nc_array_release(out);
    call_end(&call);
    return status;
}

golden_status golden_answer_model_values(nc_device *device, const golden_row *row, golden_answer *answer, golden_error *error)
{
    return answer_one(device, row, VALUES, answer, error);
}

golden_status golden_answer_model_fluxes(nc_device *device, const golden_row *row, golden_answer *answer, golden_error *error)
{
    return answer_one(device, row, FLUXES, answer, error);
}

golden_status golden_answer_model_jacobian(nc_device *device, const golden_row *row, golden_answer *answer, golden_error *error)
{
    return answer_one(device, row, JACOBIAN, answer, error);
}

golden_status golden_answer_model_jvp(nc_device *device, const golden_row *row, golden_answer *answer, golden_error *error)
{
    return answer_one(device, row, JVP, answer, error);
}

// Gradients in time, state and parameters, one after the other.
golden_status golden_answer_model_vjp(nc_device *device, const golden_row *row, golden_answer *answer, golden_error *error)
{
    model_call call = {.model = NULL};
    nc_array *by_time = NULL, *by_state = NULL, *by_parameters = NULL;
    golden_status status = call_begin(device, row, &call, error);
    status = status == GOLDEN_OK ? golden_create(device, row, row->dtype, 0, NULL, &by_time, error) : status;
    status = status == GOLDEN_OK ? golden_create(device, row, row->dtype, 1, &call.info.states, &by_state, error) : status;
    status = status == GOLDEN_OK ? golden_create(device, row, row->dtype, 1, &call.info.parameters, &by_parameters, error) : status;
    if (status == GOLDEN_OK) {
        status =
            golden_nc(nc_model_vjp(call.model, call.function, call.time, call.y, call.p, call.w, by_time, by_state, by_parameters),
                      "nc_model_vjp", row, error);
    }
    status = status == GOLDEN_OK ? golden_download(row, by_time, row->dtype, answer, error) : status;
    status = status == GOLDEN_OK ? golden_download(row, by_state, row->dtype, answer, error) : status;
    status = status == GOLDEN_OK ? golden_download(row, by_parameters, row->dtype, answer, error) : status;
    (void)nc_array_release(by_time);
    (void)nc_array_release(by_state);
    (void)nc_array_release(by_parameters);
    call_end(&call);
    return status;
}
