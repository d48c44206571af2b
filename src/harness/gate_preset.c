// SPDX-License-Identifier: Apache-2.0
// A test preset holds options that the command line of ctest does not show. It is looked up in the presets of the project's source
// folder, with what it inherits, and may choose profiles by their labels only.
#include "gate.h"

#include "open_run.h"

#include <stdlib.h>
#include <string.h>

enum { DEPTH_MOST = 16 }; // of files that include each other and of presets that inherit each other

// Members of a test preset, each a path in it, that can run less than a whole profile or a test twice.
static const struct {
    const char *path[3];
    cupel_reason reason;
} forbidden[] = {
    {{"filter", "include", "name"}, CUPEL_REASON_SELECTION_PARTIAL},
    {{"filter", "include", "index"}, CUPEL_REASON_SELECTION_PARTIAL},
    {{"filter", "include", "useUnion"}, CUPEL_REASON_SELECTION_PARTIAL},
    {{"filter", "exclude", "name"}, CUPEL_REASON_SELECTION_PARTIAL},
    {{"filter", "exclude", "fixtures"}, CUPEL_REASON_SELECTION_PARTIAL},
    {{"execution", "stopOnFailure", NULL}, CUPEL_REASON_SELECTION_PARTIAL},
    {{"execution", "repeat", NULL}, CUPEL_REASON_REPEAT_FORBIDDEN},
};

// Adds the test presets of a file, and of those that it includes, to `presets`.
static void file_gather(const char *path, json_t *presets, int depth)
{
    size_t i;
    json_t *each;
    json_t *file = depth > DEPTH_MOST ? NULL : json_load_file(path, 0, NULL);
    const char *slash = strrchr(path, '/');
    json_array_foreach(json_object_get(file, "testPresets"), i, each)
    {
        json_array_append(presets, each);
    }
    json_array_foreach(json_object_get(file, "include"), i, each)
    {
        const char *name = json_string_value(each);
        if (name != NULL && slash != NULL) {
            char *folder = strndup(path, (size_t)(slash - path));
            char *included = name[0] == '/' ? strdup(name) : cupel_path(folder == NULL ? "" : folder, name);
            if (included != NULL) {
                file_gather(included, presets, depth + 1);
            }
            free(included);
            free(folder);
        }
    }
    json_decref(file);
}

static const json_t *preset_find(const json_t *presets, const char *name)
{
    size_t i;
    json_t *preset;
    json_array_foreach(presets, i, preset)
    {
        const char *found = json_string_value(json_object_get(preset, "name"));
        if (found != NULL && strcmp(found, name) == 0) {
            return preset;
        }
    }
    return NULL;
}

static void members_judge(const json_t *preset, const char *name, cupel_findings *findings)
{
    for (size_t i = 0; i < sizeof forbidden / sizeof *forbidden; ++i) {
        const json_t *value = preset;
        const char *const *path = forbidden[i].path;
        for (size_t k = 0; k < 3 && path[k] != NULL; ++k) {
            value = json_object_get(value, path[k]);
        }
        if (value != NULL && !json_is_false(value) && !json_is_null(value)) {
            cupel_findings_add(findings, forbidden[i].reason, "",
                               "ctest was started with a preset, and test preset \"%.80s\" has %s.%s%s%s; select a profile with "
                               "one label alone",
                               name, path[0], path[1], path[2] == NULL ? "" : ".", path[2] == NULL ? "" : path[2]);
        }
    }
}

static void preset_judge(const json_t *presets, const char *name, const char *source, int depth, cupel_findings *findings)
{
    const json_t *preset = depth > DEPTH_MOST ? NULL : preset_find(presets, name);
    const json_t *inherits = json_object_get(preset, "inherits");
    size_t i;
    json_t *parent;
    if (preset == NULL) {
        cupel_findings_add(findings, CUPEL_REASON_SELECTION_PARTIAL, "",
                           "ctest was started with a preset, and the presets of %.300s have no test preset \"%.80s\" that could "
                           "be judged; select a profile with one -L alone",
                           source, name);
        return;
    }
    members_judge(preset, name, findings);
    if (json_is_string(inherits)) {
        preset_judge(presets, json_string_value(inherits), source, depth + 1, findings);
    }
    json_array_foreach(inherits, i, parent)
    {
        preset_judge(presets, json_is_string(parent) ? json_string_value(parent) : "", source, depth + 1, findings);
    }
}

void cupel_gate_preset_judge(const char *source, int count, char *const *words, cupel_findings *findings)
{
    static const char *const files[] = {"CMakePresets.json", "CMakeUserPresets.json"};
    static const char option[] = "--preset";
    const char *name = NULL;
    for (int i = 1; i < count; ++i) {
        if (strcmp(words[i], option) == 0) {
            name = i + 1 < count ? words[i + 1] : "";
        } else if (strncmp(words[i], option, strlen(option)) == 0 && words[i][strlen(option)] == '=') {
            name = words[i] + strlen(option) + 1;
        }
    }
    json_t *presets = name == NULL ? NULL : json_array();
    for (size_t i = 0; presets != NULL && i < sizeof files / sizeof *files; ++i) {
        char *path = cupel_path(source, files[i]);
        file_gather(path, presets, 0);
        free(path);
    }
    if (name != NULL) {
        preset_judge(presets, name, source, 0, findings);
    }
    json_decref(presets);
}
