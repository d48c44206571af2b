#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# sweep_all.sh CUPEL GOLDEN SCRATCH SEED: a sweep that passes draws at least 200 rows of every operation and dtype that has bounds, and
# says how near each came to its bound.
set -eu
cupel=$1 golden=$2 scratch=$3 seed=$4
mkdir -p "$scratch"
"$cupel" golden --sweep 1 --seed "$seed" --golden "$golden" >"$scratch/report" || {
    cat "$scratch/report"
    exit 1
}
awk -F'\t' '!/^#/ && $1 != "operation" { print $1 "." $2 }' "$golden/bounds.tsv" | sort -u >"$scratch/wanted"
awk '$2 == "PASS" && $4 == "rows" && $3 >= 200 { name = $1 } / worst error\/bound / { if (name != "") print name; name = "" }' \
    "$scratch/report" | sort -u >"$scratch/swept"
diff "$scratch/wanted" "$scratch/swept" || {
    echo "operations without 200 rows, or without their worst error: see above"
    exit 1
}
count=$(wc -l <"$scratch/swept")
[ "$count" -ge 90 ]
echo "$count operations and dtypes, at least 200 rows each"
tail -1 "$scratch/report"
