/* scalarize.c - operations on vectors become operations on their elements, since registers hold an element each.
 * Vectors stay where memory, phis and bit casts see them whole. */
#include "cc/machine.h"
#include "cc/opt.h"
#include "cc/select.h"

#include <string.h>

enum { MOST_ELEMENTS = 64 };

struct scalarizer {
  struct cc_opt *o;
  uint32_t at, block; /* new instructions come before this one */
  og_ir_ref *with;
  uint32_t records; /* so many records have an entry in `with` */
};

static uint32_t add(struct scalarizer *s, uint8_t opcode, og_ir_type type, uint32_t operands) {
  return cc_insert(s->o, s->block, s->at, opcode, type, operands, s->at);
}

static og_ir_ref now(const struct scalarizer *s, og_ir_ref ref) {
  while (og_ir_space(ref) == OG_IR_LOCAL && og_ir_index(ref) < s->records && s->with[og_ir_index(ref)])
    ref = s->with[og_ir_index(ref)];
  return ref;
}

/* An element: what was put there, if that is known; else a new instruction takes it out. */
static og_ir_ref element(struct scalarizer *s, og_ir_ref vector, uint32_t index) {
  struct og_ir_module *m = s->o->m;
  struct og_ir_function *f = s->o->f;
  og_ir_type type = og_ir_part(m, og_ir_type_of_ref(m, f, vector), 0);
  uint64_t other;
  for (unsigned depth = 0; depth < 4 * MOST_ELEMENTS; depth++) {
    vector = now(s, vector);
    if (og_ir_space(vector) == OG_IR_CONSTANT) {
      const struct og_ir_constant *k = og_ir_constant_of(m, vector);
      if (k->kind == OG_IR_C_SPLAT)
        return m->pool.items[k->first];
      if (k->kind == OG_IR_C_AGGREGATE)
        return m->pool.items[k->first + index];
      if (k->kind == OG_IR_C_ZERO)
        return og_ir_zero(m, type);
      if (k->kind == OG_IR_C_UNDEF || k->kind == OG_IR_C_POISON)
        return og_ir_constant(m, (struct og_ir_constant){.kind = k->kind, .type = type}, NULL);
      break;
    }
    const struct og_ir_inst *i = &f->insts.items[og_ir_index(vector)];
    if (i->opcode == OG_IR_INSERTELEMENT && cc_is_number(m, og_ir_operand(f, i, 2), &other)) {
      if (other == index)
        return now(s, og_ir_operand(f, i, 1));
      vector = og_ir_operand(f, i, 0);
      continue;
    }
    if (i->opcode == OG_IR_SHUFFLEVECTOR) {
      uint32_t from = m->pool.items[i->extra + 1 + index];
      uint32_t count = (uint32_t)og_ir_type_of(m, og_ir_type_of_ref(m, f, og_ir_operand(f, i, 0)))->count;
      if (from == UINT32_MAX)
        return og_ir_constant(m, (struct og_ir_constant){.kind = OG_IR_C_POISON, .type = type}, NULL);
      vector = og_ir_operand(f, i, from < count ? 0 : 1);
      index = from % count;
      continue;
    }
    break;
  }
  uint32_t taken = add(s, OG_IR_EXTRACTELEMENT, type, 2);
  cc_set(f, taken, 0, vector);
  cc_set(f, taken, 1, og_ir_number(m, og_ir_integer(m, 32), index));
  return taken;
}

static og_ir_ref gather(struct scalarizer *s, og_ir_type type, const og_ir_ref *elements, uint32_t count) {
  struct og_ir_module *m = s->o->m;
  og_ir_ref v = og_ir_constant(m, (struct og_ir_constant){.kind = OG_IR_C_POISON, .type = type}, NULL);
  for (uint32_t k = 0; k < count; k++) {
    uint32_t next = add(s, OG_IR_INSERTELEMENT, type, 3);
    cc_set(s->o->f, next, 0, v), cc_set(s->o->f, next, 1, elements[k]);
    cc_set(s->o->f, next, 2, og_ir_number(m, og_ir_integer(m, 32), k));
    v = next;
  }
  return v;
}

/* The intrinsic for one element: llvm.fma.f32 for llvm.fma.v4f32. `vector` replaces v4; it is "v2" for pairs. */
static og_ir_ref element_intrinsic(struct cc_opt *o, struct og_text name, const char *vector, og_ir_type result,
                                   const og_ir_type *types, uint32_t count) {
  char text[128];
  size_t size = 0;
  for (size_t k = 0; k < name.size && size + 4 < sizeof text; k++) {
    text[size++] = name.data[k];
    if (name.data[k] == '.' && k + 2 < name.size && name.data[k + 1] == 'v' && name.data[k + 2] >= '0' &&
        name.data[k + 2] <= '9') {
      for (k += 1; k + 1 < name.size && name.data[k + 1] >= '0' && name.data[k + 1] <= '9';)
        k++;
      for (const char *p = vector; *p; p++)
        text[size++] = *p;
    }
  }
  return cc_declare(o, (struct og_text){text, size}, result, types, count);
}

static bool begins(struct og_text text, const char *prefix) { return og_text_skip(&text, prefix); }

static bool is_elementwise(struct og_text name) {
  static const char *const no[] = {"llvm.vector.", "llvm.amdgcn.",      "llvm.masked", "llvm.mem", "llvm.is.constant",
                                   "llvm.matrix",  "llvm.experimental", "llvm.get.",   "llvm.dbg"};
  for (unsigned k = 0; k < OG_COUNT(no); k++)
    if (begins(name, no[k]))
      return false;
  return begins(name, "llvm.");
}

/* Two neighbours as a vector: an existing one if they are all of its elements, else a new one. */
static og_ir_ref pair(struct scalarizer *s, og_ir_type type, og_ir_ref vector, uint32_t at) {
  struct og_ir_module *m = s->o->m;
  struct og_ir_function *f = s->o->f;
  vector = now(s, vector);
  if (og_ir_type_of(m, og_ir_type_of_ref(m, f, vector))->count == 2)
    return vector;
  og_ir_ref elements[2] = {element(s, vector, at), element(s, vector, at + 1)}, from[2];
  for (unsigned k = 0; k < 2; k++) {
    const struct og_ir_inst *i =
        og_ir_space(elements[k]) == OG_IR_LOCAL ? &f->insts.items[og_ir_index(elements[k])] : NULL;
    uint64_t index;
    if (!i || i->opcode != OG_IR_EXTRACTELEMENT || !cc_is_number(m, og_ir_operand(f, i, 1), &index) || index != k)
      return gather(s, type, elements, 2);
    from[k] = og_ir_operand(f, i, 0);
  }
  bool whole = from[0] == from[1] && og_ir_type_of(m, og_ir_type_of_ref(m, f, from[0]))->count == 2;
  return whole ? from[0] : gather(s, type, elements, 2);
}

/* Operations that the processor has for two elements at once (of 16 bits, or floats): on pairs of elements. `stays`:
 * the vector is already one pair. */
static og_ir_ref pairs(struct scalarizer *s, uint32_t record, bool *stays) {
  struct og_ir_module *m = s->o->m;
  struct og_ir_function *f = s->o->f;
  struct og_ir_inst i = f->insts.items[record];
  og_ir_ref elements[MOST_ELEMENTS], given[4];
  if (!s->o->isa || og_ir_kind(m, i.type) != OG_IR_VECTOR || og_ir_type_of(m, i.type)->count > MOST_ELEMENTS)
    return OG_IR_NONE;
  uint32_t count = (uint32_t)og_ir_type_of(m, i.type)->count;
  og_ir_type scalar = og_ir_part(m, i.type, 0), two = og_ir_sequence(m, OG_IR_VECTOR, scalar, 2);
  uint8_t kind = og_ir_kind(m, scalar);
  bool call = i.opcode == OG_IR_CALL;
  struct og_text name = call ? cc_callee_name(m, f, &i) : (struct og_text){0};
  if (i.opcode == OG_IR_SELECT && og_ir_is_vector(m, og_ir_type_of_ref(m, f, og_ir_operand(f, &i, 0))))
    return OG_IR_NONE;
  bool small = cc_bits(m, scalar) == 16;
  if ((!small && kind != OG_IR_FLOAT) || i.operands > OG_COUNT(given) || count % 2 ||
      !(small ? cc_has_pairs(s->o->isa, i.opcode, name, kind) : cc_has_float_pairs(s->o->isa, i.opcode, name)))
    return OG_IR_NONE;
  for (uint32_t a = call + (i.opcode == OG_IR_SELECT); a < i.operands; a++)
    if (og_ir_type_of_ref(m, f, og_ir_operand(f, &i, a)) != i.type)
      return OG_IR_NONE;
  if (count == 2) {
    *stays = true;
    return OG_IR_NONE;
  }
  og_ir_ref callee = OG_IR_NONE;
  if (call) {
    og_ir_type types[4];
    for (uint32_t a = 1; a < i.operands; a++)
      types[a - 1] = two;
    callee = element_intrinsic(s->o, name, "v2", two, types, i.operands - 1u);
  }
  for (uint32_t at = 0; at < count; at += 2) {
    for (uint32_t a = call; a < i.operands; a++) {
      og_ir_ref from = og_ir_operand(f, &i, a);
      given[a] = og_ir_is_vector(m, og_ir_type_of_ref(m, f, from)) ? pair(s, two, from, at) : now(s, from);
    }
    uint32_t one = add(s, i.opcode, two, i.operands);
    struct og_ir_inst *n = &f->insts.items[one];
    n->sub = i.sub, n->flags = i.flags, n->extra = i.extra;
    if (call) {
      og_ir_type types[4] = {two, two, two, two};
      n->extra = f->calls.count;
      *OG_PUSH(m->arena, &f->calls) = (struct og_ir_call){
          .function_type = og_ir_function_type(m, two, types, i.operands - 1u, false), .arguments = i.operands - 1u};
      cc_set(f, one, 0, callee);
    }
    for (uint32_t a = call; a < i.operands; a++)
      cc_set(f, one, a, given[a]);
    for (uint32_t k = 0; k < 2; k++) {
      uint32_t taken = add(s, OG_IR_EXTRACTELEMENT, scalar, 2);
      cc_set(f, taken, 0, one), cc_set(f, taken, 1, og_ir_number(m, og_ir_integer(m, 32), k));
      elements[at + k] = taken;
    }
  }
  return gather(s, i.type, elements, count);
}

static og_ir_ref call_each(struct scalarizer *s, uint32_t record, uint32_t count, og_ir_type scalar) {
  struct og_ir_module *m = s->o->m;
  struct og_ir_function *f = s->o->f;
  struct og_text name = cc_callee_name(m, f, &f->insts.items[record]);
  uint32_t arguments = f->calls.items[f->insts.items[record].extra].arguments;
  og_ir_type types[8];
  og_ir_ref elements[MOST_ELEMENTS], given[8];
  if (arguments > OG_COUNT(types))
    return OG_IR_NONE;
  for (uint32_t a = 0; a < arguments; a++)
    types[a] = og_ir_scalar(m, og_ir_type_of_ref(m, f, og_ir_operand(f, &f->insts.items[record], 1 + a)));
  og_ir_ref callee = element_intrinsic(s->o, name, "", scalar, types, arguments);
  for (uint32_t k = 0; k < count; k++) {
    for (uint32_t a = 0; a < arguments; a++) {
      og_ir_ref ref = og_ir_operand(f, &f->insts.items[record], 1 + a);
      given[a] = og_ir_is_vector(m, og_ir_type_of_ref(m, f, ref)) ? element(s, ref, k) : now(s, ref);
    }
    uint32_t call = add(s, OG_IR_CALL, scalar, 1 + arguments);
    f->insts.items[call].flags = f->insts.items[record].flags;
    f->insts.items[call].extra = f->calls.count;
    *OG_PUSH(m->arena, &f->calls) = (struct og_ir_call){
        .function_type = og_ir_function_type(m, scalar, types, arguments, false), .arguments = arguments};
    cc_set(f, call, 0, callee);
    for (uint32_t a = 0; a < arguments; a++)
      cc_set(f, call, 1 + a, given[a]);
    elements[k] = call;
  }
  return gather(s, f->insts.items[record].type, elements, count);
}

static og_ir_ref each(struct scalarizer *s, uint32_t record) {
  struct og_ir_module *m = s->o->m;
  struct og_ir_function *f = s->o->f;
  struct og_ir_inst i = f->insts.items[record];
  og_ir_ref elements[MOST_ELEMENTS], given[8];
  if (!og_ir_is_vector(m, i.type) || og_ir_kind(m, i.type) != OG_IR_VECTOR)
    return OG_IR_NONE;
  uint32_t count = (uint32_t)og_ir_type_of(m, i.type)->count;
  og_ir_type scalar = og_ir_part(m, i.type, 0);
  if (og_ir_type_of(m, i.type)->count > MOST_ELEMENTS)
    return OG_IR_NONE;
  switch (og_ir_opcodes[i.opcode].shape) {
  case OG_IR_SHAPE_CAST:
    if (i.opcode == OG_IR_BITCAST)
      return OG_IR_NONE;
    break;
  case OG_IR_SHAPE_UNARY_FLOAT:
  case OG_IR_SHAPE_BINARY_INT:
  case OG_IR_SHAPE_BINARY_FLOAT:
  case OG_IR_SHAPE_ICMP:
  case OG_IR_SHAPE_FCMP:
  case OG_IR_SHAPE_SELECT:
  case OG_IR_SHAPE_FREEZE:
  case OG_IR_SHAPE_GETELEMENTPTR: break;
  case OG_IR_SHAPE_SHUFFLEVECTOR:
    for (uint32_t k = 0; k < count; k++) {
      uint32_t from = m->pool.items[i.extra + 1 + k];
      uint32_t first = (uint32_t)og_ir_type_of(m, og_ir_type_of_ref(m, f, og_ir_operand(f, &i, 0)))->count;
      elements[k] = from == UINT32_MAX
                        ? og_ir_constant(m, (struct og_ir_constant){.kind = OG_IR_C_POISON, .type = scalar}, NULL)
                        : element(s, og_ir_operand(f, &i, from < first ? 0 : 1), from % first);
    }
    return gather(s, i.type, elements, count);
  case OG_IR_SHAPE_CALL:
    return is_elementwise(cc_callee_name(m, f, &i)) ? call_each(s, record, count, scalar) : OG_IR_NONE;
  default: return OG_IR_NONE;
  }
  if (i.operands > OG_COUNT(given))
    return OG_IR_NONE;
  for (uint32_t k = 0; k < count; k++) {
    for (uint32_t a = 0; a < i.operands; a++) {
      og_ir_ref ref = og_ir_operand(f, &i, a);
      given[a] = og_ir_is_vector(m, og_ir_type_of_ref(m, f, ref)) ? element(s, ref, k) : now(s, ref);
    }
    uint32_t one = add(s, i.opcode, scalar, i.operands);
    struct og_ir_inst *n = &f->insts.items[one];
    n->sub = i.sub, n->flags = i.flags, n->extra = i.extra, n->attachments = i.attachments;
    for (uint32_t a = 0; a < i.operands; a++)
      cc_set(f, one, a, given[a]);
    elements[k] = one;
  }
  return gather(s, i.type, elements, count);
}

/* llvm.vector.reduce.add and the like: combines the elements one after the other. */
static og_ir_ref reduce(struct scalarizer *s, uint32_t record) {
  static const struct {
    const char *name;
    uint8_t opcode;
  } kinds[] = {{"add.", OG_IR_ADD}, {"mul.", OG_IR_MUL},   {"and.", OG_IR_AND},  {"or.", OG_IR_OR},
               {"xor.", OG_IR_XOR}, {"fadd.", OG_IR_FADD}, {"fmul.", OG_IR_FMUL}};
  struct og_ir_module *m = s->o->m;
  struct og_ir_function *f = s->o->f;
  struct og_text name = cc_callee_name(m, f, &f->insts.items[record]);
  if (!og_text_skip(&name, "llvm.vector.reduce."))
    return OG_IR_NONE;
  for (unsigned k = 0; k < OG_COUNT(kinds); k++) {
    if (!begins(name, kinds[k].name))
      continue;
    bool from_start = kinds[k].opcode == OG_IR_FADD || kinds[k].opcode == OG_IR_FMUL;
    const struct og_ir_inst i = f->insts.items[record];
    og_ir_ref vector = og_ir_operand(f, &i, from_start ? 2 : 1);
    uint32_t count = (uint32_t)og_ir_type_of(m, og_ir_type_of_ref(m, f, vector))->count;
    og_ir_ref sum = from_start ? now(s, og_ir_operand(f, &i, 1)) : element(s, vector, 0);
    for (uint32_t e = !from_start; e < count; e++) {
      og_ir_ref x = element(s, vector, e);
      uint32_t next = add(s, kinds[k].opcode, i.type, 2);
      cc_set(f, next, 0, sum), cc_set(f, next, 1, x);
      sum = next;
    }
    return sum;
  }
  return OG_IR_NONE;
}

static og_ir_ref scalarize(struct scalarizer *s, uint32_t record) {
  const struct og_ir_inst *i = &s->o->f->insts.items[record];
  uint64_t index;
  if (i->opcode == OG_IR_EXTRACTELEMENT && cc_is_number(s->o->m, og_ir_operand(s->o->f, i, 1), &index)) {
    og_ir_ref vector = og_ir_operand(s->o->f, i, 0);
    if (index >= og_ir_type_of(s->o->m, og_ir_type_of_ref(s->o->m, s->o->f, vector))->count)
      return OG_IR_NONE;
    return element(s, vector, (uint32_t)index);
  }
  if (i->opcode == OG_IR_CALL && !og_ir_is_vector(s->o->m, i->type))
    return reduce(s, record);
  bool stays = false;
  og_ir_ref whole = pairs(s, record, &stays);
  return stays || whole != OG_IR_NONE ? whole : each(s, record);
}

void cc_scalarize(struct cc_opt *o) {
  struct og_ir_function *f = o->f;
  struct cc_graph g;
  cc_graph(o->arena, f, &g);
  struct scalarizer s = {.o = o, .records = f->insts.count};
  s.with = OG_NEW_ARRAY(o->arena, og_ir_ref, s.records);
  for (uint32_t k = 0; k < g.count; k++)
    for (uint32_t i = f->blocks.items[g.order[k]].first, next; i; i = next) {
      next = f->insts.items[i].next;
      s.at = i, s.block = g.order[k];
      og_ir_ref known = scalarize(&s, i);
      if (known == OG_IR_NONE)
        continue;
      s.with[i] = known;
      og_ir_remove(f, i);
    }
  for (uint32_t k = 0; k < f->operands.count; k++)
    f->operands.items[k] = now(&s, f->operands.items[k]);
}
