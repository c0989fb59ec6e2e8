/* isa.h - one decoded AMD instruction: bits <-> struct og_inst <-> text, and what the tables know about it. */
#ifndef OG_ISA_H
#define OG_ISA_H

#include "base/base.h"
#include "target/target.h"

/* How an instruction's first words are laid out. Sub-encodings (SDWA, DPP) are in og_variant. */
enum og_encoding {
  OG_ENC_SOP1, OG_ENC_SOP2, OG_ENC_SOPC, OG_ENC_SOPK, OG_ENC_SOPP, OG_ENC_SMEM,
  OG_ENC_VOP1, OG_ENC_VOP2, OG_ENC_VOPC, OG_ENC_VOP3, OG_ENC_VOP3P, OG_ENC_VOPD, OG_ENC_VINTERP,
  OG_ENC_DS, OG_ENC_FLAT, OG_ENC_MUBUF, OG_ENC_MTBUF, OG_ENC_MIMG, OG_ENC_EXP, OG_ENC_LDSDIR,
  OG_ENC_COUNT
};

enum og_variant { OG_VARIANT_NONE, OG_VARIANT_SDWA, OG_VARIANT_DPP16, OG_VARIANT_DPP8 };

enum og_operand_kind {
  OG_OPERAND_NONE,
  OG_OPERAND_VGPR, /* reg = first register */
  OG_OPERAND_AGPR,
  OG_OPERAND_SGPR, /* reg = first register, 0..105; also s[n:m] */
  OG_OPERAND_TTMP,
  OG_OPERAND_SPECIAL, /* reg = enum og_special */
  OG_OPERAND_INLINE, /* constant: value = its bits, widened to the operand's type; reg = source code 128..248 */
  OG_OPERAND_LITERAL, /* value = the literal as it stands in the code (32 or 64 bits) */
  OG_OPERAND_IMMEDIATE, /* simm16, branch distance, hwreg, sendmsg ...: value sign- or zero-extended as the row says */
  OG_OPERAND_OFF, /* no register given ("off", "null" address) */
};

/* Special registers, independent of their code in a generation. A 64-bit operand names the low half. */
enum og_special {
#define SPECIAL(id, ...) OG_SPECIAL_##id,
#include "isa/specials.def"
#undef SPECIAL
  OG_SPECIAL_COUNT
};

/* Meaning of a source operand's codes that are no scalar registers (ISA manuals, "Microcode Formats": SSRC0 of SOP1,
 * SRC0 of VOP2). */
enum og_source_code {
  OG_CODE_0 = 128,           /* the integers 0 to 64, */
  OG_CODE_64 = 192,          /* then -1 to -16 */
  OG_CODE_MINUS_16 = 208,
  OG_CODE_REAL = 240,        /* 0.5, -0.5, 1, -1, 2, -2, 4, -4, */
  OG_CODE_1_OVER_2PI = 248,  /* and from gfx8 on 1/(2*pi) */
  OG_LITERAL64 = 254,          /* from gfx1250 on */
  OG_LITERAL = 255,
  OG_CODE_VECTOR = 256       /* v0 to v255 */
};
enum { OG_SGPRS_MOST = 106, OG_VECTOR_REGISTERS = 256 }; /* of any generation, by number; as many of each kind */

/* The role of an operand in the instruction; at most one operand has each role. */
enum og_role {
  OG_ROLE_VDST, OG_ROLE_SDST, OG_ROLE_SRC0, OG_ROLE_SRC1, OG_ROLE_SRC2,
  OG_ROLE_VADDR,  /* vector address: FLAT, MUBUF, MTBUF, MIMG, DS */
  OG_ROLE_SADDR,  /* scalar address of FLAT */
  OG_ROLE_VDATA,  /* vector data stored (or loaded, MUBUF/MTBUF/MIMG); DS data0 */
  OG_ROLE_DATA1,  /* DS data1 */
  OG_ROLE_SRSRC, OG_ROLE_SSAMP, OG_ROLE_SOFFSET,
  OG_ROLE_SBASE, OG_ROLE_SDATA,
  OG_ROLE_SIMM,   /* SOPK/SOPP simm16, KIMM of v_madmk/v_fmamk (s_setreg_imm32's literal is SRC0) */
  OG_ROLE_VSRC0, OG_ROLE_VSRC1, OG_ROLE_VSRC2, OG_ROLE_VSRC3, /* EXP sources */
  OG_ROLE_TARGET, /* EXP target */
  OG_ROLE_ATTR, OG_ROLE_ATTR_CHANNEL,
  OG_ROLE_VDST_Y, OG_ROLE_SRC0_Y, OG_ROLE_SRC1_Y, OG_ROLE_SRC2_Y, /* second half of VOPD */
  OG_ROLE_VADDR1, OG_ROLE_VADDR2, OG_ROLE_VADDR3, OG_ROLE_VADDR4, OG_ROLE_VADDR5, OG_ROLE_VADDR6, OG_ROLE_VADDR7,
  OG_ROLE_VADDR8, OG_ROLE_VADDR9, OG_ROLE_VADDR10, OG_ROLE_VADDR11, OG_ROLE_VADDR12, /* NSA addresses */
  OG_ROLE_SCALE0, OG_ROLE_SCALE1, /* scales of scaled matrix instructions */
  OG_ROLE_OFFSET,                 /* an offset among the operands (SMEM); its value is mod[OG_MOD_OFFSET] */
  OG_ROLE_IDX,
  OG_ROLE_COUNT
};

enum og_operand_flags {
  OG_NEG = 1, OG_ABS = 2, /* float input modifiers */
  OG_SEXT = 4,            /* SDWA integer input modifier */
  OG_HALF_HI = 8,         /* true16 "v1.h" */
  OG_LIT = 32,            /* a literal written as lit(x) is printed so */
  OG_PLAIN = 64,          /* a literal of 64 bits written without lit64() */
};

struct og_operand {
  uint8_t kind;   /* enum og_operand_kind */
  uint8_t role;   /* enum og_role */
  uint8_t dwords; /* registers it spans; 0 for none */
  uint8_t flags;  /* enum og_operand_flags */
  uint16_t reg;
  uint64_t value;
};

/* Modifiers, by index into og_inst.mod. Absent ones are 0 unless said otherwise; op_sel_hi's default is the row's. */
enum og_mod {
  OG_MOD_CLAMP, OG_MOD_OMOD, /* 0, 1 = *2, 2 = *4, 3 = /2 */
  OG_MOD_OP_SEL, OG_MOD_OP_SEL_HI, OG_MOD_NEG_LO, OG_MOD_NEG_HI, /* bit i = source i; op_sel bit 3 = destination */
  OG_MOD_DPP_CTRL, OG_MOD_ROW_MASK, OG_MOD_BANK_MASK, OG_MOD_BOUND_CTRL, OG_MOD_FI, OG_MOD_DPP8,
  OG_MOD_DST_SEL, OG_MOD_DST_UNUSED, OG_MOD_SRC0_SEL, OG_MOD_SRC1_SEL, /* SDWA, the encoded values */
  OG_MOD_OFFSET,  /* signed where the encoding is */
  OG_MOD_OFFSET0, OG_MOD_OFFSET1, /* DS two-address forms */
  OG_MOD_GDS,
  OG_MOD_CPOL,    /* cache policy bits, generation-independent: enum og_cpol */
  OG_MOD_OFFEN, OG_MOD_IDXEN, OG_MOD_ADDR64, OG_MOD_LDS, OG_MOD_TFE, OG_MOD_LWE,
  OG_MOD_DMASK, OG_MOD_UNORM, OG_MOD_DA, OG_MOD_R128, OG_MOD_A16, OG_MOD_D16, OG_MOD_DIM,
  OG_MOD_FORMAT,  /* MTBUF: dfmt | nfmt << 4 up to gfx9, unified format from gfx10 */
  OG_MOD_EN, OG_MOD_COMPR, OG_MOD_DONE, OG_MOD_VM, OG_MOD_ROW_EN,
  OG_MOD_WAIT_VDST, OG_MOD_WAIT_VM_VSRC, OG_MOD_WAIT_EXP,
  OG_MOD_CBSZ, OG_MOD_ABID, OG_MOD_BLGP, OG_MOD_INDEX_KEY,
  OG_MOD_MATRIX_A_FMT, OG_MOD_MATRIX_B_FMT, OG_MOD_MATRIX_A_SCALE, OG_MOD_MATRIX_B_SCALE,
  OG_MOD_MATRIX_A_SCALE_FMT, OG_MOD_MATRIX_B_SCALE_FMT, OG_MOD_MATRIX_A_REUSE, OG_MOD_MATRIX_B_REUSE,
  OG_MOD_BYTE_SEL, OG_MOD_BITOP3, OG_MOD_HIGH, OG_MOD_SWZ, OG_MOD_SCALE_SEL,
  OG_MOD_COUNT
};

struct og_inst {
  uint16_t row;           /* which instruction, on any generation: index of og_row() */
  uint16_t form;          /* how it is encoded on this generation; internal to src/isa */
  uint8_t encoding;       /* enum og_encoding */
  uint8_t variant;        /* enum og_variant */
  uint8_t size;           /* bytes, literal included */
  uint8_t operand_count;
  struct og_operand operands[16]; /* in the order of the assembly text, destinations first */
  int32_t mod[OG_MOD_COUNT];
};

/* Cache policy as LLVM numbers it. Up to gfx11 the first four; gfx12: th in bits 0..2, scope in bits 3..4. */
enum og_cpol {
  OG_CPOL_GLC = 1, OG_CPOL_SLC = 2, OG_CPOL_DLC = 4, OG_CPOL_SCC = 16,
  OG_CPOL_NV = 32, OG_CPOL_SCALE_OFFSET = 2048,
};
/* gfx940: sc0, nt, sc1 are GLC, SLC, SCC. */

/* The operand with that role, or NULL. */
static inline const struct og_operand *og_operand(const struct og_inst *inst, enum og_role role) {
  for (unsigned i = 0; i < inst->operand_count; i++)
    if (inst->operands[i].role == role)
      return &inst->operands[i];
  return NULL;
}

/* ---- rows: facts that hold for an instruction on every generation ------------------------------------------------ */

enum og_row_flag {
  OG_FLAG_LOAD = 1 << 0, OG_FLAG_STORE = 1 << 1, OG_FLAG_ATOMIC = 1 << 2,
  OG_FLAG_BRANCH = 1 << 3, OG_FLAG_TERMINATOR = 1 << 4, OG_FLAG_CALL = 1 << 5, OG_FLAG_RETURN = 1 << 6,
  OG_FLAG_NO_FALLTHROUGH = 1 << 7, /* execution never reaches what follows */
  OG_FLAG_SALU = 1 << 8, OG_FLAG_VALU = 1 << 9, OG_FLAG_TRANS = 1 << 10, OG_FLAG_CONVERGENT = 1 << 11,
  OG_FLAG_SIDE_EFFECTS = 1 << 12, OG_FLAG_GATHER4 = 1 << 13, OG_FLAG_READS_MODE = 1 << 14, OG_FLAG_GWS = 1 << 15,
  OG_FLAG_LOW = 1 << 16, OG_FLAG_HIGH = 1 << 17, /* fills one half of the result's register and keeps the other */
  OG_FLAG_KEEPS = 1 << 18, /* keeps the other half of a 16-bit result, which its generation mostly zeroes; a scalar
                              result is kept whole under a condition */
  OG_FLAG_WHOLE = 1 << 20, /* a 16-bit result that fills its whole register */
  OG_FLAG_RELATIVE = 1 << 19, /* touches registers that M0, a stack or a mask in M0 name */
};

/* Counters that an instruction raises until its data has arrived, by generation: VM and LGKM up to gfx11, VS for stores
 * on gfx10 and gfx11, EXP for exports and late reads of gfx6; on gfx12 one per kind of memory, on gfx12.5 also X for
 * addresses (AMDGPU backend guide, "Memory Model"; ISA manuals, "Data Dependency Resolution"). */
enum og_counter {
  OG_COUNTER_VM = 1, OG_COUNTER_VS = 2, OG_COUNTER_LGKM = 4, OG_COUNTER_EXP = 8,
  OG_COUNTER_LOAD = 16, OG_COUNTER_STORE = 32, OG_COUNTER_DS = 64, OG_COUNTER_KM = 128, OG_COUNTER_SAMPLE = 256,
  OG_COUNTER_BVH = 512, OG_COUNTER_ASYNC = 1024, OG_COUNTER_TENSOR = 2048, OG_COUNTER_X = 4096,
};

/* Registers read or written that appear in neither the text nor the bits. */
enum og_implicit {
  OG_IMPLICIT_EXEC = 1, OG_IMPLICIT_VCC = 2, OG_IMPLICIT_SCC = 4, OG_IMPLICIT_M0 = 8, OG_IMPLICIT_MODE = 16,
  OG_IMPLICIT_FLAT_SCRATCH = 32, OG_IMPLICIT_ASYNC = 64, OG_IMPLICIT_TENSOR = 128,
};

/* Other facts about an instruction that its operands do not show. */
enum og_trait {
  OG_TRAIT_WAIT = 1 << 0,          /* waits until counters have fallen */
  OG_TRAIT_REVERSED = 1 << 1,      /* computes with its first two sources exchanged; not set for pairs */
  OG_TRAIT_DOT = 1 << 2,           /* sums the products of packed elements */
  OG_TRAIT_MFMA = 1 << 3,          /* multiplies matrices in passes that write while they read: gfx908 to gfx950 */
  OG_TRAIT_ANY_FORMAT = 1 << 4,    /* modifiers give the matrices formats of 8, 6 or 4 bits */
  OG_TRAIT_ONE_SCALAR = 1 << 5,    /* reads one scalar value; others of the generation read two */
  OG_TRAIT_DOUBLE_ALU = 1 << 6,    /* runs on the unit for doubles, though it computes none */
  OG_TRAIT_LANE_CONTROLS = 1 << 7, /* op_sel has fi and bound_ctrl of the lanes that are read */
  OG_TRAIT_SDWA = 1 << 8,          /* the instruction exists in SDWA too */
  OG_TRAIT_MSAA = 1 << 9,          /* reads images of several samples only */
  OG_TRAIT_FROM_LDS = 1 << 10,     /* what it stores comes from LDS */
  OG_TRAIT_DECODE_ONLY = 1 << 11,  /* another form encodes these bits too */
  /* How LLVM reads text. */
  OG_TRAIT_LLVM_E32 = 1 << 12,         /* takes the suffix _e32 whatever the encoding */
  OG_TRAIT_LLVM_IMPLIED_VCC = 1 << 13, /* may leave out vcc in VOP2 */
  OG_TRAIT_LLVM_WIDE_FIRST = 1 << 14,  /* with this first half a pair is VOPD3 before VOPD */
  OG_TRAIT_LLVM_RESULT_SEL = 1 << 15,  /* op_sel may name the result, which has no bit of it */
  OG_TRAIT_LLVM_SIGNS_X = 1 << 16,     /* source 0 of a pair's first half may have a sign, as in VOPD3, */
  OG_TRAIT_LLVM_SIGNS_Y = 1 << 17,     /* source 0 of the second half may, too */
  OG_TRAIT_LLVM_ODD = 1 << 18,         /* disassembled sources of several registers may begin at an odd one */
};

/* What an image's address holds besides its coordinates, and which texels are read. */
enum og_image_part {
  OG_IMAGE_OFFSET = 1, OG_IMAGE_BIAS = 2, OG_IMAGE_COMPARE = 4, OG_IMAGE_DERIVATIVES = 8,
  OG_IMAGE_G16 = 16,                       /* derivatives of 16 bits */
  OG_IMAGE_LOD = 32, OG_IMAGE_MIP = 64,  /* a level, as a float or an integer */
  OG_IMAGE_CLAMP = 128,
  OG_IMAGE_NO_COORDINATES = 256,           /* the level alone */
  OG_IMAGE_RAY = 512,                      /* the address of a tree's node, and a ray */
  OG_IMAGE_NODE64 = 1024,                  /* the same with 64 bits for the node */
  OG_IMAGE_ZERO = 2048,                    /* level 0, which is not in the address */
  OG_IMAGE_GATHER = 4096,                  /* four texels of one component */
  OG_IMAGE_HORIZONTAL = 8192,              /* of one row */
};

struct og_row {
  uint32_t name;    /* in og_isa_names */
  int16_t commuted; /* og_row_commuted() */
};

/* The canonical mnemonic, gfx900's where the instruction exists there; by enum og_row_id of generated/isa/rows.h. */
const char *og_row_name(unsigned row);
/* The row that computes the same with sources 0 and 1 exchanged, modifiers and all: itself where they commute, -1 where
 * there is none. It does not say which of two NaNs a result gets. A generation may have only one of the two rows, and
 * an encoding may take a kind of operand for one source only. */
int og_row_commuted(unsigned row);

/* ---- forms: one way to encode one row on one generation ---------------------------------------------------------- */

enum og_takes { /* what an operand may be */
  OG_TAKES_NONE,
  OG_TAKES_VGPR, OG_TAKES_AGPR, OG_TAKES_VGPR_AGPR, OG_TAKES_SGPR, /* SGPR: any scalar register */
  OG_TAKES_SGPR_INLINE, OG_TAKES_SGPR_LITERAL,           /* SGPR or inline constant; or literal too */
  OG_TAKES_VGPR_SGPR_INLINE, OG_TAKES_VGPR_SGPR_LITERAL,
  OG_TAKES_VGPR_INLINE, OG_TAKES_AGPR_INLINE, OG_TAKES_VGPR_LITERAL,
  OG_TAKES_VCC,        /* the word vcc (vcc_lo in wave32), not encoded */
  OG_TAKES_OFF,        /* the word "off", not encoded */
  OG_TAKES_KIMM,       /* 32 (or 64) bits behind the instruction */
  OG_TAKES_IMM,        /* plain number of the field's width */
  OG_TAKES_SIMM,       /* 16 bits, signed or unsigned */
  OG_TAKES_BRANCH, OG_TAKES_HWREG, OG_TAKES_SENDMSG, OG_TAKES_WAITCNT, OG_TAKES_DEPCTR, OG_TAKES_DELAY_ALU,
  OG_TAKES_ENDPGM,     /* number that may be left out */
  OG_TAKES_GPR_IDX_MODE, OG_TAKES_EXP_TARGET,
  OG_TAKES_INTERP_SLOT, OG_TAKES_ATTR, OG_TAKES_ATTR_CHANNEL, /* attr0.x is two operands without a separator */
  OG_TAKES_OFFSET,     /* number into mod[OG_MOD_OFFSET] */
  OG_TAKES_WAIT_EVENT, OG_TAKES_VERSION,
};

enum og_type { /* how constants are read and written */
  OG_TYPE_B32, OG_TYPE_I16, OG_TYPE_F16, OG_TYPE_BF16, OG_TYPE_I32, OG_TYPE_F32, OG_TYPE_I64, OG_TYPE_F64,
  OG_TYPE_V2I16, OG_TYPE_V2F16, OG_TYPE_V2BF16, OG_TYPE_V2I32, OG_TYPE_V2F32,
  OG_TYPE_V2F16_SPLAT,   /* inline constants stand for both halves */
  OG_TYPE_V2F16_LITERAL, /* no inline constants: all are literals */
};

/* The content of an operand. OG_TYPE_ says how constants are read, which differs for small floats. */
enum og_element {
  OG_ELEMENT_NONE, /* no registers, or data of memory and matrices: see og_form_memory(), og_form_matrix() */
  OG_ELEMENT_F64, OG_ELEMENT_F32, OG_ELEMENT_XF32, OG_ELEMENT_F16, OG_ELEMENT_BF16,
  OG_ELEMENT_FP8, OG_ELEMENT_BF8, OG_ELEMENT_FP6, OG_ELEMENT_BF6, OG_ELEMENT_F4,
  OG_ELEMENT_F8F6F4, /* one of the five above, chosen by a modifier */
  OG_ELEMENT_E8,     /* an exponent: a scale */
  OG_ELEMENT_I64, OG_ELEMENT_I32, OG_ELEMENT_I16, OG_ELEMENT_I8, OG_ELEMENT_I4,
  OG_ELEMENT_U64, OG_ELEMENT_U32, OG_ELEMENT_U16, OG_ELEMENT_U8, OG_ELEMENT_U4,
  OG_ELEMENT_IU8, OG_ELEMENT_IU4, /* a modifier (neg_lo) says whether signed */
  OG_ELEMENT_B64, OG_ELEMENT_B32, OG_ELEMENT_B16, OG_ELEMENT_B8, OG_ELEMENT_B4, /* bits, numbers or none */
  OG_ELEMENT_LANES, /* a bit for each lane of the wave */
  OG_ELEMENT_COUNT
};
/* Bits of one element; 0 if the number is not fixed. */
unsigned og_element_bits(enum og_element element);

enum og_slot_flag {
  OG_SLOT_READ = 1, OG_SLOT_WRITE = 2,
  OG_SLOT_NEG_ABS = 4, /* takes -x, |x|, neg(x), abs(x) */
  OG_SLOT_SEXT = 8,    /* takes sext(x) */
  OG_SLOT_HALF = 16,   /* a 16-bit half: v1.l, v1.h */
  OG_SLOT_SIGNED = 32, /* OG_TAKES_OFFSET, OG_TAKES_SIMM: two's complement */
  OG_SLOT_LOW = 64,    /* of the vector registers v0..v127 only */
  OG_SLOT_WAVE = 128,  /* a mask of lanes, twice as large in waves of 64: og_slot_dwords() */
  OG_SLOT_LONG_SIGNS = 256, /* no modifiers here, but those of OG_SLOT_NEG_ABS in VOP3 */
  OG_SLOT_INTEGER = 512,    /* an integer with the constants of floats: an exponent beside halves */
  OG_SLOT_ODD = 1024,       /* may begin at an odd register, unlike other tuples */
  OG_SLOT_LANE = 2048,      /* the number of a lane */
  OG_SLOT_LDS = 4096,       /* lds_direct may replace the vector register */
  /* Registers that LLVM's register class of the operand excludes. */
  OG_SLOT_NO_EXEC = 8192, OG_SLOT_NO_NULL = 16384, OG_SLOT_NO_M0 = 32768,
  OG_SLOT_ONLY_M0 = 65536, OG_SLOT_ONLY_VGPR = 131072,
};

/* A run of bits: `width` bits of the instruction from bit `at` are bits `to`... of the value. */
struct og_piece {
  uint8_t at, width, to;
};

/* An operand of a form, in the order of the text. */
struct og_slot {
  uint8_t role, takes, type; /* enum og_role, og_takes, og_type */
  uint8_t dwords;            /* the one of `sizes` that is taken if nothing else says how many */
  uint32_t flags;            /* enum og_slot_flag */
  uint32_t sizes;            /* bit n-1: n dwords are allowed; 0 if it is no register */
  struct og_piece pieces[2];        /* width 0: none */
  struct og_piece modifiers
      [4]; /* bits to: 0 neg, 1 abs or neg_hi, 2 op_sel, 3 op_sel_hi (source 0: op_sel of the destination), 4 sext */
  uint8_t element, elements; /* enum og_element, and how many; if fewer than fit, they fill a part of the register */
};

/* Bits of an operand's field. */
static inline unsigned og_slot_width(const struct og_slot *slot) {
  return OG_MAX(slot->pieces[0].to + slot->pieces[0].width, slot->pieces[1].to + slot->pieces[1].width);
}

/* A modifier of a form, in the order of the text. */
struct og_mod_slot {
  uint8_t mod;   /* enum og_mod */
  uint8_t style; /* enum og_style */
  struct og_piece pieces[4];
};

/* What a target must have for a form: one bit each, these and from OG_NEED_FEATURES on the lines of
 * isa/features.isa. */
enum og_need {
  OG_NEED_WAVE32 = 1, OG_NEED_WAVE64 = 2,
  OG_NEED_UNPACKED_D16 = 4, OG_NEED_PACKED_D16 = 8, /* 16-bit components each in a register, or two in one */
  OG_NEED_REAL_TRUE16 = 16,
  OG_NEED_FEATURES = 5
};

/* Operands, modifiers and text of many forms alike. */
struct og_shape {
  uint16_t slots, mods; /* og_slots(), og_mods() */
  uint16_t program;     /* og_program() */
  uint8_t slot_count, mod_count;
  uint8_t flags;        /* enum og_shape_flag */
};

enum og_shape_flag {
  OG_SHAPE_PACKED = 1,
  OG_SHAPE_OP_SEL = 2,
  OG_SHAPE_OP_SEL_HI = 4,
  OG_SHAPE_MIX = 8,     /* op_sel_hi is 0 unless said */
  OG_SHAPE_SOURCES = 16 /* how many sources op_sel counts that the text lacks */
};

enum og_style {
  OG_STYLE_PLAIN,
  OG_STYLE_SWIZZLE,
  OG_STYLE_RETURN, /* GLC fixed */
  OG_STYLE_SIGNED,
  OG_STYLE_FI8 /* 0xe9 or 0xea */
};

/* Tables refer to one another by numbers: the loader of a shared library would have to relocate addresses. */
extern const struct og_slot og_slot_table[];
extern const struct og_mod_slot og_mod_slot_table[];
extern const char og_isa_names[], og_isa_programs[];

static inline const struct og_slot *og_slots(const struct og_shape *shape) { return og_slot_table + shape->slots; }
static inline const struct og_mod_slot *og_mods(const struct og_shape *shape) {
  return og_mod_slot_table + shape->mods;
}
#define OG_FOR_SLOTS(slot, shape) \
  for (const struct og_slot *slot = og_slots(shape), *end_ = slot + (shape)->slot_count; slot < end_; slot++)
#define OG_FOR_MODS(mod, shape) \
  for (const struct og_mod_slot *mod = og_mods(shape), *end_ = mod + (shape)->mod_count; mod < end_; mod++)
/* The slot of that role, or of that modifier; NULL if there is none. */
static inline const struct og_slot *og_slot_of(const struct og_shape *shape, enum og_role role) {
  OG_FOR_SLOTS(slot, shape)
    if (slot->role == role)
      return slot;
  return NULL;
}
static inline const struct og_mod_slot *og_mod_slot_of(const struct og_shape *shape, enum og_mod mod) {
  OG_FOR_MODS(slot, shape)
    if (slot->mod == mod)
      return slot;
  return NULL;
}
/* The text behind the mnemonic: letters, '\1' + slot + 1, '\2' + modifier + 1. */
static inline const char *og_program(const struct og_shape *shape) { return og_isa_programs + shape->program; }

/* Whether a matrix instruction computes doubles: its addend is one. */
bool og_multiplies_doubles(const struct og_shape *shape);

struct og_form {
  uint64_t mask[2], value[2]; /* the fixed bits; [1] for bits 64..127 */
  uint64_t needs[2];          /* enum og_need, all of them; og_form_fits() */
  uint32_t name;              /* og_form_name() */
  uint32_t row_flags, traits; /* enum og_row_flag, og_trait */
  uint16_t row, shape;
  uint16_t counters;          /* enum og_counter */
  uint16_t second;  /* VOPD: row of the second half. og_find_forms() takes both names: "v_dual_x :: v_dual_y" */
  uint16_t address; /* enum og_image_part */
  uint16_t memory;  /* og_form_memory() */
  uint16_t matrix;  /* og_form_matrix() */
  uint8_t name_size;
  uint8_t issue;              /* enum og_issue */
  uint8_t latency;            /* enum og_latency_class of isa/rows.h; og_latency() */
  uint8_t encoding, variant;  /* enum og_encoding, og_variant */
  uint8_t size;               /* bytes, without a trailing literal of a source operand */
  uint8_t suffix;             /* enum og_suffix: as printed; the reader may leave it out */
  uint8_t reads, writes;      /* enum og_implicit */
  uint8_t literal_ok;         /* a source may be a literal */
};

/* The mnemonic without suffix. */
static inline const char *og_form_name(const struct og_form *form) { return og_isa_names + form->name; }

enum og_suffix { OG_SUFFIX_NONE, OG_SUFFIX_E32, OG_SUFFIX_E64, OG_SUFFIX_SDWA, OG_SUFFIX_DPP, OG_SUFFIX_E64_DPP };

/* One generation's tables with the target's features applied. */
struct og_isa {
  uint8_t generation; /* enum og_generation */
  uint8_t wave;
  uint8_t sgprs;      /* codes of s registers: 0..sgprs-1 */
  uint8_t ttmp;       /* code of ttmp0 */
  uint8_t m0, null;   /* codes; null 0 where there is none */
  bool gfx10, gfx11, gfx12, gfx1250; /* that generation or later */
  bool gfx90a;        /* gfx90a, gfx942, gfx950 */
  bool gfx940;        /* gfx942, gfx950 */
  bool marks;         /* for disassemblers: operands beyond their register class are read too, and marked when
                         printed */
  uint64_t lacks[2];  /* enum og_need: forms that need one of these are not here */
  uint64_t brought[2]; /* another generation's tables: use only forms that need one of these */
};

/* The tables of a target, made in `room`; NULL if it has none (r600). They hold no forms of other generations. */
const struct og_isa *og_isa_for(const struct og_target *target, struct og_isa *room);
/* Another generation's tables with the target's features, wave size and so on. */
const struct og_isa *og_isa_from(const struct og_target *target, enum og_generation generation, struct og_isa *room);
/* All that any processor of a generation has in waves of that size. */
const struct og_isa *og_isa_of(enum og_generation generation, unsigned wave_size);

const struct og_form *og_form(const struct og_isa *isa, unsigned form); /* og_inst.form */
unsigned og_form_count(const struct og_isa *isa);
const struct og_shape *og_shape(const struct og_isa *isa, const struct og_form *form);
/* Cycles from the form's issue until an instruction that needs its result can be issued, from isa/latencies.isa:
 * estimates for choosing an order. */
unsigned og_latency(const struct og_isa *isa, const struct og_form *form);
/* Whether a tuple of that many vector registers must begin at an even one: where matrices share them, except
 * transposed loads of three. */
bool og_begins_even(const struct og_isa *isa, const struct og_slot *slot, unsigned dwords);
/* How many vector registers of a kind the operand can name: 128 in short encodings that name halves too, else 256. */
unsigned og_vector_registers(const struct og_form *form, const struct og_slot *slot);
/* How many s and ttmp registers an instruction can name. */
unsigned og_sgpr_count(const struct og_isa *isa);
unsigned og_ttmp_count(const struct og_isa *isa);
/* Number of an operand's registers in waves of the tables' size; the smallest if there are several. */
unsigned og_slot_dwords(const struct og_isa *isa, const struct og_slot *slot);
/* Whether the generation has that register; not all of its processors have XNACK_MASK. */
bool og_special_exists(const struct og_isa *isa, enum og_special special);
const char *og_special_name(enum og_special special, unsigned dwords);
/* The register of that name on any generation, OG_SPECIAL_COUNT if there is none; *dwords 0: any number. */
enum og_special og_find_special(struct og_text name, uint8_t *dwords);
/* For a source of a vector instruction: the position of its bits in op_sel, neg and similar fields. */
static inline unsigned og_source_index(enum og_role role) {
  return role == OG_ROLE_SRC1 ? 1 : role == OG_ROLE_SRC2 ? 2 : 0;
}

/* Whether the target has what the form needs. */
bool og_form_fits(const struct og_isa *isa, const struct og_form *form);
/* The feature that the form needs and the target lacks, though others of its generation have it; NULL if there is
 * none. Wave size, true16 and 16-bit components do not count. */
const char *og_missing_feature(const struct og_isa *isa, const struct og_form *form);
/* Whether 16-bit components of buffers and images have a register each. */
bool og_unpacked_d16(const struct og_isa *isa);
/* Image addresses, which may be one tuple or many registers. */
static inline bool og_is_image_address(enum og_role role) {
  return role == OG_ROLE_VADDR || (role >= OG_ROLE_VADDR1 && role <= OG_ROLE_VADDR12);
}
/* From gfx10 on: words of an image's addresses for a dimension (SQ_RSRC_IMG_*). */
unsigned og_image_address_words(const struct og_form *form, unsigned dim, bool a16);

/* The forms that a mnemonic without suffix names, in order of preference: the smaller first. Yields their count. */
size_t og_find_forms(const struct og_isa *isa, struct og_text mnemonic, const uint16_t **forms);
/* The same for a pair of halves, by their rows. */
size_t og_find_pairs(const struct og_isa *isa, unsigned x, unsigned y, const uint16_t **forms);
/* Row of a mnemonic on any generation, -1 if there is none; asm needs it for "exists on ...". */
int og_find_row(struct og_text mnemonic);

/* ---- bits and text ----------------------------------------------------------------------------------------------- */

/* Decodes the instruction at `code`; yields its size, or 0 if the bytes are no instruction. */
size_t og_decode(const struct og_isa *isa, const uint8_t *code, size_t size, struct og_inst *inst);

/* ---- brought.c: what -mattr adds to its generation's tables */

struct og_brought {
  unsigned count;
  struct og_isa isas[6]; /* of other generations, the nearest first */
};
void og_brought_by(const struct og_target *target, bool marks, struct og_brought *out);
static inline bool og_is_brought(const struct og_isa *isa, const struct og_form *form) {
  return (form->needs[0] & isa->brought[0]) | (form->needs[1] & isa->brought[1]);
}

/* What LLVM's disassembler reads for a target: marks operands outside their register class, and reads what -mattr
 * adds. */
struct og_reader {
  struct og_isa own;
  struct og_brought brought;
};
bool og_reader_for(const struct og_target *target, struct og_reader *reader); /* false: there are no tables */
/* og_decode(); `isa` becomes the tables that the instruction came from. */
size_t og_read_inst(const struct og_reader *reader, const uint8_t *code, size_t size, struct og_inst *inst,
                    const struct og_isa **isa);

/* Whether each operand is of a kind, size and alignment that the form takes; og_decode reads more than that. false:
 * `why` says what is wrong with which operand ("operand 4 is a scalar register, which it cannot be"). */
bool og_inst_valid(const struct og_isa *isa, const struct og_inst *inst, char *why, size_t size);
/* Whether the printed text reads back to `code`, from which inst was decoded; also false if in doubt. */
bool og_reads_back(const struct og_isa *isa, const struct og_inst *inst, const uint8_t *code);
/* What the halves of a dual instruction share but must not, or NULL; *at is the operand at fault. */
const char *og_pair_fault(const struct og_isa *isa, const struct og_inst *inst, bool unknown_literal, unsigned *at);
/* The operand that holds the branch distance, in words from the instruction's end; NULL if it is no branch. */
const struct og_operand *og_branch_operand(const struct og_isa *isa, const struct og_inst *inst);
/* The target of a branch at `pc` with that distance. */
static inline uint64_t og_branch_target(const struct og_operand *distance, uint64_t pc) {
  return pc + 4 + (uint64_t)((int64_t)(int16_t)distance->value * 4);
}
/* Encodes by inst->form; yields the size, or 0 where an operand does not fit its field. */
size_t og_encode(const struct og_isa *isa, const struct og_inst *inst, uint8_t bytes[32]);
/* The operand's code in a field of a source; -1 if it has none. */
int og_operand_code(const struct og_isa *isa, const struct og_operand *operand);
/* Adds one operand's code to an instruction's words, without signs, halves and literals. */
bool og_encode_operand(const struct og_isa *isa, const struct og_form *form, const struct og_slot *slot,
                       const struct og_operand *operand, uint64_t *words);

/* Names the target of a branch: appends text for the address and yields true, or yields false for a plain number. */
struct og_symbolizer {
  bool (*name)(void *context, uint64_t address, struct og_buffer *out);
  void *context;
  uint64_t pc; /* of the instruction */
};
/* Appends the text as llvm-mc prints it, without line end or leading tab. `symbolizer` may be NULL. */
void og_print_inst(const struct og_isa *isa, const struct og_inst *inst, const struct og_symbolizer *symbolizer,
                   struct og_buffer *out);
/* Code to text without decoding all of it, for frequent instructions: appends the text and yields the size, or appends
 * nothing and yields 0; then og_decode and og_print_inst must be used. With `faithful` it prints only text that reads
 * back. The symbolizer, of which each call may find another pc, names targets of branches; NULL: nothing does. */
struct og_printer;
struct og_printer *og_printer_new(struct og_arena *arena, const struct og_isa *isa, bool faithful,
                                  const struct og_symbolizer *symbolizer);
size_t og_print_code(struct og_printer *printer, const uint8_t *code, size_t size, struct og_buffer *out);
/* For tables with `marks`: llvm-objdump's warning behind an instruction, and whether llvm-mc calls the encoding
 * potentially undefined. */
void og_put_warnings(const struct og_isa *isa, const struct og_inst *inst, struct og_buffer *out);
bool og_is_doubtful(const struct og_isa *isa, const struct og_inst *inst, const uint8_t *code);

/* The parts of that text: the mnemonic, then operands and modifiers in order, without separators. */
enum og_printed_kind { OG_PRINTED_MNEMONIC, OG_PRINTED_OPERAND, OG_PRINTED_MODIFIER };
struct og_printed {
  uint8_t kind;          /* enum og_printed_kind */
  uint8_t index;         /* of the slot or the modifier in the form's shape */
  uint16_t offset, size; /* in what og_print_parts appended */
};
enum { OG_PRINTED_MOST = 64 };
/* As og_print_inst; yields how many parts there are. */
size_t og_print_parts(const struct og_isa *isa, const struct og_inst *inst, const struct og_symbolizer *symbolizer,
                      struct og_buffer *out, struct og_printed parts[OG_PRINTED_MOST]);

#endif
