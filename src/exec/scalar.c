/* scalar.c - decodes scalar instructions into operations, and the handlers of those that isa/semantics.sem does not
 * express: relative registers, hardware registers, forks, messages. */
#include "exec/scalar.h"

#include <string.h>

#include "exec/barrier.h"
#include "exec/clock.h"
#include "exec/group.h"
#include "exec/lane_curves.h"
#include "exec/lane_small.h"
#include "exec/modifiers.h"
#include "exec/program.h"
#include "exec/trap.h"
#include "exec/vector.h"
#include "isa/rows.h"

struct og_scalar_row {
  uint16_t row;
  og_handler *handler;
  bool branches;      /* op->detail is the target */
  bool is_signed;     /* operands of 64 bits are */
  uint8_t dwords[4];  /* touched of D and the sources; 0: has none */
};

/* Goes to an address computed at run time. */
static const struct og_operation *og_jump(struct og_wave *wave, const struct og_operation *op, u64 pc) {
  const struct og_operation *target = og_program_at(wave->program, pc);
  if (!target)
    return og_wave_fault_at(wave, op, pc, "jump outside the program's code");
  return og_branch(wave, target);
}



/* Goes on in the operations that are for these high bits of vector registers. */
static const struct og_operation *with_msb(struct og_wave *wave, const struct og_operation *op, uint8_t msb) {
  struct og_program *program = og_program_with_msb(wave->program, msb);
  if (!program)
    return og_wave_fault(wave, op, "out of memory for the program under another VGPR_MSB");
  size_t next = (size_t)(og_next(op) - wave->program->operations);
  wave->program = program;
  return program->operations + next;
}

/* A new mode may need another loop: leave this one. */
static const struct og_operation *mode_written(struct og_wave *wave, const struct og_operation *op, u32 mode) {
  u32 changed = wave->mode ^ mode;
  wave->mode = mode;
  og_mode_changed(wave);
  if (changed & OG_MODE_VGPR_MSB && wave->program->target.processor->generation >= OG_GFX1250)
    return with_msb(wave, op, (uint8_t)((mode & OG_MODE_VGPR_MSB) >> 12));
  return changed & (OG_MODE_GPR_INDEX | OG_MODE_VSKIP) ? og_wave_stop(wave, op, OG_WAVE_READY) : og_next(op);
}
#include "exec/scalar_ops.inc"

/* The immediate has the fields {dst, src2, src1, src0}, MODE {src2, src1, src0, dst}. */
static const struct og_operation *set_vgpr_msb(struct og_wave *wave, const struct og_operation *op) {
  u32 fields = (u32)op->constant[2], msb = (fields << 2 | (fields >> 6 & 3)) & 255;
  return mode_written(wave, op, (wave->mode & ~(u32)OG_MODE_VGPR_MSB) | msb << 12);
}

/* ---- relative SGPRs: M0 is the index ----------------------------------------------------------------------------- */

static uint32_t relative(struct og_wave *wave, uint32_t offset) {
  uint32_t last = OG_AT_S(OG_S_VCC);
  uint64_t moved = offset + (uint64_t)wave->s[OG_S_M0] * 4;
  return moved < last ? (uint32_t)moved : OG_AT_S(OG_S_SINK);
}
static const struct og_operation *movrels_b32(struct og_wave *wave, const struct og_operation *op) {
  og_write_scalar32(wave, op->d, *og_at(wave, relative(wave, op->s[0])));
  return og_next(op);
}
static const struct og_operation *movrels_b64(struct og_wave *wave, const struct og_operation *op) {
  og_write_scalar64(wave, op->d, og_load64(og_at(wave, relative(wave, op->s[0]))));
  return og_next(op);
}
static const struct og_operation *movreld_b32(struct og_wave *wave, const struct og_operation *op) {
  og_write_scalar32(wave, relative(wave, op->d), og_scalar32(wave, op, 0));
  return og_next(op);
}
static const struct og_operation *movreld_b64(struct og_wave *wave, const struct og_operation *op) {
  og_write_scalar64(wave, relative(wave, op->d), og_scalar64(wave, op, 0));
  return og_next(op);
}

static const struct og_operation *movrelsd_2_b32(struct og_wave *wave, const struct og_operation *op) {
  u32 m0 = wave->s[OG_S_M0], last = OG_AT_S(OG_S_VCC);
  u32 from = op->s[0] + (m0 & 1023) * 4, to = op->d + (m0 >> 16 & 1023) * 4;
  og_write_scalar32(wave, to < last ? to : OG_AT_S(OG_S_SINK), *og_at(wave, from < last ? from : OG_AT_S(OG_S_SINK)));
  return og_next(op);
}

/* ---- hardware registers: SIMM16 = size - 1 [15:11], offset [10:6], register [5:0] -------------------------------- */

static u32 read_hardware(struct og_wave *wave, u32 id) {
  enum og_generation generation = wave->program->target.processor->generation;
  u32 value;
  if (og_trap_dispatch(wave) && og_trap_read(wave, id, &value))
    return value;
  switch (id) {
  case OG_HWREG_MODE: return wave->mode;
  case OG_HWREG_STATUS:
    return (wave->hwreg[id] & ~(u32)0x601) | wave->s[OG_S_SCC] | (u32)(og_mask(wave, OG_S_EXEC) == 0) << 9 |
           (u32)(og_mask(wave, OG_S_VCC) == 0) << 10;
  case OG_HWREG_CYCLES: /* 20 bits, from gfx12 on half of 64 */
    return generation >= OG_GFX12     ? (u32)og_core_clock(wave)
           : generation >= OG_GFX10_3 ? (u32)og_core_clock(wave) & 0xfffff
                                      : wave->hwreg[id];
  case OG_HWREG_CYCLES_HI: return generation >= OG_GFX12 ? (u32)(og_core_clock(wave) >> 32) : wave->hwreg[id];
  default: return wave->hwreg[id];
  }
}
static const struct og_operation *getreg(struct og_wave *wave, const struct og_operation *op) {
  u32 simm = (u32)op->constant[2];
  og_write_scalar32(wave, op->d, (u32)bits_u64(read_hardware(wave, simm & 63), simm >> 6 & 31, (simm >> 11 & 31) + 1));
  return og_next(op);
}
static const struct og_operation *setreg(struct og_wave *wave, const struct og_operation *op) {
  u32 simm = (u32)op->constant[2], id = simm & 63, offset = simm >> 6 & 31, size = (simm >> 11 & 31) + 1;
  u32 mask = (u32)bits_u64(~(u64)0, 0, size) << offset;
  u32 value = (read_hardware(wave, id) & ~mask) | (og_scalar32(wave, op, 0) << offset & mask);
  if (id == OG_HWREG_MODE)
    return mode_written(wave, op, value);
  if (og_trap_dispatch(wave) && og_trap_write(wave, id, value))
    return og_next(op);
  if (id != OG_HWREG_STATUS) /* this register is read-only */
    wave->hwreg[id] = value;
  return og_next(op);
}

/* ---- VGPR indexing and vector skipping --------------------------------------------------------------------------- */

static void set_index(struct og_wave *wave, u32 index) {
  wave->s[OG_S_M0] = (wave->s[OG_S_M0] & ~(u32)255) | (index & 255);
}
static void set_index_mode(struct og_wave *wave, u32 bits) {
  wave->s[OG_S_M0] = (wave->s[OG_S_M0] & ~(u32)0xf000) | (bits & 15) << 12;
}
static const struct og_operation *set_gpr_idx_on(struct og_wave *wave, const struct og_operation *op) {
  set_index(wave, og_scalar32(wave, op, 0));
  set_index_mode(wave, (u32)op->constant[1]); /* the field as it stands in the code */
  return mode_written(wave, op, wave->mode | OG_MODE_GPR_INDEX);
}
static const struct og_operation *set_gpr_idx_off(struct og_wave *wave, const struct og_operation *op) {
  return mode_written(wave, op, wave->mode & ~(u32)OG_MODE_GPR_INDEX);
}
static const struct og_operation *set_gpr_idx_idx(struct og_wave *wave, const struct og_operation *op) {
  set_index(wave, og_scalar32(wave, op, 0));
  return og_next(op);
}
static const struct og_operation *set_gpr_idx_mode(struct og_wave *wave, const struct og_operation *op) {
  set_index_mode(wave, (u32)op->constant[2]);
  return og_next(op);
}
static const struct og_operation *setvskip(struct og_wave *wave, const struct og_operation *op) {
  u32 bit = og_scalar32(wave, op, 0) >> (og_scalar32(wave, op, 1) & 31) & 1;
  return mode_written(wave, op, bit ? wave->mode | OG_MODE_VSKIP : wave->mode & ~(u32)OG_MODE_VSKIP);
}

/* ---- forks: a stack of {EXEC, PC} in SGPRs 4 * CSP, CSP in MODE[31:29] ------------------------------------------- */

static const struct og_operation *fork_waves(struct og_wave *wave, const struct og_operation *op, u64 taken) {
  u64 exec = og_mask(wave, OG_S_EXEC), pass = og_scalar64(wave, op, 0) & exec, fail = exec & ~pass;
  u32 csp = wave->mode >> 29;
  u64 next = og_pc(wave->program, og_next(op));
  if (pass == exec)
    return og_jump(wave, op, taken);
  if (fail == exec)
    return og_next(op);
  bool fail_first = count_u64(fail) < count_u64(pass);
  og_store64(&wave->s[4 * csp], fail_first ? pass : fail);
  og_store64(&wave->s[4 * csp + 2], fail_first ? taken : next);
  wave->mode = (wave->mode & 0x1fffffff) | (csp + 1) << 29;
  og_write_scalar64(wave, OG_AT_S(OG_S_EXEC), fail_first ? fail : pass);
  return fail_first ? og_next(op) : og_jump(wave, op, taken);
}
static const struct og_operation *cbranch_g_fork(struct og_wave *wave, const struct og_operation *op) {
  return fork_waves(wave, op, og_scalar64(wave, op, 1));
}
static const struct og_operation *cbranch_i_fork(struct og_wave *wave, const struct og_operation *op) {
  return fork_waves(wave, op, og_pc(wave->program, op->detail));
}
static const struct og_operation *cbranch_join(struct og_wave *wave, const struct og_operation *op) {
  u32 csp = wave->mode >> 29;
  if (csp == og_scalar32(wave, op, 0) || csp == 0)
    return og_next(op);
  csp--;
  wave->mode = (wave->mode & 0x1fffffff) | csp << 29;
  og_write_scalar64(wave, OG_AT_S(OG_S_EXEC), og_load64(&wave->s[4 * csp]));
  return og_jump(wave, op, og_load64(&wave->s[4 * csp + 2]));
}

/* The halves of a wave of 64 one after the other ("RDNA1" and "RDNA2" ISA, S_SUBVECTOR_LOOP_*): D keeps the half of
 * EXEC that is not at work. */
static const struct og_operation *subvector_loop_begin(struct og_wave *wave, const struct og_operation *op) {
  u64 exec = og_exec(wave);
  u32 low = (u32)exec, high = (u32)(exec >> 32);
  if (exec == 0)
    return og_jump(wave, op, og_pc(wave->program, op->detail));
  og_write_scalar32(wave, op->d, low ? high : low);
  og_write_scalar64(wave, OG_AT_S(OG_S_EXEC), low ? low : exec);
  return og_next(op);
}
static const struct og_operation *subvector_loop_end(struct og_wave *wave, const struct og_operation *op) {
  u64 exec = og_exec(wave);
  u32 kept = *og_at(wave, op->d);
  if (exec >> 32) { /* the high half is done, too */
    og_write_scalar64(wave, OG_AT_S(OG_S_EXEC), (exec & ~(u64)UINT32_MAX) | kept);
    return og_next(op);
  }
  if (kept == 0)
    return og_next(op);
  og_write_scalar32(wave, op->d, (u32)exec);
  og_write_scalar64(wave, OG_AT_S(OG_S_EXEC), (u64)kept << 32);
  return og_jump(wave, op, og_pc(wave->program, op->detail));
}

/* ---- what would need an operating system ------------------------------------------------------------------------- */

enum { MSG_INTERRUPT = 1 };
static const struct og_operation *sendmsg(struct og_wave *wave, const struct og_operation *op) {
  const struct og_dispatch *dispatch = wave->group ? wave->group->dispatch : NULL;
  if ((op->constant[2] & 15) == MSG_INTERRUPT && dispatch && dispatch->interrupt)
    dispatch->interrupt(dispatch->interrupt_context);
  return og_next(op); /* messages to graphics stages have no receiver */
}
static const struct og_operation *sendmsg_halt(struct og_wave *wave, const struct og_operation *op) {
  sendmsg(wave, op);
  return og_wave_fault(wave, op, "the wave halts itself, and nothing would wake it");
}
/* Messages that are answered: MSG_RTN_GET_REALTIME with the constant clock; TMA and TBA are 0 without a trap
 * handler. */
enum {
  MSG_RTN_GET_TMA = 130,
  MSG_RTN_GET_REALTIME = 131,
  MSG_RTN_GET_TBA = 133,
  MSG_RTN_GET_CLUSTER_BARRIER_STATE = 136
};
static uint64_t answer(const struct og_wave *wave, const struct og_operation *op) {
  const struct og_dispatch *trap = og_trap_dispatch(wave);
  switch (op->constant[0]) {
  case MSG_RTN_GET_REALTIME: return og_constant_clock(wave);
  case MSG_RTN_GET_TBA: return trap ? trap->handler_entry : 0;
  case MSG_RTN_GET_TMA: return trap ? trap->handler_memory : 0;
  case MSG_RTN_GET_CLUSTER_BARRIER_STATE: return og_cluster_barrier_state(wave);
  default: return 0;
  }
}
static const struct og_operation *sendmsg_rtn_b32(struct og_wave *wave, const struct og_operation *op) {
  og_write_scalar32(wave, op->d, (u32)answer(wave, op));
  return og_next(op);
}
static const struct og_operation *sendmsg_rtn_b64(struct og_wave *wave, const struct og_operation *op) {
  og_write_scalar64(wave, op->d, answer(wave, op));
  return og_next(op);
}
static const struct og_operation *get_shader_cycles(struct og_wave *wave, const struct og_operation *op) {
  og_write_scalar64(wave, op->d, og_core_clock(wave));
  return og_next(op);
}
static bool is_answered(const struct og_operation *op) {
  return op->constant[0] == MSG_RTN_GET_TMA || op->constant[0] == MSG_RTN_GET_REALTIME ||
         op->constant[0] == MSG_RTN_GET_TBA || op->constant[0] == MSG_RTN_GET_CLUSTER_BARRIER_STATE;
}
static const struct og_operation *setkill(struct og_wave *wave, const struct og_operation *op) {
  return op->constant[2] & 1 ? og_wave_stop(wave, op, OG_WAVE_ENDED) : og_next(op);
}

static const struct og_scalar_row by_hand[] = {
    {OG_ROW_S_MOVRELS_B32, movrels_b32, false, false, {1, 1}},
    {OG_ROW_S_MOVRELS_B64, movrels_b64, false, false, {2, 2}},
    {OG_ROW_S_MOVRELD_B32, movreld_b32, false, false, {1, 1}},
    {OG_ROW_S_MOVRELD_B64, movreld_b64, false, false, {2, 2}},
    {OG_ROW_S_MOVRELSD_2_B32, movrelsd_2_b32, false, false, {1, 1}},
    {OG_ROW_S_SET_VGPR_MSB, set_vgpr_msb, false, false, {0}},
    {OG_ROW_S_BARRIER_SIGNAL, og_barrier_signal, false, false, {0, 1}},
    {OG_ROW_S_BARRIER_SIGNAL_ISFIRST, og_barrier_signal_isfirst, false, false, {0, 1}},
    {OG_ROW_S_BARRIER_WAIT, og_barrier_wait, false, false, {0}},
    {OG_ROW_S_GET_BARRIER_STATE, og_barrier_state, false, false, {1, 1}},
    {OG_ROW_S_BARRIER_INIT, og_barrier_init, false, false, {0, 1}},
    {OG_ROW_S_BARRIER_JOIN, og_barrier_join, false, false, {0, 1}},
    {OG_ROW_S_BARRIER_LEAVE, og_barrier_leave, false, false, {0}},
    {OG_ROW_S_GETREG_B32, getreg, false, false, {1}},
    {OG_ROW_S_SETREG_B32, setreg, false, false, {0, 1}},
    {OG_ROW_S_SETREG_IMM32_B32, setreg, false, false, {0, 1}},
    {OG_ROW_S_SET_GPR_IDX_ON, set_gpr_idx_on, false, false, {0, 1, 1}},
    {OG_ROW_S_SET_GPR_IDX_OFF, set_gpr_idx_off, false, false, {0}},
    {OG_ROW_S_SET_GPR_IDX_IDX, set_gpr_idx_idx, false, false, {0, 1}},
    {OG_ROW_S_SET_GPR_IDX_MODE, set_gpr_idx_mode, false, false, {0}},
    {OG_ROW_S_SETVSKIP, setvskip, false, false, {0, 1, 1}},
    {OG_ROW_S_CBRANCH_G_FORK, cbranch_g_fork, false, false, {0, 2, 2}},
    {OG_ROW_S_CBRANCH_I_FORK, cbranch_i_fork, true, false, {0, 2}},
    {OG_ROW_S_SUBVECTOR_LOOP_BEGIN, subvector_loop_begin, true, false, {1}},
    {OG_ROW_S_SUBVECTOR_LOOP_END, subvector_loop_end, true, false, {1}},
    {OG_ROW_S_CBRANCH_JOIN, cbranch_join, false, false, {0, 1}},
    {OG_ROW_S_TRAP, og_trap_handler, false, false, {0}},
    {OG_ROW_S_RFE_B64, og_rfe, false, false, {0, 2}},
    {OG_ROW_S_RFE_RESTORE_B64, og_rfe_restore, false, false, {0, 2, 1}},
    {OG_ROW_S_SENDMSG, sendmsg, false, false, {0}},
    {OG_ROW_S_SENDMSGHALT, sendmsg_halt, false, false, {0}},
    {OG_ROW_S_SENDMSG_RTN_B32, sendmsg_rtn_b32, false, false, {1, 1}},
    {OG_ROW_S_SENDMSG_RTN_B64, sendmsg_rtn_b64, false, false, {2, 1}},
    {OG_ROW_S_GET_SHADER_CYCLES_U64, get_shader_cycles, false, false, {2}},
    {OG_ROW_S_SETHALT, og_sethalt, false, false, {0}},
    {OG_ROW_S_SETKILL, setkill, false, false, {0}},
};

static const struct og_scalar_row *find_row(unsigned row) {
  if (row < OG_ROW_COUNT && scalar_of_row[row])
    return &scalar_rows[scalar_of_row[row] - 1];
  for (size_t i = 0; i < OG_COUNT(by_hand); i++)
    if (by_hand[i].row == row)
      return &by_hand[i];
  return NULL;
}

/* A 32-bit literal of a 64-bit operand is sign-extended for the signed types alone (manual, 6.2.1). */
static uint64_t literal(const struct og_operand *operand, bool is_signed) {
  return operand->kind == OG_OPERAND_LITERAL && operand->value >> 32 == 0 && is_signed
             ? (uint64_t)(int64_t)(int32_t)operand->value : operand->value;
}

/* What D is: where SOPK has no destination, the register that it compares or hands over. */
static const struct og_operand *destination_of(const struct og_inst *inst) {
  const struct og_operand *sdst = og_operand(inst, OG_ROLE_SDST);
  return sdst == NULL && inst->encoding == OG_ENC_SOPK   ? og_operand(inst, OG_ROLE_SRC0)
         : sdst == NULL && inst->encoding == OG_ENC_VOP3 ? og_operand(inst, OG_ROLE_VDST)
                                                         : sdst;
}

static bool place_operands(const struct og_inst *inst, const struct og_scalar_row *row, struct og_operation *op) {
  static const uint8_t roles[3] = {OG_ROLE_SRC0, OG_ROLE_SRC1, OG_ROLE_SRC2};
  const struct og_operand *destination = destination_of(inst);
  op->d = OG_AT_S(OG_S_SINK);
  if (row->dwords[0] && !og_place_result(destination, row->dwords[0], &op->d))
    return false;
  for (int i = 0; i < 3; i++) {
    const struct og_operand *source = og_operand(inst, roles[i]);
    op->s[i] = OG_AT_S(OG_S_ZERO);
    if (i == 0 && source == NULL && inst->encoding == OG_ENC_SOPK)
      source = destination; /* s_setreg and forks read what stands in the place of one */
    if (row->dwords[1 + i] == 0)
      continue;
    if (i == 0 && source == NULL && inst->encoding == OG_ENC_SOP1) { /* M0 is told by a form without operands */
      op->s[i] = OG_AT_S(OG_S_M0);
      continue;
    }
    if (!og_place_scalar(source, row->dwords[1 + i], &op->s[i], &op->constant[i]))
      return false;
    if (op->s[i] == OG_AT_S(OG_S_ZERO))
      op->constant[i] = literal(source, row->is_signed);
  }
  const struct og_operand *immediate = og_operand(inst, OG_ROLE_SIMM);
  if (immediate)
    op->constant[2] = immediate->value;
  return true;
}

bool og_prepare_scalar(struct og_program *program, const struct og_inst *inst, struct og_operation *op) {
  const struct og_scalar_row *row = find_row(inst->row);
  const struct og_operation *place = op->detail;
  op->detail = NULL;
  op->class = inst->encoding == OG_ENC_SOPP ? OG_CLASS_OTHER : OG_CLASS_SALU;
  if (!row || !og_obeys(program, inst, 0) || !place_operands(inst, row, op))
    return false;
  if ((row->handler == sendmsg_rtn_b32 || row->handler == sendmsg_rtn_b64) && !is_answered(op))
    return og_refuse(program, "this message");
  if (row->branches) {
    op->class = OG_CLASS_BRANCH;
    const struct og_operation *target =
        og_program_at(program, og_pc(program, place) + 4 * (op->words + (uint64_t)(int64_t)(int16_t)op->constant[2]));
    op->detail = target ? target : program->operations + program->words; /* faults when reached */
  }
  if (inst->row == OG_ROW_S_SETPC_B64 || inst->row == OG_ROW_S_SWAPPC_B64)
    op->class = OG_CLASS_BRANCH;
  op->handler = row->handler;
  return true;
}

bool og_prepare_scalar_result(struct og_program *program, const struct og_inst *inst, struct og_operation *op) {
  const struct og_operand *result = og_operand(inst, OG_ROLE_VDST);
  if (!result || result->kind == OG_OPERAND_VGPR || find_row(inst->row) == NULL)
    return false;
  for (unsigned i = 0; i < inst->operand_count; i++)
    if (!og_obeys_flags(program, &inst->operands[i], 0))
      return false;
  bool ok = og_prepare_scalar(program, inst, op);
  op->class = OG_CLASS_VALU;
  return ok;
}
