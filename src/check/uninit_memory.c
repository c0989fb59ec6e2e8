/* uninit_memory.c - undefined bits of LDS and private memory, which loads and stores move. Global memory counts as
 * defined: stores to it are checked. */
#include "check/uninit.h"
#include "exec/memory.h"

#include <string.h>

static void lds_begin(struct og_watch *watch, const struct og_wave *wave, struct og_check_group *group) {
  uint32_t size = (uint32_t)og_align_up(wave->lds_size, OG_LDS_PART), wanted = wave->group->dispatch->group_bytes;
  if (group->lds_size < size || !group->lds) {
    group->lds = OG_NEW_ARRAY(watch->arena, uint32_t, size / 4 + 1);
    group->lds_dirty = OG_NEW_ARRAY(watch->arena, uint64_t, size / OG_LDS_PART + 1);
    group->lds_size = size;
  }
  uint32_t parts = (wanted + OG_LDS_PART - 1) / OG_LDS_PART;
  memset(group->lds, 0, size);
  if (!watch->object_count)
    memset(group->lds, 0xff, wanted); /* bytes added by rounding up are reported by bounds, */
  for (uint32_t i = 0; i < watch->object_count; i++) { /* and so are bytes of no object */
    const struct og_lds_object *object = &watch->objects[i];
    uint32_t end = OG_MIN(object->end, wanted), first = OG_MIN(object->first, end);
    memset((uint8_t *)group->lds + first, 0xff, end - first);
  }
  memset(group->lds_dirty, 0xff, parts * sizeof *group->lds_dirty);
  og_check_clear(group->lds_dirty + parts, (size / OG_LDS_PART + 1 - parts) * sizeof *group->lds_dirty);
  group->lds_dirty_count = parts;
}

/* A bit for each dword of a part, from one byte to before another. */
static uint64_t dwords_from(uint32_t first, uint32_t end) {
  uint64_t below = end + 3 < OG_LDS_PART ? (1ull << (end + 3) / 4) - 1 : UINT64_MAX;
  return below & UINT64_MAX << first / 4;
}

static void note_clean(struct og_check_group *group, uint32_t part, uint64_t dwords) {
  if (group->lds_dirty[part] && !(group->lds_dirty[part] &= ~dwords))
    group->lds_dirty_count--;
}

/* Whether one of these dwords of a part has undefined bits; notes which no longer have any. */
static bool is_part_dirty(struct og_check_group *group, uint32_t part, uint64_t dwords) {
  for (uint64_t left = group->lds_dirty[part] & dwords; left; left &= left - 1) {
    if (group->lds[part * (OG_LDS_PART / 4) + (unsigned)__builtin_ctzll(left)])
      return true;
    note_clean(group, part, left & -left);
  }
  return false;
}

void og_uninit_memory_begin(struct og_watch *watch, struct og_wave *wave, struct og_check_wave *of) {
  struct og_uninit_wave *state = of->uninit;
  if (wave->id == 0)
    lds_begin(watch, wave, of->group);
  if (state->scratch_size < wave->scratch_size) {
    state->scratch = OG_NEW_ARRAY(watch->arena, uint32_t, wave->scratch_size / 4 * OG_LANES);
    state->scratch_size = wave->scratch_size;
  }
  if (wave->scratch_size)
    memset(state->scratch, 0xff, (size_t)wave->scratch_size * OG_LANES);
  state->scratch_top = state->stack_scale = 0;
  state->frames_ended = false;
}

/* By the compilers' convention free memory begins at s32, which a function restores when it returns. Its arguments on
 * the stack are above s32 and are its own, too. Where buffer instructions access scratch, s32 counts the bytes of all
 * lanes. */
enum { STACK_POINTER = 32 };
void og_uninit_end_frame(struct og_wave *wave) {
  struct og_uninit_wave *state = og_check_wave(wave)->uninit;
  if (!state->stack_scale || state->s[STACK_POINTER])
    return;
  uint64_t lanes = og_active(wave);
  uint32_t first = wave->s[STACK_POINTER] / state->stack_scale, all = lanes == UINT64_MAX || lanes == UINT32_MAX;
  for (uint32_t at = (first + 3) / 4; at < (state->scratch_top + 3) / 4; at++)
    for (unsigned i = 0; i < OG_LANES; i++)
      state->scratch[at * OG_LANES + i] |= 0 - (uint32_t)(lanes >> i & 1);
  state->frames_ended |= first < state->scratch_top;
  if (all)
    state->scratch_top = OG_MIN(state->scratch_top, first);
}

void og_check_uninit_lds(const struct og_wave *wave, uint64_t address, unsigned size) {
  for (uint64_t at = address; at < address + size && at < wave->lds_size; at++)
    og_check_wave(wave)->group->lds[at / 4] &= ~(0xffu << 8 * (at % 4));
}

bool og_check_uninit_lds_bits(const struct og_wave *wave, uint64_t address, unsigned size) {
  uint32_t bits = 0;
  for (uint64_t at = address; at < address + size && at < wave->lds_size; at++)
    bits |= og_check_wave(wave)->group->lds[at / 4] & 0xffu << 8 * (at % 4);
  return bits != 0;
}

/* The same for scratch by an address in a wave's part of it; NULL: it is in no part of this work-group's waves. */
static uint32_t *dword_of_stack(const struct og_check_wave *of, const struct og_wave *wave, uint64_t address) {
  uint64_t row = 4ull * wave->wave_size, size = (uint64_t)wave->scratch_size * wave->wave_size;
  for (uint32_t i = 0; i < wave->group->wave_count; i++) {
    const struct og_wave *owner = og_group_wave(wave->group, i);
    const struct og_check_wave *its = og_check_wave(owner);
    uint64_t skip = address - (uintptr_t)owner->scratch;
    if (skip < size && its && its->group == of->group)
      return &its->uninit->scratch[skip / row * OG_LANES + skip % row / 4];
  }
  return NULL;
}

/* The undefined bits of the dword with a byte of LDS or of the lane's private memory; NULL: it is in other memory. */
static uint32_t *dword_of(const struct og_check_wave *of, const struct og_wave *wave, struct og_places *places,
                          unsigned lane, uint64_t address) {
  if ((places->stack | places->others) >> lane & 1)
    return dword_of_stack(of, wave, address);
  if (places->lanes[OG_SPACE_LDS] >> lane & 1)
    return address < wave->lds_size ? &of->group->lds[address / 4] : NULL;
  if (places->lanes[OG_SPACE_SCRATCH] >> lane & 1)
    return address < wave->scratch_size ? &of->uninit->scratch[address / 4 * OG_LANES + lane] : NULL;
  return NULL;
}

/* Undefined bits of up to four bytes. */
static uint32_t fetch(const struct og_check_wave *of, const struct og_wave *wave, struct og_places *places,
                      unsigned lane, uint64_t address, unsigned size) {
  uint32_t bits = 0;
  if (size == 4 && address % 4 == 0) {
    const uint32_t *dword = dword_of(of, wave, places, lane, address);
    return dword ? *dword : 0;
  }
  for (unsigned i = 0; i < size; i++) {
    const uint32_t *dword = dword_of(of, wave, places, lane, address + i);
    bits |= dword ? (*dword >> 8 * ((address + i) % 4) & 0xff) << 8 * i : 0;
  }
  return bits;
}

static void put(struct og_check_wave *of, const struct og_wave *wave, struct og_places *places, unsigned lane,
                uint64_t address, unsigned size, uint32_t bits) {
  for (uint64_t at = address;
       bits && places->lanes[OG_SPACE_LDS] >> lane & 1 && at < OG_MIN(address + size, (uint64_t)wave->lds_size); at++) {
    uint64_t *part = &of->group->lds_dirty[at / OG_LDS_PART];
    of->group->lds_dirty_count += !*part;
    *part |= 1ull << at % OG_LDS_PART / 4;
  }
  if ((places->lanes[OG_SPACE_SCRATCH] & ~places->stack) >> lane & 1)
    of->uninit->scratch_top =
        OG_MAX(of->uninit->scratch_top, (uint32_t)OG_MIN(address + size, (uint64_t)wave->scratch_size));
  for (unsigned i = 0; i < size; i++) {
    uint32_t *dword = dword_of(of, wave, places, lane, address + i);
    unsigned shift = 8 * ((address + i) % 4);
    if (dword && size == 4 && shift == 0 && i == 0) {
      *dword = bits;
      return;
    }
    if (dword)
      *dword = (*dword & ~(0xffu << shift)) | (bits >> 8 * i & 0xff) << shift;
  }
}

/* How a load of less than a dword extends undefined bits: a sign that is undefined makes all its copies undefined. */
static uint32_t widen(enum og_width width, uint32_t old, uint32_t bits) {
  switch (width) {
  case OG_WIDTH_I8: return (uint32_t)(int8_t)bits;
  case OG_WIDTH_I16: return (uint32_t)(int16_t)bits;
  case OG_WIDTH_U8_LOW:
  case OG_WIDTH_16_LOW: return (old & 0xffff0000) | (uint16_t)bits;
  case OG_WIDTH_I8_LOW: return (old & 0xffff0000) | (uint16_t)(int8_t)bits;
  case OG_WIDTH_U8_HIGH:
  case OG_WIDTH_16_HIGH: return (old & 0xffff) | bits << 16;
  case OG_WIDTH_I8_HIGH: return (old & 0xffff) | (uint32_t)(uint16_t)(int8_t)bits << 16;
  default: return bits;
  }
}

static const struct og_uninit_use *result_of(const struct og_known *known) {
  return known->flow->write_count && known->flow->writes[0].vector ? &known->flow->writes[0] : NULL;
}

/* Whether bytes of LDS from one place to another may have undefined bits. Bytes beyond LDS do not count. */
static bool any_in(struct og_check_group *group, uint64_t first, uint64_t end) {
  if (end > group->lds_size || first >= end)
    return true;
  for (uint32_t at = (uint32_t)first, next; at < end; at = next) {
    next = (uint32_t)OG_MIN(end, (uint64_t)at / OG_LDS_PART * OG_LDS_PART + OG_LDS_PART);
    uint32_t part = at / OG_LDS_PART;
    if (group->lds_dirty[part] &&
        is_part_dirty(group, part, dwords_from(at - part * OG_LDS_PART, next - part * OG_LDS_PART)))
      return true;
  }
  return false;
}

bool og_check_uninit_reached(const struct og_check_wave *of, const struct og_places *places) {
  for (unsigned p = 0; p < places->pieces; p++)
    if (any_in(of->group, (uint64_t)places->base->least + places->add[p],
               (uint64_t)places->base->most + places->add[p] + places->size))
      return true;
  return false;
}

/* The same for each lane's own dwords. */
static bool any_of_lanes(const struct og_check_wave *of, const struct og_wave *wave, struct og_places *places) {
  og_check_locals(places);
  for (unsigned p = 0; p < places->pieces; p++)
    for (uint64_t lanes = places->lanes[OG_SPACE_LDS]; lanes; lanes &= lanes - 1) {
      uint32_t at = places->local[p][__builtin_ctzll(lanes)], end = at + places->size - 1;
      if (at < wave->lds_size && end < wave->lds_size && any_in(of->group, at, end + 1u))
        return true;
    }
  return false;
}

/* Whether any LDS or private memory that is read may have undefined bits. */
static bool finds_any(const struct og_check_wave *of, const struct og_wave *wave, struct og_places *places) {
  if (places->lanes[OG_SPACE_SCRATCH] | places->others)
    return true;
  if (!places->lanes[OG_SPACE_LDS] || !of->group->lds_dirty_count)
    return false;
  if (!places->all_lds)
    return true;
  return og_check_uninit_reached(of, places) && any_of_lanes(of, wave, places);
}

/* Lanes that read global memory of which at least a part was never written. */
static bool finds_fresh(const struct og_watch *watch, const struct og_wave *wave, struct og_places *places) {
  struct og_window window = {0};
  for (uint64_t lanes = watch->fresh ? places->lanes[OG_SPACE_GLOBAL] : 0; lanes; lanes &= lanes - 1)
    for (unsigned p = 0; p < places->pieces; p++)
      for (unsigned done = 0; done < places->size; done += 8)
        if (og_check_fresh_bits(wave, &window, places->address[p][__builtin_ctzll(lanes)] + done,
                                OG_MIN(places->size - done, 8u)))
          return true;
  return false;
}

static void load(struct og_watch *watch, const struct og_operation *op, struct og_wave *wave,
                 const struct og_known *known, struct og_places *places) {
  const struct og_memory_op *access = op->detail;
  const struct og_check_wave *of = og_check_wave(wave);
  struct og_uninit_wave *state = of->uninit;
  const struct og_uninit_use *result = result_of(known);
  if (!result)
    return;
  uint64_t exec = og_active(wave);
  bool fresh = finds_fresh(watch, wave, places);
  if (known->memory->operation >= OG_DOES_TRANSPOSE4 || (!fresh && !finds_any(of, wave, places))) {
    for (unsigned i = 0; i < known->flow->write_count && og_uninit_may(state, known); i++)
      og_uninit_define(state, wave, &known->flow->writes[i]);
    return;
  }
  og_check_widen(places);
  unsigned dwords = OG_MAX(places->size / 4, 1u), part = OG_MIN(places->size, 4u);
  struct og_window window = {0};
  uint32_t origin = OG_ORIGIN_MEMORY + (uint32_t)(op - wave->program->operations);
  for (unsigned p = 0; p < places->pieces; p++)
    for (unsigned d = 0; d < dwords && p * dwords + d < result->dwords; d++) {
      unsigned row = result->at + p * dwords + d;
      og_uninit_tidy(state, row);
      for (uint64_t lanes = exec; lanes; lanes &= lanes - 1) {
        unsigned i = (unsigned)__builtin_ctzll(lanes);
        uint32_t bits = places->outside >> i & 1 ? 0 : fetch(of, wave, places, i, places->address[p][i] + 4 * d, part);
        if (fresh && places->lanes[OG_SPACE_GLOBAL] >> i & 1)
          bits = (uint32_t)og_check_fresh_bits(wave, &window, places->address[p][i] + 4 * d, part);
        state->v[row][i] = places->size < 4 ? widen((enum og_width)access->width, state->v[row][i], bits) : bits;
      }
      og_uninit_settle(state, row, origin);
    }
}

/* The first register of a store's piece, in og_wave.v. */
static unsigned data_row(const struct og_operation *op, unsigned piece) {
  return (unsigned)(((piece ? op->d2 : op->d) - OG_AT_V(0)) / OG_AT_ROW);
}

static void tell_store(struct og_watch *watch, struct og_wave *wave, const struct og_operation *op, unsigned row,
                       uint64_t lanes) {
  og_uninit_tell(watch, wave, op, og_check_wave(wave)->uninit->origin_v[row], __builtin_ctzll(lanes),
                 "writes a value to global memory");
}

/* Whether a store or an atomic moves undefined bits, or goes to memory that has some. */
static bool concerns(const struct og_check_wave *of, const struct og_known *known, const struct og_places *places) {
  return og_uninit_may(of->uninit, known) || places->lanes[OG_SPACE_SCRATCH] | places->others ||
         (places->lanes[OG_SPACE_LDS] && of->group->lds_dirty_count &&
          (!places->all_lds || og_check_uninit_reached(of, places)));
}

/* Makes whole dwords of LDS defined. */
static void define_dwords(struct og_check_group *group, uint32_t first, uint32_t end) {
  memset(&group->lds[first / 4], 0, end - first);
  for (uint32_t next; first < end; first = next) {
    uint32_t part = first / OG_LDS_PART;
    next = OG_MIN(end, (part + 1) * OG_LDS_PART);
    note_clean(group, part, dwords_from(first - part * OG_LDS_PART, next - part * OG_LDS_PART));
  }
}

bool og_check_uninit_store(const struct og_wave *wave, const struct og_places *places) {
  const struct og_lds_base *base = places->base;
  uint32_t add = places->add[0] | places->add[places->pieces - 1],
           most = OG_MAX(places->add[0], places->add[places->pieces - 1]);
  if (!places->all_lds || (base->low_bits | add | places->size) % 4 ||
      (uint64_t)base->most + most + places->size > wave->lds_size)
    return false;
  struct og_check_group *group = og_check_wave(wave)->group;
  for (unsigned p = 0; p < places->pieces; p++) {
    if (base->stride == places->size) {
      define_dwords(group, base->least + places->add[p], base->most + places->add[p] + places->size);
      continue;
    }
    for (uint64_t lanes = places->lanes[OG_SPACE_LDS]; lanes; lanes &= lanes - 1) {
      uint32_t *dwords = &group->lds[(base->offset[__builtin_ctzll(lanes)] + places->add[p]) / 4];
      for (unsigned d = 0; d < places->size / 4; d++)
        dwords[d] = 0;
    }
  }
  return true;
}

/* Stores that define whole dwords of LDS, all lanes at once. False: it is another case. */
static bool define_lds(const struct og_check_wave *of, const struct og_wave *wave, const struct og_operation *op,
                       const struct og_places *places) {
  for (unsigned p = 0; places->all_lds && p < places->pieces; p++)
    for (unsigned d = 0; d < places->size / 4; d++)
      if (of->uninit->lanes_v[data_row(op, p) + d] & places->lanes[OG_SPACE_LDS])
        return false;
  return og_check_uninit_store(wave, places);
}

static void store(struct og_watch *watch, struct og_wave *wave, const struct og_operation *op,
                  const struct og_known *known, struct og_places *places) {
  const struct og_memory_op *access = op->detail;
  struct og_check_wave *of = og_check_wave(wave);
  struct og_uninit_wave *state = of->uninit;
  if (!concerns(of, known, places) || define_lds(of, wave, op, places))
    return;
  og_check_widen(places);
  unsigned dwords = OG_MAX(places->size / 4, 1u), part = OG_MIN(places->size, 4u);
  bool high = access->width == OG_WIDTH_U8_HIGH || access->width == OG_WIDTH_16_HIGH;
  uint32_t mask = part == 4 ? UINT32_MAX : (1u << 8 * part) - 1;
  for (unsigned p = 0; p < places->pieces; p++)
    for (unsigned d = 0; d < dwords; d++) {
      unsigned row = data_row(op, p) + d;
      uint64_t told = 0, lanes = places->lanes[OG_SPACE_LDS] | places->lanes[OG_SPACE_SCRATCH] | places->others;
      for (uint64_t left = state->lanes_v[row] & places->lanes[OG_SPACE_GLOBAL] & ~places->others; left;
           left &= left - 1) {
        unsigned i = (unsigned)__builtin_ctzll(left);
        told |= (uint64_t)((og_uninit_bits(state, row, i) >> (high ? 16 : 0) & mask) != 0) << i;
      }
      if (told)
        tell_store(watch, wave, op, row, told);
      for (; lanes; lanes &= lanes - 1) {
        unsigned i = (unsigned)__builtin_ctzll(lanes);
        uint32_t bits = og_uninit_bits(state, row, i) >> (high ? 16 : 0);
        put(of, wave, places, i, places->address[p][i] + 4 * d, part, bits);
      }
    }
}

/* The old value is returned; the new one is undefined where the old one or the operand was. */
static void modify(struct og_watch *watch, struct og_wave *wave, const struct og_operation *op,
                   const struct og_known *known, struct og_places *places) {
  const struct og_memory_op *access = op->detail;
  struct og_check_wave *of = og_check_wave(wave);
  struct og_uninit_wave *state = of->uninit;
  if (!concerns(of, known, places))
    return;
  og_check_widen(places);
  unsigned row = (unsigned)((access->data - OG_AT_V(0)) / OG_AT_ROW), dwords = OG_MAX(places->size / 4, 1u);
  const struct og_uninit_use *result = result_of(known);
  uint32_t origin = OG_ORIGIN_MEMORY + (uint32_t)(op - wave->program->operations);
  bool replaces = known->memory->operation == OG_DOES_SWAP;
  for (unsigned d = 0; d < dwords && places->pieces == 1; d++) {
    uint64_t told = 0;
    if (result && access->returns && d < result->dwords)
      og_uninit_tidy(state, result->at + d);
    for (uint64_t lanes = og_active(wave); lanes; lanes &= lanes - 1) {
      unsigned i = (unsigned)__builtin_ctzll(lanes);
      uint32_t data = og_uninit_bits(state, row + d, i);
      uint32_t old = fetch(of, wave, places, i, places->address[0][i] + 4 * d, 4);
      told |= (uint64_t)((places->lanes[OG_SPACE_GLOBAL] & ~places->others) >> i & (data != 0)) << i;
      put(of, wave, places, i, places->address[0][i] + 4 * d, 4, replaces ? data : old || data ? UINT32_MAX : 0);
      if (result && access->returns && d < result->dwords)
        state->v[result->at + d][i] = old;
    }
    if (told)
      tell_store(watch, wave, op, row + d, told);
    if (result && access->returns && d < result->dwords)
      og_uninit_settle(state, result->at + d, origin);
  }
}

void og_uninit_move(struct og_watch *watch, struct og_wave *wave, const struct og_operation *op,
                    const struct og_known *known, struct og_places *places) {
  const struct og_memory_op *access = op->detail;
  if (places->lanes[OG_SPACE_SCRATCH] &&
      (known->memory->space == OG_IN_BUFFER || known->memory->space == OG_IN_SCRATCH))
    og_check_wave(wave)->uninit->stack_scale = known->memory->space == OG_IN_BUFFER ? wave->wave_size : 1;
  if (known->memory->access == OG_MOVES_ATOMIC)
    modify(watch, wave, op, known, places);
  else if (access->to_lds || access->beside)
    return;
  else if (known->memory->access == OG_MOVES_STORE)
    store(watch, wave, op, known, places);
  else
    load(watch, op, wave, known, places);
}
