// SPDX-License-Identifier: Apache-2.0
// A whole run of a small profile, written file by file, so that tests can spoil one thing at a time.
//
// Profile "p", backend cpu, two suites: alpha (alpha.one, alpha.two) and beta (beta.one). All of it is good as it stands.
#ifndef VERDICT_FIXTURE_H
#define VERDICT_FIXTURE_H

#include "verdict.h"

// Stands in the exit line of a ledger; on disk it is the SHA-256 of the suite's report as it is then, "" when that was removed.
#define FIXTURE_REPORT "@REPORT@"

enum { FIXTURE_FILES = 16, FIXTURE_SUITES = 3 };

typedef struct fixture_file {
    char name[64];
    char *text; // null: the file does not exist
} fixture_file;

typedef struct fixture {
    fixture_file files[FIXTURE_FILES]; // of the run directory
    size_t file_count;
    char *manifest; // null: the file does not exist
    char *sources;  // sources.sha256 of the build tree
    char directory[512];
    char manifest_path[512];
    char build[512];
    char executable[512]; // this test's own program
    cupel_plan_suite suites[FIXTURE_SUITES];
    cupel_plan_profile profile;
    cupel_verdict_request request;
} fixture;

// A good run in memory. Nothing is written before fixture_evaluate.
void fixture_make(fixture *run);
void fixture_free(fixture *run);

// The text of a file of the run; "manifest" and "sources" are names too. Fails the test when there is none.
char **fixture_text(fixture *run, const char *name);
// Replaces the text of a file, or adds the file.
void fixture_set(fixture *run, const char *name, const char *text);
// Removes a file.
void fixture_remove(fixture *run, const char *name);
// Replaces `old`, which must be there exactly once, by `new_text` in a file.
void fixture_edit(fixture *run, const char *name, const char *old, const char *new_text);
// The same for every place where `old` stands; there must be one at least.
void fixture_edit_all(fixture *run, const char *name, const char *old, const char *new_text);

// Gives a suite another executable, in the plan and in ctest's list.
void fixture_executable(fixture *run, size_t suite, const char *path);
// A profile whose backend was not built: no suites, and ctest knows of none.
void fixture_without_suites(fixture *run);

// Makes the case alpha.two fail in everything that speaks of it.
void fixture_fail_alpha_two(fixture *run);

// Writes everything to disk, into an empty directory.
void fixture_write(fixture *run);
// Writes and evaluates.
void fixture_evaluate(fixture *run, cupel_verdict *verdict);

#endif
