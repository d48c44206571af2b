#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: no_fast_math.sh CC SOURCE: what compares must not compile when NaN tests may be folded away, and must compile otherwise.
set -u
compiler=$1
source=$2
faults=0
for file in src/harness/compare.c src/core/dialect/dialect.h; do
    if ! "$compiler" -std=c11 -x c -fsyntax-only "-I$source/src/core" "-I$source/src/harness" "$source/$file"; then
        echo "$file does not compile"
        faults=1
    fi
    if said=$("$compiler" -std=c11 -ffast-math -x c -fsyntax-only "-I$source/src/core" "-I$source/src/harness" "$source/$file" 2>&1); then
        echo "$file compiles with -ffast-math"
        faults=1
    else
        case $said in
        *fast-math*) ;;
        *)
            echo "$file is refused for another reason: $said"
            faults=1
            ;;
        esac
    fi
done
exit $faults
