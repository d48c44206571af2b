// SPDX-License-Identifier: Apache-2.0
// cupel verdict: what ctest runs as the last test of a profile. Judges the open run, writes its receipt and closes it.
#include "finish.h"
#include "run_state.h"
#include "tool.h"
#include "tree.h"

#include <stdio.h>

// Prints one reason and the refusal line for a run that cannot be judged at all.
static int refuse(const char *profile, cupel_reason reason, const char *text, bool as_json)
{
    cupel_findings findings = {0};
    cupel_findings_add(&findings, reason, profile, "%s", text);
    if (as_json) {
        cupel_report(&findings, CUPEL_REFUSED, true, "profile", json_string(profile));
    } else {
        cupel_findings_print(&findings, 0, stdout);
        printf("%s: %s\n", profile, cupel_status_word(CUPEL_REFUSED));
    }
    cupel_findings_free(&findings);
    return CUPEL_REFUSED;
}

static int run_judge(const cupel_plan *plan, const cupel_plan_profile *profile, const char *directory, bool as_json)
{
    cupel_verdict verdict;
    cupel_finish(plan, profile, directory, &verdict);
    if (as_json) {
        json_t *document = cupel_verdict_to_json(&verdict);
        cupel_print_json(document);
        json_decref(document);
    } else {
        cupel_verdict_print(&verdict, stdout);
    }
    const int status = (int)verdict.status;
    cupel_verdict_free(&verdict);
    return status;
}

int cupel_cmd_verdict(int argc, char **argv)
{
    const char *tree = NULL;
    const char *name = NULL;
    bool as_json = false;
    const cupel_option options[] = {
        {"--profile", "PROFILE", "the profile whose open run is judged", NULL, &name},
        CUPEL_OPTION_TREE(&tree),
        CUPEL_OPTION_JSON(&as_json),
    };
    const cupel_usage usage = {
        "verdict", "", "Judges and closes the open run of a profile; ctest runs it as PROFILE.verdict.", CUPEL_OPTIONS(options),
        0,         0};
    int operand_count = 0;
    const cupel_parse parse = cupel_parse_options(&usage, argc, argv, &operand_count);
    if (parse != CUPEL_PARSE_RUN) {
        return cupel_parse_exit(parse);
    }
    if (name == NULL) {
        return cupel_fail(CUPEL_EXIT_USAGE, "verdict", "--profile is missing; see cupel verdict --help.");
    }
    cupel_plan plan;
    if (!cupel_tree_open("verdict", tree, &plan)) {
        return CUPEL_REFUSED;
    }
    const cupel_plan_profile *profile = cupel_plan_find(&plan, name);
    cupel_run_state state;
    int status = 0;
    if (profile == NULL) {
        status = cupel_fail(CUPEL_EXIT_USAGE, "verdict", "the plan of %s has no profile %s; see cupel list.", plan.build, name);
    } else if (!cupel_run_state_open(&plan, name, &state)) {
        status = refuse(name, CUPEL_REASON_RUN_NOT_OPEN, "the device test opened no run, so there is nothing to judge", as_json);
    } else if (!cupel_run_state_is_mine(&state)) {
        status = refuse(name, CUPEL_REASON_RUN_FOREIGN, "the open run was started by another ctest process; it is left as it is",
                        as_json);
    } else {
        status = run_judge(&plan, profile, state.directory, as_json);
    }
    cupel_plan_free(&plan);
    return status;
}
