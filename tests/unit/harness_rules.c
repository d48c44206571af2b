// SPDX-License-Identifier: Apache-2.0
// Rules without a device: case ids, ctest command lines, the environment, text for reports.
#include "unit.h"

#include "build_id.h"
#include "case_table.h"
#include "environment.h"
#include "report.h"
#include "selection.h"

#include <stdlib.h>
#include <string.h>

static void no_body(cupel_context *context)
{
    (void)context;
}

static void case_ids(void **state)
{
    char longest[102];
    (void)state;
    assert_true(cupel_case_id_is_valid("rng.words", "rng"));
    assert_true(cupel_case_id_is_valid("rng.a_b-c.9.f32", "rng"));
    static const char *const bad[] = {"rng",          "rng.",     "linalg.x", "rngx.y",   "Rng.words",
                                      "rng.Words",    "rng.a/b",  "rng.a b",  "rng.a<b",  "rng.a&b",
                                      "rng.\xc3\xa9", "rng.a\"b", "rng.a]]>", "rng.a\nb", ""};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
        assert_false(cupel_case_id_is_valid(bad[i], "rng"));
    }
    memset(longest, 'a', sizeof longest - 1);
    memcpy(longest, "rng.", 4);
    longest[101] = '\0';
    assert_false(cupel_case_id_is_valid(longest, "rng"));
    longest[100] = '\0';
    assert_true(cupel_case_id_is_valid(longest, "rng"));
}

static bool suite_is_accepted(const cupel_case *first, size_t first_count, const cupel_case *second, size_t second_count,
                              char reason[256])
{
    const cupel_table one = {first, first_count};
    const cupel_table two = {second, second_count};
    const cupel_table *const tables[] = {&one, &two};
    const cupel_suite suite = {"rng", tables, 2};
    return cupel_suite_check(&suite, reason, 256);
}

static void suites(void **state)
{
    char reason[256];
    const cupel_case good[] = {CUPEL_CASE("rng.a", no_body), CUPEL_CASE_REALS("rng.b", no_body)};
    const cupel_case other[] = {CUPEL_CASE("rng.c", no_body)};
    const cupel_case again[] = {CUPEL_CASE("rng.a", no_body)};
    const cupel_case empty[] = {CUPEL_CASE("rng.d", NULL)};
    const cupel_case foreign[] = {CUPEL_CASE("laws.d", no_body)};
    (void)state;
    assert_true(suite_is_accepted(good, 3, other, 1, reason));
    assert_false(suite_is_accepted(good, 3, again, 1, reason));
    assert_non_null(strstr(reason, "rng.a"));
    assert_false(suite_is_accepted(good, 3, empty, 1, reason));
    assert_false(suite_is_accepted(good, 3, foreign, 1, reason));
    assert_false(suite_is_accepted(good, 0, other, 0, reason));
    const cupel_table one = {good, 3};
    const cupel_table two = {other, 1};
    const cupel_table *const tables[] = {&one, &two};
    const cupel_suite suite = {"rng", tables, 2};
    assert_int_equal(cupel_suite_count(&suite), 4);
    assert_string_equal(cupel_suite_at(&suite, 2)->id, "rng.b.f64");
    assert_string_equal(cupel_suite_at(&suite, 3)->id, "rng.c");
    assert_null(cupel_suite_find(&suite, "rng.z"));
}

enum { MAX_WORDS = 12 };

// Splits at spaces, as a shell would.
static bool selection_is_accepted(const char *line, char reason[256])
{
    char text[256];
    char *words[MAX_WORDS];
    char *rest = NULL;
    int count = 0;
    assert_true(strlen(line) < sizeof text);
    strcpy(text, line);
    for (char *word = strtok_r(text, " ", &rest); word != NULL && count < MAX_WORDS; word = strtok_r(NULL, " ", &rest)) {
        words[count++] = word;
    }
    reason[0] = '\0';
    return cupel_selection_check(count, words, reason, 256);
}

static void whole_selections(void **state)
{
    static const char *const lines[] = {
        "ctest",
        "ctest -L cuda",
        "ctest --test-dir build -L ^(cpu-reference)$ --no-tests=error --output-on-failure",
        "ctest --test-dir=build --label-regex cuda -V",
        "ctest -j -L cuda",
        "ctest -j 4 -L cuda -VV",
        "ctest -j4 --preset default",
        "ctest --preset=cuda --output-junit report.xml --timeout 100 --schedule-random",
        "ctest -C Release -T Test --progress",
        "/usr/bin/ctest --parallel 2 --resource-spec-file gpus.json",
    };
    char reason[256];
    (void)state;
    for (size_t i = 0; i < sizeof lines / sizeof *lines; ++i) {
        if (!selection_is_accepted(lines[i], reason)) {
            fail_msg("\"%s\" was refused: %s", lines[i], reason);
        }
    }
}

static void partial_selections(void **state)
{
    static const struct {
        const char *line, *named;
    } refused[] = {
        {"ctest -L cuda -E verdict", "-E"},
        {"ctest -R cuda.device", "-R"},
        {"ctest -R device -L cuda", "-R"},
        {"ctest -L cuda -LE slow", "-LE"},
        {"ctest -I 1,3", "-I"},
        {"ctest -L cuda -FA cupel.cuda", "-FA"},
        {"ctest -L cuda -FS cupel.cuda", "-FS"},
        {"ctest -L cuda -FC cupel.cuda", "-FC"},
        {"ctest --rerun-failed", "--rerun-failed"},
        {"ctest -L cuda --repeat until-pass:3", "--repeat"},
        {"ctest -L cuda --repeat=until-pass:3", "--repeat"},
        {"ctest -L cuda --repeat-until-fail 2", "--repeat-until-fail"},
        {"ctest -L cuda -L rng", "-L"},
        {"ctest --tests-regex rng", "--tests-regex"},
        {"ctest --exclude-regex=rng", "--exclude-regex"},
        {"ctest --label-exclude x", "--label-exclude"},
        {"ctest --tests-from-file list", "--tests-from-file"},
        {"ctest --stop-on-failure -L cuda", "--stop-on-failure"},
        {"ctest -L cuda -U -I 1,1", "-U"},
        {"ctest -S script.cmake", "-S"},
        {"ctest -F -L cuda", "-F"},
        {"ctest -L cuda --no-test=error", "--no-test=error"},
        {"ctest -L cuda --verbos", "--verbos"},
        {"ctest -L cuda rng", "rng"},
    };
    char reason[256];
    (void)state;
    for (size_t i = 0; i < sizeof refused / sizeof *refused; ++i) {
        if (selection_is_accepted(refused[i].line, reason)) {
            fail_msg("\"%s\" was accepted", refused[i].line);
        }
        assert_non_null(strstr(reason, refused[i].named));
    }
}

// A value is not taken for an option, whatever it looks like.
static void values_are_not_options(void **state)
{
    char reason[256];
    (void)state;
    assert_true(selection_is_accepted("ctest -L -E", reason));
    assert_true(selection_is_accepted("ctest --output-junit -R", reason));
    assert_false(selection_is_accepted("ctest -j -R x", reason));
}

static void environment_is_an_allow_list(void **state)
{
    (void)state;
    assert_true(cupel_environment_allows("PATH"));
    assert_true(cupel_environment_allows("CUDA_VISIBLE_DEVICES"));
    assert_true(cupel_environment_allows("OCL_ICD_VENDORS"));
    assert_true(cupel_environment_allows("POCL_DEVICES"));
    assert_false(cupel_environment_allows("CMOCKA_TEST_FILTER"));
    assert_false(cupel_environment_allows("CMOCKA_XML_FILE"));
    assert_false(cupel_environment_allows("GTEST_FILTER"));
    assert_false(cupel_environment_allows("LD_PRELOAD"));
    assert_false(cupel_environment_allows("LD_AUDIT"));
    assert_false(cupel_environment_allows("CUDA")); // the prefix ends in an underscore
}

static void scrubbing_records_and_drops(void **state)
{
    (void)state;
    assert_int_equal(setenv("CMOCKA_TEST_FILTER", "x", 1), 0);
    assert_int_equal(setenv("LD_LIBRARY_PATH", "/nowhere", 1), 0);
    assert_int_equal(setenv("CUDA_VISIBLE_DEVICES", "", 1), 0);
    assert_int_equal(unsetenv("POCL_DEVICES"), 0);
    json_t *record = cupel_environment_scrub();
    assert_non_null(record);
    assert_null(getenv("CMOCKA_TEST_FILTER"));
    assert_null(getenv("LD_LIBRARY_PATH"));
    assert_non_null(getenv("CUDA_VISIBLE_DEVICES"));
    assert_string_equal(getenv("LC_ALL"), "C");
    assert_string_equal(json_string_value(json_object_get(record, "LD_LIBRARY_PATH")), "/nowhere");
    assert_string_equal(json_string_value(json_object_get(record, "CUDA_VISIBLE_DEVICES")), "");
    assert_true(json_is_null(json_object_get(record, "POCL_DEVICES")));
    assert_null(json_object_get(record, "CMOCKA_TEST_FILTER"));
    json_decref(record);
}

static void report_text_is_harmless(void **state)
{
    char text[] = "a\tb\nc\x1b[0m \xff ]]> ]]]>";
    (void)state;
    cupel_sanitise(text);
    assert_null(strstr(text, "]]>"));
    for (const char *c = text; *c != '\0'; ++c) {
        assert_in_range(*c, ' ', '~');
    }
    assert_memory_equal(text, "a b c", 5);
}

static void build_ids(void **state)
{
    char own[128];
    char other[128];
    (void)state;
    assert_true(cupel_build_id_read("/proc/self/exe", own, sizeof own));
    assert_int_equal(strlen(own), 40);
    assert_int_equal(strspn(own, "0123456789abcdef"), 40);
    assert_false(cupel_build_id_read("/proc/self/exe", other, 8)); // no room
    assert_false(cupel_build_id_read(__FILE__, other, sizeof other));
    assert_false(cupel_build_id_read("/nowhere", other, sizeof other));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(case_ids),
    cmocka_unit_test(suites),
    cmocka_unit_test(whole_selections),
    cmocka_unit_test(partial_selections),
    cmocka_unit_test(values_are_not_options),
    cmocka_unit_test(environment_is_an_allow_list),
    cmocka_unit_test(scrubbing_records_and_drops),
    cmocka_unit_test(report_text_is_harmless),
    cmocka_unit_test(build_ids),
};

UNIT_MAIN(tests)
