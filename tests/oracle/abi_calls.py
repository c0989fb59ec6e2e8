"""Random C functions with a variable number of arguments, with more arguments than there are registers, structs as arguments and
results, large results; called by name and by pointers that lanes choose. clang makes IR of them."""
import random
import re
import subprocess

ON_HOST = False
HEAD = """
typedef __builtin_va_list va_list;
typedef unsigned u32; typedef unsigned long u64;
typedef u32 v4 __attribute__((ext_vector_type(4)));
typedef unsigned char c16 __attribute__((ext_vector_type(16)));
struct small { u32 a; unsigned char b; };
struct pair { u64 a; float f; unsigned short s; };
struct big { u32 w[41]; };
struct mixed { unsigned char c; u64 l; v4 v; struct small s[2]; };
#define GLOBAL __attribute__((address_space(1)))
"""
KERNEL = "__attribute__((amdgpu_kernel, amdgpu_flat_work_group_size(1, 128)))"
TYPES = ["u32", "u64", "unsigned char", "unsigned short", "float", "double", "_Bool", "v4", "c16", "__int128", "struct small", "struct pair",
         "struct big", "struct mixed"]
VARIADIC = ["u32", "u64", "double", "struct small", "struct pair", "struct mixed", "v4"]


class Program:
    def __init__(self, rng, number):
        self.rng, self.number, self.lines, self.count = rng, number, [], 0

    def hash(self, kind, name):
        """A number of all that a value is."""
        if kind in ("float", "double"):
            return f"(u32)(int){name}"
        if kind in ("u64", "__int128"):
            return f"(u32)({name} ^ ({name} >> 32))"
        if kind == "v4":
            return f"({name}.x + 3 * {name}.y + 5 * {name}.z + 7 * {name}.w)"
        if kind == "c16":
            return f"({name}.s0 + 3u * {name}.s5 + 5u * {name}.sf)"
        if kind == "struct small":
            return f"({name}.a * 3 + {name}.b)"
        if kind == "struct pair":
            return f"((u32){name}.a + (u32)(int){name}.f * 7 + {name}.s)"
        if kind == "struct big":
            return f"({name}.w[0] + 3 * {name}.w[17] + 5 * {name}.w[40])"
        if kind == "struct mixed":
            return f"({name}.c + (u32){name}.l * 3 + {name}.v.y * 5 + {name}.s[1].a * 7 + {name}.s[1].b * 9)"
        return f"(u32){name}"

    def make(self, kind, x):
        """A value of numbers that x tells."""
        if kind in ("float", "double"):
            return f"({kind})(({x}) & 1023)"
        if kind == "v4":
            return f"(v4){{{x}, {x} * 3, {x} + 9, {x} ^ 5}}"
        if kind == "c16":
            return f"(c16)({x})"
        if kind == "struct small":
            return f"(struct small){{{x}, (unsigned char)({x} * 7)}}"
        if kind == "struct pair":
            return f"(struct pair){{(u64)({x}) * 77777777777ul, (float)(({x}) & 63), (unsigned short)({x})}}"
        if kind == "struct big":
            return f"(struct big){{{{{x}, 2, 3, [17] = {x} * 11, [40] = {x} ^ 99}}}}"
        if kind == "struct mixed":
            return f"(struct mixed){{(unsigned char)({x}), {x} * 5ul, (v4)({x}), {{{{{x}, 1}}, {{{x} + 1, 2}}}}}}"
        return f"({kind})(({x}) * {'0x100000001ul' if kind in ('u64', '__int128') else '1u'})"

    def fixed(self, name, result, kinds, calls):
        """Adds up its arguments, writes to those in memory, and may go on to another function."""
        self.lines.append(f"static __attribute__((noinline)) {result} {name}({', '.join(f'{k} a{i}' for i, k in enumerate(kinds))}) {{")
        self.lines.append("  u32 sum = 1;")
        for i, kind in enumerate(kinds):
            self.lines.append(f"  sum = sum * 31 + {self.hash(kind, f'a{i}')};")
            if kind == "struct big":
                self.lines.append(f"  for (u32 i = 0; i < 41; i++) a{i}.w[i] = sum;")
                self.lines.append(f"  sum += a{i}.w[sum % 41];")
        self.lines += [f"  sum ^= {call};" for call in calls]
        self.lines.append(f"  return {self.make(result, 'sum')};\n}}")

    def variadic(self, name, kinds):
        """The caller says with which of two orders; read twice."""
        self.lines.append(f"static __attribute__((noinline)) u32 {name}(u32 times, ...) {{")
        self.lines.append("  va_list list, again; u32 sum = times; __builtin_va_start(list, times); __builtin_va_copy(again, list);")
        for i, kind in enumerate(kinds):
            self.lines.append(f"  {kind} a{i} = __builtin_va_arg(list, {kind}); sum = sum * 31 + {self.hash(kind, f'a{i}')};")
        self.lines.append("  for (u32 i = 0; i < times; i++) sum = sum * 5 + __builtin_va_arg(list, u32);")
        self.lines.append(f"  {kinds[0]} b = __builtin_va_arg(again, {kinds[0]}); sum += {self.hash(kinds[0], 'b')};")
        self.lines.append("  __builtin_va_end(list); __builtin_va_end(again); return sum;\n}")

    def text(self):
        rng, n = self.rng, self.number
        kinds = [rng.choice(TYPES) for _ in range(rng.choice([2, 5, 9, 20]))]
        result, more = rng.choice(TYPES), [rng.choice(VARIADIC) for _ in range(rng.randrange(1, 6))]
        self.fixed(f"one{n}", result, kinds, [])
        self.fixed(f"two{n}", result, kinds, [self.hash(result, f"one{n}({', '.join(f'a{i}' for i in range(len(kinds)))})")]
                   if result not in ("v4",) or True else [])
        for name in ("many", "more"):
            self.variadic(f"{name}{n}", more)
        arguments = ", ".join(self.make(kind, f"x + {i}") for i, kind in enumerate(kinds))
        varying = "".join(", " + self.make(kind, f"x + {i}") for i, kind in enumerate(more))
        self.lines.append(f"{KERNEL} void k{n}(GLOBAL u32 *data, u32 n) {{")
        self.lines.append("  GLOBAL u32 *mine = data + 8 * __builtin_amdgcn_workitem_id_x(); u32 x = mine[0];")
        self.lines.append(f"  {result} (*which)({', '.join(kinds)}) = mine[1] & 1 ? one{n} : two{n};")
        self.lines.append(f"  {result} r = which({arguments}), s = one{n}({arguments}); mine[0] = {self.hash(result, 'r')}; mine[1] = {self.hash(result, 's')};")
        self.lines.append(f"  u32 (*any)(u32, ...) = mine[2] & 1 ? many{n} : more{n};")
        self.lines.append(f"  mine[2] = any(2{varying}, x, n); mine[3] = many{n}(3{varying}, n, x, 7u);\n}}")
        return "\n".join(self.lines)


def module(numbers, seed, processor):
    rng = random.Random(f"calls {seed}")
    source = HEAD + "\n".join(Program(random.Random(f"calls {seed} {n}"), n).text() for n in numbers)
    made = subprocess.run(["clang-22", "-x", "c", "-", "-target", "amdgcn-amd-amdhsa", "-mcpu=" + processor, "-nogpulib", "-w", "-S", "-emit-llvm",
                           rng.choice(["-O0", "-O1", "-O2"]), "-o", "-"], input=source, capture_output=True, text=True, check=False)
    if made.returncode:
        raise SystemExit(made.stderr[:2000])
    return re.sub(r'"target-(cpu|features)"="[^"]*" ?', "", made.stdout)
