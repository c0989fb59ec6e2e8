/* amd_memory.c - memrefs and nd tiles as LLVM IR: each lane loads and stores the elements it has, within the base. */
#include "xegpu/lower/amd.h"

#include <string.h>

static const char *space_of(const struct og_xa_memref *m) { return m->slm ? "addrspace(3)" : "addrspace(1)"; }
static const char *wide(struct og_xa *x, const char *name) { return og_xa_emit(x, "zext i32 %s to i64", name); }
static const char *stored(uint8_t type) { return type == OG_XE_I1 ? "i8" : og_xa_type(type); }

static const char *sum(struct og_xa *x, const char *a, const char *b) {
  return strcmp(b, "0") == 0 ? a : strcmp(a, "0") == 0 ? b : og_xa_emit(x, "add i64 %s, %s", a, b);
}
static const char *times(struct og_xa *x, const char *a, const char *b) {
  return strcmp(b, "1") == 0 ? a : strcmp(a, "0") == 0 ? a : og_xa_emit(x, "mul i64 %s, %s", a, b);
}

/* An access of one element where `in`, or always with NULL: a load yields zero elsewhere, a store leaves what is
 * there. */
static const char *load(struct og_xa *x, const struct og_xa_memref *m, uint8_t type, const char *offset,
                        const char *in) {
  if (in)
    offset = og_xa_emit(x, "select i1 %s, i64 %s, i64 0", in, offset);
  const char *at = og_xa_emit(x, "getelementptr %s, ptr %s %s, i64 %s", stored(type), space_of(m), m->base, offset);
  const char *value = og_xa_emit(x, "load %s, ptr %s %s", stored(type), space_of(m), at);
  if (type == OG_XE_I1)
    value = og_xa_emit(x, "trunc i8 %s to i1", value);
  return in ? og_xa_emit(x, "select i1 %s, %s %s, %s zeroinitializer", in, og_xa_type(type), value, og_xa_type(type))
            : value;
}

static void store(struct og_xa *x, const struct og_xa_memref *m, uint8_t type, const char *offset, const char *in,
                  const char *value) {
  const char *yes = in ? og_xa_label(x) : NULL, *end = in ? og_xa_label(x) : NULL;
  if (type == OG_XE_I1)
    value = og_xa_emit(x, "zext i1 %s to i8", value);
  if (in) {
    og_xa_line(x, "br i1 %s, label %%%s, label %%%s", in, yes, end);
    og_xa_begin(x, yes);
  }
  const char *at = og_xa_emit(x, "getelementptr %s, ptr %s %s, i64 %s", stored(type), space_of(m), m->base, offset);
  og_xa_line(x, "store %s %s, ptr %s %s", stored(type), value, space_of(m), at);
  if (in) {
    og_xa_line(x, "br label %%%s", end);
    og_xa_begin(x, end);
  }
}

/* ---- memrefs ----------------------------------------------------------------------------------------------------- */

static const struct og_xa_memref *memref_of(struct og_xa *x, struct og_mlir_value *value) {
  const struct og_xa_value *v = og_xa_of(x, value);
  return v->kind == OG_XA_MEMREF ? v->memref : NULL;
}

static bool access(struct og_xa *x, struct og_mlir_op *op, bool write) {
  uint32_t count;
  const char *name = op->row->id == OG_MLIR_OP_LOAD || op->row->id == OG_MLIR_OP_STORE ? "memref" : "base";
  struct og_mlir_value **indices = og_mlir_group(op, "indices", &count),
                       *value = write ? op->operands[0] : &op->results[0];
  const struct og_xa_memref *m = memref_of(x, og_mlir_operand(op, name));
  if (!m)
    return og_xa_refuse(x, op, "memory of this kind");
  struct og_xa_value v = write ? *og_xa_elements(x, value) : og_xa_new(x, value->type);
  const char *at = "0";
  for (uint32_t k = 0; k < count; k++)
    at = sum(x, at, times(x, og_xa_number(x, indices[k]), m->strides[k]));
  for (uint32_t i = 0; i < v.parts; i++) {
    const char *element = og_xa_element(x, i), *in = NULL, *offset = at;
    if (v.vector) {
      offset = sum(x, at, wide(x, element));
      in = (i + 1) * x->wave > v.count ? og_xa_emit(x, "icmp ult i32 %s, %u", element, v.count) : NULL;
    } else if (write) { /* once for the wave */
      in = og_xa_emit(x, "icmp eq i32 %%lane, 0");
    }
    if (write)
      store(x, m, v.type, offset, in, v.names[i]);
    else
      v.names[i] = load(x, m, v.type, offset, in);
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
  const struct og_xa_memref *from = memref_of(x, op->operands[0]);
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
    plane = sum(x, plane, times(x, offsets[k], m->strides[k]));
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
  names[0] = count > 1 ? sum(x, v.names[0], offsets[count - 2]) : v.names[0];
  names[1] = count ? sum(x, v.names[1], offsets[count - 1]) : v.names[1];
  v.names = names;
  og_xa_set(x, &op->results[0], v);
  return true;
}

/* Where the element that a lane has in a part lies, and whether that is within the base. */
static const char *place(struct og_xa *x, const struct og_xa_value *tile, og_mlir_type tdesc, const char *row,
                         const char *column, uint32_t part, uint32_t count, const char **in) {
  const struct og_xa_memref *m = tile->memref;
  uint32_t columns = (uint32_t)tdesc->ints[tdesc->int_count - 1],
           rows = tdesc->int_count == 2 ? (uint32_t)tdesc->ints[0] : 1;
  const char *element = og_xa_element(x, part), *q = wide(x, og_xa_emit(x, "udiv i32 %s, %u", element, columns)),
             *c = wide(x, og_xa_emit(x, "urem i32 %s, %u", element, columns)), *block = "0";
  if (count > rows * columns) { /* blocks side by side */
    block = og_xa_emit(x, "mul i64 %s, %u", og_xa_emit(x, "udiv i64 %s, %u", q, rows), columns);
    q = og_xa_emit(x, "urem i64 %s, %u", q, rows);
  }
  row = sum(x, row, q), column = sum(x, sum(x, column, c), block);
  *in = (part + 1) * x->wave > count ? og_xa_emit(x, "icmp ult i32 %s, %u", element, count) : NULL;
  bool two = tdesc->int_count == 2;
  if (!tile->unbounded) {
    const char *right = og_xa_emit(x, "icmp ult i64 %s, %s", column, m->sizes[m->rank - 1]);
    *in = *in ? og_xa_emit(x, "and i1 %s, %s", *in, right) : right;
    if (two)
      *in = og_xa_emit(x, "and i1 %s, %s", *in, og_xa_emit(x, "icmp ult i64 %s, %s", row, m->sizes[m->rank - 2]));
  }
  return two ? sum(x, times(x, row, m->strides[m->rank - 2]), column) : column;
}

static bool move(struct og_xa *x, struct og_mlir_op *op, bool write) {
  og_mlir_type tdesc = og_xe_tile_type(op);
  struct og_mlir_value *value = write ? op->operands[0] : &op->results[0];
  struct og_xa_value tile = *og_xa_of(x, og_mlir_operand(op, "TensorDesc")),
                     v = write ? *og_xa_elements(x, value) : og_xa_new(x, value->type);
  const char *offsets[OG_MLIR_RANK_MOST], *row = tile.names ? tile.names[0] : "0",
                                          *column = tile.names ? tile.names[1] : "0";
  og_mlir_attr array = og_mlir_field(tdesc->parts[1], "array_length"), transpose = og_mlir_find(op, "transpose"),
               vnni = og_mlir_find(op, "vnni_axis"), unit = og_mlir_find(op, "transpose_bit_width");
  uint32_t columns = (uint32_t)tdesc->ints[tdesc->int_count - 1],
           rows = tdesc->int_count == 2 ? (uint32_t)tdesc->ints[0] : 1,
           arrays = array ? (uint32_t)OG_MAX(array->ints[0], 1) : 1;
  if (tile.kind != OG_XA_TILE || v.count != rows * columns * arrays)
    return og_xa_refuse(x, op, "a lane's share of a tile, or a descriptor that is not made here");
  uint32_t count = og_xa_list(x, op, "const_offsets", "offsets", offsets);
  if (count > tdesc->int_count)
    return og_xa_refuse(x, op, "offsets of more dimensions than the tile");
  if (count)
    column = sum(x, column, offsets[count - 1]);
  if (count > 1)
    row = sum(x, row, offsets[count - 2]);
  for (uint32_t i = 0; i < v.parts; i++) {
    const char *in, *offset = place(x, &tile, tdesc, row, column, i, v.count, &in);
    if (write)
      store(x, tile.memref, v.type, offset, in, v.names[i]);
    else
      v.names[i] = load(x, tile.memref, v.type, offset, in);
  }
  if (write)
    return true;
  bool packed = og_mlir_find(op, "packed") || (vnni && vnni->ints[0] == 0),
       turned = transpose && transpose->int_count == 2 && transpose->ints[0] == 1;
  uint32_t size = og_xe_sizes[v.type], group = unit ? (uint32_t)unit->ints[0] / (size * 8) : 1,
           factor = packed ? (uint32_t)value->type->ints[value->type->int_count - 1] : 1, at = 0;
  if (packed || turned) {
    uint32_t *map = OG_NEW_ARRAY(x->arena, uint32_t, v.count);
    if (group < 1 || columns % group || factor < 1 || rows % factor)
      return og_xa_refuse(x, op, "the tile is not divisible by the unit of the transposition or the VNNI factor");
    for (uint32_t a = 0; a < arrays; a++)
      if (turned)
        for (uint32_t c = 0; c < columns; c += group)
          for (uint32_t r = 0; r < rows; r++)
            for (uint32_t g = 0; g < group; g++)
              map[at++] = a * rows * columns + r * columns + c + g;
      else
        for (uint32_t r = 0; r < rows; r += factor)
          for (uint32_t c = 0; c < columns; c++)
            for (uint32_t g = 0; g < factor; g++)
              map[at++] = a * rows * columns + (r + g) * columns + c;
    v = og_xa_permute(x, value->type, &v, map);
  }
  og_xa_set(x, value, v);
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
  case OG_MLIR_OP_PREFETCH_ND: return true; /* a hint */
  default: return !(*known = false);
  }
}
