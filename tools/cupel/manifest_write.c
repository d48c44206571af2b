// SPDX-License-Identifier: Apache-2.0
#include "manifest_write.h"

#include "evidence_file.h"
#include "ledger.h"
#include "run_state.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// How many times the launches and downloads of the CPU reference a backend may need, and the reverse (docs/formats.md).
enum { MANIFEST_BYTES_MAX = 1 << 24, BACKENDS_DIFFER_MOST = 4 };

// Ledgers of the newest run, one for each suite of the profile; those that are absent stay empty.
static cupel_ledger *ledgers_read(const cupel_plan *plan, const cupel_plan_profile *profile)
{
    cupel_ledger *ledgers = calloc(profile->suite_count + 1, sizeof *ledgers);
    cupel_run_state state;
    cupel_findings ignored = {0}; // a floor is taken from passed cases; the verdict judges the run
    if (ledgers != NULL && cupel_run_state_latest(plan, profile->name, &state)) {
        for (size_t s = 0; s < profile->suite_count; ++s) {
            char path[PATH_MAX];
            if (evidence_path(path, "%s/%s.ledger", state.directory, profile->suites[s].test)) {
                cupel_ledger_read(path, profile->suites[s].test, NULL, &ledgers[s], &ignored);
            }
        }
    }
    cupel_findings_free(&ignored);
    return ledgers;
}

static void ledgers_free(cupel_ledger *ledgers, size_t count)
{
    for (size_t s = 0; ledgers != NULL && s < count; ++s) {
        cupel_ledger_free(&ledgers[s]);
    }
    free(ledgers);
}

// The plan's first profile that was built: a case is compiled once, so what it compares there it compares everywhere.
static const cupel_plan_profile *reference_find(const cupel_plan *plan, const cupel_plan_profile *profile)
{
    for (size_t i = 0; i < plan->profile_count; ++i) {
        if (plan->profiles[i].built) {
            return &plan->profiles[i];
        }
    }
    return profile;
}

static void range_widen(cupel_manifest_range *range, uint64_t count, uint64_t factor)
{
    const uint64_t least = (count + factor - 1) / factor;
    const uint64_t most = count * factor;
    range->least = !range->limited || least < range->least ? least : range->least;
    range->most = !range->limited || most > range->most ? most : range->most;
    range->limited = true;
}

// What the executables did in a passed case: the least number of values compared (0 when none has it) and the counters' ranges,
// which docs/formats.md explains.
static cupel_manifest_case case_seen(const cupel_plan_profile *profile, const cupel_ledger *ledgers, const char *id)
{
    cupel_manifest_case seen = {0};
    for (size_t s = 0; s < profile->suite_count; ++s) {
        const cupel_ledger_case *record = cupel_ledger_find(&ledgers[s], id);
        if (record != NULL && record->finished && record->passed) {
            seen.values = seen.values == 0 || record->values < seen.values ? record->values : seen.values;
            range_widen(&seen.launches, record->kernels, BACKENDS_DIFFER_MOST);
            range_widen(&seen.uploaded, record->bytes_uploaded, 1);
            range_widen(&seen.downloaded, record->bytes_downloaded, BACKENDS_DIFFER_MOST);
        }
    }
    return seen;
}

// The claims of a passed case; null when no executable made any.
static json_t *claims_seen(const cupel_plan_profile *profile, const cupel_ledger *ledgers, const char *id)
{
    for (size_t s = 0; s < profile->suite_count; ++s) {
        const cupel_ledger_case *seen = cupel_ledger_find(&ledgers[s], id);
        if (seen != NULL && seen->finished && seen->passed && seen->claims != NULL) {
            return seen->claims;
        }
    }
    return NULL;
}

static void claims_write(FILE *out, const cupel_manifest_case *old, json_t *seen)
{
    const char *separator = " claims=";
    const char *field = NULL;
    json_t *outcome = NULL;
    if (seen == NULL && old != NULL && old->claims != NULL) {
        fprintf(out, "%s%s", separator, old->claims);
    }
    json_object_foreach(seen, field, outcome)
    {
        fprintf(out, "%s%s", separator, field);
        separator = ",";
    }
}

static void line_write(FILE *out, const char *id, const cupel_manifest_case *old, const cupel_manifest_case *seen, json_t *claims)
{
    if (old != NULL && !old->runs) {
        fprintf(out, "%s unsupported %s %s\n", id, old->probe, old->reason);
        return;
    }
    const uint64_t floor = old != NULL ? old->values : 1;
    fprintf(out, "%s run values=%llu", id, (unsigned long long)(seen->values > floor ? seen->values : floor));
    const cupel_manifest_case *from = seen->values > 0 || old == NULL ? seen : old;
    const struct {
        const char *key;
        cupel_manifest_range range;
    } ranges[] = {{"launches", from->launches}, {"uploaded", from->uploaded}, {"downloaded", from->downloaded}};
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; ++i) {
        const cupel_manifest_range *range = &ranges[i].range;
        if (range->limited) {
            fprintf(out, " %s=%llu..%llu", ranges[i].key, (unsigned long long)range->least, (unsigned long long)range->most);
        }
    }
    claims_write(out, old, claims);
    fputc('\n', out);
}

// Comment lines before the first case.
static void head_write(FILE *out, const char *text)
{
    while (*text == '#') {
        const size_t length = strcspn(text, "\n");
        fprintf(out, "%.*s\n", (int)length, text);
        text += length + (text[length] == '\n');
    }
}

static int compare_ids(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

// All ids of all suites, each once, in byte order. The strings stay the lists'.
static const char **ids_join(const cupel_case_list *lists, size_t list_count, size_t *count)
{
    size_t total = 0;
    for (size_t s = 0; s < list_count; ++s) {
        total += lists[s].count;
    }
    const char **ids = calloc(total + 1, sizeof *ids);
    *count = 0;
    for (size_t s = 0; ids != NULL && s < list_count; ++s) {
        memcpy(ids + *count, lists[s].ids, lists[s].count * sizeof *ids);
        *count += lists[s].count;
    }
    if (ids != NULL) {
        qsort(ids, *count, sizeof *ids, compare_ids);
    }
    return ids;
}

static char *text_make(const cupel_plan *plan, const cupel_plan_profile *profile, const cupel_case_list *lists,
                       const char *old_text, const cupel_manifest *old)
{
    char *text = NULL;
    size_t length = 0;
    size_t count = 0;
    const char **ids = ids_join(lists, profile->suite_count, &count);
    const cupel_plan_profile *reference = reference_find(plan, profile);
    cupel_ledger *ledgers = ledgers_read(plan, profile);
    cupel_ledger *reference_ledgers = ledgers_read(plan, reference);
    FILE *out = open_memstream(&text, &length);
    if (ids != NULL && ledgers != NULL && reference_ledgers != NULL && out != NULL) {
        head_write(out, old_text);
        for (size_t i = 0; i < count; ++i) {
            if (i == 0 || strcmp(ids[i - 1], ids[i]) != 0) {
                cupel_manifest_case seen = case_seen(reference, reference_ledgers, ids[i]);
                json_t *claims = claims_seen(reference, reference_ledgers, ids[i]);
                if (seen.values == 0) {
                    seen = case_seen(profile, ledgers, ids[i]);
                    claims = claims_seen(profile, ledgers, ids[i]);
                }
                line_write(out, ids[i], cupel_manifest_find(old, ids[i]), &seen, claims);
            }
        }
    }
    if (out != NULL && (fclose(out) != 0 || length == 0)) {
        free(text);
        text = NULL;
    }
    ledgers_free(ledgers, profile->suite_count);
    ledgers_free(reference_ledgers, reference->suite_count);
    free(ids);
    return text;
}

// Writes the text when it differs from the file's. False with errno.
static bool text_write(const char *path, const char *old_text, const char *text, bool *written)
{
    char directory[PATH_MAX];
    const char *slash = strrchr(path, '/');
    if (old_text != NULL && strcmp(text, old_text) == 0) {
        return true;
    }
    const int length = slash != NULL ? (int)(slash - path) : 1;
    *written = evidence_path(directory, "%.*s", length, slash != NULL ? path : ".") &&
               evidence_file_write(directory, slash != NULL ? slash + 1 : path, text, strlen(text), EVIDENCE_REPLACE);
    return *written;
}

bool cupel_manifest_write(const cupel_plan *plan, const cupel_plan_profile *profile, const char *manifest,
                          const cupel_case_list *lists, bool *written, cupel_findings *findings)
{
    cupel_file file = {0};
    cupel_manifest old = {0};
    const bool exists = cupel_file_read(manifest, MANIFEST_BYTES_MAX, &file) == NULL;
    *written = false;
    if (exists && strchr(file.bytes, ' ') != NULL && !cupel_manifest_read(manifest, &old, findings)) {
        cupel_file_free(&file);
        return false; // a damaged manifest is not replaced: its floors would be lost
    }
    char *text = text_make(plan, profile, lists, exists ? file.bytes : "", &old);
    const bool good = text != NULL && text_write(manifest, exists ? file.bytes : NULL, text, written);
    if (!good) {
        cupel_findings_add(findings, CUPEL_REASON_MANIFEST_MISSING, manifest, "cannot be written: %s", strerror(errno));
    }
    free(text);
    cupel_manifest_free(&old);
    cupel_file_free(&file);
    return good;
}
