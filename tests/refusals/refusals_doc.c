// SPDX-License-Identifier: Apache-2.0
// refusals-doc --check|--write SOURCE: keeps docs/refusals.md in step with src/verdict/reasons.def and tests/refusals/modes.tsv.
//
// --write replaces the generated parts of the page; --check says what differs. Both verify that every reason code is named by a
// test of a whole program, that every mode of a false green has its fields (modes.py verifies the tests that they name), and that
// docs/troubleshooting.md has one entry for each NOT RUN reason and for nothing else. Exit status: 0 all holds, 1 not, 64 usage.
#include "reasons.h"

#include <dirent.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { PATH_SIZE = 4096, EXIT_USAGE = 64, IMPOSSIBLE_MOST = 10, MODES_WANTED = 104 };

typedef struct checker {
    const char *source; // the source tree
    int faults;
    bool named[CUPEL_REASON_COUNT]; // by a test
} checker;

__attribute__((format(printf, 2, 3))) static void fault(checker *check, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "refusals-doc: ");
    vfprintf(stderr, format, arguments);
    fprintf(stderr, "\n");
    va_end(arguments);
    ++check->faults;
}

// The whole file as a zero-terminated text, "" with a fault when it cannot be read. Free it.
static char *file_text(checker *check, const char *path)
{
    char *text = NULL;
    size_t length = 0;
    FILE *in = fopen(path, "rb");
    FILE *out = open_memstream(&text, &length);
    if (in == NULL || out == NULL) {
        fault(check, "%s cannot be read", path);
    }
    for (int c = in == NULL ? EOF : getc(in); c != EOF && out != NULL; c = getc(in)) {
        putc(c, out);
    }
    if (in != NULL) {
        fclose(in);
    }
    if (out != NULL) {
        fclose(out);
    }
    return text == NULL ? calloc(1, 1) : text;
}

static char *source_text(checker *check, const char *name)
{
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "%s/%s", check->source, name);
    return file_text(check, path);
}

// ---- The generated parts ------------------------------------------------------------------------------------------------------

static void reasons_write(checker *check, FILE *out)
{
    (void)check;
#define CUPEL_REASON_SECTION(title)                                                                                                \
    fprintf(out, "\n### %s\n\n| code | status | what is wrong | what to do |\n|---|---|---|---|\n", title);
#define CUPEL_REASON(identifier, code, status, sentence, action)                                                                   \
    fprintf(out, "| `%s` | %s | %s | %s |\n", code, cupel_status_word(CUPEL_##status), sentence, action);
#include "reasons.def"
#undef CUPEL_REASON
#undef CUPEL_REASON_SECTION
    fprintf(out, "\n");
}

// Cuts the next field of a tab-separated line off; "" when there is none.
static char *field_take(char **rest)
{
    char *field = *rest;
    char *tab = strchr(field, '\t');
    *rest = tab == NULL ? field + strlen(field) : tab + 1;
    if (tab != NULL) {
        *tab = '\0';
    }
    return field;
}

// Rows of modes.tsv: id, what happens, what stops it, proofs; "impossible" instead of proofs when it cannot happen here.
static void modes_write(checker *check, FILE *out)
{
    char *text = source_text(check, "tests/refusals/modes.tsv");
    char *rest = NULL;
    size_t count = 0;
    size_t impossible = 0;
    fprintf(out, "\n| mode | what happens | what stops it | proof |\n|---|---|---|---|\n");
    for (char *line = strtok_r(text, "\n", &rest); line != NULL; line = strtok_r(NULL, "\n", &rest)) {
        if (line[0] == '#') {
            continue;
        }
        const char *id = field_take(&line);
        const char *what = field_take(&line);
        const char *stop = field_take(&line);
        const char *proofs = field_take(&line);
        bool cannot = strcmp(proofs, "impossible") == 0;
        if (what[0] == '\0' || stop[0] == '\0' || proofs[0] == '\0') {
            fault(check, "modes.tsv, %s: a field is empty", id);
        }
        fprintf(out, "| %s | %s | %s | %s%s%s |\n", id, what, stop, cannot ? "" : "`", cannot ? "cannot happen" : proofs,
                cannot ? "" : "`");
        ++count;
        impossible += cannot;
    }
    fprintf(out, "\n");
    if (count != MODES_WANTED || impossible > IMPOSSIBLE_MOST) {
        fault(check, "modes.tsv has %zu modes, %zu of them without a test; it must have %d, at most %d", count, impossible,
              MODES_WANTED, IMPOSSIBLE_MOST);
    }
    free(text);
}

static const struct {
    const char *begin, *end;
    void (*write)(checker *check, FILE *out);
} parts[] = {
    {"<!-- reasons, written by refusals-doc -->\n", "<!-- end of reasons -->\n", reasons_write},
    {"<!-- modes, written by refusals-doc -->\n", "<!-- end of modes -->\n", modes_write},
};

// The page with its generated parts as they should be. Free it.
static char *page_make(checker *check, const char *page)
{
    char *made = NULL;
    size_t length = 0;
    const char *from = page;
    FILE *out = open_memstream(&made, &length);
    for (size_t i = 0; out != NULL && i < sizeof parts / sizeof parts[0]; ++i) {
        const char *begin = strstr(from, parts[i].begin);
        const char *end = begin == NULL ? NULL : strstr(begin, parts[i].end);
        if (end == NULL) {
            fault(check, "docs/refusals.md has no part between %.30s... and its end", parts[i].begin);
            break;
        }
        begin += strlen(parts[i].begin);
        fwrite(from, 1, (size_t)(begin - from), out);
        parts[i].write(check, out);
        from = end;
    }
    if (out != NULL) {
        fputs(from, out);
        fclose(out);
    }
    return made == NULL ? calloc(1, 1) : made;
}

static void page_compare(checker *check, const char *page, const char *made)
{
    size_t line = 1;
    size_t at = 0;
    while (page[at] != '\0' && page[at] == made[at]) {
        line += page[at++] == '\n';
    }
    if (page[at] != made[at]) {
        fault(check, "docs/refusals.md, line %zu is not what the sources give; run refusals-doc --write", line);
    }
}

// ---- Tests that name a reason -------------------------------------------------------------------------------------------------

// The code as a word of its own: "ledger-cut" does not stand in "ledger-cutting".
static bool names_code(const char *text, const char *code)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789-";
    const size_t length = strlen(code);
    for (const char *at = strstr(text, code); at != NULL; at = strstr(at + 1, code)) {
        bool begins = at == text || strchr(letters, at[-1]) == NULL;
        if (begins && (at[length] == '\0' || strchr(letters, at[length]) == NULL)) {
            return true;
        }
    }
    return false;
}

static void names_find(checker *check, const char *text)
{
    for (size_t i = 0; i < CUPEL_REASON_COUNT; ++i) {
        check->named[i] = check->named[i] || names_code(text, cupel_reason_get((cupel_reason)i)->code);
    }
}

// Test programs and their tables; the pages and this list of modes do not count.
static bool is_test_file(const char *name)
{
    static const char *const endings[] = {".c", ".h", ".py", ".sh", ".cmake", "cases.tsv", "expected.tsv"};
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; ++i) {
        size_t length = strlen(endings[i]);
        if (strlen(name) >= length && strcmp(name + strlen(name) - length, endings[i]) == 0) {
            return strcmp(name, "refusals_doc.c") != 0;
        }
    }
    return false;
}

static void tests_walk(checker *check, const char *folder)
{
    DIR *entries = opendir(folder);
    for (const struct dirent *entry = entries == NULL ? NULL : readdir(entries); entry != NULL; entry = readdir(entries)) {
        char path[PATH_SIZE];
        struct stat status;
        if (entry->d_name[0] == '.' || snprintf(path, sizeof path, "%s/%s", folder, entry->d_name) >= (int)sizeof path ||
            stat(path, &status) != 0) {
            continue;
        }
        if (S_ISDIR(status.st_mode)) {
            tests_walk(check, path);
        } else if (is_test_file(entry->d_name)) {
            char *text = file_text(check, path);
            names_find(check, text);
            free(text);
        }
    }
    if (entries != NULL) {
        closedir(entries);
    }
}

// Where reasons are asserted of a whole program: `cupel` run as a person runs it, or ctest. What a unit test says of a reason comes
// on top and does not count here.
static const char *const program_tests[] = {"tests/refusals", "tests/unit/cli", "tests/unit/junit_cases",
                                            "tests/unit/junit_reports"};

static void tests_check(checker *check)
{
    char path[PATH_SIZE];
    for (size_t i = 0; i < sizeof program_tests / sizeof program_tests[0]; ++i) {
        snprintf(path, sizeof path, "%s/%s", check->source, program_tests[i]);
        tests_walk(check, path);
    }
    for (size_t i = 0; i < CUPEL_REASON_COUNT; ++i) {
        if (!check->named[i]) {
            fault(check, "no test of a program names the reason %s", cupel_reason_get((cupel_reason)i)->code);
        }
    }
}

// ---- Troubleshooting ----------------------------------------------------------------------------------------------------------

static void troubleshooting_check(checker *check)
{
    char *text = source_text(check, "docs/troubleshooting.md");
    for (size_t i = 0; i < CUPEL_REASON_COUNT; ++i) {
        char heading[96];
        const cupel_reason_info *info = cupel_reason_get((cupel_reason)i);
        snprintf(heading, sizeof heading, "\n## `%s`\n", info->code);
        bool has = strstr(text, heading) != NULL;
        if (has != (info->status == CUPEL_NOT_RUN)) {
            fault(check, "docs/troubleshooting.md %s an entry for %s", has ? "needs no" : "has no", info->code);
        }
    }
    for (const char *at = strstr(text, "\n## `"); at != NULL; at = strstr(at + 1, "\n## `")) {
        char code[64] = "";
        cupel_reason reason;
        if (sscanf(at, "\n## `%63[a-z0-9-]`", code) != 1 || !cupel_reason_find(code, &reason)) {
            fault(check, "docs/troubleshooting.md has an entry for %s, which is no reason", code);
        }
    }
    free(text);
}

static bool page_write(const char *path, const char *text)
{
    FILE *out = fopen(path, "w");
    bool written = out != NULL && fputs(text, out) >= 0;
    return out != NULL && fclose(out) == 0 && written;
}

int main(int argc, char **argv)
{
    bool writes = argc == 3 && strcmp(argv[1], "--write") == 0;
    if (argc != 3 || (!writes && strcmp(argv[1], "--check") != 0)) {
        fprintf(stderr, "usage: refusals-doc --check|--write SOURCE\n");
        return EXIT_USAGE;
    }
    checker check = {.source = argv[2]};
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "%s/docs/refusals.md", check.source);
    char *page = file_text(&check, path);
    char *made = page_make(&check, page);
    if (!writes) {
        page_compare(&check, page, made);
    } else if (check.faults == 0 && strcmp(page, made) != 0 && !page_write(path, made)) {
        fault(&check, "%s cannot be written", path);
    }
    tests_check(&check);
    troubleshooting_check(&check);
    free(page);
    free(made);
    if (check.faults == 0) {
        printf("refusals-doc: %d reasons, %d modes: docs and tests agree\n", (int)CUPEL_REASON_COUNT, MODES_WANTED);
    }
    return check.faults != 0;
}
