// SPDX-License-Identifier: Apache-2.0
// Square matrices of a row.
#include "../golden.h"

golden_status golden_row_matrix(const golden_row *row, int64_t n, golden_array *matrix, golden_error *error)
{
    *matrix = (golden_array){0};
    if (golden_row_has(row, "a")) {
        return golden_row_array(row, "a", row->dtype, matrix, error);
    }
    golden_array lower = {0}, diagonal = {0};
    golden_status status = golden_row_array(row, "lower", row->dtype, &lower, error);
    status = status == GOLDEN_OK ? golden_row_array(row, "diagonal", row->dtype, &diagonal, error) : status;
    if (status == GOLDEN_OK && (lower.count != (size_t)(n * (n - 1) / 2) || diagonal.count != (size_t)n)) {
        status = golden_fail(error, GOLDEN_REFUSED, "row %s: lower must have n(n-1)/2 elements and diagonal n.", row->id);
    }
    status = status == GOLDEN_OK ? golden_array_alloc(row->dtype, (size_t)(n * n), matrix, error) : status;
    for (int64_t i = 0; status == GOLDEN_OK && i < n; ++i) {
        golden_array_set(matrix, (size_t)(i * n + i), golden_array_at(&diagonal, (size_t)i));
        for (int64_t j = 0; j < i; ++j) {
            golden_value value = golden_array_at(&lower, (size_t)(i * (i - 1) / 2 + j));
            golden_array_set(matrix, (size_t)(i * n + j), value);
            golden_array_set(matrix, (size_t)(j * n + i), value);
        }
    }
    golden_array_free(&lower);
    golden_array_free(&diagonal);
    return status;
}
