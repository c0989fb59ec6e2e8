/* machine.c - machine instructions: making them, choosing their form, printing them. */
#include "cc/machine.h"
#include "cc/alias.h"

#include "cc/memory_model.h"

#include <stdarg.h>
#include <string.h>

bool cc_refuse(struct cc_function *c, const char *format, ...) {
  char text[400];
  if (c->failed)
    return false;
  c->failed = true;
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  struct og_text name = c->m->names.items[c->global->name];
  if (c->m->source && c->record < c->f->places.count)
    return og_error(c->diagnostics, (struct og_range){c->m->source, c->f->places.items[c->record], 0},
                    "not compiled yet: %s", text);
  return og_error_in(c->diagnostics, c->m->file, "in kernel '%.*s': not compiled yet: %s", OG_TEXT_ARGS(name), text);
}

uint32_t cc_new_reg(struct cc_function *c, unsigned file, unsigned dwords) {
  *OG_PUSH(c->arena, &c->regs) = (struct cc_reg){.file = (uint8_t)file,
                                                 .dwords = (uint8_t)dwords,
                                                 .whole = c->mode && file == CC_V,
                                                 .wave = c->mode && file == CC_V,
                                                 .physical = CC_NO_REGISTER};
  return c->regs.count - 1;
}

struct cc_operand cc_temp(struct cc_function *c, unsigned file, unsigned dwords) {
  return (struct cc_operand){CC_REG, 0, 0, (uint8_t)dwords, cc_new_reg(c, file, dwords)};
}

struct cc_inst *cc_emit(struct cc_function *c, unsigned row, unsigned defs, unsigned operands,
                        const struct cc_operand *list) {
  struct cc_inst *i = OG_PUSH(c->arena, &c->insts);
  *i = (struct cc_inst){.row = (uint16_t)row,
                        .defs = (uint8_t)defs,
                        .operands = (uint8_t)operands,
                        .first = c->operands.count,
                        .record = c->record};
  OG_IR_RESERVE(c->arena, &c->operands, operands);
  for (unsigned k = 0; k < operands; k++)
    *OG_PUSH(c->arena, &c->operands) = list[k];
  return i;
}

bool cc_rewrite(struct cc_function *c, cc_rewriter *each, void *context) {
  struct cc_inst *old = c->insts.items;
  c->insts.items = NULL, c->insts.count = c->insts.capacity = 0;
  for (uint32_t p = 0; p < c->positions; p++) {
    struct cc_node *n = &c->nodes.items[c->layout[p]];
    uint32_t first = n->first, end = n->end;
    n->first = c->insts.count;
    for (uint32_t k = first; k < end; k++)
      if (!each(c, &old[k], context))
        return false;
    n->end = c->insts.count;
  }
  return true;
}

void cc_modify(struct cc_function *c, struct cc_inst *i, unsigned mod, int32_t value) {
  if (!i->mods)
    i->first_mod = c->mods.count;
  *OG_PUSH(c->arena, &c->mods) = (struct cc_mod){(uint8_t)mod, value};
  i->mods++;
}

/* Inline constants: integers from -16 to 64, and the floats that instructions of 32 bits have. */
bool cc_is_inline(uint32_t bits) {
  static const uint32_t floats[] = {0x3f000000, 0xbf000000, 0x3f800000, 0xbf800000,
                                    0x40000000, 0xc0000000, 0x40800000, 0xc0800000};
  if (bits + 16 <= 80)
    return true;
  for (unsigned k = 0; k < OG_COUNT(floats); k++)
    if (bits == floats[k])
      return true;
  return false;
}

void cc_find_forms(const struct cc_function *c, unsigned row) {
  const uint16_t *forms;
  static const uint16_t none = 0;
  size_t count = og_find_forms(c->isa, og_text(og_row_name(row)), &forms), kept = 0, plain = 0;
  if (!count) { /* an older processor has another name for it */
    for (unsigned f = 0; f < og_form_count(c->isa) && !count; f++)
      if (og_form(c->isa, f)->row == row)
        count = og_find_forms(
            c->isa, (struct og_text){og_form_name(og_form(c->isa, f)), og_form(c->isa, f)->name_size}, &forms);
  }
  uint16_t *list = OG_NEW_ARRAY(c->shop->module, uint16_t, count + 1);
  for (size_t k = 0; k < 2 * count; k++) { /* variants (SDWA, DPP) in a second round */
    const struct og_form *form = og_form(c->isa, forms[k % count]);
    if (form->row == row && (form->variant == OG_VARIANT_NONE) == (k < count) && og_form_fits(c->isa, form))
      list[kept++] = forms[k % count];
    plain = k < count ? kept : plain;
  }
  c->forms[row] = count ? list : &none;
  c->form_counts[row] = (uint16_t)plain, c->variant_counts[row] = (uint16_t)(kept - plain);
}

bool cc_insts_may_meet(const struct cc_function *c, const struct cc_inst *a, const struct cc_inst *b) {
  return a->mixed || b->mixed || cc_may_meet(c->m, c->f, a->record, b->record);
}

uint32_t cc_accumulator_offset(const struct cc_function *c) { return (uint32_t)og_align_up(OG_MAX(c->vgprs, 4u), 4); }

uint32_t cc_vector_registers(const struct cc_function *c) {
  bool unified = c->target->processor->unified_vgprs;
  if (!unified)
    return OG_MAX(OG_MAX(c->vgprs, c->agprs), 1u);
  return c->agprs ? cc_accumulator_offset(c) + c->agprs : OG_MAX(c->vgprs, 1u);
}

bool cc_is_short(const struct cc_function *c, unsigned row) {
  if (!cc_has_row(c, row))
    return false;
  const struct og_form *form = og_form(c->isa, c->forms[row][0]);
  const struct og_shape *shape = og_shape(c->isa, form);
  for (unsigned s = 0; s < shape->slot_count; s++)
    if (og_slots(shape)[s].takes == OG_TAKES_VCC)
      return false;
  return form->encoding == OG_ENC_VOP1 || form->encoding == OG_ENC_VOP2;
}

const struct og_slot *cc_long_slot(const struct cc_function *c, unsigned row, unsigned operand) {
  for (unsigned f = 0; cc_has_row(c, row) && f < c->form_counts[row]; f++) {
    const struct og_form *form = og_form(c->isa, c->forms[row][f]);
    const struct og_shape *shape = og_shape(c->isa, form);
    if (form->encoding == OG_ENC_VOP3)
      return operand < shape->slot_count ? &og_slots(shape)[operand] : NULL;
  }
  return NULL;
}

/* ---- forms ------------------------------------------------------------------------------------------------------- */

/* The code of an inline constant, as the slot's type reads it; -1: it must be a literal. */
static int inline_code(const struct og_slot *slot, struct cc_operand o) {
  static const uint32_t floats[2][8] = {
      {0x3f000000, 0xbf000000, 0x3f800000, 0xbf800000, 0x40000000, 0xc0000000, 0x40800000, 0xc0800000},
      {0x3800, 0xb800, 0x3c00, 0xbc00, 0x4000, 0xc000, 0x4400, 0xc400}};
  if (o.value + 16 <= 80)
    return (int32_t)o.value >= 0 ? OG_CODE_0 + (int)o.value : OG_CODE_64 - (int32_t)o.value;
  bool half = slot->type == OG_TYPE_F16 || slot->type == OG_TYPE_V2F16;
  if (slot->type == OG_TYPE_V2I16 || o.dwords == 2)
    return -1;
  for (int k = 0; k < 8; k++)
    if (o.value == floats[half][k])
      return OG_CODE_REAL + k;
  return -1;
}

static struct og_operand physical(const struct cc_function *c, struct cc_operand o, const struct og_slot *slot) {
  struct og_operand to = {.role = slot->role, .dwords = o.dwords, .flags = o.flags};
  switch (o.kind) {
  case CC_REG:
    to.kind = (const uint8_t[]){OG_OPERAND_SGPR, OG_OPERAND_VGPR, OG_OPERAND_AGPR}[c->regs.items[o.value].file];
    to.reg = (uint16_t)(c->regs.items[o.value].physical + o.sub);
    break;
  case CC_TTMP: to.kind = OG_OPERAND_TTMP, to.reg = (uint16_t)o.value; break;
  case CC_SPECIAL: to.kind = OG_OPERAND_SPECIAL, to.reg = (uint16_t)o.value; break;
  case CC_FRAME:
    to.kind = OG_OPERAND_LITERAL, to.dwords = 0;
    to.value = og_align_up(c->scratch_size, 16) * (c->isa->generation < OG_GFX900 ? c->target->wave_size : 1);
    break;
  case CC_ADDRESS: to.kind = OG_OPERAND_LITERAL, to.dwords = 0; break;
  case CC_NONE: to.kind = OG_OPERAND_OFF, to.dwords = 0; break;
  default: {
    if (slot->takes >= OG_TAKES_KIMM && slot->takes != OG_TAKES_OFFSET) {
      to.kind = OG_OPERAND_IMMEDIATE, to.value = o.value;
      break;
    }
    int code = inline_code(slot, o);
    to.kind = code >= 0 ? OG_OPERAND_INLINE : OG_OPERAND_LITERAL;
    to.reg = (uint16_t)(code >= 0 ? code : 0);
    to.value = o.value;
    to.dwords = 0;
  }
  }
  return to;
}

void cc_fill(const struct cc_function *c, const struct cc_inst *i, struct og_inst *inst) {
  if (i->text) {
    *inst = c->texts.items[i->text - 1];
    return;
  }
  const struct og_form *form = og_form(c->isa, i->form);
  const struct og_shape *shape = og_shape(c->isa, form);
  *inst = (struct og_inst){.row = i->row, .form = i->form, .encoding = form->encoding, .variant = form->variant};
  unsigned def = 0, use = i->defs;
  for (unsigned s = 0; s < shape->slot_count; s++) {
    const struct og_slot *slot = &og_slots(shape)[s];
    if (slot->takes == OG_TAKES_OFFSET)
      continue;
    unsigned at = slot->flags & OG_SLOT_WRITE && def < i->defs ? def++ : use++;
    struct cc_operand o =
        at < i->operands ? c->operands.items[i->first + at] : (struct cc_operand){CC_CONST, 0, 0, 1, 0};
    inst->operands[inst->operand_count++] = physical(c, o, slot);
  }
  for (unsigned k = 0; k < shape->mod_count; k++)
    if (og_mods(shape)[k].mod == OG_MOD_OP_SEL_HI)
      inst->mod[OG_MOD_OP_SEL_HI] = 7;
  /* Before gfx8 scalar memory's offsets count dwords. */
  inst->mod[OG_MOD_OFFSET] = form->issue == OG_ISSUE_SMEM && c->isa->generation < OG_GFX8 ? i->offset / 4 : i->offset;
  /* forms with two offsets */
  inst->mod[OG_MOD_OFFSET0] = i->offset & 0xff, inst->mod[OG_MOD_OFFSET1] = i->offset >> 8 & 0xff;
  inst->mod[OG_MOD_CPOL] = i->policy;
  for (unsigned k = 0; k < i->mods; k++)
    inst->mod[c->mods.items[i->first_mod + k].mod] = c->mods.items[i->first_mod + k].value;
}

static bool sets(const struct cc_function *c, const struct cc_inst *i, unsigned mod) {
  for (unsigned k = 0; k < i->mods; k++)
    if (c->mods.items[i->first_mod + k].mod == mod && c->mods.items[i->first_mod + k].value)
      return true;
  return false;
}

/* Whether a form has the modifiers that are set. A vector instruction has forms with fewer of them; others have forms
 * in which a bit says something that no operand does: that a buffer's address of one register is an index, that an
 * export is the last. */
static bool has_modifiers(const struct cc_function *c, const struct cc_inst *i, const struct og_form *form) {
  const struct og_shape *shape = og_shape(c->isa, form);
  unsigned index_bit = c->isa->gfx12 ? 63 : c->isa->gfx11 ? 55 : 13;
  enum { DONE_BIT = 11 };
  if (form->encoding == OG_ENC_MUBUF || form->encoding == OG_ENC_MTBUF)
    return (form->value[0] >> index_bit & 1) == sets(c, i, OG_MOD_IDXEN);
  if (form->encoding == OG_ENC_EXP)
    return (form->value[0] >> DONE_BIT & 1) == sets(c, i, OG_MOD_DONE);
  for (unsigned k = 0; k < i->mods && form->issue >= OG_ISSUE_VALU && form->issue <= OG_ISSUE_MATRIX; k++) {
    struct cc_mod set = c->mods.items[i->first_mod + k];
    unsigned at = 0;
    while (at < shape->mod_count && og_mods(shape)[at].mod != set.mod)
      at++;
    if (set.value && at == shape->mod_count)
      return false;
  }
  return true;
}

/* Whether each operand may stand in its slot of the form. */
static bool fits(const struct cc_function *c, const struct cc_inst *i, const struct og_form *form) {
  const struct og_shape *shape = og_shape(c->isa, form);
  if (!has_modifiers(c, i, form))
    return false;
  unsigned def = 0, use = i->defs;
  bool returns = false, has_literal = false;
  uint32_t said = 0;
  for (unsigned s = 0; s < shape->slot_count; s++) {
    const struct og_slot *slot = &og_slots(shape)[s];
    if (slot->takes == OG_TAKES_OFFSET)
      continue;
    bool write = slot->flags & OG_SLOT_WRITE;
    if (write && def >= i->defs)
      return false;
    unsigned at = write ? def++ : use++;
    if (at >= i->operands)
      return slot->takes == OG_TAKES_ENDPGM;
    struct cc_operand o = c->operands.items[i->first + at];
    returns |= write;
    if (form->encoding == OG_ENC_EXP && slot->takes == OG_TAKES_VGPR && o.kind == CC_NONE)
      continue;
    bool vcc = o.kind == CC_SPECIAL && o.value == OG_SPECIAL_VCC_LO;
    if ((slot->takes == OG_TAKES_VCC && !vcc) || (slot->takes == OG_TAKES_OFF) != (o.kind == CC_NONE))
      return false;
    if (slot->takes == OG_TAKES_VCC || slot->takes == OG_TAKES_OFF)
      continue;
    if (slot->takes >= OG_TAKES_KIMM) {
      if (o.kind != CC_CONST)
        return false;
      continue;
    }
    if (o.kind == CC_ADDRESS || o.kind == CC_FRAME) {
      if (slot->takes != OG_TAKES_SGPR_LITERAL)
        return false;
      continue;
    }
    if (o.kind == CC_CONST) {
      bool literal = inline_code(slot, o) < 0;
      if (literal && has_literal && said != o.value)
        return false; /* an instruction has one literal */
      has_literal |= literal, said = literal ? o.value : said;
      if (slot->takes == OG_TAKES_VGPR || slot->takes == OG_TAKES_SGPR || (literal && o.dwords == 2))
        return false;
      if (literal && slot->takes != OG_TAKES_SGPR_LITERAL && slot->takes != OG_TAKES_VGPR_SGPR_LITERAL &&
          slot->takes != OG_TAKES_VGPR_LITERAL)
        return false;
      continue;
    }
    bool vector = cc_is_vector(c, o);
    if (cc_is_accumulator(c, o)) {
      if (slot->takes != OG_TAKES_AGPR && slot->takes != OG_TAKES_AGPR_INLINE && slot->takes != OG_TAKES_VGPR_AGPR)
        return false;
      if (!(slot->sizes >> (o.dwords - 1) & 1))
        return false;
      continue;
    }
    bool takes_vector = slot->takes == OG_TAKES_VGPR || slot->takes == OG_TAKES_VGPR_AGPR ||
                        slot->takes == OG_TAKES_VGPR_SGPR_INLINE || slot->takes == OG_TAKES_VGPR_SGPR_LITERAL ||
                        slot->takes == OG_TAKES_VGPR_INLINE || slot->takes == OG_TAKES_VGPR_LITERAL;
    bool takes_scalar = slot->takes == OG_TAKES_SGPR || slot->takes == OG_TAKES_SGPR_INLINE ||
                        slot->takes == OG_TAKES_SGPR_LITERAL || slot->takes == OG_TAKES_VGPR_SGPR_INLINE ||
                        slot->takes == OG_TAKES_VGPR_SGPR_LITERAL;
    if (vector ? !takes_vector : !takes_scalar)
      return false;
    if (vector && c->regs.items[o.value].physical + o.sub >= og_vector_registers(form, slot))
      return false;
    if (o.dwords != og_slot_dwords(c->isa, slot) && !(slot->sizes >> (o.dwords - 1) & 1))
      return false;
    if ((o.flags & (OG_NEG | OG_ABS) && !(slot->flags & OG_SLOT_NEG_ABS)) ||
        (o.flags & OG_HALF_HI && !(slot->flags & OG_SLOT_HALF)))
      return false;
    if (form->encoding == OG_ENC_VOP3 && slot->flags & OG_SLOT_HALF)
      return true;
  }
  unsigned without = i->tied && i->tied >= use ? i->operands - i->tied : 0; /* the tied operand may have no slot */
  bool all = def == i->defs && use + without == i->operands;
  return (i->implicit || all) && (returns || !i->defs);
}

bool cc_choose_form(struct cc_function *c, struct cc_inst *i) {
  unsigned count = cc_has_row(c, i->row) ? c->form_counts[i->row] : 0, f = 0;
  bool branches = count && cc_is_jump(i);
  if (i->variant)
    f = count, count += c->variant_counts[i->row];
  while (f < count && !branches &&
         (og_form(c->isa, c->forms[i->row][f])->variant != i->variant ||
          !fits(c, i, og_form(c->isa, c->forms[i->row][f]))))
    f++;
  i->form = f < count ? c->forms[i->row][f] : 0;
  return f < count;
}

bool cc_choose_forms(struct cc_function *c) {
  for (uint32_t k = 0; k < c->insts.count; k++) {
    struct cc_inst *i = &c->insts.items[k];
    if (i->row == CC_ROW_WAIT_ALL || i->text)
      continue;
    if (!cc_choose_form(c, i)) {
      c->record = i->record;
      struct og_buffer text = {0};
      cc_print_inst(c, k, &text);
      og_buffer_u8(&text, 0);
      cc_refuse(c, "%s has no instruction for%s", c->target->processor->name, (const char *)text.data);
      og_buffer_free(&text);
      return false;
    }
  }
  return true;
}

/* ---- text -------------------------------------------------------------------------------------------------------- */

static void print_operand(const struct cc_function *c, struct cc_operand o, struct og_buffer *out) {
  if (o.flags & OG_NEG)
    og_buffer_text(out, "-");
  switch (o.kind) {
  case CC_REG: {
    const struct cc_reg *r = &c->regs.items[o.value];
    char file = "sva"[r->file];
    if (r->physical == CC_NO_REGISTER)
      og_buffer_printf(out, "%%%c%u", file, o.value);
    if (r->physical == CC_NO_REGISTER && (o.sub || o.dwords != r->dwords))
      og_buffer_printf(out, ".%u", o.sub);
    if (r->physical != CC_NO_REGISTER && o.dwords == 1)
      og_buffer_printf(out, "%c%u", file, r->physical + o.sub);
    else if (r->physical != CC_NO_REGISTER)
      og_buffer_printf(out, "%c[%u:%u]", file, r->physical + o.sub, r->physical + o.sub + o.dwords - 1);
    else if (o.dwords > 1)
      og_buffer_printf(out, ":%u", o.dwords);
    if (o.flags & OG_HALF_HI)
      og_buffer_text(out, ".h");
    break;
  }
  case CC_CONST: og_buffer_printf(out, o.value + 16 <= 80 ? "%d" : "0x%x", o.value); break;
  case CC_SPECIAL:
    og_buffer_text(out, o.value == OG_SPECIAL_EXEC_LO  ? "exec"
                        : o.value == OG_SPECIAL_VCC_LO ? "vcc"
                        : o.value == OG_SPECIAL_M0     ? "m0"
                                                       : "special");
    break;
  case CC_ADDRESS: og_buffer_printf(out, "@%u", o.value); break;
  default: og_buffer_text(out, "off");
  }
}

void cc_print_inst(const struct cc_function *c, uint32_t number, struct og_buffer *out) {
  const struct cc_inst *i = &c->insts.items[number];
  static const char *const waits[] = {[ALL] = "wait_all", [LDS_ONLY] = "wait_lds", [MARK] = "asyncmark",
                                      [WAIT_FOR_MARK] = "wait_asyncmark"};
  bool named = i->policy < OG_COUNT(waits) && waits[i->policy];
  og_buffer_printf(out, "  %s", i->row == CC_ROW_WAIT_ALL   ? waits[named ? i->policy : ALL]
                                 : i->row == CC_ROW_ASSEMBLY ? "assembly"
                                                             : og_row_name(i->row));
  for (unsigned k = 0; k < i->operands; k++) {
    og_buffer_text(out, k ? ", " : " ");
    print_operand(c, c->operands.items[i->first + k], out);
  }
  if (i->offset)
    og_buffer_printf(out, " offset:%d", i->offset);
  for (unsigned k = 0; k < i->mods; k++)
    if (c->mods.items[i->first_mod + k].value)
      og_buffer_printf(out, " mod%u:%d", c->mods.items[i->first_mod + k].mod, c->mods.items[i->first_mod + k].value);
}

void cc_print(const struct cc_function *c, struct og_buffer *out) {
  struct og_text name = c->m->names.items[c->global->name];
  og_buffer_printf(out, "%.*s:\n", OG_TEXT_ARGS(name));
  if (c->stalls[0])
    og_buffer_printf(out, "; stalls for %llu cycles, %llu before\n", (unsigned long long)c->stalls[1],
                     (unsigned long long)c->stalls[0]);
  for (uint32_t p = 0; p < c->positions; p++) {
    const struct cc_node *n = &c->nodes.items[c->layout[p]];
    og_buffer_printf(out, "block %u:", p);
    for (uint32_t s = 0; s < n->succs; s++)
      og_buffer_printf(out, " -> %u", c->nodes.items[n->succ[s]].position);
    og_buffer_printf(out, "%s%s\n", n->divergent ? " divergent" : "", n->waits ? " waits" : "");
    for (uint32_t k = n->first; k < n->end; k++) {
      cc_print_inst(c, k, out);
      og_buffer_text(out, "\n");
    }
  }
}
