// SPDX-License-Identifier: Apache-2.0
#include "provenance.h"

#include "build_id.h"
#include "corpora.h"
#include "evidence_process.h"
#include "source_list.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { VALUE_MAX = 1024, OUTPUT_MAX = 1 << 20, BUILD_ID_MAX = 129 };
static const double TOOL_LIMIT_SECONDS = 60.0;

// CMake cache entries that decide what the compilers are told.
static const char *const CONFIGURATION[] = {"CMAKE_BUILD_TYPE",
                                            "CMAKE_C_COMPILER",
                                            "CMAKE_C_FLAGS",
                                            "CMAKE_C_FLAGS_RELEASE",
                                            "CMAKE_C_FLAGS_DEBUG",
                                            "CMAKE_C_FLAGS_RELWITHDEBINFO",
                                            "CMAKE_CUDA_ARCHITECTURES",
                                            "CMAKE_CUDA_COMPILER",
                                            "CMAKE_CUDA_FLAGS",
                                            "CMAKE_CUDA_FLAGS_RELEASE",
                                            "CMAKE_GENERATOR",
                                            "CUPEL_CUDA",
                                            "CUPEL_OPENCL",
                                            "CUPEL_SANITIZE",
                                            "CUPEL_WERROR"};

// Files and folders of the source tree that are input of a qualification beside the code.
static const char *const INPUT_FOLDERS[] = {"golden/", "tests/manifest/"};

static bool is_configuration(const char *name, size_t length)
{
    for (size_t i = 0; i < sizeof CONFIGURATION / sizeof CONFIGURATION[0]; ++i) {
        if (strlen(CONFIGURATION[i]) == length && strncmp(CONFIGURATION[i], name, length) == 0) {
            return true;
        }
    }
    return false;
}

json_t *evidence_configuration_read(const char *build)
{
    char path[PATH_MAX];
    char line[VALUE_MAX + 256];
    json_t *configuration = json_object();
    FILE *cache = evidence_path(path, "%s/CMakeCache.txt", build) ? fopen(path, "r") : NULL;
    while (cache != NULL && fgets(line, sizeof line, cache) != NULL) {
        const size_t name = strcspn(line, ":=");
        char *equals = strchr(line, '=');
        if (equals != NULL && is_configuration(line, name)) {
            equals[1 + strcspn(equals + 1, "\n")] = '\0';
            line[name] = '\0';
            json_object_set_new(configuration, line, json_string(equals + 1));
        }
    }
    if (cache != NULL) {
        fclose(cache);
    }
    return configuration;
}

// A compiler by its path: what it says of itself, all lines. Null (JSON) when the path is not configured.
static json_t *compiler_describe(const json_t *configuration, const char *entry)
{
    const char *path = json_string_value(json_object_get(configuration, entry));
    if (path == NULL || path[0] == '\0' || strstr(path, "NOTFOUND") != NULL) {
        return json_null();
    }
    const char *const argv[] = {path, "--version", NULL};
    char *text = evidence_process_output(argv, TOOL_LIMIT_SECONDS, OUTPUT_MAX);
    json_t *compiler = json_pack("{s:s, s:s}", "path", path, "version", text != NULL ? text : "unknown");
    free(text);
    return compiler;
}

static bool is_below(const char *path, const char *folder)
{
    const size_t length = strlen(folder);
    return strncmp(path, folder, length) == 0 && path[length] == '/';
}

// One line of ldd, "name => path (address)". Null (C) for lines without a path, such as the vdso; an entry without a digest when
// the library was not found.
static json_t *library_describe(char *line, const char *build)
{
    char hex[CUPEL_SHA256_HEX];
    char *arrow = strstr(line, " => ");
    if (arrow == NULL) {
        return NULL;
    }
    *arrow = '\0';
    char *path = arrow + 4;
    path[strcspn(path, " ")] = '\0';
    char *resolved = realpath(path, NULL);
    json_t *library = NULL;
    if (resolved == NULL || !cupel_file_sha256(resolved, hex, NULL)) {
        library = json_pack("{s:s, s:n, s:n, s:b}", "name", line + strspn(line, " \t"), "path", "sha256", "of_build", 0);
    } else {
        library = json_pack("{s:s, s:s, s:s, s:b}", "name", line + strspn(line, " \t"), "path", path, "sha256", hex, "of_build",
                            is_below(path, build));
    }
    free(resolved);
    return library;
}

// Libraries that the loader would choose now, with this environment. Null after a sentence.
static json_t *libraries_describe(const char *executable, const char *build, char message[EVIDENCE_MESSAGE])
{
    const char *const argv[] = {"ldd", executable, NULL};
    char *text = evidence_process_output(argv, TOOL_LIMIT_SECONDS, OUTPUT_MAX);
    json_t *libraries = text != NULL ? json_array() : NULL;
    char *rest = NULL;
    if (text == NULL) {
        evidence_say(message, "ldd cannot tell which libraries %s loads; install it (Debian: libc-bin).", executable);
    }
    for (char *line = text != NULL ? strtok_r(text, "\n", &rest) : NULL; line != NULL; line = strtok_r(NULL, "\n", &rest)) {
        json_t *library = library_describe(line, build);
        const char *name = json_string_value(json_object_get(library, "name"));
        if (library != NULL) {
            json_array_append_new(libraries, library);
        }
        // The core under test must be the one that was built.
        if (name != NULL && strncmp(name, "libnc_", 6) == 0 && !json_is_true(json_object_get(library, "of_build"))) {
            evidence_say(message, "%s would load %s from outside the build tree (%s); check LD_LIBRARY_PATH and build again.",
                         executable, name,
                         json_is_null(json_object_get(library, "path")) ? "not found"
                                                                        : json_string_value(json_object_get(library, "path")));
            json_decref(libraries);
            libraries = NULL;
            break;
        }
    }
    free(text);
    return libraries;
}

static json_t *executables_describe(const cupel_plan *plan, const cupel_plan_profile *profile, char message[EVIDENCE_MESSAGE])
{
    json_t *executables = json_array();
    for (size_t i = 0; i < profile->suite_count; ++i) {
        const char *path = profile->suites[i].executable;
        const char *slash = strrchr(path, '/');
        char hex[CUPEL_SHA256_HEX];
        char build_id[BUILD_ID_MAX];
        json_t *libraries = NULL;
        if (!cupel_build_id_read(path, build_id, sizeof build_id)) {
            build_id[0] = '\0';
        }
        if (!cupel_file_sha256(path, hex, NULL)) {
            evidence_say(message, "the executable %s cannot be read (%s); build again.", path, strerror(errno));
        } else {
            libraries = libraries_describe(path, plan->build, message);
        }
        if (libraries == NULL) {
            json_decref(executables);
            return NULL;
        }
        json_array_append_new(executables,
                              json_pack("{s:s, s:s, s:s, s:s, s:o}", "name", slash != NULL ? slash + 1 : path, "test",
                                        profile->suites[i].test, "sha256", hex, "build_id", build_id, "libraries", libraries));
    }
    return executables;
}

// Hashes of the files of a tree whose paths begin with one of the prefixes and end with the suffix.
static json_t *hashes_make(const char *directory, const char *const *prefixes, size_t prefix_count, const char *part,
                           const char *suffix)
{
    json_t *hashes = json_object();
    for (size_t p = 0; p < prefix_count; ++p) {
        char folder[PATH_MAX];
        evidence_source_list list = {0};
        const bool walked = evidence_path(folder, "%s/%s", directory, prefixes[p]) && evidence_source_list_walk(&list, folder);
        for (size_t i = 0; walked && i < list.count; ++i) {
            char path[PATH_MAX];
            char name[PATH_MAX];
            char hex[CUPEL_SHA256_HEX];
            const char *file = list.files[i].path;
            const size_t length = strlen(file);
            const bool ends = length >= strlen(suffix) && strcmp(file + length - strlen(suffix), suffix) == 0;
            if (ends && strstr(file, part) != NULL && evidence_path(name, "%s%s", prefixes[p], file) &&
                evidence_path(path, "%s/%s", directory, name) && cupel_file_sha256(path, hex, NULL)) {
                json_object_set_new(hashes, name, json_string(hex));
            }
        }
        evidence_source_list_free(&list);
    }
    return hashes;
}

json_t *evidence_provenance_describe(const cupel_plan *plan, const cupel_plan_profile *profile, char message[EVIDENCE_MESSAGE])
{
    static const char *const object_folders[] = {"tests/suites/"};
    char path[PATH_MAX];
    char sources[CUPEL_SHA256_HEX] = "";
    char plan_hash[CUPEL_SHA256_HEX] = "";
    if (!evidence_path(path, "%s/cupel/sources.sha256", plan->build) || !cupel_file_sha256(path, sources, NULL)) {
        evidence_say(message, "%s/cupel/sources.sha256 cannot be read (%s); build again.", plan->build, strerror(errno));
        return NULL;
    }
    if (!evidence_path(path, "%s/cupel/plan.json", plan->build) || !cupel_file_sha256(path, plan_hash, NULL)) {
        evidence_say(message, "%s/cupel/plan.json cannot be read (%s); configure again.", plan->build, strerror(errno));
        return NULL;
    }
    json_t *executables = executables_describe(plan, profile, message);
    if (executables == NULL) {
        return NULL;
    }
    json_t *configuration = evidence_configuration_read(plan->build);
    json_t *compiler = compiler_describe(configuration, "CMAKE_C_COMPILER");
    json_t *toolkit = strcmp(profile->backend, "cuda") == 0 ? compiler_describe(configuration, "CMAKE_CUDA_COMPILER") : json_null();
    json_t *objects = hashes_make(plan->build, object_folders, 1, "-objects.dir/", ".o");
    json_t *inputs = hashes_make(plan->source, INPUT_FOLDERS, sizeof INPUT_FOLDERS / sizeof INPUT_FOLDERS[0], "", "");
    return json_pack("{s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:s, s:s}", "schema", EVIDENCE_PROVENANCE_SCHEMA, "profile",
                     profile->name, "configuration", configuration, "compiler", compiler, "toolkit", toolkit, "executables",
                     executables, "objects", objects, "inputs", inputs, "corpora", evidence_corpora_describe(plan->source),
                     "sources_sha256", sources, "plan_sha256", plan_hash);
}
