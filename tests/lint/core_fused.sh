#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# core_fused.sh CC OBJDUMP SCRATCH LIBRARY...: no library holds an instruction that fuses alternating sums and differences.
#
# The core spells every fused operation as a single one. gcc 12's vectoriser forms fmaddsub from a*b+c beside a*b-d in spite of
# -ffp-contract=off, which changes the bytes of double-word arithmetic.
set -eu
cc=$1 objdump=$2 scratch=$3
shift 3
mkdir -p "$scratch"

fused() {
    "$objdump" -d --no-show-raw-insn "$1" | grep -E 'v?fm(addsub|subadd)' || test $? -eq 1
}

# The check must see such an instruction where there is one.
printf '.text\nplanted:\n vfmaddsub132pd %%xmm1, %%xmm2, %%xmm0\n ret\n' >"$scratch/planted.s"
"$cc" -c "$scratch/planted.s" -o "$scratch/planted.o"
if test -z "$(fused "$scratch/planted.o")"; then
    echo "the planted instruction was not found: $objdump does not show what this test looks for"
    exit 1
fi

for library in "$@"; do
    found=$(fused "$library")
    if test -n "$found"; then
        echo "$library fuses what the source does not; is -fno-tree-slp-vectorize missing from cupel_core_flags?"
        echo "$found" | head -n 5
        exit 1
    fi
    if ! "$objdump" -d --no-show-raw-insn "$library" | grep -q vfmadd; then
        echo "$library has no fma at all: it is not the core that this test is for"
        exit 1
    fi
done
