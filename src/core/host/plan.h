// SPDX-License-Identifier: Apache-2.0
// A network lowered to programs (kernels/model_plan.h), still on the host.
#ifndef NC_PLAN_H
#define NC_PLAN_H

#include "../kernels/model_plan.h"
#include "network.h"

// The programs of one model. All take state, parameters and time, but for the balance, whose state is the fluxes.
typedef enum plan_program {
    PLAN_RHS,         // rates of change
    PLAN_EXPLICIT,    // of the flows that are not implicit
    PLAN_IMPLICIT,    // of the implicit flows
    PLAN_FLUXES,      // of every reaction
    PLAN_OBSERVABLES, // published quantities
    PLAN_BALANCE,     // rates of change from the fluxes
    PLAN_PROGRAMS
} plan_program;

typedef struct model_plan {
    uint32_t *words;
    uint32_t word_count, word_capacity;
    double *constants; // the pool, then the forcings' knots
    uint32_t constant_count;
    uint32_t pool_count; // constants that have slots
    nc_program programs[PLAN_PROGRAMS];
} model_plan;

nc_status plan_compile(const nc_network *network, model_plan *made);
void plan_free(model_plan *made);

// --- Writing one program. Errors stick: after the first, emitting does nothing, and the status is asked once at the end.
typedef struct plan_writer {
    const nc_network *network;
    model_plan *plan;
    nc_status status;
    uint32_t constant_capacity;
    uint32_t *buckets;                     // the pool by the constants' bits: position + 1, 0 for an empty bucket; linear probing
    uint32_t bucket_count;                 // a power of two, more than twice the pool
    uint32_t state_count, parameter_count; // of the program being written
    uint32_t temporaries;
    uint32_t **slots; // by quantity number: the slots of its cells, null while it has none in this program
} plan_writer;

// Slots of constants and temporaries get their final numbers when all programs are written.
#define PLAN_CONSTANT 0x40000000u
#define PLAN_TEMPORARY 0x80000000u

void plan_fail(plan_writer *writer, nc_status status);
// The slot of a constant (plan_pool.c). Equal bits share it; -0 and +0 do not.
uint32_t plan_constant(plan_writer *writer, double value);
void plan_append_constant(plan_writer *writer, double value);
// A new temporary = operation(left, right).
uint32_t plan_emit(plan_writer *writer, uint32_t operation, uint32_t left, uint32_t right);
// temporary = fma(left, right, temporary).
void plan_accumulate(plan_writer *writer, uint32_t temporary, uint32_t left, uint32_t right);
void plan_word(plan_writer *writer, uint32_t word);
// An array of `count` slots (at least one, so that null is out of memory).
uint32_t *plan_slots(plan_writer *writer, int64_t count);

// The slots of a quantity's cells in the current program, written on first use together with what it is made of (plan_alias.c).
const uint32_t *plan_quantity(plan_writer *writer, int32_t quantity);
// value * factor^order, or value / factor^-order; value may be 0 with *empty = 1, the empty product.
uint32_t plan_power(plan_writer *writer, uint32_t value, int *empty, uint32_t factor, int32_t order);
// The flux of every cell of a flow (plan_flow.c). The caller frees it.
uint32_t *plan_flux(plan_writer *writer, const network_flow *flow);

#endif
