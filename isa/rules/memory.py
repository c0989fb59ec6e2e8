"""What memory instructions have in common: what their signatures say that moves, and the counters that they raise.

In a signature an operand `space.type[.operation]` is memory: among the results it is written, among the sources read.
Of an atomic the signature is the one that returns the old value, where the encoding has a bit to ask for that."""
import collections

from form import TYPES, dwords

# What a form does to memory (struct og_memory). `access`: load, store, atomic, or what else the operation says. `bits`
# are those that one access of a lane moves; where a resource's or an instruction's format decides, `bits` is None and it
# converts `components` numbers. `count` accesses stand `stride` elements apart per unit of their offsets. `half` of a
# register holds the data: lo, hi, or None for all of it. `lds`: the other side is LDS. `d16`: components have 16 bits in
# registers.
Memory = collections.namedtuple('Memory', 'space access type bits components count stride operation half lds d16')

SPACES = {'global', 'flat', 'scratch', 'buffer', 'typed', 'lds', 'gds', 'gws', 'gs_reg', 'lanes', 'code', 'cluster'}
NULL, NULL_GFX10 = 124, 125  # numbers of the register null
ALWAYS_GDS = {'gds', 'gws', 'gs_reg'}
# Types of memory that a format converts, with the numbers of their components; `any`: nobody told the size.
COMPONENTS = {'x': 1, 'xy': 2, 'xyz': 3, 'xyzw': 4, 'any': 0}
ATOMIC = {'add', 'sub', 'rsub', 'sub_clamp', 'cond_sub', 'inc', 'dec', 'wrap', 'min', 'max', 'and', 'or', 'xor',
          'mask_or', 'swap', 'cmpswap', 'cmpst', 'swap_if', 'ordered_add', 'append', 'consume', 'ordered_count',
          'barrier_arrive', 'bvh_stack'}
# Operations that move nothing between memory and registers that a program can see.
SILENT = {'prefetch', 'probe', 'discard', 'permute', 'swizzle'}
# Loads whose lanes exchange elements of so many bits.
TRANSPOSES = {'transpose4', 'transpose6', 'transpose8', 'transpose16'}


class Moves:
    """A signature: registers written (`to`) and read (`of`), memory, and which of it the address means."""

    def __init__(self, signature):
        self.to = [o for o in signature.results if o.takes not in SPACES]
        self.of = [o for o in signature.sources if o.takes not in SPACES]
        self.writes = [o for o in signature.results if o.takes in SPACES]
        self.reads = [o for o in signature.sources if o.takes in SPACES]
        self.memory = self.writes + self.reads
        main = [o for o in self.memory if o.takes != 'lds'] or self.memory
        self.main = main[0] if main else None
        self.space = self.main.takes if main else None
        self.operation = self.main.operation if main else None
        self.atomic = self.operation in ATOMIC
        self.with_lds = len({o.takes for o in self.memory}) > 1  # between LDS and another space
        self.half = next((o.takes for o in self.to + self.of if o.takes in ('lo', 'hi')), None)

    @property
    def is_float(self):
        return TYPES[self.main.type][2] == 'f'


def returning(form, moves):
    """Whether something comes back to registers: an atomic may be asked for the old value, but gfx908's of floats."""
    if not moves.atomic:
        return [bool(moves.reads)]
    silent = form.since('908') and not form.since('90a') and moves.is_float
    return [False] if silent else [False, True]


def describe(form, moves, returns, words=(), to_lds=False):
    """What a form does to memory, its flags and counters. `returns`: it hands something to registers or LDS."""
    silent = moves.operation in SILENT
    if moves.atomic or to_lds or moves.with_lds:
        form.flags |= {'LOAD', 'STORE'} | ({'ATOMIC'} if moves.atomic else set())
    elif not silent:
        form.flags |= ({'LOAD'} if moves.reads else set()) | ({'STORE'} if moves.writes else set())
    if moves.main:
        access = ('atomic' if moves.atomic else 'sync' if moves.space == 'gws' else 'nothing' if silent else
                  'store' if moves.main in moves.writes else 'load')
        type_ = moves.main.type
        form.memory = Memory(
            moves.space, access, type_, None if type_ in COMPONENTS else TYPES[type_][0], COMPONENTS.get(type_, 1),
            max(len(moves.reads), len(moves.writes)), 64 if 'stride64' in words else 1, moves.operation, moves.half,
            to_lds or bool(moves.reads and moves.writes),
            type_ in COMPONENTS and any(o.takes in ('d16', 'lo', 'hi') for o in moves.to + moves.of))
    if moves.with_lds and moves.main in moves.writes:
        form.traits.add('from-lds')
    form.counters |= counters(form, moves, returns)


def counters(form, moves, returns):
    """The counters that an instruction raises and that fall again when it is done (AMDGPU backend guide, "s_waitcnt"
    and the memory models; manuals, "Data dependency resolution")."""
    return {'smrd': scalar_counters, 'smem': scalar_counters, 'ds': lds_counters}.get(
        form.encoding, vector_counters)(form, moves, returns)


def scalar_counters(form, moves, returns):
    out = set() if moves.operation in ('prefetch', 'probe') else {'km' if form.since('12') else 'lgkm'}
    return out | ({'x'} if form.since('1250') else set())


def lds_counters(form, moves, returns):
    """With the modifier gds, all instructions raise exp, as those do that know GDS only: data is read late."""
    out = {'ds' if form.since('12') else 'lgkm'} if moves.main else set()
    return out | ({'exp'} if moves.space in ALWAYS_GDS else set())


def vector_counters(form, moves, returns):
    """From gfx10 on, what returns nothing has a counter of its own. gfx6 reads the data of stores late, too."""
    out = {'x'} if form.since('1250') else set()
    if moves.operation == 'prefetch':
        return out
    if form.since('12') and moves.with_lds:
        return out | {'async'}
    if form.since('12'):
        out.add('load' if returns else 'store')
    else:
        out.add('vs' if form.since('10.1') and not returns else 'vm')
    if moves.space == 'flat':  # may be LDS
        out.add('ds' if form.since('12') else 'lgkm')
    if not form.since('7') and moves.of:
        out.add('exp')
    return out


# -- data in vector registers ---------------------------------------------------------------------------------------


def banks(form, count, no_agprs=False):
    """Where `count` operands of data may stand: gfx90a to gfx950 know AccVGPRs too, all data in the same file."""
    if not count or no_agprs or not form.since('90a') or form.since('10.1'):
        return ['VGPR']
    return ['VGPR_AGPR'] if count == 1 else ['VGPR', 'AGPR']


def data(form, bank, count, role, field, access, size, flags=()):
    """A slot of data. With one of them, the bit that tells AccVGPRs is part of its field."""
    pieces = form.field(field)
    if count > 1:
        if bank == 'AGPR':
            form.fixed |= sum(1 << at for at, _, to in pieces if to == 9)
        pieces = [p for p in pieces if p[2] != 9]
    form.slot(role, bank, 'I32', access, pieces, sizes=[size], flags=flags)


def result_flags(moves):
    """Three registers of a transposing load may begin at an odd one."""
    return ['ODD'] * (moves.operation == 'transpose6')


def size_of(operand, moves=None, unpacked=False):
    """Registers that an operand takes. Halves that are not packed take a register each."""
    if unpacked and operand.takes == 'd16':
        return COMPONENTS[moves.main.type]
    return dwords(operand.type)


# -- cache policy ---------------------------------------------------------------------------------------------------


def without(pieces, bit):
    """A field without one bit of its value."""
    out = []
    for at, width, to in pieces:
        if not to <= bit < to + width:
            out.append((at, width, to))
            continue
        below, above = bit - to, to + width - bit - 1
        out += [(at, below, to)] * (below > 0) + [(at + below + 1, above, bit + 1)] * (above > 0)
    return tuple(out)


def bit_of(pieces, bit):
    return next((1 << at + bit - to for at, width, to in pieces if to <= bit < to + width), 0)


def policy(form, moves, returns, drop=()):
    """The cache policy. Its lowest bit (glc, sc0, the lowest of th) asks an atomic to return the old value."""
    pieces = form.field('cpol')
    style = 'PLAIN'
    if moves.atomic:
        if returns:
            style = 'RETURN'
            form.fixed |= bit_of(pieces, 0)
        if returns or not form.since('12'):
            pieces = without(pieces, 0)
    for bit in drop:
        pieces = without(pieces, bit)
    form.mod('CPOL', pieces, style)
