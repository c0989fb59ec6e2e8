/* bitstream.c - LLVM's bit stream: blocks, records, abbreviations. */
#include "ir/bitstream.h"

#include <string.h>

enum { LITERAL, FIXED, VBR, ARRAY, CHAR6, BLOB, BLOCKINFO = 0, END_BLOCK = 0, ENTER = 1, DEFINE = 2,
      UNABBREVIATED = 3 };
enum { DEEPEST = 16, MOST_RECORD = 1 << 28 };

static uint64_t fail(struct og_bits *b) {
  b->failed = true;
  b->at = b->end;
  return 0;
}

static uint64_t fixed(struct og_bits *b, unsigned width) {
  if (width > 64 || b->end - b->at < width)
    return fail(b);
  uint64_t value = 0;
  for (unsigned got = 0; got < width;) {
    unsigned in_byte = (unsigned)(b->at & 7), take = OG_MIN(8 - in_byte, width - got);
    value |= (uint64_t)(b->bytes[b->at >> 3] >> in_byte & ((1u << take) - 1)) << got;
    got += take;
    b->at += take;
  }
  return value;
}

static uint64_t vbr(struct og_bits *b, unsigned width) {
  if (width < 2 || width > 32)
    return fail(b);
  uint64_t value = 0, high = (uint64_t)1 << (width - 1);
  for (unsigned shift = 0;; shift += width - 1) {
    uint64_t piece = fixed(b, width);
    if (shift < 64)
      value |= (piece & (high - 1)) << shift;
    if (!(piece & high) || b->failed)
      return value;
    if (shift > 80)
      return fail(b);
  }
}

static void align(struct og_bits *b) { b->at = OG_MIN((b->at + 31) & ~(uint64_t)31, b->end); }

static void push(struct og_bits *b, uint64_t value) { *OG_PUSH(b->arena, &b->record) = value; }

static struct og_bit_block *innermost(struct og_bits *b) {
  return b->open.count ? &b->open.items[b->open.count - 1] : NULL;
}

/* ---- abbreviations ---- */

static bool define(struct og_bits *b, struct og_bit_abbreviation *abbreviation) {
  uint64_t count = vbr(b, 5);
  if (!count || count > 256)
    return fail(b);
  struct og_bit_operand *operands = OG_NEW_ARRAY(b->arena, struct og_bit_operand, count);
  for (uint64_t i = 0; i < count && !b->failed; i++) {
    if (fixed(b, 1)) {
      operands[i] = (struct og_bit_operand){LITERAL, vbr(b, 8)};
      continue;
    }
    uint8_t kind = (uint8_t)fixed(b, 3);
    uint64_t width = kind == FIXED || kind == VBR ? vbr(b, 5) : 0;
    bool literal_zero = (kind == FIXED || kind == VBR) && !width;
    if (kind < FIXED || kind > BLOB || width > 64 || (kind == VBR && width == 1))
      return fail(b);
    operands[i] = literal_zero ? (struct og_bit_operand){LITERAL, 0} : (struct og_bit_operand){kind, width};
    if ((kind == ARRAY && i + 2 != count) || (kind == BLOB && i + 1 != count))
      return fail(b);
  }
  const struct og_bit_operand *last = &operands[count - 1];
  if (last->kind == ARRAY || (count > 1 && operands[count - 2].kind == ARRAY && last->kind == BLOB))
    return fail(b);
  *abbreviation = (struct og_bit_abbreviation){operands, (uint32_t)count};
  return !b->failed;
}

static uint64_t scalar(struct og_bits *b, const struct og_bit_operand *operand) {
  static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._";
  switch (operand->kind) {
  case LITERAL: return operand->value;
  case FIXED: return fixed(b, (unsigned)operand->value);
  case VBR: return vbr(b, (unsigned)operand->value);
  default: return (uint8_t)letters[fixed(b, 6)];
  }
}

static void read_blob(struct og_bits *b) {
  uint64_t size = vbr(b, 6);
  align(b);
  if (size > (b->end - b->at) / 8) {
    fail(b);
    return;
  }
  b->blob = (struct og_text){(const char *)b->bytes + b->at / 8, size};
  b->at += size * 8;
  align(b);
}

static bool abbreviated(struct og_bits *b, const struct og_bit_abbreviation *abbreviation) {
  for (uint32_t i = 0; i < abbreviation->count && !b->failed; i++) {
    const struct og_bit_operand *operand = &abbreviation->operands[i];
    if (operand->kind == BLOB) {
      read_blob(b);
    } else if (operand->kind == ARRAY) {
      uint64_t count = vbr(b, 6);
      const struct og_bit_operand *element = operand + 1;
      bool free_of_bits = element->kind == LITERAL; /* no input may repeat this without end */
      if (count > (free_of_bits ? 1024 : b->end - b->at))
        return fail(b);
      for (uint64_t k = 0; k < count && !b->failed; k++)
        push(b, scalar(b, element));
      break;
    } else {
      push(b, scalar(b, operand));
    }
  }
  if (b->failed || !b->record.count)
    return fail(b);
  b->code = (uint32_t)b->record.items[0];
  memmove(b->record.items, b->record.items + 1, --b->record.count * sizeof *b->record.items);
  return true;
}

static bool unabbreviated(struct og_bits *b) {
  b->code = (uint32_t)vbr(b, 6);
  uint64_t count = vbr(b, 6);
  if (count > (b->end - b->at) / 6)
    return fail(b);
  for (uint64_t i = 0; i < count && !b->failed; i++)
    push(b, vbr(b, 6));
  return !b->failed;
}

/* ---- blocks ---- */

static struct og_bit_info *info_of(struct og_bits *b, uint32_t block) {
  for (uint32_t i = 0; i < b->infos.count; i++)
    if (b->infos.items[i].block == block)
      return &b->infos.items[i];
  struct og_bit_info *info = OG_PUSH(b->arena, &b->infos);
  info->block = block;
  return info;
}

static bool read_info(struct og_bits *b) {
  uint32_t about = UINT32_MAX;
  if (!og_bits_enter(b, BLOCKINFO))
    return false;
  for (;;) {
    struct og_bit_block *block = innermost(b);
    uint32_t abbreviation = (uint32_t)fixed(b, block->width);
    if (b->failed)
      return false;
    if (abbreviation == END_BLOCK) {
      align(b);
      b->open.count--;
      return true;
    }
    if (abbreviation == DEFINE) {
      struct og_bit_abbreviation made;
      if (about == UINT32_MAX || !define(b, &made))
        return fail(b);
      struct og_bit_info *info = info_of(b, about);
      *OG_PUSH(b->arena, &info->list) = made;
      continue;
    }
    b->record.count = 0;
    if (abbreviation != UNABBREVIATED || !unabbreviated(b))
      return fail(b);
    if (b->code == 1 && b->record.count) /* SETBID */
      about = (uint32_t)b->record.items[0];
  }
}

bool og_bits_enter(struct og_bits *b, uint32_t id) {
  uint64_t width = vbr(b, 4);
  align(b);
  fixed(b, 32); /* the block's length, for readers that skip it */
  if (b->failed || width < 2 || width > 32 || b->open.count >= DEEPEST)
    return fail(b);
  struct og_bit_block *block = OG_PUSH(b->arena, &b->open);
  *block = (struct og_bit_block){.id = id, .width = (uint32_t)width};
  const struct og_bit_info *info = id == BLOCKINFO ? NULL : info_of(b, id);
  for (uint32_t i = 0; info && i < info->list.count; i++)
    *OG_PUSH(b->arena, &block->list) = info->list.items[i];
  return true;
}

bool og_bits_skip(struct og_bits *b) {
  vbr(b, 4);
  align(b);
  uint64_t words = fixed(b, 32);
  if (b->failed || words > (b->end - b->at) / 32)
    return fail(b);
  b->at += words * 32;
  return true;
}

enum og_bit_entry og_bits_next(struct og_bits *b, uint32_t *id) {
  for (;;) {
    struct og_bit_block *block = innermost(b);
    if (!block && b->end - b->at < 32)
      return OG_BIT_END;
    uint32_t abbreviation = (uint32_t)fixed(b, block ? block->width : 2);
    if (b->failed)
      return OG_BIT_ERROR;
    b->record.count = 0;
    b->blob = (struct og_text){0};
    switch (abbreviation) {
    case END_BLOCK:
      if (!block)
        return fail(b), OG_BIT_ERROR;
      align(b);
      b->open.count--;
      return OG_BIT_END;
    case ENTER:
      *id = (uint32_t)vbr(b, 8);
      if (*id != BLOCKINFO)
        return b->failed ? OG_BIT_ERROR : OG_BIT_BLOCK;
      if (!read_info(b))
        return OG_BIT_ERROR;
      continue;
    case DEFINE: {
      struct og_bit_abbreviation made;
      if (!block || !define(b, &made))
        return fail(b), OG_BIT_ERROR;
      *OG_PUSH(b->arena, &block->list) = made;
      continue;
    }
    case UNABBREVIATED: return block && unabbreviated(b) ? OG_BIT_RECORD : (fail(b), OG_BIT_ERROR);
    default:
      if (!block || abbreviation - 4 >= block->list.count || !abbreviated(b, &block->list.items[abbreviation - 4]))
        return fail(b), OG_BIT_ERROR;
      return OG_BIT_RECORD;
    }
  }
}
