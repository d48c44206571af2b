// SPDX-License-Identifier: Apache-2.0
#include "tool.h"

#include <stdio.h>
#include <string.h>

int cupel_parse_exit(cupel_parse parse)
{
    return parse == CUPEL_PARSE_HELP ? CUPEL_PASS : CUPEL_EXIT_USAGE;
}

static void usage_print(const cupel_usage *usage)
{
    printf("usage: cupel %s%s%s%s%s\n\n%s\n", usage->command, usage->option_count > 0 ? " [OPTION...]" : "",
           usage->operands[0] != '\0' ? " " : "", usage->operands, "", usage->summary);
    if (usage->option_count > 0) {
        printf("\n");
    }
    for (size_t i = 0; i < usage->option_count; ++i) {
        const cupel_option *option = &usage->options[i];
        char left[80];
        snprintf(left, sizeof left, "%s%s%s", option->name, option->argument != NULL ? " " : "",
                 option->argument != NULL ? option->argument : "");
        printf("  %-28s %s\n", left, option->help);
    }
}

// The option that `word` names, with *inline_value set to the text after '=' or null. Null when there is none.
static const cupel_option *option_find(const cupel_usage *usage, const char *word, const char **inline_value)
{
    const char *equals = strchr(word, '=');
    const size_t length = equals != NULL ? (size_t)(equals - word) : strlen(word);
    *inline_value = equals != NULL ? equals + 1 : NULL;
    for (size_t i = 0; i < usage->option_count; ++i) {
        if (strlen(usage->options[i].name) == length && strncmp(usage->options[i].name, word, length) == 0) {
            return &usage->options[i];
        }
    }
    return NULL;
}

// Reads the option at argv[*at] and moves *at to its last word.
static cupel_parse option_read(const cupel_usage *usage, int argc, char **argv, int *at)
{
    const char *word = argv[*at];
    const char *inline_value = NULL;
    const cupel_option *option = option_find(usage, word, &inline_value);
    if (option == NULL) {
        cupel_fail(0, usage->command, "unknown option %s; see cupel %s --help.", word, usage->command);
        return CUPEL_PARSE_ERROR;
    }
    if (option->flag != NULL) {
        if (inline_value != NULL) {
            cupel_fail(0, usage->command, "option %s takes no value; write %s alone.", option->name, option->name);
            return CUPEL_PARSE_ERROR;
        }
        *option->flag = true;
        return CUPEL_PARSE_RUN;
    }
    if (inline_value == NULL && *at + 1 < argc) {
        *at += 1;
        inline_value = argv[*at];
    }
    if (inline_value == NULL || inline_value[0] == '\0') {
        cupel_fail(0, usage->command, "option %s needs a value: %s %s.", option->name, option->name, option->argument);
        return CUPEL_PARSE_ERROR;
    }
    if (*option->value != NULL) {
        cupel_fail(0, usage->command, "option %s was given twice; give it once.", option->name);
        return CUPEL_PARSE_ERROR;
    }
    *option->value = inline_value;
    return CUPEL_PARSE_RUN;
}

cupel_parse cupel_parse_options(const cupel_usage *usage, int argc, char **argv, int *operand_count)
{
    int kept = 0;
    bool options_over = false;
    for (int i = 1; i < argc; ++i) {
        if (options_over || argv[i][0] != '-' || argv[i][1] == '\0') {
            argv[++kept] = argv[i];
        } else if (strcmp(argv[i], "--") == 0) {
            options_over = true;
        } else if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            usage_print(usage);
            return CUPEL_PARSE_HELP;
        } else {
            const cupel_parse parse = option_read(usage, argc, argv, &i);
            if (parse != CUPEL_PARSE_RUN) {
                return parse;
            }
        }
    }
    *operand_count = kept;
    if (kept < usage->operands_min) {
        cupel_fail(0, usage->command, "%s is missing; see cupel %s --help.", usage->operands, usage->command);
        return CUPEL_PARSE_ERROR;
    }
    if (usage->operands_max >= 0 && kept > usage->operands_max) {
        cupel_fail(0, usage->command, "unexpected argument %s; see cupel %s --help.", argv[usage->operands_max + 1],
                   usage->command);
        return CUPEL_PARSE_ERROR;
    }
    return CUPEL_PARSE_RUN;
}
