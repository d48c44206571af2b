# SPDX-License-Identifier: Apache-2.0
"""Bad input of every kind: a sentence that names the thing and the next step, the right status, nothing changed, no partial counts."""
import json
import re
import shutil
import subprocess

import cli
import mini
from attempts import Attempt

COUNTS = re.compile(r"\b\d+/\d+\b")


class Records(Attempt):
    """Records that were damaged and then sealed again, as somebody who knows the form would: the receipt cannot be made from them."""

    def refused(self, attempt, code, subject, says):
        """The text names the thing and what to do, and publishes no counts; JSON has the same reason."""
        before = cli.snapshot(attempt)
        out, _ = self.cupel("receipt", "check", attempt, status=cli.REFUSED)
        self.assertRegex(out, rf"(?m)^{code}: {re.escape(subject)}")
        self.assertIn(says, out)
        self.assertRegex(out, r"(?m)^    [A-Z].*\. [A-Z].*\.$", "what the reason means, and the next step")
        self.assertIsNone(COUNTS.search(out.splitlines()[-1]), out)
        self.assertTrue(out.splitlines()[-1].startswith(f"{attempt}: REFUSED"), out)
        self.assertIn((code, subject), self.reasons(attempt))
        shown, _ = self.cupel("receipt", "show", attempt, status=cli.REFUSED)
        self.assertNotIn("most of bound", shown)
        self.assertEqual(cli.snapshot(attempt), before)

    def ledger(self, attempt):
        return next(attempt.rglob("mini.abi.ledger"))

    def test_ledger_cut_in_the_middle_of_a_line(self):
        attempt = self.copy()
        ledger = self.ledger(attempt)
        ledger.write_bytes(ledger.read_bytes()[:-40])
        self.reseal(attempt)
        self.refused(attempt, "ledger-cut", "mini.abi", "in the middle of a line")

    def test_ledger_with_an_unknown_member(self):
        attempt = self.copy()
        ledger = self.ledger(attempt)
        ledger.write_text(ledger.read_text().replace('"event":"begin"', '"note":1,"event":"begin"', 1))
        self.reseal(attempt)
        self.refused(attempt, "ledger-malformed", "mini.abi", "note")

    def test_attempt_of_another_schema_version(self):
        attempt = self.copy()
        record = json.loads((attempt / "attempt.json").read_text())
        (attempt / "attempt.json").write_text(json.dumps({**record, "schema": "cupel-attempt 2"}))
        self.reseal(attempt)
        self.refused(attempt, "attempt-schema", "attempt.json", "cupel-attempt 1")

    def test_step_of_another_schema_version(self):
        attempt = self.copy()
        path = attempt / "steps/source/command"
        path.write_text(path.read_text().replace("cupel-step 1", "cupel-step 9"))
        self.reseal(attempt)
        self.refused(attempt, "attempt-schema", "steps/source/command", "cupel-step 1")

    def test_clock_moved_back(self):
        attempt = self.copy()
        record = json.loads((attempt / "attempt.json").read_text())
        (attempt / "attempt.json").write_text(json.dumps({**record, "started": "2999-01-01T00:00:00Z"}))
        self.reseal(attempt)
        self.refused(attempt, "clock-backwards", "source", "2999-01-01T00:00:00Z")

    def test_records_with_an_unknown_member(self):
        for name in ("attempt.json", "steps/source/command", "steps/source/stdout", "steps/provenance/stdout"):
            attempt = self.copy(name.replace("/", "-"))
            record = json.loads((attempt / name).read_text())
            (attempt / name).write_text(json.dumps({**record, "note": 1}))
            self.seal(attempt) if name != "attempt.json" else self.reseal(attempt)
            subject = name if name.endswith(("json", "command")) else name.split("/")[1]
            self.refused(attempt, "attempt-schema", subject, '"note"')

    def test_folder_that_is_a_link(self):
        attempt = self.copy()
        shutil.move(attempt / "steps/run", self.scratch / "run")
        (attempt / "steps/run").symlink_to(self.scratch / "run")
        self.refused(attempt, "attempt-link", "steps/run", "no plain file")

    def test_plan_of_another_profile(self):
        attempt = self.copy()
        plan = json.loads((attempt / "plan.json").read_text())
        plan["profiles"] = plan["profiles"][1:]
        (attempt / "plan.json").write_text(json.dumps(plan))
        self.reseal(attempt)
        self.refused(attempt, "profile-unknown", "mini", "no such profile")


class Run(cli.Case):
    def setUp(self):
        super().setUp()
        self.tree = mini.Tree(self.scratch / "build")

    def test_refused_run_publishes_no_counts(self):
        with open(self.tree.manifest, "a", encoding="utf-8") as manifest:
            manifest.write("abi.zz-vanished run values=1\n")
        out, _ = self.cupel("run", mini.PROFILE, "--tree", self.tree.folder, status=cli.REFUSED)
        self.assertTrue(out.splitlines()[-2].endswith("mini: REFUSED"), out)
        answer = self.json("run", mini.PROFILE, "--tree", self.tree.folder, status=cli.REFUSED)
        self.assertNotIn("counts", answer["profiles"][0]["verdict"])

    def test_report_of_another_run(self):
        """The report of an earlier run in place of a new one, by a suite that copies it."""
        self.cupel("run", mini.PROFILE, "--tree", self.tree.folder, status=cli.PASS)
        (run,) = self.tree.runs()
        self.assertTrue((run / "mini.abi.xml").exists())
        forger = self.scratch / "suite-forger"
        forger.write_text(f"""#!/bin/sh
cd "{self.tree.folder}/cupel/mini"
for new in */; do
    [ "$new" = latest/ ] || [ -f "$new/receipt.json" ] || cp "{run}/mini.abi.ledger" "{run}/mini.abi.xml" "$new"
done
""")
        forger.chmod(0o755)
        plan = (self.tree.folder / "cupel/plan.json").read_text()
        (self.tree.folder / "cupel/plan.json").write_text(plan.replace(str(self.tree.executable), str(forger)))
        tests = (self.tree.folder / "CTestTestfile.cmake").read_text()
        (self.tree.folder / "CTestTestfile.cmake").write_text(tests.replace(str(self.tree.executable), str(forger)))
        out, _ = self.cupel("run", mini.PROFILE, "--tree", self.tree.folder, status=cli.REFUSED)
        self.assertRegex(out, r"(?m)^nonce-mismatch: mini.abi")
        self.assertTrue(out.splitlines()[-2].endswith("mini: REFUSED"), out)

    def test_earlier_run_of_a_process_with_the_same_number(self):
        """A stand-in for ctest runs nothing and gives the newest run its own process number: only the start of the process differs."""
        self.cupel("run", mini.PROFILE, "--tree", self.tree.folder, status=cli.PASS)
        (run,) = self.tree.runs()
        record = run / "run.json"
        plan = self.tree.folder / "cupel/plan.json"
        real = json.loads(plan.read_text())["ctest"]
        stand_in = self.scratch / "ctest"
        stand_in.write_text(f"""#!/bin/sh
case "$*" in *--show-only*) exec "{real}" "$@" ;; esac
sed -E "s/(ctest_pid.: ?)[0-9]+/\\1$$/" "{record}" >"{record}.new"
[ -z "$FORGED_START" ] || sed -i -E "s/(ctest_start.: ?)[0-9]+/\\1$(cut -d' ' -f22 /proc/$$/stat)/" "{record}.new"
mv "{record}.new" "{record}"
""")
        stand_in.chmod(0o755)
        plan.write_text(plan.read_text().replace(f'"{real}"', f'"{stand_in}"'))
        out, _ = self.cupel("run", mini.PROFILE, "--tree", self.tree.folder, status=cli.REFUSED)
        self.assertIn("run-not-open: mini: ctest ended with status 0 and opened no run", out)
        out, _ = self.cupel("run", mini.PROFILE, "--tree", self.tree.folder, status=None, env={"FORGED_START": "1"})
        self.assertNotIn("run-not-open", out, "with its start too it is the run of this process: the stand-in works")

    def test_refusal_over_something_that_no_file_shows_afterwards(self):
        """A source that changed while the profile ran: the run's own verdict said so, and cupel run says it too."""
        source = mini.clean_source(self.scratch / "source")
        tree = mini.Tree(self.scratch / "longer", source=source, suite="linalg")
        process = subprocess.Popen([cli.Options.cupel, "run", "mini", "--tree", tree.folder], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        while process.poll() is None and not (tree.folder / "cupel/mini/open.json").exists():
            pass
        with open(source / "src/core/nc.h", "a", encoding="utf-8") as header:
            header.write("// more\n")
        out = process.communicate(timeout=cli.LIMIT_SECONDS)[0].decode()
        self.assertEqual(process.returncode, cli.REFUSED, out)
        self.assertIn("ctest-contradiction: mini: every file says PASS, but ctest ended with status 8", out)
        self.assertRegex(out, r"(?m)^plan-stale: mini: 1 source file changed since the build in .*, first src/core/nc.h \(so said the run's own")

    def test_plain_ctest_shows_why_a_backend_was_not_built(self):
        """A test's output is not shown by plain ctest, the expression that it matched is: only profiles that were not built have one."""
        plan = json.loads((cli.Options.tree / "cupel/plan.json").read_text())
        listed = subprocess.run(["ctest", "--test-dir", cli.Options.tree, "--show-only=json-v1"], stdout=subprocess.PIPE, check=True)
        properties = {test["name"]: {one["name"]: one["value"] for one in test.get("properties", [])}
                      for test in json.loads(listed.stdout)["tests"]}
        self.assertGreater(len(plan["profiles"]), 0)
        for profile in plan["profiles"]:
            shown = properties[f"{profile['name']}.device"].get("FAIL_REGULAR_EXPRESSION")
            if profile["built"]:
                self.assertIsNone(shown)
            else:
                (expression,) = shown
                self.assertRegex(f"{profile['reason']}. {profile['install']}", f"^{expression}$")
                self.assertIn("--preset", expression)

    def test_library_from_outside_the_build(self):
        """What would be loaded is what was built: here on the real tree, whose shared suites load its library."""
        elsewhere = self.scratch / "elsewhere"
        elsewhere.mkdir()
        for library in (cli.Options.tree / "lib").glob("libnc_cpu.so*"):
            shutil.copy(library, elsewhere, follow_symlinks=True)
        self.cupel("provenance", "cpu-reference", "--tree", cli.Options.tree, status=cli.PASS)
        self.refusal("provenance", "cpu-reference", "--tree", cli.Options.tree, status=cli.REFUSED, env={"LD_LIBRARY_PATH": str(elsewhere)},
                     says=["would load libnc_cpu.so", str(elsewhere), "from outside the build tree", "check LD_LIBRARY_PATH"])


class Golden(cli.Case):
    """One corpus of the real golden folder, damaged."""

    def setUp(self):
        super().setUp()
        self.golden = self.scratch / "golden"
        self.golden.mkdir()
        for name in ("corpora", "inputs"):
            shutil.copytree(cli.Options.source / "golden" / name, self.golden / name)
        for name in ("bounds.tsv", "SHA256SUMS"):
            shutil.copy(cli.Options.source / "golden" / name, self.golden / name)

    def refused(self, *says):
        before = cli.snapshot(self.golden)
        out, _ = self.cupel("golden", "--check", "--golden", self.golden, "--corpus", "rng.u32", status=cli.REFUSED)
        for text in says:
            self.assertIn(text, out)
        self.assertEqual(out.splitlines()[-1], "golden check: REFUSED")
        answer = self.json("golden", "--check", "--golden", self.golden, "--corpus", "rng.u32", status=cli.REFUSED)
        self.assertEqual(answer["verdict"], "REFUSED")
        self.assertEqual(cli.snapshot(self.golden), before)

    def corpus(self):
        return self.golden / "corpora/rng.u32.golden"

    def test_corpus_that_is_gone(self):
        self.corpus().unlink()
        self.refused("corpora/rng.u32.golden: is missing, and", "restore it from version control")

    def test_corpus_cut_short(self):
        whole = self.corpus().read_bytes()
        self.corpus().write_bytes(whole[: len(whole) // 2])
        self.refused("rng.u32.golden: is truncated", "restore it from version control")

    def test_line_of_the_lock_that_was_changed(self):
        sums = self.golden / "SHA256SUMS"
        lines = sums.read_text().splitlines(keepends=True)
        at = next(i for i, line in enumerate(lines) if line.endswith("  corpora/rng.u32.golden\n"))
        lines[at] = ("1" if lines[at][0] == "0" else "0") + lines[at][1:]
        sums.write_text("".join(lines))
        self.refused(f"SHA256SUMS:{at + 1}: is not the SHA-256 of corpora/rng.u32.golden", "restore the list from version control")


if __name__ == "__main__":
    cli.main()
