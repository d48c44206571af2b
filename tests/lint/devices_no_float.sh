#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# devices_no_float.sh GCC BACKENDS_DIR BACKEND: compiles the backend's host files, and those that device backends share, without
# floating-point registers. A file with floating-point arithmetic must be refused, which is shown first. CPATH has the includes.
set -eu
gcc=$1 folder=$2 backend=$3

compile() {
    "$gcc" -std=c11 -O1 -mgeneral-regs-only -D_POSIX_C_SOURCE=200809L '-DCUDA_ARCHITECTURES=""' -c -o /dev/null "$@"
}

if echo 'double halved(double x) { return 0.5 * x; }' | compile -x c - 2>/dev/null; then
    echo "the compiler accepts floating-point arithmetic; the check would see nothing"
    exit 1
fi
count=0
for file in "$folder/$backend"/*.c "$folder/device"/*.c; do
    compile "$file"
    count=$((count + 1))
done
[ "$count" -ge 8 ]
echo "$count files without floating-point arithmetic"
