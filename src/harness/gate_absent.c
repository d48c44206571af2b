// SPDX-License-Identifier: Apache-2.0
// Says why there is no device to look at: the backend was not built. A generated source holds the sentences
// (cmake/CupelProfile.cmake).
#include "gate.h"

#include <stdio.h>

extern const char cupel_expected_backend[];
extern const char cupel_absent_reason[];
extern const char cupel_absent_install[];

void cupel_gate_inspect(const cupel_gate_options *options, const char *nonce, cupel_gate_finding *finding)
{
    (void)options;
    (void)nonce;
    finding->backend = cupel_expected_backend;
    finding->reason = "backend-not-built";
    snprintf(finding->detail, sizeof finding->detail, "%s. %s", cupel_absent_reason, cupel_absent_install);
}
