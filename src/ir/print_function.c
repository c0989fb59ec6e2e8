/* print_function.c - functions and instructions as LLVM 22 writes them. */
#include "ir/printer.h"

#include <string.h>

static void space(struct og_ir_printer *p) { og_ir_put(p, " "); }

static void put_scope(struct og_ir_printer *p, uint16_t scope) {
  if (scope == 1)
    return;
  og_ir_put(p, " syncscope(");
  og_ir_put_string(p, p->m->scopes.items[scope]);
  og_ir_put(p, ")");
}

static void put_ordering(struct og_ir_printer *p, uint8_t ordering) {
  space(p);
  og_ir_put_word(p, OG_IR_W_ORDERING, ordering);
}

static void put_align(struct og_ir_printer *p, uint8_t align) {
  if (!align)
    return;
  og_ir_put(p, ", align ");
  og_ir_put_number(p, (uint64_t)1 << (align - 1));
}

static void put_space(struct og_ir_printer *p, const char *before, uint32_t address_space) {
  if (!address_space)
    return;
  og_ir_put(p, before);
  og_ir_put(p, "addrspace(");
  og_ir_put_number(p, address_space);
  og_ir_put(p, ")");
}

static void put_convention(struct og_ir_printer *p, uint16_t convention) {
  if (!convention)
    return;
  const char *word = og_ir_word_for(OG_IR_W_CONVENTION, convention);
  if (word)
    og_ir_put(p, word);
  else
    og_ir_put(p, "cc"), og_ir_put_number(p, convention);
  space(p);
}

/* ---- calls ---- */

static uint32_t set_at(const struct og_ir_printer *p, uint32_t attributes, uint32_t index) {
  return attributes ? p->m->pool.items[attributes + index] : 0;
}

static void put_bundles(struct og_ir_printer *p, const struct og_ir_inst *inst, const struct og_ir_call *call) {
  const uint32_t *list = p->m->pool.items + call->bundles;
  uint32_t at = 1 + call->arguments;
  if (!call->bundles || !list[0])
    return;
  og_ir_put(p, " [ ");
  for (uint32_t i = 0; i < list[0]; i++) {
    og_ir_put(p, i ? ", " : "");
    og_ir_put_string(p, p->m->names.items[list[1 + i * 2]]);
    og_ir_put(p, "(");
    for (uint32_t k = 0; k < list[2 + i * 2]; k++, at++) {
      og_ir_put(p, k ? ", " : "");
      og_ir_put_typed(p, og_ir_operand(p->f, inst, at));
    }
    og_ir_put(p, ")");
  }
  og_ir_put(p, " ]");
}

static void put_call(struct og_ir_printer *p, const struct og_ir_inst *inst) {
  static const char *const marks[] = {"", "tail ", "musttail ", "notail "};
  const struct og_ir_call *call = &p->f->calls.items[inst->extra];
  const struct og_ir_type_record *type = og_ir_type_of(p->m, call->function_type);
  og_ir_put(p, marks[inst->sub & 3]);
  og_ir_put(p, "call");
  og_ir_put_flags(p, OG_IR_CALL, inst->flags);
  space(p);
  put_convention(p, call->convention);
  uint32_t set = set_at(p, call->attributes, 1);
  if (set) {
    og_ir_put_set(p, set, false);
    space(p);
  }
  if (call->address_space) {
    put_space(p, "", call->address_space);
    space(p);
  }
  og_ir_put_type(p, type->variadic ? call->function_type : inst->type);
  space(p);
  og_ir_put_ref(p, og_ir_operand(p->f, inst, 0));
  og_ir_put(p, "(");
  for (uint32_t i = 0; i < call->arguments; i++) {
    og_ir_ref ref = og_ir_operand(p->f, inst, 1 + i);
    og_ir_put(p, i ? ", " : "");
    og_ir_put_type(p, og_ir_type_of_ref(p->m, p->f, ref));
    space(p);
    if ((set = set_at(p, call->attributes, 2 + i))) {
      og_ir_put_set(p, set, false);
      space(p);
    }
    og_ir_put_ref(p, ref);
  }
  og_ir_put(p, ")");
  if ((set = set_at(p, call->attributes, 0))) {
    og_ir_put(p, " #");
    og_ir_put_number(p, p->set_numbers[set] - 1);
  }
  put_bundles(p, inst, call);
}

/* ---- the shapes ---- */

static og_ir_ref operand(const struct og_ir_printer *p, const struct og_ir_inst *inst, uint32_t index) {
  return og_ir_operand(p->f, inst, index);
}

static void put_operands(struct og_ir_printer *p, const struct og_ir_inst *inst) {
  for (uint32_t i = 0; i < inst->operands; i++) {
    og_ir_put(p, i ? ", " : " ");
    og_ir_put_typed(p, operand(p, inst, i));
  }
}

/* Writes the type once, if all operands have the same. */
static void put_same(struct og_ir_printer *p, const struct og_ir_inst *inst) {
  space(p);
  og_ir_put_typed(p, operand(p, inst, 0));
  og_ir_put(p, ", ");
  og_ir_put_ref(p, operand(p, inst, 1));
}

static void put_switch(struct og_ir_printer *p, const struct og_ir_inst *inst) {
  space(p);
  og_ir_put_typed(p, operand(p, inst, 0));
  og_ir_put(p, ", ");
  og_ir_put_typed(p, operand(p, inst, 1));
  og_ir_put(p, " [");
  for (uint32_t i = 2; i + 1 < inst->operands; i += 2) {
    og_ir_put(p, "\n    ");
    og_ir_put_typed(p, operand(p, inst, i));
    og_ir_put(p, ", ");
    og_ir_put_typed(p, operand(p, inst, i + 1));
  }
  og_ir_put(p, "\n  ]");
}

static void put_phi(struct og_ir_printer *p, const struct og_ir_inst *inst) {
  space(p);
  og_ir_put_type(p, inst->type);
  for (uint32_t i = 0; i + 1 < inst->operands; i += 2) {
    og_ir_put(p, i ? ", [ " : " [ ");
    og_ir_put_ref(p, operand(p, inst, i));
    og_ir_put(p, ", ");
    og_ir_put_ref(p, operand(p, inst, i + 1));
    og_ir_put(p, " ]");
  }
}

static void put_indices(struct og_ir_printer *p, const struct og_ir_inst *inst) {
  const uint32_t *list = p->m->pool.items + inst->extra;
  put_operands(p, inst);
  for (uint32_t i = 0; i < list[0]; i++) {
    og_ir_put(p, ", ");
    og_ir_put_number(p, list[1 + i]);
  }
}

static void put_shuffle(struct og_ir_printer *p, const struct og_ir_inst *inst) {
  const uint32_t *mask = p->m->pool.items + inst->extra;
  bool zero = true, poison = true;
  put_operands(p, inst);
  og_ir_put(p, ", ");
  const struct og_ir_type_record *type = og_ir_type_of(p->m, inst->type);
  og_ir_put(p, type->kind == OG_IR_SCALABLE ? "<vscale x " : "<");
  og_ir_put_number(p, mask[0]);
  og_ir_put(p, " x i32> ");
  for (uint32_t i = 1; i <= mask[0]; i++) {
    zero &= mask[i] == 0;
    poison &= mask[i] == UINT32_MAX;
  }
  if (zero || poison) {
    og_ir_put(p, zero ? "zeroinitializer" : "poison");
    return;
  }
  og_ir_put(p, "<");
  for (uint32_t i = 1; i <= mask[0]; i++) {
    og_ir_put(p, i > 1 ? ", i32 " : "i32 ");
    if (mask[i] == UINT32_MAX)
      og_ir_put(p, "poison");
    else
      og_ir_put_number(p, mask[i]);
  }
  og_ir_put(p, ">");
}

static void put_alloca(struct og_ir_printer *p, const struct og_ir_inst *inst) {
  space(p);
  og_ir_put_type(p, inst->extra);
  if (inst->operands) {
    og_ir_ref count = operand(p, inst, 0);
    const struct og_ir_constant *c = og_ir_space(count) == OG_IR_CONSTANT ? og_ir_constant_of(p->m, count) : NULL;
    if (!c || c->kind != OG_IR_C_NUMBER || c->value != 1 || og_ir_type_of(p->m, c->type)->count != 32) {
      og_ir_put(p, ", ");
      og_ir_put_typed(p, count);
    }
  }
  put_align(p, inst->sub);
  put_space(p, ", ", (uint32_t)og_ir_type_of(p->m, inst->type)->count);
}

static void put_memory(struct og_ir_printer *p, const struct og_ir_inst *inst) {
  struct og_ir_memory memory = og_ir_memory(inst->extra);
  if (inst->opcode == OG_IR_LOAD) {
    space(p);
    og_ir_put_type(p, inst->type);
    og_ir_put(p, ",");
  }
  put_operands(p, inst);
  if (inst->flags & OG_IR_F_ATOMIC) {
    put_scope(p, memory.scope);
    put_ordering(p, memory.ordering);
  }
  put_align(p, inst->sub);
}

static void put_atomic(struct og_ir_printer *p, const struct og_ir_inst *inst) {
  struct og_ir_memory memory = og_ir_memory(inst->extra);
  if (inst->opcode == OG_IR_ATOMICRMW) {
    space(p);
    og_ir_put_word(p, OG_IR_W_RMW, memory.operation);
  }
  put_operands(p, inst);
  put_scope(p, memory.scope);
  put_ordering(p, memory.ordering);
  if (inst->opcode == OG_IR_CMPXCHG)
    put_ordering(p, memory.failure);
  put_align(p, inst->sub);
}

static void put_shape(struct og_ir_printer *p, const struct og_ir_inst *inst) {
  switch (og_ir_opcodes[inst->opcode].shape) {
  case OG_IR_SHAPE_RET:
    if (inst->operands)
      put_operands(p, inst);
    else
      og_ir_put(p, " void");
    break;
  case OG_IR_SHAPE_SWITCH: put_switch(p, inst); break;
  case OG_IR_SHAPE_BINARY_INT:
  case OG_IR_SHAPE_BINARY_FLOAT: put_same(p, inst); break;
  case OG_IR_SHAPE_ICMP:
  case OG_IR_SHAPE_FCMP:
    space(p);
    og_ir_put_word(p, inst->opcode == OG_IR_ICMP ? OG_IR_W_ICMP : OG_IR_W_FCMP, inst->sub);
    put_same(p, inst);
    break;
  case OG_IR_SHAPE_CAST:
    put_operands(p, inst);
    og_ir_put(p, " to ");
    og_ir_put_type(p, inst->type);
    break;
  case OG_IR_SHAPE_PHI: put_phi(p, inst); break;
  case OG_IR_SHAPE_EXTRACTVALUE:
  case OG_IR_SHAPE_INSERTVALUE: put_indices(p, inst); break;
  case OG_IR_SHAPE_SHUFFLEVECTOR: put_shuffle(p, inst); break;
  case OG_IR_SHAPE_ALLOCA: put_alloca(p, inst); break;
  case OG_IR_SHAPE_LOAD:
  case OG_IR_SHAPE_STORE: put_memory(p, inst); break;
  case OG_IR_SHAPE_CMPXCHG:
  case OG_IR_SHAPE_ATOMICRMW: put_atomic(p, inst); break;
  case OG_IR_SHAPE_FENCE: {
    struct og_ir_memory memory = og_ir_memory(inst->extra);
    put_scope(p, memory.scope);
    put_ordering(p, memory.ordering);
    break;
  }
  case OG_IR_SHAPE_GETELEMENTPTR:
    space(p);
    og_ir_put_type(p, inst->extra);
    og_ir_put(p, ",");
    put_operands(p, inst);
    break;
  case OG_IR_SHAPE_VA_ARG:
    put_operands(p, inst);
    og_ir_put(p, ", ");
    og_ir_put_type(p, inst->type);
    break;
  default: put_operands(p, inst);
  }
}

/* ---- debug records ---- */

static void put_values(struct og_ir_printer *p, const struct og_ir_inst *inst, uint32_t from) {
  if (inst->flags & OG_IR_DBG_ARG_LIST)
    og_ir_put(p, "!DIArgList(");
  for (uint32_t i = from; i < inst->operands; i++) {
    og_ir_ref ref = operand(p, inst, i);
    og_ir_put(p, i > from ? ", " : "");
    if (og_ir_space(ref) == OG_IR_METADATA) {
      const struct og_ir_metadata *node = &p->m->metadata.items[og_ir_index(ref)];
      if (node->kind == OG_IR_M_TUPLE && !node->parts)
        og_ir_put(p, "!{}"); /* the value no longer exists */
      else
        og_ir_put_metadata(p, og_ir_index(ref));
    } else {
      og_ir_put_typed(p, ref);
    }
  }
  if (inst->flags & OG_IR_DBG_ARG_LIST)
    og_ir_put(p, ")");
}

static void put_record(struct og_ir_printer *p, const struct og_ir_inst *inst) {
  og_ir_put(p, "    #");
  og_ir_put(p, og_ir_opcodes[inst->opcode].text);
  og_ir_put(p, "(");
  bool assign = inst->opcode == OG_IR_DBG_ASSIGN, label = inst->opcode == OG_IR_DBG_LABEL;
  if (!label) {
    put_values(p, inst, assign ? 5 : 2);
    og_ir_put(p, ", ");
  }
  for (uint32_t i = 0; i < (label ? 1u : assign ? 3u : 2u); i++) {
    og_ir_put_ref(p, operand(p, inst, i));
    og_ir_put(p, ", ");
  }
  if (assign) {
    og_ir_ref address = operand(p, inst, 4);
    if (og_ir_space(address) == OG_IR_METADATA)
      og_ir_put(p, "!{}");
    else
      og_ir_put_typed(p, address);
    og_ir_put(p, ", ");
    og_ir_put_ref(p, operand(p, inst, 3));
    og_ir_put(p, ", ");
  }
  if (inst->location)
    og_ir_put_metadata(p, inst->location - 1);
  og_ir_put(p, ")\n");
}

void og_ir_put_instruction(struct og_ir_printer *p, uint32_t record) {
  const struct og_ir_inst *inst = &p->f->insts.items[record];
  const struct og_ir_opcode_row *row = &og_ir_opcodes[inst->opcode];
  if (row->shape == OG_IR_SHAPE_DEBUG) {
    put_record(p, inst);
    return;
  }
  og_ir_put(p, "  ");
  if (inst->type != OG_IR_VOID) {
    og_ir_put_ref(p, OG_IR_LOCAL | record);
    og_ir_put(p, " = ");
  }
  if (inst->opcode == OG_IR_CALL) {
    put_call(p, inst);
  } else {
    og_ir_put(p, row->text);
    og_ir_put_flags(p, inst->opcode, inst->flags);
    put_shape(p, inst);
  }
  if (inst->location) {
    og_ir_put(p, ", !dbg ");
    og_ir_put_metadata(p, inst->location - 1);
  }
  og_ir_put_attachments(p, inst->attachments, ", ");
  og_ir_put(p, "\n");
}

/* ---- blocks ---- */

/* The predecessors of each block: a list, with the last terminator first. */
struct predecessors {
  uint32_t *head, *next, *from; /* by block; by edge */
  uint32_t edges;
};

static void find_predecessors(struct og_ir_printer *p, struct predecessors *pre) {
  const struct og_ir_function *f = p->f;
  uint32_t most = 1;
  for (uint32_t b = 0; b < f->blocks.count; b++)
    if (f->blocks.items[b].last)
      most += f->insts.items[f->blocks.items[b].last].operands;
  pre->head = OG_NEW_ARRAY(p->arena, uint32_t, f->blocks.count);
  pre->next = OG_NEW_ARRAY(p->arena, uint32_t, most);
  pre->from = OG_NEW_ARRAY(p->arena, uint32_t, most);
  pre->edges = 1;
  for (uint32_t b = 0; b < f->blocks.count; b++) {
    uint32_t last = f->blocks.items[b].last;
    const struct og_ir_inst *inst = &f->insts.items[last];
    for (uint32_t i = 0; last && i < inst->operands; i++) {
      og_ir_ref ref = og_ir_operand(f, inst, i);
      if (og_ir_space(ref) != OG_IR_BLOCK)
        continue;
      uint32_t to = og_ir_index(ref), edge = pre->edges++;
      pre->from[edge] = b;
      pre->next[edge] = pre->head[to];
      pre->head[to] = edge;
    }
  }
}

static void put_block(struct og_ir_printer *p, uint32_t block, const struct predecessors *pre) {
  const struct og_ir_block *b = &p->f->blocks.items[block];
  size_t line = p->out->size;
  if (b->name) {
    og_ir_put(p, block ? "\n" : "");
    line = p->out->size;
    og_ir_put_name(p, 0, p->m->names.items[b->name]);
    og_ir_put(p, ":");
  } else if (block) {
    og_ir_put(p, "\n");
    line = p->out->size;
    og_ir_put_number(p, p->block_numbers[block]);
    og_ir_put(p, ":");
  }
  if (block) {
    size_t column = p->out->size - line;
    do
      space(p);
    while (++column < 50);
    og_ir_put(p, pre->head[block] ? "; preds = " : "; No predecessors!");
    for (uint32_t edge = pre->head[block]; edge; edge = pre->next[edge]) {
      og_ir_put(p, edge == pre->head[block] ? "" : ", ");
      og_ir_put_ref(p, OG_IR_BLOCK | pre->from[edge]);
    }
  }
  og_ir_put(p, b->name || block ? "\n" : "");
  for (uint32_t at = b->first; at; at = p->f->insts.items[at].next)
    og_ir_put_instruction(p, at);
}

/* ---- functions ---- */

static void put_parameters(struct og_ir_printer *p, const struct og_ir_global *g) {
  const struct og_ir_function *f = g->function;
  const struct og_ir_type_record *type = og_ir_type_of(p->m, g->type);
  og_ir_put(p, "(");
  for (uint32_t i = 0; i < f->arguments; i++) {
    og_ir_put(p, i ? ", " : "");
    og_ir_put_type(p, og_ir_part(p->m, g->type, 1 + i));
    uint32_t set = set_at(p, f->attributes, 2 + i);
    if (set) {
      space(p);
      og_ir_put_set(p, set, false);
    }
    if (f->blocks.count) {
      space(p);
      og_ir_put_ref(p, OG_IR_LOCAL | (i + 1));
    }
  }
  og_ir_put(p, type->variadic ? f->arguments ? ", ..." : "..." : "");
  og_ir_put(p, ")");
}

/* ; Function Attrs: without string attributes */
static void put_comment(struct og_ir_printer *p, uint32_t set) {
  const struct og_ir_set *s = &p->m->sets.items[set];
  bool first = true;
  for (uint32_t i = 0; i < s->count; i++) {
    uint32_t attribute = p->m->pool.items[s->first + i];
    if (p->m->attributes.items[attribute].kind == OG_IR_A_STRING)
      continue;
    og_ir_put(p, first ? "; Function Attrs: " : " ");
    og_ir_put_attribute(p, attribute, false);
    first = false;
  }
  og_ir_put(p, first ? "" : "\n");
}

static void put_named(struct og_ir_printer *p, const char *what, uint32_t name) {
  if (!name)
    return;
  og_ir_put(p, what);
  og_ir_put_string(p, p->m->names.items[name]);
}

static void put_constant_part(struct og_ir_printer *p, const char *what, og_ir_ref ref) {
  if (ref == OG_IR_NONE)
    return;
  og_ir_put(p, what);
  og_ir_put_typed(p, ref);
}

void og_ir_put_function(struct og_ir_printer *p, const struct og_ir_global *g) {
  const struct og_ir_function *f = g->function;
  og_ir_number_function(p, f);
  og_ir_put(p, "\n");
  uint32_t set = set_at(p, f->attributes, 0);
  put_comment(p, set);
  og_ir_put(p, f->blocks.count ? "define " : "declare");
  if (!f->blocks.count) {
    og_ir_put_attachments(p, g->attachments, " ");
    space(p);
  }
  og_ir_put_head(p, g);
  put_convention(p, f->convention);
  uint32_t result = set_at(p, f->attributes, 1);
  if (result) {
    og_ir_put_set(p, result, false);
    space(p);
  }
  og_ir_put_type(p, og_ir_part(p->m, g->type, 0));
  space(p);
  og_ir_put_constant(p, g->self);
  put_parameters(p, g);
  og_ir_put(p, g->unnamed == 1 ? " unnamed_addr" : g->unnamed ? " local_unnamed_addr" : "");
  put_space(p, " ", g->address_space);
  if (set) {
    og_ir_put(p, " #");
    og_ir_put_number(p, p->set_numbers[set] - 1);
  }
  put_named(p, " section ", g->section);
  put_named(p, " partition ", g->partition);
  if (g->comdat) {
    uint32_t name = p->m->comdats.items[g->comdat - 1].name;
    og_ir_put(p, " comdat");
    if (!og_text_equal(p->m->names.items[name], p->m->names.items[g->name])) {
      og_ir_put(p, "(");
      og_ir_put_name(p, '$', p->m->names.items[name]);
      og_ir_put(p, ")");
    }
  }
  if (g->align) {
    og_ir_put(p, " align ");
    og_ir_put_number(p, (uint64_t)1 << (g->align - 1));
  }
  put_named(p, " gc ", f->collector);
  put_constant_part(p, " prefix ", f->prefix);
  put_constant_part(p, " prologue ", f->prologue);
  put_constant_part(p, " personality ", f->personality);
  if (!f->blocks.count) {
    og_ir_put(p, "\n");
    return;
  }
  og_ir_put_attachments(p, g->attachments, " ");
  og_ir_put(p, " {\n");
  struct predecessors pre;
  find_predecessors(p, &pre);
  for (uint32_t b = 0; b < f->blocks.count; b++)
    put_block(p, b, &pre);
  og_ir_put(p, "}\n");
}
