/* bitcode_function.c - functions' bodies in bitcode. */
#include "ir/bitcode.h"
#include "ir/words.h"

#include <string.h>

enum { CONSTANTS = 11, VALUE_NAMES = 14, METADATA = 15, ATTACHMENTS = 16 };

/* The record that is being read, and how far. */
struct reading {
  struct og_bc *b;
  uint32_t at;
  OG_VECTOR(uint32_t) list; /* operands so far */
};

static uint64_t take(struct reading *r) { return og_bc_op(r->b, r->at++); }
static uint32_t left(const struct reading *r) {
  return r->at < r->b->bits.record.count ? r->b->bits.record.count - r->at : 0;
}
static void push(struct reading *r, og_ir_ref ref) { *OG_PUSH(r->b->scratch, &r->list) = ref; }

/* ---- values ---- */

bool og_bc_value(struct og_bc *b, uint64_t number, og_ir_ref *ref) {
  if (number >= b->values.count) {
    if (number >= 1 << 26)
      return og_bc_fail(b, "Invalid value reference");
    *ref = OG_BC_FORWARD | (uint32_t)number;
    return true;
  }
  *ref = b->values.items[number];
  return *ref != OG_IR_NONE || og_bc_fail(b, "Invalid value reference");
}

/* Numbers count backwards from the next value's. */
static bool relative(struct reading *r, og_ir_ref *ref) {
  uint64_t number = (uint32_t)(r->b->values.count - (uint32_t)take(r));
  return og_bc_value(r->b, number, ref);
}

/* A value whose type is given at its later definition. */
static bool with_type(struct reading *r, og_ir_ref *ref, og_ir_type *type) {
  if (!left(r))
    return og_bc_fail(r->b, "Invalid record: an operand is missing");
  if (!relative(r, ref))
    return false;
  if (og_ir_space(*ref) == OG_IR_LOCAL && *ref & OG_BC_FORWARD)
    return og_bc_type(r->b, take(r), type);
  *type = og_ir_type_of_ref(r->b->m, r->b->f, *ref);
  return true;
}

static bool operand(struct reading *r, og_ir_type *type) {
  og_ir_ref ref = 0;
  if (!with_type(r, &ref, type))
    return false;
  push(r, ref);
  return true;
}

static bool same(struct reading *r) { /* one of a type that is known */
  og_ir_ref ref = 0;
  if (!left(r))
    return og_bc_fail(r->b, "Invalid record: an operand is missing");
  if (!relative(r, &ref))
    return false;
  push(r, ref);
  return true;
}

static bool block(struct reading *r, uint64_t number) {
  if (number >= r->b->f->blocks.count)
    return og_bc_fail(r->b, "Invalid basic block");
  push(r, OG_IR_BLOCK | (uint32_t)number);
  return true;
}

static uint16_t fast_math(uint64_t bits) { /* as bitcode has them: unsafe, nnan, ninf, nsz, arcp, contract, afn,
                                              reassoc */
  static const uint16_t flags[] = {OG_IR_F_FAST, OG_IR_F_NNAN, OG_IR_F_NINF,     OG_IR_F_NSZ,
                                   OG_IR_F_ARCP, OG_IR_F_CONTRACT, OG_IR_F_AFN, OG_IR_F_REASSOC};
  uint16_t result = 0;
  for (unsigned i = 0; i < OG_COUNT(flags); i++)
    result |= bits >> i & 1 ? flags[i] : 0;
  return result;
}

/* ---- making instructions ---- */

static struct og_ir_inst *emit(struct reading *r, uint8_t opcode, og_ir_type type) {
  struct og_bc *b = r->b;
  uint32_t record = og_ir_append(b->m, b->f, b->block, opcode, type, r->list.count);
  struct og_ir_inst *inst = &b->f->insts.items[record];
  if (r->list.count)
    memcpy(b->f->operands.items + inst->first, r->list.items, r->list.count * sizeof(uint32_t));
  if (b->inst_count == b->inst_room) {
    uint32_t room = b->inst_room ? b->inst_room * 2 : 256, *grown = OG_NEW_ARRAY(b->scratch, uint32_t, room);
    if (b->inst_count)
      memcpy(grown, b->inst_numbers, b->inst_count * sizeof *grown);
    b->inst_numbers = grown;
    b->inst_room = room;
  }
  b->inst_numbers[b->inst_count++] = record;
  b->last = record;
  if (type != OG_IR_VOID)
    *OG_PUSH(b->arena, &b->values) = record;
  if (og_ir_is_terminator(opcode))
    b->block++;
  return inst;
}

static bool is_float(struct reading *r, og_ir_type type) {
  return og_ir_is_float(r->b->m, og_ir_scalar(r->b->m, type));
}

static bool binary(struct reading *r) {
  static const uint8_t integers[] = {OG_IR_ADD,  OG_IR_SUB, OG_IR_MUL,  OG_IR_UDIV, OG_IR_SDIV, OG_IR_UREM, OG_IR_SREM,
                                     OG_IR_SHL,  OG_IR_LSHR, OG_IR_ASHR, OG_IR_AND,  OG_IR_OR,   OG_IR_XOR};
  static const uint8_t floats[] = {OG_IR_FADD, OG_IR_FSUB, OG_IR_FMUL, 0, OG_IR_FDIV, 0, OG_IR_FREM};
  og_ir_type type;
  if (!operand(r, &type) || !same(r))
    return false;
  uint64_t number = take(r), bits = take(r);
  bool real = is_float(r, type);
  uint8_t opcode = number < (real ? sizeof floats : sizeof integers) ? (real ? floats : integers)[number] : 0;
  if (!opcode)
    return og_bc_fail(r->b, "Invalid binary operator");
  struct og_ir_inst *inst = emit(r, opcode, type);
  inst->flags = real ? fast_math(bits) : (uint16_t)((bits & 3) << 8) & og_ir_opcodes[opcode].flags;
  return true;
}

static bool cast(struct reading *r) {
  static const uint8_t casts[] = {OG_IR_TRUNC,  OG_IR_ZEXT,    OG_IR_SEXT,  OG_IR_FPTOUI,   OG_IR_FPTOSI,
                                  OG_IR_UITOFP, OG_IR_SITOFP,  OG_IR_FPTRUNC, OG_IR_FPEXT,  OG_IR_PTRTOINT,
                                  OG_IR_INTTOPTR, OG_IR_BITCAST, OG_IR_ADDRSPACECAST, OG_IR_PTRTOADDR};
  og_ir_type from, to;
  if (!operand(r, &from) || !og_bc_type(r->b, take(r), &to))
    return false;
  uint64_t number = take(r), bits = take(r);
  if (number >= sizeof casts)
    return og_bc_fail(r->b, "Invalid cast");
  uint8_t opcode = casts[number];
  struct og_ir_inst *inst = emit(r, opcode, to);
  bool real = opcode == OG_IR_FPTRUNC || opcode == OG_IR_FPEXT || opcode == OG_IR_SITOFP;
  inst->flags = (real ? fast_math(bits) : (uint16_t)((bits & 3) << 8)) & og_ir_opcodes[opcode].flags;
  return true;
}

static bool address(struct reading *r) {
  uint64_t bits = take(r);
  og_ir_type source, type, index;
  if (!og_bc_type(r->b, take(r), &source) || !operand(r, &type))
    return false;
  while (left(r)) {
    if (!operand(r, &index))
      return false;
    if (og_ir_is_vector(r->b->m, index) && !og_ir_is_vector(r->b->m, type))
      type = og_ir_with_scalar(r->b->m, index, type);
  }
  if (!og_ir_is_sized(r->b->m, source))
    return og_bc_fail(r->b, "GEP base pointer is not a vector or a vector of pointers, or its type has no size");
  struct og_ir_inst *inst = emit(r, OG_IR_GETELEMENTPTR, type);
  inst->extra = source;
  inst->flags = (bits & 1 ? OG_IR_F_INBOUNDS | OG_IR_F_NUSW : 0) | (bits & 2 ? OG_IR_F_NUSW : 0) |
                (bits & 4 ? OG_IR_F_NUW : 0);
  return true;
}

static bool value_indices(struct reading *r, bool insert) {
  og_ir_type whole, part;
  if (!operand(r, &whole) || (insert && !operand(r, &part)))
    return false;
  og_ir_type at = whole;
  uint32_t count = left(r), place = og_ir_pool(r->b->m, count + 1);
  r->b->m->pool.items[place] = count;
  for (uint32_t i = 0; i < count; i++) {
    uint64_t index = take(r);
    const struct og_ir_type_record *t = og_ir_type_of(r->b->m, at);
    bool inside = t->kind == OG_IR_STRUCT || (t->kind == OG_IR_ARRAY && index < t->count);
    at = inside && index <= UINT32_MAX ? og_ir_element(r->b->m, at, index) : OG_IR_NONE;
    if (at == OG_IR_NONE)
      return og_bc_fail(r->b, "Invalid type: an index leads out of the aggregate");
    r->b->m->pool.items[place + 1 + i] = (uint32_t)index;
  }
  if (!count || (insert && at != part))
    return og_bc_fail(r->b, "Invalid indices");
  emit(r, insert ? OG_IR_INSERTVALUE : OG_IR_EXTRACTVALUE, insert ? whole : at)->extra = place;
  return true;
}

static bool shuffle(struct reading *r) {
  og_ir_type type, mask_type;
  og_ir_ref mask = 0;
  struct og_ir_module *m = r->b->m;
  if (!operand(r, &type) || !same(r) || !with_type(r, &mask, &mask_type))
    return false;
  const struct og_ir_type_record *t = og_ir_type_of(m, mask_type);
  if (og_ir_space(mask) != OG_IR_CONSTANT || !og_ir_is_vector(m, mask_type) || !og_ir_is_vector(m, type) ||
      t->count > 1 << 16)
    return og_bc_fail(r->b, "Invalid shuffle");
  uint32_t count = (uint32_t)t->count, place = og_ir_pool(m, count + 1);
  const struct og_ir_constant *c = og_ir_constant_of(m, mask);
  m->pool.items[place] = count;
  for (uint32_t i = 0; i < count; i++) {
    const struct og_ir_constant *part = c;
    if (c->kind == OG_IR_C_AGGREGATE || c->kind == OG_IR_C_SPLAT)
      part = og_ir_constant_of(m, m->pool.items[c->first + (c->kind == OG_IR_C_SPLAT ? 0 : i)]);
    bool nothing = part->kind == OG_IR_C_UNDEF || part->kind == OG_IR_C_POISON;
    m->pool.items[place + 1 + i] = nothing ? UINT32_MAX : part->kind == OG_IR_C_NUMBER ? (uint32_t)part->value : 0;
  }
  emit(r, OG_IR_SHUFFLEVECTOR, og_ir_with_scalar(m, mask_type, og_ir_part(m, type, 0)))->extra = place;
  return true;
}

static bool compare(struct reading *r) {
  og_ir_type type;
  if (!operand(r, &type) || !same(r))
    return false;
  uint64_t predicate = take(r), bits = take(r);
  bool real = is_float(r, type);
  if (real ? predicate > 15 : predicate < 32 || predicate > 41)
    return og_bc_fail(r->b, "Invalid predicate");
  og_ir_type result = og_ir_with_scalar(r->b->m, type, og_ir_integer(r->b->m, 1));
  struct og_ir_inst *inst = emit(r, real ? OG_IR_FCMP : OG_IR_ICMP, result);
  inst->sub = (uint8_t)predicate;
  inst->flags = real ? fast_math(bits) : bits & 1 ? OG_IR_F_SAMESIGN : 0;
  return true;
}

static bool select_one(struct reading *r) {
  og_ir_type type, condition;
  if (!operand(r, &type) || !same(r) || !operand(r, &condition))
    return false;
  uint32_t first = r->list.items[0], second = r->list.items[1], third = r->list.items[2];
  r->list.items[0] = third, r->list.items[1] = first, r->list.items[2] = second;
  uint64_t bits = take(r);
  emit(r, OG_IR_SELECT, type)->flags = fast_math(bits);
  return true;
}

static bool elements(struct reading *r, uint8_t opcode) {
  og_ir_type vector, other;
  if (!operand(r, &vector) || !og_ir_is_vector(r->b->m, vector))
    return og_bc_fail(r->b, "Invalid vector");
  if ((opcode == OG_IR_INSERTELEMENT && !same(r)) || !operand(r, &other))
    return false;
  emit(r, opcode, opcode == OG_IR_INSERTELEMENT ? vector : og_ir_part(r->b->m, vector, 0));
  return true;
}

/* ---- ends of blocks, phi ---- */

static bool branch(struct reading *r) {
  uint64_t taken = take(r);
  if (r->b->bits.record.count == 1)
    return block(r, taken) && (emit(r, OG_IR_BR, OG_IR_VOID), true);
  uint64_t other = take(r);
  if (!same(r) || !block(r, taken) || !block(r, other))
    return false;
  emit(r, OG_IR_BR, OG_IR_VOID);
  return true;
}

static bool switch_to(struct reading *r) {
  og_ir_type type;
  if (!og_bc_type(r->b, take(r), &type) || !same(r) || !block(r, take(r)))
    return false;
  if (left(r) % 2)
    return og_bc_fail(r->b, "Invalid switch");
  while (left(r)) {
    og_ir_ref value = 0;
    if (!og_bc_value(r->b, take(r), &value))
      return false;
    if (og_ir_space(value) != OG_IR_CONSTANT || og_ir_constant_of(r->b->m, value)->type != type)
      return og_bc_fail(r->b, "Invalid switch: a case is no constant of its type");
    push(r, value);
    if (!block(r, take(r)))
      return false;
  }
  emit(r, OG_IR_SWITCH, OG_IR_VOID);
  return true;
}

static bool phi(struct reading *r) {
  og_ir_type type;
  if (!og_bc_type(r->b, take(r), &type))
    return false;
  while (left(r) >= 2) {
    og_ir_ref ref = 0;
    int64_t distance = og_bc_signed(take(r));
    if (!og_bc_value(r->b, (uint32_t)(r->b->values.count - (uint64_t)distance), &ref))
      return false;
    push(r, ref);
    if (!block(r, take(r)))
      return false;
  }
  uint64_t bits = left(r) ? take(r) : 0;
  emit(r, OG_IR_PHI, type)->flags = fast_math(bits);
  return true;
}

/* ---- memory ---- */

static uint16_t scope_of(struct reading *r, uint64_t number) {
  return number < r->b->scopes.count ? (uint16_t)r->b->scopes.items[number] : (uint16_t)(number == 0 ? 0 : 1);
}

static uint8_t ordering_of(uint64_t code) { return code <= OG_IR_SEQ_CST ? (uint8_t)code : OG_IR_SEQ_CST; }
static uint8_t align_of(uint64_t code) { return code <= 33 ? (uint8_t)code : 0; }

static bool alloca_one(struct reading *r) {
  og_ir_type type, count_type;
  og_ir_ref count = 0;
  if (!og_bc_type(r->b, take(r), &type) || !og_bc_type(r->b, take(r), &count_type) ||
      !og_bc_value(r->b, take(r), &count))
    return false;
  uint64_t flags = take(r);
  if (!(flags & 64) || flags & 32 || flags & 128)
    return og_bc_fail(r->b, "alloca of this kind is not handled");
  if (!og_ir_is_sized(r->b->m, type))
    return og_bc_fail(r->b, "alloca of unsized type");
  uint32_t space = left(r) ? (uint32_t)take(r) & 0xffffff : r->b->alloca_space;
  const struct og_ir_constant *c = og_ir_space(count) == OG_IR_CONSTANT ? og_ir_constant_of(r->b->m, count) : NULL;
  if (!c || c->kind != OG_IR_C_NUMBER || c->value != 1 || og_ir_type_of(r->b->m, c->type)->count != 32)
    push(r, count);
  struct og_ir_inst *inst = emit(r, OG_IR_ALLOCA, og_ir_pointer(r->b->m, space));
  inst->extra = type;
  inst->sub = align_of((flags & 31) | (flags >> 8 & 7) << 5);
  return true;
}

static void set_memory(struct reading *r, struct og_ir_inst *inst, bool atomic) {
  inst->sub = align_of(take(r));
  inst->flags = take(r) ? OG_IR_F_VOLATILE : 0;
  struct og_ir_memory memory = {.scope = 1};
  if (atomic) {
    inst->flags |= OG_IR_F_ATOMIC;
    memory.ordering = ordering_of(take(r));
    memory.scope = scope_of(r, take(r));
  }
  inst->extra = og_ir_pack_memory(memory);
}

static bool load(struct reading *r, bool atomic) {
  og_ir_type pointer, type;
  if (!operand(r, &pointer) || !og_bc_type(r->b, take(r), &type))
    return false;
  if (!og_ir_is_sized(r->b->m, type))
    return og_bc_fail(r->b, "load of unsized type");
  set_memory(r, emit(r, OG_IR_LOAD, type), atomic);
  return true;
}

static bool store(struct reading *r, bool atomic) {
  og_ir_type pointer, type;
  if (!operand(r, &pointer) || !operand(r, &type))
    return false;
  uint32_t where = r->list.items[0];
  r->list.items[0] = r->list.items[1];
  r->list.items[1] = where;
  set_memory(r, emit(r, OG_IR_STORE, OG_IR_VOID), atomic);
  return true;
}

static bool exchange(struct reading *r) {
  og_ir_type pointer, compared;
  if (!operand(r, &pointer) || !operand(r, &compared) || !same(r))
    return false;
  bool is_volatile = take(r);
  struct og_ir_memory memory = {.ordering = ordering_of(take(r))};
  memory.scope = scope_of(r, take(r));
  memory.failure = ordering_of(take(r));
  bool weak = take(r);
  og_ir_type parts[] = {compared, og_ir_integer(r->b->m, 1)};
  struct og_ir_inst *inst = emit(r, OG_IR_CMPXCHG, og_ir_struct(r->b->m, parts, 2, false));
  inst->flags = (is_volatile ? OG_IR_F_VOLATILE : 0) | (weak ? OG_IR_F_WEAK : 0);
  inst->extra = og_ir_pack_memory(memory);
  inst->sub = align_of(take(r));
  return true;
}

static bool modify(struct reading *r, bool typed) {
  og_ir_type pointer, type;
  if (!typed)
    return og_bc_fail(r->b, "atomicrmw of a version before LLVM 13 is not handled");
  if (!operand(r, &pointer) || !operand(r, &type))
    return false;
  uint64_t operation = take(r);
  if (operation >= OG_IR_RMW_OPERATIONS)
    return og_bc_fail(r->b, "Invalid atomicrmw operation");
  struct og_ir_memory memory = {.operation = (uint8_t)operation};
  bool is_volatile = take(r);
  memory.ordering = ordering_of(take(r));
  memory.scope = scope_of(r, take(r));
  struct og_ir_inst *inst = emit(r, OG_IR_ATOMICRMW, type);
  inst->flags = is_volatile ? OG_IR_F_VOLATILE : 0;
  inst->extra = og_ir_pack_memory(memory);
  inst->sub = align_of(take(r));
  return true;
}

static bool fence(struct reading *r) {
  struct og_ir_memory memory = {.ordering = ordering_of(take(r))};
  memory.scope = scope_of(r, take(r));
  emit(r, OG_IR_FENCE, OG_IR_VOID)->extra = og_ir_pack_memory(memory);
  return true;
}

/* ---- calls ---- */

struct bundles {
  OG_VECTOR(uint32_t) tags, refs; /* tag and number of operands; operands */
};

static bool read_bundle(struct reading *r, struct bundles *bundles) {
  uint64_t tag = take(r);
  if (tag >= r->b->tags.count)
    return og_bc_fail(r->b, "Invalid operand bundle");
  uint32_t count = 0;
  for (; left(r); count++) {
    og_ir_type type;
    og_ir_ref ref = 0;
    if (!with_type(r, &ref, &type))
      return false;
    *OG_PUSH(r->b->scratch, &bundles->refs) = ref;
  }
  *OG_PUSH(r->b->scratch, &bundles->tags) = r->b->tags.items[tag];
  *OG_PUSH(r->b->scratch, &bundles->tags) = count;
  return true;
}

static uint32_t take_bundles(struct reading *r, struct bundles *bundles) {
  if (!bundles->tags.count)
    return 0;
  uint32_t place = og_ir_pool(r->b->m, bundles->tags.count + 1);
  r->b->m->pool.items[place] = bundles->tags.count / 2;
  memcpy(r->b->m->pool.items + place + 1, bundles->tags.items, bundles->tags.count * sizeof(uint32_t));
  for (uint32_t i = 0; i < bundles->refs.count; i++)
    push(r, bundles->refs.items[i]);
  bundles->tags.count = bundles->refs.count = 0;
  return place;
}

static bool metadata_values(struct og_bc *b, uint64_t id, struct reading *r, bool *list);

/* A call of llvm.dbg.value or a similar intrinsic, whose arguments are metadata, becomes a debug record. */
static bool debug_call(struct reading *r, struct og_text name, const uint64_t *ids, uint32_t count) {
  const struct og_ir_debug_call *call = og_ir_debug_call(name);
  if (!call || count != call->parts)
    return og_bc_fail(r->b, "debug intrinsic is not handled");
  bool label = call->opcode == OG_IR_DBG_LABEL, list = false, one;
  r->list.count = 0;
  for (uint32_t k = label ? 0 : 1; k < (label ? 1u : count == 6 ? 4u : 3u); k++) {
    uint32_t node;
    if (!og_bc_node(r->b, ids[k], &node))
      return false;
    push(r, OG_IR_METADATA | node);
  }
  if (count == 6) {
    uint32_t node;
    if (!og_bc_node(r->b, ids[5], &node))
      return false;
    r->list.count = 3;
    push(r, OG_IR_METADATA | node);
    if (!metadata_values(r->b, ids[4], r, &one) || r->list.count != 5)
      return og_bc_fail(r->b, "Invalid debug record");
  }
  if (!label && !metadata_values(r->b, ids[0], r, &list))
    return false;
  emit(r, call->opcode, OG_IR_VOID)->flags = list ? OG_IR_DBG_ARG_LIST : 0;
  return true;
}

static bool call(struct reading *r, struct bundles *bundles) {
  struct og_bc *b = r->b;
  uint64_t attributes = take(r), convention = take(r), fast = convention >> 17 & 1 ? take(r) : 0;
  og_ir_type type, pointer, other;
  if (!(convention >> 15 & 1))
    return og_bc_fail(b, "a call without its function's type is not handled");
  if (!og_bc_type(b, take(r), &type) || og_ir_kind(b->m, type) != OG_IR_FUNCTION || !operand(r, &pointer))
    return og_bc_fail(b, "Invalid call");
  const struct og_ir_type_record t = *og_ir_type_of(b->m, type);
  const struct og_ir_global *g = og_ir_global_of(b->m, r->list.items[0]);
  struct og_text name = g ? b->m->names.items[g->name] : (struct og_text){0};
  bool debug = name.size > 9 && memcmp(name.data, "llvm.dbg.", 9) == 0;
  uint64_t ids[8];
  for (uint32_t i = 1; i < t.parts; i++) {
    og_ir_type parameter = og_ir_part(b->m, type, i);
    if (parameter == OG_IR_METADATA_TYPE) {
      uint64_t id = (uint32_t)(b->values.count - (uint32_t)take(r));
      uint32_t node = 0;
      if (i <= OG_COUNT(ids))
        ids[i - 1] = id;
      if (!debug && !og_bc_node(b, id, &node))
        return false;
      push(r, OG_IR_METADATA | node);
    } else if (parameter == OG_IR_LABEL || !same(r)) {
      return og_bc_fail(b, "Invalid call");
    }
  }
  if (debug)
    return debug_call(r, name, ids, OG_MIN(t.parts - 1, (uint32_t)OG_COUNT(ids)));
  uint32_t arguments = t.parts - 1;
  for (; left(r); arguments++)
    if (!t.variadic || !operand(r, &other))
      return og_bc_fail(b, "Invalid call: too many arguments");
  uint32_t bundle_list = take_bundles(r, bundles), list = og_bc_list(b, attributes, arguments);
  uint32_t index = b->f->calls.count;
  const struct og_ir_type_record *p = og_ir_type_of(b->m, pointer);
  *OG_PUSH(b->arena, &b->f->calls) =
      (struct og_ir_call){.function_type = type,
                          .arguments = arguments,
                          .attributes = list,
                          .bundles = bundle_list,
                          .convention = (uint16_t)(convention >> 1 & 1023),
                          .address_space = p->kind == OG_IR_POINTER ? (uint32_t)p->count : 0};
  struct og_ir_inst *inst = emit(r, OG_IR_CALL, og_ir_part(b->m, type, 0));
  inst->extra = index;
  inst->flags = fast_math(fast);
  inst->sub = convention >> 14 & 1   ? OG_IR_MUSTTAIL
              : convention & 1       ? OG_IR_TAIL
              : convention >> 16 & 1 ? OG_IR_NOTAIL
                                     : OG_IR_NO_MARK;
  return true;
}

/* ---- debug information ---- */

static bool read_location(struct reading *r) {
  struct og_bc *b = r->b;
  uint64_t values[7] = {take(r), take(r), 0, 0, 0, 0, 0};
  for (unsigned i = 2; i < 4; i++) {
    uint64_t id = take(r);
    uint32_t node;
    if (id && !og_bc_node(b, id - 1, &node))
      return false;
    values[i] = id ? (uint64_t)node + 1 : 0;
  }
  for (unsigned i = 4; i < 7; i++)
    values[i] = take(r);
  if (!b->last || !values[2])
    return og_bc_fail(b, "Invalid debug location");
  uint32_t known =
      (uint32_t)(uintptr_t)og_map_get(&b->locations, (struct og_text){(const char *)values, sizeof values});
  if (!known) {
    uint32_t node = og_ir_metadata_new(b->m, OG_IR_M_LOCATION);
    og_ir_metadata_fields(b->m, node, OG_IR_M_LOCATION, values, 7);
    known = node + 1;
    *og_map_at(b->arena, &b->locations, og_bc_location_key(b, values)) = (void *)(uintptr_t)known;
  }
  b->f->insts.items[b->last].location = b->location = known;
  return true;
}

/* A value as metadata, or a list of them, as operands. */
static bool metadata_values(struct og_bc *b, uint64_t id, struct reading *r, bool *list) {
  *list = false;
  if (id >= b->metadata.count)
    return og_bc_fail(b, "Invalid debug record");
  const struct og_bc_metadata m = b->metadata.items[id];
  og_ir_ref ref = 0;
  if (m.list) {
    *list = true;
    for (uint32_t i = 0; i < b->lists.items[m.list]; i++) {
      bool inner;
      uint64_t part = b->lists.items[m.list + 1 + i];
      if (part >= b->metadata.count || b->metadata.items[part].list || !metadata_values(b, part, r, &inner))
        return og_bc_fail(b, "Invalid debug record");
    }
    return true;
  }
  if (m.value) {
    if (!og_bc_value(b, m.value - 1, &ref))
      return false;
  } else if (!m.node) {
    return og_bc_fail(b, "Invalid debug record");
  } else {
    const struct og_ir_metadata *node = &b->m->metadata.items[m.node - 1];
    ref = node->kind == OG_IR_M_VALUE ? node->first : OG_IR_METADATA | (m.node - 1);
  }
  push(r, ref);
  return true;
}

/* Records come after the instruction before which they stand. */
static bool debug_record(struct reading *r) {
  static const uint8_t opcodes[] = {OG_IR_DBG_VALUE, OG_IR_DBG_DECLARE, OG_IR_DBG_ASSIGN,
                                    OG_IR_DBG_VALUE, OG_IR_DBG_LABEL,   OG_IR_DBG_DECLARE_VALUE};
  struct og_bc *b = r->b;
  uint32_t code = b->bits.code, location, node, target = b->last, at_block = b->block, count = b->inst_count;
  bool label = code == 65, list = false, one;
  if (!target || !og_bc_node(b, take(r), &location))
    return og_bc_fail(b, "Invalid debug record");
  for (unsigned i = 0; i < (label ? 1u : 2u); i++) {
    if (!og_bc_node(b, take(r), &node))
      return false;
    push(r, OG_IR_METADATA | node);
  }
  og_ir_type type;
  og_ir_ref value = 0;
  uint64_t values = 0;
  if (code == 64 ? !with_type(r, &value, &type) : (values = take(r), false))
    return false;
  if (code == 63) {
    for (unsigned i = 0; i < 2; i++) { /* its id, the address's expression */
      if (!og_bc_node(b, take(r), &node))
        return false;
      push(r, OG_IR_METADATA | node);
    }
    if (!metadata_values(b, take(r), r, &one) || r->list.count != 5)
      return og_bc_fail(b, "Invalid debug record");
  }
  if (code == 64)
    push(r, value);
  else if (!label && !metadata_values(b, values, r, &list))
    return false;
  b->block = UINT32_MAX;
  struct og_ir_inst *inst = emit(r, opcodes[code - 61], OG_IR_VOID);
  inst->flags = list ? OG_IR_DBG_ARG_LIST : 0;
  inst->location = location + 1;
  uint32_t record = (uint32_t)(inst - b->f->insts.items);
  og_ir_insert_before(b->f, record, target);
  b->block = at_block;
  b->inst_count = count; /* a debug record has no number */
  b->last = target;
  return true;
}

/* ---- one record ---- */

static bool one_operand(struct reading *r, uint8_t opcode) {
  og_ir_type type;
  if (!operand(r, &type))
    return false;
  uint64_t bits = opcode == OG_IR_FNEG ? (take(r), take(r)) : 0;
  emit(r, opcode, type)->flags = fast_math(bits);
  return true;
}

static bool give_back(struct reading *r) {
  og_ir_type type;
  if (r->b->bits.record.count && !operand(r, &type))
    return false;
  emit(r, OG_IR_RET, OG_IR_VOID);
  return true;
}

static bool variable_argument(struct reading *r) {
  og_ir_type list, type;
  if (!og_bc_type(r->b, take(r), &list) || !same(r) || !og_bc_type(r->b, take(r), &type))
    return false;
  emit(r, OG_IR_VA_ARG, type);
  return true;
}

static const char *refused(uint32_t code) {
  switch (code) {
  case 13: return "invoke";
  case 31: return "indirectbr";
  case 39: return "resume";
  case 40: case 47: return "landingpad";
  case 57: return "callbr";
  default: return NULL;
  }
}

static bool read_record(struct og_bc *b, struct bundles *bundles) {
  struct reading r = {.b = b};
  uint32_t code = b->bits.code;
  bool debug = code == 33 || code == 35 || (code >= 60 && code <= 66);
  if (code == 1) {
    if (!og_bc_op(b, 0) || og_bc_op(b, 0) > (b->bits.end - b->bits.at) || b->f->blocks.count)
      return og_bc_fail(b, "Invalid number of basic blocks");
    for (uint64_t i = 0; i < og_bc_op(b, 0); i++)
      og_ir_add_block(b->m, b->f, 0);
    b->block = 0;
    return true;
  }
  if (!debug && b->block >= b->f->blocks.count)
    return og_bc_fail(b, "Invalid instruction with no BB");
  switch (code) {
  case 2: return binary(&r);
  case 3: return cast(&r);
  case 6: return elements(&r, OG_IR_EXTRACTELEMENT);
  case 7: return elements(&r, OG_IR_INSERTELEMENT);
  case 8: return shuffle(&r);
  case 9: case 28: return compare(&r);
  case 10: return give_back(&r);
  case 11: return branch(&r);
  case 12: return switch_to(&r);
  case 15: emit(&r, OG_IR_UNREACHABLE, OG_IR_VOID); return true;
  case 16: return phi(&r);
  case 19: return alloca_one(&r);
  case 20: return load(&r, false);
  case 23: return variable_argument(&r);
  case 26: return value_indices(&r, false);
  case 27: return value_indices(&r, true);
  case 29: return select_one(&r);
  case 33:
    b->f->insts.items[b->last].location = b->last ? b->location : 0;
    return true;
  case 34: return call(&r, bundles);
  case 35: return read_location(&r);
  case 36: return fence(&r);
  case 38: return modify(&r, false);
  case 41: return load(&r, true);
  case 43: return address(&r);
  case 44: return store(&r, false);
  case 45: return store(&r, true);
  case 46: return exchange(&r);
  case 55: return read_bundle(&r, bundles);
  case 56: return one_operand(&r, OG_IR_FNEG);
  case 58: return one_operand(&r, OG_IR_FREEZE);
  case 59: return modify(&r, true);
  case 60: return true; /* lists users of block addresses */
  case 61: case 62: case 63: case 64: case 65: case 66: return debug_record(&r);
  default:
    return refused(code) ? og_bc_fail(b, "instruction '%s' is not handled: GPUs have no code for it", refused(code))
                         : og_bc_fail(b, "an instruction record of kind %u is not handled", code);
  }
}

static bool read_names(struct og_bc *b) {
  uint32_t id;
  enum og_bit_entry entry;
  while ((entry = og_bits_next(&b->bits, &id)) == OG_BIT_RECORD) {
    uint64_t number = og_bc_op(b, 0);
    uint32_t name = og_ir_name(b->m, og_bc_text(b, 1));
    bool is_block = b->bits.code == 2;
    if (is_block ? number >= b->f->blocks.count
                 : number >= b->values.count || og_ir_space(b->values.items[number]) != OG_IR_LOCAL)
      return og_bc_fail(b, "Invalid value symbol table");
    *(is_block ? &b->f->blocks.items[number].name : &b->f->insts.items[b->values.items[number]].name) = name;
  }
  return entry == OG_BIT_END || og_bc_fail(b, "Malformed symbol table");
}

/* Fills in values that came later. */
static bool resolve(struct og_bc *b) {
  for (uint32_t i = 0; i < b->f->operands.count; i++) {
    og_ir_ref *ref = &b->f->operands.items[i];
    if (og_ir_space(*ref) != OG_IR_LOCAL || !(*ref & OG_BC_FORWARD))
      continue;
    uint32_t number = *ref & ~(uint32_t)OG_BC_FORWARD;
    if (number >= b->values.count)
      return og_bc_fail(b, "Never resolved value found in function");
    *ref = b->values.items[number];
  }
  for (uint32_t i = 0; i < b->f->blocks.count; i++)
    if (!b->f->blocks.items[i].last || !og_ir_is_terminator(b->f->insts.items[b->f->blocks.items[i].last].opcode))
      return og_bc_fail(b, "Basic Block does not have terminator!");
  return true;
}

static bool read_inner(struct og_bc *b, uint32_t id, struct og_ir_global *g) {
  bool known = id == CONSTANTS || id == METADATA || id == VALUE_NAMES || id == ATTACHMENTS;
  if (!known)
    return og_bits_skip(&b->bits) || og_bc_fail(b, "Malformed block");
  if (!og_bits_enter(&b->bits, id))
    return og_bc_fail(b, "Malformed block");
  return id == CONSTANTS     ? og_bc_read_constants(b)
         : id == METADATA    ? og_bc_read_metadata(b)
         : id == VALUE_NAMES ? read_names(b)
                             : og_bc_read_attachments(b, g);
}

bool og_bc_read_body(struct og_bc *b) {
  if (b->next_body == b->bodies.count)
    return og_bc_fail(b, "Insufficient function protos");
  uint32_t global = b->bodies.items[b->next_body++], id;
  b->f = b->m->globals.items[global].function;
  b->block = UINT32_MAX;
  b->last = b->inst_count = b->location = 0;
  for (uint32_t i = 0; i < b->f->arguments; i++)
    *OG_PUSH(b->arena, &b->values) = i + 1;
  struct bundles bundles = {0};
  enum og_bit_entry entry;
  while ((entry = og_bits_next(&b->bits, &id)) == OG_BIT_RECORD || entry == OG_BIT_BLOCK)
    if (entry == OG_BIT_RECORD ? !read_record(b, &bundles) : !read_inner(b, id, &b->m->globals.items[global]))
      return false;
  if (entry != OG_BIT_END)
    return og_bc_fail(b, "Malformed function");
  if (!b->f->blocks.count || !resolve(b))
    return og_bc_fail(b, "Invalid function body");
  b->values.count = b->module_values;
  b->constant_of.count = OG_MIN(b->constant_of.count, b->module_values);
  for (uint32_t i = b->module_metadata; i < b->metadata.count; i++)
    b->metadata.items[i] = (struct og_bc_metadata){0};
  b->metadata.count = b->module_metadata;
  b->f = NULL;
  return true;
}
