// SPDX-License-Identifier: Apache-2.0
// The rules of the verdict on what did not run, and on files and folders of a run.
#include "unit.h"

#include "verdict_expect.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define ALPHA "p.alpha.ledger"
#define BETA "p.beta.ledger"

// ---- What did not run ---------------------------------------------------------------------------------------------------------

static void suites_remove(fixture *run)
{
    static const char *const names[] = {ALPHA, BETA, "p.alpha.xml", "p.beta.xml"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
        fixture_remove(run, names[i]);
    }
}

static void missing_device_is_not_run(void **state)
{
    (void)state;
    fixture run;
    cupel_verdict verdict;
    fixture_make(&run);
    suites_remove(&run);
    fixture_set(
        &run, "device.json",
        "{\"schema\":\"cupel-device 1\",\"run\":\"20260102T030405Z-0a1b2c3d\",\"nonce\":\"00000000000000000000000000000000\","
        "\"profile\":\"p\",\"backend\":\"cpu\",\"status\":\"not-run\",\"reason\":\"device-none\",\"detail\":\"nothing there\","
        "\"count\":0,\"device\":null,\"nonce_answer\":\"\",\"probes\":null,\"management\":null,\"environment\":{\"CUDA_VISIBLE_"
        "DEVICES\":\"\"}}\n");
    fixture_evaluate(&run, &verdict);
    expect_reasons(&verdict, "device-none", "no device");
    assert_int_equal(verdict.status, CUPEL_NOT_RUN);
    assert_string_equal(verdict.findings.items[0].text, "nothing there");
    assert_int_equal(verdict.counts.expected, 3);
    assert_int_equal(verdict.counts.missing, 3);
    assert_int_equal(verdict.counts.passed, 0);
    cupel_verdict_free(&verdict);
    fixture_free(&run);
}

static void compiled_is_not_launched(void **state)
{
    (void)state;
    fixture run;
    cupel_verdict verdict;
    fixture_make(&run);
    fixture_edit_all(&run, ALPHA, "\"kernels\":1,\"bytes_uploaded\":8,\"bytes_downloaded\":8,\"programs\":0",
                     "\"kernels\":0,\"bytes_uploaded\":8,\"bytes_downloaded\":8,\"programs\":2");
    fixture_evaluate(&run, &verdict);
    expect_reasons(&verdict, "launches-outside", "two programs, no kernel");
    assert_int_equal(verdict.status, CUPEL_REFUSED);
    assert_string_equal(verdict.findings.items[0].text, "it was compiled, not launched: it launched 0 kernels, allowed are 1 to 2");
    cupel_verdict_free(&verdict);
    fixture_free(&run);
}

static void missing_backend_is_not_run(void **state)
{
    (void)state;
    fixture run;
    cupel_verdict verdict;
    fixture_make(&run);
    suites_remove(&run);
    fixture_set(
        &run, "device.json",
        "{\"schema\":\"cupel-device 1\",\"run\":\"20260102T030405Z-0a1b2c3d\",\"nonce\":\"00000000000000000000000000000000\","
        "\"profile\":\"p\",\"backend\":\"cpu\",\"status\":\"not-run\",\"reason\":\"backend-not-built\",\"detail\":\"no nvcc\","
        "\"count\":0,\"device\":null,\"nonce_answer\":\"\",\"probes\":null,\"management\":null,\"environment\":{}}\n");
    fixture_without_suites(&run);
    fixture_remove(&run, "manifest");
    fixture_evaluate(&run, &verdict);
    expect_reasons(&verdict, "backend-not-built", "no backend");
    assert_int_equal(verdict.status, CUPEL_NOT_RUN);
    assert_int_equal(verdict.findings.count, 1);
    cupel_verdict_free(&verdict);
    fixture_free(&run);
}

static void missing_capability_is_not_run_without_suites(void **state)
{
    (void)state;
    fixture run;
    cupel_verdict verdict;
    fixture_make(&run);
    suites_remove(&run);
    fixture_edit(&run, "device.json", "\"fp64\":true", "\"fp64\":false");
    fixture_evaluate(&run, &verdict);
    expect_reasons(&verdict, "capability-fp64", "no fp64");
    assert_int_equal(verdict.status, CUPEL_NOT_RUN);
    cupel_verdict_free(&verdict);
    fixture_free(&run);
}

static void missing_executable_is_not_run(void **state)
{
    (void)state;
    fixture run;
    cupel_verdict verdict;
    fixture_make(&run);
    fixture_executable(&run, 1, UNIT_BINARY_DIR "/not-built");
    fixture_remove(&run, BETA);
    fixture_remove(&run, "p.beta.xml");
    fixture_evaluate(&run, &verdict);
    expect_reasons(&verdict, "executable-missing", "not built");
    assert_int_equal(verdict.status, CUPEL_NOT_RUN);
    cupel_verdict_free(&verdict);

    char script[] = UNIT_BINARY_DIR "/script";
    FILE *out = fopen(script, "w");
    assert_non_null(out);
    fputs("#!/bin/sh\n", out);
    fclose(out);
    assert_int_equal(chmod(script, 0755), 0);
    fixture_free(&run);
    fixture_make(&run);
    fixture_executable(&run, 1, script);
    fixture_evaluate(&run, &verdict);
    expect_reasons(&verdict, "executable-unidentified", "no build id");
    cupel_verdict_free(&verdict);
    fixture_free(&run);
}

// ---- Files --------------------------------------------------------------------------------------------------------------------

static void old_file_is_stale(void **state)
{
    (void)state;
    fixture run;
    cupel_verdict verdict;
    char path[640];
    const struct timespec old[2] = {{1000, 0}, {1000, 0}};
    fixture_make(&run);
    fixture_write(&run);
    snprintf(path, sizeof path, "%s/p.alpha.xml", run.directory);
    assert_int_equal(utimensat(AT_FDCWD, path, old, 0), 0);
    cupel_verdict_evaluate(&run.request, &verdict);
    expect_reasons(&verdict, "file-stale", "old report");
    cupel_verdict_free(&verdict);
    fixture_free(&run);
}

static void links_and_folders_are_unexpected(void **state)
{
    (void)state;
    fixture run;
    cupel_verdict verdict;
    char path[640];
    char target[640];
    fixture_make(&run);
    fixture_write(&run);
    snprintf(path, sizeof path, "%s/p.alpha.xml", run.directory);
    snprintf(target, sizeof target, "%s/elsewhere.xml", UNIT_BINARY_DIR);
    assert_int_equal(rename(path, target), 0);
    assert_int_equal(symlink(target, path), 0);
    cupel_verdict_evaluate(&run.request, &verdict);
    expect_reasons(&verdict, "file-unexpected", "a link");
    cupel_verdict_free(&verdict);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(mkfifo(path, 0600), 0); // nobody writes to it, and nobody waits for that
    cupel_verdict_evaluate(&run.request, &verdict);
    expect_reasons(&verdict, "file-unexpected,report-empty", "a pipe");
    cupel_verdict_free(&verdict);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(mkdir(path, 0700), 0);
    cupel_verdict_evaluate(&run.request, &verdict);
    expect_reasons(&verdict, "file-unexpected,report-missing", "a folder");
    cupel_verdict_free(&verdict);
    assert_int_equal(rmdir(path), 0);
    fixture_free(&run);
}

static void absent_directory(void **state)
{
    (void)state;
    fixture run;
    cupel_verdict verdict;
    fixture_make(&run);
    fixture_write(&run);
    run.request.run_directory = UNIT_BINARY_DIR "/nowhere";
    cupel_verdict_evaluate(&run.request, &verdict);
    expect_reasons(&verdict, "run-directory-missing", "no directory");
    cupel_verdict_free(&verdict);
    run.request.run_directory = run.manifest_path;
    cupel_verdict_evaluate(&run.request, &verdict);
    expect_reasons(&verdict, "run-directory-missing", "a file");
    cupel_verdict_free(&verdict);
    fixture_free(&run);
}

static void moved_directory_is_another_run(void **state)
{
    (void)state;
    fixture run;
    cupel_verdict verdict;
    fixture_make(&run);
    fixture_write(&run);
    assert_int_equal(rename(run.directory, UNIT_BINARY_DIR "/moved"), 0);
    run.request.run_directory = UNIT_BINARY_DIR "/moved";
    cupel_verdict_evaluate(&run.request, &verdict);
    expect_reasons(&verdict, "run-mismatch", "moved");
    cupel_verdict_free(&verdict);
    run.request.offline = true; // a kept copy may lie anywhere
    cupel_verdict_evaluate(&run.request, &verdict);
    expect_reasons(&verdict, "", "moved, offline");
    cupel_verdict_free(&verdict);
    assert_int_equal(rename(UNIT_BINARY_DIR "/moved", run.directory), 0);
    fixture_free(&run);
}

static void plan_faults(void **state)
{
    (void)state;
    cupel_verdict verdict;
    cupel_verdict_evaluate_tree(UNIT_BINARY_DIR "/no-tree", "p", UNIT_BINARY_DIR, &verdict);
    expect_reasons(&verdict, "plan-unreadable", "no plan");
    assert_int_equal(verdict.status, CUPEL_REFUSED);
    cupel_verdict_free(&verdict);
    mkdir(UNIT_BINARY_DIR "/tree", 0755);
    mkdir(UNIT_BINARY_DIR "/tree/cupel", 0755);
    FILE *out = fopen(UNIT_BINARY_DIR "/tree/cupel/plan.json", "w");
    assert_non_null(out);
    fputs("{\"schema\":\"cupel-plan 1\",\"source\":\"/s\",\"build\":\"/b\",\"ctest\":\"ctest\",\"profiles\":[]}", out);
    fclose(out);
    cupel_verdict_evaluate_tree(UNIT_BINARY_DIR "/tree", "p", UNIT_BINARY_DIR, &verdict);
    expect_reasons(&verdict, "profile-unknown", "no profile");
    cupel_verdict_free(&verdict);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(missing_device_is_not_run),        cmocka_unit_test(compiled_is_not_launched),
    cmocka_unit_test(missing_backend_is_not_run),       cmocka_unit_test(missing_capability_is_not_run_without_suites),
    cmocka_unit_test(missing_executable_is_not_run),    cmocka_unit_test(old_file_is_stale),
    cmocka_unit_test(links_and_folders_are_unexpected), cmocka_unit_test(absent_directory),
    cmocka_unit_test(moved_directory_is_another_run),   cmocka_unit_test(plan_faults),
};

UNIT_MAIN(tests)
