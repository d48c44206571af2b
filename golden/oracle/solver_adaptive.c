// SPDX-License-Identifier: Apache-2.0
// Adaptive runs of dopri5. States follow the recorded times: their truth is the exact scheme along them. Each time follows from the
// controller: its truth is the end that the exact controller chooses from the state and the time before it, which is exact because
// every step starts at a recorded time again. Decisions (a step is accepted; it ends on the grid) are made by the exact controller
// and by the replay: the row is refused unless both make the same ones and no replay's lies within 2^10 times its bound.
#include "elementary_errors.h"
#include "solver_row.h"

#include <math.h>

// The controller of one run.
typedef struct controller {
    oracle_solver_row *solver;
    oracle_work work;
    oracle_number *wish, *norm, *reach, *end, *target; // scalars
    oracle_number *scalars, *errors, *results;         // errors of the state; next and norm
    int accepted, rejected;
    bool clear;
} controller;

enum { CONTROL_SCALARS = 9 };

// power = 0.9 norm^(-1/5)
static void step_power(mpfr_t power, const mpfr_t norm)
{
    mpfr_t exponent;
    mpfr_init2(exponent, mpfr_get_prec(power));
    mpfr_set_si(exponent, -1, MPFR_RNDN);
    mpfr_div_ui(exponent, exponent, 5, MPFR_RNDN);
    mpfr_pow(power, norm, exponent, MPFR_RNDN);
    mpfr_mul_ui(power, power, 9, MPFR_RNDN);
    mpfr_div_ui(power, power, 10, MPFR_RNDN);
    mpfr_clear(exponent);
}

// Relative error of the core's power, in float64: its logarithm, -0.2 and their product are exponents, the exponential, 0.9 and the
// last product errors of their own.
static double power_error(const mpfr_t norm)
{
    double exponent = 0.2 * fabs(log(mpfr_get_d(norm, MPFR_RNDN)));
    return 0x1p-53 * (1.0 + 0x1p-20) * (ERROR_EXP + 2.0 + exponent * (ERROR_LOG + 2.0));
}

// The replay's bound of the factor: the error of the power and what the norm's own bound makes of it, |d power / power| <= 1/5
// |d norm / norm| (1 + small), unless both ends of the norm's range lie past the same limit. Then the factor is that limit, which
// is rounded if it is 1/5. In float32 it is rounded once more.
static void factor_bound(const oracle_number *norm, const mpfr_t factor, golden_dtype dtype, mpfr_t bound)
{
    static const double past = 0x1p-40; // more than the power's own error
    mpfr_t end, most, least;
    mpfr_inits2(256, end, most, least, (mpfr_ptr)0);
    mpfr_add(end, norm->value, norm->bound, MPFR_RNDU);
    step_power(least, end);
    mpfr_sub(end, norm->value, norm->bound, MPFR_RNDD);
    mpfr_set_inf(most, 1);
    if (mpfr_sgn(end) > 0) {
        step_power(most, end);
    }
    bool largest = mpfr_cmp_d(least, 5.0 + past) > 0, smallest = mpfr_cmp_d(most, 0.2 - past) < 0;
    double rounded = largest ? 0.0 : dtype == GOLDEN_F32 ? 0x1p-24 + 0x1p-53 : 0x1p-53;
    mpfr_set_d(bound, smallest || largest ? rounded : power_error(norm->value) + (dtype == GOLDEN_F32 ? 0x1p-24 : 0.0), MPFR_RNDU);
    if (!largest && !smallest) {
        mpfr_div(end, norm->bound, norm->value, MPFR_RNDU);
        mpfr_div_ui(end, end, 4, MPFR_RNDU); // a quarter covers a fifth and its curvature
        mpfr_add(bound, bound, end, MPFR_RNDU);
    }
    mpfr_mul(bound, bound, factor, MPFR_RNDU);
    mpfr_clears(end, most, least, (mpfr_ptr)0);
}

// factor = clamp(0.9 norm^(-1/5), 0.2, 5); 5 for a norm of 0.
static void step_factor(controller *c, const oracle_number *norm, oracle_number *factor)
{
    oracle_engine *e = c->work.engine;
    mpfr_t power, limit;
    mpfr_inits2(e->precision > 64 ? e->precision : 256, power, limit, (mpfr_ptr)0);
    mpfr_set_inf(power, 1);
    if (!mpfr_zero_p(norm->value)) {
        step_power(power, norm->value);
    }
    mpfr_set_ui(limit, 5, MPFR_RNDN);
    mpfr_min(power, power, limit, MPFR_RNDN);
    mpfr_ui_div(limit, 1, limit, MPFR_RNDN);
    mpfr_max(power, power, limit, MPFR_RNDN);
    if (oracle_engine_replays(e)) {
        e->estimated = true;
        factor_bound(norm, power, e->dtype, factor->bound);
        (void)oracle_round_to(factor->value, power, e->dtype);
    } else {
        mpfr_set(factor->value, power, MPFR_RNDN);
    }
    mpfr_clears(power, limit, (mpfr_ptr)0);
}

// norm = sqrt(sum (x / (absolute + relative max(|a|, |b|)))^2 / cells)
static void scaled_norm(oracle_work *w, const oracle_solver_row *solver, const oracle_number *x, const oracle_number *a,
                        const oracle_number *b, oracle_number *norm)
{
    oracle_engine *e = w->engine;
    oracle_number *larger = &w->scratch[3], *other = &w->scratch[4], *relative = &w->scratch[6], *absolute = &w->scratch[7];
    oracle_tracked_zero(norm);
    oracle_give_double(e, relative, solver->relative);
    oracle_give_double(e, absolute, solver->absolute);
    for (int i = 0; i < w->n; ++i) {
        oracle_absolute(larger, &a[i]);
        oracle_absolute(other, &b[i]);
        oracle_maximum(larger, larger, other);
        oracle_fma(e, larger, relative, larger, absolute);
        oracle_divide(e, larger, &x[i], larger);
        oracle_fma(e, norm, larger, larger, norm);
    }
    oracle_give_double(e, other, (double)w->n);
    oracle_divide(e, norm, norm, other);
    if (!mpfr_zero_p(norm->value)) {
        oracle_root(e, norm, norm);
    }
}

// The first wish: the caller's, or 1/100 of |y| / |f|, or 1e-6 where either is below 1e-5.
static void begin(controller *c)
{
    oracle_work *w = &c->work;
    oracle_engine *e = w->engine;
    oracle_number *level = &c->scalars[5], *slope = &c->scalars[6], *least = &c->scalars[7];
    oracle_tracked_zero(w->step);
    oracle_copy(w->to, w->from);
    oracle_explicit_run_stages(w, ORACLE_DOPRI5, 0, 1);
    if (c->solver->first_step > 0.0) {
        oracle_give_double(e, c->wish, c->solver->first_step);
        return;
    }
    scaled_norm(w, c->solver, w->state, w->state, w->state, level);
    scaled_norm(w, c->solver, oracle_stage(w, 0), w->state, w->state, slope);
    oracle_give_fraction(e, least, 1, 100000);
    bool tiny = !oracle_decide(least, level, &c->clear) || !oracle_decide(least, slope, &c->clear);
    oracle_give_fraction(e, least, 1, tiny ? 1000000 : 100);
    if (tiny) {
        oracle_copy(c->wish, least);
    } else {
        oracle_divide(e, c->wish, level, slope);
        oracle_multiply(e, c->wish, least, c->wish);
    }
}

// Stages, next and the norm of the error for the work's interval; the first stage is evaluated anew, with the same bits.
static void make_step(oracle_work *w, const oracle_solver_row *solver, oracle_number *norm)
{
    oracle_engine *e = w->engine;
    oracle_number *weight = &w->scratch[0], *sum = &w->scratch[1];
    oracle_explicit_run_stages(w, ORACLE_DOPRI5, 0, 7);
    oracle_explicit_advance(w, ORACLE_DOPRI5, 7, 6, w->next);
    for (int i = 0; i < w->n; ++i) {
        for (int s = 0; s < 7; ++s) {
            oracle_weight row = oracle_explicit_row(ORACLE_DOPRI5, 8)[s];
            oracle_give_fraction(e, weight, row.numerator, row.denominator);
            if (s == 0) {
                oracle_multiply(e, sum, weight, &oracle_stage(w, s)[i]);
            } else if (row.numerator != 0) {
                oracle_fma(e, sum, weight, &oracle_stage(w, s)[i], sum);
            }
        }
        oracle_multiply(e, &w->before[i], w->step, sum);
    }
    scaled_norm(w, solver, w->before, w->state, w->next, norm);
}

static void step_map(oracle_work *work, const void *context, oracle_number *results)
{
    make_step(work, context, &results[work->n]);
    oracle_vector_copy(work, work->next, results);
}

// The step from w->from to `end`, with what the state's errors make of it.
static void attempt(controller *c, const oracle_number *end)
{
    oracle_work *w = &c->work;
    golden_error ignored;
    oracle_copy(w->to, end);
    oracle_subtract(w->engine, w->step, w->to, w->from);
    if (!oracle_engine_replays(w->engine)) {
        make_step(w, c->solver, c->norm);
        return;
    }
    oracle_vector_copy(w, w->state, c->errors);
    for (int i = 0; i < w->n; ++i) {
        mpfr_set_zero(w->state[i].bound, 1);
    }
    // An end that is only bounded counts as the value it has: the step that is kept goes to a recorded one.
    mpfr_set_zero(w->to->bound, 1);
    oracle_subtract(w->engine, w->step, w->to, w->from);
    make_step(w, c->solver, &c->results[w->n]);
    oracle_vector_copy(w, w->next, c->results);
    oracle_propagate(w, step_map, c->solver, (size_t)w->n + 1, c->errors, c->results, &ignored);
    oracle_vector_copy(w, c->results, w->next);
    oracle_copy(c->norm, &c->results[w->n]);
    if (!mpfr_zero_p(end->bound) && mpfr_sgn(w->step->value) > 0) { // norm ~ step^5 for small steps; 8 leaves room
        mpfr_div(w->scratch[0].bound, end->bound, w->step->value, MPFR_RNDU);
        mpfr_mul_ui(w->scratch[0].bound, w->scratch[0].bound, 8, MPFR_RNDU);
        mpfr_mul(w->scratch[0].bound, w->scratch[0].bound, c->norm->value, MPFR_RNDU);
        mpfr_add(c->norm->bound, c->norm->bound, w->scratch[0].bound, MPFR_RNDU);
    }
    oracle_vector_copy(w, c->errors, w->state);
}

// Where the controller ends its step: on the target when 1.01 wish reaches it.
static void choose_end(controller *c)
{
    oracle_engine *e = c->work.engine;
    oracle_give_fraction(e, c->reach, 101, 100);
    oracle_fma(e, c->reach, c->reach, c->wish, c->work.from);
    if (oracle_decide(c->target, c->reach, &c->clear)) {
        oracle_copy(c->end, c->target);
    } else {
        oracle_add(e, c->end, c->work.from, c->wish);
    }
}

// After an accepted step from a recorded time to the next: a step cut short by the grid does not shrink the wish.
static void grow(controller *c)
{
    oracle_engine *e = c->work.engine;
    oracle_number *factor = &c->scalars[5], *grown = &c->scalars[6], *whole = &c->scalars[7];
    step_factor(c, c->norm, factor);
    oracle_multiply(e, grown, factor, c->work.step);
    oracle_give_fraction(e, whole, 99, 100);
    oracle_multiply(e, whole, whole, c->wish);
    if (oracle_decide(whole, c->work.step, &c->clear)) {
        oracle_copy(c->wish, grown);
    } else {
        oracle_maximum(c->wish, c->wish, grown);
    }
}

static void shrink(controller *c)
{
    oracle_number *factor = &c->scalars[5];
    step_factor(c, c->norm, factor);
    oracle_multiply(c->work.engine, c->wish, factor, c->work.step);
    ++c->rejected;
}

static golden_status control_open(controller *c, oracle_solver_row *solver, oracle_engine *engine, golden_error *error)
{
    *c = (controller){.solver = solver, .clear = true};
    golden_status status = oracle_solver_begin(solver, engine, &c->work, error);
    c->scalars = oracle_numbers(engine, CONTROL_SCALARS);
    c->errors = oracle_numbers(engine, (size_t)solver->network.states);
    c->results = oracle_numbers(engine, (size_t)solver->network.states + 1);
    if (status == GOLDEN_OK && (c->scalars == NULL || c->errors == NULL || c->results == NULL)) {
        status = golden_fail(error, GOLDEN_REFUSED, "out of memory for a controller.");
    }
    if (status == GOLDEN_OK) {
        c->wish = &c->scalars[0];
        c->norm = &c->scalars[1];
        c->reach = &c->scalars[2];
        c->end = &c->scalars[3];
        c->target = &c->scalars[4];
    }
    return status;
}

static void control_close(controller *c)
{
    size_t n = (size_t)c->solver->network.states;
    oracle_tracked_free(c->scalars, c->scalars == NULL ? 0 : CONTROL_SCALARS);
    oracle_tracked_free(c->errors, c->errors == NULL ? 0 : n);
    oracle_tracked_free(c->results, c->results == NULL ? 0 : n + 1);
    oracle_work_close(&c->work);
}

static void give_target(controller *c, size_t point)
{
    oracle_engine *e = c->work.engine;
    oracle_load(e->work, golden_array_at(&c->solver->times, point));
    golden_value rounded = oracle_round(e->work, e->dtype);
    oracle_give_value(e, c->target, rounded);
}

// The first grid point from `point` on that lies after the work's time; equal times are one.
static size_t reached(controller *c, size_t point)
{
    for (; point < c->solver->times.count; ++point) {
        give_target(c, point);
        if (mpfr_greater_p(c->target->value, c->work.from->value)) {
            break;
        }
    }
    return point;
}

// Follows the recorded times; `times` gets the end of every step as the controller chooses it.
static golden_status follow(controller *c, oracle_number *times, golden_error *error)
{
    oracle_solver_row *solver = c->solver;
    oracle_engine *e = c->work.engine;
    oracle_work *w = &c->work;
    oracle_number *one = &c->scalars[8];
    oracle_give_double(e, one, 1.0);
    oracle_give_value(e, w->from, solver->answer->outputs[solver->first_time].value);
    oracle_copy(&times[0], w->from);
    size_t point = reached(c, 0);
    begin(c);
    for (size_t k = 1; k < solver->time_count; ++k) {
        int tries = 0;
        if (point >= solver->times.count) {
            return golden_fail(error, GOLDEN_DIFFERS, "row %s: times are recorded past the grid's end.", solver->row->id);
        }
        give_target(c, point);
        for (choose_end(c), attempt(c, c->end); !oracle_decide(c->norm, one, &c->clear) && tries < 25; ++tries) {
            shrink(c);
            choose_end(c);
            attempt(c, c->end);
        }
        oracle_copy(&times[k], c->end);
        oracle_give_value(e, c->end, solver->answer->outputs[solver->first_time + k].value);
        attempt(c, c->end);
        ++c->accepted;
        grow(c);
        oracle_vector_copy(w, w->next, w->state);
        oracle_copy(w->from, c->end);
        point = reached(c, point);
    }
    if (point < solver->times.count) {
        return golden_fail(error, GOLDEN_DIFFERS, "row %s: the recorded times end before the grid.", solver->row->id);
    }
    return GOLDEN_OK;
}

// Both engines must have decided alike.
static golden_status agree(controller *c, golden_error *error)
{
    oracle_solver_row *solver = c->solver;
    if (oracle_engine_replays(c->work.engine)) {
        solver->accepted = c->accepted;
        solver->rejected = c->rejected;
        return c->clear
                   ? GOLDEN_OK
                   : golden_fail(error, GOLDEN_REFUSED, "row %s: a decision lies within 2^10 times its rounding.", solver->row->id);
    }
    return c->rejected == solver->rejected
               ? GOLDEN_OK
               : golden_fail(error, GOLDEN_REFUSED, "row %s: the exact controller rejects %d steps, the replay %d.",
                             solver->row->id, c->rejected, solver->rejected);
}

static golden_status evaluate(oracle_engine *engine, oracle_solver_row *solver, bool wants_times, oracle_number *results,
                              golden_error *error)
{
    controller c;
    oracle_number *times = wants_times ? results : oracle_numbers(engine, solver->time_count);
    golden_status status = control_open(&c, solver, engine, error);
    status = status == GOLDEN_OK ? follow(&c, times, error) : status;
    status = status == GOLDEN_OK ? agree(&c, error) : status;
    for (int i = 0; status == GOLDEN_OK && !wants_times && i < c.work.n; ++i) {
        oracle_copy(&results[i], &c.work.state[i]);
    }
    if (!wants_times) {
        engine->estimated = false; // states follow recorded times: no estimated number is in them
        oracle_tracked_free(times, solver->time_count);
    }
    control_close(&c);
    return status;
}

static golden_status evaluate_states(oracle_engine *engine, void *context, oracle_number *results, golden_error *error)
{
    return evaluate(engine, context, false, results, error);
}

static golden_status evaluate_times(oracle_engine *engine, void *context, oracle_number *results, golden_error *error)
{
    return evaluate(engine, context, true, results, error);
}

// Final state, accepted and rejected steps, then the recorded times.
golden_status oracle_solver_adaptive(const golden_row *row, const golden_answer *answer, oracle_truths *truths, golden_error *error)
{
    oracle_solver_row solver;
    golden_status status = oracle_solver_read(row, &solver, error);
    size_t states = solver.y.count;
    if (status == GOLDEN_OK && answer->count < states + 3) {
        status = golden_fail(error, GOLDEN_DIFFERS, "row %s: the answer has no recorded times.", row->id);
    }
    status = status == GOLDEN_OK ? oracle_expect(row, answer, answer->count, NULL, error) : status;
    solver.answer = answer;
    solver.first_time = states + 2;
    solver.time_count = answer->count - solver.first_time;
    status = status == GOLDEN_OK ? oracle_conclude(evaluate_states, &solver, row->dtype, 0, states, truths, error) : status;
    if (status == GOLDEN_OK) {
        status = oracle_conclude(evaluate_times, &solver, row->dtype, solver.first_time, solver.time_count, truths, error);
        oracle_set_integer(truths, states, solver.accepted);
        oracle_set_integer(truths, states + 1, solver.rejected);
    }
    oracle_solver_free(&solver);
    return status;
}
