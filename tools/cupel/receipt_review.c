// SPDX-License-Identifier: Apache-2.0
// cupel receipt sign and verify: an approval is an attempt that `check` accepts with those of its command, signed by its author and
// by a reviewer with another key.
#include "receipt_command.h"
#include "receipt_lanes.h"

#include "findings_json.h"
#include "signature.h"
#include "tool.h"

#include <stdio.h>

int cupel_receipt_sign(const cupel_receipt_options *chosen, int count, char **directories)
{
    (void)count;
    char message[EVIDENCE_MESSAGE];
    cupel_findings findings = {0};
    if (chosen->key == NULL || chosen->role == NULL || !evidence_role_is_valid(chosen->role)) {
        return cupel_fail(CUPEL_EXIT_USAGE, "receipt", "sign needs --key FILE and --role author or --role reviewer.");
    }
    // Nobody signs what does not hold.
    json_t *receipt = cupel_lanes_check(directories[0], &findings);
    cupel_status status = cupel_findings_status(&findings);
    json_decref(receipt);
    if (!chosen->as_json) {
        cupel_findings_print(&findings, 20, stdout);
    }
    if (status != CUPEL_PASS) {
        cupel_fail(0, "receipt", "%s is not a PASS, so there is nothing to sign; cupel receipt check shows why.", directories[0]);
    } else if (!evidence_signature_make(directories[0], chosen->key, chosen->role, message)) {
        status = (cupel_status)cupel_fail(CUPEL_REFUSED, "receipt", "%s", message);
    }
    if (chosen->as_json && (status == CUPEL_PASS || findings.count > 0)) {
        cupel_report(&findings, status, true, "signature",
                     json_pack("{s:s, s:s}", "attempt", directories[0], "role", chosen->role));
    } else if (status == CUPEL_PASS) {
        printf("%s: signed as %s\n", directories[0], chosen->role);
    }
    cupel_findings_free(&findings);
    return (int)status;
}

int cupel_receipt_verify(const cupel_receipt_options *chosen, int count, char **directories)
{
    (void)count;
    cupel_findings findings = {0};
    evidence_signers signers;
    if (chosen->allowed_signers == NULL) {
        return cupel_fail(CUPEL_EXIT_USAGE, "receipt", "verify needs --allowed-signers FILE.");
    }
    json_t *receipt = cupel_lanes_check(directories[0], &findings);
    const json_t *own = cupel_receipt_own(receipt);
    if (receipt != NULL && !json_is_true(json_object_get(json_object_get(own, "source"), "clean"))) {
        cupel_findings_add(&findings, CUPEL_REASON_SOURCE_UNCLEAN, directories[0], "it was made with --dirty");
    }
    if (receipt != NULL && !json_is_true(json_object_get(json_object_get(own, "build"), "fresh"))) {
        cupel_findings_add(&findings, CUPEL_REASON_BUILD_NOT_FRESH, directories[0], "its build was there before it");
    }
    evidence_signatures_verify(directories[0], chosen->allowed_signers, &signers, &findings);
    const cupel_status status = cupel_findings_status(&findings);
    if (chosen->as_json) {
        json_t *document =
            json_pack("{s:i, s:s, s:s, s:s, s:o}", "status", (int)status, "word", cupel_status_word(status), "author",
                      signers.author, "reviewer", signers.reviewer, "reasons", cupel_findings_to_json(&findings));
        cupel_print_json(document);
        json_decref(document);
    } else {
        cupel_findings_print(&findings, 20, stdout);
        printf("%s: %s", directories[0], cupel_status_word(status));
        if (status == CUPEL_PASS) {
            printf(" approved: author %s, reviewer %s", signers.author, signers.reviewer);
        }
        printf("\n");
    }
    cupel_findings_free(&findings);
    json_decref(receipt);
    return (int)status;
}
