"""LLVM IR files of our own for llc_oracle.py: small modules put together from pieces, each piece one thing that a
compiler makes code, data or notes of. module(rng, os, processor) yields a text and the names of its kernels."""
import re

INTEGERS = ["i8", "i16", "i32", "i64", "i128", "<2 x i16>", "<4 x i32>", "<3 x i32>", "<4 x i8>"]
FLOATS = ["half", "bfloat", "float", "double", "<2 x half>", "<4 x float>", "<2 x double>"]
INTEGER_STEPS = ["add", "sub", "mul", "and", "or", "xor", "shl", "lshr", "ashr", "udiv", "srem", "call umin", "call smax",
                 "call uadd.sat", "call bswap", "call ctpop", "call ctlz", "call bitreverse", "call fshl"]
FLOAT_STEPS = ["fadd", "fsub", "fmul", "fdiv", "call fma", "call sqrt", "call minnum", "call maxnum", "call fabs",
               "call floor", "call exp2", "call log2", "call sin", "call canonicalize", "call copysign", "fneg"]

# Kinds of body: text with @n for a number that no other piece has; what stands before "---" is global.
# Inside, %x is the work-item's number, %out a pointer to global memory that it may write.
PIECES = {
    "lds": """@lds@n = internal addrspace(3) global [@small x i32] poison, align 16
---
  %p@n = getelementptr [@small x i32], ptr addrspace(3) @lds@n, i32 0, i32 %x
  store i32 %x, ptr addrspace(3) %p@n
  fence syncscope("workgroup") release
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire
  %y@n = xor i32 %x, 1
  %q@n = getelementptr [@small x i32], ptr addrspace(3) @lds@n, i32 0, i32 %y@n
  %v@n = load i32, ptr addrspace(3) %q@n
  store volatile i32 %v@n, ptr addrspace(1) %out""",
    "dynamic lds": """@dyn@n = external addrspace(3) global [0 x i32], align 8
---
  %p@n = getelementptr [0 x i32], ptr addrspace(3) @dyn@n, i32 0, i32 %x
  store volatile i32 7, ptr addrspace(3) %p@n""",
    "scratch": """
---
  %a@n = alloca [@small x i32], align 4, addrspace(5)
  %i@n = and i32 %x, 3
  %p@n = getelementptr [@small x i32], ptr addrspace(5) %a@n, i32 0, i32 %i@n
  store volatile i32 %x, ptr addrspace(5) %p@n
  %v@n = load volatile i32, ptr addrspace(5) %p@n
  store volatile i32 %v@n, ptr addrspace(1) %out""",
    "constant": """@c@n = internal unnamed_addr addrspace(4) constant [4 x i32] [i32 1, i32 -2, i32 3, i32 @small], align 4
---
  %i@n = and i32 %x, 3
  %p@n = getelementptr [4 x i32], ptr addrspace(4) @c@n, i32 0, i32 %i@n
  %v@n = load i32, ptr addrspace(4) %p@n
  store volatile i32 %v@n, ptr addrspace(1) %out""",
    "string": """@s@n = @linkage unnamed_addr addrspace(4) constant [8 x i8] c"text %d\\00", align 1
---
  %p@n = getelementptr i8, ptr addrspace(4) @s@n, i32 2
  %v@n = load i8, ptr addrspace(4) %p@n
  %w@n = zext i8 %v@n to i32
  store volatile i32 %w@n, ptr addrspace(1) %out""",
    "global": """@g@n = @linkage addrspace(1) global [3 x i32] [i32 5, i32 6, i32 @small], align 4
@gp@n = @linkage addrspace(1) global ptr addrspace(1) getelementptr (i8, ptr addrspace(1) @g@n, i64 4), align 8
---
  %p@n = load volatile ptr addrspace(1), ptr addrspace(1) @gp@n
  %v@n = load volatile i32, ptr addrspace(1) %p@n
  store volatile i32 %v@n, ptr addrspace(1) @g@n""",
    "external": """@e@n = external addrspace(1) global i32
@h@n = external hidden addrspace(1) global [8 x i32]
---
  %v@n = load volatile i32, ptr addrspace(1) @e@n
  %p@n = getelementptr [8 x i32], ptr addrspace(1) @h@n, i32 0, i32 3
  store volatile i32 %v@n, ptr addrspace(1) %p@n""",
    "section": """@z@n = addrspace(1) global i32 @small, section ".mine.@n", align 4
@bss@n = internal addrspace(1) global [64 x i8] zeroinitializer, align 16
---
  %v@n = load volatile i32, ptr addrspace(1) @z@n
  %b@n = load volatile i32, ptr addrspace(1) @bss@n""",
    "comdat": """$cd@n = comdat any
@cd@n = linkonce_odr addrspace(1) global i32 @small, comdat, align 4
---
  %v@n = load volatile i32, ptr addrspace(1) @cd@n
  store volatile i32 %v@n, ptr addrspace(1) %out""",
    "alias": """@base@n = internal addrspace(1) global [2 x i32] [i32 1, i32 2], align 4
@al@n = @visible alias i32, getelementptr (i8, ptr addrspace(1) @base@n, i64 4)
---
  %v@n = load volatile i32, ptr addrspace(1) @al@n""",
    "switch": """
---
  switch i32 %x, label %d@n [ i32 0, label %a@n
    i32 1, label %b@n
    i32 2, label %c@n
    i32 3, label %a@n
    i32 9, label %b@n
    i32 @small, label %c@n ]
a@n:
  br label %e@n
b@n:
  br label %e@n
c@n:
  store volatile i32 3, ptr addrspace(1) %out
  br label %e@n
d@n:
  br label %e@n
e@n:
  %v@n = phi i32 [1, %a@n], [7, %b@n], [%x, %c@n], [@small, %d@n]
  store volatile i32 %v@n, ptr addrspace(1) %out""",
    "loop": """
---
  br label %head@n
head@n:
  %i@n = phi i32 [0, %here@n], [%j@n, %head@n]
  %s@n = phi i32 [%x, %here@n], [%t@n, %head@n]
  %t@n = mul i32 %s@n, @small
  %j@n = add i32 %i@n, 1
  %done@n = icmp ugt i32 %j@n, %x
  br i1 %done@n, label %end@n, label %head@n
end@n:
  store volatile i32 %t@n, ptr addrspace(1) %out""",
    "inline asm": """
---
  %v@n = call i32 asm sideeffect "v_mov_b32 $0, $1", "=v,v,~{v@small},~{s20},~{vcc}"(i32 %x)
  call void asm sideeffect "s_nop @digit\\0As_mov_b32 s20, 0x12345678", "~{s20}"()
  store volatile i32 %v@n, ptr addrspace(1) %out""",
    "atomics": """
---
  %v@n = atomicrmw @rmw ptr addrspace(1) %out, i32 %x @scope @order
  %w@n = cmpxchg ptr addrspace(1) %out, i32 %x, i32 %v@n @scope acq_rel monotonic
  fence @scope seq_cst
  %l@n = load atomic i32, ptr addrspace(1) %out @scope acquire, align 4
  store atomic i32 %l@n, ptr addrspace(1) %out @scope release, align 4""",
    "lds atomics": """@la@n = internal addrspace(3) global i32 poison, align 4
---
  %v@n = atomicrmw @rmw ptr addrspace(3) @la@n, i32 %x syncscope("workgroup") @order
  store volatile i32 %v@n, ptr addrspace(1) %out""",
    "i64 atomics": """
---
  %z@n = zext i32 %x to i64
  %v@n = atomicrmw add ptr addrspace(1) %out, i64 %z@n @scope @order
  store volatile i64 %v@n, ptr addrspace(1) %out""",
    "cross lane": """
---
  %a@n = call i32 @llvm.amdgcn.ds.bpermute(i32 4, i32 %x)
  %b@n = call i32 @llvm.amdgcn.readfirstlane(i32 %a@n)
  %c@n = call i32 @llvm.amdgcn.readlane(i32 %x, i32 3)
  %d@n = call i32 @llvm.amdgcn.ds.swizzle(i32 %c@n, i32 100)
  %e@n = add i32 %d@n, %b@n
  store volatile i32 %e@n, ptr addrspace(1) %out""",
    "dpp": """
---
  %a@n = call i32 @llvm.amdgcn.update.dpp.i32(i32 0, i32 %x, i32 @dpp, i32 15, i32 15, i1 @bool)
  store volatile i32 %a@n, ptr addrspace(1) %out""",
    "math": """
---
  %f@n = uitofp i32 %x to float
  %a@n = call float @llvm.amdgcn.rcp.f32(float %f@n)
  %b@n = call float @llvm.amdgcn.fmed3.f32(float %a@n, float %f@n, float 2.0)
  %c@n = call <2 x half> @llvm.amdgcn.cvt.pkrtz(float %a@n, float %b@n)
  %d@n = bitcast <2 x half> %c@n to i32
  %e@n = call i32 @llvm.amdgcn.ubfe.i32(i32 %d@n, i32 %x, i32 5)
  %g@n = call i32 @llvm.amdgcn.perm(i32 %e@n, i32 %x, i32 50462976)
  %h@n = call i32 @llvm.amdgcn.mbcnt.lo(i32 -1, i32 %g@n)
  store volatile i32 %h@n, ptr addrspace(1) %out""",
    "buffer": """
---
  %r@n = load <4 x i32>, ptr addrspace(4) null
  %v@n = call <4 x float> @llvm.amdgcn.raw.buffer.load.v4f32(<4 x i32> %r@n, i32 %x, i32 16, i32 @digit)
  call void @llvm.amdgcn.raw.buffer.store.v4f32(<4 x float> %v@n, <4 x i32> %r@n, i32 %x, i32 0, i32 0)
  %t@n = call i32 @llvm.amdgcn.struct.buffer.load.i32(<4 x i32> %r@n, i32 %x, i32 4, i32 0, i32 0)
  store volatile i32 %t@n, ptr addrspace(1) %out""",
    "copy": """
---
  call void @llvm.memcpy.p1.p4.i64(ptr addrspace(1) %out, ptr addrspace(4) null, i64 @small, i1 false)
  call void @llvm.memset.p1.i64(ptr addrspace(1) %out, i8 @digit, i64 @small, i1 false)""",
    "traps": """
---
  %t@n = icmp eq i32 %x, 77
  br i1 %t@n, label %trap@n, label %on@n
trap@n:
  call void @llvm.@trap()
  unreachable
on@n:""",
    "flat": """
---
  %f@n = addrspacecast ptr addrspace(1) %out to ptr
  %v@n = load volatile i32, ptr %f@n
  %w@n = add i32 %v@n, %x
  store volatile i32 %w@n, ptr %f@n""",
    "system": """
---
  call void @llvm.amdgcn.s.sleep(i32 @digit)
  %t@n = call i64 @llvm.amdgcn.s.memtime()
  %g@n = call i32 @llvm.amdgcn.s.getreg(i32 1922)
  %w@n = call i32 @llvm.amdgcn.workgroup.id.@dim()
  store volatile i64 %t@n, ptr addrspace(1) %out
  store volatile i32 %w@n, ptr addrspace(1) %out""",
    "mfma": """
---
  %m@n = call <4 x float> @llvm.amdgcn.mfma.f32.16x16x4f32(float 1.0, float 2.0, <4 x float> zeroinitializer, i32 0, i32 0, i32 @digit)
  store volatile <4 x float> %m@n, ptr addrspace(1) %out""",
    "wmma": """
---
  %h@n = load <16 x half>, ptr addrspace(1) %out
  %m@n = call <8 x float> @llvm.amdgcn.wmma.f32.16x16x16.f16.v8f32.v16f16(<16 x half> %h@n, <16 x half> %h@n, <8 x float> zeroinitializer)
  store volatile <8 x float> %m@n, ptr addrspace(1) %out""",
    "image": """
---
  %i@n = call <4 x float> @llvm.amdgcn.image.sample.2d.v4f32.f32(i32 15, float 1.0, float 0.5, <8 x i32> zeroinitializer, <4 x i32> zeroinitializer, i1 false, i32 0, i32 0)
  %l@n = call float @llvm.amdgcn.image.load.3d.f32.i32(i32 2, i32 %x, i32 1, i32 2, <8 x i32> zeroinitializer, i32 0, i32 0)
  store volatile <4 x float> %i@n, ptr addrspace(1) %out
  store volatile float %l@n, ptr addrspace(1) %out""",
    "call": """define @linkage2 i32 @leaf@n(i32 %x) noinline {
  %r = mul i32 %x, @small
  ret i32 %r
}
---
  %r@n = call i32 @leaf@n(i32 %x)
  store volatile i32 %r@n, ptr addrspace(1) %out""",
    "recursion": """define internal i32 @deep@n(i32 %x) noinline {
  %t = icmp ult i32 %x, 2
  br i1 %t, label %out, label %in
in:
  %y = sub i32 %x, 1
  %a = call i32 @deep@n(i32 %y)
  %b = mul i32 %a, @small
  br label %out
out:
  %r = phi i32 [%x, %0], [%b, %in]
  ret i32 %r
}
---
  %r@n = call i32 @deep@n(i32 %x)
  store volatile i32 %r@n, ptr addrspace(1) %out""",
    "frame": """define internal i32 @frame@n(i32 %x, ptr addrspace(5) %p) noinline {
  %a = alloca [@small x i32], align 4, addrspace(5)
  %q = getelementptr i32, ptr addrspace(5) %a, i32 %x
  store volatile i32 %x, ptr addrspace(5) %q
  %d = alloca i32, i32 %x, align 16, addrspace(5)
  store volatile i32 1, ptr addrspace(5) %d
  %v = load volatile i32, ptr addrspace(5) %q
  ret i32 %v
}
---
  %r@n = call i32 @frame@n(i32 %x, ptr addrspace(5) null)
  store volatile i32 %r@n, ptr addrspace(1) %out""",
    "table": """define internal i32 @one@n(i32 %x) {
  ret i32 @small
}
define internal i32 @two@n(i32 %x) {
  ret i32 %x
}
@table@n = @linkage addrspace(4) constant [2 x ptr] [ptr @one@n, ptr @two@n], align 8
---
  %i@n = and i32 %x, 1
  %p@n = getelementptr [2 x ptr], ptr addrspace(4) @table@n, i32 0, i32 %i@n
  %f@n = load ptr, ptr addrspace(4) %p@n
  %r@n = call i32 %f@n(i32 %x)
  store volatile i32 %r@n, ptr addrspace(1) %out""",
    "unknown function": """declare i32 @nowhere@n(i32)
---
  %r@n = call i32 @nowhere@n(i32 %x)
  store volatile i32 %r@n, ptr addrspace(1) %out""",
}
CALLS = {"call", "recursion", "frame", "table", "unknown function"}
NEEDS = {  # of the processor's version, as a number: gfx90a is 0x90a
    "flat": lambda v: v >= 0x700, "dpp": lambda v: v >= 0x800, "wmma": lambda v: 0x1100 <= v < 0x1170,
    "mfma": lambda v: v in (0x908, 0x90a, 0x942, 0x950), "system": lambda v: v < 0x1100, "cross lane": lambda v: v >= 0x800,
    "image": lambda v: v not in (0x90a, 0x942, 0x950) and v < 0x1250,
}
SHADERS = {"amdgpu_ps": "<4 x i32> inreg %r, float inreg %k, i32 %x, float %f", "amdgpu_vs": "i32 inreg %r, i32 %x",
           "amdgpu_cs": "i32 inreg %r, i32 %x", "amdgpu_gs": "i32 inreg %r, i32 %x", "amdgpu_hs": "i32 inreg %r, i32 %x",
           "amdgpu_ls": "i32 inreg %r, i32 %x", "amdgpu_es": "i32 inreg %r, i32 %x",
           "amdgpu_cs_chain": "i32 inreg %r, i32 %x", "amdgpu_gfx": "i32 inreg %r, i32 %x"}
CHOICES = {
    "linkage": ["internal", "", "weak", "linkonce_odr", "hidden", "protected", "weak_odr hidden", "private", "dso_local"],
    "linkage2": ["internal", "", "weak", "linkonce_odr", "hidden", "protected", "weak_odr hidden", "private"],
    "visible": ["", "hidden", "protected", "weak", "internal"], "dim": ["x", "y", "z"], "bool": ["true", "false"],
    "small": ["4", "5", "7", "9", "12", "33", "64", "100"], "digit": ["0", "1", "2", "3"],
    "rmw": ["add", "sub", "and", "or", "xor", "max", "umin", "xchg"], "dpp": ["177", "228", "257", "273", "320", "321"],
    "scope": ["", 'syncscope("agent")', 'syncscope("workgroup")', 'syncscope("wavefront")', 'syncscope("singlethread")',
              'syncscope("agent-one-as")'],
    "order": ["monotonic", "acquire", "release", "acq_rel", "seq_cst"], "trap": ["trap", "debugtrap"],
}


def version(processor):
    name = processor.removeprefix("gfx")
    major, _, rest = name.partition("-")
    return int(major.replace("-", ""), 16) * (0x100 if rest else 1)


class Module:
    def __init__(self, rng, system, processor, debug):
        self.rng, self.system, self.version, self.debug = rng, system, version(processor), debug
        self.count, self.globals, self.functions, self.metadata, self.kernels = 0, [], [], [], []

    def fill(self, text, number):
        text = re.sub(r"@n\b|(?<=\w)@n", str(number), text)
        chosen = {}

        def choose(found):  # "@small" is one number in a piece, the others differ
            name = found[1]
            value = chosen.get(name) or self.rng.choice(CHOICES[name])
            if name in ("small", "trap"):
                chosen[name] = value
            return value
        return re.sub(r"@(%s)\b" % "|".join(sorted(CHOICES, key=len, reverse=True)), choose, text)

    def piece(self, kinds):
        self.count += 1
        head, body = self.fill(PIECES[self.rng.choice(kinds)], self.count).split("---\n")
        self.globals.append(head.strip("\n"))
        return f"  br label %here{self.count}\nhere{self.count}:\n{body}"

    def arithmetic(self):
        """A chain of random steps on one type."""
        self.count += 1
        n, real = self.count, self.rng.random() < 0.5
        kind = self.rng.choice(FLOATS if real else INTEGERS)
        suffix = re.sub(r"<(\d+) x (\w+)>", lambda m: f"v{m[1]}{m[2]}", kind)
        for name, short in (("half", "f16"), ("bfloat", "bf16"), ("float", "f32"), ("double", "f64")):
            suffix = re.sub(rf"\b(v\d+)?{name}\b", lambda m, short=short: (m[1] or "") + short, suffix)
        lines = [f"  br label %here{n}", f"here{n}:", f"  %a{n}_0 = load volatile {kind}, ptr addrspace(1) %out",
                 f"  %a{n}_1 = load volatile {kind}, ptr addrspace(1) %out"]
        for i in range(2, self.rng.randint(3, 7)):
            step = self.rng.choice(FLOAT_STEPS if real else INTEGER_STEPS)
            if step in ("udiv", "srem") and ("64" in kind or "128" in kind):
                step = "add"
            if step == "call bswap" and "8" in kind.split()[-1][:3] and "128" not in kind:
                step = "xor"
            if kind == "double" and step in ("call exp2", "call log2", "call sin") or kind == "<2 x double>":
                step = "fadd"
            a, b = f"%a{n}_{i - 1}", f"%a{n}_{self.rng.randrange(i)}"
            if step == "fneg":
                lines.append(f"  %a{n}_{i} = fneg {kind} {a}")
            elif step.startswith("call"):
                name = step[5:]
                one = {"bswap", "ctpop", "bitreverse", "sqrt", "fabs", "floor", "exp2", "log2", "sin", "canonicalize"}
                values = [a] if name in one else [a, b, a] if name in ("fma", "fshl") else [a, b]
                given = ", ".join(f"{kind} {v}" for v in values) + (", i1 false" if name == "ctlz" else "")
                given = given.replace(f", {kind} {b}", "") if name == "ctlz" else given
                lines.append(f"  %a{n}_{i} = call {kind} @llvm.{name}.{suffix}({given})")
            else:
                lines.append(f"  %a{n}_{i} = {step} {kind} {a}, {b}")
            last = i
        lines.append(f"  store volatile {kind} %a{n}_{last}, ptr addrspace(1) %out")
        return "\n".join(lines)

    def body(self, calls):
        kinds = [k for k in PIECES if NEEDS.get(k, bool)(self.version) and (calls or k not in CALLS)]
        return "\n".join(self.arithmetic() if self.rng.random() < 0.3 else self.piece(kinds)
                         for _ in range(self.rng.randint(1, 3)))

    def kernel(self, name):
        self.kernels.append(name)
        rng = self.rng
        attributes = rng.sample(['"amdgpu-flat-work-group-size"="1,256"', '"amdgpu-waves-per-eu"="2,8"', '"amdgpu-ieee"="false"',
                                 '"uniform-work-group-size"="true"', '"denormal-fp-math-f32"="preserve-sign,preserve-sign"',
                                 '"frame-pointer"="all"', "nounwind", '"amdgpu-no-dispatch-ptr" "amdgpu-no-queue-ptr"', "optnone noinline",
                                 '"amdgpu-num-vgpr"="40"', 'section ".text.own"', "align 512"], rng.randint(0, 3))
        attributes.sort(key=lambda a: a.startswith(("section", "align")) + a.startswith("align"))
        extra = rng.choice(["", ", i32 %a, <3 x i8> %b", ", ptr addrspace(3) %l", ", double %d, { i32, i64 } %s", ", i8 zeroext %c, half %h",
                            ", ptr addrspace(4) byref([5 x i32]) %by"])
        linkage = rng.choice(["", "", "", "weak_odr", "protected", "hidden", "linkonce_odr"])
        self.define(f"define {linkage} amdgpu_kernel void @{name}(ptr addrspace(1) %out{extra}) {' '.join(attributes)}",
                    "  %x = call i32 @llvm.amdgcn.workitem.id.x()\n", self.body(True), rng.random() < 0.4)

    def define(self, head, first, body, described=False):
        where = ""
        if self.debug:
            n = len(self.functions)
            where = f" !dbg !{10 + n}"
            name = re.search(r"@(\w+)\(", head)[1]
            self.metadata.append(f'!{10 + n} = distinct !DISubprogram(name: "{name}", scope: !1, file: !1, line: {n + 2}, '
                                 "type: !3, spFlags: DISPFlagDefinition, unit: !0)")
            lines = (first + body).split("\n")
            text = "\n".join(line + (f", !dbg !DILocation(line: {n + 2 + i // 2}, column: {i % 9 + 1}, scope: !{10 + n})"
                                     if re.match(r"  (%\w+ = |call|store|fence|br)", line) else "") for i, line in enumerate(lines))
            first, body = text, f"\n  ret void, !dbg !DILocation(line: {n + 99}, column: 1, scope: !{10 + n})"
        else:
            body += "\n  ret void"
        size = " !reqd_work_group_size !{i32 64, i32 2, i32 1}" if described else ""
        self.functions.append(f"{head}{where}{size} {{\n{first}{body}\n}}")

    def shader(self, name):
        rng, modern = self.rng, self.version >= 0x900
        kinds = [k for k in SHADERS if not (k in ("amdgpu_ls", "amdgpu_es", "amdgpu_vs") and modern)]
        if self.version < 0x1000:
            kinds.remove("amdgpu_cs_chain")
        if not modern:
            kinds.remove("amdgpu_gfx")
        kind = rng.choice(kinds)
        attributes = rng.choice(["", '"InitialPSInputAddr"="36983"', '"amdgpu-ieee"="false"', "nounwind"])
        parameters, first = SHADERS[kind], "  %out = inttoptr i64 4096 to ptr addrspace(1)\n"
        if kind == "amdgpu_ps":
            first += ("  call void @llvm.amdgcn.exp.f32(i32 0, i32 15, float %f, float %k, float %f, float 1.0, i1 true, i1 true)\n"
                      "  call void @llvm.amdgcn.kill(i1 false)\n" if rng.random() < 0.5 else
                      "  call void @llvm.amdgcn.exp.f32(i32 0, i32 15, float %f, float %k, float %f, float 1.0, i1 true, i1 true)\n")
        if kind in ("amdgpu_vs", "amdgpu_gs") and self.version < 0x1100:
            first += "  call void @llvm.amdgcn.exp.i32(i32 12, i32 15, i32 %x, i32 0, i32 1, i32 %x, i1 true, i1 false)\n"
        self.define(f"define {kind} void @{name}({parameters}) {attributes}", first, self.body(kind == "amdgpu_gfx"))

    def text(self, triple):
        rng = self.rng
        graphics = self.system in ("amdpal", "mesa3d", "")
        for i in range(rng.randint(1, 3)):
            if graphics and rng.random() < 0.6:
                self.shader(f"shader{i}")
            else:
                self.kernel(f"kernel{i}")
        if rng.random() < 0.2:
            self.define(f"define {rng.choice(['', 'hidden', 'weak'])} void @device(i32 %x, ptr addrspace(1) %out)", "", self.body(True))
        if rng.random() < 0.1:
            self.globals.append("@llvm.used = appending addrspace(1) global [1 x ptr] [ptr @%s], section \"llvm.metadata\""
                                % re.search(r"@(\w+)\(", self.functions[0])[1])
        if rng.random() < 0.1:
            self.globals.append("@llvm.global_ctors = appending addrspace(1) global [1 x { i32, ptr, ptr }] "
                                "[{ i32, ptr, ptr } { i32 1, ptr @ctor, ptr null }]")
            self.define("define internal void @ctor()", "", "")
        if rng.random() < 0.2:
            self.metadata.append('!opencl.ocl.version = !{!7}\n!7 = !{i32 2, i32 0}')
        if rng.random() < 0.15:
            self.metadata.append('!llvm.printf.fmts = !{!8}\n!8 = !{!"1:1:4:%d\\\\n"}')
        if rng.random() < 0.2:
            self.metadata.append('!llvm.ident = !{!9}\n!9 = !{!"ours 1.0"}')
        if self.system == "amdpal" and rng.random() < 0.5:
            self.metadata.append("!amdgpu.pal.metadata = !{!6}\n!6 = !{i32 11274, i32 33, i32 268435499, i32 7}" if rng.random() < 0.5 else
                                 '!amdgpu.pal.metadata.msgpack = !{!6}\n!6 = !{!"\\82\\B0amdpal.pipelines\\91\\80\\AEamdpal.version\\92\\03\\00"}')
        if self.debug:
            self.metadata += ['!llvm.dbg.cu = !{!0}\n!llvm.module.flags = !{!4, !5}',
                              '!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, producer: "ours", emissionKind: FullDebug)',
                              '!1 = !DIFile(filename: "k.c", directory: "/src")', "!3 = !DISubroutineType(types: !{null})",
                              '!4 = !{i32 2, !"Debug Info Version", i32 3}',
                              '!5 = !{i32 7, !"Dwarf Version", i32 %d}' % rng.choice([4, 5])]
        return "\n".join([f'target triple = "{triple}"', *filter(None, self.globals), *self.functions, *self.metadata]) + "\n"


def module(rng, system, processor, triple):
    made = Module(rng, system, processor, rng.random() < 0.25)
    text = made.text(triple)
    return text, made.kernels
