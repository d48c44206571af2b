#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# sanitize.sh FOLDER oclgrind|memcheck|racecheck TOOL PROGRAM
#
# Runs PROGRAM --small under a checker and fails on any finding. Before that, PROGRAM --fault must give a finding: a checker that
# sees nothing cannot pass. (racecheck looks for races only, so its planted fault is left to memcheck.)
set -eu
folder=$1 kind=$2 tool=$3 program=$4

if [ ! -e "$tool" ]; then
    case $kind in
    oclgrind) echo "NOT RUN: oclgrind's library liboclgrind-rt-icd.so was not found (Debian: apt install oclgrind)" ;;
    *) echo "NOT RUN: compute-sanitizer was not found; it comes with the CUDA toolkit" ;;
    esac
    exit 1
fi

# checked LOG ARGUMENT...: runs the program under the checker; the findings are in LOG.
checked() {
    log=$1
    shift
    : >"$log"
    if [ "$kind" = oclgrind ]; then
        printf '%s\n' "$tool" >"$folder/oclgrind.icd"
        OCL_ICD_VENDORS=$folder OCLGRIND_DATA_RACES=1 OCLGRIND_LOG=$log "$program" "$@"
    else
        "$tool" --tool "$kind" --error-exitcode 99 --log-file "$log" "$program" "$@"
    fi
}

# found LOG: whether the checker reported something.
found() {
    if [ "$kind" = oclgrind ]; then
        [ -s "$1" ]
    else
        [ "$(grep -c 'ERROR SUMMARY: 0 errors\|RACECHECK SUMMARY: 0 hazards' "$1")" -eq 0 ]
    fi
}

if [ "$kind" != racecheck ]; then
    checked "$folder/fault.log" --fault >"$folder/fault.txt" 2>&1 || true
    if ! found "$folder/fault.log"; then
        echo "the planted fault was not reported:"
        cat "$folder/fault.txt" "$folder/fault.log"
        exit 1
    fi
fi
if ! checked "$folder/small.log" --small >"$folder/small.txt" 2>&1 || found "$folder/small.log"; then
    echo "findings:"
    tail -n 5 "$folder/small.txt"
    head -n 100 "$folder/small.log"
    exit 1
fi
results=$(sed -n 's/^end //p' "$folder/small.txt")
[ "${results:-0}" -ge 100 ] || { echo "only ${results:-0} results"; exit 1; }
echo "$results results under $kind, no finding"
