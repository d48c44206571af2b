// SPDX-License-Identifier: Apache-2.0
// The JUnit reader on texts longer than any parser's limit: what comes behind them counts, on its right line.
#include "junit_fixture.h"

#include <unistd.h>

#define CASE_BEHIND                                                                                                                \
    "</testcase>\n<testcase classname=\"c\" name=\"after\"><failure message=\"must be seen\"/></testcase></testsuite>\n"
#define SUITE_OF_TWO HEAD "<testsuite name=\"s\" tests=\"2\" failures=\"1\"><testcase classname=\"c\" name=\"log\">"

static void huge_texts_hide_nothing(void **state)
{
    (void)state;
    static const struct {
        const char *name, *head, *unit, *tail;
    } rows[] = {
        {"cdata", SUITE_OF_TWO "<system-out><![CDATA[", "step residual=0x1.8p-20 ok\n", "]]></system-out>" CASE_BEHIND},
        {"brackets", SUITE_OF_TWO "<system-out><![CDATA[", "]]] >x]", "]]]]></system-out>" CASE_BEHIND},
        {"text", SUITE_OF_TWO "<system-out>", "no line end here, and wide: \xc3\xbc\xe2\x98\xba\xf0\x9f\x98\x80;",
         "</system-out>" CASE_BEHIND},
        {"references", SUITE_OF_TWO "<system-out>", "&lt;&#x41;&amp;&#66;&quot;", "</system-out>" CASE_BEHIND},
        {"pieces", SUITE_OF_TWO "<system-out>", "<![CDATA[0123456789]]>\n", "</system-out>" CASE_BEHIND},
        {"attribute", SUITE_OF_TWO "<system-out/></testcase><testcase name=\"x\"><skipped message=\"", "long &gt; message ",
         "\"/>" CASE_BEHIND},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        char path[512];
        seen_case seen;
        cupel_junit_report report;
        cupel_findings findings;
        long_write(rows[i].name, rows[i].head, rows[i].unit, (size_t)24 << 20, rows[i].tail, path);
        if (!report_read(path, 0, &seen, &report, &findings)) {
            fail_msg("%s: %s", rows[i].name, findings.items[0].text);
        }
        assert_string_equal(seen.name, "after");
        assert_int_equal(seen.outcome, CUPEL_JUNIT_FAILED);
        assert_int_equal(report.counts.failed, 1);
        assert_int_equal(report.counts.passed, 1);
        assert_true(report.bytes > (size_t)24 << 20);
        cupel_findings_free(&findings);
        unlink(path);
    }
}

static void lines_stay_right_behind_dropped_text(void **state)
{
    (void)state;
    char path[512];
    seen_case seen;
    cupel_junit_report report;
    cupel_findings findings;
    long_write("lines", SUITE_OF_TWO "<system-out><![CDATA[", &"a line of 32 bytes with its end.\n"[1], (size_t)16 << 20,
               "]]></system-out>" CASE_BEHIND, path);
    assert_true(report_read(path, 0, &seen, &report, &findings));
    assert_int_equal(seen.line, 2 + ((size_t)16 << 20) / 32 + 1);
    cupel_findings_free(&findings);
    unlink(path);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(huge_texts_hide_nothing),
    cmocka_unit_test(lines_stay_right_behind_dropped_text),
};

UNIT_MAIN(tests)
