// SPDX-License-Identifier: Apache-2.0
// Which source an attempt was made from: a commit and a clean tree, or a list of every tracked file's hash.
//
// No environment variable takes part. A tree without .git is known by SOURCE.sha256, which `cupel source --write` makes in a clean
// clone: "#cupel-source 1 commit=<id> files=<n>", rows "<sha256>  <path>" in byte order, "#end".
#ifndef EVIDENCE_SOURCE_H
#define EVIDENCE_SOURCE_H

#include "evidence_file.h"

#include <jansson.h>
#include <stdbool.h>

#define EVIDENCE_SOURCE_SCHEMA "cupel-source 1"
#define EVIDENCE_SOURCE_LIST "SOURCE.sha256"

// Describes the tree in `directory`:
// {"schema", "kind": "git" or "list", "commit", "clean", "changes": [first paths], "files": n, "sha256", "qualifying_sha256"}.
// "sha256" is over the rows of all tracked files, "qualifying_sha256" over those whose change voids a receipt (src, backends,
// tests, golden, cmake and the CMake files of the root). Null after a sentence in `message`.
json_t *evidence_source_describe(const char *directory, char message[EVIDENCE_MESSAGE]);

// The same for a commit of the repository in `directory`, read from its objects and not from the work tree.
json_t *evidence_source_of_commit(const char *directory, const char *commit, char message[EVIDENCE_MESSAGE]);

// False when what is written to the folder `path`, which exists, makes the clone in `directory` unclean: it lies inside, and no
// list of ignored files names it.
bool evidence_source_bears(const char *directory, const char *path);

// Writes SOURCE.sha256 into the root of a clean clone.
bool evidence_source_write(const char *directory, char message[EVIDENCE_MESSAGE]);

#endif
