#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds the numbers of the elementary functions: the bounds that tests use, the core's header and the page say the same.

usage: elementary.py SOURCE

A row of the page is | `name` | bound f32 | bound f64 | relative bound | largest found f32 | at | relative | at | found f64 | cause |.
"""
import pathlib
import re
import sys

DEFINITION = re.compile(r"^ELEMENTARY\((\w+), ([0-9.]+), ([0-9.]+), (ERROR_\w+), ", re.M)
RELATIVE = re.compile(r"^#define (ERROR_\w+) ([0-9.]+)$", re.M)
ULP = re.compile(r"^#define (ULP_\w+) ([0-9.]+)$", re.M)
HEADER = re.compile(r"^//   (\w+) +([0-9.]+) +([0-9.]+) +([0-9.]+) +([0-9.]+)$", re.M)
PAGE = re.compile(r"^\| `(\w+)` \|" + r" ([-+0-9a-fxp.]+) \|" * 8 + r" [^|]+ \|$", re.M)
ARGUMENT = re.compile(r"^    \{\"(\w+)\", ([-+0-9a-fxp.]+)\},$", re.M)


def faults_of(definition, relative, header, page, test):
    """Yields what the five texts do not say alike."""
    relatives = dict(RELATIVE.findall(relative))
    bounds = {name: (f32, f64, relatives.get(error)) for name, f32, f64, error in DEFINITION.findall(definition)}
    headers = {row[0]: row[1:] for row in HEADER.findall(header)}
    pages = {row[0]: row[1:] for row in PAGE.findall(page)}
    arguments = {(name, float.fromhex(x)) for name, x in ARGUMENT.findall(test)}
    for what, rows in (("header", headers), ("page", pages)):
        yield from (f"{name}: not in the {what}" for name in bounds if name not in rows)
        yield from (f"{name}: the {what} has it and elementary.def has not" for name in rows if name not in bounds)
    largest = {error.replace("ERROR", "ULP"): max(f32, f64) for _, f32, f64, error in DEFINITION.findall(definition)}
    yield from (f"{name} is {value}, not {largest.get(name)}" for name, value in ULP.findall(relative) if value != largest.get(name))
    for name in bounds.keys() & headers.keys() & pages.keys():
        f32, f64, part = bounds[name]
        if part is None:
            yield f"{name}: elementary_errors.h has no relative bound"
            continue
        found32, at, found_part, at_part, found64 = pages[name][3:]
        if headers[name] != (f32, f64, found32, found64) or pages[name][:3] != (f32, f64, part):
            yield f"{name}: bounds {f32} {f64} {part}, header {headers[name]}, page {pages[name]}"
        if not (float(found32) <= float(f32) and float(found64) <= float(f64) and float(found_part) <= float(part)):
            yield f"{name}: found more than the bound"
        yield from (f"{name}: unit.elementary does not take {x}" for x in (at, at_part)
                    if (name, float.fromhex(x)) not in arguments)


def main():
    source = pathlib.Path(sys.argv[1])
    texts = [(source / path).read_text(encoding="utf-8") for path in (
        "tests/unit/elementary.def", "golden/oracle/elementary_errors.h", "src/core/kernels/elementary.h", "docs/elementary.md",
        "tests/unit/test_elementary.c")]
    faults = list(faults_of(*texts))
    for fault in faults:
        print(fault)
    names = [row[0] for row in DEFINITION.findall(texts[0])]
    # The lint itself: another number, or a function less, in any of the five.
    for index, pattern in enumerate((DEFINITION, RELATIVE, HEADER, PAGE, ARGUMENT)):
        row = pattern.search(texts[index]).group(0)
        for spoiled in (row.replace(".", ".9", 1), ""):
            if not list(faults_of(*texts[:index], texts[index].replace(row, spoiled, 1), *texts[index + 1:])):
                faults.append(row)
                print(f"the lint accepts \"{spoiled}\" for \"{row}\"")
    print(f"{len(names)} functions, {len(faults)} faults")
    return 1 if faults or not names else 0


if __name__ == "__main__":
    sys.exit(main())
