// Header against notes: a source of V2 makes an object of V2, where nobody says otherwise; what contradicts is found.
// RUN: %offgrid as -mcpu=gfx900 %s -o %t.o
// RUN: llvm-readobj -h %t.o | FileCheck --check-prefix=V2 %s
// RUN: %offgrid lint %t.o 2>&1 | FileCheck --check-prefix=SOUND %s
// RUN: not %offgrid as -mcpu=gfx900 -mcode-object-version=5 %s -o %t.bad 2>&1 | FileCheck --check-prefix=SAID %s
// The header says V6, then another processor, then a flag that gfx803 does not have.
// RUN: %python -c "d = bytearray(open('%t.o', 'rb').read()); d[8] = 4; open('%t.v6.o', 'wb').write(d)"
// RUN: not %offgrid lint %t.v6.o 2>&1 | FileCheck --check-prefix=HEADER %s
// RUN: %python -c "d = bytearray(open('%t.o', 'rb').read()); d[48] = 0x2f; open('%t.cpu.o', 'wb').write(d)"
// RUN: not %offgrid lint %t.cpu.o 2>&1 | FileCheck --check-prefix=TARGET %s
// RUN: %python -c "d = bytearray(open('%t.o', 'rb').read()); d[48:50] = b'\x2a\x13'; open('%t.flags.o', 'wb').write(d)"
// RUN: not %offgrid lint %t.flags.o 2>&1 | FileCheck --check-prefix=FLAGS %s

// V2: ABIVersion: 0
// SOUND-NOT: error
// SAID: error: unknown directive: .hsa_code_object_version is of code object V2, and this is V5
// HEADER: error: a note says code object version 2.1, but the header says V6 [OG104]
// HEADER: error: symbol 'k' is a kernel of code object V2, but the header says V6 [OG104]
// TARGET: error: the note of the ISA's version says 9.0.1, but e_flags say gfx906 [OG102]
// FLAGS: error: e_flags 0x132a sets bits 0x1000, which have no meaning [OG107]
// FLAGS: error: e_flags 0x132a has a setting of XNACK, which gfx803 does not have [OG107]

.hsa_code_object_version 2,1
.hsa_code_object_isa
.p2align 8
.amdgpu_hsa_kernel k
k:
.amd_kernel_code_t
  user_sgpr_count = 3
  granulated_wavefront_sgpr_count = 1
.end_amd_kernel_code_t
s_endpgm
