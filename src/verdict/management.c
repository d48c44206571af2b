// SPDX-License-Identifier: Apache-2.0
#include "management.h"

#include "members.h"

#include <stdio.h>
#include <string.h>

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

typedef struct management {
    const char *driver, *ecc, *partitions;
    bool listed;
    int64_t uncorrected_errors, clients, busy_percent;
} management;

static bool is_switch(const char *word)
{
    return strcmp(word, "on") == 0 || strcmp(word, "off") == 0 || strcmp(word, "unknown") == 0;
}

bool cupel_management_read(const json_t *object, int64_t *uncorrected_errors, char error[128])
{
    static const cupel_member members[] = {
        {"driver", CUPEL_MEMBER_TEXT, offsetof(management, driver)},
        {"listed", CUPEL_MEMBER_BOOL, offsetof(management, listed)},
        {"ecc", CUPEL_MEMBER_TEXT, offsetof(management, ecc)},
        {"partitions", CUPEL_MEMBER_TEXT, offsetof(management, partitions)},
        {"uncorrected_errors", CUPEL_MEMBER_INTEGER, offsetof(management, uncorrected_errors)},
        {"clients", CUPEL_MEMBER_INTEGER, offsetof(management, clients)},
        {"busy_percent", CUPEL_MEMBER_INTEGER, offsetof(management, busy_percent)},
    };
    management read = {.uncorrected_errors = -1};
    *uncorrected_errors = -1;
    if (object == NULL) {
        return true;
    }
    if (!cupel_members_read(object, members, COUNT_OF(members), &read, error)) {
        return false;
    }
    if (!is_switch(read.ecc) || !is_switch(read.partitions)) {
        snprintf(error, 128, "ecc and partitions must be on, off or unknown");
        return false;
    }
    if (read.uncorrected_errors < -1 || read.clients < -1 || read.busy_percent < -1 || read.busy_percent > 100) {
        snprintf(error, 128, "a number is below -1, or busy_percent above 100");
        return false;
    }
    *uncorrected_errors = read.uncorrected_errors;
    return true;
}
