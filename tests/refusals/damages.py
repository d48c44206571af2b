# SPDX-License-Identifier: Apache-2.0
"""Evidence that is damaged between a good run and its verdict: one row a reason, each through `cupel run` and through `ctest -L`.

Whatever stands in the run directory when the verdict looks is what it must judge, whoever wrote it. The verdict's test is started through
a script that makes the change and then becomes `cupel verdict`.
"""
import sys

import tree  # puts the command line's test helpers on the path
import cli

RED = 8  # of ctest
LEDGER, REPORT, DEVICE = f"{tree.TEST}.ledger", f"{tree.TEST}.xml", "device.json"

# file ("manifest", "sources" and "suite" lie outside of the run directory), old text, new text, reasons. Without old text the new one is the
# whole file; without either the file is removed. The old text is replaced where it stands first.
ROWS = (
    ("run.json", '"profile": "mini"', '"profile": "maxi"', "run-mismatch"),
    ("left-over.txt", None, "x", "file-unexpected"),
    ("tests.json", '"name" : "mini.verdict"', '"name" : "other.verdict"', "lint-fixture lint-test-extra lint-test-missing"),
    (DEVICE, None, None, "device-record-missing"),
    (DEVICE, '"count"', '"counts"', "device-record-malformed"),
    (DEVICE, '"type": "cpu"', '"type": "gpu"', "device-changed device-type-contradiction"),
    (DEVICE, '"nonce_answer": "', '"nonce_answer": "0', "device-answer-wrong"),
    (DEVICE, '"uuid": "', '"uuid": "0', "device-changed"),
    (DEVICE, '"nonce": "', '"nonce": "0', "device-answer-wrong nonce-mismatch"),
    (DEVICE, '"fp64": true', '"fp64": false', "capability-fp64"),
    (DEVICE, '"fma_exact": true', '"fma_exact": false', "capability-fma"),
    (DEVICE, '"subnormals_kept": true', '"subnormals_kept": false', "capability-subnormals"),
    (DEVICE, '"division_rounded": true', '"division_rounded": false', "capability-division"),
    (DEVICE, '"sqrt_rounded": true', '"sqrt_rounded": false', "capability-sqrt"),
    (DEVICE, '"mulhi_u64": true', '"mulhi_u64": false', "capability-mulhi"),
    (DEVICE, '"contraction_off": true', '"contraction_off": false', "contraction-on"),
    ("manifest", None, None, "manifest-missing"),
    ("manifest", "values=1", "values=", "manifest-malformed"),
    ("manifest", "fixture.first", "fixture.zero", "manifest-unsorted"),
    ("manifest", "fixture.first run values=1\n", "fixture.first run values=1\nfixture.first run values=1\n", "manifest-duplicate"),
    ("manifest", None, "fixture2.first run values=1\n", "case-unexpected manifest-suite-unknown suite-without-cases"),
    ("manifest", "fixture.first run values=1", "fixture.first unsupported fp64 it is said",
     "case-unexpected unsupported-forbidden unsupported-unproven"),
    ("manifest", "fixture.first run values=1", "fixture.first run values=1 uploaded=9..9", "transfers-outside"),
    ("sources", None, "", "source-mismatch"),
    ("suite", None, "no program", "executable-unidentified"),
    (LEDGER, None, None, "ledger-missing"),
    (LEDGER, '"event":"close"', '"event":"open"', "ledger-order ledger-unclosed"),
    (LEDGER, '"sequence":1', '"sequence":2', "ledger-order"),
    (LEDGER, '"passed":4', '"passed":5', "ledger-counts"),
    (LEDGER, '"linkage":"static"', '"linkage":"shared"', "ledger-mismatch"),
    (LEDGER, '"bound":"0x1p-1"', '"bound":"inf"', "bound-invalid"),
    (LEDGER, '"worst_error":"0x0p+0","worst_unit":"bound","worst_at":""', '"worst_error":"0x1p+0","worst_unit":"bound","worst_at":"x[0]"',
     "error-above-bound"),
    (LEDGER, '"event":"begin","nonce":"', '"event":"begin","nonce":"0', "nonce-mismatch"),
    (LEDGER, '"case":"fixture.second"', '"case":"fixture.first"', "case-contradiction case-duplicate case-missing ledger-order"),
    (REPORT, None, None, "report-missing"),
    (REPORT, None, "", "report-empty"),
    (REPORT, "</testsuites>", "", "report-truncated"),
    (REPORT, 'name="fixture.third"', 'name="fixture.fourth"', "case-contradiction report-replaced"),
)

# Obstacles of machines that are not here: the device test would have written this record instead of running a kernel.
NOT_RUN = ("backend-not-built", "device-none", "device-hidden", "device-count-wrong", "device-partitioned", "device-open-failed", "driver-missing", "driver-too-old",
           "driver-mismatch", "opencl-no-loader", "opencl-no-platform", "opencl-library-gone", "program-build-failed", "architecture-missing",
           "capability-fp32")


# What text alone does not express: statements in which `run` and `folder` are the run directory and the tree.
MANAGED = {"driver": "1", "listed": True, "ecc": "on", "partitions": "off", "uncorrected_errors": 4, "clients": 1, "busy_percent": 0}
STATEMENTS = (
    (f"import os; os.utime(run / '{REPORT}', (0, 0))", "file-stale"),
    (f"device = json.loads((run / '{DEVICE}').read_text()); device['management'] = {MANAGED}\n"
     f"(run / '{DEVICE}').write_text(json.dumps(device))\n"
     f"ledger = [json.loads(line) for line in (run / '{LEDGER}').read_text().splitlines()]\n"
     f"[event.update(management=dict({MANAGED}, uncorrected_errors=5)) for event in ledger if event['event'] == 'close']\n"
     f"(run / '{LEDGER}').write_text(''.join(json.dumps(event) + chr(10) for event in ledger))", "device-errors-rose"),
)
# The record that the device test writes instead of running a kernel, and then no suite runs.
OBSTACLE = (f"device = json.loads((run / '{DEVICE}').read_text())\n"
            "device.update(status='not-run', reason='CODE', detail='as it is there', device=None, probes=None, nonce_answer='', count=0)\n"
            f"(run / '{DEVICE}').write_text(json.dumps(device))\n(run / '{LEDGER}').unlink()\n(run / '{REPORT}').unlink()")
HEAD = f"import json, pathlib, sys\nfolder = pathlib.Path(__file__).parent\nrun = next(folder.glob('cupel/{tree.PROFILE}/2*'))\n"
EDIT = """places = {'manifest': folder / 'mini.cases', 'sources': folder / 'cupel/sources.sha256', 'suite': folder / 'suite-good'}
path = places.get(file, run / file)
whole = path.read_text() if old is not None else ''
if old is not None and old not in whole:
    sys.exit(f'{path} has no {old}')
path.unlink(missing_ok=True)
if new is not None:
    path.write_text(new if old is None else whole.replace(old, new, 1))
    path.chmod(0o755)
"""


class Damages(cli.Case):
    def damaged(self, name, change):
        """A tree whose verdict test first runs `change(made, run)`, written as a program that reads its instructions from a file."""
        made = tree.Tree(self.scratch / name)
        script = made.folder / "cupel-after-damage"
        script.write_text(f'#!/bin/sh\n"{sys.executable}" "{made.folder}/damage.py" || exit 99\nexec "{cli.Options.cupel}" "$@"\n')
        script.chmod(0o755)
        (made.folder / "damage.py").write_text(change)
        made.judge = script
        made.write()
        return made

    def judge(self, name, change, status, word, reasons):
        made = self.damaged(f"{name}-cupel", change)
        answer = self.json("run", tree.PROFILE, "--tree", made.folder, status=status)
        verdict = answer["profiles"][0]["verdict"]
        self.assertEqual(sorted({reason["code"] for reason in verdict["reasons"]}), reasons, name)
        made = self.damaged(f"{name}-ctest", change)
        done = made.ctest("-L", f"^{tree.PROFILE}$", "--verbose")
        self.assertEqual(done.returncode, RED, done.stdout.decode())
        verdict = made.receipt()
        self.assertEqual((verdict["word"], sorted({reason["code"] for reason in verdict["reasons"]})), (word, reasons), name)

    def test_rows(self):
        for number, (file, old, new, reasons) in enumerate(ROWS):
            with self.subTest(file=file, new=new):
                words = reasons.split(" ")
                not_run = all(word.startswith("capability-") for word in words)
                failed = words == ["error-above-bound"]
                status, word = ((cli.NOT_RUN, "NOT RUN") if not_run else (cli.FAILED, "FAIL") if failed else (cli.REFUSED, "REFUSED"))
                self.judge(f"row-{number}", f"{HEAD}file, old, new = {file!r}, {old!r}, {new!r}\n{EDIT}", status, word, words)

    def test_statements(self):
        for number, (statements, reason) in enumerate(STATEMENTS):
            with self.subTest(reason=reason):
                self.judge(f"statement-{number}", HEAD + statements, cli.REFUSED, "REFUSED", [reason])

    def test_obstacles_of_other_machines(self):
        for code in NOT_RUN:
            with self.subTest(code=code):
                self.judge(code, HEAD + OBSTACLE.replace("CODE", code), cli.NOT_RUN, "NOT RUN", [code])

    def test_run_that_lost_its_record(self):
        """Without its record the driver knows of no run; the verdict's own test says what is wrong with it."""
        for reason, new, driver_says in (("run-record-missing", None, "run-not-open"), ("run-record-malformed", "{}", "run-not-open"),
                                         ("run-directory-missing", ..., "run-directory-missing")):
            with self.subTest(reason=reason):
                change = f"{HEAD}import shutil\n" + ("shutil.rmtree(run)" if new is ... else f"file, old, new = 'run.json', None, {new!r}\n{EDIT}")
                out, _ = self.cupel("run", tree.PROFILE, "--tree", self.damaged(f"{reason}-cupel", change).folder, status=cli.REFUSED)
                self.assertIn(driver_says, out)
                made = self.damaged(f"{reason}-ctest", change)
                done = made.ctest("-L", f"^{tree.PROFILE}$", "--verbose")
                self.assertEqual(done.returncode, RED)
                self.assertIn(reason.encode(), done.stdout)

    def test_plan_that_is_gone(self):
        change = f"{HEAD}(folder / 'cupel/plan.json').unlink()"
        self.cupel("run", tree.PROFILE, "--tree", self.damaged("plan-cupel", change).folder, status=cli.REFUSED)
        done = self.damaged("plan-ctest", change).ctest("-L", f"^{tree.PROFILE}$", "--verbose")
        self.assertEqual(done.returncode, RED)
        self.assertIn(b"cannot be used", done.stdout)


if __name__ == "__main__":
    cli.main()
