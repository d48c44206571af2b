// SPDX-License-Identifier: Apache-2.0
// How many lanes and groups a single-source kernel gets on a GPU. Kernels stride over their items, so no choice changes a bit.
#ifndef NC_DEVICE_GEOMETRY_H
#define NC_DEVICE_GEOMETRY_H

#include <stdint.h>

typedef struct be_geometry {
    uint32_t groups, lanes;
} be_geometry;

#define BE_GROUPS_MAX (1u << 22) // more items than this many groups hold are strided over
#define BE_GROUPS_PER_UNIT 64u   // a lane of a large launch takes several items: what it does once is paid once
#define BE_LANES_MAX 128u        // registers bound the groups of a unit: with 256 lanes, one of a kernel that takes 130 a lane
#define BE_LANES_MIN 32u

static inline be_geometry be_geometry_of_lanes(uint64_t items, uint32_t lanes)
{
    uint64_t groups = items / lanes + (items % lanes != 0);
    return (be_geometry){groups < BE_GROUPS_MAX ? (uint32_t)groups : BE_GROUPS_MAX, lanes};
}

// Small batches of costly items (trajectories) need small groups to reach every compute unit twice.
static inline be_geometry be_geometry_for(uint64_t items, uint32_t units)
{
    uint32_t lanes = BE_LANES_MAX;
    while (lanes > BE_LANES_MIN && items / lanes < 2u * (uint64_t)units) {
        lanes /= 2u;
    }
    be_geometry geometry = be_geometry_of_lanes(items, lanes);
    if (geometry.groups > BE_GROUPS_PER_UNIT * units) {
        geometry.groups = BE_GROUPS_PER_UNIT * units;
    }
    return geometry;
}

#endif
