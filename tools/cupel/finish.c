// SPDX-License-Identifier: Apache-2.0
#include "finish.h"

#include "evidence_file.h"
#include "freshness.h"
#include "receipt.h"
#include "run_state.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void unwritable(cupel_verdict *verdict, const char *directory, const char *name)
{
    cupel_findings_add(&verdict->findings, CUPEL_REASON_RUN_DIRECTORY_UNWRITABLE, name, "cannot write %s/%s: %s", directory, name,
                       strerror(errno));
    verdict->status = cupel_findings_status(&verdict->findings);
}

static bool receipt_write(const cupel_verdict *verdict, const char *directory)
{
    json_t *receipt = evidence_receipt_make(verdict, CUPEL_VERSION);
    char *text = receipt != NULL ? json_dumps(receipt, JSON_INDENT(1) | JSON_SORT_KEYS) : NULL;
    errno = ENOMEM;
    const bool written = text != NULL && evidence_file_write(directory, "receipt.json", text, strlen(text), EVIDENCE_NEW);
    const int error = errno;
    free(text);
    json_decref(receipt);
    errno = error;
    return written;
}

void cupel_finish(const cupel_plan *plan, const cupel_plan_profile *profile, const char *directory, cupel_verdict *verdict)
{
    const cupel_verdict_request request = {.profile = profile, .run_directory = directory, .build = plan->build};
    char path[PATH_MAX];
    cupel_verdict_evaluate(&request, verdict);
    if (profile->built) {
        cupel_freshness_check(plan, profile, &verdict->findings);
    }
    verdict->status = cupel_findings_status(&verdict->findings);
    if (!evidence_path(path, "%s/junit.xml", directory) || !cupel_verdict_write_junit(verdict, path)) {
        unwritable(verdict, directory, "junit.xml");
        return;
    }
    if (!receipt_write(verdict, directory)) {
        unwritable(verdict, directory, "receipt.json");
        return;
    }
    if (!cupel_run_state_finish(plan, profile->name, directory)) {
        unwritable(verdict, directory, "../latest");
    }
}
