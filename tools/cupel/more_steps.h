// SPDX-License-Identifier: Apache-2.0
// Commands that are recorded in an attempt beside the run of its profile: a sanitizer's lane, a run that must be refused.
//
// A file of steps has one line for each: profile, label and a command for /bin/sh, separated by tabs. Empty lines and lines that
// begin with # say nothing. CUPEL_TREE names the build tree that is run, to the command too.
#ifndef CUPEL_MORE_STEPS_H
#define CUPEL_MORE_STEPS_H

#include "attempt.h"

#include <stddef.h>

typedef struct cupel_more_step {
    char *profile;
    char *label;
    char *command;
} cupel_more_step;

typedef struct cupel_more_steps {
    cupel_more_step *items;
    size_t count;
} cupel_more_steps;

// Reads a file of steps. False after a sentence in `message`; free the steps in any case.
bool cupel_more_steps_read(const char *path, cupel_more_steps *steps, char message[EVIDENCE_MESSAGE]);
void cupel_more_steps_free(cupel_more_steps *steps);

// True when there is a step of this profile: it may need anything of the tree.
bool cupel_more_steps_has(const cupel_more_steps *steps, const char *profile);

// Runs the steps of one profile, each a lane of its own: none stops another. `message` gets a sentence when one cannot be recorded,
// "" otherwise; a step that fails is a finding of the receipt.
void cupel_more_steps_take(const cupel_more_steps *steps, const evidence_attempt *attempt, const char *profile, const char *tree,
                           char message[EVIDENCE_MESSAGE]);

#endif
