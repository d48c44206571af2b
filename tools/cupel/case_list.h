// SPDX-License-Identifier: Apache-2.0
// The cases that an executable itself reports, held against a manifest.
#ifndef CUPEL_CASE_LIST_H
#define CUPEL_CASE_LIST_H

#include "manifest.h"
#include "plan.h"
#include "reasons.h"

// Case ids in byte order, each once.
typedef struct cupel_case_list {
    char *storage;
    const char **ids;
    size_t count;
} cupel_case_list;

// Runs `executable --list`. False after adding a finding about `test`.
bool cupel_case_list_read(const char *executable, const char *test, cupel_case_list *list, cupel_findings *findings);
void cupel_case_list_free(cupel_case_list *list);
bool cupel_case_list_has(const cupel_case_list *list, const char *id);

// Reads the lists of all suites of the profile, one entry for each suite in the plan's order; free each and the array. Null after
// a finding.
cupel_case_list *cupel_case_lists_read(const cupel_plan_profile *profile, cupel_findings *findings);
void cupel_case_lists_free(cupel_case_list *lists, size_t count);

// Adds a finding for each case that only the manifest, read from `path`, or only an executable of `profile` has.
void cupel_case_lists_compare(const cupel_plan_profile *profile, const cupel_case_list *lists, const char *path,
                              const cupel_manifest *manifest, cupel_findings *findings);

#endif
