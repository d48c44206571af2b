// SPDX-License-Identifier: Apache-2.0
#include "sweep.h"

static golden_drawer *const drawers[] = {
#define GOLDEN_OPERATION(module, name, dtypes) golden_draw_##module##_##name,
#include "../operations/operations.def"
};

void golden_draw_row(size_t operation, const char *id, golden_random *random, golden_dtype dtype, golden_text *row)
{
    golden_text_printf(row, "%s %s", id, golden_operation_at(operation)->title);
    drawers[operation](random, dtype, row);
    golden_text_puts(row, "\n");
}

void golden_draw_value(golden_text *arguments, const char *key, golden_value value)
{
    char token[GOLDEN_TOKEN_BYTES];
    golden_format(value, token);
    golden_text_printf(arguments, " %s=%s", key, token);
}

void golden_draw_spread(golden_text *arguments, const char *key, golden_random *random, uint64_t count, int64_t low, int64_t high)
{
    golden_text_printf(arguments, " %s=spread(%llu,%llu,%lld,%lld)", key, (unsigned long long)count,
                       (unsigned long long)(golden_random_next(random) >> 16), (long long)low, (long long)high);
}
