// SPDX-License-Identifier: Apache-2.0
#include "selection.h"

#include <stdio.h>
#include <string.h>

typedef enum word_kind {
    WORD_FLAG,     // stands alone
    WORD_VALUE,    // is followed by a value
    WORD_OPTIONAL, // may be followed by a value that does not begin with '-'
    WORD_LABEL,    // -L and its pattern
    WORD_NARROWS,  // can run less than a whole profile
    WORD_REPEATS   // can run a case more than once, or only what failed before
} word_kind;

typedef struct known_word {
    const char *name;
    word_kind kind;
} known_word;

// The options of ctest 3.25 to 4.0. An option with "=" is also known as "<name>=<value>".
static const known_word known_words[] = {
    {"-L", WORD_LABEL},
    {"--label-regex", WORD_LABEL},
    {"-R", WORD_NARROWS},
    {"--tests-regex", WORD_NARROWS},
    {"-E", WORD_NARROWS},
    {"--exclude-regex", WORD_NARROWS},
    {"-LE", WORD_NARROWS},
    {"--label-exclude", WORD_NARROWS},
    {"-I", WORD_NARROWS},
    {"--tests-information", WORD_NARROWS},
    {"-U", WORD_NARROWS},
    {"--union", WORD_NARROWS},
    {"-FA", WORD_NARROWS},
    {"--fixture-exclude-any", WORD_NARROWS},
    {"-FS", WORD_NARROWS},
    {"--fixture-exclude-setup", WORD_NARROWS},
    {"-FC", WORD_NARROWS},
    {"--fixture-exclude-cleanup", WORD_NARROWS},
    {"--tests-from-file", WORD_NARROWS},
    {"--exclude-from-file", WORD_NARROWS},
    {"--rerun-failed", WORD_REPEATS},
    {"--repeat", WORD_REPEATS},
    {"--repeat-until-fail", WORD_REPEATS},
    {"--stop-on-failure", WORD_NARROWS},
    {"--stop-time", WORD_NARROWS},
    {"-F", WORD_REPEATS},
    {"-S", WORD_NARROWS},
    {"-SP", WORD_NARROWS},
    {"--script", WORD_NARROWS},
    {"--script-new-process", WORD_NARROWS},
    {"--test-dir", WORD_VALUE},
    {"--preset", WORD_VALUE},
    {"-C", WORD_VALUE},
    {"--build-config", WORD_VALUE},
    {"-O", WORD_VALUE},
    {"--output-log", WORD_VALUE},
    {"--output-junit", WORD_VALUE},
    {"--timeout", WORD_VALUE},
    {"--test-load", WORD_VALUE},
    {"--max-width", WORD_VALUE},
    {"--resource-spec-file", WORD_VALUE},
    {"--test-output-size-passed", WORD_VALUE},
    {"--test-output-size-failed", WORD_VALUE},
    {"--test-output-truncation", WORD_VALUE},
    {"--no-tests", WORD_VALUE},
    {"--interactive-debug-mode", WORD_VALUE},
    {"-D", WORD_VALUE},
    {"--dashboard", WORD_VALUE},
    {"-M", WORD_VALUE},
    {"--test-model", WORD_VALUE},
    {"-T", WORD_VALUE},
    {"--test-action", WORD_VALUE},
    {"--group", WORD_VALUE},
    {"-A", WORD_VALUE},
    {"--add-notes", WORD_VALUE},
    {"-j", WORD_OPTIONAL},
    {"--parallel", WORD_OPTIONAL},
    {"-V", WORD_FLAG},
    {"--verbose", WORD_FLAG},
    {"-VV", WORD_FLAG},
    {"--extra-verbose", WORD_FLAG},
    {"--debug", WORD_FLAG},
    {"--output-on-failure", WORD_FLAG},
    {"-Q", WORD_FLAG},
    {"--quiet", WORD_FLAG},
    {"--progress", WORD_FLAG},
    {"--print-labels", WORD_FLAG},
    {"--no-label-summary", WORD_FLAG},
    {"--no-subproject-summary", WORD_FLAG},
    {"--schedule-random", WORD_FLAG},
    {"--force-new-ctest-process", WORD_FLAG},
    {"--http-header", WORD_VALUE},
    {"--overwrite", WORD_VALUE},
};

static const known_word *find_word(const char *word, size_t length)
{
    for (size_t i = 0; i < sizeof known_words / sizeof *known_words; ++i) {
        if (strlen(known_words[i].name) == length && strncmp(known_words[i].name, word, length) == 0) {
            return &known_words[i];
        }
    }
    return NULL;
}

static bool is_job_count(const char *word)
{
    size_t digits = strncmp(word, "-j", 2) == 0 ? strspn(word + 2, "0123456789") : 0;
    return digits > 0 && word[2 + digits] == '\0';
}

static cupel_selection refuse(char *reason, size_t size, cupel_selection selection, const char *word, const char *why)
{
    snprintf(reason, size, "ctest was started with \"%.80s\", %s", word, why);
    return selection;
}

cupel_selection cupel_selection_judge(int count, char *const *words, char *reason, size_t size)
{
    int labels = 0;
    for (int i = 1; i < count; ++i) {
        const char *word = words[i];
        const char *equals = strncmp(word, "--", 2) == 0 ? strchr(word, '=') : NULL;
        const known_word *known = find_word(word, equals == NULL ? strlen(word) : (size_t)(equals - word));
        if (is_job_count(word)) {
            continue;
        }
        if (known == NULL) {
            return refuse(reason, size, CUPEL_SELECTION_PARTIAL, word, "which ctest does not know and would ignore in silence");
        }
        if (known->kind == WORD_NARROWS) {
            return refuse(reason, size, CUPEL_SELECTION_PARTIAL, word,
                          "which can run less than a whole profile; select a profile with one -L alone");
        }
        if (known->kind == WORD_REPEATS) {
            return refuse(reason, size, CUPEL_SELECTION_REPEATED, word,
                          "which can run a case twice or only what failed before; run the profile once");
        }
        if (known->kind == WORD_LABEL && ++labels > 1) {
            return refuse(reason, size, CUPEL_SELECTION_PARTIAL, word, "a second time; select a profile with one -L alone");
        }
        bool takes_value = known->kind == WORD_LABEL || known->kind == WORD_VALUE ||
                           (known->kind == WORD_OPTIONAL && i + 1 < count && words[i + 1][0] != '-');
        if (takes_value && equals == NULL) {
            ++i;
        }
    }
    return CUPEL_SELECTION_WHOLE;
}

bool cupel_selection_check(int count, char *const *words, char *reason, size_t size)
{
    return cupel_selection_judge(count, words, reason, size) == CUPEL_SELECTION_WHOLE;
}
