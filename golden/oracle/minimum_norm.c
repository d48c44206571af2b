// SPDX-License-Identifier: Apache-2.0
// Truth of dense.minimum_norm: the exact minimum-norm solution, the bits that the documented steps (docs/dense.md) give, and a
// bound made of the two ways in which those steps can err.
#include "singular.h"
#include "tracked.h"

#include <stdlib.h>

enum { SWEEPS = 40, N_MAX = 16 };

// One rotation, in unit roundoffs of the norm of the two columns: c is off by 1/2 + 1 + 1 (fma, root, quotient), s by one more, and
// an element by the product s q and the fma, 1 each (docs/dense.md).
enum { ROTATION_ERROR = 6 };

// Replay of the rotations with one rounding for each operation. Numbers have the dtype's precision.
typedef struct jacobi {
    golden_dtype dtype;
    int64_t n;
    mpfr_t *u, *v;
    long rotations;
    mpfr_t exact, product; // scratch: every sum and product fits; quotients and roots are long enough to be rounded once
    mpfr_t alpha, beta, gamma, zeta, t, c, s, left, right, unit, floor2;
} jacobi;

static void op_fma(jacobi *j, mpfr_t z, const mpfr_t a, const mpfr_t b, const mpfr_t c)
{
    mpfr_mul(j->product, a, b, MPFR_RNDN);
    mpfr_add(j->exact, j->product, c, MPFR_RNDN);
    oracle_round_to(z, j->exact, j->dtype);
}

static void op_mul(jacobi *j, mpfr_t z, const mpfr_t a, const mpfr_t b)
{
    mpfr_mul(j->product, a, b, MPFR_RNDN);
    oracle_round_to(z, j->product, j->dtype);
}

static void op_div(jacobi *j, mpfr_t z, const mpfr_t a, const mpfr_t b)
{
    mpfr_div(j->exact, a, b, MPFR_RNDN);
    oracle_round_to(z, j->exact, j->dtype);
}

static void op_root(jacobi *j, mpfr_t z, const mpfr_t a)
{
    mpfr_sqrt(j->exact, a, MPFR_RNDN);
    oracle_round_to(z, j->exact, j->dtype);
}

static void op_add(jacobi *j, mpfr_t z, const mpfr_t a, const mpfr_t b)
{
    mpfr_add(j->exact, a, b, MPFR_RNDN);
    oracle_round_to(z, j->exact, j->dtype);
}

static void column_dot(jacobi *j, mpfr_t sum, int64_t p, int64_t q)
{
    mpfr_set_zero(sum, 1);
    for (int64_t r = 0; r < j->n; ++r) {
        op_fma(j, sum, j->u[r * j->n + p], j->u[r * j->n + q], sum);
    }
}

// p' = c p - s q, q' = s p + c q, the products with q rounded first
static void rotate(jacobi *j, mpfr_t *m, int64_t p, int64_t q)
{
    for (int64_t r = 0; r < j->n; ++r) {
        mpfr_t *first = &m[r * j->n + p], *second = &m[r * j->n + q];
        op_mul(j, j->left, j->s, *second);
        mpfr_neg(j->left, j->left, MPFR_RNDN);
        op_fma(j, j->left, j->c, *first, j->left);
        op_mul(j, j->right, j->c, *second);
        op_fma(j, j->right, j->s, *first, j->right);
        mpfr_set(*first, j->left, MPFR_RNDN);
        mpfr_set(*second, j->right, MPFR_RNDN);
    }
}

// (n u)^2 times the largest squared column: columns at or below it are noise of the others.
static void floor_set(jacobi *j)
{
    mpfr_set_zero(j->floor2, 1);
    for (int64_t k = 0; k < j->n; ++k) {
        column_dot(j, j->alpha, k, k);
        mpfr_max(j->floor2, j->floor2, j->alpha, MPFR_RNDN);
    }
    mpfr_mul_si(j->t, j->unit, (long)j->n, MPFR_RNDN);
    op_mul(j, j->t, j->t, j->t);
    op_mul(j, j->floor2, j->t, j->floor2);
}

static bool pair_step(jacobi *j, int64_t p, int64_t q)
{
    column_dot(j, j->alpha, p, p);
    column_dot(j, j->beta, q, q);
    column_dot(j, j->gamma, p, q);
    op_root(j, j->left, j->alpha);
    op_root(j, j->right, j->beta);
    op_mul(j, j->left, j->left, j->right);
    mpfr_mul_si(j->t, j->unit, 2 * (long)j->n, MPFR_RNDN);
    op_mul(j, j->left, j->t, j->left);
    if (!(mpfr_greater_p(j->alpha, j->floor2) && mpfr_greater_p(j->beta, j->floor2) && mpfr_cmpabs(j->gamma, j->left) > 0)) {
        return false;
    }
    mpfr_neg(j->left, j->alpha, MPFR_RNDN);
    op_add(j, j->zeta, j->beta, j->left);
    mpfr_mul_2ui(j->exact, j->gamma, 1, MPFR_RNDN);
    oracle_round_to(j->gamma, j->exact, j->dtype);
    op_div(j, j->zeta, j->zeta, j->gamma);
    mpfr_set_ui(j->t, 1, MPFR_RNDN);
    op_fma(j, j->s, j->zeta, j->zeta, j->t);
    op_root(j, j->s, j->s);
    mpfr_abs(j->left, j->zeta, MPFR_RNDN);
    op_add(j, j->s, j->left, j->s);
    op_div(j, j->s, j->t, j->s); // the tangent's magnitude
    bool negative = mpfr_sgn(j->zeta) < 0;
    op_fma(j, j->c, j->s, j->s, j->t);
    op_root(j, j->c, j->c);
    op_div(j, j->c, j->t, j->c);
    op_mul(j, j->s, j->c, j->s);
    if (negative) {
        mpfr_neg(j->s, j->s, MPFR_RNDN);
    }
    rotate(j, j->u, p, q);
    rotate(j, j->v, p, q);
    ++j->rotations;
    return true;
}

// Round-robin: 2 pairs of seats; player 0 stays, the others move one seat a round; seats k and 2 pairs - 1 - k meet.
static int64_t player_at(int64_t seats, int64_t round, int64_t seat)
{
    return seat == 0 ? 0 : (seat - 1 + round) % (seats - 1) + 1;
}

static bool sweeps_run(jacobi *j)
{
    int64_t seats = (j->n + 1) / 2 * 2;
    for (int sweep = 0; sweep < SWEEPS; ++sweep) {
        bool turned = false;
        floor_set(j);
        for (int64_t round = 0; round < seats - 1; ++round) {
            for (int64_t seat = 0; seat < seats / 2; ++seat) {
                int64_t a = player_at(seats, round, seat), b = player_at(seats, round, seats - 1 - seat);
                int64_t p = a < b ? a : b, q = a < b ? b : a;
                turned = (q < j->n && pair_step(j, p, q)) || turned;
            }
        }
        if (!turned) {
            return true;
        }
    }
    return false;
}

// Exponent of the largest magnitude, 0 for zeros.
static mpfr_exp_t top_exponent(const golden_array *array, mpfr_t work)
{
    mpfr_exp_t top = 0;
    bool found = false;
    for (size_t i = 0; i < array->count; ++i) {
        oracle_load(work, golden_array_at(array, i));
        if (mpfr_regular_p(work) && (!found || mpfr_get_exp(work) - 1 > top)) {
            top = mpfr_get_exp(work) - 1;
            found = true;
        }
    }
    return top;
}

static golden_status jacobi_start(jacobi *j, golden_dtype dtype, int64_t n, const golden_array *a, mpfr_exp_t exponent,
                                  golden_error *error)
{
    const oracle_format *format = oracle_format_of(dtype);
    *j = (jacobi){.dtype = dtype, .n = n};
    mpfr_init2(j->exact, 3 * (format->largest - format->least + format->precision) + 64);
    mpfr_init2(j->product, 2 * format->precision);
    mpfr_inits2(format->precision, j->alpha, j->beta, j->gamma, j->zeta, j->t, j->c, j->s, j->left, j->right, j->unit, j->floor2,
                (mpfr_ptr)0);
    mpfr_set_ui_2exp(j->unit, 1, -format->precision, MPFR_RNDN);
    j->u = oracle_numbers_new(n * n, format->precision);
    j->v = oracle_numbers_new(n * n, format->precision);
    if (j->u == NULL || j->v == NULL) {
        return golden_fail(error, GOLDEN_REFUSED, "out of memory.");
    }
    for (int64_t e = 0; e < n * n; ++e) {
        oracle_load(j->exact, golden_array_at(a, (size_t)e));
        mpfr_mul_2si(j->exact, j->exact, -exponent, MPFR_RNDN);
        if (!oracle_round_to(j->u[e], j->exact, dtype)) {
            return golden_fail(error, GOLDEN_REFUSED, "scaling the matrix loses bits: this is no row.");
        }
        mpfr_set_ui(j->v[e], e / n == e % n ? 1 : 0, MPFR_RNDN);
    }
    return GOLDEN_OK;
}

static void jacobi_clear(jacobi *j)
{
    mpfr_clears(j->exact, j->product, j->alpha, j->beta, j->gamma, j->zeta, j->t, j->c, j->s, j->left, j->right, j->unit, j->floor2,
                (mpfr_ptr)0);
    oracle_numbers_free(j->u, j->n * j->n);
    oracle_numbers_free(j->v, j->n * j->n);
}

// z = round(z + a b); `minus` is scratch
static void tracked_fma(oracle_tracker *tracker, oracle_tracked *z, const mpfr_t a, const oracle_tracked *b, oracle_tracked *minus)
{
    mpfr_neg(minus->value, a, MPFR_RNDN);
    mpfr_set_zero(minus->bound, 1);
    oracle_tracked_fms(tracker, z, minus, b, z);
}

// x = sum over the kept columns of v_j (u_j' b) / sigma_j^2, with running bounds; U, V and b count as exact. The rank.
static int64_t inverse_apply(jacobi *j, oracle_tracker *tracker, const oracle_tracked *b, oracle_tracked *x,
                             oracle_tracked *weights, oracle_tracked *scratch)
{
    int64_t n = j->n, rank = 0;
    oracle_tracked *minus = &scratch[0], *column = &scratch[1], *square = &scratch[2];
    mpfr_set_zero(j->beta, 1);
    for (int64_t k = 0; k < n; ++k) {
        column_dot(j, j->alpha, k, k);
        mpfr_max(j->beta, j->beta, j->alpha, MPFR_RNDN);
    }
    op_root(j, j->beta, j->beta);
    mpfr_mul_si(j->t, j->unit, 2 * (long)n, MPFR_RNDN);
    op_mul(j, j->beta, j->t, j->beta); // the cutoff n eps sigma_max
    for (int64_t k = 0; k < n; ++k) {
        oracle_tracked_zero(square);
        oracle_tracked_zero(&weights[k]);
        for (int64_t r = 0; r < n; ++r) {
            mpfr_set(column->value, j->u[r * n + k], MPFR_RNDN);
            mpfr_set_zero(column->bound, 1);
            tracked_fma(tracker, square, j->u[r * n + k], column, minus);
            tracked_fma(tracker, &weights[k], j->u[r * n + k], &b[r], minus);
        }
        op_root(j, j->alpha, square->value);
        if (mpfr_greater_p(j->alpha, j->beta)) {
            oracle_tracked_divide(tracker, &weights[k], &weights[k], square);
            ++rank;
        } else {
            oracle_tracked_zero(&weights[k]);
        }
    }
    for (int64_t i = 0; i < n; ++i) {
        oracle_tracked_zero(&x[i]);
        for (int64_t k = 0; k < n; ++k) {
            tracked_fma(tracker, &x[i], j->v[i * n + k], &weights[k], minus);
        }
    }
    return rank;
}

// What the rotations can do to any component: U is (A + E) V with |E| <= 6 R u |A| after R rotations, V is off by as much of its
// own norm, and columns that are orthogonal to the threshold leave (n - 1)(3n + 2) u of |b| / sigma_r. E moves the solution by at
// most |E| (2 |x| / sigma_r + |b - A x| / sigma_r^2) (Wedin, BIT 13, 1973); 1 + 2^-6 covers the second order.
static void rotation_bound(const jacobi *j, const oracle_singular *singular, mpfr_t bound)
{
    mpfr_t part, ratio;
    mpfr_inits2(64, part, ratio, (mpfr_ptr)0);
    long n = (long)j->n, turned = ROTATION_ERROR * j->rotations;
    mpfr_div(ratio, singular->norm_residual, singular->least, MPFR_RNDU);
    mpfr_mul_2ui(part, singular->norm_x, 1, MPFR_RNDU);
    mpfr_add(ratio, ratio, part, MPFR_RNDU);
    mpfr_div(ratio, ratio, singular->least, MPFR_RNDU);
    mpfr_mul(ratio, ratio, singular->norm_a, MPFR_RNDU);
    mpfr_mul_si(bound, ratio, turned, MPFR_RNDU);
    mpfr_div(part, singular->norm_b, singular->least, MPFR_RNDU);
    mpfr_mul_si(part, part, (n - 1) * (3 * n + 2), MPFR_RNDU);
    mpfr_add(bound, bound, part, MPFR_RNDU);
    mpfr_sqrt_ui(part, (unsigned long)n, MPFR_RNDU);
    mpfr_mul(part, part, singular->norm_x, MPFR_RNDU);
    mpfr_mul_si(part, part, turned, MPFR_RNDU);
    mpfr_add(bound, bound, part, MPFR_RNDU);
    mpfr_mul(bound, bound, j->unit, MPFR_RNDU);
    mpfr_div_2ui(part, bound, 6, MPFR_RNDU);
    mpfr_add(bound, bound, part, MPFR_RNDU);
    mpfr_clears(part, ratio, (mpfr_ptr)0);
}

typedef struct minimum_norm_row {
    int64_t n, component;
    golden_array a, b;
} minimum_norm_row;

static golden_status component_of(mpfr_t result, mpfr_prec_t precision, const void *context, golden_error *error)
{
    const minimum_norm_row *system = context;
    oracle_singular singular;
    golden_status status = oracle_singular_solve(&system->a, &system->b, system->n, precision, &singular, error);
    if (status == GOLDEN_OK) {
        mpfr_set(result, singular.x[system->component], MPFR_RNDN);
    }
    oracle_singular_free(&singular);
    return status;
}

static golden_status row_read(const golden_row *row, const golden_answer *answer, minimum_norm_row *system, golden_error *error)
{
    const char *labels[N_MAX + 1];
    golden_status status = golden_row_integer(row, "n", &system->n, error);
    if (status == GOLDEN_OK && (system->n < 1 || system->n > N_MAX)) {
        status = golden_fail(error, GOLDEN_REFUSED, "row %s: n must be 1 to %d.", row->id, N_MAX);
    }
    status = status == GOLDEN_OK ? golden_row_matrix(row, system->n, &system->a, error) : status;
    status = status == GOLDEN_OK ? golden_row_array(row, "b", row->dtype, &system->b, error) : status;
    if (status == GOLDEN_OK && (system->a.count != (size_t)(system->n * system->n) || system->b.count != (size_t)system->n)) {
        status = golden_fail(error, GOLDEN_REFUSED, "row %s: a must have n x n elements and b n.", row->id);
    }
    for (int64_t i = 0; status == GOLDEN_OK && i <= system->n; ++i) {
        labels[i] = i < system->n ? "" : "full_rank";
    }
    return status == GOLDEN_OK ? oracle_expect(row, answer, (size_t)system->n + 1, labels, error) : status;
}

// Sets every truth from the settled solution and the replayed numbers `x`, which are still scaled by 2^-exponent.
static golden_status truths_set(const minimum_norm_row *system, const jacobi *j, const oracle_singular *singular, oracle_tracked *x,
                                mpfr_exp_t exponent, oracle_truths *truths, golden_error *error)
{
    mpfr_t truth, bound, turned;
    golden_status status = GOLDEN_OK;
    minimum_norm_row context = *system;
    mpfr_inits2(64, truth, bound, turned, (mpfr_ptr)0);
    rotation_bound(j, singular, turned);
    for (int64_t i = 0; status == GOLDEN_OK && i < system->n; ++i) {
        context.component = i;
        status = oracle_settle(component_of, &context, truth, error);
        mpfr_mul_2si(x[i].value, x[i].value, exponent, MPFR_RNDN);
        mpfr_mul_2si(bound, x[i].bound, exponent, MPFR_RNDU);
        mpfr_add(bound, bound, turned, MPFR_RNDU);
        golden_value bits = oracle_round(x[i].value, j->dtype);
        mpfr_t back;
        mpfr_init2(back, 64);
        oracle_load(back, bits);
        if (status == GOLDEN_OK && !mpfr_equal_p(back, x[i].value)) {
            status = golden_fail(error, GOLDEN_REFUSED, "scaling the solution loses bits: this is no row.");
        }
        mpfr_clear(back);
        oracle_set_settled(truths, (size_t)i, truth);
        oracle_set_scale(truths, (size_t)i, bound);
        oracle_require(truths, (size_t)i, bits);
    }
    oracle_set_integer(truths, (size_t)system->n, singular->rank == system->n);
    mpfr_clears(truth, bound, turned, (mpfr_ptr)0);
    return status;
}

golden_status oracle_dense_minimum_norm(const golden_row *row, const golden_answer *answer, oracle_truths *truths,
                                        golden_error *error)
{
    minimum_norm_row system = {0};
    golden_status status = row_read(row, answer, &system, error);
    if (status != GOLDEN_OK) {
        golden_array_free(&system.a);
        golden_array_free(&system.b);
        return status;
    }
    size_t n = (size_t)system.n;
    oracle_tracked *numbers = oracle_tracked_new(3 * n + 3, row->dtype); // b, x, weights and three of scratch
    oracle_tracker tracker;
    oracle_singular singular;
    jacobi j;
    mpfr_t work;
    mpfr_init2(work, 64);
    oracle_tracker_init(&tracker, row->dtype);
    mpfr_exp_t a_exponent = top_exponent(&system.a, work), b_exponent = top_exponent(&system.b, work);
    status = jacobi_start(&j, row->dtype, system.n, &system.a, a_exponent, error);
    golden_error solving;
    golden_status solved = oracle_singular_solve(&system.a, &system.b, system.n, 256, &singular, &solving);
    if (status == GOLDEN_OK && (numbers == NULL || solved != GOLDEN_OK)) {
        status = golden_fail(error, GOLDEN_REFUSED, "%.900s", numbers == NULL ? "out of memory." : solving.text);
    }
    for (size_t i = 0; status == GOLDEN_OK && i < n; ++i) {
        oracle_load(work, golden_array_at(&system.b, i));
        mpfr_mul_2si(work, work, -b_exponent, MPFR_RNDN);
        if (!oracle_round_to(numbers[i].value, work, row->dtype)) {
            status = golden_fail(error, GOLDEN_REFUSED, "scaling b loses bits: this is no row.");
        }
    }
    if (status == GOLDEN_OK && !sweeps_run(&j)) {
        status = golden_fail(error, GOLDEN_REFUSED, "the documented steps do not converge: this is no row.");
    }
    if (status == GOLDEN_OK &&
        inverse_apply(&j, &tracker, numbers, numbers + n, numbers + 2 * n, numbers + 3 * n) != singular.rank) {
        status = golden_fail(error, GOLDEN_REFUSED, "the documented steps find another rank than the exact one: this is no row.");
    }
    if (status == GOLDEN_OK) {
        status = truths_set(&system, &j, &singular, numbers + n, b_exponent - a_exponent, truths, error);
    }
    jacobi_clear(&j);
    oracle_singular_free(&singular);
    oracle_tracker_clear(&tracker);
    oracle_tracked_free(numbers, 3 * n + 3);
    mpfr_clear(work);
    golden_array_free(&system.a);
    golden_array_free(&system.b);
    return status;
}
