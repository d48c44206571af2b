# SPDX-License-Identifier: Apache-2.0
"""Runs a command on evidence in a tmpfs of its own with ever more room, and prints as JSON what became of each run.

usage: small_disk.py MOUNT-POINT EARLIER-ATTEMPT CUPEL run ... --evidence DIR; DIR is replaced by a folder of the tmpfs
"""
import json
import pathlib
import shutil
import subprocess
import sys

ROOM_KIB = (0, 4, 8, 16, 32, 64, 96, 128, 192, 256, 320, 8192)


def snapshot(folder):
    return {p.relative_to(folder): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def main():
    mount, earlier, words = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3:]
    whole = snapshot(earlier)
    turns = []
    for room in ROOM_KIB:
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=16m", "none", mount], check=True)
        evidence = mount / "evidence"
        shutil.copytree(earlier, evidence / earlier.name)
        free = shutil.disk_usage(mount).free - room * 1024
        (mount / "ballast").write_bytes(bytes(free))
        done = subprocess.run([*words[:-1], evidence], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        attempts = [p for p in evidence.iterdir() if p.name != earlier.name]
        checks = [subprocess.run([words[0], "receipt", "check", p], stdout=subprocess.DEVNULL, check=False).returncode for p in attempts]
        turns.append({"room_kib": room, "run": done.returncode, "said": done.stdout.decode(), "attempts": len(attempts),
                      "passing": checks.count(0), "earlier_whole": snapshot(evidence / earlier.name) == whole})
        subprocess.run(["umount", mount], check=True)
    print(json.dumps(turns, indent=1))


if __name__ == "__main__":
    main()
