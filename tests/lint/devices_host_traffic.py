#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds the list in docs/cuda.md of the places where data crosses between host and device.

The places are the files of src/core/host that call be_buffer_upload or be_buffer_download. Every place must be listed and every listed
place must exist. The backends' own files must not call either: they would hide a transfer. Nothing copies from one device to another.

usage: devices_host_traffic.py SOURCE_DIR
"""
import pathlib
import re
import sys

CALLS = {"be_buffer_upload": "up", "be_buffer_download": "down"}
SOURCES = (".c", ".h", ".cu", ".cl")
BETWEEN_DEVICES = re.compile(r"\bcu[A-Za-z]*Peer|\bclEnqueueMigrate|\bnccl[A-Z]")  # one process uses one device
ROW = re.compile(r"\| ([a-z_0-9]+\.c) \| (up|down) \| ([^|]+) \|")


def places(folder):
    found = set()
    for path in sorted(folder.glob("*.c")):
        text = re.sub(r"//[^\n]*|/\*.*?\*/", "", path.read_text(encoding="utf-8"), flags=re.S)
        for call, direction in CALLS.items():
            if re.search(rf"(?<!nc_status ){call}\(", text):
                found.add((path.name, direction))
    return found


def main():
    source = pathlib.Path(sys.argv[1])
    page = (source / "docs/cuda.md").read_text(encoding="utf-8")
    table = page.split("<!-- host traffic -->")[1].split("\n\n")[0]
    rows = [(name, direction) for name, direction, _ in ROW.findall(table)]
    code = places(source / "src/core/host")
    faults = [f"docs/cuda.md does not list {name} {direction}" for name, direction in sorted(code - set(rows))]
    faults += [f"docs/cuda.md lists {name} {direction}, which does no such transfer" for name, direction in sorted(set(rows) - code)]
    faults += [f"docs/cuda.md lists {row} twice" for row in sorted(set(rows)) if rows.count(row) > 1]
    for backend in ("cuda", "opencl", "device"):
        faults += [f"backends/{backend}/{name} moves data {direction} by itself"
                   for name, direction in sorted(places(source / "backends" / backend))]
    faults += [f"{path.relative_to(source)} copies between devices" for path in sorted((source / "backends").rglob("*.*"))
               if path.suffix in SOURCES and BETWEEN_DEVICES.search(path.read_text(encoding="utf-8"))]
    for fault in faults:
        print(fault)
    print(f"{len(code)} places, {len(faults)} faults")
    return 1 if faults or not code else 0


if __name__ == "__main__":
    sys.exit(main())
