"""Rows into forms: what families, encodings and signatures say together, per generation."""
import buffer
import dual
import flat
import graphics
import image
import latency
import lds
import matrix
import packed
import scalar
import scalar_memory
import vector
import wmma
from form import Form
from tables import Wrong

# What makes forms of an encoding's first name, or of a family.
EXPANDERS = {'sop1': scalar, 'sop2': scalar, 'sopc': scalar, 'sopk': scalar, 'sopp': scalar,
             'vop1': vector, 'vop2': vector, 'vopc': vector, 'vop3': vector,
             'smrd': scalar_memory, 'smem': scalar_memory, 'ds': lds, 'flat': flat, 'vflat': flat,
             'mubuf': buffer, 'mtbuf': buffer, 'vbuffer': buffer}
EXPANDERS.update({name: module for module in (graphics, dual, packed, matrix, wmma, image) for name in module.FAMILIES})
# Bits of an encoding.
SIZES = {bits: names.split() for bits, names in {
    32: 'sop1 sop2 sopc sopk sopp vop1 vop2 vopc smrd vintrp ldsdir',
    96: 'vop3_dpp16 vop3_dpp8 vop3p_dpp16 vop3p_dpp8 vflat vbuffer vimage vsample vopd3-x vopd3-y',
    128: 'vop3p_scaled'}.items()}
# What takes an instruction when it is issued (enum og_issue), by the encoding's first name; families with other units.
ISSUE = {name: issue for issue, names in {
    'SALU': 'sop1 sop2 sopc sopk', 'INTERNAL': 'sopp', 'SMEM': 'smrd smem', 'LDS': 'ds ldsdir', 'EXPORT': 'exp',
    'VMEM': 'flat vflat mubuf mtbuf vbuffer mimg vimage vsample'}.items() for name in names.split()}
MATRICES = {'mfma', 'mfma_scaled', 'mfma_scale', 'smfmac', 'wmma', 'wmma_scaled', 'wmma_scale', 'swmmac'}
# What rows say that an instruction does.
FLAGS = {'load', 'store', 'atomic', 'branch', 'terminator', 'call', 'return', 'end', 'convergent', 'effects', 'trans', 'low',
         'high', 'keeps', 'relative', 'whole'}
# Words that are traits (enum og_trait); rules add others.
TRAITS = {'wait', 'reversed', 'one-scalar', 'double-alu', 'lane-controls', 'llvm-e32', 'llvm-implied-vcc',
          'llvm-wide-first', 'llvm-result-sel', 'llvm-odd'}
# The opcode of a family's VOP3 follows from the one of its short encoding: what is added to it.
VOP3_FROM = {'vopc': (0, 0), 'vop2': (0x100, 0x100), 'vop1': (0x140, 0x180)}  # on gfx8 and gfx9; elsewhere


def forms_of(tables, generation):
    """The forms of a generation (by its index), in the order of the rows."""
    out, seen = [], {}
    everywhere = {facts['came-with'] for facts in tables.registers if 'came-with' in facts}  # sets no two forms apart
    for row in tables.rows:
        if row.opcodes[generation] is None:
            continue
        try:
            made = forms_of_row(tables, row, generation)
        except KeyError as unknown:
            raise Wrong('%s: %s: the rules of its encodings know no %s' % (row.where, row.name, unknown)) from None
        for form in made:
            bits = (form.encoding, form.mask, form.value, form.only, form.half, frozenset(form.needs - everywhere))
            other = seen.setdefault(bits, row)
            if other is not row and not form.assemble_only and 'assemble-only' not in other.words[generation]:
                raise Wrong('%s: %s has the opcode of %s on gfx%s' % (row.where, row.name, other.name,
                                                                     tables.generations[generation]))
        out += made
    return dual.paired(out)


def forms_of_row(tables, row, generation):
    family, op = row.opcodes[generation]
    name = tables.generations[generation]
    encodings, words = tables.families[family][generation], tables.all_words(row, generation)
    if not encodings:
        raise Wrong('%s: %s: gfx%s has no family %s' % (row.where, row.name, name, family))
    out = []
    for encoding in encodings:
        fmt = tables.formats.get(encoding, [None] * (generation + 1))[generation]
        if fmt is None:
            raise Wrong('%s: %s: gfx%s has no encoding %s' % (row.where, row.name, name, encoding))
        form = Form(row, row.names[generation], generation, encoding, fmt,
                    opcode(name, encodings[0], encoding, op), size_of(encoding), tables)
        signature = row.signatures[generation]
        form.family, form.encodings = family, encodings
        form.assemble_only = 'assemble-only' in words
        form.reads.update(signature.reads)
        form.writes.update(signature.writes)
        form.flags.update(w.upper() for w in words if w in FLAGS)
        form.traits.update(words & TRAITS)
        if any('sdwa' in e for e in encodings):
            form.traits.add('sdwa')
        expander = EXPANDERS.get(family) or EXPANDERS[encoding.split('_')[0]]
        for made in expander.expand(form, signature, words) or [form]:
            made.needs |= needs(tables, made, words)
            made.only = made.only or 32 * ('wave32' in words)
            made.issue = issue(made, signature)
            made.latency = latency.latency(made, signature, words)
            if tables.latencies.get(made.latency, {generation: None})[generation] is None:
                raise Wrong('%s: %s: gfx%s has no latency %s' % (row.where, row.name, name, made.latency))
            out.append(made.finish())
    return out


def issue(form, signature):
    """The unit that takes a form."""
    if form.encoding.startswith('sop'):
        if any(o.type == 'sendmsg' for o in signature.sources):
            return 'MESSAGE'
        if form.flags & {'BRANCH', 'CALL', 'RETURN'}:
            return 'BRANCH'
    if form.family in MATRICES:
        return 'MATRIX'
    if form.family == 'flat':
        return 'FLAT'
    return 'TRANS' if 'TRANS' in form.flags else ISSUE.get(form.encoding.split('_')[0], 'VALU')


def needs(tables, form, words):
    """The features that a form needs: those that its row or family names (`returning=` of the forms with a result,
    `silent=` of the others, `dpp=` of those with DPP), and those of its encoding."""
    kinds = {'returning' if any('WRITE' in s.flags for s in form.slots) else 'silent'}
    kinds |= {'dpp'} if '_dpp' in form.encoding else set()
    named = words | {w.partition('=')[2] for w in words if w.partition('=')[0] in kinds}
    return (named & tables.features.keys()) | tables.features_of(form.encoding)


def size_of(encoding):
    return next((bits for bits, names in SIZES.items() if encoding in names), 64)


def opcode(generation, first, encoding, op):
    """The opcode in an encoding, where `op` is the one in the family's first."""
    if encoding.startswith('vop3') and first in VOP3_FROM:
        return op + VOP3_FROM[first][0 if generation[0] in '89' else 1]
    return op
