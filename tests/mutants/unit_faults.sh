#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: unit_faults.sh CC SOURCE LIST SCRATCH [LIBRARY...]
#
# LIST is <part>.list: faults in src/<part> that its own unit tests must find. Copies the sources, compiles part and tests without
# optimisation, requires that the tests pass, and then for each line replaces one text in one file, compiles it, links, and requires
# that the named test fails. Fields, separated by tabs: test (its source is tests/unit/<test>.c), file, text before (exactly once in
# the file), text after or "(nothing)", what the fault is. A line "#with <test> <file>..." names more sources of a test, "#part <files>"
# more of the part, "#flag" more options; LIBRARY is linked last.
set -eu
compiler=$1
source=$2
list=$3
scratch=$4
shift 4
part=$(basename "$list" .list)
tab=$(printf '\t')
rm -rf "$scratch"
mkdir -p "$scratch/part" "$scratch/tests" "$scratch/mutant" "$scratch/files"
(cd "$source" && tar -cf - src tests) | (cd "$scratch" && tar -xf -)
unit="$scratch/tests/unit"
flags="-std=c11 -O0 -D_POSIX_C_SOURCE=200809L -ffp-contract=off -I$scratch/src/$part -I$scratch/src/verdict -I$scratch/src/core -I$unit"
flags="$flags $(pkg-config --cflags libxml-2.0 jansson libcrypto cmocka)"
flags="$flags $(sed -n 's/^#flag //p' "$list")"
flags="$flags -DUNIT_SOURCE_DIR=\"$unit\" -DUNIT_BINARY_DIR=\"$scratch/files\""
libraries="$* $(pkg-config --libs libxml-2.0 jansson libcrypto cmocka) -lm -lpthread -Wl,--build-id=sha1"

# shellcheck disable=SC2086 # flags are words
compile() { "$compiler" $flags -c "$1" -o "$2"; }

# link TEST PROGRAM [OBJECT]: the test's objects, OBJECT, and what else they need of the part
# shellcheck disable=SC2086
link() { "$compiler" "$scratch/tests/$1".o "$scratch/tests/$1".with.*.o ${3:-} "$scratch/part.a" $libraries -o "$2"; }

for file in "$scratch/src/$part"/*.c $(sed -n 's/^#part //p' "$list" | sed "s|^|$scratch/|"); do
    case $(basename "$file") in *_main.c | gate_*.c) continue ;; esac
    compile "$file" "$scratch/part/$(basename "$file" .c).o"
done
ar rcs "$scratch/part.a" "$scratch"/part/*.o
for test in $(grep -v '^#' "$list" | cut -f1 | sort -u); do
    compile "$unit/$test.c" "$scratch/tests/$test.o"
    echo "typedef int nothing;" >"$scratch/nothing.c"
    compile "$scratch/nothing.c" "$scratch/tests/$test.with.nothing.o"
    for file in $(sed -n "s/^#with $test //p" "$list"); do
        compile "$unit/$file" "$scratch/tests/$test.with.$(basename "$file" .c).o"
    done
    link "$test" "$scratch/whole"
    "$scratch/whole" >"$scratch/log" 2>&1 || {
        echo "test $test fails before any fault was planted"
        tail -20 "$scratch/log"
        exit 1
    }
done

planted=0
survived=0
# All faults, or CUPEL_MUTANTS of them, others at every CUPEL_MUTANTS_TURN.
grep -v '^#' "$list" | awk -v most="${CUPEL_MUTANTS:-0}" -v turn="${CUPEL_MUTANTS_TURN:-0}" '
    { line[NR - 1] = $0 }
    END {
        count = most > 0 && most < NR ? most : NR
        for (i = 0; i < count; ++i) print line[(turn * count + i) % NR]
    }' >"$scratch/faults"
while IFS=$tab read -r test file before after what; do
    [ "$after" = "(nothing)" ] && after=
    BEFORE=$before AFTER=$after awk 'BEGIN { RS = "\001" } {
        before = ENVIRON["BEFORE"]; at = index($0, before); rest = substr($0, at + length(before))
        if (at == 0 || index(rest, before) != 0) { exit 1 }
        printf "%s%s%s", substr($0, 1, at - 1), ENVIRON["AFTER"], rest
    }' "$scratch/src/$part/$file" >"$scratch/mutant/$file" || {
        echo "$file does not have exactly once: $before"
        exit 1
    }
    compile "$scratch/mutant/$file" "$scratch/mutant.o" || {
        echo "$file: the fault does not compile: $what"
        exit 1
    }
    link "$test" "$scratch/mutated" "$scratch/mutant.o" # its definitions come before those in the archive
    planted=$((planted + 1))
    if timeout 300 "$scratch/mutated" >"$scratch/log" 2>&1; then
        echo "SURVIVED $test: $file: $what"
        survived=$((survived + 1))
    else
        echo "killed by $test: $file: $what"
    fi
done <"$scratch/faults"
echo "$planted faults planted in src/$part, $survived survived"
rm -rf "$scratch"
[ "$planted" -gt 0 ] && [ "$survived" -eq 0 ]
