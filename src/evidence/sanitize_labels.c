// SPDX-License-Identifier: Apache-2.0
#include "sanitize_find.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { LABEL_MAX = 96, LABEL_WORDS = 4 };

// What the value looks like and where it ends.
typedef enum value_class {
    NAME,   // of a host
    LOGIN,  // of an account
    PERSON, // to the end of the line
    LIST,   // "node[01-04],node7"
    ID,     // with a digit
    NUMBER, // decimal or hexadecimal
    SECRET, // to the closing quote, else to a blank
    COOKIE, // to the end of the line, after the name of a scheme
    TREE,   // an absolute path
} value_class;

// How the words of a label must agree with those of a rule.
typedef enum label_match {
    WHOLE,  // they are the label
    LAST,   // the label ends with them
    WITHIN, // the label holds them, also as part of a word
    LOUD,   // the label is written in capitals, as variables are, and holds the word
} label_match;

typedef struct label_rule {
    evidence_kind kind;
    value_class value;
    label_match match;
    const char *words; // several, separated by "|"
} label_rule;

// The first rule that agrees counts.
static const label_rule RULES[] = {
    {EVIDENCE_SECRET, COOKIE, LAST, "authorization|cookie"},
    {EVIDENCE_SECRET, SECRET, WITHIN,
     "password|passwd|passphrase|secret|api key|apikey|private key|privatekey|access key|accesskey|credential|ssh key|deploy key|"
     "signing key|license key|db pass|dbpass|smtp pass|mysql pwd|account key|accountkey|encryption key|auth key|amz "
     "signature|shared access signature"},
    {EVIDENCE_SECRET, SECRET, LOUD, "key|token|auth"},
    {EVIDENCE_SECRET, SECRET, LAST, "token|auth token|accesstoken|authtoken|passcode"},
    {EVIDENCE_HOST, LIST, LAST, "nodelist|node list|hostlist|host list"},
    {EVIDENCE_HOST, NAME, LAST,
     "host|hostname|host name|nodename|node name|fqdn|computername|computer name|domainname|domain name|runner name|cluster name|"
     "pod name|topology addr"},
    {EVIDENCE_HOST, NAME, WHOLE, "site|display"},
    {EVIDENCE_ACCOUNT, PERSON, LAST, "full name|real name|author name|committer name"},
    {EVIDENCE_ACCOUNT, LOGIN, LAST,
     "user|username|user name|logname|login|login name|account|account name|owner|actor|sudoer|user login|login user"},
    {EVIDENCE_UUID, ID, LAST,
     "uuid|guid|machine id|boot id|product id of board|invocation id|container id|pdi|wwn|wwid|host id|hostid|installation id"},
    {EVIDENCE_SERIAL, ID, LAST,
     "serial|serial number|serialnumber|serial no|serial num|sn|serialno|asset tag|service tag|board id|part number|chassis id|"
     "module id|slot number|tray index"},
    {EVIDENCE_MAC, ID, LAST, "mac|mac address|mac addr|hwaddr|hw addr|hardware address|lladdr|ether"},
    {EVIDENCE_BUS, ID, LAST, "bus id|busid|bdf|pci bus|bus location|pci slot|pci slot name|pci location"},
    {EVIDENCE_BUS, NUMBER, WHOLE, "bus"},
    {EVIDENCE_JOB, NUMBER, LAST, "job id|jobid|github run id|ci pipeline id|pbs jobid|array job id|step id|stepid"},
    {EVIDENCE_JOB, SECRET, WHOLE, "build tag|buildkite job id|pbs jobid"},
    {EVIDENCE_PID, NUMBER, LAST,
     "pid|tid|ppid|pgid|tgid|spid|lwp|process id|thread id|parent pid|process group|ctest pid|ctest start"},
    {EVIDENCE_PID, NUMBER, WHOLE, "process"},
    {EVIDENCE_PATH, TREE, WHOLE,
     "home|pwd|oldpwd|directory|workspace|tmpdir|tmp|temp|cupel tree|github workspace|ci project dir|slurm submit dir|virtual env|"
     "test project|s|b|c|test dir|build"},
    {EVIDENCE_PATH, TREE, LAST,
     "working directory|build directory|source directory|home directory|binary directory|current directory|build dir|source dir|"
     "binary dir|work dir|working dir|build tree|source tree|submit dir|home dir|sourcedirectory|builddirectory"},
};

// Values that tell nothing.
static const char *const VOID_VALUES[] = {"null",  "none",     "nil",     "n/a",     "na",      "true",        "false", "yes",
                                          "no",    "on",       "off",     "unknown", "default", "unspecified", "not",   "empty",
                                          "unset", "required", "missing", "expired", "invalid", "denied"};

static bool is_void(const char *at, size_t length)
{
    for (size_t i = 0; i < sizeof VOID_VALUES / sizeof VOID_VALUES[0]; ++i) {
        if (strlen(VOID_VALUES[i]) == length && strncasecmp(at, VOID_VALUES[i], length) == 0) {
            return true;
        }
    }
    return length == 0 || strchr("$<*%({", *at) != NULL || evidence_placeholder_length(at) > 0;
}

static bool has_digit(const char *at, size_t length)
{
    return strcspn(at, "0123456789") < length;
}

static bool is_decimal(const char *at, size_t length)
{
    const size_t whole = strspn(at, "0123456789");
    return whole > 0 && whole < length && at[whole] == '.' && whole + 1 + strspn(at + whole + 1, "0123456789") == length;
}

// A label in its form for comparing: words in small letters with one blank between them; also how it was written.
typedef struct label {
    char words[LABEL_MAX];
    bool is_option; // "--name"
    bool is_loud;   // no small letter
} label;

// Appends one character of a label; a capital after a small letter begins a word, as in "nodeName".
static void label_append(label *made, size_t *length, char previous, char c)
{
    const bool separates = !isalnum((unsigned char)c);
    const bool begins = separates || (islower((unsigned char)previous) && isupper((unsigned char)c));
    if (*length + 2 >= LABEL_MAX) {
        return;
    }
    if (begins && *length > 0 && made->words[*length - 1] != ' ') {
        made->words[(*length)++] = ' ';
    }
    if (!separates) {
        made->words[(*length)++] = (char)tolower((unsigned char)c);
    }
    made->words[*length] = '\0';
}

static void label_make(const char *start, const char *end, label *made)
{
    size_t length = 0;
    *made = (label){.is_option = *start == '-', .is_loud = true};
    for (const char *at = start; at < end; ++at) {
        made->is_loud = made->is_loud && !islower((unsigned char)*at);
        label_append(made, &length, at > start ? at[-1] : '\0', *at);
    }
    while (length > 0 && made->words[length - 1] == ' ') {
        made->words[--length] = '\0';
    }
}

static bool is_label_char(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '-' || c == '.';
}

// The length of the type of a CMake entry, "STRING" of "SITE:STRING=vm"; 0 when none stands there.
static size_t cache_type_length(const char *at)
{
    static const char *const types[] = {"STRING", "PATH", "FILEPATH", "INTERNAL", "STATIC", "UNINITIALIZED", "BOOL"};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; ++i) {
        const size_t length = strlen(types[i]);
        if (strncmp(at, types[i], length) == 0 && at[length] == '=') {
            return length;
        }
    }
    return 0;
}

// The label that ends at `end` (blanks and a quote before it skipped), of at most four words, without the type of a CMake entry
// ("SITE:STRING"). False when none stands there.
static bool label_before(const char *view, const char *end, label *made)
{
    while (end > view && (end[-1] == ' ' || end[-1] == '\t')) {
        --end;
    }
    while (end > view && (strchr("\"'`", end[-1]) != NULL || end[-1] == ' ')) {
        --end;
    }
    const char *start = end;
    for (size_t words = 1; start > view && end - start < LABEL_MAX - 2; --start) {
        const bool blank = start[-1] == ' ' && start - 1 > view && is_label_char(start[-2]) && words < LABEL_WORDS;
        if (!is_label_char(start[-1]) && !blank) {
            break;
        }
        words += blank;
    }
    if (start > view && start[-1] == ':' && cache_type_length(start) == (size_t)(end - start)) {
        return label_before(view, start - 1, made);
    }
    label_make(start, end, made);
    if (strncmp(start, "-D", 2) == 0 && end - start > 2) {
        label_make(start + 2, end, made);
    }
    return made->words[0] != '\0';
}

static bool words_agree(const label *one, label_match match, const char *words, size_t length)
{
    const size_t own = strlen(one->words);
    const char *tail = own >= length ? one->words + own - length : NULL;
    if (match == WITHIN) {
        for (const char *at = one->words; strlen(at) >= length; ++at) {
            if (strncmp(at, words, length) == 0) {
                return true;
            }
        }
        return false;
    }
    if (match == LOUD) {
        const char *at = one->is_loud && !one->is_option ? one->words : "";
        for (; *at != '\0'; at += strcspn(at, " "), at += *at == ' ') {
            if (strncmp(at, words, length) == 0 && (at[length] == ' ' || at[length] == '\0')) {
                return true;
            }
        }
        return false;
    }
    return tail != NULL && strncmp(tail, words, length) == 0 && (own == length || (match == LAST && tail[-1] == ' '));
}

static const label_rule *rule_find(const label *one, char sign)
{
    for (size_t i = 0; i < sizeof RULES / sizeof RULES[0]; ++i) {
        if (RULES[i].match == LOUD && sign != '=') {
            continue; // "PASS: 12" is no secret
        }
        for (const char *words = RULES[i].words; *words != '\0';) {
            const size_t length = strcspn(words, "|");
            if (words_agree(one, RULES[i].match, words, length)) {
                return &RULES[i];
            }
            words += length + (words[length] == '|');
        }
    }
    return NULL;
}

static size_t span_of(const char *at, const char *more)
{
    size_t length = 0;
    while (isalnum((unsigned char)at[length]) || (at[length] != '\0' && strchr(more, at[length]) != NULL)) {
        ++length;
    }
    while (length > 0 && strchr(".,:-", at[length - 1]) != NULL) { // of the sentence
        --length;
    }
    return length;
}

// "x86_64-pc-linux-gnu" is no host but a kind of machine.
static bool is_triplet(const char *at, size_t length)
{
    static const char *const processors[] = {"x86_64", "aarch64", "i386",    "i486",        "i586",
                                             "i686",   "arm",     "riscv64", "powerpc64le", "ppc64le"};
    for (size_t i = 0; i < sizeof processors / sizeof processors[0]; ++i) {
        const size_t name = strlen(processors[i]);
        if (name <= length && strncmp(at, processors[i], name) == 0 && !isalnum((unsigned char)at[name])) {
            return true;
        }
    }
    return false;
}

static size_t secret_length(const char *at, char quote)
{
    const char closing[] = {quote, '\n', '\0'};
    return quote != '\0' ? strcspn(at, closing) : strcspn(at, " \t\n\"'`,;<>()");
}

// The length of a value of this class, 0 when none stands there.
static size_t value_length(value_class wanted, const char *at, char quote)
{
    size_t length = 0;
    switch (wanted) {
    case NAME:
        length = evidence_is_word(*at) ? span_of(at, ".-_") : 0;
        return strspn(at, "0123456789") < length && !is_triplet(at, length) && !is_decimal(at, length) ? length : 0;
    case LOGIN:
        length = isalpha((unsigned char)*at) || *at == '_' ? span_of(at, "._-") : 0;
        return at[length] == '(' ? 0 : length; // a call in a program
    case LIST:
        return strcspn(at, " \t\n\"'`;");
    case PERSON:
        return strcspn(at, "\n\"'<,;");
    case ID:
        length = span_of(at, "._:/-");
        return has_digit(at, length) && !is_decimal(at, length) ? length : 0;
    case NUMBER:
        length = strspn(at, strncmp(at, "0x", 2) == 0 ? "0123456789abcdefABCDEFx" : "0123456789");
        return evidence_is_word(at[length]) ? 0 : length;
    case SECRET:
        return secret_length(at, quote);
    case COOKIE:
        return quote != '\0' ? secret_length(at, quote) : strcspn(at, "\n\"'");
    case TREE:
        return *at == '/' ? strcspn(at, quote != '\0' ? "\"'\n" : " \t\n\"'`,;<>():") : 0;
    }
    return 0;
}

// Words of prose that are followed by a colon, a word and no secret.
static bool is_prose(const label *one, const label_rule *rule, char sign, const char *at, size_t length)
{
    const bool about_token = rule->value == SECRET && strstr(one->words, "token") != NULL && !one->is_loud;
    return about_token && sign == ':' && (length < 8 || !has_digit(at, length));
}

static size_t scheme_length(const char *at)
{
    static const char *const schemes[] = {"Bearer ", "Basic ", "Digest ", "Token ", "Negotiate ", "ApiKey "};
    for (size_t i = 0; i < sizeof schemes / sizeof schemes[0]; ++i) {
        if (strncasecmp(at, schemes[i], strlen(schemes[i])) == 0) {
            return strlen(schemes[i]);
        }
    }
    return 0;
}

static bool is_quote(char c)
{
    return c == '"' || c == '\'' || c == '`';
}

// Looks at `at` for the value of a label whose sign is "=", ":", or ' ' for the blank after an option.
static void value_find(const char *view, const label *one, char sign, const char *at, evidence_spans *spans)
{
    const label_rule *rule = rule_find(one, sign);
    if (rule == NULL) {
        return;
    }
    const char quote = is_quote(*at) ? *at : '\0';
    at += quote != '\0';
    at += rule->value == COOKIE ? scheme_length(at) : 0;
    const size_t length = value_length(rule->value, at, quote);
    if (length > 0 && !is_void(at, length) && !is_prose(one, rule, sign, at, length)) {
        evidence_spans_add(spans, rule->kind, (size_t)(at - view), length);
    }
}

// An option and its value are two words, in a shell's line or in a list of JSON.
static void option_find(const char *view, const char *at, evidence_spans *spans)
{
    label one;
    const char *end = at + strspn(at, "-");
    while (is_label_char(*end)) {
        ++end;
    }
    label_make(at, end, &one);
    const bool listed = end[0] == '"' && end[1] == ',';
    const char *value = listed ? end + 2 : end;
    value += strspn(value, listed ? " \t\n" : " \t");
    if (value > end && *value != '-' && one.words[0] != '\0' && (!listed || *value == '"') && !(listed && value[1] == '-')) {
        value_find(view, &one, ' ', value, spans);
    }
}

void evidence_labels_find(const char *view, evidence_spans *spans)
{
    label one;
    for (const char *at = view; *at != '\0'; ++at) {
        const char before = at > view ? at[-1] : ' ';
        if (*at == '=' || *at == ':') {
            const bool is_operator = at[1] == *at || before == *at || strchr("!<>+*/%&|^", before) != NULL;
            if (!is_operator && cache_type_length(at + 1) == 0 && label_before(view, at, &one)) {
                value_find(view, &one, *at, at + 1 + strspn(at + 1, " \t"), spans);
            }
        } else if (*at == '-' && (isspace((unsigned char)before) || is_quote(before))) {
            option_find(view, at, spans);
        }
    }
}
