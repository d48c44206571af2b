// SPDX-License-Identifier: Apache-2.0
// cupel junit: strict ingestion of any producer's reports (docs/junit.md).
#include "junit_set.h"
#include "text.h"
#include "tool.h"

#include <stdio.h>
#include <sys/stat.h>

enum { REASONS_SHOWN = 20 }; // of one code, in the output for people

static void counts_print(const char *what, const cupel_junit_counts *counts)
{
    printf("%s: %llu cases: %llu passed, %llu failed, %llu in error, %llu skipped", what, (unsigned long long)counts->cases,
           (unsigned long long)counts->passed, (unsigned long long)counts->failed, (unsigned long long)counts->errors,
           (unsigned long long)counts->skipped);
    if (counts->retried > 0) {
        printf(", %llu passed only after a retry", (unsigned long long)counts->retried);
    }
    if (counts->texts_cut > 0) {
        printf(", %llu texts cut", (unsigned long long)counts->texts_cut);
    }
    printf("\n");
}

static void set_print(const cupel_junit_set *set)
{
    for (size_t i = 0; i < set->count && set->accepted; ++i) {
        counts_print(set->entries[i].path, &set->entries[i].report.counts);
    }
    if (set->accepted && set->count > 1) {
        counts_print("all reports", &set->totals);
    }
    cupel_findings_print(&set->findings, REASONS_SHOWN, stdout);
    printf("junit: %s\n", cupel_status_word(set->status));
}

// The report that writing the merged one would replace; null when there is none.
static const char *merge_victim(const cupel_junit_set_request *request)
{
    struct stat target;
    struct stat report;
    for (size_t i = 0; request->merged != NULL && stat(request->merged, &target) == 0 && i < request->count; ++i) {
        if (stat(request->paths[i], &report) == 0 && report.st_dev == target.st_dev && report.st_ino == target.st_ino) {
            return request->paths[i];
        }
    }
    return NULL;
}

int cupel_cmd_junit(int argc, char **argv)
{
    const char *expect = NULL;
    const char *max_bytes = NULL;
    const char *merge = NULL;
    bool as_json = false;
    const cupel_option options[] = {
        {"--expect", "MANIFEST", "the cases that must be there, by name, and no other", NULL, &expect},
        {"--max-bytes", "N", "refuse a report with more bytes (default 134217728)", NULL, &max_bytes},
        {"--merge", "OUT", "write one report that holds all cases", NULL, &merge},
        CUPEL_OPTION_JSON(&as_json),
    };
    const cupel_usage usage = {"junit", "FILE...", "Reads JUnit reports strictly and gives one verdict on them.", options, 4,
                               1,       -1};
    int operand_count = 0;
    const cupel_parse parse = cupel_parse_options(&usage, argc, argv, &operand_count);
    if (parse != CUPEL_PARSE_RUN) {
        return cupel_parse_exit(parse);
    }
    cupel_junit_set_request request = {
        .paths = (const char *const *)argv + 1, .count = (size_t)operand_count, .manifest = expect, .merged = merge};
    if (max_bytes != NULL && (!cupel_text_u64(max_bytes, &request.max_bytes) || request.max_bytes == 0)) {
        return cupel_fail(CUPEL_EXIT_USAGE, "junit", "--max-bytes %s is not a number of bytes; give a whole number above 0.",
                          max_bytes);
    }
    if (merge_victim(&request) != NULL) {
        return cupel_fail(CUPEL_EXIT_USAGE, "junit", "--merge %s is the report %s itself; name another file.", merge,
                          merge_victim(&request));
    }
    cupel_junit_set set;
    cupel_junit_set_read(&request, &set);
    if (as_json) {
        json_t *document = cupel_junit_set_to_json(&set);
        cupel_print_json(document);
        json_decref(document);
    } else {
        set_print(&set);
    }
    int status = (int)set.status;
    cupel_junit_set_free(&set);
    return status;
}
