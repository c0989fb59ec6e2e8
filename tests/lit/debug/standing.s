// A run that is ended says where its waves stand.
// RUN: %not %offgrid run %s --kernel endless --grid 512 --group 256 --timeout 0.2 2>&1 | FileCheck %s
// CHECK: error: kernel 'endless': still running after 0.2 seconds (--timeout), at endless+
// CHECK-NEXT: note: 4 waves running at endless+{{0x8|0xc}} 's_{{.*}}' (the first: work-group 0,0,0, wave 0)
// CHECK-NEXT: note: 12 waves waiting at a barrier before endless+0x18 's_endpgm' (the first: work-group 0,0,0, wave 2)

// So does one that waits for itself, and the debugger stops there.
// RUN: %offgrid debug %s --kernel stuck --grid 64 --group 64 --batch -ex run -ex 'info waves' -ex continue | FileCheck --check-prefix=STUCK %s
// STUCK: Fault: waits at a barrier as all waves of its work-group do
// STUCK: wave 0.0 {{.*}} at stuck+0x8 {{.*}}, at a barrier
// STUCK: * 0.0      at a barrier  ffffffff         stuck+0x8
// STUCK: 0.1      at a barrier  ffffffff         stuck+0x8
// STUCK: The dispatch has ended: waits at a barrier
.amdgcn_target "amdgcn-amd-amdhsa--gfx1200"
.text
.globl endless
.p2align 8
.type endless,@function
endless:
  v_cmp_gt_u32_e32 vcc_lo, 64, v0
  s_cbranch_vccz wait
again:
  s_add_co_u32 s0, s0, 1
  s_branch again
wait:
  s_barrier_signal -1
  s_barrier_wait -1
  s_endpgm
.p2align 8
.globl stuck
.type stuck,@function
stuck:
  s_nop 0
  s_barrier_wait -1
  s_endpgm

.section .rodata,"a",@progbits
.p2align 6
.amdhsa_kernel endless
  .amdhsa_next_free_vgpr 1
  .amdhsa_next_free_sgpr 8
  .amdhsa_wavefront_size32 1
.end_amdhsa_kernel
.p2align 6
.amdhsa_kernel stuck
  .amdhsa_next_free_vgpr 1
  .amdhsa_next_free_sgpr 8
  .amdhsa_wavefront_size32 1
.end_amdhsa_kernel
