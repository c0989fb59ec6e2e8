/* careful.c - memory accesses lane by lane: any address, any alignment, swizzled scratch, faults, the observer. */
#include "exec/deferred.h"
#include "exec/memory.h"

#include <inttypes.h>
#include <string.h>

bool og_window_move(struct og_wave *wave, struct og_window *window, uint64_t address, uint64_t size, bool write) {
  return og_memory_map_find(wave->group->map, address, size, write ? OG_MEMORY_WRITE : OG_MEMORY_READ, window);
}

/* ---- places ------------------------------------------------------------------------------------------------------ */

/* gfx12.5's: 57 bits of base and 45 of size in bytes ("CDNA5" ISA, 9.6). */
struct og_resource og_resource_decode_wide(const uint32_t words[4]) {
  static const uint8_t scales[4] = {1, 4, 8, 32};
  struct og_resource v = {
      .base = ((uint64_t)(words[1] & 0x1ffffff) << 32) | words[0],
      .records = (uint64_t)words[1] >> 25 | (uint64_t)words[2] << 7 | (uint64_t)(words[3] & 0x3f) << 39,
      .stride = (words[3] >> 12 & 0x3fff) * scales[words[3] >> 26 & 3],
      .swizzle = words[3] >> 28 & 1,
      .whole_offset = true,
      .index_stride = 32,
      .element_size = 16,
      .out_of_bounds = words[3] >> 29 & 1 ? OG_BOUNDS_BYTES : OG_BOUNDS_RAW,
  };
  if (v.swizzle)
    v.out_of_bounds = OG_BOUNDS_NONE;
  return v;
}

/* Up to gfx9 the kind of buffer says how it is checked, from gfx10 OOB_SELECT. */
static bool is_outside(const struct og_resource *v, const struct og_memory_op *access, enum og_generation generation,
                       uint64_t index, uint64_t offset) {
  uint64_t size = access->bytes;
  if (generation < OG_GFX10_1) {
    if (v->add_tid)
      return false;
    if (access->idxen && v->stride != 0)
      return index >= v->records || (v->swizzle && offset >= v->stride);
    return offset + index * v->stride + size > v->records;
  }
  switch ((enum og_bounds)v->out_of_bounds) {
  case OG_BOUNDS_STRUCTURED: return index >= v->records || (v->stride != 0 && offset + size > v->stride);
  case OG_BOUNDS_INDEX: return index >= v->records;
  case OG_BOUNDS_EMPTY: return v->records == 0;
  case OG_BOUNDS_NONE: return false;
  case OG_BOUNDS_BYTES: return offset + size > v->stride || offset + index * v->stride + size > v->records;
  default: return offset + (v->swizzle ? 0 : index * v->stride) + size > v->records;
  }
}

/* "Buffer addressing" of the ISA manuals. Scratch, which is dword-swizzled with a lane's index, keeps its unswizzled
 * offset, for each dword of an access goes its own way. */
static struct og_lane_place buffer_place(struct og_wave *wave, const struct og_operation *op, unsigned lane) {
  const struct og_memory_op *access = op->detail;
  struct og_resource v = og_resource_decode(wave, og_at(wave, op->s[1]));
  const uint32_t *vaddr = og_at(wave, op->s[0]) + lane;
  uint64_t index = access->idxen ? vaddr[0] : 0;
  uint64_t offset = (uint32_t)op->constant[0] + (uint64_t)(access->offen ? vaddr[access->idxen ? OG_LANES : 0] : 0);
  uint64_t base = v.base;
  if (v.whole_offset)
    offset += og_scalar32(wave, op, 2);
  else
    base += og_scalar32(wave, op, 2);
  if (access->addr64) { /* modulo 2^48: compilers put negative offsets into the base */
    uint64_t address = base + offset + ((uint64_t)vaddr[OG_LANES] << 32 | vaddr[0]);
    return (struct og_lane_place){OG_SPACE_GLOBAL, address << 16 >> 16, 0, false};
  }
  if (v.add_tid && v.swizzle && !access->idxen && v.element_size == 4 && v.index_stride == wave->wave_size)
    /* from gfx9 vaddr may be negative */
    return (struct og_lane_place){OG_SPACE_SCRATCH, (uint32_t)offset, base, false};
  bool outside = is_outside(&v, access, wave->program->target.processor->generation, index, offset);
  if (v.add_tid)
    index += lane;
  uint64_t address = base + index * v.stride + offset;
  if (v.swizzle)
    address = base + (index / v.index_stride * v.stride + offset / v.element_size * v.element_size) * v.index_stride +
              index % v.index_stride * v.element_size + offset % v.element_size;
  return (struct og_lane_place){OG_SPACE_GLOBAL, address, 0, outside};
}

/* Beyond M0's limit there is nothing (GCN3 ISA, 11.3: LDS access, out-of-range). */
struct og_lane_place og_lds_place(const struct og_wave *wave, uint32_t address, unsigned bytes) {
  uint32_t limit = wave->s[OG_S_M0] | ~wave->lds_limited;
  return (struct og_lane_place){OG_SPACE_LDS, address, 0, (uint64_t)address + bytes > limit && limit != UINT32_MAX};
}

static struct og_lane_place flat_place(const struct og_wave *wave, unsigned lane, uint64_t address,
                                       unsigned bytes) {
  if (address >> 58 == OG_SCRATCH_MARK && wave->program->target.processor->generation >= OG_GFX1250) {
    uint64_t offset = (address - og_flat_scratch_base(wave)) << 12 >> 12, owner = address >> 52 & 31;
    return (struct og_lane_place){OG_SPACE_SCRATCH, offset, og_flat_scratch(wave) + 4 * (owner - lane), false};
  }
  if (address >> 32 == OG_SHARED_APERTURE)
    return og_lds_place(wave, (uint32_t)address, bytes);
  if (address >> 32 == OG_PRIVATE_APERTURE)
    return (struct og_lane_place){OG_SPACE_SCRATCH, (uint32_t)address, og_flat_scratch(wave), false};
  return (struct og_lane_place){OG_SPACE_GLOBAL, address, 0, false};
}

struct og_lane_place og_lane_place(struct og_wave *wave, const struct og_operation *op, unsigned lane, unsigned piece) {
  const struct og_memory_op *access = op->detail;
  const uint32_t *vaddr = og_at(wave, op->s[0]) + lane;
  switch ((enum og_addressing)access->addressing) {
  case OG_ADDRESS_LDS:
    return og_lds_place(wave, (uint32_t)(vaddr[0] + op->constant[0] + access->piece[piece]), access->bytes);
  case OG_ADDRESS_GLOBAL:
    return (struct og_lane_place){OG_SPACE_GLOBAL, ((uint64_t)vaddr[OG_LANES] << 32 | vaddr[0]) + op->constant[0], 0,
                                  false};
  case OG_ADDRESS_SADDR:
    return (struct og_lane_place){OG_SPACE_GLOBAL, vaddr[0] + og_scalar64(wave, op, 1) + op->constant[0], 0, false};
  case OG_ADDRESS_FLAT:
    return flat_place(wave, lane, ((uint64_t)vaddr[OG_LANES] << 32 | vaddr[0]) + op->constant[0],
                      access->bytes);
  case OG_ADDRESS_SCRATCH:
    return (struct og_lane_place){
        OG_SPACE_SCRATCH, (uint32_t)((access->has_vaddr ? vaddr[0] : 0) + og_scalar32(wave, op, 1) + op->constant[0]),
        og_flat_scratch(wave), false};
  default:
    return buffer_place(wave, op, lane);
  }
}

/* ---- bytes ------------------------------------------------------------------------------------------------------- */

static const char *space_name(enum og_space space) {
  return space == OG_SPACE_LDS ? "LDS" : space == OG_SPACE_SCRATCH ? "scratch" : "memory";
}

static void report(struct og_wave *wave, const struct og_operation *op, unsigned lane,
                   const struct og_lane_place *place, unsigned size, bool write) {
  char around[120];
  switch (place->space) {
  case OG_SPACE_LDS:
    og_wave_fault_at(wave, op, place->address,
                     "LDS %s of %u bytes by lane %u is out of range: the work-group has %u bytes",
                     write ? "write" : "read", size, lane, wave->lds_size);
    wave->fault.violation = true;
    break;
  case OG_SPACE_SCRATCH:
    og_wave_fault_at(wave, op, place->address,
                     "scratch %s of %u bytes by lane %u is out of range: a work-item has %u bytes%s",
                     write ? "write" : "read", size, lane, wave->scratch_size,
                     place->base == 0 ? ", and FLAT_SCRATCH is not set up" : "");
    break;
  default:
    og_memory_map_describe(wave->group->map, place->address, size, around, sizeof around);
    og_wave_fault_at(wave, op, place->address, "%s of %u bytes by lane %u is outside every buffer: %s",
                     write ? "write" : "read", size, lane, around);
  }
}

/* Whether the observer allows the access. */
static bool observe(struct og_wave *wave, const struct og_operation *op, unsigned lane,
                    const struct og_lane_place *place, unsigned size, int access) {
  if (!og_sees_accesses(wave))
    return true;
  wave->observer->access(wave->observer->context, wave, op, place->space, access, lane, place->address, size);
  return !og_take_skip(wave);
}

/* The host's address of bytes that lie together, or NULL if the kernel may not touch them. */
static uint8_t *reach_bytes(struct og_wave *wave, const struct og_operation *op, unsigned lane,
                            const struct og_lane_place *place, uint64_t skip, unsigned size, bool write) {
  uint64_t address = place->address + skip;
  if (place->space == OG_SPACE_LDS)
    return address < wave->lds_size && size <= wave->lds_size - address ? wave->lds + address : NULL;
  if (place->space == OG_SPACE_SCRATCH) {
    address = place->base + address / 4 * 4 * wave->wave_size + lane * 4 + address % 4;
    uint64_t offset = address - (uintptr_t)wave->scratch, bytes = (uint64_t)wave->scratch_size * wave->wave_size;
    if (wave->scratch != NULL && offset < bytes && size <= bytes - offset)
      return wave->scratch + offset;
    if (place->base - (uintptr_t)wave->scratch < bytes)
      return NULL; /* past the wave's part; else a swizzled buffer in global memory */
  }
  struct og_window *window = og_window_of(wave, op, write);
  if (!og_window_holds(window, address, size) && !og_window_move(wave, window, address, size, write))
    return NULL;
  return (uint8_t *)(uintptr_t)(address + window->shift);
}

/* Scratch lies together only within an aligned dword. */
static unsigned together(const struct og_lane_place *place, uint64_t skip, unsigned left) {
  if (place->space != OG_SPACE_SCRATCH)
    return left;
  return OG_MIN(left, 4 - (unsigned)((place->address + skip) % 4));
}

bool og_lane_read(struct og_wave *wave, const struct og_operation *op, unsigned lane, const struct og_lane_place *place,
                  void *bytes, unsigned size) {
  for (unsigned done = 0, part; done < size; done += part) {
    part = together(place, done, size - done);
    const uint8_t *from = reach_bytes(wave, op, lane, place, done, part, false);
    if (from == NULL) {
      report(wave, op, lane, place, size, false);
      return false;
    }
    memcpy((uint8_t *)bytes + done, from, part);
  }
  if (!observe(wave, op, lane, place, size, OG_ACCESS_READ)) /* nothing has moved yet but to `bytes` */
    memset(bytes, 0, size);
  if (og_defers(wave) && place->space == OG_SPACE_GLOBAL)
    og_look(wave, op, OG_SPACE_GLOBAL, place->address, bytes, size);
  return true;
}

bool og_lane_write(struct og_wave *wave, const struct og_operation *op, unsigned lane,
                   const struct og_lane_place *place, const void *bytes, unsigned size) {
  for (unsigned done = 0, part; done < size; done += part) {
    part = together(place, done, size - done);
    if (reach_bytes(wave, op, lane, place, done, part, true) == NULL) {
      report(wave, op, lane, place, size, true);
      return false;
    }
  }
  if (!observe(wave, op, lane, place, size, OG_ACCESS_WRITE))
    return true;
  if (og_defers(wave) && place->space != OG_SPACE_SCRATCH) {
    struct og_deferred what = {OG_ACCESS_WRITE, place->space, lane, 0, size, place->address, bytes, 0, 0};
    if (og_defer(wave, op, &what))
      return true;
  }
  for (unsigned done = 0, part; done < size; done += part) {
    part = together(place, done, size - done);
    void *to = reach_bytes(wave, op, lane, place, done, part, true);
    if (to == NULL) { /* a host thread may have freed it meanwhile */
      report(wave, op, lane, place, size, true);
      return false;
    }
    memcpy(to, (const uint8_t *)bytes + done, part);
  }
  return true;
}

bool og_lane_aligned(struct og_wave *wave, const struct og_operation *op, unsigned lane,
                     const struct og_lane_place *place, unsigned size) {
  if (place->address % size == 0)
    return true;
  og_wave_fault_at(wave, op, place->address, "atomic of %u bytes in %s by lane %u is misaligned", size,
                   space_name(place->space), lane);
  wave->fault.violation = true;
  return false;
}

void *og_lane_pointer(struct og_wave *wave, const struct og_operation *op, unsigned lane,
                      const struct og_lane_place *place, unsigned size) {
  if (!og_lane_aligned(wave, op, lane, place, size))
    return NULL;
  void *at = reach_bytes(wave, op, lane, place, 0, size, true);
  if (at == NULL)
    report(wave, op, lane, place, size, true);
  else if (og_sees_accesses(wave)) /* the caller takes a skip */
    wave->observer->access(wave->observer->context, wave, op, place->space,
                           OG_ACCESS_READ | OG_ACCESS_WRITE | OG_ACCESS_ATOMIC, lane, place->address, size);
  return at;
}

void og_access_to_defer(void *context, struct og_wave *wave, const struct og_operation *op, enum og_space space,
                        int access, unsigned lane, uint64_t address, unsigned size) {
  const struct og_deferring_observer *observer = (const struct og_deferring_observer *)wave->observer;
  if (observer->told)
    observer->told(context, wave, op, space, access, lane, address, size);
}

void *og_deferred_place(const struct og_wave *wave, uint64_t address, unsigned size, bool write) {
  struct og_window window;
  if (!og_memory_map_find(wave->group->map, address, size, write ? OG_MEMORY_WRITE : OG_MEMORY_READ, &window))
    return NULL;
  return (void *)(uintptr_t)(address + window.shift);
}

/* ---- loads and stores -------------------------------------------------------------------------------------------- */

static void fill_register(uint32_t *to, enum og_width width, const uint8_t *bytes) {
  uint32_t low = *to & 0xffff, high = *to & 0xffff0000;
  switch (width) {
  case OG_WIDTH_U8: *to = bytes[0]; break;
  case OG_WIDTH_I8: *to = (uint32_t)(int8_t)bytes[0]; break;
  case OG_WIDTH_U16: *to = og_load16(bytes); break;
  case OG_WIDTH_I16: *to = (uint32_t)(int16_t)og_load16(bytes); break;
  case OG_WIDTH_U8_LOW: *to = high | bytes[0]; break;
  case OG_WIDTH_U8_HIGH: *to = low | (uint32_t)bytes[0] << 16; break;
  case OG_WIDTH_I8_LOW: *to = high | (uint16_t)(int8_t)bytes[0]; break;
  case OG_WIDTH_I8_HIGH: *to = low | (uint32_t)(uint16_t)(int8_t)bytes[0] << 16; break;
  case OG_WIDTH_16_LOW: *to = high | og_load16(bytes); break;
  default: *to = low | (uint32_t)og_load16(bytes) << 16; break;
  }
}

/* A buffer load or store of several dwords is in or out of range dword by dword. */
static unsigned in_range_bytes(struct og_wave *wave, const struct og_operation *op, const struct og_lane_place *place) {
  const struct og_memory_op *access = op->detail;
  if (!place->outside)
    return access->bytes;
  if (access->idxen || access->bytes <= 4 || place->space == OG_SPACE_LDS)
    return 0;
  struct og_resource v = og_resource_decode(wave, og_at(wave, op->s[1]));
  uint64_t offset = place->address - (v.base + (v.whole_offset ? 0 : og_scalar32(wave, op, 2)));
  return offset + 4 > v.records ? 0 : (unsigned)OG_MIN((v.records - offset) / 4 * 4, access->bytes);
}

/* Where a lane's part begins of what goes from or to LDS without registers: at M0 and the offset, lanes side by side,
 * 16 bytes apart where each has 3 or 4 dwords ("CDNA4" ISA, 9.1.9 and 10.3). gfx950 has more LDS than 16 bits reach. */
uint32_t og_own_part(const struct og_wave *wave, const struct og_operation *op, unsigned lane) {
  const struct og_memory_op *access = op->detail;
  uint32_t first = wave->s[OG_S_M0] & (wave->program->target.processor->generation == OG_GFX950 ? 0x3ffff : 0xffff);
  if (access->addressing != OG_ADDRESS_BUFFER)
    first &= ~3u;
  return first + (uint32_t)op->constant[0] + lane * (access->bytes > 8 ? 16 : OG_MAX(access->bytes, 4u));
}

/* Loads to LDS. */
bool og_fill_lds(struct og_wave *wave, const struct og_operation *op, unsigned lane, const uint8_t *bytes) {
  const struct og_memory_op *access = op->detail;
  uint32_t value[4] = {0};
  unsigned size = OG_MAX(access->bytes, 4u);
  if (access->width < OG_WIDTH_32)
    fill_register(value, access->width, bytes);
  else
    memcpy(value, bytes, size);
  struct og_lane_place place = {OG_SPACE_LDS, og_own_part(wave, op, lane), 0, false};
  return og_lane_write(wave, op, lane, &place, value, size);
}

void og_finish_load(struct og_wave *wave, const struct og_operation *op, unsigned lane, unsigned piece,
                    const void *bytes) {
  const struct og_memory_op *access = op->detail;
  uint32_t *to = og_at(wave, op->d) + piece * access->bytes / 4u * OG_LANES + lane;
  if (access->width < OG_WIDTH_32)
    fill_register(to, access->width, bytes);
  else
    for (unsigned d = 0; d < access->bytes / 4u; d++)
      to[d * OG_LANES] = og_load32((const uint8_t *)bytes + 4 * d);
}

/* Between memory and registers, which nothing exchanges afterwards. */
static bool is_plain(const struct og_memory_op *access) {
  return access->width < OG_WIDTH_BLOCK && !access->to_lds && !access->beside && !access->element;
}

/* All pieces or none. */
static bool defer_load(struct og_wave *wave, const struct og_operation *op, unsigned lane) {
  const struct og_memory_op *access = op->detail;
  struct og_lane_place place[2];
  for (unsigned p = 0; p < access->pieces; p++) {
    place[p] = og_lane_place(wave, op, lane, p);
    if (place[p].space == OG_SPACE_SCRATCH || place[p].outside)
      return false;
  }
  bool taken = true;
  for (unsigned p = 0; p < access->pieces && taken; p++) {
    struct og_deferred what = {OG_ACCESS_READ, place[p].space, lane, p, access->bytes, place[p].address, NULL, 0, 0};
    taken = og_defer(wave, op, &what);
  }
  return taken;
}

static bool load_lane(struct og_wave *wave, const struct og_operation *op, unsigned lane) {
  const struct og_memory_op *access = op->detail;
  uint8_t bytes[32] = {0};
  for (unsigned p = 0; p < access->pieces; p++) {
    struct og_lane_place place = og_lane_place(wave, op, lane, p);
    unsigned size = in_range_bytes(wave, op, &place);
    if (size > 0 && !og_lane_read(wave, op, lane, &place, bytes + p * access->bytes, size))
      return false;
    if (wave->counts != NULL)
      og_count_access(wave, place.space, false, 1, size);
  }
  if (access->to_lds)
    return og_fill_lds(wave, op, lane, bytes);
  if (og_defers(wave) && is_plain(access) && defer_load(wave, op, lane))
    return true;
  for (unsigned p = 0; p < access->pieces; p++)
    og_finish_load(wave, op, lane, p, bytes + p * access->bytes);
  return true;
}

bool og_careful_load(struct og_wave *wave, const struct og_operation *op, uint64_t lanes) {
  for (; lanes != 0; lanes &= lanes - 1)
    if (!load_lane(wave, op, (unsigned)__builtin_ctzll(lanes)))
      return false;
  return true;
}

/* Stores of what stands in LDS. */
static bool take_from_lds(struct og_wave *wave, const struct og_operation *op, unsigned lane, uint8_t *bytes) {
  const struct og_memory_op *access = op->detail;
  struct og_lane_place place = {OG_SPACE_LDS, og_own_part(wave, op, lane), 0, false};
  return og_lane_read(wave, op, lane, &place, bytes, access->bytes);
}

static bool store_lane(struct og_wave *wave, const struct og_operation *op, unsigned lane) {
  const struct og_memory_op *access = op->detail;
  for (unsigned p = 0; p < access->pieces; p++) {
    const uint32_t *from = og_at(wave, p == 0 ? op->d : op->d2) + lane;
    uint8_t bytes[16];
    if (access->to_lds) {
      if (!take_from_lds(wave, op, lane, bytes))
        return false;
    } else if (access->width < OG_WIDTH_32) {
      bool high = access->width == OG_WIDTH_U8_HIGH || access->width == OG_WIDTH_16_HIGH;
      og_store32(bytes, *from >> (high ? 16 : 0));
    } else {
      for (unsigned d = 0; d < access->bytes / 4u; d++)
        og_store32(bytes + 4 * d, from[d * OG_LANES]);
    }
    struct og_lane_place place = og_lane_place(wave, op, lane, p);
    unsigned size = in_range_bytes(wave, op, &place);
    if (size > 0 && !og_lane_write(wave, op, lane, &place, bytes, size))
      return false;
    if (wave->counts != NULL)
      og_count_access(wave, place.space, true, 1, size);
  }
  return true;
}

bool og_careful_store(struct og_wave *wave, const struct og_operation *op, uint64_t lanes) {
  for (; lanes != 0; lanes &= lanes - 1)
    if (!store_lane(wave, op, (unsigned)__builtin_ctzll(lanes)))
      return false;
  return true;
}

const struct og_operation *og_careful_load_handler(struct og_wave *wave, const struct og_operation *op) {
  return og_careful_load(wave, op, og_active(wave)) ? og_next(op) : &og_stop;
}

const struct og_operation *og_careful_store_handler(struct og_wave *wave, const struct og_operation *op) {
  return og_careful_store(wave, op, og_active(wave)) ? og_next(op) : &og_stop;
}

void og_count_access(struct og_wave *wave, enum og_space space, bool write, uint64_t lanes, unsigned size) {
  uint64_t bytes = (uint64_t)__builtin_popcountll(lanes) * size;
  if (write)
    wave->counts->bytes_written[space] += bytes;
  else
    wave->counts->bytes_read[space] += bytes;
}

/* The number of lanes whose bank is taken by another address: 32 banks of a dword, half a wave64 at a time. Of wide
 * accesses the first dword counts. */
void og_count_conflicts(struct og_wave *wave, const struct og_operation *op) {
  const uint32_t *address = og_at(wave, op->s[0]);
  for (unsigned half = 0; half < OG_LANES; half += 32) {
    uint32_t places[32][32], worst = 1;
    uint8_t taken[32] = {0};
    for (unsigned i = half; i < half + 32; i++) {
      uint32_t place = (address[i] + (uint32_t)op->constant[0]) / 4, bank = place % 32, n = 0;
      if (!wave->lanes[i])
        continue;
      while (n < taken[bank] && places[bank][n] != place)
        n++;
      places[bank][n] = place;
      taken[bank] = (uint8_t)OG_MAX(taken[bank], n + 1);
      worst = OG_MAX(worst, taken[bank]);
    }
    wave->counts->events.bank_conflicts += worst - 1;
  }
}
