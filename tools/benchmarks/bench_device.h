// SPDX-License-Identifier: Apache-2.0
// What the parts of bench-device share.
#ifndef BENCH_DEVICE_H
#define BENCH_DEVICE_H

#include "nc.h"

// What every measurement begins with (bench_common.c). A call that fails ends the program with its message.
void bench_require(nc_status status);
nc_array *bench_array(nc_device *device, nc_dtype dtype, int32_t rank, int64_t rows, int64_t columns);
nc_array *bench_uniforms(nc_device *device, nc_dtype dtype, int32_t rank, int64_t rows, int64_t columns, uint64_t stream);
// A flow of `first`, or of `first` and `second` over `population`.
void bench_add_flow(nc_network *network, const char *name, int32_t source, int32_t target, int32_t rate, int32_t first,
                    int32_t second, int32_t population);

// Whether the measurement was asked for.
int bench_wanted(const char *name);
// Whether a PART was named.
int bench_selects(void);
// Times `run(context)` and prints one line. `work` is what one call does, in units of 1e-9 of `unit`.
void bench_measure(const char *name, const char *dtype, nc_status (*run)(const void *context), const void *context, double work,
                   const char *unit);

// Densities, ensembles of trajectories and the streaming regression (bench_models.c).
void bench_models(nc_device *device, nc_dtype dtype);
// Solvers over an ensemble that fills the device (bench_solver.c).
void bench_solver(nc_device *device, nc_dtype dtype);
// bench_measure for a solver's call. Where the device has near memory and a PART was named, also "NAME near", with all working
// memory on the chip that fits there at all, and "NAME far", with none.
void bench_memories(nc_device *device, const char *name, nc_dtype dtype, nc_status (*run)(const void *context), const void *context,
                    double work, const char *unit);
// Right-hand sides and trajectories of the hierarchical network (bench_fixture.c).
void bench_fixture(nc_device *device, nc_dtype dtype);

#endif
