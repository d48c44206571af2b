// SPDX-License-Identifier: Apache-2.0
// A tool's own wording around values. Internal to src/evidence.
#ifndef EVIDENCE_SANITIZE_FRAMES_H
#define EVIDENCE_SANITIZE_FRAMES_H

#include "sanitize_find.h"

enum { EVIDENCE_FRAME_VALUES = 3, EVIDENCE_FRAME_GROUPS = 8 };

// What else must hold of a match.
typedef enum evidence_frame_check {
    FRAME_ANY,
    FRAME_NO_RATIO, // not "process 1 of 8"
    FRAME_NO_INDEX, // a program's "name[12]:", not an element of an array
    FRAME_NO_FILE,  // not "gate.c"
    FRAME_TELLING,  // has a digit, a dot or a dash, and is not known to everybody
    FRAME_NO_PROSE, // not an ordinary word
    FRAME_PRIVATE,  // not a host that everybody knows
} evidence_frame_check;

typedef struct evidence_frame {
    const char *hints;      // small letters; a line without one of them ("|" between) cannot match
    const char *expression; // POSIX, extended, for one line
    struct {
        evidence_kind kind;
        size_t group; // of the expression; 0: the whole match
        evidence_frame_check check;
    } values[EVIDENCE_FRAME_VALUES];
    size_t count; // of values
} evidence_frame;

extern const evidence_frame evidence_frames[];
extern const size_t evidence_frame_count;

#endif
