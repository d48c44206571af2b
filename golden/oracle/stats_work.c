// SPDX-License-Identifier: Apache-2.0
#include "stats_work.h"

void stats_work_init(stats_work *w, mpfr_prec_t precision)
{
    for (int i = 0; i < STATS_WORK; ++i) {
        mpfr_init2(w->at[i], precision);
    }
}
void stats_work_clear(stats_work *w)
{
    for (int i = 0; i < STATS_WORK; ++i) {
        mpfr_clear(w->at[i]);
    }
}

void stats_standardise(mpfr_t z, const stats_datum *datum, int first, bool is_log)
{
    mpfr_set_d(z, datum->y, MPFR_RNDN);
    if (is_log) {
        mpfr_log(z, z, MPFR_RNDN);
    }
    mpfr_sub_d(z, z, datum->p[first], MPFR_RNDN);
    mpfr_div_d(z, z, datum->p[first + 1], MPFR_RNDN);
}

void stats_binomial_odds(mpfr_t p, mpfr_t q, const stats_datum *datum)
{
    mpfr_set_d(p, datum->p[0], MPFR_RNDN);
    if (datum->family == STATS_BINOMIAL) {
        mpfr_ui_sub(q, 1, p, MPFR_RNDN);
        return;
    }
    mpfr_exp(q, p, MPFR_RNDN);
    mpfr_add_ui(q, q, 1, MPFR_RNDN);
    mpfr_ui_div(q, 1, q, MPFR_RNDN);
    mpfr_neg(p, p, MPFR_RNDN);
    mpfr_exp(p, p, MPFR_RNDN);
    mpfr_add_ui(p, p, 1, MPFR_RNDN);
    mpfr_ui_div(p, 1, p, MPFR_RNDN);
}
