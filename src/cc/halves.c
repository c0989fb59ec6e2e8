/* halves.c - results in halves of a register: loads that extend the sign, loads into one half that keep the other; two
 * conversions in one. Where SRAM is protected by ECC such loads write the whole register, and so they are not used
 * (AMDGPU backend guide, feature `sramecc`). */
#include "cc/combine.h"

/* Loads with zeros above the value, with its sign above it, and into the lower or upper half of a register whose other
 * half stays. */
static const struct load {
  uint16_t row, with_sign, low, high;
  uint8_t bits;
} loads[] = {
#define LOADS(kind)                                                                                                    \
  {OG_ROW_##kind##_LOAD_UBYTE, OG_ROW_##kind##_LOAD_SBYTE, OG_ROW_##kind##_LOAD_UBYTE_D16,                             \
   OG_ROW_##kind##_LOAD_UBYTE_D16_HI, 8},                                                                              \
  {OG_ROW_##kind##_LOAD_SBYTE, 0, OG_ROW_##kind##_LOAD_SBYTE_D16, OG_ROW_##kind##_LOAD_SBYTE_D16_HI, 8},               \
  {OG_ROW_##kind##_LOAD_USHORT, OG_ROW_##kind##_LOAD_SSHORT, OG_ROW_##kind##_LOAD_SHORT_D16,                           \
   OG_ROW_##kind##_LOAD_SHORT_D16_HI, 16},
    LOADS(FLAT) LOADS(GLOBAL) LOADS(SCRATCH) LOADS(BUFFER)
#undef LOADS
    {OG_ROW_DS_READ_U8, OG_ROW_DS_READ_I8, OG_ROW_DS_READ_U8_D16, OG_ROW_DS_READ_U8_D16_HI, 8},
    {OG_ROW_DS_READ_I8, 0, OG_ROW_DS_READ_I8_D16, OG_ROW_DS_READ_I8_D16_HI, 8},
    {OG_ROW_DS_READ_U16, OG_ROW_DS_READ_I16, OG_ROW_DS_READ_U16_D16, OG_ROW_DS_READ_U16_D16_HI, 16},
};

static const struct load *load_of(const struct cc_inst *i) {
  for (unsigned k = 0; k < OG_COUNT(loads); k++)
    if (loads[k].row == i->row)
      return i->keep || i->policy ? NULL : &loads[k];
  return NULL;
}

/* The instruction in this block that makes a register, if only one instruction reads that. */
static struct cc_inst *only_maker(const struct cc_combiner *s, operand o) {
  if (o.kind != CC_REG || o.flags || s->reads[o.value] != 1 || !s->made[o.value] || s->made[o.value] - 1 < s->first)
    return NULL;
  struct cc_inst *i = &s->c->insts.items[s->made[o.value] - 1];
  return i->row < OG_ROW_COUNT && !i->implicit && s->c->regs.items[o.value].physical == CC_NO_REGISTER ? i : NULL;
}

static operand *result_of(const struct cc_combiner *s, const struct cc_inst *i, operand o) {
  operand *to = &s->c->operands.items[i->first];
  while (to->value != o.value || to->kind != CC_REG)
    to++;
  return to;
}

/* Makes instruction `at` do nothing, since its result is now made by others. */
static void leave_out(struct cc_combiner *s, uint32_t at) {
  struct cc_function *c = s->c;
  struct cc_inst *i = &c->insts.items[at];
  for (unsigned k = i->defs; k < i->operands; k++)
    if (c->operands.items[i->first + k].kind == CC_REG)
      s->reads[c->operands.items[i->first + k].value]--;
  i->row = OG_ROW_V_MOV_B32, i->operands = 2, i->mods = 0;
  c->operands.items[i->first + 1] = cc_constant(0);
  operand nobody = cc_temp(c, CC_V, 1);
  c->operands.items[i->first] = nobody;
}

static bool sign(struct cc_combiner *s, uint32_t at) {
  struct cc_function *c = s->c;
  const struct cc_inst i = c->insts.items[at];
  operand from = cc_source(s, &i, 0), low = cc_source(s, &i, 1), bits = cc_source(s, &i, 2),
          to = c->operands.items[i.first];
  struct cc_inst *load = only_maker(s, from);
  const struct load *row = load ? load_of(load) : NULL;
  if (!row || !row->with_sign || low.kind != CC_CONST || low.value || bits.kind != CC_CONST ||
      bits.value != row->bits || i.operands != 4 || i.mods || !cc_has_row(c, row->with_sign))
    return false;
  load->row = row->with_sign;
  *result_of(s, load, from) = to;
  s->made[to.value] = s->written[to.value] = 1 + (uint32_t)(load - c->insts.items);
  leave_out(s, at);
  return true;
}

/* A value stands in one half, and a load fills the other: both are made in the register of the only reader's result. */
static bool into_half(struct cc_combiner *s, uint32_t at, operand kept, operand loaded, bool high) {
  struct cc_function *c = s->c;
  struct cc_inst *first = only_maker(s, kept), *load = only_maker(s, loaded);
  const struct load *row = load ? load_of(load) : NULL, *before = first ? load_of(first) : NULL;
  operand to = c->operands.items[c->insts.items[at].first];
  bool keeps = c->target->sramecc == OG_UNSUPPORTED || c->target->sramecc == OG_OFF;
  if (!keeps || c->isa->gfx1250 || !row || !first || first >= load || !cc_is_vector(c, kept) || kept.sub ||
      to.dwords != 1 || c->regs.items[kept.value].dwords != 1 || !s->reads[to.value] ||
      !cc_has_row(c, high ? row->high : row->low) ||
      (before && c->isa->gfx12)) /* there loads end in any order, so one would have to wait */
    return false;
  unsigned operands = load->operands;
  uint32_t from = load->first;
  *result_of(s, first, kept) = to;
  load->row = high ? row->high : row->low;
  load->first = c->operands.count, load->operands = (uint8_t)(operands + 1), load->tied = (uint8_t)operands;
  for (unsigned k = 0; k <= operands; k++) {
    operand o = k && k < operands ? c->operands.items[from + k] : to;
    *OG_PUSH(c->arena, &c->operands) = o;
  }
  s->made[to.value] = 0, s->writes[to.value] = 2;
  leave_out(s, at);
  return true;
}

/* ---- true16 ------------------------------------------------------------------------------------------------------ */

/* The instruction of 16 bits for one of 32 whose result's upper half nobody reads. */
static const uint16_t narrower[][2] = {
    {OG_ROW_V_CNDMASK_B32, OG_ROW_V_CNDMASK_B16}, {OG_ROW_V_AND_B32, OG_ROW_V_AND_B16},
    {OG_ROW_V_OR_B32, OG_ROW_V_OR_B16},           {OG_ROW_V_XOR_B32, OG_ROW_V_XOR_B16},
    {OG_ROW_V_MOV_B32, OG_ROW_V_MOV_B16},
};

/* The row that does an instruction's operation on half a register and keeps the other half; 0: none. */
static unsigned row_of_half(const struct cc_combiner *s, const struct cc_inst *i) {
  unsigned row = i->row;
  if (row == OG_ROW_V_LSHRREV_B32 && i->operands == 3 && cc_source(s, i, 0).kind == CC_CONST &&
      cc_source(s, i, 0).value == 16 && cc_is_vector(s->c, cc_source(s, i, 1)) && !cc_source(s, i, 1).flags)
    row = OG_ROW_V_MOV_B16;
  for (unsigned k = 0; k < OG_COUNT(narrower); k++)
    row = row == narrower[k][0] ? narrower[k][1] : row;
  bool plain = !i->variant && !i->tied && !i->mods && !i->text && i->defs == 1;
  for (unsigned k = i->defs; k < i->operands; k++) {
    uint8_t kind = s->c->operands.items[i->first + k].kind;
    plain &= kind == CC_REG || kind == CC_CONST;
  }
  const struct og_slot *slot = plain ? cc_long_slot(s->c, row, 0) : NULL;
  return slot && slot->flags & OG_SLOT_HALF ? row : 0;
}

/* Makes an instruction write one half; `tied`: it keeps the other half, which has been written before. */
static void write_half(struct cc_combiner *s, struct cc_inst *i, operand to, bool high, bool tied) {
  struct cc_function *c = s->c;
  unsigned row = row_of_half(s, i), from = i->first + i->defs, sources = i->operands - 1u;
  bool shifts = i->row == OG_ROW_V_LSHRREV_B32;
  uint32_t first = c->operands.count;
  operand result = to;
  result.flags = high ? OG_HALF_HI : 0;
  *OG_PUSH(c->arena, &c->operands) = result;
  for (unsigned k = shifts; k < sources; k++) {
    operand o = c->operands.items[from + k];
    if (row != i->row && o.kind == CC_CONST && !cc_is_inline(o.value))
      o.value &= 0xffff;
    o.flags |= shifts ? OG_HALF_HI : 0;
    *OG_PUSH(c->arena, &c->operands) = o;
  }
  if (tied)
    *OG_PUSH(c->arena, &c->operands) = to;
  i->row = (uint16_t)row, i->first = first, i->operands = (uint8_t)(c->operands.count - first);
  i->tied = tied ? (uint8_t)(i->operands - 1) : 0;
  cc_modify_sources(s, (uint32_t)(i - c->insts.items));
}

/* If two halves are only made to be put together, each is made in its place. */
static bool make_in_place(struct cc_combiner *s, uint32_t at, operand low, operand high) {
  struct cc_function *c = s->c;
  struct cc_inst *a = only_maker(s, low), *b = only_maker(s, high);
  operand to = c->operands.items[c->insts.items[at].first];
  if (!a || !b || a == b || to.kind != CC_REG || to.dwords != 1 || !cc_is_vector(c, to) || s->writes[to.value] != 1 ||
      c->regs.items[to.value].dwords != 1 || !s->reads[to.value] || !row_of_half(s, a) || !row_of_half(s, b))
    return false;
  write_half(s, a, to, false, a > b);
  write_half(s, b, to, true, b > a);
  s->made[to.value] = 0, s->writes[to.value] = 2;
  leave_out(s, at);
  return true;
}

/* Two floats that are rounded to 16 bits and then put into one register: one instruction does it all. */
static bool two_conversions(struct cc_combiner *s, uint32_t at, operand low, operand high) {
  static const uint16_t rows[][2] = {{OG_ROW_V_CVT_PK_BF16_F32, OG_ROW_V_CVT_PK_BF16_F32},
                                     {OG_ROW_V_CVT_F16_F32, OG_ROW_V_CVT_PK_F16_F32}};
  const struct cc_inst *a = only_maker(s, low), *b = only_maker(s, high);
  for (unsigned k = 0; k < OG_COUNT(rows) && a && b; k++) {
    if (a->row != rows[k][0] || b->row != rows[k][0] || a->mods || b->mods || a->variant || b->variant ||
        !cc_any_maker(s, low) || !cc_any_maker(s, high))
      continue;
    operand x = cc_source(s, a, 0), y = cc_source(s, b, 0);
    operand zeros[2] = {k ? cc_constant(0) : cc_source(s, a, 1), k ? cc_constant(0) : cc_source(s, b, 1)};
    if (zeros[0].kind == CC_CONST && !zeros[0].value && zeros[1].kind == CC_CONST && !zeros[1].value &&
        cc_become(s, at, rows[k][1], 2, (operand[]){x, y}))
      return true;
  }
  return false;
}

/* low | high << 16, where nothing else reads the shift's result. */
static bool upper_of_sum(struct cc_combiner *s, uint32_t at) {
  const struct cc_inst i = s->c->insts.items[at];
  for (unsigned side = 0; side < 2; side++) {
    operand o = cc_source(s, &i, side), low = cc_source(s, &i, !side);
    const struct cc_inst *shift = only_maker(s, o);
    if (!shift || shift->row != OG_ROW_V_LSHLREV_B32 || shift->variant || shift->operands != 3 ||
        cc_source(s, shift, 0).kind != CC_CONST || cc_source(s, shift, 0).value != 16 || low.kind != CC_REG ||
        cc_width(s->c, low) > 16)
      continue;
    operand high = cc_source(s, shift, 1);
    if (into_half(s, at, low, high, true) || two_conversions(s, at, low, high) || make_in_place(s, at, low, high))
      return true;
  }
  return false;
}

static bool either_of_bytes(struct cc_combiner *s, uint32_t at) {
  enum { LOW_OF_BOTH = 0x05040100, UPPER_OF_FIRST = 0x07060100 };
  const struct cc_inst i = s->c->insts.items[at];
  operand b = cc_source(s, &i, 0), a = cc_source(s, &i, 1), selector = cc_source(s, &i, 2);
  if (selector.kind == CC_REG && s->made[selector.value] && s->writes[selector.value] == 1) {
    const struct cc_inst *constant = &s->c->insts.items[s->made[selector.value] - 1];
    selector = constant->row == OG_ROW_S_MOV_B32 ? cc_source(s, constant, 0) : selector;
  }
  if (selector.kind != CC_CONST)
    return false;
  if (selector.value == UPPER_OF_FIRST)
    return into_half(s, at, b, a, false);
  return selector.value == LOW_OF_BOTH &&
         (into_half(s, at, a, b, true) || two_conversions(s, at, a, b) || make_in_place(s, at, a, b));
}

bool cc_join_halves(struct cc_combiner *s, uint32_t at) {
  switch (s->c->insts.items[at].row) {
  case OG_ROW_V_OR_B32: return upper_of_sum(s, at);
  case OG_ROW_V_PERM_B32: return either_of_bytes(s, at);
  case OG_ROW_V_BFE_I32: return sign(s, at);
  default: return false;
  }
}
