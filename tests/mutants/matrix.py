#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Keeps docs/mutants.md in step with the lists of planted faults.

A fault's line names what must kill it, and its test fails when anything else happens, so the matrix is made from the lists. Every part
must have at least ten faults, the faults of the field that NAMED lists must be among them, and the text that a fault replaces must stand
exactly once in its file.

usage: matrix.py --check|--write SOURCE
"""
import pathlib
import sys

LEAST = 10
PARTS = (  # lists, title, what kills
    (("core", "*.faults"), "Core", "`cupel golden --check --corpus`; the suite's golden cases compare the same bytes on every backend"),
    (("device", "device.list"), "Device kernels and backend", "a case of a suite: faults in `backends/opencl` on an OpenCL device"
     " (`mutants.device`), those in `backends/cuda` on a\nCUDA device (`mutants.device-cuda`), all others on both"),
    (("harness", "harness.list"), "Harness", "a unit test"),
    (("verdict", "verdict.list"), "Verdict", "a unit test"),
    (("evidence", "evidence.list"), "Evidence", "a unit test"),
)
NAMED = ("the last element is dropped", "a stale output passes", "its output is stale", "two arguments are swapped", "the accumulator is a float32",
         "one Philox round fewer", "the words of the key in the wrong order", "the rate is taken for the scale", "p is taken for 1 - p",
         "a wrong sign in an adjoint", "an infinite tolerance is accepted", "NaN is accepted as an error", "the totals of the close line are trusted",
         "CMocka's counters are trusted", "launches are not counted", "a skipped case in the report is ignored",
         "no kernel of the device")


def rows(path):
    """(killer, suite, file, the text before, what) of each fault."""
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            continue
        fields = line.split("\t")
        if path.suffix == ".faults":
            corpus, file, before, after, *what = fields
            yield corpus, corpus.split(".")[0], file, before, what[0] if what else f"{code(before)} becomes {code(after) if after else 'nothing'}"
        elif path.name == "device.list":
            suite, case, file, before, _, what = fields
            yield (case if suite != "every" else "launches and transfers outside of the manifest"), suite, file, before, what
        else:
            test, file, before, _, what = fields
            yield f"tests/unit/{test}.c", "", f"src/{path.stem}/{file}", before, what


def code(text):
    return "`" + text.replace("|", "\\|") + "`"


def page(folder):
    out = ["# Planted faults", "",
           "Made by `tests/mutants/matrix.py --write .` from the lists in `tests/mutants`; a test compares. Each line was planted in a copy and",
           "killed by what its row names (`ctest -L mutants`, all of them with `tools/check --full`); a fault that survives fails the label.", ""]
    faults = []
    lost = []
    for (name, pattern), title, how in PARTS:
        found = [row for path in sorted(folder.glob(pattern)) for row in rows(path)]
        if len(found) < LEAST:
            sys.exit(f"{name} has {len(found)} planted faults, fewer than {LEAST}")
        faults += found
        out += [f"## {title}: {len(found)}", "", f"Killed by {how}.", "", "| fault | file | killed by | suite |", "|---|---|---|---|"]
        out += [f"| {what} | {file} | {killer} | {suite} |" for killer, suite, file, _, what in found]
        lost += [f"{file}: {before}" for _, _, file, before, _ in found if (folder.parent.parent / file).read_text().count(before) != 1]
        out.append("")
    missing = [one for one in NAMED if not any(one in what for *_, what in faults)]
    if lost:
        sys.exit("not exactly once in its file:\n" + "\n".join(lost))
    if missing:
        sys.exit(f"no list plants: {missing}")
    return "\n".join(out), len(faults)


def main():
    mode, source = sys.argv[1], pathlib.Path(sys.argv[2])
    text, count = page(source / "tests/mutants")
    path = source / "docs/mutants.md"
    if mode == "--write":
        path.write_text(text, encoding="utf-8")
    elif not path.exists() or path.read_text(encoding="utf-8") != text:
        sys.exit("docs/mutants.md is not what the lists give: run tests/mutants/matrix.py --write .")
    print(f"{count} planted faults in docs/mutants.md")


if __name__ == "__main__":
    main()
