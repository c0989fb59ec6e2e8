// --timeout and an interrupt end whatever a kernel does; `timeout` is here in case they do not.
// RUN: %offgrid as -mcpu=gfx900 %s -o %t.o && %offgrid ld %t.o -o %t.co
// RUN: sh -c 'for k in loop barrier sleep sethalt poll; do for s in round-robin random; do for t in 1 2; do echo "== $k $s $t"; timeout -k 1 30 %offgrid run %t.co --kernel $k --grid 256 --group 128 --arg buf:8 --timeout 0.2 --schedule=$s --threads $t 2>&1; done; done; done; true' | FileCheck %s
// CHECK: == loop round-robin 1
// CHECK-NEXT: error: kernel 'loop': still running after 0.2 seconds (--timeout), at loop+0x
// CHECK: == loop round-robin 2
// CHECK-NEXT: error: kernel 'loop': still running after 0.2 seconds (--timeout), at loop+0x
// CHECK: == loop random 1
// CHECK-NEXT: error: kernel 'loop': still running after 0.2 seconds (--timeout), at loop+0x
// CHECK: == loop random 2
// CHECK-NEXT: error: kernel 'loop': still running after 0.2 seconds (--timeout), at loop+0x
// CHECK-COUNT-4: error: kernel 'barrier': still running after 0.2 seconds (--timeout), at barrier+0x
// CHECK-COUNT-4: error: kernel 'sleep': still running after 0.2 seconds (--timeout), at sleep+0x
// CHECK-COUNT-4: error: kernel 'sethalt': the wave halts itself, and nothing would wake it, at sethalt+0x
// CHECK-COUNT-4: error: kernel 'poll': still running after 0.2 seconds (--timeout), at poll+0x

// 2^32 - 1 work-groups that end at once, in both orders; a billion dispatches of one; code without a branch.
// RUN: %not timeout -k 1 30 %offgrid run %t.co --kernel short --grid 4294967295 --group 1 --timeout 0.2 2>&1 | FileCheck --check-prefix=SHORT %s
// RUN: %not timeout -k 1 30 %offgrid run %t.co --kernel short --grid 4294967295 --group 1 --timeout 0.2 --schedule=random 2>&1 | FileCheck --check-prefix=SHORT %s
// RUN: %not timeout -k 1 30 %offgrid run %t.co --kernel short --grid 1 --group 1 --timeout 0.2 --repeat 1000000000 2>&1 | FileCheck --check-prefix=SHORT %s
// SHORT: error: kernel 'short': still running after 0.2 seconds (--timeout)
// RUN: %not timeout -k 1 30 %offgrid run %t.co --kernel long --grid 65536 --group 64 --timeout 0.2 2>&1 | FileCheck --check-prefix=LONG %s
// LONG: error: kernel 'long': still running after 0.2 seconds (--timeout){{$|, at long\+0x}}
// More work-groups than any processor counts.
// RUN: %not timeout -k 1 30 %offgrid run %t.co --kernel short --grid 4294967295,4294967295,4294967295 --group 1 --timeout 0.2 2>&1 | FileCheck --check-prefix=COUNT %s
// COUNT: error: kernel 'short': grid of 4294967295x4294967295x4294967295 work-groups; at most 2^32 - 1 are possible

// RUN: %not timeout -s INT -k 30 2 %offgrid run %t.co --kernel barrier --grid 256 --group 128 --arg buf:8 2>&1 | FileCheck --check-prefix=INT %s
// RUN: %not timeout -s INT -k 30 2 %offgrid run %t.co --kernel short --grid 1 --group 1 --repeat 1000000000 2>&1 | FileCheck --check-prefix=INT %s
// INT: error: kernel '{{barrier|short}}': interrupted

.amdgcn_target "amdgcn-amd-amdhsa--gfx900"
.macro kernel name
.text
.globl \name
.p2align 8
.type \name,@function
\name:
.endm
.macro end name
  s_endpgm
.L\name:
.size \name, .L\name-\name
.rodata
.p2align 6
.amdhsa_kernel \name
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_next_free_vgpr 4
  .amdhsa_next_free_sgpr 16
.end_amdhsa_kernel
.endm

kernel short
end short

kernel loop
  s_branch loop
end loop

kernel barrier
  s_barrier
  s_branch barrier
end barrier

kernel sleep
  s_sleep 127
  s_branch sleep
end sleep

kernel sethalt
  s_sethalt 1
  s_branch sethalt
end sethalt

kernel poll
  v_mov_b32 v1, 0
.Lagain:
  s_load_dword s2, s[0:1], 0x0
  s_waitcnt lgkmcnt(0)
  s_cmp_eq_u32 s2, 1
  s_cbranch_scc0 .Lagain
end poll

kernel long
.rept 200000
  v_sqrt_f64 v[0:1], v[0:1]
.endr
end long
