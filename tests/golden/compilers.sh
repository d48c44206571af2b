#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# compilers.sh SOURCE SCRATCH "CC FLAGS" HOST_SOURCES LIBRARIES: builds the core and every_variant.c with one compiler and one set
# of flags, and answers every committed row. HOST_SOURCES and LIBRARIES are lists separated by colons.
set -eu
source=$1 scratch=$2 compiler=$3 host_sources=$4 libraries=$5
core="-std=c11 -D_POSIX_C_SOURCE=200809L -DNC_BUILDING_CORE -DCUPEL_VERSION=\"compilers\" -DCPU_BASE_ONLY -ffp-contract=off -fno-math-errno"
includes="-I$source/src/core -I$source/backends/cpu -I$source/golden"

rm -rf "$scratch"
mkdir -p "$scratch"
cd "$scratch"
old_ifs=$IFS
IFS=:
# shellcheck disable=SC2086 # lists are meant to split
set -- $host_sources
IFS=$old_ifs
sources="$*"
for file in "$source"/backends/cpu/*.c; do
    case $file in
    */kernels_v[34].c) ;; # one instruction set, the flags'
    *) $compiler $core $includes -c "$file" ;;
    esac
done
# Objects of host files and of the backend may share a name: they stay apart.
mkdir host
(cd host && $compiler $core $includes -c $sources)
$compiler $core $includes -c "$source/tests/golden/every_variant.c"
IFS=:
set -- $libraries
IFS=$old_ifs
$compiler ./*.o host/*.o "$@" -lcrypto -lm -o every_variant
./every_variant "$source/golden"
