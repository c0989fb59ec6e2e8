#!/usr/bin/env python3
"""Wrong instructions and directives: place and text of each error as llvm-mc-22 gives them.

error_oracle.py OFFGRID PROCESSOR|directives COUNT SEED [LEAST [SHOW]]. Instructions that asm_generate.py writes get one
fault each; sources of directives are written from a table of faults. Ours may say more behind LLVM's text. Fails where
less than LEAST per cent (98) are alike. Exit 77 without llvm-mc-22.
"""
import collections
import concurrent.futures
import random
import re
import subprocess
import sys

import asm_generate
import instruction_forms
import asm_known
from error_directives import sources

REGISTERS = ['v256', 'v[254:256]', 'v[3:1]', 'v[0:40]', 's106', 's[1:2]', 's[100:107]', 's[2:5]', 'v[0', 'v[0:', 'v[',
             'v[]', 'v[0:1', 'v', 's', 'v[-1]', 'v[x:y]', 'v[1,2]', 'v0.x',
             'ttmp16', 'ttmp[1:2]', 'a0', 'a[0:1]', '[v0,v2]', '[v0,s1]', '[v0', '[s0,s2]', '[', 'vcc', 'vcc_lo',
             'exec', 'm0', 'scc', 'null', 'tba', 'flat_scratch', 'xnack_mask',
             'src_shared_base', 'src_vccz', 'lds_direct', 'v1', 's1', 'v[0:1]', 'v[0:3]', 's[0:1]', 's[4:7]', 'off',
             'v1.l', 'v1.h', 's1.l']
CONSTANTS = ['0', '1', '64', '65', '-16', '-17', '0x12345678', '0x123456789abc', '0x3ff00000',
             '-0x40000000', '1.0', '0.3', '1.7e400', '-1', 'foo',
             'foo+1', '(', '1+', '1 +', '(1', '0x', '"x"', "'a'", 'lit(1)', 'lit(', 'lit(v0)', '1.0.0',
             '$', '@', '%', '&', '!', '~1', '1f', 'sym@rel32@lo', 'sym@bad', '99999999999999999999',
             '0x1ffffffffffffffff', '}', ']', ')', '*', '|', ':', '1:2', '#', '?']
SIGNS = ['-%s', '|%s|', '-|%s|', 'neg(%s)', 'abs(%s)', 'sext(%s)', '|%s', 'abs(%s', 'neg(%s', 'sext(%s', 'neg %s',
         'neg(-%s)', '--%s', '||%s||', '|-%s|', 'neg()', 'abs()', '-abs(%s', 'neg(abs(%s)', 'sext(|%s|)', 'bad(%s)',
         '|abs(%s)|', '-neg(%s)']
MODIFIERS = ['clamp', 'clamp:1', 'noclamp', 'glc', 'slc', 'dlc', 'scc', 'nt', 'sc0', 'sc1', 'noglc', 'glc:1', 'gds',
             'offset', 'offset:', 'offset:foo', 'offset:-1', 'offset:1.0', 'offset:0x100000', 'offset:4',
             'offset:65536', 'offset0:1', 'offset1:256', 'offset0:-1', 'bad', 'bad:1',
             'op_sel:[1,0]', 'op_sel:[2,0]', 'op_sel:[1', 'op_sel:1', 'op_sel:[]', 'op_sel:[0,0,0,0,0]',
             'op_sel_hi:[1,1]', 'neg_lo:[1,0]', 'neg_hi:[0,1,2]', 'neg_lo:[1,', 'mul:2', 'mul:3', 'mul:0', 'div:2',
             'div:3', 'mul', 'mul:', 'omod:1',
             'row_mask:1', 'row_mask:16', 'row_mask:-1', 'bank_mask:0xf', 'bank_mask:16', 'bound_ctrl:0',
             'bound_ctrl:2', 'quad_perm:[0,1,2]', 'quad_perm:[0,1,2,3]', 'quad_perm:[0,1,2,4]', 'quad_perm:',
             'quad_perm:[0,1,2,3', 'row_shl:0', 'row_shl:1', 'row_shl:16', 'row_bcast:15', 'row_bcast:1',
             'row_share:1', 'row_share:16', 'row_newbcast:1', 'row_xmask:16', 'dpp8:[0,1,2,3,4,5,6,7]',
             'dpp8:[0,1,2,3,4,5,6]', 'dpp8:[0,1,2,3,4,5,6,8]', 'fi:1', 'fi:2', 'wave_shl:1', 'wave_shl:2', 'row_mirror',
             'row_mirror:1',
             'dst_sel:BYTE_0', 'dst_sel:BYTE_4', 'dst_sel:1', 'dst_sel:', 'src0_sel:WORD_1', 'src0_sel:DWORD',
             'src1_sel:WORD_2', 'dst_unused:UNUSED_PAD', 'dst_unused:PAD', 'dmask:1', 'dmask:0x10', 'dmask:0', 'dmask',
             'dim:1D', 'dim:4D', 'dim:SQ_RSRC_IMG_2D', 'dim:', 'unorm', 'tfe', 'lwe', 'da',
             'r128', 'a16', 'd16', 'offen', 'idxen', 'addr64', 'lds', 'format:1', 'format:128', 'format:[BUF_FMT_BAD]',
             'format:[BUF_NUM_FORMAT_FLOAT]', 'format:[BUF_FMT_32_FLOAT]', 'format:[', 'format:[]', 'dfmt:1', 'dfmt:16',
             'nfmt:2', 'nfmt:8', 'dfmt:1, nfmt:2', 'th:TH_LOAD_NT', 'th:TH_STORE_NT', 'th:TH_BAD', 'th:',
             'th:1', 'scope:SCOPE_SE', 'scope:SCOPE_X', 'scope:', 'cbsz:1', 'cbsz:8', 'abid:16', 'blgp:1', 'blgp:8',
             'neg:[1,0,0]', 'wait_vdst:1', 'wait_exp:8', 'wait_exp:1', 'wait_va_vdst:1', 'byte_sel:1', 'byte_sel:4',
             'bitop3:1', 'bitop3:256', 'done', 'vm', 'compr', 'high', 'row_en', 'index_key:1', 'matrix_a_reuse']


class Faults:
    """One fault in a line that asm_generate.py wrote."""

    def __init__(self, processor, seed):
        self.writer = asm_generate.Writer(processor, seed)
        self.rng = random.Random(seed + 1)
        self.names = instruction_forms.names()
        self.kinds = [self.operand, self.operand, self.operand, self.sign, self.fewer, self.more, self.swap,
                      self.modifier, self.modifier, self.modifier_value, self.mnemonic, self.suffix, self.comma,
                      self.cut, self.name, self.nothing]

    def split(self, line):
        mnemonic, _, rest = line.partition(' ')
        found = re.match(r'(.*?)((?: +(?:[a-z_0-9]+:\S.*|(?:glc|slc|dlc|scc|nt|sc[01]|clamp|gds|offen|idxen|addr64|lds|tfe|lwe|unorm|da|r128|a16|d16|done|compr|vm|high|row_\w+)\b.*))?)$', rest)
        operands = re.split(r', ?(?![^(\[{]*[)\]}])', found[1]) if found[1] else []
        return mnemonic, operands, found[2].strip()

    def join(self, mnemonic, operands, tail):
        return ' '.join(x for x in (mnemonic, ', '.join(operands), tail) if x)

    def operand(self, m, o, t):
        if o:
            o[self.rng.randrange(len(o))] = self.rng.choice(REGISTERS if self.rng.random() < 0.6 else CONSTANTS)
        return self.join(m, o, t)

    def sign(self, m, o, t):
        if o:
            i = self.rng.randrange(len(o))
            sign = self.rng.choice(SIGNS)
            o[i] = sign % o[i] if '%s' in sign else sign
        return self.join(m, o, t)

    def fewer(self, m, o, t):
        if o:
            o.pop(self.rng.randrange(len(o)) if self.rng.random() < 0.5 else -1)
        return self.join(m, o, t)

    def more(self, m, o, t):
        o.insert(self.rng.randrange(len(o) + 1), self.rng.choice(['v0', 's0', '1', 'vcc', 'v[0:1]', 'off', '1.5', '']))
        return self.join(m, o, t)

    def swap(self, m, o, t):
        if len(o) > 1:
            i = self.rng.randrange(len(o) - 1)
            o[i], o[i + 1] = o[i + 1], o[i]
        return self.join(m, o, t)

    def modifier(self, m, o, t):
        return self.join(m, o,
                         self.rng.choice(['%s %s' % (t, self.rng.choice(MODIFIERS)),
                                          '%s %s' % (self.rng.choice(MODIFIERS), t),
                                          self.rng.choice(MODIFIERS)]).strip())

    def modifier_value(self, m, o, t):
        if ':' in t:
            places = [x.end() for x in re.finditer(':', t)]
            at = self.rng.choice(places)
            value = re.match(r'\[.*?\]|\S*', t[at:])[0]
            t = t[:at] + self.rng.choice(['', '-1', '0', '99', '1.5', 'foo', '[', '[]', '[0]', 'v0', '(', ' 1', '0x', '1000000000000', value + ':', value + ',', value + ' ' + value]) + t[at + len(value):]
        return self.join(m, o, t)

    def mnemonic(self, m, o, t):
        i = self.rng.randrange(len(m))
        m = self.rng.choice([m[:i] + m[i + 1:], m[:i] + self.rng.choice('abcxyz_0123') + m[i + 1:],
                             m + self.rng.choice('xyz_'), m[:i] + m[i] + m[i:]])
        return self.join(m or 'x', o, t)

    def suffix(self, m, o, t):
        base = re.sub(r'_e32$|_e64$|_dpp$|_sdwa$|_e64_dpp$', '', m)
        return self.join(base + self.rng.choice(['_e32', '_e64', '_dpp', '_sdwa', '_e64_dpp', '_dpp8', '']), o, t)

    def comma(self, m, o, t):
        text = self.join(m, o, t)
        places = [x.start() for x in re.finditer(',', text)]
        if not places:
            return text + ','
        at = self.rng.choice(places)
        return text[:at] + self.rng.choice(['', ',,', ' ', ';', '.', ', ,']) + text[at + 1:]

    def cut(self, m, o, t):
        text = self.join(m, o, t)
        return text[:self.rng.randrange(len(m), len(text) + 1)]

    def name(self, m, o, t):
        return self.join(self.rng.choice(self.names), o, t)

    def nothing(self, m, o, t):
        return self.join(m, o, t)

    def lines(self, count):
        out = []
        while len(out) < count:
            for line in self.writer.lines(min(count, 5000)):
                line = self.rng.choice(self.kinds)(*self.split(line))
                if not asm_known.may_differ(line, self.writer.generation) and 'sym' not in line.partition(' ')[0] and ';' not in line:
                    out.append(line)
        return out[:count]


def errors_of(text):
    return [(int(line), int(column), message) for line, column,
            message in re.findall(r'^<stdin>:(\d+):(\d+): error: (.*)', text, re.M)]


def instruction_errors(tool, processor, lines):
    """Per line its errors; None where it was taken."""
    out = []
    for start in range(0, len(lines), 300):
        part = lines[start:start + 300]
        head = asm_generate.PROLOGUE + ['sym:']
        result = asm_generate.run(tool + ['-triple=amdgcn-amd-amdhsa', '-mcpu=' + processor, '-filetype=null'],
                                  '\n'.join(head + part) + '\n')
        if result.returncode not in (0, 1):
            out += instruction_errors(tool, processor, part[:len(part) // 2]) + instruction_errors(tool, processor, part[len(part) // 2:]) if len(part) > 1 else [[('crash',)]]
            continue
        found = collections.defaultdict(list)
        for line, column, message in errors_of(result.stderr):
            found[line - len(head) - 1].append((column, message))
        out += [found[i] for i in range(len(part))]
    return out


def source_errors(tool, case):
    source, processor, version = case
    options = ['-triple=amdgcn-amd-amdhsa', '-mcpu=' + processor, '--amdhsa-code-object-version=%d' % version,
               '-filetype=obj', '-o', '/dev/null']
    result = asm_generate.run(tool + options, source)
    if result.returncode not in (0, 1):
        return [('crash',)]
    out = []
    found = re.findall(r'^<(?:stdin|instantiation)>:(\d+:\d+): (error|warning|note): (.*)', result.stderr, re.M)
    for place, kind, message in found:
        if [(place, '%s: %s' % (kind, message))] != out[-1:]:  # LLVM lays out twice and tells twice
            out.append((place, '%s: %s' % (kind, message)))
    return out or [NOWHERE] * result.returncode


NOWHERE = ('', 'refused without a place')


def same_text(expected, actual):
    return len(expected) == len(actual) and all(a[1].startswith(e[1]) for e, a in zip(expected, actual))


def compare(cases, expected, actual, show, least, name):
    wrong = [(c, e, a) for c, e, a in zip(cases, expected, actual)
             if (e or a) and e != [('crash',)] and not (e == [NOWHERE] and a)]
    place = [x for x in wrong if [e[0] for e in x[1]] != [a[0] for a in x[2]]]
    text = [x for x in wrong if not same_text(x[1], x[2])]
    different = [x for x in wrong if x in place or x in text]
    for case, e, a in different[:show]:
        print('%s\n  llvm    %s\n  offgrid %s' % (case, e, a))
    share = [100.0 - 100.0 * len(x) / max(len(wrong), 1) for x in (place, text)]
    print('%s: %d cases, %d refused; places alike %.2f %%, texts %.2f %%' % (name, len(cases), len(wrong), share[0],
                                                                             share[1]))
    return min(share) < least


def main():
    if not asm_generate.LLVM:
        sys.exit(77)
    offgrid, name, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
    seed = int(sys.argv[4]) if len(sys.argv) > 4 and sys.argv[4] != '-' else random.SystemRandom().randrange(1 << 32)
    least = float(sys.argv[5]) if len(sys.argv) > 5 else 98
    show = int(sys.argv[6]) if len(sys.argv) > 6 else 20
    print('seed %d' % seed)
    tools = [asm_generate.LLVM], [offgrid, 'mc']
    if name == 'directives':
        cases = sources(seed, count)
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            results = [list(pool.map(lambda case, tool=tool: source_errors(tool, case), cases)) for tool in tools]
    else:
        cases = Faults(name, seed).lines(count)
        results = [instruction_errors(tool, name, cases) for tool in tools]
    sys.exit(compare(cases, *results, show, least, name))


if __name__ == '__main__':
    main()
