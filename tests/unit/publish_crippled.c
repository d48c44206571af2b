// SPDX-License-Identifier: Apache-2.0
// publish-crippled HOW ATTEMPT OUTPUT: publishes with a sanitiser that leaves all values of one kind as they are (HOW is the name
// of the kind), finds nothing at all ("blind"), or is whole ("whole"). Prints the sentence of a refusal; status 0 or 3. These
// functions stand in place of the library's, whose own are here under other names.
#include "publish.h"

#include "sanitize.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void whole_spans_find(const char *view, evidence_frame_set *lent, evidence_spans *spans);
char *whole_apply(evidence_sanitizer *sanitizer, const char *text);

#define evidence_spans_find whole_spans_find
#include "../../src/evidence/sanitize_find.c"
#undef evidence_spans_find

static const char *how = "whole";

void evidence_spans_find(const char *view, evidence_frame_set *lent, evidence_spans *spans)
{
    if (strcmp(how, "blind") != 0) {
        whole_spans_find(view, lent, spans);
    }
}

#define evidence_sanitizer_apply whole_apply
#include "../../src/evidence/sanitize_apply.c"
#undef evidence_sanitizer_apply

char *evidence_sanitizer_apply(evidence_sanitizer *sanitizer, const char *text)
{
    evidence_sanitizer forgetful = *sanitizer;
    forgetful.values = calloc(sanitizer->count + 1, sizeof *forgetful.values);
    forgetful.count = 0;
    for (size_t i = 0; forgetful.values != NULL && i < sanitizer->count; ++i) {
        if (strcmp(evidence_kind_name(sanitizer->values[i].kind), how) != 0) {
            forgetful.values[forgetful.count++] = sanitizer->values[i];
        }
    }
    char *copy = forgetful.values != NULL ? whole_apply(&forgetful, text) : NULL;
    free(forgetful.values);
    return copy;
}

int main(int argc, char **argv)
{
    char message[EVIDENCE_MESSAGE] = "memory ran out.";
    if (argc != 4) {
        fprintf(stderr, "publish-crippled HOW ATTEMPT OUTPUT\n");
        return 64;
    }
    how = argv[1];
    json_t *record = evidence_publish(argv[2], argv[3], message);
    if (record == NULL) {
        puts(message);
        return 3;
    }
    json_decref(record);
    return 0;
}
