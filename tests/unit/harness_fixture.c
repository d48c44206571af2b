// SPDX-License-Identifier: Apache-2.0
// Small suites that misbehave, one for each FIXTURE_ number (harness_process.c runs them as processes).
#include "cupel.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static void passes(cupel_context *context)
{
    const uint32_t word = 7;
    nc_array *out = cupel_output_vector(context, NC_U32, 1);
    cupel_require_ok(context, nc_array_fill(out, &word, sizeof word));
    cupel_expect_bits(context, out, &word, 1);
}

static void misbehaves(cupel_context *context)
{
    cupel_expect_true(context, true);
#if defined(FIXTURE_FAIL)
    cupel_fail(context, "markup ]]> and\nlines");
#elif defined(FIXTURE_SEGV)
    raise(SIGSEGV);
#elif defined(FIXTURE_ABORT)
    abort();
#elif defined(FIXTURE_EXIT)
    exit(0);
#elif defined(FIXTURE_QUICK_EXIT)
    _exit(0);
#elif defined(FIXTURE_SKIP)
    skip();
#elif defined(FIXTURE_ASSERT)
    assert_true(0);
#elif defined(FIXTURE_FORK)
    pid_t child = fork();
    if (child == 0) {
        cupel_expect_true(context, false);
    }
    waitpid(child, NULL, 0);
#elif defined(FIXTURE_HANG)
    signal(SIGTERM, SIG_IGN);
    if (fork() == 0) {
        for (;;) {
            pause();
        }
    }
    for (;;) {
        pause();
    }
#endif
}

static const cupel_case cases[] = {
    CUPEL_CASE("fixture.first", passes),
    CUPEL_CASE("fixture.second", misbehaves),
    CUPEL_CASE("fixture.third", passes),
};
static const cupel_table table = CUPEL_TABLE(cases);
static const cupel_table *const tables[] = {&table};

const cupel_suite cupel_this_suite = CUPEL_SUITE("fixture", tables);

const char cupel_expected_backend[] =
#if defined(FIXTURE_BACKEND)
    "cuda";
#else
    "cpu";
#endif
const char cupel_linkage[] = "static";
const char cupel_source_id[] = "none";
