/* values.c - variables, operands and instructions of vISA, for any number of elements, in steps that fit into two
 * registers. */
#include "xegpu/lower/visa.h"

#include <string.h>

const char *const og_xv_names[OG_XV_TYPES] = {"uw", "b", "w", "d", "q", "hf", "bf", "f", "df", "ub", "uw", "ud", "uq"};
const uint8_t og_xv_sizes[OG_XV_TYPES] = {2, 1, 2, 4, 8, 2, 2, 4, 8, 1, 2, 4, 8};

bool og_xv_refuse(struct og_xv *x, const struct og_mlir_op *op, const char *why) {
  if (!x->failed)
    og_error(x->diagnostics, (struct og_range){&x->module->source, op->offset, op->size}, "'%s' op is not lowered: %s",
             op->row->name, why);
  x->failed = true;
  return false;
}

/* ---- what stands for values -------------------------------------------------------------------------------------- */

struct og_xv_place *og_xv_place(struct og_xv *x, struct og_mlir_value *value) {
  if (!value->slot) {
    *OG_PUSH(x->arena, &x->places) = (struct og_xv_place){0};
    value->slot = x->places.count;
  }
  return &x->places.items[value->slot - 1];
}

uint32_t og_xv_count(const struct og_xv *x, og_mlir_type type) {
  uint32_t each = x->lanes ? OG_XV_LANES : 1;
  return type->kind == OG_MLIR_VECTOR ? (uint32_t)OG_MIN(OG_MAX(og_mlir_elements(type), 1), 1 << 16) * each : 1;
}

struct og_xv_ref og_xv_new(struct og_xv *x, uint8_t type, uint32_t count) {
  enum { REGISTERS_MOST = 256 };
  uint32_t bytes = count * og_xv_sizes[type];
  if (bytes > REGISTERS_MOST * OG_XV_GRF && !x->failed) {
    og_error(x->diagnostics, (struct og_range){&x->module->source, x->kernel->offset, x->kernel->size},
             "a value of %u bytes is too large for the registers", bytes);
    x->failed = true;
  }
  const char *align = count > 1                ? "wordx32"
                      : og_xv_sizes[type] == 8 ? "qword"
                      : og_xv_sizes[type] == 4 ? "dword"
                                               : "word";
  uint32_t variable = x->variables.count;
  og_buffer_printf(&x->declarations, ".decl V%u v_type=G type=%s num_elts=%u align=%s\n", variable, og_xv_names[type],
                   count, align);
  *OG_PUSH(x->arena, &x->variables) = (struct og_xv_variable){.base = variable, .bytes = bytes};
  return (struct og_xv_ref){.variable = variable, .type = type, .stride = count > 1};
}

/* A variable of this type for the same bytes as another one; it is declared when it is first used. */
static uint32_t alias_of(struct og_xv *x, uint32_t variable, uint8_t type) {
  struct og_xv_variable *base = &x->variables.items[x->variables.items[variable].base];
  uint32_t of = x->variables.items[variable].base;
  if (!base->views[type]) {
    base->views[type] = x->variables.count;
    og_buffer_printf(&x->declarations, ".decl V%u v_type=G type=%s num_elts=%u alias=<V%u, 0>\n", x->variables.count,
                     og_xv_names[type], base->bytes / og_xv_sizes[type], of);
    *OG_PUSH(x->arena, &x->variables) = (struct og_xv_variable){.base = of};
  }
  return x->variables.items[of].views[type];
}

struct og_xv_ref og_xv_view(struct og_xv *x, struct og_xv_ref ref, uint8_t type) {
  uint32_t size = og_xv_sizes[type], from = og_xv_sizes[ref.type];
  if (ref.type == type)
    return ref;
  if (!ref.immediate) {
    ref.variable = alias_of(x, ref.variable, type);
    ref.first = ref.first * from / size;
  }
  ref.type = type;
  return ref;
}

struct og_xv_ref og_xv_part(struct og_xv *x, struct og_xv_ref ref, uint8_t type, uint32_t part) {
  uint32_t ratio = (uint32_t)og_xv_sizes[ref.type] / og_xv_sizes[type];
  if (ref.immediate)
    return og_xv_number(type, ref.bits >> part * og_xv_sizes[type] * 8);
  ref = og_xv_view(x, ref, type);
  ref.first += part;
  ref.stride = (uint8_t)(ref.stride * ratio);
  return ref;
}

struct og_xv_ref og_xv_at(struct og_xv_ref ref, uint32_t element) {
  ref.first += element * ref.stride;
  return ref;
}

struct og_xv_ref og_xv_scalar(struct og_xv_ref ref, uint32_t element) {
  ref = og_xv_at(ref, element);
  ref.stride = 0;
  return ref;
}

struct og_xv_ref og_xv_number(uint8_t type, uint64_t bits) {
  return (struct og_xv_ref){.type = type, .immediate = true, .bits = bits};
}

struct og_xv_ref og_xv_register(struct og_xv *x, struct og_xv_ref ref, uint32_t count) {
  if (!ref.immediate && ref.first == 0 && ref.stride == (count > 1))
    return ref;
  struct og_xv_ref to = og_xv_new(x, ref.type, count);
  og_xv_move(x, to, ref, count);
  return to;
}

struct og_xv_ref og_xv_value(struct og_xv *x, struct og_mlir_value *value) {
  struct og_xv_place *place = og_xv_place(x, value);
  if (place->kind != OG_XV_ELEMENTS && !x->failed)
    og_xv_refuse(x, value->op ? value->op : x->kernel, "a value of this kind cannot be used here");
  return place->ref;
}

struct og_xv_ref og_xv_result(struct og_xv *x, struct og_mlir_value *value) {
  uint8_t type = OG_XV_D;
  if (!og_xe_scalar(value->type, &type) || (value->type->kind == OG_MLIR_VECTOR && value->type->flags))
    og_xv_refuse(x, value->op ? value->op : x->kernel, "values of this type have no registers");
  struct og_xv_ref ref = og_xv_new(x, type, og_xv_count(x, value->type));
  og_xv_set(x, value, ref);
  return ref;
}

void og_xv_set(struct og_xv *x, struct og_mlir_value *value, struct og_xv_ref ref) {
  *og_xv_place(x, value) =
      (struct og_xv_place){.kind = OG_XV_ELEMENTS, .count = og_xv_count(x, value->type), .ref = ref};
}

/* ---- text -------------------------------------------------------------------------------------------------------- */

struct og_buffer *og_xv_out(struct og_xv *x) {
  return x->in_entry ? &x->entry : &x->body;
}

void og_xv_line(struct og_xv *x, const char *format, ...) {
  va_list args;
  va_start(args, format);
  og_buffer_printf(og_xv_out(x), "    %s\n", og_arena_vprintf(x->arena, format, args));
  va_end(args);
}

static void put_origin(struct og_buffer *out, struct og_xv_ref ref, uint32_t element) {
  uint32_t byte = (ref.first + element * ref.stride) * og_xv_sizes[ref.type];
  og_buffer_printf(out, "V%u(%u,%u)", ref.variable, byte / OG_XV_GRF, byte % OG_XV_GRF / og_xv_sizes[ref.type]);
}

void og_xv_put_source(struct og_xv *x, struct og_buffer *out, struct og_xv_ref ref, uint32_t element, uint32_t width) {
  (void)x;
  if (ref.immediate) {
    uint8_t size = og_xv_sizes[ref.type];
    uint64_t bits = size == 8 ? ref.bits : ref.bits & ((UINT64_C(1) << size * 8) - 1);
    if (size == 1) /* there are no immediates of a byte */
      bits = ref.type == OG_XV_B ? (uint16_t)(int8_t)bits : bits;
    og_buffer_printf(out, "0x%llx:%s", (unsigned long long)bits,
                     size == 1 ? (ref.type == OG_XV_B ? "w" : "uw") : og_xv_names[ref.type]);
    return;
  }
  if (ref.negated)
    og_buffer_text(out, "(-)");
  put_origin(out, ref, element);
  if (ref.stride == 0 || width == 1)
    og_buffer_text(out, "<0;1,0>");
  else
    og_buffer_printf(out, "<%u;1,0>", ref.stride);
}

void og_xv_put_target(struct og_buffer *out, struct og_xv_ref ref, uint32_t element) {
  put_origin(out, ref, element);
  og_buffer_printf(out, "<%u>", OG_MAX(ref.stride, 1u));
}

const char *og_xv_operand(struct og_xv *x, struct og_xv_ref ref) {
  struct og_buffer text = {0};
  og_xv_put_source(x, &text, ref, 0, 1);
  const char *copy = og_arena_copy(x->arena, (const char *)text.data, text.size);
  og_buffer_free(&text);
  return copy;
}

void og_xv_jump(struct og_xv *x, uint32_t label, uint32_t predicate, bool unless) {
  if (predicate)
    og_xv_line(x, "(%sP%u) jmp (M1, 1) L%u", unless ? "!" : "", predicate, label);
  else
    og_xv_line(x, "jmp (M1, 1) L%u", label);
}

void og_xv_label(struct og_xv *x, uint32_t label) { og_buffer_printf(og_xv_out(x), "\nL%u:\n", label); }

/* ---- elementwise ------------------------------------------------------------------------------------------------- */

/* How many elements from `element` on fit into one instruction: an operand may span two registers, or four with 64-bit
 * elements. */
static uint32_t limit(struct og_xv_ref ref, uint32_t element, uint32_t count) {
  uint32_t size = og_xv_sizes[ref.type], room = (size == 8 ? 4 : 2) * OG_XV_GRF;
  if (ref.immediate || ref.stride == 0)
    return count;
  if (ref.stride > 32 || (ref.stride & (ref.stride - 1)))
    return 1;
  uint32_t start = (ref.first + element * ref.stride) * size % OG_XV_GRF;
  while (count > 1 && start + ((count - 1) * ref.stride + 1) * size > room)
    count /= 2;
  return count;
}

static uint32_t step(uint32_t left, uint32_t element, const struct og_xv_ref *operands, uint32_t operand_count) {
  uint32_t count = operands[0].stride > 4 ? 1 : 32; /* a destination's stride is 1, 2 or 4 */
  for (uint32_t i = 0; i < operand_count; i++)
    if (og_xv_sizes[operands[i].type] == 8)
      count = 16;
  while (count > left)
    count /= 2;
  for (uint32_t i = 0; i < operand_count; i++)
    count = limit(operands[i], element, count);
  return count;
}

/* bfloats have no immediates. */
static struct og_xv_ref source_of(struct og_xv *x, struct og_xv_ref ref) {
  if (!ref.immediate || ref.type != OG_XV_BF)
    return ref;
  struct og_xv_ref to = og_xv_new(x, OG_XV_BF, 1), words = og_xv_view(x, to, OG_XV_UW);
  og_xv_line(x, "mov (M1_NM, 1) V%u(0,0)<1> 0x%x:uw", words.variable, (unsigned)ref.bits & 0xffff);
  return to;
}

void og_xv_apply(struct og_xv *x, const char *mnemonic, struct og_xv_ref to, uint32_t count, const struct og_xv_ref *a,
                 const struct og_xv_ref *b, const struct og_xv_ref *c) {
  struct og_xv_ref operands[4] = {to};
  uint32_t n = 1;
  const struct og_xv_ref *const sources[] = {a, b, c};
  for (uint32_t i = 0; i < 3; i++)
    if (sources[i])
      operands[n++] = source_of(x, *sources[i]);
  struct og_buffer *out = og_xv_out(x);
  if (x->failed) /* an error has been reported */
    return;
  for (uint32_t at = 0, width; at < count; at += width) {
    width = step(count - at, at, operands, n);
    og_buffer_printf(out, "    %s (M1_NM, %u) ", mnemonic, width);
    og_xv_put_target(out, to, at);
    for (uint32_t i = 1; i < n; i++) {
      og_buffer_text(out, " ");
      og_xv_put_source(x, out, operands[i], at, width);
    }
    og_buffer_text(out, "\n");
  }
}

void og_xv_move(struct og_xv *x, struct og_xv_ref to, struct og_xv_ref from, uint32_t count) {
  if (to.type == OG_XV_BF && from.type == OG_XV_BF && !from.negated) { /* as bits, not as numbers */
    to = og_xv_view(x, to, OG_XV_UW);
    from = og_xv_view(x, from, OG_XV_UW);
  }
  og_xv_apply(x, "mov", to, count, &from, NULL, NULL);
}

static uint32_t next_predicate(struct og_xv *x) {
  enum { PREDICATES = 8 };
  return x->predicates++ % PREDICATES + 1;
}

static void put_predicated(struct og_xv *x, uint32_t predicate, struct og_xv_ref to, uint32_t at, uint32_t width,
                           const char *mnemonic, struct og_xv_ref a, const struct og_xv_ref *b) {
  struct og_buffer *out = og_xv_out(x);
  og_buffer_printf(out, "    (P%u) %s (M1_NM, %u) ", predicate, mnemonic, width);
  og_xv_put_target(out, to, at);
  og_buffer_text(out, " ");
  og_xv_put_source(x, out, a, at, width);
  if (b) {
    og_buffer_text(out, " ");
    og_xv_put_source(x, out, *b, at, width);
  }
  og_buffer_text(out, "\n");
}

static void put_comparison(struct og_xv *x, uint32_t predicate, const char *relation, struct og_xv_ref a,
                           struct og_xv_ref b, uint32_t at, uint32_t width) {
  struct og_buffer *out = og_xv_out(x);
  og_buffer_printf(out, "    cmp.%s (M1_NM, %u) P%u ", relation, width, predicate);
  og_xv_put_source(x, out, a, at, width);
  og_buffer_text(out, " ");
  og_xv_put_source(x, out, b, at, width);
  og_buffer_text(out, "\n");
}

void og_xv_compare(struct og_xv *x, const char *relation, struct og_xv_ref to, uint32_t count, struct og_xv_ref a,
                   struct og_xv_ref b) {
  a = source_of(x, a), b = source_of(x, b);
  const struct og_xv_ref operands[] = {to, a, b}, one = og_xv_number(OG_XV_UW, 1), zero = og_xv_number(OG_XV_UW, 0);
  for (uint32_t at = 0, width; at < count; at += width) {
    width = step(count - at, at, operands, 3);
    uint32_t predicate = next_predicate(x);
    put_comparison(x, predicate, relation, a, b, at, width);
    put_predicated(x, predicate, to, at, width, "sel", one, &zero);
  }
}

uint32_t og_xv_predicate(struct og_xv *x, struct og_xv_ref truth, uint32_t count) {
  uint32_t predicate = next_predicate(x);
  struct og_xv_ref bits = truth;
  if (truth.immediate) { /* the same in all channels */
    og_xv_line(x, "setp (M1_NM, %u) P%u 0x%x:ud", count, predicate, truth.bits & 1 ? 0xffffffffu : 0u);
    return predicate;
  }
  put_comparison(x, predicate, "ne", bits, og_xv_number(OG_XV_UW, 0), 0, count);
  return predicate;
}

void og_xv_choose(struct og_xv *x, struct og_xv_ref to, uint32_t count, struct og_xv_ref condition, struct og_xv_ref a,
                  struct og_xv_ref b) {
  a = source_of(x, a), b = source_of(x, b);
  if (to.type == OG_XV_BF) /* as bits, not as numbers */
    to = og_xv_view(x, to, OG_XV_UW), a = og_xv_view(x, a, OG_XV_UW), b = og_xv_view(x, b, OG_XV_UW);
  const struct og_xv_ref operands[] = {to, condition, a, b};
  for (uint32_t at = 0, width; at < count; at += width) {
    width = step(count - at, at, operands, 4);
    uint32_t predicate = og_xv_predicate(x, og_xv_at(condition, at), width);
    put_predicated(x, predicate, to, at, width, "sel", a, &b);
  }
}

/* ---- moving elements about --------------------------------------------------------------------------------------- */

/* How many of the elements k, k + apart, … come from places at a fixed distance that a region can have; *by: the
 * distance. */
static uint32_t run_of(const uint32_t *map, const bool *done, uint32_t k, uint32_t apart, uint32_t count,
                       uint32_t *by) {
  uint32_t length = 1;
  if (k + apart >= count || done[k + apart] || map[k + apart] < map[k])
    return 1;
  uint32_t stride = map[k + apart] - map[k];
  if (stride > 32 || (stride & (stride - 1)))
    return 1;
  while (k + length * apart < count && length < 32 && !done[k + length * apart] &&
         map[k + length * apart] == map[k] + length * stride)
    length++;
  *by = stride;
  return length;
}

void og_xv_permute(struct og_xv *x, struct og_xv_ref to, struct og_xv_ref from, const uint32_t *map, uint32_t count) {
  if (from.immediate) {
    og_xv_move(x, to, from, count);
    return;
  }
  static const uint8_t same_size[] = {[1] = OG_XV_UB, [2] = OG_XV_UW, [4] = OG_XV_UD, [8] = OG_XV_UQ};
  to = og_xv_view(x, to, same_size[og_xv_sizes[to.type]]);
  from = og_xv_view(x, from, same_size[og_xv_sizes[from.type]]);
  if (x->failed)
    return;
  bool *done = OG_NEW_ARRAY(x->arena, bool, count);
  for (uint32_t k = 0; k < count; k++)
    done[k] = map[k] == UINT32_MAX;
  for (uint32_t k = 0; k < count; k++) {
    if (done[k])
      continue;
    uint32_t best = 1, apart = 1, stride = 0;
    for (uint32_t a = 1; a <= 4; a *= 2) {
      uint32_t by = 0, length = run_of(map, done, k, a, count, &by);
      if (length > best)
        best = length, apart = a, stride = by;
    }
    struct og_xv_ref target = og_xv_at(to, k), source = og_xv_at(from, map[k]);
    target.stride = (uint8_t)(OG_MAX(to.stride, 1u) * apart);
    source.stride = (uint8_t)(from.stride * stride);
    uint32_t width = 32;
    while (width > best)
      width /= 2;
    width = OG_MIN(limit(target, 0, width), limit(source, 0, width));
    og_xv_apply(x, "mov", target, width, &source, NULL, NULL);
    for (uint32_t i = 0; i < width; i++)
      done[k + i * apart] = true;
  }
}
