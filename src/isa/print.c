/* print.c - struct og_inst to text, as LLVM's printer writes it: mnemonic, operands, and what stands between. */
#include "isa/print.h"

static void put_operand(struct og_writer *w, const struct og_slot *slot, const struct og_operand *operand) {
  switch (operand->kind) {
  case OG_OPERAND_VGPR:
    w->at = og_put_registers(w->at, 'v', operand->reg, operand->dwords);
    if (slot->flags & OG_SLOT_HALF)
      og_put(w, operand->flags & OG_HALF_HI ? ".h" : ".l");
    break;
  case OG_OPERAND_AGPR: w->at = og_put_registers(w->at, 'a', operand->reg, operand->dwords); break;
  case OG_OPERAND_SGPR: w->at = og_put_registers(w->at, 's', operand->reg, operand->dwords); break;
  case OG_OPERAND_TTMP: og_put(w, "ttm"), w->at = og_put_registers(w->at, 'p', operand->reg, operand->dwords); break;
  case OG_OPERAND_SPECIAL: og_put(w, og_special_name(operand->reg, operand->dwords)); break;
  case OG_OPERAND_INLINE: /* a real number written for a 16-bit integer is 32 bits wide */
    og_put_inline(w, operand->reg, slot->type == OG_TYPE_I16 && operand->value >> 16 ? OG_TYPE_F32 : slot->type);
    break;
  case OG_OPERAND_LITERAL:
    if (og_is_no_literal(w, slot, operand))
      og_put_plain(w, (uint32_t)operand->value, OG_TYPE_F32);
    else
      og_put_literal(w, operand, slot->type);
    break;
  case OG_OPERAND_IMMEDIATE: og_put_immediate(w, slot, operand); break;
  case OG_OPERAND_OFF: og_put(w, "off"); break;
  default: break;
  }
  og_put_mark(w, slot, operand);
}

void og_put_source(struct og_writer *w, const struct og_slot *slot, const struct og_operand *operand) {
  if (operand->flags & OG_SEXT)
    og_put(w, "sext(");
  bool constant = operand->kind == OG_OPERAND_INLINE || operand->kind == OG_OPERAND_LITERAL,
       word = operand->flags & OG_NEG && !(operand->flags & OG_ABS) && constant &&
              (og_is_bare_constant(w, operand, slot->type) || og_is_no_literal(w, slot, operand));
  if (operand->flags & OG_NEG)
    og_put(w, word ? "neg(" : "-");
  if (operand->flags & OG_ABS)
    og_put(w, "|");
  put_operand(w, slot, operand);
  if (operand->flags & OG_ABS)
    og_put(w, "|");
  if (word || operand->flags & OG_SEXT)
    og_put(w, ")");
}

/* The padded mnemonic suffix and its size. */
static const struct {
  char text[9];
  uint8_t size;
} suffixes[] = {{"", 0}, {"_e32", 4}, {"_e64", 4}, {"_sdwa", 5}, {"_dpp", 4}, {"_e64_dpp", 8}};

/* Modifiers that print nothing when their value is 0. */
static const bool silent[OG_MOD_COUNT] = {
    [OG_MOD_CLAMP] = true, [OG_MOD_OMOD] = true, [OG_MOD_OP_SEL] = true, [OG_MOD_NEG_LO] = true, [OG_MOD_NEG_HI] = true,
    [OG_MOD_OFFSET0] = true, [OG_MOD_OFFSET1] = true, [OG_MOD_GDS] = true, [OG_MOD_CPOL] = true, [OG_MOD_TFE] = true,
    [OG_MOD_LWE] = true, [OG_MOD_HIGH] = true, [OG_MOD_BOUND_CTRL] = true, [OG_MOD_FI] = true,
};

bool og_is_silent(enum og_mod mod) { return silent[mod]; }

char *og_put_name(char *at, const struct og_form *form) {
  memcpy(at, og_form_name(form), form->name_size);
  at += form->name_size;
  memcpy(at, suffixes[form->suffix].text, 8);
  return at + suffixes[form->suffix].size;
}

/* Whether the operand is nothing but registers; those are most. */
static inline bool is_plain_register(const struct og_slot *slot, const struct og_operand *operand) {
  return operand->kind <= OG_OPERAND_SGPR && operand->kind != OG_OPERAND_NONE && !operand->flags &&
         !(slot->flags & OG_SLOT_HALF);
}

/* Notes where a part begins and ends, without a modifier's leading space. */
static void note(struct og_printed *parts, size_t *count, enum og_printed_kind kind, unsigned index, size_t from,
                 size_t to, const char *text) {
  while (from < to && text[from] == ' ')
    from++;
  if (from < to && *count < OG_PRINTED_MOST)
    parts[(*count)++] = (struct og_printed){(uint8_t)kind, (uint8_t)index, (uint16_t)from, (uint16_t)(to - from)};
}

/* An operand that is not only registers. */
static void put_slot(struct og_writer *w, const struct og_slot *slot, const struct og_operand *operand) {
  if (operand)
    og_put_source(w, slot, operand);
  else if (slot->takes == OG_TAKES_OFFSET && slot->pieces[0].width == 32) /* the literal of gfx7 */
    og_put_signed_hex(w, (uint32_t)w->inst->mod[OG_MOD_OFFSET]);
  else if (slot->takes == OG_TAKES_OFFSET)
    og_put_signed_hex(w, w->inst->mod[OG_MOD_OFFSET]);
}

/* Inlined twice, so that printing without parts does not ask for them. */
static inline __attribute__((always_inline)) size_t print(struct og_writer w, struct og_printed *parts) {
  const struct og_form *form = w.form;
  const struct og_shape *shape = w.shape;
  const struct og_inst *inst = w.inst;
  size_t base = w.out->size, count = 0, from = 0;
  char *at = (char *)og_buffer_room(w.out, OG_TEXT_ROOM);
#define SIZE() ((size_t)(at - (char *)w.out->data) - base)
#define NOTE(kind, index) note(parts, &count, kind, index, from, SIZE(), (char *)w.out->data + base)
  at = og_put_name(at, form);
  if (parts)
    NOTE(OG_PRINTED_MNEMONIC, 0);
  for (const char *program = og_program(shape); *program; program++) {
    if (*program == 1) {
      unsigned index = (unsigned char)*++program - 1u;
      const struct og_slot *slot = &og_slots(shape)[index];
      const struct og_operand *operand = index < inst->operand_count && inst->operands[index].role == slot->role
                                             ? &inst->operands[index]
                                             : og_operand(inst, slot->role);
      from = parts ? SIZE() : 0;
      if (operand && is_plain_register(slot, operand) && !w.isa->marks) {
        at = og_put_registers(at, " vas"[operand->kind], operand->reg, operand->dwords);
      } else {
        w.at = at;
        put_slot(&w, slot, operand);
        at = w.at;
      }
      if (parts)
        NOTE(OG_PRINTED_OPERAND, index);
    } else if (*program == 2) {
      unsigned index = (unsigned char)*++program - 1u;
      const struct og_mod_slot *slot = &og_mods(shape)[index];
      if (!inst->mod[slot->mod] && silent[slot->mod])
        continue;
      from = parts ? SIZE() : 0;
      w.at = at;
      og_put_modifier(&w, slot);
      at = w.at;
      if (parts)
        NOTE(OG_PRINTED_MODIFIER, index);
    } else if (*program == ',' && program[1] == ' ') {
      memcpy(at, ", ", 2);
      at += 2, program++;
    } else {
      *at++ = *program;
    }
  }
#undef NOTE
#undef SIZE
  *at = 0;
  w.out->size = (size_t)(at - (char *)w.out->data);
  return count;
}

void og_print_inst(const struct og_isa *isa, const struct og_inst *inst, const struct og_symbolizer *symbolizer,
                   struct og_buffer *out) {
  const struct og_form *form = og_form(isa, inst->form);
  print((struct og_writer){isa, inst, form, &og_shapes[form->shape], symbolizer, out, NULL}, NULL);
}

size_t og_print_parts(const struct og_isa *isa, const struct og_inst *inst, const struct og_symbolizer *symbolizer,
                      struct og_buffer *out, struct og_printed parts[OG_PRINTED_MOST]) {
  const struct og_form *form = og_form(isa, inst->form);
  return print((struct og_writer){isa, inst, form, &og_shapes[form->shape], symbolizer, out, NULL}, parts);
}

