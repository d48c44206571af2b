// SPDX-License-Identifier: Apache-2.0
#include "sanitize_audit.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RUNS_MAX = 8, NEEDLE_MAX = 512, PREFIX_MAX = 32, LONG_DIGITS = 16 };

// Members of Cupel's own JSON whose values no copy holds.
static const struct {
    const char *member;
    evidence_kind kind;
} MEMBERS[] = {
    {"\"uuid\":", EVIDENCE_UUID},      {"\"serial\":", EVIDENCE_SERIAL},   {"\"pid\":", EVIDENCE_PID},
    {"\"ctest_pid\":", EVIDENCE_PID},  {"\"ctest_start\":", EVIDENCE_PID}, {"\"account\":", EVIDENCE_ACCOUNT},
    {"\"host\":", EVIDENCE_HOST},      {"\"home\":", EVIDENCE_PATH},       {"\"build\":", EVIDENCE_PATH},
    {"\"directory\":", EVIDENCE_PATH},
};

// Texts after which a value stands that is replaced only where its place says what it is.
static const struct {
    evidence_kind kind;
    const char *before; // small letters
} PLACES[] = {
    {EVIDENCE_HOST, "site="},
    {EVIDENCE_HOST, "site:string="},
    {EVIDENCE_HOST, "hostname="},
    {EVIDENCE_HOST, "hostname: "},
    {EVIDENCE_HOST, "host: "},
    {EVIDENCE_HOST, "\"hostname\": \""},
    {EVIDENCE_HOST, "\"host\": \""},
    {EVIDENCE_ACCOUNT, "user="},
    {EVIDENCE_ACCOUNT, "logname="},
    {EVIDENCE_ACCOUNT, "user: "},
    {EVIDENCE_ACCOUNT, "/home/"},
    {EVIDENCE_ACCOUNT, "\"user\": \""},
    {EVIDENCE_ACCOUNT, "\"account\": \""},
    {EVIDENCE_SECRET, "password="},
    {EVIDENCE_SECRET, "password: "},
    {EVIDENCE_SECRET, "token="},
    {EVIDENCE_SECRET, "--token "},
    {EVIDENCE_SECRET, "--password "},
};

#define BASE64 "abcdefghijklmnopqrstuvwxyz0123456789+/=" // in small letters

// Texts that no copy holds when what follows them has this many characters of this set.
static const struct {
    evidence_kind kind;
    const char *before; // small letters
    const char *set;
    size_t least;
} FORMS[] = {
    {EVIDENCE_SECRET, "-----begin openssh private key-----", "\n\\r" BASE64, 18},
    {EVIDENCE_SECRET, "-----begin rsa private key-----", "\n\\r" BASE64, 18},
    {EVIDENCE_SECRET, "-----begin private key-----", "\n\\r" BASE64, 18},
    {EVIDENCE_SECRET, "github_pat_", "abcdefghijklmnopqrstuvwxyz0123456789_", 20},
    {EVIDENCE_SECRET, "ghp_", "abcdefghijklmnopqrstuvwxyz0123456789", 20},
    {EVIDENCE_SECRET, "glpat-", "abcdefghijklmnopqrstuvwxyz0123456789_-", 20},
    {EVIDENCE_PATH, "/home/", "abcdefghijklmnopqrstuvwxyz0123456789_", 1},
    {EVIDENCE_PID, "/proc/", "0123456789", 1},
    {EVIDENCE_PID, "pid=", "0123456789", 1},
    {EVIDENCE_PID, "pid ", "0123456789", 1},
    {EVIDENCE_PID, "pid: ", "0123456789", 1},
    {EVIDENCE_PID, "(process ", "0123456789", 2},
    {EVIDENCE_PID, "tid=", "0123456789", 1},
    {EVIDENCE_PID, "(lwp ", "0123456789", 1},
    {EVIDENCE_JOB, "slurm_job_id=", "0123456789", 1},
    {EVIDENCE_JOB, "batch job ", "0123456789", 1},
};

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

// Kinds whose small letters and capitals differ.
static bool has_case(evidence_kind kind)
{
    return kind == EVIDENCE_PATH || kind == EVIDENCE_SECRET;
}

static void needle_add(evidence_audit *audit, evidence_kind kind, const char *text, size_t length, bool is_everywhere)
{
    char shown[NEEDLE_MAX];
    size_t count = 0;
    size_t digits = 0;
    for (size_t i = 0; i < length; ++i) {
        digits += isxdigit((unsigned char)text[i]) != 0;
    }
    const bool is_digits = (kind == EVIDENCE_UUID || kind == EVIDENCE_MAC) && digits >= 12;
    for (size_t i = 0; i < length && count + 1 < sizeof shown; ++i) {
        if (!is_digits || isxdigit((unsigned char)text[i])) {
            shown[count++] = has_case(kind) ? text[i] : (char)tolower((unsigned char)text[i]);
        }
    }
    shown[count] = '\0';
    for (size_t i = 0; i < audit->count; ++i) {
        evidence_needle *known = &audit->needles[i];
        if (known->kind == kind && strcmp(known->text, shown) == 0) {
            known->is_everywhere = known->is_everywhere || is_everywhere;
            return;
        }
    }
    if (audit->count == audit->capacity) {
        const size_t capacity = audit->capacity > 0 ? 2 * audit->capacity : 64;
        evidence_needle *needles = realloc(audit->needles, capacity * sizeof *needles);
        if (needles == NULL) {
            audit->lost = true;
            return;
        }
        audit->needles = needles;
        audit->capacity = capacity;
    }
    char *copy = strdup(shown);
    audit->lost = audit->lost || copy == NULL;
    if (copy != NULL) {
        audit->needles[audit->count++] = (evidence_needle){kind, copy, count, is_digits, is_everywhere};
        audit->pids += kind == EVIDENCE_PID;
    }
}

// The text of the member's value and its length; 0 for null, an empty text and values that are left alone.
static size_t member_value(const char *after, const char **value)
{
    after += strspn(after, " ");
    *value = after + (*after == '"');
    const size_t length = *after == '"' ? strcspn(*value, "\"") : strspn(*value, "0123456789");
    const bool is_common = length == 0 || evidence_is_common(*value, length) || evidence_placeholder_length(*value) > 0;
    return is_common ? 0 : length;
}

// A word of the form "8-4-4-4-12" or of six pairs of digits: the lengths of its runs of hexadecimal digits say so. The kind, or
// EVIDENCE_KINDS when it is neither, and the length.
static evidence_kind word_kind(const char *at, size_t *length)
{
    size_t runs[RUNS_MAX] = {0};
    size_t count = 0;
    size_t end = 0;
    char separator = '\0';
    bool letters = false;
    for (; isxdigit((unsigned char)at[end]) || (at[end] != '\0' && at[end] == separator) ||
           (separator == '\0' && (at[end] == '-' || at[end] == ':'));
         ++end) {
        if (isxdigit((unsigned char)at[end])) {
            runs[count] += 1;
            letters = letters || isalpha((unsigned char)at[end]);
        } else if (count + 1 < RUNS_MAX) {
            separator = at[end];
            ++count;
        } else {
            return EVIDENCE_KINDS;
        }
    }
    if (end > 0 && at[end - 1] == separator && separator != '\0') { // of the sentence
        --end;
        --count;
    }
    *length = end;
    if (is_word(at[end])) {
        return EVIDENCE_KINDS;
    }
    if (count == 4 && separator == '-' && runs[0] == 8 && runs[1] == 4 && runs[2] == 4 && runs[3] == 4 && runs[4] == 12) {
        return EVIDENCE_UUID;
    }
    bool pairs = count == 5;
    for (size_t i = 0; i <= count; ++i) {
        pairs = pairs && runs[i] == 2;
    }
    return pairs && (letters || separator == ':') ? EVIDENCE_MAC : EVIDENCE_KINDS;
}

// The next word from `at` that has the form of a UUID or MAC address; null when there is none.
static const char *formed_next(const char *begin, const char *at, evidence_kind *kind, size_t *length)
{
    for (; *at != '\0'; ++at) {
        if (!isxdigit((unsigned char)*at) || (at > begin && (is_word(at[-1]) || at[-1] == ':'))) {
            continue;
        }
        *kind = word_kind(at, length);
        if (*kind != EVIDENCE_KINDS && !evidence_value_is_void(*kind, at, *length)) {
            return at;
        }
    }
    return NULL;
}

void evidence_audit_learn(evidence_audit *audit, const char *text)
{
    evidence_kind kind = EVIDENCE_KINDS;
    size_t length = 0;
    for (size_t i = 0; i < sizeof MEMBERS / sizeof MEMBERS[0]; ++i) {
        for (const char *at = strstr(text, MEMBERS[i].member); at != NULL; at = strstr(at + 1, MEMBERS[i].member)) {
            const char *value = NULL;
            length = member_value(at + strlen(MEMBERS[i].member), &value);
            // A folder and a UUID go everywhere; of a name only the sanitiser can tell whether it is a word like any other.
            const bool everywhere = MEMBERS[i].kind == EVIDENCE_PATH || MEMBERS[i].kind == EVIDENCE_UUID;
            if (length > 0 && (MEMBERS[i].kind != EVIDENCE_PATH || *value == '/')) {
                needle_add(audit, MEMBERS[i].kind, value, length, everywhere && length >= 8);
            }
        }
    }
    for (const char *at = formed_next(text, text, &kind, &length); at != NULL;
         at = formed_next(text, at + length, &kind, &length)) {
        needle_add(audit, kind, at, length, true);
    }
}

void evidence_audit_learn_values(evidence_audit *audit, const evidence_sanitizer *sanitizer)
{
    for (size_t i = 0; i < sanitizer->count; ++i) {
        const evidence_value *value = &sanitizer->values[i];
        needle_add(audit, value->kind, value->text, value->length, value->is_everywhere);
    }
}

static void leak_say(const char *copy, size_t at, evidence_kind kind, evidence_leak *leak)
{
    *leak = (evidence_leak){.kind = kind, .line = 1};
    size_t begin = 0;
    for (size_t i = 0; i < at; ++i) {
        if (copy[i] == '\n') {
            leak->line += 1;
            begin = i + 1;
        }
    }
    for (size_t i = at; i > begin + 1; --i) { // the last "name": before it on its line
        if (copy[i] == ':' && copy[i - 1] == '"') {
            size_t start = i - 1;
            while (start > begin && copy[start - 1] != '"') {
                --start;
            }
            snprintf(leak->member, sizeof leak->member, "%.*s", (int)(i - 1 - start), copy + start);
            return;
        }
    }
}

// Where a needle stands as a word of its own in `text`, which is in small letters; null when nowhere.
static const char *word_find(const char *text, const char *needle, size_t length)
{
    for (const char *at = strstr(text, needle); at != NULL; at = strstr(at + 1, needle)) {
        const bool left = at == text || !is_word(*needle) || !is_word(at[-1]);
        if (left && (!is_word(needle[length - 1]) || !is_word(at[length]))) {
            return at;
        }
    }
    return NULL;
}

// A copy in the two forms in which it is searched: small letters, and those without separators with each one's place.
typedef struct search {
    const char *copy;
    char *small;
    char *squeezed;
    size_t *places;
} search;

static bool search_make(const char *copy, search *made)
{
    const size_t length = strlen(copy);
    size_t count = 0;
    *made = (search){copy, malloc(length + 1), malloc(length + 1), malloc((length + 1) * sizeof *made->places)};
    if (made->small == NULL || made->squeezed == NULL || made->places == NULL) {
        return false;
    }
    for (size_t i = 0; i <= length; ++i) {
        made->small[i] = (char)tolower((unsigned char)copy[i]);
        if (strchr("-:.", copy[i]) == NULL || copy[i] == '\0') {
            made->places[count] = i;
            made->squeezed[count++] = made->small[i];
        }
    }
    return true;
}

static void search_free(search *made)
{
    free(made->small);
    free(made->squeezed);
    free(made->places);
}

// A value that is replaced in some places only, in one of these places. Null when it is in none.
static const char *placed_find(const search *in, const evidence_needle *needle)
{
    char wanted[PREFIX_MAX + NEEDLE_MAX];
    for (size_t i = 0; i < sizeof PLACES / sizeof PLACES[0]; ++i) {
        if (PLACES[i].kind == needle->kind) {
            const int length = snprintf(wanted, sizeof wanted, "%s%s", PLACES[i].before, needle->text);
            for (char *c = wanted; *c != '\0'; ++c) {
                *c = (char)tolower((unsigned char)*c);
            }
            const char *at = word_find(in->small, wanted, (size_t)length);
            if (at != NULL) {
                return at;
            }
        }
    }
    return NULL;
}

static const char *needle_find(const search *in, const evidence_needle *needle)
{
    if (needle->is_digits && needle->is_everywhere) {
        // Many digits, or some with letters, are no part of other words by chance, but may follow "0x".
        const bool is_long = needle->length >= LONG_DIGITS || strpbrk(needle->text, "abcdef") != NULL;
        const char *at = is_long ? strstr(in->squeezed, needle->text) : word_find(in->squeezed, needle->text, needle->length);
        return at != NULL ? in->small + in->places[at - in->squeezed] : NULL;
    }
    if (!needle->is_everywhere) {
        return placed_find(in, needle);
    }
    const char *at = word_find(has_case(needle->kind) ? in->copy : in->small, needle->text, needle->length);
    return at != NULL && has_case(needle->kind) ? in->small + (at - in->copy) : at;
}

// Process ids: "==12==" at the beginning of a word, and members that hold a greater number than there are ids.
static const char *pid_find(const search *in, size_t pids)
{
    for (const char *at = strstr(in->small, "=="); at != NULL; at = strstr(at + 2, "==")) {
        const size_t digits = strspn(at + 2, "0123456789");
        if (digits > 0 && strncmp(at + 2 + digits, "==", 2) == 0 && (at == in->small || (!is_word(at[-1]) && at[-1] != '='))) {
            return at;
        }
    }
    for (size_t i = 0; i < sizeof MEMBERS / sizeof MEMBERS[0]; ++i) {
        const char *at = MEMBERS[i].kind == EVIDENCE_PID ? strstr(in->small, MEMBERS[i].member) : NULL;
        for (; at != NULL; at = strstr(at + 1, MEMBERS[i].member)) {
            const char *number = at + strlen(MEMBERS[i].member);
            if (strtoull(number, NULL, 10) > pids) {
                return number;
            }
        }
    }
    return NULL;
}

static const char *form_find(const search *in, evidence_kind *kind)
{
    size_t length = 0;
    for (size_t i = 0; i < sizeof FORMS / sizeof FORMS[0]; ++i) {
        const size_t before = strlen(FORMS[i].before);
        for (const char *at = strstr(in->small, FORMS[i].before); at != NULL; at = strstr(at + 1, FORMS[i].before)) {
            const bool alone = at == in->small || !is_word(*at) || !is_word(at[-1]);
            if (alone && strspn(at + before, FORMS[i].set) >= FORMS[i].least) {
                *kind = FORMS[i].kind;
                return at;
            }
        }
    }
    return formed_next(in->small, in->small, kind, &length);
}

bool evidence_audit_find(const evidence_audit *audit, const char *copy, evidence_leak *leak)
{
    search in;
    evidence_kind kind = EVIDENCE_PID;
    const bool made = search_make(copy, &in);
    const char *at = made ? pid_find(&in, audit->pids) : NULL;
    at = made && at == NULL ? form_find(&in, &kind) : at;
    for (size_t i = 0; made && at == NULL && i < audit->count; ++i) {
        kind = audit->needles[i].kind;
        at = needle_find(&in, &audit->needles[i]);
    }
    if (at != NULL) {
        leak_say(copy, (size_t)(at - in.small), kind, leak);
    } else if (!made) {
        *leak = (evidence_leak){.kind = EVIDENCE_KINDS}; // nothing can be said, so nothing is published
    }
    search_free(&in);
    return at != NULL || !made;
}

void evidence_audit_free(evidence_audit *audit)
{
    for (size_t i = 0; i < audit->count; ++i) {
        free(audit->needles[i].text);
    }
    free(audit->needles);
    *audit = (evidence_audit){0};
}
