// SPDX-License-Identifier: Apache-2.0
#include "receipt_command.h"

#include "attempt_files.h"
#include "attempt_receipt.h"
#include "tool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Where two receipts can differ, in the order in which a reader asks: is it another device, another driver, another build, other
// code, or, by the functions below, do executables or numbers differ?
typedef struct aspect {
    const char *name;
    const char *path[4]; // member names from Cupel's own members, ended by null
} aspect;

static const aspect ASPECTS[] = {
    {"device", {"verdict", "device", "name", NULL}},        {"device", {"verdict", "device", "uuid", NULL}},
    {"device", {"verdict", "device", "capability", NULL}},  {"device", {"verdict", "device", "memory_bytes", NULL}},
    {"driver", {"verdict", "device", "driver", NULL}},      {"driver", {"verdict", "device", "runtime", NULL}},
    {"driver", {"machine", "machine", "system", NULL}},     {"build", {"build", "fresh", NULL, NULL}},
    {"build", {"provenance", "compiler", NULL, NULL}},      {"build", {"provenance", "toolkit", NULL, NULL}},
    {"build", {"provenance", "configuration", NULL, NULL}}, {"code", {"source", "commit", NULL, NULL}},
    {"code", {"source", "qualifying_sha256", NULL, NULL}},  {"code", {"provenance", "inputs", NULL, NULL}},
    {"numbers", {"verdict", "counts", NULL, NULL}},
};

static const json_t *member(const json_t *own, const char *const *path)
{
    for (size_t i = 0; i < 4 && path[i] != NULL; ++i) {
        own = json_object_get(own, path[i]);
    }
    return own;
}

// True for a placeholder of a copy for publication: the same one stands for another value in another copy.
static bool is_placeholder(const json_t *value)
{
    return json_is_string(value) && strncmp(json_string_value(value), "[uuid-", 6) == 0;
}

static void difference_add(json_t *differences, const char *aspect_name, const char *what, const json_t *a, const json_t *b)
{
    json_array_append_new(differences, json_pack("{s:s, s:s, s:O?, s:O?}", "aspect", aspect_name, "what", what, "a", a, "b", b));
}

// Cases by test and id. Seconds differ always and are left out.
static json_t *cases_of(const json_t *own)
{
    static const char *const members[] = {"values", "worst_error", "bound", "differing_bits", "passed"};
    json_t *cases = json_object();
    const json_t *suite = NULL;
    size_t s = 0;
    json_array_foreach(json_object_get(json_object_get(own, "verdict"), "suites"), s, suite)
    {
        const json_t *item = NULL;
        size_t c = 0;
        json_array_foreach(json_object_get(suite, "cases"), c, item)
        {
            char name[512];
            const char *id = cupel_receipt_text(item, "case", NULL);
            // Profiles differ in the test's name; suite and linkage are what corresponds.
            snprintf(name, sizeof name, "%s/%s/%s", cupel_receipt_text(suite, "suite", NULL),
                     cupel_receipt_text(suite, "linkage", NULL), id);
            json_t *numbers = json_object();
            for (size_t m = 0; m < sizeof members / sizeof members[0]; ++m) {
                json_object_set(numbers, members[m], json_object_get(item, members[m]));
            }
            json_object_set_new(cases, name, numbers);
        }
    }
    return cases;
}

static void numbers_compare(const json_t *a, const json_t *b, json_t *differences)
{
    json_t *cases_a = cases_of(a);
    json_t *cases_b = cases_of(b);
    const char *name = NULL;
    json_t *value = NULL;
    json_object_foreach(cases_a, name, value)
    {
        const json_t *other = json_object_get(cases_b, name);
        if (!json_equal(value, other)) {
            difference_add(differences, "numbers", name, value, other);
        }
    }
    json_object_foreach(cases_b, name, value)
    {
        if (json_object_get(cases_a, name) == NULL) {
            difference_add(differences, "numbers", name, NULL, value);
        }
    }
    json_decref(cases_a);
    json_decref(cases_b);
}

// Executables by name, with the hash of each.
static json_t *executables_of(const json_t *own)
{
    json_t *executables = json_object();
    const json_t *item = NULL;
    size_t at = 0;
    json_array_foreach(json_object_get(json_object_get(own, "provenance"), "executables"), at, item)
    {
        json_object_set(executables, cupel_receipt_text(item, "name", NULL), json_object_get(item, "sha256"));
    }
    return executables;
}

// One difference that holds every executable of another hash: builds in two folders often differ in all of them.
static void executables_compare(const json_t *a, const json_t *b, json_t *differences)
{
    json_t *in_a = executables_of(a);
    json_t *in_b = executables_of(b);
    const char *name = NULL;
    json_t *hash = NULL;
    void *next = NULL;
    json_object_foreach_safe(in_a, next, name, hash)
    {
        if (json_equal(hash, json_object_get(in_b, name))) {
            json_object_del(in_b, name);
            json_object_del(in_a, name);
        }
    }
    if (json_object_size(in_a) + json_object_size(in_b) > 0) {
        difference_add(differences, "executables", "provenance.executables", in_a, in_b);
    }
    json_decref(in_a);
    json_decref(in_b);
}

static json_t *differences_make(const json_t *a, const json_t *b)
{
    json_t *differences = json_array();
    for (size_t i = 0; i < sizeof ASPECTS / sizeof ASPECTS[0]; ++i) {
        const json_t *of_a = member(a, ASPECTS[i].path);
        const json_t *of_b = member(b, ASPECTS[i].path);
        if (is_placeholder(of_a) || is_placeholder(of_b)) {
            continue; // identity_print says so
        }
        if (!(of_a == NULL && of_b == NULL) && !json_equal(of_a, of_b)) {
            char what[128];
            const char *const *path = ASPECTS[i].path;
            snprintf(what, sizeof what, "%s.%s%s%s", path[0], path[1], path[2] != NULL ? "." : "", path[2] != NULL ? path[2] : "");
            difference_add(differences, ASPECTS[i].name, what, of_a, of_b);
        }
    }
    executables_compare(a, b, differences);
    numbers_compare(a, b, differences);
    return differences;
}

// Whether it is the same piece of hardware cannot be seen in a copy without UUIDs.
static void identity_print(const json_t *a, const json_t *b)
{
    static const char *const uuid[] = {"verdict", "device", "uuid", NULL};
    if (is_placeholder(member(a, uuid)) || is_placeholder(member(b, uuid))) {
        printf("verdict.device.uuid is not compared: a copy for publication has a placeholder for it\n");
    }
}

static void differences_print(const json_t *differences)
{
    const json_t *item = NULL;
    size_t at = 0;
    json_array_foreach(differences, at, item)
    {
        char *a = json_dumps(json_object_get(item, "a"), JSON_COMPACT | JSON_ENCODE_ANY);
        char *b = json_dumps(json_object_get(item, "b"), JSON_COMPACT | JSON_ENCODE_ANY);
        printf("%-11s %s\n  a  %.400s\n  b  %.400s\n", cupel_receipt_text(item, "aspect", NULL),
               cupel_receipt_text(item, "what", NULL), a != NULL ? a : "(none)", b != NULL ? b : "(none)");
        free(a);
        free(b);
    }
    printf("%zu differences\n", json_array_size(differences));
}

int cupel_receipt_diff(const cupel_receipt_options *chosen, int count, char **directories)
{
    json_t *receipts[2] = {NULL, NULL};
    cupel_findings findings = {0};
    for (int i = 0; i < count && i < 2; ++i) {
        cupel_findings one = {0};
        receipts[i] = evidence_attempt_check(directories[i], &one);
        // A receipt that says FAIL can be compared; one that is not what it claims cannot.
        if (cupel_findings_status(&one) == CUPEL_REFUSED || receipts[i] == NULL) {
            cupel_findings_move(&findings, &one);
        }
        cupel_findings_free(&one);
    }
    int status = (int)cupel_findings_status(&findings);
    cupel_findings_print(&findings, 20, stderr);
    if (status != CUPEL_PASS && chosen->as_json) {
        cupel_report(&findings, (cupel_status)status, true, NULL, NULL);
    }
    if (status == CUPEL_PASS) {
        json_t *differences = differences_make(cupel_receipt_own(receipts[0]), cupel_receipt_own(receipts[1]));
        status = json_array_size(differences) > 0 ? CUPEL_FAILED : CUPEL_PASS;
        if (chosen->as_json) {
            cupel_print_json(differences);
        } else {
            identity_print(cupel_receipt_own(receipts[0]), cupel_receipt_own(receipts[1]));
            differences_print(differences);
        }
        json_decref(differences);
    }
    cupel_findings_free(&findings);
    json_decref(receipts[0]);
    json_decref(receipts[1]);
    return status;
}
