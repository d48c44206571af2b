# SPDX-License-Identifier: Apache-2.0
"""Every command ends with the statuses of docs/cupel.md and no others, and its JSON says the same status and word."""
import json
import re
import subprocess

import tree  # puts the command line's test helpers on the path
import cli

WORDS = {cli.PASS: "PASS", cli.FAILED: "FAIL", cli.NOT_RUN: "NOT RUN", cli.REFUSED: "REFUSED"}
HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'
CASE = '<testsuite name="s"><testcase name="a">%s</testcase></testsuite>\n'


class Statuses(cli.Case):
    def ends(self, command, status, *words, env=None):
        """The command with --json: its exit status, and the same in what it prints."""
        with self.subTest(command=command, status=status, words=words):
            out, _ = self.cupel(command, "--json", *words, status=status, env=env)
            answer = json.loads(out)
            said = [answer[name] for name in ("status", "word", "verdict") if isinstance(answer, dict) and isinstance(answer.get(name), (int, str))]
            if status in WORDS:
                self.assertTrue(said or status == cli.PASS, "only what passes may leave it unsaid")
                self.assertLessEqual(set(said), {status, WORDS[status]})
            else:
                self.assertEqual(said, [status])

    def judged(self, name, status, env=None, **named):
        """What `cupel verdict` itself ends with when ctest runs it."""
        made = tree.Tree(self.scratch / name, **named)
        script = made.folder / "cupel-noted"
        script.write_text(f'#!/bin/sh\n"{cli.Options.cupel}" "$@"\nstatus=$?\necho $status >"{made.folder}/status"\nexit $status\n')
        script.chmod(0o755)
        made.judge = script
        return made, status, env

    def verdicts(self):
        """(tree, status) for each status that a verdict can have."""
        yield self.judged("pass", cli.PASS)
        yield self.judged("fail", cli.FAILED, kind="wrong")
        yield self.judged("not-run", cli.NOT_RUN, env={"CUPEL_DEVICE": "no such card"})
        refused = self.judged("refused", cli.REFUSED)
        refused[0].manifest.pop()
        yield refused

    def test_verdict_and_run(self):
        for made, status, env in self.verdicts():
            with self.subTest(status=status):
                made.write()
                done = made.ctest("-L", f"^{tree.PROFILE}$", env=env)
                self.assertEqual((made.folder / "status").read_text(), f"{status}\n", done.stdout.decode())
                self.assertEqual(done.returncode == 0, status == cli.PASS)
                self.assertEqual(made.receipt()["word"], WORDS[status])
                self.ends("run", status, tree.PROFILE, "--tree", made.folder, env=env)
                self.ends("verdict", cli.REFUSED, "--profile", tree.PROFILE, "--tree", made.folder)  # no run is open any more

    def test_reports(self):
        for name, inside, status in (("pass", "", cli.PASS), ("fail", "<failure/>", cli.FAILED), ("refused", "<skipped/>", cli.REFUSED)):
            path = self.scratch / f"{name}.xml"
            path.write_text(HEAD + CASE % inside)
            self.ends("junit", status, path)
        self.ends("junit", cli.REFUSED, self.scratch / "absent.xml")

    def test_trees(self):
        made = tree.Tree(self.scratch / "tree")
        made.write()
        nothing = self.scratch / "nothing"
        for command, *words in (("list",), ("profiles", "--check"), ("provenance", tree.PROFILE), ("doctor",)):
            self.ends(command, cli.PASS, *words, "--tree", made.folder)
            self.ends(command, cli.REFUSED, *words, "--tree", nothing)
        self.ends("manifest", cli.PASS, "--check", "--tree", made.folder)
        self.ends("manifest", cli.REFUSED, "--check", "--tree", nothing)
        made.suite.unlink()
        for command, *words in (("profiles", "--check"), ("manifest", "--check"), ("provenance", tree.PROFILE)):
            self.ends(command, cli.NOT_RUN, *words, "--tree", made.folder)

    def test_records_and_sources(self):
        self.ends("record", cli.PASS, "good", "--", "true")
        self.ends("record", cli.FAILED, "bad", "--", "false")
        self.ends("receipt", cli.REFUSED, "check", self.scratch / "nothing")
        self.ends("source", cli.REFUSED, "--source", self.scratch)

    def test_golden(self):
        self.ends("golden", cli.PASS, "--explain", "negative_binomial.hard02")
        self.ends("golden", cli.REFUSED, "--explain", "no.such-row")
        self.ends("golden", cli.REFUSED, "--check", "--golden", self.scratch / "nothing")

    def test_usage(self):
        out, _ = self.cupel("--help", "--json", status=cli.PASS)
        commands = [one["command"] for one in json.loads(out)["commands"]]
        self.assertGreaterEqual(len(commands), 12)
        for command in commands:
            self.ends(command, cli.USAGE, "--no-such-option")

    def test_page_has_the_table(self):
        page = (cli.Options.source / "docs/cupel.md").read_text()
        rows = re.findall(r"^\| ([0-9]+) \|([A-Z ]*)\|", page, re.M)
        self.assertEqual({int(status): word.strip() for status, word in rows}, {**WORDS, cli.USAGE: ""})

    def setUp(self):
        super().setUp()
        subprocess.run(["git", "init", "-q", self.scratch], check=True, stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    cli.main()
