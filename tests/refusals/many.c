// SPDX-License-Identifier: Apache-2.0
// A suite of 256 failing cases: as many as an exit status of eight bits forgets.
#include "cupel.h"

static void fails(cupel_context *context)
{
    cupel_expect_true(context, false);
}

#define CASES_OF(high)                                                                                                             \
    CASE(high, 0), CASE(high, 1), CASE(high, 2), CASE(high, 3), CASE(high, 4), CASE(high, 5), CASE(high, 6), CASE(high, 7),        \
        CASE(high, 8), CASE(high, 9), CASE(high, a), CASE(high, b), CASE(high, c), CASE(high, d), CASE(high, e), CASE(high, f)
#define CASE(high, low) CUPEL_CASE("fixture.fails-" #high #low, fails)

static const cupel_case cases[] = {
    CASES_OF(0), CASES_OF(1), CASES_OF(2), CASES_OF(3), CASES_OF(4), CASES_OF(5), CASES_OF(6), CASES_OF(7),
    CASES_OF(8), CASES_OF(9), CASES_OF(a), CASES_OF(b), CASES_OF(c), CASES_OF(d), CASES_OF(e), CASES_OF(f),
};
_Static_assert(sizeof cases / sizeof cases[0] == 256, "eight bits forget exactly these");
static const cupel_table table = CUPEL_TABLE(cases);
static const cupel_table *const tables[] = {&table};

const cupel_suite cupel_this_suite = CUPEL_SUITE("fixture", tables);
