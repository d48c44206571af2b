// SPDX-License-Identifier: Apache-2.0
// The sentence of this thread's latest failure.
#include "host.h"

#include <stdarg.h>
#include <stdio.h>

static _Thread_local char last_error[1024];

nc_status be_fail(nc_status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(last_error, sizeof last_error, format, arguments);
    va_end(arguments);
    return status;
}

const char *nc_last_error(void)
{
    return last_error;
}
