/* select_wide.c - integers of more than 64 bits: dword by dword, with carries. */
#include "cc/select.h"

enum { MOST = 8 }; /* dwords */

static void add_wide(struct cc_function *c, unsigned count, const operand *a, const operand *b, bool subtract,
                     operand *out) {
  operand carry = cc_special(OG_SPECIAL_VCC_LO, c->mask_dwords);
  for (unsigned k = 0; k < count; k++) {
    static const uint16_t rows[2][2] = {{OG_ROW_V_ADD_CO_U32, OG_ROW_V_ADDC_CO_U32},
                                        {OG_ROW_V_SUB_CO_U32, OG_ROW_V_SUBB_CO_U32}};
    out[k] = cc_temp(c, CC_V, 1);
    cc_emit(c, rows[subtract][k > 0], 2, k ? 5 : 4, (operand[]){out[k], carry, a[k], b[k], carry});
  }
}

/* Long multiplication: the low and high halves of each row's products are added to what is there, with carries. */
static void mul_wide(struct cc_function *c, unsigned count, const operand *a, const operand *b, operand *out) {
  for (unsigned k = 0; k < count; k++)
    out[k] = cc_constant(0);
  for (unsigned row = 0; row < count; row++) {
    operand carry = cc_constant(0);
    for (unsigned k = 0; k + row < count; k++) {
      operand low = VALU(c, V_MUL_LO_U32, 1, a[k], b[row]), zero = cc_constant(0);
      operand high = k + row + 1 < count ? VALU(c, V_MUL_HI_U32, 1, a[k], b[row]) : zero;
      operand sum = cc_add64(c, CC_V, (operand[]){low, high}, (operand[]){out[k + row], zero}, false);
      sum =
          cc_add64(c, CC_V, (operand[]){cc_part_of(sum, 0, 1), cc_part_of(sum, 1, 1)}, (operand[]){carry, zero}, false);
      out[k + row] = cc_part_of(sum, 0, 1), carry = cc_part_of(sum, 1, 1);
    }
  }
}

/* First shifts by whole dwords, chosen by each bit of the amount, then shifts the rest through pairs of dwords. */
static void shift_wide(struct cc_function *c, unsigned count, int opcode, const operand *a, operand by, operand *out) {
  operand fill = opcode == OG_IR_ASHR ? cc_shift(c, CC_V, OG_IR_ASHR, a[count - 1], cc_constant(31)) : cc_constant(0);
  operand now[MOST], moved[MOST];
  for (unsigned k = 0; k < count; k++)
    now[k] = a[k];
  bool known = by.kind == CC_CONST;
  for (unsigned k = 0, whole = by.value / 32; k < count && known; k++)
    now[k] = opcode == OG_IR_SHL ? (k >= whole ? a[k - whole] : cc_constant(0))
             : k + whole < count ? a[k + whole]
                                 : fill;
  for (unsigned step = 1; step < count && !known; step *= 2) {
    operand bit = VALU(c, V_AND_B32, 1, cc_constant(32 * step), by);
    operand is_set = cc_compare(c, OG_ROW_V_CMP_NE_U32, cc_constant(0), bit);
    for (unsigned k = 0; k < count; k++) {
      operand from = opcode == OG_IR_SHL ? (k >= step ? now[k - step] : cc_constant(0))
                                         : (k + step < count ? now[k + step] : fill);
      moved[k] = cc_choose(c, is_set, from, now[k]);
    }
    for (unsigned k = 0; k < count; k++)
      now[k] = moved[k];
  }
  operand rest = known ? cc_constant(by.value % 32) : VALU(c, V_AND_B32, 1, cc_constant(31), by);
  if (known && !rest.value) {
    for (unsigned k = 0; k < count; k++)
      out[k] = now[k];
    return;
  }
  for (unsigned k = 0; k < count; k++) {
    if (opcode != OG_IR_SHL) {
      out[k] = VALU(c, V_ALIGNBIT_B32, 1, k + 1 < count ? now[k + 1] : fill, now[k], rest);
      continue;
    }
    operand pair = cc_tuple(c, (operand[]){k ? now[k - 1] : cc_constant(0), now[k]}, 2, CC_V);
    out[k] = cc_part_of(VALU(c, V_LSHLREV_B64, 2, rest, pair), 1, 1);
  }
}

bool cc_select_wide(struct cc_function *c, uint32_t record) {
  const struct og_ir_inst *i = &c->f->insts.items[record];
  og_ir_ref x = og_ir_operand(c->f, i, 0), y = og_ir_operand(c->f, i, 1);
  unsigned bits = cc_bits(c->m, i->type), count = (bits + 31) / 32;
  operand a[MOST], b[MOST], out[MOST];
  if (count > MOST || bits % 32)
    return false;
  bool shifts = i->opcode == OG_IR_SHL || i->opcode == OG_IR_LSHR || i->opcode == OG_IR_ASHR;
  for (unsigned k = 0; k < count; k++) {
    a[k] = cc_in_vector(c, cc_part(c, x, k)), b[k] = cc_part(c, y, k);
    b[k] = shifts ? b[k] : cc_in_vector(c, b[k]);
  }
  switch (i->opcode) {
  case OG_IR_ADD: add_wide(c, count, a, b, false, out); break;
  case OG_IR_SUB: add_wide(c, count, a, b, true, out); break;
  case OG_IR_MUL: mul_wide(c, count, a, b, out); break;
  case OG_IR_SHL:
  case OG_IR_LSHR:
  case OG_IR_ASHR: shift_wide(c, count, i->opcode, a, b[0], out); break;
  case OG_IR_AND:
  case OG_IR_OR:
  case OG_IR_XOR:
    for (unsigned k = 0; k < count; k++)
      out[k] = i->opcode == OG_IR_AND  ? VALU(c, V_AND_B32, 1, a[k], b[k])
               : i->opcode == OG_IR_OR ? VALU(c, V_OR_B32, 1, a[k], b[k])
                                       : VALU(c, V_XOR_B32, 1, a[k], b[k]);
    break;
  default: return false;
  }
  cc_define(c, record, out, count);
  return true;
}
