# SPDX-License-Identifier: Apache-2.0
"""Proofs that a page or a table names: <test>[#<case>][=<reason>[,<reason>...]].

<test> is a test of ctest. <case> is what it runs: a function of a unit test (registered with CMocka in that test's own sources), a method
of a Python test, a report of unit.junit-cases, a project of refusals.projects, or a planted fault of a test of mutants. Each <reason> is
a code that the case expects: in the row of its table, in its body, or in a table that its body names.

A test of a part that this build leaves out (a backend, the oracle) counts when a list of tests in the source registers it.
"""
import ast
import csv
import functools
import json
import pathlib
import re
import subprocess

FORM = re.compile(r"^([A-Za-z0-9_.-]+)(?:#([^=]+))?(?:=([a-z0-9,-]+))?$")


def has_code(text, code):
    """The code as a word of its own, or its name in C."""
    name = "CUPEL_REASON_" + code.upper().replace("-", "_")
    return re.search(rf"(?<![a-z0-9-]){code}(?![a-z0-9-])", text) is not None or re.search(rf"\b{name}\b", text) is not None


class Proofs:
    def __init__(self, source, build):
        self.source, self.build = pathlib.Path(source), pathlib.Path(build)
        listed = subprocess.run(["ctest", "--test-dir", str(build), "--show-only=json-v1"], stdout=subprocess.PIPE, check=True).stdout
        self.tests = {}
        for test in json.loads(listed)["tests"]:
            disabled = any(one["name"] == "DISABLED" and one["value"] for one in test.get("properties", []))
            if not disabled and "command" in test:
                self.tests[test["name"]] = test["command"]
        self.left_out = {}  # tests of parts that are not built: their sources
        lists = list((self.source / "tests").rglob("*.cmake")) + list((self.source / "tests").rglob("CMakeLists.txt"))
        for path in lists:
            for name, words in re.findall(r"cupel_add_unit_test\(([a-z0-9-]+) ([^)]*)\)", path.read_text()):
                self.left_out[f"unit.{name}"] = [path.parent / word for word in words.split() if word.endswith(".c")]
            for name in re.findall(r"add_test\(NAME ([a-z0-9.-]+)[\s)]", path.read_text()):
                self.left_out[name] = []
        self.codes = set(re.findall(r'CUPEL_REASON\([A-Z0-9_]+, "([a-z0-9-]+)"', (self.source / "src/verdict/reasons.def").read_text()))

    def fault(self, proof):
        """What is wrong with a proof; None when it holds."""
        form = FORM.match(proof)
        if form is None:
            return f"{proof} is not <test>[#<case>][=<reason>,...]"
        test, case, reasons = form.groups()
        wanted = reasons.split(",") if reasons else []
        unknown = [code for code in wanted if code not in self.codes]
        if test not in self.tests and test not in self.left_out:
            return f"ctest has no test {test}"
        if unknown or (wanted and case is None):
            return f"{proof}: {' '.join(unknown) or 'a reason'} is no reason of a case"
        if case is None:
            return None
        text = self.case_text(test, case)
        if text is None:
            return f"{test} has no case {case}"
        absent = [code for code in wanted if not has_code(text, code)]
        return f"{test}#{case} does not expect {' '.join(absent)}" if absent else None

    @functools.lru_cache(maxsize=None)
    def case_text(self, test, case):
        """Where the case says what it expects; None when there is no such case."""
        if test == "unit.junit-cases" and case.endswith(".xml"):
            return self.row([self.source / "tests/unit" / folder / "cases.tsv" for folder in ("junit_cases", "junit_reports")], case, 3)
        if test == "refusals.projects":
            return self.row([self.source / "tests/refusals/projects/expected.tsv"], case, 5)
        if test.startswith("mutants."):
            return self.planted(test, case)
        scripts = [word for word in self.tests.get(test, []) if word.endswith(".py")]
        if scripts:
            return self.method(pathlib.Path(scripts[0]), case)
        sources = self.build / "tests/unit/sources" / test.removeprefix("unit.")
        paths = [pathlib.Path(line) for line in sources.read_text().splitlines()] if sources.exists() else self.left_out.get(test, [])
        return self.function(paths, case)

    def runs_here(self, proof):
        return FORM.match(proof).group(1) in self.tests

    @staticmethod
    def row(tables, name, column):
        cells = []
        for table in tables:
            with open(table, encoding="utf-8") as lines:
                cells += [row[column] for row in csv.reader(lines, delimiter="\t") if row[0] == name]
        return " ".join(cells) if cells else None

    def planted(self, test, case):
        part = test.removeprefix("mutants.")
        for name in (f"{part}.list", f"{part}.faults", f"{part}_faults.py"):
            path = self.source / "tests/mutants" / name
            if path.exists() and re.search(rf"(?<!\w){re.escape(case)}(?!\w)", path.read_text()):
                return path.read_text()
        return None

    @staticmethod
    def method(script, name):
        text = script.read_text()
        module = ast.parse(text)
        bodies = [node for node in ast.walk(module) if isinstance(node, ast.FunctionDef) and node.name == name and name.startswith("test_")]
        if not bodies:
            return None
        used = {node.id for node in ast.walk(bodies[0]) if isinstance(node, ast.Name)}
        tables = [node for node in module.body if isinstance(node, ast.Assign) and used & {getattr(target, "id", "") for target in node.targets}]
        return "\n".join(ast.get_source_segment(text, node) for node in bodies + tables)

    @staticmethod
    def function(sources, name):
        for path in sources:
            text = path.read_text()
            body = re.search(rf"^static void {re.escape(name)}\(void \*\*state\)\n{{\n.*?^}}\n", text, re.M | re.S)
            if body is None or not re.search(rf"\bcmocka_unit_test\w*\({re.escape(name)}\b", text):
                continue
            found = body.group(0)
            for table in re.findall(r'^#include "([^"]+\.(?:h|inc|def))"', text, re.M):
                table_text = (path.parent / table).read_text() if (path.parent / table).exists() else ""
                names = re.findall(r"^} (\w+)\[\]|^static const \w+ (\w+)\[\]", table_text, re.M)
                found += table_text if any(re.search(rf"\b{one}\b", body.group(0)) for pair in names for one in pair if one) else ""
            for one in re.finditer(r"^static const (?:struct {.*?^} |\w+ )(\w+)\[\] = {.*?^};\n", text, re.M | re.S):
                found += one.group(0) if re.search(rf"\b{one.group(1)}\b", body.group(0)) else ""
            return found
        return None
