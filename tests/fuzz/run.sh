#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tests/fuzz/run.sh SECONDS [junit|ledger|manifest|golden|sanitize]...: builds the fuzz targets with clang's libFuzzer, AddressSanitizer and
# UndefinedBehaviorSanitizer in a temporary folder and runs each for so many seconds on the committed seeds. Ends with a line for
# each: executions and findings. Status 1 when there was a finding; the input is kept in the current directory.
set -u
seconds=${1:?usage: run.sh SECONDS [TARGET]...}
shift
[ $# -gt 0 ] || set -- junit ledger manifest golden sanitize
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
flags="-std=c11 -g -O1 -D_POSIX_C_SOURCE=200809L -fsanitize=address,undefined -fno-sanitize-recover=all -I$root/src/verdict -I$root/src/evidence -I$root/golden"
flags="$flags $(pkg-config --cflags libxml-2.0 jansson libcrypto)"
libraries="$(pkg-config --libs libxml-2.0 jansson libcrypto) -lm -lpthread"
status=0
summary=""

# shellcheck disable=SC2086 # flags are words
build() {
  for source in "$root"/src/verdict/*.c "$root"/src/evidence/sanitize*.c "$root"/golden/lib/*.c; do
    name=$(echo "$source" | tr '/' '_')
    clang $flags -fsanitize=fuzzer-no-link -c "$source" -o "$work/$name.o" || exit 2
  done
  for target in "$@"; do
    clang $flags -fsanitize=fuzzer "$here/fuzz_$target.c" "$work"/*.o $libraries -o "$work/fuzz-$target" || exit 2
  done
}

# A file for each block of the sanitiser's cases: all of them in one text are slow to read, and hardly anything is mutated.
blocks() {
  mkdir -p "$work/seeds-sanitize"
  for cases in goes stays; do
    awk -v into="$work/seeds-sanitize/$cases" 'BEGIN { RS = "" } {
      lines = split($0, line, "\n")
      for (i = 1; i <= lines; ++i) if (line[i] !~ /^[>#]/) { sub(/^< /, "", line[i]); print line[i] > (into "-" NR) }
      close(into "-" NR) }' "$root/tests/unit/sanitize_cases/$cases.txt"
  done
  echo "$work/seeds-sanitize $here/seeds/sanitize"
}

seeds() {
  case $1 in
    junit) echo "$root/tests/unit/junit_cases $root/tests/unit/junit_reports" ;;
    sanitize) blocks ;;
    *) echo "$here/seeds/$1" ;;
  esac
}

build "$@"
for target in "$@"; do
  mkdir -p "$work/corpus-$target"
  longest=65536
  [ "$target" = sanitize ] && longest=4096 # its work grows with the text and with what it found in it
  # shellcheck disable=SC2046 # folders are words
  "$work/fuzz-$target" -max_total_time="$seconds" -max_len=$longest -timeout=25 -rss_limit_mb=1024 -print_final_stats=1 -verbosity=0 \
    -artifact_prefix="finding-$target-" "$work/corpus-$target" $(seeds "$target") >"$work/log" 2>&1
  ended=$?
  executions=$(sed -n 's/^stat::number_of_executed_units: *//p' "$work/log")
  if [ $ended -ne 0 ]; then
    tail -40 "$work/log"
    status=1
  fi
  summary="$summary$target: ${executions:-0} executions in $seconds s, $([ $ended -eq 0 ] && echo no finding || echo FINDING)
"
done
printf '%s' "$summary"
exit $status
