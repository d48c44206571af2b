#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# qualify_device.sh FOLDER SCRIPT: tools/qualify-device over programs that are played: it says what became of each step, stops one
# that hangs, starts none without time, and packs the attempts whatever happened.
set -eu
folder=$1 script=$2
rm -rf "$folder"
mkdir -p "$folder/build/bin"
cat >"$folder/build/bin/cupel" <<'END'
#!/bin/sh
# Makes an attempt; fails for opencl-cpu; hangs when told to.
while [ $# -gt 0 ]; do
    case $1 in
    --evidence) shift; attempts=$1 ;;
    opencl-cpu) status=2 ;;
    esac
    shift
done
mkdir -p "$attempts/one"
echo "$HANGS" >"$attempts/one/receipt.json"
[ "$HANGS" = no ] || tail -f /dev/null
exit "${status:-0}"
END
chmod +x "$folder/build/bin/cupel"

# qualify STATUS OUTPUT ARGUMENT...: runs the script, which must end with STATUS.
qualify() {
    expected=$1 output=$2 status=0
    shift 2
    QUALIFY_BUILD=$folder/build "$script" "$output" "$@" >"$folder/log.txt" 2>&1 || status=$?
    [ "$status" -eq "$expected" ] || { echo "status $status, not $expected:"; cat "$folder/log.txt"; exit 1; }
}

# said FILE PATTERN: a line of FILE matches.
said() {
    grep -Eq -- "$2" "$1" || { echo "no line of $1 is \"$2\":"; cat "$1"; exit 1; }
}

HANGS=no
export HANGS
qualify 0 "$folder/well" run
said "$folder/well/summary.txt" '^run +passed, [0-9]+ s$'
said "$folder/well/summary.txt" '^1 of 1 steps passed, '
qualify 1 "$folder/ill" opencl-cpu run
said "$folder/ill/summary.txt" '^run +passed, '
said "$folder/ill/summary.txt" '^opencl-cpu +failed, status 2, '
said "$folder/ill/summary.txt" '^1 of 2 steps passed, '
said "$folder/ill/steps.tsv" '^opencl-cpu	2	[0-9]+	120$'
for attempts in run opencl-cpu; do
    tar -tzf "$folder/ill/attempts-$attempts.tar.gz" | grep -q "attempts-$attempts/one/receipt.json"
done

HANGS=yes QUALIFY_SECONDS=12
export QUALIFY_SECONDS
rm -rf "$folder/build/attempts-run"
qualify 1 "$folder/slow" run opencl-cpu
said "$folder/slow/summary.txt" '^run +stopped at its limit, '
said "$folder/slow/summary.txt" '^opencl-cpu +no time was left, 0 s$'
said "$folder/slow/summary.txt" '^0 of 2 steps passed, '
tar -xzOf "$folder/slow/attempts-run.tar.gz" attempts-run/one/receipt.json | grep -qx yes

qualify 64 "$folder/none" run nothing
said "$folder/log.txt" 'there is no step nothing'
echo "steps that pass, fail, hang and find no time: each said so"
