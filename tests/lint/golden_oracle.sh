#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: golden_oracle.sh CC NM SOURCE ORACLE SCRATCH
set -eu
compiler=$1
nm=$2
source=$3
oracle=$4
scratch=$5
rm -rf "$scratch"
mkdir -p "$scratch"

# The compiler's own list of every header a file reads.
foreign() {
    "$compiler" -std=c11 -D_POSIX_C_SOURCE=200809L -I"$source/golden" -I"$source/src/core" -MM "$@" | tr ' \\' '\n\n' |
        grep -E '(^|/)(src|backends|tools|tests)/' || true
}

files=0
for file in "$source"/golden/oracle/*.c "$source"/golden/lib/*.c; do
    found=$(cd "$source" && foreign "${file#"$source"/}")
    if [ -n "$found" ]; then
        echo "$file includes $found"
        exit 1
    fi
    files=$((files + 1))
done
[ "$files" -ge 20 ]

# The check itself must be able to fail.
printf '#include "nc_base.h"\nint oracle_faulty = NC_ABI_VERSION;\n' >"$scratch/faulty.c"
if [ -z "$(cd "$source" && foreign "$scratch/faulty.c")" ]; then
    echo "an include of the core was not noticed"
    exit 1
fi

if "$nm" "$oracle" | grep -E ' [TtDdBbRr] (nc_|be_)'; then
    echo "the oracle has symbols of the core"
    exit 1
fi
[ "$("$nm" "$oracle" | grep -c ' T oracle_')" -ge 10 ]
echo "$files files"
