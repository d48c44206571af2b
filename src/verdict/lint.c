// SPDX-License-Identifier: Apache-2.0
#include "lint.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

const char *const cupel_lint_kinds[] = {"unit", "golden", "refusals", "mutants", "adopters", "lint", "sanitizer", NULL};

// Properties that turn a failure into a pass or a skip, or leave a test out.
static const char *const FORBIDDEN[] = {"SKIP_RETURN_CODE", "SKIP_REGULAR_EXPRESSION", "PASS_REGULAR_EXPRESSION", "WILL_FAIL",
                                        "DISABLED"};
// Beside those, what a profile's test may not have: its outcome and its environment are the harness's.
static const char *const FORBIDDEN_IN_PROFILES[] = {"FAIL_REGULAR_EXPRESSION", "ENVIRONMENT", "ENVIRONMENT_MODIFICATION",
                                                    "CONFIGURATIONS", "REQUIRED_FILES"};
// Files that ctest reads by itself and that can ignore tests.
static const char *const CUSTOM_FILES[] = {"CTestCustom.cmake", "CTestCustom.ctest"};

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

// A property's value, null when the test does not have it.
static const json_t *property(const json_t *test, const char *name)
{
    size_t at = 0;
    const json_t *item = NULL;
    json_array_foreach(json_object_get(test, "properties"), at, item)
    {
        const char *has = json_string_value(json_object_get(item, "name"));
        if (has != NULL && strcmp(has, name) == 0) {
            return json_object_get(item, "value");
        }
    }
    return NULL;
}

static const char *test_name(const json_t *test)
{
    const char *name = json_string_value(json_object_get(test, "name"));
    return name != NULL ? name : "";
}

static bool list_has(const json_t *list, const char *text)
{
    size_t at = 0;
    const json_t *item = NULL;
    json_array_foreach(list, at, item)
    {
        const char *has = json_string_value(item);
        if (has != NULL && strcmp(has, text) == 0) {
            return true;
        }
    }
    return false;
}

static const json_t *test_find(const json_t *tests, const char *name)
{
    size_t at = 0;
    const json_t *test = NULL;
    json_array_foreach(tests, at, test)
    {
        if (strcmp(test_name(test), name) == 0) {
            return test;
        }
    }
    return NULL;
}

static void properties_lint(const json_t *test, const char *const *names, size_t count, cupel_findings *findings)
{
    for (size_t i = 0; i < count; ++i) {
        if (property(test, names[i]) != NULL) {
            cupel_findings_add(findings, CUPEL_REASON_LINT_PROPERTY, test_name(test), "it has the property %s", names[i]);
        }
    }
}

// The words of its command must be these, in this order; null ends them.
static void command_lint(const json_t *test, const char *const *words, cupel_findings *findings)
{
    const json_t *command = json_object_get(test, "command");
    size_t count = 0;
    // ctest leaves out the command of a program that does not exist; that the plan's is missing has a reason of its own.
    if (json_array_size(command) == 0 && access(words[0], X_OK) != 0) {
        return;
    }
    while (words[count] != NULL) {
        const char *has = json_string_value(json_array_get(command, count));
        if (has == NULL || strcmp(has, words[count]) != 0) {
            cupel_findings_add(findings, CUPEL_REASON_LINT_WRAPPER, test_name(test),
                               "word %zu of its command is \"%s\", not \"%s\"", count, has != NULL ? has : "", words[count]);
            return;
        }
        count += 1;
    }
}

// A fixture property must be exactly the profile's fixture, and a lock and a limit must be there.
static void guards_lint(const json_t *test, const char *fixture_property, const char *fixture, bool needs_lock,
                        cupel_findings *findings)
{
    const json_t *limit = property(test, "TIMEOUT");
    if (!list_has(property(test, fixture_property), fixture)) {
        cupel_findings_add(findings, CUPEL_REASON_LINT_FIXTURE, test_name(test), "%s does not name %s", fixture_property, fixture);
    }
    if (needs_lock && json_array_size(property(test, "RESOURCE_LOCK")) == 0) {
        cupel_findings_add(findings, CUPEL_REASON_LINT_LOCK, test_name(test), "it has no RESOURCE_LOCK");
    }
    if (limit == NULL || !(json_number_value(limit) > 0.0)) {
        cupel_findings_add(findings, CUPEL_REASON_LINT_LOCK, test_name(test), "it has no TIMEOUT");
    }
}

// Its only label must be the profile.
static void label_lint(const json_t *test, const char *profile, cupel_findings *findings)
{
    const json_t *labels = property(test, "LABELS");
    if (json_array_size(labels) != 1 || !list_has(labels, profile)) {
        cupel_findings_add(findings, CUPEL_REASON_LINT_LABEL, test_name(test), "its labels are not just %s", profile);
    }
}

typedef struct expected_test {
    const char *name;
    const char *fixture_property;
    bool needs_lock;
    const char *words[8]; // of its command, ended by null
} expected_test;

static void test_lint(const json_t *tests, const cupel_plan_profile *profile, const expected_test *expected,
                      cupel_findings *findings)
{
    char fixture[256];
    const json_t *test = test_find(tests, expected->name);
    snprintf(fixture, sizeof fixture, "cupel.%s", profile->name);
    if (test == NULL) {
        cupel_findings_add(findings, CUPEL_REASON_LINT_TEST_MISSING, expected->name, "ctest does not list it");
        return;
    }
    properties_lint(test, FORBIDDEN, COUNT(FORBIDDEN), findings);
    properties_lint(test, FORBIDDEN_IN_PROFILES, COUNT(FORBIDDEN_IN_PROFILES), findings);
    command_lint(test, expected->words, findings);
    guards_lint(test, expected->fixture_property, fixture, expected->needs_lock, findings);
    label_lint(test, profile->name, findings);
}

// The program of the device test and of the verdict is not in the plan; it must lie where ctest found it and not be a shell.
static const char *program_of(const json_t *tests, const char *name, const char *stem)
{
    const char *program = json_string_value(json_array_get(json_object_get(test_find(tests, name), "command"), 0));
    const char *slash = program != NULL ? strrchr(program, '/') : NULL;
    const char *base = slash != NULL ? slash + 1 : program;
    return base != NULL && strncmp(base, stem, strlen(stem)) == 0 ? program : stem;
}

static void profile_lint(const json_t *tests, const cupel_plan *plan, const cupel_plan_profile *profile, cupel_findings *findings)
{
    char device[256];
    char verdict[256];
    snprintf(device, sizeof device, "%s.device", profile->name);
    snprintf(verdict, sizeof verdict, "%s.verdict", profile->name);
    const expected_test gate = {
        device,
        "FIXTURES_SETUP",
        true,
        {program_of(tests, device, "device-gate-"), "--profile", profile->name, "--tree", plan->build, NULL}};
    const expected_test judge = {
        verdict,
        "FIXTURES_CLEANUP",
        false,
        {program_of(tests, verdict, "cupel"), "verdict", "--profile", profile->name, "--tree", plan->build, NULL}};
    test_lint(tests, profile, &gate, findings);
    test_lint(tests, profile, &judge, findings);
    for (size_t i = 0; i < profile->suite_count; ++i) {
        const cupel_plan_suite *suite = &profile->suites[i];
        const expected_test run = {
            suite->test,
            "FIXTURES_REQUIRED",
            true,
            {suite->executable, "--profile", profile->name, "--tree", plan->build, "--test", suite->test, NULL}};
        test_lint(tests, profile, &run, findings);
    }
}

static bool plan_has(const cupel_plan_profile *profile, const char *name)
{
    const size_t length = strlen(profile->name);
    if (strncmp(name, profile->name, length) == 0 &&
        (strcmp(name + length, ".device") == 0 || strcmp(name + length, ".verdict") == 0)) {
        return true;
    }
    for (size_t i = 0; i < profile->suite_count; ++i) {
        if (strcmp(profile->suites[i].test, name) == 0) {
            return true;
        }
    }
    return false;
}

// What ctest selects with the profile's label must be in the plan, also when its label only contains the name.
static void extra_lint(const json_t *tests, const cupel_plan_profile *profile, cupel_findings *findings)
{
    size_t at = 0;
    const json_t *test = NULL;
    json_array_foreach(tests, at, test)
    {
        if (list_has(property(test, "LABELS"), profile->name) && !plan_has(profile, test_name(test))) {
            cupel_findings_add(findings, CUPEL_REASON_LINT_TEST_EXTRA, test_name(test), "it carries the label %s", profile->name);
        }
    }
}

// Exactly one label, a profile or a kind. With that no other label can contain a profile's name.
static void kinds_lint(const json_t *tests, const cupel_plan *plan, cupel_findings *findings)
{
    size_t at = 0;
    const json_t *test = NULL;
    json_array_foreach(tests, at, test)
    {
        const json_t *labels = property(test, "LABELS");
        const char *label = json_string_value(json_array_get(labels, 0));
        bool known = json_array_size(labels) == 1 && label != NULL && cupel_plan_find(plan, label) != NULL;
        for (size_t i = 0; label != NULL && json_array_size(labels) == 1 && cupel_lint_kinds[i] != NULL; ++i) {
            known = known || strcmp(label, cupel_lint_kinds[i]) == 0;
        }
        if (!known) {
            cupel_findings_add(findings, CUPEL_REASON_LINT_LABEL, test_name(test),
                               "it must carry one profile or one kind, and has \"%s\"%s", label != NULL ? label : "",
                               json_array_size(labels) > 1 ? " and more" : "");
        }
        if (known && cupel_plan_find(plan, label) == NULL) {
            properties_lint(test, FORBIDDEN, COUNT(FORBIDDEN), findings);
        }
    }
}

static void custom_files_lint(const cupel_plan *plan, cupel_findings *findings)
{
    for (size_t i = 0; i < COUNT(CUSTOM_FILES); ++i) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%s", plan->build, CUSTOM_FILES[i]);
        if (access(path, F_OK) == 0) {
            cupel_findings_add(findings, CUPEL_REASON_LINT_CUSTOM_FILE, path, "it exists");
        }
    }
}

void cupel_lint(const json_t *list, const cupel_plan *plan, const cupel_plan_profile *profile, cupel_findings *findings)
{
    const json_t *tests = json_object_get(list, "tests");
    const char *kind = json_string_value(json_object_get(list, "kind"));
    custom_files_lint(plan, findings);
    if (!json_is_array(tests) || kind == NULL || strcmp(kind, "ctestInfo") != 0) {
        cupel_findings_add(findings, CUPEL_REASON_LINT_UNREADABLE, plan->build,
                           "ctest --show-only=json-v1 printed no list of tests");
        return;
    }
    for (size_t i = 0; i < plan->profile_count; ++i) {
        if (profile == NULL || profile == &plan->profiles[i]) {
            profile_lint(tests, plan, &plan->profiles[i], findings);
            extra_lint(tests, &plan->profiles[i], findings);
        }
    }
    if (profile == NULL) {
        kinds_lint(tests, plan, findings);
    }
}
