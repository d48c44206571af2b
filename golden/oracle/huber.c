// SPDX-License-Identifier: Apache-2.0
// Truth of the module huber: the minimiser of each batch's surrogate (docs/huber.md), which is convex and piecewise quadratic. For
// a given set of rows within tau (and of non-zero coefficients) it solves a linear system; the optimality conditions, checked with
// the solution itself, prove that it is the minimiser whatever the sets came from. They are read off the answer, as is the state
// before the batch, since the regression is defined to go on from the coefficients it committed.
#include "huber.h"

// A minimiser that needs no more bits than this at 256 or more is that very number (the mean of two values, say).
enum { EXACT_BITS = 64 };

static golden_status component(mpfr_t result, mpfr_prec_t precision, const void *context, golden_error *error)
{
    const huber_row *row = context;
    huber_state *s = oracle_huber_new(row, precision);
    if (s == NULL) {
        return golden_fail(error, GOLDEN_REFUSED, "out of memory for a batch.");
    }
    golden_status status = oracle_huber_minimise(s, row, error);
    mpfr_set(result, s->next[row->component], MPFR_RNDN);
    oracle_huber_free(s);
    return status;
}

static golden_status row_read(const golden_row *row, huber_row *huber, golden_error *error)
{
    const struct {
        const char *key;
        int64_t *integer;
        double *real;
    } keys[] = {{"p", &huber->p, NULL},
                {"intercept", &huber->intercept, NULL},
                {"batches", &huber->batches, NULL},
                {"rows", &huber->rows, NULL},
                {"tau", NULL, &huber->tau},
                {"bandwidth_scale", NULL, &huber->bandwidth_scale},
                {"lambda_scale", NULL, &huber->lambda_scale},
                {"tolerance", NULL, &huber->tolerance}};
    golden_status status = GOLDEN_OK;
    for (size_t i = 0; status == GOLDEN_OK && i < sizeof keys / sizeof keys[0]; ++i) {
        status = keys[i].integer != NULL ? golden_row_integer(row, keys[i].key, keys[i].integer, error)
                                         : golden_row_real(row, keys[i].key, keys[i].real, error);
    }
    status = status == GOLDEN_OK ? golden_row_array(row, "x", row->dtype, &huber->x, error) : status;
    status = status == GOLDEN_OK ? golden_row_array(row, "y", row->dtype, &huber->y, error) : status;
    if (status == GOLDEN_OK && golden_row_has(row, "w")) {
        status = golden_row_array(row, "w", row->dtype, &huber->w, error);
    }
    int64_t count = huber->batches * huber->rows;
    bool fits = status != GOLDEN_OK ||
                (huber->p >= 1 && huber->p + huber->intercept <= Q_MAX && huber->rows >= 1 && huber->rows <= ROWS_MAX &&
                 huber->y.count == (size_t)count && huber->x.count == (size_t)(count * huber->p) &&
                 (huber->w.count == 0 || huber->w.count == (size_t)count));
    return fits ? status : golden_fail(error, GOLDEN_REFUSED, "row %s: x, y and w do not fit batches x rows x p.", row->id);
}

static golden_status regress(const golden_row *row, const golden_answer *answer, bool l1, oracle_truths *truths,
                             golden_error *error)
{
    huber_row huber = {.l1 = l1, .dtype = row->dtype, .answer = answer};
    mpfr_t truth, bound[Q_MAX];
    golden_status status = row_read(row, &huber, error);
    int64_t q = huber.p + huber.intercept;
    status = status == GOLDEN_OK ? oracle_expect(row, answer, (size_t)(huber.batches * q), NULL, error) : status;
    mpfr_init2(truth, 64);
    for (int j = 0; j < Q_MAX; ++j) {
        mpfr_init2(bound[j], 512);
    }
    for (huber.batch = 0; status == GOLDEN_OK && huber.batch < huber.batches; ++huber.batch) {
        status = oracle_huber_bounds(&huber, bound, error);
        for (huber.component = 0; status == GOLDEN_OK && huber.component < q; ++huber.component) {
            size_t output = (size_t)(huber.batch * q + huber.component);
            status = oracle_settle(component, &huber, truth, error);
            if (mpfr_regular_p(truth) && mpfr_min_prec(truth) <= EXACT_BITS) {
                oracle_set_exact(truths, output, truth);
            } else {
                oracle_set_settled(truths, output, truth);
            }
            oracle_set_scale(truths, output, bound[huber.component]);
        }
    }
    for (int j = 0; j < Q_MAX; ++j) {
        mpfr_clear(bound[j]);
    }
    mpfr_clear(truth);
    golden_array_free(&huber.x);
    golden_array_free(&huber.y);
    golden_array_free(&huber.w);
    return status;
}

golden_status oracle_huber_none(const golden_row *row, const golden_answer *answer, oracle_truths *truths, golden_error *error)
{
    return regress(row, answer, false, truths, error);
}

golden_status oracle_huber_l1(const golden_row *row, const golden_answer *answer, oracle_truths *truths, golden_error *error)
{
    return regress(row, answer, true, truths, error);
}
