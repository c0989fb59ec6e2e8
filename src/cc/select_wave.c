/* select_wave.c - intrinsics that look at other lanes or at the whole wave. */
#include "cc/calls.h"

static bool begins(struct og_text text, const char *prefix) { return og_text_skip(&text, prefix); }

/* llvm.read_register of the mask of the lanes that are on, the only register whose value IR can tell. */
static bool read_exec(struct cc_function *c, uint32_t record) {
  const struct og_ir_inst *i = &c->f->insts.items[record];
  og_ir_ref ref = og_ir_operand(c->f, i, 1);
  const struct og_ir_metadata *node =
      og_ir_space(ref) == OG_IR_METADATA ? &c->m->metadata.items[og_ir_index(ref)] : NULL;
  uint32_t part = node && node->kind == OG_IR_M_TUPLE && node->parts == 1 ? c->m->pool.items[node->first] : 0;
  const struct og_ir_metadata *string = part ? &c->m->metadata.items[part - 1] : NULL;
  if (!string || string->kind != OG_IR_M_STRING)
    return cc_refuse(c, "llvm.read_register of what is not a register's name");
  struct og_text name = c->m->names.items[string->first];
  static const struct {
    const char *name;
    uint8_t first, dwords;
  } masks[] = {{"exec", 0, 2}, {"exec_lo", 0, 1}, {"exec_hi", 1, 1}};
  for (unsigned n = 0; n < OG_COUNT(masks); n++) {
    if (!og_text_is(name, masks[n].name))
      continue;
    uint32_t count = cc_parts(c->m, i->type);
    if (count != masks[n].dwords)
      return cc_refuse(c, "llvm.read_register of '%s' as another type than i%u", masks[n].name, 32 * masks[n].dwords);
    operand mask = cc_salu(c, c->mask_dwords == 2 ? OG_ROW_S_MOV_B64 : OG_ROW_S_MOV_B32, c->mask_dwords, 1,
                           (operand[]){cc_special(OG_SPECIAL_EXEC_LO, c->mask_dwords)});
    operand parts[2];
    for (uint32_t p = 0; p < count; p++) /* a wave of 32 has none in the upper half */
      parts[p] = masks[n].first + p < c->mask_dwords ? cc_part_of(mask, masks[n].first + p, 1) : cc_constant(0);
    cc_define(c, record, parts, count);
    return true;
  }
  return cc_refuse(c, "llvm.read_register of '%.*s'", (int)name.size, name.data);
}

/* A message with M0, which LDS instructions have as their limit before gfx9. */
static bool send_message(struct cc_function *c, uint32_t record, unsigned row) {
  const struct og_ir_inst *i = &c->f->insts.items[record];
  uint64_t number;
  if (!cc_is_number(c->m, og_ir_operand(c->f, i, 1), &number))
    return cc_refuse(c, "a message whose number is no constant");
  operand m0 = cc_special(OG_SPECIAL_M0, 1), value = cc_part(c, og_ir_operand(c->f, i, 2), 0);
  if (cc_is_vector(c, value))
    value = SALU(c, V_READFIRSTLANE_B32, 1, value);
  cc_emit(c, OG_ROW_S_MOV_B32, 1, 2, (operand[]){m0, value});
  cc_emit(c, row, 0, 1, (operand[]){cc_constant((uint32_t)number & 0xffff)})->keep = true;
  if (c->isa->generation < OG_GFX900)
    cc_emit(c, OG_ROW_S_MOV_B32, 1, 2, (operand[]){m0, cc_constant(UINT32_MAX)});
  return true;
}

/* A barrier of all the GPU: the resource by the instruction's offset, or by M0, which LDS instructions have as their limit
 * before gfx9. */
static bool global_barrier(struct cc_function *c, uint32_t record, unsigned row) {
  const struct og_ir_inst *i = &c->f->insts.items[record];
  if (i->operands < 3)
    return false;
  operand m0 = cc_special(OG_SPECIAL_M0, 1), waves = cc_in_vector(c, cc_part(c, og_ir_operand(c->f, i, 1), 0));
  operand resource = cc_part(c, og_ir_operand(c->f, i, 2), 0);
  bool known = resource.kind == CC_CONST;
  if (cc_is_vector(c, resource))
    resource = SALU(c, V_READFIRSTLANE_B32, 1, resource);
  resource = known ? resource : cc_shift(c, CC_S, OG_IR_SHL, resource, cc_constant(16));
  cc_emit(c, CC_ROW_WAIT_ALL, 0, 0, NULL);
  cc_emit(c, OG_ROW_S_MOV_B32, 1, 2, (operand[]){m0, known ? cc_constant(0) : resource});
  struct cc_inst *inst = cc_emit(c, row, 0, 1, &waves);
  inst->offset = known ? (int32_t)(resource.value & 0xffff) : 0, inst->keep = true;
  cc_emit(c, CC_ROW_WAIT_ALL, 0, 0, NULL);
  if (c->isa->generation < OG_GFX900)
    cc_emit(c, OG_ROW_S_MOV_B32, 1, 2, (operand[]){m0, cc_constant(UINT32_MAX)});
  return true;
}

/* The counter of cycles is an instruction's result, or where there is none a register of 20 bits; of 64 from gfx12 on, whose
 * halves are read until the upper one has not changed: once more is enough, for the lower one has just begun anew. */
static bool cycles(struct cc_function *c, uint32_t record) {
  enum { CYCLES = 29, CYCLES_HIGH = 30, BITS_20 = 19 << 11, BITS_32 = 31 << 11 };
  operand parts[2] = {cc_constant(0), cc_constant(0)};
  if (cc_has_row(c, OG_ROW_S_MEMTIME)) {
    operand o = cc_temp(c, CC_S, 2);
    cc_emit(c, OG_ROW_S_MEMTIME, 1, 1, &o)->keep = true;
    parts[0] = cc_part_of(o, 0, 1), parts[1] = cc_part_of(o, 1, 1);
  } else if (!c->isa->gfx12) {
    parts[0] = SALU(c, S_GETREG_B32, 1, cc_constant(CYCLES | BITS_20));
  } else {
    operand before = SALU(c, S_GETREG_B32, 1, cc_constant(CYCLES_HIGH | BITS_32));
    operand low = SALU(c, S_GETREG_B32, 1, cc_constant(CYCLES | BITS_32));
    parts[1] = SALU(c, S_GETREG_B32, 1, cc_constant(CYCLES_HIGH | BITS_32));
    cc_emit(c, OG_ROW_S_CMP_EQ_U32, 0, 2, (operand[]){before, parts[1]});
    parts[0] = SALU(c, S_CSELECT_B32, 1, low, cc_constant(0));
  }
  cc_define(c, record, parts, 2);
  return true;
}

bool cc_select_wave(struct cc_function *c, uint32_t record, struct og_text name) {
  const struct og_ir_inst *i = &c->f->insts.items[record];
  if (begins(name, "llvm.amdgcn.ballot.") && cc_parts(c->m, i->type) <= 2) { /* lanes that are off have no say */
    bool wide = c->mask_dwords == 2;
    operand mask = cc_salu(c, wide ? OG_ROW_S_AND_B64 : OG_ROW_S_AND_B32, c->mask_dwords, 2,
                           (operand[]){cc_mask(c, og_ir_operand(c->f, i, 1)), cc_special(OG_SPECIAL_EXEC_LO, c->mask_dwords)});
    operand parts[2] = {cc_part_of(mask, 0, 1), wide ? cc_part_of(mask, 1, 1) : cc_constant(0)};
    cc_define(c, record, parts, cc_parts(c->m, i->type));
    return true;
  }
  if (og_text_is(name, "llvm.amdgcn.s.sendmsg") || og_text_is(name, "llvm.amdgcn.s.sendmsghalt"))
    return send_message(c, record, og_text_is(name, "llvm.amdgcn.s.sendmsg") ? OG_ROW_S_SENDMSG : OG_ROW_S_SENDMSGHALT);
  if (og_text_is(name, "llvm.amdgcn.ds.gws.init") || og_text_is(name, "llvm.amdgcn.ds.gws.barrier"))
    return global_barrier(c, record, og_text_is(name, "llvm.amdgcn.ds.gws.init") ? OG_ROW_DS_GWS_INIT : OG_ROW_DS_GWS_BARRIER);
  if (og_text_is(name, "llvm.trap")) {
    cc_select_trap(c);
    return true;
  }
  if (og_text_is(name, "llvm.debugtrap")) {
    enum { TELLS = 3 };
    cc_emit(c, OG_ROW_S_TRAP, 0, 1, (operand[]){cc_constant(TELLS)})->keep = true;
    return true;
  }
  if (og_text_is(name, "llvm.readcyclecounter"))
    return cycles(c, record);
  if (begins(name, "llvm.read_register."))
    return read_exec(c, record);
  uint64_t number;
  if (begins(name, "llvm.amdgcn.ds.swizzle") && cc_is_number(c->m, og_ir_operand(c->f, i, 2), &number)) {
    operand to = cc_temp(c, CC_V, 1);
    struct cc_inst *swizzle = cc_emit(c, OG_ROW_DS_SWIZZLE_B32, 1, 2,
                                (operand[]){to, cc_in_vector(c, cc_part(c, og_ir_operand(c->f, i, 1), 0))});
    swizzle->offset = (int32_t)(number & 0xffff), swizzle->keep = true;
    cc_define(c, record, &to, 1);
    return true;
  }
  static const struct {
    const char *name;
    uint16_t row;
    uint8_t results;
  } plain[] = {{"llvm.amdgcn.s.sleep", OG_ROW_S_SLEEP, 0},     {"llvm.amdgcn.s.setprio", OG_ROW_S_SETPRIO, 0},
               {"llvm.amdgcn.s.memtime", OG_ROW_S_MEMTIME, 2}, {"llvm.amdgcn.s.memrealtime", OG_ROW_S_MEMREALTIME, 2}};
  for (unsigned n = 0; n < OG_COUNT(plain); n++) {
    if (!og_text_is(name, plain[n].name) || !cc_has_row(c, plain[n].row))
      continue;
    operand o = plain[n].results ? cc_temp(c, CC_S, 2) : cc_part(c, og_ir_operand(c->f, i, 1), 0);
    cc_emit(c, plain[n].row, plain[n].results != 0, 1, &o)->keep = true;
    operand parts[2] = {cc_part_of(o, 0, 1), cc_part_of(o, 1, 1)};
    if (plain[n].results)
      cc_define(c, record, parts, 2);
    return true;
  }
  return false;
}
