// SPDX-License-Identifier: Apache-2.0
// Errors of the OpenCL backend on a device: build logs, injected options, refused launches, residency. Needs any OpenCL device;
// PoCL is one on every machine.
#include "unit.h"

#include "../../src/core/program_text.h"
#include "opencl.h"

#include <stdlib.h>
#include <string.h>

static be_device *device;
extern const nc_program_text nc_program_array_plain;

static int setup(void **state)
{
    (void)state;
    nc_status status = be_device_open(0, &device);
    if (status != NC_OK) {
        print_error("%s\n", nc_last_error());
    }
    return status != NC_OK;
}

static int teardown(void **state)
{
    (void)state;
    be_device_close(device);
    return 0;
}

static nc_status build(const char *text)
{
    cl_program program = NULL;
    nc_status status = opencl_program_build(device, device->build_options, "a test", text, strlen(text), &program);
    if (status == NC_OK) {
        assert_int_equal(device->api->clReleaseProgram(program), CL_SUCCESS);
    }
    return status;
}

static void a_program_that_does_not_build_shows_its_log(void **state)
{
    (void)state;
    // A semicolon is missing after get_global_id(0).
    assert_int_equal(build("__kernel void scale(__global double *y)\n{\n    size_t i = get_global_id(0)\n    y[i] *= 2.0;\n}\n"),
                     NC_DEVICE_ERROR);
    assert_string_equal(nc_last_cause(), "program-build-failed");
    assert_non_null(strstr(nc_last_error(), "a test"));
    assert_non_null(strstr(nc_last_error(), "CL_BUILD_PROGRAM_FAILURE (-11)"));
    assert_non_null(strstr(nc_last_error(), OPENCL_BUILD_OPTIONS));
    assert_non_null(strstr(nc_last_error(), "expected ';'"));
    assert_null(strstr(nc_last_error(), "[build log cut]"));
}

static void a_long_build_log_is_cut_and_says_so(void **state)
{
    char text[8192] = "";
    (void)state;
    for (int line = 0; line < 100; ++line) {
        size_t used = strlen(text);
        (void)snprintf(text + used, sizeof text - used, "no_such_type variable_%d_of_a_program;\n", line);
    }
    assert_int_equal(build(text), NC_DEVICE_ERROR);
    assert_non_null(strstr(nc_last_error(), "[build log cut]"));
}

static void a_right_program_builds(void **state)
{
    (void)state;
    assert_int_equal(build("__kernel void scale(__global float *y) { y[get_global_id(0)] *= 2.0f; }\n"), NC_OK);
}

// What a driver defines when -cl-fast-relaxed-math reaches it all the same is an error in every text of the core.
static void the_core_refuses_relaxed_arithmetic(void **state)
{
    static const char defined[] = "#define __FAST_RELAXED_MATH__ 1\n";
    const nc_program_text *program = &nc_program_array_plain;
    char *text = calloc(1, sizeof defined + program->size);
    (void)state;
    assert_non_null(text);
    memcpy(text, defined, sizeof defined - 1);
    memcpy(text + sizeof defined - 1, program->text, program->size);
    assert_int_equal(build(text), NC_DEVICE_ERROR);
    assert_non_null(strstr(nc_last_error(), "The core needs IEEE arithmetic"));
    assert_int_equal(build(text + sizeof defined - 1), NC_OK);
    free(text);
}

static void injected_options_are_refused(void **state)
{
    static const char *const variables[] = {"POCL_EXTRA_BUILD_FLAGS", "AMD_OCL_BUILD_OPTIONS_APPEND", "OPENCL_LAYERS"};
    (void)state;
    assert_null(opencl_injected_variable());
    for (size_t i = 0; i < sizeof variables / sizeof variables[0]; ++i) {
        be_device *other = NULL;
        assert_int_equal(setenv(variables[i], "-cl-fast-relaxed-math", 1), 0);
        assert_string_equal(opencl_injected_variable(), variables[i]);
        assert_int_equal(be_device_open(0, &other), NC_UNSUPPORTED);
        assert_null(other);
        assert_string_equal(nc_last_cause(), "environment-forbidden");
        assert_non_null(strstr(nc_last_error(), variables[i]));
        assert_int_equal(unsetenv(variables[i]), 0);
    }
    assert_int_equal(setenv("POCL_EXTRA_BUILD_FLAGS", "", 1), 0); // empty changes nothing
    assert_null(opencl_injected_variable());
    assert_int_equal(unsetenv("POCL_EXTRA_BUILD_FLAGS"), 0);
}

static void a_refused_launch_is_the_error_of_its_call(void **state)
{
    uint32_t element = 7;
    uint64_t count = 4;
    nc_layout layout = {.extent = {1, 1, 1, 1, 1, 1, 1, 4}, .stride = {[NC_MAX_RANK - 1] = 1}};
    be_buffer *buffer = NULL;
    (void)state;
    assert_int_equal(be_buffer_alloc(device, 64, &buffer), NC_OK);
    be_arg args[] = {BE_BUFFER(buffer), BE_VALUE(layout), BE_VALUE(element), BE_VALUE(count), BE_VALUE(count)};
    uint64_t launched = device->counters.kernels_launched;
    assert_int_equal(be_launch(device, BE_KERNEL_array_fill_u32, 4, args, 5), NC_DEVICE_ERROR); // one argument too many
    assert_non_null(strstr(nc_last_error(), "clSetKernelArg: CL_INVALID_ARG_INDEX (-49): kernel array_fill_u32, argument 4"));
    assert_int_equal(device->counters.kernels_launched, launched);
    assert_int_equal(be_launch(device, BE_KERNEL_array_fill_u32, 4, args, 4), NC_OK);
    assert_int_equal(device->counters.kernels_launched, launched + 1);
    assert_int_equal(be_device_sync(device), NC_OK);
    be_buffer_free(device, buffer);
}

static void a_late_error_reaches_the_next_call_that_waits(void **state)
{
    uint32_t value = 0;
    be_buffer *buffer = NULL;
    (void)state;
    assert_int_equal(be_buffer_alloc(device, 64, &buffer), NC_OK);
    device->late_error = CL_OUT_OF_RESOURCES; // as a negative event status leaves it
    device->late_kernel = "some_kernel";
    assert_int_equal(be_buffer_download(device, buffer, 0, &value, sizeof value), NC_DEVICE_ERROR);
    assert_non_null(strstr(nc_last_error(), "some_kernel failed after it was launched: CL_OUT_OF_RESOURCES (-5)"));
    assert_int_equal(be_device_sync(device), NC_DEVICE_ERROR);
    assert_int_equal(be_device_sync(device), NC_OK); // reported once, then cleared
    assert_int_equal(be_buffer_download(device, buffer, 0, &value, sizeof value), NC_OK);
    be_buffer_free(device, buffer);
}

// More launches than are watched at once: all are retired, none is lost.
static void many_launches_are_watched(void **state)
{
    uint32_t element = 7, value = 0;
    uint64_t count = 1;
    nc_layout layout = {.extent = {1, 1, 1, 1, 1, 1, 1, 1}, .stride = {[NC_MAX_RANK - 1] = 1}};
    be_buffer *buffer = NULL;
    (void)state;
    assert_int_equal(be_buffer_alloc(device, 64, &buffer), NC_OK);
    for (int i = 0; i < 3 * OPENCL_PENDING_MAX; ++i) {
        be_arg args[] = {BE_BUFFER(buffer), BE_VALUE(layout), BE_VALUE(element), BE_VALUE(count)};
        assert_int_equal(be_launch(device, BE_KERNEL_array_fill_u32, 1, args, 4), NC_OK);
        assert_in_range(device->pending_count, 1, OPENCL_PENDING_MAX);
    }
    assert_int_equal(be_buffer_download(device, buffer, 0, &value, sizeof value), NC_OK);
    assert_int_equal(value, 7);
    assert_int_equal(device->pending_count, 0);
    be_buffer_free(device, buffer);
}

static uint64_t bytes_reserved(void)
{
    nc_device_counters counters;
    be_device_counters(device, &counters);
    return counters.bytes_reserved;
}

// Released memory serves the next buffer of its size and no other; the pool is bounded and is given up when memory is short.
static void released_memory_is_taken_over(void **state)
{
    be_buffer *buffers[OPENCL_POOL_MAX + 8] = {NULL}, *other = NULL;
    (void)state;
    assert_int_equal(be_buffer_alloc(device, 64, &buffers[0]), NC_OK);
    cl_mem memory = buffers[0]->memory;
    be_buffer_free(device, buffers[0]);
    assert_int_equal(device->pool.count, 1);
    assert_int_equal(device->pool.held_bytes, 64);
    assert_int_equal(device->counters.bytes_allocated, 0);
    assert_int_equal(bytes_reserved(), 64);
    assert_int_equal(be_buffer_alloc(device, 60, &other), NC_OK);
    assert_ptr_not_equal(other->memory, memory);
    assert_int_equal(bytes_reserved(), 64 + 60);
    assert_int_equal(be_buffer_alloc(device, 64, &buffers[0]), NC_OK);
    assert_ptr_equal(buffers[0]->memory, memory);
    assert_int_equal(device->pool.count, 0);
    assert_int_equal(device->pool.held_bytes, 0);
    assert_int_equal(bytes_reserved(), 64 + 60);
    assert_true(device->counters.bytes_reserved_peak >= 64 + 60);
    be_buffer_free(device, other);
    be_buffer_free(device, buffers[0]);
    for (size_t i = 0; i < sizeof buffers / sizeof buffers[0]; ++i) {
        assert_int_equal(be_buffer_alloc(device, 128 + i, &buffers[i]), NC_OK);
    }
    for (size_t i = 0; i < sizeof buffers / sizeof buffers[0]; ++i) {
        be_buffer_free(device, buffers[i]);
    }
    assert_int_equal(device->pool.count, OPENCL_POOL_MAX);
    cl_ulong memory_bytes = device->memory_bytes;
    device->memory_bytes = 64;
    assert_int_equal(be_buffer_alloc(device, 64, &other), NC_OK);
    assert_int_equal(device->pool.count, 0);
    be_buffer_free(device, other); // larger than the pool may be now
    assert_int_equal(device->pool.count, 0);
    device->memory_bytes = memory_bytes;
}

static void buffers_live_on_the_device(void **state)
{
    nc_residency residency;
    be_buffer *buffer = NULL;
    be_buffer host = {0};
    uint64_t memory[8];
    cl_int code = CL_SUCCESS;
    (void)state;
    NC_STRUCT_INIT(&residency);
    assert_int_equal(be_buffer_alloc(device, 64, &buffer), NC_OK);
    assert_int_equal(be_buffer_residency(device, buffer, &residency), NC_OK);
    assert_int_equal(residency.is_device_memory, 1);
    assert_string_equal(residency.kind, "CL_MEM_OBJECT_BUFFER");
    be_buffer_free(device, buffer);
    // A buffer over host memory is not taken for device memory.
    host.memory = device->api->clCreateBuffer(device->context, CL_MEM_USE_HOST_PTR, sizeof memory, memory, &code);
    assert_int_equal(code, CL_SUCCESS);
    assert_int_equal(be_buffer_residency(device, &host, &residency), NC_OK);
    assert_int_equal(residency.is_device_memory, 0);
    assert_int_equal(device->api->clReleaseMemObject(host.memory), CL_SUCCESS);
}

#define DEVICE_TEST(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
static const struct CMUnitTest tests[] = {
    DEVICE_TEST(a_program_that_does_not_build_shows_its_log),
    DEVICE_TEST(a_long_build_log_is_cut_and_says_so),
    DEVICE_TEST(a_right_program_builds),
    DEVICE_TEST(the_core_refuses_relaxed_arithmetic),
    DEVICE_TEST(injected_options_are_refused),
    DEVICE_TEST(a_refused_launch_is_the_error_of_its_call),
    DEVICE_TEST(a_late_error_reaches_the_next_call_that_waits),
    DEVICE_TEST(many_launches_are_watched),
    DEVICE_TEST(released_memory_is_taken_over),
    DEVICE_TEST(buffers_live_on_the_device),
};

UNIT_MAIN(tests)
