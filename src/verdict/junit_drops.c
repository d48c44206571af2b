// SPDX-License-Identifier: Apache-2.0
// Where text was dropped, and so where a line of the filtered text stood in the report.
#include "junit_filter.h"

#include <stdlib.h>

// Places where text may be dropped; a file with more is refused.
enum { DROPS_MAX = 1 << 16 };

bool cupel_junit_drops_grow(cupel_junit_filter *filter)
{
    if (filter->drop_count < filter->drop_capacity) {
        return true;
    }
    size_t capacity = filter->drop_capacity == 0 ? 16 : 2 * filter->drop_capacity;
    cupel_junit_drop *drops = capacity > DROPS_MAX ? NULL : realloc(filter->drops, capacity * sizeof *drops);
    if (drops == NULL) {
        filter->lost = true;
        return false;
    }
    filter->drops = drops;
    filter->drop_capacity = capacity;
    return true;
}

size_t cupel_junit_drops_line(const cupel_junit_drop *drops, size_t count, size_t line)
{
    size_t low = 0;
    size_t high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (drops[middle].line <= line) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low == 0 ? line : line + drops[low - 1].dropped;
}
