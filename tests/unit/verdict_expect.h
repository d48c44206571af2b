// SPDX-License-Identifier: Apache-2.0
// Comparing the reasons of a verdict with those expected.
#ifndef VERDICT_EXPECT_H
#define VERDICT_EXPECT_H

#include "verdict_fixture.h"

#include <string.h>

static inline void reasons_list(const cupel_findings *findings, char text[512])
{
    text[0] = '\0';
    for (size_t i = 0; i < CUPEL_REASON_COUNT; ++i) {
        if (cupel_findings_count(findings, (cupel_reason)i) > 0) {
            snprintf(text + strlen(text), 512 - strlen(text), "%s%s", text[0] == '\0' ? "" : ",",
                     cupel_reason_get((cupel_reason)i)->code);
        }
    }
}

static inline void expect_reasons(const cupel_verdict *verdict, const char *reasons, const char *what)
{
    char found[512];
    reasons_list(&verdict->findings, found);
    if (strcmp(found, reasons) != 0) {
        fail_msg("%s: expected %s, found %s: %s", what, reasons, found,
                 verdict->findings.count == 0 ? "" : verdict->findings.items[0].text);
    }
    assert_int_equal(verdict->status, cupel_findings_status(&verdict->findings));
}

#endif
