// SPDX-License-Identifier: Apache-2.0
// Rows of the module stats: arguments, the documented statuses, truth and scale of every output.
#include "stats_scale.h"

#include <string.h>

typedef struct family_line {
    bool is_count, has_trials, is_prior;
    int parameters;
    const char *outputs[4]; // after log_density and status: the gradients' labels
} family_line;

static const family_line lines[] = {
    [STATS_NORMAL] = {false, false, false, 2, {"gradient.mu", "gradient.sigma"}},
    [STATS_LOGNORMAL] = {false, false, false, 2, {"gradient.mu", "gradient.sigma"}},
    [STATS_STUDENT] = {false, false, false, 3, {"gradient.nu", "gradient.mu", "gradient.sigma"}},
    [STATS_GAMMA] = {false, false, false, 2, {"gradient.shape", "gradient.rate"}},
    [STATS_POISSON] = {true, false, false, 1, {"gradient.lambda"}},
    [STATS_NEGATIVE_BINOMIAL] = {true, false, false, 2, {"gradient.mu", "gradient.phi"}},
    [STATS_BINOMIAL] = {true, true, false, 1, {"gradient.p"}},
    [STATS_BINOMIAL_LOGIT] = {true, true, false, 1, {"gradient.logit"}},
    [STATS_PRIOR_NORMAL] = {false, false, true, 2, {"gradient.x", "gradient.mu", "gradient.sigma"}},
    [STATS_PRIOR_HALF_NORMAL] = {false, false, true, 1, {"gradient.x", "gradient.sigma"}},
    [STATS_PRIOR_LOGNORMAL] = {false, false, true, 2, {"gradient.x", "gradient.mu", "gradient.sigma"}},
    [STATS_PRIOR_GAMMA] = {false, false, true, 2, {"gradient.x", "gradient.shape", "gradient.rate"}},
    [STATS_PRIOR_BETA] = {false, false, true, 2, {"gradient.x", "gradient.a", "gradient.b"}},
};

bool stats_is_count(stats_family family)
{
    return lines[family].is_count;
}
int stats_parameter_count(stats_family family)
{
    return lines[family].parameters;
}

static golden_status censoring_read(const golden_row *row, stats_censoring *censoring, golden_error *error)
{
    static const char *const names[] = {"observed", "left", "right", "interval"};
    const char *text = "observed";
    if (golden_row_has(row, "censoring")) {
        golden_status status = golden_row_string(row, "censoring", &text, error);
        if (status != GOLDEN_OK) {
            return status;
        }
    }
    for (int i = 0; i < 4; ++i) {
        if (strcmp(text, names[i]) == 0) {
            *censoring = (stats_censoring)i;
            return GOLDEN_OK;
        }
    }
    return golden_fail(error, GOLDEN_REFUSED, "row %s: censoring=%s is none of observed, left, right, interval.", row->id, text);
}

static golden_status datum_read(const golden_row *row, stats_family family, stats_datum *datum, golden_error *error)
{
    static const char *const keys[] = {"p0", "p1", "p2"};
    *datum = (stats_datum){.family = family, .dtype = row->dtype};
    golden_status status = censoring_read(row, &datum->censoring, error);
    bool interval = datum->censoring == STATS_INTERVAL;
    if (lines[family].is_count) {
        status = status == GOLDEN_OK ? golden_row_integer(row, "y", &datum->count, error) : status;
        status = status == GOLDEN_OK && interval ? golden_row_integer(row, "upper", &datum->upper_count, error) : status;
    } else {
        status = status == GOLDEN_OK ? golden_row_real(row, "y", &datum->y, error) : status;
        status = status == GOLDEN_OK && interval ? golden_row_real(row, "upper", &datum->upper, error) : status;
    }
    if (lines[family].has_trials) {
        status = status == GOLDEN_OK ? golden_row_integer(row, "trials", &datum->trials, error) : status;
    }
    for (int k = 0; k < lines[family].parameters; ++k) {
        status = status == GOLDEN_OK ? golden_row_real(row, keys[k], &datum->p[k], error) : status;
    }
    return status;
}

// ---- Documented statuses, in their order: invalid value, invalid parameter, off support
// ----------------------------------------------

static bool is_finite(double x)
{
    return x - x == 0.0;
}

static bool parameters_are_valid(const stats_datum *datum)
{
    const double *p = datum->p;
    for (int k = 0; k < lines[datum->family].parameters; ++k) {
        if (!is_finite(p[k])) {
            return false;
        }
    }
    switch (datum->family) {
    case STATS_STUDENT:
        return p[0] > 0.0 && p[2] > 0.0;
    case STATS_GAMMA:
    case STATS_PRIOR_GAMMA:
        return p[0] > 0.0 && p[1] > 0.0;
    case STATS_PRIOR_BETA:
        return p[0] > 0.0 && p[1] > 0.0 && is_finite(datum->dtype == GOLDEN_F32 ? (double)(float)(p[0] + p[1]) : p[0] + p[1]);
    case STATS_POISSON:
        return p[0] >= 0.0;
    case STATS_NEGATIVE_BINOMIAL:
        return p[0] >= 0.0 && p[1] > 0.0;
    case STATS_BINOMIAL:
        return p[0] >= 0.0 && p[0] <= 1.0 && datum->trials >= 0;
    case STATS_BINOMIAL_LOGIT:
        return datum->trials >= 0;
    case STATS_PRIOR_HALF_NORMAL:
        return p[0] > 0.0;
    default:
        return p[1] > 0.0;
    }
}

static bool value_is_valid(const stats_datum *datum)
{
    if (lines[datum->family].is_count) {
        return datum->censoring != STATS_INTERVAL || datum->upper_count >= datum->count;
    }
    return datum->y == datum->y && (datum->censoring != STATS_INTERVAL || datum->upper >= datum->y);
}

static bool observed_on_support(const stats_datum *datum)
{
    switch (datum->family) {
    case STATS_LOGNORMAL:
    case STATS_PRIOR_LOGNORMAL:
        return datum->y > 0.0 && is_finite(datum->y);
    case STATS_GAMMA:
    case STATS_PRIOR_GAMMA:
    case STATS_PRIOR_HALF_NORMAL:
        return datum->y >= 0.0 && is_finite(datum->y);
    case STATS_PRIOR_BETA:
        return datum->y >= 0.0 && datum->y <= 1.0;
    case STATS_POISSON:
    case STATS_NEGATIVE_BINOMIAL:
        return datum->count >= 0 && (datum->count == 0 || datum->p[0] > 0.0);
    case STATS_BINOMIAL:
        return datum->count >= 0 && datum->count <= datum->trials && (datum->p[0] > 0.0 || datum->count == 0) &&
               (datum->p[0] < 1.0 || datum->count == datum->trials);
    case STATS_BINOMIAL_LOGIT:
        return datum->count >= 0 && datum->count <= datum->trials;
    default:
        return is_finite(datum->y);
    }
}

// What a row of the corpus may hold besides ordinary data: values with a plain truth. Parameters at a boundary and the gradients of
// data off the support are tested in the suites, where their one-sided limits are written down.
static golden_status plain_outcome(const golden_row *row, const stats_datum *datum, int *status, golden_error *error)
{
    *status = STATS_OK;
    if (!value_is_valid(datum)) {
        *status = STATS_INVALID_VALUE;
    } else if (!parameters_are_valid(datum)) {
        *status = STATS_INVALID_PARAMETER;
    } else if (datum->censoring == STATS_OBSERVED && !observed_on_support(datum)) {
        *status = STATS_OFF_SUPPORT;
    }
    bool boundary = (datum->family == STATS_POISSON || datum->family == STATS_NEGATIVE_BINOMIAL) && datum->p[0] == 0.0;
    boundary = boundary || (datum->family == STATS_BINOMIAL && (datum->p[0] == 0.0 || datum->p[0] == 1.0));
    boundary =
        boundary || (datum->family == STATS_GAMMA && datum->y == 0.0) || (datum->family == STATS_PRIOR_GAMMA && datum->y == 0.0);
    boundary = boundary || (datum->family == STATS_PRIOR_BETA && (datum->y == 0.0 || datum->y == 1.0));
    if (*status <= STATS_OFF_SUPPORT && boundary && datum->censoring == STATS_OBSERVED) {
        return golden_fail(error, GOLDEN_REFUSED, "row %s: a parameter or datum at its boundary belongs to the suite stats.",
                           row->id);
    }
    return GOLDEN_OK;
}

// ---- Outputs
// ------------------------------------------------------------------------------------------------------------------------

static golden_status set_real(const golden_row *row, stats_datum *datum, int output, size_t slot, double *value,
                              oracle_truths *truths, golden_error *error)
{
    mpfr_t truth, scale;
    mpfr_init2(truth, 64);
    mpfr_init2(scale, 64);
    datum->output = output;
    golden_status status = oracle_settle(stats_formula, datum, truth, error);
    if (status == GOLDEN_OK) {
        double number = mpfr_get_d(truth, MPFR_RNDN);
        *value = output == 0 ? number : *value;
        double units = datum->censoring == STATS_OBSERVED
                           ? (output == 0 ? stats_density_scale(datum) : stats_score_scale(datum, output - 1, number))
                           : stats_censored_scale(datum, *value, number);
        if (number - number != 0.0) { // it overflows: the answer must, too
            units = 0.0;
        }
        mpfr_set_d(scale, units, MPFR_RNDN);
        oracle_set_settled(truths, slot, truth);
        oracle_set_scale(truths, slot, scale);
    } else {
        char reason[sizeof error->text];
        memcpy(reason, error->text, sizeof reason);
        status = golden_fail(error, status, "row %s, output %d: %.900s", row->id, output, reason);
    }
    mpfr_clears(truth, scale, (mpfr_ptr)0);
    return status;
}

static void set_special(oracle_truths *truths, size_t slot, int kind) // -1: -inf; 0: zero; 1: NaN
{
    mpfr_t value;
    mpfr_init2(value, 64);
    if (kind < 0) {
        mpfr_set_inf(value, -1);
    } else if (kind > 0) {
        mpfr_set_nan(value);
    } else {
        mpfr_set_zero(value, 1);
    }
    oracle_set_exact(truths, slot, value);
    mpfr_clear(value);
}

static bool overflows(double value, golden_dtype dtype)
{
    return value - value != 0.0 || (dtype == GOLDEN_F32 && !((value < 0.0 ? -value : value) < 0x1.ffffffp+127));
}

static bool is_unsupported(const stats_datum *datum, int parameter)
{
    return datum->censoring != STATS_OBSERVED &&
           ((datum->family == STATS_STUDENT && parameter == 0) || (datum->family == STATS_GAMMA && parameter == 0) ||
            (datum->family == STATS_NEGATIVE_BINOMIAL && parameter == 1));
}

// Outputs: log_density, status, then each gradient, then the status of the gradient call.
static golden_status density_row(const golden_row *row, stats_family family, const golden_answer *answer, oracle_truths *truths,
                                 golden_error *error)
{
    const family_line *line = &lines[family];
    const char *labels[8] = {"log_density", "status"};
    int gradients = line->parameters + (line->is_prior ? 1 : 0), outcome = STATS_OK;
    stats_datum datum;
    double value = 0.0;
    mpfr_set_emin(mpfr_get_emin_min());
    mpfr_set_emax(mpfr_get_emax_max());
    golden_status status = datum_read(row, family, &datum, error);
    for (int k = 0; k < gradients; ++k) {
        labels[2 + k] = line->outputs[k];
    }
    labels[2 + gradients] = "status.gradient";
    size_t outputs = (size_t)gradients + 3;
    status = status == GOLDEN_OK ? oracle_expect(row, answer, outputs, labels, error) : status;
    status = status == GOLDEN_OK ? plain_outcome(row, &datum, &outcome, error) : status;
    bool unsupported = false;
    if (status == GOLDEN_OK && outcome == STATS_OK) {
        status = set_real(row, &datum, 0, 0, &value, truths, error);
        if (status == GOLDEN_OK && datum.censoring != STATS_OBSERVED && overflows(value, row->dtype)) {
            outcome = STATS_OFF_SUPPORT; // a censored term of probability 0, or nearly so; a density's -inf is a value
        }
    }
    for (int k = 0; status == GOLDEN_OK && k < gradients; ++k) {
        size_t slot = (size_t)k + 2;
        if (outcome != STATS_OK) {
            set_special(truths, slot, outcome == STATS_OFF_SUPPORT ? 0 : 1);
        } else if (is_unsupported(&datum, k)) {
            set_special(truths, slot, 1);
            unsupported = true;
        } else {
            status = set_real(row, &datum, k + 1, slot, &value, truths, error);
        }
    }
    if (status == GOLDEN_OK && outcome != STATS_OK) {
        set_special(truths, 0, outcome == STATS_OFF_SUPPORT ? -1 : 1);
    }
    if (status == GOLDEN_OK) {
        oracle_set_integer(truths, 1, outcome);
        oracle_set_integer(truths, outputs - 1, unsupported ? STATS_UNSUPPORTED : outcome);
    }
    return status;
}

#define DENSITY(name, family)                                                                                                      \
    golden_status oracle_stats_##name(const golden_row *row, const golden_answer *answer, oracle_truths *truths,                   \
                                      golden_error *error)                                                                         \
    {                                                                                                                              \
        return density_row(row, family, answer, truths, error);                                                                    \
    }
DENSITY(normal, STATS_NORMAL)
DENSITY(lognormal, STATS_LOGNORMAL)
DENSITY(student_t, STATS_STUDENT)
DENSITY(gamma, STATS_GAMMA)
DENSITY(poisson, STATS_POISSON)
DENSITY(negative_binomial, STATS_NEGATIVE_BINOMIAL)
DENSITY(binomial, STATS_BINOMIAL)
DENSITY(binomial_logit, STATS_BINOMIAL_LOGIT)
DENSITY(prior_normal, STATS_PRIOR_NORMAL)
DENSITY(prior_half_normal, STATS_PRIOR_HALF_NORMAL)
DENSITY(prior_lognormal, STATS_PRIOR_LOGNORMAL)
DENSITY(prior_gamma, STATS_PRIOR_GAMMA)
DENSITY(prior_beta, STATS_PRIOR_BETA)
