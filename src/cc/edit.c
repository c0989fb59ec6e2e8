/* edit.c - what passes over the IR share: new instructions, what a call names, what may go or move. */
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

og_ir_ref cc_now(const og_ir_ref *with, og_ir_ref ref) {
  while (og_ir_space(ref) == OG_IR_LOCAL && with[og_ir_index(ref)])
    ref = with[og_ir_index(ref)];
  return ref;
}

static const struct og_ir_global *called(const struct og_ir_module *m, const struct og_ir_function *f,
                                         const struct og_ir_inst *call) {
  og_ir_ref callee = og_ir_operand(f, call, 0);
  for (unsigned depth = 0; depth < 16 && og_ir_space(callee) == OG_IR_CONSTANT; depth++) {
    const struct og_ir_constant *k = og_ir_constant_of(m, callee);
    if (k->kind != OG_IR_C_GLOBAL)
      return NULL;
    const struct og_ir_global *g = &m->globals.items[k->value];
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

/* Intrinsics that only compute, by how their names begin; those of one lane may also run where they did not. */
static bool only_computes(struct og_text name) {
  static const char *const pure[] = {
      "llvm.fma", "llvm.fabs", "llvm.sqrt", "llvm.min", "llvm.max", "llvm.smin", "llvm.smax", "llvm.umin", "llvm.umax",
      "llvm.rint", "llvm.round", "llvm.nearbyint", "llvm.trunc", "llvm.floor", "llvm.ceil", "llvm.ldexp", "llvm.frexp",
      "llvm.copysign", "llvm.canonicalize", "llvm.exp", "llvm.log", "llvm.sin", "llvm.cos", "llvm.pow", "llvm.fsh",
      "llvm.ct", "llvm.bswap", "llvm.bitreverse", "llvm.abs.", "llvm.uadd.", "llvm.usub.", "llvm.sadd.", "llvm.ssub.",
      "llvm.umul.", "llvm.smul.", "llvm.is.fpclass", "llvm.is.constant", "llvm.objectsize", "llvm.expect",
      "llvm.vector.reduce", "llvm.amdgcn.workitem.id", "llvm.amdgcn.workgroup.id", "llvm.amdgcn.implicitarg.ptr",
      "llvm.amdgcn.dispatch.ptr", "llvm.amdgcn.kernarg.segment.ptr", "llvm.amdgcn.queue.ptr",
      "llvm.amdgcn.dispatch.id", "llvm.amdgcn.class", "llvm.amdgcn.frexp", "llvm.amdgcn.rcp", "llvm.amdgcn.rsq",
      "llvm.amdgcn.sqrt", "llvm.amdgcn.fract", "llvm.amdgcn.trig", "llvm.amdgcn.mul", "llvm.amdgcn.ubfe",
      "llvm.amdgcn.sbfe", "llvm.amdgcn.fmed3", "llvm.amdgcn.div.", "llvm.amdgcn.exp2", "llvm.amdgcn.log",
      "llvm.amdgcn.sin", "llvm.amdgcn.cos", "llvm.amdgcn.ldexp", "llvm.amdgcn.cvt", "llvm.amdgcn.wavefrontsize",
      "llvm.amdgcn.is.shared", "llvm.amdgcn.is.private", "llvm.amdgcn.perm", "llvm.amdgcn.alignb", "llvm.amdgcn.sad",
      "llvm.amdgcn.msad", "llvm.amdgcn.lerp", "llvm.amdgcn.mbcnt", "llvm.amdgcn.groupstaticsize"};
  for (unsigned k = 0; k < OG_COUNT(pure); k++) {
    struct og_text rest = name;
    if (og_text_skip(&rest, pure[k]))
      return true;
  }
  return false;
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
  case OG_IR_SHAPE_CALL: return only_computes(cc_callee_name(m, f, i));
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

/* Integer divisions by what may be zero may run: the code that is made of them has no traps. */
bool cc_may_move(const struct og_ir_module *m, const struct og_ir_function *f, const struct og_ir_inst *i) {
  return computes(m, f, i) && i->opcode != OG_IR_FREEZE;
}
