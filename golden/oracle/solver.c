// SPDX-License-Identifier: Apache-2.0
// Truth of fixed-step runs and of the gradients of their final states: the exact discrete scheme on the given numbers. Its distance
// from the differential equation is the business of the tests of orders.
#include "solver_row.h"

#include <stdlib.h>

static golden_status evaluate_run(oracle_engine *engine, void *context, oracle_number *results, golden_error *error)
{
    oracle_solver_row *solver = context;
    oracle_work work = {.n = 0};
    golden_status status = oracle_solver_begin(solver, engine, &work, error);
    for (size_t point = 1; status == GOLDEN_OK && point < solver->times.count; ++point) {
        if (oracle_solver_interval(solver, &work, point)) {
            oracle_any_step(&work, solver->method);
            oracle_vector_copy(&work, work.state, work.before);
            oracle_vector_copy(&work, work.next, work.state);
            oracle_copy(work.step_before, work.step);
            work.has_before = true;
        }
        if (work.failed) {
            status = golden_fail(error, GOLDEN_REFUSED, "a step does not converge: this is no row.");
        }
    }
    for (int i = 0; status == GOLDEN_OK && i < work.n; ++i) {
        oracle_copy(&results[i], &work.state[i]);
    }
    if (oracle_engine_replays(engine)) {
        solver->newton = work.newton;
    }
    oracle_work_close(&work);
    return status;
}

// States, then the number of Newton iterations.
golden_status oracle_solver_run(const golden_row *row, const golden_answer *answer, oracle_truths *truths, golden_error *error)
{
    oracle_solver_row solver;
    golden_status status = oracle_solver_read(row, &solver, error);
    size_t states = solver.y.count;
    status = status == GOLDEN_OK ? oracle_expect(row, answer, states + 1, NULL, error) : status;
    status = status == GOLDEN_OK ? oracle_conclude(evaluate_run, &solver, row->dtype, 0, states, truths, error) : status;
    if (status == GOLDEN_OK) {
        oracle_set_integer(truths, states, solver.newton);
    }
    oracle_solver_free(&solver);
    return status;
}

// ---- Gradients

// seeds of one stage: fma(step, weight after + chain over later stages of their shares, adjoint)
static void seed_stage(oracle_work *work, oracle_method method, int stage, const oracle_number *after)
{
    oracle_engine *e = work->engine;
    oracle_number *weight = &work->scratch[0], *sum = &work->scratch[1];
    int stages = oracle_explicit_stages(method), rows = method == ORACLE_DOPRI5 ? 7 : stages;
    oracle_tape_clear_adjoints(&work->tape);
    for (int i = 0; i < work->n; ++i) {
        oracle_weight w = oracle_explicit_row(method, rows)[stage];
        oracle_give_fraction(e, weight, w.numerator, w.denominator == 0 ? 1 : w.denominator);
        oracle_multiply(e, sum, weight, &after[i]);
        for (int later = stage + 1; later < stages; ++later) {
            w = oracle_explicit_row(method, later)[stage];
            oracle_give_fraction(e, weight, w.numerator, w.denominator == 0 ? 1 : w.denominator);
            oracle_fma(e, sum, weight, &oracle_stage(work, later)[i], sum);
        }
        oracle_number *adjoint = &work->tape.adjoints[work->rates_at[i]];
        oracle_fma(e, adjoint, work->step, sum, adjoint);
    }
}

// One step backward: `after` becomes the adjoint of the state before it, `gradient` grows.
static void adjoint_step(oracle_work *work, oracle_method method, oracle_number *after, oracle_number *gradient)
{
    oracle_engine *e = work->engine;
    int stages = oracle_explicit_stages(method), parameters = work->network->parameters;
    oracle_explicit_run_stages(work, method, 0, stages);
    for (int stage = stages - 1; stage >= 0; --stage) {
        oracle_number *place = stage == 0 ? work->state : work->target, *fraction = &work->scratch[2];
        oracle_weight time = oracle_explicit_time(method, stage);
        if (stage > 0) {
            oracle_explicit_advance(work, method, stage, stage, place);
        }
        oracle_give_fraction(e, fraction, time.numerator, time.denominator);
        oracle_stage_time(work, fraction);
        oracle_rates_at(work, ORACLE_ALL, place, work->side);
        seed_stage(work, method, stage, after);
        oracle_tape_backward(&work->tape);
        for (int i = 0; i < work->n; ++i) {
            oracle_copy(&oracle_stage(work, stage)[i], &work->tape.adjoints[i]);
        }
        for (int k = 0; k < parameters; ++k) {
            oracle_add(e, &gradient[k], &gradient[k], &work->tape.adjoints[work->n + k]);
        }
    }
    for (int i = 0; i < work->n; ++i) {
        for (int stage = 0; stage < stages; ++stage) {
            oracle_add(e, &after[i], &after[i], &oracle_stage(work, stage)[i]);
        }
    }
}

static golden_status evaluate_gradient(oracle_engine *engine, void *context, oracle_number *results, golden_error *error)
{
    const oracle_solver_row *solver = context;
    oracle_work work = {.n = 0};
    golden_status status = oracle_solver_begin(solver, engine, &work, error);
    size_t n = (size_t)work.n, points = solver->times.count;
    oracle_number *tape = oracle_numbers(engine, n * points);
    status = status == GOLDEN_OK && tape == NULL ? golden_fail(error, GOLDEN_REFUSED, "out of memory for a tape.") : status;
    for (size_t point = 1; status == GOLDEN_OK && point < points; ++point) {
        oracle_vector_copy(&work, work.state, tape + point * n);
        if (oracle_solver_interval(solver, &work, point)) {
            oracle_explicit_step(&work, solver->method);
            oracle_vector_copy(&work, work.next, work.state);
        }
    }
    oracle_number *after = results, *gradient = results + n;
    for (size_t i = 0; status == GOLDEN_OK && i < n; ++i) {
        oracle_give_value(engine, &after[i], golden_array_at(&solver->seed, i));
    }
    for (size_t point = points - 1; status == GOLDEN_OK && point > 0; --point) {
        oracle_vector_copy(&work, tape + point * n, work.state);
        if (oracle_solver_interval(solver, &work, point)) {
            adjoint_step(&work, solver->method, after, gradient);
        }
    }
    oracle_tracked_free(tape, tape == NULL ? 0 : n * points);
    oracle_work_close(&work);
    return status;
}

// Gradients in the initial state, then in the parameters.
golden_status oracle_solver_gradient(const golden_row *row, const golden_answer *answer, oracle_truths *truths, golden_error *error)
{
    oracle_solver_row solver;
    golden_status status = oracle_solver_read(row, &solver, error);
    size_t count = solver.y.count + solver.p.count;
    if (status == GOLDEN_OK && (solver.seed.count == 0 || solver.method > ORACLE_DOPRI5)) {
        status = golden_fail(error, GOLDEN_REFUSED, "row %s: a gradient needs a seed and an explicit method.", row->id);
    }
    status = status == GOLDEN_OK ? oracle_expect(row, answer, count, NULL, error) : status;
    status = status == GOLDEN_OK ? oracle_conclude(evaluate_gradient, &solver, row->dtype, 0, count, truths, error) : status;
    oracle_solver_free(&solver);
    return status;
}
