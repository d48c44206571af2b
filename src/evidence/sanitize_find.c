// SPDX-License-Identifier: Apache-2.0
#include "sanitize_find.h"

#include <stdlib.h>

static const char *const KIND_NAMES[EVIDENCE_KINDS] = {
    [EVIDENCE_ACCOUNT] = "account", [EVIDENCE_ADDRESS] = "address", [EVIDENCE_BUS] = "bus",       [EVIDENCE_EMAIL] = "email",
    [EVIDENCE_HOST] = "host",       [EVIDENCE_JOB] = "job",         [EVIDENCE_MAC] = "mac",       [EVIDENCE_PATH] = "path",
    [EVIDENCE_PID] = "pid",         [EVIDENCE_SECRET] = "secret",   [EVIDENCE_SERIAL] = "serial", [EVIDENCE_UUID] = "uuid",
};

const char *evidence_kind_name(evidence_kind kind)
{
    return KIND_NAMES[kind];
}

void evidence_spans_add(evidence_spans *spans, evidence_kind kind, size_t offset, size_t length)
{
    if (spans->count == spans->capacity) {
        const size_t capacity = spans->capacity > 0 ? 2 * spans->capacity : 256;
        evidence_span *items = realloc(spans->items, capacity * sizeof *items);
        if (items == NULL) {
            spans->lost = true;
            return;
        }
        spans->items = items;
        spans->capacity = capacity;
    }
    spans->items[spans->count++] = (evidence_span){kind, offset, length};
}

void evidence_spans_free(evidence_spans *spans)
{
    free(spans->items);
    *spans = (evidence_spans){0};
}

void evidence_spans_find(const char *view, evidence_frame_set *lent, evidence_spans *spans)
{
    evidence_shapes_find(view, spans);
    evidence_frames_find(view, lent, spans);
    evidence_labels_find(view, spans);
    evidence_tables_find(view, spans);
    evidence_paths_find(view, spans);
}
