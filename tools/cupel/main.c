// SPDX-License-Identifier: Apache-2.0
// cupel: qualifies devices for numerical C code. This file is the command table's front door; each command has a file of its own.
#include "tool.h"

#include <stdio.h>
#include <string.h>

typedef struct command {
    const char *name;
    const char *operands;
    const char *summary;
    int (*run)(int argc, char **argv);
} command;

static const command commands[] = {
#define CUPEL_COMMAND(name, operands, summary) {#name, operands, summary, cupel_cmd_##name},
#include "commands.def"
#undef CUPEL_COMMAND
};

static void help_print(void)
{
    printf("usage: cupel COMMAND [OPTION...] [ARGUMENT...]\n\n"
           "Cupel qualifies devices for numerical C code.\n\ncommands:\n");
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; ++i) {
        char left[64];
        snprintf(left, sizeof left, "%s %s", commands[i].name, commands[i].operands);
        printf("  %-26s %s\n", left, commands[i].summary);
    }
    printf("\ncupel COMMAND --help says more. cupel --version prints the release.\n\n"
           "exit status: 0 qualified or the check holds, 1 failed, 2 not run, 3 refused, 64 usage\n");
}

static json_t *help_to_json(void)
{
    json_t *list = json_array();
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; ++i) {
        json_array_append_new(list, json_pack("{s:s, s:s, s:s}", "command", commands[i].name, "operands", commands[i].operands,
                                              "summary", commands[i].summary));
    }
    return json_pack("{s:o}", "commands", list);
}

static bool is_help(const char *word)
{
    return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || strcmp(word, "help") == 0;
}

// What is asked of cupel itself: its release, its commands. `as_json`: the other word is --json.
static int self_describe(const char *word, bool as_json)
{
    json_t *document = is_help(word) ? help_to_json() : json_pack("{s:s, s:s}", "name", "cupel", "version", CUPEL_VERSION);
    if (as_json) {
        cupel_print_json(document);
    } else if (is_help(word)) {
        help_print();
    } else {
        printf("cupel %s\n", CUPEL_VERSION);
    }
    json_decref(document);
    return CUPEL_PASS;
}

static int command_run(int argc, char **argv)
{
    if (argc < 2) {
        return cupel_fail(CUPEL_EXIT_USAGE, NULL, "a command is missing; see cupel --help.");
    }
    // --json may stand before or behind what it goes with.
    const bool first = strcmp(argv[1], "--json") == 0;
    const bool second = argc == 3 && strcmp(argv[2], "--json") == 0;
    const char *word = first && argc > 2 ? argv[2] : argv[1];
    if ((is_help(word) || strcmp(word, "--version") == 0) && argc == (first || second ? 3 : 2)) {
        return self_describe(word, first || second);
    }
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; ++i) {
        if (strcmp(argv[1], commands[i].name) == 0) {
            return commands[i].run(argc - 1, argv + 1);
        }
    }
    return cupel_fail(CUPEL_EXIT_USAGE, NULL, "unknown command %s; see cupel --help.", argv[1]);
}

int main(int argc, char **argv)
{
    cupel_output_begin(argc, argv);
    return cupel_output_end(command_run(argc, argv));
}
