// SPDX-License-Identifier: Apache-2.0
// The golden folder: which files there are, and golden/SHA256SUMS that locks them (the format of sha256sum).
#include "job.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void golden_names_free(golden_names *names)
{
    for (size_t i = 0; i < names->count; ++i) {
        free(names->at[i]);
    }
    free(names->at);
    *names = (golden_names){0};
}

char *golden_path(const golden_settings *settings, const char *folder, const char *name, const char *ending)
{
    golden_text text = {0};
    golden_text_printf(&text, "%s/%s%s%s%s", settings->directory, folder, folder[0] ? "/" : "", name, ending);
    if (text.failed) {
        golden_text_free(&text);
    }
    return text.data;
}

static golden_status name_add(golden_names *names, char *name, golden_error *error)
{
    char **at = name ? realloc(names->at, (names->count + 1) * sizeof *at) : NULL;
    if (at == NULL) {
        free(name);
        return golden_fail(error, GOLDEN_REFUSED, "out of memory for file names.");
    }
    names->at = at;
    at[names->count++] = name;
    return GOLDEN_OK;
}

static int name_order(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

golden_status golden_names_list(const char *directory, const char *folder, const char *ending, golden_names *names,
                                golden_error *error)
{
    golden_text path = {0};
    *names = (golden_names){0};
    golden_text_printf(&path, "%s/%s", directory, folder);
    DIR *open = path.failed ? NULL : opendir(path.data);
    if (open == NULL) {
        golden_status status =
            golden_fail(error, GOLDEN_REFUSED,
                        "%s: cannot be listed (%s); restore the folder from version control, or name another with --golden.",
                        path.failed ? folder : path.data, strerror(errno));
        golden_text_free(&path);
        return status;
    }
    golden_status status = GOLDEN_OK;
    for (struct dirent *entry = readdir(open); status == GOLDEN_OK && entry != NULL; entry = readdir(open)) {
        size_t length = strlen(entry->d_name), tail = strlen(ending);
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) {
            continue;
        }
        if (length <= tail || strcmp(entry->d_name + length - tail, ending) != 0) {
            status = golden_fail(error, GOLDEN_REFUSED, "%s/%s: is no %s file; remove it.", path.data, entry->d_name, ending);
        } else {
            status = name_add(names, golden_copy_range(entry->d_name, length - tail), error);
        }
    }
    closedir(open);
    golden_text_free(&path);
    if (status != GOLDEN_OK) {
        golden_names_free(names);
    } else if (names->count > 1) {
        qsort(names->at, names->count, sizeof *names->at, name_order);
    }
    return status;
}

static bool name_has(const golden_names *names, const char *name)
{
    return names->count > 0 && bsearch(&name, names->at, names->count, sizeof *names->at, name_order) != NULL;
}

golden_status golden_corpora_list(const golden_settings *settings, golden_names *names, golden_error *error)
{
    golden_status status = golden_names_list(settings->directory, "inputs", ".inputs", names, error);
    for (size_t i = 0; status == GOLDEN_OK && i < golden_operation_count(); ++i) {
        const golden_operation *operation = golden_operation_at(i);
        for (golden_dtype dtype = GOLDEN_F32; status == GOLDEN_OK && dtype <= GOLDEN_I32; ++dtype) {
            char name[80];
            snprintf(name, sizeof name, "%s.%s", operation->module, golden_dtype_name(dtype));
            if ((operation->dtypes >> dtype & 1u) && !name_has(names, name)) {
                status =
                    golden_fail(error, GOLDEN_REFUSED,
                                "%s/inputs/%s.inputs: is missing, and operation %s is registered; restore it from version control.",
                                settings->directory, name, operation->title);
            }
        }
    }
    if (status == GOLDEN_OK && settings->corpus != NULL) {
        char *only = golden_copy(settings->corpus);
        if (only == NULL || !name_has(names, only)) {
            free(only);
            status =
                golden_fail(error, GOLDEN_REFUSED, "no corpus is named %s; golden/inputs has one file for each.", settings->corpus);
        } else {
            golden_names_free(names);
            status = name_add(names, only, error);
        }
    }
    if (status != GOLDEN_OK) {
        golden_names_free(names);
    }
    return status;
}

// The files that SHA256SUMS locks, relative to the golden folder, sorted.
static golden_status locked_list(const golden_settings *settings, golden_names *paths, golden_error *error)
{
    static const char *const parts[][2] = {{"corpora", ".golden"}, {"inputs", ".inputs"}};
    *paths = (golden_names){0};
    golden_status status = name_add(paths, golden_copy("bounds.tsv"), error);
    for (size_t p = 0; status == GOLDEN_OK && p < 2; ++p) {
        golden_names names;
        status = golden_names_list(settings->directory, parts[p][0], parts[p][1], &names, error);
        for (size_t i = 0; status == GOLDEN_OK && i < names.count; ++i) {
            golden_text path = {0};
            golden_text_printf(&path, "%s/%s%s", parts[p][0], names.at[i], parts[p][1]);
            status = name_add(paths, path.data, error);
        }
        golden_names_free(&names);
    }
    if (status != GOLDEN_OK) {
        golden_names_free(paths);
    }
    return status;
}

static golden_status line_write(const golden_settings *settings, const char *path, golden_text *text, golden_error *error)
{
    char *data = NULL, hex[65], *full = golden_path(settings, "", path, "");
    size_t bytes = 0;
    golden_status status =
        full ? golden_file_read(full, &data, &bytes, error) : golden_fail(error, GOLDEN_REFUSED, "out of memory.");
    status = status == GOLDEN_OK ? golden_sha256(data, bytes, hex, error) : status;
    if (status == GOLDEN_OK) {
        golden_text_printf(text, "%s  %s\n", hex, path);
    }
    free(data);
    free(full);
    return status;
}

golden_status golden_sums_write(const golden_settings *settings, golden_error *error)
{
    golden_names paths;
    golden_text text = {0};
    golden_status status = locked_list(settings, &paths, error);
    for (size_t i = 0; status == GOLDEN_OK && i < paths.count; ++i) {
        status = line_write(settings, paths.at[i], &text, error);
    }
    char *path = golden_path(settings, "", "SHA256SUMS", "");
    if (status == GOLDEN_OK && (text.failed || path == NULL)) {
        status = golden_fail(error, GOLDEN_REFUSED, "out of memory.");
    }
    status = status == GOLDEN_OK ? golden_file_write(path, text.data, text.length, error) : status;
    free(path);
    golden_text_free(&text);
    golden_names_free(&paths);
    return status;
}

// Would the bytes have the hash if their line ends were LF?
static bool only_line_ends(const char *data, size_t bytes, const char *hex)
{
    golden_text text = {0};
    golden_error ignored;
    char again[65] = "";
    for (size_t i = 0; i < bytes; ++i) {
        if (data[i] != '\r' || i + 1 == bytes || data[i + 1] != '\n') {
            golden_text_append(&text, &data[i], 1);
        }
    }
    bool same = !text.failed && golden_sha256(text.data ? text.data : "", text.length, again, &ignored) == GOLDEN_OK &&
                strcmp(again, hex) == 0;
    golden_text_free(&text);
    return same;
}

// Was this file, "corpora/<name>.golden", made again byte for byte?
static bool made_again(const golden_results *results, const char *path)
{
    for (size_t i = 0; i < results->count; ++i) {
        char name[120];
        snprintf(name, sizeof name, "corpora/%s.golden", results->at[i].name);
        if (results->at[i].status == GOLDEN_OK && strcmp(name, path) == 0) {
            return true;
        }
    }
    return false;
}

// One line of the lock, `place` in words, against its file.
static golden_status line_check(const golden_settings *settings, const golden_results *results, const char *place, const char *hex,
                                const char *path, golden_text *lines, golden_error *error)
{
    char *data = NULL, now[65], *full = golden_path(settings, "", path, "");
    size_t bytes = 0;
    golden_status status =
        full ? golden_file_read(full, &data, &bytes, error) : golden_fail(error, GOLDEN_REFUSED, "out of memory.");
    status = status == GOLDEN_OK ? golden_sha256(data, bytes, now, error) : status;
    if (status != GOLDEN_OK) {
        golden_text_printf(lines, "%s\n", error->text);
    } else if (strcmp(now, hex) != 0) {
        status = GOLDEN_REFUSED;
        if (made_again(results, path)) {
            golden_text_printf(lines,
                               "%s: is not the SHA-256 of %s, which was made again byte for byte; restore the list from version "
                               "control, or make it again with cupel golden --write.\n",
                               place, path);
        } else if (only_line_ends(data, bytes, hex)) {
            golden_text_printf(
                lines, "%s: hash mismatch against %s; line endings only: check out with LF (git config core.autocrlf false).\n",
                full, place);
        } else {
            golden_text_printf(lines,
                               "%s: hash mismatch against %s, so one of the two was changed; restore it from version control, or "
                               "after an intended change run cupel golden --write.\n",
                               full, place);
        }
    }
    free(data);
    free(full);
    return status;
}

// A well-formed line "<sha256>  <file>", cut into its two parts; *path is null otherwise. Free *path.
static void line_cut(const golden_lines *walk, char hex[65], char **path)
{
    const bool long_enough = walk->length > 66 && memcmp(walk->line + 64, "  ", 2) == 0;
    memcpy(hex, walk->line, long_enough ? 64 : 0);
    hex[long_enough ? 64 : 0] = '\0';
    *path = long_enough && strspn(hex, "0123456789abcdef") == 64 ? golden_copy_range(walk->line + 66, walk->length - 66) : NULL;
}

// Both lists are sorted, so a name on one side only shows by its order.
static golden_status sums_walk(const golden_settings *settings, const golden_results *results, const char *sums, golden_lines *walk,
                               const golden_names *paths, golden_text *lines, golden_error *error)
{
    size_t next = 0;
    golden_status worst = GOLDEN_OK;
    char *before = NULL;
    while (golden_lines_next(walk)) {
        char hex[65], place[512], *path = NULL;
        snprintf(place, sizeof place, "%.480s:%zu", sums, walk->number);
        line_cut(walk, hex, &path);
        const bool follows = path != NULL && (before == NULL || strcmp(before, path) < 0);
        free(before);
        before = path;
        if (!follows) {
            free(path);
            return golden_fail(
                error, GOLDEN_REFUSED,
                "%s: is not \"<sha256>  <file>\" with files in order; restore the list from version control, or make it "
                "again with cupel golden --write.",
                place);
        }
        for (; next < paths->count && strcmp(paths->at[next], path) < 0; ++next) {
            golden_text_printf(lines, "%s: %s is not in the list; run cupel golden --write when the file is meant to be there.\n",
                               sums, paths->at[next]);
            worst = GOLDEN_REFUSED;
        }
        if (next == paths->count || strcmp(paths->at[next], path) != 0) {
            golden_text_printf(lines, "%s/%s: is missing, and %s lists it; restore it from version control.\n", settings->directory,
                               path, place);
            worst = GOLDEN_REFUSED;
        } else {
            golden_status status = line_check(settings, results, place, hex, path, lines, error);
            worst = status != GOLDEN_OK ? GOLDEN_REFUSED : worst;
            ++next;
        }
    }
    free(before);
    for (; next < paths->count; ++next) {
        golden_text_printf(lines, "%s: %s is not in the list; run cupel golden --write when the file is meant to be there.\n", sums,
                           paths->at[next]);
        worst = GOLDEN_REFUSED;
    }
    return worst;
}

golden_status golden_sums_check(const golden_settings *settings, const golden_results *results, golden_text *lines,
                                golden_error *error)
{
    golden_names paths = {0};
    golden_lines walk;
    char *data = NULL, *sums = golden_path(settings, "", "SHA256SUMS", "");
    size_t bytes = 0;
    golden_status status =
        sums ? golden_file_read(sums, &data, &bytes, error) : golden_fail(error, GOLDEN_REFUSED, "out of memory.");
    status = status == GOLDEN_OK ? golden_text_check(sums, data, bytes, error) : status;
    status = status == GOLDEN_OK ? locked_list(settings, &paths, error) : status;
    golden_lines_start(&walk, data, bytes);
    if (status == GOLDEN_OK) {
        status = sums_walk(settings, results, sums, &walk, &paths, lines, error);
    }
    golden_names_free(&paths);
    free(data);
    free(sums);
    return status;
}
