// SPDX-License-Identifier: Apache-2.0
// cupel provenance: what a profile's executables are made of, as a step of an attempt records it.
#include "freshness.h"
#include "provenance.h"
#include "tool.h"
#include "tree.h"

#include <stdio.h>

// Hashes of executables say nothing when the sources have moved on.
static cupel_status freshness_report(const cupel_plan *plan, const cupel_plan_profile *profile, bool as_json)
{
    cupel_findings findings = {0};
    if (profile->built) {
        cupel_freshness_check(plan, profile, &findings);
    }
    const cupel_status status = cupel_findings_status(&findings);
    cupel_findings_print(&findings, 0, stderr);
    if (as_json && status != CUPEL_PASS) {
        cupel_report(&findings, status, true, NULL, NULL);
    }
    cupel_findings_free(&findings);
    return status;
}

static int profile_describe(const cupel_plan *plan, const char *name, bool as_json)
{
    char message[EVIDENCE_MESSAGE] = "memory ran out.";
    const cupel_plan_profile *profile = cupel_plan_find(plan, name);
    if (profile == NULL) {
        return cupel_fail(CUPEL_EXIT_USAGE, "provenance", "the plan of %s has no profile %s; cupel list shows those it has.",
                          plan->build, name);
    }
    const cupel_status fresh = freshness_report(plan, profile, as_json);
    if (fresh != CUPEL_PASS) {
        return (int)fresh;
    }
    json_t *provenance = evidence_provenance_describe(plan, profile, message);
    if (provenance == NULL) {
        return cupel_fail(CUPEL_REFUSED, "provenance", "%s", message);
    }
    cupel_print_json(provenance);
    json_decref(provenance);
    return CUPEL_PASS;
}

int cupel_cmd_provenance(int argc, char **argv)
{
    const char *tree = NULL;
    bool as_json = false;
    const cupel_option options[] = {
        CUPEL_OPTION_TREE(&tree),
        {"--json", NULL, "print JSON for a refusal too; a description is JSON always", &as_json, NULL},
    };
    const cupel_usage usage = {
        "provenance",           "PROFILE", "Prints as JSON what a profile's executables are made of and would load.",
        CUPEL_OPTIONS(options), 1,         1};
    int operand_count = 0;
    const cupel_parse parse = cupel_parse_options(&usage, argc, argv, &operand_count);
    if (parse != CUPEL_PARSE_RUN) {
        return cupel_parse_exit(parse);
    }
    cupel_plan plan;
    if (!cupel_tree_open("provenance", tree, &plan)) {
        return CUPEL_REFUSED;
    }
    const int status = profile_describe(&plan, argv[1], as_json);
    cupel_plan_free(&plan);
    return status;
}
