/* absorb.c - what is done to a source becomes a modifier of the instruction that reads it: a DPP move from other lanes,
 * a half's conversion to a float, a packed product that is added to something, a sign, a shift that brings down the
 * upper half of a register. */
#include "cc/combine.h"

enum { ALL = 15, WORD_1 = 5 };

static int32_t modifier(const struct cc_combiner *s, const struct cc_inst *i, unsigned mod, int32_t otherwise) {
  for (unsigned k = 0; k < i->mods; k++)
    if (s->c->mods.items[i->first_mod + k].mod == mod)
      return s->c->mods.items[i->first_mod + k].value;
  return otherwise;
}

/* The instruction that makes an operand, if no other instruction reads it. */
static const struct cc_inst *only_maker(const struct cc_combiner *s, operand o) {
  return o.kind == CC_REG && s->reads[o.value] == 1 ? cc_any_maker(s, o) : NULL;
}

static bool has_variant(const struct cc_function *c, unsigned row, unsigned variant) {
  bool found = false;
  for (unsigned f = 0; f < c->variant_counts[row]; f++)
    found |= og_form(c->isa, c->forms[row][c->form_counts[row] + f])->variant == variant;
  return found;
}

/* ---- DPP --------------------------------------------------------------------------------------------------------- */

/* The DPP move that makes an operand, if nothing else reads it. Before the move a 0 may have been put there, which
 * lanes keep that receive nothing: then `zero` is set, since the reader itself can give them that 0. */
static const struct cc_inst *lanes_of(const struct cc_combiner *s, operand o, bool *zero) {
  const struct cc_function *c = s->c;
  *zero = false;
  if (o.kind != CC_REG || o.flags || c->regs.items[o.value].dwords != 1)
    return NULL;
  const struct cc_inst *i = only_maker(s, o);
  if (i)
    return i->row == OG_ROW_V_MOV_B32 && i->variant >= OG_VARIANT_DPP16 && !i->tied ? i : NULL;
  if (s->writes[o.value] != 2 || s->reads[o.value] != 2 || s->written[o.value] <= s->first + 1)
    return NULL;
  uint32_t at = s->written[o.value] - 1;
  i = &c->insts.items[at];
  const struct cc_inst *before = i - 1;
  operand from = cc_source(s, i, 0);
  if (i->row != OG_ROW_V_MOV_B32 || i->variant != OG_VARIANT_DPP16 || !i->tied ||
      modifier(s, i, OG_MOD_ROW_MASK, 0) != ALL || modifier(s, i, OG_MOD_BANK_MASK, 0) != ALL ||
      before->row != OG_ROW_V_MOV_B32 || before->variant || before->operands != 2 ||
      c->operands.items[before->first].value != o.value || c->operands.items[before->first].kind != CC_REG ||
      c->operands.items[before->first + 1].kind != CC_CONST || c->operands.items[before->first + 1].value ||
      from.kind != CC_REG || s->written[from.value] > at)
    return NULL;
  *zero = true;
  return i;
}

static bool lanes(struct cc_combiner *s, uint32_t at) {
  struct cc_function *c = s->c;
  const struct cc_inst i = c->insts.items[at];
  unsigned count = i.operands - 1u;
  if (count < 1 || count > 2 || !cc_is_short(c, i.row) || i.mods)
    return false;
  for (unsigned k = 0; k < count; k++) {
    bool zero;
    operand other = count == 2 ? cc_source(s, &i, !k) : cc_constant(0), o = cc_source(s, &i, k);
    const struct cc_inst *move = lanes_of(s, o, &zero);
    int row = k ? og_row_commuted(i.row) : i.row;
    if (!move || row < 0 || (count == 2 && (!cc_is_vector(c, other) || other.flags)) || !cc_has_row(c, (unsigned)row) ||
        !has_variant(c, (unsigned)row, move->variant))
      continue;
    operand to = c->operands.items[i.first], from = cc_source(s, move, 0);
    unsigned first_mod = move->first_mod, mod_count = move->mods, variant = move->variant;
    if (to.dwords != 1 || to.kind != CC_REG || !cc_is_vector(c, to) || !cc_is_vector(c, from))
      continue;
    s->reads[o.value]--, s->reads[from.value]++;
    if (zero) { /* the result of the move is never read, not even by itself */
      struct cc_inst *old = &c->insts.items[move - c->insts.items];
      old->operands = 2, old->tied = 0;
    }
    struct cc_inst *now = &c->insts.items[at];
    now->row = (uint16_t)row, now->variant = (uint8_t)variant, now->first = c->operands.count;
    *OG_PUSH(c->arena, &c->operands) = to;
    *OG_PUSH(c->arena, &c->operands) = from;
    if (count == 2)
      *OG_PUSH(c->arena, &c->operands) = other;
    for (unsigned m = 0; m < mod_count; m++) {
      struct cc_mod mod = c->mods.items[first_mod + m];
      cc_modify(c, now, mod.mod, zero && mod.mod == OG_MOD_BOUND_CTRL ? 1 : mod.value);
    }
    return true;
  }
  return false;
}

/* ---- halves as floats -------------------------------------------------------------------------------------------- */

/* The half that a conversion makes a float, and whether it is the upper one of its register. */
static bool half_of(const struct cc_combiner *s, const struct cc_inst *cast, operand *half, bool *upper) {
  *upper = cast->variant == OG_VARIANT_SDWA && modifier(s, cast, OG_MOD_SRC0_SEL, 0) == WORD_1;
  *half = cc_source(s, cast, 0);
  return cast->row == OG_ROW_V_CVT_F32_F16 && cast->operands == 2 && (!cast->variant || *upper);
}

/* The same of a bfloat, which is a float's upper half. */
static bool bfloat_of(const struct cc_combiner *s, const struct cc_inst *cast, operand *half, bool *upper) {
  bool shifts = cast->row == OG_ROW_V_LSHLREV_B32, masks = cast->row == OG_ROW_V_AND_B32;
  if ((!shifts && !masks) || cast->variant || cast->operands != 3 || cc_source(s, cast, 0).kind != CC_CONST)
    return false;
  *upper = masks, *half = cc_source(s, cast, 1);
  return cc_source(s, cast, 0).value == (shifts ? 16 : 0xffff0000);
}

static bool mixed(struct cc_combiner *s, uint32_t at, unsigned row,
                  bool (*of)(const struct cc_combiner *, const struct cc_inst *, operand *, bool *)) {
  struct cc_function *c = s->c;
  const struct cc_inst i = c->insts.items[at];
  operand list[3];
  int32_t halves = 0, upper = 0;
  if (!cc_has_row(c, row) || i.operands != 4 || i.mods)
    return false;
  for (unsigned k = 0; k < 3; k++) {
    list[k] = cc_source(s, &i, k);
    const struct cc_inst *cast = row == OG_ROW_V_FMA_MIX_F32 ? only_maker(s, list[k]) : cc_any_maker(s, list[k]);
    operand half;
    bool word;
    if (list[k].flags || list[k].kind != CC_REG)
      return false;
    if (!cast || !of(s, cast, &half, &word) || half.kind != CC_REG || half.flags)
      continue;
    list[k] = half;
    halves |= 1 << k, upper |= word << k;
  }
  if (!halves || !cc_become(s, at, row, 3, list))
    return false;
  cc_modify(c, &c->insts.items[at], OG_MOD_OP_SEL, upper);
  cc_modify(c, &c->insts.items[at], OG_MOD_OP_SEL_HI, halves);
  return true;
}

/* ---- packed products --------------------------------------------------------------------------------------------- */

static bool packed_sum(struct cc_combiner *s, uint32_t at) {
  struct cc_function *c = s->c;
  const struct cc_inst i = c->insts.items[at];
  int32_t low = modifier(s, &i, OG_MOD_OP_SEL, 0), high = modifier(s, &i, OG_MOD_OP_SEL_HI, 3);
  if (modifier(s, &i, OG_MOD_CLAMP, 0))
    return false;
  for (unsigned k = 0; k < 2; k++) {
    const struct cc_inst *product = only_maker(s, cc_source(s, &i, k));
    if (!product || product->row != OG_ROW_V_PK_MUL_LO_U16 || (low >> k & 1) || !(high >> k & 1))
      continue;
    int32_t op_sel = (modifier(s, product, OG_MOD_OP_SEL, 0) & 3) | (low >> !k & 1) << 2;
    int32_t op_sel_hi = (modifier(s, product, OG_MOD_OP_SEL_HI, 3) & 3) | (high >> !k & 1) << 2;
    if (!cc_become(s, at, OG_ROW_V_PK_MAD_U16, 3,
                   (operand[]){cc_source(s, product, 0), cc_source(s, product, 1), cc_source(s, &i, !k)}))
      continue;
    c->insts.items[at].mods = 0;
    cc_modify(c, &c->insts.items[at], OG_MOD_OP_SEL, op_sel);
    cc_modify(c, &c->insts.items[at], OG_MOD_OP_SEL_HI, op_sel_hi);
    return true;
  }
  return false;
}

/* ---- signs, upper halves ---------------------------------------------------------------------------------------- */

/* Where an operation made `*o` that this slot can do itself: `*o` becomes the operation's source, with the modifier. */
static bool take_modifier(const struct cc_combiner *s, const struct og_slot *slot, operand *o) {
  operand bare = *o;
  bare.flags = 0;
  const struct cc_inst *i = o->dwords == 1 && !(o->flags & OG_HALF_HI) ? cc_any_maker(s, bare) : NULL;
  if (!i || i->variant || i->mods || i->operands != 3 || cc_source(s, i, 0).kind != CC_CONST)
    return false;
  uint32_t number = cc_source(s, i, 0).value, sign = slot->type == OG_TYPE_F16 ? 0x8000 : 0x80000000;
  operand from = cc_source(s, i, 1);
  bool has_sign = (slot->type == OG_TYPE_F16 || slot->type == OG_TYPE_F32) && slot->flags & OG_SLOT_NEG_ABS;
  if (!cc_is_vector(s->c, from) || from.flags)
    return false;
  from.flags = o->flags;
  if (i->row == OG_ROW_V_LSHRREV_B32 && number == 16 && slot->flags & OG_SLOT_HALF)
    from.flags |= OG_HALF_HI;
  else if (i->row == OG_ROW_V_XOR_B32 && number == sign && has_sign)
    from.flags ^= o->flags & OG_ABS ? 0 : OG_NEG;
  else if (i->row == OG_ROW_V_AND_B32 && number == sign - 1 && has_sign)
    from.flags |= OG_ABS;
  else
    return false;
  *o = from;
  return true;
}

static bool has_literal(const struct cc_combiner *s, const struct cc_inst *i) {
  for (unsigned k = i->defs; k < i->operands; k++) {
    operand o = s->c->operands.items[i->first + k];
    if (o.kind == CC_CONST && !cc_is_inline(o.value))
      return true;
  }
  return false;
}

void cc_modify_sources(struct cc_combiner *s, uint32_t at) {
  struct cc_function *c = s->c;
  const struct cc_inst i = c->insts.items[at];
  if (i.variant || (!c->isa->gfx10 && has_literal(s, &i))) /* before gfx10 forms of 64 bits take no literals */
    return;
  for (unsigned k = i.defs; k < i.operands; k++) {
    operand *o = &c->operands.items[i.first + k], old = *o;
    const struct og_slot *slot = o->kind == CC_REG && k != i.tied ? cc_long_slot(c, i.row, k) : NULL;
    while (slot && take_modifier(s, slot, o))
      continue;
    if (o->value != old.value)
      s->reads[old.value]--, s->reads[o->value]++;
  }
}

void cc_absorb(struct cc_combiner *s, uint32_t at) {
  unsigned row = s->c->insts.items[at].row;
  if (row == OG_ROW_V_PK_ADD_U16)
    packed_sum(s, at);
  else if (row != OG_ROW_V_FMA_F32 ||
           (!mixed(s, at, OG_ROW_V_FMA_MIX_F32, half_of) && !mixed(s, at, OG_ROW_V_FMA_MIX_F32_BF16, bfloat_of)))
    lanes(s, at);
  cc_modify_sources(s, at);
}
