// SPDX-License-Identifier: Apache-2.0
#include "nc.h"

#include <stdio.h>

int main(void)
{
    const double x[] = {1.0, 2.0, 3.0};
    const int64_t count = 3;
    double answer = 0.0;
    nc_device *device = NULL;
    nc_array *in = NULL;
    nc_array *out = NULL;
    int status = 1;
    if (nc_device_open("0", &device) != NC_OK || nc_array_create(device, NC_F64, 1, &count, &in) != NC_OK ||
        nc_array_create(device, NC_F64, 0, NULL, &out) != NC_OK || nc_array_upload(in, x, sizeof x) != NC_OK ||
        nc_dot(in, in, out) != NC_OK || nc_array_download(out, &answer, sizeof answer) != NC_OK) {
        fprintf(stderr, "%s\n", nc_last_error());
        goto cleanup;
    }
    printf("C, backend %s, version %s: %g\n", nc_backend(), nc_version(), answer);
    status = answer == 14.0 && nc_abi_version() == NC_ABI_VERSION ? 0 : 1;
cleanup:
    nc_array_release(in);
    nc_array_release(out);
    nc_device_close(device);
    return status;
}
