#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: core_exports.sh NM EXPORTS static|shared LIBRARY
# The library exports exactly the names of the committed list, and as many.
set -eu
LC_ALL=C
export LC_ALL
nm=$1 exports=$2 kind=$3 library=$4

case $kind in
static) surface=$("$nm" -g --defined-only "$library" | awk 'NF == 3 { print $3 }' | sort) ;;
shared) surface=$("$nm" -D --defined-only "$library" | awk 'NF == 3 { sub(/@.*/, "", $3); print $3 }' | sort) ;;
*) echo "core_exports.sh: unknown kind '$kind'" >&2; exit 64 ;;
esac

if ! sort -c -u "$exports"; then
    echo "$exports is not sorted, or has a name twice" >&2
    exit 1
fi
expected_count=$(grep -c . "$exports")
count=$(printf '%s\n' "$surface" | grep -c .)
differing=$(printf '%s\n' "$surface" | diff "$exports" - || true)
if [ -n "$differing" ] || [ "$count" -ne "$expected_count" ]; then
    echo "$library exports $count names, $exports lists $expected_count ('<' only listed, '>' only exported):" >&2
    printf '%s\n' "$differing" >&2
    exit 1
fi
echo "$library exports the $count listed names"
