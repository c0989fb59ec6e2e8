/* select_atomic.c - atomic operations and fences (user guide, "Memory Model"). */
#include "cc/address.h"
#include "cc/atomics.h"
#include "cc/memory_model.h"

static bool is_used(const struct cc_function *c, uint32_t record) { return c->used[record]; }

/* By a buffer instruction: the data come first, and the result replaces them. */
static struct cc_inst *by_buffer(struct cc_function *c, unsigned row, bool returns, const struct cc_address *a,
                                 operand data, operand to) {
  if (!returns)
    return cc_emit(c, row, 0, 4, (operand[]){data, a->at[0], a->at[1], a->at[2]});
  for (unsigned d = 0; d < to.dwords; d++)
    cc_move(c, cc_part_of(to, d, 1), cc_part_of(data, d, 1));
  struct cc_inst *inst = cc_emit(c, row, 1, 5, (operand[]){to, a->at[0], a->at[1], a->at[2], to});
  inst->tied = 4;
  return inst;
}

bool cc_select_atomic(struct cc_function *c, uint32_t record) {
  const struct og_ir_inst *i = &c->f->insts.items[record];
  struct og_ir_memory memory = og_ir_memory(i->extra);
  og_ir_ref pointer = og_ir_operand(c->f, i, 0), value = og_ir_operand(c->f, i, 1);
  og_ir_type type = cc_type_of(c, value);
  unsigned bits = 8 * (unsigned)cc_store_size(c->m, type), dwords = bits / 32, row = 0;
  struct cc_address a;
  bool swap_if = i->opcode == OG_IR_CMPXCHG, returns = is_used(c, record),
       pairs = og_ir_is_vector(c->m, type) && cc_parts(c->m, type) == 2 && bits == 32;
  if (cc_space_of(c, pointer) == PRIVATE)
    return cc_refuse(c, "an atomic operation on private memory");
  if (bits != 32 && bits != 64)
    return cc_refuse(c, "an atomic operation on %u bits", bits);
  if (og_ir_is_vector(c->m, type) && !pairs)
    return cc_refuse(c, "an atomic operation on a vector that is no pair of 16 bits");
  returns |= !swap_if && memory.operation == OG_IR_XCHG && cc_space_of(c, pointer) == LDS;
  if (!swap_if && !cc_atomic_row(c->isa, c->m, i, type, cc_space_of(c, pointer), returns, &row))
    return cc_refuse(c, "this atomic operation");
  struct cc_ordered ordered = {CC_ATOMICS, (uint8_t)memory.ordering, memory.scope, cc_space_of(c, pointer)};
  cc_order(c, &ordered, true);
  if (!cc_address(c, pointer, false, &a))
    return false;
  operand to = cc_temp(c, CC_V, dwords), data[4];
  unsigned count = 0;
  struct cc_inst *inst;
  if (swap_if) { /* replaced by the second if it equals the first */
    og_ir_ref next = og_ir_operand(c->f, i, 2);
    returns = true;
    if (a.space == LDS) {
      operand old = dwords == 2 ? cc_pair(c, value, 0, CC_V) : cc_in_vector(c, cc_part(c, value, 0));
      operand new = dwords == 2 ? cc_pair(c, next, 0, CC_V) : cc_in_vector(c, cc_part(c, next, 0));
      if (c->isa->gfx11) /* gfx11 and later: the new value comes first */
        inst = cc_emit(c, dwords == 2 ? OG_ROW_DS_CMPSTORE_RTN_B64 : OG_ROW_DS_CMPSTORE_RTN_B32, 1, 4,
                       (operand[]){to, a.at[0], new, old});
      else
        inst = cc_emit(c, dwords == 2 ? OG_ROW_DS_CMPST_RTN_B64 : OG_ROW_DS_CMPST_RTN_B32, 1, 4,
                       (operand[]){to, a.at[0], old, new});
    } else {
      for (unsigned k = 0; k < dwords; k++)
        data[count++] = cc_part(c, next, k);
      for (unsigned k = 0; k < dwords; k++)
        data[count++] = cc_part(c, value, k);
      operand both = cc_tuple(c, data, count, CC_V);
      row = a.space == FLAT ? (dwords == 2 ? OG_ROW_FLAT_ATOMIC_CMPSWAP_X2 : OG_ROW_FLAT_ATOMIC_CMPSWAP)
                            : (dwords == 2 ? OG_ROW_GLOBAL_ATOMIC_CMPSWAP_X2 : OG_ROW_GLOBAL_ATOMIC_CMPSWAP);
      if (a.by_buffer) {
        to = cc_temp(c, CC_V, count),
        row = dwords == 2 ? OG_ROW_BUFFER_ATOMIC_CMPSWAP_X2 : OG_ROW_BUFFER_ATOMIC_CMPSWAP;
        inst = by_buffer(c, row, true, &a, both, to);
      } else {
        inst = cc_emit(c, row, 1, 2 + a.operands, (operand[]){to, a.at[0], both, a.at[1]});
      }
    }
  } else {
    operand o = dwords == 2 ? cc_pair(c, value, 0, CC_V)
                : pairs     ? cc_in_vector(c, cc_pack_halves(c, cc_part(c, value, 0), cc_part(c, value, 1)))
                            : cc_in_vector(c, cc_part(c, value, 0));
    operand list[4] = {to, a.at[0], o, a.at[1]};
    inst = a.by_buffer ? by_buffer(c, row, returns, &a, o, to)
                       : cc_emit(c, row, returns, (unsigned)returns + 1 + a.operands, returns ? list : list + 1);
  }
  inst->offset = (int32_t)a.offset;
  if (a.space != LDS)
    inst->policy = cc_policy(c, CC_ATOMICS, memory.scope) | (returns ? OG_CPOL_GLC : 0);
  cc_order(c, &ordered, false);
  if (!returns)
    return true;
  operand out[3] = {cc_part_of(to, 0, 1), cc_part_of(to, 1, 1)};
  for (unsigned k = 0; k < 2 && pairs; k++)
    out[k] = cc_element_of(c, CC_V, &to, 16 * k);
  if (swap_if) {
    operand m = dwords == 2 ? cc_compare(c, OG_ROW_V_CMP_EQ_U64, cc_part_of(to, 0, 2), cc_pair(c, value, 0, CC_V))
                            : cc_compare(c, OG_ROW_V_CMP_EQ_U32, cc_part(c, value, 0), cc_part_of(to, 0, 1));
    out[dwords] = cc_choose(c, m, cc_constant(1), cc_constant(0));
  }
  cc_define(c, record, out, dwords + swap_if + pairs);
  return true;
}
