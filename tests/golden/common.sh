# SPDX-License-Identifier: Apache-2.0
# What the scripts of this folder share. Usage: . common.sh CUPEL GOLDEN SCRATCH
set -eu
cupel=$1
golden=$2
scratch=$3
rm -rf "$scratch"
mkdir -p "$scratch"
unset CI
checks=0

# A fresh copy of the golden folder's files (not of its programs).
fresh() {
    rm -rf "$scratch/golden"
    mkdir "$scratch/golden"
    cp -r "$golden/corpora" "$golden/inputs" "$golden/bounds.tsv" "$golden/SHA256SUMS" "$scratch/golden/"
}

# expect STATUS TEXT COMMAND...: the command ends with STATUS and says TEXT.
expect() {
    wanted=$1
    text=$2
    shift 2
    status=0
    "$@" >"$scratch/said" 2>&1 </dev/null || status=$?
    if [ "$status" -ne "$wanted" ] || ! grep -qF -e "$text" "$scratch/said"; then
        echo "expected status $wanted and \"$text\" from: $*"
        echo "got status $status and:"
        cat "$scratch/said"
        exit 1
    fi
    checks=$((checks + 1))
}

check() {
    expect "$1" "$2" "$cupel" golden --check --golden "$scratch/golden" --corpus linalg.f64
}

# lock: makes SHA256SUMS fit the files as they are, as one would who changes both.
lock() {
    (cd "$scratch/golden" && sha256sum bounds.tsv corpora/* inputs/* >SHA256SUMS)
}

finish() {
    [ "$checks" -ge "$1" ] || {
        echo "only $checks checks ran"
        exit 1
    }
    echo "$checks checks"
}
