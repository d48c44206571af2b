// SPDX-License-Identifier: Apache-2.0
// cupel receipt matrix: what the named attempts qualify, as a Markdown table. Nothing stands in it that no attempt shows.
#include "receipt_command.h"

#include "attempt_receipt.h"
#include "plan.h"
#include "tool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS_MAX = 256, NAME_MAX_LENGTH = 64 };

typedef struct column {
    const char *directory;
    json_t *receipt; // null: a profile that no attempt is of
    cupel_findings findings;
    char profile[NAME_MAX_LENGTH];
} column;

typedef struct row {
    char suite[NAME_MAX_LENGTH];
    char dtype[8]; // "f32", "f64" or "" for cases that are of no one dtype
} row;

typedef struct matrix {
    column *columns;
    size_t column_count;
    size_t column_capacity;
    row rows[ROWS_MAX];
    size_t row_count;
} matrix;

static bool column_add(matrix *table, const char *profile, const char *directory, json_t *receipt, cupel_findings *findings)
{
    if (table->column_count == table->column_capacity) {
        const size_t capacity = table->column_capacity > 0 ? 2 * table->column_capacity : 16;
        column *columns = realloc(table->columns, capacity * sizeof *columns);
        if (columns == NULL) {
            return false;
        }
        table->columns = columns;
        table->column_capacity = capacity;
    }
    column *added = &table->columns[table->column_count++];
    *added = (column){.directory = directory, .receipt = receipt};
    snprintf(added->profile, sizeof added->profile, "%.60s", profile);
    if (findings != NULL) {
        added->findings = *findings;
    }
    return true;
}

// A case's dtype is the last component of its id.
static void dtype_of(const char *id, char dtype[8])
{
    const char *dot = strrchr(id, '.');
    const bool known = dot != NULL && (strcmp(dot + 1, "f32") == 0 || strcmp(dot + 1, "f64") == 0);
    snprintf(dtype, 8, "%s", known ? dot + 1 : "");
}

static void row_add(matrix *table, const char *suite, const char *dtype)
{
    for (size_t i = 0; i < table->row_count; ++i) {
        if (strcmp(table->rows[i].suite, suite) == 0 && strcmp(table->rows[i].dtype, dtype) == 0) {
            return;
        }
    }
    if (table->row_count < ROWS_MAX) {
        row *added = &table->rows[table->row_count++];
        snprintf(added->suite, sizeof added->suite, "%.60s", suite);
        snprintf(added->dtype, sizeof added->dtype, "%.7s", dtype);
    }
}

static int compare_rows(const void *a, const void *b)
{
    const row *left = a;
    const row *right = b;
    const int by_suite = strcmp(left->suite, right->suite);
    return by_suite != 0 ? by_suite : strcmp(left->dtype, right->dtype);
}

static const json_t *suites_of(const column *one)
{
    return json_object_get(json_object_get(cupel_receipt_own(one->receipt), "verdict"), "suites");
}

static void rows_collect(matrix *table)
{
    for (size_t i = 0; i < table->column_count; ++i) {
        size_t s = 0;
        const json_t *suite = NULL;
        json_array_foreach(suites_of(&table->columns[i]), s, suite)
        {
            size_t c = 0;
            const json_t *item = NULL;
            json_array_foreach(json_object_get(suite, "cases"), c, item)
            {
                char dtype[8];
                dtype_of(cupel_receipt_text(item, "case", NULL), dtype);
                row_add(table, cupel_receipt_text(suite, "suite", NULL), dtype);
            }
        }
    }
    qsort(table->rows, table->row_count, sizeof table->rows[0], compare_rows);
}

typedef struct cell {
    const char *word;
    size_t cases; // of the row in the attempt
    size_t other; // of them no pass
} cell;

// Qualified: the whole attempt is a PASS and it has cases of this row. Rejected: a case of this row is not a pass. Otherwise
// nothing is said about the row.
static cell cell_make(const column *one, const row *of)
{
    cell made = {"Unqualified", 0, 0};
    size_t s = 0;
    const json_t *suite = NULL;
    json_array_foreach(suites_of(one), s, suite)
    {
        size_t c = 0;
        const json_t *item = NULL;
        if (strcmp(cupel_receipt_text(suite, "suite", NULL), of->suite) != 0) {
            continue;
        }
        json_array_foreach(json_object_get(suite, "cases"), c, item)
        {
            char dtype[8];
            dtype_of(cupel_receipt_text(item, "case", NULL), dtype);
            if (strcmp(dtype, of->dtype) == 0) {
                made.cases += 1;
                made.other += !json_is_true(json_object_get(item, "passed"));
            }
        }
    }
    if (made.other > 0) {
        made.word = "Rejected";
    } else if (made.cases > 0 && cupel_findings_status(&one->findings) == CUPEL_PASS) {
        made.word = "Qualified";
    }
    return made;
}

static void cell_print(const column *one, const row *of)
{
    const cell made = cell_make(one, of);
    if (made.other > 0) {
        printf(" %s (%zu of %zu) |", made.word, made.other, made.cases);
    } else if (strcmp(made.word, "Qualified") == 0) {
        printf(" %s (%zu) |", made.word, made.cases);
    } else {
        printf(" %s |", made.word);
    }
}

// {"status", "word", "columns": [{"profile", "attempt" or null, "word", "device", "source", "build", "corpora"}],
//  "rows": [{"suite", "dtype", "cells": [{"word", "cases", "other"}]}]}
static void matrix_print_json(const matrix *table)
{
    json_t *columns = json_array();
    json_t *rows = json_array();
    for (size_t i = 0; i < table->column_count; ++i) {
        const column *one = &table->columns[i];
        const json_t *own = cupel_receipt_own(one->receipt);
        const json_t *device = json_object_get(json_object_get(own, "verdict"), "device");
        const char *word = own != NULL ? cupel_status_word(cupel_findings_status(&one->findings)) : "N/A";
        json_array_append_new(columns, json_pack("{s:s, s:s?, s:s, s:O?, s:O?, s:O?, s:O?}", "profile", one->profile, "attempt",
                                                 own != NULL ? one->directory : NULL, "word", word, "device", device, "source",
                                                 json_object_get(own, "source"), "build", json_object_get(own, "build"), "corpora",
                                                 json_object_get(own, "corpora")));
    }
    for (size_t r = 0; r < table->row_count; ++r) {
        json_t *cells = json_array();
        for (size_t i = 0; i < table->column_count; ++i) {
            const cell made = cell_make(&table->columns[i], &table->rows[r]);
            json_array_append_new(cells, json_pack("{s:s, s:I, s:I}", "word", made.word, "cases", (json_int_t)made.cases, "other",
                                                   (json_int_t)made.other));
        }
        json_array_append_new(
            rows, json_pack("{s:s, s:s, s:o}", "suite", table->rows[r].suite, "dtype", table->rows[r].dtype, "cells", cells));
    }
    json_t *document = json_pack("{s:i, s:s, s:o, s:o}", "status", CUPEL_PASS, "word", cupel_status_word(CUPEL_PASS), "columns",
                                 columns, "rows", rows);
    cupel_print_json(document);
    json_decref(document);
}

static void columns_describe(const matrix *table)
{
    printf(
        "| column | profile | device | compute capability or instruction set | driver | toolchain | commit | build | verdict |\n");
    printf("|---|---|---|---|---|---|---|---|---|\n");
    for (size_t i = 0; i < table->column_count; ++i) {
        const column *one = &table->columns[i];
        const json_t *own = cupel_receipt_own(one->receipt);
        const json_t *device = json_object_get(json_object_get(own, "verdict"), "device");
        const char *commit = cupel_receipt_text(own, "source", "commit", NULL);
        if (own == NULL) {
            printf("| %zu | %s | no receipt | | | | | | |\n", i + 1, one->profile);
            continue;
        }
        printf("| %zu | %s | %s | %s | %s | ", i + 1, one->profile, cupel_receipt_text(device, "name", NULL),
               cupel_receipt_text(device, "capability", NULL), cupel_receipt_text(device, "driver", NULL));
        cupel_receipt_print_toolchain(own);
        printf(" | %.12s%s | %s | %s |\n", commit,
               json_is_true(json_object_get(json_object_get(own, "source"), "clean")) ? "" : " (not clean)",
               json_is_true(json_object_get(json_object_get(own, "build"), "fresh")) ? "fresh" : "not fresh",
               cupel_status_word(cupel_findings_status(&one->findings)));
    }
}

// The head of a table: the named columns, then one for each attempt.
static void header_print(const matrix *table, const char *names, const char *rule)
{
    printf("%s", names);
    for (size_t i = 0; i < table->column_count; ++i) {
        printf(" %zu %s |", i + 1, table->columns[i].profile);
    }
    printf("\n%s", rule);
    for (size_t i = 0; i < table->column_count; ++i) {
        printf("---|");
    }
    printf("\n");
}

static void matrix_print(const matrix *table)
{
    columns_describe(table);
    printf("\n");
    header_print(table, "| suite | dtype |", "|---|---|");
    for (size_t r = 0; r < table->row_count; ++r) {
        printf("| %s | %s |", table->rows[r].suite, table->rows[r].dtype[0] != '\0' ? table->rows[r].dtype : "any");
        for (size_t i = 0; i < table->column_count; ++i) {
            cell_print(&table->columns[i], &table->rows[r]);
        }
        printf("\n");
    }
}

static const json_t *corpora_of(const column *one)
{
    return json_object_get(cupel_receipt_own(one->receipt), "corpora");
}

// What one attempt's suites compared with one corpus, static and shared together.
static void corpus_cell_print(const column *one, const char *corpus)
{
    static const char *const members[] = {"rows", "values", "bytes_compared", "differing_bits"};
    long long sums[4] = {0};
    size_t at = 0;
    const json_t *item = NULL;
    json_array_foreach(corpora_of(one), at, item)
    {
        for (size_t m = 0; m < 4 && strcmp(cupel_receipt_text(item, "corpus", NULL), corpus) == 0; ++m) {
            sums[m] += json_integer_value(json_object_get(item, members[m]));
        }
    }
    if (sums[0] == 0) {
        printf(" nothing |");
    } else {
        printf(" %lld of %lld values, %lld bytes, %lld bits differ |", sums[1], sums[0], sums[2], sums[3]);
    }
}

// The corpora of the first attempt that compared any, and what each column compared with them.
static void corpora_print(const matrix *table)
{
    const json_t *corpora = NULL;
    for (size_t i = 0; i < table->column_count && json_array_size(corpora) == 0; ++i) {
        corpora = corpora_of(&table->columns[i]);
    }
    if (json_array_size(corpora) == 0) {
        return;
    }
    printf("\nWhat the static and the shared library compared with each corpus, together.\n\n");
    header_print(table, "| corpus |", "|---|");
    const char *last = "";
    size_t at = 0;
    const json_t *item = NULL;
    json_array_foreach(corpora, at, item)
    {
        const char *corpus = cupel_receipt_text(item, "corpus", NULL);
        if (strcmp(corpus, last) != 0) {
            printf("| %s |", corpus);
            for (size_t i = 0; i < table->column_count; ++i) {
                corpus_cell_print(&table->columns[i], corpus);
            }
            printf("\n");
        }
        last = corpus;
    }
}

static void steps_print(const matrix *table)
{
    const json_t **receipts = calloc(table->column_count + 1, sizeof *receipts);
    const char **directories = calloc(table->column_count + 1, sizeof *directories);
    for (size_t i = 0; receipts != NULL && directories != NULL && i < table->column_count; ++i) {
        receipts[i] = table->columns[i].receipt;
        directories[i] = table->columns[i].directory;
    }
    if (receipts != NULL && directories != NULL) {
        cupel_receipt_print_steps(receipts, directories, table->column_count);
    }
    free(receipts);
    free(directories);
}

// A column for each profile of the attempts' plans that no attempt is of.
static bool absent_columns_add(matrix *table)
{
    const size_t attempts = table->column_count;
    for (size_t i = 0; i < attempts; ++i) {
        char path[PATH_MAX];
        char message[CUPEL_PLAN_MESSAGE];
        cupel_plan plan;
        if (!evidence_path(path, "%s/" EVIDENCE_PLAN_COPY, table->columns[i].directory) ||
            !cupel_plan_read_file(path, &plan, message)) {
            continue; // the check of the attempt has said so
        }
        for (size_t p = 0; p < plan.profile_count; ++p) {
            bool known = false;
            for (size_t c = 0; c < table->column_count; ++c) {
                known = known || strcmp(table->columns[c].profile, plan.profiles[p].name) == 0;
            }
            if (!known && !column_add(table, plan.profiles[p].name, "", NULL, NULL)) {
                cupel_plan_free(&plan);
                return false;
            }
        }
        cupel_plan_free(&plan);
    }
    return true;
}

int cupel_receipt_matrix(const cupel_receipt_options *chosen, int count, char **directories)
{
    matrix table = {0};
    cupel_findings doubts = {0};
    bool good = true;
    for (int i = 0; good && i < count; ++i) {
        cupel_findings findings = {0};
        json_t *receipt = evidence_attempt_check(directories[i], &findings);
        const json_t *own = cupel_receipt_own(receipt);
        // What an attempt says counts only when it is what its receipt says, be that a PASS or not.
        if (own == NULL || !cupel_receipt_is_own(receipt, &findings)) {
            cupel_findings_move(&doubts, &findings);
        }
        good = column_add(&table, cupel_receipt_text(own, "attempt", "profile", NULL), directories[i], receipt, &findings);
    }
    good = good && absent_columns_add(&table);
    const cupel_status status = good ? cupel_findings_status(&doubts) : CUPEL_REFUSED;
    if (!good) {
        cupel_fail(CUPEL_REFUSED, "receipt", "memory ran out; free some and try again.");
    } else if (status != CUPEL_PASS) {
        cupel_findings_print(&doubts, 20, stderr);
        if (chosen->as_json) {
            cupel_report(&doubts, status, true, NULL, NULL);
        }
    } else {
        rows_collect(&table);
        if (chosen->as_json) {
            matrix_print_json(&table);
        } else {
            matrix_print(&table);
            corpora_print(&table);
            steps_print(&table);
        }
    }
    for (size_t i = 0; i < table.column_count; ++i) {
        json_decref(table.columns[i].receipt);
        cupel_findings_free(&table.columns[i].findings);
    }
    cupel_findings_free(&doubts);
    free(table.columns);
    return (int)status;
}
