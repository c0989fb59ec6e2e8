// A counted wait that leaves the second load outstanding: found with the path, also where the way leads round a loop.
// RUN: %offgrid as -mcpu=gfx900 -g %s -o %t.o
// RUN: not %offgrid lint --waits %t.o 2>&1 | FileCheck %s
// RUN: not %offgrid lint --waits=why %t.o 2>&1 | FileCheck --check-prefix=WHY %s

// CHECK: error: 'v_add_u32_e32 v3, v2, v3' at early+0x18 (waits-loop.s:24) reads v2 while 'global_load_dword v2, v0, s[0:1] offset:4' at early+0xc (waits-loop.s:22) still fills it [OG501]
// CHECK: note: path: early+0xc, early+0x18; waiting for vmcnt(0) there would do
// CHECK: error: 'v_mov_b32_e32 v1, 0' at round+0x8 (waits-loop.s:35) writes v1 while 'global_load_dword v1, v0, s[0:1]' at round+0xc (waits-loop.s:36) still fills it [OG502]
// CHECK: note: path: round+0xc, branch at round+0x14 to round+0x8, round+0x8; waiting for vmcnt(0) there would do
// CHECK-NOT: error

// WHY: 0x0 early+0x0 vmcnt(0): needed: {{.*}} which an operation of its caller holds
// WHY: early+0x0 expcnt(0): redundant: nothing is outstanding on any path
// WHY: early+0x14 vmcnt(1): redundant: what 'global_load_dword v1, v0, s[0:1]' at early+0x4 (waits-loop.s:21) fills is not touched before 's_waitcnt vmcnt(0)' at early+0x1c (waits-loop.s:25) ends it
// WHY: early+0x1c vmcnt(0): needed: 's_setpc_b64 s[30:31]' at early+0x20 (waits-loop.s:26) returns, which 'global_load_dword v2
// WHY: round+0x18 vmcnt(0): needed: 's_setpc_b64 s[30:31]'

.type early,@function
early:
  s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
  global_load_dword v1, v0, s[0:1]
  global_load_dword v2, v0, s[0:1] offset:4
  s_waitcnt vmcnt(1)
  v_add_u32_e32 v3, v2, v3
  s_waitcnt vmcnt(0)
  s_setpc_b64 s[30:31]
.Learly:
  .size early, .Learly-early

.type round,@function
round:
  s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
  s_mov_b32 s0, s1
.Lagain:
  v_mov_b32_e32 v1, 0
  global_load_dword v1, v0, s[0:1]
  s_cbranch_scc1 .Lagain
  s_waitcnt vmcnt(0)
  s_setpc_b64 s[30:31]
.Lround:
  .size round, .Lround-round
