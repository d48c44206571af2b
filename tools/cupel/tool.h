// SPDX-License-Identifier: Apache-2.0
// What every subcommand of `cupel` shares: its entry in the command table, exit statuses and the option reader.
//
// A subcommand <name> is one file cmd_<name>.c with one function cupel_cmd_<name>, listed in commands.def. It returns its exit
// status and never calls exit().
#ifndef CUPEL_TOOL_H
#define CUPEL_TOOL_H

#include "reasons.h"
#include "status.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

// Exit statuses are those of cupel_status (docs/cupel.md has them for people), and this one when the command line is wrong.
enum { CUPEL_EXIT_USAGE = 64 };

// One option. Exactly one of `flag` and `value` is set; `argument` names the value in the help and is null for a flag.
typedef struct cupel_option {
    const char *name; // with its dashes: "--json"
    const char *argument;
    const char *help;
    bool *flag;
    const char **value;
} cupel_option;

typedef struct cupel_usage {
    const char *command;  // "run"
    const char *operands; // "PROFILE..." or ""
    const char *summary;  // one sentence
    const cupel_option *options;
    size_t option_count;
    int operands_min;
    int operands_max; // -1: no limit
} cupel_usage;

typedef enum cupel_parse { CUPEL_PARSE_RUN, CUPEL_PARSE_HELP, CUPEL_PARSE_ERROR } cupel_parse;

// Reads options and operands of argv[1..argc-1] (argv[0] is the command's name) into the places that `usage` names. Options may
// stand before, between and after operands and as --name VALUE or --name=VALUE; what follows "--" is an operand. On return
// argv[1..*operand_count] are the operands. --help prints the usage. An error is one sentence on standard error.
cupel_parse cupel_parse_options(const cupel_usage *usage, int argc, char **argv, int *operand_count);

// Exit status for a parse that was not CUPEL_PARSE_RUN.
int cupel_parse_exit(cupel_parse parse);

// Standard output (output.c). main begins it before a command runs and ends it behind: with --json among the words, what a command
// printed no document about gets one, {"status", "word", "command", "reason"}, that holds the sentence of cupel_fail. The end
// returns the exit status, CUPEL_REFUSED for a pass that could not be written out.
void cupel_output_begin(int argc, char **argv);
int cupel_output_end(int status);

// Writes "cupel COMMAND: sentence\n" ("cupel: sentence\n" when command is null) to standard error and returns `status`.
int cupel_fail(int status, const char *command, const char *format, ...) __attribute__((format(printf, 3, 4)));

// An array of options as the two members of cupel_usage.
#define CUPEL_OPTIONS(array) (array), sizeof(array) / sizeof(array)[0]

// Options that several commands have.
#define CUPEL_OPTION_TREE(place)                                                                                                   \
    {                                                                                                                              \
        "--tree", "BUILD", "the build tree; the one of this executable, or ./build, unless given", NULL, (place)                   \
    }
#define CUPEL_OPTION_JSON(place)                                                                                                   \
    {                                                                                                                              \
        "--json", NULL, "print JSON", (place), NULL                                                                                \
    }

// Prints one JSON document, indented, with a final newline.
void cupel_print_json(const json_t *document);
// Prints a JSON document that is text already.
void cupel_print_document(const char *text);

// Ends a check's report. As text: the findings, if any, and the status word. As JSON: {"status", "word", <name>: results,
// "reasons": [...]}, without <name> when `results` is null. Takes the reference to `results`.
void cupel_report(const cupel_findings *findings, cupel_status status, bool as_json, const char *name, json_t *results);

// The entry points, one for each line of commands.def.
#define CUPEL_COMMAND(name, operands, summary) int cupel_cmd_##name(int argc, char **argv);
#include "commands.def"
#undef CUPEL_COMMAND

#endif
