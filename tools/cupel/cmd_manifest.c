// SPDX-License-Identifier: Apache-2.0
// cupel manifest: the case lists that the executables report, held against tests/manifest or written to it.
#include "case_list.h"
#include "freshness.h"
#include "manifest_write.h"
#include "tool.h"
#include "tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct manifest_options {
    const char *tree;
    bool check;
    bool write;
    bool as_json;
} manifest_options;

// The profile whose executables list the cases of `profile`: itself when it was built, else the first that was. A suite is compiled
// once and linked with every backend, so all of them list the same cases.
static const cupel_plan_profile *model_find(const cupel_plan *plan, const cupel_plan_profile *profile)
{
    for (size_t i = 0; !profile->built && i < plan->profile_count; ++i) {
        if (plan->profiles[i].built) {
            return &plan->profiles[i];
        }
    }
    return profile;
}

// What became of one manifest.
static const char *manifest_handle(const cupel_plan *plan, const cupel_plan_profile *profile, bool write, cupel_findings *findings)
{
    cupel_manifest manifest = {0};
    const size_t before = findings->count;
    const char *outcome = "differs";
    bool written = false;
    const cupel_plan_profile *model = model_find(plan, profile);
    if (write) { // executables of other sources list other cases: theirs would replace the right ones
        cupel_freshness_check(plan, model, findings);
    }
    if (findings->count > before) {
        return "not written";
    }
    cupel_case_list *lists = cupel_case_lists_read(model, findings);
    if (lists == NULL) {
        return outcome;
    }
    if (write) {
        if (cupel_manifest_write(plan, model, profile->manifest, lists, &written, findings)) {
            outcome = written ? "written" : "unchanged";
        }
    } else if (cupel_manifest_read(profile->manifest, &manifest, findings)) {
        cupel_case_lists_compare(model, lists, profile->manifest, &manifest, findings);
        outcome = findings->count == before ? "agrees" : outcome;
    }
    cupel_manifest_free(&manifest);
    cupel_case_lists_free(lists, model->suite_count);
    return outcome;
}

// True when an earlier profile of the plan has the same manifest, as the two OpenCL profiles do.
static bool is_repeated(const cupel_plan *plan, size_t at)
{
    for (size_t i = 0; i < at; ++i) {
        if (strcmp(plan->profiles[i].manifest, plan->profiles[at].manifest) == 0) {
            return true;
        }
    }
    return false;
}

static int manifests_handle(const cupel_plan *plan, const manifest_options *chosen)
{
    cupel_findings findings = {0};
    json_t *results = json_array();
    for (size_t i = 0; i < plan->profile_count; ++i) {
        const cupel_plan_profile *profile = &plan->profiles[i];
        if (is_repeated(plan, i)) {
            continue;
        }
        const char *outcome = manifest_handle(plan, profile, chosen->write, &findings);
        json_array_append_new(
            results, json_pack("{s:s, s:s, s:s}", "backend", profile->backend, "manifest", profile->manifest, "outcome", outcome));
        if (!chosen->as_json) {
            printf("%s: %s %s\n", profile->backend, profile->manifest, outcome);
        }
    }
    const cupel_status status = cupel_findings_status(&findings);
    cupel_report(&findings, status, chosen->as_json, "manifests", results);
    cupel_findings_free(&findings);
    return (int)status;
}

int cupel_cmd_manifest(int argc, char **argv)
{
    manifest_options chosen = {0};
    const cupel_option options[] = {
        CUPEL_OPTION_TREE(&chosen.tree),
        {"--check", NULL, "compare the executables' cases with tests/manifest", &chosen.check, NULL},
        {"--write", NULL, "write tests/manifest from the executables' cases and the newest run", &chosen.write, NULL},
        CUPEL_OPTION_JSON(&chosen.as_json),
    };
    const cupel_usage usage = {"manifest", "", "Compares or writes the case manifests.", CUPEL_OPTIONS(options), 0, 0};
    int operand_count = 0;
    const cupel_parse parse = cupel_parse_options(&usage, argc, argv, &operand_count);
    if (parse != CUPEL_PARSE_RUN) {
        return cupel_parse_exit(parse);
    }
    if (chosen.check == chosen.write) {
        return cupel_fail(CUPEL_EXIT_USAGE, "manifest", "say one of --check and --write.");
    }
    if (chosen.write && getenv("CI") != NULL) {
        return cupel_fail(CUPEL_REFUSED, "manifest",
                          "--write is refused while CI is set; write manifests by hand and review them.");
    }
    cupel_plan plan;
    if (!cupel_tree_open("manifest", chosen.tree, &plan)) {
        return CUPEL_REFUSED;
    }
    const int status = manifests_handle(&plan, &chosen);
    cupel_plan_free(&plan);
    return status;
}
