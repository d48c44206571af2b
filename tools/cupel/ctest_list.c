// SPDX-License-Identifier: Apache-2.0
#include "ctest_list.h"

#include "evidence_process.h"
#include "lint.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LIST_BYTES_MAX = 1 << 26 };
static const double CTEST_LIMIT_SECONDS = 120.0;

void cupel_ctest_lint(const cupel_plan *plan, const cupel_plan_profile *profile, cupel_findings *findings)
{
    if (access(plan->ctest, X_OK) != 0) {
        cupel_findings_add(findings, CUPEL_REASON_DEPENDENCY_MISSING, plan->ctest, "%s", strerror(errno));
        return;
    }
    if (access(plan->build, R_OK | W_OK | X_OK) != 0) {
        cupel_findings_add(findings, CUPEL_REASON_RUN_DIRECTORY_UNWRITABLE, plan->build,
                           "%s; ctest writes its log there and a run its records, so make the build tree writable",
                           strerror(errno));
        return;
    }
    const char *const argv[] = {plan->ctest, "--test-dir", plan->build, "--show-only=json-v1", NULL};
    char *text = evidence_process_output(argv, CTEST_LIMIT_SECONDS, LIST_BYTES_MAX);
    json_t *list = text != NULL ? json_loads(text, 0, NULL) : NULL;
    cupel_lint(list, plan, profile, findings);
    json_decref(list);
    free(text);
}
