#!/usr/bin/env python3
"""Short sources made to cost far more than they are long: each must end in one error that states the limit, or be read,
within bounded memory and processor time.

usage: hostile_text.py OFFGRID
"""
import os
import re
import resource
import subprocess
import sys
import tempfile

MEMORY, SECONDS = 2 << 30, 20  # of a slow machine; what has no limit takes either

BYTES, TEXT = r'(sections hold|fill of .* is larger) (more )?than 256 MiB', r'expands? to more than 64 MiB'
DEEP = r'(nested|included) (too deeply|more than \d+ levels deep)'
chain = '.set a0, %s\n' + ''.join('.set a%d, a%d+a%d\n' % (i + 1, i, i) for i in range(60)) + '.quad a60\n'
doubling = ''.join('.macro m%d\n m%d\n m%d\n.endm\n' % (i + 1, i, i) for i in range(30)) + '.macro m0\n.endm\n m30\n'

CASES = [  # source, what is said; None: nothing
    ('.p2align 31\n', r"section '.text': alignment to 2147483648 bytes makes a file of more than 256 MiB"),
    ('.byte 1\n.p2align 31\n.byte 1\n', BYTES),
    ('.data\n.balign 1<<30\n.byte 1\n.balign 1<<30\n', BYTES),
    ('s_nop 0\n.rept 60000\n.p2align 16\n.byte 1\n.endr\n', BYTES),
    ('.align 1<<31\n', 'more than 256 MiB'),
    ('.fill 0x7fffffffff, 8, 1\n', BYTES), ('.space 0x7fffffffff\n', BYTES), ('.org 0x7fffffffff\n', BYTES),
    ('.zero 1<<62\n', BYTES), ('.skip 0x100000000, 1\n', BYTES), ('.dcb.b 1<<40, 1\n', BYTES),
    ('.ds.x 1<<40\n', BYTES), ('.rept 300\n.zero 1<<20\n.endr\n', BYTES),
    ('.bss\n.zero 1<<40\n', None),
    ('.bss\n.zero 1<<62\n', 'larger than an address space'),
    ('.rept 1<<30\n.endr\n', TEXT), ('.rept 1<<30\n.byte 1\n.endr\n', TEXT),
    ('.rept 1000\n' * 10 + '.byte 1\n' + '.endr\n' * 10, TEXT),
    ('.irpc x,' + 'a' * 30000 + '\n.irpc y,' + 'b' * 30000 + '\n.endr\n.endr\n', TEXT),
    (doubling, TEXT), ('.macro a\n a\n a\n.endm\n a\n', DEEP), ('.macro m x:vararg\n m \\x,\\x\n.endm\n m 1\n', TEXT),
    ('.macro a x\n a "\\x\\x"\n.endm\n a aa\n', TEXT),
    ('.include "SELF"\n', DEEP),
    ('.rept 200000\n.section .s\\+\n.endr\n', 'more than 65000 sections'),
    ('.long ' + '(' * 1000000 + '1\n', DEEP), ('.long ' + '-' * 1000000 + '1\n', DEEP), ('.if 1\n' * 200000, DEEP),
    ('.pushsection .x\n' * 200000, DEEP), ('.long ' + '1+' * 400000 + '1\n', None),
    (chain % '1', None), (chain % 'x', 'expected relocatable expression'), ('x = y\ny = x\n.long x\n', 'cyclic'),
    ('s_waitcnt ' + 'vmcnt(0) & ' * 100000 + '\n', 'expected a counter name'),
    ('v_mov_b32 v0, ' + 'neg(' * 100000 + 'v1\n', 'error'), ('v_mov_b32 v0, ' + '[' * 100000 + '\n', 'error'),
    ('a' * 5000000 + '\n', 'invalid instruction'), ('.ascii "' + 'a' * 5000000 + '"\n', None),
    (b'\xef\xbb\xbfs_nop 0\n', r':1:1: error: the file begins with a byte order mark of UTF-8'),
    ('s_nop 0\n'.encode('utf-16'), r':1:1: error: the file begins with a byte order mark of UTF-16 \(little-endian\)'),
    (b'\xfe\xff\0s', r':1:1: error: the file begins with a byte order mark of UTF-16 \(big-endian\)'),
]


def limits():
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))


def main():
    faults = 0
    for source, message in CASES:
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, 'x.s')
            if isinstance(source, str):
                source = source.replace('SELF', path).encode()
            with open(path, 'wb') as file:
                file.write(source)
            result = subprocess.run([sys.argv[1], 'as', '-mcpu=gfx900', path, '-o', os.path.join(folder, 'x.o')],
                                    capture_output=True, text=True, errors='replace', preexec_fn=limits)
        errors = re.findall(r'error: .*', result.stderr)
        ok = result.returncode == 0 if message is None else result.returncode == 1 and re.search(message, result.stderr)
        if not ok or len(errors) > 100:
            faults += 1
            print('%r...\n  exit %d, %d errors: %s' % (source[:60], result.returncode, len(errors), errors[:2]))
    print('%d sources, %d faults' % (len(CASES), faults))
    sys.exit(faults != 0)


if __name__ == '__main__':
    main()
