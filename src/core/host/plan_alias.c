// SPDX-License-Identifier: Apache-2.0
// Lowering quantities: the instructions that make each cell of an alias, in canonical order.
#include "plan.h"

#include "environment.h"

#include <stdlib.h>

// A sum being written, term by term in ascending order.
typedef struct chain {
    uint32_t sum, first;
    int64_t terms;
} chain;

// A term with weight 1: x0, x0 + x1, then fma(1, x, sum).
static void chain_add(plan_writer *writer, chain *c, uint32_t value)
{
    if (c->terms == 0) {
        c->first = c->sum = value;
    } else if (c->terms == 1) {
        c->sum = plan_emit(writer, NC_OPERATION_ADD, c->first, value);
    } else {
        plan_accumulate(writer, c->sum, plan_constant(writer, 1.0), value);
    }
    ++c->terms;
}

static void chain_add_product(plan_writer *writer, chain *c, uint32_t left, uint32_t right)
{
    if (c->terms == 0) {
        c->sum = plan_emit(writer, NC_OPERATION_MULTIPLY, left, right);
    } else {
        plan_accumulate(writer, c->sum, left, right);
    }
    ++c->terms;
}

static uint32_t chain_end(plan_writer *writer, const chain *c)
{
    return c->terms == 0 ? plan_constant(writer, 0.0) : c->sum;
}

// Trapezoid weight of node i among n coordinates. Not inlined: the arithmetic must run in the core's environment.
__attribute__((noinline)) static double trapezoid_weight(const double *coordinates, int64_t n, int64_t i)
{
    double low = coordinates[i > 0 ? i - 1 : 0], high = coordinates[i < n - 1 ? i + 1 : n - 1];
    return (high - low) * 0.5;
}

static double weight_of_node(const double *coordinates, int64_t n, int64_t i)
{
    nc_environment saved = nc_environment_enter();
    double weight = trapezoid_weight(coordinates, n, i);
    nc_environment_leave(saved);
    return weight;
}

// The chain over one axis: nodes first .. first + nodes - 1 of the cells base + node * stride.
static uint32_t reduce_line(plan_writer *writer, const uint32_t *cells, int64_t base, int64_t stride, const double *coordinates,
                            int64_t first, int64_t nodes)
{
    chain c = {.terms = 0};
    for (int64_t i = 0; i < nodes; ++i) {
        uint32_t value = cells[base + (first + i) * stride];
        if (coordinates == NULL) {
            chain_add(writer, &c, value);
        } else {
            chain_add_product(writer, &c, plan_constant(writer, weight_of_node(coordinates + first, nodes, i)), value);
        }
    }
    return chain_end(writer, &c);
}

// Reduces one axis of an array; `array` loses it. The result is a new list of slots.
static uint32_t *reduce_axis(plan_writer *writer, network_quantity *array, const uint32_t *cells, int32_t axis,
                             const double *coordinates, int64_t first, int64_t nodes)
{
    int64_t inner = network_stride(writer->network, array, axis), extent = network_axis_at(writer->network, axis)->extent;
    int64_t kept_cells = 1;
    int32_t kept = 0;
    for (int32_t i = 0; i < array->rank; ++i) {
        if (array->axes[i] != axis) {
            kept_cells *= network_axis_at(writer->network, array->axes[i])->extent;
            array->axes[kept++] = array->axes[i];
        }
    }
    array->rank = kept;
    array->count = kept_cells;
    uint32_t *made = plan_slots(writer, kept_cells);
    for (int64_t i = 0; i < kept_cells && made != NULL; ++i) {
        int64_t base = i / inner * inner * extent + i % inner;
        made[i] = reduce_line(writer, cells, base, inner, coordinates, first, nodes);
    }
    return made;
}

static uint32_t *lower_reduction(plan_writer *writer, const network_quantity *alias, const uint32_t *cells)
{
    const nc_network *network = writer->network;
    network_quantity array = *network_quantity_at(network, alias->operands[0]);
    uint32_t *made = NULL;
    int64_t terms = 1;
    for (int32_t i = alias->reduced_rank - 1; i >= 0; --i) {
        const network_axis *axis = network_axis_at(network, alias->reduced[i]);
        const double *coordinates = alias->reduction == NC_REDUCTION_TRAPEZOID ? axis->coordinates : NULL;
        uint32_t *next = reduce_axis(writer, &array, made == NULL ? cells : made, alias->reduced[i], coordinates, 0, axis->extent);
        free(made);
        made = next;
        terms *= axis->extent;
        if (made == NULL) {
            return NULL;
        }
    }
    for (int64_t i = 0; alias->reduction == NC_REDUCTION_MEAN && i < array.count; ++i) {
        made[i] = plan_emit(writer, NC_OPERATION_RATIO, made[i], plan_constant(writer, (double)terms));
    }
    return made;
}

static uint32_t *lower_integral(plan_writer *writer, const network_quantity *alias, const uint32_t *cells)
{
    network_quantity array = *network_quantity_at(writer->network, alias->operands[0]);
    const network_axis *axis = network_axis_at(writer->network, alias->reduced[0]);
    return reduce_axis(writer, &array, cells, alias->reduced[0], axis->coordinates, alias->node, alias->nodes);
}

static uint32_t *lower_selection(plan_writer *writer, const network_quantity *alias, const uint32_t *cells)
{
    network_quantity array = *network_quantity_at(writer->network, alias->operands[0]);
    return reduce_axis(writer, &array, cells, alias->reduced[0], NULL, alias->node, 1); // a chain of one term is the term
}

static uint32_t *lower_transport(plan_writer *writer, const network_quantity *alias, const uint32_t *matrix)
{
    const uint32_t *cells = plan_quantity(writer, alias->operands[1]);
    int64_t stride = network_stride(writer->network, alias, alias->reduced[0]);
    int64_t extent = network_axis_at(writer->network, alias->reduced[0])->extent;
    uint32_t *made = cells == NULL ? NULL : plan_slots(writer, alias->count);
    for (int64_t i = 0; i < alias->count && made != NULL; ++i) {
        int64_t node = i / stride % extent;
        chain c = {.terms = 0};
        for (int64_t j = 0; j < extent; ++j) {
            chain_add_product(writer, &c, matrix[node * extent + j], cells[i + (j - node) * stride]);
        }
        made[i] = chain_end(writer, &c);
    }
    return made;
}

uint32_t plan_power(plan_writer *writer, uint32_t value, int *empty, uint32_t factor, int32_t order)
{
    uint32_t operation = order < 0 ? NC_OPERATION_RATIO : NC_OPERATION_MULTIPLY;
    int32_t times = order < 0 ? -order : order;
    for (int32_t i = 0; i < times; ++i) {
        if (*empty && order > 0) {
            value = factor;
        } else {
            value = plan_emit(writer, operation, *empty ? plan_constant(writer, 1.0) : value, factor);
        }
        *empty = 0;
    }
    return value;
}

// A combination or a product: every cell from the operands' cells under broadcasting.
static uint32_t *lower_cells(plan_writer *writer, const network_quantity *alias)
{
    const nc_network *network = writer->network;
    network_walk walk = network_walk_begin(network, alias->rank, alias->axes);
    uint32_t *made = plan_slots(writer, alias->count);
    for (int64_t i = 0; i < alias->count && made != NULL; ++i) {
        chain c = {.terms = 0};
        uint32_t value = 0;
        int empty = 1;
        for (int32_t k = 0; k < alias->operand_count; ++k) {
            int64_t strides[NC_MODEL_MAX_RANK];
            const uint32_t *operand = plan_quantity(writer, alias->operands[k]);
            if (operand == NULL) {
                break;
            }
            network_strides(network, network_quantity_at(network, alias->operands[k]), alias->rank, alias->axes, strides);
            uint32_t cell = operand[network_walk_cell(&walk, strides)];
            if (alias->operation == NETWORK_COMBINATION) {
                chain_add_product(writer, &c, plan_constant(writer, alias->values[k]), cell);
            } else {
                value = plan_power(writer, value, &empty, cell, alias->orders[k]);
            }
        }
        made[i] = alias->operation == NETWORK_COMBINATION ? c.sum : value;
        (void)network_walk_next(&walk);
    }
    return made;
}

static uint32_t *lower_exponential(plan_writer *writer, const network_quantity *alias, const uint32_t *cells)
{
    uint32_t *made = plan_slots(writer, alias->count);
    for (int64_t i = 0; i < alias->count && made != NULL; ++i) {
        made[i] = plan_emit(writer, NC_OPERATION_EXPONENTIAL, cells[i], cells[i]);
    }
    return made;
}

static uint32_t *lower_alias(plan_writer *writer, const network_quantity *alias)
{
    const uint32_t *first = plan_quantity(writer, alias->operands[0]);
    if (first == NULL) {
        return NULL;
    }
    switch (alias->operation) {
    case NETWORK_REDUCTION:
        return lower_reduction(writer, alias, first);
    case NETWORK_INTEGRAL:
        return lower_integral(writer, alias, first);
    case NETWORK_SELECTION:
        return lower_selection(writer, alias, first);
    case NETWORK_TRANSPORT:
        return lower_transport(writer, alias, first);
    case NETWORK_EXPONENTIAL:
        return lower_exponential(writer, alias, first);
    default:
        return lower_cells(writer, alias);
    }
}

static uint32_t lower_forcing(plan_writer *writer, int32_t quantity)
{
    uint32_t descriptor = 0;
    for (int32_t q = 1; q < quantity; ++q) {
        descriptor += network_quantity_at(writer->network, q)->kind == NC_QUANTITY_FORCING ? 2 : 0;
    }
    return plan_emit(writer, NC_OPERATION_FORCING, writer->state_count + writer->parameter_count, descriptor);
}

static uint32_t given_slot(plan_writer *writer, const network_quantity *given, int32_t quantity, int64_t cell)
{
    switch (given->kind) {
    case NC_QUANTITY_COMPARTMENT:
        return (uint32_t)(given->offset + cell);
    case NC_QUANTITY_PARAMETER:
        return writer->state_count + (uint32_t)(given->offset + cell);
    case NC_QUANTITY_CONSTANT:
        return plan_constant(writer, given->values[cell]);
    case NC_QUANTITY_FORCING:
        return lower_forcing(writer, quantity);
    default:
        return writer->state_count + writer->parameter_count; // the time
    }
}

// Operands have lower numbers than what they make, so this returns after at most as many levels as there are quantities.
const uint32_t *plan_quantity(plan_writer *writer, int32_t quantity)
{
    const network_quantity *wanted = network_quantity_at(writer->network, quantity);
    if (writer->slots[quantity] == NULL && wanted->kind == NC_QUANTITY_ALIAS) {
        writer->slots[quantity] = lower_alias(writer, wanted);
    } else if (writer->slots[quantity] == NULL) {
        uint32_t *made = plan_slots(writer, wanted->count);
        for (int64_t i = 0; i < wanted->count && made != NULL; ++i) {
            made[i] = given_slot(writer, wanted, quantity, i);
        }
        writer->slots[quantity] = made;
    }
    return writer->slots[quantity];
}
