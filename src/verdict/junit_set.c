// SPDX-License-Identifier: Apache-2.0
#include "junit_set.h"

#include "findings_json.h"
#include "junit_seen.h"
#include "junit_writer.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// What the callback needs while one report is read.
typedef struct set_reader {
    cupel_junit_set *set;
    const cupel_manifest *manifest; // null: not compared
    size_t *met;                    // per manifest line, how many cases had its name
    cupel_junit_seen before;        // names of all reports
    cupel_junit_seen here;          // names of this report
    bool several;
    const char *path;
    cupel_findings facts; // of this report; dropped when it is refused
    FILE *cases;          // null, or where the merged report's cases gather
} set_reader;

static void names_compare(set_reader *reader, const cupel_junit_case *current)
{
    uint64_t key = cupel_junit_key_add(0, current->suite, strlen(current->suite));
    key = cupel_junit_key_add(key, current->classname, strlen(current->classname));
    key = cupel_junit_key_add(key, current->name, strlen(current->name));
    bool again_here = cupel_junit_seen_insert(&reader->here, key) != CUPEL_SEEN_NEW;
    bool again = cupel_junit_seen_insert(&reader->before, key) != CUPEL_SEEN_NEW;
    if (again && !again_here) {
        cupel_findings_add(&reader->facts, CUPEL_REASON_REPORT_DUPLICATE, reader->path,
                           "line %zu: %.100s/%.100s is in an earlier report", current->line, current->classname, current->name);
    }
}

static void manifest_compare(set_reader *reader, const cupel_junit_case *current)
{
    const cupel_manifest_case *line = cupel_manifest_find(reader->manifest, current->name);
    if (line == NULL || !line->runs) {
        cupel_findings_add(&reader->facts, CUPEL_REASON_CASE_UNEXPECTED, current->name, "%s, line %zu: %s", reader->path,
                           current->line,
                           line == NULL ? "the manifest does not have it" : "the manifest says that it is unsupported");
        return;
    }
    size_t *met = &reader->met[line - reader->manifest->cases];
    if (++*met == 2) {
        cupel_findings_add(&reader->facts, CUPEL_REASON_CASE_DUPLICATE, current->name, "%s, line %zu: it was reported before",
                           reader->path, current->line);
    }
}

static void case_take(void *context, const cupel_junit_case *current)
{
    set_reader *reader = context;
    if (reader->several) {
        names_compare(reader, current);
    }
    if (reader->manifest != NULL) {
        manifest_compare(reader, current);
    }
    if (reader->cases != NULL) {
        cupel_junit_write_case(reader->cases, current, NULL, 0);
    }
}

static void same_bytes_check(cupel_junit_set *set, size_t index)
{
    for (size_t i = 0; i < index; ++i) {
        if (set->entries[i].accepted && strcmp(set->entries[i].report.sha256, set->entries[index].report.sha256) == 0) {
            cupel_findings_add(&set->findings, CUPEL_REASON_REPORT_REPEATED, set->entries[index].path, "it has the bytes of %s",
                               set->entries[i].path);
            return;
        }
    }
}

static void counts_add(cupel_junit_counts *to, const cupel_junit_counts *from)
{
    to->cases += from->cases;
    to->passed += from->passed;
    to->failed += from->failed;
    to->errors += from->errors;
    to->skipped += from->skipped;
    to->retried += from->retried;
    to->suites += from->suites;
    to->texts_cut += from->texts_cut;
}

static void report_read(set_reader *reader, const cupel_junit_set_request *request, size_t index)
{
    cupel_junit_set *set = reader->set;
    cupel_junit_set_entry *entry = &set->entries[index];
    const cupel_junit_options options = {.max_bytes = request->max_bytes, .on_case = case_take, .context = reader};
    entry->path = request->paths[index];
    reader->path = entry->path;
    entry->accepted = cupel_junit_read(entry->path, entry->path, &options, &entry->report, &set->findings);
    cupel_junit_seen_free(&reader->here);
    if (entry->accepted) {
        cupel_findings_move(&set->findings, &reader->facts);
        same_bytes_check(set, index);
        counts_add(&set->totals, &entry->report.counts);
    } else {
        cupel_findings_free(&reader->facts);
        set->accepted = false;
    }
}

static void missing_report(set_reader *reader)
{
    for (size_t i = 0; i < reader->manifest->count; ++i) {
        if (reader->manifest->cases[i].runs && reader->met[i] == 0) {
            cupel_findings_add(&reader->set->findings, CUPEL_REASON_CASE_MISSING, reader->manifest->cases[i].id,
                               "line %zu of the manifest; no report has it", reader->manifest->cases[i].line);
        }
    }
}

static bool copy_section(FILE *from, long begin, long end, FILE *to)
{
    char buffer[1 << 14];
    if (fseek(from, begin, SEEK_SET) != 0) {
        return false;
    }
    for (long left = end - begin; left > 0;) {
        size_t wanted = left < (long)sizeof buffer ? (size_t)left : sizeof buffer;
        size_t got = fread(buffer, 1, wanted, from);
        if (got == 0 || fwrite(buffer, 1, got, to) != got) {
            return false;
        }
        left -= (long)got;
    }
    return true;
}

static bool merged_write(const cupel_junit_set *set, FILE *cases, const long *ends, FILE *out)
{
    bool good = true;
    cupel_junit_write_begin(out, "merged", &set->totals);
    for (size_t i = 0; good && i < set->count; ++i) {
        cupel_junit_write_suite_begin(out, set->entries[i].path, &set->entries[i].report.counts, 0.0, NULL, 0);
        good = copy_section(cases, i == 0 ? 0 : ends[i - 1], ends[i], out);
        cupel_junit_write_suite_end(out);
    }
    cupel_junit_write_end(out);
    return good && fflush(out) == 0 && fsync(fileno(out)) == 0;
}

// Writes beside the target and renames, so that no reader ever sees half a report.
static void merged_store(cupel_junit_set *set, FILE *cases, const long *ends, const char *path)
{
    char beside[4096];
    if (snprintf(beside, sizeof beside, "%s.%ld.partial", path, (long)getpid()) >= (int)sizeof beside) {
        errno = ENAMETOOLONG;
    } else {
        FILE *out = fopen(beside, "wx");
        bool good = out != NULL && merged_write(set, cases, ends, out);
        good = (out == NULL || fclose(out) == 0) && good;
        if (good && rename(beside, path) == 0) {
            return;
        }
        int kept = errno;
        if (out != NULL) {
            unlink(beside);
        }
        errno = kept;
    }
    cupel_findings_add(&set->findings, CUPEL_REASON_RUN_DIRECTORY_UNWRITABLE, path, "the merged report cannot be written: %s",
                       strerror(errno));
}

static void reports_read(set_reader *reader, const cupel_junit_set_request *request, long *ends)
{
    for (size_t i = 0; i < request->count; ++i) {
        report_read(reader, request, i);
        ends[i] = reader->cases == NULL ? 0 : ftell(reader->cases);
    }
    if (reader->manifest != NULL && reader->set->accepted) {
        missing_report(reader);
    }
    if (reader->cases != NULL && reader->set->accepted) {
        merged_store(reader->set, reader->cases, ends, request->merged);
    }
}

void cupel_junit_set_read(const cupel_junit_set_request *request, cupel_junit_set *set)
{
    cupel_manifest manifest = {0};
    *set = (cupel_junit_set){.count = request->count, .accepted = true};
    set_reader reader = {.set = set, .several = request->count > 1};
    set->entries = calloc(request->count + 1, sizeof *set->entries);
    long *ends = calloc(request->count + 1, sizeof *ends);
    bool ready = set->entries != NULL && ends != NULL;
    if (ready && request->manifest != NULL) {
        ready = cupel_manifest_read(request->manifest, &manifest, &set->findings);
        reader.manifest = &manifest;
        reader.met = calloc(manifest.count + 1, sizeof *reader.met);
        ready = ready && reader.met != NULL;
    }
    if (ready && request->merged != NULL) {
        reader.cases = tmpfile();
        ready = reader.cases != NULL;
    }
    if (ready) {
        reports_read(&reader, request, ends);
    } else {
        set->accepted = false;
        set->findings.lost |= set->findings.count == 0;
    }
    if (reader.cases != NULL) {
        fclose(reader.cases);
    }
    set->status = cupel_findings_status(&set->findings);
    cupel_junit_seen_free(&reader.before);
    free(reader.met);
    free(ends);
    cupel_manifest_free(&manifest);
}

static json_t *counts_to_json(const cupel_junit_counts *counts, bool published)
{
    if (!published) {
        return json_null();
    }
    return json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I}", "cases", (json_int_t)counts->cases, "passed",
                     (json_int_t)counts->passed, "failed", (json_int_t)counts->failed, "errors", (json_int_t)counts->errors,
                     "skipped", (json_int_t)counts->skipped, "retried", (json_int_t)counts->retried, "suites",
                     (json_int_t)counts->suites, "texts_cut", (json_int_t)counts->texts_cut);
}

json_t *cupel_junit_set_to_json(const cupel_junit_set *set)
{
    json_t *files = json_array();
    for (size_t i = 0; set->entries != NULL && i < set->count; ++i) {
        const cupel_junit_set_entry *entry = &set->entries[i];
        json_array_append_new(files, json_pack("{s:s, s:b, s:s?, s:I, s:s, s:o}", "path", entry->path == NULL ? "" : entry->path,
                                               "accepted", entry->accepted, "dialect", entry->report.dialect, "bytes",
                                               (json_int_t)entry->report.bytes, "sha256", entry->report.sha256, "counts",
                                               counts_to_json(&entry->report.counts, entry->accepted)));
    }
    return json_pack("{s:i, s:s, s:o, s:o, s:o}", "status", (int)set->status, "word", cupel_status_word(set->status), "files",
                     files, "counts", counts_to_json(&set->totals, set->accepted), "reasons",
                     cupel_findings_to_json(&set->findings));
}

void cupel_junit_set_free(cupel_junit_set *set)
{
    cupel_findings_free(&set->findings);
    free(set->entries);
    *set = (cupel_junit_set){0};
}
