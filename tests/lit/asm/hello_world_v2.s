// A whole kernel of code object V2: amd_kernel_code_t in front of the code, notes of the old kind. Assembled, linked, run: 3.14159 is
// where the argument points.
// RUN: %offgrid as -mcpu=gfx900 -mcode-object-version=2 %s -o %t.o
// RUN: llvm-readobj -h --symbols --notes %t.o | FileCheck %s
// RUN: %offgrid as -mcpu=gfx900 -mcode-object-version=2 --show-encoding %s | FileCheck %s --check-prefix=TEXT
// RUN: %offgrid ld %t.o -o %t.co
// RUN: %offgrid run %t.co --kernel hello_world --grid 1 --group 1 --arg out:%t.bin:4
// RUN: od -A n -t f4 %t.bin | FileCheck %s --check-prefix=RESULT

.hsa_code_object_version 2,1
.hsa_code_object_isa

.hsatext
.globl hello_world
.p2align 8
.amdgpu_hsa_kernel hello_world

hello_world:
  .amd_kernel_code_t
    enable_sgpr_kernarg_segment_ptr = 1
    is_ptr64 = 1
    compute_pgm_rsrc1_vgprs = 0
    compute_pgm_rsrc1_sgprs = 0
    compute_pgm_rsrc2_user_sgpr = 2
    compute_pgm_rsrc1_wgp_mode = 0
    compute_pgm_rsrc1_mem_ordered = 0
    compute_pgm_rsrc1_fwd_progress = 1
  .end_amd_kernel_code_t

  s_load_dwordx2 s[0:1], s[0:1] 0x0
  v_mov_b32 v0, 3.14159
  s_waitcnt lgkmcnt(0)
  v_mov_b32 v1, s0
  v_mov_b32 v2, s1
  flat_store_dword v[1:2], v0
  s_endpgm
.Lfunc_end0:
  .size hello_world, .Lfunc_end0-hello_world

// CHECK: OS/ABI: AMDGPU_HSA
// CHECK: ABIVersion: 0
// CHECK: Name: hello_world
// CHECK: Size: 296
// CHECK: Type: {{.*}}0xA
// CHECK: Section: .hsatext

// TEXT: .hsa_code_object_isa 9,0,{{[01]}},"AMD","AMDGPU"
// TEXT: is_ptr64 = 1
// TEXT: flat_store_dword v[1:2], v0 ; encoding: [0x00,0x00,0x70,0xdc,0x01,0x00,0x00,0x00]

// RESULT: 3.14159
