// SPDX-License-Identifier: Apache-2.0
// JUnit reports of any producer, read strictly. docs/junit.md lists the dialects and every choice.
//
// A report is streamed from one descriptor; memory is bounded whatever its size. The result is believed only as a whole:
// cases are handed out while reading, but nothing may be published before cupel_junit_read has returned true.
#ifndef CUPEL_JUNIT_H
#define CUPEL_JUNIT_H

#include "file.h"
#include "reasons.h"

#define CUPEL_JUNIT_MAX_BYTES (UINT64_C(128) << 20) // of a file
#define CUPEL_JUNIT_MAX_CASES UINT64_C(5000000)
#define CUPEL_JUNIT_MAX_TEXT ((size_t)1 << 20)    // of one element's text; the rest is cut and marked
#define CUPEL_JUNIT_MAX_MESSAGE ((size_t)1 << 16) // of a message attribute; the rest is cut and marked
#define CUPEL_JUNIT_MAX_NAME ((size_t)4096)       // bytes of a name; longer ones are refused
#define CUPEL_JUNIT_MAX_DEPTH 16

typedef enum cupel_junit_outcome {
    CUPEL_JUNIT_PASSED,
    CUPEL_JUNIT_FAILED,
    CUPEL_JUNIT_ERROR,
    CUPEL_JUNIT_SKIPPED
} cupel_junit_outcome;

// One leaf case. Strings live until the callback returns.
typedef struct cupel_junit_case {
    const char *suite;     // name of the innermost suite, "" when it has none
    const char *classname; // its own, else the suite's name
    const char *name;
    cupel_junit_outcome outcome;
    bool retried;        // passed after a failed attempt
    bool text_cut;       // message or text was longer than the cap
    double seconds;      // 0 when not stated
    const char *message; // of the worst outcome, "" when passed
    const char *text;    // content of that element, "" when passed
    size_t line;         // where the case begins
} cupel_junit_case;

typedef struct cupel_junit_options {
    uint64_t max_bytes;                                              // 0: CUPEL_JUNIT_MAX_BYTES
    void (*on_case)(void *context, const cupel_junit_case *current); // null: not called
    void *context;
} cupel_junit_options;

typedef struct cupel_junit_counts {
    uint64_t cases; // leaf elements
    uint64_t passed;
    uint64_t failed;
    uint64_t errors;  // cases in error, and suites that report an error without a case
    uint64_t skipped; // skipped, disabled, not run
    uint64_t retried; // passed after a failed attempt; also among `passed`
    uint64_t suites;
    uint64_t texts_cut;
} cupel_junit_counts;

typedef struct cupel_junit_report {
    cupel_junit_counts counts; // from elements, never from attributes
    const char *dialect;       // "cmocka", "ctest", "gtest", "catch2", "pytest", "surefire" or "junit"
    uint64_t bytes;
    char sha256[CUPEL_SHA256_HEX]; // of exactly the bytes parsed
    int64_t modified;              // seconds since 1970
} cupel_junit_report;

// Reads the report at `path`. True when the file is a whole, legal report: then *report is valid, and what makes it no pass
// (failures, skips, counters that disagree, ...) is in `findings`. False when the file is refused: its reasons are in
// `findings`, *report is {0} and what on_case was given must be thrown away. `subject` names the report in findings.
bool cupel_junit_read(const char *path, const char *subject, const cupel_junit_options *options, cupel_junit_report *report,
                      cupel_findings *findings);
// The same from an open descriptor, which is read to its end and not closed.
bool cupel_junit_read_fd(int fd, const char *subject, const cupel_junit_options *options, cupel_junit_report *report,
                         cupel_findings *findings);

const char *cupel_junit_outcome_word(cupel_junit_outcome outcome); // "passed", "failed", "in error", "skipped"

#endif
