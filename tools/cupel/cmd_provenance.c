// SPDX-License-Identifier: Apache-2.0
// cupel provenance: what a profile's executables are made of, as a step of an attempt records it.
#include "freshness.h"
#include "provenance.h"
#include "tool.h"
#include "tree.h"

#include <stdio.h>

// Hashes of executables say nothing when the sources have moved on.
static bool freshness_holds(const cupel_plan *plan, const cupel_plan_profile *profile)
{
    cupel_findings findings = {0};
    if (profile->built) {
        cupel_freshness_check(plan, profile, &findings);
    }
    const bool holds = findings.count == 0;
    cupel_findings_print(&findings, 0, stderr);
    cupel_findings_free(&findings);
    return holds;
}

int cupel_cmd_provenance(int argc, char **argv)
{
    const char *tree = NULL;
    const cupel_option options[] = {CUPEL_OPTION_TREE(&tree)};
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
    char message[EVIDENCE_MESSAGE] = "memory ran out.";
    int status = CUPEL_PASS;
    const cupel_plan_profile *profile = cupel_plan_find(&plan, argv[1]);
    json_t *provenance = profile != NULL ? evidence_provenance_describe(&plan, profile, message) : NULL;
    if (profile == NULL) {
        status = cupel_fail(CUPEL_EXIT_USAGE, "provenance", "the plan of %s has no profile %s; cupel list shows those it has.",
                            plan.build, argv[1]);
    } else if (!freshness_holds(&plan, profile)) {
        status = CUPEL_REFUSED;
    } else if (provenance == NULL) {
        status = cupel_fail(CUPEL_REFUSED, "provenance", "%s", message);
    } else {
        cupel_print_json(provenance);
    }
    json_decref(provenance);
    cupel_plan_free(&plan);
    return status;
}
