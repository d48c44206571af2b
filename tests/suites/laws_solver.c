// SPDX-License-Identifier: Apache-2.0
// Laws of models and solvers: going on from a stored state is the same as not having stopped, groups may change places, and the
// tangent and adjoint products agree.
#include "laws.h"
#include "model.h"
#include "solver.h"

#include <math.h>
#include <string.h>

enum { STEPS = 6, HALF = 3 };

// A run over [0, STEPS] and one that stops at HALF and starts again there: the same bytes, for every method that looks back no
// further than one step.
static void semigroup(cupel_context *context)
{
    const double start[3] = {900.0, 90.0, 10.0}, parameters[2] = {0.5, 0.25};
    nc_model *model = model_sir(context, 1);
    size_t compared = 0;
    for (int32_t method = 1; method <= METHODS; ++method) {
        if (method == NC_METHOD_BDF2) {
            continue; // two-step: a restart begins with implicit Euler
        }
        nc_solver_options options = options_of(method);
        double whole[3], half[3], rest[3];
        run_uniform(context, model, &options, 0.0, STEPS * 0.25, STEPS, start, 3, parameters, 2, whole);
        run_uniform(context, model, &options, 0.0, HALF * 0.25, HALF, start, 3, parameters, 2, half);
        run_uniform(context, model, &options, HALF * 0.25, STEPS * 0.25, STEPS - HALF, half, 3, parameters, 2, rest);
        cupel_expect_same(context, NC_F64, rest, whole, 3);
        compared += 3;
    }
    cupel_expect_u64(context, compared, 3u * (METHODS - 1));
    cupel_expect_status(context, nc_model_release(model), NC_OK);
}

// Independent groups in another order give the same answers in that order.
static void groups_change_places(cupel_context *context)
{
    enum { GROUPS = 4 };
    static const int order[GROUPS] = {2, 0, 3, 1};
    nc_dtype dtype = cupel_dtype(context);
    const double parameters[2] = {0.5, 0.25}, time = 0.0;
    double state[3 * GROUPS], shuffled[3 * GROUPS];
    for (int c = 0; c < 3; ++c) {
        for (int g = 0; g < GROUPS; ++g) {
            state[c * GROUPS + g] = 10.0 * (c + 1) + 3.25 * g;
        }
    }
    for (int c = 0; c < 3; ++c) {
        for (int g = 0; g < GROUPS; ++g) {
            shuffled[c * GROUPS + g] = state[c * GROUPS + order[g]];
        }
    }
    nc_model *model = model_sir(context, GROUPS);
    nc_array *set = vector_of(context, parameters, 2),
             *at = cupel_input(context, dtype, 0, NULL, cupel_reals(context, dtype, &time, 1));
    nc_array *straight = cupel_output_vector(context, dtype, 3 * GROUPS), *mixed = cupel_output_vector(context, dtype, 3 * GROUPS);
    cupel_require_ok(context, nc_model_rhs(model, at, vector_of(context, state, 3 * GROUPS), set, straight));
    cupel_require_ok(context, nc_model_rhs(model, at, vector_of(context, shuffled, 3 * GROUPS), set, mixed));
    const unsigned char *values = cupel_download(context, straight);
    size_t width = nc_dtype_size(dtype);
    unsigned char *expected = cupel_alloc(context, 3 * GROUPS * width);
    for (int c = 0; c < 3; ++c) {
        for (int g = 0; g < GROUPS; ++g) {
            memcpy(expected + (size_t)(c * GROUPS + g) * width, values + (size_t)(c * GROUPS + order[g]) * width, width);
        }
    }
    cupel_expect_bits(context, mixed, expected, 3 * GROUPS);
    cupel_expect_status(context, nc_model_release(model), NC_OK);
}

// <w, J v> = <J' w, v> for the hierarchical fixture, coupled and not. Both sides sum FIXTURE_STATES products of numbers that carry
// up to FIXTURE_TANGENT_ROUNDINGS roundings.
static void adjoint_identity(cupel_context *context)
{
    nc_dtype dtype = cupel_dtype(context);
    double state[FIXTURE_STATES], parameters[FIXTURE_PARAMETERS], v[FIXTURE_STATES], w[FIXTURE_STATES];
    fixture_state(0, state);
    fixture_parameters(0, parameters);
    for (int i = 0; i < FIXTURE_STATES; ++i) {
        v[i] = (double)(i % 7 - 3) * 0.25;
        w[i] = (double)(i % 5 - 2) * 0.5;
    }
    for (int coupled = 0; coupled < 2; ++coupled) {
        fixture f = fixture_create(context, coupled);
        nc_array *at = fixture_scalar(context, 0.0), *x = fixture_vector(context, state, FIXTURE_STATES);
        nc_array *set = fixture_vector(context, parameters, FIXTURE_PARAMETERS);
        nc_array *forward = cupel_output_vector(context, dtype, FIXTURE_STATES);
        nc_array *backward = cupel_output_vector(context, dtype, FIXTURE_STATES);
        cupel_require_ok(context, nc_model_jvp(f.model, NC_FUNCTION_RHS, at, x, set, NULL,
                                               fixture_vector(context, v, FIXTURE_STATES), NULL, forward));
        cupel_require_ok(context, nc_model_vjp(f.model, NC_FUNCTION_RHS, at, x, set, fixture_vector(context, w, FIXTURE_STATES),
                                               NULL, backward, NULL));
        const void *jv = cupel_download(context, forward), *jw = cupel_download(context, backward);
        double left = 0.0, right = 0.0, size = 0.0, magnitude[FIXTURE_STATES], product[FIXTURE_STATES];
        fixture_tangent(coupled, state, parameters, v, parameters, product, magnitude);
        for (int i = 0; i < FIXTURE_STATES; ++i) {
            left += w[i] * cupel_get_real(dtype, jv, (size_t)i);
            right += v[i] * cupel_get_real(dtype, jw, (size_t)i);
            size += fabs(w[i]) * magnitude[i];
        }
        cupel_expect_true(context, fabs(left) > 0.0);
        cupel_expect_true(context,
                          fabs(left - right) <= 2.0 * fixture_bound(dtype, FIXTURE_TANGENT_ROUNDINGS + FIXTURE_STATES, size));
        fixture_release(context, &f);
    }
}

// J (2^k v) = 2^k J v and J' (2^k w) = 2^k J' w, bit for bit.
static void tangents_scale(cupel_context *context)
{
    nc_dtype dtype = cupel_dtype(context);
    double state[FIXTURE_STATES], parameters[FIXTURE_PARAMETERS], v[FIXTURE_STATES];
    const double factors[2] = {1.0, -0x1p-4};
    const void *forward[2], *backward[2];
    fixture_state(0, state);
    fixture_parameters(0, parameters);
    fixture f = fixture_create(context, 1);
    for (int k = 0; k < 2; ++k) {
        for (int i = 0; i < FIXTURE_STATES; ++i) {
            v[i] = factors[k] * ((double)(i % 7 - 3) * 0.25);
        }
        nc_array *at = fixture_scalar(context, 0.0), *x = fixture_vector(context, state, FIXTURE_STATES);
        nc_array *set = fixture_vector(context, parameters, FIXTURE_PARAMETERS),
                 *tangent = fixture_vector(context, v, FIXTURE_STATES);
        nc_array *out[2] = {cupel_output_vector(context, dtype, FIXTURE_STATES),
                            cupel_output_vector(context, dtype, FIXTURE_STATES)};
        cupel_require_ok(context, nc_model_jvp(f.model, NC_FUNCTION_RHS, at, x, set, NULL, tangent, NULL, out[0]));
        cupel_require_ok(context, nc_model_vjp(f.model, NC_FUNCTION_RHS, at, x, set, tangent, NULL, out[1], NULL));
        forward[k] = cupel_download(context, out[0]);
        backward[k] = cupel_download(context, out[1]);
    }
    for (size_t i = 0; i < FIXTURE_STATES; ++i) {
        double expected[2] = {factors[1] * cupel_get_real(dtype, forward[0], i),
                              factors[1] * cupel_get_real(dtype, backward[0], i)};
        cupel_expect_true(context, cupel_get_real(dtype, forward[1], i) == expected[0]);
        cupel_expect_true(context, cupel_get_real(dtype, backward[1], i) == expected[1]);
    }
    fixture_release(context, &f);
}

static const cupel_case cases[] = {
    CUPEL_CASE_REALS("laws.solver.adjoint-identity", adjoint_identity),
    CUPEL_CASE_REALS("laws.solver.groups-change-places", groups_change_places),
    CUPEL_CASE_REALS("laws.solver.semigroup", semigroup),
    CUPEL_CASE_REALS("laws.solver.tangents-scale", tangents_scale),
};

const cupel_table laws_solver_table = CUPEL_TABLE(cases);
