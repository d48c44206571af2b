# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# What test scripts share. `scratch` names a folder that is the script's own.
set -eu
rm -rf "${scratch:?}"
mkdir -p "$scratch"
unset CI
checks=0

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

# finish COUNT: the script's last line. Fewer checks than it should have made are a failure.
finish() {
    [ "$checks" -ge "$1" ] || {
        echo "only $checks checks ran"
        exit 1
    }
    echo "$checks checks"
}
