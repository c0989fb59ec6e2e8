"""Random programs of asynchronous operations, marks and waits over branches and loops; and a model of "AMDGPU Asynchronous
Operations": what each path's current sequence of marks is, and so which operations a wait is sure to have seen end.

A program is a list of statements: ("async", slot), ("store",), ("mark",), ("wait", number, N, reads), ("if", condition, yes, no),
("loop", counter, body). Conditions are bits of an argument; some of them hold for the first lanes only."""
import itertools

LANES, SLOTS, CONDITIONS, COUNTERS, ROUNDS = 64, 12, 4, 2, 3
FIRST_LANES = [LANES, 16, LANES, 32]  # by condition: those for which it may hold
UNIFORM = sum(1 << k for k in range(CONDITIONS) if FIRST_LANES[k] == LANES)  # conditions that are the same for all lanes


class Generator:
    def __init__(self, rng, stores):
        self.rng, self.stores = rng, stores
        self.operations = self.waits = self.counters = self.conditions = 0

    def statements(self, depth, budget):
        out = []
        for _ in range(budget):
            kind = self.rng.choice(["async"] * 5 + ["mark"] * 4 + ["wait"] * 2 + ["store"] * self.stores +
                                   (["if", "if", "loop"] if depth else []))
            if kind == "async":
                out.append(("async", self.rng.randrange(SLOTS), self.operations))
                self.operations += 1
            elif kind == "wait":
                out.append(("wait", self.waits, self.rng.choice([0, 0, 1, 1, 1, 2, 2, 3, 5]), []))
                self.waits += 1
            elif kind == "if" and self.conditions < CONDITIONS:
                self.conditions += 1
                condition = self.conditions - 1
                out.append(("if", condition, self.statements(depth - 1, self.rng.randrange(1, 5)),
                            self.statements(depth - 1, self.rng.randrange(4))))
            elif kind == "loop" and self.counters < COUNTERS:
                self.counters += 1
                counter = self.counters - 1
                out.append(("loop", counter, self.statements(depth - 1, self.rng.randrange(2, 6))))
            elif kind in ("mark", "store"):
                out.append((kind,))
        return out


class Path:
    """One thread's run: the operations that it has begun, its current sequence, and how many operations are sure to have
    ended."""

    def __init__(self, bits, counts, without=None):
        self.bits, self.counts, self.without = bits, counts, without
        self.begun, self.sequence, self.ended = [], [], 0  # (slot, operation); a mark: how many were begun before it
        self.seen = {}   # by wait: for each time, [(slot, operation)] of slots that are sure to be filled
        self.read = {}   # by (wait, place among its reads): the operation whose data came last
        self.illegal = False

    def filled(self):
        last = {slot: index for index, (slot, _) in enumerate(self.begun)}
        return sorted((slot, self.begun[index][1], index) for slot, index in last.items() if index < self.ended)

    def run(self, statements):
        for s in statements:
            if s[0] == "async":
                self.begun.append((s[1], s[2]))
            elif s[0] == "mark":
                self.sequence.append(len(self.begun))
            elif s[0] == "wait":
                self.wait(s)
            elif s[0] == "if":
                self.run(s[2] if self.bits >> s[1] & 1 else s[3])
            elif s[0] == "loop":
                for _ in range(self.counts[s[1]]):
                    self.run(s[2])
        return self

    def wait(self, s):
        if s[1] != self.without:
            for _ in range(len(self.sequence) - s[2]):
                self.ended = max(self.ended, self.sequence.pop(0))
        filled = self.filled()
        self.seen.setdefault(s[1], []).append(filled)
        there = {slot: operation for slot, operation, _ in filled}
        for place, slot in enumerate(s[3]):
            self.illegal |= slot not in there
            self.read[s[1], place] = there.get(slot)


def waits_of(statements):
    for s in statements:
        if s[0] == "wait":
            yield s
        elif s[0] in ("if", "loop"):
            for part in s[2:]:
                yield from waits_of(part)


def all_paths():
    for bits in range(1 << CONDITIONS):
        for counts in itertools.product(range(1, ROUNDS + 1), repeat=COUNTERS):
            yield bits, counts


def choose_reads(statements, most):
    """Behind each wait the slots that are filled along every path, youngest first."""
    seen = {}
    for bits, counts in all_paths():
        for wait, times in Path(bits, counts).run(statements).seen.items():
            for filled in times:
                ages = {slot: index for slot, _, index in filled}
                seen[wait] = {k: max(seen[wait][k], ages[k]) for k in seen[wait] if k in ages} if wait in seen else ages
    for s in waits_of(statements):
        s[3].extend(sorted(seen.get(s[1], {}), key=lambda slot: -seen[s[1]][slot])[:most])


# ---- IR ----------------------------------------------------------------------------------------------------------------------

HEAD = """target triple = "amdgcn-amd-amdhsa"
@lds = internal addrspace(3) global [{size} x i32] poison, align 16
declare i32 @llvm.amdgcn.workitem.id.x()
declare void @llvm.amdgcn.asyncmark()
declare void @llvm.amdgcn.wait.asyncmark(i16)
declare void @llvm.amdgcn.s.sleep(i32)
declare void @llvm.amdgcn.global.load.async.lds(ptr addrspace(1), ptr addrspace(3), i32, i32, i32)
declare void @llvm.amdgcn.global.load.async.to.lds.b32(ptr addrspace(1), ptr addrspace(3), i32, i32)
declare void @llvm.amdgcn.tensor.load.to.lds.d2(<4 x i32>, <8 x i32>, i32)
"""


class Writer:
    """Statements as IR: kernel k(in, out, bits, counts...)."""

    def __init__(self, processor):
        self.own_places = processor.startswith("gfx12")  # each lane says where its data go
        self.lines, self.number = [], 0

    def name(self):
        self.number += 1
        return f"%x{self.number}"

    def put(self, text):
        self.lines.append("  " + text)

    def value(self, text):
        name = self.name()
        self.put(f"{name} = {text}")
        return name

    def label(self, name):
        self.put(f"br label %{name}")
        self.lines.append(f"{name}:")

    def element(self, pointer, space, index):
        return self.value(f"getelementptr i32, ptr addrspace({space}) {pointer}, i32 {index}")

    def lane_element(self, pointer, space, row):
        return self.element(pointer, space, self.value(f"add i32 %lane, {LANES * row}"))

    def transfer(self, slot, operation):
        source = self.lane_element("%in", 1, operation)
        if self.own_places:
            self.put("call void @llvm.amdgcn.global.load.async.to.lds.b32("
                     f"ptr addrspace(1) {source}, ptr addrspace(3) {self.lane_element('@lds', 3, slot)}, i32 0, i32 0)")
        else:
            self.put("call void @llvm.amdgcn.global.load.async.lds("
                     f"ptr addrspace(1) {source}, ptr addrspace(3) {self.element('@lds', 3, LANES * slot)}, i32 4, i32 0, i32 0)")

    def tensor(self):
        self.put("call void @llvm.amdgcn.tensor.load.to.lds.d2(<4 x i32> zeroinitializer, <8 x i32> zeroinitializer, i32 0)")

    def read(self, slot, row):
        value = self.value(f"load i32, ptr addrspace(3) {self.lane_element('@lds', 3, slot)}")
        self.put(f"store i32 {value}, ptr addrspace(1) {self.lane_element('%out', 1, row)}")

    def statement(self, s, most):
        if s[0] == "async":
            self.transfer(s[1], s[2])
        elif s[0] == "tensor":
            self.tensor()
        elif s[0] == "mark":
            self.put("call void @llvm.amdgcn.asyncmark()")
        elif s[0] == "store":
            self.put(f"store volatile i32 %lane, ptr addrspace(1) {self.lane_element('%out', 1, 0)}")
        elif s[0] == "wait":
            self.put(f"call void @llvm.amdgcn.s.sleep(i32 {1 + s[1] % 100})")
            self.put(f"call void @llvm.amdgcn.wait.asyncmark(i16 {s[2]})")
            self.put(f"call void @llvm.amdgcn.s.sleep(i32 {1 + s[1] % 100})")
            for place, slot in enumerate(s[3]):
                self.read(slot, 1 + most * s[1] + place)
        elif s[0] == "if":
            self.branch(s, most)
        else:
            self.loop(s, most)

    def branch(self, s, most):
        number = self.number
        self.number += 1
        bit = self.value(f"and i32 %bits, {1 << s[1]}")
        holds = self.value(f"icmp ne i32 {bit}, 0")
        if FIRST_LANES[s[1]] < LANES:
            holds = self.value(f"and i1 {holds}, {self.value(f'icmp ult i32 %lane, {FIRST_LANES[s[1]]}')}")
        self.put(f"br i1 {holds}, label %yes{number}, label %no{number}")
        for label, part in ("yes", s[2]), ("no", s[3]):
            self.lines.append(f"{label}{number}:")
            self.statements(part, most)
            self.put(f"br label %end{number}")
        self.lines.append(f"end{number}:")

    def loop(self, s, most):
        number = self.number
        self.number += 1
        self.label(f"before{number}")
        self.label(f"loop{number}")
        self.put(f"%i{number} = phi i32 [ 0, %before{number} ], [ %n{number}, %latch{number} ]")
        self.statements(s[2], most)
        self.label(f"latch{number}")
        self.put(f"%n{number} = add i32 %i{number}, 1")
        self.put(f"%c{number} = icmp ult i32 %n{number}, %count{s[1]}")
        self.put(f"br i1 %c{number}, label %loop{number}, label %left{number}")
        self.lines.append(f"left{number}:")

    def statements(self, statements, most):
        for s in statements:
            self.statement(s, most)

    def kernel(self, statements, most=0, size=LANES * SLOTS):
        self.statements(statements, most)
        counts = "".join(f", i32 %count{k}" for k in range(COUNTERS))
        return "\n".join([HEAD.format(size=size),
                          f"define amdgpu_kernel void @k(ptr addrspace(1) noalias %in, ptr addrspace(1) noalias %out, i32 %bits{counts}) #0 {{",
                          "  %lane = call i32 @llvm.amdgcn.workitem.id.x()", *self.lines, "  ret void", "}",
                          f'attributes #0 = {{ "amdgpu-flat-work-group-size"="{LANES},{LANES}" }}', ""])
