/* state.c - reading and changing a stopped wave. */
#include "exec/state.h"

#include <string.h>

/* ---- registers --------------------------------------------------------------------------------------------------- */

static const struct {
  const char *text;
  uint8_t kind, dwords, index;
  bool mask; /* as wide as the wave */
} named[] = {
    {"vcc", OG_REGISTER_SCALAR, 2, OG_S_VCC, true},
    {"vcc_lo", OG_REGISTER_SCALAR, 1, OG_S_VCC, false},
    {"vcc_hi", OG_REGISTER_SCALAR, 1, OG_S_VCC + 1, false},
    {"exec", OG_REGISTER_SCALAR, 2, OG_S_EXEC, true},
    {"exec_lo", OG_REGISTER_SCALAR, 1, OG_S_EXEC, false},
    {"exec_hi", OG_REGISTER_SCALAR, 1, OG_S_EXEC + 1, false},
    {"m0", OG_REGISTER_SCALAR, 1, OG_S_M0, false},
    {"scc", OG_REGISTER_SCALAR, 1, OG_S_SCC, false},
    {"flat_scratch", OG_REGISTER_SCALAR, 2, OG_S_FLAT_SCRATCH, false},
    {"xnack_mask", OG_REGISTER_SCALAR, 2, OG_S_XNACK_MASK, true},
    {"mode", OG_REGISTER_MODE, 1, 0, false},
    {"status", OG_REGISTER_STATUS, 1, OG_HWREG_STATUS, false},
};

static const struct {
  const char *prefix;
  uint8_t kind;
  uint16_t first, count;
} numbered[] = {
    {"ttmp", OG_REGISTER_SCALAR, OG_S_TTMP, 16},
    {"s", OG_REGISTER_SCALAR, OG_S_SGPR, 106},
    {"v", OG_REGISTER_VECTOR, 0, OG_VGPRS},
    {"a", OG_REGISTER_VECTOR, 256, 256},
};

bool og_register_find(const struct og_wave *wave, struct og_text text, struct og_register *found) {
  for (size_t i = 0; i < OG_COUNT(named); i++)
    if (og_text_is(text, named[i].text)) {
      uint8_t dwords = named[i].mask && wave->wave_size == 32 ? 1 : named[i].dwords;
      *found = (struct og_register){.kind = named[i].kind, .dwords = dwords, .index = named[i].index};
      return true;
    }
  for (size_t i = 0; i < OG_COUNT(numbered); i++) {
    struct og_text digits = text;
    unsigned number = 0, count = 0;
    if (!og_text_skip(&digits, numbered[i].prefix))
      continue;
    while (count < digits.size && count < 4 && digits.data[count] >= '0' && digits.data[count] <= '9')
      number = 10 * number + (unsigned)(digits.data[count++] - '0');
    if (count == 0 || count != digits.size || number >= numbered[i].count)
      continue;
    *found =
        (struct og_register){.kind = numbered[i].kind, .dwords = 1, .index = (uint16_t)(numbered[i].first + number)};
    return true;
  }
  return false;
}

uint32_t og_register_get(const struct og_wave *wave, const struct og_register *at, unsigned dword, unsigned lane) {
  switch ((enum og_register_kind)at->kind) {
  case OG_REGISTER_SCALAR: return wave->s[at->index + dword];
  case OG_REGISTER_VECTOR: return wave->v[at->index + dword][lane];
  case OG_REGISTER_MODE: return wave->mode;
  case OG_REGISTER_STATUS: break;
  }
  return (wave->hwreg[OG_HWREG_STATUS] & ~0x601u) | wave->s[OG_S_SCC] | (uint32_t)(og_exec(wave) == 0) << 9 |
         (uint32_t)(og_load64(&wave->s[OG_S_VCC]) == 0) << 10;
}

bool og_register_set(struct og_wave *wave, const struct og_register *at, unsigned dword, unsigned lane,
                     uint32_t value) {
  unsigned index = at->index + dword;
  switch ((enum og_register_kind)at->kind) {
  case OG_REGISTER_SCALAR:
    wave->s[index] = index == OG_S_SCC ? value != 0 : value;
    if (index == OG_S_EXEC || index == OG_S_EXEC + 1)
      og_exec_changed(wave);
    return true;
  case OG_REGISTER_VECTOR: wave->v[index][lane] = value; return true;
  case OG_REGISTER_MODE: wave->mode = value; return true;
  case OG_REGISTER_STATUS: break;
  }
  return false;
}

/* ---- memory ------------------------------------------------------------------------------------------------------ */

static uint8_t *map_place(const struct og_memory_map *map, uint64_t address, uint64_t size, unsigned access) {
  struct og_window window;
  return og_memory_map_find(map, address, size, access, &window) ? (uint8_t *)(uintptr_t)(address + window.shift)
                                                                 : NULL;
}

bool og_map_read(const struct og_memory_map *map, uint64_t address, void *bytes, size_t size) {
  const uint8_t *from = map_place(map, address, size, OG_MEMORY_READ);
  if (from != NULL)
    memcpy(bytes, from, size);
  return from != NULL;
}

bool og_map_write(const struct og_memory_map *map, uint64_t address, const void *bytes, size_t size) {
  uint8_t *to = map_place(map, address, size, OG_MEMORY_WRITE);
  if (to != NULL)
    memcpy(to, bytes, size);
  return to != NULL;
}

/* The host's place of one byte of scratch, which is swizzled by dwords. */
static uint8_t *scratch_byte(const struct og_wave *wave, unsigned lane, uint64_t address) {
  if (wave->scratch == NULL || address >= wave->scratch_size)
    return NULL;
  return wave->scratch + address / 4 * 4 * wave->wave_size + 4 * lane + address % 4;
}

static enum og_space flat_space(uint64_t *address) {
  uint64_t high = *address >> 32;
  if (high != OG_SHARED_APERTURE && high != OG_PRIVATE_APERTURE)
    return OG_SPACE_GLOBAL;
  *address &= UINT32_MAX;
  return high == OG_SHARED_APERTURE ? OG_SPACE_LDS : OG_SPACE_SCRATCH;
}

/* Moves bytes: from the wave's memory to `out`, or to it from `in`. */
static bool move(const struct og_wave *wave, enum og_space space, unsigned lane, uint64_t address, void *out,
                 const void *in, size_t size) {
  if (space == OG_SPACE_GLOBAL)
    space = flat_space(&address);
  if (space == OG_SPACE_SCRATCH) {
    for (size_t i = 0; i < size; i++) {
      uint8_t *at = scratch_byte(wave, lane, address + i);
      if (at == NULL)
        return false;
      if (out != NULL)
        ((uint8_t *)out)[i] = *at;
      else
        *at = ((const uint8_t *)in)[i];
    }
    return true;
  }
  if (space == OG_SPACE_LDS) {
    if (address > wave->lds_size || size > wave->lds_size - address)
      return false;
    memcpy(out != NULL ? out : wave->lds + address, out != NULL ? wave->lds + address : in, size);
    return true;
  }
  const struct og_memory_map *map = wave->group->map;
  return out != NULL ? og_map_read(map, address, out, size) : og_map_write(map, address, in, size);
}

bool og_wave_read(const struct og_wave *wave, enum og_space space, unsigned lane, uint64_t address, void *bytes,
                  size_t size) {
  return move(wave, space, lane, address, bytes, NULL, size);
}

bool og_wave_write(const struct og_wave *wave, enum og_space space, unsigned lane, uint64_t address, const void *bytes,
                   size_t size) {
  return move(wave, space, lane, address, NULL, bytes, size);
}
