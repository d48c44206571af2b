// SPDX-License-Identifier: Apache-2.0
// cupel-embed OUTPUT DEPFILE SYMBOL ROOT PART...
//
// Writes a C file that defines `const nc_program_text SYMBOL`: the parts (paths below ROOT), one after the other, with every
// #include "file" replaced by the file. A file with an include guard appears once. #line directives name the origin of each line,
// and the line map says the same for compilers that ignore them. DEPFILE receives the files read, for the build system.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PATH_SIZE 1024
#define LINE_SIZE 1024
#define FILES_MAX 256
#define PLACES_MAX 4096
#define DEPTH_MAX 32

// From line `text_line` of the text on, lines come from file `file`, line `line`.
typedef struct place {
    unsigned text_line;
    int file;
    unsigned line;
} place;

typedef struct embedder {
    const char *root;
    FILE *output;
    char files[FILES_MAX][PATH_SIZE]; // below root
    int guarded[FILES_MAX];           // appears once
    int file_count;
    place places[PLACES_MAX];
    int place_count;
    unsigned text_line;
    unsigned long bytes;
} embedder;

static _Noreturn void fail(const char *what, const char *name)
{
    fprintf(stderr, "cupel-embed: %s: %s\n", name, what);
    exit(1);
}

static void emit(embedder *e, const char *text)
{
    for (; *text != '\0'; ++text) {
        fprintf(e->output, "%u,%s", (unsigned)(unsigned char)*text, ++e->bytes % 32 == 0 ? "\n" : "");
        e->text_line += *text == '\n';
    }
}

// The directive's argument, when `line` is "#<directive> argument"; else null.
static const char *directive(const char *line, const char *name)
{
    line += strspn(line, " \t");
    if (*line++ != '#') {
        return NULL;
    }
    line += strspn(line, " \t");
    size_t length = strlen(name);
    if (strncmp(line, name, length) != 0 || (line[length] != ' ' && line[length] != '\t')) {
        return NULL;
    }
    return line + length + strspn(line + length, " \t");
}

// A guard is an #ifndef as the file's first directive.
static int has_guard(FILE *file)
{
    char line[LINE_SIZE];
    while (fgets(line, sizeof line, file) != NULL) {
        if (line[strspn(line, " \t")] == '#') {
            rewind(file);
            return directive(line, "ifndef") != NULL;
        }
    }
    rewind(file);
    return 0;
}

static void mark_place(embedder *e, int file, unsigned line)
{
    char text[PATH_SIZE + 32];
    if (e->place_count == PLACES_MAX) {
        fail("too many includes", e->files[file]);
    }
    (void)snprintf(text, sizeof text, "#line %u \"%s\"\n", line, e->files[file]);
    emit(e, text);
    e->places[e->place_count++] = (place){e->text_line, file, line};
}

// `name` as written in `from`, with "directory/.." taken out.
static void resolve(const char *from, const char *name, size_t name_length, char path[PATH_SIZE])
{
    const char *slash = strrchr(from, '/');
    int directory = slash == NULL ? 0 : (int)(slash - from) + 1;
    if (snprintf(path, PATH_SIZE, "%.*s%.*s", directory, from, (int)name_length, name) >= PATH_SIZE) {
        fail("path too long", from);
    }
    for (char *up = strstr(path, "/../"); up != NULL; up = strstr(path, "/../")) {
        char *start = up;
        while (start > path && start[-1] != '/') {
            --start;
        }
        memmove(start, up + 4, strlen(up + 4) + 1);
    }
}

static void embed(embedder *e, const char *path, int depth)
{
    char full[2 * PATH_SIZE], line[LINE_SIZE];
    int index = 0;
    while (index < e->file_count && strcmp(e->files[index], path) != 0) {
        ++index;
    }
    if (index < e->file_count && e->guarded[index]) {
        return;
    }
    if (depth == DEPTH_MAX || index == FILES_MAX) {
        fail("includes are nested too deeply or too many", path);
    }
    (void)snprintf(full, sizeof full, "%s/%s", e->root, path);
    FILE *file = fopen(full, "r");
    if (file == NULL) {
        fail(strerror(errno), full);
    }
    if (index == e->file_count) {
        (void)snprintf(e->files[index], PATH_SIZE, "%s", path);
        e->guarded[index] = has_guard(file);
        ++e->file_count;
    }
    mark_place(e, index, 1);
    for (unsigned number = 1; fgets(line, sizeof line, file) != NULL; ++number) {
        const char *argument = directive(line, "include");
        if (strchr(line, '\n') == NULL) {
            fail("a line is too long or the last one does not end", path);
        }
        if (argument == NULL || *argument != '"') {
            emit(e, line);
            continue;
        }
        char included[PATH_SIZE];
        resolve(path, argument + 1, strcspn(argument + 1, "\""), included);
        embed(e, included, depth + 1);
        mark_place(e, index, number + 1);
    }
    (void)fclose(file);
}

static void write_map(embedder *e, const char *symbol)
{
    fprintf(e->output, "};\nstatic const char *const files[] = {\n");
    for (int i = 0; i < e->file_count; ++i) {
        fprintf(e->output, "    \"%s\",\n", e->files[i]);
    }
    fprintf(e->output, "};\nstatic const nc_program_place places[] = {\n");
    for (int i = 0; i < e->place_count; ++i) {
        fprintf(e->output, "    {%u, %d, %u},\n", e->places[i].text_line, e->places[i].file, e->places[i].line);
    }
    fprintf(e->output, "};\nconst nc_program_text %s = {\"%s\", text, %lu, files, places, %d};\n", symbol, symbol, e->bytes,
            e->place_count);
}

static void write_dependencies(const embedder *e, const char *depfile, const char *output)
{
    FILE *file = fopen(depfile, "w");
    if (file == NULL) {
        fail(strerror(errno), depfile);
    }
    fprintf(file, "%s:", output);
    for (int i = 0; i < e->file_count; ++i) {
        fprintf(file, " %s/%s", e->root, e->files[i]);
    }
    fprintf(file, "\n");
    if (fclose(file) != 0) {
        fail(strerror(errno), depfile);
    }
}

int main(int argc, char **argv)
{
    if (argc < 6) {
        fprintf(stderr, "usage: cupel-embed OUTPUT DEPFILE SYMBOL ROOT PART...\n");
        return 64;
    }
    embedder *e = calloc(1, sizeof *e);
    if (e == NULL) {
        fail("no memory", argv[0]);
    }
    e->root = argv[4];
    e->text_line = 1;
    e->output = fopen(argv[1], "w");
    if (e->output == NULL) {
        fail(strerror(errno), argv[1]);
    }
    fprintf(e->output, "#include \"program_text.h\"\n\nstatic const unsigned char text[] = {\n");
    for (int i = 5; i < argc; ++i) {
        embed(e, argv[i], 0);
    }
    write_map(e, argv[3]);
    if (fclose(e->output) != 0) {
        fail(strerror(errno), argv[1]);
    }
    write_dependencies(e, argv[2], argv[1]);
    free(e);
    return 0;
}
