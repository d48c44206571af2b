# SPDX-License-Identifier: Apache-2.0
# What the scripts of this folder share. Usage: . common.sh CUPEL GOLDEN SCRATCH
cupel=$1
golden=$2
scratch=$3
. "$(dirname "$0")/../expect.sh"

# A fresh copy of the golden folder's files (not of its programs).
fresh() {
    rm -rf "$scratch/golden"
    mkdir "$scratch/golden"
    cp -r "$golden/corpora" "$golden/inputs" "$golden/bounds.tsv" "$golden/SHA256SUMS" "$scratch/golden/"
}

check() {
    expect "$1" "$2" "$cupel" golden --check --golden "$scratch/golden" --corpus linalg.f64
}

# lock: makes SHA256SUMS fit the files as they are, as one would who changes both.
lock() {
    (cd "$scratch/golden" && sha256sum bounds.tsv corpora/* inputs/* >SHA256SUMS)
}
