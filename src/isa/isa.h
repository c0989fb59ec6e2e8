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
  OG_OPERAND_VGPR,    /* reg = first register */
  OG_OPERAND_AGPR,
  OG_OPERAND_SGPR,    /* reg = first register, 0..105; also s[n:m] */
  OG_OPERAND_TTMP,
  OG_OPERAND_SPECIAL, /* reg = enum og_special */
  OG_OPERAND_INLINE,  /* inline constant: value = the operand's bits, already widened to the operand's type; reg = source code 128..248 */
  OG_OPERAND_LITERAL, /* value = the literal as it stands in the code (32 or 64 bits) */
  OG_OPERAND_IMMEDIATE, /* simm16, branch distance, hwreg, sendmsg, waitcnt ...: value sign- or zero-extended as the row says */
  OG_OPERAND_OFF,     /* no register given ("off", "null" address) */
};

/* Special registers, independent of their code in a generation. A 64-bit operand names the low half. */
enum og_special {
  OG_SPECIAL_VCC_LO, OG_SPECIAL_VCC_HI, OG_SPECIAL_EXEC_LO, OG_SPECIAL_EXEC_HI, OG_SPECIAL_M0, OG_SPECIAL_NULL,
  OG_SPECIAL_FLAT_SCRATCH_LO, OG_SPECIAL_FLAT_SCRATCH_HI, OG_SPECIAL_XNACK_MASK_LO, OG_SPECIAL_XNACK_MASK_HI,
  OG_SPECIAL_TBA_LO, OG_SPECIAL_TBA_HI, OG_SPECIAL_TMA_LO, OG_SPECIAL_TMA_HI,
  OG_SPECIAL_SHARED_BASE, OG_SPECIAL_SHARED_LIMIT, OG_SPECIAL_PRIVATE_BASE, OG_SPECIAL_PRIVATE_LIMIT,
  OG_SPECIAL_POPS_EXITING_WAVE_ID, OG_SPECIAL_VCCZ, OG_SPECIAL_EXECZ, OG_SPECIAL_SCC, OG_SPECIAL_LDS_DIRECT,
  OG_SPECIAL_FLAT_SCRATCH_BASE_LO, OG_SPECIAL_FLAT_SCRATCH_BASE_HI,
  OG_SPECIAL_COUNT
};

/* What an operand is to the instruction; at most one operand of each role. */
enum og_role {
  OG_ROLE_VDST, OG_ROLE_SDST, OG_ROLE_SRC0, OG_ROLE_SRC1, OG_ROLE_SRC2,
  OG_ROLE_VADDR,  /* vector address: FLAT, MUBUF, MTBUF, MIMG, DS */
  OG_ROLE_SADDR,  /* scalar address of FLAT */
  OG_ROLE_VDATA,  /* vector data stored (or loaded, MUBUF/MTBUF/MIMG); DS data0 */
  OG_ROLE_DATA1,  /* DS data1 */
  OG_ROLE_SRSRC, OG_ROLE_SSAMP, OG_ROLE_SOFFSET,
  OG_ROLE_SBASE, OG_ROLE_SDATA,
  OG_ROLE_SIMM,   /* SOPK/SOPP simm16, s_setreg's literal, KIMM of v_madmk/v_fmamk */
  OG_ROLE_VSRC0, OG_ROLE_VSRC1, OG_ROLE_VSRC2, OG_ROLE_VSRC3, /* EXP sources */
  OG_ROLE_TARGET, /* EXP target */
  OG_ROLE_ATTR, OG_ROLE_ATTR_CHANNEL,
  OG_ROLE_VDST_Y, OG_ROLE_SRC0_Y, OG_ROLE_SRC1_Y, OG_ROLE_SRC2_Y, /* second half of VOPD */
  OG_ROLE_VADDR1, OG_ROLE_VADDR2, OG_ROLE_VADDR3, OG_ROLE_VADDR4, OG_ROLE_VADDR5, OG_ROLE_VADDR6, OG_ROLE_VADDR7,
  OG_ROLE_VADDR8, OG_ROLE_VADDR9, OG_ROLE_VADDR10, OG_ROLE_VADDR11, OG_ROLE_VADDR12, /* NSA addresses */
  OG_ROLE_COUNT
};

enum og_operand_flags {
  OG_NEG = 1, OG_ABS = 2, /* float input modifiers */
  OG_SEXT = 4,            /* SDWA integer input modifier */
  OG_HALF_HI = 8,         /* true16 "v1.h" */
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
  OG_MOD_OFFEN, OG_MOD_IDXEN, OG_MOD_ADDR64, OG_MOD_LDS, OG_MOD_TFE, OG_MOD_LWE, OG_MOD_NV,
  OG_MOD_DMASK, OG_MOD_UNORM, OG_MOD_DA, OG_MOD_R128, OG_MOD_A16, OG_MOD_D16, OG_MOD_DIM,
  OG_MOD_FORMAT,  /* MTBUF: dfmt | nfmt << 4 up to gfx9, unified format from gfx10 */
  OG_MOD_EN, OG_MOD_COMPR, OG_MOD_DONE, OG_MOD_VM, OG_MOD_ROW_EN,
  OG_MOD_WAIT_VDST, OG_MOD_WAIT_VA_VDST, OG_MOD_WAIT_VM_VSRC, OG_MOD_WAIT_EXP,
  OG_MOD_CBSZ, OG_MOD_ABID, OG_MOD_BLGP, OG_MOD_INDEX_KEY,
  OG_MOD_MATRIX_A_FMT, OG_MOD_MATRIX_B_FMT, OG_MOD_MATRIX_A_SCALE, OG_MOD_MATRIX_B_SCALE,
  OG_MOD_MATRIX_A_SCALE_FMT, OG_MOD_MATRIX_B_SCALE_FMT, OG_MOD_MATRIX_A_REUSE, OG_MOD_MATRIX_B_REUSE,
  OG_MOD_SCALE_OFFSET, OG_MOD_BYTE_SEL, OG_MOD_BITOP3, OG_MOD_HIGH,
  OG_MOD_COUNT
};

struct og_inst {
  uint16_t row;           /* which instruction, whatever generation: index of og_row() */
  uint16_t form;          /* how it is encoded on this generation; internal to src/isa */
  uint8_t encoding;       /* enum og_encoding */
  uint8_t variant;        /* enum og_variant */
  uint8_t size;           /* bytes, literal included */
  uint8_t operand_count;
  struct og_operand operands[16]; /* in the order of the assembly text, destinations first */
  int32_t mod[OG_MOD_COUNT];
};

/* The operand with that role, or NULL. */
static inline const struct og_operand *og_operand(const struct og_inst *inst, enum og_role role) {
  for (unsigned i = 0; i < inst->operand_count; i++)
    if (inst->operands[i].role == role)
      return &inst->operands[i];
  return NULL;
}

#endif
