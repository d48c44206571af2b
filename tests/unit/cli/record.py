# SPDX-License-Identifier: Apache-2.0
"""cupel record: steps are kept whole, labels are used once, a failed step stops its lane, nothing is overwritten."""
import json
import os
import signal
import subprocess

import cli


class Record(cli.Case):
    def attempt(self):
        out, _ = self.cupel("record", "first", "--", "sh", "-c", "echo out; echo err >&2", status=cli.PASS)
        return self.scratch / out.split()[-1]

    def test_four_files_and_a_duration(self):
        step = self.attempt() / "steps" / "first"
        self.assertEqual(sorted(p.name for p in step.iterdir()), ["command", "peak_rss_bytes", "seconds", "status", "stderr", "stdout"])
        self.assertEqual((step / "stdout").read_text(), "out\n")
        self.assertEqual((step / "stderr").read_text(), "err\n")
        self.assertEqual((step / "status").read_text(), "exit 0\n")
        self.assertGreaterEqual(float((step / "seconds").read_text()), 0.0)
        self.assertGreater(int((step / "peak_rss_bytes").read_text()), 0)
        command = json.loads((step / "command").read_text())
        self.assertEqual(command["words"], ["sh", "-c", "echo out; echo err >&2"])
        self.assertEqual((command["index"], command["lane"], command["label"]), (1, "main", "first"))

    def test_each_attempt_has_its_own_directory(self):
        one, two = self.attempt(), self.attempt()
        self.assertNotEqual(one, two)
        self.assertRegex(one.name, r"^\d{8}T\d{6}Z-record-[0-9a-f]{8}$")

    def test_recorded_commands_are_no_receipt_and_were_not_stopped(self):
        out, _ = self.cupel("receipt", "check", self.attempt(), status=cli.REFUSED)
        self.assertIn("attempt-incomplete: receipt.json: it holds commands that `cupel record` kept, which no receipt closes", out)
        self.assertNotIn("stopped", out)

    def test_used_label_is_refused(self):
        attempt = self.attempt()
        before = cli.snapshot(attempt)
        _, err = self.cupel("record", "--attempt", attempt, "first", "--", "true", status=cli.REFUSED)
        self.assertIn("label first is used", err)
        self.assertEqual(cli.snapshot(attempt), before)

    def test_failed_step_stops_its_lane_and_no_other(self):
        attempt = self.attempt()
        self.cupel("record", "--attempt", attempt, "bad", "--", "sh", "-c", "exit 3", status=cli.FAILED)
        self.assertEqual((attempt / "steps/bad/status").read_text(), "exit 3\n")
        _, err = self.cupel("record", "--attempt", attempt, "next", "--", "true", status=cli.REFUSED)
        self.assertIn("step bad of lane main did not pass", err)
        self.assertFalse((attempt / "steps/next").exists())
        self.cupel("record", "--attempt", attempt, "--lane", "other", "next", "--", "true", status=cli.PASS)

    def test_missing_program_is_recorded(self):
        out, _ = self.cupel("record", "gone", "--", "cupel-no-such-program", status=cli.FAILED)
        self.assertIn("not started", (self.scratch / out.split()[-1] / "steps/gone/status").read_text())

    def test_signal_is_recorded(self):
        out, _ = self.cupel("record", "killed", "--", "sh", "-c", "kill -9 $$", status=cli.FAILED)
        self.assertEqual((self.scratch / out.split()[-1] / "steps/killed/status").read_text(), "signal 9\n")

    def test_leftover_process_fails_the_step(self):
        out, _ = self.cupel("record", "daemon", "--", "sh", "-c", "setsid sleep 600 >/dev/null 2>&1 & exit 0", status=cli.FAILED)
        self.assertEqual((self.scratch / out.split()[-1] / "steps/daemon/status").read_text(), "leftovers 1\n")

    def test_bad_label(self):
        for label in ("../x", "a/b", "A", "", ".hidden", "x" * 61):
            self.refusal("record", label, "--", "true", status=cli.USAGE, says=["is no label"])
        self.assertFalse((self.scratch / "evidence").exists())

    def test_closed_attempt_is_refused(self):
        attempt = self.attempt()
        (attempt / "receipt.json").write_text("{}\n")
        self.refusal("record", "--attempt", attempt, "late", "--", "true", status=cli.REFUSED, says=["a receipt closes the attempt"])

    def test_directory_that_is_no_attempt(self):
        self.refusal("record", "--attempt", self.scratch, "x", "--", "true", status=cli.REFUSED, says=["no attempt.json in"])

    def test_one_process_at_a_time(self):
        attempt = self.attempt()
        ready, go = os.pipe(), os.pipe()
        script = f"echo ready >&{ready[1]}; read line <&{go[0]}"
        first = subprocess.Popen([cli.Options.cupel, "record", "--attempt", attempt, "long", "--", "sh", "-c", script],
                                 pass_fds=(ready[1], go[0]), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.assertEqual(os.read(ready[0], 6), b"ready\n")
        self.refusal("record", "--attempt", attempt, "second", "--", "true", status=cli.REFUSED, says=["another process is recording"])
        os.write(go[1], b"go\n")
        self.assertEqual(first.wait(cli.LIMIT_SECONDS), 0)

    def test_kill_leaves_a_step_that_says_it_is_incomplete(self):
        attempt = self.attempt()
        ready = os.pipe()
        script = f"echo ready >&{ready[1]}; exec sleep 600"
        first = subprocess.Popen([cli.Options.cupel, "record", "--attempt", attempt, "cut", "--", "sh", "-c", script],
                                 pass_fds=(ready[1],), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.assertEqual(os.read(ready[0], 6), b"ready\n")
        child = int(subprocess.run(["ps", "--ppid", str(first.pid), "-o", "pid="], stdout=subprocess.PIPE, check=True).stdout)
        first.send_signal(signal.SIGKILL)
        first.wait(cli.LIMIT_SECONDS)
        os.kill(child, signal.SIGKILL)
        step = attempt / "steps/cut"
        self.assertTrue((step / "command").exists())
        self.assertFalse((step / "status").exists())
        _, err = self.cupel("record", "--attempt", attempt, "next", "--", "true", status=cli.REFUSED)
        self.assertIn("step cut of lane main did not pass", err)

    def test_unwritable_evidence(self):
        (self.scratch / "file").write_text("kept")
        self.refusal("record", "--evidence", self.scratch / "file", "x", "--", "true", status=cli.REFUSED, says=["cannot make the attempt"])
        self.assertEqual((self.scratch / "file").read_text(), "kept")


if __name__ == "__main__":
    cli.main()
