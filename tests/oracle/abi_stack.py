"""Random programs that take private memory while they run: sizes that all lanes share or that differ, in branches and loops,
given back or not, and in functions that call themselves and by pointers."""

# Where buffers access scratch, llc-22 takes s32, which counts whole waves, for a lane's address; elsewhere its code takes 32
# or 64 times the bytes that it needs.
ON_HOST = True
P = "ptr addrspace(5)"
SHARED = f"""
declare {P} @llvm.stacksave.p5()
declare void @llvm.stackrestore.p5({P})
define internal void @fill({P} %p, i32 %count, i32 %seed) {{
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %more = icmp ult i32 %i, %count
  br i1 %more, label %body, label %end
body:
  %at = getelementptr i32, {P} %p, i32 %i
  %m = mul i32 %i, 77
  %v = add i32 %m, %seed
  store i32 %v, {P} %at
  %next = add i32 %i, 1
  br label %loop
end:
  ret void
}}
define internal i32 @sum({P} %p, i32 %count, i32 %start) {{
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %s = phi i32 [ %start, %entry ], [ %s2, %body ]
  %more = icmp ult i32 %i, %count
  br i1 %more, label %body, label %end
body:
  %at = getelementptr i32, {P} %p, i32 %i
  %v = load i32, {P} %at
  %m = mul i32 %s, 5
  %s2 = add i32 %m, %v
  %next = add i32 %i, 1
  br label %loop
end:
  ret i32 %s
}}
define internal i32 @leaf(i32 %a, i32 %b) #0 {{
  %size = and i32 %b, 7
  %p = alloca i32, i32 %size, align 4, addrspace(5)
  call void @fill({P} %p, i32 %size, i32 %a)
  %r = call i32 @sum({P} %p, i32 %size, i32 %b)
  ret i32 %r
}}
define internal i32 @again(i32 %depth, i32 %x) #0 {{
entry:
  %kept = alloca [3 x i32], align 64, addrspace(5)
  store i32 %x, {P} %kept
  %size = and i32 %x, 15
  %p = alloca i32, i32 %size, align 32, addrspace(5)
  call void @fill({P} %p, i32 %size, i32 %x)
  %done = icmp eq i32 %depth, 0
  br i1 %done, label %end, label %more
more:
  %less = sub i32 %depth, 1
  %y = mul i32 %x, 1103515245
  %r = call i32 @again(i32 %less, i32 %y)
  br label %end
end:
  %v = phi i32 [ 1, %entry ], [ %r, %more ]
  %k = load i32, {P} %kept
  %s = call i32 @sum({P} %p, i32 %size, i32 %v)
  %low = ptrtoint {P} %p to i32
  %odd = and i32 %low, 31
  %s2 = add i32 %s, %odd
  %s3 = add i32 %s2, %k
  %low2 = ptrtoint {P} %kept to i32
  %odd2 = and i32 %low2, 63
  %s4 = add i32 %s3, %odd2
  ret i32 %s4
}}
"""


class Program:
    def __init__(self, rng):
        self.rng, self.lines, self.count, self.kept = rng, [], 0, []

    def new(self, text):
        self.count += 1
        self.lines.append(f"  %v{self.count} = {text}")
        return f"%v{self.count}"

    def put(self, text):
        self.lines.append("  " + text)

    def size(self):
        """Few bytes: the same in all lanes, of each lane, or a constant."""
        pick = self.rng.randrange(4)
        if pick == 0:
            return str(self.rng.randrange(1, 9))
        source = "%n" if pick == 1 else "%id" if pick == 2 else self.word(self.rng.randrange(8))
        return self.new(f"and i32 {source}, {self.rng.choice([3, 7, 15])}")

    def word(self, which):
        at = self.new(f"getelementptr i32, ptr addrspace(1) %mine, i32 {which}")
        return self.new(f"load i32, ptr addrspace(1) {at}")

    def take(self):
        size, wide = self.size(), self.rng.random() < 0.3
        if wide:
            wide = self.new(f"zext i32 {size} to i64")
        count = f"i64 {wide}" if wide else f"i32 {size}"
        place = self.new(f"alloca i32, {count}, align {self.rng.choice([4, 4, 16, 64])}, addrspace(5)")
        self.put(f"call void @fill({P} {place}, i32 {size}, i32 {self.rng.randrange(1000)})")
        return place, size

    def add(self, place, size):
        old = self.new(f"load i32, {P} %result")
        self.put(f"store i32 {self.new(f'call i32 @sum({P} {place}, i32 {size}, i32 {old})')}, {P} %result")

    def label(self):
        self.count += 1
        return f"b{self.count}"

    def branch(self, depth):
        yes, no, join = self.label(), self.label(), self.label()
        word = self.word(self.rng.randrange(8))
        condition = self.new(f"icmp ult i32 {self.rng.choice([word, '%id', '%n'])}, {self.rng.choice([5, 40, 200])}")
        self.put(f"br i1 {condition}, label %{yes}, label %{no}")
        for label in (yes, no):
            self.lines.append(f"{label}:")
            self.region(depth)
            self.put(f"br label %{join}")
        self.lines.append(f"{join}:")

    def loop(self, depth):
        head, body, end = self.label(), self.label(), self.label()
        counter = self.new("alloca i32, align 4, addrspace(5)")
        self.put(f"store i32 0, {P} {counter}")
        word = self.word(self.rng.randrange(8))
        limit = self.new(f"and i32 {self.rng.choice([word, '%id', '%n'])}, 3")
        gives_back = self.rng.random() < 0.7
        self.put(f"br label %{head}")
        self.lines.append(f"{head}:")
        i = self.new(f"load i32, {P} {counter}")
        self.put(f"br i1 {self.new(f'icmp ult i32 {i}, {limit}')}, label %{body}, label %{end}")
        self.lines.append(f"{body}:")
        saved = self.new(f"call {P} @llvm.stacksave.p5()") if gives_back else None
        self.region(depth)
        if saved:
            self.put(f"call void @llvm.stackrestore.p5({P} {saved})")
        self.put(f"store i32 {self.new(f'add i32 {i}, 1')}, {P} {counter}")
        self.put(f"br label %{head}")
        self.lines.append(f"{end}:")

    def call(self):
        x = self.word(self.rng.randrange(8))
        pick = self.rng.randrange(3)
        if pick == 0:
            r = self.new(f"call i32 @leaf(i32 {x}, i32 %id)")
        elif pick == 1:
            r = self.new(f"call i32 @again(i32 {self.rng.randrange(4)}, i32 {x})")
        else:
            which = self.new(f"icmp ult i32 {x}, 100")
            r = self.new(f"call i32 {self.new(f'select i1 {which}, ptr @leaf, ptr @again')}(i32 2, i32 {x})")
        old = self.new(f"load i32, {P} %result")
        self.put(f"store i32 {self.new(f'xor i32 {old}, {r}')}, {P} %result")

    def region(self, depth):
        mine = []
        for _ in range(self.rng.randrange(1, 4)):
            pick = self.rng.random()
            if depth and pick < 0.25:
                self.branch(depth - 1)
            elif depth and pick < 0.5:
                self.loop(depth - 1)
            elif pick < 0.65:
                self.call()
            else:
                mine.append(self.take())
        for place, size in mine:
            self.add(place, size)


def program(rng, _number, _processor):
    p = Program(rng)
    p.lines = [f"  %result = alloca i32, align 4, addrspace(5)", f"  store i32 1, {P} %result"]
    first = p.take()
    p.region(3)
    p.add(*first)
    p.put(f"store i32 {p.new(f'load i32, {P} %result')}, ptr addrspace(1) %mine")
    return "\n".join(p.lines) + "\n", [SHARED]
