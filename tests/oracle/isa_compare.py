#!/usr/bin/env python3
"""Random encodings of every form: text as LLVM 22 disassembles it, and the bytes that llvm-mc-22 assembles from that
text again.

isa_compare.py [--sieve ISA_WORDS] [--wave64] [--true16 real|fake] [--marks] ISA_TOOL [GENERATION [COUNT [SEED]]]. With --sieve the encodings are words
of no form at all: that program finds those that differ, and these and one of SAMPLE others are compared here. With --marks sizes and texts are
compared as mc and objdump print them, with what LLVM marks as wrong (comments), so that both read on at the same place. LLVM is
asked through libLLVM's C interface in a forked child, since it crashes on some invalid words; those count as refused.
Encodings that LLVM marks as wrong (comments, misaligned registers) are not compared. Where LLVM contradicts itself, its
assembler not giving back what its disassembler read while our text does come back, the difference is shown but not
counted. gfx6 and gfx7 LLVM only assembles: there our text is assembled, and its bytes are read and encoded again.
"""
import argparse
import collections
import ctypes
import os
import random
import re
import subprocess
import sys
import tempfile

import instruction_forms


PROCESSOR = {'gfx6': 'gfx600', 'gfx7': 'gfx700', 'gfx8': 'gfx803', 'gfx900': 'gfx900', 'gfx906': 'gfx906',
             'gfx908': 'gfx908', 'gfx90a': 'gfx90a', 'gfx942': 'gfx942',
             'gfx950': 'gfx950', 'gfx10.1': 'gfx1010', 'gfx10.1-dl': 'gfx1011', 'gfx1013': 'gfx1013',
             'gfx10.3': 'gfx1030',
             'gfx11': 'gfx1100', 'gfx11.5': 'gfx1150', 'gfx12': 'gfx1200', 'gfx1250': 'gfx1250', 'gfx1251': 'gfx1251'}
AT_ONCE = 50000
OFTEN = 200
# Values of inline constants in the formats: 37, -16, 1.0 and 1/(2 pi).
INLINE = [0x25, 0xfffffff0, 0xfff0, 0x3c00, 0x3f80, 0x3f800000, 0x3ff00000, 0x3e22f983, 0x3118, 0x3e22, 0x3fc45f30]
SAMPLE = 64
SHOWN = {'wrong': 20, 'fault': 5}


class Llvm:
    def __init__(self, generation, wave, true16=None):
        self.processor = PROCESSOR[generation]
        self.unknown = set()  # texts of instructions that are newer than this LLVM
        self.crashed = set()  # codes
        self.features = '+wavefrontsize64' if wave == 64 and has_wave32(generation) else ''
        if true16:
            self.features += ',' * bool(self.features) + ('+' if true16 == 'real' else '-') + 'real-true16'

    def read(self, codes, writer):
        """One line per code: size and text."""
        llvm = ctypes.CDLL('libLLVM.so.22.1')
        for part in ('TargetInfo', 'TargetMC', 'Disassembler'):
            getattr(llvm, 'LLVMInitializeAMDGPU' + part)()
        llvm.LLVMCreateDisasmCPUFeatures.restype = ctypes.c_void_p
        llvm.LLVMDisasmInstruction.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_uint64, ctypes.c_uint64,
                                               ctypes.c_char_p, ctypes.c_size_t]
        llvm.LLVMDisasmInstruction.restype = ctypes.c_size_t
        context = llvm.LLVMCreateDisasmCPUFeatures(b'amdgcn-amd-amdhsa', self.processor.encode(),
                                                   self.features.encode(),
                                                   None, 0, None, None)
        text = ctypes.create_string_buffer(1024)
        for code in codes:
            size = llvm.LLVMDisasmInstruction(context, code, len(code), 0, text, 1024)
            os.write(writer, b'%d %s\n' % (size, text.value.replace(b'\n', b' ') if size else b''))

    def disassemble(self, codes):
        """[(size, text)]; size 0 where it refuses or crashes."""
        results = []
        while len(results) < len(codes):
            reader, writer = os.pipe()
            child = os.fork()
            if child == 0:
                self.read(codes[len(results):], writer)
                os._exit(0)
            os.close(writer)
            with os.fdopen(reader, 'rb') as answers:
                for line in answers.read().decode().split('\n')[:-1]:
                    size, _, text = line.partition(' ')
                    results.append((int(size), text.lstrip('\t')))
            os.waitpid(child, 0)
            if len(results) < len(codes):
                self.crashed.add(codes[len(results)])
                results.append((0, ''))
        return results

    def assemble(self, texts):
        """Bytes as hex per text, None where llvm-mc refuses or there is no text."""
        if not any(texts):
            return [None] * len(texts)
        with tempfile.NamedTemporaryFile('w', suffix='.s') as source:
            source.writelines('L%d: %s\n' % item for item in enumerate(texts, 1))  # what is refused may be printed too
            source.flush()
            command = ['llvm-mc-22', '-arch=amdgcn', '-mcpu=' + self.processor, '-show-encoding', source.name]
            run = subprocess.run(command + (['-mattr=' + self.features] if self.features else []), capture_output=True,
                                 text=True)
        self.unknown |= {texts[int(m) - 1]
                         for m in re.findall(r'\.s:(\d+):\d+: error: invalid instruction', run.stderr)}
        refused = {int(m) for m in re.findall(r'\.s:(\d+):\d+: error', run.stderr)}
        made = {int(n): b.replace('0x', '').replace(',', '')
                for n, b in re.findall(r'^L(\d+):\n\t.*encoding: \[([^\]]*)\]', run.stdout, re.M)}
        return [None if i in refused else made.get(i) for i in range(1, len(texts) + 1)]


class Ours:
    def __init__(self, tool, generation, wave, true16=None, marks=False):
        self.command = [tool, re.sub(r'\W', '_', generation).upper(), str(wave)]
        self.command += ['%s-true16' % true16] * bool(true16) + ['marks'] * marks

    def disassemble(self, codes):
        """[(size, text, bytes made again)]"""
        run = subprocess.run(self.command, input=''.join(c.hex() + '\n' for c in codes), capture_output=True, text=True)
        if run.returncode:
            raise SystemExit('%s failed: %s' % (self.command[0], run.stderr))
        out = []
        for line in run.stdout.splitlines():
            size, _, rest = line.partition(' ')
            text, _, again = rest.rpartition('|')
            out.append((int(size), text.lstrip('\t'), again))
        return out


class Report:
    def __init__(self):
        self.counts = {'wrong': 0, 'fault': 0}
        self.compared = 0

    def add(self, kind, code, what, theirs, mine):
        self.counts[kind] += 1
        if self.counts[kind] <= SHOWN[kind]:
            print('%s: %s%s\n  LLVM: %s\n  ours: %s' % (code.hex(), "LLVM's fault: " * (kind == 'fault'), what, theirs,
                                                        mine))


def has_wave32(generation):
    return re.match('gfx1[0-9]', generation)


def of_forms(generation, count, rnd):
    forms = instruction_forms.of(generation)
    for i in range(count):
        form = forms[i % len(forms)]
        bits = rnd.getrandbits(160)
        if i % 3 == 0:
            bits &= rnd.getrandbits(160)
        if i % 5 == 0:  # a literal that could stand as an inline constant
            source = form.size - 32  # where source 0 stands
            bits = bits & ~(0xffffffff << form.size | 0x1ff << source) | rnd.choice(INLINE) << form.size | 0xff << source
        if i % 16:
            bits = bits & ~form.mask | form.value & form.mask
        yield (bits & (1 << 160) - 1).to_bytes(20, 'little')


def sieved(program, llvm, tool, count, seed):
    """Of `count` random words those that differ, and some."""
    command = [program, tool.command[1], llvm.processor, llvm.features, tool.command[2], str(count), str(seed),
               str(SAMPLE)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as run:
        for line in run.stdout:
            yield bytes.fromhex(line)
    if run.returncode:
        raise SystemExit('%s ended with %d' % (program, run.returncode))


def without_contradictions(text):
    """Where registers beside them are such that LLVM assembles neither text: it mixes some immediates up with inline
    constants, and prints a literal of a double whose high half is that of 1.0 as the inline constant."""
    text = re.sub(r'neg\(1\.0\)', '-1.0', text.replace('lit(0x3ff00000)', '1.0'))
    text = re.sub(r'\|(v\d+), vcc_lo\|', r'|\1|, vcc_lo', text)
    return re.sub(r'(quad_perm|dpp8):\[[0-9,]*\]', '', text)


def sort_out(llvm, tool, differences, report):
    """Texts that differ: LLVM's fault where its own text does not come back as what it read, and ours does."""
    theirs = [text for _, (_, text), _ in differences]
    mine = [text for _, _, (_, text, _) in differences]
    assembled = llvm.assemble(theirs + mine)
    reread = tool.disassemble([bytes.fromhex(b or '') for b in assembled])
    llvm_reread = llvm.disassemble([bytes.fromhex(b or '') for b in assembled[:len(theirs)]])
    half = len(differences)
    for i, (code, (size, text), (my_size, my_text, again)) in enumerate(differences):
        theirs_back = bool(text) and assembled[i] is not None and reread[i][1] == my_text
        mine_back = bool(my_text) and assembled[half + i] == again and reread[half + i][1] == my_text
        if re.search(r'[-|]lit\(', my_text):  # LLVM's assembler reads no signed lit()
            mine_back = True
        if re.match(r'v_fmac_f(16|32)_e64_dpp .*0x[89a-f][0-9a-f]\b', text):  # the constant's code, not the constant
            mine_back, theirs_back = True, assembled[i] is not None
        if text and not my_text:  # refused by us; by LLVM's assembler too, or made another text or encoding of
            made = bytes.fromhex(assembled[i] or '')
            fault = not made or llvm_reread[i][1] != text or made[3] >> 2 != code[3] >> 2
        else:
            fault = mine_back and not theirs_back or not text and my_text in llvm.unknown
            alike = without_contradictions(text) == without_contradictions(my_text)
            fault |= not theirs_back and assembled[half + i] is None and alike
        report.add('fault' if fault else 'wrong', code, 'text', '%d %s' % (size, text), '%d %s' % (my_size, my_text))


def compare(llvm, tool, codes, report):
    texts, differences = set(), []
    for code, theirs, mine in zip(codes, llvm.disassemble(codes), tool.disassemble(codes)):
        if 'Warning' in theirs[1] or '/*' in theirs[1]:
            continue
        if not theirs[0] and mine[1].startswith('v_cmpx') and code[0] != 0x7e:
            continue  # VDST is not EXEC: llvm-objdump reads it with a warning, the C interface refuses it
        if theirs != mine[:2]:
            differences.append((code, theirs, mine))
        elif theirs[0]:
            texts.add(theirs[1])
    sort_out(llvm, tool, differences, report)
    texts = sorted(texts)
    canonical = [(t, b) for t, b in zip(texts, llvm.assemble(texts)) if b]
    back = [bytes.fromhex(b) for _, b in canonical]
    differences = []
    for (text, made), mine, theirs in zip(canonical, tool.disassemble(back), llvm.disassemble(back)):
        if mine[2] != made:
            report.add('wrong' if theirs[0] else 'fault', bytes.fromhex(made), 'bytes of ' + text, made,
                       mine[2] + ' ' + mine[1])
        elif mine[1] != theirs[1]:
            differences.append((bytes.fromhex(made), theirs, mine))
    sort_out(llvm, tool, differences, report)
    report.compared += len(canonical)


def compare_marks(llvm, tool, codes, report):
    """Size and text of everything that either reads, with what LLVM marks; but for what it warns of."""
    extra = []
    for code, theirs, mine in zip(codes, llvm.disassemble(codes), tool.disassemble(codes)):
        report.compared += 1
        doubtful = mine[1].startswith('v_cmpx') and code[0] != 0x7e  # with a warning; the C interface refuses it
        if mine[0] and not theirs[0] and code not in llvm.crashed and not doubtful:
            extra.append((code, mine))
        elif theirs[0] and theirs[0] != mine[0]:
            report.add('wrong', code, 'size', '%d %s' % theirs, '%d %s' % mine[:2])
        elif theirs[0] and 'Warning' not in theirs[1] and theirs != mine[:2]:
            same = without_contradictions(theirs[1]) == without_contradictions(mine[1])
            same |= theirs[1].startswith('s_delay_alu')  # reserved codes: here the number, which can be assembled
            report.add('wrong' if '/*' in theirs[1] and not same else 'fault', code, 'marks', '%d %s' % theirs, '%d %s' % mine[:2])


    llvm.assemble([mine[1] for _, mine in extra])
    for code, mine in extra:
        report.add('fault' if mine[1] in llvm.unknown else 'wrong', code, 'LLVM refuses', '', '%d %s' % mine[:2])


def compare_assembled(llvm, tool, codes, report):
    """For what LLVM cannot disassemble: our text, assembled by LLVM, gives bytes that we read and encode as these.
    Random operands are often refused; an instruction that always is would be read wrongly."""
    encoded = {text: again for _, text, again in tool.disassemble(codes) if text}
    texts = sorted(encoded)
    assembled = llvm.assemble(texts)
    again = tool.disassemble([bytes.fromhex(made or '') for made in assembled])
    tried, taken = collections.Counter(), collections.Counter()
    for text, made, (_, my_text, my_bytes) in zip(texts, assembled, again):
        name = text.split()[0]
        tried[name] += 1
        taken[name] += made is not None
        synonyms = made == my_bytes and (text.startswith(('exp ', 'ds_swizzle', 's_load', 's_buffer_load'))
                                         or re.search(r'_f64.* 0x25\b', text))
        if made is not None and made != encoded[text] and (my_text, my_bytes) != (text, made) and not synonyms:
            report.add('wrong', bytes.fromhex(made), 'bytes of ' + text, made, my_bytes + ' ' + my_text)
    for name in sorted(tried):
        if tried[name] >= OFTEN and not taken[name]:
            report.add('wrong', b'', name, 'refused in %d forms' % tried[name], '')
    report.compared += sum(taken.values())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--wave64', action='store_true')
    parser.add_argument('--true16', choices=['real', 'fake'])
    parser.add_argument('--marks', action='store_true')
    parser.add_argument('--sieve')
    parser.add_argument('--show', type=int, default=SHOWN['wrong'])
    parser.add_argument('tool')
    parser.add_argument('generation', nargs='?', default='gfx900')
    parser.add_argument('count', nargs='?', type=int, default=20000)
    parser.add_argument('seed', nargs='?', type=int, default=random.randrange(1 << 30))
    options = parser.parse_args()
    SHOWN['wrong'] = options.show
    print('%s, %d %s, seed %d' % (options.generation, options.count, 'words' if options.sieve else 'encodings',
                                  options.seed))
    rnd = random.Random(options.seed)
    wave = 32 if has_wave32(options.generation) and not options.wave64 else 64
    llvm = Llvm(options.generation, wave, options.true16)
    tool, report = Ours(options.tool, options.generation, wave, options.true16, options.marks), Report()
    codes = (sieved(options.sieve, llvm, tool, options.count, options.seed) if options.sieve else
             of_forms(options.generation, options.count, rnd))
    step = compare_marks if options.marks else compare_assembled if options.generation in ('gfx6', 'gfx7') else compare
    portion = []
    for code in codes:
        portion.append(code)
        if len(portion) == AT_ONCE:
            step(llvm, tool, portion, report)
            portion = []
    step(llvm, tool, portion, report)
    print("%d texts assembled and compared; %d differences; %d faults of LLVM's" % (
        report.compared, report.counts['wrong'], report.counts['fault']))
    return 1 if report.counts['wrong'] else 0


sys.exit(main())
