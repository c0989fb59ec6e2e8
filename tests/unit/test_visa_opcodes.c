/* test_visa_opcodes.c - every opcode, sub-operation and atomic of vISA is executed at least once, with a result
   written down by hand or computed another way; or it is in the list of those that are refused. */
#include "visa_fixture.h"

#include "visa/table.h"

#define CONTEXT                                                                                                        \
  COUNTING D("F", "f", "32") D("H", "hf", "32") D("U", "ub", "32") D("W", "uw", "32") D("V", "ud", "64")               \
      D("X", "ud", "64") D("B", "ud", "128") D("O", "ud", "32") D("Q", "uq", "32")                                     \
          D("BF", "bf",                                                                                                \
            "32") ".decl RF v_type=G type=f num_elts=32 align=wordx32 alias=<R, 0>\n"                                  \
                  ".decl RU v_type=G type=ud num_elts=32 align=wordx32 alias=<R, 0>\n"                                 \
                  ".decl VF v_type=G type=f num_elts=64 align=wordx32 alias=<V, 0>\n"                                  \
                  ".decl P1 v_type=P num_elts=16\n.decl P2 v_type=P num_elts=16\n.decl A0 v_type=A num_elts=8\n"       \
                  ".decl T6 v_type=T num_elts=1\n.decl T7 v_type=T num_elts=1\n.decl S1 v_type=S num_elts=1\n"
/* A, L count 0..15; F is 1, 2, 3 ... 16; O is 4 times A; Q are the addresses of the buffer's dwords; T6 is the
   buffer, whose dwords count 0, 1, 2 ...; T7 an image of 4 x 2 floats that count, S1 a sampler. */
#define PRELUDE                                                                                                        \
  COUNT "    add (M1_NM, 16) R(0,0)<1> A(0,0)<1;1,0> 0x1:d\n    mov (M1_NM, 16) F(0,0)<1> R(0,0)<1;1,0>\n"             \
        "    mov (M1_NM, 16) R(0,0)<1> 0x0:d\n    shl (M1_NM, 16) O(0,0)<1> A(0,0)<1;1,0> 0x2:d\n"                     \
        "    mov (M1_NM, 8) Q(0,0)<1> O(0,0)<1;1,0>\n    mov (M1_NM, 8) Q(0,8)<1> O(0,8)<1;1,0>\n"                     \
        "    add (M1_NM, 8) Q(0,0)<1> Q(0,0)<1;1,0> OUT(0,0)<0;1,0>\n"                                                 \
        "    add (M1_NM, 8) Q(0,8)<1> Q(0,8)<1;1,0> OUT(0,0)<0;1,0>\n"                                                 \
        "    movs (M1_NM, 1) T6(0) 0x0:ud\n    movs (M1_NM, 1) T7(0) 0x1:ud\n    movs (M1_NM, 1) S1(0) 0x0:ud\n"

enum { SKL = OG_VISA_SKL, TGL = OG_VISA_TGLLP, DG2 = OG_VISA_DG2, PVC = OG_VISA_PVC };
struct row {
  int platform;
  const char *body;
  uint32_t expected[4];
};
#define F(x)                                                                                                           \
  { x, x, x, x } /* the same four times */
static const struct row rows[] = {
    /* arithmetic */
    {SKL, "add (M1_NM, 4) R(0,0)<1> A(0,0)<1;1,0> 0x5:d", {5, 6, 7, 8}},
    {DG2, "add3 (M1_NM, 4) R(0,0)<1> A(0,0)<1;1,0> 0x5:d 0x1:w", {6, 7, 8, 9}},
    {SKL, "avg (M1_NM, 4) R(0,0)<1> A(0,0)<1;1,0> 0x4:d", {2, 3, 3, 4}},
    {SKL, "div (M1_NM, 4) R(0,0)<1> 0x64:d A(0,1)<1;1,0>", {100, 50, 33, 25}},
    {SKL, "divm (M1_NM, 4) RF(0,0)<1> F(0,0)<1;1,0> 0x40000000:f", {0x3f000000, 0x3f800000, 0x3fc00000, 0x40000000}},
    {SKL, "mod (M1_NM, 4) R(0,0)<1> A(0,0)<1;1,0> 0x3:d", {0, 1, 2, 0}},
    {SKL, "mul (M1_NM, 4) R(0,0)<1> A(0,0)<1;1,0> A(0,0)<1;1,0>", {0, 1, 4, 9}},
    {SKL, "mulh (M1_NM, 4) RU(0,0)<1> AU(0,0)<0;1,0> 0x6:ud", F(3)},
    {SKL,
     "mov (M1_NM, 4) Q(0,0)<1> 0xfedcba9876543210:uq\n"
     "    mulh (M1_NM, 4) RU(0,0)<1> Q(0,0)<1;1,0> 0x123456789:uq", /* wraps around beyond 64 bits */
     F(0xcccccccc)},
    {SKL,
     "mov (M1_NM, 4) Q(0,0)<1> 0xfedcba9876543210:uq\n"
     "    mulh (M1_NM, 4) RU(0,0)<1> Q(0,0)<1;1,0> 0x123456789:q", /* wraps around beyond 64 bits */
     F(0xcccccccc)},
    {SKL, "mad (M1_NM, 4) R(0,0)<1> A(0,0)<1;1,0> A(0,0)<1;1,0> 0x3:d", {3, 4, 7, 12}},
    {SKL,
     "madw (M1_NM, 1) R(0,0)<1> 0x40000000:d 0x8:d 0x5:d\n    mov (M1_NM, 1) R(0,1)<1> R(1,0)<0;1,0>",
     {5, 2, 0, 0}},
    {SKL, "addc (M1_NM, 2) RU(0,0)<1> RU(0,2)<1> 0xffffffff:ud V(0,0)<1;1,0>", {0xffffffff, 0, 0, 1}},
    {SKL, "subb (M1_NM, 2) RU(0,0)<1> RU(0,2)<1> 0x0:ud V(0,0)<1;1,0>", {0, 0xffffffff, 0, 1}},
    {DG2,
     "(P1) add3.o (M1_NM, 2) RU(0,0)<1> AU(0,0)<0;1,0> AU(0,0)<0;1,0> V(0,0)<1;1,0>\n    mov (M1_NM, 1) R(0,2)<1> P1",
     {0, 1, 3, 0}},
    {DG2,
     "(P1) add3.o (M1_NM, 2) R(0,0)<1> 0x7ffffffe:d A(0,0)<1;1,0> 0x1:w\n    mov (M1_NM, 1) R(0,2)<1> P1",
     {0x7fffffff, 0x80000000, 2, 0}},
    {SKL, "min (M1_NM, 4) R(0,0)<1> A(0,0)<1;1,0> 0x2:d", {0, 1, 2, 2}},
    {SKL, "max (M1_NM, 4) R(0,0)<1> A(0,0)<1;1,0> 0x2:d", {2, 2, 2, 3}},
    {SKL, "dp2 (M1_NM, 4) RF(0,0)<1> F(0,0)<1;1,0> F(0,0)<1;1,0>", F(0x40a00000)},
    {SKL, "dp3 (M1_NM, 4) RF(0,0)<1> F(0,0)<1;1,0> F(0,0)<1;1,0>", F(0x41600000)},
    {SKL, "dp4 (M1_NM, 4) RF(0,0)<1> F(0,0)<1;1,0> F(0,0)<1;1,0>", F(0x41f00000)},
    {SKL, "dph (M1_NM, 4) RF(0,0)<1> F(0,0)<1;1,0> F(0,0)<1;1,0>", F(0x41900000)},
    {TGL, "dp4a (M1_NM, 4) R(0,0)<1> A(0,0)<1;1,0> 0x01020304:d 0x01010101:d", {10, 11, 12, 13}},
    {SKL, "exp (M1_NM, 4) RF(0,0)<1> F(0,0)<1;1,0>", {0x40000000, 0x40800000, 0x41000000, 0x41800000}},
    {SKL, "log (M1_NM, 4) RF(0,0)<1> 0x41000000:f", F(0x40400000)},
    {SKL, "pow (M1_NM, 4) RF(0,0)<1> F(0,0)<1;1,0> 0x40000000:f", {0x3f800000, 0x40800000, 0x41100000, 0x41800000}},
    {SKL, "frc (M1_NM, 4) RF(0,0)<1> 0x40100000:f", F(0x3e800000)},
    {SKL, "rndd (M1_NM, 4) RF(0,0)<1> 0xc0200000:f", F(0xc0400000)},
    {SKL, "rndu (M1_NM, 4) RF(0,0)<1> 0xc0200000:f", F(0xc0000000)},
    {SKL, "rnde (M1_NM, 4) RF(0,0)<1> 0x40600000:f", F(0x40800000)},
    {SKL, "rndz (M1_NM, 4) RF(0,0)<1> 0xc0200000:f", F(0xc0000000)},
    {SKL, "sin (M1_NM, 4) RF(0,0)<1> 0x0:f", F(0)},
    {SKL, "cos (M1_NM, 4) RF(0,0)<1> 0x0:f", F(0x3f800000)},
    {SKL, "sqrt (M1_NM, 4) RF(0,0)<1> 0x41100000:f", F(0x40400000)},
    {SKL, "sqrtm (M1_NM, 4) RF(0,0)<1> 0x41100000:f", F(0x40400000)},
    {SKL, "rsqrt (M1_NM, 4) RF(0,0)<1> 0x40800000:f", F(0x3f000000)},
    {SKL,
     "invm (M1_NM, 2) RF(0,0)<1> P1 F(0,0)<1;1,0> 0x40800000:f\n    mov (M1_NM, 1) R(0,2)<1> P1",
     {0x3e800000, 0x3f000000, 0, 0}},
    {SKL,
     "mov (M1_NM, 4) RF(0,4)<1> A(0,0)<1;1,0>\n    invm (M1_NM, 2) RF(0,0)<1> P1 0x3f800000:f RF(0,4)<1;1,0>\n    mov "
     "(M1_NM, 1) "
     "R(0,2)<1> P1",
     {0x7f800000, 0x3f800000, 1, 0}},
    {SKL,
     "rsqtm (M1_NM, 2) RF(0,0)<1> P1 0x40800000:f\n    mov (M1_NM, 1) R(0,2)<1> P1",
     {0x3f000000, 0x3f000000, 0, 0}},
    {SKL, "inv (M1_NM, 4) RF(0,0)<1> 0x40800000:f", F(0x3e800000)},
    {SKL, "line (M1_NM, 4) RF(0,0)<1> F(0,0)<0;1,0> F(0,0)<1;1,0>", {0x40a00000, 0x40c00000, 0x40e00000, 0x41000000}},
    {SKL,
     "plane (M1_NM, 8) RF(0,0)<1> F(0,0)<0;1,0> F(0,0)<1;1,0>", /* u + 2v + 4: u = 1.., v = 9.. */
     {0x41b80000, 0x41d00000, 0x41e80000, 0x42000000}},
    {SKL, "lrp (M1_NM, 4) RF(0,0)<1> 0x3f000000:f 0x41000000:f 0x40800000:f", F(0x40c00000)},
    {SKL,
     "mov (M1_NM, 8) U(0,0)<1> L(0,0)<1;1,0>\n    sad2 (M1_NM, 8) W(0,0)<1> U(0,0)<1;1,0> 0x5:ub\n    mov (M1_NM, 4) "
     "R(0,0)<1> W(0,0)<2;1,0>",
     {9, 5, 1, 3}},
    {SKL,
     "mov (M1_NM, 8) U(0,0)<1> L(0,0)<1;1,0>\n    sad2add (M1_NM, 8) W(0,0)<1> U(0,0)<1;1,0> 0x5:ub 0x64:uw\n    mov "
     "(M1_NM, 4) "
     "R(0,0)<1> W(0,0)<2;1,0>",
     {109, 105, 101, 103}},
    {DG2,
     "bf_cvt (M1_NM, 4) BF(0,0)<1> F(0,0)<1;1,0>\n    bf_cvt (M1_NM, 4) RF(0,0)<1> BF(0,0)<1;1,0>",
     {0x3f800000, 0x40000000, 0x40400000, 0x40800000}},
    {PVC,
     "mov (M1_NM, 4) H(0,0)<1> F(0,0)<1;1,0>\n    fcvt (M1_NM, 4) U(0,0)<1> H(0,0)<1;1,0>\n    mov (M1_NM, 4) "
     "R(0,0)<1> U(0,0)<1;1,0>",
     {0x3c, 0x40, 0x42, 0x44}},
    {PVC,
     "mov (M1_NM, 4) H(0,0)<1> F(0,0)<1;1,0>\n    srnd (M1_NM, 4) H(0,0)<1> F(0,0)<1;1,0> 0x0:uw\n    mov (M1_NM, 4) "
     "RF(0,0)<1> "
     "H(0,0)<1;1,0>",
     {0x3f800000, 0x40000000, 0x40400000, 0x40800000}},
    {PVC,
     "mov (M1_NM, 16) X(0,0)<1> 0x01010101:ud\n    mov (M1_NM, 16) B(0,0)<1> 0x01010101:ud\n    mov (M1_NM, 16) "
     "B(1,0)<1> "
     "0x01010101:ud\n    mov (M1_NM, 16) B(2,0)<1> 0x01010101:ud\n    mov (M1_NM, 16) B(3,0)<1> 0x02010101:ud\n"
     "    mov (M1_NM, 16) B(4,0)<1> 0x0:ud\n    mov (M1_NM, 16) B(5,0)<1> 0x0:ud\n    mov (M1_NM, 16) B(6,0)<1> "
     "0x0:ud\n"
     "    mov (M1_NM, 16) B(7,0)<1> 0x0:ud\n    dpas.s8.s8.8.1 (M1, 16) R.0 A.0 B.0 X(0,0)",
     {17, 18, 19, 20}},
    /* bits */
    {SKL, "and (M1_NM, 4) R(0,0)<1> A(0,0)<1;1,0> 0x2:d", {0, 0, 2, 2}},
    {SKL, "or (M1_NM, 4) R(0,0)<1> A(0,0)<1;1,0> 0x2:d", {2, 3, 2, 3}},
    {SKL, "xor (M1_NM, 4) R(0,0)<1> A(0,0)<1;1,0> 0x2:d", {2, 3, 0, 1}},
    {SKL, "not (M1_NM, 4) R(0,0)<1> A(0,0)<1;1,0>", {0xffffffff, 0xfffffffe, 0xfffffffd, 0xfffffffc}},
    {SKL, "shl (M1_NM, 4) R(0,0)<1> 0x1:d A(0,0)<1;1,0>", {1, 2, 4, 8}},
    {SKL, "shr (M1_NM, 4) RU(0,0)<1> 0x80000000:ud A(0,0)<1;1,0>", {0x80000000, 0x40000000, 0x20000000, 0x10000000}},
    {SKL, "asr (M1_NM, 4) R(0,0)<1> 0x80000000:d A(0,0)<1;1,0>", {0x80000000, 0xc0000000, 0xe0000000, 0xf0000000}},
    {TGL, "rol (M1_NM, 4) RU(0,0)<1> 0x80000001:ud AU(0,4)<1;1,0>", {0x80000001, 3, 6, 12}},
    {TGL, "ror (M1_NM, 4) RU(0,0)<1> 0x80000001:ud AU(0,4)<1;1,0>", {0x80000001, 0xc0000000, 0x60000000, 0x30000000}},
    {SKL, "cbit (M1_NM, 4) RU(0,0)<1> V(0,0)<1;1,0>", {0, 1, 1, 2}},
    {SKL, "fbl (M1_NM, 4) RU(0,0)<1> V(0,0)<1;1,0>", {0xffffffff, 0, 1, 0}},
    {SKL, "fbh (M1_NM, 4) RU(0,0)<1> V(0,0)<1;1,0>", {0xffffffff, 31, 30, 30}},
    {SKL, "lzd (M1_NM, 4) RU(0,0)<1> V(0,0)<1;1,0>", {32, 31, 30, 30}},
    {SKL, "bfrev (M1_NM, 4) RU(0,0)<1> V(0,0)<1;1,0>", {0, 0x80000000, 0x40000000, 0xc0000000}},
    {SKL, "bfe (M1_NM, 4) RU(0,0)<1> 0x4:ud 0x4:ud 0x1a5:ud", F(0xa)},
    {SKL,
     "bfi (M1_NM, 4) RU(0,0)<1> 0x4:ud 0x4:ud V(0,0)<1;1,0> 0xffffffff:ud",
     {0xffffff0f, 0xffffff1f, 0xffffff2f, 0xffffff3f}},
    {DG2, "bfn.x96 (M1_NM, 4) RU(0,0)<1> V(0,0)<1;1,0> 0x1:ud 0x2:ud", {3, 2, 1, 0}},
    /* moves, predicates, addresses */
    {SKL, "mov (M1_NM, 4) R(0,0)<1> A(0,4)<1;1,0>", {4, 5, 6, 7}},
    {SKL, "setp (M1_NM, 8) P1 0x5:ud\n    (P1) sel (M1_NM, 4) R(0,0)<1> A(0,0)<1;1,0> 0x9:d", {0, 9, 2, 9}},
    {SKL,
     "cmp.ge (M1_NM, 8) P1 A(0,0)<1;1,0> 0x2:d\n    not (M1_NM, 8) P2 P1\n    mov (M1_NM, 1) R(0,0)<1> P1\n    mov "
     "(M1_NM, 1) "
     "R(0,1)<1> P2",
     {0xfc, 3, 0, 0}},
    {SKL, "movs (M1_NM, 1) R(0,0)<1> T7(0)", {1, 0, 0, 0}},
    {SKL, "addr_add (M1_NM, 1) A0(0)<1> &A 0x8:uw\n    mov (M1_NM, 4) R(0,0)<1> r[A0(0),4]<1;1,0>:d", {3, 4, 5, 6}},
    /* control flow; what does nothing */
    {SKL,
     "cmp.ge (M1, 8) P1 A(0,0)<1;1,0> 0x2:d\n    (P1) goto (M1, 8) l1\n    mov (M1, 8) R(0,0)<1> 0x7:d\nl1:",
     {7, 7, 0, 0}},
    {SKL, "jmp (M1, 1) l1\n    mov (M1, 8) R(0,0)<1> 0x7:d\nl1:", {0, 0, 0, 0}},
    {SKL,
     "switchjmp (M1, 1) 0x1:d (l1, l2)\nl1:\n    mov (M1, 8) R(0,0)<1> 0x7:d\nl2:\n    add (M1, 8) R(0,0)<1> "
     "R(0,0)<1;1,0> 0x1:d",
     {1, 1, 1, 1}},
    {SKL,
     "call (M1, 8) sub\n" STORE
     "    ret (M1, 1)\n.function \"sub\"\n\nsub:\n    mov (M1, 8) R(0,0)<1> 0x3:d\n    ret (M1, 8)\n",
     {3, 3, 3, 3}},
    {SKL,
     "lifetime.start R\n    .loc 7\n    fence_global.E\n    sampler_cache_flush\n    yield\n    wait "
     "%null(0,0)<0;1,0>\n    mov (M1_NM, 4) "
     "R(0,0)<1> 0x2:d\n    lifetime.end A",
     F(2)},
    {DG2, "lsc_fence.ugm.none.group\n    breakpoint\n    mov (M1_NM, 4) R(0,0)<1> 0x2:d", F(2)},
    {SKL, "barrier\n    sbarrier.signal\n    sbarrier.wait\n    mov (M1_NM, 4) R(0,0)<1> 0x2:d", F(2)},
    {PVC, "nbarrier.signal 0x1:ub 0x1:ub\n    nbarrier.wait 0x1:ub\n    mov (M1_NM, 4) R(0,0)<1> 0x2:d", F(2)},
    /* surfaces */
    {SKL, "oword_ld (1) T6 0x1:ud R.0", {4, 5, 6, 7}},
    {SKL, "oword_ld_unaligned (1) T6 0x8:ud R.0", {2, 3, 4, 5}},
    {SKL, "oword_st (1) T6 0x8:ud A.0\n    oword_ld (1) T6 0x8:ud R.0", {0, 1, 2, 3}},
    {SKL, "gather.4 (M1, 8) T6 0x1:ud V.0 R.0", {1, 2, 3, 4}},
    {SKL,
     "scatter.4 (M1, 8) T6 0x20:ud V.0 F.0\n    gather.4 (M1, 8) T6 0x20:ud V.0 R.0",
     {0x3f800000, 0x40000000, 0x40400000, 0x40800000}},
    {PVC, "mul (M1_NM, 2) X(0,0)<1> A(0,0)<1;1,0> 0x10:ud\n    qw_gather.1 (M1, 2) T6 X.0 R.0", {0, 1, 4, 5}},
    {PVC,
     "mul (M1_NM, 2) X(0,0)<1> A(0,0)<1;1,0> 0x10:ud\n    qw_scatter.1 (M1, 2) T6 X.0 A.0\n    svm_block_ld (2) "
     "OUT(0,0)<0;1,0> B.0\n"
     "    mov (M1_NM, 2) RU(0,0)<1> B(0,0)<1;1,0>\n    mov (M1_NM, 2) RU(0,2)<1> B(0,4)<1;1,0>",
     {0, 1, 2, 3}},
    {SKL,
     "gather4_scaled.RG (M1, 8) T6 0x8:ud O.0 X.0\n    mov (M1_NM, 2) RU(0,0)<1> X(0,0)<1;1,0>\n    mov (M1_NM, 2) "
     "RU(0,2)<1> "
     "X(1,0)<1;1,0>",
     {2, 3, 3, 4}},
    {SKL,
     "scatter4_scaled.R (M1, 8) T6 0x40:ud O.0 A.0\n    gather4_scaled.R (M1, 8) T6 0x40:ud O.0 R.0",
     {0, 1, 2, 3}},
    {SKL, "gather_scaled.2 (M1, 8) T6 0x8:ud O.0 R.0", {2, 3, 4, 5}},
    {SKL,
     "scatter4_scaled.R (M1, 8) T6 0x0:ud O.0 F.0\n    gather_scaled.1 (M1, 8) T6 0x3:ud O.0 R.0",
     {0x3f, 0x40, 0x40, 0x40}},
    {SKL,
     "scatter4_scaled.R (M1, 8) T6 0x0:ud O.0 F.0\n    gather_scaled.2 (M1, 8) T6 0x2:ud O.0 R.0",
     {0x3f80, 0x4000, 0x4040, 0x4080}},
    {SKL,
     "scatter4_scaled.R (M1, 8) T6 0x0:ud O.0 F.0\n    gather_scaled.4 (M1, 8) T6 0x0:ud O.0 R.0",
     {0x3f800000, 0x40000000, 0x40400000, 0x40800000}},
    {SKL, "scatter_scaled.2 (M1, 8) T6 0x2:ud O.0 A.0\n    oword_ld (1) T6 0x0:ud R.0", {0, 0x10001, 0x20002, 0x30003}},
    {SKL,
     "scatter_scaled.4 (M1, 8) T6 0x0:ud O.0 F.0\n    oword_ld (1) T6 0x0:ud R.0",
     {0x3f800000, 0x40000000, 0x40400000, 0x40800000}},
    {SKL, "scatter_scaled.1 (M1, 8) T6 0x1:ud O.0 A.0\n    oword_ld (1) T6 0x0:ud R.0", {0, 0x101, 0x202, 0x303}},
    {SKL,
     "dword_atomic.inc (M1, 1) T6 O.0 %null.0 %null.0 R.0\n    dword_atomic.inc (M1, 1) T6 O.0 %null.0 %null.0 R.32\n"
     "    mov (M1_NM, 1) R(0,1)<1> R(1,0)<0;1,0>",
     {0, 1, 0, 0}},
    /* flat addresses */
    {SKL, "svm_block_ld (1) Q(0,3)<0;1,0> R.0", {3, 4, 5, 6}},
    {SKL, "svm_block_st (1) Q(0,8)<0;1,0> A.0\n    svm_block_ld (1) Q(0,8)<0;1,0> R.0", {0, 1, 2, 3}},
    {SKL, "svm_gather.4.1 (M1, 8) Q.0 R.0", {0, 1, 2, 3}},
    {SKL,
     "svm_gather.4.2 (M1, 8) Q.0 X.0\n    mov (M1_NM, 2) RU(0,0)<1> X(0,0)<1;1,0>\n    mov (M1_NM, 2) RU(0,2)<1> "
     "X(1,0)<1;1,0>",
     {0, 1, 1, 2}},
    {SKL,
     "svm_scatter.4.1 (M1, 8) Q.0 F.0\n    add (M1_NM, 8) Q(0,0)<1> Q(0,0)<1;1,0> 0x2:uw\n    svm_gather.1.2 (M1, 8) Q.0 "
     "X.0\n    mov (M1_NM, 4) RU(0,0)<1> X(0,0)<1;1,0>\n    and (M1_NM, 4) RU(0,0)<1> RU(0,0)<1;1,0> 0xffff:ud",
     {0x3f80, 0x4000, 0x4040, 0x4080}},
    {SKL,
     "svm_scatter.4.1 (M1, 8) Q.0 F.0\n    svm_block_ld (1) OUT(0,0)<0;1,0> R.0",
     {0x3f800000, 0x40000000, 0x40400000, 0x40800000}},
    {SKL, "svm_atomic.inc (M1, 8) Q.0 R.0 %null.0 %null.0\n    svm_gather.4.1 (M1, 8) Q.0 R.0", {1, 2, 3, 4}},
    {SKL, "svm_gather4scaled.R (M1, 8) 0x4:ud Q.0 R.0", {1, 2, 3, 4}},
    {SKL, "svm_scatter4scaled.R (M1, 8) 0x4:ud Q.0 A.0\n    svm_block_ld (1) OUT(0,0)<0;1,0> R.0", {0, 0, 1, 2}},
    {SKL, "raw_send (M1, 8) 0xc 1 1 0x2106e00:ud O.0 R.0", {0, 1, 2, 3}},
    {SKL,
     "raw_sends.12.1.1.1 (M1, 8) 0x0:ud 0x210b700:ud O.0 A.0 R.0\n    svm_gather.4.1 (M1, 8) Q.0 R.0",
     {0, 2, 4, 6}},
    /* LSC */
    {PVC, "lsc_load.ugm (M1, 16) R:d32 flat[Q]:a64", {0, 1, 2, 3}},
    {PVC, "lsc_load_strided.ugm (M1, 16) R:d32 flat[Q,0x8]:a64", {0, 2, 4, 6}},
    {PVC, "lsc_load_quad.ugm (M1, 16) R:d32.y flat[Q]:a64", {1, 2, 3, 4}},
    {PVC, "lsc_load_block2d.ugm (M1_NM, 1) R:d32.1x2x2nn flat[OUT,0x3f,0x7,0x3f,0x0,0x0]", {0, 1, 16, 17}},
    {PVC, "lsc_load_block2d.ugm (M1, 16) R:d32.1x2x2nn flat[OUT,0x3f,0x7,0x3f,0x0,0x0]", {0, 1, 16, 17}},
    {PVC, "lsc_load_block2d.ugm (M1, 16) R:d32.1x2x2tn flat[OUT,0x3f,0x7,0x3f,0x1,0x2]", {33, 49, 34, 50}},
    {PVC,
     "lsc_store_block2d.ugm (M1, 16) flat[OUT,0x3f,0x7,0x3f,0x0,0x0] F:d32.1x2x2nn\n    lsc_load.ugm (M1, 16) R:d32 "
     "flat[Q]:a64",
     {0x3f800000, 0x40000000, 2, 3}},
    {PVC,
     "lsc_store.ugm (M1, 16) flat[Q]:a64 F:d32\n    lsc_load.ugm (M1, 16) R:d32 flat[Q]:a64",
     {0x3f800000, 0x40000000, 0x40400000, 0x40800000}},
    {PVC,
     "lsc_store_strided.ugm (M1, 16) flat[Q,0x8]:a64 F:d32\n    lsc_load.ugm (M1, 16) R:d32 flat[Q]:a64",
     {0x3f800000, 1, 0x40000000, 3}},
    {PVC, "lsc_store_quad.ugm (M1, 16) flat[Q]:a64 A:d32.y\n    lsc_load.ugm (M1, 16) R:d32 flat[Q]:a64", {0, 0, 1, 2}},
    {PVC,
     "lsc_store_block2d.ugm (M1_NM, 1) flat[OUT,0x3f,0x7,0x3f,0x0,0x0] F:d32.1x2x2nn\n    lsc_load.ugm (M1, 16) R:d32 "
     "flat[Q]:a64",
     {0x3f800000, 0x40000000, 2, 3}},
    {DG2,
     "lsc_store_uncompressed.ugm (M1, 8) flat[Q]:a64 F:d32\n    lsc_load.ugm (M1, 8) R:d32 flat[Q]:a64",
     {0x3f800000, 0x40000000, 0x40400000, 0x40800000}},
    {DG2, "lsc_load_quad.tgm (M1, 8) R:d32.x bti(0x1)[V]:a32", {0, 0x3f800000, 0x40000000, 0x40400000}},
    {DG2,
     "lsc_store_quad.tgm (M1, 8) bti(0x1)[V]:a32 A:d32.x\n    lsc_load_quad.tgm (M1, 8) R:d32.x bti(0x1)[V]:a32",
     {0, 1, 2, 3}},
    {DG2,
     "lsc_atomic_iinc.tgm (M1, 1) %null:d32 bti(0x1)[V]:a32\n    lsc_load_quad.tgm (M1, 8) R:d32.x bti(0x1)[V]:a32",
     {1, 0x3f800000, 0x40000000, 0x40400000}},
    /* images */
    {SKL, "gather4_typed.R (M1, 8) T7 V.0 %null.0 %null.0 %null.0 R.0", {0, 0x3f800000, 0x40000000, 0x40400000}},
    {SKL,
     "scatter4_typed.R (M1, 8) T7 V.0 %null.0 %null.0 %null.0 A.0\n    gather4_typed.R (M1, 8) T7 V.0 %null.0 %null.0 "
     "%null.0 R.0",
     {0, 1, 2, 3}},
    {SKL,
     "typed_atomic.inc (M1, 1) T7 V.0 %null.0 %null.0 %null.0 %null.0 %null.0 R.0\n    gather4_typed.R (M1, 8) T7 V.0 "
     "%null.0 %null.0 "
     "%null.0 R.0",
     {1, 0x3f800000, 0x40000000, 0x40400000}},
    {SKL, "media_ld.nomod (8,1) T7 0 0x4:ud 0x0:ud R.0", {0x3f800000, 0x40000000, 0, 0}},
    {SKL,
     "media_st.nomod (8,1) T7 0 0x0:ud 0x0:ud A.0\n    media_ld.nomod (16,1) T7 0 0x0:ud 0x0:ud R.0",
     {0, 1, 0x40000000, 0x40400000}},
    {SKL, "sample.R (8) S1 T7 F.0 %null.0 %null.0 R.0", {0x3f800000, 0x40000000, 0x40400000, 0x40400000}},
    {SKL, "load.R (8) T7 V.0 %null.0 %null.0 R.0", {0, 0x3f800000, 0x40000000, 0x40400000}},
    {SKL, "load_3d.R (M1, 8) 0x0:uw T7 R.0 V.0", {0, 0x3f800000, 0x40000000, 0x40400000}},
    {SKL, "load_lz.R (M1, 8) 0x0:uw T7 R.0 V.0", {0, 0x3f800000, 0x40000000, 0x40400000}},
    {SKL, "load_2dms_w.R (M1, 8) 0x0:uw T7 R.0 V.0 V.0 V.0 V.0", {0, 0, 0, 0}},
    {SKL, "load_mcs.R (M1, 8) 0x0:uw T7 R.0 V.0", {0, 0, 0, 0}},
    {SKL, "sample_3d.R (M1, 8) 0x0:uw S1 T7 RF.0 F.0", {0x3f800000, 0x40000000, 0x40400000, 0x40400000}},
    {SKL, "sample_b.R (M1, 8) 0x0:uw S1 T7 RF.0 F.0 F.0", {0x3f800000, 0x40000000, 0x40400000, 0x40400000}},
    {SKL, "sample_l.R (M1, 8) 0x0:uw S1 T7 RF.0 F.0 F.0", {0x3f800000, 0x40000000, 0x40400000, 0x40400000}},
    {SKL, "sample_d.R (M1, 8) 0x0:uw S1 T7 RF.0 F.0 F.0 F.0", {0x3f800000, 0x40000000, 0x40400000, 0x40400000}},
    {SKL, "sample_lz.R (M1, 8) 0x0:uw S1 T7 RF.0 F.0", {0x3f800000, 0x40000000, 0x40400000, 0x40400000}},
    /* the sampler's relation is gequal: the reference 1, 2, 3, 4 stands at the texels 1, 2, 3, 3 */
    {SKL, "sample_c.R (M1, 8) 0x0:uw S1 T7 RF.0 F.0 F.0", F(0x3f800000)},
    {SKL, "sample_b_c.R (M1, 8) 0x0:uw S1 T7 RF.0 F.0 F.0 F.0", F(0x3f800000)},
    {SKL, "sample_l_c.R (M1, 8) 0x0:uw S1 T7 RF.0 F.0 F.0 F.0", F(0x3f800000)},
    {SKL, "sample_d_c.R (M1, 8) 0x0:uw S1 T7 RF.0 F.0 F.0", F(0x3f800000)},
    {SKL, "sample_c_lz.R (M1, 8) 0x0:uw S1 T7 RF.0 F.0 F.0", F(0x3f800000)},
    {SKL, "lod.R (M1, 8) 0x0:uw S1 T7 RF.0 F.0", F(0)},
    {SKL,
     "sample4.R (M1, 8) 0x0:uw S1 T7 VF.0 F.0\n    mov (M1_NM, 4) RF(0,0)<1> VF(2,0)<1;1,0>", /* the upper right one */
     {0x3f800000, 0x40000000, 0x40400000, 0x40400000}},
    {SKL, "sample4_c.R (M1, 8) 0x0:uw S1 T7 VF.0 F.0 F.0\n    mov (M1_NM, 4) RF(0,0)<1> VF(2,0)<1;1,0>", F(0x3f800000)},
    {SKL,
     "mov (M1_NM, 8) X(0,0)<1> 0x0:ud\n    sample4_po.R (M1, 8) 0x0:uw S1 T7 VF.0 F.0 X.0 X.0 X.0\n    mov (M1_NM, 4) "
     "RF(0,0)<1> "
     "VF(2,0)<1;1,0>",
     {0x3f800000, 0x40000000, 0x40400000, 0x40400000}},
    {SKL,
     "mov (M1_NM, 8) X(0,0)<1> 0x0:ud\n    sample4_po_c.R (M1, 8) 0x0:uw S1 T7 VF.0 F.0 F.0 X.0 X.0 X.0\n    mov "
     "(M1_NM, 4) RF(0,0)<1> "
     "VF(2,0)<1;1,0>",
     F(0x3f800000)},
    {SKL, "resinfo.R (M1, 8) T7 V.0 RU.0", F(4)},
    {SKL, "sampleinfo.R (M1, 8) T7 RU.0", F(1)},
};

/* What is refused, by opcode; each with its name in the message. */
static const struct {
  int platform;
  uint8_t opcode;
  const char *body;
} refused[] = {
    {SKL, OG_VISA_OP_VME_IME, "vme_ime (0,0) T7 R.0 R.0 R.0 R.0 R.0 R.0"},
    {SKL, OG_VISA_OP_VME_SIC, "vme_sic T7 R.0 R.0 R.0"},
    {SKL, OG_VISA_OP_VME_FBR, "vme_fbr (0x0:ub,0x0:ub,0x0:ub) T7 R.0 R.0 R.0"},
    {SKL, OG_VISA_OP_VME_IDM, "vme_idm T7 R.0 R.0 R.0"},
    {SKL, OG_VISA_OP_AVS,
     "avs.R T7 S1 0x0:f 0x0:f 0x0:f 0x0:f 0x0:f 0x0:f 0x0:f AVS_16_FULL 0x0:ud AVS_4x4 0x0:ud R.0"},
    {SKL, OG_VISA_OP_SAMPLE_UNORM, "sample_unorm.R.16-full S1 T7 0x0:f 0x0:f 0x0:f 0x0:f R.0"},
    {SKL, OG_VISA_OP_URB_WRITE_3D, "urb_write_3d (M1, 8) 1 0 R.0 R.0 R.0 R.0"},
    {SKL, OG_VISA_OP_RT_WRITE_3D, "rt_write_3d (M1, 8) T7 R.0"},
};
/* Executed by a test of their own: functions in other files (tests/lit/visa/calls.test), pairs of threads
   (test_visa_dpas.c), a line of debug information that is no instruction. */
static const uint8_t elsewhere[] = {OG_VISA_OP_FADDR, OG_VISA_OP_FCALL, OG_VISA_OP_IFCALL,
                                    OG_VISA_OP_FRET,  OG_VISA_OP_DPASW, OG_VISA_OP_FILE};

struct seen {
  bool opcode[OG_VISA_OP_COUNT], svm[8], lsc[64], sample[32], wrong;
};

static struct og_visa_argument arguments[2];
static float texels[8];
static uint32_t *prepare(struct fixture *f) {
  arguments[0] = (struct og_visa_argument){.kind = OG_VISA_ARGUMENT_IMAGE, .buffer = texels, .size = sizeof texels};
  arguments[1] = (struct og_visa_argument){.kind = OG_VISA_ARGUMENT_SAMPLER};
  assert_true(og_visa_image_parse("r32f:4x2", 8, &arguments[0].image));
  assert_true(og_visa_sampler_parse("nearest,edge,gequal", &arguments[1].sampler));
  arguments[0].image.base = (uint8_t *)texels;
  for (uint32_t i = 0; i < 8; i++)
    texels[i] = (float)i;
  for (uint32_t i = 0; i < 256; i++)
    f->out[i] = i;
  return f->out;
}

static struct setting setting_of(int platform) {
  uint32_t simd = platform == PVC ? 16 : 8;
  return (struct setting){.platform = platform, .simd = simd, .more = arguments, .more_count = 2};
}

static const char *program(struct fixture *f, const char *body) {
  return og_arena_printf(
      f->arena,
      PRELUDE "    mov (M1_NM, 16) V(0,0)<1> A(0,0)<1;1,0>\n    mov (M1_NM, 1) AU(0,0)<1> 0x80000000:ud\n    mov "
              "(M1_NM, 4) AU(0,4)<1> A(0,0)<1;1,0>\n    setp (M1_NM, 16) P1 0x0:ud\n    %s\n" STORE,
      body);
}

static void note(struct seen *seen, const struct og_visa_kernel *kernel) {
  for (uint32_t i = 0; i < kernel->insts.count; i++) {
    const struct og_visa_inst *inst = &kernel->insts.items[i];
    seen->opcode[inst->opcode] = true;
    if (inst->opcode == OG_VISA_OP_SVM)
      seen->svm[inst->sub & 7] = true;
    if (inst->opcode == OG_VISA_OP_LSC_UNTYPED || inst->opcode == OG_VISA_OP_LSC_TYPED)
      seen->lsc[inst->sub & 63] = true;
    if (inst->opcode >= OG_VISA_OP_SAMPLE_3D && inst->opcode <= OG_VISA_OP_INFO_3D)
      seen->sample[inst->sub & 31] = true;
  }
}

static void run_rows(struct fixture *f, struct seen *seen) {
  for (size_t i = 0; i < OG_COUNT(rows); i++) {
    prepare(f);
    bool fine = run_kernel(f, setting_of(rows[i].platform), CONTEXT, program(f, rows[i].body));
    if (!fine)
      print_error("%s: %s\n", rows[i].body, message(f));
    for (uint32_t k = 0; k < 4 && fine; k++)
      if (f->out[k] != rows[i].expected[k])
        print_error("%s: element %u is 0x%x, expected 0x%x\n", rows[i].body, k, f->out[k], rows[i].expected[k]);
    seen->wrong |= !fine || memcmp(f->out, rows[i].expected, sizeof rows[i].expected) != 0;
    if (f->kernel)
      note(seen, f->kernel);
  }
}

/* ---- atomics: 40 in memory, 7 beside it; floats 2.5 and 1.5 ---- */

struct atomic {
  const char *name;
  uint32_t old, operand, second, expected;
};
enum { F25 = 0x40200000, F15 = 0x3fc00000 };
static const struct atomic older[] = {{"add", 40, 7, 0, 47},
                                      {"sub", 40, 7, 0, 33},
                                      {"inc", 40, 0, 0, 41},
                                      {"dec", 40, 0, 0, 39},
                                      {"min", 40, 7, 0, 7},
                                      {"max", 40, 7, 0, 40},
                                      {"xchg", 40, 7, 0, 7},
                                      {"cmpxchg", 40, 7, 40, 7},
                                      {"cmpxchg", 40, 7, 41, 40},
                                      {"and", 44, 7, 0, 4},
                                      {"or", 40, 7, 0, 47},
                                      {"xor", 44, 7, 0, 43},
                                      {"minsint", 40, -7u, 0, -7u},
                                      {"maxsint", 40, -7u, 0, 40},
                                      {"min", 40, -7u, 0, 40},
                                      {"predec", 40, 0, 0, 39},
                                      {"fmax", F25, F15, 0, F25},
                                      {"fmin", F25, F15, 0, F15},
                                      {"fcmpwr", F25, F15, F25, F15},
                                      {"fadd", F25, F15, 0, 0x40800000},
                                      {"fsub", F25, F15, 0, 0x3f800000}};
/* With the value to compare with first. */
static const struct atomic newer[] = {{"iinc", 40, 0, 0, 41},
                                      {"idec", 40, 0, 0, 39},
                                      {"load", 40, 0, 0, 40},
                                      {"store", 40, 7, 0, 7},
                                      {"iadd", 40, 7, 0, 47},
                                      {"isub", 40, 7, 0, 33},
                                      {"smin", 40, -7u, 0, -7u},
                                      {"smax", 40, -7u, 0, 40},
                                      {"umin", 40, -7u, 0, 40},
                                      {"umax", 40, -7u, 0, -7u},
                                      {"icas", 40, 40, 7, 7},
                                      {"icas", 40, 41, 7, 40},
                                      {"fadd", F25, F15, 0, 0x40800000},
                                      {"fsub", F25, F15, 0, 0x3f800000},
                                      {"fmin", F25, F15, 0, F15},
                                      {"fmax", F25, F15, 0, F25},
                                      {"fcas", F25, F25, F15, F15},
                                      {"and", 44, 7, 0, 4},
                                      {"or", 40, 7, 0, 47},
                                      {"xor", 44, 7, 0, 43}};

static void run_atomic(struct fixture *f, struct seen *seen, const struct atomic *a, bool lsc) {
  bool none = a->operand == 0, two = a->second != 0;
  const char *first = none ? "%null" : "V", *second = two ? "X" : "%null", *instruction;
  prepare(f)[0] = a->old;
  if (lsc)
    instruction =
        og_arena_printf(f->arena, "lsc_atomic_%s.ugm (M1, 1) B:d32 flat[Q]:a64 %s %s", a->name, first, second);
  else
    instruction = og_arena_printf(f->arena, "dword_atomic.%s (M1, 1) T6 O.0 %s.0 %s.0 B.0", a->name, first, second);
  const char *body = og_arena_printf(
      f->arena,
      "mov (M1_NM, 1) V(0,0)<1> 0x%x:ud\n    mov (M1_NM, 1) X(0,0)<1> 0x%x:ud\n    %s\n    svm_block_ld (1) "
      "OUT(0,0)<0;1,0> R.0\n    mov (M1_NM, 1) RU(0,1)<1> B(0,0)<0;1,0>",
      a->operand, a->second, instruction);
  if (!run_kernel(f, setting_of(lsc ? DG2 : SKL), CONTEXT, program(f, body)))
    fail_msg("%s: %s", instruction, message(f));
  if (f->out[0] != a->expected)
    fail_msg("%s leaves 0x%x, expected 0x%x", instruction, f->out[0], a->expected);
  uint32_t returned = strcmp(a->name, "predec") == 0 ? a->expected : a->old;
  if (f->out[1] != returned)
    fail_msg("%s yields 0x%x, expected 0x%x", instruction, f->out[1], returned);
  note(seen, f->kernel);
}

static void test_everything_is_executed_or_refused(void **state) {
  struct fixture *f = *state;
  static struct seen seen;
  run_rows(f, &seen);
  for (size_t i = 0; i < OG_COUNT(older); i++)
    run_atomic(f, &seen, &older[i], false);
  for (size_t i = 0; i < OG_COUNT(newer); i++)
    run_atomic(f, &seen, &newer[i], true);
  for (size_t i = 0; i < OG_COUNT(refused); i++) { /* by name */
    assert_false(seen.opcode[refused[i].opcode]);
    seen.opcode[refused[i].opcode] = true;
    check_fault(f, setting_of(refused[i].platform), CONTEXT, program(f, refused[i].body), "is not executed");
  }
  for (size_t i = 0; i < OG_COUNT(elsewhere); i++)
    seen.opcode[elsewhere[i]] = true;
  struct og_buffer missing = {0};
#define OPCODE(id, text, number, ...)                                                                                  \
  if (!seen.opcode[number])                                                                                            \
    og_buffer_text(&missing, " " text);
#define SVM_OPCODE(id, text, number, ...)                                                                              \
  if (!seen.svm[number])                                                                                               \
    og_buffer_text(&missing, " " text);
#include "visa/opcodes.def"
#define X(name, text, number, kind)                                                                                    \
  if (!seen.lsc[number] && kind != 'o' && number < 0x28 && number != OG_VISA_LSC_LOAD_STATUS)                          \
    og_buffer_text(&missing, " lsc_" text);
  OG_VISA_LSC_OPS(X)
#undef X
  for (unsigned i = 0; i < 30; i++)
    if (!seen.sample[i] && *og_visa_sample_names[i])
      og_buffer_printf(&missing, " %s", og_visa_sample_names[i]);
  assert_false(seen.wrong);
  if (missing.size)
    fail_msg("never executed:%.*s", (int)missing.size, (char *)missing.data);
}

int main(void) {
  const struct CMUnitTest tests[] = {TEST(test_everything_is_executed_or_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
