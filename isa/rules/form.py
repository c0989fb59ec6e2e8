"""One way to encode one instruction on one generation: slots, modifiers, text, and the bits that are fixed."""
import collections
import copy
import re

Slot = collections.namedtuple('Slot', 'role takes type flags dwords pieces modifiers element elements')
Modifier = collections.namedtuple('Modifier', 'mod style pieces')

# Types of operands: bits; how constants are read (enum og_type); whether they are numbers with a sign bit, floats, or
# plain bits. Longer ones are plain bits.
TYPES = {}
for words in '''f16 16 F16 f, bf16 16 BF16 f, i16 16 I16 i, u16 16 I16 i, b16 16 I16 i, f32 32 F32 f, i32 32 I32 i,
        u32 32 I32 i, b32 32 I32 i, f64 64 F64 f, i64 64 I64 i, u64 64 I64 i, b64 64 I64 i, pk_f16 32 V2F16 f,
        pk_bf16 32 V2BF16 f, pk_i16 32 V2I16 i, pk_u16 32 V2I16 i, pk_f16_splat 32 V2F16_SPLAT f,
        pk_f16_literal 32 V2F16_LITERAL f, exp16 16 F16 i, pk_f32 64 V2F32 f, pk_u32 64 V2I32 i,
        pk_b16 32 V2I16 i, pk_b32 64 V2I16 i, pk_f64 128 V2F16 f, pk_u64 128 V2I16 i, u32x2 64 I64 i, u64x2 128 I64 i,
        i8x4 32 I32 i, u8x4 32 I32 i, iu8x4 32 I32 i, i4x8 32 I32 i, u4x8 32 I32 i, iu4x8 32 I32 i, lane 32 I32 i,
        fp8x4 32 F32 f, bf8x4 32 F32 f'''.split(','):
    name, bits, reads, kind = words.split()
    TYPES[name] = (int(bits), reads, kind)
for bits in range(96, 1025, 32):
    TYPES['b%d' % bits] = (bits, 'I32', 'i')

# What stands in an operand: kinds of elements and their bits (enum og_element). iu: a modifier says whether it has signs.
ELEMENTS = {name: int(bits) for name, bits in (word.split(':') for word in '''f64:64 f32:32 xf32:32 f16:16 bf16:16 fp8:8
        bf8:8 fp6:6 bf6:6 f4:4 f8f6f4:8 e8:8 i64:64 i32:32 i16:16 i8:8 i4:4 u64:64 u32:32 u16:16 u8:8 u4:4 iu8:8 iu4:4
        b64:64 b32:32 b16:16 b8:8 b4:4'''.split())}
for name, bits in ELEMENTS.items():  # one small one; several in a row, which are plain bits
    if bits == 8:
        TYPES.setdefault(name, (8, 'I32', 'i'))
    for count in (2, 4, 8, 16, 32):
        TYPES.setdefault('%sx%d' % (name, count), (
            bits * count, 'I16' if bits * count == 16 else 'I64' if bits * count == 64 else 'I32', 'i'))
OTHER_NAMES = {'lane': 'u32', 'exp16': 'i16'}


def elements(type_):
    """What stands in an operand of a type: kind of element and how many; ('none', 0) where the kind of operand tells."""
    if type_ == 'mask':
        return 'lanes', 1
    packed, name, bits, count = re.match(r'(pk_)?([a-z]+)(\d*)x?(\d*)', OTHER_NAMES.get(type_, type_)).groups()
    name += bits
    if name[0] == 'b' and name[1:].isdigit() and int(bits) > 64:
        return 'b32', int(bits) // 32
    return (name, int(count or (2 if packed else 1))) if name in ELEMENTS else ('none', 0)


IMMEDIATES = {'branch': 'BRANCH', 'hwreg': 'HWREG', 'sendmsg': 'SENDMSG', 'waitcnt': 'WAITCNT', 'depctr': 'DEPCTR',
              'delay': 'DELAY_ALU', 'endpgm': 'ENDPGM', 'gpr_idx': 'GPR_IDX_MODE', 'number': 'IMM', 'simm': 'SIMM',
              'usimm': 'SIMM',
              'version': 'VERSION', 'wait_event': 'WAIT_EVENT'}


def dwords(type_):
    return max(1, TYPES[type_][0] // 32)


class Form:
    """What is true of a form so far; `finish` makes the fixed bits of it."""

    def __init__(self, row, name, generation, encoding, fmt, op, size, tables):
        self.tables = tables
        self.row, self.name, self.generation, self.encoding = row, name, generation, encoding
        self.fmt, self.op, self.size = fmt, op, size
        self.slots, self.mods, self.program = [], [], []
        self.covered = 0
        # Bits that this form sets, that it holds fixed whatever the format says, that may be anything.
        self.fixed, self.must, self.loose = 0, 0, 0
        self.literal = False
        self.needs, self.only, self.half = set(), 0, False
        self.flags, self.reads, self.writes = set(), set(), set()
        self.suffix = 'NONE'
        self.packed = self.op_sel = self.op_sel_hi = self.mix = self.hidden = 0
        self.second, self.second_name = None, ''  # the other half of a pair
        self.traits, self.address = set(), set()  # what else is true; what stands in an image's address
        self.assemble_only = False  # decoding has another form for these bits
        self.issue, self.latency = 'INTERNAL', ''  # enum og_issue, og_latency_class
        self.memory, self.counters = None, set()  # what moves to or from memory; counters that it raises
        self.matrix = None  # the matrices that it multiplies

    def since(self, generation):
        """Whether the form is of this generation or one of its successors."""
        return self.generation >= self.tables.index(generation)

    def copy(self):
        """Another form that is the same so far."""
        other = copy.copy(self)
        for name, value in vars(self).items():
            if isinstance(value, (list, set)):
                setattr(other, name, copy.copy(value))
        return other

    def cover(self, pieces):
        for at, width, _ in pieces:
            self.covered |= (1 << width) - 1 << at

    def field(self, name):
        if name not in self.fmt.fields:
            raise KeyError('%s: %s has no field %s' % (self.row.where, self.encoding, name))
        return self.fmt.fields[name]

    def fix(self, field, value=-1, held=False):
        """Gives a field a value, all ones if none is named; `held`: where decoding ignores its bits otherwise, too."""
        for at, width, to in self.field(field):
            ones = (1 << width) - 1
            self.fixed |= (value >> to & ones) << at
            self.must |= ones << at if held else 0

    def put(self, text):
        self.program.append(text)

    def slot(self, role, takes, type_, access, pieces=(), modifiers=(), sizes=(), flags=(), of='none'):
        """An operand in the text; `of` is its type in the signature."""
        self.cover(pieces)
        self.cover(modifiers)
        names = set(flags) | {{'r': 'READ', 'w': 'WRITE'}[a] for a in access}
        self.slots.append(Slot(role, takes, type_, frozenset(names), tuple(sizes), tuple(pieces), tuple(modifiers),
                               *elements(of)))
        self.program.append(('slot', len(self.slots) - 1))

    def mod(self, mod, pieces=(), style='PLAIN', shown=True, lead=''):
        self.cover(pieces)
        self.mods.append(Modifier(mod, style, tuple(pieces)))
        if shown:
            if lead:
                self.put(lead)
            self.program.append(('mod', len(self.mods) - 1))

    def dpp(self, variant):
        """The modifiers of DPP, in the text behind a blank. In dpp8 source 0 is 0xe9 or 0xea, which is `fi`."""
        self.put(' ')
        if variant == 'dpp16':
            for name in ('dpp_ctrl', 'row_mask', 'bank_mask', 'bound_ctrl', 'fi'):
                if name in self.fmt.fields:  # gfx8 and gfx9 have no `fi`
                    self.mod(name.upper(), self.field(name))
            return
        self.mod('DPP8', self.field('dpp8'))
        self.mod('FI', self.field('fi'), 'FI8')
        at = self.field('fi')[0][0]
        self.must |= 0x1fc << at
        self.fixed |= 0xe8 << at

    def finish(self):
        op_mask = value = 0
        for at, width, to in self.fmt.op:
            op_mask |= (1 << width) - 1 << at
            value |= (self.op >> to & (1 << width) - 1) << at
        self.mask = ((1 << self.size) - 1) & ~self.covered & ~(self.fmt.free & ~op_mask | self.loose) | self.must
        self.value = value | self.fmt.ones | self.fixed
        return self
