// SPDX-License-Identifier: Apache-2.0
// What a backend implements: backends/<name>/ defines every be_ function below, once per library.
// The host side of the core (src/core/host) validates arguments and calls these; it is the same code for every backend, and the
// only place that computes floating-point scalars. A be_ function checks its runtime's status at every call and reports with
// be_fail (native error name included); it never substitutes another device or the host.
#ifndef NC_BACKEND_H
#define NC_BACKEND_H

#include "dialect/dialect.h"
#include "nc_array.h"
#include "nc_base.h"
#include "nc_device.h"

typedef struct be_device be_device;
typedef struct be_buffer be_buffer;

// Kernel numbers: one for each line of the module lists (kernels/<module>.def), typed kernels once for each precision.
typedef enum be_kernel {
#define NC_KERNEL_TYPED(module, name) BE_KERNEL_##name##_f32, BE_KERNEL_##name##_f64,
#define NC_KERNEL_PLAIN(module, name) BE_KERNEL_##name,
#include "kernels/kernels.def"
    BE_KERNEL_COUNT
} be_kernel;

// The f32 or f64 number of a typed kernel: BE_KERNEL_TYPED(axpy, dtype).
#define BE_KERNEL_TYPED(name, dtype) ((dtype) == NC_F32 ? BE_KERNEL_##name##_f32 : BE_KERNEL_##name##_f64)

// One kernel argument. A buffer is passed whole: offsets travel in an nc_layout. A value is copied before be_launch returns.
typedef struct be_arg {
    be_buffer *buffer; // not null: a buffer
    const void *value; // else: the value's address
    size_t size;       // bytes of the value
} be_arg;
// Neither: the last argument of a kernel over tiles, `size` bytes of near memory for each tile instead of a buffer.
#define BE_NEAR(bytes) ((be_arg){.buffer = NULL, .value = NULL, .size = (bytes)})
#define BE_BUFFER(b) ((be_arg){.buffer = (b), .value = NULL, .size = 0})
#define BE_VALUE(v) ((be_arg){.buffer = NULL, .value = &(v), .size = sizeof(v)})

#define BE_NAME_IS_IN_BACKEND const char *be_name(void)
BE_NAME_IS_IN_BACKEND; // "cpu", "cuda", "opencl"

nc_status be_device_count(int32_t *count);
nc_status be_device_describe(int32_t index, nc_device_info *info);
nc_status be_device_open(int32_t index, be_device **device);
void be_device_close(be_device *device);
// Waits and returns the first asynchronous error since the last call.
nc_status be_device_sync(be_device *device);
void be_device_counters(const be_device *device, nc_device_counters *counters);

nc_status be_buffer_alloc(be_device *device, size_t bytes, be_buffer **buffer); // bytes > 0
void be_buffer_free(be_device *device, be_buffer *buffer);
nc_status be_buffer_upload(be_device *device, be_buffer *buffer, size_t offset, const void *host, size_t bytes);
nc_status be_buffer_download(be_device *device, be_buffer *buffer, size_t offset, void *host, size_t bytes);
nc_status be_buffer_copy(be_device *device, be_buffer *from, size_t from_offset, be_buffer *to, size_t to_offset, size_t bytes);
nc_status be_buffer_residency(be_device *device, const be_buffer *buffer, nc_residency *residency);

// Makes a kernel ready: what a first launch would load or compile is loaded or compiled now. Nothing runs.
nc_status be_prepare(be_device *device, be_kernel kernel);
// Runs a single-source kernel over `items` items (> 0), in stream order after everything before.
nc_status be_launch(be_device *device, be_kernel kernel, uint64_t items, const be_arg *args, int32_t count);

// Near memory: memory on the chip (shared, local) in which a group keeps its tiles' working memory. The most that a launch of the
// kernel may take for one tile; 0 where there is none.
uint64_t be_near_bytes(const be_device *device, be_kernel kernel);
// For measurements and tests: from now on at most `bytes`, as far as the hardware has them. 0 turns near memory off. An opened GPU
// begins with what is faster than a buffer, another device with 0. No effect on any answer.
void be_near_limit(be_device *device, uint64_t bytes);

// Operations whose kernels each backend writes for its own hardware; the bytes are fixed by docs/sums.md.
typedef enum be_reduction { BE_SUM, BE_DOT, BE_MINIMUM, BE_MAXIMUM } be_reduction;
// Reduces `count` elements (> 0) of x (and y for BE_DOT; else null) read through their layouts into out[out_layout.offset].
nc_status be_reduce(be_device *device, be_reduction reduction, nc_dtype dtype, uint64_t count, be_buffer *x,
                    const nc_layout *x_layout, be_buffer *y, const nc_layout *y_layout, be_buffer *out,
                    const nc_layout *out_layout);
// out[b] = maximum of block b, ceil(count/block) blocks.
nc_status be_block_maximum(be_device *device, nc_dtype dtype, uint64_t count, uint64_t block, be_buffer *x,
                           const nc_layout *x_layout, be_buffer *out, const nc_layout *out_layout);
// C = alpha A B + beta C, m, n > 0, k >= 0. Matrices are addressed offset + i*stride[0] + j*stride[1]. alpha and beta point to
// one value of the dtype.
typedef struct be_matrix {
    be_buffer *buffer;
    int64_t offset, row_stride, column_stride;
} be_matrix;
nc_status be_gemm(be_device *device, nc_dtype dtype, int64_t m, int64_t n, int64_t k, const void *alpha, be_matrix a, be_matrix b,
                  const void *beta, be_matrix c);

// Gram chunks of kernels/gram.h (gram_partials_f32, _f64): the same bytes from a kernel of the backend's own, or from
// nc_gram_partials_launch, which runs the single-source one.
struct nc_row_slab; // kernels/gram_args.h
nc_status be_gram_partials(be_device *device, nc_dtype dtype, be_buffer *x, const struct nc_row_slab *slab, be_buffer *weights,
                           be_buffer *partials);
nc_status nc_gram_partials_launch(be_device *device, nc_dtype dtype, be_buffer *x, const struct nc_row_slab *slab,
                                  be_buffer *weights, be_buffer *partials);

// Folds the first `count` (at most NC_ROW_LANES) lanes of `entries` float64 values each by the tree of row_order.h into
// out[place*entries ...]. `lanes` is work space: its contents are lost.
nc_status be_row_fold(be_device *device, be_buffer *lanes, int64_t entries, int64_t count, be_buffer *out, int64_t place);
// out[s] = the canonical float64 sum of x[s*count] ... x[s*count + count - 1], count > 0, for each of the `sums` sums (> 0).
nc_status be_sums(be_device *device, int64_t count, int64_t sums, be_buffer *x, be_buffer *out);

// How many candidate steps of a line search fill this device: 1 where work is serial, up to NC_HUBER_CANDIDATES_MAX. No effect on
// any answer.
int64_t be_candidates(const be_device *device);

// Sets nc_last_error and returns `status`. printf rules.
nc_status be_fail(nc_status status, const char *format, ...) __attribute__((format(printf, 2, 3)));
// The same, and nc_last_cause becomes `cause` (static storage): why a device cannot be used, as a reason code that tools know
// ("driver-missing", "opencl-no-platform", "capability-fp64").
nc_status be_fail_cause(nc_status status, const char *cause, const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
