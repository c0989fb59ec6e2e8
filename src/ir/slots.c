/* slots.c - the numbers with which nameless things are printed, in the order in which LLVM gives them. */
#include "ir/printer.h"

#include <string.h>

/* ---- metadata: a node, then what it names, depth first ---- */

/* What the operands of a node refer to, in LLVM's order, as 1 + metadata. */
static uint32_t operands(const struct og_ir_printer *p, const struct og_ir_metadata *node, uint32_t index) {
  if (node->kind == OG_IR_M_TUPLE)
    return index < node->parts ? p->m->pool.items[node->first + index] : UINT32_MAX;
  if (node->kind <= OG_IR_M_EXPRESSION)
    return UINT32_MAX;
  const struct og_ir_field *fields = og_ir_node_row(node->kind)->fields;
  bool more = false;
  for (unsigned i = 0; i < node->parts; i++) {
    if (fields[i].order == index + 1)
      return (uint32_t)p->m->fields.items[node->first + i];
    more |= fields[i].order > index + 1;
  }
  return more ? 0 : UINT32_MAX;
}

static void number_metadata(struct og_ir_printer *p, uint32_t root) {
  p->work.count = 0;
  *OG_PUSH(p->arena, &p->work) = root;
  *OG_PUSH(p->arena, &p->work) = 0;
  while (p->work.count) {
    uint32_t index = p->work.items[p->work.count - 2], at = p->work.items[p->work.count - 1];
    const struct og_ir_metadata *node = &p->m->metadata.items[index];
    bool numbered = node->kind >= OG_IR_M_TUPLE && node->kind != OG_IR_M_EXPRESSION;
    if (!at && (!numbered || p->metadata_numbers[index])) {
      p->work.count -= 2;
      continue;
    }
    if (!at) {
      p->metadata_numbers[index] = ++p->metadata_count;
      *OG_PUSH(p->arena, &p->metadata_order) = index;
    }
    uint32_t operand = operands(p, node, at);
    if (operand == UINT32_MAX) {
      p->work.count -= 2;
      continue;
    }
    p->work.items[p->work.count - 1] = at + 1;
    if (operand) {
      *OG_PUSH(p->arena, &p->work) = operand - 1;
      *OG_PUSH(p->arena, &p->work) = 0;
    }
  }
}

static void number_attachments(struct og_ir_printer *p, uint32_t place) {
  for (uint32_t i = 0; place && i < p->m->pool.items[place]; i++)
    number_metadata(p, p->m->pool.items[place + 2 + i * 2]);
}

/* LLVM numbers a record's variable (or label), id and place, but not its expression. */
static void number_record(struct og_ir_printer *p, const struct og_ir_function *f, const struct og_ir_inst *inst) {
  for (uint32_t i = 0; i < inst->operands; i++) {
    og_ir_ref ref = og_ir_operand(f, inst, i);
    if (og_ir_space(ref) == OG_IR_METADATA && ref != OG_IR_NONE && i != 0)
      number_metadata(p, og_ir_index(ref));
  }
}

static bool calls_intrinsic(const struct og_ir_printer *p, const struct og_ir_function *f,
                            const struct og_ir_inst *inst) {
  const struct og_ir_global *g = og_ir_global_of(p->m, og_ir_operand(f, inst, 0));
  struct og_text name = g && g->name ? p->m->names.items[g->name] : (struct og_text){0};
  return name.size > 5 && memcmp(name.data, "llvm.", 5) == 0;
}

static void number_instruction(struct og_ir_printer *p, const struct og_ir_function *f, const struct og_ir_inst *inst) {
  if (og_ir_opcodes[inst->opcode].shape == OG_IR_SHAPE_DEBUG) {
    bool label = inst->opcode == OG_IR_DBG_LABEL;
    /* an empty place comes first, then the variable, the id */
    uint32_t values = inst->opcode == OG_IR_DBG_ASSIGN ? 5 : 2;
    if (!label && inst->operands > values && og_ir_space(og_ir_operand(f, inst, values)) == OG_IR_METADATA)
      number_metadata(p, og_ir_index(og_ir_operand(f, inst, values)));
    number_metadata(p, og_ir_index(og_ir_operand(f, inst, 0)));
    number_record(p, f, inst);
  } else if (inst->opcode == OG_IR_CALL && calls_intrinsic(p, f, inst)) {
    for (uint32_t i = 1; i < inst->operands; i++)
      if (og_ir_space(og_ir_operand(f, inst, i)) == OG_IR_METADATA)
        number_metadata(p, og_ir_index(og_ir_operand(f, inst, i)));
  }
  if (inst->location)
    number_metadata(p, inst->location - 1);
  number_attachments(p, inst->attachments);
}

/* ---- attribute groups ---- */

static void number_set(struct og_ir_printer *p, uint32_t set) {
  if (!set || p->set_numbers[set])
    return;
  p->set_numbers[set] = ++p->set_count;
  *OG_PUSH(p->arena, &p->set_order) = set;
}

static void number_list(struct og_ir_printer *p, uint32_t place) {
  if (place)
    number_set(p, p->m->pool.items[place]);
}

void og_ir_number_module(struct og_ir_printer *p) {
  const struct og_ir_module *m = p->m;
  p->global_numbers = OG_NEW_ARRAY(p->arena, uint32_t, m->globals.count + 1);
  p->metadata_numbers = OG_NEW_ARRAY(p->arena, uint32_t, m->metadata.count + 1);
  p->set_numbers = OG_NEW_ARRAY(p->arena, uint32_t, m->sets.count + 1);
  uint32_t next = 0;
  for (uint32_t i = 0; i < m->variables.count; i++) {
    const struct og_ir_global *g = &m->globals.items[m->variables.items[i]];
    if (!g->name)
      p->global_numbers[m->variables.items[i]] = ++next;
    number_attachments(p, g->attachments);
    number_list(p, g->attributes);
  }
  for (uint32_t i = 0; i < m->aliases.count; i++)
    if (!m->globals.items[m->aliases.items[i]].name)
      p->global_numbers[m->aliases.items[i]] = ++next;
  for (uint32_t i = 0; i < m->named_metadata.count; i++)
    for (uint32_t k = 0; k < m->named_metadata.items[i].parts; k++)
      number_metadata(p, m->pool.items[m->named_metadata.items[i].first + k]);
  for (uint32_t i = 0; i < m->functions.count; i++) {
    const struct og_ir_global *g = &m->globals.items[m->functions.items[i]];
    const struct og_ir_function *f = g->function;
    if (!g->name)
      p->global_numbers[m->functions.items[i]] = ++next;
    number_attachments(p, g->attachments);
    for (uint32_t b = 0; b < f->blocks.count; b++)
      for (uint32_t at = f->blocks.items[b].first; at; at = f->insts.items[at].next)
        number_instruction(p, f, &f->insts.items[at]);
    number_list(p, f->attributes);
  }
  for (uint32_t i = 0; i < m->functions.count; i++) { /* calls' groups come when their function is printed */
    const struct og_ir_function *f = m->globals.items[m->functions.items[i]].function;
    for (uint32_t b = 0; b < f->blocks.count; b++)
      for (uint32_t at = f->blocks.items[b].first; at; at = f->insts.items[at].next)
        if (f->insts.items[at].opcode == OG_IR_CALL)
          number_list(p, f->calls.items[f->insts.items[at].extra].attributes);
  }
}

void og_ir_number_function(struct og_ir_printer *p, const struct og_ir_function *f) {
  p->f = f;
  if (p->inst_capacity < f->insts.count || p->block_capacity < f->blocks.count) {
    p->inst_capacity = f->insts.count * 2;
    p->block_capacity = f->blocks.count * 2;
    p->inst_numbers = OG_NEW_ARRAY(p->arena, uint32_t, p->inst_capacity);
    p->block_numbers = OG_NEW_ARRAY(p->arena, uint32_t, p->block_capacity);
  }
  uint32_t next = 0;
  for (uint32_t i = 1; i <= f->arguments; i++)
    if (!f->insts.items[i].name)
      p->inst_numbers[i] = next++;
  for (uint32_t b = 0; b < f->blocks.count; b++) {
    if (!f->blocks.items[b].name)
      p->block_numbers[b] = next++;
    for (uint32_t at = f->blocks.items[b].first; at; at = f->insts.items[at].next)
      if (!f->insts.items[at].name && f->insts.items[at].type != OG_IR_VOID)
        p->inst_numbers[at] = next++;
  }
}

/* ---- identified types: those that occur, in the order in which they do ------------------------------------------- */

static void meet_type(struct og_ir_printer *p, og_ir_type type) {
  p->work.count = 0;
  *OG_PUSH(p->arena, &p->work) = type;
  while (p->work.count) {
    og_ir_type next = p->work.items[--p->work.count];
    const struct og_ir_type_record *t = og_ir_type_of(p->m, next);
    if (p->types_seen[next] || next < OG_IR_SIMPLE_TYPES)
      continue;
    p->types_seen[next] = 1;
    if (t->identified && t->name)
      *OG_PUSH(p->arena, &p->named_types) = next;
    else if (t->identified)
      *OG_PUSH(p->arena, &p->type_order) = next;
    for (uint32_t i = t->parts; i--;)
      *OG_PUSH(p->arena, &p->work) = p->m->pool.items[t->first + i];
  }
}

static void meet_constant(struct og_ir_printer *p, og_ir_ref ref, unsigned depth) {
  const struct og_ir_constant *c = og_ir_constant_of(p->m, ref);
  if (c->kind == OG_IR_C_GLOBAL || p->constants_seen[og_ir_index(ref)] || depth > 1000)
    return;
  p->constants_seen[og_ir_index(ref)] = 1;
  meet_type(p, c->type);
  if (c->kind == OG_IR_C_EXPRESSION && c->opcode == OG_IR_GETELEMENTPTR)
    meet_type(p, (og_ir_type)c->value);
  if (c->kind == OG_IR_C_AGGREGATE || c->kind == OG_IR_C_EXPRESSION || c->kind == OG_IR_C_SPLAT)
    for (uint32_t i = 0; i < c->parts; i++)
      meet_constant(p, p->m->pool.items[c->first + i], depth + 1);
}

static void meet_list(struct og_ir_printer *p, uint32_t place, uint32_t sets) {
  for (uint32_t i = 0; place && i < sets; i++) {
    const struct og_ir_set *set = &p->m->sets.items[p->m->pool.items[place + i]];
    for (uint32_t k = 0; k < set->count; k++) {
      const struct og_ir_attribute *a = &p->m->attributes.items[p->m->pool.items[set->first + k]];
      if (a->kind != OG_IR_A_STRING && og_ir_attributes[a->kind].value == OG_IR_AV_TYPE)
        meet_type(p, a->type);
    }
  }
}

static void meet_instruction(struct og_ir_printer *p, const struct og_ir_function *f, const struct og_ir_inst *inst) {
  meet_type(p, inst->type);
  for (uint32_t k = 0; k < inst->operands; k++) {
    og_ir_ref ref = og_ir_operand(f, inst, k);
    if (og_ir_space(ref) == OG_IR_CONSTANT)
      meet_constant(p, ref, 0);
  }
  if (inst->opcode == OG_IR_GETELEMENTPTR || inst->opcode == OG_IR_ALLOCA)
    meet_type(p, inst->extra);
  if (inst->opcode == OG_IR_CALL) {
    const struct og_ir_call *call = &f->calls.items[inst->extra];
    meet_type(p, call->function_type);
    meet_list(p, call->attributes, call->arguments + 2);
  }
}

void og_ir_find_types(struct og_ir_printer *p) {
  const struct og_ir_module *m = p->m;
  bool any = false;
  p->type_numbers = OG_NEW_ARRAY(p->arena, uint32_t, m->types.count + 1);
  for (uint32_t i = 0; i < m->types.count; i++)
    any |= m->types.items[i].identified;
  if (!any)
    return;
  p->types_seen = OG_NEW_ARRAY(p->arena, uint8_t, m->types.count + 1);
  p->constants_seen = OG_NEW_ARRAY(p->arena, uint8_t, m->constants.count + 1);
  for (uint32_t i = 0; i < m->variables.count; i++) {
    const struct og_ir_global *g = &m->globals.items[m->variables.items[i]];
    meet_type(p, g->type);
    if (g->value != OG_IR_NONE)
      meet_constant(p, g->value, 0);
  }
  for (uint32_t i = 0; i < m->aliases.count; i++) {
    const struct og_ir_global *g = &m->globals.items[m->aliases.items[i]];
    meet_type(p, g->type);
    meet_constant(p, g->value, 0);
  }
  for (uint32_t i = 0; i < m->functions.count; i++) {
    const struct og_ir_global *g = &m->globals.items[m->functions.items[i]];
    const struct og_ir_function *f = g->function;
    meet_type(p, g->type);
    meet_list(p, f->attributes, f->arguments + 2);
    for (uint32_t b = 0; b < f->blocks.count; b++)
      for (uint32_t at = f->blocks.items[b].first; at; at = f->insts.items[at].next)
        meet_instruction(p, f, &f->insts.items[at]);
  }
  for (uint32_t i = 0; i < p->type_order.count; i++)
    p->type_numbers[p->type_order.items[i]] = i + 1;
}
