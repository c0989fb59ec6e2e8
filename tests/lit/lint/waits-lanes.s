// The parts of a condition have different lanes of one register: the else part needs no wait for what the then part
// issued.
// RUN: %offgrid as -mcpu=gfx900 -g %s -o %t.o
// RUN: not %offgrid lint --waits %t.o 2>&1 | FileCheck %s

// CHECK-NOT: else_
// CHECK: error: 'v_mov_b32_e32 v1, 0' at all_on_again+0x18 (waits-lanes.s:49) writes v1 while 'global_load_dword v1, v0, s[0:1]' at all_on_again+0x8
// CHECK: error: 'v_readlane_b32 s4, v1, 5' at other_lanes+0x14 (waits-lanes.s:60) reads v1 while
// CHECK: error: 'v_mov_b32_e32 v1, 0' at narrower+0x14 (waits-lanes.s:71) writes v1 while
// CHECK-NOT: error

.macro begin
  s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
  s_and_saveexec_b64 s[2:3], vcc
.endm

.type else_part,@function
else_part:
  begin
  global_load_dword v1, v0, s[0:1]
  s_andn2_b64 exec, s[2:3], exec
  v_mov_b32_e32 v1, 0
  s_and_b64 exec, exec, s[6:7]
  v_add_u32_e32 v2, v1, v1
  s_mov_b64 exec, s[2:3]
  s_waitcnt vmcnt(0)
  s_setpc_b64 s[30:31]
.Lelse_part:
  .size else_part, .Lelse_part-else_part

.type else_saves,@function
else_saves:
  begin
  global_load_dword v1, v0, s[0:1]
  s_andn2_saveexec_b64 s[2:3], s[2:3]
  v_cmpx_eq_u32_e32 vcc, v0, v2
  v_mov_b32_e32 v1, 0
  s_waitcnt vmcnt(0)
  s_setpc_b64 s[30:31]
.Lelse_saves:
  .size else_saves, .Lelse_saves-else_saves

.type all_on_again,@function
all_on_again:
  begin
  global_load_dword v1, v0, s[0:1]
  s_andn2_b64 exec, s[2:3], exec
  s_mov_b64 exec, s[2:3]
  v_mov_b32_e32 v1, 0
  s_waitcnt vmcnt(0)
  s_setpc_b64 s[30:31]
.Lall_on_again:
  .size all_on_again, .Lall_on_again-all_on_again

.type other_lanes,@function
other_lanes:
  begin
  global_load_dword v1, v0, s[0:1]
  s_andn2_b64 exec, s[2:3], exec
  v_readlane_b32 s4, v1, 5
  s_waitcnt vmcnt(0)
  s_setpc_b64 s[30:31]
.Lother_lanes:
  .size other_lanes, .Lother_lanes-other_lanes

.type narrower,@function
narrower:
  begin
  global_load_dword v1, v0, s[0:1]
  s_and_b64 exec, exec, s[6:7]
  v_mov_b32_e32 v1, 0
  s_waitcnt vmcnt(0)
  s_setpc_b64 s[30:31]
.Lnarrower:
  .size narrower, .Lnarrower-narrower
