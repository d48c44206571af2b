// SPDX-License-Identifier: Apache-2.0
// Runs the oracle as a program of its own: no code of the core and the oracle ever shares a process.
#ifndef GOLDEN_ORACLE_PROCESS_H
#define GOLDEN_ORACLE_PROCESS_H

#include "../lib/text.h"

// Feeds `request` to the oracle's standard input; collects standard output and standard error. GOLDEN_OK and GOLDEN_DIFFERS are
// its own verdicts; GOLDEN_NOT_RUN when the executable does not exist; GOLDEN_REFUSED with its first sentence otherwise.
golden_status golden_oracle_run(const char *executable, const char *bounds, const golden_text *request, golden_text *corpus,
                                golden_text *messages, golden_error *error);

#endif
