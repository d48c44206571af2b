// SPDX-License-Identifier: Apache-2.0
// The build of an attempt: whether it made what it ran, and whether what it was told is what the tree and the device say.
#include "attempt_bind.h"

#include "attempt_files.h"
#include "attempt_receipt.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// True when the words hold `option` followed by `value`.
static bool words_have(const json_t *words, const char *option, const char *value)
{
    for (size_t i = 0; i + 1 < json_array_size(words); ++i) {
        const char *word = json_string_value(json_array_get(words, i));
        const char *next = json_string_value(json_array_get(words, i + 1));
        if (word != NULL && next != NULL && strcmp(word, option) == 0 && strcmp(next, value) == 0) {
            return true;
        }
    }
    return false;
}

static bool step_passed(const json_t *steps, const char *label)
{
    return strcmp(evidence_text_of(evidence_step_find(steps, label), "status"), "exit 0") == 0;
}

json_t *evidence_build_describe(const evidence_parts *parts)
{
    bool fresh =
        parts->plan != NULL && step_passed(parts->steps, EVIDENCE_STEP_CONFIGURE) && step_passed(parts->steps, EVIDENCE_STEP_BUILD);
    if (fresh) {
        json_t *configure = evidence_command_member(parts->directory, EVIDENCE_STEP_CONFIGURE, "words");
        json_t *build = evidence_command_member(parts->directory, EVIDENCE_STEP_BUILD, "words");
        fresh = words_have(configure, "-S", parts->plan->source) && words_have(configure, "-B", parts->plan->build) &&
                words_have(build, "--build", parts->plan->build);
        json_decref(configure);
        json_decref(build);
    }
    return json_pack("{s:b, s:s}", "fresh", fresh, "made_by", fresh ? "attempt" : "earlier");
}

// ---- What the steps of a fresh build were told
// ------------------------------------------------------------------------------------

static void contradiction(cupel_findings *findings, const char *label, const char *what)
{
    cupel_findings_add(findings, CUPEL_REASON_EVIDENCE_CONTRADICTION, label, "%s", what);
}

static const char *word_at(const json_t *words, size_t at)
{
    const char *word = json_string_value(json_array_get(words, at));
    return word != NULL ? word : "";
}

// True when the words begin with these.
static bool words_begin(const json_t *words, const char *const *wanted, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        if (strcmp(word_at(words, i), wanted[i]) != 0) {
            return false;
        }
    }
    return true;
}

// The value of "-DNAME:TYPE=VALUE" for this name, null for another word.
static const char *option_value(const char *word, const char *name)
{
    const size_t length = strlen(name);
    const char *value = strchr(word, '=');
    return strncmp(word, "-D", 2) == 0 && strncmp(word + 2, name, length) == 0 && word[2 + length] == ':' && value != NULL
               ? value + 1
               : NULL;
}

// What the tree says of its configuration is what it was told.
static void configure_judge(const evidence_parts *parts, const json_t *words, cupel_findings *findings)
{
    const char *const wanted[] = {"cmake", "-S", parts->plan->source, "-B", parts->plan->build};
    const json_t *configuration = json_object_get(parts->provenance, "configuration");
    const char *name = NULL;
    const json_t *value = NULL;
    if (!words_begin(words, wanted, sizeof wanted / sizeof wanted[0])) {
        contradiction(findings, EVIDENCE_STEP_CONFIGURE, "it did not configure the tree that ran");
    }
    json_object_foreach((json_t *)configuration, name, value) // iteration changes nothing
    {
        const char *has = json_string_value(value);
        const char *told = NULL;
        for (size_t i = 0; i < json_array_size(words) && told == NULL; ++i) {
            told = strcmp(name, "CMAKE_GENERATOR") != 0                ? option_value(word_at(words, i), name)
                   : i > 0 && strcmp(word_at(words, i - 1), "-G") == 0 ? word_at(words, i)
                                                                       : NULL;
        }
        if (has == NULL || told == NULL || strcmp(has, told) != 0) {
            cupel_findings_add(findings, CUPEL_REASON_EVIDENCE_CONTRADICTION, EVIDENCE_STEP_CONFIGURE,
                               "it was told %s \"%s\", the tree has \"%s\"", name, told != NULL ? told : "(nothing)",
                               has != NULL ? has : "");
        }
    }
}

// It built everything, or what the profile needs.
static void build_judge(const evidence_parts *parts, const json_t *words, cupel_findings *findings)
{
    char target[512];
    const char *const wanted[] = {"cmake", "--build", parts->plan->build, "--parallel"};
    const size_t count = json_array_size(words);
    const char *jobs = word_at(words, 4);
    snprintf(target, sizeof target, "cupel-profile-%s", parts->profile->name);
    const bool whole = count == 5;
    const bool part = count == 7 && strcmp(word_at(words, 5), "--target") == 0 && strcmp(word_at(words, 6), target) == 0;
    if (!words_begin(words, wanted, sizeof wanted / sizeof wanted[0]) || jobs[0] == '\0' ||
        strspn(jobs, "0123456789") != strlen(jobs) || !(whole || part)) {
        contradiction(findings, EVIDENCE_STEP_BUILD, "its command is not the one that this step has");
    }
}

static void remove_judge(const evidence_parts *parts, const json_t *words, cupel_findings *findings)
{
    const char *const wanted[] = {"rm", "-rf", "--", parts->plan->build};
    if (json_array_size(words) != 4 || !words_begin(words, wanted, 4)) {
        contradiction(findings, EVIDENCE_STEP_REMOVE, "its command does not remove the tree that ran");
    }
}

// The version in a text: digits with points between, "" when there is none.
static void version_find(const char *text, char version[32])
{
    const char *at = text + strcspn(text, "0123456789");
    while (*at != '\0' && at[strspn(at, "0123456789")] != '.') {
        at += strspn(at, "0123456789");
        at += strcspn(at, "0123456789");
    }
    snprintf(version, 32, "%.*s", (int)strspn(at, "0123456789."), at);
}

void evidence_toolchain_judge(const evidence_parts *parts, const json_t *device, cupel_findings *findings)
{
    static const char compiled[] = "C11, compiler ", toolkit[] = "CUDA runtime ";
    char version[32];
    char wanted[64];
    const char *runtime = evidence_text_of(device, "runtime");
    const char *backend = parts->profile->backend;
    const bool is_cuda = strcmp(backend, "cuda") == 0;
    const char *known = evidence_text_of(json_object_get(parts->provenance, is_cuda ? "toolkit" : "compiler"), "version");
    const char *begin = is_cuda ? toolkit : compiled;
    if ((!is_cuda && strcmp(backend, "cpu") != 0) || strncmp(runtime, begin, strlen(begin)) != 0 || known[0] == '\0') {
        return;
    }
    version_find(runtime + strlen(begin), version);
    snprintf(wanted, sizeof wanted, "%s%s", is_cuda ? "release " : "", version);
    if (version[0] != '\0' && strstr(known, wanted) == NULL) {
        cupel_findings_add(findings, CUPEL_REASON_EVIDENCE_CONTRADICTION, EVIDENCE_STEP_PROVENANCE,
                           "the %s that it describes is not \"%s\", which the device's runtime names",
                           is_cuda ? "toolkit" : "compiler", runtime);
    }
}

void evidence_build_judge(const evidence_parts *parts, cupel_findings *findings)
{
    static const struct {
        const char *label;
        void (*judge)(const evidence_parts *parts, const json_t *words, cupel_findings *findings);
    } steps[] = {
        {EVIDENCE_STEP_CONFIGURE, configure_judge}, {EVIDENCE_STEP_BUILD, build_judge}, {EVIDENCE_STEP_REMOVE, remove_judge}};
    bool any = false;
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; ++i) {
        any = any || evidence_step_find(parts->steps, steps[i].label) != NULL;
    }
    for (size_t i = 0; any && i < sizeof steps / sizeof steps[0]; ++i) {
        if (evidence_step_find(parts->steps, steps[i].label) == NULL) {
            cupel_findings_add(findings, CUPEL_REASON_STEP_MISSING, steps[i].label, "a fresh build has such a step");
            continue;
        }
        json_t *words = evidence_command_member(parts->directory, steps[i].label, "words");
        steps[i].judge(parts, words, findings);
        json_decref(words);
    }
}
