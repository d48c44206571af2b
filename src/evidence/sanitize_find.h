// SPDX-License-Identifier: Apache-2.0
// How the sanitiser finds what a text gives away: a plain view of the text, and one finder for each idea. Internal to src/evidence.
#ifndef EVIDENCE_SANITIZE_FIND_H
#define EVIDENCE_SANITIZE_FIND_H

#include <regex.h>
#include <stdbool.h>
#include <stddef.h>

typedef enum evidence_kind {
    EVIDENCE_ACCOUNT, // names of accounts and of people
    EVIDENCE_ADDRESS, // IPv4 and IPv6
    EVIDENCE_BUS,     // PCI addresses: the slot in a machine
    EVIDENCE_EMAIL,
    EVIDENCE_HOST,
    EVIDENCE_JOB, // of a scheduler or a build service
    EVIDENCE_MAC,
    EVIDENCE_PATH,
    EVIDENCE_PID, // and thread ids
    EVIDENCE_SECRET,
    EVIDENCE_SERIAL, // and other numbers on a board or chassis
    EVIDENCE_UUID,
    EVIDENCE_KINDS
} evidence_kind;

// "account", "address", ...: what stands in placeholders and in counts.
const char *evidence_kind_name(evidence_kind kind);

// A place that gives something away. Offsets are those of the text and of its view alike.
typedef struct evidence_span {
    evidence_kind kind;
    size_t offset;
    size_t length;
} evidence_span;

// Starts as {0}; free with evidence_spans_free.
typedef struct evidence_spans {
    evidence_span *items;
    size_t count;
    size_t capacity;
    bool lost; // memory ran out
} evidence_spans;

void evidence_spans_add(evidence_spans *spans, evidence_kind kind, size_t offset, size_t length);
void evidence_spans_free(evidence_spans *spans);

// The text as a person would read it, byte by byte at the same offsets: escapes of JSON and XML and colours of a terminal become
// blanks, line ends and quotes, so that "\nann" is a word at the beginning of a line. Free it; null when memory ran out.
char *evidence_view_make(const char *text);

bool evidence_is_word(char c); // letter, digit or underscore
// A value counts only where it is not part of a longer word, so that the account "ann" leaves "annotation" alone.
bool evidence_stands_alone(const char *view, const char *at, size_t length);
// The length of a placeholder such as "[uuid-1]" at `at`, 0 when none stands there.
size_t evidence_placeholder_length(const char *at);

// Values whose own form says what they are: UUIDs, MAC and network addresses, PCI addresses, mail addresses, keys, tokens.
void evidence_shapes_find(const char *view, evidence_spans *spans);
// Values beside a name that says what they are: "host: vm", "API_TOKEN=x", "--password x", "Serial Number : 1".
void evidence_labels_find(const char *view, evidence_spans *spans);
// The expressions of frames, each compiled when the first line comes that may match it. Starts as {0}; free with
// evidence_frame_set_free.
typedef struct evidence_frame_set {
    regex_t *compiled;
    bool *ready;
} evidence_frame_set;

void evidence_frame_set_free(evidence_frame_set *set);
// Values in the place that a tool's own wording gives them: "==12== ", "/proc/12/", "Linux vm 6.1.0 #1", "ann@vm:~$". Compiling
// takes longer than a short text: `lent` keeps the expressions from one text to the next (null: for this text only).
void evidence_frames_find(const char *view, evidence_frame_set *lent, evidence_spans *spans);
// Values in the columns of a table whose head says what they are: "serial, pid", "# gpu  pid", "PID USER".
void evidence_tables_find(const char *view, evidence_spans *spans);
// The folders of absolute paths that are not the same on every machine.
void evidence_paths_find(const char *view, evidence_spans *spans);

// All of them.
void evidence_spans_find(const char *view, evidence_frame_set *lent, evidence_spans *spans);

#endif
