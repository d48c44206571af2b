#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# subdirectory.sh CMAKE CTEST CUPEL_SOURCE SCRATCH [OPTION...]: a project with Cupel's sources below it and a suite in C++ passes, and
# fails when its library is wrong.
cmake=$1
ctest=$2
cupel_source=$3
scratch=$4
shift 4
. "$(dirname "$0")/../expect.sh"
cp -r "$(dirname "$0")/subdirectory" "$scratch/source"
build=$scratch/build
cupel=$build/cupel/bin/cupel

configure() {
    "$cmake" -S "$scratch/source" -B "$build" "-DCUPEL_SOURCE=$cupel_source" -DCUPEL_CUDA=OFF -DCUPEL_OPENCL=OFF "$@"
}
expect 0 "Configuring done" configure -DCHECKSUM_MODULUS=65521u "$@"
expect 0 "suite-checksum-cpu" "$cmake" --build "$build" --target suite-checksum-cpu device-gate-cpu cupel cupel-oracle
expect 0 "host: PASS 2/2" "$cupel" run host --tree "$build"
expect 0 "100% tests passed" "$ctest" --test-dir "$build" -L '^host$'
expect 0 "golden.core" "$ctest" --test-dir "$build" -N -L '^golden$'
expect 0 "Configuring done" configure -DCHECKSUM_MODULUS=65536u
expect 0 "suite-checksum-cpu" "$cmake" --build "$build" --target suite-checksum-cpu
expect 1 "checksum.long-input" "$cupel" run host --tree "$build"
expect 1 "host: FAIL 1/2" "$cupel" run host --tree "$build"
finish 9
