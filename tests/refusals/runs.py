# SPDX-License-Identifier: Apache-2.0
"""Runs that must not pass, each through `cupel run` and through `ctest -L`, with the exact status and reasons."""
import json
import pathlib
import shutil
import signal
import subprocess
import time

import tree  # puts the command line's test helpers on the path
import cli
import routes
from routes import GREEN, RED, codes


class Runs(routes.Case):
    def test_good_run_passes(self):
        made = self.make("good")
        made.write()
        answer = self.json("run", tree.PROFILE, "--tree", made.folder, status=cli.PASS)
        self.assertEqual(answer["profiles"][0]["verdict"]["counts"]["passed"], 4)
        made = self.make("good-ctest")
        made.write()
        done = made.ctest("-L", "mini")
        self.assertEqual(done.returncode, GREEN, done.stdout.decode())
        self.assertEqual(made.receipt()["word"], "PASS")

    # ---- The process of a suite

    def test_crash_in_a_case(self):
        self.failed("case-unfinished", "case-not-reached", "process-failed", kind="crash")
        self.failed("case-unfinished", "case-not-reached", "process-failed", kind="abort")

    def test_exit_with_status_0_in_a_case(self):
        self.failed("case-unfinished", "case-not-reached", kind="quick-exit")
        self.failed("case-unfinished", "case-not-reached", "process-failed", kind="exit")  # the harness corrects the status

    def test_crash_after_the_last_case(self):
        self.failed("process-failed", kind="late-crash")

    def test_hang_is_ended_with_its_group(self):
        suites = []

        def short(made):
            made.timeout = 2
            suites.append(str(made.suite).encode())
        self.failed("case-unfinished", "case-not-reached", "process-timeout", kind="hang", spoil=short)
        self.assertEqual(len(suites), 2)
        for line in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
            try:
                words = line.read_bytes()
            except OSError:
                continue  # it has ended meanwhile
            self.assertFalse(any(suite in words for suite in suites), f"{line} outlived its suite")

    def test_device_error_that_surfaces_late(self):
        """The case that caused it fails, and what runs after it is not believed, nor blamed on its own."""
        self.failed("case-failed", kind="late-error")
        made = self.make("late-ctest", kind="late-error")
        made.write()
        self.assertEqual(made.ctest("-L", "mini").returncode, RED)
        cases = {case["case"]: case for case in made.receipt()["suites"][0]["cases"]}
        self.assertEqual([name for name in sorted(cases) if cases[name]["passed"]], ["fixture.first", "fixture.real"])
        self.assertIn("the device reported", cases["fixture.second"]["message"])
        self.assertIn("not run: the device reported an error in case fixture.second", cases["fixture.third"]["message"])

    def test_as_many_failures_as_a_status_forgets(self):
        """256 failing cases: CMocka's own count of failures would be exit status 0."""
        trees = []

        def list_all(made):
            made.manifest = [f"fixture.fails-{number:02x} run values=1" for number in range(256)]
            trees.append(made)
        self.failed("case-failed", executable="refusals-many", spoil=list_all)
        for made in trees:
            self.assertEqual(len(made.receipt()["reasons"]), 256)
            last = json.loads((made.runs()[-1] / f"{tree.TEST}.ledger").read_text().splitlines()[-1])
            self.assertEqual((last["event"], last["status"], last["signal"]), ("exit", 1, 0))

    def test_failure_in_a_forked_child(self):
        self.failed("case-failed", kind="fork")

    def test_failure_in_a_thread(self):
        self.failed("case-failed", kind="thread")

    # ---- The work of a case

    def test_wrong_answer(self):
        self.failed("case-failed", kind="wrong")

    def test_return_before_any_comparison(self):
        self.failed("case-failed", kind="early-return")

    def test_comparison_of_nothing(self):
        self.failed("case-failed", kind="nothing-compared")

    def test_output_that_nobody_wrote(self):
        self.failed("case-failed", kind="stale-output")

    def test_output_compared_with_itself(self):
        self.failed("case-failed", kind="own-output")

    def test_nan_is_not_within_a_bound(self):
        self.failed("case-failed", kind="nan")

    def test_infinite_bound(self):
        self.failed("case-failed", kind="infinite-bound")

    def test_library_of_another_backend(self):
        self.refused("backend-mismatch", executable="refusals-suite_wrong_backend")

    # ---- The manifest

    def test_case_that_is_not_there(self):
        self.refused("case-missing", spoil=lambda made: made.manifest.insert(0, "fixture.absent run values=1"))

    def test_case_that_the_manifest_does_not_know(self):
        self.refused("case-unexpected", spoil=lambda made: made.manifest.pop())

    def test_floor_of_values(self):
        def raise_floor(made):
            made.manifest[0] = "fixture.first run values=2"
        self.refused("values-below-floor", spoil=raise_floor)

    def test_floor_of_launches(self):
        def raise_floor(made):
            made.manifest[0] = "fixture.first run values=1 launches=9..9"
        self.refused("launches-outside", spoil=raise_floor)

    def test_claim_that_the_case_does_not_make(self):
        def require(made):
            made.manifest[0] = "fixture.first run values=1 claims=gradient"
        self.refused("claim-invalid", spoil=require)

    def test_unsupported_without_proof(self):
        def declare(made):
            made.manifest.insert(1, "fixture.gradient unsupported fp64 it is said")
        self.refused("unsupported-unproven", spoil=declare)

    def test_manifest_without_a_case_to_run(self):
        def empty(made):
            made.manifest = ["# nothing"]
        self.refused("manifest-empty", spoil=empty)

    # ---- The device

    def test_no_such_device(self):
        self.not_run("device-unknown", env={"CUPEL_DEVICE": "no such card"})

    def test_cpu_offered_for_a_gpu(self):
        def want_gpu(made):
            made.device_type = "gpu"
        self.not_run("device-type-wrong", spoil=want_gpu)

    def test_opencl_without_an_implementation(self):
        """Masks of the OpenCL loader: a folder without implementations, and one that names a library that is gone."""
        if not (cli.Options.tree / "bin/device-gate-opencl").exists():
            return  # a build without OpenCL has no such device test; its profiles say so
        empty, stale = self.scratch / "empty", self.scratch / "stale"
        empty.mkdir()
        stale.mkdir()
        (stale / "gone.icd").write_text("/nonexistent/libgone.so\n")

        def use_opencl(made):
            write = made.write

            def write_opencl():
                write()
                for name, old, new in (("cupel/plan.json", '"backend": "cpu"', '"backend": "opencl"'),
                                       ("CTestTestfile.cmake", "device-gate-cpu", "device-gate-opencl")):
                    path = made.folder / name
                    path.write_text(path.read_text().replace(old, new))
            made.write = write_opencl
        for reason, folder in (("opencl-no-platform", empty), ("opencl-library-gone", stale)):
            self.not_run(reason, spoil=use_opencl, env={"OCL_ICD_VENDORS": f"{folder}/"})

    def test_preloaded_library(self):
        libc = next(path for path in ("/lib/x86_64-linux-gnu/libm.so.6", "/usr/lib/libm.so.6", "/lib64/libm.so.6") if shutil.os.path.exists(path))
        made = self.make("preload")
        self.through_ctest(made, "REFUSED", ["environment-forbidden"], env={"LD_PRELOAD": libc})

    def test_evidence_folder_without_a_whole_path(self):
        for route in ("cupel", "ctest"):
            made = self.make(f"relative-{route}")
            made.write()
            words = [cli.Options.cupel, "run", tree.PROFILE, "--tree", made.folder] if route == "cupel" else \
                    ["ctest", "--test-dir", made.folder, "-L", tree.PROFILE, "-V"]
            done = subprocess.run(words, cwd=self.scratch, env=dict(shutil.os.environ, CUPEL_EVIDENCE="kept"), stdin=subprocess.DEVNULL,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=cli.LIMIT_SECONDS, check=False)
            self.assertEqual(done.returncode, cli.REFUSED if route == "cupel" else RED, done.stdout.decode())
            self.assertIn(b'CUPEL_EVIDENCE is "kept", which is no absolute path', done.stdout)
            self.assertFalse((made.folder / "kept").exists() or (self.scratch / "kept").exists())

    # ---- What only the driver sees

    def test_ctest_that_disagrees_with_the_files(self):
        made = self.make("contradiction")
        script = made.folder / "cupel-fails-afterwards"
        script.write_text(f'#!/bin/sh\n"{cli.Options.cupel}" "$@"\nexit 1\n')
        script.chmod(0o755)
        made.judge = script
        self.through_cupel(made, cli.REFUSED, ["ctest-contradiction"])

    def test_process_that_outlives_the_run(self):
        made = self.make("leftover")
        script = made.folder / "cupel-leaves-one"
        script.write_text(f'#!/bin/sh\nsetsid sleep 600 >/dev/null 2>&1 </dev/null &\nexec "{cli.Options.cupel}" "$@"\n')
        script.chmod(0o755)
        made.judge = script
        self.through_cupel(made, cli.FAILED, ["process-leftover"])

    def test_interrupted_run(self):
        made = self.make("interrupted", kind="hang")
        made.write()
        driver = subprocess.Popen([cli.Options.cupel, "run", tree.PROFILE, "--tree", made.folder], stdout=subprocess.PIPE,
                                  stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
        deadline = time.monotonic() + cli.LIMIT_SECONDS
        while not any(run.glob("*.ledger") for run in made.runs() if list(run.glob("*.ledger"))):
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.05)  # polls for the suite's ledger; nothing else tells that the suite runs
        driver.send_signal(signal.SIGINT)
        out, _ = driver.communicate(timeout=cli.LIMIT_SECONDS)
        self.assertEqual(driver.returncode, cli.REFUSED, out.decode())
        self.assertIn(b"run-interrupted", out)

    def test_no_ctest(self):
        made = self.make("no-ctest")
        made.write()
        plan = made.folder / "cupel/plan.json"
        plan.write_text(plan.read_text().replace(shutil.which("ctest"), "/nonexistent/ctest"))
        out, _ = self.cupel("run", tree.PROFILE, "--tree", made.folder, status=cli.NOT_RUN)
        self.assertIn("dependency-missing: /nonexistent/ctest", out)

    def test_plan_that_contradicts_itself(self):
        made = self.make("plan")
        made.write()
        plan = made.folder / "cupel/plan.json"
        plan.write_text(plan.read_text().replace('"mini.fixture"', '"other.fixture"'))
        out, _ = self.cupel("profiles", "--check", "--tree", made.folder, status=cli.REFUSED)
        self.assertIn("plan-malformed", out)

    # ---- Files that are not those of the run

    def test_executable_that_was_replaced(self):
        """Built anew between the run and its verdict: the verdict test itself replaces it."""
        made = self.make("replaced")
        other = made.bin / "refusals-suite_wrong_backend"
        script = made.folder / "cupel-replaces"
        script.write_text(f'#!/bin/sh\ncp "{other}" "{made.suite}"\nexec "{cli.Options.cupel}" "$@"\n')
        script.chmod(0o755)
        made.judge = script
        self.through_ctest(made, "REFUSED", ["executable-replaced"])

    def test_report_of_another_run(self):
        """A report has no nonce: the same cases, just written, but not by this run's process."""
        other = self.make("report-other")
        other.write()
        self.assertEqual(other.ctest("-L", tree.PROFILE).returncode, GREEN)
        report = self.scratch / "other.xml"
        text = (other.runs()[-1] / f"{tree.TEST}.xml").read_text()
        report.write_text(text.replace('time="0.', 'time="1.'))

        def replace(made):
            script = made.folder / "cupel-swaps"
            script.write_text(f'#!/bin/sh\ncp "{report}" "$(echo "{made.folder}"/cupel/{tree.PROFILE}/2*)/{tree.TEST}.xml"\n'
                              f'exec "{cli.Options.cupel}" "$@"\n')
            script.chmod(0o755)
            made.judge = script
        self.refused("report-replaced", spoil=replace)

    def test_executable_that_was_not_built(self):
        made = self.make("unbuilt")
        made.write()
        made.suite.unlink()
        self.cupel("run", tree.PROFILE, "--tree", made.folder, status=cli.NOT_RUN)
        self.assertEqual(made.ctest("-L", "mini").returncode, RED)
        self.assertEqual((made.receipt()["word"], codes(made.receipt())), ("NOT RUN", ["executable-missing"]))


if __name__ == "__main__":
    cli.main()
