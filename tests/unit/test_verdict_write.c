// SPDX-License-Identifier: Apache-2.0
// What a verdict writes: the merged report, its JSON, the line that people read.
#include "unit.h"

#include "verdict_fixture.h"

#include <stdlib.h>
#include <string.h>

#define BETA "p.beta.ledger"

static void merged_report_fails_for_every_reason(void **state)
{
    (void)state;
    fixture run;
    cupel_verdict verdict;
    cupel_junit_report report;
    cupel_findings findings = {0};
    fixture_make(&run);
    fixture_fail_alpha_two(&run);
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
            fixture_fail_alpha_two(&run);
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
    cmocka_unit_test(merged_report_fails_for_every_reason),
    cmocka_unit_test(last_line_says_the_verdict),
};

UNIT_MAIN(tests)
