#!/usr/bin/env python3
"""LLVM IR functions of any size in the shapes that compilers find hard: for a compiler's time to be held against the size.

usage: shapes.py SHAPE INSTRUCTIONS > k.ll (shapes: those of SHAPES below)"""
import sys

HEAD = """target triple = "amdgcn-amd-amdhsa"
declare i32 @llvm.amdgcn.workitem.id.x()
define amdgpu_kernel void @k(ptr addrspace(1) %p, i32 %n, i32 %m) {
entry:
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %at = getelementptr inbounds i32, ptr addrspace(1) %p, i32 %id
  %v = load i32, ptr addrspace(1) %at, align 4
"""
OPERATIONS = ("add", "xor", "mul", "sub", "or", "and")


def tail(value):
    return [f"  store i32 {value}, ptr addrspace(1) %at, align 4", "  ret void", "}"]


def straight(count):
    """One block, each value of the two before."""
    lines, names = [], ["%v", "%id"]
    for k in range(count):
        lines.append(f"  %s{k} = {OPERATIONS[k % 3]} i32 {names[-1]}, {names[-2]}")
        names = [names[-1], f"%s{k}"]
    return lines + tail(names[-1])


def memory(count):
    """One block of loads, sums and stores at addresses that the compiler cannot tell apart."""
    lines = []
    for k in range(count // 6):
        lines += [f"  %m{k} = mul i32 {'%v' if not k else f'%y{k - 1}'}, {2 * k + 3}", f"  %i{k} = and i32 %m{k}, 255",
                  f"  %p{k} = getelementptr inbounds i32, ptr addrspace(1) %p, i32 %i{k}",
                  f"  %x{k} = load i32, ptr addrspace(1) %p{k}, align 4", f"  %y{k} = add i32 %x{k}, %id",
                  f"  store i32 %y{k}, ptr addrspace(1) %p{k}, align 4"]
    return lines + tail("%v")


def live(count):
    """One block: a hundred values at a time, summed up, from loads that may all stand first."""
    lines, last, k = [], "%v", 0
    while k < count:
        lines += [f"  %q{k + j} = getelementptr inbounds i32, ptr addrspace(1) %at, i32 {k + j}\n"
                  f"  %l{k + j} = load i32, ptr addrspace(1) %q{k + j}, align 4" for j in range(50)]
        for j in range(50):
            lines.append(f"  %t{k + j} = {OPERATIONS[j % 4]} i32 {last}, %l{k + j}")
            last = f"%t{k + j}"
        k += 150
    return lines + tail(last)


def kept(count):
    """As many values as there are instructions are live at once, up to 2000: most are spilled."""
    many = min(count // 2, 2000)
    lines = [f"  %a{k} = mul i32 %v, {2 * k + 12345}" for k in range(many)]
    last = "%v"
    for k in range(count - many):
        lines.append(f"  %b{k} = xor i32 {last}, %a{k * 7 % many}")
        lines.append(f"  %c{k} = add i32 %b{k}, {k % 60}")
        last = f"%c{k}"
    return lines + tail(last)


def diamonds(count, uniform=False):
    """One conditional after the other, with a phi each."""
    lines, last, before = [], "%n" if uniform else "%v", "entry"
    for k in range(count // 6):
        lines += [f"  %c{k} = icmp sgt i32 {last}, {k % 50}", f"  br i1 %c{k}, label %t{k}, label %j{k}", f"t{k}:",
                  f"  %x{k} = mul i32 {last}, {2 * k + 3}", f"  %y{k} = xor i32 %x{k}, %m", f"  br label %j{k}", f"j{k}:",
                  f"  %z{k} = phi i32 [ {last}, %{before} ], [ %y{k}, %t{k} ]"]
        last, before = f"%z{k}", f"j{k}"
    return lines + tail(last)


def branches(count):
    """The same, and all lanes go together."""
    return diamonds(count, True)


def loops(count):
    """One loop after the other."""
    lines, last, before = [], "%v", "entry"
    for k in range(count // 8):
        lines += [f"  br label %l{k}", f"l{k}:", f"  %i{k} = phi i32 [ 0, %{before} ], [ %j{k}, %l{k} ]",
                  f"  %s{k} = phi i32 [ {last}, %{before} ], [ %t{k}, %l{k} ]", f"  %u{k} = mul i32 %s{k}, {k + 3}",
                  f"  %t{k} = add i32 %u{k}, %i{k}", f"  %j{k} = add i32 %i{k}, 1",
                  f"  %d{k} = icmp slt i32 %j{k}, {'%id' if k % 2 else '%n'}", f"  br i1 %d{k}, label %l{k}, label %e{k}", f"e{k}:"]
        last, before = f"%t{k}", f"e{k}"
    return lines + tail(last)


def nested(count):
    """Conditionals inside of one another, a hundred deep, one nest after the other."""
    lines, last, before, n = [], "%v", "entry", 0
    while n < count // 8:
        deep = min(100, count // 8 - n)
        inside, path = last, []
        for k in range(n, n + deep):
            lines += [f"  %c{k} = icmp sgt i32 {inside}, {k % 64}", f"  %x{k} = mul i32 {inside}, {2 * k + 5}",
                      f"  br i1 %c{k}, label %t{k}, label %j{k}", f"t{k}:", f"  %y{k} = add i32 %x{k}, %n"]
            path.append((k, before))
            inside, before = f"%y{k}", f"t{k}"
        for k, came in reversed(path):
            lines += [f"  br label %j{k}", f"j{k}:", f"  %z{k} = phi i32 [ %x{k}, %{came} ], [ {inside}, %{before} ]"]
            inside, before = f"%z{k}", f"j{k}"
        last = inside
        n += deep
    return lines + tail(last)


def loop_nest(count):
    """Loops inside of one another, twenty deep, one nest after the other."""
    lines, last, before, n = [], "%v", "entry", 0
    while n < count // 8:
        deep, sums = min(20, count // 8 - n), []
        for k in range(n, n + deep):
            lines += [f"  br label %l{k}", f"l{k}:", f"  %i{k} = phi i32 [ 0, %{before} ], [ %j{k}, %e{k} ]",
                      f"  %s{k} = phi i32 [ {last}, %{before} ], [ %t{k}, %e{k} ]"]
            sums.append(last)
            last, before = f"%s{k}", f"l{k}"
        for k in reversed(range(n, n + deep)):
            lines += [f"  br label %e{k}", f"e{k}:", f"  %t{k} = add i32 {last}, %i{k}", f"  %j{k} = add i32 %i{k}, 1",
                      f"  %d{k} = icmp slt i32 %j{k}, {'%id' if k % 3 else '%n'}", f"  br i1 %d{k}, label %l{k}, label %x{k}",
                      f"x{k}:"]
            last, before = f"%t{k}", f"x{k}"
        n += deep
    return lines + tail(last)


def switch(count):
    """One switch of as many cases as a tenth of the instructions."""
    cases = count // 10
    lines = ["  switch i32 %v, label %j ["] + [f"    i32 {3 * k}, label %c{k}" for k in range(cases)] + ["  ]"]
    for k in range(cases):
        lines += [f"c{k}:", f"  %x{k} = mul i32 %id, {2 * k + 7}", "  br label %j"]
    lines += ["j:", "  %z = phi i32 [ 0, %entry ], " + ", ".join(f"[ %x{k}, %c{k} ]" for k in range(cases))]
    return lines + tail("%z")


def calls(count):
    """Calls of a function that is not inlined, since it calls itself."""
    lines, last = [], "%v"
    for k in range(count // 3):
        lines += [f"  %x{k} = call i32 @f(i32 {last}, i32 {k})", f"  %y{k} = add i32 %x{k}, %id", f"  %w{k} = xor i32 %y{k}, %m"]
        last = f"%w{k}"
    return lines + tail(last) + ["define internal i32 @f(i32 %a, i32 %b) noinline {", "  %c = icmp sgt i32 %a, 100",
                                 "  br i1 %c, label %t, label %e", "t:", "  %d = ashr i32 %a, 1",
                                 "  %r = call i32 @f(i32 %d, i32 %b)", "  ret i32 %r", "e:", "  ret i32 %a", "}"]


def phis(count):
    """A loop that carries sixty values, over blocks that join thirty each."""
    lines, values, before = [], [f"%v{k}" for k in range(30)], "entry"
    lines += [f"  {v} = add i32 %v, {k + 1}" for k, v in enumerate(values)]
    for b in range(count // 64):
        lines += [f"  %c{b} = icmp sgt i32 {values[b % 30]}, {b % 40}", f"  br i1 %c{b}, label %t{b}, label %j{b}", f"t{b}:"]
        lines += [f"  %x{b}.{k} = xor i32 {v}, {values[(k + 1) % 30]}" for k, v in enumerate(values)]
        lines += [f"  br label %j{b}", f"j{b}:"]
        lines += [f"  %z{b}.{k} = phi i32 [ {v}, %{before} ], [ %x{b}.{k}, %t{b} ]" for k, v in enumerate(values)]
        values, before = [f"%z{b}.{k}" for k in range(30)], f"j{b}"
    last = values[0]
    for k in range(1, 30):
        lines.append(f"  %end{k} = add i32 {last}, {values[k]}")
        last = f"%end{k}"
    return lines + tail(last)


def across(count):
    """Of values that the first block makes, each further one reads one: all live through half of the blocks."""
    many = count // 8
    lines = [f"  %a{k} = add i32 %m, {3 * k}" for k in range(many)]
    last, before = "%v", "entry"
    for k in range(many):
        lines += [f"  %c{k} = icmp sgt i32 {last}, {k % 50}", f"  br i1 %c{k}, label %t{k}, label %j{k}", f"t{k}:",
                  f"  %x{k} = mul i32 {last}, %a{k}", f"  br label %j{k}", f"j{k}:",
                  f"  %z{k} = phi i32 [ {last}, %{before} ], [ %x{k}, %t{k} ]"]
        last, before = f"%z{k}", f"j{k}"
    return lines + tail(last)


SHAPES = {each.__name__: each for each in (straight, memory, live, kept, diamonds, branches, loops, nested, loop_nest, switch,
                                           calls, phis, across)}


def text(shape, count):
    return HEAD + "\n".join(SHAPES[shape](count)) + "\n"


if __name__ == "__main__":
    if len(sys.argv) != 3 or sys.argv[1] not in SHAPES:
        sys.exit(__doc__)
    sys.stdout.write(text(sys.argv[1], int(sys.argv[2])))
