// SPDX-License-Identifier: Apache-2.0
// Compiling a network: the programs one after the other into one buffer of words, over one pool of constants.
#include "plan.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void plan_fail(plan_writer *writer, nc_status status)
{
    if (writer->status == NC_OK) {
        writer->status = status;
    }
}

uint32_t *plan_slots(plan_writer *writer, int64_t count)
{
    uint32_t *slots = malloc(((size_t)count + 1) * sizeof *slots);
    if (slots == NULL) {
        plan_fail(writer, be_fail(NC_OUT_OF_MEMORY, "no host memory for %" PRId64 " slots of a model's plan", count));
    }
    return slots;
}

void plan_word(plan_writer *writer, uint32_t word)
{
    model_plan *plan = writer->plan;
    if (writer->status != NC_OK) {
        return;
    }
    if (plan->word_count == plan->word_capacity) {
        uint32_t capacity = plan->word_capacity == 0 ? 1024 : 2 * plan->word_capacity;
        uint32_t *grown = capacity > (1u << 30) ? NULL : realloc(plan->words, capacity * sizeof *grown);
        if (grown == NULL) {
            plan_fail(writer, be_fail(NC_OUT_OF_MEMORY, "no host memory for a model's plan of %" PRIu32 " words", capacity));
            return;
        }
        plan->words = grown;
        plan->word_capacity = capacity;
    }
    plan->words[plan->word_count++] = word;
}

static void write_instruction(plan_writer *writer, uint32_t operation, uint32_t result, uint32_t left, uint32_t right)
{
    plan_word(writer, operation);
    plan_word(writer, result);
    plan_word(writer, left);
    plan_word(writer, right);
}

uint32_t plan_emit(plan_writer *writer, uint32_t operation, uint32_t left, uint32_t right)
{
    uint32_t result = writer->temporaries++ | PLAN_TEMPORARY;
    write_instruction(writer, operation, result, left, right);
    if (writer->temporaries > NETWORK_CELLS_MAX) {
        plan_fail(writer, be_fail(NC_OUT_OF_RANGE, "the model needs more than %" PRId64 " slots; split it", NETWORK_CELLS_MAX));
    }
    return result;
}

void plan_accumulate(plan_writer *writer, uint32_t temporary, uint32_t left, uint32_t right)
{
    write_instruction(writer, NC_OPERATION_ACCUMULATE, temporary, left, right);
}

static void begin_program(plan_writer *writer, nc_program *program)
{
    memset(program, 0, sizeof *program);
    program->instructions = writer->plan->word_count;
    program->state_count = writer->state_count;
    program->parameter_count = writer->parameter_count;
    writer->temporaries = 0;
}

static void end_program(plan_writer *writer, nc_program *program, const uint32_t *outputs, int64_t count)
{
    program->instruction_count = (writer->plan->word_count - program->instructions) / NC_INSTRUCTION_WORDS;
    program->outputs = writer->plan->word_count;
    program->output_count = (uint32_t)count;
    program->slot_count = writer->temporaries; // the others are added when the pool is complete
    for (int64_t i = 0; i < count && outputs != NULL; ++i) {
        plan_word(writer, outputs[i]);
    }
    for (int32_t q = 1; q <= writer->network->quantity_count; ++q) {
        free(writer->slots[q]);
        writer->slots[q] = NULL;
    }
}

// Adds weight * flux to the equation of a cell. outputs[cell] is 0 until the cell has a first term.
static void add_term(plan_writer *writer, uint32_t *outputs, int64_t cell, int32_t weight, uint32_t flux)
{
    uint32_t factor = plan_constant(writer, (double)weight);
    if (cell < 0) {
        return;
    }
    if (outputs[cell] == 0) {
        outputs[cell] = plan_emit(writer, NC_OPERATION_MULTIPLY, factor, flux);
    } else {
        plan_accumulate(writer, outputs[cell], factor, flux);
    }
}

static void add_flow(plan_writer *writer, const network_flow *flow, const uint32_t *fluxes, uint32_t *outputs)
{
    const nc_network *network = writer->network;
    network_end source = network_flow_end(network, flow, 0), target = network_flow_end(network, flow, 1);
    network_walk walk = network_walk_begin(network, flow->given.rank, flow->given.axes);
    for (int64_t i = 0; i < flow->count; ++i) {
        add_term(writer, outputs, network_end_cell(&source, &walk), -flow->given.source_weight, fluxes[i]);
        add_term(writer, outputs, network_end_cell(&target, &walk), flow->given.target_weight, fluxes[i]);
        (void)network_walk_next(&walk);
    }
}

// The rates of change through the flows whose implicit flag is wanted: bit 0 of `wanted` for 0, bit 1 for 1.
static void write_rates(plan_writer *writer, nc_program *program, unsigned wanted)
{
    const nc_network *network = writer->network;
    uint32_t *outputs = plan_slots(writer, network->states);
    begin_program(writer, program);
    if (outputs != NULL) {
        memset(outputs, 0, (size_t)network->states * sizeof *outputs);
        for (int32_t f = 0; f < network->flow_count; ++f) {
            unsigned is_implicit = network->flows[f].given.implicit != 0;
            if ((wanted >> is_implicit & 1u) != 0) {
                uint32_t *fluxes = plan_flux(writer, &network->flows[f]);
                if (fluxes != NULL) {
                    add_flow(writer, &network->flows[f], fluxes, outputs);
                }
                free(fluxes);
            }
        }
        for (int64_t cell = 0; cell < network->states; ++cell) {
            outputs[cell] = outputs[cell] == 0 ? plan_constant(writer, 0.0) : outputs[cell];
        }
    }
    end_program(writer, program, outputs, network->states);
    free(outputs);
}

static void write_fluxes(plan_writer *writer, nc_program *program)
{
    const nc_network *network = writer->network;
    uint32_t *outputs = plan_slots(writer, network->reactions);
    int64_t next = 0;
    begin_program(writer, program);
    for (int32_t f = 0; f < network->flow_count && outputs != NULL; ++f) {
        uint32_t *fluxes = plan_flux(writer, &network->flows[f]);
        for (int64_t i = 0; i < network->flows[f].count && fluxes != NULL; ++i) {
            outputs[next++] = fluxes[i];
        }
        free(fluxes);
    }
    end_program(writer, program, outputs, network->reactions);
    free(outputs);
}

static void write_observables(plan_writer *writer, nc_program *program)
{
    const nc_network *network = writer->network;
    uint32_t *outputs = plan_slots(writer, network->observable_cells);
    int64_t next = 0;
    begin_program(writer, program);
    for (int32_t i = 0; i < network->observable_count && outputs != NULL; ++i) {
        const uint32_t *slots = plan_quantity(writer, network->observables[i]);
        for (int64_t k = 0; k < network_quantity_at(network, network->observables[i])->count && slots != NULL; ++k) {
            outputs[next++] = slots[k];
        }
    }
    end_program(writer, program, outputs, network->observable_cells);
    free(outputs);
}

// The state of this program is the fluxes, so the slot of reaction i is i.
static void write_balance(plan_writer *writer, nc_program *program)
{
    const nc_network *network = writer->network;
    uint32_t *outputs = plan_slots(writer, network->states), *fluxes = plan_slots(writer, network->reactions);
    int64_t next = 0;
    writer->state_count = (uint32_t)network->reactions;
    writer->parameter_count = 0;
    begin_program(writer, program);
    if (outputs != NULL && fluxes != NULL) {
        memset(outputs, 0, (size_t)network->states * sizeof *outputs);
        for (int64_t i = 0; i < network->reactions; ++i) {
            fluxes[i] = (uint32_t)i;
        }
        for (int32_t f = 0; f < network->flow_count; ++f) {
            add_flow(writer, &network->flows[f], fluxes + next, outputs);
            next += network->flows[f].count;
        }
        for (int64_t cell = 0; cell < network->states; ++cell) {
            outputs[cell] = outputs[cell] == 0 ? plan_constant(writer, 0.0) : outputs[cell];
        }
    }
    end_program(writer, program, outputs, network->states);
    free(outputs);
    free(fluxes);
}

// Forcings: two words each at the start of the plan, in the order of the quantities; the element is filled in at the end.
static void write_descriptors(plan_writer *writer)
{
    for (int32_t q = 1; q <= writer->network->quantity_count; ++q) {
        const network_quantity *quantity = network_quantity_at(writer->network, q);
        if (quantity->kind == NC_QUANTITY_FORCING) {
            plan_word(writer, 0);
            plan_word(writer, (uint32_t)(quantity->value_count / 2));
        }
    }
}

static void place_forcings(plan_writer *writer)
{
    uint32_t word = 0;
    for (int32_t q = 1; q <= writer->network->quantity_count && writer->status == NC_OK; ++q) {
        const network_quantity *quantity = network_quantity_at(writer->network, q);
        if (quantity->kind == NC_QUANTITY_FORCING) {
            writer->plan->words[word] = writer->plan->constant_count;
            for (int64_t i = 0; i < quantity->value_count; ++i) {
                plan_append_constant(writer, quantity->values[i]);
            }
            word += 2;
        }
    }
}

static uint32_t final_slot(const nc_program *program, uint32_t slot)
{
    uint32_t number = slot & ~(PLAN_CONSTANT | PLAN_TEMPORARY);
    if ((slot & PLAN_TEMPORARY) != 0) {
        return nc_program_constants(*program) + program->constant_count + number;
    }
    return (slot & PLAN_CONSTANT) != 0 ? nc_program_constants(*program) + number : number;
}

static uint32_t append(uint32_t *words, uint32_t used, const uint32_t *from, uint32_t count)
{
    memcpy(words + used, from, count * sizeof *words);
    return used + count;
}

// All instructions first, then the descriptors, which are now the first words, and the lists of outputs: an instruction stands at a
// multiple of its words, so that a device reads it at once.
static nc_status order_words(model_plan *plan)
{
    const uint32_t descriptor_words = plan->programs[PLAN_RHS].instructions; // the first program
    if (plan->word_count == 0) {
        return NC_OK;
    }
    uint32_t used = 0, *words = malloc((size_t)plan->word_count * sizeof *words);
    if (words == NULL) {
        return be_fail(NC_OUT_OF_MEMORY, "no host memory for a model's plan of %" PRIu32 " words", plan->word_count);
    }
    for (int32_t p = 0; p < PLAN_PROGRAMS; ++p) {
        nc_program *program = &plan->programs[p];
        const uint32_t *instructions = plan->words + program->instructions;
        program->instructions = used;
        used = append(words, used, instructions, program->instruction_count * NC_INSTRUCTION_WORDS);
    }
    for (uint32_t *instruction = words, *end = words + used; instruction < end; instruction += NC_INSTRUCTION_WORDS) {
        instruction[3] += instruction[0] == NC_OPERATION_FORCING ? used : 0; // the descriptor's word
    }
    used = append(words, used, plan->words, descriptor_words);
    for (int32_t p = 0; p < PLAN_PROGRAMS; ++p) {
        nc_program *program = &plan->programs[p];
        const uint32_t *outputs = plan->words + program->outputs;
        program->outputs = used;
        used = append(words, used, outputs, program->output_count);
    }
    free(plan->words);
    plan->words = words;
    plan->word_capacity = plan->word_count;
    return NC_OK;
}

static nc_status place_slots(model_plan *plan)
{
    for (int32_t p = 0; p < PLAN_PROGRAMS; ++p) {
        nc_program *program = &plan->programs[p];
        program->constant_count = plan->pool_count;
        program->slot_count += nc_program_constants(*program) + plan->pool_count;
        if (program->slot_count > NETWORK_CELLS_MAX) {
            return be_fail(NC_OUT_OF_RANGE, "the model needs %" PRIu32 " slots; the most is %" PRId64, program->slot_count,
                           NETWORK_CELLS_MAX);
        }
        for (uint32_t k = 0; k < program->instruction_count; ++k) {
            uint32_t *instruction = plan->words + program->instructions + k * NC_INSTRUCTION_WORDS;
            int has_right_slot = instruction[0] != NC_OPERATION_FORCING; // there it is the descriptor's word
            instruction[1] = final_slot(program, instruction[1]);
            instruction[2] = final_slot(program, instruction[2]);
            instruction[3] = has_right_slot ? final_slot(program, instruction[3]) : instruction[3];
        }
        for (uint32_t i = 0; i < program->output_count; ++i) {
            plan->words[program->outputs + i] = final_slot(program, plan->words[program->outputs + i]);
        }
    }
    return NC_OK;
}

nc_status plan_compile(const nc_network *network, model_plan *made)
{
    plan_writer writer = {.network = network, .plan = made};
    memset(made, 0, sizeof *made);
    writer.slots = calloc((size_t)network->quantity_count + 1, sizeof *writer.slots);
    if (writer.slots == NULL) {
        return be_fail(NC_OUT_OF_MEMORY, "no host memory to compile a model");
    }
    writer.state_count = (uint32_t)network->states;
    writer.parameter_count = (uint32_t)network->parameters;
    write_descriptors(&writer);
    write_rates(&writer, &made->programs[PLAN_RHS], 3);
    write_rates(&writer, &made->programs[PLAN_EXPLICIT], 1);
    write_rates(&writer, &made->programs[PLAN_IMPLICIT], 2);
    write_fluxes(&writer, &made->programs[PLAN_FLUXES]);
    write_observables(&writer, &made->programs[PLAN_OBSERVABLES]);
    write_balance(&writer, &made->programs[PLAN_BALANCE]);
    made->pool_count = made->constant_count;
    place_forcings(&writer);
    free(writer.slots);
    free(writer.buckets);
    if (writer.status == NC_OK) {
        writer.status = order_words(made);
    }
    if (writer.status == NC_OK) {
        writer.status = place_slots(made);
    }
    if (writer.status != NC_OK) {
        plan_free(made);
    }
    return writer.status;
}

void plan_free(model_plan *made)
{
    free(made->words);
    free(made->constants);
    memset(made, 0, sizeof *made);
}
