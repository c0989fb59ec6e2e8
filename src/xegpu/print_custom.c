/* print_custom.c - the printer's operations with a syntax of their own. */
#include "xegpu/printer.h"

#include <string.h>

static void symbol_name(struct og_mlir_printer *p, const struct og_mlir_op *op, const char *attribute) {
  og_mlir_attr name = og_mlir_find(op, attribute);
  struct og_mlir_node like = {.kind = OG_MLIR_SYMBOL, .text = name ? name->text : OG_TEXT("unknown")};
  og_mlir_print_attr(name && name->kind == OG_MLIR_SYMBOL ? name : &like, p->spelling, p->out);
}

static void argument(struct og_mlir_printer *p, struct og_mlir_value *value) {
  value->slot = p->next;
  p->next += !value->name.size;
  og_mlir_print_value(p, value);
}

static void print_module(struct og_mlir_printer *p, struct og_mlir_op *op) {
  og_mlir_print_text(p, "module ");
  if (og_mlir_find(op, "sym_name")) {
    symbol_name(p, op, "sym_name");
    og_mlir_print_text(p, " ");
  }
  og_mlir_print_dictionary(p, op, "attributes ", "sym_name");
  og_mlir_print_region(p, &op->regions[0], false, true);
}

static void dictionary_at(struct og_mlir_printer *p, og_mlir_attr list, uint32_t index) {
  if (!list || index >= list->part_count || !list->parts[index]->part_count)
    return;
  og_mlir_print_text(p, " ");
  og_mlir_print_attr(list->parts[index], p->spelling, p->out);
}

static void attributions(struct og_mlir_printer *p, const char *word, struct og_mlir_value **values, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    og_buffer_printf(p->out, i ? ", " : " %s(", word);
    argument(p, values[i]);
    og_mlir_print_text(p, " : ");
    og_mlir_print_typed(p, values[i]->type);
  }
  og_mlir_print_text(p, count ? ")" : "");
}

static uint32_t workgroup_count(const struct og_mlir_op *op) {
  og_mlir_attr count = og_mlir_find(op, "workgroup_attributions");
  return count && count->kind == OG_MLIR_INT ? (uint32_t)count->ints[0] : 0;
}

static void print_function(struct og_mlir_printer *p, struct og_mlir_op *op, bool gpu) {
  og_mlir_attr type = og_mlir_find(op, "function_type")->parts[0], visibility = og_mlir_find(op, "sym_visibility");
  og_mlir_attr arguments = og_mlir_find(op, "arg_attrs"), results = og_mlir_find(op, "res_attrs");
  uint32_t inputs = (uint32_t)type->ints[0], count = type->part_count - inputs;
  struct og_mlir_block *entry = op->region_count ? op->regions[0].first : NULL;
  og_buffer_printf(p->out, "%s ", op->row->name);
  if (visibility)
    og_buffer_printf(p->out, "%.*s ", OG_TEXT_ARGS(visibility->text));
  symbol_name(p, op, "sym_name");
  og_mlir_print_text(p, "(");
  for (uint32_t i = 0; i < inputs; i++) {
    og_mlir_print_text(p, i ? ", " : "");
    if (entry) {
      argument(p, entry->arguments[i]);
      og_mlir_print_text(p, ": ");
    }
    og_mlir_print_typed(p, type->parts[i]);
    dictionary_at(p, arguments, i);
  }
  og_mlir_print_text(p, count ? ") -> (" : ")");
  for (uint32_t i = 0; i < count; i++) {
    og_mlir_print_text(p, i ? ", " : "");
    og_mlir_print_typed(p, type->parts[inputs + i]);
    dictionary_at(p, results, i);
  }
  og_mlir_print_text(p, count ? ")" : "");
  if (gpu && entry) {
    uint32_t shared = OG_MIN(workgroup_count(op), entry->argument_count - inputs);
    attributions(p, "workgroup", entry->arguments + inputs, shared);
    attributions(p, "private", entry->arguments + inputs + shared, entry->argument_count - inputs - shared);
  }
  if (gpu && og_mlir_find(op, "gpu.kernel"))
    og_mlir_print_text(p, " kernel");
  og_mlir_print_dictionary(
      p, op, "attributes ",
      "sym_name function_type sym_visibility arg_attrs res_attrs workgroup_attributions gpu.kernel");
  if (!entry)
    return;
  og_mlir_print_text(p, " ");
  og_mlir_print_region(p, &op->regions[0], false, true);
}

/* (%a = %x, …) */
static void assignments(struct og_mlir_printer *p, struct og_mlir_value **names, struct og_mlir_value **values,
                        uint32_t count) {
  og_mlir_print_text(p, "(");
  for (uint32_t i = 0; i < count; i++) {
    og_mlir_print_text(p, i ? ", " : "");
    argument(p, names[i]);
    og_mlir_print_text(p, " = ");
    og_mlir_print_value(p, values[i]);
  }
  og_mlir_print_text(p, ")");
}

static void result_types(struct og_mlir_printer *p, const struct og_mlir_op *op) {
  og_mlir_print_text(p, " -> (");
  for (uint32_t i = 0; i < op->result_count; i++) {
    og_mlir_print_text(p, i ? ", " : "");
    og_mlir_print_typed(p, op->results[i].type);
  }
  og_mlir_print_text(p, ")");
}

static void print_for(struct og_mlir_printer *p, struct og_mlir_op *op) {
  struct og_mlir_block *body = op->regions[0].first;
  og_mlir_print_text(p, og_mlir_find(op, "unsignedCmp") ? "scf.for unsigned " : "scf.for ");
  argument(p, body->arguments[0]);
  static const char *const words[] = {" = ", " to ", " step "};
  for (int i = 0; i < 3; i++) {
    og_mlir_print_text(p, words[i]);
    og_mlir_print_value(p, op->operands[i]);
  }
  if (op->result_count) {
    og_mlir_print_text(p, " iter_args");
    assignments(p, body->arguments + 1, op->operands + 3, op->result_count);
    result_types(p, op);
  }
  if (op->operands[0]->type->kind != OG_MLIR_INDEX) {
    og_mlir_print_text(p, " : ");
    og_mlir_print_typed(p, op->operands[0]->type);
  }
  og_mlir_print_text(p, " ");
  og_mlir_print_region(p, &op->regions[0], false, op->result_count);
  og_mlir_print_dictionary(p, op, "", "unsignedCmp");
}

static void print_if(struct og_mlir_printer *p, struct og_mlir_op *op) {
  og_mlir_print_text(p, "scf.if ");
  og_mlir_print_value(p, op->operands[0]);
  if (op->result_count)
    result_types(p, op);
  og_mlir_print_text(p, " ");
  og_mlir_print_region(p, &op->regions[0], false, op->result_count);
  if (op->region_count > 1 && op->regions[1].first) {
    og_mlir_print_text(p, " else ");
    og_mlir_print_region(p, &op->regions[1], false, op->result_count);
  }
  og_mlir_print_dictionary(p, op, "", "");
}

static void print_while(struct og_mlir_printer *p, struct og_mlir_op *op) {
  og_mlir_print_text(p, "scf.while ");
  if (op->operand_count)
    assignments(p, op->regions[0].first->arguments, op->operands, op->operand_count);
  og_mlir_print_text(p, " : (");
  og_mlir_print_types(p, op->operands, op->operand_count);
  og_mlir_print_text(p, ")");
  result_types(p, op);
  og_mlir_print_text(p, " ");
  og_mlir_print_region(p, &op->regions[0], false, true);
  og_mlir_print_text(p, " do ");
  og_mlir_print_region(p, &op->regions[1], true, true);
  og_mlir_print_dictionary(p, op, "attributes ", "");
}

static void print_parallel(struct og_mlir_printer *p, struct og_mlir_op *op) {
  struct og_mlir_block *body = op->regions[0].first;
  static const char *const words[] = {") = (", ") to (", ") step ("};
  og_mlir_print_text(p, "scf.parallel (");
  for (uint32_t i = 0; i < body->argument_count; i++) {
    og_mlir_print_text(p, i ? ", " : "");
    argument(p, body->arguments[i]);
  }
  for (uint32_t i = 0, at = 0; i < 3; at += op->segments[i++]) {
    og_mlir_print_text(p, words[i]);
    og_mlir_print_values(p, op->operands + at, op->segments[i]);
  }
  og_mlir_print_text(p, ") ");
  og_mlir_print_region(p, &op->regions[0], false, true);
  og_mlir_print_dictionary(p, op, "", "");
}

static void print_async(struct og_mlir_printer *p, struct og_mlir_op *op) {
  bool token = op->result_count && op->results[op->result_count - 1].type->kind == OG_MLIR_DIALECT_TYPE;
  og_mlir_print_text(p, token ? " async" : "");
  if (op->segments[0]) {
    og_mlir_print_text(p, " [");
    og_mlir_print_values(p, op->operands, op->segments[0]);
    og_mlir_print_text(p, "]");
  }
}

static struct og_mlir_value **group_at(const struct og_mlir_op *op, uint32_t group) {
  struct og_mlir_value **at = op->operands;
  for (uint32_t i = 0; i < group; i++)
    at += op->segments[i];
  return at;
}

static void print_launch(struct og_mlir_printer *p, struct og_mlir_op *op) {
  struct og_mlir_block *body = op->regions[0].first;
  og_mlir_print_text(p, "gpu.launch");
  print_async(p, op);
  for (uint32_t half = 0; half < 2; half++) {
    og_mlir_print_text(p, half ? " threads(" : " blocks(");
    for (uint32_t i = 0; i < 3; i++) {
      og_mlir_print_text(p, i ? ", " : "");
      argument(p, body->arguments[3 * half + i]);
    }
    og_mlir_print_text(p, ") in ");
    assignments(p, body->arguments + 6 + 3 * half, group_at(op, 1 + 3 * half), 3);
  }
  if (op->segments[10]) {
    og_mlir_print_text(p, " dynamic_shared_memory_size ");
    og_mlir_print_value(p, *group_at(op, 10));
  }
  uint32_t shared = OG_MIN(workgroup_count(op), body->argument_count - 12);
  attributions(p, "workgroup", body->arguments + 12, shared);
  attributions(p, "private", body->arguments + 12 + shared, body->argument_count - 12 - shared);
  og_mlir_print_text(p, " ");
  og_mlir_print_region(p, &op->regions[0], false, true);
  og_mlir_print_dictionary(p, op, "", "workgroup_attributions");
}

static void print_launch_func(struct og_mlir_printer *p, struct og_mlir_op *op) {
  static const struct {
    const char *word;
    uint8_t group;
  } sizes[] = {{"clusters", 7}, {"blocks", 1}, {"threads", 4}};
  og_mlir_print_text(p, "gpu.launch_func");
  print_async(p, op);
  og_mlir_print_text(p, " ");
  symbol_name(p, op, "kernel");
  for (size_t i = 0; i < OG_COUNT(sizes); i++)
    if (op->segments[sizes[i].group]) {
      og_buffer_printf(p->out, " %s in (", sizes[i].word);
      og_mlir_print_values(p, group_at(op, sizes[i].group), 3);
      og_mlir_print_text(p, ")");
    }
  og_mlir_type type = (*group_at(op, 1))->type;
  if (type->kind != OG_MLIR_INDEX) {
    og_mlir_print_text(p, " : ");
    og_mlir_print_typed(p, type);
  }
  if (op->segments[10]) {
    og_mlir_print_text(p, " dynamic_shared_memory_size ");
    og_mlir_print_value(p, *group_at(op, 10));
  }
  struct og_mlir_value **arguments = group_at(op, 11);
  for (uint32_t i = 0; i < op->segments[11]; i++) {
    og_mlir_print_text(p, i ? ", " : " args(");
    og_mlir_print_value(p, arguments[i]);
    og_mlir_print_text(p, " : ");
    og_mlir_print_typed(p, arguments[i]->type);
  }
  og_mlir_print_text(p, op->segments[11] ? ")" : "");
  og_mlir_print_dictionary(p, op, "", "kernel");
}

static void print_constant(struct og_mlir_printer *p, const struct og_mlir_op *op) {
  og_mlir_print_text(p, "arith.constant");
  og_mlir_print_dictionary(p, op, "", "value");
  og_mlir_print_text(p, " ");
  og_mlir_print_attr(og_mlir_find(op, "value"), p->spelling, p->out);
}

static void print_select(struct og_mlir_printer *p, const struct og_mlir_op *op) {
  og_buffer_printf(p->out, "%s ", op->row->name);
  og_mlir_print_values(p, op->operands, op->operand_count);
  og_mlir_print_dictionary(p, op, "", "");
  og_mlir_print_text(p, " : ");
  if (op->operands[0]->type->kind == OG_MLIR_VECTOR) {
    og_mlir_print_typed(p, op->operands[0]->type);
    og_mlir_print_text(p, ", ");
  }
  og_mlir_print_typed(p, op->results[0].type);
}

static void print_global(struct og_mlir_printer *p, const struct og_mlir_op *op) {
  og_mlir_attr visibility = og_mlir_find(op, "sym_visibility"), value = og_mlir_find(op, "initial_value");
  og_mlir_print_text(p, "memref.global ");
  if (visibility)
    og_buffer_printf(p->out, "\"%.*s\" ", OG_TEXT_ARGS(visibility->text));
  og_mlir_print_text(p, og_mlir_find(op, "constant") ? "constant " : "");
  symbol_name(p, op, "sym_name");
  og_mlir_print_text(p, " : ");
  og_mlir_print_typed(p, og_mlir_find(op, "type")->parts[0]);
  if (value) {
    og_mlir_print_text(p, " = ");
    if (value->kind == OG_MLIR_UNIT)
      og_mlir_print_text(p, "uninitialized");
    else if (value->kind == OG_MLIR_DENSE)
      og_mlir_print_dense(value, p->out);
    else
      og_mlir_print_attr(value, p->spelling, p->out);
  }
  og_mlir_print_dictionary(p, op, "", "sym_visibility initial_value constant sym_name type");
}

static void print_transfer(struct og_mlir_printer *p, const struct og_mlir_op *op) {
  bool write = op->row->id == OG_MLIR_OP_TRANSFER_WRITE;
  struct og_mlir_value **at = op->operands;
  og_buffer_printf(p->out, "%s ", op->row->name);
  if (write) {
    og_mlir_print_value(p, *at++);
    og_mlir_print_text(p, ", ");
  }
  og_mlir_type base = (*at)->type;
  og_mlir_print_value(p, *at++);
  og_mlir_print_text(p, "[");
  og_mlir_print_values(p, at, op->segments[write ? 2 : 1]);
  at += op->segments[write ? 2 : 1];
  og_mlir_print_text(p, "]");
  for (; at < op->operands + op->operand_count; at++) {
    og_mlir_print_text(p, ", ");
    og_mlir_print_value(p, *at);
  }
  og_mlir_print_dictionary(p, op, "", "");
  og_mlir_print_text(p, " : ");
  og_mlir_print_typed(p, write ? op->operands[0]->type : base);
  og_mlir_print_text(p, ", ");
  og_mlir_print_typed(p, write ? base : op->results[0].type);
}

static void print_position(struct og_mlir_printer *p, const struct og_mlir_op *op) {
  uint32_t vector = op->row->id == OG_MLIR_OP_INSERTELEMENT;
  og_buffer_printf(p->out, "%s ", op->row->name);
  og_mlir_print_values(p, op->operands, vector + 1);
  og_mlir_print_text(p, "[");
  if (op->operand_count > vector + 1) {
    og_mlir_print_value(p, op->operands[vector + 1]);
    og_mlir_print_text(p, " : ");
    og_mlir_print_typed(p, op->operands[vector + 1]->type);
  }
  og_mlir_print_text(p, "]");
  og_mlir_print_dictionary(p, op, "", "");
  og_mlir_print_text(p, " : ");
  og_mlir_print_typed(p, op->operands[vector]->type);
}

static void print_targets(struct og_mlir_printer *p, const struct og_mlir_op *op) {
  og_mlir_attr handler = og_mlir_find(op, "offloadingHandler"), targets = og_mlir_find(op, "targets");
  if (handler) {
    og_mlir_print_text(p, " <");
    og_mlir_print_attr(handler, p->spelling, p->out);
    og_mlir_print_text(p, ">");
  }
  if (targets) {
    og_mlir_print_text(p, " ");
    og_mlir_print_attr(targets, p->spelling, p->out);
  }
}

bool og_mlir_print_custom(struct og_mlir_printer *p, struct og_mlir_op *op, uint8_t custom) {
  static void (*const prints[OG_MLIR_CUSTOM_COUNT])(struct og_mlir_printer *, struct og_mlir_op *) = {
      [OG_MLIR_X_module] = print_module,
      [OG_MLIR_X_for] = print_for,
      [OG_MLIR_X_if] = print_if,
      [OG_MLIR_X_while] = print_while,
      [OG_MLIR_X_parallel] = print_parallel,
      [OG_MLIR_X_async] = print_async,
      [OG_MLIR_X_launch] = print_launch,
      [OG_MLIR_X_launch_func] = print_launch_func,
      [OG_MLIR_X_rfc_nd] = og_mlir_print_rfc,
      [OG_MLIR_X_rfc_operands] = og_mlir_print_rfc};
  switch (custom) {
  case OG_MLIR_X_func:
  case OG_MLIR_X_gpu_func: print_function(p, op, custom == OG_MLIR_X_gpu_func); return true;
  case OG_MLIR_X_constant: print_constant(p, op); return true;
  case OG_MLIR_X_select:
    if (op->row->id == OG_MLIR_OP_SCF_REDUCE)
      og_mlir_print_text(p, "scf.reduce");
    else
      print_select(p, op);
    return true;
  case OG_MLIR_X_global: print_global(p, op); return true;
  case OG_MLIR_X_transfer: print_transfer(p, op); return true;
  case OG_MLIR_X_dense_position: print_position(p, op); return true;
  case OG_MLIR_X_targets: print_targets(p, op); return true;
  case OG_MLIR_X_reduce_body:
    og_mlir_print_text(p, " ");
    og_mlir_print_region(p, &op->regions[0], true, true);
    return true;
  }
  if (prints[custom])
    prints[custom](p, op);
  return prints[custom];
}
