// SPDX-License-Identifier: Apache-2.0
#include "sanitize_label_rules.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

enum { COLUMNS_MAX = 32, LINE_LONGEST = 1024 };

// One cell of a line: where it begins and ends, without the blanks around it.
typedef struct cell {
    const char *start;
    const char *end;
} cell;

// Splits a line at commas or, without one, at blanks. How many cells; 0 when there are too many.
static size_t cells_split(const char *line, const char *end, bool at_commas, cell cells[COLUMNS_MAX])
{
    size_t count = 0;
    for (const char *at = line; at < end;) {
        const char *stop = at;
        while (stop < end && (at_commas ? *stop != ',' : !isspace((unsigned char)*stop))) {
            ++stop;
        }
        cell one = {at, stop};
        while (one.start < one.end && isspace((unsigned char)*one.start)) {
            ++one.start;
        }
        while (one.end > one.start && isspace((unsigned char)one.end[-1])) {
            --one.end;
        }
        if (at_commas || one.start < one.end) {
            if (count == COLUMNS_MAX) {
                return 0;
            }
            cells[count++] = one;
        }
        at = stop + 1;
    }
    return count;
}

// A cell of a head is a short name, perhaps with a unit: "used_memory [MiB]".
static bool is_name(const cell *one)
{
    bool letters = false;
    for (const char *at = one->start; at < one->end; ++at) {
        letters = letters || isalpha((unsigned char)*at);
        if (!isalnum((unsigned char)*at) && strchr("_. []/%#-+", *at) == NULL) {
            return false;
        }
    }
    return letters && one->end - one->start < EVIDENCE_LABEL_MAX / 2;
}

// True when the name of a column makes its line a head: alone among commas, in capitals or after "#" among blanks.
static bool is_telling(const cell *one, bool at_commas, bool is_marked)
{
    static const char *const names[] = {"pid",    "tid",        "ppid",     "lwp",        "user",       "uuid",
                                        "serial", "pci.bus_id", "gpu_uuid", "gpu_serial", "gpu_bus_id", "jobid"};
    const size_t length = (size_t)(one->end - one->start);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
        if (length == strlen(names[i]) && strncasecmp(one->start, names[i], length) == 0) {
            return at_commas ? strcmp(names[i], "user") != 0 : is_marked || isupper((unsigned char)*one->start);
        }
    }
    return false;
}

// Reads a line as the head of a table, all of whose cells are names. How many columns; 0 when it is none.
static size_t head_read(const char *line, const char *end, bool *at_commas, cell cells[COLUMNS_MAX])
{
    const bool is_marked = *line == '#';
    *at_commas = memchr(line, ',', (size_t)(end - line)) != NULL;
    const size_t count = end - line < LINE_LONGEST ? cells_split(line + is_marked, end, *at_commas, cells) : 0;
    bool found = false;
    for (size_t i = 0; i < count; ++i) {
        if (!is_name(&cells[i])) {
            return 0;
        }
        found = found || is_telling(&cells[i], *at_commas, is_marked);
    }
    return count > 1 && found ? count : 0;
}

// Adds the cells of a row below names that say what they are. False when it is no row of this table.
static bool row_find(const char *view, const cell *heads, size_t count, bool at_commas, const char *line, const char *end,
                     evidence_spans *spans)
{
    cell cells[COLUMNS_MAX];
    const size_t found = end - line < LINE_LONGEST ? cells_split(line, end, at_commas, cells) : 0;
    if (at_commas ? found != count : found < count) {
        return false;
    }
    for (size_t i = 0; i < count; ++i) {
        evidence_label label;
        evidence_span value;
        evidence_label_make(heads[i].start, heads[i].end, &label);
        label.is_quoted = true;
        if (cells[i].start < cells[i].end && evidence_label_value(&label, ':', cells[i].start, &value)) {
            evidence_spans_add(spans, value.kind, (size_t)(cells[i].start - view) + value.offset, value.length);
        }
    }
    return true;
}

void evidence_tables_find(const char *view, evidence_spans *spans)
{
    cell heads[COLUMNS_MAX];
    size_t count = 0;
    bool at_commas = false;
    for (const char *line = view; *line != '\0';) {
        const char *end = line + strcspn(line, "\n");
        if (count == 0 || !row_find(view, heads, count, at_commas, line, end, spans)) {
            count = head_read(line, end, &at_commas, heads);
        }
        line = end + (*end == '\n');
    }
}
