"""Forms of vector instructions: VOP1, VOP2, VOPC and VOP3, and their SDWA and DPP variants."""
from form import TYPES, Modifier
from packed import sums

ROLE = {'src0': 'SRC0', 'src1': 'SRC1', 'src2': 'SRC2'}
# Bits of a source's modifiers in VOP3: their place in the value.
NEG, ABS, SEL, RESULT_SEL, SEXT = range(5)
OP_SEL_BITS = 0x7800  # of VOP3
EXEC_LO = 0x7e
SELECT_DWORD = 6  # of SDWA
SHORT = ('vop1', 'vop2', 'vopc')
# What may stand for a source, by its class in the signature.
CLASSES = {'v': 'VGPR', 'a': 'AGPR', 's': 'SGPR_LITERAL', 'sgpr': 'SGPR', 'inline': 'SGPR_INLINE', 'k': 'KIMM'}


def expand(form, signature, words):
    """The forms of one encoding: from gfx11 on two where a type has 16 bits, with halves of registers and with whole
    ones."""
    whole = Maker(form, signature, words)
    if not whole.gfx11 or not whole.has16:
        return [whole.make()]
    out = []
    if 'whole-only' not in words:
        half = form.copy()
        half.half = True
        out.append(Maker(half, signature, words).make())
    if 'halves-only' not in words:
        out.append(whole.make())
    return out


class Maker:
    def __init__(self, form, signature, words):
        self.form, self.signature, self.words, self.family = form, signature, words, form.encodings
        self.base, _, self.variant = form.encoding.partition('_')
        self.gfx9, self.gfx10, self.gfx11 = form.since('900'), form.since('10.1'), form.since('11')
        self.has16 = any(TYPES[o.type][0] == 16 for o in signature.results + signature.sources
                         if o.type in TYPES and o.takes != 'k')
        self.op_sel = self.takes_op_sel()
        self.selects = False  # whether a source has a bit of op_sel though there is no such modifier
        self.compares = not any(o.type != 'mask' for o in signature.results) and bool(signature.sources)

    def takes_op_sel(self):
        """Whether VOP3's bits of op_sel choose halves."""
        if self.base != 'vop3' or '-opsel' in self.words:
            return False
        if self.form.half or 'opsel' in self.words:
            return True
        if self.gfx11:
            return self.has16 and 'whole-opsel' in self.words
        return self.has16 and self.gfx9 and self.family[0] == 'vop3'

    def make(self):
        form = self.form
        form.flags.add('VALU')
        if sums(self.signature):
            form.traits.add('dot')
        if 'no-exec' not in self.words:
            form.reads.add('exec')
        if self.variant.startswith('dpp'):
            form.flags.add('CONVERGENT')
        self.first = True
        for operand in self.signature.results:
            self.result(operand)
        index = 0
        for operand in self.signature.sources:
            if operand.type == 'mask':
                self.carry_in(operand)
            elif operand.takes == 'k':
                self.slot('SIMM', 'KIMM', operand, 'r', self.literal_field(operand))
            else:
                self.source(operand, index)
                index += 1
        if self.base == 'vop3' and 'exec' in self.signature.writes and not self.signature.results:
            form.fixed, form.loose = form.fixed | EXEC_LO, 0xff  # written as EXEC and read by nobody
        if self.signature.sources or self.signature.results or self.variant.startswith('dpp'):
            self.modifiers(index)
        form.suffix = self.suffix()
        return form

    def literal_field(self, operand):
        bits = max(32, TYPES[operand.type][0])
        self.form.size += bits
        return ((32, bits, 0),)

    def slot(self, role, takes, operand, access, pieces=(), modifiers=(), flags=(), sizes=None):
        self.form.put(' ' if self.first else ', ')
        self.first = False
        bits, reads, kind = TYPES.get(operand.type, (32, 'I32', 'i'))
        flags = set(flags)
        if reads == 'F16' and kind == 'i':
            flags.add('INTEGER')
        if operand.type == 'lane':
            flags.add('LANE')
        if bits == 16 and takes != 'SGPR' and 'SGPR' not in takes.split('_')[:1]:
            if self.form.half or takes == 'KIMM':
                flags.add('HALF')
            elif self.gfx11 and self.base in SHORT and ('VGPR' in takes):
                flags.add('LOW')
        self.form.slot(role, takes, reads, access, pieces, modifiers, sizes or [max(1, bits // 32)], flags, operand.of)

    # -- results ----------------------------------------------------------------------------------------------------

    def result(self, operand):
        if operand.type == 'mask':
            self.mask_result(operand)
            return
        takes = {None: 'VGPR', 'a': 'AGPR', 's': 'SGPR'}[operand.takes]
        self.slot('VDST', takes, operand, 'w' + 'r' * operand.both, self.form.field('vdst'),
                  flags=[self.scalar_result()] if takes == 'SGPR' else [])

    def scalar_result(self):
        """What a scalar result may not be: a lane's value M0, one that is computed EXEC (LLVM's register classes)."""
        return 'NO_M0' if self.signature.sources[0].takes == 'v' else 'NO_EXEC'

    def mask_result(self, operand):
        form = self.form
        if self.base == 'vop3':
            self.wave_mask('SDST', operand, 'w', 'mask' if self.compares else 'carry')
        elif self.variant == 'sdwa' and self.base == 'vopc' and self.gfx9:
            self.wave_mask('SDST', operand, 'w', 'sdst')
        else:
            self.slot('SDST', 'VCC', operand, 'w', sizes=[2])
            form.writes.add('vcc')

    def wave_mask(self, role, operand, access, field):
        """A mask of lanes: from gfx10 on of as many bits as the wave has lanes."""
        flags, sizes = (['WAVE'], [1, 2]) if self.gfx10 else ([], [2])
        self.slot(role, 'SGPR', operand, access, self.form.field(field), flags=flags, sizes=sizes)

    def carry_in(self, operand):
        if self.base == 'vop3':
            self.wave_mask('SRC2', operand, 'r', 'src2')
        else:
            self.slot('SRC2', 'VCC', operand, 'r', sizes=[2])
            self.form.reads.add('vcc')

    # -- sources ----------------------------------------------------------------------------------------------------

    def source(self, operand, index):
        name = 'src%d' % index
        field = self.form.field(name)
        takes = self.takes(operand, index)
        pieces, flags = self.source_modifiers(operand, index)
        access = 'r' + 'w' * operand.both
        self.slot(ROLE[name], takes, operand, access, field, pieces, [*flags, *self.reading(operand)])
        if takes == 'VGPR' and operand.takes and self.form.half:
            self.form.fixed |= 0x100
            self.form.must |= 0x100
        if 'LITERAL' in takes and (self.base in SHORT or self.gfx10):
            self.form.literal = True

    def reading(self, operand):
        """How a source is read: with signs in VOP3, which LLVM applies to the short encodings' constants; from LDS
        where a lane is read, or one is written from any scalar; and registers that M0 counts from are vector registers,
        which SDWA has no class for."""
        flags = []
        if self.base in SHORT and not self.variant and 'vop3' in self.family and self.is_float(operand):
            flags.append('LONG_SIGNS')
        reads_lane = operand.takes == 'v' and self.signature.results and self.signature.results[0].takes == 's'
        if reads_lane or operand.takes == 's' and any(o.type == 'lane' for o in self.signature.sources):
            flags.append('LDS')
        if operand.takes == 'v' and self.variant == 'sdwa':
            flags.append('ONLY_VGPR')
        return flags

    def takes(self, operand, index):
        if operand.takes and self.variant != 'sdwa':
            takes = CLASSES[operand.takes]
        elif self.base != 'vop3' and (index or self.variant.startswith('dpp')) and self.variant != 'sdwa' or \
                self.variant.startswith('dpp') and not index:
            return 'VGPR'
        elif self.form.half and TYPES[operand.type][0] == 16:
            takes = 'VGPR_LITERAL'
        else:
            takes = 'VGPR_SGPR_LITERAL'
        if self.variant:
            takes = takes.replace('LITERAL', 'INLINE')
        return takes

    def is_float(self, operand):
        if operand.bits is not None:
            return operand.bits.startswith('+')
        return TYPES[operand.type][2] == 'f' and 'no-signs' not in self.words or 'signs' in self.words

    def source_modifiers(self, operand, index):
        """The parts of the modifiers' field that a source has, and how it may be written."""
        form, number = self.form, self.is_float(operand)
        name = 'src%d_modifiers' % index
        if self.variant == 'dpp8' and self.base in SHORT or self.base in SHORT and not self.variant:
            return (), ()
        if self.variant == 'sdwa':
            bits, flag = ((NEG, ABS), 'NEG_ABS') if number else ((SEXT,), 'SEXT')
            if operand.type.startswith('pk_'):
                flag = 'SEXT'  # as LLVM has it
        elif self.base in SHORT:
            flag = 'NEG_ABS' if number else None
            bits = (NEG, ABS) if number or self.leaves_signs_open(operand) else ()
        else:
            bits, flag = self.long_modifiers(operand, index, number)
        return self.parts(name, bits), [flag] if flag else []

    def leaves_signs_open(self, operand):
        """Whether an integer has the bits of neg and abs though they mean nothing: beside a float, and beside halves."""
        if operand.bits is not None:
            return 'n' in operand.bits
        beside_float = self.is_float(self.signature.sources[0]) and not self.compares
        return beside_float or self.form.half

    def long_modifiers(self, operand, index, number):
        """Which modifiers' bits a source of VOP3 has. Integers beside a float, and from gfx11 on those with op_sel,
        leave the bits of neg and abs open without a meaning."""
        flag = 'NEG_ABS' if number else None
        if operand.bits is not None:
            letters = {'n': NEG, 'a': ABS, 's': SEL, 'd': RESULT_SEL}
            self.selects |= 's' in operand.bits
            return [letters[x] for x in operand.bits.strip('+')], flag
        bits = []
        if number:
            bits += [NEG] if 'no-abs' in self.words else [NEG, ABS]
        packed = operand.type.startswith('pk_')
        result = self.signature.results[0].type if self.signature.results else ''
        if self.op_sel:
            bits += [SEL] * (not packed)
            bits += [RESULT_SEL] * (index == 0 and not self.compares and not result.startswith('pk_'))
        beside_float = self.is_float(self.signature.sources[0]) and not self.compares
        if not number and not operand.takes and (
                self.op_sel and self.gfx11 and 'bitop3' not in self.words or beside_float):
            bits += [NEG, ABS]
        return bits, flag

    def parts(self, name, bits):
        """Of a field's parts those that hold these bits of its value."""
        out = []
        for at, width, to in self.form.fmt.fields.get(name, ()):
            if to in bits:
                out.append((at, width, to) if width == 1 or to + 1 in bits else (at, 1, to))
        return tuple(out)

    # -- modifiers --------------------------------------------------------------------------------------------------

    def modifiers(self, sources):
        if self.variant == 'sdwa':
            self.sdwa_modifiers(sources)
        elif self.base == 'vop3':
            self.long_result_modifiers()
        if self.variant.startswith('dpp'):
            self.form.dpp(self.variant)
        if self.op_sel and 'silent-opsel' in self.words:
            self.form.mod('OP_SEL', shown=False)

    def numeric_result(self):
        results = [o for o in self.signature.results if o.type != 'mask']
        return bool(results) and TYPES[results[0].type][2] == 'f'

    def sdwa_modifiers(self, sources):
        form = self.form
        if not sources:
            return
        if self.base != 'vopc' or not self.gfx9:
            form.mod('CLAMP', form.field('clamp'))
            if self.gfx9 and self.numeric_result() and 'omod' in form.fmt.fields:
                form.mod('OMOD', form.field('omod'))
        if 'whole-result' in self.words:
            at = form.field('dst_sel')[0][0]
            form.fixed |= SELECT_DWORD << at
            form.must |= 7 << at
        elif self.base != 'vopc':
            form.mod('DST_SEL', form.field('dst_sel'), lead=' ')
            form.mod('DST_UNUSED', form.field('dst_unused'), lead=' ')
        for i in range(sources):
            form.mod('SRC%d_SEL' % i, form.field('src%d_sel' % i), lead=' ')

    def long_result_modifiers(self):
        form, words = self.form, self.words
        results = [o for o in self.signature.results if o.type != 'mask']
        numeric = self.numeric_result() or self.compares and self.is_float(self.signature.sources[0])
        names = []
        if 'bitop3' in words:
            names.append('bitop3')
        if self.op_sel:
            names.append('op_sel')
        names += [w for w in ('byte_sel', 'scale_sel') if w in words]
        if numeric and '-clamp' not in words or 'clamp' in words:
            names.append('clamp')
        if (numeric and results and '-omod' not in words and '-clamp' not in words) or 'omod' in words:
            names.append('omod')
        if 'bound_ctrl' in words:
            names += ['bound_ctrl', 'fi']
        for name in names:
            field = {'op_sel': (), 'byte_sel': self.byte_sel()}.get(name)
            field = form.field(name) if field is None else field
            if name == 'clamp' and any(form.covered >> at & 1 for at, _, _ in field):
                field = ()  # gfx6 and gfx7 have a carry's register there
            if name != 'op_sel' or 'silent-opsel' not in words:
                form.mod(name.upper(), field)
        form.op_sel = int(self.op_sel)
        if self.op_sel and not self.packed() or 'byte_sel' in words and not self.variant or 'bitop3' in words or \
                self.selects:
            form.must |= OP_SEL_BITS & ~form.covered  # the bits of op_sel that nobody has are 0
        self.tied_source(results)

    def packed(self):
        return any(o.type.startswith('pk_') and o.bits is None for o in self.signature.sources)

    def tied_source(self, results):
        """A source that is the result's register has no text of its own, but its bit of op_sel."""
        form = self.form
        if 'sel2' in self.words:
            form.cover(form.field('src2_modifiers'))
            form.mods.append(Modifier('OP_SEL', 'PLAIN', ((13, 1, 2),)))
            form.must &= ~form.covered
            form.hidden = 3
        elif self.op_sel and results and results[0].both and 'accumulates' in self.words:
            form.hidden = 3

    def byte_sel(self):
        if 'byte_sel' not in self.words:
            return ()
        return self.form.field('byte_sel_result' if len(self.signature.sources) > 1 else 'byte_sel_source')

    def suffix(self):
        if not self.form.slots or 'plain-name' in self.words and not self.variant:
            return 'NONE'
        short = any(e in self.family for e in SHORT)
        if self.variant == 'sdwa':
            return 'SDWA' if self.base != 'vopc' or self.gfx9 else 'NONE'
        if self.variant:
            return 'E64_DPP' if self.base == 'vop3' else 'NONE' if self.base == 'vopc' else 'DPP'
        if self.base == 'vop3':
            return 'E64' if short else 'NONE'
        return 'E32' if 'vop3' in self.family else 'NONE'
