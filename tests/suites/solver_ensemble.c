// SPDX-License-Identifier: Apache-2.0
// Ensembles: a trajectory's bytes do not depend on its company, its place or the layout of the arrays; refusals of whole runs.
#include "model.h"
#include "solver.h"

#include <math.h>
#include <string.h>

#define BATCH 67
#define POINTS 4
static const double grid[POINTS] = {0.0, 0.125, 0.25, 0.5};

// States of a batch, flat, in the order of `order`.
static nc_array *chosen_states(cupel_context *context, const int64_t *order, int64_t count)
{
    const int64_t shape[] = {count, FIXTURE_STATES};
    double *states = cupel_alloc(context, (size_t)(count * FIXTURE_STATES) * sizeof *states);
    for (int64_t i = 0; i < count; ++i) {
        fixture_state(order[i], states + i * FIXTURE_STATES);
    }
    return cupel_input(context, cupel_dtype(context), 2, shape,
                       cupel_reals(context, cupel_dtype(context), states, (size_t)(count * FIXTURE_STATES)));
}

static nc_array *run(cupel_context *context, nc_model *model, int32_t method, const int64_t *order, int64_t count)
{
    double parameters[FIXTURE_PARAMETERS];
    const int64_t shape[] = {count, FIXTURE_STATES};
    nc_solver_options options = options_of(method);
    fixture_parameters(0, parameters);
    nc_array *out = cupel_output(context, cupel_dtype(context), 2, shape), *report = report_of(context, count);
    cupel_require_ok(context, nc_solver_run(model, &options, grid, POINTS, chosen_states(context, order, count),
                                            fixture_vector(context, parameters, FIXTURE_PARAMETERS), NULL, out, report));
    return out;
}

// Alone, in another order, and among 66 others: the same bytes.
static void company_does_not_matter(cupel_context *context)
{
    size_t row = FIXTURE_STATES * nc_dtype_size(cupel_dtype(context));
    int64_t order[BATCH], shuffled[BATCH];
    for (int64_t i = 0; i < BATCH; ++i) {
        order[i] = i;
        shuffled[i] = (i * 29 + 11) % BATCH; // 67 is prime
    }
    fixture f = fixture_create(context, 1);
    for (int32_t method = 1; method <= METHODS; ++method) {
        const unsigned char *all = cupel_download(context, run(context, f.model, method, order, BATCH));
        nc_array *mixed = run(context, f.model, method, shuffled, BATCH);
        unsigned char *expected = cupel_alloc(context, BATCH * row);
        for (size_t i = 0; i < BATCH; ++i) {
            memcpy(expected + i * row, all + (size_t)shuffled[i] * row, row);
        }
        cupel_expect_bits(context, mixed, expected, BATCH * FIXTURE_STATES);
        cupel_expect_bits(context, run(context, f.model, method, order + 40, 1), all + 40 * row, FIXTURE_STATES);
    }
    fixture_release(context, &f);
}

// The last row of a history is the final state; strided arrays and parameters repeated for each trajectory change nothing.
static void layout_does_not_matter(cupel_context *context)
{
    nc_dtype dtype = cupel_dtype(context);
    enum { FEW = 5 };
    const int64_t order[FEW] = {0, 1, 2, 3, 4}, rows[] = {FEW, POINTS, FIXTURE_STATES}, final[] = {FEW, FIXTURE_STATES};
    const int64_t scattered[] = {1, FEW * FIXTURE_STATES, FEW}, sets[] = {FEW, FIXTURE_PARAMETERS}, repeated[] = {0, 1};
    double parameters[FEW * FIXTURE_PARAMETERS], states[FEW * FIXTURE_STATES];
    for (int64_t i = 0; i < FEW; ++i) {
        fixture_parameters(0, parameters + i * FIXTURE_PARAMETERS);
        fixture_state(i, states + i * FIXTURE_STATES);
    }
    size_t row = FIXTURE_STATES * nc_dtype_size(dtype);
    nc_array *state = cupel_input_strided(context, dtype, 2, final, (const int64_t[]){2, 11 * FEW},
                                          cupel_reals(context, dtype, states, FEW * FIXTURE_STATES));
    nc_array *set =
        cupel_input_strided(context, dtype, 2, sets, repeated, cupel_reals(context, dtype, parameters, FEW * FIXTURE_PARAMETERS));
    fixture f = fixture_create(context, 0);
    for (int32_t method = 1; method <= METHODS; ++method) {
        nc_solver_options options = options_of(method);
        options.history = 1;
        nc_array *history = cupel_output_strided(context, dtype, 3, rows, scattered), *report = report_of(context, FEW);
        cupel_require_ok(context, nc_solver_run(f.model, &options, grid, POINTS, state, set, NULL, history, report));
        const unsigned char *all = cupel_download(context, history);
        unsigned char *last = cupel_alloc(context, FEW * row);
        for (size_t i = 0; i < FEW; ++i) {
            memcpy(last + i * row, all + (i * POINTS + POINTS - 1) * row, row);
        }
        cupel_expect_bits(context, run(context, f.model, method, order, FEW), last, FEW * FIXTURE_STATES);
    }
    fixture_release(context, &f);
}

// Nobody appears or disappears: the sum over all cells stays, to the rounding of every step.
static void totals_are_conserved(cupel_context *context)
{
    nc_dtype dtype = cupel_dtype(context);
    fixture f = fixture_create(context, 1);
    double state[FIXTURE_STATES], before = 0.0;
    fixture_state(7, state);
    for (int i = 0; i < FIXTURE_STATES; ++i) {
        before += state[i];
    }
    for (int32_t method = 1; method <= METHODS; ++method) {
        const int64_t order[] = {7};
        const void *out = cupel_download(context, run(context, f.model, method, order, 1));
        double after = 0.0;
        for (size_t i = 0; i < FIXTURE_STATES; ++i) {
            after += cupel_get_real(dtype, out, i);
        }
        // Rates are below the state here (fixture_rhs: gain, rates and recovery under 1), so each of 3 steps makes at most
        // 12 stages * FIXTURE_TANGENT_ROUNDINGS roundings of what the cells hold; Newton leaves at most its tolerance squared.
        double newton = dtype == NC_F32 ? 0x1p-28 : 0x1p-72;
        double bound =
            3.0 * 12.0 * fixture_bound(dtype, FIXTURE_TANGENT_ROUNDINGS, before) + 3.0 * FIXTURE_STATES * newton * before;
        cupel_expect_true(context, fabs(after - before) <= bound);
    }
    fixture_release(context, &f);
}

static void options_refused(cupel_context *context)
{
    nc_dtype dtype = cupel_dtype(context), other = dtype == NC_F32 ? NC_F64 : NC_F32;
    const double k = 0.5, start = 1.0;
    nc_model *model = model_decay(context, 0);
    nc_array *state = vector_of(context, &start, 1), *set = vector_of(context, &k, 1), *report = report_of(context, 0);
    nc_array *out = cupel_output_vector(context, dtype, 1), *narrow = cupel_output_vector(context, other, 1);
    nc_array *wide = cupel_output_vector(context, dtype, 2), *reals = cupel_output_vector(context, dtype, NC_REPORT_COLUMNS);
    nc_array *two = report_of(context, 2);
    nc_solver_options good = options_of(NC_METHOD_RK4);
    nc_step_list steps;
    NC_STRUCT_INIT(&steps);
    steps.times = wide;
#define EXPECT(options, list, target, record, status)                                                                              \
    cupel_expect_status(context, nc_solver_run(model, &(options), grid, POINTS, state, set, (list), (target), (record)), (status))
    struct {
        size_t offset;
        int32_t value;
        nc_status status;
    } wrong[] = {{offsetof(nc_solver_options, method), 0, NC_INVALID_ARGUMENT},
                 {offsetof(nc_solver_options, method), METHODS + 1, NC_INVALID_ARGUMENT},
                 {offsetof(nc_solver_options, stepping), 3, NC_INVALID_ARGUMENT},
                 {offsetof(nc_solver_options, stepping), NC_STEPPING_ADAPTIVE, NC_UNSUPPORTED},
                 {offsetof(nc_solver_options, stepping), NC_STEPPING_REPLAY, NC_NULL_ARGUMENT},
                 {offsetof(nc_solver_options, history), 2, NC_INVALID_ARGUMENT},
                 {offsetof(nc_solver_options, allow_negative), -1, NC_INVALID_ARGUMENT},
                 {offsetof(nc_solver_options, newton_limit), -1, NC_INVALID_ARGUMENT},
                 {offsetof(nc_solver_options, reject_limit), -1, NC_INVALID_ARGUMENT},
                 {offsetof(nc_solver_options, abi_version), 99, NC_ABI_MISMATCH},
                 {offsetof(nc_solver_options, struct_size), 8, NC_ABI_MISMATCH}};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; ++i) {
        nc_solver_options options = good;
        memcpy((unsigned char *)&options + wrong[i].offset, &wrong[i].value, sizeof wrong[i].value);
        EXPECT(options, NULL, out, report, wrong[i].status);
    }
    const double numbers[] = {-1.0, (double)NAN, (double)INFINITY};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; ++i) {
        nc_solver_options options[4] = {good, good, good, good};
        options[0].relative_tolerance = options[1].absolute_tolerance = numbers[i];
        options[2].first_step = options[3].newton_tolerance = numbers[i];
        for (int k4 = 0; k4 < 4; ++k4) {
            EXPECT(options[k4], NULL, out, report, NC_INVALID_ARGUMENT);
        }
    }
    nc_solver_options history = good;
    history.history = 1;
    EXPECT(history, NULL, out, report, NC_SHAPE_MISMATCH);
    EXPECT(good, NULL, wide, report, NC_SHAPE_MISMATCH);
    EXPECT(good, NULL, narrow, report, NC_MIXED_DTYPE);
    EXPECT(good, NULL, out, reals, NC_MIXED_DTYPE);
    EXPECT(good, NULL, out, two, NC_SHAPE_MISMATCH);
    EXPECT(good, NULL, state, report, NC_OVERLAP);
    EXPECT(good, &steps, out, report, NC_INVALID_ARGUMENT); // a list with the stepping of the grid
    EXPECT(good, NULL, NULL, report, NC_NULL_ARGUMENT);
    EXPECT(good, NULL, out, NULL, NC_NULL_ARGUMENT);
#undef EXPECT
    const nc_array *untouched[] = {out, narrow, wide, report, reals, two};
    for (size_t i = 0; i < sizeof untouched / sizeof untouched[0]; ++i) {
        cupel_expect_untouched(context, untouched[i]);
    }
    cupel_expect_status(context, nc_model_release(model), NC_OK);
}

// Runs three compartments of `groups` groups over the grid; the final state.
static nc_array *run_groups(cupel_context *context, nc_model *model, int32_t method, int32_t stepping, const double *state,
                            int64_t states)
{
    const double parameters[] = {0.5, 0.2};
    nc_solver_options options = options_of(method);
    options.stepping = stepping;
    nc_array *out = cupel_output_vector(context, cupel_dtype(context), states), *report = report_of(context, 0);
    cupel_require_ok(context, nc_solver_run(model, &options, grid, POINTS, vector_of(context, state, states),
                                            vector_of(context, parameters, 2), NULL, out, report));
    expect_report(context, report, 0, NC_REPORT_STATUS, NC_TRAJECTORY_OK);
    return out;
}

// Nobody lives in the middle group: it stays exactly empty, and the others have the bytes of a run without it. (An adaptive run's
// error norm is a mean over all cells, so its steps may differ.) A model whose axis has no node runs too.
static void empty_groups(cupel_context *context)
{
    static const double three[] = {900.0, 0.0, 500.0, 100.0, 0.0, 1.0, 0.0, 0.0, 0.0}, two[] = {900.0, 500.0, 100.0, 1.0, 0.0, 0.0};
    nc_dtype dtype = cupel_dtype(context);
    size_t size = nc_dtype_size(dtype);
    nc_model *with = model_sir(context, 3), *without = model_sir(context, 2), *nobody = model_sir(context, 0);
    for (int32_t method = 1; method <= METHODS; ++method) {
        for (int32_t stepping = NC_STEPPING_GRID; stepping <= (method == NC_METHOD_DOPRI5 ? 1 : 0); ++stepping) {
            nc_array *all = run_groups(context, with, method, stepping, three, 9);
            nc_array *rest = run_groups(context, without, method, stepping, two, 6);
            const unsigned char *found = cupel_download(context, all), *smaller = cupel_download(context, rest);
            unsigned char expected[9 * sizeof(double)];
            for (size_t i = 0; i < 3; ++i) {
                cupel_expect_true(context, cupel_get_real(dtype, found, 3 * i + 1) == 0.0);
                memcpy(expected + 3 * i * size, smaller + 2 * i * size, size);
                memcpy(expected + (3 * i + 1) * size, found + (3 * i + 1) * size, size); // a zero's sign is nobody's business
                memcpy(expected + (3 * i + 2) * size, smaller + (2 * i + 1) * size, size);
            }
            if (stepping == NC_STEPPING_GRID) {
                cupel_expect_bits(context, all, expected, 9);
            }
            (void)run_groups(context, nobody, method, stepping, NULL, 0);
        }
    }
    cupel_expect_status(context, nc_model_release(with), NC_OK);
    cupel_expect_status(context, nc_model_release(without), NC_OK);
    cupel_expect_status(context, nc_model_release(nobody), NC_OK);
}

// The memory that is announced is at least a tile's and does not grow past the wave that is launched at once, or the grid's alone
// on a device that keeps the method's working memory on the chip.
static void workspace(cupel_context *context)
{
    nc_model *model = model_sir(context, 10);
    uint64_t small = 0, large = 0, more = 0;
    for (int32_t method = 1; method <= METHODS; ++method) {
        nc_solver_options options = options_of(method);
        cupel_require_ok(context, nc_solver_workspace(model, &options, NC_F64, 1, 10, &small));
        cupel_require_ok(context, nc_solver_workspace(model, &options, NC_F64, 1000, 10, &large));
        cupel_require_ok(context, nc_solver_workspace(model, &options, NC_F64, 100000000, 10, &more));
        int grid_alone = small == 10 * 8 && large == small && more == small;
        int grows = small > 30 * 32 * 8 && small < large && large < more && more <= ((uint64_t)257 << 20);
        cupel_expect_true(context, grid_alone || grows);
    }
    nc_solver_options options = options_of(NC_METHOD_RK4);
    cupel_expect_status(context, nc_solver_workspace(model, &options, NC_I32, 1, 10, &small), NC_MIXED_DTYPE);
    cupel_expect_status(context, nc_solver_workspace(model, &options, NC_F64, -1, 10, &small), NC_INVALID_ARGUMENT);
    cupel_expect_status(context, nc_solver_workspace(model, &options, NC_F64, 1, 0, &small), NC_INVALID_ARGUMENT);
    cupel_expect_status(context, nc_model_release(model), NC_OK);
}

static const cupel_case cases[] = {
    CUPEL_CASE_REALS("solver.ensemble.company-does-not-matter", company_does_not_matter),
    CUPEL_CASE_REALS("solver.ensemble.layout-does-not-matter", layout_does_not_matter),
    CUPEL_CASE_REALS("solver.ensemble.totals-are-conserved", totals_are_conserved),
    CUPEL_CASE_REALS("solver.ensemble.options-refused", options_refused),
    CUPEL_CASE_REALS("solver.ensemble.empty-groups", empty_groups),
    CUPEL_CASE("solver.ensemble.workspace", workspace),
};

const cupel_table solver_ensemble_table = CUPEL_TABLE(cases);
