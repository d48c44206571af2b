// SPDX-License-Identifier: Apache-2.0
#include "more_steps.h"

#include "attempt_files.h"
#include "file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FILE_BYTES_MAX = 1 << 16, STEPS_MAX = 100 };
static const double LIMIT_SECONDS = 600.0;

// The text before the next mark, which becomes its end; *rest is what follows, null behind the last.
static char *field_cut(char **rest, char mark)
{
    char *field = *rest;
    char *end = field != NULL ? strchr(field, mark) : NULL;
    if (end != NULL) {
        *end = '\0';
    }
    *rest = end != NULL ? end + 1 : NULL;
    return field;
}

static bool is_taken(const cupel_more_steps *steps, const cupel_more_step *one)
{
    if (evidence_step_is_of_procedure(one->label)) {
        return true;
    }
    for (size_t i = 0; i < steps->count; ++i) {
        if (strcmp(one->profile, steps->items[i].profile) == 0 && strcmp(one->label, steps->items[i].label) == 0) {
            return true;
        }
    }
    return false;
}

// One line, which is cut into its fields. Null, or what is wrong with it.
static const char *line_read(char *line, cupel_more_steps *steps)
{
    char *rest = line;
    const char *profile = field_cut(&rest, '\t');
    const char *label = field_cut(&rest, '\t');
    if (profile == NULL || rest == NULL || profile[0] == '\0' || rest[strspn(rest, " \t")] == '\0') {
        return "has not the three fields profile, label and command, separated by tabs";
    }
    if (!evidence_label_is_valid(label)) {
        return "has no label of up to 60 characters a-z, 0-9, dot, dash and underscore";
    }
    if (steps->count == STEPS_MAX) {
        return "is one more than the 100 that are allowed";
    }
    cupel_more_step *made = &steps->items[steps->count];
    *made = (cupel_more_step){strdup(profile), strdup(label), strdup(rest)};
    if (made->profile == NULL || made->label == NULL || made->command == NULL) {
        ++steps->count; // freed with the others
        return "did not fit into memory";
    }
    const bool taken = is_taken(steps, made);
    ++steps->count;
    return taken ? "has a label that the procedure or another line uses" : NULL;
}

bool cupel_more_steps_read(const char *path, cupel_more_steps *steps, char message[EVIDENCE_MESSAGE])
{
    cupel_file file;
    *steps = (cupel_more_steps){.items = calloc(STEPS_MAX, sizeof *steps->items)};
    const char *trouble = cupel_file_read(path, FILE_BYTES_MAX, &file);
    if (trouble != NULL || steps->items == NULL) {
        evidence_say(message, "the steps in %s cannot be read (%s); name a file of lines PROFILE<tab>LABEL<tab>COMMAND.", path,
                     trouble != NULL ? trouble : "memory ran out");
        return false;
    }
    char *text = strndup((const char *)file.bytes, file.length);
    bool whole = text != NULL && strlen(text) == file.length;
    cupel_file_free(&file);
    if (!whole) {
        evidence_say(message, "the steps in %s hold a zero byte; write them as text.", path);
    }
    char *rest = text;
    for (size_t number = 1; whole && rest != NULL; ++number) {
        char *line = field_cut(&rest, '\n');
        trouble = line[0] == '\0' || line[0] == '#' ? NULL : line_read(line, steps);
        if (trouble != NULL) {
            evidence_say(message, "line %zu of %s %s; correct it.", number, path, trouble);
            whole = false;
        }
    }
    free(text);
    if (whole && steps->count == 0) {
        evidence_say(message, "%s has no step; write lines PROFILE<tab>LABEL<tab>COMMAND, or leave --steps out.", path);
        whole = false;
    }
    return whole;
}

void cupel_more_steps_free(cupel_more_steps *steps)
{
    for (size_t i = 0; i < steps->count; ++i) {
        free(steps->items[i].profile);
        free(steps->items[i].label);
        free(steps->items[i].command);
    }
    free(steps->items);
    *steps = (cupel_more_steps){0};
}

bool cupel_more_steps_has(const cupel_more_steps *steps, const char *profile)
{
    bool has = false;
    for (size_t i = 0; steps != NULL && i < steps->count; ++i) {
        has = has || strcmp(steps->items[i].profile, profile) == 0;
    }
    return has;
}

void cupel_more_steps_take(const cupel_more_steps *steps, const evidence_attempt *attempt, const char *profile, const char *tree,
                           char message[EVIDENCE_MESSAGE])
{
    char variable[PATH_MAX + 16];
    const char *const environment[] = {variable, NULL};
    snprintf(variable, sizeof variable, "CUPEL_TREE=%s", tree);
    message[0] = '\0';
    for (size_t i = 0; i < steps->count; ++i) {
        const cupel_more_step *one = &steps->items[i];
        const char *const argv[] = {"/bin/sh", "-c", one->command, NULL};
        const evidence_step step = {.label = one->label,
                                    .lane = one->label,
                                    .process = {.argv = argv, .environment = environment, .limit_seconds = LIMIT_SECONDS}};
        char said[EVIDENCE_MESSAGE] = "";
        evidence_process_result process;
        if (strcmp(one->profile, profile) != 0) {
            continue;
        }
        const evidence_outcome outcome = evidence_step_run(attempt, &step, &process, said);
        if (outcome == EVIDENCE_STEP_REFUSED || outcome == EVIDENCE_STEP_BROKEN) {
            memcpy(message, said, sizeof said);
        }
    }
}
