/* amd_scatter.c - gathers, scatters and atomics as LLVM IR; matrices in shared memory. A descriptor is an offset for
 * each lane; with chunks a permutation brings each element the offset of its lane. */
#include "xegpu/lower/amd.h"
#include "xegpu/maps.h"

#include <string.h>

static og_mlir_type vector_of(struct og_xa *x, uint32_t count, og_mlir_type element) {
  int64_t shape = count;
  return og_mlir_intern(
      x->module->interner,
      &(struct og_mlir_node){
          .kind = OG_MLIR_VECTOR, .int_count = 1, .ints = &shape, .part_count = 1, .parts = &element});
}
static og_mlir_type indices_of(struct og_xa *x, uint32_t count) {
  return vector_of(x, count, og_mlir_simple(x->module->interner, OG_MLIR_INDEX));
}

/* ---- descriptors ------------------------------------------------------------------------------------------------- */

/* A memref, or an address of global memory. */
static const struct og_xa_memref *base_of(struct og_xa *x, struct og_mlir_op *op, struct og_mlir_value *source,
                                          bool slm) {
  const struct og_xa_memref *m = og_xa_memref_of(x, source);
  if (m || source->type->kind != OG_MLIR_INTEGER || slm || source->type->ints[0] != 64) {
    if (!m)
      og_xa_refuse(x, op, "addresses in shared memory, or of 32 bits");
    return m;
  }
  struct og_xa_memref *made = OG_NEW(x->arena, struct og_xa_memref);
  *made = (struct og_xa_memref){
      .base = og_xa_emit(x, "inttoptr i64 %s to ptr addrspace(1)", og_xa_elements(x, source)->names[0])};
  return made;
}

/* Offsets as i64: from a vector of these or of other integers, or a list of numbers (MLIR 19). */
static bool offsets_of(struct og_xa *x, struct og_mlir_op *op, struct og_xa_value *to) {
  enum { LANES_MOST = 64 };
  og_mlir_attr given = og_mlir_find(op, "const_offsets");
  uint32_t count, next = 0;
  struct og_mlir_value **values = og_mlir_group(op, "offsets", &count);
  if (!given) {
    struct og_xa_value v = *og_xa_elements(x, values[0]);
    bool is_unsigned = og_mlir_element(values[0]->type)->kind == OG_MLIR_INTEGER &&
                       og_mlir_element(values[0]->type)->ints[1] == OG_MLIR_UNSIGNED;
    *to = og_xa_new(x, indices_of(x, v.count));
    for (uint32_t i = 0; i < v.parts; i++)
      to->names[i] = v.type == OG_XE_I64 ? v.names[i]
                                         : og_xa_emit(x, "%s %s %s to i64", is_unsigned ? "zext" : "sext",
                                                      og_xa_type(v.type), v.names[i]);
    return !x->failed;
  }
  if (given->int_count > LANES_MOST)
    return og_xa_refuse(x, op, "lists of more than 64 offsets");
  *to = og_xa_new(x, indices_of(x, given->int_count));
  for (uint32_t k = 0; k < given->int_count; k++)
    og_xa_collect(x, to, k,
                  given->ints[k] != OG_MLIR_DYNAMIC ? og_xa_text(x, "%lld", (long long)given->ints[k])
                  : next < count                    ? og_xa_number(x, values[next++])
                                                    : "0");
  return true;
}

static bool create(struct og_xa *x, struct og_mlir_op *op) {
  struct og_xa_value v;
  const struct og_xa_memref *m = base_of(x, op, op->operands[0], og_mlir_is_slm(op->results[0].type));
  if (!m || !offsets_of(x, op, &v))
    return false;
  v.kind = OG_XA_POINTS, v.memref = m;
  og_xa_set(x, &op->results[0], v);
  return true;
}

static bool update(struct og_xa *x, struct og_mlir_op *op) {
  struct og_xa_value from = *og_xa_of(x, op->operands[0]), v;
  if (from.kind != OG_XA_POINTS || !offsets_of(x, op, &v) || v.parts != from.parts)
    return og_xa_refuse(x, op, "a descriptor that is not made here");
  for (uint32_t i = 0; i < v.parts; i++)
    v.names[i] = og_xa_sum(x, from.names[i], v.names[i]);
  v.kind = OG_XA_POINTS, v.memref = from.memref;
  og_xa_set(x, &op->results[0], v);
  return true;
}

/* ---- accesses ---------------------------------------------------------------------------------------------------- */

struct points { /* for each element of a value */
  const struct og_xa_memref *memref;
  struct og_xa_value offsets, mask; /* mask.names NULL: all */
  uint32_t chunk, lanes;
  bool turned;
};

static bool describe(struct og_xa *x, struct og_mlir_op *op, og_mlir_type value, struct points *p) {
  struct og_mlir_access a;
  struct og_mlir_interner *in = x->module->interner;
  og_mlir_access_of(op, &a);
  uint32_t count = og_mlir_count(value), *map = OG_NEW_ARRAY(x->arena, uint32_t, count);
  *p = (struct points){.chunk = a.chunk, .lanes = a.lanes, .turned = a.turned};
  if (count != a.lanes * a.chunk)
    return og_xa_refuse(x, op, "a lane's share of a gather");
  if (a.tdesc) {
    p->offsets = *og_xa_of(x, a.place);
    if (p->offsets.kind != OG_XA_POINTS)
      return og_xa_refuse(x, op, "a descriptor that is not made here");
    p->memref = p->offsets.memref;
    p->offsets.kind = OG_XA_ELEMENTS;
  } else if (!(p->memref = base_of(x, op, a.place, false)) || !offsets_of(x, op, &p->offsets)) {
    return false;
  }
  for (uint32_t k = 0; k < count; k++)
    map[k] = a.turned ? k % a.lanes : k / a.chunk;
  if (a.chunk > 1)
    p->offsets = og_xa_permute(x, indices_of(x, count), &p->offsets, map);
  if (!a.mask)
    return !x->failed;
  p->mask = *og_xa_elements(x, a.mask);
  if (a.chunk > 1 || (value->kind == OG_MLIR_VECTOR && !p->mask.vector))
    p->mask = og_xa_permute(x, vector_of(x, count, og_mlir_integer(in, 1, OG_MLIR_SIGNLESS)), &p->mask, map);
  return !x->failed;
}

/* The offset of the element that a lane has in a part, in elements from the base. */
static const char *offset_of(struct og_xa *x, const struct points *p, uint32_t part) {
  if (p->chunk == 1)
    return p->offsets.names[part];
  const char *element = og_xa_element(x, part);
  return og_xa_sum(x, p->offsets.names[part],
                   og_xa_wide(x, og_xa_emit(x, "%s i32 %s, %u", p->turned ? "udiv" : "urem", element,
                                            p->turned ? p->lanes : p->chunk)));
}

static const char *mask_of(const struct points *p, uint32_t part) { return p->mask.names ? p->mask.names[part] : NULL; }

/* In a loop masked lanes of a load keep what they had before, in memory of their own that is zero at first. */
static const char *kept(struct og_xa *x, const struct og_mlir_op *op, uint8_t type) {
  if (!op->block || op->block->region == x->kernel->regions)
    return NULL;
  const char *name = og_xa_text(x, "%%k%u", x->names++);
  og_buffer_printf(&x->entry, "  %s = alloca %s, addrspace(5)\n  store %s zeroinitializer, ptr addrspace(5) %s\n", name,
                   og_xa_type(type), og_xa_type(type), name);
  return name;
}

static bool load(struct og_xa *x, struct og_mlir_op *op) {
  struct points p;
  struct og_xa_value v = og_xa_new(x, op->results[0].type);
  if (!describe(x, op, op->results[0].type, &p))
    return false;
  for (uint32_t i = 0; i < v.parts; i++) {
    const char *mask = mask_of(&p, i), *keep = mask && v.type != OG_XE_I1 ? kept(x, op, v.type) : NULL,
               *type = og_xa_type(v.type);
    v.names[i] = og_xa_load(x, p.memref, v.type, offset_of(x, &p, i), og_xa_both(x, mask, og_xa_has(x, &v, i)));
    if (keep) {
      const char *old = og_xa_emit(x, "load %s, ptr addrspace(5) %s", type, keep);
      v.names[i] = og_xa_emit(x, "select i1 %s, %s %s, %s %s", mask, type, v.names[i], type, old);
      og_xa_line(x, "store %s %s, ptr addrspace(5) %s", type, v.names[i], keep);
    }
  }
  og_xa_set(x, &op->results[0], v);
  return true;
}

static bool store(struct og_xa *x, struct og_mlir_op *op) {
  struct points p;
  struct og_mlir_value *value = og_mlir_operand(op, "value");
  struct og_xa_value v = *og_xa_elements(x, value);
  if (!describe(x, op, value->type, &p))
    return false;
  for (uint32_t i = 0; i < v.parts; i++)
    og_xa_store(x, p.memref, v.type, offset_of(x, &p, i), og_xa_both(x, mask_of(&p, i), og_xa_stores(x, &v, i)),
                v.names[i]);
  return true;
}

/* ---- atomics ----------------------------------------------------------------------------------------------------- */

/* The instruction for one of arith's kinds, or the kind that a loop of compare-and-exchange computes. */
static const char *instruction(uint8_t type, int64_t kind, uint8_t *combining) {
  static const char *const integers[16] = {
      [1] = "add", [4] = "max", [5] = "umax", [7] = "min", [8] = "umin", [11] = "or", [12] = "and", [15] = "xor"};
  static const uint8_t loops[16] = {[3] = 12, [6] = 11, [9] = 1, [10] = 1, [13] = 7, [14] = 4};
  *combining = loops[kind & 15];
  return kind == 2 ? "xchg" : og_xa_is_float(type) ? NULL : integers[kind & 15];
}

/* One element, if `in`; yields what stood there before, or zero. */
static const char *modify(struct og_xa *x, const struct og_xa_memref *m, uint8_t type, int64_t kind, const char *offset,
                          const char *in, const char *value) {
  uint8_t combining;
  const char *name = instruction(type, kind, &combining), *yes = og_xa_label(x), *loop = og_xa_label(x),
             *end = og_xa_label(x), *before = x->block, *space = m->slm ? "addrspace(3)" : "addrspace(1)",
             *bits = og_xe_sizes[type] == 8 ? "i64" : "i32", *own = og_xa_type(type), *old;
  bool real = og_xa_is_float(type);
  og_xa_line(x, "br i1 %s, label %%%s, label %%%s", in, yes, end);
  og_xa_begin(x, yes);
  const char *at = og_xa_pointer(x, m, type, offset);
  if (name) {
    if (real)
      value = og_xa_emit(x, "bitcast %s %s to %s", own, value, bits);
    old = og_xa_emit(x, "atomicrmw %s ptr %s %s, %s %s syncscope(\"agent\") monotonic", name, space, at, bits, value);
  } else {
    const char *first = og_xa_emit(x, "load %s, ptr %s %s", bits, space, at),
               *next = og_xa_text(x, "%%t%u", x->names++);
    og_xa_line(x, "br label %%%s", loop);
    og_xa_begin(x, loop);
    old = og_xa_emit(x, "phi %s [ %s, %%%s ], [ %s, %%%s ]", bits, first, yes, next, loop);
    const char *was = real ? og_xa_emit(x, "bitcast %s %s to %s", bits, old, own) : old,
               *is = og_xa_combine(x, combining, type, was, value);
    is = real ? og_xa_emit(x, "bitcast %s %s to %s", own, is, bits) : is;
    const char *pair = og_xa_emit(x, "cmpxchg ptr %s %s, %s %s, %s %s syncscope(\"agent\") monotonic monotonic", space,
                                  at, bits, old, bits, is);
    og_xa_line(x, "%s = extractvalue { %s, i1 } %s, 0", next, bits, pair);
    const char *done = og_xa_emit(x, "extractvalue { %s, i1 } %s, 1", bits, pair), *out = og_xa_label(x);
    og_xa_line(x, "br i1 %s, label %%%s, label %%%s", done, out, loop);
    og_xa_begin(x, out);
    yes = out;
  }
  og_xa_line(x, "br label %%%s", end);
  og_xa_begin(x, end);
  old = og_xa_emit(x, "phi %s [ 0, %%%s ], [ %s, %%%s ]", bits, before, old, yes);
  return real ? og_xa_emit(x, "bitcast %s %s to %s", bits, old, own) : old;
}

static bool atomic(struct og_xa *x, struct og_mlir_op *op) {
  struct points p;
  struct og_mlir_value *value = og_mlir_operand(op, "value");
  struct og_xa_value from = *og_xa_elements(x, value), v = og_xa_new(x, op->results[0].type);
  int64_t kind = og_mlir_find(op, "kind")->ints[0];
  if (og_xe_sizes[v.type] < 4)
    return og_xa_refuse(x, op, "the hardware has no atomics of fewer than 32 bits");
  if (!describe(x, op, value->type, &p))
    return false;
  for (uint32_t i = 0; i < v.parts; i++) {
    const char *in = og_xa_both(x, mask_of(&p, i), og_xa_stores(x, &v, i));
    v.names[i] = modify(x, p.memref, v.type, kind, offset_of(x, &p, i), in ? in : "true", from.names[i]);
  }
  og_xa_set(x, &op->results[0], v);
  return true;
}

/* Once for the subgroup, all lanes of which get the old value; in a kernel of lanes once for each. */
static bool memref_atomic(struct og_xa *x, struct og_mlir_op *op) {
  uint32_t count;
  struct og_mlir_value **indices = og_mlir_group(op, "indices", &count);
  const struct og_xa_memref *m = og_xa_memref_of(x, og_mlir_operand(op, "memref"));
  struct og_xa_value from = *og_xa_elements(x, op->operands[0]), v = og_xa_new(x, op->results[0].type);
  if (!m || og_xe_sizes[v.type] < 4)
    return og_xa_refuse(x, op, "memory of this kind, or atomics of fewer than 32 bits");
  const char *at = og_xa_place(x, m, indices, count);
  v.names[0] = modify(x, m, v.type, og_mlir_find(op, "kind")->ints[0], at, og_xa_stores(x, &v, 0), from.names[0]);
  uint32_t zero[OG_MLIR_SUBGROUP] = {0};
  if (!x->lanes) { /* treats the lanes' numbers as a vector, of which all take the first */
    struct og_xa_value all = og_xa_new(x, vector_of(x, x->wave, op->results[0].type));
    all.names[0] = v.names[0];
    v = og_xa_permute(x, op->results[0].type, &all, zero);
  }
  og_xa_set(x, &op->results[0], v);
  return true;
}

/* ---- matrices in shared memory ----------------------------------------------------------------------------------- */

static bool create_matrix(struct og_xa *x, struct og_mlir_op *op) {
  const struct og_xa_memref *from = og_xa_memref_of(x, op->operands[0]);
  og_mlir_type type = op->results[0].type;
  if (!from || !from->slm || og_mlir_field(type->parts[1], "block"))
    return og_xa_refuse(x, op, "matrices in blocks, or in memory that is not shared");
  struct og_xa_memref *m = OG_NEW(x->arena, struct og_xa_memref);
  *m = (struct og_xa_memref){.base = from->base, .rank = type->int_count, .slm = true};
  for (uint32_t k = 0; k < m->rank; k++) {
    m->sizes[k] = og_xa_text(x, "%lld", (long long)type->ints[k]);
    m->strides[k] = og_xa_text(x, "%lld", (long long)og_mlir_matrix_stride(type, k));
  }
  og_xa_set(x, &op->results[0], (struct og_xa_value){.kind = OG_XA_MEMREF, .memref = m});
  return true;
}

static bool move_matrix(struct og_xa *x, struct og_mlir_op *op, bool write) {
  struct og_mlir_value *value = write ? op->operands[0] : &op->results[0];
  const struct og_xa_memref *m = og_xa_memref_of(x, og_mlir_operand(op, "mem_desc"));
  struct og_xa_value v = write ? *og_xa_elements(x, value) : og_xa_new(x, value->type);
  const char *start[OG_MLIR_RANK_MOST];
  if (!m || m->rank != 2 || og_xa_list(x, op, "const_offsets", "offsets", start) != 2)
    return og_xa_refuse(x, op, "matrices of other than two dimensions");
  uint32_t columns = v.vector ? (uint32_t)value->type->ints[value->type->int_count - 1] : 1;
  for (uint32_t i = 0; i < v.parts; i++) {
    const char *element = v.vector ? og_xa_element(x, i) : "0",
               *row = og_xa_wide(x, og_xa_emit(x, "udiv i32 %s, %u", element, columns)),
               *column = og_xa_wide(x, og_xa_emit(x, "urem i32 %s, %u", element, columns));
    const char *at = og_xa_sum(x, og_xa_product(x, og_xa_sum(x, start[0], row), m->strides[0]),
                               og_xa_product(x, og_xa_sum(x, start[1], column), m->strides[1]));
    if (write)
      og_xa_store(x, m, v.type, at, og_xa_stores(x, &v, i), v.names[i]);
    else
      v.names[i] = og_xa_load(x, m, v.type, at, og_xa_has(x, &v, i));
  }
  if (!write)
    og_xa_set(x, value, v);
  return true;
}

bool og_xa_scatter(struct og_xa *x, struct og_mlir_op *op, bool *known) {
  *known = true;
  switch (op->row->id) {
  case OG_MLIR_OP_CREATE: return create(x, op);
  case OG_MLIR_OP_UPDATE: return update(x, op);
  case OG_MLIR_OP_LOAD_GATHER: return load(x, op);
  case OG_MLIR_OP_STORE_SCATTER: return store(x, op);
  case OG_MLIR_OP_PREFETCH: return true; /* only a hint */
  case OG_MLIR_OP_ATOMIC: return atomic(x, op);
  case OG_MLIR_OP_MEMREF_RMW: return memref_atomic(x, op);
  case OG_MLIR_OP_CREATE_MEM_DESC: return create_matrix(x, op);
  case OG_MLIR_OP_LOAD_MATRIX: return move_matrix(x, op, false);
  case OG_MLIR_OP_STORE_MATRIX: return move_matrix(x, op, true);
  default: return !(*known = false);
  }
}
