#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The example of docs/models.md: the page's C stands word for word in the program, and the program prints the page's figure.

usage: example.py PROGRAM SOURCE
"""
import pathlib
import re
import subprocess
import sys


def main():
    program, source = sys.argv[1], pathlib.Path(sys.argv[2])
    page = (source / "docs/models.md").read_text(encoding="utf-8")
    code = (source / "tools/examples/epidemic.c").read_text(encoding="utf-8")
    blocks = re.findall(r"```c\n(.*?)```", page, re.S)
    faults = [f"block {number} of docs/models.md does not stand in tools/examples/epidemic.c"
              for number, block in enumerate(blocks, 1) if block not in code]
    if not blocks:
        faults.append("docs/models.md shows no C")
    figure = (source / "docs/models-epidemic.svg").read_bytes()
    done = subprocess.run([program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    if done.returncode != 0 or not figure or done.stdout != figure:
        faults.append(f"the program ends with {done.returncode} and prints {len(done.stdout)} bytes; docs/models-epidemic.svg, "
                      f"{len(figure)} bytes, is another figure. {done.stderr.decode()}")
    for fault in faults:
        print(fault)
    print(f"{len(blocks)} blocks, {len(figure)} bytes of figure, {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
