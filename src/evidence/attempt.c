// SPDX-License-Identifier: Apache-2.0
#include "attempt.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

void evidence_utc_now(char text[24])
{
    const time_t now = time(NULL);
    struct tm utc;
    text[0] = '\0';
    if (gmtime_r(&now, &utc) != NULL) {
        strftime(text, 24, "%Y-%m-%dT%H:%M:%SZ", &utc);
    }
}

// "2026-01-31T23:59:59Z" as "20260131T235959Z".
static void stamp_make(const char *utc, char stamp[24])
{
    size_t length = 0;
    for (; *utc != '\0' && length < 23; ++utc) {
        if (*utc != '-' && *utc != ':') {
            stamp[length++] = *utc;
        }
    }
    stamp[length] = '\0';
}

bool evidence_label_is_valid(const char *label)
{
    const size_t length = strlen(label);
    return length > 0 && length <= EVIDENCE_LABEL_MAX && strspn(label, "abcdefghijklmnopqrstuvwxyz0123456789._-") == length &&
           label[0] != '.' && label[0] != '-';
}

static bool refuse(char message[EVIDENCE_MESSAGE], const char *what, const char *path, const char *next)
{
    evidence_say(message, "%s %s (%s); %s", what, path, strerror(errno), next);
    return false;
}

// Takes the attempt's lock, which ends with this process at the latest.
static bool lock_take(evidence_attempt *attempt, char message[EVIDENCE_MESSAGE])
{
    attempt->lock = open(attempt->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
    if (attempt->lock < 0) {
        return refuse(message, "cannot open the attempt", attempt->path, "name an attempt's directory.");
    }
    if (flock(attempt->lock, LOCK_EX | LOCK_NB) != 0) {
        refuse(message, "another process is recording into", attempt->path, "wait for its end, or start a new attempt.");
        close(attempt->lock);
        attempt->lock = -1;
        return false;
    }
    return true;
}

bool evidence_attempt_name_is_of(const char *name, const char *profile)
{
    const size_t stamp = strlen("YYYYMMDDTHHMMSSZ-");
    const size_t length = strlen(profile);
    return strlen(name) == stamp + length + 9 && name[stamp - 1] == '-' && strncmp(name + stamp, profile, length) == 0 &&
           name[stamp + length] == '-' && strspn(name + stamp + length + 1, "0123456789abcdef") == 8;
}

// What stands in an attempt's receipt.sha256 before its blank; JSON null when it has no receipt.
static json_t *receipt_hash(const char *evidence, const char *name)
{
    char path[PATH_MAX];
    cupel_file file;
    json_t *hash = NULL;
    if (evidence_path(path, "%s/%s/receipt.sha256", evidence, name) && cupel_file_read(path, 4096, &file) == NULL) {
        const size_t length = strspn(file.bytes, "0123456789abcdef");
        hash = length == CUPEL_SHA256_HEX - 1 ? json_stringn(file.bytes, length) : NULL;
        cupel_file_free(&file);
    }
    return hash != NULL ? hash : json_null();
}

// The attempts of the same profile that are there already, with their receipts' hashes: what failed or was superseded is not lost
// from sight.
static json_t *earlier_list(const evidence_attempt *attempt, const char *profile)
{
    char evidence[PATH_MAX];
    struct dirent **entries = NULL;
    const char *slash = strrchr(attempt->path, '/');
    json_t *earlier = json_array();
    const int count = evidence_path(evidence, "%.*s", (int)(slash - attempt->path), attempt->path)
                          ? scandir(evidence, &entries, NULL, alphasort)
                          : -1;
    for (int i = 0; i < count; ++i) {
        const char *name = entries[i]->d_name;
        if (evidence_attempt_name_is_of(name, profile) && strcmp(name, slash + 1) != 0) {
            json_array_append_new(earlier,
                                  json_pack("{s:s, s:o}", "attempt", name, "receipt_sha256", receipt_hash(evidence, name)));
        }
        free(entries[i]);
    }
    free(entries);
    return earlier;
}

// Who records, on which machine: known here and nowhere else, and needed to take it out of copies that are made elsewhere.
static json_t *recorder_describe(void)
{
    char host[256] = "";
    const struct passwd *account = getpwuid(getuid());
    if (gethostname(host, sizeof host - 1) != 0) {
        host[0] = '\0';
    }
    return json_pack("{s:s, s:s, s:s}", "account", account != NULL ? account->pw_name : "", "home",
                     account != NULL ? account->pw_dir : "", "host", host);
}

static bool attempt_describe(const evidence_attempt *attempt, const char *profile, const char *started, const json_t *description)
{
    const char *slash = strrchr(attempt->path, '/');
    json_t *record =
        json_pack("{s:s, s:s, s:s, s:s, s:o, s:o}", "schema", EVIDENCE_ATTEMPT_SCHEMA, "attempt", slash + 1, "profile", profile,
                  "started", started, "earlier", earlier_list(attempt, profile), "recorder", recorder_describe());
    // Jansson's update wants a mutable source and changes nothing of it.
    const bool joined = record != NULL && json_object_update_missing(record, (json_t *)description) == 0;
    char *text = joined ? json_dumps(record, JSON_INDENT(1) | JSON_SORT_KEYS) : NULL;
    errno = ENOMEM;
    const bool written = text != NULL && evidence_file_write(attempt->path, "attempt.json", text, strlen(text), EVIDENCE_NEW);
    free(text);
    json_decref(record);
    return written;
}

bool evidence_attempt_create(const char *evidence, const char *profile, const json_t *description, evidence_attempt *attempt,
                             char message[EVIDENCE_MESSAGE])
{
    char stamp[24];
    char started[24];
    char steps[PATH_MAX];
    uint32_t nonce = 0;
    attempt->lock = -1;
    evidence_utc_now(started);
    stamp_make(started, stamp);
    if (getrandom(&nonce, sizeof nonce, 0) != (ssize_t)sizeof nonce ||
        !evidence_path(attempt->path, "%s/%s-%s-%08x", evidence, stamp, profile, (unsigned int)nonce) ||
        !evidence_path(steps, "%s/steps", attempt->path)) {
        return refuse(message, "cannot name an attempt in", evidence, "use a shorter evidence directory.");
    }
    if (!evidence_directory_create(attempt->path) || !lock_take(attempt, message)) {
        return refuse(message, "cannot make the attempt", attempt->path, "make the evidence directory writable or name another.");
    }
    if (!attempt_describe(attempt, profile, started, description) || !evidence_directory_create(steps)) {
        refuse(message, "cannot write the attempt", attempt->path, "free space there or name another evidence directory.");
        evidence_attempt_close(attempt);
        return false;
    }
    return true;
}

bool evidence_attempt_open(const char *path, evidence_attempt *attempt, char message[EVIDENCE_MESSAGE])
{
    char file[PATH_MAX];
    attempt->lock = -1;
    if (realpath(path, attempt->path) == NULL || !evidence_path(file, "%s/attempt.json", attempt->path)) {
        return refuse(message, "cannot open the attempt", path, "name an attempt's directory.");
    }
    if (access(file, R_OK) != 0) {
        return refuse(message, "no attempt.json in", attempt->path, "name an attempt's directory.");
    }
    if (!lock_take(attempt, message)) {
        return false;
    }
    if (!evidence_path(file, "%s/receipt.json", attempt->path) || access(file, F_OK) == 0) {
        errno = EEXIST;
        refuse(message, "a receipt closes the attempt", attempt->path, "start a new attempt.");
        evidence_attempt_close(attempt);
        return false;
    }
    return true;
}

void evidence_attempt_close(evidence_attempt *attempt)
{
    if (attempt->lock >= 0) {
        close(attempt->lock);
    }
    attempt->lock = -1;
}
