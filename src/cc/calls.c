/* calls.c - functions that are called: where arguments and results stand, what is saved. A function's private memory
 * begins at s32, which is an offset for each lane where scratch instructions are used, and 64 or 32 times that where
 * buffer instructions are. Of the registers that the caller counts on, a function uses only those vector registers
 * whose lanes hold its scalar values, and it saves these. */
#include "cc/calls.h"

#include "cc/address.h"
#include "cc/opt.h"

operand cc_fixed(struct cc_function *c, unsigned file, unsigned number, unsigned dwords) {
  uint32_t reg = cc_new_reg(c, file, dwords);
  c->regs.items[reg].physical = (uint16_t)number;
  return (operand){CC_REG, 0, 0, (uint8_t)dwords, reg};
}

static operand stack_register(struct cc_function *c, unsigned number) {
  operand o = cc_fixed(c, CC_S, number, 1);
  c->regs.items[o.value].whole = true;
  return o;
}

/* An input in a fixed register, noted like a kernel's, so that the same code reads both. */
static void input(struct cc_function *c, unsigned which, unsigned file, unsigned reg, unsigned count, unsigned bit,
                  unsigned bits) {
  c->state.inputs[which] = (struct og_input_place){.file = (uint8_t)(file == CC_S ? OG_FILE_SGPR : OG_FILE_VGPR),
                                                   .reg = (uint8_t)reg,
                                                   .count = (uint8_t)count,
                                                   .bit = (uint8_t)bit,
                                                   .bits = (uint8_t)bits};
  c->inputs[which] = cc_fixed(c, file, reg, count);
}

void cc_function_inputs(struct cc_function *c) {
  input(c, OG_INPUT_DISPATCH_PTR, CC_S, CC_S_DISPATCH_PTR, 2, 0, 32);
  if (c->version < 5)
    input(c, OG_INPUT_QUEUE_PTR, CC_S, CC_S_QUEUE_PTR, 2, 0, 32);
  c->implicit_arguments = cc_fixed(c, CC_S, CC_S_IMPLICIT_ARGUMENTS, 2);
  for (unsigned axis = 0; axis < 3; axis++) {
    input(c, OG_INPUT_WORKGROUP_ID_X + axis, CC_S, CC_S_WORKGROUP_ID + axis, 1, 0, 32);
    input(c, OG_INPUT_WORKITEM_ID_X + axis, CC_V, CC_V_WORKITEM_IDS, 1, 10 * axis, 10);
    c->inputs[OG_INPUT_WORKITEM_ID_X + axis] = c->inputs[OG_INPUT_WORKITEM_ID_X];
  }
  if (cc_scratch_by_buffer(c)) {
    input(c, OG_INPUT_PRIVATE_SEGMENT_BUFFER, CC_S, 0, 4, 0, 32);
    c->regs.items[c->inputs[OG_INPUT_PRIVATE_SEGMENT_BUFFER].value].whole = true;
  }
  c->stack_end = stack_register(c, CC_S_STACK);
  c->stack = c->moves_stack ? stack_register(c, CC_S_FRAME) : c->stack_end;
}

/* ---- entry ------------------------------------------------------------------------------------------------------- */

static operand copied(struct cc_function *c, operand from) {
  operand to = cc_temp(c, c->regs.items[from.value].file, from.dwords);
  for (unsigned k = 0; k < from.dwords; k++)
    cc_move(c, cc_part_of(to, k, 1), cc_part_of(from, k, 1));
  c->regs.items[to.value].hint = from.value;
  return to;
}

/* Inputs whose registers calls do not preserve are copied at the start. */
static void copy_inputs(struct cc_function *c) {
  for (unsigned k = 0; k < OG_INPUT_COUNT; k++) {
    if (c->inputs[k].kind != CC_REG || k == OG_INPUT_PRIVATE_SEGMENT_BUFFER || k == OG_INPUT_FLAT_SCRATCH_INIT ||
        k == OG_INPUT_SCRATCH_WAVE_OFFSET)
      continue;
    uint32_t old = c->inputs[k].value;
    if (c->regs.items[old].physical == CC_NO_REGISTER)
      continue; /* already copied, with another input in the same register */
    operand to = copied(c, c->inputs[k]);
    for (unsigned n = k; n < OG_INPUT_COUNT; n++)
      if (c->inputs[n].kind == CC_REG && c->inputs[n].value == old)
        c->inputs[n] = to;
  }
}

static void function_arguments(struct cc_function *c) {
  uint32_t at = 0;
  for (uint32_t i = 1; i <= c->f->arguments; i++) {
    uint32_t count = cc_parts(c->m, c->f->insts.items[i].type);
    operand *parts = OG_NEW_ARRAY(c->arena, operand, count + 1);
    for (uint32_t k = 0; k < count; k++, at++) {
      parts[k] = cc_temp(c, CC_V, 1);
      if (at < CC_ARGUMENT_REGISTERS) {
        operand from = cc_fixed(c, CC_V, at, 1);
        cc_move(c, parts[k], from);
        c->regs.items[parts[k].value].hint = from.value;
        continue;
      }
      struct cc_address a;
      operand list[4] = {parts[k]};
      cc_private_address(c, c->stack, 4 * (int64_t)(at - CC_ARGUMENT_REGISTERS), &a);
      for (unsigned n = 0; n < a.operands; n++)
        list[1 + n] = a.at[n];
      cc_emit(c, cc_memory_rows[cc_rows_of(&a)][0][2], 1, 1 + a.operands, list)->offset = (int32_t)a.offset;
    }
    cc_define(c, i, parts, count);
  }
  if (at > CC_ARGUMENT_REGISTERS)
    c->scratch_size = c->stack_arguments = 4 * (at - CC_ARGUMENT_REGISTERS);
}

void cc_enter_function(struct cc_function *c) {
  if (c->is_function) {
    cc_emit(c, CC_ROW_WAIT_ALL, 0, 0, NULL);
    cc_begin_stack(c);
    c->return_address = copied(c, cc_fixed(c, CC_S, CC_S_RETURN_ADDRESS, 2));
    c->saved_exec = cc_temp(c, CC_S, c->mask_dwords);
    cc_emit(c, c->mask_dwords == 2 ? OG_ROW_S_MOV_B64 : OG_ROW_S_MOV_B32, 1, 2,
            (operand[]){c->saved_exec, cc_special(OG_SPECIAL_EXEC_LO, c->mask_dwords)});
    if ((c->has_calls || c->fixes_registers) && c->implicit_arguments.kind == CC_REG)
      c->implicit_arguments = copied(c, c->implicit_arguments);
  }
  if (!c->is_function)
    cc_begin_stack(c);
  if (c->has_calls || c->fixes_registers)
    copy_inputs(c);
  if (c->is_function)
    function_arguments(c);
  if (c->isa->generation < OG_GFX7) { /* from 0 on; the last dword as LLVM has it */
    c->whole_memory = cc_temp(c, CC_S, 4);
    for (unsigned k = 0; k < 4; k++)
      cc_move(c, cc_part_of(c->whole_memory, k, 1), cc_constant(k == 3 ? 0x100f000 : 0));
  }
}

/* ---- calls
 * -------------------------------------------------------------------------------------------------------- */

static operand frame_size(void) { return (operand){CC_FRAME, 0, 0, 1, 0}; }

/* The ids of a work-item, packed into one register. */
static operand packed_ids(struct cc_function *c) {
  operand o = cc_constant(0);
  for (unsigned axis = 0; axis < 3; axis++) {
    operand id = c->inputs[OG_INPUT_WORKITEM_ID_X + axis];
    if (id.kind == CC_NONE)
      continue;
    if (c->state.inputs[OG_INPUT_WORKITEM_ID_X + axis].bits < 32) /* the hardware has packed them already */
      return c->inputs[OG_INPUT_WORKITEM_ID_X];
    operand shifted = cc_shift(c, CC_V, OG_IR_SHL, id, cc_constant(10 * axis));
    o = axis ? VALU(c, V_OR_B32, 1, shifted, o) : shifted;
  }
  return o;
}

struct outgoing {
  operand list[10 + CC_ARGUMENT_REGISTERS + CC_RETURN_REGISTERS];
  unsigned count;
};

static void pass(struct cc_function *c, struct outgoing *o, unsigned file, unsigned number, operand from) {
  if (from.kind == CC_NONE)
    return;
  operand to = cc_fixed(c, file, number, 1);
  cc_move(c, to, from);
  o->list[o->count++] = to;
}

operand cc_implicit_arguments(struct cc_function *c) {
  if (c->is_function)
    return c->implicit_arguments;
  operand base = c->inputs[OG_INPUT_KERNARG_SEGMENT_PTR];
  operand at[2] = {cc_part_of(base, 0, 1), cc_part_of(base, 1, 1)};
  operand by[2] = {cc_constant(c->kernarg_explicit), cc_constant(0)};
  return base.kind == CC_NONE || !c->kernarg_explicit ? base : cc_add64(c, CC_S, at, by, false);
}

operand cc_queue(struct cc_function *c) {
  enum { HIDDEN_QUEUE = 200 };
  if (c->version < 5)
    return c->inputs[OG_INPUT_QUEUE_PTR];
  operand to = cc_temp(c, CC_S, 2);
  cc_emit(c, OG_ROW_S_LOAD_DWORDX2, 1, 2, (operand[]){to, cc_implicit_arguments(c)})->offset = HIDDEN_QUEUE;
  return to;
}

/* The trap handler finds the queue itself from gfx9 on, before in s[0:1] (AMDGPU backend guide, "Trap Handler ABI"). */
void cc_select_trap(struct cc_function *c) {
  enum { STOPS = 2 };
  if (c->target->os != OG_OS_AMDHSA) { /* no handler: the wave ends */
    cc_emit(c, OG_ROW_S_ENDPGM, 0, 0, NULL)->keep = true;
    return;
  }
  operand list[3] = {cc_constant(STOPS)}, queue = c->isa->generation < OG_GFX900 ? cc_queue(c) : cc_constant(0);
  unsigned count = queue.kind == CC_REG ? 2 : 0;
  cc_emit(c, CC_ROW_WAIT_ALL, 0, 0, NULL);
  for (unsigned k = 0; k < count; k++) {
    list[1 + k] = cc_fixed(c, CC_S, k, 1);
    cc_move(c, list[1 + k], cc_part_of(queue, k, 1));
  }
  struct cc_inst *trap = cc_emit(c, OG_ROW_S_TRAP, 0, 1 + count, list);
  trap->keep = true, trap->implicit = (uint8_t)count;
}

static void pass_inputs(struct cc_function *c, struct outgoing *o, operand implicit, operand ids) {
  operand dispatch = c->inputs[OG_INPUT_DISPATCH_PTR], queue = c->inputs[OG_INPUT_QUEUE_PTR];
  for (unsigned k = 0; k < 2; k++) {
    if (queue.kind == CC_REG)
      pass(c, o, CC_S, CC_S_QUEUE_PTR + k, cc_part_of(queue, k, 1));
    if (dispatch.kind == CC_REG)
      pass(c, o, CC_S, CC_S_DISPATCH_PTR + k, cc_part_of(dispatch, k, 1));
    if (implicit.kind == CC_REG)
      pass(c, o, CC_S, CC_S_IMPLICIT_ARGUMENTS + k, cc_part_of(implicit, k, 1));
  }
  for (unsigned axis = 0; axis < 3; axis++)
    pass(c, o, CC_S, CC_S_WORKGROUP_ID + axis, cc_work_group_id(c, axis));
  pass(c, o, CC_V, CC_V_WORKITEM_IDS, ids);
}

static void stack_argument(struct cc_function *c, operand value, unsigned index) {
  struct cc_address a;
  operand list[4] = {cc_in_vector(c, value)};
  cc_private_address(c, c->next_stack, 4 * (int64_t)index, &a);
  for (unsigned n = 0; n < a.operands; n++)
    list[1 + n] = a.at[n];
  cc_emit(c, cc_memory_rows[cc_rows_of(&a)][1][2], 0, 1 + a.operands, list)->offset = (int32_t)a.offset;
}

/* Finds the callee's frame, which must be known before arguments are stored there. */
static void find_next_stack(struct cc_function *c) {
  if (c->moves_stack) {
    c->next_stack = c->stack_end;
    return;
  }
  c->next_stack = cc_temp(c, CC_S, 1);
  if (c->is_function)
    cc_emit(c, OG_ROW_S_ADD_U32, 1, 3, (operand[]){c->next_stack, c->stack, frame_size()});
  else
    cc_emit(c, OG_ROW_S_MOV_B32, 1, 2, (operand[]){c->next_stack, frame_size()});
}

/* Sets s32 to the callee's frame, or back. Spilled values are addressed by s32 up to the call. */
static void move_stack(struct cc_function *c, bool back) {
  if (c->moves_stack)
    return;
  if (!c->is_function && !back)
    cc_emit(c, OG_ROW_S_MOV_B32, 1, 2, (operand[]){c->stack, frame_size()});
  else if (c->is_function)
    cc_emit(c, back ? OG_ROW_S_SUB_U32 : OG_ROW_S_ADD_U32, 1, 3, (operand[]){c->stack, c->stack, frame_size()});
}

bool cc_select_real_call(struct cc_function *c, uint32_t record) {
  const struct og_ir_inst *i = &c->f->insts.items[record];
  const struct og_ir_call *call = &c->f->calls.items[i->extra];
  OG_VECTOR(operand) values = {0};
  if (og_ir_type_of(c->m, call->function_type)->variadic)
    return cc_refuse(c, "a call with a variable number of arguments");
  for (uint32_t a = 0; a < call->arguments; a++) {
    og_ir_ref ref = og_ir_operand(c->f, i, 1 + a);
    og_ir_type type = cc_type_of(c, ref);
    if (type == OG_IR_METADATA_TYPE)
      return cc_refuse(c, "a call with metadata");
    for (uint32_t k = 0; k < cc_parts(c->m, type); k++) {
      operand o = cc_bits(c->m, type) == 1 ? cc_bool_vector(c, ref) : cc_part(c, ref, k);
      *OG_PUSH(c->arena, &values) = o;
    }
  }
  uint32_t results = cc_parts(c->m, i->type);
  if (results > CC_RETURN_REGISTERS)
    return cc_refuse(c, "a result of more than %u registers", CC_RETURN_REGISTERS);
  operand target = cc_pair(c, og_ir_operand(c->f, i, 0), 0, CC_S), implicit = cc_implicit_arguments(c);
  operand ids = packed_ids(c);
  if (values.count > CC_ARGUMENT_REGISTERS)
    find_next_stack(c);
  for (uint32_t k = CC_ARGUMENT_REGISTERS; k < values.count; k++)
    stack_argument(c, values.items[k], k - CC_ARGUMENT_REGISTERS);
  struct outgoing reads = {0};
  operand list[1 + CC_RETURN_REGISTERS + 1 + OG_COUNT(reads.list)];
  pass_inputs(c, &reads, implicit, ids);
  for (uint32_t k = 0; k < OG_MIN(values.count, (uint32_t)CC_ARGUMENT_REGISTERS); k++)
    pass(c, &reads, CC_V, k, values.items[k]);
  reads.list[reads.count++] = c->stack_end; /* else nothing would read what a kernel puts there */
  cc_emit(c, CC_ROW_WAIT_ALL, 0, 0, NULL);
  unsigned count = 0;
  list[count++] = cc_fixed(c, CC_S, CC_S_RETURN_ADDRESS, 2);
  for (uint32_t k = 0; k < results; k++)
    list[count++] = cc_fixed(c, CC_V, k, 1);
  list[count++] = target;
  for (unsigned k = 0; k < reads.count; k++)
    list[count++] = reads.list[k];
  move_stack(c, false);
  cc_emit(c, OG_ROW_S_SWAPPC_B64, 1 + results, count, list)->implicit = (uint8_t)(count - 2);
  move_stack(c, true);
  operand out[CC_RETURN_REGISTERS];
  for (uint32_t k = 0; k < results; k++) {
    out[k] = cc_temp(c, CC_V, 1);
    cc_move(c, out[k], list[1 + k]);
    c->regs.items[out[k].value].hint = list[1 + k].value;
  }
  if (cc_bits(c->m, i->type) == 1)
    cc_define_mask(c, record, cc_compare(c, OG_ROW_V_CMP_NE_U32, cc_constant(0), out[0]));
  else if (results)
    cc_define(c, record, out, results);
  return true;
}

/* ---- the end ----------------------------------------------------------------------------------------------------- */

bool cc_select_return(struct cc_function *c, uint32_t record) {
  const struct og_ir_inst *i = &c->f->insts.items[record];
  if (!c->is_function || !i->operands)
    return true;
  og_ir_ref value = og_ir_operand(c->f, i, 0);
  og_ir_type type = cc_type_of(c, value);
  uint32_t count = cc_parts(c->m, type);
  if (count > CC_RETURN_REGISTERS)
    return cc_refuse(c, "a result of more than %u registers", CC_RETURN_REGISTERS);
  operand parts[CC_RETURN_REGISTERS];
  for (uint32_t k = 0; k < count; k++)
    parts[k] = cc_bits(c->m, type) == 1 ? cc_bool_vector(c, value) : cc_part(c, value, k);
  for (uint32_t k = 0; k < count; k++) {
    c->results[k] = cc_fixed(c, CC_V, k, 1);
    cc_move(c, c->results[k], parts[k]);
  }
  c->result_count = count;
  return true;
}

void cc_leave_function(struct cc_function *c) {
  operand list[1 + CC_RETURN_REGISTERS] = {c->return_address};
  cc_emit(c, c->mask_dwords == 2 ? OG_ROW_S_MOV_B64 : OG_ROW_S_MOV_B32, 1, 2,
          (operand[]){cc_special(OG_SPECIAL_EXEC_LO, c->mask_dwords), c->saved_exec});
  cc_emit(c, CC_ROW_WAIT_ALL, 0, 0, NULL);
  if (c->moves_stack) { /* once s32 has moved back, no spilled value can be found */
    list[0] = cc_fixed(c, CC_S, CC_S_RETURN_ADDRESS, 2);
    for (unsigned k = 0; k < 2; k++)
      cc_move(c, cc_part_of(list[0], k, 1), cc_part_of(c->return_address, k, 1));
    cc_end_stack(c);
  }
  for (uint32_t k = 0; k < c->result_count; k++)
    list[1 + k] = c->results[k];
  cc_emit(c, OG_ROW_S_SETPC_B64, 0, 1 + c->result_count, list)->implicit = (uint8_t)c->result_count;
}

static bool is_saved_whole(const struct cc_reg *r) { return r->whole && r->file == CC_V && r->start != UINT32_MAX; }

/* Vector registers that hold scalar values in their lanes belong to the caller: all of their lanes are saved and
 * restored. */
static void save_lanes(struct cc_function *c, uint32_t registers, uint32_t first, bool restore) {
  bool wide = c->mask_dwords == 2;
  operand saved = cc_fixed(c, CC_S, CC_S_SAVED_EXEC, c->mask_dwords),
          exec = cc_special(OG_SPECIAL_EXEC_LO, c->mask_dwords);
  cc_emit(c, wide ? OG_ROW_S_OR_SAVEEXEC_B64 : OG_ROW_S_OR_SAVEEXEC_B32, 1, 2,
          (operand[]){saved, {CC_CONST, 0, 0, c->mask_dwords, UINT32_MAX}});
  for (uint32_t r = 1, at = first; r < registers; r++) {
    for (unsigned d = 0; d < c->regs.items[r].dwords && is_saved_whole(&c->regs.items[r]); d++, at += 4) {
      struct cc_address a;
      operand list[4] = {{CC_REG, 0, (uint8_t)d, 1, r}};
      cc_private_address(c, c->stack_end, at, &a);
      for (unsigned n = 0; n < a.operands; n++)
        list[1 + n] = a.at[n];
      cc_emit(c, cc_memory_rows[cc_rows_of(&a)][!restore][2], restore, 1 + a.operands, list)->offset =
          (int32_t)a.offset;
    }
  }
  cc_emit(c, wide ? OG_ROW_S_MOV_B64 : OG_ROW_S_MOV_B32, 1, 2, (operand[]){exec, saved});
  if (restore)
    cc_emit(c, CC_ROW_WAIT_ALL, 0, 0, NULL);
}

/* Whether it is a copy that registers.c made unnecessary. */
static bool is_idle(const struct cc_function *c, const struct cc_inst *i) {
  if (i->variant || (i->row != OG_ROW_V_MOV_B32 && i->row != OG_ROW_S_MOV_B32 && i->row != OG_ROW_V_ACCVGPR_MOV_B32))
    return false;
  operand to = c->operands.items[i->first], from = c->operands.items[i->first + 1];
  return to.kind == CC_REG && from.kind == CC_REG && !from.flags &&
         c->regs.items[to.value].file == c->regs.items[from.value].file &&
         c->regs.items[to.value].physical + to.sub == c->regs.items[from.value].physical + from.sub;
}

struct frame {
  uint32_t registers, lanes, at; /* how many there are; those whose lanes are all saved, and where in the frame */
  bool entered;
};

static bool put_frame(struct cc_function *c, const struct cc_inst *old, void *context) {
  struct frame *f = context;
  bool first = !f->entered;
  f->entered = true;
  c->record = old->record; /* the new code belongs to the same line of the source */
  if (is_idle(c, old))
    return true;
  if (f->lanes && old->row == OG_ROW_S_SETPC_B64)
    save_lanes(c, f->registers, f->at, true);
  *OG_PUSH(c->arena, &c->insts) = *old;
  if (f->lanes && first) /* behind the entry's wait */
    save_lanes(c, f->registers, f->at, false);
  return true;
}

bool cc_frame(struct cc_function *c) {
  struct frame f = {.registers = c->regs.count, .at = c->scratch_size};
  for (uint32_t r = 1; r < f.registers && c->is_function; r++)
    f.lanes += is_saved_whole(&c->regs.items[r]) ? c->regs.items[r].dwords : 0u;
  c->scratch_size += 4 * f.lanes;
  if (f.lanes)
    c->sgprs = (uint16_t)OG_MAX(c->sgprs, CC_S_SAVED_EXEC + 2);
  return cc_rewrite(c, put_frame, &f);
}
