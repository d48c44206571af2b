// SPDX-License-Identifier: Apache-2.0
#include "junit_writer.h"

#include "text.h"

#include <string.h>

static const char *escape(unsigned char c)
{
    switch (c) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;"; // so that "]]>" never appears
    case '"':
        return "&quot;";
    default:
        return NULL;
    }
}

static void character_write(FILE *out, const unsigned char *bytes, size_t length, bool one_line)
{
    bool noncharacter = length == 3 && bytes[0] == 0xef && bytes[1] == 0xbf && bytes[2] >= 0xbe;
    if (length == 0 || noncharacter) {
        fputc('?', out);
    } else if (length > 1) {
        fwrite(bytes, 1, length, out);
    } else if (escape(bytes[0]) != NULL) {
        fputs(escape(bytes[0]), out);
    } else if (bytes[0] == '\n' || bytes[0] == '\t' || bytes[0] == '\r') {
        fputc(one_line || bytes[0] == '\r' ? ' ' : bytes[0], out);
    } else {
        fputc(bytes[0] < 0x20 || bytes[0] == 0x7f ? '?' : bytes[0], out);
    }
}

static void clean_write(FILE *out, const char *text, size_t limit, bool one_line)
{
    const unsigned char *bytes = (const unsigned char *)text;
    size_t length = strlen(text);
    size_t at = 0;
    while (at < length && at < limit) {
        size_t step = cupel_utf8_length(bytes + at, length - at);
        character_write(out, bytes + at, step, one_line);
        at += step == 0 ? 1 : step;
    }
    if (at < length) {
        fputs("[cut]", out);
    }
}

void cupel_xml_write_value(FILE *out, const char *text, size_t limit)
{
    clean_write(out, text, limit, true);
}

void cupel_xml_write_text(FILE *out, const char *text, size_t limit)
{
    clean_write(out, text, limit, false);
}

static void attribute_write(FILE *out, const char *name, const char *value)
{
    fprintf(out, " %s=\"", name);
    cupel_xml_write_value(out, value, CUPEL_JUNIT_WRITE_MESSAGE);
    fputc('"', out);
}

// Without the locale's decimal point.
static void seconds_write(FILE *out, double seconds)
{
    double limited = seconds >= 0.0 && seconds < 1e12 ? seconds : 0.0;
    unsigned long long micros = (unsigned long long)(limited * 1e6 + 0.5);
    fprintf(out, " time=\"%llu.%06llu\"", micros / 1000000u, micros % 1000000u);
}

static void counts_write(FILE *out, const cupel_junit_counts *counts)
{
    fprintf(out, " tests=\"%llu\" failures=\"%llu\" errors=\"%llu\" skipped=\"%llu\"", (unsigned long long)counts->cases,
            (unsigned long long)counts->failed, (unsigned long long)counts->errors, (unsigned long long)counts->skipped);
}

static void properties_write(FILE *out, const char *indent, const cupel_junit_property *properties, size_t count)
{
    if (count == 0) {
        return;
    }
    fprintf(out, "%s<properties>\n", indent);
    for (size_t i = 0; i < count; ++i) {
        fprintf(out, "%s  <property", indent);
        attribute_write(out, "name", properties[i].name);
        attribute_write(out, "value", properties[i].value);
        fputs("/>\n", out);
    }
    fprintf(out, "%s</properties>\n", indent);
}

void cupel_junit_write_begin(FILE *out, const char *name, const cupel_junit_counts *totals)
{
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites", out);
    attribute_write(out, "name", name);
    counts_write(out, totals);
    fputs(">\n", out);
}

void cupel_junit_write_suite_begin(FILE *out, const char *name, const cupel_junit_counts *counts, double seconds,
                                   const cupel_junit_property *properties, size_t property_count)
{
    fputs("  <testsuite", out);
    attribute_write(out, "name", name);
    counts_write(out, counts);
    seconds_write(out, seconds);
    fputs(">\n", out);
    properties_write(out, "    ", properties, property_count);
}

static void outcome_write(FILE *out, const cupel_junit_case *current)
{
    static const char *const elements[] = {
        [CUPEL_JUNIT_FAILED] = "failure", [CUPEL_JUNIT_ERROR] = "error", [CUPEL_JUNIT_SKIPPED] = "skipped"};
    const char *element = elements[current->outcome];
    fprintf(out, "      <%s", element);
    attribute_write(out, "message", current->message);
    if (current->text[0] == '\0') {
        fputs("/>\n", out);
        return;
    }
    fputc('>', out);
    cupel_xml_write_text(out, current->text, CUPEL_JUNIT_WRITE_TEXT);
    fprintf(out, "</%s>\n", element);
}

void cupel_junit_write_case(FILE *out, const cupel_junit_case *current, const cupel_junit_property *properties,
                            size_t property_count)
{
    fputs("    <testcase", out);
    attribute_write(out, "classname", current->classname);
    attribute_write(out, "name", current->name);
    seconds_write(out, current->seconds);
    if (current->outcome == CUPEL_JUNIT_PASSED && property_count == 0) {
        fputs("/>\n", out);
        return;
    }
    fputs(">\n", out);
    properties_write(out, "      ", properties, property_count);
    if (current->outcome != CUPEL_JUNIT_PASSED) {
        outcome_write(out, current);
    }
    fputs("    </testcase>\n", out);
}

void cupel_junit_write_suite_end(FILE *out)
{
    fputs("  </testsuite>\n", out);
}

void cupel_junit_write_end(FILE *out)
{
    fputs("</testsuites>\n", out);
}
