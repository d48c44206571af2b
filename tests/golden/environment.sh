#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# --check writes nothing, whatever the environment says; --write is refused where CI is set; two writes give the same bytes.
. "$(dirname "$0")/common.sh"
fresh
sum_of() {
    (cd "$scratch/golden" && find . -type f -exec sha256sum {} + | sort | sha256sum)
}
before=$(sum_of)
unchanged() {
    [ "$(sum_of)" = "$before" ] || {
        echo "the golden folder changed"
        exit 1
    }
}

for setting in GOLDEN_UPDATE=0 GOLDEN_UPDATE=false GOLDEN_UPDATE= GOLDEN_UPDATE=1 UPDATE_GOLDEN=1 CUPEL_GOLDEN_UPDATE=1 CI=true; do
    expect 0 "PASS" env "$setting" GOLDEN_UPDATE=1 "$cupel" golden --check --golden "$scratch/golden" --corpus rng.u32
    unchanged
done
chmod -R a-w "$scratch/golden"
expect 0 "PASS" "$cupel" golden --check --golden "$scratch/golden" --corpus rng.u32
chmod -R u+w "$scratch/golden"
for value in true 1 false; do
    expect 3 "never written where CI is set" env "CI=$value" GOLDEN_UPDATE=1 "$cupel" golden --write --golden "$scratch/golden" --corpus rng.u32
    unchanged
done

# A damaged corpus stays damaged under --check, and is made good by --write alone.
sed -i 's/^skip.0\/0	[0-9]*/skip.0\/0	1/' "$scratch/golden/corpora/rng.u32.golden"
damaged=$(sum_of)
expect 1 "skip.0/0" "$cupel" golden --check --golden "$scratch/golden" --corpus rng.u32
[ "$(sum_of)" = "$damaged" ]
expect 0 "golden write: PASS" env CI= "$cupel" golden --write --golden "$scratch/golden" --corpus rng.u32
unchanged
expect 0 "golden write: PASS" "$cupel" golden --write --golden "$scratch/golden" --corpus rng.u32
unchanged

# A wrong bound is not written around: nothing is replaced when an answer exceeds it.
sed -i '/^rng.normal	f64/s/	0x[^	]*	[^	]*	/	0x1p-30	2^-30	/' "$scratch/golden/bounds.tsv"
bounded=$(sum_of)
expect 1 "exceeds the bound" "$cupel" golden --write --golden "$scratch/golden" --corpus rng.f64
[ "$(sum_of)" = "$bounded" ]
finish 14
