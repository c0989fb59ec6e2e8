// What .cfi_* says goes to .eh_frame and .debug_frame as other tools read it.
// RUN: %offgrid as -mcpu=gfx900 %s -o %t.o && llvm-dwarfdump --eh-frame --debug-frame %t.o 2>/dev/null | FileCheck %s
// RUN: %offgrid mc -mcpu=gfx900 %s | FileCheck --check-prefix=TEXT %s
// RUN: not %offgrid as -mcpu=gfx900 -D BAD=1 %s -o /dev/null 2>&1 | FileCheck --check-prefix=BAD %s

// CHECK-LABEL: .debug_frame contents
// CHECK: Version: 4
// CHECK: Return address column: 16
// CHECK-LABEL: .eh_frame contents
// CHECK: Augmentation: "zR"
// CHECK: DW_CFA_def_cfa: SGPR32 +0
// CHECK: DW_CFA_advance_loc: 4
// CHECK: DW_CFA_offset_extended_sf: VGPR40 -256
// CHECK: DW_CFA_remember_state
// CHECK: DW_CFA_advance_loc1: 300
// CHECK: DW_CFA_restore_state
// CHECK: Augmentation: "zRS"
.cfi_sections .eh_frame, .debug_frame
// TEXT: .cfi_sections .eh_frame, .debug_frame
.globl f
.type f,@function
handler:
.cfi_startproc
.cfi_signal_frame
s_endpgm
.cfi_endproc
f:
.cfi_startproc
// TEXT: .cfi_def_cfa 64, 0
.cfi_def_cfa s32, 0
s_mov_b32 s33, s32
.cfi_offset v40, -256
// TEXT: .cfi_offset 2600, -256
.cfi_remember_state
.zero 300
.cfi_restore_state
.ifdef BAD
// BAD: [[#@LINE+1]]:1: error: starting new .cfi frame before finishing the previous one
.cfi_startproc
// BAD: [[#@LINE+1]]:13: error: invalid register name
.cfi_offset nothing, 4
.endif
.cfi_endproc
.ifdef BAD
// BAD: [[#@LINE+1]]:1: error: this directive must appear between .cfi_startproc and .cfi_endproc directives
.cfi_undefined 5
.endif
