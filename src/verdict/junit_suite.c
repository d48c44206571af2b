// SPDX-License-Identifier: Apache-2.0
#include "junit_internal.h"

#include <stdio.h>
#include <string.h>

static cupel_junit_suite *suite_top(cupel_junit_reader *reader)
{
    return &reader->suites[reader->suite_depth - 1];
}

static const char *suite_name(const cupel_junit_suite *suite)
{
    return suite->name.length == 0 ? "(without a name)" : cupel_junit_text_get(&suite->name);
}

bool cupel_junit_suite_begin(cupel_junit_reader *reader, cupel_element element)
{
    cupel_junit_suite *suite = &reader->suites[reader->suite_depth++];
    cupel_junit_text name = suite->name;
    *suite = (cupel_junit_suite){.name = name, .line = cupel_junit_line(reader), .is_root = element == ELEMENT_TESTSUITES};
    cupel_junit_text_clear(&suite->name);
    if (reader->suite_depth > 1) {
        suite->habits = reader->suites[reader->suite_depth - 2].habits;
    }
    reader->counts.suites += element == ELEMENT_TESTSUITE;
    return true;
}

static bool counter_read(cupel_junit_reader *reader, cupel_attribute attribute, const char *name, const char *value)
{
    uint64_t number = 0;
    if (!cupel_junit_counter(value, &number)) {
        return cupel_junit_fault(reader, CUPEL_REASON_REPORT_NUMBER, "suite %.60s: %s=\"%.40s\" is not a count",
                                 suite_name(suite_top(reader)), name, value);
    }
    cupel_junit_declared *declared = &suite_top(reader)->declared;
    if (declared->present[attribute] && declared->value[attribute] != number) { // `skipped` and `skips`
        cupel_junit_fact(reader, CUPEL_REASON_REPORT_COUNTS, suite_top(reader)->line,
                         "suite %.100s: %s is declared %llu, and %llu under another name", suite_name(suite_top(reader)), name,
                         (unsigned long long)number, (unsigned long long)declared->value[attribute]);
    }
    declared->present[attribute] = true;
    declared->value[attribute] = number;
    return true;
}

bool cupel_junit_suite_attribute(cupel_junit_reader *reader, cupel_attribute attribute, const char *name, const char *value)
{
    cupel_junit_suite *suite = suite_top(reader);
    double seconds;
    size_t shape = strlen(suite->shape);
    if (shape + 1 < sizeof suite->shape) {
        suite->shape[shape] = name[0];
    }
    if (attribute < ATTRIBUTE_COUNTERS) {
        return counter_read(reader, attribute, name, value);
    }
    switch (attribute) {
    case ATTRIBUTE_NAME:
        if (strlen(value) > CUPEL_JUNIT_MAX_NAME) {
            return cupel_junit_fault(reader, CUPEL_REASON_REPORT_NAME, "a suite's name is longer than %zu bytes",
                                     CUPEL_JUNIT_MAX_NAME);
        }
        return cupel_junit_text_append(&suite->name, value, strlen(value), CUPEL_JUNIT_MAX_NAME);
    case ATTRIBUTE_TIME:
        return cupel_junit_seconds_read(reader, value, &seconds);
    case ATTRIBUTE_HOSTNAME:
        // The constant that Catch2 writes for every host.
        suite->habits.tests_are_assertions |= strcmp(value, "tbd") == 0;
        return true;
    case ATTRIBUTE_SCHEMA:
        if (strstr(value, "surefire") != NULL) {
            reader->dialect = "surefire";
            suite->habits.attempts_are_tests = true;
        }
        return true;
    default:
        return true;
    }
}

// Whether such an attribute may stand is known once all of them were read: GoogleTest's root bears its name last.
bool cupel_junit_suite_property(cupel_junit_reader *reader, const char *name)
{
    char *kept = suite_top(reader)->property;
    if (kept[0] == '\0') {
        snprintf(kept, sizeof suite_top(reader)->property, "%s", name);
    }
    return true;
}

// Tells the producer from the shape of the first suite. Only habits of counting and of stating follow from it.
bool cupel_junit_suite_attributes_done(cupel_junit_reader *reader)
{
    cupel_junit_suite *suite = suite_top(reader);
    bool root = reader->depth == 0;
    // Its place counts: the same suite below two others is two suites. The root's name is none of its cases'.
    uint64_t above = reader->suite_depth > 1 && !reader->suites[reader->suite_depth - 2].is_root
                         ? reader->suites[reader->suite_depth - 2].key
                         : 0;
    suite->key = cupel_junit_key_add(above, cupel_junit_text_get(&suite->name), suite->name.length);
    const char *root_shape = reader->suites[0].shape;
    if (root && strcmp(cupel_junit_text_get(&suite->name), "AllTests") == 0 && suite->declared.present[ATTRIBUTE_TESTS]) {
        reader->dialect = "gtest";
        reader->must_state = true;
    } else if (suite->habits.tests_are_assertions) {
        reader->dialect = "catch2";
    } else if (!root && root_shape[0] == '\0' && strcmp(suite->shape, "nttfes") == 0) {
        reader->dialect = "cmocka";
        suite->habits.errors_are_failures = true;
    } else if (root && strcmp(suite->shape, "ntfdshtt") == 0) {
        reader->dialect = "ctest";
        reader->must_state = true;
    } else if (strcmp(cupel_junit_text_get(&suite->name), "pytest") == 0) {
        reader->dialect = "pytest";
        suite->habits.teardowns_are_tests = true;
    }
    if (suite->property[0] != '\0' && strcmp(reader->dialect, "gtest") != 0) {
        return cupel_junit_fault(reader, CUPEL_REASON_REPORT_VOCABULARY, "element %s has an unknown attribute %s",
                                 suite->is_root ? "testsuites" : "testsuite", suite->property);
    }
    return true;
}

// An error that no case stands for: CMocka counts a failed group setup and writes no case; others write <error> in the suite.
static void suite_errors(cupel_junit_reader *reader, cupel_junit_suite *suite)
{
    uint64_t errors = suite->errors_reported;
    if (errors == 0 && suite->total.cases == 0 && suite->total.errors == 0) {
        errors = suite->declared.value[ATTRIBUTE_ERRORS];
    }
    if (errors > 0) {
        cupel_junit_fact(reader, CUPEL_REASON_REPORT_SUITE_ERROR, suite->line,
                         "suite %.100s reports %llu errors outside of any case", suite_name(suite), (unsigned long long)errors);
        suite->direct.errors += errors;
        suite->direct.error_elements += errors;
        suite->total.errors += errors;
        suite->total.error_elements += errors;
        reader->counts.errors += errors;
    }
}

bool cupel_junit_suite_end(cupel_junit_reader *reader)
{
    cupel_junit_mismatch mismatch;
    cupel_junit_suite *suite = suite_top(reader);
    cupel_junit_tally_add(&suite->total, &suite->direct);
    suite_errors(reader, suite);
    // The root of several suites has no case of its own, so a 0 there would agree with anything.
    const cupel_junit_tally *own = suite->is_root ? &suite->total : &suite->direct;
    if (!cupel_junit_counts_agree(&suite->declared, own, &suite->total, suite->habits, &mismatch)) {
        const cupel_junit_tally *total = &suite->total;
        cupel_junit_fact(reader, CUPEL_REASON_REPORT_COUNTS, suite->line,
                         "suite %.100s: %s is declared %llu, found %llu (%llu cases: f=%llu e=%llu s=%llu)", suite_name(suite),
                         mismatch.counter, (unsigned long long)mismatch.declared, (unsigned long long)mismatch.found,
                         (unsigned long long)total->cases, (unsigned long long)total->failed, (unsigned long long)total->errors,
                         (unsigned long long)total->skipped);
    }
    --reader->suite_depth;
    if (reader->suite_depth > 0) {
        cupel_junit_tally_add(&suite_top(reader)->total, &suite->total);
    }
    return true;
}
