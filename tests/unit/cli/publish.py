# SPDX-License-Identifier: Apache-2.0
"""cupel receipt publish on attempts of a tree in miniature: copies give nothing away and still hold."""
import getpass
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess

import cli
import mini
from attempts import Attempt


class Publish(Attempt):
    def publish(self, attempt, status=cli.PASS):
        return self.json("receipt", "publish", attempt, "--output", self.scratch / "public", status=status)

    def test_copy_is_accepted_and_gives_nothing_away(self):
        record = self.publish(self.original)
        public = self.scratch / "public"
        self.assertEqual(self.reasons(public, status=cli.PASS), [])
        device = self.receipt_of(self.original)["predicate"]["cupel"]["verdict"]["device"]
        secrets = [str(self.home), str(cli.Options.tree), device["uuid"], os.uname().nodename]
        if getpass.getuser() != "root":
            secrets.append(getpass.getuser())
        for path in public.rglob("*"):
            text = path.read_text() if path.is_file() else ""
            for secret in secrets:
                self.assertIsNone(re.search(rf"(?<!\w){re.escape(secret)}(?!\w)", text), f"{secret} in {path}")
        self.assertEqual(record["original_receipt_sha256"], hashlib.sha256((self.original / "receipt.json").read_bytes()).hexdigest())
        for name, digest in record["original_files"].items():
            self.assertEqual(digest, hashlib.sha256((self.original / name).read_bytes()).hexdigest())
        self.assertGreater(record["removed"]["path"]["occurrences"], 0)
        self.assertGreater(record["removed"]["pid"]["values"], 0)

    def test_values_in_other_forms_and_secrets_of_the_environment(self):
        """What a tool may have printed somewhere: the same values written otherwise, and what only the environment knows as secret."""
        attempt = self.copy()
        uuid = "0a1b2c3d-4e5f-6071-8293-a4b5c6d7e8f9"
        secrets = [uuid, uuid.upper(), uuid.replace("-", ""), "02-00-5E-1A-2B-3C", "02:00:5e:1a:2b:3c", "2001:DB8::17", "10.21.30.44",
                   "tok-Zq81xx", "hunter2hunter2", "node17.lab.example", "NODE17.LAB.EXAMPLE"]
        tokens = [prefix + "Ab3" * 10 for prefix in ("ghp_", "github_pat_", "glpat-", "hf_", "npm_", "xoxb-", "sk-", "sk-proj-")]
        secrets += tokens + ["/tmp/a-project"]
        text = (f"GPU-{uuid} {uuid.upper()} {uuid.replace('-', '')}\n02:00:5e:1a:2b:3c 02-00-5E-1A-2B-3C\n2001:DB8::17 10.21.30.44\n"
                "it said tok-Zq81xx\nhttps://ann:hunter2hunter2@git.example/x\nhostname: node17.lab.example\nNODE17.LAB.EXAMPLE again\n"
                + " ".join(tokens) + "\n/tmp/a-project\n")
        (attempt / "steps/source/stderr").write_text(text)
        self.seal(attempt)
        record = self.json("receipt", "publish", attempt, "--output", self.scratch / "public", status=cli.PASS,
                           env={"DEPLOY_TOKEN": "tok-Zq81xx"})
        copied = (self.scratch / "public/steps/source/stderr").read_text()
        for secret in secrets:
            self.assertNotIn(secret, copied)
        self.assertEqual(len(set(re.findall(r"\[uuid-\d+\]", copied.splitlines()[0]))), 1, "one value, one placeholder")
        self.assertEqual(len(set(re.findall(r"\[mac-\d+\]", copied.splitlines()[1]))), 1)
        self.assertEqual(record["removed"]["mac"], {"values": 1, "occurrences": 2})
        self.assertEqual(self.reasons(self.scratch / "public", status=cli.PASS), [])

    CORPUS = pathlib.Path(__file__).parent.parent / "sanitize_cases/goes.txt"

    def printed(self, text):
        """A copy of the attempt in which a step printed this text."""
        attempt = self.copy()
        (attempt / "steps/source/stderr").write_text(text)
        self.seal(attempt)
        return attempt

    def test_what_tools_print_goes_and_the_copy_still_holds(self):
        """All of the sanitiser's corpus at once: a value of one line stands in others too."""
        lines = [line[2:] for line in self.CORPUS.read_text().splitlines() if line.startswith("< ")]
        attempt = self.printed("\n".join(lines) + "\n")
        record = self.publish(attempt)
        self.assertEqual(self.reasons(self.scratch / "public", status=cli.PASS), [])
        self.assertEqual(set(record["removed"]), {"account", "address", "bus", "email", "host", "job", "mac", "path", "pid", "secret",
                                                  "serial", "uuid"})
        copied = (self.scratch / "public/steps/source/stderr").read_text()
        for secret in ("ann", "Ann Muster", "node17", "gpu01", "hunter2hunter2", "s3cr3t", "AKIAIOSFODNN7EXAMPLE", "1325099991234", "0x3b00",
                       "10.21.30.44", "fe80::1", "3b:00.0", "git.corp.example", "corp.example", "9182734", "4711", "SITE=vm"):
            self.assertIsNone(re.search(rf"(?<!\w){re.escape(secret)}(?!\w)", copied), secret)

    def test_names_that_are_words_of_an_attempt(self):
        """An account "run" on a host "cuda" whose names are words of every receipt: they go where they are names, and only there."""
        attempt = self.copy()
        record = json.loads((attempt / "attempt.json").read_text())
        record["recorder"] = {"account": "run", "home": "/home/run", "host": "cuda"}
        (attempt / "attempt.json").write_text(json.dumps(record, indent=1))
        (attempt / "steps/source/stderr").write_text("USER=run HOSTNAME=cuda in /home/run/x: cuda run passed\n")
        self.seal(attempt)
        self.publish(attempt)
        self.assertRegex((self.scratch / "public/steps/source/stderr").read_text(),
                         r"^USER=\[account-1\] HOSTNAME=\[host-1\] in \[path-\d\]/x: cuda run passed\n$")
        self.assertEqual(self.reasons(self.scratch / "public", status=cli.PASS), [])

    def test_sanitiser_that_fails_publishes_nothing(self):
        """One that leaves a kind of value as it is, or finds nothing: the scan of the copy refuses and says where."""
        values = {"account": "USER=mmuster", "address": "inet 10.21.30.44", "bus": "at 0000:3b:00.0", "email": "m.muster@lab.example",
                  "host": "host: node17", "job": "Submitted batch job 918273", "mac": "ether 02:00:5e:1a:2b:3c", "path": "in /data/x/y",
                  "pid": "==4711== Memcheck", "secret": "API_TOKEN=tok-Zq81xx", "serial": "Serial Number: 1325099991234",
                  "uuid": "GPU-0a1b2c3d-4e5f-6071-8293-a4b5c6d7e8f9"}
        attempt = self.printed("\n".join(values.values()) + "\n")
        for how in (*values, "blind", "whole"):
            done = subprocess.run([self.tree.bin / "publish-crippled", how, attempt, self.scratch / "public"], stdout=subprocess.PIPE,
                                  text=True, check=False, timeout=cli.LIMIT_SECONDS)
            if how == "whole":
                self.assertEqual((done.returncode, done.stdout), (cli.PASS, ""))
                continue
            self.assertEqual(done.returncode, cli.REFUSED, how)
            self.assertFalse((self.scratch / "public").exists(), how)
            self.assertRegex(done.stdout, r"would still stand in the copy of \S+, line \d+.*so nothing is published; record the attempt again")
            if how != "blind":
                self.assertIn(f"a value of kind {how} ", done.stdout)

    def test_labels_and_members_of_other_commands_hide_nobody(self):
        """A step that prints {"name": "mmuster"} makes no word of the attempt of it; a label with the name is refused."""
        attempt = self.copy()
        record = json.loads((attempt / "attempt.json").read_text())
        record["recorder"] = {"account": "mmuster", "home": "/home/mmuster", "host": "node17"}
        (attempt / "attempt.json").write_text(json.dumps(record, indent=1))
        (attempt / "steps/source/stderr").write_text('{"name": "mmuster"}\n')
        self.seal(attempt)
        self.publish(attempt)
        self.assertEqual((self.scratch / "public/steps/source/stderr").read_text(), '{"name": "[account-1]"}\n')
        shutil.rmtree(self.scratch / "public")
        command = json.loads((attempt / "steps/source/command").read_text())
        (attempt / "steps/by-mmuster").mkdir()
        for name in ("stdout", "stderr", "status", "seconds", "peak_rss_bytes"):
            shutil.copy(attempt / "steps/source" / name, attempt / "steps/by-mmuster" / name)
        command.update(index=7, label="by-mmuster", lane="by-mmuster", words=["true"],
                       started=json.loads((attempt / "steps/machine-after/command").read_text())["started"])
        (attempt / "steps/by-mmuster/command").write_text(json.dumps(command, indent=1))
        self.seal(attempt, check=False)
        self.refusal("receipt", "publish", attempt, "--output", self.scratch / "public", status=cli.REFUSED,
                     says=["the name of the file steps/by-mmuster/", "value of kind account", "another label"])
        self.assertFalse((self.scratch / "public").exists())

    def test_same_value_same_placeholder(self):
        self.publish(self.original)
        public = self.scratch / "public"
        ledgers = list(public.rglob("*.ledger")) + list(public.rglob("device.json"))
        uuids = {re.search(r'"uuid": ?"([^"]+)"', path.read_text()).group(1) for path in ledgers}
        self.assertEqual(uuids, {"[uuid-1]"})

    def test_failure_whose_message_is_changed(self):
        """The report's bytes change, so the ledger must name the copy's report: the copy fails as the original does."""
        tree = mini.Tree(self.scratch / "tells", source=self.source, suite="fixture")
        tree.executable = tree.folder / "suite-tells"
        shutil.copy(tree.bin / "refusals-suite", tree.executable)
        tree.manifest.write_text("".join(f"fixture.{name} run values=1\n" for name in ("first", "real", "second", "third")))
        tree.write_plan()
        tree.write_tests()
        self.cupel("run", "mini", "--tree", tree.folder, "--evidence", self.scratch / "e", status=cli.FAILED)
        attempt = next((self.scratch / "e").iterdir())
        self.assertEqual({code for code, _ in self.reasons(attempt, status=cli.FAILED)}, {"case-failed"})
        self.publish(attempt)
        public = self.scratch / "public"
        self.assertEqual({code for code, _ in self.reasons(public, status=cli.FAILED)}, {"case-failed"})
        self.assertIn("[email-1]", next(public.rglob("mini.fixture.xml")).read_text())

    def test_changed_attempt_is_not_published(self):
        attempt = self.copy()
        (attempt / "steps/run/stdout").write_text("x")
        self.refusal("receipt", "publish", attempt, "--output", self.scratch / "public", status=cli.REFUSED, says=["is not what its receipt says"])
        self.assertFalse((self.scratch / "public").exists())

    def test_output_is_never_overwritten(self):
        (self.scratch / "public").mkdir()
        self.refusal("receipt", "publish", self.original, "--output", self.scratch / "public", status=cli.REFUSED, says=["cannot be made"])


if __name__ == "__main__":
    cli.main()
