// SPDX-License-Identifier: Apache-2.0
#include "bench_device.h"

#include <stdio.h>
#include <stdlib.h>

void bench_require(nc_status status)
{
    if (status != NC_OK) {
        fprintf(stderr, "bench-device: %s: %s\n", nc_status_name(status), nc_last_error());
        exit(1);
    }
}

nc_array *bench_array(nc_device *device, nc_dtype dtype, int32_t rank, int64_t rows, int64_t columns)
{
    const int64_t shape[] = {rows, columns};
    nc_array *array = NULL;
    bench_require(nc_array_create(device, dtype, rank, shape, &array));
    return array;
}

nc_array *bench_uniforms(nc_device *device, nc_dtype dtype, int32_t rank, int64_t rows, int64_t columns, uint64_t stream)
{
    nc_array *array = bench_array(device, dtype, rank, rows, columns);
    bench_require(nc_rng_uniform(1, stream, 0, array));
    return array;
}

void bench_add_flow(nc_network *network, const char *name, int32_t source, int32_t target, int32_t rate, int32_t first,
                    int32_t second, int32_t population)
{
    nc_flow flow;
    int32_t number = 0;
    NC_STRUCT_INIT(&flow);
    flow.name = name;
    flow.law = second == NC_NONE ? NC_LAW_LINEAR : NC_LAW_MASS_ACTION;
    flow.source = source;
    flow.target = target;
    flow.rate = rate;
    flow.reactant_count = second == NC_NONE ? 1 : 2;
    flow.reactants[0] = first;
    flow.reactants[1] = second;
    flow.population = population;
    flow.implicit = second == NC_NONE; // read by the IMEX methods alone
    bench_require(nc_network_add_flow(network, &flow, &number));
}
