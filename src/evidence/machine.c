// SPDX-License-Identifier: Apache-2.0
#include "machine.h"

#include "evidence_process.h"

#include <gnu/libc-version.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

enum { OUTPUT_LIMIT = 1 << 16 };
static const double TOOL_LIMIT_SECONDS = 20.0;
static const double PROBE_LIMIT_SECONDS = 60.0;

typedef struct tool_query {
    const char *name;
    const char *option;
    const char *marker; // the version follows this text; null: the first word that begins with a digit
} tool_query;

static const tool_query TOOLS[] = {
    {"cc", "--version", NULL},    {"gcc", "-dumpfullversion", NULL}, {"clang", "--version", "version "},
    {"cmake", "--version", NULL}, {"ctest", "--version", NULL},      {"ninja", "--version", NULL},
    {"git", "--version", NULL},   {"nvcc", "--version", "release "},
};

// pkg-config modules.
static const char *const LIBRARIES[] = {"cmocka", "libxml-2.0", "jansson", "libcrypto", "mpfr", "OpenCL"};

// Variables that choose or hide devices or change their arithmetic; null when unset.
static const char *const DEVICE_VARIABLES[] = {
    "CUDA_VISIBLE_DEVICES", "NVIDIA_VISIBLE_DEVICES", "CUDA_DEVICE_ORDER", "NVIDIA_TF32_OVERRIDE",
    "OCL_ICD_VENDORS",      "OCL_ICD_FILENAMES",      "POCL_DEVICES",      "GPU_DEVICE_ORDINAL",
};

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

// The version in a tool's output: up to a space, comma, parenthesis or the line's end.
static json_t *version_cut(const char *text, const char *marker)
{
    const char *at = marker != NULL ? strstr(text, marker) : NULL;
    if (at != NULL) {
        at += strlen(marker);
    } else {
        at = text;
        while (*at != '\0' && !(*at >= '0' && *at <= '9' && (at == text || at[-1] == ' '))) {
            ++at;
        }
    }
    const size_t length = strcspn(at, " ,)\n");
    return length > 0 ? json_stringn_nocheck(at, length) : json_null();
}

static json_t *output_version(const char *const *argv, const char *marker)
{
    char *text = evidence_process_output(argv, TOOL_LIMIT_SECONDS, OUTPUT_LIMIT);
    json_t *version = text != NULL ? version_cut(text, marker) : json_null();
    free(text);
    return version;
}

static json_t *tools_describe(void)
{
    json_t *tools = json_object();
    for (size_t i = 0; i < COUNT(TOOLS); ++i) {
        const char *const argv[] = {TOOLS[i].name, TOOLS[i].option, NULL};
        json_object_set_new(tools, TOOLS[i].name, output_version(argv, TOOLS[i].marker));
    }
    return tools;
}

static json_t *libraries_describe(void)
{
    json_t *libraries = json_object();
    for (size_t i = 0; i < COUNT(LIBRARIES); ++i) {
        const char *const argv[] = {"pkg-config", "--modversion", LIBRARIES[i], NULL};
        json_object_set_new(libraries, LIBRARIES[i], output_version(argv, NULL));
    }
    return libraries;
}

// The text after `key` on the first line of `path` that begins with it, without separators, quotes and the line's end.
static json_t *line_value(const char *path, const char *key)
{
    char line[512];
    json_t *value = NULL;
    FILE *file = fopen(path, "r");
    while (file != NULL && value == NULL && fgets(line, sizeof line, file) != NULL) {
        if (strncmp(line, key, strlen(key)) == 0) {
            const char *at = line + strlen(key);
            at += strspn(at, " \t:=\"");
            value = json_stringn(at, strcspn(at, "\"\n"));
        }
    }
    if (file != NULL) {
        fclose(file);
    }
    return value != NULL ? value : json_null();
}

static json_t *system_describe(void)
{
    struct utsname name;
    if (uname(&name) != 0) {
        return json_null();
    }
    return json_pack("{s:o, s:s, s:s, s:s, s:s}", "distribution", line_value("/etc/os-release", "PRETTY_NAME"), "kernel",
                     name.sysname, "release", name.release, "architecture", name.machine, "libc", gnu_get_libc_version());
}

static json_t *processor_describe(void)
{
    const char *isa = "base";
    bool has_fma = false;
#if defined(__x86_64__)
    __builtin_cpu_init();
    has_fma = __builtin_cpu_supports("fma") != 0;
    if (has_fma && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2")) {
        isa = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
                      __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512cd")
                  ? "x86-64-v4"
                  : "x86-64-v3";
    }
#elif defined(__aarch64__)
    isa = "aarch64";
    has_fma = true; // part of the base instruction set
#endif
    return json_pack("{s:o, s:s, s:b, s:I}", "model", line_value("/proc/cpuinfo", "model name"), "isa", isa, "fma", has_fma,
                     "online", (json_int_t)sysconf(_SC_NPROCESSORS_ONLN));
}

static json_t *environment_describe(void)
{
    json_t *environment = json_object();
    for (size_t i = 0; i < COUNT(DEVICE_VARIABLES); ++i) {
        const char *value = getenv(DEVICE_VARIABLES[i]);
        json_object_set_new(environment, DEVICE_VARIABLES[i], value != NULL ? json_string(value) : json_null());
    }
    return environment;
}

json_t *evidence_machine_describe(void)
{
    return json_pack("{s:o, s:o, s:o, s:o, s:o}", "system", system_describe(), "processor", processor_describe(), "tools",
                     tools_describe(), "libraries", libraries_describe(), "environment", environment_describe());
}

json_t *evidence_machine_devices_apart(const char *executable)
{
    const char *const argv[] = {executable, "doctor", "--devices", NULL};
    char *text = evidence_process_output(argv, PROBE_LIMIT_SECONDS, OUTPUT_LIMIT);
    json_t *devices = text != NULL ? json_loads(text, JSON_REJECT_DUPLICATES, NULL) : NULL;
    free(text);
    return devices != NULL ? devices
                           : json_pack("{s:s}", "error", "the device probe crashed, hung or printed nothing; a driver is broken");
}
