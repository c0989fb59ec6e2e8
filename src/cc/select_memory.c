/* select_memory.c - addresses, loads, stores, atomics, fences. */
#include "cc/select.h"

enum { FLAT = 0, GLOBAL = 1, LDS = 3, CONSTANT = 4, PRIVATE = 5, CONSTANT32 = 6 };

static unsigned space_of(const struct cc_function *c, og_ir_ref pointer) {
  return (unsigned)og_ir_type_of(c->m, cc_type_of(c, pointer))->count;
}

/* ---- addresses ---------------------------------------------------------------------------------------------------------- */

/* Operands of an address: an instruction's or an expression's. */
struct gep {
  og_ir_type source;
  uint32_t operands;
  const uint32_t *list;
};

static bool read_gep(const struct cc_function *c, og_ir_ref ref, struct gep *g) {
  if (og_ir_space(ref) == OG_IR_LOCAL) {
    const struct og_ir_inst *i = &c->f->insts.items[og_ir_index(ref)];
    *g = (struct gep){i->extra, i->operands, &c->f->operands.items[i->first]};
    return i->opcode == OG_IR_GETELEMENTPTR && !og_ir_is_vector(c->m, i->type);
  }
  const struct og_ir_constant *k = og_ir_constant_of(c->m, ref);
  *g = (struct gep){(og_ir_type)k->value, k->parts, &c->m->pool.items[k->first]};
  return k->kind == OG_IR_C_EXPRESSION && k->opcode == OG_IR_GETELEMENTPTR;
}

static int64_t signed_number(const struct cc_function *c, og_ir_ref ref, uint64_t value) {
  unsigned bits = cc_bits(c->m, cc_type_of(c, ref));
  return bits >= 64 ? (int64_t)value : (int64_t)(value << (64 - bits)) >> (64 - bits);
}

/* The element that index `k` steps into, and bytes for each step; of a struct all bytes up to it. */
static og_ir_type step(const struct cc_function *c, og_ir_type type, uint32_t k, og_ir_ref index, uint64_t *each, bool *member) {
  *member = false;
  if (k == 1) {
    *each = cc_size_of(c->m, type);
    return type;
  }
  uint64_t number = 0;
  if (og_ir_kind(c->m, type) == OG_IR_STRUCT) {
    cc_is_number(c, index, &number);
    *member = true;
    *each = cc_field_offset(c->m, type, number);
    return og_ir_element(c->m, type, number);
  }
  og_ir_type element = og_ir_part(c->m, type, 0);
  *each = og_ir_kind(c->m, type) == OG_IR_VECTOR ? (cc_bits(c->m, element) + 7) / 8 : cc_size_of(c->m, element);
  return element;
}

static bool constant_offset(const struct cc_function *c, const struct gep *g, int64_t *offset) {
  og_ir_type type = g->source;
  for (uint32_t k = 1; k < g->operands; k++) {
    uint64_t value, each;
    bool member;
    if (!cc_is_number(c, g->list[k], &value))
      return false;
    type = step(c, type, k, g->list[k], &each, &member);
    *offset += member ? (int64_t)each : signed_number(c, g->list[k], value) * (int64_t)each;
  }
  return true;
}

og_ir_ref cc_base(const struct cc_function *c, og_ir_ref ref, int64_t *offset) {
  struct gep g;
  int64_t more = 0;
  while ((og_ir_space(ref) == OG_IR_LOCAL || og_ir_space(ref) == OG_IR_CONSTANT) && read_gep(c, ref, &g) &&
         constant_offset(c, &g, &more)) {
    ref = g.list[0];
    *offset += more;
    more = 0;
  }
  return ref;
}

/* value * each, as wide as the pointer. */
static void scaled(struct cc_function *c, unsigned file, og_ir_ref index, uint64_t each, bool wide, operand out[2]) {
  unsigned bits = cc_bits(c->m, cc_type_of(c, index)), shift = 0;
  while (shift < 63 && (UINT64_C(1) << shift) < each)
    shift++;
  bool power = (UINT64_C(1) << shift) == each;
  if (!wide) {
    operand o = cc_extend(c, file, cc_part(c, index, 0), bits, true);
    out[0] = power ? cc_shift(c, file, OG_IR_SHL, o, cc_constant(shift)) : cc_mul(c, file, o, cc_constant((uint32_t)each));
    return;
  }
  if (bits > 32) {
    out[0] = cc_part(c, index, 0), out[1] = cc_part(c, index, 1);
  } else {
    out[0] = cc_extend(c, file, cc_part(c, index, 0), bits, true);
    out[1] = cc_shift(c, file, OG_IR_ASHR, out[0], cc_constant(31));
  }
  if (power && shift) {
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

void cc_select_pointer(struct cc_function *c, uint32_t record) {
  const struct og_ir_inst *i = &c->f->insts.items[record];
  struct gep g;
  if (!read_gep(c, record, &g)) {
    cc_refuse(c, "getelementptr of vectors");
    return;
  }
  bool wide = cc_bits(c->m, i->type) == 64;
  unsigned file = cc_file(c, record);
  operand at[2] = {cc_part(c, g.list[0], 0), wide ? cc_part(c, g.list[0], 1) : cc_constant(0)};
  og_ir_type type = g.source;
  int64_t constant = 0;
  for (uint32_t k = 1; k < g.operands && !c->failed; k++) {
    uint64_t each, value;
    bool member;
    type = step(c, type, k, g.list[k], &each, &member);
    if (member) {
      constant += (int64_t)each;
    } else if (cc_is_number(c, g.list[k], &value)) {
      constant += signed_number(c, g.list[k], value) * (int64_t)each;
    } else {
      operand by[2];
      scaled(c, file, g.list[k], each, wide, by);
      if (wide) {
        operand sum = cc_add64(c, file, at, by, false);
        at[0] = cc_part_of(sum, 0, 1), at[1] = cc_part_of(sum, 1, 1);
      } else {
        at[0] = cc_add(c, file, at[0], by[0]);
      }
    }
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

/* What an access needs beside its data: the address's operands and an offset. */
struct address {
  unsigned space; /* FLAT, GLOBAL, LDS, CONSTANT: the last by scalar memory instructions */
  operand at[2];  /* of GLOBAL: a vector and a scalar one */
  unsigned operands;
  int64_t offset;
};

static bool address(struct cc_function *c, og_ir_ref pointer, bool scalar, struct address *a) {
  int64_t offset = 0;
  og_ir_ref base = cc_base(c, pointer, &offset);
  a->space = space_of(c, pointer);
  int64_t most = a->space == LDS ? 65535 - 64 : c->isa->generation >= OG_GFX900 ? 2047 - 64 : 0, least = a->space == LDS || !most || a->space == FLAT || c->isa->gfx12 ? 0 : -2048;
  if (scalar)
    most = c->isa->generation >= OG_GFX8 ? 0xfffff - 64 : 255, least = 0;
  if (offset < least || offset > most)
    base = pointer, offset = 0;
  a->offset = offset;
  if (a->space == PRIVATE) {
    if (offset > 2047 || (offset && offset < 0))
      base = pointer, a->offset = 0;
    a->at[0] = cc_in_vector(c, cc_part(c, base, 0));
    a->operands = 1;
    return true;
  }
  if (a->space == LDS) {
    a->at[0] = cc_in_vector(c, cc_part(c, base, 0));
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
    a->space = GLOBAL, a->operands = 1;
    if (cc_place_of(c, base) == CC_SCALAR && og_ir_space(base) == OG_IR_LOCAL) {
      a->at[0] = cc_in_vector(c, cc_constant(0));
      a->at[1] = cc_pair(c, base, 0, CC_S);
      a->operands = 2;
    } else {
      a->at[0] = cc_pair(c, base, 0, CC_V);
    }
    return true;
  }
  if (!cc_has_row(c, OG_ROW_FLAT_LOAD_DWORD))
    return cc_refuse(c, "memory by buffer instructions, which %s needs", c->target->processor->name);
  a->space = FLAT, a->operands = 1;
  a->at[0] = cc_pair(c, base, 0, CC_V);
  return true;
}

/* ---- loads and stores ------------------------------------------------------------------------------------------------------ */

/* Rows by size: 1, 2, 4, 8, 12, 16 bytes. */
static const uint16_t rows[4][2][6] = {
    {{OG_ROW_FLAT_LOAD_UBYTE, OG_ROW_FLAT_LOAD_USHORT, OG_ROW_FLAT_LOAD_DWORD, OG_ROW_FLAT_LOAD_DWORDX2,
      OG_ROW_FLAT_LOAD_DWORDX3, OG_ROW_FLAT_LOAD_DWORDX4},
     {OG_ROW_FLAT_STORE_BYTE, OG_ROW_FLAT_STORE_SHORT, OG_ROW_FLAT_STORE_DWORD, OG_ROW_FLAT_STORE_DWORDX2,
      OG_ROW_FLAT_STORE_DWORDX3, OG_ROW_FLAT_STORE_DWORDX4}},
    {{OG_ROW_GLOBAL_LOAD_UBYTE, OG_ROW_GLOBAL_LOAD_USHORT, OG_ROW_GLOBAL_LOAD_DWORD, OG_ROW_GLOBAL_LOAD_DWORDX2,
      OG_ROW_GLOBAL_LOAD_DWORDX3, OG_ROW_GLOBAL_LOAD_DWORDX4},
     {OG_ROW_GLOBAL_STORE_BYTE, OG_ROW_GLOBAL_STORE_SHORT, OG_ROW_GLOBAL_STORE_DWORD, OG_ROW_GLOBAL_STORE_DWORDX2,
      OG_ROW_GLOBAL_STORE_DWORDX3, OG_ROW_GLOBAL_STORE_DWORDX4}},
    {{OG_ROW_DS_READ_U8, OG_ROW_DS_READ_U16, OG_ROW_DS_READ_B32, OG_ROW_DS_READ_B64, OG_ROW_DS_READ_B96,
      OG_ROW_DS_READ_B128},
     {OG_ROW_DS_WRITE_B8, OG_ROW_DS_WRITE_B16, OG_ROW_DS_WRITE_B32, OG_ROW_DS_WRITE_B64, OG_ROW_DS_WRITE_B96,
      OG_ROW_DS_WRITE_B128}},
    {{OG_ROW_SCRATCH_LOAD_UBYTE, OG_ROW_SCRATCH_LOAD_USHORT, OG_ROW_SCRATCH_LOAD_DWORD, OG_ROW_SCRATCH_LOAD_DWORDX2,
      OG_ROW_SCRATCH_LOAD_DWORDX3, OG_ROW_SCRATCH_LOAD_DWORDX4},
     {OG_ROW_SCRATCH_STORE_BYTE, OG_ROW_SCRATCH_STORE_SHORT, OG_ROW_SCRATCH_STORE_DWORD, OG_ROW_SCRATCH_STORE_DWORDX2,
      OG_ROW_SCRATCH_STORE_DWORDX3, OG_ROW_SCRATCH_STORE_DWORDX4}},
};
static unsigned rows_of(const struct address *a) { return a->space == LDS ? 2 : a->space == PRIVATE ? 3 : a->space; }
static const uint8_t sizes[6] = {1, 2, 4, 8, 12, 16};

/* The largest access at that place. */
static unsigned piece(const struct address *a, uint64_t left, uint64_t align) {
  unsigned k = 5;
  while (k > 0 && (sizes[k] > left || (sizes[k] > align && (a->space == LDS || align < 4)) ||
                   (a->space == LDS && sizes[k] == 12)))
    k--;
  return k;
}

static uint64_t alignment(const struct cc_function *c, const struct og_ir_inst *i, og_ir_type type) {
  return i->sub ? UINT64_C(1) << (i->sub - 1) : cc_align_of(c->m, type);
}

/* Bits from `at` on of dwords that were loaded; what stands above them does not matter. */
static operand element_of(struct cc_function *c, unsigned file, const operand *dwords, uint64_t at) {
  operand o = dwords[at / 32];
  return at % 32 ? cc_shift(c, file, OG_IR_LSHR, o, cc_constant((uint32_t)(at % 32))) : o;
}

static bool unpack(struct cc_function *c, uint32_t record, unsigned file, const operand *dwords) {
  const struct og_ir_inst *i = &c->f->insts.items[record];
  og_ir_type scalar = og_ir_scalar(c->m, i->type);
  unsigned bits = cc_bits(c->m, scalar);
  uint32_t count = cc_parts(c->m, i->type);
  operand *out = OG_NEW_ARRAY(c->arena, operand, count + 1);
  if (bits == 1 && !og_ir_is_vector(c->m, i->type)) {
    operand low = ALU(c, file, S_AND_B32, V_AND_B32, cc_constant(1), dwords[0]);
    if (c->values[record].place == CC_SCALAR)
      cc_define(c, record, &low, 1);
    else
      cc_define_mask(c, record, cc_compare(c, OG_ROW_V_CMP_NE_U32, cc_constant(0), low));
    return true;
  }
  if (bits < 8 && bits)
    return false;
  for (uint32_t k = 0; k < count; k++)
    out[k] = bits < 32 && bits ? element_of(c, file, dwords, (uint64_t)k * bits) : dwords[k];
  cc_define(c, record, out, count);
  return true;
}

static bool is_plain(struct cc_function *c, og_ir_type type) {
  uint8_t kind = og_ir_kind(c->m, og_ir_scalar(c->m, type));
  unsigned bits = cc_bits(c->m, og_ir_scalar(c->m, type));
  return kind >= OG_IR_HALF && kind != OG_IR_ARRAY && kind != OG_IR_STRUCT && bits <= 128 &&
         (bits % 32 == 0 || bits == 8 || bits == 16 || bits == 1) && cc_store_size(c->m, type) <= 256;
}

static bool load(struct cc_function *c, uint32_t record) {
  const struct og_ir_inst *i = &c->f->insts.items[record];
  og_ir_ref pointer = og_ir_operand(c->f, i, 0);
  struct address a;
  if (!is_plain(c, i->type))
    return false;
  uint64_t size = cc_store_size(c->m, i->type), align = alignment(c, i, i->type), at = 0;
  uint32_t dwords = (uint32_t)(size + 3) / 4;
  bool scalar = c->values[record].place == CC_SCALAR;
  operand raw[66];
  if (!address(c, pointer, scalar, &a))
    return false;
  if (scalar) {
    static const uint16_t s_rows[] = {OG_ROW_S_LOAD_DWORD, OG_ROW_S_LOAD_DWORDX2, OG_ROW_S_LOAD_DWORDX4,
                                      OG_ROW_S_LOAD_DWORDX8, OG_ROW_S_LOAD_DWORDX16};
    for (uint32_t d = 0; d < dwords;) {
      unsigned k = 4;
      while ((1u << k) > dwords - d)
        k--;
      operand to = cc_temp(c, CC_S, 1u << k);
      cc_emit(c, s_rows[k], 1, 2, (operand[]){to, a.at[0]})->offset = (int32_t)(a.offset + 4 * d);
      for (unsigned p = 0; p < 1u << k; p++)
        raw[d++] = cc_part_of(to, p, 1);
    }
    return unpack(c, record, CC_S, raw);
  }
  while (at < size) {
    unsigned k = piece(&a, size - at, align);
    operand to = cc_temp(c, CC_V, (sizes[k] + 3) / 4), list[3] = {to, a.at[0], a.at[1]};
    struct cc_inst *inst = cc_emit(c, rows[rows_of(&a)][0][k], 1, 1 + a.operands, list);
    inst->offset = (int32_t)(a.offset + (int64_t)at);
    if (i->flags & (OG_IR_F_ATOMIC | OG_IR_F_VOLATILE) && a.space != LDS)
      inst->policy = OG_CPOL_GLC;
    if (a.space == FLAT && c->isa->generation < OG_GFX900 && inst->offset)
      return cc_refuse(c, "an access that takes several instructions by addresses without offset");
    if (sizes[k] < 4) {
      raw[at / 4] = at % 4 ? VALU(c, V_OR_B32, 1, cc_shift(c, CC_V, OG_IR_SHL, to, cc_constant(8 * (uint32_t)(at % 4))), raw[at / 4]) : to;
    } else {
      for (unsigned p = 0; p < sizes[k] / 4u; p++)
        raw[at / 4 + p] = cc_part_of(to, p, 1);
    }
    at += sizes[k];
  }
  return unpack(c, record, CC_V, raw);
}

/* The dwords that a value fills in memory. */
static void pack(struct cc_function *c, og_ir_ref value, og_ir_type type, operand *raw) {
  unsigned bits = cc_bits(c->m, og_ir_scalar(c->m, type));
  uint32_t count = cc_parts(c->m, type);
  if (bits >= 32 || count == 1) {
    for (uint32_t k = 0; k < count; k++)
      raw[k] = bits == 1 ? cc_bool_vector(c, value) : cc_part(c, value, k);
    return;
  }
  for (uint32_t k = 0; k < count; k++) {
    uint32_t at = k * bits;
    operand o = cc_part(c, value, k);
    bool last = at % 32 + bits == 32;
    if (!last)
      o = cc_extend(c, CC_V, o, bits, false);
    if (at % 32)
      o = o.kind == CC_CONST ? cc_constant(o.value << at % 32) : cc_shift(c, CC_V, OG_IR_SHL, o, cc_constant(at % 32));
    if (at % 32 == 0)
      raw[at / 32] = o;
    else if (o.kind == CC_CONST && raw[at / 32].kind == CC_CONST)
      raw[at / 32].value |= o.value;
    else
      raw[at / 32] = VALU(c, V_OR_B32, 1, o, raw[at / 32]);
  }
}

static bool store(struct cc_function *c, uint32_t record) {
  const struct og_ir_inst *i = &c->f->insts.items[record];
  og_ir_ref value = og_ir_operand(c->f, i, 0), pointer = og_ir_operand(c->f, i, 1);
  og_ir_type type = cc_type_of(c, value);
  struct address a;
  operand raw[66];
  if (!is_plain(c, type) || (cc_bits(c->m, og_ir_scalar(c->m, type)) == 1 && og_ir_is_vector(c->m, type)))
    return false;
  if (!address(c, pointer, false, &a))
    return false;
  uint64_t size = cc_store_size(c->m, type), align = alignment(c, i, type), at = 0;
  pack(c, value, type, raw);
  while (at < size) {
    unsigned k = piece(&a, size - at, align), count = (sizes[k] + 3) / 4;
    operand data = cc_tuple(c, raw + at / 4, count, CC_V);
    if (at % 4)
      data = cc_shift(c, CC_V, OG_IR_LSHR, data, cc_constant(8 * (uint32_t)(at % 4)));
    operand list[3] = {a.at[0], data, a.at[1]};
    struct cc_inst *inst = cc_emit(c, rows[rows_of(&a)][1][k], 0, 1 + a.operands, list);
    inst->offset = (int32_t)(a.offset + (int64_t)at);
    if (a.space == FLAT && c->isa->generation < OG_GFX900 && inst->offset)
      return cc_refuse(c, "an access that takes several instructions by addresses without offset");
    at += sizes[k];
  }
  return true;
}

/* ---- atomics ---------------------------------------------------------------------------------------------------------------- */

/* By operation: flat, global, LDS with and without result, of 32 bits and of 64. */
#define ROWS(op, name, ds, t32, t64) \
  [op] = {{OG_ROW_FLAT_ATOMIC_##name, OG_ROW_GLOBAL_ATOMIC_##name, OG_ROW_DS_##ds##_##t32, OG_ROW_DS_##ds##_RTN_##t32}, \
          {OG_ROW_FLAT_ATOMIC_##name##_X2, OG_ROW_GLOBAL_ATOMIC_##name##_X2, OG_ROW_DS_##ds##_##t64, OG_ROW_DS_##ds##_RTN_##t64}}
static const uint16_t atomics[OG_IR_RMW_OPERATIONS][2][4] = {
    ROWS(OG_IR_RMW_ADD, ADD, ADD, U32, U64),   ROWS(OG_IR_RMW_SUB, SUB, SUB, U32, U64),
    ROWS(OG_IR_RMW_AND, AND, AND, B32, B64),   ROWS(OG_IR_RMW_OR, OR, OR, B32, B64),
    ROWS(OG_IR_RMW_XOR, XOR, XOR, B32, B64),   ROWS(OG_IR_RMW_MAX, SMAX, MAX, I32, I64),
    ROWS(OG_IR_RMW_MIN, SMIN, MIN, I32, I64),  ROWS(OG_IR_RMW_UMAX, UMAX, MAX, U32, U64),
    ROWS(OG_IR_RMW_UMIN, UMIN, MIN, U32, U64), ROWS(OG_IR_RMW_UINC_WRAP, INC, INC, U32, U64),
    ROWS(OG_IR_RMW_UDEC_WRAP, DEC, DEC, U32, U64),
    [OG_IR_XCHG] = {{OG_ROW_FLAT_ATOMIC_SWAP, OG_ROW_GLOBAL_ATOMIC_SWAP, OG_ROW_DS_WRXCHG_RTN_B32, OG_ROW_DS_WRXCHG_RTN_B32},
                    {OG_ROW_FLAT_ATOMIC_SWAP_X2, OG_ROW_GLOBAL_ATOMIC_SWAP_X2, OG_ROW_DS_WRXCHG_RTN_B64,
                     OG_ROW_DS_WRXCHG_RTN_B64}},
};

static bool is_used(const struct cc_function *c, uint32_t record) { return c->used[record]; }

void cc_fence(struct cc_function *c, unsigned ordering, unsigned scope, bool before) {
  if (ordering < OG_IR_ACQUIRE || scope == 0 || (scope > 1 && og_text_is(c->m->scopes.items[scope], "wavefront")))
    return;
  bool acquires = ordering != OG_IR_RELEASE, releases = ordering != OG_IR_ACQUIRE;
  if (before ? releases : acquires)
    cc_emit(c, CC_ROW_WAIT_ALL, 0, 0, NULL);
  struct og_text name = c->m->scopes.items[scope];
  if (before || !acquires || og_text_is(name, "workgroup") || og_text_is(name, "workgroup-one-as"))
    return;
  if (cc_has_row(c, OG_ROW_BUFFER_GL0_INV)) {
    cc_emit(c, OG_ROW_BUFFER_GL0_INV, 0, 0, NULL);
    cc_emit(c, OG_ROW_BUFFER_GL1_INV, 0, 0, NULL);
  } else if (cc_has_row(c, OG_ROW_BUFFER_WBINVL1_VOL)) {
    cc_emit(c, OG_ROW_BUFFER_WBINVL1_VOL, 0, 0, NULL);
  }
}

static bool atomic(struct cc_function *c, uint32_t record) {
  const struct og_ir_inst *i = &c->f->insts.items[record];
  struct og_ir_memory memory = og_ir_memory(i->extra);
  og_ir_ref pointer = og_ir_operand(c->f, i, 0), value = og_ir_operand(c->f, i, 1);
  og_ir_type type = cc_type_of(c, value);
  unsigned bits = cc_bits(c->m, type), dwords = bits / 32;
  struct address a;
  bool swap_if = i->opcode == OG_IR_CMPXCHG, returns = is_used(c, record);
  if (space_of(c, pointer) == PRIVATE)
    return cc_refuse(c, "an atomic operation on private memory");
  if (bits != 32 && bits != 64)
    return cc_refuse(c, "an atomic operation on %u bits", bits);
  if (!swap_if && !atomics[memory.operation][0][0])
    return cc_refuse(c, "this atomic operation on floats");
  cc_fence(c, memory.ordering, memory.scope, true);
  if (!address(c, pointer, false, &a))
    return false;
  operand to = cc_temp(c, CC_V, dwords), data[4];
  unsigned count = 0;
  struct cc_inst *inst;
  if (swap_if) { /* compared with the first, replaced by the second */
    og_ir_ref next = og_ir_operand(c->f, i, 2);
    returns = true;
    if (a.space == LDS) {
      operand old = dwords == 2 ? cc_pair(c, value, 0, CC_V) : cc_in_vector(c, cc_part(c, value, 0));
      operand new = dwords == 2 ? cc_pair(c, next, 0, CC_V) : cc_in_vector(c, cc_part(c, next, 0));
      inst = cc_emit(c, dwords == 2 ? OG_ROW_DS_CMPST_RTN_B64 : OG_ROW_DS_CMPST_RTN_B32, 1, 4, (operand[]){to, a.at[0], old, new});
      if (c->isa->gfx11)
        return cc_refuse(c, "compare-and-swap in LDS on this processor");
    } else {
      for (unsigned k = 0; k < dwords; k++)
        data[count++] = cc_part(c, next, k);
      for (unsigned k = 0; k < dwords; k++)
        data[count++] = cc_part(c, value, k);
      operand both = cc_tuple(c, data, count, CC_V);
      unsigned row = a.space == FLAT ? (dwords == 2 ? OG_ROW_FLAT_ATOMIC_CMPSWAP_X2 : OG_ROW_FLAT_ATOMIC_CMPSWAP)
                                     : (dwords == 2 ? OG_ROW_GLOBAL_ATOMIC_CMPSWAP_X2 : OG_ROW_GLOBAL_ATOMIC_CMPSWAP);
      inst = cc_emit(c, row, 1, 2 + a.operands, (operand[]){to, a.at[0], both, a.at[1]});
    }
  } else {
    operand o = dwords == 2 ? cc_pair(c, value, 0, CC_V) : cc_in_vector(c, cc_part(c, value, 0));
    const uint16_t *row = atomics[memory.operation][dwords - 1];
    returns |= a.space == LDS && memory.operation == OG_IR_XCHG;
    operand list[4] = {to, a.at[0], o, a.at[1]};
    inst = cc_emit(c, row[a.space == LDS ? 2u + returns : a.space], returns, (unsigned)returns + 1 + a.operands,
                   returns ? list : list + 1);
  }
  inst->offset = (int32_t)a.offset;
  if (a.space != LDS && returns)
    inst->policy = OG_CPOL_GLC;
  cc_fence(c, memory.ordering, memory.scope, false);
  if (!returns)
    return true;
  operand out[3] = {cc_part_of(to, 0, 1), cc_part_of(to, 1, 1)};
  if (swap_if) {
    operand m = dwords == 2 ? cc_compare(c, OG_ROW_V_CMP_EQ_U64, to, cc_pair(c, value, 0, CC_V))
                            : cc_compare(c, OG_ROW_V_CMP_EQ_U32, cc_part(c, value, 0), to);
    out[dwords] = cc_choose(c, m, cc_constant(1), cc_constant(0));
  }
  cc_define(c, record, out, dwords + swap_if);
  return true;
}

/* Private memory: the next bytes of each lane's scratch. */
static bool reserve(struct cc_function *c, uint32_t record) {
  const struct og_ir_inst *i = &c->f->insts.items[record];
  uint64_t count = 1;
  if (!cc_has_row(c, OG_ROW_SCRATCH_LOAD_DWORD) || c->state.inputs[OG_INPUT_SCRATCH_WAVE_OFFSET].file != OG_FILE_SGPR ||
      c->isa->gfx10)
    return cc_refuse(c, "alloca: private memory of %s", c->target->processor->name);
  if (i->block != 0 || (i->operands && !cc_is_number(c, og_ir_operand(c->f, i, 0), &count)))
    return cc_refuse(c, "an alloca of a size that only running tells, or not in the first block");
  uint64_t align = OG_MAX(i->sub ? UINT64_C(1) << (i->sub - 1) : 1, 4u), at = og_align_up(c->scratch_size, align);
  uint64_t size = cc_size_of(c->m, i->extra) * count;
  if (count > 65536 || at + size > 65536)
    return cc_refuse(c, "more than 64 KiB of private memory");
  c->scratch_size = (uint32_t)og_align_up(at + size, 4);
  operand o = cc_constant((uint32_t)at);
  cc_define(c, record, &o, 1);
  return true;
}

bool cc_select_memory(struct cc_function *c, uint32_t record) {
  const struct og_ir_inst *i = &c->f->insts.items[record];
  struct og_ir_memory memory = og_ir_memory(i->extra);
  bool is_atomic = i->flags & OG_IR_F_ATOMIC, ok;
  switch (i->opcode) {
  case OG_IR_LOAD:
    if (is_atomic && memory.ordering == OG_IR_SEQ_CST)
      cc_fence(c, OG_IR_SEQ_CST, memory.scope, true);
    ok = load(c, record);
    if (is_atomic)
      cc_fence(c, memory.ordering, memory.scope, false);
    return ok;
  case OG_IR_STORE:
    if (is_atomic)
      cc_fence(c, memory.ordering, memory.scope, true);
    ok = store(c, record);
    return ok;
  case OG_IR_FENCE:
    cc_fence(c, memory.ordering, memory.scope, true);
    cc_fence(c, memory.ordering, memory.scope, false);
    return true;
  case OG_IR_ATOMICRMW: case OG_IR_CMPXCHG: return atomic(c, record);
  default: return reserve(c, record);
  }
}
