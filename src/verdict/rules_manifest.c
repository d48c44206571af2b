// SPDX-License-Identifier: Apache-2.0
// Manifest against plan, and what may be declared unsupported.
#include "rules.h"

#include <string.h>

static bool suite_planned(const cupel_plan_profile *profile, const char *id)
{
    for (size_t i = 0; i < profile->suite_count; ++i) {
        if (cupel_case_in_suite(id, profile->suites[i].suite)) {
            return true;
        }
    }
    return false;
}

// Contract, core and statistics cases run on every device; only a gradient may be missing: a component of the id says so.
static bool may_be_unsupported(const char *id)
{
    return cupel_case_has_word(id, "gradient");
}

static void unsupported_judge(cupel_evidence *evidence, const cupel_manifest_case *entry)
{
    bool value = true;
    if (evidence->verdict->unsupported == NULL) {
        evidence->verdict->unsupported = json_array();
    }
    json_array_append_new(evidence->verdict->unsupported,
                          json_pack("{s:s, s:s, s:s}", "case", entry->id, "probe", entry->probe, "reason", entry->reason));
    ++evidence->verdict->counts.unsupported;
    if (!may_be_unsupported(entry->id)) {
        cupel_findings_add(evidence->findings, CUPEL_REASON_UNSUPPORTED_FORBIDDEN, entry->id, "line %zu of the manifest: %s",
                           entry->line, entry->reason);
    }
    if (!evidence->has_device || !evidence->device.ok) {
        return; // nothing was probed, and that has a reason of its own
    }
    if (!cupel_probe_get(&evidence->device.probes, entry->probe, &value)) {
        cupel_findings_add(evidence->findings, CUPEL_REASON_UNSUPPORTED_UNPROVEN, entry->id,
                           "line %zu of the manifest: no probe is called %s", entry->line, entry->probe);
    } else if (value) {
        cupel_findings_add(evidence->findings, CUPEL_REASON_UNSUPPORTED_UNPROVEN, entry->id,
                           "line %zu of the manifest: probe %s is true", entry->line, entry->probe);
    }
}

static void suites_judge(cupel_evidence *evidence)
{
    const cupel_plan_profile *profile = evidence->request->profile;
    for (size_t i = 0; i < profile->suite_count; ++i) {
        size_t cases = 0;
        for (size_t k = 0; k < evidence->manifest.count; ++k) {
            const cupel_manifest_case *entry = &evidence->manifest.cases[k];
            cases += entry->runs && cupel_case_in_suite(entry->id, profile->suites[i].suite);
        }
        if (cases == 0) {
            cupel_findings_add(evidence->findings, CUPEL_REASON_SUITE_WITHOUT_CASES, profile->suites[i].test,
                               "the manifest has no case of suite %s to run", profile->suites[i].suite);
        }
    }
}

void cupel_rules_manifest(cupel_evidence *evidence)
{
    const cupel_verdict_request *request = evidence->request;
    const cupel_plan_profile *profile = request->profile;
    const char *path = request->manifest != NULL ? request->manifest : profile->manifest;
    if (!profile->built) {
        return; // nothing could run; the plan has no suite to compare
    }
    evidence->has_manifest = cupel_manifest_read(path, &evidence->manifest, evidence->findings);
    if (!evidence->has_manifest) {
        return;
    }
    memcpy(evidence->verdict->manifest_sha256, evidence->manifest.sha256, sizeof evidence->verdict->manifest_sha256);
    for (size_t i = 0; i < evidence->manifest.count; ++i) {
        const cupel_manifest_case *entry = &evidence->manifest.cases[i];
        if (!suite_planned(profile, entry->id)) {
            cupel_findings_add(evidence->findings, CUPEL_REASON_MANIFEST_SUITE_UNKNOWN, entry->id,
                               "line %zu of the manifest; profile %s has no such suite", entry->line, profile->name);
        }
        if (!entry->runs) {
            unsupported_judge(evidence, entry);
        }
    }
    suites_judge(evidence);
}
