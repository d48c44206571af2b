// SPDX-License-Identifier: Apache-2.0
// The two records that the device gate writes (docs/formats.md): run.json and device.json.
#ifndef CUPEL_RECORDS_H
#define CUPEL_RECORDS_H

#include "reasons.h"

#include <jansson.h>
#include <stdint.h>

enum { CUPEL_NONCE_DIGITS = 32, CUPEL_NONCE_WORDS = 16 };

// The nonce is 32 lower-case hexadecimal digits. The first 16 are the seed and the last 16 the stream of the nonce kernel,
// most significant digit first. Both must be valid. False when the text is not a nonce.
bool cupel_nonce_split(const char *nonce, uint64_t *seed, uint64_t *stream);

// Philox4x32-10 words 0..CUPEL_NONCE_WORDS-1 of (seed, stream), computed here from the published round function and not by the
// core: what a device that ran the kernel must answer.
void cupel_nonce_words(uint64_t seed, uint64_t stream, uint32_t words[CUPEL_NONCE_WORDS]);

// The answer as the device record has it: eight lower-case hexadecimal digits a word, word 0 first. False when `nonce` is none.
bool cupel_nonce_answer(const char *nonce, char answer[8 * CUPEL_NONCE_WORDS + 1]);

typedef struct cupel_run_record {
    json_t *document; // owner of the strings
    const char *schema;
    const char *run;
    const char *nonce;
    const char *profile;
    const char *started;
    int64_t started_seconds; // since 1970
    uint64_t ctest_pid;
    uint64_t ctest_start;
    json_t *command; // array of texts: the command line of that ctest
    uint64_t bytes;  // of the file
    char sha256[65];
} cupel_run_record;

// One device, as device.json and every ledger have it. Strings belong to the document it was read from.
typedef struct cupel_device_identity {
    uint64_t index;
    const char *type; // "cpu", "gpu" or "other"
    const char *name;
    const char *uuid;
    const char *vendor;
    const char *platform;
    const char *driver;
    const char *runtime;
    const char *capability;
    uint64_t memory_bytes;
    uint64_t compute_units;
} cupel_device_identity;

// What the gate found out about arithmetic. Names, members of "probes" and the reason for a false one stand in probes.def.
typedef struct cupel_probes {
#define CUPEL_PROBE(name, reason) bool name;
#include "probes.def"
#undef CUPEL_PROBE
} cupel_probes;

typedef struct cupel_device_record {
    json_t *document; // owner of the strings and objects
    const char *schema;
    const char *run;
    const char *nonce;
    const char *profile;
    const char *backend;
    const char *status;    // "ok" or "not-run"
    const char *reason;    // a NOT RUN or REFUSED code when not ok, else ""
    const char *detail;    // what was found, in words, when not ok, else ""
    uint64_t count;        // devices of any type that the backend sees
    json_t *device_object; // null when unknown, never when ok
    json_t *probes_object; // null when unknown, never when ok
    json_t *management;    // null when nothing manages the device
    json_t *environment;   // variables that were set or looked at, null when unset
    const char *nonce_answer;
    bool ok;
    cupel_reason not_run; // the reason when not ok
    cupel_device_identity device;
    cupel_probes probes;
    int64_t uncorrected_errors; // -1: unknown
    uint64_t bytes;             // of the file
    char sha256[65];
} cupel_device_record;

// Each reads one file and adds every fault to `findings`; false when there was one, and then the record is {0}.
bool cupel_run_record_read(const char *path, cupel_run_record *record, cupel_findings *findings);
void cupel_run_record_free(cupel_run_record *record);
bool cupel_device_record_read(const char *path, cupel_device_record *record, cupel_findings *findings);
void cupel_device_record_free(cupel_device_record *record);

// Reads a "device" object. False with a short text in `error` when it is not in the documented form.
bool cupel_device_identity_read(const json_t *object, cupel_device_identity *device, char error[128]);
// Null when equal in every member, else the name of the first member that differs.
const char *cupel_device_identity_difference(const cupel_device_identity *a, const cupel_device_identity *b);

// The value of a probe by name. False when there is no such probe.
bool cupel_probe_get(const cupel_probes *probes, const char *name, bool *value);

#endif
