// SPDX-License-Identifier: Apache-2.0
// What a case must not get away with: each fault is planted in a case that runs on the CPU device, and its record is read.
#include "unit.h"

#include "context.h"

#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const double ones[] = {1.0, 1.0, 1.0, 1.0};

// ---- Cases -------------------------------------------------------------------------------------------------------------------

static void honest(cupel_context *context)
{
    nc_array *x = cupel_input_vector(context, NC_F64, 4, ones);
    nc_array *out = cupel_output_vector(context, NC_F64, 4);
    cupel_require_ok(context, nc_array_copy(x, out));
    cupel_expect_bits(context, out, ones, 4);
}

static void compares_nothing(cupel_context *context)
{
    nc_array *out = cupel_output_vector(context, NC_F64, 4);
    cupel_require_ok(context, nc_array_fill(out, ones, sizeof *ones));
}

static void compares_zero_elements(cupel_context *context)
{
    nc_array *out = cupel_output_vector(context, NC_F64, 0);
    cupel_expect_bits(context, out, ones, 0);
}

static void leaves_the_last_element_out(cupel_context *context)
{
    nc_array *out = cupel_output_vector(context, NC_F64, 4);
    cupel_require_ok(context, nc_array_fill(out, ones, sizeof *ones));
    cupel_expect_bits(context, out, ones, 3);
}

static void never_runs_the_operation(cupel_context *context)
{
    nc_array *out = cupel_output_vector(context, NC_F64, 4);
    cupel_expect_true(context, out != NULL);
}

static void writes_half_of_its_output(cupel_context *context)
{
    const int64_t half = 2;
    const int64_t stride = 1;
    nc_array_info info;
    nc_array *view = NULL;
    nc_array *out = cupel_output_vector(context, NC_F64, 4);
    NC_STRUCT_INIT(&info);
    cupel_require_ok(context, nc_array_info_get(out, &info));
    cupel_require_ok(context, nc_array_view(out, info.offset, 1, &half, &stride, &view));
    cupel_expect_status(context, nc_array_fill(view, ones, sizeof *ones), NC_OK);
    cupel_require_ok(context, nc_array_release(view));
}

// Fills one element, `distance` elements from the first of the array.
static void fill_one(cupel_context *context, nc_array *array, int64_t distance)
{
    const int64_t one = 1;
    nc_array_info info;
    nc_array *view = NULL;
    NC_STRUCT_INIT(&info);
    cupel_require_ok(context, nc_array_info_get(array, &info));
    cupel_require_ok(context, nc_array_view(array, info.offset + distance, 1, &one, &one, &view));
    cupel_expect_status(context, nc_array_fill(view, ones, nc_dtype_size((nc_dtype)info.dtype)), NC_OK);
    cupel_require_ok(context, nc_array_release(view));
}

static void writes_before_its_output(cupel_context *context)
{
    nc_array *out = cupel_output_vector(context, NC_F64, 4);
    cupel_require_ok(context, nc_array_fill(out, ones, sizeof *ones));
    fill_one(context, out, -1);
}

static void writes_after_its_output(cupel_context *context)
{
    nc_array *out = cupel_output_vector(context, NC_F64, 4);
    cupel_require_ok(context, nc_array_fill(out, ones, sizeof *ones));
    fill_one(context, out, 4);
}

static void writes_into_a_gap(cupel_context *context)
{
    const int64_t shape[] = {2, 2};
    const int64_t strides[] = {3, 1};
    nc_array *out = cupel_output_strided(context, NC_F64, 2, shape, strides);
    cupel_require_ok(context, nc_array_fill(out, ones, sizeof *ones));
    fill_one(context, out, 2);
}

static void writes_its_input(cupel_context *context)
{
    const double twos[] = {2.0, 2.0, 2.0, 2.0};
    nc_array *x = cupel_input_vector(context, NC_F64, 4, twos);
    fill_one(context, x, 3);
}

static void writes_a_refused_output(cupel_context *context)
{
    nc_array *out = cupel_output_vector(context, NC_F64, 4);
    fill_one(context, out, 3);
    cupel_expect_untouched(context, out);
}

static void leaks_an_array(cupel_context *context)
{
    static nc_array *kept[1];
    const int64_t count = 1000;
    cupel_expect_status(context, nc_array_create(cupel_device(context), NC_F64, 1, &count, &kept[0]), NC_OK);
}

static void expects_its_own_download(cupel_context *context)
{
    nc_array *out = cupel_output_vector(context, NC_F64, 4);
    cupel_require_ok(context, nc_array_fill(out, ones, sizeof *ones));
    cupel_expect_bits(context, out, cupel_download(context, out), 4);
}

static void expects_its_own_storage(cupel_context *context)
{
    nc_residency residency;
    nc_array_info info;
    nc_array *out = cupel_output_vector(context, NC_F64, 4);
    NC_STRUCT_INIT(&residency);
    NC_STRUCT_INIT(&info);
    cupel_require_ok(context, nc_array_fill(out, ones, sizeof *ones));
    cupel_require_ok(context, nc_array_residency(out, &residency));
    cupel_require_ok(context, nc_array_info_get(out, &info));
    cupel_expect_bits(context, out, (const double *)(uintptr_t)residency.address + info.offset, 4);
}

static void claims_a_field_twice(cupel_context *context)
{
    honest(context);
    cupel_claim(context, "values", "passed");
    cupel_claim(context, "values", "passed");
}

static void claims_a_sentence(cupel_context *context)
{
    honest(context);
    cupel_claim(context, "values", "as good as passed");
}

static void claims_two_fields(cupel_context *context)
{
    honest(context);
    cupel_claim(context, "values", "passed");
    cupel_claim(context, "gradient", "not_supported");
}

static void tolerates_without_a_derivation(cupel_context *context)
{
    nc_array *out = cupel_output_vector(context, NC_F64, 4);
    cupel_require_ok(context, nc_array_fill(out, ones, sizeof *ones));
    cupel_expect_within_ulp(context, out, ones, 4, 1.0, "");
}

static void requires_what_fails(cupel_context *context)
{
    cupel_require_ok(context, nc_array_release(NULL));
    cupel_require_ok(context, nc_array_upload(NULL, NULL, 0));
    cupel_fail(context, "the case went on");
}

static void expects_another_status(cupel_context *context)
{
    cupel_expect_status(context, nc_array_upload(NULL, NULL, 0), NC_OVERLAP);
}

// What the child checks is lost with it, so the case must not pass without it.
static void goes_on_in_a_child(cupel_context *context)
{
    cupel_expect_true(context, true);
    pid_t child = fork();
    if (child == 0) {
        cupel_expect_true(context, false);
        _exit(0);
    }
    cupel_expect_true(context, child > 0 && waitpid(child, NULL, 0) == child);
}

static void adds_often(cupel_context *context, int times)
{
    const double twos[] = {2.0, 2.0, 2.0, 2.0};
    nc_array *x = cupel_input_vector(context, NC_F64, 4, ones);
    nc_array *out = cupel_output_vector(context, NC_F64, 4);
    for (int i = 0; i < times; ++i) {
        cupel_require_ok(context, nc_axpy(1.0, x, x, out));
    }
    cupel_expect_bits(context, out, twos, 4);
}

static void adds_once(cupel_context *context)
{
    adds_often(context, 1);
}

static void adds_twice(cupel_context *context)
{
    adds_often(context, 2);
}

static void computes_nothing(cupel_context *context)
{
    cupel_expect_true(context, true);
}

static void replays_into_another_array(cupel_context *context)
{
    nc_array *first = cupel_output_vector(context, NC_F64, 4);
    nc_array *second = cupel_output_vector(context, NC_F64, 4);
    cupel_require_ok(context, nc_array_fill(first, ones, sizeof *ones));
    cupel_require_ok(context, nc_array_fill(second, ones, sizeof *ones));
    cupel_expect_bits(context, second, cupel_download(context, first), 4);
}

static void records_the_worst_of_two(cupel_context *context)
{
    const double near[] = {1.0, 0x1.0000000000001p0, 1.0, 1.0};
    nc_array *out = cupel_output_vector(context, NC_F64, 4);
    cupel_require_ok(context, nc_array_fill(out, ones, sizeof *ones));
    cupel_expect_bits(context, out, ones, 4);
    cupel_expect_within_ulp(context, out, near, 4, 4.0, "a test of the record");
}

// ---- Runner ------------------------------------------------------------------------------------------------------------------

static bool run(void (*body)(cupel_context *), cupel_record *record)
{
    static const char id[] = "unit.case";
    const cupel_case item = CUPEL_CASE(id, body);
    cupel_context context = {.pid = getpid()};
    assert_int_equal(nc_device_open("0", &context.device), NC_OK);
    NC_STRUCT_INIT(&context.device_info);
    assert_int_equal(nc_device_info_get(context.device, &context.device_info), NC_OK);
    cupel_context_begin(&context, &item);
    if (setjmp(context.stop) == 0) {
        item.run(&context);
    }
    bool passed = cupel_context_finish(&context);
    *record = context.record;
    if (body != leaks_an_array) {
        assert_int_equal(nc_device_close(context.device), NC_OK);
    }
    return passed;
}

static void an_honest_case_passes(void **state)
{
    cupel_record record;
    (void)state;
    assert_true(run(honest, &record));
    assert_int_equal(record.values, 4);
    assert_int_equal(record.failures, 0);
    assert_string_equal(record.message, "");
    // One copy by the case; filling, guarding, sending and comparing are the harness's own.
    assert_int_equal(record.bytes_uploaded, 0);
    assert_int_equal(record.bytes_downloaded, 0);
}

static void every_planted_fault_is_found(void **state)
{
    static const struct {
        void (*body)(cupel_context *);
        const char *says;
    } faults[] = {
        {compares_nothing, "compared no value"},
        {compares_zero_elements, "zero elements"},
        {leaves_the_last_element_out, "3 expected values for an array of 4"},
        {never_runs_the_operation, "element 0 of an output of 4 was never written"},
        {writes_half_of_its_output, "element 2 of an output of 4 was never written"},
        {writes_before_its_output, "guard was overwritten: element -1"},
        {writes_after_its_output, "guard was overwritten: element 4"},
        {writes_into_a_gap, "guard was overwritten: element 2"},
        {writes_its_input, "element 3 of an input of 4 was overwritten"},
        {writes_a_refused_output, "a refused call wrote element 3"},
        {leaks_an_array, "leaks"},
        {expects_its_own_download, "own content"},
        {expects_its_own_storage, "own content"},
        {tolerates_without_a_derivation, "derivation"},
        {claims_a_field_twice, "claim"},
        {claims_a_sentence, "claim"},
        {requires_what_fails, "nc_array_upload"},
        {expects_another_status, "NC_OVERLAP"},
        {goes_on_in_a_child, "forked child"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof faults / sizeof *faults; ++i) {
        cupel_record record;
        if (run(faults[i].body, &record)) {
            fail_msg("fault %zu (%s) passed", i, faults[i].says);
        }
        assert_true(record.failures > 0);
        if (strstr(record.message, faults[i].says) == NULL) {
            fail_msg("fault %zu says \"%s\", not \"%s\"", i, record.message, faults[i].says);
        }
    }
}

// The harness launches kernels too, to fill and guard arrays; the record has those of the case alone.
static void kernels_are_counted_for_the_case(void **state)
{
    cupel_record nothing;
    cupel_record once;
    cupel_record twice;
    (void)state;
    assert_true(run(computes_nothing, &nothing) && run(adds_once, &once) && run(adds_twice, &twice));
    assert_int_equal(nothing.kernels, 0);
    assert_int_equal(once.kernels, 1);
    assert_int_equal(twice.kernels, 2);
}

static void a_copy_of_another_array_may_be_expected(void **state)
{
    cupel_record record;
    (void)state;
    assert_true(run(replays_into_another_array, &record));
    assert_int_equal(record.values, 4);
}

static void the_record_keeps_the_worst_error_and_its_place(void **state)
{
    cupel_record record;
    (void)state;
    assert_true(run(records_the_worst_of_two, &record));
    assert_int_equal(record.values, 8);
    assert_int_equal(record.worst_unit, CUPEL_UNIT_ULP);
    assert_true(record.worst_error == 1.0);
    assert_true(record.worst_bound == 4.0);
    assert_non_null(strstr(record.worst_at, "out[1]"));
}

static void claims_stand_in_the_record(void **state)
{
    cupel_record record;
    (void)state;
    assert_true(run(claims_two_fields, &record));
    assert_int_equal(record.claim_count, 2);
    assert_string_equal(record.claims[1].field, "gradient");
    assert_string_equal(record.claims[1].outcome, "not_supported");
    assert_true(run(honest, &record));
    assert_int_equal(record.claim_count, 0);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(an_honest_case_passes),
    cmocka_unit_test(every_planted_fault_is_found),
    cmocka_unit_test(kernels_are_counted_for_the_case),
    cmocka_unit_test(a_copy_of_another_array_may_be_expected),
    cmocka_unit_test(the_record_keeps_the_worst_error_and_its_place),
    cmocka_unit_test(claims_stand_in_the_record),
};

UNIT_MAIN(tests)
