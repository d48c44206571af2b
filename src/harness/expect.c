// SPDX-License-Identifier: Apache-2.0
// Expectations: each counts what it compared, keeps the worst error with its place, and records failures.
#include "context.h"

#include "report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}

__attribute__((format(printf, 2, 0))) static void record_failure_list(cupel_context *context, const char *format, va_list arguments)
{
    cupel_end_if_forked(context);
    ++context->record.failures;
    if (context->record.message[0] == '\0') {
        vsnprintf(context->record.message, sizeof context->record.message, format, arguments);
        cupel_sanitise(context->record.message);
    }
}

void cupel_record_failure(cupel_context *context, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    record_failure_list(context, format, arguments);
    va_end(arguments);
}

static bool is_word(const char *text)
{
    return text[0] != '\0' && strlen(text) <= CUPEL_CLAIM_MAX &&
           text[strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789_")] == '\0';
}

void cupel_claim(cupel_context *context, const char *field, const char *outcome)
{
    cupel_record *record = &context->record;
    bool good = is_word(field) && is_word(outcome) && record->claim_count < CUPEL_CLAIMS_MAX;
    for (size_t i = 0; i < record->claim_count; ++i) {
        good = good && strcmp(record->claims[i].field, field) != 0;
    }
    if (!good) {
        cupel_fail(context, "the case may not claim \"%s\" \"%s\": words of [a-z0-9_], each field once, %d fields", field, outcome,
                   CUPEL_CLAIMS_MAX);
        return;
    }
    cupel_claim_entry *entry = &record->claims[record->claim_count++];
    snprintf(entry->field, sizeof entry->field, "%s", field);
    snprintf(entry->outcome, sizeof entry->outcome, "%s", outcome);
}

void cupel_fail(cupel_context *context, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    record_failure_list(context, format, arguments);
    va_end(arguments);
}

void cupel_stop(cupel_context *context, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    record_failure_list(context, format, arguments);
    va_end(arguments);
    cupel_leave(context);
}

// The worst is the largest part of its bound. While nothing differs, the unit of the first comparison stands and no place.
static void keep_worst(cupel_record *record, cupel_place place, const cupel_comparison *result)
{
    bool worse = result->worst_ratio > record->worst_ratio ||
                 (result->worst_ratio == record->worst_ratio && result->worst_error > record->worst_error);
    if (!record->has_worst || worse) {
        record->has_worst = true;
        record->worst_unit = result->unit;
        record->worst_error = result->worst_error;
        record->worst_bound = result->worst_bound;
        record->worst_ratio = result->worst_ratio;
    }
    if (worse) {
        snprintf(record->worst_at, sizeof record->worst_at, "%s:%d %.60s[%zu]", base_name(place.file), place.line, place.text,
                 result->worst_index);
        cupel_sanitise(record->worst_at);
    }
}

static void describe_failure(cupel_context *context, cupel_place place, nc_dtype dtype, const cupel_comparison_request *request,
                             const cupel_comparison *result)
{
    char actual[80];
    char expected[80];
    nc_dtype expected_dtype = request->unit == CUPEL_UNIT_BOUND ? NC_F64 : dtype;
    cupel_element_text(dtype, request->actual, result->first_failure, actual, sizeof actual);
    cupel_element_text(expected_dtype, request->expected, result->first_failure, expected, sizeof expected);
    cupel_record_failure(context,
                         "%s:%d: %s: %llu of %llu elements differ, first [%zu]: got %s, expected %s; worst error %g %s at [%zu], "
                         "allowed %g",
                         base_name(place.file), place.line, place.text, (unsigned long long)result->failures,
                         (unsigned long long)result->values, result->first_failure, actual, expected, result->worst_error,
                         cupel_unit_name(result->unit), result->worst_index, result->worst_bound);
}

void cupel_record_comparison(cupel_context *context, cupel_place place, nc_dtype dtype, const cupel_comparison_request *request,
                             const cupel_comparison *result)
{
    cupel_end_if_forked(context);
    if (result->refusal[0] != '\0') {
        cupel_record_failure(context, "%s:%d: %s: %s", base_name(place.file), place.line, place.text, result->refusal);
        return;
    }
    context->record.values += result->values;
    context->record.bytes_compared += result->values * nc_dtype_size(dtype);
    context->record.differing_bits += result->differing_bits;
    keep_worst(&context->record, place, result);
    if (result->failures > 0 || result->values != request->count) {
        describe_failure(context, place, dtype, request, result);
    }
}

// Downloads the array and compares. The count a case states must be the array's: nothing may be left out.
static void check_array(cupel_context *context, cupel_place place, const nc_array *array, cupel_comparison_request *request)
{
    nc_array_info info;
    NC_STRUCT_INIT(&info);
    if (nc_array_info_get(array, &info) != NC_OK) {
        cupel_record_failure(context, "%s:%d: %s: %s", base_name(place.file), place.line, place.text, nc_last_error());
        return;
    }
    if (info.count < 0 || (uint64_t)info.count != request->count) {
        cupel_record_failure(context, "%s:%d: %s: %zu expected values for an array of %lld elements", base_name(place.file),
                             place.line, place.text, request->count, (long long)info.count);
        return;
    }
    request->dtype = (nc_dtype)info.dtype;
    size_t expected_size = request->unit == CUPEL_UNIT_BOUND ? sizeof(double) : nc_dtype_size(request->dtype);
    if (cupel_is_own_content(context, array, request->expected, request->count * expected_size)) {
        cupel_record_failure(context, "%s:%d: %s: the expected values are the array's own content", base_name(place.file),
                             place.line, place.text);
        return;
    }
    request->actual = cupel_download(context, array);
    cupel_comparison result;
    cupel_compare(request, &result);
    cupel_record_comparison(context, place, request->dtype, request, &result);
}

void cupel_check_bits(cupel_context *context, cupel_place place, const nc_array *array, const void *expected, size_t count,
                      const uint8_t *nan_at)
{
    cupel_comparison_request request = {.unit = CUPEL_UNIT_BITS, .expected = expected, .count = count, .nan_at = nan_at};
    check_array(context, place, array, &request);
}

static bool derivation_is_missing(cupel_context *context, cupel_place place, const char *derivation)
{
    if (derivation == NULL || derivation[0] == '\0') {
        cupel_record_failure(context, "%s:%d: %s: a tolerance needs its derivation", base_name(place.file), place.line, place.text);
        return true;
    }
    return false;
}

void cupel_check_within_ulp(cupel_context *context, cupel_place place, const nc_array *array, const void *expected, size_t count,
                            double ulp, const char *derivation)
{
    cupel_comparison_request request = {.unit = CUPEL_UNIT_ULP, .expected = expected, .count = count, .ulp = ulp};
    if (!derivation_is_missing(context, place, derivation)) {
        check_array(context, place, array, &request);
    }
}

void cupel_check_within_bound(cupel_context *context, cupel_place place, const nc_array *array, const double *expected,
                              const double *bounds, size_t count, const char *derivation)
{
    cupel_comparison_request request = {.unit = CUPEL_UNIT_BOUND, .expected = expected, .count = count, .bounds = bounds};
    if (!derivation_is_missing(context, place, derivation)) {
        check_array(context, place, array, &request);
    }
}

void cupel_check_same(cupel_context *context, cupel_place place, nc_dtype dtype, const void *actual, const void *expected,
                      size_t count)
{
    cupel_comparison_request request = {
        .dtype = dtype, .unit = CUPEL_UNIT_BITS, .actual = actual, .expected = expected, .count = count};
    cupel_comparison result;
    cupel_compare(&request, &result);
    cupel_record_comparison(context, place, dtype, &request, &result);
}

void cupel_check_counted(cupel_context *context, cupel_place place, uint64_t values, uint64_t bytes, uint64_t differing,
                         uint64_t bits, const char *first)
{
    cupel_end_if_forked(context);
    cupel_comparison result = {.values = values, .failures = differing, .differing_bits = bits, .unit = CUPEL_UNIT_BITS};
    result.worst_error = (double)bits;
    result.worst_ratio = differing > 0 ? (double)INFINITY : 0.0;
    context->record.values += values;
    context->record.bytes_compared += bytes;
    context->record.differing_bits += bits;
    keep_worst(&context->record, place, &result);
    if (values == 0) {
        cupel_record_failure(context, "%s:%d: %s: no value was compared", base_name(place.file), place.line, place.text);
    } else if (differing > 0) {
        cupel_record_failure(context, "%s:%d: %s: %llu of %llu values differ, first %s", base_name(place.file), place.line,
                             place.text, (unsigned long long)differing, (unsigned long long)values, first);
    }
}

// An expectation that has no error in units: it holds or it does not.
static void count_one(cupel_context *context, bool holds)
{
    cupel_end_if_forked(context);
    ++context->record.values;
    if (!holds) {
        context->record.worst_ratio = (double)INFINITY;
    }
}

void cupel_check_status(cupel_context *context, cupel_place place, nc_status actual, nc_status expected)
{
    count_one(context, actual == expected);
    if (actual != expected) {
        cupel_record_failure(context, "%s:%d: %.200s is %s, expected %s%s%s", base_name(place.file), place.line, place.text,
                             nc_status_name(actual), nc_status_name(expected), actual == NC_OK ? "" : ": ",
                             actual == NC_OK ? "" : nc_last_error());
    }
}

void cupel_require_status(cupel_context *context, cupel_place place, nc_status status)
{
    cupel_end_if_forked(context);
    if (status != NC_OK) {
        cupel_stop(context, "%s:%d: %.200s is %s: %s", base_name(place.file), place.line, place.text, nc_status_name(status),
                   nc_last_error());
    }
}

void cupel_check_true(cupel_context *context, cupel_place place, bool condition)
{
    count_one(context, condition);
    if (!condition) {
        cupel_record_failure(context, "%s:%d: %s does not hold", base_name(place.file), place.line, place.text);
    }
}

void cupel_check_u64(cupel_context *context, cupel_place place, uint64_t actual, uint64_t expected)
{
    count_one(context, actual == expected);
    if (actual != expected) {
        cupel_record_failure(context, "%s:%d: %s is %llu (0x%llx), expected %llu (0x%llx)", base_name(place.file), place.line,
                             place.text, (unsigned long long)actual, (unsigned long long)actual, (unsigned long long)expected,
                             (unsigned long long)expected);
    }
}

void cupel_check_text(cupel_context *context, cupel_place place, const char *actual, const char *expected)
{
    bool equal = actual != NULL && expected != NULL && strcmp(actual, expected) == 0;
    count_one(context, equal);
    if (!equal) {
        cupel_record_failure(context, "%s:%d: %s is \"%.100s\", expected \"%.100s\"", base_name(place.file), place.line, place.text,
                             actual == NULL ? "(null)" : actual, expected == NULL ? "(null)" : expected);
    }
}

void cupel_check_untouched(cupel_context *context, cupel_place place, const nc_array *array)
{
    cupel_buffer *buffer = cupel_buffer_find(context, array);
    count_one(context, buffer != NULL);
    if (buffer == NULL) {
        cupel_record_failure(context, "%s:%d: %s was not made by cupel_output", base_name(place.file), place.line, place.text);
        return;
    }
    cupel_buffer_expect_untouched(buffer);
}
