// SPDX-License-Identifier: Apache-2.0
// Truth of addressed draws: every attempt is rebuilt from its address and decided in MPFR by the published rejection tests
// (docs/statistics.md, Sampling). A decision nearer to its border than 2^10 roundings is no row.
#include "stats_sample.h"
#include "philox.h"

#include <stdlib.h>

void stats_uniforms(mpfr_t first, mpfr_t second, const stats_draw *d, int purpose, int attempt)
{
    uint64_t block = d->index * ATTEMPTS + (uint64_t)attempt;
    uint32_t counter[4] = {(uint32_t)block, (uint32_t)(block >> 32), d->stream, (uint32_t)(d->family * 256 + purpose)};
    uint32_t key[2] = {(uint32_t)d->seed, (uint32_t)(d->seed >> 32)}, words[4];
    oracle_philox(counter, key, words);
    mpfr_set_uj_2exp(first, 2 * ((uint64_t)words[0] << 20 | words[1] >> 12) + 1, -53, MPFR_RNDN);
    mpfr_set_uj_2exp(second, 2 * ((uint64_t)words[2] << 20 | words[3] >> 12) + 1, -53, MPFR_RNDN);
}

golden_status stats_too_close(const stats_draw *d, golden_error *error)
{
    return golden_fail(error, GOLDEN_REFUSED, "draw %llu is decided within 2^10 roundings of its border: choose another seed.",
                       (unsigned long long)d->index);
}

golden_status stats_decide(bool *below, const mpfr_t left, const mpfr_t right, double size, const stats_draw *d,
                           golden_error *error)
{
    mpfr_t gap;
    mpfr_init2(gap, DECISION_BITS);
    mpfr_sub(gap, left, right, MPFR_RNDN);
    *below = mpfr_sgn(gap) < 0;
    mpfr_abs(gap, gap, MPFR_RNDN);
    bool clear = mpfr_cmp_d(gap, size * 0x1p-43) > 0;
    mpfr_clear(gap);
    return clear ? GOLDEN_OK : stats_too_close(d, error);
}

double stats_magnitude(const mpfr_t x)
{
    double value = mpfr_get_d(x, MPFR_RNDN);
    return value < 0.0 ? -value : value;
}

golden_status stats_log_gamma(mpfr_t result, stats_work *w, const stats_draw *d, int purpose, double a, double *units,
                              golden_error *error)
{
    mpfr_ptr dd = w->at[0], t = w->at[1], z = w->at[2], u1 = w->at[3], u2 = w->at[4], bound = w->at[5], term = w->at[6];
    golden_status status = GOLDEN_OK;
    mpfr_set_ui(dd, 1, MPFR_RNDN);
    mpfr_div_si(dd, dd, -3, MPFR_RNDN);
    mpfr_add_d(dd, dd, a, MPFR_RNDN);
    if (a < 1.0) {
        mpfr_add_ui(dd, dd, 1, MPFR_RNDN);
    }
    for (int attempt = 0; attempt < ATTEMPTS; ++attempt) {
        stats_uniforms(u1, u2, d, purpose, attempt);
        status = oracle_normal_quantile(z, u1, error);
        mpfr_mul_ui(t, dd, 9, MPFR_RNDN);
        mpfr_rec_sqrt(t, t, MPFR_RNDN);
        mpfr_mul(t, t, z, MPFR_RNDN);
        if (status != GOLDEN_OK || mpfr_cmp_si(t, -1) <= 0) {
            continue;
        }
        mpfr_log1p(term, t, MPFR_RNDN); // log v = 3 log(1 + t)
        mpfr_mul_ui(term, term, 3, MPFR_RNDN);
        mpfr_add_ui(bound, t, 1, MPFR_RNDN); // z^2/2 + d (1 - v + log v)
        mpfr_pow_ui(bound, bound, 3, MPFR_RNDN);
        mpfr_ui_sub(bound, 1, bound, MPFR_RNDN);
        mpfr_add(bound, bound, term, MPFR_RNDN);
        mpfr_mul(bound, bound, dd, MPFR_RNDN);
        mpfr_sqr(z, z, MPFR_RNDN);
        mpfr_div_2ui(z, z, 1, MPFR_RNDN);
        mpfr_add(bound, bound, z, MPFR_RNDN);
        mpfr_log(u2, u2, MPFR_RNDN);
        bool accepted = false;
        status = stats_decide(&accepted, u2, bound, stats_magnitude(u2) + 20.0 * stats_magnitude(z) + 1.0, d, error);
        if (status != GOLDEN_OK || !accepted) {
            if (status != GOLDEN_OK) {
                return status;
            }
            continue;
        }
        mpfr_log(result, dd, MPFR_RNDN);
        double log_d = stats_magnitude(result),
               bend = stats_magnitude(t) / (1.0 - (stats_magnitude(t) < 0.9 ? stats_magnitude(t) : 0.9));
        mpfr_add(result, result, term, MPFR_RNDN);
        *units = ERROR_LOG * log_d + 2.0 + 18.0 * bend + 2.2 * stats_magnitude(term) + stats_magnitude(result);
        if (a < 1.0) {
            stats_uniforms(u1, u2, d, PURPOSE_BOOST, 0);
            mpfr_log(u1, u1, MPFR_RNDN);
            mpfr_div_d(u1, u1, a, MPFR_RNDN);
            mpfr_add(result, result, u1, MPFR_RNDN);
            *units += 2.2 * stats_magnitude(u1) + stats_magnitude(result);
        }
        return GOLDEN_OK;
    }
    return status != GOLDEN_OK
               ? status
               : golden_fail(error, GOLDEN_REFUSED, "draw %llu rejected every attempt.", (unsigned long long)d->index);
}

static golden_status draw_real(mpfr_t result, mpfr_prec_t precision, const void *context, golden_error *error)
{
    stats_draw *d = (stats_draw *)(uintptr_t)context; // the error in units is a by-product
    const double *p = d->datum.p;
    stats_work w;
    mpfr_t z, u;
    stats_work_init(&w, precision);
    mpfr_inits2(precision, z, u, (mpfr_ptr)0);
    golden_status status = GOLDEN_OK;
    double inner = 0.0;
    if (d->datum.family != STATS_GAMMA) {
        stats_uniforms(z, u, d, PURPOSE_MAIN, 0);
        status = oracle_normal_quantile(z, z, error);
    }
    if (status == GOLDEN_OK && d->datum.family == STATS_GAMMA) {
        status = stats_log_gamma(result, &w, d, PURPOSE_MAIN, p[0], &inner, error);
        mpfr_set_d(u, p[1], MPFR_RNDN);
        mpfr_log(u, u, MPFR_RNDN);
        mpfr_sub(result, result, u, MPFR_RNDN);
        inner += ERROR_LOG * stats_magnitude(u) + stats_magnitude(result) + ERROR_EXP;
        mpfr_exp(result, result, MPFR_RNDN);
        d->units = inner * stats_magnitude(result);
    } else if (status == GOLDEN_OK) {
        int first = d->datum.family == STATS_STUDENT ? 1 : 0;
        if (first == 1) { // z sqrt(h/G)
            status = stats_log_gamma(result, &w, d, PURPOSE_SHAPE, 0.5 * p[0], &inner, error);
            mpfr_set_d(u, p[0], MPFR_RNDN);
            mpfr_div_2ui(u, u, 1, MPFR_RNDN);
            mpfr_log(u, u, MPFR_RNDN);
            inner += ERROR_LOG * stats_magnitude(u);
            mpfr_sub(u, u, result, MPFR_RNDN);
            mpfr_div_2ui(u, u, 1, MPFR_RNDN);
            inner = 0.5 * inner + stats_magnitude(u) + ERROR_EXP + 1.0;
            mpfr_exp(u, u, MPFR_RNDN);
            mpfr_mul(z, z, u, MPFR_RNDN);
        }
        mpfr_mul_d(z, z, p[first + 1], MPFR_RNDN);
        mpfr_add_d(result, z, p[first], MPFR_RNDN);
        d->units = (1.3 + inner) * stats_magnitude(z);
        if (d->datum.family == STATS_LOGNORMAL) {
            double exponent = d->units + stats_magnitude(result);
            mpfr_exp(result, result, MPFR_RNDN);
            d->units = (exponent + ERROR_EXP) * stats_magnitude(result);
        }
    }
    mpfr_clears(z, u, (mpfr_ptr)0);
    stats_work_clear(&w);
    return status;
}

// ---- Rows
// ---------------------------------------------------------------------------------------------------------------------------

static golden_status draw_read(const golden_row *row, stats_family family, int number, stats_draw *d, uint64_t *first,
                               int64_t *count, golden_error *error)
{
    static const char *const keys[] = {"p0", "p1", "p2"};
    uint64_t stream = 0;
    *d = (stats_draw){.datum = {.family = family, .dtype = row->dtype}, .family = number};
    golden_status status = golden_row_unsigned(row, "seed", &d->seed, error);
    status = status == GOLDEN_OK ? golden_row_unsigned(row, "stream", &stream, error) : status;
    status = status == GOLDEN_OK ? golden_row_unsigned(row, "first", first, error) : status;
    status = status == GOLDEN_OK ? golden_row_integer(row, "count", count, error) : status;
    if (status == GOLDEN_OK && (stream > UINT32_MAX || *count < 0)) {
        status = golden_fail(error, GOLDEN_REFUSED, "row %s: stream is below 2^32 and count not negative.", row->id);
    }
    d->stream = (uint32_t)stream;
    if (family == STATS_BINOMIAL || family == STATS_BINOMIAL_LOGIT) {
        status = status == GOLDEN_OK ? golden_row_integer(row, "trials", &d->datum.trials, error) : status;
    }
    for (int k = 0; status == GOLDEN_OK && k < stats_parameter_count(family); ++k) {
        status = golden_row_real(row, keys[k], &d->datum.p[k], error);
    }
    return status;
}

static golden_status set_draw(stats_draw *d, oracle_truths *truths, size_t output, golden_error *error)
{
    if (stats_is_count(d->datum.family)) {
        int64_t count = 0;
        golden_status status = stats_draw_count(&count, d, error);
        oracle_set_integer(truths, output, count);
        return status;
    }
    mpfr_t truth, scale;
    mpfr_inits2(64, truth, scale, (mpfr_ptr)0);
    golden_status status = oracle_settle(draw_real, d, truth, error);
    // float32: the binary64 draw, with its own rounding, once more rounded
    double units = d->datum.dtype == GOLDEN_F32 ? (d->units + stats_magnitude(truth)) * 0x1p-29 : d->units;
    mpfr_set_d(scale, units, MPFR_RNDN);
    if (status == GOLDEN_OK) {
        oracle_set_settled(truths, output, truth);
        oracle_set_scale(truths, output, scale);
    }
    mpfr_clears(truth, scale, (mpfr_ptr)0);
    return status;
}

static golden_status sample_row(const golden_row *row, stats_family family, int number, const golden_answer *answer,
                                oracle_truths *truths, golden_error *error)
{
    stats_draw d;
    uint64_t first = 0;
    int64_t count = 0;
    golden_status status = draw_read(row, family, number, &d, &first, &count, error);
    status = status == GOLDEN_OK ? oracle_expect(row, answer, (size_t)count, NULL, error) : status;
    bool *wanted = calloc(answer->count + 1, sizeof *wanted);
    if (status == GOLDEN_OK && wanted == NULL) {
        status = golden_fail(error, GOLDEN_REFUSED, "row %s: out of memory.", row->id);
    }
    if (status == GOLDEN_OK && golden_row_is_bulk(row)) {
        status = golden_row_samples(row, answer, wanted, error);
    }
    for (int64_t i = 0; status == GOLDEN_OK && i < count; ++i) {
        d.index = first + (uint64_t)i;
        if (!golden_row_is_bulk(row) || wanted[i]) {
            status = set_draw(&d, truths, (size_t)i, error);
        }
    }
    free(wanted);
    return status;
}

#define SAMPLE(name, family, number)                                                                                               \
    golden_status oracle_stats_sample_##name(const golden_row *row, const golden_answer *answer, oracle_truths *truths,            \
                                             golden_error *error)                                                                  \
    {                                                                                                                              \
        return sample_row(row, family, number, answer, truths, error);                                                             \
    }
SAMPLE(normal, STATS_NORMAL, 1)
SAMPLE(lognormal, STATS_LOGNORMAL, 2)
SAMPLE(student_t, STATS_STUDENT, 3)
SAMPLE(gamma, STATS_GAMMA, 4)
SAMPLE(poisson, STATS_POISSON, 5)
SAMPLE(negative_binomial, STATS_NEGATIVE_BINOMIAL, 6)
SAMPLE(binomial, STATS_BINOMIAL, 7)
SAMPLE(binomial_logit, STATS_BINOMIAL_LOGIT, 8)
