// Work-groups on two agents, each with its L2: what is released to the agent alone another may not see, in coarse-grained memory;
// what is released to the system it does. Fine-grained memory no L2 keeps. Where there is one agent, its scope is enough.
// RUN: %offgrid run %s --kernel to_system --grid 64 --group 32 --arg buf:256 --arg out:%t.right.1:4 --memory=weak:1 --memory-agents=2
// RUN: %offgrid run %s --kernel to_system --grid 64 --group 32 --arg buf:256 --arg out:%t.right.2:4 --memory=weak:2 --memory-agents=2
// RUN: %offgrid run %s --kernel to_system --grid 64 --group 32 --arg buf:256 --arg out:%t.right.3:4 --memory=weak:3 --memory-agents=2
// RUN: %offgrid run %s --kernel to_agent --grid 64 --group 32 --arg buf:256 --arg out:%t.one.1:4 --memory=weak:1
// RUN: %offgrid run %s --kernel to_agent --grid 64 --group 32 --arg buf:256 --arg out:%t.one.2:4 --memory=weak:2
// RUN: %offgrid run %s --kernel to_agent --grid 64 --group 32 --arg buf:256 --arg out:%t.one.3:4 --memory=weak:3
// RUN: %offgrid run %s --kernel to_agent --grid 64 --group 32 --arg fine:buf:256 --arg out:%t.fine.1:4 --memory=weak:1 --memory-agents=2
// RUN: %offgrid run %s --kernel to_agent --grid 64 --group 32 --arg fine:buf:256 --arg out:%t.fine.2:4 --memory=weak:2 --memory-agents=2
// RUN: %offgrid run %s --kernel to_agent --grid 64 --group 32 --arg fine:buf:256 --arg out:%t.fine.3:4 --memory=weak:3 --memory-agents=2
// RUN: %offgrid run %s --kernel to_agent --grid 64 --group 32 --arg buf:256 --arg out:%t.wrong.1:4 --memory=weak:1 --memory-agents=2
// RUN: %offgrid run %s --kernel to_agent --grid 64 --group 32 --arg buf:256 --arg out:%t.wrong.2:4 --memory=weak:2 --memory-agents=2
// RUN: %offgrid run %s --kernel to_agent --grid 64 --group 32 --arg buf:256 --arg out:%t.wrong.3:4 --memory=weak:3 --memory-agents=2
// RUN: cat %t.right.1 %t.right.2 %t.right.3 | od -An -v -t d4 | tr -d '\n' | FileCheck --check-prefix=RIGHT %s
// RUN: cat %t.one.1 %t.one.2 %t.one.3 | od -An -v -t d4 | tr -d '\n' | FileCheck --check-prefix=RIGHT %s
// RUN: cat %t.fine.1 %t.fine.2 %t.fine.3 | od -An -v -t d4 | tr -d '\n' | FileCheck --check-prefix=RIGHT %s
// RUN: cat %t.wrong.1 %t.wrong.2 %t.wrong.3 | od -An -v -t d4 | tr -d '\n' | FileCheck --check-prefix=WRONG %s
// RIGHT: {{^ *(5 *){3}$}}
// WRONG: {{ 0( |$)}}

// An agent of gfx1250 may have one L2, too, and has where there are several agents.
// RUN: sed 's/gfx1200/gfx1250/' %s > %t.1250.s
// RUN: %offgrid run %t.1250.s --kernel to_system --grid 64 --group 32 --arg buf:256 --arg out:%t.right.1:4 --memory=weak:1 --memory-agents=2
// RUN: %offgrid run %t.1250.s --kernel to_system --grid 64 --group 32 --arg buf:256 --arg out:%t.right.2:4 --memory=weak:2 --memory-agents=2
// RUN: %offgrid run %t.1250.s --kernel to_system --grid 64 --group 32 --arg buf:256 --arg out:%t.right.3:4 --memory=weak:3 --memory-agents=2
// RUN: %offgrid run %t.1250.s --kernel to_agent --grid 64 --group 32 --arg buf:256 --arg out:%t.wrong.1:4 --memory=weak:1 --memory-agents=2
// RUN: %offgrid run %t.1250.s --kernel to_agent --grid 64 --group 32 --arg buf:256 --arg out:%t.wrong.2:4 --memory=weak:2 --memory-agents=2
// RUN: %offgrid run %t.1250.s --kernel to_agent --grid 64 --group 32 --arg buf:256 --arg out:%t.wrong.3:4 --memory=weak:3 --memory-agents=2
// RUN: cat %t.right.1 %t.right.2 %t.right.3 | od -An -v -t d4 | tr -d '\n' | FileCheck --check-prefix=RIGHT %s
// RUN: cat %t.wrong.1 %t.wrong.2 %t.wrong.3 | od -An -v -t d4 | tr -d '\n' | FileCheck --check-prefix=WRONG %s

// Its choices are told: the store of the data, which the L2 of its agent keeps.
// RUN: %offgrid run %s --kernel to_agent --grid 64 --group 32 --arg buf:256 --arg out:%t.shrunk:4 --memory=weak:2 --memory-agents=2 --memory-shrink | FileCheck --check-prefix=SHRUNK %s
// SHRUNK: schedule shrunk from {{[0-9]+}} choices to
// SHRUNK: 'global_store_b32 v0, v1, s[4:5]': stays in L2, unless it is fine-grained or written back

// RUN: not %offgrid run %s --kernel to_agent --grid 64 --group 32 --arg buf:256 --arg buf:4 --memory-agents=2 2>&1 | FileCheck --check-prefix=USAGE %s
// USAGE: --memory-record, --memory-shrink and --memory-agents need --memory=weak
// RUN: not %offgrid run %s --kernel to_agent --grid 64 --group 32 --arg fine:i32:4 --arg buf:4 --memory=weak 2>&1 | FileCheck --check-prefix=KIND %s
// KIND: --arg fine:i32:4: only buffers are in fine-grained memory
.amdgcn_target "amdgcn-amd-amdhsa--gfx1200"

// The first work-group writes data and then a flag; the second waits for the flag and yields the data.
.macro message name, scope
.text
.globl \name
.p2align 8
.type \name,@function
\name:
  s_load_b128 s[4:7], s[0:1], 0x0
  v_mov_b32 v0, 0
  s_mov_b32 exec_lo, 1
  s_wait_kmcnt 0x0
  s_cmp_lg_u32 ttmp9, 0
  s_cbranch_scc1 .Lreader_\name
  v_mov_b32 v1, 5
  global_store_b32 v0, v1, s[4:5]
  global_wb scope:\scope
  s_wait_storecnt 0x0
  global_store_b32 v0, v1, s[4:5] offset:128 scope:SCOPE_SYS
  s_endpgm
.Lreader_\name:
  global_load_b32 v2, v0, s[4:5] offset:128 scope:SCOPE_SYS
  s_wait_loadcnt 0x0
  global_inv scope:SCOPE_SYS
  v_cmp_eq_u32 vcc_lo, 0, v2
  s_cbranch_vccnz .Lreader_\name
  global_load_b32 v3, v0, s[4:5]
  s_wait_loadcnt 0x0
  global_store_b32 v0, v3, s[6:7]
  s_endpgm
.size \name, .-\name
.rodata
.p2align 6
.amdhsa_kernel \name
  .amdhsa_next_free_vgpr 8
  .amdhsa_next_free_sgpr 16
  .amdhsa_wavefront_size32 1
  .amdhsa_user_sgpr_count 2
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
.end_amdhsa_kernel
.endm
message to_system, SCOPE_SYS
message to_agent, SCOPE_DEV

.amdgpu_metadata
---
amdhsa.version: [ 1, 2 ]
amdhsa.kernels:
  - .name: to_system
    .symbol: to_system.kd
    .kernarg_segment_size: 16
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 32
    .sgpr_count: 16
    .vgpr_count: 8
    .max_flat_workgroup_size: 64
    .args:
      - { .size: 8, .offset: 0, .value_kind: global_buffer, .address_space: global }
      - { .size: 8, .offset: 8, .value_kind: global_buffer, .address_space: global }
  - .name: to_agent
    .symbol: to_agent.kd
    .kernarg_segment_size: 16
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 32
    .sgpr_count: 16
    .vgpr_count: 8
    .max_flat_workgroup_size: 64
    .args:
      - { .size: 8, .offset: 0, .value_kind: global_buffer, .address_space: global }
      - { .size: 8, .offset: 8, .value_kind: global_buffer, .address_space: global }
...
.end_amdgpu_metadata
