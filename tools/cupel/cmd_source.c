// SPDX-License-Identifier: Apache-2.0
// cupel source: which source a tree is, and whether it is exactly that.
#include "source.h"
#include "tool.h"

#include <stdio.h>

typedef struct source_options {
    const char *source;
    const char *commit;
    bool write;
    bool dirty;
    bool as_json;
} source_options;

static void source_print(const json_t *source)
{
    size_t at = 0;
    const json_t *change = NULL;
    printf("commit %s, %s, %lld files\nsha256 %s\nqualifying sha256 %s\n", json_string_value(json_object_get(source, "commit")),
           json_is_true(json_object_get(source, "clean")) ? "clean" : "not clean",
           (long long)json_integer_value(json_object_get(source, "files")), json_string_value(json_object_get(source, "sha256")),
           json_string_value(json_object_get(source, "qualifying_sha256")));
    json_array_foreach(json_object_get(source, "changes"), at, change)
    {
        printf("  %s\n", json_string_value(change));
    }
}

static int source_show(const source_options *chosen, const char *directory)
{
    char message[EVIDENCE_MESSAGE] = "memory ran out.";
    json_t *source = chosen->commit != NULL ? evidence_source_of_commit(directory, chosen->commit, message)
                                            : evidence_source_describe(directory, message);
    if (source == NULL) {
        return cupel_fail(CUPEL_REFUSED, "source", "%s", message);
    }
    const bool clean = json_is_true(json_object_get(source, "clean"));
    if (chosen->as_json) {
        cupel_print_json(source);
    } else {
        source_print(source);
    }
    json_decref(source);
    if (!clean && !chosen->dirty) {
        return cupel_fail(CUPEL_REFUSED, "source",
                          "%s is not clean; commit or remove the changes, or say --dirty, which can never be approved.", directory);
    }
    return CUPEL_PASS;
}

int cupel_cmd_source(int argc, char **argv)
{
    source_options chosen = {0};
    const cupel_option options[] = {
        {"--source", "DIR", "the source tree; the working directory unless given", NULL, &chosen.source},
        {"--commit", "ID", "describe this commit of the repository instead of the work tree", NULL, &chosen.commit},
        {"--write", NULL, "write SOURCE.sha256 in a clean clone, for trees without .git", &chosen.write, NULL},
        {"--dirty", NULL, "accept a tree with changes; its receipts can never be approved", &chosen.dirty, NULL},
        CUPEL_OPTION_JSON(&chosen.as_json),
    };
    const cupel_usage usage = {"source", "", "Says which source a tree is and whether it is clean.", CUPEL_OPTIONS(options), 0, 0};
    int operand_count = 0;
    const cupel_parse parse = cupel_parse_options(&usage, argc, argv, &operand_count);
    if (parse != CUPEL_PARSE_RUN) {
        return cupel_parse_exit(parse);
    }
    const char *directory = chosen.source != NULL ? chosen.source : ".";
    char message[EVIDENCE_MESSAGE];
    if (chosen.write && !evidence_source_write(directory, message)) {
        return cupel_fail(CUPEL_REFUSED, "source", "%s", message);
    }
    return source_show(&chosen, directory);
}
