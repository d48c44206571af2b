# SPDX-License-Identifier: Apache-2.0
"""Small CMake projects that plain ctest calls green (or whose red its report hides): the fact is shown, then what refuses it here."""
import csv
import json
import pathlib
import re
import subprocess

import tree  # puts the command line's test helpers on the path
import cli

HERE = pathlib.Path(__file__).resolve().parent


def rows():
    with open(HERE / "projects/expected.tsv", encoding="utf-8") as table:
        return [row for row in csv.reader(table, delimiter="\t") if not row[0].startswith("#")]


class Projects(cli.Case):
    def build(self, project):
        build = self.scratch / project
        subprocess.run(["cmake", "-S", HERE / "projects" / project, "-B", build], check=True, stdout=subprocess.DEVNULL,
                       timeout=cli.LIMIT_SECONDS)
        return build

    def lint(self, build):
        listed = self.scratch / "tests.json"
        with open(listed, "wb") as out:
            subprocess.run(["ctest", "--show-only=json-v1"], cwd=build, check=True, stdout=out, timeout=cli.LIMIT_SECONDS)
        done = subprocess.run([cli.Options.tree / "bin/refusals-lint", build, listed], check=True, stdout=subprocess.PIPE,
                              timeout=cli.LIMIT_SECONDS)
        return done.stdout.decode().split()

    def judge(self, report, says):
        """What cupel junit makes of ctest's report; a pass only where the report cannot show what is wrong."""
        expected = [text.removeprefix("junit:") for text in says if text.startswith("junit:")]
        status = cli.REFUSED if expected else cli.PASS
        answer = self.json("junit", report, status=status)
        self.assertEqual(sorted({reason["code"] for reason in answer["reasons"]}), sorted(expected))

    def test_projects(self):
        for project, arguments, status, failures, word, says in rows():
            with self.subTest(project=project, arguments=arguments):
                self.assertIn(word, ("refused", "failed"))
                says = says.split(" ")
                build = self.build(project)
                report = self.scratch / "report.xml"
                done = subprocess.run(["ctest", *arguments.split(" "), "--output-junit", report], cwd=build, stdout=subprocess.PIPE,
                                      stderr=subprocess.STDOUT, timeout=cli.LIMIT_SECONDS, check=False)
                if b"Unknown argument: --no-test" in done.stdout:  # newer ctests refuse a misspelt option by themselves
                    self.assertEqual((done.returncode, report.exists()), (1, False), done.stdout.decode())
                    continue
                self.assertEqual(done.returncode, int(status), done.stdout.decode())
                self.assertEqual(re.search('failures="([0-9]+)"', report.read_text()).group(1), failures)
                self.judge(report, says)
                found = self.lint(build)
                for said in says:
                    if said.startswith("lint:"):
                        self.assertIn(said.removeprefix("lint:"), found)
                    elif said.startswith("run:"):
                        programs = (HERE / "runs.py").read_text() + (HERE / "selections.py").read_text()
                        self.assertIn(f"def {said.removeprefix('run:')}(", programs)

    def test_every_project_is_listed(self):
        folders = {path.name for path in (HERE / "projects").iterdir() if path.is_dir()}
        self.assertEqual(folders, {row[0] for row in rows()})
        self.assertTrue(all(len(row) == 6 for row in rows()))


if __name__ == "__main__":
    cli.main()
