/* host.c - functions that modules declare without a body, as tests of MLIR do: printMemref*, printAllclose*. */
#include "xegpu/exec/exec.h"

#include <math.h>
#include <string.h>

static const struct og_xe_memref *unranked(const struct og_xe_inst *i, const uint8_t *f, uint32_t k) {
  const struct {
    struct og_text name;
    const void *callee, *code;
    const uint32_t *arguments;
  } *call = i->data;
  og_mlir_type type = k < i->op->operand_count ? i->op->operands[k]->type : NULL;
  if (!type)
    return NULL;
  return type->kind == OG_MLIR_UNRANKED_MEMREF ? ((const struct og_xe_unranked *)(f + call->arguments[k]))->memref
         : type->kind == OG_MLIR_MEMREF        ? (const struct og_xe_memref *)(f + call->arguments[k])
                                               : NULL;
}

static const int64_t *strides_of(const struct og_xe_memref *m) { return m->sizes + OG_MAX(m->rank, 1); }

static void print_number(struct og_buffer *out, uint8_t type, const uint8_t *at) {
  if (type >= OG_XE_F16)
    og_buffer_printf(out, "%g", og_xe_number(type, at));
  else
    og_buffer_printf(out, "%lld", (long long)og_xe_integer(type, at));
}

static bool print_dimension(struct og_buffer *out, const struct og_xe_memref *m, uint8_t type, int64_t dimension,
                            int64_t at) {
  uint32_t size = og_xe_sizes[type];
  if (dimension == m->rank) {
    const uint8_t *address = m->base + at * (int64_t)size;
    if (!og_xe_inside(m->memory, address, size))
      return false;
    print_number(out, type, address);
    return true;
  }
  og_buffer_text(out, "[");
  for (int64_t k = 0; k < m->sizes[dimension]; k++) {
    if (k && dimension + 1 == m->rank)
      og_buffer_text(out, ",   ");
    else if (k)
      og_buffer_printf(out, ", \n%*s", (int)dimension + 1, "");
    if (!print_dimension(out, m, type, dimension + 1, at + k * strides_of(m)[dimension]))
      return false;
  }
  og_buffer_text(out, "]");
  return true;
}

static void print_list(struct og_buffer *out, const int64_t *values, int64_t count) {
  og_buffer_text(out, "[");
  for (int64_t k = 0; k < count; k++)
    og_buffer_printf(out, "%s%lld", k ? ", " : "", (long long)values[k]);
  og_buffer_text(out, "]");
}

static bool print_memref(struct og_xe_thread *t, const struct og_xe_inst *i, uint8_t *f, uint8_t type) {
  const struct og_xe_memref *m = unranked(i, f, 0);
  struct og_buffer *out = t->machine->run->out;
  if (!m)
    return og_xe_fault(t, i, "a memref is expected");
  og_buffer_printf(out, "Unranked Memref base@ = %p rank = %lld offset = %lld sizes = ", (void *)m->base,
                   (long long)m->rank, (long long)m->offset);
  print_list(out, m->sizes, m->rank);
  og_buffer_text(out, " strides = ");
  print_list(out, strides_of(m), m->rank);
  og_buffer_text(out, " data = \n");
  if (!print_dimension(out, m, type, 0, m->offset))
    return og_xe_fault(t, i, "the memref is outside of its memory, or freed");
  og_buffer_text(out, "\n");
  return true;
}

/* The greatest difference between two memrefs; false: their shapes differ, or they cannot be read. */
static bool compare(const struct og_xe_memref *a, const struct og_xe_memref *b, uint8_t ta, uint8_t tb, bool *close,
                    double *most) {
  int64_t count = 1;
  *close = true;
  *most = 0;
  if (a->rank != b->rank)
    return false;
  for (int64_t d = 0; d < a->rank; d++) {
    if (a->sizes[d] != b->sizes[d])
      return false;
    count *= a->sizes[d];
  }
  for (int64_t k = 0; k < count; k++) {
    int64_t x = a->offset, y = b->offset, flat = k;
    for (int64_t d = a->rank; d-- > 0; flat /= a->sizes[d]) {
      x += flat % a->sizes[d] * strides_of(a)[d];
      y += flat % a->sizes[d] * strides_of(b)[d];
    }
    const uint8_t *p = a->base + x * og_xe_sizes[ta], *q = b->base + y * og_xe_sizes[tb];
    if (!og_xe_inside(a->memory, p, og_xe_sizes[ta]) || !og_xe_inside(b->memory, q, og_xe_sizes[tb]))
      return false;
    double u = og_xe_number(ta, p), v = og_xe_number(tb, q), difference = fabs(u - v);
    *most = difference > *most ? difference : *most;
    *close &= difference <= 1e-4 + 1e-4 * fabs(v) || (isnan(u) && isnan(v)) || u == v;
  }
  return true;
}

static bool print_close(struct og_xe_thread *t, const struct og_xe_inst *i, uint8_t *f, uint8_t type, bool error) {
  const struct og_xe_memref *a = unranked(i, f, 0), *b = unranked(i, f, 1);
  uint8_t tb = type;
  bool close;
  double most;
  if (!a || !b)
    return og_xe_fault(t, i, "two memrefs are expected");
  og_xe_scalar(i->op->operands[0]->type, &type); /* half results may have float references */
  og_xe_scalar(i->op->operands[1]->type, &tb);
  if (!compare(a, b, type, tb, &close, &most))
    return og_xe_fault(t, i, "two memrefs of one shape are expected");
  if (error)
    og_buffer_printf(t->machine->run->out, "[MAX ERROR: %g]\n", most);
  else
    og_buffer_printf(t->machine->run->out, "[ALLCLOSE: %s]\n", close ? "TRUE" : "FALSE");
  return true;
}

/* fillResource1DF32(%m, %value): all elements; …Random…: a sequence that is always the same. */
static bool fill(struct og_xe_thread *t, const struct og_xe_inst *i, uint8_t *f) {
  const struct {
    struct og_text name;
    const void *callee, *code;
    const uint32_t *arguments;
  } *call = i->data;
  const struct og_xe_memref *m = unranked(i, f, 0);
  uint8_t type, from;
  if (!m || i->op->operand_count != 2 || !og_xe_scalar(i->op->operands[0]->type, &type) ||
      !og_xe_scalar(i->op->operands[1]->type, &from) || m->rank != 1)
    return og_xe_fault(t, i, "a memref of one dimension and a value are expected");
  float value = (float)og_xe_number(from, f + call->arguments[1]);
  for (int64_t k = 0; k < m->sizes[0]; k++) {
    uint8_t *at = m->base + (m->offset + k * strides_of(m)[0]) * og_xe_sizes[type];
    if (!og_xe_inside(m->memory, at, og_xe_sizes[type]))
      return og_xe_fault(t, i, "the memref is outside of its memory");
    og_xe_touch(t, i, m->memory, at, og_xe_sizes[type], OG_XE_WRITE);
    int64_t whole = value >= -0x1p63f && value < 0x1p63f ? (int64_t)value : 0;
    if (type < OG_XE_F16)
      memcpy(at, &whole, og_xe_sizes[type]);
    else if (type == OG_XE_F64)
      memcpy(at, &(double){value}, 8);
    else
      og_xe_from_floats(type, &value, at, 1);
  }
  return true;
}

bool og_xe_host_call(struct og_xe_thread *t, const struct og_xe_inst *i, struct og_text name, uint8_t *f, bool *known) {
  static const struct {
    const char *suffix;
    uint8_t type;
  } types[] = {{"BF16", OG_XE_BF16}, {"F16", OG_XE_F16}, {"F32", OG_XE_F32}, {"F64", OG_XE_F64}, {"I8", OG_XE_I8},
               {"I16", OG_XE_I16},   {"I32", OG_XE_I32}, {"I64", OG_XE_I64}, {"Ind", OG_XE_I64}};
  struct og_text rest = name;
  bool close = og_text_skip(&rest, "printAllclose"), error = !close && og_text_skip(&rest, "printMaxError");
  bool print = !close && !error && og_text_skip(&rest, "printMemref");
  bool fills = !close && !error && !print && og_text_skip(&rest, "fillResource1D");
  for (size_t k = 0; k < OG_COUNT(types); k++)
    if ((close || error || print || fills) && og_text_is(rest, types[k].suffix)) {
      *known = true;
      return fills   ? fill(t, i, f)
             : print ? print_memref(t, i, f, types[k].type)
                     : print_close(t, i, f, types[k].type, error);
    }
  return false;
}
