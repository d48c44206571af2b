#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# c_and_cpp_consumer.sh CMAKE CTEST BUILD SCRATCH [OPTION...]: programs in C and C++ build against the installed core and run, with either
# library; every installed header compiles alone in both languages; both libraries in one program are refused.
cmake=$1
tree=$3
scratch=$4
shift 4
. "$(dirname "$0")/../expect.sh"
"$cmake" --install "$tree" --prefix "$scratch/prefix" >"$scratch/installed"
build=$scratch/build

configure() {
    "$cmake" -S "$(dirname "$0")/c_and_cpp_consumer" -B "$build" "-DCMAKE_PREFIX_PATH=$scratch/prefix" "$@"
}
headers=$(find "$scratch/prefix/include/cupel" -name '*.h' | wc -l)
[ "$headers" -ge 8 ]
expect 0 "$headers public headers" configure "$@"
expect 0 "" "$cmake" --build "$build"
for linkage in "" _shared; do
    expect 0 "C, backend cpu, version 0.1" "$build/consumer_c$linkage"
    expect 0 "C++, cpu-reference: 6627e8d5" "$build/consumer_cpp$linkage"
done
expect 1 "CUPEL_LINKAGE" configure -DCONFLICT=ON
# Another minor version is not taken for this one.
cp -r "$(dirname "$0")/c_and_cpp_consumer" "$scratch/later"
sed -i 's/find_package(Cupel 0\.1 /find_package(Cupel 0.2 /' "$scratch/later/CMakeLists.txt"
expect 1 'requested version "0.2"' "$cmake" -S "$scratch/later" -B "$scratch/later-build" "-DCMAKE_PREFIX_PATH=$scratch/prefix" "$@"
finish 8
