/* select.c - makes machine instructions of the IR's, block by block in the order of the code. This file has the parts
 * of values, the copies for phis at the ends of blocks, and conditions; the rest is in select_*.c. */
#include "cc/calls.h"

uint8_t cc_place_of(const struct cc_function *c, og_ir_ref ref) {
  return og_ir_space(ref) == OG_IR_LOCAL ? c->values[og_ir_index(ref)].place : CC_SCALAR;
}

og_ir_type cc_type_of(const struct cc_function *c, og_ir_ref ref) { return og_ir_type_of_ref(c->m, c->f, ref); }

uint32_t cc_count(struct cc_function *c, og_ir_ref ref) { return cc_parts(c->m, cc_type_of(c, ref)); }

/* ---- parts ------------------------------------------------------------------------------------------------------- */

static operand constant_part(struct cc_function *c, og_ir_ref ref, uint32_t index) {
  const struct og_ir_constant *k = og_ir_constant_of(c->m, ref);
  switch (k->kind) {
  case OG_IR_C_ZERO:
  case OG_IR_C_UNDEF:
  case OG_IR_C_POISON: return cc_constant(0);
  case OG_IR_C_NUMBER: return cc_constant(index < 2 ? (uint32_t)(k->value >> 32 * index) : 0);
  case OG_IR_C_WIDE: return cc_constant(index < k->parts ? c->m->pool.items[k->first + index] : 0);
  case OG_IR_C_SPLAT: {
    uint32_t each = cc_parts(c->m, og_ir_part(c->m, k->type, 0));
    return constant_part(c, c->m->pool.items[k->first], index % OG_MAX(each, 1u));
  }
  case OG_IR_C_BYTES:
    return cc_constant(index < c->m->names.items[k->value].size ? (uint8_t)c->m->names.items[k->value].data[index] : 0);
  case OG_IR_C_AGGREGATE:
    for (uint32_t i = 0; i < k->parts; i++) {
      og_ir_ref part = c->m->pool.items[k->first + i];
      uint32_t count = cc_parts(c->m, og_ir_constant_of(c->m, part)->type);
      if (index < count)
        return constant_part(c, part, index);
      index -= count;
    }
    break;
  case OG_IR_C_GLOBAL:
    if (c->lds_offset[k->value])
      return cc_constant(c->lds_offset[k->value] - 1);
    return cc_part_of(cc_global_address(c, (uint32_t)k->value), index, 1);
  case OG_IR_C_EXPRESSION: {
    int64_t offset = 0;
    og_ir_ref base = cc_base(c->m, c->f, ref, &offset);
    if (base == ref) {
      cc_refuse(c, "a constant expression '%s'", og_ir_opcodes[k->opcode].text);
      return cc_constant(0);
    }
    operand o = constant_part(c, base, index);
    if (o.kind == CC_CONST)
      return cc_constant(o.value + (uint32_t)offset);
    operand sum[2] = {constant_part(c, base, 0), constant_part(c, base, 1)};
    operand by[2] = {cc_constant((uint32_t)offset), cc_constant((uint32_t)(offset >> 32))};
    return cc_part_of(cc_add64(c, CC_S, sum, by, false), index, 1);
  }
  default: break;
  }
  cc_refuse(c, "this kind of constant");
  return cc_constant(0);
}

/* Computed from here by its distance, and remembered for the rest of the block. */
operand cc_global_address(struct cc_function *c, uint32_t number) {
  const struct og_ir_global *g = &c->m->globals.items[number];
  if (c->addresses[number].node == 1 + c->node)
    return c->addresses[number].at;
  operand to = cc_temp(c, CC_S, 2);
  bool function = g->kind == OG_IR_DEFINITION && g->function && g->function->blocks.count;
  if (!function &&
      (g->kind != OG_IR_VARIABLE || (g->address_space != 1 && g->address_space != 4 && g->address_space != 0))) {
    cc_refuse(
        c, g->kind == OG_IR_VARIABLE ? "a global variable in address space %u" : "the address of a function or alias",
        g->address_space);
    return to;
  }
  cc_emit(c, OG_ROW_S_GETPC_B64, 1, 1, &to);
  for (unsigned k = 0; k < 2; k++)
    cc_emit(c, k ? OG_ROW_S_ADDC_U32 : OG_ROW_S_ADD_U32, 1, 3,
            (operand[]){cc_part_of(to, k, 1), cc_part_of(to, k, 1), {CC_ADDRESS, 0, (uint8_t)k, 1, number}});
  c->addresses[number].node = 1 + c->node;
  c->addresses[number].at = to;
  return to;
}

operand cc_part(struct cc_function *c, og_ir_ref ref, uint32_t index) {
  operand o = cc_part_anywhere(c, ref, index), to;
  if (!cc_is_accumulator(c, o))
    return o;
  cc_move(c, to = cc_temp(c, CC_V, 1), o);
  return to;
}

operand cc_part_anywhere(struct cc_function *c, og_ir_ref ref, uint32_t index) {
  if (og_ir_space(ref) == OG_IR_CONSTANT)
    return constant_part(c, ref, index);
  if (og_ir_space(ref) != OG_IR_LOCAL) {
    cc_refuse(c, "an operand that is no value");
    return cc_constant(0);
  }
  const struct cc_value *v = &c->values[og_ir_index(ref)];
  if (!v->made || index >= v->count) { /* in unreachable code, or after an error */
    if (!c->failed)
      cc_refuse(c, "a value that is used before it is there");
    return cc_constant(0);
  }
  return c->parts.items[v->first + index];
}

void cc_define(struct cc_function *c, uint32_t record, const operand *parts, uint32_t count) {
  struct cc_value *v = &c->values[record];
  uint32_t first = c->parts.count;
  OG_IR_RESERVE(c->arena, &c->parts, count);
  for (uint32_t i = 0; i < count; i++)
    *OG_PUSH(c->arena, &c->parts) = v->leaves && cc_is_scalar_reg(c, parts[i]) ? cc_in_vector(c, parts[i]) : parts[i];
  v->first = first, v->count = count, v->made = true;
}

unsigned cc_file(const struct cc_function *c, uint32_t record) {
  return c->values[record].place == CC_SCALAR ? CC_S : CC_V;
}

void cc_move(struct cc_function *c, operand to, operand from) {
  unsigned row = cc_is_vector(c, to) ? OG_ROW_V_MOV_B32 : OG_ROW_S_MOV_B32;
  if (cc_is_accumulator(c, to)) {
    row = cc_is_accumulator(c, from) ? OG_ROW_V_ACCVGPR_MOV_B32 : OG_ROW_V_ACCVGPR_WRITE_B32;
    if (from.kind == CC_SPECIAL || (from.kind == CC_CONST && !cc_is_inline(from.value)))
      from = cc_in_vector(c, from);
  } else if (cc_is_accumulator(c, from)) {
    row = OG_ROW_V_ACCVGPR_READ_B32;
  }
  cc_emit(c, row, 1, 2, (operand[]){to, from});
}

operand cc_in_vector(struct cc_function *c, operand o) {
  if (cc_is_vector(c, o) && !o.flags)
    return o;
  operand to = cc_temp(c, CC_V, 1);
  cc_move(c, to, o);
  return to;
}

operand cc_kept(struct cc_function *c, unsigned file, operand o) {
  if (o.kind == CC_REG && c->regs.items[o.value].file == file)
    return o;
  for (unsigned k = 0; k < OG_COUNT(c->kept); k++) {
    const struct cc_kept *kept = &c->kept[k];
    if (kept->node == 1 + c->node && kept->of.kind == o.kind && kept->of.value == o.value && kept->of.sub == o.sub &&
        c->regs.items[kept->at.value].file == file)
      return kept->at;
  }
  struct cc_kept *kept = &c->kept[c->next_kept++ % OG_COUNT(c->kept)];
  *kept = (struct cc_kept){1 + c->node, o, cc_temp(c, file, 1)};
  operand at = kept->at;
  cc_move(c, at, o);
  return at;
}

operand cc_tuple(struct cc_function *c, const operand *parts, unsigned count, int file) {
  bool side_by_side = parts[0].kind == CC_REG, scalar = true;
  for (unsigned i = 0; i < count; i++) {
    side_by_side &= parts[i].kind == CC_REG && parts[i].value == parts[0].value && parts[i].sub == parts[0].sub + i;
    scalar &= !cc_is_vector(c, parts[i]);
  }
  unsigned has = side_by_side ? c->regs.items[parts[0].value].file : CC_S;
  bool even = count == 1 || (has == CC_V && !c->isa->gfx90a && !c->isa->gfx1250) ||
              parts[0].sub % (has == CC_S && count > 2 ? 4 : 2) == 0;
  if (side_by_side && even && (file < 0 || has == (unsigned)file)) {
    operand o = parts[0];
    o.dwords = (uint8_t)count;
    return o;
  }
  operand to = cc_temp(c, file < 0 ? (scalar ? CC_S : CC_V) : (unsigned)file, count);
  for (unsigned i = 0; i < count; i++)
    cc_move(c, cc_part_of(to, i, 1), parts[i]);
  return to;
}

operand cc_pair(struct cc_function *c, og_ir_ref ref, uint32_t index, int file) {
  operand parts[2] = {cc_part(c, ref, index), cc_part(c, ref, index + 1)};
  if (file < 0 && parts[0].kind == CC_CONST && parts[1].kind == CC_CONST && cc_is_inline(parts[0].value) &&
      parts[1].value == (uint32_t)((int32_t)parts[0].value >> 31) && parts[0].value + 16 <= 80)
    return (operand){CC_CONST, 0, 0, 2, parts[0].value};
  return cc_tuple(c, parts, 2, file);
}

/* ---- conditions -------------------------------------------------------------------------------------------------- */

void cc_define_mask(struct cc_function *c, uint32_t record, operand mask) {
  if (c->values[record].place == CC_VECTOR)
    mask = cc_choose(c, mask, cc_constant(1), cc_constant(0));
  cc_define(c, record, &mask, 1);
}

static operand all_or_none(struct cc_function *c, bool all) {
  operand to = cc_temp(c, CC_S, c->mask_dwords);
  cc_emit(c, c->mask_dwords == 2 ? OG_ROW_S_MOV_B64 : OG_ROW_S_MOV_B32, 1, 2,
          (operand[]){to, {CC_CONST, 0, 0, c->mask_dwords, all ? UINT32_MAX : 0}});
  return to;
}

operand cc_mask(struct cc_function *c, og_ir_ref i1) {
  if (og_ir_space(i1) == OG_IR_CONSTANT)
    return all_or_none(c, cc_part(c, i1, 0).value & 1);
  if (cc_place_of(c, i1) == CC_MASK)
    return cc_part(c, i1, 0);
  if (cc_place_of(c, i1) == CC_VECTOR)
    return cc_compare(c, OG_ROW_V_CMP_NE_U32, cc_constant(0), cc_part(c, i1, 0));
  bool sense = cc_scc(c, i1);
  operand on = {CC_CONST, 0, 0, c->mask_dwords, UINT32_MAX}, off = {CC_CONST, 0, 0, c->mask_dwords, 0};
  return cc_salu(c, c->mask_dwords == 2 ? OG_ROW_S_CSELECT_B64 : OG_ROW_S_CSELECT_B32, c->mask_dwords, 2,
                 (operand[]){sense ? on : off, sense ? off : on});
}

operand cc_bool_value(struct cc_function *c, og_ir_ref i1, unsigned file) {
  if (file == CC_V || og_ir_space(i1) == OG_IR_CONSTANT)
    return cc_bool_vector(c, i1);
  if (!c->values[og_ir_index(i1)].deferred)
    return cc_part(c, i1, 0);
  cc_scc(c, i1);
  return SALU(c, S_CSELECT_B32, 1, cc_constant(1), cc_constant(0));
}

operand cc_bool_vector(struct cc_function *c, og_ir_ref i1) {
  if (og_ir_space(i1) == OG_IR_CONSTANT)
    return cc_constant(cc_part(c, i1, 0).value & 1);
  if (cc_place_of(c, i1) == CC_MASK)
    return cc_choose(c, cc_part(c, i1, 0), cc_constant(1), cc_constant(0));
  return cc_place_of(c, i1) == CC_SCALAR ? cc_bool_value(c, i1, CC_S) : cc_part(c, i1, 0);
}

/* Comparisons in scalar registers, by the IR's predicates. */
static const uint16_t scalar_compares[] = {
    OG_ROW_S_CMP_EQ_U32, OG_ROW_S_CMP_LG_U32, OG_ROW_S_CMP_GT_U32, OG_ROW_S_CMP_GE_U32, OG_ROW_S_CMP_LT_U32,
    OG_ROW_S_CMP_LE_U32, OG_ROW_S_CMP_GT_I32, OG_ROW_S_CMP_GE_I32, OG_ROW_S_CMP_LT_I32, OG_ROW_S_CMP_LE_I32,
};

static operand in_register(struct cc_function *c, operand o) {
  if (o.kind != CC_CONST)
    return o;
  operand to = cc_temp(c, CC_S, 1);
  cc_move(c, to, o);
  return to;
}

static void scalar_compare(struct cc_function *c, unsigned predicate, og_ir_ref a, og_ir_ref b) {
  unsigned bits = cc_bits(c->m, cc_type_of(c, a));
  operand x = cc_extend(c, CC_S, cc_part(c, a, 0), bits, predicate >= 6);
  operand y = cc_extend(c, CC_S, cc_part(c, b, 0), bits, predicate >= 6);
  if (x.kind == CC_CONST && !cc_is_inline(x.value) && y.kind == CC_CONST && !cc_is_inline(y.value))
    x = in_register(c, x);
  cc_emit(c, scalar_compares[predicate], 0, 2, (operand[]){x, y});
}

bool cc_scc(struct cc_function *c, og_ir_ref i1) {
  if (og_ir_space(i1) == OG_IR_LOCAL && c->values[og_ir_index(i1)].deferred) {
    const struct og_ir_inst *i = &c->f->insts.items[og_ir_index(i1)];
    scalar_compare(c, i->sub - OG_IR_EQ, og_ir_operand(c->f, i, 0), og_ir_operand(c->f, i, 1));
    return true;
  }
  cc_emit(c, OG_ROW_S_CMP_LG_U32, 0, 2, (operand[]){in_register(c, cc_part(c, i1, 0)), cc_constant(0)});
  return true;
}

operand cc_condition_mask(struct cc_function *c, uint32_t node) {
  const struct cc_node *n = &c->nodes.items[node];
  if (n->match_ref == OG_IR_NONE)
    return cc_mask(c, n->condition);
  unsigned bits = cc_bits(c->m, cc_type_of(c, n->match_ref));
  if (bits > 64)
    cc_refuse(c, "a switch over %u bits", bits);
  if (bits > 32)
    return cc_compare(c, OG_ROW_V_CMP_EQ_U64, cc_pair(c, n->condition, 0, -1), cc_pair(c, n->match_ref, 0, CC_V));
  return cc_compare(c, OG_ROW_V_CMP_EQ_U32, cc_extend(c, CC_S, cc_part(c, n->condition, 0), bits, false),
                    cc_extend(c, CC_V, cc_in_vector(c, cc_part(c, n->match_ref, 0)), bits, false));
}

bool cc_condition_scc(struct cc_function *c, uint32_t node) {
  const struct cc_node *n = &c->nodes.items[node];
  if (n->match_ref == OG_IR_NONE)
    return cc_scc(c, n->condition);
  unsigned bits = cc_bits(c->m, cc_type_of(c, n->match_ref));
  if (bits > 64)
    cc_refuse(c, "a switch over %u bits", bits);
  if (bits > 32) { /* gfx8 brought s_cmp_eq_u64 */
    operand differs[2];
    for (unsigned k = 0; k < 2; k++)
      differs[k] =
          ALU(c, CC_S, S_XOR_B32, V_XOR_B32, in_register(c, cc_part(c, n->match_ref, k)), cc_part(c, n->condition, k));
    operand any = ALU(c, CC_S, S_OR_B32, V_OR_B32, differs[0], differs[1]);
    cc_emit(c, OG_ROW_S_CMP_EQ_U32, 0, 2, (operand[]){any, cc_constant(0)});
    return true;
  }
  scalar_compare(c, 0, n->match_ref, n->condition);
  return true;
}

/* ---- phis -------------------------------------------------------------------------------------------------------- */

/* Whether two dwords of a phi are one register: halves of 64 bits, and pairs of floats that are added at once. */
static bool is_side_by_side(struct cc_function *c, uint32_t record, uint32_t count) {
  og_ir_type type = c->f->insts.items[record].type, scalar = og_ir_scalar(c->m, type);
  return cc_bits(c->m, scalar) == 64 ||
         (og_ir_kind(c->m, scalar) == OG_IR_FLOAT && og_ir_is_vector(c->m, type) && count % 2 == 0 &&
          cc_file(c, record) == CC_V && cc_has_float_pairs(c->isa, OG_IR_FADD, (struct og_text){0}));
}

/* Gives each phi its registers before any block is selected. */
static void make_phis(struct cc_function *c) {
  operand parts[64];
  const bool *adds_up = c->has_matrices ? cc_find_sums(c) : NULL;
  for (uint32_t b = 0; b < c->f->blocks.count; b++)
    for (uint32_t i = c->f->blocks.items[b].first; i && c->f->insts.items[i].opcode == OG_IR_PHI;
         i = c->f->insts.items[i].next) {
      uint32_t count = cc_parts(c->m, c->f->insts.items[i].type);
      c->record = i;
      if (count > OG_COUNT(parts)) {
        cc_refuse(c, "a phi of more than 64 registers");
        return;
      }
      bool sums = adds_up && adds_up[i] && count <= CC_TUPLE_MOST;
      uint32_t each = sums ? count : is_side_by_side(c, i, count) ? 2 : 1;
      c->values[i].packed = cc_is_packed_phi(c, i);
      /* the upper half of a register, taken out where it is read */
      for (uint32_t k = 0; k + 1 < count && c->values[i].packed; k += 2) {
        parts[k] = cc_temp(c, CC_V, 1), parts[k + 1] = cc_temp(c, CC_V, 1);
        c->regs.items[parts[k].value].many = true;
        c->regs.items[parts[k + 1].value].of = parts[k].value, c->regs.items[parts[k + 1].value].of_bit = 16;
      }
      for (uint32_t k = 0; k < count && !c->values[i].packed; k++) {
        parts[k] = k % each ? cc_part_of(parts[k - 1], 1, 1)
                            : cc_part_of(cc_temp(c, sums && c->accumulates ? CC_A : cc_file(c, i), each), 0, 1);
        c->regs.items[parts[k].value].many = true;
      }
      cc_define(c, i, parts, count);
    }
}

struct copy {
  operand to, from;
};

/* Makes copies as if all happened at once: each waits until its target is no longer to be read. If they wait in a ring,
 * one source is saved first. */
static void copy_all(struct cc_function *c, struct copy *copies, uint32_t count) {
  while (count) {
    bool done = false;
    for (uint32_t i = 0; i < count; i++) {
      bool read = false;
      for (uint32_t k = 0; k < count && !read; k++)
        read = k != i && cc_same(copies[k].from, copies[i].to);
      if (read)
        continue;
      cc_move(c, copies[i].to, copies[i].from);
      if (copies[i].from.kind == CC_REG)
        c->regs.items[copies[i].from.value].hint = copies[i].to.value;
      copies[i--] = copies[--count];
      done = true;
    }
    if (!done) {
      operand saved = cc_temp(c, cc_is_scalar_reg(c, copies[0].from) ? CC_S : CC_V, 1);
      cc_move(c, saved, copies[0].from);
      copies[0].from = saved;
    }
  }
}

static void copy_phis(struct cc_function *c, uint32_t from, uint32_t to) {
  OG_VECTOR(struct copy) copies = {0};
  for (uint32_t i = c->f->blocks.items[to].first; i && c->f->insts.items[i].opcode == OG_IR_PHI;
       i = c->f->insts.items[i].next) {
    const struct og_ir_inst *phi = &c->f->insts.items[i];
    for (uint32_t k = 0; k < phi->operands; k += 2) {
      og_ir_ref value = og_ir_operand(c->f, phi, k);
      if (og_ir_index(og_ir_operand(c->f, phi, k + 1)) != from)
        continue;
      c->record = i;
      if (og_ir_space(value) == OG_IR_CONSTANT && og_ir_constant_of(c->m, value)->kind >= OG_IR_C_UNDEF &&
          og_ir_constant_of(c->m, value)->kind <= OG_IR_C_POISON)
        break;
      bool i1 = cc_bits(c->m, phi->type) == 1, packed = c->values[i].packed;
      for (uint32_t p = 0; p < c->values[i].count; p++) {
        operand place = cc_part_anywhere(c, i, p);
        struct copy copy = {place, i1                          ? cc_bool_value(c, value, cc_file(c, i))
                                   : cc_is_accumulator(c, place) ? cc_part_anywhere(c, value, p)
                                                                 : cc_part(c, value, p)};
        if (packed) {
          copy.from = cc_pack_halves(c, copy.from, cc_part(c, value, p + 1));
          p++;
        }
        if (!cc_same(copy.to, copy.from))
          *OG_PUSH(c->arena, &copies) = copy;
      }
      break;
    }
  }
  copy_all(c, copies.items, copies.count);
}

/* ---- the walk ---------------------------------------------------------------------------------------------------- */

static bool select_inst(struct cc_function *c, uint32_t record) {
  const struct og_ir_inst *i = &c->f->insts.items[record];
  c->record = record;
  switch (og_ir_opcodes[i->opcode].shape) {
  case OG_IR_SHAPE_PHI:
    for (uint32_t k = 0; k + 1 < c->values[record].count && c->values[record].packed; k += 2)
      cc_emit(c, OG_ROW_V_LSHRREV_B32, 1, 3,
              (operand[]){c->parts.items[c->values[record].first + k + 1], cc_constant(16),
                          c->parts.items[c->values[record].first + k]});
    return true;
  case OG_IR_SHAPE_DEBUG:
  case OG_IR_SHAPE_BR:
  case OG_IR_SHAPE_SWITCH: return true;
  case OG_IR_SHAPE_RET: return cc_select_return(c, record);
  case OG_IR_SHAPE_BARE: return true; /* unreachable */
  case OG_IR_SHAPE_CALL: return cc_select_call(c, record);
  case OG_IR_SHAPE_CAST: return cc_select_cast(c, record);
  case OG_IR_SHAPE_LOAD:
  case OG_IR_SHAPE_STORE:
  case OG_IR_SHAPE_FENCE:
  case OG_IR_SHAPE_CMPXCHG:
  case OG_IR_SHAPE_ATOMICRMW:
  case OG_IR_SHAPE_ALLOCA: return cc_select_memory(c, record);
  case OG_IR_SHAPE_GETELEMENTPTR: cc_select_pointer(c, record); return !c->failed;
  default: return cc_select_arithmetic(c, record);
  }
}

bool cc_select(struct cc_function *c) {
  if (!cc_find_modes(c))
    return false;
  make_phis(c);
  c->record = 0; /* the code before a function's first instruction belongs to the function's own line */
  for (uint32_t p = 0; p < c->positions && !c->failed; p++) {
    uint32_t node = c->layout[p];
    c->node = node;
    cc_enter_node(c, node);
    if (p == 0 && !c->is_function)
      cc_load_arguments(c);
    if (p == 0)
      cc_enter_function(c);
    uint32_t block = c->nodes.items[node].block;
    if (block != CC_NO_NODE)
      for (uint32_t i = c->f->blocks.items[block].first; i && !c->failed; i = c->f->insts.items[i].next) {
        cc_enter_mode(c, i);
        if (!select_inst(c, i) && !c->failed)
          return cc_refuse(c, "the instruction '%s' on these types", og_ir_opcodes[c->f->insts.items[i].opcode].text);
      }
    cc_enter_mode(c, 0);
    if (c->nodes.items[node].copies_to != CC_NO_NODE)
      copy_phis(c, c->nodes.items[node].copies_from, c->nodes.items[node].copies_to);
    cc_leave_node(c, node);
  }
  return !c->failed;
}
