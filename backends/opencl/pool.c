// SPDX-License-Identifier: Apache-2.0
// Released memory objects, kept for buffers of the same size.
#include "opencl.h"

#include <string.h>

#define POOL_SHARE 8 // the pool holds at most this part of the device's memory

static void forget(opencl_pool *pool, int32_t place)
{
    size_t after = (size_t)(pool->count - place - 1);
    pool->held_bytes -= pool->bytes[place];
    memmove(&pool->memory[place], &pool->memory[place + 1], after * sizeof pool->memory[0]);
    memmove(&pool->bytes[place], &pool->bytes[place + 1], after * sizeof pool->bytes[0]);
    --pool->count;
}

cl_mem opencl_pool_take(be_device *device, size_t bytes)
{
    opencl_pool *pool = &device->pool;
    for (int32_t place = pool->count - 1; place >= 0; --place) {
        if (pool->bytes[place] == bytes) {
            cl_mem memory = pool->memory[place];
            forget(pool, place);
            return memory;
        }
    }
    return NULL;
}

static void release_oldest(be_device *device)
{
    (void)device->api->clReleaseMemObject(device->pool.memory[0]);
    forget(&device->pool, 0);
}

void opencl_pool_put(be_device *device, cl_mem memory, size_t bytes)
{
    opencl_pool *pool = &device->pool;
    cl_ulong most = device->memory_bytes / POOL_SHARE;
    if (bytes > most) {
        (void)device->api->clReleaseMemObject(memory);
        return;
    }
    while (pool->count == OPENCL_POOL_MAX || pool->held_bytes > most - bytes) {
        release_oldest(device);
    }
    pool->memory[pool->count] = memory;
    pool->bytes[pool->count] = bytes;
    ++pool->count;
    pool->held_bytes += bytes;
}

void opencl_pool_empty(be_device *device)
{
    while (device->pool.count > 0) {
        release_oldest(device);
    }
}
