// SPDX-License-Identifier: Apache-2.0
#include "ancestry.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Reads a file of /proc whole (they have no size). Null when it cannot be read; *bytes excludes the added zero.
static char *read_whole(const char *path, size_t *bytes)
{
    int file = open(path, O_RDONLY | O_CLOEXEC);
    char *text = NULL;
    size_t used = 0;
    ssize_t got = 0;
    if (file < 0) {
        return NULL;
    }
    do {
        char *larger = realloc(text, used + 4096 + 1);
        if (larger == NULL) {
            got = -1;
            break;
        }
        text = larger;
        got = read(file, text + used, 4096);
        used += got > 0 ? (size_t)got : 0;
    } while (got > 0);
    close(file);
    if (got < 0) {
        free(text);
        return NULL;
    }
    text[used] = '\0';
    *bytes = used;
    return text;
}

bool cupel_ancestor_read(pid_t pid, cupel_ancestor *ancestor)
{
    enum { FIELD_STATE = 3, FIELD_PARENT = 4, FIELD_START = 22 };
    char path[64];
    size_t bytes = 0;
    unsigned long long values[FIELD_START + 1] = {0};
    char state = '\0';
    snprintf(path, sizeof path, "/proc/%ld/stat", (long)pid);
    char *text = read_whole(path, &bytes);
    // The program's name stands in parentheses and may itself hold spaces and parentheses: fields count from the last one.
    char *after_name = text == NULL ? NULL : strrchr(text, ')');
    char *rest = NULL;
    int field = FIELD_STATE;
    for (char *word = after_name == NULL ? NULL : strtok_r(after_name + 1, " ", &rest); word != NULL && field <= FIELD_START;
         word = strtok_r(NULL, " ", &rest)) {
        state = field == FIELD_STATE ? word[0] : state;
        values[field++] = strtoull(word, NULL, 10);
    }
    free(text);
    *ancestor = (cupel_ancestor){
        .pid = pid, .parent = (pid_t)values[FIELD_PARENT], .ended = state == 'Z' || state == 'X', .start = values[FIELD_START]};
    return field > FIELD_START;
}

static bool is_ctest(pid_t pid)
{
    char link[64];
    char target[4096];
    snprintf(link, sizeof link, "/proc/%ld/exe", (long)pid);
    ssize_t length = readlink(link, target, sizeof target - 1);
    if (length <= 0) {
        return false;
    }
    target[length] = '\0';
    const char *slash = strrchr(target, '/');
    const char *name = slash == NULL ? target : slash + 1;
    return strcmp(name, "ctest") == 0 || strcmp(name, "ctest (deleted)") == 0;
}

bool cupel_ancestor_find_ctest(cupel_ancestor *ctest)
{
    cupel_ancestor ancestor;
    bool alive = cupel_ancestor_read(getpid(), &ancestor);
    while (alive && ancestor.parent > 0) {
        alive = cupel_ancestor_read(ancestor.parent, &ancestor);
        if (alive && is_ctest(ancestor.pid)) {
            *ctest = ancestor;
            return true;
        }
    }
    return false;
}

bool cupel_ancestor_matches(pid_t pid, uint64_t start)
{
    cupel_ancestor ancestor;
    bool alive = cupel_ancestor_read(getpid(), &ancestor);
    while (alive && ancestor.parent > 0) {
        alive = cupel_ancestor_read(ancestor.parent, &ancestor);
        if (alive && ancestor.pid == pid) {
            return ancestor.start == start;
        }
    }
    return false;
}

// Calls `take` with the path behind each open file of a process, until it answers true.
static bool files_walk(pid_t pid, bool (*take)(const char *path, void *context), void *context)
{
    char folder[64];
    char link[512];
    char path[4096];
    bool taken = false;
    snprintf(folder, sizeof folder, "/proc/%ld/fd", (long)pid);
    DIR *descriptors = opendir(folder);
    for (struct dirent *entry = NULL; !taken && descriptors != NULL && (entry = readdir(descriptors)) != NULL;) {
        snprintf(link, sizeof link, "%s/%s", folder, entry->d_name);
        ssize_t length = readlink(link, path, sizeof path - 1);
        path[length < 0 ? 0 : length] = '\0';
        taken = length > 0 && (size_t)length < sizeof path - 1 && take(path, context);
    }
    if (descriptors != NULL) {
        closedir(descriptors);
    }
    return taken;
}

static bool path_is(const char *path, void *wanted)
{
    return strcmp(path, wanted) == 0;
}

// Has a process above `pid` the same file open? Then it was inherited.
static bool file_inherited(pid_t pid, char *path)
{
    cupel_ancestor ancestor;
    bool alive = cupel_ancestor_read(pid, &ancestor);
    while (alive && ancestor.parent > 0) {
        if (files_walk(ancestor.parent, path_is, path)) {
            return true;
        }
        alive = cupel_ancestor_read(ancestor.parent, &ancestor);
    }
    return false;
}

typedef struct log_search {
    pid_t pid;
    char *folder;
    size_t size;
} log_search;

// Takes a log <folder>/Testing/Temporary/LastTest*.log that the process opened itself.
static bool log_take(const char *path, void *context)
{
    static const char log[] = "/Testing/Temporary/LastTest";
    const log_search *search = context;
    const char *at = strstr(path, log);
    for (const char *next = at; next != NULL; next = strstr(at + 1, log)) {
        at = next;
    }
    if (at == NULL || at == path || (size_t)(at - path) >= search->size || file_inherited(search->pid, (char *)(uintptr_t)path)) {
        return false;
    }
    memcpy(search->folder, path, (size_t)(at - path));
    search->folder[at - path] = '\0';
    return true;
}

// ctest keeps its log open while tests run. Its working directory tells less: it is another one while ctest starts a test.
bool cupel_ancestor_ctest_folder(pid_t pid, char *folder, size_t size)
{
    char link[64];
    log_search search = {pid, folder, size};
    if (files_walk(pid, log_take, &search)) {
        return true;
    }
    snprintf(link, sizeof link, "/proc/%ld/cwd", (long)pid);
    ssize_t length = readlink(link, folder, size - 1);
    folder[length < 0 ? 0 : length] = '\0';
    return length > 0 && (size_t)length < size - 1;
}

bool cupel_command_read(pid_t pid, cupel_command *command)
{
    char path[64];
    size_t bytes = 0;
    memset(command, 0, sizeof *command);
    snprintf(path, sizeof path, "/proc/%ld/cmdline", (long)pid);
    command->text = read_whole(path, &bytes);
    if (command->text == NULL) {
        return false;
    }
    for (size_t at = 0; at < bytes; at += strlen(command->text + at) + 1) {
        if (command->count == CUPEL_COMMAND_MAX) {
            cupel_command_free(command);
            return false;
        }
        command->words[command->count++] = command->text + at;
    }
    return command->count > 0;
}

void cupel_command_free(cupel_command *command)
{
    free(command->text);
    memset(command, 0, sizeof *command);
}
