// SPDX-License-Identifier: Apache-2.0
#include "junit_filter.h"

#include "junit_reference.h"

#include <stdlib.h>
#include <string.h>

typedef enum filter_state { TEXT, MARKUP, TAG, VALUE, COMMENT, INSTRUCTION, CDATA, REFERENCE_TEXT, REFERENCE_VALUE } filter_state;

// One call: the input, how far it was read, and where the output grows.
typedef struct filter_step {
    cupel_junit_filter *filter;
    const char *bytes;
    size_t length;
    size_t at;
    size_t line;    // of the file, at `counted`
    size_t counted; // input whose line ends were counted
    size_t kept;    // input before this was written or dropped; from here to `at` it is to be passed on
    char *out;
    size_t written;
} filter_step;

// Writes the input that was passed on since the last call; most pieces are written in one go.
static void flush(filter_step *step)
{
    memcpy(step->out + step->written, step->bytes + step->kept, step->at - step->kept);
    step->written += step->at - step->kept;
    step->kept = step->at;
}

// Passes input up to (without) `end` on.
static void pass_until(filter_step *step, size_t end)
{
    step->at = end;
}

// Leaves input up to (without) `end` out.
static void drop_until(filter_step *step, size_t end)
{
    flush(step);
    step->at = step->kept = end;
}

// Writes bytes that are not the input's next ones.
static void emit(filter_step *step, const char *bytes, size_t length)
{
    flush(step);
    memcpy(step->out + step->written, bytes, length);
    step->written += length;
}

static size_t find(const filter_step *step, char wanted)
{
    const char *found = memchr(step->bytes + step->at, wanted, step->length - step->at);
    return found == NULL ? step->length : (size_t)(found - step->bytes);
}

static bool is_continuation(char c)
{
    return ((unsigned char)c & 0xc0u) == 0x80u;
}

// Text is dropped from the input's byte `place` on.
static void drop_begin(filter_step *step, size_t place)
{
    cupel_junit_filter *filter = step->filter;
    filter->dropping = true;
    for (; step->counted < place; ++step->counted) {
        step->line += step->bytes[step->counted] == '\n';
    }
    size_t line = step->line - filter->dropped;
    bool same = filter->drop_count > 0 && filter->drops[filter->drop_count - 1].line == line;
    if (!same && cupel_junit_drops_grow(filter)) {
        filter->drops[filter->drop_count++] = (cupel_junit_drop){line, filter->dropped};
    }
}

static void drop_end(cupel_junit_filter *filter)
{
    if (filter->dropping && filter->drop_count > 0) {
        filter->drops[filter->drop_count - 1].dropped = filter->dropped;
    }
    filter->dropping = false;
}

// Behind the cap, but not dropping yet: passes one byte on, or begins to drop at a place that cuts neither a character nor a
// reference. A reference is at most 10 bytes long, so after 16 bytes that could be part of one the place is as good as any.
static void cap_passed(filter_step *step)
{
    cupel_junit_filter *filter = step->filter;
    char c = step->bytes[step->at];
    bool passable = !is_continuation(c) && c != ']' && c != '>';
    if (passable && (filter->run == 0 || filter->run >= 16)) {
        filter->run = 0;
        drop_begin(step, step->at);
        return;
    }
    filter->run = cupel_reference_part(c) || (filter->run > 0 && is_continuation(c)) ? filter->run + 1 : 0;
    pass_until(step, step->at + 1);
}

// Text or value within its cap: passes on what may be passed on up to `end`.
static void content_pass(filter_step *step, size_t end, size_t cap)
{
    cupel_junit_filter *filter = step->filter;
    size_t room = cap > filter->length ? cap - filter->length : 0;
    if (end - step->at > room) {
        end = step->at + room;
        filter->run = 1; // the last byte passed on may be part of a reference
    }
    filter->length += end - step->at;
    pass_until(step, end);
}

// One byte of text or of a value that is dropped. What no document may have there is passed on, for the parser to refuse.
static void content_drop(filter_step *step, filter_state reference)
{
    cupel_junit_filter *filter = step->filter;
    char c = step->bytes[step->at];
    drop_until(step, step->at + 1);
    if (c == '&') {
        filter->state = (int)reference;
        filter->token[0] = '&';
        filter->token_length = 1;
    } else if (c == '<') {
        emit(step, "<", 1);
    } else if (c == '>' && filter->run >= 2 && reference == REFERENCE_TEXT) {
        emit(step, "]]>", 3);
    }
    filter->run = c == ']' ? filter->run + 1 : 0;
    filter->dropped += c == '\n';
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

// Leaves white space out that stands alone between two tags of this piece. True when there was some.
static bool blank_skip(filter_step *step)
{
    cupel_junit_filter *filter = step->filter;
    size_t end = step->at;
    size_t lines = 0;
    while (end < step->length && is_blank(step->bytes[end])) {
        lines += step->bytes[end++] == '\n';
    }
    if (end == step->at || end == step->length || step->bytes[end] != '<' || filter->owed + lines > CUPEL_FILTER_OWED) {
        return false;
    }
    filter->owed += lines;
    drop_until(step, end);
    return true;
}

static void text_step(filter_step *step)
{
    cupel_junit_filter *filter = step->filter;
    if (filter->begun && filter->length == 0 && blank_skip(step)) {
        return;
    }
    if (step->bytes[step->at] == '<') {
        drop_end(filter);
        filter->begun = true;
        filter->state = MARKUP;
        filter->token_length = 0;
        pass_until(step, step->at + 1);
    } else if (filter->dropping) {
        content_drop(step, REFERENCE_TEXT);
    } else if (filter->length < CUPEL_FILTER_TEXT_CAP) {
        content_pass(step, find(step, '<'), CUPEL_FILTER_TEXT_CAP);
    } else {
        cap_passed(step);
    }
}

static void value_step(filter_step *step)
{
    cupel_junit_filter *filter = step->filter;
    if (step->bytes[step->at] == filter->quote) {
        drop_end(filter);
        filter->state = TAG;
        pass_until(step, step->at + 1);
    } else if (filter->dropping) {
        content_drop(step, REFERENCE_VALUE);
    } else if (filter->length < CUPEL_FILTER_VALUE_CAP) {
        content_pass(step, find(step, filter->quote), CUPEL_FILTER_VALUE_CAP);
    } else {
        cap_passed(step);
    }
}

static void reference_step(filter_step *step)
{
    cupel_junit_filter *filter = step->filter;
    char c = step->bytes[step->at];
    bool part = c == ';' || (cupel_reference_part(c) && c != '&') || c == 'x';
    if (part && filter->token_length < 12) {
        filter->token[filter->token_length++] = c;
        drop_until(step, step->at + 1);
    }
    if (part && c != ';' && filter->token_length < 12) {
        return;
    }
    if (!part || c != ';' || !cupel_reference_legal(filter->token, filter->token_length)) {
        emit(step, filter->token, filter->token_length);
    }
    filter->state = filter->state == (int)REFERENCE_TEXT ? TEXT : VALUE;
}

// Behind "<": tells tags, comments, instructions, CDATA sections and declarations apart.
static void markup_step(filter_step *step)
{
    static const struct {
        const char *text;
        filter_state state;
    } kinds[] = {{"!--", COMMENT}, {"![CDATA[", CDATA}, {"?", INSTRUCTION}};
    cupel_junit_filter *filter = step->filter;
    char c = step->bytes[step->at];
    if (filter->token_length == 0 && c != '!' && c != '?') {
        filter->state = TAG;
        filter->tag_start = true;
        return;
    }
    filter->token[filter->token_length++] = c;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; ++i) {
        if (strncmp(kinds[i].text, filter->token, filter->token_length) != 0) {
            continue;
        }
        if (strlen(kinds[i].text) == filter->token_length) {
            filter->state = (int)kinds[i].state;
            filter->run = 0;
            filter->piece = 0;
        }
        pass_until(step, step->at + 1);
        return;
    }
    filter->declaration = true;
}

// Writes the line ends that are owed at the tag's first blank, or before its end, when one of these comes before `end`.
static void owed_pay(filter_step *step, size_t end)
{
    char ends[CUPEL_FILTER_OWED];
    cupel_junit_filter *filter = step->filter;
    size_t place = step->at;
    while (place < end && !is_blank(step->bytes[place])) {
        ++place;
    }
    bool closes = place == end && end < step->length && step->bytes[end] == '>';
    if (closes && end > step->at && step->bytes[end - 1] == '/') {
        --place;
    } else if (closes && end == step->at && filter->last == '/') {
        return; // its "/" was written with the last piece; the next tag pays
    }
    if (place < end || closes) {
        memset(ends, '\n', filter->owed);
        step->at = place;
        emit(step, ends, filter->owed);
        filter->owed = 0;
    }
}

static const bool ends_tag_part[256] = {['>'] = true, ['"'] = true, ['\''] = true};

static void tag_step(filter_step *step)
{
    cupel_junit_filter *filter = step->filter;
    size_t end = step->at;
    while (end < step->length && !ends_tag_part[(unsigned char)step->bytes[end]]) {
        ++end;
    }
    size_t begin = step->at;
    if (filter->owed > 0) {
        owed_pay(step, end);
    }
    if (filter->tag_start && end > begin) {
        filter->tag_start = false;
        filter->closing = step->bytes[begin] == '/';
    }
    if (end > begin) {
        filter->last = step->bytes[end - 1];
    }
    if (end < step->length) {
        filter->quote = step->bytes[end];
        filter->state = filter->quote == '>' ? TEXT : VALUE;
        filter->length = 0;
        filter->depth += filter->quote != '>' ? 0 : filter->closing ? -1 : filter->last == '/' ? 0 : 1;
        filter->last = '\0';
        ++end;
    }
    pass_until(step, end);
}

// Comments and instructions are passed on whole; they end with two "-" (one "?") and ">".
static void aside_step(filter_step *step)
{
    cupel_junit_filter *filter = step->filter;
    char ending = filter->state == (int)COMMENT ? '-' : '?';
    size_t wanted = filter->state == (int)COMMENT ? 2 : 1;
    char c = step->bytes[step->at];
    if (c == '>' && filter->run >= wanted) {
        filter->state = TEXT;
    }
    filter->run = c == ending ? filter->run + 1 : 0;
    pass_until(step, step->at + 1);
}

// Content of a CDATA section: the last `length` bytes of the input, or brackets that were held back.
static void cdata_content(filter_step *step, const char *bytes, size_t length)
{
    cupel_junit_filter *filter = step->filter;
    while (length > 0) {
        if (!filter->dropping && filter->length >= CUPEL_FILTER_TEXT_CAP && !is_continuation(bytes[0])) {
            bool held = bytes + length != step->bytes + step->at;
            drop_begin(step, held ? step->at : step->at - length);
        }
        if (filter->dropping) {
            for (size_t i = 0; i < length; ++i) {
                filter->dropped += bytes[i] == '\n';
            }
            return;
        }
        if (filter->piece >= CUPEL_FILTER_PIECE && !is_continuation(bytes[0])) {
            emit(step, "]]><![CDATA[", 12);
            filter->piece = 0;
        }
        size_t room = CUPEL_FILTER_PIECE > filter->piece ? CUPEL_FILTER_PIECE - filter->piece : 1;
        size_t text = CUPEL_FILTER_TEXT_CAP > filter->length ? CUPEL_FILTER_TEXT_CAP - filter->length : 1;
        size_t part = length < room ? length : room;
        part = part < text ? part : text;
        emit(step, bytes, part);
        filter->piece += part;
        filter->length += part;
        bytes += part;
        length -= part;
    }
}

// Brackets are held back until it is known whether they end the section: at most two of them.
static void cdata_step(filter_step *step)
{
    cupel_junit_filter *filter = step->filter;
    size_t from = step->at;
    char c = step->bytes[from];
    if (c == ']') {
        drop_until(step, from + 1);
        if (filter->run == 2) {
            cdata_content(step, "]", 1);
        } else {
            ++filter->run;
        }
    } else if (c == '>' && filter->run == 2) {
        drop_until(step, from + 1);
        drop_end(filter);
        emit(step, "]]>", 3);
        filter->state = TEXT;
        filter->run = 0;
    } else {
        drop_until(step, find(step, ']'));
        cdata_content(step, "]]", filter->run);
        filter->run = 0;
        cdata_content(step, step->bytes + from, step->at - from);
    }
}

static void (*const steps[])(filter_step *) = {
    [TEXT] = text_step,
    [MARKUP] = markup_step,
    [TAG] = tag_step,
    [VALUE] = value_step,
    [COMMENT] = aside_step,
    [INSTRUCTION] = aside_step,
    [CDATA] = cdata_step,
    [REFERENCE_TEXT] = reference_step,
    [REFERENCE_VALUE] = reference_step,
};

size_t cupel_junit_filter_apply(cupel_junit_filter *filter, const char *bytes, size_t length, size_t first_line, char *out)
{
    filter_step step = {.filter = filter, .bytes = bytes, .length = length, .line = first_line, .out = out};
    while (step.at < length && !filter->declaration && !filter->lost) {
        steps[filter->state](&step);
    }
    flush(&step);
    return step.written;
}

bool cupel_junit_filter_complete(const cupel_junit_filter *filter)
{
    return filter->state == (int)TEXT && filter->depth <= 0;
}

void cupel_junit_filter_free(cupel_junit_filter *filter)
{
    free(filter->drops);
    *filter = (cupel_junit_filter){0};
}
