#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""No kernel assigns to one of its parameters, a struct's members included: PoCL's work items share one copy of the arguments.

First the check must find the planted faults below, then it must find none in the sources.

usage: devices_arguments.py SOURCE_DIR
"""
import pathlib
import re
import sys

KERNEL = re.compile(r"NC_(?:GROUP_)?KERNEL\d*\s*\(")
FAULTS = [
    "NC_KERNEL2(k, nc_u64, count, nc_layout, layout) { layout.offset += 1; }",
    "NC_KERNEL1(k, nc_u64, count) { if (count) { --count; } }",
    "NC_KERNEL12(k, nc_u64, count, nc_layout, layout) { layout.extent[0] += count; }",
    "NC_GROUP_KERNEL(k)(nc_layout layout, NC_GLOBAL nc_u32 *out) { layout.stride[2] = 0; }",
]
SOUND = "NC_KERNEL2(k, nc_u64, count, NC_GLOBAL nc_u32 *, out) { nc_u64 n = count; n += 1; if (count == n) { out[count] = 1; } }"


def closing(text, start, pair):
    depth = 0
    for at in range(start, len(text)):
        depth += (text[at] == pair[0]) - (text[at] == pair[1])
        if depth == 0:
            return at
    return len(text) - 1


def kernels(text):
    """Yields (parameter names, body) of each kernel; macros that only head one have no body."""
    text = re.sub(r"//[^\n]*", "", text).replace("\\\n", "\n")
    for match in KERNEL.finditer(text):
        end = closing(text, match.end() - 1, "()")
        head = text[match.end() : end]
        rest = end + 1 + len(text[end + 1 :]) - len(text[end + 1 :].lstrip())
        if text[rest : rest + 1] == "(":
            end = closing(text, rest, "()")
            head = text[rest + 1 : end]
            rest = end + 1 + len(text[end + 1 :]) - len(text[end + 1 :].lstrip())
        if text[rest : rest + 1] == "{":
            yield set(re.findall(r"(\w+)\s*(?:,|$)", head.strip())), text[rest : closing(text, rest, "{}") + 1]


def assigned(text):
    found = []
    for names, body in kernels(text):
        for name in sorted(names):
            place = rf"(?<![\w.>]){name}(?:\.\w+(?:\[[^\]]*\])?)*"
            if re.search(rf"{place}\s*(?:=(?!=)|[-+*/|&^]=|<<=|>>=|\+\+|--)", body) or re.search(rf"(?:\+\+|--){name}\b", body):
                found.append(name)
    return found


def main():
    source = pathlib.Path(sys.argv[1])
    if any(not assigned(fault) for fault in FAULTS) or assigned(SOUND):
        print("the check does not find its planted faults, or faults sound code")
        return 1
    count, faults = 0, 0
    for folder in ("src/core/kernels", "backends/device"):
        for path in sorted((source / folder).glob("*.h")):
            text = path.read_text(encoding="utf-8")
            count += len(list(kernels(text)))
            for name in assigned(text):
                print(f"{path.relative_to(source)}: a kernel assigns to its parameter {name}")
                faults += 1
    print(f"{count} kernels, {faults} faults")
    return 1 if faults or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
