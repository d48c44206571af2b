// SPDX-License-Identifier: Apache-2.0
// The state of runs in a build tree: <build>/cupel/<profile>/open.json while one is open, `latest` for the newest finished one.
#ifndef CUPEL_RUN_STATE_H
#define CUPEL_RUN_STATE_H

#include "plan.h"

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

typedef struct cupel_run_state {
    char directory[PATH_MAX];
    int64_t ctest_pid;
    uint64_t ctest_start;
} cupel_run_state;

// Reads open.json. False when no run is open or the file is not in the documented form.
bool cupel_run_state_open(const cupel_plan *plan, const char *profile, cupel_run_state *state);

// Reads the run that `latest` points to. False when there is none.
bool cupel_run_state_latest(const cupel_plan *plan, const char *profile, cupel_run_state *state);

// True when the process that started the run is still there.
bool cupel_run_state_is_alive(const cupel_run_state *state);

// True when the process that started the run is this one's ancestor.
bool cupel_run_state_is_mine(const cupel_run_state *state);

// Points `latest` to the run and removes open.json, in this order. False with errno; an open run is then left open.
bool cupel_run_state_finish(const cupel_plan *plan, const char *profile, const char *directory);

#endif
