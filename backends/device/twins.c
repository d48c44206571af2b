// SPDX-License-Identifier: Apache-2.0
// Which single-source kernels have a group kernel of the same arguments and bytes, and when it is worth it.
#include "../../src/core/kernels/solve_args.h"
#include "groups.h"

// One lane a matrix is as fast below this order, and where there are so many matrices that a lane each fills the device: it takes
// n^3 steps to a group's n^2, and a device holds about this many times more lanes than groups.
#define ORDER_MIN 12
#define MATRICES_PER_ROW 1024

typedef struct be_twin {
    int exists;
    be_group_kernel kernel;
} be_twin;

static const be_twin twins[BE_KERNEL_COUNT] = {
#define TWIN(name)                                                                                                                 \
    [BE_KERNEL_##name##_f32] = {1, BE_GROUP_group_##name##_f32}, [BE_KERNEL_##name##_f64] = {1, BE_GROUP_group_##name##_f64},
    TWIN(cholesky_factor) TWIN(cholesky_solve) TWIN(lu_factor) TWIN(lu_solve)
#undef TWIN
};

int be_twin_find(be_kernel kernel, const be_arg *args, be_group_kernel *twin)
{
    if (!twins[kernel].exists) {
        return 0;
    }
    const nc_systems *systems = args[1].value; // the second argument of each of them
    *twin = twins[kernel].kernel;
    return systems->n >= ORDER_MIN && systems->count <= MATRICES_PER_ROW * systems->n;
}
