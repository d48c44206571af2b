// SPDX-License-Identifier: Apache-2.0
// Opens a run: a fresh directory, a nonce, and open.json, which names the ctest process that the run belongs to.
#include "gate.h"

#include "ancestry.h"
#include "open_run.h"
#include "report.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static bool random_hex(char *hex, size_t digits)
{
    unsigned char bytes[CUPEL_NONCE_HEX / 2];
    if (getrandom(bytes, digits / 2, 0) != (ssize_t)(digits / 2)) {
        return false;
    }
    for (size_t i = 0; i < digits / 2; ++i) {
        snprintf(hex + 2 * i, 3, "%02x", bytes[i]);
    }
    return true;
}

// Makes each missing folder of `path`.
static bool make_folders(const char *path)
{
    char *partial = strdup(path);
    bool made = partial != NULL;
    for (char *slash = made ? strchr(partial + 1, '/') : NULL; made && slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        made = mkdir(partial, 0755) == 0 || errno == EEXIST;
        *slash = '/';
    }
    made = made && (mkdir(partial, 0755) == 0 || errno == EEXIST);
    free(partial);
    return made;
}

static json_t *command_json(const cupel_command *command)
{
    json_t *words = json_array();
    for (int i = 0; i < command->count; ++i) {
        json_t *word = json_string(command->words[i]);
        json_array_append_new(words, word != NULL ? word : json_string("(not UTF-8)"));
    }
    return words;
}

static json_t *run_json(const cupel_gate_options *options, const cupel_gate_run *run, const struct tm *now,
                        const cupel_ancestor *ctest, const cupel_command *command)
{
    char started[32];
    strftime(started, sizeof started, "%Y-%m-%dT%H:%M:%SZ", now);
    return json_pack("{s:s, s:s, s:s, s:s, s:s, s:I, s:I, s:o}", "schema", "cupel-run 1", "run", run->run, "nonce", run->nonce,
                     "profile", options->profile, "started", started, "ctest_pid", (json_int_t)ctest->pid, "ctest_start",
                     (json_int_t)ctest->start, "command", command_json(command));
}

// A run that another ctest process left behind may be replaced; a running one may not.
static bool clear_stale(const char *path, const cupel_gate_options *options, char *reason, size_t size)
{
    cupel_open_run stale;
    cupel_ancestor owner;
    if (!cupel_open_run_read(options->tree, options->profile, &stale, reason, size)) {
        return false;
    }
    bool alive = cupel_ancestor_read(stale.ctest_pid, &owner) && !owner.ended && owner.start == stale.ctest_start;
    if (alive) {
        snprintf(reason, size, "%s: run %s of profile %s is still open, by ctest process %ld: wait for it to end", path, stale.run,
                 options->profile, (long)stale.ctest_pid);
    }
    cupel_open_run_free(&stale);
    return !alive && unlink(path) == 0;
}

// Publishes the open run. link() fails when the name exists, so two runs cannot both believe that they are open.
static bool publish(const char *home, json_t *document, const cupel_gate_options *options, char *reason, size_t size)
{
    char name[64];
    snprintf(name, sizeof name, "open.json.%ld", (long)getpid());
    char *draft = cupel_path(home, name);
    char *path = cupel_path(home, "open.json");
    bool published = false;
    if (!cupel_json_write(draft, document)) {
        snprintf(reason, size, "%s cannot be written: %s", draft, strerror(errno));
    } else {
        published = link(draft, path) == 0;
        if (!published && errno == EEXIST && clear_stale(path, options, reason, size)) {
            published = link(draft, path) == 0;
        }
        if (!published && reason[0] == '\0') {
            snprintf(reason, size, "%s cannot be made: %s", path, strerror(errno));
        }
    }
    unlink(draft);
    free(draft);
    free(path);
    return published;
}

static bool tree_exists(const cupel_gate_options *options, char *reason, size_t size)
{
    struct stat status;
    if (stat(options->tree, &status) == 0 && S_ISDIR(status.st_mode)) {
        return true;
    }
    snprintf(reason, size, "%s is not a build tree that can be read: %s; configure it again or name the right one", options->tree,
             errno == 0 ? "not a folder" : strerror(errno));
    return false;
}

// The folder that holds the runs: <tree>/cupel/<profile>, or <CUPEL_EVIDENCE>/<profile> when that is set.
// Each test of the run has a working directory of its own, so that a relative path would name several folders.
static char *runs_folder(const cupel_gate_options *options, const char *home, char *reason, size_t size)
{
    const char *evidence = getenv("CUPEL_EVIDENCE");
    if (evidence != NULL && evidence[0] != '\0' && evidence[0] != '/') {
        snprintf(reason, size, "CUPEL_EVIDENCE is \"%.300s\", which is no absolute path: give the whole path of the folder",
                 evidence);
        return NULL;
    }
    return evidence != NULL && evidence[0] != '\0' ? cupel_path(evidence, options->profile) : strdup(home);
}

static bool make_run_directory(cupel_gate_run *run, const char *folder, const struct tm *now, char *reason, size_t size)
{
    char stamp[20];
    char tail[9];
    if (!random_hex(tail, 8) || !random_hex(run->nonce, CUPEL_NONCE_HEX)) {
        snprintf(reason, size, "the system has no random numbers: %s", strerror(errno));
        return false;
    }
    strftime(stamp, sizeof stamp, "%Y%m%dT%H%M%SZ", now);
    snprintf(run->run, sizeof run->run, "%s-%s", stamp, tail);
    run->directory = cupel_path(folder, run->run);
    if (!make_folders(folder) || mkdir(run->directory, 0755) != 0) {
        snprintf(reason, size, "%s cannot be made: %s; make the evidence directory writable or name another", run->directory,
                 strerror(errno));
        return false;
    }
    return true;
}

static bool write_records(const cupel_gate_options *options, const char *home, cupel_gate_run *run, const struct tm *now,
                          const cupel_ancestor *ctest, const cupel_command *command, char *reason, size_t size)
{
    char *path = cupel_path(run->directory, "run.json");
    json_t *document = run_json(options, run, now, ctest, command);
    bool written = cupel_json_write(path, document);
    if (!written) {
        snprintf(reason, size, "%s cannot be written: %s", path, strerror(errno));
    } else {
        json_object_set_new(document, "directory", json_string(run->directory));
        written = make_folders(home) && publish(home, document, options, reason, size);
    }
    json_decref(document);
    free(path);
    return written;
}

bool cupel_gate_open_run(const cupel_gate_options *options, cupel_gate_run *run, char *reason, size_t size)
{
    cupel_ancestor ctest;
    cupel_command command;
    struct tm now;
    time_t seconds = time(NULL);
    bool opened = false;
    reason[0] = '\0';
    errno = 0;
    if (!tree_exists(options, reason, size)) {
        return false;
    }
    if (!cupel_ancestor_find_ctest(&ctest) || !cupel_command_read(ctest.pid, &command)) {
        snprintf(reason, size, "the device test of profile %s was not started by ctest: use ctest -L %s or cupel run %s",
                 options->profile, options->profile, options->profile);
        return false;
    }
    gmtime_r(&seconds, &now);
    char *cupel = cupel_path(options->tree, "cupel");
    char *home = cupel_path(cupel, options->profile);
    char *folder = runs_folder(options, home, reason, size);
    if (folder == NULL && reason[0] == '\0') {
        snprintf(reason, size, "out of memory");
    } else if (folder != NULL) {
        opened = make_run_directory(run, folder, &now, reason, size) &&
                 write_records(options, home, run, &now, &ctest, &command, reason, size);
    }
    free(folder);
    free(home);
    free(cupel);
    cupel_command_free(&command);
    return opened;
}
