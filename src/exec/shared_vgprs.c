/* shared_vgprs.c - VGPRs that both halves of a wave of 64 lanes reach (gfx10 and gfx11, `.amdhsa_shared_vgpr_count`):
 * they stand behind the wave's own and have 32 lanes, of which lane n serves lanes n and n + 32. Hardware does an
 * instruction for the lower half and then for the upper one (RDNA ISA, "Wave64" and "Shared VGPRs").
 *
 * Here both halves of such a register always hold the same, so that handlers read them like others; after a write the
 * halves are made the same again. */
#include "exec/shared_vgprs.h"

#include <string.h>

#include "exec/program.h"
#include "isa/effects.h"

enum { HALF = OG_LANES / 2 };
static const uint64_t LOWER = UINT32_MAX;

/* What an instruction is done for: EXEC, of DPP without the rows and banks that it masks. */
static uint64_t lanes_done(const struct og_wave *wave, const struct og_inst *inst) {
  uint64_t lanes = og_exec(wave);
  for (unsigned bank = 0; inst->variant == OG_VARIANT_DPP16 && bank < OG_LANES / 4; bank++)
    if (!(inst->mod[OG_MOD_ROW_MASK] >> bank / 4 & 1) || !(inst->mod[OG_MOD_BANK_MASK] >> bank % 4 & 1))
      lanes &= ~(15ull << 4 * bank);
  return lanes;
}

/* The shared VGPRs among those used, as a count of `use` from *first on. */
static unsigned shared_among(const struct og_wave *wave, const struct og_use *use, unsigned *first) {
  unsigned begin = OG_MAX(use->reg, wave->shared_first), end = OG_MIN(use->reg + use->dwords, wave->shared_end);
  *first = begin;
  return use->kind == OG_OPERAND_VGPR && begin < end ? end - begin : 0;
}

static bool touches_shared(const struct og_wave *wave, const struct og_use *uses, unsigned count) {
  unsigned first;
  for (unsigned i = 0; i < count; i++)
    if (shared_among(wave, &uses[i], &first))
      return true;
  return false;
}

static bool writes_scalars(const struct og_effects *effects) {
  for (unsigned i = 0; i < effects->write_count; i++)
    if (effects->writes[i].kind != OG_OPERAND_VGPR && effects->writes[i].kind != OG_OPERAND_AGPR)
      return true;
  return false;
}

/* Makes the halves of what was written the same: the upper half was written last. v_writelane_b32 writes where EXEC is
 * off, too: `old` tells which half it was. */
static void share(struct og_wave *wave, const struct og_effects *effects, uint64_t done, const uint32_t old[HALF]) {
  unsigned first;
  for (unsigned i = 0; i < effects->write_count; i++)
    for (unsigned count = shared_among(wave, &effects->writes[i], &first); count; count--, first++) {
      uint32_t *lanes = wave->v[first];
      for (unsigned n = 0; n < HALF; n++) {
        bool upper = old ? lanes[HALF + n] != old[n] : done >> (HALF + n) & 1;
        lanes[n] = lanes[HALF + n] = lanes[upper ? HALF + n : n];
      }
    }
}

static const struct og_operation *run_for(struct og_wave *wave, const struct og_operation *op, og_handler *handler,
                                          const struct og_effects *effects, uint64_t exec) {
  og_set_s64(wave, OG_S_EXEC, exec);
  og_exec_changed(wave);
  const struct og_operation *next = handler(wave, op);
  share(wave, effects, exec, NULL);
  return next;
}

const struct og_operation *og_run_sharing(struct og_wave *wave, const struct og_operation *op) {
  const struct og_program *program = wave->program;
  og_handler *handler = program->compiler ? program->compiler->plain(program, op) : og_handler_of(op);
  struct og_inst inst;
  struct og_effects effects;
  if (!og_program_inst(program, program->isa, (size_t)(op - program->operations), &inst))
    return handler(wave, op);
  og_inst_effects(program->isa, &inst, &effects);
  if (!touches_shared(wave, effects.writes, effects.write_count))
    return handler(wave, op);
  uint64_t exec = og_exec(wave);
  bool in_turns = touches_shared(wave, effects.reads, effects.read_count) && exec & LOWER && exec & ~LOWER &&
                  !og_touches_all_lanes(program->isa, &inst) && !writes_scalars(&effects);
  const struct og_operation *next;
  if (in_turns) { /* the upper half reads what the lower one wrote */
    next = run_for(wave, op, handler, &effects, exec & LOWER);
    next = next == &og_stop ? next : run_for(wave, op, handler, &effects, exec & ~LOWER);
    og_set_s64(wave, OG_S_EXEC, exec);
    og_exec_changed(wave);
  } else {
    uint32_t old[HALF];
    unsigned first = 0;
    bool masked = og_form(program->isa, inst.form)->reads & OG_IMPLICIT_EXEC;
    if (!masked && shared_among(wave, &effects.writes[0], &first))
      memcpy(old, wave->v[first], sizeof old);
    next = handler(wave, op);
    share(wave, &effects, lanes_done(wave, &inst), masked ? NULL : old);
  }
  return next;
}
