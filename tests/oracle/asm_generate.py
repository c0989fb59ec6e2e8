#!/usr/bin/env python3
"""Instructions written from the tables, row by row, against llvm-mc-22: text and bytes, or refusal, both ways.

asm_generate.py OFFGRID PROCESSOR COUNT [SEED [SHOW [FORMATS]]]; FORMATS is what the names of the formats written begin
with. Each form of the generation is written in turn with operands of every kind it takes and modifiers with edge
values; a part of them has one thing wrong. PROCESSOR/64 writes the forms for waves of 64, from gfx10 to gfx12;
PROCESSOR/FEATURES (gfx1200/+real-true16,-dot10-insts) is for -mattr. PROCESSOR/each takes COUNT instructions for each
of the sets in WAVES and TRUE16, and with each feature of features.isa taken away or added, half of them written for
what hangs on the feature; PROCESSOR/few for a few of these sets, which the seed chooses. "every" instead of PROCESSOR
takes all processors in turn, "generations" one of each generation. What both take is disassembled by both from the bytes, where LLVM can. Differences that asm_known.py explains are set apart and counted. Exit 77 without llvm-mc-22.
"""
import collections
import functools
import importlib.util
import os
import random
import re
import shutil
import subprocess
import sys

import asm_fitting
import asm_known
import instruction_forms

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

SPEC = importlib.util.spec_from_file_location('processors', os.path.join(ROOT, 'src/target/generate.py'))
processors = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(processors)
PROCESSORS = processors.parse(processors.read_entries(os.path.join(ROOT, 'src/target/processors.txt')))
# gfx1011's GFX10_1_DL are the tables of gfx10.1-dl
GENERATION = {name: re.sub(r'_(?=\d)', '.', p['generation'].lower()).replace('_', '-')
              for name, p in PROCESSORS.items() if p['generation'].startswith('GFX')}
LLVM = shutil.which('llvm-mc-22')
AT_ONCE = 400
FEW = 3
INTEGERS = ['0', '1', '2', '63', '64', '65', '-1', '-16', '-17', '100', '0x7f', '0x8000', '0xffff', '0x10000', '-32768',
            '-32769', '0x3118',
            '0x3c00', '0x3f800000', '0x3e22f983', '0x12345678', '0x7fffffff', '0x80000000', '0xffffffff', '0xfffffff0',
            '-0x80000000',
            '0x100000000', '-0x80000001', '0x3ff0000000000000', '0x3fc45f306dc9c882', '0xffffffffffffffff',
            '0x123456789abcdef0', '2+3', '(1<<4)|1', '~0']
# High halves of doubles that have an inline constant, as 32 bits and as the negative number of these; and of others.
HALVES = ['0x3ff00000', '0x3fe00000', '0x40000000', '0xc0100000', '0x3fc45f30', '-0x3ff00000', '-0x40100000',
          '-0x40000000', '0x3ff00001', '-0x3ff00001']
REALS = ['0.0', '0.5', '-0.5', '1.0', '-1.0', '2.0', '-4.0', '4.0', '0.15915494', '0.15915494309189532', '1.5', '-3.25',
         '1e10', '65504.0', '1e-30', '1e300', '0.1', '1e400', '-1e400', '1e-400', '1e39']
SYMBOLS = ['sym', 'sym+4', 'sym-4', 'fwd-sym', 'five', 'five*2', 'big', 'sym-4+2', '(sym+4)', 'sym@rel32@lo+4',
           'fwd@GOTPCREL32@HI-8', '(sym+4)@abs32@lo', '-sym', '(fwd-sym)*2', 'sym@rel64']
SPECIALS = {1: ['vcc_lo', 'vcc_hi', 'exec_lo', 'exec_hi', 'm0', 'null', 'ttmp0', 'ttmp11', 'ttmp15', 's101', 's102',
                's105', 's106', 'flat_scratch_lo', 'xnack_mask_hi', 'tba_lo', 'tma_hi', 'ttmp[4:4]', 's[7]', '[s3]'],
            2: ['vcc', 'exec', 'null', 'ttmp[0:1]', 'ttmp[14:15]', 's[100:101]', 's[102:103]', 's[104:105]',
                'flat_scratch', 'xnack_mask', 'tba', 'tma', '[s2,s3]', '[vcc_lo,vcc_hi]', 's[1:2]'],
            4: ['ttmp[4:7]', 's[96:99]', 's[2:5]', '[s4,s5,s6,s7]'], 8: ['ttmp[0:7]', 's[4:11]'],
            16: ['ttmp[0:15]', 's[84:99]']}
SOURCE_ONLY = ['src_shared_base', 'src_private_limit', 'shared_limit', 'src_vccz', 'execz', 'src_scc', 'scc',
               'src_pops_exiting_wave_id', 'lds_direct', 'src_lds_direct']
SDWA = ['BYTE_0', 'BYTE_1', 'BYTE_2', 'BYTE_3', 'WORD_0', 'WORD_1', 'DWORD']
FLAGS = {'CLAMP': 'clamp', 'GDS': 'gds', 'TFE': 'tfe', 'LWE': 'lwe', 'UNORM': 'unorm', 'DA': 'da', 'R128': 'r128',
         'A16': 'a16', 'D16': 'd16',
         'COMPR': 'compr', 'VM': 'vm', 'HIGH': 'high', 'MATRIX_A_REUSE': 'matrix_a_reuse',
         'MATRIX_B_REUSE': 'matrix_b_reuse'}
NUMBERS = {'OFFSET0': ('offset0', 255), 'OFFSET1': ('offset1', 255), 'ROW_MASK': ('row_mask', 15),
           'BANK_MASK': ('bank_mask', 15), 'FI': ('fi', 1),
           'CBSZ': ('cbsz', 7), 'ABID': ('abid', 15), 'BLGP': ('blgp', 7), 'INDEX_KEY': ('index_key', 3),
           'WAIT_VDST': ('wait_vdst', 15), 'WAIT_EXP': ('wait_exp', 7),
           'WAIT_VM_VSRC': ('wait_vm_vsrc', 1), 'BYTE_SEL': ('byte_sel', 3), 'BITOP3': ('bitop3', 255),
           'SCALE_SEL': ('scale_sel', 15), 'DMASK': ('dmask', 15)}
NAMES = re.findall(r'"((?:HW_REG|MSG|GS_OP|SYSMSG_OP)_\w+)"', open(os.path.join(ROOT, 'src/isa/names.c')).read())
NUMBER_FORMATS = ['UNORM', 'SNORM', 'USCALED', 'SSCALED', 'UINT', 'SINT', 'SNORM_OGL', 'RESERVED_6', 'FLOAT']
DATA_FORMATS = ['INVALID', '8', '16', '8_8', '32', '16_16', '10_11_11', '11_11_10', '10_10_10_2', '2_10_10_10',
                '8_8_8_8', '32_32', '16_16_16_16',
                '32_32_32', '32_32_32_32', 'RESERVED_15']
SMALL = ['0', '1', '2', '3', '4', '5', '7', '8', '15', '16', '31', '32', '0x3', '1+1', 'five', 'five-1', '(2)', '-1',
         '2*4', '~-2', '!0']
DEPCTR = ['depctr_' + n for n in ('hold_cnt', 'sa_sdst', 'va_vdst', 'va_sdst', 'va_ssrc', 'va_vcc', 'vm_vsrc')]
DELAYS = ['NO_DEP', 'VALU_DEP_1', 'VALU_DEP_2', 'VALU_DEP_3', 'VALU_DEP_4', 'TRANS32_DEP_1', 'TRANS32_DEP_2',
          'TRANS32_DEP_3', 'FMA_ACCUM_CYCLE_1', 'SALU_CYCLE_1', 'SALU_CYCLE_2', 'SALU_CYCLE_3', 'BAD']
SKIPS = ['SAME', 'NEXT', 'SKIP_1', 'SKIP_2', 'SKIP_3', 'SKIP_4', 'SKIP_5']
HINTS = {'LOAD': ['RT', 'NT', 'HT', 'LU', 'BYPASS', 'NT_RT', 'RT_NT', 'NT_HT'],
         'STORE': ['RT', 'NT', 'HT', 'WB', 'RT_WB', 'BYPASS', 'NT_RT', 'RT_NT', 'NT_HT', 'NT_WB'],
         'ATOMIC': ['RT', 'RETURN', 'RT_RETURN', 'NT', 'NT_RETURN', 'CASCADE_RT', 'CASCADE_NT']}
OFFSETS = [0, 1, 4, 16, 255, 256, 1023, 1024, 2047, 2048, 4094, 4095, 4096, 8191, 65535, 65536, 0xfffff, 0x7fffff,
           0x800000, -1, -4, -4096, -4097, -8388608]


class Writer:
    def __init__(self, processor, seed, formats='', wave=None):
        self.generation = GENERATION[processor]
        self.major = self.major_of(processor)
        self.rng = random.Random(seed)
        self.wave = wave or (32 if self.major >= 10 else 64)
        d16 = 'packed' if processor in ('gfx810', 'stoney') else 'unpacked'
        self.aliases = collections.defaultdict(list)
        for other, name in instruction_forms.aliases(self.generation).items():
            self.aliases[name].append(other)
        self.forms = [f for f in instruction_forms.of(self.generation)
                      if f.format.startswith(formats) and f.only in (0, self.wave, d16)]

    @staticmethod
    def major_of(processor):
        return int(re.match(r'gfx(\d+)(?:-|..$)', processor)[1])

    def hanging_on(self, feature):
        """The forms for which a feature must be there; those of other generations of the same encodings too."""
        here = {(f.name, f.format) for f in self.forms}
        near = {GENERATION[p] for p in GENERATION if self.major_of(p) == self.major} - {self.generation}
        return [f for f in self.forms if feature in f.needs] + [
            f for g in sorted(near) for f in instruction_forms.of(g)
            if feature in f.needs and (f.name, f.format) not in here and f.only in (0, self.wave)]

    def lines(self, count, feature=None):
        """Of a feature's forms up to half as many, then of all in turn."""
        own = self.hanging_on(feature) if feature else []
        self.rng.shuffle(own)
        out, turn = [self.instruction(form) for form in (own * 2)[:count // 2]], []
        while len(out) < count:
            if not turn:
                turn = list(self.forms)
                self.rng.shuffle(turn)
            out.append(self.instruction(turn.pop()))
        return out

    def chance(self, p):
        return self.rng.random() < p

    def number(self, most):
        pick = self.rng.choice
        return pick(['0', '1', str(most), hex(self.rng.randrange(most + 1))] * 4 + [str(most + 1), '-1', '(1)'])

    # ---- operands

    def registers(self, letter, dwords, limit):
        first = self.rng.choice([0, 1, 2, 4, 8, limit - dwords, self.rng.randrange(limit - dwords + 1)])
        if letter == 's' and dwords > 1:
            first = first // min(dwords, 4) * min(dwords, 4) if dwords != 3 else first // 4 * 4
        elif dwords > 1 and self.chance(0.8) and self.generation in ('gfx90a', 'gfx942', 'gfx950', 'gfx1250',
                                                                     'gfx1251'):
            first &= ~1
        if self.chance(0.06):
            return self.spelling(letter, first, dwords)
        if dwords == 1:
            return '%s%d' % (letter, first)
        return '%s[%d:%d]' % (letter, first, first + dwords - 1)

    def spelling(self, letter, first, dwords):
        """The other ways to write a register."""
        last = first + dwords - 1
        if letter == 'a' and self.chance(0.3):
            return 'acc%d' % first if dwords == 1 else 'acc[%d:%d]' % (first, last)
        listed = '[%s]' % self.rng.choice([',', ', ', ' , ']).join('%s%d' % (letter, i) for i in range(first, last + 1))
        name = self.rng.choice(['%d:%d' % (first, last), 'five+%d:five+%d' % (first - 5, last - 5),
                                '%d+1:0x%x' % (first - 1, last), ' %d : %d ' % (first, last),
                                'five-5:%d' % (dwords - 1), '%d*2/2:%d' % (first, last), '%d' % first, 'five'])
        return listed if dwords < 9 and self.chance(0.3) else '%s[%s]' % (letter, name)

    def scalar(self, dwords):
        if self.chance(0.3):
            return self.rng.choice(SPECIALS.get(dwords, ['null']))
        return self.registers('s', dwords, 106 if self.major >= 10 else 102 if self.major >= 8 else 104)

    def constant(self, slot, literal, lit=False):
        if slot and slot['type'] == 'F64' and self.chance(0.3):
            return self.rng.choice(HALVES)
        x = self.rng.random()
        if x < 0.25:
            return str(self.rng.randrange(-16, 65))
        if x < 0.55:
            return self.rng.choice(INTEGERS)
        if x < 0.85:
            return self.rng.choice(REALS)
        if x < 0.9 and lit:
            words = ['lit(%s)'] * 3 + ['lit( %s )', 'lit (%s)', 'abs(lit(%s))', 'neg(lit(%s))']
            words += ['lit64(%s)'] * 7 * (self.generation in ('gfx1250', 'gfx1251'))
            return self.rng.choice(words) % self.rng.choice([n for n in INTEGERS[:-3] + REALS if n[0] != '-'])
        return self.rng.choice(SYMBOLS) if literal else str(self.rng.randrange(1 << 32))

    def immediate(self, takes, form):
        pick = self.rng.choice
        if takes == 'BRANCH':
            return pick(['0', '1', '-1', '32767', '-32768', '65535', '65536', 'sym', 'sym+4', 'fwd'])
        if takes == 'HWREG':
            return self.hwreg()
        if takes == 'SENDMSG':
            return self.message()
        if takes == 'WAITCNT':
            return self.counters()
        if takes == 'GPR_IDX_MODE':
            modes = self.rng.sample(['SRC0', 'SRC1', 'SRC2', 'DST'], self.rng.randrange(5)) + ['SRC0'] * self.chance(0.05)
            return pick(['gpr_idx(%s)' % pick([',', ', ']).join(modes)] * 3 + [pick(SMALL)])
        if takes == 'DELAY_ALU':
            return self.delay()
        if takes == 'DEPCTR':
            some = ['%s(%s)' % (pick(DEPCTR), pick(SMALL)) for _ in range(pick([1, 1, 2, 3, 4]))]
            return pick([pick([' ', ', ', ' & ']).join(some)] * 4 + [hex(self.rng.randrange(1 << 16)), 'sym', '-1',
                        '65536', 'depctr_bad(0)', 'depctr_va_vdst_sat(200)'])
        if takes == 'EXP_TARGET':
            return pick(['mrt%d' % self.rng.randrange(9), 'pos%d' % self.rng.randrange(6),
                         'param%d' % self.rng.randrange(33), 'mrtz', 'null', 'prim', 'dual_src_blend0',
                         'dual_src_blend1',
                         'dual_src_blend2', 'invalid_target_10', 'param01', 'mrt', '3'])
        if takes == 'INTERP_SLOT':
            return pick(['p10', 'p20', 'p0', 'p30', 'invalid_param_3'])
        if takes == 'ATTR':
            return 'attr%d.%s' % (pick([0, 1, 31, 32, 33, 64]), pick('xyzwxyzwxyzwa'))
        if takes == 'ATTR_CHANNEL':  # stands in ATTR
            return ''
        if takes in ('OFFSET',):
            return str(pick(OFFSETS)) if self.chance(0.5) else hex(self.rng.randrange(1 << pick([8, 12, 20, 21, 24])))
        if takes == 'KIMM':
            return self.constant(None, True)
        if takes == 'VERSION':
            return pick(['0', '7', 'UC_VERSION_GFX10', 'UC_VERSION_GFX11', 'UC_VERSION_GFX12 | UC_VERSION_W64_BIT',
                         'UC_VERSION_W32_BIT', '0x2006', 'UC_VERSION_GFX9'])
        if takes == 'ENDPGM':
            return pick(['', '', '0', '1', '65535', '65536', '-1'])
        return pick(['0', '1', '2', '3', '7', '15', '16', '127', '255', '0x1234', '32767', '32768', '65535', 'five',
                     'sym', '65536', '-1', '-32768', '-32769'])

    def delay(self):
        pick = self.rng.choice
        parts = ['instid0(%s)' % pick(DELAYS), 'instskip(%s)' % pick(SKIPS), 'instid1(%s)' % pick(DELAYS)]
        some = self.rng.sample(parts, pick([1, 2, 3, 3, 3])) if self.chance(0.5) else parts
        return pick([pick([' | ', '|']).join(some)] * 4 + [hex(self.rng.randrange(1 << 11)), '65536', '-1', 'sym',
                    parts[0] + ' | ' + parts[0]])

    def hwreg(self):
        pick = self.rng.choice
        register = pick([n for n in NAMES if n.startswith('HW_REG')] * 2 + SMALL
                        + ['63', '64', 'hw_reg_mode', 'HW_REG_NONE'])
        offset, size = pick(SMALL), pick(SMALL)
        return pick(['hwreg(%s)' % register, 'hwreg(%s, %s, %s)' % (register, offset, size),
                     'hwreg( %s ,%s , %s )' % (register, offset, size), 'hwreg(%s, %s)' % (register, offset),
                     '{id: %s, offset: %s, size: %s}' % (register, offset, size),
                     '{size: %s, id: %s}' % (size, register), '{offset: %s}' % offset, '{id: %s, id: 1}' % register,
                     hex(self.rng.randrange(1 << 16)), pick(['65535', '65536', '-1', '-32768', 'five', 'big', 'sym'])])

    def message(self):
        pick = self.rng.choice
        message = pick([n for n in NAMES if n.startswith('MSG')] * 2 + SMALL + ['128', '255', '256', 'MSG_NONE'])
        operation = pick([n for n in NAMES if 'S_OP' in n or 'SYSMSG' in n] * 3 + SMALL)
        return pick(['sendmsg(%s)' % message, 'sendmsg(%s, %s)' % (message, operation),
                     'sendmsg(%s, %s, %s)' % (message, operation, pick(SMALL)),
                     'sendmsg( %s,%s , %s )' % (message, operation, pick('0123')),
                     'sendmsg(MSG_GS, GS_OP_EMIT, %s)' % pick(SMALL), 'sendmsg(MSG_SYSMSG, %s)' % operation,
                     hex(self.rng.randrange(1 << 16)), pick(['65535', '65536', '-1', 'five', 'sym', 'sendmsg()'])])

    def counters(self):
        pick = self.rng.choice
        some = ['%s%s(%s)' % (pick(['vmcnt', 'lgkmcnt', 'expcnt']), pick(['', '', '_sat']),
                              pick(SMALL[:-3] + ['63', '64', '200'])) for _ in range(pick([1, 1, 2, 2, 3, 4]))]
        return pick([pick([' & ', ', ', ' ', '&']).join(some)] * 4
                    + [pick(['0', '0xffff', '65536', '-1', '-32768', '-32769', 'five', 'sym', 'vmcnt', 'vmcnt(0) &',
                             'bad(0)', '1+1', '~0'])])

    def swizzle(self):
        pick, few = self.rng.choice, lambda n: self.rng.choice(SMALL[:n])
        return pick(['swizzle(QUAD_PERM, %s, %s, %s, %s)' % (few(4), few(4), few(4), few(5)),
                     'swizzle(BITMASK_PERM, "%s")' % ''.join(pick('01pi') for _ in range(pick([5, 5, 5, 5, 4, 6]))),
                     'swizzle(BITMASK_PERM,"%s")' % ''.join(pick('01pix') for _ in range(5)),
                     'swizzle(BROADCAST, %s, %s)' % (pick(SMALL), few(8)), 'swizzle(SWAP,%s)' % pick(SMALL),
                     'swizzle(REVERSE, %s)' % pick(SMALL), 'swizzle(FFT,%s)' % pick(SMALL),
                     'swizzle( ROTATE , %s , %s )' % (few(3), pick(SMALL)), '0x%x' % self.rng.randrange(1 << 16),
                     'swizzle(BAD, 1)'])

    def format(self):
        pick = self.rng.choice
        data, number = 'BUF_DATA_FORMAT_' + pick(DATA_FORMATS), 'BUF_NUM_FORMAT_' + pick(NUMBER_FORMATS)
        unified = 'BUF_FMT_%s_%s' % (pick(DATA_FORMATS), number[15:])
        return pick(['dfmt:%s, nfmt:%s' % (self.number(15), self.number(7)),
                     'dfmt:%s nfmt:%s' % (self.number(15), self.number(7)),
                     'nfmt:%s,dfmt:%s' % (self.number(7), self.number(15)), 'nfmt:' + pick(SMALL),
                     'dfmt:' + pick(SMALL), 'format:%s' % self.number(127), 'format:[%s]' % data,
                     'format:[%s]' % number, 'format:[%s,%s]' % (data, number), 'format:[%s, %s]' % (number, data),
                     'format:[%s]' % unified, 'format:[BUF_FMT_INVALID]', 'format:[BUF_FMT_BAD]',
                     'format:[%s,%s]' % (data, data)])

    def operand(self, slot, form):
        takes, sizes = slot['takes'], slot['sizes'] or [1]
        if takes == 'VCC':
            right = 'vcc' if self.wave == 64 else 'vcc_lo'
            return right if self.chance(0.95) else self.rng.choice(['vcc', 'vcc_lo', 's[0:1]', 'exec'])
        if takes == 'OFF':
            return 'off'
        kinds = {'VGPR': 'v', 'AGPR': 'a', 'VGPR_AGPR': 'va', 'SGPR': 's', 'SGPR_INLINE': 'si', 'SGPR_LITERAL': 'sil',
                 'VGPR_SGPR_INLINE': 'vvvsi', 'VGPR_SGPR_LITERAL': 'vvsiil',
                 'VGPR_INLINE': 'vi', 'AGPR_INLINE': 'ai', 'VGPR_LITERAL': 'vil'}.get(takes)
        if kinds is None:
            text = self.immediate(takes, form)
            return self.signs(text, slot) if text else text
        size = self.rng.choice(sizes)
        if 'WAVE' in slot['flags'] and self.chance(0.9):
            size = sizes[0] if self.wave == 32 else sizes[-1]
        if self.chance(0.03):
            kinds = 'vsila'
        if self.chance(0.02):
            size = self.rng.choice([1, 2, 3, 4, 8, 16])
        kind = self.rng.choice(kinds)
        if kind in 'va':
            text = self.registers(kind, size, 128 if 'LOW' in slot['flags'] and self.chance(0.8) else 256)
            if 'HALF' in slot['flags'] and self.chance(0.9):
                text += self.rng.choice(['.l', '.h'])
        elif kind == 's':
            text = self.scalar(size)
            if 'WRITE' not in slot['flags'] and self.chance(0.08):
                text = self.rng.choice(SOURCE_ONLY)
        elif takes == 'VGPR_INLINE' and self.chance(0.1):
            text = self.rng.choice(SOURCE_ONLY + ['null', 'src_flat_scratch_base_lo'])
        else:
            literal = 'LITERAL' in takes
            lit = literal and form.literal and (form.size == 32 or self.major >= 10)
            text = self.constant(slot, literal, lit)
        return self.signs(text, slot)

    def signs(self, text, slot):
        p = 0.25 if 'NEG_ABS' in slot['flags'] or 'SEXT' in slot['flags'] else 0.01
        if not self.chance(p) or text.startswith('lit'):
            return text
        if 'SEXT' in slot['flags']:
            return 'sext(%s)' % text
        return self.rng.choice(['-%s', '|%s|', '-|%s|', 'neg(%s)', 'abs(%s)', '-abs(%s)', 'neg(|%s|)', '%s', 'neg (%s)',
                                '- abs( %s )', '| %s |', '- %s', 'neg(-%s)', 'abs(-%s)', '|-%s|']) % text

    # ---- modifiers

    def bits(self, name, form):
        count = sum(1 for s in form.shape.slots if s['role'].startswith('SRC')) or 2
        if name == 'op_sel' and not form.op_sel_hi:
            count += 1
        if self.chance(0.08):
            count = self.rng.randrange(1, 6)
        return '%s:[%s]' % (name, ','.join(self.rng.choice('01') for _ in range(count)))

    def cpol(self, form):
        pick = self.rng.choice
        if form.format.startswith('SM') and self.generation in ('gfx942', 'gfx950') and self.chance(0.9):
            return 'glc'
        if self.major >= 12:
            kind = 'ATOMIC' if 'atomic' in form.name else 'STORE' if 'store' in form.name else 'LOAD'
            kind = kind if self.chance(0.8) else pick(list(HINTS))
            words = ['th:' + pick(['TH_%s_%s' % (kind, pick(HINTS[kind]))] * 7 + ['TH_DEFAULT', '3']),
                     'scope:' + pick(['SCOPE_SE', 'SCOPE_DEV', 'SCOPE_SYS', 'SCOPE_CU', '2', '4'])]
            newest = self.generation in ('gfx1250', 'gfx1251')
            words += ['nv', 'scale_offset'] if newest else [pick(['nv', 'scale_offset'])] * self.chance(0.05)
        elif self.generation in ('gfx942', 'gfx950'):
            words = ['sc0', 'nt', 'sc1']
        else:
            words = ['glc', 'slc'] + ['dlc'] * (self.major >= 10) + ['scc'] * (self.generation == 'gfx90a')
        if self.chance(0.04):
            words.append(pick(['glc', 'sc0', 'dlc', 'scc', 'nt', 'th:TH_LOAD_NT', 'nv']))
        self.rng.shuffle(words)
        return ' '.join(w for w in words if self.chance(0.5))

    def modifier(self, mod, form):
        pick = self.rng.choice
        if mod in self.wanted:
            return self.wanted[mod]
        if mod == 'CPOL':
            return self.cpol(form)
        if mod == 'R128' and self.major == 9 and self.chance(0.9):
            return 'a16'
        if mod in FLAGS:
            return FLAGS[mod] if self.chance(0.93) else 'no' + FLAGS[mod]
        if mod == 'DMASK' and re.search('gather4|atomic', form.name) and self.chance(0.8):
            return 'dmask:' + pick(['1', '2', '4', '8', '0x4'] if 'gather4' in form.name else ['1', '3', '0xf'])
        if mod in NUMBERS:
            return '%s:%s' % (NUMBERS[mod][0], self.number(NUMBERS[mod][1]))
        if mod in ('OP_SEL', 'OP_SEL_HI', 'NEG_LO', 'NEG_HI'):
            return self.bits(mod.lower(), form)
        if mod == 'OMOD':
            return pick(['mul:2', 'mul:4', 'div:2', 'mul:1', 'mul:3', 'div:4', 'div:1'])
        if mod == 'OFFSET':
            if form.name.startswith('ds_swizzle') and self.chance(0.7):
                return 'offset:' + self.swizzle()
            return 'offset:%s' % (pick(OFFSETS) if self.chance(0.5) else self.rng.randrange(4096))
        if mod == 'DPP_CTRL':
            if '_f64' in form.name and self.generation in ('gfx90a', 'gfx942', 'gfx950') and self.chance(0.7):
                return 'row_newbcast:%d' % self.rng.randrange(16)
            if self.major >= 10 and self.chance(0.9):
                share = 'row_share:%d' % self.rng.randrange(16)
                if self.generation == 'gfx1251' and self.chance(0.4):
                    return share
                moved = '%s:%d' % (pick(['row_shl', 'row_shr', 'row_ror']), self.rng.randrange(1, 16))
                return pick(['quad_perm:[%s]' % ','.join(pick('0123') for _ in '1234'), moved, 'row_mirror', share,
                             'row_half_mirror', 'row_xmask:%d' % self.rng.randrange(16)])
            return pick(['quad_perm:[3,2,1,0]', 'quad_perm:[0,0,0,4]', 'row_shl:1', 'row_shr:15', 'row_ror:3',
                         'row_shl:0', 'row_shr:16', 'wave_shl:1', 'wave_rol:1', 'wave_shr:1', 'wave_ror:1',
                         'row_mirror',
                         'row_half_mirror', 'row_bcast:15', 'row_bcast:31', 'row_bcast:1', 'row_share:0',
                         'row_share:15', 'row_xmask:3', 'row_newbcast:0', 'row_newbcast:15', 'row_newbcast:16'])
        if mod == 'DPP8':
            if self.chance(0.7):
                return 'dpp8:[%s]' % ','.join(pick('01234567') for _ in '12345678')
            return pick(['dpp8:[7,6,5,4,3,2,1,0]', 'dpp8:[0,0,0,0,0,0,0,0]', 'dpp8:[0,1,2,3,4,5,6]',
                         'dpp8:[8,0,0,0,0,0,0,0]'])
        if mod == 'BOUND_CTRL':
            return pick(['bound_ctrl:0', 'bound_ctrl:1'] * 5 + ['bound_ctrl:-1', 'bound_ctrl:2'])
        if mod in ('DST_SEL', 'SRC0_SEL', 'SRC1_SEL'):
            return '%s:%s' % (mod.lower(), pick(SDWA + ['WORD_2']) if self.chance(0.9) else self.number(6))
        if mod == 'DST_UNUSED':
            return 'dst_unused:' + pick(['UNUSED_PAD', 'UNUSED_SEXT', 'UNUSED_PRESERVE', '1'])
        if mod == 'DIM':
            known = 'dim:' + pick(['', 'SQ_RSRC_IMG_']) + pick(asm_fitting.DIM)
            return known if self.chance(0.9) else pick(['dim:3', 'dim:8', 'dim:4D'])
        if mod == 'FORMAT':
            return self.format()
        if mod.startswith('MATRIX_'):
            kinds = {'FMT': ['MATRIX_FMT_FP8', 'MATRIX_FMT_BF6', 'MATRIX_FMT_FP4', '4', 'MATRIX_FMT_X'],
                     'SCALE': ['MATRIX_SCALE_ROW0', 'MATRIX_SCALE_ROW1', '1'],
                     'SCALE_FMT': ['MATRIX_SCALE_FMT_E8', 'MATRIX_SCALE_FMT_E5M3', 'MATRIX_SCALE_FMT_E4M3']}
            return '%s:%s' % (mod.lower(), pick(kinds[mod[9:]]))
        return ''

    def modifiers(self, form):
        out = []
        for mod, style, _ in form.shape.mods:
            must = mod in ('DPP_CTRL', 'DPP8') or mod in self.wanted or style == 'RETURN' and self.chance(0.8)
            must = must or mod == 'DMASK' and self.chance(0.7) or mod == 'DIM' and self.chance(0.9)
            if style == 'RETURN' and must:
                out.append('th:TH_ATOMIC_RETURN' if self.major >= 12 else 'sc0'
                           if self.generation in ('gfx942', 'gfx950') else 'glc')
            elif must or self.chance(0.3):
                out.append(self.modifier(mod, form))
        out = [m for m in dict.fromkeys(out) if m]
        if self.chance(0.15):
            self.rng.shuffle(out)
        if self.chance(0.03):
            out.append(self.rng.choice(['clamp', 'offset:4', 'op_sel:[1,0]', 'neg_lo:[1,0]', 'glc', 'gds', 'row_mask:1',
                                        'src0_sel:DWORD', 'mul:2', 'dmask:1', 'offen', 'tfe', 'lds', 'cbsz:1', 'a16',
                                        'format:1']))
        return out

    # ---- instructions

    def mnemonic(self, form):
        suffix, name = form.suffix.lower(), form.name
        if name in self.aliases and self.chance(0.15):
            name = self.rng.choice(self.aliases[name])
        if self.chance(0.02):
            return name + '_' + self.rng.choice(['e32', 'e64', 'dpp', 'sdwa', 'e64_dpp'])
        return name + ('_' + suffix if suffix != 'none' and self.chance(0.8) else '')

    def partner(self, text, slot, first, form):
        """An operand of the second half that goes with the first half's: other parity or bank, or the same constant."""
        role = slot['role'][:-2]
        before = first.get(role)
        if text in first.values() or not before:
            return text
        mine, other = (re.fullmatch(r'(\W*)v(\[?)(\d+)(.*)', t) for t in (text, before))
        if mine and other:
            step = 1 if role == 'VDST' else 1 + self.rng.randrange(3)
            number = (int(mine[3]) & ~3 | (int(other[3]) + step) & 3) if not mine[2] else int(mine[3])
            return '%sv%s%d%s' % (mine[1], mine[2], number, mine[4])
        if slot['takes'] == 'KIMM' and self.chance(0.8):  # the one literal of both halves
            constants = [t for t in first.values() if re.fullmatch(r'-?\d+(\.\d+)?|0x\w+', t)]
            constants = [first['SIMM']] if 'SIMM' in first else constants
            return self.rng.choice(constants) if constants else text
        literals = [t for t in first.values() if re.match('[-(~0-9]|sym|fwd', t)]
        same = literals and not re.match(r'[-|]*[vs\[]', text) and slot['takes'] != 'KIMM' and self.chance(0.7)
        return self.rng.choice(literals) if same else text

    def instruction(self, form):
        self.wanted, addresses = asm_fitting.image(self, form)
        tail, text, first = self.modifiers(form), '', {}
        fitting = asm_fitting.fitting(form, tail, self.major, addresses) if self.chance(0.8) else {}
        for part in form.shape.program:
            if not isinstance(part, tuple):
                text += part
            elif part[0] == 'slot':
                slot = form.shape.slots[part[1]]
                wanted = fitting.get(slot['role'], 0)
                operand = self.operand(dict(slot, sizes=[wanted]) if wanted in (slot['sizes'] or []) else slot, form)
                if form.format.startswith('VOPD') and slot['role'].endswith('_Y') and self.chance(0.9):
                    operand = self.partner(operand, slot, first, form)
                first[slot['role']] = operand
                text += operand
        text = re.sub(r'\s+', ' ', text).strip()
        if self.chance(0.01) and text.count(',') > 1:
            text = text.rpartition(',')[0]
        elif self.chance(0.01) or form.format == 'VOPC' and self.chance(0.05):
            text = text.partition(',')[2].strip()  # short comparisons need not name VCC
        elif self.chance(0.01):
            text += ', v0'
        line = ' '.join([self.mnemonic(form)] + [text] * bool(text) + tail)
        return self.respelled(line) if self.chance(0.05) else line

    def respelled(self, line):
        """The same with other blanks, commas or letters, or something said twice."""
        pick = self.rng.choice
        old, new = pick([(',', ''), (',', ' ,'), (', ', ','), (', ', ',  '), (':', ' :'), (':', ': '), (' ', '  '), ('[', '[ '),
                         (']', ' ]'),
                         ('(', ' ('), ('(', '( '), (')', ' )'), ('|', ' |'), ('|', '| '), ('-', '- '), (' ', ', '),
                         ('0x', '0X'), ('v', 'V'), ('_', '__'),
                         (':', ':0x'), (':', ':1*'), (':', ':0+'), ('[', '[0+'), ('.', '. '), ('', ''), ('', '')])
        places = [m.start() for m in re.finditer(re.escape(old), line)] if old else []
        if places:
            at = pick(places)
            return line[:at] + new + line[at + len(old):]
        name, _, rest = line.partition(' ')
        words = rest.split(' ')
        return pick([name.upper() + ' ' + rest, name + ' ' + rest.upper(), line + ' ' + pick(words),
                     line + ' // ' + pick(words), line + ' /* x */', line + ';',
                     name + ' /* x */ ' + rest, name + '\t' + rest, line + ',',
                     line + ' ' + pick(['[', ']', '(', '|', ':', '1', '"x"', '@'])])


# ---- the two assemblers

PROLOGUE = ['.set five, 5', '.set big, 0x12345678']


def run(command, text):
    return subprocess.run(command, input=text, capture_output=True, text=True, errors='replace')


def assemble_some(tool, processor, lines):
    """Per line (text, encoding) or ('refused', message). A label before each tells which were printed."""
    head = ''.join('%s\n' % p for p in PROLOGUE) + 'sym:\n'
    source = head + ''.join('L_%d: %s\n' % item for item in enumerate(lines))
    result = run(tool + ['-triple=amdgcn-amd-amdhsa', '-mcpu=' + processor, '-show-encoding'], source)
    refused = {}
    for number, message in re.findall(r'<stdin>:(\d+):\d+: error: (.*)', result.stderr):
        refused.setdefault(int(number) - len(PROLOGUE) - 2, message)
    printed = {}
    for block in re.split(r'^(?=L_\d+:)', result.stdout, flags=re.M)[1:]:
        found = re.search(r'^\t(\S.*?)\s*; encoding: (\[.*?\])', block, re.M)
        if found:
            printed[int(re.match(r'L_(\d+)', block)[1])] = (' '.join(found[1].split()), found[2])
    return [('refused', refused[i]) if i in refused else printed.get(i, ('refused', 'nothing printed')) for i in range(len(lines))], result.returncode


def assemble(tool, processor, lines):
    out = []
    for start in range(0, len(lines), AT_ONCE):
        part = lines[start:start + AT_ONCE]
        items, code = assemble_some(tool, processor, part)
        if code not in (0, 1):  # it crashed: one by one
            items = []
            for line in part:
                one, code = assemble_some(tool, processor, [line])
                items += one if code in (0, 1) else [('crash', str(code))]
        out += items
    return out


def disassemble(tool, processor, encodings):
    """Per encoding the texts; a warning makes it None."""
    source = '\n'.join(encodings) + '\n'
    result = run(tool + ['-disassemble', '-triple=amdgcn-amd-amdhsa', '-mcpu=' + processor, '-show-encoding'], source)
    by_bytes = {}
    for text, code in re.findall(r'^\t(\S.*?)\s*; encoding: (\[.*?\])', result.stdout, re.M):
        by_bytes[code] = ' '.join(text.split())
    return [by_bytes.get(e.lower()) for e in encodings]


WAVES = ['+wavefrontsize32', '+wavefrontsize64', '-wavefrontsize32', '-wavefrontsize64', '-wavefrontsize32,+wavefrontsize64',
         '+WavefrontSize64,-wavefrontsize32', '+wavefrontsize32,+wavefrontsize64', '+wavefrontsize64,+wavefrontsize32']
TRUE16 = ['+real-true16', '-real-true16', '+real-true16,+wavefrontsize64', '-Real-True16,+wavefrontsize32,+wavefrontsize64']


@functools.lru_cache
def assembled_once(processor, attributes, lines):
    return assemble_some([LLVM] + ['-mattr=' + attributes] * bool(attributes), processor, lines)[0]


def turns_generation_off(processor, attributes):
    """LLVM drops what stands for the generation together with each feature that all of it have: then registers have
    other codes or none, and offsets other limits, though they have nothing to do with the feature."""
    major = Writer.major_of(processor)
    register = 'null' if major >= 10 else 'ttmp15' if major == 9 else 's102' if major == 8 else 'flat_scratch_lo'
    lines = ['s_mov_b32 s0, ' + register, 'buffer_load_dwordx4 off, s[4:7], 0 lds', 'buffer_wbl2 sc1', 's_set_vgpr_msb 0',
             'v_mfma_f64_4x4x4f64 v[0:1], v[2:3], v[4:5], 0']
    own, left = (assembled_once(processor, a, tuple(lines)) for a in ('', attributes))
    return own[0] != left[0] or any(o[0] != 'refused' == l[0] for o, l in zip(own, left))


FEATURES = [f for f in instruction_forms.features() if f != 'wavefrontsize32']
BUILT_IN = re.compile(r'gfx\w+-insts')  # -mattr refuses to change them


def feature_sets(processor, some=None):
    """What -mattr is varied over, or `some` of it: a feature is taken from a processor that has it, and given to one that
    has not. Sets with which LLVM forgets the generation are named and left out."""
    major = Writer.major_of(processor)
    sets = (WAVES if major >= 10 else WAVES[:4]) + (TRUE16 if major >= 11 else TRUE16[:2])
    sets += [('-' if f in PROCESSORS[processor]['features'] else '+') + f
             for f in FEATURES if not BUILT_IN.fullmatch(f)]
    sets = some.sample(sets, FEW) if some else sets
    off = [f for f in sets if turns_generation_off(processor, f)]
    print('%s: left out, for llvm-mc no longer is of the generation: %s' % (processor, ' '.join(off) or 'none'))
    return [''] + [f for f in sets if f not in off]


def generations():
    """A processor of each."""
    return list({GENERATION[p]: p for p in reversed(GENERATION)}.values())[::-1]


def wave_of(processor, attributes):
    """The wave size that lines are written for; both, one after the other, where the target is for both."""
    words = attributes.lower().split(',')
    if Writer.major_of(processor) < 10:
        return 64
    asked = '+wavefrontsize64' in words
    mixed = asked and ('+wavefrontsize32' in words or processor.startswith('gfx125') and '-wavefrontsize32' not in words)
    return random.choice([32, 64]) if mixed else 64 if asked else 32


def compare(offgrid, processor, attributes, count, seed, show, formats=''):
    """Whether nothing differs that is not explained."""
    random.seed(seed)
    switch = ['-mattr=' + attributes] * bool(attributes)
    theirs, ours = [LLVM] + switch, [offgrid, 'mc'] + switch
    feature = attributes[1:] if attributes[1:] in FEATURES else None
    lines = Writer(processor, '%s %s %s' % (seed, processor, attributes), formats, wave_of(processor, attributes)).lines(count, feature)
    expected, actual = assemble(theirs, processor, lines), assemble(ours, processor, lines)
    taken = sum(e[0] not in ('refused', 'crash') for e in expected)
    different, apart = [], collections.Counter()
    for line, e, a in zip(lines, expected, actual):
        if e == a or e[0] == 'crash' or e[0] == a[0] == 'refused':
            continue
        known = asm_known.cause(line, e, a, GENERATION[processor])
        if known is None:
            different.append((line, e, a))
        else:
            apart[asm_known.KNOWN[known].what] += 1
    for line, e, a in different[:show]:
        print('%s\n  llvm    %s\n  offgrid %s' % (line, e, a))
    for what, times in sorted(apart.items()):
        print('  set apart %5d: %s' % (times, what))
    crashes = [l for l, e in zip(lines, expected) if e[0] == 'crash']
    codes = sorted({e[1] for e, a in zip(expected, actual) if e == a and e[0] != 'refused' and 'A' not in e[1]})
    back = 0
    if not processor.startswith(('gfx6', 'gfx7')):
        for code, e, a in zip(codes, disassemble(theirs, processor, codes), disassemble(ours, processor, codes)):
            # a feature brings an instruction whose encoding another has; masks of gfx1251 in waves of 64 (docs/assembler.md)
            both = bool(e and a) and attributes[:1] == '+' and e.partition(' ')[2] == a.partition(' ')[2]
            both |= processor == 'gfx1251' and '+wavefrontsize64' in attributes and '_cndmask_' in (e or '')
            if e is not None and e != a and '/*' not in e and not both and not re.search(r'\|v\d+, vcc', e):
                back += 1
                if back <= show:
                    print('%s\n  llvm    %s\n  offgrid %s' % (code, e, a))
    print('%s%s: %d instructions, %d taken by llvm-mc, %d crash it, %d differences, %d set apart; %d encodings read back, '
          '%d differences' % (processor, ' ' + attributes if attributes else '', len(lines), taken, len(crashes),
                              len(different), sum(apart.values()), len(codes), back), flush=True)
    return not different and not back


def main():
    if not LLVM:
        sys.exit(77)
    offgrid, processor, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
    seed = int(sys.argv[4]) if len(sys.argv) > 4 else random.SystemRandom().randrange(1 << 32)
    show = int(sys.argv[5]) if len(sys.argv) > 5 else 20
    formats = sys.argv[6] if len(sys.argv) > 6 else ''
    print('seed %d' % seed)
    processor, _, attributes = processor.partition('/')
    attributes = '+wavefrontsize64' if attributes == '64' else attributes
    alike = True
    several = {'every': list(GENERATION), 'generations': generations()}
    for one in several.get(processor, [processor]):
        chance = random.Random('%s %s' % (seed, one)) if attributes == 'few' else None
        for some in feature_sets(one, chance) if attributes in ('each', 'few') else [attributes]:
            alike &= compare(offgrid, one, some, count, seed, show, formats)
    sys.exit(not alike)


if __name__ == '__main__':
    main()
