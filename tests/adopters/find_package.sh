#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# find_package.sh CMAKE CTEST BUILD SCRATCH [OPTION...]: installs the build tree, moves the prefix, and lets a project that finds it there
# qualify its library: a pass, a fault of the library, a case nobody runs, a backend that is missing, sources newer than the build.
cmake=$1
ctest=$2
tree=$3
scratch=$4
shift 4
. "$(dirname "$0")/../expect.sh"
"$cmake" --install "$tree" --prefix "$scratch/first" >"$scratch/installed"
mv "$scratch/first" "$scratch/prefix"
cp -r "$(dirname "$0")/find_package" "$scratch/source"
cupel=$scratch/prefix/bin/cupel

# What docs/adopters.md shows stands in the project, line by line.
sed -n '/^```cmake$/,/^```$/{/^```/d;/^$/d;p}' "$(dirname "$0")/../../docs/adopters.md" >"$scratch/shown"
[ -s "$scratch/shown" ]
while IFS= read -r line; do
    expect 0 "$line" grep -xF -e "$line" "$scratch/source/CMakeLists.txt"
done <"$scratch/shown"
build=$scratch/build
cases=$(grep -c . "$scratch/source/residual.cases")

configure() {
    "$cmake" -S "$scratch/source" -B "$build" "-DCMAKE_PREFIX_PATH=$scratch/prefix" "$@"
}
PKG_CONFIG_LIBDIR=$scratch/nothing
export PKG_CONFIG_LIBDIR
expect 1 "harness: pkg-config does not find JANSSON; install its development files." configure "$@"
unset PKG_CONFIG_LIBDIR
rm -r "$build"
expect 0 "Configuring done" configure "$@"
expect 0 "device-gate-cpu" "$cmake" --build "$build"
expect 0 "cpu-reference: PASS $cases/$cases" "$cupel" run cpu-reference --tree "$build"
expect 0 "100% tests passed" "$ctest" --test-dir "$build" -L '^cpu-reference$'
expect 0 "in order" "$cupel" profiles --check --tree "$build"
expect 0 "agrees" "$cupel" manifest --check --tree "$build"
# The test of the corpora is there, and what it runs finds the installed ones; golden.check makes all of them again.
expect 0 "golden.core" "$ctest" --test-dir "$build" -N -L '^golden$'
expect 0 "golden check: PASS 1/1" "$cupel" golden --check --corpus linalg.f64
cd "$scratch" # the tree is found from where one stands, too
expect 0 "cpu-reference: PASS" "$cupel" run cpu-reference
if [ ! -e "$scratch/prefix/lib/libnc_cuda.a" ]; then
    expect 2 "cuda: NOT RUN" "$cupel" run cuda --tree "$build"
    expect 2 "the Cupel installed in $scratch/prefix is without it" "$cupel" run cuda --tree "$build"
fi

# The library's fault is a FAIL that names the cases, on both routes.
expect 0 "Configuring done" configure -DRESIDUAL_FAULT=ON
expect 0 "Linking C" "$cmake" --build "$build"
expect 1 "residual.known-system.f64" "$cupel" run cpu-reference --tree "$build"
expect 1 "cpu-reference: FAIL $((cases - 2))/$cases" "$cupel" run cpu-reference --tree "$build"
expect 8 "cpu-reference: FAIL" "$ctest" --test-dir "$build" -L '^cpu-reference$' --output-on-failure
expect 0 "Configuring done" configure -DRESIDUAL_FAULT=OFF
expect 0 "Linking C" "$cmake" --build "$build"

# A manifest with a case that is not there, or without one that is, is refused; so are executables older than their sources.
cp "$scratch/source/residual.cases" "$scratch/kept"
echo "residual.zz-nobody run values=1" >>"$scratch/source/residual.cases"
expect 0 "" "$cmake" --build "$build"
expect 3 "residual.zz-nobody" "$cupel" run cpu-reference --tree "$build"
sed '$d' "$scratch/kept" >"$scratch/source/residual.cases"
expect 3 "1 source file changed since the build" "$cupel" run cpu-reference --tree "$build"
expect 0 "" "$cmake" --build "$build"
expect 3 "case-unexpected" "$cupel" run cpu-reference --tree "$build"
cp "$scratch/kept" "$scratch/source/residual.cases"
expect 0 "" "$cmake" --build "$build"
expect 0 "cpu-reference: PASS $cases/$cases" "$cupel" run cpu-reference --tree "$build"

# Evidence with a build of its own: the tree's whole configuration, built from nothing. The tree at hand is without the fault that its
# configuration asks for, so a FAIL shows that it did not run.
git_here() {
    git -C "$scratch/source" -c user.name=t -c user.email=t@example.org "$@"
}
git_here init -q
git_here add -A
git_here commit -q -m first
TMPDIR=$scratch/temporary
mkdir "$TMPDIR"
export TMPDIR
expect 0 "cpu-reference: PASS $cases/$cases" "$cupel" run cpu-reference --tree "$build" --evidence "$scratch/evidence" --fresh-build
expect 0 "PASS cpu-reference $cases/$cases, build fresh" "$cupel" receipt check "$scratch/evidence"/*
# A command beside the run may need anything of the tree, so then all of it is built.
printf 'cpu-reference\tall\tfind "$CUPEL_TREE" -name device-gate-cuda -type f | grep .\n' >"$scratch/steps.tsv"
expect 0 "cpu-reference: PASS $cases/$cases" "$cupel" run cpu-reference --tree "$build" --evidence "$scratch/beside" --fresh-build \
    --steps "$scratch/steps.tsv"
expect 0 "/device-gate-cuda" cat "$scratch"/beside/*/steps/all/stdout
sed 's/^RESIDUAL_FAULT:BOOL=OFF$/RESIDUAL_FAULT:BOOL=ON/' "$build/CMakeCache.txt" >"$scratch/cache"
cp "$scratch/cache" "$build/CMakeCache.txt"
expect 1 "cpu-reference: FAIL" "$cupel" run cpu-reference --tree "$build" --evidence "$scratch/fault" --fresh-build
expect 1 "FAIL cpu-reference $((cases - 2))/$cases, build fresh" "$cupel" receipt check "$scratch/fault"/*
expect 0 "0 are left" sh -c 'echo "$(ls -A "$TMPDIR" | wc -l) are left"'
finish 39
