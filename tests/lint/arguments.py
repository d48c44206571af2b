# SPDX-License-Identifier: Apache-2.0
"""Every argument of every exported function of the core is wrong once in a table of tests/unit/*_arguments.c, and its row demands that
nc_last_error names the argument. So with every member of a struct that a function reads. Only what is listed here has no wrong value.

arguments.py SOURCE

A row is X(name, call, status, first, second) or X(name, spoiling, caller, status, first, second); the test runs it and requires the
status and both texts in the sentence. It counts for an argument when the argument's name is a word of one of the texts.
"""
import pathlib
import re
import sys

# Arguments of functions, and members of structs, without a wrong value.
ANY_NUMBER = "every number is one, NaN and the infinities too"
ANY_INTEGER = "every integer addresses something"
TOTAL = "every value has a name or a size, \"unknown\" or 0 among them"
NULL_IS_NOTHING = "null is nothing to release, and a pointer to anything else cannot be told"
NO_WRONG = {
    ("nc_axpy", "alpha"): ANY_NUMBER,
    ("nc_gemm", "alpha"): ANY_NUMBER,
    ("nc_gemm", "beta"): ANY_NUMBER,
    ("nc_array_release", "array"): NULL_IS_NOTHING,
    ("nc_huber_release", "model"): NULL_IS_NOTHING,
    ("nc_model_release", "model"): NULL_IS_NOTHING,
    ("nc_network_release", "network"): NULL_IS_NOTHING,
    ("nc_huber_config_init", "config"): "null is nothing to set, and the function returns nothing",
    ("nc_huber_export", "bytes"): "null asks for the size alone",
    ("nc_model_conserves", "flow"): "null asks for less",
    ("nc_time_grid", "times"): "null asks for the count alone",
    ("nc_dtype_name", "dtype"): TOTAL,
    ("nc_dtype_size", "dtype"): TOTAL,
    ("nc_gradient_status_name", "status"): TOTAL,
    ("nc_method_name", "method"): TOTAL,
    ("nc_status_name", "status"): TOTAL,
    ("nc_trajectory_status_name", "status"): TOTAL,
    **{(f"nc_rng_{name}", word): ANY_INTEGER for name in ("normal", "uniform", "uniform_curand", "words") for word in ("seed", "stream")},
    ("nc_draws", "seed"): ANY_INTEGER,
    ("nc_draws", "stream"): ANY_INTEGER,
    ("nc_flow", "has_axes"): "0 is no, all else is yes",
    ("nc_flow", "pad"): "padding",
}

# Where the sentence shows an argument by other words than its name.
SAID = {
    ("nc_device_close", "device"): "device 0",
    ("nc_flow", "reactant_count"): "2 reactants",
    ("nc_flow", "reactants"): "reactant",
    ("nc_flow", "source_pin_axis"): "pin axis",
    ("nc_flow", "target_pin_axis"): "the target of flow out",
    ("nc_huber_restore", "size"): "shorter than a header",
    ("nc_huber_update_host", "weights"): "a weight that is negative",
    ("nc_network_add_integral", "low"): "[0.25, ",
    ("nc_network_add_integral", "high"): ", nan]",
}


def code_of(text):
    return re.sub(r"//[^\n]*|/\*.*?\*/", " ", text, flags=re.S)


def functions_of(headers):
    """{function: [(type, name)]} of everything declared with NC_API."""
    found = {}
    for text in headers:
        for name, arguments in re.findall(r"\bNC_API\b[^;()]*?\b(nc_\w+)\s*\(([^;]*?)\)\s*;", text):
            words = [] if arguments.strip() == "void" else [re.sub(r"\s+", " ", one).strip() for one in arguments.split(",")]
            found[name] = [re.fullmatch(r"(.*?)(\w+)(?:\[\w*\])?", word).groups() for word in words]
    return found


def structs_of(headers):
    """{struct: [member]}."""
    found = {}
    for text in headers:
        for body, name in re.findall(r"typedef struct nc_\w+ \{(.*?)\} (nc_\w+);", text, flags=re.S):
            found[name] = [re.match(r"[*\s]*(\w+)", one)[1] for line in body.split(";") if line.strip()
                           for one in re.sub(r"^\s*(?:const\s+)?(?:struct\s+)?\w+\s+(?:const\s*)?", "", line).split(",")]
    return found


def split(text):
    """The parts between commas outside of brackets and strings."""
    parts, depth, start, quoted, at = [], 0, 0, False, 0
    while at < len(text):
        mark = text[at]
        if mark == "\\" and quoted:
            at += 1
        elif mark == '"':
            quoted = not quoted
        elif not quoted and mark in "([{":
            depth += 1
        elif not quoted and mark in ")]}":
            depth -= 1
        elif not quoted and mark == "," and depth == 0:
            parts.append(text[start:at].strip())
            start = at + 1
        at += 1
    return [*parts, text[start:].strip()]


def function_called(name, bodies):
    """The exported function that a name of a row calls in the end: itself, or through macros and helpers of the file."""
    seen = set()
    while not name.startswith("nc_") and name in bodies and name not in seen:
        seen.add(name)
        name = bodies[name]
    return name


def rows_of(text):
    """(row, function, first text) of each row of the file's table."""
    text = code_of(text).replace("\\\n", " ")
    bodies = dict(re.findall(r"^static nc_status (\w+)\([^)]*\)\s*\{(?:.*?\n)*?\s*return (\w+)\(", text, flags=re.M))
    bodies.update(re.findall(r"^#define (\w+)\([^)]*\)\s*(\w+)\(", text, flags=re.M))
    at = 0
    while match := re.compile(r"(?<!\w)X\((?=\w+, *\w)").search(text, at):
        depth, end, quoted = 1, match.end(), False
        while depth:
            if text[end] == '"' and text[end - 1] != "\\":
                quoted = not quoted
            depth += 0 if quoted else {"(": 1, ")": -1}.get(text[end], 0)
            end += 1
        at = end
        parts = split(text[match.end():end - 1])
        call = parts[-4] # the row's call, or the caller of a row with a spoiling
        said = re.sub(r"^\"(abi_version|struct_size)\b.*", r"\1", parts[-1])
        yield parts[0], function_called(re.match(r"\w+", call)[0], bodies), f"{parts[-2]} {said}" if said != parts[-1] else parts[-2]


def held(name, pair, texts):
    """Does a row demand that the sentence names it?"""
    return any(SAID[pair] in text if pair in SAID else re.search(rf"\b{name}\b", text) for text in texts)


def faults_of(headers, exports, tables):
    """What the rows of tables {file: text} leave out of the headers, and how many arguments and rows there are."""
    headers = [code_of(text) for text in headers]
    functions, structs = functions_of(headers), structs_of(headers)
    faults = [f"{name}: is exported, and no header declares it with NC_API" for name in sorted(exports - set(functions))]
    faults += [f"{name}: is declared with NC_API, and nc.exports lacks it" for name in sorted(set(functions) - exports)]
    texts, rows = {}, 0
    for file, table in tables.items():
        for name, function, said in rows_of(table):
            rows += 1
            if function not in functions:
                faults.append(f"{file}: {name}: calls {function}, which is no exported function")
            texts.setdefault(function, []).append(said)
    wanted = {}  # (function or struct, name): texts of its rows
    for function, arguments in functions.items():
        for kind, name in arguments:
            wanted[function, name] = texts.get(function, [])
            struct = re.fullmatch(r"const (nc_\w+) \*", kind)
            for member in structs.get(struct[1], []) if struct else []:  # what functions that read one struct share
                wanted[struct[1], member] = wanted.get((struct[1], member), []) + texts.get(function, [])
    for pair, said in sorted(wanted.items()):
        has = held(pair[1], pair, said)
        if has == (pair in NO_WRONG):
            faults.append(f"{pair[0]}: {pair[1]}: " + ("has a row, and is listed as one that cannot be wrong" if has else
                                                       "no row of tests/unit/*_arguments.c demands that nc_last_error names it"))
    faults += [f"{pair[0]}: {pair[1]}: is listed in tests/lint/arguments.py, and no header has it"
               for pair in sorted({*NO_WRONG, *SAID} - set(wanted))]
    return faults, len(functions), len(wanted) - len(NO_WRONG), rows


def main():
    source = pathlib.Path(sys.argv[1])
    headers = [path.read_text() for path in sorted((source / "src/core").glob("nc_*.h"))]
    exports = set((source / "src/core/nc.exports").read_text().split())
    tables = {path.name: path.read_text() for path in sorted((source / "tests/unit").glob("*_arguments.c"))}
    faults, functions, arguments, rows = faults_of(headers, exports, tables)
    # Spoiled copies: a new argument, a new member, a function that nobody exports, a row that is gone, a row of another name.
    spoilings = (("nc_sum(const nc_array *x", "nc_sum(int32_t spoiled, const nc_array *x", 0),
                 ("int32_t source_weight,", "int32_t spoiled, source_weight,", 0),
                 ("NC_API nc_status nc_dot(", "NC_API nc_status nc_spoiled(", 0),
                 ('NC_NULL_ARGUMENT, "report"', 'NC_NULL_ARGUMENT, "it"', 1), ("nc_huber_export(NULL", "nc_huber_exported(NULL", 1))
    accepted = 0
    for old, new, place in spoilings:
        copies = [[text.replace(old, new) for text in headers], {file: text.replace(old, new) for file, text in tables.items()}]
        found = faults_of(copies[0] if place == 0 else headers, exports, copies[1] if place == 1 else tables)[0]
        if len(found) <= len(faults):
            accepted += 1
            faults.append(f"a copy with {new!r} for {old!r} is accepted")
    print("\n".join(faults))
    print(f"{functions} functions: {arguments} arguments and members in {rows} rows; {len(NO_WRONG)} have no wrong value; "
          f"{accepted} spoiled copies accepted")
    sys.exit(bool(faults) or rows == 0 or arguments == 0)


if __name__ == "__main__":
    main()
