/* buffer.c - memory that a resource describes: loads, stores and atomic operations of buffers, by buffer.def ("Buffer
 * Resource Descriptors" and the raw and struct buffer intrinsics of the AMDGPU backend guide), scalar loads of
 * constants, and resources themselves. An address is a scalar offset, an index and offset of each lane, and a
 * constant. */
#include "cc/buffer.h"

#include "cc/memory_model.h"

enum what { BYTES, WORDS, HALVES, BITS, FLOAT, PAIR, BPAIR };

static const struct row {
  const char *operation;
  uint8_t what, size;
  uint16_t row;
} rows[] = {
#define BUFFER(operation, what, size, row) {operation, what, size, OG_ROW_##row},
#include "cc/buffer.def"
};

/* ---- addresses --------------------------------------------------------------------------------------------------- */

bool cc_scalars(struct cc_function *c, og_ir_ref ref, unsigned count, operand *to) {
  operand parts[8];
  for (unsigned k = 0; k < OG_COUNT(c->resources); k++)
    if (c->resources[k].node == 1 + c->node && c->resources[k].of == ref) {
      *to = c->resources[k].at;
      return true;
    }
  for (unsigned p = 0; p < count; p++) {
    parts[p] = cc_part(c, ref, p);
    if (cc_is_vector(c, parts[p]))
      parts[p] = SALU(c, V_READFIRSTLANE_B32, 1, parts[p]);
  }
  *to = cc_tuple(c, parts, count, CC_S);
  c->resources[c->next_resource++ % OG_COUNT(c->resources)] = (struct cc_resource){1 + c->node, ref, *to};
  return !c->failed;
}

uint32_t cc_constant_argument(struct cc_function *c, const struct og_ir_inst *i, uint32_t argument) {
  uint64_t value = 0;
  if (argument + 1 >= i->operands || !cc_is_number(c->m, og_ir_operand(c->f, i, 1 + argument), &value))
    cc_refuse(c, "argument %u of the intrinsic, which must be a constant", argument + 1);
  return (uint32_t)value;
}

/* Takes constants out of a sum that is an offset, and returns what is left. From gfx1250 on the hardware's sum has more
 * than 32 bits, so only sums that do not wrap. A value that leaves a loop in different rounds is not taken apart, since
 * its operands may have changed since. */
static og_ir_ref take_constants(const struct cc_function *c, og_ir_ref ref, uint32_t *constant) {
  uint64_t value;
  while (og_ir_space(ref) == OG_IR_LOCAL && !c->values[og_ir_index(ref)].leaves) {
    const struct og_ir_inst *i = &c->f->insts.items[og_ir_index(ref)];
    bool adds = i->opcode == OG_IR_ADD && (!c->isa->gfx1250 || i->flags & OG_IR_F_NUW);
    if (!adds || !cc_is_number(c->m, og_ir_operand(c->f, i, 1), &value))
      break;
    *constant += (uint32_t)value;
    ref = og_ir_operand(c->f, i, 0);
  }
  return ref;
}

/* The scalar offset: a register or a small constant; from gfx12 on a register or null. */
static operand scalar_offset(struct cc_function *c, og_ir_ref ref) {
  operand o = cc_part(c, ref, 0);
  if (o.kind == CC_CONST && o.value == 0 && c->isa->gfx12)
    return cc_special(OG_SPECIAL_NULL, 1);
  if (o.kind == CC_CONST && (c->isa->gfx12 || !cc_is_inline(o.value)))
    return cc_kept(c, CC_S, o);
  return cc_is_vector(c, o) ? SALU(c, V_READFIRSTLANE_B32, 1, o) : o;
}

bool cc_buffer_address(struct cc_function *c, const struct cc_buffer_values *v, struct cc_buffer *to) {
  uint32_t constant = v->more, limit = c->isa->gfx12 ? 0x7fffff : 0xfff;
  og_ir_ref base = v->whole ? v->offset : take_constants(c, v->offset, &constant);
  operand parts[2], offset = cc_part(c, base, 0);
  unsigned count = 0;
  if (offset.kind == CC_CONST && !v->whole)
    constant += offset.value, offset = cc_constant(0);
  uint32_t beyond = constant & ~limit;
  if (v->whole && beyond)
    return cc_refuse(c, "a constant offset of %u, more than the instruction holds", constant);
  if ((int32_t)beyond < 0) /* a negative number goes to the register as a whole */
    beyond = constant;
  if (offset.kind == CC_CONST && !v->whole)
    offset = cc_constant(beyond);
  else if (beyond)
    offset = cc_add(c, CC_V, offset, cc_constant(beyond));
  *to = (struct cc_buffer){.indexed = v->index != OG_IR_NONE, .offset = (int32_t)(constant - beyond)};
  if (to->indexed)
    parts[count++] = cc_part(c, v->index, 0);
  if (offset.kind != CC_CONST || offset.value)
    parts[count++] = offset;
  if (count == 1)
    to->at[to->operands++] = parts[0].flags ? cc_in_vector(c, parts[0]) : cc_kept(c, CC_V, parts[0]);
  else if (count)
    to->at[to->operands++] = cc_tuple(c, parts, 2, CC_V);
  if (!cc_scalars(c, v->resource, 4, &to->at[to->operands++]))
    return false;
  to->at[to->operands++] = scalar_offset(c, v->scalar);
  return !c->failed;
}

struct cc_inst *cc_buffer_emit(struct cc_function *c, unsigned row, unsigned defs, operand data, bool reads_result,
                               const struct cc_buffer *b) {
  operand list[6];
  unsigned count = 0;
  if (data.kind != CC_NONE)
    list[count++] = data;
  for (unsigned k = 0; k < b->operands; k++)
    list[count++] = b->at[k];
  if (reads_result)
    list[count] = data;
  struct cc_inst *inst = cc_emit(c, row, defs, count + reads_result, list);
  inst->tied = reads_result ? (uint8_t)count : 0;
  inst->offset = b->offset;
  if (b->indexed)
    cc_modify(c, inst, OG_MOD_IDXEN, 1);
  return inst;
}

uint8_t cc_auxiliary_policy(struct cc_function *c, uint32_t auxiliary, unsigned access) {
  enum { VOLATILE = 1u << 31 };
  uint32_t bits = OG_CPOL_GLC | OG_CPOL_SLC;
  if (c->isa->gfx12)
    bits = 0x1f | (c->isa->gfx1250 ? OG_CPOL_NV : 0);
  else if (c->isa->gfx10)
    bits |= access == CC_ATOMICS && !c->isa->gfx11 ? 0 : OG_CPOL_DLC;
  else if (c->isa->gfx90a)
    bits |= OG_CPOL_SCC;
  return (uint8_t)((auxiliary & bits) | (auxiliary & VOLATILE ? cc_volatile_policy(c, access) : 0));
}

/* ---- components -------------------------------------------------------------------------------------------------- */

unsigned cc_component_dwords(const struct cc_function *c, uint32_t count, unsigned bits) {
  return bits == 16 && !og_unpacked_d16(c->isa) ? (count + 1) / 2 : count;
}

void cc_components_from(struct cc_function *c, const operand *dwords, uint32_t count, unsigned bits, operand *parts) {
  bool packed = bits == 16 && !og_unpacked_d16(c->isa);
  for (uint32_t k = 0; k < count; k++)
    parts[k] = packed ? cc_element_of(c, CC_V, dwords, 16u * k) : dwords[k];
}

unsigned cc_components_to(struct cc_function *c, og_ir_ref value, uint32_t count, unsigned bits, operand *dwords) {
  bool packed = bits == 16 && !og_unpacked_d16(c->isa);
  for (uint32_t k = 0; k < count; k++) {
    if (!packed)
      dwords[k] = cc_part(c, value, k);
    else if (k % 2 == 0)
      dwords[k / 2] =
          k + 1 < count ? cc_pack_halves(c, cc_part(c, value, k), cc_part(c, value, k + 1)) : cc_part(c, value, k);
  }
  return cc_component_dwords(c, count, bits);
}

operand cc_zeroed(struct cc_function *c, unsigned dwords) {
  operand to = cc_temp(c, CC_V, dwords);
  for (unsigned d = 0; d < dwords; d++)
    cc_move(c, cc_part_of(to, d, 1), cc_constant(0));
  return to;
}

/* ---- accesses by their intrinsics
 * --------------------------------------------------------------------------------- */

struct access {
  uint32_t record;
  const struct og_ir_inst *i;
  struct og_text operation;          /* of buffer.def */
  og_ir_type type;                   /* of the data */
  uint32_t data, auxiliary;          /* arguments before the resource; the last one's number */
  bool stores, atomic, typed, fails; /* fails: one more dword of the result tells whether the data were there */
  struct cc_buffer_values values;
};

static bool begins(struct og_text text, const char *prefix) { return og_text_skip(&text, prefix); }

/* The operation's name, without the prefix and the types; false: it is no buffer intrinsic. */
static bool read_name(struct og_text *name, bool *structured) {
  if (!og_text_skip(name, "llvm.amdgcn."))
    return false;
  *structured = og_text_skip(name, "struct.");
  if (!*structured && !og_text_skip(name, "raw."))
    return false;
  og_text_skip(name, "ptr.");
  return begins(*name, "buffer.") || begins(*name, "tbuffer.") || begins(*name, "atomic.buffer.load");
}

/* Whether a name is that of an operation, with types behind it. */
static bool is_of(struct og_text name, const char *operation) {
  return og_text_skip(&name, operation) && (!name.size || (name.data[0] == '.' && !begins(name, ".format") &&
                                                           !begins(name, ".lds") && !begins(name, ".async")));
}

static uint32_t data_arguments(struct og_text operation) {
  return begins(operation, "buffer.atomic.cmpswap")
             ? 2
             : begins(operation, "buffer.atomic.") || begins(operation, "buffer.store") ||
                   begins(operation, "tbuffer.store");
}

/* Where the resource and the scalar offset stand. */
static uint32_t resource_argument(struct og_text operation) { return data_arguments(operation); }

static uint32_t scalar_argument(struct og_text operation, bool structured) {
  bool to_lds = begins(operation, "buffer.load.lds") || begins(operation, "buffer.load.async.lds");
  return resource_argument(operation) + 2 + structured + 2 * to_lds; /* LDS and the size come before */
}

unsigned cc_buffer_scalar_arguments(struct og_text name, uint32_t arguments[4]) {
  bool structured;
  if (begins(name, "llvm.amdgcn.s.buffer.")) {
    arguments[0] = 0;
    return 1;
  }
  if (!read_name(&name, &structured))
    return 0;
  arguments[0] = resource_argument(name), arguments[1] = scalar_argument(name, structured);
  return 2;
}

static bool read_access(struct cc_function *c, struct access *a, bool structured) {
  uint32_t count = a->i->operands - 1u, at = data_arguments(a->operation);
  a->data = at, a->typed = begins(a->operation, "tbuffer.");
  a->atomic = begins(a->operation, "buffer.atomic.");
  a->stores = at && !a->atomic;
  if (count != at + 4u + structured + a->typed)
    return false;
  a->values = (struct cc_buffer_values){.index = OG_IR_NONE};
  a->values.resource = og_ir_operand(c->f, a->i, 1 + at++);
  if (structured)
    a->values.index = og_ir_operand(c->f, a->i, 1 + at++);
  a->values.offset = og_ir_operand(c->f, a->i, 1 + at++);
  a->values.scalar = og_ir_operand(c->f, a->i, 1 + at);
  a->auxiliary = count - 1;
  a->type = a->data ? cc_type_of(c, og_ir_operand(c->f, a->i, 1)) : a->i->type;
  a->fails = og_ir_kind(c->m, a->type) == OG_IR_STRUCT;
  if (a->fails && og_ir_type_of(c->m, a->type)->parts != 2)
    return false;
  if (a->fails)
    a->type = og_ir_element(c->m, a->type, 0);
  return true;
}

/* Whether a row can move or change data of that type. */
static bool is_right(const struct cc_function *c, const struct row *r, og_ir_type type) {
  og_ir_type scalar = og_ir_scalar(c->m, type);
  unsigned bits = cc_bits(c->m, scalar), kind = og_ir_kind(c->m, scalar);
  uint64_t size = cc_store_size(c->m, type), count = bits ? 8 * size / bits : 0;
  switch (r->what) {
  case WORDS: return bits == 32 && count == r->size;
  case HALVES: return bits == 16 && count == r->size;
  case FLOAT: return (kind == OG_IR_FLOAT || kind == OG_IR_DOUBLE) && count == 1 && size == r->size;
  case PAIR: return kind == OG_IR_HALF && count == 2;
  case BPAIR: return kind == OG_IR_BFLOAT && count == 2;
  case BITS: return count == 1 && size == r->size;
  default: return size == r->size && bits && bits % 8 == 0;
  }
}

static const struct row *find(const struct cc_function *c, struct og_text operation, og_ir_type type) {
  for (unsigned k = 0; k < OG_COUNT(rows); k++)
    if (is_of(operation, rows[k].operation) && is_right(c, &rows[k], type) && cc_has_row(c, rows[k].row))
      return &rows[k];
  return NULL;
}

/* ---- accesses ---------------------------------------------------------------------------------------------------- */

static struct cc_inst *finish(struct cc_function *c, struct cc_inst *inst, const struct access *a,
                              enum cc_access access) {
  enum { FORMAT_BEHIND = 1 };
  uint32_t auxiliary = cc_constant_argument(c, a->i, a->auxiliary);
  inst->policy = cc_auxiliary_policy(c, auxiliary, access);
  inst->keep = auxiliary >> 31 || access != CC_LOADS || begins(a->operation, "atomic.");
  if (a->typed)
    cc_modify(c, inst, OG_MOD_FORMAT, (int32_t)cc_constant_argument(c, a->i, a->auxiliary - FORMAT_BEHIND));
  return inst;
}

/* The dwords of a value whose type fills dwords. */
static uint32_t spread(struct cc_function *c, const struct row *r, og_ir_type type, const operand *dwords,
                       operand *parts) {
  unsigned bits = cc_bits(c->m, og_ir_scalar(c->m, type));
  uint32_t count = cc_parts(c->m, type);
  if (r->what != BYTES) {
    cc_components_from(c, dwords, count, bits, parts);
    return count;
  }
  for (uint32_t k = 0; k < count; k++)
    parts[k] = bits < 32 ? cc_element_of(c, CC_V, dwords, (uint64_t)k * bits) : dwords[k];
  return count;
}

/* gfx6 has no loads of three dwords: it loads four. */
static unsigned loaded_row(const struct cc_function *c, const struct row *r, unsigned *dwords) {
  static const uint16_t wider[][2] = {{OG_ROW_BUFFER_LOAD_DWORDX3, OG_ROW_BUFFER_LOAD_DWORDX4},
                                      {OG_ROW_BUFFER_LOAD_FORMAT_XYZ, OG_ROW_BUFFER_LOAD_FORMAT_XYZW},
                                      {OG_ROW_TBUFFER_LOAD_FORMAT_XYZ, OG_ROW_TBUFFER_LOAD_FORMAT_XYZW}};
  for (unsigned k = 0; k < OG_COUNT(wider) && c->isa->generation < OG_GFX7; k++)
    if (wider[k][0] == r->row) {
      *dwords = 4;
      return wider[k][1];
    }
  return r->row;
}

static bool load(struct cc_function *c, const struct access *a, const struct row *r) {
  struct cc_buffer b;
  operand dwords[6], parts[18];
  unsigned bits = cc_bits(c->m, og_ir_scalar(c->m, a->type));
  unsigned count = r->what == BYTES ? (r->size + 3) / 4u : cc_component_dwords(c, r->size, bits),
           row = loaded_row(c, r, &count);
  if (!cc_buffer_address(c, &a->values, &b))
    return false;
  operand to = a->fails ? cc_zeroed(c, count + 1) : cc_temp(c, CC_V, count);
  finish(c, cc_buffer_emit(c, row, 1, to, a->fails, &b), a, CC_LOADS);
  if (r->what == BYTES && r->size < 4 && !a->fails)
    cc_narrow(c, to, 8u * r->size);
  for (unsigned d = 0; d < count + a->fails; d++)
    dwords[d] = cc_part_of(to, d, 1);
  uint32_t made = spread(c, r, a->type, dwords, parts);
  if (a->fails)
    parts[made++] = dwords[count];
  cc_define(c, a->record, parts, made);
  return !c->failed;
}

static bool store(struct cc_function *c, const struct access *a, const struct row *r) {
  struct cc_buffer b;
  operand dwords[16];
  og_ir_ref value = og_ir_operand(c->f, a->i, 1);
  unsigned bits = cc_bits(c->m, og_ir_scalar(c->m, a->type));
  unsigned count = r->what == BYTES ? (r->size + 3) / 4u : cc_components_to(c, value, r->size, bits, dwords);
  if (r->what == BYTES)
    cc_pack(c, value, a->type, dwords);
  operand data = cc_tuple(c, dwords, count, CC_V);
  if (!cc_buffer_address(c, &a->values, &b))
    return false;
  finish(c, cc_buffer_emit(c, r->row, 0, data, false, &b), a, CC_STORES);
  return !c->failed;
}

/* The old value comes back in the register of the data; of a comparison in the first of them, which had the new
 * value. */
static bool change(struct cc_function *c, const struct access *a, const struct row *r) {
  struct cc_buffer b;
  operand dwords[4], parts[4];
  unsigned each = r->size / 4u, count = 0;
  bool returns = c->used[a->record];
  for (uint32_t k = 0; k < a->data; k++, count += each)
    cc_pack(c, og_ir_operand(c->f, a->i, 1 + k), a->type, dwords + count);
  if (!cc_buffer_address(c, &a->values, &b))
    return false;
  operand data = cc_tuple(c, dwords, count, CC_V);
  if (returns) {
    operand to = cc_temp(c, CC_V, count);
    for (unsigned d = 0; d < count; d++)
      cc_move(c, cc_part_of(to, d, 1), cc_part_of(data, d, 1));
    data = to;
  }
  struct cc_inst *inst = finish(c, cc_buffer_emit(c, r->row, returns, data, returns, &b), a, CC_ATOMICS);
  inst->policy = (uint8_t)((inst->policy & ~OG_CPOL_GLC) | (returns ? OG_CPOL_GLC : 0));
  if (!returns)
    return true;
  for (unsigned d = 0; d < each; d++)
    dwords[d] = cc_part_of(data, d, 1);
  const struct row bytes = {.what = BYTES};
  cc_define(c, a->record, parts, spread(c, &bytes, a->type, dwords, parts));
  return true;
}

/* ---- scalar loads and resources ---------------------------------------------------------------------------------- */

static const struct {
  uint8_t dwords;
  uint16_t row;
} scalar_rows[] = {{16, OG_ROW_S_BUFFER_LOAD_DWORDX16}, {8, OG_ROW_S_BUFFER_LOAD_DWORDX8},
                   {4, OG_ROW_S_BUFFER_LOAD_DWORDX4},   {3, OG_ROW_S_BUFFER_LOAD_B96},
                   {2, OG_ROW_S_BUFFER_LOAD_DWORDX2},   {1, OG_ROW_S_BUFFER_LOAD_DWORD}};

/* The smallest load of at least so many dwords. */
static unsigned scalar_row(const struct cc_function *c, unsigned dwords, unsigned *loaded) {
  unsigned best = 0;
  for (unsigned k = 0; k < OG_COUNT(scalar_rows); k++)
    if (scalar_rows[k].dwords >= dwords && cc_has_row(c, scalar_rows[k].row))
      best = scalar_rows[k].row, *loaded = scalar_rows[k].dwords;
  return best;
}

/* A load of one byte or half, or of up to 16 dwords. */
static bool loads_constants(const struct cc_function *c, const struct og_ir_inst *i) {
  unsigned bits = cc_bits(c->m, og_ir_scalar(c->m, i->type));
  uint64_t size = bits ? cc_store_size(c->m, i->type) : 0;
  return i->operands == 4 && size && size <= 64 && (size < 3 || size % 4 == 0) && bits % 8 == 0;
}

/* A load from a constant buffer, which nothing writes: by scalar memory instructions if all operands are scalar. */
static bool scalar_load(struct cc_function *c, uint32_t record) {
  const struct og_ir_inst *i = &c->f->insts.items[record];
  uint64_t size = cc_store_size(c->m, i->type);
  unsigned dwords = (unsigned)(size + 3) / 4, loaded = 1, row = scalar_row(c, dwords, &loaded), count = 2;
  operand offset = cc_part(c, og_ir_operand(c->f, i, 2), 0), list[3], raw[16];
  uint32_t limit = c->isa->gfx12 ? 0x7fffff : c->isa->generation >= OG_GFX8 ? 0xfffff : 0x3fc;
  if (!row || dwords > OG_COUNT(raw))
    return false;
  if (size < 4)
    row = size == 1 ? OG_ROW_S_BUFFER_LOAD_U8 : OG_ROW_S_BUFFER_LOAD_U16;
  list[0] = cc_temp(c, CC_S, loaded);
  if (!cc_scalars(c, og_ir_operand(c->f, i, 1), 4, &list[1]))
    return false;
  bool said = offset.kind == CC_CONST && offset.value <= limit;
  if (!said)
    list[count++] = offset.kind == CC_CONST ? SALU(c, S_MOV_B32, 1, offset) : offset;
  struct cc_inst *inst = cc_emit(c, row, 1, count, list);
  inst->offset = said ? (int32_t)offset.value : 0;
  inst->policy = cc_auxiliary_policy(c, cc_constant_argument(c, i, 2), CC_LOADS);
  for (unsigned d = 0; d < dwords; d++)
    raw[d] = cc_part_of(list[0], d, 1);
  return cc_unpack(c, record, CC_S, raw);
}

/* The same by buffer instructions of up to four dwords each. */
static bool load_constants(struct cc_function *c, uint32_t record) {
  const struct og_ir_inst *i = &c->f->insts.items[record];
  uint64_t size = cc_store_size(c->m, i->type);
  operand raw[16];
  struct cc_buffer b;
  struct cc_buffer_values values = {.resource = og_ir_operand(c->f, i, 1),
                                    .index = OG_IR_NONE,
                                    .offset = og_ir_operand(c->f, i, 2),
                                    .scalar = og_ir_number(c->m, og_ir_integer(c->m, 32), 0)};
  if (size > sizeof raw / sizeof *raw * 4)
    return false;
  for (uint64_t at = 0; at < size;) {
    unsigned some = (unsigned)OG_MIN(size - at, 16u), filled = (some + 3) / 4;
    unsigned k = 0;
    while (k + 1 < OG_COUNT(rows) && rows[k].size != some) /* the first are those of loads by bytes */
      k++;
    values.more = (uint32_t)at;
    if (!cc_buffer_address(c, &values, &b))
      return false;
    unsigned row = loaded_row(c, &rows[k], &filled);
    operand to = cc_temp(c, CC_V, filled);
    struct cc_inst *inst = cc_buffer_emit(c, row, 1, to, false, &b);
    inst->policy = cc_auxiliary_policy(c, cc_constant_argument(c, i, 2), CC_LOADS);
    for (unsigned d = 0; d < (some + 3) / 4; d++)
      raw[at / 4 + d] = cc_part_of(to, d, 1);
    at += some;
  }
  return cc_unpack(c, record, CC_V, raw);
}

/* The length is a constant of five bits, or in a register. */
static bool prefetch(struct cc_function *c, uint32_t record) {
  const struct og_ir_inst *i = &c->f->insts.items[record];
  operand list[3], length = cc_part(c, og_ir_operand(c->f, i, 3), 0);
  if (!cc_has_row(c, OG_ROW_S_BUFFER_PREFETCH_DATA) || !cc_scalars(c, og_ir_operand(c->f, i, 1), 4, &list[0]))
    return false;
  bool said = length.kind == CC_CONST;
  if (cc_is_vector(c, length))
    length = SALU(c, V_READFIRSTLANE_B32, 1, length);
  list[1] = said ? cc_special(OG_SPECIAL_NULL, 1) : length;
  list[2] = cc_constant(said ? length.value & 31 : 0);
  struct cc_inst *inst = cc_emit(c, OG_ROW_S_BUFFER_PREFETCH_DATA, 0, 3, list);
  inst->offset = (int32_t)cc_constant_argument(c, i, 1), inst->keep = true;
  return !c->failed;
}

/* A resource is made of a pointer, a stride, a size and flags: 48 bits of the pointer, 16 of the stride, 32 each of the
 * others; from gfx1250 on 57 bits of the pointer, 45 of the size, 14 of the stride, and the flags in the highest
 * four. */
static bool make_resource(struct cc_function *c, uint32_t record) {
  const struct og_ir_inst *i = &c->f->insts.items[record];
  unsigned file = cc_file(c, record);
  og_ir_ref pointer = og_ir_operand(c->f, i, 1), size = og_ir_operand(c->f, i, 3);
  if (cc_count(c, pointer) != 2)
    return cc_refuse(c, "a resource of a pointer of 32 bits");
  operand stride = cc_extend(c, file, cc_part(c, og_ir_operand(c->f, i, 2), 0), 16, false),
          flags = cc_part(c, og_ir_operand(c->f, i, 4), 0);
  operand low = cc_part(c, pointer, 0), high = cc_part(c, pointer, 1), records = cc_part(c, size, 0), parts[4];
  operand more = cc_count(c, size) > 1 ? cc_part(c, size, 1) : cc_constant(0);
#define SHIFT(what, value, by) cc_shift(c, file, OG_IR_##what, value, cc_constant(by))
#define OR(a, b) ALU(c, file, S_OR_B32, V_OR_B32, a, b)
  parts[0] = low;
  if (c->isa->gfx1250) {
    parts[1] = OR(SHIFT(SHL, records, 25), high);
    parts[2] = OR(SHIFT(SHL, more, 25), SHIFT(LSHR, records, 7));
    parts[3] = OR(SHIFT(LSHR, more, 7), OR(SHIFT(SHL, stride, 12), SHIFT(SHL, flags, 28)));
  } else {
    operand base = ALU(c, file, S_AND_B32, V_AND_B32, cc_constant(0xffff), high);
    parts[1] = stride.kind == CC_CONST && !stride.value ? base : OR(SHIFT(SHL, stride, 16), base);
    parts[2] = records, parts[3] = flags;
  }
#undef SHIFT
#undef OR
  cc_define(c, record, parts, 4);
  return !c->failed;
}

bool cc_follows_arguments(const struct cc_function *c, const struct og_ir_inst *call) {
  struct og_text name = cc_called(c, call);
  if (begins(name, "llvm.amdgcn.make.buffer.rsrc."))
    return true;
  return begins(name, "llvm.amdgcn.s.buffer.load.") && (cc_store_size(c->m, call->type) >= 4 || c->isa->gfx12);
}

bool cc_select_buffer(struct cc_function *c, uint32_t record, struct og_text name) {
  struct access a = {.record = record, .i = &c->f->insts.items[record]};
  bool structured;
  if (begins(name, "llvm.amdgcn.make.buffer.rsrc."))
    return a.i->operands == 5 && make_resource(c, record);
  if (begins(name, "llvm.amdgcn.s.buffer.load."))
    return loads_constants(c, a.i) && (cc_file(c, record) == CC_S ? scalar_load(c, record) : load_constants(c, record));
  if (begins(name, "llvm.amdgcn.s.buffer.prefetch.data"))
    return a.i->operands == 4 && prefetch(c, record);
  if (!read_name(&name, &structured))
    return false;
  a.operation = name;
  if (!read_access(c, &a, structured))
    return false;
  const struct row *r = find(c, name, a.type);
  if (!r)
    return false;
  return a.atomic ? change(c, &a, r) : a.stores ? store(c, &a, r) : load(c, &a, r);
}
