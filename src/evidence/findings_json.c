// SPDX-License-Identifier: Apache-2.0
#include "findings_json.h"

json_t *evidence_findings_to_json(const cupel_findings *findings)
{
    json_t *reasons = json_array();
    for (size_t i = 0; i < findings->count; ++i) {
        json_array_append_new(reasons, json_pack("{s:s, s:s, s:s}", "code", cupel_reason_get(findings->items[i].reason)->code,
                                                 "subject", findings->items[i].subject, "text", findings->items[i].text));
    }
    return reasons;
}
