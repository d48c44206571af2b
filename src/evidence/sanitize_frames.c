// SPDX-License-Identifier: Apache-2.0
#include "sanitize_frames.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { HINT_MAX = 32 };

// Hosts that everybody knows, and all below them.
static const char *const PUBLIC_HOSTS[] = {
    "in-toto.io",     "doi.org",       "arxiv.org",   "ieee.org",       "acm.org",           "netlib.org",      "github.com",
    "gitlab.com",     "bitbucket.org", "w3.org",      "gnu.org",        "llvm.org",          "cmake.org",       "kitware.com",
    "cdash.org",      "nvidia.com",    "khronos.org", "debian.org",     "ubuntu.com",        "launchpad.net",   "python.org",
    "pypi.org",       "spdx.org",      "slsa.dev",    "kernel.org",     "valgrind.org",      "json-schema.org", "apache.org",
    "readthedocs.io", "docker.com",    "docker.io",   "sourceware.org", "fedoraproject.org", "redhat.com",      "cryptomilk.org",
    "cmocka.org",     "portablecl.org"};

static bool is_public(const char *at, size_t length)
{
    for (size_t i = 0; i < sizeof PUBLIC_HOSTS / sizeof PUBLIC_HOSTS[0]; ++i) {
        const size_t own = strlen(PUBLIC_HOSTS[i]);
        if (own <= length && strncasecmp(at + length - own, PUBLIC_HOSTS[i], own) == 0 &&
            (own == length || at[length - own - 1] == '.')) {
            return true;
        }
    }
    return length == 3 && strncmp(at, "git", 3) == 0; // everybody's account there
}

static bool is_prose(const char *at, size_t length)
{
    static const char *const words[] = {
        "version", "kernel",  "release", "distribution", "input", "error",  "data",    "id",      "name",    "space",
        "code",    "time",    "mode",    "agent",        "in",    "the",    "a",       "is",      "was",     "not",
        "to",      "of",      "option",  "and",          "for",   "from",   "defined", "memory",  "side",    "or",
        "device",  "devices", "cpu",     "only",         "with",  "thread", "threads", "buffer",  "array",   "by",
        "at",      "as",      "port",    "plt",          "got",   "latest", "main",    "pointer", "function"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; ++i) {
        if (strlen(words[i]) == length && strncasecmp(at, words[i], length) == 0) {
            return true;
        }
    }
    return false;
}

// The name of a source, as in "[gate.c:12:3]".
static bool is_file(const char *at, size_t length)
{
    static const char *const ends[] = {".c", ".h", ".cc", ".cpp", ".hpp", ".cu", ".cuh", ".cl", ".py", ".sh", ".txt", ".cmake"};
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; ++i) {
        const size_t own = strlen(ends[i]);
        if (own < length && strncmp(at + length - own, ends[i], own) == 0) {
            return true;
        }
    }
    return false;
}

// "make[1]:" counts levels, and "sum[12]: expected" is an element; services have known names or a time before them.
static bool is_index(const char *line, const char *at, size_t length)
{
    static const char *const levels[] = {"make", "gmake", "ninja"};
    static const char *const said[] = {"expected", "got", "want", "differ", "is ", "value", "=", "("};
    const char *name = at - 1; // the bracket
    while (name > line && (isalnum((unsigned char)name[-1]) || strchr("._-", name[-1]) != NULL)) {
        --name;
    }
    for (size_t i = 0; i < sizeof levels / sizeof levels[0]; ++i) {
        if ((size_t)(at - 1 - name) == strlen(levels[i]) && strncmp(name, levels[i], strlen(levels[i])) == 0) {
            return true;
        }
    }
    const char *text = at + length + 2;
    text += strspn(text, " ");
    for (size_t i = 0; i < sizeof said / sizeof said[0]; ++i) {
        if (strncmp(text, said[i], strlen(said[i])) == 0) {
            return true;
        }
    }
    return *text == '-' || isdigit((unsigned char)*text) || at - 1 - name < 3 || name[-(name > line)] == '.';
}

static bool is_ratio(const char *after)
{
    after += strspn(after, " ");
    return *after == '/' || *after == '%' || strncmp(after, "of ", 3) == 0 || (*after == '.' && isdigit((unsigned char)after[1]));
}

static bool holds(evidence_frame_check check, const char *line, const char *at, size_t length)
{
    switch (check) {
    case FRAME_NO_RATIO:
        return !is_ratio(at + length);
    case FRAME_NO_INDEX:
        return !is_index(line, at, length);
    case FRAME_NO_FILE:
        return !is_file(at, length);
    case FRAME_TELLING:
        return strcspn(at, "0123456789.-") < length && !is_public(at, length);
    case FRAME_NO_PROSE:
        return !is_prose(at, length);
    case FRAME_PRIVATE:
        return !is_public(at, length);
    case FRAME_ANY:
        break;
    }
    return true;
}

// A name does not end with the full stop of its sentence.
static size_t trimmed(const char *at, size_t length)
{
    while (length > 0 && (at[length - 1] == '.' || at[length - 1] == ' ')) {
        --length;
    }
    return length;
}

// Whether a line in small letters holds one of the hints.
static bool has_hint(const char *line, const char *hints)
{
    char hint[HINT_MAX];
    while (*hints != '\0') {
        const size_t length = strcspn(hints, "|");
        memcpy(hint, hints, length);
        hint[length] = '\0';
        if (strstr(line, hint) != NULL) {
            return true;
        }
        hints += length + (hints[length] == '|');
    }
    return false;
}

static void line_find(const evidence_frame *one, const regex_t *compiled, const char *line, size_t offset, evidence_spans *spans)
{
    regmatch_t groups[EVIDENCE_FRAME_GROUPS];
    const char *at = line;
    while (*at != '\0' && regexec(compiled, at, EVIDENCE_FRAME_GROUPS, groups, at == line ? 0 : REG_NOTBOL) == 0) {
        for (size_t i = 0; i < one->count; ++i) {
            const regmatch_t *group = &groups[one->values[i].group];
            const char *value = group->rm_so >= 0 ? at + group->rm_so : at;
            const size_t length = group->rm_so >= 0 ? trimmed(value, (size_t)(group->rm_eo - group->rm_so)) : 0;
            const bool good = length > 0 && holds(one->values[i].check, line, value, length);
            if (good && evidence_placeholder_length(value) == 0) {
                evidence_spans_add(spans, one->values[i].kind, offset + (size_t)(value - line), length);
            } else if (!good && (one->values[i].check == FRAME_NO_FILE || one->values[i].check == FRAME_NO_PROSE)) {
                break; // then what stands beside it is none either: numbers of lines, "malloc@plt"
            }
        }
        at += groups[0].rm_eo > 1 ? groups[0].rm_eo - 1 : 1; // the last character may be the next one's first
    }
}

static bool frame_ready(const evidence_frame_set *set, size_t at)
{
    if (!set->ready[at]) {
        set->ready[at] = regcomp(&set->compiled[at], evidence_frames[at].expression, REG_EXTENDED | REG_ICASE) == 0;
    }
    return set->ready[at];
}

// The frames of one line, and of the same line in small letters.
static bool frames_of_line(const evidence_frame_set *set, const char *line, const char *small, size_t offset, evidence_spans *spans)
{
    for (size_t i = 0; i < evidence_frame_count; ++i) {
        if (!has_hint(small, evidence_frames[i].hints)) {
            continue;
        }
        if (!frame_ready(set, i)) {
            return false;
        }
        line_find(&evidence_frames[i], &set->compiled[i], line, offset, spans);
    }
    return true;
}

static bool frame_set_open(evidence_frame_set *set)
{
    if (set->compiled == NULL) {
        set->compiled = calloc(evidence_frame_count, sizeof *set->compiled);
        set->ready = calloc(evidence_frame_count, sizeof *set->ready);
    }
    return set->compiled != NULL && set->ready != NULL;
}

void evidence_frame_set_free(evidence_frame_set *set)
{
    for (size_t i = 0; set->compiled != NULL && set->ready != NULL && i < evidence_frame_count; ++i) {
        if (set->ready[i]) {
            regfree(&set->compiled[i]);
        }
    }
    free(set->compiled);
    free(set->ready);
    *set = (evidence_frame_set){0};
}

// regexec takes time in proportion to the rest of its text, so a text is read line by line, and only lines that may match.
void evidence_frames_find(const char *view, evidence_frame_set *lent, evidence_spans *spans)
{
    const size_t length = strlen(view);
    char *lines = strdup(view);
    char *small = strdup(view);
    evidence_frame_set own = {0}, *set = lent != NULL ? lent : &own;
    bool good = lines != NULL && small != NULL && frame_set_open(set);
    for (size_t i = 0; good && i < length; ++i) {
        lines[i] = lines[i] == '\n' ? '\0' : lines[i];
        small[i] = (char)tolower((unsigned char)lines[i]);
    }
    for (size_t at = 0; good && at < length; at += strlen(lines + at) + 1) {
        good = lines[at] == '\0' || frames_of_line(set, lines + at, small + at, at, spans);
    }
    spans->lost = spans->lost || !good;
    evidence_frame_set_free(&own);
    free(small);
    free(lines);
}
