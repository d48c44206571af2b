// SPDX-License-Identifier: Apache-2.0
#include "sanitize_find.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
    UUID_DIGITS = 32,
    MAC_PAIRS = 6,
    MAC_PAIRS_MAX = 32,
    IPV4_PARTS = 4,
    IPV6_GROUPS = 8,
    WORD_MAX = 32,
    KEY_BLOCK_RULE = 5,
    KEY_WORD = 16
};
static const char HEX[] = "0123456789abcdefABCDEF";
static const char DIGITS[] = "0123456789";

// The length of the value at `at`, which begins a word; 0 when it has not this shape. `view` is the beginning, to look back.
typedef size_t shape_length(const char *view, const char *at);

static bool ends(const char *at)
{
    return !evidence_is_word(*at);
}

static size_t uuid_length(const char *view, const char *at)
{
    static const size_t groups[] = {8, 4, 4, 4, 12};
    const char *end = at;
    (void)view;
    while (strncasecmp(end, "GPU-", 4) == 0 || strncasecmp(end, "MIG-", 4) == 0) {
        end += 4;
    }
    if (end > at && strspn(end, HEX) == UUID_DIGITS && ends(end + UUID_DIGITS)) {
        return (size_t)(end - at) + UUID_DIGITS;
    }
    for (size_t i = 0; i < sizeof groups / sizeof groups[0]; ++i) {
        if (strspn(end, HEX) != groups[i] || (i < 4 && end[groups[i]] != '-')) {
            return 0;
        }
        end += groups[i] + (i < 4);
    }
    return ends(end) ? (size_t)(end - at) : 0;
}

static bool has_letter(const char *at, size_t length)
{
    for (size_t i = 0; i < length; ++i) {
        if (isalpha((unsigned char)at[i])) {
            return true;
        }
    }
    return false;
}

// Pairs of digits: addresses of network cards (6), InfiniBand ports (8, 20) and fingerprints of keys. Six decimal pairs with dashes
// are a date with a time.
static size_t mac_length(const char *view, const char *at)
{
    size_t pairs = 0;
    const char *end = at;
    (void)view;
    if (strspn(at, HEX) != 2 || (at[2] != ':' && at[2] != '-')) {
        return 0;
    }
    const char separator = at[2];
    while (pairs < MAC_PAIRS_MAX && strspn(end, HEX) == 2) {
        ++pairs;
        end += 2;
        if (*end != separator) {
            break;
        }
        ++end;
    }
    end -= end[-1] == separator; // "02:00:5e:1a:2b:3c: link is up"
    const bool whole = pairs >= MAC_PAIRS && ends(end);
    return whole && (separator == ':' || has_letter(at, (size_t)(end - at))) ? (size_t)(end - at) : 0;
}

// "0200.5e1a.2b3c", with a letter, since a version may have three parts of four digits.
static size_t mac_dotted_length(const char *view, const char *at)
{
    const bool shaped =
        strspn(at, HEX) == 4 && at[4] == '.' && strspn(at + 5, HEX) == 4 && at[9] == '.' && strspn(at + 10, HEX) == 4;
    return shaped && ends(at + 14) && at[14] != '.' && has_letter(at, 14) && (at == view || at[-1] != '.') ? 14 : 0;
}

// Words before a number of four parts that make it a version.
static bool is_version_word(const char *word, size_t length)
{
    static const char *const words[] = {"version", "versions", "ver",      "v",    "release",  "rel",    "driver", "firmware",
                                        "fw",      "vbios",    "bios",     "rev",  "revision", "build",  "sdk",    "toolkit",
                                        "api",     "loader",   "compiler", "cuda", "cudnn",    "cublas", "nccl",   "nvcc",
                                        "opencl",  "gcc",      "clang",    "llvm", "cmake",    "ctest",  "ninja",  "git",
                                        "cmocka",  "libxml",   "jansson",  "mpfr", "openssl"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; ++i) {
        if (strlen(words[i]) == length && strncasecmp(word, words[i], length) == 0) {
            return true;
        }
    }
    return length > 3 && strncasecmp(word, "lib", 3) == 0;
}

// Finds the word that ends before `at` on the same line, whatever blanks, quotes and signs stand between. Its length.
static size_t word_before(const char *view, const char *at, const char **word)
{
    const char *end = at;
    while (end > view && strchr(" \t\"'=:(-_,", end[-1]) != NULL && end[-1] != '\0') {
        --end;
    }
    const char *start = end;
    while (start > view && isalpha((unsigned char)start[-1]) && end - start < WORD_MAX) {
        --start;
    }
    *word = start;
    return (size_t)(end - start);
}

static bool is_version_before(const char *view, const char *at)
{
    static const char *const between[] = {"is", "number", "to", "no", "string", "of"};
    const char *word = NULL;
    size_t length = word_before(view, at, &word);
    if (length == 1 && tolower((unsigned char)word[0]) == 'v') {
        return true;
    }
    for (size_t i = 0; i < sizeof between / sizeof between[0]; ++i) {
        if (strlen(between[i]) == length && strncasecmp(word, between[i], length) == 0) {
            length = word_before(view, word, &word);
            break;
        }
    }
    return length > 0 && is_version_word(word, length);
}

static size_t ipv4_length(const char *view, const char *at)
{
    const char *end = at;
    if (at > view && (at[-1] == '.' || (at[-1] == '-' && at - 1 > view && at[-2] == '.'))) {
        return 0;
    }
    for (size_t part = 0; part < IPV4_PARTS; ++part) {
        const size_t digits = strspn(end, DIGITS);
        if (digits == 0 || digits > 3 || (digits > 1 && end[0] == '0') || strtol(end, NULL, 10) > 255) {
            return 0;
        }
        end += digits;
        if (part + 1 < IPV4_PARTS && *end++ != '.') {
            return 0;
        }
    }
    const bool goes_on = (*end == '.' && isalnum((unsigned char)end[1])) || *end == '~' || *end == '+' ||
                         (*end == '-' && isalnum((unsigned char)end[1]) && strncmp(end + 1, at, strcspn(at, ".") + 1) != 0);
    return ends(end) && !goes_on && !is_version_before(view, at) ? (size_t)(end - at) : 0;
}

// Without all eight groups only what is assigned: global (2xxx, 3xxx), local (fcxx, fdxx), of the link (fe8x to febx) and multicast
// (ffxx), so that the name "a::b" of a program is none.
static bool is_assigned(const char *at, size_t digits)
{
    const char first = (char)tolower((unsigned char)at[0]);
    const char second = (char)tolower((unsigned char)at[1]);
    const bool upper =
        first == 'f' && (second == 'c' || second == 'd' || second == 'f' || (second == 'e' && strchr("89abAB", at[2]) != NULL));
    return digits == 4 && (first == '2' || first == '3' || upper);
}

static size_t ipv6_length(const char *view, const char *at)
{
    const char *end = at;
    size_t groups = 0;
    bool gap = false;
    if (at > view && at[-1] == ':') {
        return 0;
    }
    while (groups < IPV6_GROUPS) {
        const size_t digits = strspn(end, HEX);
        if (digits == 0 || digits > 4 || (groups == 0 && end[digits] != ':')) {
            break;
        }
        ++groups;
        end += digits;
        const bool opens_gap = !gap && end[0] == ':' && end[1] == ':';
        gap = gap || opens_gap;
        if (!opens_gap && (end[0] != ':' || strspn(end + 1, HEX) == 0)) {
            break;
        }
        end += opens_gap ? 2 : 1;
    }
    const bool whole = groups == IPV6_GROUPS || (gap && is_assigned(at, strspn(at, HEX)));
    return whole && ends(end) && *end != ':' ? (size_t)(end - at) : 0;
}

// "0000:3b:00.0".
static size_t bus_length(const char *view, const char *at)
{
    const size_t domain = strspn(at, HEX);
    const char *rest = at + domain;
    (void)view;
    const bool shaped = (domain == 4 || domain == 8) && rest[0] == ':' && strspn(rest + 1, HEX) == 2 && rest[3] == ':' &&
                        strspn(rest + 4, HEX) == 2 && rest[6] == '.' && rest[7] >= '0' && rest[7] <= '7';
    return shaped && ends(rest + 8) ? domain + 8 : 0;
}

// Tokens that begin with a word of their issuer, and the fewest and most characters that follow it.
typedef struct token_form {
    const char *prefix;
    size_t least;
    size_t most; // 0: any number
} token_form;
static const token_form TOKENS[] = {
    {"ghp_", 20, 0},        {"gho_", 20, 0},         {"ghu_", 20, 0},       {"ghs_", 20, 0},
    {"ghr_", 20, 0},        {"github_pat_", 20, 0},  {"glpat-", 20, 0},     {"gldt-", 20, 0},
    {"glrt-", 20, 0},       {"glcbt-", 20, 0},       {"hf_", 20, 0},        {"npm_", 20, 0},
    {"pypi-", 40, 0},       {"xoxa-", 10, 0},        {"xoxb-", 10, 0},      {"xoxe-", 10, 0},
    {"xoxp-", 10, 0},       {"xoxr-", 10, 0},        {"xoxs-", 10, 0},      {"xapp-", 10, 0},
    {"sk-", 20, 0},         {"sk_live_", 16, 0},     {"rk_live_", 16, 0},   {"AKIA", 16, 16},
    {"ASIA", 16, 16},       {"AIza", 35, 35},        {"ya29.", 20, 0},      {"nvapi-", 20, 0},
    {"dckr_pat_", 20, 0},   {"hvs.", 20, 0},         {"dop_v1_", 40, 0},    {"AGE-SECRET-KEY-", 40, 0},
    {"eyJ", 20, 0},         {"SG.", 40, 0},          {"SHA256:", 43, 43},   {"AAAAB3NzaC1", 40, 0},
    {"AAAAC3NzaC1", 40, 0}, {"AAAAE2VjZHNh", 40, 0}, {"AAAAGnNrLX", 40, 0},
};

static size_t token_length(const char *view, const char *at)
{
    static const char used[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.~+/";
    (void)view;
    for (size_t i = 0; i < sizeof TOKENS / sizeof TOKENS[0]; ++i) {
        const size_t prefix = strlen(TOKENS[i].prefix);
        if (strncmp(at, TOKENS[i].prefix, prefix) != 0) {
            continue;
        }
        size_t tail = strspn(at + prefix, used);
        tail -= tail > 0 && at[prefix + tail - 1] == '.'; // of the sentence
        const size_t padding = strspn(at + prefix + tail, "=");
        const bool has_digit = strcspn(at + prefix, DIGITS) < tail;
        const bool is_exact = TOKENS[i].least == TOKENS[i].most;
        if ((has_digit || is_exact) && tail >= TOKENS[i].least && (TOKENS[i].most == 0 || tail <= TOKENS[i].most)) {
            return prefix + tail + padding;
        }
    }
    return 0;
}

static const struct {
    evidence_kind kind;
    shape_length *length;
} SHAPES[] = {
    {EVIDENCE_UUID, uuid_length},    {EVIDENCE_MAC, mac_length},      {EVIDENCE_MAC, mac_dotted_length}, {EVIDENCE_BUS, bus_length},
    {EVIDENCE_ADDRESS, ipv4_length}, {EVIDENCE_ADDRESS, ipv6_length}, {EVIDENCE_SECRET, token_length},
};

// "name@place.org" around an "@", but for the account of an address "scheme://name@place" and git's own account.
static void email_find(const char *view, const char *sign, evidence_spans *spans)
{
    static const char local[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._%+-";
    const char *start = sign;
    const char *end = sign + 1;
    const char *last_dot = NULL;
    while (start > view && strchr(local, start[-1]) != NULL) {
        --start;
    }
    for (; isalnum((unsigned char)*end) || *end == '-' || (*end == '.' && isalnum((unsigned char)end[1])); ++end) {
        last_dot = *end == '.' ? end : last_dot;
    }
    const char *before = start;
    while (before > view && !isspace((unsigned char)before[-1]) && before[-1] != '"' && strncmp(before, "://", 3) != 0) {
        --before;
    }
    const bool in_url = strncmp(before, "://", 3) == 0;
    const bool is_git = sign - start == 3 && strncmp(start, "git", 3) == 0;
    if (start < sign && !in_url && !is_git && last_dot != NULL && end - last_dot > 2 &&
        strspn(last_dot + 1, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") == (size_t)(end - last_dot - 1)) {
        evidence_spans_add(spans, EVIDENCE_EMAIL, (size_t)(start - view), (size_t)(end - start));
    }
}

// The lines of a key that is cut off: headers and long words of base64.
static size_t key_lines_length(const char *at)
{
    static const char base64[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+/=";
    size_t length = 0;
    for (;;) {
        const size_t blank = strspn(at + length, " \t\n");
        const size_t word = strspn(at + length + blank, base64);
        const bool is_header = at[length + blank + word] == ':' || at[length + blank + word] == '-';
        if (word < KEY_WORD && !(is_header && word > 0)) {
            return length;
        }
        length += blank + (is_header ? strcspn(at + length + blank, "\n\"<") : word);
    }
}

// A key or certificate from "-----BEGIN" to the end of its "-----END" line, or to the last line of one that is cut off. 0 when only
// the words stand there.
static size_t key_block_length(const char *at)
{
    const size_t room = strcspn(at, "\"<");
    const char *opened = strstr(at + KEY_BLOCK_RULE, "-----");
    const char *end = strstr(at, "-----END ");
    const char *closed = end != NULL ? strstr(end + KEY_BLOCK_RULE, "-----") : NULL;
    if (opened == NULL || (size_t)(opened - at) >= room) {
        return 0;
    }
    const size_t first = (size_t)(opened - at) + KEY_BLOCK_RULE;
    const size_t lines = key_lines_length(at + first);
    if (lines > 0 && closed != NULL && (size_t)(closed - at) < room) {
        return (size_t)(closed - at) + KEY_BLOCK_RULE;
    }
    return lines > 0 ? first + lines : 0;
}

void evidence_shapes_find(const char *view, evidence_spans *spans)
{
    for (const char *at = view; *at != '\0'; ++at) {
        if (*at == '@') {
            email_find(view, at, spans);
            continue;
        }
        const size_t block = strncmp(at, "-----BEGIN ", 11) == 0 ? key_block_length(at) : 0;
        if (block > 0) {
            evidence_spans_add(spans, EVIDENCE_SECRET, (size_t)(at - view), block);
            at += block - 1;
            continue;
        }
        if (!evidence_is_word(*at) || (at > view && evidence_is_word(at[-1]))) {
            continue;
        }
        for (size_t i = 0; i < sizeof SHAPES / sizeof SHAPES[0]; ++i) {
            const size_t length = SHAPES[i].length(view, at);
            if (length > 0) {
                evidence_spans_add(spans, SHAPES[i].kind, (size_t)(at - view), length);
                at += length - 1;
                break;
            }
        }
    }
}
