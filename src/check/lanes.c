/* lanes.c - values from disabled lanes. ds_bpermute_b32, ds_swizzle_b32, v_permlane* and DPP with bound_ctrl give 0 for
 * them, which code that moves values does not expect: such results count as undefined, so that a use of them is
 * reported. Instructions that keep the old value there, or that fetch from disabled lanes, do what the code says. */
#include "check/uninit.h"
#include "exec/memory.h"
#include "exec/vector.h"
#include "isa/rows.h"

#include <string.h>

static bool is_dpp(const struct og_inst *inst) {
  return inst->variant == OG_VARIANT_DPP16 || inst->variant == OG_VARIANT_DPP8;
}

bool og_check_names_lanes(const struct og_inst *inst) {
  switch (inst->row) {
  case OG_ROW_DS_BPERMUTE_B32:
  case OG_ROW_DS_SWIZZLE_B32: return true;
  case OG_ROW_V_PERMLANE16_B32:
  case OG_ROW_V_PERMLANEX16_B32:
  case OG_ROW_V_PERMLANE16_VAR_B32:
  case OG_ROW_V_PERMLANEX16_VAR_B32: return (inst->mod[OG_MOD_OP_SEL] & 3) == 2; /* bound_ctrl without fi */
  default:
    return is_dpp(inst) && !inst->mod[OG_MOD_FI] && (inst->variant == OG_VARIANT_DPP8 || inst->mod[OG_MOD_BOUND_CTRL]);
  }
}

/* The lanes that an address can name: on gfx10 and gfx11 half a wave of 64. */
static unsigned among(const struct og_watch *watch, const struct og_wave *wave) {
  return watch->isa->gfx10 && !watch->isa->gfx12 ? 32 : wave->wave_size;
}

static uint64_t named_by_address(const struct og_watch *watch, struct og_wave *wave, const struct og_operation *op,
                                 uint64_t exec) {
  const uint32_t *address = og_at(wave, op->s[0]);
  unsigned mask = among(watch, wave) - 1;
  uint64_t off = 0;
  for (uint64_t left = exec; left; left &= left - 1) {
    unsigned i = (unsigned)__builtin_ctzll(left),
             from = (i & ~mask) | ((address[i] + (uint32_t)op->constant[0]) / 4 & mask);
    off |= (uint64_t)!(exec >> from & 1) << i;
  }
  return off;
}

static struct og_wave *probe_of(struct og_watch *watch, const struct og_wave *wave, uint64_t exec) {
  if (!watch->probe)
    watch->probe = og_check_lines(watch->arena, sizeof *watch->probe);
  struct og_wave *probe = &watch->probe->wave;
  memcpy(probe, wave, offsetof(struct og_wave, v));
  probe->observer = NULL;
  probe->counts = NULL;
  og_store64(&probe->s[OG_S_EXEC], exec);
  og_exec_changed(probe);
  return probe;
}

/* Runs the instruction with all lanes on and a mark in the disabled ones, which shows where their values go. */
static uint64_t named_by_pattern(struct og_watch *watch, struct og_wave *wave, const struct og_operation *op,
                                 const struct og_known *known, uint64_t exec) {
  struct og_wave *probe = probe_of(watch, wave, wave->wave_size == 32 ? UINT32_MAX : UINT64_MAX);
  unsigned row = known->flow->writes[0].at; /* of these only DPP exists together with VGPR indexing */
  uint64_t off = 0;
  if (op->s[1] >= OG_AT_V(0) && op->s[1] != op->s[0] && known->inst->encoding != OG_ENC_DS)
    memcpy(og_at(probe, op->s[1]), og_at(wave, op->s[1]), sizeof *wave->v);
  else if (op->s[1] == op->s[0] && known->inst->encoding != OG_ENC_DS)
    return 0; /* the lane's own value says where it goes */
  for (unsigned i = 0; i < OG_LANES; i++)
    ((uint32_t *)og_at(probe, op->s[0]))[i] = !(exec >> i & 1);
  og_handler_of(op)(probe, op);
  for (unsigned i = 0; i < OG_LANES; i++)
    off |= (uint64_t)(probe->v[row][i] & 1) << i;
  return off & exec;
}

/* Only lanes with a work-item count, since sums at the work-group's end rely on zeros from the others. If the 0 made no
 * difference, as in sums, the result is the old value. */
static uint64_t named_by_dpp(struct og_watch *watch, struct og_wave *wave, const struct og_operation *op,
                             const struct og_known *known, const struct og_uninit_flow *flow, uint64_t exec) {
  const struct og_modifiers *m = op->detail;
  uint64_t off = 0, items = og_check_items_of(wave);
  for (uint64_t left = exec & m->dpp_exists & m->dpp_enabled; left; left &= left - 1) {
    unsigned i = (unsigned)__builtin_ctzll(left);
    off |= (items & ~exec) >> m->dpp_from[i] & 1 ? 1ull << i : 0;
  }
  if (!off || known->inst->row == OG_ROW_V_MOV_B32)
    return off;
  struct og_wave *probe = probe_of(watch, wave, exec);
  for (unsigned u = 0; u < flow->read_count; u++)
    for (unsigned d = 0; flow->reads[u].vector && d < flow->reads[u].dwords; d++)
      memcpy(probe->v[flow->reads[u].at + d], wave->v[flow->reads[u].at + d], sizeof *wave->v);
  og_handler_of(op)(probe, op);
  for (uint64_t left = off; left; left &= left - 1) {
    unsigned i = (unsigned)__builtin_ctzll(left);
    for (unsigned u = 0; u < flow->read_count; u++)
      if (flow->reads[u].vector && probe->v[flow->writes[0].at][i] == wave->v[flow->reads[u].at][i])
        off &= ~(1ull << i);
  }
  return off;
}

static uint64_t named(struct og_watch *watch, struct og_wave *wave, const struct og_operation *op,
                      const struct og_known *known, const struct og_uninit_flow *flow, uint64_t exec) {
  if (known->inst->row == OG_ROW_DS_BPERMUTE_B32)
    return named_by_address(watch, wave, op, exec);
  if (!is_dpp(known->inst))
    return named_by_pattern(watch, wave, op, known, exec);
  return ((const struct og_modifiers *)op->detail)->dpp ? named_by_dpp(watch, wave, op, known, flow, exec) : 0;
}

void og_check_lanes_read(struct og_watch *watch, struct og_wave *wave, const struct og_operation *op,
                         const struct og_known *known) {
  struct og_uninit_wave *state = og_check_wave(wave)->uninit;
  uint64_t exec = og_active(wave);
  struct og_uninit_flow flow = *known->flow;
  struct og_operation now = og_operation_copy(op);
  uint32_t deciding;
  if (exec == (wave->wave_size == 32 ? UINT32_MAX : UINT64_MAX))
    return;
  if (og_check_is_indexed(wave, op, known) &&
      !(og_uninit_indexed(wave, known, &flow, &deciding) && og_check_indexed_operation(wave, op, known, &now)))
    return;
  if (!flow.write_count || !flow.writes[0].vector)
    return;
  now.handler = og_check_handler(wave, op);
  uint64_t off = named(watch, wave, &now, known, &flow, exec);
  for (unsigned d = 0; off && d < flow.writes[0].dwords; d++) {
    unsigned row = flow.writes[0].at + d;
    og_uninit_tidy(state, row);
    for (uint64_t left = off; left; left &= left - 1)
      state->v[row][__builtin_ctzll(left)] = UINT32_MAX;
    og_uninit_settle(state, row, OG_ORIGIN_MEMORY + (uint32_t)(op - wave->program->operations));
  }
}
