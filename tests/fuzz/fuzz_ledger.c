// SPDX-License-Identifier: Apache-2.0
// Any bytes as a ledger: what is not one has a reason; totals that were accepted are the totals of the lines.
#include "fuzz.h"

#include "ledger.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    cupel_ledger ledger;
    cupel_findings findings = {0};
    bool opened = cupel_ledger_read(fuzz_file(data, size), "ledger", "00000000000000000000000000000000", &ledger, &findings);
    FUZZ_REQUIRE(opened || findings.count > 0);
    FUZZ_REQUIRE(opened == (ledger.open != NULL));
    size_t finished = 0;
    for (size_t i = 0; i < ledger.count; ++i) {
        FUZZ_REQUIRE(ledger.cases[i].id != NULL && !(ledger.cases[i].finished && ledger.cases[i].damaged));
        finished += ledger.cases[i].finished;
    }
    if (ledger.closed && findings.count == 0) {
        FUZZ_REQUIRE(finished == ledger.count && ledger.count == ledger.case_count);
    }
    cupel_ledger_free(&ledger);
    cupel_findings_free(&findings);
    return 0;
}
