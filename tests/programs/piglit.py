#!/usr/bin/env python3
"""Runs piglit's OpenCL programs, compiled by clang-22 -O2, and compares with the results their comments state.

usage: piglit.py --offgrid BUILD/offgrid [--processor gfx900] [--wave64] [--levels 2] [--only PATTERN] [--every N] [--verbose]

Only the programs whose base name's MD5 begins with 0 to 7 are read: the others are kept for acceptance.
--every N takes each Nth program, for a short run."""
import argparse
import concurrent.futures
import dataclasses
import fnmatch
import hashlib
import math
import os
import re
import struct
import subprocess
import sys
import tempfile
import time

import spec
import toolchain

ROOT = "/usr/lib/x86_64-linux-gnu/piglit"
ELEMENTS = {"char": "b", "uchar": "B", "short": "h", "ushort": "H", "int": "i", "uint": "I", "long": "q", "ulong": "Q",
            "float": "f", "double": "d", "half": "e"}
SCALARS = {"b": "i8", "B": "u8", "h": "i16", "H": "u16", "i": "i32", "I": "u32", "q": "i64", "Q": "u64", "f": "f32",
           "d": "f64", "e": "f16"}


# Tests that no executor can pass, what is said of them ("": whatever is), and why.
OLD_CONVENTION = "expects s40 and v40 to be preserved by calls, as clang's calling convention no longer has it"
BEHIND = r"it is the end of the buffer|\d+ bytes into the buffer of (14|22) bytes"
KNOWN = [
    ("builtin-int-abs_diff-1.0.generated.cl", "abs_diff int1", "",
     "the device library's abs_diff(int) is undefined where the difference overflows"),
    ("bswap.cl", "v_bswap_v2u16", "", "24 work-items on buffers of 8 elements: the access outside is reported"),
    ("bswap.cl", "?_bswap_u64", "element 2: 9833440827789239893",
     "clang-22 -O0 on gfx11 moves the lower half of a dword where it needs the whole"),
    ("pyrit-wpa-psk.cl", "Full", "", "writes 40 bytes to a buffer of 32"),
    ("call-clobbers-amdgcn.cl", "c* sgpr", "", OLD_CONVENTION),
    ("call-clobbers-amdgcn.cl", "Conditional call*", "", OLD_CONVENTION),
    ("vload*", "* offset *3", BEHIND, "reads an element behind the buffer that the comment makes"),
    ("vloada_half-float-constant.cl", "*float3", BEHIND, "reads the fourth element behind the buffer that the comment makes"),
    ("v*_half-*", "*", r"O0\.co.*19[26] bytes past a null pointer",
     "clang-22 -O0 on gfx7 and gfx8 loads where LDS and private memory begin from no pointer, in a function that is called"),
]


WITHOUT_IMAGES = ("gfx942", "gfx950", "gfx1250", "gfx1251")


class Unsupported(Exception):
    """The program asks for something this driver or the machine does not have."""


@dataclasses.dataclass
class Value:
    """One argument, as given or as expected."""
    code: str      # struct format of an element
    width: int     # elements of a vector
    count: int     # vectors; 0: a scalar or vector passed by value
    data: list
    tolerance: float = 0
    ulp: bool = False
    null: bool = False
    image: str = ""  # FORMAT:SIZE, as --arg names it

    @property
    def slots(self):
        """Elements that a vector takes in memory: three take the room of four."""
        return 4 if self.width == 3 else self.width

    def pack(self):
        size = struct.calcsize(self.code)
        out = bytearray()
        for i in range(max(self.count, 1)):
            out += b"".join(encode(self.code, number) for number in self.data[i * self.width:(i + 1) * self.width])
            out += bytes(size * (self.slots - self.width))
        return bytes(out)


@dataclasses.dataclass
class Test:
    settings: dict
    given: dict = dataclasses.field(default_factory=dict)
    expected: dict = dataclasses.field(default_factory=dict)


def encode(code, number):
    if code in "fde":
        if isinstance(number, int):  # bits given in hexadecimal
            return number.to_bytes(struct.calcsize(code), "little")
        try:
            return struct.pack("<" + code, number)
        except OverflowError:
            return struct.pack("<" + code, float("inf") if number > 0 else float("-inf"))
    bits = 8 * struct.calcsize(code)
    return (number & ((1 << bits) - 1)).to_bytes(bits // 8, "little")


def number(text, code):
    if code in "fde":
        if re.fullmatch(r"[-+]?0[xX][0-9a-fA-F.]+[pP][-+]?\d+", text):
            return float.fromhex(text)
        if re.fullmatch(r"0[xX][0-9a-fA-F]+", text):
            return float(int(text, 16))
        return float(text)
    special = re.fullmatch(r"(U?)(CHAR|SHRT|INT|LONG)_(MIN|MAX)", text)
    if special:
        bits = {"CHAR": 8, "SHRT": 16, "INT": 32, "LONG": 64}[special[2]]
        if special[1]:
            return (1 << bits) - 1 if special[3] == "MAX" else 0
        return (1 << (bits - 1)) - 1 if special[3] == "MAX" else -(1 << (bits - 1))
    return int(text, 8) if re.fullmatch(r"0[0-7]+", text) else int(text, 0)


IMAGE_TYPES = {"FLOAT": "32f", "HALF_FLOAT": "16f", "SIGNED_INT8": "8i", "SIGNED_INT16": "16i", "SIGNED_INT32": "32i",
               "UNSIGNED_INT8": "8ui", "UNSIGNED_INT16": "16ui", "UNSIGNED_INT32": "32ui", "UNORM_INT8": "8"}
ADDRESSING = {"NONE": "edge", "CLAMP": "border", "CLAMP_TO_EDGE": "edge", "REPEAT": "repeat", "MIRRORED_REPEAT": "mirror"}


def parse_image(words):
    """A two-dimensional image: its texels, then pairs of properties and values."""
    at = words.index("image_type")
    properties = dict(zip(words[at::2], words[at + 1::2]))
    kind = IMAGE_TYPES.get(properties["image_channel_data_type"])
    if properties["image_type"] != "2d" or not kind:
        raise Unsupported("an image of " + " ".join(words[at:]))
    width, height = int(properties["image_width"]), int(properties["image_height"])
    value = parse_value([f"{words[0]}[{width * height}]", *words[1:at]])
    value.image = f"{properties['image_channel_order'].lower()}{kind}:{width}x{height}"
    return value


def parse_sampler(words):
    """The words that --arg takes."""
    properties = dict(zip(words[::2], words[1::2]))
    return ",".join([properties["filter_mode"].lower(), ADDRESSING[properties["addressing_mode"]],
                     "normalized" if properties["normalized_coords"] == "1" else "unnormalized"])


def parse_value(words):
    """The words after an argument's index."""
    if words[0] == "image":
        return parse_image(words[1:])
    if words[0] == "sampler":
        return parse_sampler(words[1:])
    is_buffer = words[0] == "buffer"
    if is_buffer:
        words = words[1:]
    matched = re.fullmatch(r"([a-z]+?)(\d*)(?:\[(\d+)\])?", words[0])
    if not matched or matched[1] not in ELEMENTS:
        raise Unsupported(f"argument of type {words[0]}")
    code, width, count = ELEMENTS[matched[1]], int(matched[2] or 1), int(matched[3] or 0)
    words, value = words[1:], Value(code, width, count, [])
    if "tolerance" in words:
        at = words.index("tolerance")
        value.tolerance, value.ulp = float(words[at + 1]), words[at + 2:at + 3] == ["ulp"]
        words = words[:at]
    needed = max(count, 1) * width
    if words == ["NULL"]:
        value.null = True
    elif words[0] == "random":
        value.data = [number(str(i * 37 % 101), code) for i in range(needed)]
    elif words[0] == "repeat":
        pattern = [number(word, code) for word in words[1:]]
        value.data = [pattern[i % len(pattern)] for i in range(needed)]
    else:
        value.data = [number(word, code) for word in words]
    if not value.null and len(value.data) != needed:
        raise Unsupported(f"{len(value.data)} values for {needed} elements")
    return value


def parse(path):
    """The program's settings and its tests."""
    with open(path, encoding="utf-8", errors="replace") as file:
        source = file.read()
    comment = re.search(r"/\*!(.*?)\*/", source, re.S)
    if not comment:
        raise Unsupported("no configuration")
    lines = [re.sub(r"#.*", "", line) for line in comment[1].splitlines()]
    text = re.sub(r"\\[ \t]*\n", " ", "\n".join(line.rstrip() for line in lines))
    config, tests, current = {}, [], None
    for line in text.splitlines():
        line = line.strip().rstrip("!").strip()
        if line == "[config]":
            current = None
        elif line == "[test]":
            current = Test(dict(config))
            tests.append(current)
        elif ":" in line:
            key, rest = (part.strip() for part in line.split(":", 1))
            if key in ("arg_in", "arg_out"):
                if current is None:
                    raise Unsupported("an argument outside every test")
                index, *words = rest.split()
                (current.given if key == "arg_in" else current.expected)[int(index)] = parse_value(words)
            elif current is not None:
                current.settings[key] = rest
            else:
                config[key] = rest
    return config, tests


def extents(settings):
    """Grid and group as the command spells them; a group of the driver's choice where none is given."""
    dimensions = int(settings.get("dimensions", 1))
    grid = [max(int(word), 1) for word in settings.get("global_size", "1 0 0").split()][:dimensions]
    given = settings.get("local_size", "NULL")
    if given == "NULL":
        group = [1] * dimensions  # some programs have all items of a group write one place of local memory
    else:
        group = [max(int(word), 1) for word in given.split()][:dimensions]
    return ",".join(map(str, grid)), ",".join(map(str, group))


def argument_text(index, test, folder):
    """The --arg value, and the file that holds the result or None. NULL asks for local memory."""
    given, expected = test.given.get(index), test.expected.get(index)
    value = given or expected
    if value is None:
        raise Unsupported(f"argument {index} is not given")
    if isinstance(value, str):
        return f"sampler:{value}", None
    if value.null and value.count and expected is None:
        size = value.count * value.slots * struct.calcsize(value.code)
        return f"lds:{size}", None
    if value.image:
        path = os.path.join(folder, f"arg{index}")
        with open(path, "wb") as file:
            file.write(value.pack())
        return f"image:{value.image}:in:{path}", None
    if not value.count:
        if value.width == 1 and value.code not in "e":
            return f"{SCALARS[value.code]}:{value.data[0]}", None
        return "struct:" + value.pack().hex(), None
    path = os.path.join(folder, f"arg{index}")
    if given and not given.null:
        with open(path, "wb") as file:
            file.write(given.pack())
        return f"{'inout' if expected else 'in'}:{path}", path if expected else None
    return f"out:{path}:{len(expected.pack())}", path


def close(value, ours, theirs):
    """As piglit compares: where NaN is expected any number passes, where infinity is within ulps too."""
    if ours == theirs or ours != ours:
        return ours == theirs or theirs != theirs
    if theirs != theirs or (value.ulp and theirs in (math.inf, -math.inf)):
        return True
    if value.ulp and value.code in "fd":
        size = struct.calcsize(value.code)
        return abs(spec.ordered(ours, size) - spec.ordered(theirs, size)) <= value.tolerance
    if value.ulp:
        return abs(half_order(ours) - half_order(theirs)) <= value.tolerance
    return abs(ours - theirs) <= value.tolerance


def half_order(x):
    bits = struct.unpack("<H", struct.pack("<e", x))[0]
    return 0x8000 - bits if bits & 0x8000 else bits


def mismatch(value, contents):
    """None, or the first element that is wrong."""
    expected = value.pack()
    if len(contents) != len(expected):
        return f"{len(contents)} bytes instead of {len(expected)}"
    size = struct.calcsize(value.code)
    for i in range(value.count * value.slots):
        if i % value.slots >= value.width:
            continue
        ours, = struct.unpack_from("<" + value.code, contents, i * size)
        theirs, = struct.unpack_from("<" + value.code, expected, i * size)
        if not close(value, ours, theirs):
            return f"element {i}: {ours!r} instead of {theirs!r}"
    return None


def run_test(test, command, folder):
    """None when it passes, or why not; `command` names the file to run."""
    grid, group = extents(test.settings)
    command = command + ["--kernel", test.settings["kernel_name"], "--grid", grid, "--group", group, "--timeout", "60"]
    outputs = []
    for index in range(len(set(test.given) | set(test.expected))):
        text, path = argument_text(index, test, folder)
        command += ["--arg", text]
        if path:
            outputs.append((index, path))
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    wrong = None
    if done.returncode != 0:
        wrong = done.stderr.strip()[:300] or f"exit {done.returncode}"
    for index, path in outputs if wrong is None else []:
        if not os.path.exists(path):
            return "the result is not written"
        with open(path, "rb") as file:
            different = mismatch(test.expected[index], file.read())
        wrong = wrong or (different and f"argument {index}: {different}")
    if test.settings.get("expect_test_fail") == "true":
        return None if wrong else "passes although it should not"
    return wrong and f"{wrong}\n    {' '.join(command)}"


def compile_options(config):
    words = config.get("build_options", "").split()
    include = "-I" + os.path.join(ROOT, "tests/cl/program/build/include")
    options = ["-cl-std=CL1.2", "-Wno-error=incompatible-pointer-types", *words, include]
    return [word for word in options if word]


def compile_ir(options, path):
    """The code object that `offgrid cc` makes of IR, in its place; or False and the error."""
    done = subprocess.run([options.offgrid, "cc", f"-mcpu={options.processor}", *(["-mattr=+wavefrontsize64"] if options.wave64 else []), path, "-o", path], capture_output=True,
                          text=True, errors="replace", check=False)
    return done.returncode == 0, (done.stderr or f"exit {done.returncode}")[:400]


def run_program(path, options, folder):
    """[(test name, None or why not)], one row per test; UNSUPPORTED: in front of what is not tried."""
    folder = os.path.join(folder, hashlib.md5(path.encode()).hexdigest())
    os.makedirs(folder, exist_ok=True)
    rows = []
    try:
        config, tests = parse(path)
        if config.get("need_image_support") == "true" and options.processor in WITHOUT_IMAGES:
            raise Unsupported(f"{options.processor} has no images")
    except Unsupported as reason:
        return [("", f"UNSUPPORTED: {reason}")]
    for level in options.levels.split(","):
        code_object = os.path.join(folder, f"O{level}.co")
        given = compile_options(config) + (["-S", "-emit-llvm"] if options.own else [])
        given += ["-mwavefrontsize64"] if options.wave64 else []
        fine, messages = toolchain.compile_opencl(path, code_object, level, options.processor, given)
        if fine and options.own:
            fine, messages = compile_ir(options, code_object)
            if not fine:
                rows.append((f"-O{level}", messages))
                continue
        if config.get("expect_build_fail") == "true":
            rows.append(("build fails", "it builds" if fine else None))
            continue
        if not fine:
            rows += [("", "UNSUPPORTED: clang-22 refuses it: " + messages.strip().splitlines()[0])]
            continue
        tests = [test for test in tests if test.settings.get("kernel_name")]
        rows += [("build", None)] if not tests else []
        for test in tests:
            try:
                rows.append((test.settings.get("name", "?"),
                             run_test(test, [options.offgrid, "run", code_object], folder)))
            except Unsupported as reason:
                rows.append((test.settings.get("name", "?"), f"UNSUPPORTED: {reason}"))
    return rows


def open_programs(root):
    """The programs that may be read, by name alone."""
    for folder, _, names in sorted(os.walk(root)):
        for name in sorted(names):
            if name.endswith(".cl") and hashlib.md5(name.encode()).hexdigest()[0] in "01234567":
                yield os.path.join(folder, name)


def known_reason(program, test, wrong):
    """Why no executor can pass a test; None: no reason is known."""
    for programs, tests, words, reason in KNOWN:
        if fnmatch.fnmatch(program, programs) and fnmatch.fnmatch(test, tests) and re.search(words, wrong):
            return reason
    return None


class Tally:
    """Counts tests, and prints those that fail; with `verbose` the commands of failures, and what is not tried."""

    def __init__(self, verbose):
        self.verbose, self.passed, self.failed, self.untried = verbose, 0, 0, 0

    def add(self, path, place, rows):
        """The rows of one program as run_program tells them; `place` is printed."""
        for name, wrong in rows:
            if wrong is None:
                self.passed += 1
                continue
            reason = known_reason(os.path.basename(path), name, wrong)
            if reason:
                wrong = f"UNSUPPORTED: {reason}"
            not_tried = wrong.startswith("UNSUPPORTED")
            self.untried, self.failed = self.untried + not_tried, self.failed + (not not_tried)
            if not not_tried or self.verbose:
                print(f"{'----' if not_tried else 'FAIL'} {place}: {name}: {wrong if self.verbose else wrong.splitlines()[0]}")

    def finish(self, programs, start):
        """Prints the sums; the exit code."""
        print(f"{programs} programs: {self.passed} tests pass, {self.failed} fail, {self.untried} not tried or not to be passed, "
              f"{time.time() - start:.0f} s")
        return 1 if self.failed or not self.passed else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--offgrid", required=True)
    parser.add_argument("--processor", default="gfx900")
    parser.add_argument("--levels", default="2")
    parser.add_argument("--only", default="*")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--own", action="store_true", help="clang makes IR only, code comes from `offgrid cc`")
    parser.add_argument("--wave64", action="store_true", help="waves of 64 lanes from gfx10 on")
    parser.add_argument("--verbose", action="store_true",
                        help="print the command of each failure, and what is not tried")
    options = parser.parse_args()
    absent = toolchain.missing("clang-22", "ld.lld-22") + ([] if os.path.isdir(ROOT) else ["piglit"])
    if absent:
        print("skipped, not installed:", ", ".join(absent))
        return 77
    start = time.time()
    paths = [path for path in open_programs(ROOT) if fnmatch.fnmatch(os.path.basename(path), options.only)][::options.every]
    tally = Tally(options.verbose)
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(2) as pool:
        for path, rows in zip(paths, pool.map(lambda path: run_program(path, options, folder), paths)):
            tally.add(path, os.path.basename(path), rows)
    return tally.finish(len(paths), start)


if __name__ == "__main__":
    sys.exit(main())
