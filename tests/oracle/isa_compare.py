#!/usr/bin/env python3
"""Random encodings of every form: text as LLVM 22 disassembles it, and the bytes that llvm-mc-22 assembles from that text again.

isa_compare.py ISA_TOOL [GENERATION [COUNT [SEED]]]. LLVM is asked through libLLVM's C interface in a forked child, since it crashes on
some invalid words; those count as refused. Encodings that LLVM marks as wrong (comments, misaligned registers) are not compared.
"""
import ctypes
import os
import random
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, 'isa'))
import tables  # noqa: E402

PROCESSOR = {'gfx8': 'gfx803', 'gfx900': 'gfx900', 'gfx906': 'gfx906', 'gfx908': 'gfx908', 'gfx90a': 'gfx90a', 'gfx942': 'gfx942',
             'gfx950': 'gfx950', 'gfx10.1': 'gfx1010', 'gfx10.1-dl': 'gfx1011', 'gfx1013': 'gfx1013', 'gfx10.3': 'gfx1030',
             'gfx11': 'gfx1100', 'gfx11.5': 'gfx1150', 'gfx12': 'gfx1200', 'gfx1250': 'gfx1250', 'gfx1251': 'gfx1251'}


def disassemble(processor, codes):
    """[(size, text)] by LLVM; size 0 where it refuses or crashes."""
    results = []
    while len(results) < len(codes):
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            llvm = ctypes.CDLL('libLLVM.so.22.1')
            for part in ('TargetInfo', 'TargetMC', 'Disassembler'):
                getattr(llvm, 'LLVMInitializeAMDGPU' + part)()
            llvm.LLVMCreateDisasmCPU.restype = ctypes.c_void_p
            llvm.LLVMDisasmInstruction.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_uint64, ctypes.c_uint64,
                                                   ctypes.c_char_p, ctypes.c_size_t]
            llvm.LLVMDisasmInstruction.restype = ctypes.c_size_t
            context = llvm.LLVMCreateDisasmCPU(b'amdgcn-amd-amdhsa', processor.encode(), None, 0, None, None)
            text = ctypes.create_string_buffer(1024)
            for code in codes[len(results):]:
                size = llvm.LLVMDisasmInstruction(context, code, len(code), 0, text, 1024)
                os.write(writer, b'%d %s\n' % (size, text.value.replace(b'\n', b' ') if size else b''))
            os._exit(0)
        os.close(writer)
        for line in os.fdopen(reader, 'rb').read().decode().split('\n')[:-1]:
            size, _, text = line.partition(' ')
            results.append((int(size), ' '.join(text.split())))
        os.waitpid(child, 0)
        if len(results) < len(codes):
            results.append((0, ''))
    return results


def ours(tool, generation, wave, codes):
    name = re.sub(r'\W', '_', generation).upper()
    run = subprocess.run([tool, name, str(wave)], input=''.join(c.hex() + '\n' for c in codes), capture_output=True, text=True)
    if run.returncode:
        raise SystemExit('%s failed: %s' % (tool, run.stderr))
    out = []
    for line in run.stdout.splitlines():
        size, _, rest = line.partition(' ')
        text, _, again = rest.rpartition('|')
        out.append((int(size), ' '.join(text.split()), again))
    return out


def assemble(processor, texts):
    """Bytes as hex per text, None where llvm-mc refuses."""
    with tempfile.NamedTemporaryFile('w', suffix='.s') as source:
        source.write('\n'.join(texts) + '\n')
        source.flush()
        run = subprocess.run(['llvm-mc-22', '-arch=amdgcn', '-mcpu=' + processor, '-show-encoding', source.name],
                             capture_output=True, text=True)
    refused = {int(m) for m in re.findall(r'\.s:(\d+):\d+: error', run.stderr)}
    made = iter(re.findall(r'encoding: \[([^\]]*)\]', run.stdout))
    return [None if i in refused else next(made).replace('0x', '').replace(',', '') for i in range(1, len(texts) + 1)]


def main():
    tool = sys.argv[1]
    generation = sys.argv[2] if len(sys.argv) > 2 else 'gfx900'
    count = int(sys.argv[3]) if len(sys.argv) > 3 else 20000
    seed = int(sys.argv[4]) if len(sys.argv) > 4 else random.randrange(1 << 30)
    print('%s, %d encodings, seed %d' % (generation, count, seed))
    rnd = random.Random(seed)
    forms = tables.load(os.path.join(ROOT, 'isa'))[generation]
    wave = 32 if re.match('gfx1[0-9]', generation) else 64
    codes = []
    for i in range(count):
        form = forms[i % len(forms)]
        bits = rnd.getrandbits(160)
        if i % 3 == 0:
            bits &= rnd.getrandbits(160)
        if i % 16 == 0:
            codes.append(bits.to_bytes(20, 'little'))  # any words at all
        else:
            codes.append((bits & ~form.mask | form.value & form.mask).to_bytes(20, 'little'))
    expected = disassemble(PROCESSOR[generation], codes)
    wrong = 0

    def report(code, what, theirs, mine):
        nonlocal wrong
        wrong += 1
        if wrong <= 20:
            print('%s: %s\n  LLVM: %s\n  ours: %s' % (code.hex(), what, theirs, mine))

    texts = set()
    for code, (size, text), (my_size, my_text, _) in zip(codes, expected, ours(tool, generation, wave, codes)):
        if 'Warning' in text or '/*' in text:
            continue
        if (size, text) != (my_size, my_text):
            report(code, 'text', '%d %s' % (size, text), '%d %s' % (my_size, my_text))
        elif size:
            texts.add(text)
    texts = sorted(texts)
    canonical = [(t, b) for t, b in zip(texts, assemble(PROCESSOR[generation], texts)) if b]
    again = ours(tool, generation, wave, [bytes.fromhex(b) for _, b in canonical])
    back = disassemble(PROCESSOR[generation], [bytes.fromhex(b) for _, b in canonical])
    for (text, made), (size, my_text, encoded), (_, llvm_text) in zip(canonical, again, back):
        if encoded != made or my_text != llvm_text:
            report(bytes.fromhex(made), 'bytes of ' + text, made, encoded + ' ' + my_text)
    print('%d texts assembled and compared; %d differences' % (len(canonical), wrong))
    return 1 if wrong else 0


sys.exit(main())
