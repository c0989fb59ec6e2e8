/* select_memory.c - loads, stores and private memory. */
#include "cc/address.h"
#include "cc/memory_model.h"

const uint16_t cc_memory_rows[5][2][6] = {
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
    {{OG_ROW_BUFFER_LOAD_UBYTE, OG_ROW_BUFFER_LOAD_USHORT, OG_ROW_BUFFER_LOAD_DWORD, OG_ROW_BUFFER_LOAD_DWORDX2,
      OG_ROW_BUFFER_LOAD_DWORDX3, OG_ROW_BUFFER_LOAD_DWORDX4},
     {OG_ROW_BUFFER_STORE_BYTE, OG_ROW_BUFFER_STORE_SHORT, OG_ROW_BUFFER_STORE_DWORD, OG_ROW_BUFFER_STORE_DWORDX2,
      OG_ROW_BUFFER_STORE_DWORDX3, OG_ROW_BUFFER_STORE_DWORDX4}},
};
unsigned cc_rows_of(const struct cc_address *a) {
  return a->space == LDS ? 2 : a->by_buffer ? 4 : a->space == PRIVATE ? 3 : a->space;
}
/* Stores of the low bits of a register's upper half: bytes, shorts. */
static const uint16_t upper_stores[5][2] = {{OG_ROW_FLAT_STORE_BYTE_D16_HI, OG_ROW_FLAT_STORE_SHORT_D16_HI},
                                            {OG_ROW_GLOBAL_STORE_BYTE_D16_HI, OG_ROW_GLOBAL_STORE_SHORT_D16_HI},
                                            {OG_ROW_DS_WRITE_B8_D16_HI, OG_ROW_DS_WRITE_B16_D16_HI},
                                            {OG_ROW_SCRATCH_STORE_BYTE_D16_HI, OG_ROW_SCRATCH_STORE_SHORT_D16_HI},
                                            {OG_ROW_BUFFER_STORE_BYTE_D16_HI, OG_ROW_BUFFER_STORE_SHORT_D16_HI}};
static const uint8_t sizes[6] = {1, 2, 4, 8, 12, 16};

/* From gfx9 on dwords may stand at any address, since HSA sets the hardware so (SH_MEM_CONFIG.alignment_mode; AMDGPU
 * backend guide, feature unaligned-access-mode). In LDS larger accesses must be aligned, and private memory has no
 * larger ones. On gfx10.1 flat instructions of several dwords fail in LDS in WGP mode if they are not aligned (feature
 * lds-misaligned-bug). */
static bool is_aligned(const struct cc_function *c, const struct cc_address *a, unsigned size, uint64_t align) {
  bool is_whole = size <= align, is_gfx10_1 = c->isa->generation >= OG_GFX10_1 && c->isa->generation < OG_GFX10_3;
  if (a->space == LDS || (a->space == FLAT && is_gfx10_1))
    return is_whole || (size == 4 && c->isa->generation >= OG_GFX900);
  return is_whole || align >= 4 || c->isa->generation >= OG_GFX900;
}

/* The largest access that is possible at this place. */
static unsigned piece(struct cc_function *c, const struct cc_address *a, uint64_t left, uint64_t align) {
  unsigned k = 5;
  while (k > 0 && (sizes[k] > left || !cc_has_row(c, cc_memory_rows[cc_rows_of(a)][0][k]) ||
                   (sizes[k] == 12 && c->isa->generation < OG_GFX7) || !is_aligned(c, a, sizes[k], align) ||
                   (a->space == LDS && sizes[k] == 12) || (a->space == PRIVATE && sizes[k] > 4)))
    k--;
  return k;
}

static uint64_t alignment(const struct cc_function *c, const struct og_ir_inst *i, og_ir_type type) {
  return i->sub ? UINT64_C(1) << (i->sub - 1) : cc_align_of(c->m, type);
}

operand cc_element_of(struct cc_function *c, unsigned file, const operand *dwords, uint64_t at) {
  operand o = dwords[at / 32];
  return at % 32 ? cc_shift_out(c, file, OG_IR_LSHR, o, (uint32_t)(at % 32)) : o;
}

bool cc_are_halves(const struct cc_function *c, operand low, operand high) {
  if (low.kind != CC_REG || high.kind != CC_REG || low.flags || high.flags || high.sub)
    return false;
  const struct cc_reg *r = &c->regs.items[high.value];
  return r->of == low.value && r->of_sub == low.sub && r->of_bit == 16;
}

bool cc_unpack(struct cc_function *c, uint32_t record, unsigned file, const operand *dwords) {
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
    out[k] = bits < 32 && bits ? cc_element_of(c, file, dwords, (uint64_t)k * bits) : dwords[k];
  cc_define(c, record, out, count);
  return true;
}

static bool is_plain(struct cc_function *c, og_ir_type type) {
  uint8_t kind = og_ir_kind(c->m, og_ir_scalar(c->m, type));
  unsigned bits = cc_bits(c->m, og_ir_scalar(c->m, type));
  return kind >= OG_IR_HALF && kind != OG_IR_ARRAY && kind != OG_IR_STRUCT && bits <= 128 &&
         (bits % 32 == 0 || bits == 8 || bits == 16 || bits == 1) && cc_store_size(c->m, type) <= 256;
}

/* A volatile access is ordered for the whole system. Private memory needs no policy. */
static uint8_t policy(const struct cc_function *c, const struct og_ir_inst *i, const struct cc_address *a,
                      enum cc_access access) {
  if (a->space == LDS || a->space == PRIVATE || !(i->flags & (OG_IR_F_ATOMIC | OG_IR_F_VOLATILE)))
    return 0;
  return i->flags & OG_IR_F_VOLATILE ? cc_volatile_policy(c, access)
                                     : cc_policy(c, access, og_ir_memory(i->extra).scope);
}

/* Before gfx9 flat instructions have no offset: it is added to the address. Returns the instruction's offset. */
static int64_t further(struct cc_function *c, const struct cc_address *a, int64_t offset, operand *address) {
  if (a->space != FLAT || c->isa->generation >= OG_GFX900 || !offset)
    return offset;
  operand parts[2] = {cc_part_of(a->at[0], 0, 1), cc_part_of(a->at[0], 1, 1)};
  *address = cc_add64(c, CC_V, parts,
                      (operand[]){cc_constant((uint32_t)offset), cc_constant(offset < 0 ? UINT32_MAX : 0)}, false);
  return 0;
}

static bool load(struct cc_function *c, uint32_t record) {
  const struct og_ir_inst *i = &c->f->insts.items[record];
  og_ir_ref pointer = og_ir_operand(c->f, i, 0);
  struct cc_address a;
  if (!is_plain(c, i->type))
    return false;
  uint64_t size = cc_store_size(c->m, i->type), align = alignment(c, i, i->type), at = 0;
  uint32_t dwords = (uint32_t)(size + 3) / 4;
  bool scalar = c->values[record].place == CC_SCALAR;
  operand raw[66];
  if (!cc_address(c, pointer, scalar, &a))
    return false;
  int64_t place;
  if (scalar && size < 4 && a.offset % 4 && cc_is_argument(c, pointer, &place)) { /* a part of an aligned dword */
    operand to = cc_temp(c, CC_S, 1);
    cc_emit(c, OG_ROW_S_LOAD_DWORD, 1, 2, (operand[]){to, a.at[0]})->offset = (int32_t)(a.offset & ~3);
    raw[0] = cc_shift(c, CC_S, OG_IR_LSHR, to, cc_constant(8 * (uint32_t)(a.offset % 4)));
    return cc_unpack(c, record, CC_S, raw);
  }
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
    return cc_unpack(c, record, CC_S, raw);
  }
  while (at < size) {
    unsigned k = piece(c, &a, size - at, align);
    operand to = cc_temp(c, CC_V, (sizes[k] + 3) / 4), list[4] = {to, a.at[0], a.at[1], a.at[2]};
    int64_t offset = further(c, &a, a.offset + (int64_t)at, &list[1]);
    struct cc_inst *inst = cc_emit(c, cc_memory_rows[cc_rows_of(&a)][0][k], 1, 1 + a.operands, list);
    inst->offset = (int32_t)offset;
    inst->policy = policy(c, i, &a, CC_LOADS);
    inst->keep = i->flags & (OG_IR_F_ATOMIC | OG_IR_F_VOLATILE);
    if (sizes[k] < 4) {
      cc_narrow(c, to, 8 * sizes[k]);
      raw[at / 4] = at % 4 ? VALU(c, V_OR_B32, 1, cc_shift(c, CC_V, OG_IR_SHL, to, cc_constant(8 * (uint32_t)(at % 4))),
                                  raw[at / 4])
                           : to;
    } else {
      for (unsigned p = 0; p < sizes[k] / 4u; p++)
        raw[at / 4 + p] = cc_part_of(to, p, 1);
    }
    at += sizes[k];
  }
  return cc_unpack(c, record, CC_V, raw);
}

void cc_pack(struct cc_function *c, og_ir_ref value, og_ir_type type, operand *raw) {
  unsigned bits = cc_bits(c->m, og_ir_scalar(c->m, type));
  uint32_t count = cc_parts(c->m, type);
  if (bits >= 32 || count == 1) {
    for (uint32_t k = 0; k < count; k++)
      raw[k] = bits == 1 ? cc_bool_vector(c, value) : cc_part(c, value, k);
    return;
  }
  for (uint32_t k = 0; k < count; k++) {
    uint32_t at = k * bits;
    operand o = cc_part(c, value, k), bytes[4];
    if (bits == 8 && cc_has_row(c, OG_ROW_V_PERM_B32)) {
      unsigned taken = 0;
      while (taken < OG_COUNT(bytes) && k + taken < count)
        bytes[taken] = cc_part(c, value, k + taken), taken++;
      raw[k / 4] = cc_pack_bytes(c, bytes, taken), k += taken - 1;
      continue;
    }
    if (bits == 16 && k % 2 == 0 && k + 1 < count) {
      raw[k / 2] = cc_pack_halves(c, o, cc_part(c, value, k + 1)), k++;
      continue;
    }
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
  struct cc_address a;
  operand raw[66];
  if (!is_plain(c, type) || (cc_bits(c->m, og_ir_scalar(c->m, type)) == 1 && og_ir_is_vector(c->m, type)))
    return false;
  if (!cc_address(c, pointer, false, &a))
    return false;
  uint64_t size = cc_store_size(c->m, type), align = alignment(c, i, type), at = 0;
  cc_pack(c, value, type, raw);
  while (at < size) {
    unsigned k = piece(c, &a, size - at, align), count = (sizes[k] + 3) / 4;
    operand data = cc_tuple(c, raw + at / 4, count, CC_V);
    if (at % 4)
      data = cc_in_vector(c, cc_shift(c, CC_V, OG_IR_LSHR, data, cc_constant(8 * (uint32_t)(at % 4))));
    unsigned row = cc_memory_rows[cc_rows_of(&a)][1][k], bit = 0;
    operand home = k < 2 ? cc_home(c, data, &bit) : data;
    if (bit == 16 && cc_is_vector(c, home) && cc_has_row(c, upper_stores[cc_rows_of(&a)][k]))
      row = upper_stores[cc_rows_of(&a)][k], data = home;
    operand list[4] = {a.at[0], data, a.at[1], a.at[2]};
    if (a.by_buffer || (a.space == PRIVATE && a.no_vector)) /* here the data come first */
      list[0] = data, list[1] = a.at[0], list[2] = a.at[1], list[3] = a.at[2];
    int64_t offset = further(c, &a, a.offset + (int64_t)at, &list[0]);
    struct cc_inst *inst = cc_emit(c, row, 0, 1 + a.operands, list);
    inst->offset = (int32_t)offset;
    inst->policy = policy(c, i, &a, CC_STORES);
    inst->keep = i->flags & (OG_IR_F_ATOMIC | OG_IR_F_VOLATILE);
    at += sizes[k];
  }
  return true;
}

bool cc_select_memory(struct cc_function *c, uint32_t record) {
  const struct og_ir_inst *i = &c->f->insts.items[record];
  struct og_ir_memory memory = og_ir_memory(i->extra);
  struct cc_ordered ordered = {i->opcode == OG_IR_LOAD ? CC_LOADS : i->opcode == OG_IR_STORE ? CC_STORES : CC_FENCES,
                               (uint8_t)memory.ordering, memory.scope, 0};
  bool is_ordered = i->flags & OG_IR_F_ATOMIC || i->opcode == OG_IR_FENCE, ok = true;
  switch (i->opcode) {
  case OG_IR_LOAD:
  case OG_IR_STORE:
  case OG_IR_FENCE:
    if (i->opcode != OG_IR_FENCE)
      ordered.space = cc_space_of(c, og_ir_operand(c->f, i, i->opcode == OG_IR_STORE));
    if (is_ordered)
      cc_order(c, &ordered, true);
    if (i->opcode != OG_IR_FENCE)
      ok = i->opcode == OG_IR_LOAD ? load(c, record) : store(c, record);
    if (is_ordered)
      cc_order(c, &ordered, false);
    return ok;
  case OG_IR_ATOMICRMW:
  case OG_IR_CMPXCHG: return cc_select_atomic(c, record);
  default: return cc_select_alloca(c, record);
  }
}
