// SPDX-License-Identifier: Apache-2.0
// cupel doctor: what this machine has, what each profile would refuse, and how to fix it.
#include "evidence_file.h"
#include "machine.h"
#include "manifest.h"
#include "plan.h"
#include "tool.h"
#include "tree.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

// One profile's state: `reason` and `fix` are "" when it is ready.
typedef struct readiness {
    char reason[512];
    char fix[512];
} readiness;

static void doubt(readiness *ready, const char *reason, const char *fix)
{
    if (ready->reason[0] == '\0') {
        snprintf(ready->reason, sizeof ready->reason, "%s", reason);
        snprintf(ready->fix, sizeof ready->fix, "%s", fix);
    }
}

static void cuda_judge(const json_t *devices, readiness *ready)
{
    const json_t *cuda = json_object_get(devices, "cuda");
    const char *error = json_string_value(json_object_get(cuda, "error"));
    if (!json_is_true(json_object_get(cuda, "library"))) {
        doubt(ready, error, "Install the NVIDIA driver of this machine's card, or run on a machine that has one.");
    } else if (error != NULL) {
        doubt(ready, error, "Check that nvidia-smi lists the card and that CUDA_VISIBLE_DEVICES does not hide it.");
    }
}

static bool opencl_has(const json_t *opencl, const char *type)
{
    size_t p = 0;
    const json_t *platform = NULL;
    json_array_foreach(json_object_get(opencl, "platforms"), p, platform)
    {
        size_t d = 0;
        const json_t *device = NULL;
        json_array_foreach(json_object_get(platform, "devices"), d, device)
        {
            const char *has = json_string_value(json_object_get(device, "type"));
            if (has != NULL && strcmp(has, type) == 0) {
                return true;
            }
        }
    }
    return false;
}

static void opencl_judge(const json_t *devices, const char *type, readiness *ready)
{
    const json_t *opencl = json_object_get(devices, "opencl");
    const bool is_cpu = strcmp(type, "cpu") == 0;
    const char *error = json_string_value(json_object_get(opencl, "error"));
    const char *fix = is_cpu ? "Install PoCL (Debian: pocl-opencl-icd) and check that OCL_ICD_VENDORS does not hide it."
                             : "Install the GPU vendor's OpenCL driver and check that OCL_ICD_VENDORS does not hide it.";
    if (error != NULL) {
        doubt(ready, error, fix);
    } else if (!opencl_has(opencl, type)) {
        doubt(ready, is_cpu ? "no OpenCL platform has a CPU device" : "no OpenCL platform has a GPU device", fix);
    }
}

static void profile_judge(const cupel_plan_profile *profile, const json_t *devices, readiness *ready)
{
    const char *probe_error = json_string_value(json_object_get(devices, "error"));
    *ready = (readiness){"", ""};
    if (!profile->built) {
        doubt(ready, profile->reason, profile->install);
        return;
    }
    if (strcmp(profile->backend, "cpu") == 0) {
        return;
    }
    if (probe_error != NULL) {
        doubt(ready, probe_error, "Run cupel doctor --devices to see which driver ends the process.");
    } else if (strcmp(profile->backend, "cuda") == 0) {
        cuda_judge(devices, ready);
    } else if (strcmp(profile->backend, "opencl") == 0) {
        opencl_judge(devices, profile->device_type, ready);
    }
}

static void versions_print(const char *title, const json_t *versions)
{
    const char *name = NULL;
    const json_t *version = NULL;
    const char *separator = "";
    printf("%-12s", title);
    // Jansson's iteration macros want a mutable object and change nothing.
    json_object_foreach((json_t *)versions, name, version)
    {
        printf("%s%s %s", separator, name, json_is_string(version) ? json_string_value(version) : "(not found)");
        separator = ", ";
    }
    printf("\n");
}

static const char *text_of(const json_t *object, const char *name)
{
    const char *text = json_string_value(json_object_get(object, name));
    return text != NULL ? text : "unknown";
}

static void devices_print(const json_t *devices)
{
    const json_t *cuda = json_object_get(devices, "cuda");
    const json_t *opencl = json_object_get(devices, "opencl");
    const json_t *item = NULL;
    size_t at = 0;
    if (json_object_get(devices, "error") != NULL) {
        printf("%-12s%s\n", "devices", text_of(devices, "error"));
        return;
    }
    printf("%-12s", "cuda");
    if (json_is_string(json_object_get(cuda, "error"))) {
        printf("%s\n", text_of(cuda, "error"));
    } else {
        printf("driver API %s\n", text_of(cuda, "driver"));
    }
    json_array_foreach(json_object_get(cuda, "devices"), at, item)
    {
        printf("%-12s  device %zu: %s, compute capability %s\n", "", at, text_of(item, "name"), text_of(item, "capability"));
    }
    const bool opencl_fails = json_is_string(json_object_get(opencl, "error"));
    printf("%-12s%s\n", "opencl", opencl_fails ? text_of(opencl, "error") : "loader found");
    json_array_foreach(json_object_get(opencl, "icds"), at, item)
    {
        printf("%-12s  %s: %s%s\n", "", text_of(item, "file"), text_of(item, "library"),
               json_is_true(json_object_get(item, "loads")) ? "" : " (does not load)");
    }
    json_array_foreach(json_object_get(opencl, "platforms"), at, item)
    {
        size_t d = 0;
        const json_t *device = NULL;
        json_array_foreach(json_object_get(item, "devices"), d, device)
        {
            printf("%-12s  %s: %s device %s, driver %s\n", "", text_of(item, "name"), text_of(device, "type"),
                   text_of(device, "name"), text_of(device, "driver"));
        }
    }
}

// What NVML says beside the drivers: its own driver's version, and of each device what it does not tell.
static void nvml_print(const json_t *nvml)
{
    const json_t *device = NULL;
    size_t at = 0;
    if (!json_is_true(json_object_get(nvml, "library"))) {
        return; // a machine without an NVIDIA driver
    }
    const bool fails = json_is_string(json_object_get(nvml, "error"));
    printf("%-12s%s%s\n", "nvml", fails ? "" : "driver ", text_of(nvml, fails ? "error" : "driver"));
    json_array_foreach(json_object_get(nvml, "devices"), at, device)
    {
        const json_t *not_told = json_object_get(device, "not_told");
        const json_t *item = NULL;
        size_t n = 0;
        printf("%-12s  device %zu: %s", "", at, text_of(device, json_object_get(device, "error") != NULL ? "error" : "name"));
        json_array_foreach(not_told, n, item)
        {
            printf("%s%s", n == 0 ? ", not told: " : "; ", json_string_value(item));
        }
        printf("\n");
    }
}

static void variables_print(const json_t *environment)
{
    const char *name = NULL;
    const json_t *value = NULL;
    json_object_foreach((json_t *)environment, name, value)
    {
        if (json_is_string(value)) {
            printf("%-12s%s=%s\n", "environment", name, json_string_value(value));
        }
    }
}

// One line for each profile that is not ready: what the closing lines of a check show.
static void not_run_print(const json_t *report)
{
    const json_t *profile = NULL;
    size_t at = 0;
    json_array_foreach(json_object_get(report, "profiles"), at, profile)
    {
        printf("%s: NOT RUN, %lld cases: %s\n", text_of(profile, "profile"),
               (long long)json_integer_value(json_object_get(profile, "cases")), text_of(profile, "reason"));
    }
}

// Leaves only the profiles that are not ready.
static void ready_remove(json_t *report)
{
    json_t *profiles = json_object_get(report, "profiles");
    for (size_t i = json_array_size(profiles); i > 0; --i) {
        if (json_is_true(json_object_get(json_array_get(profiles, i - 1), "ready"))) {
            json_array_remove(profiles, i - 1);
        }
    }
}

static void report_print(const json_t *report)
{
    const json_t *machine = json_object_get(report, "machine");
    const json_t *system = json_object_get(machine, "system");
    const json_t *processor = json_object_get(machine, "processor");
    const json_t *profile = NULL;
    size_t at = 0;
    printf("%-12s%s, %s %s, %s, glibc %s\n", "system", text_of(system, "distribution"), text_of(system, "kernel"),
           text_of(system, "release"), text_of(system, "architecture"), text_of(system, "libc"));
    printf("%-12s%s, %s%s, %lld online\n", "processor", text_of(processor, "model"), text_of(processor, "isa"),
           json_is_true(json_object_get(processor, "fma")) ? " with fma" : ", no fma (computed in software)",
           (long long)json_integer_value(json_object_get(processor, "online")));
    versions_print("tools", json_object_get(machine, "tools"));
    versions_print("libraries", json_object_get(machine, "libraries"));
    devices_print(json_object_get(report, "devices"));
    nvml_print(json_object_get(json_object_get(report, "devices"), "nvml"));
    variables_print(json_object_get(machine, "environment"));
    printf("\n");
    json_array_foreach(json_object_get(report, "profiles"), at, profile)
    {
        const char *reason = text_of(profile, "reason");
        if (reason[0] == '\0') {
            printf("%-14s ready: cupel run %s\n", text_of(profile, "profile"), text_of(profile, "profile"));
        } else {
            printf("%-14s NOT RUN: %s. %s\n", text_of(profile, "profile"), reason, text_of(profile, "fix"));
        }
    }
    if (json_array_size(json_object_get(report, "profiles")) == 0) {
        printf("no build tree was found: tools/quickstart makes one, or name yours with --tree.\n");
    }
}

// Cases that the profile's manifest lists; 0 when it cannot be read.
static json_int_t cases_count(const cupel_plan_profile *profile)
{
    cupel_findings ignored = {0};
    cupel_manifest manifest = {0};
    cupel_manifest_read(profile->manifest, &manifest, &ignored);
    const json_int_t count = (json_int_t)manifest.count;
    cupel_manifest_free(&manifest);
    cupel_findings_free(&ignored);
    return count;
}

static json_t *profiles_describe(const cupel_plan *plan, const json_t *devices)
{
    json_t *profiles = json_array();
    for (size_t i = 0; i < plan->profile_count; ++i) {
        readiness ready;
        profile_judge(&plan->profiles[i], devices, &ready);
        json_array_append_new(profiles, json_pack("{s:s, s:s, s:b, s:I, s:s, s:s}", "profile", plan->profiles[i].name, "backend",
                                                  plan->profiles[i].backend, "ready", ready.reason[0] == '\0', "cases",
                                                  cases_count(&plan->profiles[i]), "reason", ready.reason, "fix", ready.fix));
    }
    return profiles;
}

// {"machine", "devices", "profiles": [{"profile", "backend", "ready", "reason", "fix", "cases"}]}. A machine may have no build tree
// yet, but one that was named, or that has a plan, must be readable: null after a sentence.
static json_t *report_make(const char *tree)
{
    char located[PATH_MAX];
    char path[PATH_MAX];
    char message[CUPEL_PLAN_MESSAGE];
    cupel_plan plan = {0};
    cupel_tree_locate(tree, located);
    const bool wanted = tree != NULL || (evidence_path(path, "%s/cupel/plan.json", located) && access(path, F_OK) == 0);
    if (wanted && !cupel_plan_read(located, &plan, message)) {
        cupel_fail(0, "doctor", "%s", message);
        return NULL;
    }
    json_t *devices = evidence_machine_devices_apart("/proc/self/exe");
    json_t *profiles = profiles_describe(&plan, devices);
    cupel_plan_free(&plan);
    return json_pack("{s:o, s:o, s:o}", "machine", evidence_machine_describe(), "devices", devices, "profiles", profiles);
}

int cupel_cmd_doctor(int argc, char **argv)
{
    const char *tree = NULL;
    bool as_json = false;
    bool devices_only = false;
    bool not_run_only = false;
    const cupel_option options[] = {
        CUPEL_OPTION_TREE(&tree),
        CUPEL_OPTION_JSON(&as_json),
        {"--not-run", NULL, "print only one line for each profile that cannot run here", &not_run_only, NULL},
        {"--devices", NULL, "ask the drivers in this very process and print their answers as JSON", &devices_only, NULL},
    };
    const cupel_usage usage = {
        "doctor", "", "Shows what this machine has, what each profile would refuse, and how to fix it.", CUPEL_OPTIONS(options),
        0,        0};
    int operand_count = 0;
    const cupel_parse parse = cupel_parse_options(&usage, argc, argv, &operand_count);
    if (parse != CUPEL_PARSE_RUN) {
        return cupel_parse_exit(parse);
    }
    json_t *report = devices_only ? evidence_machine_devices() : report_make(tree);
    if (report == NULL) {
        return CUPEL_REFUSED;
    }
    if (not_run_only) {
        ready_remove(report);
    }
    if (as_json || devices_only) {
        cupel_print_json(report);
    } else if (not_run_only) {
        not_run_print(report);
    } else {
        report_print(report);
    }
    json_decref(report);
    return CUPEL_PASS;
}
