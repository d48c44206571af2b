#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# device_bytes.sh REFERENCE OTHER FOLDER [DEVICE]: runs both programs, the other one on DEVICE, and compares what they print. Both must
# reach their end, print no fewer than a floor of results, and agree in every line.
set -eu
floor=14800
"$1" > "$3/reference.txt"
if [ -n "${4:-}" ]; then
    DEVICE_BYTES_DEVICE=$4
    export DEVICE_BYTES_DEVICE
fi
"$2" > "$3/other.txt"
count=$(sed -n 's/^end //p' "$3/other.txt")
if [ "$(wc -l < "$3/other.txt")" -ne "$((${count:-0} + 1))" ] || [ "${count:-0}" -lt "$floor" ]; then
    echo "only ${count:-0} results of at least $floor"
    exit 1
fi
if ! cmp -s "$3/reference.txt" "$3/other.txt"; then
    echo "results differ (case, elements, hash); use --dump CASE with both programs:"
    diff "$3/reference.txt" "$3/other.txt" | head -40
    exit 1
fi
echo "$count results, equal bytes"
