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
            golden_fail(error, GOLDEN_REFUSED, "%s: cannot be listed (%s).", path.failed ? folder : path.data, strerror(errno));
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
                status = golden_fail(error, GOLDEN_REFUSED, "%s/inputs/%s.inputs: is missing, and operation %s is registered.",
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

static golden_status line_check(const golden_settings *settings, const char *hex, const char *path, golden_text *lines,
                                golden_error *error)
{
    char *data = NULL, now[65], *full = golden_path(settings, "", path, "");
    size_t bytes = 0;
    golden_status status =
        full ? golden_file_read(full, &data, &bytes, error) : golden_fail(error, GOLDEN_REFUSED, "out of memory.");
    status = status == GOLDEN_OK ? golden_sha256(data, bytes, now, error) : status;
    if (status == GOLDEN_OK && strcmp(now, hex) != 0) {
        bool ends = only_line_ends(data, bytes, hex);
        golden_text_printf(lines, "%s: hash mismatch against SHA256SUMS%s.\n", full,
                           ends ? "; line endings only: check out with LF (git config core.autocrlf false)" : "");
        status = GOLDEN_REFUSED;
    } else if (status != GOLDEN_OK) {
        golden_text_printf(lines, "%s\n", error->text);
    }
    free(data);
    free(full);
    return status;
}

golden_status golden_sums_check(const golden_settings *settings, golden_text *lines, golden_error *error)
{
    golden_names paths;
    golden_lines walk;
    char *data = NULL, *sums = golden_path(settings, "", "SHA256SUMS", "");
    size_t bytes = 0, next = 0;
    golden_status status =
        sums ? golden_file_read(sums, &data, &bytes, error) : golden_fail(error, GOLDEN_REFUSED, "out of memory.");
    status = status == GOLDEN_OK ? golden_text_check(sums, data, bytes, error) : status;
    if (status == GOLDEN_OK) {
        status = locked_list(settings, &paths, error);
    } else {
        paths = (golden_names){0};
    }
    bool mismatch = false;
    golden_lines_start(&walk, data, bytes);
    while (status == GOLDEN_OK && golden_lines_next(&walk)) {
        char hex[65] = "", *path = walk.length > 66 ? golden_copy_range(walk.line + 66, walk.length - 66) : NULL;
        memcpy(hex, walk.line, walk.length > 66 ? 64 : 0);
        if (path == NULL || strspn(hex, "0123456789abcdef") != 64 || memcmp(walk.line + 64, "  ", 2) != 0) {
            status = golden_fail(error, GOLDEN_REFUSED, "%s:%zu: is not \"<sha256>  <file>\".", sums, walk.number);
        } else if (next == paths.count || strcmp(paths.at[next], path) != 0) {
            status = golden_fail(error, GOLDEN_REFUSED,
                                 "%s:%zu: names %s where %s is expected; the list holds every golden file, sorted.", sums,
                                 walk.number, path, next < paths.count ? paths.at[next] : "the end");
        } else {
            mismatch |= line_check(settings, hex, path, lines, error) != GOLDEN_OK;
            ++next;
        }
        free(path);
    }
    if (status == GOLDEN_OK && next < paths.count) {
        status = golden_fail(error, GOLDEN_REFUSED, "%s: does not list %s.", sums, paths.at[next]);
    }
    golden_names_free(&paths);
    free(data);
    free(sums);
    return status == GOLDEN_OK && mismatch ? GOLDEN_REFUSED : status;
}
