// SPDX-License-Identifier: Apache-2.0
// The table of operations. Answers, truths and sweeps are tables in the same order, made from the same list.
#include "../golden.h"

#include <string.h>

#define GOLDEN_DTYPES_REAL (1u << GOLDEN_F32 | 1u << GOLDEN_F64)
#define GOLDEN_DTYPES_WORDS (1u << GOLDEN_U32)

static const golden_operation operations[] = {
#define GOLDEN_OPERATION(module, name, dtypes) {#module, #name, #module "." #name, dtypes},
#include "../operations/operations.def"
};

size_t golden_operation_count(void)
{
    return sizeof operations / sizeof operations[0];
}

const golden_operation *golden_operation_at(size_t index)
{
    return &operations[index];
}

const golden_operation *golden_operation_find(const char *title)
{
    for (size_t i = 0; i < golden_operation_count(); ++i) {
        if (strcmp(operations[i].title, title) == 0) {
            return &operations[i];
        }
    }
    return NULL;
}

size_t golden_operation_index(const golden_operation *operation)
{
    return (size_t)(operation - operations);
}
