// SPDX-License-Identifier: Apache-2.0
// Vectors, evaluations and linear systems of a run.
#include "solver.h"

#include <stdlib.h>

golden_status oracle_work_open(oracle_work *work, oracle_engine *engine, const oracle_network *network, golden_error *error)
{
    size_t n = (size_t)network->states, parameters = (size_t)network->parameters;
    *work = (oracle_work){.engine = engine, .network = network, .n = network->states};
    oracle_tape_init(&work->tape, engine);
    work->nodes = calloc(n + parameters + 1, sizeof *work->nodes);
    work->rates_at = calloc(n + 1, sizeof *work->rates_at);
    work->pivots = calloc(n + 1, sizeof *work->pivots);
    oracle_number **vectors[] = {&work->state, &work->next, &work->before, &work->side, &work->target};
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; ++i) {
        *vectors[i] = oracle_numbers(engine, n);
        work->failed = work->failed || *vectors[i] == NULL;
    }
    work->stages = oracle_numbers(engine, n * ORACLE_STAGES);
    work->parameters = oracle_numbers(engine, parameters);
    work->matrix = oracle_numbers(engine, n * n);
    work->from = oracle_numbers(engine, 5 + ORACLE_SCALARS);
    work->failed = work->failed || work->tape.failed || work->nodes == NULL || work->rates_at == NULL || work->pivots == NULL ||
                   work->stages == NULL || work->parameters == NULL || work->matrix == NULL || work->from == NULL;
    if (work->failed) {
        return golden_fail(error, GOLDEN_REFUSED, "out of memory for a run of %zu states.", n);
    }
    work->to = work->from + 1;
    work->step = work->from + 2;
    work->step_before = work->from + 3;
    work->time = work->from + 4;
    work->scratch = work->from + 5;
    return GOLDEN_OK;
}

void oracle_work_close(oracle_work *work)
{
    size_t n = (size_t)work->n;
    oracle_number *vectors[] = {work->state, work->next, work->before, work->side, work->target};
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; ++i) {
        oracle_tracked_free(vectors[i], vectors[i] == NULL ? 0 : n);
    }
    oracle_tracked_free(work->stages, work->stages == NULL ? 0 : n * ORACLE_STAGES);
    oracle_tracked_free(work->parameters, work->parameters == NULL ? 0 : (size_t)work->network->parameters);
    oracle_tracked_free(work->matrix, work->matrix == NULL ? 0 : n * n);
    oracle_tracked_free(work->from, work->from == NULL ? 0 : 5 + ORACLE_SCALARS);
    oracle_tape_free(&work->tape);
    free(work->nodes);
    free(work->rates_at);
    free(work->pivots);
}

oracle_number *oracle_stage(oracle_work *work, int stage)
{
    return work->stages + (size_t)stage * (size_t)work->n;
}

void oracle_vector_copy(const oracle_work *work, const oracle_number *from, oracle_number *to)
{
    for (int i = 0; i < work->n; ++i) {
        oracle_copy(&to[i], &from[i]);
    }
}

void oracle_rates_at(oracle_work *work, oracle_part part, const oracle_number *state, oracle_number *rates)
{
    oracle_tape *tape = &work->tape;
    int parameters = work->network->parameters, given = work->n + parameters + 1;
    oracle_tape_reset(tape);
    for (int i = 0; i < given; ++i) {
        work->nodes[i] = oracle_tape_given(tape);
        const oracle_number *value = i < work->n                ? &state[i]
                                     : i < work->n + parameters ? &work->parameters[i - work->n]
                                                                : work->time;
        if (!tape->failed) {
            oracle_copy(&tape->values[i], value);
        }
    }
    oracle_point at = {work->nodes, work->nodes + work->n, work->nodes[given - 1]};
    oracle_network_rates(work->network, tape, part, at, work->rates_at, NULL);
    work->failed = work->failed || tape->failed;
    for (int i = 0; i < work->n && !work->failed; ++i) {
        oracle_copy(&rates[i], &tape->values[work->rates_at[i]]);
    }
}

void oracle_advance(oracle_work *work, const oracle_number *factor, const oracle_number *x, const oracle_number *base,
                    oracle_number *to)
{
    oracle_number *scale = &work->scratch[0];
    oracle_multiply(work->engine, scale, factor, work->step);
    for (int i = 0; i < work->n; ++i) {
        oracle_fma(work->engine, &to[i], scale, &x[i], &base[i]);
    }
}

void oracle_stage_time(oracle_work *work, const oracle_number *fraction)
{
    if (fraction == NULL) {
        oracle_copy(work->time, work->from);
    } else if (mpfr_cmp_ui(fraction->value, 1) == 0) {
        oracle_copy(work->time, work->to);
    } else {
        oracle_fma(work->engine, work->time, fraction, work->step, work->from);
    }
}

void oracle_system_make(oracle_work *work, const oracle_number *factor)
{
    oracle_engine *e = work->engine;
    oracle_number *scale = &work->scratch[0], *diagonal = &work->scratch[1];
    int given = work->n + work->network->parameters + 1;
    oracle_multiply(e, scale, factor, work->step);
    oracle_negate(scale, scale);
    for (int j = 0; j < work->n; ++j) {
        for (int i = 0; i < given; ++i) {
            oracle_give_double(e, &work->tape.tangents[i], i == j ? 1.0 : 0.0);
        }
        oracle_tape_forward(&work->tape, given);
        for (int i = 0; i < work->n; ++i) {
            oracle_give_double(e, diagonal, i == j ? 1.0 : 0.0);
            oracle_fma(e, &work->matrix[i * work->n + j], scale, &work->tape.tangents[work->rates_at[i]], diagonal);
        }
    }
}

// Gaussian elimination with partial pivoting, ties to the lowest row; whole rows are exchanged.
void oracle_system_factor(oracle_work *work)
{
    oracle_engine *e = work->engine;
    oracle_number *m = work->matrix, *multiple = &work->scratch[1];
    int n = work->n;
    for (int k = 0; k < n; ++k) {
        int pivot = k;
        for (int i = k + 1; i < n; ++i) {
            pivot = mpfr_cmpabs(m[i * n + k].value, m[pivot * n + k].value) > 0 ? i : pivot;
        }
        work->pivots[k] = pivot;
        for (int j = 0; j < n && pivot != k; ++j) {
            oracle_tracked_swap(&m[k * n + j], &m[pivot * n + j]);
        }
        for (int i = k + 1; i < n; ++i) {
            oracle_divide(e, &m[i * n + k], &m[i * n + k], &m[k * n + k]);
            oracle_negate(multiple, &m[i * n + k]);
            for (int j = k + 1; j < n; ++j) {
                oracle_fma(e, &m[i * n + j], multiple, &m[k * n + j], &m[i * n + j]);
            }
        }
    }
}

void oracle_system_solve(oracle_work *work, oracle_number *side)
{
    oracle_engine *e = work->engine;
    const oracle_number *m = work->matrix;
    oracle_number *entry = &work->scratch[1];
    int n = work->n;
    for (int k = 0; k < n; ++k) {
        if (work->pivots[k] != k) {
            oracle_tracked_swap(&side[k], &side[work->pivots[k]]);
        }
    }
    for (int i = 1; i < n; ++i) {
        for (int j = 0; j < i; ++j) {
            oracle_negate(entry, &m[i * n + j]);
            oracle_fma(e, &side[i], entry, &side[j], &side[i]);
        }
    }
    for (int i = n - 1; i >= 0; --i) {
        for (int j = i + 1; j < n; ++j) {
            oracle_negate(entry, &m[i * n + j]);
            oracle_fma(e, &side[i], entry, &side[j], &side[i]);
        }
        oracle_divide(e, &side[i], &side[i], &m[i * n + i]);
    }
}
