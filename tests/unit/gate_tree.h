// SPDX-License-Identifier: Apache-2.0
// A build tree with a device test of its own, and a real ctest that runs it.
#ifndef GATE_TREE_H
#define GATE_TREE_H

#include <jansson.h>
#include <stdio.h>

enum { GATE_PATH = 1024, GATE_OUTPUT = 16384 };

typedef struct gate_outcome {
    int status;
    char output[GATE_OUTPUT];
    char directory[GATE_PATH]; // of the newest run; "" when there is none
} gate_outcome;

// Makes a build tree named `name` with one profile: `count` device tests that start `gate`, of which the build plan knows the
// first, and a verdict test that always passes. Its path is written to `tree`.
void gate_tree_make(char tree[GATE_PATH], const char *name, const char *gate, const char *type, int count);
// The same with more text of the test file.
void gate_tree_make_with(char tree[GATE_PATH], const char *name, const char *gate, const char *type, int count, const char *extra);
// Opens a file of the tree for writing.
FILE *gate_tree_open(const char *tree, const char *name);
// Runs the tree's tests with one option and its value.
void gate_tree_ctest(const char *tree, gate_outcome *result, const char *option, const char *value);
// Finds the newest run below a folder.
void gate_tree_find_run(const char *folder, gate_outcome *result);
// A record of a run; null when it cannot be read. Release it with json_decref.
json_t *gate_tree_record(const char *directory, const char *name);
// A member that is a text, "" when it is none.
const char *gate_tree_text(const json_t *record, const char *name);

#endif
