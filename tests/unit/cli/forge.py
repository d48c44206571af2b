# SPDX-License-Identifier: Apache-2.0
"""Every field of an attempt changed once to another value of its type. Without the whole procedure made again, each change is found;
with every receipt made anew by Cupel's own code, what the parts of an attempt say of each other finds all but a short list."""
import json
import re

import cli
from attempts import Attempt

# What one file alone says, so that only the receipt's hashes and a signature hold it (docs/receipts.md has the same list).
ALONE = {
    "attempt.json": {"earlier", "recorder.account", "recorder.home", "recorder.host", "session"},
    "steps/machine-after/command": {"started"},  # nothing comes after the last step
    "steps/source/stdout": {"commit", "files", "kind", "qualifying_sha256", "sha256"},  # `receipt check --commit` holds them
}
ALONE_OF_EVERY_STEP = {"peak_rss_bytes", "seconds", "stderr"}


def leaves(value, path=()):
    """(path, value) of everything that holds no other value."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    if not items:
        yield path, value
    for name, item in items:
        yield from leaves(item, (*path, name))


def other(value):
    """Another valid value of the same type."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, (int, float)):
        return value + 1
    if value is None:
        return "x"
    if isinstance(value, (list, dict)):
        return ["x"] if isinstance(value, list) else {"x": 1}
    time = re.fullmatch(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:)(\d\d)Z", value)
    if time:
        return f"{time[1]}{(int(time[2]) + 17) % 60:02}Z"
    if re.fullmatch(r"[0-9a-f]{16,}", value):
        return ("1" if value[0] == "0" else "0") + value[1:]
    return value + "x"


def shape(path):
    """The path with one stand-in for all items of an array and for all names that are paths of files."""
    return ".".join("*" if isinstance(part, int) or "/" in part else part for part in path)


def changed(document, path):
    copy = json.loads(json.dumps(document))
    holder = copy
    for part in path[:-1]:
        holder = holder[part]
    holder[path[-1]] = other(holder[path[-1]])
    return copy


def first_and_last(document):
    """A leaf of each shape: the first of them and the last."""
    shapes = {}
    for path, _ in leaves(document):
        shapes.setdefault(shape(path), []).append(path)
    for paths in shapes.values():
        yield from {paths[0], paths[-1]}


class Forge(Attempt):
    def test_every_field_of_the_receipt(self):
        """Changed, and the receipt's hash computed anew."""
        attempt = self.copy()
        receipt = self.receipt_of(attempt)
        count = 0
        for path in list(first_and_last(receipt))[:: cli.Options.share]:
            self.rewrite(attempt, changed(receipt, path))
            codes = {code for code, _ in self.reasons(attempt)}
            self.assertTrue(codes & {"receipt-mismatch", "attempt-schema", "evidence-changed", "evidence-missing", "evidence-extra"},
                            f"{path}: {codes}")
            count += 1
        print(f"{count} fields of the receipt")
        self.assertGreater(count, 200 // cli.Options.share)

    def change(self, attempt, path):
        """Changes one field after the other of one file; yields its name with the file changed."""
        whole = path.read_bytes()
        text = whole.decode()
        try:
            document = json.loads(text)
        except ValueError:
            document = None
        if isinstance(document, dict):
            for member in first_and_last(document):
                path.write_text(json.dumps(changed(document, member), indent=1, sort_keys=True))
                yield ".".join(map(str, member))
        elif path.suffix == ".ledger":
            lines = text.splitlines()
            for at in sorted({0, 1, 2, len(lines) - 2, len(lines) - 1}):
                for member, _ in leaves(json.loads(lines[at])):
                    line = json.dumps(changed(json.loads(lines[at]), member), separators=(",", ":"))
                    path.write_text("\n".join([*lines[:at], line, *lines[at + 1 :]]) + "\n")
                    yield f"{at}." + ".".join(map(str, member))
        else:
            digit = re.search(r"\d", text)
            path.write_text(text[: digit.start()] + str((int(digit[0]) + 1) % 10) + text[digit.end() :] if digit else text + "x\n")
            yield ""
        path.write_bytes(whole)

    def test_every_field_of_every_file_though_the_receipt_is_made_anew(self):
        attempt = self.copy()
        found = alone = tried = 0
        for path in sorted(p for p in attempt.rglob("*") if p.is_file() and p.parent != attempt or p.name in ("attempt.json", "plan.json")):
            name = str(path.relative_to(attempt))
            for member in self.change(attempt, path):
                tried += 1
                if tried % cli.Options.share != 0:
                    continue
                passes = self.seal(attempt, check=False) and self.json("receipt", "check", attempt, status=None)["word"] == "PASS"
                step = re.fullmatch(r"steps/[^/]+/([a-z_]+)", name)
                permitted = (member.split(".0")[0] in ALONE.get(name, ()) or (step and step[1] in ALONE_OF_EVERY_STEP) or
                             name == "steps/run/stdout")
                self.assertTrue(permitted or not passes, f"{name} {member} was changed and nothing says so")
                found += not passes
                alone += passes
        print(f"{found} fields are held by other files, {alone} by the receipt and its signatures alone")
        self.assertGreater(found, 300 // cli.Options.share)


if __name__ == "__main__":
    cli.main()
