#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds that every test which docs/faults.md names exists.

The last column of each table names tests in back quotes: a case of every manifest (with .f32 and .f64 where it has both), `golden ID` for
a row of golden/inputs, or a proof as tests/proofs.py writes it: a test of ctest, a case of it, the reasons that the case expects.

usage: faults.py SOURCE BUILD
"""
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from proofs import Proofs  # noqa: E402

# Faults of these kinds were gathered once; none may get lost.
LEAST = {"Reports": 31, "Devices and runs": 24, "Reference values": 20}
NAME = re.compile(r"`([^`]+)`")


def manifests(source):
    """The cases that every backend runs."""
    lists = [{line.split()[0] for line in path.read_text().splitlines() if line and not line.startswith("#")}
             for path in sorted((source / "tests/manifest").glob("*.cases"))]
    return set.intersection(*lists)


def golden_rows(source):
    return {line.split()[0] for path in (source / "golden/inputs").glob("*.inputs") for line in path.read_text().splitlines()
            if line and not line.startswith("#")}


def rows_of(text):
    """Yields (line number, section, cells) for each row of a table that is neither its head nor its rule."""
    section = ""
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("## "):
            section = line[3:]
        elif line.startswith("|") and not line.startswith(("|---", "| fault |")):
            yield number, section, [cell.strip() for cell in line.strip().strip("|").split(" | ")]


def faults_of(text, cases, golden, proofs):
    sections = dict.fromkeys(re.findall(r"^## (.*)$", text, re.M), 0)
    for number, section, cells in rows_of(text):
        sections[section] = sections.get(section, 0) + 1
        names = NAME.findall(cells[-1])
        if len(cells) != 4 or not names:
            yield f"line {number}: a row has a fault, where it was seen, the right answer and at least one test"
        for name in names:
            if name.startswith("golden "):
                fault = None if name[7:] in golden else "there is no such row"
            else:
                known = name in cases or {name + ".f32", name + ".f64"} <= cases
                fault = None if known else proofs.fault(name)
            if fault is not None:
                yield f"line {number}: {name}: {fault}"
    for section in sections.keys() | LEAST.keys():
        if sections.get(section, 0) < LEAST.get(section, 1):
            yield f"section {section} has {sections.get(section, 0)} rows, fewer than {LEAST.get(section, 1)}"


def main():
    source, build = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    text = (source / "docs/faults.md").read_text(encoding="utf-8")
    known = manifests(source), golden_rows(source), Proofs(source, build)
    found = list(faults_of(text, *known))
    for fault in found:
        print(f"docs/faults.md: {fault}")
    # The lint itself: a name with one letter more, a row without a test, and an empty section are found.
    spoiled = [NAME.sub(lambda m: f"`{m.group(1)}x`", text), re.sub(r"`", "", text), text + "\n## Nothing\n"]
    blind = [i for i, each in enumerate(spoiled) if not list(faults_of(each, *known))]
    print(f"{len(list(rows_of(text)))} faults, {len(found)} without their test, {len(blind)} spoiled copies accepted")
    return 1 if found or blind or not list(rows_of(text)) else 0


if __name__ == "__main__":
    sys.exit(main())
