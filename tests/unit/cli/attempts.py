# SPDX-License-Identifier: Apache-2.0
"""An attempt of a tree in miniature, which tests of receipts copy and damage."""
import hashlib
import json
import pathlib
import shutil
import subprocess

import cli
import mini


class Attempt(cli.Case):
    """One attempt for all tests; each works on a copy."""

    @classmethod
    def setUpClass(cls):
        cls.home = pathlib.Path(subprocess.run(["mktemp", "-d"], stdout=subprocess.PIPE, check=True).stdout.decode().strip())
        cls.source = mini.clean_source(cls.home / "source")
        cls.tree = mini.Tree(cls.home / "build", profiles=("mini", "maxi"), source=cls.source)
        cls.original = cls.record(cls.home / "evidence", "mini")

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.home)

    @classmethod
    def record(cls, evidence, *profiles):
        done = subprocess.run([cli.Options.cupel, "run", *profiles, "--tree", cls.tree.folder, "--evidence", evidence],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=cli.LIMIT_SECONDS, check=False)
        if done.returncode != 0:
            raise AssertionError(done.stdout.decode() + done.stderr.decode())
        return sorted(evidence.iterdir())[-1]

    def copy(self, name="attempt"):
        copied = self.scratch / name / self.original.name  # an attempt keeps its name
        shutil.copytree(self.original, copied, symlinks=True)
        return copied

    def reasons(self, *attempts, status=cli.REFUSED, options=()):
        answer = self.json("receipt", "check", *attempts, *options, status=status)
        return [(reason["code"], reason["subject"]) for one in answer["attempts"] for reason in one["reasons"]]

    def receipt_of(self, attempt):
        return json.loads((attempt / "receipt.json").read_text())

    def rewrite(self, attempt, receipt):
        """Replaces the receipt and its hash, as somebody who knows the form would."""
        text = json.dumps(receipt, indent=1, sort_keys=True)
        (attempt / "receipt.json").write_text(text)
        digest = hashlib.sha256(text.encode()).hexdigest()
        (attempt / "receipt.sha256").write_text(f"{digest}  receipt.json\n")

    def seal(self, attempt, check=True):
        """Makes the receipt anew from the files, as somebody could who has the source of Cupel. False when none can be made of them."""
        done = subprocess.run([cli.Options.tree / "bin/attempt-seal", attempt], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              timeout=cli.LIMIT_SECONDS, check=False)
        self.assertIn(done.returncode, (0,) if check else (0, 1), done.stderr)
        return done.returncode == 0

    def fresh(self, name="fresh"):
        """A copy of the attempt as if it had built its tree itself: with the steps that `--fresh-build` takes."""
        attempt = self.copy(name)
        plan = json.loads((attempt / "plan.json").read_text())
        commands = {path: json.loads(path.read_text()) for path in attempt.glob("steps/*/command")}
        for path, command in commands.items():
            if command["index"] > 2:
                path.write_text(json.dumps({**command, "index": command["index"] + 2}))
        before = attempt / "steps/machine-before"
        told = json.loads((before / "command").read_text())
        configuration = json.loads((attempt / "steps/provenance/stdout").read_text())["configuration"]
        generator = configuration.pop("CMAKE_GENERATOR")
        options = [f"-D{name}:STRING={value}" for name, value in configuration.items()]
        steps = {"configure": (3, "mini", ["cmake", "-S", plan["source"], "-B", plan["build"], "-G", generator, *options]),
                 "build": (4, "mini", ["cmake", "--build", plan["build"], "--parallel", "2", "--target", "cupel-profile-mini"]),
                 "remove-build": (9, "after", ["rm", "-rf", "--", plan["build"]])}
        for label, (index, lane, words) in steps.items():
            shutil.copytree(before, attempt / "steps" / label)
            (attempt / "steps" / label / "command").write_text(
                json.dumps({**told, "label": label, "lane": lane, "index": index, "words": words,
                            "started": told["started"] if index < 9 else self.last_start(attempt)}))
            (attempt / "steps" / label / "seconds").write_text("0.000001\n")
        self.seal(attempt)
        return attempt

    def last_start(self, attempt):
        return max(json.loads(path.read_text())["started"] for path in attempt.glob("steps/*/command"))

    def reseal(self, attempt):
        """Makes the receipt name the files as they are now, as somebody who knows the form would."""
        receipt = self.receipt_of(attempt)
        files = receipt["predicate"]["cupel"]["files"]
        for name in files:
            whole = (attempt / name).read_bytes()
            files[name] = {**files[name], "sha256": hashlib.sha256(whole).hexdigest(), "bytes": len(whole)}
        self.rewrite(attempt, receipt)
