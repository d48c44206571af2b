// SPDX-License-Identifier: Apache-2.0
#include "junit_counts.h"

void cupel_junit_tally_add(cupel_junit_tally *to, const cupel_junit_tally *from)
{
    to->cases += from->cases;
    to->failed += from->failed;
    to->errors += from->errors;
    to->skipped += from->skipped;
    to->disabled += from->disabled;
    to->failure_cases += from->failure_cases;
    to->error_cases += from->error_cases;
    to->failure_elements += from->failure_elements;
    to->error_elements += from->error_elements;
    to->failed_attempts += from->failed_attempts;
    to->errors_attempts += from->errors_attempts;
}

static bool one_of(uint64_t value, uint64_t a, uint64_t b, uint64_t c)
{
    return value == a || value == b || value == c;
}

// Assertions are at least as many as the cases that they belong to, and none where there is no case.
static bool covers(uint64_t assertions, uint64_t cases)
{
    return assertions >= cases && (cases > 0 || assertions == 0);
}

static bool failures_agree(const cupel_junit_declared *declared, const cupel_junit_tally *tally, cupel_junit_habits habits,
                           cupel_attribute *counter)
{
    bool has_failures = declared->present[ATTRIBUTE_FAILURES];
    bool has_errors = declared->present[ATTRIBUTE_ERRORS];
    uint64_t failures = declared->value[ATTRIBUTE_FAILURES];
    uint64_t errors = declared->value[ATTRIBUTE_ERRORS];
    if (habits.errors_are_failures && has_failures && has_errors && tally->error_elements == 0) {
        *counter = ATTRIBUTE_FAILURES;
        return failures + errors == tally->failed + tally->errors;
    }
    bool failures_good = one_of(failures, tally->failed, tally->failure_cases, tally->failure_elements) ||
                         (!has_errors && failures == tally->failed + tally->errors) ||
                         (habits.tests_are_assertions && covers(failures, tally->failure_cases)) ||
                         (habits.attempts_are_tests && failures == tally->failure_elements + tally->failed_attempts);
    bool errors_good = one_of(errors, tally->errors, tally->error_cases, tally->error_elements) ||
                       (habits.tests_are_assertions && covers(errors, tally->error_cases)) ||
                       (habits.attempts_are_tests && errors == tally->error_elements + tally->errors_attempts);
    *counter = !has_failures || failures_good ? ATTRIBUTE_ERRORS : ATTRIBUTE_FAILURES;
    return (!has_failures || failures_good) && (!has_errors || errors_good);
}

static bool skips_agree(const cupel_junit_declared *declared, const cupel_junit_tally *tally, cupel_attribute *counter)
{
    uint64_t skipped = declared->value[ATTRIBUTE_SKIPPED];
    uint64_t disabled = declared->value[ATTRIBUTE_DISABLED];
    bool has_skipped = declared->present[ATTRIBUTE_SKIPPED];
    bool has_disabled = declared->present[ATTRIBUTE_DISABLED];
    uint64_t plain = tally->skipped - tally->disabled;
    bool skipped_good = !has_skipped || skipped == tally->skipped || (has_disabled && skipped == plain);
    bool disabled_good = !has_disabled || disabled == tally->disabled || (!has_skipped && disabled == tally->skipped);
    *counter = skipped_good ? ATTRIBUTE_DISABLED : ATTRIBUTE_SKIPPED;
    return skipped_good && disabled_good;
}

static bool tests_agree(uint64_t tests, const cupel_junit_tally *tally, cupel_junit_habits habits)
{
    return tests == tally->cases || (habits.tests_are_assertions && covers(tests, tally->cases)) ||
           (habits.attempts_are_tests && tests == tally->cases + tally->failed_attempts + tally->errors_attempts) ||
           (habits.teardowns_are_tests && tests > tally->cases && tests <= tally->cases + tally->error_cases);
}

static bool tally_agrees(const cupel_junit_declared *declared, const cupel_junit_tally *tally, cupel_junit_habits habits,
                         cupel_attribute *counter)
{
    if (declared->present[ATTRIBUTE_TESTS] && !tests_agree(declared->value[ATTRIBUTE_TESTS], tally, habits)) {
        *counter = ATTRIBUTE_TESTS;
        return false;
    }
    return failures_agree(declared, tally, habits, counter) && skips_agree(declared, tally, counter);
}

bool cupel_junit_counts_agree(const cupel_junit_declared *declared, const cupel_junit_tally *direct, const cupel_junit_tally *total,
                              cupel_junit_habits habits, cupel_attribute *counter, uint64_t *found)
{
    if (tally_agrees(declared, direct, habits, counter) || tally_agrees(declared, total, habits, counter)) {
        return true;
    }
    const uint64_t values[ATTRIBUTE_COUNTERS] = {total->cases, total->failed, total->errors, total->skipped, total->disabled};
    *found = values[*counter];
    return false;
}

const char *cupel_counter_name(cupel_attribute counter)
{
    static const char *const names[ATTRIBUTE_COUNTERS] = {"tests", "failures", "errors", "skipped", "disabled"};
    return names[counter];
}
