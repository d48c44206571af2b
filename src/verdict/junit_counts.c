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
    to->retried_cases += from->retried_cases;
    to->flaky_elements += from->flaky_elements;
    to->assertions += from->assertions;
    to->asserting_cases += from->asserting_cases;
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

// One counter of a suite against one reading of its elements. Each returns true when they agree, else it tells the two numbers that
// were compared; `found` is the plain count, which every producer's own reading includes, so that the two are never the same.
typedef struct reading {
    const cupel_junit_declared *declared;
    const cupel_junit_tally *tally;
    cupel_junit_habits habits;
    cupel_junit_mismatch *mismatch;
} reading;

static bool differ(const reading *read, cupel_attribute counter, uint64_t found)
{
    static const char *const names[ATTRIBUTE_COUNTERS] = {"tests",    "failures", "errors",    "skipped",
                                                          "disabled", "flakes",   "assertions"};
    *read->mismatch = (cupel_junit_mismatch){names[counter], read->declared->value[counter], found};
    return false;
}

static bool tests_agree(const reading *read)
{
    const cupel_junit_tally *tally = read->tally;
    const uint64_t tests = read->declared->value[ATTRIBUTE_TESTS];
    return tests == tally->cases || (read->habits.tests_are_assertions && covers(tests, tally->cases)) ||
           (read->habits.attempts_are_tests && tests == tally->cases + tally->failed_attempts + tally->errors_attempts) ||
           (read->habits.teardowns_are_tests && tests > tally->cases && tests <= tally->cases + tally->error_cases) ||
           differ(read, ATTRIBUTE_TESTS, tally->cases);
}

// CMocka counts a case whose setup failed among `errors` and shows a <failure>; only the sum of both says something.
static bool sum_agrees(const reading *read)
{
    const uint64_t *value = read->declared->value;
    const uint64_t sum = value[ATTRIBUTE_FAILURES] + value[ATTRIBUTE_ERRORS];
    const uint64_t found = read->tally->failed + read->tally->errors;
    if (sum != found) {
        *read->mismatch = (cupel_junit_mismatch){"failures + errors", sum, found};
    }
    return sum == found;
}

static bool failures_agree(const reading *read)
{
    const cupel_junit_tally *tally = read->tally;
    const uint64_t failures = read->declared->value[ATTRIBUTE_FAILURES];
    const bool has_errors = read->declared->present[ATTRIBUTE_ERRORS];
    return one_of(failures, tally->failed, tally->failure_cases, tally->failure_elements) ||
           (!has_errors && failures == tally->failed + tally->errors) ||
           (read->habits.tests_are_assertions && covers(failures, tally->failure_cases)) ||
           (read->habits.attempts_are_tests && failures == tally->failure_elements + tally->failed_attempts) ||
           differ(read, ATTRIBUTE_FAILURES, tally->failed);
}

static bool errors_agree(const reading *read)
{
    const cupel_junit_tally *tally = read->tally;
    const uint64_t errors = read->declared->value[ATTRIBUTE_ERRORS];
    return one_of(errors, tally->errors, tally->error_cases, tally->error_elements) ||
           (read->habits.tests_are_assertions && covers(errors, tally->error_cases)) ||
           (read->habits.attempts_are_tests && errors == tally->error_elements + tally->errors_attempts) ||
           differ(read, ATTRIBUTE_ERRORS, tally->errors);
}

static bool skipped_agree(const reading *read)
{
    const cupel_junit_tally *tally = read->tally;
    const uint64_t skipped = read->declared->value[ATTRIBUTE_SKIPPED];
    return skipped == tally->skipped ||
           (read->declared->present[ATTRIBUTE_DISABLED] && skipped == tally->skipped - tally->disabled) ||
           differ(read, ATTRIBUTE_SKIPPED, tally->skipped);
}

static bool disabled_agree(const reading *read)
{
    const cupel_junit_tally *tally = read->tally;
    const uint64_t disabled = read->declared->value[ATTRIBUTE_DISABLED];
    return disabled == tally->disabled || (!read->declared->present[ATTRIBUTE_SKIPPED] && disabled == tally->skipped) ||
           differ(read, ATTRIBUTE_DISABLED, tally->disabled);
}

static bool flakes_agree(const reading *read)
{
    const cupel_junit_tally *tally = read->tally;
    const uint64_t flakes = read->declared->value[ATTRIBUTE_FLAKES];
    return flakes == tally->retried_cases || flakes == tally->flaky_elements ||
           differ(read, ATTRIBUTE_FLAKES, tally->retried_cases);
}

// The sum where every case states its own, else at least what the cases state.
static bool assertions_agree(const reading *read)
{
    const cupel_junit_tally *tally = read->tally;
    const uint64_t assertions = read->declared->value[ATTRIBUTE_ASSERTIONS];
    const bool all = tally->asserting_cases == tally->cases;
    return assertions == tally->assertions || (!all && assertions > tally->assertions) ||
           differ(read, ATTRIBUTE_ASSERTIONS, tally->assertions);
}

// How many counters agree before the first that does not; ATTRIBUTE_COUNTERS when all do.
static size_t agreements(const reading *read)
{
    static bool (*const checks[ATTRIBUTE_COUNTERS])(const reading *) = {
        [ATTRIBUTE_TESTS] = tests_agree,           [ATTRIBUTE_FAILURES] = failures_agree, [ATTRIBUTE_ERRORS] = errors_agree,
        [ATTRIBUTE_SKIPPED] = skipped_agree,       [ATTRIBUTE_DISABLED] = disabled_agree, [ATTRIBUTE_FLAKES] = flakes_agree,
        [ATTRIBUTE_ASSERTIONS] = assertions_agree,
    };
    const bool *present = read->declared->present;
    const bool sum = read->habits.errors_are_failures && present[ATTRIBUTE_FAILURES] && present[ATTRIBUTE_ERRORS] &&
                     read->tally->error_elements == 0;
    for (size_t i = 0; i < ATTRIBUTE_COUNTERS; ++i) {
        const bool in_sum = sum && (i == ATTRIBUTE_FAILURES || i == ATTRIBUTE_ERRORS);
        if (present[i] && !(in_sum ? sum_agrees(read) : checks[i](read))) {
            return i;
        }
    }
    return ATTRIBUTE_COUNTERS;
}

bool cupel_junit_counts_agree(const cupel_junit_declared *declared, const cupel_junit_tally *direct, const cupel_junit_tally *total,
                              cupel_junit_habits habits, cupel_junit_mismatch *mismatch)
{
    cupel_junit_mismatch nearer = {0};
    const reading own = {declared, direct, habits, &nearer};
    const reading all = {declared, total, habits, mismatch};
    const size_t own_agree = agreements(&own);
    const size_t all_agree = agreements(&all);
    if (own_agree > all_agree) { // the reading that fits longer is the one that was meant
        *mismatch = nearer;
    }
    return own_agree == ATTRIBUTE_COUNTERS || all_agree == ATTRIBUTE_COUNTERS;
}
