// SPDX-License-Identifier: Apache-2.0
// Says why the loader found no platform: which .icd files there are and which of their libraries do not load. Also names the
// environment variables with which a driver would compile something else than was asked for.
#include "opencl.h"

#include <dirent.h>
#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define VENDORS_DEFAULT "/etc/OpenCL/vendors"

typedef struct diagnosis {
    int files, stale;
    char *text;
    size_t size, used;
} diagnosis;

static __attribute__((format(printf, 2, 3))) void append(diagnosis *found, const char *format, ...)
{
    if (found->used < found->size) {
        va_list arguments;
        va_start(arguments, format);
        int written = vsnprintf(found->text + found->used, found->size - found->used, format, arguments);
        va_end(arguments);
        found->used += written > 0 ? (size_t)written : 0;
    }
}

static int has_icd_suffix(const char *name)
{
    size_t length = strlen(name);
    return length > 4 && strcmp(name + length - 4, ".icd") == 0;
}

// One .icd file: its first line is a library's name or path.
static void look_at_file(diagnosis *found, const char *path)
{
    char library[512] = "";
    FILE *file = fopen(path, "r");
    ++found->files;
    if (file == NULL || fgets(library, sizeof library, file) == NULL) {
        ++found->stale;
        append(found, "; %s cannot be read or is empty", path);
    } else {
        library[strcspn(library, "\r\n")] = '\0';
        void *handle = dlopen(library, RTLD_LAZY | RTLD_LOCAL);
        if (handle == NULL) {
            ++found->stale;
            append(found, "; %s names %s, which does not load (%s)", path, library, dlerror());
        } else {
            append(found, "; %s names %s, which loads but offers no platform", path, library);
            (void)dlclose(handle);
        }
    }
    if (file != NULL) {
        (void)fclose(file);
    }
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

// Every .icd file of a directory, in the order of their names.
static void look_at_directory(diagnosis *found, const char *path)
{
    char *names[64], file[1024];
    size_t count = 0;
    DIR *directory = opendir(path);
    if (directory == NULL) {
        append(found, "; %s does not exist or cannot be read", path);
        return;
    }
    for (struct dirent *entry = readdir(directory); entry != NULL; entry = readdir(directory)) {
        if (has_icd_suffix(entry->d_name) && count < sizeof names / sizeof names[0]) {
            names[count] = strdup(entry->d_name);
            count += names[count] != NULL;
        }
    }
    (void)closedir(directory);
    qsort(names, count, sizeof names[0], compare_names);
    for (size_t i = 0; i < count; ++i) {
        (void)snprintf(file, sizeof file, "%s/%s", path, names[i]);
        look_at_file(found, file);
        free(names[i]);
    }
}

const char *opencl_diagnose_vendors(const char *vendors, char *sentence, size_t size)
{
    struct stat status;
    diagnosis found = {.text = sentence, .size = size};
    const char *variable = getenv("OCL_ICD_VENDORS");
    const char *place = vendors != NULL ? vendors : variable != NULL && variable[0] != '\0' ? variable : VENDORS_DEFAULT;
    append(&found, "no OpenCL platform; the loader reads %s%s", place, place == variable ? " (from OCL_ICD_VENDORS)" : "");
    if (stat(place, &status) == 0 && !S_ISDIR(status.st_mode) && has_icd_suffix(place)) {
        look_at_file(&found, place);
    } else {
        look_at_directory(&found, place);
    }
    if (found.files == 0) {
        append(&found, "; no .icd file there. Install an OpenCL implementation (a GPU driver, or pocl-opencl-icd)%s%s%s", "", "",
               "");
        return "opencl-no-platform";
    }
    return found.stale > 0 ? "opencl-library-gone" : "opencl-no-platform";
}

const char *opencl_injected_variable(void)
{
    static const char *const variables[] = {
        "POCL_EXTRA_BUILD_FLAGS",          // PoCL: appended to every build
        "AMD_OCL_BUILD_OPTIONS",           // AMD: replaces the options
        "AMD_OCL_BUILD_OPTIONS_APPEND",    // AMD: appended to every build
        "IGC_ExtraOCLOptions",             // Intel graphics compiler
        "CL_CONFIG_USE_FAST_RELAXED_MATH", // Intel CPU runtime
        "EXTRA_CL_BUILD_OPTIONS",          // common in build wrappers
        "OPENCL_LAYERS",                   // loader: libraries between the program and the driver
    };
    for (size_t i = 0; i < sizeof variables / sizeof variables[0]; ++i) {
        const char *value = getenv(variables[i]);
        if (value != NULL && value[0] != '\0') {
            return variables[i];
        }
    }
    return NULL;
}
