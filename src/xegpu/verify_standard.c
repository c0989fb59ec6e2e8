/* verify_standard.c - rules of func, gpu, scf, cf, arith and memref that are not in their rows. */
#include "xegpu/verifier.h"

#include <string.h>

/* ---- symbols ----------------------------------------------------------------------------------------------------- */

static struct og_mlir_op *lookup(const struct og_mlir_op *table, struct og_text name) {
  for (struct og_mlir_block *b = table->regions[0].first; b; b = b->next)
    for (struct og_mlir_op *op = b->first; op; op = op->next) {
      og_mlir_attr symbol = op->row->traits & OG_MLIR_T_SYMBOL ? og_mlir_find(op, "sym_name") : NULL;
      if (symbol && og_text_equal(symbol->text, name))
        return op;
    }
  return NULL;
}

struct og_mlir_op *og_mlir_symbol(const struct og_mlir_op *in, og_mlir_attr name) {
  for (const struct og_mlir_op *at = in; at; at = at->block ? at->block->region->op : NULL) {
    if (!(at->row->traits & OG_MLIR_T_TABLE) || at == in)
      continue;
    struct og_mlir_op *found = lookup(at, name->text);
    for (uint32_t i = 0; found && i < name->part_count; i++)
      found = found->row->traits & OG_MLIR_T_TABLE ? lookup(found, name->parts[i]->text) : NULL;
    return found; /* of the nearest table */
  }
  return NULL;
}

static bool check_table(struct og_mlir_verifier *v, const struct og_mlir_op *table) {
  if (!(table->row->traits & OG_MLIR_T_TABLE))
    return true;
  for (struct og_mlir_op *op = table->regions[0].first ? table->regions[0].first->first : NULL; op; op = op->next) {
    og_mlir_attr name = op->row->traits & OG_MLIR_T_SYMBOL ? og_mlir_find(op, "sym_name") : NULL;
    const struct og_mlir_op *first = name ? lookup(table, name->text) : op;
    if (first != op) {
      v->ok = false;
      og_error(v->diagnostics, (struct og_range){&v->m->source, op->offset, op->size},
               "redefinition of symbol named '%.*s'", OG_TEXT_ARGS(name->text));
      og_report(v->diagnostics, OG_SEVERITY_NOTE, (struct og_range){&v->m->source, first->offset, first->size},
                "see existing symbol definition here");
    }
  }
  return true;
}

/* ---- functions --------------------------------------------------------------------------------------------------- */

static og_mlir_type function_type(const struct og_mlir_op *op) {
  og_mlir_attr type = og_mlir_find(op, "function_type");
  return type && type->kind == OG_MLIR_TYPE && type->parts[0]->kind == OG_MLIR_FUNCTION ? type->parts[0] : NULL;
}

static bool check_function(struct og_mlir_verifier *v, const struct og_mlir_op *op) {
  og_mlir_type type = function_type(op);
  struct og_mlir_block *entry = op->regions[0].first;
  bool gpu = op->row->id == OG_MLIR_OP_GPU_FUNC;
  uint32_t inputs = (uint32_t)type->ints[0];
  if (gpu && (!op->block || op->block->region->op->row->id != OG_MLIR_OP_GPU_MODULE))
    return og_mlir_wrong(v, op, "expects parent op 'gpu.module'");
  if (gpu && !entry)
    return og_mlir_wrong(v, op, "expected body with at least one block");
  if (!entry) {
    og_mlir_attr visibility = og_mlir_find(op, "sym_visibility");
    return (visibility && (og_text_is(visibility->text, "private") || og_text_is(visibility->text, "nested"))) ||
           og_mlir_wrong(v, op, "symbol declaration cannot have public visibility");
  }
  if (!gpu && entry->argument_count != inputs)
    return og_mlir_wrong(v, op, "entry block must have %u arguments to match function signature", inputs);
  if (gpu && og_mlir_find(op, "gpu.kernel") && type->part_count > inputs)
    return og_mlir_wrong(v, op, "expected void return type for kernel function");
  for (uint32_t i = 0; i < inputs && i < entry->argument_count; i++)
    if (entry->arguments[i]->type != type->parts[i])
      return og_mlir_wrong(v, op,
                           "type of entry block argument #%u('%s') must match the type of the corresponding argument "
                           "in function signature('%s')",
                           i, og_mlir_words(v, entry->arguments[i]->type), og_mlir_words(v, type->parts[i]));
  return true;
}

static bool check_return(struct og_mlir_verifier *v, const struct og_mlir_op *op) {
  const struct og_mlir_op *function = op->block->region->op;
  bool gpu = op->row->id == OG_MLIR_OP_GPU_RETURN;
  if (function->row->id != (gpu ? OG_MLIR_OP_GPU_FUNC : OG_MLIR_OP_FUNC))
    return og_mlir_wrong(v, op, "expects parent op '%s'", gpu ? "gpu.func" : "func.func");
  og_mlir_type type = function_type(function);
  uint32_t inputs = type ? (uint32_t)type->ints[0] : 0, results = type ? type->part_count - inputs : 0;
  og_mlir_attr name = og_mlir_find(function, "sym_name");
  if (!type)
    return true;
  if (op->operand_count != results)
    return gpu ? og_mlir_wrong(v, op, "expected %u result operands", results)
               : og_mlir_wrong(v, op, "has %u operands, but enclosing function (@%.*s) returns %u", op->operand_count,
                               name ? (int)name->text.size : 0, name ? name->text.data : "", results);
  for (uint32_t i = 0; i < results; i++)
    if (op->operands[i]->type != type->parts[inputs + i])
      return og_mlir_wrong(v, op, "type of return operand %u ('%s') doesn't match function result type ('%s')", i,
                           og_mlir_words(v, op->operands[i]->type), og_mlir_words(v, type->parts[inputs + i]));
  return true;
}

static bool check_call(struct og_mlir_verifier *v, const struct og_mlir_op *op) {
  og_mlir_attr name = og_mlir_find(op, "callee");
  const struct og_mlir_op *callee = og_mlir_symbol(op, name);
  if (!callee || callee->row->id != OG_MLIR_OP_FUNC)
    return og_mlir_wrong(v, op, "'%.*s' does not reference a valid function", OG_TEXT_ARGS(name->text));
  og_mlir_type type = function_type(callee);
  uint32_t inputs = type ? (uint32_t)type->ints[0] : 0;
  if (!type)
    return true;
  if (op->operand_count != inputs)
    return og_mlir_wrong(v, op, "incorrect number of operands for callee");
  for (uint32_t i = 0; i < inputs; i++)
    if (op->operands[i]->type != type->parts[i])
      return og_mlir_wrong(v, op,
                           "operand type mismatch: expected operand type '%s', but provided '%s' for operand number %u",
                           og_mlir_words(v, type->parts[i]), og_mlir_words(v, op->operands[i]->type), i);
  if (op->result_count != type->part_count - inputs)
    return og_mlir_wrong(v, op, "incorrect number of results for callee");
  for (uint32_t i = 0; i < op->result_count; i++)
    if (op->results[i].type != type->parts[inputs + i])
      return og_mlir_wrong(v, op, "result type mismatch: expected '%s', but provided '%s' for result number %u",
                           og_mlir_words(v, type->parts[inputs + i]), og_mlir_words(v, op->results[i].type), i);
  return true;
}

static bool check_launch_func(struct og_mlir_verifier *v, const struct og_mlir_op *op) {
  og_mlir_attr name = og_mlir_find(op, "kernel");
  const struct og_mlir_op *kernel = og_mlir_symbol(op, name), *module = op;
  while (module && module->row->id != OG_MLIR_OP_MODULE)
    module = module->block ? module->block->region->op : NULL;
  if (module && !og_mlir_find(module, "gpu.container_module"))
    return og_mlir_wrong(v, op, "expected the closest surrounding module to have the 'gpu.container_module' attribute");
  if (!kernel || kernel->row->id != OG_MLIR_OP_GPU_FUNC) {
    struct og_mlir_node like = *name;
    like.part_count = 0;
    const struct og_mlir_op *of = og_mlir_symbol(op, &like);
    return !of ? og_mlir_wrong(v, op, "kernel module '%.*s' is undefined", OG_TEXT_ARGS(name->text))
               : og_mlir_wrong(v, op, "kernel function '@%.*s' is undefined",
                               OG_TEXT_ARGS(name->part_count ? name->parts[0]->text : name->text));
  }
  if (!og_mlir_find(kernel, "gpu.kernel"))
    return og_mlir_wrong(v, op, "kernel function is missing the 'gpu.kernel' attribute");
  og_mlir_type type = function_type(kernel);
  if (type && op->segments[11] != (uint32_t)type->ints[0])
    return og_mlir_wrong(v, op, "got %u kernel operands but expected %lld", op->segments[11], (long long)type->ints[0]);
  uint32_t count;
  struct og_mlir_value **arguments = og_mlir_group(op, "kernelOperands", &count);
  for (uint32_t i = 0; type && i < count; i++)
    if (arguments[i]->type != type->parts[i])
      return og_mlir_wrong(v, op, "type of function argument %u does not match", i);
  return true;
}

static bool check_launch(struct og_mlir_verifier *v, const struct og_mlir_op *op) {
  struct og_mlir_block *body = op->regions[0].first;
  if (!body)
    return og_mlir_wrong(v, op, "body region is empty");
  for (struct og_mlir_block *b = body; b; b = b->next)
    if (b->last && b->last->row->id != OG_MLIR_OP_GPU_TERMINATOR && !b->last->successor_count)
      return og_mlir_wrong(v, op, "expected 'gpu.terminator' or a terminator with successors");
  return true;
}

/* ---- scf, cf ----------------------------------------------------------------------------------------------------- */

static bool check_yield_types(struct og_mlir_verifier *v, const struct og_mlir_op *op,
                              const struct og_mlir_region *region, struct og_mlir_value **values, uint32_t count) {
  const struct og_mlir_op *yield = region->last ? region->last->last : NULL;
  if (!yield || yield->row->id != OG_MLIR_OP_YIELD)
    return og_mlir_wrong(v, op, "expects region to be terminated with 'scf.yield'");
  if (yield->operand_count != count)
    return og_mlir_wrong(v, op,
                         "region control flow edge from Region #0 to parent results: source has %u operands, but "
                         "target successor needs %u",
                         yield->operand_count, count);
  for (uint32_t i = 0; i < count; i++)
    if (yield->operands[i]->type != values[i]->type)
      return og_mlir_wrong(v, op,
                           "along control flow edge from Region #0 to parent results: source type #%u '%s' should "
                           "match input type #%u '%s'",
                           i, og_mlir_words(v, yield->operands[i]->type), i, og_mlir_words(v, values[i]->type));
  return true;
}

static struct og_mlir_value **results_of(struct og_mlir_verifier *v, const struct og_mlir_op *op) {
  struct og_mlir_value **values = OG_NEW_ARRAY(v->m->arena, struct og_mlir_value *, op->result_count + 1);
  for (uint32_t i = 0; i < op->result_count; i++)
    values[i] = &op->results[i];
  return values;
}

static bool check_for(struct og_mlir_verifier *v, const struct og_mlir_op *op) {
  struct og_mlir_block *body = op->regions[0].first;
  og_mlir_type type = op->operands[0]->type;
  if (type->kind != OG_MLIR_INDEX && type->kind != OG_MLIR_INTEGER)
    return og_mlir_wrong(v, op, "operand #0 must be signless integer or index, but got '%s'", og_mlir_words(v, type));
  if (!body || body->argument_count != op->result_count + 1 || op->operand_count != op->result_count + 3)
    return og_mlir_wrong(v, op, "mismatch in number of loop-carried values and defined values");
  if (body->arguments[0]->type != type)
    return og_mlir_wrong(v, op, "expected induction variable to be same type as bounds and step");
  for (uint32_t i = 0; i < op->result_count; i++)
    if (body->arguments[i + 1]->type != op->results[i].type || op->operands[i + 3]->type != op->results[i].type)
      return og_mlir_wrong(v, op, "types mismatch between %uth iter operand and defined value", i);
  return check_yield_types(v, op, &op->regions[0], results_of(v, op), op->result_count);
}

static bool check_if(struct og_mlir_verifier *v, const struct og_mlir_op *op) {
  if (op->result_count && !op->regions[1].first)
    return og_mlir_wrong(v, op, "must have an else block if defining values");
  for (int i = 0; i < 2; i++)
    if (op->regions[i].first &&
        (op->regions[i].first->next || !check_yield_types(v, op, &op->regions[i], results_of(v, op), op->result_count)))
      return op->regions[i].first->next ? og_mlir_wrong(v, op, "expects region #%d to have 0 or 1 blocks", i) : false;
  return true;
}

static bool check_while(struct og_mlir_verifier *v, const struct og_mlir_op *op) {
  struct og_mlir_block *before = op->regions[0].first, *after = op->regions[1].first;
  const struct og_mlir_op *condition = before && before->last ? before->last : NULL;
  if (!condition || condition->row->id != OG_MLIR_OP_CONDITION)
    return og_mlir_wrong(v, op, "expects the 'before' region to terminate with 'scf.condition'");
  if (before->argument_count != op->operand_count || condition->operand_count - 1 != op->result_count ||
      after->argument_count != op->result_count)
    return og_mlir_wrong(v, op, "expects as many arguments of its regions as values that are passed");
  for (uint32_t i = 0; i < op->result_count; i++)
    if (condition->operands[i + 1]->type != op->results[i].type || after->arguments[i]->type != op->results[i].type)
      return og_mlir_wrong(v, op, "type mismatch of value #%u passed by 'scf.condition'", i);
  return check_yield_types(v, op, &op->regions[1], before->arguments, before->argument_count);
}

static bool check_branch(struct og_mlir_verifier *v, const struct og_mlir_op *op) {
  uint32_t first = op->row->operand_groups - op->successor_count;
  struct og_mlir_value **at = op->operands + (first ? op->segments[0] : 0);
  for (uint32_t i = 0; i < op->successor_count; i++) {
    const struct og_mlir_block *to = op->successors[i].block;
    uint32_t count = op->segments[first + i];
    if (count != to->argument_count)
      return og_mlir_wrong(v, op, "branch has %u operands for successor #%u, but target block has %u", count, i,
                           to->argument_count);
    for (uint32_t k = 0; k < count; k++)
      if (at[k]->type != to->arguments[k]->type)
        return og_mlir_wrong(v, op, "type mismatch for bb argument #%u of successor #%u", k, i);
    at += count;
  }
  return true;
}

/* ---- arith, memref ----------------------------------------------------------------------------------------------- */

static bool check_width(struct og_mlir_verifier *v, const struct og_mlir_op *op, bool wider) {
  og_mlir_type from = op->operands[0]->type, to = op->results[0].type;
  uint32_t a = og_mlir_bits(og_mlir_element(from)), b = og_mlir_bits(og_mlir_element(to));
  a = og_mlir_element(from)->kind == OG_MLIR_TF32 ? 19 : a; /* by MLIR's count of bits */
  b = og_mlir_element(to)->kind == OG_MLIR_TF32 ? 19 : b;
  if (wider ? b > a : b < a)
    return true;
  return og_mlir_wrong(v, op, "operand type '%s' and result type '%s' are cast incompatible", og_mlir_words(v, from),
                       og_mlir_words(v, to));
}

static bool check_cast(struct og_mlir_verifier *v, const struct og_mlir_op *op) {
  og_mlir_type from = op->operands[0]->type, to = op->results[0].type;
  og_mlir_type a = og_mlir_element(from), b = og_mlir_element(to);
  bool fine = (a->kind == OG_MLIR_INDEX) != (b->kind == OG_MLIR_INDEX);
  if (op->row->id == OG_MLIR_OP_ARITH_BITCAST)
    fine = og_mlir_bits(a) == og_mlir_bits(b) && a->kind != OG_MLIR_INDEX && b->kind != OG_MLIR_INDEX;
  return fine || og_mlir_wrong(v, op, "operand type '%s' and result type '%s' are cast incompatible",
                               og_mlir_words(v, from), og_mlir_words(v, to));
}

static bool check_constant(struct og_mlir_verifier *v, const struct og_mlir_op *op) {
  og_mlir_attr value = og_mlir_find(op, "value");
  og_mlir_type type = value->kind == OG_MLIR_INT || value->kind == OG_MLIR_FLOAT || value->kind == OG_MLIR_DENSE
                          ? value->parts[0]
                          : NULL;
  if (!type)
    return og_mlir_wrong(v, op, "attribute 'value' failed to satisfy constraint: TypedAttr instance");
  if (type != op->results[0].type)
    return og_mlir_wrong(v, op, "failed to verify that all of {value, result} have same type");
  if (type->kind == OG_MLIR_INTEGER && type->ints[1] != OG_MLIR_SIGNLESS)
    return og_mlir_wrong(v, op, "integer return type must be signless");
  return true;
}

static bool check_select(struct og_mlir_verifier *v, const struct og_mlir_op *op) {
  og_mlir_type condition = op->operands[0]->type, result = op->results[0].type;
  if (condition->kind != OG_MLIR_VECTOR && condition->kind != OG_MLIR_TENSOR)
    return true;
  if (result->kind != condition->kind || result->int_count != condition->int_count ||
      memcmp(result->ints, condition->ints, result->int_count * sizeof *result->ints))
    return og_mlir_wrong(
        v, op, "expected condition type to have the same shape as the result type, expected '%s', but got '%s'",
        og_mlir_words(v, result), og_mlir_words(v, condition));
  return true;
}

static bool check_indices(struct og_mlir_verifier *v, const struct og_mlir_op *op, const char *base) {
  uint32_t count;
  og_mlir_type memref = og_mlir_operand(op, base)->type;
  og_mlir_group(op, "indices", &count);
  if (memref->kind == OG_MLIR_MEMREF && count != memref->int_count)
    return op->row->id == OG_MLIR_OP_LOAD
               ? og_mlir_wrong(v, op, "incorrect number of indices for load, expected %u but got %u", memref->int_count,
                               count)
           : op->row->id == OG_MLIR_OP_STORE
               ? og_mlir_wrong(v, op, "store index operand count not equal to memref rank")
               : og_mlir_wrong(v, op, "requires %u indices", memref->int_count);
  return true;
}

static bool check_alloc(struct og_mlir_verifier *v, const struct og_mlir_op *op) {
  uint32_t count, dynamic = 0;
  og_mlir_group(op, "dynamicSizes", &count);
  for (uint32_t i = 0; i < op->results[0].type->int_count; i++)
    dynamic += op->results[0].type->ints[i] == OG_MLIR_DYNAMIC;
  return count == dynamic ||
         og_mlir_wrong(v, op, "dimension operand count does not equal memref dynamic dimension count");
}

static bool check_memref_cast(struct og_mlir_verifier *v, const struct og_mlir_op *op) {
  og_mlir_type a = op->operands[0]->type, b = op->results[0].type;
  bool fine = a->parts[0] == b->parts[0] && (a->kind == OG_MLIR_MEMREF || b->kind == OG_MLIR_MEMREF);
  if (fine && a->kind == b->kind) {
    fine = a->int_count == b->int_count && a->parts[2] == b->parts[2];
    for (uint32_t i = 0; fine && i < a->int_count; i++)
      fine = a->ints[i] == b->ints[i] || a->ints[i] == OG_MLIR_DYNAMIC || b->ints[i] == OG_MLIR_DYNAMIC;
  }
  return fine || og_mlir_wrong(v, op, "operand type '%s' and result type '%s' are cast incompatible",
                               og_mlir_words(v, a), og_mlir_words(v, b));
}

static bool check_get_global(struct og_mlir_verifier *v, const struct og_mlir_op *op) {
  og_mlir_attr name = og_mlir_find(op, "name");
  const struct og_mlir_op *global = og_mlir_symbol(op, name);
  if (!global || global->row->id != OG_MLIR_OP_GLOBAL)
    return og_mlir_wrong(v, op, "'%.*s' does not reference a valid global memref", OG_TEXT_ARGS(name->text));
  og_mlir_attr type = og_mlir_find(global, "type");
  return !type || type->parts[0] == op->results[0].type ||
         og_mlir_wrong(v, op, "result type '%s' does not match type '%s' of the global memref @%.*s",
                       og_mlir_words(v, op->results[0].type), og_mlir_words(v, type->parts[0]),
                       OG_TEXT_ARGS(name->text));
}

bool og_mlir_verify_standard(struct og_mlir_verifier *v, const struct og_mlir_op *op) {
  check_table(v, op);
  switch (op->row->id) {
  case OG_MLIR_OP_FUNC:
  case OG_MLIR_OP_GPU_FUNC: return check_function(v, op);
  case OG_MLIR_OP_RETURN:
  case OG_MLIR_OP_GPU_RETURN: return check_return(v, op);
  case OG_MLIR_OP_CALL: return check_call(v, op);
  case OG_MLIR_OP_LAUNCH_FUNC: return check_launch_func(v, op);
  case OG_MLIR_OP_LAUNCH: return check_launch(v, op);
  case OG_MLIR_OP_FOR: return check_for(v, op);
  case OG_MLIR_OP_IF: return check_if(v, op);
  case OG_MLIR_OP_WHILE: return check_while(v, op);
  case OG_MLIR_OP_BR:
  case OG_MLIR_OP_COND_BR: return check_branch(v, op);
  case OG_MLIR_OP_EXTF:
  case OG_MLIR_OP_EXTSI:
  case OG_MLIR_OP_EXTUI: return check_width(v, op, true);
  case OG_MLIR_OP_TRUNCF:
  case OG_MLIR_OP_TRUNCI: return check_width(v, op, false);
  case OG_MLIR_OP_INDEX_CAST:
  case OG_MLIR_OP_INDEX_CASTUI:
  case OG_MLIR_OP_ARITH_BITCAST: return check_cast(v, op);
  case OG_MLIR_OP_CONSTANT: return check_constant(v, op);
  case OG_MLIR_OP_SELECT: return check_select(v, op);
  case OG_MLIR_OP_LOAD:
  case OG_MLIR_OP_STORE:
  case OG_MLIR_OP_MEMREF_RMW: return check_indices(v, op, "memref");
  case OG_MLIR_OP_ALLOCATE:
  case OG_MLIR_OP_ALLOCA:
  case OG_MLIR_OP_GPU_ALLOC: return check_alloc(v, op);
  case OG_MLIR_OP_MEMREF_CAST: return check_memref_cast(v, op);
  case OG_MLIR_OP_GET_GLOBAL: return check_get_global(v, op);
  default: return true;
  }
}
