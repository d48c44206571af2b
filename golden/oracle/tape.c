// SPDX-License-Identifier: Apache-2.0
#include "tape.h"

#include <stdlib.h>
#include <string.h>

enum { SCRATCH = 6, FIRST_CAPACITY = 128 };

// Room for twice as many nodes. MPFR numbers may be moved.
static bool grow(oracle_tape *tape)
{
    int capacity = tape->capacity == 0 ? FIRST_CAPACITY : 2 * tape->capacity;
    oracle_number **arrays[] = {&tape->values, &tape->tangents, &tape->adjoints};
    oracle_node *nodes = realloc(tape->nodes, (size_t)capacity * sizeof *nodes);
    if (nodes == NULL) {
        return false;
    }
    tape->nodes = nodes;
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; ++i) {
        oracle_number *more = oracle_numbers(tape->engine, (size_t)(capacity - tape->capacity));
        oracle_number *all = more == NULL ? NULL : realloc(*arrays[i], (size_t)capacity * sizeof *all);
        if (all == NULL) {
            oracle_tracked_free(more, more == NULL ? 0 : (size_t)(capacity - tape->capacity));
            return false;
        }
        memcpy(all + tape->capacity, more, (size_t)(capacity - tape->capacity) * sizeof *all);
        free(more);
        *arrays[i] = all;
    }
    tape->capacity = capacity;
    return true;
}

void oracle_tape_init(oracle_tape *tape, oracle_engine *engine)
{
    *tape = (oracle_tape){.engine = engine};
    tape->scratch = oracle_numbers(engine, SCRATCH);
    tape->failed = tape->scratch == NULL || !grow(tape);
}

void oracle_tape_free(oracle_tape *tape)
{
    oracle_tracked_free(tape->values, (size_t)tape->capacity);
    oracle_tracked_free(tape->tangents, (size_t)tape->capacity);
    oracle_tracked_free(tape->adjoints, (size_t)tape->capacity);
    oracle_tracked_free(tape->scratch, SCRATCH);
    free(tape->nodes);
}

void oracle_tape_reset(oracle_tape *tape)
{
    tape->count = 0;
}

// A failure is asked for at the end; until then every new node is node 0.
static int append(oracle_tape *tape, oracle_kind kind, int left, int right, int third)
{
    tape->failed = tape->failed || (tape->count == tape->capacity && !grow(tape));
    if (tape->failed) {
        return 0;
    }
    tape->nodes[tape->count] = (oracle_node){kind, left, right, third};
    return tape->count++;
}

int oracle_tape_given(oracle_tape *tape)
{
    return append(tape, ORACLE_GIVEN, 0, 0, 0);
}

int oracle_tape_constant(oracle_tape *tape, double value)
{
    int node = oracle_tape_given(tape);
    if (!tape->failed) {
        oracle_give_double(tape->engine, &tape->values[node], value);
        oracle_tracked_zero(&tape->tangents[node]);
    }
    return node;
}

int oracle_tape_half_difference(oracle_tape *tape, double high, double low)
{
    int node = oracle_tape_constant(tape, 0.0);
    if (tape->failed) {
        return node;
    }
    oracle_engine *e = tape->engine;
    oracle_number *z = &tape->values[node];
    mpfr_t exact, wide;
    mpfr_init2(exact, ORACLE_INPUT_BITS);
    mpfr_init2(wide, oracle_format_of(GOLDEN_F64)->precision);
    oracle_load_double(e->work, low);
    oracle_load_double(exact, high);
    mpfr_sub(exact, exact, e->work, MPFR_RNDN);
    mpfr_div_2ui(exact, exact, 1, MPFR_RNDN);
    if (oracle_engine_replays(e)) {
        (void)oracle_round_to(wide, exact, GOLDEN_F64);
        oracle_give(e, z, wide);
        mpfr_sub(z->bound, exact, z->value, MPFR_RNDA);
        mpfr_abs(z->bound, z->bound, MPFR_RNDU);
    } else {
        oracle_give(e, z, exact);
    }
    mpfr_clears(exact, wide, (mpfr_ptr)0);
    return node;
}

static bool is_empty_ratio(const oracle_number *top, const oracle_number *bottom)
{
    return mpfr_zero_p(top->value) && mpfr_zero_p(bottom->value);
}

// z = numerator / right, 0 where left / right is 0 / 0
static void ratio(oracle_tape *tape, oracle_number *z, int left, int right, const oracle_number *numerator)
{
    if (is_empty_ratio(&tape->values[left], &tape->values[right])) {
        oracle_tracked_zero(z);
    } else {
        oracle_divide(tape->engine, z, numerator, &tape->values[right]);
    }
}

// value and slope of a table at a time
static void forcing(oracle_tape *tape, const oracle_table *table, const oracle_number *time, oracle_number *value,
                    oracle_number *slope)
{
    oracle_engine *e = tape->engine;
    oracle_number *t0 = &tape->scratch[0], *t1 = &tape->scratch[1], *v0 = &tape->scratch[2], *v1 = &tape->scratch[3];
    int knot = -1;
    for (int i = 0; i < table->count; ++i) {
        oracle_give_double(e, t0, table->times[i]);
        knot = mpfr_lessequal_p(t0->value, time->value) ? i : knot;
    }
    oracle_tracked_zero(slope);
    if (knot < 0 || knot == table->count - 1) {
        oracle_give_double(e, value, table->values[knot < 0 ? 0 : knot]);
        return;
    }
    oracle_give_double(e, t0, table->times[knot]);
    oracle_give_double(e, t1, table->times[knot + 1]);
    oracle_give_double(e, v0, table->values[knot]);
    oracle_give_double(e, v1, table->values[knot + 1]);
    oracle_subtract(e, t1, t1, t0);
    oracle_subtract(e, v1, v1, v0);
    oracle_divide(e, slope, v1, t1);
    oracle_subtract(e, t0, time, t0);
    oracle_fma(e, value, slope, t0, v0);
}

int oracle_tape_multiply(oracle_tape *tape, int left, int right)
{
    int node = append(tape, ORACLE_MULTIPLY, left, right, 0);
    if (!tape->failed) {
        oracle_multiply(tape->engine, &tape->values[node], &tape->values[left], &tape->values[right]);
    }
    return node;
}

int oracle_tape_fma(oracle_tape *tape, int left, int right, int third)
{
    int node = append(tape, ORACLE_FMA, left, right, third);
    if (!tape->failed) {
        oracle_fma(tape->engine, &tape->values[node], &tape->values[left], &tape->values[right], &tape->values[third]);
    }
    return node;
}

int oracle_tape_add(oracle_tape *tape, int left, int right)
{
    int node = append(tape, ORACLE_ADD, left, right, 0);
    if (!tape->failed) {
        oracle_add(tape->engine, &tape->values[node], &tape->values[left], &tape->values[right]);
    }
    return node;
}

int oracle_tape_ratio(oracle_tape *tape, int left, int right)
{
    int node = append(tape, ORACLE_RATIO, left, right, 0);
    if (!tape->failed) {
        ratio(tape, &tape->values[node], left, right, &tape->values[left]);
    }
    return node;
}

int oracle_tape_exponential(oracle_tape *tape, int argument)
{
    int node = append(tape, ORACLE_EXPONENTIAL, argument, 0, 0);
    if (!tape->failed) {
        oracle_exponential(tape->engine, &tape->values[node], &tape->values[argument]);
    }
    return node;
}

int oracle_tape_forcing(oracle_tape *tape, int time, int table)
{
    int node = append(tape, ORACLE_FORCING, time, 0, table);
    if (!tape->failed) {
        forcing(tape, &tape->tables[table], &tape->values[time], &tape->values[node], &tape->scratch[4]);
    }
    return node;
}

int oracle_tape_sum(oracle_tape *tape, int sum, int terms, int term)
{
    if (terms == 0) {
        return term;
    }
    return terms == 1 ? oracle_tape_add(tape, sum, term) : oracle_tape_fma(tape, oracle_tape_constant(tape, 1.0), term, sum);
}

int oracle_tape_chain(oracle_tape *tape, int sum, int left, int right)
{
    return sum < 0 ? oracle_tape_multiply(tape, left, right) : oracle_tape_fma(tape, left, right, sum);
}

int oracle_tape_power(oracle_tape *tape, int value, int factor, int order)
{
    for (int i = 0; i < order; ++i) {
        value = value < 0 ? factor : oracle_tape_multiply(tape, value, factor);
    }
    for (int i = 0; i > order; --i) {
        value = oracle_tape_ratio(tape, value < 0 ? oracle_tape_constant(tape, 1.0) : value, factor);
    }
    return value;
}

static void forward_node(oracle_tape *tape, int node)
{
    const oracle_node *n = &tape->nodes[node];
    oracle_engine *e = tape->engine;
    oracle_number *z = &tape->tangents[node], *work = &tape->scratch[5];
    const oracle_number *left = &tape->values[n->left], *right = &tape->values[n->right];
    const oracle_number *dleft = &tape->tangents[n->left], *dright = &tape->tangents[n->right];
    switch (n->kind) {
    case ORACLE_GIVEN:
        break;
    case ORACLE_MULTIPLY: // fma(left, dright, dleft right)
        oracle_multiply(e, work, dleft, right);
        oracle_fma(e, z, left, dright, work);
        break;
    case ORACLE_FMA: // fma(left, dright, fma(dleft, right, dthird))
        oracle_fma(e, work, dleft, right, &tape->tangents[n->third]);
        oracle_fma(e, z, left, dright, work);
        break;
    case ORACLE_ADD:
        oracle_add(e, z, dleft, dright);
        break;
    case ORACLE_RATIO: // (dleft - value dright) / right
        oracle_negate(work, &tape->values[node]);
        oracle_fma(e, work, work, dright, dleft);
        ratio(tape, z, n->left, n->right, work);
        break;
    case ORACLE_EXPONENTIAL:
        oracle_multiply(e, z, &tape->values[node], dleft);
        break;
    case ORACLE_FORCING:
        forcing(tape, &tape->tables[n->third], left, work, &tape->scratch[4]);
        oracle_multiply(e, z, &tape->scratch[4], dleft);
        break;
    }
}

void oracle_tape_forward(oracle_tape *tape, int given)
{
    for (int node = 0; node < tape->count; ++node) {
        if (node >= given && tape->nodes[node].kind == ORACLE_GIVEN) {
            oracle_tracked_zero(&tape->tangents[node]);
        }
        forward_node(tape, node);
    }
}

void oracle_tape_clear_adjoints(oracle_tape *tape)
{
    for (int node = 0; node < tape->count; ++node) {
        oracle_tracked_zero(&tape->adjoints[node]);
    }
}

static void backward_node(oracle_tape *tape, int node)
{
    const oracle_node *n = &tape->nodes[node];
    oracle_engine *e = tape->engine;
    const oracle_number *seed = &tape->adjoints[node];
    oracle_number *left = &tape->adjoints[n->left], *right = &tape->adjoints[n->right], *work = &tape->scratch[5];
    switch (n->kind) {
    case ORACLE_GIVEN:
        break;
    case ORACLE_FMA:
        oracle_copy(&tape->adjoints[n->third], seed); // a sum's earlier value has no other use
        oracle_fma(e, left, seed, &tape->values[n->right], left);
        oracle_fma(e, right, seed, &tape->values[n->left], right);
        break;
    case ORACLE_MULTIPLY:
        oracle_fma(e, left, seed, &tape->values[n->right], left);
        oracle_fma(e, right, seed, &tape->values[n->left], right);
        break;
    case ORACLE_ADD:
        oracle_add(e, left, left, seed);
        oracle_add(e, right, right, seed);
        break;
    case ORACLE_RATIO:
        ratio(tape, work, n->left, n->right, seed);
        oracle_add(e, left, left, work);
        oracle_negate(&tape->scratch[4], &tape->values[node]);
        oracle_fma(e, right, &tape->scratch[4], work, right);
        break;
    case ORACLE_EXPONENTIAL:
        oracle_fma(e, left, seed, &tape->values[node], left);
        break;
    case ORACLE_FORCING:
        forcing(tape, &tape->tables[n->third], &tape->values[n->left], work, &tape->scratch[4]);
        oracle_fma(e, left, seed, &tape->scratch[4], left);
        break;
    }
}

void oracle_tape_backward(oracle_tape *tape)
{
    for (int node = tape->count - 1; node >= 0; --node) {
        backward_node(tape, node);
    }
}
