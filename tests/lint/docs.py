#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the commands that the documentation shows and compares what they print with what it shows.

A fenced block of sh must have a marker, an HTML comment, on the line before it:
    <!-- run -->  or  <!-- run: 2 -->   every line is run from the source tree and must end with that status (0 unless given)
    <!-- not run: reason -->            not run, and the reason says why
A fenced block of text after <!-- shown: COMMAND; status N --> must be what COMMAND prints. The build tree is written `build`, the source
tree is the working directory, and run names are RUN. Relative links must lead to files.

usage: docs.py --source DIR --build DIR FILE...
"""
import argparse
import pathlib
import re
import subprocess
import sys

RUN_NAME = re.compile(r"\b\d{8}T\d{6}Z-[0-9a-f]{8}\b")
LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")
MARKER = re.compile(r"<!-- (run|not run|shown)(?:: (.*?))? -->")
LIMIT_SECONDS = 300


def blocks(lines):
    """Yields (line number, language, marker line, text lines) for each fenced block."""
    at = 0
    while at < len(lines):
        fence = re.match(r"```(\w*)\s*$", lines[at])
        if fence:
            end = at + 1
            while end < len(lines) and not lines[end].startswith("```"):
                end += 1
            yield at + 1, fence.group(1), lines[at - 1] if at > 0 else "", lines[at + 1 : end]
            at = end
        at += 1


class Checker:
    def __init__(self, source, build):
        self.source = source
        self.build = build
        self.faults = []
        self.commands = 0

    def fault(self, where, text):
        self.faults.append(f"{where}: {text}")

    def run(self, command):
        self.commands += 1
        command = re.sub(r"(?<![\w/.-])build(?=/|\s|$)", str(self.build), command)
        done = subprocess.run(["sh", "-c", command], cwd=self.source, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=LIMIT_SECONDS, check=False)
        return done.returncode, done.stdout.decode("utf-8", "replace")

    def normal(self, text):
        text = text.replace(str(self.build), "build").replace(str(self.source) + "/", "")
        return RUN_NAME.sub("RUN", text).rstrip("\n")

    def run_block(self, where, status, lines):
        for line in lines:
            if not line.strip() or line.startswith("#"):
                continue
            got, output = self.run(line)
            if got != status:
                self.fault(where, f"`{line}` ended with status {got}, not {status}:\n{output}")

    def shown_block(self, where, argument, lines):
        match = re.fullmatch(r"(.*); status (\d+)", argument or "")
        if not match:
            self.fault(where, "the marker must be <!-- shown: COMMAND; status N -->")
            return
        got, output = self.run(match.group(1))
        if got != int(match.group(2)):
            self.fault(where, f"`{match.group(1)}` ended with status {got}, not {match.group(2)}")
        if self.normal(output) != "\n".join(lines):
            self.fault(where, f"`{match.group(1)}` prints:\n{self.normal(output)}")

    def file(self, path):
        text = path.read_text(encoding="utf-8")
        name = path.relative_to(self.source)
        for number, language, before, lines in blocks(text.splitlines()):
            where = f"{name}:{number}"
            marker = MARKER.fullmatch(before.strip())
            kind = marker.group(1) if marker else None
            if kind == "run":
                self.run_block(where, int(marker.group(2) or 0), lines)
            elif kind == "shown":
                self.shown_block(where, marker.group(2), lines)
            elif kind == "not run" and not marker.group(2):
                self.fault(where, "a block that is not run must say why")
            elif kind is None and language in ("sh", "bash", "console"):
                self.fault(where, "a block of commands needs a marker, see tests/lint/docs.py")
        for target in LINK.findall(text):
            if "://" not in target and not (path.parent / target).exists():
                self.fault(name, f"the link {target} leads nowhere")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--source", type=pathlib.Path, required=True)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("files", nargs="+", type=pathlib.Path)
    options = parser.parse_args()
    checker = Checker(options.source.resolve(), options.build.resolve())
    for path in options.files:
        checker.file(path.resolve())
    for fault in checker.faults:
        print(fault)
    print(f"{len(options.files)} files, {checker.commands} commands, {len(checker.faults)} faults")
    return 1 if checker.faults or checker.commands == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
