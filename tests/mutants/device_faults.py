#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Plants each fault of device.list in the OpenCL backend and requires that the named case fails, on an OpenCL device that is a CPU.

Only the backend's shared library is built with the fault; the suites are those of the build tree, which find it through
LD_LIBRARY_PATH. A fault of the suite "every" is one that no answer shows: the whole profile runs through ctest, and every suite must
have a case that the manifest's limits of launches and transfers refuse.

usage: device_faults.py --cmake CMAKE --compiler CC --ctest CTEST --tree BUILD --source SOURCE --scratch FOLDER
"""
import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys

LIMIT_SECONDS = 900
PROFILE = "mini"
COUNTERS = {"launches-outside", "transfers-outside"}


def faults_read(path):
    """(suite, case, file, before, after, what) of each line."""
    rows = [line.rstrip("\n").split("\t") for line in path.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    assert rows and all(len(row) == 6 for row in rows), "a line of device.list has six fields"
    most, turn = int(os.environ.get("CUPEL_MUTANTS", "0")), int(os.environ.get("CUPEL_MUTANTS_TURN", "0"))
    count = min(most, len(rows)) if most > 0 else len(rows)
    return [rows[(turn * count + i) % len(rows)] for i in range(count)]


class Backend:
    """A copy of the sources and a build of libnc_opencl alone."""

    def __init__(self, options):
        self.options = options
        self.source = options.scratch / "source"
        self.build_folder = options.scratch / "build"
        shutil.rmtree(options.scratch, ignore_errors=True)
        shutil.copytree(options.source, self.source, symlinks=True,
                        ignore=lambda folder, names: [".git", "build"] if pathlib.Path(folder) == options.source else [])
        launcher = ["-DCMAKE_C_COMPILER_LAUNCHER=ccache"] if shutil.which("ccache") else []
        self.run([options.cmake, "-S", self.source, "-B", self.build_folder, "-G", "Ninja", f"-DCMAKE_C_COMPILER={options.compiler}",
                  "-DCUPEL_CUDA=OFF", *launcher])

    def run(self, words):
        done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=LIMIT_SECONDS, check=False)
        if done.returncode != 0:
            sys.exit(f"{words}: status {done.returncode}\n{done.stdout.decode()[-4000:]}")

    def build(self):
        self.run([self.options.cmake, "--build", self.build_folder, "--target", "nc_opencl_shared"])

    def environment(self):
        return dict(os.environ, LD_LIBRARY_PATH=str(self.build_folder / "lib"), LC_ALL="C")

    def case_status(self, suite, case):
        program = self.options.tree / "bin" / f"suite-{suite}-opencl-shared"
        return subprocess.run([program, "--case", case], env=self.environment(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=LIMIT_SECONDS, check=False).returncode

    def unseen_suites(self):
        """The suites of the whole profile in which no case was refused for its counters."""
        plan = json.loads((self.options.tree / "cupel/plan.json").read_text(encoding="utf-8"))
        profile = next(one for one in plan["profiles"] if one["name"] == "opencl-cpu")
        suites = [dict(suite, test=f"{PROFILE}.{suite['suite']}") for suite in profile["suites"] if suite["linkage"] == "shared"]
        folder = self.options.scratch / "profile"
        shutil.rmtree(folder, ignore_errors=True)
        (folder / "cupel").mkdir(parents=True)
        shutil.copy(self.options.tree / "cupel/sources.sha256", folder / "cupel")
        shutil.copy(self.options.tree / "CMakeCache.txt", folder)
        plan["build"], plan["profiles"] = str(folder), [dict(profile, name=PROFILE, suites=suites)]
        (folder / "cupel/plan.json").write_text(json.dumps(plan))
        common = f"LABELS {PROFILE} TIMEOUT 600"
        whole = f'--profile {PROFILE} --tree "{folder}"'
        tests = [("device", f'"{self.options.tree}/bin/device-gate-opencl" {whole} --device-type cpu', "FIXTURES_SETUP"),
                 ("verdict", f'"{self.options.tree}/bin/cupel" verdict {whole}', "FIXTURES_CLEANUP")]
        tests += [(suite["suite"], f'"{suite["executable"]}" {whole} --test {suite["test"]} --timeout {profile["timeout_seconds"]}',
                   "FIXTURES_REQUIRED") for suite in suites]
        (folder / "CTestTestfile.cmake").write_text("".join(
            f"add_test({PROFILE}.{name} {command})\nset_tests_properties({PROFILE}.{name} PROPERTIES LABELS {PROFILE}"
            f" TIMEOUT {profile['timeout_seconds'] + 60} {fixture} cupel.{PROFILE} RESOURCE_LOCK device)\n"
            for name, command, fixture in tests))
        subprocess.run([self.options.ctest, "--test-dir", folder, "-L", f"^{PROFILE}$"], env=self.environment(), stdin=subprocess.DEVNULL,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=LIMIT_SECONDS, check=False)
        receipt = json.loads(next((folder / "cupel" / PROFILE).glob("2*/receipt.json")).read_text())
        verdict = receipt["predicate"]["cupel"]["verdict"]
        if verdict["counts"]["missing"] > 0 or verdict["counts"]["values"] == 0:
            sys.exit(f"the profile did not run whole: {verdict['counts']}, {verdict['reasons'][:3]}")
        seen = {reason["subject"].split("/")[0] for reason in verdict["reasons"] if reason["code"] in COUNTERS}
        return sorted({suite["test"] for suite in suites} - seen)

    def survives(self, suite, case):
        """A sentence when the fault is not found."""
        if suite == "every":
            unseen = self.unseen_suites()
            return f"not seen by {' '.join(unseen)}" if unseen else ""
        status = self.case_status(suite, case)
        return f"{case} passed" if status == 0 else ""


def main():
    parser = argparse.ArgumentParser()
    for name in ("cmake", "compiler", "ctest"):
        parser.add_argument(f"--{name}", required=True)
    for name in ("tree", "source", "scratch"):
        parser.add_argument(f"--{name}", type=pathlib.Path, required=True)
    options = parser.parse_args()
    faults = faults_read(pathlib.Path(__file__).with_name("device.list"))
    backend = Backend(options)
    backend.build()
    for suite, case in sorted({(row[0], row[1]) for row in faults if row[0] != "every"}):
        if backend.case_status(suite, case) != 0:
            sys.exit(f"{case} fails before any fault is planted")
    if any(row[0] == "every" for row in faults) and backend.survives("every", "-") == "":
        sys.exit("every suite is refused before any fault is planted")
    survivors = 0
    for suite, case, name, before, after, what in faults:
        path = backend.source / name
        whole = path.read_text(encoding="utf-8")
        if whole.count(before) != 1:
            sys.exit(f'{name} does not have exactly once: "{before}"')
        path.write_text(whole.replace(before, after), encoding="utf-8")
        backend.build()
        trouble = backend.survives(suite, case)
        path.write_text(whole, encoding="utf-8")
        survivors += trouble != ""
        print(f"SURVIVED ({trouble}): {name}: {what}" if trouble else f"killed by {case if suite != 'every' else 'every suite'}: {name}: {what}",
              flush=True)
    print(f"{len(faults)} faults planted in the device's kernels and backend, {survivors} survived")
    shutil.rmtree(options.scratch)
    return 0 if survivors == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
