/* inputs.c - a kernel's state at its start: the inputs of the wave that it needs, the places of its arguments, its
 * LDS. */
#include "cc/address.h"
#include "cc/assembly.h"
#include "cc/calls.h"
#include "cc/memory_model.h"
#include "cc/object.h"
#include "cc/opt.h"
#include "cc/systems.h"
#include "target/descriptor.h"
#include "target/features.inc"

static bool begins(struct og_text text, const char *prefix) { return og_text_skip(&text, prefix); }

static void refuse_lds(struct cc_function *c, uint64_t size) {
  cc_refuse(c, "more LDS than %s has: %llu bytes of %u", c->target->processor->name, (unsigned long long)size,
            c->target->processor->lds_bytes);
}

/* Where the next LDS variable may stand. */
static uint64_t behind_lds(const struct cc_function *c, uint64_t align) {
  return og_align_up(c->lds_size + (c->lds_size ? (uint64_t)c->lds_gap : 0), align);
}

static bool is_barrier(const struct cc_function *c, og_ir_type type) {
  while (og_ir_kind(c->m, type) == OG_IR_ARRAY)
    type = og_ir_part(c->m, type, 0);
  return og_ir_kind(c->m, type) == OG_IR_TARGET;
}

/* Gives named barriers their numbers, which count from 1 and stand in their addresses from bit 4 on. */
static void use_barrier(struct cc_function *c, uint32_t global) {
  enum { ADDRESS = 0x802000, MOST = 16 };
  uint32_t count = (uint32_t)(cc_size_of(c->m, c->m->globals.items[global].type) / 16);
  if (c->is_function)
    cc_refuse(c, "a named barrier in a function that is called");
  else if (c->named_barriers + count > MOST)
    cc_refuse(c, "more than %u named barriers", MOST);
  c->lds_offset[global] = 1 + ADDRESS + 16 * (1 + c->named_barriers);
  c->named_barriers += count;
}

static void use_lds(struct cc_function *c, og_ir_ref ref, unsigned depth) {
  if (og_ir_space(ref) != OG_IR_CONSTANT || depth > 16)
    return;
  const struct og_ir_constant *k = og_ir_constant_of(c->m, ref);
  if (k->kind == OG_IR_C_EXPRESSION) {
    for (uint32_t i = 0; i < k->parts; i++)
      use_lds(c, c->m->pool.items[k->first + i], depth + 1);
    return;
  }
  if (k->kind != OG_IR_C_GLOBAL)
    return;
  const struct og_ir_global *g = &c->m->globals.items[k->value];
  if (g->kind != OG_IR_VARIABLE || g->address_space != 3 || c->lds_offset[k->value])
    return;
  if (is_barrier(c, g->type)) {
    use_barrier(c, (uint32_t)k->value);
    return;
  }
  uint64_t align = g->align ? UINT64_C(1) << (g->align - 1) : cc_align_of(c->m, g->type),
           size = cc_size_of(c->m, g->type);
  uint64_t at = behind_lds(c, align);
  if (cc_splits_groups(c->target)) {
    cc_refuse(c, "LDS where waves of a work-group run on several CUs (tgsplit)");
    return;
  }
  if (!size && c->is_function) {
    cc_refuse(c, "LDS whose size the launch tells in a function that is called");
    return;
  }
  if (!size && g->value == OG_IR_NONE) { /* it stands behind all others */
    c->lds_dynamic = OG_MAX(c->lds_dynamic, (uint32_t)align);
    c->lds_offset[k->value] = CC_LDS_DYNAMIC;
    return;
  }
  if (at + size > c->target->processor->lds_bytes) {
    refuse_lds(c, at + size);
    return;
  }
  c->lds_offset[k->value] = 1 + (uint32_t)at;
  c->lds_size = (uint32_t)(at + size);
}

static void place_dynamic_lds(struct cc_function *c) {
  if (!c->lds_dynamic)
    return;
  uint64_t at = behind_lds(c, c->lds_dynamic);
  if (at > c->target->processor->lds_bytes) {
    refuse_lds(c, at);
    return;
  }
  c->lds_size = (uint32_t)at;
  for (uint32_t g = 0; g < c->m->globals.count; g++)
    if (c->lds_offset[g] == CC_LDS_DYNAMIC)
      c->lds_offset[g] = 1 + c->lds_size;
}

static void want(struct cc_function *c, enum og_kd_field field, uint64_t value) {
  og_kd_set(c->target, c->descriptor, field, OG_MAX(value, og_kd_get(c->target, c->descriptor, field)));
}

static unsigned space_of(const struct cc_function *c, og_ir_type type) {
  return (unsigned)og_ir_type_of(c->m, og_ir_scalar(c->m, type))->count;
}

/* Asks for the queue's address: an input of its own; from version 5 on one of the implicit arguments. */
static void want_queue(struct cc_function *c) {
  enum { HIDDEN_QUEUE = 200 };
  if (c->version < 5)
    want(c, OG_KD_ENABLE_SGPR_QUEUE_PTR, 1);
  else
    c->hidden = true, c->hidden_reads |= UINT64_C(1) << HIDDEN_QUEUE / 8;
}

/* Flat addresses of LDS and private memory lie in apertures; until gfx8 the queue or the implicit arguments say
 * where. */
static void want_apertures(struct cc_function *c) {
  if (c->isa->generation >= OG_GFX900)
    return;
  if (c->version < 5)
    want_queue(c);
  else
    c->hidden = true, c->hidden_reads |= UINT64_C(1) << 24;
}

static void scan_cast(struct cc_function *c, og_ir_type old, og_ir_type new) {
  unsigned from = space_of(c, old), to = space_of(c, new);
  c->flat_private |= from == 5 && to == 0;
  if ((from == 5 || from == 3) && to == 0)
    want_apertures(c);
}

/* Notes which implicit arguments an instruction may read: all, if it does anything but load from their address. */
static void scan_hidden(struct cc_function *c, const struct og_ir_inst *i, uint32_t operand) {
  int64_t offset, constant = 0;
  og_ir_ref ref = og_ir_operand(c->f, i, operand);
  if (og_ir_space(ref) != OG_IR_LOCAL || og_ir_kind(c->m, cc_type_of(c, ref)) != OG_IR_POINTER ||
      !cc_is_hidden_argument(c, ref, &offset))
    return;
  if (i->opcode == OG_IR_LOAD)
    for (int64_t at = offset / 8; at <= (offset + (int64_t)cc_size_of(c->m, i->type) - 1) / 8 && at < 64; at++)
      c->hidden_reads |= at >= 0 ? UINT64_C(1) << at : 0;
  else if (operand || !cc_constant_offset(c->m, c->f, OG_IR_LOCAL | c->record, &constant))
    c->hidden_reads = UINT64_MAX;
}

/* One walk over the body finds what it asks for, and which values are read at all. */
static void scan(struct cc_function *c) {
  for (uint32_t b = 0; b < c->f->blocks.count; b++)
    for (uint32_t record = c->f->blocks.items[b].first; record; record = c->f->insts.items[record].next) {
      const struct og_ir_inst *i = &c->f->insts.items[record];
      c->record = record;
      for (uint32_t k = 0; k < i->operands; k++) {
        og_ir_ref ref = og_ir_operand(c->f, i, k);
        scan_hidden(c, i, k);
        if (og_ir_space(ref) == OG_IR_LOCAL)
          c->used[og_ir_index(ref)] = true;
        else
          use_lds(c, ref, 0);
      }
      c->scratch |= i->opcode == OG_IR_ALLOCA;
      c->moves_stack |= cc_is_dynamic(c->m, c->f, i);
      if (i->opcode == OG_IR_ADDRSPACECAST)
        scan_cast(c, cc_type_of(c, og_ir_operand(c->f, i, 0)), i->type);
      if (i->opcode != OG_IR_CALL)
        continue;
      if (cc_is_real_call(c->m, c->f, i)) {
        c->has_calls = true;
        *OG_PUSH(c->arena, &c->callees) = cc_callee(c->m, c->f, i);
      }
      struct og_text name = cc_called(c, i);
      char axis = name.size ? name.data[name.size - 1] : 0;
      if (begins(name, "llvm.amdgcn.workitem.id."))
        want(c, OG_KD_ENABLE_VGPR_WORKITEM_ID, (uint64_t)(axis - 'x'));
      else if (begins(name, "llvm.amdgcn.workgroup.id.") || begins(name, "llvm.amdgcn.cluster.id."))
        want(c,
             (enum og_kd_field)(axis == 'x'   ? OG_KD_ENABLE_SGPR_WORKGROUP_ID_X
                                : axis == 'y' ? OG_KD_ENABLE_SGPR_WORKGROUP_ID_Y
                                              : OG_KD_ENABLE_SGPR_WORKGROUP_ID_Z),
             1);
      else if (og_text_is(name, "llvm.amdgcn.dispatch.ptr"))
        want(c, OG_KD_ENABLE_SGPR_DISPATCH_PTR, 1);
      else if (begins(name, "llvm.amdgcn.addrspacecast.nonnull."))
        scan_cast(c, cc_type_of(c, og_ir_operand(c->f, i, 1)), i->type);
      else if (og_text_is(name, "llvm.amdgcn.is.shared") || og_text_is(name, "llvm.amdgcn.is.private"))
        want_apertures(c);
      else if (og_text_is(name, "llvm.amdgcn.dispatch.id"))
        want(c, OG_KD_ENABLE_SGPR_DISPATCH_ID, 1);
      else if (og_text_is(name, "llvm.amdgcn.queue.ptr"))
        want_queue(c);
      else if (og_text_is(name, "llvm.trap") && c->isa->generation < OG_GFX900)
        want_queue(c), c->fixes_registers = true;
      else if (og_text_is(name, "llvm.amdgcn.implicitarg.ptr"))
        c->hidden = true;
      c->moves_stack |= begins(name, "llvm.stacksave.") || begins(name, "llvm.stackrestore.");
      c->has_matrices |= cc_is_matrix(name);
      c->fixes_registers |= !name.size && cc_fixes_registers(c, i);
    }
}

enum { HIDDEN_SIZE = 256, HIDDEN_SIZE_V4 = 56 };

og_ir_type cc_argument_type(const struct cc_function *c, uint32_t argument) {
  og_ir_type type = c->f->insts.items[argument].type;
  cc_parameter_type(c->m, c->f->attributes, argument - 1, OG_IR_A_BYREF, &type);
  return type;
}

/* Asks for the inputs that a kernel passes to its callees: all of them, but only those implicit arguments that are
 * read. */
static void want_for_calls(struct cc_function *c) {
  c->hidden = c->scratch = true, c->hidden_reads |= c->hidden_called;
  want(c, OG_KD_ENABLE_SGPR_DISPATCH_PTR, 1);
  want(c, OG_KD_ENABLE_SGPR_QUEUE_PTR, c->version < 5);
  want(c, OG_KD_ENABLE_SGPR_WORKGROUP_ID_Y, 1);
  want(c, OG_KD_ENABLE_SGPR_WORKGROUP_ID_Z, 1);
  want(c, OG_KD_ENABLE_VGPR_WORKITEM_ID, 2);
  c->flat_private = true; /* callees may use flat addresses of private memory */
}

void cc_use_lds(struct cc_function *c) {
  for (uint32_t b = 0; b < c->f->blocks.count; b++)
    for (uint32_t i = c->f->blocks.items[b].first; i; i = c->f->insts.items[i].next)
      for (uint32_t k = 0; k < c->f->insts.items[i].operands; k++)
        use_lds(c, og_ir_operand(c->f, &c->f->insts.items[i], k), 0);
}

/* The number of user registers to ask for. Some gfx11 processors do not set up work-group ids correctly in waves of 32
 * if fewer than 16 registers are set up in all. */
static uint64_t user_registers(const struct cc_function *c, uint64_t needed) {
  static const enum og_kd_field others[] = {OG_KD_ENABLE_SGPR_WORKGROUP_ID_X, OG_KD_ENABLE_SGPR_WORKGROUP_ID_Y,
                                            OG_KD_ENABLE_SGPR_WORKGROUP_ID_Z, OG_KD_ENABLE_SGPR_WORKGROUP_INFO};
  enum { LEAST = 16 };
  uint64_t system = 0;
  bool is_buggy = og_has_feature(&c->target->features, OG_FEATURE_USER_SGPR_INIT16_BUG);
  for (unsigned k = 0; k < OG_COUNT(others); k++)
    system += og_kd_get(c->target, c->descriptor, others[k]);
  return is_buggy && c->target->wave_size == 32 ? OG_MAX(needed, LEAST - system) : needed;
}

bool cc_inputs(struct cc_function *c) {
  c->used = OG_NEW_ARRAY(c->arena, bool, c->f->insts.count);
  if (c->is_function) {
    c->argument_offset = OG_NEW_ARRAY(c->arena, uint32_t, c->f->arguments + 1);
    scan(c);
    cc_function_inputs(c);
    cc_read_modes(c);
    return !c->failed;
  }
  c->argument_offset = OG_NEW_ARRAY(c->arena, uint32_t, c->f->arguments + 1);
  uint64_t at = 0;
  for (uint32_t i = 1; i <= c->f->arguments; i++) {
    og_ir_type type = cc_argument_type(c, i);
    c->record = i;
    at = og_align_up(at, cc_align_of(c->m, type));
    c->argument_offset[i] = cc_arguments_begin(c->target) + (uint32_t)at;
    at += cc_size_of(c->m, type);
    if (at > 65536)
      return cc_refuse(c, "more than 64 KiB of arguments");
  }
  c->scratch = c->spills;
  scan(c);
  place_dynamic_lds(c);
  c->scratch |= c->moves_stack;
  if (c->has_calls)
    want_for_calls(c);
  if (c->has_calls || c->moves_stack) {
    c->stack = c->stack_end = cc_fixed(c, CC_S, CC_S_STACK, 1);
    c->regs.items[c->stack.value].whole = true;
  }
  if (c->scratch) {
    want(c, OG_KD_ENABLE_PRIVATE_SEGMENT, 1);
    bool architected = c->isa->gfx940 || c->isa->gfx11; /* hardware sets flat scratch before the wave starts */
    if (cc_scratch_by_buffer(c))
      want(c, OG_KD_ENABLE_SGPR_PRIVATE_SEGMENT_BUFFER, 1);
    if (!architected && (!cc_scratch_by_buffer(c) || c->flat_private))
      want(c, OG_KD_ENABLE_SGPR_FLAT_SCRATCH_INIT, 1);
  }
  if (!cc_is_hsa(c->target))
    cc_want_for_system(c);
  at += cc_arguments_begin(c->target);
  c->kernarg_explicit = (uint32_t)og_align_up(at, 8);
  c->kernarg_size =
      c->hidden ? c->kernarg_explicit + (c->version < 5 ? HIDDEN_SIZE_V4 : HIDDEN_SIZE) : (uint32_t)og_align_up(at, 4);
  want(c, OG_KD_ENABLE_SGPR_WORKGROUP_ID_X, 1);
  if (c->kernarg_size)
    want(c, OG_KD_ENABLE_SGPR_KERNARG_SEGMENT_PTR, 1);
  want(c, OG_KD_NAMED_BARRIER_COUNT, (c->named_barriers + 3) / 4);
  if (c->target->wave_size == 32)
    want(c, OG_KD_ENABLE_WAVEFRONT_SIZE32, 1);
  uint64_t user = 4 * og_kd_get(c->target, c->descriptor, OG_KD_ENABLE_SGPR_PRIVATE_SEGMENT_BUFFER);
  user += 2 * og_kd_get(c->target, c->descriptor, OG_KD_ENABLE_SGPR_DISPATCH_PTR);
  user += 2 * og_kd_get(c->target, c->descriptor, OG_KD_ENABLE_SGPR_QUEUE_PTR);
  user += 2 * og_kd_get(c->target, c->descriptor, OG_KD_ENABLE_SGPR_KERNARG_SEGMENT_PTR);
  user += 2 * og_kd_get(c->target, c->descriptor, OG_KD_ENABLE_SGPR_DISPATCH_ID);
  user += 2 * og_kd_get(c->target, c->descriptor, OG_KD_ENABLE_SGPR_FLAT_SCRATCH_INIT);
  og_kd_set(c->target, c->descriptor, OG_KD_USER_SGPR_COUNT, user_registers(c, user));
  og_initial_state_read(c->target, c->descriptor, false, &c->state);
  for (unsigned k = 0; k < OG_INPUT_COUNT; k++) {
    const struct og_input_place *p = &c->state.inputs[k];
    if (p->file != OG_FILE_SGPR && p->file != OG_FILE_VGPR) {
      if (p->file == OG_FILE_TTMP)
        c->inputs[k] = (struct cc_operand){CC_TTMP, 0, 0, 1, p->reg};
      continue;
    }
    for (unsigned other = 0; other < k; other++) /* packed ids share one register */
      if (c->state.inputs[other].file == p->file && c->state.inputs[other].reg == p->reg)
        c->inputs[k] = c->inputs[other];
    if (c->inputs[k].kind != CC_NONE)
      continue;
    uint32_t reg = cc_new_reg(c, p->file == OG_FILE_SGPR ? CC_S : CC_V, p->count);
    c->regs.items[reg].physical = p->reg;
    c->inputs[k] = (struct cc_operand){CC_REG, 0, 0, p->count, reg};
  }
  if (c->inputs[OG_INPUT_PRIVATE_SEGMENT_BUFFER].kind == CC_REG) /* spilling may need it anywhere */
    c->regs.items[c->inputs[OG_INPUT_PRIVATE_SEGMENT_BUFFER].value].whole = true;
  cc_read_modes(c);
  return !c->failed;
}

/* Sets where this wave's scratch begins (user guide, "Flat Scratch", "Private Segment Buffer"). */
static void begin_scratch(struct cc_function *c, operand init, operand wave) {
  operand buffer = c->inputs[OG_INPUT_PRIVATE_SEGMENT_BUFFER];
  operand low = cc_special(OG_SPECIAL_FLAT_SCRATCH_LO, 1), high = cc_special(OG_SPECIAL_FLAT_SCRATCH_HI, 1);
  if (buffer.kind == CC_REG) {
    operand at[2] = {cc_part_of(buffer, 0, 1), cc_part_of(buffer, 1, 1)};
    cc_emit(c, OG_ROW_S_ADD_U32, 1, 3, (operand[]){at[0], at[0], wave});
    cc_emit(c, OG_ROW_S_ADDC_U32, 1, 3, (operand[]){at[1], at[1], cc_constant(0)});
  }
  if (init.kind != CC_REG)
    return;
  if (c->isa->generation < OG_GFX900) { /* gfx7, gfx8: an offset in units of 256 bytes, and a size */
    operand sum = SALU(c, S_ADD_U32, 1, cc_part_of(init, 0, 1), wave);
    cc_emit(c, OG_ROW_S_LSHR_B32, 1, 3, (operand[]){high, sum, cc_constant(8)});
    cc_emit(c, OG_ROW_S_MOV_B32, 1, 2, (operand[]){low, cc_part_of(init, 1, 1)});
    return;
  }
  bool setreg = c->isa->gfx10; /* from gfx10 on instructions cannot name that register */
  operand to[2] = {setreg ? cc_temp(c, CC_S, 1) : low, setreg ? cc_temp(c, CC_S, 1) : high};
  cc_emit(c, OG_ROW_S_ADD_U32, 1, 3, (operand[]){to[0], cc_part_of(init, 0, 1), wave});
  cc_emit(c, OG_ROW_S_ADDC_U32, 1, 3, (operand[]){to[1], cc_part_of(init, 1, 1), cc_constant(0)});
  enum { FLAT_SCR_LO = 20, ALL_BITS = 31 << 11 };
  for (unsigned k = 0; k < 2 && setreg; k++)
    cc_emit(c, OG_ROW_S_SETREG_B32, 0, 2, (operand[]){cc_constant(FLAT_SCR_LO + k + ALL_BITS), to[k]});
}

/* The parts of a value that stands at some byte of loaded dwords. */
static bool parts_of(struct cc_function *c, og_ir_type type, uint64_t at, const operand *raw, operand *parts,
                     uint32_t *n) {
  const struct og_ir_type_record *t = og_ir_type_of(c->m, type);
  if (t->kind == OG_IR_STRUCT || t->kind == OG_IR_ARRAY || t->kind == OG_IR_VECTOR) {
    uint64_t elements = t->kind == OG_IR_STRUCT ? t->parts : t->count;
    for (uint64_t e = 0; e < elements; e++) {
      og_ir_type element = og_ir_element(c->m, type, e);
      uint64_t by = t->kind == OG_IR_STRUCT  ? cc_field_offset(c->m, type, e)
                    : t->kind == OG_IR_ARRAY ? e * cc_size_of(c->m, element)
                                             : e * cc_bits(c->m, element) / 8;
      if (!parts_of(c, element, at + by, raw, parts, n) || (t->kind == OG_IR_VECTOR && cc_bits(c->m, element) % 8))
        return false;
    }
    return true;
  }
  unsigned bits = cc_bits(c->m, type), shift = 8 * (unsigned)(at % 4);
  if (!bits)
    return false;
  for (unsigned d = 0; d < (bits + 31) / 32; d++) {
    operand o = raw[at / 4 + d];
    o = shift ? cc_shift(c, CC_S, OG_IR_LSHR, o, cc_constant(shift)) : o;
    if (shift + OG_MIN(bits - 32 * d, 32u) > 32) /* the value continues in the next dword */
      o = SALU(c, S_OR_B32, 1, o, cc_shift(c, CC_S, OG_IR_SHL, raw[at / 4 + d + 1], cc_constant(32 - shift)));
    parts[(*n)++] = bits == 1 ? SALU(c, S_AND_B32, 1, o, cc_constant(1)) : o;
  }
  return true;
}

void cc_load_arguments(struct cc_function *c) {
  operand base = c->inputs[OG_INPUT_KERNARG_SEGMENT_PTR];
  if (c->isa->generation < OG_GFX900) /* LDS instructions take their limit from M0 (ISA manuals before Vega) */
    cc_emit(c, OG_ROW_S_MOV_B32, 1, 2, (operand[]){cc_special(OG_SPECIAL_M0, 1), cc_constant(UINT32_MAX)});
  operand init = c->inputs[OG_INPUT_FLAT_SCRATCH_INIT], wave = c->inputs[OG_INPUT_SCRATCH_WAVE_OFFSET];
  if (wave.kind == CC_REG)
    begin_scratch(c, init, wave);
  for (uint32_t i = 1; i <= c->f->arguments; i++) {
    og_ir_type type = c->f->insts.items[i].type;
    uint32_t count = cc_parts(c->m, type), offset = c->argument_offset[i];
    c->record = i;
    if (!c->used[i])
      continue;
    if (cc_argument_type(c, i) != type) { /* where it stands in the kernarg segment */
      operand at[2] = {cc_part_of(base, 0, 1), cc_part_of(base, 1, 1)}, by[2] = {cc_constant(offset), cc_constant(0)};
      operand sum = cc_add64(c, CC_S, at, by, false), sums[2] = {cc_part_of(sum, 0, 1), cc_part_of(sum, 1, 1)};
      cc_define(c, i, sums, 2);
      continue;
    }
    operand *parts = OG_NEW_ARRAY(c->arena, operand, count + 1), *raw;
    uint32_t first = offset & ~3u, dwords = ((uint32_t)(offset + cc_store_size(c->m, type)) - first + 3) / 4, n = 0;
    raw = OG_NEW_ARRAY(c->arena, operand, dwords + 16);
    for (uint32_t d = 0; d < dwords;) {
      static const uint16_t rows[] = {OG_ROW_S_LOAD_DWORD, OG_ROW_S_LOAD_DWORDX2, OG_ROW_S_LOAD_DWORDX4,
                                      OG_ROW_S_LOAD_DWORDX8, OG_ROW_S_LOAD_DWORDX16};
      unsigned k = 4;
      while ((1u << k) > dwords - d)
        k--;
      operand to = cc_temp(c, CC_S, 1u << k);
      cc_emit(c, rows[k], 1, 2, (operand[]){to, base})->offset = (int32_t)(first + 4 * d);
      for (unsigned p = 0; p < 1u << k; p++)
        raw[d++] = cc_part_of(to, p, 1);
    }
    if (!parts_of(c, type, offset - first, raw, parts, &n) || n != count) {
      cc_refuse(c, "an argument of this type");
      return;
    }
    cc_define(c, i, parts, count);
  }
}
