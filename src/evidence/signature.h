// SPDX-License-Identifier: Apache-2.0
// Signatures on a receipt by ssh keys (ssh-keygen -Y): <attempt>/receipt.json.<role>.sig in the namespace cupel-receipt-<role>.
#ifndef EVIDENCE_SIGNATURE_H
#define EVIDENCE_SIGNATURE_H

#include "evidence_file.h"
#include "reasons.h"

#include <stdbool.h>

// Signs the receipt for a role ("author", "reviewer") with the private key in the file `key`. An existing signature of that role is
// never replaced. False after a sentence in `message`.
bool evidence_signature_make(const char *directory, const char *key, const char *role, char message[EVIDENCE_MESSAGE]);

// Verifies the signatures of author and reviewer against an allowed-signers file (ssh-keygen(1)). Both must be there, valid, and by
// different keys; otherwise there are findings. `signers` gets the principals' names.
typedef struct evidence_signers {
    char author[256];
    char reviewer[256];
} evidence_signers;
void evidence_signatures_verify(const char *directory, const char *allowed_signers, evidence_signers *signers,
                                cupel_findings *findings);

// True for a role that a signature can have.
bool evidence_role_is_valid(const char *role);
// True for the name of a signature's file in an attempt.
bool evidence_is_signature(const char *name);

#endif
