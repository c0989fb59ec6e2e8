/* relocation.c - the value that each relocation type stores, for the linker and for the loader. */
#include "object/elf/elf.h"

enum range { ANY, NUMBER_32, SIGNED_32, BRANCH };

static const struct og_relocation_formula formulas[] = {
    [OG_R_AMDGPU_ABS64] = {OG_FROM_ADDRESS, 8, 0, ANY},
    [OG_R_AMDGPU_ABS32] = {OG_FROM_ADDRESS, 4, 0, NUMBER_32},
    [OG_R_AMDGPU_ABS32_LO] = {OG_FROM_ADDRESS, 4, 0, ANY},
    [OG_R_AMDGPU_ABS32_HI] = {OG_FROM_ADDRESS, 4, 32, ANY},
    [OG_R_AMDGPU_REL64] = {OG_FROM_DISTANCE, 8, 0, ANY},
    [OG_R_AMDGPU_REL32] = {OG_FROM_DISTANCE, 4, 0, SIGNED_32},
    [OG_R_AMDGPU_REL32_LO] = {OG_FROM_DISTANCE, 4, 0, ANY},
    [OG_R_AMDGPU_REL32_HI] = {OG_FROM_DISTANCE, 4, 32, ANY},
    [OG_R_AMDGPU_REL16] = {OG_FROM_DISTANCE, 2, 0, BRANCH},
    [OG_R_AMDGPU_GOTPCREL] = {OG_FROM_GOT, 4, 0, SIGNED_32},
    [OG_R_AMDGPU_GOTPCREL32_LO] = {OG_FROM_GOT, 4, 0, ANY},
    [OG_R_AMDGPU_GOTPCREL32_HI] = {OG_FROM_GOT, 4, 32, ANY},
    [OG_R_AMDGPU_RELATIVE64] = {OG_FROM_BASE, 8, 0, ANY},
};

const struct og_relocation_formula *og_relocation_formula(uint32_t type) {
  return type < OG_COUNT(formulas) && formulas[type].bytes ? &formulas[type] : NULL;
}

unsigned og_relocation_size(uint32_t type) {
  const struct og_relocation_formula *formula = og_relocation_formula(type);
  return formula ? formula->bytes : 0;
}

static bool fits_signed(uint64_t value, unsigned bits) {
  int64_t v = (int64_t)value;
  return v >= -(INT64_C(1) << (bits - 1)) && v < INT64_C(1) << (bits - 1);
}

static bool in_range(uint64_t value, enum range range) {
  int64_t words = (int64_t)(value - 4) / 4; /* from behind the branch */
  switch (range) {
  case ANY: return true;
  case NUMBER_32: return value <= UINT32_MAX || fits_signed(value, 32);
  case SIGNED_32: return fits_signed(value, 32);
  case BRANCH: return (value & 3) == 0 && fits_signed((uint64_t)words, 16);
  }
  return false;
}

const char *og_relocation_store(const struct og_relocation_formula *formula, uint8_t *place, uint64_t value) {
  static const char *const ranges[] = {"", "a 32-bit number", "a signed 32-bit distance",
                                       "a branch distance of 16 bits in dwords"};
  uint64_t stored = formula->range == BRANCH ? (uint64_t)((int64_t)(value - 4) / 4) : value;
  for (unsigned i = 0; i < formula->bytes; i++)
    place[i] = (uint8_t)(stored >> (formula->shift + 8 * i));
  return in_range(value, (enum range)formula->range) ? NULL : ranges[formula->range];
}
