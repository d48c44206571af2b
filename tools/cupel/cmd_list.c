// SPDX-License-Identifier: Apache-2.0
// cupel list: the profiles, suites and cases of a build tree.
#include "plan.h"
#include "tool.h"
#include "tree.h"

#include <stdio.h>

int cupel_cmd_list(int argc, char **argv)
{
    const char *tree = NULL;
    bool as_json = false;
    const cupel_option options[] = {
        CUPEL_OPTION_TREE(&tree),
        CUPEL_OPTION_JSON(&as_json),
    };
    const cupel_usage usage = {"list", "", "Lists profiles, suites and cases.", options, 2, 0, 0};
    int operand_count = 0;
    const cupel_parse parse = cupel_parse_options(&usage, argc, argv, &operand_count);
    if (parse != CUPEL_PARSE_RUN) {
        return cupel_parse_exit(parse);
    }
    cupel_plan plan;
    if (!cupel_tree_open("list", tree, &plan)) {
        return CUPEL_EXIT_REFUSED;
    }
    for (size_t i = 0; i < plan.profile_count; ++i) {
        const cupel_plan_profile *profile = &plan.profiles[i];
        printf("%s (backend %s)%s%s\n", profile->name, profile->backend, profile->built ? "" : ": ", profile->reason);
        for (size_t s = 0; s < profile->suite_count; ++s) {
            printf("  %s\n", profile->suites[s].test);
        }
    }
    cupel_plan_free(&plan);
    return CUPEL_EXIT_QUALIFIED;
}
