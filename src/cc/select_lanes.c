/* select_lanes.c - values from other lanes: DPP, permutations of rows, by lanes.def. */
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

enum { ALL = 15 }; /* all rows, or banks */

/* The modifiers' values, which are constants. */
struct modifiers {
  uint32_t value[128]; /* by the letter in lanes.def */
  bool keeps;          /* a lane that receives nothing keeps what it had */
};

static bool read_modifiers(struct cc_function *c, const struct og_ir_inst *i, const struct lanes *t,
                           struct modifiers *m) {
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
  } dpp[] = {{'c', OG_MOD_DPP_CTRL},
             {'r', OG_MOD_ROW_MASK},
             {'b', OG_MOD_BANK_MASK},
             {'z', OG_MOD_BOUND_CTRL},
             {'8', OG_MOD_DPP8}};
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

/* One dword of the result. If lanes may keep something, that is moved into the result's register first. */
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

/* One lane's value for all lanes: that of the first lane that is on, or of the lane with a number. */
static bool read_lane(struct cc_function *c, uint32_t record, bool first) {
  const struct og_ir_inst *i = &c->f->insts.items[record];
  uint32_t count = cc_parts(c->m, i->type);
  bool condition = cc_bits(c->m, i->type) == 1;
  og_ir_ref from = og_ir_operand(c->f, i, 1);
  operand lane = cc_constant(0), *out = OG_NEW_ARRAY(c->arena, operand, count + 1);
  if (!first)
    lane = cc_part(c, og_ir_operand(c->f, i, 2), 0);
  if (cc_is_vector(c, lane))
    lane = SALU(c, V_READFIRSTLANE_B32, 1, lane);
  else if (lane.kind == CC_CONST)
    lane = cc_constant(lane.value % c->target->wave_size);
  for (uint32_t p = 0; p < count; p++) {
    operand o = condition ? cc_bool_vector(c, from) : cc_part(c, from, p);
    out[p] = !cc_is_vector(c, o) ? o : first ? SALU(c, V_READFIRSTLANE_B32, 1, o) : SALU(c, V_READLANE_B32, 1, o, lane);
  }
  cc_define(c, record, out, count);
  return true;
}

/* Each lane gets the value of the lane with a number of its own: a permutation by LDS hardware. From gfx10 on this
 * reaches 32 lanes; a wave of 64 does it twice, the second time with its halves exchanged. */
static bool shuffle(struct cc_function *c, uint32_t record, struct og_text name) {
  const struct og_ir_inst *i = &c->f->insts.items[record];
  uint32_t count = cc_parts(c->m, i->type);
  bool halves = c->isa->gfx10 && c->target->wave_size == 64;
  if (!cc_has_row(c, OG_ROW_DS_BPERMUTE_B32) || (halves && !cc_has_row(c, OG_ROW_V_PERMLANE64_B32)))
    return cc_refuse(c, "%s has no instruction for '%.*s'", c->target->processor->name, OG_TEXT_ARGS(name));
  operand lane = cc_in_vector(c, cc_part(c, og_ir_operand(c->f, i, 2), 0)), same = {0};
  operand at = cc_shift(c, CC_V, OG_IR_SHL, lane, cc_constant(2)), *out = OG_NEW_ARRAY(c->arena, operand, count + 1);
  if (halves) {
    operand all = cc_constant(UINT32_MAX);
    operand id = VALU(c, V_MBCNT_HI_U32_B32, 1, all, VALU(c, V_MBCNT_LO_U32_B32, 1, all, cc_constant(0)));
    same = cc_compare(c, OG_ROW_V_CMP_GT_U32, cc_constant(32),
                      VALU(c, V_AND_B32, 1, cc_constant(63), VALU(c, V_XOR_B32, 1, lane, id)));
  }
  for (uint32_t p = 0; p < count; p++) {
    operand o = cc_in_vector(c, cc_part(c, og_ir_operand(c->f, i, 1), p));
    out[p] = VALU(c, DS_BPERMUTE_B32, 1, at, o);
    if (halves)
      out[p] = cc_choose(c, same, out[p], VALU(c, DS_BPERMUTE_B32, 1, at, VALU(c, V_PERMLANE64_B32, 1, o)));
  }
  cc_define(c, record, out, count);
  return true;
}

/* A number that is the same in all lanes, as the mask with these bits. */
static bool inverse_ballot(struct cc_function *c, uint32_t record) {
  const struct og_ir_inst *i = &c->f->insts.items[record];
  og_ir_ref from = og_ir_operand(c->f, i, 1);
  operand parts[2] = {{0}, cc_constant(0)};
  for (uint32_t p = 0; p < cc_parts(c->m, cc_type_of(c, from)) && p < 2; p++) {
    operand o = cc_part(c, from, p);
    parts[p] = cc_is_vector(c, o) ? SALU(c, V_READFIRSTLANE_B32, 1, o) : o;
  }
  cc_define_mask(c, record, c->mask_dwords == 2 ? cc_tuple(c, parts, 2, CC_S) : SALU(c, S_MOV_B32, 1, parts[0]));
  return true;
}

/* Scalar instructions for numbers that are the same in all lanes. */
static const struct scalar {
  const char *name;
  uint16_t row;
  uint8_t dwords;
} scalars[] = {{"llvm.amdgcn.s.bitreplicate", OG_ROW_S_BITREPLICATE_B64_B32, 2},
               {"llvm.amdgcn.s.quadmask.i32", OG_ROW_S_QUADMASK_B32, 1},
               {"llvm.amdgcn.s.quadmask.i64", OG_ROW_S_QUADMASK_B64, 2},
               {"llvm.amdgcn.s.wqm.i32", OG_ROW_S_WQM_B32, 1},
               {"llvm.amdgcn.s.wqm.i64", OG_ROW_S_WQM_B64, 2}};

static bool scalar(struct cc_function *c, uint32_t record, const struct scalar *s) {
  og_ir_ref from = og_ir_operand(c->f, &c->f->insts.items[record], 1);
  uint32_t count = cc_parts(c->m, cc_type_of(c, from));
  operand parts[2];
  for (uint32_t p = 0; p < count && p < 2; p++) {
    operand o = cc_part(c, from, p);
    parts[p] = cc_is_vector(c, o) ? SALU(c, V_READFIRSTLANE_B32, 1, o) : o;
  }
  operand o = cc_salu(c, s->row, s->dwords, 1, (operand[]){count == 2 ? cc_tuple(c, parts, 2, CC_S) : parts[0]});
  cc_define(c, record, (operand[]){cc_part_of(o, 0, 1), cc_part_of(o, 1, 1)}, s->dwords);
  return true;
}

static bool begins(struct og_text text, const char *prefix) { return og_text_skip(&text, prefix); }

bool cc_select_lanes(struct cc_function *c, uint32_t record, struct og_text name) {
  if (begins(name, "llvm.amdgcn.readfirstlane.") || begins(name, "llvm.amdgcn.readlane."))
    return read_lane(c, record, begins(name, "llvm.amdgcn.readfirstlane."));
  if (begins(name, "llvm.amdgcn.wave.shuffle."))
    return shuffle(c, record, name);
  if (begins(name, "llvm.amdgcn.inverse.ballot."))
    return inverse_ballot(c, record);
  for (unsigned k = 0; k < OG_COUNT(scalars); k++)
    if (og_text_is(name, scalars[k].name) && cc_has_row(c, scalars[k].row))
      return scalar(c, record, &scalars[k]);
  for (unsigned k = 0; k < OG_COUNT(table); k++) {
    const struct og_ir_inst *i = &c->f->insts.items[record];
    struct og_text rest = name;
    struct modifiers m;
    if (!og_text_skip(&rest, table[k].name) || !cc_has_row(c, table[k].row) ||
        i->operands < 1 + strlen(table[k].arguments) || (table[k].variant && !c->variant_counts[table[k].row]))
      continue;
    uint32_t count = cc_parts(c->m, i->type);
    operand *out = OG_NEW_ARRAY(c->arena, operand, count + 1);
    if (!read_modifiers(c, i, &table[k], &m))
      return false;
    bool alone = table[k].row == OG_ROW_V_PERMLANE64_B32 && c->target->wave_size == 32; /* there is no other half */
    for (uint32_t p = 0; p < count; p++)
      out[p] = alone ? cc_part(c, og_ir_operand(c->f, i, 1), p) : take(c, i, &table[k], &m, p);
    cc_define(c, record, out, count);
    return true;
  }
  return false;
}
