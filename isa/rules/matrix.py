"""Forms of gfx9's matrix instructions, MFMA and SMFMAC, and what all matrix instructions have in common.

A row says the shape (D of m rows and n columns, products summed over k, how many blocks) and the types of elements; how
many registers each lane gives for a matrix follows."""
import collections

from form import TYPES, dwords
from packed import NEG_HI, NEG_LO, OP_SEL, OP_SEL_HI, hold_rest, modifiers, only, without_acc

FAMILIES = ('mfma', 'mfma_scaled', 'mfma_scale', 'smfmac')
# Bits of an element, the largest first where a modifier chooses the type.
BITS = {'i8': [8], 'iu8': [8], 'iu4': [4], 'fp8': [8], 'bf8': [8], 'f4': [4], 'xf32': [32], 'f8f6f4': [8, 6, 4]}
BITS.update({name: [TYPES[name][0]] for name in ('f16', 'bf16', 'f32', 'f64', 'i32')})
LANES = 64
ACC_CD = 1 << 15  # D and C are accumulation registers


# The matrices that a form multiplies (struct og_matrix): elements of D, A, B and C; `scaled`: how many elements share a
# scale.
Matrix = collections.namedtuple('Matrix', 'kind elements m n k blocks lanes scaled')


class Shape:
    def __init__(self, words):
        numbers = dict(w.split('=') for w in words if '=' in w)
        self.m, self.n, self.k, self.blocks = (int(numbers.get(x, 1)) for x in ('m', 'n', 'k', 'blocks'))

    def sizes(self, matrix, type_, lanes, sparse=False):
        """Dwords a lane, for each size of elements; a sparse A has half of its elements."""
        rows, columns = {'a': (self.m, self.k), 'b': (self.k, self.n), 'd': (self.m, self.n)}[matrix]
        elements = rows * columns * self.blocks // (2 if sparse else 1)
        return [max(1, elements * bits // (lanes * 32)) for bits in BITS[type_]]


def describe(form, signature, shape, lanes):
    """What the form multiplies; of sparse ones the third source is no matrix."""
    a, b, c, *scales = signature.sources
    d = signature.results[0].type
    elements = d, a.type, b.type, d if c.type == 'index' else c.type
    scaled = {0: 0, 1: 32, 2: 16}[dwords(scales[0].type) if scales else 0]
    form.matrix = Matrix(form.family.partition('_')[0], elements, shape.m, shape.n, shape.k, shape.blocks, lanes, scaled)


def slots(form, *given):
    """Operands: (role, takes, type, access, field, bits of its modifiers, sizes), with commas between."""
    for role, takes, type_, access, field, bits, sizes in given:
        form.put(', ' if form.slots else ' ')
        place = form.field(field)
        form.slot(role, takes, type_, access, place if takes == 'VGPR_AGPR' else without_acc(place),
                  only(form.field(field + '_modifiers'), bits) if bits else (), sizes)


def plain(form, *names):
    for name in names:
        form.mod(name.upper(), form.field(name))


def hold(form, *names):
    """The bits of fields that the form lacks must be 0."""
    for name in names:
        for at, width, _ in form.fmt.fields.get(name, ()):
            form.must |= ((1 << width) - 1 << at) & ~form.covered


def expand(form, signature, words):
    form.flags.add('VALU')
    form.reads.add('exec')
    if form.since('942'):  # whatever features of their own say
        form.needs.add('gfx940-insts')
    if form.family == 'mfma_scale':
        return scale(form, signature)
    form.flags.add('CONVERGENT')
    form.reads.add('mode')
    if form.family == 'smfmac':
        return smfmac(form, signature, Shape(words))
    # gfx908 has D and C in accumulation registers; later ones there or in vector registers
    return [mfma(form.copy(), signature, Shape(words), bank)
            for bank in (('VGPR', 'AGPR') if form.since('90a') else ('AGPR',))]


def choosing(a):
    return {'any-format'} if a.type == 'f8f6f4' else set()


def mfma(form, signature, shape, bank):
    a, b, c, *scales = signature.sources
    describe(form, signature, shape, LANES)
    form.traits.update({'mfma'} | choosing(a))
    bits = {OP_SEL, OP_SEL_HI} if scales else set()  # which byte of the scales
    slots(form, ('VDST', bank, 'B32', 'w', 'vdst', (), shape.sizes('d', c.type, LANES)),
          ('SRC0', 'VGPR_AGPR', 'B32', 'r', 'src0', bits, shape.sizes('a', a.type, LANES)),
          ('SRC1', 'VGPR_AGPR', 'B32', 'r', 'src1', bits, shape.sizes('b', b.type, LANES)),
          ('SRC2', bank + '_INLINE', TYPES[c.type][1], 'r', 'src2', (), shape.sizes('d', c.type, LANES)),
          *[('SCALE%d' % i, 'VGPR', 'B32', 'r', 'scale_src%d' % i, (), [1]) for i in range(len(scales))])
    modifiers(form, bits)
    form.hidden = 3 if scales else 0  # the modifiers are those of the scales
    plain(form, 'cbsz', *['abid'] * (a.type != 'f8f6f4'), 'blgp')
    hold(form, 'abid')
    if form.since('90a'):
        form.must |= ACC_CD << form.size - 64
        form.fixed |= (bank == 'AGPR') * ACC_CD << form.size - 64
    return form


def smfmac(form, signature, shape):
    """D is C too; A has two of each four elements, `idx` says which."""
    a, b, _ = signature.sources
    describe(form, signature, shape, LANES)
    slots(form, ('VDST', 'VGPR_AGPR', 'B32', 'wr', 'vdst', (), shape.sizes('d', signature.results[0].type, LANES)),
          ('SRC0', 'VGPR_AGPR', 'B32', 'r', 'src0', (), shape.sizes('a', a.type, LANES, True)),
          ('SRC1', 'VGPR_AGPR', 'B32', 'r', 'src1', (), shape.sizes('b', b.type, LANES)),
          ('IDX', 'VGPR', 'B32', 'r', 'idx', (), [1]))
    plain(form, 'cbsz', 'abid')
    hold(form, 'blgp')


def scale(form, signature):
    """Loads the scales of the instruction behind it. LLVM reads their constants as packed numbers."""
    bits = {NEG_LO, NEG_HI, OP_SEL, OP_SEL_HI}
    slots(form, *[('SRC%d' % i, 'VGPR_SGPR_LITERAL', 'V2I16', 'r', 'src%d' % i, bits, [dwords(o.type)])
                  for i, o in enumerate(signature.sources)])
    modifiers(form, {OP_SEL, OP_SEL_HI})
    hold_rest(form)
    hold(form, 'vdst', 'clamp')
