/* print_format.c - operations as text by the formats of ops.def. */
#include "xegpu/printer.h"

#include <string.h>

struct printing {
  struct og_mlir_op *op;
  uint32_t used; /* bits for attributes of the row that the format itself prints */
  uint32_t successor, region;
  bool tight;
};

static struct og_mlir_value **group_of(const struct og_mlir_op *op, uint32_t group, uint32_t *count) {
  struct og_mlir_value **first = op->operands;
  for (uint32_t i = 0; i < group; i++)
    first += op->segments[i];
  *count = op->segments[group];
  return first;
}

static og_mlir_attr attribute_of(const struct og_mlir_op *op, uint32_t index) {
  struct og_text name = op->row->attributes[index].name;
  for (uint32_t i = 0; i < op->attribute_count; i++)
    if (og_text_equal(op->attributes[i].name, name))
      return op->attributes[i].value;
  return NULL;
}

static void space(struct og_mlir_printer *p, struct printing *at, struct og_text literal) {
  char last = p->out->size ? (char)p->out->data[p->out->size - 1] : ' ';
  bool closes = literal.size == 1 && strchr(",)]>", *literal.data);
  if (!at->tight && !closes && last != '(' && last != '[' && last != ' ')
    og_mlir_print_text(p, " ");
  at->tight = false;
}

static void print_keyword(struct og_mlir_printer *p, og_mlir_attr value, uint8_t kind) {
  const char *name;
  bool number;
  const char *keywords = og_mlir_keywords(kind, &name, &number);
  int64_t index = value->kind == OG_MLIR_INT ? value->ints[0] : -1;
  if (value->kind == OG_MLIR_ENUM) {
    og_buffer_append(p->out, value->text.data, value->text.size);
    return;
  }
  for (const char *word = keywords; word && *word; index--) {
    size_t size = strcspn(word, " ");
    if (index == 0)
      og_buffer_append(p->out, word, size);
    word += size + (word[size] == ' ');
  }
}

static void print_attribute(struct og_mlir_printer *p, og_mlir_attr value, uint8_t kind) {
  const char *name;
  bool number;
  if (og_mlir_keywords(kind, &name, &number)) {
    print_keyword(p, value, kind);
  } else if (kind == OG_MLIR_A_i64 || kind == OG_MLIR_A_i32 || kind == OG_MLIR_A_index) {
    og_buffer_printf(p->out, "%lld", value->int_count ? (long long)value->ints[0] : 0);
  } else if (kind == OG_MLIR_A_i64s || kind == OG_MLIR_A_i32s) {
    og_mlir_print_text(p, "[");
    for (uint32_t i = 0; i < value->int_count; i++)
      og_buffer_printf(p->out, "%s%lld", i ? ", " : "", (long long)value->ints[i]);
    og_mlir_print_text(p, "]");
  } else if (kind == OG_MLIR_A_sym) {
    struct og_mlir_node like = {.kind = OG_MLIR_SYMBOL, .text = value->text};
    og_mlir_print_attr(&like, p->spelling, p->out);
  } else {
    og_mlir_print_attr(value, p->spelling, p->out);
  }
}

static void print_dynamic(struct og_mlir_printer *p, const struct og_mlir_op *op, const struct og_mlir_element *e) {
  uint32_t count, next = 0;
  struct og_mlir_value **values = group_of(op, e->index, &count);
  og_mlir_attr constants = attribute_of(op, e->second);
  og_mlir_print_text(p, "[");
  for (uint32_t i = 0; constants && i < constants->int_count; i++) {
    og_mlir_print_text(p, i ? ", " : "");
    if (constants->ints[i] != OG_MLIR_DYNAMIC)
      og_buffer_printf(p->out, "%lld", (long long)constants->ints[i]);
    else if (next < count)
      og_mlir_print_value(p, values[next++]);
  }
  og_mlir_print_text(p, "]");
}

/* Whether an optional part is printed: if something in it is there. */
static bool is_there(const struct og_mlir_op *op, uint32_t from, uint32_t end) {
  for (uint32_t i = from; i < end; i++) {
    const struct og_mlir_element *e = &op->row->format[i];
    uint32_t count = 0;
    if (e->kind == OG_MLIR_F_OPERAND || (e->kind == OG_MLIR_F_TYPES && e->index < op->row->operand_groups))
      group_of(op, e->index, &count);
    else if (e->kind == OG_MLIR_F_ATTRIBUTE)
      count = attribute_of(op, e->index) != NULL;
    else if (e->kind == OG_MLIR_F_DYNAMIC)
      count = attribute_of(op, e->second) != NULL;
    if (count)
      return true;
  }
  return false;
}

static void print_dictionaries(struct og_mlir_printer *p, struct printing *at, uint8_t kind) {
  const struct og_mlir_op *op = at->op;
  bool first = true, properties = false;
  for (uint32_t i = 0; i < op->row->format_size; i++)
    properties |= op->row->format[i].kind == OG_MLIR_F_PROPERTIES;
  for (uint32_t i = 0; i < op->attribute_count; i++) {
    int index = og_mlir_row_attribute_index(op->row, op->attributes[i].name);
    if ((index >= 0 && at->used >> index & 1) || og_mlir_is_default(op->attributes[i].value))
      continue;
    if (properties && (index >= 0) != (kind == OG_MLIR_F_PROPERTIES))
      continue;
    if (first)
      og_mlir_print_text(p, kind == OG_MLIR_F_PROPERTIES           ? " <{"
                            : kind == OG_MLIR_F_KEYWORD_DICTIONARY ? " attributes {"
                                                                   : " {");
    og_mlir_print_entry(p, op, &op->attributes[i], &first);
  }
  og_mlir_print_text(p, first ? "" : kind == OG_MLIR_F_PROPERTIES ? "}>" : "}");
}

static void print_group_types(struct og_mlir_printer *p, const struct og_mlir_op *op, uint32_t group) {
  uint32_t count;
  if (group < op->row->operand_groups) {
    struct og_mlir_value **values = group_of(op, group, &count);
    og_mlir_print_types(p, values, count);
    return;
  }
  group -= op->row->operand_groups;
  bool all = op->row->result_groups == 1;
  for (uint32_t i = all ? 0 : group; i < op->result_count && (all || i == group); i++) {
    og_mlir_print_text(p, i && all ? ", " : "");
    og_mlir_print_typed(p, op->results[i].type);
  }
}

void og_mlir_print_functional(struct og_mlir_printer *p, const struct og_mlir_op *op) {
  og_mlir_print_text(p, "(");
  og_mlir_print_types(p, op->operands, op->operand_count);
  bool bare = op->result_count == 1 && op->results[0].type->kind != OG_MLIR_FUNCTION;
  og_mlir_print_text(p, bare ? ") -> " : ") -> (");
  for (uint32_t i = 0; i < op->result_count; i++) {
    og_mlir_print_text(p, i ? ", " : "");
    og_mlir_print_typed(p, op->results[i].type);
  }
  og_mlir_print_text(p, bare ? "" : ")");
}

static void print_successor(struct og_mlir_printer *p, struct printing *at) {
  const struct og_mlir_op *op = at->op;
  uint32_t count;
  og_buffer_printf(p->out, "^bb%u", op->successors[at->successor].block->number);
  uint32_t group = op->row->operand_groups - op->successor_count + at->successor;
  struct og_mlir_value **values = group_of(op, group, &count);
  at->successor++;
  if (!count)
    return;
  og_mlir_print_text(p, "(");
  og_mlir_print_values(p, values, count);
  og_mlir_print_text(p, " : ");
  og_mlir_print_types(p, values, count);
  og_mlir_print_text(p, ")");
}

static void print_element(struct og_mlir_printer *p, struct printing *at, uint32_t *index) {
  struct og_mlir_op *op = at->op;
  const struct og_mlir_element *e = &op->row->format[(*index)++];
  uint32_t count;
  struct og_mlir_value **values;
  og_mlir_attr value = NULL;
  switch (e->kind) {
  case OG_MLIR_F_TIGHT: at->tight = true; return;
  case OG_MLIR_F_OPTION:
    if (is_there(op, *index, e->second))
      while (*index < e->second)
        print_element(p, at, index);
    *index = e->second;
    return;
  case OG_MLIR_F_DICTIONARY:
  case OG_MLIR_F_KEYWORD_DICTIONARY:
  case OG_MLIR_F_PROPERTIES: print_dictionaries(p, at, e->kind); return;
  case OG_MLIR_F_FLAGS:
    value = attribute_of(op, e->index);
    if (!value || og_mlir_is_default(value))
      return;
    og_buffer_printf(p->out, " %.*s<%.*s>", OG_TEXT_ARGS(e->text), OG_TEXT_ARGS(value->text));
    return;
  case OG_MLIR_F_CUSTOM: og_mlir_print_custom(p, op, e->index); return;
  case OG_MLIR_F_OPTIONAL_DYNAMIC:
    if (!attribute_of(op, e->second)) {
      at->tight = false;
      return;
    }
    break;
  case OG_MLIR_F_OPERAND:
    values = group_of(op, e->index, &count);
    if (!count)
      return;
    break;
  case OG_MLIR_F_ATTRIBUTE:
    value = attribute_of(op, e->index);
    if (!value || value->kind == OG_MLIR_UNIT)
      return;
    break;
  }
  space(p, at, e->kind == OG_MLIR_F_LITERAL ? e->text : (struct og_text){0});
  switch (e->kind) {
  case OG_MLIR_F_LITERAL: og_buffer_append(p->out, e->text.data, e->text.size); return;
  case OG_MLIR_F_OPERAND:
    values = group_of(op, e->index, &count);
    og_mlir_print_values(p, values, count);
    return;
  case OG_MLIR_F_ATTRIBUTE: print_attribute(p, value, op->row->attributes[e->index].kind); return;
  case OG_MLIR_F_ANGLED:
    og_mlir_print_text(p, "<");
    print_keyword(p, attribute_of(op, e->index), op->row->attributes[e->index].kind);
    og_mlir_print_text(p, ">");
    return;
  case OG_MLIR_F_TYPES: print_group_types(p, op, e->index); return;
  case OG_MLIR_F_ALL_OPERAND_TYPES: og_mlir_print_types(p, op->operands, op->operand_count); return;
  case OG_MLIR_F_ALL_RESULT_TYPES:
    for (uint32_t i = 0; i < op->result_count; i++) {
      og_mlir_print_text(p, i ? ", " : "");
      og_mlir_print_typed(p, op->results[i].type);
    }
    return;
  case OG_MLIR_F_FUNCTIONAL: og_mlir_print_functional(p, op); return;
  case OG_MLIR_F_DYNAMIC:
  case OG_MLIR_F_OPTIONAL_DYNAMIC: print_dynamic(p, op, e); return;
  case OG_MLIR_F_SUCCESSOR: print_successor(p, at); return;
  case OG_MLIR_F_REGION: og_mlir_print_region(p, &op->regions[at->region++], false, true); return;
  }
}

void og_mlir_print_format(struct og_mlir_printer *p, struct og_mlir_op *op) {
  struct printing at = {.op = op};
  for (uint32_t i = 0; i < op->row->format_size; i++) {
    const struct og_mlir_element *e = &op->row->format[i];
    if (e->kind == OG_MLIR_F_ATTRIBUTE || e->kind == OG_MLIR_F_ANGLED || e->kind == OG_MLIR_F_FLAGS)
      at.used |= 1u << e->index;
    if (e->kind == OG_MLIR_F_DYNAMIC || e->kind == OG_MLIR_F_OPTIONAL_DYNAMIC)
      at.used |= 1u << e->second;
  }
  if (op->row->id == OG_MLIR_OP_GPU_MODULE)
    at.used = ~0u;
  og_mlir_print_text(p, p->spelling == OG_MLIR_RFC && strncmp(op->row->name, "xegpu.", 6) == 0 ? "XeGPU" : "");
  og_mlir_print_text(p,
                     op->row->name + (p->spelling == OG_MLIR_RFC && strncmp(op->row->name, "xegpu.", 6) == 0 ? 5 : 0));
  for (uint32_t i = 0; i < op->row->format_size;)
    print_element(p, &at, &i);
}
