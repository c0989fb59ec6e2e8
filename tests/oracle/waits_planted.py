#!/usr/bin/env python3
"""Short functions whose waits are right or wrong by a hair, for each counter and order of each generation: `offgrid lint
--waits` must find the one and be silent about the other.

usage: waits_planted.py OFFGRID
"""
import os
import re
import subprocess
import sys
import tempfile

OFFGRID = os.path.abspath(sys.argv[1])
GFX9, GFX10, GFX12 = ("gfx700", "gfx803", "gfx900", "gfx90a", "gfx942"), ("gfx1010", "gfx1030", "gfx1100"), ("gfx1200", "gfx1250")
ENTRY = {**{p: ["s_waitcnt 0"] for p in ("gfx600",) + GFX9 + GFX10},
         "gfx1200": ["s_wait_loadcnt_dscnt 0", "s_wait_samplecnt 0", "s_wait_bvhcnt 0", "s_wait_kmcnt 0"],
         "gfx1250": ["s_wait_loadcnt_dscnt 0", "s_wait_kmcnt 0"]}
LOAD, STORE = "buffer_load_dword {0}, off, s[0:3], 0", "buffer_store_dword {0}, off, s[0:3], 0"
LOAD12, STORE12 = "buffer_load_b32 {0}, off, s[0:3], null", "buffer_store_b32 {0}, off, s[0:3], null"
USE = "v_mov_b32 v9, {0}"
LDS, SCALAR, FLAT = "ds_read_b32 {0}, v8", "s_load_dword {0}, s[0:1], 0x0", "flat_load_dword {0}, v[6:7]"
SAMPLE = "image_sample {0}, v[6:7], s[8:15], s[16:19] dmask:0x1"
SAMPLE10 = "image_sample {0}, v[6:7], s[8:15], s[16:19] dmask:0x1 dim:SQ_RSRC_IMG_2D"

# (what is told, processors, code, the finding or None)
GCC = ['.section .comment', '.asciz "GCC: (GNU) 12.2.0"', ".text"]
CASES = [
    ("a load's result is read too soon", ("gfx600",) + GFX9 + GFX10,
     [LOAD.format("v1"), LOAD.format("v2"), "s_waitcnt vmcnt(1)", USE.format("v2")], "OG501"),
    ("a counted wait is enough for the first", ("gfx600",) + GFX9 + GFX10,
     [LOAD.format("v1"), LOAD.format("v2"), "s_waitcnt vmcnt(1)", USE.format("v1")], None),
    ("stores count beside loads", ("gfx600",) + GFX9, [LOAD.format("v1"), STORE.format("v2"), "s_waitcnt vmcnt(1)", USE.format("v1")],
     None),
    ("stores have a counter of their own", GFX10,
     [LOAD.format("v1"), STORE.format("v2"), "s_waitcnt vmcnt(1)", USE.format("v1")], "OG501"),
    ("stores have a counter of their own on gfx12", GFX12,
     [LOAD12.format("v1"), STORE12.format("v2"), "s_wait_loadcnt 1", USE.format("v1")], "OG501"),
    ("vscnt says nothing of loads", GFX10, [LOAD.format("v1"), "s_waitcnt_vscnt null, 0", USE.format("v1")], "OG501"),
    ("s_waitcnt_vmcnt waits, too", GFX10, [LOAD.format("v1"), "s_waitcnt_vmcnt null, 0", USE.format("v1")], None),
    ("data of stores are read late on gfx6", ("gfx600",), [STORE.format("v1"), "v_mov_b32 v1, 0"], "OG503"),
    ("expcnt tells that they have been read", ("gfx600",), [STORE.format("v1"), "s_waitcnt expcnt(0)", "v_mov_b32 v1, 0"], None),
    ("so does the store's end", ("gfx600",), [STORE.format("v1"), "s_waitcnt vmcnt(0)", "v_mov_b32 v1, 0"], None),
    ("later generations read them at once", GFX9 + GFX10, [STORE.format("v1"), "v_mov_b32 v1, 0"], None),
    ("LDS returns in order", GFX9 + GFX10,
     [LDS.format("v1"), LDS.format("v2"), "s_waitcnt lgkmcnt(1)", USE.format("v1")], None),
    ("scalar loads beside it overtake", GFX9 + GFX10,
     [LDS.format("v1"), SCALAR.format("s4"), "s_waitcnt lgkmcnt(1)", USE.format("v1")], "OG501"),
    ("scalar loads overtake one another", GFX9 + GFX10,
     [SCALAR.format("s4"), SCALAR.format("s5"), "s_waitcnt lgkmcnt(1)", "s_mov_b32 s6, s4"], "OG501"),
    ("scalar loads have a counter of their own", GFX12,
     ["ds_load_b32 v1, v8", "s_load_b32 s4, s[0:1], 0x0", "s_wait_dscnt 0", USE.format("v1")], None),
    ("and dscnt does not tell of them", GFX12,
     ["s_load_b32 s4, s[0:1], 0x0", "s_wait_dscnt 0", "s_mov_b32 s5, s4"], "OG501"),
    ("a flat load needs both counters on gfx9: vmcnt is missing", ("gfx900", "gfx90a", "gfx942"),
     [FLAT.format("v1"), "s_waitcnt lgkmcnt(0)", USE.format("v1")], "OG501"),
    ("a flat load needs both counters on gfx9: lgkmcnt is missing", ("gfx900", "gfx90a", "gfx942") + GFX10,
     [FLAT.format("v1"), "s_waitcnt vmcnt(0)", USE.format("v1")], "OG501"),
    ("gfx7 and gfx8 load globals with flat", ("gfx700", "gfx803"), [FLAT.format("v1"), "s_waitcnt vmcnt(0)", USE.format("v1")], None),
    ("flat overtakes other loads on gfx9", ("gfx900", "gfx90a", "gfx942"),
     [LOAD.format("v1"), FLAT.format("v2"), "s_waitcnt vmcnt(1)", USE.format("v1")], "OG501"),
    ("and does not from gfx10 on", GFX10, [LOAD.format("v1"), FLAT.format("v2"), "s_waitcnt vmcnt(1)", USE.format("v1")], None),
    ("loads fill the same register in order", GFX9 + GFX10, [LOAD.format("v1"), LOAD.format("v1"), "s_waitcnt vmcnt(0)"], None),
    ("on gfx12 they do not", GFX12, [LOAD12.format("v1"), LOAD12.format("v1"), "s_wait_loadcnt 0"], "OG502"),
    ("a sample and a load fill it in any order", ("gfx1030", "gfx1100"),
     [LOAD.format("v1"), SAMPLE10.format("v1"), "s_waitcnt vmcnt(0)"], "OG502"),
    ("but are told of in order", ("gfx1030", "gfx1100"),
     [LOAD.format("v1"), SAMPLE10.format("v2"), "s_waitcnt vmcnt(1)", USE.format("v1")], None),
    ("samples have a counter of their own", ("gfx1200",),
     ["image_sample v1, [v6, v7], s[8:15], s[16:19] dmask:0x1 dim:SQ_RSRC_IMG_2D", "s_wait_loadcnt 0", USE.format("v1")], "OG501"),
    ("samplecnt", ("gfx1200",),
     ["image_sample v1, [v6, v7], s[8:15], s[16:19] dmask:0x1 dim:SQ_RSRC_IMG_2D", "s_wait_samplecnt 0", USE.format("v1")], None),
    ("a result is overwritten while it is filled", GFX9 + GFX10, [LOAD.format("v1"), "v_mov_b32 v1, 0", "s_waitcnt vmcnt(0)"], "OG502"),
    ("a load's address may be overwritten", GFX9 + GFX10, [LDS.format("v1"), "v_mov_b32 v8, 0", "s_waitcnt lgkmcnt(0)"], None),
    ("but for gfx1250's", ("gfx1250",), ["global_load_b32 v1, v[6:7], off", "v_mov_b32 v6, 0", "s_wait_loadcnt 0"], "OG503"),
    ("where xcnt tells of it", ("gfx1250",),
     ["global_load_b32 v1, v[6:7], off", "s_wait_xcnt 0", "v_mov_b32 v6, 0", "s_wait_loadcnt 0"], None),
    ("a later load's end tells of it, too", ("gfx1250",),
     ["global_store_b32 v[6:7], v1, off", "global_load_b32 v2, v[4:5], off", "s_wait_loadcnt 0", "v_mov_b32 v6, 0"], None),
    ("the other half of a register may be read", ("gfx900",),
     ["buffer_load_short_d16_hi v1, off, s[0:3], 0", "v_mov_b32_sdwa v2, v1 dst_sel:DWORD src0_sel:WORD_0", "s_waitcnt vmcnt(0)"],
     None),
    ("this half may not", ("gfx900",),
     ["buffer_load_short_d16_hi v1, off, s[0:3], 0", "v_mov_b32_sdwa v2, v1 dst_sel:DWORD src0_sel:WORD_1", "s_waitcnt vmcnt(0)"],
     "OG501"),
    ("halves are loaded in order", ("gfx900",),
     ["buffer_load_short_d16 v1, off, s[0:3], 0", "buffer_load_short_d16_hi v1, off, s[0:3], 0", "s_waitcnt vmcnt(0)"], None),
    ("a counter that is full tells of the oldest", ("gfx803",),
     [LOAD.format("v1")] + [STORE.format("v2")] * 15 + [USE.format("v1")], None),
    ("and one before that does not", ("gfx803",),
     [LOAD.format("v1")] + [STORE.format("v2")] * 14 + [USE.format("v1"), "s_waitcnt vmcnt(0)"], "OG501"),
    ("a branch leads past the wait", GFX9 + GFX10,
     [LOAD.format("v1"), "s_cbranch_scc0 .Lpast", "s_waitcnt vmcnt(0)", ".Lpast:", USE.format("v1"), "s_waitcnt vmcnt(0)"],
     "OG501"),
    ("a function returns too soon", GFX9 + GFX10, [LOAD.format("v1"), "s_setpc_b64 s[30:31]"], "OG504"),
    ("stores may be outstanding then", GFX9 + GFX10, [STORE.format("v1"), "s_setpc_b64 s[30:31]"], None),
    ("what is called waits", ("gfx900",), [LOAD.format("v1"), "s_swappc_b64 s[30:31], s[4:5]", USE.format("v1")], None),
    ("but of GCC's code who calls", ("gfx900",), GCC + [LOAD.format("v1"), "s_swappc_b64 s[18:19], s[4:5]", USE.format("v1")], "OG504"),
    ("and so it does", ("gfx900",), GCC + [LOAD.format("v1"), "s_waitcnt vmcnt(0)", "s_swappc_b64 s[18:19], s[4:5]", USE.format("v1")], None),
    ("two waits, each for one of the counters", ("gfx900",),
     [FLAT.format("v1"), "s_waitcnt lgkmcnt(0)", "s_waitcnt vmcnt(0)", USE.format("v1")], None),
    ("a message's answer", ("gfx1100",), ["s_sendmsg_rtn_b32 s4, sendmsg(MSG_RTN_GET_DOORBELL)", "s_mov_b32 s5, s4"], "OG501"),
    ("s_wait_idle waits for all", ("gfx1100",), [LOAD.format("v1"), "s_wait_idle", USE.format("v1")], None),
    ("a parameter from LDS", ("gfx1100",), ["lds_param_load v1, attr0.x", USE.format("v1")], "OG501"),
    ("whose wait is in the instruction", ("gfx1100",),
     ["lds_param_load v1, attr0.x", "v_interp_p10_f32 v2, v1, v3, v1 wait_exp:0"], None),
    ("exports read late", ("gfx900", "gfx1030"), ["exp mrt0 v1, v1, v1, v1 done vm", "v_mov_b32 v1, 0"], "OG503"),
]


def lint(folder, processor, code):
    source, made = os.path.join(folder, "case.s"), os.path.join(folder, "case.o")
    lines = [".type f,@function", "f:", *ENTRY[processor], *code, "s_endpgm", ".Lend:", ".size f, .Lend-f"]
    with open(source, "w", encoding="utf-8") as out:
        out.write("\n".join(lines) + "\n")
    done = subprocess.run([OFFGRID, "as", "-mcpu=" + processor, source, "-o", made], capture_output=True, text=True, check=False)
    if done.returncode:
        return done.stderr
    return subprocess.run([OFFGRID, "lint", "--waits", made], capture_output=True, text=True, check=False).stderr


def main():
    failed = count = 0
    with tempfile.TemporaryDirectory() as folder:
        for told, processors, code, wanted in CASES:
            for processor in processors:
                count += 1
                text = lint(folder, processor, code)
                codes = re.findall(r"\[(OG\d+)\]", text)
                if codes != ([wanted] if wanted else []) or (not wanted and text):
                    failed += 1
                    print(f"{told} ({processor}): wanted {wanted}, got {codes}: {text[:400]}")
    print(f"{count} cases, {failed} failed")
    sys.exit(bool(failed))


main()
