// SPDX-License-Identifier: Apache-2.0
#include "sanitize.h"

#include <ctype.h>
#include <pwd.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

extern char **environ;

enum { SHORTEST_VALUE = 3, SHORTEST_SECRET = 6, GROUPS_MAX = 4 };

static const char KIND_PID[] = "pid";
static const char KIND_PATH[] = "path";
static const char KIND_UUID[] = "uuid";
static const char KIND_MAC[] = "mac";

// What the form of a text gives away: POSIX extended regular expressions and the group that is the value.
typedef struct pattern {
    const char *kind;
    const char *expression;
    size_t group;
} pattern;

#define HEX4 "[0-9a-fA-F]{1,4}"
static const pattern PATTERNS[] = {
    {KIND_UUID, "[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}", 0},
    {KIND_UUID, "[Uu][Uu][Ii][Dd]\"? *[=:] *\"?(GPU-|MIG-)?([^\" ,;]*[0-9][^\" ,;]*)", 2},
    {KIND_MAC, "([0-9a-fA-F]{2}:){5}[0-9a-fA-F]{2}", 0},
    {KIND_MAC, "([0-9a-fA-F]{2}-){5}[0-9a-fA-F]{2}", 0},
    {"address", "((25[0-5]|2[0-4][0-9]|1?[0-9]?[0-9])\\.){3}(25[0-5]|2[0-4][0-9]|1?[0-9]?[0-9])", 0},
    {"address", "(" HEX4 ":){7}" HEX4 "|(" HEX4 ":){1,6}(:" HEX4 "){1,6}|(" HEX4 ":){2,7}:", 0},
    {"serial", "[Ss]erial( [Nn]umber|_number|Number)?\"? *[=:] *\"?([A-Za-z0-9-]{4,})", 2},
    {"host", "([Hh]ost|[Hh]ostname|HOSTNAME|nodename)\"? *[=:] *\"?([A-Za-z0-9][A-Za-z0-9.-]+)", 2},
    {"account", "([Uu]ser|[Uu]sername|USER|LOGNAME)\"? *[=:] *\"?([A-Za-z_][A-Za-z0-9_-]+)", 2},
    {"account", "/(home|Users)/([A-Za-z0-9._-]+)", 2},
    {"path", "/(home|Users)/[A-Za-z0-9._-]+", 0},
    {"email", "[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(\\.[A-Za-z0-9-]+)+", 0},
    {"secret", "(TOKEN|SECRET|PASSWORD|PASSWD|API_?KEY|PRIVATE_?KEY|CREDENTIALS?)[A-Z0-9_]*\"? *[=:] *\"?([^\"' ,;\n]+)", 2},
    {"secret", "(token|secret|password|passwd|api_?key|private_?key)[a-z0-9_]*(=|\" *: *\")([^\"' ,;\n]{8,})", 3},
    {"secret", "://[^/@: ]+:([^/@ ]+)@", 1},
    {"account", "://([^/@: ]+):[^/@ ]+@", 1},
    {"secret", "[Bb]earer +([A-Za-z0-9._~+/=-]{8,})", 1},
    {"secret",
     "gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|glpat-[A-Za-z0-9_-]{20,}|(hf|npm)_[A-Za-z0-9]{20,}|"
     "xox[a-z]-[A-Za-z0-9-]{10,}|sk-[A-Za-z0-9_-]{20,}|AKIA[0-9A-Z]{16}|eyJ[A-Za-z0-9_-]{8,}\\.[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+",
     0},
    {"pid", "\"(pid|ctest_pid|ctest_start)\": *([0-9]+)", 2},
};
enum { PATTERN_COUNT = sizeof PATTERNS / sizeof PATTERNS[0] };

// Absolute paths below these are the same on every machine.
static const char *const SYSTEM_FOLDERS[] = {"/usr/",  "/lib/",  "/lib64/", "/etc/", "/bin/",
                                             "/sbin/", "/proc/", "/dev/",   "/sys/", "/opt/"};

// Values that name nobody and nothing.
static const char *const COMMON[] = {"root", "localhost", "127.0.0.1", "0.0.0.0", "unknown", "null", "none", "/root", "/tmp"};

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

// A value counts only where it is not part of a longer word, so that the account "ann" leaves "annotation" alone.
static bool stands_alone(const char *start, const char *at, size_t length)
{
    const bool left = at == start || !is_word(at[0]) || !is_word(at[-1]);
    return left && (!is_word(at[length - 1]) || !is_word(at[length]));
}

static bool is_kind(const evidence_value *value, const char *kind)
{
    return strcmp(value->kind, kind) == 0;
}

// Kinds whose value is the same in upper and lower case.
static bool is_caseless(const evidence_value *value)
{
    return is_kind(value, KIND_UUID) || is_kind(value, KIND_MAC) || is_kind(value, "host") || is_kind(value, "email") ||
           is_kind(value, "address");
}

// How many bytes of the text are these hexadecimal digits, in any case and with any of the usual separators between them or none.
static size_t digits_match(const char *digits, const char *text)
{
    size_t length = 0;
    bool first = true;
    for (; *digits != '\0'; ++digits) {
        if (!isxdigit((unsigned char)*digits)) {
            continue;
        }
        if (!first && (text[length] == '-' || text[length] == ':' || text[length] == '.')) {
            ++length;
        }
        if (tolower((unsigned char)text[length]) != tolower((unsigned char)*digits)) {
            return 0;
        }
        ++length;
        first = false;
    }
    return length;
}

// How many bytes at `text` are the value, in whatever form it is written there; 0 when they are not.
static size_t value_match(const evidence_value *value, const char *text)
{
    if (value->is_digits) {
        const bool prefixed = is_kind(value, KIND_UUID) && (strncasecmp(text, "GPU-", 4) == 0 || strncasecmp(text, "MIG-", 4) == 0);
        const size_t matched = digits_match(value->text, prefixed ? text + 4 : text);
        return matched > 0 && prefixed ? matched + 4 : matched;
    }
    if (tolower((unsigned char)text[0]) != tolower((unsigned char)value->text[0])) {
        return 0; // most places, and all texts are looked at in every place
    }
    const int differs =
        is_caseless(value) ? strncasecmp(text, value->text, value->length) : strncmp(text, value->text, value->length);
    return differs == 0 ? value->length : 0;
}

static bool is_common(const char *text, size_t length)
{
    for (size_t i = 0; i < sizeof COMMON / sizeof COMMON[0]; ++i) {
        if (strlen(COMMON[i]) == length && strncmp(COMMON[i], text, length) == 0) {
            return true;
        }
    }
    return false;
}

static void value_add(evidence_sanitizer *sanitizer, const char *kind, const char *text, size_t length)
{
    size_t number = 1;
    const bool is_pid = strcmp(kind, KIND_PID) == 0;
    if (length < SHORTEST_VALUE && !is_pid) {
        return;
    }
    if (is_common(text, length)) {
        return;
    }
    for (size_t i = 0; i < sanitizer->count; ++i) {
        const evidence_value *value = &sanitizer->values[i];
        const bool same_kind = is_kind(value, kind);
        if (value_match(value, text) == length && (same_kind || (!is_pid && !is_kind(value, KIND_PID)))) {
            return;
        }
        number += same_kind;
    }
    if (sanitizer->count == sanitizer->capacity) {
        const size_t capacity = sanitizer->capacity > 0 ? 2 * sanitizer->capacity : 64;
        evidence_value *values = realloc(sanitizer->values, capacity * sizeof *values);
        if (values == NULL) {
            sanitizer->lost = true;
            return;
        }
        sanitizer->values = values;
        sanitizer->capacity = capacity;
    }
    evidence_value *value = &sanitizer->values[sanitizer->count];
    *value = (evidence_value){.kind = kind, .text = strndup(text, length), .length = length, .number = number};
    value->is_digits =
        (is_kind(value, KIND_UUID) || is_kind(value, KIND_MAC)) && strspn(text, "0123456789abcdefABCDEF-:") >= length;
    sanitizer->lost = sanitizer->lost || value->text == NULL;
    sanitizer->count += value->text != NULL;
}

void evidence_sanitizer_know(evidence_sanitizer *sanitizer, const char *kind, const char *text)
{
    if (text != NULL) {
        value_add(sanitizer, kind, text, strlen(text));
    }
}

// A variable of this process whose value nobody publishes, wherever it stands.
static bool is_secret_name(const char *name, size_t length)
{
    static const char *const parts[] = {"TOKEN", "SECRET", "PASSWORD", "PASSWD", "APIKEY", "API_KEY", "PRIVATE_KEY", "CREDENTIAL"};
    char upper[128];
    size_t i = 0;
    for (; i < length && i + 1 < sizeof upper; ++i) {
        upper[i] = (char)toupper((unsigned char)name[i]);
    }
    upper[i] = '\0';
    for (size_t p = 0; p < sizeof parts / sizeof parts[0]; ++p) {
        if (strstr(upper, parts[p]) != NULL) {
            return true;
        }
    }
    return false;
}

void evidence_sanitizer_know_here(evidence_sanitizer *sanitizer)
{
    char host[256] = "";
    const struct passwd *account = getpwuid(getuid());
    if (gethostname(host, sizeof host - 1) == 0) {
        evidence_sanitizer_know(sanitizer, "host", host);
    }
    if (account != NULL) {
        evidence_sanitizer_know(sanitizer, "path", account->pw_dir);
        evidence_sanitizer_know(sanitizer, "account", account->pw_name);
    }
    evidence_sanitizer_know(sanitizer, "path", getenv("HOME"));
    evidence_sanitizer_know(sanitizer, "account", getenv("USER"));
    evidence_sanitizer_know(sanitizer, "account", getenv("LOGNAME"));
    for (char *const *entry = environ; *entry != NULL; ++entry) {
        const char *value = strchr(*entry, '=');
        if (value != NULL && is_secret_name(*entry, (size_t)(value - *entry)) && strlen(value + 1) >= SHORTEST_SECRET) {
            evidence_sanitizer_know(sanitizer, "secret", value + 1);
        }
    }
}

// Adds the value of each match in one line that stands alone.
static void line_scan(evidence_sanitizer *sanitizer, const char *kind, size_t group, const regex_t *compiled, const char *line)
{
    regmatch_t groups[GROUPS_MAX];
    const char *at = line;
    while (*at != '\0' && regexec(compiled, at, GROUPS_MAX, groups, at == line ? 0 : REG_NOTBOL) == 0) {
        const char *value = at + groups[group].rm_so;
        const size_t length = (size_t)(groups[group].rm_eo - groups[group].rm_so);
        if (length > 0 && stands_alone(line, value, length)) {
            value_add(sanitizer, kind, value, length);
        }
        at += groups[0].rm_eo > 0 ? groups[0].rm_eo : 1;
    }
}

static bool is_of_system(const char *path)
{
    for (size_t i = 0; i < sizeof SYSTEM_FOLDERS / sizeof SYSTEM_FOLDERS[0]; ++i) {
        if (strncmp(path, SYSTEM_FOLDERS[i], strlen(SYSTEM_FOLDERS[i])) == 0) {
            return true;
        }
    }
    return false;
}

// True when a known path contains this one.
static bool is_known_path(const evidence_sanitizer *sanitizer, const char *path)
{
    for (size_t i = 0; i < sanitizer->count; ++i) {
        const evidence_value *value = &sanitizer->values[i];
        const size_t length = strlen(value->text);
        if (strcmp(value->kind, KIND_PATH) == 0 && strncmp(path, value->text, length) == 0 && !is_word(path[length])) {
            return true;
        }
    }
    return false;
}

// Adds the folder of each absolute path in one line that is not below a system folder. A path begins after a space, quote or the
// like; what follows a word or another slash is part of a relative path or an address.
static void paths_scan(evidence_sanitizer *sanitizer, const char *line)
{
    static const char name[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._+-";
    for (const char *at = strchr(line, '/'); at != NULL; at = strchr(at, '/')) {
        const bool begins = at == line || strchr(" \t\"'=(,[:;<>", at[-1]) != NULL;
        const char *folder_end = at;
        const char *end = at;
        while (*end == '/' && strspn(end + 1, name) > 0) {
            folder_end = end;
            end += 1 + strspn(end + 1, name);
        }
        if (begins && folder_end > at && !is_of_system(at) && !is_known_path(sanitizer, at)) {
            const bool is_below_common = is_common(at, (size_t)(folder_end - at)); // then the last name is the one that tells
            value_add(sanitizer, KIND_PATH, at, (size_t)((is_below_common ? end : folder_end) - at));
        }
        at = end > at ? end : at + 1;
    }
}

// regexec takes time in proportion to the rest of its text, so a text is read line by line.
static void pattern_scan(evidence_sanitizer *sanitizer, const pattern *one, char *lines)
{
    regex_t compiled;
    char *rest = NULL;
    if (regcomp(&compiled, one->expression, REG_EXTENDED) != 0) {
        sanitizer->lost = true;
        return;
    }
    for (char *line = strtok_r(lines, "\n", &rest); line != NULL; line = strtok_r(NULL, "\n", &rest)) {
        line_scan(sanitizer, one->kind, one->group, &compiled, line);
    }
    regfree(&compiled);
}

void evidence_sanitizer_scan(evidence_sanitizer *sanitizer, const char *text)
{
    for (size_t i = 0; i <= PATTERN_COUNT; ++i) {
        char *lines = strdup(text);
        char *rest = NULL;
        if (lines == NULL) {
            sanitizer->lost = true;
            return;
        }
        if (i < PATTERN_COUNT) {
            pattern_scan(sanitizer, &PATTERNS[i], lines);
        } else {
            for (char *line = strtok_r(lines, "\n", &rest); line != NULL; line = strtok_r(NULL, "\n", &rest)) {
                paths_scan(sanitizer, line);
            }
        }
        free(lines);
    }
}

// The longest value at `at` and how many bytes it takes there; null when none stands there.
static evidence_value *value_at(const evidence_sanitizer *sanitizer, const char *start, const char *at, size_t *matched)
{
    evidence_value *found = NULL;
    size_t longest = 0;
    for (size_t i = 0; i < sanitizer->count; ++i) {
        evidence_value *value = &sanitizer->values[i];
        const size_t length = is_kind(value, KIND_PID) ? 0 : value_match(value, at);
        if (length > longest && stands_alone(start, at, length)) {
            found = value;
            longest = length;
        }
    }
    *matched = longest;
    return found;
}

// The process id that the JSON member at `at` holds, with the place of its digits; null when there is none.
static evidence_value *pid_at(const evidence_sanitizer *sanitizer, const char *at, const char **digits)
{
    static const char *const members[] = {"\"pid\":", "\"ctest_pid\":", "\"ctest_start\":"};
    for (size_t m = 0; m < sizeof members / sizeof members[0]; ++m) {
        const size_t length = strlen(members[m]);
        if (strncmp(at, members[m], length) != 0) {
            continue;
        }
        const char *number = at + length + strspn(at + length, " ");
        const size_t count = strspn(number, "0123456789");
        for (size_t i = 0; i < sanitizer->count; ++i) {
            evidence_value *value = &sanitizer->values[i];
            if (strcmp(value->kind, KIND_PID) == 0 && strlen(value->text) == count && strncmp(value->text, number, count) == 0) {
                *digits = number;
                return value;
            }
        }
    }
    return NULL;
}

char *evidence_sanitizer_apply(evidence_sanitizer *sanitizer, const char *text)
{
    char *clean = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&clean, &length);
    const char *at = text;
    while (out != NULL && *at != '\0') {
        const char *digits = NULL;
        evidence_value *value = *at == '"' ? pid_at(sanitizer, at, &digits) : NULL;
        if (value != NULL) {
            fprintf(out, "%.*s%zu", (int)(digits - at), at, value->number); // stays a number
            at = digits + strlen(value->text);
            value->occurrences += 1;
            continue;
        }
        size_t matched = 0;
        value = value_at(sanitizer, text, at, &matched);
        if (value != NULL) {
            fprintf(out, "[%s-%zu]", value->kind, value->number);
            at += matched;
            value->occurrences += 1;
        } else {
            fputc(*at, out);
            ++at;
        }
    }
    if (out == NULL || fclose(out) != 0) {
        free(clean);
        return NULL;
    }
    return clean;
}

const evidence_value *evidence_sanitizer_find(const evidence_sanitizer *sanitizer, const char *text)
{
    for (const char *at = text; *at != '\0'; ++at) {
        size_t matched = 0;
        const evidence_value *value = value_at(sanitizer, text, at, &matched);
        if (value != NULL) {
            return value;
        }
    }
    return NULL;
}

json_t *evidence_sanitizer_counts(const evidence_sanitizer *sanitizer)
{
    json_t *counts = json_object();
    for (size_t i = 0; i < sanitizer->count; ++i) {
        const evidence_value *value = &sanitizer->values[i];
        json_t *kind = json_object_get(counts, value->kind);
        if (value->occurrences == 0) {
            continue;
        }
        if (kind == NULL) {
            kind = json_pack("{s:i, s:i}", "values", 0, "occurrences", 0);
            json_object_set_new(counts, value->kind, kind);
        }
        json_object_set_new(kind, "values", json_integer(json_integer_value(json_object_get(kind, "values")) + 1));
        json_object_set_new(
            kind, "occurrences",
            json_integer(json_integer_value(json_object_get(kind, "occurrences")) + (json_int_t)value->occurrences));
    }
    return counts;
}

void evidence_sanitizer_free(evidence_sanitizer *sanitizer)
{
    for (size_t i = 0; i < sanitizer->count; ++i) {
        free(sanitizer->values[i].text);
    }
    free(sanitizer->values);
    *sanitizer = (evidence_sanitizer){0};
}
