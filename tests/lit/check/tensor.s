// Tiles of tensors between memory and LDS (gfx1250): LDS that a transfer still fills or reads, between waves, too; LDS behind what
// the work-group has; values and descriptors that nothing has defined. The right code has no finding.
// RUN: %offgrid as %s -o %t.o
// RUN: %offgrid ld %t.o -o %t.co
// RUN: %offgrid check %t.co --kernel right --grid 64 --group 64 --arg buf:256 --arg buf:256 2>&1 | count 0
// RUN: not %offgrid check %t.co --kernel unwaited --grid 32 --group 32 --arg buf:256 --arg buf:256 2>&1 | FileCheck --check-prefix=UNWAITED %s
// RUN: not %offgrid check %t.co --kernel overwritten --grid 32 --group 32 --arg buf:256 --arg buf:256 2>&1 | FileCheck --check-prefix=OVERWRITTEN %s
// RUN: not %offgrid check %t.co --kernel unwaited_waves --grid 64 --group 64 --arg buf:256 --arg buf:256 2>&1 | FileCheck --check-prefix=WAVES %s
// RUN: not %offgrid check %t.co --kernel beyond --grid 32 --group 32 --arg buf:256 --arg buf:256 2>&1 | FileCheck --check-prefix=BEYOND %s
// RUN: not %offgrid check %t.co --kernel undefined_values --grid 32 --group 32 --arg buf:256 --arg buf:256 2>&1 | FileCheck --check-prefix=VALUES %s
// RUN: not %offgrid check %t.co --kernel undefined_place --grid 32 --group 32 --arg buf:256 --arg buf:256 2>&1 | FileCheck --check-prefix=PLACE %s
// RUN: not %offgrid check %t.co --kernel memory --grid 32 --group 32 --arg buf:64 --arg buf:256 2>&1 | FileCheck --check-prefix=MEMORY %s

// UNWAITED: error: kernel 'unwaited': {{.*}}'ds_load_b32 v2, v1' reads 0x0 of LDS while unwaited+{{.*}} 'tensor_load_to_lds s[8:11], s[12:19]' still fills it; waiting for tensorcnt(0) before would do (work-group 0,0,0, wave 0, lane 0{{.*}}) [async]
// UNWAITED-NOT: error
// OVERWRITTEN: error: kernel 'overwritten': {{.*}}'ds_store_b32 v1, v3' writes 0x0 of LDS while overwritten+{{.*}} 'tensor_store_from_lds s[8:11], s[12:19]' has still to read it; waiting for tensorcnt(0) before would do (work-group 0,0,0, wave 0, lane 0{{.*}}) [async]
// OVERWRITTEN-NOT: error
// WAVES: error: kernel 'unwaited_waves': {{.*}} 4 bytes at 0x0 of LDS while unwaited_waves+{{.*}}, and nothing orders them (work-group 0,0,0, wave {{.*}}) [races]
// WAVES-NOT: error
// BEYOND: error: kernel 'beyond': {{.*}}'tensor_load_to_lds s[8:11], s[12:19]' writes 4 bytes at 0x100 of LDS, of which the work-group has 256 bytes (work-group 0,0,0, wave 0, lane 0; 8 times) [bounds]
// BEYOND-NOT: error
// VALUES: error: kernel 'undefined_values': {{.*}}'tensor_store_from_lds s[8:11], s[12:19]' writes 0x40 of LDS to global memory, a value that nothing has defined (work-group 0,0,0, wave 0, lane 0; 16 times) [uninit]
// VALUES-NOT: error
// PLACE: error: kernel 'undefined_place': {{.*}}'tensor_load_to_lds s[8:11], s[12:19]' goes to an address that nothing has defined: it comes from s30, which was never written (work-group 0,0,0, wave 0) [uninit]
// PLACE-NOT: error
// MEMORY: error: kernel 'memory': {{.*}}'tensor_load_to_lds s[8:11], s[12:19]' faults: {{.*}} [bounds]

.amdgcn_target "amdgcn-amd-amdhsa--gfx1250"
// A tile of 32 dwords, in one row, from s[0:1] (in) or to s[2:3] (out), at `place` in LDS.
.macro begin
  s_load_b128 s[0:3], s[0:1], 0x0
  v_lshlrev_b32 v1, 2, v0
  v_mov_b32 v3, 7
  s_wait_kmcnt 0x0
.endm
.macro tile place, low, high, count=32
  s_mov_b32 s8, 1
  s_mov_b32 s9, \place
  s_mov_b32 s10, \low
  s_mov_b32 s11, \high
  s_bitset1_b32 s11, 31
  s_mov_b32 s12, 0x20000
  s_mov_b32 s13, \count << 16
  s_mov_b32 s14, 1 << 16
  s_mov_b32 s15, \count << 16
  s_mov_b32 s16, 1
  s_mov_b32 s17, \count
  s_mov_b32 s18, 0
  s_mov_b32 s19, 0
.endm
.macro kernel name
.globl \name
.p2align 8
.type \name,@function
\name:
.endm
.text
kernel right
  begin
  v_cmp_eq_u32 vcc_lo, 0, v0
  v_readfirstlane_b32 s20, v0
  s_cmp_lg_u32 s20, 0
  s_cbranch_scc1 .Lwaits
  tile 0, s0, s1
  tensor_load_to_lds s[8:11], s[12:19]
  s_wait_tensorcnt 0x0
.Lwaits:
  s_barrier_signal -1
  s_barrier_wait -1
  v_and_b32 v1, 0x7c, v1
  ds_load_b32 v2, v1
  s_wait_dscnt 0x0
  s_barrier_signal -1
  s_barrier_wait -1
  s_cmp_lg_u32 s20, 0
  s_cbranch_scc1 .Lends
  tile 0, s2, s3
  tensor_store_from_lds s[8:11], s[12:19]
  s_wait_tensorcnt 0x0
  ds_store_b32 v1, v2
.Lends:
  s_endpgm
kernel unwaited
  begin
  tile 0, s0, s1
  tensor_load_to_lds s[8:11], s[12:19]
  ds_load_b32 v2, v1
  s_wait_tensorcnt 0x0
  s_wait_dscnt 0x0
  s_endpgm
kernel overwritten
  begin
  ds_store_b32 v1, v3
  s_wait_dscnt 0x0
  tile 0, s2, s3
  tensor_store_from_lds s[8:11], s[12:19]
  ds_store_b32 v1, v3
  s_wait_tensorcnt 0x0
  s_endpgm
kernel unwaited_waves
  begin
  v_readfirstlane_b32 s20, v0
  s_cmp_lg_u32 s20, 0
  s_cbranch_scc1 .Lunwaited
  tile 0, s0, s1
  tensor_load_to_lds s[8:11], s[12:19]
.Lunwaited:
  s_barrier_signal -1
  s_barrier_wait -1
  s_cmp_eq_u32 s20, 0
  s_cbranch_scc1 .Lended
  v_and_b32 v1, 0x7c, v1
  ds_load_b32 v2, v1
  s_wait_dscnt 0x0
.Lended:
  s_wait_tensorcnt 0x0
  s_endpgm
kernel beyond
  begin
  tile 0xa0, s0, s1
  tensor_load_to_lds s[8:11], s[12:19]
  s_wait_tensorcnt 0x0
  s_endpgm
kernel undefined_values
  begin
  v_cmp_gt_u32 vcc_lo, 16, v0
  s_and_saveexec_b32 s21, vcc_lo
  ds_store_b32 v1, v3
  s_wait_dscnt 0x0
  s_mov_b32 exec_lo, s21
  tile 0, s2, s3
  tensor_store_from_lds s[8:11], s[12:19]
  s_wait_tensorcnt 0x0
  s_endpgm
kernel undefined_place
  begin
  tile 0, s0, s1
  s_and_b32 s30, s30, 1
  s_or_b32 s13, s13, s30
  tensor_load_to_lds s[8:11], s[12:19]
  s_wait_tensorcnt 0x0
  s_endpgm
kernel memory
  begin
  tile 0, s0, s1
  tensor_load_to_lds s[8:11], s[12:19]
  s_wait_tensorcnt 0x0
  s_endpgm

.rodata
.macro descriptor name
.p2align 6
.amdhsa_kernel \name
  .amdhsa_group_segment_fixed_size 256
  .amdhsa_kernarg_size 16
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_next_free_vgpr 4
  .amdhsa_next_free_sgpr 32
.end_amdhsa_kernel
.endm
descriptor right
descriptor unwaited
descriptor overwritten
descriptor unwaited_waves
descriptor beyond
descriptor undefined_values
descriptor undefined_place
descriptor memory
