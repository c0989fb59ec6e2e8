/* select_lanes.c - values from other lanes: DPP, permutations of rows. What they are is in lanes.def. */
#include "cc/select.h"

#include <string.h>

static const struct lanes {
  const char *name;
  uint16_t row;
  uint8_t variant;
  char arguments[8];
} table[] = {
#define LANES(name, row, variant, arguments) {name, OG_ROW_##row, OG_VARIANT_##variant, arguments},
#include "cc/lanes.def"
};

enum { ALL = 15 }; /* rows, or banks */

/* The modifiers, which are constants. */
struct modifiers {
  uint32_t value[128]; /* by their letter */
  bool keeps;          /* a lane may keep what it had */
};

static bool read_modifiers(struct cc_function *c, const struct og_ir_inst *i, const struct lanes *t, struct modifiers *m) {
  *m = (struct modifiers){.keeps = true};
  for (unsigned a = 0; t->arguments[a]; a++) {
    char what = t->arguments[a];
    uint64_t number;
    if (strchr("ovVs", what))
      continue;
    if (!cc_is_number(c->m, og_ir_operand(c->f, i, 1 + a), &number))
      return cc_refuse(c, "%s with a control that is no constant", t->name);
    m->value[(unsigned char)what] = (uint32_t)number;
  }
  if (t->variant == OG_VARIANT_DPP16)
    m->keeps = !(m->value['r'] == ALL && m->value['b'] == ALL && m->value['z']);
  return true;
}

static void modify(struct cc_function *c, struct cc_inst *i, const struct lanes *t, const struct modifiers *m) {
  static const struct {
    char letter;
    uint8_t mod;
  } dpp[] = {{'c', OG_MOD_DPP_CTRL}, {'r', OG_MOD_ROW_MASK}, {'b', OG_MOD_BANK_MASK}, {'z', OG_MOD_BOUND_CTRL}, {'8', OG_MOD_DPP8}};
  i->variant = t->variant;
  for (unsigned k = 0; k < OG_COUNT(dpp); k++)
    if (strchr(t->arguments, dpp[k].letter))
      cc_modify(c, i, dpp[k].mod, (int32_t)m->value[(unsigned char)dpp[k].letter]);
  if (m->value['f'] | m->value['l'])
    cc_modify(c, i, OG_MOD_OP_SEL, (int32_t)(m->value['f'] | m->value['l'] << 1));
}

static bool is_undefined(const struct cc_function *c, og_ir_ref ref) {
  uint8_t kind = og_ir_space(ref) == OG_IR_CONSTANT ? og_ir_constant_of(c->m, ref)->kind : OG_IR_C_NUMBER;
  return kind == OG_IR_C_UNDEF || kind == OG_IR_C_POISON;
}

/* Scalar sources are inline constants or registers. */
static operand scalar_source(struct cc_function *c, og_ir_ref ref) {
  operand o = cc_part(c, ref, 0);
  if (cc_is_vector(c, o))
    return SALU(c, V_READFIRSTLANE_B32, 1, o);
  return o.kind == CC_CONST && !cc_is_inline(o.value) ? SALU(c, S_MOV_B32, 1, o) : o;
}

/* The part of the result, which is the register of what it keeps, where it keeps something. */
static operand take(struct cc_function *c, const struct og_ir_inst *i, const struct lanes *t, const struct modifiers *m,
                    uint32_t part) {
  operand list[6];
  unsigned count = 1;
  bool tied = false;
  list[0] = cc_temp(c, CC_V, 1);
  for (unsigned a = 0; t->arguments[a]; a++) {
    og_ir_ref ref = og_ir_operand(c->f, i, 1 + a);
    switch (t->arguments[a]) {
    case 'o':
      tied = m->keeps && !is_undefined(c, ref);
      if (tied)
        cc_move(c, list[0], cc_part(c, ref, part));
      break;
    case 'v': list[count++] = cc_in_vector(c, cc_part(c, ref, part)); break;
    case 'V': list[count++] = cc_in_vector(c, cc_part(c, ref, 0)); break;
    case 's': list[count++] = scalar_source(c, ref); break;
    default: break;
    }
  }
  if (tied)
    list[count] = list[0];
  struct cc_inst *inst = cc_emit(c, t->row, 1, count + tied, list);
  inst->tied = tied ? (uint8_t)count : 0;
  modify(c, inst, t, m);
  return list[0];
}

bool cc_select_lanes(struct cc_function *c, uint32_t record, struct og_text name) {
  for (unsigned k = 0; k < OG_COUNT(table); k++) {
    const struct og_ir_inst *i = &c->f->insts.items[record];
    struct og_text rest = name;
    struct modifiers m;
    if (!og_text_skip(&rest, table[k].name) || !cc_has_row(c, table[k].row) || i->operands < 1 + strlen(table[k].arguments) ||
        (table[k].variant && !c->variant_counts[table[k].row]))
      continue;
    uint32_t count = cc_parts(c->m, i->type);
    operand *out = OG_NEW_ARRAY(c->arena, operand, count + 1);
    if (!read_modifiers(c, i, &table[k], &m))
      return false;
    for (uint32_t p = 0; p < count; p++)
      out[p] = take(c, i, &table[k], &m, p);
    cc_define(c, record, out, count);
    return true;
  }
  return false;
}
