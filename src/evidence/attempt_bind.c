// SPDX-License-Identifier: Apache-2.0
#include "attempt_bind.h"

#include "attempt_files.h"
#include "attempt_receipt.h"
#include "text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// A clock that is being corrected may run a little faster or slower than the monotonic one, and times are whole seconds.
static const double CLOCK_SLACK_SECONDS = 1.0;
static const double CLOCK_SLACK_RATE = 1e-3;

const char *evidence_text_of(const json_t *object, const char *name)
{
    const char *text = json_string_value(json_object_get(object, name));
    return text != NULL ? text : "";
}

const json_t *evidence_step_find(const json_t *steps, const char *label)
{
    const json_t *step = NULL;
    size_t at = 0;
    json_array_foreach(steps, at, step)
    {
        if (strcmp(evidence_text_of(step, "label"), label) == 0) {
            return step;
        }
    }
    return NULL;
}

double evidence_step_seconds(const json_t *step)
{
    return strtod(evidence_text_of(step, "seconds"),
                  NULL); // "" of an unfinished step is 0; evidence_steps_read has looked at its form
}

double evidence_clock_slack(double seconds)
{
    return CLOCK_SLACK_SECONDS + CLOCK_SLACK_RATE * seconds;
}

static void utc_write(int64_t seconds, char text[24])
{
    const time_t moment = (time_t)seconds;
    struct tm utc;
    text[0] = '\0';
    if (gmtime_r(&moment, &utc) != NULL) {
        strftime(text, 24, "%Y-%m-%dT%H:%M:%SZ", &utc);
    }
}

// "20260131T235959Z-..." as a time.
static bool stamp_read(const char *name, int64_t *seconds)
{
    char text[24];
    if (strlen(name) < 16) {
        return false;
    }
    snprintf(text, sizeof text, "%.4s-%.2s-%.2sT%.2s:%.2s:%.2sZ", name, name + 4, name + 6, name + 9, name + 11, name + 13);
    return cupel_text_utc(text, seconds);
}

void evidence_name_judge(const char *name, const char *subject, int64_t started, cupel_findings *findings)
{
    int64_t stamp = 0;
    if (!stamp_read(name, &stamp) || fabs((double)(stamp - started)) > CLOCK_SLACK_SECONDS) {
        char text[24];
        utc_write(started, text);
        cupel_findings_add(findings, CUPEL_REASON_EVIDENCE_CONTRADICTION, subject, "its name %s is not of its start %s", name,
                           text);
    }
}

void evidence_times_judge(const evidence_parts *parts, char finished[24], cupel_findings *findings)
{
    const char *before = "the attempt";
    int64_t ended = 0; // of what was recorded before, rounded down
    double most = 0.0; // seconds of it
    int64_t last = 0;
    const json_t *step = NULL;
    size_t at = 0;
    snprintf(finished, 24, "%.23s", evidence_text_of(parts->attempt, "started"));
    if (!cupel_text_utc(finished, &ended)) {
        cupel_findings_add(findings, CUPEL_REASON_ATTEMPT_SCHEMA, EVIDENCE_ATTEMPT_RECORD, "\"%s\" is no time", finished);
        return;
    }
    const char *name = evidence_text_of(parts->attempt, "attempt");
    evidence_name_judge(name, EVIDENCE_ATTEMPT_RECORD, ended, findings);
    if (!evidence_attempt_name_is_of(name, evidence_text_of(parts->attempt, "profile"))) {
        cupel_findings_add(findings, CUPEL_REASON_EVIDENCE_CONTRADICTION, EVIDENCE_ATTEMPT_RECORD,
                           "its name %s is not one of the profile %s", name, evidence_text_of(parts->attempt, "profile"));
    }
    last = ended;
    json_array_foreach(parts->steps, at, step)
    {
        const char *label = evidence_text_of(step, "label");
        int64_t started = 0;
        if (json_integer_value(json_object_get(step, "index")) != (json_int_t)at + 1) {
            cupel_findings_add(findings, CUPEL_REASON_EVIDENCE_CONTRADICTION, label, "it is step %zu of the attempt but says %lld",
                               at + 1, (long long)json_integer_value(json_object_get(step, "index")));
        }
        if (!cupel_text_utc(evidence_text_of(step, "started"), &started)) {
            cupel_findings_add(findings, CUPEL_REASON_ATTEMPT_SCHEMA, label, "its start \"%s\" is no time",
                               evidence_text_of(step, "started"));
            continue;
        }
        if ((double)started < (double)ended - evidence_clock_slack(most)) {
            char text[24];
            utc_write(ended, text);
            cupel_findings_add(findings, CUPEL_REASON_CLOCK_BACKWARDS, label, "it began %s, but %s before it did not end before %s",
                               evidence_text_of(step, "started"), before, text);
        }
        before = label;
        most = evidence_step_seconds(step);
        ended = started + (int64_t)floor(most);
        last = started + (int64_t)ceil(most) > last ? started + (int64_t)ceil(most) : last;
    }
    utc_write(last, finished);
}

json_t *evidence_command_member(const char *directory, const char *label, const char *name)
{
    char path[PATH_MAX];
    json_t *command =
        evidence_path(path, "%s/steps/%s/command", directory, label) ? json_load_file(path, JSON_REJECT_DUPLICATES, NULL) : NULL;
    json_t *member = json_incref(json_object_get(command, name));
    json_decref(command);
    return member;
}

// True when the provenance has an executable, or a library of the build, with this hash.
static bool provenance_has(const json_t *provenance, const char *sha256)
{
    const json_t *executable = NULL;
    size_t e = 0;
    json_array_foreach(json_object_get(provenance, "executables"), e, executable)
    {
        const json_t *library = NULL;
        size_t l = 0;
        if (strcmp(evidence_text_of(executable, "sha256"), sha256) == 0) {
            return true;
        }
        json_array_foreach(json_object_get(executable, "libraries"), l, library)
        {
            if (strcmp(evidence_text_of(library, "sha256"), sha256) == 0) {
                return true;
            }
        }
    }
    return false;
}

void evidence_hashes_judge(const json_t *files, const json_t *provenance, cupel_findings *findings)
{
    const json_t *plan = json_object_get(provenance, "plan_sha256"); // attempts of the first form have none
    if (plan != NULL && !json_equal(plan, json_object_get(json_object_get(files, EVIDENCE_PLAN_COPY), "sha256"))) {
        cupel_findings_add(findings, CUPEL_REASON_EVIDENCE_CONTRADICTION, EVIDENCE_PLAN_COPY, "the provenance hashed another");
    }
    const char *name = NULL;
    const json_t *value = NULL;
    json_object_foreach((json_t *)files, name, value) // iteration changes nothing
    {
        if (strncmp(name, EVIDENCE_BUILD_KEPT "/", strlen(EVIDENCE_BUILD_KEPT) + 1) == 0 &&
            !provenance_has(provenance, evidence_text_of(value, "sha256"))) {
            cupel_findings_add(findings, CUPEL_REASON_EVIDENCE_CONTRADICTION, name, "the provenance names no such file");
        }
    }
}

typedef struct expected_command {
    const char *label;
    bool of_lane; // else of the lane "after", which goes on whatever became of the profile's
    const char *words[4];
} expected_command;

// Stand for words that the attempt gives.
static const char SOURCE[] = "the source tree", TREE[] = "the tree that runs", ANY[] = "any tree", PROFILE[] = "the profile";

static const expected_command COMMANDS[] = {
    {EVIDENCE_STEP_SOURCE, true, {"source", "--json", "--source", SOURCE}},
    {EVIDENCE_STEP_BEFORE, true, {"doctor", "--json", "--tree", ANY}},
    {EVIDENCE_STEP_PROVENANCE, true, {"provenance", PROFILE, "--tree", TREE}},
    {EVIDENCE_STEP_PROVENANCE_AFTER, false, {"provenance", PROFILE, "--tree", TREE}},
    {EVIDENCE_STEP_AFTER, false, {"doctor", "--json", "--tree", ANY}},
};

// The words that a step of Cupel's own must have after the first, which is the tool.
static bool words_are(const evidence_parts *parts, const expected_command *expected, const json_t *words)
{
    const bool dirty = expected->words[3] == SOURCE && json_is_true(json_object_get(parts->attempt, "dirty"));
    if (json_array_size(words) != (dirty ? 6U : 5U)) {
        return false;
    }
    for (size_t i = 0; i < 4; ++i) {
        const char *word = json_string_value(json_array_get(words, i + 1));
        const char *wanted = expected->words[i];
        wanted = wanted == SOURCE ? parts->plan->source : wanted == TREE ? parts->plan->build : wanted;
        wanted = wanted == PROFILE ? parts->profile->name : wanted;
        if (word == NULL || (wanted != ANY && strcmp(word, wanted) != 0)) {
            return false;
        }
    }
    const char *last = json_string_value(json_array_get(words, 5));
    return !dirty || (last != NULL && strcmp(last, "--dirty") == 0);
}

// A command that was recorded beside the run (cupel run --steps): a lane of its own, the shell, and the tree that runs.
static void more_judge(const evidence_parts *parts, const json_t *step, const json_t *environment, cupel_findings *findings)
{
    char tree[PATH_MAX];
    const char *label = evidence_text_of(step, "label");
    json_t *words = evidence_command_member(parts->directory, label, "words");
    const char *shell = json_string_value(json_array_get(words, 0));
    const char *option = json_string_value(json_array_get(words, 1));
    const char *set = json_array_size(environment) == 1 ? json_string_value(json_array_get(environment, 0)) : NULL;
    if (json_array_size(words) != 3 || shell == NULL || option == NULL || strcmp(shell, "/bin/sh") != 0 ||
        strcmp(option, "-c") != 0 || set == NULL || !evidence_path(tree, "CUPEL_TREE=%s", parts->plan->build) ||
        strcmp(set, tree) != 0) {
        cupel_findings_add(findings, CUPEL_REASON_EVIDENCE_CONTRADICTION, label,
                           "its command or environment is not that of a command beside the run");
    }
    if (strcmp(evidence_text_of(step, "lane"), label) != 0) {
        cupel_findings_add(findings, CUPEL_REASON_EVIDENCE_CONTRADICTION, label, "its lane is \"%s\"",
                           evidence_text_of(step, "lane"));
    }
    json_decref(words);
}

// The environment that is set for a step of the procedure: nothing, but for the run.
static bool environment_is(const evidence_parts *parts, const char *label, const json_t *environment)
{
    char end[PATH_MAX];
    const size_t count = json_array_size(environment);
    if (strcmp(label, EVIDENCE_STEP_RUN) != 0) {
        return json_is_array(environment) && count == 0;
    }
    const char *first = json_string_value(json_array_get(environment, 0));
    const char *last = count > 0 ? json_string_value(json_array_get(environment, count - 1)) : NULL;
    const char *device = count == 3 ? json_string_value(json_array_get(environment, 1)) : "CUPEL_DEVICE=";
    if ((count != 2 && count != 3) || first == NULL || last == NULL || device == NULL || strcmp(first, "LC_ALL=C") != 0 ||
        strncmp(device, "CUPEL_DEVICE=", strlen("CUPEL_DEVICE=")) != 0 ||
        !evidence_path(end, "/%s/run", evidence_text_of(parts->attempt, "attempt"))) {
        return false;
    }
    const char *wanted = parts->is_copy ? strrchr(end, '/') : end; // a placeholder may stand for the whole attempt
    return strncmp(last, "CUPEL_EVIDENCE=", strlen("CUPEL_EVIDENCE=")) == 0 && strlen(last) > strlen(wanted) &&
           strcmp(last + strlen(last) - strlen(wanted), wanted) == 0;
}

// What two steps must have in common; the first one seen is kept.
static void common_judge(json_t **known, json_t *value, const char *label, const char *what, cupel_findings *findings)
{
    if (*known == NULL) {
        *known = json_incref(value);
    } else if (!json_equal(*known, value)) {
        cupel_findings_add(findings, CUPEL_REASON_EVIDENCE_CONTRADICTION, label, "its %s is not that of the steps before it", what);
    }
}

static void command_judge(const evidence_parts *parts, const expected_command *expected, json_t **tool, json_t **tree,
                          cupel_findings *findings)
{
    json_t *words = evidence_command_member(parts->directory, expected->label, "words");
    if (!words_are(parts, expected, words)) {
        cupel_findings_add(findings, CUPEL_REASON_EVIDENCE_CONTRADICTION, expected->label,
                           "its command is not the one that this step has");
    } else {
        common_judge(tool, json_array_get(words, 0), expected->label, "executable", findings);
        if (expected->words[3] == ANY) {
            common_judge(tree, json_array_get(words, 4), expected->label, "build tree", findings);
        }
    }
    json_decref(words);
}

static void own_judge(const evidence_parts *parts, const json_t *step, const json_t *environment, json_t **tool, json_t **tree,
                      cupel_findings *findings)
{
    const char *label = evidence_text_of(step, "label");
    bool of_lane = strcmp(label, EVIDENCE_STEP_REMOVE) != 0;
    for (size_t i = 0; i < sizeof COMMANDS / sizeof COMMANDS[0]; ++i) {
        if (strcmp(COMMANDS[i].label, label) == 0) {
            of_lane = COMMANDS[i].of_lane;
            command_judge(parts, &COMMANDS[i], tool, tree, findings);
        }
    }
    if (strcmp(evidence_text_of(step, "lane"), of_lane ? parts->profile->name : "after") != 0) {
        cupel_findings_add(findings, CUPEL_REASON_EVIDENCE_CONTRADICTION, label, "its lane is \"%s\"",
                           evidence_text_of(step, "lane"));
    }
    if (!environment_is(parts, label, environment)) {
        cupel_findings_add(findings, CUPEL_REASON_EVIDENCE_CONTRADICTION, label, "its environment is not the one this step has");
    }
}

void evidence_commands_judge(const evidence_parts *parts, cupel_findings *findings)
{
    json_t *directory = NULL;
    json_t *tool = NULL;
    json_t *tree = NULL;
    const json_t *step = NULL;
    size_t at = 0;
    json_array_foreach(parts->steps, at, step)
    {
        const char *label = evidence_text_of(step, "label");
        json_t *environment = evidence_command_member(parts->directory, label, "environment");
        json_t *where = evidence_command_member(parts->directory, label, "directory");
        if (evidence_step_is_of_procedure(label)) {
            own_judge(parts, step, environment, &tool, &tree, findings);
        } else {
            more_judge(parts, step, environment, findings);
        }
        common_judge(&directory, where, label, "directory", findings);
        json_decref(environment);
        json_decref(where);
    }
    json_decref(directory);
    json_decref(tool);
    json_decref(tree);
}
