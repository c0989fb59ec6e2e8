#!/usr/bin/env python3
"""Random kernels in both tiers: what the interpreter leaves in registers, masks and memory, compiled code has to leave, too.
Each kernel is straight code, skips and a loop over vector, scalar, LDS and global operations; at the end it stores all that
it has, bit for bit. Kernels with fused multiply-adds have no other NaN than the one that arises: tests/unit/test_tier.c has
all others.

usage: tier_random.py OFFGRID [COUNT] [FIRST SEED]"""
import os
import random
import re
import struct
import subprocess
import sys
import tempfile

OFFGRID = sys.argv[1]
COUNT = int(sys.argv[2]) if len(sys.argv) > 2 else 1000
FIRST = int(sys.argv[3]) if len(sys.argv) > 3 else random.randrange(1 << 30)
PROCESSORS = [("gfx900", 64), ("gfx1030", 32), ("gfx1030", 64), ("gfx1100", 32), ("gfx1100", 64)]
ITEMS, LDS, ITEM = 192, 1024, "v60"
SGPRS = [0, 1, 2, 3, *range(16, 24)]  # that operations choose from; of VGPRS v4 on, few or more than the host has

TWO = ["and_b32", "or_b32", "xor_b32", "mul_lo_u32", "mul_hi_u32", "min_u32", "max_u32", "min_i32", "max_i32", "lshlrev_b32",
       "lshrrev_b32", "ashrrev_i32", "mul_u32_u24", "mul_i32_i24", "mul_hi_u32_u24"]
THREE = ["add3_u32", "lshl_add_u32", "add_lshl_u32", "lshl_or_b32", "and_or_b32", "or3_b32", "bfe_u32", "bfe_i32", "bfi_b32",
         "alignbit_b32", "alignbyte_b32", "mad_u32_u24", "mad_i32_i24", "min3_u32", "max3_i32", "med3_u32", "med3_i32", "perm_b32",
         "sad_u32", "xad_u32"]
FLOATS = ["add_f32", "sub_f32", "subrev_f32", "mul_f32", "min_f32", "max_f32"]
RELATIONS = ["lt", "eq", "le", "gt", "ge"]
NEIGHBOURS = r": [0-9]+ bytes (past|before) [^,]*|0x[0-9a-f]{8,}"  # of a fault's address: the host has buffers anywhere
CONSTANTS = ["0", "1", "-1", "7", "31", "64", "0x12345", "0x80000000", "0xffff0000"]


class Kernel:
    def __init__(self, seed):
        self.chance = random.Random(seed)
        self.seed = seed
        self.processor, self.lanes = PROCESSORS[seed % len(PROCESSORS)]
        self.floats = self.chance.random() < 0.45
        self.fma = self.floats and self.chance.random() < 0.7
        self.old = self.processor == "gfx900"
        self.group = self.chance.choice([64, 64, 96, 48])
        self.vgprs = self.chance.choice([12, 12, 40])
        self.rows = self.vgprs + len(SGPRS) + 4
        self.astray = not self.fma and self.chance.random() < 0.3  # accesses of lanes that are outside of everything
        self.labels = 0
        self.lines = []

    def say(self, text):
        self.lines.append("  " + text)

    def v(self):
        return f"v{self.chance.randrange(4, 4 + self.vgprs)}"

    def pair(self):
        n = self.chance.randrange(4, 3 + self.vgprs)
        return f"v[{n}:{n + 1}]"

    def s(self):
        return f"s{self.chance.choice(SGPRS)}"

    def spair(self):
        n = self.chance.choice(SGPRS[::2])
        return f"s[{n}:{n + 1}]"

    def mask(self):
        """Those that compilers take first come often, so that masks meet."""
        if self.lanes == 32:
            return self.chance.choice(["vcc_lo", "s0", self.s()])
        return self.chance.choice(["vcc", "s[0:1]", self.spair()])

    def source(self, constant=True):
        kind = self.chance.random()
        if kind < 0.7:
            return self.v()
        if kind < 0.85 or not constant:
            return self.s()
        return self.chance.choice(CONSTANTS[:6])

    def vcc(self):
        return "vcc" if self.lanes == 64 else "vcc_lo"

    def sign(self, text):
        if self.fma:
            return text
        return self.chance.choice([text, text, "-" + text, f"|{text}|", f"-|{text}|"])

    def vector(self):
        c = self.chance
        kind = c.randrange(14)
        if self.fma and kind >= 7:
            kind = c.choice([9, 10])
        if self.floats and kind < 7:
            return self.vector_float()
        if kind < 3:
            name = c.choice(TWO)
            wide = "_e64" if c.random() < 0.3 and not name.startswith("mul_lo") and not name.startswith("mul_hi_u32") else ""
            if name in ("mul_lo_u32", "mul_hi_u32"):
                wide = ""
            self.say(f"v_{name}{wide} {self.v()}, {self.source()}, {self.v()}")
        elif kind < 6:
            name = c.choice(THREE)
            if name == "xad_u32" and self.old:
                name = "add3_u32"
            self.say(f"v_{name} {self.v()}, {self.v()}, {self.source()}, {self.v()}")
        elif kind == 6:
            self.say(f"v_mov_b32 {self.v()}, {self.chance.choice([self.source(), self.chance.choice(CONSTANTS)])}")
        elif kind == 7:
            plain = ["add_u32", "sub_u32", "subrev_u32"] if self.old else ["add_nc_u32", "sub_nc_u32", "subrev_nc_u32"]
            self.say(f"v_{c.choice(plain)} {self.v()}, {self.source()}, {self.v()}")
        elif kind == 8:
            self.carry()
        elif kind == 9:
            to = self.mask()
            kind = c.choice(["u32", "i32"])
            relation = c.choice(RELATIONS + ["ne"])
            self.say(f"v_cmp_{relation}_{kind}_e64 {to}, {self.source()}, {self.v()}")
        elif kind in (10, 12, 13):
            self.say(f"v_cndmask_b32_e64 {self.v()}, {self.lane_source()}, {self.lane_source()}, {self.mask()}")
        else:
            self.wide()

    def lane_source(self):
        """One beside a mask, which is the only scalar that gfx9 reads."""
        return self.v() if self.chance.random() < 0.5 else self.chance.choice(["0", "1", "7" if self.fma else "-1", "31", "64"])

    def carry(self):
        """Sums of 64 bits in two parts, at times with what else comes between them, of masks, too."""
        carries = ["addc", "subb", "subbrev"] if self.old else ["add_co_ci", "sub_co_ci", "subrev_co_ci"]
        mask = self.mask()
        self.say(f"v_{self.chance.choice(['add', 'sub', 'subrev'])}_co_u32_e64 {self.v()}, {mask}, {self.source()}, {self.v()}")
        while self.chance.random() < 0.3:
            self.vector()
        if self.chance.random() < 0.7:
            name = self.chance.choice(carries) + ("_co_u32" if self.old else "_u32")
            first = self.lane_source()
            second = self.chance.choice([first, self.lane_source()])  # of equal ones the carry alone borrows
            self.say(f"v_{name}_e64 {self.v()}, {self.mask()}, {first}, {second}, {mask}")

    def wide(self):
        c = self.chance
        kind = c.random()
        if kind < 0.25:
            self.double()
        elif kind < 0.35:
            relation, number = c.choice(["eq", "lt", "le", "gt", "ne", "ge"]), c.choice(["i64", "u64"])
            self.say(f"v_cmp_{relation}_{number}_e64 {self.mask()}, {self.wide_source()}, {self.pair()}")
        elif kind < 0.4:
            self.say(f"v_readfirstlane_b32 {self.s()}, {self.v()}")
        elif kind < 0.7:
            name = c.choice(["v_lshlrev_b64", "v_lshrrev_b64"])
            self.say(f"{name} {self.pair()}, {c.choice([self.v(), str(c.randrange(64))])}, {self.wide_source()}")
        else:
            mask = "null" if self.processor == "gfx1100" and c.random() < 0.3 else self.mask()
            self.say(f"v_mad_u64_u32 {self.pair()}, {mask}, {self.v()}, {self.v()}, {self.wide_source()}")

    def double(self):
        c = self.chance
        kind = c.randrange(4)
        if kind == 0:
            relation = c.choice(RELATIONS + ["lg", "o", "u", "neq", "nlt", "nle", "ngt", "nge", "nlg"])
            self.say(f"v_cmp_{relation}_f64_e64 {self.mask()}, {self.pair()}, {self.pair()}")
        elif kind == 1:
            self.say(f"v_{c.choice(['rcp', 'rsq', 'sqrt', 'rndne', 'floor', 'ceil', 'trunc'])}_f64 {self.pair()}, {self.pair()}")
        elif kind == 2:
            self.say(f"v_cvt_{c.choice(['i32', 'f32'])}_f64 {self.v()}, {self.pair()}")
        else:
            self.say(f"v_cvt_f64_{c.choice(['i32', 'f32'])} {self.pair()}, {self.v()}")

    def wide_source(self):
        return self.pair() if self.chance.random() < 0.7 else self.chance.choice([self.spair(), "0", "-1", "7", "64"])

    def vector_float(self):
        c = self.chance
        kind = c.randrange(5 if self.fma else 6)
        if kind < 2:
            self.say(f"v_{c.choice(FLOATS)}_e64 {self.v()}, {self.sign(self.v())}, {self.sign(self.v())}")
        elif kind in (2, 3) and not self.fma:
            self.say(f"v_mov_b32 {self.v()}, {c.choice(CONSTANTS)}")
        elif kind == 2:
            self.say(f"v_fma_f32 {self.v()}, {self.sign(self.v())}, {self.sign(self.source(False))}, {self.sign(self.v())}")
        elif kind == 3 and self.processor != "gfx1100":
            self.say(c.choice([f"v_mad_f32 {self.v()}, {self.v()}, {self.v()}, {self.v()}",
                               f"v_mac_f32 {self.v()}, {self.source()}, {self.v()}"]) if self.old else
                     f"v_fmac_f32_e32 {self.v()}, {self.source()}, {self.v()}")
        elif kind == 3:
            a, b = c.sample(range(4, 4 + self.vgprs, 2), 2)
            self.say(f"v_dual_mul_f32 v{a}, v{c.choice([4, 8, 12])}, v6 :: v_dual_add_f32 v{b + 1}, v{c.choice([5, 9, 13])}, v7"
                     if self.lanes == 32 else f"v_fmac_f32_e32 {self.v()}, {self.v()}, {self.v()}")
        elif kind == 4:
            relation = c.choice(RELATIONS + ["lg", "o", "u", "neq", "nlt", "nle", "ngt", "nge", "nlg"])
            self.say(f"v_cmp_{relation}_f32_e64 {self.mask()}, {self.sign(self.v())}, {self.v()}")
        else:
            self.say(f"v_cvt_f32_{c.choice(['i32', 'ubyte0', 'ubyte1', 'ubyte2', 'ubyte3', 'u32'])} {self.v()}, {self.v()}")

    def scalar(self):
        c = self.chance
        kind = c.randrange(7)
        source = lambda: c.choice([self.s(), self.s(), c.choice(CONSTANTS)])  # noqa: E731
        if kind < 3:
            name = c.choice(["add_i32", "add_u32", "addc_u32", "sub_i32", "sub_u32", "subb_u32", "mul_i32", "and_b32", "or_b32",
                             "xor_b32", "andn2_b32" if self.processor != "gfx1100" else "and_not1_b32", "lshl_b32", "lshr_b32",
                             "ashr_i32", "lshl1_add_u32", "lshl3_add_u32", "cselect_b32", "bfe_u32"])
            self.say(f"s_{name} {self.s()}, {self.s()}, {source()}")
        elif kind == 3:
            name = c.choice(["and_b64", "or_b64", "xor_b64", "cselect_b64"])
            self.say(f"s_{name} {self.spair()}, {self.spair()}, {self.spair()}")
        elif kind == 4:
            self.say(f"s_cmp_{c.choice(RELATIONS + ['lg'])}_{c.choice(['u32', 'i32'])} {self.s()}, {source()}")
        elif kind == 5:
            self.say(c.choice([f"s_movk_i32 {self.s()}, {c.randrange(-32768, 32768)}",
                               f"s_addk_i32 {self.s()}, {c.randrange(-32768, 32768)}", f"s_mov_b32 {self.s()}, {source()}",
                               f"s_not_b32 {self.s()}, {self.s()}", f"s_mov_b64 {self.spair()}, {self.spair()}"]))
        else:
            name = c.choice(["lshl_b64", "lshr_b64", "ashr_i64"])
            self.say(f"s_{name} {self.spair()}, {self.spair()}, {self.s()}")

    def address(self, size, most, reads):
        """v1: offsets of lanes in one of their shapes, fit for `size` bytes within `most`."""
        shape = self.chance.randrange(4)
        lane = "v0"
        if shape == 0:
            self.say(f"v_lshlrev_b32 v1, {2 + size // 8}, {lane}")
        elif shape == 1:
            self.say(f"v_mov_b32 v1, {16 * self.chance.randrange(8)}")
        elif shape == 2:
            self.say(f"v_and_b32 v1, {hex((most - 1) & ~(size - 1) & 0x1f0)}, {self.v()}")
        else:
            self.say(f"v_xor_b32 v1, 0x55, {lane}")
            self.say(f"v_lshlrev_b32 v1, 2, v1")
            self.say(f"v_and_b32 v1, 0x1f0, v1" if size > 4 else "v_and_b32 v1, 0x1fc, v1")

        if self.astray and self.chance.random() < (0.8 if reads else 0.1):  # of one lane, which in loops is another one each round
            self.say(f"v_subrev_{'u32' if self.old else 'nc_u32'} v2, s29, v0")
            self.say(f"v_cmp_eq_u32_e64 {self.vcc()}, {self.chance.randrange(56)}, v2")
            self.say("v_mov_b32 v2, 0x7fff0000")
            self.say(f"v_cndmask_b32_e64 v1, v1, v2, {self.vcc()}")

    def lds(self, reads=False):
        c = self.chance
        new = self.processor == "gfx1100"
        read, write = ("ds_load", "ds_store") if new else ("ds_read", "ds_write")
        two = "_2addr" if new else "2"
        kind = c.choice([0, 2, 4]) if reads else c.randrange(6)
        first = 2 * c.randrange(2, 6)
        self.address(8 if kind in (2, 3) else 4, 512, reads)
        if self.old:
            self.say("s_mov_b32 m0, -1")
        small = c.random() < 0.4
        if kind == 0:
            width = c.choice(["u8", "i8", "u16", "i16"]) if small else "b32"
            self.say(f"{read}_{width} {self.v()}, v1 offset:{4 * c.randrange(32)}")
        elif kind == 1:
            width = c.choice(["b8", "b16"]) if small else "b32"
            self.say(f"{write}_{width} v1, {self.v()} offset:{4 * c.randrange(32)}")
        elif kind == 2:
            self.say(f"{read}_b64 v[{first}:{first + 1}], v1 offset:{8 * c.randrange(16)}")
        elif kind == 3:
            self.say(f"{write}_b64 v1, v[{first}:{first + 1}] offset:{8 * c.randrange(16)}")
        elif kind == 4:
            self.say(f"{read}{two}_b32 v[{first}:{first + 1}], v1 offset0:{c.randrange(32)} offset1:{c.randrange(32)}")
        else:
            self.say(f"{write}{two}_b32 v1, {self.v()}, {self.v()} offset0:{c.randrange(16)} offset1:{16 + c.randrange(16)}")
        self.say("s_waitcnt lgkmcnt(0)")

    def memory(self, reads=False):
        c = self.chance
        new = self.processor == "gfx1100"
        width = c.choice(["dword"] * 4 + ["dwordx2"] * 2 + ["byte", "short"])
        size = {"dword": 4, "dwordx2": 8, "byte": 1, "short": 2}[width]
        load, store = f"global_load_{width}", f"global_store_{width}"
        if size < 4:
            load = f"global_load_{c.choice('us')}{width}"
        if new:  # other names of the same
            load, store = (re.sub("_u?(s?)byte", lambda m: f"_{m[1] and 'i' or 'u'}8", load), store.replace("byte", "b8"))
            load, store = (re.sub("_u?(s?)short", lambda m: f"_{m[1] and 'i' or 'u'}16", load), store.replace("short", "b16"))
            load, store = (n.replace("dwordx2", "b64").replace("dword", "b32") for n in (load, store))
        self.address(max(size, 4), 1024, reads)
        if size < 4 and c.random() < 0.5:
            self.say(f"v_lshlrev_b32 v1, {size - 1}, v0")
        first = 2 * c.randrange(2, 6)
        data = f"v[{first}:{first + 1}]" if size == 8 else self.v()
        offset = size * c.randrange(64)
        if c.random() < 0.5:
            where = f"v1, {{}}s[12:13] offset:{offset}"
        else:
            add = "v_add_co_u32_e64" if self.old else "v_add_co_u32"
            mask = self.vcc()
            self.say(f"{add} v2, {mask}, s12, v1")
            self.say("v_mov_b32 v3, s13")
            self.say(f"{'v_addc_co_u32_e64' if self.old else 'v_add_co_ci_u32_e64'} v3, {mask}, v3, 0, {mask}")
            where = f"v[2:3], {{}}off offset:{offset}"
            if c.random() < 0.3:
                load, store, where = load.replace("global", "flat"), store.replace("global", "flat"), "v[2:3], {}"
        if reads or c.random() < 0.5:
            self.say(f"{load} {data}, " + where.format("").rstrip(", "))
        else:
            self.say(f"{store} " + where.format(f"{data}, ").rstrip(", "))
        self.say("s_waitcnt vmcnt(0) lgkmcnt(0)")
        if not self.old:
            self.say("s_waitcnt_vscnt null, 0x0")

    def exec(self):
        """Some lanes for a while."""
        mask = "vcc_lo" if self.lanes == 32 else "vcc"
        keep, exec_ = ("s30", "exec_lo") if self.lanes == 32 else ("s[30:31]", "exec")
        self.say(f"v_cmp_{self.chance.choice(RELATIONS)}_u32_e64 {mask}, {self.chance.choice(['v0', self.v()])}, "
                 f"{self.chance.choice(['16', '40', self.v()])}")
        self.say(f"s_and_saveexec_b{self.lanes} {keep}, {mask}")
        label = self.chance.choice(["", f"none{self.labels}"])
        self.labels += 1
        if label:
            self.say(f"s_cbranch_execz {label}")
        self.some(self.chance.randrange(1, 8))
        if label:
            self.lines.append(f"{label}:")
        self.say(f"s_mov_b{self.lanes} {exec_}, {keep}")

    def some(self, count):
        for _ in range(count):
            kind = self.chance.random()
            if kind < 0.6 or (self.fma and kind >= 0.75):
                self.vector()
            elif kind < 0.75:
                self.scalar()
            elif kind < 0.87:
                self.lds()
            else:
                self.memory()

    def skip(self):
        label = f"skip{self.labels}"
        self.labels += 1
        self.say(f"s_cmp_{self.chance.choice(RELATIONS)}_u32 {self.s()}, {self.s()}")
        self.say(f"s_cbranch_scc{self.chance.randrange(2)} {label}")
        self.some(self.chance.randrange(1, 5))
        self.lines.append(f"{label}:")

    def loads(self):
        """Several accesses with little between them: which of them faults first?"""
        for _ in range(self.chance.randrange(3, 7)):
            self.chance.choice([self.lds, self.memory])(True)
            if self.chance.random() < 0.2:
                self.vector()

    def loop(self):
        label = f"loop{self.labels}"
        self.labels += 1
        self.say(f"s_movk_i32 s29, {self.chance.randrange(1, 6)}")
        self.lines.append(f"{label}:")
        for _ in range(self.chance.randrange(1, 9)):
            self.chance.choice([self.vector, self.vector, self.vector, self.scalar,
                                self.lds if self.chance.random() < 0.5 and not self.fma else self.vector])()
        if self.astray:
            self.loads()
        self.say("s_sub_u32 s29, s29, 1")
        self.say("s_cmp_lg_u32 s29, 0")
        self.say(f"s_cbranch_scc1 {label}")

    def store_all(self):
        """Row r of the output has a dword of each item."""
        new = self.processor == "gfx1100"
        store = "global_store_b32" if new else "global_store_dword"
        self.say("s_cselect_b32 s28, 1, 0")
        self.say(f"v_lshlrev_b32 v1, 2, {ITEM}")
        add = "v_add_u32" if self.old else "v_add_nc_u32"
        lo, hi = ("vcc_lo", "vcc_hi" if self.lanes == 64 else "0")
        for what in [f"v{n}" for n in range(4, 4 + self.vgprs)] + [f"s{n}" for n in SGPRS] + ["s28", lo, hi, "s29"]:
            if not what.startswith("v") or what.startswith("vcc"):
                self.say(f"v_mov_b32 v2, {what}")
                what = "v2"
            self.say(f"{store} v1, {what}, s[14:15]")
            self.say(f"{add} v1, {4 * ITEMS}, v1")

    def text(self):
        new = self.processor == "gfx1100"
        load = "global_load_b32" if new else "global_load_dword"
        loads = ("s_load_b64", "s_load_b128") if new else ("s_load_dwordx2", "s_load_dwordx4")
        add = "v_add_u32" if self.old else "v_add_nc_u32"
        self.say(f"{loads[1]} s[12:15], s[0:1], 0x0" if new or not self.old else f"{loads[1]} s[12:15], s[0:1], 0x0")
        self.say(f"{loads[0]} s[10:11], s[0:1], 0x10")
        self.say(f"s_mulk_i32 s2, {self.group}")
        self.say(f"{add} {ITEM}, s2, v0")
        self.say(f"v_lshlrev_b32 v1, 2, {ITEM}")
        self.say("s_waitcnt lgkmcnt(0)")
        for n in range(4, 4 + self.vgprs):
            self.say(f"{load} v{n}, v1, s[10:11]")
            self.say(f"{add} v1, {4 * ITEMS}, v1")
        for n in SGPRS:
            self.say(f"s_mov_b32 s{n}, {hex(self.chance.getrandbits(32))}")
        self.say("s_waitcnt vmcnt(0)")
        self.say(f"s_mov_b64 vcc, {self.chance.getrandbits(6)}" if self.lanes == 64 else "s_mov_b32 vcc_lo, 5")
        self.say("s_movk_i32 s29, 0")
        for _ in range(self.chance.randrange(2, 7)):
            self.chance.choice([lambda: self.some(self.chance.choice([4, 12, 40])), self.exec, self.skip, self.loop,
                                self.loads if self.astray else self.loop])()
        if self.lanes == 32:
            self.say("s_mov_b32 exec_lo, -1")
        else:
            self.say("s_mov_b64 exec, -1")
        self.store_all()
        self.say("s_endpgm")
        wave = f"\n  .amdhsa_wavefront_size32 {int(self.lanes == 32)}" if not self.old else ""
        mode = f"\n  .amdhsa_float_denorm_mode_32 {self.chance.choice([0, 3, 3])}\n  .amdhsa_float_round_mode_32 {self.chance.choice([0, 0, 1, 2, 3])}"
        return f""".amdgcn_target "amdgcn-amd-amdhsa--{self.processor}"
.text
.globl k
.p2align 8
.type k,@function
k:
""" + "\n".join(self.lines) + f"""
.size k, .-k
.rodata
.p2align 6
.amdhsa_kernel k
  .amdhsa_group_segment_fixed_size {LDS}
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_next_free_vgpr 64
  .amdhsa_next_free_sgpr 40{wave}{mode}
.end_amdhsa_kernel
.amdgpu_metadata
---
amdhsa.version: [1, 1]
amdhsa.kernels:
  - .name: k
    .symbol: k.kd
    .kernarg_segment_size: 24
    .group_segment_fixed_size: {LDS}
    .private_segment_fixed_size: 0
    .kernarg_segment_align: 8
    .wavefront_size: {self.lanes}
    .sgpr_count: 40
    .vgpr_count: 64
    .max_flat_workgroup_size: 1024
    .args:
      - {{.size: 8, .offset: 0, .value_kind: global_buffer, .address_space: global}}
      - {{.size: 8, .offset: 8, .value_kind: global_buffer, .address_space: global}}
      - {{.size: 8, .offset: 16, .value_kind: global_buffer, .address_space: global}}
...
.end_amdgpu_metadata
"""


def inputs(kernel):
    chance = random.Random(kernel.seed + 1)
    if kernel.floats:
        values = [struct.unpack("<I", struct.pack("<f", chance.choice([chance.uniform(-4, 4), chance.uniform(-1, 1) * 2.0 ** chance.randrange(-140, 60), 0.0, 1.0])))[0]
                  for _ in range(kernel.vgprs * ITEMS)]
    else:
        values = [chance.choice([chance.getrandbits(32), chance.getrandbits(5), 0, 0xffffffff]) for _ in range(kernel.vgprs * ITEMS)]
    return struct.pack(f"<{len(values)}I", *values)


def assemble(kernel, source, code_object):
    """None, or what the assembler said."""
    made = source[:-1] + "o"
    attribute = [] if kernel.old else [f"-mattr=+wavefrontsize{kernel.lanes}"]
    for command in ([OFFGRID, "as", f"-mcpu={kernel.processor}", *attribute, source, "-o", made], [OFFGRID, "ld", made, "-o", code_object]):
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            return done.stderr
    return None


def run(path, code_object, kernel, folder, tier, level):
    output, changed = os.path.join(folder, "out"), os.path.join(folder, "memory")
    with open(changed, "wb") as file:
        file.write(bytes(i * 37 & 255 for i in range(2048)))
    for name in (output,):
        if os.path.exists(name):
            os.remove(name)
    done = subprocess.run([OFFGRID, "run", code_object, "--kernel", "k", "--grid", str(ITEMS), "--group", str(kernel.group), "--arg", f"inout:{changed}",
                           "--arg", f"out:{output}:{4 * kernel.rows * ITEMS}", "--arg", f"in:{path}"], capture_output=True, text=True,
                          env=dict(os.environ, OFFGRID_COMPILE=tier, OFFGRID_HOST=level), check=False, timeout=60)
    result = b"".join(open(name, "rb").read() for name in (output, changed) if os.path.exists(name))
    return done.returncode, re.sub(NEIGHBOURS, "", done.stderr), result


def main():
    failures = refused = faults = 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(FIRST, FIRST + COUNT):
            kernel = Kernel(seed)
            source, path = os.path.join(folder, "k.s"), os.path.join(folder, "in")
            with open(source, "w", encoding="utf-8") as file:
                file.write(kernel.text())
            with open(path, "wb") as file:
                file.write(inputs(kernel))
            level = "avx512" if seed % 2 else "avx2"
            code_object = os.path.join(folder, "k.co")
            messages = assemble(kernel, source, code_object)
            if messages:
                refused += 1
                print(seed, messages[:400])
                continue
            plain = run(path, code_object, kernel, folder, "0", level)
            faults += kernel.astray and plain[0] != 0
            if plain[0] != 0 and not kernel.astray:
                print(seed, plain[1][:300])
                refused += 1
            compiled = run(path, code_object, kernel, folder, "always", level)
            if plain != compiled:
                failures += 1
                with open(f"/tmp/tier_{seed}.s", "w", encoding="utf-8") as file:
                    file.write(kernel.text())
                a, b = plain[2], compiled[2]
                at = [i // 4 for i in range(0, min(len(a), len(b)), 4) if a[i:i + 4] != b[i:i + 4]]
                print(f"seed {seed}, {kernel.processor}, {kernel.lanes} lanes, {level}: differ: exit {plain[0]} and {compiled[0]}",
                      [(i // ITEMS, i % ITEMS) for i in at[:6]], len(at), plain[1][:300], compiled[1][:300])
                if failures == 10:
                    break
    print(f"{COUNT} kernels from seed {FIRST}: {failures} differ, {refused} refused, {faults} end in faults")
    sys.exit(1 if failures or refused > COUNT // 20 else 0)


if __name__ == "__main__":
    main()
