// SPDX-License-Identifier: Apache-2.0
// Every array argument of every operation wrong once: the right status, a sentence that names the argument, nothing written,
// nothing launched.
#include "abi.h"
#include "values.h"

// What can be passed for one argument. The first of each kind is right.
typedef enum operand {
    VECTOR_X,  // input of 12 elements
    VECTOR_Y,  // input of 12 elements
    OUTPUT,    // output of 12 elements
    SCALAR,    // output of one element
    BLOCKS,    // output of 3 elements: blocks of 5
    MATRIX_A,  // 3 x 4
    MATRIX_B,  // 4 x 5
    MATRIX_C,  // output, 3 x 5
    WORDS,     // output of 12 words
    NOTHING,   // a null pointer
    INTEGERS,  // 12 elements, i64
    OTHER,     // 12 elements of the other real dtype
    SHORT,     // 11 elements
    FOLDED,    // 12 elements as 3 x 4
    FOREIGN,   // 12 elements of another device handle
    SHIFTED,   // 11 of x's own elements and one more: overlaps VECTOR_X
    REPEATED,  // one element seen 12 times
    PAIR,      // 2 elements
    OTHER_ONE, // one element of the other real dtype
    INSIDE_X,  // one of x's own elements
    SQUARE,    // 4 x 4
    OTHER_MATRIX,
    FOREIGN_MATRIX,
    PART_OF_A, // 3 x 5, overlaps MATRIX_A
    OPERAND_COUNT
} operand;

typedef struct operands {
    nc_array *at[OPERAND_COUNT];
    nc_device *second;
} operands;

typedef nc_status (*operation)(nc_array *const *arguments);

static nc_status call_axpy(nc_array *const *a)
{
    return nc_axpy(2.0, a[0], a[1], a[2]);
}
static nc_status call_sum(nc_array *const *a)
{
    return nc_sum(a[0], a[1]);
}
static nc_status call_dot(nc_array *const *a)
{
    return nc_dot(a[0], a[1], a[2]);
}
static nc_status call_minimum(nc_array *const *a)
{
    return nc_minimum(a[0], a[1]);
}
static nc_status call_maximum(nc_array *const *a)
{
    return nc_maximum(a[0], a[1]);
}
static nc_status call_blocks(nc_array *const *a)
{
    return nc_block_maximum(a[0], 5, a[1]);
}
static nc_status call_blocks_of_none(nc_array *const *a)
{
    return nc_block_maximum(a[0], 0, a[1]);
}
static nc_status call_gemm(nc_array *const *a)
{
    return nc_gemm(1.0, a[0], a[1], 0.5, a[2]);
}
static nc_status call_words(nc_array *const *a)
{
    return nc_rng_words(1, 2, 3, a[0]);
}
static nc_status call_uniform(nc_array *const *a)
{
    return nc_rng_uniform(1, 2, 3, a[0]);
}
static nc_status call_curand(nc_array *const *a)
{
    return nc_rng_uniform_curand(1, 2, 3, a[0]);
}
static nc_status call_normal(nc_array *const *a)
{
    return nc_rng_normal(1, 2, 3, a[0]);
}

typedef struct row {
    operation call;
    operand arguments[3];
    nc_status expected;
    const char *named; // the argument in the sentence
} row;

static const row rows[] = {
    {call_axpy, {NOTHING, VECTOR_Y, OUTPUT}, NC_NULL_ARGUMENT, "x"},
    {call_axpy, {VECTOR_X, NOTHING, OUTPUT}, NC_NULL_ARGUMENT, "y"},
    {call_axpy, {VECTOR_X, VECTOR_Y, NOTHING}, NC_NULL_ARGUMENT, "out"},
    {call_axpy, {INTEGERS, VECTOR_Y, OUTPUT}, NC_MIXED_DTYPE, "x"},
    {call_axpy, {VECTOR_X, OTHER, OUTPUT}, NC_MIXED_DTYPE, "y"},
    {call_axpy, {VECTOR_X, VECTOR_Y, OTHER}, NC_MIXED_DTYPE, "out"},
    {call_axpy, {VECTOR_X, SHORT, OUTPUT}, NC_SHAPE_MISMATCH, "y"},
    {call_axpy, {VECTOR_X, FOLDED, OUTPUT}, NC_SHAPE_MISMATCH, "y"},
    {call_axpy, {VECTOR_X, VECTOR_Y, SHORT}, NC_SHAPE_MISMATCH, "out"},
    {call_axpy, {VECTOR_X, VECTOR_Y, FOLDED}, NC_SHAPE_MISMATCH, "out"},
    {call_axpy, {FOREIGN, VECTOR_Y, OUTPUT}, NC_WRONG_DEVICE, "x"},
    {call_axpy, {VECTOR_X, FOREIGN, OUTPUT}, NC_WRONG_DEVICE, "y"},
    {call_axpy, {VECTOR_X, VECTOR_Y, FOREIGN}, NC_WRONG_DEVICE, "out"},
    {call_axpy, {VECTOR_X, VECTOR_Y, SHIFTED}, NC_OVERLAP, "out"},
    {call_axpy, {VECTOR_X, VECTOR_Y, VECTOR_X}, NC_OVERLAP, "out"}, // exactly y's view is allowed, x's is not
    {call_axpy, {VECTOR_Y, VECTOR_X, SHIFTED}, NC_OVERLAP, "out"},
    {call_axpy, {VECTOR_X, VECTOR_Y, REPEATED}, NC_OVERLAP, "out"},
    {call_sum, {NOTHING, SCALAR}, NC_NULL_ARGUMENT, "x"},
    {call_sum, {VECTOR_X, NOTHING}, NC_NULL_ARGUMENT, "out"},
    {call_sum, {INTEGERS, SCALAR}, NC_MIXED_DTYPE, "x"},
    {call_sum, {VECTOR_X, OTHER_ONE}, NC_MIXED_DTYPE, "out"},
    {call_sum, {VECTOR_X, PAIR}, NC_SHAPE_MISMATCH, "out"},
    {call_sum, {FOREIGN, SCALAR}, NC_WRONG_DEVICE, "out"},
    {call_sum, {VECTOR_X, INSIDE_X}, NC_OVERLAP, "out"},
    {call_dot, {NOTHING, VECTOR_Y, SCALAR}, NC_NULL_ARGUMENT, "x"},
    {call_dot, {VECTOR_X, NOTHING, SCALAR}, NC_NULL_ARGUMENT, "y"},
    {call_dot, {VECTOR_X, VECTOR_Y, NOTHING}, NC_NULL_ARGUMENT, "out"},
    {call_dot, {INTEGERS, VECTOR_Y, SCALAR}, NC_MIXED_DTYPE, "x"},
    {call_dot, {VECTOR_X, OTHER, SCALAR}, NC_MIXED_DTYPE, "y"},
    {call_dot, {VECTOR_X, VECTOR_Y, OTHER_ONE}, NC_MIXED_DTYPE, "out"},
    {call_dot, {VECTOR_X, SHORT, SCALAR}, NC_SHAPE_MISMATCH, "y"},
    {call_dot, {VECTOR_X, VECTOR_Y, PAIR}, NC_SHAPE_MISMATCH, "out"},
    {call_dot, {VECTOR_X, FOREIGN, SCALAR}, NC_WRONG_DEVICE, "y"},
    {call_dot, {FOREIGN, VECTOR_Y, SCALAR}, NC_WRONG_DEVICE, "y"},
    {call_dot, {VECTOR_Y, VECTOR_X, INSIDE_X}, NC_OVERLAP, "out"},
    {call_minimum, {NOTHING, SCALAR}, NC_NULL_ARGUMENT, "x"},
    {call_minimum, {VECTOR_X, NOTHING}, NC_NULL_ARGUMENT, "out"},
    {call_minimum, {INTEGERS, SCALAR}, NC_MIXED_DTYPE, "x"},
    {call_minimum, {VECTOR_X, OTHER_ONE}, NC_MIXED_DTYPE, "out"},
    {call_minimum, {VECTOR_X, PAIR}, NC_SHAPE_MISMATCH, "out"},
    {call_minimum, {FOREIGN, SCALAR}, NC_WRONG_DEVICE, "out"},
    {call_minimum, {VECTOR_X, INSIDE_X}, NC_OVERLAP, "out"},
    {call_maximum, {NOTHING, SCALAR}, NC_NULL_ARGUMENT, "x"},
    {call_maximum, {VECTOR_X, NOTHING}, NC_NULL_ARGUMENT, "out"},
    {call_maximum, {INTEGERS, SCALAR}, NC_MIXED_DTYPE, "x"},
    {call_maximum, {VECTOR_X, OTHER_ONE}, NC_MIXED_DTYPE, "out"},
    {call_maximum, {VECTOR_X, PAIR}, NC_SHAPE_MISMATCH, "out"},
    {call_maximum, {FOREIGN, SCALAR}, NC_WRONG_DEVICE, "out"},
    {call_maximum, {VECTOR_X, INSIDE_X}, NC_OVERLAP, "out"},
    {call_blocks, {NOTHING, BLOCKS}, NC_NULL_ARGUMENT, "x"},
    {call_blocks, {VECTOR_X, NOTHING}, NC_NULL_ARGUMENT, "out"},
    {call_blocks, {INTEGERS, BLOCKS}, NC_MIXED_DTYPE, "x"},
    {call_blocks, {VECTOR_X, OTHER}, NC_MIXED_DTYPE, "out"},
    {call_blocks, {VECTOR_X, PAIR}, NC_SHAPE_MISMATCH, "out"},
    {call_blocks, {FOREIGN, BLOCKS}, NC_WRONG_DEVICE, "out"},
    {call_blocks_of_none, {VECTOR_X, BLOCKS}, NC_INVALID_ARGUMENT, "block"},
    {call_gemm, {NOTHING, MATRIX_B, MATRIX_C}, NC_NULL_ARGUMENT, "a"},
    {call_gemm, {MATRIX_A, NOTHING, MATRIX_C}, NC_NULL_ARGUMENT, "b"},
    {call_gemm, {MATRIX_A, MATRIX_B, NOTHING}, NC_NULL_ARGUMENT, "c"},
    {call_gemm, {INTEGERS, MATRIX_B, MATRIX_C}, NC_MIXED_DTYPE, "a"},
    {call_gemm, {MATRIX_A, OTHER_MATRIX, MATRIX_C}, NC_MIXED_DTYPE, "b"},
    {call_gemm, {MATRIX_A, MATRIX_B, OTHER_MATRIX}, NC_MIXED_DTYPE, "c"},
    {call_gemm, {VECTOR_X, MATRIX_B, MATRIX_C}, NC_SHAPE_MISMATCH, "a"},
    {call_gemm, {MATRIX_A, VECTOR_X, MATRIX_C}, NC_SHAPE_MISMATCH, "b"},
    {call_gemm, {MATRIX_A, MATRIX_B, VECTOR_X}, NC_SHAPE_MISMATCH, "c"},
    {call_gemm, {MATRIX_A, MATRIX_A, MATRIX_C}, NC_SHAPE_MISMATCH, "b"},
    {call_gemm, {MATRIX_A, MATRIX_B, SQUARE}, NC_SHAPE_MISMATCH, "c"},
    {call_gemm, {SQUARE, MATRIX_B, MATRIX_C}, NC_SHAPE_MISMATCH, "c"},
    {call_gemm, {MATRIX_A, SQUARE, MATRIX_C}, NC_SHAPE_MISMATCH, "c"},
    {call_gemm, {MATRIX_A, FOREIGN_MATRIX, MATRIX_C}, NC_WRONG_DEVICE, "b"},
    {call_gemm, {MATRIX_A, MATRIX_B, FOREIGN_MATRIX}, NC_WRONG_DEVICE, "c"},
    {call_gemm, {MATRIX_A, MATRIX_B, PART_OF_A}, NC_OVERLAP, "c"},
    {call_words, {NOTHING}, NC_NULL_ARGUMENT, "out"},
    {call_words, {OUTPUT}, NC_MIXED_DTYPE, "out"},
    {call_words, {INTEGERS}, NC_MIXED_DTYPE, "out"},
    {call_uniform, {NOTHING}, NC_NULL_ARGUMENT, "out"},
    {call_uniform, {WORDS}, NC_MIXED_DTYPE, "out"},
    {call_uniform, {REPEATED}, NC_OVERLAP, "out"},
    {call_curand, {NOTHING}, NC_NULL_ARGUMENT, "out"},
    {call_curand, {WORDS}, NC_MIXED_DTYPE, "out"},
    {call_curand, {REPEATED}, NC_OVERLAP, "out"},
    {call_normal, {NOTHING}, NC_NULL_ARGUMENT, "out"},
    {call_normal, {WORDS}, NC_MIXED_DTYPE, "out"},
    {call_normal, {REPEATED}, NC_OVERLAP, "out"},
};

static nc_array *view_of(cupel_context *context, nc_array *base, int64_t from, int32_t rank, const int64_t *shape,
                         const int64_t *strides)
{
    nc_array_info info;
    nc_array *view = NULL;
    NC_STRUCT_INIT(&info);
    cupel_require_ok(context, nc_array_info_get(base, &info));
    cupel_require_ok(context, nc_array_view(base, info.offset + from, rank, shape, strides, &view));
    return view;
}

static void make_vectors(cupel_context *context, operands *made)
{
    nc_dtype dtype = cupel_dtype(context);
    nc_dtype other = dtype == NC_F32 ? NC_F64 : NC_F32;
    const int64_t twelve[] = {12};
    const int64_t folded[] = {3, 4};
    const int64_t one[] = {1};
    const int64_t none[] = {0};
    made->at[VECTOR_X] = cupel_input_vector(context, dtype, 12, values_wide(context, dtype, 1, 12));
    nc_array *longer = cupel_update(context, dtype, 1, (const int64_t[]){13}, values_wide(context, dtype, 4, 13));
    made->at[VECTOR_Y] = cupel_input_vector(context, dtype, 12, values_wide(context, dtype, 2, 12));
    made->at[OUTPUT] = cupel_output(context, dtype, 1, twelve);
    made->at[SCALAR] = cupel_output(context, dtype, 0, NULL);
    made->at[BLOCKS] = cupel_output_vector(context, dtype, 3);
    made->at[WORDS] = cupel_output_vector(context, NC_U32, 12);
    made->at[INTEGERS] = cupel_output_vector(context, NC_I64, 12);
    made->at[OTHER] = cupel_output_vector(context, other, 12);
    made->at[SHORT] = cupel_output_vector(context, dtype, 11);
    made->at[FOLDED] = cupel_output(context, dtype, 2, folded);
    made->at[PAIR] = cupel_output_vector(context, dtype, 2);
    made->at[OTHER_ONE] = cupel_output(context, other, 0, NULL);
    made->at[SHIFTED] = view_of(context, made->at[VECTOR_X], 1, 1, twelve, one); // its last element is a guard
    made->at[INSIDE_X] = view_of(context, made->at[VECTOR_X], 5, 1, one, one);
    made->at[REPEATED] = view_of(context, longer, 0, 1, twelve, none);
    cupel_require_ok(context, nc_array_create(made->second, dtype, 1, twelve, &made->at[FOREIGN]));
}

static void make_matrices(cupel_context *context, operands *made)
{
    nc_dtype dtype = cupel_dtype(context);
    nc_dtype other = dtype == NC_F32 ? NC_F64 : NC_F32;
    const int64_t a[] = {3, 4};
    const int64_t b[] = {4, 5};
    const int64_t c[] = {3, 5};
    const int64_t square[] = {4, 4};
    const int64_t strides[] = {5, 1};
    made->at[MATRIX_A] = cupel_input(context, dtype, 2, a, values_wide(context, dtype, 5, 12));
    made->at[MATRIX_B] = cupel_input(context, dtype, 2, b, values_wide(context, dtype, 6, 20));
    made->at[MATRIX_C] = cupel_output(context, dtype, 2, c);
    made->at[SQUARE] = cupel_output(context, dtype, 2, square);
    made->at[OTHER_MATRIX] = cupel_output(context, other, 2, b);
    made->at[PART_OF_A] = view_of(context, made->at[MATRIX_A], 4, 2, c, strides);
    cupel_require_ok(context, nc_array_create(made->second, dtype, 2, b, &made->at[FOREIGN_MATRIX]));
}

static void each_wrong_once(cupel_context *context)
{
    static const operand outputs[] = {OUTPUT, SCALAR, BLOCKS,    WORDS,    INTEGERS, OTHER,       SHORT,
                                      FOLDED, PAIR,   OTHER_ONE, MATRIX_C, SQUARE,   OTHER_MATRIX};
    static const operand released[] = {SHIFTED, INSIDE_X, REPEATED, FOREIGN, PART_OF_A, FOREIGN_MATRIX};
    operands made = {.second = abi_second_handle(context)};
    make_vectors(context, &made);
    make_matrices(context, &made);
    uint64_t before = cupel_kernels(context);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        nc_array *const arguments[] = {made.at[rows[i].arguments[0]], made.at[rows[i].arguments[1]], made.at[rows[i].arguments[2]]};
        nc_status status = rows[i].call(arguments);
        bool named = strstr(nc_last_error(), rows[i].named) != NULL;
        cupel_expect_true(context, status == rows[i].expected && named);
        if (status != rows[i].expected || !named) {
            cupel_fail(context, "row %zu is %s, expected %s naming %s: %s", i, nc_status_name(status),
                       nc_status_name(rows[i].expected), rows[i].named, nc_last_error());
        }
    }
    cupel_expect_u64(context, cupel_kernels(context) - before, 0);
    for (size_t i = 0; i < sizeof outputs / sizeof *outputs; ++i) {
        cupel_expect_untouched(context, made.at[outputs[i]]);
    }
    for (size_t i = 0; i < sizeof released / sizeof *released; ++i) {
        cupel_require_ok(context, nc_array_release(made.at[released[i]]));
    }
    cupel_require_ok(context, nc_device_close(made.second));
}

// The sentence of a refusal names the value as well.
static void sentences(cupel_context *context)
{
    nc_array *x = cupel_input_vector(context, NC_F64, 7, values_wide(context, NC_F64, 1, 7));
    nc_array *out = cupel_output_vector(context, NC_F64, 3);
    cupel_expect_status(context, nc_block_maximum(x, -17, out), NC_INVALID_ARGUMENT);
    cupel_expect_true(context, strstr(nc_last_error(), "-17") != NULL);
    cupel_expect_status(context, nc_sum(x, out), NC_SHAPE_MISMATCH);
    cupel_expect_true(context, strstr(nc_last_error(), "3 elements") != NULL);
    cupel_expect_status(context, nc_device_open("no-such-device", &(nc_device *){NULL}), NC_DEVICE_NOT_FOUND);
    cupel_expect_true(context, strstr(nc_last_error(), "no-such-device") != NULL);
    cupel_expect_untouched(context, out);
}

static const cupel_case cases[] = {
    CUPEL_CASE_REALS("abi.arguments.each-wrong-once", each_wrong_once),
    CUPEL_CASE("abi.arguments.sentences", sentences),
};
const cupel_table abi_arguments_table = CUPEL_TABLE(cases);
