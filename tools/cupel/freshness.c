// SPDX-License-Identifier: Apache-2.0
#include "freshness.h"

#include "evidence_file.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { SOURCES_BYTES_MAX = 1 << 24, HASH_DIGITS = 64 };

// One line "<sha256>  <path>" of the list. False when the file is not the one that was hashed.
static bool line_holds(const cupel_plan *plan, char *line, const char **path)
{
    char file[PATH_MAX];
    char hex[CUPEL_SHA256_HEX];
    *path = line + HASH_DIGITS + 2;
    return evidence_path(file, "%s/%s", plan->source, *path) && cupel_file_sha256(file, hex, NULL) &&
           memcmp(hex, line, HASH_DIGITS) == 0;
}

static void sources_compare(const cupel_plan *plan, const cupel_plan_profile *profile, char *text, cupel_findings *findings)
{
    char *rest = NULL;
    const char *first = NULL;
    size_t differing = 0;
    for (char *line = strtok_r(text, "\n", &rest); line != NULL; line = strtok_r(NULL, "\n", &rest)) {
        const char *path = NULL;
        if (strlen(line) <= HASH_DIGITS + 2 || strncmp(line + HASH_DIGITS, "  ", 2) != 0) {
            cupel_findings_add(findings, CUPEL_REASON_PLAN_STALE, profile->name, "%s/cupel/sources.sha256 is damaged", plan->build);
            return;
        }
        if (!line_holds(plan, line, &path)) {
            first = first != NULL ? first : path;
            differing += 1;
        }
    }
    if (differing > 0) {
        cupel_findings_add(findings, CUPEL_REASON_PLAN_STALE, profile->name,
                           "%zu source file%s changed since the build in %s, first %s", differing, differing == 1 ? "" : "s",
                           plan->build, first);
    }
}

void cupel_freshness_check(const cupel_plan *plan, const cupel_plan_profile *profile, cupel_findings *findings)
{
    char path[PATH_MAX];
    cupel_file list;
    for (size_t i = 0; i < profile->suite_count; ++i) {
        if (access(profile->suites[i].executable, X_OK) != 0) {
            cupel_findings_add(findings, CUPEL_REASON_EXECUTABLE_MISSING, profile->suites[i].test, "%s %s",
                               profile->suites[i].executable, errno == ENOENT ? "does not exist" : "may not be executed");
        }
    }
    const bool named = evidence_path(path, "%s/cupel/sources.sha256", plan->build);
    const char *trouble = named ? cupel_file_read(path, SOURCES_BYTES_MAX, &list) : "its path is too long";
    if (trouble != NULL) {
        cupel_findings_add(findings, CUPEL_REASON_PLAN_STALE, profile->name, "%s cannot be read (%s), so the build never ended",
                           path, trouble);
        return;
    }
    sources_compare(plan, profile, list.bytes, findings);
    cupel_file_free(&list);
}
