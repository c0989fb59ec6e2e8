/* print_metadata.c - metadata as LLVM 22 writes it. */
#include "ir/printer.h"

#include <stdio.h>

void og_ir_put_kind(struct og_ir_printer *p, struct og_text name) {
  for (size_t i = 0; i < name.size; i++) {
    char c = name.data[i];
    bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '$' || c == '.' || c == '_';
    if (letter || (i && c >= '0' && c <= '9'))
      og_buffer_u8(p->out, (uint8_t)c);
    else
      og_buffer_printf(p->out, "\\%02X", (uint8_t)c);
  }
}

static void put_flags(struct og_ir_printer *p, enum og_ir_words class, uint64_t value) {
  static const unsigned fields[] = {3, 3 << 16, 0}; /* values of several bits */
  bool first = true;
  const char *word;
  if (!value) {
    og_ir_put(p, class == OG_IR_W_DI_FLAGS ? "DIFlagZero" : class == OG_IR_W_SUBPROGRAM_FLAGS ? "0" : "0");
    return;
  }
  for (unsigned i = 0; class == OG_IR_W_DI_FLAGS && fields[i]; i++)
    if (value & fields[i]) {
      og_ir_put(p, first ? "" : " | ");
      og_ir_put_word(p, class, value & fields[i]);
      value &= ~(uint64_t)fields[i];
      first = false;
    }
  uint64_t bits;
  for (unsigned i = 0; value && (word = og_ir_word_at(class, i, &bits)); i++)
    if (bits && (value & bits) == bits) {
      og_ir_put(p, first ? "" : " | ");
      og_ir_put(p, word);
      value &= ~bits;
      first = false;
    }
  if (value) {
    og_ir_put(p, first ? "" : " | ");
    og_ir_put_number(p, value);
  }
}

static void put_word_or_number(struct og_ir_printer *p, enum og_ir_words class, uint64_t value) {
  const char *word = og_ir_word_for(class, value);
  if (word)
    og_ir_put(p, word);
  else
    og_ir_put_number(p, value);
}

static void put_node_or_null(struct og_ir_printer *p, uint64_t value) {
  if (value)
    og_ir_put_metadata(p, (uint32_t)value - 1);
  else
    og_ir_put(p, "null");
}

static void put_bound(struct og_ir_printer *p, uint64_t value) {
  const struct og_ir_metadata *node = value ? &p->m->metadata.items[value - 1] : NULL;
  const struct og_ir_constant *c = node && node->kind == OG_IR_M_VALUE ? og_ir_constant_of(p->m, node->first) : NULL;
  if (c && c->kind == OG_IR_C_NUMBER && og_ir_kind(p->m, c->type) == OG_IR_INTEGER)
    og_ir_put_constant(p, node->first);
  else
    put_node_or_null(p, value);
}

static void put_field(struct og_ir_printer *p, uint8_t type, uint64_t value) {
  switch (type) {
  case OG_IR_FT_UNSIGNED: og_ir_put_number(p, value); break;
  case OG_IR_FT_PLUS_ONE: og_ir_put_number(p, value - 1); break;
  case OG_IR_FT_SIGNED: og_ir_put_signed(p, (int64_t)value); break;
  case OG_IR_FT_BOOL: og_ir_put(p, value ? "true" : "false"); break;
  case OG_IR_FT_NODE: put_node_or_null(p, value); break;
  case OG_IR_FT_STRING:
    og_ir_put_string(p, value ? p->m->names.items[p->m->metadata.items[value - 1].first] : OG_TEXT(""));
    break;
  case OG_IR_FT_BOUND: put_bound(p, value); break;
  case OG_IR_FT_TAG: put_word_or_number(p, OG_IR_W_TAG, value); break;
  case OG_IR_FT_ENCODING: put_word_or_number(p, OG_IR_W_ENCODING, value); break;
  case OG_IR_FT_LANGUAGE: put_word_or_number(p, OG_IR_W_LANGUAGE, value); break;
  case OG_IR_FT_CONVENTION: put_word_or_number(p, OG_IR_W_CC, value); break;
  case OG_IR_FT_MACINFO: put_word_or_number(p, OG_IR_W_MACINFO, value); break;
  case OG_IR_FT_CHECKSUM: put_word_or_number(p, OG_IR_W_CHECKSUM, value); break;
  case OG_IR_FT_EMISSION: put_word_or_number(p, OG_IR_W_EMISSION, value); break;
  case OG_IR_FT_NAME_TABLE: put_word_or_number(p, OG_IR_W_NAME_TABLE, value); break;
  case OG_IR_FT_FLAGS: put_flags(p, OG_IR_W_DI_FLAGS, value); break;
  default: put_flags(p, OG_IR_W_SUBPROGRAM_FLAGS, value); break;
  }
}

static bool is_written(const struct og_ir_metadata *node, const struct og_ir_field *fields, unsigned i,
                       const uint64_t *values) {
  if (fields[i].when == OG_IR_WHEN_ALWAYS)
    return true;
  if (node->kind == OG_IR_M_SUBPROGRAM && i == 8) /* virtualIndex: of virtual functions always */
    return values[i] || values[11] & 3;
  return values[i] != og_ir_field_default(&fields[i]);
}

static void put_expression(struct og_ir_printer *p, const struct og_ir_metadata *node) {
  static const struct {
    uint16_t operation;
    uint8_t operands;
  } counts[] = {{0x10, 1},   {0x11, 1},   {0x23, 1},   {0x91, 1},   {0x94, 1},   {0x1000, 2}, {0x1001, 2},
                {0x1002, 1}, {0x1003, 1}, {0x1005, 1}, {0x1006, 2}, {0x1007, 2}, {0x90, 1},   {0x92, 2},
                {0x15, 1},   {0xa8, 1},   {0xa3, 1}};
  const uint64_t *e = p->m->fields.items + node->first;
  og_ir_put(p, "!DIExpression(");
  for (uint32_t i = 0; i < node->parts;) {
    uint64_t operation = e[i];
    unsigned operands = operation >= 0x70 && operation <= 0x8f ? 1 : 0; /* DW_OP_breg0 … */
    for (size_t k = 0; k < OG_COUNT(counts); k++)
      operands = counts[k].operation == operation ? counts[k].operands : operands;
    og_ir_put(p, i ? ", " : "");
    put_word_or_number(p, OG_IR_W_OPERATION, operation);
    for (i++; operands && i < node->parts; operands--, i++) {
      og_ir_put(p, ", ");
      if (operation == 0x1001 && operands == 1)
        put_word_or_number(p, OG_IR_W_ENCODING, e[i]);
      else
        og_ir_put_number(p, e[i]);
    }
  }
  og_ir_put(p, ")");
}

void og_ir_put_metadata(struct og_ir_printer *p, uint32_t index) {
  const struct og_ir_metadata *node = &p->m->metadata.items[index];
  switch (node->kind) {
  case OG_IR_M_STRING:
    og_ir_put(p, "!");
    og_ir_put_string(p, p->m->names.items[node->first]);
    break;
  case OG_IR_M_VALUE: og_ir_put_typed(p, node->first); break;
  case OG_IR_M_EXPRESSION: put_expression(p, node); break;
  default:
    og_ir_put(p, "!");
    og_ir_put_number(p, p->metadata_numbers[index] - 1);
  }
}

void og_ir_put_node(struct og_ir_printer *p, uint32_t index) {
  const struct og_ir_metadata *node = &p->m->metadata.items[index];
  og_ir_put(p, node->distinct ? "distinct " : "");
  if (node->kind == OG_IR_M_EXPRESSION) {
    put_expression(p, node);
    return;
  }
  if (node->kind == OG_IR_M_TUPLE) {
    og_ir_put(p, "!{");
    for (uint32_t i = 0; i < node->parts; i++) {
      og_ir_put(p, i ? ", " : "");
      put_node_or_null(p, p->m->pool.items[node->first + i]);
    }
    og_ir_put(p, "}");
    return;
  }
  const struct og_ir_node_row *row = og_ir_node_row(node->kind);
  const uint64_t *values = p->m->fields.items + node->first;
  bool first = true;
  og_ir_put(p, "!");
  og_ir_put(p, row->name);
  og_ir_put(p, "(");
  for (unsigned i = 0; i < node->parts; i++)
    if (is_written(node, row->fields, i, values)) {
      og_ir_put(p, first ? "" : ", ");
      og_ir_put(p, row->fields[i].name);
      og_ir_put(p, ": ");
      put_field(p, row->fields[i].type, values[i]);
      first = false;
    }
  og_ir_put(p, ")");
}

void og_ir_put_attachments(struct og_ir_printer *p, uint32_t place, const char *separator) {
  const uint32_t *list = p->m->pool.items + place;
  for (uint32_t i = 0; place && i < list[0]; i++) {
    og_ir_put(p, separator);
    og_ir_put(p, "!");
    og_ir_put_kind(p, p->m->kinds.items[list[1 + i * 2]]);
    og_ir_put(p, " ");
    og_ir_put_metadata(p, list[2 + i * 2]);
  }
}
