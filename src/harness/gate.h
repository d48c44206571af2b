// SPDX-License-Identifier: Apache-2.0
// The device test of a profile: opens a run and looks at the device. Internal to src/harness.
#ifndef CUPEL_GATE_H
#define CUPEL_GATE_H

#include "open_run.h"
#include "reasons.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct cupel_gate_options {
    const char *profile;
    const char *tree;
    const char *device_type; // "cpu" or "gpu"
} cupel_gate_options;

typedef struct cupel_gate_run {
    char run[40];
    char nonce[CUPEL_NONCE_HEX + 1];
    char *directory; // free
} cupel_gate_run;

// Makes the run directory with run.json, and open.json, for the ctest process above this one. False with a sentence in `reason`.
bool cupel_gate_open_run(const cupel_gate_options *options, cupel_gate_run *run, char *reason, size_t size);

// Writes ctest's own list of tests to tests.json in the run directory and adds what is wrong with it.
void cupel_gate_lint(const cupel_gate_options *options, const cupel_gate_run *run, cupel_findings *findings);

// Adds what is wrong with the test preset that ctest was started with, if any: one that can run less than a whole profile, or a
// test twice, or that the presets of `source` do not have.
void cupel_gate_preset_judge(const char *source, int count, char *const *words, cupel_findings *findings);

// What the device test found. Members "device", "probes" and "management" are null until known.
typedef struct cupel_gate_finding {
    const char *backend;
    const char *reason; // "" when the device is ready, else a code of src/verdict/reasons.def
    char detail[600];   // the sentence for it
    int count;          // devices of any type that the backend sees
    json_t *device;     // owned
    json_t *probes;     // owned
    json_t *management; // owned (management.h)
    char nonce_answer[8 * 16 + 1];
} cupel_gate_finding;

// Fills the finding. One of two files is linked: gate_device.c opens the backend's device; gate_absent.c says why the backend was
// not built.
void cupel_gate_inspect(const cupel_gate_options *options, const char *nonce, cupel_gate_finding *finding);

#endif
