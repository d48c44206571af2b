# SPDX-License-Identifier: Apache-2.0
"""cupel run --steps: commands recorded beside a run count as the run does, and none is left out without a word."""
import json
import shutil

import cli
from attempts import Attempt


class MoreSteps(Attempt):
    def run_with(self, text, *profiles, status):
        steps = self.scratch / "steps.tsv"
        steps.write_text(text)
        evidence = self.scratch / "evidence"
        out, err = self.cupel("run", *profiles, "--tree", self.tree.folder, "--evidence", evidence, "--steps", steps, status=status)
        return out, err, sorted(evidence.iterdir()) if evidence.exists() else []

    def test_recorded_with_its_profile_and_no_other(self):
        text = '# a comment\n\nmaxi\tlook\techo "$CUPEL_TREE" | cat\nmaxi\tsecond.one\ttrue\n'
        _, _, attempts = self.run_with(text, "mini", "maxi", status=cli.PASS)
        labels = {attempt.name.split("-")[1]: [step["label"] for step in self.receipt_of(attempt)["predicate"]["cupel"]["steps"]]
                  for attempt in attempts}
        common = ["source", "machine-before", "provenance", "run", "provenance-after"]
        self.assertEqual(labels, {"mini": [*common, "machine-after"], "maxi": [*common, "look", "second.one", "machine-after"]})
        maxi = next(attempt for attempt in attempts if "-maxi-" in attempt.name)
        self.assertEqual((maxi / "steps/look/stdout").read_text(), f"{self.tree.folder}\n")
        self.assertEqual(json.loads((maxi / "steps/look/command").read_text())["words"][:2], ["/bin/sh", "-c"])
        table, _ = self.cupel("receipt", "matrix", *attempts, status=cli.PASS)
        column = 1 + attempts.index(maxi)
        self.assertIn(f'| look | {column} maxi | `echo "$CUPEL_TREE" \\| cat` | exit 0 |\n', table)
        self.assertIn(f"| second.one | {column} maxi | `true` | exit 0 |\n", table)

    def test_one_that_fails_refuses_the_attempt_and_stops_no_other(self):
        _, _, attempts = self.run_with("mini\tbad\techo no >&2; exit 3\nmini\tgood\ttrue\n", "mini", status=cli.REFUSED)
        self.assertEqual((attempts[0] / "steps/good/status").read_text(), "exit 0\n")
        self.assertEqual(self.reasons(attempts[0]), [("step-failed", "bad")])
        table, _ = self.cupel("receipt", "matrix", attempts[0], status=cli.PASS)
        self.assertNotIn(" Qualified", table)
        self.assertIn("| bad | 1 mini | `echo no >&2; exit 3` | exit 3 |\n", table)

    def test_one_that_was_taken_out_is_missed(self):
        _, _, attempts = self.run_with("mini\tlook\ttrue\n", "mini", status=cli.PASS)
        shutil.rmtree(attempts[0] / "steps/look")
        self.assertIn(("evidence-missing", "steps/look/status"), self.reasons(attempts[0]))

    def test_one_that_is_no_command_beside_the_run(self):
        for number, (member, value) in enumerate((("words", ["/bin/sh", "-c"]), ("words", ["true"]), ("lane", "mini"),
                                                  ("environment", []), ("environment", ["CUPEL_TREE=/elsewhere"]))):
            with self.subTest(member=member, value=value):
                _, _, attempts = self.run_with("mini\tlook\ttrue\n", "mini", status=cli.PASS)
                command = attempts[-1] / "steps/look/command"
                command.write_text(json.dumps({**json.loads(command.read_text()), member: value}))
                self.reseal(attempts[-1])
                self.assertIn(("evidence-contradiction", "look"), self.reasons(attempts[-1]), number)

    def test_nothing_runs_after_a_file_that_is_wrong(self):
        for text, said in (("mini\tlook\n", "line 1 of "), ("mini\tlook\t \n", "three fields"), ("mini\tLook\ttrue\n", "no label"),
                           ("mini\trun\ttrue\n", "the procedure or another line uses"), ("\nmini\ta\ttrue\nmini\ta\ttrue\n", "line 3 of "),
                           ("maxi\tlook\ttrue\n", "which this command does not run"), ("# nothing\n", "has no step"),
                           ("mini\ta\ttr\0ue\n", "zero byte")):
            with self.subTest(text=text):
                _, err, attempts = self.run_with(text, "mini", status=cli.USAGE)
                self.assertIn(said, err)
                self.assertEqual(attempts, [])

    def test_needs_a_readable_file_and_an_evidence_folder(self):
        _, err = self.cupel("run", "mini", "--tree", self.tree.folder, "--steps", "x", status=cli.USAGE)
        self.assertIn("need --evidence DIR", err)
        _, err = self.cupel("run", "mini", "--tree", self.tree.folder, "--evidence", self.scratch / "e", "--steps", self.scratch / "none",
                            status=cli.USAGE)
        self.assertIn("PROFILE<tab>LABEL<tab>COMMAND", err)


if __name__ == "__main__":
    cli.main()
