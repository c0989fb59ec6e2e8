#!/usr/bin/env python3
"""Random sources in which sizes depend on later labels: the object as llvm-mc-22 makes it.

relax_oracle.py OFFGRID COUNT [SEED [SHOW]]. LEB128 values, fills and .org from labels' distances, alignments, subsections, branches that gfx10.1
must not take over 63 dwords; with fixups, line tables, frames and kernel descriptors among them, which must all move along. Exit 77 without llvm-mc-22.
"""
import os
import random
import shutil
import subprocess
import sys
import tempfile

PROCESSORS = ['gfx900', 'gfx1010', 'gfx1100']
SKIP = 77


def difference(rng, labels):
    a, b = sorted(rng.sample(range(len(labels)), 2))
    return f'{labels[b]}-{labels[a]}'


def statement(rng, labels, code, here, plain):
    """One that stands in code or data; `here` is how many labels are defined already."""
    later = difference(rng, labels)
    kinds = ['leb'] * 5 + ['align'] * 3 + ['space', 'fill', 'data', 'zero', 'zero', 'data'] + (['inst', 'branch', 'branch', 'nops'] * 2 if code else [])
    kind = rng.choice(kinds)
    if kind == 'leb':
        scale = rng.choice(['', '', '*2', '*100', '*1000'])
        return rng.choice([f'.uleb128 ({later}){scale}', f'.sleb128 ({later}){scale}', f'.sleb128 -({later}){scale}', f'.uleb128 {later}, {difference(rng, labels)}'])
    if kind == 'align':
        power = rng.randrange(0, 8)
        return rng.choice([f'.p2align {power}', f'.p2align {power},0x5a', f'.p2align {power},,{rng.randrange(1, 1 << power) if power else 1}', f'.balign {1 << power}'])
    if kind == 'space' and here > 1 and plain: # of what stands before it: one that hangs on what comes behind may never settle
        return f'.space {difference(rng, labels[:here])}'
    if kind == 'fill' and here > 1 and plain:
        return f'.fill {difference(rng, labels[:here])}, {rng.choice([1, 2, 4])}, {rng.randrange(256)}'
    if kind == 'zero':
        return f'.zero {rng.choice([0, 1, 3, 7, 30, 60, 61, 62, 63, 64, 100, 120, 126, 127, 128, 250])}'
    if kind == 'inst':
        return rng.choice(['s_nop 1', 'v_mov_b32 v0, v1', f's_mov_b32 s0, {later}', f's_add_u32 s0, s0, {rng.choice(labels)}-{rng.choice(labels)}+4', 's_mov_b32 s1, out@rel32@lo+4'] if plain else ['s_nop 1'])
    if kind == 'nops':
        return f'.fill {rng.choice([40, 55, 60, 61, 62, 63])}, 4, 0xbf800001'
    if kind == 'branch':
        return f's_branch {rng.choice(labels)}'
    if not plain: # relocations of subsections stand in another order
        return '.byte 1'
    return rng.choice(['.byte 1', '.long ' + later, f'.long {rng.choice(labels)}', f'.quad {rng.choice(labels)}+8', '.short 7'])


def section_text(rng, name, prefix, code, frames):
    count = rng.randrange(2, 9)
    labels = [f'{prefix}{i}' for i in range(count)]
    lines, here, open_frame = [name], 0, False
    numbers = [0, 0, 0, 1, 2] if rng.random() < 0.3 else [0] # without lines, whose ends LLVM has elsewhere then
    number = 0
    if code and frames and not max(numbers):
        lines.append('.cfi_startproc')
        open_frame = True
    for _ in range(rng.randrange(4, 26)):
        if here < count and rng.random() < 0.4:
            lines.append(f'{labels[here]}:')
            here += 1
        elif open_frame and rng.random() < 0.25:
            lines.append(rng.choice(['.cfi_def_cfa_offset 16', '.cfi_remember_state', f'.cfi_offset {rng.randrange(60)}, 8']))
        elif rng.random() < 0.08 and max(numbers):
            number = rng.choice(numbers)
            lines.append(f'.subsection {number}')
        elif code and not max(numbers) and rng.random() < 0.1:
            lines.append(f'.loc 1 {rng.randrange(1, 500)} {rng.randrange(9)}\ns_nop 0')
        else:
            lines.append(statement(rng, labels, code, here, not max(numbers)))
            if code: # instructions and labels stand at words: from elsewhere LLVM's padding with s_nop never ends
                lines.append('.p2align 2, 0')
    if max(numbers):
        lines.append('.subsection 0')
    lines += [f'{l}:' for l in labels[here:]]
    if open_frame:
        lines.append('.cfi_endproc')
    return lines


def source(rng):
    frames = rng.random() < 0.5
    lines = ['.file 1 "a.c"'] + section_text(rng, '.text', 'la', True, frames)
    lines += section_text(rng, rng.choice(['.data', '.section .table,"a",@progbits', '.section .gcc_except_table,"a",@progbits']), 'lb', False, False)
    if rng.random() < 0.5:
        lines += ['.rodata', '.uleb128 k9-k0', '.p2align 6', '.amdhsa_kernel la0', '.amdhsa_next_free_vgpr 4', '.amdhsa_next_free_sgpr 8',
                  '.amdhsa_group_segment_fixed_size k9-k0', '.end_amdhsa_kernel', 'k0:', '.zero 130', 'k9:']
    return '\n'.join(lines) + '\n'


def run(command, path):
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=3)
    except subprocess.TimeoutExpired:
        return None, 'endless'
    if done.returncode:
        return None, done.stderr
    with open(path, 'rb') as f:
        return f.read(), ''


def same(offgrid, processor, text, directory):
    path = os.path.join(directory, 'a.s')
    with open(path, 'w') as f:
        f.write(text)
    objects = []
    for tool in ['llvm-mc-22'], [offgrid, 'mc']:
        out = os.path.join(directory, 'o')
        objects.append(run([*tool, '-triple=amdgcn-amd-amdhsa', f'-mcpu={processor}', '-filetype=obj', path, '-o', out], out))
    (theirs, their_error), (ours, our_error) = objects
    if their_error == 'endless': # LLVM's relaxation does not end where sizes depend on one another
        return None, None, ''
    return theirs == ours, (theirs is None, ours is None), f'LLVM: {their_error[:300]}\nours: {our_error[:300]}'


def smaller(offgrid, processor, text, directory):
    lines = text.split('\n')
    as_before = same(offgrid, processor, text, directory)[:2]
    i = 0
    while i < len(lines):
        fewer = lines[:i] + lines[i + 1:]
        if same(offgrid, processor, '\n'.join(fewer), directory)[:2] == as_before:
            lines = fewer
        else:
            i += 1
    return '\n'.join(lines)


def main():
    if not shutil.which('llvm-mc-22'):
        return SKIP
    offgrid, count = os.path.abspath(sys.argv[1]), int(sys.argv[2])
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else random.SystemRandom().randrange(1 << 31)
    show = int(sys.argv[4]) if len(sys.argv) > 4 else 3
    print(f'seed {seed}')
    rng = random.Random(seed)
    differ = made = 0
    with tempfile.TemporaryDirectory() as directory:
        for _ in range(count):
            processor, text = rng.choice(PROCESSORS), source(rng)
            alike, refused, _ = same(offgrid, processor, text, directory)
            made += alike is True and refused == (False, False)
            if alike is not False:
                continue
            differ += 1
            if differ <= show:
                text = smaller(offgrid, processor, text, directory)
                print(f'--- {processor}\n{text}\n{same(offgrid, processor, text, directory)[2]}')
    print(f'{count} sources, {made} made into the same object, {differ} differ')
    return differ > 0 or made * 2 < count


if __name__ == '__main__':
    sys.exit(main())
