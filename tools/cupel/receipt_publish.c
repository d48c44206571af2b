// SPDX-License-Identifier: Apache-2.0
#include "receipt_command.h"

#include "publish.h"
#include "tool.h"

#include <stdio.h>

int cupel_receipt_publish(const cupel_receipt_options *chosen, int count, char **directories)
{
    (void)count;
    char message[EVIDENCE_MESSAGE] = "memory ran out.";
    const char *kind = NULL;
    json_t *counts = NULL;
    if (chosen->output == NULL) {
        return cupel_fail(CUPEL_EXIT_USAGE, "receipt", "publish needs --output DIR, a new directory for the copy.");
    }
    json_t *record = evidence_publish(directories[0], chosen->output, message);
    if (record == NULL) {
        return cupel_fail(CUPEL_REFUSED, "receipt", "%s", message);
    }
    if (chosen->as_json) {
        cupel_print_json(record);
    } else {
        json_object_foreach(json_object_get(record, "removed"), kind, counts)
        {
            printf("removed %-8s %lld values in %lld places\n", kind,
                   (long long)json_integer_value(json_object_get(counts, "values")),
                   (long long)json_integer_value(json_object_get(counts, "occurrences")));
        }
        printf("%s\n", chosen->output);
    }
    json_decref(record);
    return CUPEL_PASS;
}
