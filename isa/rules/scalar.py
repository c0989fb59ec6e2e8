"""Forms of scalar instructions without memory: SOP1, SOP2, SOPC, SOPK, SOPP and those with a literal of their own."""
from form import IMMEDIATES, TYPES, dwords

ROLES = {'sop1': (['sdst'], ['src0']), 'sop2': (['sdst'], ['src0', 'src1', 'imm']), 'sopc': ([], ['src0', 'src1']),
         'sopk': (['sdst'], ['simm16']), 'sopp': ([], ['simm16'])}
ROLE = {'sdst': 'SDST', 'src0': 'SRC0', 'src1': 'SRC1', 'simm16': 'SIMM', 'imm': 'SIMM'}
# Classes of operands: what may stand there. None: a register as a result, else a register or any constant.
TAKES = {None: 'SGPR_LITERAL', 's': 'SGPR', 'inline': 'SGPR_INLINE', 'k': 'KIMM', 'any': 'SGPR_LITERAL',
         'id': 'SGPR_INLINE'}
OG_CODE_M0 = 125  # of gfx11 and later



def expand(form, signature, words):
    """The form; two where an operand is an id, which a constant gives or M0."""
    forms = [form, form.copy()] if any(o.takes == 'id' for o in signature.sources) else [form]
    for some, with_m0 in zip(forms, (False, True)):
        write(some, signature, with_m0)
        some.flags.add('SALU')
        if any(o.type == 'sendmsg' for o in signature.sources):  # until the message is sent, or answered
            some.counters.add('km' if form.since('12') else 'lgkm')
        if with_m0:
            some.traits.add('decode-only')  # the form of any register encodes M0 too
    return forms


def write(form, signature, with_m0):
    base = form.encoding.split('_')[0]
    results, sources = ROLES[base]
    fields = list(sources)
    for operand in signature.results + signature.sources:
        written = operand in signature.results
        field = operand.role or (results[0] if written else 'imm' if operand.takes == 'k' else fields.pop(0))
        if form.slots:
            form.put(', ')
        elif operand.type != 'endpgm':
            form.put(' ')
        if operand.takes == 'id' and with_m0:
            form.put('m0 ')
            form.fixed, form.must = OG_CODE_M0, 0xff
            form.reads.add('m0')
        elif operand.type in IMMEDIATES:
            role = 'SRC0' if form.encoding == 'sopk_lit32' and field == 'imm' else ROLE[field]
            form.slot(role, IMMEDIATES[operand.type], 'I32', 'r', form.field(field),
                      flags=['SIGNED'] * (operand.type == 'simm'))
        else:
            takes = 'SGPR' if (written or field == 'sdst') and not operand.takes else TAKES[operand.takes]
            form.literal |= takes == 'SGPR_LITERAL' and field in ('src0', 'src1')
            form.slot(ROLE[field], takes, TYPES[operand.type][1], ('w' if written else 'r') + 'r' * operand.both,
                      form.field(field), sizes=[dwords(operand.type)], flags=['ONLY_M0'] * (operand.takes == 'id'),
                      of=operand.of)
