// SPDX-License-Identifier: Apache-2.0
// The JUnit reader where a small file cannot show it: huge texts, many cases, cut streams, several files, merging.
#include "unit.h"

#include "junit_set.h"
#include "junit_writer.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define HEAD "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"

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

// What the callback saw last, and how much.
typedef struct seen_case {
    size_t cases;
    char name[64];
    cupel_junit_outcome outcome;
    bool cut;
    size_t message_length, text_length, line;
    char text[64];
} seen_case;

static void case_note(void *context, const cupel_junit_case *current)
{
    seen_case *seen = context;
    ++seen->cases;
    snprintf(seen->name, sizeof seen->name, "%.60s", current->name);
    seen->outcome = current->outcome;
    seen->cut = current->text_cut;
    seen->message_length = strlen(current->message);
    seen->text_length = strlen(current->text);
    seen->line = current->line;
    snprintf(seen->text, sizeof seen->text, "%.60s", current->text);
}

static bool report_read(const char *path, uint64_t max_bytes, seen_case *seen, cupel_junit_report *report, cupel_findings *findings)
{
    const cupel_junit_options options = {.max_bytes = max_bytes, .on_case = case_note, .context = seen};
    *seen = (seen_case){0};
    *findings = (cupel_findings){0};
    return cupel_junit_read(path, "report", &options, report, findings);
}

// Writes `head`, then `unit` until `bytes` are reached, then `tail`.
static void long_write(const char *name, const char *head, const char *unit, size_t bytes, const char *tail, char path[512])
{
    snprintf(path, 512, UNIT_BINARY_DIR "/%s", name);
    FILE *out = fopen(path, "wb");
    assert_non_null(out);
    fputs(head, out);
    for (size_t i = 0; i < bytes; i += strlen(unit)) {
        fputs(unit, out);
    }
    fputs(tail, out);
    assert_int_equal(fclose(out), 0);
}

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
    cupel_junit_set_free(&set);
    set_read(paths, 2, NULL, UNIT_BINARY_DIR "/nowhere/merged.xml", &set);
    assert_int_equal(cupel_findings_count(&set.findings, CUPEL_REASON_RUN_DIRECTORY_UNWRITABLE), 1);
    assert_int_equal(set.status, CUPEL_REFUSED);
    cupel_junit_set_free(&set);
    seen_case seen;
    cupel_junit_report report;
    cupel_findings findings;
    assert_true(report_read(again, 0, &seen, &report, &findings));
    assert_int_equal(seen.cases, 4);
    cupel_findings_free(&findings);
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
        seen_case seen;
        cupel_junit_report report;
        cupel_findings findings;
        if (!report_read(path, 0, &seen, &report, &findings)) {
            fail_msg("round %d: %s", round, findings.items[0].text);
        }
        assert_int_equal(report.counts.failed, 1);
        assert_int_equal(findings.count, 1);
        cupel_findings_free(&findings);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(huge_texts_hide_nothing),
    cmocka_unit_test(lines_stay_right_behind_dropped_text),
    cmocka_unit_test(long_texts_are_cut_and_marked),
    cmocka_unit_test(dropping_hides_no_fault),
    cmocka_unit_test(size_limit_refuses),
    cmocka_unit_test(every_cut_is_refused),
    cmocka_unit_test(many_findings_are_counted),
    cmocka_unit_test(hash_is_of_the_bytes_parsed),
    cmocka_unit_test(several_reports_are_one_set),
    cmocka_unit_test(manifest_is_compared_both_ways),
    cmocka_unit_test(merged_report_is_legal_and_complete),
    cmocka_unit_test(writer_survives_any_bytes),
};

UNIT_MAIN(tests)
