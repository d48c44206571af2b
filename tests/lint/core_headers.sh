#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# core_headers.sh CORE_DIR COMPILER [C++ COMPILER]: every public header compiles alone, twice over, as strict C11 and as C++.
set -eu
core=$1
shift
count=0
for header in "$core"/nc*.h; do
    name=${header##*/}
    count=$((count + 1))
    for compiler in "$@"; do
        case $compiler in
        *++*) language="-x c++ -std=c++11" ;;
        *) language="-x c -std=c11 -Wstrict-prototypes" ;;
        esac
        # shellcheck disable=SC2086 # flags are meant to split
        printf '#include "%s"\n#include "%s"\nextern int used;\n' "$name" "$name" |
            "$compiler" $language -pedantic -Wall -Wextra -Wconversion -Werror -fsyntax-only -I"$core" - ||
            { echo "$name does not compile alone with $compiler" >&2; exit 1; }
    done
done
if [ "$count" -lt 5 ]; then
    echo "$core: only $count public headers were found" >&2
    exit 1
fi
echo "$count public headers compile alone"
