"""Random arithmetic on integers of 65 to 128 bits: all operations, conversions from and to floats, intrinsics, memory."""

ON_HOST = False
SIZES = ["i65", "i96", "i100", "i127", "i128", "i128", "i128"]
FLOATS = {"half": ("i16", 15, 16), "float": ("i32", 127, 60), "double": ("i64", 1023, 60), "bfloat": ("i16", 127, 60)}  # as bits, bias, most that is fitting


class Program:
    def __init__(self, rng, floats):
        self.floats = floats
        self.rng, self.lines, self.count, self.declared = rng, [], 0, set()
        self.known = {kind: [] for kind in set(SIZES)}
        self.results = []

    def new(self, text):
        self.count += 1
        self.lines.append(f"  %v{self.count} = {text}")
        return f"%v{self.count}"

    def call(self, result, name, *arguments):
        kinds = ", ".join(a.split()[0] for a in arguments)
        self.declared.add(f"declare {result} @llvm.{name}({kinds})")
        return self.new(f"call {result} @llvm.{name}({', '.join(arguments)})")

    def word(self):
        at = self.new(f"getelementptr i32, ptr addrspace(1) %mine, i32 {self.rng.randrange(8)}")
        return self.new(f"load i32, ptr addrspace(1) {at}")

    def fresh(self, kind):
        """Words side by side, perhaps few bits of them; or a constant."""
        bits = int(kind[1:])
        if self.rng.random() < 0.2:
            return str(self.rng.choice([0, 1, -1, 3, 10, 1 << (bits - 1), (1 << (bits - 1)) - 1, self.rng.getrandbits(bits)]))
        value = self.new(f"zext i32 {self.word()} to {kind}")
        for _ in range(self.rng.choice([0, 1, 3, 3, 3])):
            moved = self.new(f"shl {kind} {value}, 32")
            value = self.new(f"or {kind} {moved}, {self.new(f'zext i32 {self.word()} to {kind}')}")
        return value

    def value(self, kind):
        return self.rng.choice(self.known[kind]) if self.known[kind] and self.rng.random() < 0.7 else self.fresh(kind)

    def keep(self, kind, value):
        self.known[kind].append(value)

    def divisor(self, kind):
        """Not 0; by it nothing overflows."""
        odd = self.new(f"or {kind} {self.value(kind)}, 1")
        shorter = self.new(f"lshr {kind} {odd}, {self.rng.choice([1, 20, 64])}")
        return self.new(f"or {kind} {shorter}, 1")

    def arithmetic(self, kind):
        rng, bits = self.rng, int(kind[1:])
        name = rng.choice("add sub mul and or xor shl lshr ashr udiv urem sdiv srem udiv sdiv".split())
        a = self.value(kind)
        if "div" in name or "rem" in name:
            b = self.divisor(kind)
        elif name in ("shl", "lshr", "ashr"):
            b = str(rng.choice([0, 1, 31, 32, 33, 64, bits - 1])) if rng.random() < 0.5 else self.new(f"urem {kind} {self.value(kind)}, {bits}")
        else:
            b = self.value(kind)
        self.keep(kind, self.new(f"{name} {kind} {a}, {b}"))

    def choice(self, kind):
        predicate = self.rng.choice("eq ne ult ule ugt uge slt sle sgt sge".split())
        a, b = self.value(kind), self.value(kind)
        c = self.new(f"icmp {predicate} {kind} {a}, {b}")
        x, y = self.value(kind), self.value(kind)
        self.keep(kind, self.new(f"select i1 {c}, {kind} {x}, {kind} {y}"))

    def resize(self, kind):
        other = self.rng.choice([k for k in set(SIZES) if k != kind])
        name = "trunc" if int(other[1:]) < int(kind[1:]) else self.rng.choice(["zext", "sext"])
        self.keep(other, self.new(f"{name} {kind} {self.value(kind)} to {other}"))

    def narrow(self, kind):
        """Integers of 32 and 64 bits to and from floats of 16."""
        size, of = self.rng.choice(["i32", "i64"]), self.rng.choice([f for f in self.floats if FLOATS[f][0] == "i16"])
        value = self.new(f"trunc {kind} {self.value(kind)} to {size}")
        f = self.new(f"{self.rng.choice(['uitofp', 'sitofp'])} {size} {value} to {of}")
        self.keep(kind, self.new(f"zext i16 {self.new(f'bitcast {of} {f} to i16')} to {kind}"))
        small = self.new(f"sitofp i8 {self.new(f'trunc {kind} {self.value(kind)} to i8')} to {of}")
        self.keep(kind, self.new(f"sext {size} {self.new(f'fptosi {of} {small} to {size}')} to {kind}"))

    def to_float(self, kind):
        to = self.rng.choice(self.floats)
        f = self.new(f"{self.rng.choice(['uitofp', 'sitofp'])} {kind} {self.value(kind)} to {to}")
        number = FLOATS[to][0]
        self.keep(kind, self.new(f"zext {number} {self.new(f'bitcast {to} {f} to {number}')} to {kind}"))

    def from_float(self, kind):
        """Of an exponent that fits, with any mantissa."""
        of = self.rng.choice(self.floats)
        number, bias, most = FLOATS[of]
        least = bias - 2 if of != "half" else 0
        mantissa = {"half": 10, "float": 23, "double": 52, "bfloat": 7}[of]
        signed = self.rng.random() < 0.5
        bits = self.new(f"trunc {kind} {self.value(kind)} to {number}")
        low = self.new(f"and {number} {bits}, {(1 << mantissa) - 1}")
        byte = self.new(f"trunc {kind} {self.value(kind)} to i8")
        up = self.new(f"zext i8 {self.new(f'urem i8 {byte}, {most}')} to i32")
        up = self.new(f"trunc i32 {up} to {number}") if number == "i16" else up if number == "i32" else self.new(f"zext i32 {up} to {number}")
        high = self.new(f"shl {number} {self.new(f'add {number} {up}, {least}')}, {mantissa}")
        made = self.new(f"or {number} {low}, {high}")
        if signed:
            made = self.new(f"or {number} {made}, {self.new(f'and {number} {bits}, {1 << (int(number[1:]) - 1)}')}")
        f = self.new(f"bitcast {number} {made} to {of}")
        fits = self.new(f"fcmp ord {of} {f}, {f}") if of == "half" else None
        if fits:  # neither infinite nor no number
            finite = self.new(f"fcmp olt {of} {self.call(of, 'fabs.f16', f'half {f}')}, 0xH7C00")
            f = self.new(f"select i1 {finite}, half {f}, half 0xH4248")
        self.keep(kind, self.new(f"{'fptosi' if signed else 'fptoui'} {of} {f} to {kind}"))

    def intrinsic(self, kind):
        rng = self.rng
        name = rng.choice(["umin", "umax", "smin", "smax", "abs", "ctpop"] + ["ctlz", "cttz", "bswap", "bitreverse", "fshl", "fshr", "uadd.sat",
                          "usub.sat", "sadd.sat", "ssub.sat", "uadd.o", "usub.o", "sadd.o", "ssub.o", "umul.o", "smul.o"] * (kind == "i128"))
        a, b = f"{kind} {self.value(kind)}", f"{kind} {self.value(kind)}"
        if name.endswith(".o"):
            both = self.call(f"{{ {kind}, i1 }}", f"{name[:-2]}.with.overflow.{kind}", a, b)
            over = self.new(f"zext i1 {self.new(f'extractvalue {{ {kind}, i1 }} {both}, 1')} to {kind}")
            self.keep(kind, self.new(f"xor {kind} {self.new(f'extractvalue {{ {kind}, i1 }} {both}, 0')}, {over}"))
            return
        arguments = {"abs": [a, "i1 false"], "ctlz": [a, "i1 false"], "cttz": [a, "i1 false"], "ctpop": [a], "bswap": [a], "bitreverse": [a],
                     "fshl": [a, b, f"{kind} {self.value(kind)}"], "fshr": [a, b, f"{kind} {self.value(kind)}"]}.get(name, [a, b])
        self.keep(kind, self.call(kind, f"{name}.{kind}", *arguments))

    def memory(self, kind):
        value = self.value(kind)
        if self.rng.random() < 0.4:  # other sizes, too
            other = self.rng.choice(["i2", "i7", "i24", "i33", "i48", "i63", "i160", "i256"])
            value = self.new(f"{'zext' if int(other[1:]) > int(kind[1:]) else 'trunc'} {kind} {value} to {other}")
            at = self.new("getelementptr i8, ptr addrspace(1) %mine, i32 0")
            self.lines.append(f"  store {other} {value}, ptr addrspace(1) {at}, align {self.rng.choice([1, 4])}")
            value = self.new(f"load {other}, ptr addrspace(1) {at}, align 1")
            self.keep(kind, self.new(f"{'trunc' if int(other[1:]) > int(kind[1:]) else 'zext'} {other} {value} to {kind}"))
            return
        at = self.new("getelementptr i8, ptr addrspace(1) %mine, i32 16")
        self.lines.append(f"  store {kind} {value}, ptr addrspace(1) {at}, align {self.rng.choice([4, 4, 16])}")
        self.keep(kind, self.new(f"load {kind}, ptr addrspace(1) {at}, align 4"))


def program(rng, _number, processor):
    old = processor[:-2] in ("gfx6", "gfx7")  # there llc-22 cuts floats off where they become bfloats
    p = Program(rng, [f for f in FLOATS if not (old and f == "bfloat")])
    for _ in range(14):
        kind = rng.choice(SIZES)
        rng.choice([p.arithmetic] * 6 + [p.choice, p.resize, p.to_float, p.from_float, p.narrow, p.intrinsic, p.intrinsic, p.memory])(kind)
    total = "0"
    for kind in sorted(p.known):
        for value in p.known[kind]:
            wide = value if kind == "i128" else p.new(f"zext {kind} {value} to i128")
            total = p.new(f"xor i128 {p.new(f'mul i128 {total}, 1000003')}, {wide}")
    p.lines.append(f"  store i128 {total}, ptr addrspace(1) %mine")
    return "\n".join(p.lines) + "\n", p.declared
