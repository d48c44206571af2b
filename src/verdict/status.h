// SPDX-License-Identifier: Apache-2.0
// The outcome of a command or a verdict: its exit status and its word.
#ifndef CUPEL_STATUS_H
#define CUPEL_STATUS_H

typedef enum cupel_status {
    CUPEL_PASS = 0,    // qualified, or the check holds
    CUPEL_FAILED = 1,  // a wrong answer or a failing case
    CUPEL_NOT_RUN = 2, // a backend, device, dependency or capability is missing
    CUPEL_REFUSED = 3  // evidence is missing, extra, stale, contradictory, malformed or tampered with
} cupel_status;

// "PASS", "FAIL", "NOT RUN", "REFUSED".
const char *cupel_status_word(cupel_status status);

// The status of two things together: refused before failed before not run before pass.
cupel_status cupel_status_join(cupel_status a, cupel_status b);

#endif
