/* address.c - computes getelementptr, and makes the addresses of memory instructions: constant offsets apart, and a
 * scalar base where the instruction takes one. */
#include "cc/address.h"

unsigned cc_space_of(const struct cc_function *c, og_ir_ref pointer) {
  return (unsigned)og_ir_type_of(c->m, cc_type_of(c, pointer))->count;
}

/* ---- addresses --------------------------------------------------------------------------------------------------- */

/* Operands of an address, which an instruction or a constant expression computes. */
struct gep {
  og_ir_type source;
  uint32_t operands;
  const uint32_t *list;
};

static bool read_gep(const struct og_ir_module *m, const struct og_ir_function *f, og_ir_ref ref, struct gep *g) {
  if (og_ir_space(ref) == OG_IR_LOCAL) {
    const struct og_ir_inst *i = &f->insts.items[og_ir_index(ref)];
    *g = (struct gep){i->extra, i->operands, &f->operands.items[i->first]};
    return i->opcode == OG_IR_GETELEMENTPTR && !og_ir_is_vector(m, i->type);
  }
  const struct og_ir_constant *k = og_ir_constant_of(m, ref);
  *g = (struct gep){(og_ir_type)k->value, k->parts, &m->pool.items[k->first]};
  return k->kind == OG_IR_C_EXPRESSION && k->opcode == OG_IR_GETELEMENTPTR;
}

static int64_t signed_number(const struct og_ir_module *m, const struct og_ir_function *f, og_ir_ref ref,
                             uint64_t value) {
  unsigned bits = cc_bits(m, og_ir_type_of_ref(m, f, ref));
  return bits >= 64 ? (int64_t)value : (int64_t)(value << (64 - bits)) >> (64 - bits);
}

/* The type of what index `k` steps into, and the bytes of each step; of a struct all bytes up to the member. */
static og_ir_type step(const struct og_ir_module *m, og_ir_type type, uint32_t k, og_ir_ref index, uint64_t *each,
                       bool *member) {
  *member = false;
  if (k == 1) {
    *each = cc_size_of(m, type);
    return type;
  }
  uint64_t number = 0;
  if (og_ir_kind(m, type) == OG_IR_STRUCT) {
    cc_is_number(m, index, &number);
    *member = true;
    *each = cc_field_offset(m, type, number);
    return og_ir_element(m, type, number);
  }
  og_ir_type element = og_ir_part(m, type, 0);
  *each = og_ir_kind(m, type) == OG_IR_VECTOR ? (cc_bits(m, element) + 7) / 8 : cc_size_of(m, element);
  return element;
}

static bool constant_offset(const struct og_ir_module *m, const struct og_ir_function *f, const struct gep *g,
                            int64_t *offset) {
  og_ir_type type = g->source;
  for (uint32_t k = 1; k < g->operands; k++) {
    uint64_t value, each;
    bool member;
    if (!cc_is_number(m, g->list[k], &value))
      return false;
    type = step(m, type, k, g->list[k], &each, &member);
    *offset += member ? (int64_t)each : signed_number(m, f, g->list[k], value) * (int64_t)each;
  }
  return true;
}

bool cc_constant_offset(const struct og_ir_module *m, const struct og_ir_function *f, og_ir_ref ref, int64_t *offset) {
  struct gep g;
  return read_gep(m, f, ref, &g) && constant_offset(m, f, &g, offset);
}

og_ir_ref cc_base(const struct og_ir_module *m, const struct og_ir_function *f, og_ir_ref ref, int64_t *offset) {
  struct gep g;
  int64_t more = 0;
  while ((og_ir_space(ref) == OG_IR_LOCAL || og_ir_space(ref) == OG_IR_CONSTANT) && read_gep(m, f, ref, &g) &&
         constant_offset(m, f, &g, &more)) {
    ref = g.list[0];
    *offset += more;
    more = 0;
  }
  return ref;
}

/* index * each, as wide as the pointer. */
static void scale(struct cc_function *c, unsigned file, og_ir_ref index, uint64_t each, bool wide, operand out[2]) {
  unsigned bits = cc_bits(c->m, cc_type_of(c, index)), shift = 0;
  while (shift < 63 && (UINT64_C(1) << shift) < each)
    shift++;
  bool power = (UINT64_C(1) << shift) == each;
  if (!wide) {
    operand o = cc_extend(c, file, cc_part(c, index, 0), bits, true);
    out[0] =
        power ? cc_shift(c, file, OG_IR_SHL, o, cc_constant(shift)) : cc_mul(c, file, o, cc_constant((uint32_t)each));
    return;
  }
  if (bits > 32) {
    out[0] = cc_part(c, index, 0), out[1] = cc_part(c, index, 1);
  } else {
    out[0] = cc_extend(c, file, cc_part(c, index, 0), bits, true);
    out[1] = cc_shift(c, file, OG_IR_ASHR, out[0], cc_constant(31));
  }
  if (power && out[1].kind == CC_CONST && out[1].value == 0 && cc_width(c, out[0]) + shift <= 32) {
    out[0] = cc_shift(c, file, OG_IR_SHL, out[0], cc_constant(shift));
  } else if (power && shift) {
    operand pair = cc_tuple(c, out, 2, file == CC_S ? CC_S : -1);
    pair = file == CC_S ? SALU(c, S_LSHL_B64, 2, pair, cc_constant(shift))
                        : VALU(c, V_LSHLREV_B64, 2, cc_constant(shift), pair);
    out[0] = cc_part_of(pair, 0, 1), out[1] = cc_part_of(pair, 1, 1);
  } else if (!power) {
    operand by = cc_constant((uint32_t)each);
    operand low = cc_mul(c, file, out[0], by);
    operand high = file == CC_S && cc_has_row(c, OG_ROW_S_MUL_HI_U32) ? SALU(c, S_MUL_HI_U32, 1, out[0], by)
                                                                      : VALU(c, V_MUL_HI_U32, 1, out[0], by);
    if (file == CC_S && cc_is_vector(c, high))
      high = SALU(c, V_READFIRSTLANE_B32, 1, high);
    out[1] = cc_add(c, file, cc_mul(c, file, out[1], by), high);
    out[0] = low;
  }
}

/* The same, remembered for the rest of its block. */
static void scaled(struct cc_function *c, unsigned file, og_ir_ref index, uint64_t each, bool wide, operand out[2]) {
  for (unsigned k = 0; k < OG_COUNT(c->scaled); k++) {
    const struct cc_scaled *known = &c->scaled[k];
    if (known->node == 1 + c->node && known->index == index && known->each == each && known->file == file &&
        known->wide == wide) {
      out[0] = known->out[0], out[1] = known->out[1];
      return;
    }
  }
  scale(c, file, index, each, wide, out);
  c->scaled[c->next_scaled++ % OG_COUNT(c->scaled)] =
      (struct cc_scaled){1 + c->node, index, each, (uint8_t)file, wide, {out[0], out[1]}};
}

void cc_select_pointer(struct cc_function *c, uint32_t record) {
  const struct og_ir_inst *i = &c->f->insts.items[record];
  struct gep g;
  if (!read_gep(c->m, c->f, record, &g)) {
    cc_refuse(c, "getelementptr of vectors");
    return;
  }
  bool wide = cc_bits(c->m, i->type) == 64;
  unsigned file = cc_file(c, record), variable = 0;
  bool splits = wide && file == CC_V && cc_place_of(c, g.list[0]) == CC_SCALAR;
  operand offset = cc_constant(0);
  operand at[2] = {cc_part(c, g.list[0], 0), wide ? cc_part(c, g.list[0], 1) : cc_constant(0)};
  og_ir_type type = g.source;
  int64_t constant = 0;
  for (uint32_t k = 1; k < g.operands && !c->failed; k++) {
    uint64_t each, value;
    bool member;
    type = step(c->m, type, k, g.list[k], &each, &member);
    if (member) {
      constant += (int64_t)each;
    } else if (cc_is_number(c->m, g.list[k], &value)) {
      constant += signed_number(c->m, c->f, g.list[k], value) * (int64_t)each;
    } else {
      operand by[2] = {{0}};
      scaled(c, file, g.list[k], each, wide, by);
      splits &= !variable++ && by[1].kind == CC_CONST && by[1].value == 0;
      offset = by[0];
      if (wide) {
        operand sum = cc_add64(c, file, at, by, false);
        at[0] = cc_part_of(sum, 0, 1), at[1] = cc_part_of(sum, 1, 1);
      } else {
        at[0] = cc_add(c, file, at[0], by[0]);
      }
    }
  }
  if (splits && variable && !constant && !c->values[record].leaves) {
    *OG_PUSH(c->arena, &c->splits) = (struct cc_split){cc_pair(c, g.list[0], 0, CC_S), cc_kept(c, CC_V, offset)};
    c->values[record].split = c->splits.count;
  }
  if (constant && wide) {
    operand by[2] = {cc_constant((uint32_t)constant), cc_constant((uint32_t)(constant >> 32))};
    operand sum = cc_add64(c, file, at, by, false);
    at[0] = cc_part_of(sum, 0, 1), at[1] = cc_part_of(sum, 1, 1);
  } else if (constant) {
    at[0] = cc_add(c, file, at[0], cc_constant((uint32_t)constant));
  }
  cc_define(c, record, at, wide ? 2 : 1);
}

/* Scratch instructions take a vector or a scalar register, or neither where the processor allows that; buffer
 * instructions a vector register or none. */
void cc_private_address(struct cc_function *c, operand base, int64_t offset, struct cc_address *a) {
  bool buffer = cc_scratch_by_buffer(c), neither = c->isa->gfx940 || c->isa->generation >= OG_GFX10_3;
  int64_t most = buffer ? 4095 - 64 : 2047 - 64;
  bool in_frame =
      buffer && base.kind == CC_REG && !cc_is_vector(c, base) &&
      /* it is the scalar offset of the instruction */
      (base.value == c->stack.value || base.value == c->stack_end.value || base.value == c->next_stack.value);
  operand stack = base;
  a->space = PRIVATE, a->operands = 0;
  if (in_frame)
    base = (operand){CC_NONE, 0, 0, 0, 0};
  if (base.kind == CC_CONST)
    offset += base.value, base = (operand){CC_NONE, 0, 0, 0, 0};
  if (offset > most) { /* what exceeds the instruction's offset goes to a register */
    operand rest = cc_constant((uint32_t)(offset & ~(int64_t)1023));
    offset &= 1023;
    base = base.kind == CC_NONE ? rest : cc_add(c, cc_is_vector(c, base) ? CC_V : CC_S, base, rest);
  }
  if (base.kind == CC_NONE && !buffer && !neither)
    base = cc_constant(0);
  if (base.kind == CC_CONST) {
    operand moved = cc_temp(c, buffer ? CC_V : CC_S, 1);
    cc_move(c, moved, base);
    base = moved;
  }
  if (buffer && base.kind != CC_NONE)
    base = cc_in_vector(c, base);
  a->offset = offset, a->no_vector = !cc_is_vector(c, base), a->by_buffer = buffer;
  if (base.kind != CC_NONE)
    a->at[a->operands++] = base;
  if (buffer) {
    a->at[a->operands++] = c->inputs[OG_INPUT_PRIVATE_SEGMENT_BUFFER];
    a->at[a->operands++] = in_frame ? stack : cc_constant(0);
  }
}

/* Whether `base` points to a kernel's implicit arguments (`*implicit`) or to the beginning of all its arguments. */
static bool in_arguments(const struct cc_function *c, og_ir_ref base, bool *implicit) {
  if (c->is_function || og_ir_space(base) != OG_IR_LOCAL)
    return false;
  const struct og_ir_inst *i = &c->f->insts.items[og_ir_index(base)];
  if (i->opcode != OG_IR_CALL)
    return false;
  struct og_text name = cc_called(c, i);
  *implicit = og_text_is(name, "llvm.amdgcn.implicitarg.ptr");
  return *implicit || og_text_is(name, "llvm.amdgcn.kernarg.segment.ptr");
}

bool cc_is_argument(const struct cc_function *c, og_ir_ref pointer, int64_t *offset) {
  bool implicit = false;
  *offset = 0;
  if (!in_arguments(c, cc_base(c->m, c->f, pointer, offset), &implicit))
    return false;
  *offset += implicit ? c->kernarg_explicit : 0;
  return *offset >= 0 && *offset < 512;
}

bool cc_is_hidden_argument(const struct cc_function *c, og_ir_ref pointer, int64_t *offset) {
  bool implicit = false;
  *offset = 0;
  return in_arguments(c, cc_base(c->m, c->f, pointer, offset), &implicit) && implicit;
}

void cc_global_at(struct cc_function *c, og_ir_ref pointer, struct cc_address *a) {
  *a = (struct cc_address){.space = GLOBAL, .operands = 2};
  uint32_t split = og_ir_space(pointer) == OG_IR_LOCAL ? c->values[og_ir_index(pointer)].split : 0;
  if (split) {
    a->at[0] = c->splits.items[split - 1].offset;
    a->at[1] = c->splits.items[split - 1].base;
  } else if (cc_place_of(c, pointer) == CC_SCALAR && og_ir_space(pointer) == OG_IR_LOCAL) {
    a->at[0] = cc_kept(c, CC_V, cc_constant(0));
    a->at[1] = cc_pair(c, pointer, 0, CC_S);
  } else {
    a->at[0] = cc_pair(c, pointer, 0, CC_V), a->operands = 1;
  }
}

bool cc_address(struct cc_function *c, og_ir_ref pointer, bool scalar, struct cc_address *a) {
  int64_t offset = 0;
  if (scalar && cc_is_argument(c, pointer, &offset) && c->inputs[OG_INPUT_KERNARG_SEGMENT_PTR].kind == CC_REG) {
    *a = (struct cc_address){.space = CONSTANT, .at = {c->inputs[OG_INPUT_KERNARG_SEGMENT_PTR]}, .operands = 1,
                             .offset = offset};
    return true;
  }
  offset = 0;
  og_ir_ref base = cc_base(c->m, c->f, pointer, &offset);
  a->space = cc_space_of(c, pointer);
  int64_t most = a->space == LDS                   ? 65535 - 64
                 : c->isa->generation >= OG_GFX900 ? 2047 - 64
                 : c->isa->generation < OG_GFX7    ? 4095 - 64
                                                   : 0,
          least =
              a->space == LDS || !most || a->space == FLAT || c->isa->gfx12 || c->isa->generation < OG_GFX7 ? 0 : -2048;
  if (scalar)
    most = c->isa->generation >= OG_GFX8 ? 0xfffff - 64 : 1020 - 64, least = 0;
  if (offset < least || offset > most)
    base = pointer, offset = 0;
  a->offset = offset, a->no_vector = a->by_buffer = false;
  if (a->space == PRIVATE) {
    if (offset < 0)
      base = pointer, offset = 0;
    cc_private_address(c, cc_part(c, base, 0), offset, a);
    return true;
  }
  if (a->space == LDS) {
    /* gfx6 adds no offset to a negative address */
    if (c->isa->generation < OG_GFX7 && offset && cc_width(c, cc_part(c, base, 0)) > 31)
      base = pointer, a->offset = 0;
    a->at[0] = cc_kept(c, CC_V, cc_part(c, base, 0));
    a->operands = 1;
    return true;
  }
  if (a->space > CONSTANT || a->space == 2)
    return cc_refuse(c, "memory in address space %u", a->space);
  if (scalar) {
    a->at[0] = cc_pair(c, base, 0, CC_S);
    a->operands = 1;
    return true;
  }
  if (a->space != FLAT && cc_has_row(c, OG_ROW_GLOBAL_LOAD_DWORD)) {
    cc_global_at(c, base, a);
    a->offset = offset;
    return true;
  }
  if (!cc_has_row(c, OG_ROW_FLAT_LOAD_DWORD)) {
    if (a->space == FLAT)
      return cc_refuse(c, "memory at flat addresses, which %s does not have", c->target->processor->name);
    a->space = GLOBAL, a->by_buffer = true, a->operands = 3;
    a->at[0] = cc_pair(c, base, 0, CC_V), a->at[1] = c->whole_memory, a->at[2] = cc_constant(0);
    return true;
  }
  a->space = FLAT, a->operands = 1;
  a->at[0] = cc_pair(c, base, 0, CC_V);
  return true;
}
