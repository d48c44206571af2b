// SPDX-License-Identifier: Apache-2.0
#include "publish_audit.h"

#include "attempt.h"
#include "attempt_files.h"
#include "attempt_receipt.h"

#include <stdio.h>

enum { COPY_BYTES_MAX = 1 << 29 }; // placeholders may be longer than what they stand for

// Says what a file of the copy still tells.
static void leak_say(const char *name, const evidence_leak *leak, char message[EVIDENCE_MESSAGE])
{
    char where[64] = "";
    if (leak->member[0] != '\0') {
        snprintf(where, sizeof where, ", member \"%s\"", leak->member);
    }
    if (leak->kind == EVIDENCE_KINDS) {
        evidence_say(message, "memory ran out, so nothing is published.");
    } else if (leak->line == 0) {
        evidence_say(message,
                     "the name of the file %s tells a value of kind %s, so nothing is published; record the attempt again with "
                     "another label for that step.",
                     name, evidence_kind_name(leak->kind));
    } else {
        evidence_say(
            message,
            "a value of kind %s would still stand in the copy of %s, line %zu%s, so nothing is published; record the attempt "
            "again without the command that prints it, or give the name another spelling there.",
            evidence_kind_name(leak->kind), name, leak->line, where);
    }
}

// Scans the name of a file of the copy. False after a sentence.
static bool name_audit(const evidence_audit *audit, const char *name, char message[EVIDENCE_MESSAGE])
{
    evidence_leak leak;
    if (!evidence_audit_find(audit, name, &leak)) {
        return true;
    }
    leak.line = 0;
    leak_say(name, &leak, message);
    return false;
}

// Scans one file of the copy as it lies on the disk. False after a sentence.
static bool file_audit(const char *output, const evidence_audit *audit, const char *name, char message[EVIDENCE_MESSAGE])
{
    char path[PATH_MAX];
    cupel_file file;
    evidence_leak leak;
    if (!evidence_path(path, "%s/%s", output, name) || cupel_file_read(path, COPY_BYTES_MAX, &file) != NULL) {
        evidence_say(message, "%s/%s cannot be read again, so nothing is published; name another directory.", output, name);
        return false;
    }
    const bool found = evidence_audit_find(audit, file.bytes, &leak);
    if (found) {
        leak_say(name, &leak, message);
    }
    cupel_file_free(&file);
    return !found;
}

bool evidence_copy_audit(const char *output, const evidence_audit *audit, char message[EVIDENCE_MESSAGE])
{
    cupel_findings findings = {0};
    json_t *files = evidence_files_describe(output, &findings);
    const char *name = NULL;
    const json_t *value = NULL;
    bool clean = files != NULL;
    json_object_foreach(files, name, value)
    {
        clean = clean && name_audit(audit, name, message);
    }
    json_object_foreach(files, name, value)
    {
        clean = clean && file_audit(output, audit, name, message);
    }
    clean = clean && file_audit(output, audit, EVIDENCE_RECEIPT, message);
    if (files == NULL) {
        evidence_say(message, "%s cannot be read again, so nothing is published; name another directory.", output);
    }
    json_decref(files);
    cupel_findings_free(&findings);
    return clean;
}
