"""Forms of packed instructions without matrices: VOP3P of packed math, dot products, mixed precision, and copies to and
from accumulation registers."""
from form import TYPES, dwords

FAMILIES = ('packed', 'packed_dpp', 'dot_signed', 'mix', 'accvgpr')
VECTORS = ('i8x4', 'u8x4', 'iu8x4', 'i4x8', 'u4x8', 'iu4x8')
TINY = ('fp8x4', 'bf8x4')
NEG_LO, NEG_HI, OP_SEL, OP_SEL_HI = range(4)  # bits of the modifiers of a source
OP_SEL_HI_BITS = 1 << 14 | 3 << 59  # op_sel_hi of the three sources
TAKES = {'a': 'AGPR', 'inline': 'VGPR_SGPR_INLINE'}


def expand(form, signature, words):
    form.flags.add('VALU')
    form.reads.add('exec')
    dpp = form.encoding.partition('_')[2]
    if dpp:
        form.flags.add('CONVERGENT')  # reads other lanes
        form.suffix = 'E64_DPP'
    for operand in signature.results:
        takes = TAKES[operand.takes] if operand.takes else 'VGPR'
        form.put(' ')
        form.slot('VDST', takes, 'B32', 'w' + 'r' * operand.both, without_acc(form.field('vdst')),
                  sizes=[dwords(operand.type)], of=operand.of)
    if sums(signature):
        form.traits.add('dot')
    bits, shown = bits_of(form, signature, words)
    for index, operand in enumerate(signature.sources):
        form.put(', ')
        own = bits if operand.type not in TINY else set()  # which have no sign to change
        source(form, 'src%d' % index, operand, signature, takes_of(form, signature, index, dpp), own)
    if form.family == 'dot_signed':  # the bits that say which source is signed are those of the row
        form.assemble_only = True  # decoding shows the one whose signs are chosen
        for name in ('src0_modifiers', 'src1_modifiers'):
            form.fixed |= sum(1 << at for at, _, to in form.field(name) if to == NEG_LO)
    tiny = signature.sources[0].type in TINY
    modifiers(form, shown, clamp=not tiny and form.family != 'accvgpr' and '-clamp' not in words)
    if dpp:
        form.dpp(dpp)
    hold_rest(form, both=tiny)


def sums(signature):
    """Whether products of packed elements are summed, to a third source or to the result."""
    elements = [o.type for o in signature.sources if o.type in TINY + VECTORS or o.type.startswith('pk_')]
    packed = any(o.type.startswith('pk_') for o in signature.results)  # element by element
    return not packed and len(elements) == 2 and (len(signature.sources) == 3 or signature.results[0].both)


def bits_of(form, signature, words):
    """The bits of sources' modifiers that the form has; those of them that have a name in the text."""
    if form.family == 'accvgpr':
        return set(), set()
    selects, negates = {OP_SEL, OP_SEL_HI}, {NEG_LO, NEG_HI}
    if form.family == 'mix':
        form.mix = True
        return selects | negates, selects
    if not any(o.type.startswith('pk_') and dwords(o.type) <= 2 for o in signature.sources):
        selects = set()
    shown = selects | (negates if 'no-neg' not in words else set())
    if form.family == 'dot_signed':
        return {NEG_HI}, shown
    return (negates | selects if selects else shown), shown


def takes_of(form, signature, index, dpp):
    """What may stand for a source. With DPP the first is a vector register; of `mix` the second too, of tiny floats
    all."""
    operand = signature.sources[index]
    if operand.takes:
        return TAKES[operand.takes]
    if dpp:
        vectors = 3 if signature.sources[0].type in TINY else 2 if form.family == 'mix' else 1
        return 'VGPR' if index < vectors else 'VGPR_SGPR_INLINE'
    form.literal = form.since('10.1')
    return 'VGPR_SGPR_LITERAL'


def source(form, name, operand, signature, takes, bits):
    """A source with those of its modifiers that `bits` names. Constants of integer dot products are read as the vectors
    are."""
    reads = TYPES[operand.type][1]
    if signature.sources[0].type in VECTORS:
        reads = TYPES[signature.sources[0].type][1]
    form.slot(name.upper(), takes, reads, 'r', without_acc(form.field(name)),
              only(form.field(name + '_modifiers'), bits) if bits else (), [dwords(operand.type)],
              ['NEG_ABS'] * form.mix, operand.of)


def only(pieces, bits):
    """The parts of a field that hold these bits of its value."""
    return tuple(p for p in pieces if p[2] in bits)


def without_acc(pieces):
    """The field of a register that is no choice of vector and accumulation registers: without the bit that chooses."""
    return tuple(p for p in pieces if p[2] != 9)


def modifiers(form, shown, clamp=False):
    """The modifiers of all sources together; their bits are those of the sources."""
    form.packed, form.op_sel, form.op_sel_hi = NEG_LO in shown, OP_SEL in shown, OP_SEL_HI in shown
    for bit, mod in ((OP_SEL, 'OP_SEL'), (OP_SEL_HI, 'OP_SEL_HI'), (NEG_LO, 'NEG_LO'), (NEG_HI, 'NEG_HI')):
        if bit in shown:
            form.mod(mod)
    if clamp:
        form.mod('CLAMP', form.field('clamp'))


def hold_rest(form, both=False):
    """Bits of sources' modifiers that a form lacks: op_sel_hi is written as 1, and read by nobody or (`both`) held so;
    the others must be 0."""
    for index in range(3):
        for at, width, to in form.field('src%d_modifiers' % index):
            for bit in range(width):
                here = 1 << at + bit & ~form.covered
                if to + bit != OP_SEL_HI:
                    form.must |= here
                elif both:
                    form.fixed |= here
                    form.must |= here if 'dpp' not in form.encoding else 0
                else:
                    form.fixed |= here & form.fmt.free
