#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the driver and the recorder cost, from interleaved runs; medians of wall time and of user and system time.

  driver    `cupel run PROFILE` against `ctest -L ^PROFILE$` on the same executables           at most 1.10
  lane      ctest's own time inside `cupel run --evidence` against inside `cupel run`           at most 1.02
  command   the whole `cupel run --evidence` against `cupel run`: what hashing, asking the machine and sealing add (no limit)
  check     `cupel receipt check` of an attempt of 10,000 cases: seconds of processor time and KiB (unit-attempt-large)

Run it on a quiet machine. The source must be clean, as for any attempt. Exit status 1 when a limit is broken.

usage: overhead.py --build BUILD [--profile PROFILE] [--rounds N] [--json]
"""
import argparse
import json
import pathlib
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time

DRIVER_MOST, LANE_MOST = 1.10, 1.02
CHECK_SECONDS_MOST, CHECK_KIB_MOST = 1.0, 48 * 1024


def measure(words):
    """Runs a command that must succeed: (wall seconds, processor seconds, standard output)."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.monotonic()
    done = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    wall = time.monotonic() - began
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, words))} ended with status {done.returncode}:\n{done.stdout.decode()}")
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, done.stdout.decode()


def lane_times(output):
    profile = json.loads(output)["profiles"][0]
    return profile["seconds"], profile["processor_seconds"]


def rounds_run(build, profile, rounds):
    """One list of (wall, processor) for each way of running, in turn, so that a slow minute is shared by all."""
    cupel = build / "bin/cupel"
    plain = ["ctest", "--test-dir", build, "-L", f"^{profile}$", "--no-tests=error"]
    driven = [cupel, "run", profile, "--tree", build, "--json"]
    found = {"ctest": [], "run": [], "evidence": [], "lane": [], "lane recorded": []}
    with tempfile.TemporaryDirectory(prefix="cupel-overhead-") as folder:
        ways = [("ctest", plain), ("run", driven), ("evidence", [*driven, "--evidence", pathlib.Path(folder) / "evidence"])]
        for turn in range(rounds + 1):
            for name, words in ways[turn % 3 :] + ways[: turn % 3]:
                wall, processor, output = measure(words)
                if turn == 0:
                    continue  # the first round warms the caches
                found[name].append((wall, processor))
                if name != "ctest":
                    found["lane" if name == "run" else "lane recorded"].append(lane_times(output))
    return found


def median(pairs, at):
    return statistics.median(pair[at] for pair in pairs)


def check_measure(build):
    output = measure([build / "bin/unit-attempt-large"])[2]
    match = re.search(r"(\d+) cases: ([\d.]+) s of processor time, (\d+) KiB", output)
    if match is None:
        sys.exit(f"unit-attempt-large printed no figures:\n{output}")
    return float(match.group(2)), int(match.group(3))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--profile", default="cpu-reference")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    build = options.build.resolve()
    found = rounds_run(build, options.profile, options.rounds)
    seconds, kib = check_measure(build)
    ratios = []
    for name, one, other, most in (("driver", "run", "ctest", DRIVER_MOST), ("lane", "lane recorded", "lane", LANE_MOST),
                                   ("command", "evidence", "run", None)):
        row = {"ratio": name, "wall": median(found[one], 0) / median(found[other], 0), "most": most,
               "processor": median(found[one], 1) / median(found[other], 1),
               "seconds": [median(found[one], 0), median(found[other], 0)]}
        row["holds"] = most is None or row["wall"] <= most
        ratios.append(row)
    check = {"seconds": seconds, "kib": kib, "holds": seconds < CHECK_SECONDS_MOST and kib < CHECK_KIB_MOST}
    if options.json:
        print(json.dumps({"rounds": options.rounds, "profile": options.profile, "ratios": ratios, "check": check}, indent=1))
    else:
        for row in ratios:
            limit = f", at most {row['most']}: {'holds' if row['holds'] else 'BROKEN'}" if row["most"] else ""
            print(f"{row['ratio']:8} wall {row['wall']:.3f}, processor {row['processor']:.3f} ({row['seconds'][0]:.2f} s against {row['seconds'][1]:.2f} s){limit}")
        print(f"check    {seconds:.3f} s, {kib} KiB: {'holds' if check['holds'] else 'BROKEN'}")
    return 0 if check["holds"] and all(row["holds"] for row in ratios) else 1


if __name__ == "__main__":
    sys.exit(main())
