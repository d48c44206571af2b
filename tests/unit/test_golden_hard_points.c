// SPDX-License-Identifier: Apache-2.0
// The hard points of golden_hard_points.def: the oracle's truth equals values that another program computed, and the committed
// answer is within its derived bound, which at these points leaves as many digits as the dtype has.
#include "unit.h"

#include "lib/bounds.h"
#include "lib/corpus.h"

#include <mpfr.h>
#include <stdlib.h>
#include <string.h>

typedef struct hard_point {
    const char *id_f64, *f64, *id_f32, *f32, *note;
} hard_point;

static const hard_point points[] = {
#define HARD_POINT(id_f64, f64, id_f32, f32, note) {id_f64, f64, id_f32, f32, note},
#include "golden_hard_points.def"
};
enum { POINTS = sizeof points / sizeof points[0] };

static bool nan_anywhere(const char *id, void *context)
{
    (void)id;
    (void)context;
    return true;
}

static double measure(const char *token)
{
    golden_value value = {GOLDEN_F64, 0};
    assert_true(golden_parse(token, GOLDEN_F64, &value));
    return golden_double_of_bits(value.bits);
}

static const golden_corpus_row *row_of(const golden_corpus *corpus, const char *id)
{
    for (size_t i = 0; i < corpus->count; ++i) {
        if (strcmp(corpus->rows[i].id, id) == 0) {
            return &corpus->rows[i];
        }
    }
    fail_msg("the corpus has no row %s", id);
    return NULL;
}

// |a - b| <= |b| 10^-45, from their texts.
static bool agree(const char *a_text, const char *b_text)
{
    mpfr_t a, b, bound;
    mpfr_inits2(256, a, b, bound, (mpfr_ptr)0);
    assert_int_equal(mpfr_set_str(a, a_text, 0, MPFR_RNDN), 0);
    assert_int_equal(mpfr_set_str(b, b_text, 0, MPFR_RNDN), 0);
    mpfr_sub(a, a, b, MPFR_RNDN);
    mpfr_set_str(bound, "1e-45", 10, MPFR_RNDN);
    mpfr_mul(bound, bound, b, MPFR_RNDN);
    bool close = mpfr_cmpabs(a, bound) <= 0;
    mpfr_clears(a, b, bound, (mpfr_ptr)0);
    return close;
}

// Relative error of an answer that is not subnormal: of a subnormal one only the bound says something.
static double relative_error(const golden_corpus_row *row, double least_normal)
{
    mpfr_t answer, truth;
    mpfr_inits2(256, answer, truth, (mpfr_ptr)0);
    assert_int_equal(mpfr_set_str(answer, row->answer, 0, MPFR_RNDN), 0);
    assert_int_equal(mpfr_set_str(truth, row->truth, 0, MPFR_RNDN), 0);
    mpfr_sub(answer, answer, truth, MPFR_RNDN);
    if (mpfr_cmp_d(truth, least_normal) > 0 || mpfr_cmp_d(truth, -least_normal) < 0) {
        mpfr_div(answer, answer, truth, MPFR_RNDN);
    } else {
        mpfr_set_zero(answer, 1);
    }
    mpfr_abs(answer, answer, MPFR_RNDN);
    double error = mpfr_get_d(answer, MPFR_RNDU);
    mpfr_clears(answer, truth, (mpfr_ptr)0);
    return error;
}

static size_t check(const char *path, bool single)
{
    char *data = NULL;
    size_t bytes = 0, compared = 0;
    golden_corpus corpus;
    golden_error error = {""};
    double worst = 0.0;
    assert_int_equal(golden_file_read(path, &data, &bytes, &error), GOLDEN_OK);
    assert_int_equal(golden_corpus_parse(path, data, bytes, nan_anywhere, NULL, &corpus, &error), GOLDEN_OK);
    for (size_t i = 0; i < POINTS; ++i) {
        const char *value = single ? points[i].f32 : points[i].f64, *id = single ? points[i].id_f32 : points[i].id_f64;
        if (value[0] == '\0') {
            continue;
        }
        const golden_corpus_row *row = row_of(&corpus, id);
        if (!agree(row->truth, value)) {
            fail_msg("%s (%s): truth %s, elsewhere %s", row->id, points[i].note, row->truth, value);
        }
        assert_true(measure(row->error) <= measure(row->bound));
        double relative = relative_error(row, single ? 0x1p-126 : 0x1p-1022);
        if (relative > worst) {
            worst = relative;
            print_message("%s: relative error %.2e, bound %.3g ulp: %s\n", row->id, relative, measure(row->bound), points[i].note);
        }
        ++compared;
    }
    // What a user may expect wherever the conditioning allows: a few units of the last place, 1e-6 and 2e-15.
    assert_true(worst <= (single ? 8.0 * 0x1p-23 : 8.0 * 0x1p-52));
    free(data);
    golden_corpus_free(&corpus);
    return compared;
}

static void test_float64(void **state)
{
    (void)state;
    assert_int_equal(check(CUPEL_GOLDEN_DIR "/corpora/stats.f64.golden", false), 42);
}

static void test_float32(void **state)
{
    (void)state;
    assert_int_equal(check(CUPEL_GOLDEN_DIR "/corpora/stats.f32.golden", true), 40);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_float64),
    cmocka_unit_test(test_float32),
};

UNIT_MAIN(tests)
