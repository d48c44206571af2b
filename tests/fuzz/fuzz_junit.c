// SPDX-License-Identifier: Apache-2.0
// Any bytes as a report: refused with one reason and no counts, or counted; what is accepted is well-formed for a parser that reads
// the bytes themselves, without the reader's filter, and survives the writer unchanged.
#include "fuzz.h"

#include "junit.h"
#include "junit_writer.h"

#include <libxml/xmlreader.h>
#include <string.h>

static void case_write(void *context, const cupel_junit_case *current)
{
    cupel_junit_write_case(context, current, NULL, 0);
}

// Reads again what the writer made of an accepted report.
static void written_check(const char *path, const cupel_junit_counts *counts)
{
    char *cases = NULL;
    char *whole = NULL;
    size_t length = 0;
    cupel_junit_report report;
    cupel_findings findings = {0};
    FILE *out = open_memstream(&cases, &length);
    FUZZ_REQUIRE(out != NULL);
    const cupel_junit_options collect = {.on_case = case_write, .context = out};
    FUZZ_REQUIRE(cupel_junit_read(path, "again", &collect, &report, &findings));
    FUZZ_REQUIRE(fclose(out) == 0);
    cupel_findings_free(&findings);
    out = open_memstream(&whole, &length);
    FUZZ_REQUIRE(out != NULL);
    // Errors of a suite have no case to write.
    cupel_junit_counts written = *counts;
    written.errors = written.cases - written.passed - written.failed - written.skipped;
    cupel_junit_write_begin(out, "fuzz", &written);
    cupel_junit_write_suite_begin(out, "fuzz", &written, 0.0, NULL, 0);
    fputs(cases, out);
    cupel_junit_write_suite_end(out);
    cupel_junit_write_end(out);
    FUZZ_REQUIRE(fclose(out) == 0);
    FUZZ_REQUIRE(cupel_junit_read(fuzz_file((const uint8_t *)whole, length), "written", NULL, &report, &findings));
    FUZZ_REQUIRE(cupel_findings_count(&findings, CUPEL_REASON_REPORT_COUNTS) == 0);
    FUZZ_REQUIRE(report.counts.passed == counts->passed && report.counts.failed == counts->failed &&
                 report.counts.skipped == counts->skipped && report.counts.cases == counts->cases);
    cupel_findings_free(&findings);
    free(cases);
    free(whole);
}

static void silence(void *context, xmlErrorPtr error)
{
    (void)context;
    (void)error;
}

// The filter before the parser leaves text out; it must never make a document of what is none.
static bool well_formed(const uint8_t *data, size_t size)
{
    int more = -1;
    xmlTextReaderPtr reader = xmlReaderForMemory((const char *)data, (int)size, NULL, "UTF-8", XML_PARSE_NONET);
    FUZZ_REQUIRE(reader != NULL);
    xmlTextReaderSetStructuredErrorHandler(reader, silence, NULL);
    do {
        more = xmlTextReaderRead(reader);
    } while (more == 1);
    xmlFreeTextReader(reader);
    return more == 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    cupel_junit_report report;
    cupel_findings findings = {0};
    const char *path = fuzz_file(data, size);
    bool accepted = cupel_junit_read(path, "report", NULL, &report, &findings);
    const cupel_junit_counts *counts = &report.counts;
    if (accepted) {
        FUZZ_REQUIRE(report.bytes == size && strlen(report.sha256) == 64);
        FUZZ_REQUIRE(well_formed(data, size));
        FUZZ_REQUIRE(counts->passed + counts->failed + counts->skipped <= counts->cases);
        FUZZ_REQUIRE(cupel_findings_status(&findings) != CUPEL_PASS ||
                     (counts->cases > 0 && counts->passed == counts->cases && counts->errors == 0 && counts->retried == 0));
    } else {
        FUZZ_REQUIRE(findings.count == 1 && cupel_findings_status(&findings) == CUPEL_REFUSED);
        FUZZ_REQUIRE(counts->cases == 0 && report.sha256[0] == '\0');
    }
    cupel_findings_free(&findings);
    if (accepted) {
        written_check(path, counts);
    }
    return 0;
}
