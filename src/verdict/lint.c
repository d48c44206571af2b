// SPDX-License-Identifier: Apache-2.0
#include "lint.h"

#include "members.h"

#include <string.h>
#include <sys/stat.h>

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

// One profile under judgement.
typedef struct lint_scope {
    const cupel_plan_profile *profile;
    const char *build; // null: not compared
    cupel_findings *findings;
    char fixture[128]; // "cupel.<profile>"
    char device[128];  // name of the device test
    char verdict[128]; // name of the verdict test
} lint_scope;

static const char *test_name(const json_t *test)
{
    const char *name = json_string_value(json_object_get(test, "name"));
    return name == NULL ? "(without a name)" : name;
}

static json_t *property_get(const json_t *test, const char *name)
{
    size_t i;
    json_t *property;
    json_array_foreach(json_object_get(test, "properties"), i, property)
    {
        const char *found = json_string_value(json_object_get(property, "name"));
        if (found != NULL && strcmp(found, name) == 0) {
            return json_object_get(property, "value");
        }
    }
    return NULL;
}

// True when the property is the list of this one text.
static bool property_is(const json_t *test, const char *name, const char *text)
{
    const json_t *value = property_get(test, name);
    const char *only = json_array_size(value) == 1 ? json_string_value(json_array_get(value, 0)) : NULL;
    return only != NULL && strcmp(only, text) == 0;
}

// What a test of a profile may have. Everything else can turn a failure into a pass, skip it, hide a device or stop it early.
static void properties_judge(const lint_scope *lint, const json_t *test)
{
    static const char *const allowed[] = {
        "LABELS",        "TIMEOUT",           "WORKING_DIRECTORY", "FIXTURES_SETUP", "FIXTURES_CLEANUP",
        "RESOURCE_LOCK", "FIXTURES_REQUIRED", "DEPENDS",           "RUN_SERIAL",     "PROCESSORS",
        "COST"};
    size_t i;
    json_t *property;
    json_array_foreach(json_object_get(test, "properties"), i, property)
    {
        const char *name = json_string_value(json_object_get(property, "name"));
        bool known = false;
        for (size_t k = 0; name != NULL && k < COUNT_OF(allowed); ++k) {
            known |= strcmp(allowed[k], name) == 0;
        }
        // How plain ctest is made to show why a backend was not built: a match can only fail a test that fails anyway.
        known |= !lint->profile->built && name != NULL && strcmp(name, "FAIL_REGULAR_EXPRESSION") == 0;
        if (!known) {
            cupel_findings_add(lint->findings, CUPEL_REASON_LINT_PROPERTY, test_name(test), "it has the property %s",
                               name == NULL ? "(without a name)" : name);
        }
    }
}

static bool names_something(const json_t *list)
{
    size_t i;
    json_t *text;
    json_array_foreach(list, i, text)
    {
        if (json_string_length(text) > 0) {
            return true;
        }
    }
    return false;
}

static void limits_judge(const lint_scope *lint, const json_t *test, bool locks)
{
    double timeout = json_number_value(property_get(test, "TIMEOUT"));
    if (!(timeout > 0.0)) {
        cupel_findings_add(lint->findings, CUPEL_REASON_LINT_LOCK, test_name(test), "it has no TIMEOUT");
    }
    if (locks && !names_something(property_get(test, "RESOURCE_LOCK"))) {
        cupel_findings_add(lint->findings, CUPEL_REASON_LINT_LOCK, test_name(test), "it has no RESOURCE_LOCK on the device");
    }
}

// A fixture property must be exactly the profile's fixture, or absent.
static void fixture_judge(const lint_scope *lint, const json_t *test, const char *property, bool wanted)
{
    if (wanted && !property_is(test, property, lint->fixture)) {
        cupel_findings_add(lint->findings, CUPEL_REASON_LINT_FIXTURE, test_name(test), "%s is not %s alone", property,
                           lint->fixture);
    } else if (!wanted && property_get(test, property) != NULL) {
        cupel_findings_add(lint->findings, CUPEL_REASON_LINT_FIXTURE, test_name(test), "it must not have %s", property);
    }
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}

// The same file, however it is written; what does not exist is compared as text.
static bool same_file(const char *a, const char *b)
{
    struct stat one, other;
    if (stat(a, &one) == 0 && stat(b, &other) == 0) {
        return one.st_dev == other.st_dev && one.st_ino == other.st_ino;
    }
    return strcmp(a, b) == 0;
}

// The words behind the program must be these, up to a null; an empty one is not compared. What may follow is one option with a
// value: a suite's or a device test's that CupelProfile.cmake gives. Any other could select less, or end without a case.
static void words_judge(const lint_scope *lint, const json_t *test, const char *const *words)
{
    const json_t *command = json_object_get(test, "command");
    for (size_t i = 0; words[i] != NULL; ++i) {
        const char *has = json_string_value(json_array_get(command, i + 1));
        if (words[i][0] != '\0' && (has == NULL || strcmp(has, words[i]) != 0)) {
            cupel_findings_add(lint->findings, CUPEL_REASON_LINT_WRAPPER, test_name(test),
                               "word %zu of its command is \"%s\", not \"%s\"", i + 1, has == NULL ? "" : has, words[i]);
            return;
        }
    }
    static const char *const options[] = {"--timeout", "--device-type"};
    size_t count = 0;
    while (words[count] != NULL) {
        ++count;
    }
    for (size_t i = count + 1; i < json_array_size(command); i += 2) {
        const char *has = json_string_value(json_array_get(command, i));
        bool known = false;
        for (size_t k = 0; has != NULL && k < COUNT_OF(options); ++k) {
            known |= strcmp(options[k], has) == 0 && i + 1 < json_array_size(command);
        }
        if (!known) {
            cupel_findings_add(lint->findings, CUPEL_REASON_LINT_WRAPPER, test_name(test),
                               "word %zu of its command is \"%s\", which the plan does not have", i, has == NULL ? "" : has);
            return;
        }
    }
}

// Is it started with this program? `executable` is the path of a suite; the others are known by how their file name begins.
static void command_judge(const lint_scope *lint, const json_t *test, const char *executable, const char *program)
{
    const char *first = json_string_value(json_array_get(json_object_get(test, "command"), 0));
    const char *const tree = lint->build == NULL ? "" : lint->build;
    const char *const profile = lint->profile->name;
    const char *const suite_words[] = {"--profile", profile, "--tree", tree, "--test", test_name(test), NULL};
    const char *const device_words[] = {"--profile", profile, "--tree", tree, NULL};
    const char *const verdict_words[] = {"verdict", "--profile", profile, "--tree", tree, NULL};
    bool verdict = strcmp(test_name(test), lint->verdict) == 0;
    if (first == NULL) {
        cupel_findings_add(lint->findings, CUPEL_REASON_EXECUTABLE_MISSING, test_name(test), "ctest does not find its program");
        return;
    }
    bool right = executable != NULL ? same_file(first, executable) : strncmp(base_name(first), program, strlen(program)) == 0;
    if (!right) {
        cupel_findings_add(lint->findings, CUPEL_REASON_LINT_WRAPPER, test_name(test),
                           "word 0 of its command is \"%s\", not \"%s\"", first, executable != NULL ? executable : program);
    } else {
        words_judge(lint, test, executable != NULL ? suite_words : verdict ? verdict_words : device_words);
    }
}

static const cupel_plan_suite *suite_find(const cupel_plan_profile *profile, const char *test)
{
    for (size_t i = 0; i < profile->suite_count; ++i) {
        if (strcmp(profile->suites[i].test, test) == 0) {
            return &profile->suites[i];
        }
    }
    return NULL;
}

static void member_judge(const lint_scope *lint, const json_t *test)
{
    const char *name = test_name(test);
    bool device = strcmp(name, lint->device) == 0;
    bool verdict = strcmp(name, lint->verdict) == 0;
    const cupel_plan_suite *suite = suite_find(lint->profile, name);
    char gate[160];
    snprintf(gate, sizeof gate, "device-gate-%.120s", lint->profile->backend);
    if (!property_is(test, "LABELS", lint->profile->name)) {
        cupel_findings_add(lint->findings, CUPEL_REASON_LINT_LABEL, name, "its only label must be %s", lint->profile->name);
    }
    properties_judge(lint, test);
    limits_judge(lint, test, !verdict);
    fixture_judge(lint, test, "FIXTURES_SETUP", device);
    fixture_judge(lint, test, "FIXTURES_CLEANUP", verdict);
    fixture_judge(lint, test, "FIXTURES_REQUIRED", suite != NULL);
    command_judge(lint, test, suite != NULL ? suite->executable : NULL, device ? gate : "cupel");
}

// Would `ctest -L <profile>` select it? The label is a regular expression that is searched anywhere in a label.
static bool test_selected(const json_t *test, const char *profile)
{
    size_t i;
    json_t *label;
    json_array_foreach(property_get(test, "LABELS"), i, label)
    {
        if (json_is_string(label) && strstr(json_string_value(label), profile) != NULL) {
            return true;
        }
    }
    return false;
}

static void stranger_judge(const lint_scope *lint, const json_t *test)
{
    const char *name = test_name(test);
    size_t length = strlen(lint->profile->name);
    bool named = strncmp(name, lint->profile->name, length) == 0 && name[length] == '.';
    if (named || test_selected(test, lint->profile->name)) {
        cupel_findings_add(lint->findings, CUPEL_REASON_LINT_TEST_EXTRA, name,
                           "it carries the label %s, and the build plan does not have it", lint->profile->name);
    }
    if (property_is(test, "FIXTURES_SETUP", lint->fixture) || property_is(test, "FIXTURES_CLEANUP", lint->fixture)) {
        cupel_findings_add(lint->findings, CUPEL_REASON_LINT_FIXTURE, name, "it takes part in the fixture %s", lint->fixture);
    }
}

// The tests of ctest's answer; null after a finding.
static json_t *tests_of(const json_t *document, const char *error, cupel_findings *findings)
{
    const char *kind = json_string_value(json_object_get(document, "kind"));
    json_t *list = json_object_get(document, "tests");
    bool known = kind != NULL && strcmp(kind, "ctestInfo") == 0 && json_is_array(list) &&
                 json_integer_value(json_object_get(json_object_get(document, "version"), "major")) == 1;
    if (!known) {
        cupel_findings_add(findings, CUPEL_REASON_LINT_UNREADABLE, "", "%s", error);
    }
    return known ? list : NULL;
}

static const char not_a_list[] = "ctest --show-only=json-v1 printed no list of tests that is known";

static void existence_judge(const lint_scope *lint, const json_t *list, const char *name)
{
    size_t i, count = 0;
    json_t *test;
    json_array_foreach(list, i, test)
    {
        count += strcmp(test_name(test), name) == 0;
    }
    if (count != 1) {
        cupel_findings_add(lint->findings, CUPEL_REASON_LINT_TEST_MISSING, name, "ctest has it %zu times", count);
    }
}

static void profile_judge(const cupel_plan_profile *profile, const char *build, const json_t *list, cupel_findings *findings)
{
    lint_scope lint = {.profile = profile, .build = build, .findings = findings};
    snprintf(lint.fixture, sizeof lint.fixture, "cupel.%.100s", profile->name);
    snprintf(lint.device, sizeof lint.device, "%.100s.device", profile->name);
    snprintf(lint.verdict, sizeof lint.verdict, "%.100s.verdict", profile->name);
    size_t i;
    json_t *test;
    json_array_foreach(list, i, test)
    {
        const char *name = test_name(test);
        bool member = strcmp(name, lint.device) == 0 || strcmp(name, lint.verdict) == 0 || suite_find(profile, name) != NULL;
        if (member) {
            member_judge(&lint, test);
        } else {
            stranger_judge(&lint, test);
        }
    }
    existence_judge(&lint, list, lint.device);
    existence_judge(&lint, list, lint.verdict);
    for (size_t k = 0; k < profile->suite_count; ++k) {
        existence_judge(&lint, list, profile->suites[k].test);
    }
}

void cupel_lint_profile(const cupel_plan_profile *profile, const char *build, const char *tests, size_t length,
                        cupel_findings *findings)
{
    char error[128];
    json_t *document = cupel_json_parse(tests, length, error);
    json_t *list = tests_of(document, document == NULL ? error : not_a_list, findings);
    if (list != NULL) {
        profile_judge(profile, build, list, findings);
    }
    json_decref(document);
}

const char *const cupel_lint_kinds[] = {"unit", "golden", "refusals", "mutants", "adopters", "lint", "sanitizer", NULL};

// Properties that turn a failure into a pass or a skip, or leave a test out.
static void inversions_judge(const json_t *test, cupel_findings *findings)
{
    static const char *const names[] = {"SKIP_RETURN_CODE", "SKIP_REGULAR_EXPRESSION", "PASS_REGULAR_EXPRESSION", "WILL_FAIL",
                                        "DISABLED"};
    for (size_t i = 0; i < COUNT_OF(names); ++i) {
        if (property_get(test, names[i]) != NULL) {
            cupel_findings_add(findings, CUPEL_REASON_LINT_PROPERTY, test_name(test), "it has the property %s", names[i]);
        }
    }
}

static bool kind_known(const char *label)
{
    for (size_t i = 0; cupel_lint_kinds[i] != NULL; ++i) {
        if (strcmp(cupel_lint_kinds[i], label) == 0) {
            return true;
        }
    }
    return false;
}

static void labels_judge(const cupel_plan *plan, const json_t *list, cupel_findings *findings)
{
    size_t i;
    json_t *test;
    json_array_foreach(list, i, test)
    {
        const json_t *labels = property_get(test, "LABELS");
        const char *label = json_string_value(json_array_get(labels, 0));
        bool single = json_array_size(labels) == 1 && label != NULL;
        if (!single || (!kind_known(label) && cupel_plan_find(plan, label) == NULL)) {
            cupel_findings_add(findings, CUPEL_REASON_LINT_LABEL, test_name(test), "it has %zu labels, the first is %s",
                               json_array_size(labels), label == NULL ? "none" : label);
        } else if (kind_known(label)) {
            inversions_judge(test, findings);
        }
    }
}

void cupel_lint_labels(const cupel_plan *plan, const char *tests, size_t length, cupel_findings *findings)
{
    char error[128];
    json_t *document = cupel_json_parse(tests, length, error);
    labels_judge(plan, tests_of(document, document == NULL ? error : not_a_list, findings), findings);
    json_decref(document);
}

void cupel_lint(const json_t *list, const cupel_plan *plan, const cupel_plan_profile *profile, cupel_findings *findings)
{
    const json_t *tests = tests_of(list, not_a_list, findings);
    cupel_lint_custom_files(plan->build, findings);
    for (size_t i = 0; tests != NULL && i < plan->profile_count; ++i) {
        if (profile == NULL || profile == &plan->profiles[i]) {
            profile_judge(&plan->profiles[i], plan->build, tests, findings);
        }
    }
    if (profile == NULL) {
        labels_judge(plan, tests, findings);
    }
}

void cupel_lint_custom_files(const char *build, cupel_findings *findings)
{
    static const char *const names[] = {"CTestCustom.cmake", "CTestCustom.ctest", "CTestCustom.txt"};
    for (size_t i = 0; i < COUNT_OF(names); ++i) {
        char path[4096];
        struct stat status;
        snprintf(path, sizeof path, "%s/%s", build, names[i]);
        if (lstat(path, &status) == 0) {
            cupel_findings_add(findings, CUPEL_REASON_LINT_CUSTOM_FILE, path, "ctest reads it and may drop tests");
        }
    }
}
