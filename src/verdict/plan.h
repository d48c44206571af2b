// SPDX-License-Identifier: Apache-2.0
// The build plan (docs/formats.md): the profiles, suites and executables of one build tree, as configured.
#ifndef CUPEL_PLAN_H
#define CUPEL_PLAN_H

#include <stdbool.h>
#include <stddef.h>

typedef struct cupel_plan_suite {
    const char *suite;
    const char *linkage; // "static" or "shared"
    const char *test;    // the ctest name
    const char *executable;
} cupel_plan_suite;

typedef struct cupel_plan_profile {
    const char *name;
    const char *backend;
    const char *device_type;
    bool built;
    const char *reason;  // why the backend was not built, "" when it was
    const char *install; // what to install, "" when nothing
    const char *manifest;
    long timeout_seconds;
    cupel_plan_suite *suites;
    size_t suite_count;
} cupel_plan_profile;

// Strings belong to the plan and live until cupel_plan_free.
typedef struct cupel_plan {
    void *document;
    const char *source;
    const char *build;
    const char *ctest;
    cupel_plan_profile *profiles;
    size_t profile_count;
} cupel_plan;

enum { CUPEL_PLAN_MESSAGE = 512 };

// Reads <tree>/cupel/plan.json. On failure *plan is empty and `message` holds one sentence without its final newline that names
// the file and the next step.
bool cupel_plan_read(const char *tree, cupel_plan *plan, char message[CUPEL_PLAN_MESSAGE]);
// The same from a file of any place, such as the copy in an attempt.
bool cupel_plan_read_file(const char *path, cupel_plan *plan, char message[CUPEL_PLAN_MESSAGE]);
void cupel_plan_free(cupel_plan *plan);
// Null when the plan has no such profile.
const cupel_plan_profile *cupel_plan_find(const cupel_plan *plan, const char *name);

#endif
