# SPDX-License-Identifier: Apache-2.0
"""A wrong command line ends with status 64 and one sentence; help and version end with 0."""
import json
import subprocess

import cli


class Usage(cli.Case):
    def test_version(self):
        out, err = self.cupel("--version", status=cli.PASS)
        self.assertRegex(out, r"^cupel \d+\.\d+\.\d+\n$")
        self.assertEqual(err, "")

    def test_version_and_help_as_json(self):
        for words in (("--version", "--json"), ("--json", "--version")):
            out, _ = self.cupel(*words, status=cli.PASS)
            self.assertEqual(json.loads(out)["name"], "cupel")
            self.assertRegex(json.loads(out)["version"], r"^\d+\.\d+\.\d+$")
        out, _ = self.cupel("--help", "--json", status=cli.PASS)
        self.assertIn("doctor", [one["command"] for one in json.loads(out)["commands"]])

    def test_every_command_answers_json_with_json(self):
        """A refusal too: whatever goes wrong, standard output holds one JSON object with the reason."""
        out, _ = self.cupel("--help", "--json", status=cli.PASS)
        for command in [one["command"] for one in json.loads(out)["commands"]]:
            text, _ = self.cupel(command, "--help", status=cli.PASS)
            self.assertIn("--json", text, command)
            out, err = self.cupel(command, "--no-such-option", "--json", status=cli.USAGE)
            answer = json.loads(out)
            self.assertEqual((answer["status"], answer["word"], answer["command"]), (cli.USAGE, None, command))
            self.assertEqual(err, f"cupel {command}: {answer['reason']}\n")

    def test_unusable_tree_as_json(self):
        nothing = self.scratch / "nothing"
        for words in (("doctor",), ("list",), ("run", "x"), ("profiles", "--check"), ("manifest", "--check"), ("provenance", "x"),
                      ("verdict", "--profile", "x")):
            answer = self.json(*words, "--tree", nothing, status=cli.REFUSED)
            self.assertEqual(answer["word"], "REFUSED")
            self.assertIn(f"{nothing}/cupel/plan.json", answer["reason"])
            self.assertIn("configure the build tree again", answer["reason"])

    def test_standard_output_that_takes_nothing(self):
        with open("/dev/full", "w", encoding="utf-8") as full:
            done = subprocess.run([cli.Options.cupel, "--help"], stdout=full, stderr=subprocess.PIPE, check=False)
        self.assertEqual(done.returncode, cli.REFUSED)
        self.assertIn(b"standard output cannot be written", done.stderr)

    def test_help_names_every_command_and_status(self):
        out, _ = self.cupel("--help", status=cli.PASS)
        for word in ("doctor", "list", "run", "manifest", "golden", "junit", "record", "receipt", "source", "verdict", "64 usage"):
            self.assertIn(word, out)

    def test_every_command_has_help(self):
        out, _ = self.cupel("--help", status=cli.PASS)
        commands = [line.split()[0] for line in out.splitlines() if line.startswith("  ")]
        self.assertGreaterEqual(len(commands), 8)
        for command in commands:
            text, err = self.cupel(command, "--help", status=cli.PASS)
            self.assertTrue(text.startswith(f"usage: cupel {command}"), text)
            self.assertEqual(err, "")

    def test_no_command(self):
        self.refusal(status=cli.USAGE, says=["a command is missing", "cupel --help"])

    def test_unknown_command(self):
        self.refusal("qualify", status=cli.USAGE, says=["unknown command qualify", "cupel --help"])

    def test_unknown_option(self):
        self.refusal("list", "--fast", status=cli.USAGE, says=["unknown option --fast", "cupel list --help"])

    def test_option_without_value(self):
        self.refusal("list", "--tree", status=cli.USAGE, says=["--tree needs a value"])

    def test_option_given_twice(self):
        self.refusal("list", "--tree", "a", "--tree=b", status=cli.USAGE, says=["--tree was given twice"])

    def test_flag_with_value(self):
        self.refusal("list", "--json=yes", status=cli.USAGE, says=["--json takes no value"])

    def test_unexpected_operand(self):
        self.refusal("list", "cuda", status=cli.USAGE, says=["unexpected argument cuda"])

    def test_options_of_an_attempt_need_one(self):
        for option in ("--dirty", "--fresh-build", "--keep-build"):
            self.refusal("run", "x", option, status=cli.USAGE, says=["need --evidence DIR"])

    def test_run_without_profile(self):
        self.refusal("run", status=cli.USAGE, says=["PROFILE... is missing"])

    def test_receipt_actions(self):
        self.refusal("receipt", "burn", "x", status=cli.USAGE, says=["unknown action burn"])
        self.refusal("receipt", "diff", "x", status=cli.USAGE, says=["diff takes 2 attempts, not 1"])
        self.refusal("receipt", "publish", "x", status=cli.USAGE, says=["--output DIR"])
        self.refusal("receipt", "sign", "x", "--key", "k", "--role", "friend", status=cli.USAGE, says=["--role author or --role reviewer"])
        self.refusal("receipt", "verify", "x", status=cli.USAGE, says=["--allowed-signers FILE"])

    def test_record_without_command(self):
        self.refusal("record", "label", status=cli.USAGE, says=["LABEL -- COMMAND [ARGUMENT...] is missing"])

    def test_manifest_wants_one_action(self):
        self.refusal("manifest", status=cli.USAGE, says=["one of --check and --write"])
        self.refusal("manifest", "--check", "--write", status=cli.USAGE, says=["one of --check and --write"])


if __name__ == "__main__":
    cli.main()
