#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: built_with_oracle.sh NINJA BUILD CUPEL ORACLE: the oracle is among what the build of CUPEL needs.
set -eu
ninja=$1
build=$2
cupel=${3#"$build/"}
oracle=${4#"$build/"}

"$ninja" -C "$build" -t inputs "$cupel" | grep -qx "$oracle" || {
    echo "building $cupel leaves $oracle as it was: add_dependencies(cupel cupel-oracle) in tools/cupel/CMakeLists.txt"
    exit 1
}
