// SPDX-License-Identifier: Apache-2.0
// The rows of a table of wrong arguments as functions. Include it behind the type `fixture` and the macro CASES(X), whose rows are
// X(name, call, status, first, second): the call with one argument wrong, and two texts that nc_last_error must have then.
// tests/lint/arguments.py reads the rows and demands one for every argument of every exported function.
#define CALL(name, call, status, first, second)                                                                                    \
    static nc_status call_##name(fixture *f)                                                                                       \
    {                                                                                                                              \
        (void)f;                                                                                                                   \
        return call;                                                                                                               \
    }
CASES(CALL)

static const struct {
    const char *name;
    nc_status (*call)(fixture *f);
    nc_status status;
    const char *first, *second;
} cases[] = {
#define ROW(name, call, status, first, second) {#name, call_##name, status, first, second},
    CASES(ROW)};
#define CASE_COUNT (sizeof cases / sizeof cases[0])
