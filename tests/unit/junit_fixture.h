// SPDX-License-Identifier: Apache-2.0
// What the tests of the JUnit reader share: reports written here, and what the reader's callback saw.
#ifndef JUNIT_FIXTURE_H
#define JUNIT_FIXTURE_H

#include "unit.h"

#include "junit.h"

#include <string.h>

#define HEAD "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"

// What the callback saw last, and how much.
typedef struct seen_case {
    size_t cases;
    char name[64];
    cupel_junit_outcome outcome;
    bool cut;
    size_t message_length, text_length, line;
    char text[64];
} seen_case;

static inline void case_note(void *context, const cupel_junit_case *current)
{
    seen_case *seen = context;
    ++seen->cases;
    snprintf(seen->name, sizeof seen->name, "%.60s", current->name);
    seen->outcome = current->outcome;
    seen->cut = current->text_cut;
    seen->message_length = strlen(current->message);
    seen->text_length = strlen(current->text);
    seen->line = current->line;
    snprintf(seen->text, sizeof seen->text, "%.60s", current->text);
}

static inline bool report_read(const char *path, uint64_t max_bytes, seen_case *seen, cupel_junit_report *report,
                               cupel_findings *findings)
{
    const cupel_junit_options options = {.max_bytes = max_bytes, .on_case = case_note, .context = seen};
    *seen = (seen_case){0};
    *findings = (cupel_findings){0};
    return cupel_junit_read(path, "report", &options, report, findings);
}

// Writes `head`, then `unit` until `bytes` are reached, then `tail`.
static inline void long_write(const char *name, const char *head, const char *unit, size_t bytes, const char *tail, char path[512])
{
    snprintf(path, 512, UNIT_BINARY_DIR "/%s", name);
    FILE *out = fopen(path, "wb");
    assert_non_null(out);
    fputs(head, out);
    for (size_t i = 0; i < bytes; i += strlen(unit)) {
        fputs(unit, out);
    }
    fputs(tail, out);
    assert_int_equal(fclose(out), 0);
}

#endif
