// SPDX-License-Identifier: Apache-2.0
// The lint of ctest's own list of tests: one thing is changed at a time, in the list of the fixture's good profile.
#include "unit.h"

#include "lint.h"
#include "verdict_fixture.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct change {
    const char *reason; // the only one
    const char *old, *new_text;
} change;

// `old` stands once in the list; the first test of each line below is found by its name.
#define HEAD(name) "{\"name\":\"" name "\",\"command\":["

static const change changes[] = {
    {"lint-unreadable", "\"kind\":\"ctestInfo\"", "\"kind\":\"other\""},
    {"lint-unreadable", "\"tests\":[", "\"none\":["},
    {"lint-unreadable", "]}]}\n", "]}]"},
    {"lint-test-extra", HEAD("other"), HEAD("p.other")},
    {"lint-test-extra", "[\"unit\"]", "[\"unit\",\"p\"]"},
    {"lint-test-extra", "[\"unit\"]", "[\"pp\"]"},
    {"lint-fixture", "{\"name\":\"COST\",\"value\":2}", "{\"name\":\"FIXTURES_SETUP\",\"value\":[\"cupel.p\"]}"},
    {"lint-fixture", "{\"name\":\"COST\",\"value\":2}", "{\"name\":\"FIXTURES_CLEANUP\",\"value\":[\"cupel.p\"]}"},
    {"lint-wrapper", "\"/b/cupel\"", "\"/bin/sh\""},
    {"lint-wrapper", "\"/b/device-gate-cpu\"", "\"/b/device-gate-cuda\""},
    {"lint-wrapper", "\"--test\",\"p.alpha\"", "\"--test\",\"p.beta\""},
    {"lint-wrapper", "\"verdict\",\"--profile\"", "\"--profile\""},
    {"lint-wrapper", HEAD("p.device") "\"/b/device-gate-cpu\",\"--profile\",\"p\"",
     HEAD("p.device") "\"/b/device-gate-cpu\",\"--profile\",\"q\""},
    {"executable-missing", "\"command\":[\"/b/cupel\"", "\"was\":[\"/b/cupel\""},
};

// Properties put in front of those of one test.
static const struct {
    const char *test, *property, *reason; // reason null: allowed
} properties[] = {
    {"p.alpha", "SKIP_RETURN_CODE\",\"value\":77", "lint-property"},
    {"p.alpha", "SKIP_REGULAR_EXPRESSION\",\"value\":[\"x\"]", "lint-property"},
    {"p.alpha", "PASS_REGULAR_EXPRESSION\",\"value\":[\"x\"]", "lint-property"},
    {"p.alpha", "FAIL_REGULAR_EXPRESSION\",\"value\":[\"x\"]", "lint-property"},
    {"p.alpha", "WILL_FAIL\",\"value\":true", "lint-property"},
    {"p.alpha", "DISABLED\",\"value\":true", "lint-property"},
    {"p.alpha", "ENVIRONMENT\",\"value\":[\"CUDA_VISIBLE_DEVICES=\"]", "lint-property"},
    {"p.alpha", "ENVIRONMENT_MODIFICATION\",\"value\":[\"A=unset:\"]", "lint-property"},
    {"p.alpha", "RESOURCE_GROUPS\",\"value\":[]", "lint-property"},
    {"p.alpha", "REQUIRED_FILES\",\"value\":[\"/x\"]", "lint-property"},
    {"p.alpha", "TIMEOUT_AFTER_MATCH\",\"value\":[]", "lint-property"},
    {"p.device", "WILL_FAIL\",\"value\":true", "lint-property"},
    {"p.verdict", "PASS_REGULAR_EXPRESSION\",\"value\":[\"x\"]", "lint-property"},
    {"p.alpha", "LABELS\",\"value\":[\"p\",\"q\"]", "lint-label"},
    {"p.device", "LABELS\",\"value\":[\"unit\"]", "lint-label"},
    {"p.alpha", "TIMEOUT\",\"value\":0.0", "lint-lock"},
    {"p.alpha", "RESOURCE_LOCK\",\"value\":[\"\"]", "lint-lock"},
    {"p.device", "RESOURCE_LOCK\",\"value\":[]", "lint-lock"},
    {"p.alpha", "FIXTURES_REQUIRED\",\"value\":[\"cupel.p\",\"other\"]", "lint-fixture"},
    {"p.alpha", "FIXTURES_REQUIRED\",\"value\":[\"cupel.q\"]", "lint-fixture"},
    {"p.alpha", "FIXTURES_SETUP\",\"value\":[\"more\"]", "lint-fixture"},
    {"p.device", "FIXTURES_SETUP\",\"value\":[\"other\"]", "lint-fixture"},
    {"p.verdict", "FIXTURES_REQUIRED\",\"value\":[\"cupel.p\"]", "lint-fixture"},
    {"p.alpha", "RUN_SERIAL\",\"value\":true", NULL},
    {"p.alpha", "PROCESSORS\",\"value\":2", NULL},
    {"p.alpha", "COST\",\"value\":3.0", NULL},
    {"p.alpha", "DEPENDS\",\"value\":[\"p.device\"]", NULL},
};

static void expect(fixture *run, const char *reason, const char *what)
{
    cupel_findings findings = {0};
    const char *tests = *fixture_text(run, "tests.json");
    cupel_reason wanted = CUPEL_REASON_COUNT;
    cupel_lint_profile(&run->profile, run->build, tests, strlen(tests), &findings);
    if (reason == NULL) {
        assert_int_equal(findings.count, 0);
    } else {
        assert_true(cupel_reason_find(reason, &wanted));
        if (findings.count == 0 || cupel_findings_count(&findings, wanted) != findings.count) {
            fail_msg("%s: expected only %s, found %zu findings, the first %s", what, reason, findings.count,
                     findings.count == 0 ? "none" : cupel_reason_get(findings.items[0].reason)->code);
        }
    }
    cupel_findings_free(&findings);
}

static void good_list_has_no_finding(void **state)
{
    (void)state;
    fixture run;
    fixture_make(&run);
    expect(&run, NULL, "good");
    fixture_free(&run);
}

static void changes_have_their_reason(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; ++i) {
        fixture run;
        fixture_make(&run);
        fixture_edit(&run, "tests.json", changes[i].old, changes[i].new_text);
        expect(&run, changes[i].reason, changes[i].new_text);
        fixture_free(&run);
    }
}

// Puts a property in front of those of one test.
static void property_add(fixture *run, const char *test, const char *property)
{
    char head[128];
    char added[256];
    char **text = fixture_text(run, "tests.json");
    snprintf(head, sizeof head, "{\"name\":\"%s\",", test);
    const char *place = strstr(*text, head);
    assert_non_null(place);
    place = strstr(place, "\"properties\":[");
    assert_non_null(place);
    place += strlen("\"properties\":[");
    snprintf(added, sizeof added, "{\"name\":\"%s},", property);
    const size_t length = strlen(*text) + strlen(added) + 1;
    char *changed = calloc(1, length);
    assert_non_null(changed);
    snprintf(changed, length, "%.*s%s%s", (int)(place - *text), *text, added, place);
    fixture_set(run, "tests.json", changed);
    free(changed);
}

static void properties_have_their_reason(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof properties / sizeof properties[0]; ++i) {
        fixture run;
        fixture_make(&run);
        property_add(&run, properties[i].test, properties[i].property);
        expect(&run, properties[i].reason, properties[i].property);
        fixture_free(&run);
    }
}

// What shows why a backend was not built is no property of a profile that was.
static void sentence_of_an_absent_backend(void **state)
{
    (void)state;
    for (int built = 0; built < 2; ++built) {
        fixture run;
        fixture_make(&run);
        run.profile.built = built != 0;
        property_add(&run, "p.device", "FAIL_REGULAR_EXPRESSION\",\"value\":[\"x\"]");
        expect(&run, built ? "lint-property" : NULL, "FAIL_REGULAR_EXPRESSION");
        fixture_free(&run);
    }
}

static void tests_that_are_gone_are_missing(void **state)
{
    (void)state;
    static const char *const names[] = {"p.device", "p.verdict", "p.alpha", "p.beta"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
        char old[64];
        fixture run;
        cupel_findings findings = {0};
        fixture_make(&run);
        snprintf(old, sizeof old, "{\"name\":\"%s\"", names[i]);
        fixture_edit(&run, "tests.json", old, "{\"name\":\"gone\"");
        const char *tests = *fixture_text(&run, "tests.json");
        cupel_lint_profile(&run.profile, run.build, tests, strlen(tests), &findings);
        assert_int_equal(cupel_findings_count(&findings, CUPEL_REASON_LINT_TEST_MISSING), 1);
        assert_int_equal(cupel_findings_count(&findings, CUPEL_REASON_LINT_TEST_EXTRA), 1); // it still has the label
        cupel_findings_free(&findings);
        fixture_free(&run);
    }
}

static void labels_of_a_project(void **state)
{
    (void)state;
    static const struct {
        const char *labels;
        size_t findings;
    } rows[] = {
        {"[\"unit\"]", 0}, {"[\"golden\"]", 0},     {"[\"p\"]", 0}, {"[\"refusals\"]", 0},
        {"[\"fast\"]", 1}, {"[\"unit\",\"p\"]", 1}, {"[]", 1},      {"[\"no-p\"]", 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        fixture run;
        cupel_findings findings = {0};
        fixture_make(&run);
        const cupel_plan plan = {.profiles = &run.profile, .profile_count = 1};
        fixture_edit(&run, "tests.json", "[\"unit\"]", rows[i].labels);
        const char *tests = *fixture_text(&run, "tests.json");
        cupel_lint_labels(&plan, tests, strlen(tests), &findings);
        assert_int_equal(findings.count, rows[i].findings);
        assert_int_equal(cupel_findings_count(&findings, CUPEL_REASON_LINT_LABEL), rows[i].findings);
        cupel_findings_free(&findings);
        fixture_free(&run);
    }
}

// A test that gates nothing but its own label may not skip or invert either.
static void kinds_do_not_invert(void **state)
{
    (void)state;
    static const char *const names[] = {"SKIP_RETURN_CODE", "SKIP_REGULAR_EXPRESSION", "PASS_REGULAR_EXPRESSION", "WILL_FAIL",
                                        "DISABLED"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
        char property[64];
        fixture run;
        cupel_findings findings = {0};
        fixture_make(&run);
        const cupel_plan plan = {.build = run.build, .profiles = &run.profile, .profile_count = 1};
        snprintf(property, sizeof property, "{\"name\":\"%s\"", names[i]);
        fixture_edit(&run, "tests.json", "{\"name\":\"COST\"", property);
        json_t *list = json_loads(*fixture_text(&run, "tests.json"), 0, NULL);
        assert_non_null(list);
        cupel_lint(list, &plan, &run.profile, &findings); // one profile alone: other tests are not its business
        assert_int_equal(findings.count, 0);
        cupel_lint(list, &plan, NULL, &findings);
        assert_int_equal(findings.count, 1);
        assert_int_equal(findings.items[0].reason, CUPEL_REASON_LINT_PROPERTY);
        json_decref(list);
        cupel_findings_free(&findings);
        cupel_lint(NULL, &plan, NULL, &findings);
        assert_int_equal(cupel_findings_count(&findings, CUPEL_REASON_LINT_UNREADABLE), 1);
        cupel_findings_free(&findings);
        fixture_free(&run);
    }
}

static void custom_files_are_found(void **state)
{
    (void)state;
    static const char *const names[] = {"CTestCustom.cmake", "CTestCustom.ctest", "CTestCustom.txt"};
    cupel_findings findings = {0};
    cupel_lint_custom_files(UNIT_BINARY_DIR, &findings);
    assert_int_equal(findings.count, 0);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
        char path[512];
        snprintf(path, sizeof path, UNIT_BINARY_DIR "/%s", names[i]);
        FILE *out = fopen(path, "w");
        assert_non_null(out);
        fclose(out);
        cupel_lint_custom_files(UNIT_BINARY_DIR, &findings);
        assert_int_equal(unlink(path), 0);
        assert_int_equal(findings.count, 1);
        assert_int_equal(findings.items[0].reason, CUPEL_REASON_LINT_CUSTOM_FILE);
        cupel_findings_free(&findings);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(good_list_has_no_finding),     cmocka_unit_test(changes_have_their_reason),
    cmocka_unit_test(properties_have_their_reason), cmocka_unit_test(tests_that_are_gone_are_missing),
    cmocka_unit_test(labels_of_a_project),          cmocka_unit_test(kinds_do_not_invert),
    cmocka_unit_test(custom_files_are_found),       cmocka_unit_test(sentence_of_an_absent_backend),
};

UNIT_MAIN(tests)
