/* read_types.c - the reader's types. */
#include "xegpu/reader.h"

#include <string.h>

bool og_mlir_at_type(const struct og_mlir_reader *r) {
  return og_mlir_at(r) == OG_MLIR_TOK_WORD || og_mlir_at(r) == OG_MLIR_TOK_TYPE || og_mlir_at(r) == '(';
}

static bool space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

/* 4x?x[8]x…: sizes are read by the character, since 4x8xf32 is no token. */
bool og_mlir_read_shape(struct og_mlir_reader *r, int64_t *shape, uint32_t *rank, uint32_t *scalable) {
  const char *at = r->lexer.token, *end = r->lexer.end;
  *rank = *scalable = 0;
  for (;;) {
    while (at < end && space(*at))
      at++;
    const char *from = at;
    bool bracket = at < end && *at == '[';
    at += bracket;
    int64_t value = 0;
    if (at < end && *at == '?') {
      value = OG_MLIR_DYNAMIC;
      at++;
    } else {
      const char *digits = at;
      for (; at < end && *at >= '0' && *at <= '9'; at++)
        if (__builtin_mul_overflow(value, 10, &value) || __builtin_add_overflow(value, *at - '0', &value))
          return og_mlir_fail(r, "invalid dimension");
      if (at == digits) {
        at = from;
        break;
      }
    }
    at += bracket && at < end && *at == ']';
    const char *x = at;
    while (x < end && space(*x))
      x++;
    if (x == end || *x != 'x')
      return og_mlir_fail(r, "expected 'x' in dimension list");
    at = x + 1;
    if (*rank == OG_MLIR_RANK_MOST)
      return og_mlir_fail(r, "more than %d dimensions", OG_MLIR_RANK_MOST);
    *scalable |= (uint32_t)bracket << *rank;
    shape[(*rank)++] = value;
  }
  r->lexer.at = at;
  og_mlir_next(r);
  return true;
}

bool og_mlir_read_type_list(struct og_mlir_reader *r, og_mlir_types *types) {
  do {
    og_mlir_type type = og_mlir_read_type(r);
    if (!type)
      return false;
    *OG_PUSH(r->arena, types) = type;
  } while (og_mlir_take(r, ','));
  return true;
}

static bool read_paren_types(struct og_mlir_reader *r, og_mlir_types *types) {
  if (!og_mlir_expect(r, '('))
    return false;
  return og_mlir_take(r, ')') || (og_mlir_read_type_list(r, types) && og_mlir_expect(r, ')'));
}

bool og_mlir_read_arrow_types(struct og_mlir_reader *r, og_mlir_types *types) {
  if (og_mlir_at(r) == '(')
    return read_paren_types(r, types);
  og_mlir_type type = og_mlir_read_type(r);
  if (type)
    *OG_PUSH(r->arena, types) = type;
  return type;
}

bool og_mlir_read_functional(struct og_mlir_reader *r, og_mlir_types *inputs, og_mlir_types *results) {
  return read_paren_types(r, inputs) && og_mlir_expect(r, OG_MLIR_TOK_ARROW) && og_mlir_read_arrow_types(r, results);
}

static og_mlir_type read_function(struct og_mlir_reader *r) {
  og_mlir_types types = {0};
  if (!read_paren_types(r, &types))
    return NULL;
  uint32_t inputs = types.count;
  if (!og_mlir_expect(r, OG_MLIR_TOK_ARROW) || !og_mlir_read_arrow_types(r, &types))
    return NULL;
  return og_mlir_function(r->in, types.items, inputs, types.count - inputs);
}

/* <…> with what is nested in it; the token after it is next. */
struct og_text og_mlir_balanced_text(struct og_mlir_reader *r) {
  const char *from = r->lexer.token;
  int depth = 0;
  do {
    int kind = og_mlir_at(r);
    depth += kind == '<' || kind == '(' || kind == '[' || kind == '{';
    depth -= kind == '>' || kind == ')' || kind == ']' || kind == '}';
    if (kind == OG_MLIR_TOK_END)
      return og_mlir_fail(r, "unexpected nul or EOF in pretty dialect name"), (struct og_text){0};
    if (depth == 0) {
      struct og_text text = {from, (size_t)(r->lexer.at - from)};
      og_mlir_next(r);
      return text;
    }
    og_mlir_next(r);
  } while (true);
}

/* Spaces and line ends as one space each. */
static struct og_text tidy(struct og_mlir_reader *r, struct og_text prefix, struct og_text text) {
  char *copy = og_arena_alloc(r->arena, prefix.size + text.size + 1), *to = copy;
  memcpy(to, prefix.data, prefix.size);
  to += prefix.size;
  for (size_t i = 0; i < text.size; i++)
    if (!space(text.data[i]))
      *to++ = text.data[i];
    else if (to[-1] != ' ')
      *to++ = ' ';
  return (struct og_text){copy, (size_t)(to - copy)};
}

/* ---- tensor descriptors ------------------------------------------------------------------------------------------ */

static bool is_layout(og_mlir_attr a) {
  return a->kind == OG_MLIR_STRUCT && (og_text_is(a->text, "xegpu.layout") || og_text_is(a->text, "xegpu.sg_map") ||
                                       og_text_is(a->text, "xegpu.slice"));
}
static bool is_encoding(og_mlir_attr a) {
  return a->kind == OG_MLIR_STRUCT &&
         (og_text_is(a->text, "xegpu.tdesc_attr") || og_text_is(a->text, "xegpu.block_tdesc_attr") ||
          og_text_is(a->text, "xegpu.scatter_tdesc_attr"));
}

struct descriptor {
  og_mlir_attr encoding, layout;
  OG_VECTOR(og_mlir_attr) fields; /* keys and values */
};

static bool take_attr(struct og_mlir_reader *r, struct descriptor *d, og_mlir_attr attr, uint32_t offset) {
  if (is_layout(attr) && (!d->layout || r->spelling == OG_MLIR_22)) {
    d->layout = attr;
    return true;
  }
  if (is_encoding(attr)) {
    d->encoding = attr;
    return true;
  }
  if (r->spelling == OG_MLIR_19 && !d->encoding && attr->kind != OG_MLIR_UNIT)
    return og_mlir_fail_at(r, offset, "Failed to parse the attribute field for TensorDescType.");
  return og_mlir_fail_at(r, offset, "Failed to parse the attribute of a tensor_desc: expected an encoding or a layout");
}

static bool old_spelling(const struct og_mlir_reader *r) {
  return r->spelling == OG_MLIR_RFC || r->spelling == OG_MLIR_FIRST;
}

static bool take_field(struct og_mlir_reader *r, struct descriptor *d, const char *name, og_mlir_attr value) {
  if (!value)
    return false;
  *OG_PUSH(r->arena, &d->fields) = og_mlir_text(r->in, OG_MLIR_STRING, og_text(name));
  *OG_PUSH(r->arena, &d->fields) = value;
  return true;
}

static bool read_part(struct og_mlir_reader *r, struct descriptor *d) {
  static const char *const names[] = {"memory_scope", "array_length", "boundary_check", "scattered",
                                      "chunk_size_per_lane"};
  uint32_t offset = og_mlir_here(r);
  og_mlir_type i1 = og_mlir_integer(r->in, 1, OG_MLIR_SIGNLESS);
  if (old_spelling(r) && og_mlir_at(r) == OG_MLIR_TOK_ATTR &&
      (strncasecmp(r->lexer.text.data, "scattered", OG_MAX(r->lexer.text.size, 9u)) == 0 ||
       og_text_is(r->lexer.text, "xegpu.scattered")) &&
      !og_map_get(&r->attr_aliases, r->lexer.text)) {
    og_mlir_next(r);
    return take_field(r, d, "scattered", og_mlir_int(r->in, 1, i1));
  }
  for (size_t i = 0; old_spelling(r) && i < OG_COUNT(names); i++)
    if (og_mlir_take_word(r, names[i]))
      return og_mlir_expect(r, '=') &&
             take_field(r, d, names[i], og_mlir_encoding_field(r, "xegpu.tdesc_attr", og_text(names[i])));
  og_mlir_attr attr = og_mlir_read_attr(r, NULL);
  return attr && take_attr(r, d, attr, offset);
}

/* Fields beside a tdesc_attr<…> are added to those in it. */
static void join_fields(struct og_mlir_reader *r, struct descriptor *d) {
  for (uint32_t i = 0; d->encoding && i < d->encoding->part_count; i++)
    *OG_PUSH(r->arena, &d->fields) = d->encoding->parts[i];
  if (!d->fields.count)
    return;
  static const char *const order[] = {"memory_scope", "array_length", "boundary_check", "scattered",
                                      "chunk_size_per_lane"};
  OG_VECTOR(og_mlir_attr) sorted = {0}; /* so that types are the same whatever the order of their fields */
  for (size_t k = 0; k < OG_COUNT(order); k++)
    for (uint32_t i = 0; i < d->fields.count; i += 2)
      if (og_text_is(d->fields.items[i]->text, order[k])) {
        *OG_PUSH(r->arena, &sorted) = d->fields.items[i];
        *OG_PUSH(r->arena, &sorted) = d->fields.items[i + 1];
      }
  for (uint32_t i = 0; i < d->fields.count; i += 2) /* sg = #map is the layout */
    d->layout = og_text_is(d->fields.items[i]->text, "sg") ? d->fields.items[i + 1] : d->layout;
  d->encoding = og_mlir_intern(r->in, &(struct og_mlir_node){.kind = OG_MLIR_STRUCT,
                                                             .text = OG_TEXT("xegpu.tdesc_attr"),
                                                             .part_count = sorted.count,
                                                             .parts = sorted.items});
}

/* What upstream's type itself refuses, before any operation is checked. */
static bool layout_fits(struct og_mlir_reader *r, uint32_t offset, const int64_t *shape, uint32_t rank,
                        og_mlir_type element, const struct descriptor *d) {
  if (rank == 0)
    return og_mlir_fail_at(r, offset, "expected non-zero rank tensor");
  og_mlir_attr chunk = og_mlir_field(d->encoding, "chunk_size");
  bool scattered = d->encoding && og_text_is(d->encoding->text, "xegpu.scatter_tdesc_attr");
  int64_t chunk_size = chunk ? chunk->ints[0] : 1;
  if (scattered && rank == 1 && chunk_size != 1)
    return og_mlir_fail_at(r, offset, "expected non-contiguous elements for 1D tensor");
  if (scattered && rank == 2 && chunk_size < 2)
    return og_mlir_fail_at(r, offset, "expected chunk blocks for 2D tensor");
  if (scattered && rank == 2 && shape[1] != chunk_size)
    return og_mlir_fail_at(r, offset, "expected last dim of tensor to match chunk size");
  uint32_t bits = og_mlir_bits(element);
  if (scattered && rank == 2 && bits && bits < 32 && shape[1] % (32 / bits))
    return og_mlir_fail_at(r, offset, "expected last dim of tensor to be a multiple of %u", 32 / bits);
  return true;
}

static og_mlir_type read_tensor_desc(struct og_mlir_reader *r) {
  int64_t shape[OG_MLIR_RANK_MOST];
  uint32_t rank, scalable, offset = og_mlir_here(r);
  struct descriptor d = {0};
  if (og_mlir_at(r) != '<')
    return og_mlir_expect(r, '<'), NULL;
  og_mlir_next(r);
  if (!og_mlir_read_shape(r, shape, &rank, &scalable))
    return NULL;
  og_mlir_type element = og_mlir_read_type(r);
  if (!element)
    return NULL;
  while (og_mlir_take(r, ','))
    if (!read_part(r, &d))
      return NULL;
  if (!og_mlir_expect(r, '>'))
    return NULL;
  if (old_spelling(r))
    join_fields(r, &d);
  if (r->spelling == OG_MLIR_22 && !layout_fits(r, offset, shape, rank, element, &d))
    return NULL;
  return og_mlir_shaped(r->in, OG_MLIR_TENSOR_DESC, shape, rank, element, d.encoding, d.layout);
}

/* mem_desc<4x8xf32, @…>: the layout is a struct in place. */
static og_mlir_type read_mem_desc(struct og_mlir_reader *r) {
  int64_t shape[OG_MLIR_RANK_MOST];
  uint32_t rank, scalable;
  og_mlir_attr layout = NULL;
  if (!og_mlir_expect(r, '<'))
    return NULL;
  if (!og_mlir_read_shape(r, shape, &rank, &scalable))
    return NULL;
  og_mlir_type element = og_mlir_read_type(r);
  if (!element || (og_mlir_take(r, ',') && !(layout = og_mlir_read_attr(r, NULL))) || !og_mlir_expect(r, '>'))
    return NULL;
  return og_mlir_shaped(r->in, OG_MLIR_MEM_DESC, shape, rank, element, layout, NULL);
}

/* ---- others ------------------------------------------------------------------------------------------------------ */

static og_mlir_type read_vector(struct og_mlir_reader *r) {
  int64_t shape[OG_MLIR_RANK_MOST];
  uint32_t rank, scalable;
  if (!og_mlir_expect(r, '<'))
    return NULL;
  uint32_t offset = og_mlir_here(r);
  if (!og_mlir_read_shape(r, shape, &rank, &scalable))
    return NULL;
  og_mlir_type element = og_mlir_read_type(r);
  if (!element || !og_mlir_expect(r, '>'))
    return NULL;
  for (uint32_t i = 0; i < rank; i++)
    if (shape[i] <= 0)
      return og_mlir_fail_at(r, offset, "vector types must have positive constant sizes but got %lld",
                             (long long)shape[i]),
             NULL;
  if (!og_mlir_is_float(element) && element->kind != OG_MLIR_INTEGER && element->kind != OG_MLIR_INDEX)
    return og_mlir_fail_at(r, offset, "failed to verify 'elementType': VectorElementTypeInterface instance"), NULL;
  return og_mlir_intern(r->in, &(struct og_mlir_node){.kind = OG_MLIR_VECTOR,
                                                      .flags = scalable,
                                                      .int_count = rank,
                                                      .ints = shape,
                                                      .part_count = 1,
                                                      .parts = &element});
}

static og_mlir_type read_memref(struct og_mlir_reader *r, bool tensor) {
  int64_t shape[OG_MLIR_RANK_MOST];
  uint32_t rank = 0, scalable;
  og_mlir_attr layout = NULL, memory = NULL;
  if (!og_mlir_expect(r, '<'))
    return NULL;
  bool unranked = og_mlir_at(r) == '*';
  uint32_t offset = og_mlir_here(r);
  if (unranked) { /* *xf32 */
    r->lexer.at += r->lexer.at < r->lexer.end && *r->lexer.at == 'x';
    og_mlir_next(r);
  } else if (!og_mlir_read_shape(r, shape, &rank, &scalable)) {
    return NULL;
  }
  og_mlir_type element = og_mlir_read_type(r);
  if (!element)
    return NULL;
  while (og_mlir_take(r, ',')) {
    og_mlir_attr attr = og_mlir_read_attr(r, NULL);
    if (!attr)
      return NULL;
    if (attr->kind == OG_MLIR_AFFINE_MAP || attr->kind == OG_MLIR_STRIDED)
      layout = attr;
    else
      memory = attr;
  }
  if (!og_mlir_expect(r, '>'))
    return NULL;
  if (layout && layout->kind == OG_MLIR_STRIDED && layout->int_count != rank + 1)
    return og_mlir_fail_at(r, offset, "expected the number of strides to match the rank"), NULL;
  if (unranked && !tensor) {
    const struct og_mlir_node *parts[] = {element, memory};
    return og_mlir_intern(r->in,
                          &(struct og_mlir_node){.kind = OG_MLIR_UNRANKED_MEMREF, .part_count = 2, .parts = parts});
  }
  if (!og_mlir_is_float(element) && element->kind != OG_MLIR_INTEGER && element->kind != OG_MLIR_INDEX &&
      element->kind != OG_MLIR_VECTOR && element->kind != OG_MLIR_MEMREF && element->kind != OG_MLIR_UNRANKED_MEMREF)
    return og_mlir_fail_at(r, offset, "invalid memref element type"), NULL;
  return og_mlir_shaped(r->in, tensor ? OG_MLIR_TENSOR : OG_MLIR_MEMREF, shape, rank, element, tensor ? memory : layout,
                        tensor ? NULL : memory);
}

/* i32, si8, ui64 and the RFC's int64, uint8, Uint8_t. */
static og_mlir_type integer_word(struct og_mlir_reader *r, struct og_text w) {
  enum og_mlir_sign sign = OG_MLIR_SIGNLESS;
  if (r->spelling == OG_MLIR_RFC) {
    struct og_text rest = w;
    if (og_text_skip(&rest, "uint") || og_text_skip(&rest, "Uint"))
      sign = OG_MLIR_UNSIGNED;
    else if (!og_text_skip(&rest, "int"))
      rest = (struct og_text){0};
    int64_t width = 0;
    for (; rest.size && *rest.data >= '0' && *rest.data <= '9' && width < 1000; rest.data++, rest.size--)
      width = width * 10 + *rest.data - '0';
    if (width && (!rest.size || og_text_is(rest, "_t")))
      return og_mlir_integer(r->in, width, sign);
    sign = OG_MLIR_SIGNLESS;
  }
  sign = og_text_skip(&w, "si") ? OG_MLIR_SIGNED : og_text_skip(&w, "ui") ? OG_MLIR_UNSIGNED : sign;
  if (sign == OG_MLIR_SIGNLESS && !og_text_skip(&w, "i"))
    return NULL;
  int64_t width = 0;
  if (!w.size || w.size > 8)
    return NULL;
  for (size_t i = 0; i < w.size; i++) {
    if (w.data[i] < '0' || w.data[i] > '9')
      return NULL;
    width = width * 10 + w.data[i] - '0';
  }
  if (width >= 1 << 24)
    return og_mlir_fail(r, "integer bitwidth is limited to 16777215 bits"), NULL;
  return og_mlir_integer(r->in, width, sign);
}

static og_mlir_type simple_word(struct og_mlir_reader *r, struct og_text w) {
  static const struct {
    const char *word;
    uint8_t kind;
  } words[] = {{"index", OG_MLIR_INDEX}, {"f32", OG_MLIR_F32}, {"f16", OG_MLIR_F16},   {"bf16", OG_MLIR_BF16},
               {"tf32", OG_MLIR_TF32},   {"f64", OG_MLIR_F64}, {"none", OG_MLIR_NONE}, {"float", OG_MLIR_F32},
               {"fp32", OG_MLIR_F32},    {"fp16", OG_MLIR_F16}};
  static const char *const floats[] = {"f80",        "f128",       "f8E5M2",        "f8E4M3FN", "f8E4M3",
                                       "f8E5M2FNUZ", "f8E4M3FNUZ", "f8E4M3B11FNUZ", "f8E3M4",   "f4E2M1FN",
                                       "f6E2M3FN",   "f6E3M2FN",   "f8E8M0FNU"};
  for (size_t i = 0; i < OG_COUNT(words) - (r->spelling == OG_MLIR_RFC ? 0 : 3); i++)
    if (og_text_is(w, words[i].word))
      return og_mlir_simple(r->in, words[i].kind);
  for (size_t i = 0; i < OG_COUNT(floats); i++)
    if (og_text_is(w, floats[i]))
      return og_mlir_text(r->in, OG_MLIR_OTHER_FLOAT, w);
  return integer_word(r, w);
}

static og_mlir_type read_dialect_type(struct og_mlir_reader *r) {
  struct og_text name = r->lexer.text;
  uint32_t offset = og_mlir_here(r);
  og_mlir_type alias = og_map_get(&r->type_aliases, name);
  og_mlir_next(r);
  if (alias)
    return alias;
  if (og_text_is(name, "xegpu.tensor_desc"))
    return read_tensor_desc(r);
  if (og_text_is(name, "xegpu.mem_desc") && r->spelling == OG_MLIR_22)
    return read_mem_desc(r);
  if (og_text_is(name, "xegpu.nbarrier") || (r->spelling == OG_MLIR_RFC && og_text_is(name, "XeGPU.nbarrier")))
    return og_mlir_simple(r->in, OG_MLIR_NBARRIER);
  if (!memchr(name.data, '.', name.size))
    return og_mlir_fail_at(r, offset, "undefined symbol alias id '%.*s'", OG_TEXT_ARGS(name)), NULL;
  if (og_text_is(name, "gpu.async.token"))
    return og_mlir_text(r->in, OG_MLIR_DIALECT_TYPE, name);
  struct og_text body = {0};
  if (!strncmp(name.data, "llvm.", 5) || !strncmp(name.data, "gpu.", 4) || !strncmp(name.data, "spirv.", 6)) {
    if (og_mlir_at(r) == '<' && !(body = og_mlir_balanced_text(r)).size)
      return NULL;
    return og_mlir_text(r->in, OG_MLIR_DIALECT_TYPE, tidy(r, name, body));
  }
  return og_mlir_fail_at(r, offset, "unknown  type `%.*s`", OG_TEXT_ARGS(name)), NULL;
}

static og_mlir_type read_word_type(struct og_mlir_reader *r) {
  struct og_text w = r->lexer.text;
  size_t errors = og_diagnostics_errors(r->diagnostics);
  og_mlir_type simple = simple_word(r, w);
  if (simple || og_diagnostics_errors(r->diagnostics) > errors)
    return og_mlir_next(r), simple;
  bool rfc = r->spelling == OG_MLIR_RFC;
  bool vector = og_text_is(w, "vector") || (rfc && og_text_is(w, "Vector"));
  if (!vector && !og_text_is(w, "memref") && !og_text_is(w, "tensor") && !og_text_is(w, "tuple") &&
      !og_text_is(w, "complex") &&
      !(rfc && (og_text_is(w, "tensor_desc") || og_text_is(w, "tile") || og_text_is(w, "nbarrier"))))
    return og_mlir_fail(r, "expected non-function type"), NULL;
  og_mlir_next(r);
  if (vector)
    return read_vector(r);
  if (og_text_is(w, "memref") || og_text_is(w, "tensor"))
    return read_memref(r, og_text_is(w, "tensor"));
  if (og_text_is(w, "nbarrier"))
    return og_mlir_simple(r->in, OG_MLIR_NBARRIER);
  if (og_text_is(w, "tuple") || og_text_is(w, "complex")) {
    og_mlir_types types = {0};
    if (!og_mlir_expect(r, '<') || (og_mlir_at(r) != '>' && !og_mlir_read_type_list(r, &types)) ||
        !og_mlir_expect(r, '>'))
      return NULL;
    return og_mlir_intern(r->in, &(struct og_mlir_node){.kind = OG_MLIR_TUPLE,
                                                        .text = og_text_is(w, "complex") ? w : (struct og_text){0},
                                                        .part_count = types.count,
                                                        .parts = types.items});
  }
  return read_tensor_desc(r);
}

og_mlir_type og_mlir_read_type(struct og_mlir_reader *r) {
  if (!og_mlir_enter(r))
    return NULL;
  og_mlir_type type = NULL;
  if (og_mlir_at(r) == '(')
    type = read_function(r);
  else if (og_mlir_at(r) == OG_MLIR_TOK_TYPE)
    type = read_dialect_type(r);
  else if (og_mlir_at(r) == OG_MLIR_TOK_WORD)
    type = read_word_type(r);
  else
    og_mlir_fail(r, "expected non-function type");
  r->depth--;
  return type;
}
