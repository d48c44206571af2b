// SPDX-License-Identifier: Apache-2.0
#include "status.h"

#include <stddef.h>

static const struct {
    const char *word;
    int weight; // the heavier of two statuses is the status of both
} statuses[] = {
    [CUPEL_PASS] = {"PASS", 0},
    [CUPEL_FAILED] = {"FAIL", 2},
    [CUPEL_NOT_RUN] = {"NOT RUN", 1},
    [CUPEL_REFUSED] = {"REFUSED", 3},
};

const char *cupel_status_word(cupel_status status)
{
    return (size_t)status < sizeof statuses / sizeof statuses[0] ? statuses[status].word : statuses[CUPEL_REFUSED].word;
}

cupel_status cupel_status_join(cupel_status a, cupel_status b)
{
    return statuses[a].weight >= statuses[b].weight ? a : b;
}
