// SPDX-License-Identifier: Apache-2.0
// Walks the document with libxml2's streaming reader. Entities are not expanded, nothing is loaded, and any error or warning of
// the parser refuses the file.
#include "junit_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <libxml/xmlreader.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FACTS_TOLD = 50 }; // of one reason; the rest is counted

// The node's own line where the parser keeps one (below 65535), else the line that the parser has reached.
size_t cupel_junit_line(const cupel_junit_reader *reader)
{
    enum { LINES_KEPT = 65535 };
    const xmlNode *node = xmlTextReaderCurrentNode(reader->xml);
    int line = node != NULL && node->type == XML_ELEMENT_NODE ? node->line : LINES_KEPT;
    line = line > 0 && line < LINES_KEPT ? line : xmlTextReaderGetParserLineNumber(reader->xml);
    return cupel_junit_source_line(reader->source, line > 0 ? (size_t)line : 0);
}

bool cupel_junit_fault(cupel_junit_reader *reader, cupel_reason reason, const char *format, ...)
{
    if (!reader->refused) {
        va_list arguments;
        va_start(arguments, format);
        int written = reader->xml == NULL ? 0 : snprintf(reader->fault_text, 64, "line %zu: ", cupel_junit_line(reader));
        vsnprintf(reader->fault_text + written, sizeof reader->fault_text - (size_t)written, format, arguments);
        va_end(arguments);
        reader->refused = true;
        reader->fault = reason;
    }
    return false;
}

void cupel_junit_fact(cupel_junit_reader *reader, cupel_reason reason, size_t line, const char *format, ...)
{
    char text[600];
    va_list arguments;
    if (++reader->told[reason] > FACTS_TOLD) {
        return;
    }
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    cupel_findings_add(&reader->facts, reason, reader->subject, "line %zu: %s", line, text);
}

bool cupel_junit_seconds_read(cupel_junit_reader *reader, const char *value, double *seconds)
{
    return cupel_junit_seconds(value, seconds) ||
           cupel_junit_fault(reader, CUPEL_REASON_REPORT_NUMBER, "time=\"%.40s\" is not a number of seconds", value);
}

static bool outcome_begin(cupel_junit_reader *reader, cupel_element element, const char *message)
{
    if (reader->depth > 0 && reader->stack[reader->depth - 1] == ELEMENT_TESTCASE) {
        return cupel_junit_case_child(reader, element, message);
    }
    ++reader->suites[reader->suite_depth - 1].errors_reported;
    return true;
}

static bool element_begin(cupel_junit_reader *reader, cupel_element element)
{
    const char *message = NULL;
    switch (element) {
    case ELEMENT_TESTSUITES:
    case ELEMENT_TESTSUITE:
        return cupel_junit_suite_begin(reader, element) && cupel_junit_attributes_read(reader, element, &message) &&
               cupel_junit_suite_attributes_done(reader);
    case ELEMENT_TESTCASE:
        return cupel_junit_case_begin(reader) && cupel_junit_attributes_read(reader, element, &message) &&
               cupel_junit_case_attributes_done(reader);
    case ELEMENT_FAILURE:
    case ELEMENT_ERROR:
    case ELEMENT_SKIPPED:
    case ELEMENT_FLAKY_FAILURE:
    case ELEMENT_FLAKY_ERROR:
    case ELEMENT_RERUN_FAILURE:
    case ELEMENT_RERUN_ERROR:
        return cupel_junit_attributes_read(reader, element, &message) && outcome_begin(reader, element, message);
    default:
        return cupel_junit_attributes_read(reader, element, &message);
    }
}

static bool element_end(cupel_junit_reader *reader)
{
    cupel_element element = reader->stack[--reader->depth];
    reader->collecting = false;
    switch (element) {
    case ELEMENT_TESTSUITES:
    case ELEMENT_TESTSUITE:
        return cupel_junit_suite_end(reader);
    case ELEMENT_TESTCASE:
        return cupel_junit_case_end(reader);
    default:
        return true;
    }
}

// With its prefix, if it has one.
static const char *element_name(const cupel_junit_reader *reader)
{
    const xmlNode *node = xmlTextReaderCurrentNode(reader->xml);
    bool plain = node != NULL && node->ns == NULL;
    return (const char *)(plain ? node->name : xmlTextReaderConstName(reader->xml));
}

static bool element_open(cupel_junit_reader *reader)
{
    cupel_element element;
    const char *name = element_name(reader);
    cupel_element parent = reader->depth == 0 ? ELEMENT_COUNT : reader->stack[reader->depth - 1];
    if (!cupel_element_find(name, &element)) {
        return cupel_junit_fault(reader, CUPEL_REASON_REPORT_VOCABULARY, "element %.60s is unknown", name);
    }
    if (!cupel_element_allowed(element, parent)) {
        return cupel_junit_fault(reader, CUPEL_REASON_REPORT_VOCABULARY, "element %s may not stand in %s", name,
                                 parent == ELEMENT_COUNT ? "the document" : cupel_element_name(parent));
    }
    if (reader->depth == CUPEL_JUNIT_MAX_DEPTH) {
        return cupel_junit_fault(reader, CUPEL_REASON_REPORT_LIMIT, "elements nest deeper than %d", CUPEL_JUNIT_MAX_DEPTH);
    }
    bool empty = xmlTextReaderIsEmptyElement(reader->xml) == 1;
    if (!element_begin(reader, element)) {
        return false;
    }
    reader->stack[reader->depth++] = element;
    return !empty || element_end(reader);
}

static bool text_use(cupel_junit_reader *reader)
{
    const char *value = (const char *)xmlTextReaderConstValue(reader->xml);
    value = value == NULL ? "" : value;
    if (reader->depth == 0) {
        return true; // the parser allows white space alone here
    }
    cupel_element element = reader->stack[reader->depth - 1];
    if (reader->collecting) {
        return cupel_junit_text_append(&reader->open.text, value, strlen(value), CUPEL_JUNIT_MAX_TEXT);
    }
    if (!cupel_element_has_text(element) && value[strspn(value, " \t\r\n")] != '\0') {
        return cupel_junit_fault(reader, CUPEL_REASON_REPORT_VOCABULARY, "element %s holds text", cupel_element_name(element));
    }
    return true;
}

static bool node_use(cupel_junit_reader *reader)
{
    switch (xmlTextReaderNodeType(reader->xml)) {
    case XML_READER_TYPE_ELEMENT:
        return element_open(reader);
    case XML_READER_TYPE_END_ELEMENT:
        return element_end(reader);
    case XML_READER_TYPE_WHITESPACE:
    case XML_READER_TYPE_SIGNIFICANT_WHITESPACE:
        return !reader->collecting || text_use(reader);
    case XML_READER_TYPE_TEXT:
    case XML_READER_TYPE_CDATA:
        return text_use(reader);
    case XML_READER_TYPE_COMMENT:
    case XML_READER_TYPE_PROCESSING_INSTRUCTION:
    case XML_READER_TYPE_XML_DECLARATION:
        return true;
    default:
        return cupel_junit_fault(reader, CUPEL_REASON_REPORT_DOCTYPE, "it has a document type declaration or an entity reference");
    }
}

// True when the parser complains because its input ended: it stands at the end, or says that the document is not finished.
static bool input_used_up(const xmlError *error)
{
    const xmlParserCtxt *parser = error->ctxt;
    bool at_end = parser != NULL && parser->input != NULL && parser->input->end - parser->input->cur <= 1;
    return at_end || error->code == XML_ERR_DOCUMENT_END;
}

// Takes the source's fault over, when that is why the parser stopped.
static bool source_fault_take(cupel_junit_reader *reader)
{
    cupel_junit_source_fault fault;
    if (!cupel_junit_source_fault_get(reader->source, &fault)) {
        return false;
    }
    reader->refused = true;
    reader->fault = fault.reason;
    snprintf(reader->fault_text, sizeof reader->fault_text, "%s", fault.text);
    return true;
}

// Keeps the parser's first complaint, warnings included. Where the text simply ended, that is what is wrong.
static void parser_complaint(void *context, xmlErrorPtr error)
{
    cupel_junit_reader *reader = context;
    if (reader->refused || source_fault_take(reader)) {
        return;
    }
    reader->refused = true;
    reader->fault = CUPEL_REASON_REPORT_NOT_WELL_FORMED;
    if (cupel_junit_source_cut_short(reader->source) && input_used_up(error)) {
        reader->fault = CUPEL_REASON_REPORT_TRUNCATED;
    }
    bool truncated = reader->fault == CUPEL_REASON_REPORT_TRUNCATED;
    size_t line = cupel_junit_source_line(reader->source, error->line > 0 ? (size_t)error->line : 0);
    snprintf(reader->fault_text, sizeof reader->fault_text, "line %zu: %s", line,
             truncated                ? "the file ends here"
             : error->message == NULL ? ""
                                      : error->message);
    reader->fault_text[strcspn(reader->fault_text, "\n")] = '\0';
}

// Reads to the end of the document. True when all of it is good.
static bool document_walk(cupel_junit_reader *reader)
{
    int more = xmlTextReaderRead(reader->xml);
    while (more == 1 && !reader->refused && node_use(reader)) {
        more = xmlTextReaderRead(reader->xml);
    }
    if (!reader->refused) {
        source_fault_take(reader);
    }
    if (more != 0 && !reader->refused) {
        cupel_junit_fault(reader, CUPEL_REASON_REPORT_NOT_WELL_FORMED, "the parser or the memory gave up");
    }
    return !reader->refused;
}

static xmlParserInputPtr entity_refuse(const char *url, const char *id, xmlParserCtxtPtr context)
{
    (void)url;
    (void)id;
    (void)context;
    return NULL;
}

static bool document_read(cupel_junit_reader *reader)
{
    reader->xml = xmlReaderForIO(cupel_junit_source_read, NULL, reader->source, NULL, "UTF-8", XML_PARSE_NONET);
    if (reader->xml == NULL) {
        return cupel_junit_fault(reader, CUPEL_REASON_REPORT_LIMIT, "memory ran out");
    }
    xmlExternalEntityLoader before = xmlGetExternalEntityLoader();
    xmlSetExternalEntityLoader(entity_refuse);
    xmlTextReaderSetStructuredErrorHandler(reader->xml, parser_complaint, reader);
    bool good = document_walk(reader);
    xmlSetExternalEntityLoader(before);
    return good;
}

static void facts_complete(cupel_junit_reader *reader)
{
    for (size_t i = 0; i < CUPEL_REASON_COUNT; ++i) {
        if (reader->told[i] > FACTS_TOLD) {
            cupel_findings_add(&reader->facts, (cupel_reason)i, reader->subject, "and %zu more", reader->told[i] - FACTS_TOLD);
        }
    }
    if (reader->counts.cases == 0 && reader->counts.errors == 0) {
        cupel_findings_add(&reader->facts, CUPEL_REASON_REPORT_NO_CASES, reader->subject, "it has %llu suites and no case",
                           (unsigned long long)reader->counts.suites);
    }
}

static void reader_free(cupel_junit_reader *reader)
{
    for (size_t i = 0; i < CUPEL_JUNIT_MAX_DEPTH; ++i) {
        free(reader->suites[i].name.bytes);
    }
    free(reader->open.name.bytes);
    free(reader->open.classname.bytes);
    free(reader->open.message.bytes);
    free(reader->open.text.bytes);
    free(reader->scratch.bytes);
    cupel_junit_seen_free(&reader->seen);
    cupel_findings_free(&reader->facts);
    xmlFreeTextReader(reader->xml);
    cupel_junit_source_free(reader->source);
    free(reader);
}

bool cupel_junit_read_fd(int fd, const char *subject, const cupel_junit_options *options, cupel_junit_report *report,
                         cupel_findings *findings)
{
    static const cupel_junit_options defaults = {0};
    *report = (cupel_junit_report){0};
    cupel_junit_reader *reader = calloc(1, sizeof *reader);
    if (reader == NULL) {
        findings->lost = true;
        return false;
    }
    reader->subject = subject;
    reader->options = options == NULL ? &defaults : options;
    reader->dialect = "junit";
    reader->source =
        cupel_junit_source_new(fd, reader->options->max_bytes == 0 ? CUPEL_JUNIT_MAX_BYTES : reader->options->max_bytes);
    struct stat status = {0};
    bool good = reader->source != NULL && fstat(fd, &status) == 0;
    // Few producers write a case in less than 64 bytes.
    cupel_junit_seen_reserve(&reader->seen, status.st_size > 0 ? (uint64_t)status.st_size / 64 : 0);
    good = good && document_read(reader) && cupel_junit_pending_settle(reader) &&
           cupel_junit_source_sha256(reader->source, report->sha256);
    if (good) {
        facts_complete(reader);
        report->counts = reader->counts;
        report->dialect = reader->dialect;
        report->bytes = cupel_junit_source_bytes(reader->source);
        report->modified = (int64_t)status.st_mtim.tv_sec;
        cupel_findings_move(findings, &reader->facts);
    } else {
        *report = (cupel_junit_report){0};
        cupel_findings_add(findings, reader->refused ? reader->fault : CUPEL_REASON_REPORT_MISSING, subject, "%s",
                           reader->refused ? reader->fault_text : "it cannot be read");
    }
    reader_free(reader);
    return good;
}

bool cupel_junit_read(const char *path, const char *subject, const cupel_junit_options *options, cupel_junit_report *report,
                      cupel_findings *findings)
{
    *report = (cupel_junit_report){0};
    // Opening a pipe that nobody writes to must not wait; reading from one that somebody does write to may.
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0 || fcntl(fd, F_SETFL, O_RDONLY) != 0) {
        cupel_findings_add(findings, CUPEL_REASON_REPORT_MISSING, subject, "%s", strerror(errno));
        if (fd >= 0) {
            close(fd);
        }
        return false;
    }
    bool good = cupel_junit_read_fd(fd, subject, options, report, findings);
    close(fd);
    return good;
}
