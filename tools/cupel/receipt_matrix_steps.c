// SPDX-License-Identifier: Apache-2.0
#include "receipt_command.h"

#include "attempt_files.h"
#include "evidence_file.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

// The command's last word: what the shell was told. The attempt was checked before.
static void command_print(const char *directory, const char *label)
{
    char path[PATH_MAX];
    json_t *command = evidence_path(path, "%s/steps/%s/command", directory, label) ? json_load_file(path, 0, NULL) : NULL;
    const json_t *words = json_object_get(command, "words");
    const size_t count = json_array_size(words);
    const char *last = count > 0 ? json_string_value(json_array_get(words, count - 1)) : NULL;
    printf("`");
    for (const char *c = last != NULL ? last : ""; *c != '\0'; ++c) {
        printf(*c == '|' ? "\\%c" : "%c", *c);
    }
    printf("`");
    json_decref(command);
}

void cupel_receipt_print_steps(const json_t *const *receipts, const char *const *directories, size_t count)
{
    bool any = false;
    for (size_t i = 0; i < count; ++i) {
        size_t at = 0;
        const json_t *step = NULL;
        json_array_foreach(json_object_get(cupel_receipt_own(receipts[i]), "steps"), at, step)
        {
            const char *label = cupel_receipt_text(step, "label", NULL);
            if (evidence_step_is_of_procedure(label)) {
                continue;
            }
            if (!any) {
                printf("\nCommands recorded beside a run, in the attempt of the column.\n\n| step | column | command | status "
                       "|\n|---|---|---|---|\n");
            }
            any = true;
            printf("| %s | %zu %s | ", label, i + 1,
                   cupel_receipt_text(cupel_receipt_own(receipts[i]), "attempt", "profile", NULL));
            command_print(directories[i], label);
            printf(" | %s |\n", cupel_receipt_text(step, "status", NULL));
        }
    }
}
