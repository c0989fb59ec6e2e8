/* alu.c - arithmetic in scalar or vector registers: operands as the encodings take them, carries, shifts,
 * comparisons. */
#include "cc/select.h"

operand cc_salu(struct cc_function *c, unsigned row, unsigned dwords, unsigned count, const operand *sources) {
  operand list[6] = {cc_temp(c, CC_S, dwords)};
  const operand *literal = NULL;
  for (unsigned i = 0; i < count; i++) {
    list[1 + i] = sources[i];
    if (sources[i].kind == CC_CONST && !cc_is_inline(sources[i].value)) {
      if (literal && literal->value != sources[i].value) { /* an instruction has one literal */
        list[1 + i] = cc_temp(c, CC_S, 1);
        cc_move(c, list[1 + i], sources[i]);
      }
      literal = &sources[i];
    }
  }
  cc_emit(c, row, 1, 1 + count, list);
  return list[0];
}

/* For elements that stand in the middle of registers: the form (SDWA) that reads them there, if the instruction has
 * one. */
bool cc_valu_parts(struct cc_function *c, unsigned row, unsigned bits, operand to, unsigned count,
                   const operand *sources) {
  enum { WORD_1 = 5, DWORD = 6 };
  operand list[3] = {to};
  unsigned select[2] = {DWORD, DWORD};
  bool inside = false;
  for (unsigned k = 0; k < count && k < 2; k++) {
    unsigned bit;
    operand home = cc_home(c, sources[k], &bit);
    bool taken = bit && cc_is_vector(c, home) && (bits == 8 || bit == 16);
    list[1 + k] = taken ? home : sources[k];
    select[k] = !taken ? (unsigned)DWORD : bits == 8 ? bit / 8 : (unsigned)WORD_1;
    inside |= taken;
  }
  if (!inside || count > 2 || c->isa->gfx11 || !cc_has_row(c, row))
    return false;
  bool found = false, whole = true; /* without DST_SEL the whole register is written */
  for (unsigned f = 0; f < c->variant_counts[row]; f++) {
    const struct og_form *form = og_form(c->isa, c->forms[row][c->form_counts[row] + f]);
    const struct og_shape *shape = og_shape(c->isa, form);
    found |= form->variant == OG_VARIANT_SDWA;
    for (unsigned k = 0; k < shape->mod_count && form->variant == OG_VARIANT_SDWA; k++)
      whole &= og_mods(shape)[k].mod != OG_MOD_DST_SEL;
  }
  for (unsigned k = 0; k < count && found; k++)
    list[1 + k] = cc_in_vector(c, list[1 + k]);
  if (!found)
    return false;
  struct cc_inst *i = cc_emit(c, row, 1, 1 + count, list);
  i->variant = OG_VARIANT_SDWA;
  if (!whole)
    cc_modify(c, i, OG_MOD_DST_SEL, DWORD);
  cc_modify(c, i, OG_MOD_SRC0_SEL, (int32_t)select[0]);
  if (count > 1)
    cc_modify(c, i, OG_MOD_SRC1_SEL, (int32_t)select[1]);
  return true;
}

/* Whether all sources of a vector instruction have 16 bits. */
static bool takes_halves(struct cc_function *c, unsigned row) {
  if (!cc_has_row(c, row))
    return false;
  const struct og_form *form = og_form(c->isa, c->forms[row][0]);
  const struct og_shape *shape = og_shape(c->isa, form);
  bool halves = form->encoding == OG_ENC_VOP1 || form->encoding == OG_ENC_VOP2;
  for (unsigned s = 0; s < shape->slot_count; s++)
    if (!(og_slots(shape)[s].flags & OG_SLOT_WRITE))
      halves &= og_slots(shape)[s].type == OG_TYPE_F16 || og_slots(shape)[s].type == OG_TYPE_I16;
  return halves;
}

/* A vector instruction reads one scalar value, from gfx10 on two; the second source of the short encoding is a vector
 * register, and a literal needs that encoding before gfx10 (ISA manuals, "VALU", "Operands"). */
void cc_valu_to(struct cc_function *c, unsigned row, operand to, unsigned count, const operand *sources) {
  operand list[6] = {to}, *s = list + 1;
  for (unsigned i = 0; i < count; i++)
    s[i] = sources[i];
  if (takes_halves(c, row) && cc_valu_parts(c, row, 16, to, count, sources))
    return;
  static const uint16_t shifts[3][2] = {{OG_ROW_V_LSHLREV_B64, OG_ROW_V_LSHL_B64},
                                        {OG_ROW_V_LSHRREV_B64, OG_ROW_V_LSHR_B64},
                                        {OG_ROW_V_ASHRREV_I64, OG_ROW_V_ASHR_I64}};
  for (unsigned k = 0; k < 3; k++) /* before gfx8 the amount comes second */
    if (row == shifts[k][0] && !cc_has_row(c, row)) {
      row = shifts[k][1];
      s[0] = sources[1], s[1] = sources[0];
    }
  if (count == 2 && og_row_commuted(row) == (int)row && cc_is_vector(c, s[0]) && !cc_is_vector(c, s[1])) {
    operand swap = s[0];
    s[0] = s[1], s[1] = swap;
  }
  unsigned limit = c->isa->gfx10 && row != OG_ROW_V_LSHLREV_B64 && row != OG_ROW_V_LSHRREV_B64 &&
                           row != OG_ROW_V_ASHRREV_I64
                       ? 2
                       : 1,
           used = 0;
  for (unsigned i = 0; i < count; i++) {
    bool literal = s[i].kind == CC_CONST && !cc_is_inline(s[i].value);
    if (!literal && !cc_is_scalar_reg(c, s[i]))
      continue;
    bool again = false;
    for (unsigned k = 0; k < i; k++)
      again |= !literal && s[k].kind == s[i].kind && s[k].value == s[i].value && s[k].sub == s[i].sub;
    if (again)
      continue;
    bool short_one = cc_is_short(c, row) && to.dwords == 1 && s[i].dwords == 1 && !s[0].flags &&
                     (count < 2 || (cc_is_vector(c, s[1]) && !s[1].flags));
    if (used < limit && (!literal || (i == 0 && short_one))) {
      used++;
      continue;
    }
    operand moved = cc_temp(c, CC_V, s[i].dwords);
    for (unsigned k = 0; k < s[i].dwords; k++)
      cc_move(c, cc_part_of(moved, k, 1),
              s[i].kind == CC_CONST ? cc_constant(k ? (uint32_t)((int32_t)s[i].value >> 31) : s[i].value)
                                    : cc_part_of((operand){s[i].kind, 0, s[i].sub, s[i].dwords, s[i].value}, k, 1));
    moved.flags = s[i].flags;
    s[i] = moved;
  }
  cc_emit(c, row, 1, 1 + count, list);
}

operand cc_valu(struct cc_function *c, unsigned row, unsigned dwords, unsigned count, const operand *sources) {
  operand to = cc_temp(c, CC_V, dwords);
  cc_valu_to(c, row, to, count, sources);
  return to;
}

operand cc_compare(struct cc_function *c, unsigned row, operand a, operand b) {
  operand to = cc_temp(c, CC_S, c->mask_dwords);
  cc_valu_to(c, row, to, 2, (operand[]){a, b});
  return to;
}

operand cc_choose(struct cc_function *c, operand mask, operand yes, operand no) {
  operand sources[3] = {no, yes, mask};
  for (unsigned i = 0; i < 2; i++) /* the mask is the one scalar value */
    if (cc_is_scalar_reg(c, sources[i]) || (sources[i].kind == CC_CONST && !cc_is_inline(sources[i].value)))
      sources[i] = cc_in_vector(c, sources[i]);
  unsigned yes_bits = cc_width(c, yes), no_bits = cc_width(c, no);
  return cc_narrow(c, cc_valu(c, OG_ROW_V_CNDMASK_B32, 1, 3, sources), OG_MAX(yes_bits, no_bits));
}

unsigned cc_width(const struct cc_function *c, operand o) {
  if (o.kind == CC_CONST)
    return o.value ? 32 - (unsigned)__builtin_clz(o.value) : 0;
  if (o.kind != CC_REG || o.flags || !c->regs.items[o.value].known)
    return 32;
  return c->regs.items[o.value].known;
}

operand cc_narrow(struct cc_function *c, operand o, unsigned bits) {
  if (o.kind == CC_REG && c->regs.items[o.value].dwords == 1 && bits && bits < 32)
    c->regs.items[o.value].known = (uint8_t)bits;
  return o;
}

operand cc_extend(struct cc_function *c, unsigned file, operand o, unsigned bits, bool is_signed) {
  if (bits >= 32 || (o.kind != CC_CONST && cc_width(c, o) + is_signed <= bits))
    return o;
  uint32_t mask = (1u << bits) - 1, sign = 1u << (bits - 1);
  if (o.kind == CC_CONST)
    return cc_constant(is_signed ? ((o.value & mask) ^ sign) - sign : o.value & mask);
  if (file == CC_S && is_signed)
    return SALU(c, S_BFE_I32, 1, o, cc_constant(bits << 16));
  if (file == CC_S)
    return cc_narrow(c, SALU(c, S_AND_B32, 1, o, cc_constant(mask)), bits);
  if (is_signed)
    return VALU(c, V_BFE_I32, 1, o, cc_constant(0), cc_constant(bits));
  return cc_narrow(c, VALU(c, V_AND_B32, 1, cc_constant(mask), o), bits);
}

static operand carry(const struct cc_function *c) { return cc_special(OG_SPECIAL_VCC_LO, c->mask_dwords); }

/* Sums and differences with a carry out, or in and out, in VCC. The second source must be a vector register. */
static void with_carry(struct cc_function *c, unsigned row, operand to, operand a, operand b, bool in) {
  if (!cc_is_vector(c, b))
    b = cc_in_vector(c, b);
  if (!cc_is_vector(c, a) && (in || a.kind == CC_CONST) && !(a.kind == CC_CONST && cc_is_inline(a.value)) &&
      !(c->isa->gfx10 && a.kind == CC_REG))
    a = cc_in_vector(c, a); /* VCC is a scalar value, before gfx10 the only one */
  cc_emit(c, row, 2, in ? 5 : 4, (operand[]){to, carry(c), a, b, carry(c)});
}

operand cc_add(struct cc_function *c, unsigned file, operand a, operand b) {
  if (a.kind == CC_CONST && b.kind == CC_CONST)
    return cc_constant(a.value + b.value);
  if (b.kind == CC_CONST && b.value == 0)
    return a;
  if (file == CC_S)
    return SALU(c, S_ADD_U32, 1, a, b);
  if (cc_has_row(c, OG_ROW_V_ADD_U32))
    return VALU(c, V_ADD_U32, 1, a, b);
  operand to = cc_temp(c, CC_V, 1);
  with_carry(c, OG_ROW_V_ADD_CO_U32, to, a, b, false);
  return to;
}

operand cc_sub(struct cc_function *c, unsigned file, operand a, operand b) {
  if (file == CC_S)
    return SALU(c, S_SUB_U32, 1, a, b);
  if (cc_has_row(c, OG_ROW_V_SUB_U32)) {
    if (cc_is_vector(c, a) && !cc_is_vector(c, b))
      return VALU(c, V_SUBREV_U32, 1, b, a);
    return VALU(c, V_SUB_U32, 1, a, b);
  }
  operand to = cc_temp(c, CC_V, 1);
  with_carry(c, OG_ROW_V_SUB_CO_U32, to, a, b, false);
  return to;
}

operand cc_mul(struct cc_function *c, unsigned file, operand a, operand b) {
  return ALU(c, file, S_MUL_I32, V_MUL_LO_U32, a, b);
}

static operand shift(struct cc_function *c, unsigned file, int opcode, operand value, operand amount) {
  if (file == CC_S)
    return cc_salu(c,
                   opcode == OG_IR_SHL    ? OG_ROW_S_LSHL_B32
                   : opcode == OG_IR_LSHR ? OG_ROW_S_LSHR_B32
                                          : OG_ROW_S_ASHR_I32,
                   1, 2, (operand[]){value, amount});
  return cc_valu(c,
                 opcode == OG_IR_SHL    ? OG_ROW_V_LSHLREV_B32
                 : opcode == OG_IR_LSHR ? OG_ROW_V_LSHRREV_B32
                                        : OG_ROW_V_ASHRREV_I32,
                 1, 2, (operand[]){amount, value});
}

operand cc_shift(struct cc_function *c, unsigned file, int opcode, operand value, operand amount) {
  if (amount.kind == CC_CONST && amount.value == 0)
    return value;
  if (amount.kind == CC_CONST && amount.value < 32) {
    unsigned width = cc_width(c, value), by = amount.value;
    if (opcode == OG_IR_ASHR && width < 32)
      opcode = OG_IR_LSHR;
    unsigned left = opcode == OG_IR_SHL ? width + by : opcode == OG_IR_LSHR ? (width > by ? width - by : 0) : 32;
    if (!left)
      return cc_constant(0);
    return cc_narrow(c, shift(c, file, opcode, value, amount), left);
  }
  return shift(c, file, opcode, value, amount);
}

operand cc_shift_out(struct cc_function *c, unsigned file, int opcode, operand o, uint32_t by) {
  operand shifted = cc_shift(c, file, opcode, o, cc_constant(by));
  if (by && by % 8 == 0 && by < 32 && o.kind == CC_REG && !o.flags && shifted.kind == CC_REG &&
      !c->regs.items[o.value].many) {
    struct cc_reg *r = &c->regs.items[shifted.value];
    r->of = o.value, r->of_sub = o.sub, r->of_bit = (uint8_t)by;
  }
  return shifted;
}

operand cc_add64(struct cc_function *c, unsigned file, operand a[2], operand b[2], bool subtract) {
  if (b[0].kind == CC_CONST && b[0].value == 0) { /* nothing is carried out of the lower half */
    operand pair[2] = {a[0], subtract ? cc_sub(c, file, a[1], b[1]) : cc_add(c, file, a[1], b[1])};
    return cc_tuple(c, pair, 2, file);
  }
  operand to = cc_temp(c, file, 2);
  if (file == CC_S) {
    for (unsigned k = 0; k < 2; k++) {
      operand x = a[k], y = b[k];
      if (x.kind == CC_CONST && y.kind == CC_CONST) {
        operand moved = cc_temp(c, CC_S, 1);
        cc_move(c, moved, x); /* a move leaves SCC alone */
        x = moved;
      }
      cc_emit(c, subtract ? (k ? OG_ROW_S_SUBB_U32 : OG_ROW_S_SUB_U32) : (k ? OG_ROW_S_ADDC_U32 : OG_ROW_S_ADD_U32), 1,
              3, (operand[]){cc_part_of(to, k, 1), x, y});
    }
    return to;
  }
  for (unsigned k = 0; k < 2; k++) {
    operand x = a[k], y = b[k];
    if (!subtract && !cc_is_vector(c, y) && (cc_is_vector(c, x) || y.kind == CC_CONST))
      x = b[k], y = a[k]; /* the register comes second */
    with_carry(c,
               subtract ? (k ? OG_ROW_V_SUBB_CO_U32 : OG_ROW_V_SUB_CO_U32)
                        : (k ? OG_ROW_V_ADDC_CO_U32 : OG_ROW_V_ADD_CO_U32),
               cc_part_of(to, k, 1), x, y, k);
  }
  return to;
}
