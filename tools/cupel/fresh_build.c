// SPDX-License-Identifier: Apache-2.0
#include "fresh_build.h"

#include "attempt_receipt.h"
#include "provenance.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { OPTIONS_MAX = 32, OPTION_LENGTH = 2048, EXECUTABLE_BYTES_MAX = 1 << 30 };
static const double CONFIGURE_LIMIT_SECONDS = 600.0;
static const double BUILD_LIMIT_SECONDS = 3600.0;
static const double REMOVE_LIMIT_SECONDS = 300.0;

static bool step_take(const evidence_attempt *attempt, const char *lane, const char *label, const char *const *argv,
                      double limit_seconds)
{
    char message[EVIDENCE_MESSAGE];
    evidence_process_result process;
    const evidence_step step = {.label = label, .lane = lane, .process = {.argv = argv, .limit_seconds = limit_seconds}};
    return evidence_step_run(attempt, &step, &process, message) == EVIDENCE_STEP_PASSED;
}

// "-DNAME=value" for each entry of the tree's cache that decides what is built. Returns how many; free each.
static size_t options_make(const json_t *configuration, char *options[OPTIONS_MAX])
{
    const char *name = NULL;
    const json_t *value = NULL;
    size_t count = 0;
    json_object_foreach((json_t *)configuration, name, value) // iteration changes nothing
    {
        char text[OPTION_LENGTH];
        if (strcmp(name, "CMAKE_GENERATOR") != 0 && count < OPTIONS_MAX) {
            snprintf(text, sizeof text, "-D%s=%s", name, json_string_value(value));
            options[count] = strdup(text);
            count += options[count] != NULL;
        }
    }
    return count;
}

static bool configure(const evidence_attempt *attempt, const cupel_plan *plan, const char *profile, const char *folder)
{
    char *options[OPTIONS_MAX];
    const char *argv[OPTIONS_MAX + 8] = {"cmake", "-S", plan->source, "-B", folder};
    size_t count = 5;
    json_t *configuration = evidence_configuration_read(plan->build);
    const char *generator = json_string_value(json_object_get(configuration, "CMAKE_GENERATOR"));
    const size_t option_count = options_make(configuration, options);
    if (generator != NULL) {
        argv[count++] = "-G";
        argv[count++] = generator;
    }
    for (size_t i = 0; i < option_count; ++i) {
        argv[count++] = options[i];
    }
    argv[count] = NULL;
    const bool passed = step_take(attempt, profile, "configure", argv, CONFIGURE_LIMIT_SECONDS);
    for (size_t i = 0; i < option_count; ++i) {
        free(options[i]);
    }
    json_decref(configuration);
    return passed;
}

bool cupel_fresh_build_make(const evidence_attempt *attempt, const cupel_plan *plan, const char *profile, cupel_fresh_build *fresh)
{
    char message[CUPEL_PLAN_MESSAGE];
    const char *parent = getenv("TMPDIR");
    *fresh = (cupel_fresh_build){0};
    if (!evidence_path(fresh->folder, "%s/cupel-build-XXXXXX", parent != NULL && parent[0] == '/' ? parent : P_tmpdir) ||
        mkdtemp(fresh->folder) == NULL) {
        fresh->folder[0] = '\0';
        return false;
    }
    const char *const build[] = {"cmake", "--build", fresh->folder, "--parallel", NULL};
    if (!configure(attempt, plan, profile, fresh->folder) || !step_take(attempt, profile, "build", build, BUILD_LIMIT_SECONDS) ||
        !cupel_plan_read(fresh->folder, &fresh->plan, message)) {
        return false;
    }
    fresh->profile = cupel_plan_find(&fresh->plan, profile);
    return fresh->profile != NULL;
}

void cupel_fresh_build_end(cupel_fresh_build *fresh)
{
    cupel_plan_free(&fresh->plan);
    if (fresh->folder[0] != '\0') {
        const char *const forget[] = {"rm", "-rf", "--", fresh->folder, NULL};
        char *output = evidence_process_output(forget, REMOVE_LIMIT_SECONDS, 1024);
        if (output == NULL) {
            fprintf(stderr, "cupel: the temporary folder %s could not be removed; remove it.\n", fresh->folder);
        }
        free(output);
    }
    *fresh = (cupel_fresh_build){0};
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
