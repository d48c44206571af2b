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

// Qualified: the whole attempt is a PASS and it has cases of this row. Rejected: a case of this row is not a pass. Otherwise
// nothing is said about the row.
static void cell_print(const column *one, const row *of)
{
    size_t passed = 0;
    size_t other = 0;
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
                const bool good = json_is_true(json_object_get(item, "passed"));
                passed += good;
                other += !good;
            }
        }
    }
    if (other > 0) {
        printf(" Rejected (%zu of %zu) |", other, passed + other);
    } else if (passed > 0 && cupel_findings_status(&one->findings) == CUPEL_PASS) {
        printf(" Qualified (%zu) |", passed);
    } else {
        printf(" Unqualified |");
    }
}

static void columns_describe(const matrix *table)
{
    printf("| column | profile | device | compute capability or instruction set | driver | toolchain | source | verdict |\n");
    printf("|---|---|---|---|---|---|---|---|\n");
    for (size_t i = 0; i < table->column_count; ++i) {
        const column *one = &table->columns[i];
        const json_t *own = cupel_receipt_own(one->receipt);
        const json_t *device = json_object_get(json_object_get(own, "verdict"), "device");
        const char *compiler = cupel_receipt_text(own, "provenance", "compiler", "version", NULL);
        const char *source = cupel_receipt_text(own, "source", "qualifying_sha256", NULL);
        if (own == NULL) {
            printf("| %zu | %s | no receipt | | | | | |\n", i + 1, one->profile);
            continue;
        }
        printf("| %zu | %s | %s | %s | %s | %.*s | %.12s%s | %s |\n", i + 1, one->profile, cupel_receipt_text(device, "name", NULL),
               cupel_receipt_text(device, "capability", NULL), cupel_receipt_text(device, "driver", NULL),
               (int)strcspn(compiler, "\n"), compiler, source,
               json_is_true(json_object_get(json_object_get(own, "source"), "clean")) ? "" : " (not clean)",
               cupel_status_word(cupel_findings_status(&one->findings)));
    }
}

static void matrix_print(const matrix *table)
{
    columns_describe(table);
    printf("\n| suite | dtype |");
    for (size_t i = 0; i < table->column_count; ++i) {
        printf(" %zu %s |", i + 1, table->columns[i].profile);
    }
    printf("\n|---|---|");
    for (size_t i = 0; i < table->column_count; ++i) {
        printf("---|");
    }
    printf("\n");
    for (size_t r = 0; r < table->row_count; ++r) {
        printf("| %s | %s |", table->rows[r].suite, table->rows[r].dtype[0] != '\0' ? table->rows[r].dtype : "any");
        for (size_t i = 0; i < table->column_count; ++i) {
            cell_print(&table->columns[i], &table->rows[r]);
        }
        printf("\n");
    }
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
    (void)chosen;
    matrix table = {0};
    bool good = true;
    cupel_status status = CUPEL_PASS;
    for (int i = 0; good && i < count; ++i) {
        cupel_findings findings = {0};
        json_t *receipt = evidence_attempt_check(directories[i], &findings);
        const json_t *own = cupel_receipt_own(receipt);
        // What an attempt says counts only when it is what its receipt says, be that a PASS or not.
        const json_t *said = json_object_get(own, "status");
        if (own == NULL || json_integer_value(said) != (json_int_t)cupel_findings_status(&findings)) {
            cupel_findings_print(&findings, 20, stderr);
            status = CUPEL_REFUSED;
        }
        good = column_add(&table, cupel_receipt_text(own, "attempt", "profile", NULL), directories[i], receipt, &findings);
    }
    good = good && absent_columns_add(&table);
    if (!good) {
        status = (cupel_status)cupel_fail(CUPEL_REFUSED, "receipt", "memory ran out; free some and try again.");
    } else if (status == CUPEL_PASS) {
        rows_collect(&table);
        matrix_print(&table);
    }
    for (size_t i = 0; i < table.column_count; ++i) {
        json_decref(table.columns[i].receipt);
        cupel_findings_free(&table.columns[i].findings);
    }
    free(table.columns);
    return (int)status;
}
