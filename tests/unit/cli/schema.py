# SPDX-License-Identifier: Apache-2.0
"""Receipts follow docs/receipt.schema.json, and the schema can refuse. The validator knows the keywords that the schema uses, no more."""
import copy
import json
import re

import cli
import mini

TYPES = {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None), "integer": int}
IGNORED = {"$schema", "$defs", "title"}


def is_type(value, name):
    return isinstance(value, TYPES[name]) and not (name == "integer" and isinstance(value, bool))


class Validator:
    def __init__(self, schema):
        self.root = schema

    def faults(self, value, schema=None, path="receipt"):
        schema = self.root if schema is None else schema
        for keyword, wanted in schema.items():
            if keyword in IGNORED:
                continue
            yield from getattr(self, "check_" + keyword.replace("$", ""))(value, wanted, schema, path)

    def check_ref(self, value, wanted, _schema, path):
        yield from self.faults(value, self.root["$defs"][wanted.removeprefix("#/$defs/")], path)

    def check_type(self, value, wanted, _schema, path):
        if not any(is_type(value, name) for name in (wanted if isinstance(wanted, list) else [wanted])):
            yield f"{path} is no {wanted}"

    def check_const(self, value, wanted, _schema, path):
        if value != wanted:
            yield f"{path} is not {wanted!r}"

    def check_enum(self, value, wanted, _schema, path):
        if value not in wanted:
            yield f"{path} is none of {wanted}"

    def check_pattern(self, value, wanted, _schema, path):
        if isinstance(value, str) and not re.search(wanted, value):
            yield f"{path} does not match {wanted}"

    def check_minimum(self, value, wanted, _schema, path):
        if is_type(value, "integer") and value < wanted:
            yield f"{path} is below {wanted}"

    def check_required(self, value, wanted, _schema, path):
        yield from (f"{path} lacks {name}" for name in wanted if isinstance(value, dict) and name not in value)

    def check_properties(self, value, wanted, _schema, path):
        for name, schema in wanted.items() if isinstance(value, dict) else ():
            if name in value:
                yield from self.faults(value[name], schema, f"{path}.{name}")

    def check_additionalProperties(self, value, wanted, schema, path):
        for name in value if isinstance(value, dict) else ():
            if name not in schema.get("properties", {}):
                if wanted is False:
                    yield f"{path} has {name}"
                else:
                    yield from self.faults(value[name], wanted, f"{path}.{name}")

    def check_items(self, value, wanted, _schema, path):
        for at, item in enumerate(value if isinstance(value, list) else ()):
            yield from self.faults(item, wanted, f"{path}[{at}]")

    def check_oneOf(self, value, wanted, _schema, path):
        results = [list(self.faults(value, schema, path)) for schema in wanted]
        if sum(not result for result in results) != 1:
            yield from min(results, key=len) or [f"{path} fits several forms"]


class Schema(cli.Case):
    def setUp(self):
        super().setUp()
        self.validator = Validator(json.loads((cli.Options.source / "docs/receipt.schema.json").read_text()))
        self.tree = mini.Tree(self.scratch / "build")

    def receipts(self):
        self.cupel("run", mini.PROFILE, "--tree", self.tree.folder, status=cli.PASS)
        self.cupel("run", mini.PROFILE, "--tree", self.tree.folder, "--evidence", self.scratch / "e", "--dirty", status=cli.PASS)
        yield json.loads((self.tree.runs()[0] / "receipt.json").read_text())
        yield json.loads((next((self.scratch / "e").iterdir()) / "receipt.json").read_text())

    def test_receipts_follow_the_schema(self):
        for receipt in self.receipts():
            self.assertEqual(list(self.validator.faults(receipt)), [])

    def test_refused_receipts_follow_it_too(self):
        with open(self.tree.manifest, "a", encoding="utf-8") as manifest:
            manifest.write("abi.zz-vanished run values=1\n")
        self.cupel("run", mini.PROFILE, "--tree", self.tree.folder, status=cli.REFUSED)
        receipt = json.loads((self.tree.runs()[0] / "receipt.json").read_text())
        self.assertEqual(receipt["predicate"]["result"], "FAILED")
        self.assertEqual(list(self.validator.faults(receipt)), [])

    def test_schema_refuses(self):
        receipt = next(self.receipts())
        edits = (
            lambda r: r.update(note=1),
            lambda r: r["predicate"].update(result="PASS"),
            lambda r: r["predicate"]["cupel"].pop("nonce"),
            lambda r: r["predicate"]["cupel"].update(schema="cupel-receipt 2"),
            lambda r: r["predicate"]["cupel"]["verdict"]["counts"].update(passed=-1),
            lambda r: r["subject"][0]["digest"].update(sha256="0"),
            lambda r: r["predicate"]["cupel"]["verdict"]["suites"][0]["cases"][0].update(case="A b"),
        )
        for edit in edits:
            damaged = copy.deepcopy(receipt)
            edit(damaged)
            self.assertNotEqual(list(self.validator.faults(damaged)), [])


if __name__ == "__main__":
    cli.main()
