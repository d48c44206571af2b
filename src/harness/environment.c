// SPDX-License-Identifier: Apache-2.0
#include "environment.h"

#include <stdlib.h>
#include <string.h>

extern char **environ;

// What a process needs to run at all. A name that ends in '*' is a prefix.
static const char *const passed[] = {"PATH",           "HOME",
                                     "TMPDIR",         "TZ",
                                     "XDG_CACHE_HOME", "ASAN_OPTIONS",
                                     "UBSAN_OPTIONS",  "LSAN_OPTIONS",
                                     "TSAN_OPTIONS",   "ASAN_SYMBOLIZER_PATH",
                                     "CUPEL_EVIDENCE", NULL};

// What can change the device or its arithmetic: passed on (a mask that is dropped would show devices the user has hidden),
// recorded and judged.
static const char *const recorded[] = {"CUDA_*",       "NVIDIA_*",   "OCL_*",     "OPENCL_*", "POCL_*",
                                       "CL_*",         "OCLGRIND_*", "AMD_OCL_*", "IGC_*",    "EXTRA_CL_BUILD_OPTIONS",
                                       "CUPEL_DEVICE", NULL};

// Acted when this process was loaded; recorded, not passed on.
static const char *const seen_only[] = {"LD_LIBRARY_PATH", "LD_PRELOAD", "LD_AUDIT", NULL};

// Reported even when unset.
static const char *const always_reported[] = {
    "CUDA_VISIBLE_DEVICES", "CUDA_DEVICE_ORDER", "NVIDIA_TF32_OVERRIDE", "OCL_ICD_VENDORS", "OCL_ICD_FILENAMES",
    "POCL_DEVICES",         "LD_LIBRARY_PATH",   "LD_PRELOAD",           "CUPEL_DEVICE",    NULL};

static bool matches(const char *const *list, const char *name)
{
    for (; *list != NULL; ++list) {
        size_t length = strlen(*list);
        bool prefix = (*list)[length - 1] == '*';
        if (prefix ? strncmp(*list, name, length - 1) == 0 : strcmp(*list, name) == 0) {
            return true;
        }
    }
    return false;
}

bool cupel_environment_allows(const char *name)
{
    return matches(passed, name) || matches(recorded, name);
}

// The name of an entry "NAME=value", in memory that the caller frees.
static char *entry_name(const char *entry)
{
    const char *equals = strchr(entry, '=');
    return equals == NULL ? NULL : strndup(entry, (size_t)(equals - entry));
}

static bool record_entry(json_t *record, const char *name)
{
    const char *value = getenv(name);
    if (value == NULL) {
        return json_object_set_new(record, name, json_null()) == 0;
    }
    json_t *text = json_string(value);
    if (text == NULL) { // not UTF-8
        text = json_string("(not UTF-8)");
    }
    return json_object_set_new(record, name, text) == 0;
}

static bool record_all(json_t *record)
{
    bool complete = true;
    for (const char *const *name = always_reported; *name != NULL; ++name) {
        complete = record_entry(record, *name) && complete;
    }
    for (char **entry = environ; entry != NULL && *entry != NULL; ++entry) {
        char *name = entry_name(*entry);
        if (name != NULL && (matches(recorded, name) || matches(seen_only, name))) {
            complete = record_entry(record, name) && complete;
        }
        free(name);
    }
    return complete;
}

// Drops one variable that is not allowed; false when none is left. unsetenv moves the list, so the walk starts anew.
static bool drop_one(void)
{
    for (char **entry = environ; entry != NULL && *entry != NULL; ++entry) {
        char *name = entry_name(*entry);
        bool drop = name != NULL && name[0] != '\0' && !cupel_environment_allows(name);
        if (drop) {
            unsetenv(name);
        }
        free(name);
        if (drop) {
            return true;
        }
    }
    return false;
}

json_t *cupel_environment_scrub(void)
{
    json_t *record = json_object();
    if (record == NULL || !record_all(record)) {
        json_decref(record);
        return NULL;
    }
    while (drop_one()) {
    }
    setenv("LC_ALL", "C", 1);
    return record;
}
