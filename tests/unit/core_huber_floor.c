// SPDX-License-Identifier: Apache-2.0
// When steps that the objective cannot judge count as shrunk to what rounding sustains.
#include "core_device.h"

#include "host/huber.h"

enum { STEPS_MAX = 64 };

// The number of the step that ends the sequence, 0 if none does. Lengths are squared as the solvers give them.
static int ends_at(const double *lengths, int count, int judged)
{
    nc_huber_step step = {.outcome = NC_OK};
    for (int i = 0; i < count; ++i) {
        if (nc_huber_has_stalled(&step, i != judged, lengths[i] * lengths[i])) {
            return i + 1;
        }
    }
    return 0;
}

static void test_equal_steps_end(void **state)
{
    (void)state;
    double lengths[STEPS_MAX];
    for (int i = 0; i < STEPS_MAX; ++i) {
        lengths[i] = 1.0;
    }
    assert_int_equal(ends_at(lengths, STEPS_MAX, -1), 8);
    assert_int_equal(ends_at(lengths, STEPS_MAX, 5), 14); // a step that the objective judges begins anew
}

// float32 steps of several units along a direction of little curvature shrink by less than a unit in one step, and steps of two
// Newton systems may grow once: neither is the end.
static void test_steps_that_go_on_shrinking_do_not_end(void **state)
{
    (void)state;
    static const double slow[] = {5.0, 5.0, 5.0, 4.0, 4.0, 4.0, 4.0, 3.0, 3.0, 3.0, 3.0, 3.0, 2.0, 2.0, 2.0, 2.0};
    static const double grown[] = {1.0, 1.5, 0.8, 0.5, 0.3, 0.1, 0.05, 0.02};
    assert_int_equal(ends_at(slow, sizeof slow / sizeof slow[0], -1), 0);
    assert_int_equal(ends_at(grown, sizeof grown / sizeof grown[0], -1), 0);
}

// The shortest of all before counts, not the latest of them.
static void test_shortest_step_counts(void **state)
{
    (void)state;
    static const double lengths[] = {0.5, 1.0, 1.0, 1.0, 0.6, 0.6, 0.6, 0.6, 0.4, 0.4, 0.4, 0.4, 0.4, 0.4, 0.4, 0.4};
    assert_int_equal(ends_at(lengths, sizeof lengths / sizeof lengths[0], -1), 8);
    assert_int_equal(ends_at(lengths + 1, 15, -1), 0);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_equal_steps_end),
    cmocka_unit_test(test_steps_that_go_on_shrinking_do_not_end),
    cmocka_unit_test(test_shortest_step_counts),
};

UNIT_MAIN(tests)
