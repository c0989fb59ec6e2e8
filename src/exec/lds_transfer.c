/* lds_transfer.c - gfx12.5's transfers between memory and LDS beside the registers, and barriers in LDS that count
 * those who arrive ("CDNA5" ISA, 10.8, 11.2.2). A transfer is done at once: whoever waits for it finds it there. Also
 * blocks of registers (10.6) and addresses that have the lane's number. */
#include "exec/memory.h"
#include "exec/place.h"

#include "exec/lane.h"

/* ---- one side LDS, where access->data says; the other an address as any ------------------------------------------ */

static const struct og_operation *transfer(struct og_wave *wave, const struct og_operation *op, bool to_lds) {
  const struct og_memory_op *access = op->detail;
  const uint32_t *lds = og_at(wave, access->data);
  for (uint64_t lanes = og_active(wave); lanes; lanes &= lanes - 1) {
    unsigned lane = (unsigned)__builtin_ctzll(lanes);
    uint8_t bytes[16];
    struct og_lane_place memory = og_lane_place(wave, op, lane, 0);
    struct og_lane_place local = {OG_SPACE_LDS, (uint32_t)(lds[lane] + op->constant[0]), 0, false};
    if (!og_lane_read(wave, op, lane, to_lds ? &memory : &local, bytes, access->bytes) ||
        !og_lane_write(wave, op, lane, to_lds ? &local : &memory, bytes, access->bytes))
      return &og_stop;
    if (wave->counts != NULL) {
      og_count_access(wave, to_lds ? memory.space : OG_SPACE_LDS, false, 1, access->bytes);
      og_count_access(wave, to_lds ? OG_SPACE_LDS : memory.space, true, 1, access->bytes);
    }
  }
  return og_next(op);
}
const struct og_operation *og_load_to_lds(struct og_wave *wave, const struct og_operation *op) {
  return transfer(wave, op, true);
}
const struct og_operation *og_store_from_lds(struct og_wave *wave, const struct og_operation *op) {
  return transfer(wave, op, false);
}

/* ---- loads for several work-groups of a cluster ------------------------------------------------------------------ */

bool og_multicast_mask(struct og_wave *wave, const struct og_operation *op, const char *name, uint32_t mask) {
  const struct og_group *group = wave->group;
  if ((mask & 0xffff) == 0 || group == NULL || group->cluster == NULL || mask >> group->flat & 1)
    return true;
  og_wave_fault(wave, op,
                "%s for the work-groups of mask 0x%x, among which work-group %u of the cluster, which asks, is not",
                name, mask & 0xffff, group->flat);
  return false;
}

const struct og_operation *og_multicast_load(struct og_wave *wave, const struct og_operation *op) {
  const struct og_memory_op *access = op->detail;
  return og_multicast_mask(wave, op, access->name, wave->s[OG_S_M0]) ? access->unicast(wave, op) : &og_stop;
}

/* ---- barriers: {0, initial count:16, phase, pending count} ------------------------------------------------------- */

/* Hardware's configuration may give the pending count other widths; compilers go by this one (triton's lowering). */
enum { PENDING_BITS = 29 };

bool og_barrier_arrive(struct og_wave *wave, const struct og_operation *op, unsigned lane, uint32_t address,
                       uint32_t update, uint64_t *old) {
  struct og_lane_place place = {OG_SPACE_LDS, address, 0, false};
  uint8_t *at = og_lane_pointer(wave, op, lane, &place, 8);
  if (at == NULL)
    return false;
  *old = og_load64(at);
  if (og_take_skip(wave))
    return true;
  /* what is borrowed counts the phase down */
  uint32_t mask = (1u << PENDING_BITS) - 1, state = (uint32_t)*old - update;
  if (((uint32_t)*old & mask) < update)
    state = (state & ~mask) | (uint32_t)(*old >> 32 & 0xffff);
  og_store32(at, state);
  return true;
}

const struct og_operation *og_barrier_arrive_handler(struct og_wave *wave, const struct og_operation *op) {
  const struct og_memory_op *access = op->detail;
  for (uint64_t lanes = og_active(wave); lanes; lanes &= lanes - 1) {
    unsigned lane = (unsigned)__builtin_ctzll(lanes);
    uint32_t address = og_at(wave, op->s[0])[lane] + (uint32_t)op->constant[0];
    uint32_t update = access->returns ? og_at(wave, access->data)[lane] : 1, *d = og_at(wave, op->d) + lane;
    uint64_t old;
    if (!og_barrier_arrive(wave, op, lane, address, update, &old))
      return &og_stop;
    if (access->returns)
      d[0] = (uint32_t)old, d[OG_LANES] = (uint32_t)(old >> 32);
  }
  return og_next(op);
}

bool og_prepare_barrier_arrive(const struct og_inst *inst, struct og_operation *op, struct og_memory_op *access) {
  op->handler = og_barrier_arrive_handler;
  access->returns = og_operand(inst, OG_ROLE_VDST) != NULL;
  return !access->returns || (og_place_vector(og_operand(inst, OG_ROLE_VDST), 2, &op->d) &&
                              og_place_vector(og_operand(inst, OG_ROLE_VDATA), 2, &access->data));
}

/* ---- blocks of registers, of which M0 says which are moved ------------------------------------------------------- */

static const struct og_operation *block(struct og_wave *wave, const struct og_operation *op, bool write) {
  for (uint64_t lanes = og_active(wave); lanes; lanes &= lanes - 1) {
    unsigned lane = (unsigned)__builtin_ctzll(lanes);
    const struct og_lane_place first = og_lane_place(wave, op, lane, 0);
    for (uint32_t left = wave->s[OG_S_M0]; left; left &= left - 1) {
      unsigned n = (unsigned)__builtin_ctz(left);
      uint32_t *at = og_at(wave, op->d) + lane + n * OG_LANES;
      struct og_lane_place place = first;
      place.address += 4 * n;
      if (!(write ? og_lane_write(wave, op, lane, &place, at, 4) : og_lane_read(wave, op, lane, &place, at, 4)))
        return &og_stop;
      if (wave->counts != NULL)
        og_count_access(wave, place.space, write, 1, 4);
    }
  }
  return og_next(op);
}
const struct og_operation *og_load_block(struct og_wave *wave, const struct og_operation *op) {
  return block(wave, op, false);
}
const struct og_operation *og_store_block(struct og_wave *wave, const struct og_operation *op) {
  return block(wave, op, true);
}
