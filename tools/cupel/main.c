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

int main(int argc, char **argv)
{
    if (argc < 2) {
        return cupel_fail(CUPEL_EXIT_USAGE, NULL, "a command is missing; see cupel --help.");
    }
    if (strcmp(argv[1], "--version") == 0 && argc == 2) {
        printf("cupel %s\n", CUPEL_VERSION);
        return CUPEL_PASS;
    }
    if ((strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "help") == 0) && argc == 2) {
        help_print();
        return CUPEL_PASS;
    }
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; ++i) {
        if (strcmp(argv[1], commands[i].name) == 0) {
            return commands[i].run(argc - 1, argv + 1);
        }
    }
    return cupel_fail(CUPEL_EXIT_USAGE, NULL, "unknown command %s; see cupel --help.", argv[1]);
}
