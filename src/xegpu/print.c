/* print.c - a module as text: values, regions, and operations in the generic form. */
#include "xegpu/printer.h"

#include <string.h>

/* ---- values and attributes --------------------------------------------------------------------------------------- */

void og_mlir_print_value(struct og_mlir_printer *p, const struct og_mlir_value *value) {
  if (value->name.size) {
    og_buffer_printf(p->out, "%%%.*s", OG_TEXT_ARGS(value->name));
    return;
  }
  bool several = value->op && value->op->result_count > 1;
  og_buffer_printf(p->out, "%%%u", value->slot);
  if (several)
    og_buffer_printf(p->out, "#%u", value->index);
}

void og_mlir_print_values(struct og_mlir_printer *p, struct og_mlir_value **values, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    og_mlir_print_text(p, i ? ", " : "");
    og_mlir_print_value(p, values[i]);
  }
}

void og_mlir_print_types(struct og_mlir_printer *p, struct og_mlir_value **values, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    og_mlir_print_text(p, i ? ", " : "");
    og_mlir_print_typed(p, values[i]->type);
  }
}

static bool is_word_in(struct og_text name, const char *list) {
  for (const char *at = list; at && *at;) {
    size_t size = strcspn(at, " ");
    if (og_text_equal((struct og_text){at, size}, name))
      return true;
    at += size + (at[size] == ' ');
  }
  return false;
}

bool og_mlir_is_default(og_mlir_attr value) {
  return value->kind == OG_MLIR_ENUM && og_text_is(value->text, "none") &&
         (og_text_is(value->parts[0]->text, "arith.fastmath") || og_text_is(value->parts[0]->text, "arith.overflow"));
}

void og_mlir_print_entry(struct og_mlir_printer *p, const struct og_mlir_op *op, const struct og_mlir_named *named,
                         bool *first) {
  og_mlir_print_text(p, *first ? "" : ", ");
  *first = false;
  og_buffer_append(p->out, named->name.data, named->name.size);
  if (named->value->kind == OG_MLIR_UNIT)
    return;
  og_mlir_print_text(p, " = ");
  int index = og_mlir_row_attribute_index(op->row, named->name);
  if (p->spelling <= OG_MLIR_FIRST && !p->generic && index >= 0 && op->row->attributes[index].kind == OG_MLIR_A_i64s &&
      strncmp(op->row->name, "xegpu.", 6) == 0) {
    og_mlir_print_text(p, "[");
    for (uint32_t i = 0; i < named->value->int_count; i++)
      og_buffer_printf(p->out, "%s%lld", i ? ", " : "", (long long)named->value->ints[i]);
    og_mlir_print_text(p, "]");
    return;
  }
  og_mlir_print_attr(named->value, p->spelling, p->out);
}

void og_mlir_print_dictionary(struct og_mlir_printer *p, const struct og_mlir_op *op, const char *keyword,
                              const char *but) {
  bool first = true;
  for (uint32_t i = 0; i < op->attribute_count; i++)
    if (!is_word_in(op->attributes[i].name, but)) {
      if (first)
        og_buffer_printf(p->out, " %s{", keyword);
      og_mlir_print_entry(p, op, &op->attributes[i], &first);
    }
  og_mlir_print_text(p, first ? "" : "}");
}

/* ---- the generic form -------------------------------------------------------------------------------------------- */

static void print_generic(struct og_mlir_printer *p, struct og_mlir_op *op) {
  bool first = true;
  og_buffer_printf(p->out, "\"%s\"(", op->row->name);
  og_mlir_print_values(p, op->operands, op->operand_count);
  og_mlir_print_text(p, ")");
  for (uint32_t i = 0; i < op->successor_count; i++)
    og_buffer_printf(p->out, "%s^bb%u%s", i ? ", " : "[", op->successors[i].block->number,
                     i + 1 == op->successor_count ? "]" : "");
  if (op->row->traits & OG_MLIR_T_SEGMENTS) {
    og_mlir_print_text(p, " <{operandSegmentSizes = array<i32");
    for (uint32_t i = 0; i < op->row->operand_groups; i++)
      og_buffer_printf(p->out, "%s%u", i ? ", " : ": ", op->segments[i]);
    og_mlir_print_text(p, ">");
    first = false;
  }
  for (uint32_t i = 0; i < op->attribute_count; i++)
    if (og_mlir_row_attribute_index(op->row, op->attributes[i].name) >= 0 &&
        !og_text_is(op->attributes[i].name, "workgroup_attributions")) {
      og_mlir_print_text(p, first ? " <{" : "");
      og_mlir_print_entry(p, op, &op->attributes[i], &first);
    }
  og_mlir_print_text(p, first ? "" : "}>");
  for (uint32_t i = 0; i < op->region_count; i++) {
    og_mlir_print_text(p, i ? ", " : " (");
    og_mlir_print_region(p, &op->regions[i], true, true);
    og_mlir_print_text(p, i + 1 == op->region_count ? ")" : "");
  }
  first = true;
  for (uint32_t i = 0; i < op->attribute_count; i++)
    if (og_mlir_row_attribute_index(op->row, op->attributes[i].name) < 0 ||
        og_text_is(op->attributes[i].name, "workgroup_attributions")) {
      og_mlir_print_text(p, first ? " {" : "");
      og_mlir_print_entry(p, op, &op->attributes[i], &first);
    }
  og_mlir_print_text(p, first ? " : " : "} : ");
  og_mlir_print_functional(p, op);
}

/* ---- operations, regions, the module ----------------------------------------------------------------------------- */

static void new_line(struct og_mlir_printer *p) { og_buffer_printf(p->out, "\n%*s", (int)p->indent * 2, ""); }

static void print_results(struct og_mlir_printer *p, struct og_mlir_op *op) {
  bool named = op->result_count > 0;
  for (uint32_t i = 0; i < op->result_count; i++)
    named &= op->results[i].name.size > 0;
  for (uint32_t i = 0; i < op->result_count; i++) {
    if (!named)
      op->results[i].name = (struct og_text){0};
    op->results[i].slot = p->next;
    if (named) {
      og_mlir_print_text(p, i ? ", " : "");
      og_mlir_print_value(p, &op->results[i]);
    }
  }
  if (!op->result_count)
    return;
  if (!named)
    og_buffer_printf(p->out, "%%%u", p->next++);
  if (!named && op->result_count > 1)
    og_buffer_printf(p->out, ":%u", op->result_count);
  og_mlir_print_text(p, " = ");
}

void og_mlir_print_op(struct og_mlir_printer *p, struct og_mlir_op *op) {
  print_results(p, op);
  if (p->generic)
    print_generic(p, op);
  else if (op->row->custom)
    og_mlir_print_custom(p, op, (uint8_t)(op->row->custom - 1));
  else
    og_mlir_print_format(p, op);
}

void og_mlir_print_region(struct og_mlir_printer *p, struct og_mlir_region *region, bool arguments, bool terminator) {
  uint32_t number = 0;
  for (struct og_mlir_block *b = region->first; b; b = b->next)
    b->number = number++;
  og_mlir_print_text(p, "{");
  p->indent++;
  for (struct og_mlir_block *b = region->first; b; b = b->next) {
    bool entry = b == region->first;
    if (!entry || (arguments && b->argument_count)) {
      p->indent--;
      new_line(p);
      p->indent++;
      og_buffer_printf(p->out, "^bb%u%s", b->number, b->argument_count ? "(" : "");
      for (uint32_t i = 0; i < b->argument_count; i++) {
        b->arguments[i]->slot = p->next;
        p->next += !b->arguments[i]->name.size;
        og_mlir_print_text(p, i ? ", " : "");
        og_mlir_print_value(p, b->arguments[i]);
        og_mlir_print_text(p, ": ");
        og_mlir_print_typed(p, b->arguments[i]->type);
      }
      og_mlir_print_text(p, b->argument_count ? "):" : ":");
    }
    for (struct og_mlir_op *op = b->first; op; op = op->next) {
      if (!terminator && !op->next && op->row->traits & OG_MLIR_T_TERMINATOR && !op->operand_count &&
          !op->attribute_count)
        break;
      new_line(p);
      og_mlir_print_op(p, op);
    }
  }
  p->indent--;
  new_line(p);
  og_mlir_print_text(p, "}");
}

void og_mlir_print(const struct og_mlir_module *module, bool generic, struct og_buffer *out) {
  struct og_mlir_printer p = {.m = module, .out = out, .spelling = module->spelling, .generic = generic};
  og_mlir_print_op(&p, module->op);
  og_buffer_text(out, "\n");
}
