#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Rules about the files of the tree: licence line, line ends, marks of unfinished work, length, names of no machine; and that every
case of a committed manifest limits what it launches and moves.

usage: tree.py SOURCE
"""
import pathlib
import re
import sys

FOLDERS = ("src", "backends", "tests", "tools", "golden", "cmake", "docs", ".ci")
SOURCES = {".c", ".h", ".cu", ".cuh", ".cl", ".cmake", ".py", ".sh", ".def"}
LONGEST_C_FILE = 450  # "about 400 lines"
LICENCE = "SPDX-License-Identifier: Apache-2.0"
UNFINISHED = re.compile(r"\b(TODO|FIXME|" + "XX" + r"X|HACK)\b")
LIMITED = re.compile(r" launches=\S+ uploaded=\S+ downloaded=\S+( claims=\S+)?$")
MACHINE_PATH = re.compile(r"(?<![\w./-])/(home|root|Users)/\w")


def is_script(path, text):
    return path.suffix == "" and text.startswith("#!")


def faults_of(path, raw):
    name = str(path)
    text = raw.decode("utf-8", "replace")
    is_source = path.suffix in SOURCES or path.name == "CMakeLists.txt" or is_script(path, text)
    if path.suffix == ".cases" and path.parts[:2] == ("tests", "manifest"):
        for number, line in enumerate(text.splitlines(), 1):
            if " run " in line and not LIMITED.search(line):
                yield f"line {number} lacks launches=, uploaded= and downloaded=; run `cupel manifest --write` after a run"
    # Test data may be damaged on purpose.
    if not is_source and path.suffix != ".md":
        return
    if b"\r" in raw or b"\0" in raw:
        yield "has carriage returns or zero bytes"
    if raw and not raw.endswith(b"\n"):
        yield "does not end with a line end"
    if not is_source:
        return
    lines = text.splitlines()
    if not any(LICENCE in line for line in lines[:3]):
        yield f"lacks the line {LICENCE}"
    if path.suffix in (".c", ".h", ".cu") and "_table" not in path.stem and len(lines) > LONGEST_C_FILE:
        yield f"has {len(lines)} lines, more than {LONGEST_C_FILE}"
    if name != "tests/lint/tree.py":
        for number, line in enumerate(lines, 1):
            if UNFINISHED.search(line):
                yield f"line {number} marks unfinished work"
            if MACHINE_PATH.search(line) and not name.startswith("tests/"):
                yield f"line {number} names a path of some machine"


def main():
    source = pathlib.Path(sys.argv[1])
    count = 0
    faults = 0
    for folder in FOLDERS:
        for path in sorted((source / folder).rglob("*")):
            if not path.is_file() or path.is_symlink() or "__pycache__" in path.parts:
                continue
            count += 1
            for fault in faults_of(path.relative_to(source), path.read_bytes()):
                faults += 1
                print(f"{path.relative_to(source)}: {fault}")
    print(f"{count} files, {faults} faults")
    return 1 if faults or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
