// SPDX-License-Identifier: Apache-2.0
// A CMocka program with 256 failing tests whose main returns what CMocka returns: its exit status is 0.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

enum { FAILURES = 256 };

static void fails(void **state)
{
    (void)state;
    assert_true(0);
}

int main(void)
{
    static char names[FAILURES][24];
    static struct CMUnitTest tests[FAILURES];
    for (int i = 0; i < FAILURES; ++i) {
        snprintf(names[i], sizeof names[i], "fails_%03d", i);
        tests[i].name = names[i];
        tests[i].test_func = fails;
    }
    return _cmocka_run_group_tests("device", tests, FAILURES, NULL, NULL);
}
