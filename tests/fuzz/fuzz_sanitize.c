// SPDX-License-Identifier: Apache-2.0
// Any bytes as a text to publish: what nothing was found in comes out as it is, and all that was counted as removed was found
// before.
#include "fuzz.h"

#include "sanitize_audit.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    FUZZ_REQUIRE(text != NULL);
    memcpy(text, data, size);
    text[size] = '\0';
    static evidence_frame_set frames; // compiled once for all inputs
    evidence_sanitizer sanitizer = {.frames = &frames};
    evidence_audit audit = {0};
    evidence_leak leak = {.kind = EVIDENCE_KINDS};
    char *view = evidence_view_make(text);
    FUZZ_REQUIRE(view != NULL && strlen(view) == strlen(text));
    evidence_sanitizer_keep_members(&sanitizer, text);
    evidence_sanitizer_scan(&sanitizer, text);
    char *clean = evidence_sanitizer_apply(&sanitizer, text);
    FUZZ_REQUIRE(clean != NULL && !sanitizer.lost);
    size_t occurrences = 0;
    for (size_t i = 0; i < sanitizer.count; ++i) {
        const evidence_value *value = &sanitizer.values[i];
        FUZZ_REQUIRE(value->length == strlen(value->text) && value->length > 0 && value->number > 0);
        occurrences += value->occurrences;
    }
    FUZZ_REQUIRE(occurrences > 0 || strcmp(clean, text) == 0); // a JSON number stays one: the first secret, 1, becomes 1
    evidence_audit_learn(&audit, text);
    evidence_audit_learn_values(&audit, &sanitizer);
    const bool found = evidence_audit_find(&audit, clean, &leak);
    FUZZ_REQUIRE(!audit.lost && (!found || (leak.kind < EVIDENCE_KINDS && leak.line > 0)));
    free(clean);
    free(view);
    free(text);
    evidence_audit_free(&audit);
    evidence_sanitizer_free(&sanitizer);
    return 0;
}
