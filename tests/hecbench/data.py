"""Data that HeCBench's programs read and its archive leaves out, where any data of the right form serves: made from a
fixed seed. programs.txt names a kind and its sizes."""
import array
import os
import random
import struct


def bmp(random_, width, height):
    """An image of 24 bits."""
    pixels = random_.randbytes(3 * width * height)
    return struct.pack("<2sIHHI", b"BM", 54 + len(pixels), 0, 0, 54) + \
        struct.pack("<IiiHHIIiiII", 40, width, height, 1, 24, 0, len(pixels), 2835, 2835, 0, 0) + pixels


def pgm(random_, width, height):
    """A grey image as text."""
    return f"P2\n{width} {height}\n255\n".encode() + lines(random_.randrange(256) for _ in range(width * height))


def counted(random_, rows, columns, low, high):
    """The number of rows, then numbers between low and high."""
    return f"{rows}\n".encode() + lines(f"{random_.uniform(low, high):.6f}" for _ in range(rows * columns))


def hdr(random_, width, height):
    """Width, height, and four numbers for each pixel, as text."""
    return f"{width} {height}\n".encode() + lines(f"{random_.uniform(0, 8):.5f}" for _ in range(4 * width * height))


def words(random_, count):
    """Words of lower letters, and now and then the one that is looked for."""
    letters, wanted = "abcdefghijklmnopqrstuvwxyz", "clEnqueueNDRangeKernel"
    return " ".join("".join(random_.choices(letters, k=random_.randint(2, 12))) if i % 97 else wanted
                    for i in range(count)).encode()


def shorts(random_, count):
    """Numbers of 16 bits."""
    return random_.randbytes(2 * count)


def floats(random_, count):
    """Numbers of 32 bits between 0 and 1."""
    return array.array("f", (random_.random() for _ in range(count))).tobytes()


def fasta(random_, count, length):
    """Reads of nucleotides, some of them nearly alike."""
    reads = []
    for i in range(count):
        read = "".join(random_.choices("ACGT", k=length - random_.randrange(length // 4)))
        if i % 4 == 1:
            read = reads[-1][:-3]
        reads.append(read)
    return lines(f">read{i}\n{read}" for i, read in enumerate(reads))


def lines(items):
    return "".join(f"{item}\n" for item in items).encode()


KINDS = {f.__name__: f for f in (bmp, pgm, counted, hdr, words, shorts, floats, fasta)}


def make(path, text):
    """Writes the file that `KIND SIZE...` describes, if it is not there."""
    if os.path.exists(path):
        return
    kind, *sizes = text.split()
    content = KINDS[kind](random.Random(text), *map(int, sizes))
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(content)
