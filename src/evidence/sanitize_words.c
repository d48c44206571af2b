// SPDX-License-Identifier: Apache-2.0
#include "sanitize_values.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { WORD_MAX = 64 };

// Words that every tool prints.
static const char TOOL_WORDS[] =
    " abort aborted absent account address adm admin agent all amd api app apt arch arm array assert at available backend backup "
    "base "
    "bash bin "
    "binary bit board boot bug build builder built bus bytes cache call case cases cat cc check child ci clang class clean client "
    "clock cmake code command common compile compiler compute config configure container context copy core count cpu create cuda "
    "current daemon data date debian debug default dense detected dev device devices dir directory disabled docker done driver "
    "email empty enabled end engine env environment error exec executable exit expected export fail failed failure false fatal "
    "feature fedora file files fixture float found free from full function game games gateway gcc generic get git gold golden gpu "
    "group guest header headers help home host http https id image include index info input install int intel interface irc job "
    "jobs "
    "kernel key kill killed label lane lib library libs limit line link linker linux list load local lock log login mac mail main "
    "make man manager master matrix max memory message min mode model module monitor mount name native net network new news ninja "
    "no node nobody nodes none not null number nvidia object off ok old on opencl option options output owner package page passed "
    "password path pid pocl port print process processor product profile program project proxy public python python3 queue quick "
    "random rate read ready record reference register release remote remove report request reset result root rss run runner "
    "running scope script seconds secret seed self sequence serial server service session set setup sh shared shell size sizes "
    "skip skipped slow software source space speed sshd staff start state static status stderr stdin stdout step steps stop "
    "string suite support sync sys system systemd table tag target task temp test tests text thread threads time timeout tmp token "
    "tool tools "
    "total trace tree true type ubuntu uint unit unknown unset update usage user users utility uuid value values variable vector "
    "vendor verbose verdict version video virtual voice wait warning wheel with word words work worker working write x86 yes zero ";

static bool is_of_tools(const char *word)
{
    char wanted[WORD_MAX + 3];
    wanted[0] = ' ';
    strcpy(wanted + 1, word);
    strcat(wanted, " ");
    return strstr(TOOL_WORDS, wanted) != NULL;
}

// Where the word is or belongs.
static size_t place_of(const evidence_words *words, const char *word)
{
    size_t low = 0;
    size_t high = words->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (strcmp(words->items[middle], word) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static void word_add(evidence_words *words, const char *word)
{
    const size_t place = place_of(words, word);
    if (place < words->count && strcmp(words->items[place], word) == 0) {
        return;
    }
    if (words->count == words->capacity) {
        const size_t capacity = words->capacity > 0 ? 2 * words->capacity : 256;
        char **items = realloc(words->items, capacity * sizeof *items);
        if (items == NULL) {
            words->lost = true;
            return;
        }
        words->items = items;
        words->capacity = capacity;
    }
    char *copy = strdup(word);
    if (copy == NULL) {
        words->lost = true;
        return;
    }
    memmove(words->items + place + 1, words->items + place, (words->count - place) * sizeof *words->items);
    words->items[place] = copy;
    words->count += 1;
}

// Copies the word at `at` in small letters; its length, 0 when none begins there.
static size_t word_take(const char *at, size_t room, char word[WORD_MAX + 1])
{
    size_t length = 0;
    for (; length < room && isalnum((unsigned char)at[length]); ++length) {
        if (length < WORD_MAX) {
            word[length] = (char)tolower((unsigned char)at[length]);
        }
    }
    word[length < WORD_MAX ? length : WORD_MAX] = '\0';
    return length;
}

void evidence_words_add(evidence_words *words, const char *text, size_t length)
{
    char word[WORD_MAX + 1];
    for (size_t at = 0; at < length;) {
        const size_t taken = word_take(text + at, length - at, word);
        if (taken > 0 && taken <= WORD_MAX) {
            word_add(words, word);
        }
        at += taken > 0 ? taken : 1;
    }
}

bool evidence_words_hold(const evidence_words *words, const char *text, size_t length)
{
    char word[WORD_MAX + 1];
    if (word_take(text, length, word) != length || length > WORD_MAX) {
        return false;
    }
    const size_t place = place_of(words, word);
    return is_of_tools(word) || (place < words->count && strcmp(words->items[place], word) == 0);
}

void evidence_words_free(evidence_words *words)
{
    for (size_t i = 0; i < words->count; ++i) {
        free(words->items[i]);
    }
    free(words->items);
    *words = (evidence_words){0};
}
