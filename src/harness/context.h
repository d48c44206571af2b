// SPDX-License-Identifier: Apache-2.0
// What the harness knows of the running case. Internal to src/harness.
#ifndef CUPEL_CONTEXT_H
#define CUPEL_CONTEXT_H

#include "compare.h"
#include "cupel.h"

#include <setjmp.h>
#include <stdarg.h>
#include <sys/types.h>

#define CUPEL_MESSAGE_SIZE 600
#define CUPEL_ID_MAX 100

#define CUPEL_CLAIMS_MAX 8
#define CUPEL_CLAIM_MAX 40

typedef struct cupel_claim_entry {
    char field[CUPEL_CLAIM_MAX + 1], outcome[CUPEL_CLAIM_MAX + 1];
} cupel_claim_entry;

// What one case leaves in the ledger.
typedef struct cupel_record {
    uint64_t values;
    uint64_t bytes_compared; // of elements and answers; what holds or does not hold has none
    uint64_t failures;
    uint64_t differing_bits;
    bool has_worst; // something was compared in a unit
    cupel_unit worst_unit;
    double worst_error;
    double worst_bound;
    double worst_ratio;
    char worst_at[128];
    char message[CUPEL_MESSAGE_SIZE]; // the first failure; printable ASCII
    uint64_t kernels, bytes_uploaded, bytes_downloaded, programs;
    double seconds;
    cupel_claim_entry claims[CUPEL_CLAIMS_MAX];
    size_t claim_count;
} cupel_record;

typedef struct cupel_block cupel_block;   // host memory of the case
typedef struct cupel_buffer cupel_buffer; // device memory of the case

struct cupel_context {
    nc_device *device;
    nc_device_info device_info;
    pid_t pid;     // a forked child must not report
    int forked[2]; // a pipe: a forked child that goes on in a case leaves a byte in it for its parent
    bool forked_open;
    const cupel_case *current;
    bool running;
    jmp_buf stop;
    cupel_record record;
    cupel_block *blocks;
    cupel_buffer *buffers;
    nc_device_counters at_start; // of the case
    nc_device_counters own;      // what the harness itself used since then
    uint64_t started_ns;
    char contaminated_by[CUPEL_ID_MAX + 1]; // the case after which the device or the process can no longer be believed
};

void cupel_context_begin(cupel_context *context, const cupel_case *current);
// Verifies buffers and device, releases what the case made, completes the record. True when the case passed.
bool cupel_context_finish(cupel_context *context);

void cupel_record_failure(cupel_context *context, const char *format, ...) __attribute__((format(printf, 2, 3)));
void cupel_record_comparison(cupel_context *context, cupel_place place, nc_dtype dtype, const cupel_comparison_request *request,
                             const cupel_comparison *result);
// Leaves the case. Never returns.
void cupel_leave(cupel_context *context) __attribute__((noreturn));
// A forked child of a case ends here: it must not write into its parent's ledger.
void cupel_end_if_forked(const cupel_context *context);

// The harness's own use of the device between these two does not count as the case's.
void cupel_own_work_begin(cupel_context *context, nc_device_counters *mark);
void cupel_own_work_end(cupel_context *context, const nc_device_counters *mark);

void cupel_blocks_free(cupel_context *context);
void cupel_buffers_verify(cupel_context *context);
void cupel_buffers_release(cupel_context *context);
// Null unless `array` is a handle that cupel_input, cupel_output or cupel_update returned in this case.
cupel_buffer *cupel_buffer_find(cupel_context *context, const nc_array *array);
void cupel_buffer_expect_untouched(cupel_buffer *buffer);
// True when `values` points into a host copy that was downloaded from this very array, or into its storage.
bool cupel_is_own_content(cupel_context *context, const nc_array *array, const void *values, size_t bytes);

#endif
