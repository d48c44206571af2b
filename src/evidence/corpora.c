// SPDX-License-Identifier: Apache-2.0
#include "corpora.h"

#include "evidence_file.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CORPORA_FOLDER "golden/corpora"
#define CORPUS_SUFFIX ".golden"
#define CORPUS_FIRST_LINE "#cupel-golden 1 corpus=%63s dtype=%7s rows=%lld"

enum { CORPUS_NAME_SIZE = 64, DTYPE_SIZE = 8 };

// The rows a corpus says it has. False when its first line is not a corpus's, or names another corpus than its file.
static bool rows_read(const char *path, const char *name, long long *rows)
{
    char line[160];
    char stated[CORPUS_NAME_SIZE];
    char dtype[DTYPE_SIZE];
    FILE *file = fopen(path, "r");
    const bool read = file != NULL && fgets(line, sizeof line, file) != NULL &&
                      sscanf(line, CORPUS_FIRST_LINE, stated, dtype, rows) == 3 && strcmp(stated, name) == 0;
    if (file != NULL) {
        fclose(file);
    }
    return read;
}

json_t *evidence_corpora_describe(const char *source)
{
    char folder[PATH_MAX];
    struct dirent **entries = NULL;
    json_t *corpora = json_object();
    const int count = evidence_path(folder, "%s/" CORPORA_FOLDER, source) ? scandir(folder, &entries, NULL, alphasort) : -1;
    for (int i = 0; i < count; ++i) {
        char path[PATH_MAX];
        char name[CORPUS_NAME_SIZE];
        long long rows = 0;
        const char *suffix = strstr(entries[i]->d_name, CORPUS_SUFFIX);
        if (suffix != NULL && strcmp(suffix, CORPUS_SUFFIX) == 0 && suffix - entries[i]->d_name < CORPUS_NAME_SIZE &&
            evidence_path(path, "%s/%s", folder, entries[i]->d_name)) {
            snprintf(name, sizeof name, "%.*s", (int)(suffix - entries[i]->d_name), entries[i]->d_name);
            // A corpus that cannot be read has rows that no suite can have compared.
            json_object_set_new(corpora, name, json_integer(rows_read(path, name, &rows) ? (json_int_t)rows : -1));
        }
        free(entries[i]);
    }
    free(entries);
    return corpora;
}

static bool case_is_of(const char *id, const char *module, const char *dtype)
{
    char prefix[CORPUS_NAME_SIZE + 16];
    const int length = snprintf(prefix, sizeof prefix, "%s.golden.", module);
    const char *dot = id != NULL ? strrchr(id, '.') : NULL;
    return dot != NULL && strncmp(id, prefix, (size_t)length) == 0 && strcmp(dot + 1, dtype) == 0;
}

static json_int_t member(const json_t *object, const char *name)
{
    return json_integer_value(json_object_get(object, name));
}

static json_t *suite_account(const char *corpus, const char *module, const char *dtype, json_int_t rows, const json_t *suite)
{
    json_int_t values = 0;
    json_int_t bytes = 0;
    json_int_t bits = 0;
    size_t at = 0;
    const json_t *item = NULL;
    json_array_foreach(json_object_get(suite, "cases"), at, item)
    {
        if (case_is_of(json_string_value(json_object_get(item, "case")), module, dtype)) {
            values += member(item, "values");
            bytes += member(item, "bytes_compared");
            bits += member(item, "differing_bits");
        }
    }
    return json_pack("{s:s, s:O, s:I, s:I, s:I, s:I}", "corpus", corpus, "test", json_object_get(suite, "test"), "rows", rows,
                     "values", values, "bytes_compared", bytes, "differing_bits", bits);
}

json_t *evidence_corpora_account(const json_t *described, const json_t *verdict, cupel_findings *findings)
{
    json_t *account = json_array();
    const bool judged = findings->count == 0;
    const char *corpus = NULL;
    json_t *rows = NULL;
    json_object_foreach((json_t *)described, corpus, rows)
    {
        char module[CORPUS_NAME_SIZE];
        snprintf(module, sizeof module, "%.*s", (int)strcspn(corpus, "."), corpus);
        const char *dtype = corpus + strcspn(corpus, ".") + (strchr(corpus, '.') != NULL);
        size_t at = 0;
        const json_t *suite = NULL;
        json_array_foreach(json_object_get(verdict, "suites"), at, suite)
        {
            const char *name = json_string_value(json_object_get(suite, "suite"));
            if (name == NULL || strcmp(name, module) != 0) {
                continue;
            }
            json_t *one = suite_account(corpus, module, dtype, json_integer_value(rows), suite);
            if (judged && member(one, "values") != json_integer_value(rows)) {
                cupel_findings_add(findings, CUPEL_REASON_CORPUS_INCOMPLETE, corpus, "%s compared %lld of its %lld rows",
                                   json_string_value(json_object_get(one, "test")), (long long)member(one, "values"),
                                   (long long)json_integer_value(rows));
            }
            json_array_append_new(account, one);
        }
    }
    return account;
}
