// SPDX-License-Identifier: Apache-2.0
// A verdict for people, for programs and for readers of JUnit.
#include "findings_json.h"
#include "verdict.h"

#include "junit_set.h"
#include "junit_writer.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *text_or_empty(const char *text)
{
    return text == NULL ? "" : text;
}

static json_t *float_json(double value)
{
    char text[64];
    snprintf(text, sizeof text, "%a", value);
    return json_string(text);
}

// How many times the worst error the bound is: infinity where nothing differed, 0 where a bound of 0 was missed.
static double headroom(const cupel_verdict_case *one)
{
    return one->worst_error > 0.0 ? one->bound / one->worst_error : (double)INFINITY;
}

static json_t *case_json(const cupel_verdict_case *one)
{
    json_t *item =
        json_pack("{s:s, s:b, s:b, s:b, s:I, s:I, s:o, s:s, s:s, s:o, s:o, s:I, s:I, s:f, s:s}", "case", one->id, "expected",
                  one->expected, "recorded", one->recorded, "passed", one->passed, "values", (json_int_t)one->values,
                  "bytes_compared", (json_int_t)one->bytes_compared, "worst_error", float_json(one->worst_error), "worst_unit",
                  one->worst_unit, "worst_at", text_or_empty(one->worst_at), "bound", float_json(one->bound), "headroom",
                  float_json(headroom(one)), "differing_bits", (json_int_t)one->differing_bits, "kernels", (json_int_t)one->kernels,
                  "seconds", one->seconds, "message", text_or_empty(one->message));
    if (one->claims != NULL) {
        json_object_set(item, "claims", one->claims);
    }
    return item;
}

static json_t *suite_json(const cupel_verdict_suite *suite)
{
    json_t *cases = json_array();
    for (size_t k = 0; k < suite->case_count; ++k) {
        json_array_append_new(cases, case_json(&suite->cases[k]));
    }
    json_t *item =
        json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:f, s:I, s:I, s:o}", "test", suite->test, "suite", suite->suite, "linkage",
                  suite->linkage, "executable", suite->executable, "build_id", suite->build_id, "source_id", suite->source_id,
                  "seconds", suite->seconds, "host_peak_rss_bytes", (json_int_t)suite->host_peak_rss_bytes, "device_bytes_peak",
                  (json_int_t)suite->device_bytes_peak, "cases", cases);
    if (suite->tells_reserved) {
        json_object_set_new(item, "device_bytes_reserved_peak", json_integer((json_int_t)suite->device_bytes_reserved_peak));
    }
    return item;
}

static json_t *suites_json(const cupel_verdict *verdict)
{
    json_t *suites = json_array();
    for (size_t i = 0; i < verdict->suite_count; ++i) {
        json_array_append_new(suites, suite_json(&verdict->suites[i]));
    }
    return suites;
}

static json_t *files_json(const cupel_verdict *verdict)
{
    json_t *files = json_array();
    for (size_t i = 0; i < verdict->file_count; ++i) {
        json_array_append_new(files, json_pack("{s:s, s:I, s:s}", "name", verdict->files[i].name, "bytes",
                                               (json_int_t)verdict->files[i].bytes, "sha256", verdict->files[i].sha256));
    }
    return files;
}

static json_t *counts_json(const cupel_verdict_counts *counts)
{
    return json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I}", "expected", (json_int_t)counts->expected, "passed",
                     (json_int_t)counts->passed, "failed", (json_int_t)counts->failed, "missing", (json_int_t)counts->missing,
                     "unexpected", (json_int_t)counts->unexpected, "unsupported", (json_int_t)counts->unsupported, "values",
                     (json_int_t)counts->values, "bytes_compared", (json_int_t)counts->bytes_compared, "kernels",
                     (json_int_t)counts->kernels);
}

json_t *cupel_verdict_to_json(const cupel_verdict *verdict)
{
    json_t *document =
        json_pack("{s:i, s:s, s:s, s:s?, s:s?, s:s?, s:s?, s:o, s:o, s:o, s:o, s:O?, s:O?, s:O?, s:s}", "status",
                  (int)verdict->status, "word", cupel_status_word(verdict->status), "profile", verdict->profile, "backend",
                  verdict->backend, "run", verdict->run, "nonce", verdict->nonce, "started", verdict->started, "counts",
                  counts_json(&verdict->counts), "reasons", cupel_findings_to_json(&verdict->findings), "suites",
                  suites_json(verdict), "files", files_json(verdict), "device", verdict->device, "probes", verdict->probes,
                  "environment", verdict->environment, "manifest_sha256", verdict->manifest_sha256);
    if (verdict->unsupported != NULL) {
        json_object_set(document, "unsupported", verdict->unsupported);
    }
    return document;
}

// ---- Merged JUnit -------------------------------------------------------------------------------------------------------------

static cupel_junit_counts suite_counts(const cupel_verdict_suite *suite)
{
    cupel_junit_counts counts = {.cases = suite->case_count};
    for (size_t i = 0; i < suite->case_count; ++i) {
        counts.passed += suite->cases[i].passed;
        counts.failed += !suite->cases[i].passed;
    }
    return counts;
}

static void case_write(FILE *out, const cupel_verdict_suite *suite, const cupel_verdict_case *one)
{
    char values[32], worst[128], kernels[32];
    cupel_junit_case written = {.classname = suite->test,
                                .name = one->id,
                                .outcome = one->passed ? CUPEL_JUNIT_PASSED : CUPEL_JUNIT_FAILED,
                                .seconds = one->seconds,
                                .message = text_or_empty(one->message),
                                .text = ""};
    snprintf(values, sizeof values, "%llu", (unsigned long long)one->values);
    snprintf(kernels, sizeof kernels, "%llu", (unsigned long long)one->kernels);
    snprintf(worst, sizeof worst, "%a %s, bound %a", one->worst_error, one->worst_unit, one->bound);
    const cupel_junit_property properties[] = {{"values", values}, {"worst_error", worst}, {"kernels", kernels}};
    cupel_junit_write_case(out, &written, properties, one->recorded ? 3 : 0);
}

static void suite_write(FILE *out, const cupel_verdict *verdict, const cupel_verdict_suite *suite)
{
    cupel_junit_counts counts = suite_counts(suite);
    const cupel_junit_property properties[] = {
        {"profile", verdict->profile},
        {"run", verdict->run},
        {"nonce", verdict->nonce},
        {"backend", verdict->backend},
        {"build_id", suite->build_id},
        {"source_id", suite->source_id},
        {"linkage", suite->linkage},
        {"device", text_or_empty(json_string_value(json_object_get(verdict->device, "name")))},
        {"device_uuid", text_or_empty(json_string_value(json_object_get(verdict->device, "uuid")))}};
    cupel_junit_write_suite_begin(out, suite->test, &counts, suite->seconds, properties, sizeof properties / sizeof properties[0]);
    for (size_t i = 0; i < suite->case_count; ++i) {
        case_write(out, suite, &suite->cases[i]);
    }
    cupel_junit_write_suite_end(out);
}

// One failing case a reason, so that what no case stands for (no device, a crash, a missing ledger) fails for every reader too.
static void reasons_write(FILE *out, const cupel_verdict *verdict)
{
    char classname[160];
    const cupel_findings *findings = &verdict->findings;
    cupel_junit_counts counts = {.cases = findings->count, .failed = findings->count};
    snprintf(classname, sizeof classname, "%.120s.verdict", verdict->profile);
    cupel_junit_write_suite_begin(out, classname, &counts, 0.0, NULL, 0);
    for (size_t i = 0; i < findings->count; ++i) {
        char name[64 + CUPEL_SHA256_HEX];
        const cupel_reason_info *info = cupel_reason_get(findings->items[i].reason);
        snprintf(name, sizeof name, "%zu %.60s", i + 1, info->code);
        const cupel_junit_case written = {.classname = classname,
                                          .name = name,
                                          .outcome = CUPEL_JUNIT_FAILED,
                                          .message = info->sentence,
                                          .text = findings->items[i].text};
        const cupel_junit_property properties[] = {{"subject", findings->items[i].subject}, {"action", info->action}};
        cupel_junit_write_case(out, &written, properties, 2);
    }
    cupel_junit_write_suite_end(out);
}

static bool document_write(FILE *out, const cupel_verdict *const *verdicts, size_t count)
{
    cupel_junit_counts totals = {0};
    for (size_t v = 0; v < count; ++v) {
        totals.cases += verdicts[v]->findings.count;
        totals.failed += verdicts[v]->findings.count;
        for (size_t i = 0; i < verdicts[v]->suite_count; ++i) {
            cupel_junit_counts counts = suite_counts(&verdicts[v]->suites[i]);
            totals.cases += counts.cases;
            totals.passed += counts.passed;
            totals.failed += counts.failed;
        }
    }
    cupel_junit_write_begin(out, count == 1 ? verdicts[0]->profile : "cupel", &totals);
    for (size_t v = 0; v < count; ++v) {
        for (size_t i = 0; i < verdicts[v]->suite_count; ++i) {
            suite_write(out, verdicts[v], &verdicts[v]->suites[i]);
        }
        if (verdicts[v]->findings.count > 0) {
            reasons_write(out, verdicts[v]);
        }
    }
    cupel_junit_write_end(out);
    return fflush(out) == 0 && !ferror(out);
}

bool cupel_verdict_put_junit(const cupel_verdict *verdict, FILE *out)
{
    return document_write(out, &verdict, 1);
}

bool cupel_verdicts_write_junit(const cupel_verdict *const *verdicts, size_t count, const char *path)
{
    char beside[4096];
    if (snprintf(beside, sizeof beside, "%s.partial", path) >= (int)sizeof beside) {
        errno = ENAMETOOLONG;
        return false;
    }
    FILE *out = fopen(beside, "w");
    if (out == NULL) {
        return false;
    }
    bool good = document_write(out, verdicts, count) && fsync(fileno(out)) == 0;
    good = fclose(out) == 0 && good;
    good = good && rename(beside, path) == 0;
    if (!good) {
        int kept = errno;
        unlink(beside);
        errno = kept;
    }
    return good;
}

bool cupel_verdict_write_junit(const cupel_verdict *verdict, const char *path)
{
    return cupel_verdicts_write_junit(&verdict, 1, path);
}

void cupel_verdict_print(const cupel_verdict *verdict, FILE *out)
{
    enum { REASONS_SHOWN = 10 }; // of one code
    cupel_findings_print(&verdict->findings, REASONS_SHOWN, out);
    fprintf(out, "%s: %s", verdict->profile, cupel_status_word(verdict->status));
    if (verdict->status == CUPEL_PASS || verdict->status == CUPEL_FAILED) {
        fprintf(out, " %llu/%llu", (unsigned long long)verdict->counts.passed, (unsigned long long)verdict->counts.expected);
    }
    fprintf(out, "\n");
}
