/* encode.c - host code: the bytes of instructions ("Intel 64 and IA-32 SDM", volume 2, 2.3 and 2.7). */
#include "tier/encode.h"

#include <string.h>

/* Where an instruction goes: there is room for the longest one, of fifteen bytes, even if it is good for nothing. What
 * was emitted before it got full stays. */
static inline uint8_t *begin(struct og_encoder *e) {
  if (__builtin_expect(e->at > OG_CODE_MOST, 0)) {
    e->full = true;
    e->at = OG_CODE_MOST;
  }
  return e->bytes + e->at;
}
static inline void end(struct og_encoder *e, const uint8_t *to) { e->at = (uint32_t)(to - e->bytes); }

static inline uint8_t *put(uint8_t *to, unsigned byte) {
  *to = (uint8_t)byte;
  return to + 1;
}
static inline uint8_t *put_u32(uint8_t *to, uint32_t value) {
  og_store32(to, value);
  return to + 4;
}

void og_emit_byte(struct og_encoder *e, unsigned byte) { end(e, put(begin(e), byte)); }
void og_emit_u32(struct og_encoder *e, uint32_t value) { end(e, put_u32(begin(e), value)); }

/* ---- places ------------------------------------------------------------------------------------------------------ */

static bool is_byte(int32_t value) { return value == (int8_t)value; }

static uint8_t *put_pool(struct og_encoder *e, uint8_t *to, uint32_t constant, unsigned behind) {
  if (e->fixup_count == OG_FIXUPS_MOST) {
    e->full = true;
    return to;
  }
  e->fixups[e->fixup_count].at = (uint32_t)(to - e->bytes);
  e->fixups[e->fixup_count++].constant = constant;
  return put_u32(to, behind);
}

/* ModRM, SIB and what follows; `behind`: bytes of an immediate, which addresses relative to the next instruction
 * skip; `scales`: an offset of one byte would be of the operand's size. */
static inline uint8_t *put_place(struct og_encoder *e, uint8_t *to, unsigned reg, struct og_place place,
                                 unsigned behind, bool scales) {
  unsigned field = (reg & 7) << 3, size = is_byte(place.offset) && !scales ? 0x40 : 0x80;
  if (place.kind == OG_PLACE_REGISTER)
    return put(to, 0xc0 | field | (place.reg & 7));
  if (place.kind == OG_PLACE_POOL)
    return put_pool(e, put(to, field | 5), (uint32_t)place.offset, behind);
  if (place.offset == 0 && (place.base & 7) != OG_RBP)
    size = 0;
  if (place.index < 0 && (place.base & 7) != OG_RSP) {
    to = put(to, size | field | (place.base & 7));
  } else {
    to = put(to, size | field | 4);
    to = put(to, (place.index < 0 ? 4u : (unsigned)place.index & 7) << 3 | (place.base & 7));
  }
  og_store32(to, (uint32_t)place.offset);
  return to + (size == 0x40 ? 1 : size ? 4 : 0);
}

/* Bits 3 of what the place names: {base or register, index}. */
static bool high_base(struct og_place place) {
  return place.kind == OG_PLACE_MEMORY ? place.base >> 3 & 1 : place.kind == OG_PLACE_REGISTER && place.reg >> 3 & 1;
}
static bool high_index(struct og_place place) {
  return place.kind == OG_PLACE_MEMORY ? place.index >= 8 : place.kind == OG_PLACE_REGISTER && place.reg >> 4 & 1;
}

struct og_place og_constant_place(struct og_encoder *e, uint32_t value) {
  uint32_t i = 0;
  while (i < e->pool_count && e->pool[i] != value)
    i++;
  if (i == OG_POOL_MOST) {
    e->full = true;
    i = 0;
  } else if (i == e->pool_count) {
    e->pool[e->pool_count++] = value;
  }
  return (struct og_place){.kind = OG_PLACE_POOL, .offset = (int32_t)i};
}

struct og_place og_constant_row(struct og_encoder *e, const uint32_t values[16]) {
  uint32_t i = 0;
  while (i + 16 <= e->pool_count && (e->pool[i] != values[0] || memcmp(e->pool + i, values, 64) != 0))
    i++;
  if (i + 16 > e->pool_count) {
    if (e->pool_count + 16 > OG_POOL_MOST) {
      e->full = true;
      return (struct og_place){.kind = OG_PLACE_POOL};
    }
    i = e->pool_count;
    memcpy(e->pool + i, values, 64);
    e->pool_count += 16;
  }
  return (struct og_place){.kind = OG_PLACE_POOL, .offset = (int32_t)i};
}

struct og_place og_constant_repeated(struct og_encoder *e, uint32_t value) {
  uint32_t row[16];
  for (unsigned i = 0; i < OG_COUNT(row); i++)
    row[i] = value;
  return og_constant_row(e, row);
}

struct og_place og_constant_lanes(struct og_encoder *e, uint32_t value) {
  if (!e->wide)
    return og_constant_repeated(e, value);
  struct og_place place = og_constant_place(e, value);
  place.broadcast = true;
  return place;
}

void og_emit_pool(struct og_encoder *e) {
  uint32_t start = og_align_up(e->at, 64), size = e->pool_count * (uint32_t)sizeof *e->pool;
  if (start + size > OG_CODE_MOST) {
    e->full = true;
    return;
  }
  memset(e->bytes + e->at, 0xcc, start - e->at);
  memcpy(e->bytes + start, e->pool, size);
  e->at = start + size;
  for (uint32_t i = 0; i < e->fixup_count; i++) {
    uint32_t at = e->fixups[i].at, behind = og_load32(e->bytes + at);
    og_store32(e->bytes + at, start + 4 * e->fixups[i].constant - (at + 4 + behind));
  }
}

/* ---- vectors ----------------------------------------------------------------------------------------------------- */

static inline uint8_t *put_vex(uint8_t *to, uint32_t instruction, unsigned reg, unsigned first, struct og_place last,
                               bool low) {
  unsigned prefix = instruction & 3, map = instruction >> 2 & 3, w = instruction >> 5 & 1 ? 0 : instruction >> 4 & 1;
  unsigned high = reg & 8 ? 0 : 0x80, rest = (~first & 15) << 3 | (low ? 0 : 4) | prefix;
  bool index = high_index(last), base = high_base(last);
  if (map == 1 && !w && !index && !base) {
    to = put(put(to, 0xc5), high | rest);
  } else {
    to = put(put(to, 0xc4), high | (index ? 0 : 0x40) | (base ? 0 : 0x20) | map);
    to = put(to, w << 7 | rest);
  }
  return put(to, instruction >> 8 & 255);
}

static inline uint8_t *put_evex(uint8_t *to, uint32_t instruction, unsigned reg, unsigned first, struct og_place last,
                                unsigned mask, bool zero, bool low) {
  unsigned prefix = instruction & 3, map = instruction >> 2 & 3, w = instruction >> 4 & 1;
  to = put(to, 0x62);
  to = put(to, (reg & 8 ? 0 : 0x80) | (high_index(last) ? 0 : 0x40) | (high_base(last) ? 0 : 0x20) |
                   (reg & 16 ? 0 : 0x10) | map);
  to = put(to, w << 7 | (~first & 15) << 3 | 4 | prefix);
  to = put(to, (zero ? 0x80 : 0) | (low ? 0 : 0x40) | (last.broadcast ? 0x10 : 0) | (first & 16 ? 0 : 8) | mask);
  return put(to, instruction >> 8 & 255);
}

/* Those of map 0F3A, and shifts by a constant, are followed by a byte. */
static unsigned bytes_behind(uint32_t instruction) {
  unsigned map = instruction >> 2 & 3, opcode = instruction >> 8 & 255;
  return map == 3 || (map == 1 && (opcode == 0x72 || opcode == 0x73 || opcode == 0xc2 || opcode == 0x70)) ? 1 : 0;
}

/* Of 256 bits or less, where registers have names or what is written is noted; what stands where a vector register does
 * may be a digit or a general register. */
static void use_names(struct og_encoder *e, uint32_t instruction, unsigned *reg, unsigned *first,
                      struct og_place *last) {
  unsigned map = instruction >> 2 & 3, opcode = instruction >> 8 & 255;
  bool shifts = map == 1 && opcode >= 0x71 && opcode <= 0x73, to_general = map == 1 && opcode == 0x50,
       from_general = map == 1 && opcode == 0x6e,
       stores = last->kind == OG_PLACE_REGISTER && map == 3 && (opcode == 0x1d || opcode == 0x19 || opcode == 0x39);
  if (!to_general)
    e->written |= UINT32_C(1) << (shifts ? *first : stores ? last->reg : *reg);
  if (!e->names)
    return;
  *reg = shifts || to_general ? *reg : e->names[*reg];
  *first = e->names[*first];
  if (last->kind == OG_PLACE_REGISTER && !from_general)
    last->reg = e->names[last->reg];
}

static void emit_narrow(struct og_encoder *e, uint32_t instruction, unsigned reg, unsigned first, struct og_place last,
                        bool low) {
  if (e->names || e->notes)
    use_names(e, instruction, &reg, &first, &last);
  uint8_t *to = put_vex(begin(e), instruction, reg, first, last, low);
  end(e, put_place(e, to, reg, last, bytes_behind(instruction), false));
}

void og_emit_vector(struct og_encoder *e, uint32_t instruction, unsigned reg, unsigned first, struct og_place last,
                    unsigned mask, bool zero) {
  if (!e->wide) {
    emit_narrow(e, instruction, reg, first, last, false);
    return;
  }
  uint8_t *to = put_evex(begin(e), instruction, reg, first, last, mask, zero, false);
  end(e, put_place(e, to, reg, last, bytes_behind(instruction), true));
}

void og_emit_vector_low(struct og_encoder *e, uint32_t instruction, unsigned reg, unsigned first,
                        struct og_place last) {
  if (!e->wide) {
    emit_narrow(e, instruction, reg, first, last, true);
    return;
  }
  uint8_t *to = put_evex(begin(e), instruction, reg, first, last, 0, false, true);
  end(e, put_place(e, to, reg, last, bytes_behind(instruction), true));
}

void og_emit_fourth(struct og_encoder *e, unsigned reg) { og_emit_byte(e, (e->names ? e->names[reg] : reg) << 4); }

/* ---- the rest ---------------------------------------------------------------------------------------------------- */

/* Whether an instruction is of bytes: of registers, REX makes them the low ones of any. */
static bool is_of_bytes(unsigned opcode) {
  return opcode == 0x88 || opcode == 0x8a || (opcode & 0x1f0) == 0x190 || opcode == 0x1b6 || opcode == 0x1be;
}

static inline uint8_t *put_general(struct og_encoder *e, uint8_t *to, bool wide, unsigned opcode, unsigned reg,
                                   struct og_place last, unsigned behind) {
  unsigned rex = 0x40 | (wide ? 8 : 0) | (reg & 8 ? 4 : 0) |
                 (high_index(last) && last.kind == OG_PLACE_MEMORY ? 2 : 0) | (high_base(last) ? 1 : 0);
  if (rex != 0x40 || is_of_bytes(opcode))
    to = put(to, rex);
  if (opcode & 0x100)
    to = put(to, 0x0f);
  return put_place(e, put(to, opcode & 255), reg, last, behind, false);
}
void og_emit_general(struct og_encoder *e, bool wide, unsigned opcode, unsigned reg, struct og_place last) {
  end(e, put_general(e, begin(e), wide, opcode, reg, last, 0));
}
void og_emit_immediate(struct og_encoder *e, bool wide, unsigned digit, struct og_place last, uint32_t value) {
  bool byte = is_byte((int32_t)value);
  uint8_t *to = put_general(e, begin(e), wide, byte ? 0x83 : 0x81, digit, last, byte ? 1 : 4);
  og_store32(to, value);
  end(e, to + (byte ? 1 : 4));
}
void og_emit_load_constant(struct og_encoder *e, enum og_gpr reg, uint64_t value) {
  bool wide = value > UINT32_MAX;
  uint8_t *to = begin(e);
  if (wide || reg & 8)
    to = put(to, 0x40 | (wide ? 8 : 0) | (reg & 8 ? 1 : 0));
  to = put(to, 0xb8 | (reg & 7));
  og_store64(to, value);
  end(e, to + (wide ? 8 : 4));
}

uint32_t og_emit_jump(struct og_encoder *e, unsigned condition) {
  uint8_t *to = begin(e);
  if (condition)
    to = put(to, 0x0f);
  end(e, put_u32(put(to, condition ? condition : 0xe9), 0));
  return e->at;
}
void og_emit_land(struct og_encoder *e, uint32_t jump) {
  if (!e->full)
    og_store32(e->bytes + jump - 4, e->at - jump);
}
void og_emit_jump_to(struct og_encoder *e, unsigned condition, uint32_t target) {
  uint32_t jump = og_emit_jump(e, condition);
  if (!e->full)
    og_store32(e->bytes + jump - 4, target - jump);
}
