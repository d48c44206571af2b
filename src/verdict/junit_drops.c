// SPDX-License-Identifier: Apache-2.0
// Where a line of the filtered text stood in the report.
#include "junit_filter.h"

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
