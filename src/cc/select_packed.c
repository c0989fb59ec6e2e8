/* select_packed.c - two elements of 16 bits in one register: operations on both at once by packed.def, and registers
 * made of two elements. */
#include "cc/select.h"

enum { I, H, B };
enum { SAME, SWAPPED, MINUS, CLAMPED, TWICE };
static const struct packed {
  const char *name; /* an intrinsic's name */
  uint16_t row;
  uint8_t opcode, type, operands, how;
} table[] = {
#define PAIR(opcode, type, row, how) {NULL, OG_ROW_##row, OG_IR_##opcode, type, 2, how},
#define CALL(name, type, row, operands, how) {name, OG_ROW_##row, OG_IR_CALL, type, operands, how},
#define FLOATS(opcode, name, row, operands)
#include "cc/packed.def"
};

/* The first row that the processor has; `kind`: of the elements. */
static const struct packed *find(const struct og_isa *isa, uint8_t opcode, struct og_text name, uint8_t kind) {
  unsigned type = kind == OG_IR_HALF ? H : kind == OG_IR_BFLOAT ? B : I;
  const uint16_t *forms;
  for (unsigned k = 0; k < OG_COUNT(table); k++) {
    struct og_text rest = name;
    if (table[k].opcode == opcode && table[k].type == type && (!table[k].name || og_text_skip(&rest, table[k].name)) &&
        og_find_forms(isa, og_text(og_row_name(table[k].row)), &forms))
      return &table[k];
  }
  return NULL;
}

static bool is_bitwise(uint8_t opcode) { return opcode == OG_IR_AND || opcode == OG_IR_OR || opcode == OG_IR_XOR; }

bool cc_has_pairs(const struct og_isa *isa, uint8_t opcode, struct og_text name, uint8_t kind) {
  const uint16_t *forms;
  return (kind == OG_IR_HALF || kind == OG_IR_BFLOAT || kind == OG_IR_INTEGER) &&
         og_find_forms(isa, og_text(kind == OG_IR_BFLOAT ? "v_pk_add_bf16" : "v_pk_add_f16"), &forms) &&
         (is_bitwise(opcode) || opcode == OG_IR_FNEG || opcode == OG_IR_SELECT || find(isa, opcode, name, kind));
}

/* Packed floats. gfx1250 has VOPD for them instead. They are made as two instructions whose results stand side by side;
 * dual.c makes one of them if their sources do, too. */
static const struct {
  uint8_t opcode, operands;
  uint16_t row;
  const char *name;
} floats[] = {
#define PAIR(opcode, type, row, how)
#define CALL(name, type, row, operands, how)
#define FLOATS(opcode, name, row, operands) {OG_IR_##opcode, operands, OG_ROW_##row, name},
#include "cc/packed.def"
};

static unsigned find_floats(uint8_t opcode, struct og_text name) {
  unsigned k = 0;
  for (; k < OG_COUNT(floats); k++) {
    struct og_text rest = name;
    if (floats[k].opcode == opcode && (!*floats[k].name || og_text_skip(&rest, floats[k].name)))
      break;
  }
  return k;
}

bool cc_has_float_pairs(const struct og_isa *isa, uint8_t opcode, struct og_text name) {
  const uint16_t *forms;
  return !isa->gfx10 && find_floats(opcode, name) < OG_COUNT(floats) &&
         og_find_forms(isa, og_text("v_pk_fma_f32"), &forms);
}

static bool select_floats(struct cc_function *c, uint32_t record, struct og_text name) {
  const struct og_ir_inst *i = &c->f->insts.items[record];
  unsigned which = find_floats(i->opcode, name), first = i->opcode == OG_IR_CALL;
  operand both = cc_temp(c, CC_V, 2), parts[2];
  if (i->operands != first + floats[which].operands)
    return false;
  for (unsigned k = 0; k < 2; k++) {
    operand sources[3];
    for (unsigned a = 0; a < floats[which].operands; a++)
      sources[a] = cc_part(c, og_ir_operand(c->f, i, first + a), k);
    parts[k] = cc_part_of(both, k, 1);
    cc_valu_to(c, floats[which].row, parts[k], floats[which].operands, sources);
  }
  cc_define(c, record, parts, 2);
  return true;
}

/* ---- one register of two ----------------------------------------------------------------------------------------- */

operand cc_home(const struct cc_function *c, operand o, unsigned *bit) {
  const struct cc_reg *r = o.kind == CC_REG && !o.flags ? &c->regs.items[o.value] : NULL;
  bool there = r && r->dwords == 1 && r->of;
  *bit = there ? r->of_bit : 0;
  return there ? (operand){CC_REG, 0, r->of_sub, 1, r->of} : o;
}

/* The register in which an element of 16 bits stands; `high`: in its upper half. */
static operand home(const struct cc_function *c, operand o, bool *high) {
  unsigned bit;
  operand there = cc_home(c, o, &bit);
  *high = bit == 16;
  return bit % 16 ? o : there;
}

/* Packs the lowest bytes of operands by permutations, each of which takes bytes of two registers, or zeros. */
operand cc_pack_bytes(struct cc_function *c, const operand *parts, unsigned count) {
  enum { ZERO = 12, BYTES = 4 };
  operand sources[BYTES], result = cc_constant(0), fixed = cc_constant(0);
  unsigned used = 0, of[BYTES], byte[BYTES];
  bool any = false;
  for (unsigned k = 0; k < count; k++) {
    unsigned bit;
    operand o = cc_home(c, parts[k], &bit);
    of[k] = BYTES;
    if (o.kind == CC_CONST) {
      fixed.value |= (o.value & 0xff) << 8 * k;
      continue;
    }
    for (of[k] = 0; of[k] < used && !cc_same(sources[of[k]], o);)
      of[k]++;
    if (of[k] == used)
      sources[used++] = o;
    byte[k] = bit / 8;
  }
  bool whole = used == 1 && count == BYTES;
  for (unsigned k = 0; k < count; k++)
    whole &= of[k] == 0 && byte[k] == k;
  if (whole)
    return sources[0];
  for (unsigned first = 0; first < used; first += 2) {
    uint32_t selector = 0;
    for (unsigned k = 0; k < BYTES; k++) {
      bool here = k < count && of[k] < BYTES && (of[k] == first || of[k] == first + 1);
      selector |= (here ? byte[k] + (of[k] == first ? 0u : (unsigned)BYTES) : (unsigned)ZERO) << 8 * k;
    }
    operand low = cc_in_vector(c, sources[first]), high = first + 1 < used ? cc_in_vector(c, sources[first + 1]) : low;
    operand o = VALU(c, V_PERM_B32, 1, high, low, cc_kept(c, CC_S, cc_constant(selector)));
    result = any ? VALU(c, V_OR_B32, 1, o, result) : o;
    any = true;
  }
  if (fixed.value && any)
    return VALU(c, V_OR_B32, 1, fixed, result);
  return any ? result : fixed;
}

operand cc_pack_halves(struct cc_function *c, operand low, operand high) {
  bool up[2];
  if (low.kind == CC_CONST && high.kind == CC_CONST)
    return cc_constant((low.value & 0xffff) | high.value << 16);
  if (cc_are_halves(c, low, high))
    return low;
  operand a = home(c, low, &up[0]), b = home(c, high, &up[1]), shift = cc_constant(16);
  if (high.kind == CC_CONST && (high.value & 0xffff) == 0)
    return cc_extend(c, CC_V, low, 16, false);
  if (low.kind == CC_CONST && (low.value & 0xffff) == 0)
    return up[1] ? VALU(c, V_AND_B32, 1, cc_constant(0xffff0000), b)
                 : cc_shift(c, CC_V, OG_IR_SHL, cc_in_vector(c, high), shift);
  if (!up[1] && up[0] && high.kind != CC_CONST && a.kind == CC_REG)
    return VALU(c, V_ALIGNBIT_B32, 1, cc_in_vector(c, b), a, shift);
  if (cc_width(c, low) <= 16 && !up[1] && low.kind != CC_CONST) /* combine.c makes one instruction of the two */
    return VALU(c, V_OR_B32, 1, cc_shift(c, CC_V, OG_IR_SHL, cc_in_vector(c, high), shift), low);
  if (!cc_has_row(c, OG_ROW_V_PERM_B32)) {
    operand top = cc_shift(c, CC_V, OG_IR_SHL, cc_in_vector(c, high), shift);
    return VALU(c, V_OR_B32, 1, top, cc_extend(c, CC_V, cc_in_vector(c, low), 16, false));
  }
  uint32_t selector = (up[0] ? 0x0302 : 0x0100) | (up[1] ? 0x07060000u : 0x05040000u);
  return VALU(c, V_PERM_B32, 1, cc_in_vector(c, b), cc_in_vector(c, a), cc_kept(c, CC_S, cc_constant(selector)));
}

/* ---- operations -------------------------------------------------------------------------------------------------- */

struct source {
  operand o;
  bool low_up, high_up; /* which halves of the register hold the elements */
  bool negated;
};

/* Whether a constant is an inline one in its half; bfloats have none. */
static bool is_small(uint32_t half, uint8_t kind) {
  bool real = kind == OG_IR_HALF;
  static const uint16_t reals[] = {0x3800, 0xb800, 0x3c00, 0xbc00, 0x4000, 0xc000, 0x4400, 0xc400};
  if (kind != OG_IR_BFLOAT && (uint16_t)(half + 16) <= 80)
    return true;
  for (unsigned k = 0; k < OG_COUNT(reals) && real; k++)
    if (half == reals[k])
      return true;
  return false;
}

static struct source read_source(struct cc_function *c, og_ir_ref ref, uint8_t kind) {
  struct source s = {.high_up = true};
  bool real = kind != OG_IR_INTEGER;
  while (real && og_ir_space(ref) == OG_IR_LOCAL && c->f->insts.items[og_ir_index(ref)].opcode == OG_IR_FNEG) {
    ref = og_ir_operand(c->f, &c->f->insts.items[og_ir_index(ref)], 0);
    s.negated = !s.negated;
  }
  operand low = cc_part(c, ref, 0), high = cc_part(c, ref, 1);
  operand a = home(c, low, &s.low_up), b = home(c, high, &s.high_up);
  if (low.kind == CC_CONST && high.kind == CC_CONST) {
    uint32_t x = low.value & 0xffff, y = high.value & 0xffff;
    s.low_up = false, s.high_up = x != y || !is_small(x, kind);
    s.o = s.high_up ? cc_kept(c, CC_S, cc_constant(x | y << 16))
                    : cc_constant(real && x + 16 > 80 ? x : (uint32_t)(int32_t)(int16_t)x);
  } else if (a.kind == CC_REG && cc_same(a, b) && !a.flags && !b.flags) {
    s.o = a;
  } else {
    s.o = cc_pack_halves(c, low, high);
    s.low_up = false, s.high_up = true;
  }
  return s;
}

static operand emit(struct cc_function *c, const struct packed *p, const struct source *sources, bool clamped) {
  operand list[4] = {cc_temp(c, CC_V, 1)};
  unsigned count = p->operands + (p->how == TWICE);
  int32_t op_sel = 0, op_sel_hi = 0, negated = 0;
  unsigned scalars = 0;
  for (unsigned k = 0; k < count; k++) {
    list[1 + k] = sources[k].o;
    bool again = false;
    for (unsigned before = 0; before < k; before++)
      again |= cc_same(sources[before].o, sources[k].o);
    if (cc_is_scalar_reg(c, sources[k].o) && !again && ++scalars > (c->isa->gfx10 ? 2u : 1u))
      list[1 + k] = cc_in_vector(c, sources[k].o);
    op_sel |= sources[k].low_up << k, op_sel_hi |= sources[k].high_up << k, negated |= sources[k].negated << k;
  }
  struct cc_inst *i = cc_emit(c, p->row, 1, 1 + count, list);
  cc_modify(c, i, OG_MOD_OP_SEL, op_sel);
  cc_modify(c, i, OG_MOD_OP_SEL_HI, op_sel_hi);
  cc_modify(c, i, OG_MOD_NEG_LO, negated);
  cc_modify(c, i, OG_MOD_NEG_HI, negated);
  cc_modify(c, i, OG_MOD_CLAMP, clamped);
  return list[0];
}

/* Whether a vector is put together from results of operations on two elements. */
static bool is_of_pairs(const struct cc_function *c, og_ir_ref ref, unsigned depth) {
  enum { DEEPEST = 20 };
  if (og_ir_space(ref) != OG_IR_LOCAL || depth > DEEPEST)
    return false;
  const struct og_ir_inst *i = &c->f->insts.items[og_ir_index(ref)];
  if (i->opcode == OG_IR_INSERTELEMENT)
    return og_ir_space(og_ir_operand(c->f, i, 2)) == OG_IR_CONSTANT &&
           is_of_pairs(c, og_ir_operand(c->f, i, 1), depth + 1);
  if (i->opcode == OG_IR_EXTRACTELEMENT)
    return is_of_pairs(c, og_ir_operand(c->f, i, 0), depth + 1);
  struct og_text name = i->opcode == OG_IR_CALL ? cc_called(c, i) : (struct og_text){0};
  return og_ir_is_vector(c->m, i->type) && i->opcode != OG_IR_SELECT &&
         cc_has_pairs(c->isa, i->opcode, name, og_ir_kind(c->m, og_ir_scalar(c->m, i->type)));
}

bool cc_is_packed_phi(struct cc_function *c, uint32_t record) {
  const struct og_ir_inst *phi = &c->f->insts.items[record];
  bool pairs = false;
  if (!og_ir_is_vector(c->m, phi->type) || cc_bits(c->m, og_ir_scalar(c->m, phi->type)) != 16 ||
      cc_parts(c->m, phi->type) % 2 != 0 || cc_file(c, record) == CC_S)
    return false;
  for (uint32_t k = 0; k < phi->operands && !pairs; k += 2)
    pairs = is_of_pairs(c, og_ir_operand(c->f, phi, k), 0);
  return pairs;
}

bool cc_select_pair(struct cc_function *c, uint32_t record) {
  const struct og_ir_inst *i = &c->f->insts.items[record];
  const struct og_ir_type_record *t = og_ir_type_of(c->m, i->type);
  uint8_t kind = t->kind == OG_IR_VECTOR && t->count == 2 ? og_ir_kind(c->m, og_ir_part(c->m, i->type, 0)) : OG_IR_VOID;
  bool call = i->opcode == OG_IR_CALL;
  struct og_text name = call ? cc_called(c, i) : (struct og_text){0};
  if (kind == OG_IR_FLOAT && cc_has_float_pairs(c->isa, i->opcode, name))
    return select_floats(c, record, name);
  if (kind == OG_IR_VOID || !cc_has_pairs(c->isa, i->opcode, name, kind) ||
      cc_bits(c->m, og_ir_part(c->m, i->type, 0)) != 16 || cc_file(c, record) == CC_S || i->opcode == OG_IR_SELECT)
    return false;
  for (unsigned k = call; k < i->operands; k++)
    if (cc_type_of(c, og_ir_operand(c->f, i, k)) != i->type)
      return false;
  operand out[2], both;
  og_ir_ref x = og_ir_operand(c->f, i, 0);
  if (i->opcode == OG_IR_FNEG || is_bitwise(i->opcode)) {
    operand a = cc_pack_halves(c, cc_part(c, x, 0), cc_part(c, x, 1)), b = cc_constant(0x80008000);
    if (i->opcode != OG_IR_FNEG)
      b = cc_pack_halves(c, cc_part(c, og_ir_operand(c->f, i, 1), 0), cc_part(c, og_ir_operand(c->f, i, 1), 1));
    if (!cc_is_vector(c, a) && !cc_is_vector(c, b))
      a = cc_in_vector(c, a);
    both = i->opcode == OG_IR_AND  ? VALU(c, V_AND_B32, 1, b, a)
           : i->opcode == OG_IR_OR ? VALU(c, V_OR_B32, 1, b, a)
                                   : VALU(c, V_XOR_B32, 1, b, a);
  } else {
    const struct packed *p = find(c->isa, i->opcode, name, kind);
    if (i->operands != (unsigned)p->operands + call)
      return false;
    struct source sources[3];
    for (unsigned k = 0; k < p->operands; k++)
      sources[p->how == SWAPPED ? 1 - k : k] = read_source(c, og_ir_operand(c->f, i, call + k), kind);
    if (p->how == MINUS)
      sources[1].negated = !sources[1].negated;
    if (p->how == TWICE)
      sources[2] = sources[1];
    both = emit(c, p, sources, p->how == CLAMPED);
  }
  for (unsigned k = 0; k < 2; k++)
    out[k] = cc_element_of(c, CC_V, &both, 16 * k);
  cc_define(c, record, out, 2);
  return true;
}
