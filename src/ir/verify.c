/* verify.c - checks what passes rely on: matching types, terminated blocks, values that are defined where they
 * are used. */
#include "ir/ir.h"

#include <string.h>

struct verifier {
  const struct og_ir_module *m;
  const struct og_ir_function *f;
  const struct og_ir_global *g;
  struct og_diagnostics *diagnostics;
  struct og_arena *arena;
  bool ok;
  uint32_t *dominator, *order, *number; /* by block: immediate dominator; by place: block; by block: place + 1 */
  uint32_t *begin, *size;               /* by block: its part of the tree of dominators */
  uint32_t *position;                   /* by record: place in its block */
  uint32_t reached;
};

enum { ENOUGH = 20 }; /* errors */

static bool fail(struct verifier *v, uint32_t record, const char *message) {
  v->ok = false;
  struct og_text name = v->g ? v->m->names.items[v->g->name] : (struct og_text){0};
  if (og_diagnostics_errors(v->diagnostics) >= ENOUGH)
    return false;
  if (v->m->source && v->f && record < v->f->places.count && record)
    return og_error(v->diagnostics, (struct og_range){v->m->source, v->f->places.items[record], 0}, "%s", message);
  return og_error_in(v->diagnostics, v->m->file, "in function '%.*s': %s", OG_TEXT_ARGS(name), message);
}

/* ---- types ---- */

static og_ir_type type_of(const struct verifier *v, const struct og_ir_inst *inst, uint32_t index) {
  return og_ir_type_of_ref(v->m, v->f, og_ir_operand(v->f, inst, index));
}
static uint8_t scalar_kind(const struct verifier *v, og_ir_type type) {
  return og_ir_kind(v->m, og_ir_scalar(v->m, type));
}
static bool is_integer(const struct verifier *v, og_ir_type type) { return scalar_kind(v, type) == OG_IR_INTEGER; }
static bool is_float(const struct verifier *v, og_ir_type type) {
  return og_ir_is_float(v->m, og_ir_scalar(v->m, type));
}
static bool is_pointer(const struct verifier *v, og_ir_type type) { return scalar_kind(v, type) == OG_IR_POINTER; }
static bool is_bool(const struct verifier *v, og_ir_type type) {
  const struct og_ir_type_record *t = og_ir_type_of(v->m, type);
  return t->kind == OG_IR_INTEGER && t->count == 1;
}
static bool is_first_class(const struct verifier *v, og_ir_type type) {
  return type != OG_IR_VOID && type != OG_IR_LABEL && og_ir_kind(v->m, type) != OG_IR_FUNCTION;
}
static bool same_shape(const struct verifier *v, og_ir_type a, og_ir_type b) {
  const struct og_ir_type_record *x = og_ir_type_of(v->m, a), *y = og_ir_type_of(v->m, b);
  bool vector = og_ir_is_vector(v->m, a);
  return vector == og_ir_is_vector(v->m, b) && (!vector || (x->kind == y->kind && x->count == y->count));
}
static uint64_t bits_of(const struct verifier *v, og_ir_type type) { /* of a scalar; 0: a pointer */
  const struct og_ir_type_record *t = og_ir_type_of(v->m, og_ir_scalar(v->m, type));
  return t->kind == OG_IR_INTEGER ? t->count : og_ir_float_bits(t->kind);
}

/* ---- what each shape requires; NULL: all is well ----------------------------------------------------------------- */

static const char *check_cast(const struct verifier *v, const struct og_ir_inst *inst) {
  og_ir_type from = type_of(v, inst, 0), to = inst->type;
  bool ok = same_shape(v, from, to);
  switch (inst->opcode) {
  case OG_IR_TRUNC: ok &= is_integer(v, from) && is_integer(v, to) && bits_of(v, from) > bits_of(v, to); break;
  case OG_IR_ZEXT:
  case OG_IR_SEXT: ok &= is_integer(v, from) && is_integer(v, to) && bits_of(v, from) < bits_of(v, to); break;
  case OG_IR_FPTRUNC: ok &= is_float(v, from) && is_float(v, to) && bits_of(v, from) > bits_of(v, to); break;
  case OG_IR_FPEXT: ok &= is_float(v, from) && is_float(v, to) && bits_of(v, from) < bits_of(v, to); break;
  case OG_IR_FPTOUI:
  case OG_IR_FPTOSI: ok &= is_float(v, from) && is_integer(v, to); break;
  case OG_IR_UITOFP:
  case OG_IR_SITOFP: ok &= is_integer(v, from) && is_float(v, to); break;
  case OG_IR_PTRTOADDR:
  case OG_IR_PTRTOINT: ok &= is_pointer(v, from) && is_integer(v, to); break;
  case OG_IR_INTTOPTR: ok &= is_integer(v, from) && is_pointer(v, to); break;
  case OG_IR_ADDRSPACECAST: ok &= is_pointer(v, from) && is_pointer(v, to) && from != to; break;
  default: { /* bitcast: as many bits */
    const struct og_ir_type_record *x = og_ir_type_of(v->m, from), *y = og_ir_type_of(v->m, to);
    uint64_t n = og_ir_is_vector(v->m, from) ? x->count : 1, m = og_ir_is_vector(v->m, to) ? y->count : 1;
    if (is_pointer(v, from) || is_pointer(v, to))
      return from == to || (ok && og_ir_scalar(v->m, from) == og_ir_scalar(v->m, to)) ? NULL
                                                                                       : "invalid cast opcode for cast";
    ok = bits_of(v, from) && bits_of(v, to) && n * bits_of(v, from) == m * bits_of(v, to);
  }
  }
  return ok ? NULL : "invalid cast opcode for cast";
}

static const char *check_call(const struct verifier *v, const struct og_ir_inst *inst) {
  const struct og_ir_call *call = &v->f->calls.items[inst->extra];
  const struct og_ir_type_record *t = og_ir_type_of(v->m, call->function_type);
  og_ir_ref callee = og_ir_operand(v->f, inst, 0);
  bool assembler = og_ir_space(callee) == OG_IR_CONSTANT &&
                   og_ir_constant_of(v->m, callee)->kind == OG_IR_C_ASSEMBLER;
  if (og_ir_kind(v->m, type_of(v, inst, 0)) != OG_IR_POINTER)
    return "Called function must be a pointer!";
  for (uint32_t i = 0; i + 1 < t->parts; i++)
    if (type_of(v, inst, 1 + i) != og_ir_part(v->m, call->function_type, 1 + i))
      return "Call parameter type does not match function signature!";
  const struct og_ir_global *g = og_ir_global_of(v->m, callee);
  const struct og_text name = g ? v->m->names.items[g->name] : (struct og_text){0};
  bool intrinsic = name.size > 5 && memcmp(name.data, "llvm.", 5) == 0;
  if (intrinsic && g->kind == OG_IR_DEFINITION && g->type != call->function_type)
    return "Intrinsic called with incompatible signature";
  return assembler && inst->sub == OG_IR_MUSTTAIL ? "cannot use musttail call with inline asm" : NULL;
}

static const char *check_memory(const struct verifier *v, const struct og_ir_inst *inst) {
  struct og_ir_memory memory = og_ir_memory(inst->extra);
  bool atomic = inst->flags & OG_IR_F_ATOMIC;
  uint32_t pointer = inst->opcode == OG_IR_STORE ? 1 : 0;
  og_ir_type type = inst->opcode == OG_IR_LOAD    ? inst->type
                    : inst->opcode == OG_IR_STORE ? type_of(v, inst, 0)
                                                  : type_of(v, inst, 1);
  if (og_ir_kind(v->m, type_of(v, inst, pointer)) != OG_IR_POINTER)
    return inst->opcode == OG_IR_LOAD ? "load operand must be a pointer to a first class type"
           : inst->opcode == OG_IR_STORE ? "store operand must be a pointer"
                                         : "atomic operand must be a pointer";
  if (!is_first_class(v, type) || !og_ir_is_sized(v->m, type) || type <= OG_IR_TOKEN)
    return inst->opcode == OG_IR_STORE ? "store operand must be a first class value"
                                       : "loading unsized types is not allowed";
  switch (inst->opcode) {
  case OG_IR_LOAD:
    if (atomic && (memory.ordering == OG_IR_RELEASE || memory.ordering == OG_IR_ACQ_REL))
      return "atomic load cannot use Release ordering";
    return atomic && !inst->sub ? "atomic load must have explicit non-zero alignment" : NULL;
  case OG_IR_STORE:
    if (atomic && (memory.ordering == OG_IR_ACQUIRE || memory.ordering == OG_IR_ACQ_REL))
      return "atomic store cannot use Acquire ordering";
    return atomic && !inst->sub ? "atomic store must have explicit non-zero alignment" : NULL;
  case OG_IR_CMPXCHG:
    if (type != type_of(v, inst, 2))
      return "compare value and new value type do not match";
    if (og_ir_kind(v->m, type) != OG_IR_INTEGER && og_ir_kind(v->m, type) != OG_IR_POINTER)
      return "cmpxchg operand must have integer or pointer type";
    if (memory.ordering < OG_IR_MONOTONIC)
      return "invalid cmpxchg success ordering";
    return memory.failure < OG_IR_MONOTONIC || memory.failure == OG_IR_RELEASE || memory.failure == OG_IR_ACQ_REL
               ? "invalid cmpxchg failure ordering"
               : NULL;
  default: {
    bool real = (memory.operation >= OG_IR_RMW_FADD && memory.operation <= OG_IR_RMW_FMIN) ||
                memory.operation >= OG_IR_RMW_FMAXIMUM;
    uint8_t kind = og_ir_kind(v->m, type);
    if (memory.ordering < OG_IR_MONOTONIC)
      return "atomicrmw cannot be unordered";
    if (real ? !is_float(v, type)
             : kind != OG_IR_INTEGER &&
                   (memory.operation != OG_IR_XCHG || (kind != OG_IR_POINTER && !og_ir_is_float(v->m, type))))
      return real ? "atomicrmw operand must be a floating point type" : "atomicrmw operand must be an integer";
    return NULL;
  }
  }
}

static const char *check_address(const struct verifier *v, const struct og_ir_inst *inst) {
  if (!is_pointer(v, type_of(v, inst, 0)))
    return "base of getelementptr must be a pointer";
  og_ir_type at = inst->extra;
  for (uint32_t i = 1; i < inst->operands; i++) {
    og_ir_ref ref = og_ir_operand(v->f, inst, i);
    og_ir_type type = type_of(v, inst, i);
    if (!is_integer(v, type))
      return "getelementptr index must be an integer";
    if (og_ir_is_vector(v->m, type) && og_ir_is_vector(v->m, inst->type) && !same_shape(v, type, inst->type))
      return "getelementptr vector index has a wrong number of elements";
    if (i == 1)
      continue;
    const struct og_ir_constant *c = og_ir_space(ref) == OG_IR_CONSTANT ? og_ir_constant_of(v->m, ref) : NULL;
    if (c && c->kind == OG_IR_C_SPLAT)
      c = og_ir_constant_of(v->m, v->m->pool.items[c->first]);
    uint64_t index = c && c->kind == OG_IR_C_NUMBER ? c->value : 0;
    if (og_ir_kind(v->m, at) == OG_IR_STRUCT && (!c || (c->kind != OG_IR_C_NUMBER && c->kind != OG_IR_C_ZERO)))
      return "invalid getelementptr indices";
    at = og_ir_element(v->m, at, index);
    if (at == OG_IR_NONE)
      return "invalid getelementptr indices";
  }
  return NULL;
}

static const char *check_phi(const struct verifier *v, const struct og_ir_inst *inst) {
  for (uint32_t i = 0; i < inst->operands; i += 2)
    if (type_of(v, inst, i) != inst->type)
      return "PHI node operands are not the same type as the result!";
  if (!is_first_class(v, inst->type))
    return "phi node must have first class type";
  uint32_t before = inst->previous;
  while (before && og_ir_opcodes[v->f->insts.items[before].opcode].shape == OG_IR_SHAPE_DEBUG)
    before = v->f->insts.items[before].previous;
  return before && v->f->insts.items[before].opcode != OG_IR_PHI ? "PHI nodes not grouped at top of basic block!"
                                                                 : NULL;
}

static const char *check_shuffle(const struct verifier *v, const struct og_ir_inst *inst) {
  const uint32_t *mask = v->m->pool.items + inst->extra;
  og_ir_type type = type_of(v, inst, 0);
  if (!og_ir_is_vector(v->m, type) || type != type_of(v, inst, 1))
    return "invalid shufflevector operands";
  for (uint32_t i = 0; i < mask[0]; i++)
    if (mask[1 + i] != UINT32_MAX && mask[1 + i] >= 2 * og_ir_type_of(v->m, type)->count)
      return "invalid shufflevector operands";
  return NULL;
}

static const char *check_ret(const struct verifier *v, const struct og_ir_inst *inst) {
  og_ir_type result = og_ir_part(v->m, v->g->type, 0);
  og_ir_type is = inst->operands ? type_of(v, inst, 0) : OG_IR_VOID;
  return is == result ? NULL : "value doesn't match function result type";
}

static const char *check_select(const struct verifier *v, const struct og_ir_inst *inst) {
  og_ir_type condition = type_of(v, inst, 0);
  if (!is_bool(v, og_ir_scalar(v->m, condition)))
    return "select condition must be i1 or <n x i1>";
  if (type_of(v, inst, 1) != type_of(v, inst, 2) || type_of(v, inst, 1) != inst->type)
    return "select values must have same type";
  return og_ir_is_vector(v->m, condition) && !same_shape(v, condition, inst->type)
             ? "vector select requires selected vectors to have the same vector length as select condition"
             : NULL;
}

static const char *check_element(const struct verifier *v, const struct og_ir_inst *inst) {
  og_ir_type vector = type_of(v, inst, 0);
  bool insert = inst->opcode == OG_IR_INSERTELEMENT;
  if (!og_ir_is_vector(v->m, vector) || og_ir_kind(v->m, type_of(v, inst, insert ? 2 : 1)) != OG_IR_INTEGER)
    return insert ? "invalid insertelement operands" : "invalid extractelement operands";
  return insert && type_of(v, inst, 1) != og_ir_part(v->m, vector, 0) ? "invalid insertelement operands" : NULL;
}

static const char *check_shape(const struct verifier *v, const struct og_ir_inst *inst) {
  og_ir_type first = inst->operands ? type_of(v, inst, 0) : OG_IR_VOID;
  switch (og_ir_opcodes[inst->opcode].shape) {
  case OG_IR_SHAPE_RET: return check_ret(v, inst);
  case OG_IR_SHAPE_BR:
    return inst->operands == 1 || is_bool(v, first) ? NULL : "branch condition must have 'i1' type";
  case OG_IR_SHAPE_SWITCH:
    return og_ir_kind(v->m, first) == OG_IR_INTEGER ? NULL : "switch condition must have integer type";
  case OG_IR_SHAPE_UNARY_FLOAT: return is_float(v, first) ? NULL : "invalid operand type for instruction";
  case OG_IR_SHAPE_BINARY_INT:
    return is_integer(v, first) && first == type_of(v, inst, 1) ? NULL : "invalid operand type for instruction";
  case OG_IR_SHAPE_BINARY_FLOAT:
    return is_float(v, first) && first == type_of(v, inst, 1) ? NULL : "invalid operand type for instruction";
  case OG_IR_SHAPE_ICMP:
    return (is_integer(v, first) || is_pointer(v, first)) && first == type_of(v, inst, 1)
               ? NULL
               : "icmp requires integer operands";
  case OG_IR_SHAPE_FCMP:
    return is_float(v, first) && first == type_of(v, inst, 1) ? NULL : "fcmp requires floating point operands";
  case OG_IR_SHAPE_CAST: return check_cast(v, inst);
  case OG_IR_SHAPE_PHI: return check_phi(v, inst);
  case OG_IR_SHAPE_SELECT: return check_select(v, inst);
  case OG_IR_SHAPE_CALL: return check_call(v, inst);
  case OG_IR_SHAPE_EXTRACTELEMENT:
  case OG_IR_SHAPE_INSERTELEMENT: return check_element(v, inst);
  case OG_IR_SHAPE_SHUFFLEVECTOR: return check_shuffle(v, inst);
  case OG_IR_SHAPE_LOAD:
  case OG_IR_SHAPE_STORE:
  case OG_IR_SHAPE_CMPXCHG:
  case OG_IR_SHAPE_ATOMICRMW: return check_memory(v, inst);
  case OG_IR_SHAPE_GETELEMENTPTR: return check_address(v, inst);
  case OG_IR_SHAPE_ALLOCA:
    return inst->operands && og_ir_kind(v->m, first) != OG_IR_INTEGER ? "element count must have integer type" : NULL;
  case OG_IR_SHAPE_FENCE: {
    uint8_t ordering = og_ir_memory(inst->extra).ordering;
    return ordering < OG_IR_ACQUIRE ? "fence cannot be monotonic" : NULL;
  }
  default: return NULL;
  }
}

/* ---- dominance (Cooper, Harvey and Kennedy: "A Simple, Fast Dominance Algorithm") ---- */

static const struct og_ir_inst *last_of(const struct verifier *v, uint32_t block) {
  return &v->f->insts.items[v->f->blocks.items[block].last];
}

/* Finds the blocks that are reached, in reverse postorder, with a stack of blocks and operands. */
static void walk(struct verifier *v) {
  uint32_t count = v->f->blocks.count, depth = 1, done = 0;
  uint32_t *stack = OG_NEW_ARRAY(v->arena, uint32_t, (size_t)count * 2),
           *post = OG_NEW_ARRAY(v->arena, uint32_t, count);
  uint8_t *seen = OG_NEW_ARRAY(v->arena, uint8_t, count);
  seen[0] = 1;
  while (depth) {
    uint32_t block = stack[depth * 2 - 2], at = stack[depth * 2 - 1]++;
    const struct og_ir_inst *last = last_of(v, block);
    if (at == last->operands) {
      post[done++] = block;
      depth--;
      continue;
    }
    og_ir_ref ref = og_ir_operand(v->f, last, at);
    uint32_t to = og_ir_index(ref);
    if (og_ir_space(ref) != OG_IR_BLOCK || seen[to])
      continue;
    seen[to] = 1;
    stack[depth * 2] = to;
    stack[depth * 2 + 1] = 0;
    depth++;
  }
  v->reached = done;
  for (uint32_t i = 0; i < done; i++) {
    v->order[i] = post[done - 1 - i];
    v->number[v->order[i]] = i + 1;
  }
}

static uint32_t meet(const struct verifier *v, uint32_t a, uint32_t b) {
  while (a != b) {
    while (v->number[a] > v->number[b])
      a = v->dominator[a];
    while (v->number[b] > v->number[a])
      b = v->dominator[b];
  }
  return a;
}

static void find_dominators(struct verifier *v) {
  uint32_t count = v->f->blocks.count;
  v->order = OG_NEW_ARRAY(v->arena, uint32_t, count);
  v->number = OG_NEW_ARRAY(v->arena, uint32_t, count);
  v->dominator = OG_NEW_ARRAY(v->arena, uint32_t, count);
  walk(v);
  for (uint32_t i = 0; i < count; i++)
    v->dominator[i] = UINT32_MAX;
  v->dominator[0] = 0;
  for (bool changed = true; changed;) { /* goes forward along edges, so no list of predecessors is needed */
    changed = false;
    for (uint32_t i = 0; i < v->reached; i++) {
      uint32_t from = v->order[i];
      const struct og_ir_inst *last = last_of(v, from);
      if (v->dominator[from] == UINT32_MAX)
        continue;
      for (uint32_t k = 0; k < last->operands; k++) {
        og_ir_ref ref = og_ir_operand(v->f, last, k);
        uint32_t to = og_ir_index(ref);
        if (og_ir_space(ref) != OG_IR_BLOCK || !to)
          continue;
        uint32_t now = v->dominator[to] == UINT32_MAX ? from : meet(v, v->dominator[to], from);
        changed |= now != v->dominator[to];
        v->dominator[to] = now;
      }
    }
  }
}

/* Where each block's part of the tree of dominators begins and ends, so that asking costs no walk. */
static void find_intervals(struct verifier *v) {
  uint32_t count = v->f->blocks.count, *next = OG_NEW_ARRAY(v->arena, uint32_t, count);
  v->begin = OG_NEW_ARRAY(v->arena, uint32_t, count);
  v->size = OG_NEW_ARRAY(v->arena, uint32_t, count);
  for (uint32_t i = v->reached; i--;) { /* leaves of the tree first */
    uint32_t block = v->order[i];
    v->size[block]++;
    if (block)
      v->size[v->dominator[block]] += v->size[block];
  }
  for (uint32_t i = 0; i < v->reached; i++) {
    uint32_t block = v->order[i], above = v->dominator[block];
    v->begin[block] = block ? next[above] : 0;
    if (block)
      next[above] += v->size[block];
    next[block] = v->begin[block] + 1;
  }
}

static bool dominates(const struct verifier *v, uint32_t above, uint32_t below) {
  if (!v->number[below])
    return true; /* it is never reached */
  return v->number[above] && v->begin[below] - v->begin[above] < v->size[above];
}

/* ---- functions ---- */

static void check_uses(struct verifier *v, uint32_t record) {
  const struct og_ir_inst *inst = &v->f->insts.items[record];
  bool phi = inst->opcode == OG_IR_PHI, debug = og_ir_opcodes[inst->opcode].shape == OG_IR_SHAPE_DEBUG;
  for (uint32_t i = 0; i < inst->operands; i++) {
    og_ir_ref ref = og_ir_operand(v->f, inst, i);
    if (og_ir_space(ref) != OG_IR_LOCAL || debug)
      continue;
    const struct og_ir_inst *made = &v->f->insts.items[ref];
    if (made->opcode == OG_IR_ARGUMENT)
      continue;
    bool ok;
    if (made->block == UINT32_MAX || made->type == OG_IR_VOID)
      ok = false;
    else if (phi)
      ok = dominates(v, made->block, og_ir_index(og_ir_operand(v->f, inst, i + 1)));
    else if (made->block == inst->block)
      ok = v->position[ref] < v->position[record] || !v->number[inst->block];
    else
      ok = dominates(v, made->block, inst->block);
    if (!ok) {
      fail(v, record, "Instruction does not dominate all uses!");
      return;
    }
  }
}

/* A predecessor must have one entry in a phi for each of its edges, and no other block may have one. */
static void check_entries(struct verifier *v, const uint32_t *ways, uint32_t *counted) {
  for (uint32_t b = 0; b < v->f->blocks.count; b++)
    for (uint32_t at = v->f->blocks.items[b].first; at; at = v->f->insts.items[at].next) {
      const struct og_ir_inst *inst = &v->f->insts.items[at];
      if (inst->opcode != OG_IR_PHI)
        continue;
      if (inst->operands / 2 != ways[b])
        fail(v, at, "PHINode should have one entry for each predecessor of its parent basic block!");
      for (uint32_t i = 1; i < inst->operands; i += 2) { /* is it a predecessor? */
        uint32_t from = og_ir_index(og_ir_operand(v->f, inst, i));
        const struct og_ir_inst *last = last_of(v, from);
        bool found = counted[from] == at;
        for (uint32_t k = 0; k < last->operands && !found; k++)
          found = og_ir_operand(v->f, last, k) == (OG_IR_BLOCK | b);
        counted[from] = found ? at : counted[from];
        if (!found) {
          fail(v, at, "PHI node entries do not match predecessors!");
          break;
        }
      }
    }
}

static void check_function(struct verifier *v) {
  const struct og_ir_function *f = v->f;
  uint32_t *ways = OG_NEW_ARRAY(v->arena, uint32_t, f->blocks.count);
  v->position = OG_NEW_ARRAY(v->arena, uint32_t, f->insts.count);
  for (uint32_t b = 0; b < f->blocks.count; b++) {
    uint32_t place = 0;
    if (!f->blocks.items[b].last || !og_ir_is_terminator(last_of(v, b)->opcode)) {
      fail(v, f->blocks.items[b].last, "Basic Block does not have terminator!");
      return;
    }
    for (uint32_t at = f->blocks.items[b].first; at; at = f->insts.items[at].next) {
      const struct og_ir_inst *inst = &f->insts.items[at];
      v->position[at] = place++;
      if (og_ir_is_terminator(inst->opcode) != (at == f->blocks.items[b].last)) {
        fail(v, at, "Terminator found in the middle of a basic block!");
        return;
      }
      const char *wrong = check_shape(v, inst);
      if (wrong)
        fail(v, at, wrong);
    }
    const struct og_ir_inst *last = last_of(v, b);
    for (uint32_t i = 0; i < last->operands; i++) {
      og_ir_ref ref = og_ir_operand(f, last, i);
      if (og_ir_space(ref) != OG_IR_BLOCK)
        continue;
      ways[og_ir_index(ref)]++;
      if (!og_ir_index(ref))
        fail(v, f->blocks.items[b].last, "Entry block to function must not have predecessors!");
    }
  }
  if (!v->ok)
    return;
  find_dominators(v);
  find_intervals(v);
  check_entries(v, ways, OG_NEW_ARRAY(v->arena, uint32_t, f->blocks.count));
  for (uint32_t b = 0; b < f->blocks.count; b++)
    for (uint32_t at = f->blocks.items[b].first; at; at = f->insts.items[at].next)
      check_uses(v, at);
}

bool og_ir_verify(const struct og_ir_module *m, struct og_diagnostics *diagnostics) {
  struct verifier v = {.m = m, .diagnostics = diagnostics, .arena = og_arena_new(), .ok = true};
  bool all = true;
  for (uint32_t i = 0; i < m->functions.count; i++) {
    v.g = &m->globals.items[m->functions.items[i]];
    v.f = v.g->function;
    v.ok = true;
    if (v.f->blocks.count)
      check_function(&v);
    all &= v.ok;
    og_arena_reset(v.arena);
  }
  og_arena_free(v.arena);
  return all;
}
