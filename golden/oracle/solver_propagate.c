// SPDX-License-Identifier: Apache-2.0
#include "solver.h"

enum { BITS = 320, DISTANCE = 120 }; // of the quotients, and how small their differences are: 2^-120 of a cell

// A work at many bits with the values of a replay.
static golden_status clone(const oracle_work *work, oracle_engine *engine, oracle_work *copy, golden_error *error)
{
    golden_status status = oracle_work_open(copy, engine, work->network, error);
    const oracle_number *from[] = {work->from, work->to, work->step};
    for (size_t i = 0; status == GOLDEN_OK && i < sizeof from / sizeof from[0]; ++i) {
        oracle_number *to[] = {copy->from, copy->to, copy->step};
        oracle_copy(to[i], from[i]);
    }
    for (int i = 0; status == GOLDEN_OK && i < work->network->parameters; ++i) {
        oracle_copy(&copy->parameters[i], &work->parameters[i]);
    }
    return status;
}

// total[i] += |moved[i] - still[i]| / distance * error, upwards
static void add_share(size_t count, const oracle_number *still, const oracle_number *moved, const mpfr_t distance,
                      const mpfr_t error, oracle_number *results)
{
    mpfr_t share;
    mpfr_init2(share, 64);
    for (size_t i = 0; i < count; ++i) {
        mpfr_sub(share, moved[i].value, still[i].value, MPFR_RNDA);
        mpfr_abs(share, share, MPFR_RNDU);
        mpfr_div(share, share, distance, MPFR_RNDU);
        mpfr_mul(share, share, error, MPFR_RNDU);
        mpfr_mul_d(share, share, 1.0 + 0x1p-10, MPFR_RNDU);
        mpfr_add(results[i].bound, results[i].bound, share, MPFR_RNDU);
    }
    mpfr_clear(share);
}

void oracle_propagate(const oracle_work *work, oracle_step_map *map, const void *context, size_t count, const oracle_number *errors,
                      oracle_number *results, golden_error *error)
{
    oracle_engine engine;
    oracle_work copy;
    oracle_engine_init(&engine, work->engine->dtype, BITS);
    golden_status status = clone(work, &engine, &copy, error);
    oracle_number *still = oracle_numbers(&engine, count), *moved = oracle_numbers(&engine, count);
    mpfr_t distance;
    mpfr_init2(distance, BITS);
    if (status == GOLDEN_OK && still != NULL && moved != NULL) {
        oracle_vector_copy(work, work->state, copy.state);
        map(&copy, context, still);
        for (int j = 0; j < work->n; ++j) {
            oracle_vector_copy(work, work->state, copy.state);
            mpfr_set_ui_2exp(distance, 1, -DISTANCE, MPFR_RNDN);
            mpfr_add(copy.state[j].value, copy.state[j].value, distance, MPFR_RNDN);
            if (!mpfr_zero_p(errors[j].bound)) {
                map(&copy, context, moved);
                add_share(count, still, moved, distance, errors[j].bound, results);
            }
        }
    }
    mpfr_clear(distance);
    oracle_tracked_free(still, still == NULL ? 0 : count);
    oracle_tracked_free(moved, moved == NULL ? 0 : count);
    oracle_work_close(&copy);
    oracle_engine_clear(&engine);
}
