// SPDX-License-Identifier: Apache-2.0
// An attempt of 10,000 cases is checked in under a second of processor time and under 48 MiB.
// clang-format off
#include "unit.h"
// clang-format on

#include "verdict_fixture.h"

#include "attempt_receipt.h"
#include "evidence_process.h"
#include "provenance.h"
#include "receipt.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { CASES = 10000 };
static const double MOST_SECONDS = 1.0;
static const long MOST_KIB = 48 * 1024;

#define STARTED "2026-01-02T03:04:05Z" // of the fixture's run, and so of all that was done around it
#define NAME "20260102T030405Z-p-00000000"
#define ATTEMPT UNIT_BINARY_DIR "/" NAME

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

// A step of an attempt with the words of its command, all of which began with the attempt.
static void step_make(const char *label, int index, const char *lane, const char *words, const char *environment,
                      const char *output)
{
    char folder[PATH_MAX];
    char command[2048];
    assert_true(evidence_path(folder, ATTEMPT "/steps/%s", label));
    assert_true(evidence_directory_create(folder));
    const int length =
        snprintf(command, sizeof command,
                 "{\"schema\": \"cupel-step 1\", \"label\": \"%s\", \"lane\": \"%s\", \"index\": %d, \"words\": [%s], "
                 "\"environment\": [%s], \"directory\": \"/d\", \"started\": \"" STARTED "\"}\n",
                 label, lane, index, words, environment);
    assert_in_range(length, 1, sizeof command - 1);
    text_write(folder, "command", command);
    text_write(folder, "stdout", output);
    text_write(folder, "stderr", "");
    text_write(folder, "status", "exit 0\n");
    text_write(folder, "seconds", "1.0\n");
    text_write(folder, "peak_rss_bytes", "1048576\n");
}

// What the executables of the fixture are made of, as the provenance step prints it.
static char *provenance_make(const cupel_verdict *verdict)
{
    char hex[CUPEL_SHA256_HEX];
    json_t *executables = json_array();
    for (size_t i = 0; i < verdict->suite_count; ++i) {
        const cupel_verdict_suite *suite = &verdict->suites[i];
        assert_true(cupel_file_sha256(suite->executable, hex, NULL));
        json_array_append_new(executables, json_pack("{s:s, s:s, s:s, s:s, s:[]}", "name", strrchr(suite->executable, '/') + 1,
                                                     "test", suite->test, "sha256", hex, "build_id", suite->build_id, "libraries"));
    }
    json_t *document = json_pack("{s:s, s:s, s:{}, s:n, s:n, s:o, s:{}, s:{}, s:{}, s:s}", "schema", EVIDENCE_PROVENANCE_SCHEMA,
                                 "profile", "p", "configuration", "compiler", "toolkit", "executables", executables, "objects",
                                 "inputs", "corpora", "sources_sha256", verdict->suites[0].source_id);
    char *text = json_dumps(document, 0);
    assert_non_null(text);
    json_decref(document);
    return text;
}

// The receipt that the run makes of itself when it closes.
static void run_receipt_make(const fixture *run, const cupel_verdict *verdict)
{
    const evidence_receipt_parts parts = {
        .subjects = json_array(), .verdict = cupel_verdict_to_json(verdict), .tool = "0", .finished = STARTED};
    for (size_t i = 0; i < verdict->suite_count; ++i) {
        char hex[CUPEL_SHA256_HEX];
        const char *path = verdict->suites[i].executable;
        assert_true(cupel_file_sha256(path, hex, NULL));
        json_array_append_new(parts.subjects, json_pack("{s:s, s:{s:s}}", "name", strrchr(path, '/') + 1, "digest", "sha256", hex));
    }
    json_t *receipt = evidence_receipt_of(verdict, &parts);
    char *text = json_dumps(receipt, EVIDENCE_RECEIPT_FORM);
    text_write(run->directory, EVIDENCE_RECEIPT, text);
    free(text);
    json_decref(receipt);
    json_decref(parts.subjects);
    json_decref(parts.verdict);
}

// The attempt around the run of the fixture.
static void attempt_make(const fixture *run, const char *provenance)
{
#define HASH "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
    static const char source[] =
        "{\"schema\": \"cupel-source 1\", \"kind\": \"list\", \"commit\": \"" HASH
        "\", \"clean\": true, \"changes\": [], \"files\": 1, \"sha256\": \"" HASH "\", \"qualifying_sha256\": \"" HASH "\"}\n";
    static const char ctest[] = "1/4 Test #1: p.device ..... Passed 0.1 sec\n2/4 Test #2: p.alpha .... Passed 0.1 sec\n"
                                "3/4 Test #3: p.beta ..... Passed 0.1 sec\n4/4 Test #4: p.verdict .... Passed 0.1 sec\n";
    static const char doctor[] = "\"cupel\", \"doctor\", \"--json\", \"--tree\", \"/t\"";
    static const char words[] = "\"ctest\", \"--test-dir\", \"%s\", \"-L\", \"^p$\", \"--output-on-failure\", \"--no-tests=error\"";
    char run_words[PATH_MAX + 128];
    char provenance_words[PATH_MAX + 128];
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
               "{\"schema\": \"cupel-attempt 1\", \"attempt\": \"" NAME "\", \"profile\": \"p\", \"tool\": \"0\", "
               "\"started\": \"" STARTED "\", \"together\": [\"p\"], \"session\": \"s\"}\n");
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
    snprintf(run_words, sizeof run_words, words, run->build);
    snprintf(provenance_words, sizeof provenance_words, "\"cupel\", \"provenance\", \"p\", \"--tree\", \"%s\"", run->build);
    step_make(EVIDENCE_STEP_SOURCE, 1, "p", "\"cupel\", \"source\", \"--json\", \"--source\", \"/s\"", "", source);
    step_make(EVIDENCE_STEP_BEFORE, 2, "p", doctor, "", "{\"devices\": {}}\n");
    step_make(EVIDENCE_STEP_PROVENANCE, 3, "p", provenance_words, "", provenance);
    step_make(EVIDENCE_STEP_RUN, 4, "p", run_words, "\"LC_ALL=C\", \"CUPEL_EVIDENCE=/e/" NAME "/run\"", ctest);
    step_make(EVIDENCE_STEP_PROVENANCE_AFTER, 5, "after", provenance_words, "", provenance);
    step_make(EVIDENCE_STEP_AFTER, 6, "after", doctor, "", "{\"devices\": {}}\n");
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
    char command[PATH_MAX + 128];
    fixture_make(&run);
    suite_enlarge(&run);
    snprintf(command, sizeof command,
             "[\"ctest\",\"--test-dir\",\"%s\",\"-L\",\"^p$\",\"--output-on-failure\",\"--no-tests=error\"]", run.build);
    fixture_edit(&run, "run.json", "[\"ctest\",\"-L\",\"p\"]", command);
    fixture_evaluate(&run, &verdict);
    snprintf(merged, sizeof merged, "%s/junit.xml", run.directory);
    assert_true(cupel_verdict_write_junit(&verdict, merged));
    run_receipt_make(&run, &verdict);
    char *provenance = provenance_make(&verdict);
    cupel_verdict_free(&verdict);
    attempt_make(&run, provenance);
    free(provenance);
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
