#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: core_same_output.sh FILE PROGRAM
# PROGRAM writes to standard output exactly what FILE holds.
set -eu
file=$1 program=$2
output=$(mktemp)
trap 'rm -f "$output"' EXIT
"$program" > "$output"
if ! cmp "$file" "$output"; then
    echo "$file is not what $program writes; write it again with: $program > $file" >&2
    exit 1
fi
echo "$file: $(wc -c < "$file") bytes, as $program writes them"
