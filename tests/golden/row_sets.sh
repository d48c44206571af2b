#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A row that only one side has is a refusal that names it, even when all common rows agree; so are repeated and unsorted rows.
. "$(dirname "$0")/common.sh"
corpus="$scratch/golden/corpora/linalg.f64.golden"
inputs="$scratch/golden/inputs/linalg.f64.inputs"
rows=$(grep -c '^[a-z]' "$golden/corpora/linalg.f64.golden")
rows=$((rows - 1)) # less the column header
declare_rows() {
    sed -i "1s/rows=.*/rows=$1/" "$corpus"
}

fresh
sed -i '/^sum.ramp.65536	/d' "$corpus"
check 3 "declares rows=$rows"
declare_rows $((rows - 1))
check 3 "sum.ramp.65536: missing"
lock
check 3 "sum.ramp.65536: missing"
fresh
sed -i 's/^\(sum.ramp.65537\)	\(.*\)/\1	\2\nsum.ramp.655370	\2/' "$corpus"
declare_rows $((rows + 1))
lock
check 3 "sum.ramp.655370: unknown id"
fresh
sed -i 's/^\(sum.ramp.65537	.*\)/\1\n\1/' "$corpus"
declare_rows $((rows + 1))
lock
check 3 "duplicate id sum.ramp.65537"
fresh
sed -i 's/^\(sum.ramp.65537	.*\)/\1/; /^sum.ramp.65536	/{h;d}; /^sum.ramp.65537	/{G}' "$corpus"
lock
check 3 "out of order"
fresh
sed -i '/^sum.ramp.65536 /d; 1s/rows=\([0-9]*\)/rows=99999/' "$inputs"
check 3 "rows=99999"
sed -i "1s/rows=.*/rows=$(grep -c '^[a-z]' "$inputs")/" "$inputs"
lock
check 3 "sum.ramp.65536: unknown id"
finish 8
