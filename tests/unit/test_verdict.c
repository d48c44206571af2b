// SPDX-License-Identifier: Apache-2.0
// The rules of the verdict: a good run passes, and every way to spoil it gives exactly the reasons of this table.
#include "unit.h"

#include "verdict_expect.h"
#include "verdict_spoilings.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

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

// What a device need not do stands in the receipt with the probe that shows it, and nowhere where there is nothing such.
static void unsupported_cases_are_listed_with_their_probes(void **state)
{
    (void)state;
    fixture run;
    cupel_verdict verdict;
    const char *name = NULL;
    const char *probe = NULL;
    const char *reason = NULL;
    fixture_make(&run);
    fixture_evaluate(&run, &verdict);
    json_t *written = cupel_verdict_to_json(&verdict);
    assert_null(json_object_get(written, "unsupported"));
    json_decref(written);
    cupel_verdict_free(&verdict);
    fixture_edit(&run, "manifest", "beta.one", "beta.gradient unsupported fp64 no double precision\nbeta.one");
    fixture_edit(&run, "device.json", "\"fp64\":true", "\"fp64\":false");
    fixture_evaluate(&run, &verdict);
    expect_reasons(&verdict, "capability-fp64", "unsupported");
    written = cupel_verdict_to_json(&verdict);
    const json_t *list = json_object_get(written, "unsupported");
    assert_int_equal(json_array_size(list), 1);
    assert_int_equal(json_unpack(json_array_get(list, 0), "{s:s, s:s, s:s}", "case", &name, "probe", &probe, "reason", &reason), 0);
    assert_string_equal(name, "beta.gradient");
    assert_string_equal(probe, "fp64");
    assert_string_equal(reason, "no double precision");
    json_decref(written);
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

// Which gradient a case may claim: a stored history has none.
static void gradients_are_claimed(void **state)
{
    (void)state;
    static const struct {
        const char *id, *gradient, *reasons;
    } rows[] = {
        {"beta.core.history.f64", "not_requested_stored_history", ""},
        {"beta.core.history.f64", "passed", "claim-invalid"},
        {"beta.core.history.f64", "not_supported", "claim-invalid"},
        {"beta.core.final-only.f64", "passed", ""},
        {"beta.core.final-only.f64", "not_supported", ""},
        {"beta.core.final-only.f64", "not_requested_stored_history", "claim-invalid"},
        {"beta.core.final-only.f64", "skipped", "claim-invalid"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        char ended[256];
        char listed[128];
        fixture run;
        cupel_verdict verdict;
        fixture_make(&run);
        snprintf(ended, sizeof ended, "\"outcome\":\"passed\",\"claims\":{\"values\":\"passed\",\"gradient\":\"%s\"}",
                 rows[i].gradient);
        snprintf(listed, sizeof listed, "%s run values=1 claims=values,gradient", rows[i].id);
        fixture_edit(&run, BETA, "\"outcome\":\"passed\"", ended);
        fixture_edit_all(&run, BETA, "beta.one", rows[i].id);
        fixture_edit_all(&run, "p.beta.xml", "beta.one", rows[i].id);
        fixture_edit(&run, "manifest", "beta.one run values=1", listed);
        fixture_evaluate(&run, &verdict);
        expect_reasons(&verdict, rows[i].reasons, rows[i].gradient);
        assert_string_equal(json_string_value(json_object_get(verdict.suites[1].cases[0].claims, "gradient")), rows[i].gradient);
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
             exit_members, exit_members[0] == '\0' ? "" : ",\"seconds\":9.5,\"report_sha256\":\"\"}\n");
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
    "\"seconds\":0.1,\"report_sha256\":\"\"}\n"

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
                "\"seconds\":0.1,\"report_sha256\":\"\"}\n");
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

static void failing_case_fails(void **state)
{
    (void)state;
    fixture run;
    cupel_verdict verdict;
    fixture_make(&run);
    fixture_fail_alpha_two(&run);
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
    fixture_edit(&run, ALPHA,
                 "\"differing_bits\":0,\"bytes_compared\":40,\"kernels\":1,\"bytes_uploaded\":8,\"bytes_downloaded\":8,"
                 "\"programs\":0,\"seconds\":0.25,"
                 "\"message\":\"\"}\n"
                 "{\"event\":\"begin\"",
                 "\"differing_bits\":3,\"bytes_compared\":40,\"kernels\":1,\"bytes_uploaded\":8,\"bytes_downloaded\":8,"
                 "\"programs\":0,\"seconds\":0.25,"
                 "\"message\":\"\"}\n"
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
    fixture_fail_alpha_two(&run);
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

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(good_run_passes),
    cmocka_unit_test(unsupported_cases_are_listed_with_their_probes),
    cmocka_unit_test(every_spoiling_has_its_reasons),
    cmocka_unit_test(gradients_are_claimed),
    cmocka_unit_test(process_ends),
    cmocka_unit_test(process_that_refuses),
    cmocka_unit_test(process_that_ends_before_its_ledger),
    cmocka_unit_test(status_and_results_must_agree),
    cmocka_unit_test(failing_case_fails),
    cmocka_unit_test(ledger_contradictions),
    cmocka_unit_test(every_reason_is_told),
};

UNIT_MAIN(tests)
