#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds that every proof of modes.tsv is a case that runs and expects the reasons that the proof names.

A row needs a proof that this very build runs; more may belong to parts that it leaves out. At most 10 rows say why a mode cannot happen
instead. docs/refusals.md shows the table.

usage: modes.py SOURCE BUILD
"""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from proofs import Proofs  # noqa: E402

MODES, IMPOSSIBLE_MOST = 104, 10


def rows_of(text):
    return [line.split("\t") for line in text.splitlines() if not line.startswith("#")]


def faults_of(text, proofs):
    rows = rows_of(text)
    impossible = [row for row in rows if row[-1] == "impossible"]
    if len(rows) != MODES or len({row[0] for row in rows}) != MODES or len(impossible) > IMPOSSIBLE_MOST:
        yield f"{len(rows)} rows, {len(impossible)} without a test: there are {MODES} modes, at most {IMPOSSIBLE_MOST} without"
    for row in rows:
        if len(row) != 4 or not all(row):
            yield f"{row[0]}: a row is mode, what happens, what stops it, proofs"
        elif row[3] != "impossible":
            named = row[3].split(" ")
            wrong = [fault for fault in map(proofs.fault, named) if fault is not None]
            yield from (f"{row[0]}: {fault}" for fault in wrong)
            if not wrong and not any(map(proofs.runs_here, named)):
                yield f"{row[0]}: this build runs none of its proofs"


def spoiled(text, proofs):
    """Copies in which one proof is no proof any more, each with the row that must be found."""
    for row in rows_of(text):
        if row[3] == "impossible":
            continue
        first = row[3].split(" ")[0]
        test, _, rest = first.partition("#")
        case, _, reasons = rest.partition("=")
        broken = [f"{test}x#{rest}" if rest else f"{test}x"]
        if case:
            broken.append(f"{test}#{case}x" + (f"={reasons}" if reasons else ""))
            other = next(code for code in sorted(proofs.codes) if proofs.fault(f"{test}#{case}={code}") is not None)
            broken += [f"{test}#{case}={other}", f"{test}#{case}=no-such-reason"]
        for proof in broken:
            yield "\t".join(row), "\t".join([*row[:3], " ".join([proof, *row[3].split(" ")[1:]])])


def main():
    proofs = Proofs(sys.argv[1], sys.argv[2])
    text = (proofs.source / "tests/refusals/modes.tsv").read_text(encoding="utf-8")
    found = list(faults_of(text, proofs))
    for fault in found:
        print(f"modes.tsv: {fault}")
    copies = [] if found else list(spoiled(text, proofs))
    blind = [new for old, new in copies if not list(faults_of(text.replace(old, new), proofs))]
    for row in blind:
        print(f"accepted although spoiled: {row}")
    count = sum(row[-1] != "impossible" and row[-1].count(" ") + 1 for row in rows_of(text))
    print(f"{len(rows_of(text))} modes, {count} proofs, {len(found)} faults; {len(blind)} of {len(copies)} spoiled copies accepted")
    return 1 if found or blind or not copies else 0


if __name__ == "__main__":
    sys.exit(main())
