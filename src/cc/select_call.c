/* select_call.c - calls of intrinsics: those that are one instruction of intrinsics.def, and those that take
 * several. */
#include "cc/assembly.h"
#include "cc/buffer.h"
#include "cc/calls.h"
#include "cc/opt.h"

#include <string.h>

enum { I, H, F, D, X };
static const struct {
  const char *name;
  uint8_t type, operands;
  uint16_t row;
} simple[] = {
#define SIMPLE(name, type, operands, row) {name, type, operands, OG_ROW_##row},
#include "cc/intrinsics.def"
};

struct og_text cc_called(const struct cc_function *c, const struct og_ir_inst *call) {
  og_ir_ref callee = og_ir_operand(c->f, call, 0);
  if (og_ir_space(callee) != OG_IR_CONSTANT || og_ir_constant_of(c->m, callee)->kind != OG_IR_C_GLOBAL)
    return (struct og_text){0};
  return c->m->names.items[c->m->globals.items[og_ir_constant_of(c->m, callee)->value].name];
}

static bool begins(struct og_text text, const char *prefix) { return og_text_skip(&text, prefix); }

bool cc_intrinsic_is_scalar(const struct cc_function *c, const struct og_ir_inst *call) {
  struct og_text name = cc_called(c, call);
  if (!name.size)
    return cc_is_scalar_assembly(c, call);
  return begins(name, "llvm.amdgcn.ballot.") || begins(name, "llvm.amdgcn.readlane.") ||
         begins(name, "llvm.read_register.") || og_text_is(name, "llvm.readcyclecounter") ||
         begins(name, "llvm.amdgcn.workgroup.id") || og_text_is(name, "llvm.amdgcn.implicitarg.ptr") ||
         og_text_is(name, "llvm.amdgcn.dispatch.ptr") || og_text_is(name, "llvm.amdgcn.queue.ptr") ||
         og_text_is(name, "llvm.amdgcn.kernarg.segment.ptr") || og_text_is(name, "llvm.amdgcn.dispatch.id") ||
         begins(name, "llvm.amdgcn.readfirstlane.") || begins(name, "llvm.amdgcn.s.bitreplicate") ||
         begins(name, "llvm.amdgcn.s.quadmask.") || begins(name, "llvm.amdgcn.s.wqm.") ||
         begins(name, "llvm.stacksave.") || cc_passes_on(name) || cc_follows_arguments(c, call) ||
         cc_is_scalar_wave(c, name);
}

struct call {
  struct cc_function *c;
  uint32_t record;
  const struct og_ir_inst *i;
  struct og_text name;
};

static og_ir_ref argument(const struct call *k, uint32_t index) { return og_ir_operand(k->c->f, k->i, 1 + index); }

static bool define(const struct call *k, operand o) {
  operand parts[2] = {cc_part_of(o, 0, 1), cc_part_of(o, 1, 1)};
  cc_define(k->c, k->record, parts, o.dwords);
  return true;
}

static bool input(const struct call *k, unsigned input) {
  if (k->c->inputs[input].kind == CC_NONE)
    return cc_refuse(k->c, "an input of the kernel that it does not get");
  if (input >= OG_INPUT_WORKGROUP_ID_X && input <= OG_INPUT_WORKGROUP_ID_Z)
    return define(k, cc_work_group_id(k->c, input - OG_INPUT_WORKGROUP_ID_X));
  operand o = k->c->inputs[input];
  const struct og_input_place *p = &k->c->state.inputs[input];
  if (o.kind == CC_TTMP && p->bits == 32) { /* moved to a register that may hold values */
    operand to = cc_temp(k->c, CC_S, 1);
    cc_move(k->c, to, o);
    o = to;
  }
  if (p->file == OG_FILE_VGPR && p->bits == 32)
    cc_narrow(k->c, o, 10); /* ids of work-items: a work-group has at most 1024 */
  if (p->bits < 32)
    o = p->file == OG_FILE_VGPR ? VALU(k->c, V_BFE_U32, 1, o, cc_constant(p->bit), cc_constant(p->bits))
                                : SALU(k->c, S_BFE_U32, 1, o, cc_constant(p->bit | (uint32_t)p->bits << 16));
  return define(k, o);
}

/* Funnel shifts, which shift two registers as one: fshl and fshr of 32 bits, or of fewer in one register. */
static bool funnel(const struct call *k, bool left) {
  struct cc_function *c = k->c;
  unsigned bits = cc_bits(c->m, k->i->type);
  operand a = cc_part(c, argument(k, 0), 0), b = cc_part(c, argument(k, 1), 0), by = cc_part(c, argument(k, 2), 0);
  if (og_ir_is_vector(c->m, k->i->type) || bits > 32)
    return false;
  if (bits == 32) {
    if (!left)
      return define(k, VALU(c, V_ALIGNBIT_B32, 1, a, b, by));
    if (by.kind == CC_CONST)
      return define(k, by.value % 32 == 0 ? a : VALU(c, V_ALIGNBIT_B32, 1, a, b, cc_constant(32 - by.value % 32)));
    operand back = VALU(c, V_NOT_B32, 1, by), high = cc_shift(c, CC_V, OG_IR_LSHR, a, cc_constant(1));
    return define(k, VALU(c, V_ALIGNBIT_B32, 1, high, VALU(c, V_ALIGNBIT_B32, 1, a, b, cc_constant(1)), back));
  }
  if (bits & (bits - 1))
    return false;
  operand amount = VALU(c, V_AND_B32, 1, cc_constant(bits - 1), by);
  operand both =
      VALU(c, V_OR_B32, 1, cc_shift(c, CC_V, OG_IR_SHL, a, cc_constant(bits)), cc_extend(c, CC_V, b, bits, false));
  if (left)
    return define(k, cc_shift(c, CC_V, OG_IR_LSHR, cc_shift(c, CC_V, OG_IR_SHL, both, amount), cc_constant(bits)));
  return define(k, cc_shift(c, CC_V, OG_IR_LSHR, both, amount));
}

static bool count_bits(const struct call *k) {
  struct cc_function *c = k->c;
  unsigned bits = cc_bits(c->m, k->i->type);
  og_ir_ref x = argument(k, 0);
  if (og_ir_is_vector(c->m, k->i->type) || bits > 64)
    return false;
  operand low = cc_extend(c, CC_V, cc_part(c, x, 0), bits, false), high = bits > 32 ? cc_part(c, x, 1) : cc_constant(0),
          o;
  if (begins(k->name, "llvm.ctpop")) {
    o = VALU(c, V_BCNT_U32_B32, 1, low, cc_constant(0));
    if (bits > 32)
      o = VALU(c, V_BCNT_U32_B32, 1, high, o);
  } else if (begins(k->name, "llvm.ctlz")) { /* all ones if no bit is set: so the minimum with the width */
    o = VALU(c, V_FFBH_U32, 1, low);
    if (bits > 32) {
      operand top = VALU(c, V_FFBH_U32, 1, high);
      operand below = VALU(c, V_MIN_U32, 1, cc_constant(32), o);
      o = VALU(c, V_MIN_U32, 1, top, cc_add(c, CC_V, cc_constant(32), below));
    } else {
      o = VALU(c, V_MIN_U32, 1, cc_constant(32), o);
      if (bits < 32)
        o = cc_sub(c, CC_V, o, cc_constant(32 - bits));
    }
  } else {
    o = VALU(c, V_MIN_U32, 1, cc_constant(OG_MIN(bits, 32u)), VALU(c, V_FFBL_B32, 1, low));
    if (bits > 32) {
      operand top = VALU(c, V_MIN_U32, 1, cc_constant(32), VALU(c, V_FFBL_B32, 1, high));
      o = cc_choose(c, cc_compare(c, OG_ROW_V_CMP_NE_U32, cc_constant(32), o), o,
                    cc_add(c, CC_V, cc_constant(32), top));
    }
  }
  operand parts[2] = {o, cc_constant(0)};
  cc_define(c, k->record, parts, bits > 32 ? 2 : 1);
  return true;
}

/* Minimum and maximum of any integers, by comparing. */
static bool extremum(const struct call *k) {
  struct cc_function *c = k->c;
  bool is_signed = begins(k->name, "llvm.s"), most = begins(k->name, "llvm.smax") || begins(k->name, "llvm.umax");
  og_ir_type scalar = og_ir_scalar(c->m, k->i->type);
  unsigned bits = cc_bits(c->m, scalar);
  uint32_t count = cc_parts(c->m, k->i->type);
  operand *out = OG_NEW_ARRAY(c->arena, operand, count + 1);
  if (bits > 64)
    return false;
  for (uint32_t p = 0; p<count; p += bits> 32 ? 2 : 1) {
    og_ir_ref x = argument(k, 0), y = argument(k, 1);
    unsigned short_row = is_signed ? (most ? OG_ROW_V_MAX_I16 : OG_ROW_V_MIN_I16)
                                   : (most ? OG_ROW_V_MAX_U16 : OG_ROW_V_MIN_U16);
    if (bits == 16 && cc_has_row(c, short_row)) {
      out[p] = cc_valu(c, short_row, 1, 2, (operand[]){cc_part(c, x, p), cc_part(c, y, p)});
      if (cc_has_short(c, bits))
        cc_narrow(c, out[p], 16);
      continue;
    }
    if (bits <= 32) {
      operand a = cc_extend(c, CC_V, cc_part(c, x, p), bits, is_signed),
              b = cc_extend(c, CC_V, cc_part(c, y, p), bits, is_signed);
      out[p] = cc_valu(
          c, is_signed ? (most ? OG_ROW_V_MAX_I32 : OG_ROW_V_MIN_I32) : (most ? OG_ROW_V_MAX_U32 : OG_ROW_V_MIN_U32), 1,
          2, (operand[]){a, b});
      continue;
    }
    operand m = cc_compare(c,
                           is_signed ? (most ? OG_ROW_V_CMP_GT_I64 : OG_ROW_V_CMP_LT_I64)
                                     : (most ? OG_ROW_V_CMP_GT_U64 : OG_ROW_V_CMP_LT_U64),
                           cc_pair(c, x, p, -1), cc_pair(c, y, p, -1));
    for (uint32_t h = 0; h < 2; h++)
      out[p + h] = cc_choose(c, m, cc_part(c, x, p + h), cc_part(c, y, p + h));
  }
  cc_define(c, k->record, out, count);
  return true;
}

/* Sums and differences that saturate: up to 16 bits are computed in 32; 32 and 64 bits overflow by comparison. */
static bool saturate(const struct call *k) {
  struct cc_function *c = k->c;
  bool is_signed = begins(k->name, "llvm.s"), add = begins(k->name, "llvm.sadd") || begins(k->name, "llvm.uadd");
  unsigned bits = cc_bits(c->m, k->i->type), count = bits > 32 ? 2 : 1;
  operand a[2], b[2], out[2], all = cc_constant(UINT32_MAX), zero = cc_constant(0);
  if (og_ir_is_vector(c->m, k->i->type) || bits > 64 || (bits > 16 && bits % 32))
    return false;
  for (unsigned p = 0; p < count; p++)
    a[p] = cc_in_vector(c, cc_part(c, argument(k, 0), p)), b[p] = cc_in_vector(c, cc_part(c, argument(k, 1), p));
  if (bits <= 16) {
    uint32_t top = is_signed ? (1u << (bits - 1)) - 1 : (1u << bits) - 1, bottom = is_signed ? ~top : 0;
    a[0] = cc_extend(c, CC_V, a[0], bits, is_signed), b[0] = cc_extend(c, CC_V, b[0], bits, is_signed);
    operand o = add ? cc_add(c, CC_V, a[0], b[0]) : cc_sub(c, CC_V, a[0], b[0]);
    return define(k, VALU(c, V_MIN_I32, 1, cc_constant(top), VALU(c, V_MAX_I32, 1, cc_constant(bottom), o)));
  }
  operand sum = cc_add64(c, CC_V, (operand[]){a[0], count == 2 ? a[1] : zero},
                         (operand[]){b[0], count == 2 ? b[1] : zero}, !add);
  operand o[2] = {cc_part_of(sum, 0, 1), cc_part_of(sum, 1, 1)}, beyond, limit[2];
  operand x = count == 2 ? cc_tuple(c, a, 2, CC_V) : a[0], r = count == 2 ? sum : o[0];
  if (!is_signed) { /* a sum is less than its first term, or a difference more */
    unsigned row = count == 2 ? (add ? OG_ROW_V_CMP_LT_U64 : OG_ROW_V_CMP_GT_U64)
                              : (add ? OG_ROW_V_CMP_LT_U32 : OG_ROW_V_CMP_GT_U32);
    beyond = cc_compare(c, row, r, x);
    limit[0] = limit[1] = add ? all : zero;
  } else { /* its sign is wrong: of a sum by (a ^ r) & (b ^ r), of a difference by (a ^ b) & (a ^ r) */
    operand top = o[count - 1], other = VALU(c, V_XOR_B32, 1, a[count - 1], top);
    operand one = VALU(c, V_XOR_B32, 1, b[count - 1], add ? top : a[count - 1]);
    beyond = cc_compare(c, OG_ROW_V_CMP_GT_I32, zero, VALU(c, V_AND_B32, 1, one, other));
    operand sign = cc_shift(c, CC_V, OG_IR_ASHR, top, cc_constant(31)); /* the wrong sign: the limit has the other */
    limit[0] = count == 2 ? sign : VALU(c, V_XOR_B32, 1, cc_constant(0x80000000), sign);
    limit[1] = VALU(c, V_XOR_B32, 1, cc_constant(0x80000000), sign);
  }
  for (unsigned p = 0; p < count; p++)
    out[p] = cc_choose(c, beyond, limit[p], o[p]);
  cc_define(c, k->record, out, count);
  return true;
}

/* |x| of floats, and a float with the sign of another. */
static bool signs(const struct call *k) {
  struct cc_function *c = k->c;
  unsigned bits = cc_bits(c->m, og_ir_scalar(c->m, k->i->type));
  uint32_t count = cc_parts(c->m, k->i->type), sign = bits == 16 ? 0x8000 : 0x80000000;
  operand *out = OG_NEW_ARRAY(c->arena, operand, count + 1);
  for (uint32_t p = 0; p < count; p++) {
    out[p] = cc_part(c, argument(k, 0), p);
    if (bits == 64 && p % 2 == 0)
      continue;
    if (begins(k->name, "llvm.fabs"))
      out[p] = VALU(c, V_AND_B32, 1, cc_constant(sign - 1), out[p]);
    else
      out[p] = VALU(c, V_BFI_B32, 1, cc_in_vector(c, cc_constant(sign - 1)), out[p], cc_part(c, argument(k, 1), p));
  }
  cc_define(c, k->record, out, count);
  return true;
}

/* Whether it is a rounding of doubles, which gfx6 does by other instructions (cc_round_double()). */
static bool rounds(unsigned row) {
  return row == OG_ROW_V_RNDNE_F64 || row == OG_ROW_V_TRUNC_F64 || row == OG_ROW_V_FLOOR_F64 ||
         row == OG_ROW_V_CEIL_F64;
}

static bool one_instruction(const struct call *k, unsigned which) {
  struct cc_function *c = k->c;
  operand sources[3];
  if (rounds(simple[which].row))
    return define(k, cc_round_double(c, simple[which].row, cc_pair(c, argument(k, 0), 0, CC_V)));
  if (!cc_has_row(c, simple[which].row) || k->i->operands < 1u + simple[which].operands)
    return false;
  for (unsigned a = 0; a < simple[which].operands; a++)
    sources[a] = cc_parts(c->m, cc_type_of(c, argument(k, a))) == 2 ? cc_pair(c, argument(k, a), 0, CC_V)
                                                                    : cc_part(c, argument(k, a), 0);
  if (simple[which].type == X) {
    operand both = cc_valu(c, simple[which].row, 1, simple[which].operands, sources);
    operand parts[2] = {both, cc_shift(c, CC_V, OG_IR_LSHR, both, cc_constant(16))};
    cc_define(c, k->record, parts, 2);
    return true;
  }
  return define(k, cc_valu(c, simple[which].row, cc_parts(c->m, k->i->type), simple[which].operands, sources));
}

/* Operations on halves are done as floats if the processor has no instructions for halves. */
static bool promoted(const struct call *k) {
  struct cc_function *c = k->c;
  char name[64];
  operand sources[3];
  bool bfloat = og_ir_kind(c->m, k->i->type) == OG_IR_BFLOAT;
  size_t size = k->name.size - bfloat;
  if (k->name.size < 5 || k->name.size >= sizeof name || !cc_is_promoted(c, k->i->type) ||
      memcmp(k->name.data + k->name.size - 3, "f16", 3) != 0)
    return false;
  memcpy(name, k->name.data, size);
  memcpy(name + size - 3, "f32", 3);
  for (unsigned i = 0; i < OG_COUNT(simple); i++) {
    if (!og_text_is((struct og_text){name, size}, simple[i].name) || k->i->operands != 1u + simple[i].operands ||
        !cc_has_row(c, simple[i].row) || simple[i].type != F)
      continue;
    for (unsigned a = 0; a < simple[i].operands; a++)
      sources[a] = cc_to_float(c, k->i->type, cc_part(c, argument(k, a), 0));
    return define(k, cc_from_float(c, k->i->type, cc_valu(c, simple[i].row, 1, simple[i].operands, sources)));
  }
  return false;
}

static bool is_class(const struct call *k) {
  struct cc_function *c = k->c;
  og_ir_ref x = argument(k, 0);
  unsigned bits = cc_bits(c->m, cc_type_of(c, x));
  unsigned row = bits == 64 ? OG_ROW_V_CMP_CLASS_F64 : bits == 32 ? OG_ROW_V_CMP_CLASS_F32 : OG_ROW_V_CMP_CLASS_F16;
  operand value = bits == 64 ? cc_pair(c, x, 0, CC_V) : cc_in_vector(c, cc_part(c, x, 0));
  if (og_ir_kind(c->m, cc_type_of(c, x)) == OG_IR_BFLOAT) /* a float's upper half: its class */
    row = OG_ROW_V_CMP_CLASS_F32, value = cc_shift(c, CC_V, OG_IR_SHL, value, cc_constant(16));
  cc_define_mask(c, k->record, cc_compare(c, row, value, cc_in_vector(c, cc_part(c, argument(k, 1), 0))));
  return true;
}

/* NaNs become quiet, and denormals as the mode says, as any operation does with its sources. */
static bool canonicalize(const struct call *k) {
  struct cc_function *c = k->c;
  og_ir_ref x = argument(k, 0);
  unsigned bits = cc_bits(c->m, k->i->type);
  if (bits == 64) {
    operand o = cc_pair(c, x, 0, CC_V);
    return define(k, cc_valu(c, cc_has_row(c, OG_ROW_V_MAX_F64) ? OG_ROW_V_MAX_F64 : OG_ROW_V_MAX_NUM_F64, 2, 2,
                             (operand[]){o, o}));
  }
  operand o = cc_in_vector(c, cc_part(c, x, 0));
  if (og_ir_kind(c->m, k->i->type) == OG_IR_BFLOAT)
    return define(
        k, cc_from_float(c, k->i->type, VALU(c, V_MUL_F32, 1, cc_constant(0x3f800000), cc_to_float(c, k->i->type, o))));
  return define(k, bits == 16 ? VALU(c, V_MAX_F16, 1, o, o) : VALU(c, V_MUL_F32, 1, cc_constant(0x3f800000), o));
}

/* The line of intrinsics.def for this processor, looked up once for each callee; OG_COUNT(simple): there is none. */
static unsigned simple_of(const struct call *k) {
  struct cc_function *c = k->c;
  uint16_t *known = &c->shop->simple[og_ir_constant_of(c->m, og_ir_operand(c->f, k->i, 0))->value];
  unsigned i = *known ? *known - 1u : 0;
  while (!*known && i < OG_COUNT(simple) &&
         (!og_text_is(k->name, simple[i].name) || (!cc_has_row(c, simple[i].row) && !rounds(simple[i].row))))
    i++;
  *known = (uint16_t)(1 + i);
  return i;
}

static bool known(const struct call *k) {
  struct cc_function *c = k->c;
  struct og_text name = k->name;
  unsigned line = simple_of(k);
  if (line < OG_COUNT(simple))
    return one_instruction(k, line);
  static const struct {
    const char *name;
    uint8_t input;
  } inputs[] = {{"llvm.amdgcn.workitem.id.x", OG_INPUT_WORKITEM_ID_X},
                {"llvm.amdgcn.workitem.id.y", OG_INPUT_WORKITEM_ID_Y},
                {"llvm.amdgcn.workitem.id.z", OG_INPUT_WORKITEM_ID_Z},
                {"llvm.amdgcn.workgroup.id.x", OG_INPUT_WORKGROUP_ID_X},
                {"llvm.amdgcn.workgroup.id.y", OG_INPUT_WORKGROUP_ID_Y},
                {"llvm.amdgcn.workgroup.id.z", OG_INPUT_WORKGROUP_ID_Z},
                {"llvm.amdgcn.dispatch.ptr", OG_INPUT_DISPATCH_PTR},
                {"llvm.amdgcn.kernarg.segment.ptr", OG_INPUT_KERNARG_SEGMENT_PTR},
                {"llvm.amdgcn.dispatch.id", OG_INPUT_DISPATCH_ID}};
  for (unsigned i = 0; i < OG_COUNT(inputs); i++)
    if (og_text_is(name, inputs[i].name))
      return input(k, inputs[i].input);
  if (og_text_is(name, "llvm.amdgcn.queue.ptr"))
    return define(k, cc_queue(c));
  if (og_text_is(name, "llvm.amdgcn.implicitarg.ptr")) {
    operand at = cc_implicit_arguments(c);
    return at.kind == CC_NONE ? cc_refuse(c, "implicit arguments that are not there") : define(k, at);
  }
  if (og_text_is(name, "llvm.amdgcn.s.barrier")) {
    cc_emit(c, CC_ROW_WAIT_ALL, 0, 0, NULL);
    if (cc_has_row(c, OG_ROW_S_BARRIER)) {
      cc_emit(c, OG_ROW_S_BARRIER, 0, 0, NULL);
      return true;
    }
    cc_emit(c, OG_ROW_S_BARRIER_SIGNAL, 0, 1, (operand[]){cc_constant(UINT32_MAX)}); /* the work-group's barrier */
    cc_emit(c, OG_ROW_S_BARRIER_WAIT, 0, 1, (operand[]){cc_constant(0xffff)});
    return true;
  }
  if (begins(name, "llvm.lifetime") || begins(name, "llvm.assume") || begins(name, "llvm.dbg.") ||
      begins(name, "llvm.donothing") || begins(name, "llvm.experimental.noalias"))
    return true;
  if (begins(name, "llvm.fshl.") || begins(name, "llvm.fshr."))
    return funnel(k, begins(name, "llvm.fshl."));
  if (begins(name, "llvm.ctpop.") || begins(name, "llvm.ctlz.") || begins(name, "llvm.cttz."))
    return count_bits(k);
  if (begins(name, "llvm.smin.") || begins(name, "llvm.smax.") || begins(name, "llvm.umin.") ||
      begins(name, "llvm.umax."))
    return extremum(k);
  if (begins(name, "llvm.uadd.sat.") || begins(name, "llvm.usub.sat.") || begins(name, "llvm.sadd.sat.") ||
      begins(name, "llvm.ssub.sat."))
    return saturate(k);
  if (begins(name, "llvm.fabs.") || begins(name, "llvm.copysign."))
    return signs(k);
  if (og_text_is(name, "llvm.bswap.i32")) {
    operand x = cc_in_vector(c, cc_part(c, argument(k, 0), 0));
    if (cc_has_row(c, OG_ROW_V_PERM_B32))
      return define(k, VALU(c, V_PERM_B32, 1, x, x, cc_kept(c, CC_S, cc_constant(0x00010203))));
    operand a = VALU(c, V_ALIGNBIT_B32, 1, x, x, cc_constant(8)), b = VALU(c, V_ALIGNBIT_B32, 1, x, x, cc_constant(24));
    return define(k, VALU(c, V_BFI_B32, 1, cc_in_vector(c, cc_constant(0x00ff00ff)), b, a));
  }
  if (begins(name, "llvm.abs.") && !og_ir_is_vector(c->m, k->i->type) && cc_bits(c->m, k->i->type) <= 64) {
    unsigned bits = cc_bits(c->m, k->i->type);
    operand x = cc_extend(c, CC_V, cc_part(c, argument(k, 0), 0), bits, true), zero = cc_constant(0);
    if (bits <= 32)
      return define(k, VALU(c, V_MAX_I32, 1, x, cc_sub(c, CC_V, zero, cc_in_vector(c, x))));
    operand pair = cc_pair(c, argument(k, 0), 0, CC_V), out[2];
    operand minus = cc_add64(c, CC_V, (operand[]){zero, zero},
                             (operand[]){cc_part_of(pair, 0, 1), cc_part_of(pair, 1, 1)}, true);
    operand negative = cc_compare(c, OG_ROW_V_CMP_GT_I32, zero, cc_part_of(pair, 1, 1));
    for (unsigned p = 0; p < 2; p++)
      out[p] = cc_choose(c, negative, cc_part_of(minus, p, 1), cc_part_of(pair, p, 1));
    cc_define(c, k->record, out, 2);
    return true;
  }
  if (begins(name, "llvm.is.fpclass.") || begins(name, "llvm.amdgcn.class."))
    return is_class(k);
  if (begins(name, "llvm.canonicalize."))
    return canonicalize(k);
  if ((og_text_is(name, "llvm.minimum.f32") || og_text_is(name, "llvm.maximum.f32")) && k->i->operands == 3 &&
      cc_has_row(c, OG_ROW_V_MINIMUM3_F32)) {
    operand a = cc_part(c, argument(k, 0), 0), b = cc_part(c, argument(k, 1), 0);
    return define(k, og_text_is(name, "llvm.minimum.f32") ? VALU(c, V_MINIMUM3_F32, 1, a, b, b)
                                                          : VALU(c, V_MAXIMUM3_F32, 1, a, b, b));
  }
  if (og_text_is(name, "llvm.ldexp.f64.i32") || og_text_is(name, "llvm.amdgcn.trig.preop.f64"))
    return define(
        k, cc_valu(c, begins(name, "llvm.ldexp") ? OG_ROW_V_LDEXP_F64 : OG_ROW_V_TRIG_PREOP_F64, 2, 2,
                   (operand[]){cc_pair(c, argument(k, 0), 0, CC_V), cc_in_vector(c, cc_part(c, argument(k, 1), 0))}));
  return false;
}

bool cc_select_call(struct cc_function *c, uint32_t record) {
  struct call k = {c, record, &c->f->insts.items[record], {0}};
  k.name = cc_called(c, k.i);
  if (cc_is_real_call(c->m, c->f, k.i))
    return cc_select_real_call(c, record);
  if (!k.name.size)
    return cc_select_assembly(c, record);
  if (cc_is_matrix(k.name) && cc_select_matrix(c, record, k.name))
    return !c->failed;
  if (cc_select_pair(c, record) || cc_select_whole(c, record, k.name) || known(&k) ||
      (!c->failed && cc_select_wave(c, record, k.name)) || (!c->failed && cc_select_state(c, record, k.name)) ||
      (!c->failed && cc_select_operation(c, record, k.name)) || (!c->failed && cc_select_lanes(c, record, k.name)) ||
      (!c->failed && cc_select_image(c, record, k.name)) || cc_select_stack(c, record, k.name) ||
      (!c->failed && cc_select_buffer(c, record, k.name)) || (!c->failed && cc_select_async(c, record, k.name)) ||
      (!c->failed && promoted(&k)) || (!c->failed && cc_select_math(c, record, k.name)))
    return true;
  return cc_refuse(c, begins(k.name, "llvm.") ? "the intrinsic '%.*s'" : "a call of the function '%.*s'",
                   OG_TEXT_ARGS(k.name));
}
