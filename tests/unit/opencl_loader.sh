#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# opencl_loader.sh FOLDER PROGRAM HOLLOW: without a loader that can be used, PROGRAM ends with a sentence that says what is wrong with
# it. HOLLOW is a shared library without any of the loader's functions.
set -eu
folder=$1 program=$2 hollow=$3
mkdir -p "$folder"

# expect WORDS: PROGRAM, with FOLDER/libOpenCL.so.1 as the loader, fails and says WORDS.
expect() {
    if LD_LIBRARY_PATH=$folder "$program" >"$folder/out.txt" 2>&1; then
        echo "the program ran without a loader"
        exit 1
    fi
    for words in "the OpenCL loader cannot be used" "$1" "Install an ICD loader"; do
        grep -qF -- "$words" "$folder/out.txt" || { echo "it does not say \"$words\":"; cat "$folder/out.txt"; exit 1; }
    done
}

: >"$folder/libOpenCL.so.1"
expect "file too short"
cp "$hollow" "$folder/libOpenCL.so.1"
expect "has no function clGetPlatformIDs"
echo "2 loaders that cannot be used, each with its sentence"
