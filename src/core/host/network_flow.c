// SPDX-License-Identifier: Apache-2.0
// Flows between compartments: checks of the rate law and of the axes it runs over.
#include "network.h"

#include <inttypes.h>
#include <string.h>

// What each law takes.
static const struct {
    const char *name;
    int32_t reactants_least, reactants_most;
    int has_orders, has_half_saturation, has_transport_axis;
} laws[] = {
    [NC_LAW_CONSTANT] = {"constant", 0, 0, 0, 0, 0},
    [NC_LAW_LINEAR] = {"linear", 1, 1, 0, 0, 0},
    [NC_LAW_MASS_ACTION] = {"mass action", 1, NC_MAX_REACTANTS, 1, 0, 0},
    [NC_LAW_SATURATING] = {"saturating", 1, 1, 0, 1, 0},
    [NC_LAW_TRANSPORT] = {"transport", 1, 1, 0, 0, 1},
};
#define LAW_COUNT ((int32_t)(sizeof laws / sizeof laws[0]))

static nc_status check_law(const nc_network *network, const nc_flow *flow)
{
    if (flow->law < 1 || flow->law >= LAW_COUNT) {
        return be_fail(NC_INVALID_ARGUMENT, "law of flow %s is %" PRId32 "; it must be one of nc_law", flow->name, flow->law);
    }
    if (flow->reactant_count < laws[flow->law].reactants_least || flow->reactant_count > laws[flow->law].reactants_most) {
        return be_fail(NC_INVALID_ARGUMENT, "flow %s has %" PRId32 " reactants; its law (%s) takes %" PRId32 " to %" PRId32,
                       flow->name, flow->reactant_count, laws[flow->law].name, laws[flow->law].reactants_least,
                       laws[flow->law].reactants_most);
    }
    for (int32_t i = 0; i < flow->reactant_count; ++i) {
        int32_t most = laws[flow->law].has_orders ? NC_MAX_ORDER : 1;
        NC_TRY(network_check_quantity(network, "reactant", flow->reactants[i]));
        if (flow->orders[i] < 0 || flow->orders[i] > most) {
            return be_fail(NC_INVALID_ARGUMENT, "orders[%" PRId32 "] of flow %s is %" PRId32 "; its law (%s) takes 1 to %" PRId32,
                           i, flow->name, flow->orders[i], laws[flow->law].name, most);
        }
    }
    if ((flow->half_saturation != NC_NONE) != laws[flow->law].has_half_saturation) {
        return be_fail(NC_INVALID_ARGUMENT,
                       "half_saturation of flow %s is %" PRId32 "; the law saturating needs it, no other has it", flow->name,
                       flow->half_saturation);
    }
    if ((flow->transport_axis != NC_NONE) != laws[flow->law].has_transport_axis) {
        return be_fail(NC_INVALID_ARGUMENT, "transport_axis of flow %s is %" PRId32 "; the law transport needs it, no other has it",
                       flow->name, flow->transport_axis);
    }
    return NC_OK;
}

// The compartment at one end, its weight and its pin.
static nc_status check_end(const nc_network *network, const nc_flow *flow, const char *end, int32_t compartment, int32_t weight,
                           int32_t pin_axis, int64_t pin_node)
{
    if (compartment != NC_NONE) {
        NC_TRY(network_check_quantity(network, end, compartment));
        const network_quantity *quantity = network_quantity_at(network, compartment);
        if (quantity->kind != NC_QUANTITY_COMPARTMENT) {
            return be_fail(NC_INVALID_ARGUMENT, "%s of flow %s is %s, which is no compartment", end, flow->name, quantity->name);
        }
    }
    if (weight < 0) {
        return be_fail(NC_INVALID_ARGUMENT, "%s_weight of flow %s is %" PRId32 "; it must be 1 or more", end, flow->name, weight);
    }
    if (pin_axis == NC_NONE) {
        return NC_OK;
    }
    NC_TRY(network_check_axis(network, "pin axis", pin_axis));
    if (compartment == NC_NONE || network_stride(network, network_quantity_at(network, compartment), pin_axis) == 0) {
        return be_fail(NC_SHAPE_MISMATCH, "the %s of flow %s has no axis %s to pin", end, flow->name,
                       network_axis_at(network, pin_axis)->name);
    }
    if (pin_node < 0 || pin_node >= network_axis_at(network, pin_axis)->extent) {
        return be_fail(NC_OUT_OF_RANGE, "%s_pin_node of flow %s is %" PRId64 "; axis %s has nodes 0 to %" PRId64, end, flow->name,
                       pin_node, network_axis_at(network, pin_axis)->name, network_axis_at(network, pin_axis)->extent - 1);
    }
    return NC_OK;
}

// Axes of the flux when the caller gave none.
static void default_axes(const nc_network *network, nc_flow *flow)
{
    int32_t compartment = flow->source != NC_NONE ? flow->source : flow->target;
    int32_t pin_axis = flow->source != NC_NONE ? flow->source_pin_axis : flow->target_pin_axis;
    const network_quantity *quantity = network_quantity_at(network, compartment);
    flow->rank = 0;
    for (int32_t i = 0; i < quantity->rank; ++i) {
        if (quantity->axes[i] != pin_axis) {
            flow->axes[flow->rank++] = quantity->axes[i];
        }
    }
}

static nc_status check_axes(const nc_network *network, const nc_flow *flow)
{
    if (flow->rank < 0 || flow->rank > NC_MODEL_MAX_RANK) {
        return be_fail(NC_INVALID_ARGUMENT, "rank of flow %s is %" PRId32 "; it must be 0 to %d", flow->name, flow->rank,
                       NC_MODEL_MAX_RANK);
    }
    for (int32_t i = 0; i < flow->rank; ++i) {
        NC_TRY(network_check_axis(network, "axes", flow->axes[i]));
        if (network_has_axis(i, flow->axes, flow->axes[i])) {
            return be_fail(NC_INVALID_ARGUMENT, "flow %s has axis %s twice", flow->name,
                           network_axis_at(network, flow->axes[i])->name);
        }
    }
    return NC_OK;
}

// `quantity` has no axis but those of the flux and `but`.
static nc_status check_within(const nc_network *network, const nc_flow *flow, const char *part, int32_t quantity, int32_t but)
{
    if (quantity == NC_NONE) {
        return NC_OK;
    }
    NC_TRY(network_check_quantity(network, part, quantity));
    const network_quantity *used = network_quantity_at(network, quantity);
    if (network_is_matrix(used) && quantity != flow->rate) {
        return be_fail(NC_SHAPE_MISMATCH, "%s of flow %s is the matrix %s; only the rate of a transport may be one", part,
                       flow->name, used->name);
    }
    for (int32_t i = 0; i < used->rank; ++i) {
        if (!network_has_axis(flow->rank, flow->axes, used->axes[i]) && used->axes[i] != but) {
            return be_fail(NC_SHAPE_MISMATCH, "%s of flow %s is %s with axis %s, which the flux lacks; reduce it first", part,
                           flow->name, used->name, network_axis_at(network, used->axes[i])->name);
        }
    }
    return NC_OK;
}

static nc_status check_rate(const nc_network *network, const nc_flow *flow)
{
    NC_TRY(network_check_quantity(network, "rate", flow->rate));
    const network_quantity *rate = network_quantity_at(network, flow->rate);
    int is_matrix = network_is_matrix(rate);
    int wants_matrix = flow->law == NC_LAW_TRANSPORT;
    if (is_matrix != wants_matrix || (is_matrix && rate->axes[0] != flow->transport_axis)) {
        return be_fail(NC_SHAPE_MISMATCH,
                       "rate of flow %s is %s; the law transport takes a matrix along transport_axis, no other may", flow->name,
                       rate->name);
    }
    if (wants_matrix && flow->source != NC_NONE) {
        return be_fail(NC_INVALID_ARGUMENT, "flow %s has the law transport and the source %s; a transport has a target only",
                       flow->name, network_quantity_at(network, flow->source)->name);
    }
    if (wants_matrix && (!network_has_axis(flow->rank, flow->axes, flow->transport_axis) ||
                         network_stride(network, network_quantity_at(network, flow->reactants[0]), flow->transport_axis) == 0)) {
        return be_fail(NC_SHAPE_MISMATCH, "flow %s and its reactant must both have axis %s", flow->name,
                       network_axis_at(network, flow->transport_axis)->name);
    }
    return NC_OK;
}

static nc_status check_parts(const nc_network *network, const nc_flow *flow)
{
    NC_TRY(check_rate(network, flow));
    NC_TRY(check_within(network, flow, "rate", flow->rate, NC_NONE));
    NC_TRY(check_within(network, flow, "forcing", flow->forcing, NC_NONE));
    NC_TRY(check_within(network, flow, "population", flow->population, NC_NONE));
    NC_TRY(check_within(network, flow, "half_saturation", flow->half_saturation, NC_NONE));
    for (int32_t i = 0; i < flow->reactant_count; ++i) {
        NC_TRY(check_within(network, flow, "reactant", flow->reactants[i], NC_NONE));
    }
    NC_TRY(check_within(network, flow, "source", flow->source, flow->source_pin_axis));
    return check_within(network, flow, "target", flow->target, flow->target_pin_axis);
}

static int is_fixed(const nc_network *network, int32_t quantity)
{
    return quantity == NC_NONE || !network_quantity_at(network, quantity)->varies;
}

// The implicit part of an IMEX method is one matrix for the whole run: linear in the state and without time.
static nc_status check_implicit(const nc_network *network, const nc_flow *flow)
{
    int linear = flow->law == NC_LAW_LINEAR || flow->law == NC_LAW_TRANSPORT;
    linear = linear && network_quantity_at(network, flow->reactants[0])->kind == NC_QUANTITY_COMPARTMENT;
    if (flow->implicit != 0 &&
        !(linear && is_fixed(network, flow->rate) && is_fixed(network, flow->forcing) && is_fixed(network, flow->population))) {
        return be_fail(NC_UNSUPPORTED,
                       "flow %s is implicit; that takes the law linear or transport of a compartment, with rate, forcing and "
                       "population made of parameters and constants",
                       flow->name);
    }
    return NC_OK;
}

nc_status nc_network_add_flow(nc_network *network, const nc_flow *flow, int32_t *number)
{
    NC_TRY(nc_check_pointer(network, "network"));
    NC_TRY(nc_check_abi(flow, sizeof *flow, "flow"));
    NC_TRY(network_check_name(network, flow->name));
    nc_flow made = *flow;
    if (made.source == NC_NONE && made.target == NC_NONE) {
        return be_fail(NC_INVALID_ARGUMENT, "flow %s has neither source nor target", flow->name);
    }
    NC_TRY(check_law(network, &made));
    NC_TRY(check_end(network, &made, "source", made.source, made.source_weight, made.source_pin_axis, made.source_pin_node));
    NC_TRY(check_end(network, &made, "target", made.target, made.target_weight, made.target_pin_axis, made.target_pin_node));
    if (made.has_axes == 0) {
        default_axes(network, &made);
    }
    NC_TRY(check_axes(network, &made));
    NC_TRY(check_parts(network, &made));
    NC_TRY(check_implicit(network, &made));
    NC_TRY(nc_check_pointer(number, "number"));
    int64_t count = 0;
    NC_TRY(network_count(network, made.rank, made.axes, flow->name, &count));
    if (count > NETWORK_CELLS_MAX - network->reactions) {
        return be_fail(NC_OUT_OF_RANGE, "with flow %s the network has more than %" PRId64 " reactions", flow->name,
                       NETWORK_CELLS_MAX);
    }
    made.source_weight = made.source_weight == 0 ? 1 : made.source_weight;
    made.target_weight = made.target_weight == 0 ? 1 : made.target_weight;
    for (int32_t i = 0; i < made.reactant_count; ++i) {
        made.orders[i] = made.orders[i] == 0 ? 1 : made.orders[i];
    }
    made.has_axes = 1;
    made.name = NULL;
    NC_TRY(network_grow((void **)&network->flows, network->flow_count, sizeof *network->flows));
    network_flow *kept = &network->flows[network->flow_count];
    strcpy(kept->name, flow->name);
    kept->given = made;
    kept->count = count;
    network->reactions += count;
    *number = ++network->flow_count;
    return NC_OK;
}
