// SPDX-License-Identifier: Apache-2.0
#include "source.h"

#include "evidence_process.h"
#include "source_list.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CHANGES_SHOWN = 20, LIST_BYTES_MAX = 1 << 24, COMMIT_MAX = 64 };
static const double GIT_LIMIT_SECONDS = 120.0;

// git on the repository in a directory, whatever the variables say that would point it to another repository, index or work tree.
#define GIT_ON(directory)                                                                                                          \
    "env", "-u", "GIT_DIR", "-u", "GIT_WORK_TREE", "-u", "GIT_INDEX_FILE", "-u", "GIT_COMMON_DIR", "-u", "GIT_OBJECT_DIRECTORY",   \
        "git", "--no-replace-objects", "-C", (directory)

// Output of a git command on the repository in `directory`; null when it failed.
static char *git_output(const char *directory, const char *const *words)
{
    const char *argv[32] = {GIT_ON(directory)};
    size_t count = 0;
    while (argv[count] != NULL) {
        ++count;
    }
    for (size_t i = 0; words[i] != NULL && count < 31; ++i) {
        argv[count++] = words[i];
    }
    argv[count] = NULL;
    return evidence_process_output(argv, GIT_LIMIT_SECONDS, LIST_BYTES_MAX);
}

static char *git_line(const char *directory, const char *const *words)
{
    char *text = git_output(directory, words);
    if (text != NULL) {
        text[strcspn(text, "\n")] = '\0';
    }
    return text;
}

// The description of a list whose files are hashed. Takes the reference to `changes`.
static json_t *describe(const evidence_source_list *list, const char *kind, const char *commit, json_t *changes)
{
    char all[CUPEL_SHA256_HEX];
    char qualifying[CUPEL_SHA256_HEX];
    if (!evidence_source_list_sum(list, false, all) || !evidence_source_list_sum(list, true, qualifying)) {
        json_decref(changes);
        return NULL;
    }
    return json_pack("{s:s, s:s, s:s, s:b, s:o, s:I, s:s, s:s}", "schema", EVIDENCE_SOURCE_SCHEMA, "kind", kind, "commit", commit,
                     "clean", json_array_size(changes) == 0, "changes", changes, "files", (json_int_t)list->count, "sha256", all,
                     "qualifying_sha256", qualifying);
}

// Names ended by `separator`.
static bool names_add(evidence_source_list *list, const char *text, char separator)
{
    bool good = true;
    while (good && *text != '\0') {
        const char *end = strchr(text, separator);
        const size_t length = end != NULL ? (size_t)(end - text) : strlen(text);
        good = length == 0 || evidence_source_list_add(list, text, length);
        text += length + (end != NULL);
    }
    return good;
}

// `git ls-files -z` ends names with NUL, which a text buffer cannot hold; quoting is turned off instead and names with a line end
// are refused by their quotes.
static char *git_files(const char *directory)
{
    const char *const words[] = {"-c", "core.quotePath=false", "ls-files", NULL};
    return git_output(directory, words);
}

// Adds `line` unless it is there or enough are.
static void change_add(json_t *changes, const char *line)
{
    const json_t *known = NULL;
    size_t at = 0;
    json_array_foreach(changes, at, known)
    {
        if (strcmp(json_string_value(known), line) == 0) {
            return;
        }
    }
    if (at < CHANGES_SHOWN) {
        json_array_append_new(changes, json_string(line));
    }
}

static bool line_counts(const char *line)
{
    (void)line;
    return true;
}

// Of `git ls-files -v`: a file that git was told to take for unchanged, whatever it holds.
static bool line_is_masked(const char *line)
{
    return (line[0] >= 'a' && line[0] <= 'z') || line[0] == 'S';
}

// What git status shows, and what it can be told not to show: files marked as unchanged, and untracked files of the folders that
// qualify which only this clone's own lists ignore (builds collect sources by name, so they would be compiled). Such a list is also
// a .gitignore that no commit has, which may ignore itself.
static json_t *git_changes(const char *directory)
{
    const char *const status[] = {"status", "--porcelain", "--untracked-files=normal", NULL};
    const char *const masked[] = {"-c", "core.quotePath=false", "ls-files", "-v", NULL};
    const char *const ignored[] = {"ls-files",
                                   "--others",
                                   "--directory",
                                   "--no-empty-directory",
                                   "--exclude-per-directory=.gitignore",
                                   "--",
                                   "src",
                                   "backends",
                                   "tests",
                                   "golden",
                                   "cmake",
                                   NULL};
    const char *const lists[] = {"ls-files",
                                 "--others",
                                 "--",
                                 ":(glob)src/**/.gitignore",
                                 ":(glob)backends/**/.gitignore",
                                 ":(glob)tests/**/.gitignore",
                                 ":(glob)golden/**/.gitignore",
                                 ":(glob)cmake/**/.gitignore",
                                 NULL};
    const struct {
        const char *const *words;
        const char *prefix;
        bool (*counts)(const char *line);
    } listings[] = {
        {status, "", line_counts}, {masked, "", line_is_masked}, {ignored, "?? ", line_counts}, {lists, "?? ", line_counts}};
    json_t *changes = json_array();
    for (size_t i = 0; i < sizeof listings / sizeof listings[0]; ++i) {
        char *text = git_output(directory, listings[i].words);
        char *rest = NULL;
        if (text == NULL) {
            json_decref(changes);
            return NULL;
        }
        for (char *line = strtok_r(text, "\n", &rest); line != NULL; line = strtok_r(NULL, "\n", &rest)) {
            char change[PATH_MAX];
            if (listings[i].counts(line)) {
                snprintf(change, sizeof change, "%s%s", listings[i].prefix, line);
                change_add(changes, change);
            }
        }
        free(text);
    }
    return changes;
}

static json_t *describe_git(const char *directory, char message[EVIDENCE_MESSAGE])
{
    const char *const head[] = {"rev-parse", "HEAD", NULL};
    evidence_source_list list = {0};
    const char *failed = NULL;
    json_t *description = NULL;
    char *commit = git_line(directory, head);
    char *names = git_files(directory);
    json_t *changes = git_changes(directory);
    if (commit == NULL || names == NULL || changes == NULL || !names_add(&list, names, '\n')) {
        evidence_say(message, "git cannot describe %s; check that git is installed and may read this repository.", directory);
        json_decref(changes);
    } else {
        evidence_source_list_sort(&list);
        if (!evidence_source_list_hash(&list, directory, &failed)) {
            // A tracked file that is gone makes the tree unclean, which `changes` says; there is no hash to give.
            evidence_say(message, "the tracked file %s of %s cannot be read (%s); restore it.", failed, directory, strerror(errno));
            json_decref(changes);
        } else {
            description = describe(&list, "git", commit, changes);
        }
    }
    evidence_source_list_free(&list);
    free(names);
    free(commit);
    return description;
}

// Reads the rows of SOURCE.sha256 into `list`, with hashes, and the commit of its first line.
static bool list_read(const char *path, evidence_source_list *list, char commit[COMMIT_MAX + 1])
{
    cupel_file file;
    unsigned long long files = 0;
    char *rest = NULL;
    bool ended = false;
    if (cupel_file_read(path, LIST_BYTES_MAX, &file) != NULL) {
        return false;
    }
    char *line = strtok_r(file.bytes, "\n", &rest);
    bool good = line != NULL && sscanf(line, "#cupel-source 1 commit=%64[0-9a-f] files=%llu", commit, &files) == 2;
    while (good && (line = strtok_r(NULL, "\n", &rest)) != NULL) {
        if (strcmp(line, "#end") == 0) {
            ended = strtok_r(NULL, "\n", &rest) == NULL;
            break;
        }
        good = strlen(line) > 66 && strspn(line, "0123456789abcdef") == 64 && strncmp(line + 64, "  ", 2) == 0 &&
               evidence_source_list_add(list, line + 66, strlen(line + 66));
        if (good) {
            memcpy(list->files[list->count - 1].sha256, line, 64);
            list->files[list->count - 1].sha256[64] = '\0';
        }
    }
    cupel_file_free(&file);
    return good && ended && list->count == files && files > 0;
}

static json_t *describe_list(const char *directory, const char *path, char message[EVIDENCE_MESSAGE])
{
    evidence_source_list listed = {0};
    char commit[COMMIT_MAX + 1] = "";
    json_t *description = NULL;
    json_t *changes = json_array();
    if (!list_read(path, &listed, commit)) {
        evidence_say(message, "%s is not in the documented form; write it again with cupel source --write in a clean clone.", path);
        json_decref(changes);
        evidence_source_list_free(&listed);
        return NULL;
    }
    for (size_t i = 0; i < listed.count; ++i) {
        char file[PATH_MAX];
        char hex[CUPEL_SHA256_HEX];
        if (!evidence_path(file, "%s/%s", directory, listed.files[i].path) || !cupel_file_sha256(file, hex, NULL)) {
            json_array_append_new(changes, json_sprintf(" D %s", listed.files[i].path));
        } else if (strcmp(hex, listed.files[i].sha256) != 0) {
            json_array_append_new(changes, json_sprintf(" M %s", listed.files[i].path));
            memcpy(listed.files[i].sha256, hex, sizeof hex);
        }
    }
    description = describe(&listed, "list", commit, changes);
    evidence_source_list_free(&listed);
    return description;
}

json_t *evidence_source_describe(const char *directory, char message[EVIDENCE_MESSAGE])
{
    char path[PATH_MAX];
    if (evidence_path(path, "%s/.git", directory) && access(path, F_OK) == 0) {
        return describe_git(directory, message);
    }
    if (evidence_path(path, "%s/" EVIDENCE_SOURCE_LIST, directory) && access(path, F_OK) == 0) {
        return describe_list(directory, path, message);
    }
    evidence_say(message,
                 "%s has neither .git nor %s, so nothing says which source it is; use a clone, or write the list with cupel "
                 "source --write in a clean clone.",
                 directory, EVIDENCE_SOURCE_LIST);
    return NULL;
}

// Hashes the files of an archive that was unpacked in `folder`.
static json_t *describe_folder(const char *folder, const char *commit)
{
    evidence_source_list list = {0};
    const char *failed = NULL;
    json_t *description = NULL;
    if (evidence_source_list_walk(&list, folder) && evidence_source_list_hash(&list, folder, &failed)) {
        description = describe(&list, "git", commit, json_array());
    }
    evidence_source_list_free(&list);
    return description;
}

static bool run_quietly(const char *const *argv)
{
    char *output = evidence_process_output(argv, GIT_LIMIT_SECONDS, 1024);
    free(output);
    return output != NULL;
}

json_t *evidence_source_of_commit(const char *directory, const char *commit, char message[EVIDENCE_MESSAGE])
{
    char folder[] = "/tmp/cupel-source-XXXXXX";
    char archive[PATH_MAX];
    char tree[PATH_MAX];
    char name[COMMIT_MAX + 16];
    json_t *description = NULL;
    snprintf(name, sizeof name, "%.*s^{commit}", COMMIT_MAX, commit);
    const char *const resolve[] = {"rev-parse", "--verify", "--quiet", name, NULL};
    char *id = git_line(directory, resolve);
    if (id == NULL || mkdtemp(folder) == NULL) {
        evidence_say(message,
                     id == NULL ? "%s is no commit of the repository %s; fetch it or name another with --source."
                                : "no temporary folder can be made for commit %s of %s.",
                     commit, directory);
        free(id);
        return NULL;
    }
    evidence_path(archive, "%s/archive.tar", folder);
    evidence_path(tree, "%s/tree", folder);
    const char *const write_archive[] = {GIT_ON(directory), "archive", "--format=tar", "-o", archive, id, NULL};
    const char *const unpack[] = {"tar", "-xf", archive, "-C", tree, NULL};
    const char *const forget[] = {"rm", "-rf", "--", folder, NULL};
    if (run_quietly(write_archive) && evidence_directory_create(tree) && run_quietly(unpack)) {
        description = describe_folder(tree, id);
    }
    if (description == NULL) {
        evidence_say(message, "the files of commit %s of %s cannot be read; check the repository with git fsck.", id, directory);
    }
    if (!run_quietly(forget)) {
        fprintf(stderr, "cupel: the temporary folder %s could not be removed; remove it.\n", folder);
    }
    free(id);
    return description;
}

bool evidence_source_bears(const char *directory, const char *path)
{
    char root[PATH_MAX];
    char inside[PATH_MAX];
    char git[PATH_MAX];
    if (realpath(directory, root) == NULL || realpath(path, inside) == NULL || !evidence_path(git, "%s/.git", root) ||
        access(git, F_OK) != 0) {
        return true; // no clone: a list of hashes has no place for other files
    }
    const size_t length = strlen(root);
    if (strncmp(inside, root, length) != 0 || (inside[length] != '/' && inside[length] != '\0')) {
        return true;
    }
    const char *const ignored[] = {"check-ignore", "--quiet", "--", inside, NULL};
    char *output = git_output(root, ignored);
    free(output);
    return output != NULL;
}

bool evidence_source_write(const char *directory, char message[EVIDENCE_MESSAGE])
{
    evidence_source_list list = {0};
    const char *const head[] = {"rev-parse", "HEAD", NULL};
    const char *failed = NULL;
    char *text = NULL;
    size_t length = 0;
    bool written = false;
    char *commit = git_line(directory, head);
    char *names = git_files(directory);
    json_t *changes = git_changes(directory);
    if (commit == NULL || names == NULL || changes == NULL || json_array_size(changes) > 0) {
        evidence_say(message, "%s is not a clean clone; commit or remove what git status shows, then write the list.", directory);
    } else if (!names_add(&list, names, '\n') ||
               (evidence_source_list_sort(&list), !evidence_source_list_hash(&list, directory, &failed))) {
        evidence_say(message, "a tracked file of %s cannot be read (%s).", directory, strerror(errno));
    } else {
        FILE *out = open_memstream(&text, &length);
        if (out != NULL) {
            fprintf(out, "#cupel-source 1 commit=%s files=%zu\n", commit, list.count);
            for (size_t i = 0; i < list.count; ++i) {
                fprintf(out, "%s  %s\n", list.files[i].sha256, list.files[i].path);
            }
            fprintf(out, "#end\n");
            written = fclose(out) == 0 && evidence_file_write(directory, EVIDENCE_SOURCE_LIST, text, length, EVIDENCE_REPLACE);
        }
        if (!written) {
            evidence_say(message, "%s/%s cannot be written (%s).", directory, EVIDENCE_SOURCE_LIST, strerror(errno));
        }
    }
    json_decref(changes);
    evidence_source_list_free(&list);
    free(text);
    free(names);
    free(commit);
    return written;
}
