// SPDX-License-Identifier: Apache-2.0
// Do the counters of a suite agree with its elements? Internal to the JUnit reader.
#ifndef CUPEL_JUNIT_COUNTS_H
#define CUPEL_JUNIT_COUNTS_H

#include "junit_vocabulary.h"

// What was found below one suite. Producers count differently, so that several numbers can stand behind one counter: cases by
// their outcome, cases that have an element of the kind, and elements.
typedef struct cupel_junit_tally {
    uint64_t cases;
    uint64_t failed;  // outcome
    uint64_t errors;  // outcome; and suites that report an error without a case
    uint64_t skipped; // outcome, with disabled ones
    uint64_t disabled;
    uint64_t failure_cases;
    uint64_t error_cases;
    uint64_t failure_elements;
    uint64_t error_elements;
    uint64_t failed_attempts; // <flakyFailure>, <rerunFailure>
    uint64_t errors_attempts; // <flakyError>, <rerunError>
    uint64_t retried_cases;   // passed after a failed attempt
    uint64_t flaky_elements;  // <flakyFailure>, <flakyError>
    uint64_t assertions;      // of the cases that state theirs
    uint64_t asserting_cases; // cases that state theirs
} cupel_junit_tally;

typedef struct cupel_junit_declared {
    bool present[ATTRIBUTE_COUNTERS];
    uint64_t value[ATTRIBUTE_COUNTERS];
} cupel_junit_declared;

// How the producer counts, where that is not as everyone does.
typedef struct cupel_junit_habits {
    bool tests_are_assertions; // Catch2: `tests`, `failures` and `errors` count assertions
    bool errors_are_failures;  // CMocka: a case in error has a <failure>, and `errors` counts it
    bool teardowns_are_tests;  // pytest: a case that passed and then erred in its teardown counts twice in `tests`
    bool attempts_are_tests;   // Surefire: every attempt counts
} cupel_junit_habits;

// A counter that no reading of its suite explains.
typedef struct cupel_junit_mismatch {
    const char *counter; // its name, or "failures + errors" where the producer's habit is their sum
    uint64_t declared;
    uint64_t found; // never equal to `declared`
} cupel_junit_mismatch;

void cupel_junit_tally_add(cupel_junit_tally *to, const cupel_junit_tally *from);

// True when all counters that are present agree with `direct` (the suite's own cases) or all with `total` (nested suites too).
// Else *mismatch is the first that does not agree in the reading that fits longer, with `total` when both fit as long.
bool cupel_junit_counts_agree(const cupel_junit_declared *declared, const cupel_junit_tally *direct, const cupel_junit_tally *total,
                              cupel_junit_habits habits, cupel_junit_mismatch *mismatch);

#endif
