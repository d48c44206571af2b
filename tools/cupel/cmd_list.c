// SPDX-License-Identifier: Apache-2.0
// cupel list: the profiles, suites and cases of a build tree, as plan and manifests have them.
#include "manifest.h"
#include "plan.h"
#include "tool.h"
#include "tree.h"

#include <stdio.h>

typedef struct list_options {
    const char *tree;
    bool with_cases;
    bool as_json;
} list_options;

static json_t *case_to_json(const cupel_manifest_case *item)
{
    if (!item->runs) {
        return json_pack("{s:s, s:b, s:s, s:s}", "case", item->id, "run", 0, "probe", item->probe, "reason", item->reason);
    }
    return json_pack("{s:s, s:b, s:I}", "case", item->id, "run", 1, "values", (json_int_t)item->values);
}

static json_t *suite_to_json(const cupel_plan_suite *suite, const cupel_manifest *manifest)
{
    json_t *cases = json_array();
    for (size_t i = 0; i < manifest->count; ++i) {
        if (cupel_case_in_suite(manifest->cases[i].id, suite->suite)) {
            json_array_append_new(cases, case_to_json(&manifest->cases[i]));
        }
    }
    return json_pack("{s:s, s:s, s:s, s:s, s:o}", "suite", suite->suite, "linkage", suite->linkage, "test", suite->test,
                     "executable", suite->executable, "cases", cases);
}

// A profile that was not built has no suites in the plan; its manifest still says which cases would run.
static json_t *profile_to_json(const cupel_plan_profile *profile, const cupel_manifest *manifest)
{
    json_t *suites = json_array();
    for (size_t i = 0; i < profile->suite_count; ++i) {
        json_array_append_new(suites, suite_to_json(&profile->suites[i], manifest));
    }
    return json_pack("{s:s, s:s, s:s, s:b, s:s, s:s, s:s, s:I, s:o}", "profile", profile->name, "backend", profile->backend,
                     "device_type", profile->device_type, "built", profile->built, "reason", profile->reason, "install",
                     profile->install, "manifest", profile->manifest, "manifest_cases", (json_int_t)manifest->count, "suites",
                     suites);
}

static void profile_print(const json_t *profile, bool with_cases)
{
    size_t s = 0;
    const json_t *suite = NULL;
    printf("%s  backend %s, %lld cases in %s%s%s\n", json_string_value(json_object_get(profile, "profile")),
           json_string_value(json_object_get(profile, "backend")),
           (long long)json_integer_value(json_object_get(profile, "manifest_cases")),
           json_string_value(json_object_get(profile, "manifest")),
           json_is_true(json_object_get(profile, "built")) ? "" : "; not built: ",
           json_string_value(json_object_get(profile, "reason")));
    json_array_foreach(json_object_get(profile, "suites"), s, suite)
    {
        size_t c = 0;
        const json_t *item = NULL;
        const json_t *cases = json_object_get(suite, "cases");
        printf("  %-32s %zu cases\n", json_string_value(json_object_get(suite, "test")), json_array_size(cases));
        json_array_foreach(with_cases ? cases : NULL, c, item)
        {
            const bool runs = json_is_true(json_object_get(item, "run"));
            printf("    %s%s%s\n", json_string_value(json_object_get(item, "case")),
                   runs ? "" : "  unsupported: ", runs ? "" : json_string_value(json_object_get(item, "reason")));
        }
    }
}

static int plan_list(const cupel_plan *plan, const list_options *chosen)
{
    cupel_findings findings = {0};
    json_t *profiles = json_array();
    for (size_t i = 0; i < plan->profile_count; ++i) {
        cupel_manifest manifest = {0};
        cupel_manifest_read(plan->profiles[i].manifest, &manifest, &findings);
        json_t *profile = profile_to_json(&plan->profiles[i], &manifest);
        if (!chosen->as_json) {
            profile_print(profile, chosen->with_cases);
        }
        json_array_append_new(profiles, profile);
        cupel_manifest_free(&manifest);
    }
    const cupel_status status = cupel_findings_status(&findings);
    if (chosen->as_json || status != CUPEL_PASS) {
        cupel_report(&findings, status, chosen->as_json, "profiles", profiles);
    } else {
        json_decref(profiles);
    }
    cupel_findings_free(&findings);
    return (int)status;
}

int cupel_cmd_list(int argc, char **argv)
{
    list_options chosen = {0};
    const cupel_option options[] = {
        CUPEL_OPTION_TREE(&chosen.tree),
        {"--cases", NULL, "list every case", &chosen.with_cases, NULL},
        CUPEL_OPTION_JSON(&chosen.as_json),
    };
    const cupel_usage usage = {"list", "", "Lists profiles, suites and cases.", CUPEL_OPTIONS(options), 0, 0};
    int operand_count = 0;
    const cupel_parse parse = cupel_parse_options(&usage, argc, argv, &operand_count);
    if (parse != CUPEL_PARSE_RUN) {
        return cupel_parse_exit(parse);
    }
    cupel_plan plan;
    if (!cupel_tree_open("list", chosen.tree, &plan)) {
        return CUPEL_REFUSED;
    }
    const int status = plan_list(&plan, &chosen);
    cupel_plan_free(&plan);
    return status;
}
