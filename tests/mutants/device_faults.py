#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Plants each fault of device.list in the backend of a profile and requires that the named case fails, on that profile's device.

Only the backend's shared library is built with the fault; the suites are those of the build tree, which find it through
LD_LIBRARY_PATH. A fault of the suite "every" is one that no answer shows: the whole profile runs through ctest, and every suite must
have a case that the manifest's limits of launches and transfers refuse. A line whose file is in another backend's folder is not the
profile's. Faults of one file follow each other in one copy of the sources; several copies build side by side where there are
processors for them, and one process at a time uses the device.

Without a device nothing is planted and the status is 2, which no caller takes for a pass. --build-only builds every fault, needs no
device, and requires that each changes the library.

usage: device_faults.py --profile PROFILE --cmake CMAKE --compiler CC --ctest CTEST --tree BUILD --source SOURCE --scratch FOLDER
                        [--build-only]
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import shutil
import subprocess
import sys
import threading

LIMIT_SECONDS = 900
PROFILE = "mini"
COUNTERS = {"launches-outside", "transfers-outside"}
CORES_A_COPY = 4  # a fault in a header rebuilds a handful of files


def faults_read(path, backend):
    """(suite, case, file, before, after, what) of each line for the backend."""
    rows = [line.rstrip("\n").split("\t") for line in path.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    assert rows and all(len(row) == 6 for row in rows), "a line of device.list has six fields"
    shared = ("src", "device", backend)
    rows = [row for row in rows if pathlib.Path(row[2]).parts[0] == "src" or pathlib.Path(row[2]).parts[1] in shared]
    most, turn = int(os.environ.get("CUPEL_MUTANTS", "0")), int(os.environ.get("CUPEL_MUTANTS_TURN", "0"))
    count = min(most, len(rows)) if most > 0 else len(rows)
    return [rows[(turn * count + i) % len(rows)] for i in range(count)]


def cached(tree, name):
    """A value of the build tree's cache, or nothing."""
    for line in (tree / "CMakeCache.txt").read_text(encoding="utf-8").splitlines():
        if line.split(":")[0] == name:
            return line.split("=", 1)[1]
    return ""


class Backend:
    """A copy of the sources and a build of the backend's shared library alone."""

    def __init__(self, options, name, folder, jobs):
        self.options = options
        self.name = name
        self.jobs = jobs
        self.source = folder / "source"
        self.build_folder = folder / "build"
        shutil.copytree(options.source, self.source, symlinks=True,
                        ignore=lambda folder, names: [".git", "build"] if pathlib.Path(folder) == options.source else [])
        launcher = [f"-DCMAKE_{one}_COMPILER_LAUNCHER=ccache" for one in ("C", "CUDA") if shutil.which("ccache")]
        other = {"opencl": ["-DCUPEL_CUDA=OFF", "-DCUPEL_OPENCL=ON"],
                 "cuda": ["-DCUPEL_OPENCL=OFF", "-DCUPEL_CUDA=ON"] +
                         [f"-D{one}={cached(options.tree, one)}" for one in ("CMAKE_CUDA_COMPILER", "CMAKE_CUDA_ARCHITECTURES")]}
        self.run([options.cmake, "-S", self.source, "-B", self.build_folder, "-G", "Ninja", f"-DCMAKE_C_COMPILER={options.compiler}",
                  "-DCUPEL_TESTS=OFF", *other[name], *launcher])
        self.build()

    def run(self, words):
        # objects do not depend on where the copy lies
        environment = dict(os.environ, CCACHE_BASEDIR=str(self.source.parent), CCACHE_NOHASHDIR="1")
        done = subprocess.run(words, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=LIMIT_SECONDS, check=False)
        if done.returncode != 0:
            sys.exit(f"{words}: status {done.returncode}\n{done.stdout.decode()[-4000:]}")

    def build(self):
        self.run([self.options.cmake, "--build", self.build_folder, "--target", f"nc_{self.name}_shared", "--parallel", str(self.jobs)])

    def environment(self):
        path = [str(self.build_folder / "lib"), *filter(None, [os.environ.get("LD_LIBRARY_PATH")])]  # a driver may lie there too
        return dict(os.environ, LD_LIBRARY_PATH=":".join(path), LC_ALL="C")

    def case_passes(self, suite, case):
        """Whether the case passed. A case that could not begin, for want of a device or a library, says nothing of a fault."""
        program = self.options.tree / "bin" / f"suite-{suite}-{self.name}-shared"
        done = subprocess.run([program, "--case", case], env=self.environment(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=LIMIT_SECONDS, check=False)
        output = done.stdout.decode(errors="replace")
        if f"[ RUN      ] {case}" not in output:
            sys.exit(f"{case} did not begin: {output.strip()}")
        return done.returncode == 0

    def unseen_suites(self):
        """The suites of the whole profile in which no case was refused for its counters."""
        plan = json.loads((self.options.tree / "cupel/plan.json").read_text(encoding="utf-8"))
        profile = next(one for one in plan["profiles"] if one["name"] == self.options.profile)
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
        tests = [("device", f'"{self.options.tree}/bin/device-gate-{self.name}" {whole} --device-type {profile["device_type"]}', "FIXTURES_SETUP"),
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

    def library(self):
        return (self.build_folder / "lib" / f"libnc_{self.name}.so").read_bytes()

    def survives(self, suite, case):
        """A sentence when the fault is not found."""
        if suite == "every":
            unseen = self.unseen_suites()
            return f"not seen by {' '.join(unseen)}" if unseen else ""
        return f"{case} passed" if self.case_passes(suite, case) else ""

    def plant(self, fault, device, sound):
        """What became of the fault: a line to print, and whether it survived."""
        suite, case, name, before, after, what = fault
        path = self.source / name
        whole = path.read_text(encoding="utf-8")
        if whole.count(before) != 1:
            sys.exit(f'{name} does not have exactly once: "{before}"')
        path.write_text(whole.replace(before, after), encoding="utf-8")
        self.build()
        path.write_text(whole, encoding="utf-8")
        if self.options.build_only:
            trouble = "the library is the same" if self.library() == sound else ""
            verb = "built for"
        else:
            with device:
                trouble = self.survives(suite, case)
            verb = "killed by"
        killer = case if suite != "every" else "every suite"
        return f"SURVIVED ({trouble}): {name}: {what}" if trouble else f"{verb} {killer}: {name}: {what}", trouble != ""


def groups_of(faults):
    """The faults by file, in the list's order."""
    groups = {}
    for fault in faults:
        groups.setdefault(fault[2], []).append(fault)
    return list(groups.values())


def check_sound(backend, faults):
    """Without a fault the cases must pass and the whole profile must be within its limits."""
    for suite, case in sorted({(row[0], row[1]) for row in faults if row[0] != "every"}):
        if not backend.case_passes(suite, case):
            sys.exit(f"{case} fails before any fault is planted")
    if any(row[0] == "every" for row in faults) and backend.survives("every", "-") == "":
        sys.exit("every suite is refused before any fault is planted")


def device_missing(options, name):
    """Why the device cannot be used, or nothing: what the smallest case of the build tree says."""
    case = subprocess.run([options.tree / "bin" / f"suite-abi-{name}-shared", "--case", "abi.device.counters"], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=LIMIT_SECONDS, check=False)
    return "" if case.returncode == 0 else case.stdout.decode().strip() or f"abi.device.counters ended with status {case.returncode}"


def main():
    parser = argparse.ArgumentParser()
    for name in ("profile", "cmake", "compiler", "ctest"):
        parser.add_argument(f"--{name}", required=True)
    for name in ("tree", "source", "scratch"):
        parser.add_argument(f"--{name}", type=pathlib.Path, required=True)
    parser.add_argument("--build-only", action="store_true")
    options = parser.parse_args()
    shutil.rmtree(options.scratch, ignore_errors=True)
    plan = json.loads((options.tree / "cupel/plan.json").read_text(encoding="utf-8"))
    name = next(one["backend"] for one in plan["profiles"] if one["name"] == options.profile)
    missing = "" if options.build_only else device_missing(options, name)
    if missing:
        print(f"NOT RUN: no fault was planted, the device of {options.profile} cannot be used\n{missing}")
        return 2
    faults = faults_read(pathlib.Path(__file__).with_name("device.list"), name)
    waiting = groups_of(faults)
    cores = os.cpu_count() or 1
    copies = max(1, min(len(waiting), cores // CORES_A_COPY))
    device, lock = threading.Lock(), threading.Lock()
    survivors = []

    def work(number):
        backend = Backend(options, name, options.scratch / str(number), max(1, cores // copies))
        sound = backend.library()
        if number == 0 and not options.build_only:
            with device:
                check_sound(backend, faults)
        while True:
            with lock:
                group = waiting.pop(0) if waiting else None
            if group is None:
                return
            for fault in group:
                line, survived = backend.plant(fault, device, sound)
                with lock:
                    survivors.append(survived)
                    print(line, flush=True)

    with concurrent.futures.ThreadPoolExecutor(copies) as pool:
        for one in [pool.submit(work, number) for number in range(copies)]:
            one.result()  # raises what the copy raised
    done = "built" if options.build_only else "planted"
    print(f"{len(survivors)} faults {done} in the kernels and the backend of {name}, {sum(survivors)} survived")
    shutil.rmtree(options.scratch)
    return 0 if len(survivors) == len(faults) and not any(survivors) else 1


if __name__ == "__main__":
    sys.exit(main())
