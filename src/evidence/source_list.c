// SPDX-License-Identifier: Apache-2.0
#include "source_list.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// A change to one of these voids a receipt; everything else, such as docs, does not.
static const char *const QUALIFYING[] = {"src/", "backends/", "tests/", "golden/", "cmake/", "CMakeLists.txt", "CMakePresets.json"};

static bool is_qualifying(const char *path)
{
    for (size_t i = 0; i < sizeof QUALIFYING / sizeof QUALIFYING[0]; ++i) {
        const size_t length = strlen(QUALIFYING[i]);
        const bool is_folder = QUALIFYING[i][length - 1] == '/';
        if (is_folder ? strncmp(path, QUALIFYING[i], length) == 0 : strcmp(path, QUALIFYING[i]) == 0) {
            return true;
        }
    }
    return false;
}

bool evidence_source_list_add(evidence_source_list *list, const char *path, size_t length)
{
    if (list->count == list->capacity) {
        const size_t capacity = list->capacity > 0 ? 2 * list->capacity : 256;
        evidence_source_file *files = realloc(list->files, capacity * sizeof *files);
        if (files == NULL) {
            return false;
        }
        list->files = files;
        list->capacity = capacity;
    }
    evidence_source_file *file = &list->files[list->count];
    *file = (evidence_source_file){strndup(path, length), ""};
    list->count += file->path != NULL;
    return file->path != NULL;
}

static int compare_paths(const void *a, const void *b)
{
    return strcmp(((const evidence_source_file *)a)->path, ((const evidence_source_file *)b)->path);
}

void evidence_source_list_sort(evidence_source_list *list)
{
    if (list->count > 1) {
        qsort(list->files, list->count, sizeof *list->files, compare_paths);
    }
}

// Adds the entries of one folder but `skipped`; folders found are added with a final '/' and walked later by the caller's loop.
static bool folder_add(evidence_source_list *list, const char *directory, const char *folder, const char *skipped)
{
    char path[PATH_MAX];
    struct stat status;
    const struct dirent *entry = NULL;
    DIR *stream = evidence_path(path, "%s/%s", directory, folder) ? opendir(path) : NULL;
    bool good = stream != NULL;
    while (good && (entry = readdir(stream)) != NULL) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0 || strcmp(entry->d_name, skipped) == 0) {
            continue;
        }
        good = evidence_path(path, "%s/%s%s", directory, folder, entry->d_name) && lstat(path, &status) == 0;
        if (good) {
            const char *relative = path + strlen(directory) + 1;
            const size_t length = strlen(relative);
            if (S_ISDIR(status.st_mode)) {
                memcpy(path + strlen(path), "/", 2);
            }
            good = evidence_source_list_add(list, relative, length + (S_ISDIR(status.st_mode) ? 1 : 0));
        }
    }
    if (stream != NULL) {
        closedir(stream);
    }
    return good;
}

// Walks everything but `skipped`; folders without an entry are added to `empty` when it is not null.
static bool walk(evidence_source_list *list, evidence_source_list *empty, const char *directory, const char *skipped)
{
    evidence_source_list found = {0};
    bool good = folder_add(&found, directory, "", skipped);
    for (size_t i = 0; good && i < found.count; ++i) {
        char folder[PATH_MAX];
        const size_t length = strlen(found.files[i].path);
        const size_t before = found.count;
        if (found.files[i].path[length - 1] != '/') {
            good = evidence_source_list_add(list, found.files[i].path, length);
            continue;
        }
        // A copy: adding entries may move the list.
        good = evidence_path(folder, "%s", found.files[i].path) && folder_add(&found, directory, folder, skipped);
        if (good && empty != NULL && found.count == before) {
            good = evidence_source_list_add(empty, folder, length - 1);
        }
    }
    evidence_source_list_free(&found);
    evidence_source_list_sort(list);
    return good;
}

bool evidence_source_list_walk(evidence_source_list *list, const char *directory)
{
    return walk(list, NULL, directory, ".git");
}

bool evidence_source_list_walk_whole(evidence_source_list *list, evidence_source_list *empty, const char *directory)
{
    return walk(list, empty, directory, "");
}

bool evidence_source_list_hash(evidence_source_list *list, const char *directory, const char **failed)
{
    for (size_t i = 0; i < list->count; ++i) {
        char path[PATH_MAX];
        char target[PATH_MAX];
        evidence_source_file *file = &list->files[i];
        bool good = evidence_path(path, "%s/%s", directory, file->path);
        const ssize_t length = good ? readlink(path, target, sizeof target) : -1;
        if (good && length >= 0) {
            good = evidence_bytes_sha256(target, (size_t)length, file->sha256);
        } else if (good) {
            good = cupel_file_sha256(path, file->sha256, NULL);
        }
        if (!good) {
            *failed = file->path;
            return false;
        }
    }
    return true;
}

bool evidence_source_list_sum(const evidence_source_list *list, bool qualifying_only, char hex[CUPEL_SHA256_HEX])
{
    char *text = NULL;
    size_t length = 0;
    FILE *rows = open_memstream(&text, &length);
    for (size_t i = 0; rows != NULL && i < list->count; ++i) {
        if (!qualifying_only || is_qualifying(list->files[i].path)) {
            fprintf(rows, "%s  %s\n", list->files[i].sha256, list->files[i].path);
        }
    }
    const bool done = rows != NULL && fclose(rows) == 0 && evidence_bytes_sha256(text, length, hex);
    free(text);
    return done;
}

void evidence_source_list_free(evidence_source_list *list)
{
    for (size_t i = 0; i < list->count; ++i) {
        free(list->files[i].path);
    }
    free(list->files);
    *list = (evidence_source_list){0};
}
