# SPDX-License-Identifier: Apache-2.0
"""cupel junit on what cannot be committed: huge reports, many cases, and every committed case through the command line."""
import csv
import os
import re
import subprocess

import tree  # puts the command line's test helpers on the path
import cli

HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'
WORDS = {"PASS": cli.PASS, "FAIL": cli.FAILED, "REFUSED": cli.REFUSED}
MEBIBYTE = 1 << 20


class Reports(cli.Case):
    def peak(self, path):
        """Runs cupel junit --json on the report; returns (exit status, output, peak resident set in bytes)."""
        script = ("import resource, subprocess, sys\n"
                  "done = subprocess.run(sys.argv[1:], stdout=subprocess.PIPE)\n"
                  "sys.stdout.buffer.write(done.stdout)\n"
                  "print(done.returncode, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)\n")
        done = subprocess.run(["python3", "-c", script, str(cli.Options.cupel), "junit", str(path)], stdout=subprocess.PIPE, check=True,
                              timeout=cli.LIMIT_SECONDS)
        lines = done.stdout.decode().splitlines()
        status, kibibytes = lines[-1].split()
        return int(status), "\n".join(lines[:-1]), int(kibibytes) * 1024

    def test_committed_cases(self):
        for folder in ("junit_cases", "junit_reports"):
            home = cli.Options.source / "tests/unit" / folder
            with open(home / "cases.tsv", encoding="utf-8") as table:
                rows = [row for row in csv.reader(table, delimiter="\t") if not row[0].startswith("#")]
            self.assertGreater(len(rows), 15)
            for name, counts, word, reasons, _ in rows:
                with self.subTest(name=name):
                    answer = self.json("junit", home / name, status=WORDS[word])
                    self.assertEqual(",".join(sorted({reason["code"] for reason in answer["reasons"]})) or "-", reasons)
                    found = answer["counts"]
                    published = "-" if found is None else f"{found['passed']} {found['failed']} {found['errors']} {found['skipped']}"
                    self.assertEqual(published, counts)

    def test_status_0_beside_256_failures(self):
        """A CMocka program whose main returns the number of failures: its status says pass, its report does not."""
        path = self.scratch / "report.xml"
        done = subprocess.run([cli.Options.tree / "bin/refusals-cmocka"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False,
                              env=dict(os.environ, CMOCKA_MESSAGE_OUTPUT="XML", CMOCKA_XML_FILE=str(path)), timeout=cli.LIMIT_SECONDS)
        self.assertEqual(done.returncode, 0)
        answer = self.json("junit", path, status=cli.FAILED)
        self.assertEqual((answer["counts"]["failed"], answer["counts"]["passed"]), (256, 0))
        self.assertEqual({reason["code"] for reason in answer["reasons"]}, {"case-failed"})

    def test_400_000_cases_in_bounded_memory(self):
        path = self.scratch / "many.xml"
        with open(path, "w", encoding="utf-8") as out:
            out.write(HEAD + "<testsuites>\n")
            for suite in range(400):
                out.write(f'  <testsuite name="suite_{suite:05d}" time="0.000" tests="1000" failures="0" errors="0" skipped="0" >\n')
                for case in range(1000):
                    out.write(f'    <testcase classname="backend.module.group_{suite:05d}" name="an_operation_and_its_parameters_{case:06d}"'
                              ' time="0.001" >\n    </testcase>\n')
                out.write("  </testsuite>\n")
            out.write("</testsuites>\n")
        self.assertGreater(path.stat().st_size, 48 * MEBIBYTE)
        status, out, peak = self.peak(path)
        self.assertEqual(status, cli.PASS, out)
        self.assertIn("400000 cases: 400000 passed", out)
        self.assertLess(peak, 32 * MEBIBYTE)

    def test_100_megabytes_of_output_hide_no_failure(self):
        path = self.scratch / "log.xml"
        with open(path, "w", encoding="utf-8") as out:
            out.write(HEAD + '<testsuite name="big" tests="2" failures="1"><testcase name="log"><system-out><![CDATA[')
            for line in range(100 * MEBIBYTE // 32):
                out.write(f"k={line:08d} residual=0x1.8p-20 ok\n")
            out.write(']]></system-out></testcase><testcase name="after"><failure message="must be seen"/></testcase></testsuite>\n')
        status, out, peak = self.peak(path)
        self.assertEqual(status, cli.FAILED, out)
        self.assertIn("1 passed, 1 failed", out)
        self.assertIn("must be seen", out)
        self.assertLess(peak, 32 * MEBIBYTE)

    def test_entities_that_multiply_cost_nothing(self):
        path = self.scratch / "bomb.xml"
        entities = "".join(f'<!ENTITY e{level} "{"&e%d;" % (level - 1) * 10}">' for level in range(1, 12))
        path.write_text(HEAD + f'<!DOCTYPE s [<!ENTITY e0 "ha">{entities}]><testsuite name="s"><testcase name="&e11;"/></testsuite>')
        status, out, peak = self.peak(path)
        self.assertEqual(status, cli.REFUSED)
        self.assertIn("report-doctype", out)
        self.assertLess(peak, 32 * MEBIBYTE)

    def test_size_limit(self):
        path = self.scratch / "report.xml"
        path.write_text(HEAD + '<testsuite name="s"><testcase name="a"/></testsuite>\n')
        self.cupel("junit", path, "--max-bytes", path.stat().st_size, status=cli.PASS)
        out, _ = self.cupel("junit", path, "--max-bytes", path.stat().st_size - 1, status=cli.REFUSED)
        self.assertIn("report-too-large", out)
        for bad in ("0", "-1", "many", "1e9"):
            self.cupel("junit", path, "--max-bytes", bad, status=cli.USAGE)

    def test_every_attribute_of_a_suite_is_documented(self):
        """docs/junit.md has a row for each counter that the reader knows, and names the others that are no counts."""
        vocabulary = (cli.Options.source / "src/verdict/junit_vocabulary.c").read_text()
        page = (cli.Options.source / "docs/junit.md").read_text()
        kinds = ("TESTS", "FAILURES", "ERRORS", "SKIPPED", "DISABLED", "FLAKES", "ASSERTIONS")
        counters = [name for name, kind in re.findall(r'{"(\w+)", [^}]*ATTRIBUTE_(\w+)}', vocabulary) if kind in kinds]
        self.assertGreaterEqual(len(counters), len(kinds))
        for name in counters:
            self.assertRegex(page, rf"(?m)^\| [^|]*`{name}`[^|]* \| [^|]+ \|")
        for name in ("time", "timestamp", "hostname", "id", "line", "random_seed"):
            self.assertIn(f'{{"{name}", ', vocabulary)
            self.assertRegex(page, rf"(?s)`{name}`.*are no counts")

    def test_merged_report_replaces_no_report(self):
        path, link = self.scratch / "report.xml", self.scratch / "link.xml"
        path.write_text(HEAD + '<testsuite name="s"><testcase name="a"/></testsuite>\n')
        link.hardlink_to(path)
        before = path.read_bytes()
        for merged in (path, link, self.scratch / "." / "report.xml"):
            self.refusal("junit", path, "--merge", merged, status=cli.USAGE, says=["is the report", "name another file"])
        self.assertEqual(path.read_bytes(), before)
        self.cupel("junit", path, "--merge", self.scratch / "merged.xml", status=cli.PASS)

    def test_pipes(self):
        """One that nobody writes to is an empty report, at once; one that somebody writes to is read like a file."""
        path = self.scratch / "pipe"
        os.mkfifo(path)
        out, _ = self.cupel("junit", path, status=cli.REFUSED)
        self.assertIn("report-empty", out)
        writer = subprocess.Popen(["sh", "-c", f'cat "{cli.Options.source}/tests/unit/junit_cases/legal_crlf.xml" | "{cli.Options.cupel}" junit /dev/stdin'],
                                  stdout=subprocess.PIPE)
        out, _ = writer.communicate(timeout=cli.LIMIT_SECONDS)
        self.assertEqual(writer.returncode, cli.PASS)
        self.assertIn(b"1 cases: 1 passed", out)

    def test_same_report_given_twice(self):
        path, copy = self.scratch / "report.xml", self.scratch / "copy.xml"
        for report in (path, copy):
            report.write_text(HEAD + '<testsuite name="s"><testcase name="a"/></testsuite>\n')
        for second in (path, copy):
            out, _ = self.cupel("junit", path, second, status=cli.REFUSED)
            self.assertIn("report-repeated", out)


if __name__ == "__main__":
    cli.main()
