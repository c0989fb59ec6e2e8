/* sequence.c - turns operations of the memory model into a generation's instructions. */
#include "litmus/sequence.h"

#include "cc/memory_model.h"
#include "isa/rows.h"

#include <string.h>

/* ---- what the compiler's table says ------------------------------------------------------------------------------ */

static const struct cc_memory_model *model_of(const struct og_litmus_test *test, enum og_scope scope) {
  return scope == OG_SCOPE_WAVE
             ? NULL
             : cc_memory_model_of(test->isa, test->wgp, (unsigned)scope - OG_SCOPE_WORKGROUP);
}

static void put(struct og_sequence *sequence, enum og_step_kind kind, unsigned policy) {
  sequence->step[sequence->count++] = (struct og_step){(uint8_t)kind, (uint8_t)policy};
}

static void put_wait(const struct og_litmus_test *test, const struct cc_memory_model *m, struct og_sequence *sequence) {
  put(sequence, OG_STEP_LGKM, 0);
  if (m->waits == ALL)
    put(sequence, OG_STEP_VM, 0);
  if (m->waits == ALL && test->isa->gfx10)
    put(sequence, OG_STEP_VS, 0);
}

static void put_acquire(const struct cc_memory_model *m, struct og_sequence *sequence) {
  switch (m->acquire) {
  case INVL2_WBINVL1_VOL: put(sequence, OG_STEP_INVL2, 0); /* fall through */
  case WBINVL1_VOL:
  case WBINVL1: put(sequence, OG_STEP_WBINVL1, 0); break;
  case INV: put(sequence, OG_STEP_INV, m->load); break;
  case GL1_GL0: put(sequence, OG_STEP_GL1, 0); /* fall through */
  case GL0: put(sequence, OG_STEP_GL0, 0); break;
  case INV12: put(sequence, OG_STEP_GLOBAL_INV, m->load); break;
  default: break;
  }
}

void og_sequence_of(const struct og_litmus_test *test, enum og_access_kind kind, enum og_order order,
                    enum og_scope scope, enum og_address_space space, struct og_sequence *sequence) {
  *sequence = (struct og_sequence){0};
  const struct cc_memory_model *m = order == OG_ORDER_PLAIN ? NULL : model_of(test, scope);
  bool releases = order >= OG_ORDER_RELEASE && kind != OG_DO_LOAD,
       sc_load = order == OG_ORDER_SEQ_CST && kind == OG_DO_LOAD;
  bool acquires = order >= OG_ORDER_ACQUIRE && order != OG_ORDER_RELEASE && kind != OG_DO_STORE;
  if (m && releases && m->release == WBL2)
    put(sequence, OG_STEP_WBL2, m->kind == GFX942 ? m->load : 0);
  if (m && releases && m->release == WB12)
    put(sequence, OG_STEP_GLOBAL_WB, m->load);
  if (m && (releases || sc_load))
    put_wait(test, m, sequence);
  if (kind != OG_DO_FENCE)
    put(sequence, OG_STEP_OP,
        !m || space == OG_LOCAL ? 0
        : kind == OG_DO_LOAD    ? m->load
        : kind == OG_DO_STORE   ? m->store
                                : m->atomic);
  if (m && acquires && (kind != OG_DO_FENCE || !releases))
    put_wait(test, m, sequence);
  if (m && acquires)
    put_acquire(m, sequence);
}

/* ---- a generation's instructions --------------------------------------------------------------------------------- */

static const char *policy_text(const struct og_litmus_test *test, unsigned policy, bool returns) {
  static const char *const old[8] = {"", " glc", " slc", " glc slc", " dlc", " glc dlc", " slc dlc", " glc slc dlc"};
  static const char *const sc[4] = {"", " sc0", " sc1", " sc0 sc1"};
  static const char *const scope[4] = {"", " scope:SCOPE_SE", " scope:SCOPE_DEV", " scope:SCOPE_SYS"};
  static const char *const scope_return[4] = {" th:TH_ATOMIC_RETURN", " th:TH_ATOMIC_RETURN scope:SCOPE_SE",
                                              " th:TH_ATOMIC_RETURN scope:SCOPE_DEV",
                                              " th:TH_ATOMIC_RETURN scope:SCOPE_SYS"};
  if (test->isa->gfx12)
    return (returns ? scope_return : scope)[policy >> 3 & 3];
  policy |= returns ? OG_CPOL_GLC : 0;
  return test->isa->gfx940 ? sc[(policy & OG_CPOL_GLC ? 1 : 0) | (policy & OG_CPOL_SCC ? 2 : 0)] : old[policy & 7];
}

/* Names of atomics: on memory up to gfx11, on memory later, and on LDS. */
static const struct atomic {
  uint8_t operation;
  const char *memory, *late, *lds;
} atomics[] = {
    {OG_DOES_ADD, "atomic_add", "atomic_add_u32", "add"},  {OG_DOES_SUB, "atomic_sub", "atomic_sub_u32", "sub"},
    {OG_DOES_AND, "atomic_and", "atomic_and_b32", "and"},  {OG_DOES_OR, "atomic_or", "atomic_or_b32", "or"},
    {OG_DOES_XOR, "atomic_xor", "atomic_xor_b32", "xor"},  {OG_DOES_SWAP, "atomic_swap", "atomic_swap_b32", "wrxchg"},
    {OG_DOES_MIN, "atomic_umin", "atomic_min_u32", "min"}, {OG_DOES_MAX, "atomic_umax", "atomic_max_u32", "max"},
};

static const char *prefix_of(const struct og_litmus_test *test, enum og_address_space space) {
  enum og_generation generation = test->isa->generation;
  return space == OG_GENERIC || generation == OG_GFX8 ? "flat" : generation < OG_GFX8 ? "buffer" : "global";
}

static void emit_lds(const struct og_litmus_test *test, const struct og_litmus_op *op, unsigned data,
                     const struct atomic *atomic, struct og_buffer *out) {
  bool late = test->isa->gfx11;
  unsigned address = 2u * op->place, result = OG_RESULT_REGISTER + op->result;
  if (op->kind == OG_DO_LOAD) {
    og_buffer_printf(out, "%s v%u, v%u\n", late ? "ds_load_b32" : "ds_read_b32", result, address);
  } else if (op->kind == OG_DO_STORE) {
    og_buffer_printf(out, "%s v%u, v%u\n", late ? "ds_store_b32" : "ds_write_b32", address, data);
  } else {
    bool swap = op->atomic == OG_DOES_SWAP,
         bits = op->atomic == OG_DOES_AND || op->atomic == OG_DOES_OR || op->atomic == OG_DOES_XOR;
    bool returns = op->returns || swap;
    og_buffer_printf(out, "ds_%s%s_%s ", swap && late ? "storexchg" : atomic->lds, returns ? "_rtn" : "",
                     swap || bits ? "b32" : "u32");
    if (returns)
      og_buffer_printf(out, "v%u, ", result);
    og_buffer_printf(out, "v%u, v%u\n", address, data);
  }
}

static void emit_access(const struct og_litmus_test *test, const struct og_litmus_op *op, unsigned data,
                        unsigned policy, struct og_buffer *out) {
  const struct atomic *atomic = atomics;
  while (op->kind == OG_DO_RMW && atomic->operation != op->atomic && atomic < atomics + OG_COUNT(atomics) - 1)
    atomic++;
  if (op->space == OG_LOCAL) {
    emit_lds(test, op, data, atomic, out);
    return;
  }
  const char *prefix = prefix_of(test, (enum og_address_space)op->space);
  bool buffer = *prefix == 'b', late = test->isa->gfx11, returns = op->kind == OG_DO_RMW && op->returns;
  unsigned address = 2u * op->place, result = OG_RESULT_REGISTER + op->result;
  const char *name = op->kind == OG_DO_LOAD    ? late ? "load_b32" : "load_dword"
                     : op->kind == OG_DO_STORE ? late ? "store_b32" : "store_dword"
                     : late                    ? atomic->late
                                               : atomic->memory;
  const char *end = *prefix == 'f' ? "" : ", off";
  const char *policy_words = policy_text(test, policy, returns);
  if (buffer) { /* the old value comes in the register of the data */
    if (returns)
      og_buffer_printf(out, "v_mov_b32 v%u, v%u\n", result, data);
    og_buffer_printf(out, "buffer_%s v%u, v[%u:%u], s[0:3], 0 addr64%s\n", name,
                     op->kind == OG_DO_LOAD || returns ? result : data, address, address + 1, policy_words);
    return;
  }
  og_buffer_printf(out, "%s_%s ", prefix, name);
  if (op->kind == OG_DO_LOAD)
    og_buffer_printf(out, "v%u, v[%u:%u]%s", result, address, address + 1, end);
  else if (returns)
    og_buffer_printf(out, "v%u, v[%u:%u], v%u%s", result, address, address + 1, data, end);
  else
    og_buffer_printf(out, "v[%u:%u], v%u%s", address, address + 1, data, end);
  og_buffer_printf(out, "%s\n", policy_words);
}

/* Writes waits and cache operations. */
static void emit_step(const struct og_litmus_test *test, const struct og_litmus_op *op, const struct og_step *step,
                      struct og_buffer *out) {
  bool gfx10 = test->isa->gfx10, gfx12 = test->isa->gfx12;
  enum og_step_kind kind = step->kind;
  if (kind == OG_STEP_RETURNED)
    kind = gfx10 && !op->returns ? OG_STEP_VS : OG_STEP_VM;
  if (kind == OG_STEP_VS && !gfx10)
    kind = OG_STEP_VM;
  const char *policy = policy_text(test, step->policy, false);
  switch (kind) {
  case OG_STEP_LGKM: og_buffer_text(out, gfx12 ? "s_wait_dscnt 0x0\n" : "s_waitcnt lgkmcnt(0)\n"); break;
  case OG_STEP_VM: og_buffer_text(out, gfx12 ? "s_wait_loadcnt 0x0\n" : "s_waitcnt vmcnt(0)\n"); break;
  case OG_STEP_VS: og_buffer_text(out, gfx12 ? "s_wait_storecnt 0x0\n" : "s_waitcnt_vscnt null, 0x0\n"); break;
  case OG_STEP_WBINVL1:
    og_buffer_text(out, test->isa->generation == OG_GFX6 ? "buffer_wbinvl1\n" : "buffer_wbinvl1_vol\n");
    break;
  case OG_STEP_GL0: og_buffer_text(out, "buffer_gl0_inv\n"); break;
  case OG_STEP_GL1: og_buffer_text(out, "buffer_gl1_inv\n"); break;
  case OG_STEP_INVL2: og_buffer_text(out, "buffer_invl2\n"); break;
  case OG_STEP_WBL2: og_buffer_printf(out, "buffer_wbl2%s\n", policy); break;
  case OG_STEP_INV: og_buffer_printf(out, "buffer_inv%s\n", policy); break;
  case OG_STEP_GLOBAL_INV: og_buffer_printf(out, "global_inv%s\n", policy); break;
  default: og_buffer_printf(out, "global_wb%s\n", policy); break;
  }
}

void og_sequence_print_step(const struct og_litmus_test *test, const struct og_litmus_op *op,
                            const struct og_step *step, struct og_buffer *out) {
  if (step->kind == OG_STEP_OP)
    og_buffer_printf(out, "the access%s", policy_text(test, step->policy, false));
  else
    emit_step(test, op, step, out);
  if (out->size && out->data[out->size - 1] == '\n')
    out->size--;
}

bool og_litmus_set_addresses(const struct og_litmus_test *test, struct og_litmus_thread *thread) {
  for (unsigned p = 0; p < test->places; p++) {
    uint64_t address = og_litmus_address(test, p);
    int low = og_litmus_register(thread, OG_OPERAND_VGPR, 2 * p),
        high = og_litmus_register(thread, OG_OPERAND_VGPR, 2 * p + 1);
    if (low < 0 || high < 0)
      return false;
    thread->reg[low].initial = (uint32_t)address;
    thread->reg[high].initial = (uint32_t)(address >> 32);
  }
  return true;
}

bool og_sequence_emit(const struct og_litmus_test *test, struct og_litmus_thread *thread, const struct og_litmus_op *op,
                      const struct og_sequence *sequence, struct og_buffer *out) {
  unsigned data = OG_RESULT_REGISTER + op->value.value;
  if (op->value.constant && (op->kind == OG_DO_STORE || op->kind == OG_DO_RMW)) {
    data = OG_CONSTANT_REGISTER;
    for (unsigned r = 0; r < thread->registers; r++) /* takes the register with the constant, or the next */
      if (thread->reg[r].number >= OG_CONSTANT_REGISTER && thread->reg[r].number < OG_RESULT_REGISTER) {
        data = thread->reg[r].number;
        if (thread->reg[r].initial == op->value.value)
          break;
        data++;
      }
    int number = og_litmus_register(thread, OG_OPERAND_VGPR, data);
    if (number < 0)
      return false;
    thread->reg[number].initial = op->value.value;
  }
  for (unsigned i = 0; i < sequence->count; i++)
    if (sequence->step[i].kind == OG_STEP_OP)
      emit_access(test, op, data, sequence->step[i].policy, out);
    else
      emit_step(test, op, &sequence->step[i], out);
  return true;
}
