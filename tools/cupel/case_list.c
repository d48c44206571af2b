// SPDX-License-Identifier: Apache-2.0
#include "case_list.h"

#include "evidence_process.h"
#include "text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LIST_BYTES_MAX = 1 << 22 };
static const double LIST_LIMIT_SECONDS = 60.0;

static int compare_ids(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

// Splits storage into lines; every line must be a case id of the list's own.
static bool lines_split(cupel_case_list *list, const char *test, cupel_findings *findings)
{
    size_t lines = 0;
    for (const char *at = list->storage; *at != '\0'; ++at) {
        lines += *at == '\n';
    }
    list->ids = calloc(lines + 1, sizeof *list->ids);
    char *rest = NULL;
    for (char *id = strtok_r(list->storage, "\n", &rest); list->ids != NULL && id != NULL; id = strtok_r(NULL, "\n", &rest)) {
        if (list->count == lines || !cupel_text_is_case_id(id)) {
            cupel_findings_add(findings, CUPEL_REASON_CASE_UNEXPECTED, test, "--list printed \"%.100s\", which is no case id", id);
            return false;
        }
        list->ids[list->count++] = id;
    }
    if (list->ids == NULL || list->count == 0) {
        cupel_findings_add(findings, CUPEL_REASON_SUITE_WITHOUT_CASES, test, "--list printed no case");
        return false;
    }
    qsort(list->ids, list->count, sizeof *list->ids, compare_ids);
    for (size_t i = 1; i < list->count; ++i) {
        if (strcmp(list->ids[i - 1], list->ids[i]) == 0) {
            cupel_findings_add(findings, CUPEL_REASON_CASE_DUPLICATE, list->ids[i], "%s lists it twice", test);
            return false;
        }
    }
    return true;
}

bool cupel_case_list_read(const char *executable, const char *test, cupel_case_list *list, cupel_findings *findings)
{
    const char *const argv[] = {executable, "--list", NULL};
    *list = (cupel_case_list){0};
    if (access(executable, X_OK) != 0) {
        cupel_findings_add(findings, CUPEL_REASON_EXECUTABLE_MISSING, test, "%s %s", executable,
                           errno == ENOENT ? "does not exist" : "may not be executed");
        return false;
    }
    list->storage = evidence_process_output(argv, LIST_LIMIT_SECONDS, LIST_BYTES_MAX);
    if (list->storage == NULL) {
        cupel_findings_add(findings, CUPEL_REASON_PROCESS_FAILED, test, "%s --list failed", executable);
        return false;
    }
    if (!lines_split(list, test, findings)) {
        cupel_case_list_free(list);
        return false;
    }
    return true;
}

void cupel_case_list_free(cupel_case_list *list)
{
    free(list->ids);
    free(list->storage);
    *list = (cupel_case_list){0};
}

bool cupel_case_list_has(const cupel_case_list *list, const char *id)
{
    return bsearch(&id, list->ids, list->count, sizeof *list->ids, compare_ids) != NULL;
}

cupel_case_list *cupel_case_lists_read(const cupel_plan_profile *profile, cupel_findings *findings)
{
    cupel_case_list *lists = calloc(profile->suite_count + 1, sizeof *lists);
    bool good = lists != NULL;
    for (size_t i = 0; good && i < profile->suite_count; ++i) {
        good = cupel_case_list_read(profile->suites[i].executable, profile->suites[i].test, &lists[i], findings);
    }
    if (!good) {
        cupel_case_lists_free(lists, profile->suite_count);
        return NULL;
    }
    return lists;
}

void cupel_case_lists_free(cupel_case_list *lists, size_t count)
{
    for (size_t i = 0; lists != NULL && i < count; ++i) {
        cupel_case_list_free(&lists[i]);
    }
    free(lists);
}

void cupel_case_lists_compare(const cupel_plan_profile *profile, const cupel_case_list *lists, const char *path,
                              const cupel_manifest *manifest, cupel_findings *findings)
{
    for (size_t s = 0; s < profile->suite_count; ++s) {
        const cupel_plan_suite *suite = &profile->suites[s];
        for (size_t c = 0; c < lists[s].count; ++c) {
            const char *id = lists[s].ids[c];
            if (!cupel_case_in_suite(id, suite->suite)) {
                cupel_findings_add(findings, CUPEL_REASON_CASE_UNEXPECTED, id, "%s lists it, but its first component is not %s",
                                   suite->test, suite->suite);
            } else if (cupel_manifest_find(manifest, id) == NULL) {
                cupel_findings_add(findings, CUPEL_REASON_CASE_UNEXPECTED, id, "%s has it, %s does not", suite->test, path);
            }
        }
        for (size_t c = 0; c < manifest->count; ++c) {
            const char *id = manifest->cases[c].id;
            if (cupel_case_in_suite(id, suite->suite) && !cupel_case_list_has(&lists[s], id)) {
                cupel_findings_add(findings, CUPEL_REASON_CASE_MISSING, id, "%s has it, %s does not", path, suite->test);
            }
        }
    }
    for (size_t c = 0; c < manifest->count; ++c) {
        bool found = false;
        for (size_t s = 0; s < profile->suite_count; ++s) {
            found = found || cupel_case_in_suite(manifest->cases[c].id, profile->suites[s].suite);
        }
        if (!found) {
            cupel_findings_add(findings, CUPEL_REASON_MANIFEST_SUITE_UNKNOWN, manifest->cases[c].id,
                               "%s lists it, %s has no such suite", path, profile->name);
        }
    }
}
