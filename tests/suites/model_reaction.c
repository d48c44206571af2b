// SPDX-License-Identifier: Apache-2.0
// Reactions: stoichiometry in exact integers, balances, conserved totals.
#include "model.h"

#include <math.h>
#include <string.h>

// Stoichiometry times fluxes is the right-hand side, by the very bytes, in a batch.
static void balance_is_the_rhs(cupel_context *context)
{
    nc_dtype dtype = cupel_dtype(context);
    enum { BATCH = 35, REACTIONS = 4 * FIXTURE_CELLS };
    const int64_t rates[] = {BATCH, FIXTURE_STATES}, flows[] = {BATCH, REACTIONS};
    for (int coupled = 0; coupled < 2; ++coupled) {
        fixture f = fixture_create(context, coupled);
        nc_array *t = fixture_scalar(context, 0.0), *y = fixture_states(context, BATCH),
                 *p = fixture_parameter_sets(context, BATCH);
        nc_array *rhs = cupel_output(context, dtype, 2, rates), *balance = cupel_output(context, dtype, 2, rates);
        nc_array *fluxes = cupel_output(context, dtype, 2, flows);
        cupel_require_ok(context, nc_model_rhs(f.model, t, y, p, rhs));
        cupel_require_ok(context, nc_model_fluxes(f.model, t, y, p, fluxes));
        cupel_require_ok(context, nc_model_balance(f.model, fluxes, balance));
        cupel_expect_bits(context, balance, cupel_download(context, rhs), BATCH * FIXTURE_STATES);
        fixture_release(context, &f);
    }
}

// The published table does the same by hand: sum over reactions of weight * flux, in exact integers of the fluxes' sums.
static void table_is_the_stoichiometry(cupel_context *context)
{
    nc_dtype dtype = cupel_dtype(context);
    fixture f = fixture_create(context, 0);
    double state[FIXTURE_STATES], parameters[FIXTURE_PARAMETERS], sums[FIXTURE_STATES] = {0.0}, magnitude[FIXTURE_STATES] = {0.0};
    double bounds[FIXTURE_STATES];
    enum { REACTIONS = 4 * FIXTURE_CELLS };
    fixture_state(4, state);
    fixture_parameters(4, parameters);
    nc_array *t = fixture_scalar(context, 0.0), *y = fixture_vector(context, state, FIXTURE_STATES);
    nc_array *p = fixture_vector(context, parameters, FIXTURE_PARAMETERS),
             *rhs = cupel_output_vector(context, dtype, FIXTURE_STATES);
    nc_array *fluxes = cupel_output_vector(context, dtype, REACTIONS);
    cupel_require_ok(context, nc_model_rhs(f.model, t, y, p, rhs));
    cupel_require_ok(context, nc_model_fluxes(f.model, t, y, p, fluxes));
    const void *values = cupel_download(context, fluxes);
    for (int64_t r = 0; r < REACTIONS; ++r) {
        nc_reaction reaction;
        double flux = cupel_get_real(dtype, values, (size_t)r);
        NC_STRUCT_INIT(&reaction);
        cupel_require_ok(context, nc_model_reaction_get(f.model, r, &reaction));
        cupel_expect_true(context, reaction.target_cell >= 0 && reaction.reactant_count == 1 && reaction.orders[0] == 1);
        cupel_expect_true(context, (reaction.source_cell < 0) == (r >= 3 * FIXTURE_CELLS)); // a transport has no source
        // A linear flow takes what it moves from its own source.
        cupel_expect_true(context, r >= 3 * FIXTURE_CELLS || reaction.cells[0] == reaction.source_cell);
        if (reaction.source_cell >= 0) {
            sums[reaction.source_cell] -= reaction.source_weight * flux;
            magnitude[reaction.source_cell] += fabs(flux);
        }
        sums[reaction.target_cell] += reaction.target_weight * flux;
        magnitude[reaction.target_cell] += fabs(flux);
    }
    for (int i = 0; i < FIXTURE_STATES; ++i) {
        bounds[i] = fixture_bound(dtype, 4, magnitude[i]);
    }
    cupel_expect_within_bound(context, rhs, sums, bounds, FIXTURE_STATES, "three sums of at most three fluxes");
    nc_reaction none;
    NC_STRUCT_INIT(&none);
    cupel_expect_status(context, nc_model_reaction_get(f.model, REACTIONS, &none), NC_OUT_OF_RANGE);
    cupel_expect_status(context, nc_model_reaction_get(f.model, -1, &none), NC_OUT_OF_RANGE);
    fixture_release(context, &f);
}

// 2 H + O -> W with a catalyst, births of all ages into age 0, deaths counted in one cell, and a source-only supply.
static void weights_pins_and_sums(cupel_context *context)
{
    nc_dtype dtype = cupel_dtype(context);
    enum { AGES = 3 };
    static const double births[AGES] = {0.0, 2.0, 3.0}, state[] = {6.0, 1.0, 10.0, 2.0, 1.0, 5.0, 7.0, 0.0}, k[] = {0.5};
    // oxygen etc.: water flux = k H^2 O E = 0.5 * 36 * 1 * 2 = 36; births 2*5 + 3*7 = 31; deaths k x = 0.5, 2.5, 3.5
    static const double expected[] = {-72.0, -36.0, 36.0, 0.0, 31.0 - 0.5, -2.5, -3.5, 6.5};
    sketch s = sketch_begin(context);
    int32_t age = sketch_axis(s, "age", AGES, NULL), h = sketch_compartment(s, "H", 0, NULL),
            o = sketch_compartment(s, "O", 0, NULL);
    int32_t w = sketch_compartment(s, "W", 0, NULL), e = sketch_compartment(s, "E", 0, NULL),
            x = sketch_compartment(s, "x", 1, &age);
    int32_t dead = sketch_compartment(s, "dead", 0, NULL), rate = sketch_parameter(s, "k", 0, NULL);
    int32_t birth = sketch_constant(s, "birth", 1, &age, births, AGES);
    nc_flow water = sketch_flow("water", NC_LAW_MASS_ACTION, h, w, rate, h), oxygen = water;
    water.source_weight = 2;
    water.reactant_count = 3;
    water.orders[0] = 2;
    water.reactants[1] = o;
    water.reactants[2] = e;
    oxygen = water;
    oxygen.name = "oxygen used";
    oxygen.source = o;
    oxygen.target = NC_NONE;
    oxygen.source_weight = 1;
    nc_flow born = sketch_flow("births", NC_LAW_LINEAR, NC_NONE, x, birth, x),
            died = sketch_flow("deaths", NC_LAW_LINEAR, x, dead, rate, x);
    born.has_axes = 1;
    born.rank = 1;
    born.axes[0] = age;
    born.target_pin_axis = age;
    int32_t numbers[] = {sketch_add(s, water), sketch_add(s, oxygen), sketch_add(s, born), sketch_add(s, died)};
    nc_model *model = sketch_compile(s);
    nc_array *out = cupel_output_vector(context, dtype, 8);
    cupel_require_ok(context, nc_model_rhs(model, fixture_scalar(context, 0.0), fixture_vector(context, state, 8),
                                           fixture_vector(context, k, 1), out));
    cupel_expect_bits(context, out, cupel_reals(context, dtype, expected, 8), 8);
    nc_reaction reaction;
    NC_STRUCT_INIT(&reaction);
    cupel_require_ok(context, nc_model_reaction_get(model, 0, &reaction));
    cupel_expect_true(context, reaction.flow == numbers[0] && reaction.source_weight == 2 && reaction.target_weight == 1 &&
                                   reaction.source_cell == 0 && reaction.target_cell == 2);
    cupel_expect_true(context, reaction.reactant_count == 3 && reaction.orders[0] == 2 && reaction.cells[2] == 3); // E, a catalyst
    cupel_require_ok(context, nc_model_reaction_get(model, 4, &reaction)); // births of age 2
    cupel_expect_true(context, reaction.flow == numbers[2] && reaction.source_cell == -1 && reaction.target_cell == 4 &&
                                   reaction.cells[0] == 6);
    cupel_require_ok(context, nc_model_reaction_get(model, 6, &reaction)); // deaths of age 1
    cupel_expect_true(context, reaction.source_cell == 5 && reaction.target_cell == 7);
    sketch_release(context, model);
}

// Which weighted totals the stoichiometry conserves, and that the rates then cancel to rounding.
static void conserved_totals(cupel_context *context)
{
    nc_dtype dtype = cupel_dtype(context);
    int64_t weights[FIXTURE_STATES];
    int32_t conserved = -1, flow = -1;
    double state[FIXTURE_STATES], parameters[FIXTURE_PARAMETERS], rates[FIXTURE_STATES], magnitude[FIXTURE_STATES];
    fixture f = fixture_create(context, 1);
    fixture_state(6, state);
    fixture_parameters(6, parameters);
    fixture_rhs(1, state, parameters, rates, magnitude);
    nc_array *rhs = cupel_output_vector(context, dtype, FIXTURE_STATES);
    cupel_require_ok(context, nc_model_rhs(f.model, fixture_scalar(context, 0.0), fixture_vector(context, state, FIXTURE_STATES),
                                           fixture_vector(context, parameters, FIXTURE_PARAMETERS), rhs));
    const void *values = cupel_download(context, rhs);
    for (int group = -1; group < FIXTURE_GROUPS; ++group) { // everybody, then each group
        double sum = 0.0, scale = 0.0;
        for (int i = 0; i < FIXTURE_STATES; ++i) {
            weights[i] = group < 0 || i / FIXTURE_STAGES % FIXTURE_GROUPS == group ? 3 : 0;
            sum += (double)weights[i] * cupel_get_real(dtype, values, (size_t)i);
            scale += (double)weights[i] * magnitude[i];
        }
        cupel_require_ok(context, nc_model_conserves(f.model, weights, FIXTURE_STATES, &conserved, &flow));
        cupel_expect_true(context, conserved == 2 && flow == NC_NONE); // 2: the transport's columns must sum to zero
        cupel_expect_true(context, fabs(sum) <= fixture_bound(dtype, FIXTURE_ROUNDINGS + FIXTURE_STATES, scale));
    }
    weights[0] = 4; // one cell of A counts more than its neighbours
    cupel_require_ok(context, nc_model_conserves(f.model, weights, FIXTURE_STATES, &conserved, &flow));
    cupel_expect_true(context, conserved == 0 && flow == 1);
    for (int i = 0; i < FIXTURE_STATES; ++i) {
        weights[i] = i % FIXTURE_STAGES; // moving between stages changes this total
    }
    cupel_require_ok(context, nc_model_conserves(f.model, weights, FIXTURE_STATES, &conserved, NULL));
    cupel_expect_true(context, conserved == 0);
    cupel_expect_status(context, nc_model_conserves(f.model, weights, FIXTURE_STATES - 1, &conserved, NULL), NC_SHAPE_MISMATCH);
    fixture_release(context, &f);
}

static const cupel_case cases[] = {
    CUPEL_CASE_REALS("model.reaction.balance-is-the-rhs", balance_is_the_rhs),
    CUPEL_CASE_REALS("model.reaction.table-is-the-stoichiometry", table_is_the_stoichiometry),
    CUPEL_CASE_REALS("model.reaction.weights-pins-and-sums", weights_pins_and_sums),
    CUPEL_CASE_REALS("model.reaction.conserved-totals", conserved_totals),
};

const cupel_table model_reaction_table = CUPEL_TABLE(cases);
