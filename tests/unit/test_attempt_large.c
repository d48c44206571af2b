// SPDX-License-Identifier: Apache-2.0
// An attempt of 10,000 cases is checked in under a second of processor time and under 64 MiB.
// clang-format off
#include "unit.h"
// clang-format on

#include "verdict_fixture.h"

#include "attempt_receipt.h"
#include "evidence_process.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { CASES = 10000 };
static const double MOST_SECONDS = 1.0;
static const long MOST_KIB = 64 * 1024;

#define ATTEMPT UNIT_BINARY_DIR "/attempt"

// The first line of `text` that holds `part`, without its end. Free it.
static char *line_with(const char *text, const char *part)
{
    const char *at = strstr(text, part);
    assert_non_null(at);
    while (at > text && at[-1] != '\n') {
        --at;
    }
    char *line = strndup(at, strcspn(at, "\n"));
    assert_non_null(line);
    return line;
}

// Writes `line` with every `old` replaced by `new_text`.
static void line_write(FILE *out, const char *line, const char *old, const char *new_text)
{
    for (const char *at = strstr(line, old); at != NULL; at = strstr(line, old)) {
        fprintf(out, "%.*s%s", (int)(at - line), line, new_text);
        line = at + strlen(old);
    }
    fprintf(out, "%s\n", line);
}

// The suite alpha with CASES cases alpha.c00000, alpha.c00001, ... in ledger, report and manifest.
static void suite_enlarge(fixture *run)
{
    char *ledger = NULL;
    char *report = NULL;
    char *cases = NULL;
    size_t size = 0;
    char *begin = line_with(*fixture_text(run, "p.alpha.ledger"), "\"event\":\"begin\"");
    char *end = line_with(*fixture_text(run, "p.alpha.ledger"), "\"event\":\"end\"");
    char *open_line = line_with(*fixture_text(run, "p.alpha.ledger"), "\"event\":\"open\"");
    char *exit_line = line_with(*fixture_text(run, "p.alpha.ledger"), "\"event\":\"exit\"");
    char *close_line = line_with(*fixture_text(run, "p.alpha.ledger"), "\"event\":\"close\"");
    FILE *lines = open_memstream(&ledger, &size);
    FILE *xml = open_memstream(&report, &size);
    FILE *manifest = open_memstream(&cases, &size);
    line_write(lines, open_line, "\"cases\":2", "\"cases\":10000");
    fprintf(xml,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n  <testsuite name=\"p.alpha\" time=\"0.000\" tests=\"%d\" "
            "failures=\"0\" errors=\"0\" skipped=\"0\" >\n",
            CASES);
    for (int i = 0; i < CASES; ++i) {
        char id[32];
        char sequence[32];
        char *numbered = NULL;
        snprintf(id, sizeof id, "alpha.c%05d", i);
        snprintf(sequence, sizeof sequence, "\"sequence\":%d", i + 1);
        const char *const templates[] = {begin, end};
        for (size_t t = 0; t < 2; ++t) {
            FILE *step = open_memstream(&numbered, &size);
            line_write(step, templates[t], "\"sequence\":1", sequence);
            assert_int_equal(fclose(step), 0);
            numbered[strcspn(numbered, "\n")] = '\0';
            line_write(lines, numbered, "alpha.one", id);
            free(numbered);
        }
        fprintf(xml, "    <testcase name=\"%s\" time=\"0.000\" >\n    </testcase>\n", id);
        fprintf(manifest, "%s run values=10\n", id);
    }
    fprintf(xml, "  </testsuite>\n</testsuites>\n");
    fprintf(manifest, "beta.one run values=1\n");
    char *counted = NULL;
    FILE *step = open_memstream(&counted, &size);
    line_write(step, close_line, ":2", ":10000");
    assert_int_equal(fclose(step), 0);
    counted[strcspn(counted, "\n")] = '\0';
    line_write(lines, counted, "\"values\":15", "\"values\":100000");
    fprintf(lines, "%s\n", exit_line);
    assert_int_equal(fclose(lines) | fclose(xml) | fclose(manifest), 0);
    fixture_set(run, "p.alpha.ledger", ledger);
    fixture_set(run, "p.alpha.xml", report);
    fixture_set(run, "manifest", cases);
    char *const texts[] = {ledger, report, cases, begin, end, open_line, exit_line, close_line, counted};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; ++i) {
        free(texts[i]);
    }
}

static void text_write(const char *folder, const char *name, const char *text)
{
    assert_true(evidence_file_write(folder, name, text, strlen(text), EVIDENCE_NEW));
}

static void step_make(const char *label, int index, const char *output)
{
    char folder[PATH_MAX];
    char command[512];
    assert_true(evidence_path(folder, ATTEMPT "/steps/%s", label));
    assert_true(evidence_directory_create(folder));
    snprintf(command, sizeof command, "{\"schema\": \"cupel-step 1\", \"label\": \"%s\", \"lane\": \"p\", \"index\": %d}\n", label,
             index);
    text_write(folder, "command", command);
    text_write(folder, "stdout", output);
    text_write(folder, "stderr", "");
    text_write(folder, "status", "exit 0\n");
    text_write(folder, "seconds", "1.0\n");
    text_write(folder, "peak_rss_bytes", "1024\n");
}

// The attempt around the run of the fixture.
static void attempt_make(const fixture *run)
{
    static const char *const labels[] = {EVIDENCE_STEP_SOURCE, EVIDENCE_STEP_BEFORE, EVIDENCE_STEP_PROVENANCE,
                                         EVIDENCE_STEP_RUN,    EVIDENCE_STEP_AFTER,  EVIDENCE_STEP_PROVENANCE_AFTER};
    static const char source[] = "{\"schema\": \"cupel-source 1\", \"clean\": true, \"changes\": []}\n";
    char path[PATH_MAX];
    const char *const forget[] = {"rm", "-rf", ATTEMPT, NULL};
    free(evidence_process_output(forget, 60.0, 16));
    assert_true(evidence_directory_create(ATTEMPT));
    assert_true(evidence_directory_create(ATTEMPT "/steps"));
    assert_true(evidence_directory_create(ATTEMPT "/run"));
    assert_true(evidence_directory_create(ATTEMPT "/run/p"));
    assert_true(evidence_path(path, ATTEMPT "/run/p/%s", strrchr(run->directory, '/') + 1));
    assert_int_equal(rename(run->directory, path), 0);
    text_write(ATTEMPT, "attempt.json",
               "{\"schema\": \"cupel-attempt 1\", \"attempt\": \"a\", \"profile\": \"p\", \"tool\": \"0\", "
               "\"started\": \"2026-01-02T03:04:05Z\", \"together\": [\"p\"], \"session\": \"s\"}\n");
    text_write(ATTEMPT, EVIDENCE_MANIFEST_COPY, run->manifest);
    json_t *suites = json_array();
    for (size_t i = 0; i < run->profile.suite_count; ++i) {
        json_array_append_new(suites, json_pack("{s:s, s:s, s:s, s:s}", "suite", run->suites[i].suite, "linkage", "static", "test",
                                                run->suites[i].test, "executable", run->suites[i].executable));
    }
    json_t *plan = json_pack("{s:s, s:s, s:s, s:s, s:[{s:s, s:s, s:s, s:b, s:s, s:s, s:s, s:i, s:o}]}", "schema", "cupel-plan 1",
                             "source", "/s", "build", run->build, "ctest", "ctest", "profiles", "name", "p", "backend", "cpu",
                             "device_type", "cpu", "built", 1, "reason", "", "install", "", "manifest", run->manifest_path,
                             "timeout_seconds", 300, "suites", suites);
    char *text = json_dumps(plan, 0);
    text_write(ATTEMPT, EVIDENCE_PLAN_COPY, text);
    free(text);
    json_decref(plan);
    for (size_t i = 0; i < sizeof labels / sizeof labels[0]; ++i) {
        step_make(labels[i], (int)i + 1, i == 0 ? source : "{\"devices\": {}}\n");
    }
}

static void large_attempt_is_checked_quickly_in_little_memory(void **state)
{
    (void)state;
    const char *const argv[] = {CUPEL_EXECUTABLE, "receipt", "check", ATTEMPT, NULL};
    const evidence_process_spec spec = {.argv = argv, .stdout_fd = -1, .stderr_fd = -1, .limit_seconds = 60.0};
    evidence_process_result result;
    fixture run;
    char merged[600];
    cupel_verdict verdict;
    cupel_findings findings = {0};
    fixture_make(&run);
    suite_enlarge(&run);
    fixture_evaluate(&run, &verdict);
    snprintf(merged, sizeof merged, "%s/junit.xml", run.directory);
    assert_true(cupel_verdict_write_junit(&verdict, merged));
    cupel_verdict_free(&verdict);
    attempt_make(&run);
    json_t *receipt = evidence_attempt_seal(ATTEMPT, &findings);
    cupel_findings_print(&findings, 3, stderr);
    assert_int_equal(findings.count, 0);
    const json_t *own = json_object_get(json_object_get(receipt, "predicate"), "cupel");
    const json_t *counts = json_object_get(json_object_get(own, "verdict"), "counts");
    assert_int_equal(json_integer_value(json_object_get(counts, "passed")), CASES + 1);
    json_decref(receipt);
    assert_true(evidence_process_run(&spec, &result));
    assert_int_equal(result.exit_status, 0);
    print_message("%d cases: %.3f s of processor time, %ld KiB\n", CASES, result.cpu_seconds, result.peak_rss_kib);
    assert_true(result.cpu_seconds < MOST_SECONDS);
    assert_true(result.peak_rss_kib < MOST_KIB);
    cupel_findings_free(&findings);
    fixture_free(&run);
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(large_attempt_is_checked_quickly_in_little_memory)};
UNIT_MAIN(tests)
