// SPDX-License-Identifier: Apache-2.0
// The sentence of this thread's latest failure.
#include "host.h"

#include <stdarg.h>
#include <stdio.h>

static _Thread_local char last_error[4096]; // a compiler's log fits, cut by its backend
static _Thread_local const char *last_cause = "";

nc_status be_fail(nc_status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(last_error, sizeof last_error, format, arguments);
    va_end(arguments);
    last_cause = "";
    return status;
}

nc_status be_fail_cause(nc_status status, const char *cause, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(last_error, sizeof last_error, format, arguments);
    va_end(arguments);
    last_cause = cause;
    return status;
}

const char *nc_last_cause(void)
{
    return last_cause;
}

const char *nc_last_error(void)
{
    return last_error;
}
