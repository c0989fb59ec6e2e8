/* proven.c - code whose text is known to assemble to it, by class: the instructions of a class differ in the numbers of
 * registers alone. What else of a number counts is kept as in replay.c, which tells why that is enough: texts that
 * differ so assemble to code that differs in the registers' bits. */
#include "inspect/proven.h"

#include "asm/instruction.h"

enum { ENTRIES = 8192, MOST = 7 };

struct og_proven {
  struct og_proven_class entries[ENTRIES];
};

struct og_proven *og_proven_new(struct og_arena *arena) { return OG_NEW(arena, struct og_proven); }

/* Bits of the register's number that do not count; 0 where all of them do. */
static unsigned free_bits(const struct og_operand *operand) {
  unsigned dwords = OG_MAX(operand->dwords, 1u);
  if (operand->kind == OG_OPERAND_VGPR)
    return operand->reg + dwords <= 256 ? 0x7e : 0;
  return operand->reg + dwords <= OG_REPLAYED_SGPRS ? 0x7f & ~(dwords > 2 ? 3 : dwords - 1) : 0;
}

bool og_proven_class(const struct og_isa *isa, const struct og_inst *inst, const uint8_t *code, size_t size,
                     struct og_proven_class *out) {
  const struct og_shape *shape = og_shape(isa, og_form(isa, inst->form));
  const struct og_operand *registers[MOST];
  unsigned count = 0, next = 0;
  if (!og_asm_numbers_are_free(inst) || size > sizeof out->words)
    return false;
  *out = (struct og_proven_class){.rest = size};
  for (size_t i = 0; i < size; i += 4)
    out->words[i / 8] |= (uint64_t)og_load32(code + i) << 8 * (i % 8);
  for (unsigned i = 0; i < shape->slot_count; i++) {
    const struct og_slot *slot = &og_slots(shape)[i];
    if (slot->takes == OG_TAKES_OFFSET)
      continue;
    const struct og_operand *operand = &inst->operands[next++];
    if (operand->kind != OG_OPERAND_VGPR && operand->kind != OG_OPERAND_SGPR)
      continue;
    struct og_piece piece = og_asm_number_piece(slot);
    unsigned bits = slot->takes == OG_TAKES_VCC ? 0 : free_bits(operand), same = 0;
    if (!bits || !piece.width || count == MOST || operand->role != slot->role)
      return false;
    out->words[piece.at >> 6] &= ~((uint64_t)(bits >> piece.to) << (piece.at & 63));
    registers[count] = operand;
    while (registers[same]->kind != operand->kind || registers[same]->reg != operand->reg)
      same++;
    out->rest |= (uint64_t)(same + 1) << 8 * ++count;
  }
  return true;
}

static unsigned place_of(const struct og_proven_class *class) {
  uint64_t hash = class->rest;
  for (unsigned i = 0; i < OG_COUNT(class->words); i++)
    hash = (hash ^ class->words[i]) * 0xff51afd7ed558ccdu, hash ^= hash >> 32;
  return hash % ENTRIES;
}

static bool is_same(const struct og_proven_class *a, const struct og_proven_class *b) {
  return !((a->words[0] ^ b->words[0]) | (a->words[1] ^ b->words[1]) | (a->words[2] ^ b->words[2]) |
           (a->rest ^ b->rest));
}

bool og_proven_has(const struct og_proven *proven, const struct og_proven_class *class) {
  unsigned place = place_of(class);
  return is_same(&proven->entries[place], class) || is_same(&proven->entries[place ^ 1], class);
}

void og_proven_add(struct og_proven *proven, const struct og_proven_class *class) {
  unsigned place = place_of(class);
  if (proven->entries[place].rest && !proven->entries[place ^ 1].rest)
    place ^= 1;
  proven->entries[place] = *class;
}
