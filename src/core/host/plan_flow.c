// SPDX-License-Identifier: Apache-2.0
// Lowering flows: flux = rate [* forcing] * law [/ population], from left to right.
#include "plan.h"

// One quantity of a flux with its strides along the axes of the flux.
typedef struct part {
    const uint32_t *cells; // null: not used
    int64_t strides[NC_MODEL_MAX_RANK];
} part;

static part part_of(plan_writer *writer, const nc_flow *flow, int32_t quantity)
{
    part made = {.cells = NULL};
    if (quantity != NC_NONE) {
        made.cells = plan_quantity(writer, quantity);
        network_strides(writer->network, network_quantity_at(writer->network, quantity), flow->rank, flow->axes, made.strides);
    }
    return made;
}

static uint32_t part_cell(const part *p, const network_walk *walk)
{
    return p->cells[network_walk_cell(walk, p->strides)];
}

// All parts of one flow.
typedef struct parts {
    part rate, forcing, population, half, reactants[NC_MAX_REACTANTS];
    int64_t transport_stride, transport_extent; // of the reactant along the transport axis
    int32_t transport_place;                    // of that axis among the flux's
} parts;

// sum over j of rate[node, j] * reactant[.., j, ..].
static uint32_t transport_flux(plan_writer *writer, const parts *p, const network_walk *walk)
{
    int64_t node = walk->index[p->transport_place];
    int64_t base = network_walk_cell(walk, p->reactants[0].strides) - node * p->transport_stride;
    uint32_t sum = 0;
    for (int64_t j = 0; j < p->transport_extent; ++j) {
        uint32_t factor = p->rate.cells[node * p->transport_extent + j],
                 value = p->reactants[0].cells[base + j * p->transport_stride];
        if (j == 0) {
            sum = plan_emit(writer, NC_OPERATION_MULTIPLY, factor, value);
        } else {
            plan_accumulate(writer, sum, factor, value);
        }
    }
    return sum;
}

static uint32_t flux_cell(plan_writer *writer, const nc_flow *flow, const parts *p, const network_walk *walk)
{
    int empty = 0;
    uint32_t flux = flow->law == NC_LAW_TRANSPORT ? transport_flux(writer, p, walk) : part_cell(&p->rate, walk);
    if (p->forcing.cells != NULL) {
        flux = plan_emit(writer, NC_OPERATION_MULTIPLY, flux, part_cell(&p->forcing, walk));
    }
    if (flow->law == NC_LAW_SATURATING) {
        uint32_t reactant = part_cell(&p->reactants[0], walk);
        uint32_t level = plan_emit(writer, NC_OPERATION_ADD, part_cell(&p->half, walk), reactant);
        flux = plan_emit(writer, NC_OPERATION_MULTIPLY, flux, plan_emit(writer, NC_OPERATION_RATIO, reactant, level));
    } else if (flow->law != NC_LAW_TRANSPORT) {
        for (int32_t i = 0; i < flow->reactant_count; ++i) {
            flux = plan_power(writer, flux, &empty, part_cell(&p->reactants[i], walk), flow->orders[i]);
        }
    }
    if (p->population.cells != NULL) {
        flux = plan_emit(writer, NC_OPERATION_RATIO, flux, part_cell(&p->population, walk));
    }
    return flux;
}

uint32_t *plan_flux(plan_writer *writer, const network_flow *flow)
{
    const nc_flow *given = &flow->given;
    const nc_network *network = writer->network;
    network_walk walk = network_walk_begin(network, given->rank, given->axes);
    parts p = {.rate = part_of(writer, given, given->rate),
               .forcing = part_of(writer, given, given->forcing),
               .population = part_of(writer, given, given->population),
               .half = part_of(writer, given, given->half_saturation)};
    for (int32_t i = 0; i < given->reactant_count; ++i) {
        p.reactants[i] = part_of(writer, given, given->reactants[i]);
    }
    if (given->law == NC_LAW_TRANSPORT) {
        p.transport_stride = network_stride(network, network_quantity_at(network, given->reactants[0]), given->transport_axis);
        p.transport_extent = network_axis_at(network, given->transport_axis)->extent;
        while (given->axes[p.transport_place] != given->transport_axis) {
            ++p.transport_place;
        }
    }
    uint32_t *made = writer->status == NC_OK ? plan_slots(writer, flow->count) : NULL;
    for (int64_t i = 0; i < flow->count && made != NULL; ++i) {
        made[i] = flux_cell(writer, given, &p, &walk);
        (void)network_walk_next(&walk);
    }
    return made;
}
