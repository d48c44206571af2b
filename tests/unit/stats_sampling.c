// SPDX-License-Identifier: Apache-2.0
// Draws against their distributions on the CPU: 2^18 of each, where a variance 3 % wrong is found for certain, in both dtypes; and
// on 8192, the number that device cases draw, the faults which the same tests must find there. Thresholds:
// reference_distribution.h.
#include "core_device.h"

#include "reference_distribution.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { MANY = 1 << 18, FEW = 8192 };

typedef struct subject {
    const char *name;
    nc_family family;
    int parameters;
    reference_distribution reference; // float32 numbers
} subject;

#define SUBJECT(name, code, family, count, a, b, c, trials)                                                                        \
    {                                                                                                                              \
        name, code, count,                                                                                                         \
        {                                                                                                                          \
            family, {a, b, c}, trials                                                                                              \
        }                                                                                                                          \
    }
static const subject subjects[] = {
    SUBJECT("normal", NC_NORMAL, REFERENCE_NORMAL, 2, 1.0, 2.0, 0.0, 0.0),
    SUBJECT("lognormal", NC_LOGNORMAL, REFERENCE_LOGNORMAL, 2, 0.25, 0.5, 0.0, 0.0),
    SUBJECT("student-t, nu 5", NC_STUDENT_T, REFERENCE_STUDENT_T, 3, 5.0, 1.0, 2.0, 0.0),
    SUBJECT("student-t, nu below 2", NC_STUDENT_T, REFERENCE_STUDENT_T, 3, 1.25, -1.0, 0.5, 0.0),
    SUBJECT("gamma", NC_GAMMA, REFERENCE_GAMMA, 2, 2.5, 1.5, 0.0, 0.0),
    SUBJECT("gamma, shape below 1", NC_GAMMA, REFERENCE_GAMMA, 2, 0.375, 0.5, 0.0, 0.0),
    SUBJECT("poisson, by inversion", NC_POISSON, REFERENCE_POISSON, 1, 3.5, 0.0, 0.0, 0.0),
    SUBJECT("poisson, by rejection", NC_POISSON, REFERENCE_POISSON, 1, 12.5, 0.0, 0.0, 0.0),
    SUBJECT("poisson, large", NC_POISSON, REFERENCE_POISSON, 1, 4096.0, 0.0, 0.0, 0.0),
    SUBJECT("negative binomial", NC_NEGATIVE_BINOMIAL, REFERENCE_NEGATIVE_BINOMIAL, 2, 8.0, 3.0, 0.0, 0.0),
    SUBJECT("negative binomial, dispersed", NC_NEGATIVE_BINOMIAL, REFERENCE_NEGATIVE_BINOMIAL, 2, 20.0, 0.5, 0.0, 0.0),
    SUBJECT("binomial, by inversion", NC_BINOMIAL, REFERENCE_BINOMIAL, 1, 0.25, 0.0, 0.0, 20.0),
    SUBJECT("binomial, by rejection", NC_BINOMIAL, REFERENCE_BINOMIAL, 1, 0.375, 0.0, 0.0, 40.0),
    SUBJECT("binomial, p above 1/2", NC_BINOMIAL, REFERENCE_BINOMIAL, 1, 0.875, 0.0, 0.0, 1000.0),
};
enum { SUBJECTS = sizeof subjects / sizeof subjects[0] };

// Draws as reals.
static double *draw(nc_device *device, const subject *of, nc_dtype dtype, uint32_t stream, uint64_t first, size_t count)
{
    bool is_count = reference_is_count(&of->reference);
    double *values = malloc(count * sizeof *values), parameter[3];
    nc_array *status = create_vector(device, NC_I32, (int64_t)count);
    nc_array *out = create_vector(device, is_count ? NC_I64 : dtype, (int64_t)count), *inputs[4] = {NULL};
    int64_t trials = (int64_t)of->reference.trials;
    int32_t *statuses = malloc(count * sizeof *statuses);
    nc_draws draws;
    NC_STRUCT_INIT(&draws);
    draws.family = (int32_t)of->family;
    draws.seed = 0x2545f4914f6cdd1du;
    draws.stream = stream;
    draws.first = first;
    for (int k = 0; k < of->parameters; ++k) {
        float single = (float)of->reference.p[k];
        parameter[k] = of->reference.p[k];
        inputs[k] = create_filled(device, dtype, 1, dtype == NC_F32 ? (const void *)&single : (const void *)&parameter[k]);
        draws.parameters[k] = inputs[k];
    }
    inputs[3] = of->family == NC_BINOMIAL ? create_filled(device, NC_I64, 1, &trials) : NULL;
    draws.trials = inputs[3];
    assert_non_null(values);
    assert_non_null(statuses);
    assert_int_equal(nc_observation_sample(&draws, status, out), NC_OK);
    download(status, statuses, count * sizeof *statuses);
    download(out, values, count * (dtype == NC_F32 && !is_count ? 4 : 8));
    for (size_t i = count; i-- > 0;) { // from the end: narrower draws widen in place
        float single;
        int64_t whole;
        assert_int_equal(statuses[i], NC_ELEMENT_OK);
        memcpy(&single, (const char *)values + i * sizeof single, sizeof single);
        memcpy(&whole, &values[i], sizeof whole);
        values[i] = is_count ? (double)whole : dtype == NC_F32 ? (double)single : values[i];
    }
    free(statuses);
    release(status), release(out);
    for (int k = 0; k < 4; ++k) {
        release(inputs[k]);
    }
    return values;
}

// Distribution functions of counts are kept: few counts occur.
enum { KEPT = 1 << 14 };
static double transform_kept(const reference_distribution *d, double x, double v, long double *kept)
{
    if (!reference_is_count(d) || x >= (double)KEPT) {
        return reference_transform(d, x, v);
    }
    size_t k = (size_t)x;
    for (size_t i = k == 0 ? 0 : k - 1; i <= k; ++i) {
        kept[i] = kept[i] < 0.0L ? reference_cdf(d, (double)i) : kept[i];
    }
    long double below = k == 0 ? 0.0L : kept[k - 1];
    return (double)(below + (long double)v * (kept[k] - below));
}

// Which test the draws fail as draws of `claimed`, or null.
static const char *judge(nc_device *device, const reference_distribution *claimed, const double *values, size_t count,
                         reference_fit *fit)
{
    double *transforms = malloc(count * sizeof *transforms), *spread = malloc(count * sizeof *spread);
    long double *kept = malloc(KEPT * sizeof *kept);
    nc_array *uniforms = create_vector(device, NC_F64, (int64_t)count);
    assert_true(transforms != NULL && spread != NULL && kept != NULL);
    assert_int_equal(nc_rng_uniform(17, 1000, 0, uniforms), NC_OK); // a stream of its own
    download(uniforms, spread, count * sizeof *spread);
    for (size_t k = 0; k < KEPT; ++k) {
        kept[k] = -1.0L;
    }
    for (size_t i = 0; i < count; ++i) {
        transforms[i] = transform_kept(claimed, values[i], spread[i], kept);
    }
    assert_true(reference_fit_uniform(transforms, count, fit));
    release(uniforms);
    free(transforms), free(spread), free(kept);
    return reference_judge(fit, count);
}

static void many_draws_fit(void **state)
{
    (void)state;
    nc_device *device = open_cpu();
    for (size_t s = 0; s < SUBJECTS; ++s) {
        reference_fit fit;
        double *wide = draw(device, &subjects[s], NC_F64, 3, 0, MANY), *narrow = draw(device, &subjects[s], NC_F32, 3, 0, MANY);
        size_t differing = 0;
        for (size_t i = 0; i < MANY; ++i) { // float32 draws are these rounded once; counts are equal
            differing += narrow[i] != (reference_is_count(&subjects[s].reference) ? wide[i] : (double)(float)wide[i]);
        }
        assert_int_equal(differing, 0);
        const char *failed = judge(device, &subjects[s].reference, wide, MANY, &fit);
        print_message("%-30s KS %.5f  A^2 %6.3f  chi^2 %6.1f  mean %+.2f se  variance %.4f\n", subjects[s].name, fit.kolmogorov,
                      fit.anderson, fit.chi_square, fit.mean_z, fit.variance_ratio);
        if (failed != NULL) {
            fail_msg("%s: 2^18 draws fail the %s test", subjects[s].name, failed);
        }
        free(wide), free(narrow);
    }
    close_device(device);
}

// What is drawn, and what it is then taken for: the mistake of a sampler that takes one parameter for another.
typedef struct planted {
    const char *name;
    subject drawn;
    reference_distribution claimed;
    size_t count;
} planted;

#define PLANTED(name, code, family, parameters, a, b, c, n, a2, b2, c2, count)                                                     \
    {                                                                                                                              \
        name, SUBJECT(name, code, family, parameters, a, b, c, n), {family, {a2, b2, c2}, n}, count                                \
    }
static const planted faults[] = {
    PLANTED("variance 3 % wrong", NC_NORMAL, REFERENCE_NORMAL, 2, 0.0, 1.0, 0.0, 0.0, 0.0, 0.98532927816429, 0.0, MANY),
    PLANTED("variance 20 % wrong", NC_NORMAL, REFERENCE_NORMAL, 2, 0.0, 1.0, 0.0, 0.0, 0.0, 0.91287092917527, 0.0, FEW),
    PLANTED("mean 0.1 deviations off", NC_NORMAL, REFERENCE_NORMAL, 2, 0.0, 1.0, 0.0, 0.0, 0.1, 1.0, 0.0, FEW),
    PLANTED("variance for deviation", NC_NORMAL, REFERENCE_NORMAL, 2, 0.0, 2.0, 0.0, 0.0, 0.0, 4.0, 0.0, FEW),
    PLANTED("log-normal, mean of y for mu", NC_LOGNORMAL, REFERENCE_LOGNORMAL, 2, 0.25, 0.5, 0.0, 0.0, 0.375, 0.5, 0.0, FEW),
    PLANTED("normal tails for nu = 5", NC_STUDENT_T, REFERENCE_STUDENT_T, 3, 1e6, 0.0, 1.0, 0.0, 5.0, 0.0, 1.0, FEW),
    PLANTED("nu/2 for nu", NC_STUDENT_T, REFERENCE_STUDENT_T, 3, 2.5, 0.0, 1.0, 0.0, 5.0, 0.0, 1.0, FEW),
    PLANTED("scale for rate", NC_GAMMA, REFERENCE_GAMMA, 2, 2.5, 1.5, 0.0, 0.0, 2.5, 1.0 / 1.5, 0.0, FEW),
    PLANTED("shape and rate exchanged", NC_GAMMA, REFERENCE_GAMMA, 2, 2.5, 1.5, 0.0, 0.0, 1.5, 2.5, 0.0, FEW),
    PLANTED("1/phi for phi", NC_NEGATIVE_BINOMIAL, REFERENCE_NEGATIVE_BINOMIAL, 2, 8.0, 3.0, 0.0, 0.0, 8.0, 1.0 / 3.0, 0.0, FEW),
    PLANTED("Poisson for phi = 50", NC_NEGATIVE_BINOMIAL, REFERENCE_NEGATIVE_BINOMIAL, 2, 10.0, 1e7, 0.0, 0.0, 10.0, 50.0, 0.0,
            FEW),
    PLANTED("1 - p for p", NC_BINOMIAL, REFERENCE_BINOMIAL, 1, 0.375, 0.0, 0.0, 40.0, 0.625, 0.0, 0.0, FEW),
    PLANTED("mean truncated to a whole number", NC_POISSON, REFERENCE_POISSON, 1, 12.0, 0.0, 0.0, 0.0, 12.5, 0.0, 0.0, FEW),
};

static void planted_faults_are_found(void **state)
{
    (void)state;
    nc_device *device = open_cpu();
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; ++i) {
        reference_fit fit;
        double *values = draw(device, &faults[i].drawn, NC_F64, 4, 0, faults[i].count);
        const char *sound = judge(device, &faults[i].drawn.reference, values, faults[i].count, &fit);
        const char *found = judge(device, &faults[i].claimed, values, faults[i].count, &fit);
        if (sound != NULL || found == NULL) {
            fail_msg("%s: as what it is %s, as what it is not %s", faults[i].name, sound ? sound : "fits", found ? found : "fits");
        }
        print_message("%-34s found by the %s test\n", faults[i].name, found);
        free(values);
    }
    close_device(device);
}

static size_t equal_places(const double *a, const double *b, size_t count)
{
    size_t equal = 0;
    for (size_t i = 0; i < count; ++i) {
        equal += a[i] == b[i];
    }
    return equal;
}

// Wrong addresses give right distributions: only replay finds them. Another stream, another index, one index twice.
static void wrong_addresses_are_found(void **state)
{
    (void)state;
    nc_device *device = open_cpu();
    for (size_t s = 0; s < SUBJECTS; ++s) {
        double *whole = draw(device, &subjects[s], NC_F64, 5, 0, FEW), *again = draw(device, &subjects[s], NC_F64, 5, 0, FEW);
        double *shifted = draw(device, &subjects[s], NC_F64, 6, 0, FEW), *late = draw(device, &subjects[s], NC_F64, 5, 1, FEW);
        size_t most = reference_is_count(&subjects[s].reference) ? FEW / 2 : 0;
        assert_int_equal(equal_places(whole, again, FEW), FEW);
        assert_true(equal_places(whole, shifted, FEW) <= most);
        assert_true(equal_places(whole, late, FEW) <= most);
        assert_int_equal(equal_places(whole + 1, late, FEW - 1), FEW - 1);
        assert_true(equal_places(whole, whole + 1, FEW - 1) <= most); // no index is drawn twice
        free(whole), free(again), free(shifted), free(late);
    }
    close_device(device);
}

// Parameters from the least subnormal to the largest number: a draw with status OK is a value, perhaps an infinite one, any other
// is NaN, of counts -1.
enum { EXTREME_DRAWS = 64 };
static size_t extreme_draws_are_values(nc_device *device, nc_family family, int parameters, const double *p)
{
    bool is_count = family == NC_POISSON || family == NC_NEGATIVE_BINOMIAL || family == NC_BINOMIAL;
    nc_array *status = create_vector(device, NC_I32, EXTREME_DRAWS);
    nc_array *out = create_vector(device, is_count ? NC_I64 : NC_F64, EXTREME_DRAWS), *inputs[4] = {NULL};
    int32_t statuses[EXTREME_DRAWS];
    double values[EXTREME_DRAWS];
    int64_t counts[EXTREME_DRAWS], trials = (int64_t)1 << 52;
    size_t valid = 0;
    nc_draws draws;
    NC_STRUCT_INIT(&draws);
    draws.family = (int32_t)family;
    draws.seed = 7;
    for (int k = 0; k < parameters; ++k) {
        draws.parameters[k] = inputs[k] = create_filled(device, NC_F64, 1, &p[k]);
    }
    draws.trials = inputs[3] = family == NC_BINOMIAL ? create_filled(device, NC_I64, 1, &trials) : NULL;
    assert_int_equal(nc_observation_sample(&draws, status, out), NC_OK);
    download(status, statuses, sizeof statuses);
    download(out, is_count ? (void *)counts : (void *)values, sizeof values);
    for (size_t i = 0; i < EXTREME_DRAWS; ++i) {
        bool ok = statuses[i] == NC_ELEMENT_OK, is_value = is_count ? counts[i] >= 0 : !isnan(values[i]);
        assert_int_equal(is_value, ok);
        valid += ok;
    }
    release(status), release(out);
    for (int k = 0; k < 4; ++k) {
        release(inputs[k]);
    }
    return valid;
}
static void draws_of_extreme_parameters_are_values(void **state)
{
    (void)state;
    static const struct {
        nc_family family;
        int parameters;
    } families[] = {{NC_NORMAL, 2},  {NC_LOGNORMAL, 2},         {NC_STUDENT_T, 3}, {NC_GAMMA, 2},
                    {NC_POISSON, 1}, {NC_NEGATIVE_BINOMIAL, 2}, {NC_BINOMIAL, 1}};
    static const double ends[] = {0x1p-1074, 0x1p-1022, 0x1p-540, 0x1p-20, 1.0, 0x1p20, 0x1p540, DBL_MAX};
    enum { ENDS = sizeof ends / sizeof ends[0] };
    nc_device *device = open_cpu();
    for (size_t f = 0; f < sizeof families / sizeof families[0]; ++f) {
        int many = families[f].parameters;
        size_t valid = 0;
        for (size_t i = 0; i < (many > 2 ? ENDS * ENDS * ENDS : many > 1 ? ENDS * ENDS : ENDS); ++i) {
            const double p[] = {ends[i % ENDS], ends[i / ENDS % ENDS], ends[i / (ENDS * ENDS)]};
            valid += extreme_draws_are_values(device, families[f].family, many, p);
        }
        assert_true(valid >= EXTREME_DRAWS);
    }
    close_device(device);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(draws_of_extreme_parameters_are_values),
    cmocka_unit_test(many_draws_fit),
    cmocka_unit_test(planted_faults_are_found),
    cmocka_unit_test(wrong_addresses_are_found),
};

UNIT_MAIN(tests)
