// SPDX-License-Identifier: Apache-2.0
// Truth of the module model: right-hand sides, observables, fluxes and exact derivatives by explicit loops over cells.
#include "network.h"

#include <stdlib.h>
#include <string.h>

// A row being evaluated.
typedef struct model_row {
    const golden_row *row;
    oracle_network network;
    golden_array y, p, time;
    golden_array vy, vp, vt, w; // tangents and weights; count 0: none
    bool of_observables;
    size_t outputs;
} model_row;

static void model_free(model_row *model)
{
    golden_array *arrays[] = {&model->y, &model->p, &model->time, &model->vy, &model->vp, &model->vt, &model->w};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; ++i) {
        golden_array_free(arrays[i]);
    }
}

static golden_status read_array(const golden_row *row, const char *key, bool optional, size_t count, golden_array *array,
                                golden_error *error)
{
    if (optional && !golden_row_has(row, key)) {
        return GOLDEN_OK;
    }
    golden_status status = golden_row_array(row, key, row->dtype, array, error);
    return status == GOLDEN_OK && array->count != count
               ? golden_fail(error, GOLDEN_REFUSED, "row %s: %s must have %zu elements.", row->id, key, count)
               : status;
}

static golden_status model_read(const golden_row *row, model_row *model, golden_error *error)
{
    *model = (model_row){.row = row};
    golden_status status = oracle_network_read(row, &model->network, error);
    size_t states = (size_t)model->network.states, parameters = (size_t)model->network.parameters;
    const char *of = "rhs";
    status = status == GOLDEN_OK ? read_array(row, "y", false, states, &model->y, error) : status;
    status = status == GOLDEN_OK ? read_array(row, "p", false, parameters, &model->p, error) : status;
    status = status == GOLDEN_OK ? read_array(row, "t", false, 1, &model->time, error) : status;
    status = status == GOLDEN_OK ? read_array(row, "vy", true, states, &model->vy, error) : status;
    status = status == GOLDEN_OK ? read_array(row, "vp", true, parameters, &model->vp, error) : status;
    status = status == GOLDEN_OK ? read_array(row, "vt", true, 1, &model->vt, error) : status;
    if (status == GOLDEN_OK && golden_row_has(row, "of")) {
        status = golden_row_string(row, "of", &of, error);
    }
    model->of_observables = strcmp(of, "observables") == 0;
    model->outputs = (size_t)(model->of_observables ? model->network.observables : model->network.states);
    return status == GOLDEN_OK ? read_array(row, "w", true, model->outputs, &model->w, error) : status;
}

static void give_all(oracle_engine *engine, const golden_array *from, size_t count, oracle_number *to)
{
    for (size_t i = 0; i < count; ++i) {
        if (from->count == 0) {
            oracle_tracked_zero(&to[i]);
        } else {
            oracle_give_value(engine, &to[i], golden_array_at(from, i));
        }
    }
}

// The tape at the row's point, whose first nodes are states, parameters, time. `outputs` are the function's nodes.
typedef struct model_tape {
    oracle_tape tape;
    int *nodes;   // states, parameters, time
    int *outputs; // of the function, or fluxes
    int *fluxes;
} model_tape;

static golden_status tape_open(oracle_engine *engine, const model_row *model, model_tape *t, golden_error *error)
{
    const oracle_network *network = &model->network;
    int given = network->states + network->parameters + 1;
    size_t room = (size_t)(network->states + network->observables + 1);
    oracle_tape_init(&t->tape, engine);
    t->nodes = calloc((size_t)given, sizeof *t->nodes);
    t->outputs = calloc(room, sizeof *t->outputs);
    t->fluxes = calloc((size_t)network->reactions + 1, sizeof *t->fluxes);
    if (t->tape.failed || t->nodes == NULL || t->outputs == NULL || t->fluxes == NULL) {
        return golden_fail(error, GOLDEN_REFUSED, "out of memory for a tape.");
    }
    for (int i = 0; i < given; ++i) {
        t->nodes[i] = oracle_tape_given(&t->tape);
    }
    give_all(engine, &model->y, (size_t)network->states, t->tape.values);
    give_all(engine, &model->p, (size_t)network->parameters, t->tape.values + network->states);
    give_all(engine, &model->time, 1, t->tape.values + given - 1);
    oracle_point at = {t->nodes, t->nodes + network->states, t->nodes[given - 1]};
    if (model->of_observables) {
        network->observe(network, &t->tape, at, t->outputs);
    } else {
        oracle_network_rates(network, &t->tape, ORACLE_ALL, at, t->outputs, t->fluxes);
    }
    return t->tape.failed ? golden_fail(error, GOLDEN_REFUSED, "out of memory for a tape.") : GOLDEN_OK;
}

static void tape_close(model_tape *t)
{
    oracle_tape_free(&t->tape);
    free(t->nodes);
    free(t->outputs);
    free(t->fluxes);
}

static golden_status evaluate_values(oracle_engine *engine, const model_row *model, bool fluxes, size_t count,
                                     oracle_number *results, golden_error *error)
{
    model_tape t = {.nodes = NULL};
    golden_status status = tape_open(engine, model, &t, error);
    for (size_t i = 0; status == GOLDEN_OK && i < count; ++i) {
        oracle_copy(&results[i], &t.tape.values[fluxes ? t.fluxes[i] : t.outputs[i]]);
    }
    tape_close(&t);
    return status;
}

static golden_status evaluate_outputs(oracle_engine *engine, void *context, oracle_number *results, golden_error *error)
{
    const model_row *model = context;
    return evaluate_values(engine, model, false, model->outputs, results, error);
}

static golden_status evaluate_fluxes(oracle_engine *engine, void *context, oracle_number *results, golden_error *error)
{
    const model_row *model = context;
    return evaluate_values(engine, model, true, (size_t)model->network.reactions, results, error);
}

static golden_status evaluate_jvp(oracle_engine *engine, void *context, oracle_number *results, golden_error *error)
{
    const model_row *model = context;
    const oracle_network *network = &model->network;
    model_tape t = {.nodes = NULL};
    golden_status status = tape_open(engine, model, &t, error);
    if (status == GOLDEN_OK) {
        int given = network->states + network->parameters + 1;
        give_all(engine, &model->vy, (size_t)network->states, t.tape.tangents);
        give_all(engine, &model->vp, (size_t)network->parameters, t.tape.tangents + network->states);
        give_all(engine, &model->vt, 1, t.tape.tangents + given - 1);
        oracle_tape_forward(&t.tape, given);
    }
    for (size_t i = 0; status == GOLDEN_OK && i < model->outputs; ++i) {
        oracle_copy(&results[i], &t.tape.tangents[t.outputs[i]]);
    }
    tape_close(&t);
    return status;
}

// Column by column, each a product with a unit vector.
static golden_status evaluate_jacobian(oracle_engine *engine, void *context, oracle_number *results, golden_error *error)
{
    const model_row *model = context;
    int states = model->network.states, given = states + model->network.parameters + 1;
    model_tape t = {.nodes = NULL};
    golden_status status = tape_open(engine, model, &t, error);
    for (int j = 0; status == GOLDEN_OK && j < states; ++j) {
        for (int i = 0; i < given; ++i) {
            oracle_give_double(engine, &t.tape.tangents[i], i == j ? 1.0 : 0.0);
        }
        oracle_tape_forward(&t.tape, given);
        for (size_t i = 0; i < model->outputs; ++i) {
            oracle_copy(&results[i * (size_t)states + (size_t)j], &t.tape.tangents[t.outputs[i]]);
        }
    }
    tape_close(&t);
    return status;
}

// Gradients in time, states, parameters.
static golden_status evaluate_vjp(oracle_engine *engine, void *context, oracle_number *results, golden_error *error)
{
    const model_row *model = context;
    int states = model->network.states, parameters = model->network.parameters;
    model_tape t = {.nodes = NULL};
    golden_status status = tape_open(engine, model, &t, error);
    oracle_number *seed = oracle_numbers(engine, 1);
    if (status == GOLDEN_OK && seed != NULL) {
        oracle_tape_clear_adjoints(&t.tape);
        for (size_t i = 0; i < model->outputs; ++i) {
            oracle_number *adjoint = &t.tape.adjoints[t.outputs[i]];
            oracle_give_value(engine, seed, golden_array_at(&model->w, i));
            oracle_add(engine, adjoint, adjoint, seed);
        }
        oracle_tape_backward(&t.tape);
        oracle_copy(&results[0], &t.tape.adjoints[states + parameters]);
        for (int i = 0; i < states + parameters; ++i) {
            oracle_copy(&results[1 + i], &t.tape.adjoints[i]);
        }
    }
    oracle_tracked_free(seed, 1);
    tape_close(&t);
    return status;
}

// Reads the row, checks the count of outputs and concludes.
static golden_status model_truth(const golden_row *row, const golden_answer *answer, oracle_truths *truths, golden_error *error,
                                 oracle_evaluation *evaluate, size_t (*count)(const model_row *model))
{
    model_row model;
    golden_status status = model_read(row, &model, error);
    size_t outputs = status == GOLDEN_OK ? count(&model) : 0;
    status = status == GOLDEN_OK ? oracle_expect(row, answer, outputs, NULL, error) : status;
    status = status == GOLDEN_OK ? oracle_conclude(evaluate, &model, row->dtype, 0, outputs, truths, error) : status;
    model_free(&model);
    return status;
}

static size_t count_outputs(const model_row *model)
{
    return model->outputs;
}

static size_t count_fluxes(const model_row *model)
{
    return (size_t)model->network.reactions;
}

static size_t count_jacobian(const model_row *model)
{
    return model->outputs * (size_t)model->network.states;
}

static size_t count_gradients(const model_row *model)
{
    return (size_t)(1 + model->network.states + model->network.parameters);
}

golden_status oracle_model_values(const golden_row *row, const golden_answer *answer, oracle_truths *truths, golden_error *error)
{
    return model_truth(row, answer, truths, error, evaluate_outputs, count_outputs);
}

golden_status oracle_model_fluxes(const golden_row *row, const golden_answer *answer, oracle_truths *truths, golden_error *error)
{
    return model_truth(row, answer, truths, error, evaluate_fluxes, count_fluxes);
}

golden_status oracle_model_jacobian(const golden_row *row, const golden_answer *answer, oracle_truths *truths, golden_error *error)
{
    return model_truth(row, answer, truths, error, evaluate_jacobian, count_jacobian);
}

golden_status oracle_model_jvp(const golden_row *row, const golden_answer *answer, oracle_truths *truths, golden_error *error)
{
    return model_truth(row, answer, truths, error, evaluate_jvp, count_outputs);
}

golden_status oracle_model_vjp(const golden_row *row, const golden_answer *answer, oracle_truths *truths, golden_error *error)
{
    return model_truth(row, answer, truths, error, evaluate_vjp, count_gradients);
}
