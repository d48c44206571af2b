// SPDX-License-Identifier: Apache-2.0
// Every argument of the module stats, wrong once: the named status comes back, nothing is written, and nc_last_error names the
// argument.
#include "core_device.h"

#include <stdbool.h>
#include <string.h>

enum { ELEMENTS = 4, BYTES = ELEMENTS * 8 };

// A valid call of each entry point. A row of the table spoils one thing; everything is as it was before the next.
typedef struct fixture {
    nc_device *device, *second;
    nc_array *value, *upper, *p, *trials, *mask, *censoring;      // inputs of the binomial family
    nc_array *x, *a, *b;                                          // inputs of a prior
    nc_array *status, *out, *again, *draws;                       // outputs: i32, f64, f64, i64
    nc_array *foreign, *foreign_status;                           // f64 and i32 of the second handle
    nc_array *f32, *u32, *i64, *i32, *folded;                     // other dtypes, one place twice
    nc_array *three, *three_reals, *three_flags, *three_statuses; // of three elements: i64, f64, u8, i32

    nc_observation observation;
    nc_draws sampling;
    nc_prior prior;
    const nc_array *datum, *parameters[NC_STATS_MAX_PARAMETERS];
    nc_array *status_out, *density_out, *draws_out, *gradients[NC_STATS_MAX_PARAMETERS];
} fixture;

static nc_status density(fixture *f)
{
    return nc_observation_log_density(&f->observation, f->status_out, f->density_out);
}
static nc_status gradient(fixture *f)
{
    return nc_observation_gradient(&f->observation, f->status_out, f->gradients);
}
static nc_status sample(fixture *f)
{
    return nc_observation_sample(&f->sampling, f->status_out, f->draws_out);
}
static nc_status prior(fixture *f)
{
    return nc_prior_log_density(f->prior, f->datum, f->parameters, f->status_out, f->density_out);
}
static nc_status prior_gradient(fixture *f)
{
    return nc_prior_gradient(f->prior, f->datum, f->parameters, f->status_out, f->gradients);
}

#define LAST_INDEX (((uint64_t)1 << 58) - 1)

// X(name, what is spoiled, call, status, first text, second text): both texts must stand in nc_last_error.
#define CASES(X)                                                                                                                   \
    X(density_abi, f->observation.abi_version = 0, density, NC_ABI_MISMATCH, "observation", "abi_version 0")                       \
    X(density_size, f->observation.struct_size = 8, density, NC_ABI_MISMATCH, "observation", "struct_size 8")                      \
    X(density_family, f->observation.family = 0, density, NC_INVALID_ARGUMENT, "family is 0", "nc_family")                         \
    X(density_family_high, f->observation.family = 9, density, NC_INVALID_ARGUMENT, "family is 9", "nc_family")                    \
    X(density_reserved, f->observation.reserved = 1, density, NC_INVALID_ARGUMENT, "reserved is 1", "0")                           \
    X(density_value, f->observation.value = NULL, density, NC_NULL_ARGUMENT, "value", "null")                                      \
    X(density_value_dtype, f->observation.value = f->x, density, NC_MIXED_DTYPE, "value is f64", "i64")                            \
    X(density_value_shape, f->observation.value = f->three, density, NC_SHAPE_MISMATCH, "value", "3 elements")                     \
    X(density_upper_dtype, f->observation.upper = f->x, density, NC_MIXED_DTYPE, "upper is f64", "i64")                            \
    X(density_upper_shape, f->observation.upper = f->three, density, NC_SHAPE_MISMATCH, "upper", "3 elements")                     \
    X(density_p, f->observation.parameters[0] = NULL, density, NC_NULL_ARGUMENT, "parameters[0] (p)", "null")                      \
    X(density_p_dtype, f->observation.parameters[0] = f->f32, density, NC_MIXED_DTYPE, "parameters[0] (p) is f32", "f64")          \
    X(density_p_shape, f->observation.parameters[0] = f->three_reals, density, NC_SHAPE_MISMATCH, "parameters[0] (p)",             \
      "3 elements")                                                                                                                \
    X(density_p_device, f->observation.parameters[0] = f->foreign, density, NC_WRONG_DEVICE, "parameters[0] (p)", "another")       \
    X(density_p_many, f->observation.parameters[1] = f->p, density, NC_INVALID_ARGUMENT, "parameters[1]", "pass null")             \
    X(density_trials, f->observation.trials = NULL, density, NC_NULL_ARGUMENT, "trials", "null")                                   \
    X(density_trials_dtype, f->observation.trials = f->i32, density, NC_MIXED_DTYPE, "trials is i32", "i64")                       \
    X(density_trials_shape, f->observation.trials = f->three, density, NC_SHAPE_MISMATCH, "trials", "3 elements")                  \
    X(density_trials_extra, f->observation.family = NC_POISSON, density, NC_INVALID_ARGUMENT, "trials", "NC_POISSON has none")     \
    X(density_mask_dtype, f->observation.mask = f->i32, density, NC_MIXED_DTYPE, "mask is i32", "u8")                              \
    X(density_mask_shape, f->observation.mask = f->three_flags, density, NC_SHAPE_MISMATCH, "mask", "3 elements")                  \
    X(density_censoring_dtype, f->observation.censoring = f->u32, density, NC_MIXED_DTYPE, "censoring is u32", "u8")               \
    X(density_censoring_shape, f->observation.censoring = f->three_flags, density, NC_SHAPE_MISMATCH, "censoring", "3 elements")   \
    X(density_status, f->status_out = NULL, density, NC_NULL_ARGUMENT, "status", "null")                                           \
    X(density_status_dtype, f->status_out = f->u32, density, NC_MIXED_DTYPE, "status is u32", "i32")                               \
    X(density_status_shape, f->status_out = f->three_statuses, density, NC_SHAPE_MISMATCH, "status", "3")                          \
    X(density_status_device, f->status_out = f->foreign_status, density, NC_WRONG_DEVICE, "status", "another")                     \
    X(density_out, f->density_out = NULL, density, NC_NULL_ARGUMENT, "log_density", "null")                                        \
    X(density_out_dtype, f->density_out = f->i64, density, NC_MIXED_DTYPE, "log_density is i64", "f32 or f64")                     \
    X(density_out_folded, f->density_out = f->folded, density, NC_OVERLAP, "log_density", "two elements at one place")             \
    X(density_out_is_p, f->density_out = f->p, density, NC_OVERLAP, "log_density", "parameters[0] (p)")                            \
    X(gradient_abi, f->observation.struct_size += 8, gradient, NC_ABI_MISMATCH, "observation", "struct_size")                      \
    X(gradient_none, f->gradients[0] = NULL, gradient, NC_NULL_ARGUMENT, "gradients[0]", "null")                                   \
    X(gradient_many, f->gradients[1] = f->again, gradient, NC_INVALID_ARGUMENT, "gradients[1]", "pass null")                       \
    X(gradient_dtype, f->gradients[0] = f->i64, gradient, NC_MIXED_DTYPE, "gradients[0] is i64", "f32 or f64")                     \
    X(gradient_is_p, f->gradients[0] = f->p, gradient, NC_OVERLAP, "gradients[0]", "parameters[0] (p)")                            \
    X(gradient_status, f->status_out = NULL, gradient, NC_NULL_ARGUMENT, "status", "null")                                         \
    X(gradient_value, f->observation.value = NULL, gradient, NC_NULL_ARGUMENT, "value", "null")                                    \
    X(sample_abi, f->sampling.abi_version = 7, sample, NC_ABI_MISMATCH, "draws", "abi_version 7")                                  \
    X(sample_size, f->sampling.struct_size -= 8, sample, NC_ABI_MISMATCH, "draws", "struct_size")                                  \
    X(sample_family, f->sampling.family = -1, sample, NC_INVALID_ARGUMENT, "family is -1", "nc_family")                            \
    X(sample_first, f->sampling.first = LAST_INDEX - 2, sample, NC_OUT_OF_RANGE, "first = 288230376151711741", "2^58")             \
    X(sample_first_high, f->sampling.first = UINT64_MAX, sample, NC_OUT_OF_RANGE, "first = 18446744073709551615", "2^58")          \
    X(sample_p, f->sampling.parameters[0] = NULL, sample, NC_NULL_ARGUMENT, "parameters[0] (p)", "null")                           \
    X(sample_p_dtype, f->sampling.parameters[0] = f->i64, sample, NC_MIXED_DTYPE, "parameters[0] (p) is i64", "f32 or f64")        \
    X(sample_p_shape, f->sampling.parameters[0] = f->three_reals, sample, NC_SHAPE_MISMATCH, "parameters[0] (p)", "3 elements")    \
    X(sample_p_many, f->sampling.parameters[2] = f->p, sample, NC_INVALID_ARGUMENT, "parameters[2]", "pass null")                  \
    X(sample_trials, f->sampling.trials = NULL, sample, NC_NULL_ARGUMENT, "trials", "null")                                        \
    X(sample_trials_extra, f->sampling.family = NC_POISSON, sample, NC_INVALID_ARGUMENT, "trials", "NC_POISSON has none")          \
    X(sample_trials_shape, f->sampling.trials = f->three, sample, NC_SHAPE_MISMATCH, "trials", "3 elements")                       \
    X(sample_status, f->status_out = NULL, sample, NC_NULL_ARGUMENT, "status", "null")                                             \
    X(sample_status_dtype, f->status_out = f->u32, sample, NC_MIXED_DTYPE, "status is u32", "i32")                                 \
    X(sample_out, f->draws_out = NULL, sample, NC_NULL_ARGUMENT, "out", "null")                                                    \
    X(sample_out_dtype, f->draws_out = f->out, sample, NC_MIXED_DTYPE, "out is f64", "i64")                                        \
    X(sample_out_is_trials, f->draws_out = f->trials, sample, NC_OVERLAP, "out", "trials")                                         \
    X(prior_unknown, f->prior = (nc_prior)0, prior, NC_INVALID_ARGUMENT, "prior is 0", "nc_prior")                                 \
    X(prior_high, f->prior = (nc_prior)6, prior, NC_INVALID_ARGUMENT, "prior is 6", "nc_prior")                                    \
    X(prior_x, f->datum = NULL, prior, NC_NULL_ARGUMENT, "x", "null")                                                              \
    X(prior_x_dtype, f->datum = f->f32, prior, NC_MIXED_DTYPE, "x is f32", "f64")                                                  \
    X(prior_x_shape, f->datum = f->three_reals, prior, NC_SHAPE_MISMATCH, "x", "3 elements")                                       \
    X(prior_b, f->parameters[1] = NULL, prior, NC_NULL_ARGUMENT, "parameters[1] (b)", "null")                                      \
    X(prior_b_shape, f->parameters[1] = f->three_reals, prior, NC_SHAPE_MISMATCH, "parameters[1] (b)", "3 elements")               \
    X(prior_b_device, f->parameters[1] = f->foreign, prior, NC_WRONG_DEVICE, "parameters[1] (b)", "another")                       \
    X(prior_many, f->parameters[2] = f->b, prior, NC_INVALID_ARGUMENT, "parameters[2]", "pass null")                               \
    X(prior_status, f->status_out = NULL, prior, NC_NULL_ARGUMENT, "status", "null")                                               \
    X(prior_out, f->density_out = NULL, prior, NC_NULL_ARGUMENT, "log_density", "null")                                            \
    X(prior_out_is_x, f->density_out = f->x, prior, NC_OVERLAP, "log_density", "x")                                                \
    X(prior_gradient_unknown, f->prior = (nc_prior)6, prior_gradient, NC_INVALID_ARGUMENT, "prior is 6", "nc_prior")               \
    X(prior_gradient_status, f->status_out = NULL, prior_gradient, NC_NULL_ARGUMENT, "status", "null")                             \
    X(prior_gradient_none, f->gradients[0] = NULL, prior_gradient, NC_NULL_ARGUMENT, "gradients[0]", "null")                       \
    X(prior_gradient_twice, f->gradients[1] = f->out, prior_gradient, NC_OVERLAP, "gradients[1]", "gradients[0]")                  \
    X(prior_gradient_shape, f->gradients[1] = f->three_reals, prior_gradient, NC_SHAPE_MISMATCH, "gradients[1]", "3")              \
    X(prior_gradient_many, f->prior = NC_PRIOR_HALF_NORMAL, prior_gradient, NC_INVALID_ARGUMENT, "parameters[1]", "pass null")     \
    X(prior_gradient_x, f->datum = NULL, prior_gradient, NC_NULL_ARGUMENT, "x", "null")

#define DEFINE(name, spoil, call, status, first, second)                                                                           \
    static nc_status call_##name(fixture *f)                                                                                       \
    {                                                                                                                              \
        spoil;                                                                                                                     \
        return call(f);                                                                                                            \
    }
CASES(DEFINE)

static const struct {
    const char *name;
    nc_status (*call)(fixture *f);
    nc_status status;
    const char *first, *second;
} cases[] = {
#define ROW(name, spoil, call, status, first, second) {#name, call_##name, status, first, second},
    CASES(ROW)};
enum { CASE_COUNT = sizeof cases / sizeof cases[0] };

// Poison that is a valid value of every input: 0.19..., a count near 2^62 and so on are refused by nobody.
static nc_array *poisoned(nc_device *device, nc_dtype dtype, int64_t count)
{
    unsigned char poison[BYTES];
    memset(poison, 0x3c, sizeof poison);
    return create_filled(device, dtype, count, poison);
}

static void fixture_open(fixture *f)
{
    const int64_t shape[] = {ELEMENTS}, once[] = {0};
    f->device = open_cpu();
    f->second = open_cpu();
    nc_array **const made[] = {&f->value,
                               &f->upper,
                               &f->p,
                               &f->trials,
                               &f->mask,
                               &f->censoring,
                               &f->x,
                               &f->a,
                               &f->b,
                               &f->status,
                               &f->out,
                               &f->again,
                               &f->draws,
                               &f->f32,
                               &f->u32,
                               &f->i64,
                               &f->i32,
                               &f->three,
                               &f->foreign,
                               &f->foreign_status,
                               &f->three_reals,
                               &f->three_flags,
                               &f->three_statuses};
    static const nc_dtype dtypes[] = {NC_I64, NC_I64, NC_F64, NC_I64, NC_U8,  NC_U8,  NC_F64, NC_F64,
                                      NC_F64, NC_I32, NC_F64, NC_F64, NC_I64, NC_F32, NC_U32, NC_I64,
                                      NC_I32, NC_I64, NC_F64, NC_I32, NC_F64, NC_U8,  NC_I32};
    for (size_t i = 0; i < sizeof made / sizeof made[0]; ++i) {
        bool foreign = made[i] == &f->foreign || made[i] == &f->foreign_status;
        bool is_three =
            made[i] == &f->three || made[i] == &f->three_reals || made[i] == &f->three_flags || made[i] == &f->three_statuses;
        *made[i] = poisoned(foreign ? f->second : f->device, dtypes[i], is_three ? 3 : ELEMENTS);
    }
    f->folded = view(f->again, 0, 1, shape, once);
}

static void fixture_reset(fixture *f)
{
    NC_STRUCT_INIT(&f->observation);
    f->observation.family = NC_BINOMIAL;
    f->observation.value = f->value;
    f->observation.upper = f->upper;
    f->observation.parameters[0] = f->p;
    f->observation.trials = f->trials;
    f->observation.mask = f->mask;
    f->observation.censoring = f->censoring;
    NC_STRUCT_INIT(&f->sampling);
    f->sampling.family = NC_BINOMIAL;
    f->sampling.parameters[0] = f->p;
    f->sampling.trials = f->trials;
    f->prior = NC_PRIOR_BETA;
    f->datum = f->x;
    f->parameters[0] = f->a;
    f->parameters[1] = f->b;
    f->parameters[2] = NULL;
    f->status_out = f->status;
    f->density_out = f->out;
    f->draws_out = f->draws;
    f->gradients[0] = f->out;
    f->gradients[1] = f->gradients[2] = NULL;
}

static void assert_untouched(const fixture *f, const char *name)
{
    const nc_array *arrays[] = {f->value,
                                f->upper,
                                f->p,
                                f->trials,
                                f->mask,
                                f->censoring,
                                f->x,
                                f->a,
                                f->b,
                                f->status,
                                f->out,
                                f->again,
                                f->draws,
                                f->f32,
                                f->u32,
                                f->i64,
                                f->i32,
                                f->three,
                                f->foreign,
                                f->foreign_status,
                                f->three_reals,
                                f->three_flags,
                                f->three_statuses};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; ++i) {
        unsigned char now[BYTES], poison[BYTES];
        nc_array_info info;
        memset(poison, 0x3c, sizeof poison);
        NC_STRUCT_INIT(&info);
        assert_int_equal(nc_array_info_get(arrays[i], &info), NC_OK);
        download(arrays[i], now, info.storage_bytes);
        if (memcmp(now, poison, info.storage_bytes) != 0) {
            fail_msg("%s wrote to array %zu", name, i);
        }
    }
}

static void fixture_close(fixture *f)
{
    nc_array *arrays[] = {
        f->folded, f->value, f->upper,  f->p,       f->trials,         f->mask,        f->censoring,   f->x,
        f->a,      f->b,     f->status, f->out,     f->again,          f->draws,       f->f32,         f->u32,
        f->i64,    f->i32,   f->three,  f->foreign, f->foreign_status, f->three_reals, f->three_flags, f->three_statuses};
    release_all(arrays, sizeof arrays / sizeof arrays[0]);
    close_device(f->device);
    close_device(f->second);
}

static void each_wrong_argument_is_refused_by_name(void **state)
{
    static fixture f;
    (void)state;
    fixture_open(&f);
    for (size_t i = 0; i < CASE_COUNT; ++i) {
        fixture_reset(&f);
        expect_refusal(cases[i].name, cases[i].call(&f), cases[i].status, cases[i].first, cases[i].second);
        assert_untouched(&f, cases[i].name);
    }
    fixture_close(&f);
}

// The pointers to structs and to the arrays of outputs themselves.
static void null_pointers_are_refused_by_name(void **state)
{
    static fixture f;
    (void)state;
    fixture_open(&f);
    fixture_reset(&f);
    assert_int_equal(nc_observation_log_density(NULL, f.status, f.out), NC_NULL_ARGUMENT);
    assert_non_null(strstr(nc_last_error(), "observation"));
    assert_int_equal(nc_observation_gradient(&f.observation, f.status, NULL), NC_NULL_ARGUMENT);
    assert_non_null(strstr(nc_last_error(), "gradients"));
    assert_int_equal(nc_observation_sample(NULL, f.status, f.draws), NC_NULL_ARGUMENT);
    assert_non_null(strstr(nc_last_error(), "draws"));
    assert_int_equal(nc_prior_log_density(NC_PRIOR_BETA, f.x, NULL, f.status, f.out), NC_NULL_ARGUMENT);
    assert_non_null(strstr(nc_last_error(), "parameters"));
    assert_int_equal(nc_prior_gradient(NC_PRIOR_BETA, f.x, f.parameters, f.status, NULL), NC_NULL_ARGUMENT);
    assert_non_null(strstr(nc_last_error(), "gradients"));
    assert_untouched(&f, "a null pointer");
    fixture_close(&f);
}

// What the table spoils is a valid call before: the refusals above have no other reason.
static void unspoiled_calls_run(void **state)
{
    static fixture f;
    const uint8_t zeros[ELEMENTS] = {0};
    const int64_t trials[ELEMENTS] = {9, 9, 9, 9}, values[ELEMENTS] = {1, 2, 3, 4};
    (void)state;
    fixture_open(&f);
    fixture_reset(&f);
    assert_int_equal(nc_array_upload(f.censoring, zeros, sizeof zeros), NC_OK);
    assert_int_equal(nc_array_upload(f.trials, trials, sizeof trials), NC_OK);
    assert_int_equal(nc_array_upload(f.value, values, sizeof values), NC_OK);
    assert_int_equal(density(&f), NC_OK);
    assert_int_equal(gradient(&f), NC_OK);
    assert_int_equal(sample(&f), NC_OK);
    f.sampling.first = LAST_INDEX - 3;
    assert_int_equal(sample(&f), NC_OK);
    assert_int_equal(prior(&f), NC_OK);
    assert_int_equal(prior_gradient(&f), NC_OK);
    fixture_close(&f);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(each_wrong_argument_is_refused_by_name),
    cmocka_unit_test(null_pointers_are_refused_by_name),
    cmocka_unit_test(unspoiled_calls_run),
};

UNIT_MAIN(tests)
