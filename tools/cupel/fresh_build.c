// SPDX-License-Identifier: Apache-2.0
#include "fresh_build.h"

#include "attempt_receipt.h"
#include "provenance.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LINE_MAX_BYTES = 1 << 16, EXECUTABLE_BYTES_MAX = 1 << 30 };
static const double CONFIGURE_LIMIT_SECONDS = 600.0;
static const double BUILD_LIMIT_SECONDS = 3600.0;
static const double REMOVE_LIMIT_SECONDS = 300.0;
static const char LANE_AFTER[] = "after"; // the folder is removed whatever became of the lane

// Runs the words, an array of texts, as a step. False when it did not pass: then the attempt says so, or a sentence in `message`
// says why it could not be recorded.
static bool step_take(const evidence_attempt *attempt, const char *lane, const char *label, const json_t *words,
                      double limit_seconds, char message[EVIDENCE_MESSAGE])
{
    evidence_process_result process;
    const size_t count = json_array_size(words);
    const char **argv = calloc(count + 1, sizeof *argv);
    bool passed = false;
    if (argv != NULL) {
        for (size_t i = 0; i < count; ++i) {
            argv[i] = json_string_value(json_array_get(words, i));
        }
        const evidence_step step = {.label = label, .lane = lane, .process = {.argv = argv, .limit_seconds = limit_seconds}};
        const evidence_outcome outcome = evidence_step_run(attempt, &step, &process, message);
        passed = outcome == EVIDENCE_STEP_PASSED;
        if (outcome == EVIDENCE_STEP_FAILED) {
            message[0] = '\0';
        }
    }
    free(argv);
    return passed;
}

// True for an entry of the cache, "NAME:TYPE=VALUE", that a person or a search set: what CMake keeps for itself is left out, and so
// are what lies in the old tree and SITE, which is the host's name and decides nothing.
static bool is_option(const char *line, const char *build)
{
    static const char *const types[] = {":BOOL=", ":STRING=", ":PATH=", ":FILEPATH=", ":UNINITIALIZED="};
    const char *type = strchr(line, ':');
    const size_t length = strlen(build);
    for (size_t i = 0; type != NULL && line[0] != '/' && line[0] != '#' && i < sizeof types / sizeof types[0]; ++i) {
        const char *value = type + strlen(types[i]);
        if (strncmp(type, types[i], strlen(types[i])) == 0) {
            return strncmp(line, "SITE:", strlen("SITE:")) != 0 &&
                   !(strncmp(value, build, length) == 0 && (value[length] == '/' || value[length] == '\0'));
        }
    }
    return false;
}

// Appends "-DNAME:TYPE=VALUE" for each entry of the tree's cache that decides what is built. False when the cache cannot be read.
static bool options_append(const char *build, json_t *words)
{
    char path[PATH_MAX];
    char *line = malloc(LINE_MAX_BYTES);
    FILE *cache = evidence_path(path, "%s/CMakeCache.txt", build) ? fopen(path, "r") : NULL;
    const bool good = cache != NULL && line != NULL;
    while (good && fgets(line, LINE_MAX_BYTES, cache) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        if (is_option(line, build)) {
            json_array_append_new(words, json_sprintf("-D%s", line));
        }
    }
    if (cache != NULL) {
        fclose(cache);
    }
    free(line);
    return good;
}

static bool configure(const evidence_attempt *attempt, const cupel_plan *plan, const char *profile, const char *folder,
                      char message[EVIDENCE_MESSAGE])
{
    json_t *configuration = evidence_configuration_read(plan->build);
    const char *generator = json_string_value(json_object_get(configuration, "CMAKE_GENERATOR"));
    json_t *words = json_pack("[s, s, s, s, s]", "cmake", "-S", plan->source, "-B", folder);
    if (generator != NULL) {
        json_array_append_new(words, json_string("-G"));
        json_array_append_new(words, json_string(generator));
    }
    bool passed = false;
    if (!options_append(plan->build, words)) {
        evidence_say(message, "%s/CMakeCache.txt cannot be read (%s); configure and build again.", plan->build, strerror(errno));
    } else {
        passed = step_take(attempt, profile, EVIDENCE_STEP_CONFIGURE, words, CONFIGURE_LIMIT_SECONDS, message);
    }
    json_decref(words);
    json_decref(configuration);
    return passed;
}

// Builds what the profile needs and nothing else, or everything.
static bool build(const evidence_attempt *attempt, const char *profile, const char *folder, bool everything,
                  char message[EVIDENCE_MESSAGE])
{
    json_t *words =
        json_pack("[s, s, s, s, o]", "cmake", "--build", folder, "--parallel", json_sprintf("%ld", sysconf(_SC_NPROCESSORS_ONLN)));
    if (!everything) {
        json_array_append_new(words, json_string("--target"));
        json_array_append_new(words, json_sprintf("cupel-profile-%s", profile));
    }
    const bool passed = step_take(attempt, profile, EVIDENCE_STEP_BUILD, words, BUILD_LIMIT_SECONDS, message);
    json_decref(words);
    return passed;
}

bool cupel_fresh_build_make(const evidence_attempt *attempt, const cupel_plan *plan, const char *profile, bool everything,
                            cupel_fresh_build *fresh, char message[EVIDENCE_MESSAGE])
{
    char trouble[CUPEL_PLAN_MESSAGE];
    const char *parent = getenv("TMPDIR");
    *fresh = (cupel_fresh_build){0};
    if (!evidence_path(fresh->folder, "%s/cupel-build-XXXXXX", parent != NULL && parent[0] == '/' ? parent : P_tmpdir) ||
        mkdtemp(fresh->folder) == NULL) {
        evidence_say(message, "no folder for a fresh build can be made as %s (%s); free space there or set TMPDIR.", fresh->folder,
                     strerror(errno));
        fresh->folder[0] = '\0';
        return false;
    }
    if (!configure(attempt, plan, profile, fresh->folder, message) ||
        !build(attempt, profile, fresh->folder, everything, message)) {
        return false;
    }
    if (!cupel_plan_read(fresh->folder, &fresh->plan, trouble)) {
        evidence_say(message, "%s", trouble);
        return false;
    }
    fresh->profile = cupel_plan_find(&fresh->plan, profile);
    if (fresh->profile == NULL) {
        evidence_say(message, "the fresh build has no profile %s; configure the tree again.", profile);
    }
    return fresh->profile != NULL;
}

bool cupel_fresh_build_end(const evidence_attempt *attempt, cupel_fresh_build *fresh, char message[EVIDENCE_MESSAGE])
{
    bool removed = true;
    cupel_plan_free(&fresh->plan);
    if (fresh->folder[0] != '\0') {
        json_t *words = json_pack("[s, s, s, s]", "rm", "-rf", "--", fresh->folder);
        removed = step_take(attempt, LANE_AFTER, EVIDENCE_STEP_REMOVE, words, REMOVE_LIMIT_SECONDS, message);
        json_decref(words);
    }
    *fresh = (cupel_fresh_build){0};
    return removed;
}

static bool file_keep(const char *folder, const char *path)
{
    cupel_file file;
    const char *slash = strrchr(path, '/');
    if (cupel_file_read(path, EXECUTABLE_BYTES_MAX, &file) != NULL) {
        errno = EIO;
        return false;
    }
    // A library that several executables load is kept once.
    const bool kept =
        evidence_file_write(folder, slash != NULL ? slash + 1 : path, file.bytes, file.length, EVIDENCE_NEW) || errno == EEXIST;
    const int error = errno;
    cupel_file_free(&file);
    errno = error;
    return kept;
}

bool cupel_build_keep(const evidence_attempt *attempt, const cupel_plan *plan, const cupel_plan_profile *profile)
{
    char folder[PATH_MAX];
    char message[EVIDENCE_MESSAGE];
    bool kept = evidence_path(folder, "%s/" EVIDENCE_BUILD_KEPT, attempt->path) && evidence_directory_create(folder);
    for (size_t i = 0; kept && i < profile->suite_count; ++i) {
        kept = file_keep(folder, profile->suites[i].executable);
    }
    json_t *provenance = kept ? evidence_provenance_describe(plan, profile, message) : NULL;
    const json_t *executable = NULL;
    size_t e = 0;
    json_array_foreach(json_object_get(provenance, "executables"), e, executable)
    {
        const json_t *library = NULL;
        size_t l = 0;
        json_array_foreach(json_object_get(executable, "libraries"), l, library)
        {
            char *resolved = json_is_true(json_object_get(library, "of_build"))
                                 ? realpath(json_string_value(json_object_get(library, "path")), NULL)
                                 : NULL;
            kept = kept && (resolved == NULL || file_keep(folder, resolved));
            free(resolved);
        }
    }
    json_decref(provenance);
    return kept;
}
