/* encode.c - host code: the bytes of instructions ("Intel 64 and IA-32 SDM", volume 2, 2.3 and 2.7). */
#include "tier/encode.h"

#include <string.h>

void og_emit_byte(struct og_encoder *e, unsigned byte) {
  if (e->at < OG_CODE_MOST)
    e->bytes[e->at++] = (uint8_t)byte;
  else
    e->full = true;
}
void og_emit_u32(struct og_encoder *e, uint32_t value) {
  for (unsigned i = 0; i < 4; i++)
    og_emit_byte(e, value >> (8 * i) & 255);
}
void og_emit_u64(struct og_encoder *e, uint64_t value) {
  og_emit_u32(e, (uint32_t)value);
  og_emit_u32(e, (uint32_t)(value >> 32));
}

/* ---- places ------------------------------------------------------------------------------------------------------ */

static bool is_byte(int32_t value) { return value == (int8_t)value; }

/* ModRM, SIB and what follows; `behind`: bytes of an immediate, which addresses relative to the next instruction skip.
 * `long_offset`: EVEX counts offsets of a byte in operands. */
static void emit_place(struct og_encoder *e, unsigned reg, struct og_place place, unsigned behind, bool long_offset) {
  unsigned field = (reg & 7) << 3;
  bool short_offset = !long_offset && is_byte(place.offset);
  switch (place.kind) {
  case OG_PLACE_REGISTER: og_emit_byte(e, 0xc0 | field | (place.reg & 7)); return;
  case OG_PLACE_POOL:
    og_emit_byte(e, field | 5);
    if (e->fixup_count == OG_FIXUPS_MOST) {
      e->full = true;
      return;
    }
    e->fixups[e->fixup_count].at = e->at;
    e->fixups[e->fixup_count++].constant = (uint32_t)place.offset;
    og_emit_u32(e, behind);
    return;
  case OG_PLACE_MEMORY:
    field |= short_offset ? 0x40 : 0x80;
    if (place.index < 0 && (place.base & 7) != OG_RSP) {
      og_emit_byte(e, field | (place.base & 7));
    } else {
      og_emit_byte(e, field | 4);
      og_emit_byte(e, (place.index < 0 ? 4u : (unsigned)place.index & 7) << 3 | (place.base & 7));
    }
    if (short_offset)
      og_emit_byte(e, place.offset & 255);
    else
      og_emit_u32(e, (uint32_t)place.offset);
    return;
  }
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
  while (i + 16 <= e->pool_count && memcmp(e->pool + i, values, 64) != 0)
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

struct og_place og_constant_lanes(struct og_encoder *e, uint32_t value) {
  uint32_t row[16];
  if (e->wide) {
    struct og_place place = og_constant_place(e, value);
    place.broadcast = true;
    return place;
  }
  for (unsigned i = 0; i < OG_COUNT(row); i++)
    row[i] = value;
  return og_constant_row(e, row);
}

void og_emit_pool(struct og_encoder *e) {
  while (e->at % 64 != 0 && !e->full)
    og_emit_byte(e, 0xcc);
  uint32_t start = e->at;
  for (uint32_t i = 0; i < e->pool_count; i++)
    og_emit_u32(e, e->pool[i]);
  for (uint32_t i = 0; i < e->fixup_count && !e->full; i++) {
    uint32_t at = e->fixups[i].at, behind = og_load32(e->bytes + at);
    og_store32(e->bytes + at, start + 4 * e->fixups[i].constant - (at + 4 + behind));
  }
}

/* ---- vectors ----------------------------------------------------------------------------------------------------- */

static void emit_vex(struct og_encoder *e, uint32_t instruction, unsigned reg, unsigned first, struct og_place last,
                     bool low) {
  unsigned prefix = instruction & 3, map = instruction >> 2 & 3, w = instruction >> 5 & 1 ? 0 : instruction >> 4 & 1;
  unsigned low_reg = reg & 8 ? 0 : 0x80, others = (~first & 15) << 3 | (low ? 0 : 4) | prefix;
  if (map == 1 && w == 0 && !high_index(last) && !high_base(last)) { /* the short form */
    og_emit_byte(e, 0xc5);
    og_emit_byte(e, low_reg | others);
  } else {
    og_emit_byte(e, 0xc4);
    og_emit_byte(e, low_reg | (high_index(last) ? 0 : 0x40) | (high_base(last) ? 0 : 0x20) | map);
    og_emit_byte(e, w << 7 | others);
  }
  og_emit_byte(e, instruction >> 8 & 255);
}

static void emit_evex(struct og_encoder *e, uint32_t instruction, unsigned reg, unsigned first, struct og_place last,
                      unsigned mask, bool zero, bool low) {
  unsigned prefix = instruction & 3, map = instruction >> 2 & 3, w = instruction >> 4 & 1;
  og_emit_byte(e, 0x62);
  og_emit_byte(e, (reg & 8 ? 0 : 0x80) | (high_index(last) ? 0 : 0x40) | (high_base(last) ? 0 : 0x20) |
                      (reg & 16 ? 0 : 0x10) | map);
  og_emit_byte(e, w << 7 | (~first & 15) << 3 | 4 | prefix);
  og_emit_byte(e, (zero ? 0x80 : 0) | (low ? 0 : 0x40) | (last.broadcast ? 0x10 : 0) | (first & 16 ? 0 : 8) | mask);
  og_emit_byte(e, instruction >> 8 & 255);
}

/* Those of map 0F3A, and shifts by a constant, are followed by a byte. */
static unsigned bytes_behind(uint32_t instruction) {
  unsigned map = instruction >> 2 & 3, opcode = instruction >> 8 & 255;
  return map == 3 || (map == 1 && (opcode == 0x72 || opcode == 0x73 || opcode == 0xc2 || opcode == 0x70)) ? 1 : 0;
}

/* Of 256 bits or less; what stands where a vector register does may be a digit or a general register. */
static void emit_named(struct og_encoder *e, uint32_t instruction, unsigned reg, unsigned first, struct og_place last,
                       bool low) {
  unsigned map = instruction >> 2 & 3, opcode = instruction >> 8 & 255;
  bool shifts = map == 1 && opcode >= 0x71 && opcode <= 0x73, to_general = map == 1 && opcode == 0x50,
       from_general = map == 1 && opcode == 0x6e,
       stores = last.kind == OG_PLACE_REGISTER && map == 3 && (opcode == 0x1d || opcode == 0x19 || opcode == 0x39);
  if (!to_general)
    e->written |= UINT32_C(1) << (shifts ? first : stores ? last.reg : reg);
  if (e->names) {
    reg = shifts || to_general ? reg : e->names[reg];
    first = e->names[first];
    if (last.kind == OG_PLACE_REGISTER && !from_general)
      last.reg = e->names[last.reg];
  }
  emit_vex(e, instruction, reg, first, last, low);
  emit_place(e, reg, last, bytes_behind(instruction), false);
}

void og_emit_vector(struct og_encoder *e, uint32_t instruction, unsigned reg, unsigned first, struct og_place last,
                    unsigned mask, bool zero) {
  if (!e->wide) {
    emit_named(e, instruction, reg, first, last, false);
    return;
  }
  emit_evex(e, instruction, reg, first, last, mask, zero, false);
  emit_place(e, reg, last, bytes_behind(instruction), true);
}

void og_emit_vector_low(struct og_encoder *e, uint32_t instruction, unsigned reg, unsigned first,
                        struct og_place last) {
  if (!e->wide) {
    emit_named(e, instruction, reg, first, last, true);
    return;
  }
  emit_evex(e, instruction, reg, first, last, 0, false, true);
  emit_place(e, reg, last, bytes_behind(instruction), true);
}

void og_emit_fourth(struct og_encoder *e, unsigned reg) { og_emit_byte(e, (e->names ? e->names[reg] : reg) << 4); }

/* ---- the rest ---------------------------------------------------------------------------------------------------- */

static void emit_general(struct og_encoder *e, bool wide, unsigned opcode, unsigned reg, struct og_place last,
                         unsigned behind) {
  unsigned rex = 0x40 | (wide ? 8 : 0) | (reg & 8 ? 4 : 0) |
                 (high_index(last) && last.kind == OG_PLACE_MEMORY ? 2 : 0) | (high_base(last) ? 1 : 0);
  bool names_byte = reg >= OG_RSP || (last.kind == OG_PLACE_REGISTER && last.reg >= OG_RSP);
  if (rex != 0x40 || names_byte) /* by which bytes of these registers are their low ones */
    og_emit_byte(e, rex);
  if (opcode & 0x100)
    og_emit_byte(e, 0x0f);
  og_emit_byte(e, opcode & 255);
  emit_place(e, reg, last, behind, false);
}
void og_emit_general(struct og_encoder *e, bool wide, unsigned opcode, unsigned reg, struct og_place last) {
  emit_general(e, wide, opcode, reg, last, 0);
}
void og_emit_immediate(struct og_encoder *e, bool wide, unsigned digit, struct og_place last, uint32_t value) {
  bool is_short = is_byte((int32_t)value);
  emit_general(e, wide, is_short ? 0x83 : 0x81, digit, last, is_short ? 1 : 4);
  if (is_short)
    og_emit_byte(e, value & 255);
  else
    og_emit_u32(e, value);
}
void og_emit_load_constant(struct og_encoder *e, enum og_gpr reg, uint64_t value) {
  bool wide = value > UINT32_MAX;
  unsigned rex = 0x40 | (wide ? 8 : 0) | (reg & 8 ? 1 : 0);
  if (rex != 0x40)
    og_emit_byte(e, rex);
  og_emit_byte(e, 0xb8 | (reg & 7));
  if (wide)
    og_emit_u64(e, value);
  else
    og_emit_u32(e, (uint32_t)value);
}

uint32_t og_emit_jump(struct og_encoder *e, unsigned condition) {
  if (condition)
    og_emit_byte(e, 0x0f);
  og_emit_byte(e, condition ? condition : 0xe9);
  og_emit_u32(e, 0);
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
