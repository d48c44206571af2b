#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: core_same_output.sh FILE PROGRAM [ARGUMENT...]
# PROGRAM writes to standard output exactly what FILE holds.
set -eu
file=$1
shift
output=$(mktemp)
trap 'rm -f "$output"' EXIT
"$@" > "$output"
if ! cmp "$file" "$output"; then
    echo "$file is not what $* writes; write it again with: $* > $file" >&2
    exit 1
fi
echo "$file: $(wc -c < "$file") bytes, as $* writes them"
