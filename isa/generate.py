#!/usr/bin/env python3
"""Turns the instruction tables into C: generate.py OUTPUT_FOLDER. Run by the build; standard library only."""
import collections
import copy
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import tables  # noqa: E402

ENCODING = {
    'SMRD': 'SMEM', 'SOPK_LIT32': 'SOPK', 'SOP2_LIT32': 'SOP2', 'VINTRP': 'VINTERP', 'VFLAT': 'FLAT',
    'VBUFFER': 'MUBUF',
    'VIMAGE': 'MIMG', 'VSAMPLE': 'MIMG', 'VOPD3': 'VOPD',
}
ROLE = {
    'vdst': 'VDST', 'sdst': 'SDST', 'src0': 'SRC0', 'src1': 'SRC1', 'src2': 'SRC2', 'src3': 'SRC3', 'vaddr': 'VADDR',
    'vaddr0': 'VADDR',
    'addr': 'VADDR', 'saddr': 'SADDR', 'vdata': 'VDATA', 'data0': 'VDATA', 'data1': 'DATA1', 'srsrc': 'SRSRC',
    'rsrc': 'SRSRC',
    'ssamp': 'SSAMP', 'samp': 'SSAMP', 'soffset': 'SOFFSET', 'sbase': 'SBASE', 'sdata': 'SDATA', 'simm16': 'SIMM',
    'imm': 'SIMM',
    'tgt': 'TARGET', 'attr': 'ATTR', 'attrchan': 'ATTR_CHANNEL', 'vsrc': 'SRC0', 'vdstX': 'VDST', 'src0X': 'SRC0',
    'vsrc1X': 'SRC1', 'src2X': 'SRC2', 'vsrc2X': 'SRC2', 'vdstY': 'VDST_Y', 'src0Y': 'SRC0_Y', 'vsrc1Y': 'SRC1_Y',
    'src2Y': 'SRC2_Y', 'vsrc2Y': 'SRC2_Y', 'scale_src0': 'SCALE0', 'scale_src1': 'SCALE1', 'offset': 'OFFSET',
    'idx': 'IDX',
}
ROLE.update({'vaddr%d' % i: 'VADDR%d' % i for i in range(1, 13)})
TAKES = {
    'V': 'VGPR', 'A': 'AGPR', 'VA': 'VGPR_AGPR', 'S': 'SGPR', 'S+inl': 'SGPR_INLINE', 'S+lit': 'SGPR_LITERAL',
    'VS+inl': 'VGPR_SGPR_INLINE', 'VS+lit': 'VGPR_SGPR_LITERAL', 'V+inl': 'VGPR_INLINE', 'A+inl': 'AGPR_INLINE',
    'V+lit': 'VGPR_LITERAL', 'KIMM+klit': 'KIMM', 'SOPPBrTarget': 'BRANCH', 'Hwreg': 'HWREG', 'SendMsg': 'SENDMSG',
    'SWaitCnt': 'WAITCNT', 'DepCtr': 'DEPCTR', 'SDelayALU': 'DELAY_ALU', 'Endpgm': 'ENDPGM',
    'GPRIdxMode': 'GPR_IDX_MODE',
    'ExpTgt': 'EXP_TARGET', 'InterpSlot': 'INTERP_SLOT', 'InterpAttr': 'ATTR', 'WaitEvent': 'WAIT_EVENT',
    'i32imm': 'IMM', 'i16imm': 'IMM', 'i8imm': 'IMM', 'i1imm': 'IMM', 'i1imm_0': 'IMM',
}
# Modifier operands: name in the tables -> enum og_mod.
MOD = {
    'cpol': 'CPOL', 'offset': 'OFFSET', 'offset0': 'OFFSET0', 'offset1': 'OFFSET1', 'gds': 'GDS', 'clamp': 'CLAMP',
    'omod': 'OMOD',
    'op_sel': 'OP_SEL', 'op_sel_hi': 'OP_SEL_HI', 'neg_lo': 'NEG_LO', 'neg_hi': 'NEG_HI', 'dpp_ctrl': 'DPP_CTRL',
    'row_mask': 'ROW_MASK', 'bank_mask': 'BANK_MASK', 'bound_ctrl': 'BOUND_CTRL', 'fi': 'FI', 'dpp8': 'DPP8',
    'dst_sel': 'DST_SEL', 'dst_unused': 'DST_UNUSED', 'src0_sel': 'SRC0_SEL', 'src1_sel': 'SRC1_SEL', 'tfe': 'TFE',
    'lwe': 'LWE',
    'dmask': 'DMASK', 'unorm': 'UNORM', 'da': 'DA', 'r128': 'R128', 'a16': 'A16', 'd16': 'D16', 'dim': 'DIM',
    'format': 'FORMAT',
    'en': 'EN', 'compr': 'COMPR', 'vm': 'VM', 'waitvdst': 'WAIT_VDST', 'waitexp': 'WAIT_EXP',
    'waitvsrc': 'WAIT_VM_VSRC', 'IsAsync': 'SWZ',
    'cbsz': 'CBSZ', 'abid': 'ABID', 'blgp': 'BLGP', 'index_key_8bit': 'INDEX_KEY', 'index_key_16bit': 'INDEX_KEY',
    'index_key_32bit': 'INDEX_KEY', 'matrix_a_fmt': 'MATRIX_A_FMT', 'matrix_b_fmt': 'MATRIX_B_FMT',
    'matrix_a_scale': 'MATRIX_A_SCALE', 'matrix_b_scale': 'MATRIX_B_SCALE', 'matrix_a_scale_fmt': 'MATRIX_A_SCALE_FMT',
    'matrix_b_scale_fmt': 'MATRIX_B_SCALE_FMT', 'matrix_a_reuse': 'MATRIX_A_REUSE', 'matrix_b_reuse': 'MATRIX_B_REUSE',
    'byte_sel': 'BYTE_SEL', 'bitop3': 'BITOP3', 'high': 'HIGH', 'scale_sel': 'SCALE_SEL', 'swz': 'SWZ',
}
STYLE = {'FI8': 'FI8', 'Swizzle': 'SWIZZLE', 'CPol_GLC1': 'RETURN', 'CPol_GLC_WithDefault': 'RETURN'}
FLAGS = {
    'load': 'LOAD', 'store': 'STORE', 'returns': 'ATOMIC', 'atomic': 'ATOMIC', 'branch': 'BRANCH',
    'terminator': 'TERMINATOR',
    'call': 'CALL', 'return': 'RETURN', 'end': 'NO_FALLTHROUGH', 'salu': 'SALU', 'valu': 'VALU', 'trans': 'TRANS',
    'convergent': 'CONVERGENT', 'effects': 'SIDE_EFFECTS', 'gather4': 'GATHER4', 'mode': 'READS_MODE', 'gws': 'GWS',
    'vm': 'VM_CNT', 'lgkm': 'LGKM_CNT', 'exp': 'EXP_CNT',
}
IMPLICIT = {'EXEC': 1, 'VCC': 2, 'SCC': 4, 'M0': 8, 'MODE': 16, 'FLAT_SCR': 32, 'ASYNCcnt': 64, 'TENSORcnt': 128}
SUFFIX = {'VOP1': 'E32', 'VOP2': 'E32', 'VOPC': 'E32', 'VOP3': 'E64', 'SDWA': 'SDWA', 'DPP': 'DPP',
          'VOP3_DPP': 'E64_DPP', 'VOP3P_DPP': 'E64_DPP'}


def type_of(name, operand, kind, dwords):
    """How constants of an operand are read: from its modifiers' kind, or from the types in the mnemonic."""
    if re.match('v_cvt_scale_pk|v_cvt_scalef32_(sr_)?pk(8|16|32)_', name) and operand != 'src0':
        return 'F32'
    dot2c = re.match('v_dot2c_f32_(bf16|f16)', name)
    if dot2c and operand in ('src0', 'src1'):
        return 'V2' + dot2c[1].upper()
    if name.startswith('v_perm_pk16_'):
        return 'V2I32' if operand == 'src2' else 'I64' if dwords == 2 else 'B32'
    matrix = re.match(r'v_(?:wmma(?:_scale(?:16)?)?|swmmac|dot4)_(?:(f32|bf16f32)_|(bf16|f16)_16x16x(?:32|64|128)_)',
                      name)
    if matrix and operand == 'src2':
        return 'F32' if matrix[1] else matrix[2].upper()
    if re.match('v_cvt_pk_f16_(bf|fp)8', name):
        return 'I16'
    packed = re.match(r'v_dot2_(bf16|f16)_|v_cvt_scalef32_(?:sr_)?pk_\w*_(bf16|f16)$', name)
    if packed and operand in ('src0', 'src1') and not (operand == 'src1' and 'cvt' in name):
        return 'V2' + (packed[1] or packed[2]).upper()
    if name.startswith('v_cvt_scalef32_sr_') and operand == 'src0' and name.endswith('16') and '_pk' not in name:
        return name.rsplit('_', 1)[1].upper()
    if name.startswith('v_cmp') and name.endswith('f16') and 'FP32' in kind:
        return 'F16'
    if '_dot2_' in name and operand == 'src2' and 'dot2_bf16' not in name:
        return re.findall(r'(?<=_)(bf16|[fiu](?:16|32))(?=_|$)', name)[0].upper().replace('U', 'I')
    in_dpp = re.match('v_dot2_f32_(bf16|f16)', name)
    if in_dpp and operand == 'src1' and 'FP32' in kind:
        return in_dpp[1].upper()
    if name.startswith('v_pk_') and name.endswith('_f32'):
        return 'V2F32'
    if name in ('v_dot2_f16_f16', 'v_dot2_bf16_bf16'):
        return ('V2' if operand != 'src2' else '') + name.rsplit('_', 1)[1].upper()
    if '_bf16' in name and ('PackedF16' in kind or 'v_fma_mix' in name):
        return 'BF16' if 'mix' in name else 'V2BF16'
    for key, value in (('PackedF16', 'V2F16'), ('PackedI16', 'V2I16'), ('FP16', 'F16'), ('FP32', 'F32'),
                       ('FP64', 'F64'),
                       ('Int16', 'I16'), ('Int32', 'I32')):
        if key in kind:
            return value
    types = re.findall(r'(?<=_)(bf16|[fiub](?:16|32|64))(?=_|$)', name)
    if not types:
        return ('F64' if name.startswith('v_') else 'I64') if dwords == 2 else 'B32'
    chosen = types[0] if operand == 'src2' and len(types) > 1 else types[-1]
    if 'sad_' in name or 'sat_pk' in name:
        return 'I64' if dwords == 2 else 'B32'
    if dwords == 2 and chosen.endswith('16') and not name.startswith('v_pk_'):
        return 'I64'
    if chosen == 'bf16':
        base = 'BF16'
    else:
        if dwords == 1 and chosen.endswith('64'):
            chosen = chosen[0] + '32'
        base = ('F' if chosen[0] == 'f' else 'I') + chosen[1:]
    packed = name.startswith('v_pk_') or '_dot2' in name
    if packed and base in ('F16', 'I16', 'BF16', 'I32', 'F32') and chosen == types[-1]:
        return 'V2' + base
    return base


def with_vcc(form, text):
    """The word vcc where the text has it and the tables leave it out."""
    compact = form.format.startswith(('VOP2', 'VOPC'))
    if not compact or 'vcc' in text or '$sdst' in text:
        return text
    if 'VCC' in form.uses:
        text = re.sub(r'(\$src1(_modifiers)?)', r'\1, vcc', text, count=1)
    if 'VCC' in form.defs:
        text = re.sub(r'^( ?)(\$vdst, )?', r'\1\2vcc, ', text, count=1)
    return text


class Shape:
    """Slots, modifiers and text program of a form."""

    def __init__(self, form):
        self.slots, self.mods, program = [], [], []
        fields, operands, ties = form.fields, form.operands, form.ties
        text = form.text.replace(',$format $soffset', ', $soffset$format').replace('$tgt, ', '$tgt ')
        self.returns = 'returns' in form.flags and form.format in ('SMEM', 'SMRD')
        older = form.generation.startswith(('gfx6', 'gfx7', 'gfx8'))
        signed = form.format in ('SMEM', 'VFLAT') or form.format == 'FLAT' and not form.name.startswith('flat_')
        # Offsets of 23 bits are buffers' from gfx12 on, whose sign is always 0.
        self.offset_signed = signed and not older and fields.get('offset', ((0, 0, 0),))[0][1] != 23
        text = with_vcc(form, text)
        if form.format == 'MIMG' and '[' in text and re.match('image_(sample|gather4|get_lod)', form.name) and \
                (form.generation.startswith('gfx10') or '$vdata' in text):
            text = ' ' + text  # LLVM prints another there
        used = set()
        for part in re.findall(r'\$\w+|,? ?vcc(?:_lo)?\b|[^$ ,]+|.', text):
            if part.startswith('$'):
                name = part[1:]
                if name.endswith('_modifiers'):
                    name = name[:-10]
                used.add(name)
                access, kind = operands.get(name, ('r', 'None'))
                if name in MOD and not (name == 'offset' and kind == 'None'):
                    self.add_mod(name, kind, fields, program)
                else:
                    self.add_slot(form, name, access, kind, fields, operands, ties, program)
            elif re.match(r',? ?vcc', part):
                lead = re.match(r'[, ]*', part)[0]
                program.append(lead)
                first = not any(s['takes'] == 'VCC' for s in self.slots)
                written = 'VCC' in form.defs and first
                self.slots.append(dict(role='SDST' if written else 'SRC2', takes='VCC', type='B32',
                                       flags='OG_SLOT_WRITE' if written else 'OG_SLOT_READ',
                                       sizes=[1 if 'lo' in part else 2],
                                       pieces=[], modifiers=[]))
                program.append(('slot', len(self.slots) - 1))
            else:
                program.append(part)
        # Fields that do not stand in the text.
        for name in operands:
            split = name in ('op_sel', 'op_sel_hi', 'neg_lo', 'neg_hi')
            if name in used or name not in MOD or name not in fields and not split:
                continue
            self.add_mod(name, operands[name][1], fields, None)
        # Sources that stand for tied registers keep their op_sel bit.
        self.hidden = 0
        shown = {s['role'] for s in self.slots if s['modifiers']}
        if 'op_sel' in operands and 'op_sel_hi' not in operands and 'permlane' not in form.name:
            for index in range(3):
                runs = [p for p in fields.get('src%d_modifiers' % index, ()) if p[2] == 2]
                if runs and 'SRC%d' % index not in shown:
                    self.mods.append(('OP_SEL', 'PLAIN', tuple((at, 1, index) for at, _, _ in runs)))
                if 'src%d_modifiers' % index in operands and 'SRC%d' % index not in shown:
                    self.hidden = index + 1
        if 'scale_src0' in operands and 'op_sel' in operands:
            self.hidden = 3
        self.program = program
        self.starts_tight = form.text.startswith('$') and not form.text.startswith(('$tgt', '$simm16', '$offset',
                                                                                    '$cpol'))
        self.packed = 'neg_lo' in operands
        self.opsel = 1 if 'op_sel' in operands else 0
        self.hi = 1 if 'op_sel_hi' in operands else 0
        self.mix = 1 if 'mix' in form.name else 0
        self.key = self.make_key()

    @staticmethod
    def of_pair(x, y, name):
        """The shape of a VOPD instruction: its halves' after one another."""
        self = copy.copy(x)
        self.slots, self.mods = x.slots + y.slots, x.mods + y.mods
        shift = {'slot': len(x.slots), 'mod': len(x.mods)}
        self.program = x.program + [' :: ' + name + (' ' if y.starts_tight else '')] + [
            (part[0], part[1] + shift[part[0]]) if isinstance(part, tuple) else part for part in y.program]
        self.key = self.make_key()
        return self

    def add_mod(self, name, kind, fields, program):
        if name == 'fi' and fields.get(name, ((0, 1, 0),))[0][1] == 9:
            kind = 'FI8'
        style = STYLE.get(kind, 'PLAIN')
        if name == 'offset' and self.offset_signed and name in fields:
            style = 'SIGNED'
        if name == 'cpol' and self.returns and style == 'PLAIN':
            style = 'RETURN'
        self.mods.append((MOD[name], style, tuple(fields.get(name, ()))))
        if program is not None:
            program.append(('mod', len(self.mods) - 1))

    def add_slot(self, form, name, access, kind, fields, operands, ties, program):
        base, _, sizes = kind.partition(':')
        takes = TAKES.get(base)
        if name == 'attrchan':
            takes = 'ATTR_CHANNEL'
        elif kind == 'None':
            takes = 'OFFSET' if name == 'offset' else 'SIMM'
        if form.name == 's_version':
            takes = 'VERSION'
        if takes is None:
            raise SystemExit('%s: operand %s of unknown kind %s' % (form.name, name, kind))
        role = ROLE[name]
        if form.format == 'EXP':
            role = role.replace('SRC', 'VSRC')
        if name == 'imm' and form.format == 'SOPK_LIT32':
            role = 'SRC0'
        flags = ['OG_SLOT_WRITE' if access == 'w' else 'OG_SLOT_READ']
        for a, b in ties:
            for mine, other in ((a, b), (b, a)):
                if mine == name and other in operands:
                    flags.append('OG_SLOT_WRITE' if operands[other][0] == 'w' else 'OG_SLOT_READ')
        modifiers = fields.get(name + '_modifiers', [])
        modkind = operands.get(name + '_modifiers', ('', ''))[1]
        if '$' + name + '_modifiers' in form.text:
            if modkind.startswith('mods(IntVReg') or modkind[5:-1] in tables.INTEGER_MODS:
                pass
            elif 'SDWA' in modkind and ('Int' in modkind or 'Bin' in modkind):
                flags.append('OG_SLOT_SEXT')
            elif any(to == 0 for _, _, to in modifiers):
                flags.append('OG_SLOT_NEG_ABS')
        if takes == 'OFFSET' and self.offset_signed:
            flags.append('OG_SLOT_SIGNED')
        if sizes in ('0.5',):
            flags.append('OG_SLOT_HALF')
        if name in form.low:
            flags.append('OG_SLOT_LOW')
        counts = [max(1, int(float(s))) for s in sizes.split('/')] if sizes else []
        if form.name.startswith('ds_gws_'):
            counts = [1]
        typed = name.startswith('src') or name == 'imm'
        vtype = type_of(form.name, name, modkind, counts[0] if counts else 0) if typed else 'B32'
        if takes in ('SGPR', 'VGPR', 'AGPR') and not modkind or form.name.startswith('s_') and vtype.endswith('16'):
            vtype = 'I16' if form.name.startswith('s_cmp_') and form.name.endswith('f16') else 'B32'
        gfx11_up = form.generation.startswith(('gfx11', 'gfx12'))
        exponent = form.name == 'v_ldexp_f16' and name == 'src1'
        if form.format == 'SOP2' and form.name.endswith('_f16') or \
                exponent and form.format == 'VOP3' and form.generation.startswith('gfx10'):
            vtype = 'F16'
        if form.name == 'v_cndmask_b32' and form.format == 'VOP2' and name == 'src0':
            vtype = 'F32'
        if sizes == '0.5' and vtype == 'B32' or 'v_align' in form.name and name == 'src2' and gfx11_up:
            vtype = 'I16'
        if form.name == 'v_cvt_f32_bf16' and form.format == 'VOP3' and form.generation == 'gfx950':
            vtype = 'V2BF16'
        vector = form.format.startswith('VOP')
        if (takes == 'SGPR' and vector and role in ('SDST', 'SRC2') and sizes == '1'
            and form.generation.startswith('gfx1')):
            flags.append('OG_SLOT_WAVE')
            counts = [counts[0], 2 * counts[0]]
        if re.match('v_cvt_pk_f32_(bf|fp)8', form.name) and form.generation.startswith('gfx12'):
            vtype = 'F16'
        if form.name == 'v_pk_fmac_f16':
            vtype = 'V2F16_SPLAT' if gfx11_up else 'V2F16' if form.format == 'VOP3' else vtype
        if re.match('v_cvt_pk_(bf|fp)8_f16', form.name):
            vtype = 'V2F16_LITERAL'
        if exponent and form.format in ('VOP3', 'VOP2_SDWA') and not gfx11_up:
            vtype = 'F16'
        if name.startswith('scale_src') and counts == [2]:
            vtype = 'I64'
        if form.name.startswith('v_wmma_') and name == 'src2':  # LLVM reads gfx11's of waves of 32 as doubles
            vtype = ('F64' if counts == [8] else 'F32') if form.generation.startswith('gfx11') else vtype
            vtype = vtype[2:] if form.generation.startswith('gfx12') and vtype in ('V2F16', 'V2BF16') else vtype
        if re.match('v_cvt_f16_(bf|fp)8', form.name):
            vtype = 'B32'
        if re.match('v_cmpx?_class_', form.name) and name == 'src1' and sizes != '0.5' and \
                not form.generation.startswith(('gfx11', 'gfx12')):
            vtype = 'I32'
        self.slots.append(dict(role=role, takes=takes, type=vtype, flags='|'.join(sorted(set(flags))), sizes=counts,
                               pieces=fields.get(name, []), modifiers=modifiers))
        program.append(('slot', len(self.slots) - 1))

    def make_key(self):
        return (tuple(tuple((k, str(v)) for k, v in s.items()) for s in self.slots), tuple(self.mods), self.text(),
                self.packed,
                self.opsel, self.hi, self.mix, self.hidden)

    def text(self):
        out = '"'
        if self.starts_tight:
            out += '\\3'
        for part in self.program:
            if isinstance(part, tuple):
                out += '\\%o\\%03o' % (1 if part[0] == 'slot' else 2, part[1] + 1)
            elif part:
                out += part
            if isinstance(part, tuple):
                out += '""'
        return (out + '"').replace('""', '" "') if out != '"' else '""'


CMP_SUFFIX = {'VOP3': 'E64', 'VOPC': 'E32', 'VOPC_SDWA': 'SDWA', 'VOP3_DPP16': 'E64_DPP', 'VOP3_DPP8': 'E64_DPP'}


def suffix_of(form, shape):
    if form.e:
        return form.e[1:].upper()
    if form.name.startswith('v_cmp') and form.format in CMP_SUFFIX and ' vcc' not in form.text:
        return CMP_SUFFIX[form.format]
    if form.name.startswith('v_cvt_pk_f16_') and form.name.endswith('8') and 'DPP' not in form.format:
        return 'NONE'
    if not shape.starts_tight:
        return 'NONE'
    if form.format in ('VOP1', 'VOP2', 'VOPC', 'VOP3', 'VINTRP'):
        others = set(form.forms.split('|'))
        if form.format == 'VOP3':
            return 'E64' if others & {'VOP1', 'VOP2', 'VOPC', 'VOPC_SDWA', 'VOPC_DPP16', 'VINTRP'} else 'NONE'
        return 'E32' if 'VOP3' in others else 'NONE'
    if form.format.startswith(('VOP3_DPP', 'VOP3P_DPP')):
        return 'E64_DPP'
    if 'DPP' in form.format:
        return 'DPP'
    return 'SDWA' if 'SDWA' in form.format else 'NONE'


WINDOWS = [(at, width) for at in (8, 9, 13, 14, 15, 16, 17, 18) for width in range(4, 11) if at + width <= 23]


def matches(form, at, width):
    """The values that `width` bits from `at` have in encodings of a form."""
    mask, value = form.mask >> at & (1 << width) - 1, form.value >> at & (1 << width) - 1
    out = [value & mask]
    for bit in range(width):
        if not mask >> bit & 1:
            out += [v | 1 << bit for v in out]
    return out


def dispatch(forms):
    """Buckets by bits 31..23, each with a window of bits that tells its forms apart; lists of candidates, the most
    exact first."""
    buckets, entries, lists, list_at = [], [], [0xffff], {(): 0}
    preferred = {}
    halves = {(f.name, f.format, f.only): bin(f.mask).count('1') for f in forms if f.half}
    for i, form in enumerate(forms):
        if form.encoding == 'MIMG' and form.text.startswith(' off'):
            continue
        # v_dot4_i32_iu8 without its bits
        if form.name in ('v_dot4_i32_i8', 'v_dot8_i32_i4') and form.generation.startswith('gfx11'):
            continue
        key = (form.mask, form.value, form.needs)
        if form.encoding == 'MIMG' and key in preferred and len(form.operands) < len(forms[preferred[key]].operands):
            continue  # of the forms that differ in the number of addresses, the one with most
        stands_first = form.name == 'v_mul_lo_u32' or form.name.endswith(('iu8', 'iu4'))
        if key not in preferred or form.encoding == 'MIMG' or form.half or stands_first:
            preferred[key] = i

    def exactness(i):
        f, bits = forms[i], bin(forms[i].mask).count('1')
        return bits if f.half else min(bits, halves.get((f.name, f.format, f.only), 999) - 0.5)
    order = sorted(preferred.values(), key=lambda i: -exactness(i))
    by_bucket = collections.defaultdict(list)
    for i in order:
        for v in matches(forms[i], 23, 9):
            by_bucket[v].append(i)
    for bucket in range(512):
        members = by_bucket[bucket]
        at, width = 0, 0
        if len(members) > 3:
            masks = collections.Counter(forms[i].mask & 0x7fffff for i in members)

            def cost(window):
                at, width = window
                bits = ((1 << width) - 1) << at
                total = sum(n << bin(bits & ~mask).count('1') for mask, n in masks.items())
                return total / (1 << width) + (1 << width) / 256.0
            at, width = min(WINDOWS, key=cost)
        buckets.append((len(entries), at, width))
        chosen = [[] for _ in range(1 << width)]
        for i in members:
            for v in matches(forms[i], at, width):
                chosen[v].append(i)
        for candidates in map(tuple, chosen):
            if candidates not in list_at:
                list_at[candidates] = len(lists)
                lists.extend(candidates)
                lists.append(0xffff)
            entries.append(list_at[candidates])
    least = [min((forms[i].size // 8 for i in by_bucket[bucket]), default=4) for bucket in range(512)]
    return buckets, entries, lists, least


def c_pieces(pieces):
    return '{' + ', '.join('{%d, %d, %d}' % p for p in pieces) + '}' if pieces else '{{0}}'


def number_rows(generations):
    """{row: its number} of all forms, halves of pairs included, in the order of the names."""
    rows = set()
    for forms in generations.values():
        for form in forms:
            rows.add(form.row)
            if hasattr(form, 'y'):
                rows.add(form.y.row)
    return {row: i for i, row in enumerate(sorted(rows))}


def emit_rows(row_ids, w, header):
    header.write('/* Made from isa/. */\n#ifndef OG_ISA_ROWS_H\n#define OG_ISA_ROWS_H\nenum og_row_id {\n')
    header.writelines('  OG_ROW_%s,\n' % row.upper() for row in row_ids)
    header.write('  OG_ROW_COUNT\n};\n#endif\n')
    w.write('const struct og_row og_rows[] = {\n' + ''.join('  {"%s"},\n' % r for r in row_ids) + '};\n')
    w.write('const unsigned og_rows_count = %d;\n' % len(row_ids))


def emit_shapes(generations, w):
    """Shapes, each once; equal lists of slots and modifiers stand once too. Gives the forms their shape_id."""
    shapes = {}
    for forms in generations.values():
        for form in forms:
            form.shape_id = shapes.setdefault(form.shape.key, (len(shapes), form.shape))[0]
    seen = {}
    body = []
    for i, shape in shapes.values():
        slots = ''.join('  {OG_ROLE_%s, OG_TAKES_%s, OG_TYPE_%s, %s, %d, 0x%xu, %s, %s},\n' % (
            s['role'], s['takes'], s['type'], s['flags'], s['sizes'][0] if s['sizes'] else 0,
            sum(1 << n - 1 for n in set(s['sizes'])), c_pieces(s['pieces']), c_pieces(s['modifiers']))
                        for s in shape.slots)
        mods = ''.join('  {OG_MOD_%s, OG_STYLE_%s, %s},\n' % (m, style, c_pieces(p)) for m, style, p in shape.mods)
        if slots and slots not in seen:
            seen[slots] = 's%d' % i
            w.write('static const struct og_slot s%d[] = {\n%s};\n' % (i, slots))
        if mods and mods not in seen:
            seen[mods] = 'm%d' % i
            w.write('static const struct og_mod_slot m%d[] = {\n%s};\n' % (i, mods))
        flags = shape.packed * 1 + shape.opsel * 2 + shape.hi * 4 + shape.mix * 8 + shape.hidden * 16
        body.append('  {%s, %s, %s, %d, %d, %d},\n' % (
            seen.get(slots, 'NULL'), seen.get(mods, 'NULL'), shape.text(), len(shape.slots), len(shape.mods), flags))
    w.write('const struct og_shape og_shapes[] = {\n%s};\n' % ''.join(body))


def emit_forms(cname, forms, row_ids, w):
    w.write('static const struct og_form forms_%s[] = {\n' % cname)
    m64 = (1 << 64) - 1
    for f in forms:
        flags = '|'.join('OG_FLAG_' + x for x in f.flag_names) or '0'
        w.write('  {{0x%xu, 0x%xu}, {0x%xu, 0x%xu}, {0x%xu, 0x%xu}, "%s", %d, %s, %d, %d, OG_ENC_%s, OG_VARIANT_%s, %d, OG_SUFFIX_%s, '
                '%d, %d, %d, %d},\n' % (
                    f.mask & m64, f.mask >> 64, f.value & m64, f.value >> 64, f.needs & m64, f.needs >> 64, f.name, len(f.name), flags,
                    row_ids[f.row], f.shape_id, f.encoding, f.variant, f.size // 8, f.suffix, f.reads, f.writes,
                    f.literal, row_ids[f.y.row] if hasattr(f, 'y') else 0))
    w.write('};\n')
    buckets, entries, lists, least = dispatch(forms)
    rows = ''.join('{%d,%d,%d},\n' % b for b in buckets)
    w.write('static const struct og_bucket buckets_%s[512] = {\n%s};\n' % (cname, rows))
    w.write('static const uint16_t entries_%s[] = {%s};\n' % (cname, ','.join(map(str, entries))))
    w.write('static const uint16_t lists_%s[] = {%s};\n' % (cname, ','.join(map(str, lists))))
    w.write('static const uint8_t least_%s[512] = {%s};\n' % (cname, ','.join(map(str, least))))


def emit_names(cname, forms, aliases, w):
    """The sorted mnemonics with their forms, the smaller first; how many there are."""
    names = collections.defaultdict(list)
    for i, f in enumerate(forms):
        names[f.name + ' :: ' + f.y.name if hasattr(f, 'y') else f.name].append(i)
    for other, name in aliases.items():
        if name in names:
            names[other] = names[name]
    flat = []
    w.write('static const struct og_name names_%s[] = {\n' % cname)
    for name in sorted(names):
        ids = sorted(names[name], key=lambda i: (forms[i].size, i))
        w.write('{"%s", %d, %d},\n' % (name, len(flat), len(ids)))
        flat += ids
    w.write('};\nstatic const uint16_t named_%s[] = {%s};\n' % (cname, ','.join(map(str, flat))))
    return len(names)


def emit(generations, aliases, features, out):
    row_ids, tables_of = number_rows(generations), {}
    with open(os.path.join(out, 'rows.h'), 'w') as header, open(os.path.join(out, 'isa_tables.c'), 'w') as w:
        w.write('/* Made from isa/. */\n#include "isa/internal.h"\n\n')
        emit_rows(row_ids, w, header)
        emit_shapes(generations, w)
        for gen, forms in generations.items():
            c = tables_of[gen] = re.sub(r'\W', '_', gen)
            emit_forms(c, forms, row_ids, w)
            count = emit_names(c, forms, aliases[gen], w)
            w.write('const struct og_tables og_tables_%s = {OG_%s, forms_%s, %d, buckets_%s, entries_%s, lists_%s, '
                    'least_%s, names_%s, %d, named_%s};\n' % (c, c.upper(), c, len(forms), c, c, c, c, c, count, c))
        w.write('const char *const og_needed_features[] = {%s};\n' % ', '.join('"%s"' % f for f, _ in features))
        w.write('const unsigned og_needed_features_count = %d;\n' % len(features))
        w.write('const struct og_tables *const og_all_tables[OG_GENERATION_COUNT] = {\n')
        w.writelines('  [OG_%s] = &og_tables_%s,\n' % (c.upper(), c) for c in tables_of.values())
        w.write('};\n')


def pair_shape(form, made):
    halves = []
    for half in (form.x, form.y):
        key = (half.shape_table, id(half.format_table), half.name, half.generation[:4], ())
        if key not in made:
            made[key] = Shape(half)
        halves.append(made[key])
    key = (halves[0].key, halves[1].key, form.y.name)
    if key not in made:
        made[key] = Shape.of_pair(halves[0], halves[1], form.y.name)
    return made[key]


def main():
    out = sys.argv[1]
    os.makedirs(out, exist_ok=True)
    generations = tables.load(HERE)
    made = {}
    for forms in generations.values():
        for form in forms:
            key = (form.shape_table, id(form.format_table), form.name, form.generation[:5], tuple(form.defs),
                   'returns' in form.flags,
                   form.only, form.half, bool(form.low))
            if key not in made:
                made[key] = Shape(form)
            form.shape = made[key]
            if hasattr(form, 'y'):
                form.shape = pair_shape(form, made)
            form.suffix = suffix_of(form, form.shape)
            base = re.sub(r'_(DPP16|DPP8|SDWA)$|-[XY]$', '', form.format)
            form.encoding = ENCODING.get(base, base)
            form.variant = next((v for v in ('DPP16', 'DPP8', 'SDWA') if form.format.endswith(v)), 'NONE')
            form.flag_names = sorted({FLAGS[x] for x in form.flags if x in FLAGS})
            form.reads = sum(IMPLICIT[x] for x in set(form.uses))
            form.writes = sum(IMPLICIT[x] for x in set(form.defs))
    emit(generations, tables.aliases(HERE), tables.features(HERE)[1:], out)


if __name__ == '__main__':
    main()
