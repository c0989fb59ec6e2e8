/* read_dialect.c - the reader's attributes of dialects, such as `#xegpu.layout<…>`, and dense<…>. */
#include "base/floats.h"
#include "xegpu/reader.h"

#include <stdlib.h>
#include <string.h>

enum field_kind { FIELD_SPACE, FIELD_INT, FIELD_BOOL, FIELD_INTS, FIELD_LAYOUT };
struct field_row {
  const char *of, *name;
  uint8_t kind;
  uint8_t spellings;
  int8_t standard; /* a value that means the same as none; -1: there is none */
};
static const struct field_row fields[] = {
    {"xegpu.layout", "sg_layout", FIELD_INTS, 8, -1},
    {"xegpu.layout", "sg_data", FIELD_INTS, 8, -1},
    {"xegpu.layout", "inst_data", FIELD_INTS, 8, -1},
    {"xegpu.layout", "lane_layout", FIELD_INTS, 8, -1},
    {"xegpu.layout", "lane_data", FIELD_INTS, 8, -1},
    {"xegpu.layout", "order", FIELD_INTS, 8, -1},
    {"xegpu.sg_map", "wi_layout", FIELD_INTS, 3, -1},
    {"xegpu.sg_map", "wi_data", FIELD_INTS, 3, -1},
    {"xegpu.block_tdesc_attr", "memory_space", FIELD_SPACE, 8, 0},
    {"xegpu.block_tdesc_attr", "array_length", FIELD_INT, 8, 1},
    {"xegpu.block_tdesc_attr", "boundary_check", FIELD_BOOL, 8, 1},
    {"xegpu.scatter_tdesc_attr", "memory_space", FIELD_SPACE, 8, 0},
    {"xegpu.scatter_tdesc_attr", "chunk_size", FIELD_INT, 8, 1},
    {"xegpu.tdesc_attr", "memory_scope", FIELD_SPACE, 7, -1},
    {"xegpu.tdesc_attr", "array_length", FIELD_INT, 7, -1},
    {"xegpu.tdesc_attr", "boundary_check", FIELD_BOOL, 7, -1},
    {"xegpu.tdesc_attr", "scattered", FIELD_BOOL, 7, -1},
    {"xegpu.tdesc_attr", "sg", FIELD_LAYOUT, 1, -1},
    {"xegpu.tdesc_attr", "chunk_size_per_lane", FIELD_INT, 3, -1},
};

static og_mlir_attr make(struct og_mlir_reader *r, const char *name, const struct og_mlir_node *const *parts,
                         uint32_t count) {
  return og_mlir_intern(r->in, &(struct og_mlir_node){
                                   .kind = OG_MLIR_STRUCT, .text = og_text(name), .parts = parts, .part_count = count});
}

static og_mlir_attr read_space(struct og_mlir_reader *r) {
  struct og_text word = r->lexer.text;
  bool rfc = r->spelling <= OG_MLIR_FIRST && og_text_is(word, "shared");
  if (og_mlir_at(r) == OG_MLIR_TOK_ATTR)
    return og_mlir_read_attr(r, NULL);
  if (og_mlir_at(r) != OG_MLIR_TOK_WORD || (!rfc && !og_text_is(word, "global") && !og_text_is(word, "slm")))
    return og_mlir_fail(r, "expected ::mlir::xegpu::MemorySpace to be one of: global, slm"), NULL;
  og_mlir_next(r);
  return og_mlir_enum(r->in, "xegpu.memory_space", rfc ? OG_TEXT("slm") : word);
}

static og_mlir_attr read_field(struct og_mlir_reader *r, const struct field_row *row) {
  switch (row->kind) {
  case FIELD_SPACE: return read_space(r);
  case FIELD_INTS: return og_mlir_read_int_list(r, 32);
  case FIELD_INT: {
    og_mlir_attr attr = og_mlir_read_attr(r, NULL);
    if (attr && attr->kind != OG_MLIR_INT)
      return og_mlir_fail(r, "expected an integer for '%s'", row->name), NULL;
    return attr;
  }
  case FIELD_BOOL:
    if (!og_mlir_at_word(r, "true") && !og_mlir_at_word(r, "false"))
      return og_mlir_fail(r, "expected 'true' or 'false' for '%s'", row->name), NULL;
    return og_mlir_read_attr(r, NULL);
  default: return og_mlir_read_attr(r, NULL);
  }
}

og_mlir_attr og_mlir_encoding_field(struct og_mlir_reader *r, const char *name, struct og_text field) {
  for (size_t i = 0; i < OG_COUNT(fields); i++)
    if (strcmp(fields[i].of, name) == 0 && og_text_is(field, fields[i].name))
      return read_field(r, &fields[i]);
  return NULL;
}

static bool is_standard(const struct field_row *row, og_mlir_attr value) {
  if (row->standard < 0 || !value)
    return false;
  return row->kind == FIELD_SPACE ? og_text_is(value->text, "global") : value->ints[0] == row->standard;
}

/* Fields may be read in any order; they are kept in the table's. */
static og_mlir_attr read_struct(struct og_mlir_reader *r, const char *name) {
  og_mlir_attr values[OG_COUNT(fields)] = {0};
  OG_VECTOR(const struct og_mlir_node *) parts = {0};
  if (!og_mlir_expect(r, '<'))
    return NULL;
  while (og_mlir_at(r) != '>') {
    size_t i = 0;
    while (i < OG_COUNT(fields) && (strcmp(fields[i].of, name) != 0 || !(fields[i].spellings >> r->spelling & 1) ||
                                    !og_mlir_at_word(r, fields[i].name)))
      i++;
    if (i == OG_COUNT(fields) || values[i])
      return og_mlir_fail(r, "duplicate or unknown struct parameter name: %.*s", OG_TEXT_ARGS(r->lexer.text)), NULL;
    og_mlir_next(r);
    if (!og_mlir_expect(r, '=') || !(values[i] = read_field(r, &fields[i])))
      return NULL;
    if (!og_mlir_take(r, ','))
      break;
  }
  if (!og_mlir_expect(r, '>'))
    return NULL;
  for (size_t i = 0; i < OG_COUNT(fields); i++)
    if (values[i] && !is_standard(&fields[i], values[i])) {
      *OG_PUSH(r->arena, &parts) = og_mlir_text(r->in, OG_MLIR_STRING, og_text(fields[i].name));
      *OG_PUSH(r->arena, &parts) = values[i];
    }
  return make(r, name, parts.items, parts.count);
}

/* A layout's lists must have the same length, and there must be at least one (upstream's rules of the attribute
 * itself). */
static bool check_layout(struct og_mlir_reader *r, uint32_t offset, og_mlir_attr layout) {
  static const char *const names[] = {"sg_layout", "inst_data", "lane_layout"};
  og_mlir_attr some[3], data = og_mlir_field(layout, "sg_data"), lane_data = og_mlir_field(layout, "lane_data"),
                        order = og_mlir_field(layout, "order");
  for (int i = 0; i < 3; i++)
    some[i] = og_mlir_field(layout, names[i]);
  if (!some[0] && !some[1] && !some[2])
    return og_mlir_fail_at(r, offset, "expected at least one of sg_layout, inst_data or lane_layout");
  if (some[0] && data && some[0]->int_count != data->int_count)
    return og_mlir_fail_at(r, offset, "expected sg_data and sg_layout to have the same rank");
  if (!some[0] && data)
    return og_mlir_fail_at(r, offset, "expected sg_layout being used with sg_data");
  if (some[0] && some[1] && some[0]->int_count != some[1]->int_count)
    return og_mlir_fail_at(r, offset, "expected sg_layout and inst_data to have the same rank");
  if (some[0] && some[2] && some[0]->int_count != some[2]->int_count)
    return og_mlir_fail_at(r, offset, "expected sg_layout and lane_layout to have the same rank");
  if (some[1] && some[2] && some[1]->int_count != some[2]->int_count)
    return og_mlir_fail_at(r, offset,
                           "expected inst_data and lane_layout to have the same rank, got inst_data %u, lane_layout %u",
                           some[1]->int_count, some[2]->int_count);
  if (lane_data && !some[2])
    return og_mlir_fail_at(r, offset, "expected lane_layout being used with lane_data");
  if (lane_data && some[2]->int_count != lane_data->int_count)
    return og_mlir_fail_at(r, offset, "expected lane_data and lane_layout to have the same rank");
  if (order) {
    if (!some[0] && !some[2])
      return og_mlir_fail_at(r, offset, "expected sg_layout/lane_layout being used with order");
    if ((some[0] && order->int_count != some[0]->int_count) || (some[2] && order->int_count != some[2]->int_count))
      return og_mlir_fail_at(r, offset, "expected order and sg_layout/lane_layout to have the same rank");
  }
  return true;
}

/* <#xegpu.layout<…>, dims = [0]> */
static og_mlir_attr read_slice(struct og_mlir_reader *r) {
  og_mlir_attr parent = og_mlir_expect(r, '<') ? og_mlir_read_attr(r, NULL) : NULL;
  if (!parent || !og_mlir_expect(r, ',') || !og_mlir_expect_word(r, "dims") || !og_mlir_expect(r, '='))
    return NULL;
  og_mlir_attr dims = og_mlir_read_int_list(r, 64);
  if (!dims || !og_mlir_expect(r, '>'))
    return NULL;
  const struct og_mlir_node *parts[] = {og_mlir_text(r->in, OG_MLIR_STRING, OG_TEXT("parent")), parent,
                                        og_mlir_text(r->in, OG_MLIR_STRING, OG_TEXT("dims")), dims};
  return make(r, "xegpu.slice", parts, 4);
}

/* <[1, 2]> */
static og_mlir_attr read_range(struct og_mlir_reader *r) {
  og_mlir_attr list = og_mlir_expect(r, '<') ? og_mlir_read_attr(r, NULL) : NULL;
  if (!list || list->kind != OG_MLIR_ARRAY || list->part_count != 2 || !og_mlir_expect(r, '>'))
    return list ? (og_mlir_fail(r, "expected a range of two integers"), NULL) : NULL;
  const struct og_mlir_node *parts[] = {og_mlir_text(r->in, OG_MLIR_STRING, OG_TEXT("range")), list};
  return make(r, "xegpu.range", parts, 2);
}

/* <stride = [1, 2], block = [8, 16]> */
static og_mlir_attr read_mem_layout(struct og_mlir_reader *r) {
  OG_VECTOR(const struct og_mlir_node *) parts = {0};
  if (!og_mlir_expect(r, '<'))
    return NULL;
  while (og_mlir_at(r) != '>') {
    if (og_mlir_at(r) != OG_MLIR_TOK_WORD)
      return og_mlir_fail(r, "expected a name of a memory layout's attribute"), NULL;
    *OG_PUSH(r->arena, &parts) = og_mlir_text(r->in, OG_MLIR_STRING, r->lexer.text);
    og_mlir_next(r);
    og_mlir_attr value = og_mlir_expect(r, '=') ? og_mlir_read_attr(r, NULL) : NULL;
    if (!value)
      return NULL;
    *OG_PUSH(r->arena, &parts) = value;
    if (!og_mlir_take(r, ','))
      break;
  }
  return og_mlir_expect(r, '>') ? make(r, "xegpu.mem_layout", parts.items, parts.count) : NULL;
}

/* ---- enums and what is kept as text ------------------------------------------------------------------------------ */

static bool is_keyword(const char *keywords, struct og_text word) {
  if (!keywords)
    return true;
  for (const char *at = keywords; *at;) {
    size_t size = strcspn(at, " ");
    if (og_text_equal((struct og_text){at, size}, word))
      return true;
    at += size + (at[size] == ' ');
  }
  return false;
}

/* The keyword of #name<keyword> or #dialect<name keyword>; flags may be several. */
static og_mlir_attr read_enum(struct og_mlir_reader *r, const char *name, const char *keywords) {
  struct og_text word = r->lexer.text;
  if (og_mlir_at(r) != OG_MLIR_TOK_WORD || !is_keyword(keywords, word))
    return og_mlir_fail(r, "expected one of: %s", keywords ? keywords : "flags"), NULL;
  og_mlir_next(r);
  while (!keywords && (og_mlir_at(r) == ',' || og_mlir_at(r) == '|')) {
    og_mlir_next(r);
    if (og_mlir_at(r) != OG_MLIR_TOK_WORD)
      return og_mlir_fail(r, "expected a flag"), NULL;
    word.size = (size_t)(r->lexer.at - word.data);
    og_mlir_next(r);
  }
  return og_mlir_enum(r->in, name, word);
}

static const struct {
  const char *name;
  uint8_t kind;
} enums[] = {{"xegpu.cache_hint", OG_MLIR_A_hint},
             {"xegpu.memory_space", OG_MLIR_A_space},
             {"xegpu.memory_scope", OG_MLIR_A_space},
             {"xegpu.fence_scope", OG_MLIR_A_scope},
             {"gpu.dim", OG_MLIR_A_dim},
             {"gpu.all_reduce_op", OG_MLIR_A_reduce},
             {"gpu.shuffle_mode", OG_MLIR_A_shuffle},
             {"vector.kind", OG_MLIR_A_combining},
             {"index.cmp_predicate", OG_MLIR_A_icmp},
             {"arith.fastmath", OG_MLIR_A_fastmath},
             {"arith.overflow", OG_MLIR_A_overflow},
             {"xegpu.mode", OG_MLIR_A_mode}};

static og_mlir_attr read_enum_named(struct og_mlir_reader *r, struct og_text name) {
  for (size_t i = 0; i < OG_COUNT(enums); i++)
    if (og_text_is(name, enums[i].name)) {
      const char *canonical;
      bool number;
      const char *keywords = og_mlir_keywords(enums[i].kind, &canonical, &number);
      return read_enum(r, canonical, keywords);
    }
  return NULL;
}

static bool is_enum(struct og_text name) {
  for (size_t i = 0; i < OG_COUNT(enums); i++)
    if (og_text_is(name, enums[i].name))
      return true;
  return false;
}

static og_mlir_attr read_xegpu(struct og_mlir_reader *r, struct og_text name, uint32_t offset) {
  if (og_text_is(name, "xegpu.slice") && r->spelling == OG_MLIR_22)
    return read_slice(r);
  if (og_text_is(name, "xegpu.range") && r->spelling == OG_MLIR_22)
    return read_range(r);
  if (og_text_is(name, "xegpu.mem_layout") && r->spelling == OG_MLIR_22)
    return read_mem_layout(r);
  for (size_t i = 0; i < OG_COUNT(fields); i++)
    if (og_text_is(name, fields[i].of) && fields[i].spellings >> r->spelling & 1) {
      og_mlir_attr attr = read_struct(r, fields[i].of);
      if (attr && og_text_is(name, "xegpu.layout") && !check_layout(r, offset, attr))
        return NULL;
      og_mlir_attr chunk = attr ? og_mlir_field(attr, "chunk_size") : NULL;
      if (chunk && (chunk->ints[0] < 1 || (chunk->ints[0] > 4 && chunk->ints[0] % 8) || chunk->ints[0] > 256))
        return og_mlir_fail_at(r, offset, "invalid chunk_size"), NULL;
      return attr;
    }
  return og_mlir_fail_at(r, offset, "unknown attribute `%.*s` in dialect `xegpu`",
                         (int)(name.size - OG_MIN(name.size, 6u)), name.data + OG_MIN(name.size, 6u)),
         NULL;
}

og_mlir_attr og_mlir_read_dialect_attr(struct og_mlir_reader *r) {
  static const char *const dialects[] = {"gpu",    "spirv", "xevm",  "llvm", "arith",
                                         "vector", "nvvm",  "rocdl", "dlti", "builtin"};
  struct og_text name = r->lexer.text;
  uint32_t offset = og_mlir_here(r);
  og_mlir_attr alias = og_map_get(&r->attr_aliases, name);
  og_mlir_next(r);
  if (alias)
    return alias;
  if (og_mlir_at(r) == '<' && !memchr(name.data, '.', name.size)) { /* #gpu<dim x> */
    og_mlir_next(r);
    if (og_mlir_at(r) != OG_MLIR_TOK_WORD)
      return og_mlir_fail(r, "expected an attribute's name"), NULL;
    struct og_text whole =
        og_text(og_arena_printf(r->arena, "%.*s.%.*s", OG_TEXT_ARGS(name), OG_TEXT_ARGS(r->lexer.text)));
    og_mlir_next(r);
    og_mlir_attr attr = is_enum(whole) ? read_enum_named(r, whole)
                        : !strncmp(whole.data, "xegpu.", 6)
                            ? read_xegpu(r, whole, offset)
                            : (og_mlir_fail_at(r, offset, "unknown attribute `%.*s`", OG_TEXT_ARGS(whole)), NULL);
    return attr && og_mlir_expect(r, '>') ? attr : NULL;
  }
  if (is_enum(name)) {
    og_mlir_attr attr = og_mlir_expect(r, '<') ? read_enum_named(r, name) : NULL;
    return attr && og_mlir_expect(r, '>') ? attr : NULL;
  }
  if (name.size > 6 && strncmp(name.data, "xegpu.", 6) == 0)
    return read_xegpu(r, name, offset);
  const char *dot = memchr(name.data, '.', name.size);
  for (size_t i = 0; dot && i < OG_COUNT(dialects); i++)
    if (og_text_is((struct og_text){name.data, (size_t)(dot - name.data)}, dialects[i])) {
      struct og_text body = og_mlir_at(r) == '<' ? og_mlir_balanced_text(r) : (struct og_text){0};
      return og_mlir_text(r->in, OG_MLIR_DIALECT_ATTR,
                          og_text(og_arena_printf(r->arena, "%.*s%.*s", OG_TEXT_ARGS(name), OG_TEXT_ARGS(body))));
    }
  return og_mlir_fail_at(r, offset, dot ? "unknown attribute `%.*s`" : "undefined symbol alias id '%.*s'",
                         OG_TEXT_ARGS(name)),
         NULL;
}

/* ---- dense<…> ---------------------------------------------------------------------------------------------------- */

struct literal {
  OG_VECTOR(struct og_text) numbers; /* as they stand, with their sign */
  int64_t shape[OG_MLIR_RANK_MOST];
  uint32_t rank;
};

static bool read_literal(struct og_mlir_reader *r, struct literal *l, uint32_t depth) {
  if (!og_mlir_take(r, '[')) {
    const char *from = r->lexer.token;
    og_mlir_take(r, '-');
    int kind = og_mlir_at(r);
    if (kind != OG_MLIR_TOK_INT && kind != OG_MLIR_TOK_FLOAT && !og_mlir_at_word(r, "true") &&
        !og_mlir_at_word(r, "false"))
      return og_mlir_fail(r, "expected element literal of primitive type");
    if (l->numbers.count && depth != l->rank)
      return og_mlir_fail(r, "tensor literal is invalid; ranks are not consistent between elements");
    l->rank = depth;
    *OG_PUSH(r->arena, &l->numbers) = (struct og_text){from, (size_t)(r->lexer.at - from)};
    og_mlir_next(r);
    return true;
  }
  if (depth >= OG_MLIR_RANK_MOST)
    return og_mlir_fail(r, "nested too deeply");
  int64_t count = 0;
  bool first = !l->numbers.count;
  if (!og_mlir_take(r, ']')) {
    do {
      if (!read_literal(r, l, depth + 1))
        return false;
      count++;
    } while (og_mlir_take(r, ','));
    if (!og_mlir_expect(r, ']'))
      return false;
  }
  if (!first && l->shape[depth] && l->shape[depth] != count)
    return og_mlir_fail(r, "tensor literal is invalid; ranks are not consistent between elements");
  l->shape[depth] = count;
  if (!l->numbers.count)
    l->rank = depth + 1;
  return true;
}

static void pack(og_mlir_type element, struct og_text text, uint8_t *to) {
  char copy[400];
  snprintf(copy, sizeof copy, "%.*s", (int)OG_MIN(text.size, sizeof copy - 1), text.data);
  bool hex = strstr(copy, "0x") != NULL;
  uint64_t bits;
  double value = hex ? 0 : strtod(copy, NULL);
  if (*copy == 't' || *copy == 'f')
    bits = *copy == 't';
  else if (!og_mlir_is_float(element) || hex)
    bits = *copy == '-' ? 0 - strtoull(copy + 1, NULL, 0) : strtoull(copy, NULL, hex ? 16 : 10);
  else if (element->kind == OG_MLIR_F64)
    memcpy(&bits, &value, 8);
  else if (element->kind == OG_MLIR_F16)
    bits = og_double_to_half(value);
  else if (element->kind == OG_MLIR_BF16)
    bits = og_float_to_bfloat((float)value);
  else
    bits = og_bits_of_float((float)value);
  memcpy(to, &bits, (og_mlir_bits(element) + 7) / 8);
}

og_mlir_attr og_mlir_read_dense(struct og_mlir_reader *r, og_mlir_type type) {
  struct literal l = {0};
  uint32_t offset = og_mlir_here(r);
  og_mlir_next(r);
  if (!og_mlir_expect(r, '<'))
    return NULL;
  bool empty = og_mlir_at(r) == '>', raw = og_mlir_at(r) == OG_MLIR_TOK_STRING;
  struct og_text bytes = r->lexer.text;
  if (raw)
    og_mlir_next(r);
  else if (!empty && !read_literal(r, &l, 0))
    return NULL;
  if (!og_mlir_expect(r, '>') || (!type && (!og_mlir_expect(r, ':') || !(type = og_mlir_read_type(r)))))
    return NULL;
  if (type->kind != OG_MLIR_VECTOR && type->kind != OG_MLIR_TENSOR)
    return og_mlir_fail_at(r, offset, "elements literal must be a shaped type"), NULL;
  og_mlir_type element = og_mlir_element(type);
  uint32_t size = (og_mlir_bits(element) + 7) / 8;
  if (!size || size > 8)
    return og_mlir_fail_at(r, offset, "elements literal of this element type is not read"), NULL;
  int64_t elements = og_mlir_elements(type);
  if (elements == OG_MLIR_DYNAMIC)
    return og_mlir_fail_at(r, offset, "elements literal type must have static shape"), NULL;
  bool splat = !raw && l.numbers.count == 1 && l.rank == 0;
  if (!splat && !raw && !empty) {
    bool fits = l.rank == type->int_count;
    for (uint32_t i = 0; fits && i < l.rank; i++)
      fits = l.shape[i] == type->ints[i];
    if (!fits || (int64_t)l.numbers.count != elements)
      return og_mlir_fail_at(r, offset, "inferred shape of elements literal does not match type"), NULL;
  }
  if (raw) { /* "0x…" */
    char *copy = og_arena_alloc(r->arena, bytes.size / 2 + 1);
    size_t count = 0;
    for (size_t i = 2; i + 1 < bytes.size; i += 2) {
      char pair[3] = {bytes.data[i], bytes.data[i + 1], 0};
      copy[count++] = (char)strtoul(pair, NULL, 16);
    }
    if (count != size && count != (size_t)elements * size)
      return og_mlir_fail_at(r, offset, "elements hex data size is invalid for provided type"), NULL;
    bytes = (struct og_text){copy, count};
  } else {
    uint8_t *out = og_arena_alloc(r->arena, (size_t)l.numbers.count * size + 8);
    bool same = l.numbers.count > 1;
    for (uint32_t i = 0; i < l.numbers.count; i++) {
      struct og_text t = l.numbers.items[i];
      if (!og_mlir_is_float(element) && memchr(t.data, '.', t.size))
        return og_mlir_fail_at(r, offset, "expected integer elements, but parsed floating-point"), NULL;
      if (og_mlir_is_float(element) && !memchr(t.data, '.', t.size) && !memchr(t.data, 'x', t.size))
        return og_mlir_fail_at(r, offset, "expected floating-point elements, but parsed integer"), NULL;
      pack(element, t, out + (size_t)i * size);
      same = same && memcmp(out, out + (size_t)i * size, size) == 0;
    }
    bytes = (struct og_text){(char *)out, (size_t)(same ? 1 : l.numbers.count) * size};
  }
  return og_mlir_intern(r->in,
                        &(struct og_mlir_node){.kind = OG_MLIR_DENSE, .text = bytes, .part_count = 1, .parts = &type});
}
