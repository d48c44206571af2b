// SPDX-License-Identifier: Apache-2.0
#include "progress.h"

#include "evidence_file.h"
#include "evidence_process.h"
#include "manifest.h"
#include "run_state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void cupel_progress_begin(cupel_progress *progress, const cupel_plan *plan, const cupel_plan_profile *profile)
{
    cupel_findings ignored = {0}; // the verdict reports what is wrong with a manifest
    cupel_manifest manifest = {0};
    *progress = (cupel_progress){plan, profile, NULL, evidence_clock_seconds(), false};
    if (!isatty(STDERR_FILENO)) {
        return;
    }
    progress->expected = calloc(profile->suite_count + 1, sizeof *progress->expected);
    if (progress->expected != NULL && cupel_manifest_read(profile->manifest, &manifest, &ignored)) {
        for (size_t s = 0; s < profile->suite_count; ++s) {
            for (size_t c = 0; c < manifest.count; ++c) {
                progress->expected[s] +=
                    manifest.cases[c].runs && cupel_case_in_suite(manifest.cases[c].id, profile->suites[s].suite);
            }
        }
    }
    cupel_manifest_free(&manifest);
    cupel_findings_free(&ignored);
}

// Finished cases in a ledger: its lines with an end event. 0 when there is no ledger yet.
static size_t cases_done(const char *directory, const char *test)
{
    char path[PATH_MAX];
    char line[8192];
    size_t done = 0;
    if (!evidence_path(path, "%s/%s.ledger", directory, test)) {
        return 0;
    }
    FILE *ledger = fopen(path, "r");
    while (ledger != NULL && fgets(line, sizeof line, ledger) != NULL) {
        done += strstr(line, "\"outcome\"") != NULL;
    }
    if (ledger != NULL) {
        fclose(ledger);
    }
    return done;
}

void cupel_progress_tick(void *context)
{
    cupel_progress *progress = context;
    cupel_run_state state;
    size_t done = 0;
    size_t expected = 0;
    const char *suite = "device";
    if (progress->expected == NULL || !cupel_run_state_open(progress->plan, progress->profile->name, &state)) {
        return;
    }
    for (size_t s = 0; s < progress->profile->suite_count; ++s) {
        const size_t of_suite = cases_done(state.directory, progress->profile->suites[s].test);
        if (of_suite > 0) { // suites run in the plan's order, so the last with a case is the one at work
            suite = progress->profile->suites[s].test;
        }
        done += of_suite;
        expected += progress->expected[s];
    }
    if (done > 0 && done == expected) {
        suite = "verdict";
    }
    fprintf(stderr, "\r%s: %s  %zu of %zu cases  %.0f s\033[K", progress->profile->name, suite, done, expected,
            evidence_clock_seconds() - progress->began);
    fflush(stderr);
    progress->shown = true;
}

void cupel_progress_end(cupel_progress *progress)
{
    if (progress->shown) {
        fputs("\r\033[K", stderr);
    }
    free(progress->expected);
    progress->expected = NULL;
}
