# SPDX-License-Identifier: Apache-2.0
"""A build tree in miniature: one profile with one suite of the real build, whole in a second, free to be damaged."""
import json
import shutil
import subprocess

import cli

PROFILE = "mini"
SUITE = "abi"


class Tree:
    """<folder> with CTestTestfile.cmake, cupel/plan.json, cupel/sources.sha256 and a manifest; the executables are the real ones."""

    def __init__(self, folder, profiles=(PROFILE,), source=None, suite=SUITE):
        self.suite = suite
        real = cli.Options.tree
        self.folder = folder
        self.source = source or cli.Options.source
        self.bin = real / "bin"
        self.manifest = folder / "mini.cases"
        self.profiles = profiles
        (folder / "cupel").mkdir(parents=True)
        shutil.copy(real / "cupel/sources.sha256", folder / "cupel/sources.sha256")
        shutil.copy(real / "CMakeCache.txt", folder / "CMakeCache.txt")
        with open(cli.Options.source / "tests/manifest/cpu.cases", encoding="utf-8") as real_manifest:
            lines = [line for line in real_manifest if line.startswith(suite + ".")]
        self.manifest.write_text("".join(lines))
        self.cases = len(lines)
        self.executable = self.bin / f"suite-{suite}-cpu"
        self.write_plan()
        self.write_tests()

    def test(self, profile):
        return f"{profile}.{self.suite}"

    def write_plan(self, **changes):
        ctest = shutil.which("ctest")
        profiles = [{"name": name, "backend": "cpu", "device_type": "cpu", "built": True, "reason": "", "install": "",
                     "manifest": str(self.manifest), "timeout_seconds": 60,
                     "suites": [{"suite": self.suite, "linkage": "static", "test": self.test(name), "executable": str(self.executable)}],
                     **changes} for name in self.profiles]
        plan = {"schema": "cupel-plan 1", "source": str(self.source), "build": str(self.folder), "ctest": ctest, "profiles": profiles}
        (self.folder / "cupel/plan.json").write_text(json.dumps(plan, indent=1) + "\n")

    def write_tests(self, extra="", suite_properties="", suite_command=None):
        text = ""
        for name in self.profiles:
            common = f'LABELS "{name}" TIMEOUT "90"'
            command = suite_command or f'"{self.executable}"'
            text += (f'add_test({name}.device "{self.bin}/device-gate-cpu" --profile {name} --tree "{self.folder}" --device-type cpu)\n'
                     f'set_tests_properties({name}.device PROPERTIES {common} FIXTURES_SETUP "cupel.{name}" RESOURCE_LOCK "cpu")\n'
                     f'add_test({name}.verdict "{cli.Options.cupel}" verdict --profile {name} --tree "{self.folder}")\n'
                     f'set_tests_properties({name}.verdict PROPERTIES {common} FIXTURES_CLEANUP "cupel.{name}")\n'
                     f'add_test({self.test(name)} {command} --profile {name} --tree "{self.folder}" --test {self.test(name)})\n'
                     f'set_tests_properties({self.test(name)} PROPERTIES {common} FIXTURES_REQUIRED "cupel.{name}" RESOURCE_LOCK "cpu"'
                     f' {suite_properties})\n')
        (self.folder / "CTestTestfile.cmake").write_text(text + extra)

    def runs(self, profile=PROFILE):
        folder = self.folder / "cupel" / profile
        return sorted(p for p in folder.iterdir() if p.is_dir() and not p.is_symlink()) if folder.exists() else []


def clean_source(folder):
    """A repository with exactly the files that the executables were built from, committed."""
    for line in (cli.Options.tree / "cupel/sources.sha256").read_text().splitlines():
        path = line.split("  ", 1)[1]
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(cli.Options.source / path, folder / path)
    (folder / "docs").mkdir(exist_ok=True)
    (folder / "docs/a.md").write_text("text\n")
    git(folder, "init", "-q")
    commit(folder, "first")
    return folder


def git(folder, *words):
    done = subprocess.run(["git", "-C", folder, "-c", "user.name=t", "-c", "user.email=t@example.org", *words], check=True,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return done.stdout.decode().strip()


def commit(folder, message):
    git(folder, "add", "-A", "-f")
    git(folder, "commit", "-q", "-m", message)
    return git(folder, "rev-parse", "HEAD")
