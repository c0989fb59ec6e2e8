/* places.c - where the lanes of a memory instruction go, found before it runs; for plain addresses all lanes at
 * once. */
#include "check/internal.h"
#include "exec/memory.h"

#include <string.h>

bool og_check_is_plain(const struct og_inst *inst, const struct og_memory *memory) {
  bool moves = memory->access == OG_MOVES_LOAD || memory->access == OG_MOVES_STORE || memory->access == OG_MOVES_ATOMIC;
  switch ((enum og_memory_operation)memory->operation) { /* these compute their addresses differently */
  case OG_DOES_APPEND:
  case OG_DOES_CONSUME:
  case OG_DOES_ORDERED_COUNT:
  case OG_DOES_BARRIER_ARRIVE:
  case OG_DOES_ORDERED_ADD:
  case OG_DOES_BVH_STACK: return false;
  default: break;
  }
  if (!moves || memory->number == OG_VALUE_FORMAT || !memory->bits || memory->bits > 128)
    return false;
  switch ((enum og_memory_space)memory->space) {
  /* ds_*_src2_* */
  case OG_IN_LDS: return inst->encoding == OG_ENC_DS && og_operand(inst, OG_ROLE_VADDR) && !memory->lds;
  case OG_IN_GLOBAL:
  case OG_IN_FLAT:
  case OG_IN_SCRATCH:
  case OG_IN_BUFFER: return inst->encoding == OG_ENC_FLAT || inst->encoding == OG_ENC_MUBUF;
  default: return false;
  }
}

/* For scratch the offset in the lane's own memory. A base within the wave's part is the same for all lanes. */
static bool private_offset(const struct og_wave *wave, struct og_lane_place *place) {
  uint64_t skip = place->base - (uintptr_t)wave->scratch, row = 4ull * wave->wave_size;
  if (!wave->scratch || skip % row || skip / row * 4 > wave->scratch_size)
    return false;
  place->address += skip / wave->wave_size;
  return true;
}

static void lane_by_lane(struct og_wave *wave, const struct og_operation *op, struct og_places *places) {
  for (uint64_t lanes = og_active(wave); lanes; lanes &= lanes - 1) {
    unsigned lane = (unsigned)__builtin_ctzll(lanes);
    for (unsigned p = 0; p < places->pieces; p++) {
      struct og_lane_place place = og_lane_place(wave, op, lane, p);
      if (place.outside)
        places->outside |= 1ull << lane;
      else if (place.space != OG_SPACE_SCRATCH || private_offset(wave, &place))
        places->lanes[place.space] |= 1ull << lane;
      places->address[p][lane] = place.address;
    }
  }
}

OG_CHECK_LANES(void, add_to_all, (uint32_t *restrict to, const uint32_t *restrict from, uint32_t add),
               (to, from, add), {
  for (unsigned i = 0; i < OG_LANES; i++)
    to[i] = from[i] + add;
})

/* The minimum and maximum over active lanes. */
OG_CHECK_LANES(void, work_out,
               (struct og_lds_base *base, const uint32_t *restrict from, const uint32_t *restrict lanes),
               (base, from, lanes), {
  uint32_t low = UINT32_MAX, high = 0, bits = 0, first = from[0], stride = from[1] - first, strays = 0;
  for (unsigned i = 0; i < OG_LANES; i++) {
    base->offset[i] = from[i];
    strays |= (from[i] - (first + i * stride)) & lanes[i];
    low = OG_MIN(low, from[i] | ~lanes[i]);
    high = OG_MAX(high, from[i] & lanes[i]);
    bits |= from[i] & lanes[i];
  }
  base->stride = strays || (base->lanes & (base->lanes + 1)) || base->lanes < 2 ? 0 : stride;
  base->least = low, base->most = high, base->low_bits = bits;
})

/* Facts about the current offsets: kept from before if neither the offsets nor EXEC have changed. */
static struct og_lds_base *base_at(struct og_wave *wave, uint32_t place) {
  struct og_lds_base *base = &og_check_wave(wave)->bases[place / OG_AT_ROW % OG_LDS_BASES];
  const uint32_t *from = og_at(wave, place);
  if (base->lanes == og_active(wave) && !memcmp(base->offset, from, sizeof base->offset))
    return base;
  base->lanes = og_active(wave);
  base->log = 0;
  work_out(base, from, wave->lanes);
  return base;
}

/* Compilers with one stack per wave (GCC) access scratch by plain addresses: in the wave's own part that is private
 * memory, too. */
static void find_stack(const struct og_wave *wave, struct og_places *places) {
  uint64_t from = (uintptr_t)wave->scratch, size = (uint64_t)wave->scratch_size * wave->wave_size;
  for (uint64_t lanes = places->lanes[OG_SPACE_GLOBAL]; lanes; lanes &= lanes - 1) {
    uint64_t address = places->address[0][__builtin_ctzll(lanes)];
    if (address - from < size)
      places->stack |= lanes & -lanes;
    else if (og_check_is_stack(wave, address))
      places->others |= lanes & -lanes;
  }
  places->lanes[OG_SPACE_GLOBAL] &= ~places->stack;
  places->lanes[OG_SPACE_SCRATCH] |= places->stack;
}

static inline void all_lds(struct og_wave *wave, const struct og_operation *op, struct og_places *places) {
  const struct og_memory_op *access = op->detail;
  for (unsigned p = 0; p < places->pieces; p++)
    places->add[p] = (uint32_t)op->constant[0] + access->piece[p];
  places->base = base_at(wave, op->s[0]);
  places->lanes[OG_SPACE_LDS] = og_active(wave);
  places->all_lds = true;
}

void og_check_locals(struct og_places *places) {
  for (unsigned p = 0; places->all_lds && p < places->pieces; p++)
    add_to_all(places->local[p], places->base->offset, places->add[p]);
}

void og_check_widen(struct og_places *places) {
  og_check_locals(places);
  for (unsigned p = 0; places->all_lds && p < places->pieces; p++)
    for (unsigned i = 0; i < OG_LANES; i++)
      places->address[p][i] = places->local[p][i];
}

OG_CHECK_LANES(void, add_base, (uint64_t *to, const uint32_t *low, const uint32_t *high, uint64_t base),
               (to, low, high, base), {
  if (high)
    for (unsigned i = 0; i < OG_LANES; i++)
      to[i] = ((uint64_t)high[i] << 32 | low[i]) + base;
  else
    for (unsigned i = 0; i < OG_LANES; i++)
      to[i] = low[i] + base;
})

static void all_global(struct og_wave *wave, const struct og_operation *op, bool wide, struct og_places *places) {
  const uint32_t *low = og_at(wave, op->s[0]);
  uint64_t base = op->constant[0] + (wide ? 0 : og_scalar64(wave, op, 1));
  add_base(places->address[0], low, wide ? low + OG_LANES : NULL, base);
  places->lanes[OG_SPACE_GLOBAL] = og_active(wave);
}

bool og_check_lds_places(struct og_wave *wave, const struct og_operation *op, struct og_places *places) {
  const struct og_memory_op *access = op->detail;
  if (access->addressing != OG_ADDRESS_LDS || wave->lds_limited || access->inner)
    return false;
  places->lanes[OG_SPACE_GLOBAL] = places->lanes[OG_SPACE_SCRATCH] = places->stack = places->others = places->outside =
      0;
  places->size = access->bytes;
  places->pieces = access->pieces;
  all_lds(wave, op, places);
  return true;
}

void og_check_places(struct og_wave *wave, const struct og_operation *op, struct og_places *places) {
  const struct og_memory_op *access = op->detail;
  places->lanes[0] = places->lanes[1] = places->lanes[2] = places->stack = places->others = places->outside = 0;
  places->all_lds = false;
  places->size = access->bytes;
  places->pieces = access->pieces;
  if (access->inner)
    og_work_out_addresses(wave, op);
  if (access->addressing == OG_ADDRESS_LDS && !wave->lds_limited)
    all_lds(wave, op, places);
  else if (access->addressing == OG_ADDRESS_GLOBAL || access->addressing == OG_ADDRESS_SADDR)
    all_global(wave, op, access->addressing == OG_ADDRESS_GLOBAL, places);
  else
    lane_by_lane(wave, op, places);
  if (wave->scratch && places->lanes[OG_SPACE_GLOBAL])
    find_stack(wave, places);
}
