#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds the cases that a qualification counts: by name in every manifest, not only by number, none missing, none more, each run.

usage: counted.py SOURCE
"""
import pathlib
import sys

# Words after the prefix, each in float32 and float64, and what each case must claim.
COUNTED = {
    "model.contract.": (("constants-and-scalar-time", "derivatives-and-layout-errors", "hierarchical-coupled",
                         "hierarchical-independent", "strided-same-layout"), ""),
    "solver.core.": (("final-only", "history"), "values,matrices,gradient"),
    "stats.family.": (("binomial", "gamma", "lognormal", "negative-binomial", "normal", "poisson", "student-t"),
                      "samples_8192,replay,density,fit"),
    "stats.prior.": (("beta", "gamma", "half-normal", "lognormal", "normal"), "density,gradient"),
    "stats.gradient.masked-": (("censored",), "gradient"),
}


def faults_of(text):
    """Yields what is wrong with the counted cases of one manifest."""
    lines = {line.split(" ")[0]: line for line in text.splitlines() if line and not line.startswith("#")}
    for prefix, (words, claims) in COUNTED.items():
        wanted = {f"{prefix}{word}.{dtype}" for word in words for dtype in ("f32", "f64")}
        found = {case for case in lines if case.startswith(prefix)}
        yield from (f"{case} is missing" for case in sorted(wanted - found))
        yield from (f"{case} is one more than is counted" for case in sorted(found - wanted))
        for case in sorted(wanted & found):
            fields = lines[case].split(" ")
            if fields[1] != "run":
                yield f"{case} does not run"
            elif ("claims=" + claims in fields) != bool(claims):
                yield f"{case} must claim {claims or 'nothing'}"


def main():
    source = pathlib.Path(sys.argv[1])
    count = sum(2 * len(words) for words, _ in COUNTED.values())
    manifests = sorted((source / "tests/manifest").glob("*.cases"))
    faults = 0
    for path in manifests:
        text = path.read_text(encoding="utf-8")
        for fault in faults_of(text):
            faults += 1
            print(f"{path.name}: {fault}")
        # The lint itself: a case left out, renamed, added, not run or without its claims is found.
        line = next(each for each in text.splitlines() if each.startswith("stats.family.normal.f32 "))
        for spoiled in ("", line.replace("normal", "norm"), line + "\n" + line.replace("normal", "cauchy"),
                        line.split(" ")[0] + " unsupported fp64 none", line.split(" claims=")[0]):
            if not list(faults_of(text.replace(line, spoiled))):
                faults += 1
                print(f"{path.name}: the lint accepts \"{spoiled}\" for \"{line}\"")
    print(f"{count} counted cases in each of {len(manifests)} manifests, {faults} faults")
    return 1 if faults or len(manifests) != 3 else 0


if __name__ == "__main__":
    sys.exit(main())
