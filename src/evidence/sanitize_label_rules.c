// SPDX-License-Identifier: Apache-2.0
#include "sanitize_label_rules.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

enum { SHORTEST_CAPITALS = 5, SHORTEST_TOKEN = 8, TOKEN_WORD = 20 };

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
    {EVIDENCE_SECRET, SECRET, LOUD, "key|token"},
    {EVIDENCE_SECRET, SECRET, LAST, "auth"},
    {EVIDENCE_SECRET, SECRET, LAST, "token|auth token|accesstoken|authtoken|passcode"},
    {EVIDENCE_HOST, LIST, LAST, "nodelist|node list|hostlist|host list"},
    {EVIDENCE_HOST, NAME, LAST,
     "host|hostname|host name|nodename|node name|fqdn|computername|computer name|machinename|machine name|domainname|domain name|"
     "runner name|agent name|cluster name|pod name|topology addr"},
    {EVIDENCE_HOST, NAME, WHOLE, "site|display|dc"},
    {EVIDENCE_ACCOUNT, PERSON, LAST, "full name|real name|author name|committer name|author|committer|maintainer"},
    {EVIDENCE_ACCOUNT, PERSON, WHOLE, "cn|gecos"},
    {EVIDENCE_ACCOUNT, LOGIN, LAST,
     "user|username|user name|logname|login|login name|account|account name|owner|actor|sudoer|user login|login user|user "
     "id|userid|"
     "group id|groupid|uid|repository owner|github repository|ci project path|ci project namespace"},
    {EVIDENCE_UUID, ID, LAST,
     "uuid|guid|machine id|boot id|product id of board|invocation id|container id|pdi|wwn|wwid|unique id|host "
     "id|hostid|installation id"},
    {EVIDENCE_SERIAL, ID, LAST,
     "serial|serial number|serialnumber|serial no|serial num|sn|serialno|asset tag|service tag|board id|part number|chassis id|"
     "module id|slot number|physical slot|tray index"},
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
static const char *const VOID_VALUES[] = {
    "null",    "none",    "nil",     "n/a",         "na",  "true",  "false", "yes",      "no",      "on",
    "off",     "unknown", "default", "unspecified", "not", "empty", "unset", "required", "missing", "expired",
    "invalid", "denied",  "mon",     "tue",         "wed", "thu",   "fri",   "sat",      "sun",
};

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

// An id of capitals alone, "SGH".
static bool is_capitals(const char *at, size_t length)
{
    return length >= SHORTEST_CAPITALS && strspn(at, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == length;
}

static bool is_decimal(const char *at, size_t length)
{
    const size_t whole = strspn(at, "0123456789");
    return whole > 0 && whole < length && at[whole] == '.' && whole + 1 + strspn(at + whole + 1, "0123456789") == length;
}

static bool words_agree(const evidence_label *one, label_match match, const char *words, size_t length)
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

static const label_rule *rule_find(const evidence_label *one, char sign)
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

// The length of a number or constant of JSON that ends an object or a list, whose brackets are no part of it; 0 when none stands
// there.
static size_t last_length(const char *at)
{
    static const char *const constants[] = {"true", "false", "null"};
    size_t length = strspn(at, "0123456789");
    for (size_t i = 0; i < sizeof constants / sizeof constants[0]; ++i) {
        const size_t one = strlen(constants[i]);
        length = strncmp(at, constants[i], one) == 0 ? one : length;
    }
    const size_t brackets = strspn(at + length, "}]");
    return length > 0 && brackets > 0 && strchr(" ,\t\r\n\"", at[length + brackets]) != NULL ? length : 0;
}

static size_t secret_length(const char *at, char quote)
{
    const char closing[] = {quote, '\n', '\0'};
    const size_t last = quote == '\0' ? last_length(at) : 0;
    if (last > 0) {
        return last;
    }
    return quote != '\0' ? strcspn(at, closing) : strcspn(at, " \t\n\"'`,;<>()");
}

// Numbers of operations have the same label.
static bool is_hardware_address(const char *at, size_t length)
{
    size_t digits = 0;
    size_t separators = 0;
    for (size_t i = 0; i < length; ++i) {
        digits += isalnum((unsigned char)at[i]) != 0;
        separators += strchr(":-.", at[i]) != NULL;
    }
    return digits >= 12 || separators >= 2;
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
        return at[length] == '(' && !isdigit((unsigned char)at[length + 1]) ? 0 : length; // a call in a program
    case LIST:
        return strcspn(at, " \t\n\"'`;");
    case PERSON:
        length = strcspn(at, "\n\"'<,;");
        while (length > 0 && at[length - 1] == ' ') {
            --length;
        }
        return length;
    case ID:
        length = span_of(at, "._:-");
        return (has_digit(at, length) || is_capitals(at, length)) && !is_decimal(at, length) ? length : 0;
    case NUMBER:
        length = strspn(at, strncmp(at, "0x", 2) == 0 ? "0123456789abcdefABCDEFx" : "0123456789");
        length += at[length] == '_' ? 1 + strspn(at + length + 1, "0123456789") : 0; // a job of an array
        return evidence_is_word(at[length]) ? 0 : length;
    case SECRET:
        return secret_length(at, quote);
    case COOKIE:
        return quote != '\0' ? secret_length(at, quote) : strcspn(at, "\n\"'<");
    case TREE:
        return *at == '/' ? strcspn(at, quote != '\0' ? "\"'\n" : " \t\n\"'`,;<>():") : 0;
    }
    return 0;
}

// Words of prose that are followed by a colon, a word and no secret.
static bool is_prose(const evidence_label *one, const label_rule *rule, char sign, const char *at, size_t length)
{
    const bool about_token = rule->value == SECRET && strstr(one->words, "token") != NULL && !one->is_loud;
    const bool is_word = length < TOKEN_WORD && (length < SHORTEST_TOKEN || !has_digit(at, length));
    return about_token && sign == ':' && !one->is_quoted && is_word;
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

bool evidence_label_value(const evidence_label *label, char sign, const char *at, evidence_span *value)
{
    const label_rule *rule = rule_find(label, sign);
    const char *start = at;
    if (rule == NULL) {
        return false;
    }
    const char quote = *at != '\0' && strchr("\"'`", *at) != NULL ? *at : '\0';
    at += quote != '\0';
    at += rule->value == COOKIE ? scheme_length(at) : 0;
    *value = (evidence_span){rule->kind, (size_t)(at - start), value_length(rule->value, at, quote)};
    if (rule->kind == EVIDENCE_MAC && !is_hardware_address(at, value->length)) {
        return false;
    }
    return value->length > 0 && !is_void(at, value->length) && !is_prose(label, rule, sign, at, value->length);
}

size_t evidence_label_next_name(const char *at, size_t *length)
{
    const char *start = at;
    at += *at == ':' ? 1 + strspn(at + 1, "0123456789") : 0; // "a:4,b:4": how many processes on each
    *length = *at == ',' ? value_length(NAME, at + 1, '\0') : 0;
    return *length > 0 && at[1 + *length] != '=' ? (size_t)(at + 1 - start) : 0;
}
