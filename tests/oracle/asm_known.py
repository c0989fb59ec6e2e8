"""Where LLVM contradicts itself in what asm_generate.py writes (docs/assembler.md, "Differences that stay").

Each entry names one fault: the generations that have it, which of the two takes the line, and expressions that must be
found in the line, in what llvm-mc answers (its text and bytes, or its message) and in what offgrid answers; and the bits
in which alone the two codes may differ. Only lines that differ are looked up here, and the run tells how many each entry
set apart.
"""
import re
import typing

THEIRS, OURS, BOTH = 'only llvm-mc takes', 'only offgrid takes', 'both take'
MODIFIERS = (r'(no)?(clamp|gds|tfe|lwe|unorm|da|r128|a16|d16|glc|slc|dlc|nt|sc[01]|off|offen|idxen|lds|high|'
             r'row_mirror|row_half_mirror)')


class Known(typing.NamedTuple):
    what: str
    generations: str
    who: str
    line: str
    llvm: str = ''
    offgrid: str = ''
    bits: str = ''  # of the code's bytes, in their order; none: any


SIGNS = '007f0000000000e0'  # of VOP3: absolute values, op_sel, negations
KNOWN = [
    Known('an operand that LLVM marks as wrong itself', '', THEIRS, '', r'/\*'),
    Known('an operand that LLVM marks as wrong itself', 'gfx1', BOTH, '^s_delay_alu', r'/\* invalid',
          '^s_delay_alu 0x'),
    Known('a modifier taken for the symbol of the operand that is missing', '', THEIRS, '',
          r", -?(%s)\b .*,(A|0x\w+'A')\]" % MODIFIERS),
    Known('two literals, one in lit(), in one place', '', THEIRS, r'\blit(64)? ?\(', r'\blit(64)?\(',
          'only one unique literal|constant bus'),
    Known('lds_direct as a scale, which the processor has not', 'gfx125', THEIRS, '^v_wmma_scale.*lds_direct', '', 'invalid operand'),
    Known('out of range, runs over or is cut off: masks and fi', '', THEIRS, r'(row|bank|d)_?mask|\bfi\b', '',
          'invalid (row_mask|bank_mask|dmask|fi) value'),
    Known('out of range, runs over or is cut off: masks and fi', 'gfx1', THEIRS,
          r'^v_cndmask_b32_dpp .*(fi|mask)\s*:', r', vcc', 'not a valid operand'),
    Known('out of range, runs over or is cut off: masks and fi', 'gfx12', THEIRS,  # of a form that a feature brought
          r'^v_\w+64(_e64)? .*(fi|mask)\s*:', '_dpp ', 'not a valid operand'),
    Known('a constant too small for a half, taken for 0', 'gfx9', THEIRS,
          r'^v_(pk_fmac|dot2c_f32)_f16(_e64)? ', r'^v_(pk_fmac|dot2c_f32)_f16_e64 .*(, |\|)0\b',
          'invalid operand'),
    Known('a constant too small for a half, taken for 0', 'gfx950', THEIRS, r'^v_cvt_scalef32_\w+_f16 ',
          r'^v_cvt_scalef32_\w+_f16 .*(, |\|)0\b', 'invalid operand'),
    Known('signs that are encoded, but not printed', 'gfx9', THEIRS, r'^v_pk_fmac_f16(_sdwa)? .*(-[|v]|\|)',
          '_sdwa [^|]*$', 'invalid operand|not a valid'),
    Known('offset: of buffers runs over into offen', 'gfx([6789]|10|11)', THEIRS, r'^t?buffer_.*offset',
          r' offset:(409[6-9]|4[1-9]\d\d|[5-9]\d{3}|\d{5,})'),
    Known('out of range, runs over or is cut off: 16 bits', '', THEIRS,
          r'^s_[a-z]\w+\s+[-~(\d]', r'^s_\w+ (0x[1-9a-f]\w{4,}|0\b|vmcnt)', 'only 16-bit|invalid operand'),
    Known('out of range, runs over or is cut off: 7 bits', 'gfx([89]|1)', THEIRS,
          r'^s_atc_probe(_buffer)?(_e32|_e64)?\s+(0x1234|\d{3,}|-\d{3,})[, ]', '^s_atc_probe', 'invalid operand'),
    Known('out of range, runs over or is cut off: bitop3', 'gfx(9|12)', THEIRS, r'bitop3:(-1|256)', '',
          'invalid bitop3 value'),
    Known('a real number where none can be, taken for 0', '', THEIRS, r'^s_endpgm .*\d\.\d', r'^s_endpgm', '16-bit value'),
    Known('a real number where none can be, taken for 0', '', THEIRS, r'^s_setreg_imm32_b32 .*\d\.\d', r', -?[01]\b',
          'invalid operand'),
    Known('v_add_co_u32 and its kin, in the long encoding alone', 'gfx[67]', THEIRS, r'^v_(add|sub|subrev)_co_u32(_e64)? ',
          r'^v_(add|sub|subrev)_i32_e64', 'not supported on this GPU'),
    Known('lit64() in an encoding without literals', 'gfx[6-9]', THEIRS, r'^v_.*\blit64\(', r'\blit64\(',
          'literal operands are not supported|lit64 is not supported'),
    Known('lit() forgotten between bars', '', '', r'\|lit ?\(', r'^(?!.*lit\()'),
    Known('lit() with a sign before it', '', OURS, r'-lit ?\(', 'invalid operand|not a valid'),
    Known('the absolute value of a source that VOP3B has no bit for', '', THEIRS, r'^v_div_scale_', r'\|',
          'ABS not allowed in VOP3B'),
    Known('sext() in SDWA, which its disassembler prints', 'gfx9', OURS,
          r'^v_cvt_(pk_)?f32_(fp|bf)8(_sdwa)? .*sext\(', 'not a valid operand', '_sdwa'),
    Known('sext() of a constant in SDWA, which its disassembler prints', 'gfx(9|10)', OURS,
          r'^v_ldexp_f16(_sdwa)? .*sext\([^vs]', '', '_sdwa'),
    Known('sext() lost: VOP3 instead of SDWA', 'gfx(9|10)', BOTH, r'^v_pk_fmac_f16 .*sext\(',
          '^v_pk_fmac_f16_e64 (?!.*sext)', '^v_pk_fmac_f16_sdwa .*sext'),
    Known('constants of f16 in VOP3, where there is no 16-bit ALU', 'gfx[67]', OURS, r'^v_cvt_f32_f16',
          'literal operands are not supported', '_e64'),
    Known('code 255 in SDWA, which has no literals', 'gfx(9|10)', THEIRS, r'0xffff\b',
          r'(_sdwa|_sel:).*0xf9|^\w+_sdwa '),
    Known('op_sel_hi:[1,1,1], the value that it has anyway', 'gfx9(42|50)', OURS, r'^v_dot\w* .*op_sel_hi:\[1,1,1\]',
          'invalid op_sel operand'),
    Known('dst_sel, which its disassembler prints', 'gfx8', OURS, r'^v_mac_f(16|32).*dst_sel:', '', '_sdwa'),
    Known('a cache word without a bit', 'gfx90a', THEIRS, r'^(buffer|flat|global)_atomic_.*\bscc\b', r'\bscc\b'),
    Known('a cache word without a bit', 'gfx9(42|50)', THEIRS, r'^buffer_(inv|wbl2) .*\bnt\b', r'\bnt\b'),
    Known('a cache word without a bit', 'gfx9(42|50)', THEIRS, r'_atomic_\w+_f64.*\bsc1', r'\bsc1\b'),
    Known('constants of 64 bits cut off', 'gfx9', THEIRS, r'^v_pk_(\w+_f32|mov_b32) .*0x[0-9a-f]{9}',
          r', -?(0|-?\d+)\b'),
    Known('waves of 32, which the processor has not', 'gfx[6-9]', THEIRS, r'^v_(cmp|add|sub|mad|div|cnd|addc|subb)',
          r'^v_\w+ (v[^,]*, )?(s\d+|ttmp\d+|vcc_lo|vcc_hi|\w+_(lo|hi)|m0)\b'),
    Known('constants of 32 bits cut to 16', 'gfx9', THEIRS, r'^v_(cvt_scalef32_sr|dot2c)_', '',
          'invalid operand|literal operands'),
    Known('signs that nobody wrote', 'gfx(950|1)', BOTH, r'^v_\w+ .*\b(sym|fwd|big)\b', r'A,A,A,A\]', r'A,A,A,A\]', SIGNS),
    Known('a literal in lit() of the constant bus', '', OURS,
          r'^v_(pk_fmac_f16|dot2(c|acc)_f32_f16|cmp_\w+) .*lit(64)? ?\(', 'failed parsing operand'),
    Known('a constant of 32 bits cut to 16 in SDWA', 'gfx(9|10)', BOTH,
          r'^v_cmpx?_class_f16(_sdwa)? .*0x3(f800000|e22f983)', r'_sdwa .*, (sext\()?0', r'_sdwa .*(1\.0|0\.15915494)'),
    Known('a constant of 32 bits cut to 16 in SDWA', 'gfx9', OURS,
          r'^v_cmpx?_class_f16(_sdwa)? .*0x3e22f983', 'constant bus', r'_sdwa .*0\.15915494'),
    # of gfx10 and later
    Known('a cache word without a bit', 'gfx10', THEIRS, r'^buffer_atomic_.*\bdlc\b', r'\bdlc\b',
          'invalid operand|must not use glc'),
    Known('cut off', 'gfx1', THEIRS, r'^s_atc_probe(_buffer)? ', '', 'operands are not valid|invalid operand'),
    Known('a modifier behind the last that it looks at', 'gfx10', THEIRS,
          r'^image_sample_.*(\[(\s*[^,]+,){11}.* (gds|offen|idxen|r128|a16|lwe|tfe|d16|[gsd]lc)$| gds$)', '', 'invalid operand'),
    Known('bars around two operands', 'gfx1', BOTH, '^v_cndmask_b32(_dpp)? ', r'\|v\d+, vcc'),
    Known('a register or a modifier', 'gfx1', THEIRS, r', scc (glc|slc|dlc)', r'src_scc', 'scc modifier'),
    Known('cut off', 'gfx1', THEIRS, r'^s_(delay_alu|waitcnt)(_\w+)? 65536,?$', '0x00,0x00,', '16-bit values'),
    Known('cut off', 'gfx1[12]', THEIRS, r'^s_sendmsg_rtn_\w+ .*[, ](\d|0x)', '', 'invalid operand'),
    Known('cut off', 'gfx12', THEIRS, r'^s_(buffer_)?prefetch_\w+ .*, (0x1234|-?\d{2,})[,;]?$', '^s_', 'invalid operand'),
    Known('the number of one thing taken for another', 'gfx12', THEIRS,
          r'^s_(barrier|wakeup_barrier|get_barrier_state)',
          r'^s_get_barrier_state ([-(\d]|sym|fwd|big|\w+, -?[\d.]+ )|^s_\w+ (0x)?\d+ '),
    Known('signs without a bit', 'gfx1[12]', THEIRS, r'^v_dot4_f32.*neg_(hi|lo)\s*:', '', 'invalid neg_(hi|lo) operand'),
    Known('constants of 32 bits cut to 16', 'gfx1[12]', THEIRS, r'^v_ldexp_f16', '^v_ldexp_f16',
          'invalid operand|operands are not valid'),
    Known('constants of 64 bits cut off', 'gfx1', THEIRS, r'^v_pk_\w+_f32.*0x[0-9a-f]{9}', '', 'invalid operand'),
    Known('constants of 64 bits cut off', 'gfx125', THEIRS, r'^v_perm_pk16_\w+ .*0x[0-9a-f]{9}', '', 'invalid operand'),
    Known('constants of 64 bits cut off', 'gfx125', THEIRS, r'(_[fiu]64|^v_m?qsad).*\blit ?\(0x\w{9}', r'lit\(0x\w{1,8}\)',
          'invalid operand|operands are not valid'),
    Known('a message with the operation in its number', 'gfx1[12]', THEIRS, r'MSG_SYSMSG, SYSMSG_OP'),
    Known('accumulation registers do not hang on mai-insts', 'gfx9(0a|42|50)', THEIRS, '^v_(mfma|accvgpr)', '', 'takes away mai-insts'),
    Known('accumulation registers do not hang on mai-insts', 'gfx9(0a|42|50)', OURS, r'[ ,]a(\d|\[|cc)', 'invalid operand'),
    Known('samplers that gfx90a never has', 'gfx90a', OURS, '^image_(sample|gather4|get_lod)', 'not supported on this GPU'),
    Known('a cache word without a bit', 'gfx90a', BOTH, r'^buffer_atomic_pk_add_bf16.*\bscc\b'),
    Known('an atomic that returns, of a feature that is gone', 'gfx12', OURS, '^buffer_atomic_add_f32.*RETURN',
          'operands are not valid'),
    Known('the encoding of gfx950', 'gfx12$', BOTH, '^v_pk_m(ax|in)imum3_f16', '0xd3,', '0xcc,'),
    Known('not known yet', 'gfx1251', OURS, r'^v_pk_\w+_[fu]64|^v_wmma_f64', 'invalid instruction'),
    Known('lit() of a double: its high half written as the low one', 'gfx125', BOTH,
          r'_f64.*\blit(64)? ?\( ?-?(\d*\.\d|1e)', r'lit\(0x\w{8}\)|lit64\(0x\w{8}0{8}\)', r'lit(64)?\(0x\w{16}\)'),
    Known('signs without a bit', 'gfx125', THEIRS, r'^v_wmma_f32_16x16x4_f32.*neg_hi', '', 'invalid neg_hi'),
    Known('the third word of op_sel, which has no bit', 'gfx125', BOTH,
          r'^v_cvt_sr_(fp|bf)8_f16.* op_sel:\[[01],[01],1', r'op_sel:\[[01],[01],1\]'),
    Known('capitals in the name of a second half', 'gfx1[12]', OURS, r':: *\w*(?-i:[A-Z])', 'invalid VOPDY instruction'),
    Known('dot2acc in VOPD3: banks of other operands', 'gfx125', OURS, '_dot2acc_',
          'operands must use different VGPR banks|one dst register|ABS not allowed|invalid VOPDY'),
    Known('dot2acc in VOPD3: banks of other operands', 'gfx125', THEIRS, '_dot2acc_', '',
          'operands must use different VGPR banks|one dst register'),
    Known('dot2acc in VOPD3: 0x3c00 taken for a literal', 'gfx125', '', r'_dot2acc_f32_f16 \w+, (neg ?\()?0x3',
          'invalid operand|0xb', r'_dot2acc_f32_f16 \w+, (1\.0|0\.15)'),
    Known('dot2acc in VOPD3: 0x3c00 taken for a literal', 'gfx125', THEIRS, r'_dot2acc_f32_f16 \w+, [-(absneg|]*0x3',
          r', 0x', 'ABS not allowed'),
    Known('dot2acc in VOPD3: a literal without its four bytes', 'gfx125', '', '_dot2acc_',
          r', (neg\()?0x\w+.*\[(0xff(,\w+){2},0xcf(,\w+){8}|\w+,\w+,\w+,0xcf,0xff(,\w+){7})\]'),
    Known('1/2pi in the bits of a float, a literal of v_pk_fmac_f16', 'gfx1[12]', BOTH, r'^v_pk_fmac_f16(_e32)? .*0x3e22f983',
          '0x3e22f983', r'0\.15915494'),
    Known('the same literal twice, once in lit64()', 'gfx125', BOTH, r'0x(\w+), *lit64 ?\( ?0x\1\b|lit64 ?\( ?0x(\w+) ?\), *0x\2\b',
          r'lit64\(.*(,\w+){11}\]', r'lit64\(.*(,\w+){15}\]'),
    Known('a half in SDWA, checked as a float', 'gfx(9|10)', OURS, r'^v_pk_fmac_f16(_sdwa)? .*0x', 'invalid operand',
          '_sdwa'),
    Known('a half in DPP, checked as a float', 'gfx1[12]', OURS, r'^v_(dot2_(b?f16)_\2|ldexp_f16)', 'invalid operand', r'_dpp '),
    Known('a literal in DPP, without its four bytes', 'gfx1', '', '', r'^\w+_dpp .*, (neg\(|-?\|)?0x',
          r'invalid operand|operands are not valid|_dpp .*, -\d'),
    Known('a literal in lit(), without its four bytes', '', THEIRS, r'\blit ?\(',
          r'^\w+_e64 .*\blit\(.*\[\w+(,\w+){7}\]'),
    Known('a literal in lit(), without its four bytes', 'gfx[6-9]', THEIRS, r'\blit ?\(',
          r'^v_\w+ .*\blit\(.*\[\w+(,\w+){7}\]', 'literal operands are not supported'),
    Known('neg() of a negative integer in the second half behind a move', 'gfx125', OURS,
          r'^v_dual_mov_b32.*::.*neg\(-\d', 'invalid operand', '^v_dual_mov_b32'),
    Known("signs of the own constant of a pair's second half", 'gfx125', THEIRS, r'::.*_dual_fma[am]k_f32 .*[(|]',
          r'^v_dual_.*::.*_dual_fma[am]k_f32', 'not a valid operand'),
    Known('a short comparison without its result: lit64() with zeros for its low half', 'gfx(?!125)',
          THEIRS, r'^v_cmp\w+ lit64 ?\(', r'^v_cmp\w+_e32 .*\[0xff,.*0x00(,0x00){3}\]', 'lit64 is not supported'),
    Known('a short comparison without its result: --1', '', THEIRS, r'^v_cmp\w+ --',
          r'^v_cmp\w+_e32 ', 'invalid operand'),
]


def answer(a):
    return a[1] if a[0] == 'refused' else '%s %s' % a


def who(expected, actual):
    return OURS if expected[0] == 'refused' else THEIRS if actual[0] == 'refused' else BOTH


def differ_in(bits, expected, actual):
    """Whether the two codes differ in these bits alone."""
    if not bits:
        return True
    codes = [[int(b, 16) for b in a[1].strip('[]').split(',') if b != 'A'] for a in (expected, actual)]
    return len(codes[0]) == len(codes[1]) and all(
        (e ^ a) & ~mask == 0 for e, a, mask in zip(*codes, bytes.fromhex(bits)))


def cause(line, expected, actual, generation):
    """The index of the entry that explains a difference, or None."""
    line = re.sub(r'\s*/\*.*?\*/\s*', ' ', line).strip()
    line = re.sub(r'\s+(?=[,:\])])', '', ' '.join(line.split()))  # blanks mean nothing there
    line = re.sub(r'([\[(|-])\s+(?=\S)', r'\1', line)
    for i, k in enumerate(KNOWN):
        if (re.match(k.generations, generation) and k.who in ('', who(expected, actual)) and
                re.search(k.line, line, re.I) and re.search(k.llvm, answer(expected)) and
                re.search(k.offgrid, answer(actual)) and differ_in(k.bits, expected, actual)):
            return i
    return None


def may_differ(line, generation):
    """Whether an entry tells such lines by what they have, whatever the answers."""
    return any(k.line and not k.line.startswith('^(?!') and re.match(k.generations, generation)
               and re.search(k.line, line, re.I) for k in KNOWN)
