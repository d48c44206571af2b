#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: core_faults.sh CMAKE CC SOURCE FAULTS SCRATCH
#
# Copies the source tree to SCRATCH, builds it once without optimisation and for one instruction set, and then for each line of FAULTS
# replaces one text, builds again and requires that `cupel golden --check` fail with status 1. FAULTS has one fault a line, fields
# separated by tabs: corpus, file, text before (exactly once in the file), text after and, where the texts do not say it, what the fault is.
set -eu
cmake=$1
compiler=$2
source=$3
faults=$4
scratch=$5
unset CI
rm -rf "$scratch"
mkdir -p "$scratch/source"
(cd "$source" && tar --exclude=./.git --exclude='./build*' -cf - .) | (cd "$scratch/source" && tar -xf -)

# A processor without instruction-set variants: one compilation of the kernels instead of three; the bytes are the same.
printf 'set(CMAKE_SYSTEM_NAME Linux)\nset(CMAKE_SYSTEM_PROCESSOR generic)\n' >"$scratch/toolchain.cmake"
launcher=
export CCACHE_BASEDIR="$scratch" CCACHE_NOHASHDIR=1 # objects do not depend on where the copy lies
if command -v ccache >/dev/null; then
    launcher=-DCMAKE_C_COMPILER_LAUNCHER=ccache
fi
"$cmake" -S "$scratch/source" -B "$scratch/build" -G Ninja "-DCMAKE_TOOLCHAIN_FILE=$scratch/toolchain.cmake" -DCMAKE_C_FLAGS=-DCPU_BASE_ONLY \
    "-DCMAKE_C_COMPILER=$compiler" -DCMAKE_BUILD_TYPE=Debug -DCUPEL_CUDA=OFF -DCUPEL_OPENCL=OFF $launcher >"$scratch/log" 2>&1 || {
    cat "$scratch/log"
    exit 1
}

build() {
    "$cmake" --build "$scratch/build" --target cupel cupel-oracle -j 2 >"$scratch/log" 2>&1 || {
        echo "the build failed: $1"
        tail -30 "$scratch/log"
        exit 1
    }
}

# status_of CORPUS: exit status of the check
status_of() {
    status=0
    "$scratch/build/bin/cupel" golden --check --corpus "$1" >"$scratch/said" 2>&1 || status=$?
}

# replace FILE BEFORE AFTER: the text must stand exactly once
replace() {
    BEFORE=$2 AFTER=$3 awk '
        { at = index($0, ENVIRON["BEFORE"])
          if (at) {
              ++found
              rest = substr($0, at + length(ENVIRON["BEFORE"]))
              if (index(rest, ENVIRON["BEFORE"])) ++found
              $0 = substr($0, 1, at - 1) ENVIRON["AFTER"] rest
          }
          print }
        END { exit found == 1 ? 0 : 1 }' "$1" >"$scratch/changed" || {
        echo "$1: \"$2\" does not stand there exactly once: the fault needs a new text"
        exit 1
    }
    cp "$scratch/changed" "$1"
}

build "without a fault"
for corpus in $(grep -v '^#' "$faults" | cut -f1 | sort -u); do
    status_of "$corpus"
    if [ "$status" -ne 0 ]; then
        echo "the check of $corpus ends with $status before any fault is planted:"
        cat "$scratch/said"
        exit 1
    fi
done

planted=0
survived=0
tab=$(printf '\t')
# All faults, or CUPEL_MUTANTS of them, others at every CUPEL_MUTANTS_TURN.
grep -v '^#' "$faults" | awk -v most="${CUPEL_MUTANTS:-0}" -v turn="${CUPEL_MUTANTS_TURN:-0}" '
    { line[NR - 1] = $0 }
    END {
        count = most > 0 && most < NR ? most : NR
        for (i = 0; i < count; ++i) print line[(turn * count + i) % NR]
    }' >"$scratch/faults"
while IFS=$tab read -r corpus file before after what; do
    cp "$scratch/source/$file" "$scratch/original"
    replace "$scratch/source/$file" "$before" "$after"
    build "$file with \"$after\""
    status_of "$corpus"
    if [ "$status" -ne 1 ]; then
        echo "SURVIVED (status $status): $corpus: $file: ${what:-\"$before\" -> \"$after\"}"
        tail -3 "$scratch/said"
        survived=$((survived + 1))
    fi
    cp "$scratch/original" "$scratch/source/$file"
    planted=$((planted + 1))
done <"$scratch/faults"
echo "$planted faults planted, $survived survived"
[ "$planted" -ge 1 ] && [ "$survived" -eq 0 ]
