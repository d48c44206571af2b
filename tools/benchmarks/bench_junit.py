#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reads 400,000 cases in one report of 55 MB with `cupel junit` and with `xmllint --stream --noout`, five times each in turn, and prints
the medians: elapsed time, processor time of all threads, largest resident set, and the ratio of the elapsed times.

usage: bench_junit.py CUPEL [RUNS]
"""
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

SUITES, CASES = 400, 1000


def report_write(path):
    with open(path, "w", encoding="utf-8") as out:
        out.write('<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n')
        for suite in range(SUITES):
            out.write(f'  <testsuite name="suite_number_{suite:05d}" time="0.000" tests="{CASES}" failures="0" errors="0" skipped="0" >\n')
            for case in range(CASES):
                out.write(f'    <testcase classname="backend.module.group_{suite:05d}" name="a_case_with_the_name_of_its_operation_{case:06d}"'
                          ' time="0.001" >\n    </testcase>\n')
            out.write("  </testsuite>\n")
        out.write("</testsuites>\n")


def measure(words):
    """(elapsed seconds, processor seconds, MiB) of one run, which must end with status 0."""
    began = time.perf_counter()
    child = subprocess.Popen(words, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    elapsed = time.perf_counter() - began
    if status != 0:
        sys.exit(f"{words[0]} ended with wait status {status}")
    return elapsed, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def main():
    cupel, runs = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 5
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "report.xml"
        report_write(path)
        commands = {"cupel junit": [cupel, "junit", path], "xmllint": ["xmllint", "--stream", "--noout", path]}
        found = {name: [] for name in commands}
        for _ in range(runs):
            for name, words in commands.items():
                found[name].append(measure(words))
        print(f"{SUITES * CASES} cases, {path.stat().st_size / 1e6:.1f} MB, medians of {runs} runs in turn")
    medians = {name: [statistics.median(column) for column in zip(*rows)] for name, rows in found.items()}
    print("| reader | elapsed s | processor s | peak MiB |\n|---|---|---|---|")
    for name, (elapsed, processor, peak) in medians.items():
        print(f"| {name} | {elapsed:.3f} | {processor:.3f} | {peak:.1f} |")
    print(f"ratio of elapsed times: {medians['cupel junit'][0] / medians['xmllint'][0]:.2f}")


if __name__ == "__main__":
    main()
