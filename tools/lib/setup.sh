# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034
# What tools/quickstart and tools/check share: packages, and the place they work in. Sourced, not run.

# Debian and Ubuntu packages of the default build.
CUPEL_PACKAGES_BUILD=(gcc libc6-dev cmake ninja-build pkg-config libcmocka-dev libxml2-dev libjansson-dev libssl-dev libmpfr-dev)
# What the checks need beyond it. Nothing in either list touches a CUDA toolkit or a driver.
CUPEL_PACKAGES_CHECK=(git clang clang-format valgrind shellcheck python3 openssh-client ocl-icd-opencl-dev pocl-opencl-icd)

say() { printf '%s\n' "$*"; }
fail() { # fail STATUS SENTENCE
    printf '%s: %s\n' "${0##*/}" "$2" >&2
    exit "$1"
}

# The commands and pkg-config modules that stand for the packages on other systems.
missing_elsewhere() {
    local name
    for name in cc cmake ninja pkg-config; do
        command -v "$name" >/dev/null 2>&1 || printf '%s ' "$name"
    done
    for name in cmocka libxml-2.0 jansson libcrypto mpfr; do
        pkg-config --exists "$name" 2>/dev/null || printf '%s ' "$name"
    done
}

packages_missing() { # packages_missing PACKAGE...
    local package
    for package in "$@"; do
        [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || printf '%s\n' "$package"
    done
}

as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    elif command -v sudo >/dev/null 2>&1; then
        sudo "$@"
    else
        fail 2 "installing packages needs root; run as root, install sudo, or install them yourself: ${missing[*]}"
    fi
}

# Installs what is missing and lists it. Does nothing when nothing is missing.
packages_install() { # packages_install PACKAGE...
    local missing
    if ! command -v apt-get >/dev/null 2>&1; then
        missing=$(missing_elsewhere)
        [ -z "$missing" ] || fail 2 "this is not Debian or Ubuntu; install these with your system's packages, then run again: $missing"
        return 0
    fi
    mapfile -t missing < <(packages_missing "$@")
    if [ "${#missing[@]}" -eq 0 ]; then
        say "packages: all present"
        return 0
    fi
    say "packages to install: ${missing[*]}"
    as_root env DEBIAN_FRONTEND=noninteractive apt-get update -qq </dev/null ||
        fail 2 "apt-get update failed; check the network and the package sources, then run again"
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends "${missing[@]}" </dev/null >/dev/null ||
        fail 2 "apt-get could not install ${missing[*]}; install them yourself, then run again"
    say "packages installed: ${missing[*]}"
}

# CMake 3.25 is the oldest that the build supports.
cmake_check() {
    local version
    version=$(cmake --version | sed -n '1s/^cmake version \([0-9]*\.[0-9]*\).*/\1/p')
    [ "$(printf '%s\n' 3.25 "$version" | sort -V | head -n 1)" = 3.25 ] ||
        fail 2 "CMake $version is too old, 3.25 or newer is needed; install a newer one (for example with pipx install cmake)"
}

# Reads the output of a build and, on a terminal, keeps one line with how far it is: "[123/456]" at the start of ninja's lines.
build_progress() {
    local line
    while IFS= read -r line; do
        if [ -t 1 ] && [[ $line =~ ^\[([0-9]+)/([0-9]+)\] ]]; then
            printf '\rbuild step %s of %s, %s s\033[K' "${BASH_REMATCH[1]}" "${BASH_REMATCH[2]}" "$SECONDS"
        fi
    done
    [ ! -t 1 ] || printf '\r\033[K'
}
