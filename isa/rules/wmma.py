"""Forms of matrix instructions from gfx11 on: WMMA, SWMMAC, and what scales them."""
from form import TYPES, dwords
from matrix import BITS, Shape, choosing, describe, hold, plain, slots
from packed import NEG_HI, NEG_LO, OP_SEL, OP_SEL_HI, OP_SEL_HI_BITS, hold_rest, modifiers

FAMILIES = ('wmma', 'wmma_scaled', 'wmma_scale', 'swmmac')
# The modifier that says which part of the index registers is meant, by the bits of a part.
INDEX_KEY = {8: 'index_key_8bit', 16: 'index_key_16bit', 32: 'index_key_32bit'}
SCALES = ('matrix_a_scale', 'matrix_b_scale', 'matrix_a_scale_fmt', 'matrix_b_scale_fmt')
REUSE = ('matrix_a_reuse', 'matrix_b_reuse')
SCALE_OP = {1: 0x35, 2: 0x3a}  # the opcode of the first half of a scaled one, by dwords of a scale


def expand(form, signature, words):
    """A form per size of waves; the instructions that came with gfx1250 are for waves of 32."""
    form.flags |= {'VALU', 'CONVERGENT'}
    form.reads.add('exec')
    late = form.since('1250') and form.row.opcodes[form.tables.index('12')] is None
    forms = []
    for lanes in (32,) if late else (64, 32):
        some = form.copy()
        some.only = lanes
        if form.family == 'wmma_scale':
            scale(some, signature)
        else:
            multiply(some, signature, Shape(words), lanes, late)
        forms.append(some)
    return forms


def multiply(form, signature, shape, lanes, late):
    a, b, c, *scales = signature.sources
    describe(form, signature, shape, lanes)
    form.traits.update(choosing(a))
    sparse = form.family == 'swmmac'
    d = signature.results[0].type
    bits = bits_of(form, a.type, d)
    bits_c = set() if sparse else bits if not form.since('12') else set() if d == 'i32' else {NEG_LO, NEG_HI}
    if form.since('12'):
        sizes = [shape.sizes('d', d, lanes), shape.sizes('a', a.type, lanes, sparse), shape.sizes('b', b.type, lanes)]
    else:  # each row of A and column of B lies in one lane, half of the lanes repeat the others; D takes dwords
        sizes = [shape.sizes('d', 'f32', lanes)] + 2 * [[shape.k * BITS[a.type][0] // 32]]
    key = 0
    if sparse:
        key = index_bits(shape, a.type, sizes[1][0], 32 if form.since('1250') else lanes)
        third = 'VGPR', 'B32', 'r', 'src2', (), [max(1, key // 32)]
    else:  # LLVM reads constants for C as floats on gfx11, in waves of 32 as doubles
        reads = TYPES[c.type][1] if form.since('12') else 'F64' if lanes == 32 else 'F32'
        size = shape.sizes('d', c.type, lanes) if form.since('12') else sizes[0]
        third = 'VGPR_INLINE', reads, 'r', 'src2', bits_c, size
    slots(form, ('VDST', 'VGPR', 'B32', 'w' + 'r' * sparse, 'vdst', (), sizes[0]),
          ('SRC0', 'VGPR', 'B32', 'r', 'src0', bits, sizes[1]), ('SRC1', 'VGPR', 'B32', 'r', 'src1', bits, sizes[2]),
          ('SRC2', *third),
          *[('SCALE%d' % i, 'VGPR_SGPR_INLINE', TYPES[o.type][1], 'r', 'scale_src%d' % i, (), [dwords(o.type)])
            for i, o in enumerate(scales)])
    part = key // 2 if late else key  # from gfx1250 on there is place for two indexes
    if part < 32 * max(1, key // 32) and sparse:
        form.mod('INDEX_KEY', form.field(INDEX_KEY[part]))
    if a.type == 'f8f6f4':
        plain(form, 'matrix_a_fmt', 'matrix_b_fmt')
    if scales:
        plain(form, *SCALES)
    if late and (scales or BITS[a.type][-1] > 4):
        plain(form, *REUSE)
    modifiers(form, bits | bits_c, clamp=d == 'i32')
    if scales:
        form.fixed |= SCALE_OP[dwords(scales[0].type)] << 16 | OP_SEL_HI_BITS << 64 & ~form.covered
    else:
        hold_rest(form, both=form.since('12'))


def bits_of(form, type_, result):
    """Modifiers of A and B: the signs of one element or of a pair of them; of iu whether they are signed."""
    if not form.since('12'):
        return {NEG_LO, NEG_HI} | ({OP_SEL, OP_SEL_HI} if result in ('f16', 'bf16') else set())
    return {NEG_LO, NEG_HI} if BITS[type_] == [16] else {NEG_LO} if type_ in ('iu8', 'iu4', 'f32', 'f64') else set()


def index_bits(shape, type_, size, lanes):
    """Bits of a lane's index: four for each four elements of A's rows, in the lanes that hold A."""
    return shape.m * shape.k // min(lanes, shape.m * shape.k // 2 * BITS[type_][0] // (32 * size))


def scale(form, signature):
    """Loads the scales of the instruction behind it; without a result, and with v0 for the third source."""
    slots(form, *[('SRC%d' % i, 'VGPR_SGPR_INLINE', TYPES[o.type][1], 'r', 'src%d' % i, (), [dwords(o.type)])
                  for i, o in enumerate(signature.sources)])
    plain(form, *SCALES, *REUSE)
    form.fixed |= 0x100 << form.field('src2')[0][0]
    hold(form, 'src2', 'vdst', 'src1_modifiers')
