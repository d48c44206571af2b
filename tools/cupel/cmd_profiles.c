// SPDX-License-Identifier: Apache-2.0
// cupel profiles: every suite in exactly the declared profiles, every manifest line real, nothing extra.
#include "case_list.h"
#include "ctest_list.h"
#include "tool.h"
#include "tree.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool plan_has_executable(const cupel_plan *plan, const char *path)
{
    for (size_t p = 0; p < plan->profile_count; ++p) {
        for (size_t s = 0; s < plan->profiles[p].suite_count; ++s) {
            if (strcmp(plan->profiles[p].suites[s].executable, path) == 0) {
                return true;
            }
        }
    }
    return false;
}

// A suite that was built but that no profile runs would prove nothing and be missed by nobody.
static void executables_check(const cupel_plan *plan, cupel_findings *findings)
{
    char folder[PATH_MAX];
    struct dirent **entries = NULL;
    snprintf(folder, sizeof folder, "%s/bin", plan->build);
    const int count = scandir(folder, &entries, NULL, alphasort);
    for (int i = 0; i < count; ++i) {
        char path[PATH_MAX + 256];
        snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
        if (strncmp(entries[i]->d_name, "suite-", 6) == 0 && !plan_has_executable(plan, path)) {
            cupel_findings_add(findings, CUPEL_REASON_LINT_TEST_MISSING, path, "no profile of the plan runs this suite");
        }
        free(entries[i]);
    }
    free(entries);
}

// A profile has each test once, and test names are the profile's.
static void suites_check(const cupel_plan_profile *profile, cupel_findings *findings)
{
    const size_t length = strlen(profile->name);
    for (size_t i = 0; i < profile->suite_count; ++i) {
        const cupel_plan_suite *suite = &profile->suites[i];
        if (strncmp(suite->test, profile->name, length) != 0 || suite->test[length] != '.') {
            cupel_findings_add(findings, CUPEL_REASON_PLAN_MALFORMED, suite->test, "its name does not begin with %s.",
                               profile->name);
        }
        for (size_t j = 0; j < i; ++j) {
            if (strcmp(profile->suites[j].test, suite->test) == 0 ||
                (strcmp(profile->suites[j].suite, suite->suite) == 0 && strcmp(profile->suites[j].linkage, suite->linkage) == 0)) {
                cupel_findings_add(findings, CUPEL_REASON_PLAN_MALFORMED, suite->test, "profile %s has it twice", profile->name);
            }
        }
    }
    if (profile->built && profile->suite_count == 0) {
        cupel_findings_add(findings, CUPEL_REASON_PLAN_MALFORMED, profile->name, "it was built and has no suite");
    }
}

static void manifest_check(const cupel_plan_profile *profile, cupel_findings *findings)
{
    cupel_manifest manifest = {0};
    if (cupel_manifest_read(profile->manifest, &manifest, findings) && profile->built) {
        cupel_case_list *lists = cupel_case_lists_read(profile, findings);
        if (lists != NULL) {
            cupel_case_lists_compare(profile, lists, profile->manifest, &manifest, findings);
        }
        cupel_case_lists_free(lists, profile->suite_count);
    }
    cupel_manifest_free(&manifest);
}

static int profiles_check(const cupel_plan *plan, bool as_json)
{
    cupel_findings findings = {0};
    json_t *results = json_array();
    cupel_ctest_lint(plan, NULL, &findings);
    executables_check(plan, &findings);
    for (size_t i = 0; i < plan->profile_count; ++i) {
        const cupel_plan_profile *profile = &plan->profiles[i];
        const size_t before = findings.count;
        suites_check(profile, &findings);
        manifest_check(profile, &findings);
        for (size_t j = 0; j < i; ++j) {
            if (strcmp(plan->profiles[j].name, profile->name) == 0) {
                cupel_findings_add(&findings, CUPEL_REASON_PLAN_MALFORMED, profile->name, "the plan has it twice");
            }
        }
        const char *outcome = findings.count > before ? "faulty"
                              : profile->built        ? "in order"
                                                      : "in order, its backend was not built";
        json_array_append_new(results, json_pack("{s:s, s:I, s:s}", "profile", profile->name, "suites",
                                                 (json_int_t)profile->suite_count, "outcome", outcome));
        if (!as_json) {
            printf("%s: %zu suites, %s\n", profile->name, profile->suite_count, outcome);
        }
    }
    const cupel_status status = cupel_findings_status(&findings);
    cupel_report(&findings, status, as_json, "profiles", results);
    cupel_findings_free(&findings);
    return (int)status;
}

int cupel_cmd_profiles(int argc, char **argv)
{
    const char *tree = NULL;
    bool check = false;
    bool as_json = false;
    const cupel_option options[] = {
        CUPEL_OPTION_TREE(&tree),
        {"--check", NULL, "check plan, ctest's tests, executables and manifests against each other", &check, NULL},
        CUPEL_OPTION_JSON(&as_json),
    };
    const cupel_usage usage = {
        "profiles", "", "Checks that every suite is in exactly the declared profiles and nothing is extra.", CUPEL_OPTIONS(options),
        0,          0};
    int operand_count = 0;
    const cupel_parse parse = cupel_parse_options(&usage, argc, argv, &operand_count);
    if (parse != CUPEL_PARSE_RUN) {
        return cupel_parse_exit(parse);
    }
    if (!check) {
        return cupel_fail(CUPEL_EXIT_USAGE, "profiles", "--check is missing; cupel list shows the profiles.");
    }
    cupel_plan plan;
    if (!cupel_tree_open("profiles", tree, &plan)) {
        return CUPEL_REFUSED;
    }
    const int status = profiles_check(&plan, as_json);
    cupel_plan_free(&plan);
    return status;
}
