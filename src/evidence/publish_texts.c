// SPDX-License-Identifier: Apache-2.0
#include "publish_texts.h"

#include "attempt.h"
#include "attempt_files.h"
#include "attempt_receipt.h"
#include "source_list.h"

#include <stdlib.h>
#include <string.h>

enum { FILE_BYTES_MAX = 1 << 28 };

bool evidence_is_left_out(const char *name)
{
    return strncmp(name, EVIDENCE_BUILD_KEPT "/", strlen(EVIDENCE_BUILD_KEPT) + 1) == 0;
}

// The text of a file. Null after a sentence.
static char *text_read(const char *directory, const char *name, char message[EVIDENCE_MESSAGE])
{
    char path[PATH_MAX];
    cupel_file file;
    const char *trouble =
        evidence_path(path, "%s/%s", directory, name) ? cupel_file_read(path, FILE_BYTES_MAX, &file) : "path too long";
    if (trouble == NULL && memchr(file.bytes, '\0', file.length) != NULL) {
        cupel_file_free(&file);
        trouble = "it is no text";
    }
    if (trouble != NULL) {
        evidence_say(message, "%s/%s cannot be published (%s); publish an attempt without it.", directory, name, trouble);
        return NULL;
    }
    return file.bytes; // cupel_file_free would free just this
}

// Takes the recorder out of attempt.json. Null when it is no JSON.
static char *recorder_take(const char *text, json_t **recorder)
{
    json_t *attempt = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    *recorder = json_incref(json_object_get(attempt, "recorder"));
    json_object_del(attempt, "recorder");
    char *without = attempt != NULL ? json_dumps(attempt, EVIDENCE_RECEIPT_FORM) : NULL;
    json_decref(attempt);
    return without;
}

bool evidence_texts_read(const char *directory, const json_t *files, evidence_texts *texts, char message[EVIDENCE_MESSAGE])
{
    const char *name = NULL;
    const json_t *value = NULL;
    texts->items = calloc(json_object_size(files) + 1, sizeof *texts->items);
    if (texts->items == NULL) {
        evidence_say(message, "memory ran out, so nothing is published.");
        return false;
    }
    json_object_foreach((json_t *)files, name, value)
    {
        char *text = evidence_is_left_out(name) ? NULL : text_read(directory, name, message);
        if (text != NULL && strcmp(name, EVIDENCE_ATTEMPT_RECORD) == 0) {
            char *without = recorder_take(text, &texts->recorder);
            if (without == NULL) {
                evidence_say(message, "%s/%s cannot be published (it is no JSON).", directory, name);
            }
            free(text);
            text = without;
        }
        if (text != NULL) {
            texts->items[texts->count++] = (evidence_text){name, text};
        } else if (!evidence_is_left_out(name)) {
            return false;
        }
    }
    return true;
}

void evidence_texts_free(evidence_texts *texts)
{
    for (size_t i = 0; i < texts->count; ++i) {
        free(texts->items[i].text);
    }
    free(texts->items);
    json_decref(texts->recorder);
    *texts = (evidence_texts){0};
}
