// SPDX-License-Identifier: Apache-2.0
#include "solver_row.h"

#include <string.h>

static const char *const methods[] = {
    "euler", "heun",   "rk4",        "dopri5",       "implicit-euler", "trapezoidal", "bdf2",
    "ros2",  "sdirk2", "imex-euler", "imex-heun-tr", "imex-trbdf2",    "imex-ark3",
};

static golden_status read_method(const golden_row *row, oracle_method *method, golden_error *error)
{
    const char *name = NULL;
    golden_status status = golden_row_string(row, "method", &name, error);
    for (size_t i = 0; status == GOLDEN_OK && i < sizeof methods / sizeof methods[0]; ++i) {
        if (strcmp(methods[i], name) == 0) {
            *method = (oracle_method)i;
            return GOLDEN_OK;
        }
    }
    return status == GOLDEN_OK ? golden_fail(error, GOLDEN_REFUSED, "row %s: there is no method \"%s\".", row->id, name) : status;
}

static golden_status read_option(const golden_row *row, const char *key, double otherwise, double *value, golden_error *error)
{
    *value = otherwise;
    return golden_row_has(row, key) ? golden_row_real(row, key, value, error) : GOLDEN_OK;
}

golden_status oracle_solver_read(const golden_row *row, oracle_solver_row *solver, golden_error *error)
{
    *solver = (oracle_solver_row){.row = row, .method = ORACLE_DOPRI5};
    bool narrow = row->dtype == GOLDEN_F32;
    golden_status status = oracle_network_read(row, &solver->network, error);
    if (status == GOLDEN_OK && golden_row_has(row, "method")) {
        status = read_method(row, &solver->method, error);
    }
    status = status == GOLDEN_OK ? golden_row_array(row, "times", GOLDEN_F64, &solver->times, error) : status;
    status = status == GOLDEN_OK ? golden_row_array(row, "y", row->dtype, &solver->y, error) : status;
    status = status == GOLDEN_OK ? golden_row_array(row, "p", row->dtype, &solver->p, error) : status;
    if (status == GOLDEN_OK && golden_row_has(row, "seed")) {
        status = golden_row_array(row, "seed", row->dtype, &solver->seed, error);
    }
    double newton = narrow ? 0x1p-14 : 0x1p-36, relative = narrow ? 1e-4 : 1e-6, absolute = narrow ? 1e-6 : 1e-9;
    status = status == GOLDEN_OK ? read_option(row, "newton_tolerance", newton, &solver->newton_tolerance, error) : status;
    status = status == GOLDEN_OK ? read_option(row, "relative", relative, &solver->relative, error) : status;
    status = status == GOLDEN_OK ? read_option(row, "absolute", absolute, &solver->absolute, error) : status;
    status = status == GOLDEN_OK ? read_option(row, "first_step", 0.0, &solver->first_step, error) : status;
    if (status == GOLDEN_OK && (solver->times.count < 1 || solver->y.count != (size_t)solver->network.states ||
                                solver->p.count != (size_t)solver->network.parameters ||
                                (solver->seed.count != 0 && solver->seed.count != solver->y.count))) {
        status = golden_fail(error, GOLDEN_REFUSED, "row %s: times, y, p or seed have a wrong number of elements.", row->id);
    }
    return status;
}

void oracle_solver_free(oracle_solver_row *solver)
{
    golden_array_free(&solver->times);
    golden_array_free(&solver->y);
    golden_array_free(&solver->p);
    golden_array_free(&solver->seed);
}

golden_status oracle_solver_begin(const oracle_solver_row *solver, oracle_engine *engine, oracle_work *work, golden_error *error)
{
    golden_status status = oracle_work_open(work, engine, &solver->network, error);
    for (int i = 0; status == GOLDEN_OK && i < work->n; ++i) {
        oracle_give_value(engine, &work->state[i], golden_array_at(&solver->y, (size_t)i));
    }
    for (int i = 0; status == GOLDEN_OK && i < solver->network.parameters; ++i) {
        oracle_give_value(engine, &work->parameters[i], golden_array_at(&solver->p, (size_t)i));
    }
    work->newton_tolerance = solver->newton_tolerance;
    return status;
}

// t[n] is the time as the dtype holds it, and h the difference of two of them: the rounding of a time is part of the row, the
// rounding of the difference is an error of the step.
static void give_time(const oracle_solver_row *solver, oracle_engine *engine, oracle_number *z, size_t point)
{
    oracle_load(engine->work, golden_array_at(&solver->times, point));
    golden_value rounded = oracle_round(engine->work, engine->dtype);
    oracle_give_value(engine, z, rounded);
}

bool oracle_solver_interval(const oracle_solver_row *solver, oracle_work *work, size_t point)
{
    give_time(solver, work->engine, work->from, point - 1);
    give_time(solver, work->engine, work->to, point);
    oracle_subtract(work->engine, work->step, work->to, work->from);
    return mpfr_sgn(work->step->value) > 0;
}

static void explicit_map(oracle_work *work, const void *context, oracle_number *results)
{
    oracle_explicit_step(work, *(const oracle_method *)context);
    oracle_vector_copy(work, work->next, results);
}

// A replayed explicit step with an exact state, then what the state's errors make of it.
static void explicit_step(oracle_work *work, oracle_method method)
{
    golden_error ignored;
    oracle_number *errors = oracle_numbers(work->engine, (size_t)work->n);
    work->failed = work->failed || errors == NULL;
    if (work->failed || !oracle_engine_replays(work->engine)) {
        oracle_explicit_step(work, method);
    } else {
        oracle_vector_copy(work, work->state, errors);
        for (int i = 0; i < work->n; ++i) {
            mpfr_set_zero(work->state[i].bound, 1);
        }
        oracle_explicit_step(work, method);
        oracle_propagate(work, explicit_map, &method, (size_t)work->n, errors, work->next, &ignored);
        oracle_vector_copy(work, errors, work->state);
    }
    oracle_tracked_free(errors, errors == NULL ? 0 : (size_t)work->n);
}

void oracle_any_step(oracle_work *work, oracle_method method)
{
    if (method <= ORACLE_DOPRI5) {
        explicit_step(work, method);
    } else if (method <= ORACLE_SDIRK2) {
        oracle_implicit_step(work, method);
    } else {
        oracle_imex_step(work, method);
    }
}
