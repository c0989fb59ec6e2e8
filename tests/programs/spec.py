"""The comment in front of each OpenCL kernel that says how to run it, and the inputs it asks for.

    /* run: NAME grid=X[,Y[,Z]] group=X[,Y[,Z]] [offset=X[,Y[,Z]]] [ulp=N]
       arg: in TYPE COUNT VALUES       a buffer read
       arg: inout TYPE COUNT VALUES    a buffer read and compared afterwards
       arg: out TYPE COUNT             a zeroed buffer compared afterwards
       arg: TYPE VALUE | lds BYTES | struct HEX */

TYPE is i8 u8 .. i64 u64 f32 f64. VALUES: `bits`, `uniform LOW HIGH`, `const V`, `special` (floats with infinities,
NaNs, denormals and zeros among them), `numbers` (the same without NaNs), `half LOW HIGH` (halves stored as u16). Inputs
depend on the kernel's name only."""
import dataclasses
import math
import os
import random
import re
import struct

FORMATS = {"i8": "b", "u8": "B", "i16": "h", "u16": "H", "i32": "i", "u32": "I", "i64": "q", "u64": "Q", "f32": "f",
           "f64": "d"}
SIZES = {name: struct.calcsize(code) for name, code in FORMATS.items()}


@dataclasses.dataclass
class Argument:
    kind: str  # in inout out lds struct, or a scalar type
    type: str = ""
    count: int = 0
    values: tuple = ()

    @property
    def bytes(self):
        return self.count * SIZES[self.type]


@dataclasses.dataclass
class Kernel:
    file: str
    name: str
    grid: str
    group: str
    offset: str = ""
    ulp: int = 0
    arguments: list = dataclasses.field(default_factory=list)


def parse_argument(text):
    words = text.split()
    if words[0] in ("in", "inout", "out"):
        return Argument(words[0], words[1], int(words[2]), tuple(words[3:]))
    return Argument(words[0], values=(words[1],))


def parse(path):
    """All kernels of a source file that say how to run them."""
    with open(path, encoding="utf-8") as file:
        source = file.read()
    for comment in re.findall(r"/\* run: (.*?)\*/", source, re.S):
        head, *lines = [line.strip() for line in comment.strip().splitlines()]
        name, *settings = head.split()
        settings = dict(setting.split("=") for setting in settings)
        kernel = Kernel(path, name, settings["grid"], settings["group"], settings.get("offset", ""),
                        int(settings.get("ulp", 0)))
        kernel.arguments = [parse_argument(line.removeprefix("arg: ")) for line in lines]
        yield kernel


def special_float(rng):
    kind = rng.randrange(10)
    if kind == 0:
        return rng.choice([0.0, -0.0, math.inf, -math.inf, math.nan, 1.0, -1.0])
    if kind == 1:
        return rng.uniform(-1, 1) * 1e-40
    return rng.uniform(-1, 1) * 10.0 ** rng.randrange(-30, 30)


def value(rng, type_name, values):
    how = values[0]
    if how == "const":
        return float(values[1]) if type_name[0] == "f" else int(values[1])
    if how in ("special", "numbers"):
        number = special_float(rng)
        return 1.0 if how == "numbers" and number != number else number
    if how == "half":
        return struct.unpack("<H", struct.pack("<e", rng.uniform(float(values[1]), float(values[2]))))[0]
    if how == "uniform" and type_name[0] == "f":
        return rng.uniform(float(values[1]), float(values[2]))
    if how == "uniform":
        return rng.randint(int(values[1]), int(values[2]))
    bits = 8 * SIZES[type_name]
    return rng.getrandbits(bits) - (1 << (bits - 1) if type_name[0] == "i" else 0)


def make_arguments(kernel, folder):
    """Writes the inputs below `folder`; yields the --arg values and [(Argument, file)] of what to compare."""
    texts, outputs = [], []
    for index, argument in enumerate(kernel.arguments):
        rng = random.Random(f"{kernel.name} {index}")
        path = os.path.join(folder, f"{kernel.name}.{index}")
        if argument.kind in ("in", "inout"):
            data = [value(rng, argument.type, argument.values) for _ in range(argument.count)]
            with open(path, "wb") as file:
                file.write(struct.pack(f"<{argument.count}{FORMATS[argument.type]}", *data))
            texts.append(f"{argument.kind}:{path}")
        elif argument.kind == "out":
            texts.append(f"out:{path}:{argument.bytes}")
        else:
            texts.append(f"{argument.kind}:{argument.values[0]}")
        if argument.kind in ("inout", "out"):
            outputs.append((argument, path))
    return texts, outputs


def ordered(number, size):
    """The float's place among all floats, so that a difference counts ulps."""
    bits = int.from_bytes(struct.pack("<f" if size == 4 else "<d", number), "little")
    top = 1 << (8 * size - 1)
    return top - bits if bits & top else bits


def difference(argument, ulp, ours, theirs):
    """None, or what differs first."""
    if len(ours) != argument.bytes or len(theirs) != argument.bytes:
        return f"{len(ours)} bytes against {len(theirs)}, {argument.bytes} expected"
    if ours == theirs:
        return None
    code = f"<{argument.count}{FORMATS[argument.type]}"
    for i, (a, b) in enumerate(zip(struct.unpack(code, ours), struct.unpack(code, theirs))):
        if a == b or (a != a and b != b):
            if a == a and argument.type[0] == "f" and math.copysign(1, a) != math.copysign(1, b):
                return f"element {i}: {a!r} against {b!r}"
            continue
        if argument.type[0] == "f" and a == a and b == b:
            if abs(ordered(a, SIZES[argument.type]) - ordered(b, SIZES[argument.type])) <= ulp:
                continue
        return f"element {i}: {a!r} against {b!r}"
    return None
