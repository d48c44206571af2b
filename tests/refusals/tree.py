# SPDX-License-Identifier: Apache-2.0
"""A build tree in miniature, made from the real device test, the real cupel and one suite of four cases, free to be spoiled."""
import json
import os
import pathlib
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "unit" / "cli"))
import cli  # noqa: E402

PROFILE = "mini"
TEST = "mini.fixture"
CASES = ("fixture.first", "fixture.real", "fixture.second", "fixture.third")


class Tree:
    """Everything is written by write(); change the members before."""

    def __init__(self, folder, kind="good", executable="refusals-suite"):
        real = cli.Options.tree
        self.folder = folder
        self.bin = real / "bin"
        (folder / "cupel").mkdir(parents=True)
        shutil.copy(real / "cupel/sources.sha256", folder / "cupel/sources.sha256")
        shutil.copy(real / "CMakeCache.txt", folder / "CMakeCache.txt")
        # The suite looks at the name that it was started under.
        self.suite = folder / f"suite-{kind}"
        shutil.copy(self.bin / executable, self.suite)
        self.manifest = [f"{case} run values=1" for case in CASES]
        self.device_type = "cpu"
        self.timeout = 60
        self.device = f"LABELS {PROFILE} TIMEOUT 90 FIXTURES_SETUP cupel.{PROFILE} RESOURCE_LOCK device"
        self.verdict = f"LABELS {PROFILE} TIMEOUT 90 FIXTURES_CLEANUP cupel.{PROFILE}"
        self.properties = f"LABELS {PROFILE} TIMEOUT 90 FIXTURES_REQUIRED cupel.{PROFILE} RESOURCE_LOCK device"
        self.command = [str(self.suite)]
        self.judge = cli.Options.cupel
        self.extra = ""

    def write(self):
        words = " ".join(f'"{word}"' for word in self.command)
        manifest = self.folder / "mini.cases"
        manifest.write_text("".join(line + "\n" for line in self.manifest))
        plan = {"schema": "cupel-plan 1", "source": str(cli.Options.source), "build": str(self.folder), "ctest": shutil.which("ctest"),
                "profiles": [{"name": PROFILE, "backend": "cpu", "device_type": self.device_type, "built": True, "reason": "", "install": "",
                              "manifest": str(manifest), "timeout_seconds": self.timeout,
                              "suites": [{"suite": "fixture", "linkage": "static", "test": TEST, "executable": str(self.suite)}]}]}
        (self.folder / "cupel/plan.json").write_text(json.dumps(plan) + "\n")
        (self.folder / "CTestTestfile.cmake").write_text(
            f'add_test({PROFILE}.device "{self.bin}/device-gate-cpu" --profile {PROFILE} --tree "{self.folder}" --device-type {self.device_type})\n'
            f"set_tests_properties({PROFILE}.device PROPERTIES {self.device})\n"
            f'add_test({PROFILE}.verdict "{self.judge}" verdict --profile {PROFILE} --tree "{self.folder}")\n'
            f"set_tests_properties({PROFILE}.verdict PROPERTIES {self.verdict})\n"
            f'add_test({TEST} {words} --profile {PROFILE} --tree "{self.folder}" --test {TEST} --timeout {self.timeout})\n'
            f"set_tests_properties({TEST} PROPERTIES {self.properties})\n{self.extra}")

    def ctest(self, *words, env=None):
        return subprocess.run(["ctest", "--test-dir", self.folder, *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=cli.LIMIT_SECONDS, check=False, env=dict(os.environ, **(env or {})))

    def runs(self):
        home = self.folder / "cupel" / PROFILE
        return sorted(path for path in home.glob("2*") if path.is_dir()) if home.exists() else []

    def receipt(self):
        """The verdict in the receipt of the newest run; None when there is none."""
        paths = [run / "receipt.json" for run in self.runs()]
        paths = [path for path in paths if path.exists()]
        return json.loads(paths[-1].read_text())["predicate"]["cupel"]["verdict"] if paths else None
