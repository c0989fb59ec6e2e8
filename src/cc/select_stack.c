/* select_stack.c - the stack while a function runs: the allocas of its frame, and behind them those whose size is known
 * only when they run. A function with such allocas keeps its frame's place in s33, as LLVM's do, and the end of the
 * stack in s32. */
#include "cc/address.h"
#include "cc/calls.h"
#include "cc/opt.h"

enum { STACK_ALIGN = 16 };

/* Where buffer instructions access scratch, s32 counts the bytes of all lanes of a wave; this makes them bytes of one
 * lane. */
static operand to_lane(struct cc_function *c, operand o) {
  operand shift = cc_constant((uint32_t)__builtin_ctz(c->target->wave_size));
  return cc_scratch_by_buffer(c) ? SALU(c, S_LSHR_B32, 1, o, shift) : o;
}

static operand in_scalar(struct cc_function *c, operand o) {
  return cc_is_vector(c, o) ? SALU(c, V_READFIRSTLANE_B32, 1, o) : o;
}

static operand align_to(struct cc_function *c, operand o, uint64_t align) {
  o = cc_add(c, CC_S, o, cc_constant((uint32_t)align - 1));
  return SALU(c, S_AND_B32, 1, o, cc_constant(-(uint32_t)align));
}

static void set_end(struct cc_function *c, operand o) {
  operand shift = cc_constant((uint32_t)__builtin_ctz(c->target->wave_size));
  if (cc_scratch_by_buffer(c))
    cc_emit(c, OG_ROW_S_LSHL_B32, 1, 3, (operand[]){c->stack_end, o, shift});
  else
    cc_emit(c, OG_ROW_S_MOV_B32, 1, 2, (operand[]){c->stack_end, o});
}

void cc_begin_stack(struct cc_function *c) {
  if (!c->moves_stack)
    return;
  operand frame = {CC_FRAME, 0, 0, 1, 0};
  if (!c->is_function) {
    cc_emit(c, OG_ROW_S_MOV_B32, 1, 2, (operand[]){c->stack_end, frame});
    return;
  }
  operand passing = cc_fixed(c, CC_S, CC_S_SAVED_EXEC, 1); /* once s33 is written, spilled values are found by it */
  cc_emit(c, OG_ROW_S_MOV_B32, 1, 2, (operand[]){passing, c->stack});
  cc_emit(c, OG_ROW_S_MOV_B32, 1, 2, (operand[]){c->stack, c->stack_end});
  c->callers_frame = cc_temp(c, CC_S, 1);
  cc_emit(c, OG_ROW_S_MOV_B32, 1, 2, (operand[]){c->callers_frame, passing});
  cc_emit(c, OG_ROW_S_ADD_U32, 1, 3, (operand[]){c->stack_end, c->stack_end, frame});
}

void cc_end_stack(struct cc_function *c) {
  if (!c->moves_stack || !c->is_function)
    return;
  operand passing = cc_fixed(c, CC_S, CC_S_SAVED_EXEC, 1);
  cc_emit(c, OG_ROW_S_MOV_B32, 1, 2, (operand[]){passing, c->callers_frame});
  cc_emit(c, OG_ROW_S_MOV_B32, 1, 2, (operand[]){c->stack_end, c->stack});
  cc_emit(c, OG_ROW_S_MOV_B32, 1, 2, (operand[]){c->stack, passing});
}

static bool grow(struct cc_function *c, uint32_t record, uint64_t align) {
  const struct og_ir_inst *i = &c->f->insts.items[record];
  uint64_t size = cc_size_of(c->m, i->extra), count = 1;
  operand at = to_lane(c, c->stack_end), bytes = cc_constant(0);
  if (align > STACK_ALIGN)
    at = align_to(c, at, align);
  operand place = cc_temp(c, CC_S, 1);
  cc_move(c, place, at);
  if (!i->operands || cc_is_number(c->m, og_ir_operand(c->f, i, 0), &count)) {
    if (count > 65536 || size * count > 65536)
      return cc_refuse(c, "more than 64 KiB of private memory");
    bytes = cc_constant((uint32_t)og_align_up(size * count + c->frame_gap, STACK_ALIGN));
  } else { /* cc_size_allocas() has made the size a number of bytes */
    bytes = cc_add(c, CC_S, in_scalar(c, cc_part(c, og_ir_operand(c->f, i, 0), 0)),
                   cc_constant(STACK_ALIGN - 1 + c->frame_gap));
    bytes = SALU(c, S_AND_B32, 1, bytes, cc_constant(-(uint32_t)STACK_ALIGN));
  }
  set_end(c, cc_add(c, CC_S, place, bytes));
  cc_define(c, record, &place, 1);
  return true;
}

bool cc_select_alloca(struct cc_function *c, uint32_t record) {
  const struct og_ir_inst *i = &c->f->insts.items[record];
  uint64_t count = 1, align = OG_MAX(i->sub ? UINT64_C(1) << (i->sub - 1) : 1, 4u);
  if (align > 65536)
    return cc_refuse(c, "more than 64 KiB of private memory");
  if (cc_is_dynamic(c->m, c->f, i))
    return grow(c, record, align);
  if (i->operands)
    cc_is_number(c->m, og_ir_operand(c->f, i, 0), &count);
  uint64_t size = cc_size_of(c->m, i->extra) * count, gap = c->frame_gap;
  bool shifts = c->is_function && align > STACK_ALIGN; /* the frame itself is aligned to less */
  uint64_t at = og_align_up(c->scratch_size, shifts ? STACK_ALIGN : align);
  if (shifts)
    gap += align - STACK_ALIGN;
  if (count > 65536 || at + size + gap > 65536)
    return cc_refuse(c, "more than 64 KiB of private memory");
  c->scratch_size = (uint32_t)og_align_up(at + size + gap, 4);
  if (!shifts)
    *OG_PUSH(c->arena, &c->homes) = (struct cc_home){record, (uint32_t)at, (uint32_t)size};
  operand o = cc_constant((uint32_t)at);
  if (c->is_function) /* a function's addresses count from its frame */
    o = SALU(c, S_ADD_U32, 1, to_lane(c, c->stack), o);
  if (shifts)
    o = align_to(c, o, align);
  cc_define(c, record, &o, 1);
  return true;
}

bool cc_select_stack(struct cc_function *c, uint32_t record, struct og_text name) {
  const struct og_ir_inst *i = &c->f->insts.items[record];
  if (og_text_skip(&name, "llvm.stacksave.") && cc_parts(c->m, i->type) == 1) {
    operand place = cc_temp(c, CC_S, 1);
    cc_move(c, place, to_lane(c, c->stack_end));
    cc_define(c, record, &place, 1);
    return true;
  }
  if (!og_text_skip(&name, "llvm.stackrestore.") || i->operands < 2 ||
      cc_parts(c->m, cc_type_of(c, og_ir_operand(c->f, i, 1))) != 1)
    return false;
  set_end(c, in_scalar(c, cc_part(c, og_ir_operand(c->f, i, 1), 0)));
  return true;
}
