/* encode.h - host code: x86-64's general instructions, and vector ones as VEX (256 bits) or EVEX (512 bits) encodes
 * them. */
#ifndef OG_TIER_ENCODE_H
#define OG_TIER_ENCODE_H

#include "base/base.h"

enum og_gpr {
  OG_RAX,
  OG_RCX,
  OG_RDX,
  OG_RBX,
  OG_RSP,
  OG_RBP,
  OG_RSI,
  OG_RDI,
  OG_R8,
  OG_R9,
  OG_R10,
  OG_R11,
  OG_R12,
  OG_R13,
  OG_R14,
  OG_R15
};

/* A vector instruction: its mandatory prefix (0 none, 1 66, 2 F3, 3 F2), map (1 0F, 2 0F38, 3 0F3A), W, and opcode. */
#define OG_VEX(prefix, map, w, opcode) ((uint32_t)((prefix) | (map) << 2 | (w) << 4 | (opcode) << 8))
/* W counts with EVEX alone. */
#define OG_VEX_W1(prefix, map, opcode) (OG_VEX(prefix, map, 1, opcode) | 1u << 5)

/* Where the last operand is. */
struct og_place {
  enum { OG_PLACE_REGISTER, OG_PLACE_MEMORY, OG_PLACE_POOL } kind;
  bool broadcast;    /* EVEX: one dword for all lanes */
  uint8_t reg, base; /* enum og_gpr for base and index */
  int8_t index;      /* -1: none */
  int32_t offset;    /* from base, or the constant's number in the pool */
};
static inline struct og_place og_place_register(unsigned reg) {
  return (struct og_place){.kind = OG_PLACE_REGISTER, .reg = (uint8_t)reg};
}
static inline struct og_place og_place_memory(enum og_gpr base, int index, uint32_t offset) {
  return (struct og_place){
      .kind = OG_PLACE_MEMORY, .base = (uint8_t)base, .index = (int8_t)index, .offset = (int32_t)offset};
}

enum {
  OG_CODE_MOST = 1 << 16,
  OG_CODE_ROOM = OG_CODE_MOST + 64, /* of the memory for it: what no longer fits is found out behind an instruction */
  OG_POOL_MOST = 1024,
  OG_FIXUPS_MOST = 4096
};

/* Code as it grows. What does not fit sets `full`, and the code is good for nothing. */
struct og_encoder {
  uint8_t *bytes; /* OG_CODE_ROOM of them */
  uint32_t at;
  bool full;
  bool wide; /* 512 bits, else 256 */
  const uint8_t *names; /* of 256 bits: the vector registers that the first 32 numbers stand for; NULL: themselves */
  bool notes;       /* of 256 bits: `written` is kept: */
  uint32_t written; /* set of the numbers below 32 that instructions wrote, before they were translated */
  uint32_t pool[OG_POOL_MOST], pool_count;
  struct {
    uint32_t at, constant;
  } fixups[OG_FIXUPS_MOST];
  uint32_t fixup_count;
};

void og_emit_byte(struct og_encoder *e, unsigned byte);
void og_emit_u32(struct og_encoder *e, uint32_t value);

/* `mask`: of AVX-512, a number of k, 0 none; `zero`: lanes that it leaves out become 0. `reg`, `first`: first
 * operands. */
void og_emit_vector(struct og_encoder *e, uint32_t instruction, unsigned reg, unsigned first, struct og_place last,
                    unsigned mask, bool zero);
/* The same of 128 bits, without a mask: of a vector's first lane. */
void og_emit_vector_low(struct og_encoder *e, uint32_t instruction, unsigned reg, unsigned first, struct og_place last);

/* The byte with a register behind instructions that have four. */
void og_emit_fourth(struct og_encoder *e, unsigned reg);

/* A general instruction with a ModRM byte: `opcode` has 0x100 set where 0F goes before it. */
void og_emit_general(struct og_encoder *e, bool wide, unsigned opcode, unsigned reg, struct og_place last);
/* opcode /digit with an immediate of 32 bits: 0 add, 1 or, 4 and, 5 sub, 6 xor, 7 cmp. */
void og_emit_immediate(struct og_encoder *e, bool wide, unsigned digit, struct og_place last, uint32_t value);
void og_emit_load_constant(struct og_encoder *e, enum og_gpr reg, uint64_t value);

/* Jumps with 32 bits, by condition (0x84 equal, 0x85 not ...) or 0 for always; to a place that is yet to come. */
uint32_t og_emit_jump(struct og_encoder *e, unsigned condition);
void og_emit_land(struct og_encoder *e, uint32_t jump);
void og_emit_jump_to(struct og_encoder *e, unsigned condition, uint32_t target);

/* A constant of 32 bits as a place: the same one for equal values. */
struct og_place og_constant_place(struct og_encoder *e, uint32_t value);
/* The same in each lane: one dword that is broadcast, or, in code of 256 bits, a row of them. */
struct og_place og_constant_lanes(struct og_encoder *e, uint32_t value);
/* Sixteen dwords in a row; the same one sixteen times, for what takes none that is broadcast. */
struct og_place og_constant_row(struct og_encoder *e, const uint32_t values[16]);
struct og_place og_constant_repeated(struct og_encoder *e, uint32_t value);
/* Puts the constants behind the code. */
void og_emit_pool(struct og_encoder *e);

#endif
