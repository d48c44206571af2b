// SPDX-License-Identifier: Apache-2.0
// The JUnit reader where a small file cannot show it: long texts, many cases, cut streams.
#include "junit_fixture.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static void file_write(const char *name, const char *bytes, size_t length, char path[512])
{
    snprintf(path, 512, UNIT_BINARY_DIR "/%s", name);
    FILE *out = fopen(path, "wb");
    assert_non_null(out);
    assert_int_equal(fwrite(bytes, 1, length, out), length);
    assert_int_equal(fclose(out), 0);
}

static void text_write(const char *name, const char *text, char path[512])
{
    file_write(name, text, strlen(text), path);
}

static void long_texts_are_cut_and_marked(void **state)
{
    (void)state;
    char path[512];
    seen_case seen;
    cupel_junit_report report;
    cupel_findings findings;
    long_write("cut", HEAD "<testsuite name=\"s\"><testcase name=\"a\"><failure message=\"m\">", "x\xc3\xbc", (size_t)3 << 20,
               "</failure></testcase></testsuite>", path);
    assert_true(report_read(path, 0, &seen, &report, &findings));
    assert_true(seen.cut && seen.text_length <= CUPEL_JUNIT_MAX_TEXT && seen.text_length > CUPEL_JUNIT_MAX_TEXT - 4);
    assert_int_equal(seen.outcome, CUPEL_JUNIT_FAILED);
    assert_int_equal(report.counts.texts_cut, 1);
    cupel_findings_free(&findings);
    long_write("cutm", HEAD "<testsuite name=\"s\"><testcase name=\"a\"><error message=\"", "ab ", (size_t)1 << 20,
               "\"/></testcase></testsuite>", path);
    assert_true(report_read(path, 0, &seen, &report, &findings));
    assert_true(seen.cut && seen.message_length == CUPEL_JUNIT_MAX_MESSAGE);
    assert_int_equal(seen.outcome, CUPEL_JUNIT_ERROR);
    cupel_findings_free(&findings);
    unlink(path);
}

// What is malformed inside dropped text must not become well formed by the dropping.
static void dropping_hides_no_fault(void **state)
{
    (void)state;
    static const struct {
        const char *unit, *tail;
    } rows[] = {
        {"plain text ", "]]> bare</system-out></testcase></testsuite>"},
        {"plain text ", "&undefined;</system-out></testcase></testsuite>"},
        {"plain text ", "& bare</system-out></testcase></testsuite>"},
        {"plain text ", "&#27;</system-out></testcase></testsuite>"},
        {"plain text ", "&#xd800;</system-out></testcase></testsuite>"},
        {"plain text ", "&#x110000;</system-out></testcase></testsuite>"},
        {"plain text ", "</system-out></testcase>"},
        {"plain text ", "</system-err></testcase></testsuite>"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        char path[512];
        seen_case seen;
        cupel_junit_report report;
        cupel_findings findings;
        long_write("fault", HEAD "<testsuite name=\"s\"><testcase name=\"a\"><system-out>", rows[i].unit, (size_t)2 << 20,
                   rows[i].tail, path);
        assert_false(report_read(path, 0, &seen, &report, &findings));
        assert_int_equal(findings.count, 1);
        assert_int_equal(report.counts.cases, 0);
        cupel_findings_free(&findings);
    }
}

static void size_limit_refuses(void **state)
{
    (void)state;
    char path[512];
    seen_case seen;
    cupel_junit_report report;
    cupel_findings findings;
    text_write("size", HEAD "<testsuite name=\"s\"><testcase name=\"a\"/></testsuite>", path);
    struct stat status;
    assert_int_equal(stat(path, &status), 0);
    assert_true(report_read(path, (uint64_t)status.st_size, &seen, &report, &findings));
    cupel_findings_free(&findings);
    assert_false(report_read(path, (uint64_t)status.st_size - 1, &seen, &report, &findings));
    assert_int_equal(findings.items[0].reason, CUPEL_REASON_REPORT_TOO_LARGE);
    cupel_findings_free(&findings);
    assert_false(report_read(UNIT_BINARY_DIR "/absent.xml", 0, &seen, &report, &findings));
    assert_int_equal(findings.items[0].reason, CUPEL_REASON_REPORT_MISSING);
    cupel_findings_free(&findings);
    assert_false(report_read(UNIT_BINARY_DIR, 0, &seen, &report, &findings));
    assert_int_equal(findings.items[0].reason, CUPEL_REASON_REPORT_MISSING);
    cupel_findings_free(&findings);
}

// A report cut at any byte is refused; only the final line end may go.
static void every_cut_is_refused(void **state)
{
    (void)state;
    static const char whole[] = HEAD "<!-- c --><testsuites><testsuite name=\"s\" tests=\"2\"><testcase name=\"a\" time='0.1'>"
                                     "<system-out><![CDATA[x]]y]]></system-out></testcase>\n<testcase name=\"\xc3\xbc&amp;\"/>"
                                     "</testsuite></testsuites>";
    char path[512];
    seen_case seen;
    cupel_junit_report report;
    cupel_findings findings;
    for (size_t length = 0; length <= sizeof whole - 1; ++length) {
        file_write("cutting", whole, length, path);
        bool good = report_read(path, 0, &seen, &report, &findings);
        assert_int_equal(good, length == sizeof whole - 1);
        assert_int_equal(cupel_findings_status(&findings), good ? CUPEL_PASS : CUPEL_REFUSED);
        cupel_findings_free(&findings);
    }
}

static void many_findings_are_counted(void **state)
{
    (void)state;
    char path[512];
    seen_case seen;
    cupel_junit_report report;
    cupel_findings findings;
    long_write("many", HEAD "<testsuite name=\"s\">", "<testcase name=\"a\"><failure/></testcase>", 41 * 300, "</testsuite>", path);
    assert_true(report_read(path, 0, &seen, &report, &findings));
    assert_true(report.counts.failed >= 300);
    assert_int_equal(cupel_findings_count(&findings, CUPEL_REASON_CASE_FAILED), 51);
    assert_int_equal(cupel_findings_count(&findings, CUPEL_REASON_REPORT_DUPLICATE), 51);
    cupel_findings_free(&findings);
}

static void a_reason_never_ends_in_nothing(void **state)
{
    (void)state;
    static const char *const bodies[] = {"<failure/>", "<failure message=\"\"> \n</failure>", "<error/>", "<skipped/>"};
    for (size_t i = 0; i < sizeof bodies / sizeof bodies[0]; ++i) {
        char text[256];
        char path[512];
        seen_case seen;
        cupel_junit_report report;
        cupel_findings findings;
        snprintf(text, sizeof text, HEAD "<testsuite name=\"s\"><testcase name=\"a\">%s</testcase></testsuite>", bodies[i]);
        text_write("silent", text, path);
        report_read(path, 0, &seen, &report, &findings);
        assert_int_equal(findings.count, 1);
        assert_non_null(strstr(findings.items[0].text, "s/a: the report gives no message"));
        cupel_findings_free(&findings);
    }
}

static void hash_is_of_the_bytes_parsed(void **state)
{
    (void)state;
    char path[512];
    seen_case seen;
    cupel_junit_report report;
    cupel_findings findings;
    cupel_file file;
    text_write("hash", HEAD "<testsuite name=\"s\"><testcase name=\"a\"/></testsuite>\n", path);
    assert_true(report_read(path, 0, &seen, &report, &findings));
    assert_null(cupel_file_read(path, 4096, &file));
    assert_string_equal(report.sha256, file.sha256);
    assert_int_equal(report.bytes, file.length);
    cupel_file_free(&file);
    cupel_findings_free(&findings);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(long_texts_are_cut_and_marked),
    cmocka_unit_test(dropping_hides_no_fault),
    cmocka_unit_test(size_limit_refuses),
    cmocka_unit_test(every_cut_is_refused),
    cmocka_unit_test(many_findings_are_counted),
    cmocka_unit_test(a_reason_never_ends_in_nothing),
    cmocka_unit_test(hash_is_of_the_bytes_parsed),
};

UNIT_MAIN(tests)
