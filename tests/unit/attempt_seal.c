// SPDX-License-Identifier: Apache-2.0
// attempt-seal [--run] ATTEMPT: makes the receipt of an attempt anew from its files, with --run the one that its run made of itself
// too, as somebody could who has the source of Cupel. Tests show with it what the parts of an attempt say of each other, and what
// signatures alone hold. Prints the reasons; status 0 unless a receipt cannot be written.
#include "attempt_receipt.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    static const char *const names[] = {EVIDENCE_RECEIPT, EVIDENCE_RECEIPT_HASH};
    char path[PATH_MAX];
    cupel_findings findings = {0};
    const bool with_run = argc == 3 && strcmp(argv[1], "--run") == 0;
    if (argc != 2 && !with_run) {
        fprintf(stderr, "usage: attempt-seal [--run] ATTEMPT\n");
        return 64;
    }
    const char *directory = argv[argc - 1];
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
        if (evidence_path(path, "%s/%s", directory, names[i]) && access(path, F_OK) == 0 && unlink(path) != 0) {
            perror(path);
            return 1;
        }
    }
    const bool renewed = !with_run || evidence_attempt_renew_run(directory, &findings);
    json_t *receipt = evidence_attempt_seal(directory, &findings);
    const bool sealed = receipt != NULL && renewed;
    cupel_findings_print(&findings, 0, stdout);
    cupel_findings_free(&findings);
    json_decref(receipt);
    return sealed ? 0 : 1;
}
