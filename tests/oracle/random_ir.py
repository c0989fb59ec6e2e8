"""Random programs of LLVM IR: kernels, and functions that they call, with control flow that lanes take differently: branches,
switches, loops with ways out of their middle and out of several at once, loops that are entered at two places, returns."""
import re

from random_values import BASIC, FLOATS, INTEGERS, KINDS, TYPES, VECTORS, Values, mangled

LANES = 128
FUNCTIONS = 3
WORDS = 8  # that each lane reads and writes
PRIVATE = 16  # bytes of private memory, a power of two
SIZES = {"i8": 1, "i16": 2, "i32": 4, "i64": 8, "float": 4, "i128": 16, "<3 x i32>": 12, "<4 x i8>": 4, "<2 x i64>": 16, "<4 x i16>": 8}
SCOPES = 1000  # number of the list without scopes; of others more by a bit for each word in global memory, then in LDS
UPDATES = "add sub and or xor nand xchg max min umax umin".split()


class Program(Values):
    """One kernel or function."""

    function = False  # it is one that is called

    def __init__(self, rng, registers=0, calls=False, number="", dpp=False, wholes=False):
        super().__init__(rng)
        self.registers, self.calls, self.number, self.dpp = registers, calls, number, dpp  # `number`: in a file of several
        self.blocks, self.block = 0, "entry"
        self.wholes = wholes  # values of all lanes, which need registers of their own
        self.together = True  # whoever compiles it, the same lanes run together
        self.scopes = set()  # lists that are named
        self.around = []  # of each loop around: where it goes on, and its ways there

    def label(self):
        self.blocks += 1
        return f"b{self.blocks}"

    def start(self, name):
        self.lines.append(f"{name}:")
        self.block = name

    def snapshot(self):
        return {kind: list(names) for kind, names in self.known.items()}

    def restore(self, snapshot):
        self.known = {kind: list(names) for kind, names in snapshot.items()}

    def region(self, depth):
        for _ in range(self.rng.randrange(2, 9)):
            choice = self.rng.random()
            if depth and choice < 0.11:
                self.branch(depth - 1)
            elif depth and choice < 0.18:
                self.loop(depth - 1)
            elif depth and choice < 0.21:
                self.switch(depth - 1)
            elif depth and choice < 0.24:
                self.crossing(depth - 1)
            elif choice < 0.25:
                self.leave()
            elif choice < 0.27 and self.around:
                self.break_out()
            elif choice < 0.3 and self.dpp and self.together and self.wholes:
                self.whole()
            elif choice < 0.35 and not self.function:
                self.memory()
            elif choice < 0.4 and self.calls and not self.function:
                self.call()
            else:
                self.operation()

    def condition(self):
        return self.value("i1") if self.known["i1"] and self.rng.random() < 0.5 else self.compare(self.rng.choice(TYPES))

    def join(self, label, ends, kinds):
        """A block whose phis take what it is reached with: (block, values by kind)."""
        self.start(label)
        for kind in kinds:
            self.emit(kind, f"phi {kind} " + ", ".join(f"[ {values[kind]}, %{block} ]" for block, values in ends))

    def values_now(self):
        return {kind: self.value(kind) for kind in KINDS}

    def branch(self, depth):
        condition = self.condition()
        yes, no, join = self.label(), self.label(), self.label()
        outside, ends = self.snapshot(), []
        self.lines.append(f"  br i1 {condition}, label %{yes}, label %{no}")
        for side in (yes, no):
            ends.append(self.side(side, outside, join, depth))
        self.restore(outside)
        self.join(join, ends, self.rng.sample(KINDS, 4))

    def side(self, label, outside, join, depth, region=None):
        """One way from a branch to where its ways meet; what it ends in, and with which values."""
        self.restore(outside)
        self.start(label)
        (region or self.region)(depth)
        end = self.block, self.values_now()
        self.lines.append(f"  br label %{join}")
        return end

    def whole(self):
        """A scan, and perhaps a reduction, over all lanes, those that are off with a value of their own."""
        rng, kind = self.rng, "i32"
        name = rng.choice(["add", "xor", "or", "umax"])
        value = self.hidden(self.intrinsic("amdgcn.set.inactive.i32", kind, (kind, self.value(kind)), (kind, rng.choice(["0", "5", "-1", "%a"]))))
        for control in rng.sample([273, 274, 276, 280, 27, 177, 320, 321], rng.randrange(1, 5)):
            self.declared.add("declare i32 @llvm.amdgcn.update.dpp.i32(i32, i32, i32 immarg, i32 immarg, i32 immarg, i1 immarg)")
            moved = self.hidden(f"call i32 @llvm.amdgcn.update.dpp.i32(i32 {rng.choice(['0', '-1', value])}, i32 {value}, i32 {control}, "
                                f"i32 {rng.choice([15, 15, 10])}, i32 15, i1 {rng.choice(['true', 'false'])})")
            value = self.hidden(f"{name} i32 {value}, {moved}" if name != "umax" else self.intrinsic("umax.i32", kind, (kind, value), (kind, moved)))
        if rng.random() < 0.4:
            value = self.hidden(self.intrinsic("amdgcn.readlane.i32", kind, (kind, value), (kind, str(rng.randrange(32)))))
        self.emit(kind, self.intrinsic(f"amdgcn.{rng.choice(['strict.wwm', 'wwm'])}.i32", kind, (kind, value)))

    def apart(self, depth):
        """A region where compilers may let other lanes run together."""
        before, self.together = self.together, False
        self.region(depth)
        self.together = before

    def switch(self, depth):
        rng, kind = self.rng, self.rng.choice(INTEGERS)
        small = self.emit(kind, f"and {kind} {self.value(kind)}, 7") if rng.random() < 0.8 else self.value(kind)
        sides, join = [self.label() for _ in range(rng.randrange(2, 4))], self.label()
        outside, ends, here = self.snapshot(), [], self.values_now()
        cases = [(number, rng.choice([*sides, join])) for number in rng.sample(range(9), rng.randrange(1, 5))]
        ends += [(self.block, here)] * sum(to == join for _, to in cases)
        self.lines.append(f"  switch {kind} {small}, label %{sides[0]} [ " +
                          " ".join(f"{kind} {number}, label %{to}" for number, to in cases) + " ]")
        for side in sides:
            if side != sides[0] and all(to != side for _, to in cases):
                continue  # nothing leads there
            ends.append(self.side(side, outside, join, depth, self.apart))
        self.restore(outside)
        self.join(join, ends, rng.sample(KINDS, 4))

    def crossing(self, depth):
        """Two blocks that lead to each other, and that are both entered from outside."""
        rng = self.rng
        condition, kinds = self.condition(), self.rng.sample(KINDS, 2)
        labels, done, before = [self.label(), self.label()], self.label(), self.block
        start, outside, sides = self.values_now(), self.snapshot(), []
        self.lines.append(f"  br i1 {condition}, label %{labels[0]}, label %{labels[1]}")
        for n, label in enumerate(labels):
            self.restore(outside)
            self.start(label)
            phis = [(kind, self.emit(kind, f"phi {kind} [ {start[kind]}, %{before} ], {label}.{k}")) for k, kind in enumerate(kinds)]
            counter = self.emit("i32", f"phi i32 [ 0, %{before} ], {label}.n")
            self.apart(depth)
            following = self.emit("i32", f"add i32 {counter}, 1")
            ends = self.condition() if rng.random() < 0.4 else "false"
            last = self.emit("i1", f"icmp ugt i32 {following}, {rng.randrange(1, 5)}")
            out = self.emit("i1", f"or i1 {last}, {ends}")
            sides.append((self.block, following, self.values_now(), {kind: self.value(kind) for kind, _ in phis}))
            self.lines.append(f"  br i1 {out}, label %{done}, label %{labels[1 - n]}")
        for label, (block, following, _, ends) in zip(labels, reversed(sides)):
            given = {f"{label}.{k}": f"[ {ends[kind]}, %{block} ]" for k, kind in enumerate(kinds)}
            given[f"{label}.n"] = f"[ {following}, %{block} ]"
            self.lines = [line.replace(line.rsplit(" ", 1)[-1], given[line.rsplit(" ", 1)[-1]])
                          if line.rsplit(" ", 1)[-1] in given else line for line in self.lines]
        self.restore(outside)
        self.join(done, [(block, values) for block, _, values, _ in sides], rng.sample(KINDS, 4))

    def loop(self, depth):
        header, body, done = self.label(), self.label(), self.label()
        rounds = self.emit("i32", f"and i32 {self.value('i32')}, 3") if self.rng.random() < 0.7 else self.rng.randrange(4)
        before, kinds = self.block, self.rng.sample(sorted(set(TYPES)), 3)
        starts = {kind: self.value(kind) for kind in kinds}
        outside = self.snapshot()
        self.lines.append(f"  br label %{header}")
        at = len(self.lines)
        self.start(header)
        counter = self.emit("i32", "phi")
        phis = [(kind, self.emit(kind, "phi")) for kind in kinds]
        result, ways = self.rng.choice(phis), []  # what a phi behind the loop takes, and by which ways
        if self.rng.random() < 0.4:  # a second way out of the middle
            early = self.compare(self.rng.choice(TYPES))
            self.lines.append(f"  br i1 {early}, label %{done}, label %{body}")
            ways.append((header, result[1]))
            self.start(body)
        self.around.append((done, result[0], ways))
        self.apart(depth)
        self.around.pop()
        following = self.emit("i32", f"add i32 {counter}, 1")
        again = self.emit("i1", f"icmp ule i32 {following}, {rounds}")
        ends = {kind: self.value(kind) for kind, _ in phis}
        latch = self.block
        self.lines.append(f"  br i1 {again}, label %{header}, label %{done}")
        ways.append((latch, ends[result[0]]))
        rest, self.lines = self.lines[at:], self.lines[:at]
        for line in rest:
            for (kind, name), start in [(("i32", counter), "0")] + [(phi, starts[phi[0]]) for phi in phis]:
                if line == f"  {name} = phi":
                    back = following if name == counter else ends[kind]
                    line = f"{line} {kind} [ {start}, %{before} ], [ {back}, %{latch} ]"
            self.lines.append(line)
        self.restore(outside)
        self.start(done)
        self.emit(result[0], f"phi {result[0]} " + ", ".join(f"[ {value}, %{block} ]" for block, value in ways))
        for kind, name in phis + [("i32", counter)]:  # what the loop's header left
            self.known[kind].append(name)

    def break_out(self):
        """Out of one of the loops around, or of several at once."""
        done, kind, ways = self.rng.choice(self.around)
        go_on = self.label()
        self.lines.append(f"  br i1 {self.condition()}, label %{done}, label %{go_on}")
        ways.append((self.block, self.value(kind)))
        self.start(go_on)

    def leave(self):
        """Some lanes return."""
        gone, go_on = self.label(), self.label()
        self.lines.append(f"  br i1 {self.condition()}, label %{gone}, label %{go_on}")
        outside = self.snapshot()
        self.start(gone)
        if self.function:
            self.lines.append(f"  ret i32 {self.value('i32')}")
        else:
            self.lines += [f"  store i32 {self.value('i32')}, ptr addrspace(1) %in0, align 4", "  ret void"]
        self.restore(outside)
        self.start(go_on)

    def call(self):
        """Directly, of what a lane chooses, or of a function that calls itself."""
        given = f"i32 {self.value('i32')}, i64 {self.value('i64')}, float {self.value('float')}"
        choice = self.rng.randrange(3)
        if choice == 2:
            depth = self.emit("i32", f"and i32 {self.value('i32')}, 3")
            return self.emit("i32", f"call i32 @again{self.number}(i32 {depth}, {given})")
        callee = self.some_function()
        if choice:
            condition = self.compare("i32")
            self.count += 1
            callee = f"%p{self.count}"
            self.lines.append(f"  {callee} = select i1 {condition}, ptr {self.some_function()}, "
                              f"ptr {self.some_function()}")
        return self.emit("i32", f"call i32 {callee}({given})")

    def some_function(self):
        return f"@f{self.number}_{self.rng.randrange(FUNCTIONS)}"

    def functions(self):
        """Bodies of what call() calls."""
        lines = []
        for number in range(FUNCTIONS + 1):
            one = Program(self.rng, number=self.number)
            one.function, one.declared = True, self.declared
            again = number == FUNCTIONS
            one.lines = [f"define i32 @{f'again{self.number}' if again else f'f{self.number}_{number}'}({'i32 %n, ' if again else ''}i32 %a, i64 %b, float %c) "
                         "#1 {", "entry:"]
            one.known["i32"].append("%a"), one.known["i64"].append("%b"), one.known["float"].append("%c")
            one.region(1)
            result = one.value("i32")
            if again:
                given = f"i32 {one.value('i32')}, i64 {one.value('i64')}, float {one.value('float')}"
                one.lines += ["  %more = icmp ne i32 %n, 0", "  br i1 %more, label %again, label %end", "again:",
                              "  %next = sub i32 %n, 1", f"  %deeper = call i32 @again{self.number}(i32 %next, {given})",
                              f"  %sum = add i32 %deeper, {result}", "  ret i32 %sum", "end:"]
            lines += one.lines + [f"  ret i32 {result}", "}"]
        return lines

    def place(self, size, aligned=False):
        """A pointer to memory of the lane's own, its type, what it is aligned to and what metadata tell of it: global, LDS, flat,
        private. Some are aligned to less than a word, if they need not be."""
        choice = self.rng.randrange(8)
        space = "addrspace(1)" if choice < 4 else "addrspace(3)"
        base = "%own" if choice < 4 else "%shared"
        if choice == 7 and size <= PRIVATE // 2:
            index = self.hidden(f"and i32 {self.value('i32')}, {PRIVATE // 2 - 1}")
            return self.hidden(f"getelementptr i8, ptr addrspace(5) %private, i32 {index}"), "ptr addrspace(5)", 1, ""
        align = min(size, 4) if aligned or self.rng.random() < 0.7 else min(size, self.rng.choice([1, 2]))
        at = self.rng.randrange(0, 4 * WORDS - size + 1, align)
        pointer = self.hidden(f"getelementptr i8, ptr {space} {base}, i32 {at}")
        if choice in (3, 6):
            return self.hidden(f"addrspacecast ptr {space} {pointer} to ptr"), "ptr", align, self.told(at, size, choice)
        return pointer, f"ptr {space}", align, self.told(at, size, choice)

    def told(self, at, size, choice):
        """In which scopes an access of these bytes is, one for each word that it touches, and in which not: all, some or
        nothing of that."""
        words = sum(1 << word for word in range(at // 4, (at + size + 3) // 4)) << (0 if choice < 4 else WORDS)
        others = (1 << 2 * WORDS) - 1 & ~words & (self.rng.getrandbits(2 * WORDS) if self.rng.random() < 0.2 else -1)
        text = ""
        for name, scopes in ("alias.scope", words), ("noalias", others):
            if self.rng.random() < 0.7:
                self.scopes.add(SCOPES + scopes)
                text += f", !{name} !{SCOPES + scopes}"
        return text

    def halves(self):
        """A half that is loaded beside another one or beside what is there; the upper half of something stored."""
        rng, both = self.rng, self.value("<2 x i16>")
        if rng.random() < 0.25:
            pointer, space, align, told = self.place(2)
            upper = self.hidden(f"lshr i32 {self.value('i32')}, 16")
            half = self.hidden(f"trunc i32 {upper} to i16")
            self.lines.append(f"  store i16 {half}, {space} {pointer}, align {align}{told}")
            return
        for at in rng.choice([(0, 1), (1, 0), (0,), (1,)]):
            kind = rng.choice(["i8", "i16"])
            pointer, space, align, told = self.place(int(kind[1:]) // 8)
            half = self.hidden(f"load {kind}, {space} {pointer}, align {align}{told}")
            if kind == "i8":
                half = self.hidden(f"{rng.choice(['zext', 'sext'])} i8 {half} to i16")
            both = self.hidden(f"insertelement <2 x i16> {both}, i16 {half}, i32 {at}")
        self.emit("<2 x i16>", f"freeze <2 x i16> {both}")

    def memory(self):
        if self.rng.random() < 0.2:
            self.halves()
            return
        rng, kind = self.rng, self.rng.choice(list(SIZES))
        updates = kind in ("i8", "i16", "i32") and rng.random() < 0.5
        pointer, space, align, told = self.place(SIZES[kind], updates)
        choice, atomic = rng.random(), updates and "(5)" not in space
        if atomic and choice < 0.2:
            pair = self.hidden(f"cmpxchg {space} {pointer}, {kind} {self.value(kind)}, {kind} {self.value(kind)} "
                               f'syncscope("agent") acq_rel monotonic, align {align}')
            self.emit(kind, f"extractvalue {{ {kind}, i1 }} {pair}, 0")
            self.emit("i1", f"extractvalue {{ {kind}, i1 }} {pair}, 1")
        elif atomic and choice < 0.8:
            order = rng.choice(["monotonic", "monotonic", "acquire", "release", "seq_cst"])
            self.emit(kind, f"atomicrmw {rng.choice(UPDATES)} {space} {pointer}, {kind} {self.value(kind)} "
                            f'syncscope("{rng.choice(["agent", "workgroup"])}") {order}, align {align}, !amdgpu.no.fine.grained.memory !1')
        elif choice < 0.6:
            self.lines.append(f"  store {kind} {self.value(kind)}, {space} {pointer}, align {align}{told}")
        else:
            self.emit(kind, f"load {kind}, {space} {pointer}, align {align}{told}")

    def output(self, word):
        """A value of some type, brought into a word."""
        kind = self.rng.choice([*BASIC, "i1", "double", "half", "bfloat", "i33", "i96", "i128", *VECTORS])
        value = self.value(kind)
        if kind in VECTORS:
            count, element = VECTORS[kind]
            kind, value = element, self.emit(element, f"extractelement {kind} {value}, i32 {self.rng.randrange(count)}")
        if kind in ("i33", "i64", "i96", "i128"):
            high = self.emit(kind, f"lshr {kind} {value}, {self.rng.choice([0, 16, 31, int(kind[1:]) - 32])}")
            kind, value = "i32", self.emit("i32", f"trunc {kind} {high} to i32")
        if kind in FLOATS and kind != "float":
            kind, value = "float", self.emit("float", f"{'fptrunc' if kind == 'double' else 'fpext'} {kind} {value} to float")
        if kind in ("i1", "i7"):
            value, kind = self.emit("i32", f"zext {kind} {value} to i32"), "i32"
        if kind == "float":  # the bits of a NaN are nobody's promise
            number = self.emit("i1", f"fcmp ord float {value}, 0.0")
            value = self.emit("float", f"select i1 {number}, float {value}, float 1.0")
        self.lines.append(f"  store {kind} {value}, ptr addrspace(1) %in{word}, align 4")

    def text(self):
        self.lines = [
            f"@lds{self.number} = internal addrspace(3) global [{LANES * WORDS} x i32] poison, align 16",
            f"define amdgpu_kernel void @k{self.number}(ptr addrspace(1) %data, i32 %a, i64 %b, float %c) #0 {{", "entry:",
            f"  %private = alloca [{PRIVATE} x i8], align 4, addrspace(5)",
            "  %id = call i32 @llvm.amdgcn.workitem.id.x()", f"  %bytes = mul i32 %id, {4 * WORDS}",
            "  %own = getelementptr i8, ptr addrspace(1) %data, i32 %bytes",
            f"  %shared = getelementptr i8, ptr addrspace(3) @lds{self.number}, i32 %bytes",
            f"  store [{PRIVATE} x i8] zeroinitializer, ptr addrspace(5) %private, align 4"]
        self.known["i32"] += ["%a", "%id"]
        self.known["i64"].append("%b")
        self.known["float"].append("%c")
        for word in range(WORDS):
            pointer = f"%in{word}"
            self.lines.append(f"  {pointer} = getelementptr i32, ptr addrspace(1) %own, i32 {word}")
            name = self.emit("i32", f"load i32, ptr addrspace(1) {pointer}, align 4")
            self.lines += [f"  %s{word} = getelementptr i32, ptr addrspace(3) %shared, i32 {word}",
                           f"  store i32 {name}, ptr addrspace(3) %s{word}, align 4"]
        functions = self.functions() if self.calls else []
        if self.dpp:
            self.lanes()
        self.region(3)
        for word in range(WORDS):
            self.output(word)
        self.lines += ["  ret void", "}", *functions]
        return self.lines


def scope_lists(numbers):
    """The metadata that these numbers are of, and the scopes in them."""
    yield '!2 = distinct !{!2, !"words"}'
    for bit in range(2 * WORDS):
        yield f"!{3 + bit} = distinct !{{!{3 + bit}, !2}}"
    for number in sorted(numbers):
        bits = [f"!{3 + bit}" for bit in range(2 * WORDS) if number - SCOPES >> bit & 1]
        yield f"!{number} = !{{{', '.join(bits)}}}"


def text_of(programs):
    """A module of several programs."""
    lines = [line for program in programs for line in program.text()]
    registers = programs[0].registers
    limits = f' "amdgpu-num-vgpr"="{registers}" "amdgpu-num-sgpr"="{registers + 8}"' if registers else ""
    return "\n".join(['target triple = "amdgcn-amd-amdhsa"', *lines, "declare i32 @llvm.amdgcn.workitem.id.x()",
                      *sorted(set().union(*(program.declared for program in programs))),
                      f'attributes #0 = {{ "amdgpu-flat-work-group-size"="1,128" "denormal-fp-math-f32"="ieee,ieee"{limits} }}',
                      'attributes #1 = { noinline "denormal-fp-math-f32"="ieee,ieee" }',
                      *scope_lists(set().union(*(program.scopes for program in programs))),
                      "!llvm.module.flags = !{!0}", "!1 = !{}", '!0 = !{i32 1, !"amdhsa_code_object_version", i32 500}']) + "\n"


def rounded(text, kind):
    """The text with arithmetic of halves or bfloats spelt as llc needs it where it has no instructions for them: left to itself
    it computes on in floats, and rounds where a value is stored or crosses into another block."""
    suffix, wider = mangled(kind), re.sub("bfloat|half", "float", kind)
    wide_suffix = mangled(wider) if kind in FLOATS else re.sub("bf16|f16", "f32", suffix)

    def spell(found):
        name, operation, operands = found.groups()
        values = re.split(rf", (?![^<]*>)(?:{re.escape(kind)} )?", operands)
        wide = [f"{name}.{n}" for n in range(len(values))]
        if operation.startswith("call"):
            operation = operation.replace(f".{suffix}", f".{wide_suffix}") + "("
            result = f"{operation}{', '.join(f'{wider} {w}' for w in wide)})".replace(f"call {kind}", f"call {wider}")
        else:
            result = f"{operation} {wider} {', '.join(wide)}"
        lines = [f"  {w} = fpext {kind} {v} to {wider}" for w, v in zip(wide, values)]
        return "\n".join(lines + [f"  {name}.wide = {result}", f"  {name} = fptrunc {wider} {name}.wide to {kind}"])
    text = re.sub(rf"^  (%\S+) = (fadd|fsub|fmul) {kind} (.*)$", spell, text, flags=re.MULTILINE)
    called = re.sub(rf"^  (%\S+) = (call {kind} @llvm\.fma\.{suffix})\({kind} (.*)\)$", spell, text, flags=re.MULTILINE)
    float_fma = f"declare {wider} @llvm.fma.{wide_suffix}({wider}, {wider}, {wider})"
    return called if called == text or float_fma in text else called + float_fma + "\n"
