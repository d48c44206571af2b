// SPDX-License-Identifier: Apache-2.0
// The rules of the verdict: a good run passes, and every way to spoil it gives exactly the reasons of this table.
#include "unit.h"

#include "verdict_fixture.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define ALPHA "p.alpha.ledger"
#define BETA "p.beta.ledger"
#define END_ONE "\"case\":\"alpha.one\",\"sequence\":1,\"outcome\":\"passed\",\"values\":10"
// One way to spoil the run: up to two edits, then exactly these reasons, separated by commas, in the order of reasons.def.
typedef struct spoiling {
    const char *reasons;
    const char *file, *old, *new_text;    // new_text null: the file is removed; old null: the whole text
    const char *file2, *old2, *new_text2; // file2 null: one edit
} spoiling;

#define MANAGED(errors)                                                                                                            \
    "\"management\":{\"driver\":\"1\",\"listed\":true,\"ecc\":\"on\",\"partitions\":\"off\",\"uncorrected_errors\":" errors        \
    ",\"clients\":1,\"busy_percent\":0}"

static const spoiling spoilings[] = {
    // Run record and directory
    {"run-record-missing", "run.json", NULL, NULL, NULL, NULL, NULL},
    {"run-record-malformed", "run.json", "\"ctest_pid\":12", "\"ctest_pid\":\"12\"", NULL, NULL, NULL},
    {"run-mismatch", "run.json", "\"profile\":\"p\"", "\"profile\":\"q\"", NULL, NULL, NULL},
    {"selection-partial", "run.json", "[\"ctest\",\"-L\",\"p\"]", "[\"ctest\",\"-L\",\"p\",\"-E\",\"verdict\"]", NULL, NULL, NULL},
    {"selection-partial", "run.json", "[\"ctest\",\"-L\",\"p\"]", "[\"ctest\",\"-R\",\"p.alpha\"]", "device.json", NULL, NULL},
    {"repeat-forbidden", "run.json", "[\"ctest\",\"-L\",\"p\"]", "[\"ctest\",\"-L\",\"p\",\"--repeat\",\"until-pass:3\"]", NULL,
     NULL, NULL},
    {"file-unexpected", "p.gamma.xml", NULL, "<testsuites/>", NULL, NULL, NULL},
    {"file-unexpected", "p.alpha.ledger.old", NULL, "", NULL, NULL, NULL},
    // ctest's list of tests
    {"lint-unreadable", "tests.json", NULL, NULL, NULL, NULL, NULL},
    {"lint-unreadable", "tests.json", NULL, "{}", NULL, NULL, NULL},
    {"lint-unreadable", "tests.json", "\"major\":1", "\"major\":2", NULL, NULL, NULL},
    {"lint-property", "tests.json", "{\"name\":\"FIXTURES_CLEANUP\"",
     "{\"name\":\"DISABLED\",\"value\":true},{\"name\":\"FIXTURES_CLEANUP\"", NULL, NULL, NULL},
    {"lint-fixture", "tests.json", "\"FIXTURES_SETUP\",\"value\":[\"cupel.p\"]", "\"FIXTURES_SETUP\",\"value\":[\"cupel.q\"]", NULL,
     NULL, NULL},
    {"lint-lock", "tests.json", "{\"name\":\"FIXTURES_SETUP\"", "{\"name\":\"COST\",\"value\":1},{\"name\":\"FIXTURES_SETUP\"",
     "tests.json",
     "/build\"],\"properties\":[{\"name\":\"LABELS\",\"value\":[\"p\"]},{\"name\":\"TIMEOUT\",\"value\":300.0},{\"name\":\"WORKING_"
     "DIRECTORY\","
     "\"value\":\"/b\"},{\"name\":\"RESOURCE_LOCK\",\"value\":[\"d\"]},{\"name\":\"COST\"",
     "/build\"],\"properties\":[{\"name\":\"LABELS\",\"value\":[\"p\"]},{\"name\":\"TIMEOUT\",\"value\":300.0},{\"name\":\"WORKING_"
     "DIRECTORY\","
     "\"value\":\"/b\"},{\"name\":\"RESOURCE_LOCK\",\"value\":[\"\"]},{\"name\":\"COST\""},
    {"lint-wrapper", "tests.json", "/b/device-gate-cpu", "/usr/bin/env", NULL, NULL, NULL},
    {"lint-test-extra,lint-test-missing", "tests.json", "\"name\":\"p.verdict\"", "\"name\":\"q.verdict\"", "tests.json",
     "{\"name\":\"FIXTURES_CLEANUP\",\"value\":[\"cupel.p\"]}", "{\"name\":\"FIXTURES_CLEANUP\",\"value\":[\"cupel.q\"]}"},
    {"lint-label", "tests.json", "{\"name\":\"FIXTURES_CLEANUP\"", "{\"name\":\"COST\",\"value\":1},{\"name\":\"FIXTURES_CLEANUP\"",
     "tests.json",
     "\"verdict\",\"--profile\",\"p\",\"--tree\",\"" UNIT_BINARY_DIR
     "/build\"],\"properties\":[{\"name\":\"LABELS\",\"value\":[\"p\"]}",
     "\"verdict\",\"--profile\",\"p\",\"--tree\",\"" UNIT_BINARY_DIR
     "/build\"],\"properties\":[{\"name\":\"LABELS\",\"value\":[\"p\",\"q\"]}"},
    {"lint-test-extra", "tests.json", "[\"unit\"]", "[\"not-p\"]", NULL, NULL, NULL},
    // Device record
    {"device-record-missing", "device.json", NULL, NULL, NULL, NULL, NULL},
    {"device-record-malformed", "device.json", "\"count\":1", "\"count\":-1", NULL, NULL, NULL},
    {"device-record-malformed", "device.json", "\"count\":1", "\"count\":0", NULL, NULL, NULL},
    {"nonce-mismatch,device-answer-wrong", "device.json", "\"nonce\":\"0000", "\"nonce\":\"1000", NULL, NULL, NULL},
    {"run-mismatch", "device.json", "0a1b2c3d", "0a1b2c3e", NULL, NULL, NULL},
    {"device-answer-wrong", "device.json", "6627e8d5", "6627e8d6", NULL, NULL, NULL},
    {"device-type-contradiction,device-changed", "device.json", "\"type\":\"cpu\"", "\"type\":\"gpu\"", NULL, NULL, NULL},
    {"backend-mismatch", "device.json", "\"backend\":\"cpu\"", "\"backend\":\"cuda\"", NULL, NULL, NULL},
    {"device-changed", "device.json", "\"uuid\":\"CPU-1\"", "\"uuid\":\"CPU-2\"", NULL, NULL, NULL},
    {"device-changed", ALPHA, "\"driver\":\"d\"", "\"driver\":\"e\"", NULL, NULL, NULL},
    {"device-errors-rose", "device.json", "\"management\":null", MANAGED("4"), ALPHA, "\"management\":null", MANAGED("5")},
    {"", "device.json", "\"management\":null", MANAGED("4"), ALPHA, "\"management\":null", MANAGED("4")},
    {"", "device.json", "\"management\":null", MANAGED("-1"), ALPHA, "\"management\":null", MANAGED("5")}, // unknown is not 0
    {"device-record-malformed", "device.json", "\"management\":null", "\"management\":{\"ecc\":\"on\"}", NULL, NULL, NULL},
    {"device-record-malformed", "device.json", "\"management\":null", MANAGED("-2"), NULL, NULL, NULL},
    {"ledger-malformed", ALPHA, "\"management\":null", "\"management\":{}", NULL, NULL, NULL},
    {"capability-fp64", "device.json", "\"fp64\":true", "\"fp64\":false", NULL, NULL, NULL},
    {"capability-fma", "device.json", "\"fma_exact\":true", "\"fma_exact\":false", NULL, NULL, NULL},
    {"capability-subnormals", "device.json", "\"subnormals_kept\":true", "\"subnormals_kept\":false", NULL, NULL, NULL},
    {"capability-division", "device.json", "\"division_rounded\":true", "\"division_rounded\":false", NULL, NULL, NULL},
    {"capability-sqrt", "device.json", "\"sqrt_rounded\":true", "\"sqrt_rounded\":false", NULL, NULL, NULL},
    {"capability-mulhi", "device.json", "\"mulhi_u64\":true", "\"mulhi_u64\":false", NULL, NULL, NULL},
    {"contraction-on", "device.json", "\"contraction_off\":true", "\"contraction_off\":false", NULL, NULL, NULL},
    {"environment-forbidden", "device.json", "{\"LD_PRELOAD\":null}", "{\"EXTRA_CL_BUILD_OPTIONS\":\"-cl-fast-relaxed-math\"}",
     NULL, NULL, NULL},
    {"environment-forbidden", "device.json", "{\"LD_PRELOAD\":null}", "{\"LD_PRELOAD\":\"/x.so\"}", NULL, NULL, NULL},
    // Manifest
    {"manifest-missing", "manifest", NULL, NULL, NULL, NULL, NULL},
    {"manifest-malformed", "manifest", "values=5", "values=", NULL, NULL, NULL},
    {"manifest-unsorted", "manifest", NULL, "beta.one run values=1\nalpha.one run values=1\n", NULL, NULL, NULL},
    {"manifest-duplicate", "manifest", "beta.one run values=1\n", "beta.one run values=1\nbeta.one run values=1\n", NULL, NULL,
     NULL},
    {"manifest-empty", "manifest", NULL, "# all gone\n", NULL, NULL, NULL},
    {"manifest-suite-unknown", "manifest", "beta.one run values=1\n", "beta.one run values=1\ngamma.one run values=1\n", NULL, NULL,
     NULL},
    {"suite-without-cases,case-unexpected", "manifest", "beta.one run values=1\n", "", NULL, NULL, NULL},
    {"unsupported-forbidden,unsupported-unproven", "manifest", "beta.one", "alpha.zero unsupported fp64 why\nbeta.one", NULL, NULL,
     NULL},
    {"unsupported-unproven", "manifest", "beta.one", "beta.gradient unsupported fp64 why\nbeta.one", NULL, NULL, NULL},
    {"unsupported-unproven", "manifest", "beta.one", "beta.gradient unsupported fp16 why\nbeta.one", NULL, NULL, NULL},
    {"unsupported-forbidden,unsupported-unproven", "manifest", "beta.one", "beta.gradients unsupported fp64 why\nbeta.one", NULL,
     NULL, NULL},
    // Sources
    {"source-mismatch", "sources", "src/a.c", "src/b.c", NULL, NULL, NULL},
    {"source-mismatch", "sources", NULL, NULL, NULL, NULL, NULL},
    {"source-mismatch", BETA, "\"source_id\":\"", "\"source_id\":\"0", NULL, NULL, NULL},
    {"executable-replaced", ALPHA, "\"build_id\":\"", "\"build_id\":\"00", NULL, NULL, NULL},
    // Ledger
    {"ledger-missing", ALPHA, NULL, NULL, NULL, NULL, NULL},
    {"ledger-malformed", ALPHA, NULL, "", NULL, NULL, NULL},
    {"ledger-malformed", ALPHA, NULL, "not json\n", NULL, NULL, NULL},
    {"ledger-malformed", ALPHA, "\"cupel-ledger 1\"", "\"cupel-ledger 2\"", NULL, NULL, NULL},
    {"ledger-malformed,ledger-unclosed", ALPHA, "\"event\":\"close\"", "\"event\":\"closing\"", NULL, NULL, NULL},
    {"ledger-malformed", ALPHA, "\"values\":10,", "\"values\":-10,", NULL, NULL, NULL},
    {"ledger-malformed", ALPHA, "\"values\":10,", "", NULL, NULL, NULL},
    {"ledger-malformed", ALPHA, "\"values\":10,", "\"values\":10,\"more\":1,", NULL, NULL, NULL},
    {"ledger-malformed", ALPHA, "\"worst_error\":\"0x1p-2\"", "\"worst_error\":0.25", NULL, NULL, NULL},
    {"ledger-malformed", ALPHA, "\"worst_unit\":\"ulp\"", "\"worst_unit\":\"percent\"", NULL, NULL, NULL},
    {"ledger-malformed", ALPHA, END_ONE, "\"case\":\"alpha.one\",\"sequence\":1,\"outcome\":\"fine\",\"values\":10", NULL, NULL,
     NULL},
    {"ledger-cut", ALPHA, "\"timed_out\":false,\"seconds\":0.5}\n", "\"timed_out\":fal", NULL, NULL, NULL},
    {"run-mismatch", ALPHA, "\"run\":\"20260102", "\"run\":\"20260103", NULL, NULL, NULL},
    {"run-mismatch", ALPHA, "\"profile\":\"p\"", "\"profile\":\"q\"", NULL, NULL, NULL},
    {"ledger-mismatch", ALPHA, "\"suite\":\"alpha\"", "\"suite\":\"beta\"", NULL, NULL, NULL},
    {"ledger-mismatch", ALPHA, "\"linkage\":\"static\"", "\"linkage\":\"shared\"", NULL, NULL, NULL},
    {"ledger-mismatch", ALPHA, "\"test\":\"p.alpha\"", "\"test\":\"p.beta\"", NULL, NULL, NULL},
    {"backend-mismatch", ALPHA, "\"backend\":\"cpu\"", "\"backend\":\"cuda\"", NULL, NULL, NULL},
    {"backend-mismatch", ALPHA, "\"expected_backend\":\"cpu\"", "\"expected_backend\":\"cuda\"", NULL, NULL, NULL},
    {"ledger-order", ALPHA, "\"case\":\"alpha.two\",\"sequence\":2}", "\"case\":\"alpha.two\",\"sequence\":3}", NULL, NULL, NULL},
    {"ledger-counts", ALPHA, "\"cases\":2,\"passed\":2", "\"cases\":3,\"passed\":3", NULL, NULL, NULL},
    {"ledger-counts", ALPHA, "\"failed\":0,\"values\":15,", "\"failed\":0,\"values\":16,", NULL, NULL, NULL},
    {"ledger-counts", ALPHA, "\"cases\":2,\"environment\"", "\"cases\":3,\"environment\"", NULL, NULL, NULL},
    // Cases
    {"values-below-floor", "manifest", "values=10", "values=11", NULL, NULL, NULL},
    {"launches-outside", "manifest", "launches=1..2", "launches=2..2", NULL, NULL, NULL},
    {"launches-outside", "manifest", "launches=1..2", "launches=0..0", NULL, NULL, NULL},
    {"error-above-bound", ALPHA, "\"worst_error\":\"0x1p-2\"", "\"worst_error\":\"0x1.8p+0\"", NULL, NULL, NULL},
    {"error-above-bound", ALPHA, "\"worst_error\":\"0x1p-2\"", "\"worst_error\":\"nan\"", NULL, NULL, NULL},
    {"error-above-bound", ALPHA, "\"worst_error\":\"0x1p-2\"", "\"worst_error\":\"inf\"", NULL, NULL, NULL},
    {"error-above-bound", ALPHA, "\"worst_error\":\"0x1p-2\"", "\"worst_error\":\"-0x1p-2\"", NULL, NULL, NULL},
    {"bound-invalid", ALPHA, "\"bound\":\"0x1p+0\"", "\"bound\":\"inf\"", NULL, NULL, NULL},
    {"bound-invalid", ALPHA, "\"bound\":\"0x1p+0\"", "\"bound\":\"nan\"", NULL, NULL, NULL},
    {"bound-invalid", ALPHA, "\"bound\":\"0x1p+0\"", "\"bound\":\"-0x1p+0\"", NULL, NULL, NULL},
    {"case-missing", "manifest", "beta.one run", "alpha.zero run values=1\nbeta.one run", NULL, NULL, NULL},
    {"case-unexpected", "manifest", "alpha.two run values=5\n", "", NULL, NULL, NULL},
    {"unsupported-forbidden,capability-fp64,case-unexpected", "manifest", "alpha.two run values=5",
     "alpha.two unsupported fp64 why", "device.json", "\"fp64\":true", "\"fp64\":false"},
    // Report
    {"report-missing", "p.alpha.xml", NULL, NULL, NULL, NULL, NULL},
    {"report-empty", "p.alpha.xml", NULL, "", NULL, NULL, NULL},
    {"report-truncated", "p.alpha.xml", "</testsuites>\n", "", NULL, NULL, NULL},
    {"run-mismatch", "p.alpha.xml", "name=\"p.alpha\"", "name=\"p.beta\"", NULL, NULL, NULL},
    {"case-contradiction", "p.alpha.xml", "name=\"alpha.two\"", "name=\"alpha.too\"", NULL, NULL, NULL},
    {"report-counts", "p.alpha.xml", "tests=\"2\"", "tests=\"3\"", NULL, NULL, NULL},
    {"case-contradiction,report-skipped", "p.alpha.xml", "<testcase name=\"alpha.two\" time=\"0.000\" >",
     "<testcase name=\"alpha.two\" time=\"0.000\" ><skipped/>", "p.alpha.xml", "skipped=\"0\"", "skipped=\"1\""},
    {"case-contradiction", "p.alpha.xml", "<testcase name=\"alpha.two\" time=\"0.000\" >",
     "<testcase name=\"alpha.two\" time=\"0.000\" ><failure/>", "p.alpha.xml", "failures=\"0\"", "failures=\"1\""},
};

static void reasons_list(const cupel_findings *findings, char text[512])
{
    text[0] = '\0';
    for (size_t i = 0; i < CUPEL_REASON_COUNT; ++i) {
        if (cupel_findings_count(findings, (cupel_reason)i) > 0) {
            snprintf(text + strlen(text), 512 - strlen(text), "%s%s", text[0] == '\0' ? "" : ",",
                     cupel_reason_get((cupel_reason)i)->code);
        }
    }
}

static void expect_reasons(const cupel_verdict *verdict, const char *reasons, const char *what)
{
    char found[512];
    reasons_list(&verdict->findings, found);
    if (strcmp(found, reasons) != 0) {
        fail_msg("%s: expected %s, found %s: %s", what, reasons, found,
                 verdict->findings.count == 0 ? "" : verdict->findings.items[0].text);
    }
    assert_int_equal(verdict->status, cupel_findings_status(&verdict->findings));
}

static void apply(fixture *run, const char *file, const char *old, const char *new_text)
{
    if (new_text == NULL) {
        fixture_remove(run, file);
    } else if (old == NULL) {
        fixture_set(run, file, new_text);
    } else {
        fixture_edit(run, file, old, new_text);
    }
}

static void good_run_passes(void **state)
{
    (void)state;
    fixture run;
    cupel_verdict verdict;
    fixture_make(&run);
    fixture_evaluate(&run, &verdict);
    expect_reasons(&verdict, "", "good run");
    assert_int_equal(verdict.status, CUPEL_PASS);
    assert_int_equal(verdict.counts.expected, 3);
    assert_int_equal(verdict.counts.passed, 3);
    assert_int_equal(verdict.counts.values, 18);
    assert_int_equal(verdict.counts.kernels, 3);
    assert_int_equal(verdict.counts.failed + verdict.counts.missing + verdict.counts.unexpected, 0);
    assert_int_equal(verdict.file_count, 7);
    assert_int_equal(verdict.suite_count, 2);
    assert_string_equal(verdict.suites[0].cases[1].id, "alpha.two");
    assert_true(verdict.suites[0].cases[1].worst_error == 0.25);
    cupel_verdict_free(&verdict);
    run.request.offline = true;
    fixture_executable(&run, 0, "/nonexistent");
    fixture_evaluate(&run, &verdict);
    expect_reasons(&verdict, "", "offline");
    cupel_verdict_free(&verdict);
    fixture_free(&run);
}

static void every_spoiling_has_its_reasons(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof spoilings / sizeof spoilings[0]; ++i) {
        const spoiling *spoil = &spoilings[i];
        char what[256];
        fixture run;
        cupel_verdict verdict;
        fixture_make(&run);
        apply(&run, spoil->file, spoil->old, spoil->new_text);
        if (spoil->file2 != NULL) {
            apply(&run, spoil->file2, spoil->old2, spoil->new_text2);
        }
        fixture_evaluate(&run, &verdict);
        snprintf(what, sizeof what, "row %zu (%s, %.100s)", i, spoil->file, spoil->new_text == NULL ? "removed" : spoil->new_text);
        expect_reasons(&verdict, spoil->reasons, what);
        cupel_verdict_free(&verdict);
        fixture_free(&run);
    }
}

// ---- How a process ends -------------------------------------------------------------------------------------------------------

// Cuts alpha's ledger behind the line that holds `marker`, ends it with this exit event, and removes the report, which CMocka
// writes at the end only.
static void alpha_ends(fixture *run, const char *marker, const char *exit_members)
{
    char **text = fixture_text(run, ALPHA);
    char *line = strstr(*text, marker);
    char ended[8192];
    assert_non_null(line);
    size_t kept = (size_t)(strchr(line, '\n') - *text) + 1;
    snprintf(ended, sizeof ended, "%.*s%s%s%s", (int)kept, *text,
             exit_members[0] == '\0'
                 ? ""
                 : "{\"event\":\"exit\",\"nonce\":\"00000000000000000000000000000000\",\"host_peak_rss_bytes\":4096,",
             exit_members, exit_members[0] == '\0' ? "" : ",\"seconds\":9.5}\n");
    fixture_set(run, ALPHA, ended);
    fixture_remove(run, "p.alpha.xml");
}

static void process_ends(void **state)
{
    (void)state;
    static const struct {
        const char *marker, *exit_members, *reasons;
        cupel_status status;
    } rows[] = {
        // In a case: by a signal, at the time limit, by exit(0), by exit(1).
        {"\"alpha.one\",\"sequence\":1}", "\"status\":0,\"signal\":11,\"timed_out\":false",
         "case-unfinished,case-not-reached,process-failed", CUPEL_FAILED},
        {"\"alpha.one\",\"sequence\":1}", "\"status\":0,\"signal\":9,\"timed_out\":true",
         "case-unfinished,case-not-reached,process-timeout", CUPEL_FAILED},
        {"\"alpha.two\",\"sequence\":2}", "\"status\":0,\"signal\":0,\"timed_out\":false", "case-unfinished", CUPEL_FAILED},
        {"\"alpha.one\",\"sequence\":1}", "\"status\":1,\"signal\":0,\"timed_out\":false",
         "case-unfinished,case-not-reached,process-failed", CUPEL_FAILED},
        // Between cases, and before the first.
        {"\"alpha.one\",\"sequence\":1,\"outcome\"", "\"status\":0,\"signal\":6,\"timed_out\":false",
         "case-not-reached,process-failed", CUPEL_FAILED},
        {"\"event\":\"open\"", "\"status\":1,\"signal\":0,\"timed_out\":false", "case-not-reached,process-failed", CUPEL_FAILED},
        {"\"alpha.one\",\"sequence\":1,\"outcome\"", "\"status\":0,\"signal\":0,\"timed_out\":false",
         "ledger-unclosed,case-missing,report-missing", CUPEL_REFUSED},
        // The supervisor was stopped as well.
        {"\"alpha.two\",\"sequence\":2}", "", "ledger-unclosed,case-unfinished", CUPEL_REFUSED},
        {"\"event\":\"close\"", "", "ledger-unclosed,report-missing", CUPEL_REFUSED},
        // After the last case.
        {"\"event\":\"close\"", "\"status\":0,\"signal\":11,\"timed_out\":false", "process-failed,report-missing", CUPEL_REFUSED},
        {"\"event\":\"close\"", "\"status\":1,\"signal\":0,\"timed_out\":false", "process-failed,report-missing", CUPEL_REFUSED},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        char what[64];
        fixture run;
        cupel_verdict verdict;
        fixture_make(&run);
        alpha_ends(&run, rows[i].marker, rows[i].exit_members);
        fixture_evaluate(&run, &verdict);
        snprintf(what, sizeof what, "process row %zu", i);
        expect_reasons(&verdict, rows[i].reasons, what);
        assert_int_equal(verdict.status, rows[i].status);
        cupel_verdict_free(&verdict);
        fixture_free(&run);
    }
}

#define REFUSED_LINE(reason)                                                                                                       \
    "{\"event\":\"refused\",\"nonce\":\"00000000000000000000000000000000\",\"reason\":\"" reason "\",\"text\":\"because\"}\n"      \
    "{\"event\":\"exit\",\"nonce\":\"00000000000000000000000000000000\",\"host_peak_rss_bytes\":4096,\"status\":1,\"signal\":0,"   \
    "\"timed_out\":false,"                                                                                                         \
    "\"seconds\":0.1}\n"

static void process_that_refuses(void **state)
{
    (void)state;
    static const struct {
        const char *ledger, *reasons;
    } rows[] = {
        {REFUSED_LINE("backend-mismatch"), "backend-mismatch"},
        {REFUSED_LINE("device-changed"), "device-changed"},
        {REFUSED_LINE("case-failed"), "ledger-malformed,report-missing"},
        {REFUSED_LINE("no-such-reason"), "ledger-malformed,report-missing"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        fixture run;
        cupel_verdict verdict;
        fixture_make(&run);
        fixture_set(&run, ALPHA, rows[i].ledger);
        fixture_remove(&run, "p.alpha.xml");
        fixture_evaluate(&run, &verdict);
        expect_reasons(&verdict, rows[i].reasons, rows[i].reasons);
        assert_int_equal(verdict.status, CUPEL_REFUSED);
        cupel_verdict_free(&verdict);
        fixture_free(&run);
    }
}

static void process_that_ends_before_its_ledger(void **state)
{
    (void)state;
    fixture run;
    cupel_verdict verdict;
    fixture_make(&run);
    fixture_set(&run, ALPHA,
                "{\"event\":\"exit\",\"nonce\":\"00000000000000000000000000000000\",\"host_peak_rss_bytes\":4096,\"status\":0,"
                "\"signal\":11,\"timed_out\":false,"
                "\"seconds\":0.1}\n");
    fixture_remove(&run, "p.alpha.xml");
    fixture_evaluate(&run, &verdict);
    expect_reasons(&verdict, "process-failed,report-missing", "no open line");
    cupel_verdict_free(&verdict);
    fixture_free(&run);
}

// A clean report beside a process that failed after its last case, and the other way round.
static void status_and_results_must_agree(void **state)
{
    (void)state;
    static const struct {
        const char *old, *new_text;
    } rows[] = {
        {"\"status\":0,\"signal\":0", "\"status\":1,\"signal\":0"},
        {"\"status\":0,\"signal\":0", "\"status\":0,\"signal\":11"},
        {"\"status\":0,\"signal\":0", "\"status\":3,\"signal\":0"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        fixture run;
        cupel_verdict verdict;
        fixture_make(&run);
        fixture_edit(&run, ALPHA, rows[i].old, rows[i].new_text);
        fixture_evaluate(&run, &verdict);
        expect_reasons(&verdict, "process-failed", rows[i].new_text);
        cupel_verdict_free(&verdict);
        fixture_free(&run);
    }
}

// Makes alpha.two a failing case everywhere.
static void alpha_two_fails(fixture *run)
{
    fixture_edit(run, ALPHA, "\"case\":\"alpha.two\",\"sequence\":2,\"outcome\":\"passed\"",
                 "\"case\":\"alpha.two\",\"sequence\":2,\"outcome\":\"failed\"");
    fixture_edit(run, ALPHA, "\"passed\":2,\"failed\":0", "\"passed\":1,\"failed\":1");
    fixture_edit(run, ALPHA, "\"status\":0,\"signal\":0", "\"status\":1,\"signal\":0");
    fixture_edit(run, "p.alpha.xml", "<testcase name=\"alpha.two\" time=\"0.000\" >",
                 "<testcase name=\"alpha.two\" time=\"0.000\" ><failure><![CDATA[differs]]></failure>");
    fixture_edit(run, "p.alpha.xml", "failures=\"0\"", "failures=\"1\"");
}

static void failing_case_fails(void **state)
{
    (void)state;
    fixture run;
    cupel_verdict verdict;
    fixture_make(&run);
    alpha_two_fails(&run);
    fixture_evaluate(&run, &verdict);
    expect_reasons(&verdict, "case-failed", "failing case");
    assert_int_equal(verdict.status, CUPEL_FAILED);
    assert_int_equal(verdict.findings.count, 1); // told once, not by ledger and report both
    assert_string_equal(verdict.findings.items[0].subject, "p.alpha/alpha.two");
    assert_int_equal(verdict.counts.passed, 2);
    assert_int_equal(verdict.counts.failed, 1);
    assert_false(verdict.suites[0].cases[1].passed);
    cupel_verdict_free(&verdict);
    fixture_edit(&run, ALPHA, "\"status\":1,\"signal\":0", "\"status\":0,\"signal\":0"); // main ignores the result
    fixture_evaluate(&run, &verdict);
    expect_reasons(&verdict, "case-failed,process-failed", "main that ignores");
    cupel_verdict_free(&verdict);
    fixture_free(&run);
}

// ---- Ledgers whose lines contradict each other --------------------------------------------------------------------------------

static void ledger_contradictions(void **state)
{
    (void)state;
    fixture run;
    cupel_verdict verdict;
    fixture_make(&run);
    fixture_edit(
        &run, ALPHA,
        "\"differing_bits\":0,\"kernels\":1,\"bytes_uploaded\":8,\"bytes_downloaded\":8,\"seconds\":0.25,\"message\":\"\"}\n"
        "{\"event\":\"begin\"",
        "\"differing_bits\":3,\"kernels\":1,\"bytes_uploaded\":8,\"bytes_downloaded\":8,\"seconds\":0.25,\"message\":\"\"}\n"
        "{\"event\":\"begin\"");
    fixture_evaluate(&run, &verdict);
    expect_reasons(&verdict, "ledger-malformed", "passed with differing bits");
    cupel_verdict_free(&verdict);
    fixture_free(&run);

    fixture_make(&run);
    fixture_edit_all(&run, ALPHA, "alpha.two", "alpha.one"); // the same case twice
    fixture_evaluate(&run, &verdict);
    expect_reasons(&verdict, "case-missing,case-duplicate,case-contradiction,values-below-floor", "a case twice");
    cupel_verdict_free(&verdict);
    fixture_free(&run);

    fixture_make(&run);
    fixture_edit_all(&run, BETA, "\"nonce\":\"0000", "\"nonce\":\"0001");
    fixture_evaluate(&run, &verdict);
    expect_reasons(&verdict, "nonce-mismatch", "another nonce");
    assert_int_equal(verdict.findings.count, 1); // once for a ledger, not for each line
    cupel_verdict_free(&verdict);
    fixture_free(&run);
}

static void every_reason_is_told(void **state)
{
    (void)state;
    fixture run;
    cupel_verdict verdict;
    fixture_make(&run);
    alpha_two_fails(&run);
    fixture_edit(&run, "manifest", "values=10", "values=99");
    fixture_edit(&run, "device.json", "\"sqrt_rounded\":true", "\"sqrt_rounded\":false");
    fixture_set(&run, "stray.txt", "x");
    fixture_remove(&run, BETA);
    fixture_evaluate(&run, &verdict);
    expect_reasons(&verdict, "file-unexpected,capability-sqrt,ledger-missing,case-failed,values-below-floor", "five faults");
    assert_int_equal(verdict.status, CUPEL_REFUSED);
    cupel_verdict_free(&verdict);
    fixture_free(&run);
}

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

// ---- What a verdict writes ----------------------------------------------------------------------------------------------------

static void merged_report_fails_for_every_reason(void **state)
{
    (void)state;
    fixture run;
    cupel_verdict verdict;
    cupel_junit_report report;
    cupel_findings findings = {0};
    fixture_make(&run);
    alpha_two_fails(&run);
    fixture_remove(&run, BETA);
    fixture_evaluate(&run, &verdict);
    assert_true(cupel_verdict_write_junit(&verdict, UNIT_BINARY_DIR "/merged.xml"));
    assert_true(cupel_junit_read(UNIT_BINARY_DIR "/merged.xml", "merged", NULL, &report, &findings));
    assert_int_equal(cupel_findings_count(&findings, CUPEL_REASON_REPORT_COUNTS), 0);
    assert_int_equal(cupel_findings_count(&findings, CUPEL_REASON_REPORT_DUPLICATE), 0);
    assert_int_equal(report.counts.passed, verdict.counts.passed);
    assert_int_equal(report.counts.failed, verdict.counts.expected - verdict.counts.passed + verdict.findings.count);
    cupel_findings_free(&findings);
    assert_false(cupel_verdict_write_junit(&verdict, UNIT_BINARY_DIR "/nowhere/merged.xml"));
    json_t *document = cupel_verdict_to_json(&verdict);
    assert_non_null(document);
    assert_string_equal(json_string_value(json_object_get(document, "word")), "REFUSED");
    assert_int_equal(json_array_size(json_object_get(document, "reasons")), verdict.findings.count);
    json_decref(document);
    cupel_verdict_free(&verdict);
    fixture_free(&run);
}

static void last_line_says_the_verdict(void **state)
{
    (void)state;
    static const struct {
        bool fails;
        const char *removed, *line;
    } rows[] = {{false, NULL, "p: PASS 3/3\n"}, {true, NULL, "p: FAIL 2/3\n"}, {true, BETA, "p: REFUSED\n"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        fixture run;
        cupel_verdict verdict;
        char *printed = NULL;
        size_t length = 0;
        fixture_make(&run);
        if (rows[i].fails) {
            alpha_two_fails(&run);
        }
        if (rows[i].removed != NULL) {
            fixture_remove(&run, rows[i].removed);
        }
        fixture_evaluate(&run, &verdict);
        FILE *out = open_memstream(&printed, &length);
        assert_non_null(out);
        cupel_verdict_print(&verdict, out);
        fclose(out);
        assert_true(length >= strlen(rows[i].line));
        assert_string_equal(printed + length - strlen(rows[i].line), rows[i].line);
        free(printed);
        cupel_verdict_free(&verdict);
        fixture_free(&run);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(good_run_passes),
    cmocka_unit_test(every_spoiling_has_its_reasons),
    cmocka_unit_test(process_ends),
    cmocka_unit_test(process_that_refuses),
    cmocka_unit_test(process_that_ends_before_its_ledger),
    cmocka_unit_test(status_and_results_must_agree),
    cmocka_unit_test(failing_case_fails),
    cmocka_unit_test(ledger_contradictions),
    cmocka_unit_test(every_reason_is_told),
    cmocka_unit_test(missing_device_is_not_run),
    cmocka_unit_test(missing_backend_is_not_run),
    cmocka_unit_test(missing_capability_is_not_run_without_suites),
    cmocka_unit_test(missing_executable_is_not_run),
    cmocka_unit_test(old_file_is_stale),
    cmocka_unit_test(links_and_folders_are_unexpected),
    cmocka_unit_test(absent_directory),
    cmocka_unit_test(moved_directory_is_another_run),
    cmocka_unit_test(plan_faults),
    cmocka_unit_test(merged_report_fails_for_every_reason),
    cmocka_unit_test(last_line_says_the_verdict),
};

UNIT_MAIN(tests)
