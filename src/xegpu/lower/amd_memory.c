/* amd_memory.c - memrefs and nd tiles as LLVM IR: each lane loads and stores its own elements, if they are within the
 * base. */
#include "xegpu/lower/amd.h"
#include "xegpu/maps.h"

#include <string.h>

static const char *space_of(const struct og_xa_memref *m) { return m->slm ? "addrspace(3)" : "addrspace(1)"; }
static const char *stored(uint8_t type) { return type == OG_XE_I1 ? "i8" : og_xa_type(type); }

const char *og_xa_wide(struct og_xa *x, const char *name) {
  return *name == '%' ? og_xa_emit(x, "zext i32 %s to i64", name) : name;
}
const char *og_xa_sum(struct og_xa *x, const char *a, const char *b) {
  return strcmp(b, "0") == 0 ? a : strcmp(a, "0") == 0 ? b : og_xa_emit(x, "add i64 %s, %s", a, b);
}
const char *og_xa_product(struct og_xa *x, const char *a, const char *b) {
  return strcmp(b, "1") == 0 || strcmp(a, "0") == 0 ? a : og_xa_emit(x, "mul i64 %s, %s", a, b);
}
const char *og_xa_both(struct og_xa *x, const char *a, const char *b) {
  return !a ? b : !b ? a : og_xa_emit(x, "and i1 %s, %s", a, b);
}

const char *og_xa_has(struct og_xa *x, const struct og_xa_value *v, uint32_t part) {
  return v->vector && (part + 1) * x->each > v->count
             ? og_xa_emit(x, "icmp ult i32 %s, %u", og_xa_element(x, part), v->count)
             : NULL;
}
const char *og_xa_stores(struct og_xa *x, const struct og_xa_value *v, uint32_t part) {
  if (x->lanes)
    return "%own";
  return v->vector ? og_xa_has(x, v, part) : og_xa_emit(x, "icmp eq i32 %%lane, 0");
}

const char *og_xa_pointer(struct og_xa *x, const struct og_xa_memref *m, uint8_t type, const char *offset) {
  return og_xa_emit(x, "getelementptr %s, ptr %s %s, i64 %s", stored(type), space_of(m), m->base, offset);
}

const char *og_xa_load(struct og_xa *x, const struct og_xa_memref *m, uint8_t type, const char *offset,
                       const char *in) {
  if (in)
    offset = og_xa_emit(x, "select i1 %s, i64 %s, i64 0", in, offset);
  const char *value = og_xa_emit(x, "load %s, ptr %s %s", stored(type), space_of(m), og_xa_pointer(x, m, type, offset));
  if (type == OG_XE_I1)
    value = og_xa_emit(x, "trunc i8 %s to i1", value);
  return in ? og_xa_emit(x, "select i1 %s, %s %s, %s zeroinitializer", in, og_xa_type(type), value, og_xa_type(type))
            : value;
}

void og_xa_store(struct og_xa *x, const struct og_xa_memref *m, uint8_t type, const char *offset, const char *in,
                 const char *value) {
  const char *yes = in ? og_xa_label(x) : NULL, *end = in ? og_xa_label(x) : NULL;
  if (type == OG_XE_I1)
    value = og_xa_emit(x, "zext i1 %s to i8", value);
  if (in) {
    og_xa_line(x, "br i1 %s, label %%%s, label %%%s", in, yes, end);
    og_xa_begin(x, yes);
  }
  og_xa_line(x, "store %s %s, ptr %s %s", stored(type), value, space_of(m), og_xa_pointer(x, m, type, offset));
  if (in) {
    og_xa_line(x, "br label %%%s", end);
    og_xa_begin(x, end);
  }
}

/* ---- memrefs ----------------------------------------------------------------------------------------------------- */

const struct og_xa_memref *og_xa_memref_of(struct og_xa *x, struct og_mlir_value *value) {
  const struct og_xa_value *v = og_xa_of(x, value);
  return v->kind == OG_XA_MEMREF ? v->memref : NULL;
}

const char *og_xa_place(struct og_xa *x, const struct og_xa_memref *m, struct og_mlir_value *const *indices,
                        uint32_t count) {
  const char *at = "0";
  for (uint32_t k = 0; k < count; k++)
    at = og_xa_sum(x, at, og_xa_product(x, og_xa_number(x, indices[k]), m->strides[k]));
  return at;
}

static bool access(struct og_xa *x, struct og_mlir_op *op, bool write) {
  uint32_t count;
  const char *name = op->row->id == OG_MLIR_OP_LOAD || op->row->id == OG_MLIR_OP_STORE ? "memref" : "base";
  struct og_mlir_value **indices = og_mlir_group(op, "indices", &count),
                       *value = write ? op->operands[0] : &op->results[0];
  const struct og_xa_memref *m = og_xa_memref_of(x, og_mlir_operand(op, name));
  if (!m)
    return og_xa_refuse(x, op, "memory of this kind");
  struct og_xa_value v = write ? *og_xa_elements(x, value) : og_xa_new(x, value->type);
  const char *at = og_xa_place(x, m, indices, count);
  for (uint32_t i = 0; i < v.parts; i++) {
    const char *offset = v.vector ? og_xa_sum(x, at, og_xa_wide(x, og_xa_element(x, i))) : at;
    if (write)
      og_xa_store(x, m, v.type, offset, og_xa_stores(x, &v, i), v.names[i]);
    else
      v.names[i] = og_xa_load(x, m, v.type, offset, og_xa_has(x, &v, i));
  }
  if (!write)
    og_xa_set(x, value, v);
  return true;
}

static bool allocate(struct og_xa *x, struct og_mlir_op *op) {
  og_mlir_type type = op->results[0].type;
  int64_t elements = og_mlir_elements(type), strides[OG_MLIR_RANK_MOST], offset;
  uint8_t scalar;
  if (!type->parts[2] || elements == OG_MLIR_DYNAMIC || elements > 1 << 16 || type->parts[1] ||
      !og_xe_scalar(type, &scalar) || !og_mlir_strides(type, strides, &offset))
    return og_xa_refuse(x, op, "only memory of the work-group and of a static size is allocated in a kernel");
  struct og_xa_memref *m = OG_NEW(x->arena, struct og_xa_memref);
  *m = (struct og_xa_memref){.base = og_xa_text(x, "@shared%u", x->tables++), .rank = type->int_count, .slm = true};
  og_buffer_printf(&x->globals, "%s = internal addrspace(3) global [%lld x %s] undef, align 16\n", m->base,
                   (long long)elements, stored(scalar));
  for (uint32_t k = 0; k < m->rank; k++) {
    m->sizes[k] = og_xa_text(x, "%lld", (long long)type->ints[k]);
    m->strides[k] = og_xa_text(x, "%lld", (long long)strides[k]);
  }
  og_xa_set(x, &op->results[0], (struct og_xa_value){.kind = OG_XA_MEMREF, .memref = m, .type = scalar});
  return true;
}

/* ---- tiles ------------------------------------------------------------------------------------------------------- */

static bool create(struct og_xa *x, struct og_mlir_op *op) {
  og_mlir_type tdesc = op->results[0].type;
  const char *offsets[OG_MLIR_RANK_MOST], *shape[OG_MLIR_RANK_MOST], *strides[OG_MLIR_RANK_MOST];
  const struct og_xa_memref *from = og_xa_memref_of(x, op->operands[0]);
  uint32_t inner = tdesc->int_count;
  if (!from || inner > 2 || !inner || from->rank < inner)
    return og_xa_refuse(x, op, "descriptors of addresses, or of more than two dimensions");
  struct og_xa_memref *m = OG_NEW(x->arena, struct og_xa_memref);
  *m = *from;
  uint32_t count = og_xa_list(x, op, "const_offsets", "offsets", offsets), rank = m->rank;
  uint32_t shapes = og_xa_list(x, op, "const_shape", "shape", shape),
           stride_count = og_xa_list(x, op, "const_strides", "strides", strides);
  for (uint32_t k = 0; k < shapes; k++)
    m->sizes[k] = shape[k];
  for (uint32_t k = 0; k < stride_count; k++)
    m->strides[k] = strides[k];
  uint8_t scalar;
  if (!og_xe_scalar(tdesc, &scalar) || strcmp(m->strides[rank - 1], "1") != 0)
    return og_xa_refuse(x, op, "the stride of the innermost dimension must be 1");
  const char *plane = "0";
  for (uint32_t k = 0; count == rank && k + inner < rank; k++)
    plane = og_xa_sum(x, plane, og_xa_product(x, offsets[k], m->strides[k]));
  if (strcmp(plane, "0") != 0)
    m->base = og_xa_emit(x, "getelementptr %s, ptr %s %s, i64 %s", stored(scalar), space_of(m), m->base, plane);
  struct og_xa_value v = {.kind = OG_XA_TILE, .memref = m, .names = OG_NEW_ARRAY(x->arena, const char *, 2)};
  og_mlir_attr boundary = og_mlir_field(tdesc->parts[1], "boundary_check");
  v.unbounded = boundary && !boundary->ints[0];
  v.names[0] = inner == 2 && count > 1 ? offsets[count - 2] : "0";
  v.names[1] = count ? offsets[count - 1] : "0";
  og_xa_set(x, &op->results[0], v);
  return true;
}

static bool update(struct og_xa *x, struct og_mlir_op *op) {
  struct og_xa_value v = *og_xa_of(x, op->operands[0]);
  const char *offsets[OG_MLIR_RANK_MOST], **names = OG_NEW_ARRAY(x->arena, const char *, 2);
  if (v.kind != OG_XA_TILE)
    return og_xa_refuse(x, op, "a descriptor that is not made here");
  uint32_t count = og_xa_list(x, op, "const_offsets", "offsets", offsets);
  names[0] = count > 1 ? og_xa_sum(x, v.names[0], offsets[count - 2]) : v.names[0];
  names[1] = count ? og_xa_sum(x, v.names[1], offsets[count - 1]) : v.names[1];
  v.names = names;
  og_xa_set(x, &op->results[0], v);
  return true;
}

/* The offset of the tile's element with this number (i32), and whether it is within the base. */
static const char *place(struct og_xa *x, const struct og_xa_value *tile, const struct og_mlir_tile *t, bool two,
                         const char *row, const char *column, const char *element, const char **in) {
  const struct og_xa_memref *m = tile->memref;
  const char *q = og_xa_wide(x, og_xa_emit(x, "udiv i32 %s, %u", element, t->columns)),
             *c = og_xa_wide(x, og_xa_emit(x, "urem i32 %s, %u", element, t->columns)), *block = "0";
  if (t->arrays > 1) { /* blocks side by side */
    block = og_xa_emit(x, "mul i64 %s, %u", og_xa_emit(x, "udiv i64 %s, %u", q, t->rows), t->columns);
    q = og_xa_emit(x, "urem i64 %s, %u", q, t->rows);
  }
  row = og_xa_sum(x, row, q), column = og_xa_sum(x, og_xa_sum(x, column, c), block);
  if (!tile->unbounded) {
    *in = og_xa_both(x, *in, og_xa_emit(x, "icmp ult i64 %s, %s", column, m->sizes[m->rank - 1]));
    if (two)
      *in = og_xa_both(x, *in, og_xa_emit(x, "icmp ult i64 %s, %s", row, m->sizes[m->rank - 2]));
  }
  return two ? og_xa_sum(x, og_xa_product(x, row, m->strides[m->rank - 2]), column) : column;
}

/* The tile's row and column, moved by offsets of the operation itself. */
static bool begin_of(struct og_xa *x, struct og_mlir_op *op, const struct og_xa_value *tile, uint32_t rank,
                     const char **row, const char **column) {
  const char *offsets[OG_MLIR_RANK_MOST];
  uint32_t count = og_xa_list(x, op, "const_offsets", "offsets", offsets);
  if (tile->kind != OG_XA_TILE || count > rank)
    return og_xa_refuse(x, op, "a descriptor that is not made here, or offsets of more dimensions than the tile");
  *row = count > 1 ? og_xa_sum(x, tile->names[0], offsets[count - 2]) : tile->names[0];
  *column = count ? og_xa_sum(x, tile->names[1], offsets[count - 1]) : tile->names[1];
  return true;
}

static bool move(struct og_xa *x, struct og_mlir_op *op, bool write) {
  og_mlir_type tdesc = og_xe_tile_type(op);
  struct og_mlir_value *value = write ? op->operands[0] : &op->results[0];
  struct og_xa_value tile = *og_xa_of(x, og_mlir_operand(op, "TensorDesc")),
                     v = write ? *og_xa_elements(x, value) : og_xa_new(x, value->type);
  struct og_mlir_tile t;
  const char *row = "0", *column = "0", *why = og_mlir_tile_of(write ? NULL : op, tdesc, value->type, &t),
             *table = NULL;
  if (why)
    return og_xa_refuse(x, op, why);
  if (!begin_of(x, op, &tile, tdesc->int_count, &row, &column))
    return false;
  uint32_t each = t.elements;
  if (x->lanes) { /* a table also does transpositions */
    uint32_t *map = v.count < t.elements ? og_mlir_lane_map(x->arena, &t, tdesc, &each) : NULL;
    if (!map || each != v.count)
      return og_xa_refuse(x, op, "whole tiles where lanes have fragments, or a share of another size");
    table = og_xa_table(x, map, each * OG_MLIR_SUBGROUP);
  } else if (v.count != t.elements) {
    return og_xa_refuse(x, op, "a value of another size than the tile");
  }
  for (uint32_t i = 0; i < v.parts; i++) {
    const char *element = og_xa_element(x, i), *in = write ? og_xa_stores(x, &v, i) : og_xa_has(x, &v, i);
    if (table)
      element =
          og_xa_look_up(x, table, og_xa_emit(x, "add i32 %s, %u", og_xa_emit(x, "mul i32 %%lane16, %u", each), i));
    const char *offset = place(x, &tile, &t, tdesc->int_count == 2, row, column, element, &in);
    if (write)
      og_xa_store(x, tile.memref, v.type, offset, in, v.names[i]);
    else
      v.names[i] = og_xa_load(x, tile.memref, v.type, offset, in);
  }
  if (write)
    return true;
  const uint32_t *map = x->lanes ? NULL : og_mlir_tile_map(x->arena, &t);
  og_xa_set(x, value, map ? og_xa_permute(x, value->type, &v, map) : v);
  return true;
}

bool og_xa_memory(struct og_xa *x, struct og_mlir_op *op, bool *known) {
  *known = true;
  switch (op->row->id) {
  case OG_MLIR_OP_ALLOCATE:
  case OG_MLIR_OP_ALLOCA: return allocate(x, op);
  case OG_MLIR_OP_DEALLOC: return true;
  case OG_MLIR_OP_LOAD:
  case OG_MLIR_OP_VECTOR_LOAD: return access(x, op, false);
  case OG_MLIR_OP_STORE:
  case OG_MLIR_OP_VECTOR_STORE: return access(x, op, true);
  case OG_MLIR_OP_CREATE_ND: return create(x, op);
  case OG_MLIR_OP_UPDATE_ND: return update(x, op);
  case OG_MLIR_OP_LOAD_ND: return move(x, op, false);
  case OG_MLIR_OP_STORE_ND: return move(x, op, true);
  case OG_MLIR_OP_PREFETCH_ND: return true; /* only a hint */
  default: return !(*known = false);
  }
}
