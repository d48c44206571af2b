// SPDX-License-Identifier: Apache-2.0
// What the device test refuses before anything runs, started by a real ctest.
#include "unit.h"

#include "gate_tree.h"

#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char tree[GATE_PATH];

static void refuses_a_second_run_of_one_ctest(void **state)
{
    gate_outcome result;
    (void)state;
    gate_tree_make(tree, "twice", "device-gate-cpu", "cpu", 2);
    gate_tree_ctest(tree, &result, NULL, NULL);
    assert_int_equal(result.status, 8);
    assert_non_null(strstr(result.output, "is still open"));
}

// The run is opened with the command line in it, so that the verdict can say why; no device is looked at.
static void refuses_part_of_a_profile(void **state)
{
    gate_outcome result;
    (void)state;
    gate_tree_make(tree, "part", "device-gate-cpu", "cpu", 1);
    gate_tree_ctest(tree, &result, "-R", "device");
    assert_int_equal(result.status, 8);
    assert_non_null(strstr(result.output, "\"-R\""));
    json_t *run = gate_tree_record(result.directory, "run.json");
    assert_non_null(run);
    assert_null(gate_tree_record(result.directory, "device.json"));
    json_decref(run);
}

// What ctest itself could turn into a pass is refused before the device is looked at, on every route.
static void refuses_an_unsound_plan(void **state)
{
    static const struct {
        const char *extra, *reason;
    } rows[] = {
        {"set_tests_properties(unit.verdict PROPERTIES WILL_FAIL TRUE)", "lint-property"},
        {"set_tests_properties(unit.device PROPERTIES SKIP_RETURN_CODE 1)", "lint-property"},
        {"set_tests_properties(unit.verdict PROPERTIES ENVIRONMENT \"CUDA_VISIBLE_DEVICES=\")", "lint-property"},
        {"set_tests_properties(unit.device PROPERTIES LABELS \"unit;fast\")", "lint-label"},
        {"set_tests_properties(unit.device PROPERTIES FIXTURES_SETUP other)", "lint-fixture"},
        {"add_test(unit.more /bin/true)\nset_tests_properties(unit.more PROPERTIES LABELS unit)", "lint-test-extra"},
        {"add_test(other /bin/true)\nset_tests_properties(other PROPERTIES LABELS not-unit)", "lint-test-extra"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        gate_outcome result;
        char name[32];
        snprintf(name, sizeof name, "unsound%zu", i);
        gate_tree_make_with(tree, name, "device-gate-cpu", "cpu", 1, rows[i].extra);
        gate_tree_ctest(tree, &result, NULL, NULL);
        if (result.status != 8) {
            fail_msg("%s: ctest ended with status %d", rows[i].extra, result.status);
        }
        json_t *device = gate_tree_record(result.directory, "device.json");
        assert_string_equal(gate_tree_text(device, "status"), "not-run");
        assert_string_equal(gate_tree_text(device, "reason"), rows[i].reason);
        assert_true(json_is_null(json_object_get(device, "device")));
        json_decref(device);
        json_t *list = gate_tree_record(result.directory, "tests.json");
        assert_string_equal(gate_tree_text(list, "kind"), "ctestInfo");
        json_decref(list);
    }
}

static void refuses_files_that_drop_tests(void **state)
{
    gate_outcome result;
    char path[GATE_PATH + 64];
    (void)state;
    gate_tree_make(tree, "custom", "device-gate-cpu", "cpu", 1);
    FILE *file = gate_tree_open(tree, "CTestCustom.cmake");
    fputs("set(CTEST_CUSTOM_TESTS_IGNORE unit.verdict)\n", file);
    assert_int_equal(fclose(file), 0);
    gate_tree_ctest(tree, &result, NULL, NULL);
    assert_int_equal(result.status, 8);
    json_t *device = gate_tree_record(result.directory, "device.json");
    assert_string_equal(gate_tree_text(device, "reason"), "lint-custom-file");
    json_decref(device);
    gate_tree_make(tree, "planless", "device-gate-cpu", "cpu", 1);
    snprintf(path, sizeof path, "%s/cupel/plan.json", tree);
    assert_int_equal(unlink(path), 0);
    gate_tree_ctest(tree, &result, NULL, NULL);
    assert_int_equal(result.status, 8);
    device = gate_tree_record(result.directory, "device.json");
    assert_string_equal(gate_tree_text(device, "reason"), "plan-unreadable");
    json_decref(device);
}

// A tree that is gone is not made anew.
static void refuses_a_tree_that_is_not_there(void **state)
{
    gate_outcome result;
    char path[GATE_PATH + 32];
    struct stat status;
    (void)state;
    gate_tree_make(tree, "gone", "device-gate-cpu", "cpu", 1);
    snprintf(path, sizeof path, "%s/CTestTestfile.cmake", tree);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "add_test(unit.device \"%s/device-gate-cpu\" --profile unit --tree \"%s/nowhere\" --device-type cpu)\n", BINARIES,
            tree);
    assert_int_equal(fclose(file), 0);
    gate_tree_ctest(tree, &result, NULL, NULL);
    assert_int_equal(result.status, 8);
    assert_non_null(strstr(result.output, "nowhere is not a build tree"));
    snprintf(path, sizeof path, "%s/nowhere", tree);
    assert_int_not_equal(stat(path, &status), 0);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(refuses_a_second_run_of_one_ctest), cmocka_unit_test(refuses_part_of_a_profile),
    cmocka_unit_test(refuses_an_unsound_plan),           cmocka_unit_test(refuses_files_that_drop_tests),
    cmocka_unit_test(refuses_a_tree_that_is_not_there),
};

UNIT_MAIN(tests)
