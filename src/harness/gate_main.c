// SPDX-License-Identifier: Apache-2.0
// main of every device test: device-gate-<backend> --profile P --tree BUILD --device-type T
//
// Opens a run, refuses a selection that cannot lead to a verdict, looks at the device, writes device.json. Exit status: 0 the
// device is ready, 1 anything else, 64 usage. The verdict test reads the same files and says what they amount to.
#include "gate.h"

#include "ancestry.h"
#include "environment.h"
#include "open_run.h"
#include "report.h"
#include "selection.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#define EXIT_USAGE 64

extern const char cupel_expected_backend[];

static bool read_options(int count, char **words, cupel_gate_options *options)
{
    memset(options, 0, sizeof *options);
    for (int i = 1; i + 1 < count; i += 2) {
        if (strcmp(words[i], "--profile") == 0) {
            options->profile = words[i + 1];
        } else if (strcmp(words[i], "--tree") == 0) {
            options->tree = words[i + 1];
        } else if (strcmp(words[i], "--device-type") == 0) {
            options->device_type = words[i + 1];
        } else {
            fprintf(stderr, "%s: unknown option\n", words[i]);
            return false;
        }
    }
    if (count != 7 || options->profile == NULL || options->tree == NULL || options->device_type == NULL) {
        fprintf(stderr, "say --profile P --tree BUILD --device-type cpu|gpu\n");
        return false;
    }
    return true;
}

static bool selection_is_whole(char *reason, size_t size)
{
    cupel_ancestor ctest;
    cupel_command command;
    if (!cupel_ancestor_find_ctest(&ctest) || !cupel_command_read(ctest.pid, &command)) {
        snprintf(reason, size, "the command line of ctest cannot be read");
        return false;
    }
    bool whole = cupel_selection_check(command.count, command.words, reason, size);
    cupel_command_free(&command);
    return whole;
}

static json_t *or_null(json_t *value)
{
    return value == NULL ? json_null() : json_incref(value);
}

static bool write_device_record(const cupel_gate_options *options, const cupel_gate_run *run, const cupel_gate_finding *finding,
                                json_t *environment)
{
    char *path = cupel_path(run->directory, "device.json");
    json_t *record =
        json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:i, s:o, s:s, s:o, s:o, s:O}", "schema", "cupel-device 1", "run",
                  run->run, "nonce", run->nonce, "profile", options->profile, "backend", finding->backend, "status",
                  finding->reason[0] == '\0' ? "ok" : "not-run", "reason", finding->reason, "detail", finding->detail, "count",
                  finding->count, "device", or_null(finding->device), "nonce_answer", finding->nonce_answer, "probes",
                  or_null(finding->probes), "management", or_null(finding->management), "environment", environment);
    bool written = cupel_json_write(path, record);
    if (!written) {
        fprintf(stderr, "%s cannot be written: %s\n", path, strerror(errno));
    }
    json_decref(record);
    free(path);
    return written;
}

// The first probe that is false; null when all hold.
static const char *probe_that_fails(json_t *probes)
{
    const char *name;
    json_t *value;
    json_object_foreach(probes, name, value)
    {
        if (!json_is_true(value)) {
            return name;
        }
    }
    return NULL;
}

static int report(const cupel_gate_options *options, const cupel_gate_finding *finding)
{
    const char *failing = probe_that_fails(finding->probes);
    if (finding->reason[0] != '\0') {
        fprintf(stderr, "%s: %s\n", finding->reason, finding->detail);
        return 1;
    }
    const char *name = json_string_value(json_object_get(finding->device, "name"));
    if (failing != NULL) {
        fprintf(stderr, "device %s fails the probe %s: its answers would differ from the reference\n", name, failing);
        return 1;
    }
    printf("%s: device %s, %s, ready\n", options->profile, name, json_string_value(json_object_get(finding->device, "capability")));
    return 0;
}

// A plan that could hide a failure keeps the device from being looked at: the first finding stands in the record.
static bool plan_is_sound(const cupel_gate_options *options, const cupel_gate_run *run, cupel_gate_finding *finding)
{
    cupel_findings findings = {0};
    cupel_gate_lint(options, run, &findings);
    bool sound = findings.count == 0 && !findings.lost;
    if (!sound) {
        cupel_findings_print(&findings, 0, stderr);
        finding->backend = cupel_expected_backend;
        finding->reason = findings.count == 0 ? "lint-unreadable" : cupel_reason_get(findings.items[0].reason)->code;
        snprintf(finding->detail, sizeof finding->detail, "%.200s: %.300s", findings.count == 0 ? "" : findings.items[0].subject,
                 findings.count == 0 ? "memory ran out" : findings.items[0].text);
    }
    cupel_findings_free(&findings);
    return sound;
}

// Ends by a signal: properties of a test can turn any exit status into a pass or a skip, but not this.
static void end_by_signal(void)
{
    const struct rlimit none = {0, 0};
    fflush(NULL);
    setrlimit(RLIMIT_CORE, &none);
    signal(SIGABRT, SIG_DFL);
    abort();
}

int main(int argc, char **argv)
{
    cupel_gate_options options;
    cupel_gate_run run = {.directory = NULL};
    cupel_gate_finding finding = {.reason = ""};
    char reason[700];
    int status = 1;
    if (!read_options(argc, argv, &options)) {
        return EXIT_USAGE;
    }
    json_t *environment = cupel_environment_scrub();
    if (environment == NULL) {
        fprintf(stderr, "out of memory\n");
        return 1;
    }
    // The run is opened before the selection is judged, so that the verdict can name what was refused.
    if (!cupel_gate_open_run(&options, &run, reason, sizeof reason) || !selection_is_whole(reason, sizeof reason)) {
        fprintf(stderr, "%s\n", reason);
        goto cleanup;
    }
    bool sound = plan_is_sound(&options, &run, &finding);
    if (sound) {
        cupel_gate_inspect(&options, run.nonce, &finding);
    }
    bool written = write_device_record(&options, &run, &finding, environment);
    if (!sound) {
        end_by_signal();
    }
    if (written) {
        status = report(&options, &finding);
    }
cleanup:
    json_decref(finding.device);
    json_decref(finding.probes);
    json_decref(finding.management);
    json_decref(environment);
    free(run.directory);
    return status;
}
