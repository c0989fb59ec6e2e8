#!/usr/bin/env python3
"""What people get wrong, line by line, for every processor and both wave sizes: llvm-mc-22 and `offgrid mc` must both
refuse a line or print the same text and bytes, and the errors must be alike in place and words.

wrong_lines.py OFFGRID COUNT [SEED [LEAST [SHOW]]]: COUNT lines per target, from families of small variations: signs and
literals in every spelling, registers on the constant bus, registers past the last, names and numbers out of range in
hwreg(), sendmsg() and their kin, modifiers said twice, the other wave size's forms, other processors' instructions,
operators at their edges. Fails where a line is taken by one alone or fewer than LEAST per cent (97) of the errors of
all targets are alike. Exit 77 without llvm-mc-22.
"""
import random
import re
import sys

import asm_generate
import asm_known
import error_oracle

TARGETS = ['gfx600', 'gfx700', 'gfx803', 'gfx900', 'gfx90a', 'gfx950', 'gfx1010/64', 'gfx1030', 'gfx1100',
           'gfx1100/64', 'gfx1200', 'gfx1200/64', 'gfx1250']

# @x stands for a random choice of WORDS['x'], the same number behind it for the same choice; | parts alternatives.
FAMILIES = {
    'literals': r'''v_add_f64 v[0:1], @lit, v[2:3]|v_ceil_f64 v[0:1], @lit|v_fma_f64 v[0:1], @lit, v[2:3], v[4:5]|s_mov_b64 s[0:1], @lit|v_mov_b32 v0, @lit
v_add_f32 v0, @lit, v1|v_add_f16 v0, @lit, v1|v_lshlrev_b64 v[0:1], @lit, v[2:3]|s_and_b64 s[0:1], @lit, s[2:3]|v_cmp_eq_f64 vcc, @lit, v[2:3]|s_add_u32 s0, @lit, s1|v_cmp_lt_i64 vcc, @lit, v[2:3]|v_add_u32 v0, @lit, v1''',
    'signs': r'''v_add_f32 v0, @signed, v1|v_add_f32_e64 v0, v1, @signed|v_mov_b32 v0, @signed|v_cndmask_b32 v0, @signed, v1, vcc|v_fma_f32 v0, v1, @signed, v2|s_mov_b32 s0, @signed|v_add_u32 v0, @signed, v1|v_add_f64 v[0:1], v[2:3], @signed
s_nop @signed|s_movk_i32 s0, @signed|s_branch @signed|s_setreg_imm32_b32 hwreg(HW_REG_MODE), @signed|v_madak_f32 v0, v1, v2, @signed|v_fmamk_f32 v0, v1, @signed, v2|v_cmp_eq_f64 vcc, @signed, v[2:3]|v_ceil_f64 v[0:1], @signed''',
    'bus': r'''@shift v[4:5], @s32a, @s64a|@shift v[4:5], @s64a, @s64a|@shift v[4:5], @s32a, @s32a|v_fma_f32 v5, @s32a, @s32b, @s32a|v_fma_f64 v[6:7], @s64a, @s64a, @s64b|v_add_f32 v5, @s32a, @s32a|v_cndmask_b32_e64 v5, @s32a, @s32b, @mask|v_div_fmas_f32 v5, @s32a, @s32b, @s32a
v_cmp_eq_u64 @mask, @s64a, @s64a|v_mad_u64_u32 v[6:7], @mask, @s32a, @s32a, @s64a|v_pk_fma_f16 v5, @s32a, @s32b, @s32a|v_writelane_b32 v1, @s32a, @s32b|v_bfe_u32 v5, @s32a, @s32b, @s32a|v_trig_preop_f64 v[6:7], @s64a, @s64a|v_lshl_add_u64 v[6:7], @s64a, @s64a, @s64a|v_dual_add_f32 v5, @s32a, v2 :: v_dual_mul_f32 v6, @s32a, v3''',
    'registers': r'''v_mqsad_u32_u8 @v4, v[2:3], v4, v[4:7]|v_add_f64 @v2, v[2:3], v[2:3]|v_add_f64 v[2:3], @v2, v[2:3]|v_mov_b32 @v1, v1|v_mov_b32 v1, @v1|global_load_dwordx4 @v4, v[2:3], off|global_load_dwordx2 v[2:3], @v2, off|ds_read_b128 @v4, v2|v_cvt_f64_f32 @v2, v1|s_load_dwordx2 @s2, s[2:3], 0|s_mov_b64 @s2, s[2:3]|s_mov_b32 @s1, s1''',
    'offsets': r'''s_load_dword s5, s[2:3], @number|s_buffer_load_dwordx2 s[6:7], s[4:7], @number|s_load_dword s5, s[2:3], lit(@number)|ds_add_u32 v1, v2 offset:@number|ds_read2_b32 v[2:3], v1 offset0:@number|flat_load_dword v0, v[2:3] offset:@number|s_endpgm @number|s_sleep @small|ds_swizzle_b32 v1, v2 offset:@small''',
    'names': r'''s_getreg_b32 s0, hwreg(@hwreg)|s_getreg_b32 s0, hwreg(@hwreg, @five, @five)|s_sendmsg sendmsg(@message)|s_sendmsg sendmsg(@message, @operation)|s_sendmsg sendmsg(@message, @operation, @five)|s_waitcnt @counter(@five)|s_waitcnt @counter(@five) & @counter(@five)
s_waitcnt_depctr @depctr(@five)|s_delay_alu instid0(@delay)|s_delay_alu instid0(@delay) \| @field(@delay)|s_set_gpr_idx_on s0, gpr_idx(@index,@index)|ds_swizzle_b32 v1, v2 offset:swizzle(@swizzle)|exp @target v1, v2, v3, v4|v_interp_p1_f32 v0, v1, @attribute|v_interp_mov_f32 v0, @slot, attr0.x''',
    'twice': r'''ds_gws_init v2 @gds|ds_gws_init v2 @gds @gds|ds_gws_sema_v @gds|ds_add_u32 v1, v2 @gds|ds_ordered_count v1, v2 @gds|tbuffer_load_format_x v0, off, s[4:7], @format, s1|tbuffer_load_format_x v0, off, s[4:7], @format, @format, s1|tbuffer_load_format_x v0, off, s[4:7], s1 @format|tbuffer_load_format_x v0, off, s[4:7], s1 @format @format
tbuffer_load_format_x v0, off, s[4:7], @dfmt, s1 @format|tbuffer_load_format_x v0, off, s[4:7], @dfmt, @dfmt, s1|buffer_load_dword v0, v1, s[4:7], s1 @flag @flag|global_load_dword v0, v[2:3], off @flag @flag|v_add_f32_e64 v0, v1, v2 @float @float|exp mrt0 v0, v1, v2, v3 @export @export|image_load v0, v[1:4], s[4:11] @image @image''',
    'waves': r'''v_cmp_eq_f32 @mask, v1, v2|v_cmp_eq_f32_e64 @mask, v1, v2|v_cmp_eq_f32_e32 @mask, v1, v2|v_cmp_eq_f32_sdwa @mask, v1, v2 src0_sel:BYTE_0|v_cmp_eq_f32_e64_dpp @mask, v1, v2 row_shl:1|v_cndmask_b32 v0, v1, v2, @mask|v_cndmask_b32_dpp v0, v1, v2, @mask row_shl:1|v_add_co_ci_u32 v0, @mask, v1, v2, @mask|v_div_scale_f32 v0, @mask, v1, v2, v3|s_and_saveexec_b64 @mask, s[2:3]|s_and_saveexec_b32 @mask, s2|v_cmpx_eq_f32 @mask, v1, v2|v_wmma_f32_16x16x16_f16 v[0:7], v[8:15], v[16:23], v[0:7]|v_wmma_f32_16x16x16_f16 v[0:3], v[8:15], v[16:23], v[0:3]
v_dual_add_f32 v0, v1, v2|v_dual_add_f32 v0, v1, v2 :: v_dual_foo v1, v2|v_dual_add_f32 v0, v1, v2 :: v_dual_mul_f32 @v1, v3, v4|v_dual_foo v0, v1 :: v_dual_mul_f32 v3, v4, v6|v_dual_add_f32 v0, @number, v2 :: v_dual_mul_f32 v3, @number, v5''',
    'operators': r'''s_mov_b32 s0, @n@op@n|s_mov_b32 s0, (@n@op@n)@op@n|s_mov_b32 s0, @unary@unary@n''',
}
WORDS = {
    'lit': ['@wrap(@number)'] * 4 + ['@number'], 'wrap': ['lit', 'lit64', 'lit', 'lit64', 'abs', 'neg', '-', ''],
    'number': '0 1 5 64 65 0xff 0x100 0xffff 0x10000 0xfffff 0x100000 0x7fffff 0x800000 0x3ff00000 0x3fe00000 0xbff00000 0x40100000 0x3fc45f30 0x3f800000 0x7fffffff 0x80000000 0xffffffff 0x100000000 -0x3ff00000 -0x40000000 0x3ff0000000000000 0x3ff0000000000001 0x4045000000000000 -1 -16 -17 -0x80000000 -0x80000001 1.0 0.5 -4.0 1.5 0.0'.split(),
    'signed': ['@sign-(@plain)', '@sign(@plain)', '@sign(-@plain)', '@sign @plain', '@sign-@plain', '-(@plain)', '-|@plain|', '@sign(@sign(@plain))', '@sign(|@plain|)', '-@sign(@plain)', '--@plain', '- @plain', '@sign', '(@plain)', '|-@plain|', '~@plain', '-@plain', '1-@plain'],
    'sign': ['abs', 'neg', 'sext'], 'plain': ['v2', '1', '5', '2.0', 's2', 'vcc_lo', '0x12345', '0x3ff00000', '-5'],
    'shift': ['v_lshlrev_b64', 'v_lshrrev_b64', 'v_ashrrev_i64', 'v_lshl_b64', 'v_ashr_i64'],
    's32': 's1 s2 vcc_lo vcc_hi m0 null exec_lo src_scc src_vccz src_execz src_shared_base src_private_limit ttmp0 0x12345678 5 v1 src_pops_exiting_wave_id 0.5 src_flat_scratch_base_lo'.split(),
    's64': 's[2:3] s[4:5] vcc exec null src_scc src_shared_base src_private_base src_vccz src_execz ttmp[0:1] 0x12345678 5 v[2:3] 1.5 src_flat_scratch_base_lo'.split(),
    'mask': 'vcc vcc_lo s[4:5] s4 exec exec_lo null'.split(),
    'v1': 'v255 v256 v1023 v1024 v0'.split(), 'v2': 'v[254:255] v[255:256] v[256:257] v[3:4] v[2:3] v[1023:1024]'.split(),
    'v4': 'v[252:255] v[253:256] v[254:257] v[255:258] v[256:259] v[1:4] v[0:3] v[1022:1025]'.split(),
    's1': 's101 s102 s103 s104 s105 s106 s107 ttmp15 ttmp16'.split(), 's2': 's[100:101] s[102:103] s[103:104] s[104:105] s[106:107] s[1:2] ttmp[14:15] ttmp[15:16]'.split(),
    'small': '0 1 127 128 255 256 32767 32768 65535 -1'.split(), 'five': '0 1 3 5 7 8 15 16 31 32 33 63 64 -1'.split(),
    'hwreg': [n for n in asm_generate.NAMES if n.startswith('HW_REG')] + ['HW_REG_BAD', 'MODE', '1', '63', '64', '-1'],
    'message': [n for n in asm_generate.NAMES if n.startswith('MSG')] + ['MSG_BAD', '2', '3', '15'],
    'operation': [n for n in asm_generate.NAMES if 'S_OP' in n] + ['GS_OP_BAD', 'SYSMSG_OP_BAD', '1', '4'],
    'counter': 'vmcnt lgkmcnt expcnt vscnt foo vmcnt_sat'.split(), 'depctr': asm_generate.DEPCTR + ['depctr_bad', 'vmcnt'],
    'delay': asm_generate.DELAYS + asm_generate.SKIPS, 'field': ['instid0', 'instid1', 'instskip', 'instid2'],
    'index': ['SRC0', 'SRC1', 'DST', 'BAD', ''],
    'swizzle': ['QUAD_PERM, 0, 1, 2', 'QUAD_PERM, 0, 1, 2, 4', 'BITMASK_PERM, "abcde"', 'BITMASK_PERM, "01pi"', 'BITMASK_PERM, "01pip"', 'BROADCAST, 3, 0', 'BROADCAST, 8, 8', 'SWAP, 32', 'SWAP, 3', 'REVERSE, 3', 'FFT, 32', 'FFT, 31', 'ROTATE, 0, 32', 'ROTATE, 2, 1', 'BAD, 1', 'SWAP 1'],
    'target': 'mrt7 mrt8 mrtz null pos3 pos4 pos5 prim param31 param32 dual_src_blend0 bad'.split(),
    'attribute': 'attr0.x attr32.x attr33.x attr0.a attr.x attr0 v1'.split(), 'slot': 'p10 p20 p0 p30 v1'.split(),
    'gds': ['gds', 'nogds', 'offset:4', 'offset:4 gds', 'gds nogds'],
    'format': ['format:1', 'format:128', 'format:[BUF_FMT_32_FLOAT]', 'format:[BUF_NUM_FORMAT_UINT]', 'format:[BUF_DATA_FORMAT_8]', 'format:[BUF_FMT_32_FLOAT,BUF_FMT_32_FLOAT]', 'format:[BUF_NUM_FORMAT_UINT,BUF_NUM_FORMAT_UINT]', 'format:[BUF_FMT_BAD]'],
    'dfmt': ['dfmt:1', 'nfmt:1', 'dfmt:15', 'dfmt:16', 'nfmt:8', 'dfmt:1, nfmt:2', 'nfmt:1 dfmt:1'],
    'flag': 'glc slc dlc scc nt sc0 sc1 offen idxen tfe lds offset:4 noglc noslc'.split(),
    'float': 'clamp noclamp mul:2 div:2 mul:1 mul:3 op_sel:[0,0,0]'.split(), 'export': 'done vm compr row_en'.split(),
    'image': ['dmask:0x1', 'dmask:0xf', 'dim:SQ_RSRC_IMG_2D', 'dim:1D', 'unorm', 'tfe', 'da', 'r128', 'a16', 'd16', 'lwe'],
    'n': '0 1 -1 2 5 31 63 64 65 -64 0x7fffffff 0xffffffff 0x7fffffffffffffff'.split(),
    'op': '+ - * & | ^ << >> == != <> < > <= >= && || !'.split(), 'unary': ['-', '~', '!', '+', ''],
}


class Writer:
    def __init__(self, seed, others):
        self.rng = random.Random(seed)
        self.families = [re.split(r'(?<!\\)\||\n', text) for text in FAMILIES.values()]
        self.others = others

    def fill(self, text, chosen):
        def choose(match):
            name, mark = (match[1], '') if match[1] in WORDS else (match[1][:-1], match[1][-1])
            if mark and match[0] in chosen:
                return chosen[match[0]]
            value = self.fill(self.rng.choice(WORDS[name]), chosen)
            chosen[match[0]] = value
            return value
        return re.sub(r'@([a-z0-9]+)', choose, text)

    def lines(self, count):
        out = []
        while len(out) < count:
            if self.rng.random() < 0.25:
                out += [l for l in self.rng.choice(self.others).lines(1) if not re.search(r'sym|fwd|five|big|;', l)]
            else:
                out.append(self.fill(self.rng.choice(self.rng.choice(self.families)), {}).replace('\\|', '|'))
        return out


def main():
    if not asm_generate.LLVM:
        sys.exit(77)
    offgrid, count = sys.argv[1], int(sys.argv[2])
    seed = int(sys.argv[3]) if len(sys.argv) > 3 and sys.argv[3] != '-' else random.SystemRandom().randrange(1 << 32)
    least = float(sys.argv[4]) if len(sys.argv) > 4 else 97
    show = int(sys.argv[5]) if len(sys.argv) > 5 else 10
    print('seed %d' % seed)
    failed, every = False, [[], [], []]  # a target's few lines say little of a share
    others = [asm_generate.Writer(name, seed) for name in ('gfx900', 'gfx950', 'gfx1100', 'gfx1250')]
    for target in TARGETS:
        processor, _, wave = target.partition('/')
        attributes = ['-mattr=+wavefrontsize64'] * bool(wave)
        tools = [asm_generate.LLVM] + attributes, [offgrid, 'mc'] + attributes
        lines = Writer(seed, others).lines(count)
        taken = [asm_generate.assemble(tool, processor, lines) for tool in tools]
        alone = [(l, e, a) for l, e, a in zip(lines, *taken) if e != a and e[0] != 'crash' and not e[0] == a[0] == 'refused'
                 and asm_known.cause(l, e, a, asm_generate.GENERATION[processor]) is None]
        for case in alone[:show]:
            print('%s\n  llvm    %s\n  offgrid %s' % case)
        refused = [l for l, e, a in zip(lines, *taken) if e[0] == a[0] == 'refused']
        errors = [error_oracle.instruction_errors(tool, processor, refused) for tool in tools]
        error_oracle.compare(refused, *errors, show, 0, target)
        for all_targets, of_one in zip(every, [refused, *errors]):
            all_targets += of_one
        print('%s: %d lines, %d taken by one alone or otherwise' % (target, len(lines), len(alone)))
        failed |= bool(alone)
    failed |= error_oracle.compare(*every, 0, least, 'all targets')
    sys.exit(failed)


if __name__ == '__main__':
    main()
