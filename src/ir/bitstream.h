/* bitstream.h - LLVM's bit stream: blocks, records, abbreviations (LLVM's document "LLVM Bitcode File Format"). */
#ifndef OG_IR_BITSTREAM_H
#define OG_IR_BITSTREAM_H

#include "base/base.h"

struct og_bit_operand { /* of an abbreviation */
  uint8_t kind;         /* 0: literal, 1: fixed, 2: vbr, 3: array, 4: char6, 5: blob */
  uint64_t value;
};
struct og_bit_abbreviation {
  const struct og_bit_operand *operands;
  uint32_t count;
};
struct og_bit_info { /* abbreviations that all blocks with an id have */
  uint32_t block;
  OG_VECTOR(struct og_bit_abbreviation) list;
};
struct og_bit_block { /* a block that is open */
  uint32_t id, width; /* of abbreviation ids */
  OG_VECTOR(struct og_bit_abbreviation) list;
};

struct og_bits {
  struct og_arena *arena;
  const uint8_t *bytes;
  uint64_t at, end; /* bits */
  bool failed;      /* it was read beyond its end, or something impossible was found */
  OG_VECTOR(struct og_bit_info) infos;
  OG_VECTOR(struct og_bit_block) open;
  OG_VECTOR(uint64_t) record; /* operands of the current record */
  uint32_t code;
  struct og_text blob;
};

enum og_bit_entry { OG_BIT_END, OG_BIT_BLOCK, OG_BIT_RECORD, OG_BIT_ERROR };

/* The next entry of the innermost block. Of a block the id goes to *id, and the caller enters or skips it. */
enum og_bit_entry og_bits_next(struct og_bits *bits, uint32_t *id);
bool og_bits_enter(struct og_bits *bits, uint32_t id);
bool og_bits_skip(struct og_bits *bits);

#endif
