#!/usr/bin/env python3
"""Plants one fault at a time in a sound code object and asks `offgrid lint` to find just that one.

usage: lint_faults.py OFFGRID      (llvm-mc-22 and ld.lld-22 make the code objects)
"""
import os
import struct
import subprocess
import sys
import tempfile

OFFGRID = sys.argv[1]

SOURCE = """
.amdgcn_target "amdgcn-amd-amdhsa--gfx900"
.text
.globl k
.p2align 8
.type k,@function
k:
  s_load_dwordx2 s[8:9], s[4:5], 0x0
  v_mov_b32_e32 v1, 7
  v_mov_b32_e32 v2, 0
  s_cmp_eq_u32 s6, 0
  s_cbranch_scc1 .Lskip
  v_add_u32_e32 v1, 1, v1
.Lskip:
  s_waitcnt lgkmcnt(0)
  global_store_dword v2, v1, s[8:9]
{code}
  s_endpgm
.Lend:
  .size k, .Lend-k
{behind}
.rodata
.p2align 6
.amdhsa_kernel k
  .amdhsa_user_sgpr_private_segment_buffer 1
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_kernarg_size 8
  .amdhsa_group_segment_fixed_size {lds}
  .amdhsa_private_segment_fixed_size {scratch}
  .amdhsa_system_sgpr_private_segment_wavefront_offset {scratch_on}
  .amdhsa_next_free_vgpr 4
  .amdhsa_next_free_sgpr 10
  .amdhsa_reserve_vcc 0
  .amdhsa_reserve_flat_scratch 0
.end_amdhsa_kernel
.amdgpu_metadata
---
amdhsa.version: [1, {minor}]
amdhsa.target: {target}
amdhsa.kernels:
  - .name: k
    .symbol: k.kd
    .kernarg_segment_size: {kernarg}
    .kernarg_segment_align: {align}
    .group_segment_fixed_size: {lds_said}
    .private_segment_fixed_size: {scratch_said}
    .wavefront_size: {wave}
    .sgpr_count: 10
    .vgpr_count: {vgprs}
    .max_flat_workgroup_size: {flat}
    .args:
      - {{ .size: 8, .offset: {offset}, .value_kind: global_buffer, .address_space: global }}
{more}
...
.end_amdgpu_metadata
"""
DEFAULTS = dict(code="", behind="", lds=0, scratch=0, scratch_on=0, minor=2, target="amdgcn-amd-amdhsa--gfx900",
                kernarg=8, align=8,
                lds_said=0, scratch_said=0, wave=64, vgprs=4, flat=256, offset=0, more="")


def symbols(elf):
    """name -> (value, file offset) of every symbol, by way of the section headers."""
    shoff, = struct.unpack_from("<Q", elf, 0x28)
    count, = struct.unpack_from("<H", elf, 0x3c)
    sections = [struct.unpack_from("<IIQQQQIIQQ", elf, shoff + 64 * i) for i in range(count)]
    found = {}
    for s in sections:
        if s[1] != 2:  # SHT_SYMTAB
            continue
        strings = sections[s[6]][4]
        for at in range(s[4], s[4] + s[5], 24):
            name, _, _, index, value, _ = struct.unpack_from("<IBBHQQ", elf, at)
            end = elf.index(b"\0", strings + name)
            if index < len(sections):
                found[elf[strings + name:end].decode()] = (value, value - sections[index][3] + sections[index][4], at)
    return found


def patch_descriptor(byte, size, change):
    def patch(elf):
        at = symbols(elf)["k.kd"][1] + byte
        value = int.from_bytes(elf[at:at + size], "little")
        elf[at:at + size] = change(value).to_bytes(size, "little")
    return patch


def patch_word(index, value):
    """Overwrites the kernel's index-th word of code."""
    def patch(elf):
        struct.pack_into("<I", elf, symbols(elf)["k"][1] + 4 * index, value)
    return patch


def patch_symbol_size(name, size):
    def patch(elf):
        struct.pack_into("<Q", elf, symbols(elf)[name][2] + 16, size)
    return patch


def move_entry(delta):
    return patch_descriptor(16, 8, lambda v: (v + delta) % 2**64)


WAVE_SIZE_32 = 0x400
FAULTS = [
    ("OG103", dict(minor=3), None),
    ("OG102", dict(target="amdgcn-amd-amdhsa--gfx906"), None),
    ("OG106", {}, patch_symbol_size("k.kd", 32)),
    ("OG202", {}, move_entry(4)),
    ("OG203", {}, move_entry(1 << 32)),
    ("OG204", {}, patch_descriptor(60, 4, lambda v: 1)),
    ("OG204", {}, patch_descriptor(24, 8, lambda v: 1)),
    ("OG205", dict(code="  v_mov_b32_e32 v9, 0"), None),
    ("OG205", dict(code="  v_lshlrev_b64 v[7:8], 1, v[2:3]"), None),
    ("OG206", dict(code="  s_mov_b32 s40, 0"), None),
    ("OG211", {}, patch_descriptor(52, 4, lambda v: v & ~(31 << 1) | 4 << 1)),
    ("OG212", {}, patch_descriptor(52, 4, lambda v: v | 31 << 1)),
    ("OG213", dict(scratch=16, scratch_said=16), None),
    ("OG214", dict(code="  scratch_store_dword v2, v1, off", scratch_on=1), None),
    ("OG215", dict(lds=65540, lds_said=65540), None),
    ("OG216", {}, patch_descriptor(48, 4, lambda v: v | 1 << 20)),
    ("OG217", {}, patch_descriptor(52, 4, lambda v: v | 1 << 6)),
    ("OG218", {}, patch_descriptor(56, 2, lambda v: v & ~8)),
    ("OG209", dict(wave=32), None),
    ("OG301", dict(kernarg=16), None),
    ("OG302", dict(lds_said=4), None),
    ("OG303", dict(scratch_said=4, scratch_on=1), None),
    ("OG304", dict(offset=4), None),
    ("OG305", dict(more="      - { .size: 4, .offset: 4, .value_kind: by_value }"), None),
    ("OG306", dict(offset=4, kernarg=12), None),
    ("OG307", dict(align=6), None),
    ("OG308", dict(flat=2048), None),
    ("OG309", dict(vgprs=40), None),
    ("OG401", {}, patch_word(2, 0xcfffffff)),
    ("OG402", {}, patch_word(2, 0xbfa10001)),  # s_clause, of gfx10 and later
    ("OG403", dict(code="  s_cbranch_scc0 far"), "  .fill 4, 4, 0xbf800000\nfar:\n  s_endpgm\n"),
    ("OG404", dict(code="  s_cbranch_scc0 .Linside\n  v_mov_b32_e32 v1, 0x12345678\n.set .Linside, . - 4"), None),
    ("OG405", {}, "drop s_endpgm"),
    ("OG406", dict(code=".Lloop:\n  s_branch .Lloop"), None),
]
# Findings that follow from the planted one by their nature.
ALONGSIDE = {"OG203": {"OG202"}, "OG306": {"OG304", "OG301"}, "OG304": {"OG306"}, "OG305": set(), "OG401": set(),
             "OG405": {"OG406"},
             "OG403": {"OG401"}, "OG303": set(), "OG213": set(), "OG218": set(), "OG402": {"OG405", "OG406"}}


def build(folder, name, changes, patch):
    text = SOURCE.format(**{**DEFAULTS, **changes})
    if isinstance(patch, str):
        text = text.replace("  s_endpgm\n.Lend", ".Lend") if patch.startswith("drop") else SOURCE.format(**{**DEFAULTS, **changes, "behind": patch})
    source, target = os.path.join(folder, name + ".s"), os.path.join(folder, name + ".co")
    open(source, "w", encoding="utf-8").write(text)
    subprocess.run(["llvm-mc-22", "-triple=amdgcn-amd-amdhsa", "-mcpu=gfx900", "--amdhsa-code-object-version=5",
                    "-filetype=obj", source, "-o",
                    target + ".o"], check=True)
    subprocess.run(["ld.lld-22", "-shared", target + ".o", "-o", target], check=True)
    if callable(patch):
        elf = bytearray(open(target, "rb").read())
        patch(elf)
        open(target, "wb").write(elf)
    return target


def findings(path):
    result = subprocess.run([OFFGRID, "lint", path], capture_output=True, text=True)
    codes = {line.rsplit("[", 1)[1].rstrip("]") for line in result.stderr.splitlines() if line.endswith("]")
             and "[OG" in line}
    return codes, result


def main():
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        cases = [(None, {}, None)] + FAULTS
        for number, (code, changes, patch) in enumerate(cases):
            codes, result = findings(build(folder, f"case{number}", changes, patch))
            wanted = {code} if code else set()
            good = wanted <= codes and codes <= wanted | ALONGSIDE.get(code, set()) and result.returncode in (0, 1)
            passed, failed = passed + good, failed + (not good)
            if not good:
                print(f"case {number}: wanted {sorted(wanted)}, found {sorted(codes)}\n{result.stderr}")
    print(f"{passed} passed, {failed} failed")
    return failed > 0


sys.exit(main())
