// SPDX-License-Identifier: Apache-2.0
#include "tool.h"

#include "findings_json.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// What this process has done with its standard output; the process has one, and so this is one.
static struct {
    bool as_json;
    bool document_printed;
    const char *command; // of the sentence, null: none
    char sentence[4096]; // the first that cupel_fail wrote, "": none
} output;

void cupel_output_begin(int argc, char **argv)
{
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; ++i) {
        output.as_json = output.as_json || strcmp(argv[i], "--json") == 0;
    }
}

int cupel_output_end(int status)
{
    if (output.as_json && !output.document_printed && output.sentence[0] != '\0') {
        const char *word = status == CUPEL_EXIT_USAGE ? NULL : cupel_status_word((cupel_status)status);
        json_t *document = json_pack("{s:i, s:s?, s:s?, s:s}", "status", status, "word", word, "command", output.command, "reason",
                                     output.sentence);
        cupel_print_json(document);
        json_decref(document);
    }
    if ((fflush(stdout) != 0 || ferror(stdout)) && status == CUPEL_PASS) {
        return cupel_fail(CUPEL_REFUSED, NULL, "standard output cannot be written; free space or direct it elsewhere.");
    }
    return status;
}

int cupel_fail(int status, const char *command, const char *format, ...)
{
    char sentence[sizeof output.sentence];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    if (output.sentence[0] == '\0') {
        output.command = command;
        snprintf(output.sentence, sizeof output.sentence, "%s", sentence);
    }
    fflush(stdout);
    fprintf(stderr, "cupel%s%s: %s\n", command != NULL ? " " : "", command != NULL ? command : "", sentence);
    return status;
}

void cupel_print_json(const json_t *document)
{
    json_dumpf(document, stdout, JSON_INDENT(2));
    putchar('\n');
    output.document_printed = true;
}

void cupel_print_document(const char *text)
{
    fputs(text, stdout);
    output.document_printed = true;
}

void cupel_report(const cupel_findings *findings, cupel_status status, bool as_json, const char *name, json_t *results)
{
    if (!as_json) {
        cupel_findings_print(findings, 0, stdout);
        printf("%s\n", cupel_status_word(status));
        json_decref(results);
        return;
    }
    json_t *document = json_pack("{s:i, s:s}", "status", (int)status, "word", cupel_status_word(status));
    if (results != NULL) {
        json_object_set_new(document, name, results);
    }
    json_object_set_new(document, "reasons", cupel_findings_to_json(findings));
    cupel_print_json(document);
    json_decref(document);
}
