#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Each kind of damage to a golden file, its exit status and the reason given. Kinds of damage: line ends, marks, pointers, lost
# signs, lost digits, foreign spellings, NaN, one ulp, loosened bounds, missing and repeated rows, volatile headers.
. "$(dirname "$0")/common.sh"
corpus="$scratch/golden/corpora/linalg.f64.golden"
inputs="$scratch/golden/inputs/linalg.f64.inputs"
tab=$(printf '\t')

edit() { # edit FILE SED-SCRIPT: must change the file
    cp "$1" "$scratch/before"
    sed -i "$2" "$1"
    if cmp -s "$1" "$scratch/before"; then
        echo "the edit changed nothing: $2"
        exit 1
    fi
}

fresh
check 0 "golden check: PASS 1/1"

fresh
edit "$corpus" 's/$/\r/'
check 3 "line endings only"
check 3 "CRLF"
fresh
edit "$corpus" '1s/^/\xef\xbb\xbf/'
check 3 "BOM"
fresh
printf 'version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 369\n' >"$corpus"
check 3 "LFS pointer"
fresh
: >"$corpus"
check 3 "empty"
fresh
rm "$corpus"
check 3 "linalg.f64.golden: is missing, and"
fresh
edit "$scratch/golden/SHA256SUMS" '/corpora.linalg.f64.golden/{s/^0/1/;t;s/^./0/}'
check 3 "is not the SHA-256 of corpora/linalg.f64.golden, which was made again byte for byte"
fresh
printf '\001\002\003\004\000\000\000\000\n' >"$corpus"
check 3 "zero byte"
fresh
edit "$corpus" '200,$d'
check 3 "no #end"
fresh
edit "$corpus" '2i #generated 2026-02-03 04:05:06 on node7'
check 3 "volatile"
fresh
edit "$corpus" '1s/rows=/date=today rows=/'
check 3 "header"

# Values: well formed and wrong is a difference with both values and the distance.
fresh
edit "$corpus" "s/^sum.zero_negative${tab}-0x0p+0/sum.zero_negative${tab}0x0p+0/"
check 1 "sum.zero_negative: answer differs"
check 1 "the sign of zero differs"
check 1 "hash mismatch"
fresh
edit "$corpus" "s/^sum.ramp.3${tab}0x1.8p+2/sum.ramp.3${tab}0x1.8000000000001p+2/"
check 1 "sum.ramp.3: answer differs: committed 0x1.8000000000001p+2, computed 0x1.8p+2 (decimal 6.0000000000000009e+00, 6e+00; 1 ulp)"
fresh
edit "$corpus" "/^sum.ramp.3${tab}/s/0x1.8p+2${tab}0x0p+0/0x1.9p+2${tab}0x0p+0/"
check 1 "sum.ramp.3: truth differs"
fresh
edit "$corpus" "/^sum.tie_even${tab}/s/0x1p-1/0x1p-2/"
check 1 "sum.tie_even: error differs"
lock
check 1 "sum.tie_even: error differs" # the lock alone does not make a value right

# Spellings of the same number, and numbers no reader may guess at.
for token in 6 6.0 6,0 0x1.80p+2 0X1.8P+2 0x3p+1 1e+9999 Infinity null NaN '-nan(ind)' '1.#QNAN'; do
    fresh
    edit "$corpus" "s/^sum.ramp.3${tab}0x1.8p+2/sum.ramp.3${tab}$token/"
    case $token in
    6) check 1 "sum.ramp.3: answer differs" ;; # an integer is another answer than a real
    *) check 3 "sum.ramp.3: bad number in column answer" ;;
    esac
done
fresh
edit "$corpus" "s/^sum.ramp.3${tab}0x1.8p+2/sum.ramp.3${tab}nan/"
check 3 "sum.ramp.3 holds nan, which its inputs do not declare"

# Bounds.
fresh
edit "$corpus" "/^sum.tie_even${tab}/s/0x1p-1\$/0x1p+52/"
check 3 "sum.tie_even: bound 0x1p+52 is not what golden/bounds.tsv gives"
fresh
edit "$scratch/golden/bounds.tsv" '/^linalg.sum.f64/s/0x1p-1/0x1p+52/'
check 3 "not what its derivation"
fresh
edit "$scratch/golden/bounds.tsv" '/^linalg.sum.f64/s/0x1p-1	1\/2/0x1p+0	1/'
check 3 "bounds.tsv: hash mismatch"
lock
check 3 "is not what golden/bounds.tsv gives"
fresh
edit "$scratch/golden/bounds.tsv" '/^linalg.sum.f64/d'
check 3 "bounds.tsv has no row for linalg.sum, f64"

# Inputs.
fresh
edit "$inputs" 's/^sum.ramp.3 linalg.sum x=ramp(3,1,1)/sum.ramp.3 linalg.sum x=ramp(3,1,2)/'
check 1 "sum.ramp.3: answer differs"
check 1 "linalg.f64.inputs: hash mismatch"
fresh
edit "$inputs" 's/linalg.sum x=ramp(3,1,1)/linalg.total x=ramp(3,1,1)/'
check 3 "unknown operation"
fresh
rm "$inputs"
check 3 "linalg.f64"
fresh
rm "$scratch/golden/SHA256SUMS"
check 3 "SHA256SUMS"
fresh
touch "$scratch/golden/corpora/notes.txt"
check 3 "notes.txt"
fresh
cp "$corpus" "$scratch/golden/corpora/extra.f64.golden"
lock
expect 3 "extra.f64.golden" "$cupel" golden --check --golden "$scratch/golden"
fresh
cp "$scratch/golden/corpora/linalg.f32.golden" "$corpus"
check 3 "its header names corpus linalg.f32"

expect 3 "no corpus is named linalg.f16" "$cupel" golden --check --corpus linalg.f16
expect 3 "no row of golden/inputs has the id nothing.here" "$cupel" golden --explain nothing.here
expect 0 "rule    scaled" "$cupel" golden --explain sum.tie_even
expect 64 "exactly one of" "$cupel" golden
expect 64 "exactly one of" "$cupel" golden --check --write
expect 64 "--seed" "$cupel" golden --check --seed 3
expect 64 "--sweep" "$cupel" golden --sweep many
finish 50
