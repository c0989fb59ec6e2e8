"""Forms of what shaders of graphics have: interpolation of attributes, reads of parameters from LDS, and exports."""
from form import TYPES
from memory import Memory

FAMILIES = ('interpolate', 'interpolate16', 'interpolate_vgpr', 'lds_direct', 'export')
OP_OF_VOP3 = (0x270, 0x200)  # what VOP3 adds to the opcode of VINTRP: before gfx10, from then on


def expand(form, signature, words):
    form.reads.add('exec')
    return {'exp': export, 'ldsdir': lds_direct, 'vintrp': vintrp, 'vop3_interp': vop3, 'vinterp': vinterp}[
        form.encoding](form, signature, words)


def attribute(form):
    form.slot('ATTR', 'ATTR', 'B32', 'r', form.field('attr'))
    form.slot('ATTR_CHANNEL', 'ATTR_CHANNEL', 'B32', 'r', form.field('attrchan'))


def result(form, operand, flags=()):
    form.flags.add('VALU')
    form.slot('VDST', 'VGPR', TYPES[operand.type][1], 'w' + 'r' * operand.both, form.field('vdst'), sizes=[1],
              flags=flags, of=operand.of)


def vintrp(form, signature, words):
    form.suffix = 'E32' if form.since('8') else 'NONE'
    form.put(' ')
    result(form, signature.results[0])
    source = signature.sources[0]
    form.put(', ')
    if source.type == 'slot':
        form.slot('SRC0', 'INTERP_SLOT', 'B32', 'r', form.field('vsrc'))
    else:
        form.slot('SRC0', 'VGPR', TYPES[source.type][1], 'r', form.field('vsrc'), sizes=[1], of=source.of)
    form.put(', ')
    attribute(form)


def vop3(form, signature, words):
    """Attributes of 16 bits: `high` says which half of the attribute. Those of VINTRP take a suffix."""
    wide = form.family == 'interpolate'
    if wide:
        form.op += OP_OF_VOP3[form.since('10.1')]
        form.suffix = 'E64'
        form.must |= 1 << form.field('high')[0][0]
    form.put(' ')
    form.op_sel = int('opsel' in words)
    result(form, signature.results[0])
    fields = ['src0', 'src2']
    for operand in signature.sources:
        form.put(', ')
        if operand.type == 'attribute':
            attribute(form)
        elif operand.type == 'slot':
            form.slot('SRC0', 'INTERP_SLOT', 'F32', 'r', form.field(fields.pop(0)))
        else:
            name = fields.pop(0)
            bits = [p for p in form.field(name + '_modifiers') if p[2] < 2 or form.op_sel]
            form.slot(name.upper(), 'VGPR', TYPES[operand.type][1], 'r', form.field(name), bits, [1], ['NEG_ABS'],
                      operand.of)
    if not wide:
        form.mod('HIGH', form.field('high'))
    form.mod('CLAMP', form.field('clamp'))
    if form.op_sel:
        form.mod('OP_SEL')
    elif signature.results[0].type == 'f32':
        form.mod('OMOD', form.field('omod'))


def vinterp(form, signature, words):
    """Two forms where operands have 16 bits: they are halves of registers, or whole registers."""
    operands = signature.results + signature.sources
    forms = [form, form.copy()] if any(o.type == 'f16' for o in operands) else [form]
    for some in forms:
        some.half = some is form and len(forms) == 2
        some.op_sel = int(len(forms) == 2)
        some.put(' ')
        for index, operand in enumerate(operands):
            half = ['HALF'] if some.half and operand.type == 'f16' else []
            if not index:
                result(some, operand, half)
                continue
            some.put(', ')
            name = 'src%d' % (index - 1)
            some.slot(name.upper(), 'VGPR', TYPES[operand.type][1], 'r', some.field(name),
                      some.field(name + '_modifiers'), [1], half + ['NEG_ABS'], operand.of)
        some.mod('CLAMP', some.field('clamp'))
        if some.op_sel:
            some.mod('OP_SEL')
        some.mod('WAIT_EXP', some.field('waitexp'))
    return forms


def lds_direct(form, signature, words):
    form.put(' ')
    form.slot('VDST', 'VGPR', 'B32', 'w', form.field('vdst'), sizes=[1])
    if any(o.type == 'attribute' for o in signature.sources):
        form.put(', ')
        attribute(form)
    form.mod('WAIT_VDST', form.field('waitvdst'))
    if 'waitvsrc' in form.fmt.fields:
        form.mod('WAIT_VM_VSRC', form.field('waitvsrc'))
    form.flags.add('LOAD')
    form.memory = Memory('lds', 'load', signature.sources[0].type, 32, 1, 1, 1, None, None, False, False)
    form.counters.add('exp')


# Bits of exports that stand in text as words.
DONE, ROW_EN = 1 << 11, 1 << 13


def export(form, signature, words):
    """One form for each choice of the words `done` and, from gfx11 on, `row_en`, which takes its row from M0."""
    older = 'compr' in form.fmt.fields
    forms = []
    for bits, text in ((0, ''), (DONE, ' done'), (ROW_EN, ' row_en'), (DONE | ROW_EN, ' done row_en')):
        if older and bits & ROW_EN:
            break
        some = form.copy()
        some.fixed = bits
        if bits & ROW_EN:
            some.reads.add('m0')
        some.slot('TARGET', 'EXP_TARGET', 'B32', 'r', some.field('tgt'))
        for index in range(4):
            some.put(', ' if index else ' ')
            some.slot('VSRC%d' % index, 'VGPR', 'B32', 'r', some.field('src%d' % index), sizes=[1])
        some.put(text)
        if older:
            some.mod('COMPR', some.field('compr'))
            some.mod('VM', some.field('vm'))
        some.mod('EN', some.field('en'), shown=False)
        some.counters.add('exp')
        forms.append(some)
    return forms
