#!/usr/bin/env python3
"""Decodes random blocks of BC1 to BC7 with the executor's decoders and with Pillow, which has its own: BC7 to the bit, the
others as near as Pillow's 8 bits tell. Of BC6
with signs colours that are small or below 0 somewhere are left out: Pillow takes their endpoints for large ones.

usage: blocks.py BLOCKS_TOOL [BLOCKS [SEED]]"""
import os
import random
import struct
import subprocess
import sys

DEBIANS = "/usr/bin/python3"  # for which the package is installed

try:
    from PIL import Image
except ImportError:
    if sys.executable != DEBIANS and os.access(DEBIANS, os.X_OK):
        os.execv(DEBIANS, [DEBIANS, *sys.argv])
    print("not installed: python3-pil")
    sys.exit(77)

# format, sign, Pillow's mode and name, how far apart in 255ths
KINDS = ((1, 0, "RGBA", "", 2), (2, 0, "RGBA", "", 2), (3, 0, "RGBA", "", 2), (4, 0, "L", "", 1.01), (5, 0, "RGB", "", 1.01),
         (6, 0, "RGB", "BC6H", 1.3), (6, 1, "RGB", "BC6HS", 1.3), (7, 0, "RGBA", "", 0.001))


def block_of(rng, kind):
    """Random, but of BC6 and BC7 with all modes alike."""
    data = bytearray(rng.randbytes(8 if kind in (1, 4) else 16))
    if kind == 7:
        mode = rng.randrange(8)
        data[0] = (data[0] | 1 << mode) & 0xff & -(1 << mode)
    if kind == 6:
        mode = rng.choice((0, 1, 2, 3, 6, 7, 10, 11, 14, 15, 18, 22, 26, 30))
        data[0] = data[0] & ~31 | mode if mode > 1 else data[0] & ~3 | mode
    return bytes(data)


def main():
    count, seed = int(sys.argv[2]) if len(sys.argv) > 2 else 400, int(sys.argv[3]) if len(sys.argv) > 3 else 1
    rng, failures = random.Random(seed), 0
    print("seed", seed)
    for kind, sign, mode, name, limit in KINDS:
        blocks = [block_of(rng, kind) for _ in range(count)]
        records = b"".join(bytes((kind, sign)) + b.ljust(16, b"\0") for b in blocks)
        mine = subprocess.run([sys.argv[1]], input=records, capture_output=True, check=True).stdout
        values = struct.unpack(f"<{64 * count}d", mine)
        for index, block in enumerate(blocks):
            image = Image.frombytes(mode, (4, 4), block, "bcn", kind, name)
            bands = len(image.getbands())
            theirs = [p if isinstance(p, tuple) else (p,) for p in image.getdata()]
            wrong = [(t, c) for t in range(16) for c in range(2 if kind == 5 else bands)
                     if not (sign and min(values[64 * index + c:64 * index + 64:4]) < 0.25) and abs(min(max(values[64 * index + 4 * t + c], 0), 1) * 255 - theirs[t][c]) > limit]
            if wrong:
                failures += 1
                if failures < 5:
                    t = wrong[0][0]
                    print(f"BC{kind} {name} {block.hex()}: texel {t} is {values[64 * index + 4 * t:][:4]}, not {theirs[t]}")
    print(f"{count * len(KINDS)} blocks, {failures} differ")
    return 1 if failures else 0


sys.exit(main())
