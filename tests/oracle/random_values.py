"""Random operations of LLVM IR on values of all types, a part of random_ir.py: nothing here is undefined for any input."""
import struct

INTEGERS = ["i8", "i16", "i32", "i32", "i32", "i64"]
ODD = ["i7", "i24", "i33", "i96"]
WIDE = ["i96", "i128"]
FLOATS = {"float": "f32", "double": "f64", "half": "f16", "bfloat": "bf16"}
VECTORS = {"<2 x i32>": (2, "i32"), "<4 x i16>": (4, "i16"), "<2 x i16>": (2, "i16"), "<4 x i8>": (4, "i8"), "<3 x i32>": (3, "i32"),
           "<2 x i64>": (2, "i64"), "<2 x half>": (2, "half"), "<2 x bfloat>": (2, "bfloat"),
           "<4 x float>": (4, "float")}
BASIC = INTEGERS + ["float"]
TYPES = BASIC + ODD + ["double", "half", "bfloat", "i128", *VECTORS]
KINDS = sorted(set(TYPES) | {"i1"})
MINIMA = ["smin", "smax", "umin", "umax"]
SATURATING = ["uadd.sat", "usub.sat", "sadd.sat", "ssub.sat"]
OVERFLOWS = ["uadd", "usub", "sadd", "ssub", "umul", "smul"]
ROUNDINGS = ["floor", "ceil", "trunc", "rint"]
ROOTS = ["rcp", "rsq", "sqrt"]
TRANSCENDENTALS = ROOTS + ["exp2", "log", "sin"]  # what only the hardware's own instructions are asked for
NUMBERS = [0, 1, -2, 0.5, 100, -7.25]


def is_integer(kind):
    return kind[0] == "i"


def mangled(kind):
    """A type as names of intrinsics spell it."""
    if kind in VECTORS:
        count, element = VECTORS[kind]
        return f"v{count}{mangled(element)}"
    return FLOATS.get(kind, kind)


class Values:
    """`known` are values by type that are there where the next instruction stands; `declared`, intrinsics that are called."""

    def __init__(self, rng):
        self.rng, self.lines, self.count = rng, [], 0
        self.known = {kind: [] for kind in KINDS}  # in one order whatever the hash
        self.declared = set()

    def emit(self, kind, text):
        self.count += 1
        name = f"%v{self.count}"
        self.lines.append(f"  {name} = {text}")
        self.known[kind].append(name)
        return name

    def hidden(self, text):
        """A value that nothing else takes."""
        self.count += 1
        self.lines.append(f"  %v{self.count} = {text}")
        return f"%v{self.count}"

    def intrinsic(self, name, result, *arguments):
        """A call's text; arguments are types and values."""
        kinds = [kind for kind, _ in arguments]
        self.declared.add(f"declare {result} @llvm.{name}({', '.join(kinds)})")
        return f"call {result} @llvm.{name}({', '.join(f'{kind} {value}' for kind, value in arguments)})"

    def constant(self, kind):
        rng = self.rng
        if kind == "i1":
            return rng.choice(["true", "false"])
        if kind in VECTORS:
            count, element = VECTORS[kind]
            return "<" + ", ".join(f"{element} {self.constant(element)}" for _ in range(count)) + ">"
        if kind == "float":
            return f"0x{struct.unpack('<Q', struct.pack('<d', float(rng.choice(NUMBERS))))[0]:016X}"
        if kind == "bfloat":
            return f"0xR{struct.unpack('<I', struct.pack('<f', float(rng.choice(NUMBERS))))[0] >> 16:04X}"
        if kind in FLOATS:
            return str(float(rng.choice(NUMBERS)))
        bits = int(kind[1:])
        value = rng.choice([rng.randrange(-16, 65), rng.getrandbits(bits), 1 << rng.randrange(bits)])
        return str((value + (1 << (bits - 1))) % (1 << bits) - (1 << (bits - 1)))

    def value(self, kind):
        if not self.known[kind] or self.rng.random() < 0.15:
            return self.constant(kind)
        known = self.known[kind]
        return known[-1 - min(int(self.rng.expovariate(0.3)), len(known) - 1)]

    def operation(self):
        kind = self.rng.choice(TYPES)
        a, b = self.value(kind), self.value(kind)
        if kind in VECTORS:
            self.vector(kind, a, b)
        elif kind in FLOATS:
            self.real(kind, a, b)
        else:
            self.integer(kind, a, b)

    def integer(self, kind, a, b):
        rng, bits = self.rng, int(kind[1:])
        choice = rng.randrange(14)
        if choice < 5:
            self.emit(kind, f"{rng.choice(['add', 'sub', 'mul', 'and', 'or', 'xor'])} {kind} {a}, {b}")
        elif choice == 5:
            amount = self.emit(kind, f"urem {kind} {b}, {bits}") if bits & (bits - 1) and kind not in WIDE else \
                self.emit(kind, f"and {kind} {b}, {(1 << (bits.bit_length() - 1)) - 1}")
            self.emit(kind, f"{rng.choice(['shl', 'lshr', 'ashr'])} {kind} {a}, {amount}")
        elif choice == 6 and kind in INTEGERS and rng.random() < 0.4:
            divisor = next(d for d in iter(lambda: self.constant(kind), None) if d not in ("0", "-1"))
            self.emit(kind, f"{rng.choice(['udiv', 'sdiv', 'urem', 'srem'])} {kind} {a}, {divisor}")
        elif choice == 6 and kind not in WIDE:
            odd = self.emit(kind, f"or {kind} {b}, 1")
            positive = self.emit(kind, f"lshr {kind} {odd}, 1")
            odd = self.emit(kind, f"or {kind} {positive}, 1")  # neither 0 nor -1
            self.emit(kind, f"{rng.choice(['udiv', 'sdiv', 'urem', 'srem'])} {kind} {a}, {odd}")
        elif choice == 7:
            self.compare(kind)
        elif choice == 8:
            self.emit(kind, f"select i1 {self.value('i1')}, {kind} {a}, {kind} {b}")
        elif choice == 9:
            self.emit("i1", f"{rng.choice(['and', 'or', 'xor'])} i1 {self.value('i1')}, {self.value('i1')}")
        elif choice == 10:
            self.cast()
        elif choice == 11:
            self.emit(kind, f"freeze {kind} {a}")
        elif kind in INTEGERS:
            self.counting(kind, a, b)

    def counting(self, kind, a, b):
        """Integers by intrinsics."""
        rng, choice = self.rng, self.rng.randrange(8)
        if choice < 2:
            self.emit(kind, self.intrinsic(f"{rng.choice(MINIMA + SATURATING)}.{kind}", kind, (kind, a), (kind, b)))
        elif choice < 4:
            name = rng.choice(["fshl", "fshr"])
            self.emit(kind, self.intrinsic(f"{name}.{kind}", kind, (kind, a), (kind, b), (kind, self.value(kind))))
        elif choice == 4:
            self.emit(kind, self.intrinsic(f"{rng.choice(['ctpop', 'bitreverse'])}.{kind}", kind, (kind, a)))
        elif choice == 5:
            self.emit(kind, self.intrinsic(f"{rng.choice(['ctlz', 'cttz', 'abs'])}.{kind}", kind, (kind, a), ("i1", "false")))
        elif choice == 6 and kind != "i8":
            self.emit(kind, self.intrinsic(f"bswap.{kind}", kind, (kind, a)))
        elif kind in ("i32", "i64"):
            pair = f"{{ {kind}, i1 }}"
            both = self.hidden(self.intrinsic(f"{rng.choice(OVERFLOWS)}.with.overflow.{kind}", pair, (kind, a), (kind, b)))
            self.emit(kind, f"extractvalue {pair} {both}, 0")
            self.emit("i1", f"extractvalue {pair} {both}, 1")

    def lanes(self):
        """Values from other lanes, where all lanes run, and something computed with them."""
        for _ in range(self.rng.randrange(4)):
            control, rows = self.rng.choice([27, 177, 257, 273, 274, 289, 320, 321]), self.rng.choice([15, 15, 10])
            old = self.rng.choice(["0", "0", "-1", self.value("i32")])
            self.declared.add("declare i32 @llvm.amdgcn.update.dpp.i32(i32, i32, i32 immarg, i32 immarg, i32 immarg, i1 immarg)")
            moved = self.emit("i32", f"call i32 @llvm.amdgcn.update.dpp.i32(i32 {old}, i32 {self.known['i32'][-1]}, i32 {control}, "
                                     f"i32 {rows}, i32 15, i1 {self.rng.choice(['true', 'false'])})")
            a, b = self.rng.sample([moved, self.value("i32")], 2)
            self.emit("i32", f"{self.rng.choice(['add', 'sub', 'xor', 'and', 'or', 'mul'])} i32 {a}, {b}")

    def two_floats(self):
        one = self.hidden(f"insertelement <2 x float> poison, float {self.value('float')}, i32 0")
        return self.hidden(f"insertelement <2 x float> {one}, float {self.value('float')}, i32 1")

    def vector(self, kind, a, b):
        rng, (count, element) = self.rng, VECTORS[kind]
        at, choice = rng.randrange(count), rng.randrange(8)
        names = ["add", "sub", "mul", "and", "or", "xor"] if is_integer(element) else ["fadd", "fsub", "fmul"]
        if choice < 2:
            self.emit(kind, f"{rng.choice(names)} {kind} {a}, {b}")
        elif choice == 2:
            self.emit(element, f"extractelement {kind} {a}, i32 {at}")
        elif choice == 3:
            self.emit(kind, f"insertelement {kind} {a}, {element} {self.value(element)}, i32 {at}")
        elif choice == 4:
            order = ", ".join(f"i32 {rng.randrange(2 * count)}" for _ in range(count))
            self.emit(kind, f"shufflevector {kind} {a}, {kind} {b}, <{count} x i32> <{order}>")
        elif choice == 5 and is_integer(element):
            self.emit(kind, self.intrinsic(f"{rng.choice(MINIMA + SATURATING)}.{mangled(kind)}", kind, (kind, a), (kind, b)))
        elif choice == 5 and element in ("half", "bfloat"):
            self.emit(kind, rng.choice([
                f"fneg {kind} {a}", self.intrinsic(f"fma.{mangled(kind)}", kind, (kind, a), (kind, b), (kind, self.value(kind))),
                f"fptrunc <2 x float> {self.two_floats()} to {kind}"]))
        elif choice == 6 and is_integer(element) and rng.random() < 0.5:
            most = int(element[1:]) - 1
            amount = self.emit(kind, f"and {kind} {b}, <{', '.join([f'{element} {most}'] * count)}>")
            self.emit(kind, f"{rng.choice(['shl', 'lshr', 'ashr'])} {kind} {a}, {amount}")
        elif choice == 6:
            test = "icmp " + rng.choice(["ult", "sgt", "eq"]) if is_integer(element) else "fcmp " + rng.choice(["ogt", "une", "ule"])
            bits = self.hidden(f"{test} {kind} {a}, {b}")
            self.emit(kind, f"select <{count} x i1> {bits}, {kind} {a}, {kind} {self.value(kind)}")
        elif count & (count - 1) == 0:  # a lane's own index
            index = self.emit("i32", f"and i32 {self.value('i32')}, {count - 1}")
            if rng.random() < 0.5:
                self.emit(element, f"extractelement {kind} {a}, i32 {index}")
            else:
                self.emit(kind, f"insertelement {kind} {a}, {element} {self.value(element)}, i32 {index}")

    def real(self, kind, a, b):
        rng, suffix, choice = self.rng, FLOATS[kind], self.rng.randrange(10)
        if choice < 5:
            texts = [f"fadd {kind} {a}, {b}", f"fsub {kind} {a}, {b}", f"fmul {kind} {a}, {b}", f"fneg {kind} {a}",
                     self.intrinsic(f"fabs.{suffix}", kind, (kind, a))]
            texts.append(self.intrinsic(f"fma.{suffix}", kind, (kind, a), (kind, b), (kind, self.value(kind))))
            texts.append(self.intrinsic(f"copysign.{suffix}", kind, (kind, a), (kind, b)))
            if kind in ("float", "double"):
                texts += [f"fdiv {kind} {a}, {b}", self.intrinsic(f"{rng.choice(ROUNDINGS)}.{suffix}", kind, (kind, a)),
                          self.intrinsic(f"amdgcn.{rng.choice(ROOTS if kind == 'double' else TRANSCENDENTALS)}.{suffix}", kind, (kind, a))]
            self.emit(kind, rng.choice(texts))
        elif choice == 5:
            self.emit(kind, f"select i1 {self.value('i1')}, {kind} {a}, {kind} {b}")
        elif choice == 6:
            self.compare(kind)
        elif kind == "double":
            self.emit(kind, rng.choice([f"fpext float {self.value('float')} to double", f"sitofp i32 {self.value('i32')} to double",
                                        f"uitofp i64 {self.value('i64')} to double"]))
        elif kind == "float":
            size = rng.choice(["i32", "i64"])
            self.emit(size, self.intrinsic(f"{rng.choice(['fptosi', 'fptoui'])}.sat.{size}.f32", size, ("float", a)))
        elif choice == 7:
            self.emit(kind, f"fptrunc float {self.value('float')} to {kind}")
        else:
            self.emit("float", f"fpext {kind} {a} to float")

    def compare(self, kind):
        kind = "i32" if kind in VECTORS else kind
        a, b = self.value(kind), self.value(kind)
        if kind in FLOATS:
            return self.emit("i1", f"fcmp {self.rng.choice('oeq ogt oge olt ole one ord uno ueq ugt uge ult ule une'.split())} {kind} {a}, {b}")
        return self.emit("i1", f"icmp {self.rng.choice('eq ne ugt uge ult ule sgt sge slt sle'.split())} {kind} {a}, {b}")

    def cast(self):
        rng = self.rng
        source, target = rng.choice(INTEGERS + ODD + ["i1", "i128"]), rng.choice(INTEGERS + ODD + ["i128"])
        a = self.value(source)
        size, goal = int(source[1:]), int(target[1:])
        if size < goal:
            self.emit(target, f"{rng.choice(['zext', 'sext'])} {source} {a} to {target}")
        elif size > goal:
            self.emit(target, f"trunc {source} {a} to {target}")
        elif source == "i32":
            self.emit("float", rng.choice([f"bitcast i32 {a} to float", f"sitofp i32 {a} to float", f"uitofp i32 {a} to float"]))
        elif source == "i64":
            self.emit("float", rng.choice([f"sitofp i64 {a} to float", f"uitofp i64 {a} to float"]))
        elif source == "i16":
            self.emit("bfloat", f"bitcast i16 {a} to bfloat")
