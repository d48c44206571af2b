// SPDX-License-Identifier: Apache-2.0
#include "corpus.h"
#include "number.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char corpus_columns[] = "id\tanswer\ttruth\terror\tbound";

static void row_free(golden_corpus_row *row)
{
    free(row->id);
    free(row->answer);
    free(row->truth);
    free(row->error);
    free(row->bound);
}

void golden_corpus_free(golden_corpus *corpus)
{
    for (size_t i = 0; i < corpus->count; ++i) {
        row_free(&corpus->rows[i]);
    }
    free(corpus->rows);
    free(corpus->name);
    *corpus = (golden_corpus){0};
}

golden_status golden_corpus_add(golden_corpus *corpus, const char *id, const char *answer, const char *truth,
                                const char *error_token, const char *bound, golden_error *error)
{
    if (corpus->count == corpus->capacity) {
        size_t capacity = corpus->capacity ? 2 * corpus->capacity : 64;
        golden_corpus_row *rows = realloc(corpus->rows, capacity * sizeof *rows);
        if (rows == NULL) {
            return golden_fail(error, GOLDEN_REFUSED, "out of memory for %zu rows.", capacity);
        }
        corpus->rows = rows;
        corpus->capacity = capacity;
    }
    golden_corpus_row row = {golden_copy(id), golden_copy(answer), golden_copy(truth), golden_copy(error_token),
                             golden_copy(bound)};
    if (row.id == NULL || row.answer == NULL || row.truth == NULL || row.error == NULL || row.bound == NULL) {
        row_free(&row);
        return golden_fail(error, GOLDEN_REFUSED, "out of memory for row %s.", id);
    }
    corpus->rows[corpus->count++] = row;
    return GOLDEN_OK;
}

static int row_order(const void *a, const void *b)
{
    return strcmp(((const golden_corpus_row *)a)->id, ((const golden_corpus_row *)b)->id);
}

golden_status golden_corpus_format(golden_corpus *corpus, golden_text *text, golden_error *error)
{
    if (corpus->count > 1) {
        qsort(corpus->rows, corpus->count, sizeof *corpus->rows, row_order);
    }
    golden_text_printf(text, "#cupel-golden 1 corpus=%s dtype=%s rows=%zu\n%s\n", corpus->name, golden_dtype_name(corpus->dtype),
                       corpus->count, corpus_columns);
    for (size_t i = 0; i < corpus->count; ++i) {
        const golden_corpus_row *row = &corpus->rows[i];
        if (i > 0 && strcmp(corpus->rows[i - 1].id, row->id) == 0) {
            return golden_fail(error, GOLDEN_REFUSED, "corpus %s: duplicate id %s.", corpus->name, row->id);
        }
        golden_text_printf(text, "%s\t%s\t%s\t%s\t%s\n", row->id, row->answer, row->truth, row->error, row->bound);
    }
    golden_text_puts(text, "#end\n");
    return text->failed ? golden_fail(error, GOLDEN_REFUSED, "out of memory for corpus %s.", corpus->name) : GOLDEN_OK;
}

const golden_corpus_row *golden_corpus_find(const golden_corpus *corpus, const char *id)
{
    size_t low = 0, high = corpus->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = strcmp(corpus->rows[middle].id, id);
        if (order == 0) {
            return &corpus->rows[middle];
        }
        low = order < 0 ? middle + 1 : low;
        high = order < 0 ? high : middle;
    }
    return NULL;
}

// "<row>" or "<row>/<label>"
static bool id_valid(const char *id)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789._-";
    size_t row = strspn(id, letters);
    if (row == 0 || row > 80 || id[row] == '\0') {
        return row > 0 && row <= 80;
    }
    size_t label = strspn(id + row + 1, letters);
    return id[row] == '/' && label > 0 && label < GOLDEN_LABEL_BYTES && id[row + 1 + label] == '\0';
}

static bool hash_valid(const char *token)
{
    return strncmp(token, "sha256:", 7) == 0 && strspn(token + 7, "0123456789abcdef") == 64 && token[71] == '\0';
}

typedef enum token_kind { TOKEN_BAD, TOKEN_REAL, TOKEN_NAN, TOKEN_INTEGER, TOKEN_HASH, TOKEN_NONE } token_kind;

// `wide`: a real of up to 160 bits (truth); else it must fit binary64, or binary32 in a corpus of that dtype.
static token_kind token_read(const char *token, golden_dtype dtype, bool wide)
{
    golden_hex hex;
    golden_value value;
    int64_t integer;
    if (golden_hex_parse(token, &hex)) {
        golden_dtype narrow = dtype == GOLDEN_F32 ? GOLDEN_F32 : GOLDEN_F64;
        bool fits = wide ? hex.digits <= 40 : golden_hex_to_value(&hex, narrow, &value);
        return !fits ? TOKEN_BAD : hex.kind == GOLDEN_HEX_NAN ? TOKEN_NAN : TOKEN_REAL;
    }
    if (golden_parse_i64(token, &integer)) {
        return TOKEN_INTEGER;
    }
    return hash_valid(token) ? TOKEN_HASH : strcmp(token, "-") == 0 ? TOKEN_NONE : TOKEN_BAD;
}

// error and bound: finite, not negative, binary64
static bool measure_valid(const char *token)
{
    golden_hex hex;
    golden_value value;
    return golden_hex_parse(token, &hex) && hex.kind <= GOLDEN_HEX_FINITE && !hex.negative &&
           golden_hex_to_value(&hex, GOLDEN_F64, &value);
}

static golden_status number_refuse(const char *place, const char *id, const char *column, const char *token, golden_error *error)
{
    return golden_fail(error, GOLDEN_REFUSED, "%s: row %s: bad number in column %s: \"%.60s\" is not in canonical form.", place, id,
                       column, token);
}

static golden_status row_check(const golden_corpus *corpus, char *const field[5], const char *place, golden_error *error)
{
    if (!id_valid(field[0])) {
        return golden_fail(error, GOLDEN_REFUSED, "%s: bad id \"%.80s\".", place, field[0]);
    }
    token_kind answer = token_read(field[1], corpus->dtype, false), truth = token_read(field[2], corpus->dtype, true);
    if (answer == TOKEN_BAD || answer == TOKEN_NONE) {
        return number_refuse(place, field[0], "answer", field[1], error);
    }
    bool sampled = answer == TOKEN_HASH && truth == TOKEN_NONE;
    if (truth == TOKEN_BAD || (truth == TOKEN_NONE && !sampled)) {
        return number_refuse(place, field[0], "truth", field[2], error);
    }
    for (int i = 3; i < 5; ++i) {
        if (sampled ? strcmp(field[i], "-") != 0 : !measure_valid(field[i])) {
            return number_refuse(place, field[0], i == 3 ? "error" : "bound", field[i], error);
        }
    }
    return GOLDEN_OK;
}

static bool row_has_nan(const golden_corpus_row *row)
{
    return strcmp(row->answer, "nan") == 0 || strcmp(row->truth, "nan") == 0;
}

static golden_status row_order_check(const golden_corpus *corpus, const char *id, const char *place, golden_error *error)
{
    int order = corpus->count == 0 ? -1 : strcmp(corpus->rows[corpus->count - 1].id, id);
    if (order == 0) {
        return golden_fail(error, GOLDEN_REFUSED, "%s: duplicate id %s.", place, id);
    }
    if (order > 0) {
        return golden_fail(error, GOLDEN_REFUSED,
                           golden_corpus_find(corpus, id) ? "%s: duplicate id %s." : "%s: row %s is out of order; ids are sorted.",
                           place, id);
    }
    return GOLDEN_OK;
}

// Five fields between tabs, cut in place.
static golden_status row_parse(golden_corpus *corpus, const golden_lines *lines, const char *place, golden_error *error)
{
    char *line = golden_copy_range(lines->line, lines->length), *field[5] = {line};
    size_t fields = 1;
    for (char *at = line; at != NULL && *at != '\0'; ++at) {
        if (*at == '\t') {
            *at = '\0';
            if (fields < 5) {
                field[fields] = at + 1;
            }
            ++fields;
        }
    }
    golden_status status = GOLDEN_OK;
    if (line == NULL) {
        status = golden_fail(error, GOLDEN_REFUSED, "%s: out of memory.", place);
    } else if (line[0] == '#') {
        status = golden_fail(error, GOLDEN_REFUSED, "%s: \"%.40s\" is a volatile or unknown header line; a corpus has none.", place,
                             line);
    } else if (fields != 5) {
        status = golden_fail(error, GOLDEN_REFUSED, "%s: has %zu fields between tabs, not 5.", place, fields);
    } else {
        status = row_check(corpus, field, place, error);
    }
    status = status == GOLDEN_OK ? row_order_check(corpus, field[0], place, error) : status;
    status = status == GOLDEN_OK ? golden_corpus_add(corpus, field[0], field[1], field[2], field[3], field[4], error) : status;
    free(line);
    return status;
}

static golden_status header_parse(golden_corpus *corpus, const golden_lines *lines, const char *place, size_t *declared,
                                  golden_error *error)
{
    char name[80] = "", dtype[8] = "", again[200] = "";
    char *line = golden_copy_range(lines->line, lines->length);
    bool read =
        line != NULL && sscanf(line, "#cupel-golden 1 corpus=%79[a-z0-9_.] dtype=%7[a-z0-9] rows=%zu", name, dtype, declared) == 3;
    if (read) {
        snprintf(again, sizeof again, "#cupel-golden 1 corpus=%s dtype=%s rows=%zu", name, dtype, *declared);
    }
    bool valid = read && strcmp(again, line) == 0 && golden_dtype_of_name(dtype, &corpus->dtype);
    free(line);
    if (!valid) {
        return golden_fail(error, GOLDEN_REFUSED,
                           "%s: the header must be \"#cupel-golden 1 corpus=NAME dtype=NAME rows=N\" and nothing else.", place);
    }
    corpus->name = golden_copy(name);
    return corpus->name ? GOLDEN_OK : golden_fail(error, GOLDEN_REFUSED, "%s: out of memory.", place);
}

golden_status golden_corpus_parse(const char *name, const char *data, size_t bytes, golden_nan_allowed *nan_allowed, void *context,
                                  golden_corpus *corpus, golden_error *error)
{
    *corpus = (golden_corpus){0};
    size_t declared = 0;
    bool ended = false;
    golden_lines lines;
    golden_status status = golden_text_check(name, data, bytes, error);
    const bool is_text = status == GOLDEN_OK;
    golden_lines_start(&lines, data, bytes);
    while (status == GOLDEN_OK && golden_lines_next(&lines)) {
        char place[512];
        snprintf(place, sizeof place, "%.480s:%zu", name, lines.number);
        if (ended) {
            status = golden_fail(error, GOLDEN_REFUSED, "%s: a line follows #end.", place);
        } else if (lines.number == 1) {
            status = header_parse(corpus, &lines, place, &declared, error);
        } else if (lines.number == 2) {
            if (!golden_line_is(&lines, corpus_columns)) {
                status =
                    golden_fail(error, GOLDEN_REFUSED,
                                "%s: the second line must be the column header \"id answer truth error bound\"; a volatile header "
                                "line (date, host) is refused.",
                                place);
            }
        } else if (golden_line_is(&lines, "#end")) {
            ended = true;
        } else {
            status = row_parse(corpus, &lines, place, error);
            const golden_corpus_row *row = corpus->count ? &corpus->rows[corpus->count - 1] : NULL;
            if (status == GOLDEN_OK && row_has_nan(row) && !(nan_allowed && nan_allowed(row->id, context))) {
                status = golden_fail(error, GOLDEN_REFUSED, "%s: row %s holds nan, which its inputs do not declare (expect_nan).",
                                     place, row->id);
            }
        }
    }
    if (status == GOLDEN_OK && (!ended || corpus->count != declared)) {
        status = golden_fail(error, GOLDEN_REFUSED, "%s: is truncated or padded: declares rows=%zu, has %zu%s.", name, declared,
                             corpus->count, ended ? "" : " and no #end");
    }
    if (status == GOLDEN_OK && corpus->count == 0) {
        status = golden_fail(error, GOLDEN_REFUSED, "%s: has no row; an empty corpus proves nothing.", name);
    }
    if (status != GOLDEN_OK && is_text) {
        golden_error_advise(error, "restore the file from version control, or make it again with cupel golden --write.");
    }
    if (status != GOLDEN_OK) {
        golden_corpus_free(corpus);
    }
    return status;
}
