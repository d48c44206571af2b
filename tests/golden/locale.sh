#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The same report, byte for byte, in every locale. LOCPATH names locales with a decimal comma where the build could make them.
. "$(dirname "$0")/common.sh"
fresh
sed -i 's/^sum.ramp.3	0x1.8p+2/sum.ramp.3	0x1.8000000000001p+2/' "$scratch/golden/corpora/linalg.f64.golden"
for locale in C de_DE.UTF-8 tr_TR.UTF-8; do
    LC_ALL=$locale "$cupel" golden --check --corpus linalg.f64 --json >"$scratch/good.$locale"
    status=0
    LC_ALL=$locale "$cupel" golden --check --corpus linalg.f64 --golden "$scratch/golden" >"$scratch/bad.$locale" || status=$?
    [ "$status" -eq 1 ]
    cmp "$scratch/good.C" "$scratch/good.$locale"
    cmp "$scratch/bad.C" "$scratch/bad.$locale"
    checks=$((checks + 2))
done
grep -qF '6.0000000000000009e+00' "$scratch/bad.C"
fresh
sed -i 's/^sum.ramp.3	0x1.8p+2/sum.ramp.3	0x1,8p+2/' "$scratch/golden/corpora/linalg.f64.golden"
expect 3 "bad number" env LC_ALL=de_DE.UTF-8 "$cupel" golden --check --golden "$scratch/golden" --corpus linalg.f64
finish 7
