#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Text rules of the core dialect (docs/dialect.md).

core_dialect.py CORE_DIR         checks every kernel body; prints file:line: rule: what stands there
core_dialect.py --faults FILE    checks the checker: each line "rule<TAB>code" must break exactly that rule
"""
import pathlib
import re
import sys

LIBM = """acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh cospi erf erfc exp exp2 exp10 expm1 fabs fdim floor
fma fmax fmin fmod frexp hypot ilogb isfinite isinf isnan ldexp lgamma llrint log log10 log1p log2 logb lrint lround mad max min
modf nan nearbyint nextafter pow powr remainder remquo rint round rsqrt scalbn signbit sin sincos sincospi sinh sinpi sqrt tan
tanh tgamma trunc""".split()
LIBM_NAMES = "|".join(LIBM)
FLOAT = re.compile(r"(?<![\w.])(?:0[xX][0-9a-fA-F]*\.?[0-9a-fA-F]*[pP][+-]?\d+|(?:\d+\.\d*|\.\d+)(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+)"
                   r"[fFlL]?(?!\w)")

RULES = [
    ("libm", re.compile(rf"(?<!\w)(?:{LIBM_NAMES})[fl]?\s*\(|(?<!\w)native_\w+|(?<!\w)half_\w+|__builtin_\w+"),
     "spell the operation with a dialect macro"),
    ("type", re.compile(r"(?<!\w)(?:float|double|int|long|short|char|unsigned|signed|size_t|bool|u?int(?:8|16|32|64)_t|uint|ulong|uchar)"
                        r"(?!\w)"), "use nc_f32, nc_f64, NC_REAL, nc_i32, nc_u64, ..."),
    ("identifier", re.compile(r"(?<!\w)(?:half|local|global|kernel|constant|private|restrict|volatile|goto)(?!\w)"),
     "the word is taken in OpenCL C, or not in the dialect"),
    ("inline", re.compile(r"(?<!\w)inline(?!\w)"), "write NC_FN"),
    ("memory", re.compile(r"(?<!\w)(?:memcpy|memset|malloc|free|printf|assert|NULL)(?!\w)"), "no library in the core"),
    ("pointer", re.compile(r"\*\s*(?:const\s*)?\*|\(\s*\*\s*\w+\s*\)\s*\("), "no pointer to pointer, no function pointer"),
    ("infinity", re.compile(r"(?:[<>]=?|[=!]=)\s*-?\s*(?:NC_N\(nc_inf\)|nc_inf_f(?:32|64))\(\)|"
                            r"(?:NC_N\(nc_inf\)|nc_inf_f(?:32|64))\(\)\s*(?:[<>]=?|[=!]=)"),
     "ask nc_is_inf, nc_is_below_inf or nc_is_finite, which look at the bits: gcc 13 draws wrong conclusions from the comparison"),
    ("pragma", re.compile(r"#\s*pragma|(?<!\w)__(?:attribute__|global__|device__|kernel|shared__)(?!\w)"),
     "compiler dependent text belongs to dialect_*.h"),
]


def strip(text):
    """Comments and strings become blanks; lines stay."""
    def blank(match):
        return re.sub(r"[^\n]", " ", match.group())
    return re.sub(r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"", blank, text, flags=re.S)


def literal_faults(line):
    for match in FLOAT.finditer(line):
        before = line[:match.start()]
        if not re.search(r"(?<!\w)NC_C(?:32|64)?\(\s*-?\s*$", before) or match.group()[-1] in "lL" or \
                match.group()[-1] in "fF" and not match.group().lower().startswith("0x"):
            yield match.group()


def faults(text):
    for number, line in enumerate(strip(text).split("\n"), start=1):
        for literal in literal_faults(line):
            yield number, "literal", literal, "wrap it: NC_C(...), NC_C32(...) or NC_C64(...), without a suffix"
        for rule, pattern, advice in RULES:
            if rule != "pragma" and re.match(r"\s*#\s*include", line):
                continue
            for match in pattern.finditer(line):
                yield number, rule, match.group().strip(), advice


def check_core(core):
    files = sorted((core / "kernels").glob("*.h")) + [core / "dialect" / "real_common.h"]
    count = 0
    for path in files:
        for number, rule, found, advice in faults(path.read_text(encoding="utf-8")):
            print(f"{path}:{number}: {rule}: '{found}': {advice}")
            count += 1
    if len(files) < 5:
        print(f"{core}: only {len(files)} bodies were found")
        return 1
    print(f"{len(files)} files, {count} faults")
    return int(count != 0)


def check_checker(path):
    bad = checked = 0
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("#") or not line:
            continue
        expected, code = line.split("\t", 1)
        found = sorted({fault[1] for fault in faults(code)})
        checked += 1
        if found != ([] if expected == "none" else [expected]):
            print(f"{code!r}: expected {expected}, found {found}")
            bad += 1
    print(f"{checked} lines, {bad} judged wrongly")
    return int(bad != 0 or checked < 2 * len(RULES))


def main():
    if len(sys.argv) == 3 and sys.argv[1] == "--faults":
        return check_checker(pathlib.Path(sys.argv[2]))
    if len(sys.argv) == 2:
        return check_core(pathlib.Path(sys.argv[1]))
    print(__doc__)
    return 64


if __name__ == "__main__":
    sys.exit(main())
