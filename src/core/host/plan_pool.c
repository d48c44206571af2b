// SPDX-License-Identifier: Apache-2.0
// The constants of a plan. A model may have one for each cell, so they are found by a hash of their bits.
#include "plan.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_CAPACITY 256u
#define MOST_CONSTANTS (1u << 28)

static uint64_t bits_of(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

// Where the constant stands or would stand. Multiplication by 2^64 / golden ratio (Knuth, TAOCP 3, 6.4) spreads the bits.
static uint32_t find_bucket(const plan_writer *writer, uint64_t bits)
{
    uint32_t mask = writer->bucket_count - 1;
    uint32_t bucket = (uint32_t)(bits * 0x9e3779b97f4a7c15u >> 32) & mask;
    while (writer->buckets[bucket] != 0 && bits_of(writer->plan->constants[writer->buckets[bucket] - 1]) != bits) {
        bucket = (bucket + 1) & mask;
    }
    return bucket;
}

static void grow_buckets(plan_writer *writer)
{
    uint32_t count = writer->bucket_count == 0 ? 4 * FIRST_CAPACITY : 2 * writer->bucket_count;
    uint32_t *grown = calloc(count, sizeof *grown);
    if (grown == NULL) {
        plan_fail(writer, be_fail(NC_OUT_OF_MEMORY, "no host memory for the constants of a model's plan"));
        return;
    }
    free(writer->buckets);
    writer->buckets = grown;
    writer->bucket_count = count;
    for (uint32_t i = 0; i < writer->plan->constant_count; ++i) {
        writer->buckets[find_bucket(writer, bits_of(writer->plan->constants[i]))] = i + 1;
    }
}

void plan_append_constant(plan_writer *writer, double value)
{
    model_plan *plan = writer->plan;
    if (plan->constant_count == writer->constant_capacity) {
        uint32_t capacity = writer->constant_capacity == 0 ? FIRST_CAPACITY : 2 * writer->constant_capacity;
        double *grown = capacity > MOST_CONSTANTS ? NULL : realloc(plan->constants, capacity * sizeof *grown);
        if (grown == NULL) {
            plan_fail(writer, be_fail(NC_OUT_OF_MEMORY, "no host memory for %" PRIu32 " constants of a model's plan", capacity));
            return;
        }
        plan->constants = grown;
        writer->constant_capacity = capacity;
    }
    plan->constants[plan->constant_count++] = value;
}

uint32_t plan_constant(plan_writer *writer, double value)
{
    if (writer->status == NC_OK && 2 * (writer->plan->constant_count + 1) > writer->bucket_count) {
        grow_buckets(writer);
    }
    if (writer->status != NC_OK) {
        return 0;
    }
    uint32_t bucket = find_bucket(writer, bits_of(value));
    if (writer->buckets[bucket] == 0) {
        plan_append_constant(writer, value);
        writer->buckets[bucket] = writer->status == NC_OK ? writer->plan->constant_count : 0;
    }
    return (writer->buckets[bucket] - 1) | PLAN_CONSTANT;
}
