/* test_visa_chapter.c - the operand chapter, sentence by sentence: every one that says must, may, may
 * not, only, not allowed, reserved or undefined is a row with a program that keeps it and one that breaks
 * it. Sections are the chapter's. */
#include "visa/run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

/* How the breaking program is made: text; the keeping one's bytes with some replaced ("from > to", in hexadecimal); or
   text that only a run can tell (`check`). */
enum form { TEXT, BYTES, RUN };

struct row {
  const char *section, *sentence;
  enum form form;
  const char *kept, *broken, *message;
};

/* A holds 0, B 64: what RUN's rows add to addresses. */
static const char header[] =
    ".version 4.1\n.kernel \"k\"\n"
    ".decl V32 v_type=G type=d num_elts=64 align=GRF\n.decl V33 v_type=G type=d num_elts=64 align=GRF\n"
    ".decl V34 v_type=G type=uw num_elts=64 align=GRF\n.decl V35 v_type=G type=d num_elts=4 align=dword\n"
    ".decl V36 v_type=G type=f num_elts=64 align=GRF\n.decl V37 v_type=G type=q num_elts=16 align=GRF\n"
    ".decl V38 v_type=G type=ud num_elts=4 align=dword\n"
    ".decl A0 v_type=A num_elts=16\n.decl A1 v_type=A num_elts=4\n.decl P1 v_type=P num_elts=32\n.decl P2 v_type=P "
    "num_elts=8\n"
    ".decl S0 v_type=S num_elts=1\n.decl T6 v_type=T num_elts=2\n.kernel_attr SimdSize=16\n.function \"main\"\nmain:\n";

#define ADD(d) "mov (M1_NM,16) V34(0,0)<1> 0:uw\naddr_add (M1_NM,8) A0(0)<8> &V32[0] V34(0,0)<8;8,1>\n" d
#define TO "mov (M1,8) V32(0,0)<1> "

static const struct row rows[] = {
    /* ---- operands ---- */
    {"Operands", "raw operands are contiguous: they have no region", TEXT, "oword_ld (2) T6 0:ud V32.0",
     "oword_ld (2) T6 0:ud V32.0<8;8,1>", "unexpected text after"},
    /* ---- region-based addressing ---- */
    {"Region-based addressing", "the origin's row and column must be immediate constants", TEXT, TO "V33(1,2)<1;1,0>",
     TO "V33(V35,0)<1;1,0>", "expected"},
    {"Region-based addressing", "a source element out of bounds is undefined", TEXT, TO "V33(7,0)<8;8,1>",
     TO "V33(7,1)<8;8,1>", "out of the bounds"},
    {"Region-based addressing", "a destination element out of bounds is undefined", TEXT, "mov (M1,8) V32(7,0)<1> 0:d",
     "mov (M1,8) V32(7,1)<1> 0:d", "out of the bounds"},
    {"Region-based addressing", "an address out of the address variable's bounds is undefined", TEXT,
     TO "r[A0(8),0]<1,0>:d", TO "r[A0(9),0]<1,0>:d", "address elements 9 to 16"},
    {"Region-based addressing", "a single address out of bounds is undefined", TEXT, TO "r[A1(3),0]<8;8,1>:d",
     TO "r[A1(4),0]<8;8,1>:d", "address elements 4 to 4"},
    {"Region-based addressing", "an indirect source element out of bounds is undefined", RUN,
     ADD(TO "r[A0(0),224]<8;8,1>:d"), ADD(TO "r[A0(0),228]<8;8,1>:d"), "undefined: an indirect operand reaches"},
    {"Region-based addressing", "an indirect destination element out of bounds is undefined", RUN,
     ADD("mov (M1,8) r[A0(0),224]<1>:d 0:d"), ADD("mov (M1,8) r[A0(0),-4]<1>:d 0:d"),
     "undefined: an indirect operand reaches"},
    {"Region-based addressing", "an indirect element not aligned to its type is undefined", RUN,
     ADD(TO "r[A0(0),4]<8;8,1>:d"), ADD(TO "r[A0(0),2]<8;8,1>:d"), "undefined: an indirect operand at byte"},
    {"Region-based addressing", "a row's address not aligned to the type is undefined, whichever row's", RUN,
     ADD("mov (M1_NM,1) V34(0,3)<1> 8:uw\naddr_add (M1_NM,8) A0(0)<8> &V32[0] V34(0,0)<8;8,1>\n" TO
         "r[A0(0),0]<1,0>:d"),
     ADD("mov (M1_NM,1) V34(0,3)<1> 7:uw\naddr_add (M1_NM,8) A0(0)<8> &V32[0] V34(0,0)<8;8,1>\n" TO
         "r[A0(0),0]<1,0>:d"),
     "not aligned to its type"},
    /* ---- region restrictions ---- */
    {"Region restrictions", "1: width is 1, 2, 4, 8 or 16", TEXT, "mov (M1,16) V34(0,0)<1> V34(0,0)<16;16,1>",
     "mov (M1,16) V34(0,0)<1> V34(0,0)<16;3,1>", "width 3 is not"},
    {"Region restrictions", "1: width 32 is not legal", TEXT, TO "V33(0,0)<8;8,1>",
     "mov (M1,32) V34(0,0)<1> V34(0,0)<0;32,1>", "width 32 is not"},
    {"Region restrictions", "2: vertical stride is 0, 1, 2, 4, 8, 16 or 32", TEXT,
     "mov (M1,4) V34(0,0)<1> V34(0,0)<16;2,1>", TO "V33(0,0)<12;4,1>", "vertical stride 12 is not"},
    {"Region restrictions", "3: horizontal stride is 0, 1, 2 or 4", TEXT, TO "V33(0,0)<1;4,4>", TO "V33(0,0)<8;2,3>",
     "horizontal stride 3 is not"},
    {"Region restrictions", "4: the execution size is at least the width", TEXT,
     "mov (M1,4) V32(0,0)<1> V33(0,0)<4;4,1>", "mov (M1,4) V32(0,0)<1> V33(0,0)<8;8,1>",
     "greater than the execution size"},
    {"Region restrictions", "5: a destination's horizontal stride is not 0", TEXT, "mov (M1,8) V32(0,0)<2> 0:d",
     "mov (M1,8) V32(0,0)<0> 0:d", "must not be 0"},
    {"Region restrictions", "6: a source spans at most two adjacent registers", TEXT,
     "mov (M1,16) V32(0,0)<1> V33(0,0)<1;1,0>", "mov (M1,16) V32(0,0)<1> V33(0,1)<1;1,0>", "span 3 registers"},
    {"Region restrictions", "6: a destination spans at most two adjacent registers", TEXT, "mov (M1,8) V32(0,0)<2> 0:d",
     "mov (M1,8) V32(0,0)<4> 0:d", "span 4 registers"},
    {"Region restrictions", "6: an indirect operand spans at most two adjacent registers", TEXT,
     TO "r[A0(0),0]<8;8,2>:d", TO "r[A0(0),0]<8;8,4>:d", "span at least 4 registers"},
    {"Region restrictions", "a variable less than a register lies in one: its elements never span two", TEXT,
     "mov (M1,4) V32(0,0)<1> V35(0,0)<4;4,1>", "mov (M1,8) V32(0,0)<1> V35(0,0)<4;4,1>", "out of the bounds of 'V35'"},
    {"Region restrictions", "1 for indirect operands: a multi-address operand is no destination", TEXT,
     "mov (M1,8) r[A0(0),0]<1>:d 0:d", "mov (M1,8) r[A0(0),0]<1,0>:d 0:d", "cannot be a destination"},
    {"Region restrictions", "breaking a region rule is undefined, in indirect operands too: width", TEXT,
     TO "r[A0(0),0]<4,1>:d", TO "r[A0(0),0]<3,1>:d", "width 3 is not"},
    {"Region restrictions", "breaking a region rule is undefined, in indirect operands too: strides", TEXT,
     TO "r[A0(0),0]<8;4,1>:d", TO "r[A0(0),0]<5;4,1>:d", "vertical stride 5 is not"},
    {"Region restrictions", "breaking a region rule is undefined, in indirect operands too: execution size", TEXT,
     TO "r[A0(0),0]<8;8,1>:d", TO "r[A0(0),0]<0;16,1>:d", "greater than the execution size"},
    {"Region restrictions", "breaking a region rule is undefined, in indirect operands too: destination stride", TEXT,
     "mov (M1,8) r[A0(0),0]<2>:d 0:d", "mov (M1,8) r[A0(0),0]<0>:d 0:d", "must not be 0"},
    /* ---- predication ---- */
    {"Predication", "bit 12 of the predicate field must be 0", BYTES, "(P1) mov (M1,8) V32(0,0)<1> 0:d",
     "2903 0100 > 2903 0110", "bit 12 must be 0"},
    {"Predication", "the combination 11 is reserved", BYTES, "(P1.any) mov (M1,8) V32(0,0)<1> 0:d",
     "2903 0120 > 2903 0160", "reserved"},
    {"Predication", "the predicate is one of the table's", BYTES, "(P1) mov (M1,8) V32(0,0)<1> 0:d",
     "2903 0100 > 2903 ff0f", "variable 4095 of class P"},
    {"Predication", "the mask offsets the predicate: all bits from there on must exist", TEXT,
     "(P1) mov (M3,8) V32(0,0)<1> 0:d", "(P2) mov (M3,8) V32(0,0)<1> 0:d", "channels 8 to 15 need 16"},
    {"Predication", "each channel has its bit", TEXT, "(P2) mov (M1,8) V32(0,0)<1> 0:d",
     "(P2) mov (M1,16) V32(0,0)<1> 0:d", "has 8 elements"},
    {"Predication", "only most instructions may have a predicate control: setp has none", TEXT, "setp (M1,8) P1 1:uw",
     "(P1) setp (M1,8) P1 1:uw", "no predicate"},
    {"Predication", "only most instructions may have a predicate control: oword_ld has none", TEXT,
     "oword_ld (2) T6 0:ud V32.0", "(P1) oword_ld (2) T6 0:ud V32.0", "no predicate"},
    {"Predication", "the mask's channels end at 32", TEXT, "mov (M5,16) V32(0,0)<1> 0:d", "mov (M7,16) V32(0,0)<1> 0:d",
     "mask M7 cannot go"},
    /* ---- vector operands ---- */
    {"Vector operands", "addresses may only appear in the address instructions: not as a source of add", TEXT,
     "mov (M1,8) V34(0,0)<1> A0(0)<8>", "add (M1,8) V34(0,0)<1> A0(0)<8> 1:uw", "cannot be a source of add"},
    {"Vector operands", "addresses may only appear in the address instructions: not as a destination of shl", TEXT,
     "mov (M1,8) A0(0)<8> V34(0,0)<8;8,1>", "shl (M1,8) A0(0)<8> V34(0,0)<8;8,1> 1:uw", "address"},
    {"Vector operands", "predicates may appear in logic instructions, not in arithmetic", TEXT, "and (M1,8) P1 P1 P2",
     "add (M1,8) P1 P1 P2", "predicate"},
    {"Vector operands", "predicates may appear as the result of a comparison, not as its source", TEXT,
     "cmp.lt (M1,8) P1 V32(0,0)<8;8,1> 0:d", "cmp.lt (M1,8) P1 P2 0:d", "predicate"},
    {"Vector operands", "predicates may appear as setp's destination, not as its source", TEXT,
     "setp (M1,8) P2 V32(0,0)<8;8,1>", "setp (M1,8) P2 P1", "predicate"},
    {"Vector operands", "an indirect operand is within one variable: address arithmetic must not cross its end", RUN,
     ADD("mov (M1,1) V33(0,0)<1> r[A0(0),252]<0;1,0>:d"), ADD("mov (M1,1) V33(0,0)<1> r[A0(0),256]<0;1,0>:d"),
     "undefined: an indirect operand reaches byte 256"},
    {"Vector operands", "a single-address region may not cross the variable's end either", RUN,
     ADD("mov (M1,2) V33(0,0)<1> r[A0(0),248]<2;2,1>:d"), ADD("mov (M1,2) V33(0,0)<1> r[A0(0),252]<2;2,1>:d"),
     "undefined: an indirect operand reaches byte 256"},
    {"Vector operands", "indirect operands may appear where general ones may: not as a raw operand", TEXT,
     "add (M1,8) r[A0(0),0]<1>:d r[A0(0),0]<8;8,1>:d 1:d", "oword_ld (2) T6 0:ud r[A0(0),0]<1>:d",
     "'r' is not declared"},
    {"Vector operands", "an immediate may only be a source", TEXT, TO "1:d", "mov (M1,8) 1:d V32(0,0)<8;8,1>",
     "expected an operand"},
    {"Vector operands", "an immediate may only be a source, in the binary form too", BYTES,
     "mov (M1,1) V32(0,0)<1> 1:d", "00 20000000 00 00 0002 05 01 01000000 > 05 01 01000000 00 20000000 00 00 2101",
     "an immediate cannot be the destination"},
    {"Vector operands", "a state variable may only appear in addr_add and movs: not in mov", TEXT,
     "movs (M1_NM,1) V38(0,0)<1> T6(0)", "mov (M1_NM,1) V32(0,0)<1> T6(0)", "state operand cannot be a source"},
    {"Vector operands", "a state variable may only appear in addr_add and movs: not as and's destination", TEXT,
     "movs (M1_NM,1) T6(0) 1:ud", "and (M1_NM,1) T6(0) V32(0,0)<0;1,0> 1:d", "state operand cannot be the destination"},
    {"Vector operands", "operand class 7 is reserved", BYTES, "mov (M1,8) V32(0,0)<1> V33(0,0)<8;8,1>",
     "00 21000000 > 07 21000000", "class 7"},
    {"Vector operands", "operand class 4 is reserved but for an address taken", BYTES,
     "add (M1,8) V32(0,0)<1> V33(0,0)<8;8,1> 0:d", "00 21000000 00 00 5502 > 04 21000000 00 00 5502",
     "reserved class 4"},
    {"Vector operands", "modifiers 6 and 7 do not exist", BYTES, "add (M1,8) V32(0,0)<1> V33(0,0)<8;8,1> 0:d",
     "00 21000000 > 38 21000000", "modifier"},
    {"Vector operands", "modifiers may only be on general and indirect operands: not on an immediate", TEXT,
     "add (M1,8) V32(0,0)<1> (-)V33(0,0)<8;8,1> 1:d", "add (M1,8) V32(0,0)<1> V33(0,0)<8;8,1> (-)1:d",
     "expected an operand"},
    {"Vector operands", "an immediate's modifier bits must be zero", BYTES,
     "add (M1,8) V32(0,0)<1> V33(0,0)<8;8,1> 1:d", "05 01 01000000 > 15 01 01000000", "modifier"},
    {"Vector operands", "an address operand's modifier bits must be zero", BYTES, "mov (M1,8) V34(0,0)<1> A0(0)<8>",
     "01 0000 00 03 > 11 0000 00 03", "modifier"},
    {"Vector operands", "a predicate operand's modifier bits must be zero", BYTES, "and (M1,8) P1 P1 P2",
     "02 0100 02 0100 02 0200 > 02 0100 12 0100 02 0200", "modifier"},
    {"Vector operands", "a state operand's modifier bits must be zero", BYTES, "movs (M1_NM,1) V38(0,0)<1> T6(0)",
     "06 00 0600 00 > 16 00 0600 00", "modifier"},
    {"Vector operands", "the modifier not may appear in and, or, xor and not", TEXT,
     "xor (M1,8) V32(0,0)<1> (~)V33(0,0)<8;8,1> 1:d", "add (M1,8) V32(0,0)<1> (~)V33(0,0)<8;8,1> 1:d",
     "may only appear in and, or, xor and not"},
    {"Vector operands", "the modifier not may not appear in moves and shifts", TEXT,
     "not (M1,8) V32(0,0)<1> (~)V33(0,0)<8;8,1>", "shl (M1,8) V32(0,0)<1> (~)V33(0,0)<8;8,1> 1:d",
     "may only appear in and, or, xor and not"},
    {"Vector operands", "arithmetic modifiers may appear in arithmetic and moves: not in logic", TEXT,
     "mov (M1,8) V32(0,0)<1> (abs)V33(0,0)<8;8,1>", "or (M1,8) V32(0,0)<1> (abs)V33(0,0)<8;8,1> 1:d",
     "takes no arithmetic modifier"},
    {"Vector operands", "arithmetic modifiers may appear in shifts: not in bit counts", TEXT,
     "asr (M1,8) V32(0,0)<1> (-)V33(0,0)<8;8,1> 1:d", "cbit (M1,8) V32(0,0)<1> (-)V33(0,0)<8;8,1>",
     "takes no arithmetic modifier"},
    /* ---- general operands ---- */
    {"General operands", "the index is one of the variables table's", BYTES, TO "V33(0,0)<8;8,1>",
     "00 21000000 > 00 21010000", "variable 289 of class G"},
    {"General operands", "the column may not cross the register's boundary", TEXT, TO "V33(1,7)<1;1,0>",
     TO "V33(1,8)<1;1,0>", "column 8 of type d is beyond the register"},
    {"General operands", "stride and width codes end at 32 elements", BYTES, TO "V33(0,0)<8;8,1>",
     "00 21000000 00 00 5502 > 00 21000000 00 00 5802", "region code 8"},
    {"General operands", "a region's upper four bits are none of its fields", BYTES, TO "V33(0,0)<8;8,1>",
     "00 21000000 00 00 5502 > 00 21000000 00 00 55f2", "reserved bits in region"},
    /* ---- address operands ---- */
    {"Address operands", "the index is one of the addresses table's", BYTES, "mov (M1,8) V34(0,0)<1> A0(0)<8>",
     "01 0000 00 03 > 01 0900 00 03", "variable 9 of class A"},
    {"Address operands", "the width is an execution size, but not 32", TEXT, "mov (M1,16) V34(0,0)<1> A0(0)<16>",
     "mov (M1,16) V34(0,0)<1> A0(0)<32>", "not 32"},
    {"Address operands", "offset and width together must not exceed the variable", TEXT,
     "mov (M1,8) V34(0,0)<1> A0(8)<8>", "mov (M1,8) V34(0,0)<1> A0(9)<8>", "address elements 9 to 16"},
    {"Address operands", "fewer elements than channels are repeated, and must exist", TEXT,
     "mov (M1,8) V34(0,0)<1> A1(0)<4>", "mov (M1,8) V34(0,0)<1> A1(1)<4>", "address elements 1 to 4"},
    {"Address operands", "a destination's width is ignored: the execution size counts", TEXT,
     "mov (M1,4) A1(0)<8> V34(0,0)<4;4,1>", "mov (M1,8) A1(0)<4> V34(0,0)<8;8,1>", "address elements 0 to 7"},
    /* ---- predicate operands ---- */
    {"Predicate operands", "a predicate may be source and destination of logic instructions: all of them", TEXT,
     "or (M1,8) P1 P1 P2", "or (M1,8) P1 P1 V32(0,0)<8;8,1>", "cannot mix predicates"},
    {"Predicate operands", "a predicate has no offset", TEXT, "not (M1,8) P1 P2", "not (M1,8) P1 P2(0)", "expected"},
    {"Predicate operands", "a predicate has no region", TEXT, "not (M1,8) P1 P2", "not (M1,8) P1 P2<8;8,1>",
     "expected"},
    {"Predicate operands", "elements count from the mask's offset on, and must exist", TEXT, "and (M1,8) P1 P1 P2",
     "and (M2,4) P1 P1 P2\nand (M3,8) P1 P1 P2", "has 8 elements, channels 8 to 15"},
    /* ---- indirect operands ---- */
    {"Indirect operands", "the index is one of the addresses table's", BYTES, TO "r[A0(0),0]<8;8,1>:d",
     "03 0000 00 0000 > 03 0500 00 0000", "variable 5 of class A"},
    {"Indirect operands", "the offset is at least -512", TEXT, TO "r[A0(0),-512]<8;8,1>:d", TO "r[A0(0),-516]<8;8,1>:d",
     "-516 is not in -512..511"},
    {"Indirect operands", "the offset is at most 511", TEXT, TO "r[A0(0),511]<8;8,1>:b", TO "r[A0(0),512]<8;8,1>:b",
     "512 is not in -512..511"},
    {"Indirect operands", "any type but v", TEXT, TO "r[A0(0),0]<8;8,1>:w", TO "r[A0(0),0]<8;8,1>:v",
     "cannot have type v"},
    {"Indirect operands", "any type but uv", TEXT, TO "r[A0(0),0]<8;8,1>:uw", TO "r[A0(0),0]<8;8,1>:uv",
     "cannot have type uv"},
    {"Indirect operands", "any type but vf", TEXT, "mov (M1,8) V36(0,0)<1> r[A0(0),0]<8;8,1>:f",
     "mov (M1,8) V36(0,0)<1> r[A0(0),0]<8;8,1>:vf", "cannot have type vf"},
    {"Indirect operands", "any type but bool", TEXT, TO "r[A0(0),0]<8;8,1>:ub", TO "r[A0(0),0]<8;8,1>:bool",
     "cannot have type bool"},
    {"Indirect operands", "an address not aligned to the type, in any lane, is undefined: destination", RUN,
     ADD("mov (M1,1) r[A0(0),16]<1>:q 0:d"), ADD("mov (M1,1) r[A0(0),12]<1>:q 0:d"),
     "not aligned to its type's 8 bytes"},
    {"Indirect operands", "an address not aligned to the type, in any lane, is undefined: words", RUN,
     ADD(TO "r[A0(0),2]<8;8,1>:w"), ADD(TO "r[A0(0),3]<8;8,1>:w"), "not aligned to its type's 2 bytes"},
    {"Indirect operands", "a null vertical stride means several addresses: as many must exist", TEXT,
     "mov (M1,4) V32(0,0)<1> r[A1(0),0]<1,0>:d", TO "r[A1(0),0]<1,0>:d", "address elements 0 to 7"},
    /* ---- immediate operands ---- */
    {"Immediate operands", "any type but bool", TEXT, TO "1:ub", TO "1:bool", "cannot be a bool"},
    {"Immediate operands", "any type but bool, in the binary form too", BYTES, TO "1:d",
     "05 01 01000000 > 05 0a 01000000", "immediate of type 10"},
    {"Immediate operands", "the high half is there for df, q and uq only", BYTES, "mov (M1,1) V37(0,0)<1> 1:q",
     "05 0d > 05 01", "opcode 0x00"},
    {"Immediate operands", "the high half is there for uq, too", BYTES, "mov (M1,1) V37(0,0)<1> 1:uq", "05 0b > 05 00",
     "opcode 0x00"},
    {"Immediate operands", "regions are not for immediates", TEXT, TO "1:d", TO "1:d<0;1,0>", "unexpected text after"},
    {"Immediate operands", "offsets are not for immediates", TEXT, TO "1:d", TO "1(0,0):d", "expected"},
    {"Immediate operands", "a packed integer is a vector of words: float instructions cannot take it", TEXT,
     "add (M1,8) V34(0,0)<1> V34(0,0)<8;8,1> 0x76543210:v", "add (M1,8) V36(0,0)<1> V36(0,0)<8;8,1> 0x76543210:v",
     "mix"},
    /* ---- state operands ---- */
    {"State operands", "the class is surface or sampler", BYTES, "movs (M1_NM,1) V38(0,0)<1> T6(0)",
     "06 00 0600 00 > 06 03 0600 00", "state operand of class 3"},
    {"State operands", "the index is one of its class's table", BYTES, "movs (M1_NM,1) V38(0,0)<1> T6(0)",
     "06 00 0600 00 > 06 00 3600 00", "variable 54 of class T"},
    {"State operands", "the offset is inside the variable", TEXT, "movs (M1_NM,1) T6(1) 0:ud",
     "movs (M1_NM,1) T6(2) 0:ud", "element 2, T6 has 2"},
    {"State operands", "a constant is no destination", TEXT, "movs (M1_NM,1) S0(0) 0:ud", "movs (M1_NM,1) 0:ud S0(0)",
     "expected an operand"},
    {"State operands",
     "a destination's region is one-dimensional: vertical stride and width are ignored, the stride is not", TEXT,
     "mov (M1,8) V32(0,0)<8;8,1> 0:d", "mov (M1,8) V32(0,0)<8;8,0> 0:d", "must not be 0"},
    /* ---- scalar operands ---- */
    {"Scalar operands", "a general operand's first element, whatever the region: it must exist", TEXT,
     "oword_ld (2) T6 V38(0,3)<8;8,1> V32.0", "oword_ld (2) T6 V38(0,4)<0;1,0> V32.0", "out of the bounds"},
    {"Scalar operands", "an indirect operand's first element, whatever the region: its address must exist", TEXT,
     "oword_ld (2) T6 r[A1(3),0]<8;8,1>:ud V32.0", "oword_ld (2) T6 r[A1(4),0]<0;1,0>:ud V32.0",
     "address elements 4 to 4"},
    {"Scalar operands", "general, indirect or immediate: no predicate", TEXT, "oword_ld (2) T6 0:ud V32.0",
     "oword_ld (2) T6 P1 V32.0", "a predicate cannot be a source"},
    {"Scalar operands", "general, indirect or immediate: no address", TEXT, "oword_ld (2) T6 V38(0,0)<0;1,0> V32.0",
     "oword_ld (2) T6 A0(0)<1> V32.0", "an address operand cannot be a source"},
    {"Scalar operands", "instructions may restrict it further: oword_ld's offset is a ud", TEXT,
     "oword_ld (2) T6 16:ud V32.0", "oword_ld (2) T6 V36(0,0)<0;1,0> V32.0", "cannot have type f"},
    /* ---- raw operands ---- */
    {"Raw operands", "may appear in memory operations: not as a destination of arithmetic", TEXT,
     "oword_ld (2) T6 0:ud V32.0", "mov (M1,8) V32.0 0:d", "expected"},
    {"Raw operands", "may appear in memory operations: not as a source of arithmetic", TEXT,
     "oword_st (2) T6 0:ud V32.0", "add (M1,8) V32(0,0)<1> V33.0 1:d", "expected"},
    {"Raw operands", "may only be a general variable: no address variable", TEXT, "oword_ld (2) T6 0:ud V32.0",
     "oword_ld (2) T6 0:ud A0.0", "is not a general variable"},
    {"Raw operands", "may only be a general variable: no predicate", TEXT, "oword_ld (2) T6 0:ud V32.0",
     "oword_ld (2) T6 0:ud P1.0", "is not a general variable"},
    {"Raw operands", "may only be a general variable: no immediate", TEXT, "oword_st (2) T6 0:ud V32.0",
     "oword_st (2) T6 0:ud 1:d", "expected an operand"},
    {"Raw operands", "no strides", TEXT, "gather_scaled.4 (M1,8) T6 0:ud V32.0 V33.0", "oword_st (2) T6 0:ud V32.0<2>",
     "unexpected text after"},
    {"Raw operands", "no modifiers", TEXT, "oword_st (2) T6 0:ud V32.0", "oword_st (2) T6 0:ud (-)V32.0",
     "expected an operand"},
    {"Raw operands", "must be aligned to a register: destination", TEXT, "oword_ld (2) T6 0:ud V32.32",
     "oword_ld (2) T6 0:ud V32.16", "must be aligned to a register"},
    {"Raw operands", "must be aligned to a register: offsets of a gather", TEXT,
     "gather4_scaled.R (M1,8) T6 0:ud V32.32 V33.0", "gather4_scaled.R (M1,8) T6 0:ud V32.4 V33.0",
     "must be aligned to a register"},
    {"Raw operands", "an element out of bounds is undefined: destination", TEXT, "oword_ld (8) T6 0:ud V32.128",
     "oword_ld (8) T6 0:ud V32.160", "out of the bounds of 'V32'"},
    {"Raw operands", "an element out of bounds is undefined: source", TEXT, "oword_st (4) T6 0:ud V33.192",
     "oword_st (4) T6 0:ud V33.208", "out of the bounds of 'V33'"},
    {"Raw operands", "the index is one of the variables table's", BYTES, "oword_ld (2) T6 0:ud V32.0",
     "20000000 0000 > 20040000 0000", "variable 1056 of class G"},
};

struct result {
  bool good;
  char message[512];
};

static struct og_visa *read_source(struct og_arena *arena, const char *body, struct og_diagnostics *diagnostics) {
  struct og_source *source = OG_NEW(arena, struct og_source);
  source->name = "t.visaasm";
  source->text = og_arena_printf(arena, "%s%s\nret (M1,1)\n", header, body);
  source->size = strlen(source->text);
  return og_visa_read_text(arena, source, OG_VISA_SKL, diagnostics);
}

static uint32_t hex_bytes(const char *text, const char *end, uint8_t *bytes) {
  uint32_t count = 0;
  for (; text < end && *text; text++)
    if (*text != ' ') {
      unsigned value;
      sscanf(text++, "%2x", &value);
      bytes[count++] = (uint8_t)value;
    }
  return count;
}

/* The last place of "from" in the bytes becomes "to". */
static void patch(struct og_buffer *binary, const char *change) {
  uint8_t from[64], to[64];
  const char *arrow = strchr(change, '>');
  assert_non_null(arrow);
  uint32_t size = hex_bytes(change, arrow, from), new_size = hex_bytes(arrow + 1, change + strlen(change), to);
  assert_int_equal(size, new_size);
  for (size_t at = binary->size - size + 1; at-- > 0;)
    if (memcmp(binary->data + at, from, size) == 0) {
      memcpy(binary->data + at, to, size);
      return;
    }
  fail_msg("the bytes '%s' are not there", change);
}

static bool verify_bytes(struct og_arena *arena, const char *body, const char *change,
                         struct og_diagnostics *diagnostics) {
  struct og_buffer binary = {0};
  struct og_visa *visa = read_source(arena, body, diagnostics);
  bool good = visa && og_visa_write_binary(visa, &binary, diagnostics);
  if (good && change)
    patch(&binary, change);
  visa = good ? og_visa_read_binary(arena, binary.data, binary.size, "t.isa", diagnostics) : NULL;
  good = visa && og_visa_verify(visa, OG_VISA_SKL, "t.isa", diagnostics);
  og_buffer_free(&binary);
  return good;
}

static bool check_run(struct og_arena *arena, const char *body, struct og_diagnostics *diagnostics) {
  struct og_visa *visa = read_source(arena, body, diagnostics);
  if (!visa || !og_visa_verify(visa, OG_VISA_SKL, "t.visaasm", diagnostics))
    return false;
  struct og_visa_unit unit = {visa, "t.visaasm"};
  struct og_vx_program *program =
      og_visa_prepare(arena, &unit, 1, visa->kernels.items[0], OG_VISA_SKL, NULL, diagnostics);
  struct og_visa_dispatch dispatch = {
      .grid = {16, 1, 1}, .group = {16, 1, 1}, .dimensions = 1, .check = true, .deadline = og_clock() + 10000000000};
  struct og_visa_statistics statistics = {0};
  return program && og_visa_run(arena, program, &dispatch, &statistics, diagnostics);
}

static struct result judge(const struct row *row, const char *body, const char *change) {
  struct og_arena *arena = og_arena_new();
  struct og_diagnostics *diagnostics = og_diagnostics_new();
  struct result result = {0};
  if (row->form == BYTES)
    result.good = verify_bytes(arena, body, change, diagnostics);
  else if (row->form == RUN)
    result.good = check_run(arena, body, diagnostics);
  else {
    struct og_visa *visa = read_source(arena, body, diagnostics);
    result.good = visa && og_visa_verify(visa, OG_VISA_SKL, "t.visaasm", diagnostics);
  }
  if (og_diagnostics_count(diagnostics))
    snprintf(result.message, sizeof result.message, "%s", og_diagnostics_at(diagnostics, 0)->message);
  assert_true(result.good == (og_diagnostics_errors(diagnostics) == 0));
  og_diagnostics_free(diagnostics);
  og_arena_free(arena);
  return result;
}

static void programs_that_keep_a_sentence_are_accepted(void **state) {
  (void)state;
  unsigned wrong = 0;
  for (size_t i = 0; i < OG_COUNT(rows); i++) {
    struct result result = judge(&rows[i], rows[i].kept, NULL);
    if (!result.good && ++wrong)
      print_error("%s: %s:\n  '%s' is refused: %s\n", rows[i].section, rows[i].sentence, rows[i].kept, result.message);
  }
  assert_int_equal(wrong, 0);
}

static void programs_that_break_a_sentence_are_refused(void **state) {
  (void)state;
  unsigned wrong = 0;
  for (size_t i = 0; i < OG_COUNT(rows); i++) {
    bool bytes = rows[i].form == BYTES;
    struct result result = judge(&rows[i], bytes ? rows[i].kept : rows[i].broken, bytes ? rows[i].broken : NULL);
    if (result.good && ++wrong)
      print_error("%s: %s:\n  '%s' is accepted\n", rows[i].section, rows[i].sentence, rows[i].broken);
    else if (!result.good && !strstr(result.message, rows[i].message) && ++wrong)
      print_error("%s: %s:\n  '%s' is refused with '%s', which does not say '%s'\n", rows[i].section, rows[i].sentence,
                  rows[i].broken, result.message, rows[i].message);
  }
  assert_int_equal(wrong, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(programs_that_keep_a_sentence_are_accepted),
      cmocka_unit_test(programs_that_break_a_sentence_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
