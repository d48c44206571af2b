// SPDX-License-Identifier: Apache-2.0
// cupel golden: golden corpora checked, written, explained and swept. The work is in golden/runner.
#include "runner/runner.h"
#include "tool.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/number.h"

static const char command[] = "golden";

typedef struct golden_options {
    bool check, write, json;
    const char *explain, *sweep, *seed, *corpus, *directory;
} golden_options;

// Writes the path of what lies at `name` from the folder of this executable.
static void beside_locate(const char *name, char path[PATH_MAX])
{
    ssize_t length = readlink("/proc/self/exe", path, PATH_MAX - 1);
    path[length > 0 ? length : 0] = '\0';
    char *slash = strrchr(path, '/');
    size_t used = slash ? (size_t)(slash - path) + 1 : 0;
    snprintf(path + used, PATH_MAX - used, "%s", name);
}

// The golden folder: the one named, else that of the prefix this executable is installed in, else that of the source tree.
static const char *folder_locate(const char *named, char path[PATH_MAX])
{
    beside_locate("../" CUPEL_INSTALLED_GOLDEN, path);
    return named != NULL ? named : access(path, F_OK) == 0 ? path : CUPEL_GOLDEN_DIR;
}

static int usage_fail(const char *sentence)
{
    return cupel_fail(CUPEL_EXIT_USAGE, command, "%s", sentence);
}

static void text_print(const golden_options *options, const golden_text *text)
{
    if (text->data != NULL && options->json) {
        cupel_print_document(text->data);
    } else if (text->data != NULL) {
        fputs(text->data, stdout);
    }
}

// Prints the report and returns the exit status.
static int finish(const golden_options *options, const char *verb, const golden_results *results, golden_status status,
                  const golden_error *error)
{
    golden_text text = {0};
    if (options->json) {
        golden_report_json(verb, results, status, error->text, &text);
    } else if (results->count > 0) {
        golden_report_text(verb, results, status, &text);
    }
    text_print(options, &text);
    golden_text_free(&text);
    if (error->text[0] != '\0' && status != GOLDEN_OK) {
        return cupel_fail((int)status, command, "%s", error->text);
    }
    return (int)status;
}

static int explain(const golden_options *options, const golden_settings *settings)
{
    golden_text text = {0};
    golden_error error = {""};
    golden_explanation explanation;
    golden_status status = golden_explain(settings, options->explain, &explanation, &error);
    if (options->json) {
        golden_explanation_json(&explanation, status, &text);
    } else {
        golden_explanation_text(&explanation, &text);
    }
    text_print(options, &text);
    golden_text_free(&text);
    golden_explanation_free(&explanation);
    return status == GOLDEN_OK || error.text[0] == '\0' ? (int)status : cupel_fail((int)status, command, "%s", error.text);
}

static int dispatch(const golden_options *options)
{
    char oracle[PATH_MAX];
    char folder[PATH_MAX];
    beside_locate("cupel-oracle", oracle);
    golden_settings settings = {
        .directory = folder_locate(options->directory, folder), .oracle = oracle, .corpus = options->corpus, .seed = 1};
    settings.progress = isatty(STDERR_FILENO) != 0;
    if (options->seed != NULL && (options->sweep == NULL || !golden_parse_u64(options->seed, &settings.seed))) {
        return usage_fail("--seed takes an unsigned number and goes with --sweep.");
    }
    if (options->sweep != NULL && (!golden_parse_u64(options->sweep, &settings.draws) || settings.draws > 10000000)) {
        return usage_fail("--sweep takes the number of draws in all, at most 10000000.");
    }
    if (options->explain != NULL) {
        return explain(options, &settings);
    }
    golden_results results = {0};
    golden_error error = {""};
    const char *verb = options->check ? "check" : options->write ? "write" : "sweep";
    golden_status status = options->check   ? golden_check(&settings, &results, &error)
                           : options->write ? golden_write(&settings, &results, &error)
                                            : golden_sweep(&settings, &results, &error);
    int exit_status = finish(options, verb, &results, status, &error);
    golden_results_free(&results);
    return exit_status;
}

int cupel_cmd_golden(int argc, char **argv)
{
    golden_options options = {0};
    const cupel_option table[] = {
        {"--check", NULL, "make every corpus again and compare all bytes; never writes", &options.check, NULL},
        {"--write", NULL, "write corpora and SHA256SUMS; refused where CI is set", &options.write, NULL},
        {"--explain", "ID", "one row: inputs, answer, truth, error, bound and its derivation", NULL, &options.explain},
        {"--sweep", "N", "N random valid rows in all, at least 200 for each operation and dtype", NULL, &options.sweep},
        {"--seed", "S", "seed of the sweep (1)", NULL, &options.seed},
        {"--corpus", "NAME", "only this corpus, for example linalg.f64", NULL, &options.corpus},
        {"--golden", "DIR", "the golden folder (that of the source tree or installation)", NULL, &options.directory},
        {"--json", NULL, "the report as JSON", &options.json, NULL},
    };
    const cupel_usage usage = {.command = command,
                               .operands = "",
                               .summary = "Holds the golden corpora to truth from the oracle and to the CPU reference's bytes.",
                               .options = table,
                               .option_count = sizeof table / sizeof table[0],
                               .operands_min = 0,
                               .operands_max = 0};
    int operands = 0;
    cupel_parse parse = cupel_parse_options(&usage, argc, argv, &operands);
    if (parse != CUPEL_PARSE_RUN) {
        return cupel_parse_exit(parse);
    }
    int actions = (options.check ? 1 : 0) + (options.write ? 1 : 0) + (options.explain ? 1 : 0) + (options.sweep ? 1 : 0);
    if (actions != 1) {
        return usage_fail("exactly one of --check, --write, --explain ID and --sweep N is needed.");
    }
    return dispatch(&options);
}
