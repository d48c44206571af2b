// SPDX-License-Identifier: Apache-2.0
// Looks at the device of a backend that was built: identity, arithmetic, and an answer that only a kernel could have computed.
#include "gate.h"

#include "device_select.h"
#include "ledger_writer.h"
#include "management.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const char cupel_expected_backend[];

enum { NONCE_WORDS = 16 };

static void fail(cupel_gate_finding *finding, const char *what)
{
    const char *cause = nc_last_cause();
    finding->reason = cause[0] != '\0' ? cause : "device-open-failed";
    snprintf(finding->detail, sizeof finding->detail, "%s: %s", what, nc_last_error());
}

// Words 0 to 15 of the stream that the nonce names: its first half is the seed, its second half the stream.
static nc_status draw_words(nc_device *device, const char *nonce, uint32_t words[NONCE_WORDS])
{
    char half[17] = {0};
    const int64_t count = NONCE_WORDS;
    const uint32_t unset = 0;
    nc_array *out = NULL;
    memcpy(half, nonce, 16);
    uint64_t seed = strtoull(half, NULL, 16);
    memcpy(half, nonce + 16, 16);
    uint64_t stream = strtoull(half, NULL, 16);
    nc_status status = nc_array_create(device, NC_U32, 1, &count, &out);
    if (status == NC_OK) {
        status = nc_array_fill(out, &unset, sizeof unset);
    }
    if (status == NC_OK) {
        status = nc_rng_words(seed, stream, 0, out);
    }
    if (status == NC_OK) {
        status = nc_device_sync(device);
    }
    if (status == NC_OK) {
        status = nc_array_download(out, words, NONCE_WORDS * sizeof *words);
    }
    nc_array_release(out);
    return status;
}

static json_t *probes_json(const nc_device_probes *probes)
{
    return json_pack("{s:b, s:b, s:b, s:b, s:b, s:b, s:b}", "fp64", probes->fp64, "fma_exact", probes->fma_exact, "subnormals_kept",
                     probes->subnormals_kept, "contraction_off", probes->contraction_off, "division_rounded",
                     probes->division_rounded, "sqrt_rounded", probes->sqrt_rounded, "mulhi_u64", probes->mulhi_u64);
}

static void use_device(nc_device *device, const char *nonce, cupel_gate_finding *finding)
{
    uint32_t words[NONCE_WORDS];
    nc_device_probes probes;
    NC_STRUCT_INIT(&probes);
    if (nc_device_probe(device, &probes) != NC_OK) {
        fail(finding, "the probes cannot run");
        return;
    }
    finding->probes = probes_json(&probes);
    if (draw_words(device, nonce, words) != NC_OK) {
        fail(finding, "the nonce kernel cannot run");
        return;
    }
    for (size_t i = 0; i < NONCE_WORDS; ++i) {
        snprintf(finding->nonce_answer + 8 * i, 9, "%08" PRIx32, words[i]);
    }
}

void cupel_gate_inspect(const cupel_gate_options *options, const char *nonce, cupel_gate_finding *finding)
{
    cupel_selected_device selected;
    finding->backend = nc_backend();
    if (strcmp(nc_backend(), cupel_expected_backend) != 0) {
        finding->reason = "backend-mismatch";
        snprintf(finding->detail, sizeof finding->detail,
                 "the device test is for backend %s but the library it is linked with is %s", cupel_expected_backend, nc_backend());
        return;
    }
    bool opened = cupel_device_select(getenv("CUPEL_DEVICE"), options->device_type, &selected);
    finding->count = selected.count;
    if (!opened) {
        finding->reason = selected.reason;
        snprintf(finding->detail, sizeof finding->detail, "%s", selected.detail);
        return;
    }
    finding->device = cupel_device_json(&selected.info);
    finding->management = cupel_management_json(&selected.info);
    use_device(selected.device, nonce, finding);
    if (nc_device_close(selected.device) != NC_OK && finding->reason[0] == '\0') {
        fail(finding, "the device does not close");
    }
}
