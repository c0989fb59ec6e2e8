/* edit.c - shared by passes over the IR: makes instructions, finds the callee of a call, says which instructions may be
 * removed or moved. */
#include "cc/machine.h"
#include "cc/opt.h"

uint32_t cc_insert(struct cc_opt *o, uint32_t block, uint32_t before, uint8_t opcode, og_ir_type type,
                   uint32_t operands, uint32_t origin) {
  struct og_ir_function *f = o->f;
  uint32_t record = og_ir_append(o->m, f, before ? UINT32_MAX : block, opcode, type, operands);
  if (before)
    og_ir_insert_before(f, record, before);
  f->insts.items[record].location = f->insts.items[origin].location;
  uint32_t place = origin < f->places.count ? f->places.items[origin] : 0;
  while (origin < f->places.count && f->places.count <= record)
    *OG_PUSH(o->m->arena, &f->places) = place;
  return record;
}

static struct og_ir_global *called(const struct og_ir_module *m, const struct og_ir_function *f,
                                         const struct og_ir_inst *call) {
  og_ir_ref callee = og_ir_operand(f, call, 0);
  for (unsigned depth = 0; depth < 16 && og_ir_space(callee) == OG_IR_CONSTANT; depth++) {
    const struct og_ir_constant *k = og_ir_constant_of(m, callee);
    if (k->kind != OG_IR_C_GLOBAL)
      return NULL;
    struct og_ir_global *g = &m->globals.items[k->value];
    if (g->kind != OG_IR_ALIAS)
      return g;
    callee = g->value;
  }
  return NULL;
}

const struct og_ir_global *cc_callee(const struct og_ir_module *m, const struct og_ir_function *f,
                                     const struct og_ir_inst *call) {
  const struct og_ir_global *g = called(m, f, call);
  return g && g->function && g->function->blocks.count ? g : NULL;
}

struct og_text cc_callee_name(const struct og_ir_module *m, const struct og_ir_function *f,
                              const struct og_ir_inst *call) {
  const struct og_ir_global *g = called(m, f, call);
  return g ? m->names.items[g->name] : (struct og_text){0};
}

/* Beginnings of the names of intrinsics that only compute. Those that look at one lane alone may also run where they
 * did not run before. */
static bool only_computes(struct og_text name) {
  static const char *const pure[] = {"llvm.fma",
                                     "llvm.fabs",
                                     "llvm.sqrt",
                                     "llvm.min",
                                     "llvm.max",
                                     "llvm.smin",
                                     "llvm.smax",
                                     "llvm.umin",
                                     "llvm.umax",
                                     "llvm.rint",
                                     "llvm.round",
                                     "llvm.nearbyint",
                                     "llvm.trunc",
                                     "llvm.floor",
                                     "llvm.ceil",
                                     "llvm.ldexp",
                                     "llvm.frexp",
                                     "llvm.copysign",
                                     "llvm.canonicalize",
                                     "llvm.exp",
                                     "llvm.log",
                                     "llvm.sin",
                                     "llvm.cos",
                                     "llvm.pow",
                                     "llvm.fsh",
                                     "llvm.ct",
                                     "llvm.bswap",
                                     "llvm.bitreverse",
                                     "llvm.abs.",
                                     "llvm.uadd.",
                                     "llvm.usub.",
                                     "llvm.sadd.",
                                     "llvm.ssub.",
                                     "llvm.umul.",
                                     "llvm.smul.",
                                     "llvm.is.fpclass",
                                     "llvm.is.constant",
                                     "llvm.objectsize",
                                     "llvm.expect",
                                     "llvm.vector.reduce",
                                     "llvm.amdgcn.workitem.id",
                                     "llvm.amdgcn.workgroup.id",
                                     "llvm.amdgcn.implicitarg.ptr",
                                     "llvm.amdgcn.dispatch.ptr",
                                     "llvm.amdgcn.kernarg.segment.ptr",
                                     "llvm.amdgcn.queue.ptr",
                                     "llvm.amdgcn.dispatch.id",
                                     "llvm.amdgcn.class",
                                     "llvm.amdgcn.frexp",
                                     "llvm.amdgcn.rcp",
                                     "llvm.amdgcn.rsq",
                                     "llvm.amdgcn.sqrt",
                                     "llvm.amdgcn.fract",
                                     "llvm.amdgcn.trig",
                                     "llvm.amdgcn.mul",
                                     "llvm.amdgcn.ubfe",
                                     "llvm.amdgcn.sbfe",
                                     "llvm.amdgcn.fmed3",
                                     "llvm.amdgcn.div.",
                                     "llvm.amdgcn.exp2",
                                     "llvm.amdgcn.log",
                                     "llvm.amdgcn.sin",
                                     "llvm.amdgcn.cos",
                                     "llvm.amdgcn.ldexp",
                                     "llvm.amdgcn.cvt",
                                     "llvm.amdgcn.wavefrontsize",
                                     "llvm.amdgcn.is.shared",
                                     "llvm.amdgcn.is.private",
                                     "llvm.amdgcn.perm.pk16.",
                                     "llvm.amdgcn.add.m",
                                     "llvm.amdgcn.pk.add.m",
                                     "llvm.amdgcn.ashr.pk.",
                                     "llvm.amdgcn.bitop3.",
                                     "llvm.amdgcn.dot4.",
                                     "llvm.amdgcn.fdot2",
                                     "llvm.amdgcn.sdot",
                                     "llvm.amdgcn.udot",
                                     "llvm.amdgcn.sudot",
                                     "llvm.amdgcn.fma.legacy",
                                     "llvm.amdgcn.fmul.legacy",
                                     "llvm.amdgcn.sat.pk4.",
                                     "llvm.amdgcn.qsad.",
                                     "llvm.amdgcn.mqsad.",
                                     "llvm.amdgcn.sffbh",
                                     "llvm.amdgcn.tanh",
                                     "llvm.amdgcn.cube",
                                     "llvm.amdgcn.alignb",
                                     "llvm.amdgcn.sad",
                                     "llvm.amdgcn.msad",
                                     "llvm.amdgcn.lerp",
                                     "llvm.amdgcn.mbcnt",
                                     "llvm.amdgcn.groupstaticsize",
                                     "llvm.amdgcn.make.buffer.rsrc",
                                     "llvm.amdgcn.s.buffer.load",
                                     "llvm.amdgcn.addrspacecast.nonnull.",
                                     "llvm.amdgcn.lds.kernel.id",
                                     "llvm.amdgcn.dead.",
                                     "llvm.amdgcn.wave.id",
                                     "llvm.amdgcn.cluster.id.",
                                     "llvm.amdgcn.cluster.workgroup."};
  for (unsigned k = 0; k < OG_COUNT(pure); k++) {
    struct og_text rest = name;
    if (og_text_skip(&rest, pure[k]))
      return true;
  }
  return og_text_is(name, "llvm.amdgcn.perm"); /* permlane reads other lanes: it must not run with others on */
}

/* The same for a call; looked up once for each callee. */
static bool call_computes(const struct og_ir_module *m, const struct og_ir_function *f, const struct og_ir_inst *call) {
  struct og_ir_global *g = called(m, f, call);
  if (g && !g->calls)
    g->calls = only_computes(m->names.items[g->name]) ? 2 : 1;
  return g && g->calls == 2;
}

static bool computes(const struct og_ir_module *m, const struct og_ir_function *f, const struct og_ir_inst *i) {
  switch (og_ir_opcodes[i->opcode].shape) {
  case OG_IR_SHAPE_UNARY_FLOAT:
  case OG_IR_SHAPE_BINARY_INT:
  case OG_IR_SHAPE_BINARY_FLOAT:
  case OG_IR_SHAPE_EXTRACTELEMENT:
  case OG_IR_SHAPE_INSERTELEMENT:
  case OG_IR_SHAPE_SHUFFLEVECTOR:
  case OG_IR_SHAPE_EXTRACTVALUE:
  case OG_IR_SHAPE_INSERTVALUE:
  case OG_IR_SHAPE_GETELEMENTPTR:
  case OG_IR_SHAPE_CAST:
  case OG_IR_SHAPE_ICMP:
  case OG_IR_SHAPE_FCMP:
  case OG_IR_SHAPE_SELECT:
  case OG_IR_SHAPE_FREEZE: return true;
  case OG_IR_SHAPE_CALL: return call_computes(m, f, i);
  default: return false;
  }
}

bool cc_has_effects(const struct og_ir_module *m, const struct og_ir_function *f, const struct og_ir_inst *i) {
  if (i->opcode == OG_IR_PHI || i->opcode == OG_IR_ALLOCA)
    return false;
  if (i->opcode == OG_IR_LOAD)
    return i->flags & (OG_IR_F_ATOMIC | OG_IR_F_VOLATILE);
  return !computes(m, f, i);
}

/* An integer division may also run where its divisor is zero: the code made of it does not trap. */
bool cc_may_move(const struct og_ir_module *m, const struct og_ir_function *f, const struct og_ir_inst *i) {
  return computes(m, f, i) && i->opcode != OG_IR_FREEZE;
}

bool cc_is_real_call(const struct og_ir_module *m, const struct og_ir_function *f, const struct og_ir_inst *i) {
  if (i->opcode != OG_IR_CALL)
    return false;
  og_ir_ref callee = og_ir_operand(f, i, 0);
  if (og_ir_space(callee) == OG_IR_CONSTANT && og_ir_constant_of(m, callee)->kind == OG_IR_C_ASSEMBLER)
    return false;
  return cc_callee(m, f, i) || !called(m, f, i);
}

og_ir_ref cc_declare(struct cc_opt *o, struct og_text name, og_ir_type result, const og_ir_type *types,
                     uint32_t count) {
  struct og_ir_module *m = o->m;
  for (uint32_t n = 0; n < m->functions.count; n++) {
    const struct og_ir_global *g = &m->globals.items[m->functions.items[n]];
    if (og_text_equal(m->names.items[g->name], name))
      return g->self;
  }
  og_ir_ref self =
      og_ir_new_global(m, og_ir_name(m, (struct og_text){og_arena_copy(m->arena, name.data, name.size), name.size}), 0);
  struct og_ir_global *g = &m->globals.items[m->globals.count - 1];
  g->kind = OG_IR_DEFINITION;
  g->type = og_ir_function_type(m, result, types, count, false);
  g->function = og_ir_new_function(m);
  g->function->arguments = count;
  for (uint32_t k = 0; k < count; k++)
    og_ir_append(m, g->function, UINT32_MAX, OG_IR_ARGUMENT, types[k], 0);
  *OG_PUSH(m->arena, &m->functions) = m->globals.count - 1;
  return self;
}

uint32_t cc_insert_call(struct cc_opt *o, uint32_t block, uint32_t before, const char *name, og_ir_type result,
                        const og_ir_ref *arguments, uint32_t count, uint32_t origin) {
  enum { MOST = 8 };
  og_ir_type types[MOST];
  for (uint32_t k = 0; k < count; k++)
    types[k] = og_ir_type_of_ref(o->m, o->f, arguments[k]);
  og_ir_ref callee = cc_declare(o, og_text(name), result, types, count);
  uint32_t call = cc_insert(o, block, before, OG_IR_CALL, result, 1 + count, origin);
  o->f->insts.items[call].extra = o->f->calls.count;
  *OG_PUSH(o->m->arena, &o->f->calls) = (struct og_ir_call){
      .function_type = og_ir_function_type(o->m, result, types, count, false), .arguments = count};
  cc_set(o->f, call, 0, callee);
  for (uint32_t k = 0; k < count; k++)
    cc_set(o->f, call, 1 + k, arguments[k]);
  return call;
}

uint32_t cc_insert_room(struct cc_opt *o, og_ir_type type, uint64_t align) {
  enum { PRIVATE = 5 };
  uint32_t first = o->f->blocks.items[0].first;
  uint32_t room = og_ir_append(o->m, o->f, first ? UINT32_MAX : 0, OG_IR_ALLOCA, og_ir_pointer(o->m, PRIVATE), 0);
  if (first)
    og_ir_insert_before(o->f, room, first);
  o->f->insts.items[room].extra = type, o->f->insts.items[room].sub = (uint8_t)(1 + __builtin_ctzll(align));
  uint32_t place = first < o->f->places.count ? o->f->places.items[first] : 0;
  while (o->f->places.count && o->f->places.count <= room)
    *OG_PUSH(o->m->arena, &o->f->places) = place;
  return room;
}

uint32_t cc_split_block(struct cc_opt *o, uint32_t at) {
  struct og_ir_function *f = o->f;
  uint32_t old = f->insts.items[at].block, next = f->insts.items[at].next, new = og_ir_add_block(o->m, f, 0);
  struct og_ir_block *a = &f->blocks.items[old], *b = &f->blocks.items[new];
  b->first = next, b->last = a->last, a->last = at;
  f->insts.items[at].next = 0, f->insts.items[next].previous = 0;
  for (uint32_t i = b->first; i; i = f->insts.items[i].next)
    f->insts.items[i].block = new;
  const struct og_ir_inst *last = &f->insts.items[b->last];
  for (uint32_t n = 0; n < last->operands; n++) { /* phis in later blocks now get their values from the new block */
    og_ir_ref to = og_ir_operand(f, last, n);
    if (og_ir_space(to) != OG_IR_BLOCK)
      continue;
    for (uint32_t i = f->blocks.items[og_ir_index(to)].first; i && f->insts.items[i].opcode == OG_IR_PHI;
         i = f->insts.items[i].next)
      for (uint32_t k = 1; k < f->insts.items[i].operands; k += 2)
        if (og_ir_operand(f, &f->insts.items[i], k) == (OG_IR_BLOCK | old))
          cc_set(f, i, k, OG_IR_BLOCK | new);
  }
  return new;
}

uint32_t cc_go(struct cc_opt *o, uint32_t from, uint32_t to, uint32_t origin) {
  uint32_t br = cc_insert(o, from, 0, OG_IR_BR, OG_IR_VOID, 1, origin);
  cc_set(o->f, br, 0, OG_IR_BLOCK | to);
  return br;
}

void cc_go_if(struct cc_opt *o, uint32_t from, og_ir_ref condition, uint32_t to, uint32_t otherwise, uint32_t origin) {
  uint32_t br = cc_insert(o, from, 0, OG_IR_BR, OG_IR_VOID, 3, origin);
  cc_set(o->f, br, 0, condition), cc_set(o->f, br, 1, OG_IR_BLOCK | to), cc_set(o->f, br, 2, OG_IR_BLOCK | otherwise);
}

uint32_t cc_attachment(const struct og_ir_module *m, uint32_t attachments, const char *kind) {
  for (uint32_t a = 0; attachments && a < m->pool.items[attachments]; a++) {
    const uint32_t *pair = &m->pool.items[attachments + 1 + 2 * a];
    if (og_text_is(m->kinds.items[pair[0]], kind))
      return pair[1];
  }
  return UINT32_MAX;
}

const char *cc_type_name(const struct og_ir_module *m, og_ir_type type) {
  const struct og_ir_type_record *t = og_ir_type_of(m, type);
  unsigned bits = cc_bits(m, og_ir_scalar(m, type));
  switch (t->kind) {
  case OG_IR_VECTOR:
    return og_arena_printf(m->arena, "v%u%s", (unsigned)t->count, cc_type_name(m, og_ir_scalar(m, type)));
  case OG_IR_POINTER: return og_arena_printf(m->arena, "p%u", (unsigned)t->count);
  case OG_IR_BFLOAT: return "bf16";
  default: return og_arena_printf(m->arena, "%c%u", og_ir_is_float(m, type) ? 'f' : 'i', bits);
  }
}
