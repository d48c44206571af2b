// SPDX-License-Identifier: Apache-2.0
// Several reports judged together: what `cupel junit` does.
#ifndef CUPEL_JUNIT_SET_H
#define CUPEL_JUNIT_SET_H

#include "junit.h"
#include "manifest.h"

#include <jansson.h>

typedef struct cupel_junit_set_request {
    const char *const *paths;
    size_t count;
    uint64_t max_bytes;   // of each report; 0: CUPEL_JUNIT_MAX_BYTES
    const char *manifest; // null, or the manifest whose `run` cases must be there by name, each once, and no other
    const char *merged;   // null, or where the merged report goes; written only when no report is refused
} cupel_junit_set_request;

typedef struct cupel_junit_set_entry {
    const char *path;
    bool accepted; // a whole, legal report; else it has no counts
    cupel_junit_report report;
} cupel_junit_set_entry;

typedef struct cupel_junit_set {
    cupel_junit_set_entry *entries;
    size_t count;
    bool accepted; // every report is; else there are no totals
    cupel_junit_counts totals;
    cupel_status status;
    cupel_findings findings;
} cupel_junit_set;

// Reads all reports. The status follows from the findings alone. Release with cupel_junit_set_free.
void cupel_junit_set_read(const cupel_junit_set_request *request, cupel_junit_set *set);

// {"status","word","files":[{"path","accepted","dialect","bytes","sha256","counts"}],"counts","reasons"}; counts are null where
// they are not published. A new reference; null when memory ran out.
json_t *cupel_junit_set_to_json(const cupel_junit_set *set);

void cupel_junit_set_free(cupel_junit_set *set);

#endif
