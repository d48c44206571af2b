// SPDX-License-Identifier: Apache-2.0
// The device test, started by a real ctest from a test file of its own: what it opens, what it records, what it refuses.
#include "unit.h"

#include <dirent.h>
#include <errno.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../suites/reference_philox.h"

enum { PATH_SIZE = 1024, OUTPUT_SIZE = 16384 };

typedef struct outcome {
    int status;
    char output[OUTPUT_SIZE];
    char directory[PATH_SIZE]; // of the newest run; "" when there is none
} outcome;

static char tree[PATH_SIZE];

// Links `name` in the tree to `target`.
static void make_link(const char *name, const char *target)
{
    char path[PATH_SIZE + 64];
    snprintf(path, sizeof path, "%s/%s", tree, name);
    unlink(path);
    assert_int_equal(symlink(target, path), 0);
}

static FILE *open_file(const char *name)
{
    char path[PATH_SIZE + 64];
    snprintf(path, sizeof path, "%s/%s", tree, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    return file;
}

// The plan of one profile without suites.
static void make_plan(const char *backend, const char *type)
{
    char folder[PATH_SIZE + 16];
    snprintf(folder, sizeof folder, "%s/cupel", tree);
    assert_true(mkdir(folder, 0755) == 0 || errno == EEXIST);
    FILE *file = open_file("cupel/plan.json");
    fprintf(file,
            "{\"schema\":\"cupel-plan 1\",\"source\":\"%s\",\"build\":\"%s\",\"ctest\":\"" CTEST
            "\",\"profiles\":[{\"name\":\"unit\","
            "\"backend\":\"%s\",\"device_type\":\"%s\",\"built\":true,\"reason\":\"\",\"install\":\"\",\"manifest\":\"/none\","
            "\"timeout_seconds\":60,\"suites\":[]}]}\n",
            tree, tree, backend, type);
    assert_int_equal(fclose(file), 0);
}

// A build tree with one profile: `count` device tests, of which the build plan knows the first, and a verdict test that always
// passes. `extra` is more text of the test file.
static void make_tree_with(const char *name, const char *gate, const char *type, int count, const char *extra)
{
    const char *backend = strstr(gate, "absent") != NULL ? "absent" : "cpu";
    char program[PATH_SIZE];
    char link[64];
    snprintf(tree, sizeof tree, "%s/%s-%ld", UNIT_BINARY_DIR, name, (long)getpid());
    assert_true(mkdir(tree, 0755) == 0 || errno == EEXIST);
    snprintf(program, sizeof program, "%s/%s", BINARIES, gate);
    snprintf(link, sizeof link, "device-gate-%s", backend);
    make_link(link, program);
    make_link("cupel-passes", "/bin/true");
    make_plan(backend, type);
    FILE *file = open_file("CTestTestfile.cmake");
    for (int i = 0; i < count; ++i) {
        const char *number = i == 0 ? "" : "2";
        fprintf(file, "add_test(unit.device%s \"%s/%s\" --profile unit --tree \"%s\" --device-type %s)\n", number, tree, link, tree,
                type);
        fprintf(file, "set_tests_properties(unit.device%s PROPERTIES LABELS unit TIMEOUT 60 RESOURCE_LOCK device", number);
        fprintf(file, " FIXTURES_SETUP cupel.unit)\n");
    }
    fprintf(file, "add_test(unit.verdict \"%s/cupel-passes\" verdict --profile unit --tree \"%s\")\n", tree, tree);
    fprintf(file, "set_tests_properties(unit.verdict PROPERTIES LABELS unit TIMEOUT 60 FIXTURES_CLEANUP cupel.unit)\n%s\n", extra);
    assert_int_equal(fclose(file), 0);
}

static void make_tree(const char *name, const char *gate, const char *type, int count)
{
    make_tree_with(name, gate, type, count, "");
}

static void find_run(const char *folder, outcome *result)
{
    DIR *directory = opendir(folder);
    result->directory[0] = '\0';
    if (directory == NULL) {
        return;
    }
    char newest[256] = "";
    for (struct dirent *entry = readdir(directory); entry != NULL; entry = readdir(directory)) {
        if (entry->d_name[0] == '2' && strcmp(entry->d_name, newest) > 0) {
            snprintf(newest, sizeof newest, "%s", entry->d_name);
        }
    }
    closedir(directory);
    if (newest[0] != '\0') {
        snprintf(result->directory, sizeof result->directory, "%s/%s", folder, newest);
    }
}

static void run_ctest(outcome *result, const char *option, const char *value)
{
    int ends[2];
    int status = 0;
    size_t used = 0;
    ssize_t got = 0;
    char folder[PATH_SIZE + 16];
    char *words[] = {CTEST, "--test-dir", tree, "-V", (char *)(uintptr_t)option, (char *)(uintptr_t)value, NULL};
    assert_int_equal(pipe(ends), 0);
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        dup2(ends[1], STDOUT_FILENO);
        dup2(ends[1], STDERR_FILENO);
        close(ends[0]);
        close(ends[1]);
        execv(words[0], words);
        _exit(126);
    }
    close(ends[1]);
    do {
        got = read(ends[0], result->output + used, sizeof result->output - 1 - used);
        used += got > 0 ? (size_t)got : 0;
    } while (got > 0);
    result->output[used] = '\0';
    close(ends[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    result->status = WEXITSTATUS(status);
    snprintf(folder, sizeof folder, "%s/cupel/unit", tree);
    find_run(folder, result);
}

static json_t *read_record(const char *directory, const char *name)
{
    char path[PATH_SIZE + 64];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    return json_load_file(path, JSON_REJECT_DUPLICATES, NULL);
}

static const char *text(const json_t *record, const char *name)
{
    const char *value = json_string_value(json_object_get(record, name));
    return value == NULL ? "" : value;
}

// The words that a device which ran the nonce kernel must answer.
static void expect_answer(const json_t *record)
{
    char half[17] = {0};
    char expected[129];
    memcpy(half, text(record, "nonce"), 16);
    uint64_t seed = strtoull(half, NULL, 16);
    memcpy(half, text(record, "nonce") + 16, 16);
    uint64_t stream = strtoull(half, NULL, 16);
    for (uint64_t i = 0; i < 16; ++i) {
        snprintf(expected + 8 * i, 9, "%08x", (unsigned int)reference_word(seed, stream, i));
    }
    assert_string_equal(text(record, "nonce_answer"), expected);
}

static void opens_a_run(void **state)
{
    outcome result;
    const char *probe;
    json_t *value;
    char home[PATH_SIZE + 16];
    (void)state;
    make_tree("whole", "device-gate-cpu", "cpu", 1);
    run_ctest(&result, "-L", "unit");
    assert_int_equal(result.status, 0);
    assert_true(result.directory[0] != '\0');
    json_t *run = read_record(result.directory, "run.json");
    json_t *device = read_record(result.directory, "device.json");
    snprintf(home, sizeof home, "%s/cupel/unit", tree);
    json_t *opened = read_record(home, "open.json");
    assert_string_equal(text(run, "schema"), "cupel-run 1");
    assert_int_equal(strspn(text(run, "nonce"), "0123456789abcdef"), 32);
    assert_string_equal(text(run, "run"), strrchr(result.directory, '/') + 1);
    assert_string_equal(text(opened, "directory"), result.directory);
    assert_string_equal(text(opened, "nonce"), text(run, "nonce"));
    assert_int_equal(json_array_size(json_object_get(run, "command")), 6);
    assert_string_equal(text(device, "status"), "ok");
    assert_string_equal(text(device, "nonce"), text(run, "nonce"));
    assert_string_equal(text(json_object_get(device, "device"), "type"), "cpu");
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
    outcome first;
    outcome second;
    (void)state;
    make_tree("again", "device-gate-cpu", "cpu", 1);
    run_ctest(&first, NULL, NULL);
    run_ctest(&second, NULL, NULL);
    assert_int_equal(first.status, 0);
    assert_int_equal(second.status, 0);
    json_t *one = read_record(first.directory, "run.json");
    assert_non_null(one);
    char home[PATH_SIZE + 16];
    snprintf(home, sizeof home, "%s/cupel/unit", tree);
    json_t *opened = read_record(home, "open.json");
    assert_string_not_equal(text(one, "nonce"), text(opened, "nonce"));
    json_decref(one);
    json_decref(opened);
}

static void refuses_a_second_run_of_one_ctest(void **state)
{
    outcome result;
    (void)state;
    make_tree("twice", "device-gate-cpu", "cpu", 2);
    run_ctest(&result, NULL, NULL);
    assert_int_equal(result.status, 8);
    assert_non_null(strstr(result.output, "is still open"));
}

// The run is opened with the command line in it, so that the verdict can say why; no device is looked at.
static void refuses_part_of_a_profile(void **state)
{
    outcome result;
    (void)state;
    make_tree("part", "device-gate-cpu", "cpu", 1);
    run_ctest(&result, "-R", "device");
    assert_int_equal(result.status, 8);
    assert_non_null(strstr(result.output, "\"-R\""));
    json_t *run = read_record(result.directory, "run.json");
    assert_non_null(run);
    assert_null(read_record(result.directory, "device.json"));
    json_decref(run);
}

static void says_which_device_is_missing(void **state)
{
    outcome result;
    (void)state;
    make_tree("type", "device-gate-cpu", "gpu", 1);
    run_ctest(&result, NULL, NULL);
    assert_int_equal(result.status, 8);
    json_t *device = read_record(result.directory, "device.json");
    assert_string_equal(text(device, "status"), "not-run");
    assert_string_equal(text(device, "reason"), "device-type-wrong");
    assert_true(json_is_null(json_object_get(device, "probes")));
    json_decref(device);
    make_tree("unknown", "device-gate-cpu", "cpu", 1);
    assert_int_equal(setenv("CUPEL_DEVICE", "no-such-device", 1), 0);
    run_ctest(&result, NULL, NULL);
    assert_int_equal(unsetenv("CUPEL_DEVICE"), 0);
    assert_int_equal(result.status, 8);
    device = read_record(result.directory, "device.json");
    assert_string_equal(text(device, "reason"), "device-unknown");
    assert_non_null(strstr(text(device, "detail"), "no-such-device"));
    assert_string_equal(text(json_object_get(device, "environment"), "CUPEL_DEVICE"), "no-such-device");
    json_decref(device);
}

static void says_what_was_not_built(void **state)
{
    outcome result;
    (void)state;
    make_tree("absent", "harness-absent-gate", "gpu", 1);
    run_ctest(&result, NULL, NULL);
    assert_int_equal(result.status, 8);
    assert_non_null(strstr(result.output, "backend absent was not built: there is none. Write one."));
    json_t *device = read_record(result.directory, "device.json");
    assert_string_equal(text(device, "reason"), "backend-not-built");
    assert_string_equal(text(device, "backend"), "absent");
    assert_true(json_is_null(json_object_get(device, "device")));
    json_decref(device);
}

static void keeps_evidence_where_it_is_told(void **state)
{
    outcome result;
    char evidence[PATH_SIZE + 32];
    char folder[PATH_SIZE + 48];
    (void)state;
    make_tree("evidence", "device-gate-cpu", "cpu", 1);
    snprintf(evidence, sizeof evidence, "%s/kept", tree);
    snprintf(folder, sizeof folder, "%s/unit", evidence);
    assert_int_equal(setenv("CUPEL_EVIDENCE", evidence, 1), 0);
    run_ctest(&result, NULL, NULL);
    assert_int_equal(result.status, 0);
    assert_string_equal(result.directory, "");
    find_run(folder, &result);
    json_t *device = read_record(result.directory, "device.json");
    assert_string_equal(text(device, "status"), "ok");
    json_decref(device);
    // A file stands where the folder should be.
    snprintf(evidence, sizeof evidence, "%s/CTestTestfile.cmake", tree);
    assert_int_equal(setenv("CUPEL_EVIDENCE", evidence, 1), 0);
    run_ctest(&result, NULL, NULL);
    assert_int_equal(unsetenv("CUPEL_EVIDENCE"), 0);
    assert_int_equal(result.status, 8);
    assert_non_null(strstr(result.output, "CTestTestfile.cmake/unit/"));
    assert_non_null(strstr(result.output, "evidence directory"));
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
        outcome result;
        char name[32];
        snprintf(name, sizeof name, "unsound%zu", i);
        make_tree_with(name, "device-gate-cpu", "cpu", 1, rows[i].extra);
        run_ctest(&result, NULL, NULL);
        if (result.status != 8) {
            fail_msg("%s: ctest ended with status %d", rows[i].extra, result.status);
        }
        json_t *device = read_record(result.directory, "device.json");
        assert_string_equal(text(device, "status"), "not-run");
        assert_string_equal(text(device, "reason"), rows[i].reason);
        assert_true(json_is_null(json_object_get(device, "device")));
        json_decref(device);
        json_t *list = read_record(result.directory, "tests.json");
        assert_string_equal(text(list, "kind"), "ctestInfo");
        json_decref(list);
    }
}

static void refuses_files_that_drop_tests(void **state)
{
    outcome result;
    char path[PATH_SIZE + 64];
    (void)state;
    make_tree("custom", "device-gate-cpu", "cpu", 1);
    FILE *file = open_file("CTestCustom.cmake");
    fputs("set(CTEST_CUSTOM_TESTS_IGNORE unit.verdict)\n", file);
    assert_int_equal(fclose(file), 0);
    run_ctest(&result, NULL, NULL);
    assert_int_equal(result.status, 8);
    json_t *device = read_record(result.directory, "device.json");
    assert_string_equal(text(device, "reason"), "lint-custom-file");
    json_decref(device);
    make_tree("planless", "device-gate-cpu", "cpu", 1);
    snprintf(path, sizeof path, "%s/cupel/plan.json", tree);
    assert_int_equal(unlink(path), 0);
    run_ctest(&result, NULL, NULL);
    assert_int_equal(result.status, 8);
    device = read_record(result.directory, "device.json");
    assert_string_equal(text(device, "reason"), "plan-unreadable");
    json_decref(device);
}

// A tree that is gone is not made anew.
static void refuses_a_tree_that_is_not_there(void **state)
{
    outcome result;
    char path[PATH_SIZE + 32];
    struct stat status;
    (void)state;
    make_tree("gone", "device-gate-cpu", "cpu", 1);
    snprintf(path, sizeof path, "%s/CTestTestfile.cmake", tree);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "add_test(unit.device \"%s/device-gate-cpu\" --profile unit --tree \"%s/nowhere\" --device-type cpu)\n", BINARIES,
            tree);
    assert_int_equal(fclose(file), 0);
    run_ctest(&result, NULL, NULL);
    assert_int_equal(result.status, 8);
    assert_non_null(strstr(result.output, "nowhere is not a build tree"));
    snprintf(path, sizeof path, "%s/nowhere", tree);
    assert_int_not_equal(stat(path, &status), 0);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(opens_a_run),
    cmocka_unit_test(replaces_a_run_that_was_left_open),
    cmocka_unit_test(refuses_a_second_run_of_one_ctest),
    cmocka_unit_test(refuses_part_of_a_profile),
    cmocka_unit_test(says_which_device_is_missing),
    cmocka_unit_test(says_what_was_not_built),
    cmocka_unit_test(keeps_evidence_where_it_is_told),
    cmocka_unit_test(refuses_a_tree_that_is_not_there),
    cmocka_unit_test(refuses_an_unsound_plan),
    cmocka_unit_test(refuses_files_that_drop_tests),
};

UNIT_MAIN(tests)
