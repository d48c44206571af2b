// SPDX-License-Identifier: Apache-2.0
// Implicit methods. Truth is the root of the stage's equation: an exact engine iterates to its last bit. A replay makes the
// documented iterations for the bits, and bounds the distance of its last iterate z from the root by
//   |M^-1| (|G(z)| + bound of G(z)), M = I - g h J(z), G the residual in the replay's own roundings with z taken as exact;
// what is left out is quadratic in that distance, which the factor 1 + 2^-10 covers while the distance is below 2^-12 of z.
#include "solver.h"

enum { EXACT_ITERATIONS = 40, REPLAY_ITERATIONS = 10 };

// side = fma(-(factor step), f(z), z - target)
static void residual(oracle_work *work, const oracle_number *factor, const oracle_number *z)
{
    oracle_engine *e = work->engine;
    oracle_number *scale = &work->scratch[0], *gap = &work->scratch[1];
    oracle_rates_at(work, ORACLE_ALL, z, work->side);
    oracle_multiply(e, scale, factor, work->step);
    oracle_negate(scale, scale);
    for (int i = 0; i < work->n; ++i) {
        oracle_subtract(e, gap, &z[i], &work->target[i]);
        oracle_fma(e, &work->side[i], scale, &work->side[i], gap);
    }
}

// One iteration: z moves by the solution of the linearised equation. `*change` and `*size` are the largest absolute values.
static void iterate(oracle_work *work, const oracle_number *factor, oracle_number *z, oracle_number *change, oracle_number *size)
{
    oracle_number *absolute = &work->scratch[1];
    residual(work, factor, z);
    oracle_system_make(work, factor);
    oracle_system_factor(work);
    oracle_system_solve(work, work->side);
    oracle_tracked_zero(change);
    oracle_tracked_zero(size);
    for (int i = 0; i < work->n; ++i) {
        oracle_subtract(work->engine, &z[i], &z[i], &work->side[i]);
        oracle_absolute(absolute, &work->side[i]);
        oracle_maximum(change, change, absolute);
        oracle_absolute(absolute, &z[i]);
        oracle_maximum(size, size, absolute);
    }
}

// The inverse of I - factor step J at z, exactly enough: the replay's own numbers at many bits.
static bool inverse_bound(oracle_work *work, const oracle_number *factor, oracle_number *z, golden_error *error)
{
    oracle_engine wide;
    oracle_work exact;
    oracle_engine_init(&wide, work->engine->dtype, 256);
    bool ok = oracle_work_open(&exact, &wide, work->network, error) == GOLDEN_OK;
    mpfr_t sum, term;
    mpfr_inits2(64, sum, term, (mpfr_ptr)0);
    if (ok) {
        oracle_vector_copy(work, z, exact.state);
        for (int i = 0; i < work->network->parameters; ++i) {
            oracle_copy(&exact.parameters[i], &work->parameters[i]);
        }
        oracle_copy(exact.step, work->step);
        oracle_copy(exact.time, work->time);
        oracle_copy(&exact.scratch[5], factor);
        oracle_rates_at(&exact, ORACLE_ALL, exact.state, exact.next);
        oracle_system_make(&exact, &exact.scratch[5]);
        oracle_system_factor(&exact);
        for (int i = 0; i < work->n; ++i) {
            mpfr_set_zero(z[i].bound, 1);
        }
        for (int j = 0; j < work->n; ++j) {
            mpfr_abs(term, work->side[j].value, MPFR_RNDU);
            mpfr_add(term, term, work->side[j].bound, MPFR_RNDU);
            for (int i = 0; i < work->n; ++i) {
                mpfr_set_si(exact.side[i].value, i == j, MPFR_RNDN);
            }
            oracle_system_solve(&exact, exact.side);
            for (int i = 0; i < work->n; ++i) {
                mpfr_abs(sum, exact.side[i].value, MPFR_RNDU);
                mpfr_mul(sum, sum, term, MPFR_RNDU);
                mpfr_add(z[i].bound, z[i].bound, sum, MPFR_RNDU);
            }
        }
        mpfr_set_ui_2exp(sum, 1, -10, MPFR_RNDU);
        mpfr_add_ui(sum, sum, 1, MPFR_RNDU);
        for (int i = 0; i < work->n; ++i) {
            mpfr_mul(z[i].bound, z[i].bound, sum, MPFR_RNDU);
        }
    }
    mpfr_clears(sum, term, (mpfr_ptr)0);
    oracle_work_close(&exact);
    oracle_engine_clear(&wide);
    return ok;
}

// z solves z = target + factor step f(time, z), from the z that it holds.
static void newton(oracle_work *work, const oracle_number *factor, oracle_number *z)
{
    oracle_engine *e = work->engine;
    oracle_number *change = &work->scratch[6], *size = &work->scratch[7], *tolerance = &work->scratch[8];
    bool replays = oracle_engine_replays(e), open = true;
    golden_error ignored;
    for (int i = 0; i < work->n && replays; ++i) {
        mpfr_set_zero(z[i].bound, 1); // a guess is exact; the bound comes from the end
    }
    for (int k = 0; open && k < (replays ? REPLAY_ITERATIONS : EXACT_ITERATIONS); ++k) {
        iterate(work, factor, z, change, size);
        oracle_give_double(e, tolerance, work->newton_tolerance);
        if (!replays) { // to the last bits: quadratic convergence ends when the change is below half of them
            mpfr_set_ui_2exp(tolerance->value, 1, -(mpfr_exp_t)(3 * e->precision / 4), MPFR_RNDN);
        }
        oracle_multiply(e, tolerance, tolerance, size);
        open = !mpfr_lessequal_p(change->value, tolerance->value);
        work->newton += replays;
        for (int i = 0; i < work->n && replays; ++i) {
            mpfr_set_zero(z[i].bound, 1);
        }
    }
    work->failed = work->failed || open;
    if (replays && !work->failed) {
        residual(work, factor, z);
        work->failed = !inverse_bound(work, factor, z, &ignored);
    }
}

static void bdf2(oracle_work *work)
{
    oracle_engine *e = work->engine;
    oracle_number *ratio = &work->scratch[2], *bottom = &work->scratch[3], *more = &work->scratch[4], *now = &work->scratch[9];
    oracle_number *then = &work->scratch[10], *kept = &work->scratch[11], *one = &work->scratch[5], *two = &work->scratch[1];
    oracle_give_double(e, one, 1.0);
    oracle_give_double(e, two, 2.0);
    oracle_tracked_zero(ratio);
    if (work->has_before) {
        oracle_divide(e, ratio, work->step, work->step_before);
    }
    oracle_fma(e, bottom, two, ratio, one);
    oracle_add(e, more, ratio, one);
    oracle_multiply(e, now, more, more);
    oracle_divide(e, now, now, bottom);
    oracle_multiply(e, then, ratio, ratio);
    oracle_divide(e, then, then, bottom);
    oracle_copy(kept, work->step);
    oracle_divide(e, more, more, bottom);
    oracle_multiply(e, work->step, work->step, more);
    for (int i = 0; i < work->n; ++i) {
        oracle_number *past = &work->scratch[2];
        oracle_tracked_zero(past);
        if (work->has_before) {
            oracle_multiply(e, past, then, &work->before[i]);
        }
        oracle_negate(past, past);
        oracle_fma(e, &work->target[i], now, &work->state[i], past);
    }
    newton(work, one, work->next);
    oracle_copy(work->step, kept);
}

static void time_slope(oracle_work *work, oracle_number *slope)
{
    int given = work->n + work->network->parameters + 1;
    for (int i = 0; i < given; ++i) {
        oracle_give_double(work->engine, &work->tape.tangents[i], i == given - 1 ? 1.0 : 0.0);
    }
    oracle_tape_forward(&work->tape, given);
    for (int i = 0; i < work->n; ++i) {
        oracle_copy(&slope[i], &work->tape.tangents[work->rates_at[i]]);
    }
}

// W k1 = f(t0, y) + g h f_t, W k2 = f(t1, y + h k1) - 2 k1 - g h f_t, y' = y + 3/2 h k1 + 1/2 h k2
static void ros2(oracle_work *work)
{
    oracle_engine *e = work->engine;
    oracle_number *gamma = &work->scratch[5], *factor = &work->scratch[6], *first = oracle_stage(work, 0),
                  *slope = oracle_stage(work, 1);
    oracle_give_surd(e, gamma, 2, -1, 2);
    oracle_stage_time(work, NULL);
    oracle_rates_at(work, ORACLE_ALL, work->state, work->side);
    time_slope(work, slope);
    oracle_system_make(work, gamma);
    oracle_system_factor(work);
    oracle_advance(work, gamma, slope, work->side, first);
    oracle_system_solve(work, first);
    oracle_give_double(e, factor, 1.0);
    oracle_advance(work, factor, first, work->state, work->target);
    oracle_stage_time(work, factor);
    oracle_rates_at(work, ORACLE_ALL, work->target, work->side);
    oracle_negate(factor, gamma);
    oracle_advance(work, factor, slope, work->side, work->side);
    oracle_give_double(e, factor, -2.0);
    for (int i = 0; i < work->n; ++i) {
        oracle_fma(e, &work->side[i], factor, &first[i], &work->side[i]);
    }
    oracle_system_solve(work, work->side);
    oracle_give_double(e, factor, 1.5);
    oracle_advance(work, factor, first, work->state, work->next);
    oracle_give_double(e, factor, 0.5);
    oracle_advance(work, factor, work->side, work->next, work->next);
}

void oracle_implicit_step(oracle_work *work, oracle_method method)
{
    oracle_engine *e = work->engine;
    oracle_number *factor = &work->scratch[5], *one = &work->scratch[2];
    if (method == ORACLE_ROS2) {
        ros2(work);
        return;
    }
    oracle_vector_copy(work, work->state, work->next);
    oracle_vector_copy(work, work->state, work->target);
    if (method == ORACLE_TRAPEZOIDAL) {
        oracle_give_double(e, factor, 0.5);
        oracle_stage_time(work, NULL);
        oracle_rates_at(work, ORACLE_ALL, work->state, oracle_stage(work, 0));
        oracle_advance(work, factor, oracle_stage(work, 0), work->state, work->target);
    } else if (method == ORACLE_SDIRK2) {
        oracle_give_surd(e, factor, 2, -1, 2);
        oracle_stage_time(work, factor);
        newton(work, factor, work->next);
        oracle_rates_at(work, ORACLE_ALL, work->next, oracle_stage(work, 0));
        oracle_give_surd(e, one, 0, 1, 2); // 1 - gamma
        oracle_advance(work, one, oracle_stage(work, 0), work->state, work->target);
    }
    oracle_give_double(e, one, 1.0);
    oracle_stage_time(work, one);
    if (method == ORACLE_BDF2) {
        bdf2(work);
    } else {
        if (method == ORACLE_IMPLICIT_EULER) {
            oracle_give_double(e, factor, 1.0);
        }
        newton(work, factor, work->next);
    }
}
