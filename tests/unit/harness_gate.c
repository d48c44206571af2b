// SPDX-License-Identifier: Apache-2.0
// The device test, started by a real ctest from a test file of its own: what it opens and what it records.
#include "unit.h"

#include "gate_tree.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../suites/reference_philox.h"

static char tree[GATE_PATH];

// The words that a device which ran the nonce kernel must answer.
static void expect_answer(const json_t *record)
{
    char half[17] = {0};
    char expected[129];
    memcpy(half, gate_tree_text(record, "nonce"), 16);
    uint64_t seed = strtoull(half, NULL, 16);
    memcpy(half, gate_tree_text(record, "nonce") + 16, 16);
    uint64_t stream = strtoull(half, NULL, 16);
    for (uint64_t i = 0; i < 16; ++i) {
        snprintf(expected + 8 * i, 9, "%08x", (unsigned int)reference_word(seed, stream, i));
    }
    assert_string_equal(gate_tree_text(record, "nonce_answer"), expected);
}

static void opens_a_run(void **state)
{
    gate_outcome result;
    const char *probe;
    json_t *value;
    char home[GATE_PATH + 16];
    (void)state;
    gate_tree_make(tree, "whole", "device-gate-cpu", "cpu", 1);
    gate_tree_ctest(tree, &result, "-L", "unit");
    assert_int_equal(result.status, 0);
    assert_true(result.directory[0] != '\0');
    json_t *run = gate_tree_record(result.directory, "run.json");
    json_t *device = gate_tree_record(result.directory, "device.json");
    snprintf(home, sizeof home, "%s/cupel/unit", tree);
    json_t *opened = gate_tree_record(home, "open.json");
    assert_string_equal(gate_tree_text(run, "schema"), "cupel-run 1");
    assert_int_equal(strspn(gate_tree_text(run, "nonce"), "0123456789abcdef"), 32);
    assert_string_equal(gate_tree_text(run, "run"), strrchr(result.directory, '/') + 1);
    assert_string_equal(gate_tree_text(opened, "directory"), result.directory);
    assert_string_equal(gate_tree_text(opened, "nonce"), gate_tree_text(run, "nonce"));
    assert_int_equal(json_array_size(json_object_get(run, "command")), 6);
    assert_string_equal(gate_tree_text(device, "status"), "ok");
    assert_string_equal(gate_tree_text(device, "nonce"), gate_tree_text(run, "nonce"));
    assert_string_equal(gate_tree_text(json_object_get(device, "device"), "type"), "cpu");
    assert_int_equal(json_object_size(json_object_get(device, "probes")), 7);
    json_object_foreach(json_object_get(device, "probes"), probe, value)
    {
        assert_true(json_is_true(value));
    }
    expect_answer(device);
    json_decref(run);
    json_decref(device);
    json_decref(opened);
}

// open.json of a ctest process that is gone is replaced; each run has a nonce and a directory of its own.
static void replaces_a_run_that_was_left_open(void **state)
{
    gate_outcome first;
    gate_outcome second;
    (void)state;
    gate_tree_make(tree, "again", "device-gate-cpu", "cpu", 1);
    gate_tree_ctest(tree, &first, NULL, NULL);
    gate_tree_ctest(tree, &second, NULL, NULL);
    assert_int_equal(first.status, 0);
    assert_int_equal(second.status, 0);
    json_t *one = gate_tree_record(first.directory, "run.json");
    assert_non_null(one);
    char home[GATE_PATH + 16];
    snprintf(home, sizeof home, "%s/cupel/unit", tree);
    json_t *opened = gate_tree_record(home, "open.json");
    assert_string_not_equal(gate_tree_text(one, "nonce"), gate_tree_text(opened, "nonce"));
    json_decref(one);
    json_decref(opened);
}

static void says_which_device_is_missing(void **state)
{
    gate_outcome result;
    (void)state;
    gate_tree_make(tree, "type", "device-gate-cpu", "gpu", 1);
    gate_tree_ctest(tree, &result, NULL, NULL);
    assert_int_equal(result.status, 8);
    json_t *device = gate_tree_record(result.directory, "device.json");
    assert_string_equal(gate_tree_text(device, "status"), "not-run");
    assert_string_equal(gate_tree_text(device, "reason"), "device-type-wrong");
    assert_true(json_is_null(json_object_get(device, "probes")));
    json_decref(device);
    gate_tree_make(tree, "unknown", "device-gate-cpu", "cpu", 1);
    assert_int_equal(setenv("CUPEL_DEVICE", "no-such-device", 1), 0);
    gate_tree_ctest(tree, &result, NULL, NULL);
    assert_int_equal(unsetenv("CUPEL_DEVICE"), 0);
    assert_int_equal(result.status, 8);
    device = gate_tree_record(result.directory, "device.json");
    assert_string_equal(gate_tree_text(device, "reason"), "device-unknown");
    assert_non_null(strstr(gate_tree_text(device, "detail"), "no-such-device"));
    assert_string_equal(gate_tree_text(json_object_get(device, "environment"), "CUPEL_DEVICE"), "no-such-device");
    json_decref(device);
}

static void says_what_was_not_built(void **state)
{
    gate_outcome result;
    (void)state;
    gate_tree_make(tree, "absent", "harness-absent-gate", "gpu", 1);
    gate_tree_ctest(tree, &result, NULL, NULL);
    assert_int_equal(result.status, 8);
    assert_non_null(strstr(result.output, "backend absent was not built: there is none. Write one."));
    json_t *device = gate_tree_record(result.directory, "device.json");
    assert_string_equal(gate_tree_text(device, "reason"), "backend-not-built");
    assert_string_equal(gate_tree_text(device, "backend"), "absent");
    assert_true(json_is_null(json_object_get(device, "device")));
    json_decref(device);
}

static void keeps_evidence_where_it_is_told(void **state)
{
    gate_outcome result;
    char evidence[GATE_PATH + 32];
    char folder[GATE_PATH + 48];
    (void)state;
    gate_tree_make(tree, "evidence", "device-gate-cpu", "cpu", 1);
    snprintf(evidence, sizeof evidence, "%s/kept", tree);
    snprintf(folder, sizeof folder, "%s/unit", evidence);
    assert_int_equal(setenv("CUPEL_EVIDENCE", evidence, 1), 0);
    gate_tree_ctest(tree, &result, NULL, NULL);
    assert_int_equal(result.status, 0);
    assert_string_equal(result.directory, "");
    gate_tree_find_run(folder, &result);
    json_t *device = gate_tree_record(result.directory, "device.json");
    assert_string_equal(gate_tree_text(device, "status"), "ok");
    json_decref(device);
    // A file stands where the folder should be.
    snprintf(evidence, sizeof evidence, "%s/CTestTestfile.cmake", tree);
    assert_int_equal(setenv("CUPEL_EVIDENCE", evidence, 1), 0);
    gate_tree_ctest(tree, &result, NULL, NULL);
    assert_int_equal(unsetenv("CUPEL_EVIDENCE"), 0);
    assert_int_equal(result.status, 8);
    assert_non_null(strstr(result.output, "CTestTestfile.cmake/unit/"));
    assert_non_null(strstr(result.output, "evidence directory"));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(opens_a_run),
    cmocka_unit_test(replaces_a_run_that_was_left_open),
    cmocka_unit_test(says_which_device_is_missing),
    cmocka_unit_test(says_what_was_not_built),
    cmocka_unit_test(keeps_evidence_where_it_is_told),
};

UNIT_MAIN(tests)
