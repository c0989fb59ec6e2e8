# Features choose what is taken and printed: halves of registers, wave sizes, single processors' instructions.
# RUN: %offgrid mc -triple=amdgcn -mcpu=gfx1200 -mattr=+Real-True16 -defsym=HALVES=1 %s | FileCheck --check-prefix=HALVES %s
# RUN: not %offgrid mc -triple=amdgcn -mcpu=gfx1100 -mattr=-real-true16 -defsym=HALVES=1 %s 2>&1 | FileCheck --check-prefix=WHOLE %s
# RUN: %offgrid mc -triple=amdgcn -mcpu=gfx1030 -mattr=+wavefrontsize32,+WavefrontSize64 -defsym=BOTH=1 %s | FileCheck --check-prefix=BOTH %s
# RUN: not %offgrid mc -triple=amdgcn -mcpu=gfx1250 -mattr=-wavefrontsize32,+wavefrontsize64 -defsym=W32=1 %s 2>&1 | FileCheck --check-prefix=W32 %s
# RUN: %offgrid mc -triple=amdgcn -mcpu=gfx904 -defsym=MIX=1 %s | FileCheck --check-prefix=MIX %s
# RUN: not %offgrid mc -triple=amdgcn -mcpu=gfx900 -defsym=MIX=1 %s 2>&1 | FileCheck --check-prefix=NOMIX %s
# RUN: %offgrid mc -triple=amdgcn -mcpu=gfx900 -mattr=Bad,-mad-mix-insts %s 2>&1 | FileCheck --check-prefix=UNKNOWN %s
# RUN: %offgrid mc -triple=amdgcn -mcpu=gfx908 -mattr=+atomic-fadd-rtn-insts -defsym=RETURNS=1 -show-encoding %s | FileCheck --check-prefix=RETURNS %s
# RUN: %offgrid mc -triple=amdgcn -mcpu=gfx1200 -mattr=+dpp-64bit -defsym=DPP64=1 %s | FileCheck --check-prefix=DPP64 %s
# RUN: echo '0x81,0x05,0x00,0x64' | %offgrid mc -disassemble -triple=amdgcn -mcpu=gfx1200 | FileCheck --check-prefix=MARK %s
# RUN: echo '0x81,0x05,0x00,0x64' | %offgrid mc -disassemble -triple=amdgcn -mcpu=gfx1200 -mattr=+real-true16 | FileCheck --check-prefix=HALF %s

.ifdef HALVES
# HALVES: v_add_f16_e32 v0.l, v1.h, v2.l
# WHOLE: [[@LINE+1]]:1: error: operands are not valid for this GPU or mode
v_add_f16 v0.l, v1.h, v2.l
.endif
.ifdef BOTH
# BOTH: v_cmp_eq_u32_e64 s[0:1], v1, v2
v_cmp_eq_u32_e64 s[0:1], v1, v2
# BOTH: v_cmp_eq_u32_e64 s0, v1, v2
v_cmp_eq_u32_e64 s0, v1, v2
# BOTH: v_cmp_eq_u32_e32 vcc_lo, v1, v2
v_cmp_eq_u32 vcc, v1, v2
.endif
.ifdef W32
# W32: error: instruction requires wavesize=32
ds_load_tr8_b64 v[0:1], v2
.endif
.ifdef MIX
# MIX: v_fma_mix_f32 v0, v1, v2, v3
# NOMIX: error: instruction not supported on this GPU
v_fma_mix_f32 v0, v1, v2, v3
.endif
.ifdef RETURNS
# A feature brings forms to a name that has others.
# RETURNS: global_atomic_add_f32 v1, v[2:3], v4, off glc ; encoding: [0x00,0x80,0x35,0xdd,0x02,0x04,0x7f,0x01]
global_atomic_add_f32 v1, v[2:3], v4, off glc
# RETURNS: global_atomic_add_f32 v[2:3], v4, off ;
global_atomic_add_f32 v[2:3], v4, off
.endif
.ifdef DPP64
# DPP64: v_add_f64_e32 v[0:1], v[2:3], v[4:5]
v_add_f64 v[0:1], v[2:3], v[4:5]
# DPP64: v_add_f64_dpp v[0:1], v[2:3], v[4:5] row_share:1
v_add_f64 v[0:1], v[2:3], v[4:5] row_share:1
.endif

# UNKNOWN: '+bad' is not a recognized feature for this target (ignoring feature)
# MARK: v_add_f16_e32 v0, v129/*Invalid register, operand has 'VS_32_Lo128' register class*/, v2
# HALF: v_add_f16_e32 v0.l, v1.h, v2.l
