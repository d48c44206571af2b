// SPDX-License-Identifier: Apache-2.0
#include "receipt_command.h"

#include "attempt_receipt.h"
#include "tool.h"

#include <stdio.h>
#include <stdlib.h>

static double mebibytes(const json_t *suite, const char *member)
{
    return (double)json_integer_value(json_object_get(suite, member)) / (1024.0 * 1024.0);
}

// How much of its bound a case's worst error takes, in percent; 0 for a bound of 0, which is held exactly or not at all.
static double percent_of_bound(const json_t *item)
{
    const double bound = strtod(cupel_receipt_text(item, "bound", NULL), NULL);
    return bound > 0.0 ? 100.0 * strtod(cupel_receipt_text(item, "worst_error", NULL), NULL) / bound : 0.0;
}

// One line for each suite: cases, values compared, how near the worst case came to its bound, and memory.
static void suites_print(const json_t *suites)
{
    const json_t *suite = NULL;
    size_t s = 0;
    printf("%-32s %6s %12s %14s %12s %10s %12s %12s\n", "suite", "cases", "values", "differing bits", "most of bound", "host MiB",
           "device MiB", "reserved MiB");
    json_array_foreach(suites, s, suite)
    {
        const json_t *item = NULL;
        size_t c = 0;
        long long values = 0;
        long long bits = 0;
        double most = 0.0;
        json_array_foreach(json_object_get(suite, "cases"), c, item)
        {
            values += (long long)json_integer_value(json_object_get(item, "values"));
            bits += (long long)json_integer_value(json_object_get(item, "differing_bits"));
            most = percent_of_bound(item) > most ? percent_of_bound(item) : most;
        }
        char reserved[32] = "-"; // not told before version 3 of the ledger
        if (json_object_get(suite, "device_bytes_reserved_peak") != NULL) {
            snprintf(reserved, sizeof reserved, "%.1f", mebibytes(suite, "device_bytes_reserved_peak"));
        }
        printf("%-32s %6zu %12lld %14lld %12.0f%% %10.1f %12.1f %12s\n", cupel_receipt_text(suite, "test", NULL),
               json_array_size(json_object_get(suite, "cases")), values, bits, most, mebibytes(suite, "host_peak_rss_bytes"),
               mebibytes(suite, "device_bytes_peak"), reserved);
    }
}

static void steps_print(const json_t *steps)
{
    const json_t *step = NULL;
    size_t at = 0;
    json_array_foreach(steps, at, step)
    {
        printf("step      %-20s %-12s %s s\n", cupel_receipt_text(step, "label", NULL), cupel_receipt_text(step, "status", NULL),
               cupel_receipt_text(step, "seconds", NULL));
    }
}

// Attempts of the same profile that were there before: failed or superseded, kept and known by their receipts.
static void earlier_print(const json_t *earlier)
{
    const json_t *item = NULL;
    size_t at = 0;
    json_array_foreach(earlier, at, item)
    {
        const char *hash = cupel_receipt_text(item, "receipt_sha256", NULL);
        printf("earlier   %s, %s%s\n", cupel_receipt_text(item, "attempt", NULL), hash[0] != '\0' ? "receipt " : "no receipt",
               hash);
    }
}

static void receipt_print(const json_t *own, cupel_status status)
{
    const json_t *attempt = json_object_get(own, "attempt");
    const json_t *source = json_object_get(own, "source");
    const json_t *device = json_object_get(json_object_get(own, "verdict"), "device");
    printf("attempt   %s, %s to %s, cupel %s\n", cupel_receipt_text(attempt, "attempt", NULL),
           cupel_receipt_text(attempt, "started", NULL), cupel_receipt_text(own, "finished", NULL),
           cupel_receipt_text(attempt, "tool", NULL));
    printf("source    commit %s, %s\n", cupel_receipt_text(source, "commit", NULL),
           json_is_true(json_object_get(source, "clean")) ? "clean" : "not clean");
    printf("device    %s, %s, capability %s, driver %s, runtime %s\n", cupel_receipt_text(device, "name", NULL),
           cupel_receipt_text(device, "type", NULL), cupel_receipt_text(device, "capability", NULL),
           cupel_receipt_text(device, "driver", NULL), cupel_receipt_text(device, "runtime", NULL));
    printf("toolchain ");
    cupel_receipt_print_toolchain(own);
    printf("\n");
    printf("build     %s\n", cupel_receipt_build(own));
    earlier_print(json_object_get(attempt, "earlier"));
    steps_print(json_object_get(own, "steps"));
    if (status != CUPEL_REFUSED) {
        suites_print(json_object_get(json_object_get(own, "verdict"), "suites"));
    }
    printf("%s: %s%s\n", cupel_receipt_text(attempt, "profile", NULL), cupel_receipt_text(own, "word", NULL),
           json_is_true(json_object_get(own, "approvable")) ? "" : " (cannot be approved)");
}

int cupel_receipt_show(const cupel_receipt_options *chosen, int count, char **directories)
{
    (void)count;
    cupel_findings findings = {0};
    json_t *receipt = evidence_attempt_check(directories[0], &findings);
    const cupel_status status = cupel_findings_status(&findings);
    const bool shown = receipt != NULL && cupel_receipt_is_own(receipt, &findings);
    if (chosen->as_json && shown) {
        cupel_print_json(receipt);
    } else if (chosen->as_json) {
        cupel_report(&findings, status, true, "attempt", json_string(directories[0]));
    } else {
        if (shown) {
            receipt_print(cupel_receipt_own(receipt), status);
        }
        cupel_findings_print(&findings, 20, stdout);
    }
    json_decref(receipt);
    cupel_findings_free(&findings);
    return (int)status;
}
