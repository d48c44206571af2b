# SPDX-License-Identifier: Apache-2.0
"""cupel receipt on attempts of a tree in miniature: what holds is accepted, each change is named, copies give nothing away."""
import hashlib
import json
import re
import shutil
import subprocess

import cli
import mini
from attempts import Attempt


class Check(Attempt):
    def test_whole_attempt_passes_anywhere(self):
        out, _ = self.cupel("receipt", "check", self.copy(), status=cli.PASS)
        self.assertTrue(out.endswith(f"PASS mini {self.tree.cases}/{self.tree.cases}, build not fresh: it was there before the "
                                     "attempt, device by its model (a processor has no UUID)\n"), out)

    def test_form_of_the_statement(self):
        receipt = self.receipt_of(self.original)
        self.assertEqual(receipt["_type"], "https://in-toto.io/Statement/v1")
        self.assertEqual(receipt["predicateType"], "https://in-toto.io/attestation/test-result/v0.1")
        self.assertEqual(receipt["predicate"]["result"], "PASSED")
        self.assertEqual(len(receipt["predicate"]["passedTests"]), self.tree.cases)
        subject = receipt["subject"][0]
        self.assertEqual(subject["name"], self.tree.executable.name)
        (suite,) = receipt["predicate"]["cupel"]["verdict"]["suites"]
        self.assertLess(0, suite["host_peak_rss_bytes"])
        self.assertLess(0, suite["device_bytes_peak"])
        self.assertLessEqual(suite["device_bytes_peak"], suite["device_bytes_reserved_peak"])
        shown, _ = self.cupel("receipt", "show", self.original, status=cli.PASS)
        header, row = next((line, following) for line, following in zip(shown.splitlines(), shown.splitlines()[1:]) if "host MiB" in line)
        self.assertTrue(header.endswith("host MiB   device MiB reserved MiB"), header)
        self.assertEqual(row.split()[-2:], [f"{suite[name] / 2**20:.1f}" for name in ("device_bytes_peak", "device_bytes_reserved_peak")])
        self.assertEqual(subject["digest"]["sha256"], hashlib.sha256(self.tree.executable.read_bytes()).hexdigest())

    def test_every_step_is_kept(self):
        steps = [step["label"] for step in self.receipt_of(self.original)["predicate"]["cupel"]["steps"]]
        self.assertEqual(steps, ["source", "machine-before", "provenance", "run", "provenance-after", "machine-after"])

    def test_merged_report_of_another_run(self):
        for change in (lambda text: re.sub(r'(name="nonce" value=")[0-9a-f]', r"\g<1>x", text),
                       lambda text: re.sub(r'<property name="nonce"[^>]*/>', "", text)):
            attempt = self.copy(f"attempt-{len(list(self.scratch.iterdir()))}")
            merged = next(attempt.rglob("junit.xml"))
            whole = merged.read_text()
            merged.write_text(change(whole))
            self.assertNotEqual(merged.read_text(), whole)
            self.reseal(attempt)
            self.assertIn(("nonce-mismatch", "junit.xml"), self.reasons(attempt))
        attempt = self.copy("without")
        merged = next(attempt.rglob("junit.xml"))
        merged.unlink()
        self.assertIn(("report-missing", "junit.xml"), self.reasons(attempt))

    def test_plan_that_cannot_be_read(self):
        attempt = self.copy()
        (attempt / "plan.json").write_text("{")
        self.reseal(attempt)
        self.assertIn(("plan-unreadable", "plan.json"), self.reasons(attempt))

    def test_report_of_another_run(self):
        attempt = self.copy()
        report = next(attempt.rglob("mini.abi.xml"))
        report.write_text(report.read_text().replace('time="0.', 'time="1.'))
        self.reseal(attempt)
        self.assertIn(("report-replaced", "mini.abi"), self.reasons(attempt))

    def test_step_that_is_gone(self):
        attempt = self.copy()
        shutil.rmtree(attempt / "steps/machine-after")
        self.assertIn(("step-missing", "machine-after"), self.reasons(attempt))

    def test_step_without_a_status(self):
        attempt = self.copy()
        (attempt / "steps/machine-after/status").unlink()
        self.assertIn(("step-unfinished", "machine-after"), self.reasons(attempt))

    def test_step_whose_command_cannot_be_read(self):
        attempt = self.copy()
        (attempt / "steps/machine-after/command").write_text("{")
        self.assertIn(("attempt-unreadable", "steps/machine-after/command"), self.reasons(attempt))

    def test_receipt_that_is_no_json(self):
        attempt = self.copy()
        (attempt / "receipt.json").write_text("{")
        (attempt / "receipt.sha256").write_text(hashlib.sha256(b"{").hexdigest() + "  receipt.json\n")
        self.assertEqual(self.reasons(attempt), [("receipt-malformed", "receipt.json")])

    def test_source_with_changes(self):
        attempt = self.copy()
        described = json.loads((attempt / "steps/source/stdout").read_text())
        described.update(clean=False, changes=["src/a.c"])
        (attempt / "steps/source/stdout").write_text(json.dumps(described))
        self.assertIn(("source-unclean", "source"), self.reasons(attempt))

    def test_devices_that_changed_meanwhile(self):
        attempt = self.copy()
        after = json.loads((attempt / "steps/machine-after/stdout").read_text())
        after["devices"] = {"changed": True}
        (attempt / "steps/machine-after/stdout").write_text(json.dumps(after))
        self.assertIn(("machine-changed", "machine-after"), self.reasons(attempt))

    def test_added_file(self):
        attempt = self.copy()
        (attempt / "steps/run/note").write_text("x")
        self.assertEqual(self.reasons(attempt), [("evidence-extra", "steps/run/note")])

    def test_added_file_though_the_receipt_is_made_anew(self):
        """A place where no attempt has a file: nothing would read it, so it would say what it likes."""
        for name in ("note", "steps/note", "steps/run/note", "steps/Run/stdout", "steps/run/more/x", "run/note", "run/maxi/x/run.json",
                     "run/mini/note", "build/a/b", "receipt.json.friend.sig", "x/y/z/a/b/c"):
            attempt = self.copy(name.replace("/", "-"))
            (attempt / name).parent.mkdir(parents=True, exist_ok=True)
            (attempt / name).write_text("approved\n")
            self.seal(attempt)
            self.assertIn(("evidence-extra", name), self.reasons(attempt))

    def test_link(self):
        attempt = self.copy()
        target = attempt / "steps/run/stdout"
        moved = self.scratch / "stdout"
        target.rename(moved)
        target.symlink_to(moved)
        self.assertIn(("attempt-link", "steps/run/stdout"), self.reasons(attempt))

    def test_receipt_with_a_path_that_leaves_the_attempt(self):
        attempt = self.copy()
        receipt = self.receipt_of(attempt)
        files = receipt["predicate"]["cupel"]["files"]
        files["../outside"] = files["attempt.json"]
        (attempt.parent / "outside").write_bytes((attempt / "attempt.json").read_bytes())
        self.rewrite(attempt, receipt)
        self.assertEqual(self.reasons(attempt), [("evidence-missing", "../outside")])

    def test_receipt_that_claims_more(self):
        for edit in (lambda own: own["verdict"]["counts"].update(passed=1000), lambda own: own.update(note="approved"),
                     lambda own: own["source"].update(commit="0" * 40), lambda own: own.pop("reasons")):
            attempt = self.copy()
            receipt = self.receipt_of(attempt)
            edit(receipt["predicate"]["cupel"])
            self.rewrite(attempt, receipt)
            self.assertEqual(self.reasons(attempt), [("receipt-mismatch", "receipt.json")])
            shutil.rmtree(attempt)

    def test_receipt_written_in_another_form(self):
        """The same values, and a hash computed anew: the bytes are the evidence's too, so the first of another is named."""
        forms = (lambda text: (text + "\n", len(text)), lambda text: (text + " ", len(text)),
                 lambda text: (text.replace(": ", ":  ", 1), text.index(": ") + 2),
                 lambda text: (json.dumps(json.loads(text), sort_keys=True), 1),
                 lambda text: (json.dumps(dict(reversed(json.loads(text).items())), indent=1), text.index("_type")))
        for at, form in enumerate(forms):
            attempt = self.copy(f"form-{at}")
            text = (attempt / "receipt.json").read_text()
            written, same = form(text)
            self.assertEqual(json.loads(written), json.loads(text))
            (attempt / "receipt.json").write_text(written)
            (attempt / "receipt.sha256").write_text(hashlib.sha256(written.encode()).hexdigest() + "  receipt.json\n")
            (one,) = self.json("receipt", "check", attempt, status=cli.REFUSED)["attempts"]
            (reason,) = one["reasons"]
            self.assertEqual((reason["code"], reason["subject"]), ("receipt-mismatch", "receipt.json"))
            line = text[:same].count("\n") + 1
            self.assertEqual(reason["text"], f"byte {same + 1}, in line {line}, is not what the evidence gives")

    def test_directory_of_another_name(self):
        attempt = self.copy()
        for name in ("other", self.original.name.replace("-mini-", "-maxi-"), self.original.name[:-1] + "x"):
            renamed = attempt.rename(attempt.with_name(name))
            self.assertEqual(self.reasons(renamed), [("evidence-contradiction", "attempt.json")])
            renamed.rename(attempt)
        (self.scratch / "link").symlink_to(attempt)
        for same in (attempt, f"{attempt}/", self.scratch / "link", attempt / "steps/.."):
            self.assertEqual(self.reasons(same, status=cli.PASS), [], same)

    def test_attempt_named_after_another_profile(self):
        attempt = self.copy()
        record = attempt / "attempt.json"
        other = self.original.name.replace("-mini-", "-maxi-")
        record.write_text(record.read_text().replace(self.original.name, other))
        self.seal(attempt)
        (one,) = self.json("receipt", "check", attempt, status=cli.REFUSED)["attempts"]
        self.assertIn(f"its name {other} is not one of the profile mini", [reason["text"] for reason in one["reasons"]])

    def test_folder_that_holds_nothing(self):
        for name in ("more", "steps/run/more", "run/maxi", "run/mini/x/y", ".git", "build"):
            attempt = self.copy(name.replace("/", "-"))
            (attempt / name).mkdir(parents=True)
            self.assertIn(("evidence-extra", name), self.reasons(attempt))

    def test_files_in_a_folder_that_git_would_hide(self):
        attempt = self.copy()
        (attempt / ".git").mkdir()
        (attempt / ".git/config").write_text("x")
        self.assertEqual(self.reasons(attempt), [("evidence-extra", ".git/config")])

    def test_signature_of_an_unknown_role(self):
        attempt = self.copy()
        for name in ("receipt.json.friend.sig", "receipt.json..sig", "receipt.json.author.sig.sig", "receipt.json.Author.sig"):
            (attempt / name).write_text("x")
            self.assertEqual(self.reasons(attempt), [("evidence-extra", name)])
            (attempt / name).unlink()
        (attempt / "receipt.json.author.sig").symlink_to("attempt.json")
        self.assertIn(("attempt-link", "receipt.json.author.sig"), self.reasons(attempt))

    def test_other_schema_version(self):
        attempt = self.copy()
        receipt = self.receipt_of(attempt)
        receipt["predicate"]["cupel"]["schema"] = "cupel-receipt 2"
        self.rewrite(attempt, receipt)
        self.assertEqual(self.reasons(attempt), [("attempt-schema", "receipt.json")])

    def test_changed_exit_status(self):
        attempt = self.copy()
        (attempt / "steps/source/status").write_text("exit 1\n")
        found = self.reasons(attempt)
        self.assertIn(("evidence-changed", "steps/source/status"), found)
        self.assertIn(("step-failed", "source"), found)

    def test_name_that_is_no_directory(self):
        self.assertEqual(self.reasons(self.scratch / "nowhere"), [("attempt-unreadable", "receipt.json")])
        (self.scratch / "file").write_text("")
        self.assertEqual(self.reasons(self.scratch / "file"), [("attempt-unreadable", "receipt.json")])

    def test_directory_without_a_receipt(self):
        (self.scratch / "empty").mkdir()
        self.assertEqual(self.reasons(self.scratch / "empty"), [("attempt-incomplete", "receipt.json")])

    def test_receipt_without_its_hash(self):
        """It was written to its end or not; nothing tells, and it is not the same as an attempt that was stopped before."""
        attempt = self.copy()
        (attempt / "receipt.sha256").unlink()
        self.assertEqual(self.reasons(attempt), [("receipt-hash-missing", "receipt.sha256")])
        out, _ = self.cupel("receipt", "check", attempt, status=cli.REFUSED)
        self.assertIn("The attempt has a receipt, but the file with the receipt's SHA-256 is gone.", out)
        self.assertNotIn("stopped before its end", out)

    def test_read_only_evidence_is_checked_and_not_written(self):
        attempt = self.copy()
        before = cli.snapshot(attempt)
        subprocess.run(["chmod", "-R", "a-w", attempt], check=True)
        self.cupel("receipt", "check", attempt, status=cli.PASS)
        self.assertEqual(cli.snapshot(attempt), before)
        subprocess.run(["chmod", "-R", "u+w", attempt], check=True)


class Bind(Attempt):
    def test_commit(self):
        commit = mini.git(self.source, "rev-parse", "HEAD")
        bind = ("--source", self.source, "--commit")
        self.assertEqual(self.reasons(self.original, status=cli.PASS, options=(*bind, commit)), [])
        (self.source / "docs/a.md").write_text("other\n")
        docs = mini.commit(self.source, "docs")
        self.assertEqual(self.reasons(self.original, status=cli.PASS, options=(*bind, docs)), [])
        (self.source / "src/new.c").write_text("int a;\n")
        code = mini.commit(self.source, "code")
        self.assertEqual(self.reasons(self.original, options=(*bind, code)), [("source-changed", code)])
        mini.git(self.source, "reset", "-q", "--hard", commit)

    def test_device(self):
        device = self.receipt_of(self.original)["predicate"]["cupel"]["verdict"]["device"]
        whole = f"{device['name']},{device['capability']},{device['driver']}"
        self.assertEqual(self.reasons(self.original, status=cli.PASS, options=("--device", whole)), [])
        self.assertEqual(self.reasons(self.original, options=("--device", "NVIDIA H200")), [("device-foreign", "NVIDIA H200")])
        several = f"NVIDIA H200,9.0;{whole};other"
        self.assertEqual(self.reasons(self.original, status=cli.PASS, options=("--device", several)), [])
        for wrong in ("NVIDIA H200;other", f"{whole},more", f"{whole.split(',')[0]},9.0"):
            self.assertEqual([code for code, _ in self.reasons(self.original, options=("--device", wrong))], ["device-foreign"])
        name, capability, driver = (device[member] for member in ("name", "capability", "driver"))
        for wrong, part in ((f"{name},{capability},other;NVIDIA H200", f'driver "{driver}"'), ("NVIDIA H200;other", f'name "{name}"'),
                            (f"NVIDIA H200;{name},9.0", f'capability "{capability}"')):
            out, _ = self.cupel("receipt", "check", self.original, "--device", wrong, status=cli.REFUSED)
            self.assertIn(f"the attempt's device has {part}", out)

    def test_lanes_that_were_run_together_belong_together(self):
        evidence = self.scratch / "evidence"
        self.record(evidence, "mini", "maxi")
        one, two = sorted(evidence.iterdir())
        self.assertEqual(self.reasons(one, two, status=cli.PASS), [])
        self.assertEqual(self.reasons(one), [("lane-missing", "maxi" if "-mini-" in one.name else "mini")])

    def test_earlier_attempts_are_those_that_a_later_one_names(self):
        evidence = self.scratch / "evidence"
        one = self.record(evidence, "mini")
        self.record(evidence, "mini")
        (two,) = set(evidence.iterdir()) - {one}
        self.assertEqual(self.reasons(one, two, status=cli.PASS), [])
        copies = [self.scratch / "public" / name for name in "ab"]
        for attempt, output in zip((one, two), copies):
            output.parent.mkdir(exist_ok=True)
            self.cupel("receipt", "publish", attempt, "--output", output, status=cli.PASS)
        self.assertEqual(self.reasons(*copies, status=cli.PASS), [])
        (one / "steps/run/stderr").write_text("more\n")
        self.seal(one)
        self.assertEqual(self.reasons(one, two), [("evidence-contradiction", "attempt.json")])

    def test_lanes_of_one_command_do_not_overlap(self):
        evidence = self.scratch / "evidence"
        self.record(evidence, "mini", "maxi")
        one, two = sorted(evidence.iterdir(), key=lambda p: "-maxi-" in p.name)
        for path in (one / "steps").rglob("command"):
            command = json.loads(path.read_text())
            command["started"] = "2999-01-01T00:00:00Z"
            path.write_text(json.dumps(command))
        self.seal(one)
        self.assertIn(("clock-backwards", str(two)), self.reasons(one, two))

    def test_lanes_of_another_source_or_compiler_do_not_belong_together(self):
        edits = (lambda own: own["attempt"].update(together=[]), lambda own: own["source"].update(sha256="0" * 64), lambda own: own["provenance"]["compiler"].update(version="cc 1"),
                 lambda own: own["provenance"].update(sources_sha256="0" * 64))
        for at, edit in enumerate(edits):
            one, two = self.copy(f"one-{at}"), self.copy(f"two-{at}")
            receipt = self.receipt_of(two)
            edit(receipt["predicate"]["cupel"])
            self.rewrite(two, receipt)
            found = self.reasons(one, two)
            self.assertIn(("lane-differs", str(two)), found)
            self.assertIn(("receipt-mismatch", "receipt.json"), found)

    def test_evidence_in_the_clone(self):
        """A folder that git does not ignore would make the source unclean; it is refused at once, and nothing is left of it."""
        commit = mini.git(self.source, "rev-parse", "HEAD")
        inside = self.source / "proof"
        self.addCleanup(mini.git, self.source, "clean", "-q", "-f", "-d", "-x")
        self.addCleanup(mini.git, self.source, "reset", "-q", "--hard", commit)
        words = ("run", "mini", "--tree", self.tree.folder, "--evidence")
        for folder in (inside, self.source / "src/../proof", self.source):
            self.refusal(*words, folder, status=cli.REFUSED, says=[str(folder), str(self.source), ".gitignore", "outside of the clone"])
        self.assertFalse(inside.exists())
        self.assertEqual(mini.git(self.source, "status", "--porcelain"), "")
        ignored = self.source / ".gitignore"
        ignored.write_text("/proof/\n")
        commit = mini.commit(self.source, "a folder for evidence")
        self.cupel(*words, inside, status=cli.PASS)
        (attempt,) = inside.iterdir()
        self.assertEqual(self.reasons(attempt, status=cli.PASS), [])
        self.assertEqual(self.receipt_of(attempt)["predicate"]["cupel"]["source"]["commit"], commit)
        (self.source / "src/hidden.c").write_text("int hidden;\n")  # the folder hides itself and nothing else
        self.cupel(*words, inside, status=cli.REFUSED)
        (self.source / "src/hidden.c").unlink()
        shutil.rmtree(inside)
        mini.git(self.source, "reset", "-q", "--hard", "HEAD~1")
        self.cupel(*words, inside, "--dirty", status=cli.PASS)

    def test_unclean_source_is_refused_unless_said(self):
        (self.source / "new").write_text("")
        evidence = self.scratch / "evidence"
        self.cupel("run", "mini", "--tree", self.tree.folder, "--evidence", evidence, status=cli.REFUSED)
        found = self.reasons(next(evidence.iterdir()))
        self.assertIn(("step-failed", "source"), found)
        self.assertIn(("step-missing", "run"), found)
        dirty = self.scratch / "dirty"
        self.cupel("run", "mini", "--tree", self.tree.folder, "--evidence", dirty, "--dirty", status=cli.PASS)
        self.assertFalse(self.receipt_of(next(dirty.iterdir()))["predicate"]["cupel"]["approvable"])
        (self.source / "new").unlink()

    def test_evidence_beside_the_sources(self):
        """The folders of the documented commands lie in the clone, which stays clean."""
        commit = mini.git(self.source, "rev-parse", "HEAD")
        self.addCleanup(mini.git, self.source, "reset", "-q", "--hard", commit)
        shutil.copy(cli.Options.source / ".gitignore", self.source / ".gitignore")
        mini.commit(self.source, "ignore")
        for name in ("evidence", "e"):
            self.addCleanup(shutil.rmtree, self.source / name)
            self.cupel("run", "mini", "--tree", self.tree.folder, "--evidence", name, status=cli.PASS, cwd=self.source)
            self.assertEqual(self.reasons(*(self.source / name).iterdir(), status=cli.PASS), [])

    def test_corpus_that_no_case_compares(self):
        commit = mini.git(self.source, "rev-parse", "HEAD")
        self.addCleanup(mini.git, self.source, "reset", "-q", "--hard", commit)  # other tests describe the source by this commit
        corpus = self.source / "golden/corpora/abi.u32.golden"
        corpus.parent.mkdir(parents=True, exist_ok=True)
        corpus.write_text("#cupel-golden 1 corpus=abi.u32 dtype=u32 rows=2\n")
        mini.commit(self.source, "a corpus")
        self.cupel("run", "mini", "--tree", self.tree.folder, "--evidence", self.scratch / "e", status=cli.REFUSED)
        self.assertIn(("corpus-incomplete", "abi.u32"), self.reasons(next((self.scratch / "e").iterdir())))

    def test_parts_of_an_attempt_that_contradict_each_other(self):
        """One file changed and the receipt made anew: another file, written by another process, says otherwise."""
        def of_run(text):
            return re.sub(r'"started": ?"[^"]*"', '"started": "2999-01-01T00:00:00Z"', text)

        changes = (
            ("steps/run/peak_rss_bytes", lambda text: "1\n", "run"),
            ("steps/run/stdout", lambda text: text.replace("Passed", "Failed", 1), "run"),
            ("steps/run/command", lambda text: text.replace("--no-tests=error", "--no-tests=ignore"), "run"),
            ("steps/provenance/command", lambda text: text.replace('  "provenance",\n', '  "doctor",\n'), "provenance"),
            ("steps/machine-after/command", lambda text: text.replace('"lane": "after"', '"lane": "mini"'), "machine-after"),
            ("steps/machine-before/command", lambda text: text.replace('"environment": []', '"environment": ["A=b"]'), "machine-before"),
            ("plan.json", lambda text: text.replace('"timeout_seconds": 60', '"timeout_seconds": 61'), "plan.json"),
            ("attempt.json", lambda text: text.replace('"attempt": "2', '"attempt": "3'), "attempt.json"),
            ("attempt.json", lambda text: text.replace('"dirty": false', '"dirty": true'), "source"),
            (next(self.original.rglob("run.json")).relative_to(self.original), of_run, "run.json"),
            (next(self.original.rglob("junit.xml")).relative_to(self.original), lambda text: text.replace("time=", "time ="), "junit.xml"),
        )
        for at, (name, change, subject) in enumerate(changes):
            attempt = self.copy(f"attempt-{at}")
            whole = (attempt / name).read_text()
            (attempt / name).write_text(change(whole))
            self.assertNotEqual((attempt / name).read_text(), whole, name)
            self.seal(attempt)
            self.assertIn(("evidence-contradiction", subject), self.reasons(attempt), name)

    def test_kept_build_is_part_of_the_evidence_but_not_of_copies(self):
        self.cupel("run", "mini", "--tree", self.tree.folder, "--evidence", self.scratch / "e", "--keep-build", status=cli.PASS)
        attempt = next((self.scratch / "e").iterdir())
        kept = attempt / "build" / self.tree.executable.name
        self.assertEqual(kept.read_bytes(), self.tree.executable.read_bytes())
        record = self.json("receipt", "publish", attempt, "--output", self.scratch / "public", status=cli.PASS)
        self.assertEqual(record["left_out"], ["attempt.json#recorder", f"build/{self.tree.executable.name}"])
        self.assertEqual(self.reasons(self.scratch / "public", status=cli.PASS), [])
        kept.write_bytes(kept.read_bytes()[:-1])
        self.assertIn(("evidence-changed", f"build/{kept.name}"), self.reasons(attempt))
        self.seal(attempt)
        self.assertIn(("evidence-contradiction", f"build/{kept.name}"), self.reasons(attempt))

    def test_fresh_build_that_fails_stops_the_lane_and_is_kept(self):
        cache = self.tree.folder / "CMakeCache.txt"
        whole = cache.read_text()
        cache.write_text(whole + "CMAKE_C_FLAGS:STRING=--no-such-flag\nSITE:STRING=a-host\n")
        self.cupel("run", "mini", "--tree", self.tree.folder, "--evidence", self.scratch / "e", "--fresh-build", status=cli.REFUSED)
        cache.write_text(whole)
        attempt = next((self.scratch / "e").iterdir())
        found = self.reasons(attempt)
        self.assertIn(("step-failed", "configure"), found)
        self.assertIn(("step-missing", "run"), found)
        command = (attempt / "steps/configure/command").read_text()
        self.assertIn("--no-such-flag", command)
        self.assertNotIn("SITE", command, "CMake keeps the host's name there, whatever else it is")

    def test_diff(self):
        evidence = self.scratch / "evidence"
        other = self.record(evidence, "maxi")
        self.assertEqual(self.json("receipt", "diff", self.original, self.original, status=cli.PASS), [])
        differences = self.json("receipt", "diff", self.original, other, status=cli.PASS)
        self.assertEqual(differences, [], "the same code on the same device gives the same numbers")
        for one, another in ((self.original, self.original), (self.original, other)):
            copies = [self.scratch / f"{attempt.name}-{name}" for attempt, name in ((one, "one"), (another, "another"))]
            for attempt, copied in zip((one, another), copies):
                self.cupel("receipt", "publish", attempt, "--output", copied, status=cli.PASS)
            for pair in (copies, (one, copies[1])):
                out, _ = self.cupel("receipt", "diff", *pair, status=cli.PASS)
                self.assertTrue(out.startswith("verdict.device.uuid is not compared"), out)
            shutil.rmtree(copies[0])
            shutil.rmtree(copies[1])
        tree = mini.Tree(self.scratch / "dense", source=self.source, suite="dense")
        self.cupel("run", "mini", "--tree", tree.folder, "--evidence", self.scratch / "e", status=cli.PASS)
        differences = self.json("receipt", "diff", self.original, next((self.scratch / "e").iterdir()), status=cli.FAILED)
        numbers = {one["what"] for one in differences if one["aspect"] == "numbers"}
        self.assertEqual(len(numbers), 1 + self.tree.cases + tree.cases, "the counts and every case that only one of them has")
        executables = [one for one in differences if one["aspect"] == "executables"]
        self.assertEqual([(set(one["a"]), set(one["b"])) for one in executables], [({self.tree.executable.name}, {tree.executable.name})])
        out, _ = self.cupel("receipt", "show", other, status=cli.PASS)
        self.assertIn("maxi: PASS", out)

    def test_diff_of_executables(self):
        """Another executable of the same code, on the same device, with the same numbers: that is all that differs."""
        tree = mini.Tree(self.scratch / "tree", source=self.source)
        tree.executable = self.scratch / shutil.copy(tree.executable, self.scratch)
        with open(tree.executable, "ab") as executable:
            executable.write(b"\0")  # behind what is loaded
        tree.write_plan()
        tree.write_tests()
        self.cupel("run", "mini", "--tree", tree.folder, "--evidence", self.scratch / "e", status=cli.PASS)
        (other,) = (self.scratch / "e").iterdir()
        (one,) = self.json("receipt", "diff", self.original, other, status=cli.FAILED)
        hashes = [hashlib.sha256(path.read_bytes()).hexdigest() for path in (self.tree.executable, tree.executable)]
        self.assertEqual(one, {"aspect": "executables", "what": "provenance.executables", "a": {self.tree.executable.name: hashes[0]},
                               "b": {self.tree.executable.name: hashes[1]}})

    def test_every_action_answers_json_with_json(self):
        table = self.json("receipt", "matrix", self.original, status=cli.PASS)
        self.assertEqual([column["word"] for column in table["columns"]], ["PASS", "N/A"])
        self.assertEqual(sum(row["cells"][0]["cases"] for row in table["rows"]), self.tree.cases)
        self.assertEqual({row["cells"][0]["word"] for row in table["rows"]}, {"Qualified"})
        attempt = self.copy()
        (attempt / "steps/run/stdout").write_text("x")
        for words in (("show", attempt), ("matrix", attempt), ("diff", self.original, attempt),
                      ("sign", attempt, "--key", "k", "--role", "author")):
            answer = self.json("receipt", *words, status=cli.REFUSED)
            self.assertEqual(answer["word"], "REFUSED")
            self.assertIn(("evidence-changed", "steps/run/stdout"), [(one["code"], one["subject"]) for one in answer["reasons"]])
            self.assertNotIn("predicate", answer, "a receipt that does not hold is not shown")
        answer = self.json("receipt", "publish", attempt, "--output", self.scratch / "public", status=cli.REFUSED)
        self.assertIn("is not what its receipt says", answer["reason"])

    def test_matrix_claims_only_what_an_attempt_shows(self):
        out, _ = self.cupel("receipt", "matrix", self.original, status=cli.PASS)
        rows = [line for line in out.splitlines() if line.startswith("| abi |")]
        self.assertEqual(len(rows), 3, out)  # f32, f64 and cases of no one dtype
        counted = [int(re.search(r"Qualified \((\d+)\) \| Unqualified \|$", row).group(1)) for row in rows]
        self.assertEqual(sum(counted), self.tree.cases)
        self.assertIn("| 2 | maxi | no receipt |", out)
        attempt = self.copy()
        (attempt / "steps/run/stdout").write_text("x")
        out, err = self.cupel("receipt", "matrix", attempt, status=cli.REFUSED)
        self.assertEqual(out, "")
        self.assertIn("evidence-changed", err)


class Review(Attempt):
    def key(self, name):
        path = self.scratch / name
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", name, "-f", path], check=True)
        with open(self.scratch / "allowed", "a", encoding="utf-8") as allowed:
            allowed.write(f"{name}@example.org {path.with_suffix('.pub').read_text()}")
        return path

    def sign(self, attempt, key, role, status=cli.PASS):
        self.cupel("receipt", "sign", attempt, "--key", key, "--role", role, status=status)

    def verify(self, attempt, status):
        answer = self.json("receipt", "verify", attempt, "--allowed-signers", self.scratch / "allowed", status=status)
        return answer, [reason["code"] for reason in answer["reasons"]]

    def test_approval_needs_two_keys(self):
        attempt = self.fresh()
        author, reviewer = self.key("author"), self.key("reviewer")
        self.assertEqual(self.verify(attempt, cli.REFUSED)[1], ["signature-missing", "signature-missing"])
        self.sign(attempt, author, "author")
        self.assertEqual(self.verify(attempt, cli.REFUSED)[1], ["signature-missing"])
        self.sign(attempt, reviewer, "reviewer")
        answer, codes = self.verify(attempt, cli.PASS)
        self.assertEqual((codes, answer["author"], answer["reviewer"]), ([], "author@example.org", "reviewer@example.org"))

    def test_build_that_was_there_before_cannot_be_approved(self):
        attempt = self.copy()
        self.assertEqual(self.receipt_of(attempt)["predicate"]["cupel"]["build"], {"fresh": False, "made_by": "earlier"})
        self.sign(attempt, self.key("author"), "author")
        self.sign(attempt, self.key("reviewer"), "reviewer")
        self.assertEqual(self.verify(attempt, cli.REFUSED)[1], ["build-not-fresh"])
        out, _ = self.cupel("receipt", "verify", attempt, "--allowed-signers", self.scratch / "allowed", status=cli.REFUSED)
        self.assertIn("--fresh-build", out)
        fresh = self.receipt_of(self.fresh())["predicate"]["cupel"]
        self.assertEqual((fresh["build"], fresh["approvable"]), ({"fresh": True, "made_by": "attempt"}, True))

    def test_build_of_another_tree_is_not_fresh(self):
        """The steps are there, but what they built is not the tree that ran."""
        for label, option in (("configure", "-B"), ("configure", "-S"), ("build", "--build")):
            attempt = self.fresh(f"{label}{option}")
            path = attempt / f"steps/{label}/command"
            command = json.loads(path.read_text())
            words = command["words"]
            words[words.index(option) + 1] += "x"
            path.write_text(json.dumps(command))
            self.seal(attempt)
            self.assertEqual(self.receipt_of(attempt)["predicate"]["cupel"]["build"]["fresh"], False, option)

    def test_approval_is_of_an_attempt_with_those_of_its_command(self):
        """verify and sign judge as check does with all of them: they are looked for beside the attempt, and each must hold."""
        evidence = self.scratch / "evidence"
        self.record(evidence, "mini", "maxi")
        one, two = sorted(evidence.iterdir(), key=lambda p: "-maxi-" in p.name)
        author, reviewer = self.key("author"), self.key("reviewer")
        self.sign(one, author, "author")
        self.sign(one, reviewer, "reviewer")
        self.assertEqual(self.verify(one, cli.REFUSED)[1], ["build-not-fresh"], "it is all that is wrong")
        away = two.rename(self.scratch / two.name)
        self.assertEqual(self.verify(one, cli.REFUSED)[1], ["lane-missing", "build-not-fresh"])
        self.assertEqual(self.verify(one, cli.REFUSED)[1][0], self.reasons(one)[0][0])
        (one / "receipt.json.author.sig").unlink()
        self.sign(one, author, "author", status=cli.REFUSED)
        two = away.rename(two)
        self.sign(one, author, "author")
        whole = (two / "steps/run/stdout").read_text()
        (two / "steps/run/stdout").write_text("x")
        answer, codes = self.verify(one, cli.REFUSED)
        self.assertIn("evidence-changed", codes)
        self.assertIn(f"{two.name}: steps/run/stdout", [reason["subject"] for reason in answer["reasons"]])
        (two / "steps/run/stdout").write_text(whole)
        source = json.loads((two / "steps/source/stdout").read_text())
        (two / "steps/source/stdout").write_text(json.dumps({**source, "sha256": "0" * 64}))
        self.seal(two)
        answer, codes = self.verify(one, cli.REFUSED)
        self.assertIn("lane-differs", codes)

    def test_fresh_build_that_was_told_something_else(self):
        """What the steps of a build were told is held by the tree's own configuration; one of the steps alone is not a fresh build."""
        def words_of(label, change):
            def edit(attempt):
                path = attempt / f"steps/{label}/command"
                command = json.loads(path.read_text())
                command["words"] = change(command["words"])
                path.write_text(json.dumps(command))

            return edit

        def without(label):
            def edit(attempt):
                index = json.loads((attempt / f"steps/{label}/command").read_text())["index"]
                shutil.rmtree(attempt / "steps" / label)
                for path in attempt.glob("steps/*/command"):
                    command = json.loads(path.read_text())
                    path.write_text(json.dumps({**command, "index": command["index"] - (command["index"] > index)}))

            return edit

        def other_compiler(attempt):
            for when in ("provenance", "provenance-after"):
                path = attempt / f"steps/{when}/stdout"
                record = json.loads(path.read_text())
                record["compiler"]["version"] = "cc 1.2.3"
                path.write_text(json.dumps(record))

        told = re.compile(r"-DCMAKE_C_FLAGS:")
        self.assertEqual(self.reasons(self.fresh("whole"), status=cli.PASS), [])
        cases = (
            (words_of("configure", lambda words: [word + " -ffast-math" if told.match(word) else word for word in words]),
             ("evidence-contradiction", "configure")),
            (words_of("configure", lambda words: [word for word in words if not told.match(word)]), ("evidence-contradiction", "configure")),
            (words_of("configure", lambda words: [*words[:6], "x", *words[7:]]), ("evidence-contradiction", "configure")),
            (words_of("configure", lambda words: [*words[:4], "/x", *words[5:]]), ("evidence-contradiction", "configure")),
            (words_of("build", lambda words: [*words[:-1], "all"]), ("evidence-contradiction", "build")),
            (words_of("build", lambda words: [*words[:4], "-2", *words[5:]]), ("evidence-contradiction", "build")),
            (words_of("build", lambda words: [*words, "--"]), ("evidence-contradiction", "build")),
            (words_of("remove-build", lambda words: [*words[:-1], "/x"]), ("evidence-contradiction", "remove-build")),
            (without("remove-build"), ("step-missing", "remove-build")),
            (without("build"), ("step-missing", "build")),
            (without("configure"), ("step-missing", "configure")),
            (other_compiler, ("evidence-contradiction", "provenance")),
        )
        for at, (edit, reason) in enumerate(cases):
            attempt = self.fresh(f"told-{at}")
            edit(attempt)
            self.seal(attempt)
            self.assertIn(reason, self.reasons(attempt), at)

    def test_same_key_is_no_review(self):
        attempt = self.fresh()
        author = self.key("author")
        self.sign(attempt, author, "author")
        self.sign(attempt, author, "reviewer")
        self.assertEqual(self.verify(attempt, cli.REFUSED)[1], ["signature-same-key"])

    def test_any_changed_byte_voids_the_approval(self):
        attempt = self.fresh()
        self.sign(attempt, self.key("author"), "author")
        self.sign(attempt, self.key("reviewer"), "reviewer")
        receipt = self.receipt_of(attempt)
        receipt["predicate"]["cupel"]["finished"] = "2099-01-01T00:00:00Z"
        self.rewrite(attempt, receipt)
        self.assertEqual(self.verify(attempt, cli.REFUSED)[1], ["receipt-mismatch", "signature-invalid", "signature-invalid"])

    def test_certificates_of_one_key_are_not_two_keys(self):
        attempt = self.fresh()
        authority, key = self.key("authority"), self.key("author")
        public = (self.scratch / "authority.pub").read_text()
        (self.scratch / "allowed").write_text(f"* cert-authority {public}")
        for name in ("author", "reviewer"):
            subprocess.run(["ssh-keygen", "-q", "-s", authority, "-I", name, "-n", f"{name}@example.org", key.with_suffix(".pub")], check=True)
            made = self.scratch / "author-cert.pub"
            self.sign(attempt, made, name, status=cli.REFUSED)  # nothing is left that could not be replaced
            self.assertFalse((attempt / f"receipt.json.{name}.sig").exists())
            signed = self.scratch / "receipt.json"
            shutil.copy(attempt / "receipt.json", signed)
            subprocess.run(["ssh-keygen", "-q", "-Y", "sign", "-f", made, "-n", f"cupel-receipt-{name}", signed], check=True,
                           stderr=subprocess.DEVNULL)
            (self.scratch / "receipt.json.sig").rename(attempt / f"receipt.json.{name}.sig")
        answer, codes = self.verify(attempt, cli.REFUSED)
        self.assertEqual((codes, answer["author"], answer["reviewer"]), (["signature-invalid"], "author@example.org", "reviewer@example.org"))

    def test_key_that_is_not_allowed(self):
        attempt = self.fresh()
        self.sign(attempt, self.key("author"), "author")
        self.sign(attempt, self.key("stranger"), "reviewer")
        lines = (self.scratch / "allowed").read_text().splitlines()
        (self.scratch / "allowed").write_text(lines[0] + "\n")
        self.assertEqual(self.verify(attempt, cli.REFUSED)[1], ["signature-invalid"])

    def test_role_cannot_be_exchanged(self):
        attempt = self.fresh()
        self.sign(attempt, self.key("author"), "author")
        shutil.copy(attempt / "receipt.json.author.sig", attempt / "receipt.json.reviewer.sig")
        self.assertIn("signature-invalid", self.verify(attempt, cli.REFUSED)[1])

    def test_signature_is_never_replaced(self):
        attempt = self.fresh()
        author = self.key("author")
        self.sign(attempt, author, "author")
        self.sign(attempt, author, "author", status=cli.REFUSED)

    def test_what_does_not_hold_is_not_signed(self):
        attempt = self.fresh()
        (attempt / "extra").write_text("")
        self.sign(attempt, self.key("author"), "author", status=cli.REFUSED)
        self.assertFalse((attempt / "receipt.json.author.sig").exists())


if __name__ == "__main__":
    cli.main()
