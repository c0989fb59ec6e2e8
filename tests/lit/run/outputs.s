// Outputs are opened before the kernel runs, come to their place when it has come to its end, and leave nothing
// otherwise: not after a fault, not after a kill. Symbolic links stay.
// RUN: rm -rf %t && mkdir %t && cd %t && %offgrid as -mcpu=gfx900 %s -o k.o && %offgrid ld k.o -o k.co

// RUN: cd %t && echo old > real && ln -s real link && mkdir deep && ln -s deep/new dangling
// RUN: cd %t && %offgrid run k.co --kernel store --grid 1 --group 1 --arg out:link:4 && %offgrid run k.co --kernel store --grid 1 --group 1 --arg out:dangling:4
// RUN: cd %t && readlink link dangling | FileCheck --check-prefix=LINKS %s && od -An -td4 real deep/new | FileCheck --check-prefix=VALUES %s
// LINKS: real
// LINKS-NEXT: deep/new
// VALUES: 7 7
// The same of every verb that writes.
// RUN: cd %t && ln -s assembled a && %offgrid as -mcpu=gfx900 %s -o a && ln -s linked l && %offgrid ld a -o l && readlink a l | FileCheck --check-prefix=TOOLS %s && cmp assembled k.o && cmp linked k.co
// TOOLS: assembled
// TOOLS-NEXT: linked

// RUN: cd %t && ls > %t.before && %not %offgrid run k.co --kernel fault --grid 1 --group 1 --arg out:none:4 && %not %offgrid run k.co --kernel fault --grid 1 --group 1 --arg out:real:4 && ls > %t.after && cmp %t.before %t.after
// RUN: cd %t && od -An -td4 real | FileCheck --check-prefix=KEPT %s
// KEPT: 7
// A place that cannot be written is known before the kernel runs for long.
// RUN: cd %t && %not %offgrid run k.co --kernel spin --grid 1 --group 1 --arg out:nowhere/x:4 2>&1 | FileCheck --check-prefix=NOWHERE %s
// NOWHERE: nowhere/x: error: cannot write: No such file or directory
// RUN: cd %t && sh -c '%offgrid run k.co --kernel spin --grid 1 --group 1 --arg out:killed:4 & for i in $(seq 500); do ps -o pid= --ppid $! | grep -q . && break; sleep 0.01; done; kill -9 $!; for i in $(seq 500); do ls | grep -q killed || exit 0; sleep 0.01; done; exit 1'

// With and without the sandbox, and what is no file.
// RUN: cd %t && %offgrid run k.co --kernel store --grid 1 --group 1 --no-sandbox --arg out:plain:4 && cmp plain real
// RUN: cd %t && %offgrid run k.co --kernel store --grid 1 --group 1 --arg out:/dev/stdout:4 | cmp - real
// RUN: cd %t && %offgrid run k.co --kernel store --grid 1 --group 1 --arg out:one:4 --trace=two --threads 1 && FileCheck --check-prefix=TRACE %s < two
// TRACE: s_load_dwordx2

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
kernel store
  s_load_dwordx2 s[2:3], s[0:1], 0x0
  v_mov_b32 v0, 0
  v_mov_b32 v1, 7
  s_waitcnt lgkmcnt(0)
  global_store_dword v0, v1, s[2:3]
  s_waitcnt vmcnt(0)
end store
kernel fault
  s_trap 2
end fault
kernel spin
  s_branch spin
end spin
