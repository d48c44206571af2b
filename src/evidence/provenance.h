// SPDX-License-Identifier: Apache-2.0
// What a profile's executables are made of: toolchain, options, hashes, and the libraries that a process of them loads.
#ifndef EVIDENCE_PROVENANCE_H
#define EVIDENCE_PROVENANCE_H

#include "evidence_file.h"
#include "plan.h"

#include <jansson.h>

#define EVIDENCE_PROVENANCE_SCHEMA "cupel-provenance 1"

// {"schema", "profile", "configuration": {cache name: value}, "compiler": {"path", "version"}, "toolkit": {"path", "version"} or
// null,
//  "executables": [{"name", "test", "sha256", "build_id", "libraries": [{"name", "path", "sha256", "of_build": bool}]}],
//  "objects": {path in the build tree: sha256} (of the suites), "inputs": {path in the source tree: sha256} (manifest, corpora,
//  bounds), "sources_sha256", "plan_sha256"}. Null after a sentence in `message`, also when a core library would be loaded from
//  outside the build.
json_t *evidence_provenance_describe(const cupel_plan *plan, const cupel_plan_profile *profile, char message[EVIDENCE_MESSAGE]);

// The entries of a build tree's CMake cache that decide what is built, {name: value}. A new reference.
json_t *evidence_configuration_read(const char *build);

#endif
