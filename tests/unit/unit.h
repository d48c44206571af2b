// SPDX-License-Identifier: Apache-2.0
// What every unit test includes: CMocka with the headers it needs, and a main that cannot turn green by accident.
//
// CMocka's group call returns the number of failures, which the operating system cuts to eight bits, and 0 when nothing ran.
// UNIT_MAIN refuses an empty table and returns 0 or 1 only.
#ifndef UNIT_H
#define UNIT_H

// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>
// clang-format on

#define UNIT_MAIN(tests)                                                                                                           \
    int main(void)                                                                                                                 \
    {                                                                                                                              \
        _Static_assert(sizeof(tests) >= sizeof(tests)[0], "a test table without a test proves nothing");                           \
        return cmocka_run_group_tests(tests, NULL, NULL) != 0;                                                                     \
    }

#endif
