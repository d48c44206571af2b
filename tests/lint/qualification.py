#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""docs/qualification.md says what the receipts in docs/receipts give, no more and no less, and each of them holds.

usage: qualification.py CUPEL SOURCE
"""
import pathlib
import subprocess
import sys

NONE = "No attempt has been published yet, so every profile is Unqualified.\n"


def main():
    cupel, source = sys.argv[1], pathlib.Path(sys.argv[2])
    page = (source / "docs/qualification.md").read_text(encoding="utf-8")
    attempts = sorted(p for p in (source / "docs/receipts").glob("*") if p.is_dir()) if (source / "docs/receipts").exists() else []
    wanted = NONE
    if attempts:
        names = [str(p.relative_to(source)) for p in attempts]
        done = subprocess.run([cupel, "receipt", "matrix", *names], cwd=source, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
        if done.returncode != 0:
            print(done.stderr.decode())
            return 1
        wanted = done.stdout.decode()
        done = subprocess.run([cupel, "receipt", "check", *names], cwd=source, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        if done.returncode != 0:
            print(done.stdout.decode())
            return 1
    if page.split("\n\n", 2)[2] != wanted:
        print(f"docs/qualification.md must end with:\n{wanted}")
        return 1
    print(f"{len(attempts)} attempts agree with docs/qualification.md")
    return 0


if __name__ == "__main__":
    sys.exit(main())
