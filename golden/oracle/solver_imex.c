// SPDX-License-Identifier: Apache-2.0
// IMEX methods: L(d) = I - d h A for the implicit flows A y, F all others.
#include "solver.h"

// L(d) and its factors.
static void matrix(oracle_work *work, const oracle_number *d)
{
    oracle_rates_at(work, ORACLE_IMPLICIT_PART, work->state, work->side);
    oracle_system_make(work, d);
    oracle_system_factor(work);
}

static void explicit_rates(oracle_work *work, const oracle_number *fraction, const oracle_number *state, oracle_number *rates)
{
    oracle_stage_time(work, fraction);
    oracle_rates_at(work, ORACLE_EXPLICIT_PART, state, rates);
}

// L Y = y + part h A y + fraction h F0, L to = y + part h A y + part h (F0 + F(Y))
static void heun(oracle_work *work, const oracle_number *fraction, const oracle_number *part, oracle_number *to)
{
    oracle_engine *e = work->engine;
    oracle_number *rates = oracle_stage(work, 0), *scale = &work->scratch[0], *sum = &work->scratch[1];
    oracle_rates_at(work, ORACLE_IMPLICIT_PART, work->state, work->side);
    oracle_advance(work, part, work->side, work->state, work->target);
    explicit_rates(work, NULL, work->state, rates);
    oracle_advance(work, fraction, rates, work->target, work->side);
    oracle_system_solve(work, work->side);
    explicit_rates(work, fraction, work->side, to);
    for (int i = 0; i < work->n; ++i) {
        oracle_add(e, sum, &rates[i], &to[i]);
        oracle_multiply(e, scale, part, work->step);
        oracle_fma(e, &to[i], scale, sum, &work->target[i]);
    }
    oracle_system_solve(work, to);
}

static void trbdf2(oracle_work *work)
{
    oracle_engine *e = work->engine;
    oracle_number *gamma = &work->scratch[5], *d = &work->scratch[6], *a = &work->scratch[7], *b = &work->scratch[8];
    oracle_number *ahead = &work->scratch[9], *behind = &work->scratch[10], *mixed = &work->scratch[2], *rate = &work->scratch[3];
    oracle_number *scale = &work->scratch[4];
    const oracle_number *start = oracle_stage(work, 0);
    oracle_number *middle = oracle_stage(work, 1), *rates = oracle_stage(work, 2);
    oracle_give_surd(e, gamma, 2, -1, 1);
    oracle_give_surd(e, d, 2, -1, 2);
    oracle_give_surd(e, a, 1, 1, 2);
    oracle_give_surd(e, b, 1, -1, 2);
    oracle_give_surd(e, ahead, 2, 1, 2);
    oracle_give_surd(e, behind, 0, -1, 2);
    matrix(work, d);
    heun(work, gamma, d, middle);
    explicit_rates(work, gamma, middle, rates);
    for (int i = 0; i < work->n; ++i) {
        oracle_multiply(e, mixed, b, &work->state[i]);
        oracle_fma(e, mixed, a, &middle[i], mixed);
        oracle_multiply(e, rate, behind, &start[i]);
        oracle_fma(e, rate, ahead, &rates[i], rate);
        oracle_multiply(e, scale, d, work->step);
        oracle_fma(e, &work->next[i], scale, rate, mixed);
    }
    oracle_system_solve(work, work->next);
}

// ARS(4,4,3): Ascher, Ruuth, Spiteri, Appl. Numer. Math. 25 (1997), section 2.8.
enum { ARK_STAGES = 5 };
static const oracle_weight ark_times[ARK_STAGES] = {{0, 1}, {1, 2}, {2, 3}, {1, 2}, {1, 1}};
static const oracle_weight ark_explicit[ARK_STAGES + 1][ARK_STAGES] = {
    {{0, 1}},
    {{1, 2}},
    {{11, 18}, {1, 18}},
    {{5, 6}, {-5, 6}, {1, 2}},
    {{1, 4}, {7, 4}, {3, 4}, {-7, 4}},
    {{1, 4}, {7, 4}, {3, 4}, {-7, 4}, {0, 1}},
};
static const oracle_weight ark_implicit[ARK_STAGES + 1][ARK_STAGES] = {
    {{0, 1}},
    {{0, 1}},
    {{0, 1}, {1, 6}},
    {{0, 1}, {-1, 2}, {1, 2}},
    {{0, 1}, {3, 2}, {-3, 2}, {1, 2}},
    {{0, 1}, {3, 2}, {-3, 2}, {1, 2}, {1, 2}},
};

static void ark_advance(oracle_work *work, int row, oracle_number *to)
{
    oracle_engine *e = work->engine;
    oracle_number *weight = &work->scratch[0], *sum = &work->scratch[1];
    for (int i = 0; i < work->n; ++i) {
        oracle_tracked_zero(sum);
        for (int s = 0; s < row && s < ARK_STAGES; ++s) {
            oracle_weight left = ark_explicit[row][s], right = ark_implicit[row][s];
            oracle_give_fraction(e, weight, left.numerator, left.denominator);
            oracle_fma(e, sum, weight, &oracle_stage(work, s)[i], sum);
            oracle_give_fraction(e, weight, right.numerator, right.denominator);
            oracle_fma(e, sum, weight, &oracle_stage(work, ARK_STAGES + s)[i], sum);
        }
        oracle_fma(e, &to[i], work->step, sum, &work->state[i]);
    }
}

static void ark3(oracle_work *work)
{
    oracle_number *half = &work->scratch[5], *fraction = &work->scratch[2];
    oracle_give_fraction(work->engine, half, 1, 2);
    matrix(work, half);
    for (int s = 0; s < ARK_STAGES; ++s) {
        if (s == 0) {
            oracle_vector_copy(work, work->state, work->target);
        } else {
            ark_advance(work, s, work->target);
            oracle_system_solve(work, work->target);
        }
        oracle_give_fraction(work->engine, fraction, ark_times[s].numerator, ark_times[s].denominator);
        explicit_rates(work, fraction, work->target, oracle_stage(work, s));
        oracle_rates_at(work, ORACLE_IMPLICIT_PART, work->target, oracle_stage(work, ARK_STAGES + s));
    }
    ark_advance(work, ARK_STAGES, work->next);
}

void oracle_imex_step(oracle_work *work, oracle_method method)
{
    oracle_engine *e = work->engine;
    oracle_number *one = &work->scratch[5], *half = &work->scratch[6];
    oracle_give_fraction(e, one, 1, 1);
    oracle_give_fraction(e, half, 1, 2);
    if (method == ORACLE_IMEX_EULER) {
        matrix(work, one);
        explicit_rates(work, NULL, work->state, oracle_stage(work, 0));
        oracle_advance(work, one, oracle_stage(work, 0), work->state, work->next);
        oracle_system_solve(work, work->next);
    } else if (method == ORACLE_IMEX_HEUN_TR) {
        matrix(work, half);
        heun(work, one, half, work->next);
    } else if (method == ORACLE_IMEX_TRBDF2) {
        trbdf2(work);
    } else {
        ark3(work);
    }
}
