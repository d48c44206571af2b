// SPDX-License-Identifier: Apache-2.0
// Truth of predictions: the exact X beta, and the documented chain of roundings (one fma for each column, then the intercept).
#include "canonical.h"
#include "huber.h"

typedef struct predict_row {
    int64_t p, intercept, rows;
    golden_array x, beta;
} predict_row;

static golden_status predict_read(const golden_row *row, predict_row *predict, golden_error *error)
{
    golden_status status = golden_row_integer(row, "p", &predict->p, error);
    status = status == GOLDEN_OK ? golden_row_integer(row, "intercept", &predict->intercept, error) : status;
    status = status == GOLDEN_OK ? golden_row_integer(row, "rows", &predict->rows, error) : status;
    status = status == GOLDEN_OK ? golden_row_array(row, "x", row->dtype, &predict->x, error) : status;
    status = status == GOLDEN_OK ? golden_row_array(row, "beta", row->dtype, &predict->beta, error) : status;
    bool fits = status != GOLDEN_OK ||
                (predict->p >= 1 && predict->rows >= 1 && predict->rows <= ROWS_MAX &&
                 (predict->intercept == 0 || predict->intercept == 1) && predict->x.count == (size_t)(predict->rows * predict->p) &&
                 predict->beta.count == (size_t)(predict->p + predict->intercept));
    return fits ? status : golden_fail(error, GOLDEN_REFUSED, "row %s: x and beta do not fit rows, p and intercept.", row->id);
}

// Adds value * beta_j to the exact sum and to the chain.
static void term_add(const predict_row *predict, int64_t j, golden_value value, mpfr_t sum, oracle_partial *chain,
                     oracle_scratch *scratch)
{
    golden_value beta = golden_array_at(&predict->beta, (size_t)j);
    oracle_load(scratch->term, value);
    oracle_load(scratch->factor, beta);
    mpfr_mul(scratch->term, scratch->term, scratch->factor, MPFR_RNDN);
    mpfr_add(sum, sum, scratch->term, MPFR_RNDN);
    oracle_partial_fma(chain, value, beta, scratch);
}

golden_status oracle_huber_predict(const golden_row *row, const golden_answer *answer, oracle_truths *truths, golden_error *error)
{
    predict_row predict = {0};
    golden_status status = predict_read(row, &predict, error);
    status = status == GOLDEN_OK ? oracle_expect(row, answer, (size_t)predict.rows, NULL, error) : status;
    mpfr_t sum, one;
    oracle_scratch scratch;
    oracle_partial chain;
    mpfr_inits2(oracle_exact_bits(row->dtype), sum, one, (mpfr_ptr)0);
    mpfr_set_ui(one, 1, MPFR_RNDN);
    oracle_scratch_init(&scratch, row->dtype);
    oracle_partial_init(&chain, row->dtype);
    for (int64_t i = 0; status == GOLDEN_OK && i < predict.rows; ++i) {
        mpfr_set_zero(sum, 1);
        mpfr_set_zero(chain.rounded, 1);
        mpfr_set_zero(chain.lost, 1);
        for (int64_t j = 0; j < predict.p; ++j) {
            term_add(&predict, j, golden_array_at(&predict.x, (size_t)(i * predict.p + j)), sum, &chain, &scratch);
        }
        if (predict.intercept) {
            term_add(&predict, predict.p, oracle_value_of(one, row->dtype), sum, &chain, &scratch);
        }
        oracle_set_exact(truths, (size_t)i, sum);
        oracle_set_scale(truths, (size_t)i, chain.lost);
        oracle_require(truths, (size_t)i, oracle_value_of(chain.rounded, row->dtype));
    }
    oracle_partial_clear(&chain);
    oracle_scratch_clear(&scratch);
    mpfr_clears(sum, one, (mpfr_ptr)0);
    golden_array_free(&predict.x);
    golden_array_free(&predict.beta);
    return status;
}
