/* trap.c - from s_trap to the handler and back: TTMP registers, STATUS and the flags of exceptions as each generation
 * has them ("Vega" ISA, 4.4; RDNA4 and "CDNA5" ISA, 3.4). A handler is code of its own; what watches the kernel does
 * not see it. */
#include "exec/trap.h"

#include "exec/lane_small.h"
#include "exec/scalar.h"
#include "exec/trap_flags.h"
#include "exec/vector.h"
#include "isa/rows.h"

/* Hardware registers, and the bits of them that are meant here. */
enum {
  HWREG_STATUS = 2, HWREG_TRAPSTS = 3 /* up to gfx11 */, HWREG_STATE_PRIV = 4,  /* from gfx12 on, as the next three */
  HWREG_EXCP_FLAG_PRIV = 17, HWREG_EXCP_FLAG_USER = 18, HWREG_TRAP_CTRL = 19,
  HWREG_TBA_LO = 16 /* gfx9 and gfx10 */, HWREG_TMA_HI = 19,
};
enum {
  STATUS_SCC = 0, STATUS_PRIV = 5, STATUS_TRAP_EN = 6, STATUS_EXECZ = 9, STATUS_VCCZ = 10, STATUS_IN_GROUP = 11,
  STATUS_HALT = 13, STATUS_WAVE64 = 29,
  PRIV_GROUP_DONE = 2, PRIV_NAMED_DONE = 3, PRIV_NAMED = 4, PRIV_SCC = 9, PRIV_HALT = 14, PRIV_CLUSTER_DONE = 16,
};
enum { MODE_EXCEPTIONS = 12, MODE_MEMORY = 20, MODE_EACH = 11, CONTROL_END = 8, CONTROL_EACH = 9 };
enum { ARITHMETIC = 0x7f, TRAPSTS_MEMORY = 8, TRAPSTS_ILLEGAL = 11 };
enum { FLAG_MEMORY = 4, FLAG_ILLEGAL = 6, FLAG_END = 9, FLAG_EACH = 11 };

static enum og_generation generation_of(const struct og_wave *wave) {
  return wave->program->target.processor->generation;
}
static bool is_late(const struct og_wave *wave) { return generation_of(wave) >= OG_GFX12; }

/* ---- there and back ---------------------------------------------------------------------------------------------- */

static u64 address_mask(const struct og_wave *wave) {
  return ((u64)1 << (generation_of(wave) >= OG_GFX1250 ? 57 : 48)) - 4;
}

/* Leaves the loop, which goes on there: it may be another one, without an observer. */
static const struct og_operation *go_to(struct og_wave *wave, const struct og_operation *at) {
  wave->resume = at;
  wave->state = OG_WAVE_READY;
  return &og_stop;
}

/* The operation at an address, under the wave's MODE.VGPR_MSB; NULL: it is not the program's. */
static const struct og_operation *find(struct og_wave *wave, struct og_program *program, u64 pc) {
  u8 msb = (u8)(generation_of(wave) >= OG_GFX1250 ? (wave->mode & OG_MODE_VGPR_MSB) >> 12 : 0);
  if (!og_program_at(program->root, pc))
    return NULL;
  program = og_program_with_msb(program->root, msb);
  if (program)
    wave->program = program;
  return program ? og_program_at(program, pc) : NULL;
}

const struct og_operation *og_trap_enter(struct og_wave *wave, const struct og_operation *at, u32 id) {
  const struct og_dispatch *dispatch = og_trap_dispatch(wave);
  struct og_program *interrupted = wave->program;
  u64 pc = og_pc(interrupted, at);
  if (wave->privileged)
    return og_wave_fault(wave, at, "trap %u within the trap handler", id);
  wave->s[OG_S_TTMP] = (u32)pc;
  wave->s[OG_S_TTMP + 1] = (u32)(pc >> 32) | id << (is_late(wave) ? 28 : 16);
  const struct og_operation *target = find(wave, dispatch->handler, dispatch->handler_entry);
  if (!target)
    return og_wave_fault(wave, at, "the trap handler's entry is outside its code");
  wave->interrupted = interrupted;
  wave->privileged = true;
  wave->set_aside = wave->observer;
  wave->observer = NULL;
  return go_to(wave, target);
}

static const struct og_operation *leave(struct og_wave *wave, const struct og_operation *op, u64 pc) {
  if (!wave->privileged)
    return og_wave_fault(wave, op, "a return from a trap handler, and the wave is in none");
  pc &= address_mask(wave);
  const struct og_operation *target = find(wave, wave->interrupted, pc);
  if (!target)
    return og_wave_fault_at(wave, op, pc, "the trap handler returns to outside the program's code");
  if (wave->halted)
    return og_wave_fault(wave, op, "the trap handler halts the wave, and nothing would wake it");
  wave->privileged = false;
  wave->observer = wave->set_aside;
  return go_to(wave, target);
}

const struct og_operation *og_rfe(struct og_wave *wave, const struct og_operation *op) {
  return leave(wave, op, og_scalar64(wave, op, 0));
}
/* Its second operand tells how instructions' addresses are translated, which are the process's here. */
const struct og_operation *og_rfe_restore(struct og_wave *wave, const struct og_operation *op) {
  return leave(wave, op, og_scalar64(wave, op, 0));
}

/* Within a handler the wave halts when it returns; SIMM16[2], from gfx11 on: at once. */
const struct og_operation *og_sethalt(struct og_wave *wave, const struct og_operation *op) {
  u32 simm = (u32)op->constant[2];
  bool fatal = generation_of(wave) >= OG_GFX11 && simm & 4;
  if (wave->privileged && !fatal)
    wave->halted = simm & 1;
  else if (simm & 1)
    return og_wave_fault(wave, op, "the wave halts itself, and nothing would wake it");
  return og_next(op);
}

const struct og_operation *og_trap_handler(struct og_wave *wave, const struct og_operation *op) {
  u32 id = (u32)op->constant[2] & (is_late(wave) ? 15 : 255);
  if (og_trap_dispatch(wave))
    return og_trap_enter(wave, op, id);
  if (id == 3) /* debug trap: nothing happens without a debugger */
    return og_next(op);
  u64 exec = og_exec(wave);
  u32 argument = wave->v[0][exec ? __builtin_ctzll(exec) : 0]; /* of HSAIL's debugtrap; compute ABI, "Debugtrap" */
  const struct og_operation *stop = og_wave_fault(
      wave, op, id == 2   ? "trap %u: the program gave up (abort, assert or unreachable code)"
                : id == 1 ? "trap %u: debugtrap %u, and no debugger"
                          : "trap %u", id, argument);
  wave->fault.kind = OG_FAULT_TRAP;
  return stop;
}

/* ---- hardware registers ------------------------------------------------------------------------------------------ */

static u32 status(struct og_wave *wave) {
  bool late = is_late(wave);
  u32 value = wave->hwreg[HWREG_STATUS] | (u32)wave->privileged << STATUS_PRIV | 1u << STATUS_TRAP_EN |
              (u32)(og_mask(wave, OG_S_EXEC) == 0) << STATUS_EXECZ | (u32)(og_mask(wave, OG_S_VCC) == 0) << STATUS_VCCZ;
  if (late)
    return value | (u32)(wave->group->wave_count > 1) << STATUS_IN_GROUP |
           (u32)(wave->wave_size == 64) << STATUS_WAVE64;
  return value | wave->s[OG_S_SCC] << STATUS_SCC | (u32)wave->halted << STATUS_HALT;
}

static u32 state_priv(const struct og_wave *wave) {
  u32 done = wave->barriers_done;
  return (u32)(done & OG_BARRIER_GROUP ? 1 : 0) << PRIV_GROUP_DONE | (done & OG_BARRIER_NAMED) << PRIV_NAMED_DONE |
         (u32)wave->named_barrier << PRIV_NAMED | wave->s[OG_S_SCC] << PRIV_SCC | (u32)wave->halted << PRIV_HALT |
         (u32)(done & OG_BARRIER_CLUSTER ? 1 : 0) << PRIV_CLUSTER_DONE;
}

bool og_trap_read(struct og_wave *wave, u32 id, u32 *value) {
  enum og_generation generation = generation_of(wave);
  const struct og_dispatch *dispatch = og_trap_dispatch(wave);
  const u64 bases[2] = {dispatch->handler_entry, dispatch->handler_memory};
  if (id == HWREG_STATUS)
    *value = status(wave);
  else if (id == HWREG_STATE_PRIV && generation >= OG_GFX12)
    *value = state_priv(wave);
  else if (id >= HWREG_TBA_LO && id <= HWREG_TMA_HI && generation >= OG_GFX900 && generation < OG_GFX11)
    *value = (u32)(bases[(id - HWREG_TBA_LO) / 2] >> (id - HWREG_TBA_LO) % 2 * 32);
  else
    return false;
  return true;
}

bool og_trap_write(struct og_wave *wave, u32 id, u32 value) {
  bool late = is_late(wave);
  if (late && (id == HWREG_STATE_PRIV || id == HWREG_EXCP_FLAG_PRIV || id == HWREG_TRAP_CTRL) && !wave->privileged)
    return true; /* nothing */
  if (id == (late ? (u32)HWREG_STATE_PRIV : (u32)HWREG_STATUS)) {
    if (wave->privileged) {
      wave->s[OG_S_SCC] = value >> (late ? (int)PRIV_SCC : (int)STATUS_SCC) & 1;
      wave->halted = value >> (late ? (int)PRIV_HALT : (int)STATUS_HALT) & 1;
    }
    return true;
  }
  return generation_of(wave) >= OG_GFX900 && generation_of(wave) < OG_GFX11 && id >= HWREG_TBA_LO && id <= HWREG_TMA_HI;
}

void og_trap_start(struct og_wave *wave, const struct og_dispatch *dispatch) {
  enum og_generation generation = generation_of(wave);
  if (generation >= OG_GFX12)
    wave->hwreg[HWREG_TRAP_CTRL] = dispatch->start.exceptions;
  if (generation < OG_GFX900) {
    og_store64(&wave->s[OG_S_TBA], dispatch->handler_entry);
    og_store64(&wave->s[OG_S_TMA], dispatch->handler_memory);
  }
}

/* ---- exceptions -------------------------------------------------------------------------------------------------- */

/* Whether an exception of this number leads to the handler. */
static bool is_enabled(const struct og_wave *wave, u32 raised) {
  u32 enabled = is_late(wave) ? wave->hwreg[HWREG_TRAP_CTRL] : wave->mode >> MODE_EXCEPTIONS;
  return raised & enabled & ARITHMETIC;
}

static void note(struct og_wave *wave, u32 raised) {
  wave->hwreg[is_late(wave) ? HWREG_EXCP_FLAG_USER : HWREG_TRAPSTS] |= raised;
}

/* Whether it is to go to the handler after each instruction. */
static bool is_stepped(struct og_wave *wave) {
  if (!is_late(wave))
    return wave->mode >> MODE_EACH & 1;
  bool steps = wave->hwreg[HWREG_TRAP_CTRL] >> CONTROL_EACH & 1;
  wave->hwreg[HWREG_EXCP_FLAG_PRIV] |= (u32)steps << FLAG_EACH;
  return steps;
}

/* Before its last instruction, once. */
static bool ends(struct og_wave *wave, const struct og_operation *op) {
  u32 *flags = &wave->hwreg[HWREG_EXCP_FLAG_PRIV];
  if (op->row != OG_ROW_S_ENDPGM || !is_late(wave) || !(wave->hwreg[HWREG_TRAP_CTRL] >> CONTROL_END & 1) ||
      *flags >> FLAG_END & 1)
    return false;
  *flags |= 1u << FLAG_END;
  return true;
}

const struct og_operation *og_trap_step(struct og_wave *wave, const struct og_operation *op, og_handler *handler) {
  if (ends(wave, op))
    return og_trap_enter(wave, op, 0);
  u32 raised = 0;
  const struct og_operation *next = og_with_float_flags(wave, op, handler, &raised);
  if (wave->privileged) /* it was s_trap */
    return next;
  note(wave, raised);
  if (!is_enabled(wave, raised) && (op->row == OG_ROW_S_ENDPGM || !is_stepped(wave)))
    return next;
  if (next != &og_stop)
    return og_trap_enter(wave, next, 0);
  bool goes_on = wave->state == OG_WAVE_READY || wave->state == OG_WAVE_SLEEPING;
  return goes_on ? og_trap_enter(wave, wave->resume, 0) : next;
}

bool og_trap_take_fault(struct og_wave *wave) {
  bool illegal = wave->fault.illegal, late = is_late(wave);
  if (!og_trap_dispatch(wave) || wave->privileged || (!illegal && !wave->fault.violation))
    return false;
  if (late)
    wave->hwreg[HWREG_EXCP_FLAG_PRIV] |= 1u << (illegal ? FLAG_ILLEGAL : FLAG_MEMORY);
  else
    wave->hwreg[HWREG_TRAPSTS] |= 1u << (illegal ? TRAPSTS_ILLEGAL : TRAPSTS_MEMORY);
  if (!illegal && !late && !(wave->mode >> MODE_MEMORY & 1)) /* nobody is told */
    return false;
  og_trap_enter(wave, wave->resume, 0);
  return wave->state == OG_WAVE_READY;
}
