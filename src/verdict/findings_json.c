// SPDX-License-Identifier: Apache-2.0
#include "findings_json.h"

json_t *cupel_findings_to_json(const cupel_findings *findings)
{
    json_t *array = json_array();
    for (size_t i = 0; i < findings->count; ++i) {
        const cupel_finding *finding = &findings->items[i];
        const cupel_reason_info *info = cupel_reason_get(finding->reason);
        json_array_append_new(array, json_pack("{s:s, s:s, s:s, s:s, s:s, s:s}", "code", info->code, "status",
                                               cupel_status_word(info->status), "subject", finding->subject, "text", finding->text,
                                               "sentence", info->sentence, "action", info->action));
    }
    return array;
}
