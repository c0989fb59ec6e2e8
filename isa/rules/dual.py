"""Forms of two instructions in one, VOPD and VOPD3. Rows are halves: each that may stand first (X) pairs with each that
may stand second (Y)."""
from form import TYPES, dwords

FAMILIES = ('dual', 'dual_literal', 'dual_y', 'dual_wide', 'dual_wide_x', 'dual_wide_y', 'dual_late_y')


def expand(form, signature, words):
    """A half: operands are counted through, an operand `mask` stands in text in VOPD3 only and is VCC in VOPD."""
    form.flags.add('VALU')
    form.reads.add('exec')
    form.only = 32
    wide, suffix = form.encoding.startswith('vopd3'), '_Y' if form.encoding.endswith('y') else ''
    if 'mode' in form.reads:
        form.flags.add('READS_MODE')
    if 'vopd3-x' in form.encodings:
        form.traits |= signs(signature)
    written, = signature.results
    form.slot('VDST' + suffix, 'VGPR', 'B32', 'w' + 'r' * written.both, form.field('vdst'),
              sizes=[dwords(written.type)], of=written.of)
    fields = ['src0', 'src1', 'src2']
    for operand in signature.sources:
        if operand.type == 'mask' and not wide:
            form.reads.add('vcc')
            continue
        form.put(', ')
        if operand.takes == 'k':
            form.size += 32
            form.slot('SIMM', 'KIMM', TYPES[operand.type][1], 'r', form.field('imm'), sizes=[1], of=operand.of)
            continue
        name = fields.pop(0)
        if operand.type == 'mask':
            form.slot(name.upper() + suffix, 'SGPR', 'B32', 'r', form.field(name), sizes=[1], of='mask')
            continue
        takes = 'VGPR' if name != 'src0' else 'VGPR_SGPR_INLINE' if wide else 'VGPR_SGPR_LITERAL'
        negated = wide and is_negated(operand)
        form.slot(name.upper() + suffix, takes, TYPES[operand.type][1], 'r', form.field(name),
                  form.field(name + '_modifiers') if negated else (), [dwords(operand.type)], ['NEG_ABS'] * negated,
                  operand.of)
    form.literal = not wide
    if 'bitop3' in words:
        form.mod('BITOP3', form.field('bitop3'))


def is_negated(operand):
    """Whether the source has a sign in VOPD3."""
    return TYPES[operand.type][2] == 'f' or operand.bits == 'n'


def signs(signature):
    """LLVM reads signs of constants where VOPD3 of the same first half has them: in its own first source, and in that
    of the second half, unless it has an operand more there."""
    out = {'llvm-signs-x'} if is_negated(signature.sources[0]) else set()
    return out if any(o.type == 'mask' for o in signature.sources) else out | {'llvm-signs-y'}


def pair(x, y):
    both = x.copy()
    both.encoding, both.second, both.size = x.encoding[:-2], y.row, max(x.size, y.size)
    both.slots, both.mods = x.slots + y.slots, x.mods + y.mods
    shift = {'slot': len(x.slots), 'mod': len(x.mods)}
    both.second_name = y.name
    both.program = [' '] + x.program + [' :: %s ' % y.name] + [
        (part[0], part[1] + shift[part[0]]) if isinstance(part, tuple) else part for part in y.program]
    both.covered = x.covered | y.covered
    both.mask = (1 << both.size) - 1 & ~both.covered & ~x.fmt.free
    both.value = x.value | y.value
    for name in ('flags', 'reads', 'writes', 'needs'):
        setattr(both, name, getattr(x, name) | getattr(y, name))
    return both


def paired(forms):
    """The forms with halves put together, each with each of its encoding, VOPD's before VOPD3's."""
    halves = {name: [f for f in forms if f.encoding == name] for name in ('vopd-x', 'vopd-y', 'vopd3-x', 'vopd3-y')}
    out = [f for f in forms if f.encoding not in halves]
    for encoding in ('vopd', 'vopd3'):
        out += [pair(x, y) for x in halves[encoding + '-x'] for y in halves[encoding + '-y']]
    return out
