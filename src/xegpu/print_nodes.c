/* print_nodes.c - types and attributes as text. */
#include "base/floats.h"
#include "xegpu/mlir.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void text(struct og_buffer *out, struct og_text t) { og_buffer_append(out, t.data, t.size); }

static void size(struct og_buffer *out, int64_t value) {
  if (value == OG_MLIR_DYNAMIC)
    og_buffer_text(out, "?");
  else
    og_buffer_printf(out, "%lld", (long long)value);
}

static void shape(struct og_buffer *out, og_mlir_type t) {
  for (uint32_t i = 0; i < t->int_count; i++) {
    bool scalable = t->kind == OG_MLIR_VECTOR && t->flags >> i & 1;
    og_buffer_text(out, scalable ? "[" : "");
    size(out, t->ints[i]);
    og_buffer_text(out, scalable ? "]x" : "x");
  }
}

static void type_list(struct og_buffer *out, const og_mlir_type *types, uint32_t count, enum og_mlir_spelling s) {
  for (uint32_t i = 0; i < count; i++) {
    og_buffer_text(out, i ? ", " : "");
    og_mlir_print_type(types[i], s, out);
  }
}

static void more(struct og_buffer *out, og_mlir_type t, uint32_t first, enum og_mlir_spelling s) {
  for (uint32_t i = first; i < t->part_count; i++)
    if (t->parts[i] && t->parts[i]->kind == OG_MLIR_INT && og_mlir_is_integer(t->parts[i]->parts[0], 64)) {
      og_buffer_printf(out, ", %lld", (long long)t->parts[i]->ints[0]); /* i64 need not be written */
    } else if (t->parts[i]) {
      og_buffer_text(out, ", ");
      og_mlir_print_attr(t->parts[i], s, out);
    }
}

static void shaped(struct og_buffer *out, const char *name, og_mlir_type t, enum og_mlir_spelling s) {
  og_buffer_printf(out, "%s<", name);
  shape(out, t);
  og_mlir_print_type(t->parts[0], s, out);
  more(out, t, 1, s);
  og_buffer_text(out, ">");
}

void og_mlir_print_type(og_mlir_type t, enum og_mlir_spelling s, struct og_buffer *out) {
  static const char *const simple[] = {[OG_MLIR_INDEX] = "index", [OG_MLIR_NONE] = "none",
                                       [OG_MLIR_F16] = "f16",     [OG_MLIR_BF16] = "bf16",
                                       [OG_MLIR_TF32] = "tf32",   [OG_MLIR_F32] = "f32",
                                       [OG_MLIR_F64] = "f64",     [OG_MLIR_NBARRIER] = "!xegpu.nbarrier"};
  static const char *const sign[] = {"i", "si", "ui"};
  switch (t->kind) {
  case OG_MLIR_INTEGER: og_buffer_printf(out, "%s%lld", sign[t->ints[1]], (long long)t->ints[0]); return;
  case OG_MLIR_OTHER_FLOAT: text(out, t->text); return;
  case OG_MLIR_DIALECT_TYPE:
    og_buffer_text(out, "!");
    text(out, t->text);
    return;
  case OG_MLIR_FUNCTION: {
    uint32_t inputs = (uint32_t)t->ints[0], results = t->part_count - inputs;
    og_buffer_text(out, "(");
    type_list(out, t->parts, inputs, s);
    bool bare = results == 1 && t->parts[inputs]->kind != OG_MLIR_FUNCTION;
    og_buffer_text(out, bare ? ") -> " : ") -> (");
    type_list(out, t->parts + inputs, results, s);
    og_buffer_text(out, bare ? "" : ")");
    return;
  }
  case OG_MLIR_TUPLE:
    og_buffer_text(out, t->text.size ? "complex<" : "tuple<");
    type_list(out, t->parts, t->part_count, s);
    og_buffer_text(out, ">");
    return;
  case OG_MLIR_VECTOR: shaped(out, "vector", t, s); return;
  case OG_MLIR_TENSOR: shaped(out, "tensor", t, s); return;
  case OG_MLIR_MEMREF: shaped(out, "memref", t, s); return;
  case OG_MLIR_UNRANKED_MEMREF:
    og_buffer_text(out, "memref<*x");
    og_mlir_print_type(t->parts[0], s, out);
    more(out, t, 1, s);
    og_buffer_text(out, ">");
    return;
  case OG_MLIR_TENSOR_DESC: shaped(out, "!xegpu.tensor_desc", t, s); return;
  case OG_MLIR_MEM_DESC: shaped(out, "!xegpu.mem_desc", t, s); return;
  default: og_buffer_text(out, t->kind <= OG_MLIR_NBARRIER && simple[t->kind] ? simple[t->kind] : "none");
  }
}

/* ---- attributes -------------------------------------------------------------------------------------------------- */

static void quoted(struct og_buffer *out, struct og_text t) {
  og_buffer_text(out, "\"");
  for (size_t i = 0; i < t.size; i++) {
    unsigned char c = (unsigned char)t.data[i];
    if (c == '\\')
      og_buffer_text(out, "\\\\");
    else if (c < 32 || c > 126 || c == '"')
      og_buffer_printf(out, "\\%02X", c);
    else
      og_buffer_u8(out, c);
  }
  og_buffer_text(out, "\"");
}

static bool plain_name(struct og_text t) {
  for (size_t i = 0; i < t.size; i++) {
    char c = t.data[i];
    bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    if (!letter && (i == 0 || !((c >= '0' && c <= '9') || c == '$' || c == '.')))
      return false;
  }
  return t.size;
}

static void symbol(struct og_buffer *out, struct og_text t) {
  og_buffer_text(out, "@");
  if (plain_name(t))
    text(out, t);
  else
    quoted(out, t);
}

/* A float that reads back to the same bits of its type. */
static void number(struct og_buffer *out, double value, og_mlir_type type) {
  if (!isfinite(value)) {
    uint64_t bits = 0;
    float narrow = (float)value;
    if (type->kind == OG_MLIR_F64)
      memcpy(&bits, &value, 8);
    else if (type->kind == OG_MLIR_F16)
      bits = og_double_to_half(value);
    else if (type->kind == OG_MLIR_BF16)
      bits = og_float_to_bfloat(narrow);
    else
      bits = og_bits_of_float(narrow);
    og_buffer_printf(out, "0x%0*llX", (int)og_mlir_bits(type) / 4, (unsigned long long)bits);
    return;
  }
  char buffer[64];
  snprintf(buffer, sizeof buffer, "%.6e", value);
  if (strtod(buffer, NULL) != value)
    snprintf(buffer, sizeof buffer, "%.17e", value);
  og_buffer_text(out, buffer);
}

static void int_value(struct og_buffer *out, int64_t value, og_mlir_type type) {
  if (type->kind == OG_MLIR_INTEGER && type->ints[1] == OG_MLIR_UNSIGNED)
    og_buffer_printf(out, "%llu", (unsigned long long)value);
  else
    og_buffer_printf(out, "%lld", (long long)value);
}

static void element(struct og_buffer *out, const uint8_t *at, og_mlir_type type) {
  uint64_t bits = 0;
  uint32_t width = og_mlir_bits(type);
  memcpy(&bits, at, (width + 7) / 8);
  double value = 0;
  switch (type->kind) {
  case OG_MLIR_F64: memcpy(&value, &bits, 8); break;
  case OG_MLIR_F16: value = og_half_to_float((uint16_t)bits); break;
  case OG_MLIR_BF16: value = og_bfloat_to_float((uint16_t)bits); break;
  case OG_MLIR_F32:
  case OG_MLIR_TF32: value = og_float_of_bits((uint32_t)bits); break;
  default:
    if (width == 1)
      og_buffer_text(out, bits & 1 ? "true" : "false");
    else if (type->kind == OG_MLIR_OTHER_FLOAT)
      og_buffer_printf(out, "0x%0*llX", (int)width / 4, (unsigned long long)bits);
    else
      int_value(out,
                (type->kind == OG_MLIR_INTEGER && type->ints[1] == OG_MLIR_UNSIGNED) || width == 64
                    ? (int64_t)bits
                    : (int64_t)(bits << (64 - width)) >> (64 - width),
                type);
    return;
  }
  number(out, value, type);
}

void og_mlir_print_dense(og_mlir_attr a, struct og_buffer *out) {
  og_mlir_type type = a->parts[0], scalar = og_mlir_element(type);
  uint32_t bytes = (og_mlir_bits(scalar) + 7) / 8;
  const uint8_t *data = (const uint8_t *)a->text.data;
  og_buffer_text(out, "dense<");
  int64_t elements = a->text.size ? og_mlir_elements(type) : 0;
  if (a->text.size == bytes)
    element(out, data, scalar);
  else
    for (int64_t i = 0; i < elements; i++) {
      int64_t block = elements;
      og_buffer_text(out, i ? ", " : "");
      for (uint32_t d = 0; d < type->int_count; block /= type->ints[d], d++)
        og_buffer_text(out, i % block == 0 ? "[" : "");
      element(out, data + (size_t)i * bytes, scalar);
      block = 1;
      for (uint32_t d = type->int_count; d-- > 0;) {
        block *= type->ints[d];
        og_buffer_text(out, (i + 1) % block == 0 ? "]" : "");
      }
    }
  og_buffer_text(out, ">");
}

static void int_list(struct og_buffer *out, og_mlir_attr a) {
  og_buffer_text(out, "[");
  for (uint32_t i = 0; i < a->int_count; i++)
    og_buffer_printf(out, "%s%lld", i ? ", " : "", (long long)a->ints[i]);
  og_buffer_text(out, "]");
}

static void dense_array(struct og_buffer *out, og_mlir_attr a, enum og_mlir_spelling s) {
  og_buffer_text(out, "array<");
  og_mlir_print_type(a->parts[0], s, out);
  for (uint32_t i = 0; i < a->int_count; i++) {
    og_buffer_text(out, i ? ", " : ": ");
    double value;
    memcpy(&value, &a->ints[i], 8);
    if (og_mlir_is_float(a->parts[0]))
      number(out, value, a->parts[0]);
    else if (og_mlir_is_integer(a->parts[0], 1))
      og_buffer_text(out, a->ints[i] ? "true" : "false");
    else
      og_buffer_printf(out, "%lld", (long long)a->ints[i]);
  }
  og_buffer_text(out, ">");
}

static void entries(struct og_buffer *out, og_mlir_attr a, enum og_mlir_spelling s) {
  bool structure = a->kind == OG_MLIR_STRUCT;
  for (uint32_t i = 0; i + 1 < a->part_count; i += 2) {
    const struct og_mlir_node *value = a->parts[i + 1];
    og_buffer_text(out, i ? ", " : "");
    if (plain_name(a->parts[i]->text))
      text(out, a->parts[i]->text);
    else
      quoted(out, a->parts[i]->text);
    if (value->kind == OG_MLIR_UNIT)
      continue;
    og_buffer_text(out, " = ");
    if (structure && value->kind == OG_MLIR_DENSE_ARRAY)
      int_list(out, value);
    else if (structure && value->kind == OG_MLIR_ENUM)
      text(out, value->text);
    else
      og_mlir_print_attr(value, s, out);
  }
}

static void structure(struct og_buffer *out, og_mlir_attr a, enum og_mlir_spelling s) {
  og_buffer_text(out, "#");
  text(out, a->text);
  og_buffer_text(out, "<");
  if (og_text_is(a->text, "xegpu.slice")) {
    og_mlir_print_attr(a->parts[1], s, out);
    og_buffer_text(out, ", dims = ");
    int_list(out, a->parts[3]);
  } else if (og_text_is(a->text, "xegpu.range")) {
    og_mlir_print_attr(a->parts[1], s, out);
  } else {
    entries(out, a, s);
  }
  og_buffer_text(out, ">");
}

static void enumeration(struct og_buffer *out, og_mlir_attr a, enum og_mlir_spelling s) {
  struct og_text name = a->parts[0]->text;
  if (s <= OG_MLIR_FIRST && strncmp(name.data, "xegpu.", 6) == 0) {
    text(out, a->text);
    return;
  }
  if (s == OG_MLIR_19 && og_text_is(name, "xegpu.memory_space"))
    name = OG_TEXT("xegpu.memory_scope");
  bool angled =
      og_text_is(name, "xegpu.cache_hint") || !strncmp(name.data, "arith.", 6) || !strncmp(name.data, "vector.", 7);
  const char *dot = memchr(name.data, '.', name.size);
  size_t dialect = (size_t)(dot - name.data);
  if (angled)
    og_buffer_printf(out, "#%.*s<%.*s>", OG_TEXT_ARGS(name), OG_TEXT_ARGS(a->text));
  else
    og_buffer_printf(out, "#%.*s<%.*s %.*s>", (int)dialect, name.data, (int)(name.size - dialect - 1), dot + 1,
                     OG_TEXT_ARGS(a->text));
}

static void float_attr(struct og_buffer *out, og_mlir_attr a, enum og_mlir_spelling s) {
  double value;
  memcpy(&value, &a->ints[0], 8);
  if (a->flags) /* written as bits */
    og_buffer_printf(out, "0x%0*llX", (int)og_mlir_bits(a->parts[0]) / 4, (unsigned long long)a->ints[0]);
  else
    number(out, value, a->parts[0]);
  og_buffer_text(out, " : ");
  og_mlir_print_type(a->parts[0], s, out);
}

static void strided(struct og_buffer *out, og_mlir_attr a) {
  og_buffer_text(out, "strided<[");
  for (uint32_t i = 1; i < a->int_count; i++) {
    og_buffer_text(out, i > 1 ? ", " : "");
    size(out, a->ints[i]);
  }
  og_buffer_text(out, "]");
  if (a->ints[0]) {
    og_buffer_text(out, ", offset: ");
    size(out, a->ints[0]);
  }
  og_buffer_text(out, ">");
}

void og_mlir_print_attr(og_mlir_attr a, enum og_mlir_spelling s, struct og_buffer *out) {
  switch (a->kind) {
  case OG_MLIR_UNIT: og_buffer_text(out, "unit"); return;
  case OG_MLIR_INT:
    if (og_mlir_is_integer(a->parts[0], 1) && a->parts[0]->ints[1] == OG_MLIR_SIGNLESS) {
      og_buffer_text(out, a->ints[0] ? "true" : "false");
      return;
    }
    int_value(out, a->ints[0], a->parts[0]);
    og_buffer_text(out, " : ");
    og_mlir_print_type(a->parts[0], s, out);
    return;
  case OG_MLIR_FLOAT: float_attr(out, a, s); return;
  case OG_MLIR_STRING: quoted(out, a->text); return;
  case OG_MLIR_SYMBOL:
    symbol(out, a->text);
    for (uint32_t i = 0; i < a->part_count; i++) {
      og_buffer_text(out, "::");
      symbol(out, a->parts[i]->text);
    }
    return;
  case OG_MLIR_TYPE: og_mlir_print_type(a->parts[0], s, out); return;
  case OG_MLIR_ARRAY:
    og_buffer_text(out, "[");
    for (uint32_t i = 0; i < a->part_count; i++) {
      og_buffer_text(out, i ? ", " : "");
      og_mlir_print_attr(a->parts[i], s, out);
    }
    og_buffer_text(out, "]");
    return;
  case OG_MLIR_DICTIONARY:
    og_buffer_text(out, "{");
    entries(out, a, s);
    og_buffer_text(out, "}");
    return;
  case OG_MLIR_DENSE_ARRAY: dense_array(out, a, s); return;
  case OG_MLIR_DENSE:
    og_mlir_print_dense(a, out);
    og_buffer_text(out, " : ");
    og_mlir_print_type(a->parts[0], s, out);
    return;
  case OG_MLIR_AFFINE_MAP:
    og_buffer_text(out, "affine_map<");
    text(out, a->text);
    og_buffer_text(out, ">");
    return;
  case OG_MLIR_STRIDED: strided(out, a); return;
  case OG_MLIR_ENUM: enumeration(out, a, s); return;
  case OG_MLIR_STRUCT: structure(out, a, s); return;
  case OG_MLIR_DIALECT_ATTR:
    og_buffer_text(out, "#");
    text(out, a->text);
    return;
  default: og_mlir_print_type(a, s, out);
  }
}
