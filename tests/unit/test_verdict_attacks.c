// SPDX-License-Identifier: Apache-2.0
// Records that try to look like proof: two texts in one line, numbers that are none, the right words at the wrong place. Each must
// give exactly the reasons of its row; what is only odd must pass.
#include "unit.h"

#include "verdict_expect.h"

#include "plan.h"

#include <string.h>

#define ALPHA "p.alpha.ledger"
#define BETA "p.beta.ledger"
#define REPORT "p.alpha.xml"
#define NONCE "00000000000000000000000000000000"
#define ONE_ENDS "\"case\":\"alpha.one\",\"sequence\":1,\"outcome\":\"passed\""
#define TWO_ENDS "\"case\":\"alpha.two\",\"sequence\":2,\"outcome\":\"passed\""
#define EXIT_LINE                                                                                                                  \
    "{\"event\":\"exit\",\"nonce\":\"" NONCE "\",\"host_peak_rss_bytes\":4096,\"status\":0,\"signal\":0,\"timed_out\":false,"      \
    "\"seconds\":0.5,\"report_sha256\":\"" FIXTURE_REPORT "\"}\n"

// Up to two edits; old null: the whole text.
typedef struct attack {
    const char *reasons;
    const char *file, *old, *new_text;
    const char *file2, *old2, *new_text2;
} attack;

static const attack ledgers[] = {
    // One line, two meanings
    {"ledger-malformed,ledger-order,case-unfinished,case-contradiction", ALPHA, TWO_ENDS, TWO_ENDS ",\"outcome\":\"failed\"", NULL,
     NULL, NULL},
    {"ledger-malformed,ledger-order,case-missing,case-contradiction", ALPHA, ONE_ENDS ",\"values\":10",
     ONE_ENDS ",\"values\":10,\"values\":99", NULL, NULL, NULL},
    {"ledger-malformed,ledger-unclosed", ALPHA, "{\"event\":\"close\"", "{\"event\":\"exit\",\"event\":\"close\"", NULL, NULL,
     NULL},
    {"ledger-malformed,ledger-order,case-unfinished,case-contradiction", ALPHA, "\"message\":\"\"}\n{\"event\":\"close\"",
     "\"message\":\"\"} {}\n{\"event\":\"close\"", NULL, NULL, NULL},
    {"ledger-malformed", ALPHA, "{\"event\":\"close\"", "[]\n{\"event\":\"close\"", NULL, NULL, NULL},
    {"ledger-malformed", ALPHA, "{\"event\":\"close\"", "\n{\"event\":\"close\"", NULL, NULL, NULL},
    {"ledger-malformed", ALPHA, "{\"event\":\"open\"", "\xef\xbb\xbf{\"event\":\"open\"", NULL, NULL, NULL},
    {"ledger-malformed,ledger-order,ledger-counts,case-missing,case-contradiction", ALPHA, "\"case\":\"alpha.two\",\"sequence\":2}",
     "\"case\":\"alpha.two\\u0000x\",\"sequence\":2}", NULL, NULL, NULL},
    {"ledger-malformed,ledger-unclosed", ALPHA, "\"event\":\"close\"", "\"event\":\"Close\"", NULL, NULL, NULL},
    // Numbers that are none, or not whole
    {"ledger-malformed", ALPHA, ONE_ENDS ",\"values\":10", ONE_ENDS ",\"values\":10.0", NULL, NULL, NULL},
    {"ledger-malformed", ALPHA, ONE_ENDS ",\"values\":10", ONE_ENDS ",\"values\":\"10\"", NULL, NULL, NULL},
    {"ledger-malformed,ledger-order,case-missing,case-contradiction", ALPHA, ONE_ENDS ",\"values\":10",
     ONE_ENDS ",\"values\":99999999999999999999", NULL, NULL, NULL},
    {"ledger-malformed", ALPHA, ONE_ENDS ",\"values\":10", ONE_ENDS ",\"values\":true", NULL, NULL, NULL},
    {"ledger-malformed", ALPHA, "\"worst_error\":\"0x1p-2\"", "\"worst_error\":\"0.25\"", NULL, NULL, NULL},
    {"ledger-malformed", ALPHA, "\"worst_error\":\"0x1p-2\"", "\"worst_error\":\"NaN\"", NULL, NULL, NULL},
    {"ledger-malformed", ALPHA, "\"worst_error\":\"0x1p-2\"", "\"worst_error\":\" 0x1p-2\"", NULL, NULL, NULL},
    {"ledger-malformed", ALPHA, "\"worst_error\":\"0x1p-2\"", "\"worst_error\":\"0x1p+9999\"", NULL, NULL, NULL},
    {"error-above-bound", ALPHA, "\"worst_error\":\"0x1p-2\"", "\"worst_error\":\"0x1.0000000000001p+0\"", NULL, NULL, NULL},
    // Passed, and the rest of the line says otherwise
    {"ledger-malformed", ALPHA, TWO_ENDS, "\"case\":\"alpha.two\",\"sequence\":2,\"outcome\":\"Passed\"", NULL, NULL, NULL},
    {"ledger-malformed", ALPHA, TWO_ENDS, "\"case\":\"alpha.two\",\"sequence\":2,\"outcome\":\"skipped\"", NULL, NULL, NULL},
    {"ledger-malformed", BETA, "\"message\":\"\"", "\"message\":\"differs\"", NULL, NULL, NULL},
    {"ledger-malformed", ALPHA, "\"worst_unit\":\"ulp\"", "\"worst_unit\":\"bits\"", NULL, NULL, NULL}, // an error, but no bit
    {"ledger-malformed", ALPHA, "\"worst_error\":\"0x0p+0\",\"worst_unit\":\"bits\",\"worst_at\":\"x[1]\",\"bound\":\"0x0p+0\"",
     "\"worst_error\":\"0x0p+0\",\"worst_unit\":\"bits\",\"worst_at\":\"x[1]\",\"bound\":\"0x1p+9\"", NULL, NULL, NULL},
    {"ledger-malformed", BETA, "\"worst_at\":\"x[1]\"", "\"worst_at\":\"\"", NULL, NULL, NULL},
    {"ledger-counts,values-below-floor", ALPHA, ONE_ENDS ",\"values\":10", ONE_ENDS ",\"values\":0", NULL, NULL, NULL},
    {"", ALPHA, "\"bound\":\"0x1p+0\"", "\"bound\":\"0x1p-2\"", NULL, NULL, NULL}, // as large as its bound is within it
    {"", ALPHA, "\"seconds\":0.5", "\"seconds\":0", NULL, NULL, NULL},             // a whole number of seconds is a number
    // The right words at the wrong place
    {"ledger-order", ALPHA, EXIT_LINE, EXIT_LINE EXIT_LINE, NULL, NULL, NULL},
    {"ledger-order", ALPHA, "{\"event\":\"exit\"",
     "{\"event\":\"begin\",\"nonce\":\"" NONCE "\",\"case\":\"alpha.three\",\"sequence\":3}\n{\"event\":\"exit\"", NULL, NULL,
     NULL},
    {"ledger-order", ALPHA, "{\"event\":\"exit\"",
     "{\"event\":\"refused\",\"nonce\":\"" NONCE "\",\"reason\":\"device-none\",\"text\":\"x\"}\n{\"event\":\"exit\"", NULL, NULL,
     NULL},
    {"ledger-order", ALPHA, "\"case\":\"alpha.one\",\"sequence\":1}", "\"case\":\"alpha.one\",\"sequence\":0}", NULL, NULL, NULL},
    {"ledger-order", ALPHA, TWO_ENDS, "\"case\":\"alpha.two\",\"sequence\":1,\"outcome\":\"passed\"", NULL, NULL, NULL},
    {"ledger-order,case-missing,case-unexpected,case-contradiction", ALPHA, TWO_ENDS, ONE_ENDS, ALPHA,
     "\"case\":\"alpha.two\",\"sequence\":2}", "\"case\":\"alpha.2\",\"sequence\":2}"},
    {"nonce-mismatch", ALPHA, "{\"event\":\"close\",\"nonce\":\"0", "{\"event\":\"close\",\"nonce\":\"1", NULL, NULL, NULL},
    {"nonce-mismatch", ALPHA, "{\"event\":\"exit\",\"nonce\":\"0", "{\"event\":\"exit\",\"nonce\":\"", NULL, NULL, NULL},
    // How the process ended
    {"ledger-malformed,ledger-unclosed", ALPHA, "\"status\":0,\"signal\":0", "\"status\":256,\"signal\":0", NULL, NULL, NULL},
    {"ledger-malformed,ledger-unclosed", ALPHA, "\"status\":0,\"signal\":0", "\"status\":1,\"signal\":9", NULL, NULL, NULL},
    {"ledger-malformed,ledger-unclosed", ALPHA, "\"timed_out\":false", "\"timed_out\":0", NULL, NULL, NULL},
    {"process-timeout", ALPHA, "\"timed_out\":false", "\"timed_out\":true", NULL, NULL, NULL},
    // What the process was
    {"environment-forbidden", ALPHA, "\"environment\":{}", "\"environment\":{\"LD_PRELOAD\":\"/x.so\"}", NULL, NULL, NULL},
    {"environment-forbidden", BETA, "\"environment\":{}", "\"environment\":{\"POCL_EXTRA_BUILD_FLAGS\":\"-cl-fast-relaxed-math\"}",
     NULL, NULL, NULL},
    {"", ALPHA, "\"environment\":{}", "\"environment\":{\"LD_PRELOAD\":\"\",\"CUDA_VISIBLE_DEVICES\":null}", NULL, NULL, NULL},
    {"device-changed", ALPHA, "\"index\":0", "\"index\":1", NULL, NULL, NULL},
    {"device-changed", ALPHA, "\"memory_bytes\":1024", "\"memory_bytes\":1025", NULL, NULL, NULL},
    {"executable-replaced", ALPHA, "\"build_id\":\"", "\"build_id\":\"0", NULL, NULL, NULL},
    {"ledger-mismatch", ALPHA, "\"linkage\":\"static\"", "\"linkage\":\"Static\"", NULL, NULL, NULL},
    {"ledger-order,case-unexpected,case-contradiction", ALPHA, "\"case\":\"alpha.two\",\"sequence\":2}",
     "\"case\":\"beta.one\",\"sequence\":2}", "manifest", "alpha.two run values=5\n", ""},
};

static const attack reports[] = {
    // Another suite's cases in front of the right ones
    {"run-mismatch,case-contradiction,report-counts", REPORT, "  <testsuite name=\"p.alpha\"",
     "  <testsuite name=\"p.other\" tests=\"2\"><testcase name=\"other\"/></testsuite>\n  <testsuite name=\"p.alpha\"", NULL, NULL,
     NULL},
    {"run-mismatch", REPORT, "    <testcase name=\"alpha.one\" time=\"0.000\" >\n    </testcase>\n",
     "<testsuite name=\"p.beta\" tests=\"1\"><testcase name=\"alpha.one\"/></testsuite>\n", NULL, NULL, NULL},
    {"run-mismatch", REPORT, "name=\"p.alpha\"", "name=\"\"", NULL, NULL, NULL},
    {"run-mismatch", REPORT, "name=\"p.alpha\"", "name=\"P.alpha\"", NULL, NULL, NULL},
    {"case-contradiction,report-duplicate,report-counts", REPORT, "name=\"alpha.two\"", "name=\"alpha.one\"", REPORT, "tests=\"2\"",
     "tests=\"1\""},
    {"case-contradiction,report-duplicate", REPORT, "name=\"alpha.two\"", "name=\"alpha.one\"", NULL, NULL, NULL},
    {"case-contradiction,report-counts", REPORT, "<testcase name=\"alpha.two\" time=\"0.000\" >",
     "<testcase name=\"alpha.two\" status=\"failed\">", NULL, NULL, NULL},
    {"case-contradiction,report-counts,report-skipped", REPORT, "<testcase name=\"alpha.two\" time=\"0.000\" >",
     "<testcase name=\"alpha.two\" status=\"notrun\">", NULL, NULL, NULL},
    {"report-retried", REPORT, "<testcase name=\"alpha.two\" time=\"0.000\" >",
     "<testcase name=\"alpha.two\"><flakyFailure message=\"m\"/>", NULL, NULL, NULL},
    {"report-counts", REPORT, "errors=\"0\"", "errors=\"1\"", NULL, NULL, NULL},
    {"report-counts", REPORT, "skipped=\"0\"", "skipped=\"1\"", NULL, NULL, NULL},
    {"report-doctype", REPORT, "<testsuites>", "<!DOCTYPE testsuites><testsuites>", NULL, NULL, NULL},
    {"report-not-well-formed", REPORT, "<?xml", " <?xml", NULL, NULL, NULL},
    {"report-not-well-formed", REPORT, "</testsuites>\n", "</testsuites>\n<testsuites/>\n", NULL, NULL, NULL},
    {"", REPORT, "<testcase name=\"alpha.two\" time=\"0.000\" >",
     "<testcase name=\"alpha.two\" time=\"0.000\" ><system-out>[FAILED]</system-out>", NULL, NULL, NULL},
};

static const attack records[] = {
    {"run-record-malformed", "run.json", "\"profile\":\"p\"", "\"profile\":\"q\",\"profile\":\"p\"", NULL, NULL, NULL},
    {"run-record-malformed", "run.json", "\"started\":\"2026-01-02T03:04:05Z\"", "\"started\":\"2026-01-02 03:04:05\"", NULL, NULL,
     NULL},
    {"selection-partial", "run.json", "[\"ctest\",\"-L\",\"p\"]", "[\"ctest\",\"-L\",\"p\",\"-L\",\"p\"]", NULL, NULL, NULL},
    {"repeat-forbidden", "run.json", "[\"ctest\",\"-L\",\"p\"]", "[\"ctest\",\"-L\",\"p\",\"--repeat-until-fail\",\"2\"]", NULL,
     NULL, NULL},
    {"repeat-forbidden", "run.json", "[\"ctest\",\"-L\",\"p\"]", "[\"ctest\",\"--rerun-failed\"]", NULL, NULL, NULL},
    {"device-record-malformed", "device.json", "\"status\":\"ok\"", "\"status\":\"not-run\",\"status\":\"ok\"", NULL, NULL, NULL},
    {"device-record-malformed", "device.json", "\"status\":\"ok\"", "\"status\":\"OK\"", NULL, NULL, NULL},
    {"device-record-malformed", "device.json", "\"fp64\":true", "\"fp64\":\"true\"", NULL, NULL, NULL},
    {"device-record-malformed", "device.json", "\"fp64\":true", "\"fp64\":true,\"fp16\":true", NULL, NULL, NULL},
    {"device-answer-wrong", "device.json", "6627e8d5", "6627E8D5", NULL, NULL, NULL},
    {"device-record-malformed", "device.json", "\"type\":\"cpu\"", "\"type\":\"CPU\"", NULL, NULL, NULL},
    {"manifest-malformed", "manifest", "values=10", "values=010", NULL, NULL, NULL},
    {"manifest-malformed", "manifest", "values=10", "values=+10", NULL, NULL, NULL},
    {"manifest-malformed", "manifest", "values=10", "values=18446744073709551616", NULL, NULL, NULL},
    {"manifest-malformed", "manifest", "values=10 ", "values=10\t", NULL, NULL, NULL},
    {"manifest-malformed", "manifest", "launches=1..2", "launches=1..", NULL, NULL, NULL},
    {"manifest-malformed", "manifest", "launches=1..2", "launches=1..2..3", NULL, NULL, NULL},
    {"lint-wrapper", "tests.json", "\"--test\",\"p.alpha\",\"--timeout\",\"300\"",
     "\"--test\",\"p.alpha\",\"--case\",\"alpha.one\"", NULL, NULL, NULL},
    {"lint-wrapper", "tests.json", "\"--test\",\"p.alpha\",\"--timeout\",\"300\"", "\"--test\",\"p.alpha\",\"--list\"", NULL, NULL,
     NULL},
};

static void attack_apply(fixture *run, const char *file, const char *old, const char *new_text)
{
    if (old == NULL) {
        fixture_set(run, file, new_text);
    } else {
        fixture_edit(run, file, old, new_text);
    }
}

// All rows are looked at before the test fails, so that one run shows all that differ.
static void attacks_check(const attack *rows, size_t count)
{
    size_t differ = 0;
    for (size_t i = 0; i < count; ++i) {
        char found[512];
        fixture run;
        cupel_verdict verdict;
        fixture_make(&run);
        attack_apply(&run, rows[i].file, rows[i].old, rows[i].new_text);
        if (rows[i].file2 != NULL) {
            attack_apply(&run, rows[i].file2, rows[i].old2, rows[i].new_text2);
        }
        fixture_evaluate(&run, &verdict);
        reasons_list(&verdict.findings, found);
        if (strcmp(found, rows[i].reasons) != 0) {
            ++differ;
            print_error("row %zu (%s, %.100s): expected \"%s\", found \"%s\"\n", i, rows[i].file, rows[i].new_text, rows[i].reasons,
                        found);
        }
        assert_int_equal(verdict.status, cupel_findings_status(&verdict.findings));
        cupel_verdict_free(&verdict);
        fixture_free(&run);
    }
    assert_int_equal(differ, 0);
}

#define ATTACKS(rows) attacks_check(rows, sizeof(rows) / sizeof(rows)[0])

static void ledgers_that_contradict_themselves(void **state)
{
    (void)state;
    ATTACKS(ledgers);
}

static void reports_that_are_not_the_suite_s(void **state)
{
    (void)state;
    ATTACKS(reports);
}

static void records_and_lists_that_are_read_otherwise(void **state)
{
    (void)state;
    ATTACKS(records);
}

#define SUITE(suite, linkage, test)                                                                                                \
    "{\"suite\":\"" suite "\",\"linkage\":\"" linkage "\",\"test\":\"" test "\",\"executable\":\"/b/x\"}"
#define PROFILE(name, type, built, timeout, suites)                                                                                \
    "{\"name\":\"" name "\",\"backend\":\"cpu\",\"device_type\":\"" type "\",\"built\":" built                                     \
    ",\"reason\":\"\",\"install\":\"\",\"manifest\":\"/m\",\"timeout_seconds\":" timeout ",\"suites\":[" suites "]}"
#define PLAN(profiles)                                                                                                             \
    "{\"schema\":\"cupel-plan 1\",\"source\":\"/s\",\"build\":\"/b\",\"ctest\":\"ctest\",\"profiles\":[" profiles "]}"
#define GOOD SUITE("alpha", "static", "p.alpha")

// What a plan names becomes names of files and words of commands.
static void plans_that_cannot_be_meant(void **state)
{
    (void)state;
    static const struct {
        const char *text, *says; // says null: read
    } rows[] = {
        {PLAN(PROFILE("p", "cpu", "true", "300", GOOD)), NULL},
        {PLAN(PROFILE("p-1.x_y", "gpu", "false", "1", "")), NULL},
        {PLAN(PROFILE("", "cpu", "true", "300", GOOD)), "is no name of a file"},
        {PLAN(PROFILE("..", "cpu", "true", "300", GOOD)), "is no name of a file"},
        {PLAN(PROFILE("../p", "cpu", "true", "300", GOOD)), "is no name of a file"},
        {PLAN(PROFILE("-L", "cpu", "true", "300", GOOD)), "is no name of a file"},
        {PLAN(PROFILE("p q", "cpu", "true", "300", GOOD)), "is no name of a file"},
        {PLAN(PROFILE("p", "cpu", "true", "300", SUITE("alpha", "static", "../p.alpha"))), "is no name of a file"},
        {PLAN(PROFILE("p", "cpu", "true", "300", SUITE("al/pha", "static", "p.alpha"))), "is no name of a file"},
        {PLAN(PROFILE("p", "cpu", "true", "300", SUITE("alpha", "dynamic", "p.alpha"))), "neither static nor shared"},
        {PLAN(PROFILE("p", "toaster", "true", "300", GOOD)), "device type \"toaster\" is unknown"},
        {PLAN(PROFILE("p", "cpu", "true", "0", GOOD)), "has no time limit"},
        {PLAN(PROFILE("p", "cpu", "true", "-5", GOOD)), "has no time limit"},
        {PLAN(PROFILE("p", "cpu", "true", "3e2", GOOD)), "plan.json cannot be used"},
        {PLAN(PROFILE("p", "cpu", "1", "300", GOOD)), "plan.json cannot be used"},
        {PLAN(PROFILE("p", "cpu", "false", "300", GOOD)), "was not built and has suites"},
        {PLAN(PROFILE("p", "cpu", "true", "300", "7")), "plan.json cannot be used"},
        {PLAN("{}"), "plan.json cannot be used"},
        {PLAN("") "x", "plan.json cannot be used"},
        {"{\"schema\":\"cupel-plan 1\"," PLAN(""), "plan.json cannot be used"},
        {"{\"schema\":\"cupel-plan 2\",\"source\":\"/s\",\"build\":\"/b\",\"ctest\":\"ctest\",\"profiles\":[]}",
         "its schema is not cupel-plan 1"},
        {"{\"schema\":\"cupel-plan 1\",\"source\":\"/s\",\"build\":\"/b\",\"ctest\":\"ctest\",\"profiles\":[],\"skip\":[\"p\"]}",
         "plan.json cannot be used"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        const char *const path = UNIT_BINARY_DIR "/plan.json";
        cupel_plan plan;
        char message[CUPEL_PLAN_MESSAGE] = "";
        FILE *out = fopen(path, "w");
        assert_non_null(out);
        fputs(rows[i].text, out);
        assert_int_equal(fclose(out), 0);
        bool read = cupel_plan_read_file(path, &plan, message);
        if (read != (rows[i].says == NULL) || (!read && strstr(message, rows[i].says) == NULL)) {
            fail_msg("plan %zu: \"%s\"", i, message);
        }
        if (read) {
            cupel_plan_free(&plan);
        }
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(ledgers_that_contradict_themselves),
    cmocka_unit_test(reports_that_are_not_the_suite_s),
    cmocka_unit_test(records_and_lists_that_are_read_otherwise),
    cmocka_unit_test(plans_that_cannot_be_meant),
};

UNIT_MAIN(tests)
