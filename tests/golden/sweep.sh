#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The sweep: at least 200 rows of each operation and dtype, the same rows for the same seed, and a failure that can be kept.
. "$(dirname "$0")/common.sh"
sweep() {
    "$cupel" golden --sweep 1 --seed "$1" --json --corpus "$2"
}
operations=0
for corpus in linalg.f32 linalg.f64 rng.u32; do
    sweep 5 $corpus >"$scratch/first"
    sweep 5 $corpus >"$scratch/again"
    sweep 6 $corpus >"$scratch/other"
    cmp "$scratch/first" "$scratch/again"
    if cmp -s "$scratch/first" "$scratch/other"; then
        echo "two seeds gave one report"
        exit 1
    fi
    for rows in $(sed -n 's/^ *"rows": \([0-9]*\),*$/\1/p' "$scratch/first"); do
        [ "$rows" -ge 200 ] || {
            echo "$corpus: an operation has only $rows rows"
            exit 1
        }
        operations=$((operations + 1))
    done
    checks=$((checks + 2))
done
[ "$operations" -ge 30 ] # 15 operations, each once as a job and once as its operation

# A bound that is too tight: status 1, the sentence, and the row as a line of inputs that reads back.
fresh
sed -i '/^linalg.sum	f64/s/	0x1p-1	1\/2	/	0x1p-3	1\/8	/' "$scratch/golden/bounds.tsv"
expect 1 "exceeds the bound" "$cupel" golden --sweep 1 --seed 5 --corpus linalg.f64 --golden "$scratch/golden"
row=$(sed -n 's/^ *inputs: \(sweep5\.sum\..*\)$/\1/p' "$scratch/said" | head -1)
[ -n "$row" ]
id=${row%% *}
sed -i "1s/rows=\([0-9]*\)/rows=$(($(grep -c '^[a-z]' "$scratch/golden/inputs/linalg.f64.inputs") + 1))/; s/^#end\$/$row\n#end/" \
    "$scratch/golden/inputs/linalg.f64.inputs"
expect 1 "$id: answer" "$cupel" golden --explain "$id" --golden "$scratch/golden"
expect 1 '"verdict": "FAIL"' "$cupel" golden --explain "$id" --json --golden "$scratch/golden"
expect 0 '"rule": "scaled"' "$cupel" golden --explain sum.tie_even --json --corpus linalg.f64
expect 3 "has no output" "$cupel" golden --explain sum.tie_even/7 --corpus linalg.f64
finish 11
