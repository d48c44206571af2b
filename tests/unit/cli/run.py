# SPDX-License-Identifier: Apache-2.0
"""cupel run on a tree in miniature: the verdict, its receipt, and every bad input with its status and sentence."""
import json
import os
import pathlib
import pty
import shutil
import subprocess

import cli
import mini


class Run(cli.Case):
    def setUp(self):
        super().setUp()
        self.tree = mini.Tree(self.scratch / "build")

    def run_mini(self, *more, status=cli.PASS, **named):
        return self.cupel("run", mini.PROFILE, "--tree", self.tree.folder, *more, status=status, **named)

    def receipt(self):
        latest = self.tree.folder / "cupel" / mini.PROFILE / "latest"
        return json.loads((latest / "receipt.json").read_text())["predicate"]

    def ctest(self, *words):
        return subprocess.run(["ctest", "--test-dir", self.tree.folder, *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=cli.LIMIT_SECONDS, check=False)

    # What holds

    def test_pass_prints_the_verdict_and_the_receipt(self):
        out, err = self.run_mini()
        self.assertEqual(err, "")
        verdict, receipt = out.splitlines()
        self.assertEqual(verdict, f"mini: PASS {self.tree.cases}/{self.tree.cases}")
        self.assertEqual(pathlib.Path(receipt.removeprefix("receipt: ")).parent, self.tree.runs()[0])
        self.assertEqual(self.receipt()["result"], "PASSED")
        self.assertEqual(len(self.receipt()["passedTests"]), self.tree.cases)
        self.assertFalse((self.tree.folder / "cupel/mini/open.json").exists())

    def test_json(self):
        answer = self.json("run", mini.PROFILE, "--tree", self.tree.folder, status=cli.PASS)
        self.assertEqual((answer["status"], answer["word"]), (0, "PASS"))
        self.assertEqual(answer["profiles"][0]["verdict"]["counts"]["passed"], self.tree.cases)

    def test_ctest_gives_the_same_receipt(self):
        done = self.ctest("-L", "^mini$")
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertEqual(self.receipt()["cupel"]["verdict"]["word"], "PASS")

    def test_each_run_has_its_own_directory(self):
        self.run_mini()
        first = self.tree.runs()[0]  # names of one second do not sort by time
        before = cli.snapshot(first)
        self.run_mini()
        self.assertEqual(len(self.tree.runs()), 2)
        self.assertEqual(cli.snapshot(first), before)

    def test_junit_report_of_all_profiles(self):
        self.tree = mini.Tree(self.scratch / "two", profiles=("mini", "maxi"))
        report = self.scratch / "all.xml"
        self.cupel("run", "mini", "maxi", "--tree", self.tree.folder, "--junit", report, status=cli.PASS)
        self.cupel("junit", report, status=cli.PASS)
        text = report.read_text()
        for test in ("mini.abi", "maxi.abi"):
            self.assertEqual(text.count(f'<testsuite name="{test}"'), 1)

    def test_progress_goes_to_a_terminal_only(self):
        self.tree = mini.Tree(self.scratch / "longer", suite="linalg")
        out, err = self.run_mini()
        self.assertNotIn("\r", out + err)
        shown = b""
        child, terminal = pty.fork()
        if child == 0:
            os.execv(cli.Options.cupel, [cli.Options.cupel, "run", mini.PROFILE, "--tree", self.tree.folder])
        try:
            while block := os.read(terminal, 4096):
                shown += block
        except OSError:  # the terminal's other side was closed
            pass
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), cli.PASS)
        self.assertRegex(shown.decode(), rf"\rmini: mini.linalg  \d+ of {self.tree.cases} cases  \d+ s")

    # Bad input

    def test_unknown_profile(self):
        self.refusal("run", "nosuch", "--tree", self.tree.folder, status=cli.USAGE, says=["no profile nosuch", "cupel list"])
        self.assertEqual(self.tree.runs(), [])

    def test_profile_named_twice(self):
        self.refusal("run", "mini", "mini", "--tree", self.tree.folder, status=cli.USAGE, says=["mini was named twice"])

    def test_unknown_case(self):
        done = subprocess.run([self.tree.executable, "--case", "abi.no-such-case"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
        self.assertEqual(done.returncode, cli.USAGE)
        self.assertIn(b"abi.no-such-case", done.stderr)
        self.assertEqual(done.stdout, b"")

    def test_unreadable_tree(self):
        self.refusal("run", "mini", "--tree", self.scratch / "nothing", status=cli.REFUSED,
                     says=["nothing/cupel/plan.json", "configure the build tree again"])

    def test_damaged_plan(self):
        plan = self.tree.folder / "cupel/plan.json"
        plan.write_text(plan.read_text().replace('"schema"', '"scheme"'))
        self.refusal("run", "mini", "--tree", self.tree.folder, status=cli.REFUSED, says=["cupel/plan.json cannot be used"])

    def test_build_older_than_its_sources(self):
        source = self.scratch / "source"
        (source / "src").mkdir(parents=True)
        (source / "src/a.c").write_text("int a;\n")
        digest = subprocess.run(["sha256sum", "src/a.c"], cwd=source, stdout=subprocess.PIPE, check=True).stdout
        self.tree = mini.Tree(self.scratch / "stale", source=source)
        (self.tree.folder / "cupel/sources.sha256").write_bytes(digest)
        (source / "src/a.c").write_text("int b;\n")
        out, _ = self.run_mini(status=cli.REFUSED)
        self.assertIn("plan-stale: mini: 1 source file changed since the build", out)
        self.assertIn("first src/a.c", out)
        self.assertTrue(out.endswith("mini: REFUSED\n"), out)
        whole = self.tree.manifest.read_text()
        out, err = self.cupel("manifest", "--write", "--tree", self.tree.folder, status=cli.REFUSED)
        self.assertIn("plan-stale: mini: 1 source file changed since the build", out + err)
        self.assertEqual(self.tree.manifest.read_text(), whole)
        self.assertEqual(self.tree.runs(), [])
        self.json_has_the_reason(cli.REFUSED, "plan-stale")

    def test_missing_executable(self):
        self.tree.executable = self.scratch / "gone"
        self.tree.write_plan()
        self.tree.write_tests()
        out, _ = self.run_mini(status=cli.NOT_RUN)
        self.assertIn(f"executable-missing: mini.abi: {self.scratch}/gone does not exist", out)
        self.assertEqual(out.count("executable-missing"), 1, out)
        self.assertTrue(out.endswith("mini: NOT RUN\n"), out)
        self.json_has_the_reason(cli.NOT_RUN, "executable-missing")

    def test_executable_that_may_not_be_run(self):
        self.tree.executable = self.scratch / "barred"
        self.tree.executable.write_text("")
        self.tree.executable.chmod(0o644)
        self.tree.write_plan()
        self.tree.write_tests()
        out, _ = self.run_mini(status=cli.NOT_RUN)
        self.assertIn(f"executable-missing: mini.abi: {self.scratch}/barred may not be executed", out)

    def test_place_of_the_runs_that_is_a_file(self):
        (self.tree.folder / "cupel/mini").write_text("kept")
        out, _ = self.run_mini(status=cli.REFUSED)
        self.assertIn("run-not-open: mini", out)
        self.json_has_the_reason(cli.REFUSED, "run-not-open")
        self.assertEqual((self.tree.folder / "cupel/mini").read_text(), "kept")

    def json_has_the_reason(self, status, code):
        """Of a run that was refused before it began: JSON names the profile and the reason as the text does, and publishes no counts."""
        (profile,) = self.json("run", mini.PROFILE, "--tree", self.tree.folder, status=status)["profiles"]
        self.assertEqual((profile["profile"], profile["status"], profile["receipt"]), (mini.PROFILE, status, None))
        self.assertEqual([reason["code"] for reason in profile["verdict"]["reasons"]], [code])
        self.assertNotIn("counts", profile["verdict"])

    def test_unwritable_evidence(self):
        blocked = self.scratch / "file"
        blocked.write_text("kept")
        self.refusal("run", "mini", "--tree", self.tree.folder, "--evidence", blocked, status=cli.REFUSED, says=[str(blocked), "--evidence"])
        self.assertEqual(blocked.read_text(), "kept")
        self.assertEqual(self.tree.runs(), [])

    def test_report_that_cannot_be_written_is_found_before_anything_runs(self):
        blocked = self.scratch / "file"
        blocked.write_text("kept")
        for path in (blocked / "all.xml", self.scratch / "no-such-folder/all.xml", self.scratch):
            self.refusal("run", "mini", "--tree", self.tree.folder, "--junit", path, status=cli.REFUSED, says=[str(path), "--junit"])
        self.assertEqual(blocked.read_text(), "kept")
        self.assertEqual(self.tree.runs(), [])

    def test_build_tree_that_cannot_be_written(self):
        before = cli.snapshot(self.tree.folder)
        with cli.read_only(self.tree.folder):
            out, _ = self.run_mini(status=cli.REFUSED, held=True)
        self.assertIn(f"run-directory-unwritable: {self.tree.folder}: Permission denied", out)
        self.assertIn("make the build tree writable", out)
        self.assertNotIn("lint-unreadable", out)
        self.assertEqual(cli.snapshot(self.tree.folder), before)

    def test_missing_device(self):
        out, _ = self.run_mini("--device", "no such card", status=cli.NOT_RUN)
        self.assertIn("device-unknown", out)
        self.assertIn("mini: NOT RUN", out)

    def test_case_that_vanished(self):
        with open(self.tree.manifest, "a", encoding="utf-8") as manifest:
            manifest.write("abi.zz-vanished run values=1\n")
        out, _ = self.run_mini(status=cli.REFUSED)
        self.assertIn("case-missing", out)
        self.assertIn("abi.zz-vanished", out)

    def test_tests_that_ctest_would_skip_or_invert(self):
        for properties in ('WILL_FAIL "1"', 'SKIP_RETURN_CODE "1"', 'PASS_REGULAR_EXPRESSION "PASSED"', 'DISABLED "1"', 'ENVIRONMENT "A=b"'):
            self.tree.write_tests(suite_properties=properties)
            out, _ = self.run_mini(status=cli.REFUSED)
            self.assertIn(f"lint-property: mini.abi: it has the property {properties.split()[0]}", out)
        self.assertEqual(self.tree.runs(), [])

    def test_wrapped_executable(self):
        self.tree.write_tests(suite_command=f'sh -c "exec \\"$0\\" \\"$@\\"" "{self.tree.executable}"')
        out, _ = self.run_mini(status=cli.REFUSED)
        self.assertIn("lint-wrapper: mini.abi: word 0 of its command is", out)

    def test_ctest_custom_file(self):
        (self.tree.folder / "CTestCustom.cmake").write_text('set(CTEST_CUSTOM_TESTS_IGNORE "mini.abi")\n')
        out, _ = self.run_mini(status=cli.REFUSED)
        self.assertIn("lint-custom-file", out)

    def test_foreign_test_under_the_label(self):
        self.tree.write_tests(extra='add_test(other true)\nset_tests_properties(other PROPERTIES LABELS "mini")\n')
        out, _ = self.run_mini(status=cli.REFUSED)
        self.assertIn("lint-test-extra: other: it carries the label mini", out)

    def test_run_beside_a_ctest_that_somebody_started(self):
        self.tree = mini.Tree(self.scratch / "longer", suite="linalg")
        first = subprocess.Popen(["ctest", "--test-dir", self.tree.folder, "-L", "^mini$"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                 stderr=subprocess.STDOUT)
        record = self.tree.folder / "cupel/mini/open.json"
        while first.poll() is None and not record.exists():
            pass
        directory = json.loads(record.read_text())["directory"]
        self.refusal("run", "mini", "--tree", self.tree.folder, "--evidence", self.scratch / "e", status=cli.REFUSED,
                     says=[f"ctest, process {first.pid}, is running mini in the build tree {self.tree.folder} ({directory}); wait for its end"])
        self.assertFalse((self.scratch / "e").exists())
        said = first.communicate(timeout=cli.LIMIT_SECONDS)[0]
        self.assertEqual(first.returncode, 0, said)
        self.assertEqual(len(self.tree.runs()), 1)
        self.run_mini()

    def test_verdict_without_a_run(self):
        out, _ = self.cupel("verdict", "--profile", "mini", "--tree", self.tree.folder, status=cli.REFUSED)
        self.assertIn("run-not-open", out)
        self.assertTrue(out.endswith("mini: REFUSED\n"), out)

    def test_verdict_of_a_foreign_run(self):
        folder = self.tree.folder / "cupel/mini"
        (folder / "x").mkdir(parents=True)
        record = {"schema": "cupel-run 1", "run": "x", "nonce": "0" * 32, "profile": "mini", "started": "2026-01-01T00:00:00Z",
                  "ctest_pid": 999999, "ctest_start": 1, "command": [], "directory": str(folder / "x")}
        (folder / "open.json").write_text(json.dumps(record))
        before = cli.snapshot(folder)
        out, _ = self.cupel("verdict", "--profile", "mini", "--tree", self.tree.folder, status=cli.REFUSED)
        self.assertIn("run-foreign", out)
        self.assertEqual(cli.snapshot(folder), before)

    def test_part_of_a_profile_through_ctest(self):
        for words in (["-R", "mini.abi"], ["-L", "mini", "-E", "verdict"], ["-L", "mini", "--repeat", "until-pass:2"]):
            done = self.ctest(*words)
            self.assertEqual(done.returncode, 8, done.stdout)
        self.assertFalse((self.tree.folder / "cupel/mini/latest/receipt.json").exists() and self.receipt()["result"] == "PASSED")

    def test_suite_that_hangs_is_ended_with_its_group(self):
        hang = self.scratch / "suite-hang"
        hang.write_text("#!/bin/sh\ntrap '' TERM\nsleep 600 &\nwait\n")
        hang.chmod(0o755)
        self.tree.executable = hang
        self.tree.write_plan(timeout_seconds=1)
        text = (self.tree.folder / "CTestTestfile.cmake").read_text().replace(str(self.tree.bin / "suite-abi-cpu"), str(hang))
        (self.tree.folder / "CTestTestfile.cmake").write_text(text.replace('TIMEOUT "90"', 'TIMEOUT "2"'))
        out, _ = self.run_mini(status=cli.REFUSED)
        self.assertIn("ledger-missing", out)
        self.assertTrue(self.tree.runs()[0].joinpath("receipt.json").exists())

    def test_manifest_write_keeps_floors_and_refuses_in_ci(self):
        self.run_mini()
        whole = self.tree.manifest.read_text()
        first = whole.splitlines()[0]
        self.tree.manifest.write_text("\n".join(["# kept", first.replace("values=", "values=9")] + whole.splitlines()[2:]) + "\n")
        self.refusal("manifest", "--write", "--tree", self.tree.folder, status=cli.REFUSED, says=["while CI is set"], env={"CI": "true"})
        self.cupel("manifest", "--write", "--tree", self.tree.folder, status=cli.PASS)
        lines = self.tree.manifest.read_text().splitlines()
        self.assertEqual(lines[0], "# kept")
        self.assertEqual(lines[1], first.replace("values=", "values=9"))
        self.assertEqual(lines[2:], whole.splitlines()[1:])
        self.cupel("manifest", "--check", "--tree", self.tree.folder, status=cli.PASS)

    def test_damaged_manifest_is_not_replaced(self):
        self.tree.manifest.write_text("abi.x runs values=1\n")
        self.cupel("manifest", "--write", "--tree", self.tree.folder, status=cli.REFUSED)
        self.assertEqual(self.tree.manifest.read_text(), "abi.x runs values=1\n")

    def test_moved_tree_finds_its_latest_run(self):
        self.run_mini()
        link = os.readlink(self.tree.folder / "cupel/mini/latest")
        self.assertNotIn("/", link)
        shutil.rmtree(self.tree.folder)


if __name__ == "__main__":
    cli.main()
