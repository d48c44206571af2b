// SPDX-License-Identifier: Apache-2.0
// The process that runs the cases of one test: opens the run's device, keeps the ledger, has CMocka write the report.
#include "build_id.h"
#include "case_table.h"
#include "device_select.h"
#include "management.h"
#include "suite.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char *test_file(const cupel_options *options, const cupel_open_run *run, const char *suffix)
{
    char name[256];
    snprintf(name, sizeof name, "%s%s", options->test, suffix);
    return cupel_path(run->directory, name);
}

// The device of device.json, by UUID where the runtime has one.
static bool read_selector(const cupel_open_run *run, json_t **record, char *selector, size_t size)
{
    const char *uuid = NULL;
    const char *status = NULL;
    int index = -1;
    json_error_t error;
    char *path = cupel_path(run->directory, "device.json");
    *record = json_load_file(path, JSON_REJECT_DUPLICATES, &error);
    bool valid = *record != NULL &&
                 json_unpack(*record, "{s:s, s:{s:i, s:s}}", "status", &status, "device", "index", &index, "uuid", &uuid) == 0;
    if (!valid || strcmp(status, "ok") != 0) {
        fprintf(stderr, "%s does not name a device that is ready: start the whole profile again\n", path);
        valid = false;
    } else if (uuid[0] != '\0') {
        snprintf(selector, size, "%s", uuid);
    } else {
        snprintf(selector, size, "%d", index);
    }
    free(path);
    return valid;
}

bool cupel_suite_backend_check(char *reason, size_t size)
{
    if (strcmp(nc_backend(), cupel_expected_backend) == 0) {
        return true;
    }
    snprintf(reason, size, "the target is for backend %s but the library it is linked with is %s", cupel_expected_backend,
             nc_backend());
    return false;
}

// Refuses to run the cases: the ledger says why, so that the verdict can.
static bool refuse(const cupel_open_run *run, const char *path, const char *reason, const char *text)
{
    fprintf(stderr, "%s: %s\n", reason, text);
    if (!cupel_ledger_refuse(path, run->nonce, reason, text)) {
        fprintf(stderr, "%s cannot be made: %s\n", path, strerror(errno));
    }
    return false;
}

// Opens that device in this process and compares what this process sees with what the device test saw.
static bool open_device(const cupel_open_run *run, const char *ledger_path, cupel_selected_device *selected)
{
    json_t *record = NULL;
    char selector[128];
    bool same = false;
    if (read_selector(run, &record, selector, sizeof selector)) {
        if (!cupel_device_select(selector, NULL, selected)) {
            refuse(run, ledger_path, selected->reason, selected->detail);
        } else {
            json_t *seen = cupel_device_json(&selected->info);
            same = json_equal(seen, json_object_get(record, "device"));
            json_decref(seen);
            if (!same) {
                refuse(run, ledger_path, "device-changed", selected->info.name);
                nc_device_close(selected->device);
            }
        }
    }
    json_decref(record);
    return same;
}

static bool report_is_written(const char *path)
{
    struct stat status;
    if (stat(path, &status) == 0 && status.st_size > 0) {
        return true;
    }
    fprintf(stderr, "CMocka did not write %s\n", path);
    return false;
}

// CMocka reads these variables itself and never overwrites a file: the name must be new.
static bool prepare_report(const char *path)
{
    if (access(path, F_OK) == 0 || errno != ENOENT) {
        fprintf(stderr, "%s exists already: start the whole profile again\n", path);
        return false;
    }
    return setenv("CMOCKA_MESSAGE_OUTPUT", "xml", 1) == 0 && setenv("CMOCKA_XML_FILE", path, 1) == 0;
}

static bool open_ledger(const cupel_options *options, const cupel_open_run *run, json_t *environment, const nc_device_info *device,
                        const char *path, cupel_ledger_writer *ledger)
{
    char build_id[128];
    if (!cupel_build_id_read("/proc/self/exe", build_id, sizeof build_id)) {
        return refuse(run, path, "executable-unidentified", "it has no GNU build id; link it with -Wl,--build-id=sha1");
    }
    cupel_ledger_head head = {.run = run->run,
                              .profile = options->profile,
                              .suite = cupel_this_suite.name,
                              .linkage = cupel_linkage,
                              .test = options->test,
                              .backend = nc_backend(),
                              .expected_backend = cupel_expected_backend,
                              .build_id = build_id,
                              .source_id = cupel_source_id,
                              .environment = environment,
                              .device = device,
                              .cases = cupel_suite_count(&cupel_this_suite)};
    if (!cupel_ledger_create(ledger, path, run->nonce, &head)) {
        fprintf(stderr, "%s cannot be made: %s\n", path, strerror(errno));
        return false;
    }
    return true;
}

static int run_all(const cupel_options *options, cupel_context *context, cupel_ledger_writer *ledger)
{
    size_t count = cupel_suite_count(&cupel_this_suite);
    const cupel_case **cases = calloc(count, sizeof *cases);
    if (cases == NULL) {
        fprintf(stderr, "out of memory for %zu cases\n", count);
        return 1;
    }
    for (size_t i = 0; i < count; ++i) {
        cases[i] = cupel_suite_at(&cupel_this_suite, i);
    }
    printf("%s: %zu cases, backend %s (%s) on %s\n", options->test, count, nc_backend(), cupel_linkage, context->device_info.name);
    int status = cupel_suite_run(context, cases, count, options->test, ledger);
    free(cases);
    return status;
}

// 0 when the device cannot be asked any more.
static cupel_device_peaks device_peaks(const nc_device *device)
{
    nc_device_counters counters;
    NC_STRUCT_INIT(&counters);
    return nc_device_counters_get(device, &counters) == NC_OK
               ? (cupel_device_peaks){counters.bytes_allocated_peak, counters.bytes_reserved_peak}
               : (cupel_device_peaks){0, 0};
}

int cupel_suite_execute(const cupel_options *options, const cupel_open_run *run, json_t *environment)
{
    cupel_selected_device selected;
    cupel_ledger_writer ledger = {.file = -1};
    char *ledger_path = test_file(options, run, ".ledger");
    char *report_path = test_file(options, run, ".xml");
    char reason[256];
    int status = 1;
    if (!cupel_suite_backend_check(reason, sizeof reason)) {
        refuse(run, ledger_path, "backend-mismatch", reason);
        goto cleanup;
    }
    if (!prepare_report(report_path) || !open_device(run, ledger_path, &selected)) {
        goto cleanup;
    }
    if (!open_ledger(options, run, environment, &selected.info, ledger_path, &ledger)) {
        goto cleanup_device;
    }
    cupel_context context = {.device = selected.device, .device_info = selected.info, .pid = getpid()};
    status = run_all(options, &context, &ledger);
    cupel_device_peaks peaks = device_peaks(selected.device);
    if (!cupel_ledger_close(&ledger, &peaks, cupel_management_json(&selected.info))) {
        fprintf(stderr, "%s could not be written whole\n", ledger_path);
        status = 1;
    }
    status = report_is_written(report_path) ? status : 1;
cleanup_device:
    if (nc_device_close(selected.device) != NC_OK) {
        fprintf(stderr, "the device does not close: %s\n", nc_last_error());
        status = 1;
    }
cleanup:
    free(ledger_path);
    free(report_path);
    return status;
}
