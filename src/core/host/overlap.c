// SPDX-License-Identifier: Apache-2.0
// Do two strided views share an element? Positions are equal when a bounded linear equation has a solution:
//   offset_a + sum i_k s_k = offset_b + sum j_k t_k,   0 <= i_k < shape_k.
// A search over the largest coefficient first decides it exactly. Where strides nest, as in every slice of an array, each level
// leaves one or two candidates; a budget stops irregular cases, which then count as overlapping.
#include "host.h"

#include <stdlib.h>

#define SEARCH_BUDGET 100000
#define MAX_TERMS (2 * NC_ARRAY_MAX_RANK)

// coefficient * x with 0 <= x <= bound.
typedef struct term {
    int64_t coefficient, bound;
} term;

// sum of the terms = target. All coefficients are positive, in descending order.
typedef struct equation {
    term terms[MAX_TERMS];
    int64_t rest_maximum[MAX_TERMS + 1]; // largest sum of the terms from here on
    int64_t rest_divisor[MAX_TERMS + 1]; // greatest common divisor of their coefficients
    int32_t count;
    int64_t target;
    int64_t budget;
} equation;

static int64_t common_divisor(int64_t a, int64_t b)
{
    while (b != 0) {
        int64_t remainder = a % b;
        a = b;
        b = remainder;
    }
    return a;
}

static void equation_add(equation *e, int64_t coefficient, int64_t bound)
{
    if (coefficient == 0 || bound == 0) {
        return;
    }
    if (coefficient < 0) { // x becomes bound - x
        e->target -= coefficient * bound;
        coefficient = -coefficient;
    }
    for (int32_t i = 0; i < e->count; ++i) {
        if (e->terms[i].coefficient == coefficient) {
            e->terms[i].bound += bound;
            return;
        }
    }
    int32_t place = e->count++;
    for (; place > 0 && e->terms[place - 1].coefficient < coefficient; --place) {
        e->terms[place] = e->terms[place - 1];
    }
    e->terms[place] = (term){coefficient, bound};
}

static int search(equation *e, int32_t level, int64_t target)
{
    if (target < 0 || target > e->rest_maximum[level]) {
        return 0;
    }
    if (target == 0) {
        return 1;
    }
    if (target % e->rest_divisor[level] != 0) {
        return 0;
    }
    const term *t = &e->terms[level];
    int64_t most = target / t->coefficient < t->bound ? target / t->coefficient : t->bound;
    int64_t uncovered = target - e->rest_maximum[level + 1];
    int64_t least = uncovered > 0 ? (uncovered + t->coefficient - 1) / t->coefficient : 0;
    for (int64_t x = most; x >= least; --x) {
        if (--e->budget < 0 || search(e, level + 1, target - x * t->coefficient)) {
            return 1;
        }
    }
    return 0;
}

static int equation_has_solution(equation *e)
{
    e->rest_maximum[e->count] = 0;
    e->rest_divisor[e->count] = 0;
    for (int32_t i = e->count - 1; i >= 0; --i) {
        e->rest_maximum[i] = e->rest_maximum[i + 1] + e->terms[i].coefficient * e->terms[i].bound;
        e->rest_divisor[i] = common_divisor(e->terms[i].coefficient, e->rest_divisor[i + 1]);
    }
    e->budget = SEARCH_BUDGET;
    return search(e, 0, e->target);
}

// Views lie inside their storage, so every product and sum here is below four times its size: no overflow.
static int views_share_element(const nc_array *a, const nc_array *b)
{
    if (a->storage != b->storage || a->count == 0 || b->count == 0) {
        return 0;
    }
    equation e = {.count = 0, .target = b->offset - a->offset};
    for (int32_t axis = 0; axis < a->rank; ++axis) {
        equation_add(&e, a->strides[axis], a->shape[axis] - 1);
    }
    for (int32_t axis = 0; axis < b->rank; ++axis) {
        equation_add(&e, -b->strides[axis], b->shape[axis] - 1);
    }
    return equation_has_solution(&e);
}

// Two index tuples that differ first on `axis`, by d_axis >= 1, and by any d_k after it, meet when sum d_k s_k = 0.
static int view_meets_itself_on(const nc_array *a, int32_t axis)
{
    if (a->shape[axis] < 2) {
        return 0;
    }
    equation e = {.count = 0, .target = -a->strides[axis]}; // d_axis = 1 + x
    equation_add(&e, a->strides[axis], a->shape[axis] - 2);
    for (int32_t k = axis + 1; k < a->rank; ++k) {
        int64_t most = a->shape[k] - 1;
        e.target += a->strides[k] * most; // d_k = x - most, x in 0 .. 2 most
        equation_add(&e, a->strides[k], 2 * most);
    }
    return equation_has_solution(&e);
}

nc_status nc_check_output(const nc_array *output, const char *name)
{
    if (output->count < 2) {
        return NC_OK;
    }
    for (int32_t axis = 0; axis < output->rank; ++axis) {
        if (view_meets_itself_on(output, axis)) {
            return be_fail(NC_OVERLAP,
                           "array %s has two elements at one place (stride %lld on axis %d); an output needs a place for each "
                           "element",
                           name, (long long)output->strides[axis], (int)axis);
        }
    }
    return NC_OK;
}

nc_status nc_check_apart(const nc_array *output, const char *name, const nc_array *input, const char *input_name)
{
    if (views_share_element(output, input)) {
        return be_fail(NC_OVERLAP, "array %s (offset %lld) overlaps %s (offset %lld) in one storage; write to an array of its own",
                       name, (long long)output->offset, input_name, (long long)input->offset);
    }
    return NC_OK;
}

int nc_array_is_same_view(const nc_array *a, const nc_array *b)
{
    if (a->storage != b->storage || a->offset != b->offset || a->rank != b->rank) {
        return 0;
    }
    for (int32_t axis = 0; axis < a->rank; ++axis) {
        if (a->shape[axis] != b->shape[axis] || (a->strides[axis] != b->strides[axis] && a->shape[axis] > 1)) {
            return 0;
        }
    }
    return 1;
}
