/* build.c - modules, functions, blocks and instructions; uses of values. */
#include "ir/ir.h"

#include <string.h>

const struct og_ir_opcode_row og_ir_opcodes[OG_IR_OPCODES] = {
    [OG_IR_ARGUMENT] = {"argument", OG_IR_SHAPE_ARGUMENT, 0},
#define FAST OG_IR_F_FAST
#define NUW OG_IR_F_NUW
#define NSW OG_IR_F_NSW
#define EXACT OG_IR_F_EXACT
#define DISJOINT OG_IR_F_DISJOINT
#define NNEG OG_IR_F_NNEG
#define SAMESIGN OG_IR_F_SAMESIGN
#define INBOUNDS OG_IR_F_INBOUNDS
#define NUSW OG_IR_F_NUSW
#define ATOMIC OG_IR_F_ATOMIC
#define VOLATILE OG_IR_F_VOLATILE
#define WEAK OG_IR_F_WEAK
#define OPCODE(name, text, shape, flags) [OG_IR_##name] = {text, OG_IR_SHAPE_##shape, flags},
#include "ir/opcodes.def"
};

const struct og_ir_attribute_row og_ir_attributes[OG_IR_A_STRING] = {
#define ATTRIBUTE(name, text, value, code) {text, OG_IR_AV_##value, code},
#include "ir/attributes.def"
};

/* Kinds of attachments that bitcode numbers without naming them; they come first, in this order. */
static const char *const fixed_kinds[] = {
    "dbg", "tbaa", "prof", "fpmath", "range", "tbaa.struct", "invariant.load", "alias.scope", "noalias", "nontemporal",
    "llvm.mem.parallel_loop_access", "nonnull", "dereferenceable", "dereferenceable_or_null", "make.implicit",
    "unpredictable", "invariant.group", "align", "llvm.loop", "type", "section_prefix", "absolute_symbol", "associated",
    "callees", "irr_loop", "llvm.access.group", "callback", "llvm.preserve.access.index", "vcall_visibility", "noundef",
    "annotation", "nosanitize", "func_sanitize", "exclude", "memprof", "callsite", "kcfi_type", "pcsections",
    "DIAssignID", "coro.outside.frame", "mmra", "noalias.addrspace", "callee_type", "nofree", "captures", "alloc_token",
    "implicit.ref",
};

struct og_ir_module *og_ir_module_new(struct og_arena *arena, const char *file) {
  struct og_ir_module *m = OG_NEW(arena, struct og_ir_module);
  m->arena = arena;
  m->file = file;
  *OG_PUSH(arena, &m->names) = OG_TEXT("");
  OG_PUSH(arena, &m->pool);
  OG_PUSH(arena, &m->sets);
  for (uint8_t kind = 0; kind < OG_IR_SIMPLE_TYPES; kind++)
    OG_PUSH(arena, &m->types)->kind = kind;
  for (size_t i = 0; i < OG_COUNT(fixed_kinds); i++)
    *OG_PUSH(arena, &m->kinds) = og_text(fixed_kinds[i]);
  *OG_PUSH(arena, &m->scopes) = OG_TEXT("singlethread");
  *OG_PUSH(arena, &m->scopes) = OG_TEXT("");
  return m;
}

uint32_t og_ir_name(struct og_ir_module *m, struct og_text text) {
  *OG_PUSH(m->arena, &m->names) = text;
  return m->names.count - 1;
}

uint32_t og_ir_pool(struct og_ir_module *m, uint32_t count) {
  uint32_t first = m->pool.count;
  OG_IR_RESERVE(m->arena, &m->pool, count);
  m->pool.count += count;
  return first;
}

uint32_t og_ir_pool_list(struct og_ir_module *m, const uint32_t *numbers, uint32_t count) {
  uint32_t first = og_ir_pool(m, count);
  if (count)
    memcpy(m->pool.items + first, numbers, count * sizeof *numbers);
  return first;
}

struct og_ir_function *og_ir_new_function(struct og_ir_module *m) {
  struct og_ir_function *f = OG_NEW(m->arena, struct og_ir_function);
  f->prefix = f->prologue = f->personality = OG_IR_NONE;
  OG_PUSH(m->arena, &f->insts);
  OG_PUSH(m->arena, &f->operands);
  return f;
}

uint32_t og_ir_add_block(struct og_ir_module *m, struct og_ir_function *f, uint32_t name) {
  OG_PUSH(m->arena, &f->blocks)->name = name;
  return f->blocks.count - 1;
}

uint32_t og_ir_append(struct og_ir_module *m, struct og_ir_function *f, uint32_t block, uint8_t opcode, og_ir_type type,
                      uint32_t operands) {
  uint32_t first = f->operands.count, record = f->insts.count;
  if (operands) {
    OG_IR_RESERVE(m->arena, &f->operands, operands);
    f->operands.count += operands;
  }
  struct og_ir_inst *inst = OG_PUSH(m->arena, &f->insts);
  *inst = (struct og_ir_inst){.opcode = opcode, .type = type, .first = first, .operands = operands, .block = block};
  if (block == UINT32_MAX)
    return record;
  struct og_ir_block *b = &f->blocks.items[block];
  inst->previous = b->last;
  *(b->last ? &f->insts.items[b->last].next : &b->first) = record;
  b->last = record;
  return record;
}

void og_ir_insert_before(struct og_ir_function *f, uint32_t inst, uint32_t before) {
  struct og_ir_inst *insts = f->insts.items;
  struct og_ir_block *block = &f->blocks.items[insts[before].block];
  insts[inst].block = insts[before].block;
  insts[inst].next = before;
  insts[inst].previous = insts[before].previous;
  *(insts[before].previous ? &insts[insts[before].previous].next : &block->first) = inst;
  insts[before].previous = inst;
}

void og_ir_remove(struct og_ir_function *f, uint32_t inst) {
  struct og_ir_inst *insts = f->insts.items, *i = &insts[inst];
  struct og_ir_block *block = &f->blocks.items[i->block];
  *(i->previous ? &insts[i->previous].next : &block->first) = i->next;
  *(i->next ? &insts[i->next].previous : &block->last) = i->previous;
  i->block = UINT32_MAX;
  i->next = i->previous = 0;
}

og_ir_type og_ir_type_of_ref(const struct og_ir_module *m, const struct og_ir_function *f, og_ir_ref ref) {
  switch (og_ir_space(ref)) {
  case OG_IR_LOCAL: return f->insts.items[og_ir_index(ref)].type;
  case OG_IR_CONSTANT: return m->constants.items[og_ir_index(ref)].type;
  case OG_IR_BLOCK: return OG_IR_LABEL;
  default: return OG_IR_METADATA_TYPE;
  }
}

bool og_ir_is_terminator(uint8_t opcode) { return opcode >= OG_IR_RET && opcode <= OG_IR_UNREACHABLE; }

/* ---- uses ---- */

void og_ir_build_uses(struct og_arena *arena, const struct og_ir_function *f, struct og_ir_uses *uses) {
  *uses = (struct og_ir_uses){.arena = arena, .records = f->insts.count, .places = f->operands.count};
  uses->head = OG_NEW_ARRAY(arena, uint32_t, f->insts.count);
  uses->next = OG_NEW_ARRAY(arena, uint32_t, f->operands.count);
  uses->user = OG_NEW_ARRAY(arena, uint32_t, f->operands.count);
  for (uint32_t block = 0; block < f->blocks.count; block++)
    for (uint32_t i = f->blocks.items[block].first; i; i = f->insts.items[i].next) {
      const struct og_ir_inst *inst = &f->insts.items[i];
      for (uint32_t place = inst->first; place < inst->first + inst->operands; place++) {
        og_ir_ref ref = f->operands.items[place];
        uses->user[place] = i;
        if (og_ir_space(ref) == OG_IR_LOCAL) {
          uses->next[place] = uses->head[ref];
          uses->head[ref] = place;
        }
      }
    }
}

void og_ir_set_operand(struct og_ir_function *f, struct og_ir_uses *uses, uint32_t place, og_ir_ref with) {
  og_ir_ref old = f->operands.items[place];
  if (og_ir_space(old) == OG_IR_LOCAL) {
    uint32_t *link = &uses->head[old];
    while (*link != place)
      link = &uses->next[*link];
    *link = uses->next[place];
  }
  f->operands.items[place] = with;
  uses->next[place] = 0;
  if (og_ir_space(with) == OG_IR_LOCAL) {
    uses->next[place] = uses->head[with];
    uses->head[with] = place;
  }
}

void og_ir_replace_all_uses(struct og_ir_function *f, struct og_ir_uses *uses, uint32_t record, og_ir_ref with) {
  uint32_t first = uses->head[record], last = 0;
  for (uint32_t place = first; place; last = place, place = uses->next[place])
    f->operands.items[place] = with;
  uses->head[record] = 0;
  if (last && og_ir_space(with) == OG_IR_LOCAL) { /* the whole list moves at once */
    uses->next[last] = uses->head[with];
    uses->head[with] = first;
  } else {
    for (uint32_t place = first, next; place; place = next)
      next = uses->next[place], uses->next[place] = 0;
  }
}
