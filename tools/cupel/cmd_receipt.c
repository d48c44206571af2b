// SPDX-License-Identifier: Apache-2.0
// cupel receipt: attempts re-read, shown, compared, published and reviewed.
#include "findings_json.h"
#include "receipt_command.h"
#include "tool.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef struct verb {
    const char *name;
    int (*run)(const cupel_receipt_options *chosen, int count, char **directories);
    int operands_min;
    int operands_max; // -1: no limit
} verb;

static const verb VERBS[] = {
    {"check", cupel_receipt_check, 1, -1},   {"show", cupel_receipt_show, 1, 1},       {"diff", cupel_receipt_diff, 2, 2},
    {"matrix", cupel_receipt_matrix, 1, -1}, {"publish", cupel_receipt_publish, 1, 1}, {"sign", cupel_receipt_sign, 1, 1},
    {"verify", cupel_receipt_verify, 1, 1},
};

const json_t *cupel_receipt_own(const json_t *receipt)
{
    return json_object_get(json_object_get(receipt, "predicate"), "cupel");
}

bool cupel_receipt_is_own(const json_t *receipt, const cupel_findings *findings)
{
    json_t *found = cupel_findings_to_json(findings);
    const bool same = json_equal(json_object_get(cupel_receipt_own(receipt), "reasons"), found);
    json_decref(found);
    return same;
}

const char *cupel_receipt_text(const json_t *object, ...)
{
    va_list names;
    const char *name = NULL;
    va_start(names, object);
    while ((name = va_arg(names, const char *)) != NULL) {
        object = json_object_get(object, name);
    }
    va_end(names);
    const char *text = json_string_value(object);
    return text != NULL ? text : "";
}

const char *cupel_receipt_build(const json_t *own)
{
    return json_is_true(json_object_get(json_object_get(own, "build"), "fresh")) ? "fresh, made by the attempt"
                                                                                 : "not fresh: it was there before the attempt";
}

void cupel_receipt_print_toolchain(const json_t *own)
{
    const char *compiler = cupel_receipt_text(own, "provenance", "compiler", "version", NULL);
    const char *release = strstr(cupel_receipt_text(own, "provenance", "toolkit", "version", NULL), "release ");
    printf("%.*s", (int)strcspn(compiler, "\n"), compiler);
    if (release != NULL) {
        printf(", nvcc %.*s", (int)strcspn(release, "\n"), release);
    }
}

static int verb_run(const cupel_receipt_options *chosen, int operand_count, char **operands)
{
    for (size_t i = 0; i < sizeof VERBS / sizeof VERBS[0]; ++i) {
        if (strcmp(VERBS[i].name, operands[0]) != 0) {
            continue;
        }
        const int count = operand_count - 1;
        if (count < VERBS[i].operands_min || (VERBS[i].operands_max >= 0 && count > VERBS[i].operands_max)) {
            return cupel_fail(CUPEL_EXIT_USAGE, "receipt", "%s takes %d attempt%s%s, not %d; see cupel receipt --help.",
                              VERBS[i].name, VERBS[i].operands_min, VERBS[i].operands_min == 1 ? "" : "s",
                              VERBS[i].operands_max < 0 ? " or more" : "", count);
        }
        return VERBS[i].run(chosen, count, operands + 1);
    }
    return cupel_fail(CUPEL_EXIT_USAGE, "receipt", "unknown action %s; see cupel receipt --help.", operands[0]);
}

int cupel_cmd_receipt(int argc, char **argv)
{
    cupel_receipt_options chosen = {0};
    const cupel_option options[] = {
        {"--commit", "ID", "check: the attempt must be of this commit's code", NULL, &chosen.commit},
        {"--source", "DIR", "check: the repository of --commit; the working directory unless given", NULL, &chosen.source},
        {"--device", "MODEL[,CAPABILITY[,DRIVER]][;...]", "check: each attempt must be of one of these devices", NULL,
         &chosen.device},
        {"--output", "DIR", "publish: the new directory for the sanitised copy", NULL, &chosen.output},
        {"--key", "FILE", "sign: the private ssh key", NULL, &chosen.key},
        {"--role", "author|reviewer", "sign: for whom the key signs", NULL, &chosen.role},
        {"--allowed-signers", "FILE", "verify: who may sign (ssh-keygen(1))", NULL, &chosen.allowed_signers},
        CUPEL_OPTION_JSON(&chosen.as_json),
    };
    const cupel_usage usage = {
        "receipt",
        "ACTION ATTEMPT...",
        "Works on attempts offline. Actions: check makes each receipt again from its files; show prints one; matrix tabulates\n"
        "several; diff compares two; publish writes a sanitised copy; sign and verify are for author and reviewer.",
        CUPEL_OPTIONS(options),
        1,
        -1};
    int operand_count = 0;
    const cupel_parse parse = cupel_parse_options(&usage, argc, argv, &operand_count);
    return parse == CUPEL_PARSE_RUN ? verb_run(&chosen, operand_count, argv + 1) : cupel_parse_exit(parse);
}
