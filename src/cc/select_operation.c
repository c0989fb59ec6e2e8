/* select_operation.c - intrinsics that are one vector instruction on values in several registers, or with modifiers, by
 * operations.def; and the steps of division, which have two results or read a mask. */
#include "cc/select.h"

#include <string.h>

enum { NAMED = 0xffff };
#define OG_ROW_NAMED NAMED
static const struct operation {
  const char *name, *arguments;
  uint16_t row;
} table[] = {
#define OPERATION(name, row, arguments) {name, arguments, OG_ROW_##row},
#include "cc/operations.def"
};

/* The instruction of an intrinsic's name, with '_' for dots; -1: there is none. */
static int row_of(struct og_text name) {
  char text[64] = "v_";
  size_t size = 2;
  if (name.size > sizeof text - size)
    return -1;
  for (size_t k = 0; k < name.size; k++)
    text[size++] = name.data[k] == '.' ? '_' : name.data[k];
  return og_find_row((struct og_text){text, size});
}

/* Whether any form has that modifier. */
static bool has_modifier(struct cc_function *c, unsigned row, unsigned mod) {
  for (unsigned f = 0; f < c->form_counts[row]; f++) {
    const struct og_shape *shape = og_shape(c->isa, og_form(c->isa, c->forms[row][f]));
    for (unsigned k = 0; k < shape->mod_count; k++)
      if (og_mods(shape)[k].mod == mod)
        return true;
  }
  return false;
}

struct call {
  struct cc_function *c;
  unsigned row;
  uint32_t number[128]; /* by letter: a constant */
};

/* Reads the constants among the arguments; letters behind `+` are set, too. */
static bool read_numbers(struct call *k, const struct og_ir_inst *i, const char *arguments, struct og_text name) {
  for (unsigned a = 0; arguments[a]; a++) {
    uint64_t number;
    if (arguments[a] == '+') {
      while (arguments[++a])
        k->number[(unsigned char)arguments[a]] = 1;
      return true;
    }
    if (arguments[a] < 'a')
      continue;
    if (!cc_is_number(k->c->m, og_ir_operand(k->c->f, i, 1 + a), &number))
      return cc_refuse(k->c, "a number that is not constant, in a call of 'llvm.amdgcn.%.*s'", OG_TEXT_ARGS(name));
    k->number[(unsigned char)arguments[a]] = (uint32_t)number;
  }
  return true;
}

/* A source, in as many vector registers as its type fills. */
static operand source(struct call *k, og_ir_ref ref) {
  operand raw[2 * CC_TUPLE_MOST] = {{0}};
  og_ir_type type = cc_type_of(k->c, ref);
  uint32_t dwords = (uint32_t)(cc_store_size(k->c->m, type) + 3) / 4;
  if (dwords > CC_TUPLE_MOST) {
    cc_refuse(k->c, "a source of that size");
    return cc_constant(0);
  }
  cc_pack(k->c, ref, type, raw);
  return dwords == 1 ? cc_in_vector(k->c, raw[0]) : cc_tuple(k->c, raw, dwords, CC_V);
}

/* The half or byte of the first source that is wanted: selected by a modifier, or else shifted down. */
static operand part_of_source(struct call *k, operand o) {
  unsigned bits = 16 * k->number['w'] + 8 * k->number['b'];
  bool selects = has_modifier(k->c, k->row, OG_MOD_BYTE_SEL) || has_modifier(k->c, k->row, OG_MOD_OP_SEL);
  return selects || !bits ? o : cc_in_vector(k->c, cc_shift_out(k->c, CC_V, OG_IR_LSHR, o, bits));
}

static void modify(struct call *k, struct cc_inst *i) {
  const uint32_t *n = k->number;
  bool bytes = has_modifier(k->c, k->row, OG_MOD_BYTE_SEL);
  uint32_t op_sel = n['h'] << 3 | n['w'] | (bytes ? 0 : n['b'] | n['d'] << 2);
  const struct {
    uint8_t mod;
    uint32_t value;
  } all[] = {{OG_MOD_CLAMP, n['c']},     {OG_MOD_OP_SEL, op_sel},    {OG_MOD_BYTE_SEL, bytes ? n['b'] | n['d'] : 0},
             {OG_MOD_SCALE_SEL, n['s']}, {OG_MOD_BITOP3, n['t']},    {OG_MOD_NEG_LO, n['x'] | n['y'] << 1},
             {OG_MOD_FI, n['f']},        {OG_MOD_BOUND_CTRL, n['l']}};
  for (unsigned m = 0; m < OG_COUNT(all); m++)
    if (all[m].value && has_modifier(k->c, k->row, all[m].mod))
      cc_modify(k->c, i, all[m].mod, (int32_t)all[m].value);
}

/* Registers for the results: one with all dwords; for a struct of two members one each. */
static unsigned make_results(struct cc_function *c, og_ir_type type, uint32_t dwords, operand *list) {
  if (og_ir_kind(c->m, type) != OG_IR_STRUCT) {
    list[0] = cc_temp(c, CC_V, dwords);
    return 1;
  }
  for (unsigned d = 0; d < dwords; d++)
    list[d] = cc_temp(c, CC_V, 1);
  return dwords;
}

static bool emit(struct call *k, uint32_t record, const char *arguments) {
  struct cc_function *c = k->c;
  const struct og_ir_inst *call = &c->f->insts.items[record];
  uint32_t dwords = (uint32_t)(cc_store_size(c->m, call->type) + 3) / 4;
  enum { MOST_RESULTS = 2 };
  if (dwords > (og_ir_kind(c->m, call->type) == OG_IR_STRUCT ? (unsigned)MOST_RESULTS : (unsigned)CC_TUPLE_MOST))
    return false;
  operand list[8], out[CC_TUPLE_MOST];
  unsigned results = make_results(c, call->type, dwords, list), first = results, count = first, tied = 0;
  for (unsigned a = 0; arguments[a] && arguments[a] != '+'; a++) {
    og_ir_ref ref = og_ir_operand(c->f, call, 1 + a);
    if (arguments[a] == 'O')
      cc_move(c, list[tied++], source(k, ref));
    else if (arguments[a] == 'V')
      list[count++] = source(k, ref);
  }
  if (c->failed)
    return true;
  if (count > first)
    list[first] = part_of_source(k, list[first]);
  for (unsigned t = 0; t < tied; t++)
    list[count + t] = list[t];
  bool inside = count == 2 && !tied && k->number['w'] + k->number['b'] && /* SDWA selects the part */
                cc_valu_parts(c, k->row, k->number['w'] ? 16 : 8, list[0], 1, &list[first]);
  if (!inside) {
    struct cc_inst *i = cc_emit(c, k->row, results, count + tied, list);
    i->tied = tied ? (uint8_t)count : 0;
    i->early = dwords > results; /* wide results are written in several steps, while sources are still read */
    modify(k, i);
  }
  for (unsigned d = 0; d < dwords; d++)
    out[d] = results > 1 ? list[d] : cc_part_of(list[0], d, 1);
  if (og_ir_is_vector(c->m, call->type))
    return cc_unpack(c, record, CC_V, out);
  cc_define(c, record, out, dwords);
  return true;
}

/* Numerator, denominator, and which of them is scaled. */
static bool division_scale(struct cc_function *c, uint32_t record) {
  const struct og_ir_inst *i = &c->f->insts.items[record];
  uint64_t numerator;
  unsigned dwords = cc_parts(c->m, cc_type_of(c, og_ir_operand(c->f, i, 1)));
  if (!cc_is_number(c->m, og_ir_operand(c->f, i, 3), &numerator))
    return cc_refuse(c, "llvm.amdgcn.div.scale of what is no constant");
  operand both[2], mask = cc_temp(c, CC_S, c->mask_dwords), to = cc_temp(c, CC_V, dwords);
  for (unsigned k = 0; k < 2; k++)
    both[k] = dwords == 2 ? cc_pair(c, og_ir_operand(c->f, i, 1 + k), 0, CC_V)
                          : cc_in_vector(c, cc_part(c, og_ir_operand(c->f, i, 1 + k), 0));
  cc_emit(c, dwords == 2 ? OG_ROW_V_DIV_SCALE_F64 : OG_ROW_V_DIV_SCALE_F32, 2, 5,
          (operand[]){to, mask, both[numerator ? 0 : 1], both[1], both[0]});
  operand parts[3] = {cc_part_of(to, 0, 1), cc_part_of(to, 1, 1)};
  parts[dwords] = cc_choose(c, mask, cc_constant(1), cc_constant(0));
  cc_define(c, record, parts, dwords + 1);
  return true;
}

/* The mask, which goes to VCC, says in which lanes the product must be scaled back. */
static bool division_fmas(struct cc_function *c, uint32_t record) {
  const struct og_ir_inst *i = &c->f->insts.items[record];
  unsigned dwords = cc_parts(c->m, i->type);
  operand sources[3];
  for (unsigned k = 0; k < 3; k++)
    sources[k] = dwords == 2 ? cc_pair(c, og_ir_operand(c->f, i, 1 + k), 0, CC_V)
                             : cc_in_vector(c, cc_part(c, og_ir_operand(c->f, i, 1 + k), 0));
  cc_emit(c, c->mask_dwords == 2 ? OG_ROW_S_MOV_B64 : OG_ROW_S_MOV_B32, 1, 2,
          (operand[]){cc_special(OG_SPECIAL_VCC_LO, c->mask_dwords), cc_mask(c, og_ir_operand(c->f, i, 4))});
  operand o = cc_valu(c, dwords == 2 ? OG_ROW_V_DIV_FMAS_F64 : OG_ROW_V_DIV_FMAS_F32, dwords, 3, sources);
  cc_define(c, record, (operand[]){cc_part_of(o, 0, 1), cc_part_of(o, 1, 1)}, dwords);
  return true;
}

bool cc_select_operation(struct cc_function *c, uint32_t record, struct og_text name) {
  const struct og_ir_inst *i = &c->f->insts.items[record];
  if (!og_text_skip(&name, "llvm.amdgcn."))
    return false;
  if (og_text_is(name, "div.scale.f32") || og_text_is(name, "div.scale.f64"))
    return division_scale(c, record);
  if (og_text_is(name, "div.fmas.f32") || og_text_is(name, "div.fmas.f64"))
    return division_fmas(c, record);
  bool known = false;
  for (unsigned t = 0; t < OG_COUNT(table); t++) {
    struct og_text rest = name;
    const char *arguments = table[t].arguments;
    bool stem = table[t].name[strlen(table[t].name) - 1] == '.';
    if (!og_text_skip(&rest, table[t].name) || (rest.size && !stem) || i->operands != 1 + strcspn(arguments, "+"))
      continue;
    int row = table[t].row == NAMED ? row_of(name) : table[t].row;
    known |= row >= 0;
    if (row < 0 || !cc_has_row(c, (unsigned)row))
      continue;
    struct call k = {.c = c, .row = (unsigned)row};
    return read_numbers(&k, i, arguments, name) && emit(&k, record, arguments);
  }
  return known &&
         cc_refuse(c, "%s has no instruction for 'llvm.amdgcn.%.*s'", c->target->processor->name, OG_TEXT_ARGS(name));
}
