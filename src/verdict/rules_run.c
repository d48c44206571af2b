// SPDX-License-Identifier: Apache-2.0
// The run record, the files of the run directory, and the device record.
#include "lint.h"
#include "rules.h"
#include "selection.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

void cupel_run_path(const cupel_evidence *evidence, const char *name, const char *ending, char path[4096])
{
    snprintf(path, 4096, "%s/%s%s", evidence->request->run_directory, name, ending);
}

// What the ctest that opened the run was told to do; the device test refuses it too.
static void command_judge(cupel_evidence *evidence)
{
    static const cupel_reason reasons[] = {
        [CUPEL_SELECTION_PARTIAL] = CUPEL_REASON_SELECTION_PARTIAL, [CUPEL_SELECTION_REPEATED] = CUPEL_REASON_REPEAT_FORBIDDEN};
    size_t count = json_array_size(evidence->run.command);
    char **words = calloc(count + 1, sizeof *words);
    char text[256];
    if (words == NULL) {
        evidence->findings->lost = true;
        return;
    }
    for (size_t i = 0; i < count; ++i) {
        words[i] = (char *)json_string_value(json_array_get(evidence->run.command, i));
    }
    cupel_selection selection = cupel_selection_judge((int)count, words, text, sizeof text);
    if (selection != CUPEL_SELECTION_WHOLE) {
        cupel_findings_add(evidence->findings, reasons[selection], "", "%s", text);
    }
    free(words);
}

static const char *last_component(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}

static void run_record_judge(cupel_evidence *evidence)
{
    char path[4096];
    const cupel_verdict_request *request = evidence->request;
    cupel_run_path(evidence, "run.json", "", path);
    evidence->has_run = cupel_run_record_read(path, &evidence->run, evidence->findings);
    if (!evidence->has_run) {
        return;
    }
    if (strcmp(evidence->run.profile, request->profile->name) != 0) {
        cupel_findings_add(evidence->findings, CUPEL_REASON_RUN_MISMATCH, "run.json", "it is of profile %s, not of %s",
                           evidence->run.profile, request->profile->name);
    }
    if (!request->offline && strcmp(evidence->run.run, last_component(request->run_directory)) != 0) {
        cupel_findings_add(evidence->findings, CUPEL_REASON_RUN_MISMATCH, "run.json", "it is of run %s, but lies in %s",
                           evidence->run.run, last_component(request->run_directory));
    }
    command_judge(evidence);
}

// Does a test of the plan write this file?
static bool file_expected(const cupel_evidence *evidence, const char *name)
{
    static const char *const fixed[] = {"run.json", "tests.json", "device.json", "junit.xml", "receipt.json"};
    for (size_t i = 0; i < sizeof fixed / sizeof fixed[0]; ++i) {
        if (strcmp(name, fixed[i]) == 0) {
            return true;
        }
    }
    for (size_t i = 0; i < evidence->suite_count; ++i) {
        const char *test = evidence->suites[i].plan->test;
        size_t length = strlen(test);
        if (strncmp(name, test, length) == 0 && (strcmp(name + length, ".ledger") == 0 || strcmp(name + length, ".xml") == 0)) {
            return true;
        }
    }
    return false;
}

static void file_judge(cupel_evidence *evidence, const char *name)
{
    char path[4096];
    struct stat status;
    cupel_run_path(evidence, name, "", path);
    if (lstat(path, &status) != 0) {
        cupel_findings_add(evidence->findings, CUPEL_REASON_RUN_DIRECTORY_MISSING, name, "%s", strerror(errno));
    } else if (!file_expected(evidence, name)) {
        cupel_findings_add(evidence->findings, CUPEL_REASON_FILE_UNEXPECTED, name, "no test of profile %s writes it",
                           evidence->request->profile->name);
    } else if (!S_ISREG(status.st_mode)) {
        cupel_findings_add(evidence->findings, CUPEL_REASON_FILE_UNEXPECTED, name, "it is not a regular file");
    } else if (evidence->has_run && !evidence->request->offline && (int64_t)status.st_mtim.tv_sec < evidence->run.started_seconds) {
        cupel_findings_add(evidence->findings, CUPEL_REASON_FILE_STALE, name, "it is %lld s older than the run",
                           (long long)(evidence->run.started_seconds - (int64_t)status.st_mtim.tv_sec));
    }
}

static int name_order(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static int name_real(const struct dirent *entry)
{
    return strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
}

static void directory_judge(cupel_evidence *evidence)
{
    struct dirent **entries = NULL;
    int count = scandir(evidence->request->run_directory, &entries, name_real, name_order);
    if (count < 0) {
        cupel_findings_add(evidence->findings, CUPEL_REASON_RUN_DIRECTORY_MISSING, evidence->request->run_directory, "%s",
                           strerror(errno));
        return;
    }
    for (int i = 0; i < count; ++i) {
        file_judge(evidence, entries[i]->d_name);
        free(entries[i]);
    }
    free(entries);
}

void cupel_rules_run(cupel_evidence *evidence)
{
    struct stat status = {0};
    if (stat(evidence->request->run_directory, &status) != 0 || !S_ISDIR(status.st_mode)) {
        cupel_findings_add(evidence->findings, CUPEL_REASON_RUN_DIRECTORY_MISSING, evidence->request->run_directory, "%s",
                           S_ISREG(status.st_mode) ? "it is no directory" : strerror(errno));
        return;
    }
    run_record_judge(evidence);
    directory_judge(evidence);
}

// True when ctest was told to run less: then the device test stops before it looks at anything, and that is reason enough.
static bool selection_refused(const cupel_evidence *evidence)
{
    return cupel_findings_count(evidence->findings, CUPEL_REASON_SELECTION_PARTIAL) > 0 ||
           cupel_findings_count(evidence->findings, CUPEL_REASON_REPEAT_FORBIDDEN) > 0;
}

void cupel_rules_tests(cupel_evidence *evidence)
{
    enum { TESTS_MAX_BYTES = 64 << 20 };
    char path[4096];
    cupel_file tests;
    cupel_run_path(evidence, "tests.json", "", path);
    const char *error = evidence->has_run ? cupel_file_read(path, TESTS_MAX_BYTES, &tests) : "";
    if (error == NULL) {
        cupel_lint_profile(evidence->request->profile, evidence->request->build, tests.bytes, tests.length, evidence->findings);
        evidence->has_tests = true;
        evidence->tests_bytes = tests.length;
        memcpy(evidence->tests_sha256, tests.sha256, sizeof tests.sha256);
        cupel_file_free(&tests);
    } else if (evidence->has_run && !selection_refused(evidence)) {
        cupel_findings_add(evidence->findings, CUPEL_REASON_LINT_UNREADABLE, "tests.json", "%s", error);
    }
    if (evidence->request->build != NULL && !evidence->request->offline) {
        cupel_lint_custom_files(evidence->request->build, evidence->findings);
    }
}

// Variables that change what a driver's compiler makes of the core, or which library a process loads.
void cupel_rules_environment(cupel_evidence *evidence, const json_t *environment, const char *subject)
{
    static const char *const forbidden[] = {"LD_PRELOAD",
                                            "LD_AUDIT",
                                            "EXTRA_CL_BUILD_OPTIONS",
                                            "POCL_EXTRA_BUILD_FLAGS",
                                            "AMD_OCL_BUILD_OPTIONS",
                                            "AMD_OCL_BUILD_OPTIONS_APPEND"};
    for (size_t i = 0; i < sizeof forbidden / sizeof forbidden[0]; ++i) {
        const char *value = json_string_value(json_object_get(environment, forbidden[i]));
        if (value != NULL && value[0] != '\0') {
            cupel_findings_add(evidence->findings, CUPEL_REASON_ENVIRONMENT_FORBIDDEN, subject, "%s was set to \"%s\"",
                               forbidden[i], value);
        }
    }
}

static void device_identity_judge(cupel_evidence *evidence)
{
    const cupel_device_record *device = &evidence->device;
    const cupel_plan_profile *profile = evidence->request->profile;
    if (strcmp(device->profile, profile->name) != 0 || (evidence->has_run && strcmp(device->run, evidence->run.run) != 0)) {
        cupel_findings_add(evidence->findings, CUPEL_REASON_RUN_MISMATCH, "device.json", "it is of run %s of profile %s",
                           device->run, device->profile);
    }
    if (evidence->has_run && strcmp(device->nonce, evidence->run.nonce) != 0) {
        cupel_findings_add(evidence->findings, CUPEL_REASON_NONCE_MISMATCH, "device.json", "its nonce is %s", device->nonce);
    }
    if (strcmp(device->backend, profile->backend) != 0) {
        cupel_findings_add(evidence->findings, CUPEL_REASON_BACKEND_MISMATCH, "device.json",
                           "backend %s, but profile %s has backend %s", device->backend, profile->name, profile->backend);
    }
}

static void device_proof_judge(cupel_evidence *evidence)
{
    const cupel_device_record *device = &evidence->device;
    char answer[8 * CUPEL_NONCE_WORDS + 1];
    if (strcmp(device->device.type, evidence->request->profile->device_type) != 0) {
        cupel_findings_add(evidence->findings, CUPEL_REASON_DEVICE_TYPE_CONTRADICTION, "device.json", "%s is of type %s, not %s",
                           device->device.name, device->device.type, evidence->request->profile->device_type);
    }
    if (device->count == 0) {
        cupel_findings_add(evidence->findings, CUPEL_REASON_DEVICE_RECORD_MALFORMED, "device.json",
                           "a device was used but its count is 0");
    }
    if (!cupel_nonce_answer(device->nonce, answer) || strcmp(answer, device->nonce_answer) != 0) {
        cupel_findings_add(evidence->findings, CUPEL_REASON_DEVICE_ANSWER_WRONG, "device.json", "%s answered \"%.32s...\"",
                           device->device.name, device->nonce_answer);
    }
#define CUPEL_PROBE(probe, reason)                                                                                                 \
    if (!device->probes.probe) {                                                                                                   \
        cupel_findings_add(evidence->findings, CUPEL_REASON_##reason, "", "%s: probe " #probe " is false", device->device.name);   \
    }
#include "probes.def"
#undef CUPEL_PROBE
}

static bool probes_hold(const cupel_probes *probes)
{
    bool hold = true;
#define CUPEL_PROBE(probe, reason) hold = hold && probes->probe;
#include "probes.def"
#undef CUPEL_PROBE
    return hold;
}

// The plan says that the backend is not there; the device test says so too, when it ran.
static void not_built_report(cupel_evidence *evidence)
{
    const cupel_plan_profile *profile = evidence->request->profile;
    if (!profile->built && cupel_findings_count(evidence->findings, CUPEL_REASON_BACKEND_NOT_BUILT) == 0) {
        cupel_findings_add(evidence->findings, CUPEL_REASON_BACKEND_NOT_BUILT, "", "%s. %s", profile->reason, profile->install);
    }
}

void cupel_rules_device(cupel_evidence *evidence)
{
    char path[4096];
    struct stat status;
    cupel_run_path(evidence, "device.json", "", path);
    if (!evidence->has_run || (selection_refused(evidence) && stat(path, &status) != 0)) {
        not_built_report(evidence);
        return;
    }
    evidence->has_device = cupel_device_record_read(path, &evidence->device, evidence->findings);
    if (evidence->has_device) {
        device_identity_judge(evidence);
        cupel_rules_environment(evidence, evidence->device.environment, "device.json");
    }
    if (evidence->has_device && evidence->device.ok) {
        device_proof_judge(evidence);
        evidence->expects_suites = probes_hold(&evidence->device.probes);
    } else if (evidence->has_device && cupel_findings_count(evidence->findings, evidence->device.not_run) == 0) {
        cupel_findings_add(evidence->findings, evidence->device.not_run, "", "%s", evidence->device.detail);
    }
    not_built_report(evidence);
    evidence->expects_suites = evidence->expects_suites && evidence->request->profile->built;
}
