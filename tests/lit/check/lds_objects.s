// Objects of LDS that are named: what none of them has belongs to nobody, though the work-group has it.
// RUN: %offgrid as %s -o %t.o
// RUN: %offgrid ld %t.o -o %t.co
// RUN: %offgrid check %t.co --kernel fill --grid 64 --group 64 --arg buf:256 2>&1 | count 0
// RUN: %offgrid check %t.co --kernel fill --grid 64 --group 64 --arg buf:256 --lds-object=low:0:128 --lds-object=high:0x80:0x100 2>&1 | count 0
// RUN: not %offgrid check %t.co --kernel fill --grid 64 --group 64 --arg buf:256 --lds-object=high:0x100:0x100 --lds-object=low:0:0x80 2>&1 | FileCheck --check-prefix=BEHIND %s
// RUN: not %offgrid check %t.co --kernel fill --grid 64 --group 64 --arg buf:256 --lds-object=high:4:0xfc 2>&1 | FileCheck --check-prefix=BEFORE %s
// RUN: not %offgrid check %t.co --kernel fill --grid 64 --group 64 --arg buf:256 --lds-object=low:0:0x80 --json 2>/dev/null | FileCheck --check-prefix=JSON %s
// RUN: not %offgrid check %t.co --kernel fill --grid 64 --group 64 --arg buf:256 --lds-object=low:0 2>&1 | FileCheck --check-prefix=WRONG %s
// RUN: not %offgrid run %t.co --kernel fill --grid 64 --group 64 --arg buf:256 --lds-object=low:0:4 2>&1 | FileCheck --check-prefix=ELSEWHERE %s

// BEHIND: error: kernel 'fill': {{.*}}'ds_write_b32 v0, v0' writes 4 bytes at 0x80 of LDS, which no object has: 0 bytes behind the end of 'low' (work-group 0,0,0, wave 0, lane 32) [bounds]
// BEHIND: 'ds_read_b32 v1, v0' reads 4 bytes at 0x80 of LDS
// BEHIND-NOT: error
// BEFORE: error: kernel 'fill': {{.*}}'ds_write_b32 v0, v0' writes 4 bytes at 0x0 of LDS, which no object has: 4 bytes in front of 'high' (work-group 0,0,0, wave 0, lane 0) [bounds]
// JSON: "checker":"bounds"{{.*}}"lane":32
// WRONG: --lds-object low:0: NAME:OFFSET:SIZE is expected, bytes of LDS
// ELSEWHERE: --lds-object and --json are options of 'offgrid check'

.amdgcn_target "amdgcn-amd-amdhsa--gfx900"
.text
.globl fill
.p2align 8
.type fill,@function
fill:
  s_load_dwordx2 s[0:1], s[0:1], 0x0
  v_lshlrev_b32_e32 v0, 2, v0
  ds_write_b32 v0, v0
  s_waitcnt lgkmcnt(0)
  ds_read_b32 v1, v0
  s_waitcnt lgkmcnt(0)
  global_store_dword v0, v1, s[0:1]
  s_endpgm
.Lfill:
  .size fill, .Lfill-fill

.rodata
.p2align 6
.amdhsa_kernel fill
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_group_segment_fixed_size 512
  .amdhsa_next_free_vgpr 2
  .amdhsa_next_free_sgpr 8
.end_amdhsa_kernel

.amdgpu_metadata
---
amdhsa.version: [1, 2]
amdhsa.kernels:
  - .name: fill
    .symbol: fill.kd
    .kernarg_segment_size: 8
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 512
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 8
    .vgpr_count: 2
    .max_flat_workgroup_size: 64
    .args:
      - .offset: 0
        .size: 8
        .value_kind: global_buffer
        .address_space: global
...
.end_amdgpu_metadata
