/* async.c - memory instructions that are not plain loads and stores, by async.def: transfers between memory and LDS,
 * loads for other work-groups and for other lanes; and the marks that tell when transfers have ended ("AMDGPU
 * Asynchronous Operations"), which waits.c turns into waits. */
#include "cc/address.h"
#include "cc/buffer.h"
#include "cc/memory_model.h"

#include <string.h>

static const struct line {
  const char *name;
  uint16_t row;
  char arguments[8];
} lines[] = {
#define TO_LDS(...)
#define TRANSFER(...)
#define ASYNC(name, row, arguments) {name, OG_ROW_##row, arguments},
#include "cc/async.def"
};

static const struct transfer {
  uint8_t bytes;
  uint16_t own, global, buffer;
} transfers[] = {
#define TO_LDS(...)
#define TRANSFER(bytes, own, global, buffer) {bytes, OG_ROW_##own, OG_ROW_##global, OG_ROW_##buffer},
#define ASYNC(...)
#include "cc/async.def"
};

enum leads { POINTER, RAW, STRUCTURED }; /* how the memory is given: a pointer, or a buffer's resource */
static const struct to_lds {
  const char *name;
  uint8_t leads;
  bool asynchronous;
} to_lds[] = {
#define TO_LDS(name, leads, asynchronous) {name, leads, asynchronous},
#define TRANSFER(...)
#define ASYNC(...)
#include "cc/async.def"
};

/* The numbers of the arguments behind the first three: the pointer or resource, the place in LDS, the size. */
static const struct places {
  uint8_t index, offset, scalar, more, auxiliary, count; /* index 0: there is none */
} places[] = {[POINTER] = {0, 0, 0, 3, 4, 5}, [RAW] = {0, 3, 4, 5, 6, 7}, [STRUCTURED] = {3, 4, 5, 6, 7, 8}};

struct call {
  struct cc_function *c;
  uint32_t record;
  const struct og_ir_inst *i;
  struct og_text name; /* without "llvm.amdgcn." */
};

static og_ir_ref argument(const struct call *k, uint32_t number) { return og_ir_operand(k->c->f, k->i, 1 + number); }

static uint32_t constant(const struct call *k, uint32_t number) { return cc_constant_argument(k->c, k->i, number); }

/* Sets M0 for the next instruction; of a value that lanes differ in, that of the first lane. */
static void set_m0(struct cc_function *c, operand value) {
  if (cc_is_vector(c, value))
    value = SALU(c, V_READFIRSTLANE_B32, 1, value);
  cc_emit(c, OG_ROW_S_MOV_B32, 1, 2, (operand[]){cc_special(OG_SPECIAL_M0, 1), value});
}

/* ---- loads to LDS at M0, up to gfx10 ----------------------------------------------------------------------------- */

/* Whether a name is that one, with types behind it. */
static bool is_named(struct og_text name, const char *as) {
  return og_text_skip(&name, as) && (!name.size || name.data[0] == '.');
}

/* The line of an intrinsic, given without "llvm.amdgcn."; NULL: there is none. */
static const struct to_lds *find_to_lds(struct og_text name) {
  for (unsigned n = 0; n < OG_COUNT(to_lds); n++)
    if (is_named(name, to_lds[n].name))
      return &to_lds[n];
  return NULL;
}

bool cc_is_async_load(struct og_text name) {
  og_text_skip(&name, "llvm.amdgcn.");
  const struct to_lds *line = find_to_lds(name);
  return line && line->asynchronous;
}

static bool has_form_to_lds(const struct cc_function *c, unsigned row) {
  for (unsigned f = 0; cc_has_row(c, row) && f < c->form_counts[row]; f++)
    if (og_transfers_lds(og_form_memory(og_form(c->isa, c->forms[row][f]))))
      return true;
  return false;
}

/* The instruction that moves so many bytes; OG_ROW_COUNT: none. */
static unsigned row_to_lds(const struct cc_function *c, uint32_t bytes, bool buffer) {
  for (unsigned k = 0; k < OG_COUNT(transfers); k++) {
    const struct transfer *t = &transfers[k];
    unsigned row = buffer ? t->buffer : has_form_to_lds(c, t->own) ? t->own : t->global;
    if (t->bytes == bytes && has_form_to_lds(c, row))
      return row;
  }
  return OG_ROW_COUNT;
}

static struct cc_inst *buffer_to_lds(const struct call *k, unsigned row, const struct places *at) {
  struct cc_buffer b;
  struct cc_buffer_values values = {.resource = argument(k, 0),
                                    .index = at->index ? argument(k, at->index) : OG_IR_NONE,
                                    .offset = argument(k, at->offset),
                                    .scalar = argument(k, at->scalar),
                                    .more = constant(k, at->more),
                                    .whole = true};
  if (k->c->failed || !cc_buffer_address(k->c, &values, &b))
    return NULL;
  set_m0(k->c, cc_part(k->c, argument(k, 1), 0));
  return cc_buffer_emit(k->c, row, 0, (operand){.kind = CC_NONE}, false, &b);
}

static struct cc_inst *global_to_lds(const struct call *k, unsigned row, const struct places *at) {
  struct cc_function *c = k->c;
  struct cc_address a;
  unsigned space = cc_space_of(c, argument(k, 0));
  if (space != GLOBAL && space != CONSTANT) {
    cc_refuse(c, "a transfer to LDS from memory in address space %u", space);
    return NULL;
  }
  cc_global_at(c, argument(k, 0), &a);
  set_m0(c, cc_part(c, argument(k, 1), 0));
  struct cc_inst *inst = cc_emit(c, row, 0, a.operands, a.at);
  inst->offset = (int32_t)constant(k, at->more);
  return inst;
}

static bool load_to_lds(const struct call *k, const struct to_lds *line) {
  struct cc_function *c = k->c;
  const struct places *at = &places[line->leads];
  bool buffer = line->leads != POINTER;
  if (k->i->operands != 1u + at->count)
    return false;
  uint32_t bytes = constant(k, 2), auxiliary = constant(k, at->auxiliary);
  unsigned row = row_to_lds(c, bytes, buffer);
  if (c->failed)
    return false;
  if (row == OG_ROW_COUNT)
    return cc_refuse(c, "%s has no instruction for 'llvm.amdgcn.%.*s' of %u bytes", c->target->processor->name,
                     OG_TEXT_ARGS(k->name), bytes);
  struct cc_inst *inst = buffer ? buffer_to_lds(k, row, at) : global_to_lds(k, row, at);
  if (!inst)
    return false;
  inst->policy = cc_auxiliary_policy(c, auxiliary, CC_LOADS), inst->keep = true;
  if (c->isa->generation < OG_GFX900) /* LDS instructions take their limit from M0 */
    set_m0(c, cc_constant(UINT32_MAX));
  return !c->failed;
}

/* ---- by lines of async.def --------------------------------------------------------------------------------------- */

struct parts {
  struct cc_address at;  /* in memory; in LDS for operations on LDS alone */
  bool has_address, has_order;
  operand lds, data, groups[4];
  unsigned group_count, ordering, scope;
  uint32_t offset, policy;
};

static bool is_nothing(const struct cc_function *c, og_ir_ref ref) {
  if (og_ir_space(ref) != OG_IR_CONSTANT)
    return false;
  uint8_t kind = og_ir_constant_of(c->m, ref)->kind;
  return kind == OG_IR_C_ZERO || kind == OG_IR_C_UNDEF || kind == OG_IR_C_POISON;
}

static operand data_of(struct cc_function *c, og_ir_ref value) {
  operand raw[4];
  cc_pack(c, value, cc_type_of(c, value), raw);
  return cc_tuple(c, raw, (unsigned)(cc_store_size(c->m, cc_type_of(c, value)) + 3) / 4, CC_V);
}

/* A scope of synchronisation: metadata holds a string that names it. */
static bool read_scope(const struct call *k, og_ir_ref ref, struct parts *p) {
  const struct og_ir_module *m = k->c->m;
  const struct og_ir_metadata *node = og_ir_space(ref) == OG_IR_METADATA ? &m->metadata.items[og_ir_index(ref)] : NULL;
  if (node && node->kind == OG_IR_M_TUPLE && node->parts == 1 && m->pool.items[node->first])
    node = &m->metadata.items[m->pool.items[node->first] - 1];
  if (!node || node->kind != OG_IR_M_STRING)
    return cc_refuse(k->c, "a scope that no string names, in a call of 'llvm.amdgcn.%.*s'", OG_TEXT_ARGS(k->name));
  p->scope = og_ir_scope(k->c->m, m->names.items[node->first]);
  p->has_order = true;
  return true;
}

/* An ordering by its number in C: relaxed, consume, acquire, release, both, sequentially consistent. */
static unsigned ordering_of(uint32_t number) {
  static const uint8_t orderings[] = {OG_IR_MONOTONIC, OG_IR_ACQUIRE, OG_IR_ACQUIRE,
                                      OG_IR_RELEASE,   OG_IR_ACQ_REL, OG_IR_SEQ_CST};
  return orderings[OG_MIN(number, OG_COUNT(orderings) - 1)];
}

static bool read_argument(const struct call *k, char what, uint32_t number, struct parts *p) {
  struct cc_function *c = k->c;
  og_ir_ref ref = argument(k, number);
  switch (what) {
  case 'g':
  case 'l': p->has_address = true; return cc_address(c, ref, false, &p->at);
  case 'G': p->has_address = true, cc_global_at(c, ref, &p->at); return true;
  case 'L': p->lds = cc_in_vector(c, cc_part(c, ref, 0)); return true;
  case 'd': p->data = data_of(c, ref); return true;
  case 'o': p->offset = constant(k, number); return true;
  case 'c': p->policy = cc_auxiliary_policy(c, constant(k, number), CC_LOADS); return true;
  case 'm': set_m0(c, cc_part(c, ref, 0)); return true;
  case 'a': p->ordering = ordering_of(constant(k, number)); return true;
  case 's': return read_scope(k, ref, p);
  case 'i': p->data = cc_constant(constant(k, number) & 0xffff); return true;
  case 'z':
    return is_nothing(c, ref) || cc_refuse(c, "a fifth group of a tensor's descriptor, which no processor has");
  case 't':
    p->group_count++;
    return cc_scalars(c, ref, cc_parts(c->m, cc_type_of(c, ref)), &p->groups[p->group_count - 1]);
  default: return false;
  }
}

/* The instruction's row: the line says that for global memory, other memory has another one. */
static unsigned row_at(const struct line *line, const struct cc_address *at) {
  for (unsigned stores = 0; stores < 2; stores++)
    for (unsigned size = 0; size < OG_COUNT(cc_memory_rows[0][0]); size++)
      if (cc_memory_rows[GLOBAL][stores][size] == line->row)
        return cc_memory_rows[cc_rows_of(at)][stores][size];
  return line->row;
}

static enum og_memory_access access_of(const struct cc_function *c, unsigned row) {
  return og_form_memory(og_form(c->isa, c->forms[row][0]))->access;
}

/* Operands in the order of the text: the result, a load's place in LDS, the address, the data, the address's scalar
 * part. */
static struct cc_inst *emit(const struct call *k, unsigned row, const struct parts *p, operand to) {
  operand list[8];
  unsigned count = 0, defs = to.kind != CC_NONE;
  bool loads = access_of(k->c, row) == OG_MOVES_LOAD;
  if (defs)
    list[count++] = to;
  if (p->lds.kind != CC_NONE && loads)
    list[count++] = p->lds;
  if (p->has_address)
    list[count++] = p->at.at[0];
  if (p->lds.kind != CC_NONE && !loads)
    list[count++] = p->lds;
  if (p->data.kind != CC_NONE)
    list[count++] = p->data;
  for (unsigned n = 1; p->has_address && n < p->at.operands; n++)
    list[count++] = p->at.at[n];
  for (unsigned n = 0; n < p->group_count; n++)
    list[count++] = p->groups[n];
  struct cc_inst *inst = cc_emit(k->c, row, defs, count, list);
  inst->offset = p->has_address ? (int32_t)p->at.offset + (int32_t)p->offset : 0;
  inst->keep = true;
  return inst;
}

/* The cache policy: that of the scope, or the argument. */
static uint8_t policy_of(const struct cc_function *c, unsigned row, const struct parts *p, bool loads) {
  bool in_lds = p->at.space == LDS, returns = access_of(c, row) == OG_MOVES_ATOMIC && p->has_address && !in_lds;
  if (p->has_order && !in_lds)
    return cc_policy(c, loads ? CC_LOADS : CC_STORES, p->scope);
  return (uint8_t)(p->policy | (returns ? OG_CPOL_GLC : 0));
}

/* Whether the last two of a descriptor's four groups are empty: then the instruction takes only two. */
static bool has_two_groups(const struct call *k, const struct line *line) {
  return !strncmp(line->arguments, "tttt", 4) && is_nothing(k->c, argument(k, 2)) && is_nothing(k->c, argument(k, 3));
}

static bool by_line(const struct call *k, const struct line *line) {
  struct cc_function *c = k->c;
  struct parts p = {.lds.kind = CC_NONE, .data.kind = CC_NONE, .ordering = OG_IR_MONOTONIC};
  bool loads = cc_parts(c->m, k->i->type) != 0, two_groups = has_two_groups(k, line);
  for (uint32_t n = 0; line->arguments[n]; n++)
    if (!(two_groups && (n == 2 || n == 3)) && !read_argument(k, line->arguments[n], n, &p))
      return false;
  if (p.has_address && p.at.by_buffer)
    return false;
  unsigned row = p.has_address ? row_at(line, &p.at) : line->row;
  if (!cc_has_row(c, row))
    return cc_refuse(c, "%s has no instruction for 'llvm.amdgcn.%.*s' there", c->target->processor->name,
                     OG_TEXT_ARGS(k->name));
  operand to = {.kind = CC_NONE}, dwords[CC_TUPLE_MOST];
  if (loads)
    to = cc_temp(c, CC_V, (unsigned)(cc_store_size(c->m, k->i->type) + 3) / 4);
  struct cc_ordered ordered = {loads ? CC_LOADS : CC_STORES, (uint8_t)p.ordering, p.scope, p.at.space};
  if (p.has_order)
    cc_order(c, &ordered, true);
  emit(k, row, &p, to)->policy = policy_of(c, row, &p, loads);
  if (p.has_order)
    cc_order(c, &ordered, false);
  for (unsigned d = 0; loads && d < to.dwords; d++)
    dwords[d] = cc_part_of(to, d, 1);
  return !loads || cc_unpack(c, k->record, CC_V, dwords);
}

/* A mark, or a wait for one, of which no instruction is made. */
static bool mark(const struct call *k, bool waits) {
  uint32_t younger = waits ? constant(k, 0) & 0xffff : 0;
  if (k->c->failed)
    return false;
  struct cc_inst *inst = cc_emit(k->c, CC_ROW_WAIT_ALL, 0, 0, NULL);
  inst->policy = waits ? WAIT_FOR_MARK : MARK, inst->offset = (int32_t)younger;
  return true;
}

bool cc_select_async(struct cc_function *c, uint32_t record, struct og_text name) {
  struct call k = {c, record, &c->f->insts.items[record], name};
  bool known = false;
  if (og_text_is(name, "llvm.amdgcn.asyncmark") || og_text_is(name, "llvm.amdgcn.wait.asyncmark"))
    return mark(&k, og_text_is(name, "llvm.amdgcn.wait.asyncmark"));
  const struct to_lds *transfer = og_text_skip(&k.name, "llvm.amdgcn.") ? find_to_lds(k.name) : NULL;
  if (transfer)
    return load_to_lds(&k, transfer);
  for (unsigned n = 0; n < OG_COUNT(lines); n++)
    if (is_named(k.name, lines[n].name) && k.i->operands == 1 + strlen(lines[n].arguments)) {
      known = true;
      if (cc_has_row(c, lines[n].row))
        return by_line(&k, &lines[n]);
    }
  return known && cc_refuse(c, "%s has no instruction for 'llvm.amdgcn.%.*s'", c->target->processor->name,
                            OG_TEXT_ARGS(k.name));
}
