"""usage: memory_limits.py OFFGRID FOLDER: runs kernels under limits of address space from little to plenty; each run
ends in what it has to leave behind or in one error."""
import os
import resource
import struct
import subprocess
import sys

OFFGRID, FOLDER = sys.argv[1:3]
SOURCE = """
.amdgcn_target "amdgcn-amd-amdhsa--gfx900"
.text
.globl k
.p2align 8
.type k,@function
k:
  s_load_dwordx2 s[0:1], s[4:5], 0x0
  v_lshlrev_b32 v0, 2, v0
  v_mov_b32 v1, 7
  s_waitcnt lgkmcnt(0)
  global_store_dword v0, v1, s[0:1]
  s_endpgm
.Lend:
.size k, .Lend-k
.rodata
.p2align 6
.amdhsa_kernel k
  .amdhsa_user_sgpr_private_segment_buffer 1
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_private_segment_fixed_size 8192
  .amdhsa_group_segment_fixed_size 65536
  .amdhsa_next_free_vgpr 256
  .amdhsa_next_free_sgpr 48
.end_amdhsa_kernel
"""


def run(megabytes, *arguments):
    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))
    return subprocess.run([OFFGRID, *arguments], capture_output=True, text=True, preexec_fn=limit, check=False)


def check(megabytes, done, output=None):
    """Whether it came to its end."""
    lines = done.stderr.splitlines()
    if done.returncode == 0 and output:
        with open(output, "rb") as file:
            assert file.read() == struct.pack("<i", 7) * 256, (megabytes, "wrong result")
        os.remove(output)
    assert done.returncode in (0, 1) and len(lines) == done.returncode, (megabytes, done)
    return done.returncode == 0


def huge_segment(source, target):
    """The same code object with code of 2^35 bytes."""
    with open(source, "rb") as file:
        data = bytearray(file.read())
    first, count = struct.unpack_from("<Q", data, 32)[0], struct.unpack_from("<H", data, 56)[0]
    for at in range(first, first + 56 * count, 56):
        kind, flags = struct.unpack_from("<II", data, at)
        if kind == 1 and flags & 1:
            struct.pack_into("<Q", data, at + 40, 1 << 35)
        elif kind == 1 and flags & 2:
            struct.pack_into("<I", data, at, 0)
    with open(target, "wb") as file:
        file.write(data)


def large_file(source, target):
    """The same code object with much behind it. Where its copy does not fit, the error says so: the last resort, which
    ends a process that has no memory left, is not for what is as large as a file."""
    with open(source, "rb") as file:
        data = file.read()
    with open(target, "wb") as file:
        file.write(data)
        file.truncate(128 << 20)


def main():
    os.makedirs(FOLDER, exist_ok=True)
    source, obj, code, huge, out = (os.path.join(FOLDER, name) for name in ("k.s", "k.o", "k.co", "huge.co", "out"))
    with open(source, "w", encoding="utf-8") as file:
        file.write(SOURCE)
    subprocess.run([OFFGRID, "as", source, "-o", obj], check=True)
    subprocess.run([OFFGRID, "ld", obj, "-o", code], check=True)
    huge_segment(code, huge)
    large = os.path.join(FOLDER, "large.co")
    large_file(code, large)
    kernel = ["--kernel", "k", "--grid", "1024", "--group", "256", "--arg", f"out:{out}:1024"]
    ends = {True: 0, False: 0}
    for megabytes in list(range(40, 240, 7)) + [400, 800, 4000]:
        for more in ([], ["--threads", "4"]):
            ends[check(megabytes, run(megabytes, "run", code, *kernel, *more), out)] += 1
        ends[check(megabytes, run(megabytes, "run", code, *kernel, "--arg", "buf:99999999999"))] += 1
        assert not check(megabytes, run(megabytes, "run", huge, *kernel)), "2^35 bytes in less memory"
    assert ends[True] and ends[False], ends
    done = run(128 + 100, "run", large, *kernel)
    assert not check(228, done) and "no memory for a copy of 134217728 bytes" in done.stderr, done
    assert check(1000, run(1000, "run", large, *kernel), out)
    os.remove(large)


main()
