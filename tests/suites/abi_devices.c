// SPDX-License-Identifier: Apache-2.0
// The library's identity, versions of public structs, device selection, handles that belong together, the caller's environment.
#include "abi.h"

#include <fenv.h>
#include <stdio.h>
#include <string.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

nc_device *abi_second_handle(cupel_context *context)
{
    nc_device_info info;
    char index[16];
    nc_device *second = NULL;
    NC_STRUCT_INIT(&info);
    cupel_require_ok(context, nc_device_info_get(cupel_device(context), &info));
    snprintf(index, sizeof index, "%d", (int)info.index);
    cupel_require_ok(context, nc_device_open(index, &second));
    return second;
}

static void names(cupel_context *context)
{
    static const struct {
        nc_dtype dtype;
        const char *name;
        size_t size;
    } dtypes[] = {{NC_F32, "f32", 4}, {NC_F64, "f64", 8}, {NC_I64, "i64", 8},
                  {NC_U32, "u32", 4}, {NC_U8, "u8", 1},   {NC_I32, "i32", 4}};
    static const struct {
        nc_status status;
        const char *name;
    } statuses[] = {{NC_OK, "NC_OK"},
                    {NC_INVALID_ARGUMENT, "NC_INVALID_ARGUMENT"},
                    {NC_NULL_ARGUMENT, "NC_NULL_ARGUMENT"},
                    {NC_SHAPE_MISMATCH, "NC_SHAPE_MISMATCH"},
                    {NC_MIXED_DTYPE, "NC_MIXED_DTYPE"},
                    {NC_WRONG_DEVICE, "NC_WRONG_DEVICE"},
                    {NC_OVERLAP, "NC_OVERLAP"},
                    {NC_OUT_OF_RANGE, "NC_OUT_OF_RANGE"},
                    {NC_EMPTY, "NC_EMPTY"},
                    {NC_ABI_MISMATCH, "NC_ABI_MISMATCH"},
                    {NC_OUT_OF_MEMORY, "NC_OUT_OF_MEMORY"},
                    {NC_DEVICE_NOT_FOUND, "NC_DEVICE_NOT_FOUND"},
                    {NC_DEVICE_ERROR, "NC_DEVICE_ERROR"},
                    {NC_UNSUPPORTED, "NC_UNSUPPORTED"},
                    {NC_NUMERICAL_ERROR, "NC_NUMERICAL_ERROR"}};
    for (size_t i = 0; i < sizeof statuses / sizeof *statuses; ++i) {
        cupel_expect_text(context, nc_status_name(statuses[i].status), statuses[i].name);
    }
    for (int status = 0; status < NC_STATUS_COUNT; ++status) { // later statuses have names of their own too
        cupel_expect_true(context, strncmp(nc_status_name((nc_status)status), "NC_", 3) == 0);
    }
    cupel_expect_text(context, nc_status_name(NC_STATUS_COUNT), "unknown");
    cupel_expect_text(context, nc_status_name((nc_status)-1), "unknown");
    for (size_t i = 0; i < sizeof dtypes / sizeof *dtypes; ++i) {
        cupel_expect_text(context, nc_dtype_name(dtypes[i].dtype), dtypes[i].name);
        cupel_expect_u64(context, nc_dtype_size(dtypes[i].dtype), dtypes[i].size);
    }
    cupel_expect_text(context, nc_dtype_name((nc_dtype)0), "unknown");
    cupel_expect_u64(context, nc_dtype_size((nc_dtype)0), 0);
    cupel_expect_u64(context, nc_dtype_size((nc_dtype)99), 0);
}

static void identity(cupel_context *context)
{
    const char *backend = nc_backend();
    unsigned int version[3];
    char rest;
    cupel_expect_true(context, strcmp(backend, "cpu") == 0 || strcmp(backend, "cuda") == 0 || strcmp(backend, "opencl") == 0);
    cupel_expect_u64(context, nc_abi_version(), NC_ABI_VERSION);
    cupel_expect_true(context, sscanf(nc_version(), "%u.%u.%u%c", &version[0], &version[1], &version[2], &rest) == 3);
}

// A struct of another version or size is refused before anything is written to it.
static void expect_version_refused(cupel_context *context, nc_status (*call)(cupel_context *, void *), void *structure, size_t size)
{
    uint32_t *header = structure;
    for (int fault = 0; fault < 4; ++fault) {
        nc_struct_init(structure, size);
        header[fault / 2] += fault % 2 == 0 ? 1u : 0xffffffffu;
        unsigned char *before = cupel_alloc(context, size);
        memcpy(before, structure, size);
        cupel_expect_status(context, call(context, structure), NC_ABI_MISMATCH);
        cupel_expect_same(context, NC_U8, (unsigned char *)structure, before, size);
    }
    nc_struct_init(structure, size);
    cupel_expect_status(context, call(context, structure), NC_OK);
    cupel_expect_status(context, call(context, NULL), NC_NULL_ARGUMENT);
}

static nc_status call_describe(cupel_context *context, void *structure)
{
    (void)context;
    return nc_device_describe(0, structure);
}

static nc_status call_info(cupel_context *context, void *structure)
{
    return nc_device_info_get(cupel_device(context), structure);
}

static nc_status call_counters(cupel_context *context, void *structure)
{
    return nc_device_counters_get(cupel_device(context), structure);
}

static nc_status call_probe(cupel_context *context, void *structure)
{
    return nc_device_probe(cupel_device(context), structure);
}

static nc_array *any_array(cupel_context *context)
{
    const double one = 1.0;
    return cupel_input_vector(context, NC_F64, 1, &one);
}

static nc_status call_array_info(cupel_context *context, void *structure)
{
    return nc_array_info_get(any_array(context), structure);
}

static nc_status call_residency(cupel_context *context, void *structure)
{
    return nc_array_residency(any_array(context), structure);
}

static void versions_of_structs(cupel_context *context)
{
    nc_device_info info;
    nc_device_counters counters;
    nc_device_probes probes;
    nc_array_info array;
    nc_residency residency;
    expect_version_refused(context, call_describe, &info, sizeof info);
    expect_version_refused(context, call_info, &info, sizeof info);
    expect_version_refused(context, call_counters, &counters, sizeof counters);
    expect_version_refused(context, call_probe, &probes, sizeof probes);
    expect_version_refused(context, call_array_info, &array, sizeof array);
    expect_version_refused(context, call_residency, &residency, sizeof residency);
}

static void expect_not_opened(cupel_context *context, const char *selector, nc_status expected)
{
    nc_device *device = (nc_device *)context; // any address that is no device
    cupel_expect_status(context, nc_device_open(selector, &device), expected);
    cupel_expect_true(context, device == (nc_device *)context);
    cupel_expect_true(context, nc_last_error()[0] != '\0');
}

static void selection(cupel_context *context)
{
    nc_device_info info;
    nc_device_info described;
    int32_t count = 0;
    nc_device *device = NULL;
    NC_STRUCT_INIT(&info);
    NC_STRUCT_INIT(&described);
    cupel_expect_status(context, nc_device_count(&count), NC_OK);
    cupel_expect_status(context, nc_device_info_get(cupel_device(context), &info), NC_OK);
    cupel_expect_true(context, info.index >= 0 && info.index < count && info.name[0] != '\0' && info.has_f64 == 1);
    cupel_expect_status(context, nc_device_describe(info.index, &described), NC_OK);
    cupel_expect_same(context, NC_U8, (const unsigned char *)&described, (const unsigned char *)&info, sizeof info);
    if (info.uuid[0] != '\0') {
        cupel_expect_status(context, nc_device_open(info.uuid, &device), NC_OK);
        cupel_expect_status(context, nc_device_close(device), NC_OK);
    }
    expect_not_opened(context, NULL, NC_NULL_ARGUMENT);
    expect_not_opened(context, "", NC_INVALID_ARGUMENT);
    expect_not_opened(context, "99999", NC_DEVICE_NOT_FOUND);
    expect_not_opened(context, "18446744073709551616", NC_DEVICE_NOT_FOUND);
    expect_not_opened(context, "-1", NC_DEVICE_NOT_FOUND);
    expect_not_opened(context, "default", NC_DEVICE_NOT_FOUND);
    cupel_expect_status(context, nc_device_open("0", NULL), NC_NULL_ARGUMENT);
    cupel_expect_status(context, nc_device_count(NULL), NC_NULL_ARGUMENT);
    cupel_expect_status(context, nc_device_describe(count, &described), NC_DEVICE_NOT_FOUND);
    cupel_expect_status(context, nc_device_describe(-1, &described), NC_DEVICE_NOT_FOUND);
    cupel_expect_status(context, nc_device_sync(NULL), NC_NULL_ARGUMENT);
    cupel_expect_status(context, nc_device_close(NULL), NC_OK);
}

static void closing_with_arrays(cupel_context *context)
{
    const int64_t shape[] = {3};
    nc_array *array = NULL;
    nc_device *second = abi_second_handle(context);
    cupel_expect_status(context, nc_array_create(second, NC_F64, 1, shape, &array), NC_OK);
    cupel_expect_status(context, nc_device_close(second), NC_INVALID_ARGUMENT);
    cupel_expect_status(context, nc_array_release(array), NC_OK);
    cupel_expect_status(context, nc_device_close(second), NC_OK);
}

// Counters belong to a handle; a kernel launched is counted, and nothing else counts as one.
static void counters(cupel_context *context)
{
    const double values[] = {1.0, 2.0, 3.0};
    const int64_t shape[] = {3};
    nc_device_counters before;
    nc_device_counters after;
    double back[3] = {0.0};
    nc_array *x = NULL;
    nc_array *out = NULL;
    nc_device *second = abi_second_handle(context);
    NC_STRUCT_INIT(&before);
    NC_STRUCT_INIT(&after);
    uint64_t own = cupel_kernels(context);
    cupel_require_ok(context, nc_array_create(second, NC_F64, 1, shape, &x));
    cupel_require_ok(context, nc_array_create(second, NC_F64, 1, shape, &out));
    cupel_require_ok(context, nc_device_counters_get(second, &before));
    cupel_require_ok(context, nc_array_upload(x, values, sizeof values));
    cupel_require_ok(context, nc_axpy(1.0, x, x, out));
    cupel_require_ok(context, nc_array_download(out, back, sizeof back));
    cupel_require_ok(context, nc_device_counters_get(second, &after));
    cupel_expect_u64(context, after.kernels_launched - before.kernels_launched, 1);
    cupel_expect_u64(context, after.bytes_uploaded - before.bytes_uploaded, sizeof values);
    cupel_expect_u64(context, after.bytes_downloaded - before.bytes_downloaded, sizeof back);
    cupel_expect_u64(context, after.uploads - before.uploads, 1);
    cupel_expect_u64(context, after.downloads - before.downloads, 1);
    cupel_expect_u64(context, before.arrays, 2);
    cupel_expect_u64(context, cupel_kernels(context), own);
    cupel_expect_u64(context, before.bytes_allocated, 2 * sizeof values);
    cupel_expect_true(context, before.bytes_reserved >= before.bytes_allocated);
    cupel_expect_true(context, after.bytes_reserved_peak >= after.bytes_allocated_peak);
    cupel_require_ok(context, nc_array_release(x));
    cupel_require_ok(context, nc_array_release(out));
    cupel_require_ok(context, nc_device_counters_get(second, &after));
    cupel_expect_u64(context, after.bytes_allocated, 0);
    cupel_expect_true(context, after.bytes_reserved_peak >= 2 * sizeof values);
    cupel_require_ok(context, nc_device_close(second));
}

static const void *run_axpy_and_sum(cupel_context *context)
{
    const float x[] = {0.1f, 1e-30f, 3.0f, 1e-40f};
    const float y[] = {1.0f, 1e-38f, 7.0f, 1e-41f};
    nc_array *out = cupel_output_vector(context, NC_F32, 4);
    nc_array *sum = cupel_output(context, NC_F32, 0, NULL);
    float *both = cupel_alloc(context, 5 * sizeof *both);
    cupel_require_ok(context,
                     nc_axpy(1e-8, cupel_input_vector(context, NC_F32, 4, x), cupel_input_vector(context, NC_F32, 4, y), out));
    cupel_require_ok(context, nc_sum(out, sum));
    memcpy(both, cupel_download(context, out), 4 * sizeof *both);
    memcpy(both + 4, cupel_download(context, sum), sizeof *both);
    return both;
}

// Another library may have changed the rounding mode or flushed subnormals: the answers are the same, and the caller's setting is
// as it was afterwards.
static void callers_environment(cupel_context *context)
{
    static const int modes[] = {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    const void *expected = run_axpy_and_sum(context);
    for (size_t i = 0; i < sizeof modes / sizeof *modes; ++i) {
        cupel_expect_true(context, fesetround(modes[i]) == 0);
        const void *found = run_axpy_and_sum(context);
        int mode_after = fegetround();
        fesetround(FE_TONEAREST);
        cupel_expect_true(context, mode_after == modes[i]);
        cupel_expect_same(context, NC_F32, (const float *)found, expected, 5);
    }
#if defined(__SSE2__)
    const unsigned int control = _mm_getcsr();
    _mm_setcsr(control | 0x8040u); // flush to zero, denormals are zero
    const void *found = run_axpy_and_sum(context);
    unsigned int control_after = _mm_getcsr();
    _mm_setcsr(control);
    cupel_expect_u64(context, control_after & 0x8040u, 0x8040u);
    cupel_expect_same(context, NC_F32, (const float *)found, expected, 5);
#endif
}

static const cupel_case cases[] = {
    CUPEL_CASE("abi.names", names),
    CUPEL_CASE("abi.identity", identity),
    CUPEL_CASE("abi.versions-of-structs", versions_of_structs),
    CUPEL_CASE("abi.device.selection", selection),
    CUPEL_CASE("abi.device.closing-with-arrays", closing_with_arrays),
    CUPEL_CASE("abi.device.counters", counters),
    CUPEL_CASE("abi.callers-environment", callers_environment),
};
const cupel_table abi_devices_table = CUPEL_TABLE(cases);
