/* test_visa_forms.c - every instruction of the specification in its canonical form: read, held against the rules of the
 * first platform that has it, printed, and taken through the binary form unchanged. */
#include "visa/table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

static const char head[] =
    ".version 4.1\n.kernel \"k\"\n"
    ".decl D v_type=G type=d num_elts=64 align=GRFx2\n.decl U v_type=G type=ud num_elts=64 align=GRFx2\n"
    ".decl F v_type=G type=f num_elts=64 align=GRFx2\n.decl HF v_type=G type=hf num_elts=128 align=GRFx2\n"
    ".decl UW v_type=G type=uw num_elts=128 align=GRFx2\n.decl UB v_type=G type=ub num_elts=512 align=GRFx2\n"
    ".decl UQ v_type=G type=uq num_elts=32 align=GRFx2\n.decl A0 v_type=A num_elts=16\n.decl P1 v_type=P num_elts=32\n"
    ".decl S0 v_type=S num_elts=1\n.decl T6 v_type=T num_elts=1\n.kernel_attr SimdSize=8\n.function \"main\"\n"
    "main:\nblock:\n";
static const char tail[] = "\nret (M1, 1)\n.function \"sub_0_2\"\nsub_0_2:\nret (M1, 8)\n";
enum { PLACE = 2 }; /* of the instruction, after the subroutine and the label */

static const struct {
  int platform;
  const char *text;
} rows[] = {
    {OG_VISA_SKL, "add (M1, 8) D(0,0)<1> D(0,0)<8;8,1> D(0,0)<8;8,1>"},
    {OG_VISA_SKL, "avg (M1, 8) D(0,0)<1> D(0,0)<8;8,1> D(0,0)<8;8,1>"},
    {OG_VISA_SKL, "div (M1, 8) D(0,0)<1> D(0,0)<8;8,1> D(0,0)<8;8,1>"},
    {OG_VISA_SKL, "mod (M1, 8) D(0,0)<1> D(0,0)<8;8,1> D(0,0)<8;8,1>"},
    {OG_VISA_SKL, "mul (M1, 8) D(0,0)<1> D(0,0)<8;8,1> D(0,0)<8;8,1>"},
    {OG_VISA_SKL, "mulh (M1, 8) D(0,0)<1> D(0,0)<8;8,1> D(0,0)<8;8,1>"},
    {OG_VISA_SKL, "and (M1, 8) D(0,0)<1> D(0,0)<8;8,1> D(0,0)<8;8,1>"},
    {OG_VISA_SKL, "or (M1, 8) D(0,0)<1> D(0,0)<8;8,1> D(0,0)<8;8,1>"},
    {OG_VISA_SKL, "xor (M1, 8) D(0,0)<1> D(0,0)<8;8,1> D(0,0)<8;8,1>"},
    {OG_VISA_SKL, "shl (M1, 8) D(0,0)<1> D(0,0)<8;8,1> D(0,0)<8;8,1>"},
    {OG_VISA_SKL, "shr (M1, 8) D(0,0)<1> D(0,0)<8;8,1> D(0,0)<8;8,1>"},
    {OG_VISA_SKL, "asr (M1, 8) D(0,0)<1> D(0,0)<8;8,1> D(0,0)<8;8,1>"},
    {OG_VISA_SKL, "dp2 (M1, 8) F(0,0)<1> F(0,0)<8;8,1> F(0,0)<8;8,1>"},
    {OG_VISA_SKL, "dp3 (M1, 8) F(0,0)<1> F(0,0)<8;8,1> F(0,0)<8;8,1>"},
    {OG_VISA_SKL, "dp4 (M1, 8) F(0,0)<1> F(0,0)<8;8,1> F(0,0)<8;8,1>"},
    {OG_VISA_SKL, "dph (M1, 8) F(0,0)<1> F(0,0)<8;8,1> F(0,0)<8;8,1>"},
    {OG_VISA_SKL, "pow (M1, 8) F(0,0)<1> F(0,0)<8;8,1> F(0,0)<8;8,1>"},
    {OG_VISA_SKL, "min (M1, 8) F(0,0)<1> F(0,0)<8;8,1> F(0,0)<8;8,1>"},
    {OG_VISA_SKL, "max (M1, 8) F(0,0)<1> F(0,0)<8;8,1> F(0,0)<8;8,1>"},
    {OG_VISA_SKL, "sel (M1, 8) F(0,0)<1> F(0,0)<8;8,1> F(0,0)<8;8,1>"},
    {OG_VISA_SKL, "plane (M1, 8) F(0,0)<1> F(0,0)<8;8,1> F(0,0)<8;8,1>"},
    {OG_VISA_SKL, "divm (M1, 8) F(0,0)<1> F(0,0)<8;8,1> F(0,0)<8;8,1>"},
    {OG_VISA_SKL, "line (M1, 8) F(0,0)<1> F(0,0)<0;4,1> F(0,0)<8;8,1>"},
    {OG_VISA_SKL, "exp (M1, 8) F(0,0)<1> F(0,0)<8;8,1>"},
    {OG_VISA_SKL, "frc (M1, 8) F(0,0)<1> F(0,0)<8;8,1>"},
    {OG_VISA_SKL, "log (M1, 8) F(0,0)<1> F(0,0)<8;8,1>"},
    {OG_VISA_SKL, "rndd (M1, 8) F(0,0)<1> F(0,0)<8;8,1>"},
    {OG_VISA_SKL, "rndu (M1, 8) F(0,0)<1> F(0,0)<8;8,1>"},
    {OG_VISA_SKL, "rnde (M1, 8) F(0,0)<1> F(0,0)<8;8,1>"},
    {OG_VISA_SKL, "rndz (M1, 8) F(0,0)<1> F(0,0)<8;8,1>"},
    {OG_VISA_SKL, "sin (M1, 8) F(0,0)<1> F(0,0)<8;8,1>"},
    {OG_VISA_SKL, "cos (M1, 8) F(0,0)<1> F(0,0)<8;8,1>"},
    {OG_VISA_SKL, "sqrt (M1, 8) F(0,0)<1> F(0,0)<8;8,1>"},
    {OG_VISA_SKL, "rsqrt (M1, 8) F(0,0)<1> F(0,0)<8;8,1>"},
    {OG_VISA_SKL, "inv (M1, 8) F(0,0)<1> F(0,0)<8;8,1>"},
    {OG_VISA_SKL, "mov (M1, 8) F(0,0)<1> F(0,0)<8;8,1>"},
    {OG_VISA_SKL, "sqrtm (M1, 8) F(0,0)<1> F(0,0)<8;8,1>"},
    {OG_VISA_SKL, "mad (M1, 8) F(0,0)<1> F(0,0)<8;8,1> F(0,0)<8;8,1> F(0,0)<8;8,1>"},
    {OG_VISA_SKL, "lrp (M1, 8) F(0,0)<1> F(0,0)<8;8,1> F(0,0)<8;8,1> F(0,0)<8;8,1>"},
    {OG_VISA_SKL, "invm (M1, 8) F(0,0)<1> P1 F(0,0)<8;8,1> F(0,0)<8;8,1>"},
    {OG_VISA_SKL, "rsqtm (M1, 8) F(0,0)<1> P1 F(0,0)<8;8,1>"},
    {OG_VISA_SKL, "sad2 (M1, 8) UW(0,0)<1> UB(0,0)<8;8,1> UB(0,0)<8;8,1>"},
    {OG_VISA_SKL, "sad2add (M1, 8) UW(0,0)<1> UB(0,0)<8;8,1> UB(0,0)<8;8,1> UW(0,0)<8;8,1>"},
    {OG_VISA_SKL, "lzd (M1, 8) U(0,0)<1> U(0,0)<8;8,1>"},
    {OG_VISA_SKL, "cbit (M1, 8) U(0,0)<1> U(0,0)<8;8,1>"},
    {OG_VISA_SKL, "fbl (M1, 8) U(0,0)<1> U(0,0)<8;8,1>"},
    {OG_VISA_SKL, "fbh (M1, 8) U(0,0)<1> U(0,0)<8;8,1>"},
    {OG_VISA_SKL, "bfrev (M1, 8) U(0,0)<1> U(0,0)<8;8,1>"},
    {OG_VISA_SKL, "not (M1, 8) U(0,0)<1> U(0,0)<8;8,1>"},
    {OG_VISA_SKL, "bfe (M1, 8) D(0,0)<1> D(0,0)<8;8,1> D(0,0)<8;8,1> D(0,0)<8;8,1>"},
    {OG_VISA_SKL, "madw (M1, 8) D(0,0)<1> D(0,0)<8;8,1> D(0,0)<8;8,1> D(0,0)<8;8,1>"},
    {OG_VISA_SKL, "bfi (M1, 8) D(0,0)<1> D(0,0)<8;8,1> D(0,0)<8;8,1> D(0,0)<8;8,1> D(0,0)<8;8,1>"},
    {OG_VISA_SKL, "addc (M1, 8) U(0,0)<1> U(1,0)<1> U(0,0)<8;8,1> U(0,0)<8;8,1>"},
    {OG_VISA_SKL, "subb (M1, 8) U(0,0)<1> U(1,0)<1> U(0,0)<8;8,1> U(0,0)<8;8,1>"},
    {OG_VISA_SKL, "addr_add (M1_NM, 8) A0(0)<8> &D[4] UW(0,0)<8;8,1>"},
    {OG_VISA_SKL, "setp (M1, 8) P1 D(0,0)<8;8,1>"},
    {OG_VISA_SKL, "cmp.lt (M1, 8) P1 D(0,0)<8;8,1> 0x1:d"},
    {OG_VISA_SKL, "movs (M1_NM, 1) T6(0) 0x1:ud"},
    {OG_VISA_SKL, "jmp (M1, 1) block"},
    {OG_VISA_SKL, "goto (M1, 8) block"},
    {OG_VISA_SKL, "call (M1, 8) sub_0_2"},
    {OG_VISA_SKL, "ret (M1, 8)"},
    {OG_VISA_SKL, "fcall (M1, 8) foo 2 1"},
    {OG_VISA_SKL, "fret (M1, 8)"},
    {OG_VISA_SKL, "ifcall (M1, 8) UQ(0,0)<0;1,0> 2 1"},
    {OG_VISA_SKL, "faddr foo UQ(0,0)<1>"},
    {OG_VISA_SKL, "switchjmp (M1, 1) U(0,0)<0;1,0> (block, block)"},
    {OG_VISA_SKL, "oword_ld (2) T6 0x0:ud D.0"},
    {OG_VISA_SKL, "oword_st (2) T6 0x0:ud D.0"},
    {OG_VISA_SKL, "oword_ld_unaligned (2) T6 0x0:ud D.0"},
    {OG_VISA_SKL, "media_ld.nomod (8,4) T6 0 0x0:ud 0x0:ud D.0"},
    {OG_VISA_SKL, "media_st.nomod (8,4) T6 0 0x0:ud 0x0:ud D.0"},
    {OG_VISA_SKL, "gather.4 (M1, 8) T6 0x0:ud U.0 D.0"},
    {OG_VISA_SKL, "scatter.4 (M1, 8) T6 0x0:ud U.0 D.0"},
    {OG_VISA_SKL, "sample.RGBA (8) S0 T6 F.0 F.0 F.0 F.0"},
    {OG_VISA_SKL, "sample_unorm.RG.8-full S0 T6 0x0:f 0x0:f 0x0:f 0x0:f F.0"},
    {OG_VISA_SKL, "load.RGBA (8) T6 U.0 U.0 U.0 F.0"},
    {OG_VISA_SKL, "avs.RGBA T6 S0 0x0:f 0x0:f 0x0:f 0x0:f 0x0:f 0x0:ud 0x0:ud AVS_16_FULL 0x0:f AVS_4x4 0x0:ub F.0"},
    {OG_VISA_SKL, "gather4_typed.R (M1, 8) T6 U.0 U.0 U.0 U.0 D.0"},
    {OG_VISA_SKL, "scatter4_typed.R (M1, 8) T6 U.0 U.0 U.0 U.0 D.0"},
    {OG_VISA_SKL, "svm_block_ld (4) UQ(0,0)<0;1,0> D.0"},
    {OG_VISA_SKL, "svm_block_ld.unaligned (4) UQ(0,0)<0;1,0> D.0"},
    {OG_VISA_SKL, "svm_block_st (4) UQ(0,0)<0;1,0> D.0"},
    {OG_VISA_SKL, "svm_gather.4.1 (M1, 8) UQ.0 D.0"},
    {OG_VISA_SKL, "svm_scatter.4.1 (M1, 8) UQ.0 D.0"},
    {OG_VISA_SKL, "svm_atomic.add (M1, 8) UQ.0 U.0 %null.0 U.0"},
    {OG_VISA_SKL, "svm_gather4scaled.RGBA (M1, 8) 0x0:uq UQ.0 D.0"},
    {OG_VISA_SKL, "svm_scatter4scaled.RGBA (M1, 8) 0x0:uq UQ.0 D.0"},
    {OG_VISA_SKL, "FILE \"x.c\""},
    {OG_VISA_SKL, "LOC 12"},
    {OG_VISA_SKL, "vme_ime(0,0) T6 UB.0 UB.0 UW.0 UW.0 UW.0 UB.0"},
    {OG_VISA_SKL, "vme_sic T6 UB.0 UB.0 UB.0"},
    {OG_VISA_SKL, "vme_fbr (0x0:ub,0x0:ub,0x0:ub) T6 UB.0 UB.0 UB.0"},
    {OG_VISA_SKL, "vme_idm T6 UB.0 UB.0 UB.0"},
    {OG_VISA_SKL, "barrier"},
    {OG_VISA_SKL, "sampler_cache_flush"},
    {OG_VISA_SKL, "wait 0x1:ub"},
    {OG_VISA_SKL, "fence_global.EI"},
    {OG_VISA_SKL, "fence_local"},
    {OG_VISA_SKL, "fence_sw"},
    {OG_VISA_SKL, "yield"},
    {OG_VISA_SKL, "raw_send (M1, 8) 0x4 1 1  0x0:ud U.0 U.0"},
    {OG_VISA_SKL, "raw_sendc (M1, 8) 0x4 1 1  0x0:ud U.0 U.0"},
    {OG_VISA_SKL, "raw_sends.4.1.1.1 (M1, 8)  0x0:ud 0x0:ud U.0 U.32 U.64"},
    {OG_VISA_SKL, "raw_sendsc.4.1.1.1 (M1, 8)  0x0:ud 0x0:ud U.0 U.32 U.64"},
    {OG_VISA_SKL, "raw_sends_eot.4.1.1.1 (M1, 8)  0x0:ud 0x0:ud U.0 U.32 U.64"},
    {OG_VISA_SKL, "raw_sendsc_eot.4.1.1.1 (M1, 8)  0x0:ud 0x0:ud U.0 U.32 U.64"},
    {OG_VISA_SKL, "rt_write_3d.<RTI> (M1, 8) T6 F.0 F.0 F.0 F.0 F.0"},
    {OG_VISA_SKL, "rt_write_3d.<NULLRT> (M1, 8) T6 %null.0 F.0 F.0 F.0 F.0"},
    {OG_VISA_SKL, "urb_write_3d (M1, 8) 1 2 %null.0 U.0 %null.0 F.0"},
    {OG_VISA_SKL, "typed_atomic.add (M1, 8) T6 U.0 U.0 U.0 U.0 U.0 %null.0 U.0"},
    {OG_VISA_SKL, "gather4_scaled.RGBA (M1, 8) T6 0x0:ud U.0 D.0"},
    {OG_VISA_SKL, "scatter4_scaled.RGBA (M1, 8) T6 0x0:ud U.0 D.0"},
    {OG_VISA_SKL, "gather_scaled.1 (M1, 8) T6 0x0:ud U.0 D.0"},
    {OG_VISA_SKL, "scatter_scaled.1 (M1, 8) T6 0x0:ud U.0 D.0"},
    {OG_VISA_SKL, "lifetime.start D"},
    {OG_VISA_SKL, "lifetime.end P1"},
    {OG_VISA_SKL, "sbarrier.signal"},
    {OG_VISA_SKL, "sbarrier.wait"},
    {OG_VISA_SKL, "dword_atomic.cmpxchg (M1, 8) T6 U.0 U.0 U.0 U.0"},
    {OG_VISA_SKL, "breakpoint"},
    {OG_VISA_SKL, "sample_3d.R (M1, 8)  0x0:uw S0 T6 F.0 F.0"},
    {OG_VISA_SKL, "sample_b.R (M1, 8)  0x0:uw S0 T6 F.0 F.0 F.0"},
    {OG_VISA_SKL, "sample_l.R (M1, 8)  0x0:uw S0 T6 F.0 F.0 F.0"},
    {OG_VISA_SKL, "sample_c.R (M1, 8)  0x0:uw S0 T6 F.0 F.0 F.0"},
    {OG_VISA_SKL, "sample_d.R (M1, 8)  0x0:uw S0 T6 F.0 F.0 F.0 F.0"},
    {OG_VISA_SKL, "sample_b_c.R (M1, 8)  0x0:uw S0 T6 F.0 F.0 F.0 F.0"},
    {OG_VISA_SKL, "sample_l_c.R (M1, 8)  0x0:uw S0 T6 F.0 F.0 F.0 F.0"},
    {OG_VISA_SKL, "sample_d_c.R (M1, 8)  0x0:uw S0 T6 F.0 F.0 F.0 F.0 F.0"},
    {OG_VISA_SKL, "sample_lz.R (M1, 8)  0x0:uw S0 T6 F.0 F.0"},
    {OG_VISA_SKL, "sample_c_lz.R (M1, 8)  0x0:uw S0 T6 F.0 F.0 F.0"},
    {OG_VISA_SKL, "lod.R (M1, 8)  0x0:uw S0 T6 F.0 F.0"},
    {OG_VISA_SKL, "sample4.R (M1, 8)  0x0:uw S0 T6 F.0 F.0"},
    {OG_VISA_SKL, "sample4_c.R (M1, 8)  0x0:uw S0 T6 F.0 F.0 F.0"},
    {OG_VISA_SKL, "sample4_po.R (M1, 8)  0x0:uw S0 T6 F.0 F.0 F.0 F.0"},
    {OG_VISA_SKL, "sample4_po_c.R (M1, 8)  0x0:uw S0 T6 F.0 F.0 F.0 F.0 F.0"},
    {OG_VISA_SKL, "load_3d.R (M1, 8)  0x0:uw T6 F.0 D.0"},
    {OG_VISA_SKL, "load_lz.R (M1, 8)  0x0:uw T6 F.0 D.0"},
    {OG_VISA_SKL, "load_2dms_w.R (M1, 8)  0x0:uw T6 F.0 D.0"},
    {OG_VISA_SKL, "load_mcs.R (M1, 8)  0x0:uw T6 F.0 D.0"},
    {OG_VISA_SKL, "resinfo.RGBA (M1, 8) T6 U.0 U.0"},
    {OG_VISA_SKL, "sampleinfo.R (M1, 8) T6 U.0"},
    {OG_VISA_TGLLP, "rol (M1, 8) D(0,0)<1> D(0,0)<8;8,1> D(0,0)<8;8,1>"},
    {OG_VISA_TGLLP, "ror (M1, 8) D(0,0)<1> D(0,0)<8;8,1> D(0,0)<8;8,1>"},
    {OG_VISA_TGLLP, "dp4a (M1, 8) D(0,0)<1> D(0,0)<8;8,1> D(0,0)<8;8,1> D(0,0)<8;8,1>"},
    {OG_VISA_DG2, "add3 (M1, 8) D(0,0)<1> D(0,0)<8;8,1> D(0,0)<8;8,1> D(0,0)<8;8,1>"},
    {OG_VISA_DG2, "add3.o (M1, 8) D(0,0)<1> D(0,0)<8;8,1> D(0,0)<8;8,1> D(0,0)<8;8,1>"},
    {OG_VISA_DG2, "bfn.xe8 (M1, 8) D(0,0)<1> D(0,0)<8;8,1> D(0,0)<8;8,1> D(0,0)<8;8,1>"},
    {OG_VISA_DG2, "bf_cvt (M1, 8) UW(0,0)<1> F(0,0)<8;8,1>"},
    {OG_VISA_DG2, "dpas.s8.s8.8.8 (M1, 8) D.0 D.0 D.0 D(0,0)"},
    {OG_VISA_DG2, "dpasw.s8.s8.8.8 (M1, 8) D.0 D.0 D.0 D(0,0)"},
    {OG_VISA_DG2, "lsc_fence.ugm.evict.gpu"},
    {OG_VISA_PVC, "fcvt (M1_NM, 8) UB(0,0)<1> HF(0,0)<8;8,1>"},
    {OG_VISA_PVC, "srnd (M1_NM, 8) HF(0,0)<1> F(0,0)<8;8,1> UW(0,0)<8;8,1>"},
    {OG_VISA_PVC, "qw_gather.1 (M1, 8) T6 U.0 UQ.0"},
    {OG_VISA_PVC, "qw_scatter.1 (M1, 8) T6 U.0 UQ.0"},
    {OG_VISA_PVC, "nbarrier.wait 0x1:ub"},
    {OG_VISA_PVC, "nbarrier.signal 0x1:ub 0x2:ub"},
    {OG_VISA_PVC, "nbarrier.signal 0x1:ub 0x1:uw 0x2:ub 0x3:ub"},
    {OG_VISA_DG2, "lsc_atomic_iinc.ugm (M1, 8)  D:d32  flat[UQ]:a64  %null  %null"},
    {OG_VISA_DG2, "lsc_atomic_idec.ugm (M1, 8)  D:d32  flat[UQ]:a64  %null  %null"},
    {OG_VISA_DG2, "lsc_atomic_load.ugm (M1, 8)  D:d32  flat[UQ]:a64  %null  %null"},
    {OG_VISA_DG2, "lsc_atomic_store.ugm (M1, 8)  D:d32  flat[UQ]:a64  D  %null"},
    {OG_VISA_DG2, "lsc_atomic_iadd.ugm (M1, 8)  D:d32  flat[UQ]:a64  D  %null"},
    {OG_VISA_DG2, "lsc_atomic_isub.ugm (M1, 8)  D:d32  flat[UQ]:a64  D  %null"},
    {OG_VISA_DG2, "lsc_atomic_smin.ugm (M1, 8)  D:d32  flat[UQ]:a64  D  %null"},
    {OG_VISA_DG2, "lsc_atomic_smax.ugm (M1, 8)  D:d32  flat[UQ]:a64  D  %null"},
    {OG_VISA_DG2, "lsc_atomic_umin.ugm (M1, 8)  D:d32  flat[UQ]:a64  D  %null"},
    {OG_VISA_DG2, "lsc_atomic_umax.ugm (M1, 8)  D:d32  flat[UQ]:a64  D  %null"},
    {OG_VISA_DG2, "lsc_atomic_icas.ugm (M1, 8)  D:d32  flat[UQ]:a64  D  D"},
    {OG_VISA_DG2, "lsc_atomic_fadd.ugm (M1, 8)  D:d32  flat[UQ]:a64  D  %null"},
    {OG_VISA_DG2, "lsc_atomic_fsub.ugm (M1, 8)  D:d32  flat[UQ]:a64  D  %null"},
    {OG_VISA_DG2, "lsc_atomic_fmin.ugm (M1, 8)  D:d32  flat[UQ]:a64  D  %null"},
    {OG_VISA_DG2, "lsc_atomic_fmax.ugm (M1, 8)  D:d32  flat[UQ]:a64  D  %null"},
    {OG_VISA_DG2, "lsc_atomic_fcas.ugm (M1, 8)  D:d32  flat[UQ]:a64  D  D"},
    {OG_VISA_DG2, "lsc_atomic_and.ugm (M1, 8)  D:d32  flat[UQ]:a64  D  %null"},
    {OG_VISA_DG2, "lsc_atomic_or.ugm (M1, 8)  D:d32  flat[UQ]:a64  D  %null"},
    {OG_VISA_DG2, "lsc_atomic_xor.ugm (M1, 8)  D:d32  flat[UQ]:a64  D  %null"},
    {OG_VISA_DG2, "lsc_atomic_iadd.tgm (M1, 8)  D:d32  bti(0x1)[D, D, %null, %null]:a32  D  %null"},
    {OG_VISA_DG2, "lsc_load.ugm (M1, 8)  D:d32x4  flat[UQ]:a64"},
    {OG_VISA_DG2, "lsc_load.slm (M1, 8)  D:d8c32  flat[U]:a32"},
    {OG_VISA_DG2, "lsc_load_strided.ugm (M1, 8)  D:d32  flat[UQ, 0x4]:a64"},
    {OG_VISA_DG2, "lsc_load_quad.ugm (M1, 8)  D:d32.xyzw  flat[UQ]:a64"},
    {OG_VISA_DG2, "lsc_load_quad.tgm (M1, 8)  D:d32.xyzw  bti(0x1)[D, D, D, %null]:a32"},
    {OG_VISA_DG2, "lsc_store.ugm (M1, 8)  flat[UQ]:a64  D:d32"},
    {OG_VISA_DG2, "lsc_store_strided.ugm (M1, 8)  flat[UQ, 0x4]:a64  D:d32"},
    {OG_VISA_DG2, "lsc_store_quad.ugm (M1, 8)  flat[UQ]:a64  D:d32.xz"},
    {OG_VISA_DG2, "lsc_store_quad.tgm (M1, 8)  bti(0x1)[D, %null, %null, %null]:a32  D:d32.xz"},
    {OG_VISA_DG2, "lsc_load_status.ugm (M1, 8)  D:d32  flat[UQ]:a64"},
    {OG_VISA_DG2, "lsc_store_uncompressed.ugm (M1, 8)  flat[UQ]:a64  D:d32"},
    {OG_VISA_DG2, "lsc_apndctr_atomic_add.ugm (M1, 8)  D:d32  bti(0x1)[%null]:a32  D  %null"},
    {OG_VISA_DG2, "lsc_apndctr_atomic_sub.ugm (M1, 8)  D:d32  bti(0x1)[%null]:a32  D  %null"},
    {OG_VISA_DG2, "lsc_ccs_update.ugm (M1, 8)  D:d32  flat[UQ]:a64  %null  %null"},
    {OG_VISA_DG2, "lsc_read_state_info.tgm  D  bti(0x1)"},
    {OG_VISA_PVC, "lsc_load_block2d.ugm (M1, 1)  D:d16.16x8nn  flat[UQ, D(0,1), D(0,2), D(0,3), D(0,4), D(0,5)]"},
    {OG_VISA_PVC, "lsc_load_block2d.ugm (M1, 16)  D:d16.16x8nn  flat[UQ, D(0,1), D(0,2), D(0,3), D(0,4), D(0,5)]"},
    {OG_VISA_PVC, "lsc_store_block2d.ugm (M1, 1)  flat[UQ, D(0,1), D(0,2), D(0,3), D(0,4), D(0,5)]  D:d16.16x8nn"},
};

static struct og_visa *read(struct og_arena *arena, const char *text, int platform,
                            struct og_diagnostics *diagnostics) {
  struct og_source *source = OG_NEW(arena, struct og_source);
  source->name = "t.visaasm";
  source->text = og_arena_printf(arena, "%s%s%s", head, text, tail);
  source->size = strlen(source->text);
  return og_visa_read_text(arena, source, platform, diagnostics);
}

/* The instruction's text, without its number after. */
static const char *printed(struct og_arena *arena, const struct og_visa *visa) {
  struct og_buffer out = {0};
  og_visa_write_text(visa, &out);
  const char *text = og_arena_copy(arena, (const char *)out.data, out.size);
  og_buffer_free(&out);
  const char *from = strstr(text, "\nblock:\n") + 8, *end = from + strcspn(from, "\n");
  from += strspn(from, " ");
  for (const char *p = from; p < end; p++)
    if (strncmp(p, " ///", 4) == 0)
      end = p;
  while (end > from && end[-1] == ' ')
    end--;
  return og_arena_copy(arena, from, (size_t)(end - from));
}

/* What went wrong with a row, or NULL. */
static const char *judge(struct og_arena *arena, size_t row, struct og_diagnostics *diagnostics) {
  struct og_buffer binary = {0}, again = {0};
  const char *wrong = NULL;
  struct og_visa *visa = read(arena, rows[row].text, rows[row].platform, diagnostics), *decoded = NULL;
  if (!visa || !og_visa_verify(visa, rows[row].platform, "t", diagnostics))
    wrong = "is refused";
  else if (strcmp(printed(arena, visa), rows[row].text) != 0)
    wrong = og_arena_printf(arena, "is printed as '%s'", printed(arena, visa));
  else if (!og_visa_write_binary(visa, &binary, diagnostics) ||
           !(decoded = og_visa_read_binary(arena, binary.data, binary.size, "t.isa", diagnostics)) ||
           !og_visa_verify(decoded, rows[row].platform, "t.isa", diagnostics))
    wrong = "is refused in the binary form";
  else if (strcmp(printed(arena, decoded), rows[row].text) != 0)
    wrong = og_arena_printf(arena, "comes out of the binary form as '%s'", printed(arena, decoded));
  else if (!og_visa_write_binary(decoded, &again, diagnostics) || again.size != binary.size ||
           memcmp(again.data, binary.data, binary.size) != 0)
    wrong = "has another binary form after a round";
  og_buffer_free(&binary);
  og_buffer_free(&again);
  return wrong;
}

static void every_instruction_goes_through_text_and_binary(void **state) {
  (void)state;
  unsigned failed = 0;
  for (size_t i = 0; i < OG_COUNT(rows); i++) {
    struct og_arena *arena = og_arena_new();
    struct og_diagnostics *diagnostics = og_diagnostics_new();
    const char *wrong = judge(arena, i, diagnostics);
    if (wrong && ++failed)
      print_error("'%s' %s%s%s\n", rows[i].text, wrong, og_diagnostics_count(diagnostics) ? ": " : "",
                  og_diagnostics_count(diagnostics) ? og_diagnostics_at(diagnostics, 0)->message : "");
    og_diagnostics_free(diagnostics);
    og_arena_free(arena);
  }
  assert_int_equal(failed, 0);
}

static void every_instruction_has_a_row(void **state) {
  (void)state;
  bool seen[256][256] = {{false}};
  unsigned absent = 0;
  for (size_t i = 0; i < OG_COUNT(rows); i++) {
    struct og_arena *arena = og_arena_new();
    struct og_diagnostics *diagnostics = og_diagnostics_new();
    struct og_visa *visa = read(arena, rows[i].text, rows[i].platform, diagnostics);
    assert_non_null(visa);
    const struct og_visa_inst *inst = &visa->kernels.items[0]->insts.items[PLACE];
    seen[inst->opcode][0] = seen[inst->opcode][inst->sub] = true;
    og_diagnostics_free(diagnostics);
    og_arena_free(arena);
  }
  seen[OG_VISA_OP_SUBROUTINE][0] = seen[OG_VISA_OP_LABEL][0] = true; /* in head and tail */
  for (unsigned opcode = 0; opcode < 256; opcode++)
    if (og_visa_row(opcode, 0) && !seen[opcode][0] && ++absent)
      print_error("opcode 0x%02x has no row\n", opcode);
  for (unsigned sub = 1; sub < 8; sub++)
    if (!seen[OG_VISA_OP_SVM][sub] && ++absent)
      print_error("%s has no row\n", og_visa_row(OG_VISA_OP_SVM, sub)->name);
  for (const struct og_visa_lsc_op_info *op = og_visa_lsc_ops; op->name; op++)
    if (!seen[OG_VISA_OP_LSC_UNTYPED][op->number] && !seen[OG_VISA_OP_LSC_TYPED][op->number] && ++absent)
      print_error("lsc_%s has no row\n", op->name);
  for (unsigned sub = 0; sub < OG_VISA_SAMPLE_NAMES; sub++) {
    bool there = false;
    for (unsigned opcode = OG_VISA_OP_SAMPLE_3D; opcode <= OG_VISA_OP_INFO_3D; opcode++)
      there |= seen[opcode][sub];
    if (og_visa_sample_names[sub][0] && !there && ++absent)
      print_error("%s has no row\n", og_visa_sample_names[sub]);
  }
  assert_int_equal(absent, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_instruction_goes_through_text_and_binary),
      cmocka_unit_test(every_instruction_has_a_row),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
