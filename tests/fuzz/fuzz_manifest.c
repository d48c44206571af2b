// SPDX-License-Identifier: Apache-2.0
// Any bytes as a manifest: refused with a reason, or sorted lines with at least one case to run, each found by its id.
#include "fuzz.h"

#include "manifest.h"

#include <string.h>

static bool ranges_hold(const cupel_manifest_case *entry)
{
    return entry->launches.least <= entry->launches.most && entry->uploaded.least <= entry->uploaded.most &&
           entry->downloaded.least <= entry->downloaded.most;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    cupel_manifest manifest;
    cupel_findings findings = {0};
    bool accepted = cupel_manifest_read(fuzz_file(data, size), &manifest, &findings);
    FUZZ_REQUIRE(accepted == (findings.count == 0));
    FUZZ_REQUIRE(!accepted || manifest.run_count > 0);
    for (size_t i = 0; i < manifest.count; ++i) {
        const cupel_manifest_case *entry = &manifest.cases[i];
        FUZZ_REQUIRE(i == 0 || strcmp(manifest.cases[i - 1].id, entry->id) < 0);
        FUZZ_REQUIRE(cupel_manifest_find(&manifest, entry->id) == entry);
        FUZZ_REQUIRE(entry->runs ? entry->values > 0 && ranges_hold(entry) : entry->probe[0] != '\0' && entry->reason[0] != '\0');
    }
    cupel_manifest_free(&manifest);
    cupel_findings_free(&findings);
    return 0;
}
