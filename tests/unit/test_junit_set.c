// SPDX-License-Identifier: Apache-2.0
// Several JUnit reports together: duplicates between them, the manifest, and the merged report that the writer makes.
#include "unit.h"

#include "junit_set.h"
#include "junit_writer.h"

#include <string.h>
#include <unistd.h>

#define HEAD "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"

static void text_write(const char *name, const char *text, char path[512])
{
    snprintf(path, 512, UNIT_BINARY_DIR "/%s", name);
    FILE *out = fopen(path, "wb");
    assert_non_null(out);
    assert_int_equal(fwrite(text, 1, strlen(text), out), strlen(text));
    assert_int_equal(fclose(out), 0);
}

static void set_read(const char *const *paths, size_t count, const char *manifest, const char *merged, cupel_junit_set *set)
{
    const cupel_junit_set_request request = {.paths = paths, .count = count, .manifest = manifest, .merged = merged};
    cupel_junit_set_read(&request, set);
}

static void several_reports_are_one_set(void **state)
{
    (void)state;
    char a[512], b[512], c[512];
    cupel_junit_set set;
    text_write("a.xml", HEAD "<testsuite name=\"s\"><testcase name=\"one\"/></testsuite>", a);
    text_write("b.xml", HEAD "<testsuite name=\"s\"><testcase name=\"two\"/></testsuite>", b);
    text_write("c.xml", HEAD "<testsuite name=\"s\" tests=\"1\"><testcase name=\"one\"/></testsuite>", c);
    const char *const good[] = {a, b};
    set_read(good, 2, NULL, NULL, &set);
    assert_int_equal(set.status, CUPEL_PASS);
    assert_int_equal(set.totals.passed, 2);
    cupel_junit_set_free(&set);

    const char *const again[] = {a, b, c};
    set_read(again, 3, NULL, NULL, &set);
    assert_int_equal(cupel_findings_count(&set.findings, CUPEL_REASON_REPORT_DUPLICATE), 1);
    assert_int_equal(set.findings.count, 1);
    cupel_junit_set_free(&set);

    const char *const same[] = {a, a};
    set_read(same, 2, NULL, NULL, &set);
    assert_int_equal(cupel_findings_count(&set.findings, CUPEL_REASON_REPORT_REPEATED), 1);
    cupel_junit_set_free(&set);

    const char *const absent[] = {a, UNIT_BINARY_DIR "/absent.xml"};
    set_read(absent, 2, NULL, UNIT_BINARY_DIR "/never.xml", &set);
    assert_false(set.accepted);
    assert_int_equal(set.status, CUPEL_REFUSED);
    assert_int_not_equal(access(UNIT_BINARY_DIR "/never.xml", F_OK), 0);
    json_t *document = cupel_junit_set_to_json(&set);
    assert_true(json_is_null(json_object_get(document, "counts")));
    json_decref(document);
    cupel_junit_set_free(&set);
}

static void manifest_is_compared_both_ways(void **state)
{
    (void)state;
    char report[512], manifest[512];
    cupel_junit_set set;
    text_write("m.xml",
               HEAD "<testsuite name=\"s\"><testcase name=\"s.one\"/><testcase name=\"s.extra\"/><testcase name=\"s.off\"/>"
                    "<testcase classname=\"x\" name=\"s.one\"/></testsuite>",
               report);
    text_write("m.cases", "s.absent run values=1\ns.off unsupported fp64 no float64\ns.one run values=1\n", manifest);
    const char *const paths[] = {report};
    set_read(paths, 1, manifest, NULL, &set);
    assert_int_equal(set.findings.count, 4);
    assert_int_equal(cupel_findings_count(&set.findings, CUPEL_REASON_CASE_MISSING), 1);
    assert_int_equal(cupel_findings_count(&set.findings, CUPEL_REASON_CASE_UNEXPECTED), 2);
    assert_int_equal(cupel_findings_count(&set.findings, CUPEL_REASON_CASE_DUPLICATE), 1);
    cupel_junit_set_free(&set);
    set_read(paths, 1, UNIT_BINARY_DIR "/absent.cases", NULL, &set);
    assert_int_equal(set.status, CUPEL_REFUSED);
    assert_int_equal(cupel_findings_count(&set.findings, CUPEL_REASON_MANIFEST_MISSING), 1);
    cupel_junit_set_free(&set);
}

static void merged_report_is_legal_and_complete(void **state)
{
    (void)state;
    char a[512], b[512], again[512];
    cupel_junit_set set;
    text_write("ma.xml",
               HEAD
               "<testsuite name=\"s\"><testcase classname=\"c\" name=\"&lt;one&gt; &amp; &quot;\" time=\"1.5\"/>"
               "<testcase name=\"two\"><failure message=\"a &lt; b\n]]&gt;\">text ]]&gt; &amp;</failure></testcase></testsuite>",
               a);
    text_write("mb.xml",
               HEAD
               "<testsuite name=\"s\"><testcase name=\"three\"><error/></testcase><testcase name=\"four\"><skipped/></testcase>"
               "</testsuite>",
               b);
    const char *const paths[] = {a, b};
    snprintf(again, sizeof again, UNIT_BINARY_DIR "/merged.xml");
    set_read(paths, 2, NULL, again, &set);
    assert_true(set.accepted);
    cupel_junit_counts before = set.totals;
    cupel_junit_set_free(&set);
    const char *const merged[] = {again};
    set_read(merged, 1, NULL, NULL, &set);
    assert_true(set.accepted);
    assert_int_equal(cupel_findings_count(&set.findings, CUPEL_REASON_REPORT_COUNTS), 0);
    assert_int_equal(set.totals.passed, before.passed);
    assert_int_equal(set.totals.failed, before.failed);
    assert_int_equal(set.totals.errors, before.errors);
    assert_int_equal(set.totals.skipped, before.skipped);
    assert_int_equal(set.totals.cases, 4);
    cupel_junit_set_free(&set);
    set_read(paths, 2, NULL, UNIT_BINARY_DIR "/nowhere/merged.xml", &set);
    assert_int_equal(cupel_findings_count(&set.findings, CUPEL_REASON_RUN_DIRECTORY_UNWRITABLE), 1);
    assert_int_equal(set.status, CUPEL_REFUSED);
    cupel_junit_set_free(&set);
}

// Whatever a name or a message is, the writer's file is read back.
static void writer_survives_any_bytes(void **state)
{
    (void)state;
    unsigned seed = 12345;
    for (int round = 0; round < 300; ++round) {
        char name[96], message[96], path[512];
        for (size_t i = 0; i < 95; ++i) {
            seed = seed * 1103515245u + 12345u;
            name[i] = (char)(1 + (seed >> 16) % 255);
            seed = seed * 1103515245u + 12345u;
            message[i] = "]>&<\"'\n\x1b\xc3\xbc\xff\xed\xa0\x80\xef\xbf\xbe"[(seed >> 16) % 17];
        }
        name[95] = message[95] = '\0';
        cupel_junit_case one = {
            .classname = name, .name = name, .outcome = CUPEL_JUNIT_FAILED, .message = message, .text = message};
        cupel_junit_counts counts = {.cases = 1, .failed = 1};
        const cupel_junit_property properties[] = {{message, name}};
        snprintf(path, sizeof path, UNIT_BINARY_DIR "/written.xml");
        FILE *out = fopen(path, "wb");
        assert_non_null(out);
        cupel_junit_write_begin(out, name, &counts);
        cupel_junit_write_suite_begin(out, message, &counts, 0.25, properties, 1);
        cupel_junit_write_case(out, &one, properties, 1);
        cupel_junit_write_suite_end(out);
        cupel_junit_write_end(out);
        assert_int_equal(fclose(out), 0);
        cupel_junit_report report;
        cupel_findings findings = {0};
        if (!cupel_junit_read(path, "report", NULL, &report, &findings)) {
            fail_msg("round %d: %s", round, findings.items[0].text);
        }
        assert_int_equal(report.counts.failed, 1);
        assert_int_equal(findings.count, 1);
        cupel_findings_free(&findings);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(several_reports_are_one_set),
    cmocka_unit_test(manifest_is_compared_both_ways),
    cmocka_unit_test(merged_report_is_legal_and_complete),
    cmocka_unit_test(writer_survives_any_bytes),
};

UNIT_MAIN(tests)
