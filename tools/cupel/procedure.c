// SPDX-License-Identifier: Apache-2.0
#include "procedure.h"

#include "attempt_receipt.h"
#include "fresh_build.h"
#include "freshness.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { COPY_BYTES_MAX = 1 << 24 };
static const double STEP_LIMIT_SECONDS = 300.0;
static const char LANE_AFTER[] = "after"; // looking at the machine again does not depend on the lane

static void broken(cupel_drive_result *result, const char *message)
{
    cupel_findings_add(&result->verdict.findings, CUPEL_REASON_RUN_DIRECTORY_UNWRITABLE, "", "%s", message);
}

// Runs `cupel WORD...` as a step. True when it passed; a step that did not is a finding of the receipt.
static bool step_take(const evidence_attempt *attempt, const char *label, const char *lane, const char *const *words,
                      cupel_drive_result *result)
{
    char self[PATH_MAX];
    char message[EVIDENCE_MESSAGE];
    const char *argv[12];
    evidence_process_result process;
    size_t count = 0;
    const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    self[length > 0 ? length : 0] = '\0';
    argv[count++] = self;
    for (size_t i = 0; words[i] != NULL && count < 11; ++i) {
        argv[count++] = words[i];
    }
    argv[count] = NULL;
    const evidence_step step = {.label = label, .lane = lane, .process = {.argv = argv, .limit_seconds = STEP_LIMIT_SECONDS}};
    const evidence_outcome outcome = evidence_step_run(attempt, &step, &process, message);
    if (outcome == EVIDENCE_STEP_BROKEN) {
        broken(result, message);
    }
    return outcome == EVIDENCE_STEP_PASSED;
}

// Copies a small file into the attempt.
static bool copy_take(const evidence_attempt *attempt, const char *from, const char *name, cupel_drive_result *result)
{
    cupel_file file;
    char message[EVIDENCE_MESSAGE];
    const char *trouble = cupel_file_read(from, COPY_BYTES_MAX, &file);
    if (trouble != NULL) {
        evidence_say(message, "%s cannot be copied into the attempt (%s).", from, trouble);
        broken(result, message);
        return false;
    }
    const bool written = evidence_file_write(attempt->path, name, file.bytes, file.length, EVIDENCE_NEW);
    cupel_file_free(&file);
    if (!written) {
        evidence_say(message, "%s cannot be written in %s (%s).", name, attempt->path, strerror(errno));
        broken(result, message);
    }
    return written;
}

// The lane: provenance, the run itself, and once more what was looked at before. `drive` names the tree that is run.
static void lane_take(const cupel_procedure_request *request, const cupel_drive_request *drive, cupel_drive_result *result)
{
    char plan[PATH_MAX];
    const evidence_attempt *attempt = drive->attempt;
    const char *lane = drive->profile->name;
    const char *build = drive->plan->build;
    const char *const provenance[] = {"provenance", lane, "--tree", build, NULL};
    const bool copied = evidence_path(plan, "%s/cupel/plan.json", build) && copy_take(attempt, plan, EVIDENCE_PLAN_COPY, result) &&
                        copy_take(attempt, drive->profile->manifest, EVIDENCE_MANIFEST_COPY, result);
    if (copied && step_take(attempt, EVIDENCE_STEP_PROVENANCE, lane, provenance, result)) {
        cupel_drive(drive, result);
    }
    step_take(attempt, EVIDENCE_STEP_PROVENANCE_AFTER, LANE_AFTER, provenance, result);
    if (request->keep_build && !cupel_build_keep(attempt, drive->plan, drive->profile)) {
        broken(result, "the executables could not be kept in the attempt.");
    }
}

// What else is recorded with the profile. The run itself does not decide whether it is.
static void more_take(const cupel_procedure_request *request, const cupel_drive_request *drive, cupel_drive_result *result)
{
    char message[EVIDENCE_MESSAGE];
    cupel_more_steps_take(request->more, drive->attempt, drive->profile->name, drive->plan->build, message);
    if (message[0] != '\0') {
        broken(result, message);
    }
}

// Everything before the receipt. What goes wrong is in the attempt's records.
static void steps_take(const cupel_procedure_request *request, const evidence_attempt *attempt, cupel_drive_result *result)
{
    cupel_drive_request drive = request->drive;
    cupel_fresh_build fresh = {0};
    char message[EVIDENCE_MESSAGE] = "";
    const char *lane = drive.profile->name;
    const char *const source[] = {"source", "--json", "--source", drive.plan->source, request->dirty ? "--dirty" : NULL, NULL};
    const char *const machine[] = {"doctor", "--json", "--tree", drive.plan->build, NULL};
    drive.attempt = attempt;
    bool ready = step_take(attempt, EVIDENCE_STEP_SOURCE, lane, source, result) &&
                 step_take(attempt, EVIDENCE_STEP_BEFORE, lane, machine, result);
    if (ready && request->fresh_build) {
        ready = cupel_fresh_build_make(attempt, drive.plan, lane, cupel_more_steps_has(request->more, lane), &fresh, message);
        if (message[0] != '\0') {
            broken(result, message);
        }
        drive.plan = &fresh.plan;
        drive.profile = fresh.profile;
    }
    if (ready) {
        lane_take(request, &drive, result);
        more_take(request, &drive, result);
    }
    step_take(attempt, EVIDENCE_STEP_AFTER, LANE_AFTER, machine, result);
    message[0] = '\0';
    if (!cupel_fresh_build_end(attempt, &fresh, message) && message[0] != '\0') {
        broken(result, message);
    }
}

void cupel_procedure(const cupel_procedure_request *request, cupel_drive_result *result)
{
    evidence_attempt attempt;
    char message[EVIDENCE_MESSAGE];
    cupel_findings findings = {0};
    *result = (cupel_drive_result){0};
    if (request->drive.profile->built && !request->fresh_build) {
        cupel_freshness_check(request->drive.plan, request->drive.profile, &result->verdict.findings);
    }
    json_t *description = json_pack("{s:s, s:s, s:O, s:b}", "tool", CUPEL_VERSION, "session", request->session, "together",
                                    request->together, "dirty", request->dirty);
    if (result->verdict.findings.count > 0) {
        result->directory[0] = '\0'; // there is nothing to attempt with a stale build
    } else if (!evidence_attempt_create(request->evidence, request->drive.profile->name, description, &attempt, message)) {
        broken(result, message);
    } else {
        steps_take(request, &attempt, result);
        json_decref(evidence_attempt_seal(attempt.path, &findings));
        // The receipt is judged from the files alone; the drive also knows what no file holds.
        cupel_findings_join(&findings, &result->verdict.findings);
        result->verdict.findings = findings;
        evidence_path(result->directory, "%s", attempt.path);
        evidence_attempt_close(&attempt);
    }
    json_decref(description);
    if (result->verdict.profile == NULL) {
        result->verdict.profile = strdup(request->drive.profile->name);
    }
    result->status = cupel_findings_status(&result->verdict.findings);
    result->verdict.status = result->status;
}
