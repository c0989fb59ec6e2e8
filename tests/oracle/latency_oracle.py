#!/usr/bin/env python3
"""Latencies of isa/latencies.isa against LLVM's scheduling models: latency_oracle.py OFFGRID [GENERATION...].

Each form that touches no memory is printed by OFFGRID from its fixed bits, with registers apart for matrices; of what
llvm-mc takes, llvm-mca tells the latency. Differences that KNOWN explains are counted. Exit 77 without llvm-mca-22."""
import collections
import re
import shutil
import subprocess
import sys

import instruction_forms

PROCESSORS = {'gfx6': 'gfx600', 'gfx7': 'gfx700', 'gfx8': 'gfx803', 'gfx900': 'gfx900', 'gfx908': 'gfx908',
              'gfx90a': 'gfx90a', 'gfx942': 'gfx942', 'gfx950': 'gfx950', 'gfx10.1': 'gfx1010', 'gfx10.3': 'gfx1030',
              'gfx11': 'gfx1100', 'gfx11.5': 'gfx1150', 'gfx12': 'gfx1200', 'gfx1250': 'gfx1250'}
MCA, MC = shutil.which('llvm-mca-22'), shutil.which('llvm-mc-22')
FIRST = {0: 0, 1: 64, 2: 128, 3: 0}  # of matrices' operands: D, A, B, C
KNOWN = [  # what LLVM's models leave out: generations, names
    ('ends a wave, calls, or is no instruction: as any scalar one', '', r's_(endpgm|swappc|call|code_end)'),
    ('writes EXEC alone: as integers of 64 bits', 'gfx1[0-2]', r'v_cmpx_\w+_f64'),
    ('no model', 'gfx1[12](\\.5)?$', r'v_(wmma|swmmac)_'),
    ('as integers of 64 bits', 'gfx125', 'v_fma[am]k_f64'),
    ('as a division of doubles', 'gfx[6-9]', 'v_div_scale_'),
    ('neither as integers of 64 bits nor as multiplications', 'gfx1', 'v_m?qsad_pk_u16_u8'),
]


def run(command, text):
    return subprocess.run(command, input=text, capture_output=True, text=True)


def texts(offgrid, processor, forms):
    """[(form, text)] of what llvm-mc takes."""
    codes = ['[%s]' % ','.join('0x%02x' % b for b in f.value.to_bytes(32, 'little')[:f.size // 8]) for f in forms]
    command = [offgrid, 'mc', '-disassemble', '-triple=amdgcn', '-mcpu=' + processor, '-show-encoding']
    printed = run(command, '\n'.join(codes))
    by_code = {c: t for t, c in re.findall(r'^\t(\S.*?)\s*; encoding: (\[.*?\])', printed.stdout, re.M)}
    out = [(f, apart(by_code[c]) if f.matrix else by_code[c]) for f, c in zip(forms, codes) if c in by_code]
    taken = run([MC, '-triple=amdgcn', '-mcpu=' + processor], '\n'.join(text for _, text in out))
    refused = {int(line) - 1 for line in re.findall(r'<stdin>:(\d+):\d+: error', taken.stderr)}
    return [one for i, one in enumerate(out) if i not in refused]


def apart(text):
    """Vector registers that do not overlap, for the codes 0 of sources, which are scalar ones."""
    letters, count = [], iter(range(99))

    def other(match):
        i = next(count)
        letters.append('v' if match[1] == 's' else match[1])
        letter = letters[0] if i == 3 else letters[i]
        first = FIRST.get(i, 200)
        return '%s[%d:%d]' % (letter, first, first + int(match[3]) - int(match[2])) if match[3] else letter + str(first)
    return re.sub(r'\b([vas])(?:\[(\d+):(\d+)\]|\d+\b)', other, re.sub(r'/\*.*?\*/', '', text))


def latencies(processor, some):
    """[(form, cycles as LLVM counts)]; llvm-mca ends on loads into halves, which are left out then."""
    if not some:
        return []
    told = run([MCA, '-mtriple=amdgcn', '-mcpu=' + processor, '-instruction-info', '-resource-pressure=false',
                '-summary-view=false', '-iterations=1'], '\n'.join(text for _, text in some) + '\n')
    lines = re.findall(r'^ *\d+ +(\d+) +[\d.-]+ ', told.stdout, re.M)
    if not told.returncode and len(lines) == len(some):
        return [(form, int(cycles)) for (form, _), cycles in zip(some, lines)]
    half = len(some) // 2
    return latencies(processor, some[:half]) + latencies(processor, some[half:]) if half else []


def compare(offgrid, generation):
    processor, index = PROCESSORS[generation], instruction_forms.index_of(generation)
    newer = instruction_forms.TABLES.generations.index('10.1')
    wave, turn = (32, 1) if index >= newer else (64, 4)  # older ones are told in turns of four cycles
    forms = [f for f in instruction_forms.of(generation)
             if not f.second and not f.half and f.only in (0, wave) and f.memory is None]
    different, known = [], collections.Counter()
    compared = latencies(processor, texts(offgrid, processor, forms))
    for form, cycles in compared:
        ours = instruction_forms.TABLES.latencies[form.latency][index]
        if ours == cycles * turn:
            continue
        why = next((k[0] for k in KNOWN if re.match(k[1], generation) and re.match(k[2], form.row.name)), None)
        known[why] += 1
        if not why:
            different.append('%s %s: LLVM has %d cycles, the tables %d' % (
                generation, form.row.name, cycles * turn, ours))
    print('\n'.join(sorted(set(different))), end='\n' if different else '')
    print('%s: %d forms compared, %d differ, of which %d are explained' % (
        generation, len(compared), sum(known.values()), sum(known.values()) - known[None]), flush=True)
    return len(compared) > 500 and not different


def main():
    if not MCA or not MC:
        sys.exit(77)
    offgrid, *some = sys.argv[1:]
    sys.exit(not all([compare(offgrid, generation) for generation in some or PROCESSORS]))


if __name__ == '__main__':
    main()
