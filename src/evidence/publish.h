// SPDX-License-Identifier: Apache-2.0
// A copy of an attempt that names no person, machine or secret, with a receipt of its own bytes.
#ifndef EVIDENCE_PUBLISH_H
#define EVIDENCE_PUBLISH_H

#include "evidence_file.h"

#include <jansson.h>
#include <stdbool.h>

#define EVIDENCE_PUBLISHED_SCHEMA "cupel-published 1"
#define EVIDENCE_PUBLISHED "published.json"

// Checks the attempt, writes its sanitised copy into the new directory `output` with published.json (hashes of the originals, what
// was removed by kind) and a receipt that is made from the published bytes. A scan of the copy for every original value must find
// none; otherwise, and when the copy gives another status than the original, it is removed again. The content of published.json,
// null after a sentence in `message`.
json_t *evidence_publish(const char *directory, const char *output, char message[EVIDENCE_MESSAGE]);

#endif
