# SPDX-License-Identifier: Apache-2.0
"""Attempts under attack: many changes and deletions, kills, full disks, runs at once. Never a receipt that passes, never a lost attempt."""
import json
import os
import pathlib
import random
import resource
import shutil
import signal
import subprocess
import sys
import time

import cli
from attempts import Attempt

BYTE_CHANGES = 200
DELETIONS = 50
KILLS = 50


class Tamper(Attempt):
    def test_single_byte_changes_are_found_and_named(self):
        attempt = self.copy()
        chance = random.Random(20260131)
        files = [p for p in sorted(attempt.rglob("*")) if p.is_file() and p.stat().st_size > 0]
        for _ in range(BYTE_CHANGES // cli.Options.share):
            path = chance.choice(files)
            whole = path.read_bytes()
            at = chance.randrange(len(whole))
            path.write_bytes(whole[:at] + bytes([whole[at] ^ chance.randrange(1, 256)]) + whole[at + 1 :])
            name = str(path.relative_to(attempt))
            named = "receipt.json" if name == "receipt.sha256" else name
            self.assertIn(("evidence-changed", named), self.reasons(attempt), f"byte {at} of {name}")
            path.write_bytes(whole)
        self.assertEqual(self.reasons(attempt, status=cli.PASS), [])

    def test_deletions_are_found_and_named(self):
        attempt = self.copy()
        chance = random.Random(20260201)
        files = [p for p in sorted(attempt.rglob("*")) if p.is_file()]
        for _ in range(DELETIONS // cli.Options.share):
            path = chance.choice(files)
            whole = path.read_bytes()
            path.unlink()
            name = str(path.relative_to(attempt))
            code = {"receipt.json": "attempt-incomplete", "receipt.sha256": "receipt-hash-missing"}.get(name, "evidence-missing")
            self.assertIn((code, name), self.reasons(attempt), name)
            path.write_bytes(whole)


def session_members(session):
    """Living processes of a session, by field 3 (state) and 6 (session) of /proc/<pid>/stat."""
    members = []
    for entry in pathlib.Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except (FileNotFoundError, ProcessLookupError):
                continue
            if int(fields[3]) == session and fields[0] not in "ZX":
                members.append(int(entry.name))
    return sorted(members, key=lambda pid: pid != session)  # the leader first, which would record the end of the others


def session_kill(session):
    """Ends every process of a session that this test started, until none is left."""
    deadline = time.monotonic() + cli.LIMIT_SECONDS
    while members := session_members(session):
        if time.monotonic() > deadline:
            raise AssertionError(f"processes {members} do not end")
        for pid in members:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                continue


class Crash(Attempt):
    def setUp(self):
        super().setUp()
        self.evidence = self.scratch / "evidence"
        self.evidence.mkdir()
        shutil.copytree(self.original, self.evidence / self.original.name)
        self.whole = cli.snapshot(self.evidence / self.original.name)

    def earlier_is_whole(self):
        self.assertEqual(cli.snapshot(self.evidence / self.original.name), self.whole)

    def run_words(self, profile="mini"):
        return [str(cli.Options.cupel), "run", profile, "--tree", str(self.tree.folder), "--evidence", str(self.evidence)]

    def judge(self, attempt):
        """True for an attempt that was sealed, and then is what its receipt says; any other says that it is incomplete."""
        done = subprocess.run([cli.Options.cupel, "receipt", "check", attempt], stdout=subprocess.PIPE, check=False)
        if (attempt / "receipt.sha256").exists():
            self.assertEqual(done.returncode, self.receipt_of(attempt)["predicate"]["cupel"]["status"], done.stdout)
            self.assertNotIn(b"evidence-", done.stdout)
            self.assertNotIn(b"receipt-mismatch", done.stdout)
            return True
        self.assertEqual(done.returncode, cli.REFUSED, done.stdout)
        between = (attempt / "receipt.json").exists()  # killed between the receipt and its hash
        self.assertIn(b"receipt-hash-missing" if between else b"attempt-incomplete", done.stdout)
        return False

    def test_kill_at_any_moment_leaves_no_receipt_that_passes_falsely(self):
        began = time.monotonic()
        self.record(self.scratch / "measure", "mini")
        length = time.monotonic() - began
        chance = random.Random(20260202)
        complete = begun = 0
        kills = KILLS // cli.Options.share
        for turn in range(kills):
            known = set(self.evidence.iterdir())
            process = subprocess.Popen(self.run_words(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
            try:
                process.wait(chance.uniform(0.0, length))
            except subprocess.TimeoutExpired:
                if turn % 2 == 0:
                    process.send_signal(signal.SIGKILL)  # the driver alone: ctest and the suite go on for a while
                else:
                    session_kill(process.pid)  # everything at once, as by a power cut
                process.wait()
            for attempt in set(self.evidence.iterdir()) - known:
                begun += 1
                complete += self.judge(attempt)
            session_kill(process.pid)
            for attempt in set(self.evidence.iterdir()) - known:
                self.judge(attempt)
        print(f"{kills} kills: {begun} attempts begun, {complete} sealed before the kill")
        self.assertGreater(begun, kills // 2)
        self.assertLess(complete, kills)
        self.earlier_is_whole()

    def test_attempt_after_a_crash_lists_it(self):
        process = subprocess.Popen(self.run_words(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        known = {self.original.name}
        while process.poll() is None and {p.name for p in self.evidence.iterdir()} == known:
            pass
        session_kill(process.pid)
        process.wait()
        (cut,) = {p.name for p in self.evidence.iterdir()} - known
        self.cupel(*self.run_words()[1:], status=cli.PASS)
        (new,) = {p.name for p in self.evidence.iterdir()} - known - {cut}
        receipt = self.receipt_of(self.evidence / new)["predicate"]["cupel"]
        hashes = {one["attempt"]: one["receipt_sha256"] for one in receipt["attempt"]["earlier"]}
        self.assertEqual(set(hashes), {cut, self.original.name})
        self.assertIsNone(hashes[cut])
        self.assertEqual(hashes[self.original.name], (self.original / "receipt.sha256").read_text().split()[0])
        out, _ = self.cupel("receipt", "show", self.evidence / new, status=cli.PASS)
        self.assertIn(f"earlier   {cut}, no receipt", out)
        self.earlier_is_whole()

    def test_two_runs_at_once(self):
        """Of one build tree: the second is told that there is another, which, and what to do; it changes nothing, and the first passes."""
        first = subprocess.Popen(self.run_words(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        while first.poll() is None and len(list(self.evidence.iterdir())) == 1:
            pass  # until it has begun its attempt
        (attempt,) = {p.name for p in self.evidence.iterdir()} - {self.original.name}
        for more in ([], ["--json"]):
            second = subprocess.run([*self.run_words("maxi"), *more], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
            self.assertIsNone(first.poll(), "the first must still run for this test to say anything")
            self.assertEqual(second.returncode, cli.REFUSED, second.stdout + second.stderr)
            self.assertRegex(second.stderr.decode(), rf"\Acupel run: another cupel run of mini by process {first.pid} since 20[^ ]*Z is using the "
                                                     rf"build tree {self.tree.folder}; wait for its end, or run in another tree\.\n\Z")
            self.assertEqual(second.stdout == b"", not more)
        self.assertEqual({p.name for p in self.evidence.iterdir()}, {self.original.name, attempt})
        self.assertEqual(self.tree.runs("maxi"), [])
        said = first.communicate(timeout=cli.LIMIT_SECONDS)[0].decode()
        self.assertEqual(first.returncode, cli.PASS, said)
        self.cupel("receipt", "check", self.evidence / attempt, status=cli.PASS)
        self.cupel(*self.run_words("maxi")[1:], status=cli.PASS)
        self.earlier_is_whole()

    def test_run_after_one_that_was_killed(self):
        """The lock ends with its process, whatever is written in the file."""
        process = subprocess.Popen(self.run_words(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        while process.poll() is None and len(list(self.evidence.iterdir())) == 1:
            pass
        session_kill(process.pid)
        process.wait()
        self.assertIn(f"process {process.pid}", (self.tree.folder / "cupel/.run.lock").read_text())
        self.cupel(*self.run_words()[1:], status=cli.PASS)
        self.assertEqual((self.tree.folder / "cupel/.run.lock").read_text(), "")

    def test_two_recorders_in_one_attempt(self):
        attempt = self.copy()
        for name in ("receipt.json", "receipt.sha256"):
            (attempt / name).unlink()
        ready, go = os.pipe(), os.pipe()
        words = [str(cli.Options.cupel), "record", "--attempt", str(attempt), "--lane", "more", "long", "--", "sh", "-c",
                 f"echo ready >&{ready[1]}; read line <&{go[0]}"]
        first = subprocess.Popen(words, pass_fds=(ready[1], go[0]), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.assertEqual(os.read(ready[0], 6), b"ready\n")
        before = cli.snapshot(attempt)
        self.refusal("record", "--attempt", attempt, "--lane", "more", "other", "--", "true", status=cli.REFUSED,
                     says=["another process is recording into", "wait for its end"])
        self.assertEqual(cli.snapshot(attempt), before)
        os.write(go[1], b"go\n")
        self.assertEqual(first.wait(cli.LIMIT_SECONDS), 0)

    def test_read_only_evidence(self):
        with cli.read_only(self.evidence):
            self.refusal(*self.run_words()[1:], status=cli.REFUSED, held=True, says=[str(self.evidence), "cannot be written", "--evidence"])
            attempt = self.evidence / self.original.name
            self.cupel("receipt", "check", attempt, status=cli.PASS, held=True)
            self.refusal("receipt", "publish", attempt, "--output", self.evidence / "public", status=cli.REFUSED, held=True,
                         says=["cannot be made", "name a new one"])
        self.assertEqual([p.name for p in self.evidence.iterdir()], [self.original.name])
        self.earlier_is_whole()

    def limited_disk(self, unshare):
        """The script of a small file system of its own, in a mount namespace, where the evidence lies."""
        script = pathlib.Path(__file__).with_name("small_disk.py")
        words = [*unshare, sys.executable, str(script), str(self.scratch / "disk"), str(self.original), *self.run_words()]
        done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=cli.LIMIT_SECONDS, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return json.loads(done.stdout)

    def test_full_disk(self):
        """A small tmpfs with less and less room; where no mount is permitted, the test of file sizes below stands alone."""
        for unshare in (["unshare", "--mount"], ["unshare", "--mount", "--map-root-user"]):
            (self.scratch / "disk").mkdir(exist_ok=True)
            probe = subprocess.run([*unshare, "mount", "-t", "tmpfs", "-o", "size=64k", "none", self.scratch / "disk"],
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
            if probe.returncode == 0:
                break
        else:
            print("no mount is permitted here: the limit of file sizes stands for a full disk")
            self.test_files_cut_short_leave_no_receipt_that_passes()
            return
        turns = self.limited_disk(unshare)
        self.assertEqual(turns[-1]["run"], cli.PASS, "with room enough the run passes")
        self.assertGreater(sum(turn["run"] != cli.PASS for turn in turns), 5)
        for turn in turns:
            self.assertTrue(turn["earlier_whole"], turn)
            self.assertEqual(turn["passing"], turn["attempts"] if turn["run"] == cli.PASS else 0, turn)
            if turn["run"] != cli.PASS:
                self.assertIn("No space left on device", turn["said"], turn)

    def test_files_cut_short_leave_no_receipt_that_passes(self):
        """Every file is cut at a size, as by a disk that is full; no attempt may pass, and earlier ones stay."""
        evidence = self.evidence
        largest = max(path.stat().st_size for path in self.original.rglob("*") if path.is_file())

        def limit_to(size):
            def limit():
                signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
                resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

            return limit

        # Files of another run differ in size by the digits of its times: three quarters of the largest cut it in every run.
        for size in (0, 1, 100, 400, 1000, 4000, 16000, largest * 3 // 4):
            known = set(evidence.iterdir())
            done = subprocess.run([cli.Options.cupel, "run", "mini", "--tree", self.tree.folder, "--evidence", evidence],
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=limit_to(size), check=False)
            self.assertNotEqual(done.returncode, cli.PASS, f"{size} bytes")
            for attempt in set(evidence.iterdir()) - known:
                self.assertNotEqual(self.reasons(attempt), [], f"{size} bytes")
        self.earlier_is_whole()




if __name__ == "__main__":
    cli.main()
