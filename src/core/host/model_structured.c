// SPDX-License-Identifier: Apache-2.0
// The right-hand side with one array for each compartment: the parts are gathered into a flat state on the device and scattered
// back. Bits move as they are, so the result is the flat call's.
#include "model.h"

#include <inttypes.h>
#include <stdio.h>

// The compartment that stands at `place` among the compartments.
static int32_t compartment_at(const nc_network *network, int32_t place)
{
    int32_t quantity = 0;
    for (int32_t q = 1; q <= network->quantity_count && quantity == 0; ++q) {
        if (network_quantity_at(network, q)->kind == NC_QUANTITY_COMPARTMENT && place-- == 0) {
            quantity = q;
        }
    }
    return quantity;
}

static int32_t compartment_count(const nc_network *network)
{
    int32_t count = 0;
    for (int32_t q = 1; q <= network->quantity_count; ++q) {
        count += network_quantity_at(network, q)->kind == NC_QUANTITY_COMPARTMENT;
    }
    return count;
}

// A part has the compartment's shape, after the trajectory axis if state[0] has one.
static nc_status check_part(const nc_model *model, const nc_array *array, const char *list, int32_t place, const nc_array *like,
                            int32_t batched)
{
    char name[64];
    (void)snprintf(name, sizeof name, "%s[%" PRId32 "]", list, place);
    const network_quantity *compartment = network_quantity_at(model->network, compartment_at(model->network, place));
    NC_TRY(nc_check_real(array, name));
    NC_TRY(nc_check_same_device(array, name, like, "state[0]"));
    NC_TRY(nc_check_same_dtype(array, name, like, "state[0]"));
    NC_TRY(nc_check_rank(array, name, compartment->rank + batched));
    if (batched != 0) {
        NC_TRY(nc_check_extent(array, name, 0, like->shape[0], "the trajectories of state[0]"));
    }
    for (int32_t i = 0; i < compartment->rank; ++i) {
        const network_axis *axis = network_axis_at(model->network, compartment->axes[i]);
        NC_TRY(nc_check_extent(array, name, batched + i, axis->extent, axis->name));
    }
    return NC_OK;
}

static nc_status check_parts(const nc_model *model, const nc_array *const *state, nc_array *const *rhs, int32_t count,
                             int32_t *batched)
{
    NC_TRY(nc_check_pointer(model, "model"));
    NC_TRY(nc_check_pointer(state, "state"));
    NC_TRY(nc_check_pointer(rhs, "rhs"));
    if (count != compartment_count(model->network) || count == 0) {
        return be_fail(NC_SHAPE_MISMATCH,
                       "count is %" PRId32 "; the model has %" PRId32 " compartments, and at least one is needed", count,
                       compartment_count(model->network));
    }
    NC_TRY(nc_check_real(state[0], "state[0]"));
    *batched = state[0]->rank > network_quantity_at(model->network, compartment_at(model->network, 0))->rank;
    for (int32_t i = 0; i < count; ++i) {
        NC_TRY(check_part(model, state[i], "state", i, state[0], *batched));
        NC_TRY(check_part(model, rhs[i], "rhs", i, state[0], *batched));
        NC_TRY(nc_check_output(rhs[i], "rhs"));
    }
    for (int32_t i = 0; i < count; ++i) {
        for (int32_t j = 0; j < count; ++j) {
            NC_TRY(nc_check_apart(rhs[i], "rhs", state[j], "state"));
            if (j < i) {
                NC_TRY(nc_check_apart(rhs[i], "rhs", rhs[j], "another rhs"));
            }
        }
    }
    return NC_OK;
}

// Copies a compartment into its place in the flat array (part_to_flat) or out of it.
static nc_status move_part(const nc_model *model, nc_array *flat, int32_t place, const nc_array *from, nc_array *to)
{
    nc_array *view = NULL;
    NC_TRY(nc_model_view(model, flat, compartment_at(model->network, place), 0, &view));
    nc_status status = from != NULL ? nc_array_copy(from, view) : nc_array_copy(view, to);
    (void)nc_array_release(view);
    return status;
}

static nc_status run_flat(nc_model *model, const nc_array *time, const nc_array *const *state, const nc_array *parameters,
                          nc_array *const *rhs, int32_t count, nc_array *flat_state, nc_array *flat_rhs)
{
    for (int32_t i = 0; i < count; ++i) {
        NC_TRY(move_part(model, flat_state, i, state[i], NULL));
    }
    NC_TRY(nc_model_rhs(model, time, flat_state, parameters, flat_rhs));
    for (int32_t i = 0; i < count; ++i) {
        NC_TRY(move_part(model, flat_rhs, i, NULL, rhs[i]));
    }
    return NC_OK;
}

nc_status nc_model_rhs_structured(nc_model *model, const nc_array *time, const nc_array *const *state, const nc_array *parameters,
                                  nc_array *const *rhs, int32_t count)
{
    int32_t batched = 0;
    nc_array *flat_state = NULL, *flat_rhs = NULL;
    NC_TRY(check_parts(model, state, rhs, count, &batched));
    for (int32_t i = 0; i < count; ++i) {
        NC_TRY(time == NULL ? NC_OK : nc_check_apart(rhs[i], "rhs", time, "time"));
        NC_TRY(parameters == NULL ? NC_OK : nc_check_apart(rhs[i], "rhs", parameters, "parameters"));
    }
    const int64_t shape[2] = {batched != 0 ? state[0]->shape[0] : model->network->states, model->network->states};
    nc_status status = nc_array_create(model->device, state[0]->dtype, batched + 1, shape, &flat_state);
    if (status == NC_OK) {
        status = nc_array_create(model->device, state[0]->dtype, batched + 1, shape, &flat_rhs);
    }
    if (status == NC_OK) {
        status = run_flat(model, time, state, parameters, rhs, count, flat_state, flat_rhs);
    }
    (void)nc_array_release(flat_state);
    (void)nc_array_release(flat_rhs);
    return status;
}
