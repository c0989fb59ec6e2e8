/* select_part.c - choices, and parts of vectors, structs and arrays. */
#include "cc/select.h"

/* Whether two elements of 16 bits are in one register, or constants. */
static bool is_whole(const struct cc_function *c, operand low, operand high) {
  return cc_are_halves(c, low, high) || (low.kind == CC_CONST && high.kind == CC_CONST);
}

/* A choice between a number and 0 by one bit: that bit is spread to all places, and ANDed with the number. */
static bool bit_decides(struct cc_function *c, uint32_t record) {
  const struct og_ir_inst *i = &c->f->insts.items[record];
  og_ir_ref condition = og_ir_operand(c->f, i, 0);
  const struct og_ir_inst *compare =
      og_ir_space(condition) == OG_IR_LOCAL ? &c->f->insts.items[og_ir_index(condition)] : NULL;
  unsigned bits = cc_bits(c->m, i->type);
  uint64_t number, zero = 1;
  if (!compare || compare->opcode != OG_IR_ICMP ||
      (compare->sub != OG_IR_EQ && compare->sub != OG_IR_NE) ||
      og_ir_is_vector(c->m, i->type) ||
      og_ir_kind(c->m, i->type) != OG_IR_INTEGER || bits == 1 || bits > 32 || cc_place_of(c, condition) == CC_SCALAR ||
      !cc_is_number(c->m, og_ir_operand(c->f, compare, 1), &zero) || zero)
    return false;
  og_ir_ref tested = og_ir_operand(c->f, compare, 0);
  const struct og_ir_inst *mask = og_ir_space(tested) == OG_IR_LOCAL ? &c->f->insts.items[og_ir_index(tested)] : NULL;
  bool equal = compare->sub == OG_IR_EQ;
  og_ir_ref none = og_ir_operand(c->f, i, equal ? 1 : 2), some = og_ir_operand(c->f, i, equal ? 2 : 1);
  if (!mask || mask->opcode != OG_IR_AND || cc_bits(c->m, mask->type) > 32 || og_ir_is_vector(c->m, mask->type) ||
      !cc_is_number(c->m, og_ir_operand(c->f, mask, 1), &number) || !number || number & (number - 1) ||
      !cc_is_number(c->m, none, &zero) || zero)
    return false;
  operand all = VALU(c, V_BFE_I32, 1, cc_part(c, og_ir_operand(c->f, mask, 0), 0),
                     cc_constant((uint32_t)__builtin_ctzll(number)), cc_constant(1));
  operand value = cc_part(c, some, 0);
  operand o = cc_narrow(c, VALU(c, V_AND_B32, 1, value, all), cc_width(c, value));
  cc_define(c, record, &o, 1);
  return true;
}

bool cc_select_choice(struct cc_function *c, uint32_t record) {
  const struct og_ir_inst *i = &c->f->insts.items[record];
  og_ir_ref condition = og_ir_operand(c->f, i, 0), x = og_ir_operand(c->f, i, 1), y = og_ir_operand(c->f, i, 2);
  uint32_t count = cc_count(c, x);
  unsigned file = cc_file(c, record);
  bool i1 = cc_bits(c->m, i->type) == 1, each = og_ir_is_vector(c->m, cc_type_of(c, condition));
  unsigned width = cc_bits(c->m, og_ir_scalar(c->m, i->type)) > 32 ? 2 : 1;
  bool halves = !each && cc_bits(c->m, og_ir_scalar(c->m, i->type)) == 16;
  OG_VECTOR(operand) out = {0};
  if (file == CC_S) {
    operand a[64], b[64];
    if (count > OG_COUNT(a))
      return false;
    for (uint32_t k = 0; k < count; k++)
      a[k] = i1 ? cc_bool_value(c, x, CC_S) : cc_part(c, x, k),
      b[k] = i1 ? cc_bool_value(c, y, CC_S) : cc_part(c, y, k);
    for (uint32_t k = 0; k < count; k++) /* two literals are one too many; a move leaves SCC alone */
      if (a[k].kind == CC_CONST && b[k].kind == CC_CONST && !cc_is_inline(a[k].value) && !cc_is_inline(b[k].value)) {
        operand moved = cc_temp(c, CC_S, 1);
        cc_move(c, moved, a[k]);
        a[k] = moved;
      }
    bool sense = cc_scc(c, condition);
    for (uint32_t k = 0; k < count; k++)
      *OG_PUSH(c->arena, &out) = SALU(c, S_CSELECT_B32, 1, sense ? a[k] : b[k], sense ? b[k] : a[k]);
    cc_define(c, record, out.items, count);
    return true;
  }
  if (bit_decides(c, record))
    return true;
  operand mask = each ? cc_constant(0) : cc_mask(c, condition);
  if (i1 && !each) { /* (mask and x) or (y and not mask) */
    bool wide = c->mask_dwords == 2;
    operand yes =
        cc_salu(c, wide ? OG_ROW_S_AND_B64 : OG_ROW_S_AND_B32, c->mask_dwords, 2, (operand[]){mask, cc_mask(c, x)});
    operand no =
        cc_salu(c, wide ? OG_ROW_S_ANDN2_B64 : OG_ROW_S_ANDN2_B32, c->mask_dwords, 2, (operand[]){cc_mask(c, y), mask});
    cc_define_mask(c, record,
                   cc_salu(c, wide ? OG_ROW_S_OR_B64 : OG_ROW_S_OR_B32, c->mask_dwords, 2, (operand[]){yes, no}));
    return true;
  }
  for (uint32_t k = 0; k < count; k++) {
    if (each && k % width == 0)
      mask = cc_compare(c, OG_ROW_V_CMP_NE_U32, cc_constant(0), cc_part(c, condition, k / width));
    operand a = cc_part(c, x, k), b = cc_part(c, y, k);
    if (halves && k % 2 == 0 && k + 1 < count && is_whole(c, a, cc_part(c, x, k + 1)) &&
        is_whole(c, b, cc_part(c, y, k + 1))) {
      operand both =
          cc_choose(c, mask, cc_pack_halves(c, a, cc_part(c, x, k + 1)), cc_pack_halves(c, b, cc_part(c, y, k + 1)));
      operand high = cc_element_of(c, CC_V, &both, 16);
      *OG_PUSH(c->arena, &out) = both, *OG_PUSH(c->arena, &out) = high;
      k++;
      continue;
    }
    *OG_PUSH(c->arena, &out) = cc_choose(c, mask, a, b);
  }
  cc_define(c, record, out.items, count);
  return true;
}

/* An index that is known only when it runs. */
static operand element_index(struct cc_function *c, og_ir_ref index) {
  return cc_in_vector(c, cc_extend(c, CC_V, cc_part(c, index, 0), cc_bits(c->m, cc_type_of(c, index)), false));
}

/* Makes the element with that index the first. If there are few, each is compared with the index; else each bit of the
 * index chooses half of them. */
static void choose_element(struct cc_function *c, operand *elements, uint32_t count, uint32_t each, operand index) {
  enum { FEW = 6 };
  for (uint32_t k = 1; k < count && count <= FEW; k++) {
    operand here = cc_compare(c, OG_ROW_V_CMP_EQ_U32, cc_constant(k), index);
    for (uint32_t p = 0; p < each; p++)
      elements[p] = cc_choose(c, here, elements[k * each + p], elements[p]);
  }
  for (uint32_t bit = 1; count > FEW || (bit > 1 && count > 1); bit *= 2, count = (count + 1) / 2) {
    operand odd = cc_compare(c, OG_ROW_V_CMP_NE_U32, cc_constant(0), VALU(c, V_AND_B32, 1, cc_constant(bit), index));
    for (uint32_t k = 0; k < count; k += 2)
      for (uint32_t p = 0; p < each; p++)
        elements[k / 2 * each + p] = k + 1 < count
                                         ? cc_choose(c, odd, elements[(k + 1) * each + p], elements[k * each + p])
                                         : elements[k * each + p];
  }
}

bool cc_select_element(struct cc_function *c, uint32_t record) {
  const struct og_ir_inst *i = &c->f->insts.items[record];
  og_ir_ref x = og_ir_operand(c->f, i, 0);
  uint32_t each = cc_parts(c->m, og_ir_scalar(c->m, i->opcode == OG_IR_EXTRACTELEMENT ? i->type : cc_type_of(c, x)));
  uint32_t count = cc_count(c, x);
  uint64_t at;
  OG_VECTOR(operand) out = {0};
  if (i->opcode == OG_IR_SHUFFLEVECTOR) {
    const uint32_t *numbers = &c->m->pool.items[i->extra];
    for (uint32_t k = 0; k < numbers[0]; k++)
      for (uint32_t p = 0; p < each; p++) {
        uint32_t from = numbers[1 + k] == UINT32_MAX ? 0 : numbers[1 + k] * each + p;
        *OG_PUSH(c->arena, &out) = numbers[1 + k] == UINT32_MAX ? cc_constant(0)
                                   : from < count               ? cc_part(c, x, from)
                                                                : cc_part(c, og_ir_operand(c->f, i, 1), from - count);
      }
  } else if (i->opcode == OG_IR_EXTRACTELEMENT) {
    if (!cc_is_number(c->m, og_ir_operand(c->f, i, 1), &at)) {
      operand *elements = OG_NEW_ARRAY(c->arena, operand, count);
      for (uint32_t k = 0; k < count; k++)
        elements[k] = cc_part(c, x, k);
      choose_element(c, elements, count / each, each, element_index(c, og_ir_operand(c->f, i, 1)));
      for (uint32_t p = 0; p < each; p++)
        *OG_PUSH(c->arena, &out) = elements[p];
      if (cc_bits(c->m, i->type) == 1)
        return false;
      cc_define(c, record, out.items, out.count);
      return true;
    }
    if (cc_bits(c->m, i->type) == 1) {
      cc_define_mask(c, record, cc_compare(c, OG_ROW_V_CMP_NE_U32, cc_constant(0), cc_part(c, x, (uint32_t)at)));
      return true;
    }
    for (uint32_t p = 0; p < each; p++)
      *OG_PUSH(c->arena, &out) = at * each + p < count ? cc_part(c, x, (uint32_t)at * each + p) : cc_constant(0);
  } else {
    og_ir_ref element = og_ir_operand(c->f, i, 1);
    if (!cc_is_number(c->m, og_ir_operand(c->f, i, 2), &at)) {
      operand index = element_index(c, og_ir_operand(c->f, i, 2)), here = cc_constant(0);
      if (cc_bits(c->m, cc_type_of(c, element)) == 1)
        return false;
      for (uint32_t k = 0; k < count; k++) {
        if (k % each == 0)
          here = cc_compare(c, OG_ROW_V_CMP_EQ_U32, cc_constant(k / each), index);
        *OG_PUSH(c->arena, &out) = cc_choose(c, here, cc_part(c, element, k % each), cc_part(c, x, k));
      }
      cc_define(c, record, out.items, out.count);
      return true;
    }
    bool i1 = cc_bits(c->m, cc_type_of(c, element)) == 1;
    for (uint32_t k = 0; k < count; k++)
      *OG_PUSH(c->arena, &out) =
          k / each == at ? (i1 ? cc_bool_vector(c, element) : cc_part(c, element, k % each)) : cc_part(c, x, k);
  }
  cc_define(c, record, out.items, out.count);
  return true;
}

/* Members of structs and arrays. */
bool cc_select_member(struct cc_function *c, uint32_t record) {
  const struct og_ir_inst *i = &c->f->insts.items[record];
  const uint32_t *numbers = &c->m->pool.items[i->extra];
  og_ir_ref x = og_ir_operand(c->f, i, 0);
  og_ir_type type = cc_type_of(c, x);
  uint32_t at = 0, count = cc_count(c, x);
  for (uint32_t k = 0; k < numbers[0]; k++) {
    if (og_ir_kind(c->m, type) == OG_IR_STRUCT)
      for (uint32_t before = 0; before < numbers[1 + k]; before++)
        at += cc_parts(c->m, og_ir_part(c->m, type, before));
    else
      at += numbers[1 + k] * cc_parts(c->m, og_ir_part(c->m, type, 0));
    type = og_ir_element(c->m, type, numbers[1 + k]);
  }
  OG_VECTOR(operand) out = {0};
  uint32_t own = cc_parts(c->m, type);
  bool i1 = cc_bits(c->m, type) == 1;
  if (i->opcode == OG_IR_EXTRACTVALUE && i1) {
    if (c->values[record].place == CC_SCALAR)
      return false;
    cc_define_mask(c, record, cc_compare(c, OG_ROW_V_CMP_NE_U32, cc_constant(0), cc_part(c, x, at)));
    return true;
  }
  og_ir_ref value = i->opcode == OG_IR_INSERTVALUE ? og_ir_operand(c->f, i, 1) : OG_IR_NONE;
  if (i->opcode == OG_IR_EXTRACTVALUE)
    for (uint32_t k = 0; k < own; k++)
      *OG_PUSH(c->arena, &out) = cc_part(c, x, at + k);
  else
    for (uint32_t k = 0; k < count; k++)
      *OG_PUSH(c->arena, &out) =
          k >= at && k < at + own ? (i1 ? cc_bool_vector(c, value) : cc_part(c, value, k - at)) : cc_part(c, x, k);
  cc_define(c, record, out.items, out.count);
  return true;
}
